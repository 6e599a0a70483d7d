"""How long a message's residual gets under Theorem 2's conditions, and how far apart two messages: exact runs against the claim."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from verify.catalogue import claim
from verify.curves import Quadratic
from verify.exact import alpha_normec
from verify.privacy import residuals


def _longer(residual: Fraction, alpha: Fraction, beta: Fraction, moved: Fraction, R: Fraction) -> bool:
    """Whether a residual exceeds max(R, (√β − √α)² + moved), or R where β ≤ α, in fractions."""
    if residual <= R or beta <= alpha:
        return residual > R
    rest = alpha + beta - (residual - moved)
    return rest < 0 or rest**2 < 4 * alpha * beta


def test_a_message_is_as_long_as_the_sentence_on_alpha_says() -> None:
    """Exact runs against G, with β on both sides of α and of α + R: the residual before the update, a message's, passes R."""
    assert (
        "G = max(R, (√β − √α)² + L_maxγ), and G = R where β ≤ α (NEC-OUR-S5-ALPHA)"
        in claim("NEC-S5-ALPHA").consequence
    )
    rng, longest = np.random.default_rng(0), {True: Fraction(0), False: Fraction(0)}
    for _ in range(300):
        alpha, R = (Fraction(int(k), 16) for k in rng.integers(1, 33, 2))
        beta = (alpha + R) * Fraction(int(rng.integers(1, 96)), 64)
        gamma = beta * R / (alpha + R) * Fraction(int(rng.integers(1, 5)), 4)
        offsets = [R, *(R * Fraction(int(k), 16) for k in rng.integers(-16, 17, 2))]
        f, x = Quadratic(Fraction(1)), Fraction(int(rng.integers(-5, 6)))
        run = alpha_normec([f.gradient] * 3, x, [f.gradient(x) - o for o in offsets], alpha, beta, gamma, 4)
        for point, memories in zip(run.x, run.memories, strict=True):
            residual = max(abs(f.gradient(point) - g) for g in memories)
            assert not _longer(residual, alpha, beta, gamma, R)
            longest[beta <= alpha] = max(longest[beta <= alpha], residual / R)
    assert longest[True] == 1 < longest[False]


def test_two_messages_are_as_far_apart_as_the_bound_says_and_not_where_it_is_r() -> None:
    """The bound is reached; a shorter step or another residual does not reach it, and where it is 2R/(α + R) G is not above R."""
    assert residuals.further_apart(residuals.VALUES).holds
    assert residuals.further_apart(residuals.VALUES).rhs == Fraction(16, 13) > Fraction(6, 5)
    for change in (
        {"r": Fraction(3, 4)},
        {"gamma": Fraction(5, 4)},
        {"beta": Fraction(1), "root_beta": Fraction(1)},
    ):
        assert not residuals.further_apart({**residuals.VALUES, **change}).holds
    met = dict(residuals.further_apart({**residuals.VALUES, "gamma": Fraction(5, 4)}).presupposed)
    assert [text for text, true in met.items() if not true] == ["G > R"]


def test_a_bound_of_r_holds_for_some_steps_beyond_alpha() -> None:
    """α = R = L_max = 1, β = 11/10, γ = 11/20: β > α, and no residual of R at most comes out longer than R."""
    alpha, R, beta, gamma, f = (
        Fraction(1),
        Fraction(1),
        Fraction(11, 10),
        Fraction(11, 20),
        Quadratic(Fraction(1)),
    )
    for k in range(65):
        run = alpha_normec([f.gradient], Fraction(9), [9 - R * Fraction(k, 64)], alpha, beta, gamma, 1)
        assert abs(f.gradient(run.x[1]) - run.memories[1][0]) <= R
