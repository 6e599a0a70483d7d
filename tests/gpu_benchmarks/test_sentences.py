"""What the papers say of their runs in words: which runs answer a comparison, and how it then stands."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from itertools import product

import pytest

from gpu_benchmarks import cli, reported, sentences
from gpu_benchmarks.comparison import compare
from gpu_benchmarks.config import Config
from gpu_benchmarks.errors import InputError
from gpu_benchmarks.orders import CLOSE, OPPOSITE, SAME
from gpu_benchmarks.sentences import APART, OPEN, answers, counted, load
from gpu_benchmarks.training_methods import METHODS
from report.sections.sentences import comparisons
from tests_support import record_of
from verify.catalogue import claims

pytestmark = (
    pytest.mark.unchecked
)  # the table computes each private run's ε, with hundreds of thousands of calls

ALL = reported.load()
SN = Config(gamma=0.1, server_normalisation=True)
FED = Config(method="fed_alpha_normec", clients=20, gamma=0.1, beta=0.01, private=True)
REACH = 1.96 * math.sqrt(2) * 0.5


def run(config: Config, highest: float, at: int = 1):
    """A full run with its highest accuracy from round `at` on, and half of it before."""
    return record_of(
        [highest / 2] * (at - 1) + [highest] * (config.rounds - at + 1), config, rounds=config.rounds
    )


def asked(*records):
    """By id and words; of the communications those to 65%, which stand last."""
    return {(a.id, a.asked): a for a in answers(ALL, compare(ALL, records), records)}


def test_every_sentence_is_a_claim_of_its_paper_and_every_cell_a_run():
    for sentence in load():
        assert claims()[sentence.id].paper == sentence.paper
        ((name, values),) = sentence.along.items()
        grid = {name: values, **sentence.each, **sentence.over}
        for cell in product(*grid.values()):
            config = replace(Config(), **sentence.config, **dict(zip(grid, cell, strict=True)))
            assert METHODS[config.method]


def test_without_runs_nothing_is_answered():
    found = asked()
    assert {answer.standing for answer in found.values()} == {OPEN}
    assert all(answer.reach is None and answer.cells[0] == 0 for answer in found.values())


@pytest.mark.parametrize(
    ("middle", "first", "second"),
    [
        (87.0, SAME, SAME),
        (89.0, CLOSE, SAME),
        (93.0, OPPOSITE, SAME),
        (85.0 - REACH - 0.01, SAME, OPPOSITE),
        (85.0 + REACH - 0.01, SAME, CLOSE),
        (85.0 + REACH + 0.01, SAME, SAME),
    ],
)
def test_an_order_is_asked_of_neighbours(middle, first, second):
    """β = 0.1 ends at 90, β = 10 at 85; one run each, so that seeds make ± 1.39."""
    found = asked(
        *(
            run(replace(SN, beta=beta), highest)
            for beta, highest in ((0.1, 90.0), (0.01, middle), (10.0, 85.0))
        )
    )
    one = found["NEC-EXP-61", "β = 0.1 better than β = 0.01, α = 0.01"]
    two = found["NEC-EXP-61", "β = 0.01 better than β = 10, α = 0.01"]
    assert (one.standing, two.standing) == (first, second)
    assert one.ours == (90.0, middle)
    assert one.reach == pytest.approx(REACH)
    assert one.cells == (2, 8), "of four γ on either side"


@pytest.mark.parametrize(("apart", "standing"), [(1.3, SAME), (1.5, APART)])
def test_alike_are_settings_that_seeds_alone_set_apart(apart, standing):
    found = asked(
        *(
            run(replace(SN, alpha=alpha), highest)
            for alpha, highest in ((0.01, 88.0), (0.1, 88.0 + apart), (1.0, 88.5))
        )
    )
    answer = found["NEC-EXP-61@stable", "α = 0.01, α = 0.1, α = 1 alike, β = 0.1"]
    assert (answer.standing, answer.ours) == (standing, (88.0, 88.0 + apart, 88.5))


def test_a_side_is_the_best_of_the_cells_that_were_run():
    runs = [run(replace(SN, beta=0.1, gamma=gamma), 80.0 + gamma) for gamma in (0.001, 0.1, 1.0)]
    found = asked(*runs, run(replace(SN, beta=0.01), 70.0))
    answer = found["NEC-EXP-61", "β = 0.1 better than β = 0.01, α = 0.01"]
    assert (answer.ours, answer.cells, answer.standing) == ((81.0, 70.0), (4, 8), SAME)


def test_fewer_communications_are_better_and_none_is_never():
    """k · p · 20 at the first round with 65%: 100 rounds are 2,000 in full and 500 at p = 1/4."""
    whole, quarter = run(FED, 66.0, at=100), run(replace(FED, participation=0.25), 66.0, at=100)
    key = "FED-EXP-COMM", "p = 0.25 better than p = 1"
    answer = asked(whole, quarter)[key]
    assert (answer.ours, answer.standing) == ((500.0, 2000.0), SAME)
    answer = asked(whole, run(replace(FED, participation=0.25), 60.0))[key]
    assert (answer.ours, answer.standing) == ((math.inf, 2000.0), OPPOSITE)
    assert answer.told == "never, 2000.00"
    assert json.loads(json.dumps(answer.to_dict(), allow_nan=False))["ours"] == [None, 2000.0]
    assert asked(whole)[key].standing == OPEN
    never = asked(run(FED, 60.0), run(replace(FED, participation=0.25), 60.0))[key]
    assert never.standing == CLOSE, "of two that never come there neither is better"


def test_runs_cut_short_and_runs_under_other_readings_answer_nothing():
    beta = replace(SN, beta=0.1), replace(SN, beta=0.01)
    key = "NEC-EXP-61", "β = 0.1 better than β = 0.01, α = 0.01"
    cut = record_of([70.0] * 9, beta[1], rounds=300, stop_after=9)
    assert asked(run(beta[0], 90.0), cut)[key].standing == OPEN
    other = replace(beta[1], precision="bf16")
    assert asked(run(beta[0], 90.0), run(other, 70.0))[key].standing == OPEN


def test_the_report_has_what_was_run_and_names_the_rest():
    found = answers(
        ALL,
        compare(ALL, runs := [run(replace(SN, beta=b), h) for b, h in ((0.1, 90.0), (0.01, 92.0))]),
        runs,
    )
    source = comparisons([answer.to_dict() for answer in found]).source
    assert "90.00, 92.00" in source
    assert "the other way round" in source
    assert "FED-EXP-COMM" in source
    assert counted(answer.standing for answer in found) in source.replace("\\", "")
    assert comparisons([]).source == ""


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('says = "order"', 'says = "perhaps"', "NEC-EXP-61: says must be one of order, best, same"),
        ("along = { beta = [0.1, 0.01, 10.0] }", "along = { beta = [0.1] }", "along must be one parameter"),
        ('place = "Section 6.1, Figure 2"\n', "", "no file of sentences"),
        ("schema = 1", "schema = ", "no file of sentences"),
    ],
)
def test_a_broken_file_is_told(tmp_path, old, new, told):
    text = sentences.PATH.read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "sentences.toml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(InputError, match=told) as error:
        load(path)
    assert str(path) in str(error.value)


def test_a_file_that_cannot_be_read_is_told(tmp_path):
    for path, why in ((tmp_path / "none.toml", "No such file"), (tmp_path, "Is a directory")):
        with pytest.raises(InputError, match=f"{path}: cannot be read .{why}"):
            sentences.load(path)


def test_the_table_of_one_paper_has_its_sentences_as_the_whole_table_has_them(tmp_path):
    found: dict[str | None, list[dict[str, str]]] = {}
    for paper in (None, "fed-alpha-normec"):
        path = tmp_path / f"{paper}.json"
        assert (
            cli.main(["table", "--no-reduced", "--json", str(path), *(["--paper", paper] if paper else [])])
            == 0
        )
        found[paper] = json.loads(path.read_text(encoding="utf-8"))["sentences"]
    assert found["fed-alpha-normec"] == [
        answer for answer in found[None] if answer["paper"] == "fed-alpha-normec"
    ]
    assert 0 < len(found["fed-alpha-normec"]) < len(found[None])
