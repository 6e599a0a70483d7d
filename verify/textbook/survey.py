"""What comes of trying every textbook result that a proof cites, as plain data."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from verify.facts import Fact
from verify.textbook.apart import apart
from verify.textbook.library import TRUSTED, cited, trials
from verify.textbook.trial import CASES, examine


def survey(
    cases: int = CASES, told: Callable[[str, float], None] = lambda name, part: None
) -> list[dict[str, Any]]:
    """Each result in the order of their names: name, relation, the claims whose proofs use it, status (holds: in every
    case; trusted: no case can speak of it; fails: false in a case, or with no trial that is good enough), cases tried, note (why it
    is trusted, why no case is sharp, or what is wrong). told: is given each name, and the part that is done after it."""
    found = []
    for entry, part in each(cases):
        found.append(entry)
        told(entry["name"], part)
    return found


def each(cases: int = CASES) -> Iterator[tuple[dict[str, Any], float]]:
    """What `survey` finds, one result after the other, and the part that is done with it."""
    facts, others = cited(), defaultdict(list)
    for one, other, letter in apart():
        others[one].append(
            f"no trial is of it and of '{other}', which is cited with it and speaks of {letter} as well"
        )
    for number, (fact, claims) in enumerate(facts.items(), 1):
        entry = {"name": fact.name, "relation": str(fact.relation), "claims": list(claims)}
        yield {**entry, **_tried(fact, cases, others[fact.name])}, number / len(facts)


def _tried(fact: Fact, cases: int, apart: Sequence[str]) -> dict[str, Any]:
    if why := next((entry.why for entry in TRUSTED if entry.covers(fact)), None):
        return {"status": "trusted", "cases": 0, "note": why}
    chosen = trials(fact)
    outcomes = [(trial, examine(fact, trial, cases)) for trial in chosen]
    wrong = [text for trial, outcome in outcomes for text in outcome.complaints(bool(trial.loose))]
    wrong += [*([] if chosen else ["has no trial"]), *apart]
    return {
        "status": "fails" if wrong else "holds",
        "cases": sum(outcome.applied for _, outcome in outcomes),
        "note": _joined(wrong or (trial.loose for trial in chosen)),
    }


def _joined(texts: Iterable[str]) -> str:
    return "; ".join(dict.fromkeys(text for text in texts if text))
