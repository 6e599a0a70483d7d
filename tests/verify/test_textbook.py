"""Every textbook result that a proof takes for granted is tried on cases, and false ones are found out."""

from __future__ import annotations

import json
from functools import cache

import pytest
import sympy

from verify import cli
from verify.catalogue import claims
from verify.definitions import TABLES
from verify.facts import Fact, letters, standard
from verify.obligation import obligation
from verify.proof import Proof
from verify.textbook import descent, norms
from verify.textbook.draws import Draws, dot, minus, mp, square
from verify.textbook.functions import function
from verify.textbook.library import TRIALS, TRUSTED, cited, said, trials
from verify.textbook.trial import Trial, examine, holds

L, h, h_next, h_min, g2, gap, size = letters("L h h_next h_min g2 gap size")
mean, squares, e, after, dev = letters("mean squares e after dev")


@cache
def known() -> dict[str, Fact]:
    """The cited facts by a name of their own: several may share one, about other letters."""
    found: dict[str, Fact] = {}
    for fact in cited():
        of = " ".join(sorted(map(str, fact.relation.free_symbols)))
        found[f"{fact.name} [{of}]"] = fact
    return found


def test_every_cited_result_has_a_trial_or_says_why_not() -> None:
    untried = [fact for fact in known().values() if not trials(fact)]
    assert not [fact.name for fact in untried if not any(entry.covers(fact) for entry in TRUSTED)]


def test_trust_is_in_a_statement_and_not_in_its_name() -> None:
    fact = next(fact for fact in known().values() if TRUSTED[0].covers(fact))
    more = standard(fact.name, fact.relation & (h >= 0))
    assert not any(entry.covers(more) for entry in TRUSTED)


def test_of_a_letter_of_a_paper_a_result_is_tried_and_not_its_like() -> None:
    """‖a + b‖ ≤ ‖a‖ + ‖b‖ would say K ≤ R."""
    sides = standard("‖a + b‖ ≤ ‖a‖ + ‖b‖", e <= after + dev)
    for image, of in (("K", "K"), ("side", "e")):
        there = sides.at({e: letters(image)[0]})
        (fact,) = said(
            Proof((), (obligation("use", (there,), there.relation | (dev < 0)),)), TABLES["alpha-normec"]
        )
        assert of in {str(letter) for letter in fact.relation.free_symbols}
        assert not (trials(fact) and image == "K")


def test_nothing_is_tried_or_trusted_that_no_proof_cites() -> None:
    names = {fact.name for fact in known().values()}
    assert not [entry.name for entry in (*TRIALS, *TRUSTED) if entry.name not in names]


@pytest.mark.parametrize("trial", TRIALS, ids=lambda trial: trial.name)
def test_a_textbook_result_holds_in_every_case(trial: Trial) -> None:
    facts = {name: fact for name, fact in known().items() if trial in trials(fact)}
    assert facts, "the trial has values for the letters of no cited fact"
    for name, fact in facts.items():
        assert not (found := examine(fact, trial).complaints(bool(trial.loose))), f"{name}: {found}"


EVERY_OUTCOME = {
    "z = 1/|f′|; f = w²/2 up to s, then of slope s up to M, then steeper": "a function of w, at every w",
    "at w ≥ 0 (and mirrored) f_1′ = 1 + min(w, g), −f_2′ = 1 − min(w, g) up to R, then max(0, 1 − g − (w − R)); "
    "f′ = (f_1′ + f_2′)/2": "functions of w, at every w",
    "f − f* is the integral of f′ from 0 to |w|": "at every w",
    "f = w²/2 where |w| ≤ 1, else |w| − ½": "a function of w, at every w",
    "f is weighed with z = 1 in (2), with z = GE/‖u_i‖ ≥ 1 in (3)": "at every w",
    "f = w²/2 where w ≤ g, else gw − g²/2": "a function of w, at every w",
    "clipping: V = u/E, φ = f, s = g, e = g²/2; normalisation: V = 1, φ = f E/u where u > 0, φ = 0 where u = 0 = f, s = 1, "
    "e = g/2": "functions of w, at every w; which of the two is the same for all",
    "the noises are Gaussian: E[Y⁴ | w_k, S_k] = V⁴ + 6V²τ² + 3τ⁴ for Y = V sign(w_k) + N(0, τ²), d = 1": "given w_k, at every w",
    "at distance t < s of w_i* the density of w_k̃ is at least p > 0": "at every t < s",
    "‖u_i‖ > 0 there: 1/‖u_i‖ has a value": "at every t < s",
}
"""Hypotheses about a letter that stands for any one outcome, and why they hold of all."""


def test_what_holds_in_the_mean_was_shown_of_every_outcome() -> None:
    """“Expectations are monotone” says: what holds of every outcome holds in the mean. Its letters name one outcome, so that what a
    proof assumes of them has to hold of every outcome."""
    outcome = {
        "‖e^(k+1)‖",
        "‖βΣz^l‖",
        "ss",
        "Q",
        "SZ",
        "SF",
        "SzF",
        "SzM",
        "S_distance",
        "density",
        "speed",
        "t",
    }
    outcome |= {"z(f−f*)", "|w|", "f′", "f−f*", "mean_f_i′²", "w", "z·f", "V_sent", "phi"}
    named = ("expectation", "means and expectations", "integrals are monotone")
    found = set()
    for fact, ids in cited().items():
        about = {str(letter) for letter in fact.relation.free_symbols} & outcome
        if fact.name.startswith(named):
            assert about, f"{fact.name}: which letters name an outcome?"
            for proof in (proof for name in ids for proof in claims()[name].proofs):
                found |= {h.name for h in proof.assumptions if about & {*map(str, h.relation.free_symbols)}}
    assert found == set(EVERY_OUTCOME)


@pytest.mark.parametrize(
    ("relation", "case"),
    [
        pytest.param(
            h_next <= h - sympy.Rational(3, 5) * g2 / L, descent.gradient_step, id="a step gains 3/5"
        ),
        pytest.param(h_min <= h - g2 / L, descent.gradient_step, id="no 2 in Fact 1"),
        pytest.param(size**2 <= sympy.Rational(8, 5) * L * gap, descent.gradient_norms, id="8/5 for 2"),
        pytest.param(mean**2 >= squares, norms.numbers, id="Jensen turned round"),
        pytest.param(e <= sympy.Max(after, dev), norms.triangles, id="a side no longer than another"),
        pytest.param(e <= after + sympy.Rational(4, 5) * dev, norms.triangles, id="part of a side"),
    ],
)
def test_what_is_no_textbook_result_is_found_out(relation, case) -> None:
    outcome = examine(standard("not true", relation), Trial("not true", case))
    assert outcome.failure is not None


def test_cases_that_are_not_sharp_are_no_trial() -> None:
    weak = standard("weak", e <= 2 * after + 2 * dev)
    complaints = examine(weak, Trial("weak", norms.triangles)).complaints()
    assert any("could be off by" in text for text in complaints)
    assert not examine(weak, Trial("weak", norms.triangles, loose="twice what holds")).complaints(loose=True)


def test_equality_where_a_letter_is_zero_makes_no_case_sharp() -> None:
    """e ≤ a + 2d, of cases with e = a + d in which d is a or 0: equal at d = 0 alone, where it is for every coefficient of d."""

    def beside_zero(draws: Draws) -> dict:
        size = draws.positive()
        other = draws.pick([mp.mpf(0), size])
        return {"e": size + other, "after": size, "dev": other}

    complaints = examine(standard("weak", e <= after + 2 * dev), Trial("weak", beside_zero)).complaints()
    assert len(complaints) == 3, "one for each term"


def test_a_result_whose_premise_no_case_meets_is_not_tried() -> None:
    never = standard("never", sympy.Implies(e < 0, after > dev))
    outcome = examine(never, Trial("never", norms.triangles))
    assert (outcome.applied, outcome.failure) == (0, None)
    assert outcome.complaints(loose=True) == ["presupposes what holds in none of the cases"]


def test_a_trial_without_a_letter_is_no_trial_of_the_result() -> None:
    with pytest.raises(KeyError):
        examine(standard("foreign", L > 0), Trial("foreign", norms.triangles))


def test_rounding_does_not_decide() -> None:
    """√2 in 60 digits is below √2."""
    values = {"e": mp.sqrt(2), "after": mp.mpf(2)}
    assert holds(sympy.Eq(e**2, after), values)
    assert holds(e**2 >= after, values)
    assert not holds(e**2 >= after + sympy.Rational(1, 10**40), values)


@pytest.mark.parametrize("convex", [True, False])
def test_the_functions_of_the_cases_have_the_slope_and_the_infimum_that_they_say(convex: bool) -> None:
    """Slopes against difference quotients of values, whose error is L times their step; minima against any point."""
    step = mp.mpf(10) ** -20
    for seed in range(40):
        draws = Draws(seed)
        smooth = draws.positive()
        f, x, y = function(draws, 2, smooth, convex=convex), draws.vector(2), draws.vector(2)
        for j, slope in enumerate(f.gradient(x)):
            onward = tuple(a + step * (i == j) for i, a in enumerate(x))
            assert abs((f.value(onward) - f.value(x)) / step - slope) <= smooth * step
        assert f.value(f.minimiser) == f.infimum <= f.value(x)
        ahead = f.value(y) - f.value(x) - dot(f.gradient(x), minus(y, x))
        assert abs(ahead) <= smooth * square(minus(y, x)) / 2 * (1 + step)
        assert not convex or ahead >= -step


def test_draws_are_the_same_for_the_same_seed() -> None:
    assert Draws(3).vectors(3, 2) == Draws(3).vectors(3, 2) != Draws(4).vectors(3, 2)


@pytest.mark.parametrize("cases", ["0", "199", "100001"])
def test_too_few_or_too_many_cases_are_refused(cases: str, capsys: pytest.CaptureFixture) -> None:
    assert cli.main(["textbook", "--cases", cases]) == 2
    assert f"--cases {cases} must be a whole number in [200, 100000]" in capsys.readouterr().err


def test_the_command_says_what_holds_and_what_fails(
    tmp_path, monkeypatch, capsys: pytest.CaptureFixture
) -> None:
    good, bad = standard("triangle", e <= after + dev), standard("not one", e <= after)
    monkeypatch.setattr(
        "verify.textbook.survey.cited", lambda: {good: ("NEC-T1",), bad: ("NEC-L2", "NEC-T1")}
    )
    monkeypatch.setattr("verify.textbook.survey.trials", lambda fact: (Trial(fact.name, norms.triangles),))
    monkeypatch.setattr("verify.textbook.survey.apart", dict)
    target = tmp_path / "found.json"
    assert cli.main(["textbook", "--json", str(target)]) == 1
    assert "2 textbook results: 1 fails, 1 holds" in capsys.readouterr().out
    found = json.loads(target.read_text("utf-8"))["results"]
    assert [(entry["name"], entry["status"], entry["cases"]) for entry in found] == [
        ("triangle", "holds", 200),
        ("not one", "fails", 200),
    ]
    assert found[1]["claims"] == ["NEC-L2", "NEC-T1"]
    assert "false in a case" in found[1]["note"]


def test_an_interrupt_shows_what_was_tried(tmp_path, monkeypatch, capsys: pytest.CaptureFixture) -> None:
    good, never = standard("triangle", e <= after + dev), standard("not reached", e <= after)

    def trials(fact):
        if fact is never:
            raise KeyboardInterrupt
        return (Trial(fact.name, norms.triangles),)

    monkeypatch.setattr("verify.textbook.survey.cited", lambda: {good: ("NEC-T1",), never: ("NEC-T1",)})
    monkeypatch.setattr("verify.textbook.survey.trials", trials)
    monkeypatch.setattr("verify.textbook.survey.apart", dict)
    target = tmp_path / "found.json"
    assert cli.main(["textbook", "--json", str(target)]) == 130
    out, err = capsys.readouterr()
    assert "1 textbook results: 1 holds" in out
    assert err == f"interrupted: 1 textbook results tried; {target} was not written\n"
    assert not target.exists()
