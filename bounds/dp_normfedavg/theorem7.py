"""Theorem 7 of DP-NormFedAvg: normalisation, without a Lipschitz assumption."""

from bounds.dp_normfedavg.choices import ALPHA, LOCAL_STEPS, RHO, ROUNDS, THRESHOLD
from bounds.dp_normfedavg.symbols import SYMBOLS
from bounds.dp_normfedavg.theorem6 import START, initialisation
from bounds.scalars import Scalar
from bounds.statement import Bound, Source

SOURCE = Source("dp-normfedavg", "Theorem 7, Appendix D", "appendix")
QUANTITY = "E mean_i {1(‖u_i‖ ≤ ĈE) b z_i (f_i(w_k̃) − f_i(w*)) + 1(‖u_i‖ > ĈE) 3Ĉ‖u_i‖/(8LE)}, "


def factor(gamma: Scalar, C_hat: Scalar, K: Scalar, rho: Scalar) -> Scalar:
    """b = 2 − 4γ²/(Ĉ²K²ρ²), first part."""
    return 2 - 4 * gamma**2 / (C_hat**2 * K**2 * rho**2)


def theorem7(
    C_hat: Scalar,
    L: Scalar,
    distance: Scalar,
    gamma: Scalar,
    rho: Scalar,
    K: Scalar,
    share_kept: Scalar,
    z_Delta: Scalar,
) -> Scalar:
    """Right-hand side of the first part, any K > 2γ/(ĈE)/ρ."""
    overshoot = gamma * C_hat / (L * K * rho) * share_kept
    drift = 4 * gamma**2 / (C_hat**2 * K**2 * rho**2) * z_Delta
    return initialisation(C_hat, L, distance, gamma, rho) + overshoot + drift


def theorem7_specific(
    C_hat: Scalar,
    L: Scalar,
    distance: Scalar,
    gamma: Scalar,
    rho: Scalar,
    E: Scalar,
    alpha: Scalar,
    z_Delta: Scalar,
) -> Scalar:
    """Right-hand side of the second part, K = 2αγ/(ĈE)/ρ²."""
    heterogeneity = E / alpha * (C_hat**2 / (2 * L) + z_Delta * rho * E / alpha) * rho
    return initialisation(C_hat, L, distance, gamma, rho) + heterogeneity


THEOREM7 = Bound(
    name="DAS-T7",
    source=SOURCE,
    quantity=QUANTITY + "b = 2 − 4γ²/(Ĉ²K²ρ²)",
    typeset=START + " + EE[1/n sum_i bb(1)(norm(u_i) <= hat(C) E) {(gamma hat(C))/(L K rho)"
    " + (hat(C) E)/norm(u_i) (4 gamma^2 Delta_i^*)/(hat(C)^2 K^2 rho^2)}]",
    formula=theorem7,
    symbols=SYMBOLS,
    conditions=(THRESHOLD, ROUNDS),
)

THEOREM7_SPECIFIC = Bound(
    name="DAS-T7@specific",
    source=SOURCE,
    quantity=QUANTITY + "b = 2 − ρ²E²/α²",
    typeset=START + " + E/alpha (hat(C)^2/(2 L) + EE[1/n sum_i bb(1)(norm(u_i) <= hat(C) E)"
    " (hat(C) E)/norm(u_i) Delta_i^*] (rho E)/alpha) rho",
    formula=theorem7_specific,
    symbols=SYMBOLS,
    conditions=(THRESHOLD, LOCAL_STEPS, ALPHA, RHO),
)
