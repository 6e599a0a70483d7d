"""How far P_i is from ∇f_i, by how far f_i(x) is above its infimum: beside items 3 and 5 of Lemma 7, which go by ‖∇f_i(x)‖.

Along the local path f_i does not rise, so that no gradient there is above e = √(2L(f_i(x) − f_i^inf)), and x_l is at most lγe/T away.
Where f_i is a bowl or a hill with curvature ±L, and f_i(x) − f_i^inf little more than ‖∇f_i(x)‖²/(2L), that is all but reached for
small γL (`counterexamples.steady`).
"""

from __future__ import annotations

import sympy

from verify.facts import Fact, definition, equal, letters, standard
from verify.fed_alpha_normec.lemmas.bias import ALONG, PULLED, away, pulled
from verify.fed_alpha_normec.lemmas.local_gradient import BELOW, Q_T, SHARE, gap, q, size
from verify.fed_alpha_normec.letters import GAMMA, LOCAL_STEP, SMOOTH, L, Places, T, gamma
from verify.induction import Induction
from verify.obligation import obligation

j, Y, Y_next, Q, g_l, gap_l, gap_next, level, pull = letters(
    "j Y Y_next Q ‖∇f_i(x_l)‖ f_i(x_l)−f_i^inf f_i(x_{l+1})−f_i^inf level pull"
)
LEVEL = definition(
    "e = √(2L(f_i(x) − f_i^inf)), f_i(x) ≥ f_i^inf", (level >= 0) & (gap >= 0) & equal(level**2, 2 * L * gap)
)
_DESCENT = standard(
    "descent lemma from x_l to x_l − (γ/T)∇f_i(x_l)", gap_next <= gap_l - q * (1 - L * q / 2) * g_l**2
)
_WALKED = standard("‖x_{l+1} − x‖ ≤ ‖x_l − x‖ + (γ/T)‖∇f_i(x_l)‖", Y_next <= Y + q * g_l)
LOWER = Fact("f_i(x_l) ≤ f_i(x)", gap_l <= gap, "derived")
DOWN = Induction(
    LOWER.name,
    LOWER,
    obligation("at x itself", (), sympy.true),
    obligation("one local step down", (LOWER, SMOOTH, GAMMA, LOCAL_STEP, SHARE, _DESCENT), gap_next <= gap),
    start=((gap_l, gap),),
    next=((gap_l, gap_next),),
)
FLATTER = obligation(
    "‖∇f_i(x_l)‖ ≤ e", (SMOOTH, LEVEL, LOWER, BELOW.at({size: g_l, gap: gap_l})), g_l <= level
)
NEARBY = Fact(
    "‖x_j − x‖ ≤ jγe/T and 2 Σ_{l<j} ‖x_l − x‖ ≤ j(j − 1)γe/T",
    (Y <= j * q * level) & (2 * Q <= j * (j - 1) * q * level) & (j >= 0),
    "derived",
)
WALK = Induction(
    NEARBY.name,
    NEARBY,
    obligation("not walked yet", (), sympy.true),
    obligation(
        "one local step walked",
        (NEARBY, SHARE, _WALKED, FLATTER.conclusion),
        (Y_next <= (j + 1) * q * level) & (2 * (Q + Y) <= (j + 1) * j * q * level) & (j + 1 >= 0),
    ),
    start=((j, 0), (Y, 0), (Q, 0)),
    next=((j, j + 1), (Y, Y_next), (Q, Q + Y)),
)
_END: Places = {j: T, Q: Q_T}
BIAS = obligation(
    "‖P_i − ∇f_i‖ ≤ ½(1 − 1/T)Lγe",
    (
        SMOOTH,
        SHARE,
        NEARBY.at(_END),
        PULLED.at({pulled: T * pull, away: Q_T}, "P_i − ∇f_i is a mean of T differences"),
    ),
    pull <= (1 - 1 / T) * L * gamma * level / 2,
)
NODES = (DOWN, FLATTER, WALK, ALONG, BIAS)
