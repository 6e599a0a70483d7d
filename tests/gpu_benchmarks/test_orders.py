"""Pairs of methods, as printed and in our runs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gpu_benchmarks.comparison import compare
from gpu_benchmarks.config import Config, with_readings
from gpu_benchmarks.orders import (
    AGAINST,
    BETAS,
    CLOSE,
    METHOD,
    OPPOSITE,
    SAME,
    counted,
    curves,
    orders,
    overtaken,
    shorter,
)
from gpu_benchmarks.reported import load
from tests_support import record_of

ALL = load()
NORMEC = Config(beta=0.1, gamma=0.1)  # printed 86.09
DP_SGD = replace(NORMEC, method="dp_sgd", gamma=1.0)  # printed 79.68


def run(config: Config, *accuracies: float | None):
    """accuracies: of the first rounds; the last one stays."""
    stay = [accuracies[-1]] * (config.rounds - len(accuracies))
    return record_of([*accuracies, *stay], config, rounds=config.rounds)


def pairs(*records):
    return orders(ALL, compare(ALL, records), records)


def test_every_pair_is_of_printed_single_accuracies():
    numbers = {number.id: number for number in ALL.numbers}
    for name in (METHOD, *AGAINST):
        for beta in BETAS:
            number = numbers[f"{name}-{beta}"]
            assert (number.kind, number.metric, number.low) == ("value", "final", number.high)
            assert number.config["beta"] == float(beta)


@pytest.mark.parametrize(
    ("first", "second", "standing"),
    [(88.0, 86.0, SAME), (86.0, 88.0, OPPOSITE), (87.0, 86.0, CLOSE), (86.0, 87.38, CLOSE)],
)
def test_an_order_is_told_where_seeds_do_not_make_it(first, second, standing):
    """Two single runs: 1.96 · 0.5 · √2 = 1.386 points."""
    (order,) = pairs(run(NORMEC, first), run(DP_SGD, second))
    assert order.standing == standing
    assert order.printed == pytest.approx(86.09 - 79.68)
    assert order.ours == pytest.approx(first - second)
    assert order.reach == pytest.approx(1.386, abs=1e-3)
    assert counted([order.to_dict()]) == f"1 {standing}"


def test_a_printed_difference_that_two_runs_may_make_is_no_order():
    """Without server normalisation 86.09 is printed, with it 85.43."""
    (order,) = pairs(run(NORMEC, 80.0), run(replace(NORMEC, server_normalisation=True), 90.0))
    assert order.printed == pytest.approx(0.66)
    assert order.printed_reach == pytest.approx(1.386, abs=1e-3)
    assert order.standing == CLOSE


def test_more_seeds_bring_two_methods_apart():
    records = [
        run(replace(cell, seed=s), a) for s in range(8) for cell, a in ((NORMEC, 87.0), (DP_SGD, 86.0))
    ]
    (order,) = pairs(*records)
    assert order.reach == pytest.approx(1.386 / 8**0.5, abs=1e-3)
    assert order.standing == SAME


def test_runs_under_different_readings_make_no_pair():
    other = with_readings(DP_SGD, augmentation="crop-and-flip")
    assert pairs(run(NORMEC, 88.0), run(other, 86.0)) == []
    assert pairs(run(NORMEC, 88.0)) == []


def test_a_loss_that_is_no_number_is_none():
    lost = run(NORMEC, 10.0)
    lost.metrics["train_loss"][-1] = None
    (order,) = pairs(lost, run(DP_SGD, 86.0))
    assert order.losses[0] is None
    assert order.losses[1] is not None


def test_a_printed_accuracy_is_overtaken_where_the_mean_over_five_rounds_reaches_it():
    curve = [80.0] * 10 + [87.0]  # from round 11 on; four of them and one of 80 are 85.6, five are 87
    records = [run(NORMEC, *curve), run(DP_SGD, 79.0)]
    (found,) = overtaken(compare(ALL, records), records)
    assert (found.id, found.at, found.of) == ("NEC-F8-NORMEC-0.1", 15, 300)
    assert found.printed == 86.09
    assert found.by == pytest.approx(87.0 - 86.09)


def test_curves_are_means_over_the_runs_and_have_gaps_where_one_was_not_tested():
    records = [run(NORMEC, 80.0, None, 86.0), run(replace(NORMEC, seed=1), 82.0, 84.0, 87.0)]
    (curve,) = curves(compare(ALL, records), records)
    assert (curve["id"], curve["method"], curve["beta"], curve["printed"]) == (
        "NEC-F8-NORMEC-0.1",
        "α-NormEC",
        0.1,
        86.09,
    )
    assert curve["test_accuracy"][:3] == [81.0, None, 86.5]
    assert curve["train_loss"] == [1.0] * 300


def test_what_is_not_tested_after_every_round_overtakes_nothing():
    records = [run(NORMEC, None, 88.0)]
    assert overtaken(compare(ALL, records), records) == []


def ended(*records):
    return shorter(ALL.rule, compare(ALL, records), records)


def test_shorter_runs_are_looked_back_at_where_they_would_meet_more():
    """86.09 and 79.68 are printed: the first run is there from round 5 to 20, the second from round 15 to 30."""
    first = run(NORMEC, *[86.0] * 20, 99.0)
    second = run(DP_SGD, *[20.0] * 10, *[79.0] * 20, 99.0)
    found = ended(first, second)
    assert found is not None
    assert (found.at, found.of) == (20, 300)  # 15 to 20 do as well: the largest counts
    assert (set(found.met), found.missed, found.whole) == ({"NEC-F8-NORMEC-0.1", "NEC-F8-DPSGD-0.1"}, (), ())
    assert "of all 2, 0 are met by the rule after 300 rounds, and 2 after 20" in found.told


def test_shorter_runs_say_what_they_miss():
    found = ended(run(NORMEC, *[86.0] * 20, 99.0), run(DP_SGD, 20.0))
    assert found is not None
    assert (found.met, found.missed) == (("NEC-F8-NORMEC-0.1",), ("NEC-F8-DPSGD-0.1",))


@pytest.mark.parametrize("accuracies", [(86.0,), (99.0, 86.0), (20.0,), (None, 86.0)])
def test_shorter_runs_are_not_spoken_of_where_all_rounds_do_as_well(accuracies):
    assert ended(run(NORMEC, *accuracies)) is None
