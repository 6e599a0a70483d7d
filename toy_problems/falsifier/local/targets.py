"""Fed-α-NormEC's bounds with local steps as targets: how genes become letters inside the printed conditions.

A `Setting` uses +, −, ×, ÷ alone on numbers of one kind (floats, arrays, fractions), in units of L = 1; so the
same lines serve the search and the exact witness. All clients take part and there is no noise. The printed
condition on ηγ has Δ^inf where units ask for its root: in small enough units of f it always holds, and `unit`
says in which.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from bounds.alpha_normec.contracted import lessened
from bounds.fed_alpha_normec import corollaries, theorem1, theorem2
from bounds.fed_alpha_normec.contracted import INCREMENTAL_GRADIENT_CONTRACTS, LOCAL_GRADIENT_CONTRACTS
from bounds.fed_alpha_normec.forgets import INCREMENTAL_GRADIENT_FORGETS, LOCAL_GRADIENT_FORGETS
from bounds.fed_alpha_normec.repaired import (
    INCREMENTAL_GRADIENT,
    INCREMENTAL_GRADIENT_SHARP,
    LOCAL_GRADIENT,
    LOCAL_GRADIENT_SHARP,
    ONE_STEP,
)
from bounds.scalars import maximum
from bounds.statement import Bound
from toy_problems.falsifier.targets import ABOVE_4_ROOT_2, over_root_2

Number = Any
Work = Literal["one step", "gradient", "incremental"]
"""T = 1; T ≥ 2 gradient steps on f_i; one pass over the S functions of a client."""


@dataclass(frozen=True)
class LocalFacts:
    """What a setting may depend on beside the genes: M clients, T local steps, and `base`, the root of K + 1
    that a corollary's schedule has (K + 1 itself for a theorem)."""

    M: int
    T: int
    base: Number


@dataclass(frozen=True)
class LocalTarget:
    """A bound of Fed-α-NormEC to be attacked with local work.

    setting: genes and facts ↦ letters, without those that the functions decide. power: K + 1 is a whole
    number to it. printed: the condition on ηγ has to be met by the unit of f. inner: the bound's Δ_i^inf
    is that of Theorem 2 (f^inf − mean f_{i,j}^inf), not that of Lemma 8 (f_i^inf − …). least_clients: that
    Δ^inf > 0 needs, where it is printed. reading: "feedback" where a corollary is given β/(α + R) < 1, which it
    does not repeat but may be thought to mean by "the same setting as Theorem 1". only_run: K is no more than the rounds that were
    run, even where x goes to and fro in the last of them: memories that move as slowly as this bound allows may end that later.
    """

    bound: Bound
    setting: Callable[[Mapping[str, Number], LocalFacts], dict[str, Number]]
    work: Work
    power: int = 1
    printed: bool = True
    inner: bool = False
    least_clients: int = 2
    reading: str = ""
    only_run: bool = False

    @property
    def name(self) -> str:
        """Of the bound, and of the reading of its hypotheses where there are two."""
        return f"{self.bound.name}@{self.reading}" if self.reading else self.bound.name

    def value(self, letters: Mapping[str, Number]) -> Number:
        """The bound at these letters."""
        return self.bound.value(**{name: letters[name] for name in self.bound.parameters})


def letters_of_local(
    target: LocalTarget, genes: Mapping[str, Number], facts: LocalFacts
) -> dict[str, Number]:
    """Every letter of the bound but f_gap, in units of L = 1. genes: the numbers of a `LocalPrimary`."""
    return {
        "K": facts.base**target.power - 1, "M": facts.M, "T": facts.T, "p": 1, "sigma": 0, "V": 0, "L": 1,
        "Delta": genes["spread"],
        "Delta_local": genes["inner"] + genes["spread"] if target.inner else genes["inner"],
        **target.setting(genes, facts),
    }  # fmt: skip


def unit(letters: Mapping[str, Number]) -> Number:
    """How many times smaller the unit of f has to be for ηγ(K + 1) ≤ Δ^inf/(4L√(2L)), as a number: that
    condition scales with its root."""
    need = letters["eta"] * letters["gamma"] * (letters["K"] + 1) * ABOVE_4_ROOT_2 / (1000 * letters["Delta"])
    return maximum(need * need, 0 * need + 1)


def in_units(letters: Mapping[str, Number], factor: Number, bound: Bound) -> dict[str, Number]:
    """The same letters where the unit of f is `factor` times smaller."""
    return {
        name: value * factor ** bound.symbols[name].unit[0] if bound.symbols[name].unit[0] else value
        for name, value in letters.items()
    }


def theorem(parts: int) -> Callable[[Mapping[str, Number], LocalFacts], dict[str, Number]]:
    """γ = local/2, β = v(α + R), η = u (γ/parts) βR/(α + R)."""

    def setting(genes: Mapping[str, Number], facts: LocalFacts) -> dict[str, Number]:
        R, gamma = genes["radius"], genes["local"] / 2
        alpha = genes["ratio"] * R
        beta = genes["share"] * (alpha + R)
        eta = genes["tightness"] * gamma / parts * beta * R / (alpha + R)
        return {"R": R, "alpha": alpha, "beta": beta, "gamma": gamma, "eta": eta}

    return setting


def repaired(steps: int, scale: Number) -> Callable[[Mapping[str, Number], LocalFacts], dict[str, Number]]:
    """β = v(√α + √R)² with α = q²R, η = u βR/(steps (α + R)), s = scale · ηγ(K + 1) or more."""

    def setting(genes: Mapping[str, Number], facts: LocalFacts) -> dict[str, Number]:
        R, gamma, q = genes["radius"], genes["local"] / 2, genes["ratio"]
        alpha = q * q * R
        beta = genes["share"] * (1 + q) * (1 + q) * R
        eta = genes["tightness"] * beta * R / (alpha + R) / steps
        least = eta * gamma * facts.base * scale[0] / scale[1]
        # s is best at √(2Δ), which the second ratio finds; it may be no smaller than its condition has it.
        s = maximum(least, genes["second"] * genes["spread"]) * genes["scale"]
        return {"R": R, "alpha": alpha, "beta": beta, "gamma": gamma, "eta": eta, "s": s}

    return setting


def forgets(genes: Mapping[str, Number], facts: LocalFacts) -> dict[str, Number]:
    """β any multiple of R, β = v√2 α, and η = u β/2 with u up to 999/1000."""
    R, gamma = genes["radius"], genes["local"] / 2
    beta = R / genes["ratio"]
    alpha = over_root_2(beta / genes["share"])
    return {
        "R": R,
        "alpha": alpha,
        "beta": beta,
        "gamma": gamma,
        "eta": genes["tightness"] * beta * 999 / 2000,
    }


def contracts(genes: Mapping[str, Number], facts: LocalFacts) -> dict[str, Number]:
    """β = v·2α and η = u θR/2, θ = min(β/(α+R), 2 − β/α)."""
    R, gamma = genes["radius"], genes["local"] / 2
    alpha = genes["ratio"] * R
    beta = 2 * genes["share"] * alpha
    eta = genes["tightness"] * lessened(alpha, beta, R) * R / 2
    return {"R": R, "alpha": alpha, "beta": beta, "gamma": gamma, "eta": eta}


def corollary(
    roots: tuple[int, int, int, int], parts: int
) -> Callable[[Mapping[str, Number], LocalFacts], dict[str, Number]]:
    """γ, R, β, η over powers of the root of K + 1; D₁ = radius, α = ratio · D₁, D₂ = second · (α + D₁), η̂ =
    u D₁D₂/(parts (α + D₁)), where u < 1 only if "η ≤" is printed. Δ^inf/(2√(2L)) is no smaller, in the unit of f."""

    def setting(genes: Mapping[str, Number], facts: LocalFacts) -> dict[str, Number]:
        D_1, q = genes["radius"], facts.base
        alpha = genes["ratio"] * D_1
        D_2 = genes["second"] * (alpha + D_1)
        shorter = genes["tightness"] if parts == 2 else 1
        return {
            "D_1": D_1, "D_2": D_2, "alpha": alpha, "R": D_1 / q ** roots[1], "beta": D_2 / q ** roots[2],
            "gamma": 1 / (2 * q ** roots[0]), "eta": shorter * D_1 * D_2 / (parts * (alpha + D_1)) / q ** roots[3],
        }  # fmt: skip

    return setting


def with_feedback(setting) -> Callable[[Mapping[str, Number], LocalFacts], dict[str, Number]]:
    """D₂ = v(α + D₁) with v < 1, so that β/(α + R) < 1."""
    return lambda genes, facts: setting({**genes, "second": genes["share"]}, facts)


_ONE, _EIGHT = (0, 1, 4, 5), (1, 1, 5, 7)
_ALL = (
    LocalTarget(theorem1.MAIN, theorem(2), "gradient"),
    LocalTarget(theorem1.TEXT, theorem(2), "gradient"),
    LocalTarget(theorem1.APPENDIX, theorem(3), "gradient"),
    LocalTarget(theorem1.APPENDIX_OUTSIDE, theorem(3), "gradient"),
    LocalTarget(theorem2.THEOREM2, theorem(3), "incremental", inner=True),
    LocalTarget(theorem2.THEOREM2_OUTSIDE, theorem(3), "incremental", inner=True),
    LocalTarget(ONE_STEP, repaired(1, (0, 1)), "one step", printed=False, least_clients=1),
    LocalTarget(LOCAL_GRADIENT, repaired(2, (4, 3)), "gradient", printed=False),
    LocalTarget(INCREMENTAL_GRADIENT, repaired(2, (2, 1)), "incremental", printed=False),
    LocalTarget(LOCAL_GRADIENT_SHARP, repaired(2, (0, 1)), "gradient", printed=False),
    LocalTarget(INCREMENTAL_GRADIENT_SHARP, repaired(2, (0, 1)), "incremental", printed=False),
    LocalTarget(LOCAL_GRADIENT_FORGETS, forgets, "gradient", printed=False),
    LocalTarget(INCREMENTAL_GRADIENT_FORGETS, forgets, "incremental", printed=False),
    LocalTarget(LOCAL_GRADIENT_CONTRACTS, contracts, "gradient", printed=False, only_run=True),
    LocalTarget(INCREMENTAL_GRADIENT_CONTRACTS, contracts, "incremental", printed=False, only_run=True),
    LocalTarget(corollaries.COROLLARY1_MAIN, corollary(_ONE, 2), "one step", 6, printed=False),
    LocalTarget(corollaries.COROLLARY1_APPENDIX, corollary(_ONE, 4), "one step", 6, printed=False),
    LocalTarget(corollaries.COROLLARY3, corollary(_EIGHT, 4), "gradient", 8),
    LocalTarget(corollaries.COROLLARY5, corollary(_EIGHT, 4), "incremental", 8, inner=True),
)
_FEEDBACK = tuple(
    replace(target, setting=with_feedback(target.setting), reading="feedback")
    for target in _ALL
    if target.power > 1
)
LOCAL: Mapping[str, LocalTarget] = {target.name: target for target in (*_ALL, *_FEEDBACK)}
"""Fed-α-NormEC's bounds with local work, all clients in every round, no noise."""
