"""Who sends, where clients are drawn one by one: what the inductions sum up, against all sets, and false neighbours of their steps."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
import sympy

from verify.dp_normfedavg.letters import summed
from verify.dp_normfedavg.theorems import who_sends
from verify.dp_normfedavg.theorems.sampling import one_by_one
from verify.induction import Induction
from verify.obligation import Settings

QUICK = Settings(minimise=False)


def test_who_sends_is_counted() -> None:
    assert who_sends.ENUMERATED.run().holds
    chance, part, nu = who_sends.moments(2, Fraction(1))
    assert (chance, part, nu) == (Fraction(3, 4), Fraction(3, 8), Fraction(5, 8))
    assert who_sends.square_moment(2, Fraction(1)) == Fraction(9, 16)


def _after(steps: int, run: Induction, own: dict, each: Callable[[int], dict]) -> dict:
    """The letters of an induction after so many steps, in fractions; `each`: letters of one step, by its number from 1."""
    values = {letter: sympy.sympify(value).subs(own) for letter, value in run.start}
    for step in range(1, steps + 1):
        at = {**own, **values, **each(step)}
        values = {letter: sympy.sympify(value).subs(at) for letter, value in run.next}
    return values


@pytest.mark.parametrize(("n", "r"), [(1, "1/2"), (2, "1"), (4, "7/3"), (6, "6")])
def test_the_inductions_run_through_what_is_meant(n: int, r: str) -> None:
    """P, a client's share and the noise as the proof sums them up, against all sets."""
    t = sympy.Rational(r) / n
    own = {who_sends.n: n, who_sends.r: sympy.Rational(r), who_sends.d: 3, who_sends.sigma2: 5}
    some, part, nu = who_sends.moments(n, Fraction(r))
    clients = _after(n, who_sends.NOBODY, own, lambda step: {})
    sizes = _after(n, who_sends.SHARES, own, lambda s: {who_sends.chance: t**s * (1 - t) ** (n - s)})
    assert clients[who_sends.some] == sizes[who_sends.by_size] == some
    assert clients[who_sends.none_yet] == (1 - t) ** n
    assert sizes[who_sends.part] == part
    sets = [(len(chosen), chance) for chosen, chance in one_by_one(n, Fraction(r)) if chosen]
    noise = _after(
        len(sets),
        who_sends.NOISE,
        own,
        lambda i: dict(zip((who_sends.size, who_sends.chance), sets[i - 1], strict=True)),
    )
    assert (noise[who_sends.nu], noise[who_sends.z2]) == (nu, nu * 3 * 5)


_start: dict[Any, Any] = dict(who_sends.SHARES.start)
_next: dict[Any, Any] = dict(who_sends.SHARES.next)
MISCOUNTED = {
    "C(n − 1, s) without a client of its own": {who_sends.own: who_sends.own * (who_sends.n - who_sends.size - 1) / who_sends.size},
    "1/(s + 1) for each of s": {who_sends.part: who_sends.part + who_sends.own * who_sends.chance / (who_sends.size + 1)},
    "a set too many": {who_sends.by_size: who_sends.by_size + (who_sends.sets + 1) * who_sends.chance},
}  # fmt: skip


@pytest.mark.parametrize("name", MISCOUNTED)
def test_a_miscount_is_refuted(name: str) -> None:
    assert set(MISCOUNTED[name]) <= set(_next)
    after = {**_next, **MISCOUNTED[name]}
    found = summed("miscounted", who_sends.SHARES.invariant.relation, _start, after, ())
    assert found.base.discharge(QUICK).ok
    assert found.step.discharge(QUICK).status == "refuted"


def test_a_sum_of_noises_is_no_mean() -> None:
    start: dict[Any, Any] = dict(who_sends.NOISE.start)
    after: dict[Any, Any] = dict(who_sends.NOISE.next)
    after[who_sends.z2] = (after[who_sends.z2] - who_sends.z2) * who_sends.size**2 + who_sends.z2
    found = summed("not divided by |S|²", who_sends.NOISE.invariant.relation, start, after, (who_sends.SOME,))
    assert found.step.discharge(QUICK).status == "refuted"
