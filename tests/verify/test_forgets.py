"""What the bounds for any memories rest on, by other ways: rational grids, and false neighbours that must be refuted."""

from fractions import Fraction

import pytest

from verify.alpha_normec import forgets
from verify.alpha_normec.descent import CITE_LEMMA1
from verify.alpha_normec.letters import ALPHA, BETA, RESIDUAL, alpha, beta, r, w
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
    assert not proof.unneeded
    assert {forgets.MILD_STEP.name, forgets.LONG_MESSAGE.name, forgets.WITHIN.name} <= set(proof.needed)
