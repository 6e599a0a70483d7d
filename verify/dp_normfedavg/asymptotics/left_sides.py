"""Section 4.1: the left-hand sides of (4) and (5), each at the iterates of its own method.

The weights GE/‖u_i‖ ≥ 1 make (5)'s the larger one at one w (`prose.ABOVE`). But w_k̃ is clipping's in (4) and normalisation's in
(5), and where normalisation comes nearer to the minimiser its weighted gap can be the smaller one.
"""

from __future__ import annotations

from fractions import Fraction

from bounds.dp_normfedavg import choices as printed
from verify.claim import Values, Witness
from verify.computation import Comparison
from verify.curves import huber
from verify.dp_normfedavg.counterexamples.exact import ZERO

ONE = Fraction(1)


def _replay_left_sides(v: Values) -> Comparison:
    """Three clients f_i(w) = h(θ_i⟨a_i, w⟩) in the plane, h Huber: θ_1 = 1 and a_1 = (1, 0), θ_2 = θ_3 = θ and a_2, a_3 = (c, ±s). All
    are minimised at 0, all take part in every round; the start is (x₀, 0). Both sides times 3/G; D = ηGK is how far a message
    of norm G carries in all rounds, V = (γ/L)² the variance of all noise together.

    (4) from below: h(x) ≥ G(x − G/(2L)), and x falls by ηG(1 + 2cθ)/3 a round at most, as ‖∇f_i‖ ≤ Gθ_i; f_2, f_3 ≥ 0.
    (5) from above: with F_i = f_i and |p| = |⟨a_i, w⟩|, F_i/‖∇f_i‖ ≤ |p| (convexity), and ≤ |p|/2 + (θ_iL/(8G))p² where h is quadratic
    or not. While no ⟨a_i, w⟩ changes sign, w moves by −ηG mean_i a_i = −(ηG(1 + 2c)/3, 0) a round; a sign changes with probability
    3V/m² at most, m the least distance left (Kolmogorov), and then w is 2D from where it would be, at most.
    """
    G, L, theta, c, s, x0 = v["G"], v["L"], v["theta"], v["c"], v["s"], v["x0"]
    alpha, rho, gamma = v["alpha"], v["rho"], v["gamma"]
    h, eta = huber(L, G), printed.step_theorem4(rho, alpha, L)
    K = printed.rounds_theorem4(alpha, gamma, G, rho)
    directions, slopes = ((ONE, ZERO), (c, s), (c, -s)), (ONE, theta, theta)
    D, V = eta * G * K, K * eta**2 * K * G**2 * rho**2
    mean = (1 + 2 * c) / 3
    margin = min(x for x, _ in directions) * (x0 - D * mean)
    halfway = x0 - D * (1 - 1 / K) / 2 * mean
    away = gamma / L + 2 * D * 3 * V / margin**2
    square = 2 * (x0 + D) ** 2 + 2 * V
    weighted = halfway + away + 2 * ((c * halfway + away) / 2 + theta * L / (8 * G) * square)
    clipped = x0 - D / 2 * (1 + 2 * c * theta) / 3
    met = (
        ("h convex", h.convex), ("f_i L-smooth: h is L-smooth, θ_i ≤ 1", h.smoothness <= L and max(slopes) <= 1),
        ("f_i G-Lipschitz", h.lipschitz * max(slopes) <= G), ("unit directions", all(x**2 + y**2 == 1 for x, y in directions)),
        ("0 is the only minimiser of f, and f_i(w) ≥ f_i(0) = 0", s != 0 < min(slopes) and h(ZERO) == 0),
        ("every ⟨a_i, w⟩ has distance left", margin > 0 < c),
        ("K is a whole number", K.denominator == 1), ("E = 1 ≤ α/(2ρ)", alpha / (2 * rho) >= 1), ("α ≥ 1", alpha >= 1),
        ("0 < ρ < 1", 0 < rho < 1), ("γ, G > 0", gamma > 0 < G), ("D = γ/(Lρ) does not depend on α", D == gamma / (L * rho)),
        ("V = (γ/L)² does not depend on α", V == (gamma / L) ** 2),
    )  # fmt: skip
    return Comparison(clipped - G / (2 * L), "<=", weighted, met)


WITNESS = Witness(
    {
        "G": Fraction(1, 1000),
        "L": ONE,
        "theta": Fraction(1, 10**7),
        "c": Fraction(7, 25),
        "s": Fraction(24, 25),
        "x0": ONE,
        "alpha": ONE,
        "rho": Fraction(1, 10**5),
        "gamma": Fraction(18, 10**6),
    },
    "3/G times the LHS of (4) ≤ 3/G times the LHS of (5); a lower bound on the left, an upper bound on the right",
    _replay_left_sides,
    "three clients in the plane with one common minimiser, all in every round: under clipping the two nearly flat ones hardly move w, "
    "under normalisation their messages are as long as the steep one's and carry w on; a larger α only makes 1/K smaller. "
    "f_i(w) = h(θ_i⟨a_i, w⟩), h the Huber function with h(x) = Lx²/2 for L|x| ≤ G and of slope G beyond; a_1 = (1, 0), a_2 = (c, s), "
    "a_3 = (c, −s), θ_1 = 1, θ_2 = θ_3 = θ; w₀ = (1, 0), C = G. D = ηGK is how far a message of norm G carries in all rounds, V the "
    "variance of all noise together",
)
