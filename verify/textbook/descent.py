"""Trials of what smoothness says of one step: the descent lemma, and the norm of a gradient against the distance to the infimum."""

from __future__ import annotations

from verify.textbook.draws import Draws, Number, Vector, average, dot, mean, minus, norm, plus, scaled, square
from verify.textbook.functions import function
from verify.textbook.local_steps import path
from verify.textbook.trial import Values, each


def gradient_step(draws: Draws) -> Values:
    """From x to x − ∇f(x)/L."""
    L, d = draws.positive(), draws.whole(1, 3)
    f, x = function(draws, d, L), draws.vector(d)
    g = f.gradient(x)
    onward, size = f.value(minus(x, scaled(1 / L, g))), norm(g)
    return {
        "L": L, "h": f.value(x), "h_next": onward, "g2": size**2, "h_min": f.infimum,
        "f_i": f.value(x), "f_i_next": onward, "g_i": size,
    }  # fmt: skip


def gradient_descent(draws: Draws) -> Values:
    """Some rounds of gradient descent with step 1/L, seen at one of them, and the least of their ‖∇f‖."""
    L, d, rounds = draws.positive(), draws.whole(1, 3), draws.whole(1, 4)
    f, x = function(draws, d, L), draws.vector(d)
    points = path([f] * rounds, x, 1 / L)
    sizes = [norm(f.gradient(at)) for at in points[:-1]]
    k = draws.whole(0, rounds - 1)
    return {
        "L": L, "f_now": f.value(points[k]), "f_next": f.value(points[k + 1]), "grad": sizes[k], "floor": min(sizes),
    }  # fmt: skip


def any_step(draws: Draws) -> Values:
    """From x to any point; in the letters of NEC-T1's proof it is x − c ĝ."""
    L, d = draws.positive(), draws.whole(1, 3)
    f, x = function(draws, d, L), draws.vector(d)
    g = f.gradient(x)
    step = draws.pick([draws.vector(d), draws.along(g)])
    c = draws.positive()
    estimate = scaled(-1 / c, step)
    onward = f.value(plus(x, step))
    return {
        "L": L, "f": f.value(x), "f_next": onward, "‖xᵏ⁺¹−xᵏ‖²": square(step), "⟨∇f,xᵏ⁺¹−xᵏ⟩": dot(g, step),
        "f_now": f.value(x), "c": c, "<ĝ,∇f>": dot(estimate, g), "‖ĝ‖": norm(estimate),
    }  # fmt: skip


def normalised_step(draws: Draws) -> Values:
    """From x to x − ηG/‖G‖, or nowhere where G = 0."""
    L, eta, d = draws.positive(), draws.positive(), draws.whole(1, 3)
    f, x = function(draws, d, L), draws.vector(d)
    g = f.gradient(x)
    estimate = draws.pick([draws.vector(d), draws.along(g)])
    b = norm(estimate)
    along = dot(estimate, g) / b if b else draws.number()
    onward = minus(x, scaled(eta / b, estimate)) if b else x
    return {
        "L": L, "eta": eta, "b": b, "along": along, "<G,g>": dot(estimate, g), "f": f.value(x), "f_next": f.value(onward),
    }  # fmt: skip


def gradient_norms(draws: Draws) -> Values:
    """f, the mean of some functions of infima of their own, at x⁰, and in some rounds more: each xᵏ has a few equally likely
    values."""
    L, d, M = draws.positive(), draws.whole(1, 3), draws.whole(1, 4)
    centre = draws.vector(d)
    fs = [function(draws, d, L, centre=centre) for _ in range(M)]
    x = draws.vector(d)

    def steep(at: Vector) -> Number:
        return norm(mean([f.gradient(at) for f in fs]))

    # with one centre the mean's infimum is the mean of the infima
    gap = average([f.value(x) - f.infimum for f in fs])
    first, outcomes = steep(x), draws.whole(1, 2)
    later = [average([steep(draws.vector(d)) for _ in range(outcomes)]) for _ in range(draws.whole(0, 2))]
    least = min([first, *later])
    return {
        "L": L, "L_max": L, "gap": gap, "size": first, "f_gap": gap, "grad0": first, "floor": least, "low": least,
    }  # fmt: skip


TRIALS = (
    *each(
        gradient_step,
        "descent lemma at x − ∇h(x)/L",
        "descent lemma at x − ∇f_i(x)/L",
    ),
    *each(gradient_descent, "descent lemma of an L-smooth f, for a step −∇f/L", "0 ≤ min‖∇f‖ ≤ ‖∇f(xᵏ)‖"),
    *each(any_step, "descent lemma of an L-smooth f", "descent lemma from xᵏ to xᵏ⁺¹"),
    *each(normalised_step, "descent lemma at xᵏ − ηG/‖G‖ where G ≠ 0"),
    *each(
        gradient_norms,
        "‖∇f_i‖² ≤ 2L(f_i − f_i^inf) for L-smooth f_i",
        "f, a mean of L_max-smooth functions, is L_max-smooth: ‖∇f(x⁰)‖² ≤ 2L_max(f(x⁰) − f^inf)",
        "the minimum is over k = 0 too: min E‖∇f‖ ≤ ‖∇f(x⁰)‖",
    ),
)
