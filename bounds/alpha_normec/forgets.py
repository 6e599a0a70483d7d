"""Bounds for α-NormEC from any initial memories, zero among them: the start is paid for once, and not in every round.

Each residual r = ‖∇f_i(x^k) − g_i^k‖ has the potential r²/2 + αr, which falls by at least (β − a)w in a round and rises by at
most αa + a²/2, where w is what the round leaves of r and a = L_max γ is how far a gradient can move. So the mean of the w over
the rounds, which is all that a descent needs, is at most ((R²/2 + αR)/(K+1) + αa + a²/2)/(β − a). No condition contains R.

Clipping at τ in the place of β Norm_α does the same with α = 0 and β = τ.
"""

from bounds.alpha_normec import theorem2
from bounds.alpha_normec.ours import LETTERS, noise_term
from bounds.alpha_normec.theorem1 import QUANTITY
from bounds.scalars import Scalar, sqrt
from bounds.statement import Bound, Condition, Source
from bounds.symbols import Symbol

MILD = Condition("β ≤ √2 α", "beta", "<=", lambda alpha: sqrt(2 * alpha**2))
STRIDE = Condition("γ < β/L_max", "gamma", "<", lambda beta, L_max: beta / L_max)
STRIDE_CLIP = Condition("γ < τ/L_max", "gamma", "<", lambda tau, L_max: tau / L_max)


def left_over(K: Scalar, R: Scalar, alpha: Scalar, beta: Scalar, gamma: Scalar, L_max: Scalar) -> Scalar:
    """((R²/2 + αR)/(K+1) + αa + a²/2)/(β − a), a = L_max γ: bounds the mean over the rounds of what is left of a residual."""
    a = L_max * gamma
    return ((R**2 / 2 + alpha * R) / (K + 1) + alpha * a + a**2 / 2) / (beta - a)


def theorem1_forgets(
    f_gap: Scalar, gamma: Scalar, K: Scalar, R: Scalar, L: Scalar, L_max: Scalar, alpha: Scalar, beta: Scalar
) -> Scalar:
    """(f(x⁰) − f^inf)/(γ(K+1)) + Lγ/2 + twice `left_over`."""
    return f_gap / (gamma * (K + 1)) + L * gamma / 2 + 2 * left_over(K, R, alpha, beta, gamma, L_max)


def private_forgets(
    f_gap: Scalar,
    gamma: Scalar,
    K: Scalar,
    R: Scalar,
    L: Scalar,
    L_max: Scalar,
    alpha: Scalar,
    beta: Scalar,
    V: Scalar,
    n: Scalar,
) -> Scalar:
    """`theorem1_forgets` + √(2β²(K+2)V/n), V = E‖z_i‖² of a client's noise."""
    return theorem1_forgets(f_gap, gamma, K, R, L, L_max, alpha, beta) + noise_term(beta, K, V, n)


def private_clip(
    f_gap: Scalar,
    gamma: Scalar,
    K: Scalar,
    R: Scalar,
    L: Scalar,
    L_max: Scalar,
    tau: Scalar,
    V: Scalar,
    n: Scalar,
) -> Scalar:
    """`private_forgets` at α = 0 and β = τ: DP-Clip21 with a normalised server step, noise τz_i."""
    return private_forgets(f_gap, gamma, K, R, L, L_max, 0, tau, V, n)


FORGETFUL = {**LETTERS, "R": Symbol("R", "R", "max_i ‖∇f_i(x⁰) − g_i⁰‖ or more", LETTERS["R"].unit, ">= 0")}
_LEFT = "((R^2 + 2 alpha R) / (K+1) + 2 alpha a + a^2) / (beta - a)"
_DESCENT = "(f(x^0) - f^inf) / (gamma (K+1)) + L/2 gamma"
THEOREM1_FORGETS = Bound(
    name="NEC-OUR-T1-FORGETS",
    source=Source("ours", "Theorem 1 of α-NormEC", "from any memories"),
    quantity=QUANTITY,
    typeset=f'{_DESCENT} + {_LEFT}, quad a = L_"max" gamma',
    formula=theorem1_forgets,
    symbols=FORGETFUL,
    conditions=(MILD, STRIDE),
)
PRIVATE_FORGETS = Bound(
    name="NEC-OUR-T2-FORGETS",
    source=Source("ours", "Theorem 2 of α-NormEC", "from any memories"),
    quantity=theorem2.QUANTITY,
    typeset=f'{_DESCENT} + {_LEFT} + sqrt((2 beta^2 (K+2) V) / n), quad a = L_"max" gamma',
    formula=private_forgets,
    symbols=FORGETFUL,
    conditions=(MILD, STRIDE),
)
PRIVATE_CLIP = Bound(
    name="NEC-OUR-T2-CLIP",
    source=Source("ours", "Theorem 2 of α-NormEC", "clipping at τ for β Norm_α"),
    quantity=theorem2.QUANTITY,
    typeset=f'{_DESCENT} + (R^2 / (K+1) + a^2) / (tau - a) + sqrt((2 tau^2 (K+2) V) / n), quad a = L_"max" gamma',
    formula=private_clip,
    symbols=FORGETFUL,
    conditions=(STRIDE_CLIP,),
)
