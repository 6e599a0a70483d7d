"""The clients' data: disjoint shards, nothing of the test set in training, real CIFAR-10 where it is at
hand.
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace

import pytest
import torch

from gpu_benchmarks import federation
from gpu_benchmarks.config import Config, with_readings
from gpu_benchmarks.errors import InputError
from gpu_benchmarks.federation import federated, possible
from gpu_benchmarks.training import Options, train

SMALL = Config(data="synthetic", clients=4, batch=16, blocks=1, width=4, rounds=1)


@pytest.mark.parametrize("split", ["tenth-of-training", "tenth-of-all", "official-test"])
def test_shards_are_disjoint_and_the_test_set_is_apart(split):
    data = federated(with_readings(SMALL, split=split))
    assert len(data.shards.flatten().unique()) == data.shards.numel() <= len(data.images)
    training = {image.numpy().tobytes() for image in data.images}
    assert not training & {image.numpy().tobytes() for image in data.test_images}
    sizes = {"tenth-of-training": (360, 40), "tenth-of-all": (450, 50), "official-test": (360, 100)}
    assert (len(data.images), len(data.test_images)) == sizes[split]


def test_the_seed_decides_who_gets_what():
    first, again, other = (federated(replace(SMALL, seed=seed)) for seed in (0, 0, 1))
    assert torch.equal(first.shards, again.shards)
    assert torch.equal(first.images, again.images)
    assert not torch.equal(first.shards, other.shards)


def test_the_seed_decides_which_images_are_the_test_set(monkeypatch):
    """Of the same images: those of the synthetic data set follow the seed as well."""
    images = federation.synthetic(0)
    monkeypatch.setattr(federation, "synthetic", lambda seed: images)
    first, again, other = (federated(replace(SMALL, seed=seed)).test_images for seed in (0, 0, 1))
    assert torch.equal(first, again)
    assert not torch.equal(first, other)


def test_a_reduced_run_sees_a_random_subset():
    """64 of 360: their mean place is 179.5 ± 360/√12/√64 · √(1 − 64/360) = 11.8; six deviations."""
    data, whole = federated(replace(SMALL, images=64)), federated(SMALL)
    assert data.shards.shape == (4, 16)
    places = {image.numpy().tobytes(): place for place, image in enumerate(whole.images)}
    seen = [places[image.numpy().tobytes()] for image in data.images]
    assert len(set(seen)) == 64
    assert abs(sum(seen) / 64 - 179.5) < 71


def test_too_many_images_are_refused():
    with pytest.raises(InputError, match="images = 400: synthetic has 360"):
        federated(replace(SMALL, images=400))


def test_local_steps_that_no_iteration_makes_are_refused():
    """90 images of each client are 5 mini-batches of 16 and a short one: 6 local steps on fresh ones, and any number on the same.
    A last iteration that has fewer is documented.
    """
    local = replace(SMALL, method="fedavg")
    for steps, reading in ((1, "fresh"), (4, "fresh"), (6, "fresh"), (100_000, "same")):
        possible(with_readings(replace(local, local_steps=steps), local_batches=reading))
    with pytest.raises(InputError, match=r"local_steps = 7: a pass has 6 mini-batches .* take at most 6, or"):
        possible(replace(local, local_steps=7))


def test_table_and_records_need_no_torch():
    """A reader of results does not install a deep-learning library."""
    code = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == "torch":
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Absent())
from gpu_benchmarks.cli import main
raise SystemExit(main(["table", "--paper", "fed-alpha-normec", "--no-reduced"]))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "FED-S5-BEST" in done.stdout


@pytest.mark.data
@pytest.mark.skipif(not os.environ.get("NORMEC_DATA"), reason="NORMEC_DATA names no folder")
class TestCifar:
    @pytest.mark.parametrize(
        ("split", "each", "tests"),
        [("tenth-of-training", 4500, 5000), ("tenth-of-all", 5400, 6000), ("official-test", 4500, 10_000)],
    )
    def test_sizes_are_those_of_the_papers(self, split, each, tests):
        data = federated(with_readings(Config(), split=split))
        assert data.shards.shape == (10, each)
        assert len(data.test_images) == tests
        counts = data.labels.bincount(minlength=10)
        # a tenth of each class is held out at random: hypergeometric, deviation below √(5000 · 0.1) = 22;
        # six of those
        assert (counts - len(data.labels) / 10).abs().max() <= 6 * 23

    @pytest.mark.slow
    def test_a_reduced_run_learns(self):
        """A narrow network on 640 real images: the loss of the third pass is below that of the first."""
        config = Config(blocks=1, width=4, clients=4, images=640, stop_after=3, beta=1.0)
        record = train(config, federated(config), Options(torch.device("cpu")))
        losses = record.metrics["train_loss"]
        assert record.status == "complete"
        assert losses[2] < losses[0] - 0.05
