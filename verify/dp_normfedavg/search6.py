"""Where our proof of Theorem 6 stops, ηL + (1/r − 1/n)ηLE > 3/2: a search for an instance that breaks its first part.

Clients are Huber functions of one variable with curvature 1 and minimisers ±a, half of n each (so w* = 0), drawn one by one with
r = 1. DP noise only adds to the right-hand side beyond what it does to the left in the limit ρ → 0, so it is left
out. With η given the theorem speaks of every K, by a γ of its own. Measured is the tightness, at its largest over K,

    ηE Σ_{k<K} E[left side of the theorem − its terms of Δ_i*] / ‖w₀ − w*‖²,

which the theorem says is at most 1. Instances are drawn at random, then the tightest are varied; none leaves the open region.
"""

from __future__ import annotations

import numpy as np

from verify.claim import Trial

SAMPLES = 150
ROUNDS = 12
STEPS = 20
"""The largest E: that of Appendices F and G."""
CLIENTS = (2, 4, 6, 10, 30, 100)
BATCH = 150
GENERATIONS = 15
"""Instances: (1 + GENERATIONS) · BATCH; each is the mean of SAMPLES runs."""

Instances = dict[str, np.ndarray]


def is_open(instance: Instances) -> np.ndarray:
    """Which instances lie where neither proof speaks: ηL < 1/2, as the theorem asks, and ηL + (1/r − 1/n)ηLE > 3/2."""
    step, E, n = instance["step"], instance["E"], instance["clients"]
    return (step < 0.5) & (step * (1 + (1 - 1 / n) * E) > 1.5)


def _draw(rng: np.random.Generator) -> Instances:
    """The first BATCH of four times as many that lie in the open region."""
    many = 4 * BATCH
    found = {
        "step": rng.uniform(0.2, 0.499, many),
        "E": rng.integers(3, STEPS + 1, many).astype(float),
        "clients": rng.choice(CLIENTS, many).astype(float),
        "apart": rng.choice([0.0, 1.0], many) * rng.uniform(0, 2, many),
        "slope": np.exp(rng.uniform(-2, 2, many)),
        "start": np.exp(rng.uniform(-1.5, 2, many)),
        "threshold": np.exp(rng.uniform(-3, 0.5, many)),
    }
    chosen = np.flatnonzero(is_open(found))[:BATCH]
    return {name: values[chosen] for name, values in found.items()}


def _vary(best: Instances, order: np.ndarray, rng: np.random.Generator) -> Instances:
    """Neighbours of the twenty tightest; where one leaves the open region its parent stays."""
    chosen = order[rng.integers(0, 20, BATCH)]
    parents = {name: values[chosen] for name, values in best.items()}
    found = {name: values * np.exp(rng.normal(0, 0.1, BATCH)) for name, values in parents.items()}
    found["step"] = np.clip(found["step"], 0.05, 0.499)
    found["E"] = np.clip(np.round(parents["E"] + rng.integers(-1, 2, BATCH)), 1, STEPS)
    found["clients"] = np.where(rng.random(BATCH) < 0.2, rng.choice(CLIENTS, BATCH), parents["clients"])
    stays = is_open(found)
    return {name: np.where(stays, found[name], parents[name]) for name in found}


def tightness(instance: Instances, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Mean tightness of each instance after each number of rounds, and its standard error: both (ROUNDS, instances)."""
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


def search() -> Trial:
    """The tightest instance found; a tightness above 1 by six standard errors would be a candidate witness."""
    rng = np.random.default_rng(6)
    instance = _draw(rng)
    best, worst_case, tried, where = -np.inf, -np.inf, 0, ""
    for _ in range(1 + GENERATIONS):
        found, error = tightness(instance, rng)
        largest = found.max(axis=0)
        if largest.max() > best:
            at = int(largest.argmax())
            best, rounds = float(largest[at]), int(found[:, at].argmax()) + 1
            where = f"K = {rounds}, E = {instance['E'][at]:g}, ηL = {instance['step'][at]:.3f}, n = {instance['clients'][at]:g}"
        worst_case = max(worst_case, float((found - 6 * error).max()))
        tried += int(is_open(instance).sum())
        instance = _vary(instance, np.argsort(largest)[::-1], rng)
    detail = (
        f"largest tightness {best:.3f} ({where}); all in the open region, Huber functions, r = 1, n ≤ {max(CLIENTS)}, "
        f"every K ≤ {ROUNDS}, means of {SAMPLES} runs"
    )
    return Trial(worst_case <= 1, tried, 1 / best - 1, detail)
