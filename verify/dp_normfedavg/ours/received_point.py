"""What holds at one w ≥ 0 (and mirrored) for the equal clients of `received_noise`: V, a client's message over E, and φ, what (2) and
(3) weigh: f in (2), f E/‖u‖ in (3)."""

from __future__ import annotations

import sympy

from verify.dp_normfedavg.letters import E, T, eta, summed
from verify.dp_normfedavg.ours.too_seldom_point import STEP, h
from verify.facts import definition, equal, hypothesis, letters
from verify.obligation import obligation

g, slope, off, least = letters("g s_slope e_off V2_least")
"""Slope of f; s and e of |w|³V ≥ s(|w|³ − 8g³) and φ ≥ |w|V − e; V² is at least this: 0 for clipping, 1 for normalisation."""
size, f, pulled, message, value = letters("|w| f u/E V_sent phi")
FLAT = hypothesis("0 < g ≤ 1, h ≤ 1", (g > 0) & (g <= 1) & (h <= 1))
LENGTH = definition("|w| ≥ 0", size >= 0)
rise = sympy.Min(size, g)

# E local steps from w: w_τ, its gradient min(w_τ, g), and the sum of the gradients.
local, sums = letters("w_tau sum_of_gradients")
LOCAL_STEPS = summed(
    "w − τηg ≤ w_τ ≤ w, 0 ≤ Σ f′(w_τ) ≤ τf′(w), and Σ f′(w_τ) = τg where w ≥ g + τηg",
    sympy.Implies(
        size >= 0,
        (local >= 0) & (local <= size) & (local >= size - T * eta * g) & (sums >= 0) & (sums <= T * rise) & (T >= 0)
        & ((size < g + T * eta * g) | equal(sums, T * g)),
    ),
    {local: size, sums: 0, T: 0},
    {local: local - eta * sympy.Min(local, g), sums: sums + sympy.Min(local, g), T: T + 1},
    (FLAT, STEP),
)  # fmt: skip
UPDATE = obligation(
    "u/E is between 0 and f′, and g where w ≥ g(1 + h)",
    (
        LOCAL_STEPS.conclusion.at({T: E}, "T = E"),
        definition("u = Σ f′(w_τ)", equal(sums, E * pulled)),
        LENGTH,
        STEP,
    ),
    (pulled >= 0) & (pulled <= rise) & ((size < g + h * g) | equal(pulled, g)),
)
FUNCTION = hypothesis(
    "f = w²/2 where w ≤ g, else gw − g²/2",
    (equal(2 * f, size**2) & (size <= g)) | (equal(f, g * size - g**2 / 2) & (size >= g)),
)
OPTION = hypothesis(
    "clipping: V = u/E, φ = f, s = g, e = g²/2; normalisation: V = 1, φ = f E/u where u > 0, φ = 0 where u = 0 = f, s = 1, e = g/2",
    (equal(message, pulled) & equal(value, f) & equal(slope, g) & equal(2 * off, g**2) & equal(least, 0))
    | (
        equal(message, 1) & equal(slope, 1) & equal(2 * off, g) & equal(least, 1)
        & ((equal(value * pulled, f) & (pulled > 0)) | (equal(value, 0) & equal(f, 0)))
    ),
)  # fmt: skip
POINT = obligation(
    "φ ≥ wV − e, w³V ≥ s(w³ − 8g³), V² is between its least value and 1",
    (UPDATE.conclusion, FUNCTION, OPTION, FLAT, LENGTH, STEP),
    (value >= size * message - off)
    & (size**3 * message >= slope * size**3 - 8 * slope * g**3)
    & (message >= 0)
    & (message**2 >= least)
    & (message**2 <= 1),
)
SIZES = obligation("s > 0, e > 0, (least V²) ≥ 0", (OPTION, FLAT), (slope > 0) & (off > 0) & (least >= 0))
NO_GAP = obligation(
    "f_i(w) ≥ 0 = f_i(w*), w* = 0: Δ_i* = 0",
    (FUNCTION, FLAT, LENGTH),
    (f >= 0) & sympy.Implies(equal(size, 0), equal(f, 0)),
)
NODES = (LOCAL_STEPS, UPDATE, POINT, SIZES, NO_GAP)
