"""A client whose message is cut: ⟨u, w_k − w*⟩ from below, in two ways.

The first keeps both gains of every local step. The second adds that losses fall, by the trapezoid rule at least: step τ has the loss
that all later steps take off. Its gain grows like 1 + 2ηLτ, and over all of them counts as the harmonic mean, about 2s/ln(1 + 2s)
for s = ηLE, where the first stays below 2.
"""

from __future__ import annotations

import sympy

from bounds.dp_normfedavg.repaired import gain
from verify.dp_normfedavg.lemmas.convexity import LOSS, SCHWARZ, m, m_next, ss, sy, yy
from verify.dp_normfedavg.letters import (
    ETA,
    HALF,
    LAST,
    LOCAL,
    LOCAL_STEP,
    SMOOTH,
    Delta,
    E,
    L,
    M,
    S,
    T,
    U,
    eta,
    fm,
    fs,
    ft,
    g2,
    summed,
    uy,
    wE2,
    x2,
    x2n,
    y2,
)
from verify.dp_normfedavg.ours.sharper import INTERPOLATION, SPREAD, SQ, hh, q2, up
from verify.dp_normfedavg.theorems.theorem6_cut import FACT2_HERE
from verify.facts import definition, equal, letters, standard
from verify.obligation import obligation

GAP_IS = definition("Δ_i* = f_i(w*) − f_i*", equal(Delta, fs - fm))
xT2 = letters("xT2")[0]
"""‖w_{k,T} − w*‖²."""

# Both gains of every step.
FACT1_HERE = standard("Fact 1 at w_τ", g2 <= 2 * L * (ft - fm))
CUT_STEP = obligation(
    "one local step with both gains",
    (LOCAL_STEP, INTERPOLATION, FACT1_HERE, GAP_IS, ETA, SMOOTH),
    x2n <= x2 - (eta / L - eta**2) * g2 - eta / L * q2 + 2 * eta * Delta,
)
CUT_SUM = summed(
    "E local steps with both gains",
    xT2 <= y2 - (eta / L - eta**2) * S - eta / L * SQ + 2 * eta * T * Delta,
    {xT2: y2, S: 0, SQ: 0, T: 0},
    {xT2: x2n, S: S + g2, SQ: SQ + q2, T: T + 1},
    (CUT_STEP.conclusion.at({x2: xT2}, "from w_{k,T}"),),
)
CUT_INNER = obligation(
    "2⟨u, w_k − w*⟩ from below, both gains",
    (CUT_SUM.conclusion.at({xT2: wE2, T: E}, "T = E"), LAST, FACT2_HERE, SPREAD, ETA, SMOOTH, LOCAL, HALF),
    2 * uy >= (1 - eta * L) / (L * E) * U**2 + (U**2 - 2 * up + hh) / (L * E) - 2 * E * Delta + eta * U**2,
)

# Falling losses.
omega, WS, WY, P, gh, uT, n2, gn, first = letters("omega_tau WS WY Σ1/ω gh up_T g2_next gg_next g2_0")
"""ω_τ, Σ_τ ω_τ‖g_τ‖², Σ ω‖y‖² of any vectors, Σ_τ 1/ω_τ, ⟨g_τ, h⟩ and its sum over τ < T, ‖g_{τ+1}‖², ⟨g_τ,
g_{τ+1}⟩, ‖g_0‖²; g_τ = ∇f_i(w_τ)."""
APART = definition("‖g_τ − h/E‖² expanded, h = E ∇f_i(w*)", equal(q2 * E**2, g2 * E**2 - 2 * E * gh + hh))
COUNT = definition("τ ≥ 0", T >= 0)
WEIGHT = definition("ω_τ = 1 + 2ηLτ", equal(omega, gain(eta * L, T)))
NEXT_LOSS = standard(
    "interpolation: f_i convex and L-smooth, at w_τ from w_{τ+1}",
    m >= m_next + eta * gn + (g2 - 2 * gn + n2) / (2 * L),
)
APART_NEXT = standard("‖g_τ − g_{τ+1}‖² ≥ 0", g2 - 2 * gn + n2 >= 0)
TRAPEZOID = obligation(
    "a local step takes off at least (η/2)(‖g_τ‖² + ‖g_{τ+1}‖²)",
    (NEXT_LOSS, APART_NEXT, ETA, SMOOTH, HALF),
    m_next + eta / 2 * (g2 + n2) <= m,
)
LOSS_STEP = obligation(
    "one local step with its loss",
    (LOCAL_STEP, INTERPOLATION, GAP_IS, LOSS, ETA, SMOOTH),
    x2n <= x2 - 2 * eta * m + eta**2 * g2 - eta / L * q2 + 2 * eta * Delta,
)


def potential(distance: sympy.Expr, loss: sympy.Expr, gradient: sympy.Expr, tau: sympy.Expr) -> sympy.Expr:
    """‖w_τ − w*‖² + 2ητ(f_i(w_τ) − f_i*) + η²τ‖g_τ‖²."""
    return distance + 2 * eta * tau * loss + eta**2 * tau * gradient


WEIGHTED_STEP = obligation(
    "one local step with the loss that it takes off from every step before",
    (LOSS_STEP.conclusion, TRAPEZOID.conclusion, WEIGHT, COUNT, ETA, SMOOTH),
    potential(x2n, m_next, n2, T + 1)
    <= potential(x2, m, g2, T) - eta / L * ((omega - 1) * g2 + q2) + 2 * eta * Delta,
)
LENGTH = definition("‖g_τ‖² ≥ 0", g2 >= 0)
FALLING = summed(
    "E local steps with falling losses",
    potential(xT2, m, g2, T) <= y2 - eta / L * (WS - 2 * uT / E + T * hh / E**2) + 2 * eta * T * Delta,
    {xT2: y2, T: 0, m: M, g2: first, WS: 0, uT: 0},
    {xT2: x2n, T: T + 1, m: m_next, g2: n2, WS: WS + omega * g2, uT: uT + gh},
    (WEIGHTED_STEP.conclusion.at({x2: xT2}, "from w_{k,T}"), LENGTH, APART, ETA, SMOOTH, LOCAL),
)
HEAVY = obligation("ω_τ ≥ 1", (WEIGHT, COUNT, ETA, SMOOTH), omega >= 1)
SUMS = definition("sums of no negative terms", (P >= 0) & (WY >= 0) & (yy >= 0) & (ss >= 0))
SQUARE = standard("‖Σ y − P ω y‖² ≥ 0", ss - 2 * P * omega * sy + P**2 * omega**2 * yy >= 0)
WEIGHTED = summed(
    "‖Σ y‖² ≤ (Σ 1/ω)(Σ ω‖y‖²)",
    ss <= P * WY,
    {ss: 0, P: 0, WY: 0},
    {ss: ss + 2 * sy + yy, P: P + 1 / omega, WY: WY + omega * yy},
    (SUMS, SQUARE, SCHWARZ, HEAVY.conclusion),
)
LEAST = definition("f_i(w_{k,E}) ≥ f_i*, ‖g_E‖² ≥ 0; Σ_τ 1/ω_τ > 0", (m >= 0) & (g2 >= 0) & (P > 0))
HARMONIC_INNER = obligation(
    "2⟨u, w_k − w*⟩ from below, falling losses",
    (
        FALLING.conclusion.at({xT2: wE2, T: E, uT: up}, "T = E"),
        WEIGHTED.conclusion.at({ss: U**2, WY: WS}, "gradients of E steps"),
        LEAST, LAST, ETA, SMOOTH, LOCAL,
    ),
    2 * uy >= E / P / (L * E) * U**2 + (hh - 2 * up) / (L * E) - 2 * E * Delta + eta * U**2,
)  # fmt: skip

# The better of the two.
lam = letters("lambda")[0]
BETTER = definition(
    "λ = max(2 − ηL, E/Σ_τ 1/ω_τ)",
    (equal(lam, 2 - eta * L) & ((2 - eta * L) * P >= E)) | (equal(lam * P, E) & ((2 - eta * L) * P <= E)),
)
INNER = obligation(
    "2⟨u, w_k − w*⟩ from below",
    (CUT_INNER.conclusion, HARMONIC_INNER.conclusion, BETTER, LEAST, SMOOTH, LOCAL),
    2 * uy >= (lam * U**2 - 2 * up + hh) / (L * E) - 2 * E * Delta + eta * U**2,
)
INNER_NODES = (
    CUT_STEP,
    CUT_SUM,
    CUT_INNER,
    TRAPEZOID,
    LOSS_STEP,
    WEIGHTED_STEP,
    FALLING,
    HEAVY,
    WEIGHTED,
    HARMONIC_INNER,
    INNER,
)
