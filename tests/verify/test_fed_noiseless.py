"""The bounds without noise (`verify.fed_alpha_normec.ours.noiseless`): no more is shown, and the steady trap comes near them."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import numpy as np
import pytest
import sympy

from verify.facts import derived
from verify.fed_alpha_normec.counterexamples import steady
from verify.fed_alpha_normec.lemmas import descent as de
from verify.fed_alpha_normec.letters import R, eta
from verify.fed_alpha_normec.ours import noiseless as qu
from verify.fed_alpha_normec.theorems import small_spread
from verify.obligation import Obligation, Settings
from verify.proof import Proof


def _step(proof: Proof, name: str) -> Obligation:
    (found,) = (node for node in proof.nodes if node.name.startswith(name))
    assert isinstance(found, Obligation)
    return found


def _shown(step: Obligation) -> bool:
    return step.discharge(Settings(minimise=False, seconds=5.0)).ok


def _changed(step: Obligation, old: sympy.Basic, new: sympy.Basic) -> Obligation:
    relation = step.goal.relation.xreplace({old: new})
    assert relation != step.goal.relation
    return replace(step, goal=derived("changed", relation))


_FALL = de.f - eta * qu.fall
_SUM = 3 * qu.first + 2 * R + qu.drift + qu._HALF
CHANGES = [
    (qu.OFF_THE_BALL, _FALL, _FALL - eta * qu.fall / 10),
    (_step(qu.GRADIENT, "‖∇f(xᵏ) − v̂ᵏ⁺¹‖ ≤ E"), qu.far, qu.far * sympy.Rational(99, 100)),
    (_step(qu.PASSES, "‖∇f(xᵏ) − v̂ᵏ⁺¹‖ ≤ E"), qu.far, qu.far * sympy.Rational(99, 100)),
    (_step(qu.GRADIENT, "min‖∇f‖ ≤ √(E² + A²)"), qu.far**2, qu.far**2 * sympy.Rational(99, 100)),
    (qu.LONG, 4 * qu.ell * qu.times, 5 * qu.ell * qu.times),
    (qu.QUADRATIC, 12 * qu.times + 8 * qu.root, 12 * qu.times + 7 * qu.root),
    (qu.PAID, 3 * qu.first + qu.drift, 2 * qu.first + qu.drift),
    (_step(qu.PRINTED, "R ≥ 4Lη"), 4 * qu.L * eta, 5 * qu.L * eta),
    (_step(qu.PRINTED, "κ · 3ηκk/8 ≤ e"), 2 * qu.bias, 2 * qu.bias * sympy.Rational(9, 10)),
    (_step(qu.PRINTED, "‖∇f(xᵏ) − v̂ᵏ⁺¹‖ ≤ E_k"), qu.far_k, qu.far_k - qu.nearer / 10),
    (_step(qu.PRINTED, "‖∇f‖² ≥ E_k²"), qu.fall_k + qu._HALF, 2 * qu.fall_k + qu._HALF),
    (_step(qu.PRINTED, "f' ≤ f − ηd_k"), qu.fall_k, qu.fall_k * sympy.Rational(11, 10)),
    (_step(qu.PRINTED, "κ²(f(x⁰) − f^inf) ≤"), 256 * qu.first**2, 255 * qu.first**2),
    (_step(qu.PRINTED, "min‖∇f‖ ≤ √((R + e)²"), (R + qu.bias) ** 2, R**2 + qu.bias**2),
    (_step(qu.PRINTED, "(R + e)² + (ρ + Lη/2)²"), _SUM, _SUM - R - qu.drift),
    (_step(qu.PRINTED, "min‖∇f‖ ≤ 3ρ"), _SUM, _SUM - qu._HALF),
]


@pytest.mark.parametrize(("step", "old", "new"), CHANGES, ids=[step.name for step, _, _ in CHANGES])
def test_no_more_is_shown(step: Obligation, old: sympy.Expr, new: sympy.Expr) -> None:
    assert _shown(step)
    assert not _shown(_changed(step, old, new))


def test_a_larger_spread_is_not_covered() -> None:
    """48(16+√255) is the end of it: with one per thousand more the quadratic in f(x⁰) − f^inf has a zero."""
    larger = small_spread.small(qu.LIMIT * sympy.Rational(1001, 1000), "more")
    given = tuple(larger if fact == qu.SMALL else fact for fact in qu.QUADRATIC.given)
    assert given != qu.QUADRATIC.given
    assert not _shown(replace(qu.QUADRATIC, given=given))

    def least(root: float) -> float:
        t = np.linspace(0, 2000, 200_001)
        return float(np.min((12 * t + 8 * root) ** 2 - (1 + t) * root**2 / 4))

    assert least(float(qu.LIMIT)) >= 0
    assert least(float(qu.LIMIT) * 1.001) < 0
    assert math.floor(float(qu.LIMIT) ** 2) == 2_354_685


def test_the_error_at_the_server_is_zero_because_there_is_no_noise() -> None:
    assert _shown(qu.SAME)
    given = tuple(fact for fact in qu.SAME.given if fact != qu.QUIET)
    assert not _shown(replace(qu.SAME, given=given))


def test_the_steady_trap_is_below_the_bound_and_not_far() -> None:
    t = steady.Steady(steady.NUMBERS)
    level = float(t.R) + 1 / 2 * float(t.L * t.gamma) * math.sqrt(2 * t.L * (t.gap + t.Delta))
    rate = float(t.gap / ((t.K + 1) * t.eta) + t.L * t.eta / 2)
    assert 0.95 < float(t.smallest()) / math.hypot(level, rate) < 1


def test_a_step_off_the_ball_falls_as_much_as_is_said_in_the_plane() -> None:
    """Any G within E of g: the step along it gains at least η√(‖g‖² − E²), and for the worst G no more."""
    draw = random.Random(0)
    closest = math.inf
    for _ in range(2000):
        a, e = draw.uniform(0.1, 3), draw.uniform(0, 1)
        E = e * a
        angle, size = draw.uniform(0, 2 * math.pi), E * math.sqrt(draw.random())
        G = (a + size * math.cos(angle), size * math.sin(angle))
        gain = a * G[0] / math.hypot(*G)
        assert gain >= math.sqrt(a * a - E * E) - 1e-12
        worst = (a - E * e, E * math.sqrt(1 - e * e))
        closest = min(closest, a * worst[0] / math.hypot(*worst) - math.sqrt(a * a - E * E))
    assert abs(closest) < 1e-12
