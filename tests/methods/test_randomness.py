"""Noise and participation: keyed, reproducible, of the law they should have.

Every statistical test states its n; its tolerance is Z standard errors, Z = 6.5, which a correct generator
leaves with probability 8e-11 (normal tail), and the seeds are fixed.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from methods import advance, initialise, philox
from methods.noise import READINGS, Gaussian, per_coordinate
from methods.participation import Bernoulli, Everybody, FixedSize, Poisson
from methods.published import dp_alpha_normec, dp_fedavg_clip, dp_normfedavg
from methods.randomness import CLIENT_NOISE, Keyed

Z = 6.5
LIKE = np.zeros(1)
N_SEEDS, N_CLIENTS, D = 400, 10, 50
N = N_SEEDS * N_CLIENTS * D


@pytest.fixture(scope="module")
def normals() -> np.ndarray:
    """(rounds, seeds, clients, d)."""
    keyed = Keyed(np.arange(N_SEEDS))
    return np.stack([keyed.client_normals(k, (N_SEEDS,), N_CLIENTS, D, LIKE) for k in range(2)])


def test_words_are_those_of_numpys_philox():
    seed, round, client, stream, length = 2**64 - 1, 7, 3, 1, 13
    key, counter = (np.array(v, dtype=np.uint64) for v in ((seed, 0), (0, client, round, stream)))
    expected = np.random.Philox(key=key, counter=counter).random_raw(length)
    seeds = np.array([seed], dtype=np.uint64)
    for words in (philox.by_array_program, philox.by_generator):
        assert np.array_equal(words(seeds, round, client + 1, stream, length)[0, client], expected)


def test_normals_are_box_muller_of_the_words():
    seeds = np.array([5], dtype=np.uint64)
    words = philox.by_generator(seeds, 2, 1, CLIENT_NOISE, 6)[0, 0]
    u = [(int(w) >> 11) / 2**53 for w in words]
    expected = [
        math.sqrt(-2 * math.log1p(-u[j])) * turn(2 * math.pi * u[j + 1])
        for j in (0, 2, 4)
        for turn in (math.cos, math.sin)
    ]
    numbers = Keyed(5).client_normals(2, (), 1, 5, LIKE)[0]
    # cos and sin of an angle below 2π that is off by an ulp: 2π·eps absolute, times a radius below 8.6.
    assert numbers == pytest.approx(expected[:5], rel=0, abs=60 * np.finfo(float).eps)


@pytest.mark.parametrize("d", [1, 2, 7, philox.LONG - 1, philox.LONG + 1])
def test_a_stream_depends_on_its_key_alone(d):
    """Not on which other seeds and clients are there, nor on the chunk it is computed in."""
    seeds = np.arange(philox.CHUNK // 8)
    many = Keyed(seeds).client_normals(4, seeds.shape, 9, d, LIKE)
    for s, c in ((0, 0), (17, 8), (len(seeds) - 1, 3)):
        alone = Keyed(int(seeds[s])).client_normals(4, (), c + 1, d, LIKE)[c]
        assert np.array_equal(alone, many[s, c])


def test_seed_0_is_a_seed_and_every_key_gives_another_stream():
    streams = [
        Keyed(seed).client_normals(k, (), 3, 4, LIKE)[c] for seed in (0, 1) for k in (0, 1) for c in range(3)
    ]
    streams += [Keyed(0).server_normals(0, (), 4, LIKE), Keyed(1).server_normals(1, (), 4, LIKE)]
    assert len({stream.tobytes() for stream in streams}) == len(streams)
    assert np.array_equal(streams[0], Keyed(0).client_normals(0, (), 3, 4, LIKE)[0])


def test_long_and_short_vectors_agree_where_they_overlap():
    seeds = np.arange(3, dtype=np.uint64)
    long = philox.by_generator(seeds, 1, 2, 0, philox.LONG + 10)
    assert np.array_equal(long, philox.by_array_program(seeds, 1, 2, 0, philox.LONG + 10))


@pytest.mark.parametrize(
    ("moment", "expected", "variance"),
    [(1, 0, 1), (2, 1, 2), (3, 0, 15), (4, 3, 96), (6, 15, 10395 - 225)],
    ids=["mean", "variance", "skewness", "kurtosis", "sixth"],
)
def test_moments_of_the_noise(normals, moment, expected, variance):
    """E z^m over n = 200,000 numbers; the variance of z^m is E z^2m − (E z^m)²."""
    for k in range(2):
        assert np.mean(normals[k] ** moment) == pytest.approx(expected, abs=Z * math.sqrt(variance / N))


def test_tails_of_the_noise(normals):
    """P(|z| > t) for t = 1, 2, 3, 4."""
    for t in (1, 2, 3, 4):
        p = math.erfc(t / math.sqrt(2))
        assert np.mean(np.abs(normals) > t) == pytest.approx(p, abs=Z * math.sqrt(p / (2 * N)))


@pytest.mark.parametrize(
    ("what", "pair"),
    [
        ("rounds", lambda z: (z[0], z[1])),
        ("clients", lambda z: (z[:, :, :-1], z[:, :, 1:])),
        ("seeds", lambda z: (z[:, :-1], z[:, 1:])),
        ("coordinates", lambda z: (z[..., :-1], z[..., 1:])),
    ],
    ids=["rounds", "clients", "seeds", "coordinates"],
)
def test_noise_is_uncorrelated_across(normals, what, pair):
    """Of z, and of z², whose correlation would show a shared scale."""
    a, b = pair(normals)
    assert np.mean(a * b) == pytest.approx(0, abs=Z / math.sqrt(a.size)), what
    assert np.mean((a**2 - 1) * (b**2 - 1)) == pytest.approx(0, abs=Z * 2 / math.sqrt(a.size)), what


@pytest.mark.parametrize("reading", READINGS)
def test_readings_of_a_printed_scale(reading):
    """The printed number 0.25 in d = 16: what each reading makes of E z_j² and of E‖z‖²."""
    std = per_coordinate(0.25, 16, reading)
    z = Gaussian(std).std * Keyed(np.arange(5000)).client_normals(0, (5000,), 1, 16, LIKE)
    per_entry, whole = {
        "std per coordinate": (0.0625, 1.0),
        "variance per coordinate": (0.25, 4.0),
        "std of the vector": (0.0625 / 16, 0.0625),
        "variance of the vector": (0.25 / 16, 0.25),
    }[reading]
    assert np.mean(z**2) == pytest.approx(per_entry, rel=Z * math.sqrt(2 / z.size))
    assert np.mean(np.sum(z**2, axis=-1)) == pytest.approx(whole, rel=Z * math.sqrt(2 / z.size))


def test_unknown_reading_lists_the_readings():
    with pytest.raises(ValueError, match="'sigma' is unknown; the readings are std per coordinate, variance"):
        per_coordinate.__wrapped__(0.25, 16, "sigma")


DRAWS, CLIENTS = 20_000, 6
RULES = {
    "Bernoulli": (Bernoulli(0.3), 0.3),
    "FixedSize": (FixedSize(2), 1 / 3),
    "Poisson": (Poisson(2.4), 0.4),
}


@pytest.fixture(scope="module")
def uniforms() -> np.ndarray:
    return Keyed(np.arange(DRAWS)).uniforms(0, (DRAWS,), CLIENTS, LIKE)


@pytest.mark.parametrize("kind", ["numpy float64", "numpy float32", "torch float32", "torch bfloat16"])
def test_no_uniform_number_is_1_in_any_type(kind, monkeypatch):
    """The largest word, 1 − 2⁻⁵³, is 1 when it is rounded to a shorter type, and Bernoulli(1) would leave a client out."""
    largest, zero = np.full((1, 3), 2**64 - 1, dtype=np.uint64), np.zeros((1, 3), dtype=np.uint64)
    library, name = kind.split()
    xp = np if library == "numpy" else pytest.importorskip("torch")
    like = xp.zeros(3, dtype=getattr(xp, name))
    for words, expected in ((largest, float(1 - xp.finfo(like.dtype).eps / 2)), (zero, 0.0)):
        monkeypatch.setattr(philox, "uniforms", lambda *args, words=words: philox.unit(words))
        found = Keyed(0).uniforms(0, (), 3, like)
        assert found.dtype == like.dtype
        assert [float(u) for u in found] == [expected] * 3
        assert bool(Bernoulli(1.0).mask(found).all())


@pytest.mark.parametrize("rule", RULES)
def test_inclusion_probability(rule, uniforms):
    participation, p = RULES[rule]
    share = participation.mask(uniforms).mean(axis=0)
    assert share == pytest.approx(np.full(CLIENTS, p), abs=Z * math.sqrt(p * (1 - p) / DRAWS))


@pytest.mark.parametrize("rule", RULES)
def test_aggregate_is_unbiased(rule, uniforms):
    """E of (1/N) Σ q_i m_i is the mean of all messages."""
    participation, _ = RULES[rule]
    messages = np.arange(1.0, CLIENTS + 1)
    sent = participation.mask(uniforms) * participation.weight * messages
    aggregate = sent.sum(axis=-1) / participation.divisor(CLIENTS)
    assert aggregate.mean() == pytest.approx(messages.mean(), abs=Z * aggregate.std() / math.sqrt(DRAWS))


def test_clients_of_bernoulli_and_poisson_are_independent_and_those_of_a_fixed_size_are_not(uniforms):
    for rule, joint in (("Bernoulli", 0.09), ("Poisson", 0.16), ("FixedSize", 1 / 15)):
        mask = RULES[rule][0].mask(uniforms)
        both = np.mean(mask[:, 0] & mask[:, 1])
        assert both == pytest.approx(joint, abs=Z * math.sqrt(joint * (1 - joint) / DRAWS)), rule


def test_fixed_size_always_has_its_size_and_every_subset_comes(uniforms):
    mask = FixedSize(2).mask(uniforms)
    assert np.all(mask.sum(axis=-1) == 2)
    subsets, counts = np.unique(mask, axis=0, return_counts=True)
    assert len(subsets) == 15
    assert counts / DRAWS == pytest.approx(np.full(15, 1 / 15), abs=Z * math.sqrt(14 / 225 / DRAWS))


def test_everybody_is_everybody(uniforms):
    assert Everybody().mask(uniforms).all()
    assert Bernoulli(1.0).mask(uniforms).all()


def test_runs_that_share_a_seed_share_their_noise_and_parameters_apart():
    """Seeds (1, S) for runs (P, S): every parameter meets the same noise."""
    keyed = Keyed(np.arange(3)[None, :])
    z = keyed.client_normals(0, (4, 3), 2, 5, LIKE)
    assert z.shape == (1, 3, 2, 5)
    with pytest.raises(ValueError, match=r"seeds of shape \(3,\) do not line up with runs of shape \(4, 3\)"):
        Keyed(np.arange(3)).client_normals(0, (4, 3), 2, 5, LIKE)


@pytest.mark.parametrize("bad", [-1, 1.5, [0, -3], "7", None])
def test_bad_seeds(bad):
    with pytest.raises(ValueError, match=r"must be integers in \[0, 2\^64\)"):
        Keyed(bad)


DRAWN = {
    "client_normals": {"round": 0, "runs": (), "clients": 2, "d": 3, "like": LIKE},
    "server_normals": {"round": 0, "runs": (), "d": 3, "like": LIKE},
    "uniforms": {"round": 0, "runs": (), "clients": 2, "like": LIKE},
}


WRONG = [
    ("round", 1.5, TypeError, "round = 1.5 must be an integer >= 0"),
    ("round", True, TypeError, "round = True must be an integer >= 0"),
    ("round", -1, ValueError, "round = -1 must be an integer >= 0"),
    ("round", 1 << 64, ValueError, f"round = {1 << 64} must be an integer below {1 << 64}"),
    ("clients", 0, ValueError, "clients = 0 must be an integer >= 1"),
    ("clients", 2.0, TypeError, "clients = 2.0 must be an integer >= 1"),
    ("d", 0, ValueError, "d = 0 must be an integer >= 1"),
    ("d", True, TypeError, "d = True must be an integer >= 1"),
    ("like", np.zeros(1, np.int64), ValueError, "like has dtype int64; give it a real floating one"),
    ("like", np.zeros(1, bool), ValueError, "like has dtype bool; give it a real floating one"),
]


@pytest.mark.unchecked
@pytest.mark.parametrize(
    ("draw", "name", "value", "error", "message"),
    [(draw, *wrong) for draw, given in DRAWN.items() for wrong in WRONG if wrong[0] in given],
)
def test_what_cannot_be_drawn_is_named(draw, name, value, error, message):
    with pytest.raises(error, match=message):
        getattr(Keyed(0), draw)(**{**DRAWN[draw], name: value})


@pytest.mark.unchecked
def test_a_round_and_sizes_from_numpy_are_numbers():
    """Sizes are computed with: 200 + 100 is no uint8."""
    keyed = Keyed(0)
    numbers = keyed.client_normals(np.int64(7), (), np.uint8(2), np.uint8(201), LIKE)
    assert np.array_equal(numbers, keyed.client_normals(7, (), 2, 201, LIKE))
    last = (1 << 64) - 1
    assert np.array_equal(keyed.uniforms(np.uint64(last), (), 2, LIKE), keyed.uniforms(last, (), 2, LIKE))


def test_noise_reaches_the_message_with_its_scale():
    method = dp_alpha_normec(0.1, 0.5, 0.1, 2.0)
    state = initialise(method, np.zeros((N_SEEDS, D)), N_CLIENTS)
    after, done = advance(method, state, lambda x: x - 1.0, Keyed(np.arange(N_SEEDS)))
    z = done.sent - done.shaped
    assert np.mean(z**2) == pytest.approx(4.0, rel=Z * math.sqrt(2 / N))
    # The server's memory carries (β/n) Σ z_i, of variance (0.5² · 2²)/10 per coordinate.
    carried = after.server_memory - after.memories.mean(axis=-2)
    assert np.mean(carried**2) == pytest.approx(0.1, rel=Z * math.sqrt(2 / carried.size))


@pytest.mark.parametrize("constructor", [dp_fedavg_clip, dp_normfedavg])
def test_noise_of_dp_normfedavg_is_that_of_line_12(constructor):
    """ζ_i ~ N(0, rσ² I_d) for each participant, and (1/r) Σ ζ_i in the aggregate; with r participants on average the
    aggregate's noise has variance σ² per coordinate."""
    r, sigma = 4.0, 0.7
    method = constructor(0.1, 0.5, 1.0, 1, sigma, r=r)
    state = initialise(method, np.zeros((N_SEEDS, D)), N_CLIENTS)
    _, done = advance(method, state, lambda x: x - 1.0, Keyed(np.arange(N_SEEDS)))
    assert np.mean(done.noise**2) == pytest.approx(r * sigma**2, rel=Z * math.sqrt(2 / N))
    aggregate = np.where(done.took_part[..., None], done.noise, 0.0).sum(axis=-2) / r
    assert np.array_equal(done.took_part[..., None] * (done.shaped + done.noise), done.sent)
    # Var of the squared entry: E m² of the number of participants m adds to the normal part.
    spread = aggregate.var(axis=-1).std() / math.sqrt(N_SEEDS)
    assert np.mean(aggregate**2) == pytest.approx(sigma**2, abs=Z * spread)
