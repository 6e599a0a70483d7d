"""Letters of one client in one round of Algorithm 1, and the facts about them that the proofs share.

The client's index i and the round's index k are dropped; w* is any minimiser of f. Sums over local steps τ,
over clients and over rounds are letters of their own, tied to their terms by induction.
"""

from __future__ import annotations

from collections.abc import Mapping

import sympy
from sympy.logic.boolalg import Boolean

from verify.facts import Fact, definition, derived, equal, hypothesis, letters, standard
from verify.induction import Induction
from verify.obligation import Obligation

eta, L, E, C, Delta, T = letters("eta L E C Delta T")
"""Step, smoothness, local steps, threshold, Δ_i*, and a running number of local steps."""
U, uy, y2, wE2 = letters("U uy y2 wE2")
"""‖u‖, ⟨u, w_k − w*⟩, ‖w_k − w*‖², ‖w_{k,E} − w*‖²."""
A, F, M = letters("A F M")
"""A_i of eq. (13), f_i(w_k) − f_i(w*), f_i(w_k) − f_i*."""
S, SV, SB = letters("S SV SB")
"""Σ_τ ‖∇f_i(w_{k,τ})‖², Σ_τ ‖w_k − w_{k,τ}‖², Σ_τ ⟨∇f_i(w_{k,τ}), w_k − w*⟩."""
ft, fs, fk, fm = letters("f_tau f_star f_k f_min")
"""f_i at w_{k,τ}, at w*, at w_k, and its minimum."""
g2, gy, x2, x2n = letters("g2 gy x2 x2_next")
"""‖∇f_i(w_{k,τ})‖², ⟨∇f_i(w_{k,τ}), w_{k,τ} − w*⟩, ‖w_{k,τ} − w*‖² and the same for τ + 1."""

ETA = hypothesis("η > 0", eta > 0)
SMOOTH = hypothesis("L > 0", L > 0)
LOCAL = hypothesis("E ≥ 1", E >= 1)
CUT = hypothesis("C > 0", C > 0)
HALF = hypothesis("η ≤ 1/(2L)", eta <= 1 / (2 * L))
WHOLE = hypothesis("η ≤ 1/L", eta <= 1 / L)
THRESHOLD = hypothesis("C² ≥ 16 L E² max_j Δ_j*", 16 * L * E**2 * Delta <= C**2)
CLIPPED = hypothesis("case 1: ‖u‖ > C", U > C)
KEPT = hypothesis("case 2: ‖u‖ ≤ C", U <= C)
MOVED = hypothesis("‖u‖ > 0", U > 0)

NORM_U = definition("‖u‖ ≥ 0", U >= 0)
GAP = definition("Δ_i* = f_i(w*) − f_i* ≥ 0", equal(Delta, fs - fm) & (Delta >= 0))
DELTA = definition("Δ_i* ≥ 0", Delta >= 0)
EXCESS = hypothesis(
    "f_i(w_k) − f_i* = f_i(w_k) − f_i(w*) + Δ_i* ≥ 0, Δ_i* ≥ 0",
    equal(M, F + Delta) & (M >= 0) & (Delta >= 0),
)
LOCAL_STEP = definition("‖w_{k,τ+1} − w*‖² expanded", equal(x2n, x2 - 2 * eta * gy + eta**2 * g2) & (g2 >= 0))
LAST = definition("w_{k,E} = w_k − ηu", equal(wE2, y2 - 2 * eta * uy + eta**2 * U**2))

CONVEX_STAR = standard("f_i is convex, at w* from w_{k,τ}", fs >= ft - gy)


def summed(
    name: str,
    invariant: Boolean,
    start: Mapping[sympy.Symbol, sympy.Expr | int],
    after: Mapping[sympy.Symbol, sympy.Expr | int],
    given: tuple[Fact, ...],
) -> Induction:
    """`invariant` for every number of terms: true at `start`, and from one value to the next under
    `given`."""
    fact = derived(name, invariant)
    first = Obligation(f"{name}: start", (), fact.at({**start}))
    later = Obligation(f"{name}: next", (fact, *given), fact.at({**after}))
    return Induction(name, fact, first, later, tuple(start.items()), tuple(after.items()))
