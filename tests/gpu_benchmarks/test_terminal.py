"""What commands print: nothing is cut from a table, JSON is JSON, and neither a narrow terminal, nor an old encoding, nor a
reader that goes away ends in a traceback."""

from __future__ import annotations

import io
import json
import math
import os
import sys
from itertools import product
from math import ceil

import pytest
from rich.console import Console

from gpu_benchmarks import parsing, reported, sweep
from gpu_benchmarks.cli import main
from gpu_benchmarks.comparison import compare
from gpu_benchmarks.config import Config
from gpu_benchmarks.plans import PLANS
from gpu_benchmarks.sweep import Folder
from gpu_benchmarks.terminal import progress_bar
from methods.terminal.output import STDOUT
from tests_support import record_of


@pytest.fixture
def folder(tmp_path) -> Folder:
    made = Folder(tmp_path / "sweep")
    sweep.begin(made, PLANS["federated"](Config(blocks=1, width=2)))
    return made


def tables(folder: Folder) -> dict[str, tuple[list[str], list[str]]]:
    """Arguments, and what must stand in one piece in what they print."""
    ids = [number.id for number in reported.load().numbers]
    queued = [config.run for config in sweep.resumed(folder)]
    return {
        "table": (["table"], ids),
        "status": (["status", str(folder.path)], queued),
        "linear": (["linear", "table"], ["15.625", "[53.14, 64.48]", "0.06625", "5883", "12.44"]),
        "dry run": (
            ["sweep", "--resume", "--dry-run", "--out", str(folder.path), "--device", "cpu"],
            [*queued, "383,400", "243,000,000"],
        ),
    }


@pytest.mark.parametrize(
    ("name", "columns"),
    [*product(["table", "status", "linear"], ["80", "50", None]), ("dry run", "50")],
)
def test_tables_of_commands_lose_no_number(name, columns, folder, capsys, monkeypatch):
    """At 80 columns, at fewer, and into a pipe, where a row is one line."""
    monkeypatch.delenv("COLUMNS", raising=False)
    if columns:
        monkeypatch.setenv("COLUMNS", columns)
    arguments, whole = tables(folder)[name]
    assert main(arguments) == 0
    out = capsys.readouterr().out
    assert "…" not in out
    for text in whole:
        assert text in out
    if columns:
        assert max(map(len, out.splitlines())) <= int(columns)
    else:
        rows = [line for line in out.splitlines() if line.startswith(tuple(whole))]
        if name != "linear":
            assert {row.split()[0] for row in rows} >= {text for text in whole if "," not in text}


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


def encoded(monkeypatch, encoding: str, arguments: list[str], decode: str = "") -> tuple[int, str]:
    raw = io.BytesIO()
    with monkeypatch.context() as patch:
        stream = io.TextIOWrapper(raw, encoding=encoding, newline="\n")
        patch.setattr(sys, "stdout", stream)
        status = main(arguments)
        stream.flush()
    return status, raw.getvalue().decode(decode or encoding)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
@pytest.mark.parametrize("name", ["table", "status", "linear"])
def test_an_encoding_without_greek_letters_is_no_traceback(encoding, name, folder, monkeypatch):
    arguments, whole = tables(folder)[name]
    status, out = encoded(monkeypatch, encoding, arguments)
    assert status == 0
    assert all(text in out for text in whole)


@pytest.mark.parametrize("encoding", ["ascii", "utf-8"])
@pytest.mark.parametrize(
    "arguments",
    [["status", "{folder}", "--json", "-"], ["table", "--json", "-"], ["linear", "table", "--json", "-"]],
)
def test_json_on_standard_output_is_json_in_every_encoding(encoding, arguments, folder, capsys, monkeypatch):
    """In UTF-8, as JSON is."""
    arguments = [a.format(folder=folder.path) for a in arguments]
    status, out = encoded(monkeypatch, encoding, arguments, decode="utf-8")
    assert status == 0
    assert main(arguments) == 0
    assert json.loads(out) == json.loads(capsys.readouterr().out)


def test_help_in_ascii(monkeypatch):
    with pytest.raises(SystemExit) as stopped:
        encoded(monkeypatch, "ascii", ["train", "--help"])
    assert stopped.value.code == 0


def test_json_holds_no_number_that_is_not_finite(tmp_path, capsys):
    data = {"a": math.inf, "b": [1.5, -math.inf, {"c": (math.nan, True, None, "NaN")}]}
    for place in (tmp_path / "x.json", STDOUT):
        parsing.write(data, place)
    for text in ((tmp_path / "x.json").read_text(), capsys.readouterr().out):
        assert json.loads(text, parse_constant=pytest.fail) == {
            "a": None,
            "b": [1.5, None, {"c": [None, True, None, "NaN"]}],
        }


def test_runs_that_never_reach_the_target_have_no_interval():
    """Two seeds that need infinitely many communications: neither the table nor its JSON may hold that as a number."""
    known = reported.load()
    number = next(n for n in known.numbers if n.metric == "communications to 65%")
    records = [
        record_of([10.0] * 300, Config(**{**cell, "rounds": 300, "seed": seed}))
        for cell in number.cells()
        for seed in (0, 1)
    ]
    row = next(row for row in compare(known, records) if row.number.id == number.id)
    assert row.ours is not None
    assert row.ours.mean == math.inf
    assert row.ours.interval is None
    assert row.to_dict()["ours"]["interval"] is None


@pytest.mark.parametrize(
    "arguments", [["table"], ["train", "--help"], ["linear", "table", "--json", "-"], ["data"]]
)
def test_a_reader_that_goes_away(arguments, monkeypatch, tmp_path):
    read, write = os.pipe()
    os.close(read)
    if arguments == ["data"]:
        arguments = ["data", "--data", str(tmp_path)]
    with os.fdopen(write, "w", encoding="utf-8") as gone:
        monkeypatch.setattr(sys, "stdout", gone)
        try:
            status = main(arguments)
        except SystemExit as stopped:
            status = stopped.code
        assert status == 141
