"""Which α, β, γ, η and R a user of Fed-α-NormEC should take: the smallest value of the repaired bounds.

Near memories. Write α = t²R and β = wR, and let a round move P_i by at most mη: m = L with one local step, 2L with several.
The repaired Theorem 1 allows w ≤ (1 + t)² and η ≤ wR/(m(1 + t²)), and its bound before the drift is

    f_gap/((K+1)η) + Lη/2 + 2R + 2NwR,      N = √((1 − p + V)(K+2)/(2pM)).

At the largest w and η it has the form a/R + bR, is smallest at R = √(a/b) with the value

    2 √( f_gap·m/(K+1) · [ (1 + t²)(2/w + 2N) + L/(2m) ] ),

and t is the one root in (0, 1] of (1 − t) = N t (1 + t)³. Without noise that is t = 1 and, with one step, √(6 f_gap L/(K+1)),
next to √(2 f_gap L/(K+1)) for gradient descent; with noise of constant variance it decreases like (K+1)^(−1/4), faster than the
(K+1)^(−1/6) of the paper's Corollary 1, because α shrinks with R.

Where the memories cannot be brought within that R, R is what they can be brought within, `least_R`: at the least α that w allows,
η ≤ R g(w)/m with g(w) = w up to w = 1 and (1 + t)²/(1 + t²) behind it, which is concave, so that the bound is convex in η, β and
R together. Then w is no longer as large as allowed; with A = f_gap·m/((K+1)R²) and B = L/(2m) the derivative vanishes at

    w = √(A/(B + 2N)) where that is at most 1 (and α → 0), else at the root t of (1 − t)(A/(1 + t)⁴ − B/(1 + t²)²) = 2N.

Several local steps halve η and gain nothing in the bound: it is smallest as γ → 0. `recipe` takes the largest γ whose
drift is a stated share of the rest.

For memories that start far off, zero ones for example, there are the bounds of `bounds.fed_alpha_normec.forgets`, too, and those of
`bounds.fed_alpha_normec.contracted`, which with one local step come near gradient descent's where nothing is random; their parameters
are those of `bounds.alpha_normec.recipe`, with B* for the variance of the noise, and 2L for L_max where a client makes several steps.

What the recipe asks for and the paper does not say: every memory v_i⁰ must start within R of the client's first update
(x⁰ − T_i(x⁰))/γ, and the server must know their mean. Sending that mean is not covered by the noise of the rounds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from bounds.alpha_normec.recipe import contracting, from_afar
from bounds.fed_alpha_normec.contracted import (
    INCREMENTAL_GRADIENT_CONTRACTS,
    LOCAL_GRADIENT_CONTRACTS,
    ONE_STEP_CONTRACTS,
)
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
from bounds.scalars import end_of, plain, representable, within_floats
from bounds.statement import Bound, ConditionError

LocalWork = Literal["gradient", "incremental"]
DOMAINS = {
    **SYMBOLS,
    **{name: replace(SYMBOLS[name], domain=">= 0") for name in ("Delta", "Delta_local")},
    "f_gap": replace(
        SYMBOLS["f_gap"], domain="> 0", meaning="initial gap of the objective; at 0 the start is a minimiser"
    ),
}
"""The letters as the recipe takes them; where the f^inf are infima, both Δs are >= 0."""
LARGEST = 100.0
"""Limit on β/R, the sensitivity of what is sent, in the bounds for memories that start anywhere."""


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
    """The parameters that make the least of the bounds smallest: the repaired one, and those for any memories.

    f_gap: f(x⁰) − f^inf, or an upper bound on it (> 0). L: smoothness of every f_{i,j}. M clients, K + 1
    rounds, each client sends with probability p and adds noise with E‖z‖² = V. T local gradient steps, or
    one pass of incremental gradient (local_work="incremental"). Delta, Delta_local: Δ^inf and the mean of
    Δ_i^inf = f_i^inf − (1/N) Σ_j f_{i,j}^inf, or upper bounds (≥ 0), read only with several local steps.
    share: the drift's share of the rest of the bound. least_R: what max_i ‖(x⁰ − T_i(x⁰))/γ − v_i⁰‖ cannot be brought below.

    Raises `ValueError` for a value outside its domain, `TypeError` for what is no number.
    """
    spreads = {"Delta": Delta, "Delta_local": Delta_local}
    letters = {"f_gap": f_gap, "L": L, "M": M, "K": K, "p": p, "V": V, "T": T, "R": least_R, **spreads}
    given: dict[str, Any] = {name: DOMAINS[name].number(value, "recipe") for name, value in letters.items()}
    steps, radius, part = given.pop("T"), given.pop("R"), plain(share)
    if local_work not in get_args(LocalWork):
        raise ValueError(
            f"local_work = {local_work!r} is not known; choose one of {', '.join(get_args(LocalWork))}"
        )
    if not 0 < part <= 1:
        raise ValueError(f"share = {share} is outside its domain (0, 1]")
    several = steps > 1 or local_work == "incremental"
    with within_floats({**given, "least_R": radius}):
        return _best(_BOUNDS[local_work if several else "one step"], several, given, part, radius)


def _best(
    bounds: tuple[Bound, Bound, Bound], several: bool, given: dict[str, Any], share: float, least_R: float
) -> Recipe:
    """`recipe` of checked numbers; several: local steps, or one pass."""
    near, far, contracted = bounds
    f_gap, L, M, K, p, V = (given[name] for name in ("f_gap", "L", "M", "K", "p", "V"))
    representable(math.sqrt(2 * L * f_gap), "√(2L f_gap)", L=L, f_gap=f_gap)
    moves = 2 * L if several else L
    noisy = math.sqrt(second_moment(p, V) * (K + 2) / 2 / M)
    close = _close(f_gap, L, moves, K, noisy, least_R)
    representable(close[0], "α", f_gap=f_gap, L=L, M=M, K=K, p=p, V=V)
    representable(close[1], "β", f_gap=f_gap, L=L, M=M, K=K, p=p, V=V, least_R=least_R)
    anywhere = (f_gap, L, moves, K, noisy, least_R, LARGEST)
    best = [_filled(near, *close, given, share)]
    for bound, choose in ((far, from_afar), (contracted, contracting)):
        try:
            best.append(_filled(bound, *choose(*anywhere), given, share))
        except ConditionError:  # floats stepped over a limit all the same: the other bounds hold without it
            continue
    return min(best, key=lambda one: one.bound)


_BOUNDS: dict[str, tuple[Bound, Bound, Bound]] = {
    "one step": (ONE_STEP_SHARP, ONE_STEP_FORGETS, ONE_STEP_CONTRACTS),
    "gradient": (LOCAL_GRADIENT_SHARP, LOCAL_GRADIENT_FORGETS, LOCAL_GRADIENT_CONTRACTS),
    "incremental": (INCREMENTAL_GRADIENT_SHARP, INCREMENTAL_GRADIENT_FORGETS, INCREMENTAL_GRADIENT_CONTRACTS),
}
"""For memories within a small R, for any, and for any with β < 2α."""


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
"""β and η are taken smaller by this factor, so that floats cannot step over their limits; and where α → 0 is best it is this
share of R, which shortens η by as much."""


def _close(
    f_gap: float, L: float, moves: float, K: int, N: float, least_R: float
) -> tuple[float, float, float, float]:
    """α, β, η and R that make the near bound smallest before the drift, R being at least `least_R`."""
    t = end_of(lambda t: 1 - t - N * t * (1 + t) ** 3 >= 0)
    w, square = (1 + t) ** 2 * (1 - _ROUNDING), t * t
    a, b = f_gap * moves / (K + 1) * (1 + square) / w, 2 + 2 * w * N + L / moves * w / (2 * (1 + square))
    R = math.sqrt(a / b)
    if R < least_R:
        R = least_R
        w, square = _shares(f_gap * moves / (K + 1) / R / R, L / (2 * moves), N)
    return square * R, w * R, w * R / (1 + square) / moves * (1 - _ROUNDING), R


def _shares(A: float, B: float, N: float) -> tuple[float, float]:
    """β/R and α/R for a given R; A, B and N as above."""
    if A <= B + 2 * N:
        return math.sqrt(A / (B + 2 * N)), _ROUNDING
    t = end_of(lambda t: (1 - t) * (A / (1 + t) ** 4 - B / (1 + t * t) ** 2) - 2 * N >= 0)
    return (1 + t) ** 2 * (1 - _ROUNDING), max(t * t, _ROUNDING)
