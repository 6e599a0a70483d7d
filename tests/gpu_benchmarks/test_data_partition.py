"""Splits and partitions: disjoint, complete, seeded, and as the papers describe them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpu_benchmarks.data.partition import SPLITS, keyed, label_sorted_shards, shuffled_shards, split

SIZES = {  # reading -> (training, test, held out) of CIFAR-10's 50,000 + 10,000
    "tenth-of-training": (45_000, 5_000, 0),
    "tenth-of-all": (54_000, 6_000, 0),
    "official-test": (45_000, 10_000, 5_000),
}


@pytest.mark.parametrize("reading", SPLITS)
def test_split_sizes_at_full_size(reading):
    got = split(reading, 50_000, 10_000, seed=0)
    assert (len(got.training), len(got.test), len(got.held_out)) == SIZES[reading]


@settings(max_examples=50, deadline=None)
@given(reading=st.sampled_from(SPLITS), n=st.integers(20, 500), m=st.integers(0, 100), seed=st.integers(0, 9))
def test_splits_are_disjoint_and_leave_nothing_out(reading, n, m, seed):
    got = split(reading, n, m, seed)
    everything = np.concatenate([got.training, got.test, got.held_out])
    pool = n if reading == "tenth-of-training" else n + m
    np.testing.assert_array_equal(np.sort(everything), np.arange(pool))
    if reading == "official-test":
        np.testing.assert_array_equal(got.test, np.arange(n, n + m))
    else:
        assert len(got.test) == pool // 10


def test_the_tenth_is_spread_and_seeded():
    first, again, other = (split("tenth-of-training", 50_000, 0, seed).test for seed in (0, 0, 1))
    np.testing.assert_array_equal(first, again)
    # a random tenth shares 500 ± 21 of 5,000 with another one (hypergeometric); six deviations
    assert abs(len(np.intersect1d(first, other)) - 500) < 130
    # and its mean index is 25,000 ± 14,434/√5,000 · √0.9 = 194; six deviations
    assert abs(first.mean() - 25_000) < 1_200


@settings(max_examples=50, deadline=None)
@given(samples=st.integers(1, 300), clients=st.integers(1, 40), seed=st.integers(0, 9))
def test_shuffled_shards_are_equal_and_disjoint(samples, clients, seed):
    if clients > samples:
        with pytest.raises(ValueError, match="choose between"):
            shuffled_shards(samples, clients, seed)
        return
    shards = shuffled_shards(samples, clients, seed)
    assert shards.shape == (clients, samples // clients)
    assert len(np.unique(shards)) == shards.size


@settings(max_examples=40, deadline=None)
@given(clients=st.integers(1, 12), each=st.integers(1, 6), size=st.integers(1, 4), seed=st.integers(0, 9))
def test_label_sorted_shards_deal_out_the_sorted_order(clients, each, size, seed):
    """Every sample once; each shard is a run of the label-sorted order."""
    labels = keyed(seed, 99).integers(0, 5, clients * each * size)
    got = label_sorted_shards(labels, clients, each, seed)
    np.testing.assert_array_equal(np.sort(got.ravel()), np.arange(len(labels)))
    rank = np.empty(len(labels), int)
    rank[np.argsort(labels, kind="stable")] = np.arange(len(labels))
    starts = rank[got].reshape(clients * each, size)
    np.testing.assert_array_equal(starts, starts[:, :1] + np.arange(size))
    assert set(starts[:, 0]) == set(range(0, len(labels), size))


def test_a_client_has_at_most_five_classes_at_the_paper_s_size():
    """Fashion-MNIST's shape, 6,000 of each class: 15,000 shards of 4, so no shard mixes classes (Appendix H)."""
    labels = np.random.default_rng(0).permutation(np.repeat(np.arange(10), 6_000))
    got = label_sorted_shards(labels, 3_000, 5, seed=0)
    assert got.shape == (3_000, 20)
    shards = labels[got].reshape(3_000, 5, 4)
    assert (shards == shards[:, :, :1]).all()
    classes = np.array([len(set(row)) for row in labels[got]])
    assert classes.max() <= 5
    assert len(set(classes)) > 2, "a random deal gives clients of several kinds"
    assert (label_sorted_shards(labels, 3_000, 5, 1) != got).any()


@pytest.mark.parametrize(("clients", "each"), [(7, 1), (0, 5), (2, 0)])
def test_shards_that_do_not_divide_are_refused(clients, each):
    with pytest.raises(ValueError, match="equal shards"):
        label_sorted_shards(np.zeros(100, int), clients, each, 0)


def test_bad_readings_and_seeds_are_refused():
    with pytest.raises(ValueError, match="tenth-of-training"):
        split("ninety-ten", 100, 0, 0)
    with pytest.raises(ValueError, match="at least 0"):
        split("tenth-of-all", 100, 0, -1)
