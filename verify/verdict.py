"""From evidence to a verdict: the only place where a verdict is made.

What sets `refuted` and `proved-if` apart is whether the printed statement has a truth value where it fails.

- `refuted`: it says one thing, and exact numbers that satisfy every printed hypothesis make that thing false. A statement
  that something exists, or is defined, is refuted by the case where it is not.
- `proved-if`: its repair is proved, and a machine shows that the printed form has no one truth value (`Gap`). Either it is
  *undefined*: with every printed hypothesis satisfied a term has no value (a denominator is exactly 0, a constant that is
  referred to does not exist). Or its words allow several *readings*: the repair proves one, and under another it is false.
- A repair alone, without a witness and without a gap, says nothing of the printed form, which may well hold: `supported`
  where a search stands behind it, or else `unknown`.

A statement that fails for some of the values that its hypotheses allow is refuted, even where it holds for others. A reading
is what the words leave open: which variance, in which measure, whether a parameter that nothing is said of moves with K.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

import sympy
from sympy.core.relational import Relational

from verify.claim import Claim, Gap, Repair, SearchResult, Witness
from verify.computation import Comparison, apart
from verify.definitions import TABLES
from verify.evidence import Evidence
from verify.fractions_check import holds
from verify.obligation import Settings
from verify.proof import Proof
from verify.prove import prove
from verify.relations import within
from verify.sampling import Sampling

Verdict = Literal["proved", "proved-if", "refuted", "inconsistent", "supported", "unknown"]
VERDICTS: tuple[Verdict, ...] = ("proved", "proved-if", "refuted", "inconsistent", "supported", "unknown")


@dataclass(frozen=True)
class Finding:
    """What the machines established about a claim. `failures` lists evidence that the claim offers and that does not
    stand: a finding with failures is a defect of this project, whatever its verdict. `sampled` is the statistical witness,
    where nothing else refutes."""

    claim: Claim
    verdict: Verdict
    evidence: tuple[Evidence, ...]
    replay: Comparison | None
    repaired: Evidence | None
    failures: tuple[str, ...]
    seconds: float
    sampled: Sampling | None = None

    @property
    def reason(self) -> str:
        """Why the verdict is what it is; a verdict from a sample says so."""
        if self.verdict == "unknown":
            return self.claim.undecided or self.claim.reason
        if self.sampled is None:
            return self.claim.reason
        first, longer = self.sampled.samples
        return (
            f"{self.claim.reason.rstrip('.')}. By a statistical witness: {first.n} runs, and {longer.n} further, independent ones "
            "that confirm them, intervals at 1e-6."
        )


@dataclass(frozen=True)
class _Part:
    """What one sort of evidence came to."""

    stands: bool = False
    evidence: tuple[Evidence, ...] = ()
    failures: tuple[str, ...] = ()


def establish(claim: Claim, settings: Settings = Settings()) -> Finding:  # noqa: B008 (frozen)
    """Run everything that the claim offers and decide."""
    start = time.perf_counter()
    if claim.paper not in TABLES:  # whose letters no definition may narrow
        raise KeyError(f"{claim.id}: {claim.paper!r} is no paper; they are {', '.join(TABLES)}")
    proof = _shown("the proof", claim.proof, settings, claim.paper)
    conflict = _shown("the contradiction", claim.conflict, settings, claim.paper)
    witness, replay = _witness(claim, settings)
    repair, repaired = _repaired(claim, settings)
    gap = _Part() if claim.gap is None else _offered("the gap", _gap(claim.gap, settings, claim.paper))
    sample, sampled = _sampled(claim)
    search = _searched(claim)
    found = (proof, conflict, witness, repair, gap, sample, search)
    refuted = witness.stands or sample.stands
    verdict = _verdict(
        proved=proof.stands,
        refuted=refuted,
        contradicted=conflict.stands,
        repaired=gap.stands and repair.stands,
        supported=search.stands,
    )
    failures = [text for part in found for text in part.failures]
    if claim.gap is not None and (claim.repair is None or proof.stands or refuted or conflict.stands):
        failures.append(
            "a gap belongs to a repair, and to no proof, witness or contradiction of the printed form"
        )
    if proof.stands and refuted:
        failures.append("both a proof and a witness stand: the engine or the encoding is wrong")
    if verdict == "unknown" and not claim.undecided:
        failures.append(
            "the repair is proved, and nothing shows that the printed form does not hold: that takes a gap"
            if repair.stands and claim.gap is None
            else "undecided, and the claim does not say why"
        )
    return Finding(
        claim,
        verdict,
        tuple(item for part in found for item in part.evidence),
        replay,
        repaired,
        tuple(failures),
        time.perf_counter() - start,
        None if witness.stands else sampled,
    )


def _verdict(*, proved: bool, refuted: bool, contradicted: bool, repaired: bool, supported: bool) -> Verdict:
    """What follows from what stands. repaired: the repair is proved, and the printed form has no one truth value."""
    if proved and refuted:
        return "unknown"
    if refuted:
        return "refuted"
    if contradicted:
        return "inconsistent"
    if proved:
        return "proved"
    if repaired:
        return "proved-if"
    return "supported" if supported else "unknown"


def _offered(label: str, result: Evidence) -> _Part:
    failures = () if result.ok else (f"{label}: {result.status}; {result.detail}",)
    return _Part(result.ok, (result,), failures)


def _shown(label: str, proof: Proof | None, settings: Settings, paper: str) -> _Part:
    return _Part() if proof is None else _offered(label, prove(proof, settings, paper))


def _witness(claim: Claim, settings: Settings) -> tuple[_Part, Comparison | None]:
    """The witness replayed, with the part of it that is a proof for all values."""
    if claim.witness is None:
        return _Part(), None
    begin = time.perf_counter()
    stands, replay = claim.witness.stands()
    outside = _outside(claim.witness, claim.paper)
    stands = stands and not outside
    evidence = _replayed(claim, stands, replay, time.perf_counter() - begin)
    always = _shown("the universal part of the witness", claim.witness.universal, settings, claim.paper)
    failures = () if stands else (f"the witness does not stand: {outside or evidence.detail}",)
    stands = stands and (always.stands or claim.witness.universal is None)
    return _Part(stands, (evidence, *always.evidence), (*failures, *always.failures)), replay


def _outside(witness: Witness, paper: str) -> str:
    """Which values are none of what the paper's table says that their letters are, ends included, in words: what a witness lists as
    presupposed is its author's list."""
    table, found = TABLES[paper], []
    for name in witness.values.keys() & table.keys():
        value, domain = witness.values[name], table[name].domain
        bounds = within(sympy.Symbol(name, real=True), table)
        whole = value.denominator == 1 or not domain.startswith("integer")
        if not (whole and all(holds(bound, {name: value}) for bound in bounds)):
            found.append(f"{name} = {value} is none of its values: {domain}")
    return "; ".join(sorted(found))


def _repaired(claim: Claim, settings: Settings) -> tuple[_Part, Evidence | None]:
    """The repair's proof, which is evidence of the repair and not of the claim."""
    if claim.repair is None:
        return _Part(), None
    found = prove(claim.repair.proof, settings, claim.paper)
    if not found.ok:
        return _Part(failures=(f"the repair: {found.status}; {found.detail}",)), found
    idle = _idle(claim.repair, found) if settings.minimise else []
    failures = tuple(f"the repair assumes '{name}' and does not need it" for name in idle)
    return _Part(True, failures=failures), found


def _sampled(claim: Claim) -> tuple[_Part, Sampling | None]:
    """The statistical witness, where it breaks the statement."""
    if claim.statistical is None:
        return _Part(), None
    start = time.perf_counter()
    found = claim.statistical()
    status = "proved" if found.refutes else "unknown"
    detail = f"{found.instances} runs; {found.problem}"
    evidence = Evidence(
        "statistical witness", "montecarlo", status, time.perf_counter() - start, "scipy", detail=detail
    )
    return _Part(found.refutes, (evidence,)), found if found.refutes else None


def _searched(claim: Claim) -> _Part:
    """A search that breaks what it should not is a failure; the verdict is for a witness to give."""
    if claim.search is None:
        return _Part()
    start = time.perf_counter()
    trial = claim.search()
    seconds = time.perf_counter() - start
    failures = (f"the search found what it should not: {trial.detail}",) if trial.holds is False else ()
    return _Part(trial.holds is True, (_tried(trial, seconds),), failures)


def _replayed(claim: Claim, stands: bool, replay: Comparison, seconds: float) -> Evidence:
    detail = f"the printed conclusion {_text(replay)} "
    detail += "fails" if stands else "does not fail under the printed hypotheses"
    detail += f" (unmet: {', '.join(replay.unmet)})" if replay.unmet else ""
    status = "proved" if stands else "unknown"
    return Evidence(f"witness: {claim.witness.breaks if claim.witness else ''}", "enumeration", status, seconds,
                    "fractions", detail=detail)  # fmt: skip


def _idle(repair: Repair, found: Evidence) -> list[str]:
    """Hypotheses of a repair that can be dropped, but for those that only say where a letter lies: no condition of a repair is
    stronger than what its proof needs."""
    assumed = (fact for fact in repair.proof.assumptions if fact.name in found.unneeded)
    return [fact.name for fact in assumed if not _is_domain(fact.relation)]


def _is_domain(relation: Any) -> bool:
    """Whether a relation orders letters and numbers, a letter against a number among them."""
    parts = sympy.And.make_args(relation)
    if not all(
        isinstance(part, Relational) and all(s.is_Symbol or s.is_number for s in part.args) for part in parts
    ):
        return False
    return any(len(part.free_symbols) == 1 for part in parts)


def _gap(gap: Gap, settings: Settings, paper: str) -> Evidence:
    """Whether the printed form is shown to be undefined, or false under one of its readings."""
    name = f"not as printed, {gap.kind}: {gap.what}"
    if isinstance(gap.shown, Proof):
        return replace(prove(gap.shown, settings, paper), name=name)
    begin = time.perf_counter()
    stands, replay = gap.shown.stands()
    detail = f"{gap.shown.breaks}: {_text(replay)} {'fails' if stands else 'is not shown to fail'}"
    detail += f" (unmet: {', '.join(replay.unmet)})" if replay.unmet else ""
    if outside := _outside(gap.shown, paper):
        stands, detail = False, outside
    if gap.kind == "undefined" and (replay.comparison, replay.rhs) != ("!=", 0):
        stands, detail = False, f"what is undefined has a denominator that is 0, not {detail}"
    always = prove(gap.shown.universal, settings, paper) if gap.shown.universal is not None else None
    if always is not None and not always.ok:
        stands, detail = False, f"{detail}; its universal part: {always.status}; {always.detail}"
    status = "proved" if stands else "unknown"
    parts = () if always is None else (always,)
    return Evidence(
        name, "enumeration", status, time.perf_counter() - begin, "fractions", detail=detail, parts=parts
    )


def _text(replay: Comparison) -> str:
    """Both sides, rounded where they have many digits."""
    exact = str(replay.lhs), str(replay.rhs)
    rounded = None if max(map(len, exact)) <= 40 else apart(Fraction(replay.lhs), Fraction(replay.rhs))
    return (
        f" {replay.comparison} ".join(f"≈{side}" for side in rounded)
        if rounded
        else f" {replay.comparison} ".join(exact)
    )


def _tried(trial: SearchResult, seconds: float) -> Evidence:
    status = "unknown" if trial.holds is None else "proved" if trial.holds else "refuted"
    slack = "" if trial.slack is None else f"; smallest slack {trial.slack:.3g}"
    return Evidence(
        "search", "simulation", status, seconds, detail=f"{trial.instances} instances{slack}; {trial.detail}"
    )
