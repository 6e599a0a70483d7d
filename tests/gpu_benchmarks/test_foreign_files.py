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
@pytest.mark.parametrize("place", ["queue", "record", "checkpoint", "claim"])
def test_a_pipe_is_not_waited_for(command, place, tmp_path, capsys):
    """Whoever opens one to read waits until somebody writes to it."""
    folder = Folder(tmp_path)
    sweep.begin(folder, [TINY])
    path = {
        "queue": folder.queue,
        "record": folder.record(TINY),
        "checkpoint": path_of(TINY, folder.checkpoints),
        "claim": folder.claim(TINY),
    }[place]
    path.unlink(missing_ok=True)
    path.parent.mkdir(exist_ok=True)
    os.mkfifo(path)
    arguments = {"status": [str(tmp_path)], "sweep": ["--resume", "--out", str(tmp_path), *CPU]}
    told = refused(capsys, command, *arguments[command])
    assert str(path) in told
    assert "no file, but a" in told


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
@pytest.mark.parametrize("name", ["cifar-10-binary.tar.gz", "cifar-10-binary.tar.gz.part"])
def test_a_pipe_among_the_data_is_not_waited_for(name, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("urllib.request.urlopen", lambda *_, **__: pytest.fail("fetched"))
    path = tmp_path / "cifar10" / name
    path.parent.mkdir()
    os.mkfifo(path)
    assert f"{path}: is no file, but a pipe" in refused(
        capsys, "data", "fetch", "cifar10", "--data", str(tmp_path)
    )


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
@pytest.mark.parametrize("command", [["table", "--records"], ["fmnist", "table", "--records"]])
def test_a_pipe_among_the_records_is_not_waited_for(command, tmp_path, capsys):
    os.mkfifo(tmp_path / "zz.json")
    assert f"{tmp_path / 'zz.json'}: is no file, but a pipe" in refused(capsys, *command, str(tmp_path))


@pytest.mark.parametrize(
    ("queue", "told"),
    [
        ("null", "damaged (not a table with exactly the keys schema, sha256, configs)"),
        ('{"schema": 1}', "damaged (not a table with exactly the keys schema, sha256, configs)"),
        ('{"schema": 2, "sha256": "", "configs": [1]}', "damaged (schema 2 is not 1)"),
        ('{"schema": 1, "sha256": "", "configs": {}}', "damaged (configs is not a list of at least one run)"),
    ],
)
def test_what_is_wrong_with_a_queue_is_named(queue, told, tmp_path, capsys):
    (tmp_path / "queue.json").write_text(queue)
    assert told in refused(capsys, "status", str(tmp_path))


def test_a_table_is_not_written_over_what_it_is_made_of(tmp_path, capsys):
    folder = Folder(tmp_path)
    sweep.begin(folder, [TINY])
    record = records.write(record_of([10.0, 20.0], TINY), folder.records)
    data = tmp_path / "cifar10" / "test_batch.bin"
    data.parent.mkdir()
    before = {path: path.read_bytes() for path in (folder.queue, record)}
    for arguments in (
        ["status", str(tmp_path), "--json", str(folder.queue)],
        ["status", str(tmp_path), "--json", str(record)],
        ["table", "--records", str(tmp_path), "--json", str(record)],
        ["table", "--json", str(records.FOLDER / "new.json")],
        ["fmnist", "table", "--records", str(folder.records), "--json", str(record)],
        ["data", "check", "cifar10", "--data", str(tmp_path), "--json", str(data)],
    ):
        assert f"--json {arguments[-1]}: lies in " in refused(capsys, *arguments)
    assert {path: path.read_bytes() for path in before} == before
    assert not data.exists()
    assert not (records.FOLDER / "new.json").exists()


def test_a_folder_whose_name_is_not_utf8_is_told_as_json(tmp_path, capsys):
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff"))
    sweep.begin(Folder(folder), [TINY])
    assert main(["status", str(folder), "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["folder"] == str(folder)


@pytest.mark.parametrize(
    ("command", "place"), [("status", "record"), ("sweep", "record"), ("sweep", "checkpoint")]
)
def test_a_link_that_leads_nowhere_is_told(tmp_path, capsys, command, place):
    folder = Folder(tmp_path)
    sweep.begin(folder, [TINY])
    path = folder.record(TINY) if place == "record" else path_of(TINY, folder.checkpoints)
    path.parent.mkdir()
    path.symlink_to(path)
    arguments = {"status": [str(tmp_path)], "sweep": ["--resume", "--out", str(tmp_path), "--device", "cpu"]}
    assert f"{path}: is a link that leads nowhere; delete it" in refused(capsys, command, *arguments[command])


def test_a_dry_run_reads_the_records(tmp_path, capsys):
    folder = Folder(tmp_path)
    sweep.begin(folder, [TINY])
    resume = ["sweep", "--resume", "--out", str(tmp_path), "--device", "cpu"]
    path = records.write(record_of([10.0, 20.0], TINY), folder.records)
    assert main([*resume, "--dry-run"]) == 0
    assert capsys.readouterr().out == "0 runs to do\n"
    path.write_text(path.read_text()[:-20])
    said = {refused(capsys, *resume, *more) for more in ([], ["--dry-run"])}
    assert len(said) == 1
    assert f"{path}: not valid JSON" in said.pop()
