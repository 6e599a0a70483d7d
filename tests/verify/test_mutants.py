"""Mutants of what is proved must stop being provable, or say why not."""

import pytest
import sympy

from verify.facts import Fact, definition, hypothesis
from verify.mutants import _explain, examine, judge, mutants
from verify.obligation import obligation

x, y = sympy.symbols("x y", real=True)
TIGHT = obligation(
    "x² + y² ≥ 2xy", [hypothesis("x > 0", x > 0), hypothesis("y ≥ x", y >= x)], 2 * x * y <= x**2 + y**2
)


def test_every_kind_of_mutant_is_made_and_tight_ones_fall() -> None:
    made = list(mutants(TIGHT, ["x > 0"]))
    assert {m.kind for m in made} == {"constant", "term", "exponent", "turned", "hypothesis"}
    fallen = {m.change for m in made if judge(m.task) == "refuted"}
    assert {
        "larger side × 9/10",
        "without the term x**2",
        "without the term y**2",
        "inequality turned round",
    } <= fallen


def test_the_steps_of_the_theorem_lose_their_proof_when_changed() -> None:
    """Theorem 1 of α-NormEC: at least forty mutants are refuted, none survives being turned round."""
    result = examine("NEC-T1")
    assert result["refuted"] >= 40
    assert not [s for s in result["survived"] if "UNEXPLAINED" in s["explanation"]]


def _dropped(needed: list[str], *given: Fact) -> str:
    """The explanation of the mutant without "x > 0" of the step to y·x > 0."""
    step = obligation("xy > 0", given, x * y > 0)
    (mutant,) = (m for m in mutants(step, ["x > 0"]) if m.kind == "hypothesis")
    assert judge(mutant.task) == "proved"
    return _explain(step, mutant, needed)


def test_a_needed_hypothesis_that_can_be_dropped_is_explained_or_said_not_to_be() -> None:
    positive, more, other = (
        hypothesis("x > 0", x > 0),
        hypothesis("x ≥ 1", x >= 1),
        hypothesis("y > 0", y > 0),
    )
    root = definition("s = √x > 0", sympy.Eq(y**2, x) & (y > 0))
    assert _dropped(["x > 0", "y > 0"], positive, more, other).startswith(
        "it follows from hypotheses that the step does not need"
    )
    assert _dropped(["x > 0"], positive, root).startswith(
        "it follows from the others only through a definition"
    )
    assert _dropped(["x > 0", "x ≥ 1", "y > 0"], positive, more, other).startswith("UNEXPLAINED")


@pytest.mark.parametrize(
    "identifier",
    [
        pytest.param("NEC-L2", marks=pytest.mark.slow),
        pytest.param("NEC-C1", marks=pytest.mark.slow),
        "NEC-OUR-T1-MIN",
        "NEC-OUR-C2-VOID",
        "FED-L2-S4",
        "FED-L5-S7",
        "FED-L7-2-S1",
        "FED-L9-2-S4",
    ],
)
def test_survivors_are_explained(identifier: str) -> None:
    result = examine(identifier)
    assert result["refuted"] > 0
    assert all(s["explanation"] and "UNEXPLAINED" not in s["explanation"] for s in result["survived"])
