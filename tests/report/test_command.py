"""`python -m report` and `normec`: exit codes, one clear error, nothing half-written."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gpu_benchmarks.errors import InputError
from report import cache, jobs, normec, plan
from report import cli as command
from report import provenance as provenances
from report.provenance import provenance
from report.section import Available, NotRun


@pytest.fixture
def report(tmp_path, sample_path, capsys):
    def call(*arguments: str, verdicts=sample_path):
        out = tmp_path / "out.pdf"
        usual = {
            "--out": out, "--results": tmp_path / "results", "--only": "verify", "--verify-json": verdicts
        }  # fmt: skip
        given = [f"{option}={value}" for option, value in usual.items() if option not in arguments]
        code = command.main([*given, *arguments])
        printed = capsys.readouterr()
        return code, out, printed.out, " ".join(printed.err.split())

    return call


def test_writes_a_pdf_and_a_summary(report, sample_verdicts):
    code, out, printed, _ = report("--json", "-")
    assert code == 0
    summary = json.loads(printed)
    assert out.read_bytes().startswith(b"%PDF")
    assert sum(summary["verdicts"].values()) == len(sample_verdicts["claims"])
    assert summary["pages"] > 4
    assert [path.name for path in out.parent.iterdir() if path.name.startswith(".")] == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: "not json {", "cannot be read as JSON"),
        (lambda d: json.dumps([1]), "$: [1] is not of type 'object'"),
        (lambda d: json.dumps(d | {"schema": 7}), "$.schema: 1 was expected"),
        (lambda d: _changed(d, "verdict", "true"), "$.claims[0].verdict: 'true' is not one of ['proved'"),
        (lambda d: _changed(d, "reason", None), "$.claims[0]: 'reason' is a required property"),
        (lambda d: json.dumps(d | {"claims": d["claims"] * 2}), "claim NEC-X1 stands twice"),
        (lambda d: _changed(d, "id", ["NEC-X1"]), "$.claims[0].id: ['NEC-X1'] is not of type 'string'"),
        (lambda d: _changed(d, "seconds", float("inf")), "a number in its claims is not finite"),
        (lambda d: _changed(d, "seconds", float("nan")), "a number in its claims is not finite"),
        (
            lambda d: _changed(d, "verdict", "proved"),
            "its claims are not those that its SHA-256 was taken of",
        ),
        (
            lambda d: json.dumps({k: v for k, v in d.items() if k != "sha256"}),
            "'sha256' is a required property",
        ),
        (lambda d: "[" * 100_000, "nested too deeply"),
        (lambda d: '{"schema": 1, "schema": 1}', "'schema' stands twice"),
    ],
    ids=[
        "not-json",
        "no-claims",
        "other-schema",
        "unknown-verdict",
        "key-missing",
        "twice",
        "id-no-text",
        "infinite",
        "nan",
        "typed verdict",
        "no seal",
        "deep",
        "key-twice",
    ],
)
def test_broken_verdicts_give_one_error_and_leave_the_old_pdf(
    report, tmp_path, sample_verdicts, change, message
):
    path = tmp_path / "verdicts.json"
    path.write_text(change(json.loads(json.dumps(sample_verdicts))))
    (tmp_path / "out.pdf").write_bytes(b"old")
    code, out, _, errors = report("--json", "-", verdicts=path)
    assert code == 2
    assert str(path) in errors
    assert message in errors
    assert "write it again with" in errors or message.startswith("'schema'")
    assert out.read_bytes() == b"old"


def test_an_error_about_a_long_value_is_short(report, tmp_path, sample_verdicts):
    path = tmp_path / "verdicts.json"
    path.write_text(
        _changed(json.loads(json.dumps(sample_verdicts)), "evidence", {"a word": ["and one more"] * 1_000})
    )
    code, _, _, errors = report(verdicts=path)
    assert code == 2
    assert "$.claims[0].evidence: " in errors
    assert len(errors) < 600


@pytest.mark.parametrize("name", ["verfy", "Verify"])
def test_a_name_that_is_nearly_known_is_answered_with_the_nearest(name, tmp_path, capsys):
    assert normec.main([name]) == 2
    assert f"unknown command '{name}'; near: verify; known: " in capsys.readouterr().err
    given = ["--out", str(tmp_path / "out.pdf"), "--results", str(tmp_path / "results")]
    assert command.main([*given, "--only", name]) == 2
    assert f"--only {name}: no such result; near: verify" in " ".join(capsys.readouterr().err.split())
    assert list(tmp_path.iterdir()) == []


def _changed(document, key, value):
    if value is None:
        del document["claims"][0][key]
    else:
        document["claims"][0][key] = value
    return json.dumps(document)


def test_missing_verdicts_name_the_command_that_writes_them(report, tmp_path):
    code, _, _, errors = report(verdicts=tmp_path / "none.json")
    assert code == 2
    assert "none.json is not there; write it with `python -m verify --json" in errors


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs /dev/zero")
def test_a_file_of_verdicts_without_an_end_is_refused(report, monkeypatch):
    monkeypatch.setattr(plan, "LONGEST", 1000)
    code, _, _, errors = report(verdicts=Path("/dev/zero"))
    assert code == 2
    assert "/dev/zero cannot be read as JSON (longer than 1,000 characters)" in errors


def test_an_error_that_goes_to_no_terminal_is_one_line(tmp_path, capsys):
    given = ["--out", str(tmp_path / "out.pdf"), "--results", str(tmp_path), "--only", "verify"]
    assert command.main([*given, "--verify-json", str(tmp_path / "none.json")]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_out_that_is_a_folder_is_refused(report, tmp_path):
    code, _, _, errors = report("--out", str(tmp_path))
    assert code == 2
    assert "is a folder" in errors


def test_out_with_the_name_of_something_else_is_refused(report, tmp_path):
    code, _, _, errors = report("--out", str(tmp_path / "report.txt"))
    assert code == 2
    assert "a name that ends in .pdf" in errors
    assert not (tmp_path / "report.txt").exists()


def test_results_that_have_no_place_are_told_before_any_work(report, tmp_path):
    (tmp_path / "file").touch()
    code, _, _, errors = report("--results", str(tmp_path / "file" / "kept"))
    assert code == 2
    assert "cannot be written" in errors


def test_verdicts_that_would_not_be_read_are_refused(report):
    code, _, _, errors = report("--only", "recipes")
    assert code == 2
    assert "--only recipes leaves verify out" in errors


def test_unknown_result_is_refused(report):
    code, _, _, errors = report("--only", "verify,nonsense")
    assert code == 2
    assert "nonsense" in errors
    assert "known: verify" in errors


@pytest.mark.parametrize("names", ["", " ", ","])
def test_a_report_of_nothing_is_refused(report, tmp_path, names):
    (tmp_path / "out.pdf").write_bytes(b"old")
    code, out, _, errors = report("--only", names)
    assert code == 2
    assert f"--only {names!r}: names no result" in errors
    assert out.read_bytes() == b"old"


@pytest.mark.parametrize(
    "arguments",
    [
        ["--jobs", "0"],
        ["--jobs", "two"],
        ["--profile", "huge"],
        ["--out", ""],
        ["--results", ""],
        ["--verify-json", ""],
    ],
)
def test_impossible_options_exit_with_2(arguments):
    with pytest.raises(SystemExit) as stop:
        command.main(arguments)
    assert stop.value.code == 2


def test_interrupt_leaves_the_old_pdf(report, tmp_path, monkeypatch):
    def interrupted(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr("report.assemble.compile_pdf", interrupted)
    (tmp_path / "out.pdf").write_bytes(b"old")
    code, out, _, errors = report()
    assert code == 130
    assert out.read_bytes() == b"old"
    assert "interrupted" in errors


def test_source_date_epoch_sets_the_date():
    assert provenance({"SOURCE_DATE_EPOCH": "1700000000"}).date == "14 November 2023"
    assert provenance({"SOURCE_DATE_EPOCH": "253402300799"}).date == "31 December 9999"
    for given in ("soon", "-1", "1_0", "١", "253402300800", "9" * 5000):
        with pytest.raises(InputError, match=rf"SOURCE_DATE_EPOCH is '{given}'.* in \[0, 253402300799\]"):
            provenance({"SOURCE_DATE_EPOCH": given})


@pytest.mark.parametrize("given", ["abc", "99999999999999999"])
def test_a_date_that_is_none_breaks_no_import(given):
    """`numpy.f2py` reads the variable when it is imported."""
    told = subprocess.run(
        [sys.executable, "-m", "report"], env=os.environ | {"SOURCE_DATE_EPOCH": given}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert told.returncode == 2
    assert told.stderr.startswith(f"error: SOURCE_DATE_EPOCH is '{given}'")


@pytest.mark.parametrize("target", ["-", "{folder}/out.pdf", "{folder}/../{name}/out.pdf"])
def test_two_outputs_into_one_place_are_refused_before_the_work(report, tmp_path, monkeypatch, target):
    monkeypatch.setattr("report.assemble.assemble", lambda *given: pytest.fail("it works"))
    (tmp_path / "out.pdf").write_bytes(b"old")
    target = target.format(folder=tmp_path, name=tmp_path.name)
    code, out, printed, errors = report("--json", target, *(["--out", "-"] if target == "-" else []))
    assert (code, printed, out.read_bytes()) == (2, "", b"old")
    assert f"--json {target}: is --out" in errors


def test_an_output_does_not_replace_the_verdicts_that_are_read(report, sample_path):
    before = sample_path.read_bytes()
    for option in ("--json", "--out"):
        code, _, _, errors = report(option, str(sample_path))
        assert code == 2
        assert f"{option} {sample_path}: is --verify-json" in errors
    assert sample_path.read_bytes() == before


def job(compute, **config):
    return jobs.Job("name", "title", compute, ("bounds",), "command", config)


def test_results_are_kept_and_found_again(tmp_path):
    calls = []

    def compute(config, tick):
        calls.append(config)
        return {"x": [1, 2.5, None]}

    first, second = (jobs.run(job(compute, a=1), tmp_path) for _ in range(2))
    assert isinstance(first, Available)
    assert first == second
    assert len(calls) == 1
    jobs.run(job(compute, a=2), tmp_path)
    jobs.run(job(compute, a=1), tmp_path, fresh=True)
    assert len(calls) == 3


def test_key_follows_source_versions_and_config():
    inputs = [
        ("n", {"a": 1}, "s", {}),
        ("m", {"a": 1}, "s", {}),
        ("n", {"a": 2}, "s", {}),
        ("n", {"a": 1}, "t", {}),
        ("n", {"a": 1}, "s", {"numpy": "2"}),
    ]
    assert len({cache.key(*each) for each in inputs}) == len(inputs)


@pytest.mark.parametrize("library", provenances.LIBRARIES)
def test_a_result_is_computed_again_under_another_version_of_any_library(tmp_path, monkeypatch, library):
    calls = []

    def compute(config, tick):
        calls.append(config)
        return {}

    version = provenances.metadata.version
    for other in ("", ".other"):
        monkeypatch.setattr(
            provenances.metadata, "version", lambda name, end=other: version(name) + end * (name == library)
        )
        jobs.run(job(compute), tmp_path)
    assert len(calls) == (2 if provenances.library_versions()[library] != "not installed" else 1)


def test_absent_input_is_not_an_error(tmp_path):
    def compute(config, tick):
        raise jobs.Absent("no data", "set NORMEC_DATA")

    assert jobs.run(job(compute), tmp_path) == NotRun("no data", "set NORMEC_DATA")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("damage", ["cut", "changed", "no-seconds", "seconds"])
def test_damaged_kept_result_is_named(tmp_path, damage):
    jobs.run(job(lambda config, tick: {"x": 1}), tmp_path)
    (path,) = tmp_path.iterdir()
    text = path.read_text()
    stored = json.loads(text)
    damaged = {
        "cut": text[:-5],
        "changed": text.replace('"x": 1', '"x": 2'),
        "no-seconds": json.dumps({name: stored[name] for name in ("key", "sha256", "value")}),
        "seconds": json.dumps(stored | {"seconds": "long"}),
    }
    path.write_text(damaged[damage])
    with pytest.raises(InputError, match=rf"{path.name}.*delete it"):
        jobs.run(job(lambda config, tick: {"x": 1}), tmp_path)


def test_normec_delegates_lazily(monkeypatch, capsys):
    seen = []
    monkeypatch.setattr(normec.importlib, "import_module", lambda name: seen.append(name) or FakeMain(seen))
    assert normec.main(["verify", "--claim", "NEC-T1"]) == 3
    assert seen == ["verify.__main__", ["--claim", "NEC-T1"]]


class FakeMain:
    def __init__(self, seen):
        self.seen = seen

    def main(self, argv):
        self.seen.append(argv)
        return 3


@pytest.mark.parametrize(
    ("arguments", "code"), [(["nonsense"], 2), ([], 2), (["--help"], 0), (["--version"], 0)]
)
def test_normec_itself(arguments, code, capsys):
    assert normec.main(arguments) == code
    printed = capsys.readouterr()
    assert printed.out if code == 0 else printed.err


def test_report_does_not_import_torch(monkeypatch, tmp_path, report):
    monkeypatch.setitem(sys.modules, "torch", None)
    assert report("--json", "-")[0] == 0
