"""The corollaries of Fed-α-NormEC: rates (1, 3, 5) and utility (2, 4, 6), each printed version under its own
name.

What they ask of the parameters is `bounds.fed_alpha_normec.choices`, and values that meet it are `bounds.fed_alpha_normec.schedules`.
None of them asks for Theorem 1's β/(α + R) < 1, which their choices can break: so do these bounds not, and the falsifier finds
what follows. To be used with care or, better, not at all: see `bounds.fed_alpha_normec.repaired`.
"""

from __future__ import annotations

from dataclasses import replace

from bounds.fed_alpha_normec import choices
from bounds.fed_alpha_normec.schedules import b_2, eta_hat, eta_hat_several, eta_limit_main, rounds_to
from bounds.fed_alpha_normec.symbols import SYMBOLS
from bounds.fed_alpha_normec.theorem1 import HETEROGENEITY, PAPER, QUANTITY, b_appendix
from bounds.fed_alpha_normec.theorem2 import HETEROGENEITY_LOCAL
from bounds.scalars import Scalar, log, maximum, sqrt
from bounds.statement import Bound, Source


def corollary1_main(
    f_gap: Scalar,
    K: Scalar,
    L: Scalar,
    D_1: Scalar,
    D_2: Scalar,
    alpha: Scalar,
    M: Scalar,
    p: Scalar,
    sigma: Scalar,
) -> Scalar:
    """A₁/(K+1)^(1/6) + A₂/(K+1)^(5/6) with the A₁, A₂ and η₀ of Section 4."""
    eta_0 = eta_limit_main(L, D_1, D_2, alpha)
    A_1 = f_gap / eta_0 + 2 * D_1 + 2 * D_2 * sqrt(2 * p * (1 - 1 / p) ** 2 / M + 2 * sigma**2 / p)
    return A_1 / rounds_to(K, 1, 6) + L * eta_0 / 2 / rounds_to(K, 5, 6)


def corollary1_appendix(
    f_gap: Scalar,
    K: Scalar,
    L: Scalar,
    D_1: Scalar,
    D_2: Scalar,
    alpha: Scalar,
    M: Scalar,
    p: Scalar,
    sigma: Scalar,
) -> Scalar:
    """A₁/(K+1)^(1/6) + A₂/(K+1)^(5/6) with the A₁, A₂ and η̂ of F.4."""
    eta = eta_hat(L, D_1, D_2, alpha)
    A_1 = 3 * f_gap / eta + 2 * D_1 + 2 * sqrt(b_appendix(p, sigma)) * D_2 / sqrt(M)
    return A_1 / rounds_to(K, 1, 6) + eta * L / 2 / rounds_to(K, 5, 6)


def corollary3(
    f_gap: Scalar, K: Scalar, L: Scalar, D_1: Scalar, D_2: Scalar, alpha: Scalar, M: Scalar, p: Scalar,
    sigma: Scalar, Delta: Scalar,
) -> Scalar:  # fmt: skip
    """A₁/(K+1)^(1/8) + A₂/(K+1)^(7/8): several local gradient steps."""
    eta = eta_hat_several(L, D_1, D_2, alpha, Delta)
    A_1 = (
        3 * f_gap / eta
        + 2 * D_1
        + 2 * sqrt(b_appendix(p, sigma)) * D_2 / sqrt(M)
        + 4 * sqrt(2 * L) * sqrt(Delta)
    )
    return A_1 / rounds_to(K, 1, 8) + eta * L / 2 / rounds_to(K, 7, 8)


def corollary5(
    f_gap: Scalar, K: Scalar, L: Scalar, D_1: Scalar, D_2: Scalar, alpha: Scalar, M: Scalar, p: Scalar,
    sigma: Scalar, Delta: Scalar, Delta_local: Scalar,
) -> Scalar:  # fmt: skip
    """A₁/(K+1)^(1/8) + A₂/(K+1)^(7/8): incremental gradient, with the 8 and the 4 that Corollary 5 prints."""
    eta = eta_hat_several(L, D_1, D_2, alpha, Delta)
    A_1 = (
        3 * f_gap / eta
        + 2 * D_1
        + 2 * sqrt(b_appendix(p, sigma)) * D_2 / sqrt(M)
        + 8 * sqrt(2 * L) * sqrt(Delta)
        + 4 * sqrt(2 * L) * sqrt(Delta_local)
    )
    return A_1 / rounds_to(K, 1, 8) + eta * L / 2 / rounds_to(K, 7, 8)


def utility_scale(alpha: Scalar, L: Scalar, f_gap: Scalar) -> Scalar:
    """Δ = max(α, 2) √L √(f(x⁰) − f^inf), a gradient compared with the number 2."""
    return maximum(alpha, 2) * sqrt(L) * sqrt(f_gap)


def corollary2(
    f_gap: Scalar, L: Scalar, alpha: Scalar, d: Scalar, B_hat: Scalar, M: Scalar, c: Scalar, delta: Scalar,
    epsilon: Scalar,
) -> Scalar:  # fmt: skip
    """Δ (dB̂/M² · c² log(1/δ)/ε²)^(1/4): what stands under O(·) in Corollary 2 as F.5 prints it, with a fourth
    root, and with the constant c of the noise kept."""
    return utility_scale(alpha, L, f_gap) * sqrt(sqrt(d / M * b_2(c, B_hat, M, log(1 / delta), epsilon) / 2))


def corollary2_square_root(
    f_gap: Scalar, L: Scalar, alpha: Scalar, d: Scalar, B_hat: Scalar, M: Scalar, c: Scalar, delta: Scalar,
    epsilon: Scalar,
) -> Scalar:  # fmt: skip
    """`corollary2` with the square root that Section 4 prints in its place."""
    return utility_scale(alpha, L, f_gap) * sqrt(d / M * b_2(c, B_hat, M, log(1 / delta), epsilon) / 2)


def corollary4(
    f_gap: Scalar, L: Scalar, alpha: Scalar, d: Scalar, B_hat: Scalar, M: Scalar, c: Scalar, delta: Scalar,
    epsilon: Scalar, Delta: Scalar,
) -> Scalar:  # fmt: skip
    """What stands under O(·) in Corollary 4."""
    return corollary2(f_gap, L, alpha, d, B_hat, M, c, delta, epsilon) + sqrt(L) * sqrt(Delta)


def corollary6(
    f_gap: Scalar, L: Scalar, alpha: Scalar, d: Scalar, B_hat: Scalar, M: Scalar, c: Scalar, delta: Scalar,
    epsilon: Scalar, Delta: Scalar, Delta_local: Scalar,
) -> Scalar:  # fmt: skip
    """What stands under O(·) in Corollary 6."""
    return corollary4(f_gap, L, alpha, d, B_hat, M, c, delta, epsilon, Delta) + sqrt(L) * sqrt(Delta_local)


LETTERS = {**SYMBOLS, "R": replace(SYMBOLS["R"], domain="> 0")}
"""The limit on γ of Corollaries 2, 4 and 6 divides by R, and D₁ > 0 makes it positive in the others."""


def _rate(name, place, version, formula, typeset, conditions):
    return Bound(
        name=name,
        source=Source(PAPER, place, version),
        quantity=QUANTITY,
        typeset=typeset,
        formula=formula,
        symbols=LETTERS,
        conditions=conditions,
    )


_SIXTH = "A_1/(K+1)^(1/6) + A_2/(K+1)^(5/6)"
_EIGHTH = "A_1/(K+1)^(1/8) + A_2/(K+1)^(7/8)"
_UTILITY = "O(Delta root(4, (d hat(B))/M^2 log(1\\/delta)/epsilon^2)"
_D = 'sqrt(L) sqrt(Delta^"inf")'

COROLLARY1_MAIN = _rate(
    "FED-C1-MAIN", "Corollary 1, Section 4", "main text", corollary1_main, _SIXTH, choices.RATE_MAIN
)
COROLLARY1_APPENDIX = _rate(
    "FED-C1-APP", "Corollary, Appendix F.4", "appendix", corollary1_appendix, _SIXTH, choices.RATE_APPENDIX
)
COROLLARY3 = _rate(
    "FED-C3",
    "Corollary 3, Appendix F.3",
    "appendix",
    corollary3,
    _EIGHTH,
    (HETEROGENEITY, *choices.RATE_SEVERAL),
)
COROLLARY5 = _rate(
    "FED-C5",
    "Corollary 5, Appendix G.3",
    "appendix",
    corollary5,
    _EIGHTH,
    (HETEROGENEITY, HETEROGENEITY_LOCAL, *choices.RATE_SEVERAL),
)
COROLLARY2 = _rate(
    "FED-C2-UTIL",
    "Corollary 2, Appendix F.5",
    "appendix",
    corollary2,
    f"{_UTILITY})",
    choices.UTILITY_APPENDIX,
)
COROLLARY2_SQUARE_ROOT = _rate(
    "FED-C2-UTIL@square-root",
    "Corollary 2, Section 4",
    "main text",
    corollary2_square_root,
    f"{_UTILITY})".replace("root(4, ", "sqrt("),
    choices.UTILITY_MAIN,
)
COROLLARY4 = _rate(
    "FED-C4",
    "Corollary 4, Appendix F.3",
    "appendix",
    corollary4,
    f"{_UTILITY} + {_D})",
    choices.UTILITY_GRADIENT,
)
COROLLARY6 = _rate(
    "FED-C6",
    "Corollary 6, Appendix G.3",
    "appendix",
    corollary6,
    f'{_UTILITY} + {_D} + sqrt(L) sqrt(1/M sum_i Delta_i^"inf"))',
    choices.UTILITY_INCREMENTAL,
)
