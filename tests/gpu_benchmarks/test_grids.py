"""Printed grids beside runs that were cut short: which cells stand in one, and how each stands by the rule."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gpu_benchmarks.accuracies import FAR
from gpu_benchmarks.comparison import compare
from gpu_benchmarks.config import Config, with_readings
from gpu_benchmarks.grids import BELOW, BEYOND, FEWEST, NEAR, beside_rows, grids
from gpu_benchmarks.reported import load, reach
from tests_support import record_of

ALL = load()
FIGURE_12 = Config(rounds=150, private=True)
PRINTED = {(0.01, 0.1): 65.57, (0.01, 1.0): 64.32, (0.1, 0.1): 52.02, (1.0, 0.1): 33.82}


def ran(beta: float, gamma: float, highest: float, rounds: int = FAR, seed: int = 42, **readings: str):
    config = with_readings(
        replace(FIGURE_12, beta=beta, gamma=gamma, seed=seed, stop_after=rounds), **readings
    )
    return record_of([10.0, highest, *[20.0] * (rounds - 2)], config, rounds=150)


def three(**readings: str):
    return [
        ran(0.01, 0.1, 70.0, **readings),
        ran(0.1, 0.1, 50.0, **readings),
        ran(1.0, 0.1, 21.0, **readings),
    ]


def test_cells_stand_beside_their_printed_numbers_and_the_whole_printed_grid():
    (grid,) = grids(ALL, three())
    assert {(c.beta, c.gamma): c.printed for c in grid.cells}.items() <= PRINTED.items()
    assert [(c.id, c.highest, c.standing) for c in grid.cells] == [
        ("NEC-F12-0.01-0.1", 70.0, BEYOND),
        ("NEC-F12-0.1-0.1", 50.0, NEAR),
        ("NEC-F12-1-0.1", 21.0, BELOW),
    ]
    assert (grid.place, grid.of, len(grid.printed)) == ("Appendix I.3, Figure 12", 150, 16)


@pytest.mark.parametrize(("offset", "standing"), [(-0.01, NEAR), (0.01, BEYOND)])
def test_a_cell_is_beyond_where_the_rule_lets_no_run_be(offset, standing):
    number = next(n for n in ALL.numbers if n.id == "NEC-F12-0.01-1")
    edge = ran(0.01, 1.0, number.high + reach(ALL.rule, number, 0.0, 1) + offset)
    (grid,) = grids(ALL, [*three(), edge])
    assert next(c.standing for c in grid.cells if c.id == number.id) == standing


def test_a_cell_is_the_mean_over_its_seeds_and_of_each_the_longest_run():
    more = [ran(0.1, 0.1, 52.0, rounds=FAR + 7), ran(0.1, 0.1, 54.0, seed=0)]
    (grid,) = grids(ALL, [*three(), *more])
    cell = next(c for c in grid.cells if c.id == "NEC-F12-0.1-0.1")
    assert (cell.highest, cell.seeds, cell.rounds) == (53.0, 2, FAR)


def test_cells_under_other_readings_make_no_grid_together():
    runs = three()
    assert not grids(ALL, runs[: FEWEST - 1])
    assert not grids(ALL, [*runs[:2], *three(augmentation="crop-and-flip")[2:]])
    assert len(grids(ALL, [*runs, *three(augmentation="crop-and-flip")])) == 2


def test_runs_that_were_hardly_begun_or_saw_few_images_are_left_out():
    runs = three()
    assert not grids(ALL, [*runs[:2], ran(1.0, 0.1, 21.0, rounds=FAR - 1)])
    few = replace(runs[2], config=replace(runs[2].config, images=1000))
    assert not grids(ALL, [*runs[:2], few])


def test_a_whole_grid_is_left_out_where_the_rows_show_it_and_kept_under_other_readings():
    def every(rounds: int, **readings: str):
        return [
            ran(beta, gamma, 20.0, rounds, **readings)
            for beta in (0.001, 0.01, 0.1, 1.0)
            for gamma in (0.001, 0.01, 0.1, 1.0)
        ]

    for runs, kept in (
        (every(150), []),
        (every(150)[:-1], [150] * 15),
        (every(149), [149] * 16),
        ([*every(150), *every(FAR, augmentation="crop-and-flip")], [FAR] * 16),
    ):
        left = beside_rows(grids(ALL, runs), compare(ALL, runs))
        assert [cell.rounds for grid in left for cell in grid.cells] == kept
