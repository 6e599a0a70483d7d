"""Every printed algorithm once more, in the most literal way: vectors in Python lists of clients, loop by
loop, line by line.

The batched round and the literal one start each round from the same state, so that an error cannot hide
behind the rounding of earlier rounds and the allowed difference can be derived: an expression of m operations
on numbers of size s is off by at most m·eps·s, and a normalised step of length γ along v turns an error e of
v into at most 2γe/‖v‖.

Both are given the same participants and the same standard normal numbers; what a paper multiplies these by is written out
in the literal round.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import pytest

import methods
from methods import State, advance, initialise
from methods.feedback import EF21
from methods.local_work import CyclicIncremental
from methods.published import (
    alpha_normec,
    clip21,
    dp_alpha_normec,
    dp_clip21,
    dp_fedavg_clip,
    dp_normfedavg,
    dp_sgd_clip,
    dp_sgd_smoothed,
    ef21,
    fed_alpha_normec,
    fedavg,
    gradient_descent,
)
from methods.randomness import Keyed
from methods.server import Normalised

EPS = float(np.finfo(np.float64).eps)
RUNS, CLIENTS, D, SAMPLES, ROUNDS = 3, 5, 4, 3, 12


@dataclass(frozen=True)
class Quadratics:
    """f_{i,j}(x) = ½‖A_ij (x − b_ij)‖² with A_ij diagonal, and f_i their mean over j."""

    a: np.ndarray  # (clients, samples, d)
    b: np.ndarray
    samples: int = SAMPLES

    def __call__(self, x):
        return np.mean(self.a * (x[..., None, :] - self.b), axis=-2)

    def sample(self, x, j):
        return self.a[:, j] * (x - self.b[:, j])


def problem() -> Quadratics:
    rng = np.random.default_rng(7)
    shape = (CLIENTS, SAMPLES, D)
    return Quadratics(rng.uniform(0.1, 1.0, size=shape), rng.normal(size=shape))


def norm(v):
    return math.hypot(*v)


def norm_alpha(g, alpha):
    return g * 0.0 if norm(g) == 0 else 1 / (alpha + norm(g)) * g


def clip(g, tau):
    return g if norm(g) == 0 else min(1.0, tau / norm(g)) * g


def fixed(g, c):
    return g * 0.0 if norm(g) == 0 else c * g / norm(g)


def top_1(g):
    kept = np.zeros_like(g)
    kept[np.argmax(np.abs(g))] = g[np.argmax(np.abs(g))]
    return kept


def normalised(v):
    return v * 0.0 if norm(v) == 0 else v / norm(v)


def nothing(v):
    return v


def error_feedback_round(s, grads, psi, beta, gamma, direction, z, q):
    """α-NormEC, Algorithm 1, lines 3 to 11; eqs. (9) to (11) with another Ψ; Fed-α-NormEC, Algorithm 1, lines
    3 to 12."""
    n = len(grads)
    memories, total = [], np.zeros(D)
    for i in range(n):
        delta_i = psi(grads[i] - s.memories[i])
        memories.append(s.memories[i] + beta * delta_i)
        total = total + q[i] * (delta_i + z[i])
    ghat = s.server_memory + beta / n * total
    return s.x - gamma * direction(ghat), np.array(memories), ghat


def dp_sgd_round(s, grads, psi, gamma, z, members):
    """α-NormEC, eq. (2), with B the number of members."""
    total = np.zeros(D)
    for i in members:
        total = total + psi(grads[i])
    v = 1 / len(members) * total + z
    return s.x - gamma * v, None, v


def algorithm1_round(s, oracle, psi, eta, beta, E, sigma, normals, members, r):
    """DP-NormFedAvg, Algorithm 1, lines 4 to 14; ζ_i ~ N(0, rσ² I) in line 12."""
    zeta = math.sqrt(r) * sigma * normals
    total = np.zeros(D)
    for i in members:
        w = s.x
        for _ in range(E):
            w = w - eta * one(oracle, w, i)
        u = (s.x - w) / eta
        total = total + (psi(u) + zeta[i])
    a = 1 / r * total
    return s.x - beta * a, None, a


def algorithm2_round(s, oracle, eta, E, members, r):
    """DP-NormFedAvg, Algorithm 2 (FedAvg), lines 4 to 11."""
    total = np.zeros(D)
    for i in members:
        w = s.x
        for _ in range(E):
            w = w - eta * one(oracle, w, i)
        total = total + (s.x - w)
    return s.x - 1 / r * total, None, 1 / r * total / eta


def one(oracle, w, i):
    """∇f_i(w)."""
    return sum(oracle.a[i, j] * (w - oracle.b[i, j]) for j in range(SAMPLES)) / SAMPLES


def local_descent(oracle, x, i, T, gamma):
    """(x − 𝒯_i(x))/γ with T local steps: Fed-α-NormEC, Theorem 1."""
    point, total = x, np.zeros(D)
    for _ in range(T):
        gradient = one(oracle, point, i)
        total = total + gradient
        point = point - gamma / T * gradient
    return (x - (x - gamma / T * total)) / gamma


def incremental(oracle, x, i, gamma):
    """(x − 𝒯_i^IG(x))/γ: Fed-α-NormEC, Appendix G, eq. (2)."""
    point, total = x, np.zeros(D)
    for j in range(SAMPLES):
        gradient = oracle.a[i, j] * (point - oracle.b[i, j])
        total = total + gradient
        point = point - gamma / SAMPLES * gradient
    return (x - (x - gamma / SAMPLES * total)) / gamma


# Parameters of the runs: one value for each, so that a batch is checked against three different methods.
GAMMA, BETA, ALPHA, TAU, STD, P = (np.array(v) for v in (
    [0.3, 0.05, 0.1], [0.2, 0.5, 1.5], [0.5, 0.01, 0.0], [0.3, 1.0, 5.0], [0.1, 1.0, 0.01], [0.5, 1.0, 0.3],
))  # fmt: skip


def gradients_of(o, s):
    return [one(o, s.x, i) for i in range(CLIENTS)]


def weights(took_part, p):
    return [1 / p if member else 0.0 for member in took_part]


def members(took_part):
    return [i for i in range(CLIENTS) if took_part[i]]


def everybody(_):
    return [1.0] * CLIENTS


NONE = np.zeros(RUNS)


def alpha_normec_literal(direction, std=NONE):
    return lambda o, s, t, r: error_feedback_round(
        s,
        gradients_of(o, s),
        lambda g: norm_alpha(g, ALPHA[r]),
        BETA[r],
        GAMMA[r],
        direction,
        std[r] * t.normals,
        everybody(t),
    )


def clip21_literal(std=NONE):
    return lambda o, s, t, r: error_feedback_round(
        s,
        gradients_of(o, s),
        lambda g: clip(g, TAU[r]),
        1.0,
        GAMMA[r],
        nothing,
        std[r] * t.normals,
        everybody(t),
    )


def ef21_literal(o, s, t, r):
    silent = np.zeros((CLIENTS, D))
    return error_feedback_round(s, gradients_of(o, s), top_1, 1.0, GAMMA[r], nothing, silent, everybody(t))


def fed_literal(local, std=NONE):
    return lambda o, s, t, r: error_feedback_round(
        s, [local(o, s.x, i, r) for i in range(CLIENTS)], lambda g: norm_alpha(g, ALPHA[r]), BETA[r],
        GAMMA[r], normalised, std[r] * t.normals, weights(t.took_part, P[r]),
    )  # fmt: skip


def dp_sgd_literal(psi):
    return lambda o, s, t, r: dp_sgd_round(
        s, gradients_of(o, s), lambda g: psi(g, r), GAMMA[r], STD[r] * t.server_normals, members(t.took_part)
    )


def das_literal(psi, r_expected):
    return lambda o, s, t, r: algorithm1_round(
        s, o, lambda u: psi(u, TAU[r]), 0.1, GAMMA[r], 3, STD[r], t.normals, members(t.took_part), r_expected
    )


ETA = 0.05
CASES = {
    "gradient_descent": (
        gradient_descent(GAMMA),
        lambda o, s, t, r: dp_sgd_round(s, gradients_of(o, s), nothing, GAMMA[r], np.zeros(D), range(CLIENTS)),
    ),
    "alpha_normec": (alpha_normec(GAMMA, BETA, ALPHA), alpha_normec_literal(normalised)),
    "alpha_normec, no server normalisation": (
        alpha_normec(GAMMA, BETA, ALPHA, server_normalisation=False), alpha_normec_literal(nothing),
    ),
    "dp_alpha_normec": (dp_alpha_normec(GAMMA, BETA, ALPHA, STD), alpha_normec_literal(normalised, STD)),
    "dp_alpha_normec, no server normalisation": (
        dp_alpha_normec(GAMMA, BETA, ALPHA, STD, server_normalisation=False), alpha_normec_literal(nothing, STD),
    ),
    "clip21": (clip21(GAMMA, TAU), clip21_literal()),
    "dp_clip21": (dp_clip21(GAMMA, TAU, STD), clip21_literal(STD)),
    "ef21": (ef21(GAMMA, k=1), ef21_literal),
    "dp_sgd_clip": (dp_sgd_clip(GAMMA, TAU, STD, batch=3), dp_sgd_literal(lambda g, r: clip(g, TAU[r]))),
    "dp_sgd_smoothed": (
        dp_sgd_smoothed(GAMMA, ALPHA, STD), dp_sgd_literal(lambda g, r: norm_alpha(g, ALPHA[r])),
    ),
    "fed_alpha_normec": (
        fed_alpha_normec(GAMMA, 0.4, BETA, ALPHA, p=P, T=3, std=STD),
        fed_literal(lambda o, x, i, r: local_descent(o, x, i, 3, 0.4), STD),
    ),
    "fed_alpha_normec, one step, not private": (
        fed_alpha_normec(GAMMA, 0.4, BETA, ALPHA, p=P), fed_literal(lambda o, x, i, r: one(o, x, i)),
    ),
    "fed_alpha_normec, incremental": (
        fed_alpha_normec(GAMMA, 0.4, BETA, ALPHA, p=P, std=STD, local_work=CyclicIncremental(0.4)),
        fed_literal(lambda o, x, i, r: incremental(o, x, i, 0.4), STD),
    ),
    "fedavg": (
        fedavg(ETA, E=4, r=2), lambda o, s, t, r: algorithm2_round(s, o, ETA, 4, members(t.took_part), 2),
    ),
    "dp_fedavg_clip": (dp_fedavg_clip(0.1, GAMMA, TAU, 3, STD, r=2.5), das_literal(clip, 2.5)),
    "dp_normfedavg": (dp_normfedavg(0.1, GAMMA, TAU, 3, STD, r=2.5), das_literal(fixed, 2.5)),
    "dp_normfedavg, everybody": (dp_normfedavg(0.1, GAMMA, TAU, 3, STD), None),
}  # fmt: skip


@dataclass(frozen=True)
class Chance:
    """What was drawn in a round for one run: N(0, 1) in each entry, for each client and for the server, and who takes part."""

    normals: np.ndarray
    server_normals: np.ndarray
    took_part: np.ndarray


def run_of(state: State, r: int) -> State:
    """One run of a batch, alone."""
    pick = lambda a: None if a is None else a[r]  # noqa: E731
    return replace(
        state, x=state.x[r], memories=pick(state.memories), server_memory=pick(state.server_memory)
    )


SEEDS = Keyed(np.arange(RUNS))


def chance_of(state, done, r: int) -> Chance:
    return Chance(
        SEEDS.client_normals(state.round, (RUNS,), CLIENTS, D, state.x)[r],
        SEEDS.server_normals(state.round, (RUNS,), D, state.x)[r],
        np.broadcast_to(done.took_part, (RUNS, CLIENTS))[r],
    )


def start(method) -> State:
    rng = np.random.default_rng(3)
    memories = rng.normal(size=(RUNS, CLIENTS, D)) if method.feedback is not None else None
    return initialise(method, rng.normal(size=(RUNS, D)), CLIENTS, memories=memories)


@pytest.mark.parametrize("name", [name for name, (_, literal) in CASES.items() if literal is not None])
def test_a_batched_round_is_the_printed_round_of_each_run(name):
    method, literal = CASES[name]
    oracle, state, moved = problem(), start(method), 0
    for _ in range(ROUNDS):
        after, done = advance(method, state, oracle, SEEDS)
        for r in range(RUNS):
            chance = chance_of(state, done, r)
            x, memories, v = literal(oracle, run_of(state, r), chance, r)
            # Sizes: a local update carries 10‖x‖ when it is formed as (x − x')/step; a sum has at most
            # clients + samples + d + 16 operations on numbers no larger than these.
            size = 10 * norm(state.x[r]) + sum(
                np.abs(a).sum() for a in (done.updates[r], done.sent[r], v, chance.normals)
            )
            error = (CLIENTS + SAMPLES + D + 16) * EPS * size * max(1.0, 1 / P[r])
            assert done.direction[r] == pytest.approx(v, rel=0, abs=error)
            stretch = 2 / norm(v) if isinstance(method.server, Normalised) else 1.0
            rounding = GAMMA[r] * stretch * error + 4 * EPS * norm(x)
            assert after.x[r] == pytest.approx(x, rel=0, abs=rounding)
            if memories is not None:
                assert after.memories[r] == pytest.approx(memories, rel=0, abs=max(1, BETA[r]) * error)
                assert np.array_equal(after.server_memory[r], done.direction[r])
            moved += not np.array_equal(after.x[r], state.x[r])
        state = after
    assert moved >= ROUNDS * RUNS - 6, "hardly a step was made, so hardly anything was compared"
    assert state.round == ROUNDS


def test_full_device_dp_normfedavg_is_the_poisson_one_with_everybody_and_the_aggregate_noise():
    """The noise of the aggregate, (1/n) Σ ζ_i with ζ_i ~ N(0, nσ² I), is N(0, σ² I): same law, one draw."""
    method = CASES["dp_normfedavg, everybody"][0]
    oracle, state = problem(), start(method)
    after, done = advance(method, state, oracle, SEEDS)
    poisson = dp_normfedavg(0.1, GAMMA, TAU, 3, 0.0, r=float(CLIENTS))
    noiseless, without = advance(poisson, state, oracle, SEEDS)
    assert without.took_part.all()
    noise = STD[:, None] * SEEDS.server_normals(0, (RUNS,), D, state.x)
    assert done.direction == pytest.approx(without.direction + noise, rel=0, abs=64 * EPS * (1 + TAU.max()))
    assert not np.array_equal(after.x, noiseless.x)


def test_absent_clients_update_their_memory_as_printed():
    """Fed-α-NormEC, Algorithm 1, line 6 stands before the draw of line 7: every client updates v_i."""
    method = CASES["fed_alpha_normec"][0]
    oracle, state = problem(), start(method)
    after, done = advance(method, state, oracle, SEEDS)
    assert not done.took_part.all()
    assert done.took_part.any()
    assert not np.any(np.all(after.memories == state.memories, axis=-1))
    assert np.all(done.sent[~done.took_part] == 0)

    other = replace(method, feedback=EF21(BETA, participants_only=True))
    kept, again = advance(other, state, oracle, SEEDS)
    assert np.array_equal(again.took_part, done.took_part)
    assert np.array_equal(np.any(kept.memories != state.memories, axis=-1), done.took_part)
    assert np.array_equal(kept.x, after.x)


def test_every_published_name_is_among_the_cases():
    assert {name.split(",")[0] for name in CASES} == set(methods.PUBLISHED)
