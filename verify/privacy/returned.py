"""What Algorithm 1 of DP-NormFedAvg returns (line 16): w_k̃, k̃ ~ unif[0, K − 1], and nothing else.

One client's messages are C e on one data set and absent, or −C e, on the other; everybody else's do not move w along e. In units
of the noise of K rounds w_k̃ has moved along e by N(cμ, c), c = k̃/K, on the first data set, and by N(0, c) or N(−cμ, c) on the
second. Who does not know k̃ can still look whether it moved by more than y ≈ √(2ε). At ε = 20 q ln(1/δ) the first k̃ ≥ K/2 lead
beyond it, and of the second data set e^ε P(moved by more than y) is small (Mills' bound), whatever k̃ is.
"""

from __future__ import annotations

from fractions import Fraction

import sympy

from verify.claim import Values
from verify.computation import Comparison, Computation
from verify.facts import definition, derived, equal, hypothesis, standard
from verify.obligation import obligation
from verify.privacy.alpha_normec import domains
from verify.privacy.arguments import PI
from verify.privacy.mechanisms import log_inverse
from verify.privacy.rigorous import below, iv, number, sqrt, tail
from verify.proof import Proof

F = Fraction
q, L, epsilon, K, n, r, C, sigma, mu, y, t, pi = (
    sympy.Symbol(name, real=True)
    for name in ("q", "L", "epsilon", "K", "n", "r", "C", "sigma", "mu", "y", "t", "pi")
)
share, at_two, late, seen, other, delta_true = (
    sympy.Symbol(name, real=True) for name in ("share", "Phi_2", "P_late", "P", "e_epsilon_Q", "delta_true")
)

POSITIVE = hypothesis("q, ln(1/δ), n, C > 0, L = ln(1/δ)", (q > 0) & (L > 0) & (n > 0) & (C > 0))
NOISE = hypothesis(
    "σ² = qKC²L/(n²ε²), σ > 0", equal(sigma**2 * n**2 * epsilon**2, q * K * C**2 * L) & (sigma > 0)
)
POINT = hypothesis("ε = 20 q L ≥ 6", equal(epsilon, 20 * q * L) & (epsilon >= 6))
ROUNDS = hypothesis(
    "K ≥ 20 rounds, r = n: every client in each; β_k = β in every round", (K >= 20) & equal(r, n)
)
SHIFT = definition(
    "μ = √K (C/r)/σ: a message of length C moves w by βC/r, the noise of a round is βσ",
    (mu >= 0) & equal(mu**2 * sigma**2 * r**2, K * C**2),
)
THRESHOLD = definition("y = √(2ε)", (y >= 0) & equal(y**2, 2 * epsilon))
ROOT = definition("t = √c", t >= 0)
TOTAL = obligation(
    "μ² = 20 ε, whatever K is", (POSITIVE, NOISE, POINT, ROUNDS, SHIFT), equal(mu**2, 20 * epsilon)
)
BEYOND = obligation(
    "(cμ − y)/√c ≥ 2 where 1/2 ≤ c ≤ 1",
    (TOTAL.conclusion, POINT, SHIFT, THRESHOLD, ROOT),
    sympy.Implies((2 * t**2 >= 1) & (t <= 1), t**2 * mu - y >= 2 * t),
)
TAIL = Computation(
    "Φ(2) ≥ 97/100",
    "accounting",
    lambda: Comparison(below(tail(number(-2))), ">=", F(97, 100)),
    concludes=derived("Φ(2) ≥ 97/100", 100 * at_two >= 97),
)
LATE = standard(
    "P(moved by more than y | k̃ = cK) = Φ((cμ − y)/√c), and Φ increases: at least Φ(2) for every k̃ ≥ K/2",
    sympy.Implies(BEYOND.conclusion.relation, late >= at_two),
)
UNIFORM = standard(
    "k̃ ~ unif[0, K − 1] is at least K/2 with probability (K − 1)/(2K) at least; P is at least its share",
    (2 * K * share >= K - 1) & (share >= 0) & (seen >= share * late),
)
MILLS = standard(
    "on the other data set e^ε P ≤ e^ε Φ(−y/√c) ≤ e^ε Φ(−y) < e^(ε − y²/2)/(√(2π) y), and ε = y²/2",
    (other > 0) & (other**2 * 2 * pi * y**2 < 1),
)
EVENT = standard("the true δ is at least P − e^ε P′ of every event", delta_true >= seen - other)
SEEN = obligation("P ≥ 46/100", (BEYOND.conclusion, TAIL.conclusion, LATE, UNIFORM, ROUNDS), 100 * seen >= 46)
MISSED = obligation("e^ε P′ ≤ 12/100", (MILLS, PI, THRESHOLD, POINT), 100 * other <= 12)
FAILS = obligation(
    "the true δ of w_k̃ exceeds 1/3", (SEEN.conclusion, MISSED.conclusion, EVENT), 3 * delta_true > 1
)
NO_CONSTANT = Proof((POSITIVE, NOISE, POINT, ROUNDS), (TAIL, TOTAL, BEYOND, SEEN, MISSED, FAILS))
"""For every q the true δ of what Algorithm 1 returns exceeds 1/3 at ε = 20 q ln(1/δ) ≥ 6, however large K ≥ 20 is."""


def moved(v: Values) -> Comparison:
    """r = n. The event: w_k̃ has moved along e by more than y. k̃ is taken in equal blocks, each at its first k̃, because
    Φ((cμ − y)/√c) increases with c."""
    K_, blocks, at = int(v["releases"]), int(v["blocks"]), number(v["y"])
    whole = number(v["epsilon"]) / sqrt(number(v["q"]) * log_inverse(v["delta"]))
    first = number(0)
    for block in range(1, blocks):
        c = number(F(block, blocks))
        first += tail((at - c * whole) / sqrt(c)) / blocks
    had = below(first - iv.exp(number(v["epsilon"])) * tail(at))
    met = (
        *domains(v),
        ("0 < ε < c₁ r² K/n²", 0 < v["epsilon"] < v["c_1"] * v["r"] ** 2 * v["releases"] / v["n"] ** 2),
        ("q > 0", v["q"] > 0), ("r = n", v["r"] == v["n"]), ("the blocks divide K, y > 0", K_ % blocks == 0 and v["y"] > 0),
    )  # fmt: skip
    return Comparison(had, "<=", v["delta"], met)
