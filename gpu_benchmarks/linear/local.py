r"""E steps of local gradient descent of a softmax model, in the span of a client's own samples.

A client holds m samples X (m × p) and labels Y (m × classes, one-hot). Its loss is the mean
cross-entropy plus λ/2 ‖W‖², so a step of gradient descent is

    W ← (1 − ηλ) W − (η/m) Xᵀ (softmax(X W) − Y).

Hence W_τ = a_τ W₀ + Xᵀ A_τ with a_τ = (1 − ηλ)^τ and A_τ of shape m × classes, and only X W_τ = a_τ X W₀
+ G A_τ is needed to go on, where G = X Xᵀ is m × m. A step costs m² classes products in place of 2 m p
classes: for m = 20 and p = 785, 78 times fewer. X itself is read twice a round, for X W₀ and for Σ Xᵀ A.
This is exact algebra, not an approximation; `tests/gpu_benchmarks/test_linear_local.py` holds it against
the direct way.

Lanes: the last axis of every array is a batch of runs that differ in η, C or noise and share clients and
data.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.floating]

CACHE = 32_768
"""Numbers in one array of the clients handled at a time: a few such arrays fit in a core's cache."""


@dataclass(frozen=True)
class Updates:
    """Clients' updates u_i = (W − W_{i,E}) / η = shrink · W − X_iᵀ dual_i, kept in the span of their
    samples.

    dual: (clients, m, classes, lanes). shrink: (lanes,), = (1 − (1 − ηλ)^E) / η. norms: (clients,
    lanes), ‖u_i‖.
    """

    dual: Array
    shrink: Array
    norms: Array


def span_updates(
    logits: Array,
    grams: Array,
    labels: NDArray[np.integer],
    squared_norm: Array,
    eta: Array,
    decay: float,
    steps: int,
) -> Updates:
    """u_i after `steps` steps of local gradient descent.

    logits: (clients, m, classes, lanes), X_i W₀. grams: (clients, m, m), X_i X_iᵀ. labels: (clients, m).
    squared_norm: (lanes,), ‖W₀‖². eta: (lanes,), η > 0. decay: λ, with ηλ < 1.
    """
    clients, m, classes, lanes = logits.shape
    dtype = logits.dtype
    if not np.all(eta > 0) or np.any(eta * decay >= 1):
        raise ValueError(f"η in [{eta.min()}, {eta.max()}], λ = {decay}: 0 < η and ηλ < 1 are needed")
    width = max(1, CACHE // (m * classes))
    if lanes > width:  # one client alone is too large: some lanes at a time (8 times faster with 100 classes)
        some = [slice(first, first + width) for first in range(0, lanes, width)]
        parts = [
            span_updates(
                np.ascontiguousarray(logits[..., part]),
                grams,
                labels,
                squared_norm[part],
                eta[part],
                decay,
                steps,
            )
            for part in some
        ]
        fields = ([getattr(part, name) for part in parts] for name in ("dual", "shrink", "norms"))
        return Updates(*(np.concatenate(arrays, axis=-1) for arrays in fields))
    keep = 1.0 - eta.astype(np.float64) * decay  # (lanes,)
    dual = np.zeros((clients, m, classes, lanes), dtype)
    norms = np.empty((clients, lanes), dtype)
    shrink = -np.expm1(steps * np.log(keep)) / eta
    some = max(1, CACHE // (m * classes * lanes))  # clients whose arrays stay in the cache for all steps
    for start in range(0, clients, some):
        part = slice(start, start + some)
        _descend(dual[part], logits[part], grams[part], labels[part], eta, keep, steps)
        norms[part] = _norms(dual[part], logits[part], grams[part], squared_norm, shrink)
    return Updates(dual, shrink.astype(dtype), norms)


def _descend(
    dual: Array,
    logits: Array,
    grams: Array,
    labels: NDArray[np.integer],
    eta: Array,
    keep: Array,
    steps: int,
) -> None:
    """Fill `dual`, zero on entry, so that u = shrink W − Xᵀ dual. keep: 1 − ηλ."""
    clients, m, classes, lanes = logits.shape
    dtype = logits.dtype
    z, row = np.empty_like(logits), np.empty((clients, m, 1, lanes), dtype)
    flat, flat_dual = (array.reshape(clients, m, classes * lanes) for array in (z, dual))
    client, sample = np.arange(clients)[:, None], np.arange(m)[None, :]
    # B = A_τ / a_τ: X W_τ = a_τ (X W₀ + G B), and a step only adds to B.
    for step in range(steps):
        if step:
            np.matmul(grams, flat_dual, out=flat)
            z += logits
            z *= (keep**step).astype(dtype)
        else:
            z[:] = logits
        np.max(z, axis=2, keepdims=True, out=row)
        z -= row
        np.exp(z, out=z)
        np.sum(z, axis=2, keepdims=True, out=row)
        gain = (eta / (m * keep ** (step + 1))).astype(dtype)  # (lanes,)
        np.divide(-gain, row, out=row)
        z *= row
        z[client, sample, labels] += gain
        dual += z
    dual *= (keep**steps / eta).astype(dtype)


def _norms(dual: Array, logits: Array, grams: Array, squared_norm: Array, shrink: Array) -> Array:
    """‖u‖² = shrink² ‖W‖² − 2 shrink ⟨X W, dual⟩ + ⟨dual, G dual⟩, rooted; (clients, lanes)."""
    clients, m, classes, lanes = dual.shape
    z = np.matmul(grams, dual.reshape(clients, m, classes * lanes)).reshape(dual.shape)
    z -= (2 * shrink).astype(dual.dtype) * logits
    z *= dual
    squared = z.sum(axis=(1, 2), dtype=np.float64) + shrink**2 * squared_norm
    return np.sqrt(np.maximum(squared, 0.0)).astype(dual.dtype)
