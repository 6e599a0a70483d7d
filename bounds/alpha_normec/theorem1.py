"""Theorem 1 of α-NormEC: without noise."""

from bounds.alpha_normec.symbols import SYMBOLS
from bounds.scalars import Scalar
from bounds.statement import Bound, Condition, Source

QUANTITY = "min over k in [0, K] of ‖∇f(xᵏ)‖"

FEEDBACK = Condition("β/(α + R) < 1", "beta", "<", lambda alpha, R: alpha + R)
STEP = Condition(
    "γ ≤ βR/(α + R) · 1/L_max",
    "gamma",
    "<=",
    lambda beta, R, alpha, L_max: beta * R / (alpha + R) / L_max,
)


def theorem1(f_gap: Scalar, gamma: Scalar, K: Scalar, R: Scalar, L: Scalar) -> Scalar:
    """(f(x⁰) − f^inf)/(γ(K+1)) + 2R + Lγ/2: α-NormEC, Theorem 1."""
    return f_gap / (gamma * (K + 1)) + 2 * R + L * gamma / 2


THEOREM1 = Bound(
    name="NEC-T1",
    source=Source("alpha-normec", "Theorem 1, Section 4", "main text"),
    quantity=QUANTITY,
    typeset="(f(x^0) - f^inf) / (gamma (K+1)) + 2 R + L/2 gamma",
    formula=theorem1,
    symbols=SYMBOLS,
    conditions=(FEEDBACK, STEP),
)
