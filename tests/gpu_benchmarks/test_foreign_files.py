"""Files of a sweep that are not what their names say: told in one line by every command that would take them for it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from gpu_benchmarks import records, sweep
from gpu_benchmarks.checkpoint import path_of
from gpu_benchmarks.cli import main
from gpu_benchmarks.commands import queue
from gpu_benchmarks.config import Config
from gpu_benchmarks.sweep import Folder
from tests_support import record_of

TINY = Config(data="synthetic", clients=2, batch=16, blocks=1, width=2, rounds=2)
TRAIN = ["--dataset", "synthetic", "--clients", "2", "--batch", "16", "--blocks", "1", "--width", "2", "--rounds", "2"]  # fmt: skip
CPU = ["--device", "cpu"]


def refused(capsys, *arguments: str) -> str:
    assert main(list(arguments)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    (told,) = err.splitlines()
    assert told.startswith("error: ")
    return told


def foreign(folder: Path) -> tuple[str, str]:
    """A record under the name of another run: (that name, whose it is)."""
    own, other = record_of([10.0, 20.0], TINY), record_of([10.0, 20.0], TINY, gamma=0.2)
    assert own.config == TINY
    records.write(other, folder).rename(folder / f"{own.run}.json")
    return own.run, other.run


@pytest.mark.parametrize("command", ["status", "sweep", "train"])
def test_the_record_of_another_run_does_not_pass_for_a_run_that_is_done(command, tmp_path, capsys):
    folder = Folder(tmp_path)
    sweep.begin(folder, [TINY])
    place = tmp_path if command == "train" else folder.records
    named, of = foreign(place)
    arguments = {
        "status": [str(tmp_path)],
        "sweep": ["--resume", "--out", str(tmp_path), *CPU],
        "train": [*TRAIN, "--out", str(tmp_path), *CPU],
    }
    told = refused(capsys, command, *arguments[command])
    assert f"{named}.json: is the record of run {of}, not of {named}; " in told
    assert told.endswith("or delete it")
    (place / f"{named}.json").rename(place / f"{of}.json")  # as the line says
    assert main([command, *arguments[command]]) == 0


def test_queue_takes_no_record_for_another_runs_either(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(queue, "sound", None)
    named, of = foreign(tmp_path / "work" / "records")
    arguments = ["--small", *CPU, "--work", str(tmp_path / "work"), "--out", str(tmp_path / "out")]
    assert f"{named}.json: is the record of run {of}" in refused(capsys, "queue", *arguments)
    assert not (tmp_path / "out").exists()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
@pytest.mark.parametrize("command", ["status", "sweep"])
@pytest.mark.parametrize("place", ["queue", "record", "checkpoint"])
def test_a_pipe_is_not_waited_for(command, place, tmp_path, capsys):
    """Whoever opens one to read waits until somebody writes to it."""
    folder = Folder(tmp_path)
    sweep.begin(folder, [TINY])
    path = {
        "queue": folder.queue,
        "record": folder.record(TINY),
        "checkpoint": path_of(TINY, folder.checkpoints),
    }[place]
    path.unlink(missing_ok=True)
    path.parent.mkdir(exist_ok=True)
    os.mkfifo(path)
    arguments = {"status": [str(tmp_path)], "sweep": ["--resume", "--out", str(tmp_path), *CPU]}
    told = refused(capsys, command, *arguments[command])
    assert str(path) in told
    assert "no file, but a" in told


def test_a_run_that_stands_twice_in_an_old_queue_counts_once(tmp_path, capsys):
    """Queues without a seal may have been written by hand."""
    folder = Folder(tmp_path)
    sweep.begin(folder, [TINY])
    held = json.loads(folder.queue.read_text())
    del held["sha256"]
    held["configs"] *= 2
    folder.queue.write_text(json.dumps(held))
    assert sweep.resumed(folder) == [TINY]
    assert main(["status", str(tmp_path), "--json", "-"]) == 0
    assert [run["run"] for run in json.loads(capsys.readouterr().out)["runs"]] == [TINY.run]
