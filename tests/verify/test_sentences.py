"""Sentences that no theorem carries: their witnesses run by other means, and false neighbours of their steps."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from bounds.dp_normfedavg import theorem4
from bounds.fed_alpha_normec import theorem1
from bounds.fed_alpha_normec.repaired import ONE_STEP
from bounds.statement import Bound, ConditionError
from methods.algebra import advance, initialise
from methods.published import dp_normfedavg
from methods.randomness import Keyed
from verify.catalogue import claim
from verify.claim import Values, Witness
from verify.dp_normfedavg.asymptotics import finite_alpha
from verify.dp_normfedavg.text import remarks as das
from verify.facts import derived
from verify.fed_alpha_normec.text import limits, roundwise, sampled
from verify.obligation import Settings

QUICK = Settings(minimise=False)


def _witness(name: str) -> Witness:
    about = claim(name)
    found = about.witness or (about.gap and about.gap.shown)
    assert isinstance(found, Witness)
    return found


def _with(name: str, **changes: object) -> Witness:
    witness = _witness(name)
    values: Values = {**witness.values, **{key: Fraction(str(value)) for key, value in changes.items()}}
    return replace(witness, values=values)


def _goal(step, relation):
    return replace(step, goal=derived("false neighbour", relation))


FALSE = {
    "3.1: noise above 4N C²": _goal(das.UNLIMITED, das.own_noise > 4 * das.limit * das.C**2),
    "clipping has the better bound up to A = G²/(2L)·3/2": replace(
        finite_alpha.NEVER,
        given=tuple(
            replace(f, relation=2 * finite_alpha.A <= 3 * finite_alpha.v) if "5/4" in f.name else f for f in finite_alpha.NEVER.given
        ),
    ),
    "first term ≥ 13 for 12": _goal(
        limits.NOT_FALLING,
        limits.first * limits.Delta >= 13 * limits.L * limits.sympy.sqrt(2 * limits.L) * limits.gamma * limits.F,
    ),
    "R > 2η/γ without β/(α+R) < 1": replace(
        limits.SHORT, given=tuple(f for f in limits.SHORT.given if f.name != "β/(α + R) < 1")
    ),
    "4(first + 2R)³ ≥ 28 first² · 2R for 27": _goal(
        limits.MEANS, 4 * (limits.first + limits.double) ** 3 >= 28 * limits.first**2 * limits.double
    ),
    "√9 for √10 of gradient descent's rate at any α": _goal(
        limits.ANY_ALPHA.nodes[-1], limits.ro.low <= limits.sympy.sqrt(9 * limits.L * limits.F / (limits.K + 1))
    ),
    "σ_DP ∝ p: B(1) < B(p) where pσ² < 1": _goal(
        roundwise._BY_TEXT, roundwise.sympy.Implies(roundwise.p * roundwise.v < 1, roundwise.fewer(roundwise.TEXT))
    ),
    "σ_DP ∝ p, Theorem 1's B: B(1) < B(p) where pσ² < 1 − p": _goal(
        roundwise._BY_MAIN,
        roundwise.sympy.Implies(
            roundwise.p * roundwise.v < 1 - roundwise.p, roundwise.fewer(roundwise.TEXT, 2 * roundwise.p**2 * roundwise.v)
        ),
    ),
    "B less 2(p − 1)²/p alone is at most B at p = 1": _goal(
        sampled._COMPONENT,
        sampled.b_text(sampled.p, sampled.sigma) - 2 * (sampled.p - 1) ** 2 / sampled.p <= 2 * sampled.sigma**2,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FALSE)
def test_false_neighbour_is_refuted(name: str) -> None:
    assert FALSE[name].discharge(QUICK).status == "refuted"


def test_bounds_at_a_finite_alpha_cross_where_the_claim_says() -> None:
    """Both guarantees on f from the formulas of (2) and (3), common minimiser, over 20,000 settings."""
    rng = np.random.default_rng(0)
    x, gamma, distance = (
        rng.uniform(0.01, 0.5, 20_000),
        rng.exponential(size=20_000),
        rng.exponential(size=20_000),
    )
    clip = theorem4.theorem4a(1.0, 1.0, distance, gamma, x, 1, 1.0, 0.0) / theorem4.factor_a(x, 1, 1.0)
    norm = theorem4.theorem4b(1.0, 1.0, distance, gamma, x, 1, 1.0, 0.0) / theorem4.factor_b(x, 1, 1.0)
    start = theorem4.initialisation(1.0, 1.0, distance, gamma, x)
    assert 0 < (norm < clip).mean() < 1
    assert ((norm < clip) == (start > (2 - x - x**2) / 2)).all()


def test_with_the_term_that_b2_holds_the_bound_of_one_client_stands() -> None:
    v = das.THIRD_AT
    result = das.third(v)
    assert result.holds
    G, L, w0, alpha, rho, K = (v[name] for name in ("G", "L", "w0", "alpha", "rho", "K"))
    whole = theorem4.theorem4b(G, L, w0, K * G * rho**2 / (2 * alpha), rho, Fraction(1), alpha, Fraction(0))
    assert result.rhs < result.lhs <= whole


@pytest.mark.parametrize("alpha", [10**k for k in (6, 9, 20)])
def test_stochastic_gradients_keep_the_gap_for_every_alpha(alpha: int) -> None:
    stands, found = _with("DAS-FN2", alpha=alpha).stands()
    assert stands
    assert found.lhs > Fraction(2, 5)


def test_stochastic_gradients_by_simulation_and_full_gradients_as_control() -> None:
    """The three samples of the witness, 300 runs of 10,000 rounds: drawn samples lead away from w*, the mean gradient to it."""
    rho, gamma, alpha, G = 0.02, 0.1, 20.0, 1.0
    eta, K = rho / (2 * alpha), round(2 * alpha * gamma / (G * rho**2))
    centres, slopes = np.array([-10.0, -10.0, 1.0]), np.array([0.25, 0.25, 1.0])

    def gradient(w: np.ndarray) -> np.ndarray:
        return np.clip(w[:, None] - centres, -slopes, slopes)

    def f(w: np.ndarray) -> np.ndarray:
        size = np.abs(w[:, None] - centres)
        return np.where(size <= slopes, size**2 / 2, slopes * size - slopes**2 / 2).mean(1)

    rng, gap, N = np.random.default_rng(3), {}, 300
    sigma = math.sqrt(K) * G * rho
    for drawn in (True, False):
        w, total = np.full(N, -1.0), np.zeros(N)
        for _ in range(K):
            total += f(w) - f(np.array([0.5]))
            g = gradient(w)
            u = g[np.arange(N), rng.integers(0, 3, N)] if drawn else g.mean(1)
            w = w - eta * (G * np.sign(u) + sigma * rng.normal(size=N))
        gap[drawn] = total.mean() / K, total.std() / K / math.sqrt(N)
    bound = theorem4.theorem4b(G, 1.0, 1.5, gamma, rho, 1, alpha, 0.0) / theorem4.factor_b(rho, 1, alpha)
    assert gap[True][0] - 6 * gap[True][1] > bound
    assert gap[False][0] + 6 * gap[False][1] < bound


def test_noise_against_a_unit_message_is_what_the_method_sends() -> None:
    """Four clients with one update, K = 50: the mean square of a round's noise is Kρ²C² and does not see how small u is."""
    rho, K, C, d, runs = 0.3, 50, 2.0, 3, 4000
    method = dp_normfedavg(0.1, 0.1, C, 1, math.sqrt(K / d) * C * rho)
    sent = {}
    for size in (1.0, 1e-9):
        state = initialise(method, np.full((runs, d), size), clients=4)
        after, _ = advance(method, state, lambda x: x, Keyed(np.arange(runs)))
        plain = np.full(d, size) - 0.1 * C / math.sqrt(d)
        sent[size] = np.square((after.x - plain) / 0.1).sum(-1)
    for found in sent.values():
        assert abs(found.mean() - K * rho**2 * C**2) < 6 * found.std() / math.sqrt(runs)


def test_best_printed_rate_is_the_third_root() -> None:
    """The least bound over a grid of η, γ and R at their limits: 243 is attained, 1/√(K+1) is not."""
    for n in (1e6, 1e12):
        eta = 10 ** np.linspace(-math.log10(n), 0, 20_001)
        gamma = np.minimum(1, 0.5 / (n * eta))
        least = (3 / (n * eta) + 4 * eta / gamma).min()
        assert least**3 * 0.5 * n == pytest.approx(243, rel=1e-4)


@pytest.mark.parametrize("alpha", [1e-6, 0.3, 50.0])
def test_one_local_step_has_the_rate_of_gradient_descent_for_every_alpha(alpha: float) -> None:
    """The choice of FED-T1-GD meets FED-R1's conditions, and FED-R1 is then √5 times gradient descent's bound."""
    gap, L, K = 0.7, 3.0, 99
    eta = math.sqrt(2 * gap / (5 * L * (K + 1)))
    R = L * eta
    chosen = {"beta": alpha + R, "eta": eta, "R": R, "alpha": alpha, "L": L}
    given = {"f_gap": gap, "K": K, "M": 1, "p": 1.0, "V": 0.0, **chosen}
    nearly = {**given, "eta": eta * (1 - 1e-12)}  # the condition on η is met with equality, up to rounding
    assert all(condition.holds(nearly) for condition in ONE_STEP.conditions)
    found = ONE_STEP.formula(**{name: given[name] for name in inspect.signature(ONE_STEP.formula).parameters})
    assert found == pytest.approx(math.sqrt(5) * math.sqrt(2 * L * gap / (K + 1)), rel=1e-12)


@pytest.mark.parametrize(
    "change",
    [
        {"R": 4},  # then the memories that the two data sets allow overlap
        {"alpha": 2},  # the step of F.4 is too long for F.2
        {"K": 2**30 - 1, "D_1": 32, "alpha": 31},  # so many rounds break the condition on ηγ
    ],
    ids=lambda change: next(iter(change)),
)
def test_the_first_release_needs_its_numbers(change: dict[str, int]) -> None:
    assert _with("FED-INIT").stands()[0]
    assert not _with("FED-INIT", **change).stands()[0]


@pytest.mark.parametrize("identifier", ["FED-T2@per-coordinate", "FED-T2@outside,per-coordinate"])
@pytest.mark.parametrize(
    "change",
    [
        {"d": 200, "h": 10},  # the noise is no longer than the gradient
        {"sigma": 1},  # the printed noise term alone makes the bound large
        {"K": 99},  # the bound of so few rounds is above ‖∇f(x⁰)‖
        {"c": 10},  # the drift alone does
        {"c": "1/1000"},  # the condition on ηγ fails
    ],
    ids=lambda change: " ".join(map(str, change.values())),
)
def test_noise_per_coordinate_breaks_theorem_2_with_its_numbers_alone(
    identifier: str, change: dict[str, object]
) -> None:
    assert _with(identifier).stands()[0]
    assert not _with(identifier, **change).stands()[0]


def test_output_on_a_gentle_slope_keeps_the_bound() -> None:
    """Without the cliff's length the last gradient obeys the bound: a short climb of ten rounds does not break it."""
    assert not _with("FED-ALG1@output", cliff=10).stands()[0]


@pytest.mark.parametrize(
    "bound", [theorem1.MAIN, theorem1.TEXT, theorem1.APPENDIX, theorem1.APPENDIX_OUTSIDE]
)
def test_one_beta_is_best_inside_the_conditions_of_each_version(bound: Bound) -> None:
    """FED-EXP-OPTIMUM: η at its limit, σ_DP = 3pβ; the bound refuses what its own conditions do not allow."""
    numbers = {
        "f_gap": 0.01,
        "K": 99,
        "R": 2.0,
        "alpha": 1.0,
        "M": 4,
        "p": 0.25,
        "gamma": 0.25,
        "T": 1,
        "L": 1.0,
        "Delta": 500.0,
    }
    (step,) = (c for c in bound.conditions if c.variable == "eta" and c.printed.startswith("η ≤"))
    found = []
    for beta in np.geomspace(1e-4, 2.9, 60):
        at = {**numbers, "beta": beta, "sigma": 3 * 0.25 * beta}
        found.append(bound(**at, eta=step.bound(at)))
        with pytest.raises(ConditionError):
            bound(**at, eta=1.01 * step.bound(at))
    assert 0 < (least := np.argmin(found)) < 59
    assert (np.diff(found[: least + 1]) < 0).all()
    assert (np.diff(found[least:]) > 0).all()


@pytest.mark.parametrize(
    ("beta", "broken"),
    [("1/1000", False), ("1/100", False), ("80/1000", False), ("81/1000", True), ("1/10", True)],
)
def test_round_wise_sentence_by_beta(beta: str, broken: bool) -> None:
    assert _with("FED-EXP-ROUNDWISE", beta=beta).stands()[0] is broken


@pytest.mark.parametrize(
    ("identifier", "full", "said"),
    [
        ("FED-EXP-ROUNDWISE", 300 * (0.1 * math.log(1e5) / 8) ** 2, ("12.4 at p = 1", "7.6 at p = 0.25")),
        (
            "FED-EXP-ROUNDWISE@per-coordinate",
            269_722 * 300 * (0.001 * math.log(1e5) / 8) ** 2,
            ("335 at p = 1", "88 at p = 0.25"),
        ),
        (
            "FED-EXP-ROUNDWISE@section4",
            300 * math.log(1e5) / 64,
            ("or 107.9 at p = 1", "or 31.5 at p = 0.25"),
        ),
        ("FED-EXP-ROUNDWISE@section4", 300 * math.log(1e5) / 8, ("B is 863.5", "220.4 or")),
        (
            "FED-EXP-ROUNDWISE@section4",
            0.3165**2 * 300 * math.log(1e5) / 64,
            ("10.8 against", "7.2 with"),
        ),
    ],
)
def test_the_two_b_of_the_round_wise_sentences(identifier: str, full: float, said: tuple[str, str]) -> None:
    """Section 4's B from its formula, `full` being σ_DP² at p = 1."""
    text = f"{claim(identifier).reason} {_witness(identifier).problem}"
    for p, words in zip((1.0, 0.25), said, strict=True):
        number = re.findall(r"[\d.]+\d", words)[0]
        assert words in text
        assert f"{theorem1.b_text(p, p * math.sqrt(full)):.{len(number.partition('.')[2])}f}" == number


@pytest.mark.parametrize(
    ("identifier", "full", "words"),
    [
        ("FED-EXP-ROUNDWISE", 300 * (0.1 * math.log(1e5) / 8) ** 2, "F.2's 9.1"),
        (
            "FED-EXP-ROUNDWISE@per-coordinate",
            269_722 * 300 * (0.001 * math.log(1e5) / 8) ** 2,
            "F.2's B is 89.8",
        ),
        ("FED-EXP-ROUNDWISE@section4", 0.3165**2 * 300 * math.log(1e5) / 64, "8.7 with F.2's B"),
    ],
)
def test_the_largest_b_at_a_quarter_is_that_of_f2(identifier: str, full: float, words: str) -> None:
    """F.2's B from its formula: what the witnesses compare with, and no less than the other two."""
    largest = theorem1.b_appendix(0.25, 0.25 * math.sqrt(full))
    assert words in f"{claim(identifier).reason} {_witness(identifier).problem}"
    assert f"{largest:.1f}" == re.findall(r"\d+\.\d", words.replace("F.2", ""))[0]
    assert largest >= max(b(0.25, 0.25 * math.sqrt(full)) for b in (theorem1.b_text, theorem1.b_main))


@pytest.mark.parametrize(
    ("b", "words"),
    [(theorem1.b_text, "4.77 at"), (theorem1.b_main, "4.57, F.2"), (theorem1.b_appendix, "F.2's 6.27")],
)
def test_round_wise_sentence_holds_at_each_beta_with_the_long_root(
    b: Callable[[float, float], float], words: str
) -> None:
    """The three B from their formulas, at σ_DP = pβ√(K log(1/δ))/ε; the numbers said are those at β = 0.1."""
    full = {beta: beta * math.sqrt(300 * math.log(1e5)) / 8 for beta in (0.001, 0.01, 0.1)}
    assert all(b(1.0, sigma) < b(0.25, 0.25 * sigma) for sigma in full.values())
    reason = claim("FED-EXP-ROUNDWISE@long-root").reason
    assert words in reason
    assert f"{b(0.25, 0.25 * full[0.1]):.2f}" == re.findall(r"\d\.\d\d", words)[0]
    assert f"{b(1.0, full[0.1]):.2f} at p = 1" in reason


@pytest.mark.parametrize(
    ("b", "words"),
    [(theorem1.b_text, "6.66 at"), (theorem1.b_main, "5.04, F.2"), (theorem1.b_appendix, "F.2's 8.16")],
)
def test_round_wise_sentence_fails_at_the_largest_beta_alone_with_the_root_of_section_4(
    b: Callable[[float, float], float], words: str
) -> None:
    """The three B from their formulas, at σ_DP = pβ√(K log(1/δ)/ε)."""
    full = {beta: beta * math.sqrt(300 * math.log(1e5) / 8) for beta in (0.001, 0.01, 0.1)}
    assert [b(1.0, sigma) < b(0.25, 0.25 * sigma) for sigma in full.values()] == [True, True, False]
    reason = claim("FED-EXP-ROUNDWISE@whole-root").reason
    assert words in reason
    assert f"{b(0.25, 0.25 * full[0.1]):.2f}" == re.findall(r"\d\.\d\d", words)[0]
    assert f"{b(1.0, full[0.1]):.2f} at p = 1" in reason
    for beta in ("1/1000", "1/100"):
        assert not _with("FED-EXP-ROUNDWISE@whole-root", beta=beta).stands()[0]


@pytest.mark.parametrize(
    ("b", "long", "short", "whole"),
    [
        (theorem1.b_text, 0.235, 0.069, 0.083),
        (theorem1.b_appendix, 0.272, 0.08, 0.096),
        (theorem1.b_main, 0.21, 0.062, 0.074),
    ],
)
def test_below_which_beta_full_participation_wins_by_each_end_of_the_root(
    b: Callable[[float, float], float], long: float, short: float, whole: float
) -> None:
    """The thresholds of the repair, to a thousandth."""
    repair = claim("FED-EXP-ROUNDWISE").repair
    assert repair is not None
    assert all(f"{edge:g}" in repair.statement for edge in (long, short, whole))

    def wins(beta: float, rest: float) -> bool:
        sigma = beta * math.sqrt(300) * rest
        return b(1.0, sigma) < b(0.25, 0.25 * sigma)

    log = math.log(1e5)
    for edge, rest in ((long, math.sqrt(log) / 8), (short, log / 8), (whole, math.sqrt(log / 8))):
        assert wins(edge, rest)
        assert not wins(edge + 0.001, rest)


@pytest.mark.parametrize("ends", ["K", "K log(1/δ)", "K log(1/δ)/ε"])
def test_round_wise_sentence_with_noise_per_coordinate_fails_wherever_the_root_ends(ends: str) -> None:
    log = math.log(1e5)
    rest = {"K": log / 8, "K log(1/δ)": math.sqrt(log) / 8, "K log(1/δ)/ε": math.sqrt(log / 8)}[ends]
    sigma = math.sqrt(269_722 * 300) * 0.001 * rest
    found = [b(0.25, 0.25 * sigma) for b in (theorem1.b_text, theorem1.b_main, theorem1.b_appendix)]
    assert 2 * sigma**2 > max(found)
    variance = 269_722 * 0.001 * math.sqrt(300) * rest
    full, part = (theorem1.b_main(p, math.sqrt(p * variance)) for p in (1.0, 0.25))
    assert full > part
    if ends == "K log(1/δ)":  # the least noise
        said = claim("FED-EXP-ROUNDWISE@per-coordinate").reason
        assert f"{2 * sigma**2:.1f} against {max(found):.1f}" in said
        assert f"{full:,.0f} and {part:.0f}" in claim("FED-EXP-ROUNDWISE@variance,theorem1").reason


def test_round_wise_sentence_with_noise_per_coordinate_holds_at_no_printed_beta() -> None:
    for beta in ("1/1000", "1/100", "1/10"):
        assert _with("FED-EXP-ROUNDWISE@per-coordinate", beta=beta).stands()[0]
    assert not _with("FED-EXP-ROUNDWISE@per-coordinate", beta="13/100000").stands()[0]


@pytest.mark.parametrize(
    ("identifier", "change"),
    [
        ("FED-C1-EXTRA", {"sigma": 0}),  # no noise: nothing is left at p = 1
        ("FED-C2-COUNT", {"B": 2}),  # everybody
        ("FED-T1-ONE@guarantees", {"q": 10**5}),  # more than (K+1)^(1/6)
        ("FED-T1-ONE@guarantees", {"c": 0}),  # equal clients: not a case of Theorem 1
        ("FED-T1-ONE@guarantees", {"eta": "1/500000000000"}),  # longer than α-NormEC allows
        ("FED-EXP-COND", {"server": 1}),  # where line 12 changes nothing
        ("FED-EXP-COND@smooth", {"h": "1/1000"}),  # far enough from the kink for this L
        (
            "FED-AMP@sum",
            {"p": "3/4", "N_1": 190, "N_2": 260, "t": 260, "m_1": 4000, "m_2": 4500},
        ),  # hardly less noise
        ("FED-EXP-DP@variance", {"beta": "1/100"}),  # where it is enough
        ("FED-EXP-DP@best-of-3", {"runs": 1}),  # nothing is chosen
        ("FED-C2-DP@step-size", {"far": 59}),  # one data set
        ("FED-C2-DP@step-size", {"wide": 49}),  # Δ^inf too small for this γ
        ("FED-C2-DP@initial-memory", {"gamma": "1/5"}),  # Δ^inf too small for this γ
        ("FED-C2-DP@initial-memory", {"b": 2}),  # f(x⁰) − f^inf, and with it β̂, is another
        ("FED-C2-DP@initial-memory", {"b": 1}),  # one data set
        ("FED-C2-DP@full-participation,section4", {"c": 30}),  # enough noise at this δ
        ("FED-EXP-DP@std-before-beta", {"beta": 1}),  # where it is enough
        ("FED-EXP-ROUNDWISE@variance,theorem1", {"d": 1}),  # little noise
        ("FED-AMP", {"releases": 10**12}),  # outside the cited theorem: p > 1/(16σ)
    ],
)
def test_the_witness_needs_its_values(identifier: str, change: dict[str, object]) -> None:
    assert _witness(identifier).stands()[0]
    assert not _with(identifier, **change).stands()[0]


def test_a_pass_of_incremental_gradients_saves_against_two_local_steps() -> None:
    gap = claim("FED-S1-IG").gap
    assert gap is not None
    assert isinstance(gap.shown, Witness)
    assert gap.shown.stands()[0]
    assert not replace(gap.shown, values={**gap.shown.values, "T": Fraction(2)}).stands()[0]
