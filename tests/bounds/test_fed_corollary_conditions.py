"""The corollaries of Fed-α-NormEC: inside what they ask of their parameters they give a bound, just outside they name what failed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import pytest

from bounds.catalogue import by_name
from bounds.fed_alpha_normec import schedules
from bounds.statement import ConditionError

PROBLEM = {"f_gap": 2.0, "K": 99, "L": 3.0, "M": 10}
RATE = {**PROBLEM, "D_1": 0.7, "D_2": 0.4, "alpha": 0.3, "p": 0.5, "sigma": 0.1}


def rate(plan, T: int, **more: float) -> dict[str, Any]:
    """What a corollary prints of γ, R, β and η, by its schedule; Δ^inf is needed by those for T > 1."""
    read = {name: RATE[name] for name in ("K", "L", "D_1", "D_2", "alpha")}
    read |= {"Delta": more["Delta"]} if "Delta" in more else {}
    return {**RATE, **more, "T": T, **plan(**read)._asdict()}


def utility(hat, noise, T: int, **more: float) -> dict[str, Any]:
    given = {
        **PROBLEM,
        "d": 50,
        "B_hat": 4.0,
        "c": 0.5,
        "delta": 1e-3,
        "epsilon": 2.0,
        "gamma": 0.01,
        "Delta": 100.0,
    }
    given |= {"alpha": 0.2, "R": 0.2, "C": 3.0, "T": T, "p": 4.0 / 10, **more}
    given["sigma"] = noise(*(given[name] for name in ("c", "p", "K", "delta", "epsilon")))
    given["beta"] = (
        hat(*(given[name] for name in ("f_gap", "gamma", "M", "B_hat", "c", "delta", "epsilon"))) / 100
    )
    given["eta"] = schedules.utility_length(given["gamma"], given["beta"], given["R"], given["alpha"])
    return given


_ROOTED = partial(utility, schedules.beta_hat_square_root, schedules.noise)
INSIDE: Mapping[str, dict[str, Any]] = {
    "FED-C1-MAIN": rate(schedules.corollary1_main, 1),
    "FED-C1-APP": rate(schedules.corollary1_appendix, 1),
    "FED-C3": rate(schedules.corollary3, 2, Delta=0.2),
    "FED-C5": rate(schedules.corollary3, 2, Delta=0.2, Delta_local=0.3),
    "FED-C2-UTIL": utility(schedules.beta_hat, schedules.noise, 1),
    "FED-C2-UTIL@square-root": utility(schedules.beta_hat_square_root, schedules.noise_main, 1),
    "FED-C4": _ROOTED(2),
    "FED-C6": _ROOTED(2, Delta_local=0.3),
}
EVERY = [(name, condition.printed) for name in INSIDE for condition in by_name(name).conditions]


def test_every_corollary_is_here() -> None:
    assert len(EVERY) > 60
    assert all(any(c.variable in ("gamma", "eta") for c in by_name(name).conditions) for name in INSIDE)


@pytest.mark.parametrize("name", INSIDE)
def test_inside_its_conditions_a_corollary_gives_its_bound(name: str) -> None:
    bound, given = by_name(name), INSIDE[name]
    assert bound(**given) == pytest.approx(float(bound.value(**given)), rel=1e-12)
    arrays = bound(**{**given, "f_gap": np.full(3, given["f_gap"])})
    np.testing.assert_allclose(arrays, bound(**given), rtol=1e-12)


def outside(name: str, printed: str) -> tuple[str, float]:
    """The variable of a condition, and a value of its domain just beyond the limit."""
    bound, given = by_name(name), INSIDE[name]
    (condition,) = (c for c in bound.conditions if c.printed == printed)
    limit, step = float(condition.bound(given)), -1.0 if condition.comparison in (">", ">=") else 1.0
    if bound.symbols[condition.variable].domain.startswith("integer"):
        return condition.variable, int(limit) if condition.comparison == ">" else int(limit + step)
    if condition.comparison in ("<", ">"):
        return condition.variable, limit
    return condition.variable, limit * (1 + step * 1e-9)


@pytest.mark.parametrize(("name", "printed"), EVERY)
def test_just_outside_a_condition_a_corollary_names_it(name: str, printed: str) -> None:
    """Another condition on the letter may fail first; then this one fails where that one is left out."""
    letter, value = outside(name, printed)
    given = {**INSIDE[name], letter: value}
    bound = by_name(name)
    failing = {c.printed for c in bound.conditions if not c.holds(given)}
    assert printed in failing
    others = failing - {printed}
    with pytest.raises(ConditionError, match="|".join(re.escape(f"{name} needs {p}: ") for p in failing)):
        bound(**given)
    alone = type(bound)(
        **{**vars(bound), "conditions": tuple(c for c in bound.conditions if c.printed not in others)}
    )
    assert alone.parameters
    with pytest.raises(ConditionError, match=re.escape(f"{name} needs {printed}: ")):
        alone.check(**{n: given[n] for n in alone.parameters})


@pytest.mark.parametrize("name", ["FED-C1-MAIN", "FED-C1-APP"])
def test_corollary_1_needs_to_be_told_what_it_is_asked_for(name: str) -> None:
    """The limits are no silent choices: a call without γ, R, β, η and T is refused, and `value` takes the formula's letters alone."""
    bound = by_name(name)
    letters = {k: v for k, v in INSIDE[name].items() if k not in ("gamma", "R", "beta", "eta", "T")}
    with pytest.raises(TypeError, match="missing: T, gamma, R, beta, eta"):
        bound(**letters)
    assert bound.value(**letters) == bound.value(**INSIDE[name])


def test_a_shorter_step_is_inside_the_main_text_and_outside_the_appendix() -> None:
    """Section 4 prints "η ≤ …", F.4 "η = …"."""
    for name, allowed in (("FED-C1-MAIN", True), ("FED-C1-APP", False)):
        given = {**INSIDE[name], "eta": INSIDE[name]["eta"] / 2}
        if allowed:
            assert by_name(name)(**given) > 0
        else:
            with pytest.raises(ConditionError, match=re.escape("η = η̂/(K+1)^{5/6}")):
                by_name(name)(**given)
