"""The privacy claims: what their sentences say is what the accountant finds."""

import itertools
import math
import re
from dataclasses import replace
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from scipy import integrate, stats

from bounds.privacy import Setting, delta, epsilon, gaussian_delta, gaussian_mu
from bounds.privacy.printed import (
    MomentsAccountant,
    alpha_normec_noise,
    definition5_variance,
    experiment_scale,
    experiment_scale_short_root,
    moments_accountant,
    moments_accountant_reach,
)
from verify.catalogue import claim, claims
from verify.dp_normfedavg.text import figures
from verify.obligation import Settings
from verify.privacy import fed_hidden, normfed_experiments, one_noise, tables
from verify.privacy.claims import CLAIMS
from verify.privacy.memories import WITHOUT_DATA
from verify.prove import prove

QUICK = Settings(minimise=False)


SUMMED = math.sqrt(10)
"""Noise of ten clients' sum over that of one."""


def local(neighbours: str, noise: float, rounds: int = 300, p: float = 1.0) -> float:
    return epsilon(Setting("messages", neighbours, rounds, p), noise, 1e-5).upper


def long_root(p: float = 1.0) -> float:
    return experiment_scale(1.0, 300, 8.0, 1e-5, p)


def short_root(p: float = 1.0) -> float:
    return experiment_scale_short_root(1.0, 300, 8.0, 1e-5, p)


def as_variance(beta: float, p: float) -> float:
    """The noise over the bound that it hides, the printed number being the variance on messages scaled by β."""
    return math.sqrt(short_root(p) / beta)


@pytest.mark.parametrize(
    ("identifier", "said", "found"),
    [
        ("NEC-EXP-DP", "ε = 12.3", lambda: local("add-remove", long_root())),
        ("NEC-EXP-DP", "30.5", lambda: local("replace-one", long_root())),
        ("NEC-EXP-DP@sum", "ε = 7.00", lambda: local("replace-one", SUMMED * long_root())),
        ("NEC-EXP-DP@whole-vector", "ε = 754,909", lambda: local("add-remove", long_root() / math.sqrt(tables.RESNET20))),
        ("NEC-EXP-DP@whole-vector", "3,009,196", lambda: local("replace-one", long_root() / math.sqrt(tables.RESNET20))),
        ("NEC-EXP-DP@steps", "ε = 76", lambda: local("add-remove", SUMMED * long_root(), 42_300)),
        ("NEC-EXP-DP@steps", "231", lambda: local("replace-one", SUMMED * long_root(), 42_300)),
        ("NEC-EXP-DP@std-before-beta", "ε = 28,799", lambda: local("add-remove", 0.01 * long_root())),
        ("NEC-EXP-DP@variance-before-beta", "ε = 2,313", lambda: local("add-remove", math.sqrt(0.01 * long_root()))),
        ("NEC-EXP-DP@short-root", "ε = 6.44", lambda: local("replace-one", short_root())),
        ("NEC-EXP-DP@variance,sum", "ε = 5.83", lambda: local("replace-one", SUMMED * as_printed(0.1, 1.0))),
        ("NEC-EXP-DP@variance,sum", "24.7", lambda: local("replace-one", SUMMED * as_printed(1.0, 1.0))),
        ("FED-EXP-DP@full-participation", "ε = 6.44", lambda: local("replace-one", short_root())),
        ("FED-EXP-DP", "9.9", lambda: local("replace-one", short_root(0.5), p=0.5)),
        ("FED-EXP-DP", "30.5", lambda: local("replace-one", long_root())),
        ("FED-EXP-DP", "51.2", lambda: local("replace-one", long_root(0.5), p=0.5)),
        ("FED-EXP-DP", "91.5", lambda: local("replace-one", long_root(0.25), p=0.25)),
        ("FED-EXP-DP@long-root", "ε = 32.2", lambda: local("add-remove", long_root(0.25), p=0.25)),
        ("FED-EXP-DP@long-root", "91.5", lambda: local("replace-one", long_root(0.25), p=0.25)),
        ("FED-EXP-DP", "15.7", lambda: local("replace-one", short_root(0.25), p=0.25)),
        ("FED-EXP-DP", "ε = 6.4", lambda: local("replace-one", short_root())),
        ("FED-EXP-DP@variance", "ε = 11.2", lambda: local("replace-one", as_variance(0.1, 1.0))),
        ("FED-EXP-DP@variance", "11.3", lambda: local("replace-one", as_variance(0.1, 0.5), p=0.5)),
        ("FED-EXP-DP@variance", "11.6", lambda: local("replace-one", as_variance(0.1, 0.25), p=0.25)),
        ("FED-EXP-DP@variance-small-beta", "ε = 2.88", lambda: local("replace-one", as_variance(0.01, 1.0))),
        ("FED-EXP-DP@variance-small-beta", "2.90", lambda: local("replace-one", as_variance(0.01, 0.5), p=0.5)),
        ("FED-EXP-DP@variance-small-beta", "2.94", lambda: local("replace-one", as_variance(0.01, 0.25), p=0.25)),
        ("FED-EXP-DP@variance-add-remove", "ε = 4.87", lambda: local("add-remove", as_variance(0.1, 1.0))),
        ("FED-EXP-DP@variance-add-remove", "4.92", lambda: local("add-remove", as_variance(0.1, 0.5), p=0.5)),
        ("FED-EXP-DP@variance-add-remove", "5.00", lambda: local("add-remove", as_variance(0.1, 0.25), p=0.25)),
        ("FED-EXP-DP@variance-before-beta", "106", lambda: local("add-remove", 0.1 * as_variance(0.1, 1.0))),
        ("FED-EXP-DP@variance-before-beta", "333", lambda: local("replace-one", 0.1 * as_variance(0.1, 1.0))),
        ("FED-EXP-DP@std-before-beta", "it is 53", lambda: local("add-remove", 0.1 * short_root())),
        ("FED-EXP-DP@std-before-beta", "92", lambda: local("add-remove", 0.1 * short_root(0.5), p=0.5)),
        ("FED-EXP-DP@std-before-beta", "174", lambda: local("add-remove", 0.1 * short_root(0.25), p=0.25)),
        ("FED-EXP-DP@std-before-beta", "155", lambda: local("replace-one", 0.1 * short_root())),
        ("FED-EXP-DP@std-before-beta", "293", lambda: local("replace-one", 0.1 * short_root(0.5), p=0.5)),
        ("FED-EXP-DP@std-before-beta", "604", lambda: local("replace-one", 0.1 * short_root(0.25), p=0.25)),
        ("FED-EXP-DP@add-remove", "ε = 2.89", lambda: local("add-remove", short_root())),
        ("FED-EXP-DP@add-remove", "4.33", lambda: local("add-remove", short_root(0.5), p=0.5)),
        ("FED-EXP-DP@add-remove", "6.62", lambda: local("add-remove", short_root(0.25), p=0.25)),
        ("FED-EXP-DP@steps", "ε = 41", lambda: local("add-remove", short_root(), 21_000)),
        ("FED-EXP-DP@steps", "116", lambda: local("replace-one", short_root(), 21_000)),
        ("NEC-EXP-DP@variance-small-beta", "ε = 5.83", lambda: local("replace-one", math.sqrt(long_root() / 0.01))),
        ("FED-AMP@relative", "ε = 20", lambda: local("add-remove", 2.6, p=0.25)),
        ("FED-AMP@relative", "ε = 8", lambda: local("add-remove", 10.4)),
    ],
)  # fmt: skip
def test_numbers_in_the_sentences_are_those_of_the_accountant(identifier, said, found):
    assert said in claim(identifier).reason
    number = said.split()[-1].replace(",", "")
    unit = 10.0 ** -(len(number.partition(".")[2]))
    assert float(number) == pytest.approx(round(found() / unit) * unit)


def test_constants_in_the_sentences_are_those_of_the_accountant():
    mu = gaussian_mu(8.0, 1e-5).lower
    needed = {s_: math.ceil(100 * s_ * 8 / (mu * math.sqrt(math.log(1e5)))) / 100 for s_ in (1, 2)}
    text = claim("NEC-C2-DP").consequence
    assert f"{needed[2]:.2f} (replace-one) or {needed[1]:.2f} (add-remove)" in text
    wide = 2 * 10 / (gaussian_mu(10.0, 0.1).lower * math.sqrt(math.log(10)))
    assert wide <= 3.8 < wide + 0.1
    assert "3.8" in claim("NEC-EQ3").consequence


@pytest.mark.parametrize("ell", [12, 100, 860, 10_000])
def test_the_q_of_theorem_3_is_enough_for_every_delta(ell: int) -> None:
    """ε = ln(1/δ) = ℓ and μ = s√(ℓ/q): the true δ is at most e^{−ℓ}, and the last digit of q is not a unit too large."""
    said = re.findall(r"([\d.]+) \(s = (\d)\)", claim("DAS-T3").repair.weakest)
    assert [s_ for _, s_ in said] == ["2", "1"]
    with mpmath.workdps(40):
        for q, s_ in said:
            mu = int(s_) * mpmath.sqrt(ell / mpmath.mpf(q))
            shift = ell / mu
            true = (
                mpmath.erfc((shift - mu / 2) / mpmath.sqrt(2)) / 2
                - mpmath.exp(ell) * mpmath.erfc((shift + mu / 2) / mpmath.sqrt(2)) / 2
            )
            assert true <= mpmath.exp(-ell)
            unit = 10 ** -len(q.partition(".")[2])
            assert float(q) - unit < int(s_) ** 2 * (1 + math.sqrt(2)) ** 2 / 2 <= float(q)


def test_the_q_of_the_sentences_is_the_least_to_a_hundredth():
    for s_, said in normfed_experiments.NEEDED.items():
        least = (s_ * 5 / gaussian_mu(5.0, 1e-6).lower) ** 2 / math.log(1e6)
        assert math.ceil(100 * least) == 100 * said
        assert f"{float(said):.2f}" in claim("DAS-EXP-DP").reason
        assert figures.private()[s_ - 1] == pytest.approx(least)
    rounded = [math.ceil(1000 * q) / 1000 for q in figures.private()]
    assert rounded == [1.739, 6.953]
    assert all(f"{q}" in claim("DAS-APPF-FIG4").reason for q in rounded)


def test_a_q_of_the_table_is_enough():
    for row in tables.least_q():
        eps, delta_ = float(row["ε"]), float(row["δ"])
        for s_, who in ((1, "add-remove"), (2, "replace-one")):
            q = float(row[f"least q, {who}"])
            had = [
                gaussian_delta(eps, s_ * eps / math.sqrt(x * math.log(1 / delta_))) for x in (q, q - 0.001)
            ]
            assert had[0].upper <= delta_ < had[1].lower


@pytest.mark.parametrize(
    "identifier", [name for name in claims() if name.partition("@")[0] in ("FED-EXP-DP", "NEC-EXP-DP")]
)
def test_enough_noise_asks_for_a_start_without_the_data(identifier: str) -> None:
    """Otherwise δ = 1 whatever the noise is: FED-C2-DP@initial-memory, NEC-C2-DP@initial-memory."""
    repair = claim(identifier).repair
    assert repair is not None
    assert WITHOUT_DATA in repair.statement
    assert WITHOUT_DATA in repair.condition
    assert "in each coordinate" in repair.statement  # that of the whole vector hides next to nothing


def as_printed(beta: float, p: float) -> float:
    """As `as_variance`, of α-NormEC's number."""
    return math.sqrt(long_root(p) / beta)


@pytest.mark.parametrize(
    ("identifier", "noise", "participation"),
    [
        ("NEC-EXP-DP@variance", as_printed, (1.0,)),
        ("NEC-EXP-DP@variance,sum", lambda beta, p: SUMMED * as_printed(beta, p), (1.0,)),
        ("FED-EXP-DP@variance", as_variance, (1.0, 0.5, 0.25)),
    ],
)
def test_the_variance_is_enough_up_to_the_beta_of_the_sentence(identifier, noise, participation):
    statement = claim(identifier).repair.statement
    most = float(re.search(r"for every β ≤ ([\d.]+);", statement)[1])
    for p in participation:
        assert local("replace-one", noise(most, p), p=p) <= 8
    assert local("replace-one", noise(most + 0.001, p), p=p) > 8


def test_all_three_tuned_runs_cost_what_the_sentence_says():
    said = [12.6, 19.8, 32.1]
    found = [local("replace-one", short_root(p), 900, p) for p in (1.0, 0.5, 0.25)]
    assert [math.ceil(10 * x) / 10 for x in found] == said
    assert "12.6, 19.8 and 32.1" in claim("FED-EXP-DP@best-of-3").consequence


def test_all_four_tuned_runs_cost_what_the_sentence_says():
    said = [16.6, 83.9]
    found = [local("replace-one", noise, 1200) for noise in (SUMMED * long_root(), long_root())]
    assert [math.ceil(10 * x) / 10 for x in found] == said
    assert "at most ε = 16.6 (sums) or 83.9 (messages)" in claim("NEC-EXP-DP@sum-best-of-4").consequence


@pytest.mark.parametrize(
    ("identifier", "said"),
    [("NEC-EXP-DP@sum-best-of-4", "above 0.01"), ("FED-EXP-DP@best-of-3", "above 0.002")],
)
def test_the_best_run_by_simulation(identifier, said):
    """Runs with their sums N(±μ/2, 1), the largest of which is chosen: how often it is t at most, in either world."""
    v = {name: float(value) for name, value in claim(identifier).witness.values.items()}
    noise = math.sqrt(v["clients"]) * (short_root() if "short_root" in v else long_root())
    half, runs, rng = v["s"] * math.sqrt(v["releases"]) / noise / 2, int(v["runs"]), np.random.default_rng(0)
    best = (rng.standard_normal((1_000_000, runs)).max(axis=1) for _ in range(10))
    minus, plus = np.mean([np.mean(x - half <= v["t"]) for x in best]), stats.norm.cdf(v["t"] - half) ** runs
    assert said in claim(identifier).reason
    assert minus - math.exp(8) * plus - 5 * math.sqrt(minus / 1e7) > float(said.split()[-1])


def test_the_cited_theorem_applies_where_its_noise_is_too_little():
    """Every condition of Abadi et al.'s proof holds at FED-AMP's witness, for both printed noises, and the true δ of messages of the
    length 0.486 is large; of the length 1, which α = R does not allow, it is near 1."""
    v = claim("FED-AMP").witness.values
    p, rounds = float(v["p"]), int(v["releases"])
    for power in (1, 2):
        noise = math.sqrt(float(v["c"] * v["p"]) ** 2 * rounds * math.log(1e5) / 3**power)
        assert moments_accountant(p, noise, rounds, 3.0, 1e-5).applies
        setting = Setting("messages", "add-remove", rounds, p)
        assert delta(setting, noise / 0.486, 3.0).lower > 0.3
        assert delta(setting, noise, 3.0).lower > 0.95
    assert "between 0.486 and 1/2 long" in claim("FED-AMP").witness.problem


@pytest.mark.parametrize(
    ("sigma_", "q", "few", "many"), [(2, 0.25, 2.4e-5, 4.5e-3), (1, 0.01, 3.0e-9, 2.7e-4)]
)
def test_a_batch_of_fixed_size_can_need_more_than_independent_draws(sigma_, q, few, many):
    """NEC-EQ3: a point e is replaced by −e, all others have −e. Where the size is fixed the sum moves by 2e or not at all."""

    def excess(x: float) -> float:
        moved, still = stats.norm.pdf(x, [2, 0], sigma_)
        return max(q * moved + (1 - q) * still - math.e * still, 0)

    fixed = integrate.quad(excess, -10, 30, limit=500, points=[0, 2, 5])[0]
    assert fixed == pytest.approx(many, rel=0.02)
    assert delta(Setting("server-noise", "replace-one", 1, q), sigma_, 1.0).upper == pytest.approx(
        few, rel=0.02
    )
    assert "not for |B_k| = B, which can need more" in claim("NEC-EQ3").repair.weakest


def test_the_sum_hides_less_than_the_noise_that_is_enough_at_full_participation():
    """FED-AMP@sum by simulation: how often the sums add up to more than t, in either world."""
    v = {name: float(value) for name, value in claim("FED-AMP@sum").witness.values.items()}
    rng, runs = np.random.default_rng(0), 200_000
    others = rng.binomial(19 * 300, v["p"], runs)
    own = rng.binomial(300, v["p"], runs)
    total = own + v["p"] * v["sigma_1"] * np.sqrt(own + others) * rng.standard_normal(runs)
    assert np.mean(total > v["t"]) > 0.06
    assert np.mean(total - 2 * own > v["t"]) * math.exp(8) < 0.06


@pytest.mark.parametrize("identifier", ["FED-AMP@server-noise", "FED-AMP@sum"])
def test_what_is_hidden_is_as_long_as_a_message_can_be(monkeypatch, identifier):
    """Norm_α is shorter than 1; how near to 1 the witness's messages come decides."""
    assert fed_hidden.NEARLY < 1
    found = claim(identifier)
    witness = found.witness or found.gap.shown
    assert witness.stands()[0]
    monkeypatch.setattr(fed_hidden, "NEARLY", Fraction(2, 5))
    assert not witness.stands()[0]


@pytest.mark.parametrize(("own", "other"), [(1.0, -1.0), (1.0, 0.0), (0.4, -0.9), (1.0, 1.0)])
def test_the_divergence_of_one_noise_is_above_the_integral(own, other):
    """∫ P⁵Q⁻⁴ by quadrature for messages on the line, against the bound for opposite unit messages."""
    p, sigma_ = 0.25, 0.25 * 27

    def mixture(x, shift):
        return (1 - p) * stats.norm.pdf(x, 0, sigma_) + p * stats.norm.pdf(x, shift, sigma_)

    found, _ = integrate.quad(lambda x: mixture(x, own) ** 5 / mixture(x, other) ** 4, -100, 100, limit=500)
    bound = float(one_noise.most_hidden(Fraction(0), 1, Fraction(1, 4), Fraction(27, 4), 5))
    assert found < bound
    if (own, other) == (1.0, -1.0):
        assert found > 1 + 0.6 * (bound - 1)


@pytest.mark.parametrize("p", [Fraction(1, 2), Fraction(1, 4)])
def test_one_noise_is_enough_by_the_accountant_as_well_and_less_is_not_shown(p):
    setting = Setting("server-noise", "replace-one", 300, float(p))
    found = one_noise.most_hidden(Fraction(8), 300, p, 27 * p, 5)
    assert delta(setting, float(27 * p), 8.0).upper <= found <= Fraction(1, 10**5)
    short = one_noise.enough_in_sums(Fraction(8), Fraction(1, 10**5), 300, Fraction(21), (p,), 5)
    assert not prove(short, Settings(), "fed-alpha-normec").ok


def test_numbers_of_the_hidden_participants():
    noise = float(claim("FED-AMP@sum").witness.values["sigma_1"])
    assert f"constant {noise / long_root():.2f}, " in claim("FED-AMP@sum").reason
    v = claim("FED-AMP@server-noise").gap.shown.values
    assert v["epsilon"] / (v["p"] ** 2 * v["releases"]) > 26_000
    assert "c₁ > 26,000" in claim("FED-AMP@server-noise").reason


def test_a_larger_q_makes_the_datasets_private_in_that_direction():
    witness = claim("DAS-EXP-DP@datasets").against
    assert not replace(witness, values={**witness.values, "q": Fraction(7)}).stands()[0]


def test_choosing_among_one_run_is_no_witness():
    witness = claim("DAS-EXP-DP@best-of-72").against
    assert not replace(witness, values={**witness.values, "runs": Fraction(1)}).stands()[0]


def test_the_laws_of_both_iterates_by_quadrature():
    """DAS-T3-ITERATES: densities of w_1 and w_2 on a grid, from clip(∇f) alone; nothing of the replay."""
    w, std = np.linspace(-1.5, 1.75, 1301), 0.1
    step = w[1] - w[0]
    first = {slope: stats.norm.pdf(w, 1 - min(1, slope), std) for slope in (1.0, 0.75)}
    last = {
        slope: step * stats.norm.pdf(w[:, None], w - np.clip(w, -slope, slope), std) @ density
        for slope, density in first.items()
    }
    had = [step * np.maximum(laws[1.0] - math.e * laws[0.75], 0).sum() for laws in (first, last)]
    stands, replay = claim("DAS-T3-ITERATES").against.stands()
    assert stands
    assert had[0] == pytest.approx(float(replay.lhs), abs=1e-3)
    assert had[1] < 1e-6 < 0.5 < had[0]


def test_iterates_that_do_not_forget_are_no_witness():
    witness = claim("DAS-T3-ITERATES").against
    for changed in ({"eta": Fraction(1, 2)}, {"sigma": Fraction(1, 2)}):
        assert not replace(witness, values={**witness.values, **changed}).stands()[0]


def test_definition_5_in_numbers():
    mu = 1 / math.sqrt(definition5_variance(1.0, 10.0, 1e-5))
    assert gaussian_delta(10.0, mu).lower == pytest.approx(2.3e-5, abs=0.05e-5)
    least = min(tables.definition5_reach(d / 1000) for d in range(850, 950))
    assert least == pytest.approx(3.78686, abs=2e-5)


def test_quoted_theorem_covers_none_of_the_experiments():
    for p in (1.0, 0.5, 0.25, 0.2):
        assert moments_accountant_reach(p, 300, 1e-5) is None
    assert moments_accountant_reach(0.01, 10_000, 1e-5) is not None


def test_quoted_theorem_is_sound_where_it_applies():
    sigma_, p, rounds = 4.0, 0.01, 10_000
    low = moments_accountant_reach(p, rounds, 1e-5)
    assert low is not None
    at = next(
        e
        for e in (low * 1.05**i for i in range(80))
        if moments_accountant(p, sigma_, rounds, e, 1e-5).applies
    )
    assert low <= at
    assert epsilon(Setting("server-noise", "add-remove", rounds, p), sigma_, 1e-5).upper <= at
    assert moments_accountant(0.5, 4.0, 300, 8.0, 1e-5) == MomentsAccountant(True, False, False)


@pytest.mark.parametrize("identifier", ["NEC-C2-DP", "NEC-C2-DP@constant-1"])
@pytest.mark.parametrize("level", [8.0, 1000.0])
def test_how_far_the_closed_form_is_above_the_smallest_noise_is_said(identifier, level):
    mu, log = gaussian_mu(level, 1e-5), math.log(1e5)
    closed = math.sqrt(1 / 2) * (math.sqrt(log) + math.sqrt(log + level)) / level
    (share,) = {round(100 * (1 - 1 / (end * closed))) for end in (mu.lower, mu.upper)}
    assert re.search(rf"\b{share} % (below this )?at ε = {level:g}\b", claim(identifier).repair.weakest)


@pytest.mark.parametrize("p", [1.0, 0.5, 0.25])
def test_one_noise_in_the_sum_may_shrink_as_p_where_the_sentence_says_so(p):
    assert "holds for p = 1/2 and 1/4 here" in claim("FED-AMP@server-noise").reason
    sigma_ = p * float(claim("FED-AMP@server-noise").gap.shown.values["sigma_1"])
    assert epsilon(Setting("server-noise", "replace-one", 300, p), sigma_, 1e-5).upper <= 8


@pytest.mark.parametrize("p", [0.5, 0.25])
def test_what_hiding_the_participants_gains_is_what_the_sentence_says(p):
    """From both sides: the certified noise alone says nothing of how much more is gained."""
    less, more = map(
        float, re.search(r"between p\^([\d.]+) and p\^([\d.]+) here", claim("FED-AMP").consequence).groups()
    )
    everybody = 2 * math.sqrt(300 / 20) / gaussian_mu(8.0, 1e-5).lower
    hidden = Setting("sum", "replace-one", 300, p, 20)
    assert epsilon(hidden, everybody * p**less, 1e-5).upper <= 8
    assert epsilon(hidden, everybody * p**more, 1e-5).lower > 8


@pytest.mark.parametrize("trust", ["messages", "participants", "sum"])
def test_runs_at_different_p_are_not_equally_private_in_the_reading_of_fed_exp_dp(trust):
    assert "in any of the trust models with noise from participants" in claim("FED-EXP-DP").consequence
    found = [
        epsilon(Setting(trust, "replace-one", 300, p, 20), short_root(p), 1e-5) for p in (1.0, 0.5, 0.25)
    ]
    assert all(1.4 * before.upper < after.lower for before, after in itertools.pairwise(found))


def test_every_privacy_claim_of_the_list_is_there_and_the_printed_ones_have_tables():
    ids = {c.id for c in CLAIMS}
    listed = {"NEC-EQ3", "NEC-EQ3-SCALE", "NEC-C2-DP", "NEC-S5-ALPHA", "NEC-EXP-DP", "FED-AMP", "FED-C2-DP",
              "FED-EXP-DP", "DAS-T3", "DAS-DEF5"}  # fmt: skip
    assert listed <= ids
    with_numbers = listed - {"NEC-EQ3-SCALE", "NEC-S5-ALPHA"}
    assert all(claim(identifier).tables for identifier in with_numbers)


def test_a_table_of_readings_has_every_reading_once_and_no_unknown_cell():
    rows = tables.experiment_readings()
    shown = {(row["β"], row["reading"]) for row in rows}
    readings = {reading for _, reading in shown}
    once = {reading for beta, reading in shown if beta == "any"}
    assert len(readings) == 7
    assert len(once) == 4, "where β cancels one row says it all"
    betas = ("0.001", "0.01", "0.1", "1")
    assert shown == {("any", r) for r in once} | {(beta, r) for beta in betas for r in readings - once}
    assert len(rows) == len(shown)
    assert all("unknown" not in cell for row in rows for cell in row.values())


def test_the_readings_range_as_far_as_the_sentence_says():
    cells = [
        float(cell)
        for row in tables.experiment_readings()
        for name, cell in row.items()
        if name.startswith("ε, ")
    ]
    assert "from 0.2 to 10⁷" in claim("NEC-EXP-DP").reason
    assert round(min(cells), 1) == 0.2
    assert float(f"{max(cells):.0e}") == 1e7


def test_the_printed_noise_is_the_closed_form_with_a_smaller_bracket():
    assert alpha_normec_noise(1, 299, 8.0, 1e-5) == pytest.approx(experiment_scale(1.0, 300, 8.0, 1e-5))


@pytest.mark.slow
@pytest.mark.parametrize(
    "identifier", ["NEC-EQ3", "NEC-C2-DP", "NEC-EXP-DP", "FED-AMP", "FED-C2-DP", "FED-EXP-DP", "DAS-T3"]
)
def test_a_claim_of_a_printed_noise_says_where_the_quoted_theorem_applies(identifier: str) -> None:
    assert claim(identifier).rows[tables.QUOTED] == tables.quoted_theorem()


def _tables() -> dict[str, list[tuple[str, object]]]:
    """By the name of a table, which is what stands before the colon of its title: the titles, and the rows."""
    found: dict[str, list[tuple[str, object]]] = {}
    for it in CLAIMS:
        for title, rows in it.rows.items():
            found.setdefault(title.partition(":")[0], []).append((title, rows))
    return found


def test_tables_are_told_apart_by_their_names() -> None:
    for name, same in _tables().items():
        assert all(table == same[0] for table in same), f"two tables are called {name}"


def test_a_table_that_a_text_refers_to_has_a_name() -> None:
    """A reader of the report finds it by its title: those of privacy claims stand in another chapter than the text."""
    names = _tables()
    for it in CLAIMS:
        texts = [it.reason, it.consequence, it.undecided, it.gap.what if it.gap else ""]
        texts += [it.repair.statement, it.repair.condition, it.repair.weakest] if it.repair else []
        for mention in re.finditer(r"\btables?\b(?! \d)( below)?(?: “([^”]+)”)?", "\n".join(texts)):
            if mention[1]:
                assert it.tables, f"{it.id} has no table"
                assert it.kind != "privacy", f"{it.id}: the report prints its table in the chapter on privacy"
            else:
                assert mention[2] in names, f"{it.id} refers to a table without its name"


@pytest.mark.parametrize(("level", "small"), [(10.0, 0.1), (10.0, 1e-5), (1.0, 0.1), (0.1, 0.01)])
@pytest.mark.parametrize(("n", "B"), [(10, 10), (10, 3)])
def test_the_constant_of_equation_3_is_enough(level: float, small: float, n: int, B: int) -> None:
    """σ_DP = √c Φ (B/n) √(K ln(1/δ))/ε on a mean of B messages of norm Φ, whose bound is Φ/B."""
    assert "√c = 3.8 n/B²" in claim("NEC-EQ3").consequence
    noise = 3.8 * n / B**2 * (B / n) * math.sqrt(300 * math.log(1 / small)) / level
    assert epsilon(Setting("messages", "replace-one", 300), B * noise, small).upper <= level
