"""The steps of Lemma 1's proof: β is missing before Norm_α in three of its displays, and the bound by its value at C is false."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy

from verify.claim import Gap, Repair, Values, Witness
from verify.computation import Comparison
from verify.facts import definition, equal, hypothesis
from verify.fed_alpha_normec.lemmas.lemma1 import (
    BALL,
    DISTANCE,
    FEEDBACK_C,
    FIRST_REPAIRED,
    GEOMETRIC_MEAN,
    IN_BALL,
    LEMMA1_FIRST,
    OVERSHOOT,
    OVERSHOT,
    SECOND,
    WEAKEST,
    C,
    moved,
    r,
    r_next,
    residual,
    rho,
    u,
    w,
)
from verify.fed_alpha_normec.lemmas.lemma_displays import LEMMAS
from verify.fed_alpha_normec.letters import ALPHA, BETA, alpha, beta, claim, gamma, values
from verify.gram import Space, vectors
from verify.obligation import obligation
from verify.proof import Proof

_apart, _mapped = vectors("x−y T(x)−T(y)")
_two = Space((_apart, _mapped))
_step_length, _image = _two.norm(_apart, "‖x−y‖"), _two.norm(_mapped, "‖T(x)−T(y)‖")
_change = _two.norm(_apart - _mapped, "‖(x−T(x))−(y−T(y))‖")
_GAMMA = hypothesis("γ > 0", gamma > 0)
_LIPSCHITZ = hypothesis("‖T_i(x) − T_i(y)‖ ≤ ρ‖x − y‖", _image <= rho * _step_length)
_MOVED = definition("P(x) − P(y) = ((x − T(x)) − (y − T(y)))/γ", equal(moved * gamma, _change))
_STEP1 = obligation(
    "‖P(x) − P(y)‖ ≤ (1/γ)(‖x − y‖ + ‖T(x) − T(y)‖) ≤ (1/γ)(1 + ρ)‖x − y‖",
    (_GAMMA, _LIPSCHITZ, _MOVED, *_two.facts()),
    (moved <= (_step_length + _image) / gamma)
    & ((_step_length + _image) / gamma <= (1 + rho) * _step_length / gamma),
)

# P(xᵏ⁺¹) − vᵏ⁺¹ = (P(xᵏ⁺¹) − P(xᵏ)) + (u − βu/(α + ‖u‖)), u = P(xᵏ) − vᵏ.
(_turn,) = vectors("P(x')−P(x)")
_both = Space((_turn, u))
_both.norm(_turn, str(moved))
_kept: Any = (1 - beta / (alpha + _both.norm(u, str(r)))) * u
_both.norm(_kept, str(w))
_both.norm(_turn + _kept, str(r_next))
_TRIANGLE = obligation(
    "‖P(xᵏ⁺¹) − vᵏ⁺¹‖ ≤ ‖P(xᵏ⁺¹) − P(xᵏ)‖ + ‖P(xᵏ) − vᵏ − β Norm_α(P(xᵏ) − vᵏ)‖",
    (ALPHA, BETA, *_both.facts()),
    r_next <= moved + w,
)
_THEREFORE = obligation(
    "‖P(xᵏ⁺¹) − vᵏ⁺¹‖ ≤ (1/γ)(1 + ρ)‖xᵏ⁺¹ − xᵏ‖ + ‖P(xᵏ) − vᵏ − β Norm_α(P(xᵏ) − vᵏ)‖",
    (_STEP1.conclusion, _TRIANGLE.conclusion),
    r_next <= (1 + rho) * _step_length / gamma + w,
)
_left, _right = sympy.Abs(1 - 1 / (alpha + r)) * r, sympy.Abs(1 - beta / (alpha + r)) * r
_exactly = (beta - 1) * (2 * (alpha + r) - 1 - beta) <= 0
_EXACTLY = obligation(
    "|1 − 1/(α + r)| r ≤ |1 − β/(α + r)| r exactly where (β − 1)(2(α + r) − 1 − β) ≤ 0",
    (ALPHA, BETA, definition("r > 0", r > 0)),
    sympy.And(sympy.Implies(_left <= _right, _exactly), sympy.Implies(_exactly, _left <= _right)),
)


def _contraction_step(numbers: Values) -> Comparison:
    _, second, met = residual(numbers)
    return Comparison(
        second, "<=", (1 - numbers["beta"] / (numbers["alpha"] + numbers["C"])) * numbers["C"], met
    )


def _step(v: Values) -> tuple[Fraction, Fraction, tuple[tuple[str, bool], ...]]:
    """In one dimension from vᵏ = 0 and P(xᵏ) = r, T(x) = −ρx, to xᵏ⁺¹ = xᵏ + η: ‖P(xᵏ⁺¹) − vᵏ⁺¹‖ and ‖P(xᵏ⁺¹) − P(xᵏ)‖, which is
    (1 + ρ)η/γ here."""
    a, b, c, r_, rho_, g, eta_ = (v[name] for name in ("alpha", "beta", "C", "r", "rho", "gamma", "eta"))
    x = g * r_ / (1 + rho_)
    here, there = (1 + rho_) * x / g, (1 + rho_) * (x + eta_) / g
    met = (
        ("‖P(xᵏ) − vᵏ‖ ≤ C", abs(here) <= c), ("β/(α + C) < 1", min(a, b) > 0 and b / (a + c) < 1), ("ρ > 0", rho_ > 0),
        ("η ≤ γβC/((1 + ρ)(α + C))", 0 <= eta_ <= g * b * c / ((1 + rho_) * (a + c))),
    )  # fmt: skip
    return abs(there - b * here / (a + abs(here))), abs(there - here), met


def _no_beta(v: Values) -> Fraction:
    """‖u − Norm_α(u)‖ for u = r."""
    return abs(v["r"] - v["r"] / (v["alpha"] + v["r"]))


def _first_display(v: Values) -> Comparison:
    after, moved_, met = _step(v)
    return Comparison(after, "<=", moved_ + _no_beta(v), met)


def _therefore(v: Values) -> Comparison:
    after, _, met = _step(v)
    return Comparison(after, "<=", (1 + v["rho"]) * v["eta"] / v["gamma"] + _no_beta(v), met)


def _second_term(v: Values) -> Comparison:
    a, b, r_, c = (v[name] for name in ("alpha", "beta", "r", "C"))
    met = (("α, β > 0", a > 0 and b > 0), ("r ≤ C", 0 < r_ <= c), ("β/(α + C) < 1", b / (a + c) < 1))
    return Comparison(_no_beta(v), "<=", abs(1 - b / (a + r_)) * r_, met)


def _without_beta(numbers: Values) -> Comparison:
    a, b, r_, c = (numbers[n] for n in ("alpha", "beta", "r", "C"))
    met = (("α, β > 0", a > 0 and b > 0), ("r ≤ C", 0 < r_ <= c), ("β/(α + C) < 1", b / (a + c) < 1))
    return Comparison(_no_beta(numbers), "<=", abs(1 - b / (a + c)) * c, met)


_FAR = values(alpha=1, beta="1/2", C=1, r=1, rho=2, gamma=1, eta="1/12")
_FAR_PROBLEM = (
    "d = 1, v = 0, T(x) = −2x, P(xᵏ) = 1, ‖xᵏ⁺¹ − xᵏ‖ = η = 1/12: the residual is 1 after as before"
)
_FIRST = LEMMA1_FIRST.repair
_AGAINST_FIRST = LEMMA1_FIRST.witness
assert _FIRST is not None
assert _AGAINST_FIRST is not None
_BOTH = obligation(
    "‖P(xᵏ⁺¹) − vᵏ⁺¹‖ ≤ C and ‖P(xᵏ) − vᵏ⁺¹‖ ≤ C",
    (FIRST_REPAIRED.conclusion, SECOND.conclusion),
    (r_next <= C) & (w <= C),
)

CLAIMS = (
    claim(
        "FED-L1-S1",
        "Appendix E, proof of Lemma 1, first display",
        "step",
        LEMMAS["FED-L1-S1"],
        "β is missing before the last Norm_α: without it the last term can be smaller than what is left of the residual.",
        witness=Witness(
            _FAR,
            "‖P(xᵏ⁺¹) − vᵏ⁺¹‖ ≤ ‖P(xᵏ⁺¹) − P(xᵏ)‖ + ‖P(xᵏ) − vᵏ − Norm_α(P(xᵏ) − vᵏ)‖",
            _first_display,
            _FAR_PROBLEM,
        ),
        repair=Repair(
            "It holds with β Norm_α in place of Norm_α.", "β restored", Proof((ALPHA, BETA), (_TRIANGLE,))
        ),
    ),
    claim(
        "FED-L1-S2",
        "Appendix E, proof of Lemma 1, bound of the first term",
        "step",
        LEMMAS["FED-L1-S2"],
        "Triangle inequality and the Lipschitz constant of T_i.",
        proof=Proof((_GAMMA, _LIPSCHITZ), (_STEP1,)),
    ),
    claim(
        "FED-L1-S7",
        "Appendix E, proof of Lemma 1, “Therefore”, between the bounds of the two terms",
        "step",
        LEMMAS["FED-L1-S7"],
        "The first display with the bound of its first term, and β is missing here too.",
        witness=Witness(
            _FAR,
            "‖P(xᵏ⁺¹) − vᵏ⁺¹‖ ≤ (1/γ)(1 + ρ)‖xᵏ⁺¹ − xᵏ‖ + ‖P(xᵏ) − vᵏ − Norm_α(P(xᵏ) − vᵏ)‖",
            _therefore,
            _FAR_PROBLEM,
        ),
        repair=Repair(
            "It holds with β Norm_α in place of Norm_α.",
            "β restored",
            Proof((ALPHA, BETA, _GAMMA, _LIPSCHITZ), (_STEP1, _TRIANGLE, _THEREFORE)),
        ),
    ),
    claim(
        "FED-L1-S8",
        "Appendix E, proof of Lemma 1, “from Lemma 1 of [60]”",
        "step",
        LEMMAS["FED-L1-S8"],
        "β is missing before Norm_α. Without it this holds exactly where (β − 1)(2(α + r) − 1 − β) ≤ 0, r = ‖P_i(x^k) − v_i^k‖ > 0: "
        "it fails at large r if β > 1, and at small r if β < 1 and α < (1 + β)/2.",
        witness=Witness(
            values(alpha=1, beta=2, r=1, C=2),
            "‖u − Norm_α(u)‖ ≤ |1 − β/(α + r)| r",
            _second_term,
            "d = 1, u = 1, β = 2",
        ),
        repair=Repair(
            "With β Norm_α in place of Norm_α the left side equals |1 − β/(α + r)| r.",
            "β restored",
            Proof((ALPHA, BETA), (_EXACTLY, DISTANCE)),
        ),
    ),
    claim(
        "FED-L1-S3",
        "Appendix E, proof of Lemma 1, bound of the second term, β restored before Norm_α",
        "step",
        LEMMAS["FED-L1-S3"]
        + " [βNorm_α for Norm_α, hence |1 − β/(α+r)| r on the left, r = ‖P_i(x^k) − v_i^k‖]",
        "Where β > α, the function |1 − β/(α+r)| r decreases on √(αβ) − α < r < β − α, and its value at C need not bound it; both "
        "conclusions of the lemma are printed as following from this.",
        witness=Witness(
            OVERSHOOT,
            "|1 − β/(α + r)| r ≤ (1 − β/(α + C)) C",
            _contraction_step,
            "α = C = 1, β = 15/8, r = 1/2: 1/8 > 1/16",
        ),
        repair=Repair(
            "It holds for β ≤ α and where (√β − √α)² ≤ C(1 − β/(α + C)). "
            "(|1 − β/(α + r)| r ≤ C holds for every β < α + C: FED-L1-ii.)",
            WEAKEST.name,
            Proof((ALPHA, BETA, BALL, GEOMETRIC_MEAN, WEAKEST, IN_BALL), OVERSHOT),
            weakest="for every r ≤ C it is necessary: the left-hand side is (√β − √α)² at r = √(αβ) − α",
        ),
    ),
    claim(
        "FED-L1-S3@letter",
        "Appendix E, proof of Lemma 1, bound of the second term, by the letter",
        "step",
        LEMMAS["FED-L1-S3"],
        "Without the β before Norm_α (FED-L1-S1) the left-hand side is not even the residual that the lemma is about.",
        witness=Witness(
            OVERSHOOT,
            "‖u − Norm_α(u)‖ ≤ |1 − β/(α + C)| C",
            _without_beta,
            "α = C = 1, β = 15/8, r = 1/2: 1/6 > 1/16",
        ),
    ),
    claim(
        "FED-L1-S4",
        "Appendix E, proof of Lemma 1, last chain",
        "step",
        LEMMAS["FED-L1-S4"],
        "The middle inequality is that of FED-L1-S3, here with its β: false where a small residual is overshot. What the chain ends "
        "with is true (FED-L1-ii).",
        witness=Witness(
            OVERSHOOT,
            "‖P_i(xᵏ) − v_iᵏ⁺¹‖ ≤ (1 − β/(α + C)) C",
            _contraction_step,
            "α = C = 1, β = 15/8, r = 1/2: 1/8 > 1/16",
        ),
        repair=Repair(
            "‖P_i(xᵏ) − v_iᵏ⁺¹‖ ≤ C, without the middle member.",
            "the middle member left out",
            Proof((ALPHA, BETA, BALL, FEEDBACK_C, IN_BALL), (DISTANCE, SECOND)),
        ),
    ),
    claim(
        "FED-APPE-FIRST",
        "Appendix E, before Lemma 1, with what the lemma concludes",
        "prose",
        "First, Lemma 1 establishes the bounds for ‖(x^k − T_i(x^k))/γ − v_i^k‖ and ‖(x^k − T_i(x^k))/γ − v_i^{k+1}‖, two quantities "
        "that will be applied in the induction proof […] If ‖(x^k − T_i(x^k))/γ − v_i^k‖ ≤ C for some C > 0 […] then "
        "‖(x^{k+1} − T_i(x^{k+1}))/γ − v_i^{k+1}‖ ≤ C and ‖(x^k − T_i(x^k))/γ − v_i^{k+1}‖ ≤ C. (Lemma 1)",
        "The lemma's bound of the first quantity is the one at k + 1, from the one at k, and is false where a small residual is "
        "overshot (FED-L1-i); its bound of the second is true (FED-L1-ii). With what Lemma 1 lacks both stand.",
        gap=Gap("reading", "as Lemma 1 prints its hypotheses (FED-L1-i)", _AGAINST_FIRST),
        repair=Repair(
            "Lemma 1 establishes both bounds if in addition β ≤ α or (√β − √α)² ≤ C − (1 + ρ)η/γ.",
            _FIRST.condition,
            Proof(_FIRST.proof.assumptions, (DISTANCE, SECOND, *_FIRST.proof.nodes, _BOTH)),
            weakest="necessary for the first of the two (FED-L1-i), the second holds without it (FED-L1-ii)",
        ),
    ),
)
