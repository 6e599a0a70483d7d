"""The server's first vector, v̂⁰ = (1/M) Σ v_i⁰, where each v_i⁰ is within R of its client's first update: a release without noise.

Two clients on the line, x⁰ = 0, L = 1. f_2' = −1 up to 20 and rises to 0 there, on both data sets. The first client has f_1' = 0 up to
10 and then rises to 1, or, on the neighbouring data set, f_1' = 10 down to −10 and falls to 0 to the left of it. On the path of any
number of local steps with γ ≤ 1/2 the slopes do not change, so that the first updates are 0 or 10, and −1, for every T and N.
"""

from __future__ import annotations

from fractions import Fraction

from verify.claim import Values
from verify.computation import Comparison
from verify.curves import Curve, curve, mean
from verify.fed_alpha_normec.counterexamples.exact import update
from verify.fed_alpha_normec.letters import values
from verify.fractions_check import exact_root

SECOND = curve((20, -1), (21, 0), level=0, at=21)
DATA_SETS = ((curve((10, 0), (11, 1)), SECOND), (curve((-20, 0), (-10, 10)), SECOND))
"""The clients' functions on two data sets that differ in the first client's data."""
NUMBERS = values(R=1, K=63, D_1=2, D_2=1, alpha=1, gamma="1/2", level=2, delta="1/100000")
PROBLEM = (
    "M = 2, L = 1, x⁰ = 0, whatever T and N are: the first client's first update is 0 or 10, the second's −1, R = 1, so that "
    "v̂⁰ ≤ 1/2 on one data set and v̂⁰ ≥ 7/2 on its neighbour"
)


def _spread(clients: tuple[Curve, ...]) -> tuple[Fraction, Fraction]:
    """Δ^inf, and the least f^inf − f_i^inf, which is Theorem 2's Δ_i^inf where f_{i,j} = f_i."""
    least = [f.infimum for f in clients]
    whole = mean(clients).infimum
    return whole - sum(least, Fraction(0)) / len(clients), whole - max(least)


def released(v: Values) -> Comparison:
    """The event "v̂⁰ ≤ level" has probability 1 on one data set and 0 on the other: 1 ≤ e^ε · 0 + δ fails for every ε."""
    start, R, g, rounds = Fraction(0), v["R"], v["gamma"], v["K"] + 1
    firsts = [[update([f], start, g) for f in clients] for clients in DATA_SETS]
    low, high = ([(sum(first) + side * 2 * R) / 2 for side in (-1, 1)] for first in firsts)
    z = exact_root(rounds, 6)
    beta, step = v["D_2"] / z**4, v["D_1"] * v["D_2"] / (4 * (v["alpha"] + v["D_1"])) / z**5
    spreads = [_spread(clients) for clients in DATA_SETS]
    everyone = [f for clients in DATA_SETS for f in clients]
    same = all(
        update([f] * steps, start, length) == f.gradient(start)
        for f in everyone
        for steps in (1, 2, 3)
        for length in (g, g / z)
    )
    met = (
        ("every allowed v̂⁰ of one data set is in the event", max(low) <= v["level"]),
        ("none of the other's", min(high) > v["level"]),
        (
            "every f_i is 1-smooth and bounded below",
            all(f.smoothness == 1 and f.infimum == 0 for f in everyone),
        ),
        (
            "Δ^inf > 0, and in Theorem 2 every Δ_i^inf > 0, on both data sets",
            all(min(s) > 0 for s in spreads),
        ),
        ("(x⁰ − T_i(x⁰))/γ is the same for 1, 2 and 3 steps", same),
        ("R = D₁/(K+1)^{1/6}, D₁ > 0", z * R == v["D_1"] > 0),
        ("γ = 1/(2L)", g == Fraction(1, 2)),
        ("β = D₂/(K+1)^{2/3}: β/(α + R) < 1", 0 < beta < v["alpha"] + R),
        (
            "η = η̂/(K+1)^{5/6}: 0 < η < 1 and η ≤ γ/3 · βR/(α + R)",
            0 < step < 1 and step <= g / 3 * beta * R / (v["alpha"] + R),
        ),
        (
            "(ηγ(K+1) 4L)² 2L ≤ (Δ^inf)² on both",
            all((step * g * rounds * 4) ** 2 * 2 <= spread**2 for spread, _ in spreads),
        ),
    )
    return Comparison(Fraction(1), "<=", v["delta"], met)
