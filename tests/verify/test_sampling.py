"""A statistical witness: when it refutes, what makes a longer run independent, and how it stands in the results."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from verify.claim import Claim
from verify.results import document, entry, validate
from verify.sampling import Sample, Sampling, most_whatever_the_law, sample
from verify.verdict import establish

BELOW = Sampling(
    "E x >= 9",
    "runs of which each gives 1",
    ">=",
    9.0,
    tuple(sample(dict.fromkeys(seeds, 1.0), "upper", 0.01) for seeds in ((0, 1, 2), (3, 4, 5, 6))),
)


def test_a_statistical_witness_has_its_samples_in_the_results() -> None:
    claim = Claim(
        "NEC-TEST", "alpha-normec", "nowhere", "step", "printed", "reason", statistical=lambda: BELOW
    )
    told = entry(establish(claim))
    validate(document([told]))
    assert told["reason"] == "reason (by a statistical witness, at 1e-06)."
    found = told["witness"]
    assert (found["lhs"], found["comparison"], found["rhs"]) == (f"{BELOW.nearest:.2f}", ">=", "9")
    assert [sample["n"] for sample in found["samples"]] == [3, 4]
    assert [sample["seeds"] for sample in found["samples"]] == [[0, 1, 2], [3, 4, 5, 6]]
    assert found["values"] == {
        "n of the further runs": "4",
        "their mean": "1.0000",
        "limit from them": f"{BELOW.samples[1].limit:.4f}",
    }
    assert found["error_rate"] == 1e-6


def test_samples_refute_where_both_limits_lie_beyond() -> None:
    """At n = 3 the limit lies t(2; 1 − 1e-6) = 707.1 standard errors off."""
    limits = [sample.limit for sample in BELOW.samples]
    assert limits[0] == pytest.approx(1 + 707.1 * 0.01 / math.sqrt(3), abs=1e-3)
    assert BELOW.refutes
    assert not replace(BELOW, bound=limits[0]).refutes
    assert not replace(BELOW, comparison="<=").refutes
    above = tuple(sample(dict.fromkeys(s.seeds, 1.0), "lower", 0.01) for s in BELOW.samples)
    assert replace(BELOW, comparison="<=", bound=-9.0, samples=above).refutes


def test_a_limit_that_takes_no_law_for_granted_has_to_lie_beyond_too() -> None:
    assert replace(BELOW, any_law=8.9).refutes
    assert not replace(BELOW, any_law=9.0).refutes
    assert replace(BELOW, any_law=8.9).nearest == 8.9


def test_the_limit_by_the_largest_value_is_wrong_as_seldom_as_it_says(monkeypatch) -> None:
    """The worst law for n draws at the error rate δ: a part δ^(1/n) at 0, the rest at the end. All draws are 0 with probability δ, and
    the limit is the expectation itself."""
    monkeypatch.setattr("verify.sampling.ERROR_RATE", 0.2)
    n, most, runs = 5, 100.0, 20_000
    part = 0.2 ** (1 / n)
    draws = np.where(np.random.default_rng(0).random((runs, n)) < part * 0.999, 0.0, most)
    expectation = most * (1 - part * 0.999)
    wrong = np.mean([most_whatever_the_law(list(row), most) < expectation for row in draws])
    assert wrong == pytest.approx(0.2 * 0.999**n, abs=5 * math.sqrt(0.2 * 0.8 / runs))
    assert most_whatever_the_law([3.0, 7.0], 7.0) == 7.0


@pytest.mark.parametrize("values", [[], [50.0, 100.5]])
def test_values_beyond_their_end_are_refused(values: list[float]) -> None:
    with pytest.raises(ValueError, match="at least one value, each at most 100"):
        most_whatever_the_law(values, 100.0)


@pytest.mark.parametrize("seeds", [(5, 6), (3, 4, 5, 0)], ids=["shorter", "a seed twice"])
def test_a_longer_run_is_longer_and_independent(seeds: tuple[int, ...]) -> None:
    first, _ = BELOW.samples
    with pytest.raises(ValueError, match="no independent longer run"):
        replace(BELOW, samples=(first, Sample(seeds, 1.0, 2.0)))


def test_one_run_has_no_interval() -> None:
    with pytest.raises(ValueError, match="1 values have no interval"):
        sample({0: 1.0}, "upper", 0.1)
