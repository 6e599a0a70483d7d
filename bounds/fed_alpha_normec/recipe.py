"""Which α, β, γ, η and R a user of Fed-α-NormEC should take: the smallest value of the repaired bounds.

One local step. Write α = t²R and β = wR; the repaired Theorem 1 allows w ≤ (1 + t)² and η = βR/(L(α + R)).
Minimised over R its bound is

    2 √( f_gap·L/(K+1) · [ (1 + t²)(2/w + 2N) + 1/2 ] ),      N = √((1 − p + V)(K+2)/(2pM)),

which is smallest at w = (1 + t)² and at the one root in (0, 1] of (1 − t) = N t (1 + t)³. Without noise that is t = 1,
√(6 f_gap L/(K+1)), next to √(2 f_gap L/(K+1)) for gradient descent; with noise of constant variance it decreases like
(K+1)^(−1/4), faster than the (K+1)^(−1/6) of the paper's Corollary 1, because α shrinks with R.

Several local steps halve η and gain nothing in the bound: it is smallest as γ → 0. `recipe` takes the largest γ whose
drift is a stated share of the rest.

For memories that start farther off than that R, zero ones for example, there are `bounds.fed_alpha_normec.forgets`; their
parameters are those of `bounds.alpha_normec.recipe`, with B* for the variance of the noise, and 2L for L_max where a client makes
several steps.

What the recipe asks for and the paper does not say: every memory v_i⁰ must start within R of the client's first update
(x⁰ − T_i(x⁰))/γ, and the server must know their mean. Sending that mean is not covered by the noise of the rounds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal, get_args

from bounds.alpha_normec.recipe import from_afar
from bounds.fed_alpha_normec.forgets import (
    INCREMENTAL_GRADIENT_FORGETS,
    LOCAL_GRADIENT_FORGETS,
    ONE_STEP_FORGETS,
)
from bounds.fed_alpha_normec.repaired import (
    INCREMENTAL_GRADIENT_SHARP,
    LOCAL_GRADIENT_SHARP,
    ONE_STEP_SHARP,
    second_moment,
)
from bounds.fed_alpha_normec.symbols import SYMBOLS
from bounds.scalars import plain, representable, within_floats
from bounds.statement import Bound

LocalWork = Literal["gradient", "incremental"]
LARGEST = 100.0
"""Limit on β/R, the sensitivity of what is sent, where memories start far off."""


@dataclass(frozen=True)
class Recipe:
    """Parameters of Fed-α-NormEC and what is proved for them.

    alpha, beta, R: gradients (f/x); gamma: x²/f; eta: length x. V: total variance E‖z‖² of a client's noise.
    theorem: the claim that proves the bound. bound: on min over k of E‖∇f(xᵏ)‖. known: √(2L f_gap), which holds at x⁰
    before anything is run.
    """

    alpha: float
    beta: float
    gamma: float
    eta: float
    R: float
    V: float
    theorem: str
    bound: float
    known: float

    @property
    def useful(self) -> bool:
        """Whether the bound says more than what is known without running the method."""
        return self.bound < self.known


def recipe(
    *, f_gap: float, L: float, M: int, K: int, p: float = 1.0, V: float = 0.0, T: int = 1, Delta: float = 0.0,
    Delta_local: float = 0.0, local_work: LocalWork = "gradient", share: float = 0.1, least_R: float = 0.0,
) -> Recipe:  # fmt: skip
    """The parameters that make the smaller of two bounds smallest: the repaired one, and the one for any memories.

    f_gap: f(x⁰) − f^inf, or an upper bound on it (> 0). L: smoothness of every f_{i,j}. M clients, K + 1
    rounds, each client sends with probability p and adds noise with E‖z‖² = V. T local gradient steps, or
    one pass of incremental gradient (local_work="incremental"). Delta, Delta_local: Δ^inf and the mean of
    Δ_i^inf = f_i^inf − (1/N) Σ_j f_{i,j}^inf, or upper bounds (≥ 0), read only with several local steps.
    share: the drift's share of the rest of the bound. least_R: what max_i ‖(x⁰ − T_i(x⁰))/γ − v_i⁰‖ cannot be brought below.

    Raises `ValueError` for a value outside its domain.
    """
    if plain(f_gap) == 0:
        raise ValueError("f_gap = 0 is outside its domain > 0: the start is a minimiser")
    spreads = {"Delta": Delta, "Delta_local": Delta_local}
    letters = {"f_gap": f_gap, "L": L, "M": M, "K": K, "p": p, "V": V, "T": T, "R": least_R, **spreads}
    given: dict[str, Any] = {name: SYMBOLS[name].number(value, "recipe") for name, value in letters.items()}
    steps, radius, part = given.pop("T"), given.pop("R"), plain(share)
    if local_work not in get_args(LocalWork):
        raise ValueError(
            f"local_work = {local_work!r} is not known; choose one of {', '.join(get_args(LocalWork))}"
        )
    if not 0 < part <= 1:
        raise ValueError(f"share = {share} is outside its domain (0, 1]")
    if min(given["Delta"], given["Delta_local"]) < 0:
        raise ValueError(
            f"Delta = {Delta}, Delta_local = {Delta_local}: both are >= 0 when the f^inf are infima"
        )
    several = steps > 1 or local_work == "incremental"
    with within_floats({**given, "least_R": radius}):
        return _best(_BOUNDS[local_work if several else "one step"], several, given, part, radius)


def _best(
    bounds: tuple[Bound, Bound], several: bool, given: dict[str, Any], share: float, least_R: float
) -> Recipe:
    """`recipe` of checked numbers; several: local steps, or one pass."""
    near, far = bounds
    f_gap, L, M, K, p, V = (given[name] for name in ("f_gap", "L", "M", "K", "p", "V"))
    representable(math.sqrt(2 * L * f_gap), f"√(2L f_gap) for L = {L} and f_gap = {f_gap}")
    # Several steps: an η half as long, so twice the gap in the same formula, and the last error at the server, not the mean.
    gap, errors = (2 * f_gap, K + 1) if several else (f_gap, (K + 2) / 2)
    noisy = math.sqrt(second_moment(p, V) * errors / M)
    alpha, beta, R, eta = _scales(gap, L, K, noisy)
    found = [(near, alpha, beta, eta / 2 if several else eta, R)] if least_R <= R else []
    if found:
        representable(alpha, f"α for f_gap = {f_gap}, L = {L}, M = {M}, K = {K}, p = {p} and V = {V}")
    moves = 2 * L if several else L
    found.append((far, *from_afar(f_gap, L, moves, K, noisy, least_R, LARGEST)))
    return min((_filled(*one, given, share) for one in found), key=lambda one: one.bound)


_BOUNDS: dict[str, tuple[Bound, Bound]] = {
    "one step": (ONE_STEP_SHARP, ONE_STEP_FORGETS),
    "gradient": (LOCAL_GRADIENT_SHARP, LOCAL_GRADIENT_FORGETS),
    "incremental": (INCREMENTAL_GRADIENT_SHARP, INCREMENTAL_GRADIENT_FORGETS),
}
"""For memories within a small R, and for any."""


def _filled(
    bound: Bound, alpha: float, beta: float, eta: float, R: float, given: dict[str, float], share: float
) -> Recipe:
    """γ where the bound has one: as long as its drift, which is linear in γ, is at most `share` of the rest."""
    L, letters = given["L"], given | {"alpha": alpha, "beta": beta, "eta": eta, "R": R}
    letters = {name: value for name, value in letters.items() if name in bound.parameters}
    gamma = 1 / (2 * L)
    if "gamma" in bound.parameters:
        rest = bound.value(gamma=0.0, **letters)
        drift = (
            bound.value(gamma=gamma, **letters) - rest
        )  # at the largest γ, where it cannot vanish beside the rest
        gamma *= min(1.0, share * rest / drift) if drift > 0 else 1.0
        letters["gamma"] = gamma
    known = math.sqrt(2 * L * given["f_gap"])
    return Recipe(alpha, beta, gamma, eta, R, given["V"], bound.name, float(bound(**letters)), known)


_ROUNDING = 1e-12
"""β and η are taken smaller by this factor, so that floats cannot step over their limits."""


def _scales(f_gap: float, L: float, K: int, N: float) -> tuple[float, float, float, float]:
    """α, β, R and η of the one-step bound at its minimum."""
    t = _root(N)
    w = (1 + t) ** 2 * (1 - _ROUNDING)
    R = math.sqrt(f_gap * L / (K + 1) * (1 + t * t) / w / (2 + 2 * w * N + w / (2 * (1 + t * t))))
    return t * t * R, w * R, R, w * R / (1 + t * t) / L * (1 - _ROUNDING)


def _root(N: float) -> float:
    """The root t in (0, 1] of 1 − t = N t (1 + t)³, for N ≥ 0, by bisection to the last float."""
    low, high = 0.0, 1.0
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if 1 - middle >= N * middle * (1 + middle) ** 3 else (low, middle)
    return high
