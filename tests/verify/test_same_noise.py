"""Noises of one round that depend on each other: Section 5's bound takes them, Lemma 3 and Appendix G's do not."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from verify.alpha_normec.lemmas.lemma3 import ANY_NOISE, INDEPENDENT, VECTOR, noise_nodes
from verify.alpha_normec.letters import sigma
from verify.catalogue import claim
from verify.claim import Repair
from verify.curves import Quadratic
from verify.exact import alpha_normec
from verify.induction import Induction
from verify.obligation import Settings
from verify.proof import Proof
from verify.prove import prove

QUICK = Settings(minimise=False, seconds=2.0)
BETA, CLIENTS, ROUNDS = Fraction(1, 3), 2, 4


def _repair(identifier: str) -> Repair:
    found = claim(identifier).repair
    assert found is not None
    return found


def _coins(same: bool) -> list[Fraction]:
    """(E‖e^k‖², k = 0 … ROUNDS) of Algorithm 1 on f_1 = f_2 = x²/2, exactly: every noise is a fair coin with the sides ±1, one coin
    a round for both clients, or one for each."""
    f, one = Quadratic(Fraction(1)), Fraction(1)
    coins = 1 if same else CLIENTS
    squares, runs = [Fraction(0)] * (ROUNDS + 1), 0
    for sides in product((one, -one), repeat=coins * ROUNDS):
        run = alpha_normec([f.gradient] * CLIENTS, one, [one / 2] * CLIENTS, one, BETA, one / 10, ROUNDS,
                           lambda k, i, sides=sides: sides[k * coins + i % coins])  # fmt: skip
        errors = (
            hat - sum(g, Fraction(0)) / CLIENTS for hat, g in zip(run.server, run.memories, strict=True)
        )
        squares = [total + e**2 for total, e in zip(squares, errors, strict=True)]
        runs += 1
    return [total / runs for total in squares]


def test_one_coin_for_both_clients_reaches_the_bound_without_n_and_exceeds_lemma_3s() -> None:
    found = _coins(same=True)
    assert found == [k * BETA**2 for k in range(ROUNDS + 1)]
    assert all(found[k] > k * BETA**2 / CLIENTS for k in range(1, ROUNDS + 1))


def test_a_coin_for_each_client_reaches_lemma_3s() -> None:
    assert _coins(same=False) == [k * BETA**2 / CLIENTS for k in range(ROUNDS + 1)]


@pytest.mark.parametrize("identifier", ["NEC-T2-MAIN", "NEC-T2-MAIN@coordinate", "NEC-L3@same-noise"])
def test_the_bounds_without_n_assume_nothing_of_the_clients_of_a_round(identifier: str) -> None:
    assert INDEPENDENT not in _repair(identifier).proof.assumptions


@pytest.mark.parametrize("identifier", ["NEC-T2-APP", "NEC-T2-APP@coordinate", "NEC-L3"])
def test_the_bounds_with_n_need_independent_clients(identifier: str) -> None:
    found = prove(_repair(identifier).proof, Settings(), claim(identifier).paper)
    assert found.ok, found.detail
    assert INDEPENDENT.name in found.needed


def test_without_independence_the_squares_of_the_noises_do_not_add_up() -> None:
    across, *_ = noise_nodes(sigma**2, VECTOR)
    assert isinstance(across, Induction)
    step = replace(across.step, given=tuple(fact for fact in across.step.given if fact is not INDEPENDENT))
    assert step.discharge(QUICK).status == "refuted"


def test_without_independence_from_the_past_the_rounds_do_not_add_up() -> None:
    _, averaged, over, *_ = noise_nodes(sigma**2, VECTOR, independent=False)
    assert isinstance(over, Induction)
    fresh = "noise is independent of the past with zero mean"
    step = replace(over.step, given=tuple(fact for fact in over.step.given if fact.name != fresh))
    assert step.discharge(QUICK).status == "refuted"
    assert averaged.conclusion in over.step.given


def test_the_bound_without_n_is_no_proof_of_the_bound_with_n() -> None:
    proof = Proof((*ANY_NOISE, VECTOR), tuple(noise_nodes(sigma**2, VECTOR)))
    assert any(INDEPENDENT.name in gap for gap in proof.gaps())
