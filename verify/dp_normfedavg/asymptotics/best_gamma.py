"""Section 4.1 at γ = L‖w₀ − w*‖, which minimises (4) and (5): normalisation ends higher, at every whole α, where d is large.

n = 3m clients f_i(w) = h(θ_i⟨a_i, w⟩), m of each of three kinds, h Huber of slope G with L = 1; a_1 = (1, 0), a_2 = (−3/5, 4/5),
a_3 = (−4/5, 3/5) in the first two coordinates, θ_1 = 1, θ_2 = θ_3 = θ small: one steep kind, two nearly flat ones, all minimised at
w* = 0, the minimiser of f next to w₀ = (x₀, y₀, 0, …). E = 1, all clients in every round, C = G, so that nothing is cut.

With τ = ηG, H = Kτ and D = ‖w₀ − w*‖ = ρH, all noise together has the variance dV = D²: of dσ² = KC²ρ² little lies along a_i. Below,
x_k is the first coordinate, and 3 Σ_k τ f(w_k) = 3H f(w_k̃) in the mean.

*Normalised, from below.* While no ⟨a_i, w⟩ changes sign, w moves by −τ mean a_i a round. Up to the time t that leaves each ⟨a_i, w⟩ a
margin m_i, so that a sign changes with probability Σ_i V/m_i² at most (Kolmogorov), and then x is at most 2kτ mean |⟨a_i, e_1⟩| from
where it would be. h(x) ≥ Gx − G²/(2L), and f ≥ 0 after t.

*Clipped, from above.* y_{k+1} = y_k − (η/3)h′(y_k) from y₀ = x₀ has no noise and no flat clients. w ↦ w − (η/3)h′(w) brings no two
points apart, the flat clients add δ = (τ/3)θ(|⟨a_2, e_1⟩| + |⟨a_3, e_1⟩|) a round at most, and the noise of a round is independent of
what came before: with e_k² = E(x_k − y_k)², e_{k+1}² ≤ (e_k + δ)² + V/K, hence e_K ≤ Kδ + √V. h is G-Lipschitz, and
|⟨a_i, w_k⟩| ≤ |⟨a_i, w₀⟩| + H + √V in the mean.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy

from bounds.dp_normfedavg import choices as printed
from verify.case import closed
from verify.claim import Values, Witness
from verify.computation import Comparison
from verify.curves import huber
from verify.dp_normfedavg.counterexamples.exact import ZERO
from verify.dp_normfedavg.letters import summed
from verify.facts import equal, hypothesis, letters
from verify.obligation import obligation

ONE = Fraction(1)
FIFTH = Fraction(1, 5)
DIRECTIONS = ((ONE, ZERO), (-3 * FIFTH, 4 * FIFTH), (-4 * FIFTH, 3 * FIFTH))
MEAN = (sum((x for x, _ in DIRECTIONS), ZERO) / 3, sum((y for _, y in DIRECTIONS), ZERO) / 3)
SIDEWAYS = sum((abs(x) for x, _ in DIRECTIONS), ZERO) / 3
NUMBERS = {
    "G": FIFTH, "L": ONE, "theta": Fraction(1, 10**6), "x0": ONE, "y0": Fraction(12, 5), "rho": Fraction(1, 2), "t": Fraction(3, 2),
}  # fmt: skip
"""All but α and √d; `t` is the time that is looked at under normalisation."""
LEAST_ROOT = 200
"""√d, at the least."""


def _along(x: Any, y: Any) -> tuple[Any, ...]:
    return tuple(a * x + b * y for a, b in DIRECTIONS)


@dataclass(frozen=True)
class Bounds:
    """The two bounds on 3H E f(w_k̃) as formulas in τ, η and s = √V (fractions or letters); its own numbers are fractions, or
    sympy's."""

    G: Any
    L: Any
    theta: Any
    x0: Any
    y0: Any
    t: Any
    H: Any

    @property
    def margins(self) -> tuple[Any, ...]:
        """Least distance of each ⟨a_i, w⟩ from 0 up to the time t, without noise."""
        along, rates = _along(self.x0, self.y0), _along(*MEAN)
        return tuple(min(p, p - rate * self.t) for p, rate in zip(along, rates, strict=True))

    def escape(self, s: Any) -> Any:
        return sum(s**2 / m**2 for m in self.margins)

    def lost(self, s: Any) -> Any:
        """What x may be lower by, per unit of time and of time passed, because a sign may have changed."""
        return 2 * SIDEWAYS * self.escape(s)

    def normalised(self, tau: Any, s: Any) -> Any:
        start = self.t * (self.G * self.x0 - self.G**2 / (2 * self.L))
        return start - self.G * (MEAN[0] + self.lost(s)) * (self.t**2 - self.t * tau) / 2

    def away(self, s: Any) -> Any:
        """E|x_k − y_k| at most."""
        return self.H * self.theta * (SIDEWAYS - Fraction(1, 3)) + s

    def besides(self, s: Any) -> Any:
        """What noise and flat clients add under clipping."""
        furthest = max(abs(p) for p in _along(self.x0, self.y0)) + self.H + s
        return self.H * self.G * (self.away(s) + 2 * self.theta * furthest)

    def clipped(self, tau: Any, eta: Any, s: Any) -> Any:
        """y needs the time `fall` for its way to G/L; beyond, squares fall by (1 − ηL/3)² a round."""
        fall = 3 * (self.x0 - self.G / self.L)
        linear = fall * (self.G * self.x0 - self.G**2 / (2 * self.L)) - self.G * (fall**2 - tau * fall) / 6
        rest = tau * self.G**2 / (2 * self.L) / (1 - (1 - eta * self.L / 3) ** 2)
        return linear + rest + self.besides(s)


def _bounds(v: Values, H: Fraction) -> Bounds:
    return Bounds(v["G"], v["L"], v["theta"], v["x0"], v["y0"], v["t"], H)


def _replay(v: Values) -> Comparison:
    """Both bounds as sums over the rounds."""
    G, L, x0, alpha, rho, root = (v[name] for name in ("G", "L", "x0", "alpha", "rho", "root_d"))
    h, D = huber(L, G), v["gamma"] / L
    eta, K = printed.step_theorem4(rho, alpha, L), printed.rounds_theorem4(alpha, v["gamma"], G, rho)
    tau = eta * G
    at = _bounds(v, K * tau)
    s = D / root
    first, fall = v["t"] / tau, 3 * (x0 - G / L) / tau
    normalised = sum(
        (tau * (G * (x0 - (MEAN[0] + at.lost(s)) * k * tau) - G**2 / (2 * L)) for k in range(int(first))),
        ZERO,
    )
    y, clipped = x0, ZERO
    for _ in range(int(fall)):
        clipped += tau * h(y)
        y -= eta / 3 * h.gradient(y)
    clipped += tau * h(y) / (1 - (1 - eta * L / 3) ** 2) + at.besides(s)
    along = _along(x0, v["y0"])
    met = (
        ("h convex", h.convex), ("f_i L-smooth: h is L-smooth, ‖a_j‖ = 1, θ ≤ 1", h.smoothness <= L and 0 < v["theta"] <= 1),
        ("f_i G-Lipschitz", h.lipschitz <= G), ("unit directions", all(a**2 + b**2 == 1 for a, b in DIRECTIONS)),
        ("γ = L‖w₀ − w*‖, w* = 0 the nearest minimiser of f and one of every f_i", v["gamma"] ** 2 == L**2 * (x0**2 + v["y0"] ** 2)),
        ("K is a whole number", K.denominator == 1), ("E = 1 ≤ α/(2ρ)", alpha / (2 * rho) >= 1), ("α ≥ 1", alpha >= 1),
        ("0 < ρ < 1", 0 < rho < 1), ("no update is 0 at w₀", all(p != 0 for p in along)),
        ("every ⟨a_j, w⟩ > 0 with a margin up to t", min(at.margins) > 0), ("t/τ and y's way to G/L are whole numbers of rounds",
         first.denominator == fall.denominator == 1 and max(first, fall) <= K), ("y comes to G/L", y == G / L),
        ("D = ρH, so that the noise along a direction has the variance D²/d", D == rho * at.H and root >= 1),
        ("the formulas are the sums", (at.normalised(tau, s), at.clipped(tau, eta, s)) == (normalised, clipped)),
    )  # fmt: skip
    return Comparison(normalised, "<=", clipped, met)


# For every α ≥ 1 and every d ≥ 200².
alpha, tau, eta, s, j, x, v, G, L = letters("alpha tau eta s j x_0 v G L")
S, T, y, q, e, delta, w, w_next, e_next, xi = letters("S T y q e delta w w_next e_next xi")
SUM = summed(
    "Σ_{k<j} τ(G(x₀ − vkτ) − G²/2) = jτ(Gx₀ − G²/2) − Gvτ²j(j − 1)/2",
    equal(S, j * tau * (G * x - G**2 / 2) - G * v * tau**2 * j * (j - 1) / 2),
    {S: 0, j: 0},
    {S: S + tau * (G * (x - v * j * tau) - G**2 / 2), j: j + 1},
    (),
)
_SHRINKS = hypothesis(
    "q = (1 − ηL/3)², 0 < ηL ≤ 1", equal(q, (1 - eta * L / 3) ** 2) & (eta * L > 0) & (eta * L <= 1)
)
_STEP = hypothesis("τ, G, L > 0", (tau > 0) & (G > 0) & (L > 0))
REST = summed(
    "Σ_{i<j} τLy_i²/2 + τLy_j²/(2(1 − q)) = τG²/(2L)/(1 − q) for y_{i+1} = (1 − ηL/3)y_i, y₀ = G/L",
    equal(2 * T * (1 - q) + tau * L * y**2, tau * G**2 / L),
    {T: 0, y: G / L},
    {T: T + tau * L * y**2 / 2, y: (1 - eta * L / 3) * y},
    (_SHRINKS, _STEP),
)
AWAY = summed(
    "√E(x_k − y_k)² ≤ kδ + √(kξ), ξ = V/K",
    (e <= j * delta + w) & equal(w**2, j * xi) & (w >= 0) & (j >= 0),
    {e: 0, j: 0, w: 0},
    {e: e_next, j: j + 1, w: w_next},
    (
        hypothesis("one round: e_{k+1}² ≤ (e_k + δ)² + ξ", (e_next**2 <= (e + delta) ** 2 + xi) & (e >= 0)),
        hypothesis(
            "δ, ξ ≥ 0, √((k + 1)ξ)", (delta >= 0) & (xi >= 0) & (w_next >= 0) & equal(w_next**2, (j + 1) * xi)
        ),
    ),
)
_numbers = {name: value for name, value in NUMBERS.items() if name != "rho"}
_D = Fraction(13, 5)


def _rational(value: Fraction) -> sympy.Expr:
    return sympy.Rational(value.numerator, value.denominator)


_at = Bounds(**{name: _rational(value) for name, value in _numbers.items()}, H=_rational(_D / NUMBERS["rho"]))
DIFFERENCE = Fraction(1, 60)
EVERY = obligation(
    f"for every α ≥ 1 and d ≥ {LEAST_ROOT}² the bound on normalisation's 3H E f(w_k̃) exceeds that on clipping's by {DIFFERENCE}",
    (
        hypothesis(
            "α ≥ 1, η = ρ/(2αL), τ = ηG", (alpha >= 1) & equal(4 * alpha * eta, 1) & equal(5 * tau, eta)
        ),
        hypothesis(f"√V = D/√d ≤ D/{LEAST_ROOT}", (s >= 0) & (s <= _rational(_D / LEAST_ROOT))),
    ),
    _at.normalised(tau, s) - _at.clipped(tau, eta, s) >= _rational(DIFFERENCE),
)
WITNESS = Witness(
    {**NUMBERS, "gamma": _D, "alpha": Fraction(20), "root_d": Fraction(LEAST_ROOT)},
    "E f(w_k̃) of DP-NormFedAvg ≤ that of DP-FedAvg with clipping, both times 3ηGK; a lower bound on the left, an upper bound on the "
    "right",
    _replay,
    "clients of three kinds with one common minimiser, equally many of each, all in every round: two nearly flat kinds lead "
    "normalisation up the steep one. A client of kind j has h(θ_j⟨a_j, w⟩), h the Huber function with h(x) = Lx²/2 for L|x| ≤ G and "
    "of slope G beyond; a_1 = (1, 0), a_2 = (−3/5, 4/5), a_3 = (−4/5, 3/5) in the first two coordinates, θ_1 = 1, θ_2 = θ_3 = θ; "
    "w₀ = (1, 12/5, 0, …, 0), C = G, α = 20, K = 104α, d = 40,000; and the same at every whole α and every larger d. τ = ηG, H = Kτ, "
    "D = ‖w₀ − w*‖. Normalised, w moves by −τ(a_1 + a_2 + a_3)/3 a round up to round t/τ, but for signs that noise turns; clipped, "
    "its first coordinate is y_{k+1} = y_k − (η/3)h′(y_k), y_0 = 1, but for noise and flat clients",
    closed((SUM, REST, AWAY, EVERY)),
)
