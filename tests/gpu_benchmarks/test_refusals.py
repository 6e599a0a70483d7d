"""What cannot be done, and options that would be passed over in silence, are refused before anything is run or written."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import data_files
from gpu_benchmarks import records, sweep
from gpu_benchmarks.checkpoint import path_of
from gpu_benchmarks.cli import main
from gpu_benchmarks.config import Config
from gpu_benchmarks.data import sources
from gpu_benchmarks.sweep import Folder
from tests_support import SMALL, errors, record_of, runs

pytestmark = (
    pytest.mark.unchecked
)  # the table computes each private run's ε, with hundreds of thousands of calls

NET = ["--blocks", "1", "--width", "2"]
TINY = ["--dataset", "synthetic", "--clients", "2", "--batch", "16", *NET, "--rounds", "2", "--device", "cpu"]
GOOD = Config(**SMALL)


@pytest.mark.parametrize("more", [[], ["--dry-run"]], ids=["run", "dry run"])
def test_every_impossible_run_of_a_sweep_is_named_and_nothing_is_written(tmp_path, capsys, more):
    path = runs(
        tmp_path, {}, {"clients": 300}, {"gamma": 0.2}, {"images": 390}, {"private": True, "epsilon": 1e-320}
    )
    out = tmp_path / "out"
    assert main(["sweep", path, "--out", str(out), "--device", "cpu", *more]) == 2
    second, fourth, fifth = errors(capsys)
    assert second.startswith(
        "error: run 2 of 5, α-NormEC β=0.1 γ=0.1 n=300 K=2 batch=16 blocks=1 width=2 data=synthetic seed=42: "
        "clients = 300, batch = 16: each client gets 1"
    )
    assert fourth.startswith("error: run 4 of 5, ")
    assert fourth.endswith("images = 390: synthetic has 360 training images")
    assert "error: run 5 of 5" in fifth
    assert "is no finite number; give a smaller β, or a larger ε or δ" in fifth
    assert not out.exists()


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"gamma": 1e-40}, "step of Plain = 1e-40"),
        ({"alpha": 1e-45}, "alpha of SmoothedNorm = 1e-45"),
        ({"beta": 1e39}, "beta of EF21 = 1e+39"),
        ({"private": True, "epsilon": 1e-39, "readings": {"noise": "std per coordinate"}}, "std of Gaussian"),
    ],
    ids=["step", "alpha", "beta", "noise"],
)
@pytest.mark.parametrize("more", [[], ["--dry-run"]], ids=["run", "dry run"])
def test_a_number_that_float32_does_not_hold_is_named_before_anything_is_written(
    tmp_path, capsys, change, name, more
):
    out = tmp_path / "out"
    assert main(["sweep", runs(tmp_path, change), "--out", str(out), "--device", "cpu", *more]) == 2
    (line,) = errors(capsys)
    assert name in line
    assert "is no number of" in line
    assert not out.exists()
    longer = runs(
        tmp_path,
        change | {"precision": "float64"},
    )
    assert main(["sweep", longer, "--out", str(out), "--device", "cpu", "--dry-run"]) == 0


def test_every_wrong_run_of_a_file_is_named(tmp_path, capsys):
    path = runs(tmp_path, {"gamma": -1}, {}, {"epochs": 3}, {"gama": 1.0})
    assert main(["sweep", path, "--out", str(tmp_path / "out")]) == 2
    first, third, fourth = errors(capsys)
    assert f"{path}, run 1: gamma = -1.0" in first
    assert f"{path}, run 3: unknown epochs" in third
    assert f"{path}, run 4: unknown gama; near: gamma" in fourth


def test_a_choice_that_only_some_runs_can_take_is_named(tmp_path, capsys):
    path = runs(tmp_path, {}, {"rounds": 9})
    assert main(["sweep", path, "--out", str(tmp_path / "out"), "--stop-after", "5"]) == 2
    (line,) = errors(capsys)
    assert line.startswith("error: run 1 of 2, ")
    assert "--stop-after 5 is not allowed: it must be in [1, 2]" in line


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--clients", "200"], "each client gets 1 images"),
        (["--images", "361"], "synthetic has 360 training images"),
        (
            ["--alpha", "1e300", "--gamma", "1e-300", "--method", "fedavg"],
            "leave the range of numbers: α = inf",
        ),
        (["--gamma", "1e-200", "--beta", "1e-200", "--method", "dp_sgd"], "step of the server = 0.0 must be"),
        (["--gamma", "1e300"], "--gamma 1e+300, beta ="),
        (["--private", "--delta", "5e-324"], "--delta 4.94066e-324: noise"),
        (["--private", "--beta", "1e308"], "--beta 1e+308, epsilon"),
        (
            ["--method", "fedavg", "--local-steps", "100000"],
            "--local-steps 100000: a pass has 12 mini-batches",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_a_dry_run_says_what_the_run_says(tmp_path, capsys, arguments, message):
    said = []
    tiny = [*TINY[:2], *TINY[4:]] if "--clients" in arguments else TINY
    for more in ([], ["--dry-run"]):
        assert main(["train", *tiny, *arguments, "--out", str(tmp_path / "out"), *more]) == 2
        said.append(errors(capsys))
    assert said[0] == said[1]
    assert len(said[0]) == 1
    assert message in said[0][0]
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("option", "told"),
    [
        (["--seed", "0"], "--seed"),
        (["--precision", "bf16"], "--precision"),
        (["--stop-after", "1"], "--stop-after"),
        (["--reading", "round=step", "--seed", "1"], "--seed, --reading"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else None,
)
def test_resuming_takes_no_choice_of_runs(tmp_path, capsys, option, told):
    sweep.begin(Folder(tmp_path), [GOOD])
    assert main(["sweep", "--resume", "--out", str(tmp_path), "--device", "cpu", *option]) == 2
    (line,) = errors(capsys)
    assert line == f"error: --resume takes its runs from the folder as they are; leave out {told}"
    assert not (tmp_path / "records").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["train", *TINY, "--epsilon", "2"], "--epsilon: .* changes nothing in this run"),
        (["train", *TINY, "--delta", "0.1"], "--delta: .* changes nothing"),
        (["train", *TINY, "--method", "clip21", "--alpha", "1"], "--alpha: .* changes nothing"),
        (["train", *TINY, "--method", "sgd", "--beta", "1"], "--beta: .* changes nothing"),
        (["train", *TINY, "--reading", "noise_joins=memory"], "noise_joins=memory: changes nothing"),
        (["train", *TINY, "--reading", "absent=idle"], "absent=idle: changes nothing"),
        (
            ["train", *TINY, "--reading", "pixels=unit", "--reading", "pixels=cifar"],
            "pixels is already unit; give it once",
        ),
        (["sweep", "{file}", "--out", "{tmp}/s", "--reading", "noise_rounds=steps"], "changes nothing in these runs"),
        (["sweep", "{file}", "--out", "{tmp}/s", "--ray", "--device", "cpu"], "leave out --device"),
        (["linear", "run", "--accounting"], "--accounting: `run --dataset fashion-mnist` does not read it"),
        (["linear", "table", "--contenders", "3"], "--contenders: `table"),
        (["linear", "run", "--features", "x"], "--features: `run --dataset fashion-mnist`"),
        (["linear", "table", "--dataset", "cifar10-features", "--features", "x"], "--features: `table"),
        (["linear", "table", "--rounds", "1000000000"], "--rounds 1000000000: from 5"),
        (["linear", "table", "--reading", "bias"], "write NAME=OPTION"),
        (["linear", "table", "--reading", "bias=yes", "--reading", "bias=no"], "bias is already yes"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)  # fmt: skip
def test_an_option_that_would_be_ignored_is_refused(tmp_path, capsys, arguments, message):
    filled = [a.format(tmp=tmp_path, file=runs(tmp_path, {})) for a in arguments]
    if filled[0] == "train":
        filled += ["--out", str(tmp_path / "out")]
    assert main(filled) == 2
    (line,) = errors(capsys)
    assert re.search(message, line)
    assert [p.name for p in tmp_path.iterdir()] == ["runs.json"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["train", "--participation", "0.5"], "--participation 0.5 is not allowed: it must be 1 with method"),
        (["train", "--local-steps", "2"], "--local-steps 2 is not allowed: it must be 1 with method"),
        (["train", "--method", "sgd", "--private"], "--private True is not allowed: it must be false"),
        (["train", "--dataset", "synthetic", "--images", "60000"], "--images 60000: synthetic has"),
        (["train", "--stop-after", "301"], "--stop-after 301 is not allowed: it must be in [1, 300]"),
        (["sweep", "--plan", "anchor", "--stop-after", "-1"], "--stop-after -1 is not allowed"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_an_error_about_a_setting_names_the_option_that_set_it(capsys, arguments, message):
    assert main(arguments) == 2
    (line,) = errors(capsys)
    assert line.startswith(f"error: {message}")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs /dev/zero")
def test_a_config_without_an_end_is_refused(tmp_path, capsys):
    assert main(["train", "--config", "/dev/zero", "--out", str(tmp_path / "out")]) == 2
    (line,) = errors(capsys)
    assert line.startswith("error: /dev/zero: longer than")


@pytest.mark.parametrize(
    "settings",
    [{"seed": 10**4_000}, {"method": "x" * 4_000}, {"a\nb": 1}, {"precision": "a\tb\nc"}],
    ids=["digits", "letters", "key", "value"],
)
def test_an_error_is_one_short_line_whatever_a_config_holds(tmp_path, capsys, settings):
    path = tmp_path / "one.json"
    path.write_text(json.dumps(settings))
    assert main(["train", "--config", str(path), "--out", str(tmp_path / "out")]) == 2
    (told,) = errors(capsys)
    assert f"{path}, run 1: " in told
    assert len(told) < 1_000


@pytest.mark.parametrize("named", ["~nobody-of-this-name/sets", "{tmp}/a\nb"], ids=["home", "newline"])
@pytest.mark.parametrize("command", ["data", "train"])
def test_a_folder_of_data_that_cannot_be_is_one_line(command, named, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv(sources.VARIABLE, named.format(tmp=tmp_path))
    arguments = {
        "data": ["check", "cifar10"],
        "train": [*NET, "--device", "cpu", "--out", str(tmp_path / "out")],
    }
    assert main([command, *arguments[command]]) == 2
    (told,) = capsys.readouterr().err.splitlines()
    assert told.startswith("error: ")
    assert sources.VARIABLE in told
    assert (r"a\nb" if "\n" in named else "= '~nobody-of-this-name/sets': ") in told
    assert list(tmp_path.iterdir()) == []


def test_options_that_do_something_are_taken(tmp_path):
    """The negative control of the test above."""
    arguments = ["--private", "--epsilon", "2", "--reading", "noise_joins=memory", "--out", str(tmp_path)]
    assert main(["train", *TINY, *arguments]) == 0


@pytest.mark.parametrize("more", [[], ["--dry-run"]], ids=["a run", "a dry run"])
def test_what_was_begun_has_a_folder(tmp_path, capsys, more):
    """A dry run finds what the run would stumble over."""
    asked = [
        "sweep",
        runs(tmp_path, {}),
        "--out",
        str(tmp_path / "out"),
        "--begun",
        str(tmp_path / "none"),
        *more,
    ]
    assert main(asked) == 2
    assert errors(capsys)[0].endswith("is not a folder")


def test_a_sweep_that_is_there_is_told_before_data_are_read(tmp_path, capsys, monkeypatch):
    sweep.begin(Folder(tmp_path / "s"), [GOOD])
    monkeypatch.setattr(sweep, "device_data", None)
    assert main(["sweep", runs(tmp_path, {}), "--out", str(tmp_path / "s"), "--device", "cpu"]) == 2
    assert "holds a sweep already" in errors(capsys)[0]


def test_data_of_a_later_run_are_read_before_the_first_begins(tmp_path, capsys, monkeypatch):
    which, _ = data_files.cifar(tmp_path / "data", "plain")
    monkeypatch.setitem(sources.DATASETS, "cifar10", which)
    (tmp_path / "data" / which.folder / which.parts[0].name).write_bytes(b"cut off")
    path = runs(tmp_path, {}, {"data": "cifar10"})
    out = tmp_path / "out"
    assert main(["sweep", path, "--out", str(out), "--device", "cpu", "--data", str(tmp_path / "data")]) == 2
    assert "SHA-256" in errors(capsys)[0]
    assert not (out / "queue.json").exists()


@pytest.mark.parametrize("place", ["records", "checkpoints"])
def test_a_place_that_cannot_be_written_is_told_before_the_run(tmp_path, capsys, monkeypatch, place):
    folder = Folder(tmp_path)
    sweep.begin(folder, [GOOD])
    (tmp_path / place).touch()
    monkeypatch.setattr(sweep, "sweep", None)
    assert main(["sweep", "--resume", "--out", str(tmp_path), "--device", "cpu"]) == 2
    (told,) = errors(capsys)
    assert told.endswith(f"{place}: is no folder; move it away")
    assert main(["status", str(tmp_path)]) == 2
    assert errors(capsys) == [told]


def test_queue_gives_back_nothing_into_the_folder_of_its_records(tmp_path, capsys):
    where = ["--work", str(tmp_path), "--out", str(tmp_path / "x" / ".." / "records")]
    assert main(["queue", "--small", "--no-throughput", "--device", "cpu", *where]) == 2
    assert "is the folder in which --work keeps its records; choose another" in errors(capsys)[0]
    assert list(tmp_path.iterdir()) == []


def test_a_name_of_the_data_folder_that_is_too_long_is_told_with_its_variable(capsys, monkeypatch):
    monkeypatch.setenv("NORMEC_DATA", "/x/" + "y" * 5000)
    assert main(["data", "check", "cifar10"]) == 2
    (told,) = errors(capsys)
    assert told.startswith("error: NORMEC_DATA = '/x/yyy")
    assert told.endswith("cannot be looked at (File name too long); name another folder")


def test_train_tells_of_a_checkpoint_folder_that_is_none(tmp_path, capsys):
    (tmp_path / "checkpoints").touch()
    assert main(["train", *TINY, "--out", str(tmp_path)]) == 2
    assert "cannot be written" in errors(capsys)[0]
    assert not list(tmp_path.glob("*.json"))


def test_queue_with_only_data_runs_nothing(tmp_path, capsys):
    assert (
        main(["queue", "--small", "--only-data", "--data", str(tmp_path), "--work", str(tmp_path / "work")])
        == 0
    )
    assert "data: still missing data_batch_1.bin" in capsys.readouterr().out
    assert not (tmp_path / "work").exists()


def test_status_asks_for_no_right_to_write(tmp_path, capsys, monkeypatch):
    folder = Folder(tmp_path)
    configs = sweep.begin(folder, [GOOD])
    really = Path.open

    def reading(self, mode="r", *arguments, **named):
        if set(mode) & set("wax+"):
            raise PermissionError(13, "Permission denied", str(self))
        return really(self, mode, *arguments, **named)

    with sweep.Claims(folder) as claims:
        assert claims.take(configs[0])
        with monkeypatch.context() as patch:
            patch.setattr(Path, "open", reading)
            assert main(["status", str(tmp_path), "--json", "-"]) == 0
            assert json.loads(capsys.readouterr().out)["runs"][0]["state"] == "running"
    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", reading)
        assert main(["status", str(tmp_path), "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["runs"][0]["state"] == "waiting"
    with sweep.Claims(folder) as claims:
        assert claims.take(configs[0]), "status holds no lock"


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "--data", "{tmp}", "fashion-mnist"],
        ["--data", "{tmp}", "check", "fashion-mnist"],
        ["check", "fashion-mnist", "--data", "{tmp}"],
        ["--data", "{tmp}", "fashion-mnist"],
        ["fashion-mnist", "--data", "{tmp}", "fashion-mnist"],
    ],
    ids=" ".join,
)
def test_words_of_data_may_stand_anywhere(tmp_path, capsys, monkeypatch, arguments):
    which, _ = data_files.fashion(tmp_path)
    monkeypatch.setitem(sources.DATASETS, "fashion-mnist", which)
    assert main(["data", *(a.format(tmp=tmp_path) for a in arguments)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split() for line in lines] == [["fashion-mnist", part.name, "whole"] for part in which.parts]


def test_a_word_that_is_neither_action_nor_data_set_is_named(capsys):
    assert main(["data", "check", "mnist"]) == 2
    assert errors(capsys) == [
        "error: 'mnist': choose one of fashion-mnist, cifar10, cifar100; fetch or check is the first word"
    ]


def test_configs_of_a_sweep_may_stand_anywhere(tmp_path, capsys):
    path = runs(tmp_path, {"gamma": -1})
    other = tmp_path / "other.toml"
    other.write_text("gamma = -2.0")
    assert main(["sweep", path, "--out", str(tmp_path / "out"), str(other)]) == 2
    assert f"{path}, run 1: gamma = -1.0" in errors(capsys)[0]


def test_what_is_wrong_with_all_runs_is_said_once(tmp_path, capsys):
    path = runs(tmp_path, {}, {"gamma": 0.2}, {"gamma": 0.3})
    assert main(["sweep", path, "--out", str(tmp_path / "out"), "--seed", "-1"]) == 2
    assert errors(capsys) == ["error: --seed -1 is not allowed: it must be in [0, 2^63)"]


def test_a_damaged_checkpoint_of_a_later_run_is_told_before_the_first_begins(tmp_path, capsys, monkeypatch):
    folder = Folder(tmp_path)
    configs = sweep.begin(folder, [GOOD, Config(**SMALL, gamma=0.2)])
    folder.checkpoints.mkdir()
    path_of(configs[1], folder.checkpoints).write_bytes(b"x")
    monkeypatch.setattr(sweep, "sweep", None)
    assert main(["sweep", "--resume", "--out", str(tmp_path), "--device", "cpu"]) == 2
    (line,) = errors(capsys)
    assert "damaged checkpoint" in line
    assert "delete it to start the run anew" in line


def test_records_are_taken_from_the_folder_of_a_sweep_and_from_that_of_a_rented_machine(tmp_path, capsys):
    record = record_of([10.0, 20.0], rounds=300, stop_after=2, seed=77)
    rented, swept = tmp_path / "out", Folder(tmp_path / "sweep")
    records.write_bundle([record], rented / "records.json")
    for name in records.NOT_RECORDS:
        (rented / name).write_text("{}")
    sweep.begin(swept, [record.config])
    records.write(record, swept.records)
    for folder in (rented, swept.path):
        assert main(["table", "--records", str(folder), "--json", "-"]) == 0
        assert record.run in {row["run"] for row in json.loads(capsys.readouterr().out)["reduced"]}


def test_the_table_says_which_folder_holds_no_records(tmp_path, capsys):
    """As when the folder above that of the records is named."""
    records.write(record_of([1.0], GOOD), tmp_path / "sweep" / "records")
    for folder, told in ((tmp_path / "sweep", True), (tmp_path / "sweep" / "records", False)):
        assert main(["table", "--brief", "--records", str(folder)]) == 0
        assert (f"--records {folder}: holds no records\n" in capsys.readouterr().err) == told


def test_the_table_without_reduced_runs_has_none_in_its_json_either(capsys):
    assert main(["table", "--no-reduced", "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["reduced"] == []


@pytest.mark.parametrize("arguments", [["table"], ["train", "--gamma", "-1"]], ids=" ".join)
def test_closed_streams_are_no_traceback(arguments, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", None)
        patch.setattr(sys, "stderr", None)
        status = main(arguments)
        for stream in (sys.stdout, sys.stderr):
            stream.close()
    assert status == 2, "what was asked for went nowhere"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["sweep", "--plan", "anch"], "plan 'anch' is unknown; near: anchor"),
        (["sweep", "--plan", "anchor", "--reading", "nois=pass"], "'nois' is unknown; near: noise"),
        (["linear", "run", "--reading", "nois=x"], "--reading nois=x: 'nois' is unknown; near: noise"),
    ],
    ids=["plan", "reading", "linear-reading"],
)
def test_a_name_that_is_nearly_known_is_answered_with_the_nearest(
    arguments, told, tmp_path, capsys, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    (error,) = errors(capsys)
    assert told in error
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "arguments",
    [
        ["train", "--data", "{}/nope", *NET, "--device", "cpu", "--out", "{}/out"],
        ["sweep", "--plan", "anchor", "--data", "{}/nope", "--device", "cpu", "--out", "{}/out"],
        ["linear", "run", "--dataset", "cifar10-features", "--features", "{}/nope", "--records", "{}/out"],
        ["queue", "--device", "cuda:99", "--data", "{}/data", "--work", "{}/work", "--out", "{}/out"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_refused_command_leaves_no_folder_behind(arguments, tmp_path, capsys, monkeypatch):
    unreachable = replace(sources.CIFAR10, url="http://127.0.0.1:9/")
    monkeypatch.setitem(sources.DATASETS, "cifar10", unreachable)
    assert main([argument.format(tmp_path) for argument in arguments]) == 2
    assert len(errors(capsys)) == 1
    assert list(tmp_path.iterdir()) == []
