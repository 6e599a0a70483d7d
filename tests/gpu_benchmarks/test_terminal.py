"""What commands print: nothing is cut from a table, JSON is JSON, and neither a narrow terminal, nor an old encoding, nor a
reader that goes away ends in a traceback."""

from __future__ import annotations

import io
import json
import math
import os
import sys
from itertools import product

import pytest

from gpu_benchmarks import parsing, reported, sweep
from gpu_benchmarks.cli import main
from gpu_benchmarks.comparison import compare
from gpu_benchmarks.config import Config
from gpu_benchmarks.plans import PLANS
from gpu_benchmarks.sweep import Folder
from methods.terminal.output import STDOUT
from tests_support import record_of

pytestmark = (
    pytest.mark.unchecked
)  # the table computes each private run's ε, with hundreds of thousands of calls


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
