"""What `proved-if` takes: a proved repair, and evidence that the printed form has no one truth value (`verify.verdict`)."""

from dataclasses import replace
from fractions import Fraction

import pytest
import sympy

from verify.catalogue import claims
from verify.claim import Claim, Gap, Repair, SearchResult, Witness
from verify.computation import Comparison
from verify.facts import hypothesis
from verify.obligation import Settings, obligation
from verify.proof import Proof
from verify.verdict import Finding, establish

x, y = sympy.symbols("x y", real=True)
QUICK = Settings(minimise=False)
GOOD = Proof((), (obligation("x² ≥ 0", [], x**2 >= 0),))
BAD = Proof((), (obligation("x² > 0", [], x**2 > 0),))
FAILS = Witness({"x": Fraction(0)}, "x² > 0", lambda v: Comparison(v["x"] ** 2, ">", Fraction(0)))
HOLDS = Witness({"x": Fraction(1)}, "x² > 0", lambda v: Comparison(v["x"] ** 2, ">", Fraction(0)))
ZERO = Witness({"x": Fraction(0)}, "x is not 0", lambda v: Comparison(v["x"], "!=", Fraction(0)))


def found(settings: Settings = QUICK, **evidence) -> Finding:
    return establish(
        Claim("NEC-X", "alpha-normec", "place", "lemma", "printed", "reason", **evidence), settings
    )


REPAIR = Repair("x² ≥ 0", "≥", GOOD)


def test_a_repair_alone_says_nothing_of_the_printed_form() -> None:
    alone = found(repair=REPAIR)
    assert alone.verdict == "unknown"
    assert any("takes a gap" in failure for failure in alone.failures)


def test_a_repair_with_a_search_behind_the_printed_form_is_supported() -> None:
    seen = found(repair=REPAIR, search=lambda: SearchResult(holds=True, instances=10, slack=0.5, detail=""))
    assert (seen.verdict, seen.failures) == ("supported", ())


@pytest.mark.parametrize(
    "gap", [Gap("undefined", "1/x", ZERO), Gap("reading", "x = 0", FAILS), Gap("reading", "x = 0", GOOD)]
)
def test_a_gap_that_stands_makes_it_proved_if(gap: Gap) -> None:
    decided = found(repair=REPAIR, gap=gap)
    assert (decided.verdict, decided.failures) == ("proved-if", ())
    assert decided.evidence[0].name == f"not as printed, {gap.kind}: {gap.what}"


@pytest.mark.parametrize(
    ("gap", "why"),
    [
        (Gap("reading", "x = 1", HOLDS), "1 > 0 is not shown to fail"),
        (Gap("reading", "", BAD), "refuted"),
        (Gap("undefined", "1/x", FAILS), "a denominator that is 0"),
        (Gap("undefined", "1/x", replace(ZERO, values={"x": Fraction(1)})), "1 != 0 is not shown to fail"),
        (Gap("reading", "x = 0", replace(FAILS, universal=BAD)), "universal part"),
    ],
    ids=["it holds there", "no proof", "no denominator", "the denominator is 1", "not for every value"],
)  # fmt: skip
def test_a_gap_that_does_not_stand_is_a_failure_and_no_verdict(gap: Gap, why: str) -> None:
    undecided = found(repair=REPAIR, gap=gap)
    assert undecided.verdict == "unknown"
    assert any(failure.startswith("the gap") and why in failure for failure in undecided.failures)


@pytest.mark.parametrize(
    "evidence", [{"proof": GOOD}, {"witness": FAILS}, {"conflict": GOOD}], ids=lambda e: next(iter(e))
)
def test_what_is_decided_as_printed_has_no_gap(evidence: dict) -> None:
    decided = found(repair=REPAIR, gap=Gap("reading", "x = 0", FAILS), **evidence)
    assert decided.verdict != "proved-if"
    assert any("a gap belongs to a repair" in failure for failure in decided.failures)


def test_a_gap_without_a_repair_is_a_failure() -> None:
    assert any(
        "a gap belongs to a repair" in failure
        for failure in found(gap=Gap("reading", "x = 0", FAILS)).failures
    )


def test_a_repair_assumes_nothing_that_its_proof_does_not_need() -> None:
    """Where a letter lies may be said; a condition that can be dropped is dropped."""
    lies, idle, needed = hypothesis("y > 0", y > 0), hypothesis("x ≤ y", x <= y), hypothesis("x ≥ 1", x >= 1)
    proof = Proof((lies, idle, needed), (obligation("x² ≥ 1", (lies, idle, needed), x**2 >= 1),))
    decided = found(Settings(), repair=Repair("x² ≥ 1", "x ≥ 1", proof), witness=FAILS)
    assert decided.failures == ("the repair assumes 'x ≤ y' and does not need it",)
    lean = Proof((lies, needed), (obligation("x² ≥ 1", (lies, needed), x**2 >= 1),))
    assert found(Settings(), repair=Repair("x² ≥ 1", "x ≥ 1", lean), witness=FAILS).failures == ()


@pytest.mark.slow
@pytest.mark.parametrize("identifier", [c.id for c in claims().values() if c.repair])
def test_no_repair_has_an_idle_condition(identifier: str) -> None:
    assert establish(claims()[identifier], Settings()).failures == ()


def test_every_gap_of_a_reading_that_has_a_claim_of_its_own_is_that_claims_witness() -> None:
    """A gap that names ID@… rests on what refutes that claim, not on something like it."""
    catalogue = claims()
    for claim in catalogue.values():
        if claim.gap and "@" in claim.gap.what:
            named = claim.gap.what.split("(")[-1].rstrip(")")
            witness = catalogue[named].witness
            assert isinstance(claim.gap.shown, Witness)
            assert witness is not None
            assert (witness.values, witness.breaks) == (claim.gap.shown.values, claim.gap.shown.breaks)
