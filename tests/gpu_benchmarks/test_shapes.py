"""Whether our runs rank the cells of a printed grid as the paper does: ranks by hand, and which cell stands apart."""

from __future__ import annotations

import statistics
from dataclasses import replace
from itertools import product

import pytest

from gpu_benchmarks import beside_ours
from gpu_benchmarks.comparison import compare
from gpu_benchmarks.config import Config
from gpu_benchmarks.reported import load
from gpu_benchmarks.shapes import rank_correlation, shapes
from tests_support import record_of

ALL = load()
VALUES = (0.001, 0.01, 0.1, 1.0)
PRINTED = {(n.config["beta"], n.config["gamma"]): n.high for n in ALL.numbers if n.id.startswith("NEC-F12-")}


def ran(accuracies):
    """Full runs of Figure 12 with these highest accuracies, by β and γ."""
    base = Config(rounds=150, private=True)
    return [
        record_of([accuracy] * 150, replace(base, beta=beta, gamma=gamma), rounds=150)
        for (beta, gamma), accuracy in accuracies.items()
    ]


def by_hand(first, second):
    """The correlation of ranks that are counted one by one, those of equal values at their mean."""
    counted = (
        [sum(w < v for w in values) + (1 + sum(w == v for w in values)) / 2 for v in values]
        for values in (list(first), list(second))
    )
    return statistics.correlation(*counted)


def of(accuracies):
    return shapes(ALL, compare(ALL, ran(accuracies)))


def test_what_shifts_and_stretches_all_cells_changes_no_rank():
    (shape,) = of({cell: 10 + 1.2 * accuracy for cell, accuracy in PRINTED.items()})
    assert (shape.place, shape.cells) == ("Appendix I.3, Figure 12", 16)
    assert shape.rank == pytest.approx(1)
    assert shape.highest_printed == shape.highest_ours == "NEC-F12-0.01-0.1"
    assert shape.exchanged == pytest.approx(by_hand([PRINTED[g, b] for b, g in PRINTED], PRINTED.values()))


def test_the_cell_that_stands_apart_is_named():
    """Ours as printed but in one cell, the lowest but two of the printed ones and the highest of ours."""
    ours = PRINTED | {(0.001, 1.0): 85.0}
    (shape,) = of(ours)
    assert (shape.apart, shape.highest_ours) == ("NEC-F12-0.001-1", "NEC-F12-0.001-1")
    assert shape.rank == pytest.approx(by_hand(PRINTED.values(), ours.values()))
    assert shape.rank < shape.rank_without
    assert shape.rank_without == pytest.approx(1)


def test_a_grid_that_is_not_whole_or_all_alike_has_no_shape():
    assert of(dict(list(PRINTED.items())[:-1])) == []
    assert of(dict.fromkeys(PRINTED, 40.0)) == []


def test_equal_values_take_the_mean_of_their_ranks():
    first, second = [1.0, 2.0, 2.0, 3.0], [5.0, 1.0, 1.0, 0.0]
    assert rank_correlation(first, second) == pytest.approx(by_hand(first, second))
    assert rank_correlation(first, first) == pytest.approx(1)


def test_figure_12_is_ranked_as_printed_with_the_axes_as_we_read_them():
    """On record: β down the rows; with the axes exchanged the ranks have nothing in common."""
    rows, _ = beside_ours.rows((), ALL)
    (shape,) = shapes(ALL, rows)
    assert shape.cells == len(list(product(VALUES, VALUES)))
    assert shape.rank > 0.7
    assert shape.exchanged is not None
    assert shape.exchanged < 0
