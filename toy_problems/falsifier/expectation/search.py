"""Bounds on an expectation: min over k of E‖∇f(xᵏ)‖, attacked by search and decided by confidence sequences.

The clients' functions act on the first of d coordinates; the noise acts on all of them, and so the server's
direction feels the dimension. The search works with averages over a few seeds that all candidates share.
Its best candidate is then run with fresh seeds: ‖∇f(xᵏ)‖ lies in [|f'(0)| − Lk, |f'(0)| + Lk] (steps have
length 1), hence a confidence sequence for each k, at an error that is divided among all k and all tests.
The bound is broken when every one of the lower ends lies above it; a second, four times longer run with
other seeds has to confirm it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from methods import advance, initialise
from methods.participation import Participation
from methods.randomness import Keyed, Randomness
from toy_problems.falsifier.evolution import Array, Breeding, Found, Told, generations_for, sweep
from toy_problems.falsifier.expectation.confidence import Sequence
from toy_problems.falsifier.expectation.radial import Draws, Radial, Stored
from toy_problems.falsifier.genome import Layout, Primary, decode, letters_of, sample
from toy_problems.falsifier.targets import Number, Reading, Target, per_run

FAMILY_ERROR = 1e-6
"""Probability that any statement of a whole run of the falsifier is wrong by chance."""

SEARCH_SEEDS, FIRST_SEEDS, SECOND_SEEDS = 0, 10**6, 10**9
"""Where the seeds of the search, of the first test and of the longer rerun begin: they never meet."""

ENTRIES = 2_000_000
"""Size of the arrays (candidates × seeds × clients × d) that are advanced at once."""


@dataclass(frozen=True, eq=False)
class Estimate:
    """Confidence interval of min over k of E‖∇f(xᵏ)‖ divided by the bound, from `samples` runs with seeds
    from `seed`."""

    samples: int
    seed: int
    low: float
    high: float
    mean: float

    @property
    def broken(self) -> bool:
        """Whether the bound is broken with confidence."""
        return self.low > 1.0


@dataclass(frozen=True)
class Setting:
    """Where a bound is attacked. d: coordinates. reading: what σ is. direct: simulate all d coordinates
    even where two that stand for them would do (`radial`)."""

    target: Target
    d: int
    reading: Reading
    direct: bool = False

    @property
    def reduced(self) -> bool:
        """Whether two coordinates stand for d."""
        return self.d > 2 and not self.direct

    @property
    def coordinates(self) -> int:
        """Coordinates that are simulated."""
        return 2 if self.reduced else self.d

    def letters(self, primary: Primary, layout: Layout) -> dict[str, Number]:
        """The values of the bound's letters, what a row records and what its ratio is of. With σ as the standard deviation of each
        coordinate, σ and V are chosen for d coordinates; with σ as that of the whole vector, as for one, and then the bound has no d
        and the letter only records where the noise acted."""
        chosen = letters_of(self.target, primary, layout, self.d if self.reading == "per coordinate" else 1)
        return {**chosen, "d": self.d}


@dataclass(frozen=True, eq=False)
class Numbers:
    """The random numbers of a setting and layout for some seeds: drawn once, used by all candidates."""

    seeds: Array
    stored: Stored | Keyed
    draws: Draws | None

    @classmethod
    def of(cls, setting: Setting, layout: Layout, seeds: Array) -> Numbers:
        """Where all d > 2 coordinates are simulated nothing is stored."""
        sizes = seeds, layout.K, layout.clients
        if setting.reduced:
            stored = Stored.of(*sizes, 1, setting.target.sampled)
            return cls(seeds, stored, Draws.of(seeds, layout.K, setting.d))
        if setting.d > 2:
            return cls(seeds, Keyed(np.asarray(seeds)[None, :]), None)
        return cls(seeds, Stored.of(*sizes, setting.d, setting.target.sampled), None)

    def randomness(self, participation: Participation) -> Randomness:
        """As `methods.advance` asks for it."""
        if self.draws is None or isinstance(self.stored, Keyed):
            return self.stored
        return Radial.of(self.stored, self.draws, participation)


def gradients(
    setting: Setting, genomes: Array, layout: Layout, seeds: Array, numbers: Numbers | None = None
) -> tuple[Array, dict[str, Array]]:
    """|f'(xᵏ)| of every run, (candidates, seeds, K + 1), and the letters of the candidates. numbers: those of
    the seeds, drawn here if not given."""
    numbers = numbers or Numbers.of(setting, layout, seeds)
    primary = decode(genomes, layout)
    runs, n, S = len(genomes), layout.clients, len(seeds)
    letters = {
        name: per_run(value, runs)[:, None] for name, value in setting.letters(primary, layout).items()
    }
    std = letters["sigma"] if setting.reading == "per coordinate" else letters["sigma"] / np.sqrt(setting.d)
    oracle = primary.functions.oracle()
    memories = np.zeros((runs, 1, n, setting.coordinates))
    memories[..., 0] = (primary.functions.base - letters["R"] * primary.residual)[:, None]
    method = setting.target.method({**letters, "std": std})
    state = initialise(method, np.zeros((runs, S, setting.coordinates)), n, memories)
    randomness = numbers.randomness(method.participation)
    trace = np.empty((runs, S, layout.K + 1))
    for k in range(layout.K + 1):
        points = np.broadcast_to(state.x[..., None, :], (runs, S, n, setting.coordinates))
        local = oracle(points)
        trace[..., k] = np.abs(local[..., 0].mean(axis=-1))
        if k < layout.K:
            state, _ = advance(method, state, lambda _, local=local: local, randomness)
    return trace, letters


def evaluator(setting: Setting, layout: Layout, seeds: int) -> Callable[[Array], Array]:
    """Genomes ↦ min over k of the mean over seeds, divided by the bound."""
    numbers = Numbers.of(setting, layout, SEARCH_SEEDS + np.arange(seeds))
    some = max(1, ENTRIES // (seeds * layout.clients * setting.coordinates))

    def evaluate(genomes: Array) -> Array:
        ratios = []
        for start in range(0, len(genomes), some):
            trace, letters = gradients(setting, genomes[start : start + some], layout, numbers.seeds, numbers)
            measured = trace.mean(axis=1).min(axis=-1)
            ratio = measured / per_run(np.squeeze(setting.target.value(letters)), len(measured))
            ratios.append(np.where(letters["drop"][:, 0] >= 0, ratio, -np.inf))
        return np.concatenate(ratios)

    return evaluate


ROUNDS = (3, 15, 63)
"""Numbers of rounds K that are searched."""


def search(
    setting: Setting, instances: int, seconds: float, seed: int = 0, progress: Told | None = None
) -> Found:
    """Attack an expectation bound with about `instances` candidates in at most about `seconds`."""
    start = time.perf_counter()
    sizes = [Layout(n, K) for K in ROUNDS for n in (1, 2) if n >= setting.target.least_clients]
    seeds, most = (
        (16, 1024) if setting.coordinates < 10 else (16, 64) if setting.coordinates < 1000 else (8, 16)
    )
    population = min(most, max(64, instances // (16 * len(sizes))))
    generations = generations_for(instances / len(sizes), population)
    breeding = Breeding(sample, partial(evaluator, setting, seeds=seeds), population, generations)
    attacks = [(layout, (seed, setting.d, layout.clients, layout.K)) for layout in sizes]
    return Found.best(sweep(breeding, attacks, seconds, progress), start)


ROUNDING = 1e-13
"""How far floats take a gradient out of its range, relatively: it is a sum of at most some hundred slopes."""


def estimate(setting: Setting, found: Found, samples: int, seed: int, tests: int) -> Estimate:
    """The confidence interval of one candidate's ratio after `samples` runs, at FAMILY_ERROR shared by
    `tests` tests."""
    layout, genomes = found.layout, found.genome[None]
    functions = decode(genomes, layout).functions
    start, steps = abs(float(functions.base.mean())), np.arange(layout.K + 1)
    L = float(functions.smoothness()[0])
    delta = FAMILY_ERROR / (tests * (layout.K + 1))
    room = ROUNDING * (start + L * steps)
    sequence = Sequence(np.maximum(start - L * steps - room, 0.0), start + L * steps + room, delta)
    some, letters = max(1, ENTRIES // (layout.clients * setting.coordinates)), {}
    total = np.zeros(layout.K + 1)
    for first in range(0, samples, some):
        seeds = seed + np.arange(first, min(samples, first + some))
        trace, letters = gradients(setting, genomes, layout, seeds)
        sequence, total = sequence.after(trace[0]), total + trace[0].sum(axis=0)
    low, high = sequence.interval()
    bound = float(np.squeeze(setting.target.value(letters)))
    return Estimate(
        samples,
        seed,
        float(low.min()) / bound,
        float(high.min()) / bound,
        float(total.min()) / samples / bound,
    )
