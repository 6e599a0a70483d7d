"""F.2 and G.2 between their numbered steps: step 1's first lines, the bound of ‖∇f − v^{k+1}‖ inserted, R, the two cases of T."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy

from verify.citation import Cite
from verify.claim import Claim, Gap, Repair, Values, Witness
from verify.computation import Comparison
from verify.facts import Fact, definition, equal, hypothesis, letters
from verify.fed_alpha_normec.lemmas import local_gradient as gd
from verify.fed_alpha_normec.lemmas import noise as no
from verify.fed_alpha_normec.lemmas.bias import incremental
from verify.fed_alpha_normec.lemmas.incremental_claims import CLAIMS as PASSES
from verify.fed_alpha_normec.lemmas.lemma1 import r_0
from verify.fed_alpha_normec.lemmas.local_gradient_claims import CLAIMS as GRADIENT
from verify.fed_alpha_normec.letters import (
    CLIENTS,
    ETA,
    GAMMA,
    LOCAL_STEP,
    SMOOTH,
    L,
    M,
    R,
    T,
    at_least_zero,
    claim,
    eta,
    gamma,
    values,
)
from verify.fed_alpha_normec.ours import rounds as ro
from verify.gram import Space, square, vectors
from verify.induction import Induction
from verify.obligation import obligation
from verify.proof import Proof

_DESCENT = "f(x^{k+1}) − f^inf ≤ f(x^k) − f^inf − η‖∇f(x^k)‖ + "
_BIAS = "(2η/γ)(1/M) Σ_{i=1}^M ‖(x^k − γ∇f_i(x^k)) − T_i(x^k)‖"
_REST = "2η‖v̂^{k+1} − v^{k+1}‖ + Lη²/2"
PLUGGED = (
    "Plugging the upperbound for ‖∇f(x^k) − v^{k+1}‖ into the main inequality in f(x^k) − f^inf, we obtain "
    f"{_DESCENT}2η(1/M) Σ_{{i=1}}^M ‖v_i^{{k+1}} − (x^k − T_i(x^k))/γ‖ + {_BIAS} + {_REST}. By the fact that ‖v_i^{{k+1}} − (x^k − "
    f"T_i(x^k))/γ‖ ≤ R from Step 1), {_DESCENT}2ηR + {_BIAS} + {_REST}."
)
ONE = (
    "Case 1) T_i(x^k) with T = 1. When T_i(x^k) with T = 1, ‖(x^k − γ∇f_i(x^k)) − T_i(x^k)‖ = 0, and "
    f"{_DESCENT}2ηR + {_REST}."
)
BOTH = (
    "Therefore, from two cases, we obtain the descent inequality, "
    f"{_DESCENT}2ηR + 4Lγη (1/M) Σ_{{i=1}}^M ‖∇f_i(x^k)‖ + {_REST}."
)

_OWN, _LARGEST = "‖v_i^k − (x^k − T_i(x^k))/γ‖", "max_{i∈[1,M]} ‖v_i⁰ − (x⁰ − T_i(x⁰))/γ‖"
_BOUNDED = f"{_OWN} ≤ {_LARGEST}"
_TWICE = "‖T_i(x^{k+1}) − T_i(x^k)‖ ≤ 2η."
FIRST = f"It is trivial to show the condition when k = 0. [that {_BOUNDED}]"
FIRST_IG = f"We can easily show the condition when k = 0. [that {_BOUNDED}]"
MOVE = (
    f"Next, suppose that {_BOUNDED} holds. From Lemma 7, T_i(x^k) = x^k − (γ/T) Σ_{{j=0}}^{{T−1}} ∇f_i(x_i^{{k,j}}) "
    f"satisfies {_TWICE}"
)
MOVE_IG = f"Next, let {_BOUNDED}. Then, from Lemma 9, T_i(x^k) satisfies {_TWICE}"

residual, bias, slopes = letters("mean_residual mean_bias mean_slope")
others = letters("max_{l≠i}‖v_l⁰−P_l(x⁰)‖")[0]
_LARGEST_OF_TWO = hypothesis(
    "R is the larger one of ‖v_i⁰ − P_i(x⁰)‖ and the others' largest", equal(R, sympy.Max(others, r_0))
)
_AT_0 = obligation("‖v_i⁰ − P_i(x⁰)‖ ≤ max_l ‖v_l⁰ − P_l(x⁰)‖", (_LARGEST_OF_TWO,), r_0 <= R)
_MOVE_NODES = (ro.STEP_LENGTH, *gd.ITEM4_NODES)
_SHORT = (SMOOTH, GAMMA, ETA, LOCAL_STEP)
_BASE = ro.f_k - eta * ro.W + 2 * eta * no.after + L * eta**2 / 2
_FIRST = hypothesis("the first display of step 2", ro.f_after <= _BASE + 2 * eta * ro.dev)
_BOUND = hypothesis("the bound of ‖∇f − v‖", ro.dev <= residual + bias / gamma)
_STEP_1 = hypothesis("step 1, in the mean over the clients", residual <= R)
_INSERTED = obligation(
    "inserted",
    (ETA, GAMMA, _FIRST, _BOUND, _STEP_1),
    (ro.f_after <= _BASE + 2 * eta * residual + 2 * eta / gamma * bias)
    & (ro.f_after <= _BASE + 2 * eta * R + 2 * eta / gamma * bias),
)
_PLUG = Proof((ETA, GAMMA, _FIRST, _BOUND, _STEP_1), (_INSERTED,))
_WITH_R = hypothesis("the display before", ro.f_after <= _BASE + 2 * eta * R + 2 * eta / gamma * bias)
# T_i(x) = x − (γ/T) Σ, and with one local step the sum Σ is ∇f_i(x): of what comes after it there is nothing.
_slope, _later = vectors("∇f_i(x) Σ_{l≥1}∇f_i(x_l)")
_ONE_CLIENT = Space((_slope, _later))
_off: Any = gamma / T * (_slope + _later) - gamma * _slope
_each = _ONE_CLIENT.norm(_off, "‖(x−γ∇f_i(x))−T_i(x)‖")
_biases = letters("Σ‖(x−γ∇f_i(x))−T_i(x)‖")[0]
_FIRST_GRADIENT = definition(
    "where T = 1 the sum has one gradient, at x", equal(T, 1) >> equal(square(_later), 0)
)
_NO_BIAS = obligation(
    "‖(x − γ∇f_i(x)) − T_i(x)‖ = 0",
    (ro.ONE_LOCAL_STEP, _FIRST_GRADIENT, *_ONE_CLIENT.facts()),
    equal(_each, 0),
)
_NONE = Fact("Σ_i ‖(x − γ∇f_i(x)) − T_i(x)‖ = 0", equal(_biases, 0), "derived")
_OVER_CLIENTS = Induction(
    _NONE.name,
    _NONE,
    obligation("no client", (), sympy.true),
    obligation("one client more", (_NONE, _NO_BIAS.conclusion), equal(_biases + _each, 0)),
    start=((_biases, 0),),
    next=((_biases, _biases + _each),),
)
_CASE_ONE = obligation(
    "T = 1",
    (GAMMA, ETA, CLIENTS, _NONE, definition("the mean over the clients", equal(bias * M, _biases)), _WITH_R),
    equal(bias, 0) & (ro.f_after <= _BASE + 2 * eta * R),
)
_CASE_1 = hypothesis("case 1", equal(T, 1) >> (ro.f_after <= _BASE + 2 * eta * R))
_CASE_2 = hypothesis("case 2", (T > 1) >> (ro.f_after <= _BASE + 2 * eta * R + 4 * L * gamma * eta * slopes))
_TWO_CASES = obligation(
    "both cases",
    (SMOOTH, GAMMA, ETA, definition("T ≥ 1", T >= 1), at_least_zero(slopes), _CASE_1, _CASE_2),
    ro.f_after <= _BASE + 2 * eta * R + 4 * L * gamma * eta * slopes,
)

# Lemma 1 asks that T_i is ρ-Lipschitz: item 4 of Lemma 7, or item 3 of Lemma 9, at η = ‖x − y‖.
(_ITEM_4,) = (c for c in GRADIENT if c.id == "FED-L7-4")
(_ITEM_3,) = (c for c in PASSES if c.id == "FED-L9-3")
_APART = hypothesis("x ≠ y", gd.D_0 > 0)
_ANY_TWO = (SMOOTH, GAMMA, LOCAL_STEP, _APART)
THEREFORE = "satisfies ‖T_i(x^{k+1}) − T_i(x^k)‖ ≤ 2η. Therefore, from Lemma 1 with ρ = 2"


def _two_points(v: Values) -> Comparison:
    """T(x) = 4|x − η/2| is 2η at x = 0 and at x = η, and 0 between."""

    def mapped(x: Fraction) -> Fraction:
        return 4 * abs(x - v["eta"] / 2)

    start, after, other = Fraction(0), v["eta"], v["eta"] / 2
    met = (
        ("‖T(xᵏ⁺¹) − T(xᵏ)‖ ≤ 2η", abs(mapped(after) - mapped(start)) <= 2 * v["eta"]),
        ("‖xᵏ⁺¹ − xᵏ‖ ≤ η, η > 0", 0 < after - start <= v["eta"]),
    )
    return Comparison(abs(mapped(other) - mapped(start)), "<=", 2 * abs(other - start), met)


def _lipschitz(id: str, place: str, item: str, cite: Cite) -> Claim:
    return claim(
        id,
        place,
        "step",
        f"{THEREFORE} [which asks for ‖T_i(x) − T_i(y)‖ ≤ 2‖x − y‖ for all x and y]",
        f"An inference is missing: 2η at two points is no Lipschitz constant of T_i, which is what Lemma 1 asks for; {item} at "
        f"η = ‖x − y‖ gives it. (What Lemma 1 is then said to give: {id.rsplit('-', 1)[0]}-S1.)",
        repair=Repair(
            f"‖T_i(x) − T_i(y)‖ ≤ 2‖x − y‖ for all x ≠ y, by {item} with ‖x − y‖ for η.",
            f"{item} at η = ‖x − y‖",
            Proof(_ANY_TWO, (cite,)),
            weakest="the proof of Lemma 1 uses no more than (1 + ρ)η at xᵏ and xᵏ⁺¹, for which 2η is enough as it stands",
        ),
        gap=Gap(
            "reading",
            "from ‖T_i(x^{k+1}) − T_i(x^k)‖ ≤ 2η alone",
            Witness(
                values(eta=1),
                "‖T(x) − T(y)‖ ≤ 2‖x − y‖",
                _two_points,
                "T(x) = 4|x − η/2|, xᵏ = 0, xᵏ⁺¹ = η, and y = η/2: 2η against η",
            ),
        ),
    )


CLAIMS = (
    claim(
        "FED-T1-S10", "Appendix F.2, step 2, between S4 and the two cases", "step", PLUGGED,
        "Substitution, and step 1's bound of each client's residual.", proof=_PLUG,
    ),
    claim(
        "FED-T1-S11", "Appendix F.2, step 2, case 1", "step", ONE, "One local step is a gradient step.",
        proof=Proof((ETA, GAMMA, ro.ONE_LOCAL_STEP, _WITH_R), (_NO_BIAS, _OVER_CLIENTS, _CASE_ONE)),
    ),
    claim(
        "FED-T1-S12", "Appendix F.2, step 2, the two cases together", "step", BOTH,
        "Case 1 has one term less, which is not negative.",
        proof=Proof((SMOOTH, GAMMA, ETA, _CASE_1, _CASE_2), (_TWO_CASES,)),
        consequence="The theorem's indicator I_{T≠1} needs case 1 by itself: after this the printed proof has the term for T = 1 too.",
    ),
    claim(
        "FED-T1-S13", "Appendix F.2, step 1, the start of the induction", "step", FIRST,
        "One of those that the maximum is taken of.", proof=Proof((_LARGEST_OF_TWO,), (_AT_0,)),
    ),
    claim(
        "FED-T1-S14", "Appendix F.2, step 1, how far T_i moves", "step", MOVE,
        "Item 4 of Lemma 7: a server step has length η, or 0 where v̂^{k+1} = 0. The supposition, which is what fails (FED-T1-S1), "
        "is not used.",
        proof=Proof(_SHORT, _MOVE_NODES),
    ),
    _lipschitz(
        "FED-T1-S15", "Appendix F.2, step 1, from Lemma 7 to Lemma 1", "item 4 of Lemma 7",
        Cite(_ITEM_4, _ANY_TWO, at=((eta, gd.D_0),)),
    ),
    claim(
        "FED-T2-S10", "Appendix G.2, step 2, between S4 and Lemma 9", "step", PLUGGED,
        "Substitution, and step 1's bound of each client's residual.", proof=_PLUG,
    ),
    claim(
        "FED-T2-S11", "Appendix G.2, step 1, the start of the induction", "step", FIRST_IG,
        "One of those that the maximum is taken of.", proof=Proof((_LARGEST_OF_TWO,), (_AT_0,)),
    ),
    claim(
        "FED-T2-S12", "Appendix G.2, step 1, how far T_i moves", "step", MOVE_IG,
        "Item 3 of Lemma 9, with every f_{i,j} L-smooth (Assumption 1): a server step has length η, or 0 where v̂^{k+1} = 0. The "
        "supposition, which is what fails (FED-T2-S1), is not used.",
        proof=Proof(_SHORT, incremental(_MOVE_NODES)),
    ),
    _lipschitz(
        "FED-T2-S13", "Appendix G.2, step 1, from Lemma 9 to Lemma 1", "item 3 of Lemma 9",
        Cite(_ITEM_3, _ANY_TWO, at=((eta, gd.D_0),), repaired=True),
    ),
)  # fmt: skip
