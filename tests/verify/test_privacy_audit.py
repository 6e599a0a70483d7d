"""The audit: sound on correct mechanisms, close on the worst pair, and every planted fault is caught."""

import math
from dataclasses import replace

import numpy as np
import pytest

from bounds.privacy import Setting, epsilon, gaussian_epsilon
from methods.noise import Gaussian
from methods.operators import Clip
from methods.published import alpha_normec, dp_alpha_normec, dp_clip21, fed_alpha_normec
from verify.privacy.audit import Attack, audit, guess

ROUNDS, NOISE = 25, 5.0
METHOD = dp_alpha_normec(gamma=0.1, beta=0.1, alpha=0.01, std=NOISE)
PLAIN = dp_alpha_normec(gamma=0.1, beta=0.1, alpha=0.01, std=NOISE, server_normalisation=False)


def accounted(sensitivity: int) -> float:
    return sensitivity * math.sqrt(ROUNDS) / NOISE


@pytest.mark.parametrize(
    ("method", "attack", "sensitivity"),
    [
        (METHOD, Attack(ROUNDS), 2),
        (METHOD, Attack(ROUNDS, against="absent"), 1),
        (METHOD, Attack(ROUNDS, dimension=3, clients=3), 2),
        (PLAIN, Attack(ROUNDS, reads_models=True), 2),
        (dp_clip21(0.1, 1.0, NOISE), Attack(ROUNDS), 2),
    ],
    ids=["replace", "absent", "three dimensions", "models read", "Clip21"],
)
def test_audited_loss_is_below_the_accounted_one_and_close_to_it(method, attack, sensitivity):
    found = audit(method, attack)
    assert found.mu <= accounted(sensitivity)
    assert found.mu >= 0.85 * accounted(sensitivity)
    promised = gaussian_epsilon(1e-5, accounted(sensitivity)).upper
    assert 0 < found.epsilon <= promised
    assert 0.75 * promised <= gaussian_epsilon(1e-5, found.mu).lower <= promised


@pytest.mark.parametrize(
    ("method", "attack"),
    [
        (dp_alpha_normec(0.1, 0.1, 0.01, std=NOISE / 2), Attack(ROUNDS, runs=6000)),
        (dp_alpha_normec(0.1, 0.1, 0.01, std=0.1 * NOISE), Attack(ROUNDS, runs=6000)),
        (METHOD, Attack(ROUNDS, runs=6000, data_in_memory=True, reads_models=True)),
        (PLAIN, Attack(ROUNDS, runs=6000, data_in_memory=True, reads_models=True)),
        (dp_clip21(0.1, 2.0, NOISE), Attack(ROUNDS, runs=6000)),
        (replace(METHOD, operator=Clip(1.5)), Attack(ROUNDS, runs=6000)),
    ],
    ids=[
        "half the noise",
        "noise times β",
        "data in memory",
        "data in memory, plain server",
        "threshold 2",
        "norm 1.5",
    ],
)
def test_planted_fault_is_caught(method, attack):
    assert audit(method, attack).mu > accounted(2)


def test_a_change_of_neighbours_is_caught():
    """Accounting for add-remove does not cover replaced clients."""
    assert audit(METHOD, Attack(ROUNDS, runs=6000)).mu > accounted(1)


def test_more_rounds_than_accounted_are_caught():
    assert audit(METHOD, Attack(2 * ROUNDS, runs=6000)).mu > accounted(2)


def test_attack_on_partial_participation_stays_below_the_mixture():
    method = fed_alpha_normec(eta=0.1, gamma=0.1, beta=0.1, alpha=0.01, p=0.25, std=3.0)
    found = audit(method, Attack(rounds=40, runs=5000))
    promised = epsilon(Setting("messages", "replace-one", 40, 0.25), 3.0, 1e-5)
    assert 1.0 < found.epsilon < promised.upper


def test_noise_shrunk_by_p_as_printed_leaks_more_than_full_participation():
    """σ(1) at p = 1 against p σ(1) at p: the audit alone tells them apart."""
    at_1 = fed_alpha_normec(eta=0.1, gamma=0.1, beta=0.1, alpha=0.01, p=1.0, std=20.0)
    at_p = fed_alpha_normec(eta=0.1, gamma=0.1, beta=0.1, alpha=0.01, p=0.1, std=2.0)
    assert (
        audit(at_p, Attack(rounds=40, runs=5000)).mu
        > 2 * math.sqrt(40) / 20.0
        >= audit(at_1, Attack(40, 5000)).mu
    )


def test_worlds_that_are_the_same_prove_nothing():
    rng = np.random.default_rng(0)
    found = guess(rng.normal(size=4000), rng.normal(size=4000), 1e-5, 1 - 1e-6)
    assert (found.mu, found.epsilon) == (0.0, 0.0)


def test_coverage_of_the_bound_at_a_known_shift():
    """At confidence 0.9 the bound exceeds the true μ = 1 in at most a tenth of the trials: 400 trials, at most
    0.1 · 400 + 5 · √(0.09 · 400) = 70."""
    rng = np.random.default_rng(1)
    failures = sum(
        guess(1 + rng.normal(size=400), rng.normal(size=400), 1e-5, 0.9).mu > 1.0 for _ in range(400)
    )
    assert failures <= 70


def test_the_audit_needs_clients_noise():
    for method in (alpha_normec(0.1, 0.1, 0.01), replace(METHOD, noise=Gaussian(1.0, "server"))):
        with pytest.raises(ValueError, match="noise is the clients'"):
            audit(method, Attack(2))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rounds": 0}, "rounds"),
        ({"runs": 10}, "runs >= 100"),
        ({"against": "nobody"}, "'opposite' or 'absent'"),
        ({"confidence": 1.0}, "confidence"),
    ],
)
def test_impossible_attacks_are_named(change, message):
    with pytest.raises(ValueError, match=message):
        Attack(**({"rounds": 3} | change))
