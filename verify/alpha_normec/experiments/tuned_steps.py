"""The step sizes γ of the best runs that are printed, by β: Figures 8 and 11 and Table 2."""

from __future__ import annotations

from fractions import Fraction

from verify.alpha_normec.experiments.figures import TUNED
from verify.alpha_normec.experiments.printed_numbers import BETAS, compare
from verify.alpha_normec.letters import PAPER
from verify.claim import Claim
from verify.proof import Proof


def _by_beta(steps: str):  # keyed by the values in BETAS and by no other string
    return dict(zip(BETAS, map(Fraction, steps.split()), strict=True))


WITHOUT = _by_beta("0.1 0.1 0.1 0.01")
"""Figures 8 and 11, Table 2: α-NormEC without server normalisation."""
WITH = _by_beta("0.01 0.1 0.1 0.1")
"""Table 2: α-NormEC with server normalisation."""
CLIP21 = _by_beta("0.1 0.1 0.1 0.1")
"""Figure 11: Clip21."""
DP_SGD = TUNED
"""Figure 8: DP-SGD with smoothed normalisation."""

USUAL = Fraction("0.1")
GAMMA = Claim(
    id="NEC-EXP-I24@gamma",
    paper=PAPER,
    place="I.2.4, Figure 11",
    kind="prose",
    printed="Furthermore, in most cases, both methods achieve their best performance with γ = 0.1, except for α-NormEC at β = 10.0, "
    "where a smaller learning rate (γ = 0.01) was optimal.",
    reason="The sentence agrees with the printed table: Figure 11's best configurations have γ = 0.1 in seven of eight rows, and 0.01 "
    "in that of α-NormEC at β = 10.0. (What other γ gave is not printed.)",
    proof=Proof(
        (),
        (
            *(compare(f"Clip21, β = {b}: γ = 0.1", step, "==", USUAL) for b, step in CLIP21.items()),
            *(compare(f"α-NormEC, β = {b}: γ = 0.1", WITHOUT[b], "==", USUAL) for b in BETAS[:3]),
            compare("α-NormEC, β = 10.0: γ = 0.01", WITHOUT["10.0"], "==", Fraction("0.01")),
            compare("0.01 is smaller than 0.1", WITHOUT["10.0"], "<", USUAL),
        ),
    ),
)  # fmt: skip
CLAIMS = (GAMMA,)
