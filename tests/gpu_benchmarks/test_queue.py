"""`queue`: what a rented GPU runs, in which order, and that nothing but the runs themselves can cost a run. On a CPU."""

from __future__ import annotations

import json
import lzma
import re
import shutil
import subprocess
import sys
import time
from dataclasses import replace
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

import data_files
from gpu_benchmarks import plans, records, reported, sentences, side_by_side, sweep
from gpu_benchmarks.checkpoint import path_of, read_file
from gpu_benchmarks.cli import main
from gpu_benchmarks.commands import queue
from gpu_benchmarks.config import Config, to_dict, with_readings
from gpu_benchmarks.data.gather import gather
from gpu_benchmarks.data.sources import DATASETS, DataError
from gpu_benchmarks.errors import InputError
from gpu_benchmarks.gradients import Rules
from gpu_benchmarks.measured_once import Kept
from gpu_benchmarks.protocols import whole_run
from gpu_benchmarks.readings import OPTIONS, Readings
from gpu_benchmarks.records import RATES, RULES, THROUGHPUT
from gpu_benchmarks.selfcheck import Sound
from gpu_benchmarks.stages import Stage, nearest, stages
from gpu_benchmarks.sweep import Reports
from gpu_benchmarks.training import Options
from tests_support import record_of


def small(folder: Path, *more: str) -> list[str]:
    arguments = ["queue", "--small", "--device", "cpu", "--precision", "float32", *more]
    for name in ("data", "work", "out"):
        arguments += [f"--{name}", str(folder / name)]
    return arguments


@pytest.fixture
def one_run(monkeypatch):
    """A queue of the anchor alone, without augmentation."""
    config = []

    def short(base):
        config[:] = plans.anchor(base)[1:2]
        return [Stage("anchor", lambda found: config)]

    monkeypatch.setattr(queue, "stages", short)
    monkeypatch.setattr(queue, "sound", lambda *asked: Sound(("loop",), graphs=True))  # has tests of its own
    return config


def timing(run):
    """What stands for the process that `queue` starts to measure the throughput."""
    return SimpleNamespace(run=run, TimeoutExpired=subprocess.TimeoutExpired)


@pytest.mark.slow
def test_queue_small_runs_bundles_and_goes_on(tmp_path, capsys):
    """The GPU command from end to end on a CPU with tiny synthetic runs: cut short, called again, nothing
    repeated.
    """
    arguments = small(tmp_path, "--no-throughput")
    assert main([*arguments, "--minutes", "0.05"]) == 0
    assert "time is up; call again" in capsys.readouterr().out
    assert main([*arguments, "--minutes", "9"]) == 0
    assert "all runs have records" in capsys.readouterr().out
    found = [r for r in records.read_all([tmp_path / "out"]) if r.config.data == "synthetic"]
    assert len(found) == 4 + 16 + 40 - 1  # the anchor that was chosen is one of the best cells
    assert len(list((tmp_path / "out").iterdir())) <= 8, "only so many files come back from a rented machine"
    # a fresh machine with the records that came back has nothing to do
    shutil.rmtree(tmp_path / "work")
    before = (tmp_path / "out" / "records.json").read_bytes()
    assert main([*arguments, "--minutes", "9"]) == 0
    assert (tmp_path / "out" / "records.json").read_bytes() == before


def test_runs_that_are_asked_for_come_first_and_go_on_on_another_machine(
    tmp_path, capsys, monkeypatch, one_run
):
    """What a call leaves in --out, also when it is interrupted, is enough for the next machine: records, and checkpoints of what is
    not done.
    """
    asked = Config(data="synthetic", images=128, clients=4, batch=16, blocks=1, width=4, rounds=5, seed=3)
    file = tmp_path / "asked.json"
    file.write_text(json.dumps(to_dict(asked)))
    one, two = tmp_path / "one", tmp_path / "two"
    arguments = ["--no-throughput", "--first", str(file), "--checkpoints"]

    def interrupt(run, measured):
        if len(run.rounds) == 3:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(queue, "_reports", lambda folder, out: Reports(on_round=interrupt))
        assert main(small(one, *arguments)) == 130
    said = capsys.readouterr().out
    assert "stage first: 1 runs, 1 to do" in said
    assert "stage anchor" not in said, "what is asked for comes before all others"
    (left,) = (one / "out").glob("*.safetensors")
    reached = read_file(left)
    assert len(reached.rounds) == 3
    (so_far,) = records.read_all([one / "out" / "unfinished"])
    assert so_far.config == replace(asked, stop_after=3)
    assert so_far.metrics["train_loss"] == [measured.train_loss for measured in reached.rounds]
    assert so_far.provenance["wall_seconds"] == pytest.approx(reached.seconds, abs=1e-3)
    assert so_far.provenance["hardware"]["device"] == "cpu"
    assert main(small(two, *arguments, "--begun", str(one / "out"))) == 0
    assert f"1 runs go on from {one / 'out'}" in capsys.readouterr().out
    found = {record.run: record for record in records.read_all([two / "out"])}
    assert found[asked.run].rounds == 5
    assert found[asked.run].metrics["train_loss"][:3] == so_far.metrics["train_loss"]
    assert records.read_all([two / "out" / "unfinished"]) == []
    assert one_run[0].run in found
    assert not list((two / "out").glob("*.safetensors"))


@pytest.mark.parametrize(
    ("option", "content", "message"),
    [
        (
            "--first",
            '{"data": "synthetic", "clients": 20}',
            "clients = 20, batch = 32: each client gets 18",
        ),
        ("--begun", "no checkpoint", "x.safetensors: damaged"),
    ],
)
def test_what_is_wrong_with_the_runs_is_told_before_the_device_is_checked(
    option, content, message, tmp_path, capsys, monkeypatch
):
    monkeypatch.setattr(queue, "sound", lambda *asked: pytest.fail("checked"))
    name = "x.json" if option == "--first" else "x.safetensors"
    (tmp_path / name).write_text(content)
    given = tmp_path / name if option == "--first" else tmp_path
    assert main(small(tmp_path, option, str(given))) == 2
    assert message in capsys.readouterr().err


def test_gathering_data_over_several_calls(tmp_path, monkeypatch):
    """Batches arrive in two calls, in folders of any depth; what is still missing is said each time, and a damaged one
    is not taken.
    """
    which, contents = data_files.cifar(tmp_path / "whole", "xz")
    monkeypatch.setitem(DATASETS, "cifar10", which)
    names = [part.name for part in which.parts]
    for number, name in enumerate(names):
        place = tmp_path / f"call{number % 2}" / "deep"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"{name}.xz").write_bytes(lzma.compress(contents[name]))
    (tmp_path / "damaged").mkdir()
    (tmp_path / "damaged" / names[0]).write_bytes(contents[names[0]][:-1] + b"\0\0")
    with pytest.raises(DataError, match=rf"damaged/{names[0]}: SHA-256"):
        gather(tmp_path / "damaged", tmp_path / "data")
    store = tmp_path / "data"
    assert gather(None, store) == names
    assert gather(tmp_path / "call0", store) == names[1::2]
    assert gather(tmp_path / "call1", store) == []
    assert sorted(p.name for p in (store / "cifar10").iterdir()) == sorted(f"{name}.xz" for name in names)


def test_a_machine_without_the_package_that_finds_the_cache_is_told_to_name_a_folder(
    tmp_path, capsys, monkeypatch
):
    monkeypatch.delenv("NORMEC_DATA", raising=False)
    monkeypatch.setitem(sys.modules, "pooch", None)
    assert main(["queue", "--out", str(tmp_path), "--work", str(tmp_path)]) == 2
    (error,) = capsys.readouterr().err.splitlines()
    assert "name a folder in NORMEC_DATA" in error


def test_the_readings_nearest_to_print_are_taken_from_records():
    near, far = (Config(beta=0.1, gamma=0.1, seed=seed, rounds=1) for seed in (0, 1))
    found = [record_of([86.0], near), record_of([60.0], far)]
    assert nearest(found, [far, near], "final", 86.09) == near
    assert nearest(found[1:], [far, near], "final", 86.09) == far
    assert nearest([], [far, near], "final", 86.09) is None


def test_stages_are_in_order_and_hand_on_the_readings_that_come_nearest_to_print():
    base = plans.BEST
    first, second, rest = stages(base)
    bare, augmented = (with_readings(base, augmentation=a) for a in ("none", "crop-and-flip"))
    assert {c.readings.augmentation for c in first.runs([])} == set(OPTIONS["augmentation"])
    assert {bare, augmented} < set(first.runs([]))
    found = [record_of([80.0] * 300, bare), record_of([86.0] * 300, augmented)]
    runs = second.runs(found)
    assert {c.readings.augmentation for c in runs} == {"crop-and-flip"}
    assert [c.private for c in runs] == [False] * 16 + [True] * 40
    peaks = [c for c in runs if c.private and not c.server_normalisation]
    other = [
        c for c in peaks if c.readings.noise_root == "K alone"
    ]  # not what the plans take where nothing is chosen
    closest = other[4]
    found += [record_of([80.0 if c is closest else 20.0 + k] * 300, c) for k, c in enumerate(peaks)]
    runs = rest.runs(found)
    assert len(runs) == len({config.run for config in runs})
    assert {c.readings for c in runs if c.private} >= {closest.readings}
    places = {}  # where the runs of each plan begin
    for name in plans.GPU[3:]:
        read = {n: getattr(closest.readings, n) for n in ("noise", "noise_joins", "noise_root")}
        own = plans.PLANS[name](with_readings(base, augmentation="crop-and-flip"))
        own = [with_readings(c, **read) if c.private else c for c in own]
        assert all(config in runs for config in own)
        places[name] = min(runs.index(config) for config in own)
    assert list(places) == sorted(places, key=places.get)
    assert {c.precision for c in runs} == {"float32", "tf32", "bf16"}
    assert not {whole_run(c) for c in runs if c.run not in {r.run for r in found}} & {
        whole_run(record.config) for record in found
    }, "no run is made again under another name"


def test_fed_alpha_normec_keeps_the_root_that_it_prints_whichever_peak_comes_nearest():
    *_, rest = stages(plans.BEST)
    for root in ("K and log", "K alone"):
        (peak, *_) = (c for c in plans.private_peaks() if c.readings.noise_root == root)
        private = [c for c in rest.runs([record_of([77.5] * 300, peak)]) if c.private]
        roots = {c.method: {d.readings.noise_root for d in private if d.method == c.method} for c in private}
        assert roots == {
            "alpha_normec": {root},
            "clip21": {root},
            "fed_alpha_normec": {"K alone"},
            "fedavg": {"K alone"},
        }


def test_the_queue_runs_every_cell_that_a_printed_number_or_a_sentence_asks_for():
    runs = [replace(c, seed=0, readings=Readings()) for c in plans.queue()]
    asked = [
        cell
        for number in reported.load().numbers
        if number.setting != "linear"
        for cell in (*number.cells(), *([{**number.config, **number.minus}] if number.minus else []))
    ]
    for sentence in sentences.load():
        grid = {**sentence.along, **sentence.each, **sentence.over}
        asked += [
            {**sentence.config, **dict(zip(grid, cell, strict=True))} for cell in product(*grid.values())
        ]
    wanted = {replace(Config(), seed=0, **cell) for cell in asked}
    assert len(wanted) == 147
    assert wanted <= set(runs)


def test_best_cells_are_one_beta_after_the_other_with_every_method():
    cells = plans.best_cells()
    assert [c.beta for c in cells] == [b for b in (0.1, 10.0, 1.0, 0.01) for _ in range(4)]
    found = {}
    for c in cells:
        name = "normalised" if c.server_normalisation else c.method
        found.setdefault(name, set()).add((c.beta, c.gamma))
    assert found == {name: set(pairs) for name, pairs in plans.BEST_CELLS.items()}


@pytest.mark.parametrize(
    ("outcome", "line"),
    [
        (
            subprocess.CompletedProcess([], 139, "", "a traceback\nSegmentation fault\n"),
            "FAILED, .*Segmentation",
        ),
        (subprocess.CompletedProcess([], -9, "", ""), "FAILED, .*no word"),
        (subprocess.TimeoutExpired([], 1), "FAILED, .*stopped after 150 s"),
    ],
    ids=["crash", "killed", "too slow"],
)
def test_throughput_costs_no_run(outcome, line, tmp_path, capsys, monkeypatch, one_run):
    """The anchor has its record before anything is timed, and whatever becomes of the timing."""

    def timed(command, **how):
        assert len(records.read_all([tmp_path / "out"])) >= 1
        assert "throughput" in command
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    monkeypatch.setattr(queue, "subprocess", timing(timed))
    assert main(small(tmp_path)) == 0
    (said,) = [text for text in capsys.readouterr().out.splitlines() if "throughput" in text]
    assert re.search(f"throughput {line}", said)
    assert one_run[0].run in {record.run for record in records.read_all([tmp_path / "out"])}
    assert not (tmp_path / "out" / THROUGHPUT).exists()
    monkeypatch.setattr(queue, "subprocess", None)
    assert main(small(tmp_path)) == 0
    assert "throughput failed before; delete" in capsys.readouterr().out


def test_what_is_measured_once_comes_back_from_every_call(tmp_path, capsys, monkeypatch, one_run):
    """The folder of what comes back is empty at the start of a call on the same machine; the folder of the sweep is not."""

    def timed(command, **how):
        Path(command[command.index("--json") + 1]).write_text('{"device": "one"}')
        return subprocess.CompletedProcess(command, 0, "a table\n", "")

    with monkeypatch.context() as patch:
        patch.setattr(queue, "subprocess", timing(timed))
        assert main(small(tmp_path)) == 0
    assert "a table" in capsys.readouterr().out
    shutil.rmtree(tmp_path / "out")
    monkeypatch.setattr(queue, "subprocess", None)  # a second measurement would fail
    assert main(small(tmp_path)) == 0
    assert json.loads((tmp_path / "out" / THROUGHPUT).read_text()) == {"device": "one"}
    shutil.copytree(tmp_path / "out", tmp_path / "earlier")
    elsewhere = Kept(tmp_path / "fresh", tmp_path / "new", [tmp_path / "earlier"])
    assert elsewhere.get(THROUGHPUT) == {"device": "one"}


def test_rules_and_rates_are_read_back(tmp_path):
    kept = Kept(tmp_path / "work", tmp_path / "out", [])
    assert kept.rules().by_shape == {}
    assert kept.rates() == {}
    kept.put(RULES, {"3x16x1": {"loop": 2.0, "groups": 1.0}, "16x16x1": {}})
    kept.put(RATES, {"1": 500.0, "2": 800.0, "4": 850.0})
    again = Kept(tmp_path / "work", tmp_path / "new", [])
    assert again.rules().by_shape == {(3, 16, 1): "groups"}
    assert side_by_side.fewest(again.rates()) == 2, "the fewest within a tenth of the best"
    assert side_by_side.fewest({}) == 1
    for name, read in ((RULES, again.rules), (RATES, again.rates)):
        for damage in (
            b"[1]",
            b"\xe9",
            b"[" * 100_000,
            b'{"3x16x1": {"odd": 1.0}}',
            b'{"0": 1.0}',
            b'{"1": "fast"}',
        ):
            (tmp_path / "work" / name).write_bytes(damage)
            with pytest.raises(InputError, match=r"damaged .*; delete it"):
                read()
        (tmp_path / "work" / name).unlink()


@pytest.mark.parametrize("place", ["out", "done", "work"])
@pytest.mark.parametrize(
    ("name", "content"), [(RULES, "{}x"), (RATES, "[1]"), (THROUGHPUT, "{"), ("records.json", "{")]
)
def test_what_is_damaged_is_named_where_it_lies_before_the_device_is_checked(
    name, content, place, tmp_path, capsys, monkeypatch, one_run
):
    path = tmp_path / place / ("records" if (place, name) == ("work", "records.json") else "") / name
    path.parent.mkdir(parents=True)
    path.write_text(content)
    (tmp_path / "done").mkdir(exist_ok=True)
    arguments = small(tmp_path, "--no-throughput", "--done", str(tmp_path / "done"))
    before = sorted(tmp_path.rglob("*"))
    with monkeypatch.context() as patch:
        patch.setattr(queue, "sound", lambda *asked: pytest.fail("told too late"))
        assert main(arguments) == 2
    (told,) = capsys.readouterr().err.splitlines()
    assert told.startswith(f"error: {path}: ")
    assert "delete it" in told
    assert sorted(tmp_path.rglob("*")) == before, "nothing is copied"
    path.unlink()  # as the line says
    assert main(arguments) == 0


@pytest.mark.parametrize("place", ["work", "begun"])
def test_a_damaged_checkpoint_is_named_before_the_device_is_checked(
    place, tmp_path, capsys, monkeypatch, one_run
):
    """Else it stops the queue when it is its run's turn, after minutes of rented time."""
    (tmp_path / "begun").mkdir()
    home = tmp_path / "work" / "checkpoints" if place == "work" else tmp_path / "begun"
    path = home / "0123456789abcdef.safetensors"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"damaged")
    arguments = small(tmp_path, "--no-throughput", "--begun", str(tmp_path / "begun"))
    with monkeypatch.context() as patch:
        patch.setattr(queue, "sound", lambda *asked: pytest.fail("told too late"))
        assert main(arguments) == 2
    (told,) = capsys.readouterr().err.splitlines()
    assert told.startswith(f"error: {path}: damaged checkpoint ")
    path.unlink()  # as the line says
    assert main(arguments) == 0


def test_what_cannot_be_brought_home_keeps_nothing_else_from_it(tmp_path, capsys, monkeypatch, one_run):
    """A checkpoint that is damaged meanwhile costs neither the records nor the other checkpoints."""
    damaged = tmp_path / "work" / "checkpoints" / "0123456789abcdef.safetensors"

    def stopped(base, *rest):
        damaged.parent.mkdir(parents=True)
        damaged.write_bytes(b"damaged")
        path_of(plans.anchor(base)[1], damaged.parent).write_bytes(b"damaged too")
        raise InputError("stopped")

    monkeypatch.setattr(queue, "_all_stages", stopped)
    assert main(small(tmp_path, "--no-throughput", "--checkpoints")) == 2
    assert "damaged checkpoint" in capsys.readouterr().err
    assert (tmp_path / "out" / "records.json").is_file()
    assert (tmp_path / "out" / damaged.name).read_bytes() == b"damaged"


def test_rules_of_another_device_are_taken_only_where_they_compute_right_here():
    kept = Rules({(3, 16, 1): "groups", (16, 16, 1): "images"})
    assert queue._trusted(kept, Sound(("loop", "images"), graphs=True)).by_shape == {(16, 16, 1): "images"}


@pytest.mark.parametrize(("left", "count"), [(600.0, 4), (10.0, 1)], ids=["time enough", "too late"])
def test_neighbours_are_counted_only_where_there_is_time(left, count, tmp_path, monkeypatch):
    """The measurement takes up to half a minute, and the time of a call is limited."""
    monkeypatch.setattr(queue, "device_data", lambda *arguments: None)
    monkeypatch.setattr(side_by_side, "measure", lambda *arguments, say: {1: 100.0, 4: 300.0})
    kept = Kept(tmp_path / "work", tmp_path / "out", [])
    options = Options(torch.device("cuda"))
    assert queue._at_once(Config(), options, tmp_path, kept, time.monotonic() + left) == count
    assert kept.has(RATES) == (count > 1)


def test_memory_that_runs_out_halves_the_runs_side_by_side(tmp_path, capsys, monkeypatch, one_run):
    tried, real = [], sweep.sweep

    def greedy(folder, configs, options, at_once, *rest):
        tried.append(at_once)
        if at_once > 1:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return real(folder, configs, options, at_once, *rest)

    monkeypatch.setattr(sweep, "sweep", greedy)
    assert main(small(tmp_path, "--no-throughput", "--at-once", "4")) == 0
    assert tried == [4, 2, 1]
    assert "out of memory; 2 at once from here" in capsys.readouterr().out
    assert one_run[0].run in {record.run for record in records.read_all([tmp_path / "out"])}
