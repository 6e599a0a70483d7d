"""1/P and ν/P, where a_k is the mean of the updates received: neither can be less. The proofs' conditions can be met for every r < n,
runs of the method agree, and false neighbours of the steps are refuted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy

from verify.dp_normfedavg.letters import C, E, eta
from verify.dp_normfedavg.ours import nobody_sends as nobody
from verify.dp_normfedavg.ours import received_noise as noise
from verify.dp_normfedavg.ours import received_point as point
from verify.dp_normfedavg.theorems import who_sends
from verify.facts import Fact, equal
from verify.obligation import Settings, obligation

QUICK = Settings(minimise=False)
CASES = [(2, "1", 1, 1), (2, "199/100", 3, 2), (5, "1/2", 1, 7), (6, "5", 2, 1)]
"""n, r, E, α."""


def _met(facts: tuple[Fact, ...], values: Mapping[Any, Any]) -> list[str]:
    """Which of the hypotheses fail at these numbers."""
    exact = {
        letter: sympy.Rational(str(value)) if isinstance(value, Fraction) else value
        for letter, value in values.items()
    }
    return [fact.name for fact in facts if fact.relation.subs(exact) != sympy.true]


@pytest.mark.parametrize(("n", "r", "E_", "alpha"), CASES)
@pytest.mark.parametrize("share", ["1", "9/10", "999/1000"])
def test_every_smaller_factor_at_the_start_has_its_run(
    n: int, r: str, E_: int, alpha: int, share: str
) -> None:
    """x = 1, as printed, and x below 1/P by a little, with y = 100 at γ/L."""
    some, _, _ = who_sends.moments(n, Fraction(r))
    first = Fraction(1) if share == "1" else Fraction(share) / some
    delta, second = 1 - first * some, Fraction(100)
    rho = min(delta, some * delta) * alpha / (1000 * E_)
    step = rho / (2 * alpha)
    h = step * E_
    K = Fraction(int(4 / (some * delta * h)) + 1)
    values = {
        nobody.some: some, nobody.first: first, nobody.second: second, nobody.delta: delta, nobody.rho: rho, nobody.h: h, eta: step,
        E: Fraction(E_), C: Fraction(E_), nobody.alpha: Fraction(alpha), nobody.K: K, nobody.start: some * K * h,
    }  # fmt: skip
    assert not _met(
        (nobody.LESS, nobody.SMALL, nobody.MANY, nobody.AT, nobody.UNIT, nobody.STEP, nobody.TOTAL), values
    )


@pytest.mark.parametrize(("n", "r", "E_", "alpha"), [*CASES, (3, "3", 1, 1)])
@pytest.mark.parametrize("clipping", [True, False])
def test_every_smaller_factor_at_the_noise_has_its_run(
    n: int, r: str, E_: int, alpha: int, clipping: bool
) -> None:
    """y = 0.99 ν/P with x = 100 at the start; κ = 1, K = 10³² and m between 1/h and 1/h²."""
    some, _, nu = who_sends.moments(n, Fraction(r))
    kappa, first, second = (
        sympy.Integer(1),
        sympy.Integer(100),
        sympy.Rational(str(nu / some)) * sympy.Rational(99, 100),
    )
    some, nu = sympy.Rational(str(some)), sympy.Rational(str(nu))
    delta, rho, K = nu / some - second, sympy.Rational(1, 10**16), 10**32
    h = rho * E_ / (2 * alpha)
    least = sympy.Integer(0 if clipping else 1)
    g2 = h * kappa * delta / 8
    g = sympy.Rational(Fraction(float(sympy.sqrt(g2)) * 0.99)) if clipping else h * min(1, kappa * delta / 8)
    values = {
        noise.some: some, noise.nu: nu, noise.kappa: kappa, noise.v: some + nu * kappa, noise.first: first, noise.second: second,
        noise.delta: delta, noise.h: h, noise.rho: rho, noise.K: sympy.Integer(K), noise.m: sympy.Integer(10**26), noise.g: g,
        noise.slope: g if clipping else sympy.Integer(1), noise.off: g**2 / 2 if clipping else g / 2, noise.least: least,
        noise.q: sympy.Integer(10**4), eta: h / E_, E: sympy.Integer(E_), C: sympy.Integer(E_), noise.alpha: sympy.Integer(alpha),
    }  # fmt: skip
    facts = (
        noise.LESS,
        noise.M_ROUNDS,
        noise.MANY,
        noise.SMALL,
        point.FLAT,
        noise.SCALE,
        noise.UNIT,
        noise.STEP,
    )
    assert not _met(facts, values)


@pytest.mark.parametrize(("kappa", "rho", "runs_"), [(4.0, 0.04, 400)])
def test_the_noise_of_a_round_against_a_pull_of_P(kappa: float, rho: float, runs_: int) -> None:
    """Normalised messages of two equal all but flat clients, each drawn with probability 1/2, from w₀ = η: the run breaks (3)
    with 0.9 ν/P at γ/L, and is not beyond it with 1.1 ν/P."""
    rng = np.random.default_rng(1)
    step, K = rho / 2, round(kappa / rho**2)
    some, nu = 3 / 4, 5 / 8
    w, total = np.full(runs_, step), np.zeros(runs_)
    for _ in range(K):
        total += np.abs(w)
        senders = rng.binomial(2, 0.5, runs_)
        sent = np.sign(w) + rng.normal(size=runs_) * np.sqrt(kappa / np.maximum(senders, 1))
        w = w - step * np.where(senders > 0, sent, 0)
    left = (2 - rho**2) * total / K
    error = 6 * left.std() / np.sqrt(runs_)

    def right(first: float, second: float) -> float:
        return first * step / K + second * kappa * step + step

    assert left.mean() - error > right(1 / some, 0.9 * nu / some)
    assert left.mean() + error < right(1 / some, 1.1 * nu / some)


_h, _P = nobody.h, nobody.some
FALSE = {
    "a pull in every round": replace(
        nobody.ROUND, goal=obligation("x", (), nobody.place_next >= nobody.place - _P * _h / 2).goal
    ),
    "a factor of 1/P at the start": replace(
        nobody.CORE,
        given=tuple(fact for fact in nobody.CORE.given if fact is not nobody.LESS),
    ),
    "noise as if everybody sent": replace(
        noise.ROUND,
        goal=obligation(
            "x", (), equal(noise.yn2, noise.y2 - 2 * _h * _P * noise.pull + _h**2 * (_P * noise.square + noise.kappa))
        ).goal,
    ),
    "a full pull": replace(
        noise.ROUND,
        goal=obligation(
            "x", (), equal(noise.yn2, noise.y2 - 2 * _h * noise.pull + _h**2 * (_P * noise.square + noise.nu * noise.kappa))
        ).goal,
    ),
    "E w⁴ falls by 19h²vD": replace(
        noise.FALLS,
        goal=obligation(
            "x", (), noise.w4n <= noise.w4 - 19 * _h**2 * noise.v * noise.y2 + noise._cubes
        ).goal,
    ),
    "local steps that change nothing": replace(
        point.UPDATE, goal=obligation("x", (), equal(point.pulled, point.rise)).goal
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FALSE)
def test_false_neighbour_is_refuted(name: str) -> None:
    assert FALSE[name].discharge(QUICK).status == "refuted"
