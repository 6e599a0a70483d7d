"""Theorem 6 of DP-NormFedAvg: DP-FedAvg with clipping, without a Lipschitz assumption."""

from bounds.dp_normfedavg.choices import ALPHA, LOCAL_STEPS, RHO, ROUNDS, THRESHOLD
from bounds.dp_normfedavg.symbols import SYMBOLS
from bounds.scalars import Scalar
from bounds.statement import Bound, Source

SOURCE = Source("dp-normfedavg", "Theorem 6, Appendix C", "appendix")
QUANTITY = "E mean_i {1(‖u_i‖ ≤ ĈE) a (f_i(w_k̃) − f_i(w*)) + 1(‖u_i‖ > ĈE) 3Ĉ‖u_i‖/(8LE)}, "


def factor(gamma: Scalar, C_hat: Scalar, K: Scalar, rho: Scalar) -> Scalar:
    """a = 2 − 2γ/(ĈKρ) − 4γ²/(Ĉ²K²ρ²), first part."""
    return 2 - 2 * gamma / (C_hat * K * rho) - 4 * gamma**2 / (C_hat**2 * K**2 * rho**2)


def initialisation(C_hat: Scalar, L: Scalar, distance: Scalar, gamma: Scalar, rho: Scalar) -> Scalar:
    """Ĉ (L‖w₀ − w*‖²/γ + γ/L) ρ."""
    return C_hat * (L * distance**2 / gamma + gamma / L) * rho


def theorem6(
    C_hat: Scalar, L: Scalar, distance: Scalar, gamma: Scalar, rho: Scalar, K: Scalar, Delta_kept: Scalar
) -> Scalar:
    """Right-hand side of the first part, any K > 2γ/(ĈE)/ρ."""
    x = 2 * gamma / (C_hat * K * rho)
    return initialisation(C_hat, L, distance, gamma, rho) + x * (1 + x) * Delta_kept


def theorem6_specific(
    C_hat: Scalar,
    L: Scalar,
    distance: Scalar,
    gamma: Scalar,
    rho: Scalar,
    E: Scalar,
    alpha: Scalar,
    Delta: Scalar,
) -> Scalar:
    """Right-hand side of the second part, K = 2αγ/(ĈE)/ρ²."""
    return initialisation(C_hat, L, distance, gamma, rho) + 3 * E / (2 * alpha) * Delta * rho


START = "hat(C) ((L norm(w_0 - w^*)^2)/gamma + gamma/L) rho"

THEOREM6 = Bound(
    name="DAS-T6",
    source=SOURCE,
    quantity=QUANTITY + "a = 2 − 2γ/(ĈKρ) − 4γ²/(Ĉ²K²ρ²)",
    typeset=START + " + (2 gamma)/(hat(C) K rho) (1 + (2 gamma)/(hat(C) K rho))"
    " EE[1/n sum_i bb(1)(norm(u_i) <= hat(C) E) Delta_i^*]",
    formula=theorem6,
    symbols=SYMBOLS,
    conditions=(THRESHOLD, ROUNDS),
)

THEOREM6_SPECIFIC = Bound(
    name="DAS-T6@specific",
    source=SOURCE,
    quantity=QUANTITY + "a = 2 − ρE/α − ρ²E²/α²",
    typeset=START + " + (3 E)/(2 alpha) overline(Delta)^* rho",
    formula=theorem6_specific,
    symbols=SYMBOLS,
    conditions=(THRESHOLD, LOCAL_STEPS, ALPHA, RHO),
)
