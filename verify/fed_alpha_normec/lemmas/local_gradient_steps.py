"""The remaining steps of the proof of Lemma 7.

Σ is the sum of the differences of gradients along the two paths (or along one path and at its start), a vector; D, Y, S and Q are
as in `local_gradient`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy

from verify.claim import Repair, Values, Witness
from verify.computation import Comparison
from verify.curves import ZERO
from verify.facts import Fact, definition, equal, hypothesis, letters
from verify.fed_alpha_normec.lemmas.bias import differences
from verify.fed_alpha_normec.lemmas.local_gradient import (
    CLOSE,
    D_0,
    FULL,
    NONNEGATIVE,
    Q_T,
    S_T,
    SHARE,
    TWO_PATHS,
    UNROLLED,
    WHOLE,
    D,
    Q,
    S,
    Y,
    g,
    j,
    mean,
    q,
)
from verify.fed_alpha_normec.lemmas.local_gradient_claims import BENDS, BENT, smooth_and_bounded
from verify.fed_alpha_normec.lemmas.step_displays import STEPS
from verify.fed_alpha_normec.letters import (
    ETA,
    GAMMA,
    LOCAL_STEP,
    SMOOTH,
    L,
    Places,
    T,
    at_least_zero,
    claim,
    eta,
    gamma,
    values,
)
from verify.gram import Space, vectors
from verify.induction import Induction
from verify.obligation import Obligation, obligation
from verify.proof import Proof

_STEPS = definition("T ≥ 1", T >= 1)
ONE_PATH = differences(("x", "x"), Y, Q)

# Two paths: x_l − y_l = (x − y) − (γ/T) Σ.
_apart, _sum = vectors("x−y Σ_{l<j}(∇f(x_l)−∇f(y_l))")
_PATHS = Space((_apart, _sum))
_less: Any = _apart - q * _sum
for _vector, _letter in ((_apart, D_0), (_sum, TWO_PATHS.length), (_less, D)):
    _PATHS.norm(_vector, str(_letter))
APART = obligation(
    "‖(x − y) − (γ/T)Σ‖ ≤ ‖x − y‖ + (γ/T)‖Σ‖", (SHARE, *_PATHS.facts()), D <= D_0 + q * TWO_PATHS.length
)
CHAIN = obligation(
    "‖x_l − y_l‖ ≤ ‖x − y‖ + (γ/T) Σ ‖v‖ ≤ ‖x − y‖ + (Lγ/T) Σ ‖x_j − y_j‖",
    (SMOOTH, GAMMA, SHARE, APART.conclusion, TWO_PATHS.fact),
    (D <= D_0 + gamma / T * TWO_PATHS.norms) & (D_0 + gamma / T * TWO_PATHS.norms <= D_0 + L * gamma / T * S),
)
PATHS = (UNROLLED, TWO_PATHS.induction, APART, CHAIN)

_BEFORE = hypothesis("the display before", D <= D_0 + L * gamma / T * S)
_INSERTED = obligation(
    "with η, and with the whole sum",
    (SMOOTH, GAMMA, _STEPS, NONNEGATIVE, _BEFORE, CLOSE, FULL),
    (D <= eta + L * gamma / T * S) & (eta + L * gamma / T * S <= eta + L * gamma / T * S_T),
)


def summed_over(
    each: sympy.Symbol, part: sympy.Symbol, whole: sympy.Symbol, first: sympy.Expr
) -> tuple[Fact, tuple]:
    """From each ≤ first + (Lγ/T)·whole for every j to whole ≤ first·T + Lγ·whole: the line before, and the nodes."""
    limit = first + L * gamma / T * whole
    line = hypothesis("the display before, for every j", each <= limit)
    fact = Fact("the sum of j of them", part <= j * limit, "derived")
    induction = Induction(
        fact.name,
        fact,
        obligation("none", (_STEPS,), sympy.Le(0, 0 * limit)),
        obligation("one more of them", (fact, line, _STEPS), part + each <= (j + 1) * limit),
        start=((part, 0), (j, 0)),
        next=((part, part + each), (j, j + 1)),
    )
    at: Places = {part: whole, j: T}
    end = obligation("all T of them", (_STEPS, fact.at(at)), whole <= first * T + L * gamma * whole)
    return line, (induction, end)


_EACH, _ALL = summed_over(D, S, S_T, eta)
_EACH_FAR, _ALL_FAR = summed_over(Y, Q, Q_T, gamma * g)


def solved(whole: sympy.Symbol, first: sympy.Expr, goal: object) -> tuple[Fact, Obligation]:
    """What γ ≤ 1/(2L) makes of whole ≤ first·T + Lγ·whole."""
    line = hypothesis("the display before", whole <= first * T + L * gamma * whole)
    given = (SMOOTH, GAMMA, LOCAL_STEP, _STEPS, at_least_zero(whole), line)
    return line, obligation("Lγ ≤ 1/2, solved", given, (2 * L * gamma <= 1) & goal)


_LINE, _SOLVED = solved(S_T, eta, S_T / T <= 2 * eta)
_LINE_FAR, _SOLVED_FAR = solved(Q_T, gamma * g, Q_T <= 2 * gamma * T * g)

# One path: x − x_l = (γ/T)(Σ + l∇f(x)).
_slope, _sum = vectors("∇f(x) Σ_{l<j}(∇f(x_l)−∇f(x))")
_START = Space((_sum, _slope))
_scaled: Any = q * (_sum + j * _slope)
for _vector, _letter in ((_sum, ONE_PATH.length), (_slope, g), (_scaled, Y)):
    _START.norm(_vector, str(_letter))
_LENGTH = definition("l ≥ 0", j >= 0)
FROM_START = obligation(
    "‖(γ/T)(Σ + l∇f(x))‖ ≤ (γ/T)‖Σ‖ + (γ/T)l‖∇f(x)‖",
    (SHARE, _LENGTH, *_START.facts()),
    Y <= q * ONE_PATH.length + q * j * g,
)
_FAR = obligation(
    "‖x − x_l‖ ≤ (γ/T) Σ ‖v‖ + (γ/T)l‖∇f(x)‖ ≤ (Lγ/T) Σ ‖x_j − x‖ + (γ/T)l‖∇f(x)‖",
    (SMOOTH, GAMMA, SHARE, FROM_START.conclusion, ONE_PATH.fact),
    (Y <= gamma / T * ONE_PATH.norms + gamma / T * j * g)
    & (gamma / T * ONE_PATH.norms + gamma / T * j * g <= L * gamma / T * Q + gamma / T * j * g),
)
_BEFORE_FAR = hypothesis("the display before, with x_i^{k,l}", Y <= L * gamma / T * Q + gamma / T * j * g)
_LATEST = hypothesis("l ≤ T", j <= T)
_WHOLE_FAR = obligation(
    "with the whole sum",
    (SMOOTH, GAMMA, _STEPS, _BEFORE_FAR, _LATEST, WHOLE, at_least_zero(Q, g)),
    Y <= L * gamma / T * Q_T + gamma * g,
)

# Items 4 and 5.
_DISPLAY = hypothesis("the display before, two paths, to T − 1", mean <= D_0 + L * gamma / T * S_T)
_SECOND = hypothesis("Σ ‖x_j − y_j‖ ≤ 2ηT", S_T <= 2 * eta * T)
_FOURTH = obligation(
    "η + Lγ·2η ≤ 2η",
    (SMOOTH, GAMMA, LOCAL_STEP, ETA, _STEPS, CLOSE, _DISPLAY, _SECOND),
    (mean <= eta + L * gamma * 2 * eta) & (eta + L * gamma * 2 * eta <= 2 * eta),
)
_FACT = hypothesis("Σ_{j=0}^T ‖x − x_j‖ ≤ 2γT‖∇f(x)‖", Q_T + Y <= 2 * gamma * T * g)
_LAST = obligation(
    "‖x − γ∇f(x) − T(x)‖ ≤ (γ/T) Σ ‖v‖ ≤ (Lγ/T) Σ ‖x − x_l‖ ≤ 2Lγ²‖∇f(x)‖",
    (
        SMOOTH, GAMMA, _STEPS, at_least_zero(Y, Q_T), ONE_PATH.fact.at({Q: Q_T}), _FACT,
        definition("‖(γ/T)Σ‖", equal(mean * T, gamma * ONE_PATH.length)),
    ),
    (mean <= gamma / T * ONE_PATH.norms)
    & (gamma / T * ONE_PATH.norms <= L * gamma / T * Q_T)
    & (L * gamma / T * Q_T <= 2 * L * gamma**2 * g),
)  # fmt: skip


# One coordinate of (x − γ∇f(x)) − T(x): `still` is Σ_{l<j} ∇f(x), T equal terms.
_x, _here, _still, _path, _image = letters("x ∇f(x) Σ∇f(x) Σ∇f(x_l) T(x)")
_EQUAL_TERMS = Fact("Σ_{l<j} ∇f(x) = j∇f(x)", equal(_still, j * _here), "derived")
_SAME_TERMS = Induction(
    _EQUAL_TERMS.name,
    _EQUAL_TERMS,
    obligation("no term", (), sympy.true),
    obligation("one term more of T", (_EQUAL_TERMS,), equal(_still + _here, (j + 1) * _here)),
    start=((j, 0), (_still, 0)),
    next=((j, j + 1), (_still, _still + _here)),
)
_REWRITTEN = obligation(
    "(x − γ∇f(x)) − T(x) = (x − (γ/T) Σ ∇f(x)) − (x − (γ/T) Σ ∇f(x_l))",
    (
        _STEPS,
        _EQUAL_TERMS.at({j: T}),
        definition("T(x) = x − (γ/T) Σ ∇f(x_l)", equal(_image, _x - gamma / T * _path)),
    ),
    equal((_x - gamma * _here) - _image, (_x - gamma / T * _still) - (_x - gamma / T * _path)),
)


def _small(numbers: Values) -> tuple[tuple[str, bool], ...]:
    return (("γ ≤ 1/(2L)", 0 < numbers["gamma"] <= 1 / (2 * numbers["L"])), ("T ≥ 1", numbers["T"] >= 1))


def _index(numbers: Values) -> Comparison:
    """f = x²/2 at x = 1, T = 2: ‖x − x_j‖ at j = 0 against the sum to l − 1 = 0."""
    return Comparison(Fraction(0), "==", numbers["gamma"] / numbers["T"], _small(numbers))


def _index_bound(numbers: Values) -> Comparison:
    """f = x²/2 at x = 1, T = 2: ‖x − x_j‖ at j = 1 against the empty sums at l = 0."""
    return Comparison(numbers["gamma"] / numbers["T"], "<=", Fraction(0), _small(numbers))


def _one_path(numbers: Values) -> Comparison:
    """f = `BENT`, T = 1, xᵏ = 0, xᵏ⁺¹ = 1: the path of xᵏ stays at 0, so that the printed differences are 0."""
    met = (*_small(numbers), *smooth_and_bounded(BENT, numbers["L"]), ("f′(0) = 0", BENT.gradient(ZERO) == 0))
    return Comparison(1 - numbers["gamma"] * BENT.gradient(Fraction(1)), "<=", Fraction(1), met)


def _step(identifier: str, where: str, reason: str, **evidence):
    return claim(
        identifier, f"Appendix F.1, proof of Lemma 7, {where}", "step", STEPS[identifier], reason, **evidence
    )


_INDEX = "The point on the left must be x_i^{k,l}: j is bound in the sum and l is free."
_WITH_L = "x_i^{k,l} for x_i^{k,j} on the left"
CLAIMS = (
    _step(
        "FED-L7-2-S1", "second statement, first display", "Unrolling, triangle inequality, smoothness.",
        proof=Proof((SMOOTH, GAMMA), PATHS),
    ),
    _step(
        "FED-L7-2-S2", "second statement, η inserted", "A part of a sum of distances is at most the whole.",
        proof=Proof((SMOOTH, GAMMA, CLOSE, _BEFORE, ETA), (_INSERTED,)),
    ),
    _step("FED-L7-2-S3", "second statement, the sum over l", "T lines, added.", proof=Proof((_EACH,), _ALL)),
    _step(
        "FED-L7-2-S4", "second statement, last display", "Solved for the mean.",
        proof=Proof((SMOOTH, GAMMA, LOCAL_STEP, _LINE), (_SOLVED,)),
    ),
    _step(
        "FED-L7-3-S1", "third statement, first display", _INDEX,
        witness=Witness(values(gamma="1/2", L=1, T=2), "the two sides are equal at j = 0, l = 1", _index, "f = x²/2, x = 1"),
        repair=Repair("‖x^k − x_i^{k,l}‖ = ‖(γ/T) Σ_{j<l} ∇f_i(x_i^{k,j})‖.", _WITH_L, Proof((), (UNROLLED,))),
    ),
    _step(
        "FED-L7-3-S2", "third statement, second display", _INDEX,
        witness=Witness(values(gamma="1/2", L=1, T=2), "‖x − x_1‖ ≤ empty sums, l = 0", _index_bound, "f = x²/2, x = 1"),
        repair=Repair(
            "‖x^k − x_i^{k,l}‖ ≤ (γ/T) Σ_{j<l} ‖∇f_i(x_i^{k,j}) − ∇f_i(x^k)‖ + (γ/T)l‖∇f_i(x^k)‖ ≤ (Lγ/T) Σ_{j<l} ‖x_i^{k,j} − x^k‖ + "
            "(γ/T)l‖∇f_i(x^k)‖.",
            _WITH_L,
            Proof((SMOOTH, GAMMA), (UNROLLED, ONE_PATH.induction, FROM_START, _FAR)),
        ),
    ),
    _step(
        "FED-L7-3-S3", "third statement, third display", "From the display before with its index put right, l = j.",
        proof=Proof((SMOOTH, GAMMA, _BEFORE_FAR, _LATEST), (_WHOLE_FAR,)),
    ),
    _step("FED-L7-3-S4", "third statement, the sum over j", "T lines, added.", proof=Proof((_EACH_FAR,), _ALL_FAR)),
    _step(
        "FED-L7-3-S5", "third statement, last display", "Solved for the sum.",
        proof=Proof((SMOOTH, GAMMA, LOCAL_STEP, _LINE_FAR), (_SOLVED_FAR,)),
    ),
    _step(
        "FED-L7-4-S2", "fourth statement, second display",
        "The indices of FED-L7-4-S1: differences along one path do not bound the distance of two.",
        witness=Witness(values(gamma="1/2", L=1, T=1), "‖T(1) − T(0)‖ ≤ ‖1 − 0‖ + 0", _one_path, f"{BENDS}; x^k = 0, x^{{k+1}} = 1"),
        repair=Repair(
            "With ∇f_i(x_i^{k+1,j}) − ∇f_i(x_i^{k,j}) and x_i^{k+1,j} − x_i^{k,j}, summed to T − 1, it holds.",
            "indices",
            Proof((SMOOTH, GAMMA), PATHS),
        ),
    ),
    _step(
        "FED-L7-4-S3", "fourth statement, last display", "Substitution, from the display before with its indices put right.",
        proof=Proof((SMOOTH, GAMMA, LOCAL_STEP, ETA, CLOSE, _DISPLAY, _SECOND), (_FOURTH,)),
    ),
    _step(
        "FED-L7-5-S2", "fifth statement, first display", "γ∇f_i(x^k) is (γ/T) times a sum of T equal terms.",
        proof=Proof((), (_SAME_TERMS, _REWRITTEN)),
    ),
    _step(
        "FED-L7-5-S3", "fifth statement, last display", "Triangle inequality, smoothness, and the fact quoted (FED-L7-5-S1).",
        proof=Proof((SMOOTH, GAMMA, _FACT), (ONE_PATH.induction, _LAST)),
    ),
)  # fmt: skip
