"""The command line: output, JSON, interrupts, bad input."""

import json
import re
from functools import partial

import numpy as np
import pytest

from methods.terminal.console import WorkerDied
from methods.terminal.output import write_json
from toy_problems import jobs, overlay, rates
from toy_problems.cli import main
from toy_problems.example1 import story
from toy_problems.overlay import overlays
from toy_problems.results import plain


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """The same jobs, smaller."""
    monkeypatch.setattr(jobs, "story", partial(story, shown=20, rounds=60))
    monkeypatch.setattr(overlay, "overlays", partial(one_overlay, n=3, d=3))


def one_overlay(K, seeds, **rest):
    return overlays(K=12, seeds=3, **rest)


def test_example1_writes_its_story(tmp_path, capsys):
    path = tmp_path / "story.json"
    assert main(["example1", "--json", str(path)]) == 0
    content = json.loads(path.read_text())
    assert content["complete"] is True
    assert content["command"] == "example1"
    stalls = {e["parameter"] for e in content["results"]["story"]["clipping"] if e["stalls"]}
    assert stalls == {0.25, 0.5, 1.0}
    assert "DP-SGD without noise on Example 1" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == [path]


def test_overlay_of_one_family(tmp_path):
    path = tmp_path / "overlay.json"
    assert main(["overlay", "--problem", "rational-well", "--seed", "3", "--json", str(path)]) == 0
    content = json.loads(path.read_text())
    assert content["seed"] == 3
    assert list(content["results"]) == ["rational-well"]
    assert {"bound", "tightness", "crossed", "measured", "limit"} <= set(
        content["results"]["rational-well"][0]
    )


def test_same_seed_same_bytes(tmp_path):
    paths = [tmp_path / name for name in "ab"]
    for path in paths:
        assert main(["overlay", "--problem", "rational-well", "--json", str(path)]) == 0
    assert paths[0].read_bytes() == paths[1].read_bytes()


ENDS = [
    pytest.param(KeyboardInterrupt(), 130, "interrupted; ", id="interrupt"),
    pytest.param(WorkerDied("the cure"), 2, "killed from outside, .*; the cure; ", id="killed-worker"),
]


@pytest.mark.parametrize(("end", "code", "told"), ENDS)
def test_an_early_end_keeps_the_finished_parts_beside_the_file(
    tmp_path, monkeypatch, capsys, end, code, told
):
    def ended(profile, seed, progress):
        yield "first", [1.0]
        raise end

    path, partial_path = tmp_path / "story.json", tmp_path / "story.partial.json"
    assert main(["figure", "example1", "--json", str(path)]) == 0
    before = path.read_bytes()
    with monkeypatch.context() as patched:
        patched.setitem(jobs.FIGURES, "example1", ended)
        assert main(["figure", "example1", "--json", str(path)]) == code
    assert re.search(f"{told}what was finished is in {partial_path}\n$", capsys.readouterr().err)
    content = json.loads(partial_path.read_text())
    assert content["complete"] is False
    assert content["results"] == {"first": [1.0]}
    assert path.read_bytes() == before
    assert main(["figure", "example1", "--json", str(path)]) == 0
    assert list(tmp_path.iterdir()) == [path], "what is complete makes the partial file idle"


def test_an_interrupt_before_anything_is_finished_writes_nothing(tmp_path, monkeypatch, capsys):
    def interrupted(profile, seed, progress):
        yield from ()
        raise KeyboardInterrupt

    monkeypatch.setitem(jobs.FIGURES, "example1", interrupted)
    assert main(["figure", "example1", "--json", str(tmp_path / "story.json")]) == 130
    assert list(tmp_path.iterdir()) == []
    assert capsys.readouterr().err == "interrupted\n"


BAD = {
    "command": (["draw"], "invalid choice: 'draw'"),
    "problem": (["rates", "--problem", "cubic"], "unknown problem 'cubic'; the problems are"),
    "figure": (["figure", "das-f9"], "invalid choice: 'das-f9'"),
    "seed": (["example1", "--seed", "-1"], "'-1' is not an integer in"),
    "q": (["figure", "das-f4", "--q", "nan"], "--q: 'nan' is not a number from 1e-30 to 1e+30"),
    "q that drowns all": (
        ["figure", "das-f3", "--q", "1e50"],
        "--q: '1e50' is not a number from 1e-30 to 1e+30",
    ),
    "q that is nothing": (
        ["figure", "das-f2", "--q", "1e-31"],
        "--q: '1e-31' is not a number from 1e-30 to 1e+30",
    ),
    "profile": (["rates", "--profile", "huge"], "invalid choice: 'huge'"),
    "no name of a file": (["rates", "--json", ""], "argument --json: the value given is empty; name one"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_arguments_exit_with_2_and_say_why(case, capsys):
    arguments, message = BAD[case]
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["figure", "example1", "--q", "3"], "--q 3.0: example1 does not depend on it"),
        (["figure", "example1", "--profile", "full"], "--profile full: example1 does not depend on it"),
        (["example1", "--seed", "1"], "--seed 1: example1 does not depend on it"),
        (["figure", "das-f4", "--profile", "full"], "--profile full: das-f4 does not depend on it"),
        (
            ["falsify", "--bound", "NEC-L2", "--dimensions", "1"],
            "--dimensions 1: NEC-L2 is on no expectation",
        ),
        (["falsify", "--bound", "nec-t1"], "error: --bound 'nec-t1' has no target; near: NEC-T1"),
    ],
)
def test_what_would_change_nothing_is_refused_and_unknown_names_are_answered_with_the_nearest(
    arguments, message, capsys
):
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_an_option_with_its_default_is_no_other_command(capsys):
    told = []
    for more in ((), ("--profile", "quick", "--seed", "0")):
        assert main(["example1", *more]) == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]


def test_the_file_is_written_before_the_tables_are_printed(tmp_path, monkeypatch):
    """Whoever reads the tables may go away."""

    def gone(*_):
        raise BrokenPipeError

    monkeypatch.setattr("toy_problems.cli.tables", gone)
    assert main(["example1", "--json", str(tmp_path / "x.json")]) == 141
    assert json.loads((tmp_path / "x.json").read_text("utf-8"))["complete"] is True


def test_json_on_standard_output_is_all_that_is_there(capsys):
    assert main(["figure", "example1", "--json", "-"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["complete"] is True
    assert err == ""


def test_a_file_that_cannot_be_written_is_found_before_the_work(tmp_path, capsys):
    (tmp_path / "file").touch()
    assert main(["rates", "--json", str(tmp_path / "file" / "x.json")]) == 2
    assert "cannot be written" in capsys.readouterr().err
    assert main(["rates", "--json", str(tmp_path)]) == 2
    assert "is a folder" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["overlay", "rates"])
@pytest.mark.parametrize("name", ["example1", "piecewise-quadratic"])
def test_a_family_that_does_not_fit_is_refused_before_any_work(command, name, capsys):
    with pytest.raises(SystemExit) as stopped:
        main([command, "--problem", "logistic", "--problem", name])
    assert stopped.value.code == 2
    out, error = capsys.readouterr()
    assert f"'{name}' does not fit here; the problems are " in error
    assert name not in error.rpartition("the problems are")[2]
    assert out == ""


def test_a_family_on_which_a_schedule_has_step_0_has_no_rates(capsys):
    with pytest.raises(SystemExit):
        main(["rates", "--problem", "homogeneous-quadratic"])
    assert "'homogeneous-quadratic' does not fit here" in capsys.readouterr().err


@pytest.mark.parametrize("family", overlay.FITTING)
def test_every_family_on_offer_has_an_overlay(family):
    assert overlay.overlays(K=12, seeds=3, families=(family,))


@pytest.mark.parametrize("family", rates.FITTING)
def test_every_family_on_offer_has_rates(family):
    assert rates.rates((3, 7), 2, n=3, d=4, families=(family,))


@pytest.mark.parametrize("command", ["example1", "overlay", "rates", "figure", "falsify"])
def test_every_subcommand_has_help(command, capsys):
    with pytest.raises(SystemExit) as stopped:
        main([command, "--help"])
    assert stopped.value.code == 0
    assert command in capsys.readouterr().out


def test_numbers_that_are_not_finite_become_null_and_arrays_lists():
    found = plain({"a": np.array([1.0, np.inf]), "b": (np.float64("nan"), np.int64(3), None)})
    assert found == {"a": [1.0, None], "b": [None, 3, None]}
    with pytest.raises(TypeError, match="has no place"):
        plain(object())


def test_a_failed_write_leaves_the_old_file(tmp_path):
    path = tmp_path / "kept.json"
    write_json(path, {"a": 1})
    with pytest.raises(ValueError, match="JSON"):
        write_json(path, {"a": float("nan")})
    assert json.loads(path.read_text()) == {"a": 1}
    assert list(tmp_path.iterdir()) == [path]
