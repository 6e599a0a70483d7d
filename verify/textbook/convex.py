"""Trials of what convexity and smoothness say of a client's run w_{τ+1} = w_τ − η∇f_i(w_τ) in one round of DP-NormFedAvg, with
u = Σ_τ ∇f_i(w_τ), w* a minimiser of f, the mean of the f_j, and m_i one of f_i."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, product

from verify.textbook.descent import gradient_step
from verify.textbook.draws import (
    Draws,
    Number,
    Vector,
    average,
    dot,
    minus,
    mp,
    norm,
    plus,
    scaled,
    square,
    zeros,
)
from verify.textbook.functions import Curve, Function, function, lipschitz, mean_value
from verify.textbook.local_steps import path
from verify.textbook.trial import Trial, Values, each


def bent(draws: Draws, dimension: int, L: Number, centre: Vector | None = None) -> Function:
    """A convex L-smooth function with one minimiser: its gradient is 0 nowhere else."""
    where = centre or draws.vector(dimension)
    curves = tuple(
        Curve(
            draws.pick(("square", "huber")),
            L if draws.chance(0.5) else L * draws.positive(0.1, 1),
            where[j],
            draws.positive(0.1, 3),
        )
        for j in range(dimension)
    )
    return Function(curves, draws.number(), L)


def minimiser(functions: Sequence[Function]) -> Vector:
    """Where the mean of convex functions is least, by coordinates: its slope rises along straight lines between the bends."""
    found = []
    for curves in zip(*(f.curves for f in functions), strict=True):
        bends = sorted({curve.centre + side * curve.width for curve in curves for side in (-1, 0, 1)})
        slopes = [sum(curve.slope(x) for curve in curves) for x in bends]
        last = max(j for j, slope in enumerate(slopes) if slope <= 0)
        if slopes[last] == 0:
            found.append(bends[last])
        else:
            rise = (slopes[last + 1] - slopes[last]) / (bends[last + 1] - bends[last])
            found.append(bends[last] - slopes[last] / rise)
    return tuple(found)


def run(f: Function, w: Vector, eta: Number, E: int) -> Vector:
    """u, the sum of the gradients at w and the E − 1 points after it."""
    return plus(*(f.gradient(x) for x in path([f] * (E - 1), w, eta)))


def place(draws: Draws, star: Vector, own: Vector) -> Vector:
    """w_k: anywhere, at w* or m_i, close to w*, or far away."""
    d = len(star)
    return draws.pick([
        draws.vector(d), draws.vector(d), star, own, plus(star, draws.vector(d, 0.1)), draws.vector(d, 30),
    ])  # fmt: skip


def bend(gradients: Sequence[Vector], count: int) -> Number:
    """‖Σ_{t<count} g_t − count g_0‖."""
    return norm(plus(*(minus(g, gradients[0]) for g in gradients[:count]), zeros(len(gradients[0]))))


def whole_update(draws: Draws) -> Values:
    """The E steps of a client i of n together, τ = E: u, and how far it is from Eg_0, and one gradient more."""
    L, d, n, E = draws.positive(0.1, 10), draws.whole(1, 3), draws.whole(1, 2), draws.whole(1, 4)
    fs = [function(draws, d, L, convex=True) for _ in range(n)]
    f, star = fs[0], minimiser(fs)
    start = place(draws, star, f.minimiser)
    points = path([f] * E, start, draws.positive(0.001, 2) / L)
    gradients = [f.gradient(x) for x in points]
    u = plus(*gradients[:E])
    return {
        "E": E, "U": norm(u), "uy": dot(u, minus(start, star)), "‖g_0‖": norm(gradients[0]),
        "‖Σg−τg_0‖": bend(gradients, E), "‖Σg−(τ+1)g_0‖": bend(gradients, E + 1),
        "‖g_τ−g_0‖": norm(minus(gradients[E], gradients[0])),
    }  # fmt: skip


def one_client(draws: Draws) -> Values:
    """A client i of n in one round, seen at one of its E steps. The f_j are convex and L-smooth, 0 < ηL ≤ 2; x = ηLE, and
    room is 0.49 − 2x or ½ − 19x/8."""
    L, d, n, E = draws.positive(0.1, 10), draws.whole(1, 3), draws.whole(1, 3), draws.whole(1, 4)
    eta = draws.positive(0.001, 2) / L
    ratio = eta * L * E
    fs = [function(draws, d, L, convex=True) for _ in range(n)]
    f, star, own = fs[0], minimiser(fs), fs[0].minimiser
    start = place(draws, star, own)
    points = path([f] * (E + 1), start, eta)
    gradients = [f.gradient(x) for x in points]
    tau = draws.whole(0, E - 1)
    w, g, following = points[tau], gradients[tau], gradients[tau + 1]
    u, h = plus(*gradients[:E]), scaled(E, f.gradient(star))
    away, first, move = minus(start, w), gradients[0], minus(points[tau + 1], w)
    gaps = [other.value(star) - other.infimum for other in fs]
    return {
        "L": L, "eta": eta, "E": E, "x_step": ratio,
        "room": mp.mpf("0.49") - 2 * ratio if E == 1 else mp.mpf("0.5") - 19 * ratio / 8,
        "Delta": gaps[0], "gap_i": gaps[0], "gap_others": sum(gaps[1:], mp.mpf(0)),
        # the whole run
        "U": norm(u), "uy": dot(u, minus(start, star)), "up": dot(u, h), "hh": square(h),
        "norm_sum": sum(map(norm, gradients[:E])), "‖g_0‖": norm(first), "‖g_τ‖": norm(g),
        "t": norm(minus(start, own)),
        # f_i at w_k, w_τ and w*
        "f_k": f.value(start), "f_tau": f.value(w), "f_star": f.value(star), "f_min": f.infimum,
        "gy": dot(g, minus(w, star)), "gw": dot(g, minus(start, star)), "hv": dot(first, away), "dv": dot(minus(g, first), away),
        "‖w_k−w_τ‖": norm(away), "‖w_k−w_{τ+1}‖": norm(minus(start, points[tau + 1])), "‖g_τ−g_0‖": norm(minus(g, first)),
        "‖Σg−τg_0‖": bend(gradients, tau), "‖Σg−(τ+1)g_0‖": bend(gradients, tau + 1),
        "gv": dot(g, away), "v2": square(away), "g2": square(g), "norm_g": norm(g), "q2": square(minus(g, f.gradient(star))),
        # h = f_i, at w_τ and at w_τ − ∇f_i(w_τ)/L
        "h": f.value(w), "h_next": f.value(minus(w, scaled(1 / L, g))), "h_min": f.infimum,
        # from w_τ to w_{τ+1}
        "m": f.value(w) - f.infimum, "m_next": f.value(points[tau + 1]) - f.infimum,
        "⟨∇f_i,w_t−w_{t−1}⟩": dot(g, move), "‖w_t−w_{t−1}‖²": square(move),
        "g2_next": square(following), "gg_next": dot(g, following),
        "<g,g>": square(g), "<g,q>": dot(g, following), "<q,q>": square(following),
        "f_i(w_{k,τ})": f.value(w), "f_i(w_{k,τ+1})": f.value(points[tau + 1]),
    }  # fmt: skip


def smooth_client(draws: Draws) -> Values:
    """A step of an L-smooth f_i that need not be convex: Lemma 9 does not ask for it. 0 < ηL ≤ 1."""
    L, d = draws.positive(0.1, 10), draws.whole(1, 3)
    f, before = function(draws, d, L), draws.vector(d)
    after = minus(before, scaled(draws.positive(0.001, 1) / L, f.gradient(before)))
    move = minus(after, before)
    return {
        "L": L, "m": f.value(before) - f.infimum, "m_next": f.value(after) - f.infimum,
        "⟨∇f_i,w_t−w_{t−1}⟩": dot(f.gradient(before), move), "‖w_t−w_{t−1}‖²": square(move),
    }  # fmt: skip


def first_step(draws: Draws) -> Values:
    """A round with E = 1, the first one or any, where u = ∇f_i(w_k); w* is w_i* where n = 1."""
    L, d, n = draws.positive(0.1, 10), draws.whole(1, 3), draws.whole(1, 3)
    fs = [function(draws, d, L, convex=True) for _ in range(n)]
    f, star = fs[0], minimiser(fs)
    start = place(draws, star, f.minimiser)
    u, away = f.gradient(start), minus(start, star)
    along = dot(u, away)
    return {
        "F": f.value(start) - f.value(star), "u_along": along, "U": norm(u), "distance": norm(away),
        "f_tau": f.value(start), "f_star": f.value(star), "gy": along, "sy": along, "ss": square(u), "yy": square(away),
    }  # fmt: skip


def sampled_client(draws: Draws) -> Values:
    """A client with b samples, convex, L-smooth and G-Lipschitz, of which each step takes one; f_i is their mean. Letters of w_τ are
    means over all ways to draw, as in the proof; ‖u‖ and Σ‖g_τ‖ are of one of them. Any η > 0."""
    L, d, n = draws.positive(0.1, 10), draws.whole(1, 2), draws.whole(1, 2)
    b, tau = draws.whole(1, 2), draws.whole(0, 3)
    clients = [[lipschitz(draws, d, L) for _ in range(b)] for _ in range(n)]
    samples = [f for f, _ in clients[0]]
    G = max(steepest for _, steepest in clients[0])
    star = minimiser([f for client in clients for f, _ in client])
    start = place(draws, star, samples[0].minimiser)
    eta = draws.positive(0.001, 30) / L
    runs = [path(drawn, start, eta) for drawn in product(samples, repeat=tau)]

    def gradient(x: Vector) -> Vector:
        return scaled(mp.mpf(1) / b, plus(*(f.gradient(x) for f in samples)))

    ends = [points[-1] for points in runs]
    base = mean_value(samples, star)
    sent = [scaled(1 / eta, minus(x, y)) for x, y in pairwise(draws.pick(runs))]
    return {
        "G": G, "F": mean_value(samples, start) - base,
        "f_tau_gap": average([mean_value(samples, w) for w in ends]) - base,
        "ahead": average([dot(gradient(w), minus(w, star)) for w in ends]),
        "back": average([dot(gradient(w), minus(start, w)) for w in ends]),
        "travel": average([norm(minus(start, w)) for w in ends]),
        "U": norm(plus(*sent, zeros(d))), "norm_sum_sampled": sum(map(norm, sent), mp.mpf(0)),
    }  # fmt: skip


TRIALS = (
    *each(
        one_client,
        "Fact 1 at w*, times E²",
        "Fact 1 at w_τ",
        "L-smooth and Cauchy–Schwarz: ⟨g_τ − ∇f_i(w_k), w_k − w_τ⟩ ≥ −L‖w_k − w_τ‖²",
        "descent lemma at x − ∇h(x)/L",
        "descent lemma from w_{k,t−1} to w_{k,t}",
        "descent lemma from w_τ to w_k",
        "f_i convex and L-smooth with a minimiser, ηL ≤ 2: ‖∇f_i(w_τ)‖ ≤ L|w_τ − w_i*| ≤ L|w − w_i*|",
        "f_i is convex, at w* from w_{k,τ}",
        "f_i is convex, at w_τ from w_k",
        "h* is the minimum",
        "f_i(y) ≥ f_i(x) + ⟨∇f_i(x), y − x⟩ + ‖∇f_i(y) − ∇f_i(x)‖²/(2L), f_i convex and L-smooth, both ways",
        "interpolation: f_i convex and L-smooth, at w* from w_τ",
        "interpolation: f_i convex and L-smooth, at w_τ from w_{τ+1}",
        "no function is below its minimum",
    ),
    Trial("descent lemma from w_{k,t−1} to w_{k,t}", smooth_client),
    Trial("h* is the minimum", gradient_step),
    *each(
        first_step,
        "f_i is convex, at w* from w_{k,τ}",
        "f_i is convex: f_i(w₀) − f_i(w*) ≤ ⟨∇f_i(w₀), w₀ − w*⟩",
    ),
    *each(
        sampled_client,
        "f_i is convex",
        "f_i is G-Lipschitz: f_i(w_τ) ≥ f_i(w_k) − G‖w_k − w_τ‖",
        "Cauchy–Schwarz: ⟨∇f_i(w_τ), w_k − w_τ⟩ ≥ −G‖w_k − w_τ‖",
    ),
)
