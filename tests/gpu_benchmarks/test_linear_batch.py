"""Batches of linear runs: records, resuming bit for bit after kill -9, damage, the command line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gpu_benchmarks import machine
from gpu_benchmarks.cli import main
from gpu_benchmarks.data.load import Images
from gpu_benchmarks.errors import InputError
from gpu_benchmarks.linear import batch as module
from gpu_benchmarks.linear import checkpoint
from gpu_benchmarks.linear.batch import Batch, Prepared, every, read, read_all, run
from gpu_benchmarks.linear.datasets import FASHION_MNIST
from gpu_benchmarks.linear.federation import Lane, State, initial
from gpu_benchmarks.linear.readings import Readings
from gpu_benchmarks.records import FOLDER

LANES = (Lane("clip", 5.0, 0.02, 0.05), Lane("norm", 5.0, 0.02, 0.05), Lane("fedavg", 1.0, 0.1, 0.0))
BATCH = Batch(Readings(), seed=3, lanes=LANES, measured=every(12, 4), clients=20, participation=0.5, steps=3)


def images(samples: int = 200) -> Images:
    """Ten separable classes of small pictures: class k is bright in row k."""
    rng = np.random.default_rng(0)
    labels = np.tile(np.arange(10, dtype=np.uint8), samples // 10)
    pictures = rng.integers(0, 60, (samples, 10, 6), dtype=np.uint8)
    pictures[np.arange(samples), labels] += 120
    return Images(pictures, labels, pictures[:50], labels[:50], 10)


@pytest.fixture
def data() -> Prepared:
    return Prepared.of(images(), BATCH.readings)


def results(record: dict) -> list:
    return record["runs"]


def interrupted(data: Prepared, folder: Path) -> Path:
    """The checkpoint of a batch that was interrupted after round 5."""

    def stop(done: int, of: int) -> None:
        if done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(BATCH, data, folder, stop)
    (path,) = folder.iterdir()
    return path


def saved(path: Path, data: Prepared) -> tuple[State, checkpoint.Progress]:
    clients = data.clients(BATCH)
    start = initial(BATCH.protocol, clients.x.shape[2], data.classes, len(LANES), np.float32)
    return checkpoint.read(path, BATCH.name, start, BATCH.measured)


def test_a_record_holds_settings_metrics_and_where_it_comes_from(data, tmp_path):
    record = run(BATCH, data, tmp_path)
    assert read(tmp_path / f"{BATCH.name}.json") == record
    assert record["config"]["measured"] == [4, 8, 9, 10, 11, 12]
    assert {"commit", "numpy", "processor", "wall_seconds"} <= set(record["provenance"])
    for item in record["runs"]:
        assert item["status"] == "complete"
        assert len(item["test_accuracy"]) == 6
    final = [item["test_accuracy"][-1] for item in record["runs"]]
    assert min(final) > 50, f"ten separable classes are learnt well above 10%: {final}"
    assert [path.suffix for path in tmp_path.iterdir()] == [".json"], "no checkpoint is left"


def test_a_record_names_the_code_that_it_began_with(data, tmp_path, monkeypatch):
    """However long it takes, and whatever is committed meanwhile; where there is no git, the files' hash names it."""
    head = ["a" * 40]
    monkeypatch.setattr(machine, "git", lambda *asked: head[0] if asked[0] == "rev-parse" else "")
    machine.commit.cache_clear()
    try:
        where = run(BATCH, data, tmp_path, lambda done, of: head.__setitem__(0, "b" * 40))["provenance"]
        assert where["commit"] == "a" * 40
        machine.commit.cache_clear()
        head[0] = ""
        where = run(replace(BATCH, seed=4), data, tmp_path)["provenance"]
        assert (where["commit"], where["sources"]) == ("unknown", machine.sources())
    finally:
        machine.commit.cache_clear()


def test_the_same_settings_give_the_same_bits_and_another_seed_does_not(data, tmp_path):
    first = run(BATCH, data, tmp_path / "a")
    assert results(run(BATCH, data, tmp_path / "b")) == results(first)
    other = replace(BATCH, seed=4)
    assert other.name != BATCH.name
    assert results(run(other, data, tmp_path / "a")) != results(first)


def test_a_record_that_is_there_is_not_run_again(data, tmp_path, monkeypatch):
    first = run(BATCH, data, tmp_path)
    monkeypatch.setattr(module, "rounds", lambda *_: pytest.fail("ran again"))
    assert run(BATCH, data, tmp_path) == first


def test_interrupted_anywhere_it_goes_on_to_the_same_bits(data, tmp_path):
    """Ctrl-C after several rounds in turn; the checkpoint is written then, not only every so often."""
    whole = results(run(BATCH, data, tmp_path / "whole"))

    def stop_at(round_: int):
        def report(done: int, of: int) -> None:
            if done == round_:
                raise KeyboardInterrupt

        return report

    for stop in (2, 5, 9, 12):
        with pytest.raises(KeyboardInterrupt):
            run(BATCH, data, tmp_path / "broken", stop_at(stop))
        state, _ = saved(checkpoint.path_of(BATCH.name, tmp_path / "broken"), data)
        assert state.round == stop, "nothing is lost"
        assert not list((tmp_path / "broken").glob("*.json")), "no record before the end"
    assert results(run(BATCH, data, tmp_path / "broken")) == whole


def test_interrupted_before_the_first_round_is_done_it_leaves_nothing(data, tmp_path, monkeypatch):
    def at_once(*_):
        raise KeyboardInterrupt
        yield

    with monkeypatch.context() as patch:
        patch.setattr(module, "rounds", at_once)
        with pytest.raises(KeyboardInterrupt):
            run(BATCH, data, tmp_path)
    assert list(tmp_path.iterdir()) == []
    assert run(BATCH, data, tmp_path)["batch"] == BATCH.name


CHILD = """
import sys, importlib.util
from pathlib import Path
spec = importlib.util.spec_from_file_location("batches", sys.argv[1])
tests = importlib.util.module_from_spec(spec); spec.loader.exec_module(tests)
data = tests.Prepared.of(tests.images(), tests.BATCH.readings)
import time
tests.run(tests.BATCH, data, Path(sys.argv[2]), lambda *_: time.sleep(0.05), checkpoint_every=0.0)
"""


def test_killed_it_goes_on_to_the_same_bits(data, tmp_path):
    """kill -9 once a checkpoint is there, then the same call again."""
    whole = results(run(BATCH, data, tmp_path / "whole"))
    folder = tmp_path / "killed"
    folder.mkdir()
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, __file__, str(folder)], env=os.environ | {"PYTHONPATH": "."}
    )
    limit = time.monotonic() + 60
    while (
        not list(folder.glob("*.checkpoint.safetensors"))
        and child.poll() is None
        and time.monotonic() < limit
    ):
        time.sleep(0.01)
    child.send_signal(signal.SIGKILL)
    assert child.wait() == -signal.SIGKILL
    assert not list(folder.glob(f"{BATCH.name}.json"))
    assert results(run(BATCH, data, folder)) == whole


def test_a_damaged_checkpoint_is_named(data, tmp_path):
    path = interrupted(data, tmp_path)
    whole = path.read_bytes()
    for content in (b"", b"text", whole[:-1], b"\xff" * 8 + whole[8:]):
        path.write_bytes(content)
        with pytest.raises(InputError, match=r"checkpoint\.safetensors.*damaged.*delete it"):
            run(BATCH, data, tmp_path)


def test_a_flipped_bit_in_a_checkpoint_is_found(data, tmp_path):
    """Anywhere after the header's length, names and shapes included."""
    path = interrupted(data, tmp_path)
    whole = path.read_bytes()
    for bit in np.random.default_rng(0).integers(8 * 8, 8 * len(whole), 50):
        content = bytearray(whole)
        content[bit // 8] ^= 1 << (bit % 8)
        path.write_bytes(content)
        with pytest.raises(InputError, match=r"checkpoint.*delete it"):
            saved(path, data)


@pytest.mark.parametrize(
    "change",
    [
        {"momentum": np.zeros(3, np.float32)},
        {"weights": np.zeros((60, 10, 3), np.int64)},
        {"round": 5.0},
        {"round": 99},
        {"round": 0},
        {"accuracies": np.zeros((3, 3))},
        {"accuracies": np.zeros((1, 2))},
        {"batch": "another"},
    ],
    ids=lambda change: " ".join(map(str, change)),
)
def test_a_checkpoint_that_does_not_fit_is_named(data, tmp_path, change):
    """Written by this code, and whole, but of other settings."""
    path = interrupted(data, tmp_path)
    state, progress = saved(path, data)
    assert np.array(progress.accuracies).shape == (1, 3)
    if "accuracies" in change:
        progress = replace(progress, accuracies=list(change["accuracies"]))
    held = {key: value for key, value in change.items() if key in ("weights", "momentum", "round")}
    checkpoint.write(path, change.get("batch", BATCH.name), replace(state, **held), progress)
    with pytest.raises(InputError, match=r"checkpoint of another batch; delete it"):
        run(BATCH, data, tmp_path)


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda r: r["config"].update(seed=9), "edited"),
        (lambda r: r["runs"][0].update(eta0=0.3), "edited"),
        (lambda r: r["runs"][0]["test_accuracy"].append(1.0), "outside"),
        (lambda r: r["runs"][0]["test_accuracy"].__setitem__(0, 120.0), "outside"),
        (lambda r: r["config"]["readings"].update(bias="perhaps"), "bias"),
        (lambda r: r.pop("runs"), "runs"),
        (lambda r: r["config"].update(extra=1), "extra"),
        (lambda r: r.update(schema=2), "schema 2 is not 1"),
        (lambda r: r.pop("schema"), "not a record"),
        (lambda r: r["runs"][0].update(test_accuracy=None), "not a record"),
        (lambda r: r["runs"][0]["test_accuracy"].__setitem__(0, "12"), "outside"),
        (lambda r: r.update(provenance=None), "not a record"),
        (lambda r: r["provenance"].update(wall_seconds="12"), "wall_seconds = '12'"),
        (lambda r: r["config"]["readings"].pop("bias"), "edited"),
        (lambda r: r["config"].update(readings={}), "edited"),
        (lambda r: r.update(more=1), "unknown: more"),
        (lambda r: r["runs"][1].update(more=1), "unknown: more"),
        (lambda r: r["runs"][1].pop("status"), "unknown: status"),
        (lambda r: r.pop("kind"), "unknown: kind"),
        (lambda r: r.update(kind="batch"), "kind 'batch' is not linear-batch"),
        (lambda r: r.update(schema=True), "schema True is not 1"),
        (lambda r: r["runs"][0].update(status="fine"), "status 'fine' of a run that is complete"),
        (lambda r: r["runs"][0].update(status="diverged"), "status 'diverged' of a run that is complete"),
        (
            lambda r: r["runs"][0]["test_accuracy"].__setitem__(0, None),
            "status 'complete' of a run that is diverged",
        ),
        (lambda r: r["runs"][0]["test_accuracy"].__setitem__(0, 1.5), "SHA-256"),
        (lambda r: r["config"]["measured"].__setitem__(0, "1"), "measured rounds .* must be integers"),
        (lambda r: r["config"].update(measured=None), "config.measured is None, and must be a list"),
        (lambda r: r.update(runs=[3]), "a run is 3, and must be a table"),
        (lambda r: r.update(runs=3), "runs is 3, and must be a list"),
        (lambda r: r.update(config=[]), r"config is \[\], and must be a table"),
        (lambda r: r["config"].pop("seed"), "seed"),
        (lambda r: r["config"].update(precision=[]), r"precision \[\]: choose one of"),
        (lambda r: r["runs"][0].update(eta0="1"), "eta0 = '1' of a run is not a finite number"),
    ],
    ids=[
        "measured",
        "no-measured",
        "run",
        "runs",
        "config",
        "no-seed",
        "precision",
        "eta0-text",
        "seed",
        "lane",
        "length",
        "range",
        "reading",
        "missing",
        "unknown",
        "newer",
        "no-schema",
        "no-curve",
        "text",
        "no-provenance",
        "seconds",
        "readings-key",
        "readings",
        "unknown-key",
        "unknown-of-run",
        "no-status",
        "no-kind",
        "kind",
        "true",
        "status",
        "not-diverged",
        "not-complete",
        "accuracy",
    ],
)
def test_an_edited_record_is_refused(data, tmp_path, edit, message):
    record = run(BATCH, data, tmp_path)
    edit(record)
    path = tmp_path / f"{BATCH.name}.json"
    path.write_text(json.dumps(record))
    with pytest.raises(InputError, match=message):
        read_all(tmp_path)
    for damage in ("{ not json", "[" * 100_000, '{"schema": 1, "schema": 1}'):
        path.write_text(damage)
        with pytest.raises(InputError, match="delete it to make the run again"):
            read(path)


def test_settings_that_are_left_out_are_no_settings_even_where_they_are_the_default(tmp_path):
    """The name is then that of the whole settings, but what reads a record looks for what stands in it."""
    (path, *_) = sorted((FOLDER / FASHION_MNIST.folder).glob("*.json"))
    record = read(path)
    for key in ("clients", "participation", "steps", "decay", "precision"):
        config = {name: value for name, value in record["config"].items() if name != key}
        (tmp_path / path.name).write_text(json.dumps(record | {"config": config}))
        with pytest.raises(InputError, match="edited"):
            read_all(tmp_path)


def test_a_record_without_a_seal_is_refused(data, tmp_path):
    record = run(BATCH, data, tmp_path)
    del record["sha256"]
    path = tmp_path / f"{BATCH.name}.json"
    path.write_text(json.dumps(record))
    with pytest.raises(InputError, match="missing or unknown: sha256"):
        read(path)


def test_float64_is_a_setting_of_its_own(data, tmp_path):
    double = replace(BATCH, precision="float64")
    assert double.name != BATCH.name
    record = run(double, Prepared.of(images(), BATCH.readings, "float64"), tmp_path)
    assert record["config"]["precision"] == "float64"


@pytest.mark.parametrize(
    "change",
    [{"measured": ()}, {"measured": (3, 2)}, {"measured": (0, 1)}, {"lanes": ()}, {"precision": "float16"}],
    ids=lambda change: next(iter(change)),
)
def test_impossible_batches_are_refused(change):
    with pytest.raises(ValueError, match=r"measured|lane|precision"):
        replace(BATCH, **change)


def command(*arguments: str) -> int:
    return main(["fmnist", *arguments])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("table", "--reading", "bias=perhaps"), "choose one of yes, no"),
        (("table", "--reading", "colour=red"), "choose one of scaling"),
        (("table", "--rounds", "3"), "--rounds 3: from 5"),
        (("table", "--noise", "-1"), "must be a finite number above 0"),
        (("table", "--noise", "1e300"), "from 1e-100 to 1e100"),
    ],
    ids=["option", "reading", "rounds", "noise", "noise beyond squares"],
)
def test_impossible_arguments_are_one_line_and_status_2(arguments, message, capsys):
    assert command(*arguments) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_an_error_holds_no_character_that_would_break_its_line(tmp_path, capsys):
    (path, *_) = sorted((FOLDER / FASHION_MNIST.folder).glob("*.json"))
    (tmp_path / path.name).write_text(json.dumps(read(path) | {"batch": "a\nb\x1b[31m"}))
    assert command("table", "--records", str(tmp_path)) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "not those of batch a\\nb\\x1b[31m: it has been edited" in error


@pytest.mark.parametrize("seeds", ["a", "1,1", "-1", "١,2", "1_0", "1, 2"])
def test_impossible_seeds_are_refused(seeds, capsys):
    with pytest.raises(SystemExit) as stopped:
        command("table", f"--seeds={seeds}")
    assert stopped.value.code == 2
    assert "seeds" in capsys.readouterr().err


def test_without_data_the_command_says_what_to_put_where(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("NORMEC_DATA", str(tmp_path))
    assert command("run", "--records", str(tmp_path)) == 2
    assert "train-images-idx3-ubyte.gz" in capsys.readouterr().err


def test_a_damaged_record_is_one_line_and_status_2(tmp_path, capsys):
    (tmp_path / "x.json").write_text("[]")
    assert command("table", "--records", str(tmp_path)) == 2
    assert "x.json" in capsys.readouterr().err


def test_a_folder_without_records_is_named(tmp_path, capsys):
    assert command("table", "--records", str(tmp_path), "--json", "-") == 2
    captured = capsys.readouterr()
    assert f"{tmp_path}: holds no records" in captured.err
    assert captured.out == ""
    assert FASHION_MNIST.folder == "fmnist"
    (tmp_path / "file").write_text("")
    assert command("table", "--records", str(tmp_path / "file")) == 2
    assert f"--records {tmp_path / 'file'}: is not a folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("seed", [3]), ("seed", -1), ("seed", None), ("seed", True), ("clients", 0), ("clients", 2.5), ("steps", None),
        ("participation", 0), ("participation", 1.5), ("participation", float("nan")), ("participation", None),
        ("decay", -1.0), ("decay", float("nan")), ("decay", float("inf")), ("decay", "0"),
    ],
)  # fmt: skip
def test_a_setting_outside_its_domain_is_named(name, value):
    with pytest.raises(ValueError, match=f"^{name} = .*: must be"):
        replace(BATCH, **{name: value})


def test_a_record_with_a_wrong_setting_or_time_is_one_error(data, tmp_path):
    record = run(BATCH, data, tmp_path)
    path = tmp_path / f"{BATCH.name}.json"
    path.write_text(json.dumps({**record, "config": {**record["config"], "seed": [3]}}))
    with pytest.raises(InputError, match=r"seed = \[3\]: must be an integer of at least 0"):
        read(path)
    path.write_text(json.dumps({**record, "provenance": {**record["provenance"], "wall_seconds": -1}}))
    with pytest.raises(InputError, match=r"wall_seconds = -1 is not a number of at least 0"):
        read(path)


@pytest.mark.parametrize("broken", ["folder", "link"])
def test_what_is_no_checkpoint_is_told_before_the_work(data, tmp_path, broken):
    path = checkpoint.path_of(BATCH.name, tmp_path)
    path.mkdir() if broken == "folder" else path.symlink_to(tmp_path / "gone")
    with pytest.raises(InputError, match=path.name):
        run(BATCH, data, tmp_path, lambda done, of: pytest.fail("a round was done"))
    assert list(tmp_path.iterdir()) == [path]


def test_the_record_of_another_batch_does_not_pass_for_a_batch_that_is_done(data, tmp_path):
    other = replace(BATCH, seed=4)
    run(other, data, tmp_path)
    (tmp_path / f"{other.name}.json").rename(tmp_path / f"{BATCH.name}.json")
    with pytest.raises(InputError, match=f"{BATCH.name}.json: is the record of batch {other.name}, not of"):
        run(BATCH, data, tmp_path)


@pytest.mark.parametrize("action", ["tuned", "quick"])
def test_cells_that_no_record_chooses_are_said(action, capsys):
    assert command(action, "--rounds", "5") == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "with --rounds 5; make them with `run`" in err
    assert err.count("\n") == 1


def test_the_cure_for_no_records_is_a_whole_command(tmp_path, capsys):
    assert command("table", "--records", str(tmp_path / "none")) == 2
    assert "`python -m gpu_benchmarks fmnist run --records" in capsys.readouterr().err
