"""Corollaries 3 and 5 with all of Theorem 1's conditions granted: the trap of `problems`, on their schedule.

A reader may take "under the same setting as Theorem 1" to include β/(α+R) < 1 and the conditions on η. They do not save the
corollaries, whose η̂ has Δ^inf where √Δ^inf belongs. Here (K+1)^(1/8) = 8, so γL = 1/16: around 0 client 1 has f' = 16 + x, so
that P₁(0) = 15.75, and client 2 has f' = −15.55 there and −15.95 at its second step, so that P₂ = −15.75. The two cancel
and x stays, with f'(0) = 9/80. The run is a cycle of two rounds for x, v₁ and v₂; v₃ = −v₄ for ever.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from bounds.fed_alpha_normec import corollaries, schedules
from bounds.fed_alpha_normec.theorem1 import APPENDIX
from verify.claim import Values, Witness
from verify.computation import Comparison
from verify.curves import Curve, curve, times, with_dips
from verify.fed_alpha_normec import conditions
from verify.fed_alpha_normec.counterexamples.exact import begin, update
from verify.fed_alpha_normec.counterexamples.problems import FALLING, FLAT, Trap, infimum_is_attained
from verify.fed_alpha_normec.letters import values

ROOT = 8
"""(K+1)^(1/8)."""
WIDTH = Fraction(1, 100)
PLACES = (-80, -82, -84, -86)


def _rising() -> Curve:
    """Client 2: 0 on the far left, a hill as high as the valley behind it is deep, f' = −15.55 around 0 and −15.95 around 0.486."""
    a, b = Fraction(311, 20), Fraction(319, 20)
    near, far, end = WIDTH, Fraction(41, 100), Fraction(3, 5)
    valley = a * a / 2 + a * 2 * near + (a + b) / 2 * (far - near) + b * (end - far) + b * b / 2
    top, slope = -near - a, Fraction(10)
    plateau = (valley - slope**2) / slope
    return curve(
        (top - slope - plateau - slope, 0), (top - slope - plateau, slope), (top - slope, slope), (-near, -a), (near, -a),
        (far, -b), (end, -b), (end + b, 0),
    )  # fmt: skip


class Scheduled(Trap):
    """The problem, in units of f that are `unit` times smaller, and the run on the schedule of Corollary 3."""

    def __init__(self, numbers: Values) -> None:
        unit, r = numbers["unit"], numbers["r"]
        super().__init__([times(unit, g) for g in with_dips([FALLING, _rising(), FLAT, FLAT], PLACES, WIDTH)])
        self.K = ROOT**8 - 1
        # β of the cycle: ηs = 2r − βr/(α+r), s = 1 − γL/4, with the schedule's η = γ/2 · βR/(α + D₁).
        a, radius = numbers["alpha"], numbers["R"]
        local = Fraction(1, 2 * ROOT)
        length = local / 2 * radius / (a + radius * ROOT)
        b = 2 * r / (length * (1 - local / 4) + r / (a + r))
        self.alpha, self.D_1, self.D_2 = unit * a, unit * radius * ROOT, unit * b * ROOT**5
        self.plan = schedules.corollary3(self.K, self.L, self.D_1, self.D_2, self.alpha, self.Delta)
        self.gamma, self.R, self.beta, self.eta = self.plan
        x, turn = self.eta / 2, Fraction(63, 4) * unit
        self.start = begin(x, (update(self.clients[0], x, self.gamma) - unit * r, -turn, self.R, -self.R))


def _replay(right: Callable[[Scheduled], Fraction]) -> Callable[[Values], Comparison]:
    def replay(numbers: Values) -> Comparison:
        t = Scheduled(numbers)
        met = (
            (
                "γ, R, β, η as the corollary chooses them, exactly",
                all(isinstance(number, Fraction) for number in t.plan),
            ),
            ("D₁, D₂, α > 0", min(t.D_1, t.D_2, t.alpha) > 0),
            *conditions.met(
                APPENDIX,
                {**t.plan._asdict(), "alpha": t.alpha, "K": Fraction(t.K), "L": t.L, "Delta": t.Delta},
            ),
            ("every f_i is L-smooth and bounded below", all(infimum_is_attained(g) for g in t.f)),
            ("f^inf − f_i^inf > 0 for every i", all(t.mean.infimum > i for i in t.infima)),
            ("R = max_i ‖v_i⁰ − (x⁰ − T_i(x⁰))/γ‖", t.largest_residual() == t.R),
            ("the run is a cycle of two rounds", t.cycle()),
        )
        return Comparison(t.smallest(), "<=", right(t), met)

    return replay


def _corollary3(t: Scheduled) -> Fraction:
    return corollaries.corollary3(
        t.gap, t.K, t.L, t.D_1, t.D_2, t.alpha, Fraction(4), Fraction(1), Fraction(0), t.Delta
    )


def _corollary5(t: Scheduled) -> Fraction:
    return corollaries.corollary5(
        t.gap, t.K, t.L, t.D_1, t.D_2, t.alpha, Fraction(4), Fraction(1), Fraction(0), t.Delta, t.Delta
    )


NUMBERS = values(unit=2 * 10**18, alpha="26/100", R="1/50", r="1/2500")
_PROBLEM = "M = 4, p = 1, σ = 0, d = 1, K + 1 = 8⁸: two clients whose local updates cancel where f' = 9/80; a cycle of two rounds"
WHY = (
    "η̂ has the wrong unit. Up to Δ^inf = {} in the units used the corollary holds as printed ({}), where β/(α+R) < 1 and σ_DP² = "
    "E‖z‖², and with D₂ < α + D₁ for every Δ^inf ({}). Else, in small units of f, Δ^inf does not limit η̂, and the first term has too "
    "little to spare for the part of the bias of the local steps that grows with f(x⁰) − f^inf; the witness has Δ^inf = 4·10¹⁴."
)
LARGE = {
    3: ("20,446", "FED-C3@small-Delta", "FED-C3-GENTLE"),
    5: ("36,735", "FED-C5@small-Delta", "FED-C5-GENTLE"),
}
"""By the number of the corollary: up to which Δ^inf it holds, what shows it, and what shows that it holds for every Δ^inf where
D₂ < α + D₁."""


def _witness(work: str, right: Callable[[Scheduled], Fraction]) -> Witness:
    return Witness(NUMBERS, "‖∇f(xᵏ)‖ ≤ A₁/8 + A₂/8⁷ for some k ≤ K", _replay(right), f"{_PROBLEM}; {work}")


WITNESSES = {3: _witness("T = 2", _corollary3), 5: _witness("N = 2, f_{i,0} = f_{i,1}", _corollary5)}
"""By the number of the corollary."""
