"""A constant for noise on sums whose members are drawn unseen: Abadi et al.'s Theorem 1 for every range ε ≤ t ln(1/δ).

In each of K steps a point's message, at most 1 long, is in the sum with probability q, by itself and unseen, and the sum gets
Gaussian noise of deviation σ in each coordinate. With P and Q the laws of what a step shows on the two data sets and a whole λ, the
step's share of the account is m = ln ∫ P^λ Q^(1−λ). With w = 1/(2σ²):

- for a message that is there on one data set only, m ≤ ln A_λ, A_Λ = E e^(wN(N−1)), N ~ Bin(Λ, q), in either direction (Mironov,
  Talwar and Zhang 2019). For one that is replaced, with φ the law without it, ∫ P^λ Q^(1−λ) is at most the geometric mean of
  ∫ P^(2λ) φ^(1−2λ) and ∫ φ^(2λ−1) Q^(2−2λ) (Cauchy and Schwarz), hence m ≤ ln A_2λ. So m ≤ ln A_Λ, Λ = sλ;
- A_Λ is near 1 + wΛ²q² where 8wΛ ≤ 1: at most 1 + 8/5 · u e^(2u) ≤ e^(18u/5) with u = wΛ²q², by Hoeffding's lemma;
- K steps add up, and δ(ε) ≤ e^(Km − (λ−1)ε). With (λ − 1)ε ≥ 2 ln(1/δ) it is enough that Km ≤ ln(1/δ).

The constants are not the least ones: the 18/5 could be near 1.
"""

from __future__ import annotations

from fractions import Fraction

import sympy

from verify.claim import Claim
from verify.computation import Comparison, Computation
from verify.facts import Fact, definition, equal, hypothesis, standard
from verify.obligation import obligation
from verify.privacy.arguments import POSITIVE, K, L, c, epsilon, s, sigma
from verify.privacy.mechanisms import log_inverse
from verify.privacy.rigorous import below
from verify.proof import Node, Proof

q, t, c_1, order, longer, w, u = (
    sympy.Symbol(name, real=True) for name in ("q", "t", "c_1", "lambda", "Lambda", "w", "u")
)
m, A, ln_A, G, E_3, T, H, V = (
    sympy.Symbol(name, real=True) for name in ("m", "A", "ln_A", "G", "E_3", "T", "H", "V")
)
RANGE = hypothesis("ε ≤ t ln(1/δ), t > 0", sympy.And(t > 0, epsilon <= t * L))
MOVED = hypothesis(
    "s = 1 where the message is 0 on one of the data sets, s = 2 where it is another one",
    equal(s, 1) | equal(s, 2),
)
DRAWN = hypothesis(
    "in each step the point is drawn with probability q, by itself and unseen", (q > 0) & (q <= 1)
)
MANY = hypothesis("ε < c₁q²K", epsilon < c_1 * q**2 * K)
NOISE = hypothesis("σ² ≥ c q²KL/ε², σ > 0", (sigma > 0) & (sigma**2 * epsilon**2 >= c * q**2 * K * L))
CONSTANTS = hypothesis(
    "c = 36/5 s²(1 + t)², c₁ = 9/10 s(1 + t)",
    equal(5 * c, 36 * s**2 * (1 + t) ** 2) & equal(10 * c_1, 9 * s * (1 + t)),
)
ORDER = standard(
    "⌈x⌉ < x + 1: λ = ⌈2L/ε⌉ + 1 is whole, and 2L ≤ (λ − 1)ε < 2L + ε",
    ((order - 1) * epsilon >= 2 * L) & ((order - 1) * epsilon < 2 * L + epsilon),
)
LETTERS = definition(
    "Λ = sλ, w = 1/(2σ²), u = wΛ²q²",
    equal(longer, s * order) & equal(2 * w * sigma**2, 1) & equal(u, w * longer**2 * q**2),
)
MOMENT = standard(
    "Mironov, Talwar and Zhang 2019, and where a point is replaced Cauchy and Schwarz: m = ln ∫ P^λ Q^(1−λ) ≤ ln A, "
    "A = E e^(wN(N−1)), N ~ Bin(Λ, q)",
    m <= ln_A,
)
TWO_DRAWN = standard(
    "e^y ≤ 1 + y e^y, k(k − 1) C(Λ, k) = Λ(Λ − 1) C(Λ − 2, k − 2): A ≤ 1 + wΛ(Λ − 1)q² G, G = E e^(w(N′+1)(N′+2)), "
    "N′ ~ Bin(Λ − 2, q)",
    A <= 1 + w * longer * (longer - 1) * q**2 * G,
)
SPREAD = standard(
    "x² ≤ 2y² + 2(x − y)²: G ≤ e^(3wΛ) T H, T = e^(2u), H = E e^(2w(N′ − (Λ−2)q)²)",
    (G <= E_3 * T * H) & (E_3 > 0) & (H > 0),
)
HOEFFDING = standard(
    "Hoeffding's lemma, in the mean over a Gaussian factor: H² ≤ 1/(1 − wΛ) where wΛ < 1",
    sympy.Implies(w * longer < 1, H**2 * (1 - w * longer) <= 1),
)
SHORT = standard(
    "e^(3wΛ) ≤ e^(3/8) < 1.455 where 8wΛ ≤ 1",
    sympy.Implies(8 * w * longer <= 1, E_3 <= sympy.Rational(1455, 1000)),
)
FACTORS = standard(
    "e^x ≥ 1 + x: T = e^(2u) ≥ 1 + 2u, V = e^(8u/5) ≥ 1 + 8u/5",
    (T >= 1 + 2 * u) & (V >= 1 + sympy.Rational(8, 5) * u),
)
LOGARITHM = standard(
    "the logarithm increases, and TV = e^(18u/5): ln A ≤ 18u/5 where A ≤ TV",
    sympy.Implies(A <= T * V, ln_A <= sympy.Rational(18, 5) * u),
)


def enough_unseen(
    noise: Fact, drawn: Fact, many: Fact, assumed: tuple[Fact, ...], shown: tuple[Node, ...] = ()
) -> Proof:
    """That the noise is enough. It, how the point is drawn and that ε is below c₁q²K are among the `assumed` facts or `shown` from
    them."""
    begin = (*POSITIVE[1:], MOVED, RANGE)
    near = obligation("λε ≤ 2(1 + t)L", (*begin, ORDER), order * epsilon <= 2 * (1 + t) * L)
    loud = obligation(
        "σ²ε > 8s(1 + t)L, as c = 8s(1 + t)c₁",
        (*begin, drawn, noise, many, CONSTANTS),
        sigma**2 * epsilon > 8 * s * (1 + t) * L,
    )
    small = obligation(
        "8wΛ ≤ 1",
        (*begin, ORDER, LETTERS, near.conclusion, loud.conclusion),
        8 * w * longer <= 1,
    )
    positive = obligation("λ > 1, w > 0", (*begin, ORDER, LETTERS), (order > 1) & (w > 0))
    tilted = obligation(
        "G ≤ 8/5 · T",
        (FACTORS, LETTERS, SPREAD, HOEFFDING, SHORT, small.conclusion, positive.conclusion, MOVED),
        5 * G <= 8 * T,
    )
    moment = obligation(
        "A ≤ 1 + 8/5 · uT",
        (MOVED, drawn, LETTERS, TWO_DRAWN, FACTORS, tilted.conclusion, positive.conclusion),
        5 * A <= 5 + 8 * u * T,
    )
    product = obligation("A ≤ TV", (LETTERS, FACTORS, positive.conclusion, moment.conclusion), A <= T * V)
    spent = obligation(
        "uK ≤ 5/18 · L",
        (*begin, drawn, noise, CONSTANTS, LETTERS, near.conclusion, positive.conclusion),
        18 * u * K <= 5 * L,
    )
    private = obligation(
        "Km + L ≤ (λ − 1)ε, which is (ε, δ)-DP, as K steps add up and δ(ε) ≤ e^(Km − (λ−1)ε) (Mironov 2017, Propositions 1 and 3)",
        (*begin, ORDER, MOMENT, LOGARITHM, product.conclusion, spent.conclusion),
        K * m + L <= (order - 1) * epsilon,
    )
    return Proof(
        (*begin, *assumed, CONSTANTS),
        (*_at_the_usual(), *shown, near, loud, small, positive, tilted, moment, product, spent, private),
    )


def _at_the_usual() -> tuple[Node, ...]:
    """The constants for ε ≤ 10 and δ ≤ 1e-5."""
    square = sympy.Rational(36, 5) * (1 + sympy.Rational(87, 100)) ** 2
    line = sympy.Rational(9, 10) * (1 + sympy.Rational(87, 100))
    return (
        Computation("ε ≤ 10 and δ ≤ 1e-5: ε/ln(1/δ) ≤ 0.87", "accounting",
                    lambda: Comparison(Fraction(10), "<=", Fraction(87, 100) * below(log_inverse(Fraction(1, 10**5))))),
        obligation("t = 0.87, s = 1: c ≤ 25.2, c₁ ≥ 1.68", (), sympy.And(
            sympy.Le(square, sympy.Rational(252, 10), evaluate=False), sympy.Ge(line, sympy.Rational(168, 100), evaluate=False))),
        obligation("t = 0.87, s = 2: c ≤ 101, c₁ ≥ 3.36", (), sympy.And(
            sympy.Le(4 * square, 101, evaluate=False), sympy.Ge(2 * line, sympy.Rational(336, 100), evaluate=False))),
    )  # fmt: skip


UNSEEN = enough_unseen(NOISE, DRAWN, MANY, (DRAWN, MANY, NOISE))
USUAL = (
    "with ε ≤ 10 and δ ≤ 1e-5, c = 25.2 and c₁ = 1.68 are enough where a message is 0 on one of the data sets, c = 101 and "
    "c₁ = 3.36 where it is another one"
)
CLAIMS = (
    Claim(
        "NEC-OUR-EQ3",
        "alpha-normec",
        "ours, on eq. (3) and Theorem 1 of Abadi et al. (2016)",
        "ours",
        "With L = ln(1/δ) and any t > 0: K sums, in each of which a point's message, at most 1 long, is with probability q, by itself "
        "and unseen, and each with Gaussian noise of deviation σ in each coordinate, drawn anew, are (ε, δ)-DP if ε ≤ tL, "
        "ε < c₁q²K and σ² ≥ c q²KL/ε², for c = 7.2 s²(1 + t)² and c₁ = 0.9 s(1 + t), s = 1 where the message is 0 on one of the data "
        "sets, s = 2 where it is another one.",
        f"So what eq. (3) cites does have constants wherever ε/ln(1/δ) is bounded: {USUAL}. The cited proof's σ ≥ 1 and "
        "q < 1/(16σ) are not used.",
        proof=UNSEEN,
        consequence="the noise may fall as q, but for ε < c₁q²K only: NEC-EQ3@usual-range has q²K too small. For given numbers the "
        "accountant asks for less: `python -m verify epsilon --trust server-noise`",
    ),
)
