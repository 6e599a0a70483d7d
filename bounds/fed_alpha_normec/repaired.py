"""Fed-α-NormEC's theorems as they can be proved: what `verify.fed_alpha_normec` establishes in their place.

What changed against the printed theorems. (1) B is the exact second moment of the error of one client and round,
(1 − p + V)/p with V = E‖z‖² (which is d σ² for noise N(0, σ²I)): half of the appendix's B where V = σ². (2) The condition
on η follows from how far x − T_i(x) moves, and no longer carries γ. (3) With one local step no Δ^inf and no condition on
ηγ is needed, and the first term loses its factor 3. (4) With several, the free scale s replaces √(2L Δ^inf), so that
Δ^inf = 0 is allowed and all units agree. (5) β/(α + R) < 1 is weakened to β ≤ (√α + √R)². (6) Where the weights of Lemma 5
are summed exactly, neither the condition on ηγ nor the factor 3 nor the scale s is needed: in the drift the starting gap
joins Δ^inf (FED-R2-SHARP, FED-R3-SHARP). (7) The mean over the rounds of the error at the server, which grows like √k, is
enough, not its last value (all but FED-R1, which keeps the printed form). Memories that start far off:
`bounds.fed_alpha_normec.forgets` and `bounds.fed_alpha_normec.contracted`.
"""

from __future__ import annotations

from bounds.alpha_normec.ours import WIDE_FEEDBACK, noise_term, private_wide
from bounds.fed_alpha_normec.symbols import SYMBOLS
from bounds.fed_alpha_normec.theorem1 import LOCAL_STEP, QUANTITY
from bounds.scalars import Scalar, sqrt
from bounds.statement import Bound, Condition, Source


def second_moment(p: Scalar, V: Scalar) -> Scalar:
    """B* = (1 − p + V)/p: E‖(1 − q)Δ − q z‖² at ‖Δ‖ = 1, for q = 1/p with probability p and 0 otherwise."""
    return (1 - p + V) / p


def participation_noise_term(beta: Scalar, p: Scalar, V: Scalar, M: Scalar, K: Scalar) -> Scalar:
    """2 √(β² B* (K+1)/M)."""
    return 2 * sqrt(beta**2 * second_moment(p, V) / M * (K + 1))


def mean_noise_term(beta: Scalar, p: Scalar, V: Scalar, M: Scalar, K: Scalar) -> Scalar:
    """√(2β² B* (K+2)/M): with the mean over the rounds of the error at the server in place of its last value."""
    return noise_term(beta, K, second_moment(p, V), M)


def one_step(
    f_gap: Scalar, K: Scalar, eta: Scalar, R: Scalar, beta: Scalar, M: Scalar, p: Scalar, V: Scalar, L: Scalar
) -> Scalar:
    """(f(x⁰) − f^inf)/((K+1)η) + 2R + 2√(β²B*(K+1)/M) + Lη/2."""
    return f_gap / ((K + 1) * eta) + 2 * R + participation_noise_term(beta, p, V, M, K) + L * eta / 2


def one_step_sharp(
    f_gap: Scalar, K: Scalar, eta: Scalar, R: Scalar, beta: Scalar, M: Scalar, p: Scalar, V: Scalar, L: Scalar
) -> Scalar:
    """(f(x⁰) − f^inf)/((K+1)η) + 2R + √(2β²B*(K+2)/M) + Lη/2: α-NormEC's, with B* for E‖z‖²."""
    return private_wide(f_gap, eta, K, R, L, beta, second_moment(p, V), M)


def local_gradient(
    f_gap: Scalar, K: Scalar, eta: Scalar, R: Scalar, beta: Scalar, M: Scalar, p: Scalar, V: Scalar,
    L: Scalar, gamma: Scalar, s: Scalar, Delta: Scalar,
) -> Scalar:  # fmt: skip
    """3(f(x⁰) − f^inf)/((K+1)η) + 2R + √(2β²B*(K+2)/M) + Lγ(s/2 + LΔ^inf/s) + Lη/2."""
    drift = L * gamma * (s / 2 + L * Delta / s)
    return 3 * f_gap / ((K + 1) * eta) + 2 * R + mean_noise_term(beta, p, V, M, K) + drift + L * eta / 2


def incremental_gradient(
    f_gap: Scalar, K: Scalar, eta: Scalar, R: Scalar, beta: Scalar, M: Scalar, p: Scalar, V: Scalar,
    L: Scalar, gamma: Scalar, s: Scalar, Delta: Scalar, Delta_local: Scalar,
) -> Scalar:  # fmt: skip
    """3(f(x⁰) − f^inf)/((K+1)η) + 2R + √(2β²B*(K+2)/M) + 2Lγ(s/2 + L(Δ^inf + (1/M)ΣΔ_i^inf)/s) + Lη/2."""
    drift = 2 * L * gamma * (s / 2 + L * (Delta + Delta_local) / s)
    return 3 * f_gap / ((K + 1) * eta) + 2 * R + mean_noise_term(beta, p, V, M, K) + drift + L * eta / 2


def local_gradient_sharp(
    f_gap: Scalar, K: Scalar, eta: Scalar, R: Scalar, beta: Scalar, M: Scalar, p: Scalar, V: Scalar,
    L: Scalar, gamma: Scalar, Delta: Scalar,
) -> Scalar:  # fmt: skip
    """(f(x⁰) − f^inf)/((K+1)η) + 2R + √(2β²B*(K+2)/M) + Lγ√(2L(f(x⁰) − (1/M)Σf_i^inf)) + Lη/2."""
    drift = L * gamma * sqrt(2 * L * (f_gap + Delta))
    return one_step_sharp(f_gap, K, eta, R, beta, M, p, V, L) + drift


def incremental_gradient_sharp(
    f_gap: Scalar, K: Scalar, eta: Scalar, R: Scalar, beta: Scalar, M: Scalar, p: Scalar, V: Scalar,
    L: Scalar, gamma: Scalar, Delta: Scalar, Delta_local: Scalar,
) -> Scalar:  # fmt: skip
    """(f(x⁰) − f^inf)/((K+1)η) + 2R + √(2β²B*(K+2)/M) + 2Lγ√(2L(f(x⁰) − (1/M)Σ(1/N)Σf_{i,j}^inf)) + Lη/2."""
    drift = 2 * L * gamma * sqrt(2 * L * (f_gap + Delta + Delta_local))
    return one_step_sharp(f_gap, K, eta, R, beta, M, p, V, L) + drift


STEP_ONE = Condition("η ≤ βR/(L(α + R))", "eta", "<=", lambda beta, R, alpha, L: beta * R / (alpha + R) / L)
STEP_SEVERAL = Condition(
    "η ≤ βR/(2L(α + R))", "eta", "<=", lambda beta, R, alpha, L: beta * R / (alpha + R) / (2 * L)
)
SCALE_GD = Condition("ηγ ≤ 1/(K+1) · s/L²", "eta", "<=", lambda gamma, K, s, L: s / L**2 / (K + 1) / gamma)
SCALE_IG = Condition(
    "ηγ ≤ 1/(K+1) · s/(2L²)", "eta", "<=", lambda gamma, K, s, L: s / (2 * L**2) / (K + 1) / gamma
)
ABOVE = Condition("f(x⁰) > (1/M) Σ f_i^inf", "f_gap", ">", lambda Delta: -Delta)
ABOVE_LOCAL = Condition(
    "f(x⁰) > (1/M) Σ (1/N) Σ f_{i,j}^inf",
    "f_gap",
    ">",
    lambda Delta, Delta_local: -Delta - Delta_local,
)

_LAST = "2 sqrt((beta^2 (K+1))/M dot (1 - p + V)/p)"
_MEAN = "sqrt((2 beta^2 (K+2))/M dot (1 - p + V)/p)"
"""The term of the server's error: with a bound on the last, and with one on the mean over the rounds."""

ONE_STEP = Bound(
    name="FED-R1",
    source=Source("ours", "repaired Theorem 1 of Fed-α-NormEC", "one local step"),
    quantity=QUANTITY,
    typeset=f"(f(x^0) - f^inf)/((K+1) eta) + 2 R + {_LAST} + L/2 eta",
    formula=one_step,
    symbols=SYMBOLS,
    conditions=(WIDE_FEEDBACK, STEP_ONE),
)
ONE_STEP_SHARP = Bound(
    name="FED-R1-SHARP",
    source=Source("ours", "Theorem 1 of Fed-α-NormEC, smaller noise term", "one local step"),
    quantity=QUANTITY,
    typeset=f"(f(x^0) - f^inf)/((K+1) eta) + 2 R + {_MEAN} + L/2 eta",
    formula=one_step_sharp,
    symbols=SYMBOLS,
    conditions=(WIDE_FEEDBACK, STEP_ONE),
)
LOCAL_GRADIENT = Bound(
    name="FED-R2",
    source=Source("ours", "repaired Theorem 1 of Fed-α-NormEC", "several local gradient steps"),
    quantity=QUANTITY,
    typeset=(
        f'(3 (f(x^0) - f^inf))/((K+1) eta) + 2 R + {_MEAN} + L gamma (s/2 + (L Delta^"inf")/s) + L/2 eta'
    ),
    formula=local_gradient,
    symbols=SYMBOLS,
    conditions=(WIDE_FEEDBACK, STEP_SEVERAL, SCALE_GD, LOCAL_STEP),
)
INCREMENTAL_GRADIENT = Bound(
    name="FED-R3",
    source=Source("ours", "repaired Theorem 2 of Fed-α-NormEC", "incremental gradient"),
    quantity=QUANTITY,
    typeset=(
        f"(3 (f(x^0) - f^inf))/((K+1) eta) + 2 R + {_MEAN}"
        ' + 2 L gamma (s/2 + (L (Delta^"inf" + 1/M sum_i Delta_i^"inf"))/s) + L/2 eta'
    ),
    formula=incremental_gradient,
    symbols=SYMBOLS,
    conditions=(WIDE_FEEDBACK, STEP_SEVERAL, SCALE_IG, LOCAL_STEP),
)
LOCAL_GRADIENT_SHARP = Bound(
    name="FED-R2-SHARP",
    source=Source(
        "ours", "Theorem 1 of Fed-α-NormEC without a condition on ηγ", "several local gradient steps"
    ),
    quantity=QUANTITY,
    typeset=(
        f"(f(x^0) - f^inf)/((K+1) eta) + 2 R + {_MEAN}"
        ' + L gamma sqrt(2 L (f(x^0) - 1/M sum_i f_i^"inf")) + L/2 eta'
    ),
    formula=local_gradient_sharp,
    symbols=SYMBOLS,
    conditions=(WIDE_FEEDBACK, STEP_SEVERAL, LOCAL_STEP, ABOVE),
)
INCREMENTAL_GRADIENT_SHARP = Bound(
    name="FED-R3-SHARP",
    source=Source("ours", "Theorem 2 of Fed-α-NormEC without a condition on ηγ", "incremental gradient"),
    quantity=QUANTITY,
    typeset=(
        f"(f(x^0) - f^inf)/((K+1) eta) + 2 R + {_MEAN}"
        ' + 2 L gamma sqrt(2 L (f(x^0) - 1/M sum_i 1/N sum_j f_(i,j)^"inf")) + L/2 eta'
    ),
    formula=incremental_gradient_sharp,
    symbols=SYMBOLS,
    conditions=(WIDE_FEEDBACK, STEP_SEVERAL, LOCAL_STEP, ABOVE_LOCAL),
)
