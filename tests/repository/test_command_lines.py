"""What holds of every command line: its name as it was typed, and `--json -`."""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gpu_benchmarks import cli as training
from gpu_benchmarks import sweep, throughput
from gpu_benchmarks.config import Config
from methods.terminal.arguments import Parser
from report import cli as report
from report import normec
from toy_problems import cli as toys
from toy_problems import jobs
from verify import cli as calculators
from verify import decide
from verify.results import seal

SAMPLE = Path(__file__).parents[1] / "report" / "sample_verdicts.json"


def every() -> Iterator[tuple[tuple[str, ...], argparse.ArgumentParser]]:
    """Every command by its words, with its parser."""
    yield ("verify",), decide.parser()
    yield ("report",), report.parser()
    yield from within(("toy_problems",), toys.parser())
    modules = {("verify", name): module for name, module in calculators.COMMANDS.items()}
    modules |= {("gpu_benchmarks", name): known.module for name, known in training.COMMANDS.items()}
    for words, module in modules.items():
        parser = Parser()
        importlib.import_module(module).add_arguments(parser)
        yield from within(words, parser)


def within(
    words: tuple[str, ...], parser: argparse.ArgumentParser
) -> Iterator[tuple[tuple[str, ...], argparse.ArgumentParser]]:
    yield words, parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, below in action.choices.items():
                yield from within((*words, name), below)


PARSERS = dict(every())
COMMANDS = [("gpu_benchmarks",), *PARSERS]
STARTS = {"python -m": "/a/folder/{}/__main__.py", "normec": "/a/folder/normec"}
"""What `sys.argv` begins with."""


@pytest.fixture(params=STARTS)
def start(request) -> str:
    return request.param


@pytest.fixture
def typed(start, monkeypatch):
    """Runs a command as if it had been typed after `start`."""

    def run(room: str, *rest: str) -> int:
        monkeypatch.setattr(sys, "argv", [STARTS[start].format(room), *rest])
        main = importlib.import_module(f"{room}.__main__").main
        return normec.main([room, *rest]) if start == "normec" else main(rest)

    return run


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_usage_and_errors_name_the_command_as_it_was_typed(words, start, typed, capsys):
    with pytest.raises(SystemExit) as stopped:
        typed(*words, "--help")
    assert stopped.value.code == 0
    told = capsys.readouterr().out
    name = f"{start} {' '.join(words)}"
    assert told.startswith(f"usage: {name} ")
    other = next(another for another in STARTS if another != start)
    assert f"{other} {words[0]}" not in " ".join(told.split())
    with pytest.raises(SystemExit) as stopped:
        typed(*words, "--no-such-option")
    assert stopped.value.code == 2
    assert capsys.readouterr().err.splitlines()[-1].startswith(f"{name}: error: ")


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["verify", "--claim", "T99"], "verify --list names them all"),
        (["report", "--verify-json", "{tmp}/none.json", "--only", "verify", "--results", "{tmp}/results", "--out", "{tmp}/x.pdf"],
         "verify --json {tmp}/none.json`"),
        (["gpu_benchmarks", "status", "{tmp}"], "gpu_benchmarks sweep --out {tmp} --plan NAME`"),
        (["gpu_benchmarks", "fmnist", "table", "--records", "{tmp}"], "gpu_benchmarks fmnist run --records {tmp}`"),
        (["gpu_benchmarks", "data", "cifar10", "--data", "{tmp}"], "gpu_benchmarks data fetch cifar10 --data {tmp}`"),
        (["gpu_benchmarks", "linear", "quick", "--dataset", "cifar10-features", "--data", "{tmp}"],
         "gpu_benchmarks linear run --dataset cifar10-features --records "),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)  # fmt: skip
def test_an_error_names_the_cure_as_it_would_be_typed(
    words, hint, start, typed, tmp_path, capsys, monkeypatch
):
    monkeypatch.setattr("verify.catalogue.claims", dict)  # all of them are not needed to be told of none
    assert typed(*(word.format(tmp=tmp_path) for word in words)) == 2
    told = " ".join(capsys.readouterr().err.split())
    assert f"{start} {hint.format(tmp=tmp_path)}" in told


JSON = {
    ("verify",): ["--claim", "NEC-EQ6"],
    ("verify", "--list"): ["--claim", "NEC-EQ6"],
    ("verify", "--mutants"): ["--claim", "NEC-EQ6"],
    ("verify", "epsilon"): ["--sigma", "5", "--rounds", "10"],
    ("verify", "recipe", "alpha-normec"): ["--f-gap", "1", "--L", "1", "--K", "9", "--clients", "2"],
    ("verify", "recipe", "fed-alpha-normec"): ["--f-gap", "1", "--L", "1", "--K", "9", "--clients", "2"],
    ("verify", "recipe", "dp-normfedavg"): ["--L=1", "--G=1", "--distance=1", "--clients=1000", "--dimension=9", "--epsilon=8"],
    ("verify", "textbook"): [],
    ("report",): ["--only", "verify", "--verify-json", "{tmp}/verdicts.json", "--results", "{tmp}/kept", "--out", "{tmp}/x.pdf"],
    ("toy_problems", "example1"): [],
    ("toy_problems", "overlay"): [],
    ("toy_problems", "rates"): [],
    ("toy_problems", "figure"): ["example1"],
    ("toy_problems", "falsify"): ["--bound", "NEC-L2", "--instances", "100", "--budget", "inf"],
    ("gpu_benchmarks", "table"): ["--paper", "dp-normfedavg"],
    ("gpu_benchmarks", "status"): ["{tmp}/sweep"],
    ("gpu_benchmarks", "throughput"): ["--device", "cpu", "--rounds", "1", "--clients", "2"],
    ("gpu_benchmarks", "data"): [],
    ("gpu_benchmarks", "linear"): ["table"],
    ("gpu_benchmarks", "fmnist"): ["table"],
}  # fmt: skip
"""Of every command that has `--json`, the arguments of a short call."""


def test_every_command_that_writes_json_is_here():
    have = {words for words, parser in PARSERS.items() if "--json" in parser._option_string_actions}
    assert have == {words for words in JSON if not words[-1].startswith("-")}


@pytest.mark.parametrize("words", JSON, ids=" ".join)
def test_json_on_standard_output_takes_the_place_of_all_that_is_printed(words, tmp_path, capsys, monkeypatch):
    sample = json.loads(SAMPLE.read_text(encoding="utf-8"))
    (tmp_path / "verdicts.json").write_text(json.dumps(sample | {"sha256": seal(sample["claims"])}), "utf-8")
    sweep.begin(sweep.Folder(tmp_path / "sweep"), [Config(data="synthetic", clients=2, batch=16, rounds=1)])
    result = {"name": "2 + 2 = 4", "status": "holds", "cases": 1, "claims": [], "note": ""}
    monkeypatch.setattr("verify.textbook.survey.each", lambda cases: [(result, 1.0)])
    for name in ("overlay_job", "rates_job"):
        monkeypatch.setattr(jobs, name, jobs.example1_job)
    monkeypatch.setattr("verify.mutants.survey", lambda *_: [])
    timed = {"device": "a device", "precision": "float32", "cases": [], "floor": []}
    monkeypatch.setattr(throughput, "measure", lambda *_, **__: timed)
    monkeypatch.setattr("gpu_benchmarks.data.cli.check", lambda which, folder: [("a file", "whole")])
    given = [word.format(tmp=tmp_path) for word in (*words[1:], *JSON[words], "--json", "-")]
    assert importlib.import_module(f"{words[0]}.__main__").main(given) == 0
    printed = capsys.readouterr()
    assert isinstance(json.loads(printed.out), dict)
    assert printed.err == ""


@pytest.mark.parametrize("option", ["--explain", "--errata"])
def test_what_would_be_printed_in_the_place_of_the_json_is_refused(option, capsys):
    assert normec.main(["verify", "--claim", "NEC-EQ6", option, "--json", "-"]) == 2
    printed = capsys.readouterr()
    assert (printed.out, printed.err.count("\n")) == ("", 1)
    assert f"{option} and --json - are printed in the same place" in printed.err
