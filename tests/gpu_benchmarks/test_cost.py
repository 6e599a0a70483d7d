"""What a run costs, counted from its config, against the iterations and images of the engine's own schedule."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from gpu_benchmarks import cost as costs
from gpu_benchmarks.config import Config, with_readings
from gpu_benchmarks.cost import cost, estimate, measure
from gpu_benchmarks.engine import Trainer
from gpu_benchmarks.federation import federated
from gpu_benchmarks.training import Options, Run

FED = Config(method="fed_alpha_normec", clients=20)


def test_the_printed_schedule():
    found = cost(Config())
    assert (found.iterations, found.images, found.tests) == (42_300, 300 * 45_000, 300 * 5_000)
    # forward: 3 → 16 channels on 32²; six convolutions of the first stage; in the other two stages one that doubles
    # the channels, which costs half as much as each of the five after it; the linear layer
    stage = 32**2 * 9 * 16**2
    forward = 32**2 * 9 * 3 * 16 + 6 * stage + 2 * (stage // 2 + 5 * stage) + 640
    # backward costs two forwards; two operations a multiply-add
    assert found.operations == 2 * forward * (3 * 300 * 45_000 + 300 * 5_000)


def test_local_steps_on_fresh_mini_batches_see_each_image_once_a_pass():
    """20 clients hold 2,250 images: 71 mini-batches, so with T = 4 a pass has 18 communications."""
    fresh, same = (
        cost(with_readings(replace(FED, local_steps=4), local_batches=r)) for r in ("fresh", "same")
    )
    one = cost(FED)
    assert (one.iterations, fresh.iterations, same.iterations) == (300 * 71, 300 * 18, 300 * 71)
    assert fresh.images == one.images == 300 * 45_000
    assert same.images == 4 * one.images


@pytest.mark.parametrize("reading", ["pass", "step"])
@pytest.mark.parametrize("last", ["short", "drop", "wrap"])
def test_counts_are_those_of_the_engine(reading, last):
    config = Config(
        method="fed_alpha_normec",
        local_steps=2,
        data="synthetic",
        clients=3,
        batch=16,
        rounds=11,
        blocks=1,
        width=2,
    )
    config = with_readings(config, round=reading, last_batch=last)
    trainer = Trainer(config, federated(config), torch.device("cpu"))
    number = config.rounds * trainer.iterations_per_round
    images = sum(sum(trainer.groups[k % len(trainer.groups)]) for k in range(number)) * config.clients
    # the count divides the images evenly; the engine's shards leave out the one image that is over
    assert cost(config).iterations == number
    assert cost(config).images == images


@pytest.mark.parametrize(("rounds", "test_every"), [(11, 1), (11, 3), (12, 4), (4, 3), (5, 2), (300, 100)])
def test_tests_are_those_that_are_made(rounds, test_every):
    """After every N-th round and the last five, also of a run that is stopped before its end."""
    options = Options(CPU.device, test_every=test_every)
    for config in (Config(rounds=rounds), Config(rounds=2 * rounds, stop_after=rounds)):
        run = object.__new__(Run)
        run.options, run.asked = options, rounds
        made = sum(run._due_for_test(number) for number in range(1, rounds + 1))
        assert cost(config, test_every).tests == made * 5_000
        assert cost(config).tests == rounds * 5_000


def test_an_estimate_counts_the_tests_that_are_asked_for(monkeypatch):
    monkeypatch.setattr(costs, "measure", lambda config, options: (0.0, 1.0))
    ((_, _, seconds),) = estimate([Config()], Options(CPU.device, test_every=100))
    assert seconds == (2 + 5) * 5_000


LOCAL = Config(
    method="fed_alpha_normec", local_steps=4, data="synthetic", clients=2, batch=4, blocks=1, width=2
)
CPU = Options(torch.device("cpu"))


@pytest.mark.parametrize(
    ("local_steps", "reading", "evaluations"),
    [(1, "fresh", 1), (4, "fresh", 4), (4, "same", 4), (10**5, "fresh", None)],
)
def test_the_iteration_that_is_measured_makes_all_its_local_steps(
    monkeypatch, local_steps, reading, evaluations
):
    """No more, though, than a pass over the client's images has mini-batches."""
    config = with_readings(replace(LOCAL, local_steps=local_steps), local_batches=reading)
    if evaluations is None:
        config = replace(config, images=40)
        evaluations = len(Trainer(config, federated(config), CPU.device).groups[0])
        assert 1 < evaluations < 10
    made, clock = [], [0.0]

    def lasting(seconds, work):
        def timed(*args):
            clock[0] += seconds
            return work(*args)

        return timed

    gradients = costs.Trainer._gradients
    monkeypatch.setattr(costs.Trainer, "_gradients", lambda *a: made.append(1) or lasting(1, gradients)(*a))
    monkeypatch.setattr(costs.Trainer, "evaluate", lasting(0.25, costs.Trainer.evaluate))
    monkeypatch.setattr(costs.time, "perf_counter", lambda: clock[0])
    iteration, test = measure(config, CPU, repeats=1)
    assert len(made) == 2 * evaluations, "one iteration to warm up, and one that is timed"
    assert iteration == evaluations, "a second a gradient, without the test at the iteration's end"
    assert test == 0.25 / 250, "of one of 250 images"


def test_each_kind_of_iteration_is_measured_once(monkeypatch):
    measured = []

    def seconds(config, options):
        measured.append(config)
        return 1.0, 0.0

    monkeypatch.setattr(costs, "measure", seconds)
    same = with_readings(LOCAL, local_batches="same")
    found = list(estimate([LOCAL, same, replace(LOCAL, seed=1), replace(same, gamma=0.5)], CPU))
    assert measured == [LOCAL, same]
    assert [seconds for *_, seconds in found] == [cost(c).iterations for c, *_ in found]
