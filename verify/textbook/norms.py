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
    """Three points, and what the proofs call their distances: ∇f, v̄ and v̂ along one path; xᵏ, xᵏ⁺¹ and y; g and g′, seen from a
    third point."""
    d = draws.whole(1, 3)
    here, there, other = draws.vectors(3, d)
    return {
        "e": norm(minus(here, there)), "dev": norm(minus(here, other)), "after": norm(minus(other, there)),
        "eta": norm(minus(there, here)), "‖xᵏ−y‖": norm(minus(here, other)), "‖xᵏ⁺¹−y‖": norm(minus(there, other)),
        "‖g‖": norm(minus(here, other)), "‖g′‖": norm(minus(there, other)), "‖g−g′‖": norm(minus(here, there)),
    }  # fmt: skip


def server(draws: Draws) -> Values:
    """∇f_i, P_i and v_i of M clients and v̂ = v̄ − (e⁰ + β Σ nˡ), which have a few equally likely joint values; E‖∇f − v̄‖, E‖v̄ − v̂‖,
    E‖∇f − v̂‖, E Σ‖P_i − ∇f_i‖ and E Σ‖P_i − v_i‖; E‖e⁰‖, E‖βΣnˡ‖ and E‖Σnˡ‖²."""
    M, d, beta = draws.whole(1, 3), draws.whole(1, 2), draws.positive()
    start = draws.vector(d)
    walks = draws.pick([[draws.along(start)], draws.vectors(draws.whole(1, 3), d)])
    on_rays = draws.chance(0.3)  # in order: the triangle inequalities are equalities
    found: dict[str, list[Number]] = {letter: [] for letter in ("dev", "pulls", "sums", "e")}
    errors = [plus(start, scaled(beta, walk)) for walk in walks]
    for error in errors:
        gradients, updates, memories = (
            [scaled(draws.share() + far, error) for _ in range(M)] if on_rays else draws.vectors(M, d)
            for far in (2, 1, 0)
        )
        apart = minus(mean(gradients), mean(memories))
        found["dev"].append(norm(apart))
        found["e"].append(norm(plus(apart, error)))
        found["pulls"].append(sum(norm(minus(p, g)) for p, g in zip(updates, gradients, strict=True)))
        found["sums"].append(sum(norm(minus(p, v)) for p, v in zip(updates, memories, strict=True)))
    return {
        **{letter: average(values) for letter, values in found.items()},
        "M": M, "beta": beta, "start": norm(start), "after": average(list(map(norm, errors))),
        "first": beta * average(list(map(norm, walks))), "walk": average(list(map(square, walks))),
    }  # fmt: skip


def first_gradients(draws: Draws) -> Values:
    """The ∇f_i(x⁰) of M clients, their sizes and that of their mean."""
    M, d = draws.whole(1, 4), draws.whole(1, 3)
    gradients = draws.vectors(M, d)
    sizes, size = [norm(g) for g in gradients], norm(mean(gradients))
    return {"M": M, "a": size, "sums": sum(sizes), "grad0": size, "max‖∇f_i(x⁰)‖": max(sizes)}


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
        "min_early": min(norms[: k + 1]),
    }  # fmt: skip


def products(draws: Draws) -> Values:
    """⟨g, h⟩ and the norms."""
    g, h = draws.vectors(2, draws.whole(1, 3))
    return {"i": dot(g, h), "a": norm(g), "b": norm(h)}


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
        "‖∇f − v̂‖ ≤ ‖∇f − v̄‖ + ‖v̄ − v̂‖",
        "triangle inequality: ‖g − g′‖ ≤ ‖g‖ + ‖g′‖",
        "triangle: η = ‖xᵏ⁺¹ − xᵏ‖ ≤ ‖xᵏ − y‖ + ‖xᵏ⁺¹ − y‖ (v̂ ≠ 0)",
    ),
    *each(
        server,
        "triangle inequality for the mean over clients",
        "‖∇f − v̂‖ ≤ ‖∇f − v̄‖ + ‖v̄ − v̂‖",
        "triangle and Jensen's inequality",
    ),
    *each(
        first_gradients,
        "triangle inequality: ‖∇f(x⁰)‖ ≤ (1/M) Σ ‖∇f_i(x⁰)‖",
        "triangle inequality: ‖∇f(x⁰)‖ ≤ max_i ‖∇f_i(x⁰)‖",
    ),
    *each(numbers, "Jensen's inequality"),
    *each(
        minima,
        "min W ≤ Wᵏ",
        "min over k ≤ K is at most min over k < m",
        "min ≤ E‖∇f(xᵏ)‖",
        "min‖∇f‖ ≤ ‖∇f(xᵏ)‖",
    ),
    *each(products, "Cauchy–Schwarz: |⟨g, h⟩| ≤ ‖g‖‖h‖"),
    *each(normalised, "‖Norm_α(·)‖ ≤ 1"),
    *each(three_rounds, "E‖2xᵏ + xᵏ⁺¹‖², E‖xᵏ⁺¹ + 2xᵏ⁺²‖², E‖xᵏ − xᵏ⁺²‖² ≥ 0"),
    *each(messages, "linearity: M clients send Mp and Mq messages in the mean (FED-EXP-KPM)"),
)
