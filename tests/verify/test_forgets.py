"""What the bounds for any memories rest on, by other ways: rational grids, and false neighbours that must be refuted."""

import math
from fractions import Fraction

import pytest

from bounds.alpha_normec.forgets import PRIVATE_FORGETS
from bounds.alpha_normec.recipe import recipe
from verify.alpha_normec.letters import ALPHA, BETA, RESIDUAL, alpha, beta, r, w
from verify.alpha_normec.ours import forgets, utility
from verify.alpha_normec.theorems.descent import CITE_LEMMA1
from verify.facts import hypothesis
from verify.obligation import Settings, obligation
from verify.verdict import establish


def left(size: Fraction, smoothing: Fraction, message: Fraction) -> Fraction:
    return abs(1 - message / (smoothing + size)) * size


def test_a_round_takes_beta_w_off_the_potential_on_a_grid() -> None:
    """α = 1, β up to 7/5 < √2, residuals from 1/100 to 100."""
    for share in (Fraction(k, 10) for k in range(1, 15)):
        for size in (Fraction(k, 100) * 10**e for k in range(1, 100, 7) for e in range(3)):
            rest = left(size, Fraction(1), share)
            assert rest**2 / 2 + rest + share * rest <= size**2 / 2 + size


@pytest.mark.parametrize(
    ("condition", "taken", "status"),
    [
        ("β² ≤ 2α²", beta, "proved"),
        ("β² ≤ 21/10 α²", beta, "refuted"),
        ("β² ≤ 2α²", 11 * beta / 10, "refuted"),
    ],
    ids=["√2", "more than √2", "more than β"],
)
def test_the_limit_on_beta_and_what_is_taken_off_cannot_be_larger(condition, taken, status) -> None:
    square = {"β² ≤ 2α²": 2 * alpha**2, "β² ≤ 21/10 α²": 21 * alpha**2 / 10}[condition]
    given = (ALPHA, BETA, RESIDUAL, CITE_LEMMA1.conclusion, hypothesis(condition, beta**2 <= square))
    goal = w**2 / 2 + alpha * w + taken * w <= r**2 / 2 + alpha * r
    assert obligation("fall", given, goal).discharge(Settings(minimise=False)).status == status


def test_every_hypothesis_is_needed() -> None:
    (proof,) = establish(forgets.OUR_T1).evidence
    assert proof.unneeded == ("β > 0",), "0 < γ < β/L_max says that again"
    assert {forgets.MILD_STEP.name, forgets.LONG_MESSAGE.name, forgets.WITHIN.name} <= set(proof.needed)


MANY = {"f_gap": 1.0, "R": 2.0, "L": 1.0, "L_max": 1.0, "K": 10**6, "n": 100}
LEVEL = 0.01
"""s: V = E‖z_i‖² = n(K+1)s²."""


def bound_at(beta_0: float, **problem: float) -> float:
    """What NEC-OUR-T2-FORGETS promises at the parameters of NEC-OUR-T2-ROUNDS with θ = P/(P + R) = 1/3."""
    beta = beta_0 / (problem["K"] + 1)
    variance = problem["n"] * (problem["K"] + 1) * LEVEL**2
    # a hair above β/√2, as the bound's own condition is β ≤ √2 α in floating point
    return float(
        PRIVATE_FORGETS(
            **problem, gamma=beta / 3, alpha=beta / math.sqrt(2) * (1 + 1e-13), beta=beta, V=variance
        )
    )


@pytest.mark.parametrize("K", [0, 1, 9, 10**6])
def test_the_bound_where_the_noise_grows_with_the_rounds_loses_nothing(K: int) -> None:
    """NEC-OUR-T2-ROUNDS is the theorem's bound at its parameters, and no upper bound for it."""
    conclusion = utility.BOUND.proof.nodes[-1].conclusion.relation  # type: ignore[union-attr]
    values = {
        "f_gap": 1,
        "R": 2,
        "L": 1,
        "L_max": 1,
        "K": K,
        "n": 100,
        "s": LEVEL,
        "theta": 1 / 3,
        "beta_0": 20,
    }
    names = {str(letter): letter for letter in conclusion.rhs.free_symbols}
    named = {"noise": LEVEL, **values}
    stated = float(conclusion.rhs.subs({letter: named[name] for name, letter in names.items()}))
    assert stated == pytest.approx(bound_at(20.0, **MANY | {"K": K}), rel=1e-9)


def test_the_best_noise_for_many_rounds_is_the_recipes() -> None:
    """P = 1, R = 2, s = 1/100: β₀ = 3/√(√2 s) = 25.227 and 2√(√2 s) · 3 = 0.71352, of which 1e-4 is missing at K = 10⁶."""
    c = math.sqrt(2) * LEVEL
    best, least = 3 / math.sqrt(c), 2 * math.sqrt(c) * 3
    found = recipe(f_gap=1.0, L=1.0, K=10**6, n=100, V=100 * (10**6 + 1) * LEVEL**2, least_R=2.0)
    assert found.beta * (10**6 + 1) == pytest.approx(best, rel=1e-4)
    assert least < found.bound < bound_at(best, **MANY) < least * (1 + 1e-4)
    assert bound_at(3 / math.sqrt(2 * LEVEL), **MANY) > 1.01 * least
    *_, minimum, _, equal, _ = utility.BEST.proof.nodes  # type: ignore[union-attr]
    letters = {"P": 1, "R": 2, "c": c, "theta": 1 / 3, "beta_0": best}
    goal = minimum.conclusion.relation
    sides = [side.subs({s: letters[str(s)] for s in side.free_symbols}) for side in (goal.lhs, goal.rhs)]
    assert [float(side) for side in sides] == pytest.approx([least, least], rel=1e-9)
    assert "2√c(P + R)" in equal.name
