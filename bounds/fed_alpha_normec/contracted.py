"""Bounds for Fed-α-NormEC from any memories for β < 2α: one factor for all rounds bounds what is left of them.

As in `bounds.alpha_normec.contracted`: the memory's step leaves at most (1 − θ)r of a residual r = ‖∇f_i(xᵏ) − v_iᵏ‖ ≤ R, whether the
client sends or not, and a round moves ∇f_i by at most Lη ≤ θR. Absent clients and noise enter at the server alone, as B*.
(θ is the η of that bound; η is the server's step here.) With several local steps P_i moves by at most 2Lη, and f can rise by what they
drift, so that the potential (1 − θ)r joins the starting gap, as in `bounds.fed_alpha_normec.forgets`:
start = f(x⁰) − f^inf + 2η(1 − θ)R/θ.
"""

from bounds.alpha_normec.contracted import TWICE, lessened, private_contracts
from bounds.fed_alpha_normec.forgets import LEAST, LEAST_LOCAL
from bounds.fed_alpha_normec.repaired import mean_noise_term, second_moment
from bounds.fed_alpha_normec.symbols import SYMBOLS
from bounds.fed_alpha_normec.theorem1 import LOCAL_STEP, QUANTITY
from bounds.scalars import Scalar, sqrt
from bounds.statement import Bound, Condition, Source


def one_step_contracts(
    f_gap: Scalar, K: Scalar, eta: Scalar, R: Scalar, alpha: Scalar, beta: Scalar, M: Scalar, p: Scalar, V: Scalar,
    L: Scalar,
) -> Scalar:  # fmt: skip
    """(f(x⁰) − f^inf)/((K+1)η) + Lη/2 + 2(1 − θ)(R/(K+1) + Lη)/θ + √(2β²B*(K+2)/M): α-NormEC's, with B* for E‖z‖²."""
    return private_contracts(f_gap, eta, K, R, L, L, alpha, beta, second_moment(p, V), M)


def without_drift(
    theta: Scalar, f_gap: Scalar, K: Scalar, eta: Scalar, R: Scalar, beta: Scalar, M: Scalar, p: Scalar, V: Scalar, L: Scalar
) -> tuple[Scalar, Scalar]:  # fmt: skip
    """start, and start/((K+1)η) + 4(1 − θ)Lη/θ + √(2β²B*(K+2)/M) + Lη/2."""
    start = f_gap + 2 * eta * (1 - theta) * R / theta
    rest = 4 * (1 - theta) * L * eta / theta + mean_noise_term(beta, p, V, M, K) + L * eta / 2
    return start, start / ((K + 1) * eta) + rest


def local_gradient_contracts(
    f_gap: Scalar, K: Scalar, eta: Scalar, R: Scalar, alpha: Scalar, beta: Scalar, M: Scalar, p: Scalar, V: Scalar,
    L: Scalar, gamma: Scalar, Delta: Scalar,
) -> Scalar:  # fmt: skip
    """start/((K+1)η) + 4(1 − θ)Lη/θ + √(2β²B*(K+2)/M) + Lη/2 + Lγ√(2L(start + Δ^inf))."""
    start, rest = without_drift(lessened(alpha, beta, R), f_gap, K, eta, R, beta, M, p, V, L)
    return rest + L * gamma * sqrt(2 * L * (start + Delta))


def incremental_gradient_contracts(
    f_gap: Scalar, K: Scalar, eta: Scalar, R: Scalar, alpha: Scalar, beta: Scalar, M: Scalar, p: Scalar, V: Scalar,
    L: Scalar, gamma: Scalar, Delta: Scalar, Delta_local: Scalar,
) -> Scalar:  # fmt: skip
    """start/((K+1)η) + 4(1 − θ)Lη/θ + √(2β²B*(K+2)/M) + Lη/2 + 2Lγ√(2L(start + Δ^inf + (1/M)ΣΔ_i^inf))."""
    start, rest = without_drift(lessened(alpha, beta, R), f_gap, K, eta, R, beta, M, p, V, L)
    return rest + 2 * L * gamma * sqrt(2 * L * (start + Delta + Delta_local))


KEPT = Condition(
    "η ≤ θR/L, θ = min(β/(α+R), 2 − β/α)",
    "eta",
    "<=",
    lambda alpha, beta, R, L: lessened(alpha, beta, R) * R / L,
)
KEPT_SEVERAL = Condition(
    "η ≤ θR/(2L), θ = min(β/(α+R), 2 − β/α)",
    "eta",
    "<=",
    lambda alpha, beta, R, L: lessened(alpha, beta, R) * R / (2 * L),
)
_THETA = "theta = min(beta/(alpha + R), 2 - beta/alpha)"
_STILL = "s_0/((K+1) eta) + 4 (1 - theta)/theta L eta + sqrt((2 beta^2 (K+2))/M dot (1 - p + V)/p) + L/2 eta"
_START = "s_0 = f(x^0) - f^inf + 2 eta R (1 - theta)/theta"
ONE_STEP_CONTRACTS = Bound(
    name="FED-R1-CONTRACTS",
    source=Source("ours", "Theorem 1 of Fed-α-NormEC, from any memories, β < 2α", "one local step"),
    quantity=QUANTITY,
    typeset=(
        "(f(x^0) - f^inf)/((K+1) eta) + L/2 eta + 2 (1 - theta)/theta (R/(K+1) + L eta)"
        f" + sqrt((2 beta^2 (K+2))/M dot (1 - p + V)/p), quad {_THETA}"
    ),
    formula=one_step_contracts,
    symbols=SYMBOLS,
    conditions=(TWICE, KEPT),
)
LOCAL_GRADIENT_CONTRACTS = Bound(
    name="FED-R2-CONTRACTS",
    source=Source(
        "ours", "Theorem 1 of Fed-α-NormEC, from any memories, β < 2α", "several local gradient steps"
    ),
    quantity=QUANTITY,
    typeset=f'{_STILL} + L gamma sqrt(2 L (s_0 + Delta^"inf")), quad {_START}, quad {_THETA}',
    formula=local_gradient_contracts,
    symbols=SYMBOLS,
    conditions=(TWICE, KEPT_SEVERAL, LOCAL_STEP, LEAST),
)
INCREMENTAL_GRADIENT_CONTRACTS = Bound(
    name="FED-R3-CONTRACTS",
    source=Source("ours", "Theorem 2 of Fed-α-NormEC, from any memories, β < 2α", "incremental gradient"),
    quantity=QUANTITY,
    typeset=(
        f'{_STILL} + 2 L gamma sqrt(2 L (s_0 + Delta^"inf" + 1/M sum_i Delta_i^"inf")), quad {_START}, quad {_THETA}'
    ),
    formula=incremental_gradient_contracts,
    symbols=SYMBOLS,
    conditions=(TWICE, KEPT_SEVERAL, LOCAL_STEP, LEAST_LOCAL),
)
