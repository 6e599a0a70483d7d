"""What to use instead of Theorem 4: parameters and a bound that holds, from what a user knows.

The noise is exact Gaussian accounting (no absolute constant q): with all n clients in every round and only
their sum seen, K rounds are as private as one Gaussian of μ = s√K C/(√n · noise), so noise = s C √(K/n)/μ
for each client and coordinate, and the averaged noise has E‖ζ‖² = K C² ρ² with ρ = s√d/(nμ). Here s is 1
where one client of the neighbouring data set sends noise alone, 2 where one client is replaced. ρ does not
depend on K, so more rounds cost no privacy; they only shrink the terms that the bound has beyond
G ‖w₀ − w*‖ ρ.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

from bounds.dp_normfedavg.repaired import CLIPPING, NORMALISING
from bounds.dp_normfedavg.symbols import SYMBOLS
from bounds.privacy.gaussian import certified_mu
from bounds.scalars import plain, representable, short, within_floats

Method = Literal["clipping", "normalisation"]
MAX_ROUNDS = 1 << 40


@dataclass(frozen=True)
class Recipe:
    """Parameters of Algorithm 1 with all clients in every round (r = n), and what they guarantee.

    C: threshold or scaling factor (f/x). eta, beta: learning rates (x²/f). K: rounds. noise: standard deviation of a
    client's noise in each coordinate (f/x), the √r σ of line 12. rho: relative size of the noise. theorem: the claim that
    proves the bound. bound: E[f(w_k̃) − f(w*)] is at most this. known: f(w₀) − f(w*) is at most this before any round.
    """

    method: Method
    C: float
    E: int
    eta: float
    beta: float
    K: int
    noise: float
    rho: float
    theorem: str
    bound: float
    known: float

    @property
    def useful(self) -> bool:
        """Whether the bound says more than what is known without running the method."""
        return self.bound < self.known


def recipe(
    method: Method,
    *,
    L: float,
    G: float,
    distance: float,
    n: int,
    d: int,
    epsilon: float,
    delta: float,
    E: int = 1,
    K: int | None = None,
    Delta: float = 0.0,
    sensitivity: Literal[1, 2] = 2,
    slack: float = 0.05,
) -> Recipe:
    """Safe parameters for convex, L-smooth, G-Lipschitz f_i (f/x², f/x) and a start within `distance` (x)
    of w*.

    Delta: mean of f_i(w*) − min f_i (f), ≥ 0; normalisation is only offered for Δ = 0, because where clients
    disagree its printed bound says nothing of f(w) − f(w*) (DAS-T4b-MEANS). K: rounds; without it, the
    fewest (to 1%) for which the bound is within `slack` of its limit G · distance · ρ. sensitivity: 1 the
    neighbour's client sends noise alone, 2 it is replaced. Raises `ValueError` naming the value and the cure where no guarantee
    exists.
    """
    if method not in ("clipping", "normalisation"):
        raise ValueError(f"method = {method!r} is neither 'clipping' nor 'normalisation'")
    given = {"L": L, "G": G, "distance": distance, "n": n, "d": d, "E": E, "Delta": Delta}
    if K is not None:
        given["K"] = K
    letters: dict[str, Any] = {name: SYMBOLS[name].number(value, "recipe") for name, value in given.items()}
    L, G, distance, n, d, E = (letters[name] for name in ("L", "G", "distance", "n", "d", "E"))
    Delta, K = letters["Delta"], letters.get("K")
    if distance == 0:
        raise ValueError("distance = 0 is outside its domain > 0: the start is a minimiser")
    if method == "normalisation" and Delta > 0:
        raise ValueError(
            f"normalisation has no guarantee for Delta = {Delta} > 0: clients with different minimisers pull with "
            "equal force wherever they stand; clipping has one"
        )
    if (s := plain(sensitivity)) not in (1, 2):
        raise ValueError(
            f"sensitivity = {sensitivity} is neither 1 (the neighbour's client sends noise alone) nor 2 (it is replaced)"
        )
    part = plain(slack)
    if not 0 < part < math.inf:
        raise ValueError(f"slack = {short(slack)} is outside its domain: finite and > 0")
    proved = CLIPPING if method == "clipping" else NORMALISING
    shared = {"distance": distance, "E": E, "G": G, "L": L}

    def at(rounds: int) -> tuple[float, float]:
        eta = min(distance / (G * rho * E * rounds), 1 / (L * E))
        given = {**shared, "eta": eta, "K": rounds, "rho": rho, "excess": 0.0}
        bound = CLIPPING(**given, Delta=Delta) if method == "clipping" else NORMALISING(**given)
        return eta, float(bound)

    with within_floats({**letters, "ε": epsilon, "δ": delta}):
        known = min(G * distance, L * distance**2 / 2)
        representable(known, f"min(G·distance, L·distance²/2) for G = {G}, L = {L} and distance = {distance}")
        mu = certified_mu(epsilon, delta)
        rho = s * math.sqrt(d) / (n * mu)
        if K is None:
            K = _fewest_rounds(lambda rounds: at(rounds)[1], (1 + part) * G * distance * rho)
        eta, bound = at(K)
        C = G * E
        noise = s * C * math.sqrt(K / n) / mu
    return Recipe(method, C, E, eta, eta, K, noise, rho, proved.name, bound, known)


def _fewest_rounds(bound_at, target: float) -> int:
    """The smallest power of 2, refined by bisection to 1%, whose bound is at most `target`."""
    high = 1
    while bound_at(high) > target:
        high *= 2
        if high > MAX_ROUNDS:
            raise ValueError(f"no K up to {MAX_ROUNDS} brings the bound to {target}; give a larger slack")
    low = high // 2
    while high - low > max(1, high // 100):
        middle = (low + high) // 2
        low, high = (low, middle) if bound_at(middle) <= target else (middle, high)
    return high
