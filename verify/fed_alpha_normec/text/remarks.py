"""Sentences of Section 2 and Appendix C that no theorem carries."""

from __future__ import annotations

from fractions import Fraction

import sympy

from bounds.fed_alpha_normec import theorem1 as printed
from bounds.fed_alpha_normec.theorem2 import theorem2
from verify.claim import Gap, Repair, Values, Witness
from verify.computation import Comparison, Computation
from verify.curves import Quadratic
from verify.dp_normfedavg.claims import CLAIMS as EARLIER
from verify.facts import Fact, definition, equal, hypothesis, letters
from verify.fed_alpha_normec.letters import (
    BETA,
    CLIENTS,
    ETA,
    GAMMA,
    PARTICIPATION,
    ROUNDS,
    SMOOTH,
    SPREAD,
    K,
    L,
    M,
    N,
    claim,
    eta,
    values,
)
from verify.fed_alpha_normec.theorems.one_step import LETTERS
from verify.identity import Identity
from verify.induction import Induction
from verify.obligation import obligation
from verify.proof import Proof

ONE, HALF = Fraction(1), Fraction(1, 2)


def _convex() -> Comparison:
    """How many of the theorems of Das et al. begin by supposing convex and L-smooth f_i."""
    theirs = [found.printed for found in EARLIER if found.id in ("DAS-T4a", "DAS-T6", "DAS-T7")]
    supposed = [
        text.startswith(("Suppose each f_i is convex, L-smooth", "Suppose each f_i is convex and L-smooth"))
        for text in theirs
    ]
    return Comparison(Fraction(sum(supposed)), "==", Fraction(3))


# Section 2: which constants the step sizes need.
at_star, infima, own, f_inf, mean_gap, narrow, wide = letters(
    "f_at_star f_i_inf_mean Delta_i_mean f_inf Delta_inf small large"
)
STAR = definition(
    "x* minimises f: (1/M) Σ f_i(x*) = f(x*) = f^inf; means of Δ_i = f_i(x*) − min f_i and of f_i^inf = min f_i",
    equal(at_star, f_inf) & equal(own, at_star - infima) & equal(mean_gap, f_inf - infima),
)
SAME_CONSTANT = obligation("Δ^inf = (1/M) Σ Δ_i", (STAR,), equal(mean_gap, own))
anywhere = letters("f_or_f_i_at_x")[0]
NOT_NEGATIVE = hypothesis("f ≥ 0, and every f_i ≥ 0", anywhere >= 0)
KNOWN = obligation(
    "f^inf = 0 and f_i^inf = −1 are lower bounds, and Δ^inf = 1",
    (
        NOT_NEGATIVE,
        definition("f^inf = 0, (1/M) Σ f_i^inf = −1", equal(f_inf, 0) & equal(infima, -1)),
        definition("Δ^inf = f^inf − (1/M) Σ f_i^inf", equal(mean_gap, f_inf - infima)),
    ),
    (anywhere >= f_inf) & (anywhere >= infima) & equal(mean_gap, 1),
)
NEEDED = obligation(
    "the longest ηγ that Theorem 1 allows differs wherever Δ^inf does",
    (SMOOTH, ROUNDS, hypothesis("0 < Δ^inf < Δ^inf of another problem", (narrow > 0) & (narrow < wide))),
    narrow / (4 * L * sympy.sqrt(2 * L)) / (K + 1) < wide / (4 * L * sympy.sqrt(2 * L)) / (K + 1),
)

# What known lower bounds say of the Δ_j* of Das et al.: f_j(x*) = Mf(x*) − Σ_{i≠j} f_i(x*).
n, others_, f_i_, low, f_j, min_j, f_start = letters("n Σf_i(x*) f_i(x*) l f_j(x*) min_f_j f(x⁰)")
_BOUNDED_BY = hypothesis("f_i ≥ l for every i, l known", f_i_ >= low)
_OTHERS = Fact("Σ_{i≠j} f_i(x*) ≥ nl", others_ >= n * low, "derived")
OTHERS = Induction(
    _OTHERS.name,
    _OTHERS,
    obligation("no other client", (), sympy.true),
    obligation("one other client more", (_OTHERS, _BOUNDED_BY), others_ + f_i_ >= (n + 1) * low),
    start=((n, 0), (others_, 0)),
    next=((n, n + 1), (others_, others_ + f_i_)),
)
_LEAST_VALUE = hypothesis(
    "x* minimises f: (f_j(x*) + Σ_{i≠j} f_i(x*))/M = f(x*) ≤ f(x⁰); l ≤ min f_j ≤ f_j(x*)",
    (f_j + others_ <= M * f_start) & (low <= min_j) & (min_j <= f_j),
)
THEIRS_KNOWN = obligation(
    "0 ≤ Δ_j* ≤ M(f(x⁰) − l) for Δ_j* = f_j(x*) − min f_j, so that Ĉ = 4√(LM(f(x⁰) − l)) is allowed",
    (SMOOTH, CLIENTS, _OTHERS.at({n: M - 1}), _LEAST_VALUE),
    (f_j - min_j >= 0)
    & (f_j - min_j <= M * (f_start - low))
    & (4 * sympy.sqrt(L * M * (f_start - low)) >= 4 * sympy.sqrt(L * (f_j - min_j))),
)


def _from_lower_bounds(v: Values) -> Comparison:
    """f_1 = (x − c)²/2, f_2 = (x + c)²/2, of which f_i ≥ 0 and f(x⁰) are known: the Ĉ² of `THEIRS_KNOWN` against 16L max_j Δ_j*."""
    parts = [Quadratic(ONE, v["centre"]), Quadratic(ONE, -v["centre"])]
    start = sum((f.value(v["x"]) for f in parts), Fraction(0)) / 2
    gaps = [f.value(Fraction(0)) - f.value(f.centre) for f in parts]
    met = (
        ("x* = 0 minimises f", sum(f.gradient(Fraction(0)) for f in parts) == 0),
        ("every f_i ≥ 0", min(f.value(f.centre) for f in parts) >= 0),
    )
    return Comparison(16 * 2 * start, "<", 16 * max(gaps), met)


# Das et al.: Theorem 6 takes any η < 1/(2L); its threshold depends on the Δ_j*.
E, C_hat, rho, spread, free = letters("E C_hat rho Delta_max gamma_das")
ANY_STEP = obligation(
    "γ = ηĈLEKρ > 0 gives that η and meets K > 2γ/(ĈE)/ρ",
    (
        SMOOTH,
        hypothesis("0 < η < 1/(2L)", (eta > 0) & (eta < 1 / (2 * L))),
        hypothesis("E, K ≥ 1, ρ > 0", (E >= 1) & (K >= 1) & (rho > 0)),
        hypothesis(
            "Ĉ ≥ 4√(L max_j Δ_j*), Ĉ > 0", (spread >= 0) & (C_hat > 0) & (C_hat >= 4 * sympy.sqrt(L * spread))
        ),
        definition("γ of their Theorem 6", equal(free, eta * C_hat * L * E * K * rho)),
    ),
    (free > 0) & equal(eta, free / (C_hat * L * E * K) / rho) & (K > 2 * free / (C_hat * E) / rho),
)

# The same at a fixed γ.
other, step = letters("Delta_max_other eta_das")
_PLAN = hypothesis("E, K ≥ 1, ρ, γ > 0", (E >= 1) & (K >= 1) & (rho > 0) & (free > 0))
_THRESHOLD = hypothesis(
    "η = γ/(ĈLEK)/ρ, Ĉ ≥ 4√(L max_j Δ_j*), Ĉ > 0, max_j Δ_j* > 0",
    (C_hat > 0) & (spread > 0) & (C_hat >= 4 * sympy.sqrt(L * spread)) & equal(step * C_hat * L * E * K * rho, free),
)  # fmt: skip
_OTHER = hypothesis("a larger max_j Δ_j*", other > spread)


def _longest(gap: sympy.Expr) -> sympy.Expr:
    return free / (4 * sympy.sqrt(L * gap) * L * E * K * rho)


_MANY_ROUNDS = hypothesis(
    "γ/(4√(L max_j Δ_j*)LEKρ) < 1/(2L): with that step K > (2γ/(ĈE))/ρ", _longest(spread) < 1 / (2 * L)
)
LONGEST = obligation(
    "η ≤ γ/(4√(L max_j Δ_j*)LEKρ), which Ĉ = 4√(L max_j Δ_j*) reaches, with K > (2γ/(ĈE))/ρ",
    (_PLAN, _THRESHOLD, _MANY_ROUNDS),
    (step <= _longest(spread))
    & sympy.Implies(
        equal(C_hat, 4 * sympy.sqrt(L * spread)),
        equal(step, _longest(spread)) & (K * C_hat * E * rho > 2 * free),
    ),
)
SHORTER = obligation(
    "which is smaller for a larger max_j Δ_j*",
    (SMOOTH, _PLAN, _THRESHOLD, _OTHER),
    _longest(other) < _longest(spread),
)

# Appendix C: when the term of incremental gradients vanishes.
own_inf, total = letters("f_i_inf total_inf")
SHARED = hypothesis(
    "all f_{i,j} have the infimum f_i^inf: Σ_j f_{i,j}^inf = N f_i^inf", equal(total, N * own_inf)
)
SOME_PARTS = hypothesis("N ≥ 1", N >= 1)
VANISHES = obligation(
    "f_{i,j}^inf = f_i^inf for every j gives f_i^inf − (1/N) Σ f_{i,j}^inf = 0",
    (SHARED, SOME_PARTS),
    equal(own_inf - total / N, 0),
)
RECOVERED = Identity(
    "Theorem 2 with that term at 0 is Theorem 1 of F.2 for T ≥ 2",
    theorem2(**LETTERS, Delta_local=sympy.Integer(0)),
    printed.theorem1_appendix(T=sympy.Integer(2), **LETTERS),
    (ETA, BETA, GAMMA, SMOOTH, SPREAD, ROUNDS, CLIENTS, PARTICIPATION),
)


def _shared(v: Values) -> Comparison:
    """Appendix C's Δ_i^inf = f^inf − (1/N) Σ f_{i,j}^inf for f_{1,j} = (x − c)²/2, f_{2,j} = (x + c)²/2: f_{i,j}^inf = f_i^inf = 0."""
    parts = [Quadratic(ONE, v["centre"]), Quadratic(ONE, -v["centre"])]
    infima_ = [g.value(g.centre) for g in parts]
    lowest = sum((g.value(Fraction(0)) for g in parts), Fraction(0)) / 2
    met = (
        ("x = 0 minimises f", sum(g.gradient(Fraction(0)) for g in parts) == 0),
        ("every f_{i,j} has the infimum of f_i", infima_ == [0, 0]),
    )
    return Comparison(sum((lowest - i for i in infima_), Fraction(0)) / 2, "==", Fraction(0), met)


def _one_step_for_all(v: Values) -> Comparison:
    """The step size η = γ/(ĈLEK)/ρ of their Theorem 6 on two problems, with the γ that is chosen for each."""
    steps, met = [], []
    for name in ("1", "2"):
        threshold, gap, free = v[f"C_hat_{name}"], v[f"Delta_{name}"], v[f"gamma_{name}"]
        steps.append(free / (threshold * v["L"] * v["E"] * v["K"]) / v["rho"])
        met += [
            (f"Ĉ ≥ 4√(L max_j Δ_j*), problem {name}", threshold**2 >= 16 * v["L"] * gap),
            (f"K > 2γ/(ĈE)/ρ, problem {name}", v["K"] > 2 * free / (threshold * v["E"]) / v["rho"]),
            (f"γ, Ĉ > 0, problem {name}", min(free, threshold) > 0),
        ]
    met += [("L > 0, E, K ≥ 1, 0 < ρ < 1", v["L"] > 0 and min(v["E"], v["K"]) >= 1 and 0 < v["rho"] < 1)]
    return Comparison(steps[0], "!=", steps[1], (*met, ("Δ differs", v["Delta_1"] != v["Delta_2"])))


CLAIMS = (
    claim(
        "FED-S2-STEP",
        "Section 2, on Das et al., against Theorem 1 and Corollaries 2 to 6",
        "prose",
        "their results are limited to convex, smooth problems and require a stepsize to depend on an inaccessible "
        "constant Δ_i := f_i(x*) − min_{x∈ℝ^d} f_i(x), […] our theoretical stepsizes can be implemented in practice.",
        "Theorem 1's condition on ηγ, η̂ of Corollaries 3 and 5 and the limit of γ in Corollaries 2, 4 and 6 contain Δ^inf. Where the "
        "f^inf are infima that is the mean of those very constants. Assumption 1 asks for lower bounds only, and with known ones "
        "Δ^inf is known: 1 for f^inf = 0 and f_i^inf = −1, where no loss is negative.",
        gap=Gap(
            "reading",
            "Theorem 1's condition on ηγ, the f^inf being infima",
            Proof(
                (SMOOTH, hypothesis("0 < Δ^inf < Δ^inf of another problem", (narrow > 0) & (narrow < wide))),
                (SAME_CONSTANT, NEEDED),
            ),
        ),
        repair=Repair(
            "With known lower bounds for f^inf and the f_i^inf Δ^inf is known: where neither f nor any f_i is negative, it is 1 for "
            "f^inf = 0 and f_i^inf = −1.",
            "the f^inf as lower bounds, not as infima",
            Proof((NOT_NEGATIVE,), (KNOWN,)),
        ),
        consequence="A larger Δ^inf allows a larger ηγ and makes the term in Δ^inf larger for T > 1. The steps of FED-R2-SHARP "
        "depend on L, α, β and R alone, whatever the f^inf are.",
    ),
    claim(
        "FED-S2-STEP@contrast",
        "Section 2, on Das et al., as a contrast of two step sizes",
        "prose",
        "require a stepsize to depend on an inaccessible constant Δ_i := f_i(x*) − min_{x∈ℝ^d} f_i(x), […] our theoretical stepsizes "
        "can be implemented in practice. [as a contrast: what theirs needs cannot be had where what ours needs is known]",
        "There is no such contrast: of infima both need the same constants, whose mean Δ^inf is, and with known lower bounds both can "
        "be had. With f_i ≥ l their Δ_j* are at most M(f(x⁰) − l), which gives a threshold Ĉ that their Theorem 6 allows.",
        witness=Witness(
            values(centre=1, x=0),
            "no Ĉ ≥ 4√(L max_j Δ_j*) from f(x⁰) and f_i ≥ 0",
            _from_lower_bounds,
            "f_i = ½(x ∓ 1)², L = 1, x⁰ = 0: Ĉ = 4 from what is known, and 4/√2 is enough",
            universal=Proof(
                (
                    SMOOTH,
                    _BOUNDED_BY,
                    _LEAST_VALUE,
                    hypothesis("0 < Δ^inf < Δ^inf of another problem", (narrow > 0) & (narrow < wide)),
                ),
                (OTHERS, THEIRS_KNOWN, SAME_CONSTANT, NEEDED),
            ),
        ),
        consequence="FED-R2-SHARP has the contrast that is meant: its steps contain no Δ.",
    ),
    claim(
        "FED-S2-DAS",
        "Section 2 and Section 3, on Das et al., arXiv 2106.07094 in the version checked here",
        "prose",
        "[12] […] their results are limited to convex, smooth problems and require a stepsize to depend on an "
        "inaccessible constant Δ_i := f_i(x*) − min_{x∈ℝ^d} f_i(x)",
        "The step size of their Theorem 6, η = γ/(ĈLEK) · 1/ρ with Ĉ ≥ 4√(L max_j Δ_j*), does at a given γ. But γ is “a constant of "
        "our choice”: moved with Ĉ it gives every η < 1/(2L) whatever the Δ_j* are, and then the clipping threshold alone depends on "
        "them. Theorem 4's step has no Δ_j* in it. (That the f_i are convex and L-smooth their Theorems 4, 6 and 7 all suppose.)",
        gap=Gap(
            "reading",
            "at a γ that is moved with the Δ_j*",
            Witness(
                values(
                    Delta_1=1,
                    C_hat_1=4,
                    gamma_1=1,
                    Delta_2=4,
                    C_hat_2=8,
                    gamma_2=2,
                    L=1,
                    E=2,
                    K=5,
                    rho="1/10",
                ),
                "the step size differs where max_j Δ_j* does",
                _one_step_for_all,
                "max_j Δ_j* = 1 and 4, Ĉ = 4 and 8, γ = 1 and 2: η = 1/4 for both",
                universal=Proof(
                    (SMOOTH, *(f for f in ANY_STEP.given if f.origin == "hypothesis" and f != SMOOTH)),
                    (ANY_STEP,),
                ),
            ),
        ),
        repair=Repair(
            "At a given γ the longest step that is allowed is γ/(4√(L max_j Δ_j*)LEKρ), which falls as max_j Δ_j* grows, where that "
            "is below 1/(2L). Their Theorems 4, 6 and 7 suppose convex and L-smooth f_i.",
            "Theorem 6, γ not moved with the Δ_j*; γ/(4√(L max_j Δ_j*)LEKρ) < 1/(2L), its condition on K",
            Proof(
                (SMOOTH, _PLAN, _THRESHOLD, _MANY_ROUNDS, _OTHER),
                (
                    LONGEST,
                    SHORTER,
                    Computation(
                        "Theorems 4, 6 and 7 that suppose convex and L-smooth f_i", "enumeration", _convex
                    ),
                ),
            ),
        ),
    ),
    claim(
        "FED-S2-DAS@fixed-gamma",
        "Section 2 and Section 3, on Das et al., Theorem 6 in arXiv 2106.07094 in the version checked here, γ fixed",
        "prose",
        "[12] […] require a stepsize to depend on an inaccessible constant Δ_i := f_i(x*) − min_{x∈ℝ^d} f_i(x) [η = γ/(ĈLEK) · 1/ρ "
        "with Ĉ ≥ 4√(L max_j Δ_j*), at a γ that is not moved with the Δ_j*, and so many rounds that γ/(4√(L max_j Δ_j*)LEKρ) < "
        "1/(2L)]",
        "At a given γ the longest step that is allowed is γ/(4√(L max_j Δ_j*)LEKρ), which falls as max_j Δ_j* grows. (With fewer "
        "rounds the limit is 1/(2L), by Theorem 6's condition on K. Moving γ with max_j Δ_j* takes it back: FED-S2-DAS.)",
        proof=Proof((SMOOTH, _PLAN, _THRESHOLD, _MANY_ROUNDS, _OTHER), (LONGEST, SHORTER)),
    ),
    claim(
        "FED-T2-SAME",
        "Appendix C, local IG steps",
        "prose",
        "Δ_i^inf = f^inf − (1/N) Σ_{j=1}^N f_{i,j}^inf. This error vanishes if all functions f_{i,j} share the same "
        "infimum f_i^inf, in which case we recover the previous result for the local GD setting.",
        "With Appendix C's Δ_i^inf the mean under the root is then Δ^inf, which the theorem assumes to be "
        "positive; it vanishes with Lemma 8's Δ_i^inf = f_i^inf − (1/N)Σ f_{i,j}^inf.",
        witness=Witness(
            values(centre=1),
            "(1/M) Σ Δ_i^inf = 0",
            _shared,
            "M = N = 2, f_{1,j} = (x − 1)²/2, f_{2,j} = (x + 1)²/2: all infima are 0, f^inf = 1/2",
        ),
        repair=Repair(
            "With Δ_i^inf of Lemma 8 the term vanishes and Theorem 2's bound is that of F.2 for T ≥ 2.",
            "f_i^inf for f^inf, and Δ_i^inf ≥ 0 for > 0",
            Proof(
                (ETA, BETA, GAMMA, SMOOTH, SPREAD, PARTICIPATION, SHARED, SOME_PARTS), (VANISHES, RECOVERED)
            ),
        ),
    ),
)
