"""Claims: definitions and sentences that assert something checkable (Sections 2 to 4.1, Appendices A, F,
H)."""

from __future__ import annotations

from fractions import Fraction

import sympy

from bounds.dp_normfedavg import choices as printed
from bounds.dp_normfedavg import theorem4 as four
from verify.case import closed
from verify.citation import Cite
from verify.claim import Claim, Gap, Repair, Values, Witness
from verify.computation import Comparison
from verify.curves import huber
from verify.dp_normfedavg.asymptotics import best_gamma, left_sides
from verify.dp_normfedavg.asymptotics.limits import EQ5, LENGTHS
from verify.dp_normfedavg.asymptotics.vacuous import VACUOUS
from verify.dp_normfedavg.lemmas import zero_update
from verify.dp_normfedavg.letters import CUT, C, E, L, U, summed
from verify.dp_normfedavg.ours import any_clients, at_choices
from verify.dp_normfedavg.theorems import choices
from verify.dp_normfedavg.theorems.rounds import ALPHA, LOCAL_STEPS, RHO, K, alpha, gamma, rho
from verify.facts import definition, equal, hypothesis, letters, standard
from verify.identity import Identity
from verify.obligation import obligation
from verify.privacy import returned

PAPER = "dp-normfedavg"
ONE = Fraction(1)
SMOOTH, LOCAL = choices.SMOOTH, choices.LOCAL

# Definition 2.
q, d, ell, n, epsilon, ell2, epsilon2 = letters("q d ell n epsilon ell_2 epsilon_2")
_size = hypothesis("q, d, n, ε, log(1/δ) > 0", (q > 0) & (d > 0) & (n > 0) & (epsilon > 0) & (ell > 0))
RHO2 = printed.rho_definition2(q, d, ell, n, epsilon)
LARGE_N = obligation(
    "ρ < 1 exactly where n > √(q d log(1/δ))/ε", (_size,),
    sympy.Or(sympy.And(RHO2 < 1, n * epsilon > sympy.sqrt(q * d * ell)), sympy.And(RHO2 >= 1, n * epsilon <= sympy.sqrt(q * d * ell))),
)  # fmt: skip
SMALLER_EPSILON = obligation(
    "ρ grows as ε falls", (_size, hypothesis("0 < ε₂ < ε", (epsilon2 > 0) & (epsilon2 < epsilon))),
    printed.rho_definition2(q, d, ell, n, epsilon2) > RHO2,
)  # fmt: skip
SMALLER_DELTA = obligation(
    "ρ grows as δ falls",
    (_size, hypothesis("log(1/δ₂) > log(1/δ)", ell2 > ell)),
    printed.rho_definition2(q, d, ell2, n, epsilon) > RHO2,
)

delta = letters("delta")[0]
POSITIVE_RHO = obligation(
    "ρ > 0",
    (hypothesis("q, d, n, ε > 0", (q > 0) & (d > 0) & (n > 0) & (epsilon > 0)), hypothesis("0 < δ < 1", (delta > 0) & (delta < 1)),
     standard("log(1/δ) > 0 for 0 < δ < 1", sympy.Implies((delta > 0) & (delta < 1), ell > 0))),
    RHO2 > 0,
)  # fmt: skip

# Notation: clip and norm.
cut, normed = letters("clip_norm norm_norm")
CLIP_NORM = definition("‖clip(z, c)‖ = min(‖z‖, c)", equal(cut, sympy.Min(U, C)))
NORM_NORM = definition("‖norm(z, c)‖ = c, z ≠ 0", equal(normed, C / U * U))
NONZERO = hypothesis("z ≠ 0", U > 0)
ORDER = obligation(
    "‖clip(z, c)‖ ≤ ‖norm(z, c)‖ ≤ c", (CLIP_NORM, NORM_NORM, NONZERO, CUT), (cut <= normed) & (normed <= C)
)
HIGHER = obligation(
    "‖clip(z, c)‖ < ‖norm(z, c)‖ exactly where ‖z‖ < c",
    (CLIP_NORM, NORM_NORM, NONZERO, CUT),
    sympy.And(sympy.Implies(cut < normed, U < C), sympy.Implies(U < C, cut < normed)),
)
low, factor = letters("C_low factor")
LOW = obligation(
    "clip(u, C) = norm(u, C) where ‖u‖ ≥ C_low ≥ C",
    (hypothesis("‖u‖ ≥ C_low", low <= U), hypothesis("C ≤ C_low", low >= C), CUT,
     definition("clip(u, C) = min(1, C/‖u‖) u", equal(factor, sympy.Min(1, C / U)))),
    equal(factor, C / U),
)  # fmt: skip

# Algorithm 2: the average of the models, where exactly r clients take part.
w, drift_sum, model_sum, count = letters("w_coordinate drift_sum model_sum count")
one_model = letters("model")[0]
SUMS = summed(
    "Σ_{i∈S} (w_k − w_i) = |S| w_k − Σ_{i∈S} w_i", equal(drift_sum, count * w - model_sum),
    {drift_sum: 0, count: 0, model_sum: 0},
    {drift_sum: drift_sum + w - one_model, count: count + 1, model_sum: model_sum + one_model}, (),
)  # fmt: skip
r = letters("r")[0]
EXACTLY = hypothesis("|S_k| = r ≥ 1", equal(count, r) & (r >= 1))
AVERAGE = obligation(
    "w_k − (1/r) Σ (w_k − w_i) = (1/r) Σ w_i, |S| = r",
    (SUMS.conclusion, EXACTLY),
    equal(w - drift_sum / r, model_sum / r),
)


def _replay_privacy(v: Values) -> Comparison:
    """Theorem 3's range ε < c₁ r²K/n² at Theorem 4's K, for the constant c₁ given."""
    K = printed.rounds_theorem4(v["alpha"], v["gamma"], v["C"], v["rho"])
    met = (("K is a whole number ≥ 1", K.denominator == 1 and K >= 1), ("γ > 0", v["gamma"] > 0), ("α ≥ 1", v["alpha"] >= 1),
           ("0 < ρ < 1", 0 < v["rho"] < 1), ("r ≤ n", v["r"] <= v["n"]), ("c₁ > 0", v["c_1"] > 0),
           ("1 ≤ E ≤ α/(2ρ)", 1 <= v["E"] <= v["alpha"] / (2 * v["rho"])))  # fmt: skip
    return Comparison(v["epsilon"], "<", v["c_1"] * v["r"] ** 2 * K / v["n"] ** 2, met)


_c1 = letters("c_1")[0]
_long = gamma > C * q * d * ell / (2 * _c1 * alpha * r**2 * epsilon)
_within = epsilon < _c1 * r**2 * printed.rounds_theorem4(alpha, gamma, C, RHO2) / n**2
_range = obligation(
    "Theorem 4's K is in Theorem 3's range exactly where γ > C q d log(1/δ)/(2 c₁ α r² ε)",
    (_size, ALPHA, hypothesis("C, c₁, r > 0", (C > 0) & (_c1 > 0) & (r > 0))),
    sympy.And(sympy.Implies(_long, _within), sympy.Implies(_within, _long)),
)
_private = epsilon > C * q * d * ell / (2 * _c1 * alpha * gamma * r**2)
_range_of_epsilon = obligation(
    "Theorem 4's K is in Theorem 3's range exactly where ε > C q d log(1/δ)/(2 c₁ α γ r²)",
    (_size, ALPHA, choices.GAMMA, hypothesis("C, c₁, r > 0", (C > 0) & (_c1 > 0) & (r > 0))),
    sympy.And(sympy.Implies(_private, _within), sympy.Implies(_within, _private)),
)
OUTSIDE = obligation(
    "for every c₁ and ε Theorem 4's K lies outside Theorem 3's range where γ makes it 1, r = 1 and n² ≥ c₁/ε",
    (hypothesis("c₁, ε > 0", (_c1 > 0) & (epsilon > 0)),
     hypothesis("r = 1, n ≥ 1, n²ε ≥ c₁", equal(r, 1) & (n >= 1) & (n**2 * epsilon >= _c1)),
     hypothesis("γ = Cρ²/(2α)", equal(2 * alpha * gamma, C * rho**2)), choices.CHOICE_K, CUT, RHO, ALPHA),
    equal(K, 1) & (epsilon >= _c1 * r**2 * K / n**2),
)  # fmt: skip

# Section 4.1.
t, density, speed = letters("t density speed")
"""|w − w_i*|, the density of w_k̃ there, ‖u_i‖."""
least_density, log_ratio, inverse, height = letters("p log(s/t) E[1/‖u_i‖] B")
SPEED = summed(
    "Σ_τ ‖∇f_i(w_τ)‖ ≤ T L |w − w_i*| (local steps with ηL ≤ 2 do not move away from w_i*)",
    choices.norm_sum <= choices.T * L * t,
    {choices.norm_sum: 0, choices.T: 0},
    {choices.norm_sum: choices.norm_sum + choices.norm_g, choices.T: choices.T + 1},
    (
        standard(
            "f_i convex and L-smooth with a minimiser, ηL ≤ 2: ‖∇f_i(w_τ)‖ ≤ L|w_τ − w_i*| ≤ L|w − w_i*|",
            choices.norm_g <= L * t,
        ),
    ),
)
_DENSE = hypothesis(
    "at distance t < s of w_i* the density of w_k̃ is at least p > 0",
    (density >= least_density) & (least_density > 0),
)
_MOVES_ON = hypothesis("‖u_i‖ > 0 there: 1/‖u_i‖ has a value", speed > 0)
POINTWISE = obligation(
    "density/‖u_i‖ ≥ p/(LE|w − w_i*|)",
    (
        SPEED.conclusion.at({choices.T: E}, "T = E"),
        choices.BELOW_SUM.at({U: speed}, "‖u_i‖"),
        _DENSE,
        _MOVES_ON,
        definition("|w − w_i*| = t > 0", t > 0),
        SMOOTH,
        LOCAL,
    ),
    density / speed >= least_density / (L * E * t),
)
HARMONIC = standard(
    "integrals are monotone, and p/(LE|x|) over t ≤ |x| < s has the integral (2p/(LE)) log(s/t)",
    sympy.Implies(POINTWISE.conclusion.relation, inverse >= 2 * least_density / (L * E) * log_ratio),
)
UNBOUNDED = obligation(
    "E[1/‖u_i‖] ≥ B for every B: t = s exp(−BLE/(2p))",
    (
        POINTWISE.conclusion,
        HARMONIC,
        definition("log(s/t) = BLE/(2p)", equal(2 * least_density * log_ratio, height * L * E)),
        _DENSE,
        SMOOTH,
        LOCAL,
    ),
    inverse >= height,
)
UNBOUNDED_NODES = (SPEED, POINTWISE, UNBOUNDED)
ABOVE = closed(zero_update.NODES)
"""Σ z_i F_i ≥ Σ F_i."""
z_1, F_1, U_1 = letters("z_1 F_1 U_1")
ONE_MORE = obligation(
    "Σ z_i F_i > Σ F_i with one more client, f_1(w) > f_1(w*) and 0 < ‖u_1‖ < GE",
    (zero_update.TERMWISE.conclusion,
     hypothesis("one client has z_1 = GE/‖u_1‖, f_1(w) > f_1(w*) and 0 < ‖u_1‖ < GE",
                equal(z_1 * U_1, choices.G * E) & (F_1 > 0) & (U_1 > 0) & (U_1 < choices.G * E))),
    zero_update.SzF + z_1 * F_1 > zero_update.SF + F_1,
)  # fmt: skip
ALPHA_FREE = Identity(
    "∂A/∂α = 0", sympy.diff(four.initialisation(**choices.START_4), alpha), sympy.Integer(0)
)
# The bounds that (2) and (3) give on their means: A divided by the factor on the left, which does contain α.
more_alpha = letters("alpha_2")[0]
_A = four.initialisation(**choices.START_4)
_START = (SMOOTH, choices.GAMMA, RHO, choices.LIPSCHITZ_POS)
A_POSITIVE = obligation("A > 0", _START, _A > 0)
FACTORS_RISE = obligation(
    "for α₂ > α: 0 < 2 − x − x² < 2 − x₂ − x₂² < 2 and 0 < 2 − x² < 2 − x₂² < 2, x = ρE/α, x₂ = ρE/α₂",
    (RHO, LOCAL, ALPHA, LOCAL_STEPS, hypothesis("α₂ > α", more_alpha > alpha)),
    sympy.And(*(
        (factor_of(rho, E, alpha) > 0)
        & (factor_of(rho, E, alpha) < factor_of(rho, E, more_alpha))
        & (factor_of(rho, E, more_alpha) < 2)
        for factor_of in (four.factor_a, four.factor_b)
    )),
)  # fmt: skip
A_SHRINKS = obligation(
    "A/(2 − x − x²) and A/(2 − x²) fall as α grows",
    (A_POSITIVE.conclusion, FACTORS_RISE.conclusion),
    sympy.And(
        *(_A / of(rho, E, more_alpha) < _A / of(rho, E, alpha) for of in (four.factor_a, four.factor_b))
    ),
)
A_STAYS = obligation(
    "both are above A/2 at every α",
    (A_POSITIVE.conclusion, FACTORS_RISE.conclusion),
    sympy.And(*(_A / of(rho, E, alpha) > _A / 2 for of in (four.factor_a, four.factor_b))),
)


DEFINITIONS = (
    Claim("DAS-DEF2", PAPER, "Definition 2", "definition",
          "ρ := √(qd log(1/δ))/(nε), […] q is the absolute constant in Theorem 3. We also assume that n is sufficiently large so that "
          "ρ < 1. Note that ρ increases as the level of privacy increases (i.e., ε and δ decrease), and vice versa.",
          "Theorem 3 has no such constant (DAS-T3-NOCONST), so that ρ is defined only once a q is given; for any given q it is "
          "monotone in ε and in δ, and ρ < 1 exactly for n > √(qd log(1/δ))/ε",
          repair=Repair("q > 0 is any given number", "q does not come from Theorem 3",
                        closed((LARGE_N, SMALLER_EPSILON, SMALLER_DELTA)), "nothing but its sign is used"),
          gap=Gap("undefined", "“the absolute constant in Theorem 3”: no q is one (DAS-T3-NOCONST)", returned.NO_CONSTANT),
          consequence="a rate in ρ says nothing of (ε, δ) until a q is given with which σ² is private"),
    Claim("DAS-S4-REGIME", PAPER, "Section 4, before Theorem 4", "prose",
          "These results are for the non-vacuous privacy regime (i.e., when ε is finite and δ < 1), where "
          "ρ = √(qd log(1/δ))/(nε) > 0.",
          "every factor is positive: log(1/δ) > 0 as δ < 1, and 1/ε > 0 as ε is finite; for δ > 0, which log(1/δ) asks for",
          proof=closed((POSITIVE_RHO,))),
    Claim("DAS-NORMCLIP", PAPER, "Section 2, Notation", "equation", "‖clip(z, c)‖ ≤ ‖norm(z, c)‖ ≤ c",
          "holds for every z ≠ 0, where norm is defined", proof=closed((ORDER,))),
    Claim("DAS-ALG2", PAPER, "Algorithm 2, line 11", "prose",
          "(The above is equivalent to w_{k+1} ← (1/r) Σ_{i∈S_k} w_{k,E}^{(i)}, […])",
          "an identity where exactly r clients take part, as Algorithm 2 says", proof=closed((SUMS, AVERAGE))),
    Claim("DAS-T4-PRIV", PAPER, "Theorem 4 with Theorem 3", "privacy",
          "Pick some γ > 0 and α ≥ 1. […] K = (2αγ/C)(1/ρ²). [with Theorem 3's σ²]",
          "a small γ leaves Theorem 3's range, ε < O(r²K/n²), whatever the constant, and without it ρ says nothing of (ε, δ); Theorem "
          "4 does not say whether its choices lie there. K grows as ε², so that at given γ and α the range allows no small ε, only "
          "ε > C q d log(1/δ)/(2 c₁ α γ r²) for the range ε < c₁ r²K/n²",
          gap=Gap("reading", "these choices lie in Theorem 3's range", Witness(
              {"c_1": Fraction(1), "epsilon": Fraction(5), "n": Fraction(10), "r": Fraction(10), "alpha": Fraction(1),
               "gamma": Fraction(1, 200), "C": Fraction(1), "rho": Fraction(1, 10), "E": ONE},
              "ε < c₁ r²K/n² (Theorem 3's range)", _replay_privacy, "n = r = 10, ε = 5, γ = 1/200: K = 1", closed((OUTSIDE,)))),
          repair=Repair("the choices of Theorem 4 with γ > C q d log(1/δ)/(2 c₁ α r² ε)", "a lower bound on γ, or, at "
                        "given γ and α, on ε", closed((_range, _range_of_epsilon)), "equivalences")),
)  # fmt: skip
EQ4 = Claim(
    "DAS-S41-EQ4", PAPER, "Section 4.1, eq. (4), with Theorem 4's K", "equation",
    "K → ∞ by choosing α → ∞. Here we keep E = O(1). Then, the asymptotic convergence bound […] can be written as: "
    "E[(1/n) Σ_{i=1}^n (f_i(w_{k̃}) − f_i(w*))] ≤ (G/2)(L‖w₀ − w*‖²/γ + γ/L)ρ [the left underbraced = E[f(w_{k̃}) − f(w*)]]",
    "by DAS-OURS-CLIP at Theorem 4's choices, its K among them, for any sampling probability r/n ∈ (0, 1]; K → ∞ with α. With "
    "the K that Section 4.1 recalls it fails: DAS-S41-EQ4@recalled-K",
    proof=closed(at_choices.EQ4),
)  # fmt: skip
BOUND_4 = Cite(EQ4, (*closed(at_choices.EQ4).assumptions, choices.TRIANGLE, at_choices.LENGTHS))
_ASSUMED_5 = EQ5.repair.proof.assumptions if EQ5.repair else ()
BOUND_5 = Cite(EQ5, (*_ASSUMED_5, any_clients.FIRST, LENGTHS), repaired=True)
STABLE_SHOWN = obligation(
    zero_update.STABLE.name,
    (any_clients.QUARTER.conclusion, any_clients.ETA_SHOWN.conclusion, SMOOTH, LOCAL),
    zero_update.STABLE.relation,
)
LARGER = closed(
    (BOUND_4, BOUND_5, any_clients.ETA_SHOWN, any_clients.QUARTER, STABLE_SHOWN, *zero_update.NODES, ONE_MORE)
)
_ZERO = "where u_i = 0 any number ≥ 0 for GE/‖u_i‖, f_i(w) being f_i(w*) there as ηL < 2"
_BETTER = (
    "In Section 4.1, we compare the convergence results of both algorithms, showing that normalization has better asymptotic "
    "convergence than clipping in over-parameterized settings. (1 (a)) […] Theoretically, we argued that DP-NormFedAvg should have "
    "better asymptotic convergence than DP-FedAvg with clipping, at least in the over-parameterized case. (5)"
)
COMPARISON = (
    Claim("DAS-S4-A", PAPER, "Section 4, after Theorem 4", "prose",
          "the effect of the initialization term (A) cannot be diminished by increasing α",
          "true of A, which does not contain α. But the bounds that (2) and (3) give on their means have A divided by the factor on "
          "the left, 2 − ρE/α − ρ²E²/α² or 2 − ρ²E²/α²: from 4A/5 and 4A/7 at α = 2ρE it falls towards the A/2 of (4) and (5)",
          gap=Gap("reading", "of A in the bounds on the means, divided by the factor on the left",
                  closed((A_POSITIVE, FACTORS_RISE, A_SHRINKS))),
          repair=Repair("A does not contain α, and A divided by either factor is above A/2 at every α",
                        "of A itself; in the bounds on the means it is diminished, but not to A/2",
                        closed((ALPHA_FREE, A_POSITIVE, FACTORS_RISE, A_STAYS)), "A/2 is the limit: (4) and (5)")),
    Claim("DAS-T4b-MEANS", PAPER, "Theorem 4 (b), eq. (3)", "prose",
          "Algorithm 1 Option (ii), i.e. DP-NormFedAvg, has the following guarantee: (3)",
          "not a guarantee on f, though the word leaves open on what: the left-hand side weighs clients by 1/‖u_i‖ and can be "
          "negative while f(w) − f(w*) > 0",
          gap=Gap("reading", "a guarantee on f(w_k̃) − f(w*)", Witness(
              {"L": Fraction(1), "G": Fraction(2), "alpha": Fraction(1), "gamma": Fraction(1, 100), "rho": Fraction(1, 10),
               "w0": Fraction(1, 2)},
              "0 ≤ E mean_i (GE/‖u_i‖)(f_i(w_k̃) − f_i(w*)) in a run with f(w_k̃) > f(w*)", lambda v: _replay_negative(v),
              "two Huber functions around −1 and 1, K = E = 1, w₀ = 1/2, so that w_k̃ = w₀")),
          repair=Repair("where w* minimises every f_i and clients are drawn one by one, (3) holds with f(w_k̃) − f(w*) for the "
                        "weighted mean and (1 + 1/r − 1/n)G²/(2L) for G²/(2L)",
                        "over-parameterised: w* minimises every f_i; norm(0, C) := 0", closed(at_choices.ON_F),
                        "by DAS-OURS-NORM; 1/‖u‖ does not occur in it, so that a zero update does no harm")),
    EQ4,
    EQ5,
    Claim("DAS-OURS-INFINITE", PAPER, "ours, on B₂ of (3) and on (5)", "ours",
          "in one dimension, E[GE/‖u_i‖]Δ_i* = ∞ as soon as w_k̃ has a density of at least p > 0 near a minimiser of f_i, as it has "
          "after one noisy round, u_i ≠ 0 near it but at it (where u_i = 0 on more than that, GE/‖u_i‖ has no value there), and "
          "Δ_i* > 0",
          "‖u_i‖ ≤ LE|w − w_i*| gives E[1/‖u_i‖] ≥ (2p/(LE)) log(s/t) for every 0 < t < s; (3) then reads −∞ ≤ ∞ (what can be said in "
          "its place: DAS-S41-EQ5)",
          proof=closed(UNBOUNDED_NODES)),
    Claim("DAS-S41-LHS", PAPER, "Section 4.1", "prose",
          "Note that (GE/‖u_{k̃}^{(i)}‖) ≥ 1 because f_i is G-Lipschitz. So in situations where f_i(w_{k̃}) ≥ f_i(w*) for all i ∈ "
          "[n], the LHS of eq. (5) is at least as large the LHS of eq. (4)",
          "true of the displays, term by term at one w; read of the two numbers it is false, because w_k̃ is clipping's in (4) and "
          "normalisation's in (5), and the two methods do not visit the same w: where normalisation comes nearer to the minimiser its "
          "weighted gap can be the smaller one: in some problem with one minimiser of all f_i it is, for every α",
          gap=Gap("reading", "of the two numbers, each with the w_k̃ of its own method", left_sides.WITNESS),
          repair=Repair("where f_i(w) ≥ f_i(w*) for all i, mean_i (GE/‖u_i‖)(f_i(w) − f_i(w*)) ≥ mean_i (f_i(w) − f_i(w*))",
                        f"both sides at the same w; {_ZERO}", ABOVE, "GE/‖u‖ does not exist for u = 0"),
          consequence="equal right-hand sides do not say which method's mean of f is smaller, nor do the left-hand sides"),
    Claim("DAS-S41", PAPER, "Sections 1 (a) and 5, on Section 4.1", "prose", _BETTER,
          "true of the bounds: at one w the mean that (5) bounds is no smaller than (4)'s, with one right-hand side; the w_k̃ of "
          "(4) and (5) are two (DAS-S41-LHS). Of bounds on f itself the two have one limit (DAS-S41@best-gamma), and at a finite α "
          "normalisation's can be the worse (DAS-OURS-FINITE). Of the methods it is false in some over-parameterised problems: two "
          "upper bounds do not order them, and at the γ that is best for both bounds, nearly flat clients lead normalisation up the "
          "steep ones, at every α, so that it ends higher than clipping. The abstract, where “asymptotic” is missing, says more "
          "(DAS-ABSTRACT)",
          gap=Gap("reading", "of the methods, in every over-parameterised problem", best_gamma.WITNESS),
          repair=Repair("as α → ∞ (4) and (5) hold with one right-hand side, each at the w_k̃ of its own method; at one w the mean "
                        "that (5) bounds is no smaller than that of (4), and larger as soon as one client has f_i(w) > f_i(w*) and "
                        "0 < ‖u_i‖ < GE",
                        "of the bounds (DAS-S41-EQ4, DAS-S41-EQ5), at Theorem 4's choices; the means compared at one w; "
                        f"f_i(w) ≥ f_i(w*) for all i; norm(0, C) := 0, and {_ZERO}", LARGER,
                        "the bounds on E f(w_k̃) − f(w*) itself have one limit (DAS-S41@best-gamma)"),
          consequence="a better bound does not say which method ends lower"),
    Claim("DAS-ABSTRACT", PAPER, "Abstract", "prose",
          "We theoretically show that the resulting normalization-based private FL algorithm attains better convergence than its "
          "clipping-based counterpart on convex "
          "objectives in over-parameterized settings",
          "it says more than Sections 1 (a) and 5 (DAS-S41): of the algorithm itself, and without “asymptotic”, though the two bounds "
          "have one right-hand side only in the limit α → ∞. It is false in some over-parameterised problems, of runs as of "
          "guarantees: as α, and with it the number of rounds, grows, at the γ that is best for both bounds, clients that are nearly "
          "flat lead the normalised method up the steep ones (DAS-S41@best-gamma); in a short run a normalised step overshoots a near "
          "minimiser, for which one client and two rounds are enough (DAS-S31-CAUSE); and at a finite α the guarantee on f of "
          "normalisation can be the worse one (DAS-OURS-FINITE)",
          witness=best_gamma.WITNESS),
    VACUOUS,
)  # fmt: skip


def _replay_negative(v: Values) -> Comparison:
    """The weighted mean of (3) for K = E = 1, where w_k̃ = w₀; two Huber functions with minimisers −1 and 1, w* = 0."""
    L, G, at, one, zero = v["L"], v["G"], v["w0"], Fraction(1), Fraction(0)
    f = (huber(L, G, -one), huber(L, G, one))
    total = sum((G / abs(g.gradient(at)) * (g(at) - g(zero)) for g in f), zero) / 2
    gap = sum((g(at) - g(zero) for g in f), zero) / 2
    met = (("f_i convex", all(g.convex for g in f)), ("f_i L-smooth", all(g.smoothness <= L for g in f)),
           ("f_i G-Lipschitz", all(g.lipschitz <= G for g in f)), ("w* = 0 minimises f", sum(g.gradient(zero) for g in f) == 0),
           ("K = (2αγ/C)/ρ² = 1", printed.rounds_theorem4(v["alpha"], v["gamma"], G, v["rho"]) == one), ("α ≥ 1", v["alpha"] >= 1),
           ("E = 1 ≤ α/(2ρ), 0 < ρ < 1", v["alpha"] / (2 * v["rho"]) >= 1 and 0 < v["rho"] < 1), ("γ > 0", v["gamma"] > 0),
           ("no update is 0", all(g.gradient(at) != 0 for g in f)), ("f(w₀) > f(w*)", gap > 0))  # fmt: skip
    return Comparison(zero, "<=", total, met)


CLAIMS = (*DEFINITIONS, *COMPARISON)
