"""The remaining steps of the proofs of Lemmas 1, 5 and 6."""

from __future__ import annotations

import sympy

from verify.claim import Repair, Values, Witness
from verify.computation import Comparison
from verify.facts import Fact, definition, equal, hypothesis, letters, standard
from verify.fed_alpha_normec.lemmas import lemma1 as l1
from verify.fed_alpha_normec.lemmas import recursion as rec
from verify.fed_alpha_normec.lemmas.local_gradient import CLOSE
from verify.fed_alpha_normec.lemmas.step_displays import STEPS
from verify.fed_alpha_normec.letters import (
    ALPHA,
    BETA,
    GAMMA,
    SMOOTH,
    L,
    alpha,
    beta,
    claim,
    eta,
    gamma,
    values,
)
from verify.induction import Induction
from verify.obligation import obligation
from verify.proof import Proof

# Lemma 1: the printed limit on η ends its first conclusion.
_BEFORE = hypothesis(
    "the display before",
    l1.r_next <= (1 + l1.rho) * eta / gamma + (1 - beta / (alpha + l1.C)) * l1.C,
)
_ENDS = obligation("≤ C", (ALPHA, BETA, GAMMA, l1.BALL, l1.RHO, l1.STEP_LIMIT, _BEFORE), l1.r_next <= l1.C)
_MOVED = obligation(
    "‖P(xᵏ⁺¹) − vᵏ⁺¹‖ ≤ (1 + ρ)η/γ + (1 − β/(α + C))C",
    (
        ALPHA, BETA, GAMMA, l1.RHO, l1.BALL, CLOSE, l1.OVERSHOT[-1].conclusion, l1.DRIFT, l1.LIPSCHITZ,
    ),
    l1.r_next <= (1 + l1.rho) * eta / gamma + (1 - beta / (alpha + l1.C)) * l1.C,
)  # fmt: skip


def _hence(numbers: Values) -> Comparison:
    """The residual after the step, against what S2 and the false S3 add up to; here ‖xᵏ⁺¹ − xᵏ‖ = η."""
    first, _, met = l1.residual(numbers)
    a, b, c, rho, g = (numbers[n] for n in ("alpha", "beta", "C", "rho", "gamma"))
    step = g * b * c / ((1 + rho) * (a + c))
    return Comparison(first, "<=", (1 + rho) * step / g + (1 - b / (a + c)) * c, met)


# Lemma 5: from the sum over the rounds to the least W.
_growth = letters("(1+b₁γ²)^k")[0]
_POWER = Fact("u_k (1 + b₁γ²)^k = 1", equal(rec.u * _growth, 1), "derived")
POWERS = Induction(
    _POWER.name,
    _POWER,
    obligation("power 0", (), sympy.true),
    obligation("one power more", (_POWER, rec.WEIGHT), equal(rec.u_next * (_growth * (1 + rec.x)), 1)),
    start=((rec.u, 1), (_growth, 1)),
    next=((rec.u, rec.u_next), (_growth, _growth * (1 + rec.x))),
)
_ENDED = hypothesis(
    "w^K, V^{K+1}, V⁰ ≥ 0; K ≥ 0", (rec.u >= 0) & (rec.v >= 0) & (rec.v_0 >= 0) & (rec.K >= 0)
)
_w = letters("w_before")[0]
_GAIN = hypothesis("b₂γ > 0", rec.b_2 * rec.step > 0)
_DROPPED = obligation(
    "without −w^K V^{K+1}",
    (_GAIN, _ENDED),
    (_w * rec.v_0 - rec.u * rec.v) / (rec.b_2 * rec.step * (rec.K + 1)) + rec.b_3 / rec.b_2 * rec.U
    <= _w * rec.v_0 / (rec.b_2 * rec.step * (rec.K + 1)) + rec.b_3 / rec.b_2 * rec.U,
)
_MADE = definition(
    "K + 1 rounds", (rec.K >= 0) & equal(rec.k, rec.K + 1) & (rec.v >= 0) & (rec.v_0 >= 0) & (rec.u > 0)
)
_LEAST = obligation(
    "min W ≤ (1/Σw) Σ wW ≤ V⁰/(b₂γΣw) + b₃/b₂",
    (rec.SIGNS, _MADE, rec.WEIGHTED, rec.ABOVE, rec.SMALLEST),
    (rec.low <= rec.S / rec.U)
    & (rec.S / rec.U <= rec.v_0 / (rec.b_2 * rec.step * rec.U) + rec.b_3 / rec.b_2),
)
_LEAST_OF_GAINS = obligation(
    _LEAST.name, (rec.GAIN, _MADE, rec.WEIGHTED, rec.SOME_WEIGHT, rec.SMALLEST), _LEAST.conclusion.relation
)
_ALMOST = obligation(
    "min W ≤ (1 + b₁γ²)^{K+1}V⁰/(b₂γ(K+1)) + b₃/b₂",
    (rec.SIGNS, _MADE, rec.ABOVE, _POWER, _LEAST.conclusion),
    rec.low <= _growth * rec.v_0 / (rec.b_2 * rec.step * (rec.K + 1)) + rec.b_3 / rec.b_2,
)


def _shrinking(numbers: Values) -> Comparison:
    """The problem of FED-L5: b₁γ² = −1/20."""
    t, K, w, g = (numbers[n] for n in ("x", "K", "W", "step"))
    b_2, b_3 = numbers["b_2"] * g, numbers["b_3"] * g
    v = [numbers["v_0"]]
    for _ in range(int(K) + 1):
        v.append((1 + t) * v[-1] - b_2 * w + b_3)
    bound = (1 + t) ** int(K + 1) * v[0] / (b_2 * (K + 1)) + b_3 / b_2
    return Comparison(w, "<=", bound, (("Vᵏ ≥ 0, Wᵏ ≥ 0", min(v) >= 0 and w >= 0), ("γ > 0", g > 0)))


def _growing(numbers: Values) -> Comparison:
    """K = 0, b₁ = 0, weights 1: what is dropped, −V¹/b₂, against 0."""
    v_0, v_1, w, g = (numbers[n] for n in ("v_0", "v_1", "W", "step"))
    b_2, b_3 = numbers["b_2"] * g, numbers["b_3"] * g
    met = (
        ("Vᵏ ≥ 0, Wᵏ ≥ 0", min(v_0, v_1, w) >= 0),
        ("γ > 0", g > 0),
        ("the recursion", v_1 <= v_0 - b_2 * w + b_3),
    )
    return Comparison((v_0 - v_1) / b_2 + b_3 / b_2, "<=", v_0 / b_2 + b_3 / b_2, met)


# Lemma 6, one client.
_f, _f_next, _inf, _g = letters("f_i f_i_next f_i_inf g_i")
_BELOW = obligation(
    "‖∇f_i‖² ≤ 2L(f_i − f_i^inf)",
    (
        SMOOTH,
        standard("descent lemma at x − ∇f_i(x)/L", _f_next <= _f - _g**2 / L + L / 2 * (_g / L) ** 2),
        hypothesis("f_i ≥ f_i^inf", _f_next >= _inf),
    ),
    _g**2 <= 2 * L * (_f - _inf),
)


def _step(identifier: str, where: str, reason: str, **evidence):
    return claim(identifier, f"Appendix {where}", "step", STEPS[identifier], reason, **evidence)


CLAIMS = (
    _step(
        "FED-L1-S5",
        "E, proof of Lemma 1, “Hence”",
        "It adds the false bound of FED-L1-S3 to the first term: 17/16 against 1 for a residual that is overshot.",
        witness=Witness(
            l1.OVERSHOOT,
            "‖P(xᵏ⁺¹) − vᵏ⁺¹‖ ≤ (1 + ρ)‖xᵏ⁺¹ − xᵏ‖/γ + (1 − β/(α + C))C",
            _hence,
            "d = 1, v = 0, T(x) = −2x, ‖xᵏ⁺¹ − xᵏ‖ = η",
        ),
        repair=Repair(
            "It holds if in addition β ≤ α or (√β − √α)² ≤ C(1 − β/(α + C)).",
            "β ≤ α or (√β − √α)² ≤ C(1 − β/(α + C))",
            Proof(
                (
                    ALPHA,
                    BETA,
                    GAMMA,
                    l1.RHO,
                    l1.BALL,
                    l1.GEOMETRIC_MEAN,
                    l1.WEAKEST,
                    l1.IN_BALL,
                    CLOSE,
                ),
                (*l1.OVERSHOT, _MOVED),
            ),
        ),
    ),
    _step(
        "FED-L1-S6",
        "E, proof of Lemma 1, the limit on η inserted",
        "Algebra, from the display before (which is false: FED-L1-S5).",
        proof=Proof((ALPHA, BETA, GAMMA, l1.BALL, l1.RHO, l1.STEP_LIMIT, _BEFORE), (_ENDS,)),
    ),
    _step(
        "FED-L5-S5",
        "E, proof of Lemma 5, the sum over k, second line",
        "What is dropped is not negative where b₂ > 0, which the lemma does not state; false for b₂ < 0.",
        witness=Witness(
            values(v_0=1, v_1=1, b_2=-1, b_3=0, step=1, W=0),
            "(V⁰ − V¹)/(b₂γ) + b₃/b₂ ≤ V⁰/(b₂γ) + b₃/b₂",
            _growing,
            "K = 0, b₁ = 0, γ = 1, b₂ = −1: V = (1, 1), W⁰ = 0",
        ),
        repair=Repair("It holds for b₂γ > 0.", "b₂γ > 0", Proof((_GAIN, _ENDED), (_DROPPED,))),
    ),
    _step(
        "FED-L5-S6",
        "E, proof of Lemma 5, the least W",
        "The first inequality is right, the second divides by K + 1 as well as by Σ wᵏ: it inherits FED-L5-S2.",
        witness=Witness(
            rec.ONCE_TOO_OFTEN,
            "the mean of W ≤ V⁰/(b₂γ(K+1)Σw)",
            lambda numbers: rec.divided(numbers, 2 * numbers["w"]),
            "K = 1, V = (2, 1, 0), W = (1, 1), b₁ = b₃ = 0, b₂ = γ = 1, all weights 1",
        ),
        repair=Repair(
            "For b₂γ > 0, b₁γ² > −1: min W ≤ (1/Σw) Σ wW ≤ w⁻¹V⁰/(b₂γΣw) + b₃/b₂.",
            "without K + 1; b₂γ > 0, b₁γ² > −1",
            Proof(
                (rec.GAIN, rec.RECURSION), (rec.SUM_OF_GAINS, rec.POSITIVE_SUM, rec.MINIMUM, _LEAST_OF_GAINS)
            ),
        ),
    ),
    _step(
        "FED-L5-S7",
        "E, proof of Lemma 5, before the exponential",
        "Right for b₁ ≥ 0 and b₂ > 0, where K + 1 is divided by once; false for b₁ < 0 (FED-L5).",
        witness=Witness(
            values(x="-1/20", K=1, b_2=1, b_3=1, step=1, v_0=1, W="73/50"),
            "min W ≤ (1 + b₁γ²)^{K+1}V⁰/(b₂γ(K+1)) + b₃/b₂",
            _shrinking,
            "b₁γ² = −1/20, γ = b₂ = b₃ = 1, V⁰ = 1, W = 73/50 twice",
        ),
        repair=Repair(
            "It holds for b₁ ≥ 0, b₂ > 0, γ > 0.",
            "b₁ ≥ 0, b₂ > 0",
            Proof((rec.SIGNS, rec.RECURSION), (rec.SUM, rec.ENOUGH, rec.MINIMUM, POWERS, _LEAST, _ALMOST)),
        ),
    ),
    _step(
        "FED-L6-S3",
        "F.1, proof of Lemma 6, first display",
        "The descent lemma at x − ∇f_i(x)/L, where f_i is at least f_i^inf.",
        proof=Proof((SMOOTH, _BELOW.given[-1]), (_BELOW,)),
    ),
)
