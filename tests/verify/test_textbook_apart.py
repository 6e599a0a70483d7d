"""Two textbook results about one letter of a proof are tried in one meaning of the letter."""

from __future__ import annotations

import pytest

from verify.facts import Fact, definition, equal, letters, standard
from verify.obligation import obligation
from verify.proof import Proof
from verify.textbook import apart as module
from verify.textbook import survey
from verify.textbook.apart import apart, apart_in, clashes, clashes_in
from verify.textbook.draws import Draws
from verify.textbook.trial import Trial

t, u, v = letters("t u v")
BELOW, ABOVE = standard("t is one less", t <= u - 1), standard("t is no less", u <= t)
LIKEWISE = standard("v is no less", u <= v)


def less(draws: Draws) -> dict:
    u = draws.positive()
    return {"t": u - 1, "u": u}


def more(draws: Draws) -> dict:
    u = draws.positive()
    return {"t": u, "u": u, "v": u}


def of_one_less(draws: Draws) -> dict:
    u = draws.positive()
    return {"t": u - 1, "u": u, "v": u}


def proof(*facts: Fact) -> Proof:
    return Proof((), (obligation("uses them", facts, t >= u),))


def tried(monkeypatch, *trials: Trial) -> None:
    monkeypatch.setattr(module, "trials", lambda fact: tuple(one for one in trials if one.name == fact.name))


def test_two_results_about_one_letter_are_tried_in_one_case() -> None:
    found = [
        f"{letter}: '{one}' and '{other}' ({', '.join(ids)})" for (one, other, letter), ids in apart().items()
    ]
    assert not found, "no trial is of both: " + "; ".join(found)


def test_results_that_are_true_of_two_meanings_of_a_letter_are_found(monkeypatch) -> None:
    """t ≤ u − 1 and u ≤ t show everything."""
    tried(monkeypatch, Trial(BELOW.name, less), Trial(ABOVE.name, more))
    assert set(apart_in(proof(BELOW, ABOVE), frozenset())) == {
        (BELOW.name, ABOVE.name, "t"),
        (BELOW.name, ABOVE.name, "u"),
    }


def test_letters_of_the_statement_are_what_the_paper_says(monkeypatch) -> None:
    tried(monkeypatch, Trial(BELOW.name, less), Trial(ABOVE.name, more))
    assert {letter for *_, letter in apart_in(proof(BELOW, ABOVE), frozenset({u}))} == {"t"}


def test_results_of_one_case_are_not_apart(monkeypatch) -> None:
    tried(monkeypatch, Trial(BELOW.name, less), Trial(ABOVE.name, less))
    assert not set(apart_in(proof(BELOW, ABOVE), frozenset()))


@pytest.mark.parametrize(("case", "apart"), [(of_one_less, {"t"}), (more, set())])
def test_what_stands_in_the_place_of_a_letter_is_the_same_number(monkeypatch, case, apart: set[str]) -> None:
    """“v is no less”, said of t, is of the v of its cases."""
    tried(monkeypatch, Trial(BELOW.name, case), Trial(LIKEWISE.name, case))
    said = LIKEWISE.at({v: t})
    assert {letter for *_, letter in apart_in(proof(BELOW, said), frozenset())} == apart


PART_OF_THE_CASES = {
    "μ_0 σ_DP = 0.999999 √(Jp/2) and μ = 0.999999 √50": "two shifts, of all that there are",
    "μ_J σ_DP = 0.999999 √J and μ_100 = 0.999999 √100": "two shifts, of all that there are",
}
"""Definitions that choose numbers for which a textbook result is used, and what they choose."""


def test_definitions_hold_in_the_cases_of_the_results_that_speak_of_their_letters() -> None:
    found = clashes()
    assert {name for _, name in found} == PART_OF_THE_CASES.keys(), found


@pytest.mark.parametrize(("said", "found"), [(t + 1, set()), (t + 2, {(BELOW.name, "u is t and more")})])
def test_a_definition_of_another_meaning_is_found(monkeypatch, said, found: set[tuple[str, str]]) -> None:
    tried(monkeypatch, Trial(BELOW.name, less))
    introduced = definition("u is t and more", equal(u, said))
    assert set(clashes_in(proof(BELOW, introduced), frozenset())) == found
    assert not set(clashes_in(proof(BELOW, introduced), frozenset({t, u})))


def test_a_letter_that_an_instance_has_replaced_is_none_of_its(monkeypatch) -> None:
    """Of “t is one less”, said of v, t is another number."""
    tried(monkeypatch, Trial(BELOW.name, less))
    introduced = definition("v + t = u", equal(v + t, u))
    assert not set(clashes_in(proof(BELOW.at({t: v}), introduced), frozenset()))


def test_the_survey_says_so(monkeypatch) -> None:
    monkeypatch.setattr(survey, "cited", lambda: {BELOW: ("NEC-T1",)})
    monkeypatch.setattr(survey, "trials", lambda fact: (Trial(fact.name, less),))
    monkeypatch.setattr(survey, "apart", lambda: {(BELOW.name, ABOVE.name, "t"): ("NEC-T1",)})
    (entry,) = survey.survey()
    assert entry["status"] == "fails"
    assert (
        entry["note"]
        == f"no trial is of it and of '{ABOVE.name}', which is cited with it and speaks of t as well"
    )
