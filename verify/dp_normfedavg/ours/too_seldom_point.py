"""What holds at one w for the two clients of `too_seldom`, and for what E local steps make of their gradients."""

from __future__ import annotations

import sympy

from verify.dp_normfedavg.letters import E, T, eta, summed
from verify.facts import definition, equal, hypothesis, letters
from verify.induction import Induction
from verify.obligation import Obligation, obligation

g, R, Z = letters("g R Z")
"""Slope of f, where the clients' flat parts end, h/g²."""
h = letters("eta_E")[0]
"""ηE: how far E local steps go along a gradient."""
STEP = hypothesis("h = ηE, E ≥ 1, η > 0", equal(h, eta * E) & (E >= 1) & (eta > 0))
LETTERS = hypothesis(
    "0 < g < R ≤ 1/16, h = Zg², Z > 0, 4Zg ≤ 1",
    (g > 0) & (g < R) & (16 * R <= 1) & equal(h, Z * g**2) & (Z > 0) & (4 * Z * g <= 1),
)
# f at one w, and a client's gradient there.
size, slope, f, ahead, behind = letters("|w| f′ f−f* f_ahead f_behind")
CLIENTS_ARE = hypothesis(
    "at w ≥ 0 (and mirrored) f_1′ = 1 + min(w, g), −f_2′ = 1 − min(w, g) up to R, then max(0, 1 − g − (w − R)); f′ = (f_1′ + f_2′)/2",
    equal(ahead, 1 + sympy.Min(size, g)) & equal(2 * slope, ahead - behind)
    & (((size <= R) & equal(behind, 1 - sympy.Min(size, g))) | ((size >= R) & equal(behind, sympy.Max(0, 1 - g - (size - R))))),
)  # fmt: skip
_parts = (
    (size <= g, equal(slope, size), equal(f, size**2 / 2)),
    ((size >= g) & (size <= R), equal(slope, g), equal(f, g * size - g**2 / 2)),
    ((size >= R) & (size <= R + 1 - g), equal(slope, g + (size - R) / 2), equal(f, g * size - g**2 / 2 + (size - R) ** 2 / 4)),
    (size >= R + 1 - g, equal(slope, (1 + g) / 2),
     equal(f, g * size - g**2 / 2 + (1 - g) / 2 * (size - R) - (1 - g) ** 2 / 4)),
)  # fmt: skip
INTEGRAL = hypothesis(
    "f − f* is the integral of f′ from 0 to |w|",
    sympy.And(*(sympy.Implies(where, value) for where, _, value in _parts)),
)
LENGTH = definition("|w| ≥ 0", size >= 0)
SLOPES = obligation(
    "f′ is |w| up to g, g up to R, then g + (|w| − R)/2 up to (1 + g)/2",
    (CLIENTS_ARE, LENGTH, LETTERS),
    sympy.And(*(sympy.Implies(where, rise) for where, rise, _ in _parts)),
)
# The local steps of one client: g_τ is its gradient at w_τ, g_0 the one at w.
shift, local, total, pulled, pulled_ahead, pulled_behind, squared = letters(
    "w−w_τ g_τ Σg_τ |w|_pull u_1/E −u_2/E mean_u²/E²"
)


def local_steps(name: str, at_w: sympy.Symbol, mean: sympy.Symbol) -> tuple[Induction, Obligation]:
    """How far the mean of E gradients is from the first, `at_w`."""
    moved = summed(
        f"{name}: |w_τ − w| ≤ 2ητ, |Σ g_τ − τg_0| ≤ ητ(τ − 1)",
        (sympy.Abs(shift) <= 2 * eta * T) & (sympy.Abs(total - T * at_w) <= eta * T * (T - 1)) & (T >= 0),
        {shift: 0, total: 0, T: 0},
        {shift: shift + eta * local, total: total + local, T: T + 1},
        (
            hypothesis(
                f"{name}: f_i is 1-smooth, |f_i′| ≤ 1 + g ≤ 2",
                (sympy.Abs(local) <= 2) & (sympy.Abs(local - at_w) <= sympy.Abs(shift)),
            ),
            STEP,
        ),
    )
    near = obligation(
        f"{name}: |u_i/E − f_i′| ≤ h",
        (
            moved.conclusion.at({T: E}, "T = E"),
            definition(f"{name}: u_i = Σ g_τ", equal(total, E * mean)),
            STEP,
        ),
        sympy.Abs(mean - at_w) <= h,
    )
    return moved, near


AHEAD, AHEAD_NEAR = local_steps("the client ahead", ahead, pulled_ahead)
BEHIND, BEHIND_NEAR = local_steps("the client behind", behind, pulled_behind)
MESSAGES_ARE = definition(
    "U = mean u_i/E, and mean u_i²/E²",
    equal(2 * pulled, pulled_ahead - pulled_behind) & equal(2 * squared, pulled_ahead**2 + pulled_behind**2),
)
NEAR_PULL = obligation(
    "|U − f′| ≤ h",
    (AHEAD_NEAR.conclusion, BEHIND_NEAR.conclusion, MESSAGES_ARE, CLIENTS_ARE),
    sympy.Abs(pulled - slope) <= h,
)
NOT_LESS = obligation("h ≤ g/4", (LETTERS,), (4 * h <= g) & (h > 0))
PULLS = obligation(
    "mean u_i²/E² ≥ (1 − 2g)² up to R",
    (
        CLIENTS_ARE,
        AHEAD_NEAR.conclusion,
        BEHIND_NEAR.conclusion,
        MESSAGES_ARE,
        NOT_LESS.conclusion,
        LENGTH,
        LETTERS,
    ),
    sympy.Implies(size <= R, squared >= (1 - 2 * g) ** 2) & (squared >= 0),
)
FUNCTION = (SLOPES.conclusion, INTEGRAL)
NEAR = obligation(
    "f − f* ≥ wf′ − g²/2 up to R, ≥ wf′ − g²/2 − 1 everywhere; f − f* ≤ wf′",
    (*FUNCTION, LENGTH, LETTERS),
    sympy.And(
        sympy.Implies(size <= R, f >= size * slope - g**2 / 2),
        f >= size * slope - g**2 / 2 - 1,
        f <= size * slope,
    ),
)
OUTSIDE = obligation("|w|³ ≥ R³ beyond R", (LENGTH, LETTERS), sympy.Implies(size >= R, size**3 >= R**3))
VALUE = obligation(
    "f − f* ≥ wf′ − g²/2 − |w|³/R³",
    (NEAR.conclusion, OUTSIDE.conclusion, LENGTH, LETTERS),
    f >= size * slope - g**2 / 2 - size**3 / R**3,
)
SQUARE = obligation(
    "mean u_i²/E² ≥ (1 − 2g)²(1 − |w|³/R³)",
    (PULLS.conclusion, OUTSIDE.conclusion, LENGTH, LETTERS),
    squared >= (1 - 2 * g) ** 2 * (1 - size**3 / R**3),
)
BACK = obligation("w³f′ ≥ g|w|³ − g⁴", (*FUNCTION, LENGTH, LETTERS), size**3 * slope >= g * size**3 - g**4)
PULL_LEAST = obligation(
    "|w|U ≥ −gh",
    (*FUNCTION, NEAR_PULL.conclusion, NOT_LESS.conclusion, LENGTH, LETTERS),
    size * pulled >= -g * h,
)
LENGTH_BOUND = obligation("3g²|w| ≤ |w|³ + 2g³", (LENGTH, LETTERS), 3 * g**2 * size <= size**3 + 2 * g**3)
