"""Sharper and more general statements for α-NormEC that come out of the repairs, each proved in `verify/`."""

from bounds.alpha_normec.symbols import SYMBOLS
from bounds.alpha_normec.theorem1 import QUANTITY, STEP, theorem1
from bounds.scalars import Scalar, sqrt
from bounds.statement import Bound, Condition, Source

WIDE_FEEDBACK = Condition("β ≤ (√α + √R)²", "beta", "<=", lambda alpha, R: (sqrt(alpha) + sqrt(R)) ** 2)
GENTLE = Condition("β ≤ α", "beta", "<=", lambda alpha: alpha)


def theorem1_sharp(
    f_gap: Scalar, gamma: Scalar, K: Scalar, R: Scalar, L: Scalar, alpha: Scalar, beta: Scalar
) -> Scalar:
    """Theorem 1 with 2R(1 − β/(α+R)) for 2R: holds for β ≤ α."""
    return f_gap / (gamma * (K + 1)) + 2 * R * (1 - beta / (alpha + R)) + L * gamma / 2


def smallest_theorem1(f_gap: Scalar, L: Scalar, L_max: Scalar, K: Scalar) -> Scalar:
    """√((8L_max + 2L)(f(x⁰) − f^inf)/(K+1)): no choice of α, β, γ, R that Theorem 1 allows makes its bound smaller."""
    return sqrt((8 * L_max + 2 * L) * f_gap / (K + 1))


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
