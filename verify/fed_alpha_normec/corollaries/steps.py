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
from verify.fed_alpha_normec.corollaries.rates import CONSTANTS, D_1, D_2, STEP_LOCAL, hat, kappa
from verify.fed_alpha_normec.corollaries.utility import EXTENT
from verify.fed_alpha_normec.corollaries.utility_claims import CLAIMS as UTILITY
from verify.fed_alpha_normec.corollaries.utility_claims import OBTAINED
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


# B_root stands for √(B/M), with K + 1 = κ^6 or κ^8.
B_root = letters("√(B/M)")[0]
_ROOT = hypothesis("√(B/M) ≥ 0", B_root >= 0)
_LATER = hypothesis("κ ≥ 1", kappa >= 1)


def _inserted(root: int, beta_power: int, more: sympy.Expr, end: sympy.Expr, facts: tuple) -> Proof:
    """The display of Theorem 1 with K + 1 under the root, and the choices in it."""
    power, *choices = ra.schedule(root, beta_power, root - 1)
    plan = (hypothesis(power.name, power.relation), *choices)
    bound = 3 / (K + 1) * F / eta + 2 * R + 2 * beta * B_root * kappa ** (root // 2) + eta * L / 2 + more
    display = hypothesis("the display before", ro.low <= bound)
    positive = hypothesis("η̂ > 0", hat > 0)
    given = (SMOOTH, CONSTANTS, _LATER, *plan, display, positive, _ROOT, *facts)
    step = obligation("inserted", (*given, GAP), ro.low <= end)
    return Proof(given, (step,))


_ONE = _inserted(
    6, 4, sympy.Integer(0), (3 * F / hat + 2 * D_1 + 2 * B_root * D_2) / kappa + hat * L / 2 / kappa**5, ()
)
_ROOT_DELTA = letters("√(2LΔ)")[0]
_THREE = _inserted(
    8,
    5,
    gamma * 8 * L * _ROOT_DELTA,
    (3 * F / hat + 2 * D_1 + 2 * B_root * D_2 + 4 * _ROOT_DELTA) / kappa + hat * L / 2 / kappa**7,
    (STEP_LOCAL,),
)
_ROOT_OWN = letters("√(2L(1/M)ΣΔ_i)")[0]
_FIVE_ROOTS = hypothesis("√(2LΔ^inf), √(2L(1/M) Σ Δ_i^inf) ≥ 0", (_ROOT_DELTA >= 0) & (_ROOT_OWN >= 0))
_WITHOUT_DRIFT = 3 * F / hat + 2 * D_1 + 2 * B_root * D_2
_HALVED = _inserted(
    8,
    5,
    gamma * 8 * L * _ROOT_DELTA + gamma * 4 * L * _ROOT_OWN,
    (_WITHOUT_DRIFT + 4 * _ROOT_DELTA + 2 * _ROOT_OWN) / kappa + hat * L / 2 / kappa**7,
    (STEP_LOCAL,),
)
_DOUBLED = obligation(
    "with 8 and 4",
    (_LATER, _FIVE_ROOTS, hypothesis("η̂ > 0", hat > 0), _HALVED.nodes[-1].conclusion),
    ro.low <= (_WITHOUT_DRIFT + 8 * _ROOT_DELTA + 4 * _ROOT_OWN) / kappa + hat * L / 2 / kappa**7,
)
_FIVE = Proof((*_HALVED.assumptions, _FIVE_ROOTS), (*_HALVED.nodes, _DOUBLED))
_SHORT = obligation("γ = 1/(2Lκ), κ ≥ 1: γ ≤ 1/(2L)", (SMOOTH, STEP_LOCAL, _LATER), gamma <= 1 / (2 * L))


def _beside_the_root(v: Values) -> Comparison:
    """The first display's right side with the choices in it and K + 1 = κ⁸ beside the root, against the last display's; root_own is
    √((1/M) Σ Δ_i^inf), which Corollary 5 has, with constants twice as large in the last one as γ makes of Theorem 2's."""
    kappa, F, D_1, D_2, L, B_root = (v[n] for n in ("kappa", "f_gap", "D_1", "D_2", "L", "root_B_M"))
    root_L, root_Delta = v["root_2L"], v["root_Delta"]
    hat = min(root_Delta**2 / (2 * root_L), D_1 * D_2 / (4 * L * (v["alpha"] + D_1)))
    own = v.get("root_own")
    drift = root_L * (4 * root_Delta + 2 * (own or 0))
    left = drift if own is None else 2 * drift
    first = (
        3 * F / (hat * kappa)
        + 2 * D_1 / kappa
        + 2 * D_2 * B_root * kappa**3
        + hat * L / (2 * kappa**7)
        + drift / kappa
    )
    last = (3 * F / hat + 2 * D_1 + 2 * B_root * D_2 + left) / kappa + hat * L / (2 * kappa**7)
    met = (
        ("L, Δ^inf, D₁, D₂, B > 0", min(L, root_Delta, D_1, D_2, B_root) > 0),
        ("√(2L)² = 2L", root_L > 0 and root_L**2 == 2 * L),
        ("K ≥ 1", kappa > 1),
        *(
            ()
            if own is None
            else (("(1/M) Σ Δ_i^inf ≥ Δ^inf, as where all lower bounds are infima", own >= root_Delta),)
        ),
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


def _obtained(v: Values) -> Comparison:
    """Corollary 4's choices with β in the condition on γ, and Theorem 1's conditions on η in both versions; K + 1 = n, and B₂ = M, so
    that all roots of M/B₂ are 1. η against the first member of the minimum, 1/(K+1) · Δ^inf/(2√(2L))."""
    hat, a, R_, g, length, n, L_ = (v[name] for name in ("beta_hat", "alpha", "R", "gamma", "eta", "n", "L"))
    b, spread, root = hat / n, v["Delta_inf"], v["root_2L"]
    met = (
        ("β̂ = √(3(f(x⁰)−f^inf)/γ), B₂ = M", hat > 0 and hat**2 == 3 * v["gap"] / g),
        ("√(2L) is the positive root of 2L", root > 0 and root**2 == 2 * L_),
        ("α = R > 0", a == R_ > 0),
        ("γ < Δ^inf(α+R)/(√(2L)βR)", g * root * b * R_ < spread * (a + R_)),
        ("0 < γ ≤ 1/(2L)", 0 < g <= 1 / (2 * L_)),
        ("K + 1 ≥ 1 is whole", n >= 1 and n.denominator == 1),
        ("β/(α+R) < 1", b < a + R_),
        ("ηγ ≤ (1/(K+1))(Δ^inf/(4L√(2L)))", length * g <= spread / (n * 4 * L_ * root)),
        ("0 < η ≤ (γ/3)(βR/(α+R)) ≤ (γ/2)(βR/(α+R))", 0 < length <= g / 3 * b * R_ / (a + R_)),
    )
    return Comparison(length, "<=", spread / (n * 2 * root), met)


_OBTAINED_TEXT = next(c.printed for c in UTILITY if c.id == "FED-F5-S5@obtained")
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
    values(kappa=2, f_gap=1, D_1=1, D_2=1, L=2, alpha=1, root_2L=2, root_Delta=1, root_B_M=1),
    "the first display's right side ≤ the last display's",
    _beside_the_root,
    "K + 1 = 256, f(x⁰) − f^inf = D₁ = D₂ = α = B/M = Δ^inf = 1, L = 2",
)
_PASSES_BESIDE = Witness(
    values(kappa=2, f_gap=1, D_1=1, D_2=1, L=2, alpha=1, root_2L=2, root_Delta=1, root_own=1, root_B_M=1),
    "Theorem 2's right side with the choices in it ≤ the corollary's",
    _beside_the_root,
    "K + 1 = 256, f(x⁰) − f^inf = D₁ = D₂ = α = B/M = Δ^inf = (1/M) Σ Δ_i^inf = 1, L = 2",
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
    claim(
        "FED-C5-S1", "Appendix G.3, proof of Corollary 5", "step",
        "The proof is analogous to the proof of Corollary 3. [the choices, inserted in Theorem 2's bound, give A₁/(K+1)^{1/8} + "
        "A₂/(K+1)^{7/8}]",
        "γ = 1/(2L(K+1)^{1/8}) makes 4√(2L) and 2√(2L) of Theorem 2's two constants, half of the corollary's 8 and 4, so that its "
        "bound follows from Theorem 2's bound with K + 1 under its root; G.2 prints it beside, as the proof of Corollary 3 does "
        "(FED-C3-S4). (Theorem 2 itself is false: FED-T2; and its limit on η is not met: FED-C5@conditions.) " + EXTENT,
        repair=Repair(
            "The bound follows from Theorem 2's with 2√((β²B/M)(K+1)), also with 4 and 2 in place of 8 and 4.",
            "K + 1 under the root",
            _FIVE,
        ),
        gap=Gap("reading", "K + 1 of Theorem 2 beside its root", _PASSES_BESIDE),
        consequence="Theorem 2 itself is false (FED-T2); what holds of the corollary is in FED-C5.",
    ),
    _again(2),
    _again(5),
    claim(
        "FED-C4-S5@obtained",
        "Appendix F.3, proof of Corollary 4, the two limits of η, as what follows from Theorem 1's conditions and Corollary 4's limit "
        "on γ by the letter",
        "step",
        "γ < Δ^inf(α+R)/(√(2L)βR) […] " + _OBTAINED_TEXT,
        "β = β̂/(K+1) stands in the limit on γ where β̂ is meant (FED-C4@rounds): K + 1 times too weak to make the first member the "
        "larger one. In F.5, with β̂, it follows (FED-F5-S5@obtained).",
        witness=Witness(
            values(
                L="1/2", root_2L=1, gamma="1/4", Delta_inf=1, n=4, gap="64/3", beta_hat=16, alpha=4, R=4, eta="1/6"
            ),
            "η ≤ (1/(K+1))(Δ^inf/(2√(2L)))",
            _obtained,
            "L = 1/2, γ = 1/4, Δ^inf = 1, K + 1 = 4, B₂ = M, β̂ = 16, α = R = 4: η = 1/6 against 1/8",
        ),
        repair=Repair("With β̂ for β it follows.", "β̂ for β", OBTAINED),
    ),
    _again(6),
    with_drift("FED-C4-S9", "Appendix F.3, proof of Corollary 4, last display", _LAST),
)  # fmt: skip
