"""One noise in each sum, participants unseen: what a client's message leaves visible, from above, by Rényi divergence.

A client adds m to a sum with probability p, or m' on the neighbouring data set; ‖m‖, ‖m'‖ ≤ 1, the others' messages are a shift, and
φ_x is the density of N(x, σ²I). With P = (1 − p)φ_0 + pφ_m and Q = (1 − p)φ_0 + pφ_m' ≥ φ_0^(1−p) φ_m'^p (weighted means),

    ∫ P^λ Q^(1−λ) ≤ Σ_k C(λ, k)(1 − p)^(λ−k) p^k exp(x_k/(2σ²)),
    x_k = k(k − 1)‖m‖² − 2k(λ − 1)p⟨m, m'⟩ + (λ − 1)p((λ − 1)p + 1)‖m'‖²

for whole λ ≥ 2, since ∫ Π φ_{c_i}^{w_i} = exp((‖Σ w_i c_i‖² − Σ w_i‖c_i‖²)/(2σ²)) where Σ w_i = 1. Opposite unit messages are the
worst; J rounds multiply, and δ(ε) ≤ (∫ P^λ Q^(1−λ))^J e^(−(λ−1)ε).
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

import sympy

from verify.computation import Comparison, Computation
from verify.facts import Fact, definition, derived, equal, hypothesis, standard
from verify.obligation import obligation
from verify.privacy.mechanisms import most_certain
from verify.privacy.rigorous import above, iv, number
from verify.proof import Proof

k, order, share, own, other, inner = (
    sympy.Symbol(name, real=True) for name in ("k", "λ", "p", "a", "b", "i")
)
NORMS = definition("a = ‖m‖, b = ‖m'‖, i = ⟨m, m'⟩", (own >= 0) & (other >= 0))
RENYI = (
    "one noise in each sum: ∫ P^λ Q^(1−λ) at most with x_k at its largest, composed over the rounds, and δ(ε) ≤ e^{(λ−1)(D_λ − ε)} "
    "(Mironov 2017)"
)
COUNTED = hypothesis("k = 0 or k ≥ 1; λ ≥ 1, p ≥ 0", (equal(k, 0) | (k >= 1)) & (order >= 1) & (share >= 0))
SHORT = hypothesis("‖m‖, ‖m'‖ ≤ 1, as Norm_α makes them", (own <= 1) & (other <= 1))
WORST = obligation(
    "x_k is largest for opposite unit messages",
    (
        COUNTED,
        SHORT,
        NORMS,
        standard("Cauchy–Schwarz: |⟨g, h⟩| ≤ ‖g‖‖h‖", (inner >= -own * other) & (inner <= own * other)),
    ),
    k * (k - 1) * own**2 - 2 * k * (order - 1) * share * inner + (order - 1) * share * ((order - 1) * share + 1) * other**2
    <= k * (k - 1) + 2 * k * (order - 1) * share + (order - 1) * share * ((order - 1) * share + 1),
)  # fmt: skip


def most_hidden(epsilon: Fraction, releases: int, p: Fraction, sigma: Fraction, at: int) -> Fraction:
    """What δ(ε) is at most for messages ±e, by the divergence of order `at`; `sigma` is the deviation of the noise in a sum."""
    total = number(0)
    for count in range(at + 1):
        weight = comb(at, count) * (1 - p) ** (at - count) * p**count
        exponent = count * (count - 1) + 2 * count * (at - 1) * p + (at - 1) * p * ((at - 1) * p + 1)
        total += number(weight) * iv.exp(number(exponent / (2 * sigma**2)))
    return above(total**releases * iv.exp(number(-(at - 1) * epsilon)))


def enough_in_sums(
    epsilon: Fraction, delta: Fraction, releases: int, sigma: Fraction, shares: tuple[Fraction, ...], at: int
) -> Proof:
    """σ is enough at p = 1, and pσ at each p in `shares`: (ε, δ)-DP, replace-one, for one noise in each sum."""
    nodes: list[Computation] = [
        Computation(
            "p = 1: σ is enough",
            "accounting",
            lambda: Comparison(most_certain(epsilon, releases, number(sigma**2), 2), "<=", delta),
        )
    ]
    shown, said = [], []
    for p in shares:
        had, bound = (sympy.Symbol(f"{name}(p={p})", real=True) for name in ("δ", "Rényi"))
        small = derived(f"p = {p}: the bound of order {at} is at most δ", bound <= sympy.Rational(str(delta)))
        nodes.append(
            Computation(
                small.name,
                "accounting",
                lambda p=p: Comparison(most_hidden(epsilon, releases, p, p * sigma, at), "<=", delta),
                concludes=small,
            )
        )
        shown.append(small)
        said.append((had, bound))
    renyi: Fact = standard(
        RENYI,
        sympy.Implies(WORST.conclusion.relation, sympy.And(*(had <= bound for had, bound in said))),
    )
    private = obligation(
        "δ(ε) ≤ δ at each p",
        (WORST.conclusion, renyi, *shown),
        sympy.And(*(had <= sympy.Rational(str(delta)) for had, _ in said)),
    )
    return Proof((COUNTED, SHORT), (*nodes, WORST, private))
