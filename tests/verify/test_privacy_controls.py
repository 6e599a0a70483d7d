"""Controls of the privacy claims: what must fall falls, what is cited holds at sample points."""

import math
import sys
from dataclasses import replace
from fractions import Fraction

import mpmath
import pytest
import sympy
from scipy import stats
from scipy.special import log_ndtr

from bounds.privacy import Setting, delta, gaussian_delta
from verify.catalogue import claim
from verify.computation import Comparison
from verify.facts import hypothesis
from verify.obligation import Settings
from verify.privacy.arguments import (
    CLOSED_FORM,
    POINT,
    K,
    L,
    enough,
    no_constant,
    s,
    sigma,
)
from verify.privacy.arguments import epsilon as eps
from verify.privacy.claims import CLAIMS
from verify.privacy.dp_normfedavg import CLAIMS as DAS
from verify.privacy.experiment_noise import enough_for_small_beta
from verify.privacy.small_epsilon import no_constant_under_the_root
from verify.prove import prove

QUICK = Settings(minimise=False)
WITNESSED = [(c.id, c.against) for c in CLAIMS if c.against is not None and "delta" in c.against.values]


def accountant(monkeypatch, module) -> list[str]:
    """Let the replays of `module` ask the accountant, from above, for the δ of each Gaussian mechanism; the list names
    what they asked. The accountant gets σ as a float, hence the 1e-9."""

    def most(epsilon_, releases, p, variance, sensitivity) -> Fraction:
        neighbours = "add-remove" if sensitivity == 1 else "replace-one"
        setting, sigma_ = Setting("messages", neighbours, releases, float(p)), math.sqrt(float(variance.mid))
        return Fraction(delta(setting, sigma_, float(epsilon_)).upper) * (1 + Fraction(1, 10**9))

    def sure(epsilon_, releases, variance, sensitivity):
        asked.append("sure")
        return most(epsilon_, releases, 1, variance, sensitivity)

    def sampled(epsilon_, releases, p, variance, sensitivity, counts=None):
        asked.append("sampled")
        return most(epsilon_, releases, p, variance, sensitivity)

    asked: list[str] = []
    stand_ins = {"least_certain": sure, "least_visible": sampled, "least_visible_often": sampled}
    for name, stand_in in stand_ins.items():
        if hasattr(module, name):
            monkeypatch.setattr(module, name, stand_in)
    return asked


NOT_ONE_MECHANISM = {
    "NEC-EQ3@usual-range", "FED-AMP@server-noise", "FED-AMP@sum", "DAS-DEF5", "DAS-T3-ITERATES", "NEC-C2-DP@initial-memory",
    "NEC-C2-DP@initial-memory-model", "NEC-C2-DP@step-size", "FED-C2-DP@initial-memory", "FED-C2-DP@step-size",
    "NEC-EXP-DP@sum-best-of-4", "FED-EXP-DP@best-of-3", "DAS-EXP-DP@datasets", "DAS-EXP-DP@best-of-72", "DAS-T3@removed",
    "DAS-EXP-DP@removed", "DAS-T3", "NEC-C2-DP@usual-range", "FED-C2-DP@full-participation,usual-range", "FED-S2-CLIP",
    "NEC-EXP-DP@sum", "NEC-EXP-DP@variance-small-beta", "NEC-EXP-DP@short-root", "FED-EXP-DP@full-participation",
    "FED-EXP-DP@variance-small-beta", "FED-EXP-DP@variance-add-remove", "FED-EXP-DP@add-remove", "DAS-EXP-DP@datasets,messages",
    "DAS-EXP-DP@datasets,constant-1", "DAS-EXP-DP@datasets,messages,constant-1",
    "NEC-EXP-DP@example-level,mini-batch", "NEC-S1-SEARCH",
    "FED-EXP-DP@sum", "FED-EXP-DP@participants", "FED-EXP-DP@long-root,sum", "FED-EXP-DP@long-root,participants",
    "NEC-EQ3@usual-range,as-cited",
}  # fmt: skip
"""Witnesses by other means than the δ of a Gaussian mechanism with visible participation: there only δ = 1 is surely generous."""


@pytest.mark.slow
@pytest.mark.parametrize(("identifier", "witness"), WITNESSED, ids=[name for name, _ in WITNESSED])
def test_a_witness_falls_once_the_delta_compared_with_is_generous(monkeypatch, identifier, witness):
    """The control of every witness: at the noise of its own δ it stands; compared with the δ that the accountant, which shares no
    code with it, allows for the same mechanism at that noise, it refutes nothing."""
    stands, own = witness.stands()
    assert stands
    assert (own.comparison, own.rhs) == ("<=", witness.values["delta"])
    asked = accountant(monkeypatch, sys.modules[witness.replay.__module__])
    allowed = witness.replay(witness.values).lhs
    assert bool(asked) == (identifier not in NOT_ONE_MECHANISM)
    generous = allowed if asked else Fraction(1)
    assert own.rhs < generous
    assert Comparison(own.lhs, own.comparison, generous).holds


def test_a_sufficient_constant_is_not_refuted():
    good = claim("NEC-C2-DP@constant-1").witness
    stands, replay = replace(good, values={**good.values, "c": Fraction(3, 2)}).stands()
    assert not stands
    assert replay.lhs <= Fraction(1, 10**5)


def test_definition_5_is_not_refuted_where_it_is_proved():
    witness = next(c for c in DAS if c.id == "DAS-DEF5").witness
    for δ in (Fraction(1, 10**6), Fraction(1, 10), Fraction(9, 10)):
        assert not replace(witness, values={"epsilon": Fraction(15, 4), "delta": δ}).stands()[0]


@pytest.mark.parametrize(
    ("name", "noise"),
    [
        ("√L twice", sigma * eps * sympy.sqrt(2) >= 2 * s * sympy.sqrt(K) * sympy.sqrt(L)),
        ("1 % less", sigma * eps * sympy.sqrt(2) * 100 >= 99 * s * sympy.sqrt(K) * (sympy.sqrt(L) + sympy.sqrt(L + eps))),
        ("sensitivity 1 for both", sigma * eps * sympy.sqrt(2) >= sympy.sqrt(K) * (sympy.sqrt(L) + sympy.sqrt(L + eps))),
        ("K without its root", sigma * eps * sympy.sqrt(2) * K >= s * (sympy.sqrt(L) + sympy.sqrt(L + eps))),
    ],
)  # fmt: skip
def test_a_weakened_closed_form_is_not_provable(name, noise):
    assert not prove(enough(hypothesis(name, noise)), QUICK).ok


def test_the_closed_form_is_provable():
    assert prove(enough(CLOSED_FORM), QUICK).ok


def test_no_constant_needs_its_point():
    """At a hundredth of that ε the argument must not go through: there constants do work."""
    near = hypothesis("ε = c² L/(50 s²)", sympy.Eq(eps * s**2 * 50, sympy.Symbol("c", real=True) ** 2 * L))
    assert prove(no_constant(POINT), QUICK).ok
    assert not prove(no_constant(near), QUICK).ok


def test_no_constant_under_the_root_needs_a_small_delta():
    """Below k = 44 c⁴/s⁴ the δ that is asked for may be large enough: the argument must not go through with 40."""
    assert prove(no_constant_under_the_root(), QUICK).ok
    assert not prove(no_constant_under_the_root(40), QUICK).ok


@pytest.mark.parametrize("c", [0.5, 3.0, 10.0])
def test_no_constant_under_the_root_by_the_accountant(c):
    k = math.ceil(44 * c**4)
    asked = math.exp(-k / c**2)
    noise = c * math.sqrt(301 * (k / c**2) * k)
    assert delta(Setting("messages", "add-remove", 301, 1.0), noise, 1 / k).lower > max(asked, 0.046 / k)


@pytest.mark.parametrize("loss", [0.01, 0.5, 3.0, 40.0])
def test_cited_facts_about_the_normal_tail_hold_at_sample_points(loss):
    """Mills' bound and the curve at ε = μ²/2, as `arguments` cites them."""
    mu = math.sqrt(2 * loss)
    product = math.exp(loss + log_ndtr(-mu))
    assert 0 < product < 1 / (math.sqrt(2 * math.pi) * mu)
    assert gaussian_delta(loss, mu).upper == pytest.approx(0.5 - product, rel=1e-9)


@pytest.mark.parametrize("t", [0.7, 1.0, 2.5, 4.0])
@pytest.mark.parametrize("loss", [0.3, 1.0, 3.75])
def test_cited_derivative_of_definition_5_is_the_derivative(loss, t):
    """dδ/dε at fixed t, where μ = ε/t, is φ(t − ε/(2t)) (1/t − M(t + ε/(2t)))."""

    def curve(e):
        return mpmath.ncdf(e / (2 * t) - t) - mpmath.exp(e) * mpmath.ncdf(-e / (2 * t) - t)

    mills = mpmath.ncdf(-t - loss / (2 * t)) / mpmath.npdf(t + loss / (2 * t))
    expected = mpmath.npdf(t - loss / (2 * t)) * (1 / mpmath.mpf(t) - mills)
    assert float(mpmath.diff(curve, loss)) == pytest.approx(float(expected), rel=1e-9)
    assert mills * (t + loss / (2 * t)) < 1


@pytest.mark.parametrize(("rounds", "p"), [(10, 0.1), (300, 0.25), (1000, 0.01), (40, 0.5)])
def test_cited_facts_about_the_number_of_participations_hold(rounds, p):
    """Bernstein's tail and the median of a binomial law with a whole mean."""
    late = math.log(2 / 1e-5)
    m = rounds * p + math.sqrt(2 * rounds * p * (1 - p) * late) + 2 * late / 3
    assert stats.binom.sf(m, rounds, p) <= 1e-5 / 2
    assert stats.binom.sf(round(rounds * p) - 1, rounds, p) >= 0.5


HALF, FULL = Fraction(1, 2), Fraction(1)


@pytest.mark.parametrize(
    "participation", [(HALF,), (FULL, HALF), ()], ids=["p = 1/2", "p = 1 and 1/2", "none"]
)
def test_a_sum_has_the_noise_of_all_clients_only_where_all_take_part(participation) -> None:
    """With ten clients' noise counted in each sum, half of them taking part is refused; of messages alone it is not."""
    most = Fraction(1, 1000)
    with pytest.raises(ValueError, match="a sum has the noise of all 10 clients at p = 1 alone"):
        enough_for_small_beta("sums", most, participation, clients=10)
    assert enough_for_small_beta("sums", most, (FULL,), clients=10).condition.startswith("β ≤ 0.001")
    if participation:
        assert enough_for_small_beta("messages", most, participation).condition.startswith("β ≤ 0.001")


def test_counting_the_noise_of_all_clients_where_half_take_part_would_promise_too_much() -> None:
    """300 sums of ten clients' messages, σ = 3 each: of those who take part at p = 1/2 the sum has the noise of five, and that it is
    seen without the senders does not make up for it."""
    ten = delta(Setting("messages", "replace-one", 300, 0.5), 3 * math.sqrt(10), 8.0)
    sums = delta(Setting("sum", "replace-one", 300, 0.5, 10), 3.0, 8.0)
    assert sums.lower > ten.upper
