"""The sittings of a run: it may go on in another process, on another machine or by other code, and its record says so.

Pure functions; no torch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gpu_benchmarks.records import is_finite

Sitting = Mapping[str, Any]
"""`rounds` and `wall_seconds` spent in it, and the rest of its provenance. Where the code noted no more, these two alone."""
LENGTH = ("rounds", "wall_seconds")


def facts(sitting: Sitting) -> dict[str, Any]:
    """Where and by what, without how long."""
    return {name: value for name, value in sitting.items() if name not in LENGTH}


def with_now(
    earlier: Sequence[Sitting], now: Mapping[str, Any], rounds: int, seconds: float
) -> tuple[Sitting, ...]:
    """All sittings of a run of so many rounds and seconds in all, the present one last; one with the sitting before it where only
    their lengths differ. now: the provenance of this process.
    """
    length = {
        "rounds": rounds - sum(sitting["rounds"] for sitting in earlier),
        "wall_seconds": round(seconds - sum(sitting["wall_seconds"] for sitting in earlier), 3),
    }
    if length["rounds"] == 0:
        return tuple(earlier)
    if earlier and facts(earlier[-1]) == facts(now):
        *earlier, last = earlier
        length = {name: round(last[name] + length[name], 3) for name in LENGTH}
    return (*earlier, length | facts(now))


def provenance_of(sittings: Sequence[Sitting], seconds: float) -> dict[str, Any]:
    """Of a record that they end with: the last one's, with the seconds of all, and each of them where there are several."""
    several = {"sittings": [dict(sitting) for sitting in sittings]} if len(sittings) > 1 else {}
    return {**facts(sittings[-1]), "wall_seconds": round(seconds, 3), **several}


def check(sittings: Any, rounds: int) -> tuple[Sitting, ...]:
    """The sittings in a checkpoint after so many rounds. Raises `ValueError` for what are none."""
    if not isinstance(sittings, list):
        raise ValueError(f"sittings = {sittings!r}")
    for sitting in sittings:
        if not isinstance(sitting, dict) or type(sitting.get("rounds")) is not int or sitting["rounds"] < 1:
            raise ValueError(f"a sitting with {sitting}")
        if not is_finite(sitting.get("wall_seconds")):
            raise ValueError(f"a sitting of {sitting.get('wall_seconds')!r} seconds")
    if (done := sum(sitting["rounds"] for sitting in sittings)) != rounds:
        raise ValueError(f"sittings of {done} rounds, and {rounds} rounds")
    return tuple(sittings)
