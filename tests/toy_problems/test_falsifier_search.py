"""The falsifier finds by itself what is known to be false, and does not break what is proved."""

from __future__ import annotations

import json

import numpy as np
import pytest

from bounds.alpha_normec.theorem1 import FEEDBACK, QUANTITY, STEP, SYMBOLS
from bounds.statement import Bound, Source
from methods.terminal.console import WorkerDied
from toy_problems.cli import main
from toy_problems.falsifier import cli
from toy_problems.falsifier.attack import Effort
from toy_problems.falsifier.genome import Layout
from toy_problems.falsifier.grid.attack import attack_grid
from toy_problems.falsifier.grid.replay import replay
from toy_problems.falsifier.grid.search import search
from toy_problems.falsifier.grid.witness import witness
from toy_problems.falsifier.rounding import NoWitness
from toy_problems.falsifier.study import Plan, UnknownBound
from toy_problems.falsifier.targets import DETERMINISTIC, Target, _alpha_normec, theorem1

FALSE = ("NEC-L2", "NEC-C1", "NEC-EQ12", "NEC-T2-POSTER")
TRUE = [name for name in DETERMINISTIC if name not in FALSE]
SIZES = (Layout(2, 3), Layout(2, 8))
"""Few and small layouts: K + 1 is a square, as some bounds need it, and there are two clients, as Fed-α-NormEC's do."""


def sizes_of(target: Target) -> tuple[Layout, ...]:
    """Eq. (12) cannot be broken by more than √(K + 1)/3, whatever the step."""
    if target.name == "NEC-EQ12":
        return (Layout(1, 15),)
    return (Layout(2, 1),) if target.quantity == "residual" else SIZES


@pytest.mark.unchecked
@pytest.mark.parametrize("name", FALSE)
def test_finds_an_exact_witness_by_itself(name):
    """Lemma 2 (β above α + ‖residual‖ overshoots), Corollary 1 and eq. (12) (γ may be as small as one likes), the poster
    (without 2R)."""
    target = DETERMINISTIC[name]
    found = search(target, instances=30_000, sizes=sizes_of(target))
    assert found.ratio > 1.05
    candidate, verdict = witness(target, found)
    assert verdict.broken
    again = replay(json.loads(json.dumps(candidate)), target.bound)
    assert again.broken
    assert again.measured == verdict.measured


@pytest.mark.parametrize("name", TRUE)
def test_does_not_break_what_holds(name):
    target, least = DETERMINISTIC[name], 50_000 if name == "NEC-T1" else 12_000
    found = search(target, instances=least, seed=1, population=1024, sizes=sizes_of(target))
    assert found.instances >= least
    assert found.ratio <= 1 + 1e-9, "a ratio above 1 would refute a statement that is proved"
    with pytest.raises(NoWitness):
        witness(DETERMINISTIC[name], found)


@pytest.mark.slow
@pytest.mark.parametrize("name", TRUE)
def test_does_not_break_what_holds_in_a_million_instances(name):
    found = search(DETERMINISTIC[name], instances=1_000_000, seed=2)
    assert found.instances >= 1_000_000
    assert found.ratio <= 1 + 1e-9


def test_theorem_1_with_its_last_term_sharpened_is_attained():
    """2R(1 − β/(α+R)) for 2R: the search comes to within 1% of it, so the search is not weak and the bound
    is tight."""
    assert search(DETERMINISTIC["NEC-OUR-T1-SHARP"], instances=20_000, sizes=(Layout(1, 0),)).ratio > 0.99


def test_theorem_1_with_a_much_smaller_constant_falls():
    """A mutant: R/5 for 2R. What keeps Theorem 1 alive is its constant, and the search notices when it goes."""
    mutant = Bound(
        "mutant", Source("ours", "a mutant of Theorem 1"), QUANTITY, "",
        lambda f_gap, gamma, K, R, L: f_gap / (gamma * (K + 1)) + 0.2 * R + L * gamma / 2, SYMBOLS, (FEEDBACK, STEP),
    )  # fmt: skip
    assert (
        search(Target(mutant, theorem1, _alpha_normec), instances=20_000, sizes=(Layout(2, 35),)).ratio > 1.05
    )


def test_a_search_is_reproducible_and_depends_on_its_seed():
    target = DETERMINISTIC["NEC-T1"]
    one, same, other = (search(target, 3_000, seed=seed, population=128, sizes=SIZES) for seed in (0, 0, 5))
    assert np.array_equal(one.genome, same.genome)
    assert not np.array_equal(one.genome, other.genome)


def test_result_of_an_attack_carries_all_that_is_needed():
    result = attack_grid(DETERMINISTIC["NEC-L2"], Effort(5_000, 60.0))
    assert result["broken"]
    assert result["tightness"] > 1
    assert result["witness"]["replay"]["measured"]
    json.dumps(result)


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        (
            {"bounds": ("NEC-T9",)},
            "bound 'NEC-T9' has no target; near: NEC-T1, .*; the targets are NEC-T1, NEC-L2",
        ),
        ({"budget": 0.0}, "budget = 0.0 must be > 0 seconds"),
        ({"instances": 0}, "instances = 0 must be an integer >= 1"),
        ({"dimensions": (0,)}, "dimension = 0 must be an integer in"),
        ({"seed": -1}, "seed = -1 must be an integer >= 0"),
        ({"instances": True}, "instances = True must be an integer >= 1"),
        ({"seed": True}, "seed = True must be an integer >= 0"),
        ({"dimensions": (True,)}, "dimension = True must be an integer in"),
        ({"budget": float("nan")}, "budget = nan must be > 0 seconds"),
    ],
)
def test_bad_plans(plan, message):
    with pytest.raises(ValueError, match=message):
        Plan(**plan)
    assert issubclass(UnknownBound, ValueError)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--bound", "NEC-T9"], "has no target"),
        (["--dimensions", "1,x"], "--dimensions '1,x': write integers in [1, 2^53]"),
        (["--dimensions", ""], "--dimensions '': write integers in [1, 2^53]"),
        (["--dimensions", "1" + "0" * 25], "must be an integer in [1, 2^53]"),
        (["--dimensions", "0"], "--dimensions 0 must be an integer in [1, 2^53]"),
        (["--seed", "-1"], "--seed -1 must be an integer >= 0"),
        (["--json", f"{__file__}/x.json"], "cannot be written"),
        (["--instances", "0"], "--instances 0 must be an integer >= 1"),
        (["--budget", "-1"], "--budget -1.0 must be > 0 seconds"),
        (["--jobs", "0"], "must be a whole number >= 1"),
        (["--bound", "FED-C4"], "is not attacked"),
    ],
)
def test_bad_arguments_give_one_error_and_code_2(arguments, message, capsys):
    assert main(["falsify", *arguments]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""


def test_command_writes_its_results(tmp_path, capsys):
    path = tmp_path / "results.json"
    arguments = ["--bound", "NEC-L2", "--budget", "5", "--instances", "6000", "--json", str(path)]
    assert main(["falsify", *arguments]) == 0
    document = json.loads(path.read_text(encoding="utf-8"))
    assert document["complete"]
    assert {r["bound"] for r in document["results"]} == {"NEC-L2"}
    assert len({r["family"] for r in document["results"]}) > 1
    assert list(tmp_path.iterdir()) == [path], "a temporary file was left behind"
    out, err = capsys.readouterr()
    assert "BROKEN, exactly" in out
    assert err == "", "no bar where no terminal is"


@pytest.mark.slow
def test_two_processes_find_what_one_finds(tmp_path):
    """Results in the order of the plan, whoever was faster; the numbers do not depend on the processes."""
    arguments = ["--bound", "NEC-L2", "--bound", "DAS-T4a", "--budget", "600", "--instances", "3000"]
    documents = []
    for jobs in ("1", "2"):
        path = tmp_path / f"{jobs}.json"
        assert main(["falsify", *arguments, "--jobs", jobs, "--json", str(path)]) == 0
        documents.append(json.loads(path.read_text(encoding="utf-8"))["results"])
    one, two = (
        [
            (r["order"], r["bound"], r["tightness"], r["instances"])
            for r in sorted(d, key=lambda r: r["order"])
        ]
        for d in documents
    )
    assert one == two


def test_json_on_standard_output_is_all_that_is_there(capsys):
    assert main(["falsify", "--bound", "NEC-L2", "--instances", "100", "--budget", "inf", "--json", "-"]) == 0
    out, err = capsys.readouterr()
    document = json.loads(out, parse_constant=pytest.fail)  # JSON has no Infinity and no NaN
    assert document["complete"] is True
    assert document["budget"] is None
    assert err == ""


def test_a_dimension_given_twice_is_attacked_once():
    assert cli._dimensions("10,1,10") == (10, 1)


@pytest.mark.parametrize(
    ("end", "code", "told"),
    [(KeyboardInterrupt(), 130, "interrupted; "), (WorkerDied("the cure"), 2, "; the cure; ")],
    ids=["interrupt", "killed-worker"],
)
def test_an_early_end_keeps_what_was_done_beside_the_file(tmp_path, monkeypatch, capsys, end, code, told):
    def one_then_end(plan, progress, workers):
        yield {"order": 0, **attack_grid(DETERMINISTIC["NEC-L2"], Effort(10_000, 60.0))}
        raise end

    monkeypatch.setattr(cli, "study", one_then_end)
    path, partial = tmp_path / "results.json", tmp_path / "results.partial.json"
    path.write_text("of an earlier run", encoding="utf-8")
    assert main(["falsify", "--json", str(path)]) == code
    document = json.loads(partial.read_text(encoding="utf-8"))
    assert not document["complete"]
    assert len(document["results"]) == 1
    assert path.read_text(encoding="utf-8") == "of an earlier run"
    out, err = capsys.readouterr()
    assert err.endswith(f"{told}what was done is in {partial}\n")
    assert "NEC-L2" in out


@pytest.mark.parametrize(
    ("more", "told"),
    [([], ""), (["--json", "r.json"], "; r.json was not written")], ids=["no file", "a file"],
)  # fmt: skip
def test_an_end_before_the_first_attack_is_over_says_so(tmp_path, monkeypatch, capsys, more, told):
    def ended(plan, progress, workers):
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(cli, "study", ended)
    monkeypatch.chdir(tmp_path)
    assert main(["falsify", *more]) == 130
    assert capsys.readouterr().err.endswith(f"interrupted; no attack was finished{told}\n")
    assert list(tmp_path.iterdir()) == []
