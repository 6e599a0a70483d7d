"""Lemmas 8 and 9 as claims."""

from __future__ import annotations

from fractions import Fraction

import sympy

from verify.claim import Gap, Repair, Values, Witness
from verify.computation import Comparison
from verify.curves import Quadratic, curve
from verify.facts import definition, equal, hypothesis, letters
from verify.fed_alpha_normec.lemmas import cancelled as ca
from verify.fed_alpha_normec.lemmas.bias import ALONG, BIAS_NODES, ITEM4_IG, TRIANGLE, incremental
from verify.fed_alpha_normec.lemmas.incremental import (
    JENSEN,
    LEMMA8,
    LEMMA8_NODES,
    PRINTED_FIRST,
    SCALE,
    SCALED,
    SHORT,
    SPREAD_LOCAL,
    mean,
    squares,
)
from verify.fed_alpha_normec.lemmas.incremental_steps import SECOND_DISPLAY
from verify.fed_alpha_normec.lemmas.lemma_displays import LEMMAS
from verify.fed_alpha_normec.lemmas.local_gradient import (
    CLOSE,
    ITEM2_NODES,
    ITEM4_NODES,
    ITEM24,
    MOVES,
    UNROLLED,
)
from verify.fed_alpha_normec.letters import (
    BOUNDED_BELOW,
    ETA,
    GAMMA,
    LOCAL_STEP,
    SMOOTH,
    SPREAD,
    Delta,
    Delta_local,
    F,
    L,
    N,
    claim,
    gamma,
    values,
)
from verify.fractions_check import exact_root
from verify.obligation import obligation
from verify.proof import Proof


def _passes(numbers: Values) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """M = 2, f_{1,j} = (x − 1)²/2, f_{2,j} = (x + 1)²/2, so that L = 1 and Δ_i^inf = 0, passes of N functions from x: the mean
    distance, the mean square distance, f − f^inf and Δ^inf."""
    g, x, N_ = numbers["gamma"], numbers["x"], int(numbers["N"])
    parts = (Quadratic(Fraction(1), Fraction(1)), Quadratic(Fraction(1), Fraction(-1)))
    apart = []
    for f_i in parts:
        y = x
        for _ in range(N_):
            apart.append(abs(y - x))
            y -= g / N_ * f_i.gradient(y)
    here, least, own = (sum((f_i.value(at) for f_i, at in zip(parts, places, strict=True)), Fraction(0)) / 2
                        for places in ((x, x), (Fraction(0), Fraction(0)), (parts[0].centre, parts[1].centre)))  # fmt: skip
    squares_ = sum((d**2 for d in apart), Fraction(0)) / len(apart)
    return sum(apart, Fraction(0)) / len(apart), squares_, here - least, least - own


def _far(numbers: Values) -> Comparison:
    """L = 1; with r = √(2Δ^inf) the right side is 4γ(f − f^inf)/r + γr."""
    distance, _, gap, spread = _passes(numbers)
    g, root = numbers["gamma"], exact_root(2 * spread, 2)
    return Comparison(
        distance, "<=", 4 * g * gap / root + g * root, (("γ > 0", g > 0), ("Δ^inf > 0", spread > 0))
    )


def _far_squared(numbers: Values) -> Comparison:
    """The quadratic mean on the same problem."""
    _, square, gap, spread = _passes(numbers)
    g = numbers["gamma"]
    return Comparison(
        square, "<=", 4 * g**2 * gap + 2 * g**2 * spread, (("γ > 0", g > 0), ("Δ^inf > 0", spread > 0))
    )


def _divisor(numbers: Values) -> Comparison:
    """M = N = 1, f = f_1 = f_{1,1} = Lx²/2, so that the pass is x alone: 2γ²LΔ^inf, with infima for f^inf and the f_i^inf."""
    g, L_, x = numbers["gamma"], numbers["L"], numbers["x"]
    f = Quadratic(L_)
    f_inf = client_inf = f.value(f.centre)
    gap, spread = f.value(x) - f_inf, f_inf - client_inf
    met = (
        ("f_{i,j} is L-smooth", f.smoothness <= L_), ("γ > 0", g > 0),
        ("the first display", 0 <= 4 * L_ * g**2 * gap + 2 * g**2 * L_ * spread),
    )  # fmt: skip
    return Comparison(2 * g**2 * L_ * spread, "!=", Fraction(0), met)


def _unrolled(numbers: Values) -> Comparison:
    """N = 2, f_{i,j} = x²/2: x_2 against x − (γ/2)(∇f_{i,0}(x_2) + ∇f_{i,1}(x_2)), as item 1 prints it."""
    g, x = numbers["gamma"], numbers["x"]
    x1 = x - g / 2 * x
    x2 = x1 - g / 2 * x1
    return Comparison(x2, "==", x - g / 2 * (x2 + x2), (("γ ≤ 1/(2L)", g <= Fraction(1, 2)),))


def _equality(numbers: Values) -> Comparison:
    """One pass from x over f_{i,0} linear with slope s, f_{i,1} = y²/2 and f_{i,2} = −q y²/2 on [0, 1], all bounded below: the norm
    of the sum of ∇f_{i,j}(x_j) − ∇f_{i,j}(x) against the sum of their norms."""
    g_, L_, x, slope, bend = (numbers[name] for name in ("gamma", "L", "x", "slope", "bend"))
    pieces = (
        curve((0, slope), (1, slope), (1 - slope / L_, 0)), curve((0, 0), (1, 1)), curve((0, 0), (1, -bend), (2, 0)),
    )  # fmt: skip
    here, parts = x, []
    for f in pieces:
        parts.append(f.gradient(here) - f.gradient(x))
        here -= g_ / 3 * f.gradient(here)
    met = (
        ("f_{i,j} L-smooth", all(f.smoothness <= L_ for f in pieces)),
        ("f_{i,j} bounded below", all(f.slopes[0] <= 0 <= f.slopes[-1] for f in pieces)),
        ("γ ≤ 1/(2L)", 2 * g_ * L_ <= 1),
    )
    return Comparison(abs(sum(parts, Fraction(0))), "==", sum((abs(q) for q in parts), Fraction(0)), met)


_PASS = (SMOOTH, GAMMA, hypothesis("N ≥ 1", N >= 1), SHORT)
_NEAR = (SMOOTH, GAMMA, LOCAL_STEP, CLOSE, ETA)
_FIRST_DISPLAY = hypothesis(
    "the first display, as printed",
    squares <= 4 * L * gamma**2 * F + 2 * gamma**2 * L * Delta + 2 * gamma**2 * L * Delta_local,
)
_near, _own, _root_near, _root_spread = letters("4Lγ²F+2γ²LΔ 2γ²LΔ_i √(4Lγ²F+2γ²LΔ) √(2γ²LΔ)")
_ROOTS = definition(
    "u = 4Lγ²(f − f^inf) + 2γ²LΔ^inf, w = 2γ²L(1/M) Σ Δ_i^inf, and the roots of u and 2γ²LΔ^inf",
    equal(_near, 4 * L * gamma**2 * F + 2 * gamma**2 * L * Delta) & equal(_own, 2 * gamma**2 * L * Delta_local)
    & (_root_near >= 0) & equal(_root_near**2, _near)
    & (_root_spread >= 0) & equal(_root_spread**2, 2 * gamma**2 * L * Delta),
)  # fmt: skip
_last = 2 * gamma * sympy.sqrt(L * Delta_local)
_MEMBERS = obligation(
    "mean ≤ √squares ≤ √(u + w) ≤ √u + √w; mean ≤ u/√u + … ≤ u/√(2γ²LΔ^inf) + … ≤ the lemma",
    (SMOOTH, GAMMA, SPREAD, BOUNDED_BELOW, SPREAD_LOCAL, JENSEN, _FIRST_DISPLAY, _ROOTS),
    (mean <= sympy.sqrt(squares)) & (sympy.sqrt(squares) <= sympy.sqrt(_near + _own))
    & (sympy.sqrt(_near + _own) <= _root_near + sympy.sqrt(_own)) & (mean <= _near / _root_near + _last)
    & (_near / _root_near + _last <= _near / _root_spread + _last)
    & (_near / _root_spread + _last
       <= 2 * sympy.sqrt(2) * L * gamma * F / sympy.sqrt(L * Delta) + sympy.sqrt(2) * gamma * sympy.sqrt(L * Delta) + _last),
)  # fmt: skip
_NEEDS = "every f_{i,j} is L-smooth (as Assumption 1 has it)"
_DIVIDED = "Δ^inf > 0, (1/M) Σ Δ_i^inf ≥ 0 (which it is where the f_i^inf and f_{i,j}^inf are infima)"
_REPAIR8 = Repair(
    "Lemma 8 holds for γL(N − 2) ≤ N − 1 (so for γ ≤ 1/L whatever N is, for N ≤ 2 whatever γ is), Δ^inf > 0 and "
    "(1/M) Σ Δ_i^inf ≥ 0. (In the proof's display for the mean of ‖x_i^{k,j} − x^k‖², 2Lγ² may replace 4Lγ² before f − f^inf.)",
    f"γL(N − 2) ≤ N − 1, {_DIVIDED}",
    Proof((*_PASS, SPREAD, BOUNDED_BELOW, SPREAD_LOCAL), (*LEMMA8_NODES, LEMMA8)),
    weakest="a simple condition that is enough, not the weakest: for N = 3 γL ≤ 5 is enough (FED-L8-THREE). Some bound on γL is "
    "necessary: the printed lemma has none and fails at γL = 20 with N = 5",
)
CLAIMS = (
    claim(
        "FED-L8",
        "Appendix G.1, Lemma 8",
        "lemma",
        LEMMAS["FED-L8"],
        "No condition on γ is stated: for large γ the pass diverges geometrically and the bound is linear in γ. (Nor are Δ^inf > 0 "
        "and Δ_i^inf ≥ 0, although the bound divides by √(LΔ^inf) and has their roots: FED-L8-S2.)",
        witness=Witness(
            values(gamma=20, x=0, N=5),
            "mean distance ≤ γ",
            _far,
            "M = 2, N = 5, quadratics centred at ±1, x = 0, γL = 20: the distances are 0, 4, 8, 28, 80",
        ),
        repair=_REPAIR8,
        consequence="Theorem 2 assumes γ ≤ 1/(2L), half of the 1/L that is enough here: nothing rests on the missing condition.",
    ),
    claim(
        "FED-L8-S1",
        "Appendix G.1, proof of Lemma 8, first display",
        "step",
        LEMMAS["FED-L8-S1"],
        "Quoted from a lemma on random reshuffling; for a fixed order it is false without a condition on γ, "
        "and true for γL(N − 2) ≤ N − 1, so for γ ≤ 1/L and for N ≤ 2.",
        witness=Witness(
            values(gamma=20, x=0, N=5), "mean square distance ≤ γ²", _far_squared, "the problem of FED-L8"
        ),
        repair=Repair(
            "It holds for γL(N − 2) ≤ N − 1.",
            "γL(N − 2) ≤ N − 1",
            Proof((*_PASS, BOUNDED_BELOW), (*LEMMA8_NODES, PRINTED_FIRST)),
        ),
    ),
    claim(
        "FED-L8-S2",
        "Appendix G.1, proof of Lemma 8, from the quadratic mean to the lemma",
        "step",
        LEMMAS["FED-L8-S2"],
        "Each inequality holds where its members are defined; √2 is given away in the last term. But Lemma 8, unlike Lemma 6 and "
        "Theorem 2, does not ask for Δ^inf > 0: the last members can divide by 0.",
        repair=Repair(
            "For Δ^inf > 0 and (1/M) Σ Δ_i^inf ≥ 0 every inequality holds, from the first display.",
            _DIVIDED,
            Proof((SMOOTH, GAMMA, SPREAD, BOUNDED_BELOW, SPREAD_LOCAL, _FIRST_DISPLAY), (_MEMBERS,)),
            weakest="with Δ^inf or (1/M) Σ Δ_i^inf negative a root of the lemma has no value",
        ),
        gap=Gap(
            "undefined",
            "the quotients by √(2γ²LΔ^inf) and √(LΔ^inf) where Δ^inf = 0",
            Witness(
                values(L=1, gamma="1/2", x=1),
                "2γ²LΔ^inf, the square of the denominator, is not 0",
                _divisor,
                "M = N = 1, f = f_1 = f_{1,1} = x²/2, all infima 0",
            ),
        ),
        consequence="Theorem 2 assumes Δ^inf > 0, so nothing rests on the missing condition.",
    ),
    claim(
        "FED-L9-1",
        "Appendix G.1, Lemma 9, item 1",
        "lemma",
        LEMMAS["FED-L9-1"],
        "The gradients are taken at x_i^{k,j}, not at x_i^{k,l}; the recursion above it has a free index j.",
        witness=Witness(
            values(gamma="1/2", x=1), "both sides are equal at l = 2", _unrolled, "N = 2, f_{i,j} = x²/2"
        ),
        repair=Repair(
            "x_i^{k,l} = xᵏ − (γ/N) Σ_{j<l} ∇f_{i,j}(x_i^{k,j})",
            "x_i^{k,j} for x_i^{k,l}",
            Proof((), (UNROLLED,)),
        ),
    ),
    claim(
        "FED-L9-2",
        "Appendix G.1, Lemma 9, item 2",
        "lemma",
        LEMMAS["FED-L9-2"],
        ca.WHOSE,
        gap=ca.by_its_own_words("(1/2) Σ ‖x_j − y_j‖ ≤ 2η", ca.item2),
        repair=Repair("Item 2 holds when each f_{i,j} is L-smooth.", _NEEDS, Proof(_NEAR, ITEM2_NODES)),
        consequence=ca.HOLDS,
    ),
    claim(
        "FED-L9-3",
        "Appendix G.1, Lemma 9, item 3",
        "lemma",
        LEMMAS["FED-L9-3"],
        f"As item 2: true where each f_{{i,j}} is L-smooth. {ca.WHOSE}",
        gap=ca.by_its_own_words("‖T(x) − T(y)‖ ≤ 2η", ca.item3),
        repair=Repair(
            "Item 3 holds when each f_{i,j} is L-smooth.", _NEEDS, Proof(_NEAR, incremental(ITEM4_NODES))
        ),
        consequence=ca.HOLDS,
    ),
    claim(
        "FED-L9-4",
        "Appendix G.1, Lemma 9, item 4",
        "lemma",
        LEMMAS["FED-L9-4"],
        f"As item 2: true where each f_{{i,j}} is L-smooth. {ca.WHOSE}",
        gap=ca.by_its_own_words("‖T(x) − (x − γ∇f(x))‖ ≤ γL (1/2) Σ ‖x_j − x‖", ca.item4),
        repair=Repair(
            "Item 4 holds when each f_{i,j} is L-smooth.", _NEEDS, Proof((GAMMA,), (*BIAS_NODES, ITEM4_IG))
        ),
        consequence=ca.HOLDS,
    ),
    claim(
        "FED-L9-2-S1",
        "Appendix G.1, proof of Lemma 9, second display",
        "step",
        LEMMAS["FED-L9-2-S1"],
        "L is missing beside γ: the units do not match, and for L > 1 the inequality is false. The next line "
        "has it back. (The last display ends with = 2η for ≤ 2η.)",
        witness=Witness(
            ca.EVEN, "mean distance ≤ ‖x − y‖ + γ · mean distance", ca.item2_second, ca.EVEN_PROBLEM
        ),
        repair=Repair(
            "With γL for γ it holds, and item 2 follows, when each f_{i,j} is L-smooth.",
            f"γL for γ; {_NEEDS}",
            Proof((SMOOTH, GAMMA, LOCAL_STEP, CLOSE), SECOND_DISPLAY),
        ),
    ),
    claim(
        "FED-L9-4-S1",
        "Appendix G.1, proof of Lemma 9, fourth statement, last equality",
        "step",
        LEMMAS["FED-L9-4-S1"],
        "The norm of a sum is at most the sum of the norms; they are equal only for parallel vectors.",
        witness=Witness(
            values(gamma="5/12", L="6/5", x=0, slope="-36/5", bend="36/31"),
            "|0 + 1 − 1| = 0 + 1 + 1",
            _equality,
            "N = 3, xᵏ = 0, on [0, 1] f_{i,0} = slope · y, f_{i,1} = y²/2, f_{i,2} = −bend · y²/2, continued so that each is "
            "L-smooth and bounded below: the differences are 0, 1, −1",
        ),
        repair=Repair("≤ in place of =", "≤", Proof((GAMMA,), incremental((ALONG, TRIANGLE)))),
    ),
    claim(
        "FED-L9-MOVE",
        "ours, what Lemma 9 gives for Theorem 2",
        "ours",
        "‖P_i(xᵏ⁺¹) − P_i(xᵏ)‖ ≤ 2Lη for incremental gradient with L-smooth f_{i,j} and γ ≤ 1/(2L)",
        "The same recursion as for local gradient steps.",
        proof=Proof(_NEAR, incremental((*ITEM24, MOVES))),
    ),
    claim(
        "FED-L8-SCALED",
        "ours, beside Lemma 8",
        "ours",
        "(1/M) Σ (1/N) Σ ‖x_i^{k,j} − xᵏ‖ ≤ γ(s/2 + L(f − f^inf + Δ^inf + (1/M) Σ Δ_i^inf)/s) for every s > "
        "0, γL(N − 2) ≤ N − 1",
        "From the quadratic mean; Δ^inf = 0 is allowed.",
        proof=Proof((*_PASS, hypothesis(SCALE.name, SCALE.relation)), (*LEMMA8_NODES, SCALED)),
    ),
)
