"""Runs in fractions of one client that is drawn with probability r < 1, which break Theorems 4 (a) and 6, both parts, there."""

from __future__ import annotations

from fractions import Fraction
from math import comb, floor

from bounds.dp_normfedavg import choices as printed
from bounds.dp_normfedavg import theorem4 as four
from bounds.dp_normfedavg import theorem6 as six
from verify.claim import Values, Witness
from verify.computation import Comparison
from verify.curves import huber
from verify.dp_normfedavg.counterexamples.exact import ZERO, clip, round_without_noise


def _replay_4(v: Values) -> Comparison:
    """DP-FedAvg with clipping on one Huber function, drawn with probability r < 1 in each of K rounds of E local steps.

    Where the client is drawn in no round, w stays; where it is drawn in one round alone, w moves by −(η/r)(u_0 + ζ), and f is
    convex, so that the noise does not lower the mean (Jensen). All other draws count as f*.
    """
    r, G, L, start, alpha, rho, E = (v[name] for name in ("r", "G", "L", "w0", "alpha", "rho", "E"))
    C, K = G * E, int(v["K"])
    f, eta, gamma = huber(L, G), printed.step_theorem4(rho, alpha, L), v["K"] * C * rho**2 / (2 * alpha)
    moved = round_without_noise((f,), start, eta, int(E), C, r, clip, (0,))
    means = [
        (1 - r) ** k * f(start) + (k * r * (1 - r) ** (k - 1) * f(moved) if k else ZERO) for k in range(K)
    ]
    left = four.factor_a(rho, E, alpha) * sum(means, ZERO) / K
    met = (
        ("f convex", f.convex), ("f L-smooth", f.smoothness <= L), ("f G-Lipschitz", f.lipschitz <= G), ("Δ_1* = 0", f(ZERO) == 0),
        ("K = (2αγ/C)/ρ²", printed.rounds_theorem4(alpha, gamma, C, rho) == v["K"] == K >= 1), ("α ≥ 1", alpha >= 1),
        ("1 ≤ E ≤ α/(2ρ)", alpha / (2 * rho) >= E == int(E) >= 1), ("0 < ρ < 1", 0 < rho < 1), ("γ > 0", gamma > 0),
        ("0 < r/n ≤ 1", 0 < r <= 1),
    )  # fmt: skip
    return Comparison(left, "<=", four.theorem4a(G, L, abs(start), gamma, rho, E, alpha, ZERO), met)


RARE_4 = Witness(
    {"r": Fraction(1, 12), "G": Fraction(1), "L": Fraction(1), "w0": Fraction(1), "alpha": Fraction(1), "rho": Fraction(19, 50),
     "K": Fraction(13), "E": Fraction(1)},
    "(2 − ρE/α − ρ²E²/α²) E[f(w_k̃) − f(w*)] ≤ A + B₁; the left side is a lower bound",
    _replay_4,
    "n = 1, r = 1/12: one client with a Huber function, drawn with probability 1/12 in each of thirteen rounds, from w₀ = 1",
)  # fmt: skip


def _replay_6_specific(v: Values) -> Comparison:
    """The same run under Theorem 6, second part, with Ĉ = G: its η and K are Theorem 4's, and as nothing is cut so is its left-hand
    side."""
    G, L, alpha, rho, E = v["G"], v["L"], v["alpha"], v["rho"], v["E"]
    found, gamma = _replay_4(v), v["K"] * G * E * rho**2 / (2 * alpha)
    met = (
        ("K = (2αγ/(ĈE))/ρ²", printed.rounds_theorem6(alpha, gamma, G, E, rho) == v["K"]),
        ("η = (γ/(ĈLEK))/ρ", printed.step_theorem6(gamma, G, L, E, v["K"], rho) == printed.step_theorem4(rho, alpha, L)),
        ("Ĉ ≥ 4√(L max Δ_j*) = 0", G > 0), ("‖u‖ ≤ ĈE at every w", huber(L, G).lipschitz <= G),
    )  # fmt: skip
    right = six.theorem6_specific(G, L, abs(v["w0"]), gamma, rho, E, alpha, ZERO)
    return Comparison(found.lhs, "<=", right, (*found.presupposed, *met))


RARE_6_SPECIFIC = Witness(
    RARE_4.values,
    "(2 − ρE/α − ρ²E²/α²) E[f(w_k̃) − f(w*)], the left-hand side where nothing is cut, ≤ Ĉ(L‖w₀ − w*‖²/γ + γ/L)ρ; a lower bound of it",
    _replay_6_specific,
    RARE_4.problem + ", Ĉ = G",
)


def _replay_6(v: Values) -> Comparison:
    """Theorem 6 on f(w) = w²/2 with one local step, so that u = w and L = 1; K rounds, w moves where the client is drawn.

    What the left-hand side averages is aw²/2 for |w| ≤ Ĉ and 3Ĉ|w|/8 beyond, hence at least the convex function h with
    curvature a and largest slope 3Ĉ/8. While no |w| has exceeded Ĉ nothing is cut, and after j draws w = p_j + e_j,
    p_j = w₀(1 − η/r)^j, e_j Gaussian with mean 0 and variance s_j²: E h(p_j + e_j) ≥ h(p_j) (Jensen). With |p_i| ≤ Ĉ/2 a |w_i|
    exceeds Ĉ only if 4e_i²/Ĉ² ≥ 1. What may be lost by it is at most
    (3Ĉ/8) E Σ_{i<j} |p_j + e_j| 4e_i²/Ĉ² ≤ (3/2) Σ_{i<j} s_i² (1 + 3s_j²/(2Ĉ²)),
    because |e_j| ≤ Ĉ/2 + e_j²/(2Ĉ) and E e_i²e_j² ≤ 3s_i²s_j². From the first |p_j| > Ĉ/2 on, draws count as f*.
    """
    r, C, start, gamma, rho = (v[name] for name in ("r", "C_hat", "w0", "gamma", "rho"))
    K, eta = int(v["K"]), gamma / (C * v["K"]) / rho
    a = six.factor(gamma, C, v["K"], rho)
    h = huber(a, 3 * C / 8)
    p, variance, before, total = start, ZERO, ZERO, ZERO
    for j in range(K):
        if abs(p) > C / 2:
            break
        reached = sum((comb(k, j) * (1 - r) ** (k - j) for k in range(j, K)), ZERO) * r**j
        lost = Fraction(3, 2) * before * (1 + 3 * variance / (2 * C**2))
        total += reached * max(ZERO, h(p) - lost)
        before += variance
        p, variance = p * (1 - eta / r), variance * (1 - eta / r) ** 2 + eta**2 / r * K * C**2 * rho**2
    met = (
        ("K > 2γ/(ĈE)/ρ", 2 * gamma / C / rho < K), ("0 < ρ < 1", 0 < rho < 1), ("γ, Ĉ > 0 = Δ_1*", min(gamma, C) > 0),
        ("a > 0", a > 0), ("h convex", h.convex), ("0 < r/n ≤ 1", 0 < r <= 1), ("K is a whole number", v["K"] == K),
    )  # fmt: skip
    right = six.theorem6(C, Fraction(1), abs(start), gamma, rho, v["K"], ZERO)
    left = right * floor(total / K / right * 10**9) / 10**9  # rounded down: the sum has thousands of digits
    return Comparison(left, "<=", right, met)


RARE_6 = Witness(
    {"r": Fraction(20, 81), "C_hat": Fraction(1), "w0": Fraction(1, 4), "gamma": Fraction(49 * 128, 100 * 10**6),
     "rho": Fraction(1, 10**6), "K": Fraction(128)},
    "E {1(|u| ≤ Ĉ) a f(w_k̃) + 1(|u| > Ĉ) 3Ĉ|u|/8} ≤ Ĉ(w₀²/γ + γ)ρ; the left side is a lower bound",
    _replay_6,
    "n = 1, r = 20/81: f(w) = w²/2, drawn with probability 20/81 in each of 128 rounds of one local step, so that u = w, η = 49/100, "
    "from w₀ = 1/4. a = 2 − 2γ/(ĈKρ) − 4γ²/(Ĉ²K²ρ²), and h is the Huber function h(w) = aw²/2 for a|w| ≤ 3Ĉ/8, of slope 3Ĉ/8 "
    "beyond, below what is averaged on the left",
)  # fmt: skip
