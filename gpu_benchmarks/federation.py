"""From a config to its federated data set: load, split, deal to the clients. What comes out lives on the
CPU.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
import torch

import methods
from gpu_benchmarks.batches import Data
from gpu_benchmarks.config import Config
from gpu_benchmarks.data import Images, load, partition
from gpu_benchmarks.data.partition import keyed, shuffled_shards, split
from gpu_benchmarks.errors import InputError
from gpu_benchmarks.method import build
from gpu_benchmarks.passes import SYNTHETIC, iterations, iterations_per_round, share
from gpu_benchmarks.resnet import Architecture


def federated(config: Config, folder: Path | None = None) -> Data:
    """The clients' data. Raises `InputError` where files are missing or damaged, or do not suffice for the
    clients.

    The split, the shards and the synthetic images follow the config's seed.
    """
    images = synthetic(config.seed) if config.data == "synthetic" else _load(config.data, folder)
    pool = np.concatenate([images.training, images.test])
    labels = np.concatenate([images.training_labels, images.test_labels]).astype(np.int64)
    parts = split(config.readings.split, len(images.training), len(images.test), config.seed)
    # Shuffled shards of the first `images` training indices of a shuffled order: a reduced run sees a
    # random subset.
    training = parts.training
    share(config, len(training))
    if config.images is not None:
        training = np.sort(keyed(config.seed, partition.SUBSET).permutation(training)[: config.images])
    shards = shuffled_shards(len(training), config.clients, config.seed)
    return Data(
        torch.from_numpy(pool[training]),
        torch.from_numpy(labels[training]),
        torch.from_numpy(shards),
        torch.from_numpy(pool[parts.test]),
        torch.from_numpy(labels[parts.test]),
    )


def possible(config: Config) -> None:
    """Raise `InputError` for a config that no run can be made of, before data are read: too few images for its clients or
    its local steps, or a step or noise that no number can hold.
    """
    if (most := len(iterations(config)[0])) < config.local_steps:
        raise InputError(
            f"local_steps = {config.local_steps}: a pass has {most} mini-batches of a client, so that no iteration would make so "
            f"many local steps on fresh ones; take at most {most}, or the reading local_batches = same"
        )
    try:
        method = build(
            config, Architecture(config.blocks, config.width).dimension, iterations_per_round(config)
        )
        short = torch.zeros(1, dtype=torch.float64 if config.precision == "float64" else torch.float32)
        methods.initialise(method, short, config.clients)
    except (ValueError, ArithmeticError) as error:
        steps = f"gamma = {config.gamma:g}, beta = {config.beta:g} and the other settings"
        raise InputError(f"{steps} together leave the range of numbers: {error}") from None


@lru_cache(maxsize=1)
def _load(name: str, folder: Path | None) -> Images:
    return load(name, folder)


def synthetic(seed: int) -> Images:
    """Ten classes, each a fixed coarse pattern in noise: a network can learn them within a few steps."""
    rng = keyed(seed, partition.SYNTHETIC)
    patterns = rng.uniform(64, 192, (10, 3, 4, 4)).repeat(8, axis=2).repeat(8, axis=3)
    total = sum(SYNTHETIC)
    labels = rng.permutation(np.arange(total) % 10).astype(np.uint8)
    noisy = patterns[labels] + rng.normal(0, 24, (total, 3, 32, 32))
    images = np.clip(noisy, 0, 255).astype(np.uint8)
    count = SYNTHETIC[0]
    return Images(images[:count], labels[:count], images[count:], labels[count:], 10)
