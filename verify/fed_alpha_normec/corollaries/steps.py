"""The remaining steps of the proofs of Corollaries 1, 3 and 4; F.3 repeats four displays of F.5."""

from __future__ import annotations

from dataclasses import replace

import sympy

from bounds.fed_alpha_normec import theorem1 as printed
from verify.claim import Claim, Gap, Repair, Values, Witness
from verify.computation import Comparison
from verify.facts import hypothesis, letters
from verify.fed_alpha_normec.corollaries import rates as ra
from verify.fed_alpha_normec.corollaries.last_display import with_drift
from verify.fed_alpha_normec.corollaries.rates import CONSTANTS, D_1, D_2, STEP_LOCAL, hat, z
from verify.fed_alpha_normec.corollaries.utility import EXTENT
from verify.fed_alpha_normec.corollaries.utility_claims import CLAIMS as UTILITY
from verify.fed_alpha_normec.letters import GAP, SMOOTH, F, K, L, R, beta, claim, eta, gamma, values
from verify.fed_alpha_normec.ours import rounds as ro
from verify.fed_alpha_normec.theorems.one_step import first_display
from verify.fed_alpha_normec.theorems.theorem1 import NUMBERS, PROBLEM, trapped
from verify.obligation import obligation
from verify.proof import Proof

_MIN = "min_{k∈[0,K]} E[‖∇f(x^k)‖] ≤ "
_START = _MIN + "(3/(K+1))((f(x⁰) − f^inf)/η) + 2R + "
_WITH = ", where B = 2p(1 − 1/p)² + 2(1 − p) + 2σ_DP²/p."
_DRIFT = "γ·[8L√(2L)√Δ^inf]"


def _choices(power: str, beta_power: str, step: str) -> str:
    return (
        f"Next, suppose that {step}, v_i⁰ ∈ ℝ^d such that max_{{i∈[1,M]}} ‖(x⁰ − T_i(x⁰))/γ − v_i⁰‖ = R = D₁/(K+1)^{{{power}}} "
        f"with D₁ > 0, β = D₂/(K+1)^{{{beta_power}}} with D₂ > 0. […] "
    )


# B_root stands for √(B/M), with K + 1 = z^6 or z^8.
B_root = letters("√(B/M)")[0]
_ROOT = hypothesis("√(B/M) ≥ 0", B_root >= 0)
_LATER = hypothesis("z ≥ 1", z >= 1)


def _inserted(root: int, beta_power: int, more: sympy.Expr, end: sympy.Expr, facts: tuple) -> Proof:
    """The display of Theorem 1 with K + 1 under the root, and the choices in it."""
    power, *choices = ra.schedule(root, beta_power, root - 1)
    plan = (hypothesis(power.name, power.relation), *choices)
    bound = 3 / (K + 1) * F / eta + 2 * R + 2 * beta * B_root * z ** (root // 2) + eta * L / 2 + more
    display = hypothesis("the display before", ro.low <= bound)
    positive = hypothesis("η̂ > 0", hat > 0)
    given = (SMOOTH, CONSTANTS, _LATER, *plan, display, positive, _ROOT, *facts)
    step = obligation("inserted", (*given, GAP), ro.low <= end)
    return Proof(given, (step,))


_ONE = _inserted(
    6, 4, sympy.Integer(0), (3 * F / hat + 2 * D_1 + 2 * B_root * D_2) / z + hat * L / 2 / z**5, ()
)
_ROOT_DELTA = letters("√(2LΔ)")[0]
_THREE = _inserted(
    8,
    5,
    gamma * 8 * L * _ROOT_DELTA,
    (3 * F / hat + 2 * D_1 + 2 * B_root * D_2 + 4 * _ROOT_DELTA) / z + hat * L / 2 / z**7,
    (STEP_LOCAL,),
)
_SHORT = obligation("γ = 1/(2Lz), z ≥ 1: γ ≤ 1/(2L)", (SMOOTH, STEP_LOCAL, _LATER), gamma <= 1 / (2 * L))


def _beside_the_root(v: Values) -> Comparison:
    """The first display's right side with the choices in it and K + 1 = z⁸ beside the root, against the last display's."""
    z, F, D_1, D_2, L, B_root = (v[n] for n in ("z", "f_gap", "D_1", "D_2", "L", "root_B_M"))
    root_L, root_Delta = v["root_2L"], v["root_Delta"]
    hat = min(root_Delta**2 / (2 * root_L), D_1 * D_2 / (4 * L * (v["alpha"] + D_1)))
    drift = 4 * root_L * root_Delta
    first = 3 * F / (hat * z) + 2 * D_1 / z + 2 * D_2 * B_root * z**3 + hat * L / (2 * z**7) + drift / z
    last = (3 * F / hat + 2 * D_1 + 2 * B_root * D_2 + drift) / z + hat * L / (2 * z**7)
    met = (
        ("L, Δ^inf, D₁, D₂, B > 0", min(L, root_Delta, D_1, D_2, B_root) > 0),
        ("√(2L)² = 2L", root_L > 0 and root_L**2 == 2 * L),
        ("K ≥ 1", z > 1),
    )
    return Comparison(first, "<=", last, met)


def _again(number: int) -> Claim:
    """A display of F.5 that the proof of Corollary 4 prints too."""
    found = next(c for c in UTILITY if c.id == f"FED-F5-S{number}")
    return replace(
        found,
        id=f"FED-C4-S{number}",
        place=found.place.replace("Appendix F.5", "Appendix F.3, proof of Corollary 4"),
        reason=f"As in F.5 (FED-F5-S{number}). {found.reason}",
    )


_LAST = (
    "If α = R = O(⁴√d(√(f(x⁰) − f^inf)/√γ)⁴√(B₂/M)), then "
    + _MIN
    + "O(Δ(√(f(x⁰) − f^inf)/√γ)⁴√(d(B₂/M))) + O(1/√(K+1)) + O(1/(K+1)) + "
    + _DRIFT
    + " ≤ O(Δ(√(f(x⁰) − f^inf)/√γ)⁴√(d(B₂/M)) + "
    + _DRIFT
    + ") + O(1/√(K+1)) + O(1/(K+1)), where Δ = 2√3 max(α, 2). Finally, if γ = 1/(2L), then we complete the proof."
)
_LAST_OF_3 = (
    _choices("1/8", "5/8", "γ = 1/(2L(K+1)^{1/8}) to guarantee that γ ≤ 1/(2L)") + "η = η̂/(K+1)^{7/8} […]. Therefore, " + _MIN
    + "A₁/(K+1)^{1/8} + A₂/(K+1)^{7/8}, where A₁ = 3(f(x⁰) − f^inf)/η̂ + 2D₁ + 2√B D₂/√M + 4√(2L)√Δ^inf and A₂ = η̂L/2."
)  # fmt: skip
_BESIDE = Witness(
    values(z=2, f_gap=1, D_1=1, D_2=1, L=2, alpha=1, root_2L=2, root_Delta=1, root_B_M=1),
    "the first display's right side ≤ the last display's",
    _beside_the_root,
    "K + 1 = 256, f(x⁰) − f^inf = D₁ = D₂ = α = B/M = Δ^inf = 1, L = 2",
)
_UNDER_THE_ROOT = Repair(
    "The last display follows from the first with 2√((β²B/M)(K+1)).", "K + 1 under the root", _THREE
)
CLAIMS = (
    first_display(
        "FED-C1-APP-S2", "Appendix F.4, proof, first display",
        "Let T = 1. Then, from Theorem 1, " + _START + "2√((β²B/M)(K+1)) + η·(L/2)" + _WITH,
    ),
    claim(
        "FED-C1-APP-S3", "Appendix F.4, proof, last display", "step",
        _choices("1/6", "2/3", "γ = 1/(2L)") + "η = η̂/(K+1)^{5/6} […]. Therefore, " + _MIN
        + "A₁/(K+1)^{1/6} + A₂/(K+1)^{5/6}, where A₁ = 3(f(x⁰) − f^inf)/η̂ + 2D₁ + 2√B D₂/√M and A₂ = η̂L/2.",
        "Substitution into the first display.", proof=_ONE,
    ),
    claim(
        "FED-C3-S2", "Appendix F.3, proof of Corollary 3, choice of γ", "step",
        "γ = 1/(2L(K+1)^{1/8}) to guarantee that γ ≤ 1/(2L)", "K + 1 ≥ 1.", proof=Proof((SMOOTH, STEP_LOCAL, _LATER), (_SHORT,)),
    ),
    claim(
        "FED-C3-S3", "Appendix F.3, proof of Corollary 3, first display, (K+1) beside the root", "step",
        "Let T > 1. Then, from Theorem 1, " + _START + "2√(β²B/M)(K+1) + η·(L/2) + " + _DRIFT + _WITH,
        "Theorem 1 with several local steps, which is false (FED-T1-APP, FED-T1-APP@outside, with what holds in its place).",
        witness=Witness(NUMBERS, "min_k ‖∇f(xᵏ)‖ ≤ the printed bound", trapped(printed.APPENDIX_OUTSIDE), PROBLEM),
    ),
    claim(
        "FED-C3-S4", "Appendix F.3, proof of Corollary 3, last display", "step", _LAST_OF_3,
        "Substitution into the first display with K + 1 under its root, as Section 4 has it. " + EXTENT,
        repair=_UNDER_THE_ROOT, gap=Gap("reading", "K + 1 of the first display beside its root", _BESIDE),
    ),
    claim(
        "FED-C3-S4@letter", "Appendix F.3, proof of Corollary 3, last display, (K+1) of the first beside its root", "step", _LAST_OF_3,
        "With K + 1 beside the root, as the first display of the proof has it, the term of B is 2√B D₂(K+1)^{3/8}/√M.",
        witness=_BESIDE, repair=_UNDER_THE_ROOT,
    ),
    _again(2),
    _again(5),
    _again(6),
    with_drift("FED-C4-S9", "Appendix F.3, proof of Corollary 4, last display", _LAST),
)  # fmt: skip
