"""The progress of long work: a bar that keeps its numbers, and words where none can be drawn."""

from __future__ import annotations

import io
from math import ceil

import pytest
from rich.console import Console

from methods.terminal.progress import progress_bar


def test_a_bar_keeps_its_numbers(monkeypatch):
    """However long what is being done is."""
    with progress_bar("rounds") as bar:
        bar.add_task("α-NormEC β=0.1 γ=0.1 DP variance of the vector, message: 12.50%, loss 2.317", total=300)
        stream = io.StringIO()
        Console(file=stream, width=80, force_terminal=True).print(bar)
    assert "0/300" in stream.getvalue()
    assert "0:00:00" in stream.getvalue()
    assert "…" not in stream.getvalue()


EARLIER = 100
"""Rounds that were done before, in no time."""


@pytest.fixture
def slow_rounds(capsys):
    """What a bar of 300 rounds more writes after some of 50 seconds each."""

    def after(rounds: int, **settings: bool) -> str:
        with progress_bar("rounds", **settings) as bar:
            clock = [float(ceil(bar.get_time()))]  # whole seconds: what is left is rounded up
            bar.get_time = lambda: clock[-1]
            task = bar.add_task("", total=300 + EARLIER)
            bar.skip(task, 0)
            bar.skip(task, EARLIER)
            for done in range(1, rounds + 1):
                clock.append(clock[-1] + 50.0)
                bar.update(task, advance=1, description=f"[β] {done}%")
            assert bar.tasks[0].time_remaining == 50.0 * (300 - rounds)
        out, err = capsys.readouterr()
        assert out == ""
        return err

    return after


def test_rounds_of_a_minute_have_a_time_that_is_left(slow_rounds):
    slow_rounds(1)


def test_where_no_bar_is_drawn_a_line_a_minute_says_how_far_it_is(slow_rounds):
    """As in the log of a run that goes on overnight."""
    assert slow_rounds(5).strip().splitlines() == [
        "[β] 2% 102/400 rounds, 0:01:40 left 4:08:20",
        "[β] 4% 104/400 rounds, 0:03:20 left 4:06:40",
    ]


def test_a_quiet_bar_says_nothing(slow_rounds):
    assert not slow_rounds(5, quiet=True).strip()


@pytest.mark.parametrize(
    ("unit", "total", "each", "told"),
    [
        ("%", 8.0, 1.0, "reading 25% 0:02:00 left 0:06:00"),
        ("bytes", 8_000_000, 1_000_000, "reading 2.0/8.0 MB 16.7 kB/s 0:02:00 left 0:06:00"),
        ("runs", None, 1, "reading 2 runs, 0:02:00"),
    ],
)
def test_every_kind_of_bar_has_its_words(unit, total, each, told, capsys):
    with progress_bar(unit, transient=True) as bar:
        clock = [float(ceil(bar.get_time()))]
        bar.get_time = lambda: clock[-1]
        task = bar.add_task("reading", total=total)
        bar.skip(task, 0)
        for _ in range(2):
            clock.append(clock[-1] + 60.0)
            bar.advance(task, each)
    assert capsys.readouterr().err.splitlines()[-1] == told
