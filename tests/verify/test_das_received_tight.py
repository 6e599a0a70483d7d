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

from bounds.dp_normfedavg import choices as printed
from verify.dp_normfedavg.letters import C, E, eta
from verify.dp_normfedavg.ours import nobody_sends as nobody
from verify.dp_normfedavg.ours import received_moment as moment
from verify.dp_normfedavg.ours import received_noise as noise
from verify.dp_normfedavg.ours import received_point as point
from verify.dp_normfedavg.theorems import who_sends
from verify.dp_normfedavg.theorems.sampling import one_by_one
from verify.facts import Fact, equal, hypothesis
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
    assert printed.RHO.holds({"rho": rho})
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
    assert printed.RHO.holds({"rho": rho})
    mu = sympy.Rational(str(who_sends.square_moment(n, Fraction(r))))
    fourth = some + 6 * nu * kappa + 3 * mu * kappa**2
    h = rho * E_ / (2 * alpha)
    least = sympy.Integer(0 if clipping else 1)
    g2 = h * kappa * delta / 8
    g = sympy.Rational(Fraction(float(sympy.sqrt(g2)) * 0.99)) if clipping else h * min(1, kappa * delta / 8)
    values = {
        noise.some: some, noise.nu: nu, moment.kappa: kappa, noise.v: some + nu * kappa, noise.first: first, noise.second: second,
        noise.delta: delta, noise.h: h, noise.rho: rho, noise.K: sympy.Integer(K), noise.m: sympy.Integer(10**26), noise.g: g,
        noise.slope: g if clipping else sympy.Integer(1), noise.off: g**2 / 2 if clipping else g / 2, noise.least: least,
        noise.q: fourth, who_sends.squares: mu, eta: h / E_, E: sympy.Integer(E_), C: sympy.Integer(E_),
        noise.alpha: sympy.Integer(alpha),
    }  # fmt: skip
    facts = (
        noise.LESS,
        noise.M_ROUNDS,
        noise.MANY,
        noise.SMALL,
        point.FLAT,
        moment.KAPPA,
        moment.SCALE,
        moment.Q_IS,
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


@pytest.mark.parametrize(("n", "r"), [(1, "1/2"), (2, "1"), (4, "7/3"), (5, "5")])
@pytest.mark.parametrize("kappa", [0.1, 1.0, 7.0])
@pytest.mark.parametrize("V", [0.0, 0.3, 1.0])
def test_the_fourth_moment_of_a_round(n: int, r: str, kappa: float, V: float) -> None:
    """E[Y⁴ | w_k] set by set with Gauss's points, the noise from σ² = κE² and a variance of rσ² for each sender, against what the
    proof sums it up to; q₄ is its largest value, and no number of ρ is in it."""
    steps, sigma2 = 3.0, kappa * 9.0
    at, weights = np.polynomial.hermite_e.hermegauss(8)
    weights = weights / weights.sum()
    found = 0.0
    for chosen, chance in one_by_one(n, Fraction(r)):
        if chosen:
            spread = np.sqrt(len(chosen) * float(Fraction(r)) * sigma2) / len(chosen) / steps
            found += float(chance) * float(weights @ (V + spread * at) ** 4)
    some, _, nu = who_sends.moments(n, Fraction(r))
    values = {
        moment.some: some, moment.by_set: some, moment.nu: nu, moment.kappa: kappa, point.message: V,
        who_sends.squares: who_sends.square_moment(n, Fraction(r)),
    }  # fmt: skip
    q = moment.Q_IS.relation
    assert q.free_symbols == {noise.q, moment.some, moment.nu, who_sends.squares, moment.kappa}
    summed_up, *_ = (
        part for part in moment.FOURTH.invariant.relation.args if moment.fourth in part.free_symbols
    )
    assert found == pytest.approx(float(summed_up.rhs.subs(values)))
    most = float(q.rhs.subs(values))
    assert found == pytest.approx(most) if V == 1 else found < most


_h, _P = nobody.h, nobody.some
_MADE = (nobody.UNIT, nobody.STEP, nobody.ALPHA, noise.RHO)
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
            "x", (), equal(noise.yn2, noise.y2 - 2 * _h * _P * noise.pull + _h**2 * (_P * noise.square + moment.kappa))
        ).goal,
    ),
    "a full pull": replace(
        noise.ROUND,
        goal=obligation(
            "x", (), equal(noise.yn2, noise.y2 - 2 * _h * noise.pull + _h**2 * (_P * noise.square + noise.nu * moment.kappa))
        ).goal,
    ),
    "E w⁴ falls by 19h²vD": replace(
        noise.FALLS,
        goal=obligation(
            "x", (), noise.w4n <= noise.w4 - 19 * _h**2 * noise.v * noise.y2 + noise._cubes
        ).goal,
    ),
    "the noise of one sender, whoever sends": replace(
        moment.VARIANCE, goal=obligation("x", (), equal(moment.tau2, moment.kappa * moment.r)).goal
    ),
    "E Y⁴ without 6νκ": replace(
        moment.MOST,
        goal=obligation(
            "x", (), moment.fourth <= moment.some + 3 * who_sends.squares * moment.kappa**2
        ).goal,
    ),
    "τ² = κr/|S| for every d": replace(
        moment.VARIANCE, given=tuple(fact for fact in moment.VARIANCE.given if fact is not moment.ONE)
    ),
    "ρ < 1 by ηE ≤ 1/4": obligation("x", (*_MADE, hypothesis("h ≤ 1/4", 4 * _h <= 1)), nobody.rho < 1),
    "local steps that change nothing": replace(
        point.UPDATE, goal=obligation("x", (), equal(point.pulled, point.rise)).goal
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FALSE)
def test_false_neighbour_is_refuted(name: str) -> None:
    assert FALSE[name].discharge(QUICK).status == "refuted"
