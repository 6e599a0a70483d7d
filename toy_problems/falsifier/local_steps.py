"""Fed-α-NormEC with T ≥ 2 local gradient steps, all clients, no noise: an attack with convex clients.

Every Huber client has min f_i = 0, so Δ^inf is f's least value, exactly. The class is small and K moderate:
that nothing breaks here decides nothing. (The printed theorems do break, by non-convex clients whose local
steps cancel, over a number of rounds that no search of this kind reaches; see `verify.fed_alpha_normec`.)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from bounds.fed_alpha_normec import theorem1 as fed
from bounds.fed_alpha_normec.repaired import LOCAL_GRADIENT
from bounds.statement import Bound
from methods import advance, initialise, published
from methods.participation import Everybody
from toy_problems.falsifier.convex import PER_CLIENT, Huber
from toy_problems.falsifier.grid import Array

SCALARS = ("ratio", "share", "tightness", "local", "units", "start", "scale", "spread")
LOCAL_BOUNDS: dict[str, Bound] = {b.name: b for b in (fed.MAIN, fed.APPENDIX, LOCAL_GRADIENT)}
"""The bounds that are attacked."""


def genes(clients: int) -> int:
    """Length of a genome."""
    return len(SCALARS) + (PER_CLIENT + 1) * clients


def local_evaluator(bound: Bound, clients: int, K: int, T: int) -> Callable[[Array], Array]:
    """Genomes (runs, genes) ↦ min over k of |f'(xᵏ)| divided by the bound; −inf outside its conditions.

    L = 1 but for the unit of f, a gene, on which the printed condition on ηγ depends.
    """

    def evaluate(genomes: Array) -> Array:
        scalar = dict(zip(SCALARS, genomes.T, strict=False))
        runs = len(genomes)
        own = genomes[:, len(SCALARS) :].reshape(runs, clients, PER_CLIENT + 1)
        unit = 10.0 ** np.clip(3 * scalar["units"], 0, 9)
        f = Huber(
            10.0 ** np.clip(own[..., 0], -3, 0) * unit[:, None],
            10.0 ** np.clip(2 * own[..., 1], -4, 4) * unit[:, None],
            own[..., 2] * 10.0 ** np.clip(2 * scalar["spread"], -4, 4)[:, None],
        )
        gamma = 10.0 ** -np.clip(scalar["local"], 0, 4) / (2 * unit)
        R = 10.0 ** np.clip(2 * scalar["scale"], -5, 3) * unit
        alpha = R * 10.0 ** np.clip(2 * scalar["ratio"], -6, 6)
        share = np.clip(scalar["share"] / 2 + 0.5, 1e-6, 1 - 1e-6)
        beta = share * (alpha + R)
        parts = 2 * unit if bound.source.paper == "ours" else (2 if bound is fed.MAIN else 3) / gamma
        eta = beta * R / (alpha + R) / parts * 10.0 ** -np.clip(scalar["tightness"], 0, 5) * (1 - 1e-12)
        star = f.minimiser()
        start = star + np.sign(scalar["start"]) * 10.0 ** np.clip(3 * np.abs(scalar["start"]) - 3, -3, 4)
        lowest = f.value(star[:, None])[:, 0].mean(axis=1)
        gap = f.value(start[:, None])[:, 0].mean(axis=1) - lowest
        # s as small as its condition lets it be, and no smaller than where the drift term is least.
        s = np.maximum(np.sqrt(2 * unit * lowest), 4 * unit**2 * eta * gamma * (K + 1) / 3 * (1 + 1e-12))
        letters = {
            "f_gap": gap, "K": K, "eta": eta, "R": R, "beta": beta, "alpha": alpha, "M": clients, "p": 1.0, "sigma": 0.0,
            "V": 0.0, "gamma": gamma, "T": T, "L": unit, "Delta": lowest, "s": s,
        }  # fmt: skip
        inside = np.ones(runs, dtype=bool)
        for condition in bound.conditions:
            inside &= np.asarray(condition.holds(letters))
        method = replace(published.fed_alpha_normec(eta, gamma, beta, alpha, T=T), participation=Everybody())

        def oracle(x: Array) -> Array:
            return f(x[:, None])[:, 0]

        at_start = method.local_work(np.broadcast_to(start[:, None, None], (runs, clients, 1)), oracle)
        residual = np.clip(own[..., 3:], -1, 1)
        residual[:, 0] = np.where(residual[:, 0] < 0, -1.0, 1.0)
        state = initialise(method, start[:, None], clients, at_start - R[:, None, None] * residual)
        least = np.full(runs, np.inf)
        for k in range(K + 1):
            points = np.broadcast_to(state.x[:, None, :], (runs, clients, 1))
            np.minimum(least, np.abs(oracle(points).mean(axis=1)[:, 0]), out=least)
            if k < K:
                state, _ = advance(method, state, oracle)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = least / bound.value(**{name: letters[name] for name in bound.parameters})
        return np.where(inside & np.isfinite(ratio), ratio, -np.inf)

    return evaluate
