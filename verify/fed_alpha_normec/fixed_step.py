"""Appendix C's sentences on heterogeneity and γ, at a server step η that the conditions allow and that is not moved with them."""

from __future__ import annotations

import sympy

from bounds.fed_alpha_normec import theorem1 as printed
from verify.facts import hypothesis
from verify.fed_alpha_normec.letters import (
    CLIENTS,
    ETA,
    GAMMA,
    PARTICIPATION,
    ROUNDS,
    SMOOTH,
    SPREAD,
    Delta,
    L,
    claim,
    gamma,
    letters,
)
from verify.fed_alpha_normec.noise import SIGMA
from verify.fed_alpha_normec.one_step import LETTERS
from verify.obligation import obligation
from verify.proof import Identity, Proof

less, t = letters("Delta_smaller t")
_LESS = hypothesis("0 < Δ^inf' < Δ^inf", (less > 0) & (less < Delta))
_SCALED = hypothesis("0 < t < 1, γ replaced by tγ", (t > 0) & (t < 1))
_KNOWN = (ETA, GAMMA, SMOOTH, ROUNDS, CLIENTS, PARTICIPATION, SIGMA)
_BOUND = printed.theorem1_main(T=sympy.Integer(2), **LETTERS)
_DRIFT = printed.drift_term(gamma, L, Delta)


def _moved(letter: sympy.Symbol, value: sympy.Basic) -> sympy.Basic:
    return _BOUND.xreplace({letter: value})


CLAIMS = (
    claim(
        "FED-T1-SAME@fixed-step",
        "Appendix C, local GD steps",
        "prose",
        "These theoretical results highlight that the less heterogeneous the client data is, the more effective "
        "Fed-α-NormEC becomes. "
        "[as the bound shows, at one η that the conditions allow for both]",
        "At a fixed η Δ^inf stands in the last term alone, which grows with it.",
        proof=Proof(
            (SMOOTH, GAMMA, ETA, PARTICIPATION, _LESS),
            (
                Identity(
                    "the bounds differ by the heterogeneity term",
                    _BOUND - _moved(Delta, less),
                    _DRIFT - printed.drift_term(gamma, L, less),
                    (*_KNOWN, _LESS),
                ),
                obligation(
                    "it is smaller at the smaller Δ^inf", (SMOOTH, GAMMA, _LESS), printed.drift_term(gamma, L, less) < _DRIFT
                ),
            ),
        ),
    ),
    claim(
        "FED-T1-DISENTANGLE@fixed-step",
        "Section 1, contributions; Appendix C, local GD steps",
        "prose",
        "this error term is proportional to the local step size γ, due to the presence of a separate server update and "
        "distinct server- "
        "and client-side step sizes. [read so that γ may be lowered for the heterogeneity term alone, at one η that "
        "the conditions allow for both]",
        "At a fixed η γ stands in the heterogeneity term alone, which is proportional to it. (A smaller γ may forbid this η: "
        "FED-T1-DISENTANGLE.)",
        proof=Proof(
            (SMOOTH, GAMMA, ETA, PARTICIPATION, SPREAD, _SCALED),
            (
                Identity(
                    "the bounds differ by (1 − t) times the heterogeneity term",
                    _BOUND - _moved(gamma, t * gamma),
                    (1 - t) * _DRIFT,
                    (*_KNOWN, SPREAD, _SCALED),
                ),
                obligation("which is positive", (SMOOTH, GAMMA, _SCALED, SPREAD),
                           (1 - t) * _DRIFT > 0),
            ),
        ),
    ),
)  # fmt: skip
