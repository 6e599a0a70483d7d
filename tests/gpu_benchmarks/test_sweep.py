"""Sweeps: killed at any instant, begun again, each run once and the same records as undisturbed."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from gpu_benchmarks import cluster, records, sweep
from gpu_benchmarks.checkpoint import path_of
from gpu_benchmarks.cli import main
from gpu_benchmarks.commands import shared
from gpu_benchmarks.config import Config, to_dict
from gpu_benchmarks.errors import InputError
from gpu_benchmarks.sweep import Claims, Folder
from gpu_benchmarks.training import Options, train
from methods.terminal.output import TEMPORARY, write_whole
from tests_support import record_of

BASE = Config(data="synthetic", clients=2, batch=16, rounds=4, blocks=1, width=2, private=True)
CONFIGS = [
    replace(BASE, beta=0.1),
    replace(BASE, beta=1.0),
    replace(BASE, method="fed_alpha_normec", participation=0.5, local_steps=2),
]
OPTIONS = Options(torch.device("cpu"), every=0.0)
ENVIRONMENT = os.environ | {"OMP_NUM_THREADS": "1", "PYTHONWARNINGS": "error"}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    torch.set_num_threads(1)
    folder = Folder(tmp_path_factory.mktemp("undisturbed"))
    assert sweep.sweep(folder, sweep.begin(folder, CONFIGS), OPTIONS)
    return results(folder)


def results(folder: Folder) -> dict[str, dict]:
    return {record.run: record.result() for record in records.read_all([folder.records])}


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "gpu_benchmarks", *arguments]


def resume(folder: Folder) -> subprocess.Popen:
    return subprocess.Popen(
        command("sweep", "--resume", "--out", str(folder.path), "--every", "0", "--device", "cpu"),
        env=ENVIRONMENT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def wait_for(condition, process: subprocess.Popen, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition() and process.poll() is None:
        assert time.monotonic() < end, "the sweep did not get so far"
        time.sleep(0.005)


def test_kill_9_and_resume_give_the_same_records(tmp_path, undisturbed):
    """Killed once in the first run after a checkpoint, once around the first record, once soon after; then
    to the end.
    """
    folder = Folder(tmp_path)
    sweep.begin(folder, CONFIGS)
    moments = [
        lambda: any(folder.checkpoints.glob("*.safetensors")),
        lambda: any(folder.records.glob("*.json")),
        lambda: any(folder.checkpoints.glob(TEMPORARY)) or len(list(folder.records.glob("*.json"))) > 1,
    ]
    killed = 0
    for moment in moments:
        process = resume(folder)
        wait_for(moment, process)
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            killed += 1
        process.communicate()
    assert killed >= 2, "the test must kill something"
    process = resume(folder)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors.decode()
    assert results(folder) == undisturbed
    assert not list(folder.checkpoints.glob("*.safetensors")), "a finished run keeps no checkpoint"


def test_time_limit_checkpoints_and_resuming_gives_the_same_records(tmp_path, undisturbed):
    folder = Folder(tmp_path)
    configs = sweep.begin(folder, CONFIGS)
    calls = 0
    while not sweep.sweep(folder, configs, OPTIONS, minutes=0.2 / 60):
        calls += 1
        assert calls < 100
    assert calls >= 1, "the limit must have cut something"
    assert results(folder) == undisturbed


def test_a_sweep_goes_on_from_checkpoints_of_another_and_leaves_them(tmp_path, undisturbed, capsys):
    """Two runs begun here and elsewhere, one further here and one further there; a third that is to be shorter than what was begun."""
    begun, here = Folder(tmp_path / "begun"), Folder(tmp_path / "here")
    shorter = replace(CONFIGS[1], stop_after=1)

    def until(folder: Folder, config: Config, rounds: int) -> None:
        def stop(run, measured):
            if len(run.rounds) == rounds:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            sweep.sweep(folder, [config], OPTIONS, reports=sweep.Reports(on_round=stop))

    for config, rounds in zip(CONFIGS, (2, 3, 3), strict=True):
        until(begun, config, rounds)
    until(here, CONFIGS[0], 3)
    until(here, CONFIGS[2], 1)
    before = {path.name: path.read_bytes() for path in begun.checkpoints.iterdir()}
    own = path_of(CONFIGS[0], here.checkpoints).read_bytes()
    assert sweep.take_over(here, [CONFIGS[0], shorter, CONFIGS[2]], begun.checkpoints) == 1
    assert path_of(CONFIGS[0], here.checkpoints).read_bytes() == own
    assert sweep.take_over(here, CONFIGS, begun.checkpoints) == 1, "now the whole of the second"
    done = []
    reports = sweep.Reports(on_round=lambda run, measured: done.append(run.config.run))
    assert sweep.sweep(here, CONFIGS, OPTIONS, reports=reports)
    assert [done.count(config.run) for config in CONFIGS] == [1, 1, 1]
    assert results(here) == undisturbed
    assert {path.name: path.read_bytes() for path in begun.checkpoints.iterdir()} == before


def test_the_command_says_how_many_runs_were_begun(tmp_path, capsys):
    begun, out = tmp_path / "begun", tmp_path / "out"
    config = tmp_path / "run.json"
    config.write_text(json.dumps(to_dict(BASE)))
    arguments = ["sweep", str(config), "--device", "cpu", "--every", "0"]
    assert main([*arguments, "--out", str(tmp_path / "first"), "--stop-after", "2"]) == 0
    (tmp_path / "first" / "checkpoints").rename(begun)
    capsys.readouterr()
    assert main([*arguments, "--out", str(out), "--begun", str(begun)]) == 0
    assert f"{begun}: 1 of 1 runs go on from there" in capsys.readouterr().out
    assert main([*arguments, "--out", str(tmp_path / "again"), "--begun", str(tmp_path / "nowhere")]) == 2
    assert "nowhere: is not a folder" in capsys.readouterr().err
    assert not (tmp_path / "again").exists()
    path_of(BASE, begun).write_bytes(b"damaged")
    assert main([*arguments, "--out", str(tmp_path / "again"), "--begun", str(begun)]) == 2
    assert "damaged checkpoint" in capsys.readouterr().err
    assert not (tmp_path / "again").exists()


def test_nothing_is_taken_over_by_a_sweep_that_cannot_begin(tmp_path, capsys, monkeypatch):
    """For want of its data, say: the next sweep there would go on from it unasked."""
    config = tmp_path / "run.json"
    config.write_text(json.dumps(to_dict(BASE)))
    arguments = ["sweep", str(config), "--device", "cpu", "--every", "0"]
    assert main([*arguments, "--out", str(tmp_path / "begun"), "--stop-after", "2"]) == 0

    def missing(*_: object) -> None:
        raise InputError("no data")

    monkeypatch.setattr(shared, "provide", missing)
    assert main([*arguments, "--out", str(tmp_path / "out"), "--begun", str(tmp_path / "begun")]) == 2
    assert "no data" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_of_checkpoints_of_which_one_is_damaged_none_is_taken_over(tmp_path):
    begun, folder = Folder(tmp_path / "begun"), Folder(tmp_path / "out")
    sweep.sweep(begun, [replace(config, stop_after=1) for config in CONFIGS[:2]], OPTIONS)
    path_of(CONFIGS[1], begun.checkpoints).write_bytes(b"damaged")
    with pytest.raises(InputError, match="damaged checkpoint"):
        sweep.take_over(folder, CONFIGS, begun.checkpoints)
    assert not folder.path.exists()


def test_what_was_begun_may_be_named_by_the_folder_of_its_sweep(tmp_path, capsys):
    """The folder that `--out` named then, and not only the one inside it; and where nothing goes on, why."""
    config = tmp_path / "run.json"
    config.write_text(json.dumps(to_dict(BASE)))
    arguments = ["sweep", str(config), "--device", "cpu", "--every", "0"]
    first, second, third = (tmp_path / name for name in ("first", "second", "third"))

    def said(*more: str) -> str:
        capsys.readouterr()
        assert main([*arguments, *more]) == 0
        return next(line for line in capsys.readouterr().out.splitlines() if "from there" in line)

    assert main([*arguments, "--out", str(first), "--stop-after", "2"]) == 0
    begun = ["--begun", str(first)]
    assert (
        said("--out", str(second), *begun, "--stop-after", "3")
        == f"{first / 'checkpoints'}: 1 of 1 runs go on from there"
    )
    assert records.read_all([second / "records"])[0].rounds == 3
    assert (
        said("--out", str(third), *begun, "--seed", "7")
        == f"{first / 'checkpoints'}: no run goes on from there: none of its 1 checkpoint is of one of these runs; 1 of 1 begin anew"
    )
    (empty := tmp_path / "empty").mkdir()
    assert (
        said("--out", str(tmp_path / "fourth"), "--begun", str(empty), "--stop-after", "1")
        == f"{empty}: no run goes on from there: it holds no checkpoints; 1 of 1 begin anew"
    )
    assert (
        said("--out", str(tmp_path / "fifth"), *begun, "--stop-after", "1")
        == f"{first / 'checkpoints'}: no run goes on from there: of the checkpoints that fit, this sweep has its own as far, or "
        "they are of longer runs; 1 of 1 begin anew"
    )


def test_side_by_side_gives_the_same_records(tmp_path, undisturbed):
    folder = Folder(tmp_path)
    assert sweep.sweep(folder, sweep.begin(folder, CONFIGS), OPTIONS, at_once=3)
    assert results(folder) == undisturbed


def test_a_run_that_another_process_holds_is_left_alone(tmp_path):
    """flock belongs to the open file, so a second open in this process stands for another process."""
    folder = Folder(tmp_path)
    configs = sweep.begin(folder, CONFIGS[:1])
    with Claims(folder) as holder:
        assert holder.take(configs[0])
        assert not sweep.sweep(folder, configs, OPTIONS)
        assert not folder.done(configs[0])
        assert sweep.status(folder, configs)[0][1] == "running"
    assert sweep.status(folder, configs)[0][1] == "waiting"


def test_a_run_whose_checkpoint_another_process_writes_is_left_alone(tmp_path):
    """A run that stops earlier and the whole one have one checkpoint: while one is made, the other neither begins nor takes over
    nor tidies up.
    """
    folder, begun = Folder(tmp_path / "here"), tmp_path / "begun"
    whole = replace(BASE, images=64)
    short = replace(whole, stop_after=2)
    sweep.sweep(Folder(begun), [replace(whole, stop_after=3)], OPTIONS)
    assert path_of(whole, Folder(begun).checkpoints).exists()
    with Claims(folder) as holder:
        assert holder.take(short)
        assert not sweep.sweep(folder, [whole], OPTIONS)
        assert sweep.take_over(folder, [whole], Folder(begun).checkpoints) == 0
        assert not folder.checkpoints.exists()
        assert not folder.done(whole)
        written = path_of(short, folder.checkpoints)
        write_whole(written, b"of the holder")
        records.write(record_of([10.0] * 4, whole), folder.records)
        assert sweep.sweep(folder, [whole], OPTIONS)
        assert written.exists()


@pytest.mark.parametrize("at_once", [1, 3])
def test_runs_of_one_trajectory_go_on_from_each_other_also_with_room_for_all(tmp_path, at_once):
    whole, other = (replace(BASE, images=64, beta=beta) for beta in (0.1, 1.0))
    alone = train(whole, sweep.device_data(whole, OPTIONS.device), OPTIONS)
    configs = [replace(whole, stop_after=1), replace(whole, stop_after=3), whole, other]
    made = []
    reports = sweep.Reports(on_round=lambda run, measured: made.append(run.config.trajectory))
    folder = Folder(tmp_path)
    assert sweep.sweep(folder, sweep.begin(folder, configs), OPTIONS, at_once, reports=reports)
    assert made.count(whole.run) == whole.rounds, "no round is repeated"
    found = results(folder)
    for config in configs[:3]:
        for name, values in alone.metrics.items():
            assert found[config.run]["metrics"][name] == values[: config.stop_after]


def test_a_run_that_ends_between_the_look_and_the_lock_is_not_made_again(tmp_path, monkeypatch):
    """Another process writes its record and lets go of it just before it is locked here."""
    folder, config, lock = Folder(tmp_path), CONFIGS[0], sweep._locked
    record = record_of([10.0] * config.rounds, config)

    def late(path):
        records.write(record, folder.records)
        return lock(path)

    monkeypatch.setattr(sweep, "_locked", late)
    begun = []
    assert sweep.sweep(folder, [config], OPTIONS, reports=sweep.Reports(on_start=begun.append))
    assert begun == []
    assert results(folder)[config.run] == record.result()
    assert sweep.status(folder, [config])[0][1] == "done"


@pytest.mark.parametrize("number", [1, 2], ids=["alone", "of two"])
def test_a_run_that_was_only_looked_at_is_not_left_out(tmp_path, monkeypatch, number):
    """`status` takes a shared lock for an instant; so does, here, a lock that is let go while the sweep waits."""
    folder = Folder(tmp_path)
    configs = sweep.begin(folder, CONFIGS[:number])
    claim = folder.claim(configs[0])
    claim.parent.mkdir(exist_ok=True)
    claim.touch()
    with claim.open(encoding="ascii") as looking:
        fcntl.flock(looking, fcntl.LOCK_SH)
        monkeypatch.setattr(sweep.time, "sleep", lambda seconds: looking.close())
        assert sweep.sweep(folder, configs, OPTIONS)
        assert looking.closed


def test_a_recorded_run_is_not_run_again(tmp_path, undisturbed):
    folder = Folder(tmp_path)
    configs = sweep.begin(folder, CONFIGS[:1])
    assert sweep.sweep(folder, configs, OPTIONS)
    before = folder.record(configs[0]).stat().st_mtime_ns
    assert sweep.sweep(folder, configs, OPTIONS)
    assert folder.record(configs[0]).stat().st_mtime_ns == before


def test_begin_and_resume_refuse_what_is_wrong(tmp_path):
    folder = Folder(tmp_path)
    with pytest.raises(InputError, match="holds no sweep"):
        sweep.resumed(folder)
    with pytest.raises(InputError, match="has no runs"):
        sweep.begin(folder, [])
    assert sweep.begin(folder, [*CONFIGS, *CONFIGS]) == CONFIGS == sweep.resumed(folder)
    with pytest.raises(InputError, match="--resume"):
        sweep.begin(folder, CONFIGS)
    whole = folder.queue.read_text()
    held = json.loads(whole)
    less = [{name: value for name, value in held["configs"][0].items() if name != "gamma"}]
    for damaged in (
        "{",
        whole.replace('"gamma": 0.1', '"gamma": 0.3', 1),  # a few bits
        json.dumps(held | {"configs": less}),
        json.dumps(held | {"configs": []}),
        json.dumps(held | {"schema": True}),
    ):
        folder.queue.write_text(damaged)
        with pytest.raises(InputError, match="damaged"):
            sweep.resumed(folder)
    del held["sha256"]
    folder.queue.write_text(json.dumps(held))
    with pytest.raises(InputError, match="damaged"):
        sweep.resumed(folder)


def test_of_two_sweeps_begun_at_once_one_is_refused(tmp_path, monkeypatch):
    def meanwhile(path, content):
        with pytest.raises(InputError, match="another process begins a sweep there"):
            sweep.begin(Folder(tmp_path), CONFIGS[:1])
        write_whole(path, content)

    monkeypatch.setattr(sweep, "write_whole", meanwhile)
    assert sweep.begin(Folder(tmp_path), CONFIGS) == CONFIGS == sweep.resumed(Folder(tmp_path))


def test_leftovers_of_killed_writers_are_cleaned(tmp_path):
    folder = Folder(tmp_path)
    folder.records.mkdir()
    leftover = folder.records / TEMPORARY.replace("*", "x1")
    leftover.write_text("half")
    assert records.read_all([folder.records]) == []
    sweep.clean(folder)
    assert leftover.exists(), "another process may be about to rename it"
    os.utime(leftover, (0, time.time() - sweep.STALE - 1))
    sweep.clean(folder)
    assert not leftover.exists()


def test_a_run_killed_after_its_record_leaves_no_checkpoint(tmp_path):
    """That of a reduced run stays: a longer one may go on from it."""
    folder = Folder(tmp_path)
    whole, reduced = (record_of([10.0, 20.0], BASE, seed=seed) for seed in (0, 1))
    reduced = replace(reduced, config=replace(reduced.config, rounds=9, stop_after=2))
    for record in (whole, reduced):
        records.write(record, folder.records)
        write_whole(path_of(record.config, folder.checkpoints), b"of the last round but one")
    assert sweep.sweep(folder, [whole.config, reduced.config], OPTIONS)
    assert list(folder.checkpoints.iterdir()) == [path_of(reduced.config, folder.checkpoints)]


def test_a_worker_of_a_cluster_uses_its_own_gpu(monkeypatch):
    """Whatever the machine has from which the sweep is started."""
    asked = []
    monkeypatch.setattr(cluster, "sweep", lambda *arguments: asked.append(arguments))
    cluster._work(Folder(Path()), CONFIGS, OPTIONS, None, None, 2)
    assert OPTIONS.device.type == "cpu"
    assert asked[0][2].device.type == "cuda"


class Ray:
    """A cluster of two GPUs, whose workers run here, one after the other."""

    def __init__(self, work) -> None:
        self.asked, self.work = [], work

    def cluster_resources(self):
        return {"GPU": 2.0}

    def remote(self, **how):
        assert how == {"num_gpus": 1}
        return lambda work: type("Worker", (), {"remote": lambda *arguments: self.asked.append(arguments)})

    def get(self, asked):
        return [self.work(*arguments) for arguments in self.asked]


def test_workers_of_a_cluster_find_data_and_sweep_wherever_they_stand(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NORMEC_DATA", "images")
    for data, found in ((None, "images"), (Path("elsewhere"), "elsewhere")):
        ray = Ray(lambda *arguments: None)
        monkeypatch.setitem(sys.modules, "ray", ray)
        cluster.spread(Folder(Path("out")), [Config()], OPTIONS, None, data, 1)
        assert len(ray.asked) == 2
        for folder, _, _, _, store, _ in ray.asked:
            assert (folder.path, store) == (tmp_path / "out", tmp_path / found)


def test_what_stops_a_worker_of_a_cluster_is_told_as_its_own_words(tmp_path, monkeypatch):
    """Ray raises a class that it makes of the worker's, whose arguments are no texts."""

    class RayTaskError(InputError):
        def __init__(self, cause: Exception) -> None:
            super().__init__("traceback of the worker")
            self.cause, self.args = cause, (cause,)

    def work(*arguments):
        raise RayTaskError(InputError("damaged.safetensors: delete it"))

    monkeypatch.setitem(sys.modules, "ray", Ray(work))
    with pytest.raises(InputError) as told:
        cluster.spread(Folder(tmp_path), CONFIGS, OPTIONS, None, None, 1)
    assert told.value.args == ("damaged.safetensors: delete it",)


def test_claims_that_cannot_be_made_are_named(tmp_path):
    (tmp_path / "claims").touch()
    with Claims(Folder(tmp_path)) as claims, pytest.raises(InputError, match=r"claims.*cannot be written"):
        claims.take(BASE)


@pytest.mark.slow
@pytest.mark.usefixtures("ctrl_c")
def test_interrupt_saves_and_exits_130(tmp_path):
    folder = Folder(tmp_path)
    sweep.begin(folder, [replace(BASE, rounds=300)])
    process = resume(folder)
    wait_for(lambda: any(folder.checkpoints.glob("*.safetensors")), process)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=180)
    assert process.returncode == 130, errors.decode()
    assert sweep.status(folder, sweep.resumed(folder))[0][1] == "checkpointed"
