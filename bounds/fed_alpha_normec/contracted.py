"""A bound for Fed-α-NormEC with one local step from any memories for β < 2α: one factor for all rounds bounds what is left of them.

As in `bounds.alpha_normec.contracted`: the memory's step leaves at most (1 − θ)r of a residual r = ‖∇f_i(xᵏ) − v_iᵏ‖ ≤ R, whether the
client sends or not, and a round moves ∇f_i by at most a = Lη ≤ θR. Absent clients and noise enter at the server alone, as B*.
(θ is the η of that bound; η is the server's step here.)
"""

from bounds.alpha_normec.contracted import TWICE, lessened, private_contracts
from bounds.fed_alpha_normec.repaired import second_moment
from bounds.fed_alpha_normec.symbols import SYMBOLS
from bounds.fed_alpha_normec.theorem1 import QUANTITY
from bounds.scalars import Scalar
from bounds.statement import Bound, Condition, Source


def one_step_contracts(
    f_gap: Scalar, K: Scalar, eta: Scalar, R: Scalar, alpha: Scalar, beta: Scalar, M: Scalar, p: Scalar, V: Scalar,
    L: Scalar,
) -> Scalar:  # fmt: skip
    """(f(x⁰) − f^inf)/((K+1)η) + Lη/2 + 2(1 − θ)(R/(K+1) + Lη)/θ + √(2β²B*(K+2)/M): α-NormEC's, with B* for E‖z‖²."""
    return private_contracts(f_gap, eta, K, R, L, L, alpha, beta, second_moment(p, V), M)


KEPT = Condition(
    "η ≤ θR/L, θ = min(β/(α+R), 2 − β/α)",
    "eta",
    "<=",
    lambda alpha, beta, R, L: lessened(alpha, beta, R) * R / L,
)
ONE_STEP_CONTRACTS = Bound(
    name="FED-R1-CONTRACTS",
    source=Source("ours", "Theorem 1 of Fed-α-NormEC, from any memories, β < 2α", "one local step"),
    quantity=QUANTITY,
    typeset=(
        "(f(x^0) - f^inf)/((K+1) eta) + L/2 eta + 2 (1 - theta)/theta (R/(K+1) + L eta)"
        " + sqrt((2 beta^2 (K+2))/M dot (1 - p + V)/p), quad theta = min(beta/(alpha + R), 2 - beta/alpha)"
    ),
    formula=one_step_contracts,
    symbols=SYMBOLS,
    conditions=(TWICE, KEPT),
)
