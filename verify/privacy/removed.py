"""A client that is present on one data set and absent on the other, as in [1], where each participant brings its own noise.

[1] adds one noise of fixed variance to every sum, even to an empty one. Algorithm 1 leaves the noise to the participants, so
that a client that is removed takes its noise away. Who looks at the noise alone learns how many took part: where nobody does
the model stands still, and the noise of n − 1 clients is smaller than that of n. No update, no q and no c₁ matter here.
"""

from __future__ import annotations

from fractions import Fraction

import sympy

from verify.claim import Claim, Repair, Values, Witness
from verify.computation import Comparison, Computation
from verify.dp_normfedavg.theorems.sampling import one_by_one
from verify.facts import derived, equal, hypothesis, standard
from verify.obligation import obligation
from verify.privacy.alpha_normec import domains
from verify.privacy.arguments import CLOSED_FORM, enough
from verify.privacy.normfed_experiments import DELTA, EPSILON, ROUNDS, SYNTHETIC, WITHOUT_DATA, private_from
from verify.privacy.rigorous import Interval, below, iv, log, number
from verify.proof import Proof

PAPER = "dp-normfedavg"
F = Fraction
TERMS = 2500
"""Terms of a Poisson tail that are summed one by one; the rest is bounded by a geometric series."""


def _stands_still(n: int, chance: Fraction, rounds: int) -> Fraction:
    """P(w_k̃ = w₀) for k̃ ~ unif[0, K − 1]: in none of the first k̃ rounds is anybody drawn (noise is never 0)."""
    nobody = sum((p for chosen, p in one_by_one(n, n * chance) if not chosen), F(0))
    return sum((nobody**k for k in range(rounds)), F(0)) / rounds


def _stillness(v: Values) -> Comparison:
    """The event w_k̃ = w₀ with and without client 1, for both readings of the sampling without it: probability r/n as before, or
    r/(n − 1). The smaller of the two δ counts."""
    n, K, r = int(v["n"]), int(v["releases"]), v["r"]
    growth = iv.exp(number(v["epsilon"]))
    present = _stands_still(n, r / n, K)
    had = []
    for chance in (r / n, min(F(1), r / (n - 1))):
        absent = _stands_still(n - 1, chance, K)
        had.append(
            max(below(number(a) - growth * number(b)) for a, b in ((present, absent), (absent, present)))
        )
    in_range = v["epsilon"] < v["c_1"] * r**2 * K / v["n"] ** 2
    met = (
        ("0 < ε < c₁ r²K/n²", v["epsilon"] > 0 and in_range),
        ("0 < δ < 1, q > 0", 0 < v["delta"] < 1 and v["q"] > 0),
        ("1 ≤ r ≤ n", 1 <= r <= n),
    )
    return Comparison(min(had), "<=", v["delta"], met)


_epsilon, _growth, _c1, _kept, _scaled = sympy.symbols(
    "epsilon e_epsilon c_1 delta_kept delta_scaled", real=True
)
ANY_RANGE = hypothesis(
    "0 < ε ≤ 1/10, ε < c₁ r²K/n² at n = K = 2, r = 1",
    (_epsilon > 0) & (10 * _epsilon <= 1) & (2 * _epsilon < _c1),
)
SERIES = standard("e^ε ≤ 1/(1 − ε) for ε < 1", _growth * (1 - _epsilon) <= 1)
_with, _without, _certain = sympy.symbols("P P_kept P_scaled", real=True)


def _still(letter: sympy.Symbol, clients: int, chance: Fraction, value: Fraction, which: str) -> Computation:
    """P(w_k̃ = w₀) in two rounds, as a value of the letter."""
    name = f"P(w_k̃ = w₀) = {value} with {which}"
    shown = derived(name, equal(letter, sympy.Rational(value.numerator, value.denominator)))
    return Computation(
        name,
        "enumeration",
        lambda: Comparison(_stands_still(clients, chance, 2), "==", value),
        concludes=shown,
    )


STILL = (
    _still(_with, 2, F(1, 2), F(5, 8), "both clients, each drawn with probability 1/2"),
    _still(_without, 1, F(1, 2), F(3, 4), "client 2 alone, drawn with probability r/n = 1/2"),
    _still(_certain, 1, F(1), F(1, 2), "client 2 alone, drawn with probability r/(n − 1) = 1"),
)
EVENT = standard(
    "(ε, δ)-DP: δ ≥ P′(A) − e^ε P(A) and δ ≥ P(A) − e^ε P′(A) for every event A, as that w_k̃ = w₀",
    (_kept >= _without - _growth * _with) & (_scaled >= _with - _growth * _certain),
)
EVERY_CONSTANT = obligation(
    "the true δ exceeds 1/20, whatever q is, and for every c₁ at some ε of the range",
    (ANY_RANGE, SERIES, EVENT, *(node.conclusion for node in STILL)),
    (20 * _kept > 1) & (20 * _scaled > 1),
)


def poisson_tail(least: int, mean: Interval) -> tuple[Interval, Interval]:
    """P(Poisson(mean) ≥ least) from below and above, for mean < least. The first term by Stirling with Robbins' bounds,
    1/(12m + 1) < ln m! − ln(√(2πm) mᵐ e⁻ᵐ) < 1/(12m)."""
    m = number(least)
    stirling = log(2 * iv.pi * m) / 2 + m * log(m) - m
    rest = iv.mpf([(1 / (12 * m + 1)).a, (1 / (12 * m)).b])
    term = iv.exp(m * log(mean) - mean - stirling - rest)
    total = term
    for k in range(least + 1, least + TERMS):
        term = term * mean / k
        total = total + term
    ratio = mean / (least + TERMS)
    return total, total + term * ratio / (1 - ratio)


def _smaller_noise(v: Values) -> Comparison:
    """Full participation, all updates 0. The squares of all dK coordinates of all sums, in units of the variance with everybody
    present, add up to χ²_N, N = dK, with client 1, and to (1 − 1/n)χ²_N without it. Event: at most t. For even N
    P(χ²_N ≤ t) = P(Poisson(t/2) ≥ N/2)."""
    n, N = v["n"], int(v["d"] * v["releases"])
    share = (n - 1) / n
    without, _ = poisson_tail(N // 2, number(v["t"] / share / 2))
    _, having = poisson_tail(N // 2, number(v["t"] / 2))
    had = below(without - iv.exp(number(v["epsilon"])) * having)
    met = (
        *domains(v),
        ("q > 0, r = n", v["q"] > 0 and v["r"] == n),
        ("dK is even, t < (1 − 1/n)dK", N % 2 == 0 and v["t"] < share * N),
    )
    return Comparison(had, "<=", v["delta"], met)


CLAIMS = (
    Claim(
        "DAS-T3@removed",
        PAPER,
        "Theorem 3, neighbours as in [1]",
        "privacy",
        "For any 0 < ε < O(r²K/n²), Algorithm 1 is (ε, δ)-DP for σ² = qKC²(log(1/δ)/(n²ε²)), where q > 0 is an absolute "
        "constant. [the neighbour is without one client; n, r and σ are parameters of the algorithm]",
        "a client that is absent takes its noise away, which [1]'s one noise of fixed variance does not: where nobody is drawn w does "
        "not move, and with one client fewer that has another probability, whatever q, c₁ and the updates are; δ stays above "
        "1/20 as ε → 0",
        witness=Witness(
            {
                "q": F(100),
                "c_1": F(1),
                "n": F(2),
                "r": F(1),
                "releases": F(2),
                "epsilon": F(1, 100),
                "delta": F(1, 10**5),
            },
            "the true δ of w_k̃ at ε = 1/100 is at most 1e-5",
            _stillness,
            "two clients, each drawn with probability 1/2, two rounds: w_k̃ = w₀ with probability 5/8; without client 1 it is 3/4, or "
            "1/2 where client 2 is then drawn with probability 1",
            Proof((ANY_RANGE,), (*STILL, EVERY_CONSTANT)),
        ),
        repair=Repair(
            "with r = n and one noise N(0_d, σ²I_d), the server's own, added to (1/r) Σ g_k^{(i)} in each round, the algorithm "
            "is (ε, δ)-DP "
            "for σ ≥ (sC/n) √(K/2) (√L + √(L + ε))/ε with L = ln(1/δ), s = 1 (present or absent) or 2 (replace-one), towards "
            "an adversary who sees the sums, where w₀, C, η and β_k do not depend on the data",
            "the noise does not depend on who takes part: it is the server's, or that of a fixed number of senders",
            enough(CLOSED_FORM),
            "the noise of DAS-T3; for r < n with the server's noise: `python -m verify epsilon --trust server-noise`",
        ),
        consequence="Theorem 1 of [1] does not carry over: read “add-remove” as a client that sends noise alone (DAS-T3), or let "
        "the server add the noise",
    ),
    Claim(
        "DAS-EXP-DP@removed",
        PAPER,
        "Appendix F, neighbours as in [1]",
        "privacy",
        f"{SYNTHETIC} [with Theorem 3's σ² = qKC²(log(1/δ)/(n²ε²)), everybody taking part, towards an adversary who sees every sum; "
        "the neighbour is without one client and its noise, r and σ as for n = 100]",
        "the noise of 99 clients is smaller than that of 100 by a hundredth of its variance, which 500 rounds in 200 dimensions "
        "show to an adversary who sees every sum: there δ(5) is above 7/100 for every q; Theorem 3 is about w_k̃ alone, of which "
        "nothing is shown here",
        witness=Witness(
            {
                "q": F(1000),
                "n": F(100),
                "r": F(100),
                "d": F(200),
                "releases": F(ROUNDS),
                "epsilon": EPSILON,
                "delta": DELTA,
                "s": F(1),
                "t": F(98510),
            },
            "the true δ of all 500 sums at ε = 5 is at most 1e-6",
            _smaller_noise,
            "all updates are 0 throughout; what is looked at is the size of the sums, and q cancels",
        ),
        repair=Repair(
            "with one noise N(0_d, σ²I_d), the server's own, in each sum the 500 sums are (5, 10⁻⁶)-DP for q ≥ 1.74",
            f"the noise does not depend on who takes part; {WITHOUT_DATA}; q ≥ 1.74",
            private_from(1),
            "to a hundredth: q = 1.73 is not enough (DAS-EXP-DP@add-remove)",
        ),
        consequence="where r and σ follow the number of clients that are there, this does not arise for the undivided sum at r = n: "
        "its noise, n²σ², does not contain n; that of a_k, the sum over r, and so of the models, does",
    ),
)
