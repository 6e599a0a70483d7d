"""Claims: Facts 1 and 2, Lemmas 8, 9 and 10 of Appendix E with every step."""

from __future__ import annotations

from fractions import Fraction

from verify.case import closed, step
from verify.claim import Claim, Repair, Values, Witness
from verify.computation import Comparison
from verify.dp_normfedavg.displays import DISPLAYS, LEMMAS
from verify.dp_normfedavg.lemmas import convexity as cv

PAPER = "dp-normfedavg"


def _step(of: str, number: int, equation: str, nodes: tuple, reason: str = "") -> Claim:
    return Claim(
        f"{of}-S{number}", PAPER, f"Appendix E, eq. ({equation})", "step", DISPLAYS[equation],
        reason or "follows from the lines before it", proof=step(nodes),
    )  # fmt: skip


def _two_wells(v: Values) -> tuple[Fraction, Fraction, tuple[tuple[str, bool], ...]]:
    """The gradients of f(w) = L(−w²/2) for |w| ≤ 2 and L((|w| − 4)²/2 − 4) beyond at w and one step on, and what is presupposed. f is
    not convex, and least, −4L, at ±4."""
    L, eta, w = v["L"], v["eta"], v["w"]

    def gradient(x: Fraction) -> Fraction:
        return -L * x if abs(x) <= 2 else L * (x - 4 if x > 0 else x + 4)

    def value(x: Fraction) -> Fraction:
        return -L * x**2 / 2 if abs(x) <= 2 else L * ((abs(x) - 4) ** 2 / 2 - 4)

    first = gradient(w)
    met = (
        ("f is L-smooth: f' is continuous at 2, and |f''| = L", gradient(Fraction(2)) == L * (2 - 4) and L > 0),
        ("f is continuous at 2, and least at 4", value(Fraction(2)) == L * (Fraction(4, 2) - 4) and gradient(Fraction(4)) == 0),
        ("η > 0", eta > 0),
    )  # fmt: skip
    return first, gradient(w - eta * first), met


def _not_convex(v: Values) -> Comparison:
    """Lemma 10 on that function."""
    first, second, met = _two_wells(v)
    right = first**2 - (2 / (v["eta"] * v["L"]) - 1) * (second - first) ** 2
    return Comparison(second**2, "<=", right, met)


def _cocoercive(v: Values) -> Comparison:
    """(59) on the same function."""
    first, second, met = _two_wells(v)
    return Comparison((second - first) ** 2 / v["L"], "<=", (second - first) * -v["eta"] * first, met)


_POINT = {"L": Fraction(1), "eta": Fraction(1, 2), "w": Fraction(1)}
_PROBLEM = "f(w) = −w²/2 for |w| ≤ 2 and (|w| − 4)²/2 − 4 beyond, least at ±4; one step at η = 1/2 from w = 1"
_CONVEX = "f_i is convex as well"
_REASON_10 = (
    "co-coercivity of the gradient needs convexity, which the lemma does not assume; a function with two wells breaks it; "
    "no proof uses the lemma"
)

CLAIMS = (
    Claim(
        "DAS-F1", PAPER, "Appendix E, Fact 1", "lemma", LEMMAS["Fact 1"],
        "one gradient step of length 1/L cannot go below the minimum", proof=closed((cv.FACT1,)),
    ),
    Claim(
        "DAS-F2", PAPER, "Appendix E, Fact 2", "lemma", LEMMAS["Fact 2"],
        "induction on the number of vectors; p = 1 and p = 0 are fine as well", proof=closed((cv.FACT2,)),
    ),
    Claim(
        "DAS-L8", PAPER, "Appendix E, Lemma 8", "lemma", LEMMAS["Lemma 8"],
        "each local step gains by Fact 1 and loses at most 2ηΔ_i*, with inf for min where a client has no minimum (DAS-DEF1)",
        proof=closed(cv.LEMMA8_NODES),
    ),
    _step("DAS-L8", 1, "48", (cv.L8_48,)),
    _step("DAS-L8", 2, "49", (cv.L8_49_MORE, cv.L8_49)),
    _step("DAS-L8", 3, "50", (cv.FACT1, cv.L8_50_MORE, cv.L8_50)),
    _step("DAS-L8", 4, "51", (cv.L8_51,)),
    _step("DAS-L8", 5, "after 51", (cv.LEMMA8,), "induction on the number of steps"),
    Claim(
        "DAS-L9", PAPER, "Appendix E, Lemma 9", "lemma", LEMMAS["Lemma 9"],
        "holds without convexity: gradient steps of length at most 1/L do not increase f_i", proof=closed(cv.LEMMA9_NODES),
    ),
    _step("DAS-L9", 1, "52", (cv.FACT2, cv.L9_52)),
    _step("DAS-L9", 2, "53", (cv.FACT1, cv.L9_53A, cv.L9_53)),
    _step("DAS-L9", 3, "54, 55", (cv.L9_55,)),
    _step("DAS-L9", 4, "56", (cv.L9_56,)),
    _step("DAS-L9", 5, "57", (cv.L9_57, cv.L9_57B)),
    _step("DAS-L9", 6, "58", (cv.L9_58A, cv.L9_58)),
    Claim(
        "DAS-L10", PAPER, "Appendix E, Lemma 10", "lemma", LEMMAS["Lemma 10"],
        _REASON_10,
        witness=Witness(_POINT, "‖∇f(w_{τ+1})‖² ≤ ‖∇f(w_τ)‖² − (2/(ηL) − 1)‖∇f(w_{τ+1}) − ∇f(w_τ)‖²", _not_convex, _PROBLEM),
        repair=Repair("the same for f_i convex and L-smooth, every η > 0", _CONVEX, closed(cv.LEMMA10_NODES)),
        consequence="none for the paper, no proof of which uses it; repaired, it carries DAS-OURS-FREE",
    ),
    Claim(
        "DAS-L10-S1", PAPER, "Appendix E, eq. (59)", "step", DISPLAYS["59"],
        "co-coercivity does not follow from smoothness alone",
        witness=Witness(_POINT, "(1/L)‖∇f(w_{τ+1}) − ∇f(w_τ)‖² ≤ ⟨∇f(w_{τ+1}) − ∇f(w_τ), w_{τ+1} − w_τ⟩", _cocoercive, _PROBLEM),
        repair=Repair("the same for f_i convex and L-smooth", _CONVEX, closed((cv.L10_59,))),
    ),
    _step("DAS-L10", 2, "60", (cv.L10_60,)),
    _step("DAS-L10", 3, "61", (cv.L10_61,)),
    _step("DAS-L10", 4, "62", (cv.L10_62,), "an identity"),
    _step("DAS-L10", 5, "63", (cv.L10_63,)),
)  # fmt: skip
