"""Corollary 1 and equation (12) of α-NormEC: Theorem 1 with R = D/√(K+1) and γ of order 1/√(K+1)."""

from bounds.alpha_normec.symbols import SYMBOLS
from bounds.alpha_normec.theorem1 import QUANTITY
from bounds.scalars import Scalar, minimum, sqrt
from bounds.statement import Bound, Condition, Source

GENTLE = Condition("α > β", "beta", "<", lambda alpha: alpha)


def radius(D: Scalar, K: Scalar) -> Scalar:
    """R = D/√(K+1): Corollary 1's choice of the initial memories."""
    return D / sqrt(K + 1)


def longest_step(beta: Scalar, L_max: Scalar, alpha: Scalar, D: Scalar, K: Scalar) -> Scalar:
    """β/L_max · D/(α+D) · 1/√(K+1): the largest γ that Corollary 1 allows."""
    return beta / L_max * D / (alpha + D) / sqrt(K + 1)


def constant(f_gap: Scalar, L: Scalar, L_max: Scalar, alpha: Scalar, beta: Scalar, D: Scalar) -> Scalar:
    """C of Corollary 1."""
    return L_max * (alpha + D) / (beta * D) * f_gap + 2 * D + L / 2 * beta * D / (L_max * (alpha + D))


def corollary1(
    f_gap: Scalar, L: Scalar, L_max: Scalar, alpha: Scalar, beta: Scalar, D: Scalar, K: Scalar
) -> Scalar:
    """C/√(K+1): α-NormEC, Corollary 1."""
    return constant(f_gap, L, L_max, alpha, beta, D) / sqrt(K + 1)


def beta12(f_gap: Scalar, L: Scalar, L_max: Scalar, alpha: Scalar, D: Scalar) -> Scalar:
    """β = L_max (α+D)/D · √(2(f(x⁰) − f^inf)/L): the choice before equation (12)."""
    return L_max * (alpha + D) / D * sqrt(2 * f_gap / L)


def equation12(f_gap: Scalar, L: Scalar, D: Scalar, K: Scalar) -> Scalar:
    """(√(2L(f(x⁰) − f^inf)) + 2D)/√(K+1): α-NormEC, equation (12)."""
    return (sqrt(2 * L * f_gap) + 2 * D) / sqrt(K + 1)


_STEP = "γ ≤ β/L_max · D/(α+D) · 1/(K+1)^{1/2}"

COROLLARY1 = Bound(
    name="NEC-C1",
    source=Source("alpha-normec", "Corollary 1, Section 4", "main text"),
    quantity=QUANTITY,
    typeset="C / (K+1)^(1/2)",
    formula=corollary1,
    symbols=SYMBOLS,
    conditions=(GENTLE, Condition(_STEP, "gamma", "<=", longest_step)),
)


def _shortest_step(
    f_gap: Scalar, L: Scalar, K: Scalar, beta: Scalar, L_max: Scalar, alpha: Scalar, D: Scalar
) -> Scalar:
    """The smallest γ for which γ ↦ (f(x⁰) − f^inf)/(γ(K+1)) + Lγ/2 is no larger than at the longest step."""
    longest = longest_step(beta, L_max, alpha, D, K)
    other = 2 * f_gap / (L * (K + 1) * longest)
    return minimum(longest, other)


COROLLARY1_REPAIRED = Bound(
    name="NEC-C1 (repaired)",
    source=Source("alpha-normec", "Corollary 1, Section 4", "repaired"),
    quantity=QUANTITY,
    typeset="C / (K+1)^(1/2)",
    formula=corollary1,
    symbols=SYMBOLS,
    conditions=(
        GENTLE,
        Condition(_STEP, "gamma", "<=", longest_step),
        Condition(
            "γ ≥ min(γ_max, 2(f(x⁰) − f^inf)/(L(K+1)γ_max))",
            "gamma",
            ">=",
            _shortest_step,
        ),
    ),
)
EQUATION12 = Bound(
    name="NEC-EQ12",
    source=Source("alpha-normec", "eq. (12), Section 4", "main text"),
    quantity=QUANTITY,
    typeset="(sqrt(2 L (f(x^0) - f^inf)) + 2 D) / (K+1)^(1/2)",
    formula=equation12,
    symbols=SYMBOLS,
    conditions=(
        GENTLE,
        Condition("α > 1", "alpha", ">", lambda: 1),
        Condition("β = L_max(α+D)/D · √(2(f(x⁰) − f^inf)/L)", "beta", "==", beta12),
        Condition(_STEP, "gamma", "<=", longest_step),
    ),
)
