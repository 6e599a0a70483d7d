"""Named queues of runs: what to spend a GPU on first. `GPU` is their order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from gpu_benchmarks.config import Config, printed_root, with_readings
from gpu_benchmarks.method import noise_std
from gpu_benchmarks.passes import iterations_per_round
from gpu_benchmarks.readings import OPTIONS
from methods.noise import READINGS as NOISE_READINGS

BEST = Config(beta=0.1, gamma=0.1)  # printed 86.09, the highest of all
"""α-NormEC without server normalisation: the cell that fixes the readings of the protocol."""

BEST_CELLS: Mapping[str, tuple[tuple[float, float], ...]] = {
    "alpha_normec": ((0.01, 0.1), (0.1, 0.1), (1.0, 0.1), (10.0, 0.01)),
    "normalised": ((0.01, 0.01), (0.1, 0.1), (1.0, 0.1), (10.0, 0.1)),
    "dp_sgd": ((0.01, 1.0), (0.1, 1.0), (1.0, 1.0), (10.0, 0.1)),
    "clip21": ((0.01, 0.1), (0.1, 0.1), (1.0, 0.1), (10.0, 0.1)),
}
"""(β, γ) of Figures 8 and 11 and Table 2."""

RESNET20 = 269_722
"""Parameters of ResNet-20, on which the noise may depend."""

PRIVATE_GRID = (0.001, 0.01, 0.1, 1.0)
FED_GRID = (0.001, 0.01, 0.1)


def with_noise(base: Config, **settings: Any) -> Config:
    """A private run whose noise has the root that its method's paper prints."""
    config = replace(base, **settings, private=True)
    return with_readings(config, noise_root=printed_root(config.method, True))


def anchor(base: Config = BEST) -> list[Config]:
    """The best cell with and without augmentation, and with each half of it."""
    return [with_readings(base, augmentation=a) for a in ("crop-and-flip", "none", "crop", "flip")]


def steps(base: Config = BEST) -> list[Config]:
    """The best cell with a round read as one mini-batch: 300 iterations in all, which a CPU can do in full. Six seeds and
    seven others, for two intervals at 1e-6; then the best cells of all methods, and augmentation.
    """
    short = with_readings(base, round="step")
    return unique(
        [
            *(replace(short, seed=seed) for seed in (base.seed, *range(12))),
            *best_cells(short),
            with_readings(short, augmentation="crop-and-flip"),
        ]
    )


def best_cells(base: Config = BEST) -> list[Config]:
    """The 16 best cells of the non-private experiments: all methods at one β, then at the next, so that whatever time
    suffices for can be compared; β = 0.1 first, where the printed numbers are highest.
    """
    return [
        replace(
            base,
            method="alpha_normec" if name == "normalised" else name,
            beta=beta,
            gamma=dict(pairs)[beta],
            server_normalisation=name == "normalised",
        )
        for beta in (0.1, 10.0, 1.0, 0.01)
        for name, pairs in BEST_CELLS.items()
    ]


def private_peaks(base: Config = BEST) -> list[Config]:
    """DP-α-NormEC near the printed peaks (77.56, then 72.21), under each reading of the noise, the least noise first.
    Which (β, γ) the peaks lie at is not printed; 0.01 with 0.1 is Figure 12's peak.
    """
    read = [
        {"noise": noise, "noise_joins": joins, "noise_root": root}
        for noise in NOISE_READINGS
        for joins in OPTIONS["noise_joins"]
        # of a standard deviation it is one thing whether the message's has no β or the memory's has it
        if not (joins == "message without β" and noise.startswith("std"))
        for root in OPTIONS["noise_root"]
    ]
    peaks = [
        with_noise(base, beta=0.01, gamma=gamma, server_normalisation=normalised)
        for normalised, gamma in ((False, 0.1), (True, 0.01))
    ]
    return [
        config
        for peak in peaks
        for config in sorted(
            (with_readings(peak, **options) for options in read),
            key=lambda config: noise_std(config, RESNET20, iterations_per_round(config)),
        )
    ]


def figure12(base: Config = BEST) -> list[Config]:
    """DP-α-NormEC for 150 rounds over the printed grid, without server normalisation."""
    return [
        with_noise(base, beta=beta, gamma=gamma, rounds=150)
        for beta in PRIVATE_GRID
        for gamma in PRIVATE_GRID
    ]


def private_grid(base: Config = BEST) -> list[Config]:
    """DP-α-NormEC for 300 rounds, with and without server normalisation, over the grid of Figure 4."""
    return [
        with_noise(base, beta=beta, gamma=gamma, server_normalisation=normalised)
        for normalised in (False, True)
        for beta in PRIVATE_GRID
        for gamma in PRIVATE_GRID
    ]


def federated(base: Config = BEST) -> list[Config]:
    """Fed-α-NormEC, private, with 20 clients and full and partial participation."""
    return [
        with_noise(
            base,
            method="fed_alpha_normec",
            clients=20,
            participation=p,
            beta=beta,
            gamma=gamma,
        )
        for p in (1.0, 0.25)
        for beta in FED_GRID
        for gamma in FED_GRID
    ]


def alphas(base: Config = BEST) -> list[Config]:
    """Figure 2: the grid of α and β with server normalisation, over γ; where the printed best lie first."""
    return [
        replace(base, alpha=alpha, beta=beta, gamma=gamma, server_normalisation=True)
        for gamma in (0.1, 0.01, 1.0, 0.001)
        for alpha in (0.1, 1.0, 0.01)
        for beta in (0.1, 10.0, 0.01, 1.0)
    ]


def rivals(base: Config = BEST) -> list[Config]:
    """What the papers compare their private methods with: DP-Clip21 over the grid of α-NormEC's Figure 5, and private FedAvg with
    20 clients over that of Fed-α-NormEC's Figure 4. No number of either is printed, only words.
    """
    return [
        *(with_noise(base, method="clip21", beta=b, gamma=g) for b in PRIVATE_GRID for g in PRIVATE_GRID),
        *(with_noise(base, method="fedavg", clients=20, beta=b, gamma=g) for b in FED_GRID for g in FED_GRID),
    ]


def more_seeds(base: Config = BEST) -> list[Config]:
    """The 16 best cells and the peaks, with the printed root and the noise read as what adds the least, with two seeds
    more.
    """
    peaks = private_peaks(base)
    least, root = peaks[0].readings.noise, printed_root(base.method, True)
    again = [
        *best_cells(base),
        *(p for p in peaks if (p.readings.noise, p.readings.noise_root) == (least, root)),
    ]
    return [replace(config, seed=seed) for seed in (0, 1) for config in again]


def precisions(base: Config = BEST) -> list[Config]:
    """The best cell in each arithmetic, two seeds: what TF32 and bfloat16 do to the accuracy."""
    return [
        replace(base, precision=precision, seed=seed)
        for seed in (base.seed, 0)
        for precision in ("float32", "tf32", "bf16")
    ]


def steps_in_bf16(base: Config = BEST) -> list[Config]:
    """The first six seeds of `steps` in bfloat16, which a CPU multiplies too: what the arithmetic does to the accuracy of
    a whole run, where there is no GPU. (TF32 is float32 on a CPU.)
    """
    return [replace(config, precision="bf16") for config in steps(base)[:6]]


def reduced(base: Config = BEST) -> list[Config]:
    """Every method on all real data for one pass (`--stop-after` says otherwise), what says most first. K
    stays 300 in the noise, which is read as the variance of the vector and as joining the message: per coordinate it is
    hundreds of times as much, and nothing is learnt in a few passes. Its root is over K alone, as in the reduced runs
    that were recorded.
    """
    short = with_readings(
        replace(base, stop_after=1),
        noise="variance of the vector",
        noise_joins="message",
        noise_root="K alone",
    )
    private = replace(short, private=True, beta=0.01)
    federated = replace(private, method="fed_alpha_normec", clients=20)
    return [
        short,
        private,
        with_readings(short, augmentation="crop-and-flip"),
        replace(short, method="clip21"),
        replace(short, server_normalisation=True),
        federated,
        replace(federated, participation=0.25),
        replace(private, method="clip21"),
        replace(short, method="sgd"),
        replace(short, method="dp_sgd", gamma=1.0),
        replace(short, method="dp_sgd_clip", gamma=1.0),
        replace(federated, method="fedavg", beta=0.1),
        replace(private, server_normalisation=True, gamma=0.01),
        replace(federated, local_steps=4),
        with_readings(private, noise="std per coordinate"),
    ]


def other_readings(base: Config = BEST) -> list[Config]:
    """One pass under each option of a reading that the other plans leave at its default, where the option is felt."""
    short = replace(base, stop_after=1)
    federated = with_readings(
        replace(short, method="fed_alpha_normec", clients=20, beta=0.01, private=True),
        noise="variance of the vector",
    )
    felt = {
        **dict.fromkeys(
            ("split", "augmentation", "pixels", "batches", "last_batch", "statistics", "memories"), short
        ),
        "absent": replace(federated, participation=0.25),
        "local_batches": replace(federated, local_steps=4),
    }
    return [
        with_readings(run, **{name: option})
        for name, run in felt.items()
        for option in OPTIONS[name]
        if option != getattr(run.readings, name)
    ]


PLANS: Mapping[str, Callable[[Config], list[Config]]] = {
    "anchor": anchor,
    "steps": steps,
    "steps-in-bf16": steps_in_bf16,
    "best-cells": best_cells,
    "private-peaks": private_peaks,
    "figure-12": figure12,
    "federated": federated,
    "alphas": alphas,
    "more-seeds": more_seeds,
    "precisions": precisions,
    "private-grid": private_grid,
    "rivals": rivals,
    "reduced": reduced,
    "other-readings": other_readings,
}
GPU = (
    "anchor",
    "best-cells",
    "private-peaks",
    "figure-12",
    "federated",
    "alphas",
    "more-seeds",
    "precisions",
    "private-grid",
    "rivals",
)
"""The order in which GPU time is spent: first what fixes the readings, then what was printed by how much it
says; last the arithmetic's effect, the whole private grid, which the spreads over γ wait for, and what stands beside it in words
alone."""


def queue(names: tuple[str, ...] = GPU, base: Config = BEST) -> list[Config]:
    """The runs of several plans in order, each once."""
    return unique(config for name in names for config in PLANS[name](base))


def unique(configs: Iterable[Config]) -> list[Config]:
    """Each run once, where it comes first."""
    return list({config.run: config for config in configs}.values())
