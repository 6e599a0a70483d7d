"""The remaining steps of the proof of Lemma 9. Where each f_{i,j} is L-smooth they are those of Lemma 7 with N for T."""

from __future__ import annotations

import sympy

from verify.claim import Repair, Values, Witness
from verify.computation import Comparison
from verify.facts import Fact, definition, equal, hypothesis, letters
from verify.fed_alpha_normec.lemmas import cancelled as ca
from verify.fed_alpha_normec.lemmas.bias import incremental
from verify.fed_alpha_normec.lemmas.local_gradient import CLOSE, D_0, FULL, S_T, D, Q, S, mean
from verify.fed_alpha_normec.lemmas.local_gradient_steps import CHAIN, ONE_PATH, PATHS, summed_over
from verify.fed_alpha_normec.lemmas.step_displays import STEPS
from verify.fed_alpha_normec.letters import (
    ETA,
    GAMMA,
    LOCAL_STEP,
    SMOOTH,
    L,
    T,
    at_least_zero,
    claim,
    eta,
    gamma,
    values,
)
from verify.identity import Identity
from verify.induction import Induction
from verify.obligation import obligation
from verify.proof import Proof

_N = definition("N ≥ 1", T >= 1)
_NEEDS = "every f_{i,j} is L-smooth (as Assumption 1 has it)"


def _lost(numbers: Values) -> Comparison:
    """The middle member ‖x − y‖ + γm against the last one ‖x − y‖ + γLm, m the mean distance."""
    g, L_, m = numbers["gamma"], numbers["L"], numbers["m"]
    return Comparison(1 + g * m, "<=", 1 + g * L_ * m, (("γ ≤ 1/(2L)", g <= 1 / (2 * L_)), ("m ≥ 0", m >= 0)))


def _twice(numbers: Values) -> Comparison:
    moved, e = numbers["moved"], numbers["eta"]
    return Comparison(2 * moved, "==", 2 * e, (("‖xᵏ⁺¹ − xᵏ‖ ≤ η", 0 <= moved <= e), ("η > 0", e > 0)))


_MEAN = hypothesis("the display before, with γL", S_T / T <= D_0 + gamma * L * S_T / T)
_SOLVED = obligation(
    "(1/N) Σ ‖x_j − y_j‖ ≤ ‖x − y‖/(1 − γL) ≤ 2‖x − y‖ ≤ 2η",
    (SMOOTH, GAMMA, LOCAL_STEP, CLOSE, _N, at_least_zero(D_0), _MEAN),
    (S_T / T <= D_0 / (1 - gamma * L)) & (D_0 / (1 - gamma * L) <= 2 * D_0) & (2 * D_0 <= 2 * eta),
)
_WHOLE = obligation(
    "‖x_j − y_j‖ ≤ ‖x − y‖ + γL(1/N) Σ_{l<j} ‖x_l − y_l‖ ≤ ‖x − y‖ + γL(1/N) Σ_{l<N} ‖x_l − y_l‖",
    (SMOOTH, GAMMA, _N, CHAIN.conclusion, FULL),
    (D <= D_0 + gamma * L / T * S) & (D_0 + gamma * L / T * S <= D_0 + gamma * L / T * S_T),
)
_LINE, _LINES = summed_over(D, S, S_T, D_0)
_WITH_L = obligation(
    "the mean of the lines", (_N, _LINES[-1].conclusion), S_T / T <= D_0 + gamma * L * S_T / T
)
_EVERY = obligation(_LINE.name, (_WHOLE.conclusion,), _LINE.relation)
_AS_A_MEAN = obligation(_MEAN.name, (_WITH_L.conclusion,), _MEAN.relation)
SECOND_DISPLAY = (*incremental((*PATHS, _WHOLE)), _EVERY, *_LINES, _WITH_L, _AS_A_MEAN, _SOLVED)
"""The display with γL for γ, from the first one, and item 2 from it."""
_DISPLAY = hypothesis("the display before", mean <= D_0 + gamma * L * S_T / T)
_SECOND = hypothesis("the second statement", S_T / T <= 2 * eta)
_AT_MOST = obligation(
    "≤ η + γL·2η ≤ 2η", (SMOOTH, GAMMA, LOCAL_STEP, ETA, _N, CLOSE, _DISPLAY, _SECOND), mean <= 2 * eta
)
# One coordinate of T_i(x) − (x − γ∇f_i(x)): moved is the sum of the gradients along the pass, still the one at x.
_x, _moved, _still = letters("x Σ∇f_{i,j}(x_j) Σ∇f_{i,j}(x)")
_SAME = Identity(
    "x − γ(1/N)Σ∇f_{i,j}(x_j) − (x − γ∇f_i(x)) = −γ((1/N)Σ∇f_{i,j}(x_j) − (1/N)Σ∇f_{i,j}(x))",
    _x - gamma / T * _moved - (_x - gamma * (_still / T)),
    -gamma * (_moved / T - _still / T),
    (_N,),
)
_LIPSCHITZ = obligation(
    "γ(1/N) Σ ‖v‖ ≤ γL(1/N) Σ ‖x_j − x‖",
    (SMOOTH, GAMMA, _N, ONE_PATH.fact),
    gamma / T * ONE_PATH.norms <= gamma * L / T * Q,
)
_bias, _biases, _far, _fars, _M, _left, _right = letters("bias Σbias far Σfar M left right")
_EACH = hypothesis("the display before, for every client", _bias <= gamma * L * _far)
_SUM = Fact("Σ_i biases ≤ γL Σ_i distances", _biases <= gamma * L * _fars, "derived")
_OVER_CLIENTS = Induction(
    _SUM.name,
    _SUM,
    obligation("no client", (), sympy.true),
    obligation("one client more", (_SUM, _EACH), _biases + _bias <= gamma * L * (_fars + _far)),
    start=((_biases, 0), (_fars, 0)),
    next=((_biases, _biases + _bias), (_fars, _fars + _far)),
)
_AVERAGED = obligation(
    "(1/M) Σ_i biases ≤ γL(1/M) Σ_i distances",
    (
        _SUM,
        definition(
            "means over M clients", equal(_left * _M, _biases) & equal(_right * _M, _fars) & (_M >= 1)
        ),
    ),
    _left <= gamma * L * _right,
)


def _step(identifier: str, where: str, reason: str, **evidence):
    return claim(
        identifier, f"Appendix G.1, proof of Lemma 9, {where}", "step", STEPS[identifier], reason, **evidence
    )


CLAIMS = (
    _step(
        "FED-L9-2-S2", "first display", ca.WHOSE,
        gap=ca.by_its_own_words("‖x_1 − y_1‖ ≤ ‖x − y‖ + (γL/2)‖x_0 − y_0‖", ca.item2_first),
        repair=Repair("It holds when each f_{i,j} is L-smooth.", _NEEDS, Proof((SMOOTH, GAMMA), incremental((*PATHS, _WHOLE)))),
        consequence=ca.HOLDS,
    ),
    _step(
        "FED-L9-2-S3", "second display, its last inequality",
        "γ in the middle member is γL in the last one: for L < 1 the last is smaller (for L > 1 FED-L9-2-S1 is false).",
        witness=Witness(values(gamma=1, L="1/2", m=1), "‖x − y‖ + γm ≤ ‖x − y‖ + γLm", _lost, "‖x − y‖ = 1, mean distance m = 1"),
        repair=Repair(
            "(1/N) Σ ‖x_i^{k+1,j} − x_i^{k,j}‖ ≤ ‖x^{k+1} − x^k‖ + γL(1/N) Σ ‖x_i^{k+1,j} − x_i^{k,j}‖, without the middle member.",
            "the middle member left out",
            Proof((_LINE,), (*_LINES, _WITH_L)),
        ),
    ),
    _step(
        "FED-L9-2-S4", "second statement, last display",
        "Its last = must be ≤: only ‖x^{k+1} − x^k‖ ≤ η is known. (x_{i,j}^k stands for x_i^{k,j}.)",
        witness=Witness(values(moved="1/2", eta=1), "2‖x^{k+1} − x^k‖ = 2η", _twice, "a step of half the length η"),
        repair=Repair("… ≤ 2‖x^{k+1} − x^k‖ ≤ 2η.", "≤ for =", Proof((SMOOTH, GAMMA, LOCAL_STEP, CLOSE, _MEAN), (_SOLVED,))),
    ),
    _step(
        "FED-L9-3-S1", "third statement, display", ca.WHOSE,
        gap=ca.by_its_own_words("‖T(x) − T(y)‖ ≤ ‖x − y‖ + γL (1/2) Σ ‖x_j − y_j‖", ca.item3_display),
        repair=Repair("It holds when each f_{i,j} is L-smooth.", _NEEDS, Proof((SMOOTH, GAMMA), incremental(PATHS))),
        consequence=ca.HOLDS,
    ),
    _step(
        "FED-L9-3-S2", "third statement, last line", "η + γL·2η ≤ 2η, from the display before and the second statement.",
        proof=Proof((SMOOTH, GAMMA, LOCAL_STEP, ETA, CLOSE, _DISPLAY, _SECOND), (_AT_MOST,)),
    ),
    _step(
        "FED-L9-4-S2", "fourth statement, first three members", "f_i is the mean of the f_{i,j}.",
        proof=Proof((), (_SAME,)),
    ),
    _step(
        "FED-L9-4-S3", "fourth statement, last inequality of the first display", ca.WHOSE,
        gap=ca.by_its_own_words("γ(1/2) Σ ‖∇f_{i,j}(x_j) − ∇f_{i,j}(x)‖ ≤ γL(1/2) Σ ‖x_j − x‖", ca.item4_last),
        repair=Repair(
            "It holds when each f_{i,j} is L-smooth.",
            _NEEDS,
            Proof((SMOOTH, GAMMA), incremental((ONE_PATH.induction, _LIPSCHITZ))),
        ),
        consequence=ca.HOLDS,
    ),
    _step(
        "FED-L9-4-S4", "fourth statement, last display", "The mean over the clients; the last two members are equal.",
        proof=Proof((_EACH,), (_OVER_CLIENTS, _AVERAGED)),
    ),
)  # fmt: skip
