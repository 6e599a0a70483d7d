"""`python -m verify epsilon`."""

import json
import subprocess
import sys

import pytest

from verify.__main__ import main

BASE = {"--rounds": "300", "--delta": "1e-5"}


def given(*options: str) -> list[str]:
    """The usual rounds and δ, where the options name none."""
    return ["epsilon", *(f"{name}={value}" for name, value in BASE.items() if name not in options), *options]


def answer(capsys, *options: str) -> dict:
    asked = given(*options, "--json", "-")
    if {"--sigma", "--epsilon"} <= {*options}:
        asked.remove("--delta=1e-5")  # it is the answer
    assert main(asked) == 0
    return json.loads(capsys.readouterr().out)


def test_noise_to_epsilon(capsys):
    found = answer(capsys, "--sigma", "7.346212501489999")["epsilon"]
    assert found["lower"] <= found["upper"] == pytest.approx(30.5192, rel=1e-5)


def test_round_trip_errs_on_the_safe_side(capsys):
    sigma = answer(capsys, "--epsilon", "8")["sigma"]
    assert 7.5 < answer(capsys, "--sigma", repr(sigma))["epsilon"]["upper"] <= 8
    assert answer(capsys, "--sigma", repr(sigma), "--epsilon", "8")["delta"]["upper"] <= 1e-5


def test_bound_scales_the_noise(capsys):
    one = answer(capsys, "--epsilon", "8")["sigma"]
    assert answer(capsys, "--epsilon", "8", "--bound", "0.01")["sigma"] == pytest.approx(0.01 * one)


def test_hidden_sampling_with_participants_noise(capsys):
    found = answer(
        capsys,
        "--epsilon",
        "8",
        "--participation",
        "0.5",
        "--clients",
        "4",
        "--trust",
        "sum",
        "--rounds",
        "20",
    )
    assert found["epsilon_attained"]["upper"] <= 8


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ([], "give --sigma to learn ε, or --epsilon"),
        (["--epsilon", "-8"], "--epsilon -8.0"),
        (["--epsilon", "nan"], "--epsilon nan"),
        (["--sigma", "0"], "--sigma 0.0"),
        (["--sigma", "1", "--delta", "1"], "--delta 1.0"),
        (["--sigma", "1", "--rounds", "0"], "--rounds 0"),
        (["--sigma", "1", "--participation", "0"], "--participation 0.0"),
        (["--sigma", "1", "--bound", "0"], "--bound 0.0"),
        (["--sigma", "1", "--epsilon", "1"], "--delta 1e-05: with --sigma and --epsilon δ is the answer"),
        (["--sigma", "1", "--clients", "5"], "--clients 5: with --trust messages nothing depends on it"),
        (
            ["--sigma", "1", "--rounds", "1" + 400 * "0"],
            "--rounds a number of 401 digits is outside its domain",
        ),
        (["--sigma", "1e400"], "--sigma inf"),
        (["--sigma", "1e-320", "--participation", "0.5"], "no finite upper side can be certified for trust "),
        (["--epsilon", "1", "--delta", "1e-320", "--participation", "0.5"], "--delta 1e-320 is below 1e-300"),
        (
            ["--epsilon", "1e308", "--bound", "1e308"],
            "--epsilon 1e+308 and --delta 1e-05: they are too far apart for floats",
        ),
        (["--epsilon", "1e-308", "--delta", "1e-300", "--rounds", "1"], "for floats; take a larger δ"),
        (["--epsilon", "8", "--bound", "1e308"], "--bound 1e+308: σ, which is "),
        (["--sigma", "1", "--json", "/dev/null/out.json"], "/dev/null/out.json"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(capsys, options, named):
    assert main(given(*options)) == 2
    error = capsys.readouterr().err
    assert named in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    "options", [["--trust", "nobody"], ["--rounds", "many"], ["--neighbours", "friends"]]
)
def test_unknown_choices_exit_with_2(capsys, options):
    with pytest.raises(SystemExit) as exit_:
        main(given("--sigma", "1", *options))
    assert exit_.value.code == 2
    assert options[1] in capsys.readouterr().err


def test_json_file_is_written_whole(tmp_path, capsys):
    target = tmp_path / "answer.json"
    assert main(given("--sigma", "7.3", "--json", str(target))) == 0
    assert json.loads(target.read_text("utf-8"))["sigma"] == 7.3
    assert [p.name for p in tmp_path.iterdir()] == ["answer.json"]
    assert "ε" in capsys.readouterr().out


def test_what_is_printed_holds_as_it_is_printed(capsys):
    """The noise in print is no smaller than the certified one, and the ε in print no smaller than the noise's."""
    found = answer(capsys, "--epsilon", "7")
    assert main(given("--epsilon", "7")) == 0
    lines = [line.rsplit(maxsplit=1) for line in capsys.readouterr().out.splitlines()[1:]]
    printed = {name.strip(): float(value) for name, value in lines}
    assert found["sigma"] <= printed["σ"] <= found["sigma"] * (1 + 1e-7)
    assert printed["ε attained"] >= found["epsilon_attained"]["upper"]


HIDDEN = ("--participation", "0.5", "--clients", "4", "--rounds", "20")


@pytest.mark.parametrize(
    ("options", "asked"),
    [
        ((*HIDDEN, "--trust", "sum"), True),
        ((*HIDDEN, "--trust", "participants"), False),
        (("--clients", "4", "--rounds", "20", "--trust", "sum"), False),
        (("--participation", "0.5", "--rounds", "20", "--trust", "server-noise"), False),
    ],
    ids=["sum", "participants", "sum, everybody in every round", "server-noise"],
)
def test_where_participants_hide_messages_may_not_depend_on_when_their_client_took_part(
    capsys, options, asked
):
    """The client of `tests/bounds/test_privacy_sides.py` whose messages do breaks the upper side."""
    assert ("provided" in answer(capsys, "--sigma", "5", *options)) == asked
    assert main(given("--sigma", "5", *options)) == 0
    printed = capsys.readouterr().out
    assert ("no message depends on when its client took part" in printed) == asked
    assert ("--trust participants" in printed) == asked


def test_an_answer_says_what_a_removed_client_does(capsys):
    """It still sends noise: where it sends nothing its absence is seen (FED-EXP-DP@add-remove)."""
    assert main(given("--sigma", "5", "--neighbours", "add-remove")) == 0
    assert "still sends noise alone (add-remove)" in capsys.readouterr().out
    assert main(given("--sigma", "5")) == 0
    assert "noise alone" not in capsys.readouterr().out


def test_where_the_server_adds_the_noise_a_removed_client_sends_none(capsys):
    """Only the noise in the sum is there, so that nothing is asked of a client that is left out."""
    assert main(given("--sigma", "5", "--neighbours", "add-remove", "--trust", "server-noise")) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert "hidden: a client's messages left out (add-remove); seen: " in first
    assert "noise alone" not in first
    assert main(given("--sigma", "5", "--neighbours", "replace-one", "--trust", "server-noise")) == 0
    assert "hidden: all data of a client replaced (replace-one); " in capsys.readouterr().out


def test_help_says_what_the_trust_models_are():
    done = subprocess.run(
        [sys.executable, "-m", "verify", "epsilon", "--help"], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0
    for word in ("messages", "participants", "server-noise", "replace-one", "--json", "examples"):
        assert word in done.stdout
    for part in (
        "no message may depend on when its client took part",
        "still sends noise alone",
        "seen to be absent",
    ):
        assert part in " ".join(done.stdout.split())
