"""A client whose update is zero is at a minimiser of its function, and so no worse off than at w*: what the weight GE/‖u_i‖ is read as
there does not matter where f_i(w) ≥ f_i(w*).

With ηL < 2 every local step lowers f_i, unless its gradient is 0; the last point is the first one where u_i = 0.
"""

from __future__ import annotations

import sympy

from verify.dp_normfedavg.lemmas.convexity import L9_55, NORM_G, SCHWARZ, m, m_next, ss, sy, yy
from verify.dp_normfedavg.letters import (
    CONVEX_STAR,
    ETA,
    LOCAL,
    NORM_U,
    SMOOTH,
    E,
    F,
    L,
    M,
    S,
    T,
    U,
    eta,
    fk,
    ft,
    g2,
    gy,
    summed,
    y2,
)
from verify.dp_normfedavg.theorems import choices
from verify.dp_normfedavg.theorems.choices import CHOICE_C, NOT_CUT, TRAVELLED
from verify.dp_normfedavg.theorems.theorem6_kept import VALUES
from verify.facts import definition, equal, hypothesis, letters
from verify.obligation import obligation

first2, along, z, SF, SzF, S_1, T_1 = letters("‖∇f_i(w_k)‖² ⟨∇f_i(w_k),w_k−w*⟩ z SF SzF S_1 T_1")
STABLE = hypothesis("ηL < 2", eta * L < 2)
LOWERED = summed(
    "f_i(w_T) ≤ f_i(w_k) − η(1 − ηL/2) Σ_{τ<T} ‖∇f_i(w_τ)‖²",
    (m <= M - (eta - eta**2 * L / 2) * S) & (T >= 0),
    {m: M, S: 0, T: 0},
    {m: m_next, S: S + g2, T: T + 1},
    (L9_55.conclusion,),
)
FIRST = summed(
    "Σ_{τ<T} ‖∇f_i(w_τ)‖² ≥ ‖∇f_i(w_k)‖², T ≥ 1",
    (S_1 >= first2) & (T_1 >= 1),
    {S_1: first2, T_1: 1},
    {S_1: S_1 + g2, T_1: T_1 + 1},
    (NORM_G,),
)
RETURNED = definition("w_{k,E} = w_k where u_i = 0", (U > 0) | (equal(U, 0) & equal(m, M)))
AT_REST = obligation(
    "∇f_i(w_k) = 0 where u_i = 0",
    (
        LOWERED.conclusion.at({T: E}, "T = E"),
        FIRST.conclusion.at({S_1: S, T_1: E}, "T = E"),
        LOCAL,
        RETURNED,
        STABLE,
        ETA,
        SMOOTH,
    ),
    sympy.Implies(equal(U, 0), first2 <= 0),
)
NO_WORSE = obligation(
    "f_i(w_k) ≤ f_i(w*) where u_i = 0",
    (
        AT_REST.conclusion,
        CONVEX_STAR.at({ft: fk, gy: along}, "from w_k"),
        SCHWARZ.at({sy: along, ss: first2, yy: y2}, "⟨∇f_i(w_k), w_k − w*⟩"),
        definition("‖w_k − w*‖² ≥ 0", y2 >= 0),
        VALUES,
    ),
    sympy.Implies(equal(U, 0), F <= 0),
)
WEIGHT = definition(
    "z = GE/‖u‖, and any z ≥ 0 where u = 0",
    ((U > 0) & equal(z * U, choices.G * choices.E)) | (equal(U, 0) & (z >= 0)),
)
TERM = obligation(
    "z_i(f_i(w) − f_i(w*)) ≥ f_i(w) − f_i(w*)",
    (
        NO_WORSE.conclusion, NOT_CUT.conclusion, CHOICE_C, NORM_U, WEIGHT, hypothesis("f_i(w) ≥ f_i(w*) for all i", F >= 0),
    ),
    z * F >= F,
)  # fmt: skip
TERMWISE = summed(
    "Σ z_i F_i ≥ Σ F_i", SzF >= SF, {SzF: 0, SF: 0}, {SzF: SzF + z * F, SF: SF + F}, (TERM.conclusion,)
)
NODES = (TRAVELLED, NOT_CUT, L9_55, LOWERED, FIRST, AT_REST, NO_WORSE, TERM, TERMWISE)
"""Σ z_i F_i ≥ Σ F_i where no F_i is negative."""
