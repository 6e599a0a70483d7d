"""Candidates rounded to rationals, as coarsely as the exact replay allows, so that a person can read them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from toy_problems.falsifier.evolution import Found
from toy_problems.falsifier.exact import Verdict, WitnessError
from toy_problems.falsifier.targets import MARGIN

DENOMINATORS = (1, 2, 4, 10, 100, 10**4, 10**6, 10**9, 10**12)

Witness = dict[str, Any]


class NoWitness(Exception):
    """No rounding of the candidate breaks the bound exactly; the message says how close it came."""


def coarsest(
    write: Callable[[int], Witness],
    replay: Callable[[Witness], Verdict],
    denominators: Sequence[int] = DENOMINATORS,
    least: float = 1.0,
) -> tuple[Witness, Verdict]:
    """The first rounding whose exact replay is above `least` of the bound, and what the replay says. Raises
    `NoWitness` if none is: the ratio was an artefact of rounding, or of a hypothesis that was left."""
    reasons = []
    for denominator in denominators:
        try:
            written = write(denominator)
            verdict = replay(written)
        except (WitnessError, ZeroDivisionError) as error:
            reasons.append(f"1/{denominator}: {error}")
            continue
        if verdict.broken if least == 1 else verdict.certified > least:
            return written, verdict
        reasons.append(f"1/{denominator}: {float(verdict.measured)} against {float(verdict.bound)}")
    raise NoWitness("no exact witness; " + "; ".join(reasons))


def smallest(found: Found, attempt: Callable[[Found], tuple[Witness, Verdict]]) -> tuple[Witness, Verdict]:
    """What `attempt` makes of the smallest candidate of a search above 1 that breaks the bound exactly. Raises
    `NoWitness` if none does."""
    reasons = []
    for candidate in (*found.each, found):
        if candidate.ratio > 1:
            try:
                return attempt(candidate)
            except NoWitness as error:
                reasons.append(f"ratio {candidate.ratio} in floating point: {error}")
    raise NoWitness(" | ".join(reasons) or f"no ratio above 1 was found, the largest is {found.ratio}")


def rounded_genes(genes: Mapping[str, float], denominator: int, share: Fraction) -> dict[str, Fraction]:
    """The genes of `genome.SCALARS` that a setting reads, inside their domains. share: its largest value, < 1."""
    tiny, one = Fraction(1, denominator), Fraction(1)
    most = {"share": share, "tightness": one, "local": one, "presence": one}
    found = {}
    for name, value in genes.items():
        number = Fraction(float(value)).limit_denominator(denominator)
        if name not in ("surplus", "balance", "drop"):
            number = max(number, tiny)
        found[name] = min(number, most.get(name, number))
    return found | {"margin": Fraction(MARGIN).limit_denominator(10**6)}
