"""What is wrong gets one clear error that carries the value, the domain and the cure.

`__wrapped__` is the function without the shape checks of the test run: what a user calls.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from methods import advance, by_name, initialise, step
from methods.algebra import Method
from methods.feedback import EF21
from methods.noise import Gaussian
from methods.operators import Clip, FixedNorm, SmoothedNorm
from methods.participation import Bernoulli, FixedSize, Poisson
from methods.published import alpha_normec, dp_normfedavg, fed_alpha_normec, fedavg, gradient_descent
from methods.server import Momentum, Plain


@pytest.mark.parametrize("name", ["adam", "Alpha_NormEC"])
def test_unknown_method_lists_the_methods(name):
    with pytest.raises(
        ValueError, match=f"method '{name}' is unknown; the methods are gradient_descent, alpha_normec"
    ):
        by_name(name)


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
    with pytest.raises(ValueError, match=r"memories g⁰ has shape \(2, 4, 3, 5\); it must fit \(4, 3, 5\)"):
        initialise.__wrapped__(METHOD, np.zeros((4, 5)), 3, memories=np.zeros((2, 4, 3, 5)))
    with pytest.raises(ValueError, match="memories g⁰ has an entry that is nan"):
        initialise(METHOD, np.zeros((4, 5)), 3, memories=np.full((4, 3, 5), np.nan))


def test_memories_of_another_precision():
    with pytest.raises(ValueError, match="memories g⁰ has dtype float64, x⁰ has float32; give both the same"):
        initialise(METHOD, np.zeros((4, 5), np.float32), 3, memories=np.zeros((4, 3, 5)))


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


@pytest.mark.unchecked
@pytest.mark.parametrize("feedback", [True, False], ids=["feedback", "none"])
@pytest.mark.parametrize("dtype", ["uint8", "int64", "float64", "complex64", "bool"])
def test_gradients_of_another_dtype(dtype, feedback, xp):
    """None is promoted: a state of float32 stays one, and integers, which wrap around, never enter."""
    method = METHOD if feedback else gradient_descent(0.1)
    state = initialise(method, xp.zeros(2, dtype=xp.float32), 3)
    with pytest.raises(
        ValueError, match=rf"local gradients have dtype .*{dtype}, the iterate has .*float32; give both"
    ):
        step(method, state, xp.ones((3, 2), dtype=getattr(xp, dtype)))


def test_randomness_that_is_missing():
    method = fed_alpha_normec(0.1, 0.1, 0.1, 0.1, p=0.5)
    with pytest.raises(ValueError, match=r"give it a randomness, e.g. methods.randomness.Keyed\(seed\)"):
        advance(method, initialise(method, np.zeros(5), 3), lambda x: x)


@pytest.mark.parametrize(
    "participation", [FixedSize(4), Poisson(4.0), Poisson(np.array([1.0, 4.0]))], ids=repr
)
def test_more_participants_than_clients(participation):
    method = replace(gradient_descent(0.1), participation=participation)
    with pytest.raises(ValueError, match=r"4(\.0)?.* must be at most 3, the number of clients"):
        initialise(method, np.zeros((2, 5)), 3)


@pytest.mark.parametrize("participation", [FixedSize(4), Poisson(4.0)], ids=repr)
def test_more_participants_than_clients_in_a_round(participation):
    with pytest.raises(ValueError, match=r"r = 4(\.0)? must be at most 3"):
        participation.mask(np.zeros(3))


def test_one_memory_for_all_clients():
    state = initialise.__wrapped__(METHOD, np.zeros((4, 5)), 3, memories=np.arange(5.0))
    np.testing.assert_array_equal(state.memories, np.broadcast_to(np.arange(5.0), (4, 3, 5)))
    np.testing.assert_array_equal(state.server_memory, np.broadcast_to(np.arange(5.0), (4, 5)))


@pytest.mark.parametrize("start", [np.array(1.0), np.zeros(0), np.zeros((3, 0))], ids=lambda a: str(a.shape))
def test_start_without_coordinates(start):
    with pytest.raises(ValueError, match=r"x⁰ has shape \(.*\); it must be \(..., d\) with d >= 1"):
        initialise.__wrapped__(METHOD, start, 2)


def test_a_number_of_clients_from_numpy_is_a_number():
    assert initialise.__wrapped__(METHOD, np.zeros(5), np.int64(3)).memories.shape == (3, 5)


@pytest.mark.parametrize("step", [0.1, np.float64(0.1)], ids=["float", "numpy's float"])
def test_a_number_leaves_the_precision_of_the_run(step):
    method = alpha_normec(step, step, step)
    state = initialise(method, np.ones(5, np.float32), 3)
    assert advance(method, state, lambda x: 2 * x)[0].x.dtype == np.float32


def test_an_array_of_another_precision_or_library_is_refused():
    method = alpha_normec(np.array([0.1]), 0.1, 0.1)
    message = (
        "step of Normalised is a ndarray of float64, x⁰ a ndarray of float32; give both in one library and"
    )
    with pytest.raises(ValueError, match=message):
        initialise(method, np.ones((1, 5), np.float32), 3)
    torch = pytest.importorskip("torch")
    with pytest.raises(ValueError, match=r"x⁰ a Tensor of torch\.float64"):
        initialise(method, torch.ones((1, 5), dtype=torch.float64), 3)


@pytest.mark.parametrize(
    ("parameters", "named"),
    [((1e39, 0.1, 0.1), "step of Normalised = 1e+39"), ((0.1, 1e-50, 0.1), "beta of EF21 = 1e-50"),
     ((0.1, 0.1, 1e300), "alpha of SmoothedNorm = 1e+300")],
    ids=["too large", "too small", "alpha"],
)  # fmt: skip
def test_a_number_that_the_precision_of_the_run_does_not_hold_is_named(parameters, named):
    """In float32 β = 1e-50 is 0, and no memory would ever change."""
    with pytest.raises(
        ValueError,
        match=re.escape(f"{named} is no number of x⁰'s float32; give one from 1.18e-38 to 3.4e+38"),
    ):
        initialise(alpha_normec(*parameters), np.ones(5, np.float32), 3)
    initialise(alpha_normec(0.1, 0.1, 0), np.ones(5, np.float32), 3)


@pytest.mark.parametrize(
    "make",
    [
        lambda v: Gaussian(v),
        lambda v: Poisson(v),
        lambda v: Bernoulli(v),
        lambda v: gradient_descent(v),
        lambda v: FixedSize(-v),
    ],
    ids=["std", "r", "p", "step", "whole"],
)
def test_an_integer_that_floats_do_not_hold_is_one_clear_error(make):
    with pytest.raises(ValueError, match=r" = -?10\^5000 or so, more than floats hold, must be "):
        make(10**5000)


def test_a_negative_number_of_participants_is_named():
    with pytest.raises(ValueError, match="r = -1 must be finite and > 0"):
        dp_normfedavg.__wrapped__(0.1, 0.1, 1.0, 2, 0.1, r=-1)


def test_a_fraction_is_refused_not_turned_into_an_array_of_objects():
    with pytest.raises(TypeError, match=r"step of the server = Fraction\(1, 10\) must be an int or a float"):
        gradient_descent(Fraction(1, 10))


def test_what_a_rule_is_cannot_be_overridden():
    """A Bernoulli rule that says it draws nothing would let everybody take part."""
    with pytest.raises(TypeError):
        Bernoulli(0.5, random=False)  # type: ignore[call-arg]


def test_incremental_gradient_of_an_oracle_without_samples():
    from methods.local_work import CyclicIncremental

    method = fed_alpha_normec(0.1, 0.1, 0.1, 0.1, local_work=CyclicIncremental(0.1))
    with pytest.raises(TypeError, match="needs gradients of single functions"):
        advance(method, initialise(method, np.zeros(5), 3), lambda x: x, None)


def test_integer_start_is_refused_not_promoted():
    with pytest.raises(ValueError, match="x⁰ has dtype int64; give it a real floating one"):
        initialise.__wrapped__(fedavg(0.1, 1), np.zeros(3, dtype=np.int64), 2)


WRONG_KIND = {
    "Method(Plain(0.1), SmoothedNorm(0.1))": "operator = Plain(step=0.1, has_momentum=False) is of the wrong kind; give",
    "Method(SmoothedNorm(0.1), SmoothedNorm(0.1))": "server = SmoothedNorm(alpha=0.1) is of the wrong kind; give a server rule",
    "Method(SmoothedNorm(0.1), Plain(0.1), Gaussian(0.1))": "feedback = Gaussian(",
    "Method(SmoothedNorm(0.1), Plain(0.1), None, 0.1)": "noise = 0.1 is of the wrong kind",
    "Method(SmoothedNorm(0.1), Plain(0.1), None, None, 0.5)": "participation = 0.5 is of the wrong kind",
    "Method(SmoothedNorm(0.1), Plain(0.1), local_work=3)": "local_work = 3 is of the wrong kind",
    "privacy.epsilon('x', sigma=1, delta=1e-5)": "setting = 'x' is no bounds.privacy.Setting",
    "privacy.delta(None, 1.0, 1.0)": "setting = None is no bounds.privacy.Setting",
    "privacy.noise(3, 1.0, 1e-5)": "setting = 3 is no bounds.privacy.Setting",
}  # fmt: skip


@pytest.fixture(scope="module")
def told() -> dict[str, str]:
    """What is said of each, in a process of its own: the type checker that tests run under would answer first."""
    program = f"""
import json
from bounds import privacy
from methods.algebra import Method
from methods.noise import Gaussian
from methods.operators import SmoothedNorm
from methods.server import Plain

told = {{}}
for code in {list(WRONG_KIND)!r}:
    try:
        eval(code)
    except Exception as error:
        told[code] = f"{{type(error).__name__}}: {{error}}"
print(json.dumps(told))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize(("code", "message"), WRONG_KIND.items())
def test_the_wrong_kind_of_object_is_one_type_error(code, message, told):
    assert told[code].startswith(f"TypeError: {message}")
    assert "\n" not in told[code]


@pytest.mark.unchecked
@pytest.mark.parametrize("bad", [[[1.0, 2.0]] * 2, 1.0, None], ids=["list", "float", "None"])
def test_gradients_that_are_no_array(bad):
    state = initialise(METHOD, np.zeros(2), 2)
    with pytest.raises(TypeError, match=f"local gradients are a {type(bad).__name__}; give an array"):
        step(METHOD, state, bad)


@pytest.mark.parametrize(
    ("made_for", "used_with"),
    [
        (Method(Clip(1.0), Plain(1.0)), Method(Clip(1.0), Plain(1.0), EF21(0.5))),
        (Method(Clip(1.0), Plain(1.0), EF21(0.5)), Method(Clip(1.0), Plain(1.0))),
        (Method(Clip(1.0), Plain(1.0)), Method(Clip(1.0), Momentum(1.0, 0.9))),
    ],
    ids=["no memories", "memories", "no momentum"],
)
def test_a_state_of_another_method(made_for, used_with):
    state = initialise(made_for, np.zeros(2), clients=2)
    with pytest.raises(ValueError, match=r"the state is of a method with.*; make it with initialise"):
        step(used_with, state, np.zeros((2, 2)))


@pytest.mark.unchecked
@pytest.mark.parametrize("operator", [Clip(1.0), SmoothedNorm(0.0), FixedNorm(1.0)], ids=repr)
def test_a_number_is_no_vector(operator):
    with pytest.raises(ValueError, match=r"the vector has shape \(\); give it one of \(\.\.\., d\)"):
        operator(np.array(3.0))
