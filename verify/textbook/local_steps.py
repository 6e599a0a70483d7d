"""Trials of what smoothness says of a client's local steps: x_{j+1} = x_j − (γ/T)∇f_i(x_j), or one pass over its f_{i,j}."""

from __future__ import annotations

from collections.abc import Sequence

from verify.textbook.draws import Draws, Number, Vector, average, mean, minus, mp, norm, plus, scaled, square
from verify.textbook.functions import Function, function
from verify.textbook.trial import Values, each


def path(functions: Sequence[Function], x: Vector, step: Number) -> list[Vector]:
    """x_0 = x, x_1, …: one gradient step along each function."""
    points = [x]
    for f in functions:
        points.append(minus(points[-1], scaled(step, f.gradient(points[-1]))))
    return points


def one_function(draws: Draws) -> Values:
    """T local gradient steps of one f_i from x and from y, seen at one of them; h = γL/T. And a client's memory."""
    L, gamma, T, d = draws.positive(0.1, 10), draws.positive(0.01, 10), draws.whole(1, 5), draws.whole(1, 3)
    f, x, y = function(draws, d, L), draws.vector(d), draws.vector(d)
    if draws.chance(0.2):  # near the start, where a path that goes straight on is as long as it can be
        gamma = gamma / 10000
    xs, ys = path([f] * (T + 1), x, gamma / T), path([f] * (T + 1), y, gamma / T)
    j = draws.whole(0, T)
    g = f.gradient(x)
    away = [norm(minus(at, x)) for at in xs]
    apart = [norm(minus(a, b)) for a, b in zip(xs, ys, strict=True)]
    turned = norm(minus(f.gradient(xs[j]), g))
    slope, gap = norm(f.gradient(xs[j])), f.value(xs[j]) - f.infimum
    there = f.gradient(y)
    memory = draws.pick([draws.vector(d), plus(g, scaled(draws.share(), minus(g, there)))])
    return {
        "L": L, "T": T, "gamma": gamma, "h": gamma * L / T, "γ/T": gamma / T, "g": norm(g),
        "‖∇f_i(x_l)‖": slope, "size": slope, "f_i(x_l)−f_i^inf": gap, "gap": gap,
        "f_i(x_{l+1})−f_i^inf": f.value(xs[j + 1]) - f.infimum,
        "Q": sum(away[:j], mp.mpf(0)), "Q_T": sum(away[:T], mp.mpf(0)), "Y": away[j], "Y_next": away[j + 1],
        "S": sum(apart[:j], mp.mpf(0)), "S_T": sum(apart[:T], mp.mpf(0)), "D": apart[j], "D_next": apart[j + 1],
        "‖x_j−x‖": away[j], "‖∇f(x_j)−∇f(x)‖": turned,
        "‖∇f(x_j)−∇f(y_j)‖": norm(minus(f.gradient(xs[j]), f.gradient(ys[j]))),
        "update_norm": norm(scaled(1 / gamma, minus(x, xs[T]))),
        # T = 1, where P_i = ∇f_i, with x for xᵏ and y for xᵏ⁺¹
        "D_0": apart[0], "moved": norm(minus(g, there)), "slope": norm(minus(g, there)),
        "drift": norm(minus(g, there)), "step": apart[0], "L_i": L,
        "w": norm(minus(g, memory)), "r_next": norm(minus(there, memory)),
    }  # fmt: skip


def one_pass(draws: Draws) -> Values:
    """One pass of a client over its N functions, seen at one of them."""
    L, gamma, N, d = draws.positive(0.1, 10), draws.positive(0.01, 10), draws.whole(1, 5), draws.whole(1, 3)
    fs, x, y = [function(draws, d, L) for _ in range(N)], draws.vector(d), draws.vector(d)
    xs, ys = path(fs, x, gamma / N), path(fs, y, gamma / N)
    j = draws.whole(0, N - 1)
    dist = norm(minus(xs[j], x))
    return {
        "L": L, "γ/N": gamma / N, "a": norm(fs[j].gradient(x)), "dist": dist, "dist_next": norm(minus(xs[j + 1], x)),
        "Y": dist, "‖x_j−x‖": dist, "‖∇f(x_j)−∇f(x)‖": norm(minus(fs[j].gradient(xs[j]), fs[j].gradient(x))),
        "h": gamma * L / N, "D": norm(minus(xs[j], ys[j])), "D_next": norm(minus(xs[j + 1], ys[j + 1])),
        "‖∇f(x_j)−∇f(y_j)‖": norm(minus(fs[j].gradient(xs[j]), fs[j].gradient(ys[j]))),
    }  # fmt: skip


def lipschitz_work(draws: Draws) -> Values:
    """P(x) = (x − T(x))/γ for a T that stretches distances by at most ρ, a linear one in the plane, at x = xᵏ and y = xᵏ⁺¹; and a
    client's memory."""
    gamma, rho = draws.positive(), draws.positive(0.01, 3)
    turn = draws.pick([mp.mpf(0), mp.pi, draws.number()])
    x, y = draws.vector(2), draws.vector(2)

    def work(v: Vector) -> Vector:
        a, b = v
        return rho * (a * mp.cos(turn) - b * mp.sin(turn)), rho * (a * mp.sin(turn) + b * mp.cos(turn))

    def P(v: Vector) -> Vector:
        return scaled(1 / gamma, minus(v, work(v)))

    here, there = P(x), P(y)
    memory = draws.pick([draws.vector(2), plus(here, scaled(draws.share(), minus(here, there)))])
    return {
        "gamma": gamma, "rho": rho, "D_0": norm(minus(x, y)), "delta": norm(minus(here, there)),
        "w": norm(minus(here, memory)), "r_next": norm(minus(there, memory)),
    }  # fmt: skip


def bowls(draws: Draws, count: int, d: int, L: Number) -> list[tuple[Number, Vector, Number]]:
    """Functions c‖x − a‖²/2 + m as (c, a, m), 0 < c ≤ L, of which every mean has an infimum in closed form."""
    one = draws.vector(d)
    same = draws.chance(0.2)
    return [
        (L * draws.positive(0.1, 1), one if same else draws.vector(d), draws.number()) for _ in range(count)
    ]


def infimum(group: Sequence[tuple]) -> tuple[Vector, Number]:
    """Where the mean of bowls is least, and how deep it is there."""
    total = sum(c for c, _, _ in group)
    least = scaled(len(group) / total, mean([scaled(c, a) for c, a, _ in group]))
    return least, value(group, least)


def value(group: Sequence[tuple], x: Vector) -> Number:
    return average([c * square(minus(x, a)) / 2 + m for c, a, m in group])


def infima(draws: Draws) -> Values:
    """M clients with N functions each, in some cases with one minimiser x* for all, at any point and where f, or f_1, is near its
    infimum or at it: Δ^inf = f^inf − (1/M) Σ f_i^inf, Δ_i^inf = f_i^inf − (1/N) Σ f_{i,j}^inf."""
    L, M, N, d = draws.positive(0.1, 10), draws.whole(1, 3), draws.whole(1, 3), draws.whole(1, 2)
    clients = [bowls(draws, N, d, L) for _ in range(M)]
    every = [bowl for client in clients for bowl in client]
    least, f_inf = infimum(every)
    x = draws.pick([draws.vector(d), least])
    own = [infimum(client)[1] for client in clients]
    client = clients[0]
    eps = draws.positive(0.001, 1)
    c_own = average([c for c, _, _ in client])
    c_all = average([c for c, _, _ in every])

    def near(at: Vector, c: Number) -> Vector:
        """At the minimum, or as far from it as the value there may be within ε of the infimum."""
        return (at[0] + mp.sqrt(2 * eps / c) * draws.pick([mp.mpf(0), draws.share()]), *at[1:])

    gradients = [square(scaled(c, minus(x, a))) for c, a, _ in every]
    return {
        "L": L, "f_gap": value(every, x) - f_inf, "Delta": f_inf - average(own),
        "Delta_local": average(own) - average([m for _, _, m in every]), "slopes": average(gradients),
        "f_inf": f_inf, "eps": eps, "f": value(every, near(least, c_all)),
        "m_i": own[0], "ε_i": eps, "f_i(x')": value(client, near(infimum(client)[0], c_own)),
    }  # fmt: skip


TRIALS = (
    *each(
        one_function,
        "(x⁰ − T_i(x⁰))/γ is the mean of the ∇f_i(x_j), each within L‖x_j − x⁰‖ of ∇f_i(x⁰)",
        "Assumption 1 with L_i (NEC-A1): ‖∇f_i(x⁺) − ∇f_i(x)‖ ≤ L_i‖x⁺ − x‖",
        "P_i = ∇f_i is L-Lipschitz",
        "a gradient step of an L-smooth function: D' ≤ (1 + h)D",
        "a part of a sum of distances is at most the whole",
        "a part of a sum of norms is at most the whole",
        "triangle inequality: the residual after the step to xᵏ⁺¹",
        "‖∇f_i‖² ≤ 2L(f_i − f_i^inf) for L-smooth f_i",
        "‖x_{j+1} − x‖ ≤ (1 + h)‖x_j − x‖ + γ‖∇f(x)‖/T",
        "‖x_{l+1} − x‖ ≤ ‖x_l − x‖ + (γ/T)‖∇f_i(x_l)‖",
        "descent lemma from x_l to x_l − (γ/T)∇f_i(x_l)",
        "‖∇f(x_j)−∇f(x)‖ ≤ L‖x_j − x‖: each f_i is L-smooth",
        "‖∇f(x_j)−∇f(y_j)‖ ≤ L‖x_j − y_j‖: each f_i is L-smooth",
    ),
    *each(
        one_pass,
        "a gradient step of an L-smooth function: D' ≤ (1 + h)D",
        "‖x_{j+1} − x‖ ≤ ‖x_j − x‖ + (γ/N)(‖∇f_{i,j}(x)‖ + L‖x_j − x‖)",
        "‖∇f(x_j)−∇f(x)‖ ≤ L‖x_j − x‖: each f_{i,j} is L-smooth",
        "‖∇f(x_j)−∇f(y_j)‖ ≤ L‖x_j − y_j‖: each f_{i,j} is L-smooth",
    ),
    *each(
        lipschitz_work,
        "‖T(x) − T(y)‖ ≤ ρ‖x − y‖ and the triangle inequality",
        "triangle inequality, δ = ‖P(xᵏ⁺¹) − P(xᵏ)‖",
    ),
    *each(
        infima,
        "f_i ≥ f_i^inf: f(x⁰) ≥ (1/M) Σ f_i^inf",
        "f_{i,j} ≥ f_{i,j}^inf: f(x⁰) ≥ (1/M) Σ (1/N) Σ f_{i,j}^inf",
        loose="none of its terms is negative, and equality is where all are 0",
    ),
    *each(
        infima,
        "‖∇f_{i,j}‖² ≤ 2L(f_{i,j} − f_{i,j}^inf), mean over j and i",
        "f^inf is the infimum of f: f(x) ≤ f^inf + ε for some x",
        "f^inf is the infimum of f: f^inf ≤ f(x*)",
        "f_i^inf is the infimum of f_i: f_i(x') ≤ f_i^inf + ε_i for some x'",
    ),
)
