"""`--errata`: what an author would change."""

from __future__ import annotations

from typing import Any

import pytest

from verify.__main__ import main
from verify.errata import FALLEN, PARTS, sheet
from verify.obligation import Settings
from verify.run import decide, select

ASKED = (
    "NEC-EQ4",
    "NEC-EQ6",
    "NEC-L1a",
    "NEC-TAB1-CAP",
    "NEC-EQ12@equality",
    "NEC-OUR-HETERO",
    "NEC-EXP-ROUND",
    "FED-DEF-DELTA",
)
"""Proved, refuted, proved-if, one with readings, a reading that is proved, ours, unknown, and one of another paper."""


@pytest.fixture(scope="module")
def entries() -> list[dict[str, Any]]:
    return decide(select(None, ASKED), Settings(), 1)


def test_what_has_fallen_is_there_and_nothing_else(entries) -> None:
    text = "\n".join(sheet(entries))
    fallen = {e["id"] for e in entries if e["origin"] == "printed" and e["verdict"] in FALLEN}
    assert {"NEC-EQ6", "NEC-L1a"} <= fallen
    assert {e["id"] for e in entries if f"**{e['id']}**" in text} == fallen
    assert "NEC-EQ4" not in text
    assert "NEC-OUR-HETERO" not in text


def test_each_says_what_is_printed_why_it_falls_and_what_holds(entries) -> None:
    lines = list(sheet(entries))
    (found,) = (e for e in entries if e["id"] == "NEC-L1a")
    start = lines.index(f"- **NEC-L1a** (proved-if), {found['place']}")
    repair = found["corrected"]
    assert lines[start + 1 : start + 4] == [
        f"  - printed: {found['printed']}",  # no word of which is markup
        f"  - why: {found['reason']}",
        f"  - holds: {repair['statement']} (if: {repair['condition']})",
    ]


def test_readings_stand_under_their_statement() -> None:
    """Whatever the order in which they come; those of a statement that holds stand each for itself."""
    given = [
        _entry("X-T1@b", "refuted"), _entry("X-T1", "refuted"), _entry("X-T2", "proved"), _entry("X-T2@a", "inconsistent"),
        _entry("X-T2@c", "refuted"),
    ]  # fmt: skip
    lines = list(sheet(given))
    assert lines[0] == "# x: 1 printed statement and 2 readings to change"
    assert [line for line in lines if "**" in line] == [
        "- **X-T1** (refuted), Theorem", "  - **X-T1@b** (refuted), Theorem",
        "- **X-T2@a** (inconsistent), Theorem", "- **X-T2@c** (refuted), Theorem",
    ]  # fmt: skip


def test_other_words_of_a_reading_are_there() -> None:
    """The second part of a theorem, say; the same words stand once."""
    given = [
        _entry("X-T1", "refuted"),
        _entry("X-T1@a", "refuted"),
        _entry("X-T1@b", "refuted") | {"printed": "others"},
    ]
    assert [line for line in sheet(given) if "printed:" in line] == [
        "  - printed: words",
        "    - printed: others",
    ]


@pytest.mark.parametrize(
    ("text", "written"),
    [("[(1/n) Δ*](ρE/α)", r"[(1/n) Δ\*]\(ρE/α)"), ("f_i ≤ σ_DP, ‖_2 < `x`", r"f_i ≤ σ_DP, ‖\_2 \< \`x\`"), ("a\\b", r"a\\b")],
)  # fmt: skip
def test_nothing_that_is_said_is_taken_for_markup(text, written) -> None:
    (line,) = (line for line in sheet([_entry("X-T1", "refuted") | {"printed": text}]) if "printed:" in line)
    assert line == f"  - printed: {written}"


def test_every_kind_of_statement_has_its_part() -> None:
    """So that none is left out without a word."""
    from verify.catalogue import claims

    printed = {found.kind for found in claims().values()} - {"ours"}
    assert printed == {kind for kinds in PARTS.values() for kind in kinds}


def test_the_command(capsys) -> None:
    """Markdown alone on standard output: the count of verdicts goes to the other stream."""
    assert main(["--claim", "NEC-EQ6", "--errata"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith(
        "# alpha-normec: 1 printed statement to change\n\n## Lemmas, equations, definitions\n"
    )
    assert "1 refuted" in err
    assert "1 refuted" not in out
    assert main(["--claim", "NEC-EQ4", "--errata"]) == 0
    assert capsys.readouterr().out.startswith("Nothing to change")


@pytest.mark.parametrize("other", ["--explain", "--mutants", "--list"])
def test_two_answers_in_one_place_are_refused(other, capsys) -> None:
    assert main(["--claim", "NEC-EQ6", "--errata", other]) == 2
    assert "--errata" in capsys.readouterr().err


def _entry(name: str, verdict: str) -> dict[str, Any]:
    return {
        "id": name, "verdict": verdict, "paper": "x", "kind": "theorem", "place": "Theorem", "origin": "printed",
        "printed": "words", "reason": "because.", "corrected": None,
    }  # fmt: skip
