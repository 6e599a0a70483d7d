"""The command line: what it prints, writes and returns, and one clear line for every mistake."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import re
import signal
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
import torch

from gpu_benchmarks import checkpoint, cluster, provenance, records, roofline, sweep, throughput
from gpu_benchmarks.cli import COMMANDS, main
from gpu_benchmarks.commands import shared
from gpu_benchmarks.config import PRECISIONS, Config
from gpu_benchmarks.cost import cost
from gpu_benchmarks.engine import Trainer
from gpu_benchmarks.plans import BEST
from gpu_benchmarks.reported import load
from gpu_benchmarks.resnet import Architecture
from gpu_benchmarks.sweep import Folder
from gpu_benchmarks.training import Options

TINY = [
    "--dataset",
    "synthetic",
    "--clients",
    "2",
    "--batch",
    "16",
    "--blocks",
    "1",
    "--width",
    "2",
    "--rounds",
    "2",
]


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_every_command(name, capsys):
    with pytest.raises(SystemExit) as stopped:
        main([name, "--help"])
    assert stopped.value.code == 0
    assert COMMANDS[name].help[:20] in " ".join(capsys.readouterr().out.split())


def test_train_writes_a_record_and_does_not_repeat_it(tmp_path, capsys):
    arguments = ["train", *TINY, "--out", str(tmp_path), "--device", "cpu"]
    assert main(arguments) == 0
    (path,) = tmp_path.glob("*.json")
    record = records.read(path)
    assert record.status == "complete"
    assert record.config == Config(data="synthetic", clients=2, batch=16, blocks=1, width=2, rounds=2)
    assert set(record.provenance) >= {"commit", "versions", "hardware", "wall_seconds", "weight_gradients"}
    assert re.fullmatch("[0-9a-f]{16}", record.provenance["sources"])
    before = path.read_bytes()
    assert main(arguments) == 0
    assert "is done" in capsys.readouterr().out
    assert path.read_bytes() == before


def test_dry_run_counts_the_printed_schedule_and_writes_nothing(tmp_path, capsys):
    """The network is tiny so that the measurement is short; the counts are those of the full schedule."""
    network = ["--blocks", "1", "--width", "2"]
    arguments = ["train", *network, "--out", str(tmp_path / "x"), "--dry-run", "--device", "cpu"]
    assert main(arguments) == 0
    printed = capsys.readouterr().out
    assert "42,300" in printed
    assert "13,500,000" in printed
    assert not (tmp_path / "x").exists()


def test_a_dry_run_says_what_the_runs_take_on_the_gpu_of_the_records(capsys, monkeypatch):
    """Four side by side; of one run alone the whole time; of runs that do something else nothing."""
    monkeypatch.setattr(shared, "estimate", lambda runs, how: ((run, cost(run), 60.0) for run in runs))
    said, totals = [], []
    for runs in (
        [replace(BEST, precision="bf16", seed=seed) for seed in range(4)],
        [replace(BEST, precision="bf16")],
        [BEST],
    ):
        shared.show_cost(runs, Options(torch.device("cpu")))
        line = r"^on NVIDIA H200, .*, (\d) at once, .* on record: ([\d.]+) minutes$"
        out = capsys.readouterr().out
        said.append(re.findall(line, out, re.M))
        totals.append(re.findall(r"^all +(\d+ \w+)", out, re.M))
    assert totals == [["4 runs"], [], []], "of one run there is no sum"
    (four,), (one,), none = said
    assert (four[0], one[0], none) == ("4", "1", [])
    assert float(four[1]) == pytest.approx(float(one[1]), rel=0.03)


def test_a_dry_run_shows_how_far_its_measurements_are(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")  # as on a terminal
    assert main(["train", *TINY, "--out", str(tmp_path / "x"), "--dry-run", "--device", "cpu"]) == 0
    out, err = capsys.readouterr()
    assert "1/1" in err
    assert "cost, nothing was run" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["train", "--gamma", "-1"], "^error: --gamma -1.0 is not allowed: it must be finite and above 0"),
        (["train", "--reading", "noise"], "write NAME=OPTION"),
        (["train", "--reading", "noise=loud"], "noise = 'loud' is unknown"),
        (["train", "--reading", "colour=red"], "colour"),
        (["train", "--config", "/nowhere.toml"], "cannot be read"),
        (["train", "--device", "tpu", *TINY], "device 'tpu'"),
        (["train", "--device", "cpu:7", *TINY], "device 'cpu:7': the CPU .* use cpu"),
        (["train", *TINY, "--data", "{tmp}"], "--data .*: synthetic data are made, not read; leave it out"),
        (["table", "--json", ""], "^error: --json '': the value given is empty; name one"),
        (["train", *TINY, "--out="], "^error: --out=: the value given is empty"),
        (["status", ""], "^error: status '': the value given is empty"),
        (["train", *TINY[:2], *TINY[4:], "--clients", "300"], "fewer than one mini-batch"),
        (["sweep", "--out", "{tmp}", "--plan", "everything"], "^error: --plan 'everything' is unknown"),
        (["sweep", "--out", "{tmp}", "--resume"], "holds no sweep"),
        (["sweep", "--out", "{tmp}"], "the sweep has no runs"),
        (["sweep", "--out", "{tmp}", "--dry-run"], "the sweep has no runs"),
        (["sweep", "--out", "{tmp}", "--plan", "anchor", "--minutes", "0"], "--minutes 0.0"),
        (["sweep", "--out", "{tmp}", "--plan", "anchor", "--resume"], "leave out --plan$"),
        (
            ["sweep", "--out", "{tmp}", "--plan", "anchor", "--every", "nan"],
            "--every nan: must be at least 0 seconds",
        ),
        (
            ["sweep", "--out", "{tmp}", "--plan", "anchor", "--reading", "colour=red"],
            "'colour' is unknown; the readings",
        ),
        (["sweep", "--out", "{tmp}/file/x", "--plan", "anchor"], "cannot be written"),
        (["train", *TINY, "--out", "{tmp}/file/x"], "cannot be written"),
        (["status", "{tmp}"], "holds no sweep .*; begin one with `python -m gpu_benchmarks sweep"),
        (["status", "{tmp}/file"], "is a file; name the folder of a sweep"),
        (["table", "--records", "{tmp}/nowhere"], "nowhere: is not a folder"),
        (["table", "--json", "{tmp}"], "is a folder; give the name of a file"),
        (["throughput", "--threads", "-1"], "--threads -1: must be at least 1"),
        (["throughput", "--clients", "10", "0"], "--clients 0: must be in"),
        (["queue", "--data", "{tmp}/file"], "cannot be made .*; choose another --data"),
        (["queue", "--data", "{tmp}", "--minutes", "nan"], "--minutes nan: must be above 0"),
        (["queue", "--data", "{tmp}", "--at-once", "0"], "--at-once 0: must be at least 1"),
        (["queue", "--data", "{tmp}", "--done", "{tmp}/nowhere"], "--done .*nowhere: is not a folder"),
        (["queue", "--data", "{tmp}", "--out", "{tmp}/file/x"], "cannot be written"),
        (["fmnist", "table", "--records", "{tmp}"], "holds no records; `python -m gpu_benchmarks fmnist run"),
        (["fmnist", "quick", "--records", "{tmp}"], "holds no records; `python -m gpu_benchmarks fmnist run"),
        (["fmnist", "run", "--records", "{tmp}/file/x"], "cannot be written"),
        (["fmnist", "run", "--noise", "nan"], "--noise nan: must be a finite number above 0"),
        (["fmnist", "run", "--noise", "-1"], "--noise -1.0: must be a finite number above 0"),
        (["fmnist", "run", "--contenders", "-1"], "--contenders -1.0: must be at least 0"),
        (["throughput", "--rounds", "0"], "--rounds 0"),
        (["throughput", "--rounds", str(10**400)], r"must be in \[1, 1000000\]"),
        (["throughput", "--clients", "10", str(10**400)], r"must be in \[1, 10000\]"),
        (["throughput", "--threads", "100000000000"], "--threads 100000000000: .* the cores of this machine"),
        (["train", *TINY, "--private", "--epsilon", "1e-320"], "noise of scale .* is no finite number"),
        (["train", *TINY, "--reading", "round"], "write NAME=OPTION"),
        (["queue", "--data", "{tmp}"], "still missing|missing; call again"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_mistakes_end_in_one_line_and_status_2(tmp_path, capsys, arguments, message):
    (tmp_path / "file").touch()
    assert main([a.format(tmp=tmp_path) for a in arguments]) == 2
    errors = capsys.readouterr().err.strip().splitlines()
    assert len(errors) == 1
    assert errors[0].startswith("error: ")
    assert re.search(message, errors[0])


def test_memory_that_does_not_suffice_is_one_line(capsys, monkeypatch):
    def greedy(*arguments, **more):
        torch.empty(1 << 60, dtype=torch.uint8)

    monkeypatch.setattr(throughput, "measure", greedy)
    assert main(["throughput", "--device", "cpu"]) == 2
    (error,) = capsys.readouterr().err.splitlines()
    assert error.startswith("error: memory does not suffice (")


def test_what_goes_on_from_nowhere_promises_nothing(capsys, monkeypatch):
    def stopped(*arguments, **more):
        raise KeyboardInterrupt

    monkeypatch.setattr(throughput, "measure", stopped)
    assert main(["throughput", "--device", "cpu"]) == 130
    assert capsys.readouterr().err == "interrupted\n"


def test_an_interrupted_sweep_says_that_resume_goes_on(tmp_path, capsys, monkeypatch):
    """The same command would be refused: the folder holds a sweep by then."""

    def stopped(*arguments, **more):
        raise KeyboardInterrupt

    monkeypatch.setattr(sweep, "check", stopped)
    assert main(["sweep", "--plan", "anchor", "--out", str(tmp_path / "x"), "--device", "cpu"]) == 130
    assert "interrupted; `sweep --resume` with the same --out goes on" in capsys.readouterr().err


def test_untimed_calls_are_shown_too(capsys, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")  # as on a terminal
    throughput.interleaved({"nothing": lambda: None}, 1, torch.device("cpu"))
    err = capsys.readouterr().err
    assert err.index("warming up") < err.index("timing")


@pytest.mark.usefixtures("ctrl_c")
@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["ctrl-c", "term"]
)
def test_a_run_that_is_told_to_end_is_saved(number, status, tmp_path, capsys, monkeypatch):
    """In the middle of the second round: the first is in the checkpoint."""
    begun, advance = [], Trainer.advance

    def told(self, group):
        begun.append(self.rounds_done)
        if begun.count(1) == 2:
            signal.raise_signal(number)
        advance(self, group)

    monkeypatch.setattr(Trainer, "advance", told)
    assert main(["train", *TINY, "--out", str(tmp_path), "--device", "cpu"]) == status
    assert "interrupted; the same command goes on from the last checkpoint" in capsys.readouterr().err
    (path,) = (tmp_path / "checkpoints").iterdir()
    saved = checkpoint.read(Config(data="synthetic", clients=2, batch=16, blocks=1, width=2, rounds=2), path)
    assert saved is not None
    assert len(saved.rounds) == 1
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_a_reader_that_goes_away_is_no_traceback(tmp_path, monkeypatch):
    """As `head` does."""
    sweep.begin(Folder(tmp_path), [Config(data="synthetic")])
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w", encoding="utf-8") as gone:
        monkeypatch.setattr(sys, "stdout", gone)
        assert main(["status", str(tmp_path), "--json", "-"]) == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_standard_output_on_a_full_disk_is_one_line(tmp_path, capsys, monkeypatch):
    sweep.begin(Folder(tmp_path), [Config(data="synthetic")])
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        monkeypatch.setattr(sys, "stdout", full)
        assert main(["status", str(tmp_path), "--json", "-"]) == 2
    (error,) = capsys.readouterr().err.splitlines()
    assert error.startswith("error: ")
    assert "No space left" in error


def test_a_damaged_record_does_not_pass_for_a_run_that_is_done(tmp_path, capsys):
    config = Config(data="synthetic", clients=2, batch=16, blocks=1, width=2, rounds=2)
    folder = Folder(tmp_path)
    sweep.begin(folder, [config])
    for path in (folder.record(config), tmp_path / f"{config.run}.json"):
        path.parent.mkdir(exist_ok=True)
        path.write_text("{")
    for arguments in (["sweep", "--resume"], ["train", *TINY]):
        assert main([*arguments, "--out", str(tmp_path), "--device", "cpu"]) == 2
        (error,) = capsys.readouterr().err.splitlines()
        assert "not valid JSON" in error
        assert "delete it to make the run again" in error
    assert main(["status", str(tmp_path)]) == 2


@pytest.mark.parametrize("command", ["status", "sweep"])
def test_a_sweep_is_begun_and_looked_for_in_one_place(command, tmp_path, capsys, monkeypatch):
    """Without a folder, `status` shows the sweep that `sweep` makes without `--out`."""
    monkeypatch.chdir(tmp_path)
    assert main([command]) == 2  # nothing is there, and nothing is asked for
    capsys.readouterr()
    sweep.begin(
        Folder(sweep.HOME), [Config(data="synthetic", clients=2, batch=16, blocks=1, width=2, rounds=1)]
    )
    assert main(["status", "--json", "-"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["folder"] == str(sweep.HOME)
    assert [run["state"] for run in found["runs"]] == ["waiting"]
    with pytest.raises(SystemExit):
        main([command, "--help"])
    assert f"default: {sweep.HOME}" in capsys.readouterr().out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_says_what_it_is(name):
    """No option in the help of a command stands without a word, and each that takes a value names its default."""
    parser = argparse.ArgumentParser()
    importlib.import_module(COMMANDS[name].module).add_arguments(parser)
    for action in parser._actions:
        assert action.help, f"{name}: {action.option_strings or action.dest} has no help"
        if action.option_strings and action.nargs != 0:
            told = re.search(r"default|repeatable|instead of|reduced runs", action.help)
            assert told, (
                f"{name} {action.option_strings[0]}: {action.help!r} does not say what holds without it"
            )


def test_json_on_standard_output_is_all_that_is_there(capsys):
    assert main(["table", "--json", "-", "--paper", "dp-normfedavg"]) == 0
    out, err = capsys.readouterr()
    assert {row["paper"] for row in json.loads(out)["rows"]} == {"dp-normfedavg"}
    assert err == ""


def test_data_without_an_action_is_checked(tmp_path, capsys):
    assert main(["data", "--data", str(tmp_path), "--json", "-"]) == 2
    files = json.loads(capsys.readouterr().out)["files"]
    assert {state for found in files.values() for state in dict(found).values()} == {"missing"}


def test_missing_data_says_what_to_put_where(tmp_path, capsys):
    assert main(["train", "--data", str(tmp_path), "--device", "cpu", "--out", str(tmp_path / "out")]) == 2
    error = capsys.readouterr().err
    assert "cifar-10-binary.tar.gz is missing" in error
    assert f"`python -m gpu_benchmarks data fetch cifar10 --data {tmp_path}`" in error
    assert "NORMEC_DATA" in error
    out = tmp_path / "sweep"
    assert (
        main(["sweep", "--plan", "anchor", "--data", str(tmp_path), "--device", "cpu", "--out", str(out)])
        == 2
    )
    assert "cifar-10-binary.tar.gz is missing" in capsys.readouterr().err
    assert not (out / "queue.json").exists(), "a sweep that cannot begin leaves no queue"


def test_a_sweep_over_ray_that_has_no_data_leaves_no_queue(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(cluster, "ready", lambda: None)
    monkeypatch.setattr(cluster, "spread", lambda *args: pytest.fail("the workers would find no data"))
    out = tmp_path / "sweep"
    assert main(["sweep", "--ray", "--plan", "anchor", "--data", str(tmp_path), "--out", str(out)]) == 2
    assert "cifar-10-binary.tar.gz is missing" in capsys.readouterr().err
    assert not (out / "queue.json").exists()


def test_a_missing_package_is_named(capsys, monkeypatch):
    monkeypatch.delitem(sys.modules, "gpu_benchmarks.tuning")
    monkeypatch.delitem(sys.modules, "gpu_benchmarks.throughput")
    monkeypatch.setitem(sys.modules, "torch", None)
    assert main(["throughput", "--device", "cpu"]) == 2
    assert "throughput needs the package torch, which is not installed" in capsys.readouterr().err


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a CUDA device")
def test_cuda_without_a_gpu_is_a_clear_error(capsys):
    assert main(["throughput", "--device", "cuda"]) == 2
    assert "no CUDA device" in capsys.readouterr().err


def test_status_as_json(tmp_path, capsys):
    config = Config(data="synthetic", clients=2, batch=16, blocks=1, width=2, rounds=1)
    folder = Folder(tmp_path)
    sweep.begin(folder, [config])
    assert main(["status", str(tmp_path), "--json", "-"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["runs"]
    assert row == {"run": config.run, "state": "waiting", "rounds": 0, "of": 1, "what": config.label()}
    assert main(["sweep", "--resume", "--out", str(tmp_path), "--device", "cpu"]) == 0
    capsys.readouterr()
    assert main(["status", str(tmp_path), "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["runs"][0]["state"] == "done"


def test_status_counts_the_rounds_of_a_run_under_way(tmp_path, capsys):
    config = Config(data="synthetic", clients=2, batch=16, blocks=1, width=2, rounds=3)
    folder, seen = Folder(tmp_path), []

    def look(run, measured):
        assert main(["status", str(tmp_path), "--json", "-"]) == 0
        (row,) = json.loads(capsys.readouterr().out)["runs"]
        seen.append((row["state"], row["rounds"]))

    reports = sweep.Reports(on_round=look)
    options = Options(torch.device("cpu"), every=0.0)
    assert sweep.sweep(folder, sweep.begin(folder, [config]), options, reports=reports)
    states, rounds = zip(*seen, strict=True)
    assert set(states) == {"running"}
    assert rounds[-1] >= 2


@pytest.mark.unchecked
def test_table_lists_every_printed_number(tmp_path, capsys):
    target = tmp_path / "table.json"
    assert main(["table", "--json", str(target)]) == 0
    printed = capsys.readouterr().out
    rows = json.loads(target.read_text())["rows"]
    assert [row["id"] for row in rows] == [number.id for number in load().numbers]
    assert all(row["id"] in printed for row in rows)
    assert {row["verdict"] for row in rows} <= {"reproduced", "not reproduced", "not run"}


@pytest.mark.unchecked
def test_brief_table_collapses_what_was_not_run_and_its_json_is_whole(tmp_path, capsys, monkeypatch):
    """At 120 columns it is a table: each number that was run is on a line that begins with its id, words in a cell may break."""
    monkeypatch.setenv("COLUMNS", "120")
    given = ["table", "--no-reduced", "--json"]
    assert main([*given, str(tmp_path / "all.json")]) == 0
    capsys.readouterr()
    assert main([*given, str(tmp_path / "table.json"), "--brief"]) == 0
    listed, collapsed, *_ = capsys.readouterr().out.split("\n\n")
    found = json.loads((tmp_path / "table.json").read_text())
    assert found == json.loads((tmp_path / "all.json").read_text())
    not_run = [row for row in found["rows"] if row["verdict"] == "not run"]
    plain = {number.id: number.plain for number in load().numbers}
    for row in found["rows"]:
        line = re.compile(rf"^{row['id']} +{re.escape(plain[row['id']].split()[0])} ", re.M)
        assert bool(line.search(listed)) == (row not in not_run)
    told = re.findall(r"^([A-Z][\w.-]+)(…?) +(\d+) +\w", collapsed, re.M)
    assert sum(int(count) for _, _, count in told) == len(not_run)
    for begins, dots, _ in told:
        assert any(row["id"].startswith(begins) if dots else row["id"] == begins for row in not_run)


@pytest.mark.parametrize(
    "precision",
    [
        pytest.param(name, marks=() if name in ("float32", "bf16") else pytest.mark.slow)
        for name in PRECISIONS
    ],
)
def test_throughput_json(precision, monkeypatch, capsys):
    """The contract of the JSON, on a network small enough to be quick."""
    monkeypatch.setattr(roofline, "_rates", lambda precision, device: (1e9, 1e9))
    small = Architecture(blocks=1, width=2)
    result = throughput.measure(torch.device("cpu"), precision, sizes=((2, 4),), rounds=2, net=small)
    assert capsys.readouterr().err == "", "no bar where no terminal is"
    assert isinstance(result["device"], str)
    assert result["graphs"] is False
    assert (result["commit"], result["sources"]) == (provenance.commit(), provenance.sources())
    assert result["hardware"]["device"] == "cpu"
    variants = {case["variant"]: case for case in result["cases"]}
    assert set(variants) == {"plain", "ours", "loop", "vmap", "joint", "plain, channels last"}
    assert variants["plain"]["ratio_to_plain"] == 1.0
    for case in result["cases"]:
        assert (case["clients"], case["batch"]) == (2, 4)
        expected = variants["plain"]["seconds_per_round"] * case["ratio_to_plain"]
        assert case["seconds_per_round"] == pytest.approx(expected)
        assert case["processor_seconds_per_round"] > 0
    assert result["floor"][0]["seconds"] > 0


def test_what_is_left_out_of_the_throughput_is_told(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(roofline, "_rates", lambda precision, device: (1e9, 1e9))
    measured = throughput.measure
    small = partial(measured, net=Architecture(blocks=1, width=2))
    monkeypatch.setattr(throughput, "measure", small)
    target = tmp_path / "out.json"
    asked = ["throughput", "--device", "cpu", "--rounds", "1", "--clients", "2", "--json", str(target)]
    assert main([*asked, "--without", "vmap", "--without", "loop"]) == 0
    found = json.loads(target.read_text())
    assert found["without"] == ["loop", "vmap"]
    assert {case["variant"] for case in found["cases"]} == {"plain", "ours", "joint", "plain, channels last"}
    assert "vmap" not in capsys.readouterr().out


def test_nothing_is_timed_where_the_gradients_are_wrong(monkeypatch, capsys):
    from gpu_benchmarks import layers

    wrong = dict(layers.WEIGHT_GRADIENTS) | {"loop": lambda *a: 1.001 * layers._by_groups(*a)}
    monkeypatch.setattr(layers, "WEIGHT_GRADIENTS", wrong)
    assert main(["throughput", "--device", "cpu", "--rounds", "1"]) == 2
    assert "nothing was run or timed" in capsys.readouterr().err


def test_a_damaged_data_file_is_one_line_on_the_error_stream(tmp_path, capsys):
    home = tmp_path / "cifar10"
    home.mkdir()
    (home / "test_batch.bin").write_bytes(b"x")
    assert main(["data", "check", "cifar10", "--data", str(tmp_path), "--json", "-"]) == 2
    out, err = capsys.readouterr()
    absent, damaged = err.splitlines()
    assert absent.startswith(f"error: {home / 'data_batch_1.bin'} is missing")
    assert damaged.startswith(f"error: {home / 'test_batch.bin'}: ")
    assert json.loads(out)["files"]["cifar10"]["data_batch_1.bin"] == "missing"


def test_one_run_has_no_neighbours(capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["train", "--at-once", "2"])
    assert stopped.value.code == 2
    assert "--at-once" in capsys.readouterr().err


def test_an_interruption_while_a_command_is_read_is_no_traceback(monkeypatch):
    package = "gpu_benchmarks.commands.train"

    class Interrupted:
        def find_spec(self, name, path=None, target=None):
            if name == package:
                raise KeyboardInterrupt

    monkeypatch.setattr(sys, "meta_path", [Interrupted(), *sys.meta_path])
    monkeypatch.delitem(sys.modules, package, raising=False)
    monkeypatch.delattr(package, raising=False)
    assert main(["train", "--help"]) == 130
