"""The search for Fed-α-NormEC with local steps, by runs that are allowed to repeat themselves.

The start is sought where the clients' mean local update changes sign: there the method may stay. A run that
goes to and fro between two points in the second half of the rounds that are run is taken to do so for ever;
its K may then be as large as one likes. That is a guess of the search: `replay` proves it, or not.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from methods import Method, advance, initialise, published
from methods.local_work import CyclicIncremental
from methods.participation import Everybody
from toy_problems.falsifier.evolution import Array, Breeding, Found, Told, generations_for, sweep
from toy_problems.falsifier.local.candidates import (
    LocalLayout,
    LocalOracle,
    LocalPrimary,
    decode_local,
    sample_local,
)
from toy_problems.falsifier.local.targets import (
    LocalFacts,
    LocalTarget,
    in_units,
    letters_of_local,
    unit,
)

HALVINGS = 24
"""Of the interval in which the mean update changes sign."""

NUMBERS = (
    "ratio", "share", "tightness", "radius", "local", "spread", "inner", "scale", "second",
)  # fmt: skip
"""Numbers of a candidate that a setting reads."""


def letters_for(target: LocalTarget, primary: LocalPrimary, layout: LocalLayout) -> dict[str, Array]:
    """The letters of a batch of candidates but f_gap, in units of L = 1."""
    rounds = np.round(10.0 ** (primary.rounds / target.power))
    genes = {name: getattr(primary, name) for name in NUMBERS}
    return letters_of_local(target, genes, LocalFacts(layout.clients, layout.T, rounds))


def method_of(target: LocalTarget, letters: dict[str, Array], layout: LocalLayout) -> Method:
    """Fed-α-NormEC with this local work, everybody in every round, no noise."""
    eta, gamma, beta, alpha = (letters[name] for name in ("eta", "gamma", "beta", "alpha"))
    passes = CyclicIncremental(gamma) if target.work == "incremental" else None
    method = published.fed_alpha_normec(eta, gamma, beta, alpha, T=layout.T, local_work=passes)
    return replace(method, participation=Everybody())


def crossing(update: Callable[[Array], Array], place: Array) -> Array:
    """A point where the mean update turns from − to +, as x increases, near `place`; an end of [place − 1,
    place + 1] where there is none. update: (runs,) ↦ (runs,)."""
    low, high = place - 1.0, place + 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        above = update(middle) > 0
        low, high = np.where(above, low, middle), np.where(above, middle, high)
    return (low + high) / 2


@dataclass(frozen=True, eq=False)
class LocalRun:
    """What runs of candidates showed: x⁰, min |f'(xᵏ)| over the rounds run and no more than K, and whether
    the run goes to and fro."""

    start: Array
    least: Array
    repeats: Array
    inside: Array


def run_local(
    target: LocalTarget, primary: LocalPrimary, layout: LocalLayout, letters: dict[str, Array]
) -> LocalRun:
    """Run all candidates."""
    oracle, method = primary.pieces.oracle(), method_of(target, letters, layout)
    runs, M = primary.residual.shape

    def work(x: Array) -> Array:
        return method.local_work(np.broadcast_to(x[:, None, None], (runs, M, 1)), oracle)[..., 0]

    start = crossing(lambda x: work(x).mean(axis=1), primary.place) + primary.phase * letters["eta"]
    oracle.farthest = np.zeros((runs, M))
    memories = work(start) - letters["R"][:, None] * primary.residual
    state = initialise(method, start[:, None], M, memories[..., None])
    least, far, moves = np.full(runs, np.inf), np.zeros(runs), np.empty((layout.rounds, runs))
    for k in range(layout.rounds + 1):
        slope = np.abs(_mean_slope(oracle, state.x[:, 0], M))
        least = np.where(k <= letters["K"], np.minimum(least, slope), least)
        far = np.maximum(far, np.abs(state.x[:, 0]))
        if k < layout.rounds:
            state, told = advance(method, state, oracle)
            moves[k] = np.sign(told.direction[:, 0])
    late = moves[layout.rounds // 2 :]
    repeats = (late[1:] == -late[:-1]).all(axis=0) & (late != 0).all(axis=0)
    farthest = np.maximum(far, np.asarray(oracle.farthest).max(axis=1))
    return LocalRun(start, least, repeats, farthest <= layout.reach)


def letters_of_run(
    target: LocalTarget, primary: LocalPrimary, layout: LocalLayout
) -> tuple[dict[str, Array], LocalRun]:
    """Every letter of the bound in units of L = 1, and the runs that decide some of them: a theorem's K is no more
    than the rounds that a run shows."""
    runs = len(primary.residual)
    letters = {
        name: np.broadcast_to(value, (runs,)) for name, value in letters_for(target, primary, layout).items()
    }
    shown = run_local(target, primary, layout, letters)
    K = letters["K"] if target.power > 1 else np.where(
        shown.repeats & (not target.only_run), letters["K"], np.minimum(letters["K"], layout.rounds)
    )  # fmt: skip
    return letters | {"K": K, "f_gap": primary.pieces.gap(shown.start)}, shown


def _mean_slope(oracle: LocalOracle, x: Array, M: int) -> Array:
    """f'(x)."""
    points = np.broadcast_to(x[:, None, None], (len(x), M, 1))
    return oracle.mean(points).mean(axis=1)[:, 0]


def local_evaluator(target: LocalTarget, layout: LocalLayout) -> Callable[[Array], Array]:
    """Genomes ↦ measured / bound; −inf outside the printed conditions, and where local steps leave the
    functions."""

    def evaluate(genomes: Array) -> Array:
        letters, shown = letters_of_run(target, decode_local(genomes, layout), layout)
        K = letters["K"]
        known = shown.repeats | (K <= layout.rounds)
        scaled = in_units(letters, unit(letters) if target.printed else np.ones(len(K)), target.bound)
        factor = scaled["L"]
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = shown.least * factor / target.value(scaled)
        inside = shown.inside & known
        for condition in target.bound.conditions:
            inside &= np.asarray(_nearly(condition, scaled))
        return np.where(inside & np.isfinite(ratio), ratio, -np.inf)

    return evaluate


ROUNDING = 1e-9


def _nearly(condition, letters) -> Array:
    """A condition with `ROUNDING` of relative slack: floats reach a limit that they were computed from only
    so well. The exact replay of a witness gives no slack."""
    value, limit = letters[condition.variable], condition.bound(letters)
    if condition.comparison in ("<", "<="):
        return value <= limit * (1 + ROUNDING)
    if condition.comparison == "==":
        return np.abs(value - limit) <= ROUNDING * np.abs(limit)
    return value >= limit * (1 - ROUNDING)


def local_layouts(target: LocalTarget) -> list[LocalLayout]:
    """Sizes that are searched, from the smallest."""
    if target.work == "one step":
        return [LocalLayout(M, 1, 1, rounds=64) for M in (1, 2, 3) if M >= target.least_clients]
    if target.work == "gradient":
        return [LocalLayout(M, 1, T) for M in (2, 3) for T in (2, 4)]
    return [LocalLayout(M, S, S) for M in (2, 3) for S in (2, 3)]


RESTARTS, FEW = 2, 20_000
"""Evolutions of each layout; one alone where fewer instances than that have to do."""


def local_search(
    target: LocalTarget,
    instances: int,
    seconds: float = np.inf,
    seed: int = 0,
    sizes: list[LocalLayout] | None = None,
    progress: Told | None = None,
    population: int | None = None,
) -> Found:
    """Attack a bound with about `instances` candidates in at most about `seconds`, evenly over the layouts.
    population: of a generation, from `instances` if not given."""
    start = time.perf_counter()
    attacks = [
        (layout, (seed, again, layout.clients, layout.functions, layout.T))
        for layout in sizes or local_layouts(target)
        for again in range(RESTARTS if instances >= FEW else 1)
    ]
    population = population or min(2048, max(64, instances // (16 * len(attacks))))
    generations = generations_for(instances / len(attacks), population)
    breeding = Breeding(sample_local, partial(local_evaluator, target), population, generations)
    found = sweep(breeding, attacks, seconds, progress)
    return Found.best(
        found, start, lambda one: (one.layout.clients, one.layout.functions, one.layout.T, -one.ratio)
    )
