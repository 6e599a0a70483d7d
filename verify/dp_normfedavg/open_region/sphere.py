"""Theorem 6's open region, many rounds with DP noise in many dimensions: equal clients, so that all Δ_i* = 0.

f(w) = Σ_j c_j ½ max(0, ‖w^(j)‖ − o_j)² over two blocks of coordinates, w* = 0. As the number of coordinates grows, noise becomes
orthogonal to w and of a fixed length √ν_j in each block, so that the two lengths ‖w^(j)‖ are all there is to follow:

    ‖w^(j)‖² ← (‖w^(j)‖ − (senders) · (message along w^(j)))² + ν_j.

The noise is what keeps w from w*, for good: it is paid once, by the ν of the bound, and the rounds go on. Lengths are in units of ηC.
"""

from __future__ import annotations

import numpy as np

from verify.dp_normfedavg.open_region.region import STEPS, Family, Instances, shortest

BLOCKS = 2
ROUNDS = 150
SAMPLES = 50
CLIENTS = 1000


def draw(number: int, rng: np.random.Generator) -> Instances:
    """A third of the instances have the shortest step that is open at their E; about half have noise in the first block alone."""
    E = rng.integers(3, STEPS + 1, number).astype(float)
    least = shortest(E, CLIENTS)
    shape = (number, BLOCKS)
    noisy = np.stack([np.ones(number), rng.choice([0.0, 1.0], number)], axis=-1)
    return {
        "step": np.where(rng.random(number) < 1 / 3, least, rng.uniform(least, np.maximum(least, 0.4999))),
        "E": E,
        "clients": np.full(number, float(CLIENTS)),
        "curvature": np.stack([np.ones(number), rng.uniform(0.05, 1, number)], axis=-1),
        "offset": rng.choice([0.0, 1.0], shape) * np.exp(rng.uniform(-2, 2, shape)),
        "noise": noisy * np.exp(rng.uniform(-4, 2, shape)),
        "start": rng.choice([0.0, 1.0], shape) * np.exp(rng.uniform(-2, 2, shape)),
    }


def vary(parents: Instances, rng: np.random.Generator) -> Instances:
    found = {name: values * np.exp(rng.normal(0, 0.1, values.shape)) for name, values in parents.items()}
    found["step"] = np.minimum(found["step"], 0.4999)
    found["E"] = np.clip(parents["E"] + rng.integers(-1, 2, len(parents["E"])), 1, STEPS)
    found["clients"] = parents["clients"]
    found["curvature"] = np.minimum(found["curvature"], 1.0)
    return found


def tightness(instance: Instances, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """By the mean of SAMPLES runs; both (ROUNDS, instances)."""
    step, E = instance["step"][:, None], instance["E"][:, None]
    curvature, offset, noise = (instance[name][:, None] for name in ("curvature", "offset", "noise"))
    way = 1 - (1 - step[..., None] * curvature) ** E[..., None]
    half = step * E
    square = np.repeat((instance["start"] ** 2)[:, None], SAMPLES, axis=1)
    paid, total, after = (instance["start"] ** 2).sum(axis=-1), np.zeros((len(step), SAMPLES)), []
    for _ in range(ROUNDS):
        size = np.sqrt(square)
        beyond = np.maximum(size - offset, 0.0)
        move = way * beyond
        length = np.sqrt((move**2).sum(axis=-1))
        value = (curvature * beyond**2 / 2).sum(axis=-1)
        kept = (2 - 2 * half - 4 * half**2) * half * value
        total = total + np.where(length <= 1, kept, 3 * length / (8 * half))
        paid = paid + instance["noise"].sum(axis=-1)
        after.append(total / paid[:, None])
        drawn = rng.binomial(CLIENTS, 1 / CLIENTS, length.shape)
        sent = drawn * np.minimum(1.0, 1 / np.maximum(length, 1e-300))
        square = (size - sent[..., None] * move) ** 2 + noise
    runs = np.array(after)
    return runs.mean(axis=-1), runs.std(axis=-1) / np.sqrt(SAMPLES)


SPHERE = Family(
    draw,
    vary,
    tightness,
    f"equal clients and DP noise in the limit of many dimensions, n = {CLIENTS}, K ≤ {ROUNDS}, means of {SAMPLES} runs",
)
