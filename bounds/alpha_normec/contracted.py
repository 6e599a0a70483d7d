"""Bounds for α-NormEC from any initial memories for β < 2α: what is left of them is bounded by one factor for all rounds.

For β < 2α the update lessens a residual r ≤ R by the factor 1 − η at least, η = min(β/(α+R), 2 − β/α), and gradients that move by
a = L_max γ ≤ ηR in a round leave it below R. So the mean over the rounds of what the update leaves is at most
(1 − η)(R/(K+1) + a)/η. At the longest step, a = ηR, that is (1 − η)R(1 + 1/(η(K+1))), and (1 − η)R is what Theorem 1 can keep in every
round; as the step goes to 0 it goes down to (1 − η)R/(η(K+1)). Of a it has (1 − η)/η, small where β/R is large, while
`bounds.alpha_normec.forgets` keeps αa/β.
"""

from bounds.alpha_normec import theorem2
from bounds.alpha_normec.forgets import FORGETFUL
from bounds.alpha_normec.ours import noise_term
from bounds.alpha_normec.theorem1 import QUANTITY
from bounds.scalars import Scalar, minimum
from bounds.statement import Bound, Condition, Source


def lessened(alpha: Scalar, beta: Scalar, R: Scalar) -> Scalar:
    """η = min(β/(α+R), 2 − β/α): the share of a residual up to R that the update takes off it at least."""
    # 2 − β/α as (α + (α − β))/α: near β = 2α, where its digits would cancel, both differences are exact in floats.
    return minimum(beta / (alpha + R), (alpha + (alpha - beta)) / alpha)


def left_over(K: Scalar, R: Scalar, gamma: Scalar, L_max: Scalar, eta: Scalar) -> Scalar:
    """(1 − η)(R/(K+1) + L_max γ)/η: bounds the mean over the rounds of what is left of a residual."""
    return (1 - eta) * (R / (K + 1) + L_max * gamma) / eta


def theorem1_contracts(
    f_gap: Scalar, gamma: Scalar, K: Scalar, R: Scalar, L: Scalar, L_max: Scalar, alpha: Scalar, beta: Scalar
) -> Scalar:
    """(f(x⁰) − f^inf)/(γ(K+1)) + Lγ/2 + twice `left_over`."""
    eta = lessened(alpha, beta, R)
    return f_gap / (gamma * (K + 1)) + L * gamma / 2 + 2 * left_over(K, R, gamma, L_max, eta)


def private_contracts(
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
    """`theorem1_contracts` + √(2β²(K+2)V/n), V = E‖z_i‖² of a client's noise."""
    return theorem1_contracts(f_gap, gamma, K, R, L, L_max, alpha, beta) + noise_term(beta, K, V, n)


TWICE = Condition("β < 2α", "beta", "<", lambda alpha: 2 * alpha)
KEPT = Condition(
    "γ ≤ ηR/L_max, η = min(β/(α+R), 2 − β/α)",
    "gamma",
    "<=",
    lambda alpha, beta, R, L_max: lessened(alpha, beta, R) * R / L_max,
)
_SUM = (
    '(f(x^0) - f^inf) / (gamma (K+1)) + L/2 gamma + 2 (1 - eta)/eta (R / (K+1) + L_"max" gamma)'
    "{}, quad eta = min(beta/(alpha + R), 2 - beta/alpha)"
)
THEOREM1_CONTRACTS = Bound(
    name="NEC-OUR-T1-CONTRACTS",
    source=Source("ours", "Theorem 1 of α-NormEC", "from any memories, β < 2α"),
    quantity=QUANTITY,
    typeset=_SUM.format(""),
    formula=theorem1_contracts,
    symbols=FORGETFUL,
    conditions=(TWICE, KEPT),
)
PRIVATE_CONTRACTS = Bound(
    name="NEC-OUR-T2-CONTRACTS",
    source=Source("ours", "Theorem 2 of α-NormEC", "from any memories, β < 2α"),
    quantity=theorem2.QUANTITY,
    typeset=_SUM.format(" + sqrt((2 beta^2 (K+2) V) / n)"),
    formula=private_contracts,
    symbols=FORGETFUL,
    conditions=(TWICE, KEPT),
)
