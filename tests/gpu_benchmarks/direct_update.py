"""Local steps of a linear model by the definition, to compare with what the engine does in the span of the samples."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gpu_benchmarks.linear.local import Array


def direct_update(
    weights: Array, x: Array, labels: NDArray[np.integer], eta: Array, decay: float, steps: int
) -> Array:
    """u = (W₀ − W_E) / η of one client, W carried along step by step.

    weights: (p, classes, lanes). x: (m, p). labels: (m,). eta: (lanes,). Returns (p, classes, lanes).
    """
    p, classes, lanes = weights.shape
    m = len(labels)
    target = np.eye(classes, dtype=weights.dtype)[labels][:, :, None]
    w = weights
    for _ in range(steps):
        z = (x @ w.reshape(p, classes * lanes)).reshape(m, classes, lanes)
        z = np.exp(z - z.max(axis=1, keepdims=True))
        residual = (z / z.sum(axis=1, keepdims=True) - target).reshape(m, classes * lanes)
        gradient = (x.T @ residual).reshape(w.shape) / m + decay * w
        w = w - eta * gradient
    return (weights - w) / eta
