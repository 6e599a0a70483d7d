"""How much noise the private runs bore, how much privacy that is, and how far they came. Pure functions; no torch.

The papers print a scale of the noise and leave open what it is the scale of: between the readings lie orders of magnitude.
Each private run stands here with the length of its noise beside that of the messages, the ε that follows, and the length that
the printed (ε, δ) takes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from gpu_benchmarks.accuracies import FAR, metric, tested
from gpu_benchmarks.config import Config
from gpu_benchmarks.method import noise_std
from gpu_benchmarks.passes import iterations_per_round
from gpu_benchmarks.plans import RESNET20
from gpu_benchmarks.protocols import differing, protocol_of
from gpu_benchmarks.records import Record, longest
from gpu_benchmarks.training_methods import METHODS

if TYPE_CHECKING:
    from bounds.privacy import Setting


@dataclass(frozen=True)
class Noisy:
    """A private run. Lengths are √d times the deviation in each coordinate, in units of the bound on a message's length.

    needed: the length for the printed (ε, δ) over all releases of the printed schedule. epsilon: the ε at the printed δ that the
    run's noise gives over the same releases, an upper bound. Both towards who sees every message, one client's data replaced.
    highest: the best test accuracy, percent, in `rounds` of `of` printed rounds.
    """

    run: str
    what: str
    readings: str
    length: float
    needed: float
    epsilon: float
    delta: float
    releases: int
    highest: float
    rounds: int
    of: int

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def releases(config: Config) -> int:
    """Messages of a client that takes part in all of the printed schedule: one an iteration."""
    return config.rounds * iterations_per_round(config)


def noisy(records: Iterable[Record]) -> list[Noisy]:
    """The private runs of ResNet-20 on all real data that were tested after at least `FAR` rounds, of runs that differ in
    their length alone the longest: by cell, then by the length of the noise.
    """
    private = (r for r in records if r.config.private and replace(r.config, stop_after=None).full)
    far = (r for r in private if tested(r) >= FAR)
    return sorted(map(_noisy, longest(far)), key=lambda found: (found.what, found.length))


def _noisy(record: Record) -> Noisy:
    from bounds.privacy import Setting, epsilon  # only here: a rented machine runs without scipy

    config = record.config
    root = math.sqrt(RESNET20)
    bound = config.beta if METHODS[config.method].clips else 1.0  # of a message's length
    sigma = noise_std(config, RESNET20, iterations_per_round(config)) / bound
    setting = Setting("messages", "replace-one", releases(config), config.participation, config.clients)
    bare = replace(config, private=False, precision="float32", readings=Config().readings)
    return Noisy(
        run=config.run,
        what=bare.label().removesuffix(f" seed={config.seed}"),
        readings=differing(protocol_of(config)),
        length=root * sigma,
        needed=root * _needed(setting, config.epsilon, config.delta),
        epsilon=epsilon(setting, sigma, config.delta).upper,
        delta=config.delta,
        releases=setting.rounds,
        highest=metric("highest", record),
        rounds=record.rounds,
        of=config.rounds,
    )


@cache  # most private runs are of a few settings
def _needed(setting: Setting, epsilon: float, delta: float) -> float:
    from bounds.privacy import noise

    return noise(setting, epsilon, delta)
