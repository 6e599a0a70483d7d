"""How much noise the private runs bore: lengths by hand, the privacy by its other direction, which runs count."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from bounds.privacy import Setting, epsilon
from gpu_benchmarks.accuracies import FAR
from gpu_benchmarks.config import Config, with_readings
from gpu_benchmarks.plans import RESNET20
from gpu_benchmarks.private_runs import noisy, releases
from gpu_benchmarks.records import Record

CELL = Config(beta=0.01, gamma=0.1, rounds=150, private=True)
PRINTED = 0.01 * math.sqrt(150) * math.log(1e5) / 8  # β √K log(1/δ)/ε


def ran(config: Config, rounds: int) -> Record:
    accuracies = [10.0 + k for k in range(rounds)]
    metrics = {"train_loss": [1.0] * rounds, "test_loss": [1.0] * rounds, "test_accuracy": accuracies}
    return Record(
        replace(config, stop_after=None if rounds == config.rounds else rounds), "complete", metrics, {}
    )


@pytest.mark.parametrize(
    ("reading", "length"),
    [
        ("std of the vector", PRINTED),
        ("variance of the vector", math.sqrt(PRINTED)),
        ("std per coordinate", PRINTED * math.sqrt(RESNET20)),
        ("variance per coordinate", math.sqrt(PRINTED * RESNET20)),
    ],
)
def test_length_of_the_noise_by_hand(reading, length):
    (found,) = noisy([ran(with_readings(CELL, noise=reading), FAR)])
    assert found.length == pytest.approx(length)


def test_noise_that_joins_the_memory_is_longer_by_one_over_beta_and_a_clipped_message_is_beta_long():
    plain = with_readings(CELL, noise="std of the vector")
    runs = [plain, with_readings(plain, noise_joins="memory"), replace(plain, method="clip21")]
    lengths = sorted(found.length for found in noisy(ran(config, FAR) for config in runs))
    assert lengths == pytest.approx([PRINTED, PRINTED / CELL.beta, PRINTED / CELL.beta])


@pytest.mark.parametrize(("reading", "iterations"), [("pass", 141), ("step", 1)])
def test_noise_over_all_iterations_is_longer_by_the_root_of_those_of_a_round(reading, iterations):
    cell = with_readings(CELL, round=reading, noise="std of the vector")
    runs = [with_readings(cell, noise_rounds=k) for k in ("rounds", "steps")]
    lengths = sorted(found.length for found in noisy(ran(config, FAR) for config in runs))
    assert lengths == pytest.approx([PRINTED, PRINTED * math.sqrt(iterations)])


def test_the_length_needed_gives_the_printed_privacy_and_a_hundredth_less_does_not():
    (found,) = noisy([ran(CELL, FAR)])
    setting = Setting("messages", "replace-one", found.releases)
    sigma = found.needed / math.sqrt(RESNET20)
    assert epsilon(setting, sigma, 1e-5).upper <= 8 < epsilon(setting, 0.99 * sigma, 1e-5).lower


def test_the_runs_own_epsilon_is_that_of_its_noise():
    (found,) = noisy([ran(CELL, FAR)])
    sigma = found.length / math.sqrt(RESNET20)
    assert epsilon(Setting("messages", "replace-one", 150 * 141), sigma, 1e-5).upper == found.epsilon


def test_a_message_is_sent_in_every_iteration():
    assert releases(CELL) == 150 * 141  # 4,500 images of a client in mini-batches of 32
    assert releases(with_readings(CELL, round="step")) == 150
    assert releases(replace(CELL, clients=20)) == 150 * 71


def test_short_runs_and_runs_without_noise_are_left_out_and_of_equal_ones_the_longest_counts():
    runs = [
        ran(CELL, FAR),
        ran(CELL, FAR + 5),
        ran(replace(CELL, gamma=1.0), FAR - 1),
        ran(replace(CELL, private=False), FAR),
        ran(replace(CELL, images=1000), FAR),
    ]
    (found,) = noisy(runs)
    assert (found.rounds, found.of, found.highest) == (FAR + 5, 150, 10.0 + FAR + 4)
