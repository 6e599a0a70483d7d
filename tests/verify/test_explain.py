"""`--explain`: a claim in full, and nothing of it lost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from verify.__main__ import main
from verify.catalogue import claims
from verify.explain import LABEL, lines
from verify.obligation import Settings
from verify.run import decide

CLAIMS = ("NEC-EQ6", "NEC-L1a", "NEC-EQ3-SCALE", "NEC-EQ4", "NEC-EXP-ROUND")
"""One refuted, proved-if, inconsistent, proved, unknown (with a table)."""
OWN_WORDS = (
    "id",
    "verdict",
    "seconds",
    "comparison",
    "holds",
    "uses",
    "kind",
    "status",
    "needed",
    "unneeded",
    "parts",
    "model",
)
"""Of the entry, what stands in the heading; of a step, what the edges of the graph say, and its parts."""


@pytest.fixture(scope="module")
def entries() -> dict[str, dict[str, Any]]:
    return {entry["id"]: entry for entry in decide(CLAIMS, Settings(), 1)}


def texts(data: Any) -> Iterator[str]:
    """Every text of an entry but what `OWN_WORDS` names."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        for key, value in data.items():
            if key not in OWN_WORDS:
                yield from texts(value)
    elif isinstance(data, list):
        for value in data:
            yield from texts(value)


@pytest.mark.parametrize("name", CLAIMS)
def test_nothing_is_lost(name, entries) -> None:
    entry = entries[name]
    said = "\n".join(" ".join(line) for line in lines(entry))
    left = [text for text in texts(entry) if text not in said]
    assert left == []
    for key in ("needed", "unneeded"):
        assert all(text in said for text in entry[key])


def test_a_refuted_claim_shows_its_witness_and_how_to_decide_it_again(entries) -> None:
    told = list(lines(entries["NEC-EQ6"]))
    assert ("", "alpha = 0, norm_g = 0") in told or ("witness", "alpha = 0, norm_g = 0") in told
    (breaks,) = (text for label, text in told if label == "breaks")
    assert breaks.endswith("is false")
    assert told[-1] == ("again", 'pytest "tests/verify/test_claims.py::test_claim[NEC-EQ6]"')


def test_the_steps_of_a_repair_are_not_told_twice(entries) -> None:
    entry = entries["NEC-L1a"]
    (step, *_) = entry["corrected"]["evidence"]
    told = [text for _, text in lines(entry) if f"  {step['name']}" in text]
    assert len(told) == 1


@pytest.mark.parametrize("columns", ["72", None], ids=["72 columns", "a pipe"])
def test_the_command(columns, monkeypatch, capsys) -> None:
    """Wrapped to the terminal; into a pipe a line a text."""
    monkeypatch.delenv("COLUMNS", raising=False)
    if columns:
        monkeypatch.setenv("COLUMNS", columns)
    assert main(["--claim", "NEC-EQ4", "--claim", "NEC-EQ6", "--explain"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0].startswith("NEC-EQ4  proved  (")
    assert out[-1].startswith("2 claims: 1 proved, 1 refuted")
    if columns:
        assert max(map(len, out)) <= 72
        assert any(line.startswith(" " * LABEL) for line in out)
    else:
        assert sum(line.startswith("printed") for line in out) == 2


def test_what_holds_of_a_statement_that_does_not_hold_as_printed_is_not_called_as_printed() -> None:
    called = {found.repair.statement for found in claims().values() if found.repair}
    assert not {one for one in called if one.strip(" .").casefold() == "as printed"}
