"""Sentences of Fed-α-NormEC that hold under one reading: each gap needs its numbers, and those are found in another way."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate, pairwise

import numpy as np
import pytest
import torch
import torch.nn.functional as functional
from torch import Tensor

from bounds.fed_alpha_normec.theorem1 import MAIN
from gpu_benchmarks.resnet import Architecture
from verify.catalogue import claim
from verify.claim import Witness
from verify.facts import derived, equal, hypothesis
from verify.fed_alpha_normec.lemmas import cancelled
from verify.fed_alpha_normec.letters import F, K, M, N, T, V, beta, p
from verify.fed_alpha_normec.ours import sublinear
from verify.obligation import Obligation, Settings


def _gap(identifier: str, **changes: object) -> Witness:
    gap = claim(identifier).gap
    assert gap is not None
    assert isinstance(gap.shown, Witness)
    new = {key: Fraction(str(value)) for key, value in changes.items()}
    return replace(gap.shown, values={**gap.shown.values, **new})


@pytest.mark.parametrize(
    ("identifier", "change"),
    [
        ("FED-T1-DISENTANGLE@fixed-step", {"x": 10}),  # R hardly depends on γ there
        ("FED-S2-USER", {"one": "4/9"}),  # 2/3 = 3/2 · 4/9
        ("FED-S2-DAS", {"gamma_2": 1}),  # γ not moved
        ("FED-EXP-ROUNDWISE@section4", {"c": "1/5"}),  # below 0.236
        ("FED-EXP-DP@steps", {"releases": 300}),  # a message a round
        ("FED-S2-USER", {"growth": "4/3"}),  # not private at user level
        ("FED-T1-ONE", {"M": 1}),  # no heterogeneity
        ("FED-T1-SUBLINEAR", {"M": 1}),
        ("FED-T1-GD", {"M": 1}),
        ("FED-T1-SUBLINEAR", {"gamma": "1/1000000"}),  # so small a γ has no need of falling with K yet
        ("FED-S3-AMP", {"p": 1}),  # noise that is enough, not scaled
        ("FED-EXP-DP@add-remove", {"p": "1/1000000000"}),  # the client hardly ever sends
        ("FED-T1-S8", {"d": 200, "h": 10}),  # noise that is no longer than the gradient
        ("FED-T2-S8", {"sigma": "1/2"}),  # the printed noise term alone pays for it
        ("FED-EXP-DP@variance-add-remove", {"p": "1/1000000000"}),
    ],
)
def test_the_reading_fails_with_its_numbers_alone(identifier: str, change: dict[str, object]) -> None:
    assert _gap(identifier).stands()[0]
    assert not _gap(identifier, **change).stands()[0]


def test_the_recursion_of_equation_2_needs_as_many_steps_as_functions() -> None:
    """Without T = N it stops before x^{k,N−1} or ends elsewhere; with any other T ≥ N − 1 the sums differ."""
    proof = claim("FED-EQ2").proof
    assert proof is not None
    last = proof.nodes[-1]
    assert isinstance(last, Obligation)
    assert last.discharge(Settings(minimise=False)).status == "proved"
    for given in (
        tuple(fact for fact in last.given if not fact.name.startswith("T = N")),
        tuple(
            hypothesis("T = N − 2", equal(T, N - 2)) if fact.name.startswith("T = N") else fact
            for fact in last.given
        ),
    ):
        assert replace(last, given=given).discharge(Settings(minimise=False)).status == "refuted"


def test_at_a_fixed_step_a_smaller_local_step_can_raise_the_bound() -> None:
    """T = 2 on ½(x ∓ 1)²: (x − T_i(x))/γ = (x ∓ 1)(1 − γ/4), by hand."""

    def bound(gamma: float) -> float:
        return MAIN(f_gap=100**2 / 2, K=9, eta=0.001, R=101 * (1 - gamma / 4), beta=1, alpha=1, M=2, p=1, sigma=0, gamma=gamma,
                    T=2, L=1, Delta=0.5)  # fmt: skip

    assert math.isclose(bound(0.25) - bound(0.5), 2 * 101 / 16 - 2, rel_tol=1e-6)
    replay = _gap("FED-T1-DISENTANGLE@fixed-step").stands()[1]
    assert (replay.lhs, replay.rhs) == pytest.approx((bound(0.25), bound(0.5)))


@pytest.mark.parametrize(("identifier", "drift"), [("FED-T1-S8", 0.08), ("FED-T2-S8", 0.12)])
def test_the_direction_of_the_first_round_is_noise(identifier: str, drift: float) -> None:
    """⟨e₁, u⟩ drawn 2,000 times, against the bound of its mean in the witness; the right side by hand."""
    witness = _gap(identifier)
    replay = witness.replay(witness.values)
    eta = 0.01 / 3 * 0.01 / 1.01
    rng = np.random.default_rng(8)
    s, d, size = 0.01 / math.sqrt(2), 2 * 10**8, 2_000
    forward = 1 + s * rng.standard_normal(size)
    share = forward / np.hypot(forward, s * np.sqrt(rng.chisquare(d - 1, size)))
    bound = (0.5 + eta**2 / 2 - float(replay.lhs)) / eta
    assert share.mean() < bound < 0.03
    assert float(replay.rhs) == pytest.approx(
        0.5 + eta * (0.04 + drift - 1 + 0.02 + 0.02) + eta**2 / 2, rel=1e-12
    )


class Plain:
    """Layers of torch with batch statistics, for one client."""

    def convolution(self, x: Tensor, weight: Tensor, stride: int) -> Tensor:
        return functional.conv2d(x, weight, stride=stride, padding=1)

    def normalisation(self, x: Tensor, weight: Tensor, bias: Tensor, index: int) -> Tensor:
        return functional.batch_norm(x, None, None, weight, bias, training=True)

    def linear(self, x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        return functional.linear(x, weight, bias)


@pytest.mark.parametrize(("b", "slope"), [(1e-4, -9 / (9 + math.exp(1e-4))), (-1e-4, 0.0)])
def test_the_gradient_of_resnet_20_jumps_where_the_witness_says(b: float, slope: float) -> None:
    network = Architecture()
    parameters = network.unflatten(network.initial(0, torch.float64))
    for name, value in parameters.items():
        if ".norm" in name or name.startswith(("norm", "linear")):
            value.zero_()
    last, label = parameters["block8.norm2.shift"], 3
    last[1] = b
    parameters["linear.weight"][label, 1] = 1.0
    last.requires_grad_(True)
    images = torch.randn(1, 3, 32, 32, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    loss = functional.cross_entropy(network.forward(parameters, images, Plain()), torch.tensor([label]))
    loss.backward()
    assert loss.item() == pytest.approx(math.log(9 + math.exp(max(b, 0.0))) - max(b, 0.0))
    assert last.grad is not None
    assert last.grad[1].item() == pytest.approx(slope, abs=1e-12)


def test_the_steep_functions_of_lemma_9_are_bounded_and_smooth() -> None:
    """s' has slopes ±1 and period 4, is continuous and adds up to 0 over it, so that s is bounded; by sums over a grid."""
    grid = [Fraction(k, 8) for k in range(-40, 41)]
    steps = [cancelled.wave(b) - cancelled.wave(a) for a, b in pairwise(grid)]
    assert {abs(step) for step in steps} == {Fraction(1, 8)}
    assert all(cancelled.wave(x) == cancelled.wave(x + 4) for x in grid)
    sums = list(accumulate((cancelled.wave(a) + cancelled.wave(b)) / 16 for a, b in pairwise(grid)))
    assert max(sums) - min(sums) == 1


@pytest.mark.parametrize(
    ("identifier", "change"),
    [
        ("FED-L9-2-S1", {"L": 1, "C_0": 1, "C_1": 1, "gamma": "1/2"}),  # γL = γ
        ("FED-L9-2-S1", {"L": 99}),  # not L-smooth
        ("FED-L9-4-S1", {"bend": 0}),  # parallel differences
        ("FED-L9-4-S1", {"L": 1}),  # not L-smooth
    ],
)
def test_the_steps_of_lemma_9_fail_with_their_numbers_alone(
    identifier: str, change: dict[str, object]
) -> None:
    witness = claim(identifier).witness
    assert witness is not None
    assert witness.stands()[0]
    new = {key: Fraction(str(value)) for key, value in change.items()}
    assert not replace(witness, values={**witness.values, **new}).stands()[0]


@pytest.mark.parametrize(
    "identifier", ["FED-L9-2", "FED-L9-3", "FED-L9-4", "FED-L9-2-S2", "FED-L9-3-S1", "FED-L9-4-S3"]
)
def test_lemma_9_holds_on_the_same_problem_where_every_function_is_smooth(identifier: str) -> None:
    witness = claim(identifier).against
    assert witness is not None
    assert witness.stands()[0]
    mild = {**witness.values, "C_0": Fraction(1), "C_1": Fraction(-1)}
    assert not replace(witness, values=mild).stands()[0]


def test_sub_linear_convergence_needs_a_falling_beta_and_has_no_smaller_first_term() -> None:
    def status(step: Obligation) -> str:
        return step.discharge(Settings(minimise=False, seconds=3.0)).status

    fixed = hypothesis("β = β₀", equal(beta, sublinear.first))
    given = tuple(fixed if fact == sublinear.CHOICE else fact for fact in sublinear.SERVER.given)
    rational = (
        equal(K, 48) & equal(2 * p, 1) & equal(2 * V, 1) & equal(M, 2)
    )  # all roots: √(K+1) = 7, √((K+2)/2) = 5
    given += (hypothesis("K = 48, p = V = 1/2, M = 2", rational),)
    assert status(sublinear.SERVER) == "proved"
    assert status(replace(sublinear.SERVER, given=given)) == "refuted"
    less = sublinear.END.goal.relation.subs(F, F / 2)
    assert status(sublinear.END) == "proved"
    assert status(replace(sublinear.END, goal=derived("half the gap", less))) != "proved"
