"""Trials of what smoothness says of one step: the descent lemma, and the norm of a gradient against the distance to the infimum."""

from __future__ import annotations

from verify.textbook.draws import Draws, average, dot, mean, minus, norm, plus, scaled, square
from verify.textbook.functions import function
from verify.textbook.trial import Values, each


def gradient_step(draws: Draws) -> Values:
    """From x to x − ∇f(x)/L."""
    L, d = draws.positive(), draws.whole(1, 3)
    f, x = function(draws, d, L), draws.vector(d)
    g = f.gradient(x)
    onward, size = f.value(minus(x, scaled(1 / L, g))), norm(g)
    return {
        "L": L, "h": f.value(x), "h_next": onward, "g2": size**2, "h_min": f.infimum,
        "f_i": f.value(x), "f_i_next": onward, "g_i": size, "f_now": f.value(x), "f_next": onward, "grad": size,
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
    """One function, or the mean of several, of infima of their own."""
    L, d, M = draws.positive(), draws.whole(1, 3), draws.whole(1, 4)
    centre = draws.vector(d)
    fs = [function(draws, d, L, centre=centre) for _ in range(M)]
    x = draws.vector(d)
    own = fs[0].value(x) - fs[0].infimum
    # with one centre the mean's infimum is the mean of the infima
    total = average([f.value(x) - f.infimum for f in fs])
    return {
        "L": L, "L_max": L, "gap": own, "size": norm(fs[0].gradient(x)), "f_gap": total,
        "grad0": norm(mean([f.gradient(x) for f in fs])),
    }  # fmt: skip


TRIALS = (
    *each(
        gradient_step,
        "descent lemma at x − ∇h(x)/L",
        "descent lemma at x − ∇f_i(x)/L",
        "descent lemma of an L-smooth f, for a step −∇f/L",
    ),
    *each(any_step, "descent lemma of an L-smooth f", "descent lemma from xᵏ to xᵏ⁺¹"),
    *each(normalised_step, "descent lemma at xᵏ − ηG/‖G‖ where G ≠ 0"),
    *each(
        gradient_norms,
        "‖∇f_i‖² ≤ 2L(f_i − f_i^inf) for L-smooth f_i",
        "f, a mean of L_max-smooth functions, is L_max-smooth: ‖∇f(x⁰)‖² ≤ 2L_max(f(x⁰) − f^inf)",
    ),
)
