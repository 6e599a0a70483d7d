"""Lemmas 2 and 3, and the three printed B, as claims."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import product

import sympy

from bounds.fed_alpha_normec.repaired import second_moment
from bounds.fed_alpha_normec.theorem1 import b_appendix, b_main, b_text
from verify.claim import Gap, Repair, Values, Witness
from verify.computation import Comparison, Computation
from verify.facts import Fact, definition, equal, letters
from verify.fed_alpha_normec.lemmas.lemma_displays import LEMMAS
from verify.fed_alpha_normec.lemmas.noise import (
    CENTRED,
    COUNT,
    D2,
    DRAWN,
    EXPANDED,
    INDEPENDENT,
    LEMMA3_TOTAL,
    MEAN,
    MEAN_ZERO,
    MOMENTS,
    NOISE_NODES,
    ONE_MINUS_Q,
    OWN,
    Q_SQUARED,
    RANDOM,
    SEPARATE,
    SIGMA,
    STARTS_AT_ZERO,
    TOTAL_READING,
    UNCORRELATED,
    VALUES,
    B,
    d,
    error_nodes,
    m,
    mean,
    own,
    power,
    spread,
    together,
    total,
    total_next,
)
from verify.fed_alpha_normec.letters import (
    BETA,
    CLIENTS,
    PARTICIPATION,
    VARIANCE,
    M,
    V,
    claim,
    p,
    sigma,
    values,
)
from verify.fed_alpha_normec.ours.rounds import SMALL_ERROR
from verify.identity import Identity
from verify.induction import Induction
from verify.obligation import Obligation, obligation
from verify.proof import Proof


def _average(numbers: Values) -> Comparison:
    """M clients, z_i = ±1 with probability 1/2 each: enumerate the outcomes."""
    clients = int(numbers["M"])
    outcomes = list(product((-1, 1), repeat=clients))
    left = sum((Fraction(sum(drawn), clients) ** 2 for drawn in outcomes), Fraction(0)) / len(outcomes)
    right = sum((Fraction(z**2) for drawn in outcomes for z in drawn), Fraction(0)) / len(outcomes) / clients
    return Comparison(left, "==", right, (("E z_i = 0", sum(drawn[0] for drawn in outcomes) == 0),))


def _gaussian(numbers: Values) -> Comparison:
    """d = 3, p = 1, M = 1, K = 0: (E‖e¹‖)² = β²σ² · 8/π > β²σ² · 28/11, because π < 22/7."""
    b, s, p_, clients, rounds = (numbers[n] for n in ("beta", "sigma", "p", "M", "K"))
    met = (
        ("σ > 0", s > 0), ("β > 0", b > 0), ("d = 3", numbers["d"] == 3), ("p = 1, so that n = −z", p_ == 1),
        ("one client, one round", (clients, rounds) == (1, 0)),
    )  # fmt: skip
    bound = b**2 * b_appendix(p_, s) / clients * (rounds + 1)
    return Comparison(b**2 * s**2 * Fraction(28, 11), "<=", bound, met)


def _per_coordinate_moment(numbers: Values) -> Comparison:
    """E‖n_i‖² = ((1 − p)‖Δ‖² + dσ²)/p against the printed bound; square is ‖Δ‖²."""
    p_, s, dimension, square = (numbers[name] for name in ("p", "sigma", "d", "square"))
    left = ((1 - p_) * square + dimension * s**2) / p_
    met = (("0 < p ≤ 1", 0 < p_ <= 1), ("‖Δ‖ ≤ 1", 0 <= square <= 1), ("d whole", dimension.denominator == 1))
    return Comparison(left, "<=", b_appendix(p_, s), met)


def _one_round(numbers: Values, printed: Callable[[Fraction, Fraction], Fraction]) -> Comparison:
    """M = 1, K = 0, σ = 0: E‖e¹‖ = β‖Δ‖ E|1 − q|, squared on both sides."""
    p_, b, r, a, s, clients, rounds = (numbers[n] for n in ("p", "beta", "r", "alpha", "sigma", "M", "K"))
    size = r / (a + r)
    left = b * size * (p_ * abs(1 - 1 / p_) + (1 - p_))
    met = (
        ("0 < p ≤ 1", 0 < p_ <= 1), ("α, β > 0", a > 0 < b), ("one client, one round", (clients, rounds) == (1, 0)),
        ("σ = 0, so that z = 0", s == 0),
    )  # fmt: skip
    return Comparison(left**2, "<=", b**2 * printed(p_, s) / clients * (rounds + 1), met)


def _dependent(numbers: Values) -> Comparison:
    """Two rounds in exact arithmetic, both outcomes of q⁰: does |n¹| depend on n⁰?

    d = 1, M = 1, f(x) = x²/2, p = 1/2, no noise. Independence would give E[n⁰ |n¹|] = E[n⁰] E|n¹| = 0.
    """
    a, b, x0, v0, e, p_, s = (numbers[name] for name in ("alpha", "beta", "x", "v", "eta", "p", "sigma"))
    delta0 = (x0 - v0) / (a + abs(x0 - v0))
    correlation = mean_ = Fraction(0)
    for q, chance in ((Fraction(0), 1 - p_), (1 / p_, p_)):
        hat = v0 + b * q * delta0
        x1 = x0 - e * (1 if hat > 0 else -1)
        residual = x1 - v0 - b * delta0
        delta1 = residual / (a + abs(residual))
        n0 = (1 - q) * delta0
        correlation += chance * n0 * abs(delta1)
        mean_ += chance * n0
    return Comparison(
        correlation, "==", Fraction(0), (("E n⁰ = 0", mean_ == 0), ("σ = 0, so that z = 0", s == 0))
    )


PER_COORDINATE = Witness(
    values(beta=1, sigma=1, d=3, M=1, p=1, K=0),
    "(E‖e¹‖)² ≤ β²B",
    _gaussian,
    "d = 3, M = p = 1, K = 0: E‖z‖ = σ√(8/π), the mean of a chi distribution with 3 degrees of freedom",
)
_TOTAL_REPAIR = Repair(
    "E‖(1/M) Σ v_iᵏ⁺¹ − v̂ᵏ⁺¹‖ ≤ √(β²B*(K+1)/M) with B* = (1 − p + V)/p and V = E‖z‖² (V = dσ² for "
    "covariance σ²I)",
    "V = E‖z‖² is the variance of the whole vector; B* = (1 − p + V)/p for B",
    Proof((BETA, PARTICIPATION, STARTS_AT_ZERO, *RANDOM), (*NOISE_NODES, SMALL_ERROR)),
    weakest="B* is the second moment itself as ‖Δ‖ → 1",
)

small = (1 - p) * (2 * p - 1)


def _iff(name: str, left: sympy.Basic, right: sympy.Basic, extra: tuple[Fact, ...] = ()) -> Obligation:
    both = sympy.And(sympy.Implies(left, right), sympy.Implies(right, left))
    return obligation(name, (PARTICIPATION, SIGMA, *extra), both)


B_STAR = second_moment(p, sigma**2)
SETS = (
    _iff("text of Theorem 1", b_main(p, sigma) >= B_STAR, (1 - 2 * p) * (1 - p - sigma**2) >= 0),
    _iff("sentence after it", b_text(p, sigma) >= B_STAR, sigma**2 >= small),
    Identity("appendix", b_appendix(p, sigma), 2 * B_STAR, (PARTICIPATION,)),
)
DIMENSION = definition("d ≥ 1", d >= 1)
B_STAR_D = second_moment(p, d * sigma**2)
SETS_D = (
    _iff(
        "text, d coordinates",
        b_main(p, sigma) >= B_STAR_D,
        (d - 2 * p) * sigma**2 <= (1 - p) * (1 - 2 * p),
        (DIMENSION,),
    ),
    _iff(
        "sentence, d coordinates",
        b_text(p, sigma) >= B_STAR_D,
        (d - 2) * sigma**2 <= (1 - p) * (1 - 2 * p),
        (DIMENSION,),
    ),
    _iff(
        "appendix, d coordinates", b_appendix(p, sigma) >= B_STAR_D, (d - 2) * sigma**2 <= 1 - p, (DIMENSION,)
    ),
)


def _disagree() -> Comparison:
    """The number of different values among the three printed B at p = 3/4, σ² = 1/100."""
    found = {b(Fraction(3, 4), Fraction(1, 10)) for b in (b_main, b_text, b_appendix)}
    return Comparison(Fraction(len(found)), "==", Fraction(3))


_ONE = values(p="3/4", beta=1, alpha=1, r=9, sigma=0, M=1, K=0)
# q is independent of Δ and z: E(1 − q)²‖Δ‖² = E(1 − q)² E‖Δ‖²; E q²‖z‖² = E q² E‖z‖² + Cov(q², ‖z‖²).
_message, _noise = 2 * spread * D2, 2 * (power * V + together)
_SECOND_MOMENT = obligation(
    "E‖n_i‖² ≤ 2E(1 − q)²‖Δ‖² + 2E q²‖z‖² ≤ 2E(1 − q)² + 2E q²‖z‖² = 2E(1 − q)² + 2E q² E‖z‖² ≤ B",
    (PARTICIPATION, VARIANCE, SIGMA, TOTAL_READING, *MOMENTS),
    (own <= _message + _noise)
    & (_message + _noise <= 2 * spread + _noise)
    & equal(2 * spread + _noise, 2 * spread + 2 * power * V)
    & (2 * spread + 2 * power * V <= b_appendix(p, sigma)),
)

# Lemma 2's last display.
_each = letters("ΣE‖n_i‖²")[0]
_SUMMED = Fact(
    "E‖Σ_{i ≤ m} n_i‖² = Σ_{i ≤ m} E‖n_i‖² ≤ mB", equal(total, _each) & (_each <= m * B), "derived"
)
_SUM_OF_SQUARES = Induction(
    _SUMMED.name,
    _SUMMED,
    obligation("none of them", (), sympy.true),
    obligation(
        "one of them more",
        (_SUMMED, EXPANDED, INDEPENDENT, COUNT, OWN),
        equal(total_next, _each + own) & (_each + own <= (m + 1) * B),
    ),
    start=((m, 0), (total, 0), (_each, 0)),
    next=((m, m + 1), (total, total_next), (_each, _each + own)),
)
_MEAN_OF_SQUARES = obligation(
    "E‖(1/M) Σ n_i‖² = (1/M²) Σ E‖n_i‖² ≤ B/M",
    (CLIENTS, MEAN, _SUMMED.at({m: M})),
    equal(mean, _each / M**2) & (mean <= B / M),
)

CLAIMS = (
    claim(
        "FED-L2",
        "Appendix E, Lemma 2",
        "lemma",
        LEMMAS["FED-L2"],
        "True, and without independence over time: E[zᵏ | past] = 0 is enough. (Below, n_i is the lemma's z_i and B its σ².)",
        proof=Proof((BETA, OWN, INDEPENDENT, UNCORRELATED), error_nodes(OWN)),
    ),
    claim(
        "FED-L2-S1",
        "Appendix E, proof of Lemma 2, last display",
        "step",
        LEMMAS["FED-L2-S1"],
        "The factor is 1/M², not 1/M: as printed the equality is false for M > 1 (unless all z_i are 0) and its right side can "
        "exceed σ²/M. n is undefined (as in v̂⁰ = (1/n) Σ_{i=1}^n v_i⁰ at the end of Lemma 3's proof).",
        witness=Witness(
            values(M=2),
            "E‖(z₁ + z₂)/2‖² = (E z₁² + E z₂²)/2",
            _average,
            "two fair signs: 1/2 against 1",
        ),
        repair=Repair(
            "E‖zᵏ‖² = (1/M²) Σ E‖z_iᵏ‖² ≤ σ²/M",
            "1/M² for 1/M; M for n",
            Proof((OWN, INDEPENDENT), (_SUM_OF_SQUARES, _MEAN_OF_SQUARES)),
        ),
    ),
    claim(
        "FED-L3",
        "Appendix E, Lemma 3",
        "lemma",
        LEMMAS["FED-L3"],
        "Right where σ_DP² is E‖z_i‖² of the whole vector and the noise is independent, as its proof takes it; the statement says "
        "neither. (That participation is independent is printed: line 7 draws q_i^k in every round, Section 4 independently across "
        "clients, as the contributions say too.)",
        repair=Repair(
            "The bound with E‖z_i‖² in the place of σ_DP²; per coordinate that is dσ_DP².",
            "σ_DP² := E‖z_i‖²; noise independent over clients and rounds, and of who takes part (which is independent as printed)",
            LEMMA3_TOTAL,
            weakest="with N(0, σ²I) it is false from d = 3 on (FED-L3@per-coordinate), with one noise for all clients too "
            "(FED-L3@common-noise); nor can line 7's draw in every round be dropped (FED-L3@dependent)",
        ),
        gap=Gap("reading", "σ_DP² is the variance of a coordinate (FED-L3@per-coordinate)", PER_COORDINATE),
    ),
    claim(
        "FED-L3@total",
        "Appendix E, Lemma 3, σ² read as E‖z‖², draws and noise independent over clients and rounds",
        "lemma",
        LEMMAS["FED-L3"],
        "True with a factor of √2 to spare: the printed B is 2B*, and B* = (1 − p + σ²)/p is not less than the second moment.",
        proof=LEMMA3_TOTAL,
    ),
    claim(
        "FED-L3@per-coordinate",
        "Appendix E, Lemma 3, σ² read as the variance of a coordinate, draws and noise independent over clients and rounds",
        "lemma",
        LEMMAS["FED-L3"],
        "With noise N(0, σ²I) in R^d, as differential privacy needs it, a factor d is missing: false from d = 3 on.",
        witness=PER_COORDINATE,
        repair=replace(_TOTAL_REPAIR, weakest=f"{_TOTAL_REPAIR.weakest}; the printed B is 2B* where V = σ²"),
        consequence="Put dσ² where the paper has σ² in the appendix's B (FED-L3@total).",
    ),
    claim(
        "FED-L3@B-main",
        "Lemma 3 with the B of Theorem 1, Section 4",
        "lemma",
        LEMMAS["FED-L3@B-main"],
        "The term 2(1 − p) is missing: without noise and near p = 1 the second moment is of order 1 − p, this B of order (1 − p)².",
        witness=Witness(
            _ONE,
            "(E‖e¹‖)² ≤ β²B",
            lambda n: _one_round(n, b_main),
            "one client, one round, p = 3/4, ‖Δ‖ = 9/10",
        ),
        repair=_TOTAL_REPAIR,
    ),
    claim(
        "FED-L3@B-text",
        "Lemma 3 with the B of the sentence after Theorem 1",
        "lemma",
        LEMMAS["FED-L3@B-text"],
        "The term 2(1 − p) is missing: false for 1/2 < p < 1 and little noise.",
        witness=Witness(
            _ONE,
            "(E‖e¹‖)² ≤ β²B",
            lambda n: _one_round(n, b_text),
            "one client, one round, p = 3/4, ‖Δ‖ = 9/10",
        ),
        repair=_TOTAL_REPAIR,
    ),
    claim(
        "FED-L3-S1",
        "Appendix E, proof of Lemma 3",
        "step",
        LEMMAS["FED-L3-S1"],
        "Δ_iᵏ depends on who took part before; the n of different rounds are uncorrelated, not independent.",
        witness=Witness(
            values(alpha=1, beta=2, x=1, v="-1/2", eta="1/4", p="1/2", sigma=0),
            "E[n⁰ |n¹|] = E[n⁰] E|n¹|",
            _dependent,
            "d = M = 1, f(x) = x²/2, p = 1/2: q⁰ decides the sign of v̂¹, hence x¹, hence |n¹|",
        ),
        repair=Repair(
            "E[n_iᵏ | past] = 0, and with E‖n_i‖² ≤ B and v̂⁰ = (1/M) Σ v_i⁰ E‖e^k‖ ≤ √(β²B(K+1)/M) follows from that.",
            "uncorrelated for independent; E‖n_i‖² ≤ B",
            Proof(
                (BETA, PARTICIPATION, STARTS_AT_ZERO, OWN, DRAWN, CENTRED),
                (*MEAN_ZERO, *error_nodes(OWN), SMALL_ERROR),
            ),
        ),
    ),
    claim(
        "FED-L3-S2",
        "Appendix E, proof of Lemma 3, second moment",
        "step",
        LEMMAS["FED-L3-S2"],
        "True where E‖z‖² ≤ σ²; the factors 2 are not needed, since the cross term has mean zero. With N(0, σ²I) the last link is "
        "false from d = 2 on, and the first member against the last one from d = 3 on (p = 1).",
        repair=Repair(
            "The display with E‖z_i‖² in the place of σ_DP².",
            "σ_DP² := E‖z_i‖²",
            Proof(
                (PARTICIPATION, TOTAL_READING, VALUES, SEPARATE),
                (
                    ONE_MINUS_Q,
                    Q_SQUARED,
                    _SECOND_MOMENT,
                    _iff(
                        "the last link, d coordinates of variance σ²",
                        2 * d * sigma**2 / p <= 2 * sigma**2 / p,
                        (d - 1) * sigma**2 <= 0,
                    ),
                    _iff(
                        "its ends, d coordinates of variance σ²",
                        ((1 - p) * D2 + d * sigma**2) / p <= b_appendix(p, sigma),
                        (d - 2) * sigma**2 <= (1 - p) * (2 - D2),
                    ),
                ),
            ),
            weakest="with variance σ² in each coordinate the last link holds exactly where (d − 1)σ² ≤ 0, its ends exactly where "
            "(d − 2)σ² ≤ (1 − p)(2 − ‖Δ‖²)",
        ),
        gap=Gap(
            "reading",
            "σ_DP² is the variance of a coordinate",
            Witness(
                values(p=1, sigma=1, d=3, square=0),
                "E‖n_i‖² ≤ 2p(1−1/p)² + 2(1−p) + 2σ²/p",
                _per_coordinate_moment,
                "d = 3, p = 1, z ~ N(0, I): 3 against 2",
            ),
        ),
    ),
    claim(
        "FED-B",
        "Theorem 1 (Section 4), the sentence after it, Lemma 3",
        "definition",
        LEMMAS["FED-B"],
        "Three different quantities under one letter; only the last one bounds the second moment for all p and σ.",
        conflict=Proof(
            (),
            (
                Computation(
                    "how many different values the three B have at p = 3/4, σ = 1/10",
                    "enumeration",
                    _disagree,
                ),
            ),
        ),
        repair=Repair(
            "With σ² = E‖z‖², B is an upper bound on the second moment exactly where: Theorem 1's (1 − 2p)(1 − p − σ²) ≥ 0; "
            "that of the sentence after it σ² ≥ (1 − p)(2p − 1); appendix always, and it is twice the second moment. For noise of "
            "variance σ² in each of "
            "d coordinates: Theorem 1's (d − 2p)σ² ≤ (1 − p)(1 − 2p); the sentence's (d − 2)σ² ≤ (1 − p)(1 − 2p); "
            "appendix (d − 2)σ² ≤ 1 − p. "
            "M does not matter.",
            "the stated sets of (p, σ, d)",
            Proof((PARTICIPATION,), (*SETS, *SETS_D)),
            weakest="each condition is necessary and sufficient",
        ),
    ),
)
