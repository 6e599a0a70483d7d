"""Which α, β, γ and R a user of α-NormEC should take: the smallest value of four proved bounds.

Two are those of `bounds.alpha_normec.ours`. They have the form a/R + bR once α = uR, β = wR and γ = wR/((u + 1)L_max), the longest
step, are put in:

    a = f_gap L_max (u + 1)/(w (K+1)),      b = 2 · rest + 2wN + L w/(2(u + 1)L_max),      N = √((K+2)V/(2n)),

with rest = 1 where w ≤ (1 + √u)², and rest = 1 − w/(u + 1) where w ≤ u. So R = √(a/b), w is as large as allowed, and one number u
is left to be searched in each case. Where the memories really have a larger residual than that √(a/b), R is this residual; then the
longest step may be too long, so that γ is at most gradient descent's √(2 f_gap/(L(K+1))), and a smaller w may save more noise
than it costs: with c = 2N, less 2/(u + 1) where w ≤ u, and c > 0 the best w is

    √(f_gap (u + 1)L_max/((K+1)(L/(2(u + 1)L_max) + c)))/R.

Without noise the second case with u → ∞ tends to gradient descent's √(2L f_gap/(K+1)); `largest` limits u, because the
sensitivity of what is sent is β = uR.

The third, of `bounds.alpha_normec.forgets`, pays for R once and not in every round: it is for memories that start far off, zero
ones too. With α = β/√2, the least allowed, and γ = tβ/L_max, t < 1, it is p/β + qβ + √2 R/((1 − t)(K+1)) with

    p = (f_gap L_max/t + R²/(1 − t))/(K+1),      q = 2N + L t/(2L_max) + (√2 t + t²)/(1 − t),

so β = √(p/q), and t is searched.

The fourth, of `bounds.alpha_normec.contracted`, pays once too, and least where β may be large against R. With α = uR and β = wR,
and u = (w − 1 + √(w²+1))/2, for which η is largest at w, it is f_gap/(γ(K+1)) + pγ + qR with

    (1 − η)/η = c = (1 + 1/(w + √(w²+1)))/(2w),      p = L/2 + 2cL_max,      q = 2c/(K+1) + 2wN,

so γ = √(f_gap/(p(K+1))) or the longest step ηR/L_max, R is as small as it can be or that for which the longest step is best, and w is
searched.

What the recipe asks for and the paper does not say: every memory g_i⁰ must start within R of ∇f_i(x⁰), and the server must know
their mean; sending that mean is not covered by the rounds' noise (zero memories need not be sent).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from scipy.optimize import minimize_scalar

from bounds.alpha_normec.contracted import PRIVATE_CONTRACTS, lessened
from bounds.alpha_normec.forgets import PRIVATE_FORGETS
from bounds.alpha_normec.ours import LETTERS, PRIVATE_SHARP, PRIVATE_WIDE
from bounds.scalars import plain, representable, within_floats
from bounds.statement import Bound, ConditionError

DOMAINS = {
    **LETTERS,
    "f_gap": replace(
        LETTERS["f_gap"], domain="> 0", meaning="initial gap of the objective; at 0 the start is a minimiser"
    ),
}
"""The letters as the recipe takes them."""
_ROUNDING = 1e-12
"""β and γ are taken smaller by this factor, so that floats cannot step over their limits."""


@dataclass(frozen=True)
class Recipe:
    """Parameters of α-NormEC and what is proved for them.

    alpha, beta, R: gradients (f/x); gamma: a length x. theorem: the claim that proves the bound. bound: on
    min over k of E‖∇f(xᵏ)‖. known: √(2L f_gap), which holds at x⁰ before anything is run.
    """

    alpha: float
    beta: float
    gamma: float
    R: float
    theorem: str
    bound: float
    known: float

    @property
    def useful(self) -> bool:
        """Whether the bound says more than what is known without running the method."""
        return self.bound < self.known


def recipe(
    *,
    f_gap: float,
    L: float,
    K: int,
    n: int = 1,
    L_max: float | None = None,
    V: float = 0.0,
    least_R: float = 0.0,
    largest: float = 100.0,
) -> Recipe:
    """The parameters that minimise the four proved bounds over K + 1 rounds.

    f_gap: f(x⁰) − f^inf or an upper bound on it (> 0). L: smoothness of f. L_max: largest smoothness of a client (default
    L). n clients. V = E‖z_i‖² of a client's noise (dσ² for standard deviation σ per coordinate; `bounds.privacy` gives the σ
    for an (ε, δ)). least_R: what max_i ‖∇f_i(x⁰) − g_i⁰‖ cannot be brought below. largest: limit on α/R and β/R (≥ 1).

    Raises `ValueError` for a value outside its domain, `TypeError` for what is no number.
    """
    L_max = L if L_max is None else L_max
    given = {"f_gap": f_gap, "L": L, "L_max": L_max, "K": K, "n": n, "V": V, "R": least_R}
    shared: dict[str, Any] = {name: DOMAINS[name].number(value, "recipe") for name, value in given.items()}
    top = plain(largest)
    if not (math.isfinite(top) and top >= 1):
        raise ValueError(f"largest = {largest} is outside its domain: finite and >= 1")
    shared |= {"least_R": shared.pop("R"), "largest": top}
    with within_floats(shared):
        return _best(**shared)


def _best(
    f_gap: float, L: float, L_max: float, K: int, n: int, V: float, least_R: float, largest: float
) -> Recipe:
    """`recipe` of checked numbers."""
    known = representable(math.sqrt(2 * L * f_gap), "√(2L f_gap)", L=L, f_gap=f_gap)
    noise = math.sqrt((K + 2) * V / (2 * n))
    shared = {"f_gap": f_gap, "L": L, "K": K, "n": n, "L_max": L_max, "V": V}

    def made(bound: Bound, alpha: float, beta: float, gamma: float, R: float) -> Recipe:
        for text, value in (("α", alpha), ("β", beta), ("γ", gamma), ("R", R)):
            representable(value, text, f_gap=f_gap, L=L, L_max=L_max, K=K)
        value = float(bound(alpha=alpha, beta=beta, gamma=gamma, R=R, **shared))
        return Recipe(alpha, beta, gamma, R, bound.name, value, known)

    def at(log_u: float, wide: bool) -> Recipe:
        u = math.exp(log_u)
        w = min((1 + math.sqrt(u)) ** 2 if wide else u, largest) * (1 - _ROUNDING)
        rest = 1.0 if wide else 1 - w / (u + 1)
        longest = 1 / ((u + 1) * L_max)  # γ ≤ wR times this
        a = f_gap / (w * longest * (K + 1))
        b = 2 * rest + 2 * w * noise + L * w * longest / 2
        R = math.sqrt(a / b)
        if R < least_R:
            R = least_R
            price = 2 * noise - (0.0 if wide else 2 / (u + 1))  # of one more w, divided by R
            if price > 0:
                w = min(w, math.sqrt(f_gap / (longest * (K + 1)) / (L * longest / 2 + price)) / R)
        alpha, beta = u * R, w * R
        gamma = min(beta * R / (alpha + R) / L_max * (1 - _ROUNDING), math.sqrt(2 * f_gap / (L * (K + 1))))
        return made(PRIVATE_WIDE if wide else PRIVATE_SHARP, alpha, beta, gamma, R)

    best = []
    for bound, choose in ((PRIVATE_FORGETS, from_afar), (PRIVATE_CONTRACTS, contracting)):
        try:
            best.append(made(bound, *choose(f_gap, L, L_max, K, noise, least_R, largest)))
        except ConditionError:  # floats stepped over a limit all the same: the others hold without it
            continue
    top = math.log(largest)
    for wide in (True, False):
        # (1 + √u)² is the largest w: it must not exceed the limit either.
        high = 2 * math.log(max(math.sqrt(largest) - 1, math.exp(-10))) if wide else top
        found: Any = minimize_scalar(
            lambda v, wide=wide: at(v, wide).bound, bounds=(-20.0, high), method="bounded"
        )
        best += [at(float(found.x), wide), at(high, wide)]
    return min(best, key=lambda r: r.bound)


def from_afar(
    f_gap: float, L: float, L_max: float, K: int, noise: float, least_R: float, largest: float
) -> tuple[float, float, float, float]:
    """α, β, γ and R that make the bound of `bounds.alpha_normec.forgets` smallest; noise is the N of this module."""

    def at(logit: float) -> tuple[float, float, float]:
        """The bound's value, t and β at the best β."""
        t = 1 / (1 + math.exp(-logit))
        rounds = (K + 1) / (1 + math.exp(logit))  # (1 − t)(K+1), without cancellation
        p = f_gap * L_max / t / (K + 1)
        q = 2 * noise + L * t / (2 * L_max) + (math.sqrt(2) * t + t * t) * (K + 1) / rounds
        # R stands still while β/R is within its limit, and is β/largest, any upper bound being allowed, where it is not.
        beta = math.sqrt((p + least_R**2 / rounds) / q)
        if beta > largest * least_R:
            beta = math.sqrt(p / (q + (1 / largest**2 + math.sqrt(2) / largest) / rounds))
            beta = max(beta, largest * least_R)
        R = max(beta / largest, least_R)
        return p / beta + q * beta + (R**2 / beta + math.sqrt(2) * R) / rounds, t, beta

    found: Any = minimize_scalar(lambda v: at(v)[0], bounds=(-20.0, 20.0), method="bounded")
    _, t, beta = at(float(found.x))
    return beta / math.sqrt(2) * (1 + _ROUNDING), beta, t * beta / L_max, max(beta / largest, least_R)


def contracting(
    f_gap: float, L: float, L_max: float, K: int, noise: float, least_R: float, largest: float
) -> tuple[float, float, float, float]:
    """α, β, γ and R that make the bound of `bounds.alpha_normec.contracted` smallest; noise is the N of this module."""

    def at(log_w: float) -> tuple[float, float, float, float]:
        """The bound's value, w, R and γ at the best R and γ."""
        w = math.exp(log_w) * (1 - _ROUNDING)
        rest = (1 + 1 / (w + math.hypot(w, 1))) / (2 * w)  # (1 − η)/η
        longest = 1 / ((1 + rest) * L_max)  # γ ≤ R times this
        p, q = L / 2 + 2 * rest * L_max, 2 * rest / (K + 1) + 2 * w * noise
        R = max(math.sqrt(f_gap / (longest * (K + 1)) / (p * longest + q)), least_R)
        gamma = min(longest * R, math.sqrt(f_gap / (p * (K + 1))))
        return f_gap / (gamma * (K + 1)) + p * gamma + q * R, w, R, gamma

    top = math.log(largest)
    found: Any = minimize_scalar(lambda v: at(v)[0], bounds=(-20.0, top), method="bounded")
    _, w, R, gamma = min(at(float(found.x)), at(top))
    alpha, beta = (w + w * w / (math.hypot(w, 1) + 1)) / 2 * R, w * R  # u, where nothing cancels
    kept = float(lessened(Fraction(alpha), Fraction(beta), Fraction(R)))  # η of what floats made of α and β
    return alpha, beta, min(gamma, kept * R / L_max * (1 - _ROUNDING)), R
