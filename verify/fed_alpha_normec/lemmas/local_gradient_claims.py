"""Lemmas 6 and 7 as claims."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import sympy

from verify.claim import Repair, Values, Witness
from verify.computation import Comparison
from verify.curves import Curve, curve
from verify.facts import definition, equal, hypothesis, letters, standard
from verify.fed_alpha_normec.lemmas.lemma_displays import LEMMAS
from verify.fed_alpha_normec.lemmas.local_gradient import (
    AT_LEAST_1,
    ATTAINED,
    CLOSE,
    D_0,
    DRIFT,
    FROM_START,
    HALF6,
    ITEM2_NODES,
    ITEM4_NODES,
    ITEM5_NODES,
    ITEM24,
    ITEM35,
    LEMMA6,
    MEAN_NODES,
    MEAN_SQUARE,
    MOVES,
    OVER_SQUARES,
    ROOTED,
    STRETCHED,
    UNROLLED,
    D,
    Q,
    g,
    h,
    j,
    slope,
)
from verify.fed_alpha_normec.lemmas.local_gradient_level import NODES as LEVEL_NODES
from verify.fed_alpha_normec.lemmas.local_gradient_sharp import LAST, SHARP_NODES
from verify.fed_alpha_normec.letters import (
    BOUNDED_BELOW,
    ETA,
    GAMMA,
    LOCAL_STEP,
    SMOOTH,
    SPREAD,
    L,
    T,
    claim,
    eta,
    gamma,
    values,
)
from verify.identity import Limit
from verify.obligation import obligation
from verify.proof import Proof

BENT = curve((-3, -1), (-1, 1), (1, -1), (3, 1))
"""−x²/2 between −1 and 1, bent up beyond, as Section 3's infimum asks."""
BENDS = "f′ = −x for |x| ≤ 1, then x ∓ 2 up to |x| = 3, then ±1"


def smooth_and_bounded(f: Curve, L_: Fraction) -> tuple[tuple[str, bool], ...]:
    return (
        ("f is L-smooth", f.smoothness <= L_),
        ("f is bounded below", f.slopes[0] <= 0 <= f.slopes[-1]),
    )


def _index(numbers: Values) -> Comparison:
    """f = `BENT`, T = 1, xᵏ = 0: its path stays at 0, so that the printed differences along it are 0 for every l."""
    g_, x, y, T_, L_ = (numbers[n] for n in ("gamma", "x", "y", "T", "L"))
    f_ = BENT.gradient
    path = [x]
    for _ in range(int(T_) + 1):
        path.append(path[-1] - g_ / T_ * f_(path[-1]))
    along = sum((b - a for a, b in pairwise(path)), Fraction(0))
    met = (
        *smooth_and_bounded(BENT, L_),
        ("γ ≤ 1/(2L)", 0 < g_ <= 1 / (2 * L_)),
        ("the path of xᵏ has no differences", along == 0),
        ("T = 1", T_ == 1),
    )
    return Comparison(abs((y - g_ * f_(y)) - (x - g_ * f_(x))), "==", abs(y - x), met)


_U = sympy.Symbol("u", real=True)
_STRETCH = hypothesis("u = γL > 0", _U > 0)
_POWER = (1 + _U / T) ** T
_stretched = letters("(1+h)^T")[0]
_MEAN_FROM_START = obligation(
    "(1/T) Σ ‖x_j − x‖ = γ‖∇f‖(((1 + h)^T − 1)/u − 1)/u, u = hT",
    (_STRETCH, AT_LEAST_1, FROM_START.at({j: T, D: _stretched}), definition("u = hT", equal(_U, h * T))),
    equal(Q / T, gamma * g * ((_stretched - 1) / _U - 1) / _U),
)
_HYP = (SMOOTH, GAMMA, LOCAL_STEP)
_NEAR = (*_HYP, CLOSE, ETA)
_MOVES_ONE = obligation(
    "T = 1: ‖P_i(xᵏ⁺¹) − P_i(xᵏ)‖ ≤ Lη",
    (
        SMOOTH,
        CLOSE,
        definition("‖xᵏ⁺¹ − xᵏ‖ ≥ 0", D_0 >= 0),
        standard("P_i = ∇f_i is L-Lipschitz", sympy.Implies(D_0 >= 0, (slope >= 0) & (slope <= L * D_0))),
    ),
    slope <= L * eta,
)
CLAIMS = (
    claim(
        "FED-L6",
        "Appendix F.1, Lemma 6",
        "lemma",
        LEMMAS["FED-L6"],
        "True; the coefficient of f − f^inf can be halved, which weakens the condition on ηγ in the theorems by 2.",
        proof=Proof((SMOOTH, SPREAD, BOUNDED_BELOW), (*MEAN_NODES, LEMMA6)),
    ),
    claim(
        "FED-L6-S1",
        "Appendix F.1, proof of Lemma 6, mean of squares",
        "step",
        LEMMAS["FED-L6-S1"],
        "‖∇f_i‖² ≤ 2L(f_i − f_i^inf) for each client, averaged.",
        proof=Proof((SMOOTH,), (OVER_SQUARES, MEAN_SQUARE)),
    ),
    claim(
        "FED-L6-S2",
        "Appendix F.1, proof of Lemma 6, last display",
        "step",
        LEMMAS["FED-L6-S2"],
        "Jensen's inequality, the mean of squares (FED-L6-S1) and algebra; half of the first term would do.",
        proof=Proof((SMOOTH, SPREAD), (OVER_SQUARES, MEAN_SQUARE, ROOTED)),
    ),
    claim(
        "FED-L6-TIGHT",
        "ours, beside Lemma 6",
        "ours",
        "(1/M) Σ ‖∇f_i(x)‖ ≤ s/2 + L(f(x) − f^inf + Δ^inf)/s for every s > 0; with s = √(2LΔ^inf) the "
        "coefficient of f − f^inf is ½√(2L/Δ^inf)",
        "One inequality per client, no Jensen; Δ^inf = 0 is allowed.",
        proof=Proof((SMOOTH, SPREAD, BOUNDED_BELOW), (*MEAN_NODES, HALF6)),
    ),
    claim(
        "FED-L7-1",
        "Appendix F.1, Lemma 7, item 1",
        "lemma",
        LEMMAS["FED-L7-1"],
        "Unrolling the recursion.",
        proof=Proof((), (UNROLLED,)),
    ),
    claim(
        "FED-L7-2",
        "Appendix F.1, Lemma 7, item 2",
        "lemma",
        LEMMAS["FED-L7-2"],
        "True; the tight constant is ((1+γL/T)^T − 1)/(γL) ≤ 2(√e − 1) < 1.2975.",
        proof=Proof(_NEAR, ITEM2_NODES),
    ),
    claim(
        "FED-L7-3",
        "Appendix F.1, Lemma 7, item 3",
        "lemma",
        LEMMAS["FED-L7-3"],
        "True with a factor of three to spare: 2/3 is proved (FED-L7-SHARP), 4√e − 6 < 0.595 is approached as T → ∞.",
        proof=Proof(_HYP, ITEM35),
    ),
    claim(
        "FED-L7-4",
        "Appendix F.1, Lemma 7, item 4",
        "lemma",
        LEMMAS["FED-L7-4"],
        "True; the tight constant is (1+γL/T)^T ≤ √e < 1.6488.",
        proof=Proof(_NEAR, ITEM4_NODES),
    ),
    claim(
        "FED-L7-5",
        "Appendix F.1, Lemma 7, item 5",
        "lemma",
        LEMMAS["FED-L7-5"],
        "True with a factor of three to spare.",
        proof=Proof(_HYP, ITEM5_NODES),
    ),
    claim(
        "FED-L7-4-S1",
        "Appendix F.1, proof of Lemma 7, item 4, first display",
        "step",
        LEMMAS["FED-L7-4-S1"],
        "The indices are wrong: it must be ∇f_i(x_i^{k+1,j}) − ∇f_i(x_i^{k,j}), two paths, summed to T − 1.",
        witness=Witness(
            values(gamma="1/2", x=0, y=1, T=1, L=1),
            "the two sides are equal",
            _index,
            f"T = 1, {BENDS}, xᵏ = 0, xᵏ⁺¹ = 1: 1 + γ against 1, whatever l is",
        ),
        repair=Repair("With those indices item 4 follows.", "indices", Proof(_NEAR, ITEM4_NODES)),
    ),
    claim(
        "FED-L7-5-S1",
        "Appendix F.1, proof of Lemma 7, item 5, the fact quoted",
        "step",
        LEMMAS["FED-L7-5-S1"],
        "Not what item 3 says (its sum ends at T − 1), but true, by the sharper 2/3 of FED-L7-SHARP.",
        proof=Proof(_HYP, (DRIFT, *SHARP_NODES, LAST)),
    ),
    claim(
        "FED-L7-MOVE",
        "ours, what Lemma 7 gives for the theorems",
        "ours",
        "‖P_i(xᵏ⁺¹) − P_i(xᵏ)‖ ≤ 2Lη for P_i = (x − T_i(x))/γ and γ ≤ 1/(2L) (Lη for T = 1)",
        "The paper bounds this by (1 + 2)η/γ, which is at least 6Lη: hence its condition η ≤ γ/3 · βR/(α+R).",
        proof=Proof(_NEAR, (_MOVES_ONE, *ITEM24, MOVES)),
    ),
    claim(
        "FED-L7-SHARP",
        "ours, beside Lemma 7, items 3 and 5",
        "ours",
        "(1/T) Σ_j ‖xᵏ − x_i^{k,j}‖ ≤ (2/3)γ‖∇f_i(xᵏ)‖ for γ ≤ 1/(2L)",
        "Chebyshev's sum inequality on the increasing distances, in place of bounding each by the largest.",
        proof=Proof(_HYP, SHARP_NODES),
    ),
    claim(
        "FED-L7-LEVEL",
        "ours, beside Lemma 7, item 5",
        "ours",
        "‖(x − T_i(x))/γ − ∇f_i(x)‖ ≤ ½(1 − 1/T)Lγ√(2L(f_i(x) − f_i^inf)) for γ ≤ 1/(2L)",
        "f_i does not rise along the local path, so that no gradient there is above √(2L(f_i(x) − f_i^inf)), by which Lemma 6 bounds "
        "the first of them in any case.",
        proof=Proof(_HYP, LEVEL_NODES),
    ),
    claim(
        "FED-L7-TIGHT",
        "ours, tight constants of Lemma 7",
        "ours",
        "Where f = −Lx²/2 as far as the paths go (|x| ≤ √e |x₀| for γL ≤ 1/2; beyond f may bend up): (1/T) Σ ‖x_j − y_j‖ = "
        "((1+h)^T − 1)/(hT) η and ‖T(x) − T(y)‖ = (1+h)^T η with h = "
        "γL/T; as T → ∞ and at γL = 1/2 "
        "the constants are 2(√e − 1), √e and, for item 3, 4√e − 6",
        "The path stretches by exactly 1 + h in each step.",
        proof=Proof(
            (_STRETCH,),
            (
                ATTAINED,
                STRETCHED,
                _MEAN_FROM_START,
                Limit("(1 + u/T)^T → e^u as T → ∞", _POWER, T, sympy.oo, sympy.exp(_U), given=(_STRETCH,)),
                Limit(
                    "item 2: ((1 + u/T)^T − 1)/u → (e^u − 1)/u as T → ∞",
                    (_POWER - 1) / _U,
                    T,
                    sympy.oo,
                    (sympy.exp(_U) - 1) / _U,
                    given=(_STRETCH,),
                ),
                Limit(
                    "item 3: (((1 + u/T)^T − 1)/u − 1)/u → ((e^u − 1)/u − 1)/u as T → ∞",
                    ((_POWER - 1) / _U - 1) / _U,
                    T,
                    sympy.oo,
                    ((sympy.exp(_U) - 1) / _U - 1) / _U,
                    given=(_STRETCH,),
                ),
                Limit(
                    "item 2: (e^u − 1)/u → 2(√e − 1) as u → 1/2",
                    (sympy.exp(_U) - 1) / _U,
                    _U,
                    sympy.Rational(1, 2),
                    2 * (sympy.sqrt(sympy.E) - 1),
                    "-",
                ),
                Limit(
                    "item 3: ((e^u − 1)/u − 1)/u → 4√e − 6 as u → 1/2",
                    ((sympy.exp(_U) - 1) / _U - 1) / _U,
                    _U,
                    sympy.Rational(1, 2),
                    4 * sympy.sqrt(sympy.E) - 6,
                    "-",
                ),
            ),
        ),
    ),
)
