"""One target for each bound: how the genes of a candidate become parameters that satisfy its printed
conditions.

A `Setting` takes single numbers or arrays of them, floats or fractions, and uses +, −, ×, ÷, max and min alone, so that
the same few lines serve the search and the exact witness. Units: γ = 1 (η for Fed-α-NormEC) and L_max = 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isqrt
from typing import Any, Literal

import numpy as np

from bounds.alpha_normec.contracted import PRIVATE_CONTRACTS, THEOREM1_CONTRACTS, lessened
from bounds.alpha_normec.corollary1 import COROLLARY1, COROLLARY1_REPAIRED, EQUATION12
from bounds.alpha_normec.corollary2 import UTILITY
from bounds.alpha_normec.forgets import PRIVATE_CLIP, PRIVATE_FORGETS, THEOREM1_FORGETS
from bounds.alpha_normec.ours import (
    PRIVATE_SHARP,
    PRIVATE_WIDE,
    THEOREM1_ROOT,
    THEOREM1_SHARP,
    THEOREM1_SHARP_ROOT,
    THEOREM1_WIDE,
)
from bounds.alpha_normec.symbols import SYMBOLS
from bounds.alpha_normec.theorem1 import FEEDBACK, STEP, THEOREM1
from bounds.alpha_normec.theorem2 import (
    THEOREM2_APPENDIX,
    THEOREM2_COORDINATE,
    THEOREM2_MAIN,
    THEOREM2_POSTER,
)
from bounds.fed_alpha_normec import theorem1 as fed
from bounds.fed_alpha_normec.contracted import ONE_STEP_CONTRACTS
from bounds.fed_alpha_normec.forgets import ONE_STEP_FORGETS
from bounds.fed_alpha_normec.repaired import ONE_STEP, ONE_STEP_SHARP
from bounds.scalars import maximum
from bounds.statement import Bound, Source
from methods import Method, published
from methods.feedback import EF21
from methods.noise import Gaussian
from methods.operators import Clip
from methods.participation import Everybody
from methods.server import Normalised
from toy_problems.falsifier.evolution import Array

Number = Any
"""A float, a Fraction, or an array of floats."""

Reading = Literal["per coordinate", "whole vector"]
READINGS: tuple[Reading, ...] = ("per coordinate", "whole vector")
"""What the printed σ is: the standard deviation of each coordinate, or √E‖z‖² of the vector."""


ABOVE_4_ROOT_2 = 5657
"""4√2 < 5657/1000."""
MARGIN = 1e-6
"""How far a strict printed condition is kept from its limit, relatively."""


@dataclass(frozen=True)
class Facts:
    """What a setting may depend on beside the genes: sizes (root is √(K+1)), L of f, the least f(x⁰) −
    f^inf of the functions, and |f'(x⁰)|."""

    K: int
    root: int | float
    n: int
    d: int
    L: Number
    gap: Number
    steepness: Number


@dataclass(frozen=True)
class Target:
    """A bound to be attacked.

    setting: genes (by name) and facts ↦ values of the bound's letters, and "drop", the extra depth of f
    that they imply. square: K + 1 must be a square, so that √(K+1) is rational. random: the bound is on an
    expectation. quantity: "gradient" is min_k ‖∇f(xᵏ)‖, "residual" the largest residual after one round.
    least_clients: that the hypotheses need. sampled: clients send with probability p. deepened:
    the setting makes f deeper whatever the genes say, so that L covers the valley. readings: of σ, where the
    bound is on an expectation; one where the bound has E‖z‖², or d beside σ, itself.
    """

    bound: Bound
    setting: Callable[[Mapping[str, Number], Facts], dict[str, Number]]
    method: Callable[[Mapping[str, Number]], Method]
    square: bool = False
    random: bool = False
    quantity: Literal["gradient", "residual"] = "gradient"
    least_clients: int = 1
    sampled: bool = False
    deepened: bool = False
    readings: tuple[Reading, ...] = READINGS

    @property
    def name(self) -> str:
        """Of the bound."""
        return self.bound.name

    def rounds(self, among: Sequence[int]) -> list[int]:
        """The K at which it is attacked."""
        if self.quantity == "residual":
            return [1]
        return [K for K in among if not self.square or isqrt(K + 1) ** 2 == K + 1]

    def value(self, letters: Mapping[str, Number]) -> Number:
        """The bound at a setting's letters."""
        return self.bound.value(**{name: letters[name] for name in self.bound.parameters if name in letters})


def over_root_2(value: Number) -> Number:
    """`value`/√2 or a little more: 1/√2 < 5000/7071."""
    return value * 5000 / 7071


def per_run(value: object, runs: int) -> Array:
    """A letter as one number for each run."""
    return np.broadcast_to(np.asarray(value, dtype=float), (runs,))


def _common(genes, facts: Facts, **letters: Number) -> dict[str, Number]:
    drop = letters.pop("drop", genes["drop"])
    base = {"K": facts.K, "n": facts.n, "d": facts.d, "L": facts.L, "L_max": 1, "gamma": 1, "drop": drop}
    return {**base, "f_gap": facts.gap + drop, **letters}


def theorem1(genes, facts: Facts) -> dict[str, Number]:
    """β = v(α + R) and 1 = u βR/(α + R)."""
    R = 1 / (genes["tightness"] * genes["share"])
    alpha = genes["ratio"] * R
    return _common(genes, facts, R=R, alpha=alpha, beta=genes["share"] * (alpha + R))


def poster(genes, facts: Facts) -> dict[str, Number]:
    """As Theorem 1; "each f_i is L-smooth", so L is what L_max is there."""
    return {**theorem1(genes, facts), "L": 1, "sigma": 0}


def wide(genes, facts: Facts) -> dict[str, Number]:
    """β = v(√α + √R)² with α = q²R."""
    u, v, q = genes["tightness"], genes["share"], genes["ratio"]
    R = (1 + q * q) / (u * v * (1 + q) * (1 + q))
    return _common(genes, facts, R=R, alpha=q * q * R, beta=v * R * (1 + q) * (1 + q))


def sharp(genes, facts: Facts) -> dict[str, Number]:
    """β = vα."""
    a = genes["ratio"]
    R = (1 + a) / (genes["tightness"] * genes["share"] * a)
    return _common(genes, facts, R=R, alpha=a * R, beta=genes["share"] * a * R)


def forgets(genes, facts: Facts) -> dict[str, Number]:
    """1 = uβ with u < 1 and β = v√2 α; R is any multiple of β."""
    beta = (1 + genes["margin"]) / genes["tightness"]
    alpha = over_root_2(beta / genes["share"])
    return _common(genes, facts, R=beta * genes["ratio"], alpha=alpha, beta=beta)


def contracts(genes, facts: Facts) -> dict[str, Number]:
    """β = v·2α and 1 = uηR, η = min(β/(α+R), 2 − β/α)."""
    alpha = genes["ratio"]  # and β in units of R
    beta = 2 * genes["share"] * alpha
    R = 1 / (genes["tightness"] * lessened(alpha, beta, 1))
    return _common(genes, facts, R=R, alpha=alpha * R, beta=beta * R)


def clipping(genes, facts: Facts) -> dict[str, Number]:
    """1 = uτ with u < 1; R is any multiple of τ. β is what a message is multiplied by."""
    tau = (1 + genes["margin"]) / genes["tightness"]
    return _common(genes, facts, R=tau * genes["ratio"], tau=tau, beta=tau)


def _corollary1(genes, facts: Facts, w: Number, drop: Number) -> dict[str, Number]:
    """1 = wγ_max and R = D/√(K+1) = 1/(wy) give β = αy + √(K+1)/w; α > β is then α > √(K+1)/(w(1 − y))."""
    y, root = genes["share"], facts.root
    R = 1 / (w * y)
    alpha = root / (w * (1 - y)) * (1 + genes["surplus"] + genes["margin"])
    beta = alpha * y + root / w
    return _common(genes, facts, R=R, D=R * root, alpha=alpha, beta=beta, drop=drop)


def corollary1(genes, facts: Facts) -> dict[str, Number]:
    """Any γ ≤ γ_max, as printed."""
    return _corollary1(genes, facts, genes["tightness"], genes["drop"])


def corollary1_repaired(genes, facts: Facts) -> dict[str, Number]:
    """γ no smaller than the other point where Theorem 1's bound has the value that it has at γ_max."""
    most = facts.L * (facts.K + 1) / (2 * maximum(facts.gap + genes["drop"], 1e-12))
    return _corollary1(genes, facts, -maximum(-genes["tightness"], -most), genes["drop"])


def equation12(genes, facts: Facts) -> dict[str, Number]:
    """γ = wγ_max as printed, and f(x⁰) − f^inf = L(K+1)/(2w²), which its β asks for and f's depth is adjusted to."""
    w = genes["tightness"]
    return _corollary1(genes, facts, w, facts.L * (facts.K + 1) / (2 * w * w) - facts.gap)


def equation12_longest(genes, facts: Facts) -> dict[str, Number]:
    """γ = γ_max."""
    return equation12({**genes, "tightness": genes["share"] / genes["share"]}, facts)


def _at_its_limit(bound: Bound) -> Bound:
    """The bound read with "γ = …" where "γ ≤ …" is printed."""
    *others, step = bound.conditions
    step = replace(step, printed=step.printed.replace("≤", "="), comparison="==")
    return replace(bound, name=f"{bound.name}@equality", conditions=(*others, step))


def noisy(setting) -> Callable[[Mapping[str, Number], Facts], dict[str, Number]]:
    """A setting with noise: σ is a multiple of |f'(x⁰)|/(β√(K+1)), the size at which it begins to hide the
    gradient."""

    def with_noise(genes, facts: Facts) -> dict[str, Number]:
        letters = setting(genes, facts)
        return {**letters, "sigma": _sigma(genes, facts, letters["beta"])}

    return with_noise


def variance(setting) -> Callable[[Mapping[str, Number], Facts], dict[str, Number]]:
    """As `noisy`, for a bound that has V = E‖z‖²: σ per coordinate."""

    def with_variance(genes, facts: Facts) -> dict[str, Number]:
        letters = noisy(setting)(genes, facts)
        return {**letters, "V": facts.d * letters["sigma"] * letters["sigma"]}

    return with_variance


def utility(genes, facts: Facts) -> dict[str, Number]:
    """Corollary 2, repaired: β₀ = β(K + 1) with β = v(α + R), and 1 = β₀R/((α + R)(K + 1)). β₀ = Δ/√(2s) is
    then a matter of the noise. f(x⁰) − f^inf is not 0, where there would be no noise."""
    R = 1 / genes["share"]
    alpha, rounds = genes["ratio"] * R, facts.K + 1
    gap = maximum(facts.gap + genes["drop"], 1e-9)
    noise = gap * R / (2 * (alpha + R) * rounds * rounds)
    beta = genes["share"] * (alpha + R)
    sigma = noise * (facts.n * rounds / facts.d) ** 0.5
    return {**_common(genes, facts, R=R, alpha=alpha, beta=beta, sigma=sigma, noise=noise), "f_gap": gap}


def _sigma(genes, facts: Facts, beta: Number) -> Number:
    return genes["noise"] * facts.steepness / (beta * facts.root)


def federated(parts: int, random: bool) -> Callable[[Mapping[str, Number], Facts], dict[str, Number]]:
    """Fed-α-NormEC with T = 1: γ = local/2, β = v(α + R), 1 = u (γ/parts) βR/(α + R). Δ^inf is as large as
    the condition on ηγ asks: clients' valleys that cancel in f make it so, and with T = 1
    it is not in the bound."""

    def setting(genes, facts: Facts) -> dict[str, Number]:
        gamma = genes["local"] / 2
        R = parts / (gamma * genes["tightness"] * genes["share"])
        alpha = genes["ratio"] * R
        beta = genes["share"] * (alpha + R)
        p, sigma = (genes["presence"], _sigma(genes, facts, beta)) if random else (1, 0)
        return _common(
            genes, facts, R=R, alpha=alpha, beta=beta, gamma=gamma, eta=1, L=1, M=facts.n, T=1, p=p, sigma=sigma,
            Delta=(facts.K + 1) * gamma * ABOVE_4_ROOT_2 / 1000 + genes["balance"],
        )  # fmt: skip

    return setting


def federated_repaired(
    random: bool, base: Callable[[Mapping[str, Number], Facts], dict[str, Number]] = wide
) -> Callable[[Mapping[str, Number], Facts], dict[str, Number]]:
    """FED-R1 and its relatives: α, β and R of α-NormEC's `base`, where L is L_max; V = dσ²."""

    def setting(genes, facts: Facts) -> dict[str, Number]:
        letters = base(genes, facts)
        sigma, p = (_sigma(genes, facts, letters["beta"]), genes["presence"]) if random else (0, 1)
        return {**letters, "eta": 1, "L": 1, "M": facts.n, "p": p, "sigma": sigma,
                "V": facts.d * sigma * sigma, "T": 1, "gamma": genes["local"] / 2}  # fmt: skip

    return setting


def _alpha_normec(letters) -> Method:
    return published.alpha_normec(letters["gamma"], letters["beta"], letters["alpha"])


def _dp_alpha_normec(letters) -> Method:
    return published.dp_alpha_normec(letters["gamma"], letters["beta"], letters["alpha"], letters["std"])


def _dp_clip21_normalised(letters) -> Method:
    """What EF21 with β = 1 sends is Clip_τ itself, so that its noise is τz."""
    noise = Gaussian(letters["tau"] * letters["std"])
    return Method(Clip(letters["tau"]), Normalised(letters["gamma"]), EF21(1.0), noise)


def _fed(letters) -> Method:
    eta, gamma, beta, alpha = (letters[name] for name in ("eta", "gamma", "beta", "alpha"))
    return published.fed_alpha_normec(eta, gamma, beta, alpha, p=letters["p"], std=letters["std"])


def _fed_quiet(letters) -> Method:
    eta, gamma, beta, alpha = (letters[name] for name in ("eta", "gamma", "beta", "alpha"))
    return replace(published.fed_alpha_normec(eta, gamma, beta, alpha), participation=Everybody())


LEMMA2 = Bound(
    name="NEC-L2",
    source=Source("alpha-normec", "Lemma 2, Appendix D", "appendix"),
    quantity="max over i of ‖∇f_i(xᵏ⁺¹) − g_iᵏ⁺¹‖",
    typeset="R",
    formula=lambda R: R,
    symbols=SYMBOLS,
    conditions=(FEEDBACK, STEP),
)

_ALL = (
    Target(THEOREM1, theorem1, _alpha_normec),
    Target(LEMMA2, theorem1, _alpha_normec, quantity="residual"),
    Target(COROLLARY1, corollary1, _alpha_normec, square=True),
    Target(COROLLARY1_REPAIRED, corollary1_repaired, _alpha_normec, square=True),
    Target(EQUATION12, equation12, _alpha_normec, square=True, deepened=True),
    Target(_at_its_limit(EQUATION12), equation12_longest, _alpha_normec, square=True, deepened=True),
    Target(THEOREM2_POSTER, poster, _alpha_normec),
    Target(THEOREM1_WIDE, wide, _alpha_normec),
    Target(THEOREM1_ROOT, wide, _alpha_normec),
    Target(THEOREM1_SHARP, sharp, _alpha_normec),
    Target(THEOREM1_SHARP_ROOT, sharp, _alpha_normec),
    Target(THEOREM1_FORGETS, forgets, _alpha_normec),
    Target(THEOREM1_CONTRACTS, contracts, _alpha_normec),
    Target(fed.MAIN, federated(2, False), _fed_quiet, least_clients=2),
    Target(fed.TEXT, federated(2, False), _fed_quiet, least_clients=2),
    Target(fed.APPENDIX, federated(3, False), _fed_quiet, least_clients=2),
    Target(ONE_STEP, federated_repaired(False), _fed_quiet),
    Target(ONE_STEP_SHARP, federated_repaired(False), _fed_quiet),
    Target(ONE_STEP_FORGETS, federated_repaired(False, forgets), _fed_quiet),
    Target(ONE_STEP_CONTRACTS, federated_repaired(False, contracts), _fed_quiet),
)
DETERMINISTIC: Mapping[str, Target] = {target.name: target for target in _ALL}
"""Bounds without randomness, and those with randomness where there is none (p = 1, σ = 0)."""

_RANDOM = (
    Target(THEOREM2_MAIN, noisy(theorem1), _dp_alpha_normec, random=True),
    Target(THEOREM2_APPENDIX, noisy(theorem1), _dp_alpha_normec, random=True),
    Target(THEOREM2_POSTER, noisy(poster), _dp_alpha_normec, random=True),
    Target(THEOREM2_COORDINATE, noisy(theorem1), _dp_alpha_normec, random=True, readings=READINGS[:1]),
    Target(fed.MAIN, federated(2, True), _fed, random=True, least_clients=2, sampled=True),
    Target(fed.TEXT, federated(2, True), _fed, random=True, least_clients=2, sampled=True),
    Target(fed.APPENDIX, federated(3, True), _fed, random=True, least_clients=2, sampled=True),
    Target(ONE_STEP, federated_repaired(True), _fed, random=True, sampled=True, readings=READINGS[:1]),
    Target(ONE_STEP_SHARP, federated_repaired(True), _fed, random=True, sampled=True, readings=READINGS[:1]),
    Target(
        ONE_STEP_FORGETS,
        federated_repaired(True, forgets),
        _fed,
        random=True,
        sampled=True,
        readings=READINGS[:1],
    ),
    Target(
        ONE_STEP_CONTRACTS,
        federated_repaired(True, contracts),
        _fed,
        random=True,
        sampled=True,
        readings=READINGS[:1],
    ),
    Target(PRIVATE_WIDE, variance(wide), _dp_alpha_normec, random=True, readings=READINGS[:1]),
    Target(PRIVATE_SHARP, variance(sharp), _dp_alpha_normec, random=True, readings=READINGS[:1]),
    Target(PRIVATE_FORGETS, variance(forgets), _dp_alpha_normec, random=True, readings=READINGS[:1]),
    Target(PRIVATE_CONTRACTS, variance(contracts), _dp_alpha_normec, random=True, readings=READINGS[:1]),
    Target(PRIVATE_CLIP, variance(clipping), _dp_clip21_normalised, random=True, readings=READINGS[:1]),
    Target(UTILITY, utility, _dp_alpha_normec, random=True, readings=READINGS[:1]),
)
RANDOM: Mapping[str, Target] = {target.name: target for target in _RANDOM}
"""Bounds on an expectation, with noise and partial participation."""
