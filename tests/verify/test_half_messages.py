"""Corollary 2 of Fed-α-NormEC at the witnesses of FED-C2-DP: by a run of Algorithm 1, with nothing of the replays."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from bounds.privacy import Setting, delta
from verify.catalogue import claim
from verify.claim import Witness
from verify.privacy.half_messages import shortest

FULL, UNDER_ROOT = "FED-C2-DP@full-participation", "FED-C2-DP@full-participation,section4"


def witness(identifier: str) -> Witness:
    found = claim(identifier).witness
    assert found is not None
    return found


def messages(v: dict[str, float], root: float, sigma: float, absent: bool, seed: int) -> np.ndarray:
    """Client 1's Δ in all rounds at p = 1 in one dimension, by Algorithm 1. Clients 4 to M are alike: the sum of their noises is drawn
    at once. The least of f is −s²/(2L(M−3)) for the slope s at x⁰ = 0 of the sum of the others."""
    R, L, gamma, M, rounds = v["R"], v["L"], v["gamma"], v["M"], int(v["releases"])
    alpha, rng = R, np.random.default_rng(seed)
    slopes = np.array([0.0 if absent else R, -R, R / 2])
    gap = slopes.sum() ** 2 / (2 * L * (M - 3)) / M
    hat = math.sqrt(3 * gap / gamma) * (M * v["epsilon"] ** 2 / (2 * v["c"] ** 2 * math.log(1e5))) ** root
    beta, eta = hat / rounds, gamma / 2 * hat / 2 / rounds
    x, memory, many, server, sent = 0.0, np.zeros(3), 0.0, 0.0, []
    for _ in range(rounds):
        few = slopes - memory
        own, rest = few / (alpha + np.abs(few)), (L * x - many) / (alpha + abs(L * x - many))
        noise = sigma * math.sqrt(M) * rng.standard_normal()
        memory, many = memory + beta * own, many + beta * rest
        server += beta / M * (own.sum() + (M - 3) * rest + noise)
        x -= eta * np.sign(server)
        sent.append(own[0])
    return np.array(sent)


@pytest.mark.parametrize("root", [1 / 2, 1 / 4])
@pytest.mark.parametrize(("identifier", "power", "least"), [(FULL, 2, 0.495), (UNDER_ROOT, 1, 0.4999)])
def test_messages_are_nearly_half_as_long_as_the_bound(identifier, power, least, root):
    found = witness(identifier)
    v = {name: float(value) for name, value in found.values.items()}
    sigma = v["c"] * math.sqrt(v["releases"] * math.log(1e5) / v["epsilon"] ** power)
    short = float(shortest(found.values)[0])
    assert least < short < 0.5
    for seed in range(3):
        sent = messages(v, root, sigma, absent=False, seed=seed)
        assert short <= sent.min() <= sent.max() <= 0.5
        assert not messages(v, root, sigma, absent=True, seed=seed).any()
    setting = Setting("messages", "add-remove", int(v["releases"]))
    assert delta(setting, sigma / short, v["epsilon"]).lower > (0.1 if power == 2 else 2.1e-5)


def test_a_small_constant_is_refuted_with_many_clients():
    """Of "for every other c": with M = 10,000 clients c = 1/2 would make β̂ longer than R."""
    found = witness("FED-C2-DP")
    small = {"c": Fraction(1, 2)}
    many = {**small, "p": Fraction(1, 10**3), "M": Fraction(10**7), "releases": Fraction(10**8)}
    few, enough = (replace(found, values={**found.values, **change}).stands() for change in (small, many))
    assert few[1].unmet == ["the memory stays short of the gradient"]
    assert enough[0]


def test_more_local_steps_lead_nowhere_where_the_slope_is_another():
    found = witness("FED-C2-DP")
    v = found.values
    short = replace(found, values={**v, "far": v["gamma"] * v["R"]})
    assert "f_1' = R wherever x and local steps from it can be" in short.stands()[1].unmet


@pytest.mark.parametrize(
    ("identifier", "change", "unmet"),
    [
        ("FED-C2-DP", {"gamma": 2}, ["0 < γ ≤ 1/(2L)"]),
        ("FED-C2-DP", {"far": 10}, ["γ < Δ^inf(α+R)/(√(2L)β̂R)", "ηγ ≤ Δ^inf/(4L√(2L)(K+1))"]),
        ("FED-C2-DP", {"M": 1000}, ["M ≥ 4 clients, and p = B̂/M with B̂ ∈ [1, M] clients"]),
        (FULL, {"gamma": 2}, ["0 < γ ≤ 1/(2L)"]),
        (FULL, {"M": 1000}, ["the memory stays short of the gradient"]),
        (UNDER_ROOT, {"gamma": 2}, ["0 < γ ≤ 1/(2L)"]),
        (
            UNDER_ROOT,
            {"far": Fraction(1, 10**12)},
            [
                "f(x⁰) − f^inf > 0 is the same on both data sets",
                "f_1' = R wherever x and local steps from it can be",
            ],
        ),
    ],
)
def test_the_witness_needs_what_the_corollary_asks(identifier, change, unmet):
    found = witness(identifier)
    moved = replace(found, values={**found.values, **{name: Fraction(x) for name, x in change.items()}})
    stands, replay = moved.stands()
    assert found.stands()[0]
    assert not stands
    assert list(replay.unmet) == unmet
