"""Mutants of what is proved must stop being provable, or say why not."""

import pytest
import sympy

from verify.catalogue import claim, claims
from verify.evidence import Evidence
from verify.facts import Fact, definition, hypothesis
from verify.identity import Identity, Limit
from verify.mutants import _explain, _recomputed, altered, examine, judge, mutants
from verify.obligation import Settings, obligation
from verify.running import nested

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


def test_what_has_no_value_anywhere_is_no_mutant() -> None:
    """1/(1 − 1/x) at x⁰ for 1/x is 1/0, of which a solver can be asked nothing."""
    right = 1 / (1 - 1 / x)
    step = obligation("x/(x − 1) ≥ 1", [hypothesis("x > 1", x > 1)], sympy.Le(1, right, evaluate=False))
    made = [*mutants(step, []), *altered(Identity("x/(x − 1)", x / (x - 1), right))]
    assert made
    assert not [m for m in made if str(sympy.zoo) in str(m)]
    assert {judge(m.task) for m in mutants(step, [])} <= {"refuted", "proved"}


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
    quotient = definition("y = 1/x", sympy.Eq(y, 1 / x))
    assert _dropped(["x > 0"], positive, quotient) == "a definition has no value without it"
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


@pytest.mark.slow
@pytest.mark.parametrize("identifier", claims())
def test_of_every_claim_too(identifier: str) -> None:
    assert not [s for s in examine(identifier)["survived"] if "UNEXPLAINED" in s["explanation"]]


def _fallen(node: Identity | Limit) -> dict[str, str]:
    return {change: other.discharge(Settings()).status for change, other in altered(node)}


def test_an_identity_falls_with_any_other_right_hand_side() -> None:
    square = Identity("(x + y)²", (x + y) ** 2, x**2 + 2 * x * y + y**2)
    assert square.discharge(Settings()).status == "proved"
    found = _fallen(square)
    assert set(found) == {
        "right side × 9/10",
        "without the term x**2",
        "without the term y**2",
        "without the term 2*x*y",
        "x**2 → x**3",
        "y**2 → y**3",
    }
    assert set(found.values()) == {"refuted"}
    assert _fallen(Identity("x − x", x - x, sympy.Integer(0))) == {
        "right side 1 in the place of 0": "refuted"
    }


def test_a_limit_falls_with_any_other_value() -> None:
    K = sympy.Symbol("K", real=True)
    half = Limit("K/(2K + 1) → 1/2", K / (2 * K + 1), K, sympy.oo, sympy.Rational(1, 2))
    gone = Limit("1/K → 0", 1 / K, K, sympy.oo, sympy.Integer(0))
    whole = Limit("K → ∞", K, K, sympy.oo, sympy.oo)
    assert _fallen(half) == {"right side × 9/10": "refuted"}
    assert _fallen(gone) == {"right side 1 in the place of 0": "refuted"}
    assert _fallen(whole) == {"right side 1 in the place of oo": "refuted"}


def test_an_identity_that_has_no_content_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is proved whatever its right-hand side: no such node is in the catalogue, so a prover that says yes stands in."""
    node = Identity("x = x", x, x)
    monkeypatch.setattr(
        Identity, "discharge", lambda self, settings: Evidence(self.name, "sympy", "proved", 0.0)
    )
    ((change, told),) = _recomputed.__wrapped__(node)
    assert change == "right side × 9/10"
    assert told.startswith("UNEXPLAINED")


def test_identities_and_limits_of_a_claim_are_among_its_mutants() -> None:
    """DAS-S4-TWO has both, and each of them is changed."""
    proofs = claim("DAS-S4-TWO").proofs
    nodes = [node for proof in proofs for node in nested(proof.nodes) if isinstance(node, Identity | Limit)]
    assert nodes
    result = examine("DAS-S4-TWO")
    made = sum(len(list(altered(node))) for node in dict.fromkeys(nodes))
    assert result["refuted"] + result["unknown"] >= made
    assert not result["survived"]
