"""The left-hand sides of (4) and (5), by the methods themselves and with one hypothesis changed."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from methods.algebra import advance, initialise
from methods.published import dp_fedavg_clip, dp_normfedavg
from methods.randomness import Keyed
from verify.dp_normfedavg.asymptotics.left_sides import WITNESS


@pytest.mark.parametrize("alpha", [Fraction(10) ** k for k in (1, 6, 30)])
def test_the_smaller_side_for_every_alpha(alpha: Fraction) -> None:
    assert replace(WITNESS, values={**WITNESS.values, "alpha": alpha}).stands()[0]


@pytest.mark.parametrize(
    "changed",
    [
        {"theta": Fraction(1)},  # three steep clients
        {"gamma": Fraction(9, 10**6)},  # half the way: the weights still decide
        {"c": Fraction(3, 5), "s": Fraction(4, 5)},  # flat clients that pull the same way as the steep one
        {"s": Fraction(23, 25)},  # no unit directions
    ],
)
def test_what_the_witness_needs(changed: dict[str, Fraction]) -> None:
    assert not replace(WITNESS, values={**WITNESS.values, **changed}).stands()[0]


def test_both_sides_by_the_methods_themselves() -> None:
    """The three clients with more noise and fewer rounds (ρ = 1/50, 3,600 of them), 128 runs of each method."""
    v = {name: float(value) for name, value in WITNESS.values.items()}
    rho, G, N = 0.02, 0.05, 128
    gamma = v["gamma"] / v["rho"] * rho
    K, eta = round(2 * gamma / (G * rho**2)), rho / 2
    unit = np.array([[1.0, 0.0], [v["c"], v["s"]], [v["c"], -v["s"]]])
    a = unit * np.array([1.0, v["theta"], v["theta"]])[:, None]

    def slope(x):
        return np.clip((x * a).sum(-1, keepdims=True), -G, G) * a

    found = {}
    for weighted, build in ((False, dp_fedavg_clip), (True, dp_normfedavg)):
        method = build(eta, eta, G, 1, np.sqrt(K / 2) * G * rho)
        state = initialise(method, np.tile([v["x0"], 0.0], (N, 1)), clients=3)
        total = np.zeros(N)
        for _ in range(K):
            along = np.abs(state.x @ a.T)
            gap = np.where(along <= G, along**2 / 2, G * along - G**2 / 2)
            weight = G / np.linalg.norm(slope(state.x[:, None, :]), axis=-1) if weighted else 1.0
            total += (weight * gap).mean(-1) / K
            state, _ = advance(method, state, slope, Keyed(np.arange(N)))
        found[weighted] = total.mean(), total.std(ddof=1) / np.sqrt(N)
    (clipped, e), (normalised, e_) = found[False], found[True]
    assert clipped - normalised > 6 * np.hypot(e, e_)
