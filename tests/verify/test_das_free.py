"""DAS-OURS-FREE by runs: normalisation with any clients, some without a minimum, against the bound without Δ_i*."""

from __future__ import annotations

import numpy as np

from bounds.dp_normfedavg.repaired import weighted
from verify.catalogue import claim

G, L = 1.0, 1.0


class Huber:
    """Slope at most G away from a centre, L-smooth; with a weight below 1 its slope never falls to 0: it has no minimum."""

    def __init__(self, rng: np.random.Generator, d: int) -> None:
        self.centre = rng.normal(size=d) * rng.choice([0.1, 1.0, 5.0])
        self.share = rng.choice([1.0, 0.5])
        tilt = rng.normal(size=d)
        self.tilt = (1 - self.share) * G * tilt / np.linalg.norm(tilt)

    def value(self, w: np.ndarray) -> float:
        x = float(np.linalg.norm(w - self.centre))
        huber = L * x**2 / 2 if x <= G / L else G * x - G**2 / (2 * L)
        return self.share * huber + float(self.tilt @ w)

    def gradient(self, w: np.ndarray) -> np.ndarray:
        away = w - self.centre
        x = float(np.linalg.norm(away))
        return self.share * (L * away if x <= G / L else G * away / x) + self.tilt


def rounds(clients: list[Huber], w: np.ndarray, star: np.ndarray, eta: float, E: int, K: int) -> float:
    """The mean over rounds and clients of (GE/‖u_i‖)(f_i(w_k) − f_i(w*)), all clients in every round, without noise."""
    total = 0.0
    for _ in range(K):
        message = np.zeros_like(w)
        for f in clients:
            local = w.copy()
            for _ in range(E):
                local = local - eta * f.gradient(local)
            u = (w - local) / eta
            length = float(np.linalg.norm(u))
            if length > 1e-12:
                total += G * E / length * (f.value(w) - f.value(star))
                message += G * E / length * u
        w = w - eta * message / len(clients)
    return total / K / len(clients)


def slack(seed: int, **changed: float) -> float:
    """The bound minus what a random run has; `changed` takes the place of a number in the bound."""
    rng = np.random.default_rng(seed)
    d, n, E, K = (
        int(rng.integers(1, 4)),
        int(rng.integers(1, 5)),
        int(rng.integers(1, 9)),
        int(rng.integers(1, 8)),
    )
    eta = float(rng.uniform(0.05, 1.0)) / (L * E)
    clients = [Huber(rng, d) for _ in range(n)]
    start, star = (rng.normal(size=d) * rng.choice([0.3, 2.0]) for _ in range(2))
    given = {
        "distance": float(np.linalg.norm(start - star)),
        "eta": eta,
        "E": E,
        "K": K,
        "G": G,
        "L": L,
        "rho": 0.0,
        "excess": 0.0,
    }
    return weighted(**given | changed) - rounds(clients, start, star, eta, E, K)


def test_no_run_exceeds_the_bound_whatever_the_clients_and_the_point_compared_with() -> None:
    assert min(map(slack, range(400))) > -1e-9


def test_without_the_overshoot_or_without_the_start_runs_exceed_it() -> None:
    for changed in ({"excess": -1.0}, {"distance": 0.0}):
        assert min(slack(seed, **changed) for seed in range(400)) < 0, changed


def test_the_theorem_names_no_minimum_of_a_client() -> None:
    proof = claim("DAS-OURS-FREE").proof
    assert proof is not None
    assert not [fact.name for fact in proof.assumptions if "Δ" in fact.name or "f_i*" in fact.name]


def test_what_the_local_steps_cost_is_a_product_of_two_bounds() -> None:
    """z‖∇f_i(w)‖² against G²/(1 − h): on a Huber function as flat as a straight line it comes to G² for every E, and never above."""
    worst = 0.0
    for seed in range(400):
        rng = np.random.default_rng(seed)
        d, E = int(rng.integers(1, 4)), int(rng.integers(1, 9))
        eta, f, w = rng.uniform(0.05, 1.0) / (L * E), Huber(rng, d), rng.normal(size=d) * 3
        local = w.copy()
        for _ in range(E):
            local = local - eta * f.gradient(local)
        length = float(np.linalg.norm(w - local)) / eta
        if length < 1e-9:  # half of a slope of 1 against a tilt of 1/2: f_i is flat there
            continue
        z = G * E / length
        steepest = G**2 / (1 - eta * L * (E - 1) / 2)
        worst = max(worst, z * float(f.gradient(w) @ f.gradient(w)) / steepest)
    assert 0.99 < worst <= 1 + 1e-12
