"""α-NormEC's privacy statements: eq. (3), Corollary 2, Section 5's sentence on α. Section 6.2: see
`experiments`."""

from __future__ import annotations

from fractions import Fraction

import sympy

from verify.claim import Claim, Gap, Repair, Values, Witness
from verify.computation import Comparison
from verify.facts import definition, equal, hypothesis, standard
from verify.identity import Limit
from verify.obligation import obligation
from verify.privacy import tables
from verify.privacy.arguments import ANY_CONSTANT, CLOSED_FORM, PRIVATE, enough, unequal
from verify.privacy.mechanisms import NEARLY, least_certain, log_inverse, most_certain
from verify.privacy.residuals import FALLS
from verify.privacy.rigorous import Interval, below, number
from verify.proof import Proof

PAPER = "alpha-normec"
F = Fraction
WEAKEST = (
    "at δ = 1e-5 the exact smallest noise is 13 % below this at ε = 8 and 1 % at ε = 1000 "
    f"({tables.named(tables.CONSTANTS)}); it has no closed form"
)


def corollary2_variance(c: Fraction, releases: int, epsilon: Fraction, delta: Fraction) -> Interval:
    """σ² = c² (K+1) ln(1/δ)/ε²."""
    return number(c**2 * releases / epsilon**2) * log_inverse(delta)


def domains(v: Values) -> list[tuple[str, bool]]:
    """What every privacy statement presupposes of its numbers."""
    return [
        ("ε > 0", v["epsilon"] > 0),
        ("0 < δ < 1", 0 < v["delta"] < 1),
        ("at least one release", v["releases"] >= 1 and v["releases"].denominator == 1),
        ("s = 1, the weaker of the two neighbour relations, or 2", v["s"] in (1, 2)),
    ]


def small_beta_0(v: Values, delta_squared: Fraction) -> tuple[tuple[str, bool], ...]:
    """What Corollary 2 prints of β₀, with Δ² = L_max (α+R)(f(x⁰) − f^inf)/R."""
    fourth = number(delta_squared**2 * v["n"] * v["epsilon"] ** 2 / v["d"]) / log_inverse(v["delta"])
    return (
        ("β₀ > 0; n, d ≥ 1", v["beta_0"] > 0 and v["n"] >= 1 and v["d"] >= 1),
        ("β₀⁴ ≤ Δ⁴ nε²/(d log(1/δ))", v["beta_0"] ** 4 <= below(fourth)),
        ("α > β₀", v["alpha"] > v["beta_0"]),
    )


def long_messages(v: Values) -> tuple[tuple[str, bool], ...]:
    """A client whose gradient stays G e: its memory moves by β = β₀/(K+1) at most in a round, so by β₀ at most in all."""
    alpha, residual = v["alpha"], v["G"] - v["beta_0"]
    return (
        *domains(v),
        ("c, Δ > 0", v["c"] > 0 and v["Delta"] > 0),
        *small_beta_0(v, v["Delta"] ** 2),
        (
            "g⁰ = 0, R = G: Δ² = L_max (α + R)(f(x⁰) − f^inf)/R, where L_max (f(x⁰) − f^inf) ≥ ½G²",
            v["Delta"] ** 2 >= v["G"] * (alpha + v["G"]) / 2,
        ),
        (
            "every message is nearly e: ‖Norm_α((G − β₀)e)‖ ≥ 1 − 1e-6",
            residual >= NEARLY * (alpha + residual),
        ),
    )


def _corollary2(v: Values) -> Comparison:
    variance = corollary2_variance(v["c"], int(v["releases"]), v["epsilon"], v["delta"])
    had = least_certain(v["epsilon"], int(v["releases"]), variance, int(v["s"]))
    return Comparison(had, "<=", v["delta"], long_messages(v))


CHOSEN = {"beta_0": F(1, 10), "alpha": 1, "G": 2 * 10**6, "Delta": 2 * 10**6, "n": 10, "d": tables.RESNET20}


def _equation3(v: Values) -> Comparison:
    """Noise on the mean of B messages of norm at most Φ: μ² = s² (Φ/B)² K/σ²."""
    scale = v["c"] * v["B"] ** 2 / v["n"] ** 2 * v["releases"] / v["epsilon"] ** 2
    variance = number(scale * v["B"] ** 2) * log_inverse(v["delta"])  # in units of Φ/B
    had = least_certain(v["epsilon"], int(v["releases"]), variance, int(v["s"]))
    return Comparison(
        had,
        "<=",
        v["delta"],
        (*domains(v), ("c > 0", v["c"] > 0), ("1 ≤ B ≤ n; B = n is full batch", v["B"] == v["n"] >= 1)),
    )


def values(**numbers: int | Fraction) -> Values:
    return {name: F(value) for name, value in numbers.items()}


def scale_invariance() -> Proof:
    Phi, t, s, K, v, mu, scaled = (
        sympy.Symbol(x, real=True) for x in ("Phi", "t", "s", "K", "v", "mu", "mu_t")
    )
    positive = hypothesis("Φ, t, s, K, v > 0", sympy.And(Phi > 0, t > 0, s > 0, K > 0, v > 0))
    shift = definition("μ² = s² Φ² K/σ² with σ² = Φ² v", equal(mu**2 * Phi**2 * v, s**2 * Phi**2 * K))
    moved = definition("the same for tΦ", equal(scaled**2 * t**2 * Phi**2 * v, s**2 * t**2 * Phi**2 * K))
    node = obligation(
        "a variance ∝ Φ² gives the same δ(ε; μ) for every Φ",
        (positive, shift, moved),
        equal(scaled**2, mu**2),
    )
    return Proof((positive,), (node,))


def _scale_conflict() -> Proof:
    a, b, Phi = (sympy.Symbol(x, real=True) for x in ("a", "b", "Phi"))
    at_1 = hypothesis("Φ = 1: eq. (3) says b Φ², the poster a Φ", sympy.And(a > 0, b > 0, equal(a, b)))
    elsewhere = hypothesis("another Φ > 0", sympy.And(Phi > 0, unequal(Phi, 1)))
    node = obligation(
        "the two variances differ at every Φ ≠ 1", (at_1, elsewhere), unequal(a * Phi, b * Phi**2)
    )
    return Proof((at_1, elsewhere), (node,))


def poster_variance(v: Values) -> Comparison:
    """The variance a Φ that is just enough at Φ = 1, at a larger Φ: μ² = s² Φ² K/(a Φ)."""
    at_1 = number(v["a"])
    enough_at_1 = most_certain(v["epsilon"], int(v["releases"]), at_1, int(v["s"])) <= v["delta"]
    had = least_certain(v["epsilon"], int(v["releases"]), number(v["a"] / v["Phi"]), int(v["s"]))
    return Comparison(
        had,
        "<=",
        v["delta"],
        (*domains(v), ("the variance a Φ is enough at Φ = 1", enough_at_1), ("Φ > 0", v["Phi"] > 0)),
    )


def _sensitivity_of_norm() -> Proof:
    """sup ‖Norm_α(g) − Norm_α(h)‖ = 2 whatever α: never reached, and approached along g = −h = r e."""
    alpha, a, b, i, D = (sympy.Symbol(x, real=True) for x in ("alpha", "a", "b", "i", "D"))
    r = sympy.Symbol("r", real=True)
    domain = hypothesis("α > 0", alpha > 0)
    norms = definition("a = ‖g‖, b = ‖h‖, i = ⟨g, h⟩", sympy.And(a >= 0, b >= 0))
    schwarz = standard("Cauchy–Schwarz: |⟨g, h⟩| ≤ ‖g‖‖h‖", sympy.And(i >= -a * b, i <= a * b))
    distance = definition(
        "D = ‖Norm_α(g) − Norm_α(h)‖",
        sympy.And(
            D >= 0,
            equal(
                D**2 * (alpha + a) ** 2 * (alpha + b) ** 2,
                a**2 * (alpha + b) ** 2 + b**2 * (alpha + a) ** 2 - 2 * i * (alpha + a) * (alpha + b),
            ),
        ),
    )
    first = obligation(
        "a (α + b) + b (α + a) < 2 (α + a)(α + b)",
        (domain, norms),
        a * (alpha + b) + b * (alpha + a) < 2 * (alpha + a) * (alpha + b),
    )
    square = obligation(
        "D² (α + a)² (α + b)² ≤ (a (α + b) + b (α + a))²",
        (domain, norms, schwarz, distance),
        D**2 * (alpha + a) ** 2 * (alpha + b) ** 2 <= (a * (alpha + b) + b * (alpha + a)) ** 2,
    )
    u, w = sympy.symbols("u w", real=True)
    product = definition(
        "u = (α + a)(α + b), w = a (α + b) + b (α + a)",
        sympy.And(equal(u, (alpha + a) * (alpha + b)), equal(w, a * (alpha + b) + b * (alpha + a))),
    )
    short = obligation(
        "0 ≤ w < 2u, u > 0", (domain, norms, product, first.conclusion), sympy.And(w >= 0, w < 2 * u, u > 0)
    )
    squares = obligation("D² u² ≤ w²", (product, square.conclusion), D**2 * u**2 <= w**2)
    at_most = obligation(
        "D < 2 for all g, h", (short.conclusion, squares.conclusion, definition("D ≥ 0", D >= 0)), D < 2
    )
    attained = Limit(
        "g = −h = r e: the distance 2r/(α + r) tends to 2 for every α",
        2 * r / (alpha + r),
        r,
        sympy.oo,
        sympy.Integer(2),
        given=(domain,),
    )
    return Proof((domain,), (first, square, short, squares, at_most, attained))


EQUATION3 = Repair(
    "with L = ln(1/δ), (2) is (ε, δ)-DP if σ_DP ≥ (sΦ/B) √(K/2) (√L + √(L + ε))/ε in each coordinate, x⁰, γ and B_k do not depend on "
    "the data, and z^k is Gaussian and drawn anew in every step; s = 2 (a point replaced) or 1 (Ψ of a point replaced by 0)",
    "the constant becomes a function of ε/ln(1/δ), and the factor B²/n², which asks for hidden sampling, is not used; x⁰, γ and B_k "
    "without the data; z^k Gaussian, drawn anew in every step, s = 2 (a point replaced) or 1 (Ψ of a point replaced by 0)",
    enough(CLOSED_FORM),
    "with hidden sampling less noise is enough, and the factor B²/n² where K is large enough (NEC-OUR-EQ3); `python -m verify "
    "epsilon --trust server-noise` computes this for points drawn independently, not for |B_k| = B, which can need more (its noise is "
    "that in the sum, B times that of (2))",
)
LEVEL = {"releases": 300, "epsilon": 8, "delta": F(1, 10**5)}
ONE_FACTOR = Gap(
    "reading",
    "that a variance aΦ which is private enough for one Φ is so for every Φ",
    Witness(
        values(a=500, Phi=100, s=2, **LEVEL),
        "the true δ at ε is at most δ",
        poster_variance,
        "300 releases, one message in each mean (|S^k| = 1), which is ±Φ e on the two neighbours, e a unit vector",
    ),
)
"""A variance aΦ, with one a for every Φ, is what the words say; that it is private enough for every Φ if it is for one is not."""

COROLLARY2 = Claim(
    "NEC-C2-DP",
    PAPER,
    "Corollary 2",
    "privacy",
    "If σ_DP = O(√((K+1) log(1/δ)) ϵ⁻¹), β = β₀/(K+1) with β₀ ≤ ∆ ⁴√(nϵ²/(d log(1/δ))), and α > β₀, "
    "then Algorithm 1 satisfies (ϵ, δ)-DP.",
    "No constant in the O(·) works for all ε, which the corollary does not bound: the shift is s ε/(c √ln(1/δ)) whatever K is, so "
    "at ε = 2 c² ln(1/δ)/s², where that is 3 or more, the true δ is above 1/3 (NEC-C2-DP-NOCONST), here with c = 10. For ϵ ≤ 10 and "
    "δ ≤ 1e-5 one does, where memories and step sizes hold no data (NEC-C2-DP@usual-range); memories that do leave δ = 1 whatever ε "
    "and the noise are (NEC-C2-DP@initial-memory).",
    witness=Witness(
        values(c=10, s=1, releases=301, epsilon=2303, delta=F(1, 10**5), **CHOSEN),
        "the true δ at ε is at most δ",
        _corollary2,
        "K = 300; a client whose gradient stays G e, e a unit vector, so that its messages are nearly e, and which is absent on "
        "the other data set; messages are seen one by one; for every other c the same with ε = 2c² ln(1/δ)/s²",
        universal=ANY_CONSTANT,
    ),
    repair=Repair(
        PRIVATE,
        "the constant becomes √2⁻¹ s (1 + √(1 + ε/ln(1/δ))): bounded only while ε ≤ t ln(1/δ), where "
        "c = s (1 + √(1 + t))/√2 is enough",
        enough(CLOSED_FORM),
        WEAKEST,
    ),
    tables=lambda: {
        tables.CONSTANTS: tables.constants(),
        tables.CONSTANT_ONE: tables.with_constant_one((1.0,), tables.CLIENTS),
        tables.QUOTED: tables.quoted_theorem(),
    },
    consequence=(
        "use `bounds.privacy.gaussian_noise` or `noise`; at (8, 1e-5) the constant has to be 2.84 "
        "(replace-one) or 1.42 (add-remove); who is removed still sends noise alone"
    ),
)

CLAIMS = (
    Claim(
        "NEC-EQ3",
        PAPER,
        "eq. (3), Section 3.3",
        "privacy",
        "The method (2) achieves (ϵ, δ)-DP (Abadi et al., 2016) if z^k is zero-mean Gaussian noise with variance σ²_DP ≥ Φ² · "
        "cB²/n² · K log(1/δ)/ϵ², where c > 0 is a constant, and K > 0 is the total number of iterations.",
        "No constant c works for all ε: with full batches the shift is s ε/(n √(c ln(1/δ))), so at ε = 2 c n² ln(1/δ)/s², where that "
        "is 3 or more, the true δ is above 1/3 (NEC-C2-DP-NOCONST), here with c = 100; and so for every K, as K > ε/c₁, which the "
        "theorem that is cited asks for there (NEC-S5-ABADI). For ε ≤ t ln(1/δ) one does where B² ≥ n "
        "(NEC-EQ3@usual-range,large-batches), and none for B = 1 (NEC-EQ3@usual-range) without ε < c₁B²K/n² "
        "(NEC-EQ3@usual-range,as-cited).",
        witness=Witness(
            values(c=100, B=10, n=10, s=1, releases=300, epsilon=250_000, delta=F(1, 10**5)),
            "the true δ at ε is at most δ",
            _equation3,
            "ten points, full batches, 300 steps, Ψ(∇f_1) = Φe, e a unit vector, on one data set and 0 on the other; for every other "
            "c the same with ε = 2cn² ln(1/δ)/s² (n√c in the place of the c of the proof)",
            universal=ANY_CONSTANT,
        ),
        repair=EQUATION3,
        tables={
            tables.CONSTANTS: tables.constants(),
            tables.QUOTED: tables.quoted_theorem(),
        },
        consequence=(
            "without hidden sampling √c = 3.8 n/B² is enough for ε ≤ 10 and δ ≤ 0.1; with full batches, B = n, that is 3.8/n, since "
            "eq. (2) adds the noise to a mean of n messages"
        ),
    ),
    Claim(
        "NEC-EQ3-SCALE",
        PAPER,
        "after eq. (3); poster, Private Optimization",
        "privacy",
        "Notice that the DP Gaussian noise variance (3) is scaled with the sensitivity Φ. [Poster: "
        "zero-mean Gaussian with variance "
        "proportional to sensitivity Φ.]",
        "Eq. (3) has variance ∝ Φ², the poster variance ∝ Φ: they agree for one Φ only.",
        conflict=_scale_conflict(),
        consequence=(
            "the standard deviation is what is proportional to Φ; Section 6.2 sets a variance "
            "proportional to β"
        ),
    ),
    Claim(
        "NEC-EQ3-SCALE@eq3",
        PAPER,
        "eq. (3)",
        "privacy",
        "the DP Gaussian noise variance (3) is scaled with the sensitivity Φ [as Φ²]",
        "With variance ∝ Φ² the privacy does not depend on Φ.",
        proof=scale_invariance(),
    ),
    Claim(
        "NEC-EQ3-SCALE@poster",
        "alpha-normec",
        "poster, Private Optimization",
        "privacy",
        "∥Ψ(g)∥ ≤ Φ and z^k is zero-mean Gaussian with variance proportional to sensitivity Φ.",
        "It is the standard deviation that is proportional to Φ where the privacy is to be the same for every Φ. The least variance "
        "a Φ that gives (8, 1e-5) at Φ = 1 gives a true δ above 0.99 at Φ = 100.",
        repair=Repair(
            "With a standard deviation proportional to Φ the privacy does not depend on Φ.",
            "the standard deviation for the variance",
            scale_invariance(),
        ),
        gap=ONE_FACTOR,
    ),
    COROLLARY2,
    Claim(
        "NEC-C2-DP-NOCONST",
        PAPER,
        "ours, on Corollary 2",
        "ours",
        "For every c > 0, every K, and every δ with ln(1/δ) ≥ 3 s²/(2c²), the noise c √(K ln(1/δ))/ε "
        "leaves a true δ above 1/3 at ε = 2c² ln(1/δ)/s².",
        "The Gaussian curve at ε = μ²/2 is 1/2 − e^ε Φ(−μ), and Mills' inequality bounds it from below.",
        proof=ANY_CONSTANT,
    ),
    Claim(
        "NEC-C2-DP@constant-1",
        PAPER,
        "Corollary 2",
        "privacy",
        "If σ_DP = O(√((K+1) log(1/δ)) ϵ⁻¹) [with the constant 1], […] then Algorithm 1 satisfies (ϵ, δ)-DP",
        "At (8, 1e-5) the noise gives ε = 12.3 (add-remove; who is removed still sends noise alone) or 30.5 (replace-one).",
        witness=Witness(
            values(c=1, s=1, releases=301, epsilon=8, delta=F(1, 10**5), **CHOSEN),
            "the true δ at ε = 8 is at most 1e-5",
            _corollary2,
            "K = 300; a client whose gradient stays G e, e a unit vector, so that its messages are nearly e, against absence",
        ),
        repair=Repair(
            PRIVATE, "the constant; parameters and memories that are no release", enough(CLOSED_FORM), WEAKEST
        ),
    ),
    Claim(
        "NEC-S5-ALPHA",
        PAPER,
        "Section 5",
        "privacy",
        "the smoothed normalization parameter does not affect the DP noise variance",
        "Over all gradients two messages come as near to the distance 2 (not 1) as one likes and for α > 0 never reach it, whatever "
        "α is; so a noise that is to hide all of them does not depend on α. Where Theorem 2's conditions bound the residuals it does.",
        repair=Repair(
            "The least distance that no two messages exceed, over all gradients, is 2 for every α.",
            "nothing bounds the residuals",
            _sensitivity_of_norm(),
            weakest="under Theorem 2's conditions the distance is at most 2G/(α + G) < 2, and not less (NEC-OUR-S5-ALPHA)",
        ),
        gap=Gap(
            "reading",
            "the noise that is needed under Theorem 2's conditions, where residuals are at most G: 2G/(α + G) falls as α grows",
            FALLS,
        ),
        consequence=(
            "the sensitivity for replaced clients is 2, where nothing bounds the residuals. Under Theorem 2's conditions it is "
            "2G/(α + G), G = max(R, (√β − √α)² + L_maxγ), and G = R where β ≤ α (NEC-OUR-S5-ALPHA)"
        ),
    ),
)
