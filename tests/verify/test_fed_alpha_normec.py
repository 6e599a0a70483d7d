"""The exact runs behind the verdicts on Fed-α-NormEC, checked in other ways."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bounds.fed_alpha_normec import theorem1
from methods.algebra import advance as step
from methods.algebra import initialise
from methods.published import fed_alpha_normec
from methods.randomness import Keyed
from verify.catalogue import claim
from verify.curves import Quadratic, curve, dip, mean, with_dips
from verify.facts import hypothesis
from verify.fed_alpha_normec.claims import CLAIMS
from verify.fed_alpha_normec.corollaries import compared
from verify.fed_alpha_normec.corollaries.choices import STUCK, STUCK_8
from verify.fed_alpha_normec.counterexamples import schedules
from verify.fed_alpha_normec.counterexamples.exact import advance, begin, update
from verify.fed_alpha_normec.counterexamples.problems import Trapped
from verify.fed_alpha_normec.lemmas import noise
from verify.fed_alpha_normec.letters import PARTICIPATION, p
from verify.fed_alpha_normec.ours import several
from verify.fed_alpha_normec.text import introduction
from verify.fed_alpha_normec.theorems import repairs
from verify.fed_alpha_normec.theorems.theorem1 import NUMBERS, trapped
from verify.obligation import Settings, discharge, obligation

PRINTED = [
    "A1",
    "ALG1",
    "T1-MAIN",
    "T1-TEXT",
    "T1-APP",
    "T1-S1",
    "T1-S2",
    "T1-S3",
    "T1-S4",
    "T1-S5",
    "T1-S6",
    "T1-S7",
    "T1-S8",
    "T1-S9",
    "T1-UNITS",
    "T1-ETA",
    "T1-VAC",
    "T1-ONE",
    "T1-SAME",
    "C1-MAIN",
    "C1-APP",
    "C1-RATE",
    "C1-P",
    "C2-UTIL",
    "C2-BETTER",
    "F5-S1",
    "F5-S2",
    "F5-S3",
    "F5-S4",
    "F5-S5",
    "F5-S6",
    "F5-S7",
    "F5-S8",
    "F5-S9",
    "C3",
    "C4",
    "L1-i",
    "L1-ii",
    "L2",
    "L2-S1",
    "L3",
    "L3-S1",
    "L4",
    "L5",
    "L5-S1",
    "L5-S2",
    "L6",
    "L7-1",
    "L7-2",
    "L7-3",
    "L7-4",
    "L7-5",
    "L8",
    "L9-1",
    "L9-2",
    "L9-3",
    "L9-4",
    "T2",
    "T2-S1",
    "T2-S9",
    "C5",
    "C6",
    "DEF-DELTA",
    "INIT",
    "EXP-ROUNDWISE",
    "EXP-COND",
    "EXP-COMM",
]
WITNESSES = [claim for claim in CLAIMS if claim.witness is not None]


@pytest.mark.parametrize("name", PRINTED)
def test_every_listed_statement_is_a_claim(name: str) -> None:
    assert f"FED-{name}" in {claim.id for claim in CLAIMS}


@pytest.mark.parametrize("claim", WITNESSES, ids=lambda claim: claim.id)
def test_witness_satisfies_every_hypothesis_and_breaks_the_conclusion(claim) -> None:
    stands, result = claim.witness.stands()
    assert stands, f"{claim.id}: {result}"
    assert type(result.lhs) is Fraction
    assert type(result.rhs) is Fraction


def test_the_trap_is_a_cycle_of_two_rounds_for_every_k() -> None:
    t = Trapped(NUMBERS)
    states = t.rounds(6)
    assert [s.x for s in states[::2]] == [t.start.x] * 4
    assert all(s.v[2] == -s.v[3] for s in states)
    assert t.smallest() / NUMBERS["unit"] > Fraction(74, 100)


def test_the_trap_needs_the_wrong_unit() -> None:
    """In larger units of f the printed condition on ηγ fails, and with √Δ^inf it fails in every unit."""
    replay = trapped(theorem1.MAIN)
    larger = {**NUMBERS, "unit": Fraction(2)}
    assert dict(replay(larger).presupposed)[theorem1.ROUNDS.printed] is False
    for unit in (Fraction(2), Fraction(2 * 10**14), Fraction(2 * 10**30)):
        t = Trapped({**NUMBERS, "unit": unit})
        allowed = t.Delta / (32 * t.L**3) / (t.K + 1) ** 2
        assert (t.eta * t.gamma) ** 2 > allowed


@pytest.mark.parametrize(
    "neighbour",
    [
        repairs.low_start(repairs.LOW + 1, repairs.ENOUGH),
        repairs.units(repairs.FACTOR * sympy.Rational(101, 100), "more", repairs.ENOUGH),
        repairs.low_start(16, repairs.ENOUGH_IG, several.SPREAD_LOCAL),
        repairs.units(
            repairs.FACTOR_IG * sympy.Rational(101, 100), "more", repairs.ENOUGH_IG, several.SPREAD_LOCAL
        ),
        repairs.low_start(36, repairs.ENOUGH_OWN, several.SPREAD_LOCAL),
        repairs.units(
            repairs.FACTOR_OWN * sympy.Rational(101, 100),
            "more",
            repairs.ENOUGH_OWN,
            several.SPREAD_LOCAL,
        ),
        repairs.low_start(17, repairs.ENOUGH_OWN, repairs.OWN_POSITIVE),
        repairs.units(
            repairs.FACTOR_ANY * sympy.Rational(101, 100), "more", repairs.ENOUGH_OWN, repairs.OWN_POSITIVE
        ),
    ],
    ids=[
        "64Δ^inf for 63",
        "255 · 1.01",
        "16Δ^inf for 15",
        "63 · 1.01",
        "36Δ^inf for 35, passes",
        "95 · 1.01",
        "17Δ^inf for 16, passes, any mean",
        "64 · 1.01",
    ],
)
def test_what_the_repaired_condition_allows_is_all_that_it_allows(neighbour) -> None:
    assert neighbour.discharge(Settings(minimise=False)).status == "refuted"


def test_the_trap_holds_from_other_starts_in_the_code_that_trains() -> None:
    """methods/ in float64, 2,000 rounds from a start and memories off the cycle: the gradient stays above 0.7."""
    t = Trapped({**NUMBERS, "unit": Fraction(1)})
    knots = [np.array([float(a) for a in f.knots]) for f in t.f]
    slopes = [np.array([float(b) for b in f.slopes]) for f in t.f]

    def gradients(points: np.ndarray) -> np.ndarray:
        return np.array([[np.interp(x[0], a, b)] for x, a, b in zip(points, knots, slopes, strict=True)])

    method = fed_alpha_normec(eta=float(t.eta), gamma=float(t.gamma), beta=0.1, alpha=0.1, T=2)
    state = initialise(method, np.array([0.01]), 4, memories=np.array([[13.95], [-14.05], [0.1], [-0.1]]))
    for _ in range(2000):
        state, _ = step(method, state, gradients, Keyed(0))
        assert abs(gradients(np.broadcast_to(state.x, (4, 1))).mean()) > 0.7


@settings(max_examples=25, deadline=None)
@given(
    x=st.fractions(-3, 3, max_denominator=8), v=st.lists(st.fractions(-2, 2, max_denominator=8), min_size=3, max_size=3),
    T=st.integers(1, 3),
)  # fmt: skip
def test_exact_run_agrees_with_methods(x: Fraction, v: list[Fraction], T: int) -> None:
    """Two implementations, nothing shared: fractions here, arrays there, three rounds."""
    centres, curvatures = (
        (Fraction(-1), Fraction(1, 2), Fraction(2)),
        (Fraction(1), Fraction(1, 2), Fraction(3, 4)),
    )
    parts = [Quadratic(a, c) for a, c in zip(curvatures, centres, strict=True)]
    a, b, g, e = Fraction(1, 3), Fraction(1, 2), Fraction(1, 4), Fraction(1, 8)
    state = begin(x, v)
    method = fed_alpha_normec(eta=float(e), gamma=float(g), beta=float(b), alpha=float(a), T=T)
    array = initialise(method, np.array([float(x)]), 3, memories=np.array([[float(m)] for m in v]))

    def gradients(points: np.ndarray) -> np.ndarray:
        return np.array([[float(k)] for k in curvatures]) * (points - np.array([[float(c)] for c in centres]))

    for k in range(3):
        state = advance([[f] * T for f in parts], state, a, b, g, e)  # type: ignore[list-item]
        assume(abs(state.server) > Fraction(1, 10**9))  # its sign decides the step
        array, _ = step(method, array, gradients, Keyed(0))
        np.testing.assert_allclose(array.x, [float(state.x)], atol=1e-12, err_msg=f"round {k}")


@settings(max_examples=200)
@given(
    alpha=st.fractions("1/20", 4, max_denominator=20), R=st.fractions("1/20", 4, max_denominator=20),
    share=st.fractions("1/10", 1, max_denominator=20), start=st.fractions(0, 1, max_denominator=20),
    drifts=st.lists(st.fractions(-1, 1, max_denominator=20), min_size=5, max_size=5),
)  # fmt: skip
def test_residual_after_the_memory_step_never_leaves_the_ball(alpha, R, share, start, drifts) -> None:
    """FED-L1-INV on the line, with β up to α + R + 2√(αR) (from below) and every drift that is allowed."""
    beta = share * (alpha + R + 2 * Fraction(int((alpha * R) ** 0.5 * 1000), 1000))
    r = start * R
    for drift in drifts:
        w = r - beta * r / (alpha + abs(r))
        assert abs(w) <= R
        r = w + drift * beta * R / (alpha + R)


def test_dips_leave_the_mean_and_lower_every_infimum() -> None:
    flat = curve((0, 0), (1, 0))
    parts = with_dips([flat, flat, flat], (-10, -20, -30), Fraction(1, 2))
    assert all(mean(parts).gradient(Fraction(x)) == 0 for x in range(-40, 5))
    assert [f.infimum for f in parts] == [Fraction(-1, 2)] * 3
    assert dip(0, 1).smoothness == 1


@pytest.mark.parametrize(
    ("numbers", "replay"), [(STUCK, schedules.alternating1), (STUCK_8, schedules.alternating3)]
)
def test_a_small_d2_is_no_witness(numbers, replay) -> None:
    """Within D₂ < α + D₁ the memories do not overshoot, so that the same replay does not stand."""
    result = replay({**numbers, "D_2": Fraction(1)})
    assert not dict(result.presupposed)["v̂ has the wrong sign in every second round"]


def test_update_of_one_step_is_the_gradient() -> None:
    f = Quadratic(Fraction(2), Fraction(1))
    assert update([f], Fraction(3), Fraction(1, 7)) == f.gradient(Fraction(3))  # type: ignore[list-item]


def _scales(**changes: object):
    numbers = compared.values(**{**compared._APART, "p": 1, **changes})
    return compared._own_scales(numbers)


def test_the_ratio_of_the_two_utility_bounds_grows_with_alpha() -> None:
    """α = R = ⁴√(d log(1/δ)/(Mε²)) = 10^k: the two bounds stay apart by more than α/10 and less than α."""
    for k in (2, 3, 4):
        numbers = {"alpha": 10**k, "d": 16 * 10 ** (4 * k), "beta_0": Fraction(1, 10**k)}
        assert not _scales(**numbers, q=10 ** (k - 1)).holds
        assert _scales(**numbers, q=10**k).holds


def test_the_two_utility_bounds_agree_up_to_a_constant_where_alpha_is_small() -> None:
    small = _scales(alpha=1, d=16, beta_0=Fraction(1, 2), Delta_inf=100, q=1)
    assert small.holds


def test_only_swapped_do_the_titles_name_what_is_said_of_the_works() -> None:
    assert introduction._named(introduction.SAID) == 0
    assert introduction._named(introduction.SWAPPED) == 2


def test_that_the_error_of_a_round_has_mean_zero_is_shown_from_how_q_is_drawn() -> None:
    repair = claim("FED-L3-S1").repair
    assert repair is not None
    assert not {noise.INDEPENDENT, noise.UNCORRELATED} & set(repair.proof.assumptions)
    without_weight = hypothesis(
        "q is 1 with probability p",
        sympy.Eq(noise.before, p * (0 - noise.before_noise) + (1 - p) * noise.before_step),
    )
    wrong = obligation(
        "mean zero", (PARTICIPATION, without_weight, noise.CENTRED), noise.UNCORRELATED.relation
    )
    assert discharge(wrong, Settings()).status == "refuted"


def test_lemma_5_with_a_negative_b_1_holds_for_some_k_and_fails_for_others() -> None:
    """Constant W is the worst case: r = 1 + b₁γ² in (0, 1), n = K + 1; and the same in a run at equality."""

    def fails(r: float, n: int) -> bool:
        return n * (1 - r) * r**n > (1 - r**n) * np.exp((r - 1) * n)

    assert fails(0.95, 2)
    assert fails(0.6, 2)
    assert not any(fails(0.5, n) for n in range(1, 401))
    for r, n in ((0.95, 2), (0.5, 2), (0.5, 4), (0.51, 4)):
        powers = sum(r**k for k in range(n))
        W = r**n / powers  # V⁰ = b₂γ = 1, b₃ = 0: the W at which V falls to 0 after n rounds
        V = 1.0
        for _ in range(n):
            V = r * V - W
        assert V == pytest.approx(0, abs=1e-12)
        assert (W > np.exp((r - 1) * n) / n) == fails(r, n)


def test_an_even_power_of_1_plus_x_stays_below_the_exponential_down_to_where_the_weakest_condition_says() -> (
    None
):
    x = np.linspace(-3, 0, 300_001)
    below = (1 + x) ** 2 <= np.exp(2 * x)
    assert x[below].min() == pytest.approx(-1.278, abs=1e-3)
    assert ((1 + x) ** 3 <= np.exp(3 * x)).all()
