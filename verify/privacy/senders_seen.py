"""Sums of which it is seen who sent them: what a client's messages leave visible, from both sides.

A client is in a round with probability p, and so is each of n − 1 others; the noise of the m that take part hides its message:
given all m the releases are one Gaussian of μ² = s²S/σ², S = Σ 1/m over the N rounds that it is in, and δ(ε) = E δ(ε; s√S/σ).
δ(ε; μ) is at most 1 and increases with μ. So for whatever x, where S > Nx is counted as lost,

    δ(ε) ≤ Σ_N P(N) δ(ε; s√(Nx)/σ) + P(S > Nx),    δ(ε) ≥ Σ_N P(N) δ(ε; s√(Nx)/σ) − P(S < Nx),

and by Chernoff's bound P(S > Nx) ≤ E e^{θ(S − Nx)} = (1 − p + p E e^{θ(1/m − x)})^K for whatever θ > 0, P(S < Nx) likewise for
θ < 0. Rounds with few senders, m < m_1, would make that mean large: they are counted as lost as well, K p P(m < m_1) at most.
Whoever sees the sums alone sees less: the upper side holds for it too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb
from types import MappingProxyType

from verify.privacy.mechanisms import least_visible, most_visible
from verify.privacy.rigorous import Interval, above, iv, number


@dataclass(frozen=True)
class Senders:
    """n clients, each in each of K rounds with probability p < 1. counts: the N that are taken one by one. few: m_1."""

    n: int
    K: int
    p: Fraction
    counts: range
    few: int = 1

    def law(self) -> Mapping[int, Fraction]:
        """P(m) where the client takes part, m_1 ≤ m."""
        return _law(self.n, Fraction(self.p), self.few)  # 0.25 and 1/4 are one key: both have the exact law


@cache
def _law(n: int, p: Fraction, few: int) -> Mapping[int, Fraction]:
    others = n - 1
    masses = {
        m: Fraction(comb(others, m - 1)) * p ** (m - 1) * (1 - p) ** (others - m + 1)
        for m in range(few, n + 1)
    }
    return MappingProxyType(masses)


def most_seen(
    epsilon: Fraction, who: Senders, sigma_squared: Interval, s: int, x: Fraction, theta: int
) -> Fraction:
    """An upper bound of δ(ε); θ > 0."""
    if theta <= 0:
        raise ValueError(f"θ = {theta} is no number above 0")
    lost = _beyond(who, x, theta)
    few = above(number(who.K * who.p * (1 - sum(who.law().values()))))
    return most_visible(epsilon, who.K, who.p, sigma_squared / number(x), s, who.counts) + lost + few


def least_seen(
    epsilon: Fraction, who: Senders, sigma_squared: Interval, s: int, x: Fraction, theta: int
) -> Fraction:
    """A lower bound of δ(ε); θ < 0, so that no round weighs more than 1 and none needs to be left out."""
    if theta >= 0:
        raise ValueError(f"θ = {theta} is no number below 0")
    had = least_visible(epsilon, who.K, who.p, sigma_squared / number(x), s, who.counts)
    return had - _beyond(who, x, theta)


def _beyond(who: Senders, x: Fraction, theta: int) -> Fraction:
    """E e^{θ(S − Nx)} where every m of the client's rounds is at least m_1; below that e^{θ/m} ≤ 1 where θ < 0."""
    law = who.law()
    mean = number(0) if theta > 0 else number(1 - sum(law.values()))
    for m, mass in law.items():
        mean += number(mass) * iv.exp(number(Fraction(theta, m)))
    return above((number(1 - who.p) + number(who.p) * mean * iv.exp(number(-theta * x))) ** who.K)
