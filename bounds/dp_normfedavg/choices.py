"""What the paper tells a user to set: ρ, E, η, β, C and K, each printed version under its own name.

The number of rounds is printed three times. Theorem 4 and Theorem 6 agree, because C = ĈE; Section 4.1
quotes Theorem 4 with one factor E more.
"""

from __future__ import annotations

from bounds.scalars import Scalar, sqrt
from bounds.statement import Condition


def rho_definition2(q: Scalar, d: Scalar, log_inverse_delta: Scalar, n: Scalar, epsilon: Scalar) -> Scalar:
    """ρ = √(q d log(1/δ))/(nε): Definition 2, eq. (1)."""
    return sqrt(q * d * log_inverse_delta) / (n * epsilon)


def rounds_theorem4(alpha: Scalar, gamma: Scalar, C: Scalar, rho: Scalar) -> Scalar:
    """K = (2αγ/C)/ρ²: Theorem 4."""
    return 2 * alpha * gamma / C / rho**2


def rounds_section41(alpha: Scalar, gamma: Scalar, C: Scalar, E: Scalar, rho: Scalar) -> Scalar:
    """K = (2αγ/(CE))/ρ²: Section 4.1, "recall that we set"."""
    return 2 * alpha * gamma / (C * E) / rho**2


def rounds_theorem6(alpha: Scalar, gamma: Scalar, C_hat: Scalar, E: Scalar, rho: Scalar) -> Scalar:
    """K = (2αγ/(ĈE))/ρ²: Theorems 6 and 7, second part."""
    return 2 * alpha * gamma / (C_hat * E) / rho**2


def step_theorem4(rho: Scalar, alpha: Scalar, L: Scalar) -> Scalar:
    """β_k = η_k = ρ/(2αL): Theorem 4."""
    return rho / (2 * alpha * L)


def step_theorem6(gamma: Scalar, C_hat: Scalar, L: Scalar, E: Scalar, K: Scalar, rho: Scalar) -> Scalar:
    """β_k = η_k = γ/(ĈLEK)/ρ: Theorems 6 and 7."""
    return gamma / (C_hat * L * E * K) / rho


RHO = Condition("ρ < 1", "rho", "<", lambda: 1)
ALPHA = Condition("α ≥ 1", "alpha", ">=", lambda: 1)
LOCAL_STEPS = Condition("E ≤ α/(2ρ)", "E", "<=", lambda alpha, rho: alpha / (2 * rho))
THRESHOLD = Condition(
    "Ĉ ≥ 4√(L max_j Δ_j*)", "C_hat", ">=", lambda L, Delta_max: 4 * sqrt(L * Delta_max)
)  # fmt: skip
ROUNDS = Condition("K > 2γ/(ĈE)/ρ", "K", ">", lambda gamma, C_hat, E, rho: 2 * gamma / (C_hat * E) / rho)
