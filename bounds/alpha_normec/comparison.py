"""What α-NormEC is compared with: gradient descent, Clip21 as quoted in Appendix F, and doing nothing."""

from bounds.alpha_normec.symbols import SYMBOLS
from bounds.alpha_normec.theorem1 import QUANTITY
from bounds.scalars import Scalar, maximum, sqrt
from bounds.statement import Bound, Source


def gradient_descent(f_gap: Scalar, L: Scalar, K: Scalar) -> Scalar:
    """√(2L(f(x⁰) − f^inf)/(K+1)): gradient descent with step 1/L, and normalised gradient descent with the
    step γ = √(2(f(x⁰) − f^inf)/(L(K+1)))."""
    return sqrt(2 * L * f_gap / (K + 1))


def before_running(f_gap: Scalar, L: Scalar) -> Scalar:
    """√(2L(f(x⁰) − f^inf)) ≥ ‖∇f(x⁰)‖: what is known about the start of any L-smooth function."""
    return sqrt(2 * L * f_gap)


def clip21_threshold(f_gap: Scalar, L: Scalar, L_max: Scalar) -> Scalar:
    """τ = L_max/√(2L) · √(f(x⁰) − f^inf): Appendix F."""
    return L_max / sqrt(2 * L) * sqrt(f_gap)


def clip21(f_gap: Scalar, L: Scalar, L_max: Scalar, tau: Scalar, C_1: Scalar, K: Scalar) -> Scalar:
    """L_max(f(x⁰) − f^inf)/(τ√(K+1)) + √((1 + C₁/τ)C₂)/√(K+1), C₂ = max(max(L, L_max)(f(x⁰) − f^inf), C₁²):
    Clip21 as Appendix F quotes it."""
    c_2 = maximum(maximum(L, L_max) * f_gap, C_1**2)
    return (L_max * f_gap / tau + sqrt((1 + C_1 / tau) * c_2)) / sqrt(K + 1)


GRADIENT_DESCENT = Bound(
    name="gradient descent",
    source=Source("alpha-normec", "Section 4, after (12)", "main text"),
    quantity=QUANTITY,
    typeset="sqrt(2 L (f(x^0) - f^inf)) / (K+1)^(1/2)",
    formula=gradient_descent,
    symbols=SYMBOLS,
)
CLIP21 = Bound(
    name="NEC-AF (Clip21)",
    source=Source("alpha-normec", "Appendix F", "appendix"),
    quantity=QUANTITY,
    typeset='(L_"max" (f(x^0) - f^inf)) / (tau (K+1)^(1/2)) + sqrt((1 + C_1/tau) C_2) / (K+1)^(1/2)',
    formula=clip21,
    symbols=SYMBOLS,
)
