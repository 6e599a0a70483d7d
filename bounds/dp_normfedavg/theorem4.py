"""Theorem 4 of DP-NormFedAvg: (a) clipping, (b) normalisation, and their limits (4), (5) as α → ∞.

η, C and K are not free here: they are the choices of the theorem (`bounds.dp_normfedavg.choices`).
"""

from bounds.dp_normfedavg.choices import ALPHA, LOCAL_STEPS, RHO
from bounds.dp_normfedavg.symbols import SYMBOLS
from bounds.scalars import Scalar
from bounds.statement import Bound, Source

PAPER = "dp-normfedavg"


def initialisation(G: Scalar, L: Scalar, distance: Scalar, gamma: Scalar, rho: Scalar) -> Scalar:
    """A = G (L‖w₀ − w*‖²/γ + γ/L) ρ: "effect of initialization" in (2) and (3)."""
    return G * (L * distance**2 / gamma + gamma / L) * rho


def factor_a(rho: Scalar, E: Scalar, alpha: Scalar) -> Scalar:
    """2 − ρE/α − ρ²E²/α²: what multiplies E[f(w_k̃) − f(w*)] in (2)."""
    return 2 - rho * E / alpha - rho**2 * E**2 / alpha**2


def factor_b(rho: Scalar, E: Scalar, alpha: Scalar) -> Scalar:
    """2 − ρ²E²/α²: what multiplies the weighted mean in (3)."""
    return 2 - rho**2 * E**2 / alpha**2


def theorem4a(
    G: Scalar,
    L: Scalar,
    distance: Scalar,
    gamma: Scalar,
    rho: Scalar,
    E: Scalar,
    alpha: Scalar,
    Delta: Scalar,
) -> Scalar:
    """A + B₁, the right-hand side of (2)."""
    return initialisation(G, L, distance, gamma, rho) + 3 * E / (2 * alpha) * Delta * rho


def theorem4b(
    G: Scalar,
    L: Scalar,
    distance: Scalar,
    gamma: Scalar,
    rho: Scalar,
    E: Scalar,
    alpha: Scalar,
    z_Delta: Scalar,
) -> Scalar:
    """A + B₂, the right-hand side of (3)."""
    heterogeneity = E / alpha * (G**2 / (2 * L) + z_Delta * rho * E / alpha) * rho
    return initialisation(G, L, distance, gamma, rho) + heterogeneity


def asymptotic(G: Scalar, L: Scalar, distance: Scalar, gamma: Scalar, rho: Scalar) -> Scalar:
    """(G/2)(L‖w₀ − w*‖²/γ + γ/L) ρ: the right-hand side of (4) and of (5)."""
    return initialisation(G, L, distance, gamma, rho) / 2


THEOREM4A = Bound(
    name="DAS-T4a",
    source=Source(PAPER, "Theorem 4 (a), eq. (2)", "main text"),
    quantity="(2 − ρE/α − ρ²E²/α²) E[f(w_k̃) − f(w*)], DP-FedAvg with clipping",
    typeset="G ((L norm(w_0 - w^*)^2)/gamma + gamma/L) rho + (3 E)/(2 alpha) overline(Delta)^* rho",
    formula=theorem4a,
    symbols=SYMBOLS,
    conditions=(LOCAL_STEPS, ALPHA, RHO),
)

THEOREM4B = Bound(
    name="DAS-T4b",
    source=Source(PAPER, "Theorem 4 (b), eq. (3)", "main text"),
    quantity="(2 − ρ²E²/α²) E[mean_i (GE/‖u_i‖)(f_i(w_k̃) − f_i(w*))], DP-NormFedAvg",
    typeset="G ((L norm(w_0 - w^*)^2)/gamma + gamma/L) rho"
    " + E/alpha (G^2/(2 L) + EE[1/n sum_i (G E)/norm(u_i) Delta_i^*] (rho E)/alpha) rho",
    formula=theorem4b,
    symbols=SYMBOLS,
    conditions=(LOCAL_STEPS, ALPHA, RHO),
)

ASYMPTOTIC = Bound(
    name="DAS-S41-EQ4",
    source=Source(PAPER, "Section 4.1, eqs. (4) and (5)", "main text"),
    quantity="E[f(w_k̃) − f(w*)] for clipping, E[mean_i z_i (f_i(w_k̃) − f_i(w*))] for normalisation, α → ∞",
    typeset="G/2 ((L norm(w_0 - w^*)^2)/gamma + gamma/L) rho",
    formula=asymptotic,
    symbols=SYMBOLS,
    conditions=(RHO,),
)
