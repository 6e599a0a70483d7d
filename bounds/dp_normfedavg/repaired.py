"""Our replacements for Theorems 4, 6 and 7: what holds for clients drawn one by one, as Algorithm 1 prints
it.

The paper's proofs bound a round's second moment by ‖(1/r) Σ_{i∈S} g_i‖² ≤ (1/r) Σ_{i∈S} ‖g_i‖² (eq. (12)),
which needs |S| ≤ r. Clients drawn one by one make |S| random, and

    E‖(1/r) Σ_{i∈S} g_i‖² = ‖mean g_i‖² + c mean ‖g_i‖²,   c = 1/r − 1/n;

a set of exactly r clients has (n−r)/(r(n−1)) (mean ‖g_i‖² − ‖mean g_i‖²) as its second term. With the
gradients' differences kept in the inequality of convexity (co-coercivity) the clipped method absorbs c, and
its heterogeneity term drops from O(ρ) to O(ρ²) at full participation. The normalised method cannot absorb
it: its messages do not shrink.
"""

from bounds.dp_normfedavg.symbols import SYMBOLS
from bounds.dp_normfedavg.theorem4 import initialisation
from bounds.scalars import Scalar
from bounds.statement import Bound, Condition, Source


def excess_one_by_one(n: Scalar, r: Scalar) -> Scalar:
    """c = 1/r − 1/n: each client drawn independently with probability r/n (Algorithm 1, line 3)."""
    return 1 / r - 1 / n


def excess_fixed_size(n: Scalar, r: Scalar) -> Scalar:
    """c = (n−r)/(r(n−1)), n ≥ 2: a uniformly random set of exactly r clients (Algorithm 2, line 3)."""
    return (n - r) / (r * (n - 1))


def drift(eta: Scalar, L: Scalar, E: Scalar) -> Scalar:
    """e = η²L²(E−1)(2E−1)/3: what E local steps cost; 0 for one step, at most (2/3)(ηLE)²."""
    return eta**2 * L**2 * (E - 1) * (2 * E - 1) / 3


def start_and_noise(distance: Scalar, eta: Scalar, E: Scalar, K: Scalar, G: Scalar, rho: Scalar) -> Scalar:
    """‖w₀ − w*‖²/(ηEK) + ηEK G²ρ²: what the start and the noise cost, in f."""
    return distance**2 / (eta * E * K) + eta * E * K * G**2 * rho**2


def factor_clipping(eta: Scalar, L: Scalar, E: Scalar, excess: Scalar) -> Scalar:
    """2 − 2cηLE − e."""
    return 2 - 2 * excess * eta * L * E - drift(eta, L, E)


def clipping(
    distance: Scalar,
    eta: Scalar,
    E: Scalar,
    K: Scalar,
    G: Scalar,
    L: Scalar,
    rho: Scalar,
    excess: Scalar,
    Delta: Scalar,
) -> Scalar:
    """E[f(w_k̃) − f(w*)] for clipping with C = GE."""
    heterogeneity = (2 * excess * eta * L * E + drift(eta, L, E)) * Delta
    return (start_and_noise(distance, eta, E, K, G, rho) + heterogeneity) / factor_clipping(eta, L, E, excess)


def normalising(
    distance: Scalar, eta: Scalar, E: Scalar, K: Scalar, G: Scalar, L: Scalar, rho: Scalar, excess: Scalar
) -> Scalar:
    """E[f(w_k̃) − f(w*)] for normalisation with C = GE where w* minimises every f_i."""
    overshoot = (1 + excess) * eta * E * G**2
    return (start_and_noise(distance, eta, E, K, G, rho) + overshoot) / (2 - drift(eta, L, E))


def weighted(
    distance: Scalar, eta: Scalar, E: Scalar, K: Scalar, G: Scalar, L: Scalar, rho: Scalar, excess: Scalar
) -> Scalar:
    """E mean (GE/‖u_i‖)(f_i(w_k̃) − f_i(w*)) for normalisation with C = GE and any clients: no Δ_i*."""
    overshoot = (1 + excess) * eta * E * G**2
    steepest = G**2 / (1 - eta * L * (E - 1) / 2)  # bounds z_i ‖∇f_i(w_k)‖²
    travel = eta**2 * L * (E - 1) * (2 * E - 1) / 6 * steepest
    return (start_and_noise(distance, eta, E, K, G, rho) + overshoot + travel) / 2


def theorem4b_repaired(
    G: Scalar,
    L: Scalar,
    distance: Scalar,
    gamma: Scalar,
    rho: Scalar,
    E: Scalar,
    alpha: Scalar,
    z_Delta: Scalar,
    excess: Scalar,
) -> Scalar:
    """The right-hand side of (3) with (1 + c) G²/(2L) in place of G²/(2L): the change that sampling
    forces."""
    heterogeneity = E / alpha * ((1 + excess) * G**2 / (2 * L) + z_Delta * rho * E / alpha) * rho
    return initialisation(G, L, distance, gamma, rho) + heterogeneity


def rounds_sampling(excess: Scalar, gamma: Scalar, C_hat: Scalar, E: Scalar, rho: Scalar) -> Scalar:
    """⅔(c + 1/E)γ/(Ĉρ): at least so many rounds make Theorem 6 hold for clients drawn one by one (that is, cηLE + ηL ≤
    3/2)."""
    return 2 * (excess + 1 / E) * gamma / (3 * C_hat * rho)


def gain(mu: Scalar, tau: Scalar) -> Scalar:
    """ω_τ = 1 + 2μτ, μ = ηL ≤ 1: how strongly step τ of a client's gradient descent pulls it to any point whose loss is no larger, in
    units of η/L times the gradient's squared norm. The loss at step τ is at least what all later steps take off."""
    return 1 + 2 * mu * tau


SHORT = Condition("ηLE ≤ 1", "eta", "<=", lambda L, E: 1 / (L * E))
POSITIVE = Condition(
    "2 − 2cηLE − e > 0", "excess", "<", lambda eta, L, E: (2 - drift(eta, L, E)) / (2 * eta * L * E)
)  # fmt: skip
OURS = "ours"

CLIPPING = Bound(
    name="DAS-OURS-CLIP",
    source=Source(OURS, "replaces Theorem 4 (a)", "any η ≤ 1/(LE), clients drawn one by one"),
    quantity="E[f(w_k̃) − f(w*)], DP-FedAvg with clipping, C = GE",
    typeset="(norm(w_0 - w^*)^2/(eta E K) + eta E K G^2 rho^2 + (2 c eta L E + e) overline(Delta)^*)"
    "/(2 - 2 c eta L E - e)",
    formula=clipping,
    symbols=SYMBOLS,
    conditions=(SHORT, POSITIVE),
)

NORMALISING = Bound(
    name="DAS-OURS-NORM",
    source=Source(OURS, "replaces Theorem 4 (b)", "w* minimises every f_i"),
    quantity="E[f(w_k̃) − f(w*)], DP-NormFedAvg, C = GE, Δ_i* = 0",
    typeset="(norm(w_0 - w^*)^2/(eta E K) + eta E K G^2 rho^2 + (1 + c) eta E G^2)/(2 - e)",
    formula=normalising,
    symbols=SYMBOLS,
    conditions=(SHORT,),
)

WEIGHTED = Bound(
    name="DAS-OURS-FREE",
    source=Source(OURS, "replaces Theorem 4 (b)", "any clients; no Δ_i*"),
    quantity="E[(1/n) Σ_i (GE/‖u_i‖)(f_i(w_k̃) − f_i(w*))], DP-NormFedAvg, C = GE",
    typeset="1/2 (norm(w_0 - w^*)^2/(eta E K) + eta E K G^2 rho^2 + (1 + c) eta E G^2 + (eta^2 L)/6 (E - 1)(2 E - 1)"
    " G^2/(1 - eta L (E - 1)/2))",
    formula=weighted,
    symbols=SYMBOLS,
    conditions=(SHORT,),
)
