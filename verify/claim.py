"""A claim: one statement of a paper as data, with everything a machine needs to decide it.

The author of a claim never writes its verdict. He offers evidence (a proof, a witness, a contradiction between sources, a
repair with its proof and what shows that one is needed, a search) and `verify.verdict` says what follows from what the machines found.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from verify.computation import Comparison
from verify.proof import Proof
from verify.sampling import Sampling

ClaimKind = Literal[
    "lemma", "step", "theorem", "corollary", "equation", "prose", "privacy", "definition", "ours"
]
Values = Mapping[str, Fraction]


@dataclass(frozen=True)
class Witness:
    """Exact numbers that satisfy every printed hypothesis and break the conclusion.

    replay: from the values alone, in plain fractions, to `Comparison`: its `presupposed` are the printed hypotheses, each
    with whether it holds, and `lhs comparison rhs` is the printed conclusion, which must fail.
    breaks: the conclusion in words, as the replay states it.
    problem: the concrete problem and run, in a sentence, where the claim is about an algorithm.
    universal: where the broken conclusion says that something happens for some k, a proof that it happens for none.
    """

    values: Values
    breaks: str
    replay: Callable[[Values], Comparison]
    problem: str = ""
    universal: Proof | None = None

    def stands(self) -> tuple[bool, Comparison]:
        """Whether the witness refutes: all hypotheses hold and the conclusion does not. Raises `TypeError` where the
        values or the replay leave the rationals."""
        if inexact := [
            f"{name} = {value!r}" for name, value in self.values.items() if not isinstance(value, Fraction)
        ]:
            raise TypeError(f"the values of a witness are fractions: {inexact[0]}")
        result = self.replay(self.values)
        conclusion = Comparison(result.lhs, result.comparison, result.rhs)
        return all(true for _, true in result.presupposed) and not conclusion.holds, result


@dataclass(frozen=True)
class SearchResult:
    """A search: what was run and what came out, from a deterministic function. `holds` is True over `instances` adversarial
    instances, and `slack` is then the smallest bound/measured − 1 seen.
    """

    holds: bool | None
    instances: int
    slack: float | None
    detail: str

    def __post_init__(self) -> None:
        if self.holds is not None and (not isinstance(self.holds, bool) or self.instances < 1):
            raise ValueError(
                f"{self.instances} instances do not show that it is {self.holds!r} that it holds"
            )
        if self.holds and self.slack is not None and not self.slack >= 0:
            raise ValueError(f"what holds has no slack of {self.slack}")


@dataclass(frozen=True)
class Repair:
    """The statement as it should read: `condition` is what is added or changed, `proof` what shows it."""

    statement: str
    condition: str
    proof: Proof
    weakest: str = ""
    """Why no weaker condition would do, or what is known about that."""


@dataclass(frozen=True)
class Gap:
    """Why a statement whose repair is proved does not hold as it is printed, though nothing refutes it: it has no one truth
    value there. `verify.verdict` says what each kind has to show.

    what: in words, the term that has no value, or the reading under which the statement fails.
    shown: for "undefined" exact numbers that satisfy every printed hypothesis, where `replay` compares the denominator with
    0 (`!=`), or a proof that what is referred to does not exist; for "reading" exact numbers, or a proof, against the statement
    under that reading.
    """

    kind: Literal["undefined", "reading"]
    what: str
    shown: Witness | Proof


@dataclass(frozen=True)
class Claim:
    """One formal statement, encoded as printed.

    id, place: as in the list of claims. printed: the statement verbatim (plain text with Unicode mathematics).
    reason: one sentence a person understands: why the verdict is what it is.
    proof: of the statement as printed. witness: against it. conflict: proof that the sources contradict each other or
    themselves (its conclusion is the contradiction). repair: the statement that does hold. gap: why the printed one does not,
    where it is not refuted. search: what was tried where nothing decides. undecided: why it stays unknown, if it does.
    tables: rows for the report, by title, or what makes them. The verdict does not hang on them.
    """

    id: str
    paper: str
    place: str
    kind: ClaimKind
    printed: str
    reason: str
    proof: Proof | None = None
    witness: Witness | None = None
    conflict: Proof | None = None
    repair: Repair | None = None
    gap: Gap | None = None
    statistical: Callable[[], Sampling] | None = None
    search: Callable[[], SearchResult] | None = None
    undecided: str = ""
    tables: Mapping[str, tuple[Mapping[str, str], ...]] | Callable[[], Mapping] = field(default_factory=dict)
    consequence: str = ""
    """What it changes for a user of the method."""

    def __post_init__(self) -> None:
        assumed = (fact for proof in self.proofs for fact in proof.assumptions)
        if self.kind != "step" and (
            line := next((fact for fact in assumed if fact.origin == "derived"), None)
        ):
            raise ValueError(
                f"{self.id} assumes '{line.name}', a line that only a step may assume: state it as a hypothesis"
            )

    @property
    def proofs(self) -> tuple[Proof, ...]:
        """Every proof that the claim offers: of and against the printed form, of its repair, and of what its witnesses say of all
        cases."""
        shown = self.gap.shown if self.gap else None
        offered = (
            self.proof,
            self.conflict,
            self.witness.universal if self.witness else None,
            self.repair.proof if self.repair else None,
            shown.universal if isinstance(shown, Witness) else shown,
        )
        return tuple(proof for proof in offered if proof is not None)

    @property
    def against(self) -> Witness | None:
        """Exact numbers against the printed form, or against one of its readings."""
        shown = self.gap.shown if self.gap else None
        return self.witness or (shown if isinstance(shown, Witness) else None)

    @property
    def rows(self) -> Mapping[str, tuple[Mapping[str, str], ...]]:
        """Its tables, made where they are asked for."""
        return self.tables() if callable(self.tables) else self.tables

    @property
    def test(self) -> str:
        """The pytest id that re-establishes the verdict."""
        return f"tests/verify/test_claims.py::test_claim[{self.id}]"
