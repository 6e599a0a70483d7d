"""Theorem 6's open region, clients that disagree: Huber functions of one variable with curvature 1 and minimisers ±a, half of n
each, so that w* = 0."""

from __future__ import annotations

import numpy as np

from verify.dp_normfedavg.open_region.region import STEPS, Family, Instances

SAMPLES = 150
ROUNDS = 12
CLIENTS = (2, 4, 6, 10, 30, 100)


def draw(number: int, rng: np.random.Generator) -> Instances:
    return {
        "step": rng.uniform(0.2, 0.499, number),
        "E": rng.integers(3, STEPS + 1, number).astype(float),
        "clients": rng.choice(CLIENTS, number).astype(float),
        "apart": rng.choice([0.0, 1.0], number) * rng.uniform(0, 2, number),
        "slope": np.exp(rng.uniform(-2, 2, number)),
        "start": np.exp(rng.uniform(-1.5, 2, number)),
        "threshold": np.exp(rng.uniform(-3, 0.5, number)),
    }


def vary(parents: Instances, rng: np.random.Generator) -> Instances:
    number = len(parents["step"])
    found = {name: values * np.exp(rng.normal(0, 0.1, number)) for name, values in parents.items()}
    found["step"] = np.clip(found["step"], 0.05, 0.499)
    found["E"] = np.clip(np.round(parents["E"] + rng.integers(-1, 2, number)), 1, STEPS)
    found["clients"] = np.where(rng.random(number) < 0.2, rng.choice(CLIENTS, number), parents["clients"])
    return found


def tightness(instance: Instances, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """By the mean of SAMPLES runs; both (ROUNDS, instances)."""
    step, E, slope, start = (instance[k][:, None, None] for k in ("step", "E", "slope", "start"))
    centres = instance["apart"][:, None, None] * np.array([1.0, -1.0])
    half = (instance["clients"] / 2).astype(int)[:, None, None]

    def gradient(w: np.ndarray) -> np.ndarray:
        return np.clip(w - centres, -slope, slope)

    def value(w: np.ndarray) -> np.ndarray:
        size = np.abs(w - centres)
        return np.where(size <= slope, size**2 / 2, slope * size - slope**2 / 2)

    lowest = value(np.zeros((1, 1, 1)))
    C = E * np.maximum(4 * np.sqrt(lowest.max(axis=-1, keepdims=True)), instance["threshold"][:, None, None])
    ratio = 2 * step * E
    w = np.broadcast_to(start, (len(step), SAMPLES, 1)).copy()
    total, after = np.zeros((len(step), SAMPLES)), []
    for _ in range(ROUNDS):
        local = np.broadcast_to(w, (len(step), SAMPLES, 2)).copy()
        for tau in range(STEPS):
            local -= np.where(tau < E, step, 0.0) * gradient(local)
        u = (w - local) / step
        kept = np.abs(u) <= C
        left = np.where(kept, (2 - ratio - ratio**2) * (value(w) - lowest), 3 * C * np.abs(u) / (8 * E**2))
        paid = np.where(kept, (ratio + ratio**2) * lowest, 0.0)
        total = total + step[..., 0] * E[..., 0] * (left - paid).mean(axis=-1) / start[..., 0] ** 2
        after.append(total)
        drawn = rng.binomial(np.broadcast_to(half, u.shape), 1 / (2 * half))
        w = w - step * (drawn * np.clip(u, -C, C)).sum(axis=-1, keepdims=True)
    runs = np.array(after)
    return runs.mean(axis=-1), runs.std(axis=-1) / np.sqrt(SAMPLES)


LINE = Family(
    draw,
    vary,
    tightness,
    f"Huber functions around two points, n ≤ {max(CLIENTS)}, K ≤ {ROUNDS}, means of {SAMPLES} runs",
)
