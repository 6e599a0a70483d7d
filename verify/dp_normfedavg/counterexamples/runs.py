"""Runs of Algorithm 1 in fractions that break printed conclusions of Theorems 4, 6 and 7 and of Sections 4 and
4.1."""

from __future__ import annotations

from fractions import Fraction

from bounds.dp_normfedavg import choices as printed
from bounds.dp_normfedavg import theorem4 as four
from bounds.dp_normfedavg import theorem7 as seven
from verify.claim import Values, Witness
from verify.computation import Comparison
from verify.curves import even, huber
from verify.dp_normfedavg.counterexamples.exact import ZERO, clip, norm, round_without_noise, update
from verify.dp_normfedavg.theorems.sampling import one_by_one


def _replay_b(v: Values) -> Comparison:
    """Two rounds of DP-NormFedAvg with one local step on n copies of one function, every draw of clients
    summed.

    The function has slope s from s/L to M and then steepens to G, so that G is its Lipschitz constant. There
    z(w)(f(w) − f*) ≥ G(|w| − s/(2L)) for |w| ≤ M, and ≥ 0 beyond, hence ≥ G(|w| − s/(2L) − w²/M)
    everywhere; Jensen's inequality for the noise does the rest. The left-hand side of (3) is bounded from
    below, its right-hand side is exact.
    """
    n, r, G, L, s, M, start = int(v["n"]), v["r"], v["G"], v["L"], v["s"], v["M"], v["w0"]
    alpha, rho, K, E = v["alpha"], v["rho"], v["K"], 1
    f = even((s / L, s), (M, s), (M + (G - s) / L, G))
    C, eta = G * E, printed.step_theorem4(rho, alpha, L)
    gamma = K * C * rho**2 / (2 * alpha)
    first = abs(start) - s / (2 * L) - start**2 / M
    ends = [
        (round_without_noise((f,) * n, start, eta, E, C, r, norm, chosen), chance)
        for chosen, chance in one_by_one(n, r)
    ]
    noise = eta**2 * K * C**2 * rho**2
    square = sum((chance * end**2 for end, chance in ends), ZERO) + noise
    second = sum((chance * abs(end) for end, chance in ends), ZERO) - s / (2 * L) - square / M
    left = four.factor_b(rho, E, alpha) * G * (first + second) / 2
    right = four.theorem4b(G, L, abs(start), gamma, rho, Fraction(E), alpha, ZERO)
    met = (
        ("f_i convex", f.convex), ("f_i L-smooth", f.smoothness <= L), ("f_i G-Lipschitz", f.lipschitz <= G),
        ("α ≥ 1", alpha >= 1), ("E ≤ α/(2ρ)", alpha / (2 * rho) >= E), ("0 < ρ < 1", 0 < rho < 1), ("γ > 0", gamma > 0),
        ("K = (2αγ/C)/ρ² = 2", printed.rounds_theorem4(alpha, gamma, C, rho) == K == 2),
        ("K > 2γ/(ĈE)/ρ (Theorem 7)", 2 * gamma / C / rho < K), ("u_0 ≠ 0", f.gradient(start) != 0),
        ("slope s on [s/L, M]", s / L < M and s < G), ("0 < r ≤ n", 0 < r <= n),
    )  # fmt: skip
    return Comparison(left, "<=", right, met)


_NUMBERS = {
    "n": 2, "r": 1, "G": 1, "L": 1, "s": Fraction(1, 1000), "M": 10**6, "alpha": 1, "rho": Fraction(1, 10), "K": 2,
    "w0": Fraction(3, 40),
}  # fmt: skip
WITNESS_B = Witness(
    {name: Fraction(value) for name, value in _NUMBERS.items()},
    "(2 − ρ²E²/α²) E[mean_i (GE/‖u_i‖)(f_i(w_k̃) − f_i(w*))] ≤ A + B₂; the left side is a lower bound of it",
    _replay_b,
    "two clients with the same even function (slope 1/1000 on [1/1000, 10⁶], steepening to 1), each drawn with probability "
    "1/2; two rounds of one local step from w₀ = 3/40",
)


def _seven(v: Values, factor: Fraction, right: Fraction) -> Comparison:
    """The same run under Theorem 7 with Ĉ = G, where every update is kept, so that its left-hand side is that of (3)."""
    G, L, alpha, rho, K, one = v["G"], v["L"], v["alpha"], v["rho"], v["K"], Fraction(1)
    found = _replay_b(v)
    met = (
        ("Ĉ ≥ 4√(L max Δ_j*) = 0", G > 0),
        ("η = γ/(ĈLEK)/ρ", printed.step_theorem6(_gamma(v), G, L, one, K, rho) == printed.step_theorem4(rho, alpha, L)),
        ("‖u‖ ≤ ĈE at every w, as f_i is G-Lipschitz", v["s"] <= G),
        ("the factor is that of (3)", factor == four.factor_b(rho, one, alpha)),
    )  # fmt: skip
    return Comparison(found.lhs, "<=", right, (*found.presupposed, *met))


def _gamma(v: Values) -> Fraction:
    return v["K"] * v["G"] * v["rho"] ** 2 / (2 * v["alpha"])


def _replay_7(v: Values) -> Comparison:
    at = {"C_hat": v["G"], "gamma": _gamma(v), "rho": v["rho"], "K": v["K"]}
    right = seven.theorem7(**at, L=v["L"], distance=abs(v["w0"]), share_kept=Fraction(1), z_Delta=ZERO)
    return _seven(v, seven.factor(**at), right)


def _replay_7_specific(v: Values) -> Comparison:
    E, alpha, rho = Fraction(1), v["alpha"], v["rho"]
    right = seven.theorem7_specific(v["G"], v["L"], abs(v["w0"]), _gamma(v), rho, E, alpha, ZERO)
    return _seven(v, 2 - rho**2 * E**2 / alpha**2, right)


_LEFT_7 = "E[mean_i (ĈE/‖u_i‖)(f_i(w_k̃) − f_i(w*))] ≤ the right-hand side, every update kept; the left side is a lower bound"
WITNESS_7 = Witness(
    WITNESS_B.values, f"(2 − 4γ²/(Ĉ²K²ρ²)) {_LEFT_7}", _replay_7, f"{WITNESS_B.problem}; Ĉ = 1"
)
WITNESS_7_SPECIFIC = Witness(
    WITNESS_B.values, f"(2 − ρ²E²/α²) {_LEFT_7}", _replay_7_specific, f"{WITNESS_B.problem}; Ĉ = 1"
)


def _replay_at_minimiser(v: Values) -> Comparison:
    """The length of the first round's update of one client that starts at its minimiser, under the choices of Theorems 4 and 7."""
    G, L, rho, alpha, start, E = v["G"], v["L"], v["rho"], v["alpha"], v["w0"], int(v["E"])
    f, eta, C = huber(L, G), printed.step_theorem4(rho, alpha, L), G * E
    gamma = v["K"] * C * rho**2 / (2 * alpha)
    met = (
        ("f convex", f.convex), ("f L-smooth", f.smoothness <= L), ("f G-Lipschitz", f.lipschitz <= G), ("Δ_1* = 0", f(ZERO) == 0),
        ("α ≥ 1", alpha >= 1), ("E ≤ α/(2ρ)", alpha / (2 * rho) >= E >= 1), ("0 < ρ < 1", 0 < rho < 1), ("γ > 0", gamma > 0),
        ("K = (2αγ/C)/ρ²", printed.rounds_theorem4(alpha, gamma, C, rho) == v["K"] >= 1),
        ("K > 2γ/(ĈE)/ρ (Theorem 7)", 2 * gamma / C / rho < v["K"]),
        ("η = γ/(ĈLEK)/ρ (Theorem 7)", gamma / (C * L * v["K"]) / rho == eta),
    )  # fmt: skip
    return Comparison(abs(update(f, start, eta, E)), "!=", ZERO, met)


AT_MINIMISER = Witness(
    {"G": Fraction(1), "L": Fraction(1), "rho": Fraction(1, 10), "alpha": Fraction(1), "K": Fraction(2), "E": Fraction(3),
     "w0": Fraction(0)},
    "the denominator ‖u_0‖ is not 0",
    _replay_at_minimiser,
    "one client with a Huber function, in every round, w₀ at its minimiser; k̃ is 0 with probability 1/2",
)  # fmt: skip


def disagreeing(v: Values) -> Comparison:
    """DP-NormFedAvg on two Huber functions with minimisers −1 and 1, both clients in every round, one local
    step.

    Between −1 and 1 the two unit messages cancel: nothing but noise moves w, whatever α is. With f(w) ≥
    f(w₀) + f'(w₀)(w − w₀), E w_k ≥ w₀ − (ηGK) P(the noise ever exceeds the margin m), and P ≤ E ξ⁸/m⁸ = 105
    Var⁴/m⁸ (Doob; ξ Gaussian, Var = K η² K C²ρ²), the left-hand side below is at most E[f(w_k) − f(w*)] for
    every round k. The right-hand side is what is left as α grows where w* minimises every f_i: A/2.
    """
    G, L, start, alpha, rho, gamma = v["G"], v["L"], v["w0"], v["alpha"], v["rho"], v["gamma"]
    one = Fraction(1)
    f = (huber(L, G, -one), huber(L, G, one))
    C, eta = G, printed.step_theorem4(rho, alpha, L)
    K = printed.rounds_theorem4(alpha, gamma, C, rho)
    margin = one - abs(start)
    variance = K * eta**2 * K * C**2 * rho**2
    escape = 105 * variance**4 / margin**8
    gap = (f[0](start) + f[1](start) - f[0](ZERO) - f[1](ZERO)) / 2
    slope = (f[0].gradient(start) + f[1].gradient(start)) / 2
    left = gap - abs(slope) * eta * G * K * escape
    right = four.asymptotic(G, L, abs(start), gamma, rho)
    both = (0, 1)
    met = (
        ("f_i convex", all(g.convex for g in f)), ("f_i L-smooth", all(g.smoothness <= L for g in f)),
        ("f_i G-Lipschitz", all(g.lipschitz <= G for g in f)),
        ("w* = 0 minimises f", f[0].gradient(ZERO) + f[1].gradient(ZERO) == 0),
        ("the messages cancel at both ends and at w₀", all(
            round_without_noise(f, w, eta, 1, C, Fraction(2), norm, both) == w
            for w in (start, one - Fraction(1, 10**9), Fraction(1, 10**9) - one)
        )),
        ("K is a whole number", K.denominator == 1), ("E = 1 ≤ α/(2ρ)", alpha / (2 * rho) >= 1), ("α ≥ 1", alpha >= 1),
        ("0 < ρ < 1", 0 < rho < 1), ("Var = (γ/L)² does not depend on α", variance == (gamma / L) ** 2),
        ("ηGK does not depend on α", eta * G * K == gamma / (L * rho)),
    )  # fmt: skip
    return Comparison(left, ">", right, met)


DISAGREEING: Values = {
    "G": Fraction(2), "L": Fraction(1), "w0": Fraction(1, 2), "alpha": Fraction(10**9), "rho": Fraction(1, 1000),
    "gamma": Fraction(1, 10),
}  # fmt: skip

Pair = tuple[Fraction, Fraction]


def _dot(a: Pair, b: Pair) -> Fraction:
    return a[0] * b[0] + a[1] * b[1]


def _mean(points: list[Pair]) -> Pair:
    """The mean of vectors in the plane."""
    first, second = (sum((p[k] for p in points), ZERO) / len(points) for k in (0, 1))
    return first, second


def _replay_common_minimiser(v: Values) -> Comparison:
    """Three clients f_i(w) = h(θ_i⟨a_i, w⟩) in the plane, h Huber, ‖a_i‖ = 1: all minimised at 0
    (over-parameterised), all in every round.

    Normalised: while no ⟨a_i, w⟩ changes sign the messages are G a_i, whatever their size; their mean
    is a constant v, and E f(w_k) ≥ f(w₀) + ⟨∇f(w₀), E w_k − w₀⟩ by convexity. A sign changes only if the
    drift (at most ηGK) and the noise (Kolmogorov: P ≤ Var/m²) together use up the margin. Clipped (C = G,
    nothing is cut): E f(w_{k+1}) ≤ E f(w_k) + (L/2) η² K C²ρ². Both bounds are linear in k, so that those on
    w_k̃ are those on w_K times the mean of k̃/K, which is (K − 1)/(2K).
    """
    G, L, theta, alpha, rho, gamma = v["G"], v["L"], v["theta"], v["alpha"], v["rho"], v["gamma"]
    fifth = Fraction(1, 5)
    directions: tuple[Pair, ...] = ((Fraction(1), ZERO), (-3 * fifth, 4 * fifth), (-4 * fifth, 3 * fifth))
    lengths = (Fraction(1), theta, theta)
    w0: Pair = (v["x0"], v["y0"])
    h = huber(L, G)
    C, eta = G, printed.step_theorem4(rho, alpha, L)
    K = printed.rounds_theorem4(alpha, gamma, C, rho)
    along = [_dot(a, w0) for a in directions]
    slopes = [h.gradient(t * x) * t for t, x in zip(lengths, along, strict=True)]
    gradient = _mean([(s * a[0], s * a[1]) for s, a in zip(slopes, directions, strict=True)])
    mean = _mean([(G * a[0], G * a[1]) for a in directions])
    drift = eta * G * K
    margin = min(along) - drift
    escape = 3 * (K * eta**2 * K * C**2 * rho**2) / margin**2
    size = abs(gradient[0]) + abs(gradient[1])
    horizon = eta * K
    normalised = -horizon * _dot(gradient, mean) - horizon * 2 * G * size * escape
    clipped = L / 2 * K * eta**2 * K * C**2 * rho**2
    met = (
        ("h convex", h.convex), ("f_i L-smooth: h is L-smooth, ‖a_i‖ = 1, θ_i ≤ 1", h.smoothness <= L and max(lengths) <= 1),
        ("f_i G-Lipschitz", h.lipschitz * max(lengths) <= G), ("unit directions", all(_dot(a, a) == 1 for a in directions)),
        ("a_1 and a_2 span the plane, so 0 is the only minimiser",
         directions[0][0] * directions[1][1] != directions[0][1] * directions[1][0]),
        ("every ⟨a_i, w₀⟩ > 0 with room to spare", margin > 0), ("K is a whole number", K.denominator == 1),
        ("E = 1 ≤ α/(2ρ)", alpha / (2 * rho) >= 1), ("α ≥ 1", alpha >= 1), ("0 < ρ < 1", 0 < rho < 1),
        ("ηL ≤ 1", eta * L <= 1), ("horizon ηK = γ/(GLρ) does not depend on α", horizon == gamma / (G * L * rho)),
    )  # fmt: skip
    share = (1 - 1 / K) / 2
    return Comparison(share * normalised, "<=", share * clipped, met)


WITNESS_COMMON = Witness(
    {"G": Fraction(4), "L": Fraction(1), "theta": Fraction(1, 10), "x0": Fraction(1), "y0": Fraction(2),
     "alpha": Fraction(2 * 10**8), "rho": Fraction(1, 100), "gamma": Fraction(1, 1000)},
    "E f(w_k̃) − f(w₀) of DP-NormFedAvg ≤ that of DP-FedAvg with clipping; a lower bound on the left, an upper bound on the right",
    _replay_common_minimiser,
    "three clients in the plane with one common minimiser, all in every round: two nearly flat clients outvote the steep one, f rises "
    "under normalisation, and under clipping by less than 10⁻⁶ if at all, for every α. f_i(w) = h(θ_i⟨a_i, w⟩), h the Huber function "
    "with h(x) = Lx²/2 for L|x| ≤ G and of slope G beyond; a_1 = (1, 0), a_2 = (−3/5, 4/5), a_3 = (−4/5, 3/5), θ_1 = 1, "
    "θ_2 = θ_3 = θ; w₀ = (1, 2), C = G",
)  # fmt: skip


def _replay_overshoot(v: Values) -> Comparison:
    """One client, two rounds of one local step from close to the minimiser, the same noise for both methods.

    Normalised: E f(w₁) ≥ f(w₀ − ηG) (Jensen). Clipped: f ≤ L w²/2, so E f(w₁) ≤ (L/2)((w₀ − ηu)² + E‖ηζ‖²).
    """
    G, L, start, alpha, rho, K = v["G"], v["L"], v["w0"], v["alpha"], v["rho"], v["K"]
    f = huber(L, G)
    C, eta = G, printed.step_theorem4(rho, alpha, L)
    gamma = K * C * rho**2 / (2 * alpha)
    alone = (0,)
    normalised = f(round_without_noise((f,), start, eta, 1, C, Fraction(1), norm, alone))
    end = round_without_noise((f,), start, eta, 1, C, Fraction(1), clip, alone)
    clipped = L / 2 * (end**2 + eta**2 * K * C**2 * rho**2)
    met = (
        ("f convex", f.convex), ("f L-smooth", f.smoothness <= L), ("f G-Lipschitz", f.lipschitz <= G),
        ("K = (2αγ/C)/ρ² = 2", printed.rounds_theorem4(alpha, gamma, C, rho) == K == 2), ("α ≥ 1", alpha >= 1),
        ("E = 1 ≤ α/(2ρ)", alpha / (2 * rho) >= 1), ("0 < ρ < 1", 0 < rho < 1), ("u ≠ 0", f.gradient(start) != 0),
    )  # fmt: skip
    return Comparison((f(start) + normalised) / 2, "<=", (f(start) + clipped) / 2, met)


WITNESS_OVERSHOOT = Witness(
    {
        "G": Fraction(1),
        "L": Fraction(1),
        "w0": Fraction(1, 80),
        "alpha": Fraction(1),
        "rho": Fraction(1, 10),
        "K": Fraction(2),
    },
    "E f(w_k̃) of DP-NormFedAvg ≤ E f(w_k̃) of DP-FedAvg with clipping; a lower bound on the left, an upper bound on the right",
    _replay_overshoot,
    "one client, a Huber function, two rounds from w₀ = 1/80: a normalised step of length 1/20 jumps over the minimiser",
)


def _replay_cancelling(v: Values) -> Comparison:
    """SNR of Appendix F at one point, equal noise: ‖mean clip(u_i)‖ against ‖mean norm(u_i)‖, two
    quadratics, one step."""
    w, C = v["w"], v["C"]
    u = tuple(w - centre for centre in (v["centre_1"], v["centre_2"]))
    clipped = abs(sum((clip(x, C) for x in u), ZERO)) / 2
    normalised = abs(sum((norm(x, C) for x in u), ZERO)) / 2
    return Comparison(clipped, "<=", normalised, (("u_i ≠ 0", all(x != 0 for x in u)), ("C > 0", C > 0)))


WITNESS_CANCELLING = Witness(
    {"w": ZERO, "C": Fraction(1), "centre_1": Fraction(-1), "centre_2": Fraction(1, 10)},
    "‖(1/r) Σ clip(u_i, C)‖ ≤ ‖(1/r) Σ norm(u_i, C)‖: the SNR of normalisation is never lower",
    _replay_cancelling,
    "f_1 = (w + 1)²/2 and f_2 = (w − 1/10)²/2 at w = 0, C = 1: u = 1 and −1/10; normalised they cancel, clipped they leave 9/20",
)
