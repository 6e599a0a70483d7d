"""What is wrong gets one clear error that carries the value, the domain and the cure.

`__wrapped__` is the function without the shape checks of the test run: what a user calls.
"""

from __future__ import annotations

import numpy as np
import pytest

from methods import advance, by_name, initialise, step
from methods.participation import FixedSize, Poisson
from methods.published import alpha_normec, fed_alpha_normec, fedavg, gradient_descent


def test_unknown_method_lists_the_methods():
    with pytest.raises(
        ValueError, match="method 'adam' is unknown; the methods are gradient_descent, alpha_normec"
    ):
        by_name("adam")


def test_missing_and_unknown_parameters_list_the_parameters():
    with pytest.raises(
        TypeError, match="alpha_normec takes gamma, beta, alpha, server_normalisation: missing"
    ):
        by_name("alpha_normec", gamma=0.1)
    with pytest.raises(TypeError, match="unexpected keyword argument 'tau'"):
        by_name("alpha_normec", gamma=0.1, beta=0.1, alpha=0.1, tau=1.0)


FED = {"eta": 1.0, "gamma": 1.0, "beta": 1.0, "alpha": 1.0}


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("alpha_normec", {"gamma": 0.1, "beta": -0.1, "alpha": 0.1}, "β = -0.1 must be finite and > 0"),
        ("alpha_normec", {"gamma": 0.0, "beta": 0.1, "alpha": 0.1}, "step of the server = 0.0 must be"),
        ("alpha_normec", {"gamma": 0.1, "beta": 0.1, "alpha": -1.0}, "α = -1.0 must be finite and >= 0"),
        ("fed_alpha_normec", {**FED, "p": 0.0}, r"p = 0.0 must be in \(0, 1\]"),
        ("fed_alpha_normec", {**FED, "p": 1.5}, r"p = 1.5 must be in \(0, 1\]"),
        ("fed_alpha_normec", {**FED, "T": 0}, "T = 0 must be an integer >= 1"),
        ("fed_alpha_normec", {**FED, "gamma": -1.0}, "γ = -1.0 must be finite and > 0"),
        ("dp_alpha_normec", {"gamma": 0.1, "beta": 0.1, "alpha": 0.1, "std": -1.0}, "noise = -1.0 must be"),
        ("clip21", {"gamma": 0.1, "tau": float("nan")}, "τ = nan must be finite and > 0"),
        ("fedavg", {"eta": 0.1, "E": 0}, "E = 0 must be an integer >= 1"),
        ("fedavg", {"eta": 0.1, "E": 1, "r": 0}, "r = 0 must be an integer >= 1"),
        ("alpha_normec", {"gamma": 0.1, "beta": np.array([0.1, 0.0]), "alpha": 0.1}, "β has an entry 0.0"),
    ],
)  # fmt: skip
def test_parameter_outside_its_domain(name, parameters, message):
    with pytest.raises(ValueError, match=message):
        by_name(name, **parameters)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_start_that_is_not_finite(bad):
    with pytest.raises(ValueError, match="x⁰ has an entry that is nan or infinite"):
        initialise(gradient_descent(0.1), np.array([0.0, bad]), 2)


METHOD = alpha_normec(0.1, 0.1, 0.1)


def test_memories_that_do_not_fit_or_are_not_finite():
    with pytest.raises(ValueError, match=r"memories g⁰ has shape \(3, 2\); it must fit \(4, 3, 5\)"):
        initialise.__wrapped__(METHOD, np.zeros((4, 5)), 3, memories=np.zeros((3, 2)))
    with pytest.raises(ValueError, match="memories g⁰ has an entry that is nan"):
        initialise(METHOD, np.zeros((4, 5)), 3, memories=np.full((4, 3, 5), np.nan))


def test_memories_for_a_method_without_feedback():
    with pytest.raises(ValueError, match="memories were given to a method without error feedback"):
        initialise(gradient_descent(0.1), np.zeros(5), 3, memories=np.zeros((3, 5)))


def test_clients_below_one():
    with pytest.raises(ValueError, match="clients = 0 must be an integer >= 1"):
        initialise(METHOD, np.zeros(5), 0)


def test_parameter_that_does_not_line_up_with_the_runs():
    method = alpha_normec(np.array([0.1, 0.2]), 0.1, 0.1)
    with pytest.raises(
        ValueError, match=r"step of Normalised has shape \(2,\), which does not line up with runs of"
    ):
        initialise(method, np.zeros((3, 5)), 2)
    with pytest.raises(
        ValueError, match=r"step of Normalised has shape \(2,\), which does not line up with runs of"
    ):
        initialise(method, np.zeros(5), 2)


def test_gradients_of_another_shape():
    state = initialise(METHOD, np.zeros((2, 5)), 3)
    with pytest.raises(ValueError, match=r"local gradients have shape \(2, 3, 4\)"):
        step(METHOD, state, np.zeros((2, 3, 4)))
    with pytest.raises(ValueError, match=r"it must be \(..., clients, d\) = \(2, 3, 5\)"):
        step(METHOD, state, np.zeros((3, 5)))


def test_randomness_that_is_missing():
    method = fed_alpha_normec(0.1, 0.1, 0.1, 0.1, p=0.5)
    with pytest.raises(ValueError, match=r"give it a randomness, e.g. methods.randomness.Keyed\(seed\)"):
        advance(method, initialise(method, np.zeros(5), 3), lambda x: x)


@pytest.mark.parametrize("participation", [FixedSize(4), Poisson(4.0)], ids=repr)
def test_more_participants_than_clients(participation):
    with pytest.raises(ValueError, match="must be at most"):
        participation.mask(np.zeros(3))


def test_incremental_gradient_of_an_oracle_without_samples():
    from methods.local_work import CyclicIncremental

    method = fed_alpha_normec(0.1, 0.1, 0.1, 0.1, local_work=CyclicIncremental(0.1))
    with pytest.raises(TypeError, match="needs gradients of single functions"):
        advance(method, initialise(method, np.zeros(5), 3), lambda x: x, None)


def test_integer_start_is_refused_not_promoted():
    with pytest.raises(ValueError, match="x⁰ has dtype int64; give it a real floating one"):
        initialise.__wrapped__(fedavg(0.1, 1), np.zeros(3, dtype=np.int64), 2)
