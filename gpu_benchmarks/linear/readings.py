"""What DP-NormFedAvg's Table 2 leaves open, each point a named reading with its options.

Printed in Appendices G and H: n = 3,000 clients (5,000 for CIFAR), participation r = 0.2 n, E = 20 local steps, weight
decay 1e-4, δ = 1e-5, the grids of C and η₀, β_k = 0.5 η_k, η_k = 0.99^k η₀, server momentum 0.8. Not
printed: everything in `Readings`, the number of rounds K and the constant q of Theorem 3, σ² = q
K C² log(1/δ) / (n² ε²).

K and q enter the noise only through the *noise level* s = σ / C, so s is what a run is given and
`noise_level` says which s a pair (q, K) means.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, fields
from typing import Any

CLIENTS = 3_000  # n of Fashion-MNIST, Appendix G
FEATURE_CLIENTS = 5_000  # n of CIFAR-10 and CIFAR-100, Appendix G
PARTICIPATION = 0.2  # r / n, Appendix G
LOCAL_STEPS = 20  # E, "20 local client updates per-round"
WEIGHT_DECAY = 1e-4  # Appendix G: adds 1e-4 w to each local gradient, as PyTorch does
DELTA = 1e-5  # Appendix G
EPSILONS = (5.0, 2.0)  # Appendix G
CLIP_GRID = (500.0, 250.0, 125.0, 62.5, 31.25, 15.625)  # C, Appendix G
STEP_GRID = (1e-3, 2e-3, 4e-3, 8e-3, 1e-2, 2e-2, 4e-2, 8e-2, 1e-1, 2e-1, 4e-1, 8e-1)  # η₀, Appendix H
SERVER_RATIO = 0.5  # β_k / η_k, Appendix H
STEP_DECAY = 0.99  # η_{k+1} / η_k, Appendix H
SERVER_MOMENTUM = 0.8  # Appendix H

OPTIONS: dict[str, tuple[str, ...]] = {
    "scaling": ("unit", "centred", "standard", "raw", "sphere"),
    "bias": ("yes", "no"),
    "start": ("zero", "uniform"),
    "momentum": ("heavy-ball", "averaged", "none"),
    "fedavg_server": ("algorithm-2", "as-private"),
    "participation": ("poisson", "fixed"),
    "divide_by": ("r", "present"),
    "noise": ("per-client", "aggregate"),
    "partition": ("per-run", "one"),
}
"""Options of each reading; the first is the default (the text's most literal sense)."""


@dataclass(frozen=True)
class Readings:
    """One choice for each open point.

    scaling
        pixels as x/255 (`unit`), (x/255 − ½)/½ (`centred`), (x/255 − 0.2860)/0.3530 (`standard`,
        the mean and deviation of the training pixels), 0..255 (`raw`), or each image divided by its own
        Euclidean norm (`sphere`). Features of a network are left as they are (`raw`) or divided by their
        norm (`sphere`).
    bias
        whether the linear layer has a bias (with weight decay on it, as PyTorch applies it).
    start
        w₀ = 0, or uniform on ±1/√(inputs), PyTorch's default for a linear layer.
    momentum
        v ← 0.8 v + a (`heavy-ball`), v ← 0.8 v + 0.2 a (`averaged`), or v = a; then w ← w − β v.
    fedavg_server
        FedAvg as Algorithm 2 prints it (β = η, no momentum), or with the server of the private methods.
    participation
        each client with probability r/n (Algorithm 1), or r clients exactly (Algorithm 2).
    divide_by
        the sum of what was sent is divided by r (Algorithm 1), or by the number present.
    noise
        N(0, rσ²) by each client present (Algorithm 1), or N(0, r²σ²) once on the sum.
    partition
        clients' data drawn anew in each run, or the same in all runs.
    """

    scaling: str = "unit"
    bias: str = "yes"
    start: str = "zero"
    momentum: str = "heavy-ball"
    fedavg_server: str = "algorithm-2"
    participation: str = "poisson"
    divide_by: str = "r"
    noise: str = "per-client"
    partition: str = "per-run"

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if value not in OPTIONS[field.name]:
                raise ValueError(
                    f"reading {field.name} = {value!r}: choose one of {', '.join(OPTIONS[field.name])}"
                )

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


NOISE_FORMS = ("deviation", "variance")
"""Theorem 3 prints a variance, σ² = C² v. `deviation`: the noise has that variance, s = √v. `variance`: v is used
as if it were a deviation, s = v, the slip that the printed fall from ε = 5 to ε = 2 suggests."""


def noise_level(
    epsilon: float,
    rounds: int,
    q: float,
    form: str = "deviation",
    clients: int = CLIENTS,
    delta: float = DELTA,
) -> float:
    """s = σ / C of Theorem 3: σ² = C² v with v = q K log(1/δ) / (n² ε²).

    Raises ValueError outside ε > 0, q > 0, K ≥ 1, all finite, and for an unknown form.
    """
    _check_noise(epsilon, "q", q, rounds, form)
    v = q * rounds * math.log(1 / delta) / (clients * epsilon) ** 2
    return v if form == "variance" else math.sqrt(v)


def constant_q(
    noise: float,
    epsilon: float,
    rounds: int,
    form: str = "deviation",
    clients: int = CLIENTS,
    delta: float = DELTA,
) -> float:
    """The q of Theorem 3 that makes σ / C equal to `noise`; the inverse of `noise_level`, and raises as it does."""
    _check_noise(epsilon, "s", noise, rounds, form)
    v = noise if form == "variance" else noise**2
    return v * (clients * epsilon) ** 2 / (rounds * math.log(1 / delta))


def _check_noise(epsilon: float, name: str, value: float, rounds: int, form: str) -> None:
    if not all(0 < number < math.inf for number in (epsilon, value, rounds)):
        raise ValueError(f"ε = {epsilon}, {name} = {value}, K = {rounds}: all must be positive and finite")
    if form not in NOISE_FORMS:
        raise ValueError(f"form of the noise {form!r}: choose one of {', '.join(NOISE_FORMS)}")
