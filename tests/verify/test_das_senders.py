"""How many clients our proofs of Theorems 6 and 7 need: the inequality behind them in numbers, and that its limits are where they
say."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from bounds.dp_normfedavg.repaired import gain
from verify.catalogue import claim
from verify.dp_normfedavg.ours import senders


def harmonic_gain(mu, E: int):
    """E/Σ_{τ<E} 1/ω_τ, E ≥ 1: the gain of E local steps together, about 2s/ln(1 + 2s) for s = μE."""
    return E / sum(1 / gain(mu, tau) for tau in range(E))


@pytest.mark.parametrize("E", [1, 2, 3, 7, 20])
@pytest.mark.parametrize("step", [0.02, 0.2, 0.5])
def test_local_steps_pull_as_strongly_as_claimed(E: int, step: float) -> None:
    """2⟨u, w − w*⟩ ≥ (λ‖u‖² − 2⟨u, h⟩ + ‖h‖²)/(LE) − 2EΔ + η‖u‖² with L = 1, for 500 sums of Huber functions, nearly linear ones and
    quadratics among them, and w* anywhere."""
    rng = np.random.default_rng(E)
    number, ridges, d = 500, 3, 3
    along = rng.normal(size=(number, ridges, d))
    along /= np.linalg.norm(along, axis=-1, keepdims=True)
    hessian = np.einsum("bjx,bjy->bxy", along, along)
    curvature = 1 / np.linalg.eigvalsh(hessian)[:, -1]
    slope = np.exp(rng.uniform(-3, 3, (number, ridges)))

    def gradient(w: np.ndarray) -> np.ndarray:
        inner = np.clip(np.einsum("bjx,bx->bj", along, w), -slope, slope)
        return curvature[:, None] * np.einsum("bj,bjx->bx", inner, along)

    def value(w: np.ndarray) -> np.ndarray:
        t = np.abs(np.einsum("bjx,bx->bj", along, w))
        cut = np.minimum(t, slope)
        return curvature * (cut * t - cut**2 / 2).sum(axis=-1)

    start = rng.normal(size=(number, d)) * np.exp(rng.uniform(-2, 3, (number, 1)))
    star = rng.normal(size=(number, d)) * rng.choice([0.0, 0.1, 1.0], (number, 1))
    w = start
    for _ in range(E):
        w = w - step * gradient(w)
    u, h = (start - w) / step, E * gradient(star)
    uu, uh, hh = (np.einsum("bx,bx->b", a, b) for a, b in ((u, u), (u, h), (h, h)))
    left = 2 * np.einsum("bx,bx->b", u, start - star)
    lam = max(2 - step, harmonic_gain(step, E))
    right = (lam * uu - 2 * uh + hh) / E - 2 * E * value(star) + step * uu
    scale = np.abs(left) + uu + hh + E * value(star)
    assert (left - right >= -1e-12 * scale).all(), (
        f"E = {E}, ηL = {step}: short by {(right - left).max():.3g}"
    )


@pytest.mark.parametrize(
    ("r", "largest", "left"),
    [
        *((r, largest, senders.HALF) for r, largest in senders.LARGEST_E.items()),
        *((r, largest, senders.PAID) for r, largest in senders.LARGEST_PAID.items()),
    ],
)
def test_one_local_step_more_is_too_many(r: int, largest: int, left: Fraction) -> None:
    """At ηL = 1/2 the condition holds for the largest E that is named and fails for the next."""
    mu = Fraction(1, 2)
    room = [max(2 - mu, harmonic_gain(mu, E)) - left - mu * E / r for E in (largest, largest + 1)]
    assert room[0] >= 0 > room[1]
    assert not senders.enough(r, largest + 1, left).holds


def test_two_clients_do_not_pay_for_every_normalised_message() -> None:
    """At E = 20 they do up to ηL = 0.339."""
    room = [
        max(2 - mu, harmonic_gain(mu, 20)) - senders.PAID - 10 * mu
        for mu in (Fraction(339, 1000), Fraction(340, 1000))
    ]
    assert room[0] >= 0 > room[1]


def test_one_client_is_not_enough_for_three_steps() -> None:
    assert senders.enough(1, 2).holds
    assert not senders.enough(1, 3).holds


def test_longest_steps_of_a_single_client() -> None:
    """DAS-T6 names the ηLE up to which one client a round is enough at E = 20, rounded down."""
    room = [
        max(2 - mu, harmonic_gain(mu, 20)) - Fraction(1, 2) - 20 * mu
        for mu in (Fraction(168, 2000), Fraction(169, 2000))
    ]
    assert room[0] >= 0 > room[1]
    assert "up to ηLE = 1.68 of the printed 10 at r = 1, E = 20" in claim("DAS-T6").reason


def test_longest_steps_at_which_one_round_may_keep_35() -> None:
    """DAS-OURS-ONE-ROUND names the ηLE from which (35) is false at r = 1, E = 20, n → ∞, rounded up."""
    room = []
    for s in (Fraction(232, 100), Fraction(233, 100)):
        q = 1 - (1 - s / 20) ** 20
        room.append((1 - q**2 / (8 * s**2)) * (2 / q - 1) - 1 - 3 / (8 * s))
    assert room[0] >= 0 > room[1]
    assert "false from 2.33 on" in claim("DAS-OURS-ONE-ROUND").consequence
    repair = claim("DAS-T6").repair
    assert repair
    assert "from ηLE = 2.33 on as n → ∞" in repair.weakest
