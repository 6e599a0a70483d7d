"""What a client's local steps take off its loss: f_i(w_k) − f_i* ≥ (1 + ηL(E − 1)) ‖u‖²/(2LE²), which Lemma 9 has without ηL(E − 1).

Losses fall by the trapezoid rule at least, gradients do not grow, and Fact 1 bounds what is left at w_τ. So for every τ

    f_i(w_k) − f_i* ≥ (η/2) Σ_{t<τ} ‖g_t‖² + (1/L + ητ) ‖g_τ‖²/2,

and the sum of that over τ < E is E(f_i(w_k) − f_i*) ≥ (1/L + η(E − 1)) Σ_τ ‖g_τ‖²/2.
"""

from __future__ import annotations

from verify.dp_normfedavg.lemmas.convexity import (
    FACT2,
    L10_63,
    LEMMA10_NODES,
    LOSS,
    difference,
    gg,
    m,
    m_next,
    qq,
)
from verify.dp_normfedavg.letters import ETA, HALF, LOCAL, SMOOTH, E, L, M, S, T, U, eta, g2, summed
from verify.dp_normfedavg.ours.harmonic import FACT1_HERE, TRAPEZOID, first, n2
from verify.dp_normfedavg.theorems.theorem6_cut import FACT2_HERE
from verify.facts import definition, equal, standard
from verify.obligation import obligation

NOT_LESS = standard("‖g_τ − g_{τ+1}‖² ≥ 0", difference >= 0)
SQUARES = definition("‖g_τ‖², ‖g_{τ+1}‖²", equal(g2, gg) & equal(n2, qq))
SHRINKS = obligation(
    "‖g_{τ+1}‖² ≤ ‖g_τ‖²", (L10_63.conclusion, NOT_LESS, SQUARES, ETA, SMOOTH, HALF), n2 <= g2
)
TAKEN = summed(
    "f_i(w_τ) − f_i* + (η/2)(Σ_{t<τ} ‖g_t‖² + τ‖g_τ‖²) ≤ f_i(w_k) − f_i*, and its sum over τ",
    (m + eta / 2 * (S + T * g2) <= M) & ((1 + eta * L * (T - 1)) * S <= 2 * L * T * M) & (T >= 0),
    {m: M, S: 0, T: 0, g2: first},
    {m: m_next, S: S + g2, T: T + 1, g2: n2},
    (TRAPEZOID.conclusion, SHRINKS.conclusion, FACT1_HERE, LOSS, ETA, SMOOTH),
)
LONGEST = obligation(
    "(1 + ηL(E − 1))‖u‖² ≤ 2LE²(f_i(w_k) − f_i*)",
    (TAKEN.conclusion.at({T: E}, "T = E"), FACT2_HERE, ETA, SMOOTH, LOCAL),
    (1 + eta * L * (E - 1)) * U**2 <= 2 * L * E**2 * M,
)
FALLING_NODES = (*LEMMA10_NODES, TRAPEZOID, FACT2, SHRINKS, TAKEN, LONGEST)
