"""One test a claim: everything that the claim offers as evidence must stand, and the verdict that follows from it is the one that
was found before. `verdicts.json` is what `python -m verify --json` found; nothing but these tests reads it, so that a verdict
that changes unasked is seen.
"""

import ast
import json
from collections.abc import Callable
from pathlib import Path

import pytest

import verify
from verify.catalogue import claim, claims
from verify.obligation import Settings
from verify.verdict import establish

MEASURED = {
    "DAS-S1-FIG1",
    "DAS-APPF-FIG2",
    "DAS-APPF-FIG3",
    "DAS-APPF-FIG3@other-steps",
    "DAS-APPF-FIG4",
}
"""Read off full-size runs of the printed experiment: each as long as thirty others."""
FOUND = json.loads(Path(__file__).with_name("verdicts.json").read_text("utf-8"))


@pytest.mark.parametrize(
    "identifier",
    [pytest.param(name, marks=[pytest.mark.slow] if name in MEASURED else []) for name in claims()],
)
def test_claim(identifier: str, record_property: Callable[[str, str], None]) -> None:
    finding = establish(claim(identifier), Settings(minimise=False))
    record_property("verdict", finding.verdict)
    assert not finding.failures, "\n".join((f"{identifier} ({finding.verdict})", *finding.failures))
    assert identifier in FOUND, f"is found to be {finding.verdict}; verdicts.json has no line for it yet"
    assert finding.verdict == FOUND[identifier], f"was found to be {FOUND[identifier]} before"


@pytest.mark.slow
@pytest.mark.parametrize("identifier", [name for name, it in claims().items() if it.repair is not None])
def test_a_repair_assumes_no_more_than_its_proof_needs(identifier: str) -> None:
    """Each condition is dropped in turn, which takes as long again as the proofs: `test_claim` leaves it out."""
    finding = establish(claim(identifier), Settings(minimise=True))
    assert not finding.failures, "\n".join((f"{identifier} ({finding.verdict})", *finding.failures))


def test_no_text_breaks_off() -> None:
    """A line of a text that stands outside its brackets is a statement of its own, and the text ends before it."""
    broken = []
    for it in claims().values():
        witness, repair = it.against, it.repair
        texts = (
            it.reason, it.consequence, it.undecided, it.gap.what if it.gap else "",
            *((repair.statement, repair.condition, repair.weakest) if repair else ()),
            *((witness.problem, witness.breaks) if witness else ()),
        )  # fmt: skip
        broken += [(it.id, text) for text in texts if text != text.strip(" ,;:") or "  " in text]
    assert not broken


def test_no_line_of_a_text_stands_alone() -> None:
    alone = []
    for path in sorted(Path(verify.__file__).parent.rglob("*.py")):
        source = path.read_text("utf-8")
        for node in ast.walk(ast.parse(source)):
            if (
                isinstance(node, ast.Expr)
                and isinstance(node.value, ast.Constant)
                and isinstance(node.value.value, str)
            ):
                text = ast.get_source_segment(source, node) or ""
                alone += [] if text.startswith('"""') else [(path.name, node.lineno)]
    assert not alone


def test_every_verdict_that_was_found_before_has_its_claim() -> None:
    assert sorted(FOUND) == sorted(claims())
