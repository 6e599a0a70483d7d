"""What each subcommand computes, in parts, so that an interrupt keeps the parts that are done.

A job is a generator of (name of a part, result); `profile` is "quick" (seconds) or "full" (minutes).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from toy_problems import captions, comparison, memory_term, overlay, rates
from toy_problems.appendix_f import INITS, METHODS, Curves, Setting, curves
from toy_problems.example1 import story

Part = tuple[str, Any]
Progress = Callable[[int], object]
SHOWN_ROUNDS = 101
"""Rounds that a figure's JSON keeps of a curve, evenly spaced, the first and the last among them."""


def example1_job(profile: str, seed: int, progress: Progress) -> Iterator[Part]:
    """Example 1 of α-NormEC. Deterministic: the seed plays no part, and both profiles are the same."""
    yield "story", story()


def overlay_job(
    profile: str, seed: int, progress: Progress, families: tuple[str, ...] = overlay.FAMILIES
) -> Iterator[Part]:
    """Bounds over measured traces, a part for each family."""
    size = {"K": 200, "seeds": 10} if profile == "quick" else {"K": 2000, "seeds": 100}
    for family in families:
        yield family, overlay.overlays(seed=seed, families=(family,), progress=progress, **size)


def rates_job(
    profile: str, seed: int, progress: Progress, families: tuple[str, ...] = rates.EVERYWHERE
) -> Iterator[Part]:
    """The decay for each schedule and family, what the memories do to it, and the methods at equal
    sensitivity."""
    quick = profile == "quick"
    instances = 4 if quick else 10
    grid = tuple(2**k - 1 for k in (range(5, 10) if quick else range(6, 14)))
    for family in families:
        for name in rates.SCHEDULES:
            found = rates.rates(
                grid, instances, seed=seed, families=(family,), names=(name,), progress=progress
            )
            if found:
                yield f"{name} on {family}", found
    sizes = {"K": 511 if quick else 4095, "instances": instances, "seed": seed, "progress": progress}
    common = tuple(family for family in families if family != rates.HARDEST)
    yield "what the 2R term does", memory_term.memory_term(families=common, **sizes)
    K, steps = (200, 9) if quick else (1000, 17)
    for spread in comparison.SPREADS[::2] if quick else comparison.SPREADS:
        found = comparison.comparison(
            K, spreads=(spread,), instances=instances, steps=steps, seed=seed, progress=progress
        )
        yield f"methods at heterogeneity {spread:g}", found


def setting_of(profile: str, seed: int, q: float) -> Setting:
    """Appendix F's setting: quick keeps K, E, n, d, rank and the captions' own C and η, and drops the grid
    around them."""
    setting = Setting(q=q, seed=seed)
    return (
        replace(setting, C=(20.0, 40.0, 50.0, 100.0), eta=(0.001, 0.003)) if profile == "quick" else setting
    )


def figure2_job(profile: str, seed: int, progress: Progress, q: float = 1.0) -> Iterator[Part]:
    """Figure 2: averaged curves and the caption's sentences; full adds the scan over q."""
    setting = setting_of(profile, seed, q)
    found = curves(setting, progress)
    yield "curves", _shown(found, "suboptimality")
    yield "sentences", captions.figure2(found)
    if profile == "full":
        yield "scan over q", captions.scan(setting_of("quick", seed, q), progress=progress)


def figure3_job(profile: str, seed: int, progress: Progress, q: float = 1.0) -> Iterator[Part]:
    """Figure 3: averaged SNR curves and the caption's sentences."""
    found = curves(setting_of(profile, seed, q), progress)
    yield "curves", _shown(found, "snr")
    yield "sentences", captions.figure3(found)


def figure4_job(profile: str, seed: int, progress: Progress, q: float = 1.0) -> Iterator[Part]:
    """Figure 4: smoothed trajectories in a plane, distances, and the sentence about them."""
    found = captions.figure4(setting_of(profile, seed, q))
    yield "trajectories", found
    yield "sentences", captions.figure4_sentences(found.distance[..., -1])


FIGURES = {"das-f2": figure2_job, "das-f3": figure3_job, "das-f4": figure4_job, "example1": example1_job}


def _shown(found: Curves, quantity: str) -> dict[str, Any]:
    """A quantity averaged over the runs, thinned in the rounds: values[method][init][C][η][round]."""
    rounds = np.unique(np.linspace(0, found.setting.K - 1, SHOWN_ROUNDS).round().astype(int))
    return {
        "setting": found.setting,
        "methods": METHODS,
        "inits": INITS,
        "rounds": rounds,
        "quantity": quantity,
        "values": found.mean(quantity)[..., rounds],
        "final": found.final.mean(axis=-1),
        "distance": found.distance.mean(axis=-1),
    }
