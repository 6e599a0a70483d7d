"""Genes at their ends bring every letter to the limit of its condition."""

import numpy as np
import pytest

from bounds.alpha_normec.corollary2 import UTILITY, delta_factor
from bounds.fed_alpha_normec import schedules
from toy_problems.falsifier.local.targets import LOCAL, LocalFacts, in_units, letters_of_local, unit
from toy_problems.falsifier.targets import DETERMINISTIC, MARGIN, RANDOM, Facts

ENDS = {
    "ratio": 0.7,
    "share": 1 - 1e-9,
    "tightness": 1.0,
    "surplus": 0.0,
    "drop": 0.0,
    "noise": 0.5,
    "local": 1.0,
    "presence": 0.5,
    "balance": 0.0,
    "margin": MARGIN,
    "radius": 0.3,
    "spread": 0.2,
    "inner": 0.1,
    "scale": 1.0,
    "second": 1e-9,
    "phase": 0.5,
}
FACTS = Facts(K=8, root=3, n=2, d=5, L=0.8, gap=1.3, steepness=0.4)
TARGETS = {**{f"{n}": t for n, t in DETERMINISTIC.items()}, **{f"{n}, random": t for n, t in RANDOM.items()}}
REACHED = 2e-4  # 5000/7071, 5657/1000 and MARGIN


def farthest(bound, letters) -> dict[str, float]:
    """Of the limits on a letter from one side, the nearest, as a multiple of the letter."""
    found = {}
    for c in bound.conditions:
        if c.variable in ("beta", "gamma", "eta", "beta_0", "tau") and c.comparison in ("<", "<="):
            share = letters[c.variable] / float(c.bound(letters))
            found[c.variable] = max(found.get(c.variable, 0.0), share)
    return found


@pytest.mark.parametrize("name", TARGETS)
def test_a_setting_reaches_the_limits_of_its_bound(name):
    target = TARGETS[name]
    letters = target.setting(ENDS, FACTS)
    shares = farthest(target.bound, letters)
    least = 1 - REACHED if "forgets" not in target.setting.__qualname__ else 0.99
    assert all(share > least for share in shares.values()), shares


@pytest.mark.parametrize("name", LOCAL)
def test_a_local_setting_reaches_the_limits_of_its_bound(name):
    target = LOCAL[name]
    letters = letters_of_local(target, ENDS, LocalFacts(M=2, T=3, base=3.0))
    letters["f_gap"] = 1.0
    scaled = in_units(letters, unit(letters) if target.printed else 1.0, target.bound)
    shares = farthest(target.bound, scaled)
    assert all(share > 0.998 for share in shares.values()), shares


def test_the_utility_bound_is_run_at_its_own_step_and_noise():
    v = RANDOM[UTILITY.name].setting(ENDS, FACTS)
    beta_0 = delta_factor(v["L_max"], v["alpha"], v["R"], v["f_gap"]) / np.sqrt(2 * v["noise"])
    assert v["beta"] == pytest.approx(beta_0 / (FACTS.K + 1), rel=1e-12)
    assert v["gamma"] == pytest.approx(v["beta"] * v["R"] / ((v["alpha"] + v["R"]) * v["L_max"]), rel=1e-8)
    assert v["noise"] == pytest.approx(
        np.sqrt(FACTS.d) * v["sigma"] / np.sqrt(FACTS.n * (FACTS.K + 1)), rel=1e-12
    )


@pytest.mark.parametrize("name", [n for n, t in RANDOM.items() if "V" in t.bound.parameters])
def test_v_is_the_second_moment_of_the_noise_that_is_run(name):
    target = RANDOM[name]
    letters = target.setting(ENDS, FACTS)
    method = target.method({**letters, "std": letters["sigma"]})
    # What is sent is Δ + z; with the memory's own step β = 1 it is τ(Δ/τ + z).
    unit_of_message = 1.0 if method.feedback.beta != 1.0 else letters["tau"]
    assert FACTS.d * (method.noise.std / unit_of_message) ** 2 == pytest.approx(letters["V"], rel=1e-12)


@pytest.mark.parametrize("name", [name for name, t in LOCAL.items() if t.power > 1 and not t.reading])
def test_a_corollary_is_run_on_its_own_schedule(name):
    target = LOCAL[name]
    v = letters_of_local(target, ENDS | {"spread": 1e9, "second": 0.7}, LocalFacts(M=2, T=3, base=3.0))
    first = target.power == 6
    choose = {"FED-C1-MAIN": schedules.corollary1_main, "FED-C1-APP": schedules.corollary1_appendix}.get(
        name, schedules.corollary3
    )
    given = (v["K"], v["L"], v["D_1"], v["D_2"], v["alpha"]) + (() if first else (v["Delta"],))
    plan = choose(*given)
    assert [v[k] for k in ("gamma", "R", "beta", "eta")] == pytest.approx([float(x) for x in plan], rel=1e-12)
