"""The real data sets: checksums, sizes, known statistics, the paper's partition. Skipped where they are absent."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from gpu_benchmarks.config import Config
from gpu_benchmarks.data import load
from gpu_benchmarks.data.partition import label_sorted_shards
from gpu_benchmarks.data.sources import MissingData
from gpu_benchmarks.federation import federated
from gpu_benchmarks.linear.problem import STANDARD, features
from gpu_benchmarks.linear.readings import Readings

pytestmark = pytest.mark.data


def real(name: str):
    try:
        return load(name)
    except MissingData as error:
        pytest.skip(f"{name}: {error}")


def test_fashion_mnist():
    images = real("fashion-mnist")
    assert images.training.shape == (60_000, 28, 28)
    assert images.test.shape == (10_000, 28, 28)
    assert (np.bincount(images.training_labels) == 6_000).all()
    assert (np.bincount(images.test_labels) == 1_000).all()
    pixels = images.training / 255
    assert (round(float(pixels.mean()), 4), round(float(pixels.std()), 4)) == STANDARD


def test_fashion_mnist_partition_is_the_paper_s():
    images = real("fashion-mnist")
    index = label_sorted_shards(images.training_labels, 3_000, 5, seed=0)
    shards = images.training_labels[index].reshape(3_000, 5, 4)
    assert (shards == shards[:, :, :1]).all(), "each shard holds one class"
    standard = features(images.training[:1_000], Readings(scaling="standard"))
    assert standard.shape == (1_000, 785)
    assert (standard[:, -1] == 1).all()


@pytest.mark.slow  # unpacks 127 MB of xz
def test_cifar10():
    images = real("cifar10")
    assert images.training.shape == (50_000, 3, 32, 32)
    assert images.test.shape == (10_000, 3, 32, 32)
    assert (np.bincount(images.training_labels) == 5_000).all()
    means = images.training.mean(axis=(0, 2, 3), dtype=np.float64) / 255
    np.testing.assert_allclose(means, [0.4914, 0.4822, 0.4465], atol=5e-5)  # as published, to 4 digits


@pytest.mark.slow
def test_cifar10_is_dealt_to_the_clients_whole():
    """The default reading: 45,000 of the 50,000 training images, each at one client, 5,000 others for the test."""
    real("cifar10")
    for clients, each in ((10, 4_500), (20, 2_250)):
        data = federated(Config(clients=clients))
        assert data.shards.shape == (clients, each)
        assert torch.equal(data.shards.flatten().sort().values, torch.arange(45_000))
        assert len(data.images) == len(data.labels) == 45_000
        assert len(data.test_images) == len(data.test_labels) == 5_000
        together = torch.cat([data.labels, data.test_labels])
        assert (torch.bincount(together) == 5_000).all()
        # shuffled: every client holds each class, about a tenth (450 ± 20 or 225 ± 14 at one deviation)
        counts = torch.stack([torch.bincount(data.labels[own], minlength=10) for own in data.shards])
        assert (counts > 0.7 * each / 10).all()
        assert (counts < 1.3 * each / 10).all()
