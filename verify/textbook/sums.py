"""Trials of squares, of the triangle inequality and Cauchy and Schwarz's, and of sums over clients and rounds, as the proofs about
DP-NormFedAvg use them."""

from __future__ import annotations

from verify.textbook.convex import bent, first_step, minimiser, one_client, run, sampled_client, whole_update
from verify.textbook.draws import (
    Draws,
    Number,
    average,
    dot,
    mp,
    norm,
    plus,
    scaled,
    square,
    zeros,
)
from verify.textbook.functions import lipschitz, mean_value
from verify.textbook.trial import Trial, Values, each


def one_more(draws: Draws) -> Values:
    """Σ y of p vectors, and y_{p+1}; ω_j = 1 + 2ηLj and Σ_{j<p} 1/ω_j. Now and then y_j is the same for all j, or ω_j y_j."""
    p, d, step = draws.whole(0, 4), draws.whole(1, 3), draws.positive(0.001, 0.5)
    omega = [1 + 2 * step * j for j in range(p + 1)]
    *ys, y = draws.vectors(p + 1, d)
    if draws.chance(0.3):
        *ys, y = (scaled(1 / weight, y) for weight in omega)
    total = plus(*ys, zeros(d))
    return {
        "p": p, "Σ1/ω": sum((1 / weight for weight in omega[:p]), mp.mpf(0)), "omega_tau": omega[p],
        "ss": square(total), "sy": dot(total, y), "yy": square(y),
    }  # fmt: skip


def column(draws: Draws) -> Values:
    """A column a_j of A_i, and w."""
    a, w = draws.vectors(2, draws.whole(1, 4))
    return {"inner": dot(a, w), "column_square": square(a), "w_square": square(w)}


def weight_decay(draws: Draws) -> Values:
    """A loss that is H-Lipschitz, with λ‖w‖²/2 added to it, at ‖w‖ = t."""
    d, decay = draws.whole(1, 3), draws.positive()
    loss, H = lipschitz(draws, d, draws.positive(0.1, 10))
    w = draws.vector(d)
    whole = plus(loss.gradient(w), scaled(decay, w))
    return {"lambda": decay, "loss_lipschitz": H, "t": norm(w), "gradient_norm": norm(whole)}


def last_rounds(draws: Draws) -> Values:
    """D_k = E w_k² over a few equally likely runs of K rounds, and the last m of them."""
    K, runs = draws.whole(1, 5), draws.whole(1, 3)
    D = [average([draws.number() ** 2 for _ in range(runs)]) for _ in range(K)]
    return {"T_square": sum(D), "S_last": sum(D[K - draws.whole(1, K) :])}


def _rounds(draws: Draws) -> dict[str, Number]:
    """K rounds of n clients, and sums over the rounds of means over the clients: of 1(‖u_i‖ ≤ ĈE)Δ_i* (TD) and of
    f_i(w_k) − f_i(w*) (TF); of y_i as (34) has it, and where clients are drawn seldom; of a round's gain with stochastic gradients,
    with clipping and with normalisation."""
    L, d, n = draws.positive(0.1, 10), draws.whole(1, 2), draws.whole(1, 3)
    E, x, r = draws.whole(1, 3), draws.positive(0.01, 1), n * draws.positive(0.1, 1)
    eta, limit = x / (L * E), draws.positive(0.1, 30) * E
    drift = (eta * L) ** 2 * (E - 1) * (2 * E - 1) / 3
    kappa = 2 * (1 / r - mp.mpf(1) / n) * x + drift
    fs = [bent(draws, d, L) for _ in range(n)]
    star = minimiser(fs)
    sums = dict.fromkeys(("TD", "TF", "y", "y_seldom", "sampled", "clipped", "normalised"), mp.mpf(0))
    for _ in range(draws.whole(1, 4)):
        w = draws.vector(d)
        gaps = [f.value(star) - f.infimum if norm(run(f, w, eta, E)) <= limit else mp.mpf(0) for f in fs]
        above = mean_value(fs, w) - mean_value(fs, star)
        sums["TD"] += average(gaps)
        sums["TF"] += above
        sums["y"] += average([(2 * eta * L * E + 4 * (eta * L * E) ** 2) * gap for gap in gaps])
        sums["y_seldom"] += average([3 * eta * L * E * gap for gap in gaps])
        sums["sampled"] += 2 * eta * E * above
        sums["clipped"] += eta * E * (2 - kappa) * above
        sums["normalised"] += eta * E * (2 - drift) * above
    return {**sums, "E": mp.mpf(E), "L": L, "eta": eta, "kappa": kappa, "drift": drift}


def kept_clients(draws: Draws) -> Values:
    """y_i = 1(‖u_i‖ ≤ ĈE)(2ηLE + 4η²L²E²)Δ_i*."""
    found = _rounds(draws)
    return {**found, "TY": found["y"]}


def kept_clients_seldom(draws: Draws) -> Values:
    """y_i = 1(‖u_i‖ ≤ ĈE) 3ηLEΔ_i*."""
    found = _rounds(draws)
    return {**found, "TY": found["y_seldom"]}


def gains_sampled(draws: Draws) -> Values:
    """A round gains 2ηE times the mean of f_i(w_k) − f_i(w*)."""
    found = _rounds(draws)
    return {**found, "TG": found["sampled"]}


def gains_weighted(draws: Draws) -> Values:
    """The same with weights, of which all but their sign is free here."""
    eta, E, K = draws.positive(), draws.whole(1, 3), draws.whole(1, 4)
    gaps = [average([draws.positive() * draws.number() for _ in range(2)]) for _ in range(K)]
    return {"eta": eta, "E": mp.mpf(E), "TzF": sum(gaps), "TG": sum(2 * eta * E * gap for gap in gaps)}


def gains_clipped(draws: Draws) -> Values:
    """ηE(2 − κ) times that, κ = 2(1/r − 1/n)ηLE + e."""
    found = _rounds(draws)
    return {**found, "TG": found["clipped"]}


def gains_normalised(draws: Draws) -> Values:
    """ηE(2 − e) times that, e = η²L²(E − 1)(2E − 1)/3."""
    found = _rounds(draws)
    return {**found, "TG": found["normalised"]}


# several facts share each of these names and their letters: here the factor tells them apart
_CLIENTS = "a factor that does not depend on the client may be taken out of a sum over the clients"
_ROUNDS = "a factor that does not depend on the round may be taken out of a sum over the rounds"
TRIALS = (
    *each(
        one_client,
        "Cauchy–Schwarz for h = E ∇f_i(w*): ⟨u, h⟩² ≤ ‖u‖²‖h‖²",
        "Cauchy–Schwarz: ⟨u, w_k − w*⟩ = 0 where u = 0",
        "‖a u − b h‖² ≥ 0, a = 1 − x − x·room, b = 1 − x",
        "‖g_τ − g_{τ+1}‖² ≥ 0",
        "‖u − h‖² ≥ 0",
        "‖u‖ ≤ Σ_τ ‖∇f_i(w_τ)‖ (triangle inequality)",
        "triangle inequality: ‖w_k − w_{τ+1}‖ ≤ ‖w_k − w_τ‖ + η‖g_τ‖",
        "L-smooth: ‖g_τ − g_0‖ ≤ L‖w_k − w_τ‖",
        "triangle inequality: ‖Σ_{t≤τ} g_t − (τ+1)g_0‖ ≤ ‖Σ_{t<τ} g_t − τg_0‖ + ‖g_τ − g_0‖",
    ),
    *each(
        whole_update,
        "Cauchy–Schwarz: ⟨u, w_k − w*⟩ = 0 where u = 0",
        "triangle inequality: ‖u‖ ≥ E‖g_0‖ − ‖u − Eg_0‖",
        "triangle inequality: ‖Σ_{t≤τ} g_t − (τ+1)g_0‖ ≤ ‖Σ_{t<τ} g_t − τg_0‖ + ‖g_τ − g_0‖",
    ),
    *each(
        first_step,
        "Cauchy and Schwarz: ⟨u, w₀ − w*⟩ ≤ ‖u‖‖w₀ − w*‖",
        "Cauchy–Schwarz: ⟨Σ y, y_{p+1}⟩² ≤ ‖Σ y‖² ‖y_{p+1}‖²",
    ),
    Trial("0 ≤ ‖u‖ ≤ Σ_τ ‖g_τ‖ (triangle inequality)", sampled_client),
    *each(
        one_more,
        "Cauchy–Schwarz: ⟨Σ y, y_{p+1}⟩² ≤ ‖Σ y‖² ‖y_{p+1}‖²",
        "‖Σ y − p y_{p+1}‖² ≥ 0",
        "‖Σ y − P ω y‖² ≥ 0",
    ),
    Trial("Cauchy–Schwarz: ⟨a_j, w⟩² ≤ ‖a_j‖²‖w‖²", column),
    Trial("triangle inequality", weight_decay),
    Trial("the last m of the D_k are part of all", last_rounds),
    Trial(f"{_CLIENTS}: 2ηLE + 4η²L²E²", kept_clients),
    Trial(f"{_CLIENTS}: 3ηLE", kept_clients_seldom),
    Trial(f"{_ROUNDS}: 2ηE", gains_sampled),
    Trial(f"{_ROUNDS}: 2ηE, weighted gaps", gains_weighted),
    Trial(f"{_ROUNDS}: ηE(2 − κ)", gains_clipped),
    Trial(f"{_ROUNDS}: ηE(2 − e)", gains_normalised),
)
