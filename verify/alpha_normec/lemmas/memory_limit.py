"""Up to which β the memory of Appendix C approaches a fixed vector."""

from __future__ import annotations

import sympy

from verify.alpha_normec.lemmas.memory import APART, r_0
from verify.alpha_normec.letters import ALPHA, BETA, PAPER, RESIDUAL, alpha, beta, r, remaining
from verify.claim import Claim
from verify.facts import definition, derived, equal, hypothesis
from verify.identity import Limit
from verify.induction import Induction
from verify.obligation import Obligation, obligation
from verify.proof import Proof

k, c, larger, stuck = sympy.symbols("k c beta_larger r_stuck", real=True)
_UP_TO_TWICE = hypothesis("β ≤ 2α", beta <= 2 * alpha)
_BEYOND = hypothesis("another β' > 2α", larger > 2 * alpha)
_SPEED = definition("c = min(2, β/r⁰)/(α + r⁰)", equal(c * (alpha + r_0), sympy.Min(2, beta / r_0)))
_NEAR = derived("rᵏ(1 + kcr⁰) ≤ r⁰", (r * (1 + k * c * r_0) <= r_0) & (r >= 0))
_POSITIVE = obligation("c > 0", (ALPHA, BETA, APART, _SPEED), c > 0)
_SHRINKS = obligation(
    "a distance r ≤ r⁰ becomes at most r/(1 + cr)",
    (ALPHA, BETA, _UP_TO_TWICE, APART, _SPEED, RESIDUAL),
    sympy.Implies(r <= r_0, remaining(r) * (1 + c * r) <= r),
)
_NEXT = remaining(r)
OUR_REACH = Claim(
    id="NEC-OUR-REACH",
    paper=PAPER,
    place="ours: Appendix C, last sentence",
    kind="ours",
    printed="With r^k = ‖g^k − g⋆‖, g⁰ ≠ g⋆ and g^{k+1} = g^k + βNorm_α(g⋆ − g^k), α > 0: for 0 < β ≤ 2α, r^k ≤ r⁰/(1 + kcr⁰) → 0 "
    "with c = min(2, β/r⁰)/(α + r⁰). For β > 2α the distance β/2 − α is kept for ever.",
    reason="For β ≤ 2α a step shortens the distance by its own share cr at least, so 1/r^k grows by c; for β > 2α a step from "
    "r = β/2 − α lands at −r.",
    proof=Proof(
        (ALPHA, BETA, _UP_TO_TWICE, APART, _BEYOND),
        (
            _POSITIVE,
            _SHRINKS,
            Induction(
                _NEAR.name,
                _NEAR,
                Obligation("k = 0", (APART,), derived("start", (r_0 * (1 + 0 * c * r_0) <= r_0) & (r_0 >= 0))),
                Obligation(
                    "one step more",
                    (ALPHA, BETA, APART, _POSITIVE.conclusion, _SHRINKS.conclusion, _NEAR, definition("k ≥ 0", k >= 0)),
                    derived("step", (_NEXT * (1 + (k + 1) * c * r_0) <= r_0) & (_NEXT >= 0)),
                ),
                ((r, r_0), (k, 0)),
                ((r, _NEXT), (k, k + 1)),
            ),
            Limit("r⁰/(1 + kcr⁰) → 0", r_0 / (1 + k * c * r_0), k, sympy.oo, sympy.Integer(0), "-",
                  (APART, _POSITIVE.conclusion)),
            obligation(
                "β' > 2α: r = β'/2 − α > 0 stays r",
                (ALPHA, _BEYOND, definition("r = β'/2 − α", equal(stuck, larger / 2 - alpha))),
                (stuck > 0) & equal(sympy.Abs(1 - larger / (alpha + stuck)) * stuck, stuck),
            ),
        ),
    ),
    consequence="β = 2α still converges, at the rate 1/k; contraction at one rate on a ball needs β < 2α (NEC-TAB1-CAP).",
)  # fmt: skip
CLAIMS = (OUR_REACH,)
