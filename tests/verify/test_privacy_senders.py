"""Sums whose senders are seen, and sums alone: certified sides and sentences against the accountant, which shares no code with
them."""

import math
from dataclasses import replace
from fractions import Fraction

import pytest

from bounds.privacy import Enclosure, Neighbours, Setting, Trust, delta, epsilon
from bounds.privacy.printed import experiment_scale, experiment_scale_short_root
from verify.catalogue import claim
from verify.claim import Values
from verify.privacy import fed_hidden, fed_sums, senders_seen
from verify.privacy.mechanisms import least_visible
from verify.privacy.normfed_datasets import FMNIST, one_direction
from verify.privacy.rigorous import number
from verify.privacy.senders_seen import Senders, least_seen, most_seen

F = Fraction
TWENTY = Senders(20, 60, F(1, 4), range(1, 61))


@pytest.mark.parametrize("s", [1, 2])
@pytest.mark.parametrize(
    ("n", "K", "p", "x", "theta"),
    [
        (20, 60, F(1, 4), (F(37, 100), F(13, 100)), (5, -27)),
        (50, 100, F(1, 2), (F(46, 1000), F(37, 1000)), (30, -108)),
        (4, 60, F(3, 4), (F(42, 100), F(28, 100)), (3, -9)),
    ],
    ids=str,
)
def test_both_sides_hold_the_accountants_delta(s, n, K, p, x, theta):
    """x on either side of E 1/m: 0.20, 0.040 and 0.33."""
    who, sigma = Senders(n, K, p, range(1, K + 1)), 2 * s * math.sqrt(K / n)
    neighbours: Neighbours = "add-remove" if s == 1 else "replace-one"
    found = delta(Setting("participants", neighbours, K, float(p), n), sigma, 0.5)
    variance = number(F(sigma) ** 2)
    most = most_seen(F(1, 2), who, variance, s, x[0], theta[0])
    least = least_seen(F(1, 2), who, variance, s, x[1], theta[1])
    assert least <= found.lower <= found.upper <= most
    assert most < 10 * found.upper
    assert least_visible(F(1, 2), K, p, variance / number(F(1, 10 * n)), s, who.counts) < found.lower


def test_rounds_with_few_senders_count_as_lost():
    """m ≥ m_1 is not for nothing: what is left out is added."""
    whole, part = (Senders(20, 60, F(1, 4), range(1, 61), few) for few in (1, 3))
    assert sum(whole.law().values()) == 1
    missing = 1 - sum(part.law().values())
    assert 0 < missing < F(1, 5)
    found = most_seen(F(8), part, number(100), 1, F(1, 2), 4)
    assert found > 60 * F(1, 4) * missing


@pytest.mark.parametrize("first", [0.25, F(1, 4)], ids=["float", "fraction"])
def test_the_law_is_exact_whatever_kind_of_number_came_first(first):
    """0.25 and 1/4 are equal as keys of a cache."""
    senders_seen._law.cache_clear()
    replace(TWENTY, p=first).law()
    for p in (F(1, 4), 0.25):
        law = replace(TWENTY, p=p).law()
        assert all(type(mass) is F for mass in law.values())
        assert sum(law.values()) == 1


@pytest.mark.parametrize(
    ("side", "theta"), [(most_seen, -1), (most_seen, 0), (least_seen, 1), (least_seen, 0)]
)
def test_chernoffs_exponent_has_the_sign_of_its_side(side, theta):
    with pytest.raises(ValueError, match="θ = "):
        side(F(8), TWENTY, number(1), 1, F(1, 5), theta)


def noise_at(q: float, wanted: float = 5.0) -> float:
    """Theorem 3's noise of one of 600 senders among 3,000, K = 500, in units of C."""
    return math.sqrt(q * 600 * 500 * math.log(1e5)) / (3000 * wanted)


def had(trust: Trust, neighbours: Neighbours, q: float, wanted: float = 5.0) -> Enclosure:
    return epsilon(Setting(trust, neighbours, 500, 0.2, 3000), noise_at(q, wanted), 1e-5)


@pytest.mark.parametrize(
    ("neighbours", "enough", "too_little"), [("add-remove", 9.2, 8.7), ("replace-one", 37, 34.8)]
)
def test_the_q_that_hides_a_client_among_senders_that_are_seen(neighbours, enough, too_little):
    repair = claim("DAS-EXP-DP@datasets").repair
    assert f"q = {enough:g}" in repair.statement
    assert f"{too_little:g}" in repair.weakest
    assert (
        had("participants", neighbours, enough).upper <= 5 < had("participants", neighbours, too_little).lower
    )
    assert "(2, 10⁻⁵)-DP" in repair.statement
    assert had("participants", neighbours, enough, 2.0).upper <= 2


@pytest.mark.slow
@pytest.mark.parametrize(("neighbours", "too_little"), [("add-remove", 1.5), ("replace-one", 6)])
def test_the_q_towards_whoever_sees_the_sums_alone(neighbours, too_little):
    repair = claim("DAS-EXP-DP@datasets").repair
    assert f"q = {too_little:g}" in repair.weakest or f"nor {too_little:g}" in repair.weakest
    assert "8.2 is for both" in repair.weakest
    assert had("sum", neighbours, too_little).lower > 5 >= had("sum", neighbours, 8.2).upper


def test_the_q_that_hides_a_client_whose_messages_are_seen():
    repair = claim("DAS-EXP-DP@datasets,messages").repair
    assert "q = 5,400" in repair.statement
    assert "q = 5,300" in repair.weakest
    assert had("messages", "add-remove", 5400).upper <= 5 < had("messages", "add-remove", 5300).lower
    assert "(2, 10⁻⁵)-DP" in repair.statement
    assert had("messages", "add-remove", 5400, 2.0).upper <= 2
    assert had("messages", "replace-one", 21600, 2.0).upper <= 2


@pytest.mark.slow
@pytest.mark.parametrize(("s", "q", "t"), [(1, 1, 284), (1, F(3, 2), 410), (2, 6, 750)])
def test_the_event_in_one_direction_has_no_more_than_the_accountant_allows(s, q, t):
    v: Values = {**FMNIST, "q": F(q), "s": F(s), "a": F(4200), "t": F(t), "N_1": F(50), "N_2": F(160)}
    setting = Setting("sum", "add-remove" if s == 1 else "replace-one", 500, 0.2, 3000)
    assert F(1, 10**5) < one_direction(v).lhs <= delta(setting, noise_at(float(q)), 5.0).upper


def test_noise_that_is_enough_is_no_witness_in_one_direction():
    """The event in one direction compares what the data sets' messages differ by: at q = 9 nothing is left of it."""
    witness = claim("DAS-EXP-DP@datasets").against
    assert not replace(witness, values={**witness.values, "q": F(9), "s": F(2), "t": F(900)}).stands()[0]


def fed(trust: Trust, p: float, noise: float) -> Enclosure:
    return epsilon(Setting(trust, "replace-one", 300, p, 20), noise, 1e-5)


@pytest.mark.parametrize(
    ("identifier", "trust", "scale", "said"),
    [
        ("FED-EXP-DP@participants", "participants", experiment_scale_short_root, ("1.18", "2.57", "5.83")),
        ("FED-EXP-DP@sum", "sum", experiment_scale_short_root, ("1.18", "1.75", "2.68")),
    ],
)
def test_epsilons_of_the_sentences_are_the_accountants_rounded_up(identifier, trust, scale, said):
    for p, number_ in zip((1.0, 0.5, 0.25), said, strict=True):
        unit = 10.0 ** -len(number_.partition(".")[2])
        upper = fed(trust, p, scale(1.0, 300, 8.0, 1e-5, p)).upper
        assert number_ in claim(identifier).reason
        assert float(number_) - unit < upper <= float(number_)


def test_epsilons_of_the_long_root_where_participants_are_seen():
    reason = claim("FED-EXP-DP@long-root,participants").reason
    found = {p: fed("participants", p, experiment_scale(1.0, 300, 8.0, 1e-5, p)) for p in (1.0, 0.5, 0.25)}
    assert reason.startswith(
        "It gives at most ε = 4.66 at p = 1, but more than 10.8 and 27.8 at p = 0.5 and 0.25: "
    )
    assert 4.65 < found[1.0].upper <= 4.66
    assert 10.8 < found[0.5].lower < 10.9
    assert 27.8 < found[0.25].lower < 27.9


def test_epsilons_of_the_long_root_in_sums():
    reason = claim("FED-EXP-DP@long-root,sum").reason
    found = {p: fed("sum", p, experiment_scale(1.0, 300, 8.0, 1e-5, p)) for p in (1.0, 0.5, 0.25)}
    assert reason == "It gives at most ε = 4.66 at p = 1 and 7.30 at p = 0.5, but at least 11.6 at p = 0.25."
    assert 4.65 < found[1.0].upper <= 4.66
    assert 7.29 < found[0.5].upper <= 7.30
    assert 11.6 <= found[0.25].lower < 11.7


def test_noise_that_does_not_fall_with_p_by_the_accountant():
    one = experiment_scale(1.0, 300, 8.0, 1e-5)
    weakest = {name: claim(f"FED-EXP-DP@long-root,{name}").repair.weakest for name in ("participants", "sum")}
    assert "0.66 is for all three" in weakest["participants"]
    assert "0.64, 0.47 and 0.36 are at p = 1, 0.5 and 0.25" in weakest["sum"]
    for p, least in ((1.0, 0.64), (0.5, 0.47), (0.25, 0.36)):
        assert fed("participants", p, 0.66 * one).upper <= 8
        assert fed("sum", p, least * one).upper <= 8
        assert fed("participants", p, 0.78 * one).upper <= 8
    assert fed("sum", 1.0, 0.63 * one).lower > 8


@pytest.mark.slow
def test_noise_that_is_enough_in_sums_is_no_witness():
    """The two witnesses of the long root fall where p = 1/4 is made up for, and the event of the sums alone has no more than the
    accountant allows."""
    for name in ("participants", "sum"):
        witness = claim(f"FED-EXP-DP@long-root,{name}").witness
        louder = replace(witness, values={**witness.values, "counted": F(16 * 300)})  # four times the noise
        assert witness.stands()[0]
        assert not louder.stands()[0], name
    v = claim("FED-EXP-DP@long-root,sum").witness.values
    allowed = delta(
        Setting("sum", "replace-one", 300, 0.25, 20), experiment_scale(1.0, 300, 8.0, 1e-5, 0.25), 8.0
    )
    assert fed_sums._hidden(v).lhs <= allowed.upper


def test_all_numbers_of_messages_that_a_sum_can_have_are_counted():
    """What is left out of the law of m and n counts against the witness."""
    v = claim("FED-AMP@sum").witness.values
    variance = number((v["p"] * v["sigma_1"]) ** 2)
    whole, _ = fed_hidden.in_sums(v, variance)
    part, _ = fed_hidden.in_sums({**v, "m_2": F(1500)}, variance)
    assert part < 0 < whole
