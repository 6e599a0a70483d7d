"""A client whose message is cut: its share of a round, for clients drawn one by one, up to (22).

Everything in units of ‖u‖: what the client's pull towards w* leaves after its part of ‖mean y_i‖² and of the sampling's excess.
"""

from __future__ import annotations

import sympy

from verify.dp_normfedavg.lemmas.convexity import FACT2
from verify.dp_normfedavg.letters import (
    CLIPPED,
    CUT,
    ETA,
    HALF,
    LOCAL,
    SMOOTH,
    THRESHOLD,
    C,
    Delta,
    E,
    L,
    U,
    eta,
    uy,
)
from verify.dp_normfedavg.ours.harmonic import BETTER, INNER, INNER_NODES, P, lam
from verify.dp_normfedavg.ours.sharper import EXCESS_RANGE, SHARE, Ah, c, hh, phi, up
from verify.facts import definition, equal, hypothesis, letters, standard
from verify.obligation import obligation

EXCESS_STEP = hypothesis(
    "cηLE ≤ max(2 − ηL, E/Σ_τ 1/ω_τ) − 1/2, Σ_τ 1/ω_τ > 0",
    (P > 0) & ((2 * (c * eta * L * E + eta * L) <= 3) | (2 * c * eta * L * E * P <= 2 * E - P)),
)
mu, s, t, H, a, b = letters("mu s t H a b")
"""Everything in units of ‖u‖: μ = ηL, s = ηLE, t = C/‖u‖, H = 2LE²Δ/‖u‖², a = ⟨u, h⟩/‖u‖², b = ‖h‖²/‖u‖²."""
UNITS = definition(
    "in units of ‖u‖",
    equal(mu, eta * L) & equal(s, eta * L * E) & equal(t * U, C) & equal(H * U**2, 2 * L * E**2 * Delta)
    & equal(a * U**2, up) & equal(b * U**2, hh),
)  # fmt: skip
H_STAR = standard("Cauchy–Schwarz for h = E ∇f_i(w*): ⟨u, h⟩² ≤ ‖u‖²‖h‖²", (up**2 <= U**2 * hh) & (hh >= 0))
FACT1_STAR = standard("Fact 1 at w*, times E²", hh <= E**2 * 2 * L * Delta)
SIZES = obligation(
    "0 < C/‖u‖ < 1, ηL ≤ 1/2, ηL ≤ ηLE", (UNITS, CLIPPED, CUT, ETA, SMOOTH, LOCAL, HALF),
    (t > 0) & (t <= 1) & (mu >= 0) & (2 * mu <= 1) & (mu <= s),
)  # fmt: skip
THRESHOLDED = obligation("2LE²Δ ≤ C²/8 in units of ‖u‖", (UNITS, THRESHOLD, CLIPPED, CUT), t**2 >= 8 * H)
STAR = obligation(
    "‖h‖² ≤ 2LE²Δ in units of ‖u‖",
    (UNITS, H_STAR, FACT1_STAR, CLIPPED, CUT),
    (b >= 0) & (b <= H) & (a**2 <= b),
)
PULL = obligation(
    "cηLE ≤ λ − 1/2 and λ ≥ 2 − ηL in units",
    (UNITS, EXCESS_STEP, BETTER),
    (2 * c * s <= 2 * lam - 1) & (lam >= 2 - mu),
)
SCALED = (
    SIZES.conclusion, THRESHOLDED.conclusion, STAR.conclusion, PULL.conclusion, EXCESS_RANGE,
)  # fmt: skip


def margin(share: sympy.Expr | int) -> sympy.Expr:
    """What is left of −LE A_h/(η‖u‖²), with `share` for φ."""
    pull = t * (lam + s - 2 * a + b - H)
    return pull - share * (t**2 - 2 * t * a + b) - (s - share) * t**2 - c * s * t**2


CUT_SHORT = obligation("margin where ηLE ≤ 1", SCALED, sympy.Implies(s <= 1, 8 * margin(s) >= 3 * t))
CUT_LONG = obligation("margin where ηLE ≥ 1", SCALED, sympy.Implies(s >= 1, 8 * margin(1) >= 3 * t))
CUT_MARGIN = obligation(
    "margin", (CUT_SHORT.conclusion, CUT_LONG.conclusion, SHARE, UNITS), 8 * margin(phi) >= 3 * t
)
CUT_SHARE = definition(
    "share of a client with ‖u‖ > C: its message is tu",
    equal(
        Ah * s,
        s * (-2 * eta * t * uy)
        + eta**2 * (phi * (t**2 * U**2 - 2 * t * up + hh) + (s - phi) * t**2 * U**2 + c * s * t**2 * U**2),
    ),
)
CUT_UNITS = obligation(
    "a clipped client in units of ‖u‖",
    (CUT_SHARE, INNER.conclusion, UNITS, SIZES.conclusion, ETA, SMOOTH, LOCAL),
    Ah * L * E <= -eta * U**2 * margin(phi),
)
CUT_PRINTED = obligation(
    "a clipped client keeps the bound (22)",
    (CUT_UNITS.conclusion, CUT_MARGIN.conclusion, UNITS, SIZES.conclusion, CLIPPED, CUT, ETA, SMOOTH, LOCAL),
    Ah <= -3 * eta * C / (8 * L * E) * U,
)
CUT_NODES = (
    FACT2, *INNER_NODES, SIZES, THRESHOLDED, STAR, PULL, CUT_SHORT, CUT_LONG, CUT_MARGIN,
    CUT_UNITS, CUT_PRINTED,
)  # fmt: skip
