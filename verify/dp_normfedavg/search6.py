"""Where our proof of Theorem 6 stops, ηL + (1/r − 1/n)ηLE > 3/2: a search for an instance that breaks its first part.

Clients are Huber functions of one variable with curvature 1 and minimisers ±a (so w* = 0), drawn one by one with
r = 1. DP noise only adds to the right-hand side beyond what it does to the left in the limit ρ → 0, so it is left
out. Measured is the tightness

    ηE Σ_k E[left side of the theorem − its terms of Δ_i*] / ‖w₀ − w*‖²,

which the theorem says is at most 1. Instances are drawn at random, then the tightest are varied.
"""

from __future__ import annotations

import numpy as np

from verify.claim import Trial

SAMPLES = 400
ROUNDS = 12
STEPS = 12
CLIENTS = 6
BATCH = 150
GENERATIONS = 4
"""Instances: (1 + GENERATIONS) · BATCH; each is the mean of SAMPLES runs."""


def _draw(rng: np.random.Generator) -> dict[str, np.ndarray]:
    return {
        "step": rng.uniform(0.2, 0.499, BATCH),
        "E": rng.integers(3, STEPS + 1, BATCH).astype(float),
        "apart": rng.choice([0.0, 1.0], BATCH) * rng.uniform(0, 2, BATCH),
        "slope": np.exp(rng.uniform(-2, 2, BATCH)),
        "start": np.exp(rng.uniform(-1.5, 2, BATCH)),
        "threshold": np.exp(rng.uniform(-3, 0.5, BATCH)),
    }


def _vary(best: dict[str, np.ndarray], order: np.ndarray, rng: np.random.Generator) -> dict[str, np.ndarray]:
    chosen = order[rng.integers(0, 20, BATCH)]
    found = {name: values[chosen] * np.exp(rng.normal(0, 0.1, BATCH)) for name, values in best.items()}
    found["step"] = np.clip(found["step"], 0.05, 0.499)
    found["E"] = np.clip(np.round(best["E"][chosen] + rng.integers(-1, 2, BATCH)), 1, STEPS)
    return found


def tightness(instance: dict[str, np.ndarray], rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Mean tightness of each instance of a batch, and its standard error."""
    step, E, slope, start = (instance[k][:, None, None] for k in ("step", "E", "slope", "start"))
    centres = instance["apart"][:, None, None] * np.where(np.arange(CLIENTS) % 2, 1.0, -1.0)

    def gradient(w: np.ndarray) -> np.ndarray:
        return np.clip(w - centres, -slope, slope)

    def value(w: np.ndarray) -> np.ndarray:
        size = np.abs(w - centres)
        return np.where(size <= slope, size**2 / 2, slope * size - slope**2 / 2)

    lowest = value(np.zeros((1, 1, 1)))
    C = E * np.maximum(4 * np.sqrt(lowest.max(axis=-1, keepdims=True)), instance["threshold"][:, None, None])
    ratio = 2 * step * E
    w = np.broadcast_to(start, (BATCH, SAMPLES, 1)).copy()
    total = np.zeros((BATCH, SAMPLES))
    for _ in range(ROUNDS):
        local = np.broadcast_to(w, (BATCH, SAMPLES, CLIENTS)).copy()
        for tau in range(STEPS):
            local -= np.where(tau < E, step, 0.0) * gradient(local)
        u = (w - local) / step
        kept = np.abs(u) <= C
        left = np.where(kept, (2 - ratio - ratio**2) * (value(w) - lowest), 3 * C * np.abs(u) / (8 * E**2))
        total += (
            step[..., 0] * E[..., 0] * (left - np.where(kept, (ratio + ratio**2) * lowest, 0.0)).mean(axis=-1)
        )
        drawn = rng.random((BATCH, SAMPLES, CLIENTS)) < 1 / CLIENTS
        w = w - step * (drawn * np.clip(u, -C, C)).sum(axis=-1, keepdims=True)
    total /= start[..., 0] ** 2
    return total.mean(axis=1), total.std(axis=1) / np.sqrt(SAMPLES)


def search() -> Trial:
    """The tightest instance found; a tightness above 1 by six standard errors would be a candidate witness."""
    rng = np.random.default_rng(6)
    instance = _draw(rng)
    best, worst_case = -np.inf, -np.inf
    for _ in range(1 + GENERATIONS):
        found, error = tightness(instance, rng)
        best, worst_case = max(best, found.max()), max(worst_case, (found - 6 * error).max())
        instance = _vary(instance, np.argsort(found)[::-1], rng)
    tried = (1 + GENERATIONS) * BATCH
    detail = f"largest tightness {best:.3f} (Huber functions, n = {CLIENTS}, r = 1, {ROUNDS} rounds, means of {SAMPLES} runs)"
    return Trial(bool(worst_case <= 1), tried, float(1 / best - 1), detail)
