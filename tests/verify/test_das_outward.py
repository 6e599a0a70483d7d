"""The witness against Theorem 6 at r = 1: its clients, and its cycle by Algorithm 1 itself, in coordinates and 70 digits."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal, getcontext
from fractions import Fraction
from math import exp, factorial

import numpy as np
import pytest

from verify.dp_normfedavg.counterexamples.outward import WITNESS, Bounds, bounds

getcontext().prec = 70
V = WITNESS.values
Vector = tuple[Decimal, ...]
"""(x, h, z of the client)."""


def number(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)


ETA, L, R, BETA = (number(V[name]) for name in ("eta", "L", "R", "beta"))
MU = {"down": number(V["mu_down"]), "up": number(V["mu_up"]), "kick": number(V["mu_down"])}


def dot(a: Vector, b: Vector) -> Decimal:
    return sum((s * t for s, t in zip(a, b, strict=True)), Decimal(0))


def minus(a: Vector, b: Vector) -> Vector:
    return tuple(s - t for s, t in zip(a, b, strict=True))


def corners(mu: Decimal) -> list[Vector]:
    """Of K(μ): 0 and the N others of the docstring."""
    slopes = [number(V["slope"] * V["growth"] ** j) for j in range(int(V["N"]))]
    found, depth = [(Decimal(0), Decimal(0)), (Decimal(0), slopes[0])], Decimal(0)
    for j in range(1, len(slopes)):
        depth += j * (slopes[j] - slopes[j - 1]) / number(V["N"])
        found.append((-mu * depth, slopes[j]))
    return found


CORNERS = {name: corners(mu) for name, mu in MU.items()}


def nearest(polygon: list[Vector], p: Vector) -> Vector:
    """The nearest point of the boundary, or p where it is inside of the polygon, whose corners go clockwise."""
    best, least, inside = p, Decimal("Infinity"), True
    for start, end in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
        edge, away = minus(end, start), minus(p, start)
        inside &= edge[0] * away[1] - edge[1] * away[0] >= 0
        part = min(max(dot(edge, away) / dot(edge, edge), Decimal(0)), Decimal(1))
        at = start[0] + part * edge[0], start[1] + part * edge[1]
        far = minus(p, at)
        if dot(far, far) < least:
            best, least = at, dot(far, far)
    return p if inside else best


def a(x: Decimal) -> tuple[Decimal, Decimal]:
    """a(x) and a'(x)."""
    bend = R / 10**6
    if x <= bend:
        return Decimal(0), Decimal(0)
    if x <= 2 * bend:
        return (x - bend) ** 2 / (2 * bend), (x - bend) / bend
    return x - Decimal("1.5") * bend, Decimal(1)


def gradient(kind: str, w: Vector) -> Vector:
    x, h, z = w
    mu, polygon = MU[kind], CORNERS[kind]
    if kind == "kick":
        (value, slope), scale = a(x), a(R)[0]
        t = value / scale
        g = nearest(polygon, (t / mu, (1 + BETA) * t - h))
        return slope / scale * (g[0] / mu + (1 + BETA) * g[1]) + max(x - R, Decimal(0)) / 2, -g[1], Decimal(0)
    sign = 1 if kind == "down" else -1
    c = 1 / (mu * R)
    s = (1 - c * c).sqrt()
    g = nearest(polygon, (c * x + s * z, sign * h))
    return c * g[0], sign * g[1], s * g[0]


def update(kind: str, w: Vector) -> Vector:
    """ηu."""
    v = w
    for _ in range(int(V["E"])):
        v = minus(v, tuple(ETA * part for part in gradient(kind, v)))
    return minus(w, v)


def sent(kind: str, w: Vector, *, cut: bool) -> Vector:
    """η times the message, which is cut or not, as it should be."""
    found = update(kind, w)
    length = dot(found, found).sqrt()
    assert (length > 1) == cut
    return tuple(part / max(length, Decimal(1)) for part in found)


@pytest.fixture(scope="module")
def found() -> Bounds:
    return bounds(V)


def test_it_stands_by_a_wide_margin() -> None:
    stands, result = WITNESS.stands()
    assert stands
    assert 1.5 < result.lhs < 1.51


@pytest.mark.parametrize(
    ("unmet", "changes"),
    [
        ("what is to be cut is cut", {"E": 150}),
        ("a cycle takes w outwards in the mean", {"slope": Fraction(1, 300)}),
        ("what is to be cut is cut", {"slope": Fraction(1, 500)}),
        ("what is to be cut is cut", {"mu_up": Fraction(2, 10**6)}),
        ("what is to be cut is cut", {"beta": 0}),
        ("what is to be small is small", {"mu_up": Fraction(2, 10**3)}),
        ("the chance of an exit is at most root²", {"n": Fraction(10**250)}),
        ("the chance of an exit is at most root²", {"Q": 10**5}),
        ("the chance of an exit is at most root²", {"most": 150}),
        ("K > 2γ/(ĈE)/ρ, that is ηL < ½", {"eta": Fraction(1, 2)}),
    ],
)
def test_what_the_bound_presupposes(unmet: str, changes: dict[str, Fraction]) -> None:
    stands, result = replace(WITNESS, values={**V, **{k: Fraction(x) for k, x in changes.items()}}).stands()
    assert not stands
    assert unmet in result.unmet


def test_too_few_rounds_break_nothing() -> None:
    stands, result = replace(WITNESS, values={**V, "k": Fraction(266 * 10**40)}).stands()
    assert not stands
    assert not result.unmet
    assert 0.99 < result.lhs < 1.01


@pytest.mark.parametrize("kind", ["down", "up", "kick"])
def test_a_client_is_convex_and_smooth_with_its_least_value_at_w_star(kind: str) -> None:
    """⟨∇f(v) − ∇f(w), v − w⟩ ≥ ‖∇f(v) − ∇f(w)‖²/L, which is both, near what bends f and on both sides of x = 0; ∇f(0) = 0."""
    rng = np.random.default_rng(0)
    places = [Decimal(0), -R, R, R / 10**6, 2 * R / 10**6, R / 3]

    def point() -> Vector:
        x, h, z = (
            Decimal(rng.normal()).scaleb(int(rng.integers(*sizes))) for sizes in ((-18, 20), (-4, 2), (-6, 9))
        )
        return places[rng.integers(len(places))] + x, h, z

    for _ in range(600):
        v, w = point(), point()
        if rng.random() < 0.5:
            w = tuple(s + (t - s) / 10**9 for s, t in zip(v, w, strict=True))
        apart = minus(gradient(kind, v), gradient(kind, w))
        assert dot(apart, minus(v, w)) >= dot(apart, apart) / L - Decimal("1e-40")
    assert gradient(kind, (Decimal(0),) * 3) == (0, 0, 0)


@pytest.mark.parametrize("m", [1, 2, 3, 5])
def test_a_cycle_is_algorithm_1(m: int, found: Bounds) -> None:
    """Message by message, from q = 12345, with clients that have not moved their z."""
    x, h, none = R - 12345 / R, Decimal(0), Decimal(0)
    kick = sent("kick", (x, h, none), cut=True)
    x, h = x - kick[0], h - kick[1]
    assert 0 < R * kick[0] < number(found.loss)
    assert abs(h - 1) < Decimal("1e-30")
    down = sent("down", (x, h, none), cut=True)
    gain = [(w.outwards - found.wobble) / j for j, w in enumerate((found.first, *found.deeper), 1)]
    slack = Decimal("1e-4")
    assert number(gain[0]) - slack < -R * down[0] < number(gain[0]) + slack
    x, h = x - m * down[0], h - m * down[1]
    for j in range(m - 1, 0, -1):
        assert abs(h + j) < number(found.H)
        up = sent("up", (x, h, none), cut=True)
        x, h = x - up[0], h - up[1]
        assert h <= 0
        if j <= len(gain):
            assert number(gain[j - 1]) - slack < -R * up[0] < number(gain[j - 1]) + slack
    assert (h > 0) == (m == 1)
    assert abs(h) < number(found.H)
    last = sent("down" if m == 1 else "up", (x, h, none), cut=False)
    assert last[0] == last[2] == 0
    assert abs(h - last[1]) <= number(found.clean)


def test_kick_takes_back_what_is_beyond_R(found: Bounds) -> None:
    x = R + 200 / R
    kick = sent("kick", (x, Decimal(0), Decimal(0)), cut=True)
    assert -number(found.loss) < R * (x - kick[0] - R) < 200 / Decimal(100)


def test_up_and_kick_are_cut_from_anywhere_below() -> None:
    for h in ("-1.5", "-2", "-7", "-250"):
        for kind in ("up", "kick"):
            sent(kind, (R, Decimal(h), Decimal(0)), cut=True)


def test_the_mean_of_a_cycle_by_a_sum_over_poisson_senders(found: Bounds) -> None:
    gain = [float(w.outwards) / j for j, w in enumerate((found.first, *found.deeper), 1)]
    chances = {m: exp(-1) / factorial(m) / (1 - exp(-1)) for m in range(1, 30)}
    lost = 1 + float(V["beta"]) - float(found.kicked.outwards / found.kicked.way)
    mean = lost - sum(p * (m * gain[0] + sum(gain[: min(m - 1, 3)])) for m, p in chances.items())
    assert mean == pytest.approx(float(found.drift), abs=1e-3)
    assert mean < found.drift
    assert sum(p * (2 * m) ** 2 for m, p in chances.items()) < 13


def test_what_is_said_of_many_senders() -> None:
    """E|h − G| ≤ h − (1 − 2/e) E G where G is what independent senders take off h, each at most h."""
    rng = np.random.default_rng(1)
    for _ in range(50):
        takes = rng.random(400) ** rng.uniform(0, 6)
        drawn = rng.random((4000, 400)) < 1 / 400
        left = np.abs(1 - drawn @ takes)
        assert left.mean() - 6 * left.std() / 4000**0.5 < 1 - (1 - 2 / np.e) * takes.mean()
