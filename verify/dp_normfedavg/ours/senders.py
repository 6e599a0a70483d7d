"""How many clients a round our proofs of Theorems 6 and 7 need, where they are drawn one by one: claim DAS-OURS-SENDERS.

That of Theorem 6 asks for cηLE ≤ λ − 1/2 (`cut.EXCESS_STEP`), c = 1/r − 1/n ≤ 1/r. A cut client pays for a normalised message where
cηLE ≤ λ − 1083/1000 (`theorem7_drawn.SPARE`). The weights ω_τ grow with μ = ηL, and 2 − μ falls: on an
interval of μ one sum at its lower end, rounded upwards, decides for all of it.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache, partial
from itertools import accumulate

from bounds.dp_normfedavg.repaired import gain
from verify.case import closed
from verify.claim import Claim
from verify.computation import Comparison, Computation
from verify.dp_normfedavg.theorems import choices
from verify.facts import hypothesis, letters
from verify.obligation import obligation

LARGEST_E = {2: 21, 3: 207}
"""r: the largest E for which 1/r − 1/n ≤ 1/(this r), as with that many clients in the mean, is enough at every step that the theorem
allows, ηL < 1/2."""
HALF, PAID = Fraction(1, 2), Fraction(1083, 1000)
"""What λ − cηLE has to be at least: in Theorem 6, and for a cut client in Theorem 7."""
LARGEST_PAID = {3: 184}
"""The same, where no cut client counts in Theorem 7."""
ONE = 2**60
NARROWEST = Fraction(1, 2**16)


@cache
def _sums(mu: Fraction) -> tuple[Fraction, ...]:
    """Σ_{τ<E} 1/ω_τ for E = 1, 2, …, each term rounded upwards."""
    terms = (-(-ONE // gain(mu, Fraction(tau))) for tau in range(max(LARGEST_E.values()) + 1))
    return tuple(Fraction(total, ONE) for total in accumulate(terms))


def _holds_on(low: Fraction, high: Fraction, r: int, E: int, left: Fraction) -> bool:
    """(1/r)μE ≤ max(2 − μ, E/Σ_τ 1/ω_τ) − left for all μ from `low` to `high`, and so with any c ≤ 1/r for 1/r; False also where
    intervals get too narrow."""
    wanted = high * E / r + left
    if 2 - high >= wanted or wanted * _sums(low)[E - 1] <= E:
        return True
    middle = (low + high) / 2
    halves = ((low, middle), (middle, high))
    return high - low > NARROWEST and all(_holds_on(*half, r, E, left) for half in halves)


def enough(r: int, largest: int, left: Fraction = HALF) -> Comparison:
    """For how many E from 1 on r clients are enough, up to `largest`, against `largest`."""
    held = [_holds_on(Fraction(0), HALF, r, E, left) for E in range(1, largest + 1)]
    return Comparison(Fraction(sum(held)), "==", Fraction(largest))


lower, upper, tau = letters("mu_low mu_high tau")
GROWS = obligation(
    "ω_τ grows with ηL",
    (
        hypothesis(
            "0 ≤ μ₁ ≤ μ₂ ≤ 1/2, τ ≥ 0", (lower >= 0) & (lower <= upper) & (2 * upper <= 1) & (tau >= 0)
        ),
    ),
    gain(lower, tau) <= gain(upper, tau),
)
SENDERS = tuple(
    Computation(
        f"1/r − 1/n ≤ 1/{r} is enough for E ≤ {largest} and 0 < ηL ≤ 1/2: {left} is left",
        "enumeration",
        partial(enough, r, largest, left),
    )
    for left, found in ((HALF, LARGEST_E), (PAID, LARGEST_PAID))
    for r, largest in found.items()
)
CLAIMS = (
    Claim(
        "DAS-OURS-SENDERS",
        "dp-normfedavg",
        "ours, on Theorems 6 and 7",
        "ours",
        "(1/r − 1/n)ηLE ≤ λ − 1/2, λ = max(2 − ηL, E/Σ_{τ<E} 1/ω_τ), ω_τ = 1 + 2ηLτ, holds at every step that "
        "Theorem 6 allows if 1/r − 1/n ≤ 2/E, or 1/r − 1/n ≤ 1/2 and E ≤ 21 (as for r ≥ 2), or 1/r − 1/n ≤ 1/3 and E ≤ 207 (as for "
        "r ≥ 3); and for every r ≥ 1 if K ≥ ⅔(1/r − 1/n + 1/E)γ/(Ĉρ). With λ − 1.083 for λ − 1/2 it does if 1/r − 1/n ≤ 1/3 and "
        "E ≤ 184",
        "the second part of λ is a harmonic mean, about 2s/ln(1 + 2s) for s = ηLE in many short steps, and sampling adds s/r: the r "
        "that is needed grows like the logarithm of E",
        proof=closed((choices.ETA_SHOWN, choices.HALF_SHOWN, choices.EXCESS_GENERAL, GROWS, *SENDERS)),
        consequence="with the E = 20 of Appendices F and G two clients a round in the mean are enough, or r = 1 of n = 2; the "
        "K of the last case is (1 + (1/r − 1/n)E)/3 times the printed one, where that is more: Theorem 6's own K stays",
    ),
)
