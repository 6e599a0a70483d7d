"""The batched runner against one run at a time, and what it watches."""

import multiprocessing
import os
import signal
import sys
import time
from dataclasses import replace

import numpy as np
import pytest

from methods.published import (
    alpha_normec,
    dp_alpha_normec,
    dp_normfedavg,
    dp_sgd_smoothed,
    fed_alpha_normec,
)
from methods.randomness import Keyed
from methods.terminal.console import WorkerDied
from toy_problems.observables import OBSERVABLES
from toy_problems.parallel import each
from toy_problems.quadratics import DiagonalQuadratic, appendix_f, heterogeneous_quadratic
from toy_problems.runner import run

GAMMA, SEEDS = np.array([0.01, 0.1, 0.3])[:, None], np.array([0, 5])


def setting():
    problem = heterogeneous_quadratic(3, 4, batch=(2, 1, 1), seed=4)
    x0 = np.random.default_rng(0).standard_normal((2, 1, 1, 4))
    return problem, dp_alpha_normec(GAMMA, 0.5, 0.7, std=0.2), x0


def test_every_run_of_a_batch_is_the_run_alone():
    problem, method, x0 = setting()
    batch = run(problem, method, x0, 12, seeds=SEEDS, keep=("gradient_norm", "objective"))
    assert batch.runs == (2, 3, 2)
    for i, p, s in np.ndindex(batch.runs):
        alone = run(
            problem.take(i),
            dp_alpha_normec(float(GAMMA[p, 0]), 0.5, 0.7, 0.2),
            x0[i, 0, 0],
            12,
            seeds=int(SEEDS[s]),
        )
        np.testing.assert_array_equal(batch["gradient_norm"][i, p, s], alone["gradient_norm"])
        np.testing.assert_array_equal(batch.x[i, p, s], alone.x)


@pytest.mark.parametrize(("chunk", "workers"), [(1, 1), (5, 2), (100, 3)])
def test_chunks_and_processes_change_nothing(chunk, workers):
    problem, method, x0 = setting()
    one = run(problem, method, x0, 8, seeds=SEEDS, keep=("x",), workers=1, chunk=12)
    other = run(problem, method, x0, 8, seeds=SEEDS, keep=("x",), workers=workers, chunk=chunk)
    np.testing.assert_array_equal(one["x"], other["x"])


@pytest.mark.parametrize(("chunk", "workers"), [(1, 1), (5, 2), (24, 3)])
def test_chunks_and_processes_change_closed_forms_by_rounding_alone(chunk, workers):
    """All runs meet one matrix: a sum of d numbers errs by d eps of their sizes, in each round."""
    d, rounds, eta = 50, 30, np.array([0.003, 0.01])
    problem, method = appendix_f(0, 20, d, 5), dp_normfedavg(eta, eta, 5.0, 20, 0.1)
    x0 = np.random.default_rng(0).standard_normal((12, 1, d))
    one = run(problem, method, x0, rounds, keep=("x", "objective"), workers=1, chunk=12)
    other = run(problem, method, x0, rounds, keep=("x", "objective"), workers=workers, chunk=chunk)
    error = rounds * d * np.finfo(float).eps
    np.testing.assert_allclose(other["x"], one["x"], rtol=0, atol=error * np.abs(one["x"]).max())
    np.testing.assert_allclose(other["objective"], one["objective"], rtol=error)


def test_watched_quantities_are_what_their_names_say():
    problem, _, x0 = setting()
    problem, x0 = problem.take(1), x0[1, 0, 0]
    gamma, beta, alpha, std, rounds = 0.1, 0.5, 0.7, 0.2, 6
    memories = np.random.default_rng(2).standard_normal((3, 4))
    traces = run(
        problem,
        dp_alpha_normec(gamma, beta, alpha, std),
        x0,
        rounds,
        memories=memories,
        seeds=3,
        keep=tuple(OBSERVABLES),
        least=("gradient_norm",),
    )
    x, g, server = x0, memories.copy(), memories.mean(axis=0)
    for k in range(rounds):
        local = problem.gradients(x[None, :])
        residual = np.linalg.norm(local - g, axis=1)
        noise = std * Keyed(3).client_normals(k, (), 3, 4, x)
        expected = {
            "objective": problem.objective(x),
            "gradient_norm": np.linalg.norm(local.mean(axis=0)),
            "residual_max": residual.max(),
            "residual_mean": residual.mean(),
            "residuals": residual,
            "error_norm": np.linalg.norm(server - g.mean(axis=0)),
            "noise_norm": np.linalg.norm(noise.mean(axis=0)),
            "x": x,
            "update_min": np.linalg.norm(local, axis=1).min(),
        }
        sent = (local - g) / (alpha + residual[:, None])
        g = g + beta * sent
        server = server + beta * (sent + noise).mean(axis=0)
        x = x - gamma * server / np.linalg.norm(server)
        expected |= {
            "signal_norm": np.linalg.norm(sent.mean(axis=0)),
            "lag_mean": np.linalg.norm(local - g, axis=1).mean(),
            "message_norm": np.linalg.norm(server),
        }
        assert set(expected) == set(OBSERVABLES)
        for name, value in expected.items():
            np.testing.assert_allclose(
                traces[name][k], value, rtol=1e-11, atol=1e-13, err_msg=f"{name} at round {k}"
            )
    assert traces.least["gradient_norm"] == traces["gradient_norm"].min()


def test_local_steps_and_participation_run_in_a_batch():
    problem = heterogeneous_quadratic(3, 4, batch=(2,))
    method = fed_alpha_normec(0.05, 0.1, 0.5, 1.0, p=0.5, T=3)
    traces = run(problem, method, np.ones(4), 5, keep=("residual_max", "gradient_norm"))
    assert traces["residual_max"].shape == (2, 5)
    start = np.linalg.norm(problem.gradient(np.ones((2, 4))), axis=-1)
    np.testing.assert_allclose(traces["gradient_norm"][:, 0], start, rtol=1e-12)


@pytest.mark.parametrize(
    "build",
    [
        lambda std: dp_normfedavg(0.1, 0.2, 1.0, 2, std, r=1.5),
        lambda std: dp_normfedavg(0.1, 0.2, 1.0, 2, std),
        lambda std: replace(
            fed_alpha_normec(0.2, 0.1, 0.5, 1.0, p=0.4, std=std, server_normalisation=False), feedback=None
        ),
    ],
    ids=["Poisson, client noise", "everybody, server noise", "Bernoulli, client noise"],
)
def test_noise_norm_is_how_far_the_noise_moves_the_aggregate(build):
    """The same participants without noise, from the same point: the difference of one plain step of 0.2 is
    the noise."""
    problem = heterogeneous_quadratic(3, 4)
    one = run(problem, build(0.3), np.ones(4), 1, seeds=np.arange(5), keep=("noise_norm", "signal_norm"))
    quiet = run(
        problem, build(1e-300), np.ones(4), 1, seeds=np.arange(5), keep=("signal_norm", "message_norm")
    )
    moved = np.linalg.norm(one.x - quiet.x, axis=-1) / 0.2
    np.testing.assert_allclose(one["noise_norm"][:, 0], moved, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(one["signal_norm"], quiet["message_norm"], rtol=1e-9, atol=1e-12)


def test_seed_zero_is_a_seed_and_seeds_differ():
    problem, method, x0 = setting()
    final = run(problem, method, x0, 4, seeds=SEEDS).x
    assert not np.array_equal(final[..., 0, :], final[..., 1, :])
    np.testing.assert_array_equal(final, run(problem, method, x0, 4, seeds=SEEDS).x)


def test_threads_do_the_same_where_processes_cannot_be_forked(monkeypatch):
    problem, method, x0 = setting()
    one = run(problem, method, x0, 8, seeds=SEEDS, keep=("x",), workers=1)
    monkeypatch.setattr("toy_problems.parallel.sys.platform", "darwin")
    other = run(problem, method, x0, 8, seeds=SEEDS, keep=("x",), workers=2, chunk=5)
    np.testing.assert_array_equal(one["x"], other["x"])


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="no process is kept to some cores here")
def test_without_a_number_there_is_a_worker_for_each_core_that_the_process_may_use(monkeypatch):
    def noted(work, pieces, workers):
        asked.append(workers)
        return each(work, pieces, 1)

    asked: list[int] = []
    problem, method, x0 = setting()
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0, 3, 5})
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    monkeypatch.setattr("toy_problems.runner.PARALLEL_FROM", 0)
    monkeypatch.setattr("toy_problems.runner.each", noted)
    run(problem, method, x0, 3, seeds=SEEDS)
    assert asked == [3]


@pytest.mark.parametrize("workers", [1, 2])
def test_an_interrupt_stops_every_process(workers):
    problem, method, x0 = setting()

    def interrupt(_):
        raise KeyboardInterrupt

    before = set(multiprocessing.active_children())  # of other tests
    with pytest.raises(KeyboardInterrupt):
        run(problem, method, x0, 3, seeds=SEEDS, chunk=1, workers=workers, progress=interrupt)
    assert set(multiprocessing.active_children()) <= before


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere threads do the work")
def test_the_death_of_a_process_is_told():
    def work(start, end, must_stop):
        os.kill(os.getpid(), signal.SIGKILL)

    with pytest.raises(WorkerDied, match="killed from outside"):
        list(each(work, [(0, 1), (1, 2)], 2))


def test_an_interrupt_does_not_wait_for_the_end_of_long_runs():
    """The first of two pieces is interrupted as it ends; the other would take minutes."""

    def work(start, end, must_stop):
        begun = time.monotonic()
        while start and time.monotonic() - begun < 120 and not must_stop():
            time.sleep(0.01)

    before = set(multiprocessing.active_children())
    begun, results = time.monotonic(), each(work, [(0, 1), (1, 2)], workers=2)
    next(results)
    with pytest.raises(KeyboardInterrupt):
        results.throw(KeyboardInterrupt)
    assert time.monotonic() - begun < 60
    assert set(multiprocessing.active_children()) <= before


def test_what_goes_wrong_in_a_process_is_told_by_its_own_name():
    problem, _, x0 = setting()
    with pytest.raises(ValueError, match="needs memories"):
        run(
            problem, dp_sgd_smoothed(0.1, 1.0), x0, 3, seeds=SEEDS, chunk=1, workers=2, keep=("residual_max",)
        )


BAD = {
    "nan start": ({"x0": np.array([np.nan, 0.0])}, "x⁰ has an entry that is nan"),
    "short start": ({"x0": np.zeros(3)}, r"x⁰ of shape \(3,\) must end in d = 2"),
    "memories": ({"memories": np.zeros((3, 2))}, r"must end in \(n, d\) = \(2, 2\)"),
    "nan memories": ({"memories": np.full((2, 2), np.inf)}, "memories g⁰"),
    "complex start": ({"x0": np.array([1j, 0.0])}, "x⁰ has complex entries"),
    "rounds": ({"rounds": 0}, "rounds = 0"),
    "workers": ({"workers": 0}, "workers = 0"),
    "chunk": ({"chunk": -1}, "chunk = -1"),
    "seeds where nothing is drawn": ({"seeds": np.array([0.5])}, r"must be integers in \[0, 2\^64\)"),
    "no seeds": ({"seeds": np.array([], dtype=int)}, r"runs of shape \(0,\) are none"),
    "least of a vector": ({"least": ("residuals",)}, "'residuals' is several numbers in a round"),
    "quantity": ({"keep": ("speed",)}, "unknown quantity 'speed'; what can be watched: objective"),
    "batch": ({"x0": np.zeros((4, 2)), "seeds": np.arange(3)}, "do not broadcast"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_clear_error(case):
    change, message = BAD[case]
    arguments = {"x0": np.zeros(2), "rounds": 3} | change
    problem = DiagonalQuadratic(np.ones((2, 2)), np.zeros((2, 2)))
    with pytest.raises(ValueError, match=message):
        run(problem, alpha_normec(0.1, 0.5, 1.0), **arguments)


def test_memories_of_a_method_without_feedback_are_refused():
    problem = DiagonalQuadratic(np.ones((2, 2)), np.zeros((2, 2)))
    with pytest.raises(ValueError, match="without error feedback"):
        run(problem, dp_sgd_smoothed(0.1, 1.0), np.zeros(2), 2, memories=np.zeros((2, 2)))
    with pytest.raises(ValueError, match="needs memories"):
        run(problem, dp_sgd_smoothed(0.1, 1.0), np.zeros(2), 2, keep=("residual_max",))
