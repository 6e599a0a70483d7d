"""Reported numbers: the file is sound, what it quotes is in the papers, and the rule decides as it is
written.
"""

from __future__ import annotations

import math
import os
import re
from pathlib import Path

import pytest

from gpu_benchmarks import reported
from gpu_benchmarks.accuracies import metric
from gpu_benchmarks.config import Config
from gpu_benchmarks.errors import InputError
from gpu_benchmarks.reported import Number, Rule, load, reach, verdict
from tests_support import record_of

FILES = {
    "alpha-normec": "alpha-normec.txt",
    "fed-alpha-normec": "fed-alpha-normec.md",
    "dp-normfedavg": "dp-normfedavg.md",
}
ALL = load()
RULE = Rule(tolerance=1.0, floor=0.5, z=1.96)


def text_of(paper: str) -> str:
    folder = os.environ.get("NORMEC_PAPERS")
    if not folder:
        pytest.skip("NORMEC_PAPERS does not name a folder with the papers' texts")
    return " ".join((Path(folder) / FILES[paper]).read_text(encoding="utf-8").split())


@pytest.mark.data
@pytest.mark.parametrize("number", ALL.numbers, ids=lambda n: n.id)
def test_what_is_quoted_stands_in_the_paper(number):
    assert number.printed in text_of(number.paper)


@pytest.mark.parametrize("number", ALL.numbers, ids=lambda n: n.id)
def test_value_is_the_one_that_is_quoted(number):
    figures = [float(figure) for figure in re.findall(r"\d+(?:\.\d+)?", number.printed)]
    ends = [end for end in (number.low, number.high) if math.isfinite(end)]
    assert set(ends) <= set(figures)
    assert number.std is None or not math.isnan(number.std)


@pytest.mark.data
def test_tables_of_alpha_normec_parsed_independently():
    """Figures 8 and 11, Table 2 and Figure 12, cell by cell, from the text of the paper."""
    text = text_of("alpha-normec")
    by_id = {n.id: n for n in ALL.numbers}
    row = r"(0\.01|0\.1|1\.0|10\.0) (0\.01|0\.1|1\.0) (\d\d\.\d\d)%"
    tables = {
        "NEC-F8-NORMEC": re.search(rf"α-NormEC ((?:{row} ?){{4}})DP-SGD", text),
        "NEC-F8-DPSGD": re.search(rf"DP-SGD \(2\) ((?:{row} ?){{4}})", text),
        "NEC-T2-SN": re.search(rf"With server normalization ((?:{row} ?){{4}})", text),
        "NEC-F11-CLIP21": re.search(rf"Clip21 ((?:{row} ?){{4}})", text),
    }
    for name, found in tables.items():
        assert found is not None, name
        cells = re.findall(row, found.group(1))
        assert len(cells) == 4
        for beta, gamma, accuracy in cells:
            number = by_id[f"{name}-{float(beta):g}"]
            assert (number.config["beta"], number.config["gamma"]) == (float(beta), float(gamma)), number.id
            assert number.low == number.high == float(accuracy), number.id
    grid = re.search(r"0\.001 0\.01 0\.1 1\.0 .*?((?:\d\d\.\d\d ){16})Highest test accuracy", text)
    assert grid is not None
    figures = [float(figure) for figure in grid.group(1).split()]
    printed = [n.high for n in ALL.numbers if n.id.startswith("NEC-F12-")]
    assert printed == figures


@pytest.mark.data
def test_table_2_of_dp_normfedavg_parsed_independently():
    text = text_of("dp-normfedavg").replace("<b>", "").replace("</b>", "")
    cells = re.findall(r"(\d\d\.\d\d) \( \$\\pm (\d\.\d\d)\$ \) %", text[text.index("Appendix G.") :])
    in_file = {(n.high, n.std) for n in ALL.numbers if n.id.startswith("DAS-T2")}
    assert len(cells) == 15
    assert {(float(value), float(std)) for value, std in cells} == in_file


def test_the_papers_differences_agree_with_their_tables():
    """The margins in the text follow from the cells: a slip in either shows."""
    by_id = {n.id: n.high for n in ALL.numbers}
    assert by_id["NEC-T2-SN-10"] - by_id["NEC-F8-NORMEC-10"] == pytest.approx(2.23, abs=1e-9)
    for letter, least in (("A", 2.1), ("B", 1.5), ("C", 2.8)):
        assert by_id[f"DAS-T2{letter}-NORM-5"] - by_id[f"DAS-T2{letter}-CLIP-5"] > least


def test_the_highest_of_figure_2_cannot_be_without_server_normalisation():
    """A highest accuracy over α is at least the final accuracy of one α; without normalisation it would not
    be.
    """
    by_id = {n.id: n.high for n in ALL.numbers}
    assert by_id["NEC-F2-BEST"] < by_id["NEC-F8-NORMEC-0.1"]
    assert by_id["NEC-F2-BEST"] >= by_id["NEC-T2-SN-0.1"]


def test_every_cell_is_a_run_that_can_be_configured():
    for number in ALL.numbers:
        if number.setting != "linear":
            for cell in number.cells():
                assert Config(**cell).full, number.id
            if number.minus:
                assert Config(**{**number.config, **number.minus}).full


def number(**change) -> Number:
    base = {
        "id": "X",
        "paper": "alpha-normec",
        "place": "here",
        "printed": "80%",
        "low": 80.0,
        "high": 80.0,
        "metric": "final",
        "kind": "value",
        "setting": "non-private",
        "unit": "%",
        "config": {},
    }
    return Number(**(base | change))


@pytest.mark.parametrize(
    ("change", "mean", "std", "n", "expected"),
    [
        ({}, 80.0, 0.0, 1, "reproduced"),
        ({}, 82.38, 0.0, 1, "reproduced"),  # 1 + 1.96 · 0.5 · √2 = 2.386
        ({}, 82.39, 0.0, 1, "not reproduced"),
        ({}, 77.61, 0.0, 1, "not reproduced"),
        ({}, 82.38, 0.1, 3, "not reproduced"),  # 1 + 1.96 · 0.5 · √(4/3) = 2.132
        ({}, 82.13, 0.1, 3, "reproduced"),
        ({}, 83.0, 2.0, 3, "reproduced"),
        # of a mean of three printed runs: 1 + 1.96 · 0.5 · √(1 + 1/3) = 2.132 and, with three of ours, · √(2/3): 1.800
        ({"printed_runs": 3}, 82.13, 0.0, 1, "reproduced"),
        ({"printed_runs": 3}, 82.14, 0.0, 1, "not reproduced"),
        ({"printed_runs": 3}, 81.80, 0.1, 3, "reproduced"),
        ({"printed_runs": 3}, 81.81, 0.1, 3, "not reproduced"),
        ({"low": 81.0, "high": 82.0}, 78.7, 0.0, 1, "reproduced"),
        ({"low": -math.inf, "high": 6.0, "kind": "spread"}, 0.0, 0.0, 1, "reproduced"),
        ({"low": -math.inf, "high": 6.0, "kind": "spread"}, 10.0, 0.0, 1, "not reproduced"),
        ({"low": 2.8, "high": math.inf}, 50.0, 0.0, 1, "reproduced"),
        ({"low": 2.8, "high": math.inf}, 0.0, 0.0, 1, "not reproduced"),
        (
            {"unit": "communications", "low": 1200.0, "high": 1200.0, "within": 180.0},
            1380.0,
            0.0,
            1,
            "reproduced",
        ),
        (
            {"unit": "communications", "low": 1200.0, "high": 1200.0, "within": 180.0},
            math.inf,
            0.0,
            1,
            "not reproduced",
        ),
        ({}, math.nan, 0.0, 1, "not reproduced"),
        # a difference: 1.96 · 0.5 · √2 · √2 = 1.96, no tolerance; with a printed deviation 1.96 · 0.11 ·
        # √(2/3) = 0.176
        ({"low": 2.2, "high": 2.2, "kind": "difference"}, 0.25, 0.0, 1, "reproduced"),
        ({"low": 2.2, "high": 2.2, "kind": "difference"}, 0.23, 0.0, 1, "not reproduced"),
        (
            {"low": 2.1, "high": math.inf, "kind": "difference", "std": 0.11, "printed_runs": 3},
            1.93,
            0.04,
            3,
            "reproduced",
        ),
        (
            {"low": 2.1, "high": math.inf, "kind": "difference", "std": 0.11, "printed_runs": 3},
            0.15,
            0.04,
            3,
            "not reproduced",
        ),
    ],
)
def test_the_rule(change, mean, std, n, expected):
    assert verdict(RULE, number(**change), mean, std, n) == expected


def test_more_seeds_never_widen_the_interval():
    reaches = [reach(RULE, number(), 0.5, n) for n in (1, 2, 3, 10, 100)]
    assert reaches == sorted(reaches, reverse=True)
    assert reaches[-1] > RULE.tolerance


def test_rule_of_the_file_is_the_one_tested():
    assert ALL.rule == RULE


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("schema = 1", "schema = 2", "schema"),
        ("tolerance = 1.0", "", "tolerance missing"),
        ('metric = "final"', 'metric = "best"', "metric = 'best' must be one of"),
        ('id = "NEC-F8-NORMEC-0.1"', 'id = "NEC-F8-NORMEC-1"', "ids occur twice: NEC-F8-NORMEC-1"),
        ("value = 86.09", "low = 86.09", "NEC-F8-NORMEC-0.1: give value"),
        ("low = 85.0, high = 86.0", "low = 87.0, high = 86.0", "no interval"),
        ("value = 86.09", "valeu = 86.09", "unknown valeu"),
        ("[rule]", "[rule", "not valid TOML"),
        ("tolerance = 1.0", "tolerance = nan", "rule: tolerance = nan must be a finite number of at least 0"),
        ("tolerance = 1.0", "tolerance = inf", "tolerance = inf must be"),
        ("tolerance = 1.0", "tolerance = -1", "tolerance = -1 must be"),
        ("tolerance = 1.0", "tolerance = true", "tolerance = True must be"),
        ("tolerance = 1.0", 'tolerance = "x"', "tolerance = 'x' must be"),
        ("tolerance = 1.0", "tolerance = [1]", r"tolerance = \[1\] must be"),
        ("value = 86.09", 'value = "86.09"', "value = '86.09' must be a finite number"),
        ("value = 86.09", "value = [1]", r"value = \[1\] must be"),
        ("value = 86.09", "value = {a = 1}", "value = {'a': 1} must be"),
        ("value = 86.09", "value = 2025-01-01", "value = datetime.date"),
        ("value = 86.09", f"value = 1{'0' * 400}", "value = 10+ must be"),
        ("value = 86.09", f"value = 0x1{'0' * 5000}", "value = a number of too many digits must be"),
        ("value = 86.09", f"value = 1{'0' * 5000}", r"not valid TOML \(a number of too many digits\)"),
        ("value = 86.09", "value = true", "value = True must be"),
        ("value = 86.09", "value = inf", "value = inf must be"),
        ("value = 86.09", f"value = {'[' * 5000}{']' * 5000}", r"not valid TOML \(nested too deeply\)"),
        ("std = 0.04", 'std = "x"', "std = 'x' must be a finite number of at least 0"),
        ("std = 0.04", "std = -1", "std = -1 must be"),
        ("printed_runs = 3", "printed_runs = 0", "printed_runs = 0 must be a whole number of at least 1"),
        ("printed_runs = 3", "printed_runs = true", "printed_runs = True must be"),
        ('id = "NEC-F8-NORMEC-0.1"', "id = 3", "id = 3 must be words"),
        ("over = { gamma", "over = 3 #", "over = 3 must be a table of lists"),
        ("over = { gamma", "over = { a = 3 } #", "over = {'a': 3} must be a table of lists"),
        ("over = { gamma", "over = { gama", "unknown gama; near: gamma"),
        ("minus = {", "minus = 3 # {", "minus = 3 must be a table"),
        ('minus = { method = "clip" }', "", "kind = 'difference' needs minus"),
        ('method = "clip"', 'method = "clop"', "config: method = 'clop' must be one of clip, norm, fedavg"),
    ],
)
def test_damaged_file_is_named(tmp_path, old, new, message):
    text = reported.PATH.read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "reported.toml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(InputError, match=message) as told:
        load(path)
    assert str(told.value).startswith(f"{path}")


@pytest.mark.parametrize(
    ("added", "message"),
    [
        ("group = 3", "the file: group = 3 must be a list of tables"),
        ("group = [3]", "group 1: expected a table, found 3"),
        ("[[group]]\nnumber = 3", "group 1: .* missing"),
        ("[[group]]\nconfig = 3\nnumber = []", "group 1: .* missing"),
        ("[[group]]\n{start}\nconfig = 3\nnumber = []", "group 1: config = 3 must be a table"),
        ("[[group]]\n{start}\nconfig = {{}}\nnumber = 3", "group 1: number = 3 must be a list of tables"),
        ("[[group]]\n{start}\nconfig = {{}}\nnumber = [3]", "group 1, a number: expected a table, found 3"),
        ("[[group]]\n{start}\nconfig = {{alhpa = 1}}\nnumber = [{entry}]", "X: unknown alhpa; near: alpha"),
        ("[[group]]\n{start}\nconfig = {{alpha = -1}}\nnumber = [{entry}]", "X: alpha = -1.0 is not allowed"),
    ],
)
def test_a_file_of_another_shape_is_named(tmp_path, added, message):
    start = 'paper = "alpha-normec"\nplace = "x"\nmetric = "final"\nsetting = "private"'
    entry = '{ id = "X", printed = "1", value = 1, config = {} }'
    path = tmp_path / "reported.toml"
    rule = "[rule]\ntolerance = 1\nfloor = 1\nz = 1\n"
    text = added.format(start=start, entry=entry) + "\n"
    body = text + rule if text.startswith("group") else rule + text
    path.write_text("\ufeffschema = 1\n" + body, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        load(path)


def test_metrics_of_a_record():
    found = record_of([10.0, 70.0, 64.0, 66.0], clients=20, participation=0.25, method="fed_alpha_normec")
    assert metric("final", found) == 66.0
    assert metric("highest", found) == 70.0
    assert metric("mean of the last 5 rounds", found) == 52.5
    assert metric("communications to 65%", found) == 2 * 0.25 * 20
    assert metric("communications to 65%", record_of([10.0])) == math.inf
