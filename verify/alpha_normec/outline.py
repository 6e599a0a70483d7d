"""The proof outline of Section 4 and the displays of Lemma 2's proof: what is true although the lemma is not."""

from __future__ import annotations

import sympy

from verify.alpha_normec import descent
from verify.alpha_normec.descent import CITE_LEMMA1, SMOOTH_I, START
from verify.alpha_normec.letters import (
    ALPHA,
    BETA,
    CONTRACTION,
    GAMMA,
    PAPER,
    SHORT_STEP,
    SMOOTH_MAX,
    L_max,
    R,
    alpha,
    gamma,
    r,
    remaining,
)
from verify.alpha_normec.theorem1 import LEMMA2_VALUES, WITHIN, presupposed
from verify.claim import Claim, Repair, Values, Witness
from verify.obligation import obligation
from verify.proof import Comparison, Limit, Proof

_SHORT = descent.steps_are_short()
_GROWS = descent.residual_grows_slowly(_SHORT.conclusion)
OUTLINE = Claim(
    id="NEC-T1-OUTLINE",
    paper=PAPER,
    place="proof outline, Section 4",
    kind="step",
    printed="Using Lemma 2 and appropriate choices of the tuning parameters β, α, and γ, we get ‖∇f_i(x^k) − g_i^{k+1}‖ ≤ "
    "max_i ‖∇f_i(x⁰) − g_i⁰‖, ∀k ≥ 0.",
    reason="True under Theorem 1's conditions, but not by Lemma 2, which is false: by an induction on this quantity itself.",
    proof=Proof(
        (ALPHA, BETA, GAMMA, SMOOTH_MAX, SMOOTH_I, SHORT_STEP, START, CONTRACTION),
        (CITE_LEMMA1, _SHORT, _GROWS, descent.level_is_kept(CONTRACTION, R, "R")),
    ),
)
_CHAIN = obligation(
    "‖∇f_i(x⁺) − g_i⁺‖ ≤ γL_max + |1 − β/(α+r)| r",
    (ALPHA, BETA, _GROWS.conclusion, CITE_LEMMA1.conclusion),
    descent.r_next <= gamma * L_max + remaining(r),
)
L2_S1 = Claim(
    id="NEC-L2-S1",
    paper=PAPER,
    place="proof of Lemma 2, the chain of inequalities, Appendix D",
    kind="step",
    printed="‖∇f_i(x^{k+1}) − g_i^{k+1}‖ ≤ ‖∇f_i(x^{k+1}) − ∇f_i(x^k)‖ + ‖∇f_i(x^k) − g_i^{k+1}‖ ≤ … ≤ L_max γ + "
    "|1 − β/(α + ‖∇f_i(x^k) − g_i^k‖)| ‖∇f_i(x^k) − g_i^k‖",
    reason="Triangle inequality, Lemma 1, smoothness, and steps of length γ at most.",
    proof=Proof((ALPHA, BETA, GAMMA, SMOOTH_MAX, SMOOTH_I), (CITE_LEMMA1, _SHORT, _GROWS, _CHAIN)),
)


def _sum(values: Values) -> Comparison:
    a, b, g, radius, x = (values[name] for name in ("alpha", "beta", "gamma", "R", "r"))
    return Comparison(g + abs(1 - b / (a + x)) * x, "<=", radius,
                      (*presupposed(values), ("‖∇f_i(x^k) − g_i^k‖ ≤ R", x <= radius)))  # fmt: skip


_WITH_R = obligation(
    "L_maxγ + |1 − β/(α+r)| r < 2R",
    (
        ALPHA,
        BETA,
        GAMMA,
        SMOOTH_MAX,
        SHORT_STEP,
        CONTRACTION,
        WITHIN,
        descent.RADIUS_IS_NORM,
        descent.RESIDUAL,
    ),
    gamma * L_max + remaining(r) < 2 * R,
)
L2_S2 = Claim(
    id="NEC-L2-S2",
    paper=PAPER,
    place="proof of Lemma 2, last sentence, Appendix D",
    kind="step",
    printed="[‖∇f_i(x^{k+1}) − g_i^{k+1}‖ ≤ L_maxγ + |1 − β/(α+r)| r, r = ‖∇f_i(x^k) − g_i^k‖.] If ‖∇f_i(x^k) − g_i^k‖ ≤ R and "
    "β/(α+R) < 1, then ‖∇f_i(x^{k+1}) − g_i^{k+1}‖ ≤ R when γ ≤ βR/(α+R) · 1/L_max [since the chain's last member then is].",
    reason="It holds at r = R and is used for all r ≤ R: at r = R/2 it is 15/16 + 1/8.",
    witness=Witness(LEMMA2_VALUES, "L_maxγ + |1 − β/(α+r)| r ≤ R", _sum, "L_max = 1"),
    repair=Repair(
        "It is below 2R for all r ≤ R; at most R under NEC-L2's further condition.",
        "2R for R",
        Proof(
            (ALPHA, BETA, GAMMA, SMOOTH_MAX, SHORT_STEP, CONTRACTION, WITHIN),
            (
                Limit(
                    "no less will do: β = R, r = √(αβ) − α, the longest step, α → 0",
                    R * R / (alpha + R) + (R / sympy.sqrt(alpha * R) - 1) * (sympy.sqrt(alpha * R) - alpha),
                    alpha,
                    sympy.Integer(0),
                    2 * R,
                ),
                _WITH_R,
            ),
        ),
        weakest="2R is the least upper bound over all that the conditions allow",
    ),
)
CLAIMS = (OUTLINE, L2_S1, L2_S2)
