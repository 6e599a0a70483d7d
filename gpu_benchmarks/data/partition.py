"""Splits and client partitions, each a named reading; seeded, and indices only (no image is copied
here).

All functions return indices into the arrays they were asked about, so that a partition can be recorded,
compared and tested without data. Randomness is numpy's Philox keyed by (seed, purpose): the same on
every machine.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Indices = NDArray[np.int64]

SPLIT, SHUFFLE, SHARDS, START, SYNTHETIC, SUBSET = 1, 2, 3, 4, 901, 902
"""Purposes that a seed is split into; START is the starting point of a linear model, SUBSET the images of a reduced run."""

SPLITS = ("tenth-of-training", "tenth-of-all", "official-test")


@dataclass(frozen=True)
class Split:
    """Indices of the training, test and held-out (validation) images; pairwise disjoint.

    They count through the official training set first, then the official test set.
    """

    training: Indices
    test: Indices
    held_out: Indices


def keyed(seed: int, purpose: int) -> np.random.Generator:
    """A generator that depends on (seed, purpose) alone; seed 0 is a seed like any other."""
    if seed < 0:
        raise ValueError(f"seed = {seed}: must be an integer of at least 0")
    return np.random.Generator(np.random.Philox(np.random.SeedSequence((seed, purpose))))


def split(reading: str, training: int, test: int, seed: int) -> Split:
    """The papers' "90% for training, 10% for testing" in each sense it can have.

    `tenth-of-training`: of the official training images, a random tenth is the test set; the official
    test set is not used. `tenth-of-all`: the same with all images pooled. `official-test`: the
    official test set is the test set, and a random tenth of the training images is held out and used for
    nothing.

    training, test: sizes of the official sets (50,000 and 10,000 for CIFAR).
    """
    if reading not in SPLITS:
        raise ValueError(f"split reading {reading!r}: choose one of {', '.join(SPLITS)}")
    rng = keyed(seed, SPLIT)
    order = rng.permutation(training + test if reading == "tenth-of-all" else training)
    tenth = len(order) // 10
    kept, tenth_part = np.sort(order[tenth:]), np.sort(order[:tenth])
    nothing = np.empty(0, np.int64)
    if reading == "official-test":
        return Split(kept, np.arange(training, training + test), tenth_part)
    return Split(kept, tenth_part, nothing)


def shuffled_shards(samples: int, clients: int, seed: int) -> Indices:
    """Random equal shards: (clients, samples // clients). What is left over when it does not divide is
    unused.
    """
    if not 1 <= clients <= samples:
        raise ValueError(f"{clients} clients for {samples} samples: choose between 1 and {samples}")
    each = samples // clients
    return keyed(seed, SHUFFLE).permutation(samples)[: clients * each].reshape(clients, each)


def label_sorted_shards(labels: NDArray[np.integer], clients: int, each: int, seed: int) -> Indices:
    """Sort by label, cut into `each` · clients equal shards, deal `each` to every client at random.

    DP-NormFedAvg, Appendix H. Returns (clients, samples per client). Samples with one label keep the
    order of the file. The number of samples must be a multiple of the number of shards.
    """
    shards = clients * each
    if clients < 1 or each < 1 or len(labels) % shards:
        raise ValueError(
            f"{len(labels)} samples cannot be cut into {clients} × {each} equal shards: "
            "choose numbers whose product divides the samples"
        )
    order = np.argsort(labels, kind="stable").reshape(shards, -1)
    return order[keyed(seed, SHARDS).permutation(shards)].reshape(clients, -1)
