"""Where our proof of Theorem 6 stops, (1/r − 1/n)ηLE > λ − 1/2: a search for an instance that breaks its first part.

Clients have L = 1 and are drawn one by one with r = 1. With η given the theorem speaks of every K, by a γ of its own. Measured is
the tightness, at its largest over K,

    ηE Σ_{k<K} E[left side of the theorem − its terms of Δ_i*] / (‖w₀ − w*‖² + Kν),    ν = η²KC²ρ²: the noise of a round's step,

which the theorem says is at most 1. Instances of a family are drawn at random, then the tightest are varied; none leaves the open
region. `line` has clients that disagree, `plane` equal clients with any geometry of the plane, both without DP noise
(ρ → 0 with K and η fixed) and so few rounds that the start still counts; `sphere` has many rounds, in which noise is what
keeps the left side up.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from bounds.dp_normfedavg.repaired import gain
from verify.claim import SearchResult

STEPS = 20
"""The largest E: that of Appendices F and G."""
BATCH = 150
GENERATIONS = 15
"""Instances of a family: (1 + GENERATIONS) · BATCH."""

Instances = dict[str, np.ndarray]
"""Named numbers of each instance, along the first axis; `step` (η), `E` and `clients` (n) at least."""


@dataclass(frozen=True)
class Family:
    """draw(number, rng): instances, in the open region or not. vary(parents, rng): a neighbour of each. tightness(instances,
    rng): its mean after each number of rounds, and the standard error, both (rounds, instances). said: what is in it."""

    draw: Callable[[int, np.random.Generator], Instances]
    vary: Callable[[Instances, np.random.Generator], Instances]
    tightness: Callable[[Instances, np.random.Generator], tuple[np.ndarray, np.ndarray]]
    said: str


def is_open(instance: Instances) -> np.ndarray:
    """Which instances lie where neither proof speaks: ηL < 1/2, as the theorem asks, and (1/r − 1/n)ηLE > λ − 1/2 (`cut.EXCESS_STEP`),
    at r = 1."""
    step, E, n = instance["step"], instance["E"], instance["clients"]
    tau = np.arange(STEPS)[:, None]
    harmonic = E / np.where(tau < E, 1 / gain(step, tau), 0.0).sum(axis=0)
    return (step < 0.5) & ((1 - 1 / n) * step * E > np.maximum(2 - step, harmonic) - 0.5)


def shortest(E: np.ndarray, n: float) -> np.ndarray:
    """The shortest step that is open with n clients, to 10⁻⁶; 1/2 where none is."""
    low, high = np.zeros(len(E)), np.full(len(E), 0.5)
    for _ in range(20):
        middle = (low + high) / 2
        opened = is_open({"step": middle, "E": E, "clients": np.full(len(E), n)})
        low, high = np.where(opened, low, middle), np.where(opened, middle, high)
    return high


def first(family: Family, rng: np.random.Generator) -> Instances:
    """The first BATCH of four times as many that lie in the open region."""
    found = family.draw(4 * BATCH, rng)
    chosen = np.flatnonzero(is_open(found))[:BATCH]
    return {name: values[chosen] for name, values in found.items()}


def neighbours(family: Family, best: Instances, order: np.ndarray, rng: np.random.Generator) -> Instances:
    """Neighbours of the twenty tightest; where one leaves the open region its parent stays."""
    chosen = order[rng.integers(0, 20, BATCH)]
    parents = {name: values[chosen] for name, values in best.items()}
    found = family.vary(parents, rng)
    stays = is_open(found)
    return {
        name: np.where(stays.reshape(-1, *[1] * (values.ndim - 1)), values, parents[name])
        for name, values in found.items()
    }


def hunt(family: Family, rng: np.random.Generator) -> tuple[float, float, int, str]:
    """The largest tightness, the largest less six standard errors, how many instances, and the tightest in words."""
    instance = first(family, rng)
    best, beyond_doubt, tried, where = -np.inf, -np.inf, 0, ""
    for _ in range(1 + GENERATIONS):
        found, error = family.tightness(instance, rng)
        largest = found.max(axis=0)
        if largest.max() > best:
            at = int(largest.argmax())
            best, rounds = float(largest[at]), int(found[:, at].argmax()) + 1
            where = f"K = {rounds}, E = {instance['E'][at]:g}, ηL = {instance['step'][at]:.3f}, n = {instance['clients'][at]:g}"
        beyond_doubt = max(beyond_doubt, float((found - 6 * error).max()))
        tried += int(is_open(instance).sum())
        instance = neighbours(family, instance, np.argsort(largest)[::-1], rng)
    return best, beyond_doubt, tried, f"largest tightness {best:.3f} ({where}): {family.said}"


def search(families: tuple[Family, ...]) -> SearchResult:
    """The tightest instances found; a tightness above 1 by six standard errors would be a candidate witness, one above 1 by less says
    nothing either way."""
    rng = np.random.default_rng(6)
    found = [hunt(family, rng) for family in families]
    detail = f"all in the open region, at r = 1 and E ≤ {STEPS}; " + "; ".join(text for *_, text in found)
    best, sure = max(largest for largest, *_ in found), max(beyond_doubt for _, beyond_doubt, *_ in found)
    holds = True if best <= 1 else False if sure > 1 else None
    return SearchResult(holds, sum(tried for _, _, tried, _ in found), 1 / best - 1, detail)
