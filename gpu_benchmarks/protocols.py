"""A *protocol*: the readings and the arithmetic of a run, which the papers do not print. Pure functions; no torch."""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import cache

from gpu_benchmarks.config import Config
from gpu_benchmarks.training_methods import METHODS

Protocol = tuple[tuple[str, str], ...]
"""Readings and precision, sorted pairs: hashable."""
_DEFAULT = asdict(Config().readings)


def unfelt(config: Config) -> tuple[str, ...]:
    """The readings that make no difference to a run."""
    found: list[str] = []
    has = METHODS[config.method]
    if not config.private:
        found += ("noise", "noise_joins", "noise_root")
    if not config.private or config.readings.round == "step":  # whose printed rounds are iterations
        found.append("noise_rounds")
    if not (has.federated and has.memories) or config.participation == 1:
        found.append("absent")
    if config.local_steps == 1:
        found.append("local_batches")
    if not has.memories:
        found.append("memories")
    return tuple(found)


@cache  # each table asks it of the same runs, over and over
def protocol_of(config: Config) -> Protocol:
    """What the run reads into the papers; readings that make no difference to it take their default."""
    readings = asdict(config.readings) | {name: _DEFAULT[name] for name in unfelt(config)}
    return (*sorted(readings.items()), ("precision", config.precision))


def whole_run(config: Config) -> Config:
    """The run that this one is the beginning of, under the readings that make a difference to it: who looks at what runs came to
    takes those of which this is the same for one."""
    felt = {name: _DEFAULT[name] for name in unfelt(config)}
    return replace(config, stop_after=None, readings=replace(config.readings, **felt))


def differing(protocol: Protocol) -> str:
    """A protocol for people: what is not the default reading."""
    default = dict(protocol_of(Config()))
    parts = [f"{name}: {value}" for name, value in protocol if default.get(name) != value]
    return ", ".join(parts) or "default readings"
