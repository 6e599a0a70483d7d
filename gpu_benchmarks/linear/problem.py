"""The federated softmax-regression problem of Appendix G: features, clients and their Gram matrices."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpu_benchmarks.data.partition import label_sorted_shards
from gpu_benchmarks.linear.readings import Readings

SHARDS_PER_CLIENT = 5  # Appendix H
STANDARD = (
    0.2860,
    0.3530,
)  # mean and deviation of Fashion-MNIST's training pixels in [0, 1]; tested on the data


@dataclass(frozen=True)
class Pixels:
    """Images (or features of them) with labels. x: (N, p) float; labels: (N,) int."""

    x: NDArray[np.floating]
    labels: NDArray[np.integer]


@dataclass(frozen=True)
class Clients:
    """n clients of m samples. x: (n, m, p). labels: (n, m). grams: (n, m, m), X_i X_iᵀ."""

    x: NDArray[np.floating]
    labels: NDArray[np.integer]
    grams: NDArray[np.floating]


def features(
    images: NDArray[np.uint8 | np.float32], readings: Readings, dtype: type = np.float32
) -> NDArray[np.floating]:
    """(N, h, w) pixels -> (N, h·w), or (N, h·w + 1) with a last column of ones that carries the bias.

    Features of a network, (N, p), are passed through by `raw` and `sphere`.
    """
    flat = images.reshape(len(images), -1).astype(dtype)
    if readings.scaling != "raw":
        flat /= 255
    if readings.scaling == "centred":
        flat = (flat - 0.5) / 0.5
    elif readings.scaling == "standard":
        flat = (flat - STANDARD[0]) / STANDARD[1]
    elif readings.scaling == "sphere":
        flat /= np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), np.finfo(dtype).tiny)
    flat = flat.astype(dtype, copy=False)
    if readings.bias == "no":
        return flat
    return np.concatenate([flat, np.ones((len(flat), 1), dtype)], axis=1)


def divide(training: Pixels, clients: int, seed: int) -> Clients:
    """Sort by label, cut into 5n equal shards, give each client 5 at random without replacement
    (Appendix H).
    """
    index = label_sorted_shards(training.labels, clients, SHARDS_PER_CLIENT, seed)
    x = training.x[index]
    return Clients(x, training.labels[index].astype(np.int64), np.matmul(x, x.transpose(0, 2, 1)))
