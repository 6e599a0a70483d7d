"""Trials of what proofs say of Gaussian releases, of participation that is seen, and of a Gaussian's tail.

Every δ is that of a mechanism that is drawn, and exact: by Balle and Wang's formula for Gaussian releases (which one trial compares
with the integral that defines δ), and by a sum over all outcomes where these are finitely many. The letters: s is how far one
release can move, σ the noise on it, K the number of releases, p the probability of a message in each round, N the number of
messages, δ(ε; μ) the δ of one release that is moved by μ times its noise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise

from mpmath.calculus.quadrature import GaussLegendre

from verify.textbook.draws import Draws, Number, average, mean, mp
from verify.textbook.trial import Trial, Trusted, Values, each


def gaussian_delta(epsilon: Number, mu: Number) -> Number:
    """δ(ε; μ), μ ≥ 0 (Balle and Wang 2018)."""
    if not mu:
        return mp.mpf(0)
    return mp.ncdf(mu / 2 - epsilon / mu) - mp.exp(epsilon) * mp.ncdf(-mu / 2 - epsilon / mu)


def defining_integral(epsilon: Number, mu: Number) -> Number:
    """∫ max(φ(x − μ) − e^ε φ(x), 0) dx: above x₀ = ε/μ + μ/2, where the two are equal, on stretches of length 4 at most, the first of
    which are the shorter the faster e^ε φ(x)/φ(x − μ) falls. What lies beyond is less than Φ(−16 + μ/2 − ε/μ), below 10⁻⁵⁰ where
    μ²/2 ≤ ε."""
    start, total = epsilon / mu + mu / 2, mp.mpf(0)
    low, length = mp.mpf(0), 4 * min(mp.mpf(1), 10 / mu)
    while low < 16:
        for node, weight in _rule():
            x = start + low + length * (1 + node) / 2
            total += length * weight / 2 * mp.exp(-((x - mu) ** 2) / 2) * (1 - mp.exp(mu * (start - x)))
        low, length = low + length, min(mp.mpf(4), 2 * length)
    return total / mp.sqrt(2 * mp.pi)


@cache
def _rule() -> list[tuple[Number, Number]]:
    """48 places in [−1, 1] and their weights, enough for 50 digits of a Gaussian's integral over four deviations."""
    return GaussLegendre(mp).calc_nodes(5, mp.prec)


def renyi(order: Number, shift: Number, sigma: Number) -> Number:
    """The Rényi divergence between N(0, σ²) and N(shift, σ²), by the trapezoidal rule, whose error falls with the step like
    exp(−2π²σ²/step²)."""
    step, peak = sigma * 2 / 5, (1 - order) * shift
    total = mp.mpf(0)
    for j in range(-38, 39):
        x = peak + j * step
        total += mp.exp(-(order * x**2 + (1 - order) * (x - shift) ** 2) / (2 * sigma**2))
    return mp.log(total * step / (sigma * mp.sqrt(2 * mp.pi))) / (order - 1)


def finite_delta(epsilon: Number, first: Sequence[Number], second: Sequence[Number]) -> Number:
    """The δ of two laws on the same finitely many outcomes, the larger of both directions."""
    growth = mp.exp(epsilon)
    forth = sum((max(p - growth * q, mp.mpf(0)) for p, q in zip(first, second, strict=True)), mp.mpf(0))
    back = sum((max(q - growth * p, mp.mpf(0)) for p, q in zip(first, second, strict=True)), mp.mpf(0))
    return max(forth, back)


def binomial(count: int, p: Number) -> list[Number]:
    """P(N = 0), …, P(N = count)."""
    return [mp.binomial(count, n) * p**n * (1 - p) ** (count - n) for n in range(count + 1)]


def cells(survival: Callable[[Number], Number], bounds: Sequence[Number]) -> list[Number]:
    """The probabilities of the stretches between increasing bounds, from P(X > bound)."""
    above = [mp.mpf(1), *map(survival, bounds), mp.mpf(0)]
    return [more - less for more, less in pairwise(above)]


# Gaussian releases


def at_half_square(draws: Draws) -> Values:
    """ε = μ²/2, and the δ there by its integral; m is another name for μ."""
    mu = draws.positive(0.1, 10)
    epsilon = mu**2 / 2
    return {
        "P": mp.exp(epsilon) * mp.ncdf(-mu), "mu": mu, "m": mu, "pi": mp.pi,
        "delta_true": defining_integral(epsilon, mu),
    }  # fmt: skip


def composed(draws: Draws) -> Values:
    """ρ: the least with D_α ≤ ρα for the Rényi divergences of some orders α. Divergences of independent releases add up; m is another
    name for their number."""
    s, sigma, K = draws.positive(0.1, 10), draws.positive(0.1, 10), draws.whole(1, 40)
    orders = [1 + draws.positive(0.1, 3) for _ in range(2)]
    rho = max(K * renyi(order, s, sigma) / order for order in orders)
    return {"rho": rho, "rho_K": rho, "s": s, "sigma": sigma, "K": K, "m": K}


def conversion(draws: Draws) -> Values:
    """m releases, which have the largest δ of all numbers up to m, and δ that are smaller than `participation` has them;
    L₂ = ln(2/δ), half = δ/2."""
    half, root = draws.positive(1e-30, 0.499), draws.positive(0.01, 100)
    epsilon = _converted(draws, root, mp.log(1 / half))
    curve = gaussian_delta(epsilon, mp.sqrt(2) * root)
    return {"r": root, "epsilon": epsilon, "L_2": mp.log(1 / half), "gauss": curve, "half": half}


def conversion_of_all(draws: Draws) -> Values:
    """K releases, or N ~ Bin(K, p) of them; L = ln(1/δ), half = δ/2."""
    delta = draws.positive(1e-30, 0.999)
    level, K, p, one = mp.log(1 / delta), draws.whole(1, 6), _chance(draws), draws.positive(0.01, 30)
    root = one * mp.sqrt(mp.mpf(K) / 2)
    epsilon = _converted(draws, root, level)
    curve = [gaussian_delta(epsilon, one * mp.sqrt(n)) for n in range(K + 1)]
    return {
        "K": K, "p": p, "r_K": root, "epsilon": epsilon, "L": level, "half": delta / 2,
        "gauss_K": curve[-1], "delta_all": _mean(binomial(K, p), curve),
    }  # fmt: skip


def _converted(draws: Draws, root: Number, level: Number) -> Number:
    """The ε to which ρ-zCDP, ρ the square of the root, converts at the level, or one near it."""
    return (root**2 + 2 * root * mp.sqrt(level)) * draws.pick([mp.mpf(1), draws.positive(0.5, 2)])


def growing_means(draws: Draws) -> Values:
    """One message moves by μ or μ₀; δ is the mean over how often the client sends in K rounds, for each p of the experiments."""
    epsilon, mu, K = draws.positive(0.1, 30), draws.positive(0.1, 10), draws.whole(1, 4)
    at = mu * _near(draws)
    found = {"mu": mu, "mu_0": at}
    for name, shift in (("delta", mu), ("delta_0", at)):
        curve = [gaussian_delta(epsilon, shift * mp.sqrt(n)) for n in range(K + 1)]
        for p, text in ((mp.mpf(1), "1"), (mp.mpf(1) / 2, "1/2"), (mp.mpf(1) / 4, "1/4")):
            found[f"{name}_{text}"] = _mean(binomial(K, p), curve)
    return found


def shifts_of_one(draws: Draws) -> Values:
    """k shifts of μ = 1/k at ε = 1/k."""
    k = draws.whole(1, 60)
    small = mp.mpf(1) / k
    return {
        "k": k, "mu": small, "epsilon": small, "e": mp.e,
        "delta_true": gaussian_delta(small, small), "delta_unit": gaussian_delta(mp.mpf(1), mp.mpf(1)),
    }  # fmt: skip


def iterate(draws: Draws) -> Values:
    """w ← θw + release for k rounds, seen whole or cut into stretches; every release moves by s. K releases, now and then fewer
    than k."""
    s, sigma, epsilon = draws.positive(0.1, 10), draws.positive(0.5, 10), draws.positive(0.1, 30)
    k, theta = draws.whole(1, 10), draws.pick([mp.mpf(1), draws.number(-1, 1), draws.number(0.9, 1)])
    K = draws.pick([k + 1, draws.whole(k, 40), draws.whole(1, k)])
    weights = [theta**j for j in range(k)]
    moved = abs(s * sum(weights)) / (sigma * mp.sqrt(sum(w**2 for w in weights)))
    if draws.chance(0.5):
        own = gaussian_delta(epsilon, moved)
    else:
        bounds = sorted(draws.number(-3, 6) for _ in range(3))
        own = finite_delta(
            epsilon, cells(lambda b: mp.ncdf(moved - b), bounds), cells(lambda b: mp.ncdf(-b), bounds)
        )
    few, all_ = (s * mp.sqrt(count) / sigma for count in (k, K))
    return {
        "own_k": own, "mu_k": few, "mu_K": all_,
        "delta_k": gaussian_delta(epsilon, few), "delta_K": gaussian_delta(epsilon, all_),
    }  # fmt: skip


# Mills' inequality


def mills(draws: Draws) -> Values:
    """M(y) = Φ(−y)/φ(y) at y = t + ε/(2t), 0 < ε ≤ 15/4, t > 0."""
    t, epsilon = draws.positive(0.01, 30), draws.number(0.001, 3.75)
    y = t + epsilon / (2 * t)
    return {"t": t, "epsilon": epsilon, "M": mp.ncdf(-y) / mp.npdf(y)}


def mills_at_worst(draws: Draws) -> Values:
    """x = t − ε/(2t) at ε = 15/4; `first` is the first term of δ(ε; ε/t), Φ(−x); δ = 1.25 e^(−t²/2). The proof has t ≥ 3."""
    t = draws.positive(0.5, 9)
    x = t - mp.mpf(15) / 8 / t
    return {"x": x, "first": mp.ncdf(-x), "phi_t": mp.npdf(t), "delta": mp.mpf(5) / 4 * mp.exp(-(t**2) / 2)}


# What Algorithm 1 of DP-NormFedAvg returns: w_k̃, which has moved by N(cμ, c), c = k̃/K, or N(0, c), or N(−cμ, c)


def beyond(y: Number, c: Number, drift: Number) -> Number:
    """P(N(c · drift, c) > y)."""
    return mp.ncdf((c * drift - y) / mp.sqrt(c)) if c else mp.mpf(y < 0)


def returned(draws: Draws) -> Values:
    """The event that w_k̃ has moved by more than y = √(2ε), on a data set where it moves by N(cμ, c), and on one where by N(0, c) or
    N(−cμ, c). What is seen is in which of some stretches w_k̃ lies: its δ is at most that of w_k̃ itself. k̃ ~ unif[0, K − 1] or,
    since each bound is for every k̃ ≥ K/2, one such k̃. √c between √½ and 1 is named t at which cμ − y exceeds 2√c least: the
    parabola's vertex, or an end."""
    epsilon = draws.pick([draws.positive(0.1, 10), draws.positive(6, 60)])
    if draws.chance(0.6):
        K = draws.whole(2, 25) if draws.chance(0.3) else draws.whole(2, 5)
        possible = range(K)
    else:
        K = draws.whole(2, 10_000)
        possible = [draws.pick([K - 1, draws.whole((K + 1) // 2, K - 1)])]
    y = mp.sqrt(2 * epsilon)
    just_enough = 2 * y + mp.sqrt(8) * draws.positive(0.9, 1.2)
    mu = draws.pick([mp.sqrt(20 * epsilon), just_enough, draws.positive(0.5, 50)])
    step = draws.positive(0.2, 2)
    bounds = [y + j * step for j in (-2, -1, 0, 1)]

    def stretches(k: int, drift: Number) -> tuple[Number, ...]:
        return tuple(cells(lambda b: beyond(b, mp.mpf(k) / K, drift), bounds))

    drift = draws.pick([mp.mpf(0), -mu])
    one, other = [stretches(k, mu) for k in possible], [stretches(k, drift) for k in possible]
    first, second = mean(one), mean(other)
    late = [sum(law[3:]) for k, law in zip(possible, one, strict=True) if 2 * k >= K]
    return {
        "K": K, "mu": mu, "y": y, "pi": mp.pi, "Phi_2": mp.ncdf(2),
        "t": min(max(1 / mu, mp.sqrt(mp.mpf(1) / 2)), mp.mpf(1)),
        "share": mp.mpf(len(late)) / len(possible), "P_late": average(late), "P": sum(first[3:]),
        "e_epsilon_Q": mp.exp(epsilon) * sum(second[3:]), "delta_true": finite_delta(epsilon, first, second),
    }  # fmt: skip


def standing_still(draws: Draws) -> Values:
    """n clients, each drawn with probability r/n in every round, k̃ ~ unif[0, K − 1], and how many messages w_k̃ has got, as
    far as one counts; the event is that it got none. Without a client each of the others is drawn with probability r/n (`kept`)
    or r/(n − 1) (`scaled`)."""
    n, K, seen = draws.whole(2, 4), draws.whole(2, 5), draws.whole(1, 3)
    r = draws.whole(1, n)
    epsilon = draws.positive(0.001, 1)

    def law(clients: int, chance: Number) -> list[Number]:
        found = [mp.mpf(0)] * (seen + 1)
        for rounds in range(K):
            for count, p in enumerate(binomial(clients * rounds, chance)):
                found[min(count, seen)] += p / K
        return found

    present = law(n, mp.mpf(r) / n)
    kept, scaled = law(n - 1, mp.mpf(r) / n), law(n - 1, min(mp.mpf(1), mp.mpf(r) / (n - 1)))
    return {
        "P": present[0], "P_kept": kept[0], "P_scaled": scaled[0],
        "epsilon": epsilon, "e_epsilon": mp.exp(epsilon),
        "delta_kept": finite_delta(epsilon, kept, present), "delta_scaled": finite_delta(epsilon, present, scaled),
    }  # fmt: skip


# Participation that is seen: δ(ε) = Σ P(N) δ(ε; s√N/σ), N ~ Bin(K, p)


def participation(draws: Draws) -> Values:
    """`tail`, m, L₂ and half as for `bernstein`, of few rounds; each message moves by μ of one. gauss is the δ given N ≤ m, gauss_K
    that of K messages, r² the ρ of m."""
    K, p, one = draws.whole(1, 6), _chance(draws), draws.positive(0.1, 30)
    m, level, half = _within(draws, K, p)
    root = one * mp.sqrt(m / 2)
    epsilon = draws.pick([draws.positive(0.1, 30), _converted(draws, root, level)])
    masses = binomial(K, p)
    curve = [gaussian_delta(epsilon, one * mp.sqrt(n)) for n in range(K + 1)]
    few = int(mp.floor(m)) + 1
    return {
        "K": K, "p": p, "m": m, "L_2": level, "half": half, "r": root, "epsilon": epsilon,
        "delta_all": _mean(masses, curve), "gauss_K": curve[-1],
        "tail": sum(masses[few:], mp.mpf(0)), "gauss": _mean(masses[:few], curve) / sum(masses[:few]),
    }  # fmt: skip


def median(draws: Draws) -> Values:
    """A whole mean j of N ~ Bin(J, j/J), and the shift μ of j messages. Equality is near where j messages are clearly seen and j − 1
    are not, and there are many rounds. The true δ is that at √(2ε), by its integral; μ* is near μ, and δ half of δ(ε; μ*)."""
    J = draws.whole(18, 22) if draws.chance(0.1) else draws.whole(1, 6)
    j = draws.whole(1, J)
    if draws.chance(0.5):
        one = draws.positive(0.1, 40)
        epsilon = (j - mp.mpf(1) / 2) * one**2 / 2
    else:
        epsilon = draws.positive(0.1, 30)
        one = mp.sqrt(2 * epsilon / j) * _near(draws)
    mu, point = one * mp.sqrt(j), mp.sqrt(2 * epsilon)
    star = mu * _near(draws)
    curve = [gaussian_delta(epsilon, one * mp.sqrt(n)) for n in range(J + 1)]
    return {
        "epsilon": epsilon, "mu": mu, "mu_star": star, "delta": gaussian_delta(epsilon, star) / 2,
        "P": mp.exp(epsilon) * mp.ncdf(-point), "delta_true": defining_integral(epsilon, point),
        "delta_all": _mean(binomial(J, mp.mpf(j) / J), curve), "delta_Jp": curve[j], "gauss": curve[j],
    }  # fmt: skip


def sent_often(draws: Draws) -> Values:
    """N ~ Bin(J, p) messages, each of which moves by μ of one; μ₀ is the shift of J p/2 of them, whole or not, μ one near it, δ₀ and
    δ_q the δ(ε; ·) of both."""
    J, p = draws.whole(1, 30), draws.pick([draws.positive(0.05, 1), draws.number(0.9, 1)])
    epsilon, one = draws.positive(0.1, 30), draws.positive(0.1, 30)
    curve = [gaussian_delta(epsilon, one * mp.sqrt(n)) for n in range(J + 1)]
    at = one * mp.sqrt(J * p / 2)
    mu = at * _near(draws)
    return {
        "J": J, "p": p, "mu": mu, "mu_0": at, "delta_all": _mean(binomial(J, p), curve),
        "delta_q": gaussian_delta(epsilon, mu), "delta_0": gaussian_delta(epsilon, at),
    }  # fmt: skip


def bernstein(draws: Draws) -> Values:
    """P(N > m) for N ~ Bin(K, p), of few rounds, where equality is near, and of thousands, where the exponents are."""
    many = draws.chance(0.3)
    K = draws.whole(4000, 8000) if many else draws.pick([1, 2, draws.whole(3, 30)])
    p = draws.positive(0.015, 0.5) if many else draws.positive(0.01, 1)
    m, level, half = _within(draws, K, p, many)
    return {"K": K, "p": p, "m": m, "L_2": level, "half": half, "tail": binomial_tail(K, p, m)}


def _within(draws: Draws, K: int, p: Number, many: bool = False) -> tuple[Number, Number, Number]:
    """m, L₂ and half = δ/2 = e^(−L₂): the proof's m = K p + √(2 K p (1 − p) L₂) + ⅔ L₂, or an m just below a whole number with the
    least δ for which it is enough, or less. Unless there are many rounds that δ may exceed 1 (half is below 1 still), which
    Bernstein's inequality allows."""
    spread = K * p * (1 - p)
    if not spread or draws.chance(0.2):
        half = draws.positive(1e-9, 0.499)
        level = mp.log(1 / half)
        return K * p + mp.sqrt(2 * spread * level) + 2 * level / 3, level, half
    above = K * p + draws.number(5, 13) * mp.sqrt(spread) if many else K * p
    first = int(mp.floor(above)) + 1
    m = (first if many else draws.whole(first, K)) - mp.mpf(10) ** -20
    least = (m - K * p) ** 2 / (2 * spread + 2 * (m - K * p) / 3)
    level = least * draws.pick([mp.mpf(1), draws.number(1, 1.2)])
    return m, level, mp.exp(-level)


def binomial_tail(K: int, p: Number, m: Number) -> Number:
    """P(N > m) for N ~ Bin(K, p) and m ≥ K p, but for a part of 10⁻⁶⁰ of it: beyond the mean the terms fall ever faster."""
    n = int(mp.floor(m)) + 1
    if n > K:
        return mp.mpf(0)
    term = total = mp.binomial(K, n) * p**n * (1 - p) ** (K - n)
    while n < K and term > total * mp.mpf(10) ** -65:
        term *= mp.mpf(K - n) / (n + 1) * p / (1 - p)
        total += term
        n += 1
    return total


def _mean(masses: Sequence[Number], curve: Sequence[Number]) -> Number:
    return sum((mass * value for mass, value in zip(masses, curve, strict=False)), mp.mpf(0))


def _chance(draws: Draws) -> Number:
    """The probability of a message in a round."""
    return draws.pick([draws.positive(0.01, 1), draws.number(0.9, 1)])


def _near(draws: Draws) -> Number:
    """A factor about 1."""
    return draws.pick([draws.positive(0.5, 2), draws.positive(0.98, 1.02)])


_ZCDP = "of Gaussians δ is at most half of what the conversion gives; the 2 of 2 √(ρ L) is sharp as δ falls"
_INCREASES = "δ(ε; μ) increases with μ, and so does its mean over how often the client sends"
TRIALS = (
    *each(
        at_half_square,
        "Mills: e^ε Φ(−μ) < e^(ε − μ²/2)/(√(2π) μ), with P = e^ε Φ(−μ) at ε = μ²/2",
        "Gaussian DP: the true δ at ε = μ²/2 is 1/2 − e^ε Φ(−μ)",
        "3 < π",
    ),
    Trial("Mills: M(y) = Φ(−y)/φ(y) < 1/y at y = t + ε/(2t)", mills),
    *each(
        mills_at_worst,
        "Mills, φ(x) ≤ e^(15/8) φ(t) < 33/5 φ(t): the true δ ≤ Φ(−x) < φ(x)/x",
        "δ = 1.25 e^(−t²/2) = 1.25 √(2π) φ(t) > 1.25 · 5/2 φ(t)",
    ),
    *each(
        composed,
        "K Gaussian releases are ρ-zCDP with ρ = s² K/(2 σ²) (Bun and Steinke 2016)",
        "K Gaussian releases are ρ_K-zCDP with ρ_K = s² K/(2 σ²) (Bun and Steinke 2016)",
        "m Gaussian releases are ρ-zCDP with ρ = s² m/(2 σ²) (Bun and Steinke 2016)",
    ),
    *(
        Trial(
            "Bun and Steinke 2016, Proposition 1.3: the curve at ε is at most δ/2 once ρ + 2 √(ρ L₂) ≤ ε",
            case,
            loose=_ZCDP,
        )
        for case in (conversion, participation)
    ),
    Trial(
        "the same of the curve of all K releases, at most δ once ρ_K + 2 √(ρ_K L) ≤ ε",
        conversion_of_all,
        loose=_ZCDP,
    ),
    *each(growing_means, *(f"{_INCREASES} (p = {p})" for p in ("1", "1/2", "1/4"))),
    Trial(
        "group privacy (Dwork and Roth 2014; Vadhan 2017, Lemma 2.2), k shifts of μ = 1/k: δ(kε; kμ) ≤ k e^(kε) δ(ε; μ), and e < 2.72",
        shifts_of_one,
        loose="group privacy is for the worst mechanism: of Gaussians δ(1; 1) = 0.127, and k e δ(1/k; 1/k) falls to e(φ(1) − "
        "Φ(−1)) = 0.226",
    ),
    *each(
        iterate,
        "δ_k = δ(ε; μ_k) of k Gaussian releases increases with μ_k",
        "w_k is a function of the first k releases: its own δ ≤ δ_k",
    ),
    *each(
        returned,
        "P(moved by more than y | k̃ = cK) = Φ((cμ − y)/√c), and Φ increases: at least Φ(2) for every k̃ ≥ K/2",
        "k̃ ~ unif[0, K − 1] is at least K/2 with probability (K − 1)/(2K) at least; P is at least its share",
        "on the other data set e^ε P ≤ e^ε Φ(−y/√c) ≤ e^ε Φ(−y) < e^(ε − y²/2)/(√(2π) y), and ε = y²/2",
        "the true δ is at least P − e^ε P′ of every event",
        "3 < π",
    ),
    *each(
        standing_still,
        "(ε, δ)-DP: δ ≥ P′(A) − e^ε P(A) and δ ≥ P(A) − e^ε P′(A) for every event A, as that w_k̃ = w₀",
        "e^ε ≤ 1/(1 − ε) for ε < 1",
    ),
    *each(
        participation,
        "Bernstein: P(N > K p + t) ≤ exp(−t²/(2 K p (1 − p) + ⅔ t)), which is at most δ/2 where t² ≥ L₂ (2 K p (1 − p) + ⅔ t)",
        "visible participation: nobody sends more than K messages",
        "visible participation: δ(ε) ≤ P(N > m) + δ(ε | N ≤ m)",
        "visible participation: δ(ε) ≤ P(N ≥ 1) ≤ K p",
    ),
    Trial("visible participation: nobody sends more than K messages", conversion_of_all),
    *each(
        median,
        "Gaussian DP: the true δ at ε = μ²/2 is 1/2 − e^ε Φ(−μ)",
        "δ(ε; ·) increases: δ(ε; μ) ≥ δ(ε; √(2 ε)) if μ² ≥ 2 ε",
        "δ(ε; μ) increases in μ, and equals 2 δ at μ*",
        "a whole J p is a median of N: P(N ≥ J p) ≥ 1/2, hence δ(ε) ≥ δ(ε; μ)/2",
        "a whole K p is a median of N: P(N ≥ K p) ≥ 1/2, hence δ(ε) ≥ δ(ε; μ)/2",
    ),
    *each(
        sent_often,
        "δ(ε; μ) increases with μ",
        "Chebyshev: P(N ≥ J p/2) ≥ 1 − 4(1 − p)/(J p), hence δ(ε) ≥ that times δ(ε; μ) for J p/2 messages",
    ),
    Trial(
        "Bernstein: P(N > K p + t) ≤ exp(−t²/(2 K p (1 − p) + ⅔ t)), which is at most δ/2 where t² ≥ L₂ (2 K p (1 − p) + ⅔ t)",
        bernstein,
    ),
)
TRUSTED = (
    Trusted(
        "Bassily, Smith and Thakurta (2014): every (ε, δ)-DP algorithm, δ small against 1/n, has a gap of at least κ min{1, √d/(nε)} "
        "on some 1-Lipschitz f over the unit ball",
        "(kappa > 0) & (gap >= kappa*Min(1, sqrt(d)/(epsilon*n)))",
        "it speaks of all private algorithms, and names no value of κ",
    ),
    Trusted(
        "one noise in each sum: ∫ P^λ Q^(1−λ) at most with x_k at its largest, composed over the rounds, and δ(ε) ≤ e^{(λ−1)(D_λ − "
        "ε)} (Mironov 2017)",
        "Implies(a**2*k*(k - 1) + b**2*p*(λ - 1)*(p*(λ - 1) + 1) - 2*i*k*p*(λ - 1) <= 2*k*p*(λ - 1) + k*(k - 1) + "
        "p*(λ - 1)*(p*(λ - 1) + 1), (δ(p=1/2) <= Rényi(p=1/2)) & (δ(p=1/4) <= Rényi(p=1/4)))",
        "it is of 300 rounds, whatever the other clients send in between; the integral of one round is compared with quadrature, and "
        "the bound with the accountant's, where the privacy claims are tested",
    ),
)
