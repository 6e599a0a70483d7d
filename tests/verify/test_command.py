"""`python -m verify`: output, exit codes, JSON contract, bad input."""

import json
import re
from pathlib import Path

import jsonschema
import pytest

from methods.terminal.console import WorkerDied
from verify import results
from verify.__main__ import main
from verify.catalogue import FOLDERS, claim, claims, held, readings
from verify.evidence import Evidence
from verify.obligation import Settings
from verify.results import _first, seal, validate
from verify.run import decide

QUICK = ("NEC-EQ6", "NEC-TAB1-CLIP")


def run(*arguments: str) -> int:
    return main(list(arguments))


def test_one_claim_prints_its_verdict(capsys: pytest.CaptureFixture) -> None:
    assert run("--claim", "NEC-EQ6") == 0
    out = capsys.readouterr().out
    assert "NEC-EQ6" in out
    assert "refuted" in out


def test_list_names_the_claims_with_their_places_and_decides_none(capsys, monkeypatch) -> None:
    monkeypatch.setattr("verify.decide.decide", lambda *_: pytest.fail("decided"))
    monkeypatch.delenv("COLUMNS", raising=False)
    assert run("--list") == 0
    header, *rows = capsys.readouterr().out.splitlines()
    assert header.split() == ["claim", "kind", "paper", "place"]
    assert [row.split()[0] for row in rows] == list(claims())
    assert all(claims()[row.split()[0]].place in row for row in rows)
    assert run("--list", "--paper", "dp-normfedavg", "--claim", "DAS-T6") == 0
    assert all(row.startswith("DAS-T6") for row in capsys.readouterr().out.splitlines()[1:])
    assert run("--list", "--cross-check") == 2
    assert "--list decides nothing; leave out --cross-check" in capsys.readouterr().err


def test_a_list_for_machines_has_the_ids_and_the_printed_words(capsys, tmp_path) -> None:
    target = tmp_path / "claims.json"
    assert run("--list", "--claim", "NEC-EQ6", "--json", str(target)) == 0
    assert "NEC-EQ6" in capsys.readouterr().out
    (told,) = json.loads(target.read_text("utf-8"))["claims"]
    one = claims()["NEC-EQ6"]
    assert told == {
        "id": one.id,
        "paper": one.paper,
        "place": one.place,
        "kind": one.kind,
        "origin": "printed",
        "printed": one.printed,
    }
    assert run("--claim", "NEC-EQ6", "--json", str(tmp_path / "decided.json")) == 0
    (decided,) = json.loads((tmp_path / "decided.json").read_text("utf-8"))["claims"]
    assert told.items() <= decided.items(), "one claim is told in one way, whether it is decided or not"
    capsys.readouterr()
    assert run("--list", "--claim", "NEC-OUR-T1-FORGETS", "--json", "-") == 0
    ours, *_ = json.loads(capsys.readouterr().out)["claims"]
    assert (ours["kind"], ours["origin"]) == ("theorem", "ours")
    assert run("--list", "--claim", "NEC-EQ6", "--json", "-") == 0
    assert json.loads(capsys.readouterr().out) == json.loads(target.read_text("utf-8"))


def test_find_takes_the_claims_in_which_the_words_stand(capsys, monkeypatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    assert run("--list", "--paper", "alpha-normec", "--find", "STEP SIZE") == 0
    found = [row.split()[0] for row in capsys.readouterr().out.splitlines()[1:]]
    assert found == [
        name
        for name, one in claims().items()
        if one.paper == "alpha-normec"
        and any("step size" in text.lower() for text in (one.id, one.place, one.printed, one.reason))
    ]
    assert 1 < len(found) < 50
    for words in ("no paper says this", " "):
        assert run("--list", "--find", words) == 2
        assert f"--find {words!r}: stands in none of {len(claims())} claims" in capsys.readouterr().err


def test_json_obeys_the_schema_and_names_the_test(tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    assert run(*(f"--claim={name}" for name in QUICK), "--jobs", "2", "--json", str(target)) == 0
    data = json.loads(target.read_text("utf-8"))
    validate(data)
    assert data["sha256"] == seal(data["claims"])
    assert [entry["id"] for entry in data["claims"]] == list(QUICK)
    assert data["claims"][0]["test"] == "tests/verify/test_claims.py::test_claim[NEC-EQ6]"
    assert data["claims"][0]["witness"]["values"] == {"alpha": "0", "norm_g": "0"}
    assert [path.name for path in tmp_path.iterdir()] == ["out.json"]


def test_into_a_pipe_each_claim_is_one_line_however_long(capsys: pytest.CaptureFixture) -> None:
    assert run("--claim", "NEC-L1a", "--claim", "NEC-EQ6") == 0
    first, second, summary = capsys.readouterr().out.splitlines()
    assert first.split() == [
        "NEC-L1a",
        "✓*",
        "proved-if",
        first.split()[3],
        *claims()["NEC-L1a"].reason.split(),
    ]
    assert second.startswith("NEC-EQ6  ✗  refuted")
    assert summary.startswith("2 claims: 1 proved-if, 1 refuted")


def test_into_a_pipe_what_does_not_stand_is_one_line_a_claim(capsys: pytest.CaptureFixture) -> None:
    assert run("--claim", "NEC-L1a", "--claim", "NEC-EQ6", "--seconds", "1e-9") == 1
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("NEC-L1a: ")
    assert second.startswith("NEC-EQ6: ")


def test_json_on_standard_output_stands_there_alone(capsys: pytest.CaptureFixture) -> None:
    assert run("--claim", "NEC-EQ6", "--json", "-") == 0
    printed = capsys.readouterr()
    assert [entry["id"] for entry in json.loads(printed.out)["claims"]] == ["NEC-EQ6"]
    assert printed.err == ""


def test_a_claim_brings_its_readings(tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    assert run("--claim", "NEC-L1-LIM", "--json", str(target)) == 0
    assert [e["id"] for e in json.loads(target.read_text("utf-8"))["claims"]] == [
        "NEC-L1-LIM",
        "NEC-L1-LIM@limit",
    ]


def test_every_reading_stands_beside_the_statement_as_a_reader_would_take_it() -> None:
    """As the list of claims asks: `ID@reading` for each, and `ID`."""
    assert not {found.partition("@")[0] for found in claims()} - set(claims())


def test_a_reading_that_is_cut_short_is_no_id(capsys) -> None:
    assert run("--list", "--claim", "DAS-FN2@") == 2
    assert "no claim has the id" in capsys.readouterr().err


def test_a_sample_that_holds_is_held_and_proves_nothing() -> None:
    for kind, status, told in (
        ("simulation", "proved", "held"),
        ("montecarlo", "proved", "held"),
        ("simulation", "refuted", "refuted"),
        ("smt", "proved", "proved"),
    ):
        assert results._evidence(Evidence("search", kind, status, 0.1))["status"] == told


def test_one_claim_and_its_readings_are_those_of_the_whole_catalogue() -> None:
    """Asked for one id, only the folders in which it can stand are looked through."""
    for identifier, found in claims().items():
        assert claim(identifier) is found
        assert readings(identifier) == [i for i in claims() if f"{i}@".startswith(f"{identifier}@")]


def test_an_id_of_another_paper_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FOLDERS, "dp_normfedavg", ("NEC-",))
    held.cache_clear()
    with pytest.raises(ValueError, match=r"DAS-.* cannot stand in dp_normfedavg: ids begin with .*NEC-"):
        claims()
    held.cache_clear()


def test_mutants_are_counted_in_a_table_and_survivors_explained(capsys: pytest.CaptureFixture) -> None:
    assert run("--claim", "NEC-EQ6", "--mutants") == 0
    lines = capsys.readouterr().out.splitlines()
    at = lines.index("Mutants")
    assert lines[at + 1].split() == ["claim", "refuted", "vacuous", "unknown", "survived"]
    name, refuted, *_, survived = lines[at + 2].split()
    assert name == "NEC-EQ6"
    assert int(refuted) > 0
    assert sum(line.startswith("NEC-EQ6: survived: ") for line in lines) == int(survived) > 0


def test_strict_fails_unless_all_that_is_printed_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("--claim", "NEC-S33-STANDARD", "--strict") == 0
    assert run("--claim", "NEC-EQ6", "--strict") == 1

    def undecided(identifiers, *_) -> list[dict]:
        return [{**entry, "verdict": "unknown"} for entry in decide(identifiers, Settings())]

    monkeypatch.setattr("verify.decide.decide", undecided)
    assert run("--claim", "NEC-S33-STANDARD", "--strict") == 1
    assert run("--claim", "NEC-OUR-HETERO", "--strict") == 0


def test_json_says_whose_statement_it_is(tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    run("--claim", "NEC-OUR-HETERO", "--claim", "NEC-TAB1-NORM", "--json", str(target))
    found = [(entry["kind"], entry["origin"]) for entry in json.loads(target.read_text("utf-8"))["claims"]]
    assert found == [("theorem", "ours"), ("equation", "printed")]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--claim", "NEC-T99"), "no claim has the id 'NEC-T99'; near:"),
        (("--claim", "FED-T1"), "near: FED-T1-MAIN, FED-T1-TEXT, FED-T1-APP;"),
        (("--claim", "NEC-T2"), "near: NEC-T2-MAIN, NEC-T2-APP, NEC-T2-POSTER;"),
        (("--claim", "FED-C1"), "near: FED-C1-MAIN, FED-C1-APP, "),
        (("--claim", "nec-l2"), "no claim has the id 'nec-l2'; near: NEC-L2"),
        (
            ("--paper", "dp-normfedavg", "--claim", "NEC-EQ6"),
            "--claim NEC-EQ6 is of alpha-normec, not of --paper",
        ),
        (
            ("NEC-T1",),
            "'NEC-T1' is no command; they are epsilon, recipe, textbook, and a claim is named by --claim",
        ),
        (("epsilo", "--rounds", "1"), "'epsilo' is no command; near: epsilon"),
        (("--jobs", "0"), "--jobs 0"),
        (("--seconds", "-1"), "--seconds -1"),
        (("--seconds", "1e308"), "--seconds 1e+308 must be a number in (0, 1000]"),
    ],
    ids=[
        "unknown claim",
        "FED-T1",
        "NEC-T2",
        "FED-C1",
        "small letters",
        "claim of another paper",
        "claim without its option",
        "misspelt command",
        "no jobs",
        "negative time",
        "time without end",
    ],
)
def test_bad_input_is_one_clear_error_and_exit_code_2(
    arguments, message, capsys: pytest.CaptureFixture
) -> None:
    assert run(*arguments) == 2
    told = capsys.readouterr().err
    assert message in told
    assert told.startswith("error: ")


def test_no_name_of_a_file_is_not_taken_for_this_folder(capsys: pytest.CaptureFixture) -> None:
    for command in ((), ("recipe", "alpha-normec", "--f-gap=1", "--L=1", "--K=9", "--clients=1")):
        with pytest.raises(SystemExit) as caught:
            run(*command, "--json", "")
        assert caught.value.code == 2
        assert "error: argument --json: the value given is empty; name one" in capsys.readouterr().err


def test_an_interrupt_shows_and_keeps_what_was_decided_and_writes_no_half_file(
    tmp_path: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(chosen, settings, jobs, progress):
        progress(decide(chosen[:1], settings)[0])
        raise KeyboardInterrupt

    monkeypatch.setattr("verify.decide.decide", interrupted)
    target = tmp_path / "out.json"
    assert run(*(f"--claim={name}" for name in QUICK), "--json", str(target)) == 130
    printed = capsys.readouterr()
    assert "1 claim: 1 refuted" in printed.out
    kept = tmp_path / "out.partial.json"
    assert (
        f"interrupted: 1 of 2 claims decided; they are in {kept}, {target} was not written\n" in printed.err
    )
    assert list(tmp_path.iterdir()) == [kept]
    data = json.loads(kept.read_text())
    validate(data)
    assert [entry["id"] for entry in data["claims"]] == [QUICK[0]]
    monkeypatch.undo()
    assert run(*(f"--claim={name}" for name in QUICK), "--json", str(target)) == 0
    assert list(tmp_path.iterdir()) == [target]


def test_an_interrupt_leaves_standard_output_without_half_an_answer(
    capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(chosen, settings, jobs, progress):
        progress(decide(chosen[:1], settings)[0])
        raise KeyboardInterrupt

    monkeypatch.setattr("verify.decide.decide", interrupted)
    assert run(*(f"--claim={name}" for name in QUICK), "--json", "-") == 130
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.endswith("interrupted: 1 of 2 claims decided; no JSON was written\n")


def test_a_killed_worker_shows_what_was_decided(
    tmp_path: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(chosen, settings, jobs, progress):
        progress(decide(chosen[:1], settings)[0])
        raise WorkerDied("the cure")

    monkeypatch.setattr("verify.decide.decide", killed)
    target = tmp_path / "out.json"
    assert run(*(f"--claim={name}" for name in QUICK), "--json", str(target)) == 2
    printed = capsys.readouterr()
    assert "1 claim: 1 refuted" in printed.out
    kept = tmp_path / "out.partial.json"
    assert printed.err.splitlines()[-1].startswith("error: a worker process was killed")
    assert f"the cure: 1 of 2 claims decided; they are in {kept}, {target} was not written\n" in printed.err
    assert list(tmp_path.iterdir()) == [kept]


def test_an_interrupt_while_the_claims_are_read_is_said(
    capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(paper, wanted):
        raise KeyboardInterrupt

    monkeypatch.setattr("verify.decide.select", interrupted)
    assert run() == 130
    assert capsys.readouterr().err == "interrupted while the claims were read\n"


def test_unknown_paper_is_refused_by_the_parser(capsys: pytest.CaptureFixture) -> None:
    with pytest.raises(SystemExit) as exit_:
        run("--paper", "none")
    assert exit_.value.code == 2
    assert "invalid choice: 'none'" in capsys.readouterr().err


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    (tmp_path / "file").write_text("")
    assert run("--claim", "NEC-EQ6", "--json", str(tmp_path / "file" / "out.json")) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_schema_refuses_a_verdict_that_does_not_exist(tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    run("--claim", "NEC-EQ6", "--json", str(target))
    data = json.loads(target.read_text("utf-8"))
    data["claims"][0]["verdict"] = "obvious"
    with pytest.raises(jsonschema.ValidationError):
        validate(data)


def test_every_listed_claim_of_the_first_paper_is_in_the_catalogue() -> None:
    """The ids of the list of claims for α-NormEC."""
    listed = [
        "A1", "EQ3", "EQ3-SCALE", "EQ6", "L1a", "L1b", "L1-LIM", "TAB1-CLIP", "TAB1-NORM",
        "TAB1-CAP", "EX1", "EX1-SMOOTH", "EX1-POSTER", "ALG1-ZERO", "ALG1-OUT", "L2", "T1", "T1-S1",
        "T1-S2", "T1-S3", "T1-S4", "T1-ADD", "C1-COND", "C1", "C1-RATE", "EQ12", "EQ12-GD",
        "S4-STEP", "AF-1", "AF-2", "AF-3", "AC-EQ16", "AC-CLIP", "AC-PROD", "AC-REACH", "L3",
        "T2-MAIN", "T2-APP", "T2-POSTER", "T2-S1", "T2-S2", "T2-S3", "C2-DP", "C2-UTIL", "C2-R0",
        "AH-S1", "AH-S2", "AH-S3", "S5-ALPHA", "EXP-DP", "EXP-COND", "EXP-ROUND", "EXP-I22", "EXP-I23",
        "EXP-I24", "EXP-SN", "POSTER-RATE",
    ]  # fmt: skip
    missing = [name for name in listed if f"NEC-{name}" not in claims()]
    assert not missing


def test_a_reason_is_one_sentence_and_the_rest_stands_beside_it() -> None:
    """As the JSON has it; none of the words is lost."""
    for found in claims().values():
        first, rest = _first(found.reason)
        assert " ".join(filter(None, (first, rest))) == found.reason
        assert not re.search(r"[.!?] (?=[A-Z])", first), found.id
        assert not re.search(r"\b(al|[Ee]qs?|[Ff]igs?|[Ss]ec|[Tt]hm|cf|vs|[Nn]o)\.$", first), found.id
