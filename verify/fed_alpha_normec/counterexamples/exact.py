"""Fed-α-NormEC run exactly on the line, as literally as Algorithm 1 prints it.

A client's local work is a list of functions: [f_i] · T for T local gradient steps, [f_{i,0}, …, f_{i,N−1}] for one pass of
incremental gradient. P_i(x) = (x − T_i(x))/γ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from verify.exact import Curve, normalise, sign

Work = Sequence[Curve]


def update(work: Work, x: Fraction, gamma: Fraction) -> Fraction:
    """P_i(x) = (x − T_i(x))/γ for local steps of length γ/(number of steps)."""
    y, step = x, gamma / len(work)
    for f in work:
        y -= step * f.gradient(y)
    return (x - y) / gamma


@dataclass(frozen=True)
class State:
    """xᵏ, the memories v_iᵏ and the server's v̂ᵏ."""

    x: Fraction
    v: tuple[Fraction, ...]
    server: Fraction


def advance(
    clients: Sequence[Work], state: State, alpha: Fraction, beta: Fraction, gamma: Fraction, eta: Fraction
) -> State:
    """One round with p = 1 and no noise."""
    sent = [
        normalise(alpha, update(work, state.x, gamma) - v) for work, v in zip(clients, state.v, strict=True)
    ]
    v = tuple(a + beta * b for a, b in zip(state.v, sent, strict=True))
    server = state.server + beta / len(clients) * sum(sent, Fraction(0))
    return State(state.x - eta * sign(server), v, server)


def begin(x: Fraction, v: Sequence[Fraction]) -> State:
    """x⁰, v_i⁰ and v̂⁰ = (1/M) Σ v_i⁰."""
    return State(x, tuple(v), sum(v, Fraction(0)) / len(v))


def curve(*points: tuple[object, object], level: object = 0, at: object | None = None) -> Curve:
    """A function from points (place, f' there); `level` is its value at the first knot, or at the place `at`."""
    knots = tuple(Fraction(str(a)) for a, _ in points)
    slopes = tuple(Fraction(str(b)) for _, b in points)
    found = Curve(knots, slopes)
    shift = Fraction(str(level)) - (found.value(Fraction(str(at))) if at is not None else 0)
    return Curve(knots, slopes, shift)


def plus(*parts: Curve) -> Curve:
    """The sum of functions, knot by knot."""
    knots = tuple(sorted({t for part in parts for t in part.knots}))
    slopes = tuple(sum((part.gradient(t) for part in parts), Fraction(0)) for t in knots)
    return Curve(knots, slopes, sum((part.value(knots[0]) for part in parts), Fraction(0)))


def times(factor: Fraction, f: Curve) -> Curve:
    """factor · f: the same function in other units."""
    return Curve(f.knots, tuple(factor * s for s in f.slopes), factor * f.origin)


def mean(parts: Sequence[Curve]) -> Curve:
    """(1/M) Σ f_i."""
    return times(Fraction(1, len(parts)), plus(*parts))


def same(f: Curve, g: Curve) -> bool:
    """Whether two functions are the same."""
    knots = {*f.knots, *g.knots}
    return f.value(f.knots[0]) == g.value(f.knots[0]) and all(f.gradient(t) == g.gradient(t) for t in knots)


def dip(place: object, width: object, factor: int = 1) -> Curve:
    """A dip of depth 2·width² and curvature 1 that starts at `place` and is 6·width long; with factor −1 a hill."""
    a, w = Fraction(str(place)), Fraction(str(width))
    places = [a, a + w, a + 2 * w, a + 3 * w, a + 4 * w, a + 5 * w, a + 6 * w]
    slopes = [0, -1, -1, 0, 1, 1, 0]
    return Curve(tuple(places), tuple(factor * s * w for s in slopes))


def with_dips(functions: Sequence[Curve], places: Sequence[object], width: object) -> list[Curve]:
    """Each function gets a dip at its own place and the next one a hill there: the mean does not change, every
    infimum falls to −2·width² if it was 0 and the places lie where all functions are 0."""
    M = len(functions)
    return (
        [plus(f, dip(places[i], width), dip(places[i - 1], width, -1)) for i, f in enumerate(functions)]
        if M > 1
        else list(functions)
    )
