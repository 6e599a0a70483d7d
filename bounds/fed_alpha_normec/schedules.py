"""The parameter choices of the corollaries, as functions of their constants, K and the problem."""

from __future__ import annotations

from typing import NamedTuple

from bounds.scalars import Scalar, log, minimum, power, sqrt


class Schedule(NamedTuple):
    """γ [x²/f], R [gradient], β [gradient] and η [length] of a corollary."""

    gamma: Scalar
    R: Scalar
    beta: Scalar
    eta: Scalar


def rounds_to(K: Scalar, numerator: int, denominator: int) -> Scalar:
    """(K + 1)^(numerator/denominator)."""
    return power(K + 1, numerator, denominator)


def eta_limit_main(L: Scalar, D_1: Scalar, D_2: Scalar, alpha: Scalar) -> Scalar:
    """η₀ = L D₁D₂/(2(α + D₁)): Corollary 1 in the text."""
    return L * D_1 * D_2 / (2 * (alpha + D_1))


def eta_hat(L: Scalar, D_1: Scalar, D_2: Scalar, alpha: Scalar) -> Scalar:
    """η̂ = D₁D₂/(4L(α + D₁)): Corollary 1 in F.4."""
    return D_1 * D_2 / (4 * L * (alpha + D_1))


def eta_hat_several(L: Scalar, D_1: Scalar, D_2: Scalar, alpha: Scalar, Delta: Scalar) -> Scalar:
    """η̂ = min(Δ^inf/(2√(2L)), D₁D₂/(4L(α + D₁))): Corollaries 3 and 5."""
    return minimum(Delta / (2 * sqrt(2 * L)), eta_hat(L, D_1, D_2, alpha))


def corollary1_main(K: Scalar, L: Scalar, D_1: Scalar, D_2: Scalar, alpha: Scalar) -> Schedule:
    """Corollary 1 in the text, at the largest η that "η ≤ …" allows."""
    return Schedule(
        gamma=1 / (2 * L),
        R=D_1 / rounds_to(K, 1, 6),
        beta=D_2 / rounds_to(K, 2, 3),
        eta=eta_limit_main(L, D_1, D_2, alpha) / rounds_to(K, 5, 6),
    )


def corollary1_appendix(K: Scalar, L: Scalar, D_1: Scalar, D_2: Scalar, alpha: Scalar) -> Schedule:
    """Corollary 1 in F.4."""
    return Schedule(
        gamma=1 / (2 * L),
        R=D_1 / rounds_to(K, 1, 6),
        beta=D_2 / rounds_to(K, 2, 3),
        eta=eta_hat(L, D_1, D_2, alpha) / rounds_to(K, 5, 6),
    )


def corollary3(K: Scalar, L: Scalar, D_1: Scalar, D_2: Scalar, alpha: Scalar, Delta: Scalar) -> Schedule:
    """Corollaries 3 and 5."""
    return Schedule(
        gamma=1 / (2 * L * rounds_to(K, 1, 8)),
        R=D_1 / rounds_to(K, 1, 8),
        beta=D_2 / rounds_to(K, 5, 8),
        eta=eta_hat_several(L, D_1, D_2, alpha, Delta) / rounds_to(K, 7, 8),
    )


def b_2(c: Scalar, B_hat: Scalar, M: Scalar, log_delta: Scalar, epsilon: Scalar) -> Scalar:
    """B₂ = 2c² (B̂/M) log(1/δ)/ε²: Corollaries 2, 4 and 6. log_delta stands for log(1/δ)."""
    return 2 * c**2 * B_hat / M * log_delta / epsilon**2


def beta_hat(
    f_gap: Scalar, gamma: Scalar, M: Scalar, B_hat: Scalar, c: Scalar, delta: Scalar, epsilon: Scalar
) -> Scalar:
    """β̂ = √(3(f(x⁰) − f^inf)/γ) ⁴√(M/B₂): Corollary 2 in F.5."""
    return sqrt(3 * f_gap / gamma) * sqrt(sqrt(M / b_2(c, B_hat, M, log(1 / delta), epsilon)))


def beta_hat_square_root(
    f_gap: Scalar, gamma: Scalar, M: Scalar, B_hat: Scalar, c: Scalar, delta: Scalar, epsilon: Scalar
) -> Scalar:
    """β̂ = √(3(f(x⁰) − f^inf)/γ) √(M/B₂): Corollary 2 in Section 4, Corollaries 4 and 6."""
    return sqrt(3 * f_gap / gamma) * sqrt(M / b_2(c, B_hat, M, log(1 / delta), epsilon))


def utility_length(gamma: Scalar, beta: Scalar, R: Scalar, alpha: Scalar) -> Scalar:
    """η = 1/(K+1) · γ/2 · β̂R/(α+R) of Corollaries 2, 4 and 6, where β = β̂/(K+1)."""
    return gamma / 2 * beta * R / (alpha + R)


def noise(c: Scalar, p: Scalar, K: Scalar, delta: Scalar, epsilon: Scalar) -> Scalar:
    """σ_DP = c p√((K+1)log(1/δ))/ε: Corollary 2 in F.5, Corollaries 4 and 6."""
    return c * p * sqrt((K + 1) * log(1 / delta)) / epsilon


def noise_main(c: Scalar, p: Scalar, K: Scalar, delta: Scalar, epsilon: Scalar) -> Scalar:
    """σ_DP = c p√((K+1)log(1/δ)/ε): Corollary 2 in Section 4."""
    return c * p * sqrt((K + 1) * log(1 / delta) / epsilon)
