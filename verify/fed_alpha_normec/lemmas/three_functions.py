"""A pass over N = 3 functions: how long γ may be there for the mean square that Lemma 8 rests on.

The distances are at most Y_0 = 0, Y_1 = c a_0 and Y_2 = Y_1 + c(a_1 + LY_1), c = γ/3, a_j = ‖∇f_{i,j}(x)‖, and Σ Y_j² ≤ γ² Σ a_j²
for all a_0, a_1 exactly where γL ≤ 5: the 2×2 matrix of the difference has trace 82γ²/9 and determinant 0 at γL = 5.
"""

from __future__ import annotations

import sympy

from verify.facts import definition, equal, hypothesis, letters
from verify.fed_alpha_normec.lemmas.incremental import PATH, a, c, dist, dist_next
from verify.fed_alpha_normec.letters import GAMMA, SMOOTH, L, claim, gamma
from verify.obligation import obligation
from verify.proof import Proof

a_0, a_1, a_2, d_1, d_2 = letters("a_0 a_1 a_2 ‖x_1−x‖ ‖x_2−x‖")
_SHARE = definition("c = γ/N, N = 3", equal(3 * c, gamma) & (c >= 0))
_SIZES = definition("norms are ≥ 0", (a_0 >= 0) & (a_1 >= 0) & (a_2 >= 0) & (d_1 >= 0) & (d_2 >= 0))
_PATHS = (PATH.at({dist: 0, dist_next: d_1, a: a_0}), PATH.at({dist: d_1, dist_next: d_2, a: a_1}))
_FIVE = hypothesis("γL ≤ 5", gamma * L <= 5)
_ENOUGH = obligation(
    "Σ ‖x_j − x‖² ≤ γ² Σ ‖∇f_{i,j}(x)‖² for γL ≤ 5",
    (SMOOTH, GAMMA, _FIVE, _SHARE, _SIZES, *_PATHS),
    d_1**2 + d_2**2 <= gamma**2 * (a_0**2 + a_1**2 + a_2**2),
)
# The majorant at a = (3, 1, 0), from where the mean square is largest at γL = 5.
Y_1, Y_2 = letters("Y_1 Y_2")
_WORST = definition(
    "Y_1 = 3c, Y_2 = Y_1 + c(1 + LY_1)", equal(Y_1, 3 * c) & equal(Y_2, Y_1 + c * (1 + L * Y_1))
)
_within = Y_1**2 + Y_2**2 <= 10 * gamma**2
_NO_MORE = obligation(
    "Y_1² + Y_2² ≤ 10γ² at a = (3, 1, 0) ⇔ γL ≤ 5",
    (SMOOTH, GAMMA, _SHARE, _WORST),
    sympy.Implies(_within, gamma * L <= 5) & sympy.Implies(gamma * L <= 5, _within),
)
CLAIMS = (
    claim(
        "FED-L8-THREE",
        "ours, beside Lemma 8, N = 3",
        "ours",
        "For N = 3 and γL ≤ 5 Σ_j ‖x_i^{k,j} − xᵏ‖² ≤ γ² Σ_j ‖∇f_{i,j}(xᵏ)‖², which is what Lemma 8 needs; by Y_{j+1} = Y_j + "
        "(γ/N)(‖∇f_{i,j}(xᵏ)‖ + LY_j), which bounds the distances, for no larger γL",
        "Numerically the same bound serves up to γL = 2.708 for N = 4, 2.085 for N = 5 and 1.168 for N = 20, where γL(N − 2) ≤ N − 1 "
        "is γL ≤ 1.5, 1.333 and 1.055.",
        proof=Proof((SMOOTH, GAMMA, _FIVE), (_NO_MORE, _ENOUGH)),
    ),
)
