"""What is trained is what is printed: one iteration of a method by its formula, and the scale of its noise."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest
import torch

import textbook
from bounds import experiment_noise
from bounds.privacy import printed
from bounds.privacy.printed import experiment_scale, experiment_scale_short_root
from gpu_benchmarks import method
from gpu_benchmarks.batches import Data
from gpu_benchmarks.config import Config, with_readings
from gpu_benchmarks.engine import Trainer
from gpu_benchmarks.federation import federated
from gpu_benchmarks.machine import ROOT
from gpu_benchmarks.method import build, noise_std, printed_scale
from gpu_benchmarks.training_methods import METHODS
from methods.operators import Clip, Identity, SmoothedNorm
from methods.server import Normalised, Plain

CPU = torch.device("cpu")
TINY = with_readings(
    Config(data="synthetic", clients=3, batch=16, rounds=2, blocks=1, width=4, precision="float64", seed=0),
    round="step",
)


@pytest.fixture(scope="module")
def data() -> Data:
    return federated(TINY)


def normalised(v: torch.Tensor, alpha: float) -> torch.Tensor:
    """Norm_α(v) = v/(α + ‖v‖)."""
    return v / (alpha + v.norm())


# α of the size of ‖∇f_i‖ and γ far from 1: α for α/γ, or γ for γβ, changes every digit.
DIFFERENT = {"gamma": 0.7, "beta": 0.3, "alpha": 0.5}


def test_smoothed_dp_sgd_is_its_formula(data):
    """x ← x − γ (β/n) Σ Norm_α(∇f_i): eq. (2) of α-NormEC with messages of length β."""
    config = replace(TINY, method="dp_sgd", **DIFFERENT)
    trainer, probe = Trainer(config, data, CPU), Trainer(config, data, CPU)
    x = probe.buffers["x"].clone()
    images, labels = probe.mini_batch(*probe.prepare(0))
    model = textbook.ResNet(1, 4).double().load(x)
    found = [textbook.gradient(model, images[i::3], labels[i::3])[1] for i in range(3)]
    mean = torch.stack([normalised(g, 0.5) for g in found]).mean(0)
    trainer.enqueue()
    # rounding 1e-16 relative through one backward pass: ten digits are left with room
    torch.testing.assert_close(trainer.buffers["x"], x - 0.7 * 0.3 * mean, rtol=0, atol=1e-10)


@pytest.mark.parametrize("T", [1, 2])
def test_fedavg_is_its_formula(data, T):
    """x ← x − (η/B) Σ β Norm_α(x − 𝒯_i(x)), η = γ, 𝒯_i of T steps of length γ/T: Fed-α-NormEC, Section 3 and D.1."""
    config = replace(TINY, method="fedavg", local_steps=T, **DIFFERENT)
    trainer, probe = Trainer(config, data, CPU), Trainer(config, data, CPU)
    x = probe.buffers["x"].clone()
    model, points = textbook.ResNet(1, 4).double(), x.repeat(3, 1)
    for size in probe.prepare(0):
        images, labels = probe.mini_batch(size)
        for i in range(3):
            _, g = textbook.gradient(model.load(points[i]), images[i::3], labels[i::3])
            points[i] -= 0.7 / T * g
    mean = torch.stack([normalised(x - point, 0.5) for point in points]).mean(0)
    trainer.enqueue()
    torch.testing.assert_close(trainer.buffers["x"], x - 0.7 * 0.3 * mean, rtol=0, atol=1e-10)


@pytest.mark.parametrize(
    ("root", "formula", "by_hand"),
    [
        # 0.1 √(300 · 11.5129255)/8 = 0.1 · 58.7697/8, and √11.5129255 = 3.39307 times that
        ("K and log", experiment_scale, 0.734621),
        ("K alone", experiment_scale_short_root, 2.4926215),
    ],
)
def test_the_scale_of_the_noise_is_that_of_the_bounds_under_either_root(root, formula, by_hand):
    """What is trained and what `verify` speaks of are one formula; α-NormEC, 6.2, and Fed-α-NormEC, Section 5."""
    config = replace(TINY, private=True, rounds=300, beta=0.1)
    assert printed_scale(with_readings(config, noise_root=root), 141) == pytest.approx(by_hand, rel=1e-5)
    for change in ({}, {"epsilon": 3.0}, {"delta": 1e-3}, {"rounds": 7}, {"beta": 0.7}):
        c = with_readings(replace(config, **change), noise_root=root)
        assert printed_scale(c, 141) == pytest.approx(
            formula(c.beta, c.rounds, c.epsilon, c.delta), rel=1e-14
        )
    fed = with_readings(replace(config, method="fed_alpha_normec", participation=0.25), noise_root=root)
    assert printed_scale(fed, 141) == pytest.approx(formula(0.1, 300, 8.0, 1e-5, 0.25), rel=1e-14)


def test_the_noise_that_is_trained_with_and_the_one_that_is_judged_are_one_function():
    for name in ("experiment_scale", "experiment_scale_short_root"):
        formula = getattr(experiment_noise, name)
        assert getattr(printed, name) is formula
        assert getattr(method, name) is formula


def test_the_scale_of_the_noise_needs_no_package_that_a_rented_machine_lacks():
    lacking = ["cvc5", "flint", "mpmath", "scipy", "sympy", "typst", "z3"]
    source = (
        f"import sys; sys.modules.update(dict.fromkeys({lacking}))\n"
        "from gpu_benchmarks.config import Config, with_readings\n"
        "from gpu_benchmarks.method import printed_scale\n"
        "for root in ('K and log', 'K alone'):\n"
        "    print(printed_scale(with_readings(Config(private=True, epsilon=8, rounds=300), noise_root=root), 141))"
    )
    done = subprocess.run([sys.executable, "-c", source], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert list(map(float, done.stdout.split())) == pytest.approx([0.734621, 2.4926215], rel=1e-5)


@pytest.mark.parametrize("p", [0.25, 0.5, 1.0])
def test_noise_has_the_printed_factor_p(p):
    """Fed-α-NormEC, Section 5: pβ√K log(1/δ)/ε, for ε = 8, δ = 10⁻⁵; it reaches the noise of the method built."""
    config = replace(
        TINY, method="fed_alpha_normec", participation=p, private=True, beta=0.1, rounds=300, clients=20
    )
    config = with_readings(config, noise="std per coordinate")
    whole = replace(config, participation=1.0)
    assert printed_scale(config, 141) == pytest.approx(
        p * 2.4926215, rel=1e-7
    )  # 0.1 · 17.3205081 · 11.5129255 / 8
    assert printed_scale(config, 141) == pytest.approx(p * printed_scale(whole, 141), rel=1e-14)
    assert noise_std(config, 100, 141) == pytest.approx(p * noise_std(whole, 100, 141), rel=1e-14)
    assert build(config, 100, 141).noise == build(replace(config, method="fedavg"), 100, 141).noise
    assert build(config, 100, 141).noise.std == noise_std(config, 100, 141)  # type: ignore[union-attr]


SENDS = {"smoothed": SmoothedNorm, "clipped": Clip, "whole": Identity}


@pytest.mark.parametrize("name", METHODS)
def test_what_is_said_of_a_method_is_so_of_what_is_trained(name):
    """The table against the point of the algebra that is built, here and with each setting that the table allows."""
    has = METHODS[name]
    plain = build(replace(TINY, method=name), d=10, iterations_per_round=1)
    assert isinstance(plain.operator, SENDS[has.message])
    assert (plain.feedback is not None) == has.memories
    assert isinstance(plain.server, Plain)
    if has.server_normalisation:
        assert isinstance(
            build(replace(TINY, method=name, server_normalisation=True), 10, 1).server, Normalised
        )
    if has.message != "whole":
        assert build(replace(TINY, method=name, private=True), 10, 1).noise is not None
    if has.federated:
        absent = build(replace(TINY, method=name, participation=0.5, local_steps=2), 10, 1)
        assert absent.participation.random
        assert absent.local_work.steps == 2


@pytest.mark.parametrize("name", METHODS)
def test_a_setting_that_a_method_has_not_is_refused(name):
    has = METHODS[name]
    for allowed, change in (
        (has.server_normalisation, {"server_normalisation": True}),
        (has.message != "whole", {"private": True}),
        (has.federated, {"participation": 0.5}),
        (has.federated, {"local_steps": 2}),
        (has.memories, {"readings": replace(TINY.readings, memories="first-gradient")}),
    ):
        if not allowed:
            with pytest.raises(ValueError, match=f"with method {name}"):
                replace(TINY, method=name, **change)
