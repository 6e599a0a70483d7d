"""The table: which records count for which number, and what is made of them."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product

import pytest
from scipy import stats

from gpu_benchmarks import student
from gpu_benchmarks.accuracies import metric
from gpu_benchmarks.comparison import compare, reduced
from gpu_benchmarks.config import Config, with_readings
from gpu_benchmarks.linear import comparison as linear
from gpu_benchmarks.protocols import protocol_of
from gpu_benchmarks.readings import Readings
from gpu_benchmarks.records import Record
from gpu_benchmarks.reported import load
from gpu_benchmarks.rows import elsewhere, off, value
from gpu_benchmarks.shapes import shapes
from tests_support import record_of

ALL = load()
CELL = Config(beta=0.1, gamma=0.1)  # NEC-F8-NORMEC-0.1, 86.09


def constant(config: Config, accuracy: float):
    return record_of([accuracy] * config.rounds, config, rounds=config.rounds)


def row(rows, name):
    return next(r for r in rows if r.number.id == name)


def test_without_records_everything_is_not_run():
    rows = compare(ALL, [])
    assert [r.number.id for r in rows] == [n.id for n in ALL.numbers]
    assert {r.verdict for r in rows} == {"not run"}


def test_a_cell_is_the_mean_over_its_seeds():
    records = [constant(replace(CELL, seed=seed), 85.0 + seed) for seed in range(3)]
    found = row(compare(ALL, records), "NEC-F8-NORMEC-0.1")
    assert found.verdict == "reproduced"
    assert found.ours.mean == pytest.approx(86.0)
    assert found.ours.seeds == (0, 1, 2)
    low, high = stats.t.interval(0.95, 2, loc=86.0, scale=1 / math.sqrt(3))
    assert found.ours.interval == (pytest.approx(low, abs=2e-3), pytest.approx(high, abs=2e-3))


@pytest.mark.parametrize("n", [2, 3, 11, 12, 13, 31, 1000])
def test_intervals_are_students_for_any_number_of_runs(n):
    assert student.interval(5.0, 2.0, n) == pytest.approx(
        stats.t.interval(0.95, n - 1, 5.0, 2.0 / math.sqrt(n))
    )


def test_communications_are_counted_in_rounds_and_not_in_tests():
    """A run that was tested after every fourth round alone, and reaches 65% in the eighth."""
    accuracies = [None, None, None, 30.0, None, None, None, 66.0, 67.0]
    config = Config(clients=20, participation=0.25, method="fed_alpha_normec")
    assert metric("communications to 65%", record_of(accuracies, config)) == 8 * 5
    assert metric("highest", record_of(accuracies, config)) == 67.0


@pytest.mark.parametrize(
    "change",
    [{"stop_after": 4}, {"images": 2560}, {"beta": 1.0}, {"rounds": 150}, {"server_normalisation": True}],
    ids=str,
)
def test_reduced_and_other_runs_do_not_count(change):
    config = replace(CELL, **change)
    rounds = config.stop_after or config.rounds
    record = Record(
        config,
        "complete",
        {name: [50.0] * rounds for name in ("train_loss", "test_loss", "test_accuracy")},
    )
    assert row(compare(ALL, [record]), "NEC-F8-NORMEC-0.1").verdict == "not run"


def test_reduced_runs_that_are_on_record_whole_or_longer_are_not_listed():
    short, longer = (replace(CELL, stop_after=rounds) for rounds in (4, 9))
    cut = [record_of([50.0] * c.stop_after, c, rounds=c.rounds) for c in (short, longer)]
    assert [found["rounds"] for found in reduced(cut)] == [9]
    assert reduced([*cut, constant(CELL, 86.0)]) == []
    assert [found["rounds"] for found in reduced([cut[0], constant(replace(CELL, seed=0), 86.0)])] == [4]


def test_a_reading_that_a_run_does_not_feel_makes_no_other_run_of_its_beginning():
    """Without privacy there is no noise to read; with it there is, and the shorter run is another one."""
    for private, listed in ((False, []), (True, [4])):
        short, full = (
            with_readings(replace(CELL, stop_after=stop, private=private), noise=noise)
            for stop, noise in ((4, "std of the vector"), (None, "variance of the vector"))
        )
        cut = record_of([50.0] * 4, short, rounds=short.rounds)
        assert [found["rounds"] for found in reduced([cut, constant(full, 86.0)])] == listed


def test_a_grid_has_no_verdict_until_it_is_whole_or_beyond():
    grid = [
        replace(CELL, beta=beta, gamma=gamma, private=True)
        for beta, gamma in product((0.001, 0.01, 0.1, 1.0), repeat=2)
    ]
    records = [constant(config, 64.0 + number) for number, config in enumerate(grid)]
    part = row(compare(ALL, records[:-1]), "NEC-F4-PEAK")
    assert part.verdict == "not run"
    assert (part.ours.mean, part.ours.whole) == (78.0, None)
    assert (part.ours.cells, part.ours.of) == (15, 16)
    assert (
        row(compare(ALL, [*records[:-1], constant(grid[-2], 85.0)]), "NEC-F4-PEAK").verdict
        == "not reproduced"
    )
    whole = row(compare(ALL, records), "NEC-F4-PEAK")
    assert whole.ours.mean == 79.0
    assert whole.ours.at == "beta = 1, gamma = 1"
    assert whole.verdict == "reproduced"


PRIVATE = Config(
    beta=0.01, gamma=0.1, private=True, rounds=150
)  # NEC-F12-0.01-0.1, 65.57; the rule lets one run lie 2.39 off
FED = Config(
    method="fed_alpha_normec", clients=20, participation=0.25, beta=0.01, gamma=0.1, private=True, rounds=300
)


def short(config: Config, accuracies: list[float | None]) -> Record:
    """A run that was cut short after these."""
    return record_of(accuracies, config, rounds=config.rounds, stop_after=len(accuracies))


def test_a_run_cut_short_above_the_printed_highest_settles_its_readings_and_no_more():
    found = row(compare(ALL, [short(PRIVATE, [50.0, 70.0, 60.0])]), "NEC-F12-0.01-0.1")
    assert found.verdict == "not run"
    assert found.ours is None
    assert elsewhere(found) == "default readings: ≥ 70.00 after 3 of 150 rounds (n = 1), not reproduced"
    assert found.to_dict()["others"][0]["so_far"] == "3 of 150 rounds"


def test_of_a_final_accuracy_a_run_cut_short_says_how_far_it_has_come_and_no_more():
    found = row(compare(ALL, [short(CELL, [50.0] * 9 + [99.0, 70.0])]), "NEC-F8-NORMEC-0.1")
    assert (found.verdict, found.standing, found.ours) == ("not run", "not run", None)
    assert elsewhere(found) == "default readings: 70.00 after 11 of 300 rounds (n = 1), no verdict yet"
    whole = row(compare(ALL, [short(CELL, [50.0] * 11), constant(CELL, 86.0)]), "NEC-F8-NORMEC-0.1")
    assert (whole.verdict, whole.others) == ("reproduced", ())


def test_of_runs_of_several_lengths_the_longest_alone_say_how_far_they_have_come():
    runs = [
        short(replace(CELL, seed=seed), [accuracy] * rounds)
        for seed, accuracy, rounds in ((0, 50.0, 10), (1, 60.0, 12), (2, 62.0, 12))
    ]
    (other,) = row(compare(ALL, runs), "NEC-F8-NORMEC-0.1").others
    assert (other.mean, other.seeds, other.so_far) == (61.0, (1, 2), "12 of 300 rounds")


def test_runs_cut_short_whose_seeds_spread_as_far_as_they_lie_beyond_settle_nothing():
    """69 against 65.57: off by 3.43, where the rule allows 1 + 1.96 · max(s, 0.5) · √(3/2): 2.20, and 11.2 at s = 4.24."""
    for spread, settled in ((0.1, 1), (3.0, 0)):
        runs = [
            short(replace(PRIVATE, seed=seed), [69.0 + sign * spread]) for seed, sign in ((0, 1), (1, -1))
        ]
        assert len(row(compare(ALL, runs), "NEC-F12-0.01-0.1").others) == settled


def test_of_a_run_given_twice_the_longer_counts():
    runs = [short(PRIVATE, [50.0, 70.0]), short(PRIVATE, [50.0, 70.0, 71.0])]
    for order in (runs, runs[::-1]):
        (other,) = row(compare(ALL, order), "NEC-F12-0.01-0.1").others
        assert (other.mean, other.so_far, other.seeds) == (71.0, "3 of 150 rounds", (42,))


@pytest.mark.parametrize(
    ("config", "accuracies", "name"),
    [
        (PRIVATE, [50.0, 67.9], "NEC-F12-0.01-0.1"),  # above, but not beyond what the rule allows
        (PRIVATE, [20.0, 30.0], "NEC-F12-0.01-0.1"),  # below: the rounds to come may bring it there
        (CELL, [50.0, 99.0], "NEC-F8-NORMEC-0.1"),  # a final accuracy may fall again
        (FED, [30.0] * 239 + [66.0], "FED-S5-COMM-0.25"),  # 1200 communications, as printed
        (FED, [30.0] * 299, "FED-S5-COMM-0.25"),  # the target was not reached
        (replace(FED, participation=1.0, beta=0.1), [40.0, 50.0], "FED-S5-POOREST"),  # of another grid, below
    ],
)
def test_a_run_cut_short_that_may_still_end_there_settles_nothing(config, accuracies, name):
    found = row(compare(ALL, [short(config, accuracies)]), name)
    assert (found.verdict, found.others) == ("not run", ())


def test_communications_that_are_too_few_stay_too_few():
    found = row(compare(ALL, [short(FED, [30.0] * 99 + [66.0])]), "FED-S5-COMM-0.25")
    told = "≤ 500.00 after 1 of 3 cells, 100 of 300 rounds (n = 1), not reproduced"
    assert elsewhere(found).endswith(told)


def test_one_cell_above_the_peak_of_a_grid_settles_it():
    peak = replace(PRIVATE, rounds=300)
    found = row(compare(ALL, [constant(peak, 85.0)]), "NEC-F4-PEAK")
    assert (found.verdict, found.standing) == ("not reproduced", "not reproduced")
    assert value(found.number, found.ours) == "≥ 85.00 after 1 of 16 cells"
    assert off(found) == "≥ 7.44 of 2.39"
    assert (found.ours.whole, found.ours.interval, found.others) == (None, None, ())
    tested_once = record_of([None] * 299 + [85.0], peak)
    assert "1 of 16 cells, the rounds that were tested" in elsewhere(
        row(compare(ALL, [tested_once]), "NEC-F4-PEAK")
    )


def test_what_a_part_of_a_grid_settles_holds_for_the_spread_that_its_seeds_have():
    """The best cell of the whole grid may have seeds that spread farther, of which the rule allows more."""
    peak = replace(PRIVATE, rounds=300)
    part = [constant(replace(peak, beta=0.01, gamma=0.1), 80.2)]
    assert row(compare(ALL, part), "NEC-F4-PEAK").verdict == "not reproduced"
    grid = product((0.001, 0.01, 0.1, 1.0), repeat=2)
    rest = [
        constant(replace(peak, beta=b, gamma=g), 20.0) for b, g in grid if b != 0.01 or g not in (0.01, 0.1)
    ]
    best = [
        constant(replace(peak, beta=0.01, gamma=0.01, seed=seed), a) for seed, a in ((0, 77.5), (1, 83.5))
    ]
    assert row(compare(ALL, [*part, *rest, *best]), "NEC-F4-PEAK").verdict == "reproduced"


def test_what_a_part_of_a_grid_settles_decides_no_choice_of_readings():
    """Of two protocols with nothing reproduced, that with the whole cell stays chosen; a bound counts as no failure either."""
    peak = replace(PRIVATE, rounds=300)
    bound, whole = (
        constant(peak, 85.0),
        constant(with_readings(PRIVATE, noise="variance of the vector"), 90.0),
    )
    alone = row(compare(ALL, [whole]), "NEC-F4-PEAK")
    assert (alone.ours, alone.others) == (None, ())
    rows = compare(ALL, [bound, whole])
    assert row(rows, "NEC-F4-PEAK").ours.protocol == protocol_of(peak)
    assert [other.verdict for other in row(rows, "NEC-F12-0.01-0.1").others] == ["not reproduced"]


def test_a_part_of_a_grid_that_settles_nothing_is_told_without_a_verdict():
    below = replace(FED, participation=1.0, beta=0.1)
    found = row(compare(ALL, [constant(below, 57.0)]), "FED-S5-POOREST")
    assert (found.verdict, found.standing) == ("not run", "not run")
    assert value(found.number, found.ours) == "57.00 after 1 of 3 cells"
    assert off(found) == ""
    never = row(compare(ALL, [constant(FED, 60.0)]), "FED-S5-COMM-0.25")
    assert (never.verdict, value(never.number, never.ours)) == ("not run", "never after 1 of 3 cells")
    assert never.to_dict()["ours"]["mean"] is None


def test_no_rank_is_taken_from_a_bound():
    """Of Figure 12 one cell, cut short beyond the printed number: its verdict stands, the ranks of all cells do not."""
    cells = [
        replace(PRIVATE, beta=beta, gamma=gamma) for beta, gamma in product((0.001, 0.01, 0.1, 1.0), repeat=2)
    ]
    whole = [constant(config, 20.0 + number) for number, config in enumerate(cells)]
    assert len(shapes(ALL, compare(ALL, whole))) == 1
    rows = compare(ALL, [short(cells[0], [85.0]), *whole[1:]])
    found = row(rows, "NEC-F12-0.001-0.001")
    assert (found.ours.mean, found.ours.whole, found.verdict) == (85.0, None, "not reproduced")
    assert shapes(ALL, rows) == []


def test_a_run_without_noise_says_nothing_of_the_noise():
    """Nor one without local steps of their mini-batches: only what a run can feel was tried by it."""
    quiet = row(compare(ALL, [constant(CELL, 86.0)]), "NEC-F8-NORMEC-0.1").to_dict()["ours"]["protocol"]
    noisy = row(compare(ALL, [constant(PRIVATE, 66.0)]), "NEC-F12-0.01-0.1").to_dict()["ours"]["protocol"]
    assert set(noisy) - set(quiet) == {"noise", "noise_joins", "noise_root", "noise_rounds"}
    assert set(Readings.__dataclass_fields__) - set(noisy) == {"absent", "local_batches"}
    assert noisy["noise"] == "variance per coordinate"


def test_whole_runs_take_the_place_of_those_cut_short():
    records = [short(PRIVATE, [50.0, 70.0]), constant(PRIVATE, 71.0)]
    found = row(compare(ALL, records), "NEC-F12-0.01-0.1")
    assert (found.verdict, found.ours.mean, found.others) == ("not reproduced", 71.0, ())


def test_difference_and_spread():
    both = [
        constant(Config(beta=10.0, gamma=0.1, server_normalisation=True), 81.5),
        constant(Config(beta=10.0, gamma=0.01), 79.25),
    ]
    gain = row(compare(ALL, both), "NEC-I23-GAIN")
    assert gain.ours.mean == pytest.approx(2.25)
    assert gain.verdict == "reproduced"
    assert row(compare(ALL, both[:1]), "NEC-I23-GAIN").verdict == "not run"
    spread = [
        constant(Config(beta=0.01, gamma=gamma, private=True, server_normalisation=True), accuracy)
        for gamma, accuracy in ((0.001, 70.0), (0.01, 72.0), (0.1, 68.0))
    ]
    found = row(compare(ALL, spread), "NEC-F4-SPREAD-SN-0.01")
    assert found.ours.mean == 4.0
    assert found.verdict == "reproduced"


def test_one_protocol_is_chosen_for_all_numbers_of_a_setting():
    """Each protocol reproduces one cell that the other does not; the second reproduces one more, so it is
    used for all.
    """
    plain, other = CELL, with_readings(CELL, augmentation="crop-and-flip")
    records = []
    for base, accuracies in ((plain, (86.0, 50.0, 50.0)), (other, (70.0, 84.8, 84.0))):
        for (beta, gamma), accuracy in zip(((0.1, 0.1), (1.0, 0.1), (0.01, 0.1)), accuracies, strict=True):
            records.append(constant(replace(base, beta=beta, gamma=gamma), accuracy))
    rows = compare(ALL, records)
    assert row(rows, "NEC-F8-NORMEC-1").verdict == "reproduced"
    assert row(rows, "NEC-F8-NORMEC-0.1").verdict == "not reproduced", "not the best of both for each number"
    assert [o.verdict for o in row(rows, "NEC-F8-NORMEC-0.1").others] == ["reproduced"]


def test_runs_with_a_round_of_one_step_stand_beside_and_decide_nothing_unless_they_reproduce():
    """They test that reading; 86.09 under one pass a round stays "not run"."""
    step = with_readings(CELL, round="step")
    short = row(
        compare(ALL, [constant(replace(step, seed=seed), 48.0) for seed in (0, 1)]), "NEC-F8-NORMEC-0.1"
    )
    assert short.verdict == "not run"
    assert [(o.mean, o.verdict) for o in short.others] == [(48.0, "not reproduced")]
    assert elsewhere(short) == "round: step: 48.00 (n = 2), not reproduced"
    assert row(compare(ALL, [constant(step, 86.0)]), "NEC-F8-NORMEC-0.1").verdict == "reproduced"
    both = [constant(step, 48.0), constant(CELL, 50.0)]
    assert row(compare(ALL, both), "NEC-F8-NORMEC-0.1").ours.mean == 50.0


def test_readings_that_a_run_cannot_feel_do_not_split_it():
    assert protocol_of(CELL) == protocol_of(with_readings(CELL, noise="std of the vector", absent="idle"))
    private = replace(CELL, private=True)
    assert protocol_of(private) != protocol_of(with_readings(private, noise="std of the vector"))
    assert protocol_of(private) != protocol_of(with_readings(private, noise_rounds="steps"))
    step = with_readings(private, round="step")  # whose rounds are iterations
    assert protocol_of(step) == protocol_of(with_readings(step, noise_rounds="steps"))


def test_rows_are_plain_data():
    import json

    records = [constant(CELL, 86.0)]
    text = json.dumps([r.to_dict() for r in compare(ALL, records)], allow_nan=False)
    assert '"reproduced"' in text


def test_never_reaching_the_target_is_not_reproduced():
    records = [
        constant(
            Config(
                method="fed_alpha_normec",
                clients=20,
                participation=0.25,
                beta=0.01,
                gamma=gamma,
                private=True,
            ),
            30.0,
        )
        for gamma in (0.001, 0.01, 0.1)
    ]
    found = row(compare(ALL, records), "FED-S5-COMM-0.25")
    assert found.verdict == "not reproduced"
    assert found.to_dict()["ours"]["mean"] is None


def test_communications_are_those_of_the_best_gamma():
    """65% in round 300, 240 and 250 of three γ: 240·p·M = 1200 communications count, at the second γ."""
    config = Config(
        method="fed_alpha_normec", clients=20, participation=0.25, beta=0.01, private=True, rounds=300
    )
    records = [
        record_of([30.0] * (k - 1) + [66.0] * (301 - k), replace(config, gamma=gamma))
        for gamma, k in ((0.001, 300), (0.01, 240), (0.1, 250))
    ]
    found = row(compare(ALL, records), "FED-S5-COMM-0.25")
    assert (found.ours.mean, found.ours.at) == (240 * 0.25 * 20, "gamma = 0.01")
    assert found.verdict == "reproduced"


def test_of_protocols_with_equal_hits_the_one_with_fewer_failures_is_chosen():
    """Both reproduce 86.09; one fails at two numbers, the other at one. Their order by name decides nothing."""
    first, second = sorted(
        (CELL, with_readings(CELL, augmentation="crop-and-flip")), key=lambda config: protocol_of(config)
    )
    for more, fewer in ((first, second), (second, first)):
        records = [
            constant(replace(more, beta=beta), accuracy)
            for beta, accuracy in ((0.1, 86.0), (1.0, 50.0), (0.01, 50.0))
        ]
        records += [
            constant(replace(fewer, beta=beta), accuracy) for beta, accuracy in ((0.1, 86.0), (1.0, 50.0))
        ]
        rows = compare(ALL, records)
        found = row(rows, "NEC-F8-NORMEC-0.1")
        assert found.ours.protocol == protocol_of(fewer)
        assert [o.protocol for o in found.others] == [protocol_of(more)]
        assert row(rows, "NEC-F8-NORMEC-0.01").verdict == "not run", "the other's failure does not count"


def test_linear_rows_use_the_same_rule():
    def cell(values):
        return {"c": 31.25, "eta0": 0.1, "seeds": [0, 1, 2], "values": values}

    summary = {
        "readings": {"q": "1"},
        "rows": [
            {"method": "clip", "epsilon": 5.0, "form": "client", "cell": cell([75.5, 75.6, 75.7])},
            {"method": "norm", "epsilon": 5.0, "form": "client", "cell": cell([70.0, 70.1, 70.2])},
            {"method": "fedavg", "epsilon": None, "form": "momentum", "cell": cell([83.4, 83.4, 83.4])},
            {"method": "norm", "epsilon": 2.0, "form": "client", "cell": None},
        ],
    }
    rows = {r.number.id: r for r in linear.compare(ALL, summary)}
    assert rows["DAS-T2A-CLIP-5"].verdict == "reproduced"
    assert rows["DAS-T2A-NORM-5"].verdict == "not reproduced"
    assert rows["DAS-T2A-FEDAVG"].verdict == "reproduced"
    assert rows["DAS-T2A-NORM-2"].verdict == "not run"
    assert rows["DAS-T2B-NORM-5"].verdict == "not run"
    assert rows["DAS-S1-MARGIN-FMNIST"].ours.mean == pytest.approx(-5.5)
    assert rows["DAS-S1-MARGIN-FMNIST"].verdict == "not reproduced"
    assert {r.verdict for r in linear.compare(ALL, None)} == {"not run"}
