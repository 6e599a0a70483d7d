"""Explicit problems on which Fed-α-NormEC, run exactly, breaks what is printed.

`trapped`: two clients whose local steps cancel where their gradients do not. With T = 2 and γL = 1/2, client 1 has
f' = 16 + x around 0, so that its two gradients are 16 and 12 and P₁(0) = 14; client 2 has f' = −13 there and −15 at the
second step, so that P₂ = −14. So P₁ + P₂ = 0 at 0 and the method stays there, but f'(0) = 3/4 (with two more clients of
gradient zero). Everything is within the printed conditions once f is measured in units so small that Δ^inf, as a
number, is large; the correct condition has √Δ^inf and rules the example out.

The run is a cycle of two rounds for x, v₁ and v₂; v₃ = −v₄ for ever because Norm_α is odd. So it holds for every K.
"""

from __future__ import annotations

from fractions import Fraction

from verify.claim import Values
from verify.computation import Comparison
from verify.curves import Curve, curve, mean, times, with_dips
from verify.fed_alpha_normec.counterexamples.exact import State, advance, begin, update

FALLING = curve((-16, 0), (4, 20))
"""Client 1: 0 on the left of −16, f' = 16 + x up to 4, then 20."""
RISING = curve(
    ("-51.35", 0), ("-41.35", 10), (-24, 10), (-1, -13), (1, -13), (3, -15), ("4.5", -15), ("19.5", 0)
)
"""Client 2: 0 on the far left, a hill with its top at −14, f' = −13 around 0, −15 around 3.25, 0 again from 19.5 on."""
FLAT = curve((0, 0), (1, 0))
PLACES = (-60, -62, -64, -66)
WIDTH = Fraction(1, 100)


class Trap:
    """Four functions f_i, each its client's T local steps, and a run with p = 1 and no noise that should be a cycle."""

    alpha: Fraction
    beta: Fraction
    gamma: Fraction
    eta: Fraction
    R: Fraction
    K: int
    start: State

    def __init__(self, f: list[Curve], T: int = 2) -> None:
        self.f, self.mean, self.T, self.clients = f, mean(f), T, [[g] * T for g in f]
        self.L = max(g.smoothness for g in f)
        self.infima = [g.infimum for g in f]
        self.Delta = self.mean.infimum - sum(self.infima, Fraction(0)) / len(f)

    @property
    def gap(self) -> Fraction:
        """f(x⁰) − f^inf."""
        return self.mean.value(self.start.x) - self.mean.infimum

    def rounds(self, count: int) -> list[State]:
        states = [self.start]
        for _ in range(count):
            states.append(advance(self.clients, states[-1], self.alpha, self.beta, self.gamma, self.eta))
        return states

    def cycle(self) -> bool:
        """After two rounds x, v₁, v₂ and the server are back, and v₃ = −v₄ all along."""
        a, b, c = self.rounds(2)
        return (
            (a.x, a.v[:2], a.server) == (c.x, c.v[:2], c.server)
            and all(state.v[2] == -state.v[3] for state in (a, b, c))
            and b.x != a.x
        )

    def smallest(self) -> Fraction:
        """min over k of |f'(xᵏ)|: over the two points of the cycle."""
        return min(abs(self.mean.gradient(state.x)) for state in self.rounds(1))

    def largest_residual(self) -> Fraction:
        """max_i |P_i(x⁰) − v_i⁰|."""
        return max(
            abs(update(work, self.start.x, self.gamma) - v)
            for work, v in zip(self.clients, self.start.v, strict=True)
        )


class Trapped(Trap):
    """The problem, in units of f that are `unit` times smaller, and the parameters of the run."""

    def __init__(self, numbers: Values) -> None:
        unit = numbers["unit"]
        super().__init__([times(unit, g) for g in with_dips([FALLING, RISING, FLAT, FLAT], PLACES, WIDTH)])
        self.gamma = 1 / (2 * self.L)
        self.alpha, self.beta, self.R = (unit * numbers[n] for n in ("alpha", "beta", "R"))
        r = unit * numbers["r"]
        self.shift = 2 * r - self.beta * r / (self.alpha + r)
        self.eta = self.shift * Fraction(8, 7) / unit
        self.K = int(numbers["K"])
        x = self.eta / 2
        self.start = begin(x, (update(self.clients[0], x, self.gamma) - r, -14 * unit, self.R, -self.R))


def stands_still(numbers: Values) -> Comparison:
    """|f'| where `FALLING` and `RISING` alone start at 0 with v_i⁰ = P_i(x⁰): the residuals are 0 and the two updates cancel, so that
    v̂ is 0 in every round, whatever α, β and η are in it."""
    clients, gamma = [[f, f] for f in (FALLING, RISING)], numbers["gamma"]
    whole = mean([FALLING, RISING])
    first = begin(Fraction(0), [update(work, Fraction(0), gamma) for work in clients])
    after = advance(clients, first, numbers["alpha"], numbers["beta"], gamma, numbers["eta"])
    met = (
        (
            "L = 1 and 0 < γ ≤ 1/(2L)",
            max(FALLING.smoothness, RISING.smoothness) == 1 and 0 < gamma <= Fraction(1, 2),
        ),
        (
            "x, the memories and v̂ are after the round what they were, with 0/0 = 0 in line 12",
            after == first and first.server == 0,
        ),
        ("every f_i is bounded below", infimum_is_attained(FALLING) and infimum_is_attained(RISING)),
        ("f' = 0 somewhere", whole.gradient(Fraction(-60)) == 0),
    )
    return Comparison(abs(whole.gradient(first.x)), "<=", Fraction(1), met)


def infimum_is_attained(f: Curve) -> bool:
    """Whether f' ≤ 0 on the far left and ≥ 0 on the far right, so that the infimum exists."""
    return f.slopes[0] <= 0 <= f.slopes[-1]
