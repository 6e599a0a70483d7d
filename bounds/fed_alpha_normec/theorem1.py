"""Theorem 1 of Fed-α-NormEC (local gradient steps), which the paper prints three times.

The three differ in B and in the condition on η: Section 4 (`MAIN`), the sentence after the theorem (`TEXT`,
its B alone) and Appendix F.2 (`APPENDIX`).
"""

from __future__ import annotations

from collections.abc import Callable

import sympy
import z3
from array_api_compat import array_namespace, is_array_api_obj

from bounds.fed_alpha_normec.symbols import SYMBOLS
from bounds.scalars import Scalar, sqrt
from bounds.statement import Bound, Condition, Source

PAPER = "fed-alpha-normec"
QUANTITY = "min over k in [0, K] of E‖∇f(xᵏ)‖"


def several(T: Scalar) -> Scalar:
    """The indicator of T ≠ 1."""
    if isinstance(T, sympy.Basic):
        return sympy.Piecewise((0, sympy.Eq(T, 1)), (1, True))
    if isinstance(T, z3.ExprRef):
        return z3.If(T == 1, z3.RealVal(0), z3.RealVal(1))
    if is_array_api_obj(T):
        return array_namespace(T).astype(T != 1, array_namespace(T).float64)
    return 0 if T == 1 else 1


def b_main(p: Scalar, sigma: Scalar) -> Scalar:
    """B = 2(p − 1)²/p + 2σ²: Theorem 1, Section 4."""
    return 2 * (p - 1) ** 2 / p + 2 * sigma**2


def b_text(p: Scalar, sigma: Scalar) -> Scalar:
    """B = 2(p − 1)²/p + 2σ²/p: the sentence after Theorem 1, and again after Corollary 1."""
    return 2 * (p - 1) ** 2 / p + 2 * sigma**2 / p


def b_appendix(p: Scalar, sigma: Scalar) -> Scalar:
    """B = 2p(1 − 1/p)² + 2(1 − p) + 2σ²/p: Lemma 3, the theorem of F.2, Theorem 2."""
    return 2 * p * (1 - 1 / p) ** 2 + 2 * (1 - p) + 2 * sigma**2 / p


def noise_term(beta: Scalar, B: Scalar, M: Scalar, K: Scalar) -> Scalar:
    """2 √(β²B/M (K+1)), with K + 1 under the root."""
    return 2 * sqrt(beta**2 * B / M * (K + 1))


def noise_term_outside(beta: Scalar, B: Scalar, M: Scalar, K: Scalar) -> Scalar:
    """2 √(β²B/M) (K+1), with K + 1 beside the root, as F.2 and G.2 print it."""
    return 2 * sqrt(beta**2 * B / M) * (K + 1)


def drift_term(gamma: Scalar, L: Scalar, Delta: Scalar) -> Scalar:
    """γ · 8L √(2L) √Δ^inf."""
    return gamma * 8 * L * sqrt(2 * L) * sqrt(Delta)


def _formula(
    variance: Callable[..., Scalar], noise: Callable[..., Scalar] = noise_term
) -> Callable[..., Scalar]:
    """The right-hand side with the B and the third term of one place, a function of the printed letters by name."""

    def theorem1(
        *, f_gap: Scalar, K: Scalar, eta: Scalar, R: Scalar, beta: Scalar, M: Scalar, p: Scalar, sigma: Scalar,
        gamma: Scalar, T: Scalar, L: Scalar, Delta: Scalar,
    ) -> Scalar:  # fmt: skip
        indicator = several(T)
        return (
            3 / (K + 1) * f_gap / eta
            + 2 * R
            + noise(beta, variance(p, sigma), M, K)
            + (
                0
                if isinstance(indicator, int) and indicator == 0
                else indicator * drift_term(gamma, L, Delta)
            )
            + eta * L / 2
        )

    return theorem1


theorem1_main = _formula(b_main)
"""Theorem 1, Section 4."""
theorem1_text = _formula(b_text)
"""Theorem 1 with the B of the sentence after it."""
theorem1_appendix = _formula(b_appendix)
"""The theorem in F.2, with K + 1 under the root of its third term."""
theorem1_appendix_outside = _formula(b_appendix, noise_term_outside)
"""The theorem in F.2, with K + 1 beside the root of its third term."""

FEEDBACK = Condition("β/(α + R) < 1", "beta", "<", lambda alpha, R: alpha + R)
HETEROGENEITY = Condition("Δ^inf > 0", "Delta", ">", lambda: 0)
ROUNDS = Condition(
    "ηγ ≤ 1/(K+1) · Δ^inf/(4L√(2L))",
    "eta",
    "<=",
    lambda gamma, K, Delta, L: Delta / (4 * L * sqrt(2 * L)) / (K + 1) / gamma,
)
STEP_HALF = Condition(
    "η ≤ γ/2 · βR/(α + R)", "eta", "<=", lambda gamma, beta, R, alpha: gamma / 2 * beta * R / (alpha + R)
)
STEP_THIRD = Condition(
    "η ≤ γ/3 · βR/(α + R)", "eta", "<=", lambda gamma, beta, R, alpha: gamma / 3 * beta * R / (alpha + R)
)
LOCAL_STEP = Condition("γ ≤ 1/(2L)", "gamma", "<=", lambda L: 1 / (2 * L))

_COMMON = (FEEDBACK, HETEROGENEITY, ROUNDS)
_LEFT = "3/(K+1) (f(x^0) - f^inf)/eta + 2 R"
_RIGHT = 'gamma dot II_(T != 1) [8 L sqrt(2 L) sqrt(Delta^"inf")] + eta dot L/2'
INSIDE = "2 sqrt((beta^2 B)/M (K+1))"
OUTSIDE = "2 sqrt((beta^2 B)/M) (K+1)"

MAIN = Bound(
    name="FED-T1-MAIN",
    source=Source(PAPER, "Theorem 1, Section 4", "main text"),
    quantity=QUANTITY,
    typeset=f"{_LEFT} + {INSIDE} + {_RIGHT}, quad B = 2 (p-1)^2/p + 2 sigma^2",
    formula=theorem1_main,
    symbols=SYMBOLS,
    conditions=(*_COMMON, STEP_HALF, LOCAL_STEP),
)
TEXT = Bound(
    name="FED-T1-TEXT",
    source=Source(PAPER, "sentence after Theorem 1, Section 4", "running text"),
    quantity=QUANTITY,
    typeset=f"{_LEFT} + {INSIDE} + {_RIGHT}, quad B = 2 (p-1)^2/p + (2 sigma^2)/p",
    formula=theorem1_text,
    symbols=SYMBOLS,
    conditions=(*_COMMON, STEP_HALF, LOCAL_STEP),
)
APPENDIX = Bound(
    name="FED-T1-APP",
    source=Source(PAPER, "Theorem, Appendix F.2", "appendix"),
    quantity=QUANTITY,
    typeset=f"{_LEFT} + {INSIDE} + {_RIGHT}, quad B = 2 p (1-1/p)^2 + 2 (1-p) + 2 sigma^2 / p",
    formula=theorem1_appendix,
    symbols=SYMBOLS,
    conditions=(*_COMMON, STEP_THIRD, LOCAL_STEP),
)
APPENDIX_OUTSIDE = Bound(
    name="FED-T1-APP@outside",
    source=Source(PAPER, "Theorem, Appendix F.2", "appendix, (K+1) beside the root"),
    quantity=QUANTITY,
    typeset=f"{_LEFT} + {OUTSIDE} + {_RIGHT}, quad B = 2 p (1-1/p)^2 + 2 (1-p) + 2 sigma^2 / p",
    formula=theorem1_appendix_outside,
    symbols=SYMBOLS,
    conditions=(*_COMMON, STEP_THIRD, LOCAL_STEP),
)
