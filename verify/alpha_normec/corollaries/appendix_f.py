"""Appendix F: the bound (12) against Clip21's."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import sympy

from bounds.alpha_normec.comparison import clip21_threshold, gradient_descent
from bounds.alpha_normec.corollary1 import beta12, equation12
from bounds.alpha_normec.symbols import SYMBOLS
from bounds.scalars import maximum
from verify.alpha_normec.letters import (
    ALPHA,
    ANY_D,
    BETA,
    GAP,
    LETTERS,
    PAPER,
    ROUNDS,
    SMOOTH,
    SMOOTH_MAX,
    D,
    K,
    L,
    L_max,
    alpha,
    beta,
    f_gap,
    tau,
)
from verify.claim import Claim, Repair, Values, Witness
from verify.computation import Comparison
from verify.facts import definition, derived, equal, hypothesis, standard
from verify.gram import Space, inner, square, vectors
from verify.identity import Identity, Limit
from verify.induction import Induction
from verify.obligation import Obligation, obligation
from verify.proof import Proof
from verify.units import DifferentUnit

C_1 = LETTERS["C_1"]
THRESHOLD = clip21_threshold(f_gap, L, L_max)
_CLIPS = hypothesis("τ > 0", THRESHOLD > 0)
_FIRST = L_max * f_gap / (tau * sympy.sqrt(K + 1))
_best, _c_2 = sympy.symbols("min‖∇f‖ C_2", real=True)
_GROWN = 1 + C_1 * sympy.sqrt(2 * L) / (L_max * sympy.sqrt(f_gap))
_QUOTED = hypothesis(
    "Clip21's bound at this τ: the display before",
    _best <= _FIRST.subs(tau, THRESHOLD) + sympy.sqrt((1 + C_1 / THRESHOLD) * _c_2) / sympy.sqrt(K + 1),
)
_FIRST_TERM = Identity("first term", _FIRST.subs(tau, THRESHOLD), gradient_descent(f_gap, L, K),
                       (SMOOTH, SMOOTH_MAX, _CLIPS, ROUNDS))  # fmt: skip
_SECOND_TERM = Identity("second term", 1 + C_1 / THRESHOLD, _GROWN, (SMOOTH, SMOOTH_MAX, _CLIPS))
AF_1 = Claim(
    id="NEC-AF-1",
    paper=PAPER,
    place="Appendix F, first substitution",
    kind="step",
    printed="If τ = L_max/√(2L) · √(f(x⁰) − f^inf), then min_{k∈[0,K]} ‖∇f(x^k)‖ ≤ √(2L(f(x⁰) − f^inf)/(K+1)) + "
    "√((1 + C_1√(2L)/(L_max√(f(x⁰) − f^inf))) C_2)/(K+1)^{1/2}",
    reason="It follows from the display before it at this τ: both terms are as printed, with the root over the whole fraction of "
    "the first. (That display does not hold for every τ: NEC-AF-BOUND.)",
    proof=Proof(
        (SMOOTH, SMOOTH_MAX, _CLIPS, _QUOTED),
        (
            _FIRST_TERM,
            _SECOND_TERM,
            obligation(
                "the substitution",
                (ROUNDS, _FIRST_TERM.conclusion, _SECOND_TERM.conclusion, _QUOTED),
                _best <= gradient_descent(f_gap, L, K) + sympy.sqrt(_GROWN * _c_2) / sympy.sqrt(K + 1),
            ),
        ),
    ),
)


def _area(h: Fraction) -> Fraction:
    """∫ f′ over the step: 1 at its two ends, and between them as far down as slope 1 and f′ ≥ 0 let it."""
    return h - h**2 / 4 if h <= 2 else Fraction(1)


def _slopes(h: Fraction) -> list[tuple[Fraction, Fraction]]:
    """(way from x⁰, slope of f) at the corners of f′, straight between them: a dip within the step, 1 as long as f(x⁰) − f^inf
    allows, then down to 0 for ever."""
    dip = [(h / 2, 1 - h / 2)] if h <= 2 else [(Fraction(1), Fraction(0)), (h - 1, Fraction(0))]
    end = h + Fraction(7, 4) - Fraction(1, 2) - _area(h)
    one, nothing = Fraction(1), Fraction(0)
    return [(nothing, one), *dip, (h, one), (end, one), (end + 1, nothing)]


def _stalled(values: Values) -> Comparison:
    """Two rounds of Clip21 with one client on the line, from g⁰ = 0, at L = L_max = 1; f is nowhere steeper than 1, so that
    nothing is clipped. The printed right side is bounded above: √(1/2) ≤ 3/4."""
    h, tau_ = values["gamma"], values["tau"]
    corners = _slopes(h)
    pieces = list(pairwise(corners))
    drop = sum(((s + t) / 2 * (b - a) for (a, s), (b, t) in pieces), Fraction(0))
    slope_at = dict(corners)
    memory, way, seen = Fraction(0), Fraction(0), []
    for _ in range(2):
        seen.append(slope_at[way])
        message = max(-tau_, min(tau_, slope_at[way] - memory))
        memory += message
        way += h * memory
    root = Fraction(15, 16)
    return Comparison(min(seen), "<=", drop / tau_ * Fraction(3, 4) + root, (
        ("γ, τ > 0", min(h, tau_) > 0),
        ("f′ is 1-Lipschitz", all(abs(t - s) <= b - a and b > a for (a, s), (b, t) in pieces)),
        ("f falls all the way to f^inf", all(s >= 0 for _, s in corners) and corners[-1][1] == 0),
        ("f(x⁰) − f^inf = 7/4, C_1 = 1, so that C_2 = 7/4", drop == Fraction(7, 4) and seen[0] == 1),
        ("√((1 + C_1/τ)C_2)/√2 ≤ 15/16", (1 + 1 / tau_) * max(drop, Fraction(1)) / 2 <= root**2),
    ))  # fmt: skip


_h, _area_of = sympy.symbols("γ ∫f′", real=True)
_ANY_STEP = definition(
    "∫ f′ over the step: γ − γ²/4, or 1 where γ ≥ 2",
    sympy.Or((_h <= 2) & equal(_area_of, _h - _h**2 / 4), (_h >= 2) & equal(_area_of, 1)),
)
AF_BOUND = Claim(
    id="NEC-AF-BOUND",
    paper=PAPER,
    place="Appendix F, first display, last inequality",
    kind="equation",
    printed="from Theorem 5.6. of Khirirat et al. (2023), Clip21 achieves the following convergence bound: min_{k∈[0,K]} ‖∇f(x^k)‖ ≤ "
    "… ≤ L_max(f(x⁰) − f^inf)/(τ(K+1)^{1/2}) + √((1 + C_1/τ)C_2)/(K+1)^{1/2}, where τ > 0 is a clipping threshold",
    reason="For a large τ, with which nothing is clipped, it says ‖∇f‖² ≤ C_2/(K+1) of gradient descent, which no constant step size "
    "reaches: a constant is missing. Whatever γ is, f may have the slope 1 at x⁰ and x¹ and a dip between. (At the τ that Appendix F "
    "sets the same f obeys it: there the first term alone is gradient descent's bound, here 1.32.)",
    witness=Witness(
        {"gamma": Fraction(1), "tau": Fraction(700)},
        "min_{k≤K} ‖∇f(x^k)‖ ≤ the printed bound (bounded above)",
        _stalled,
        "n = 1, d = 1, L = L_max = 1, K = 1, g⁰ = 0: f falls from x⁰ with slope 1 but for a dip within the first step, and ends flat; "
        "for every γ > 0 there is such an f with f(x⁰) − f^inf = 7/4",
        universal=Proof(
            (),
            (obligation("7/4 − 1/2 − ∫ f′ > 0: the slope is 1 for a while after x¹", (_ANY_STEP,),
                        _area_of + sympy.Rational(1, 2) < sympy.Rational(7, 4)),),
        ),
    ),
    consequence="Which constant Theorem 5.6 has is not in this paper; so the two methods' constants, which Appendix F compares, are "
    "not known to be comparable.",
)  # fmt: skip
_total, _count, _mean, _norm = sympy.symbols("Σ‖∇f‖ m E‖∇f(x̂)‖ ‖∇f(xᵏ)‖", real=True)
_LEAST = derived("m min‖∇f‖ ≤ Σ_{k<m}‖∇f(xᵏ)‖", _count * _best <= _total)
_EACH = standard("min‖∇f‖ ≤ ‖∇f(xᵏ)‖", _best <= _norm)
_DRAWN = hypothesis(
    "x̂ is drawn uniformly from m ≥ 1 iterates: E‖∇f(x̂)‖ = Σ‖∇f(xᵏ)‖/m",
    (_count >= 1) & equal(_mean * _count, _total),
)
_size, _unit = vectors("‖∇f(x̂)‖ 1")
_SIZES = Space((_size, _unit))
AF_CHAIN = Claim(
    id="NEC-AF-CHAIN",
    paper=PAPER,
    place="Appendix F, first display",
    kind="step",
    printed="let x̂^K be selected uniformly at random from a set {x⁰, x¹, …, x^K}. […] min_{k∈[0,K]} ‖∇f(x^k)‖ ≤ E[‖∇f(x̂^K)‖] ≤ "
    "√(E[‖∇f(x̂^K)‖²])",
    reason="The least of K + 1 norms is at most their mean, and E‖·‖ ≤ √E‖·‖². (What the display ends with: NEC-AF-BOUND.)",
    proof=Proof(
        (_DRAWN,),
        (
            Induction(
                _LEAST.name,
                _LEAST,
                Obligation("empty sum", (), derived("start", sympy.Le(0 * _best, 0))),
                Obligation("one iterate more", (_LEAST, _EACH), derived("step", (_count + 1) * _best <= _total + _norm)),
                ((_count, 0), (_total, 0)),
                ((_count, _count + 1), (_total, _total + _norm)),
            ),
            obligation(
                "min‖∇f‖ ≤ E‖∇f(x̂)‖ = Σ‖∇f(xᵏ)‖/m",
                (_LEAST, _DRAWN),
                _best <= _mean,
            ),
            obligation("E‖∇f(x̂)‖ ≤ √E‖∇f(x̂)‖²", (definition("E1 = 1", equal(square(_unit), 1)), *_SIZES.facts()),
                       inner(_size, _unit) <= sympy.sqrt(square(_size))),
        ),
    ),
)  # fmt: skip
AF_FIRST = Claim(
    id="NEC-AF-FIRST",
    paper=PAPER,
    place="Appendix F, after the second display",
    kind="prose",
    printed="The first term in the convergence bound of Clip21 matches that of α-NormEC as given in (12).",
    reason="With the τ of Appendix F it is √(2L(f(x⁰) − f^inf))/√(K+1), which is (12) but for its 2D.",
    proof=Proof(
        (SMOOTH, SMOOTH_MAX, _CLIPS),
        (
            Identity("the first terms agree", _FIRST.subs(tau, THRESHOLD), equation12(f_gap, L, sympy.Integer(0), K),
                     (SMOOTH, SMOOTH_MAX, _CLIPS, ROUNDS)),
        ),
    ),
)  # fmt: skip
_C2 = maximum(maximum(L, L_max) * f_gap, C_1**2)
_EXCESS = C_1 * sympy.sqrt(2 * L) / (L_max * sympy.sqrt(f_gap))
_a, _h, _m, _c_2, _p = sympy.symbols("a √(f(x⁰)−f^inf) √M C_2 p", real=True)
_NONNEGATIVE = definition("C_1 ≥ 0", C_1 >= 0)
_NAMED = definition(
    "a = √(2L)/L_max, √M = √max(L, L_max), C_2, and p, the printed maximum",
    (_a >= 0) & equal(_a * L_max, sympy.sqrt(2 * L)) & (_h >= 0) & equal(_h**2, f_gap)
    & (_m >= 0) & equal(_m**2, maximum(L, L_max)) & equal(_c_2, maximum(_m**2 * _h**2, C_1**2))
    & equal(_p, maximum(sympy.sqrt(C_1 * _h), C_1**3 / _h)),
)  # fmt: skip
_FAR = obligation("f(x⁰) > f^inf", (SMOOTH, SMOOTH_MAX, _CLIPS), f_gap > 0)
_IN_LETTERS = (SMOOTH, SMOOTH_MAX, _NONNEGATIVE, _FAR.conclusion, _NAMED)
_SECOND = obligation("p ≥ C_1³/√(f(x⁰) − f^inf)", _IN_LETTERS, (_p * _h >= C_1**3) & (_p >= 0))
_EITHER = obligation(
    "C_2 is the larger of the two",
    _IN_LETTERS,
    sympy.Or((C_1 <= _m * _h) & equal(_c_2, _m**2 * _h**2), (C_1 >= _m * _h) & equal(_c_2, C_1**2)),
)
_UP_TO_A_FACTOR = obligation(
    "(1 + aC_1/√(f(x⁰) − f^inf)) C_2 ≤ (1 + a√M/2)(C_2 + ap)",
    (*_IN_LETTERS, _SECOND.conclusion, _EITHER.conclusion),
    (1 + _a * C_1 / _h) * _c_2 <= (1 + _a * _m / 2) * (_c_2 + _a * _p),
)
_SMALL_FACTOR = obligation(
    "1 + a√M/2 ≤ 1.31² where L ≤ L_max",
    (SMOOTH, SMOOTH_MAX, _NAMED),
    sympy.Or(L > L_max, 1 + _a * _m / 2 <= sympy.Rational(131, 100) ** 2),
)
_y, _M = sympy.symbols("y M", real=True)
_ANY_M = hypothesis("M > 0: the constant of O(·)", _M > 0)
_FAR_ENOUGH = hypothesis("y > M and y ≥ 1", (_y > _M) & (_y >= 1))
_NEAR_ENOUGH = hypothesis("y > 0 and y(M + 1) ≤ 1", (_y > 0) & (_y * (_M + 1) <= 1))


def _outer(values: Values) -> Comparison:
    """Squares of both sides at L = L_max = C_1 = 1 and f(x⁰) − f^inf = y⁴; √2 is bounded below by 7/5."""
    y, m = values["y"], values["M"]
    c_2, largest = max(y**4, Fraction(1)), max(y, 1 / y**2)
    return Comparison((1 + Fraction(7, 5) / y**2) * c_2, "<=", c_2 + m * largest, (
        ("f(x⁰) − f^inf, C_1 > 0", y > 0),
        ("M > 0", m > 0),
    ))  # fmt: skip


def _inner(values: Values) -> Comparison:
    """Both sides at L = L_max = 1, C_1 = y⁴ and f(x⁰) − f^inf = y¹², the left one bounded below by √(C_2/y²)."""
    y, m = values["y"], values["M"]
    gap, c_1, root = y**12, y**4, y**4
    largest = max(y**2 * y**3, c_1**3 / y**6)
    return Comparison(root / y, "<=", root + m * largest, (
        ("f(x⁰) − f^inf, C_1 > 0", y > 0),
        ("M > 0", m > 0),
        ("√C_2 = y⁴", max(gap, c_1**2) == root**2),
        ("1 + C_1√2/√(f(x⁰) − f^inf) ≥ 1/y²", 1 + Fraction(7, 5) * c_1 / y**6 >= 1 / y**2),
    ))  # fmt: skip


AF_2 = Claim(
    id="NEC-AF-2",
    paper=PAPER,
    place="Appendix F, second step",
    kind="step",
    printed="√((1 + C_1√(2L)/(L_max√(f(x⁰) − f^inf))) C_2) ≤ √(C_2 + O(max(√C_1 ⁴√(f(x⁰) − f^inf), "
    "C_1³/√(f(x⁰) − f^inf)))) [C_1 = max_{i∈[1,n]} ‖∇f_i(x⁰)‖, and C_2 = max(max(L, L_max)(f(x⁰) − f^inf)), C_1²), with one bracket "
    "too many]",
    reason="The first entry of the maximum must be C_1√(f(x⁰) − f^inf): as printed it has, but for a factor √L, the unit of the "
    "other's root, and with L = L_max = C_1 = 1 the C_1√(f(x⁰) − f^inf) under the left root outgrows every multiple of the printed "
    "maximum. With the root over C_2 alone it fails as well (NEC-AF-2@root-over-C_2).",
    witness=Witness(
        {"y": Fraction(1000), "M": Fraction(1000)},
        "(1 + √2/y²)C_2 ≤ C_2 + M max(√C_1 ⁴√(f(x⁰) − f^inf), C_1³/√(f(x⁰) − f^inf)) for the constant M = 1000",
        _outer,
        "L = L_max = C_1 = 1, f(x⁰) − f^inf = y⁴, for instance one client with a Huber function; for every other M take y > M",
        universal=Proof(
            (_ANY_M, _FAR_ENOUGH),
            (
                DifferentUnit("the two entries of the maximum have different units: those of √L times each",
                              sympy.sqrt(L) * sympy.sqrt(C_1) * f_gap ** sympy.Rational(1, 4),
                              L ** sympy.Rational(1, 2) * C_1**3 / sympy.sqrt(f_gap), SYMBOLS),
                obligation("√2 y² ≥ 7y²/5 > My, where the maximum is y", (_ANY_M, _FAR_ENOUGH),
                           (sympy.sqrt(2) * _y**2 >= 7 * _y**2 / 5) & (7 * _y**2 / 5 > _M * _y) & (_y * _y**2 >= 1)),
            ),
        ),
    ),
    repair=Repair(
        "The left side is √(C_2 + (√(2L)/L_max) max(max(L, L_max) C_1√(f(x⁰) − f^inf), C_1³/√(f(x⁰) − f^inf))). It is at most "
        "√(1 + √(2L max(L, L_max))/(2L_max)) times the printed right side with √(2L)/L_max for O(·), or 1.31 times where L ≤ L_max.",
        "C_1√(f(x⁰) − f^inf) for √C_1 ⁴√(f(x⁰) − f^inf), or a factor",
        Proof(
            (SMOOTH, SMOOTH_MAX, _CLIPS),
            (
                _FAR,
                _SECOND,
                _EITHER,
                _UP_TO_A_FACTOR,
                _SMALL_FACTOR,
                obligation(
                    "C_1√(2L)/(L_max√f_gap) · C_2 is that maximum",
                    (SMOOTH, SMOOTH_MAX, _NONNEGATIVE, _CLIPS),
                    equal(_EXCESS * _C2, sympy.sqrt(2 * L) / L_max
                             * maximum(maximum(L, L_max) * C_1 * sympy.sqrt(f_gap), C_1**3 / sympy.sqrt(f_gap))),
                ),
            ),
        ),
    ),
)  # fmt: skip
AF_2_INNER = Claim(
    id="NEC-AF-2@root-over-C_2",
    paper=PAPER,
    place="Appendix F, second step, the last root read over C_2 alone",
    kind="step",
    printed=AF_2.printed,
    reason="Here the first entry of the maximum is right and the second, which must then be C_1^{3/2}/⁴√(f(x⁰) − f^inf), is not: with "
    "L = L_max = 1, C_1 = y⁴ and f(x⁰) − f^inf = y¹² the left side is at least y³ and the maximum y⁵.",
    witness=Witness(
        {"y": Fraction(1, 1001), "M": Fraction(1000)},
        "√(C_2/y²) ≤ √C_2 + M max(√C_1 ⁴√(f(x⁰) − f^inf), C_1³/√(f(x⁰) − f^inf)) for the constant M = 1000; the left side is a lower "
        "bound",
        _inner,
        "L = L_max = 1, C_1 = y⁴, f(x⁰) − f^inf = y¹², for instance clients that differ; for every other M take y ≤ 1/(M + 1)",
        universal=Proof(
            (_ANY_M, _NEAR_ENOUGH),
            (obligation("y³ > y⁴ + My⁵", (_ANY_M, _NEAR_ENOUGH), _y**3 > _y**4 + _M * _y**5),),
        ),
    ),
)  # fmt: skip


def _larger(values: Values) -> Comparison:
    """Squares of the second constants: (2D)² against (1 + C_1/τ)C_2, at L = L_max = 1 and f(x⁰) − f^inf = 1/2."""
    a, b, big_d, c_1 = (values[name] for name in ("alpha", "beta", "D", "C_1"))
    threshold = Fraction(1, 2)  # L_max/√(2L)·√(1/2)
    return Comparison((2 * big_d) ** 2, "<=", (1 + c_1 / threshold) * max(Fraction(1, 2), c_1**2), (
        ("α > β", a > b),
        ("β = L_max(α+D)/D · √(2(f(x⁰) − f^inf)/L)", b == (a + big_d) / big_d),
        ("D > 0, C_1 > 0", min(big_d, c_1) > 0),
    ))  # fmt: skip


_SMALL_D = 4 * D**2 > 8 * L_max**2 * f_gap / L
_ALLOWED = (ALPHA, BETA, SMOOTH, SMOOTH_MAX, hypothesis("α > β", alpha > beta), ANY_D,
            hypothesis("β of (12)", equal(beta, beta12(f_gap, L, L_max, alpha, D))))  # fmt: skip
_LARGE_D = obligation(
    "(2D)² > 8L_max²(f(x⁰) − f^inf)/L", (*(f for f in _ALLOWED if f is not BETA), GAP), _SMALL_D
)
_MEMBERS = hypothesis("L ≤ L_max (the mean of the f_i has such an L)", L <= L_max)
_ALIKE = hypothesis("C_1² ≤ 2L_max(f(x⁰) − f^inf)", C_1**2 <= 2 * L_max * f_gap)
_NORM = definition("C_1 = max_i ‖∇f_i(x⁰)‖ ≥ 0", C_1 >= 0)
_TWO = obligation("C_1/τ ≤ 2", (SMOOTH, SMOOTH_MAX, _CLIPS, _MEMBERS, _ALIKE, _NORM), C_1 / THRESHOLD <= 2)
_SIX = obligation(
    "(1 + C_1/τ)C_2 ≤ 6L_max(f(x⁰) − f^inf)",
    (SMOOTH, SMOOTH_MAX, _CLIPS, _MEMBERS, _ALIKE, _NORM, _TWO.conclusion),
    (1 + C_1 / THRESHOLD) * _C2 <= 6 * L_max * f_gap,
)
AF_3 = Claim(
    id="NEC-AF-3",
    paper=PAPER,
    place="Appendix F; Section 4, first sentence after Algorithm 1 and comparison with Clip21",
    kind="prose",
    printed="α-NormEC achieves better convergence guarantees than Clip21 in the non-private setting […] provides stronger "
    "convergence guarantees than Clip21. […] the convergence bound of α-NormEC (12) has a smaller factor than that of Clip21 […] "
    "the second term […] is D/√(K+1), where D > 0 can be made arbitrarily small. In contrast, the corresponding term for Clip21 is "
    "C/√(K+1), where C > 0 may become significantly larger than D if x⁰ ∈ R^d is far from the stationary point, leading to a large "
    "value of C_1 = […]",
    reason="(12) needs D > L_max√(2(f(x⁰) − f^inf)/L), so its second constant 2D cannot be small; for clients with small first "
    "gradients Clip21's, as Appendix F quotes it (NEC-AF-BOUND), is smaller. (The term is also 2D, not D.) Nor is distance the "
    "cause: it is smaller for equal clients however far x⁰ is. So neither bound is the smaller one for all problems; that Clip21's "
    "may be much the larger one is true (NEC-AF-3@may). (What is said of the step size: NEC-S4-STEP and NEC-S4-STEP@Clip21.)",
    witness=Witness(
        {"alpha": Fraction(22), "beta": Fraction(21), "D": Fraction(11, 10), "C_1": Fraction(1, 10)},
        "(2D)² ≤ (1 + C_1/τ) C_2",
        _larger,
        "L = L_max = 1, f(x⁰) − f^inf = 1/2, τ as Appendix F sets it",
    ),
    repair=Repair(
        "Where (12)'s hypotheses hold its second constant 2D exceeds 2√2 L_max√((f(x⁰) − f^inf)/L), whatever the memories. Where "
        "L ≤ L_max and C_1² ≤ 2L_max(f(x⁰) − f^inf), as for equal clients at every x⁰, Clip21's, as Appendix F quotes it "
        "(NEC-AF-BOUND), is below √(6/8) = 0.866 of it: only clients that differ can make Clip21's the larger one.",
        "D > L_max√(2(f(x⁰) − f^inf)/L); heterogeneity, not distance, as the cause; L ≤ L_max, which the mean of the f_i allows",
        Proof(
            (*_ALLOWED, _CLIPS, _MEMBERS, _ALIKE),
            (
                _LARGE_D,
                _TWO,
                _SIX,
                obligation(
                    "8(1 + C_1/τ)C_2 < 6(2D)²",
                    (SMOOTH, SMOOTH_MAX, _MEMBERS, _SIX.conclusion, _LARGE_D.conclusion, _CLIPS, GAP),
                    8 * (1 + C_1 / THRESHOLD) * _C2 < 6 * 4 * D**2,
                ),
                Limit(
                    "at C_1 = 1, which clients that differ have at every x⁰, (1 + C_1/τ)C_1² → ∞ as f(x⁰) − f^inf → 0",
                    1 + 1 / THRESHOLD,
                    f_gap,
                    sympy.Integer(0),
                    sympy.oo,
                    given=(SMOOTH, SMOOTH_MAX),
                ),
            ),
        ),
    ),
    consequence="Near a minimiser of f, with clients that differ, C_1 stays large while f(x⁰) − f^inf → 0: there "
    "Clip21's constant, as quoted, is the larger one where D is near its limit. (It can be so elsewhere, where clients differ "
    "much. At a stationary point of another kind f(x⁰) − f^inf is not small.)",
)
_away, _apart, _times, _x, _to = sympy.symbols("x⁰ h M_times x y_to", real=True)
_HOW_FAR = hypothesis(
    "x⁰ > 0, M > 0: how far x⁰ is, and how many times D the constant C is to be", (_away > 0) & (_times > 0)
)
_DIFFER = hypothesis("h = 2Mx⁰: the clients are ½(x − h)² and ½(x + h)²", equal(_apart, 2 * _times * _away))
_SIZES = hypothesis(
    "L = L_max = 1 and f(x⁰) − f^inf = x⁰²/2, those of ½(x ∓ h)²",
    equal(L, 1) & equal(L_max, 1) & equal(2 * f_gap, _away**2),
)
_TAKEN = hypothesis("D = 2x⁰, α = 3x⁰ + 1", equal(D, 2 * _away) & equal(alpha, 3 * _away + 1))
_BETA = hypothesis("β of (12)", equal(beta, beta12(f_gap, L, L_max, alpha, D)))
_FIRST_GRADIENTS = hypothesis(
    "C_1 = max(|x⁰ − h|, |x⁰ + h|), the longer of their gradients at x⁰",
    equal(C_1, maximum(sympy.Abs(_away - _apart), sympy.Abs(_away + _apart))),
)
_OTHERS = (_HOW_FAR, _DIFFER, _SIZES, _TAKEN, _BETA)
_THERE = obligation("τ = x⁰/2", (_HOW_FAR, _SIZES), equal(THRESHOLD, _away / 2))
_LARGEST = obligation("C_1 = x⁰ + h", (_HOW_FAR, _DIFFER, _FIRST_GRADIENTS), equal(C_1, _away + _apart))
AF_MAY = Claim(
    id="NEC-AF-3@may",
    paper=PAPER,
    place="Appendix F, last sentence, of some problems",
    kind="prose",
    printed="In contrast, the corresponding term for Clip21 is C/√(K+1), where C > 0 may become significantly larger than D if x⁰ ∈ "
    "R^d is far from the stationary point, leading to a large value of C_1 = max_{i∈[1,n]} ‖∇f_i(x⁰)‖. [For every M and every x⁰ ≠ 0 "
    "there is a problem with its stationary point at 0 on which C > MD, D and C_1 being as they are there]",
    reason="“May” is true: of clients ½(x ∓ h)² with h = 2Mx⁰ the constant C, as Appendix F quotes it (NEC-AF-BOUND), is more than M "
    "times a D that (12) takes. It is h, how the clients differ, that does this, however near or far x⁰ is: with h = 0 it does not "
    "happen (NEC-AF-3).",
    proof=Proof(
        (*_OTHERS, _FIRST_GRADIENTS),
        (
            *(
                Identity(f"½(x {sign} h)² is 1-smooth: its second-order expansion is exact, with curvature 1", (_to + move) ** 2 / 2,
                         (_x + move) ** 2 / 2 + (_x + move) * (_to - _x) + (_to - _x) ** 2 / 2)
                for sign, move in (("−", -_apart), ("+", _apart))
            ),
            Identity("their mean is ½x² + ½h²: its stationary point is 0, and f(x⁰) − f^inf = x⁰²/2",
                     ((_away - _apart) ** 2 / 2 + (_away + _apart) ** 2 / 2) / 2, _away**2 / 2 + _apart**2 / 2),
            obligation("α > 1, α > β > 0: (12) takes this D", _OTHERS, (alpha > 1) & (alpha > beta) & (beta > 0)),
            _THERE,
            _LARGEST,
            obligation("(1 + C_1/τ)C_2 > (MD)²",
                       (_HOW_FAR, _DIFFER, _SIZES, _TAKEN, _THERE.conclusion, _LARGEST.conclusion),
                       (1 + C_1 / (_away / 2)) * _C2 > (_times * D) ** 2),
        ),
    ),
)  # fmt: skip
CLAIMS = (AF_CHAIN, AF_BOUND, AF_1, AF_FIRST, AF_2, AF_2_INNER, AF_3, AF_MAY)
