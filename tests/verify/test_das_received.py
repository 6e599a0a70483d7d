"""Theorems 4, 6 and 7 with a_k the mean of the updates received: the witnesses with other values, the method itself, and the repair
against it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import comb

import numpy as np
import pytest

from bounds.dp_normfedavg.theorem4 import asymptotic, factor_a, factor_b, theorem4a
from verify.catalogue import claim
from verify.dp_normfedavg.counterexamples import received as runs
from verify.dp_normfedavg.theorems import received

READINGS = [f"DAS-{name}received" for name in ("T4a@", "T4b@", "T6@", "T6@specific-", "T7@", "T7@specific-")]


@pytest.mark.parametrize("name", READINGS)
def test_the_bound_falls_for_rounds_without_a_sender_only(name: str) -> None:
    witness = claim(name).witness
    assert witness
    assert witness.stands()[0]
    for change, stands in (
        ({"r": 2}, False),  # everybody in every round: P = 1
        ({"n": 3}, True),
        ({"E": 5, "rho": Fraction(1, 5000)}, True),  # ηEK as before
        ({"K": 10**6}, False),  # so many rounds that the lower bound says nothing
    ):
        moved = {**witness.values, **{key: Fraction(value) for key, value in change.items()}}
        assert replace(witness, values=moved).stands()[0] == stands, change


@pytest.mark.parametrize(("n", "r"), [(2, "1"), (2, "199/100"), (5, "1/2"), (6, "5")])
def test_every_r_below_n_and_every_smaller_factor_fail(n: int, r: str) -> None:
    """ηCKP = w₀, ρ small and w₀ large: the left side is w₀, the first term of the bound P w₀."""
    chance = 1 - (1 - Fraction(r) / n) ** n
    rho, start = Fraction(1, 10**12), Fraction(10**6)
    K = Fraction(round(2 * start / rho / chance))
    values = {**runs.WITNESS_4A.values, "n": Fraction(n), "r": Fraction(r), "rho": rho, "w0": start, "K": K}
    found = runs.WITNESS_4A.replay(values)
    assert replace(runs.WITNESS_4A, values=values).stands()[0]
    gamma = K * rho**2 / 2
    repaired = received.start(Fraction(1), Fraction(1), start, gamma, rho, chance, Fraction(1))
    assert 1 - Fraction(1, 10**5) < found.lhs / repaired < 1


@pytest.mark.parametrize("alpha", [1, 10, 10**4, 10**9])
def test_4_and_5_fall_with_them(alpha: int) -> None:
    """ηEK does not depend on α at K = (2αγ/C)/ρ²: the lower bound on E f(w_k̃) stays above the right side of (4) and (5)."""
    v = {**runs.WITNESS_4A.values, "alpha": Fraction(alpha), "K": Fraction(266667 * alpha)}
    for witness, factor in ((runs.WITNESS_4A, factor_a), (runs.WITNESS_4B, factor_b)):
        found = witness.replay(v)
        left = found.lhs / factor(v["rho"], v["E"], v["alpha"])
        assert not found.unmet
        assert left > asymptotic(v["G"], v["L"], v["w0"], Fraction(266667, 2 * 10**6), v["rho"])


def test_the_advice_at_the_clients_of_the_experiments() -> None:
    """ν = Σ_{s ≥ 1} P(|S_k| = s) r/s, exactly: 1/P and ν/P are between 1 and 1.0014."""
    n, r = 3000, 600
    nobody = Fraction(4, 5) ** n
    ways = sum(Fraction(comb(n, s) * 4 ** (n - s) * r, s) for s in range(1, n + 1))
    for factor in (Fraction(1), Fraction(ways) / 5**n):
        assert 1 < factor / (1 - nobody) < Fraction(10014, 10000)
    assert "at r = 600, n = 3000 within 0.14 % of the printed one" in claim("DAS-T4a@received").consequence


@pytest.mark.parametrize(("broken", "some"), [(True, 3 / 4), (False, 1.0)])
def test_the_bound_falls_in_the_method_itself(broken: bool, some: float) -> None:
    """Two equal Huber clients, clipping at C = 1; w₀ = 20, ρ = 0.01, and ηK = 26.67. `some`: how often somebody is drawn, each client
    with probability 1/2; 1 for everybody in every round."""
    rho, start, K, runs_ = 0.01, 20.0, 5333, 500
    eta, rng = rho / 2, np.random.default_rng(0)
    w, total = np.full(runs_, start), np.zeros(runs_)
    for _ in range(K):
        size = np.abs(w)
        total += np.where(size <= 1, size**2 / 2, size - 0.5)
        senders = rng.binomial(2, 0.5, runs_) if broken else np.full(runs_, 2)
        r = 1 if broken else 2
        # noise of a message: rσ², σ² = Kρ²; the mean of s of them
        noise = rng.normal(size=runs_) * np.sqrt(r * K * rho**2 / np.maximum(senders, 1))
        w = w - eta * np.where(senders > 0, np.clip(w, -1, 1) + noise, 0)
    left = factor_a(rho, 1, 1.0) * total / K
    error = 6 * left.std() / np.sqrt(runs_)
    gamma = K * rho**2 / 2
    printed = theorem4a(1.0, 1.0, start, gamma, rho, 1, 1.0, 0.0)
    nu = 5 / 8 if broken else 1.0
    repaired = received.start(1.0, 1.0, start, gamma, rho, some, nu)
    assert (left.mean() - error > printed) if broken else (left.mean() + error < printed)
    assert left.mean() + error < repaired
