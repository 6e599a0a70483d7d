"""Sentences, headings and letters that say another thing than what they introduce."""

from __future__ import annotations

from fractions import Fraction

import sympy

from bounds.fed_alpha_normec.schedules import corollary1_appendix
from bounds.fed_alpha_normec.theorem2 import THEOREM2
from verify.claim import Gap, Repair
from verify.computation import Comparison, Computation
from verify.curves import curve, mean
from verify.facts import definition, hypothesis, standard
from verify.fed_alpha_normec.counterexamples.exact import advance, begin, update
from verify.fed_alpha_normec.lemmas import recursion as rec
from verify.fed_alpha_normec.letters import claim
from verify.identity import Limit
from verify.obligation import obligation
from verify.proof import Proof

# Lemma 5 with nothing chosen.
_FIXED = hypothesis("b₁γ², b₂, γ, V⁰ > 0", (rec.x > 0) & (rec.b_2 > 0) & (rec.step > 0) & (rec.v_0 > 0))
_DIVERGES = Limit(
    "exp(b₁γ²(K+1))/(K+1) · V⁰/(b₂γ) → ∞ with K",
    sympy.exp(rec.x * (rec.K + 1)) / (rec.K + 1) * rec.v_0 / (rec.b_2 * rec.step),
    rec.K,
    sympy.oo,
    sympy.oo,
    "-",
    (_FIXED,),
)
_SHORT = hypothesis("b₁γ²(K+1) ≤ 1", rec.x * (rec.K + 1) <= 1)
_FALLS = obligation(
    "min W ≤ 3V⁰/(b₂γ(K+1)) + b₃/b₂",
    (
        rec.SIGNS,
        rec.LEMMA5.conclusion,
        _SHORT,
        definition("K, V⁰ ≥ 0", (rec.K >= 0) & (rec.v_0 >= 0)),
        standard("t ≤ 1 ⇒ exp t ≤ e < 3", sympy.Implies(rec.x * (rec.K + 1) <= 1, rec.power <= 3)),
    ),
    rec.low <= 3 * rec.v_0 / ((rec.K + 1) * rec.b_2 * rec.step) + rec.b_3 / rec.b_2,
)


def _long_step() -> Comparison:
    """η of Corollary 1 (F.4) at L = 1/100, D₁ = D₂ = α = 1, K = 0, within Theorem 1's conditions."""
    one = Fraction(1)
    plan = corollary1_appendix(0, Fraction(1, 100), one, one, one)
    met = (
        ("β/(α+R) < 1", plan.beta < 1 + plan.R),
        ("η ≤ γ/2 · βR/(α+R)", plan.eta <= plan.gamma / 2 * plan.beta * plan.R / (1 + plan.R)),
    )
    return Comparison(plan.eta, ">", one, met)


def _one_pass() -> Comparison:
    """P(0) for γ = 1/2 after a pass over ½(x − 1)² and ½(x + 1)², and after two gradient steps for their mean."""
    parts = [curve((c - 9, -9), (c + 9, 9)) for c in (1, -1)]
    pass_over, steps = (update(work, Fraction(0), Fraction(1, 2)) for work in (parts, [mean(parts)] * 2))
    return Comparison(pass_over, "!=", steps)


def _two_headings() -> Comparison:
    """f = x²/2 near 1, T = p = 1, no noise: ‖v¹ − P(x¹)‖ against ‖v¹ − P(x⁰)‖ after one round."""
    f = curve((-2, -2), (2, 2))
    start = begin(Fraction(1), (Fraction(0),))
    after = advance([[f]], start, Fraction(1), Fraction(1, 2), Fraction(1, 2), Fraction(1, 12))
    return Comparison(abs(after.v[0] - after.x), "!=", abs(after.v[0] - start.x))


_HEADING = "‖v_i^k − (x^k − T_i(x^k))/γ‖ by induction, and bound "
CLAIMS = (
    claim(
        "FED-L5-SUBLINEAR",
        "Appendix E, before Lemma 4",
        "prose",
        "From these established descent inequalities, and Lemma 5 derives the sublinear convergence up to constants.",
        "With γ fixed and b₁ > 0 the first term of Lemma 5 grows with K in the end, because of its exponential; it falls where γ is "
        "in proportion to 1/√(K+1), or at a fixed γ where b₁ = 0 (one local step). "
        "(FED-L5-SHARP has no exponential, and there the further constant b₁γV⁰/b₂ is enough at a fixed γ.)",
        repair=Repair(
            "Where b₁γ²(K+1) ≤ 1, Lemma 5 gives 3V⁰/(b₂γ(K+1)) + b₃/b₂: with γ ∝ 1/√(K+1) the first term falls like 1/√(K+1).",
            "b₁γ²(K+1) ≤ 1; b₁ ≥ 0, b₂ > 0",
            Proof((rec.SIGNS, rec.RECURSION, _SHORT), (*rec.LEMMA5_NODES, _FALLS)),
        ),
        gap=Gap("reading", "γ does not move with K, b₁ > 0", Proof((_FIXED,), (_DIVERGES,))),
    ),
    claim(
        "FED-ALG1@eta",
        "Section 4 against Algorithm 1, the server's step",
        "definition",
        "where η > 0 is the server-side stepsize. […] and η ∈ (0, 1) [Algorithm 1]",
        "Two ranges for one length; the corollaries' choices can lie outside the second.",
        conflict=Proof((), (Computation("η of Corollary 1 (F.4) at L = 1/100 is 12.5", "enumeration", _long_step),)),
        consequence="Only η > 0 is used: 1 is not a length (FED-T1-UNITS).",
    ),
    claim(
        "FED-C5@steps",
        "Appendix G.3, Corollaries 5 and 6",
        "corollary",
        "with multiple local IG steps). […] under the same setting as Theorem 2. Let T > 1 (multiple local GD steps).",
        "IG steps in the title and GD steps in the statement, which are different updates. (With T = N, \"the number of local steps "
        "is equal to the size of the local data set\", T > 1 excludes N = 1, for which Theorem 2 is stated as well.)",
        conflict=Proof(
            (),
            (
                Computation(
                    "a pass over ½(x ∓ 1)² from 0 against two gradient steps: 1/8 against 0", "enumeration", _one_pass
                ),
                Computation(
                    "Theorem 2's bound has no T",
                    "enumeration",
                    lambda: Comparison(Fraction(list(THEOREM2.parameters).count("T")), "==", Fraction(0)),
                ),
            ),
        ),
    ),
    claim(
        "FED-T1-S1@heading",
        "Appendix F.2 and G.2, headings of step 1",
        "prose",
        "Step 1) Bound " + _HEADING + "‖v_i^{k+1} − (x^{k+1} − T_i(x^{k+1}))/γ‖. […] Step 1) Bound " + _HEADING
        + "‖v_i^{k+1} − (x^k − T_i(x^k))/γ‖.",
        "The second quantity is the first one round later in F.2, and another one in G.2; both steps go on to bound the latter.",
        conflict=Proof((), (Computation("f = x²/2, one round: 2/3 against 3/4", "enumeration", _two_headings),)),
    ),
)  # fmt: skip
