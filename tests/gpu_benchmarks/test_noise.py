"""The noise of a run and who takes part: how much, and drawn anew in every iteration."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
import torch

from gpu_benchmarks.batches import Data, Keys, key
from gpu_benchmarks.config import with_readings
from gpu_benchmarks.device_randomness import DeviceRandomness
from gpu_benchmarks.engine import Trainer
from gpu_benchmarks.federation import federated
from gpu_benchmarks.method import noise_std, printed_scale
from gpu_benchmarks.readings import OPTIONS as READINGS
from methods.randomness import Keyed
from test_engine import CPU, TINY


@pytest.fixture(scope="module")
def data() -> Data:
    return federated(TINY)


def test_noise_readings_are_four_different_scales():
    base = replace(TINY, private=True, rounds=300, beta=0.1)
    printed = 2.4926215  # 0.1 · 17.3205081 · 11.5129255 / 8
    assert printed_scale(base, 141) == pytest.approx(printed, rel=1e-6)
    steps = 29.5982402  # with 42,300 iterations, √42300 = 205.6696
    assert printed_scale(with_readings(base, noise_rounds="steps"), 141) == pytest.approx(steps, rel=1e-6)
    printed = printed_scale(base, 141)
    d = 269_722
    expected = {
        "std per coordinate": printed,
        "variance per coordinate": math.sqrt(printed),
        "std of the vector": printed / math.sqrt(d),
        "variance of the vector": math.sqrt(printed / d),
    }
    for reading, std in expected.items():
        config = with_readings(base, noise=reading)
        assert noise_std(config, d, 141) == pytest.approx(std, rel=1e-12)
        assert noise_std(with_readings(config, noise_joins="memory"), d, 141) == pytest.approx(
            std / 0.1, rel=1e-12
        )
        factor = {"std": 0.1, "variance": 0.1**0.5}[reading.split()[0]]
        without = with_readings(config, noise_joins="message without β")
        assert noise_std(without, d, 141) == pytest.approx(std / factor, rel=1e-12)
        for joins in READINGS["noise_joins"]:
            clip = replace(with_readings(config, noise_joins=joins), method="clip21")
            assert noise_std(clip, d, 141) == pytest.approx(std, rel=1e-12)


@pytest.mark.parametrize("reading", ["pass", "step"])
def test_noise_over_all_iterations_is_over_as_many_as_the_run_makes(data, reading):
    """The scale grows with √K; where a printed round is one iteration, K rounds are K iterations."""
    config = with_readings(replace(TINY, private=True), round=reading, noise="std per coordinate")
    rounds, steps = (
        Trainer(with_readings(config, noise_rounds=k), data, CPU) for k in READINGS["noise_rounds"]
    )
    of_a_round = {"pass": len(rounds.groups), "step": 1}[reading]
    assert steps.method.noise.std == pytest.approx(rounds.method.noise.std * math.sqrt(of_a_round), rel=1e-14)


def test_noise_without_beta_is_one_length_for_all_beta():
    """Section 5 of α-NormEC: σ_DP grows with K and not with β."""
    base = with_readings(replace(TINY, private=True), noise_joins="message without β")
    for noise in READINGS["noise"]:
        config = with_readings(base, noise=noise)
        found = {noise_std(replace(config, beta=beta), 1000, 141) for beta in (0.25, 0.5, 1.0, 2.0)}
        assert len(found) == 1


def test_noise_has_the_asked_deviation_and_is_keyed(data):
    """Two runs that differ in the noise alone: after one iteration x differs by γβ · mean of the clients'
    noise.
    """
    step = {"round": "step", "batches": "pass"}
    quiet = with_readings(replace(TINY, beta=0.05), **step)
    loud = with_readings(replace(quiet, private=True), noise="std per coordinate", **step)

    def after_one(config):
        trainer = Trainer(config, data, CPU)
        trainer.enqueue()
        return trainer.buffers["x"].clone(), trainer

    x, trainer = after_one(quiet)
    noisy, _ = after_one(loud)
    difference = (noisy - x) / (quiet.gamma * quiet.beta)
    std = noise_std(loud, len(x), trainer.iterations_per_round) / math.sqrt(quiet.clients)
    # the deviation of d normals is σ(1 ± 1/√(2d)), their mean 0 ± σ/√d; five of those
    assert difference.std().item() == pytest.approx(std, rel=5 / math.sqrt(2 * len(x)))
    assert abs(difference.mean().item()) < 5 * std / math.sqrt(len(x))
    assert torch.equal(noisy, after_one(loud)[0])
    assert not torch.equal(noisy, after_one(replace(loud, seed=1))[0])


def test_noise_and_participants_are_fresh_in_every_iteration(data, monkeypatch):
    config = replace(TINY, method="fed_alpha_normec", participation=0.5, private=True)
    trainer = Trainer(config, data, CPU)
    drawn = {"client_normals": [], "uniforms": []}

    def watched(name: str):
        draw = getattr(DeviceRandomness, name)

        def seen(self, *asked):
            drawn[name].append(draw(self, *asked))
            return drawn[name][-1]

        return seen

    for name in drawn:
        monkeypatch.setattr(DeviceRandomness, name, watched(name))
    for _ in range(2):
        trainer.enqueue(test=False)
    for name, found in drawn.items():
        assert len(found) == 2 * trainer.iterations_per_round, name
        assert len({tuple(one.flatten().tolist()) for one in found}) == len(found), name


def test_no_two_iterations_of_a_run_draw_alike_on_a_cpu(data):
    """Its generator keeps 32 bits of a seed, and 42,300 keys of 32 bits are all different in four runs of five: those of
    seed 42 are not. All others stay what they are.
    """
    same, again = 10_873, 32_921
    keys = [key(42, "round", k) for k in range(42_300)]
    assert keys[same] % 2**32 == keys[again] % 2**32
    trainer = Trainer(replace(TINY, seed=42, private=True), data, CPU)

    def drawn(iteration):
        trainer._seed(iteration)
        return torch.randn(5, generator=trainer.randomness.generator)

    assert not torch.equal(drawn(again), drawn(same))
    assert torch.equal(drawn(again), drawn(again))
    ours = [trainer.keys[k] for k in range(42_300)]
    assert len({k % 2**32 for k in ours}) == 42_300
    assert [k for k in range(42_300) if ours[k] != keys[k]] == [again]
    assert Keys(42, "round")[again] == ours[again], "a run that goes on from a checkpoint draws the same"


ASKED = {"private": True, "method": "fed_alpha_normec", "participation": 0.5}


def drawn_in(trainer: Trainer, iteration: int) -> list[torch.Tensor]:
    """What an iteration draws, in its order, in full."""
    trainer._seed(iteration)
    like, clients = trainer.buffers["x"], trainer.config.clients
    source = trainer.randomness
    return [
        source.client_normals(iteration, (), clients, len(like), like),
        source.uniforms(iteration, (), clients, like),
        source.server_normals(iteration, (), len(like), like),
    ]


def alike(a: list[torch.Tensor], b: list[torch.Tensor]) -> list[bool]:
    return [torch.equal(one, other) for one, other in zip(a, b, strict=True)]


def test_draws_are_keyed_by_seed_and_iteration_whatever_was_drawn_before(data):
    """By another trainer, in another order, after rounds of training, beside draws from torch's own generator."""
    config = replace(TINY, **ASKED)
    first, second = Trainer(config, data, CPU), Trainer(config, data, CPU)
    in_order = [drawn_in(first, k) for k in range(4)]
    second.enqueue(test=False)
    torch.manual_seed(0)
    backwards = {k: drawn_in(second, k) for k in (3, 1, 0, 2)}
    torch.rand(7)
    for k, found in enumerate(in_order):
        assert all(alike(found, backwards[k]))
        assert all(alike(found, drawn_in(second, k)))
    third = Trainer(config, data, CPU)
    third._seed(2)
    torch.rand(100, generator=third.randomness.generator)
    assert all(alike(in_order[2], drawn_in(third, 2)))


def test_another_iteration_or_seed_draws_other_numbers(data):
    config = replace(TINY, **ASKED)
    found = [
        drawn_in(Trainer(replace(config, seed=seed), data, CPU), k) for seed in (0, 1, 2) for k in range(5)
    ]
    for i, one in enumerate(found):
        for other in found[:i]:
            assert not any(alike(one, other))


def test_one_stream_serves_an_iteration_in_turn_so_that_participants_depend_on_the_noise_before_them(data):
    """Unlike those of `Keyed`; records of runs depend on it."""
    trainer = Trainer(replace(TINY, **ASKED), data, CPU)
    like, clients = trainer.buffers["x"], trainer.config.clients
    _, with_noise, _ = drawn_in(trainer, 1)
    trainer._seed(1)
    assert not torch.equal(trainer.randomness.uniforms(1, (), clients, like), with_noise)
    keyed = Keyed(trainer.config.seed)
    uniforms = keyed.uniforms(1, (), clients, like)
    keyed.client_normals(1, (), clients, 5, like)
    assert torch.equal(keyed.uniforms(1, (), clients, like), uniforms)
    trainer._seed(1)
    first = trainer.randomness.uniforms(1, (), clients, like)
    trainer._seed(1)
    assert torch.equal(trainer.randomness.uniforms(7, (), clients, like), first), "the round is not looked at"
