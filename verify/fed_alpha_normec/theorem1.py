"""Theorem 1, as printed three times, and Theorem 2: witnesses, readings and repairs."""

from __future__ import annotations

from fractions import Fraction

import sympy

from bounds.fed_alpha_normec import theorem1 as printed
from bounds.fed_alpha_normec.repaired import participation_noise_term
from bounds.fed_alpha_normec.theorem2 import THEOREM2, THEOREM2_OUTSIDE
from bounds.statement import Bound
from verify.citation import Cite
from verify.claim import Claim, Repair, Values, Witness
from verify.facts import Fact, hypothesis
from verify.fed_alpha_normec import noise as no
from verify.fed_alpha_normec import rounds as ro
from verify.fed_alpha_normec import several as se
from verify.fed_alpha_normec.counterexamples import Trapped, infimum_is_attained
from verify.fed_alpha_normec.displays import THEOREMS
from verify.fed_alpha_normec.lemma1 import FROM_FEEDBACK
from verify.fed_alpha_normec.letters import (
    BETA,
    CLIENTS,
    ETA,
    FEEDBACK,
    GAMMA,
    GAP,
    PARTICIPATION,
    ROUNDS,
    SMOOTH,
    SPREAD,
    VARIANCE,
    Delta,
    Delta_local,
    F,
    K,
    L,
    M,
    R,
    V,
    beta,
    claim,
    eta,
    gamma,
    p,
    values,
)
from verify.fed_alpha_normec.ours import R2_SHARP
from verify.obligation import obligation
from verify.proof import Comparison, Proof

NUMBERS = values(unit=2 * 10**14, alpha="1/10", beta="1/10", R="1/10", r="13/2000", K=10**5 - 1)
PROBLEM = (
    "M = 4, T = 2 (N = 2), p = 1, σ = 0, d = 1: two clients whose local updates cancel at a point where f' "
    "is not zero; x⁰, …, x^{K+1} run exactly, a cycle of two rounds"
)


def trapped(bound: Bound):
    """The replay against one printed version: the cycle is run, every printed hypothesis checked, in fractions."""

    def replay(numbers: Values) -> Comparison:
        t = Trapped(numbers)
        parameters = {
            "f_gap": t.gap, "K": Fraction(t.K), "eta": t.eta, "R": t.R, "beta": t.beta, "M": Fraction(4), "p": Fraction(1),
            "sigma": Fraction(0), "gamma": t.gamma, "T": 2, "L": t.L, "Delta": t.Delta, "alpha": t.alpha,
            "Delta_local": t.Delta,
        }  # fmt: skip
        given = {name: parameters[name] for name in bound.parameters}
        right = bound.value(**given)
        if not isinstance(right, Fraction):
            raise TypeError("the right side is not rational: choose a unit that makes the roots exact")
        met = (
            *((condition.printed, bool(condition.holds(given))) for condition in bound.conditions),
            ("every f_i is L-smooth", max(f.smoothness for f in t.f) <= t.L),
            ("f and every f_i are bounded below", all(infimum_is_attained(f) for f in (t.mean, *t.f))),
            (
                "every Δ_i^inf > 0, in both definitions that need it",
                all(t.mean.infimum - i > 0 for i in t.infima),
            ),
            ("R = max_i ‖v_i⁰ − (x⁰ − T_i(x⁰))/γ‖", t.largest_residual() == t.R),
            ("η ∈ (0, 1) (Algorithm 1)", 0 < t.eta < 1),
            ("the run is a cycle of two rounds", t.cycle()),
        )
        return Comparison(t.smallest(), "<=", right, met)

    return replay


# Repairs: √Δ^inf in the condition on ηγ, B* for B. The conditions on η may stay.
_CLOSE = (
    BETA, ETA, SMOOTH, GAMMA, CLIENTS, ROUNDS, PARTICIPATION, VARIANCE, SPREAD, no.TIGHT_B, ro.LEVEL,
)  # fmt: skip
_RIGHT = (
    3 / (K + 1) * F / eta
    + 2 * R
    + participation_noise_term(beta, p, V, M, K)
    + printed.drift_term(gamma, L, Delta)
    + eta * L / 2
)
"""The printed bound for T ≥ 2 with B* for B."""


def repaired_gd(step: Fact) -> Proof:
    """The printed bound with B* for B, from the condition with √Δ^inf."""
    end = obligation(
        "the printed bound with B* for B", (*_CLOSE, se.ROOT, se.GROWTH_GD, se.END_GD[-1].conclusion), ro.low <= _RIGHT
    )  # fmt: skip
    shown = (FROM_FEEDBACK, ro.shorter(ro.STEP_SEVERAL, step), *se.limited(se.LIMIT_GD, se.ROOT, (SPREAD,)))
    return Proof(
        (*se.SEVERAL_HYPOTHESES, FEEDBACK, step, se.ROUNDS_IN_UNITS, SPREAD),
        (*shown, *se.GD_NODES, *se.PAPERS_GD, end),
    )


def repaired_ig() -> Proof:
    """Theorem 2 with √Δ^inf in the condition on ηγ and B* for B; Δ_i^inf in the definition of Lemma 8."""
    end = obligation(
        "Theorem 2 with B* for B",
        (*_CLOSE, se.SPREAD_LOCAL, se.ROOT_IG, se.GROWTH_IG, se.END_IG[-1].conclusion),
        ro.low <= _RIGHT + gamma * 4 * L * sympy.sqrt(2 * L) * sympy.sqrt(Delta_local),
    )
    step = ro.shorter(ro.STEP_SEVERAL, ro.THIRD_STEP)
    shown = (FROM_FEEDBACK, step, *se.limited(se.LIMIT_IG, se.ROOT_IG, (SPREAD, se.SPREAD_LOCAL)))
    return Proof(
        (*se.SEVERAL_HYPOTHESES, FEEDBACK, ro.THIRD_STEP, se.ROUNDS_IN_UNITS, SPREAD, se.SPREAD_LOCAL),
        (*shown, *se.IG_NODES, *se.PAPERS_IG, end),
    )


# With the printed drift and no condition on ηγ: where the start is not too high.
NEAR = hypothesis("f(x⁰) − f^inf ≤ 35Δ^inf", F <= 35 * Delta)
_SHOWN = (
    FROM_FEEDBACK,
    ro.shorter(ro.STEP_SEVERAL, ro.HALF_STEP),
    obligation(se.HIGHER.name, (SPREAD, GAP), se.HIGHER.relation),
)
_CITED = Cite(
    R2_SHARP,
    (*se.SEVERAL_HYPOTHESES, *(node.conclusion for node in _SHOWN), CLIENTS, ROUNDS, VARIANCE),
)
UNLIMITED = Proof(
    (*se.SEVERAL_HYPOTHESES, FEEDBACK, ro.HALF_STEP, SPREAD, NEAR),
    (
        *_SHOWN,
        _CITED,
        obligation(
            "the printed bound with B* for B, no condition on ηγ",
            (ETA, SMOOTH, GAMMA, ROUNDS, GAP, SPREAD, NEAR, _CITED.conclusion),
            ro.low <= _RIGHT,
        ),
    ),
)

_BOUND = "min_k E‖∇f(xᵏ)‖ ≤ 3/(K+1) (f(x⁰) − f^inf)/η + 2R + "
MAIN, TEXT, APP = (THEOREMS[f"FED-T1-{version}"] for version in ("MAIN", "TEXT", "APP"))
_WHY = (
    "Δ^inf stands in the condition on ηγ where its root belongs: in small units of f the condition is empty, "
    "and for T ≥ 2 the bias of the local steps is then not paid for by anything."
)
_FIX = (
    "With √Δ^inf in place of Δ^inf in the condition on ηγ and B* = (1 − p + V)/p in place of B (V = E‖z‖²) "
    "the bound holds, for η ≤ γ/2 · βR/(α+R) and hence for γ/3."
)
_CONDITION = "ηγ ≤ 1/(K+1) · √Δ^inf/(4L√(2L)); B* = (1 − p + V)/p"
_USER = "Use the bound of FED-R2-SHARP, which needs no condition on ηγ, or one local step with FED-R1-SHARP."


def breaks(bound: Bound) -> Witness:
    """Two local steps against a printed bound."""
    return Witness(NUMBERS, "min_k ‖∇f(xᵏ)‖ ≤ the printed bound", trapped(bound), PROBLEM)


def _version(id: str, place: str, statement: str, bound: Bound, step: Fact, why: str = _WHY) -> Claim:
    return claim(
        id,
        place,
        "theorem",
        statement,
        why,
        witness=breaks(bound),
        repair=Repair(
            _FIX,
            _CONDITION,
            repaired_gd(step),
            weakest="No condition on ηγ is needed where f(x⁰) − f^inf ≤ 35Δ^inf (FED-T1-UNLIMITED), nor with "
            "f(x⁰) − f^inf + Δ^inf in the drift (FED-R2-SHARP). With the printed drift alone some condition is "
            "necessary by the witness",
        ),
        consequence=_USER,
    )


CLAIMS = (
    _version("FED-T1-MAIN", "Section 4, Theorem 1", MAIN, printed.MAIN, ro.HALF_STEP),
    _version(
        "FED-T1-TEXT",
        "Section 4, Theorem 1 with the B of the sentence after it",
        TEXT,
        printed.TEXT,
        ro.HALF_STEP,
    ),
    _version(
        "FED-T1-APP",
        "Appendix F.2, Theorem, (K+1) read under the root",
        APP,
        printed.APPENDIX,
        ro.THIRD_STEP,
    ),
    _version(
        "FED-T1-APP@outside",
        "Appendix F.2, Theorem, (K+1) beside the root",
        APP,
        printed.APPENDIX_OUTSIDE,
        ro.THIRD_STEP,
    ),
    claim(
        "FED-T1-UNLIMITED",
        "ours, Theorem 1 with its own drift and without the condition on ηγ",
        "ours",
        "If β/(α+R) < 1, η ≤ γ/2 βR/(α+R), γ ≤ 1/(2L), Δ^inf > 0 and f(x⁰) − f^inf ≤ 35Δ^inf, then "
        + _BOUND
        + "2√(β²B*(K+1)/M) + γ8L√(2L)√Δ^inf + ηL/2, B* = (1 − p + V)/p",
        "The printed drift is six times what FED-R2-SHARP asks for at f(x⁰) = f^inf, so that it covers a starting gap of 35Δ^inf.",
        proof=UNLIMITED,
        consequence="ηγ has to be limited only where the start is far above what the clients differ by.",
    ),
    claim(
        "FED-T2",
        "Appendix G.2, Theorem 2, (K+1) read under the root",
        "theorem",
        THEOREMS["FED-T2"],
        _WHY,
        witness=Witness(
            NUMBERS,
            "min_k ‖∇f(xᵏ)‖ ≤ the printed bound",
            trapped(THEOREM2),
            PROBLEM + "; f_{i,0} = f_{i,1} = f_i",
        ),
        repair=Repair(
            "With √Δ^inf in the condition on ηγ, B* for B and Δ_i^inf = f_i^inf − (1/N)Σ f_{i,j}^inf (whose "
            "mean over the clients is at most that of the theorem's) the bound holds.",
            _CONDITION + "; N steps, one for each f_{i,j}, where T is printed",
            repaired_ig(),
        ),
        consequence="Use the bound of FED-R3-SHARP, which needs no condition on ηγ.",
    ),
    claim(
        "FED-T2@outside",
        "Appendix G.2, Theorem 2, (K+1) beside the root",
        "theorem",
        THEOREMS["FED-T2"],
        _WHY,
        witness=Witness(
            NUMBERS,
            "min_k ‖∇f(xᵏ)‖ ≤ the printed bound",
            trapped(THEOREM2_OUTSIDE),
            PROBLEM + "; f_{i,0} = f_{i,1} = f_i",
        ),
    ),
)
