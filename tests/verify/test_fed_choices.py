"""What the corollaries of Fed-α-NormEC choose, checked in other ways than by their claims."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest
import sympy

from bounds.fed_alpha_normec import corollaries, forgets, repaired
from bounds.fed_alpha_normec.repaired import second_moment
from bounds.fed_alpha_normec.theorem1 import b_appendix
from bounds.fed_alpha_normec.theorem2 import THEOREM2
from verify.catalogue import claim
from verify.claim import Witness
from verify.fed_alpha_normec.corollaries import gentle, spared
from verify.fed_alpha_normec.corollaries.utility import FOURTH
from verify.fed_alpha_normec.counterexamples.steady import NUMBERS, Steady
from verify.fed_alpha_normec.lemmas import lemma1, local_gradient_close
from verify.fed_alpha_normec.ours import falling_alpha, rounds
from verify.fractions_check import holds
from verify.obligation import Obligation, Settings, obligation
from verify.prove import prove


def _witness(identifier: str) -> Witness:
    found = claim(identifier).witness
    assert found is not None
    return found


@pytest.mark.parametrize(
    "identifier", ["FED-C1-MAIN", "FED-C3", "FED-C5", "FED-C3@theorem1", "FED-C5@theorem1"]
)
def test_a_witness_in_the_setting_of_the_theorem_keeps_its_condition_on_beta(identifier: str) -> None:
    """ "Under the same setting as Theorem 1" is printed: a corollary falls inside it, or it does not fall."""
    met = [text.replace(" ", "") for text, _ in _witness(identifier).stands()[1].presupposed]
    assert "β/(α+R)<1" in met


@pytest.mark.parametrize("identifier", ["FED-C1-APP@large-D2", "FED-C3@large-D2", "FED-C5@large-D2"])
def test_without_that_condition_the_choices_alone_fail(identifier: str) -> None:
    numbers = _witness(identifier).values
    D_1, D_2, alpha, n = (float(numbers[name]) for name in ("D_1", "D_2", "alpha", "K"))
    R, beta = (
        (n + 1) ** (1 / 6 if "C1" in identifier else 1 / 8),
        (n + 1) ** (2 / 3 if "C1" in identifier else 5 / 8),
    )
    assert D_2 / beta > alpha + D_1 / R


def test_the_drift_of_theorem_2_at_the_steps_of_corollary_5() -> None:
    """γ = 1/(2Lz) makes 4√(2L)/z and 2√(2L)/z of its two constants 8 and 4, half of what Corollary 5 prints."""
    L, z = 3.0, 2.0
    given = {
        "f_gap": 1.0, "K": 9, "eta": 0.1, "R": 1.0, "beta": 0.5, "M": 4, "p": 1.0, "sigma": 0.0, "gamma": 1 / (2 * L * z), "L": L,
    }  # fmt: skip

    def at(**spread: float) -> float:
        return THEOREM2.formula(**given, **spread)

    root = math.sqrt(2 * L)
    assert at(Delta=4.0, Delta_local=1.0) - at(Delta=1.0, Delta_local=1.0) == pytest.approx(4 * root / z)
    assert at(Delta=1.0, Delta_local=4.0) - at(Delta=1.0, Delta_local=1.0) == pytest.approx(2 * root / z)


@pytest.mark.parametrize(("rounds", "holds"), [(1, False), (2, False), (3, True)])
def test_feedback_of_the_utility_corollaries_holds_from_some_round_on(rounds: int, holds: bool) -> None:
    """β̂ = 2, α + R = 1: the first K with β̂/(K+1) < α + R is 2, as √3/(2C⁴√d √(B₂/M)) = 2 at C = √3, B₂/M = 1/16 says."""
    found = _witness("FED-C4@feedback")
    numbers = {**found.values, "K": Fraction(rounds - 1)}
    assert found.replay(numbers).holds is holds
    assert (rounds > math.sqrt(3) / (2 * math.sqrt(3) * 0.25)) is holds


@pytest.mark.parametrize(("rounds", "holds"), [(4, False), (5, True)])
def test_with_the_printed_square_root_it_holds_later(rounds: int, holds: bool) -> None:
    """β̂ = 4, α + R = 1: √3/(2C⁴√d (B₂/M)^(3/4)) = 4 at C = √3, B₂/M = 1/16."""
    found = _witness("FED-C4@feedback,square-root")
    comparison = found.replay({**found.values, "K": Fraction(rounds - 1)})
    assert comparison.holds is holds
    assert all(true for _, true in comparison.presupposed)
    assert (rounds > math.sqrt(3) / (2 * math.sqrt(3) * (1 / 16) ** 0.75)) is holds


@pytest.mark.parametrize(("rounds", "holds"), [(8, False), (9, True)])
def test_with_section_4s_square_roots_it_holds_later_still(rounds: int, holds: bool) -> None:
    """β̂ = 4, α + R = 1/2: √3/(2C√d B₂/M) = 8 at C = √3, B₂/M = 1/16."""
    found = _witness("FED-C2-UTIL@feedback,square-root")
    comparison = found.replay({**found.values, "K": Fraction(rounds - 1)})
    assert comparison.holds is holds
    assert all(true for _, true in comparison.presupposed)
    assert (rounds > math.sqrt(3) / (2 * math.sqrt(3) / 16)) is holds


def test_the_two_limits_of_corollary_4_agree_at_one_round() -> None:
    """K = 0: the limit on γ with β is that with β̂, which the witness does not keep."""
    found = _witness("FED-C4-S5@obtained")
    assert found.stands()[0]
    met = dict(found.replay({**found.values, "n": Fraction(1)}).presupposed)
    assert not met["γ < Δ^inf(α+R)/(√(2L)βR)"]


@pytest.mark.parametrize(
    ("of", "factor"),
    [
        (spared.GRADIENT, spared.FACTOR_3),
        (spared.PASSES, spared.FACTOR_5),
        (spared.PASSES_ANY, sympy.Integer(128)),
        (spared.LEMMA_8, spared.FACTOR_LEMMA_8),
    ],
    ids=["3", "5", "5, any mean", "5, Lemma 8"],
)
def test_a_longer_step_of_corollaries_3_and_5_is_not_covered(of: spared.Drift, factor: sympy.Expr) -> None:
    """η̂ ≤ c√Δ^inf/(2√(2L)) gives the condition at that c, and at no larger one."""
    assert of.units(factor, "c").discharge(Settings()).status == "proved"
    assert of.units(factor + sympy.Rational(1, 10), "c").discharge(Settings()).status != "proved"


def test_a_longer_step_does_not_leave_the_smaller_drift_to_the_first_term() -> None:
    """FED-C5-DRIFT: η̂ ≤ 8√((1/M) Σ Δ_i^inf)/(2√(2L)) is enough, and with 9 for 8 it is not: at F near 0, Δ_i^inf = 1."""
    assert spared.own_units(sympy.Integer(8)).discharge(Settings()).status == "proved"
    assert spared.own_units(sympy.Integer(9)).discharge(Settings()).status != "proved"
    draw = random.Random(9)
    for _ in range(20_000):
        F, own = 10 ** draw.uniform(-9, 9), 10 ** draw.uniform(-9, 9)
        hat = 8 * math.sqrt(own) / (2 * math.sqrt(2)) * draw.choice([1, draw.uniform(0, 1)])
        assert F / hat + math.sqrt(2 * (F + own)) <= (3 * F / hat + math.sqrt(2 * own)) * (1 + 1e-12)
    F, hat = 1e-6, 9 / (2 * math.sqrt(2))
    assert F / hat + math.sqrt(2 * (F + 1)) > 3 * F / hat + math.sqrt(2)


def test_lemma_5_with_a_shrinking_recursion_ends_just_beyond_one_half() -> None:
    """n(1 − r)(r exp(1 − r))ⁿ ≤ 1 − rⁿ, followed in numbers: for every r ≤ 1/2, and not at r = 0.506."""

    def holds(r: float) -> bool:
        return all(n * (1 - r) * (r * math.exp(1 - r)) ** n <= 1 - r**n for n in range(1, 400))

    assert all(holds(k / 1000) for k in range(1, 501))
    assert not holds(0.506)


def test_the_letter_of_corollary_4_agrees_with_the_proof_at_one_round() -> None:
    """K = 0: β = β̂, so that the condition on γ fails with either."""
    found = _witness("FED-C4@rounds")
    assert not dict(found.replay({**found.values, "K": Fraction(0)}).presupposed)["γ < Δ^inf(α+R)/(√(2L)βR)"]


@pytest.mark.parametrize("d", [1, 2, 5])
@pytest.mark.parametrize("p", [Fraction(1, 4), Fraction(3, 4), Fraction(1)])
@pytest.mark.parametrize("sigma", [Fraction(1, 10), Fraction(1)])
def test_second_moment_per_coordinate_is_covered_exactly_where_said(
    d: int, p: Fraction, sigma: Fraction
) -> None:
    """‖Δ‖ = 1: (1 − p + dσ²)/p against the appendix's B."""
    covered = second_moment(p, d * sigma**2) <= b_appendix(p, sigma)
    assert covered is ((d - 2) * sigma**2 <= 1 - p)


def test_where_the_fourth_root_of_d_comes_from() -> None:
    """6αF/(γβ̂R) + 6F/(γβ̂) + 2β̂√(dB₂/M) at α = R: √d at the printed β̂, ⁴√d at a β̂ that is smaller by ⁴√d."""
    F, gamma, level = 0.7, 0.25, 1 / 256
    X, y = math.sqrt(F / gamma), level**0.25

    def terms(hat: float, d: int) -> float:
        return 12 * F / (gamma * hat) + 2 * hat * math.sqrt(d * level)  # without 2R

    printed = math.sqrt(3) * X / y
    assert terms(printed, 1) == pytest.approx(6 * math.sqrt(3) * X * y)
    for d in (16, 10**8):
        assert terms(printed, d) == pytest.approx((4 + 2 * math.sqrt(d)) * math.sqrt(3) * X * y)
        assert terms(printed / d**0.25, d) == pytest.approx(6 * math.sqrt(3) * X * d**0.25 * y)


def test_the_rate_at_a_falling_alpha_is_the_bound_of_the_theorem() -> None:
    """A larger right side is not what the best R gives, a smaller one not what any R gives."""
    for more in (falling_alpha.t * 700 / falling_alpha.w, -falling_alpha.t / 3):
        wrong = sympy.sqrt(
            falling_alpha.OURS**2 + 4 * falling_alpha.F * falling_alpha.L / (falling_alpha.K + 1) * more
        )
        assert prove(falling_alpha.rate(wrong), Settings(), "fed-alpha-normec").status != "proved"


def test_the_rate_at_a_falling_alpha_needs_a_limit_on_beta() -> None:
    """At w = 100, t = 1 and N = 0 the formula is below √(2L(f(x⁰) − f^inf)) after two rounds, which FED-R1 never is (FED-R1-VAC)."""
    values = {
        falling_alpha.t: 1,
        falling_alpha.noise: 0,
        falling_alpha.F: 1,
        falling_alpha.L: 1,
        falling_alpha.K: 1,
    }
    assert falling_alpha.OURS.subs({**values, falling_alpha.w: 100}) < sympy.sqrt(2)
    assert falling_alpha.OURS.subs({**values, falling_alpha.w: 4}) >= sympy.sqrt(2)
    proof = claim("FED-RATE").proof
    assert proof is not None
    assert falling_alpha.WITHIN in proof.assumptions
    assert not falling_alpha.WITHIN.relation.subs({**values, falling_alpha.w: 100})


def test_each_printed_limit_on_the_step_is_shown_to_be_enough_for_the_residuals() -> None:
    repair = claim("FED-T1-ETA").repair
    assert repair is not None
    allowed = [fact.relation for fact in repair.proof.assumptions if isinstance(fact.relation, sympy.Or)]
    assert len(allowed) == 1
    for step in (rounds.HALF_STEP, rounds.THIRD_STEP, rounds.STEP_SEVERAL, local_gradient_close.STEP):
        assert step not in repair.proof.assumptions
        assert step.relation in allowed[0].args
    assert (
        repair.proof.nodes[-1].conclusion
        == lemma1.kept(local_gradient_close.MOVE_CLOSE.conclusion).conclusion
    )


def test_two_paths_stay_as_close_as_the_constant_says() -> None:
    """The mean distance on −Lx²/2, which stretches most: ((1+u/T)^T − 1)/u, u = γL ≤ 1/2; and q is above the power."""
    for steps in (1, 2, 5, 100, 10_000):
        for u in (0.01, 0.25, 0.5):
            power = (1 + u / steps) ** steps
            assert power <= 1 + u + u**2 / 2 + u**3 / 5
            assert (power - 1) / u <= local_gradient_close.CONSTANT
    assert ((1 + 0.5e-6) ** 10**6 - 1) / 0.5 > 1.2974


@pytest.mark.parametrize(
    ("identifier", "also"),
    [("FED-C2-VAC", "γ = 1/(2L)"), ("FED-C4-VAC", "√Δ^inf > γ√(2L)β̂R/(α+R)")],
)
def test_the_empty_bounds_are_those_of_the_printed_display(identifier: str, also: str) -> None:
    """The terms in β̂ come from what the display of F.5 inserts, and the condition on γ stands as printed but for the root."""
    proof = claim(identifier).proof
    assert proof
    assert FOURTH in proof.nodes
    assert {fact.name for fact in proof.assumptions} >= {"α = R", also}


def test_below_the_limit_on_gamma_corollary_4_can_say_something() -> None:
    """F.3's display with β̂ inserted, L = 1, f(x⁰) − f^inf = 1/2, α = R = Xy, so that ‖∇f(x⁰)‖ ≤ 1; without absent clients, K large.
    Its least value over y and the Δ^inf allowed is 24L√(γ(f(x⁰) − f^inf)), and a little more with 2R."""

    def least(gamma: float, y: float) -> float:
        X = math.sqrt(0.5 / gamma)
        Delta = (gamma * math.sqrt(2) * math.sqrt(3) * X / y / 2) ** 2
        return (6 * math.sqrt(3) + 2) * X * y + gamma * 8 * math.sqrt(2 * Delta)

    y = [10 ** (exponent / 100) for exponent in range(-600, 100)]
    assert min(least(1e-4, value) for value in y) < 1
    for gamma in (1e-5, 1 / 288, 0.1, 0.5):
        found = min(least(gamma, value) for value in y)
        assert 24 * math.sqrt(gamma / 2) < found < 1.1 * 24 * math.sqrt(gamma / 2)


@pytest.mark.parametrize("identifier", ["FED-C4", "FED-C6"])
def test_a_smaller_drift_is_not_what_several_local_steps_are_shown_to_cost(identifier: str) -> None:
    """The last step of the repair with nine tenths of its drift."""
    repair = claim(identifier).repair
    assert repair is not None
    end = repair.proof.nodes[-1]
    assert isinstance(end, Obligation)
    less = end.goal.relation.subs(rounds.gamma, rounds.gamma * sympy.Rational(9, 10))
    assert end.discharge(Settings()).ok
    assert not obligation(end.name, end.given, less).discharge(Settings()).ok


def _three_bounds(
    z: float, L: float, D_1: float, D_2: float, alpha: float, F: float, hat: float, spread: dict[str, float]
) -> float:
    """The least of √(2LF), of the bound from any memories and of the one without a condition on ηγ, at M = p = 1 without noise."""
    K, R, beta, eta = z**8 - 1, D_1 / z, D_2 / z**5, hat / z**7
    name = "incremental_gradient" if "Delta_local" in spread else "local_gradient"
    given = {
        "f_gap": F,
        "K": K,
        "eta": eta,
        "R": R,
        "beta": beta,
        "M": 1,
        "p": 1,
        "V": 0,
        "L": L,
        "gamma": 1 / (2 * L * z),
        **spread,
    }
    far = getattr(forgets, f"{name}_forgets")(alpha=alpha, **given)
    overshot = 3 * max(beta**2 - 2 * alpha**2, 0) / (beta - 2 * L * eta)
    return min(math.sqrt(2 * L * F), far + overshot, getattr(repaired, f"{name}_sharp")(**given))


@pytest.mark.parametrize("number", [3, 5])
def test_with_a_small_beta_the_printed_corollary_follows_from_three_bounds(number: int) -> None:
    """For any Δ^inf and any η̂ ≤ D₁D₂/(4L(α+D₁))."""
    draw = random.Random(number)
    for _ in range(20_000):
        L, D_1, alpha, F = (10 ** draw.uniform(-6, 6) for _ in range(4))
        z, D_2 = 1 + 10 ** draw.uniform(-2, 4), (alpha + D_1) * 10 ** -draw.uniform(1e-9, 15)
        hat = D_1 * D_2 / (4 * L * (alpha + D_1)) * 10 ** -draw.choice([0, draw.uniform(0, 9)])
        Delta = F * 10 ** draw.uniform(-30, 2)
        A_1 = 3 * F / hat + 2 * D_1 + 4 * math.sqrt(2 * L * Delta)
        spread = {"Delta": Delta}
        if number == 5:
            spread["Delta_local"] = F * 10 ** draw.uniform(-30, 2)
            A_1 += 4 * math.sqrt(2 * L * Delta) + 4 * math.sqrt(2 * L * (Delta + spread["Delta_local"]))
        printed = A_1 / z + hat * L / 2 / z**7
        assert _three_bounds(z, L, D_1, D_2, alpha, F, hat, spread) <= printed * (1 + 1e-9)


def test_the_formula_of_that_test_is_the_printed_one() -> None:
    found = corollaries.corollary3(1.0, 255, 1.0, 2.0, 1.0, 3.0, 1.0, 1.0, 0.0, 1000.0)
    hat = 2 / 20
    assert found == pytest.approx((3 / hat + 4 + 4 * math.sqrt(2000)) / 2 + hat / 2 / 2**7)


def test_with_a_large_beta_they_do_not_give_it() -> None:
    """At the numbers of FED-C3's witness, where D₂ is 1,040,447 times α + D₁, all three are above the printed bound."""
    t = Steady(NUMBERS)
    hat = t.D_1 * t.D_2 / (4 * t.L * (t.alpha + t.D_1))
    values = [float(v) for v in (t.L, t.D_1, t.D_2, t.alpha, t.gap, hat)]
    L, D_1, D_2, alpha, F, length = values
    assert int(D_2 / (alpha + D_1)) == 1_040_447
    printed = float(
        corollaries.corollary3(
            t.gap, t.K, t.L, t.D_1, t.D_2, t.alpha, Fraction(4), Fraction(1), Fraction(0), t.Delta
        )
    )
    assert _three_bounds(32.0, L, D_1, D_2, alpha, F, length, {"Delta": float(t.Delta)}) > printed


def test_every_step_towards_it_is_true_at_numbers_late_enough() -> None:
    """Exactly, z ≥ 6: what the steps conclude for z ≥ 6 is not only true because nothing is that late."""
    draw = random.Random(1)

    def number(low: int, high: int) -> Fraction:
        return Fraction(draw.randint(1, 9)) * Fraction(10) ** draw.randint(low, high)

    late = set()
    for _ in range(60):
        L, D_1, alpha, G = (number(-4, 4) for _ in range(4))
        z, D_2 = 5 + number(0, 1), (alpha + D_1) * min(number(-9, -1), Fraction(9, 10))
        hat = D_1 * D_2 / (4 * L * (alpha + D_1))
        R, beta, eta, F = D_1 / z, D_2 / z**5, hat / z**7, G**2 / (2 * L)
        reach, excess = 2 * L * eta, max(beta**2 - 2 * alpha**2, Fraction(0))
        values = {
            "kappa": z, "D_1": D_1, "D_2": D_2, "hat": hat, "L": L, "alpha": alpha, "R": R, "beta": beta, "eta": eta, "f_gap": F,
            "G": G, "rise": F / hat, "reach": reach, "excess": excess, "tail": (R**2 + 2 * alpha * R) / (beta - reach),
            "lasting": (2 * alpha * reach + reach**2 + 3 * excess) / (beta - reach),
        }  # fmt: skip
        for node in gentle.NODES[1:]:
            assert holds(node.conclusion.relation, values), node.name
            known = [
                fact for fact in node.given if {str(s) for s in fact.relation.free_symbols} <= set(values)
            ]
            assert all(holds(fact.relation, values) for fact in known), node.name
        late.add((values["tail"] > D_1 * z**7, excess > 0))
    assert late >= {(True, False), (False, False), (False, True)}


@pytest.mark.parametrize(("root", "nothing"), [(6, 48**3), (8, 48**4)])
def test_rounds_up_to_which_a_small_d2_leaves_the_bound_void(root: int, nothing: int) -> None:
    """f(x⁰) − f^inf = 1/2, L = 1, so that √(2L(f(x⁰) − f^inf)) = 1; no noise, and Δ^inf = 0 in Corollary 3."""

    def least(rounds: float, D_1: float, share: float) -> float:
        z, hat = rounds ** (1 / root), D_1 * share / 4  # D₂ = share (α + D₁)
        return (1.5 / hat + 2 * D_1) / z + hat / 2 / z ** (root - 1)

    draw = random.Random(root)
    for _ in range(20_000):
        D_1, share = 10 ** draw.uniform(-1, 2), 1 - 10 ** draw.uniform(-9, -1)
        assert least(nothing * draw.uniform(0, 1), D_1, share) >= 1
    assert least(nothing + 20, math.sqrt(3), 1 - 1e-12) < 1
    assert least(nothing - 1, math.sqrt(3), 1 - 1e-12) > 1


@pytest.mark.parametrize(("Delta", "kept", "best"), [(1e-4, 120_002, 762.7), (1e-6, 12_000_002, 7_591)])
def test_how_the_bound_grows_for_nearly_equal_clients(Delta: float, kept: float, best: float) -> None:
    """FED-T1-SAME@effective at its numbers, L = 2: 1/Δ^inf at γ = 1/4, and 1/√Δ^inf at the best of many γ."""

    def bound(gamma: float) -> float:
        eta = min(Delta / (16 * gamma * 10), gamma / 4)
        return 3 / (10 * eta) + 2 + gamma * 32 * math.sqrt(Delta) + eta

    assert bound(0.25) == pytest.approx(kept, rel=1e-4)
    assert bound(0.25) - 2 == pytest.approx(12 * 2 * 2 * 0.25 / Delta, rel=1e-4)
    assert min(bound(0.25 * 10 ** (-k / 500)) for k in range(4000)) == pytest.approx(best, rel=3e-3)


@pytest.mark.parametrize("share", [0.5, 1.0, 1.01])
def test_up_to_which_spread_the_rate_at_a_kept_gamma_is_attained(share: float) -> None:
    """The same numbers: up to Δ^inf = 2L√(2L)(K+1)γ²βR/(α+R) = 5/2 the limit on ηγ is the smaller one, and above it the first term
    exceeds 12L√(2L)γ(f(x⁰) − f^inf)/Δ^inf."""
    Delta, gamma = share * 5 / 2, 0.25
    eta = min(Delta / (16 * gamma * 10), gamma / 4)
    ratio = 3 / (10 * eta) / (12 * 2 * 2 * gamma / Delta)
    assert ratio == pytest.approx(max(1.0, share), rel=1e-12)
