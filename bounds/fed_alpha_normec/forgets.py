"""Fed-α-NormEC forgets where its memories start: bounds without the 2R of Theorems 1 and 2, also from zero memories.

As in `bounds.alpha_normec.forgets`: a residual r = ‖P_i(xᵏ) − v_iᵏ‖ has the potential r²/2 + αr, which pays for the start
once. In a round P_i moves by a = Lη with one local step, and by at most a = 2Lη with several. There f can rise by what the
local steps drift, and the potential joins the starting gap: start = f(x⁰) − f^inf + η(R² + 2αR)/(β − a).
"""

from __future__ import annotations

from bounds.alpha_normec.forgets import MILD, private_forgets
from bounds.fed_alpha_normec.repaired import (
    mean_noise_term,
    second_moment,
)
from bounds.fed_alpha_normec.symbols import SYMBOLS
from bounds.fed_alpha_normec.theorem1 import LOCAL_STEP, QUANTITY
from bounds.scalars import Scalar, sqrt
from bounds.statement import Bound, Condition, Source


def one_step_forgets(
    f_gap: Scalar, K: Scalar, eta: Scalar, R: Scalar, alpha: Scalar, beta: Scalar, M: Scalar, p: Scalar, V: Scalar,
    L: Scalar,
) -> Scalar:  # fmt: skip
    """(f(x⁰) − f^inf)/((K+1)η) + Lη/2 + ((R² + 2αR)/(K+1) + 2αa + a²)/(β − a) + √(2β²B*(K+2)/M), a = Lη: α-NormEC's, with B* for
    E‖z‖²."""
    return private_forgets(f_gap, eta, K, R, L, L, alpha, beta, second_moment(p, V), M)


def _without_drift(
    f_gap: Scalar, K: Scalar, eta: Scalar, R: Scalar, alpha: Scalar, beta: Scalar, M: Scalar, p: Scalar, V: Scalar,
    L: Scalar,
) -> tuple[Scalar, Scalar]:  # fmt: skip
    """start, and start/((K+1)η) + (2αa + a²)/(β − a) + √(2β²B*(K+2)/M) + Lη/2, a = 2Lη."""
    a = 2 * L * eta
    start = f_gap + eta * (R**2 + 2 * alpha * R) / (beta - a)
    rest = (2 * alpha * a + a**2) / (beta - a) + mean_noise_term(beta, p, V, M, K) + L * eta / 2
    return start, start / ((K + 1) * eta) + rest


def local_gradient_forgets(
    f_gap: Scalar, K: Scalar, eta: Scalar, R: Scalar, alpha: Scalar, beta: Scalar, M: Scalar, p: Scalar, V: Scalar,
    L: Scalar, gamma: Scalar, Delta: Scalar,
) -> Scalar:  # fmt: skip
    """start/((K+1)η) + (2αa + a²)/(β − a) + √(2β²B*(K+2)/M) + Lη/2 + Lγ√(2L(start + Δ^inf)), a = 2Lη."""
    start, rest = _without_drift(f_gap, K, eta, R, alpha, beta, M, p, V, L)
    return rest + L * gamma * sqrt(2 * L * (start + Delta))


def incremental_gradient_forgets(
    f_gap: Scalar, K: Scalar, eta: Scalar, R: Scalar, alpha: Scalar, beta: Scalar, M: Scalar, p: Scalar, V: Scalar,
    L: Scalar, gamma: Scalar, Delta: Scalar, Delta_local: Scalar,
) -> Scalar:  # fmt: skip
    """start/((K+1)η) + (2αa + a²)/(β − a) + √(2β²B*(K+2)/M) + Lη/2 + 2Lγ√(2L(start + Δ^inf + (1/M)ΣΔ_i^inf)), a = 2Lη."""
    start, rest = _without_drift(f_gap, K, eta, R, alpha, beta, M, p, V, L)
    return rest + 2 * L * gamma * sqrt(2 * L * (start + Delta + Delta_local))


STRIDE = Condition("η < β/L", "eta", "<", lambda beta, L: beta / L)
STRIDE_SEVERAL = Condition("η < β/(2L)", "eta", "<", lambda beta, L: beta / (2 * L))
LEAST = Condition("f(x⁰) ≥ (1/M) Σ f_i^inf", "f_gap", ">=", lambda Delta: -Delta)
"""So it is for every problem; parameters of which it is not true belong to none."""
LEAST_LOCAL = Condition(
    "f(x⁰) ≥ (1/M) Σ (1/N) Σ f_{i,j}^inf", "f_gap", ">=", lambda Delta, Delta_local: -Delta - Delta_local
)
_GAP = "f(x^0) - f^inf"
_NOISE = "(1 - p + V)/p"
_START = f"s_0 = {_GAP} + eta (R^2 + 2 alpha R)/(beta - 2 L eta)"
_STILL = f"s_0/((K+1) eta) + (4 alpha L eta + 4 L^2 eta^2)/(beta - 2 L eta) + sqrt((2 beta^2 (K+2))/M dot {_NOISE}) + L/2 eta"
ONE_STEP_FORGETS = Bound(
    name="FED-R1-FORGETS",
    source=Source("ours", "Theorem 1 of Fed-α-NormEC, from any memories", "one local step"),
    quantity=QUANTITY,
    typeset=(
        f"({_GAP})/((K+1) eta) + L/2 eta + ((R^2 + 2 alpha R) / (K+1) + 2 alpha L eta + L^2 eta^2) / (beta - L eta)"
        f" + sqrt((2 beta^2 (K+2))/M dot {_NOISE})"
    ),
    formula=one_step_forgets,
    symbols=SYMBOLS,
    conditions=(MILD, STRIDE),
)
LOCAL_GRADIENT_FORGETS = Bound(
    name="FED-R2-FORGETS",
    source=Source("ours", "Theorem 1 of Fed-α-NormEC, from any memories", "several local gradient steps"),
    quantity=QUANTITY,
    typeset=f'{_STILL} + L gamma sqrt(2 L (s_0 + Delta^"inf")), quad {_START}',
    formula=local_gradient_forgets,
    symbols=SYMBOLS,
    conditions=(MILD, STRIDE_SEVERAL, LOCAL_STEP, LEAST),
)
INCREMENTAL_GRADIENT_FORGETS = Bound(
    name="FED-R3-FORGETS",
    source=Source("ours", "Theorem 2 of Fed-α-NormEC, from any memories", "incremental gradient"),
    quantity=QUANTITY,
    typeset=f'{_STILL} + 2 L gamma sqrt(2 L (s_0 + Delta^"inf" + 1/M sum_i Delta_i^"inf")), quad {_START}',
    formula=incremental_gradient_forgets,
    symbols=SYMBOLS,
    conditions=(MILD, STRIDE_SEVERAL, LOCAL_STEP, LEAST_LOCAL),
)
