"""Theorem 2 of Fed-α-NormEC: cyclic incremental gradient steps, one pass over a client's data."""

from collections.abc import Callable

from bounds.fed_alpha_normec.symbols import SYMBOLS
from bounds.fed_alpha_normec.theorem1 import (
    FEEDBACK,
    HETEROGENEITY,
    LOCAL_STEP,
    PAPER,
    QUANTITY,
    ROUNDS,
    STEP_THIRD,
    b_appendix,
    drift_term,
    noise_term,
    noise_term_outside,
)
from bounds.scalars import Scalar, sqrt
from bounds.statement import Bound, Condition, Source


def incremental_term(gamma: Scalar, L: Scalar, Delta_local: Scalar) -> Scalar:
    """γ · 4L √(2L) √((1/M) Σ Δ_i^inf)."""
    return gamma * 4 * L * sqrt(2 * L) * sqrt(Delta_local)


def _formula(noise: Callable[..., Scalar]) -> Callable[..., Scalar]:
    """The right-hand side with one form of its third term, a function of the printed letters by name."""

    def theorem2(
        *, f_gap: Scalar, K: Scalar, eta: Scalar, R: Scalar, beta: Scalar, M: Scalar, p: Scalar, sigma: Scalar,
        gamma: Scalar, L: Scalar, Delta: Scalar, Delta_local: Scalar,
    ) -> Scalar:  # fmt: skip
        return (
            3 / (K + 1) * f_gap / eta
            + 2 * R
            + noise(beta, b_appendix(p, sigma), M, K)
            + drift_term(gamma, L, Delta)
            + incremental_term(gamma, L, Delta_local)
            + eta * L / 2
        )

    return theorem2


theorem2 = _formula(noise_term)
"""Theorem 2, with K + 1 under the root of its third term."""
theorem2_outside = _formula(noise_term_outside)
"""Theorem 2, with K + 1 beside the root of its third term."""

HETEROGENEITY_LOCAL = Condition("Δ_i^inf > 0", "Delta_local", ">", lambda: 0)
_CONDITIONS = (FEEDBACK, HETEROGENEITY, HETEROGENEITY_LOCAL, ROUNDS, STEP_THIRD, LOCAL_STEP)
_LEFT = "3/(K+1) (f(x^0) - f^inf)/eta + 2 R"
_RIGHT = (
    'gamma dot 8 L sqrt(2 L) sqrt(Delta^"inf") + gamma dot 4 L sqrt(2 L) sqrt(1/M sum_i Delta_i^"inf")'
    " + eta dot L/2"
)

THEOREM2 = Bound(
    name="FED-T2",
    source=Source(PAPER, "Theorem 2, Appendix G.2", "appendix, (K+1) under the root"),
    quantity=QUANTITY,
    typeset=f"{_LEFT} + 2 sqrt((beta^2 B)/M (K+1)) + {_RIGHT}",
    formula=theorem2,
    symbols=SYMBOLS,
    conditions=_CONDITIONS,
)
THEOREM2_OUTSIDE = Bound(
    name="FED-T2@outside",
    source=Source(PAPER, "Theorem 2, Appendix G.2", "appendix, (K+1) beside the root"),
    quantity=QUANTITY,
    typeset=f"{_LEFT} + 2 sqrt((beta^2 B)/M) (K+1) + {_RIGHT}",
    formula=theorem2_outside,
    symbols=SYMBOLS,
    conditions=_CONDITIONS,
)
