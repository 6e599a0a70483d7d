"""Exact runs against the corollaries on rates (1, 3 and 5): clients in pairs, f_i a parabola with straight arms.

f_i has f' = x − c_i around its centre c_i = ±c and slope ±G beyond G from it, so L = 1, f^inf = Δ^inf = c²/2.
From a start on the right arm both clients see the slope G, local steps or not, and have equal memories.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from bounds.fed_alpha_normec import corollaries, schedules
from bounds.fed_alpha_normec.theorem1 import MAIN
from verify.claim import Values
from verify.computation import Comparison
from verify.curves import Curve, curve, mean, times
from verify.fed_alpha_normec import conditions

GRID = 2**200
"""Intervals are rounded outward to multiples of 1/GRID, so that numbers do not grow from round to round."""


def arms(centre: Fraction, slope: Fraction) -> Curve:
    return curve((centre - slope, -slope), (centre + slope, slope), level=0, at=centre)


def outward(low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
    return Fraction((low * GRID).__floor__(), GRID), Fraction((high * GRID).__ceil__(), GRID)


def overshoots(slope: Fraction, alpha: Fraction, beta: Fraction, R: Fraction, rounds: int) -> bool:
    """Whether v̂ alternates in sign from v⁰ = slope + R on, so that x alternates between x⁰ and x⁰ + η.

    On a straight arm P(x) = slope, and the residual P − v goes from −y to h(y), then to −h(h(y)), …, with
    h(y) = βy/(α + y) − y, which decreases where (α + y)² > αβ: intervals are carried by their ends.
    """
    low, high = R, R
    for k in range(rounds):
        if (alpha + low) ** 2 <= alpha * beta:
            return False
        low, high = outward(beta * high / (alpha + high) - high, beta * low / (alpha + low) - low)
        wrong = slope - low < 0 if k % 2 == 0 else slope + low > 0
        if low <= 0 or not wrong:
            return False
    return True


def slow(numbers: Values) -> Comparison:
    """Corollary 1 in the text, with an η far below its limit: no round can move x by more than η."""
    c, K, tiny = numbers["c"], int(numbers["K"]), numbers["eta"]
    D1, D2, a = numbers["D_1"], numbers["D_2"], numbers["alpha"]
    f = [arms(c, Fraction(1)), arms(-c, Fraction(1))]
    whole, x, L = mean(f), 1 + c, Fraction(1)
    gap, Delta = whole.value(x) - whole.infimum, whole.infimum
    plan = schedules.corollary1_main(K, L, D1, D2, a)
    bound = corollaries.corollary1_main(gap, K, L, D1, D2, a, Fraction(2), Fraction(1), Fraction(0))
    met = (
        ("η ≤ L D₁D₂/(2(α+D₁)(K+1)^(5/6))", 0 < tiny <= plan.eta),
        *conditions.met(
            MAIN, {**plan._asdict(), "eta": tiny, "alpha": a, "K": Fraction(K), "L": L, "Delta": Delta}
        ),
        (
            "every f_i is 1-smooth and bounded below",
            max(g.smoothness for g in f) <= 1 and min(g.infimum for g in f) == 0,
        ),
    )
    return Comparison(abs(whole.gradient(x)) - L * (K + 1) * tiny, "<=", bound, met)


def _alternating(numbers: Values, steps: int, plan_of: Callable, bound_of: Callable) -> Comparison:
    c, K, G, L = numbers["c"], int(numbers["K"]), numbers["G"], numbers["L"]
    D1, D2, a = numbers["D_1"], numbers["D_2"], numbers["alpha"]
    f = [times(L, arms(c, G)), times(L, arms(-c, G))] * 2  # M = 4, so that √M is rational
    whole = mean(f)
    Delta = whole.infimum - sum((g.infimum for g in f), Fraction(0)) / len(f)
    plan = plan_of(K, L, D1, D2, a, Delta)
    x = G + c + (plan.gamma * L * G if steps > 1 else 0)
    path = [x - j * plan.gamma / steps * L * G for j in range(steps)]
    gap = whole.value(x) - whole.infimum
    met = (
        ("D₁, D₂, α > 0", min(D1, D2, a) > 0),
        ("γ ≤ 1/(2L)", plan.gamma <= 1 / (2 * L)),
        ("η ∈ (0, 1) (Algorithm 1)", 0 < plan.eta < 1),
        ("Δ^inf > 0 and f^inf − f_i^inf > 0", Delta > 0 and all(whole.infimum > g.infimum for g in f)),
        ("every f_i is L-smooth", max(g.smoothness for g in f) <= L),
        ("the local steps stay on the straight arm", all(g.gradient(y) == L * G for g in f for y in path)),
        ("v̂ has the wrong sign in every second round", overshoots(L * G, a, plan.beta, plan.R, K + 1)),
        ("exact schedule", all(isinstance(number, Fraction) for number in plan)),
    )
    return Comparison(whole.gradient(x), "<=", bound_of(gap, K, L, D1, D2, a, Delta), met)


def alternating1(numbers: Values) -> Comparison:
    """Corollary 1 in F.4 with a large D₂."""
    return _alternating(
        numbers,
        1,
        lambda K, L, D1, D2, a, Delta: schedules.corollary1_appendix(K, L, D1, D2, a),
        lambda gap, K, L, D1, D2, a, Delta: corollaries.corollary1_appendix(
            gap, K, L, D1, D2, a, Fraction(4), Fraction(1), Fraction(0)
        ),
    )


def alternating3(numbers: Values) -> Comparison:
    """Corollary 3 with a large D₂, T = 2."""
    return _alternating(
        numbers,
        2,
        schedules.corollary3,
        lambda gap, K, L, D1, D2, a, Delta: corollaries.corollary3(
            gap, K, L, D1, D2, a, Fraction(4), Fraction(1), Fraction(0), Delta
        ),
    )


def alternating5(numbers: Values) -> Comparison:
    """Corollary 5 with a large D₂, N = 2, f_{i,0} = f_{i,1} = f_i."""
    return _alternating(
        numbers,
        2,
        schedules.corollary3,
        lambda gap, K, L, D1, D2, a, Delta: corollaries.corollary5(
            gap, K, L, D1, D2, a, Fraction(4), Fraction(1), Fraction(0), Delta, Delta
        ),
    )
