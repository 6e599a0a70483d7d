"""Local descent in the span of a client's samples is the same as local descent, to rounding that is bounded here.

The bound. With η ≤ 1/L, L = ‖X‖²/(2m) + λ, a step of gradient descent on a convex L-smooth function is non-expansive,
so rounding errors of single steps add up and never grow. One step's error, in Higham's notation γ_k = k·u/(1 − k·u):
logits from a product of inner length p (or m) are off by at most γ ‖left‖ ‖right‖ in Frobenius norm; softmax is
½-Lipschitz and costs a few roundings itself; the gradient is a product of inner length m. All norms are measured, none
is guessed.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from direct_update import direct_update
from gpu_benchmarks.linear.local import span_updates

DECAY = 1e-2


def problem(seed: int, clients: int, m: int, p: int, classes: int, dtype: type):
    rng = np.random.default_rng(seed)
    x = rng.random((clients, m, p)).astype(dtype)
    w = (0.3 * rng.standard_normal((p, classes))).astype(dtype)
    return x, rng.integers(0, classes, (clients, m)), w


def smooth(x: np.ndarray) -> float:
    """L of one client's loss: the softmax's Jacobian has norm at most ½."""
    return float(np.linalg.norm(x.astype(np.float64), 2) ** 2 / (2 * len(x)) + DECAY)


def span(x, labels, w, etas, steps):
    """u (clients, p, classes, lanes) and its norms, by way of the span."""
    clients, m, p = x.shape
    lanes = len(etas)
    stacked = np.repeat(w[:, :, None], lanes, axis=2)
    logits = (x.reshape(-1, p) @ stacked.reshape(p, -1)).reshape(clients, m, w.shape[1], lanes)
    grams = np.matmul(x, x.transpose(0, 2, 1))
    squared = np.full(lanes, np.sum(w.astype(np.float64) ** 2))
    u = span_updates(logits, grams, labels, squared, np.asarray(etas, x.dtype), DECAY, steps)
    full = u.shrink * stacked[None] - np.einsum("imp,imcl->ipcl", x, u.dual)
    return full, u.norms


def direct(w, x, labels, eta: float, steps: int) -> np.ndarray:
    """u (p, classes) by the definition, in float64."""
    lanes = direct_update(
        w.astype(np.float64)[:, :, None], x.astype(np.float64), labels, np.array([eta]), DECAY, steps
    )
    return lanes[:, :, 0]


def rounding(x, w, eta: float, steps: int, dtype: type) -> float:
    """Bound on ‖u computed in either way − u exact‖, the two ways' bounds added; see the top of the file."""
    unit = np.finfo(dtype).eps / 2
    m, p = x.shape
    gamma = lambda k: k * unit / (1 - k * unit)  # noqa: E731
    size, spectral = np.linalg.norm(x), np.linalg.norm(x, 2)
    travel = eta * steps * np.sqrt(2 * m) * spectral / m  # ‖W − W₀‖: each ‖P − Y‖ ≤ √(2m)
    weights = np.linalg.norm(w) + travel
    dual = eta * steps * np.sqrt(2 * m) / m  # ‖A‖
    logits_direct = gamma(p) * size * weights
    logits_span = gamma(p) * size * np.linalg.norm(w) + (gamma(m) + gamma(p)) * size**2 * dual
    logits_span += 4 * unit * spectral * weights
    total = 0.0
    for logits in (logits_direct, logits_span):
        softmax = logits / 2 + (w.shape[1] + 8) * unit * np.sqrt(m)
        gradient = (
            spectral * softmax / m + gamma(m + 2) * size * np.sqrt(2 * m) / m + 3 * unit * DECAY * weights
        )
        total += steps * (gradient + 3 * unit * weights / eta)
    return float(total)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    m=st.integers(1, 20),
    p=st.integers(1, 40),
    classes=st.integers(2, 10),
    steps=st.integers(1, 20),
)
def test_span_equals_direct_within_rounding(dtype, seed, m, p, classes, steps):
    x, labels, w = problem(seed, 2, m, p, classes, dtype)
    for i in range(2):
        eta = dtype(0.9 / smooth(x[i]))
        got, _ = span(x[i : i + 1], labels[i : i + 1], w, [eta, eta / 3], steps)
        for lane, step in enumerate((eta, dtype(eta / 3))):
            want = direct(w, x[i], labels[i], float(step), steps)
            error = np.linalg.norm(got[0, :, :, lane] - want)
            allowed = rounding(x[i], w, float(step), steps, dtype)
            assert error <= allowed, f"‖difference‖ = {error:.3g} exceeds the rounding bound {allowed:.3g}"


def test_the_bound_is_not_vacuous():
    """At the size of Table 2(a) the float32 bound is a small part of ‖u‖, and the float64 bound nothing."""
    for dtype, share in ((np.float32, 0.2), (np.float64, 1e-9)):
        x, labels, w = problem(0, 1, 20, 785, 10, dtype)
        eta = 0.9 / smooth(x[0])
        u = direct(w, x[0], labels[0], eta, 20)
        assert rounding(x[0], w, eta, 20, dtype) < share * np.linalg.norm(u)


@pytest.mark.parametrize("fault", ["gram", "decay", "steps"])
def test_a_planted_fault_is_seen(fault):
    """Negative control: a Gram matrix off by 1e-9, no weight decay, or one step too few breaks the comparison."""
    x, labels, w = problem(3, 1, 20, 50, 10, np.float64)
    eta = 0.9 / smooth(x[0])
    steps, decay, gram = 20, DECAY, np.matmul(x, x.transpose(0, 2, 1))
    if fault == "gram":
        gram[0, 3, 4] *= 1 + 1e-9
    elif fault == "decay":
        decay = 0.0
    else:
        steps = 19
    logits = (x[0] @ w)[None, :, :, None]
    u = span_updates(logits, gram, labels, np.array([np.sum(w**2)]), np.array([eta]), decay, steps)
    got = u.shrink[0] * w - x[0].T @ u.dual[0, :, :, 0]
    want = direct(w, x[0], labels[0], eta, 20)
    assert np.linalg.norm(got - want) > rounding(x[0], w, eta, 20, np.float64)


def test_norms_are_those_of_the_updates():
    x, labels, w = problem(5, 4, 20, 60, 10, np.float64)
    got, norms = span(x, labels, w, [0.01, 0.3], 20)
    full = np.sqrt((got**2).sum(axis=(1, 2)))
    # ‖u‖² is a sum of 3 terms of inner length at most m·classes + p: relative error γ times the cancellation
    np.testing.assert_allclose(norms, full, rtol=1e-12)


def test_logits_far_from_zero_do_not_overflow():
    x, labels, w = problem(6, 2, 5, 8, 3, np.float32)
    got, norms = span(x * 1e3, labels, w * 10, [0.5], 20)
    assert np.isfinite(got).all()
    assert np.isfinite(norms).all()


@pytest.mark.parametrize("eta", [0.0, -1.0, 1 / DECAY])
def test_step_sizes_outside_the_domain_are_refused(eta):
    x, labels, w = problem(7, 1, 3, 4, 2, np.float64)
    with pytest.raises(ValueError, match="are needed"):
        span(x, labels, w, [eta], 2)


def test_lanes_too_many_for_the_cache_are_done_in_parts(monkeypatch):
    """100 classes: 35 lanes in parts of 16, 16 and 3, against all at once. In float64, so that sums in another order
    differ by less than 1e-12 of what is summed, and a lane in the wrong place by much more."""
    x, labels, w = problem(2, 3, 20, 30, 100, np.float64)
    etas = np.linspace(1e-3, 0.1, 35)
    got, norms = span(x, labels, w, etas, 20)
    monkeypatch.setattr("gpu_benchmarks.linear.local.CACHE", 10**9)
    whole, whole_norms = span(x, labels, w, etas, 20)
    assert np.abs(np.diff(whole_norms, axis=1)).min() > 1e-3
    np.testing.assert_allclose(got, whole, rtol=0, atol=1e-12 * np.abs(whole).max())
    np.testing.assert_allclose(norms, whole_norms, rtol=1e-12)
