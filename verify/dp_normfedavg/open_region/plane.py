"""Theorem 6's open region, equal clients, so that all Δ_i* = 0 and all messages are aligned: the largest variance of the mean.

f(w) = Σ_j c_j h_j(⟨a_j, w⟩) in the plane, h_j a half-sided ramp: ½ max(0, t − o_j)² up to a slope s_j, linear beyond; w* = 0 and w₀ at
distance 1. Equal clients leave only the number of senders to chance, binomial and nearly Poisson(1): the few rounds are summed
over all numbers up to MOST, exactly but for the chance of more. Thresholds lie at, or below, ‖u_0‖.
"""

from __future__ import annotations

from math import comb

import numpy as np

from verify.dp_normfedavg.open_region.region import STEPS, Family, Instances, shortest

RIDGES = 3
ROUNDS = 4
MOST = 6
"""Senders in a round; more have probability 8·10⁻⁵."""
CLIENTS = 1000


def draw(number: int, rng: np.random.Generator) -> Instances:
    """Half the instances have the shortest step that is open at their E, half have ‖u_0‖ just above the threshold."""
    E = rng.integers(3, STEPS + 1, number).astype(float)
    least = shortest(E, CLIENTS)
    return {
        "step": np.where(rng.random(number) < 0.5, least, rng.uniform(least, np.maximum(least, 0.4999))),
        "E": E,
        "clients": np.full(number, float(CLIENTS)),
        "angle": rng.choice([0.0, 1.0], (number, RIDGES)) * rng.uniform(-np.pi, np.pi, (number, RIDGES)),
        "offset": rng.choice([0.0, 1.0], (number, RIDGES)) * rng.uniform(0, 1, (number, RIDGES)),
        "curvature": rng.choice([0.0, 1.0], (number, RIDGES)) * rng.random((number, RIDGES)) + 1e-9,
        "slope": np.exp(rng.uniform(-2, 2, (number, RIDGES))),
        "threshold": np.where(rng.random(number) < 0.5, 1 - 1e-9, rng.uniform(0.2, 1, number)),
    }


def vary(parents: Instances, rng: np.random.Generator) -> Instances:
    found = {name: values * np.exp(rng.normal(0, 0.1, values.shape)) for name, values in parents.items()}
    found["step"] = np.minimum(found["step"], 0.4999)
    found["E"] = np.clip(parents["E"] + rng.integers(-1, 2, len(parents["E"])), 1, STEPS)
    found["clients"] = parents["clients"]
    found["angle"] = parents["angle"] + rng.normal(0, 0.1, parents["angle"].shape)
    found["threshold"] = np.minimum(found["threshold"], 1 - 1e-9)
    return found


def tightness(instance: Instances, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Summed over the numbers of senders, so that nothing is random and the error is 0; both (ROUNDS, instances)."""
    del rng
    step, E = instance["step"], instance["E"]
    along = np.stack([np.cos(instance["angle"]), np.sin(instance["angle"])], axis=-1)
    hessian = np.einsum("bj,bjx,bjy->bxy", instance["curvature"], along, along)
    curvature = (instance["curvature"] / np.linalg.eigvalsh(hessian)[:, -1:])[:, None]
    offset, slope = instance["offset"][:, None], instance["slope"][:, None]

    def inner(w: np.ndarray) -> np.ndarray:
        return np.maximum(w @ along.transpose(0, 2, 1) - offset, 0.0)

    def gradient(w: np.ndarray) -> np.ndarray:
        return (curvature * np.minimum(inner(w), slope)) @ along

    def value(w: np.ndarray) -> np.ndarray:
        t = inner(w)
        cut = np.minimum(t, slope)
        return (curvature * (cut * t - cut**2 / 2)).sum(axis=-1)

    n = CLIENTS
    chances = np.array([comb(n, m) * (1 / n) ** m * (1 - 1 / n) ** (n - m) for m in range(MOST + 1)])
    w, chance = np.tile([1.0, 0.0], (len(step), 1, 1)), np.ones(1)
    ratio = (2 * step * E)[:, None]
    C, total, after = np.zeros((len(step), 1)), np.zeros(len(step)), []
    for k in range(ROUNDS):
        local = w.copy()
        for tau in range(STEPS):
            local -= np.where(tau < E, step, 0.0)[:, None, None] * gradient(local)
        u = (w - local) / step[:, None, None]
        length = np.linalg.norm(u, axis=-1)
        C = instance["threshold"][:, None] * length if k == 0 else C
        kept = length <= C
        left = np.where(kept, (2 - ratio - ratio**2) * value(w), 3 * C * length / (8 * E[:, None] ** 2))
        total = total + step * E * (left @ chance)
        after.append(total)
        sent = u * np.where(kept, 1.0, C / np.maximum(length, 1e-300))[..., None]
        moved = w[:, :, None] - step[:, None, None, None] * np.arange(MOST + 1)[:, None] * sent[:, :, None]
        w, chance = moved.reshape(len(step), -1, 2), np.outer(chance, chances).ravel()
    return np.array(after), np.zeros((ROUNDS, len(step)))


PLANE = Family(
    draw,
    vary,
    tightness,
    f"equal clients in the plane, n = {CLIENTS}, K ≤ {ROUNDS}, all numbers of senders up to {MOST}",
)
