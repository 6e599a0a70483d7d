"""What the README says in numbers, in its table of verdicts and in its examples is so, and what CONTRIBUTING.md has for examples."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from gpu_benchmarks import beside_ours
from gpu_benchmarks.orders import AGAINST, BETAS, counted, orders, overtaken, shorter
from gpu_benchmarks.reported import load
from gpu_benchmarks.rows import value
from gpu_benchmarks.sentences import answers
from gpu_benchmarks.sentences import counted as counted_in_words
from report.sections.experiments import tally
from report.sections.front import first_sentence
from report.typst import sentence, written
from report.verdicts import CITED, THEOREM_KINDS
from verify.catalogue import claims
from verify.claim import Claim
from verify.textbook.library import TRUSTED, cited

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
VERDICTS = json.loads((ROOT / "tests" / "verify" / "verdicts.json").read_text(encoding="utf-8"))
VERDICT_MARKS, EXPERIMENT_MARKS, NUMBER_MARKS = (
    (f"<!-- {part}: kept by tests/repository/test_readme.py -->\n", f"<!-- end of {part} -->")
    for part in ("verdicts", "experiments", "numbers")
)
EXAMPLES = [
    pytest.param(text, id=f"{name} {text.split()[1]}")
    for name in ("README.md", "CONTRIBUTING.md")
    for text in re.findall(r"```python\n(.*?)```", (ROOT / name).read_text(encoding="utf-8"), re.S)
]
LONGEST = 140
"""Characters that a line says of a theorem."""


def verdict_table() -> str:
    """Theorems and corollaries as printed, readings left out, each with what is said of it."""
    plain = [c for c in claims().values() if c.kind in THEOREM_KINDS and "@" not in c.id]
    lines = [f"| `{c.id}` | {c.place} | {VERDICTS[c.id]} | {_told(c)} |" for c in plain]
    return "\n".join(["| id | place | verdict | why |", "|---|---|---|---|", *lines, ""])


def experiments_told() -> str:
    """What is to be said of all printed numbers."""
    printed = load()
    rows, found = beside_ours.rows((), printed)
    said = answers(printed, rows, found)
    pairs = [order.to_dict() for order in orders(printed, rows, found)]
    ended = shorter(printed.rule, rows, found)
    assert ended is not None
    counts = tally([row.to_dict() for row in rows])
    lines = [
        f"Of {len(rows)} printed numbers: {counts}.",
        f"Of the {len(AGAINST) * len(BETAS)} pairs of methods that α-NormEC compares, {len(pairs)} were run: {counted(pairs)}.",
        f"Of {len(said)} comparisons that the papers make in words: {counted_in_words(answer.standing for answer in said)}.",
        f"Of the {len(ended.met) + len(ended.missed)} final accuracies of α-NormEC's Appendix I {len(overtaken(rows, found))} "
        "lie below ours. "
        f"{len(ended.whole)} are met by the mean of the last five of our {ended.of} rounds; had our runs ended after {ended.at}, "
        f"it would be {len(ended.met)}.",
    ]
    return "".join(f"- {line}\n" for line in lines)


def numbers_table() -> str:
    """The printed numbers that runs of ours stand beside under the chosen readings."""
    lines = [
        f"| `{row.number.id}` | {row.number.place} | {row.number.plain} | {value(row.number, row.ours)} | {row.standing} |"
        for row in beside_ours.rows((), load())[0]
        if row.ours is not None and row.ours.mean is not None
    ]
    return "\n".join(["| id | place | printed | ours | verdict |", "|---|---|---|---|---|", *lines, ""])


def _told(claim: Claim) -> str:
    """In a few words of the claim's own, as on page one of the report; a bar would end the cell."""
    return first_sentence(written(sentence(claim.reason)), LONGEST).replace("|", "\\|")


@pytest.mark.parametrize(
    ("marks", "made"),
    [
        pytest.param(VERDICT_MARKS, verdict_table, id="verdicts"),
        pytest.param(EXPERIMENT_MARKS, experiments_told, id="experiments"),
        pytest.param(NUMBER_MARKS, numbers_table, id="numbers"),
    ],
)
def test_what_stands_between_marks_is_what_claims_and_records_say(marks, made):
    shown = README.partition(marks[0])[2].partition(marks[1])[0]
    expected = made()
    assert shown == expected, f"write between the marks of README.md:\n\n{expected}"


def test_the_number_of_textbook_results_is_that_of_the_proofs():
    told = re.search(
        r"and (\d+) textbook results that all proofs together cite,\s+of which (\w+) are taken", README
    )
    assert told is not None
    assert told.groups() == (str(len(cited())), {0: "none", 1: "one", 2: "two", 3: "three"}[len(TRUSTED)])


def test_the_papers_are_named_as_in_the_report():
    for letters, words in CITED.values():
        authors, _, name = words.partition("; ")[0].partition(": ")
        assert re.search(rf"^\| {letters} \| {authors}: \[{re.escape(name)}\]\(https://", README, re.M)


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_runs_and_gives_what_it_says(example):
    assert "assert " in example
    exec(compile(example, "example", "exec"), {})
