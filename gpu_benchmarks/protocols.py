"""A *protocol*: the readings and the arithmetic of a run, which the papers do not print. Pure functions; no torch."""

from __future__ import annotations

from dataclasses import asdict

from gpu_benchmarks.config import Config

Protocol = tuple[tuple[str, str], ...]
"""Readings and precision, sorted pairs: hashable."""


def protocol_of(config: Config) -> Protocol:
    """What the run reads into the papers; readings that make no difference to it take their default."""
    readings = asdict(config.readings)
    default = asdict(Config().readings)
    if not config.private:
        for name in ("noise", "noise_joins", "noise_root", "noise_rounds"):
            readings[name] = default[name]
    if config.method != "fed_alpha_normec" or config.participation == 1:
        readings["absent"] = default["absent"]
    if config.local_steps == 1:
        readings["local_batches"] = default["local_batches"]
    if config.method not in ("alpha_normec", "clip21", "fed_alpha_normec"):
        readings["memories"] = default["memories"]
    return (*sorted(readings.items()), ("precision", config.precision))


def differing(protocol: Protocol) -> str:
    """A protocol for people: what is not the default reading."""
    default = dict(protocol_of(Config()))
    parts = [f"{name}: {value}" for name, value in protocol if default.get(name) != value]
    return ", ".join(parts) or "default readings"
