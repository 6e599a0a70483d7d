"""Trials of what proofs say of means: of random quantities with a few values, so that every mean is a finite sum.

A fact of the form "what holds of every outcome holds in the mean" names one outcome: where it might not hold, the case names the one
where it holds least."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, product

from verify.textbook.draws import (
    Draws,
    Number,
    Vector,
    average,
    dot,
    mp,
    norm,
    plus,
    scaled,
    square,
    zeros,
)
from verify.textbook.trial import Trial, Values, each

Law = list[tuple[Number, Number]]
"""Values with their probabilities: (probability, value)."""


def chances(draws: Draws, count: int) -> list[Number]:
    """Probabilities of that many outcomes."""
    parts = [draws.positive(0.1, 10) for _ in range(count)]
    return [part / sum(parts) for part in parts]


def law(draws: Draws, values: Sequence[Number]) -> Law:
    return list(zip(chances(draws, len(values)), values, strict=True))


def mean_of(outcomes: Law, of: Callable[[Number], Number] = lambda value: value) -> Number:
    return sum((chance * of(value) for chance, value in outcomes), mp.mpf(0))


# Who takes part


def subsets(draws: Draws, n: int, r: Number) -> list[tuple[Number, tuple[int, ...]]]:
    """Every set of clients with its probability: each of n by itself with probability r/n or, for a whole r, exactly r."""
    if r == int(r) and draws.chance(0.5):
        sets = list(combinations(range(n), int(r)))
        return [(mp.mpf(1) / len(sets), chosen) for chosen in sets]
    found = []
    for drawn in product((0, 1), repeat=n):
        chosen = tuple(i for i in range(n) if drawn[i])
        found.append(((r / n) ** len(chosen) * (1 - r / n) ** (n - len(chosen)), chosen))
    return found


def somebody_drawn(draws: Draws) -> Values:
    """P(|S| ≥ 1) for clients drawn one by one: the first of them that is drawn, the number of them, the set."""
    n = draws.whole(1, 5)
    t = draws.number(0, 1)
    sets = [
        (t ** len(who) * (1 - t) ** (n - len(who)), who)
        for s in range(1, n + 1)
        for who in combinations(range(n), s)
    ]
    return {
        "P_some": sum((t * (1 - t) ** i for i in range(n)), mp.mpf(0)),
        "P_some_by_size": sum(mp.binomial(n, s) * t**s * (1 - t) ** (n - s) for s in range(1, n + 1)),
        "P_some_by_set": sum(chance for chance, _ in sets),
    }


def taking_part(draws: Draws) -> Values:
    """Messages y_i, of which (1/r) Σ_{i∈S} y_i is sent: ss = ‖Σ_S y_i‖² and Q = Σ_S ‖y_i‖². Of the sets that may be drawn the one is
    named where ss/r² exceeds Q/r by most; p is its size, and there is one vector more, y."""
    n, d = draws.whole(1, 4), draws.whole(1, 2)
    r = mp.mpf(draws.whole(1, n))
    *ys, y = draws.vectors(n + 1, d)
    sets = []
    for chance, chosen in subsets(draws, n, r):
        if chance:
            total = plus(*(ys[i] for i in chosen), zeros(d))
            squares = sum((square(ys[i]) for i in chosen), mp.mpf(0))
            sets.append((chance, total, square(total), squares, len(chosen)))
    _, total, ss, Q, p = max(sets, key=lambda found: found[2] / r**2 - found[3] / r)
    return {
        "r": r, "p": p, "ss": ss, "Q": Q, "sy": dot(total, y), "yy": square(y),
        "a2": sum(chance * size / r**2 for chance, _, size, _, _ in sets),
        "E_Q": sum(chance * squares / r for chance, _, _, squares, _ in sets),
    }  # fmt: skip


def clipped_messages(draws: Draws) -> Values:
    """E⟨(1/r) Σ_{i∈S} clip(u_i, C), w_k − w*⟩ over the sets that may be drawn."""
    n, d, C = draws.whole(1, 4), draws.whole(1, 2), draws.positive()
    r = mp.mpf(draws.whole(1, n)) if draws.chance(0.5) else n * draws.positive(0.1, 1)
    us = draws.vectors(n, d)
    away = draws.pick([draws.vector(d), draws.along(us[0])])

    def clip(u: Vector) -> Vector:
        return scaled(C / max(C, norm(u)), u)

    sent = [
        (chance, plus(*(clip(us[i]) for i in chosen), zeros(d))) for chance, chosen in subsets(draws, n, r)
    ]
    return {
        "ya": sum(chance * dot(total, away) / r for chance, total in sent),
        "longest": max(map(norm, us)), "distance_k": norm(away),
    }  # fmt: skip


# Noise


def recursion(draws: Draws) -> Values:
    """e^(k+1) = e⁰ + β Σ z^l for Σ z^l with a few values; e⁰ is mostly 0, as NEC-L3 has it. That value is named with which ‖e^(k+1)‖
    exceeds ‖β Σ z^l‖ by most."""
    d, beta, count = draws.whole(1, 3), draws.positive(), draws.whole(1, 4)
    start = zeros(d) if draws.chance(0.8) else draws.vector(d)
    walks = [scaled(beta, noise) for noise in draws.vectors(count, d)]
    lengths = [(norm(plus(start, walk)), norm(walk)) for walk in walks]
    worst = max(lengths, key=lambda pair: pair[0] - pair[1])
    masses = chances(draws, count)
    after, before = (sum(m * pair[side] for m, pair in zip(masses, lengths, strict=True)) for side in (0, 1))
    return {"‖e^(k+1)‖": worst[0], "‖βΣz^l‖": worst[1], "E‖e^(k+1)‖": after, "E‖βΣ_{l=0}^kz^l‖": before}


def sign_messages(draws: Draws) -> Values:
    """w_{k+1} = w_k − η(|S_k|/r sign(w_k) + ζ_k), w_k ≠ 0: clients drawn one by one, and given |S_k| the noise ζ_k is symmetric, of a
    variance that grows with |S_k|. X = |S_k|/r + sign(w_k)ζ_k. They send f′/|f′| and weigh f − f* with z = 1/|f′|: f = w²/2 up to s,
    of slope s up to M, then of a slope that rises at most like w and not beyond 1. Now and then |w_k| is about 2vη, v = E X², s or M.
    """
    n, eta = draws.whole(1, 3), draws.positive(0.001, 0.5)
    r, size, still = n * draws.positive(0.1, 1), draws.positive(0.01, 10), draws.share()
    together = []
    for sent in range(n + 1):
        chance = mp.binomial(n, sent) * (r / n) ** sent * (1 - r / n) ** (n - sent)
        for side, share in ((-1, (1 - still) / 2), (0, still), (1, (1 - still) / 2)):
            together.append((chance * share, sent / r, side * size * mp.sqrt(sent)))
    X = [(chance, share + noise) for chance, share, noise in together]
    v = mean_of(X, lambda x: x**2)
    s, M, rise = draws.positive(0.001, 0.9), draws.positive(1, 100), draws.positive(0.1, 1)
    end = M + (1 - s) / rise

    def value(at: Number) -> Number:
        if abs(at) <= s:
            return abs(at) / 2  # (w²/2)/|w|
        beyond = max(mp.mpf(0), min(abs(at), end) - M)
        f = s * abs(at) - s**2 / 2 + rise * beyond**2 / 2 + (1 - s) * max(mp.mpf(0), abs(at) - end)
        return f / (s + rise * beyond)

    about = draws.pick([2 * v * eta, 2 * v * eta, s, M, end, draws.positive()])
    w = law(draws, [draws.pick((-1, 1)) * about * draws.positive(0.8, 1.5) for _ in range(draws.whole(1, 3))])
    if draws.chance(0.3):
        w = law(draws, [about, -about])
    after = [(p * q, at - eta * (mp.sign(at) * share + noise)) for p, at in w for q, share, noise in together]
    return {
        "eta": eta, "v": v, "E_X³": mean_of(X, lambda x: x**3), "E_X⁴": mean_of(X, lambda x: x**4),
        "E|w|": mean_of(w, abs), "y2": mean_of(w, lambda x: x**2), "E|w|³": mean_of(w, lambda x: abs(x) ** 3),
        "w4": mean_of(w, lambda x: x**4), "w4_next": mean_of(after, lambda x: x**4),
        "s": s, "M": M, "|w|": abs(w[0][1]), "z(f−f*)": value(w[0][1]), "z_mean": mean_of(w, value),
    }  # fmt: skip


def any_messages(draws: Draws) -> Values:
    """w_{k+1} = w_k − ηY, where Y has a law for each w_k: v and q₄ are the largest of its second and fourth moments.
    In a part of the cases Y = −w_k/η, where nothing is lost. |w_k| is now and then about g, or about 3ηv/g."""
    eta = draws.positive()
    size = draws.positive(0.1, 10)
    w = law(draws, draws.pick([[size, -size], [draws.number() for _ in range(draws.whole(1, 3))]]))
    mirror = draws.chance(0.3)
    sent = [
        law(draws, [-at / eta] if mirror else [draws.number() for _ in range(draws.whole(1, 3))])
        for _, at in w
    ]
    after = [(p * q, at - eta * y) for (p, at), Y in zip(w, sent, strict=True) for q, y in Y]
    v = max(mean_of(Y, lambda y: y**2) for Y in sent)
    return {
        "eta": eta, "v": v, "q_4": max(mean_of(Y, lambda y: y**4) for Y in sent),
        "g": draws.pick([size, 3 * eta * v / size, draws.positive()]),
        "E_w³Y": sum(p * at**3 * mean_of(Y) for (p, at), Y in zip(w, sent, strict=True)),
        "y2": mean_of(w, lambda x: x**2), "w4": mean_of(w, lambda x: x**4), "w4_next": mean_of(after, lambda x: x**4),
        "E|w|³": mean_of(w, lambda x: abs(x) ** 3),
    }  # fmt: skip


# Inequalities between functions, in the mean


def two_clients(draws: Draws) -> Values:
    """f′ and f − f* at |w|, the mean U of what local steps make of f′, within h of it, the mean of the clients' squares, and the means
    of all of these over w: of the proof's two clients, or any that meet what the proof has shown of them at every w, at the least, at
    the most or between. 0 < g < R ≤ 1/16, 4h ≤ g. Y = (w_k − w_{k+1})/h has two values for each w, the mean U and the variance
    c mean u_i²/E² + ν; v and q₄ are the largest of its second and fourth moments. Now and then 3hv/g is about |w|, or Y = U = −w/h."""
    R = draws.positive(0.001, 0.0625)
    g = R * draws.positive(0.01, 0.99)
    h = g * draws.positive(0.001, 0.25)
    ends = draws.pick(
        [[g], [R], [R * (g**2 / 20) ** (mp.mpf(1) / 3)], [R, g, 1], [draws.positive(0.001, 10)]]
    )
    w = law(draws, [draws.pick(ends) * draws.positive(0.9, 1.1) for _ in range(draws.whole(1, 3))])
    own, part = draws.chance(0.3), draws.pick([0, 1, draws.share()])
    steep = draws.pick([0, draws.number(0, 1), 2 / R])
    off, more = draws.pick([-1, 1, draws.number(-1, 1)]), draws.pick([0, draws.share()])
    c, nu = draws.pick([0, draws.positive(0.1, 10)]), draws.pick([0, draws.positive()])
    noise_about = draws.chance(0.3)
    if draws.chance(0.2):  # U pulls away from 0 as far as it may
        w, own, steep, off = law(draws, [draws.pick([g * 99 / 100, h**2 * 999 / 1000])]), False, 0, -1
        c = nu = 0
    elif draws.chance(0.1):  # beyond R, where f − f* is as low as it may be
        w, own, steep, part = law(draws, [R * draws.positive(1.001, 1.1)]), False, 2 / R, 1

    def slope(at: Number) -> Number:
        if own:
            return (ahead(at) - behind(at)) / 2
        return max(h / 1000, g - g**4 / at**3) + steep

    def above(at: Number) -> Number:
        if own:
            rise, flat = max(mp.mpf(0), min(at, R + 1 - g) - R), max(mp.mpf(0), at - R - 1 + g)
            low = min(at, g)
            return low**2 / 2 + g * (at - low) + rise**2 / 4 + (1 - g) / 2 * flat
        return max(mp.mpf(0), at * slope(at) - part * (g**2 / 2 + (at > R)))

    def ahead(at: Number) -> Number:
        return 1 + min(at, g)

    def behind(at: Number) -> Number:
        return 1 - min(at, g) if at <= R else max(mp.mpf(0), 1 - g - (at - R))

    def pull(at: Number) -> Number:
        return slope(at) + off * h

    def squares(at: Number) -> Number:
        return max(mp.mpf(0), (1 - 2 * g) ** 2 * (1 - at**3 / R**3)) + more

    size = w[0][1]
    at_size = pull(size) ** 2 + c * squares(size)
    if noise_about and g * size / (3 * h) > at_size:
        nu = g * size / (3 * h) - at_size
    sent = [(p, at, pull(at), mp.sqrt(c * squares(at) + nu)) for p, at in w]
    return {
        "g": g, "R": R, "eta_E": h, "eta": h, "|w|": size, "f′": slope(size), "f−f*": above(size), "|w|_pull": pull(size),
        "mean_u²/E²": squares(size), "E_mean_u²/E²": mean_of(w, squares), "E_f": mean_of(w, above),
        "E|w|": mean_of(w), "y2": mean_of(w, lambda x: x**2), "E|w|³": mean_of(w, lambda x: x**3),
        "E_wf′": mean_of(w, lambda x: x * slope(x)), "E_wU": mean_of(w, lambda x: x * pull(x)),
        "E_w³f′": mean_of(w, lambda x: x**3 * slope(x)), "E_w³U": mean_of(w, lambda x: x**3 * pull(x)),
        "E_w³Y": mean_of(w, lambda x: x**3 * pull(x)),
        "v": max(U**2 + noise**2 for _, _, U, noise in sent),
        "q_4": max(((U - noise) ** 4 + (U + noise) ** 4) / 2 for _, _, U, noise in sent),
        "w4": mean_of(w, lambda x: x**4),
        "w4_next": sum(p * (at - h * (U + side * noise)) ** 4 / 2 for p, at, U, noise in sent for side in (-1, 1)),
    }  # fmt: skip


def weighed_huber(draws: Draws) -> Values:
    """z(f − f*) at w, z ≥ 1, and its mean over w, for f = w²/2 where |w| ≤ 1 and |w| − ½ elsewhere."""
    z = draws.pick([mp.mpf(1), draws.positive(1, 10)])
    w = law(draws, [draws.pick([draws.number(), draws.positive(1, 10)]) for _ in range(draws.whole(1, 3))])

    def value(at: Number) -> Number:
        return z * (at**2 / 2 if abs(at) <= 1 else abs(at) - mp.mpf(1) / 2)

    at = w[0][1]
    return {"w": at, "z·f": value(at), "E_w": mean_of(w), "E_z·f": mean_of(w, value)}


def equal_clients(draws: Draws) -> Values:
    """A message V and what is weighed, φ, at |w| and in the mean over w: any that meet what the proof has shown of them at every w, at
    the least, at the most or between. v is E Y² at its largest, of Y = V sign(w) where somebody sends, and noise. Now and then 3ηv/g
    is about |w|."""
    g, slope, off = draws.positive(0.01, 1), draws.share(), draws.positive(0.001, 1)
    least = draws.pick([mp.mpf(0), mp.mpf(1), draws.share(), draws.share() / 1000])
    how, more = draws.pick([0, 1, draws.share()]), draws.pick([0, draws.share()])
    w = law(draws, [g * draws.positive(0.5, 10) for _ in range(draws.whole(1, 3))])

    def message(at: Number) -> Number:
        low = max(mp.sqrt(least), slope * (1 - 8 * g**3 / at**3))
        return low + how * (1 - low)

    size, sends, noise = w[0][1], draws.positive(0.1, 1), draws.positive()
    v = max(sends * message(at) ** 2 for _, at in w) + noise
    return {
        "eta": draws.pick([g * size / (3 * v), draws.positive()]), "v": v, "y2": mean_of(w, lambda x: x**2),
        "g": g, "s_slope": slope, "e_off": off, "V2_least": least, "|w|": size, "V_sent": message(size),
        "phi": size * message(size) - off + more, "E_phi": mean_of(w, lambda x: x * message(x) - off + more),
        "E|w|V": mean_of(w, lambda x: x * message(x)), "E|w|³V": mean_of(w, lambda x: x**3 * message(x)),
        "E|w|³": mean_of(w, lambda x: x**3), "E_V²": mean_of(w, lambda x: message(x) ** 2),
    }  # fmt: skip


def density(draws: Draws) -> Values:
    """E[1/‖u‖] of E local steps of f_i = c(w − w_i*)²/2, c ≤ L, ηL < 2, at a w of even density around w_i*: constant on stretches
    between t and s, 0 nearer than t, and beyond s the rest. p is the least density between t and s, or more, or less; the stretch is
    named where the density is least, with ‖u‖ and one of the gradients where it begins."""
    L, E = draws.positive(0.1, 10), draws.whole(1, 4)
    c = draws.pick([L, L * draws.positive(0.1, 1)])
    eta = draws.pick([mp.mpf(1) / 1000, draws.positive(0.001, 1.99)]) / L
    pull = sum(c * (1 - eta * c) ** j for j in range(E))  # ‖u‖ = pull · |w − w_i*|
    bounds = [draws.positive(0.01, 1)]
    for _ in range(draws.whole(2, 4)):
        bounds.append(bounds[-1] * (1 + draws.positive(0.1, 10)))
    heights = [draws.positive(0.5, 2) for _ in bounds[1:]]
    if draws.chance(0.5):
        heights = [mp.mpf(1)] * (len(bounds) - 2) + [mp.mpf(1) / 1000]
    mass = 2 * sum(h * (b - a) for h, a, b in zip(heights, bounds, bounds[1:], strict=False))
    heights = [h / mass for h in heights]
    inverse = 2 * sum(h / pull * mp.log(b / a) for h, a, b in zip(heights, bounds, bounds[1:], strict=False))
    worst = min(range(len(heights) - 1), key=heights.__getitem__)
    at = bounds[worst]
    gradient = c * abs(1 - eta * c) ** draws.whole(0, E - 1) * at
    return {
        "E": E, "L": L, "t": at, "density": heights[worst], "norm_g": gradient, "speed": pull * at, "E[1/‖u_i‖]": inverse,
        "p": heights[worst] * draws.pick([mp.mpf(1), draws.positive(0.5, 2)]), "log(s/t)": mp.log(bounds[-2] / bounds[0]),
    }  # fmt: skip


def late_rounds(draws: Draws) -> Values:
    """P(N(cμ, c) > y), c = k̃/K, in the mean over the k̃ ≥ K/2. That t = √c between √½ and 1 is named at which cμ − y exceeds 2√c
    least: the parabola's vertex, or an end."""
    K, mu, y = draws.whole(2, 25), draws.positive(0.5, 50), draws.positive(0.1, 10)
    late = [mp.mpf(k) / K for k in range(K) if 2 * k >= K]
    chance = average([mp.ncdf((c * mu - y) / mp.sqrt(c)) for c in late])
    return {
        "mu": mu, "y": y, "t": min(max(1 / mu, mp.sqrt(mp.mpf(1) / 2)), mp.mpf(1)), "P_late": chance, "Phi_2": mp.ncdf(2),
    }  # fmt: skip


def tested(draws: Draws) -> Values:
    """Values v ≥ m φ with φ between 0 and 1, now and then all with equality; the outcome is named where v − m φ is least."""
    m, tight = draws.positive(), draws.chance(0.3)
    outcomes = []
    for chance in chances(draws, draws.whole(1, 5)):
        share = draws.share()
        above = mp.mpf(0) if tight else draws.number(0, 1) * draws.positive()
        outcomes.append((chance, share, m * share + above))
    _, share, v = min(outcomes, key=lambda found: found[2] - m * found[1])
    return {
        "m": m, "v": v, "φ": share,
        "E[v]": sum(chance * value for chance, _, value in outcomes),
        "P(U<φ)": sum(chance * part for chance, part, _ in outcomes),
    }  # fmt: skip


TRIALS = (
    Trial("v ≥ mφ implies E[v] ≥ m P(U < φ), U uniform on [0, 1] and drawn by itself", tested),
    Trial("P(|S_k| ≥ 1) is one number, counted client by client, size by size or set by set", somebody_drawn),
    *each(
        taking_part,
        "Cauchy–Schwarz: ⟨Σ y, y_{p+1}⟩² ≤ ‖Σ y‖² ‖y_{p+1}‖²",
        "expectation is monotone",
        "‖Σ y − p y_{p+1}‖² ≥ 0",
    ),
    Trial("expectation is monotone", recursion),
    Trial(
        "E⟨(1/r) Σ clip(u_i, C), w_k − w*⟩ = mean ⟨clip(u_i, C), w_k − w*⟩ ≤ max ‖u_i‖ ‖w_k − w*‖ (Cauchy–Schwarz)",
        clipped_messages,
    ),
    *each(
        sign_messages,
        "E w_{k+1}⁴ expanded: X is independent of w_k, E X = 1, E X² = v",
        "expectations are monotone and linear",
        "given S_k the noise is symmetric: E X³ ≥ 0",
        "2|w|³ + λ³ ≥ 3λw² for λ = 2vη, in the mean",
    ),
    *each(
        any_messages,
        "(w − ηY)⁴ ≤ w⁴ − 4ηw³Y + 8η²w²Y² + 3η⁴Y⁴, in the mean; given w E Y² ≤ v, E Y⁴ ≤ q₄",
        "2|w|³ + λ³ ≥ 3λw² for λ = 3ηv/g and λ = g, in the mean",
    ),
    *each(
        two_clients,
        "(w − ηY)⁴ ≤ w⁴ − 4ηw³Y + 8η²w²Y² + 3η⁴Y⁴, in the mean; given w E Y² ≤ v, E Y⁴ ≤ q₄",
        "2|w|³ + λ³ ≥ 3λw² for λ = 3ηv/g and λ = g, in the mean",
        "expectations are monotone and linear",
    ),
    *each(
        equal_clients,
        "2|w|³ + λ³ ≥ 3λw² for λ = 3ηv/g and λ = g, in the mean",
        "expectations are monotone and linear",
    ),
    Trial("expectations are monotone and linear", weighed_huber),
    *each(
        density,
        "f_i convex and L-smooth with a minimiser, ηL ≤ 2: ‖∇f_i(w_τ)‖ ≤ L|w_τ − w_i*| ≤ L|w − w_i*|",
        "integrals are monotone, and p/(LE|x|) over t ≤ |x| < s has the integral (2p/(LE)) log(s/t)",
    ),
    Trial(
        "P(moved by more than y | k̃ = cK) = Φ((cμ − y)/√c), and Φ increases: at least Φ(2) for every k̃ ≥ K/2",
        late_rounds,
    ),
)
