"""Trials of what holds of norms, means and minima whatever the functions are, as the proofs of both EF21 methods use it."""

from __future__ import annotations

from verify.textbook.draws import (
    Draws,
    Number,
    Vector,
    average,
    dot,
    mean,
    minus,
    mp,
    norm,
    plus,
    scaled,
    square,
    zeros,
)
from verify.textbook.trial import Values, each


def triangles(draws: Draws) -> Values:
    """Three points, and what the proofs call their distances: P(xᵏ), P(xᵏ⁺¹) and v for one client; ∇f, v̄ and v̂ for the server;
    xᵏ, xᵏ⁺¹ and y; g and g′, seen from a third point."""
    d = draws.whole(1, 3)
    here, there, other = draws.vectors(3, d)
    return {
        "w": norm(minus(here, other)), "delta": norm(minus(there, here)), "moved": norm(minus(there, here)),
        "r_next": norm(minus(there, other)),
        "e": norm(minus(here, there)), "dev": norm(minus(here, other)), "after": norm(minus(other, there)),
        "eta": norm(minus(there, here)), "‖xᵏ−y‖": norm(minus(here, other)), "‖xᵏ⁺¹−y‖": norm(minus(there, other)),
        "‖g‖": norm(minus(here, other)), "‖g′‖": norm(minus(there, other)), "‖g−g′‖": norm(minus(here, there)),
    }  # fmt: skip


def clients(draws: Draws) -> Values:
    """∇f_i, P_i and v_i of M clients."""
    M, d = draws.whole(1, 4), draws.whole(1, 3)
    gradients, updates, memories = (draws.vectors(M, d) for _ in range(3))
    if draws.chance(0.3):  # all on one ray, in order: the triangle inequality is an equality
        ray = draws.vectors(1, d)[0]
        gradients = [scaled(draws.share() + 2, ray) for _ in range(M)]
        updates = [scaled(draws.share() + 1, ray) for _ in range(M)]
        memories = [scaled(draws.share(), ray) for _ in range(M)]
    sizes = [norm(g) for g in gradients]
    return {
        "M": M, "dev": norm(minus(mean(gradients), mean(memories))),
        "pulls": sum(norm(minus(p, g)) for p, g in zip(updates, gradients, strict=True)),
        "sums": sum(norm(minus(p, v)) for p, v in zip(updates, memories, strict=True)),
        "grad0": norm(mean(gradients)), "max‖∇f_i(x⁰)‖": max(sizes),
    }  # fmt: skip


def first_gradients(draws: Draws) -> Values:
    """a = ‖∇f(x⁰)‖, sums = Σ‖∇f_i(x⁰)‖."""
    M, d = draws.whole(1, 4), draws.whole(1, 3)
    gradients = draws.vectors(M, d)
    return {"M": M, "a": norm(mean(gradients)), "sums": sum(map(norm, gradients))}


def numbers(draws: Draws) -> Values:
    """Jensen's inequality for the square, over equally likely values that are not negative."""
    values = draws.pick([[draws.positive()] * 3, [draws.positive() for _ in range(draws.whole(1, 4))]])
    squares = average([v**2 for v in values])
    return {"mean": average(values), "square_mean": squares, "squares": squares}


def minima(draws: Draws) -> Values:
    """‖∇f(xᵏ)‖ of some rounds and what is least among them, over all, over the first few."""
    norms = [draws.positive() for _ in range(draws.whole(1, 4))]
    k = draws.whole(0, len(norms) - 1)
    least = min(norms)
    return {
        "floor": least, "low": least, "min‖∇f‖": least, "grad": norms[k], "W": norms[k], "‖∇f(xᵏ)‖": norms[k],
        "min_early": min(norms[: k + 1]), "grad0": norms[0],
    }  # fmt: skip


def products(draws: Draws) -> Values:
    """⟨g, h⟩ and the norms."""
    g, h = draws.vectors(2, draws.whole(1, 3))
    return {"i": dot(g, h), "a": norm(g), "b": norm(h)}


def noise_walk(draws: Draws) -> Values:
    """e = e⁰ + β Σ nˡ, for a Σ nˡ with a few equally likely values: E‖e‖, E‖e⁰‖, E‖βΣnˡ‖ and E‖Σnˡ‖²."""
    d, beta = draws.whole(1, 2), draws.positive()
    start = draws.vector(d)
    sums = draws.pick([[draws.along(start)] * 2, draws.vectors(draws.whole(1, 4), d)])
    walked = [scaled(beta, s) for s in sums]
    return {
        "beta": beta, "start": norm(start), "after": average([norm(plus(start, w)) for w in walked]),
        "first": average(list(map(norm, walked))), "walk": average(list(map(square, sums))),
    }  # fmt: skip


def normalised(draws: Draws) -> Values:
    """E‖Norm_α(g)‖², over a few equally likely g, 0/0 read as 0."""
    alpha, d = draws.pick([mp.mpf(0), draws.positive()]), draws.whole(1, 3)

    def norm_alpha(g: Vector) -> Vector:
        below = alpha + norm(g)
        return scaled(1 / below, g) if below else zeros(d)

    return {"D2": average([square(norm_alpha(g)) for g in draws.vectors(3, d)])}


def three_rounds(draws: Draws) -> Values:
    """xᵏ, gᵏ⁺¹, ψ and z with a few equally likely joint values, xᵏ⁺¹ = xᵏ − γgᵏ⁺¹ and xᵏ⁺² = xᵏ⁺¹ − γ(gᵏ⁺¹ + β(ψ + z)); in a part
    of the cases one of the three squares is 0."""
    d, gamma, beta = draws.whole(1, 2), draws.positive(), draws.positive()
    equality = draws.whole(0, 3)
    cases = []
    for _ in range(draws.whole(1, 3)):
        x, g, s, z = (draws.vector(d) for _ in range(4))
        g = scaled(3 / gamma, x) if equality == 1 else g
        moved = minus(x, scaled(gamma, g))
        if equality > 1:
            again = scaled(-mp.mpf(1) / 2, moved) if equality == 2 else x
            s = minus(scaled(1 / beta, minus(scaled(1 / gamma, minus(moved, again)), g)), z)
        cases.append((x, g, s, z))
    letters = ("xᵏ", "gᵏ⁺¹", "ψ", "z")
    found = {"beta": beta, "gamma": gamma}
    for i, a in enumerate(letters):
        for j, b in enumerate(letters):
            found[f"<{a},{b}>"] = average([dot(case[i], case[j]) for case in cases])
    return found


def messages(draws: Draws) -> Values:
    """How many messages M clients send in the mean, who send with probability p, or q: counted over all that may happen."""
    M, p, q = draws.whole(1, 6), draws.share(), draws.share()

    def sent(chance: Number) -> Number:
        return sum(
            (m * mp.binomial(M, m) * chance**m * (1 - chance) ** (M - m) for m in range(M + 1)), mp.mpf(0)
        )

    return {"M_clients": M, "p": p, "q": q, "sent_p": sent(p), "sent_q": sent(q)}


TRIALS = (
    *each(
        triangles,
        "triangle inequality, δ = ‖P(xᵏ⁺¹) − P(xᵏ)‖",
        "triangle inequality: the residual after the step to xᵏ⁺¹",
        "‖∇f − v̂‖ ≤ ‖∇f − v̄‖ + ‖v̄ − v̂‖",
        "triangle inequality: ‖g − g′‖ ≤ ‖g‖ + ‖g′‖",
        "triangle: η = ‖xᵏ⁺¹ − xᵏ‖ ≤ ‖xᵏ − y‖ + ‖xᵏ⁺¹ − y‖ (v̂ ≠ 0)",
    ),
    *each(
        clients,
        "triangle inequality for the mean over clients",
        "triangle inequality: ‖∇f(x⁰)‖ ≤ max_i ‖∇f_i(x⁰)‖",
    ),
    *each(first_gradients, "triangle inequality: ‖∇f(x⁰)‖ ≤ (1/M) Σ ‖∇f_i(x⁰)‖"),
    *each(numbers, "Jensen's inequality"),
    *each(
        minima,
        "0 ≤ min‖∇f‖ ≤ ‖∇f(xᵏ)‖",
        "min W ≤ Wᵏ",
        "min over k ≤ K is at most min over k < m",
        "min ≤ E‖∇f(xᵏ)‖",
        "min‖∇f‖ ≤ ‖∇f(xᵏ)‖",
        "the minimum is over k = 0 too: min E‖∇f‖ ≤ ‖∇f(x⁰)‖",
    ),
    *each(products, "Cauchy–Schwarz: |⟨g, h⟩| ≤ ‖g‖‖h‖"),
    *each(noise_walk, "triangle and Jensen's inequality"),
    *each(normalised, "‖Norm_α(·)‖ ≤ 1"),
    *each(three_rounds, "E‖2xᵏ + xᵏ⁺¹‖², E‖xᵏ⁺¹ + 2xᵏ⁺²‖², E‖xᵏ − xᵏ⁺²‖² ≥ 0"),
    *each(messages, "linearity: M clients send Mp and Mq messages in the mean (FED-EXP-KPM)"),
)
