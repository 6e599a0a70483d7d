"""What the corollaries of Fed-α-NormEC ask of the parameters, each place with the letters that it prints.

T. Corollaries 1 and 2 are for T = 1, the others for T > 1. Corollaries 5 and 6, where a pass over a client's N functions makes the
steps, print "T > 1 (multiple local GD steps)" as well; it is kept, and N, which Corollary 1 sets to 0, has no letter here.

"Under the same setting as Theorem 1" (Theorem 2 for Corollaries 5 and 6) may mean the problem, the algorithm and its letters, or
every hypothesis of the theorem. Taken is the former, with Δ^inf > 0 (and Δ_i^inf > 0), which stand where these letters are defined,
for the corollaries that have them. Theorem 1's β/(α + R) < 1, which the choices can break, and its limits on η and ηγ, which the
proofs say that the choices ensure, are no conditions here: that reading is `toy_problems.falsifier`'s "feedback".

Roots. A square root stands in β̂ of Section 4, of Corollary 4 and of Corollary 6, a fourth root in that of F.5 and of Corollary
4's proof; Section 4 has "4√d" and √(B₂/M) where the appendices have ⁴√d and ⁴√(B₂/M); and its σ_DP has ε under the root. In the
text at hand a detached root index cannot be told from a factor or a misprint: each is kept by the letter. So is β, for β̂, in Corollary
4's limit on γ. The limit on γ elsewhere has β̂, which is β(K+1) by the choice of β: in this form it does not contain γ.

O(·). "α = R = O(X)" is α = R and R ≤ C X, with the hidden constant C for a parameter.
"""

from __future__ import annotations

from bounds.fed_alpha_normec import schedules
from bounds.fed_alpha_normec.schedules import rounds_to
from bounds.fed_alpha_normec.theorem1 import HETEROGENEITY
from bounds.fed_alpha_normec.theorem2 import HETEROGENEITY_LOCAL
from bounds.scalars import Scalar, log, sqrt
from bounds.statement import Condition

ONE_STEP = Condition("T = 1", "T", "==", lambda: 1)
SEVERAL_STEPS = Condition("T > 1", "T", ">", lambda: 1)


def _residual(root: int) -> Condition:
    """max_i ‖(x⁰ − T_i(x⁰))/γ − v_i⁰‖ = D₁/(K+1)^{1/root}."""
    return Condition(f"R = D₁/(K+1)^{{1/{root}}}", "R", "==", lambda D_1, K: D_1 / rounds_to(K, 1, root))


def _feedback(top: int, root: int) -> Condition:
    return Condition(
        f"β = D₂/(K+1)^{{{top}/{root}}}", "beta", "==", lambda D_2, K: D_2 / rounds_to(K, top, root)
    )


_FIXED = Condition("γ = 1/(2L)", "gamma", "==", lambda L: 1 / (2 * L))
_SIXTH = (ONE_STEP, _FIXED, _residual(6), _feedback(2, 3))

RATE_MAIN = (
    *_SIXTH,
    Condition(
        "η ≤ LD₁D₂/(2(α+D₁)(K+1)^{5/6})",
        "eta",
        "<=",
        lambda L, D_1, D_2, alpha, K: schedules.eta_limit_main(L, D_1, D_2, alpha) / rounds_to(K, 5, 6),
    ),
)
"""Corollary 1, Section 4."""
RATE_APPENDIX = (
    *_SIXTH,
    Condition(
        "η = η̂/(K+1)^{5/6} with η̂ = D₁D₂/(4L(α+D₁))",
        "eta",
        "==",
        lambda L, D_1, D_2, alpha, K: schedules.eta_hat(L, D_1, D_2, alpha) / rounds_to(K, 5, 6),
    ),
)
"""Corollary 1, Appendix F.4."""
RATE_SEVERAL = (
    SEVERAL_STEPS,
    Condition("γ = 1/(2L(K+1)^{1/8})", "gamma", "==", lambda L, K: 1 / (2 * L * rounds_to(K, 1, 8))),
    _residual(8),
    _feedback(5, 8),
    Condition(
        "η = η̂/(K+1)^{7/8} with η̂ = min(Δ^inf/(2√(2L)), D₁D₂/(4L(α+D₁)))",
        "eta",
        "==",
        lambda L, D_1, D_2, alpha, Delta, K: (
            schedules.eta_hat_several(L, D_1, D_2, alpha, Delta) / rounds_to(K, 7, 8)
        ),
    ),
)
"""Corollaries 3 and 5."""

SENDERS = (
    Condition("B̂ ≥ 1", "B_hat", ">=", lambda: 1),
    Condition("B̂ ≤ M", "B_hat", "<=", lambda M: M),
    Condition("p = B̂/M", "p", "==", lambda B_hat, M: B_hat / M),
)
"""Corollaries 2, 4 and 6 take "p = B̂/M for B̂ ∈ [1, M]"."""
_NOISE = Condition(
    "σ_DP = c p√((K+1)log(1/δ))/ε",
    "sigma",
    "==",
    lambda c, p, K, delta, epsilon: schedules.noise(c, p, K, delta, epsilon),
)
_NOISE_MAIN = Condition(
    "σ_DP = cp√((K+1)log(1/δ)/ε)",
    "sigma",
    "==",
    lambda c, p, K, delta, epsilon: schedules.noise_main(c, p, K, delta, epsilon),
)
_FEEDBACK = Condition(
    "β = β̂/(K+1) with β̂ = √(3(f(x⁰) − f^inf)/γ) ⁴√(M/B₂)",
    "beta",
    "==",
    lambda f_gap, gamma, M, B_hat, c, delta, epsilon, K: (
        schedules.beta_hat(f_gap, gamma, M, B_hat, c, delta, epsilon) / (K + 1)
    ),
)
_FEEDBACK_SQUARE_ROOT = Condition(
    "β = β̂/(K+1) with β̂ = √(3(f(x⁰) − f^inf)/γ) √(M/B₂)",
    "beta",
    "==",
    lambda f_gap, gamma, M, B_hat, c, delta, epsilon, K: (
        schedules.beta_hat_square_root(f_gap, gamma, M, B_hat, c, delta, epsilon) / (K + 1)
    ),
)
_EVEN = Condition("α = R", "R", "==", lambda alpha: alpha)


def _longest_local_step(Delta: Scalar, alpha: Scalar, R: Scalar, L: Scalar, feedback: Scalar) -> Scalar:
    """Δ^inf(α+R)/(√(2L) feedback R)."""
    return Delta * (alpha + R) / (sqrt(2 * L) * feedback * R)


_LOCAL = Condition(
    "γ < Δ^inf(α+R)/(√(2L)β̂R)",
    "gamma",
    "<",
    lambda Delta, alpha, R, L, beta, K: _longest_local_step(Delta, alpha, R, L, beta * (K + 1)),
)
_LOCAL_LETTER = Condition(
    "γ < Δ^inf(α+R)/(√(2L)βR)",
    "gamma",
    "<",
    lambda Delta, alpha, R, L, beta: _longest_local_step(Delta, alpha, R, L, beta),
)
_SIZE = Condition(
    "R = O(⁴√d √(f(x⁰) − f^inf)/√γ ⁴√(B₂/M))",
    "R",
    "<=",
    lambda C, d, f_gap, gamma, M, B_hat, c, delta, epsilon: (
        C * sqrt(sqrt(d)) * sqrt(f_gap) / sqrt(gamma)
        * sqrt(sqrt(schedules.b_2(c, B_hat, M, log(1 / delta), epsilon) / M))
    ),
)  # fmt: skip
_SIZE_MAIN = Condition(
    "R = O(4√d √(f(x⁰) − f^inf)/√γ √(B₂/M))",
    "R",
    "<=",
    lambda C, d, f_gap, gamma, M, B_hat, c, delta, epsilon: (
        C
        * 4
        * sqrt(d)
        * sqrt(f_gap)
        / sqrt(gamma)
        * sqrt(schedules.b_2(c, B_hat, M, log(1 / delta), epsilon) / M)
    ),
)
_LENGTH = Condition(
    "η = 1/(K+1) · γ/2 · β̂R/(α+R)",
    "eta",
    "==",
    lambda gamma, beta, R, alpha: schedules.utility_length(gamma, beta, R, alpha),
)

UTILITY_MAIN = (
    ONE_STEP, *SENDERS, _NOISE_MAIN, _FEEDBACK_SQUARE_ROOT, HETEROGENEITY, _EVEN, _LOCAL, _SIZE_MAIN, _LENGTH
)  # fmt: skip
"""Corollary 2, Section 4."""
UTILITY_APPENDIX = (ONE_STEP, *SENDERS, _NOISE, _FEEDBACK, HETEROGENEITY, _EVEN, _LOCAL, _SIZE, _LENGTH)
"""Corollary 2, Appendix F.5."""
UTILITY_GRADIENT = (
    SEVERAL_STEPS, *SENDERS, _NOISE, _FEEDBACK_SQUARE_ROOT, HETEROGENEITY, _EVEN, _LOCAL_LETTER, _SIZE, _LENGTH
)  # fmt: skip
"""Corollary 4."""
UTILITY_INCREMENTAL = (
    SEVERAL_STEPS, *SENDERS, _NOISE, _FEEDBACK_SQUARE_ROOT, HETEROGENEITY, HETEROGENEITY_LOCAL, _EVEN, _LOCAL, _SIZE,
    _LENGTH,
)  # fmt: skip
"""Corollary 6."""
