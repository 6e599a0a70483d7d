"""What an attack on a bound is, and the plain data that comes of it.

A result: "bound", "source", "quantity", "family" (what was searched), "kind" ("deterministic": an exact
witness decides; "expectation": intervals do), "tightness" (largest measured / bound), "instances",
"seconds", "seed", "broken", "reason", "instance", and "witness" or "first" and "rerun".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bounds.statement import Bound
from toy_problems.falsifier.evolution import Told
from toy_problems.falsifier.exact import Verdict
from toy_problems.falsifier.rounding import NoWitness, Witness

Result = dict[str, Any]


@dataclass(frozen=True)
class Effort:
    """How hard to search: at least about `instances` unless `seconds` of wall time are over; the seed of
    the search."""

    instances: int
    seconds: float
    seed: int = 0


@dataclass(frozen=True)
class Attack:
    """A bound, the family of instances that is searched, and the search itself."""

    bound: str
    family: str
    run: Callable[[Effort, Told | None], Result]


def unbroken(bound: Bound, name: str, family: str, found: Any, seed: int, instance: dict[str, Any]) -> Result:
    """What a search without randomness came to, as long as no exact witness is there. found: anything with
    ratio, instances and seconds."""
    return {
        "bound": name,
        "source": str(bound.source),
        "quantity": bound.quantity,
        "family": family,
        "kind": "deterministic",
        "tightness": float(found.ratio),
        "instances": found.instances,
        "seconds": found.seconds,
        "seed": seed,
        "broken": False,
        "witness": None,
        "instance": instance,
        "reason": _closeness(bound, found),
    }


def _closeness(bound: Bound, found: Any) -> str:
    reason = f"no instance of {found.instances} came above {found.ratio:.6g} of the bound"
    if bound.source.paper == "ours" and 0 < found.ratio < LOOSE:
        reason += f"; loose by up to a factor {1 / found.ratio:.2f}, as far as this search saw"
    return reason


LOOSE = 0.9
"""A repaired bound that no instance brings above this is called loose."""


def decided(result: Result, witness: Callable[[], tuple[Witness, Verdict]]) -> Result:
    """The result of a search without randomness; where its ratio is above 1, with the exact witness, or why
    there is none."""
    if result["tightness"] <= 1:
        return result
    try:
        return broken(result, *witness())
    except NoWitness as error:
        return undecided(result, str(error))


def undecided(result: Result, why: str) -> Result:
    """A ratio above 1 in floating point that is not confirmed exactly breaks nothing."""
    return result | {"reason": f"floating-point ratio {result['tightness']:.6g} without witness: {why}"}


def broken(result: Result, witness: dict[str, Any], verdict: Verdict) -> Result:
    """With the exact witness and what its replay says."""
    replayed = {"measured": str(verdict.measured), "bound": str(verdict.bound)}
    return result | {
        "broken": True,
        "witness": witness | {"replay": replayed},
        "reason": f"exact witness: {float(verdict.measured):.6g} > {float(verdict.bound):.6g}",
    }


ROUNDING = 1e-9
"""A ratio of floats that is above 1 by less than this says nothing: some bounds are attained."""


def outcome(broken: bool, ratio: float) -> str:
    """What came of an attack, in words: "broken" is only said with a witness that was replayed, or with
    confidence."""
    if broken:
        return "broken"
    if ratio <= 1:
        return "held"
    return "held, to rounding" if ratio <= 1 + ROUNDING else "not decided"
