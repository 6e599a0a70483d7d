"""α-NormEC's privacy statements in the range that the paper calls usual, ε ≤ 10 and δ ≪ 1/n, and to the letter of its O(·)."""

from __future__ import annotations

from fractions import Fraction

import sympy

from verify.claim import Claim, Gap, Repair, Values, Witness
from verify.computation import Comparison, Computation
from verify.facts import Fact, definition, equal, hypothesis
from verify.identity import Limit
from verify.obligation import obligation
from verify.privacy import hidden_draws
from verify.privacy.alpha_normec import (
    CHOSEN,
    EQUATION3,
    LEVEL,
    PAPER,
    corollary2_variance,
    long_messages,
    scale_invariance,
    values,
)
from verify.privacy.arguments import (
    ANY_CONSTANT,
    CLOSED_FORM,
    NOISE_WITH_CONSTANT,
    POSITIVE,
    PRIVATE,
    SENSITIVITY,
    K,
    L,
    c,
    enough,
    epsilon,
    s,
    sigma,
)
from verify.privacy.mechanisms import least_certain, log_inverse
from verify.privacy.memories import FROM_THE_DATA, public
from verify.privacy.rigorous import below, iv, number, sqrt, tail
from verify.proof import Node, Proof

F = Fraction


def _too_little(v: Values) -> Comparison:
    """σ_DP = c √((K+1) log(1/δ))/ε with c ≤ M: it is O(·) by Section 3.1's definition."""
    had = least_certain(
        v["epsilon"],
        int(v["releases"]),
        corollary2_variance(v["c"], int(v["releases"]), v["epsilon"], v["delta"]),
        int(v["s"]),
    )
    presupposed = (*long_messages(v), ("σ_DP ≤ M √((K+1) log(1/δ))/ε with M > 0", 0 < v["c"] <= v["M"]))
    return Comparison(had, "<=", v["delta"], presupposed)


LETTER = Claim(
    "NEC-C2-DP@O-as-defined",
    PAPER,
    "Corollary 2, with Section 3.1's definition of O",
    "privacy",
    "[Section 3.1:] we write f(x) = O(g(x)) if f(x) ≤ M · g(x) for some M > 0 [Corollary 2:] If σ_DP = O(√((K+1) log(1/δ)) ϵ⁻¹), "
    "β = β₀/(K+1) with β₀ ≤ ∆ ⁴√(nϵ²/(d log(1/δ))), and α > β₀, then Algorithm 1 satisfies (ϵ, δ)-DP.",
    "O(·) bounds from above, and privacy needs noise bounded from below: σ_DP a thousandth of the bound, or 0, satisfies "
    "the hypothesis.",
    witness=Witness(
        values(**{**LEVEL, **CHOSEN, "c": F(1, 1000), "M": 1, "s": 1, "releases": 301}),
        "the true δ at ε = 8 is at most 1e-5",
        _too_little,
        "K = 300; a client whose gradient stays G e, e a unit vector, so that its messages are nearly e, against absence",
    ),
    repair=Repair(
        PRIVATE,
        "“at least”, with the constant written out; parameters and memories that are no release",
        enough(CLOSED_FORM),
    ),
)

t, a, b, e, k = (
    sympy.Symbol(name, real=True) for name in ("t", "root_L", "root_L_epsilon", "root_1_t", "root_K")
)
RANGE = hypothesis("ε ≤ t ln(1/δ), t > 0", sympy.And(t > 0, epsilon <= t * L))
CONSTANT = hypothesis("c = s (1 + √(1 + t))/√2", equal(c * sympy.sqrt(2), s * (1 + sympy.sqrt(1 + t))))
ROOTS = definition(
    "letters for √L, √(L+ε), √(1+t), √K",
    sympy.And(
        a >= 0,
        b >= 0,
        e >= 0,
        k >= 0,
        equal(a**2, L),
        equal(b**2, L + epsilon),
        equal(e**2, 1 + t),
        equal(k**2, K),
    ),
)


def _some_constant(noise: Fact, assumed: tuple[Fact, ...], shown: tuple[Node, ...] = ()) -> Proof:
    """Some c for every range ε ≤ t ln(1/δ). noise: σ = c √(K L)/ε or more, which is among the `assumed` facts or `shown` from them."""
    given = (*POSITIVE, SENSITIVITY, *assumed, CONSTANT, RANGE)
    roots = obligation("√(L + ε) ≤ √(1 + t) √L", (*POSITIVE, RANGE, ROOTS), b <= e * a)
    letters = obligation(
        "σ ε √2 ≥ s (1 + √(1+t)) √K √L",
        (*POSITIVE, SENSITIVITY, noise, CONSTANT, RANGE, ROOTS),
        sigma * epsilon * sympy.sqrt(2) >= s * (1 + e) * k * a,
    )
    closed = obligation(
        "σ ≥ s √(K/2) (√L + √(L + ε))/ε",
        (*POSITIVE, SENSITIVITY, RANGE, ROOTS, roots.conclusion, letters.conclusion),
        CLOSED_FORM.relation,
    )
    numbers = (
        Computation("ε ≤ 10 and δ ≤ 1e-5: ε/ln(1/δ) ≤ 0.87", "accounting",
                    lambda: Comparison(F(10), "<=", F(87, 100) * below(log_inverse(F(1, 10**5))))),
        obligation("2(1 + √1.87)/√2 ≤ 3.35", (), sympy.Le(
            2 * (1 + sympy.sqrt(sympy.Rational(187, 100))), sympy.Rational(335, 100) * sympy.sqrt(2), evaluate=False)),
    )  # fmt: skip
    return Proof(given, (*numbers, *shown, roots, letters, closed, *enough(closed.conclusion).nodes))


USUAL = Claim(
    "NEC-C2-DP@usual-range",
    PAPER,
    "Corollary 2, with Section 3.3's range",
    "privacy",
    "we usually choose ϵ ≤ 10 and δ ≪ 1/n […] If σ_DP = O(√((K+1) log(1/δ)) ϵ⁻¹), […] then Algorithm 1 satisfies (ϵ, δ)-DP "
    "[read as: for every t some constant c in the place of O is enough for all ϵ ≤ t log(1/δ)]",
    "c = s (1 + √(1+t))/√2 is such a constant for the noisy messages; with ε ≤ 10 and δ ≤ 1e-5, t < 0.87 and c = 3.35 "
    "(replace-one) is enough. Where the memories come from is not said, and no noise hides those that come from the data.",
    repair=public(
        "For every t the constant c = s (1 + √(1+t))/√2, s = 2 (replace-one) or 1 (a client that is removed still sends noise "
        "alone), is enough for all ε ≤ t log(1/δ), σ_DP being that of each coordinate and the noise drawn anew for every message",
        _some_constant(NOISE_WITH_CONSTANT, (NOISE_WITH_CONSTANT,)),
    ),
    gap=FROM_THE_DATA,
    consequence="the corollary's privacy stands in the range that the paper has in mind, for full participation, public "
    "memories and step sizes, and a constant of this size (not 1: NEC-C2-DP@constant-1)",
)


def _sampled(v: Values) -> Comparison:
    """Eq. (2) with B = 1 and K = 1, in units of Φ: point 1 has Ψ = e on one data set and 0 on the other, all others 0.

    Event: the released coordinate exceeds 1/2. Its probability is at least (1/n) Φ(1/(2σ)) on the first data set and
    Φ(−1/(2σ)) on the second, with the printed σ² = c (B/n)² K ln(1/δ)/ε².
    """
    size = v["c"] * (v["B"] / v["n"]) ** 2 * v["K"] / v["epsilon"] ** 2
    half = number(F(1, 2)) / sqrt(number(size) * log_inverse(v["delta"]))
    had = below(number(1 / v["n"]) * (1 - tail(half)) - iv.exp(number(v["epsilon"])) * tail(half))
    return Comparison(had, "<=", v["delta"], (
        ("c > 0", v["c"] > 0),
        ("0 < ε ≤ 10", 0 < v["epsilon"] <= 10),
        ("0 < δ ≪ 1/n: nδ ≤ 1e-5", 0 < v["delta"] * v["n"] <= F(1, 10**5)),
        ("one point a step, one step", v["B"] == v["K"] == 1 and v["n"] > 1),
    ))  # fmt: skip


_n = sympy.Symbol("n", real=True)
_SIGNS = hypothesis("c, ε > 0", (c > 0) & (epsilon > 0))
_VARIANCE = c * 2 * sympy.log(_n) / (_n**2 * epsilon**2)
"""Of (3) with B = K = 1 and δ = 1/n², in units of Φ²."""
SAMPLED = Claim(
    "NEC-EQ3@usual-range",
    PAPER,
    "eq. (3), Section 3.3, with ϵ ≤ 10 and δ ≪ 1/n",
    "privacy",
    "The method (2) achieves (ϵ, δ)-DP (Abadi et al., 2016) if […] σ²_DP ≥ Φ² · cB²/n² · K log(1/δ)/ϵ², where c > 0 is a constant […] "
    "we usually choose ϵ ≤ 10 and δ ≪ 1/n.",
    "No constant works there either: with one point of n a step, (3) lets the noise fall like √log n/n, and whoever is drawn, "
    "with probability 1/n ≫ δ, is seen. Theorem 1 of Abadi et al., which is cited for it, asks for ε < c₁B²K/n², which is not "
    "printed; with it: NEC-EQ3@usual-range,as-cited.",
    witness=Witness(
        {name: F(x) for name, x in {"c": 100, "B": 1, "n": 10**5, "K": 1, "epsilon": 1, "delta": F(1, 10**10)}.items()},
        "the true δ at ε = 1 is at most 1e-10",
        _sampled,
        "n = 100,000 points, B = 1, K = 1: z has standard deviation 4.8e-4 Φ",
        universal=Proof(
            (_SIGNS,),
            (
                Limit("for every c: the variance → 0 as n → ∞, with δ = 1/n²", _VARIANCE, _n, sympy.oo, sympy.Integer(0), "-",
                      (_SIGNS,)),
                Limit("n e^(−1/(8σ²)) → 0: noise alone exceeds 1/2, which has probability below e^(−1/(8σ²)), much less often than "
                      "the drawn point is seen", _n * sympy.exp(-1 / (8 * _VARIANCE)), _n, sympy.oo, sympy.Integer(0), "-",
                      (_SIGNS,)),
            ),
        ),
    ),
    repair=EQUATION3,
    consequence="eq. (3) is not to be used as a formula for the noise of small batches; where B² ≥ n it is one: "
    "NEC-EQ3@usual-range,large-batches",
)  # fmt: skip
_Phi, _B, _sent = (sympy.Symbol(name, real=True) for name in ("Phi", "B", "sigma_DP"))
_BATCHES = hypothesis("Φ > 0, n ≥ 1, B ≥ 1 and B² ≥ n", (_Phi > 0) & (_n >= 1) & (_B >= 1) & (_B**2 >= _n))
_EQUATION3 = hypothesis(
    "(3), its constant written as c²: σ_DP² ≥ Φ² c² B²/n² · K L/ε², σ_DP > 0",
    (_sent > 0) & (_sent**2 * _n**2 * epsilon**2 >= _Phi**2 * c**2 * _B**2 * K * L),
)
_UNIT = definition(
    "σ = Bσ_DP/Φ: the mean of B messages moves by sΦ/B at most", equal(sigma * _Phi, _B * _sent)
)
_IN_UNITS = obligation(
    "σ² ≥ c² K L/ε², as B² ≥ n",
    (*POSITIVE, _BATCHES, _EQUATION3, _UNIT),
    (sigma > 0) & (sigma**2 * epsilon**2 >= c**2 * K * L),
)
LARGE = Claim(
    "NEC-EQ3@usual-range,large-batches",
    PAPER,
    "eq. (3), Section 3.3, with ϵ ≤ 10 and δ ≪ 1/n, batches of √n points or more",
    "privacy",
    "The method (2) achieves (ϵ, δ)-DP (Abadi et al., 2016) if z^k is zero-mean Gaussian noise with variance σ²_DP ≥ Φ² · cB²/n² · "
    "K log(1/δ)/ϵ², where c > 0 is a constant […] we usually choose ϵ ≤ 10 and δ ≪ 1/n [read as: for every t some constant c is "
    "enough for all ϵ ≤ t log(1/δ), where B² ≥ n, σ²_DP is the variance in each coordinate, z^k is drawn anew in every step, and x⁰, "
    "γ and B_k do not depend on the data]",
    "c = s² (1 + √(1+t))²/2 is such a constant, s = 2 (a point replaced) or 1 (Ψ of a point replaced by 0); with ε ≤ 10 and "
    "δ ≤ 1e-5 c = 11.3 is enough. (2) adds z^k to the mean of B messages, and where B² ≥ n, as with full batches, (3) asks for so "
    "much that who is drawn need not be hidden. With smaller batches it has to be, and K has to be large (NEC-EQ3@usual-range, and "
    "NEC-EQ3@usual-range,as-cited).",
    proof=_some_constant(_IN_UNITS.conclusion, (_BATCHES, _EQUATION3), (_IN_UNITS,)),
    consequence="With full batches, B = n, as 6.1 has them, c = 11.3/n² is enough.",
)


def _vector(v: Values) -> Comparison:
    """σ_DP² = c Φ²B²/n² · K ln(1/δ)/ε² as the variance of the whole vector, with the message of a point that is e or 0.

    Event: along e some step shows more than 1/2, in units of Φ/B. With the message it is so if the point is drawn at all, unless the
    noise of the first such step is below −1/2; without it the noise of one of K steps has to be above 1/2.
    """
    q = v["B"] / v["n"]
    size = v["c"] * q**2 * v["B"] ** 2 * v["K"] / (v["epsilon"] ** 2 * v["d"])
    half = tail(number(F(1, 2)) / sqrt(number(size) * log_inverse(v["delta"])))
    drawn = 1 - iv.exp(-number(q * v["K"]))
    had = below(drawn * (1 - half) - iv.exp(number(v["epsilon"])) * number(v["K"]) * half)
    return Comparison(had, "<=", v["delta"], (
        ("c, c₁ > 0", v["c"] > 0 and v["c_1"] > 0),
        ("0 < ε ≤ 10", 0 < v["epsilon"] <= 10),
        ("0 < δ ≪ 1/n: nδ ≤ 1e-5", 0 < v["delta"] * v["n"] <= F(1, 10**5)),
        ("1 ≤ B ≤ n", 1 <= v["B"] <= v["n"]),
        ("ε < c₁B²K/n²", v["epsilon"] < v["c_1"] * q**2 * v["K"]),
    ))  # fmt: skip


_d = sympy.Symbol("d", real=True)
_OF_ONE = c * K * L / (_n**2 * epsilon**2 * _d)
"""The variance of a coordinate for B = 1, in units of Φ², where (3) is that of the whole vector."""
_ALLOWED = hypothesis("c, K, L, n, ε > 0", (c > 0) & (K > 0) & (L > 0) & (_n > 0) & (epsilon > 0))
WHOLE_VECTOR = Gap(
    "reading",
    "σ²_DP is the variance of the whole vector, E‖z^k‖²",
    Witness(
        {name: F(x) for name, x in {"c": 100, "c_1": 1, "B": 1, "n": 1000, "K": 10**7, "epsilon": 1, "delta": F(1, 10**8),
                                    "d": 10**7}.items()},
        "the true δ at ε = 1 is at most 1e-8",
        _vector,
        "n = 1,000 points, one a step, ten million steps in ten million dimensions; Ψ of one point is Φe, e a unit vector, on one "
        "data set and 0 on the other, and 0 of all others",
        universal=Proof(
            (_ALLOWED,),
            (
                Limit("for every c and K: K e^(−1/(8σ²)) → 0 as d → ∞, σ² the variance of a coordinate",
                      K * sympy.exp(-1 / (8 * _OF_ONE)), _d, sympy.oo, sympy.Integer(0), "-", (_ALLOWED,)),
            ),
        ),
    ),
)  # fmt: skip
_DRAWN = hypothesis(
    "Φ > 0; B = qn points a step in the mean, 1 ≤ B ≤ n",
    (_Phi > 0) & equal(hidden_draws.q * _n, _B) & (_B >= 1) & (_n >= _B),
)
_CITED_RANGE = hypothesis("ε < c₁B²K/n²", epsilon * _n**2 < hidden_draws.c_1 * _B**2 * K)
_CITED_NOISE = hypothesis(
    "(3): σ_DP² ≥ Φ² cB²/n² · K L/ε², σ_DP > 0",
    (_sent > 0) & (_sent**2 * _n**2 * epsilon**2 >= _Phi**2 * c * _B**2 * K * L),
)
_SHARE = obligation("0 < q ≤ 1", (_DRAWN,), hidden_draws.DRAWN.relation)
_MANY = obligation("ε < c₁q²K", (_DRAWN, _CITED_RANGE), hidden_draws.MANY.relation)
_LOUD = obligation(
    "σ² ≥ c q²KL/ε²",
    (*POSITIVE[1:], hidden_draws.MOVED, hidden_draws.CONSTANTS, _DRAWN, _CITED_NOISE, _UNIT),
    hidden_draws.NOISE.relation,
)
CITED = Claim(
    "NEC-EQ3@usual-range,as-cited",
    PAPER,
    "eq. (3), Section 3.3, with ϵ ≤ 10 and δ ≪ 1/n, and with what Theorem 1 of Abadi et al. (2016) asks for",
    "privacy",
    "The method (2) achieves (ϵ, δ)-DP (Abadi et al., 2016) if […] σ²_DP ≥ Φ² · cB²/n² · K log(1/δ)/ϵ², where c > 0 is a constant […] "
    "we usually choose ϵ ≤ 10 and δ ≪ 1/n. [read as: for every t some constants c and c₁ are enough for all ϵ ≤ t log(1/δ), "
    "ε < c₁B²K/n² and K steps in which each point is in B_k with probability B/n, by itself and unseen]",
    f"Right of Gaussian noise of that variance in each coordinate, drawn anew in every step: {hidden_draws.USUAL}. Of the variance of "
    "the whole vector, as Appendix G has it, no constants are enough in all dimensions. (The cited theorem's own proof takes "
    "B/n < 1/(16σ), which (3) does not give where K is large; this one does not, NEC-OUR-EQ3.)",
    repair=Repair(
        "For every t > 0 the constants c = 7.2 s²(1 + t)² and c₁ = 0.9 s(1 + t) are enough, s = 1 where Ψ of a point is 0 on one of "
        "the data sets, s = 2 where it is replaced, with σ²_DP the variance in each coordinate, z^k Gaussian and drawn anew in every "
        "step, and x⁰ and γ that do not depend on the data.",
        "σ²_DP in each coordinate, z^k drawn anew in every step, x⁰ and γ without the data",
        hidden_draws.enough_unseen(
            _LOUD.conclusion,
            _SHARE.conclusion,
            _MANY.conclusion,
            (_DRAWN, _CITED_RANGE, _CITED_NOISE),
            (_SHARE, _MANY, _LOUD),
        ),
        "less noise does by the accountant; B² ≥ n needs neither the sampling nor ε < c₁B²K/n² (NEC-EQ3@usual-range,large-batches); "
        "for B = 1 no constant is enough without the latter (NEC-EQ3@usual-range)",
    ),
    gap=WHOLE_VECTOR,
    consequence="(3) is a formula for the noise of small batches where their draws stay secret and K is at least of the order of "
    "εn²/B².",
)

tau, mu_t, mu_u, u = (sympy.Symbol(name, real=True) for name in ("tau", "mu_tau", "mu_tau_2", "tau_2"))
_length = sympy.Symbol("‖g‖", real=True)
_SCALED_WITH_TAU = scale_invariance()
_FIXED = hypothesis(
    "σ > 0, s > 0, K > 0 fixed; 0 < τ < τ₂", sympy.And(sigma > 0, s > 0, K > 0, tau > 0, tau < u)
)
_SHIFTS = definition(
    "μ = sτ√K/σ for each threshold",
    sympy.And(equal(mu_t * sigma, s * tau * sympy.sqrt(K)), equal(mu_u * sigma, s * u * sympy.sqrt(K))),
)
SMALLER_TAU = Claim(
    "NEC-S33-TAU",
    PAPER,
    "Section 3.3, against eq. (3)",
    "privacy",
    "[the DP Gaussian noise variance (3) is scaled with the sensitivity Φ = τ …] since smaller values of τ imply stronger privacy "
    "but larger bias",
    "The bias max(0, ‖g‖ − τ) (NEC-TAB1-CLIP) grows as τ falls; privacy is stronger for a noise that stays fixed. With the noise of "
    "(3), which is proportional to τ, it does not depend on τ at all.",
    repair=Repair(
        "For noise of a fixed variance a smaller τ gives a smaller μ = sτ√K/σ, and so stronger privacy. The bias max(0, ‖g‖ − τ) "
        "does not fall with a smaller τ.",
        "noise that does not change with τ",
        Proof(
            (_FIXED,),
            (
                obligation(
                    "the bias does not fall",
                    (_FIXED,),
                    sympy.Max(0, _length - u) <= sympy.Max(0, _length - tau),
                ),
                obligation("μ falls with τ", (_FIXED, _SHIFTS), mu_t < mu_u),
            ),
        ),
        weakest="with a variance proportional to τ² the privacy is the same for every τ",
    ),
    gap=Gap("reading", "with the noise of (3), whose variance is proportional to Φ² = τ²", _SCALED_WITH_TAU),
)
_q, _c_1 = sympy.symbols("q c_1", real=True)
_FULL = hypothesis("every client in every round: q = 1", equal(_q, 1))
_LOUD = hypothesis("σ ≥ 1 (Abadi et al., Lemma 3)", sigma >= 1)
_LONG = hypothesis("c₁ > 0 and K > ε/c₁ rounds", sympy.And(_c_1 > 0, K * _c_1 > epsilon))
ABADI = Claim(
    "NEC-S5-ABADI",
    PAPER,
    "Section 5, before Corollary 2; Abadi et al. (2016), Theorem 1 and Lemma 3 (arXiv 1607.00133)",
    "privacy",
    "α-NormEC achieves (ϵ, δ)-DP […] We show this by setting the standard deviation of the DP noise according to Theorem 1 of "
    "Abadi et al. (2016)",
    "That theorem says: for some c₁, c₂, all q, T and ε < c₁q²T, σ ≥ c₂q√(T log(1/δ))/ε is enough for T batches in which each "
    "point is with probability q; its proof takes q < 1/(16σ) and σ ≥ 1 from its Lemma 3. In Algorithm 1 every client is in every "
    "round, q = 1: there the proof covers no noise level, and the statement fails for all c₁, c₂.",
    conflict=Proof(
        (*ANY_CONSTANT.assumptions, _FULL, _LOUD, _LONG),
        (
            obligation("q < 1/(16σ) fails", (_FULL, _LOUD), _q >= 1 / (16 * sigma)),
            obligation("ε < c₁q²K holds", (_FULL, _LONG), epsilon < _c_1 * _q**2 * K),
            *ANY_CONSTANT.nodes,
        ),
    ),
    repair=Repair(
        f"by composing K + 1 Gaussian mechanisms without sampling, {PRIVATE}",
        "another theorem, and its constant; parameters and memories that are no release",
        enough(CLOSED_FORM),
    ),
)
CLAIMS = (LETTER, ABADI, USUAL, SAMPLED, CITED, LARGE, SMALLER_TAU)
