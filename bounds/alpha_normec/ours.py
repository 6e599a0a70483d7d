"""Sharper and more general statements for α-NormEC that come out of the repairs, each proved in `verify/`."""

from bounds.alpha_normec import theorem2
from bounds.alpha_normec.symbols import SYMBOLS
from bounds.alpha_normec.theorem1 import QUANTITY, STEP, theorem1
from bounds.scalars import Scalar, sqrt
from bounds.statement import Bound, Condition, Source
from bounds.symbols import ONE, Symbol

LETTERS = {**SYMBOLS, "V": Symbol("V", "V", "E‖z_i‖² of a client's noise, whole vector", ONE, ">= 0")}
WIDE_FEEDBACK = Condition("β ≤ (√α + √R)²", "beta", "<=", lambda alpha, R: (sqrt(alpha) + sqrt(R)) ** 2)
GENTLE = Condition("β ≤ α", "beta", "<=", lambda alpha: alpha)


def theorem1_sharp(
    f_gap: Scalar, gamma: Scalar, K: Scalar, R: Scalar, L: Scalar, alpha: Scalar, beta: Scalar
) -> Scalar:
    """Theorem 1 with 2R(1 − β/(α+R)) for 2R: holds for β ≤ α."""
    return f_gap / (gamma * (K + 1)) + 2 * R * (1 - beta / (alpha + R)) + L * gamma / 2


def theorem1_root(f_gap: Scalar, gamma: Scalar, K: Scalar, R: Scalar, L: Scalar) -> Scalar:
    """√(R² + ((f(x⁰) − f^inf)/(γ(K+1)) + Lγ/2)²): below Theorem 1's bound by at least R."""
    return sqrt(R**2 + (f_gap / (gamma * (K + 1)) + L * gamma / 2) ** 2)


def theorem1_sharp_root(
    f_gap: Scalar, gamma: Scalar, K: Scalar, R: Scalar, L: Scalar, alpha: Scalar, beta: Scalar
) -> Scalar:
    """`theorem1_root` with ρ = R(1 − β/(α+R)) for R: holds for β ≤ α, and is below `theorem1_sharp` by at least ρ."""
    rho = R * (1 - beta / (alpha + R))
    return sqrt(rho**2 + (f_gap / (gamma * (K + 1)) + L * gamma / 2) ** 2)


def noise_term(beta: Scalar, K: Scalar, V: Scalar, n: Scalar) -> Scalar:
    """√(2β²(K+2)V/n): twice the mean over the rounds of what the noise, which grows like √k, adds to the server's memory; V = E‖z_i‖²
    of a client's noise."""
    return sqrt(2 * beta**2 * (K + 2) * V / n)


def private_wide(
    f_gap: Scalar, gamma: Scalar, K: Scalar, R: Scalar, L: Scalar, beta: Scalar, V: Scalar, n: Scalar
) -> Scalar:
    """`theorem1` + `noise_term`: at K > 0 and V > 0 below Theorem 2's 2√(β²(K+1)V/n)."""
    return theorem1(f_gap, gamma, K, R, L) + noise_term(beta, K, V, n)


def private_sharp(
    f_gap: Scalar,
    gamma: Scalar,
    K: Scalar,
    R: Scalar,
    L: Scalar,
    alpha: Scalar,
    beta: Scalar,
    V: Scalar,
    n: Scalar,
) -> Scalar:
    """`theorem1_sharp` + `noise_term`: holds for β ≤ α."""
    return theorem1_sharp(f_gap, gamma, K, R, L, alpha, beta) + noise_term(beta, K, V, n)


def smallest_theorem1(f_gap: Scalar, L: Scalar, L_max: Scalar, K: Scalar) -> Scalar:
    """√((8L_max + 2L)(f(x⁰) − f^inf)/(K+1)): no choice of α, β, γ, R that Theorem 1 allows makes its bound smaller."""
    return sqrt((8 * L_max + 2 * L) * f_gap / (K + 1))


def least_under_privacy(f_gap: Scalar, L: Scalar, growth: Scalar, delta: Scalar) -> Scalar:
    """2√(2L(f(x⁰) − f^inf))(1 − δ)/(1 + e^ε), growth = e^ε: on one of two neighbouring problems with these L and f(x⁰) − f^inf the
    mean gradient of an (ε, δ)-DP release is at least that long."""
    return 2 * sqrt(2 * L * f_gap) * (1 - delta) / (1 + growth)


THEOREM1_WIDE = Bound(
    name="NEC-OUR-T1-WIDE",
    source=Source("ours", "Theorem 1 of α-NormEC", "wider range of β"),
    quantity=QUANTITY,
    typeset="(f(x^0) - f^inf) / (gamma (K+1)) + 2 R + L/2 gamma",
    formula=theorem1,
    symbols=SYMBOLS,
    conditions=(WIDE_FEEDBACK, STEP),
)
THEOREM1_SHARP = Bound(
    name="NEC-OUR-T1-SHARP",
    source=Source("ours", "Theorem 1 of α-NormEC", "smaller additive term"),
    quantity=QUANTITY,
    typeset="(f(x^0) - f^inf) / (gamma (K+1)) + 2 R (1 - beta/(alpha + R)) + L/2 gamma",
    formula=theorem1_sharp,
    symbols=SYMBOLS,
    conditions=(GENTLE, STEP),
)
THEOREM1_ROOT = Bound(
    name="NEC-OUR-T1-ROOT",
    source=Source("ours", "Theorem 1 of α-NormEC", "R in the mean square"),
    quantity=QUANTITY,
    typeset="sqrt(R^2 + ((f(x^0) - f^inf) / (gamma (K+1)) + L/2 gamma)^2)",
    formula=theorem1_root,
    symbols=SYMBOLS,
    conditions=(WIDE_FEEDBACK, STEP),
)
THEOREM1_SHARP_ROOT = Bound(
    name="NEC-OUR-T1-SHARP-ROOT",
    source=Source("ours", "Theorem 1 of α-NormEC", "smaller term in the mean square"),
    quantity=QUANTITY,
    typeset="sqrt(R^2 (1 - beta/(alpha + R))^2 + ((f(x^0) - f^inf) / (gamma (K+1)) + L/2 gamma)^2)",
    formula=theorem1_sharp_root,
    symbols=SYMBOLS,
    conditions=(GENTLE, STEP),
)
PRIVATE_WIDE = Bound(
    name="NEC-OUR-T2-WIDE",
    source=Source("ours", "Theorem 2 of α-NormEC", "wider range of β, smaller noise term"),
    quantity=theorem2.QUANTITY,
    typeset="(f(x^0) - f^inf) / (gamma (K+1)) + 2 R + L/2 gamma + sqrt((2 beta^2 (K+2) V) / n)",
    formula=private_wide,
    symbols=LETTERS,
    conditions=(WIDE_FEEDBACK, STEP),
)
PRIVATE_SHARP = Bound(
    name="NEC-OUR-T2-SHARP",
    source=Source("ours", "Theorem 2 of α-NormEC", "smaller additive and noise terms"),
    quantity=theorem2.QUANTITY,
    typeset="(f(x^0) - f^inf) / (gamma (K+1)) + 2 R (1 - beta/(alpha + R)) + L/2 gamma + sqrt((2 beta^2 (K+2) V) / n)",
    formula=private_sharp,
    symbols=LETTERS,
    conditions=(GENTLE, STEP),
)
