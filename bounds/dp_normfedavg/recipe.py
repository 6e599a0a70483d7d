"""What to use instead of Theorem 4: parameters and a bound that holds, from what a user knows.

The noise is exact Gaussian accounting (no absolute constant q): with all n clients in every round and only
their sum seen, K rounds are as private as one Gaussian of μ = s√K C/(√n · noise), so noise = s C √(K/n)/μ
for each client and coordinate, and the averaged noise has E‖ζ‖² = K C² ρ² with ρ = s√d/(nμ). Here s is 1
where one client of the neighbouring data set sends noise alone, 2 where one client is replaced. ρ does not
depend on K, so more rounds cost no privacy; they only shrink the terms that the bound has beyond
G ‖w₀ − w*‖ ρ.

The step. With all clients in every round (c = 0) and η = ℓ/(LE), 0 < ℓ ≤ 1, both proved bounds are

    (a/ℓ + bℓ + vΔℓ²)/(2 − vℓ²),    a = L‖w₀ − w*‖²/K,    b = (Kρ² + o) G²/L,    v = (E − 1)(2E − 1)/(3E²) < 2/3,

o = 1 for normalisation, whose steps overshoot, 0 for clipping, and Δ = 0 for normalisation. The numerator is convex and the
denominator concave, so the quotient falls up to the one root of its derivative's numerator,

    −2a + (2b + 3va)ℓ² + 4vΔℓ³ + vbℓ⁴,

and rises behind it: ℓ is that root, or 1 where it is beyond 1.

The rounds. At the same ηK the bound only falls with K, and longer ηK are allowed: so does the smallest bound, and the fewest
rounds that reach a target are found by bisection.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

from bounds.dp_normfedavg.repaired import CLIPPING, NORMALISING, drift
from bounds.dp_normfedavg.symbols import SYMBOLS
from bounds.privacy.gaussian import certified_mu
from bounds.scalars import end_of, plain, representable, short, within_floats
from bounds.statement import Bound

Method = Literal["clipping", "normalisation"]
DOMAINS = {
    **SYMBOLS,
    "distance": replace(
        SYMBOLS["distance"], domain="> 0", meaning="distance from a minimiser of f; at 0 the start is one"
    ),
}
"""The letters as the recipe takes them."""
MAX_ROUNDS = 1 << 40
_ROUNDING = 1e-11
"""The noise is larger by this share than is needed, so that its sum and its mean, as floats, are no less private."""


@dataclass(frozen=True)
class Recipe:
    """Parameters of Algorithm 1 with all clients in every round (r = n), and what they guarantee.

    C: threshold or scaling factor (f/x). eta, beta: learning rates (x²/f). K: rounds. client_noise: standard deviation of each
    client's noise in each coordinate (f/x), the √r σ of line 12; sum_noise, mean_noise: of the n noises of a round together, in
    the sum of the clients' updates and in its mean. rho: relative size of the noise. theorem: the claim that proves the bound.
    bound: E[f(w_k̃) − f(w*)] is at most this. known: f(w₀) − f(w*) is at most this before any round.
    """

    method: Method
    C: float
    E: int
    eta: float
    beta: float
    K: int
    client_noise: float
    sum_noise: float
    mean_noise: float
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
    fewest for which the bound is within `slack` of its limit G · distance · ρ. The step is the one at which the proved
    bound for these rounds is smallest. sensitivity: 1 the neighbour's client sends noise alone, 2 it is replaced. Raises
    `ValueError` naming the value and the cure where no guarantee exists, `TypeError` for what is no number.
    """
    if method not in ("clipping", "normalisation"):
        raise ValueError(f"method = {method!r} is neither 'clipping' nor 'normalisation'")
    given = {"L": L, "G": G, "distance": distance, "n": n, "d": d, "E": E, "Delta": Delta}
    if K is not None:
        given["K"] = K
    letters: dict[str, Any] = {name: DOMAINS[name].number(value, "recipe") for name, value in given.items()}
    L, G, distance, n, d, E = (letters[name] for name in ("L", "G", "distance", "n", "d", "E"))
    Delta, K = letters["Delta"], letters.get("K")
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

    with within_floats({**letters, "ε": epsilon, "δ": delta}):
        known = min(G * distance, L * distance**2 / 2)
        representable(known, "min(G·distance, L·distance²/2)", G=G, L=L, distance=distance)
        mu = certified_mu(epsilon, delta) * (1 - _ROUNDING)
        problem = _Problem(method, L, G, distance, E, Delta, rho=s * math.sqrt(d) / (n * mu))
        if K is None:
            K = _fewest_rounds(problem.smallest, (1 + part) * G * distance * problem.rho)
        eta, C = problem.step(K), G * E
        noise, bound = s * C * math.sqrt(K / n) / mu, problem.at(eta, K)
    return Recipe(
        method, C, E, eta, eta, K, noise, noise * math.sqrt(n), noise / math.sqrt(n), problem.rho, problem.proved.name, bound, known,
    )  # fmt: skip


@dataclass(frozen=True)
class _Problem:
    """What the bound depends on beside η and K: `recipe`'s checked letters, and ρ."""

    method: Method
    L: float
    G: float
    distance: float
    E: int
    Delta: float
    rho: float

    @property
    def proved(self) -> Bound:
        return CLIPPING if self.method == "clipping" else NORMALISING

    def at(self, eta: float, K: int) -> float:
        """The proved bound; raises where η is outside its conditions."""
        letters = {"eta": eta, "K": K, "excess": 0.0, "distance": self.distance, "E": self.E, "G": self.G, "L": self.L,
                   "rho": self.rho, "Delta": self.Delta}  # fmt: skip
        return float(self.proved(**{name: letters[name] for name in self.proved.parameters}))

    def step(self, K: int) -> float:
        """The η that makes the bound smallest: ℓ/(LE), see the module."""
        start = self.L * self.distance**2 / K
        overshoot = 1 if self.method == "normalisation" else 0
        slope = (K * self.rho**2 + overshoot) * self.G**2 / self.L
        v = drift(1 / self.E, 1.0, self.E)  # of ηL = 1/E, which is ℓ = 1

        def rising(ell: float) -> float:
            """The polynomial that has the derivative's sign, in units of f."""
            square = ell * ell
            curved = 4 * self.Delta * ell + slope * square
            return square * (2 * slope + 3 * v * start + v * curved) - 2 * start

        given = {"L": self.L, "G": self.G, "distance": self.distance, "E": self.E, "K": K}
        return representable(end_of(lambda ell: rising(ell) < 0) / (self.L * self.E), "η", **given)

    def smallest(self, K: int) -> float:
        """The bound at the best η."""
        return self.at(self.step(K), K)


def _fewest_rounds(bound_at: Callable[[int], float], target: float) -> int:
    """The fewest rounds for which a bound that falls with them is at most `target`."""
    high = 1
    while bound_at(high) > target:
        high *= 2
        if high > MAX_ROUNDS:
            raise ValueError(
                f"even with K = {MAX_ROUNDS} the bound is above {target}, its limit and the slack; give the K that you can afford"
            )
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if bound_at(middle) <= target else (middle, high)
    return high
