"""Theorems 1 and 2 and Corollaries 3 and 5 at a small Δ^inf: local steps whose biases add up as well as steady ones can.

As in `problems`, the clients' updates cancel where f' is not zero. Two clients are steep, f_i' = −a at 0, so that T local steps go
where it falls on to −a(1 + q)^j, q = γL/T; two are flat, f_i' = b > 0 at 0, and it falls to b(1 − q)^j. b is such that the means
over the local steps agree. So P₁ = P₂ = −P₃ = −P₄, where f'(0) = (b − a)/2 is about (1 − 1/T)γL/2 of all gradients: as much as
the bias of local steps can be for small γL. The gradient is constant for a width η around each point, so that P_i is where the run is.

A memory with the residual ρ of a steep client has −ρ after a round, for β = 2(α + ρ), so that v̂ changes sign in every round and x
goes to and fro between η/2 and −η/2. The other steep client's memory is exact; the flat ones' residuals are R and −R, and are
opposite for ever because Norm_α is odd. All of it is a run on the schedule of Corollary 3, (K+1)^(1/8) = 32, with η̂ = Δ^inf/(2√(2L))
and γL = 1/64, and within Theorem 1's conditions, of which the one on ηγ is met with equality.

With F = f(x⁰) − f^inf and x := √(1 + F/Δ^inf) the printed bound fails where c√Δ^inf x > 12(x² − 1) + 8√Δ^inf, where f' is cLγ times
√(2L(F + Δ^inf)): for c = 1/2, which no local steps exceed (FED-L7-LEVEL), from √Δ^inf = 48(16+√255) = 1,534.4… on. Up to there
Theorem 1 holds at p = 1 without noise (FED-T1-QUIET); else the proofs end at 255.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate

from bounds.fed_alpha_normec import schedules
from verify.claim import Values
from verify.curves import Curve, dip, plus, times, with_dips
from verify.fed_alpha_normec.counterexamples.exact import begin, update
from verify.fed_alpha_normec.counterexamples.problems import Trap
from verify.fed_alpha_normec.letters import values

ROOT = 32
"""(K+1)^(1/8)."""
LOCAL = Fraction(1, 2 * ROOT)
"""γL."""
GRID = Fraction(1, 10**9)
"""What |f'| at the local steps is a multiple of, in the first units, so that their number does not make fractions long."""


def _changes(first: Fraction, T: int, width: Fraction, sign: int) -> list[Fraction]:
    """By how much |f'| changes from one of T local steps of γ/T to the next: by the length of the step less `width`, rounded down."""
    changes, size = [], first
    for _ in range(T - 1):
        changes.append(sign * ((LOCAL / T * size - width) // GRID) * GRID)
        size += changes[-1]
    return changes


def _sizes(first: Fraction, changes: Sequence[Fraction]) -> list[Fraction]:
    """|f'| where T local steps from 0 pass by."""
    return list(accumulate(changes, initial=first))


def _treads(sizes: Sequence[Fraction], width: Fraction) -> list[tuple[Fraction, Fraction]]:
    """|f'| constant for `width` around each of the places where the steps are, linear between them, 0 in the end."""
    places = accumulate((LOCAL / len(sizes) * size for size in sizes[:-1]), initial=Fraction(0))
    points = [(end, s) for y, s in zip(places, sizes, strict=True) for end in (y - width / 2, y + width / 2)]
    return [*points, (points[-1][0] + sizes[-1], Fraction(0))]


def steep(T: int, width: Fraction) -> tuple[Curve, Fraction]:
    """f' = −1 around 0 and lower where T local steps from there go; 0 on the far left and the far right, f = 0 on both. And T times
    the mean of |f'| over the steps."""
    sizes = _sizes(Fraction(1), _changes(Fraction(1), T, width, 1))
    points = [(y, -s) for y, s in _treads(sizes, width)]
    right = Curve(*map(tuple, zip(*points, strict=True)))  # type: ignore[arg-type]
    top = points[0][0] - 1
    plateau = -right.value(points[-1][0]) - Fraction(1, 2)
    hill = [(top - 2 - plateau, 0), (top - 1 - plateau, 1), (top - 1, 1), (top, 0)]
    knots, slopes = zip(*((y, Fraction(s)) for y, s in (*hill, *points)), strict=True)
    return Curve(knots, slopes), sum(sizes, Fraction(0))


def flat(T: int, width: Fraction, total: Fraction) -> Curve:
    """f' > 0 around 0 and lower where T local steps from there go, 0 on the far left; over the steps it adds up to `total`. It changes
    as from a start that is a little lower."""
    first = total / T
    for _ in range(4):
        changes = _changes(first, T, width, -1)
        first = (total - sum(_sizes(Fraction(0), changes), Fraction(0))) / T
    points = reversed([(-y, s) for y, s in _treads(_sizes(first, changes), width)])
    return Curve(*map(tuple, zip(*points, strict=True)))  # type: ignore[arg-type]


class Steady(Trap):
    """The problem in units of f that are 2m² times smaller, so that √(2L) = 2m and √Δ^inf = 2m · width, and the run on Corollary 3's
    schedule. numbers: m, T, width (of the dips), r (ρ = α, in the first units)."""

    def __init__(self, numbers: Values) -> None:
        m, T, width, r = numbers["m"], int(numbers["T"]), numbers["width"], numbers["r"]
        unit, length = 2 * m**2, m * width**2 / ROOT**7
        down, total = steep(T, length)
        pair = [down, flat(T, length, total)]
        self.left = min(f.knots[0] for f in pair)
        places = [self.left - 8 * width * j for j in range(1, 5)]
        clients = with_dips([pair[0]] * 2 + [pair[1]] * 2, places, width)
        super().__init__([times(unit, f) for f in clients], T)
        self.K = ROOT**8 - 1
        self.alpha, self.D_1, self.D_2 = unit * r, unit * 4 * r * ROOT, unit * 4 * r * ROOT**5
        self.plan = schedules.corollary3(self.K, self.L, self.D_1, self.D_2, self.alpha, self.Delta)
        self.gamma, self.R, self.beta, self.eta = self.plan
        x = self.eta / 2
        self.start = begin(
            x, [self._update(i, x) - s for i, s in enumerate((unit * r, Fraction(0), self.R, -self.R))]
        )

    def _update(self, i: int, x: Fraction) -> Fraction:
        return update(self.clients[i], x, self.gamma)

    def cycle(self) -> bool:
        """x, the steep clients' memories and the server are back after two rounds; the flat clients' residuals are opposite and their
        update is the same all along, so that their memories have the same sum for ever."""
        states = self.rounds(2)
        a, b, c = states
        flats = {self._update(i, state.x) for state in states for i in (2, 3)}
        return (
            (a.x, a.v[:2], a.server) == (c.x, c.v[:2], c.server)
            and len(flats) == 1
            and all(state.v[2] + state.v[3] == 2 * min(flats) for state in states)
            and b.x != a.x
        )


class SteadyPasses(Steady):
    """The same run by passes over T functions for each client, of which f_i is the mean: f_i ± a dip and a hill where f_i is 0, a
    little deeper than its own dip."""

    def __init__(self, numbers: Values) -> None:
        super().__init__(numbers)
        width = numbers["width"] * Fraction(41, 40)
        at = self.left - 48 * numbers["width"]
        deeper = plus(dip(at, width), dip(at - 8 * width, width, -1))
        unit = 2 * numbers["m"] ** 2
        pairs = [[plus(f, times(unit * sign, deeper)) for sign in (1, -1)] for f in self.f]
        self.clients = [[pair[j % 2] for j in range(self.T)] for pair in pairs]


def _about(numbers: Values) -> str:
    """Δ^inf, with three digits."""
    digits, power = f"{float((2 * numbers['m'] * numbers['width']) ** 2):.2e}".split("e")
    return f"{digits}·10{str(int(power)).translate(str.maketrans('0123456789', '⁰¹²³⁴⁵⁶⁷⁸⁹'))}"


NUMBERS = values(m=52_800, T=64, width="1/64", r="1/2000000")
PASSES = values(m=125_000, T=64, width="1/100", r="1/2000000")
NUMBERS_5 = values(m=500_000, T=64, width="1/200", r="1/2000000")
FAR, FAR_PASSES, FAR_5 = map(_about, (NUMBERS, PASSES, NUMBERS_5))
"""Δ^inf there: for Theorem 1 and Corollary 3, for Theorem 2, for Corollary 5."""
PROBLEM = (
    "M = 4, T = 64 (N = 64), p = 1, σ = 0, d = 1, K + 1 = 32⁸, γL = 1/64: steep and flat clients in pairs, whose local updates cancel "
    "at a point where f' is not zero; x⁰, …, x^{K+1} run exactly, a cycle of two rounds"
)
