"""Corollary 2 of α-NormEC: Theorem 2 with β = β₀/(K+1) and noise that grows like √(K+1).

The paper's O(·) hides constants. `PRINTED` is what stands under it, with constant 1. In `UTILITY` σ_DP =
c √((K+1) log(1/δ))/ε per coordinate has its constant c written out, so that a number comes out; `bounds.privacy` says which
σ really gives (ε, δ).
"""

from dataclasses import replace

from bounds.alpha_normec.symbols import SYMBOLS
from bounds.alpha_normec.theorem2 import QUANTITY
from bounds.scalars import Scalar, log, sqrt
from bounds.statement import Bound, Condition, Source
from bounds.symbols import ONE, Symbol

PRINTED_LETTERS = {**SYMBOLS, "R": replace(SYMBOLS["R"], domain="> 0")}
"""Δ divides by R."""
LETTERS = {
    **PRINTED_LETTERS,
    "f_gap": replace(
        SYMBOLS["f_gap"], domain="> 0"
    ),  # at 0, β₀ = Δ/√(2s) = 0 is no step of the error feedback
    "noise": Symbol(
        "noise", "s", "√d σ_DP/√(n(K+1)): noise of the average per round and root round", ONE, "> 0"
    ),
}


def delta_factor(L_max: Scalar, alpha: Scalar, R: Scalar, f_gap: Scalar) -> Scalar:
    """Δ = √(L_max(α+R)(f(x⁰) − f^inf)/R): Corollary 2. It grows without bound as R → 0."""
    return sqrt(L_max * (alpha + R) * f_gap / R)


def _accuracy(n: Scalar, epsilon: Scalar, d: Scalar, delta: Scalar) -> Scalar:
    """⁴√(nε²/(d log(1/δ)))."""
    return sqrt(sqrt(n * epsilon**2 / (d * log(1 / delta))))


def utility_printed(
    f_gap: Scalar,
    L_max: Scalar,
    alpha: Scalar,
    R: Scalar,
    n: Scalar,
    epsilon: Scalar,
    d: Scalar,
    delta: Scalar,
) -> Scalar:
    """Δ ⁴√(d log(1/δ)/(nε²)) + 2R: Corollary 2, with constant 1 for its O(·)."""
    return delta_factor(L_max, alpha, R, f_gap) / _accuracy(n, epsilon, d, delta) + 2 * R


def longest_step(beta_0: Scalar, K: Scalar, alpha: Scalar, R: Scalar, L_max: Scalar) -> Scalar:
    """β₀R/((α+R) L_max (K+1)): the largest γ that Theorem 2 allows with β = β₀/(K+1)."""
    return beta_0 * R / (alpha + R) / (L_max * (K + 1))


def utility_of(
    f_gap: Scalar,
    L: Scalar,
    L_max: Scalar,
    alpha: Scalar,
    R: Scalar,
    beta_0: Scalar,
    K: Scalar,
    noise: Scalar,
) -> Scalar:
    """Theorem 2 at β = β₀/(K+1) and the longest step, with `noise` = √d σ_DP/√(n(K+1)):
    Δ²/β₀ + 2R + 2 β₀ noise + Lβ₀R/(2(α+R)L_max(K+1)): Appendix H, first display."""
    step = beta_0 * R / (2 * (alpha + R) * L_max * (K + 1))
    return delta_factor(L_max, alpha, R, f_gap) ** 2 / beta_0 + 2 * R + 2 * beta_0 * noise + L * step


def utility_best(
    f_gap: Scalar, L: Scalar, L_max: Scalar, alpha: Scalar, R: Scalar, K: Scalar, noise: Scalar
) -> Scalar:
    """`utility_of` at β₀ = Δ/√(2 noise): 2√2 Δ √noise + 2R + a term of order 1/(K+1)."""
    beta_0 = delta_factor(L_max, alpha, R, f_gap) / sqrt(2 * noise)
    return utility_of(f_gap, L, L_max, alpha, R, beta_0, K, noise)


def noise_of(epsilon: Scalar, delta: Scalar, n: Scalar, d: Scalar) -> Scalar:
    """√(2d/n) (√ln(1/δ) + √(ln(1/δ) + ε))/ε: `noise` for the σ of `bounds.privacy.gaussian_noise` over K + 1 rounds, with
    which Algorithm 1 is (ε, δ)-DP (replace-one, every message seen). It does not depend on K."""
    ell = log(1 / delta)
    return sqrt(2 * d / n) * (sqrt(ell) + sqrt(ell + epsilon)) / epsilon


PRINTED = Bound(
    name="NEC-C2-UTIL",
    source=Source("alpha-normec", "Corollary 2, Section 5", "main text"),
    quantity=f"{QUANTITY}, up to the constant of O(·)",
    typeset="O(Delta root(4, (d log(1\\/delta)) / (n epsilon^2))) + 2 R",
    formula=utility_printed,
    symbols=PRINTED_LETTERS,
    conditions=(
        Condition(
            "β₀ ≤ Δ ⁴√(nε²/(d log(1/δ)))",
            "beta_0",
            "<=",
            lambda f_gap, L_max, alpha, R, n, epsilon, d, delta: (
                delta_factor(L_max, alpha, R, f_gap) * _accuracy(n, epsilon, d, delta)
            ),
        ),
        Condition("α > β₀", "beta_0", "<", lambda alpha: alpha),
    ),
)
UTILITY = Bound(
    name="NEC-C2-UTIL (repaired)",
    source=Source("ours", "Corollary 2 of α-NormEC", "repaired"),
    quantity=QUANTITY,
    typeset='2 sqrt(2) Delta sqrt(s) + 2 R + (L beta_0 R) / (2 (alpha + R) L_"max" (K+1))',
    formula=utility_best,
    symbols=LETTERS,
    conditions=(
        Condition(
            "β₀/(K+1) < α + R with β₀ = Δ/√(2s)",
            "K",
            ">",
            lambda f_gap, L_max, alpha, R, noise: (
                delta_factor(L_max, alpha, R, f_gap) / sqrt(2 * noise) / (alpha + R) - 1
            ),
        ),
    ),
)
