"""Fed-α-NormEC as its Corollary 2 sets it: with α = R no message is longer than 1/2, and with many clients all can be nearly so long.

Two data sets that differ in one client, whose loss has the slope R near x⁰ = 0 on one and is 0 on the other: there it sends noise
alone. So it is a pair of neighbours where a client's data are replaced, and where they are removed. The other clients' losses are
such that f(x⁰) − f^inf and R, and with them all parameters, are the same on both.
"""

from __future__ import annotations

from fractions import Fraction

from verify.claim import Values
from verify.curves import Curve, huber, plus, times
from verify.fractions_check import exact_root
from verify.privacy.mechanisms import log_inverse
from verify.privacy.rigorous import above, number, sqrt

F = Fraction
CLIENTS = {"L": F(1, 2), "gamma": F(1), "R": F(1), "far": F(10**9)}
PROBLEM = (
    "f_1' = R up to the distance 10⁹ of x⁰ = 0, and f_1 = 0 on the other data set, where that client sends noise alone (neighbours "
    "where a client's data are replaced, and where they are removed; the paper defines none); v_i⁰ = 0, f_2' = −R and f_3' = R/2 near "
    "x⁰, all others are Huber functions around x⁰, and α = R = γ = 1, L = 1/2"
)


def _losses(v: Values) -> tuple[Curve, ...]:
    """f_1 on the one data set, f_1 on the other, f_2, f_3, and the loss of each of the other M − 3 clients."""
    R, far = v["R"], v["far"]
    own = Curve((-far - R / v["L"], -far), (F(0), R))
    against = Curve((far, far + R / v["L"]), (-R, F(0)))
    return own, Curve((-far, far), (F(0), F(0))), against, times(F(1, 2), own), huber(v["L"], R)


def _of_data(v: Values, first: Curve) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """f(x⁰) − f^inf, Δ^inf, max_i ‖∇f_i(x⁰)‖ and the largest smoothness."""
    M, x = v["M"], F(0)
    few, rest = (first, *_losses(v)[2:4]), _losses(v)[4]
    f = times(1 / M, plus(*few, times(M - 3, rest)))
    infima = sum((g.infimum for g in few), (M - 3) * rest.infimum)
    steepest = max(abs(g.gradient(x)) for g in (*few, rest))
    return f.value(x) - f.infimum, f.infimum - infima / M, steepest, max(g.smoothness for g in (*few, rest))


def beta_hat(v: Values, gap: Fraction) -> Fraction:
    """Not below β̂ = √(3(f(x⁰) − f^inf)/γ) √(M/B₂), nor below what it is with the fourth root that Appendix F has there."""
    ratio = number(v["M"] * v["epsilon"] ** 2 / (2 * v["c"] ** 2 * v["p"])) / log_inverse(v["delta"])
    return max(above(sqrt(number(3 * gap / v["gamma"])) * root) for root in (sqrt(ratio), sqrt(sqrt(ratio))))


def shortest(v: Values) -> tuple[Fraction, tuple[tuple[str, bool], ...]]:
    """A lower bound of the lengths of that client's messages, and what Corollary 2 prints, on both data sets; the constant of
    α = R = O(…) is free. Its memory moves by less than β in a round, so by β̂ = (K+1)β at most in all, x by η, so by γβ̂/4."""
    L, M, gamma, R, J = (v[name] for name in ("L", "M", "gamma", "R", "releases"))
    on_both = [_of_data(v, first) for first in _losses(v)[:2]]
    gaps, spreads, steepest, smooth = zip(*on_both, strict=True)
    most, spread, root, alpha = beta_hat(v, gaps[0]), min(spreads), exact_root(2 * L, 2), R
    residual, beta, eta = R - most, most / J, gamma / 2 * most * R / (alpha + R) / J
    met = (
        ("M ≥ 4 clients, and p = B̂/M with B̂ ∈ [1, M] clients",
         M >= 4 and 1 <= v["p"] * M <= M and (v["p"] * M).denominator == M.denominator == 1),
        ("f(x⁰) − f^inf > 0 is the same on both data sets", gaps[0] == gaps[1] > 0),
        ("every f_i is L-smooth", max(smooth) <= L),
        ("α = R = max_i ‖∇f_i(x⁰) − v_i⁰‖, v_i⁰ = 0, on both data sets", set(steepest) == {R} and R > 0),
        ("Δ^inf > 0", spread > 0),
        ("β/(α + R) < 1", beta < alpha + R),
        ("γ < Δ^inf(α+R)/(√(2L)β̂R)", gamma * root * most < 2 * spread),
        ("ηγ ≤ Δ^inf/(4L√(2L)(K+1))", eta * gamma * 4 * L * root * J <= spread),
        ("0 < η ≤ (γ/2)βR/(α+R) (Theorem 1 in Section 4)", 0 < eta <= gamma / 2 * beta * R / (alpha + R)),
        ("0 < γ ≤ 1/(2L)", 0 < gamma <= 1 / (2 * L)),
        ("η < 1", eta < 1),
        ("f_1' = R wherever x and local steps from it can be", J * eta + gamma * R <= v["far"]),
        ("the memory stays short of the gradient", residual > 0),
    )  # fmt: skip
    return residual / (alpha + residual), met
