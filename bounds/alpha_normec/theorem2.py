"""Theorem 2 of α-NormEC, with noise: main text, appendix and poster print three different bounds.

What σ_DP is decides between them. The proof of Lemma 3 needs E‖z_i‖² = σ_DP² for the whole vector; where σ_DP is the
standard deviation of each of d coordinates, E‖z_i‖² = d σ_DP².
"""

from dataclasses import replace

from bounds.alpha_normec.symbols import SYMBOLS
from bounds.alpha_normec.theorem1 import FEEDBACK, STEP
from bounds.scalars import Scalar, sqrt
from bounds.statement import Bound, Condition, Source

QUANTITY = "min over k in [0, K] of E‖∇f(xᵏ)‖"
POSTER_STEP = Condition(
    "γ ≤ βR/(α + R) · 1/L", "gamma", "<=", lambda beta, R, alpha, L: beta * R / (alpha + R) / L
)
POSTER_STEP_LETTER = Condition(
    "γ ≤ βR/(α + R L)", "gamma", "<=", lambda beta, R, alpha, L: beta * R / (alpha + R * L)
)


def noise_main(beta: Scalar, K: Scalar, sigma: Scalar) -> Scalar:
    """√(β²(K+1)σ²): the noise term of the main text."""
    return sqrt(beta**2 * (K + 1) * sigma**2)


def noise_appendix(beta: Scalar, K: Scalar, sigma: Scalar, n: Scalar) -> Scalar:
    """√(β²(K+1)σ²/n): Lemma 3 and Appendix G."""
    return sqrt(beta**2 * (K + 1) * sigma**2 / n)


def theorem2_main(
    f_gap: Scalar, gamma: Scalar, K: Scalar, R: Scalar, L: Scalar, beta: Scalar, sigma: Scalar
) -> Scalar:
    """Theorem 2, Section 5: the noise is not divided by n."""
    return f_gap / (gamma * (K + 1)) + 2 * R + L * gamma / 2 + 2 * noise_main(beta, K, sigma)


def theorem2_appendix(
    f_gap: Scalar, gamma: Scalar, K: Scalar, R: Scalar, L: Scalar, beta: Scalar, sigma: Scalar, n: Scalar
) -> Scalar:
    """Theorem 2 as Appendix G ends."""
    return f_gap / (gamma * (K + 1)) + 2 * R + L * gamma / 2 + 2 * noise_appendix(beta, K, sigma, n)


def theorem2_poster(
    f_gap: Scalar, gamma: Scalar, K: Scalar, L: Scalar, beta: Scalar, sigma: Scalar, n: Scalar
) -> Scalar:
    """The poster's bound: without 2R. Its condition on γ has the denominator α + R L, a sum of different units
    (`THEOREM2_POSTER_LETTER`); `THEOREM2_POSTER` reads it as (α + R)L."""
    return f_gap / (gamma * (K + 1)) + gamma * L / 2 + 2 * noise_appendix(beta, K, sigma, n)


def theorem2_coordinate(
    f_gap: Scalar,
    gamma: Scalar,
    K: Scalar,
    R: Scalar,
    L: Scalar,
    beta: Scalar,
    sigma: Scalar,
    n: Scalar,
    d: Scalar,
) -> Scalar:
    """Appendix G's bound where σ is the standard deviation of each coordinate: the noise term gains √d."""
    return theorem2_appendix(f_gap, gamma, K, R, L, beta, sqrt(d) * sigma, n)


THEOREM2_MAIN = Bound(
    name="NEC-T2-MAIN",
    source=Source("alpha-normec", "Theorem 2, Section 5", "main text"),
    quantity=QUANTITY,
    typeset='(f(x^0) - f^inf) / (gamma (K+1)) + 2 R + L/2 gamma + 2 sqrt(beta^2 (K+1) sigma_"DP"^2)',
    formula=theorem2_main,
    symbols=SYMBOLS,
    conditions=(FEEDBACK, STEP),
)
THEOREM2_APPENDIX = Bound(
    name="NEC-T2-APP",
    source=Source("alpha-normec", "Theorem 2, Appendix G", "appendix"),
    quantity=QUANTITY,
    typeset='(f(x^0) - f^inf) / (gamma (K+1)) + 2 R + 2 sqrt((beta^2 (K+1) sigma_"DP"^2) / n) + L/2 gamma',
    formula=theorem2_appendix,
    symbols=SYMBOLS,
    conditions=(FEEDBACK, STEP),
)
THEOREM2_POSTER = Bound(
    name="NEC-T2-POSTER",
    source=Source("alpha-normec-poster", "Convergence Guarantees", "poster, γ ≤ βR/((α + R)L)"),
    quantity=QUANTITY,
    typeset='(f(x^0) - f^inf) / (gamma (K+1)) + (gamma L)/2 + 2 sqrt((beta^2 (K+1) sigma_"DP"^2) / n)',
    formula=theorem2_poster,
    symbols=SYMBOLS,
    conditions=(FEEDBACK, POSTER_STEP),
)
THEOREM2_POSTER_LETTER = replace(
    THEOREM2_POSTER,
    name="NEC-T2-POSTER@step",
    source=Source("alpha-normec-poster", "Convergence Guarantees", "poster, γ by the letter"),
    conditions=(FEEDBACK, POSTER_STEP_LETTER),
)
THEOREM2_COORDINATE = Bound(
    name="NEC-T2 (noise per coordinate)",
    source=Source("ours", "Theorem 2 of α-NormEC", "σ per coordinate"),
    quantity=QUANTITY,
    typeset='(f(x^0) - f^inf) / (gamma (K+1)) + 2 R + 2 sqrt((beta^2 (K+1) d sigma_"DP"^2) / n) + L/2 gamma',
    formula=theorem2_coordinate,
    symbols=SYMBOLS,
    conditions=(FEEDBACK, STEP),
)
