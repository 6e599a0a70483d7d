"""What no (ε, δ)-DP method can do at a fixed ε and δ: on one of two problems that differ in one client, its gradient stays large."""

from __future__ import annotations

from typing import Any

import sympy

from bounds.alpha_normec.ours import least_under_privacy
from verify.alpha_normec.letters import CLIENTS, GAP, LETTERS, PAPER, SMOOTH, L, f_gap, n
from verify.claim import Claim
from verify.facts import definition, equal, hypothesis, letters, standard
from verify.gram import Space, inner, square, vectors
from verify.identity import Identity
from verify.obligation import obligation
from verify.proof import Proof

delta = LETTERS["delta"]
G, growth, phi = letters("G e^ε φ(x̂)")
_x, _e = vectors("x̂ e")
_space = Space((_x, _e))
_slopes: tuple[Any, Any] = (L * _x - G * _e, L * _x + G * _e)
toward, away = (_space.norm(v, name) for v, name in zip(_slopes, ("‖∇f₊(x̂)‖", "‖∇f₋(x̂)‖"), strict=True))
_along = L * inner(_e, _x)
mean_toward, mean_away, p_toward, p_away = letters("E₊‖∇f₊(x̂)‖ E₋‖∇f₋(x̂)‖ P₊(A) P₋(A)")

UNIT = hypothesis("‖e‖ = 1", equal(square(_e), 1))
PRIVATE = hypothesis(
    "x̂ is (ε, δ)-DP: P₋(A) ≤ e^ε P₊(A) + δ and P₊(Aᶜ) ≤ e^ε P₋(Aᶜ) + δ, A = {U < φ(x̂)}, U uniform on [0, 1] and drawn by itself",
    (p_away <= growth * p_toward + delta) & (1 - p_toward <= growth * (1 - p_away) + delta),
)
LOSS = hypothesis("ε ≥ 0", growth >= 1)
HEIGHT = definition("G = √(2L(f(x⁰) − f^inf))", (G >= 0) & equal(G**2, 2 * L * f_gap))
_TEST = definition(
    "2Gφ(x̂) = G − L⟨e, x̂⟩, cut at 0 and 2G",
    equal(2 * G * phi, sympy.Max(0, sympy.Min(2 * G, G - _along))),
)
_GIVEN = (SMOOTH, UNIT, HEIGHT, GAP, _TEST, *_space.facts())
SHARE = obligation("0 ≤ φ ≤ 1", _GIVEN, sympy.Implies(G > 0, (phi >= 0) & (phi <= 1)))
TOWARD = obligation("‖∇f₊(x̂)‖ ≥ 2Gφ(x̂)", _GIVEN, toward >= 2 * G * phi)
AWAY = obligation("‖∇f₋(x̂)‖ ≥ 2G(1 − φ(x̂))", _GIVEN, away >= 2 * G * (1 - phi))
_length, _most, _part, _mean, _chance = letters("v m φ E[v] P(U<φ)")
_EXPECTED = standard(
    "v ≥ mφ implies E[v] ≥ m P(U < φ), U uniform on [0, 1] and drawn by itself",
    sympy.Implies(_length >= _most * _part, _mean >= _most * _chance),
)
_ON_TOWARD = _EXPECTED.at(
    {_length: toward, _most: 2 * G, _part: phi, _mean: mean_toward, _chance: p_toward}, "on +"
)
_ON_AWAY = _EXPECTED.at(
    {_length: away, _most: 2 * G, _part: 1 - phi, _mean: mean_away, _chance: 1 - p_away}, "on −, 1 − φ"
)
MEAN_TOWARD = obligation(
    "E₊‖∇f₊(x̂)‖ ≥ 2G P₊(A)", (TOWARD.conclusion, _ON_TOWARD), mean_toward >= 2 * G * p_toward
)
MEAN_AWAY = obligation(
    "E₋‖∇f₋(x̂)‖ ≥ 2G P₋(Aᶜ)", (AWAY.conclusion, _ON_AWAY), mean_away >= 2 * G * (1 - p_away)
)
LARGER = sympy.Max(mean_toward, mean_away)
FLOOR = least_under_privacy(f_gap, L, growth, delta)
LAST = (MEAN_TOWARD.conclusion, MEAN_AWAY.conclusion, PRIVATE, LOSS, HEIGHT, SMOOTH, GAP)
_y, _z = letters("y z")
_VALUE = L * square(_x) / 2
_PROBLEM = (
    *(
        Identity(f"the mean of L y {sign} nG and n − 1 times L y is L y {sign} G", ((n - 1) * L * _y + L * _y + n * move) / n,
                 L * _y + move, (CLIENTS,))
        for sign, move in (("−", -G), ("+", G))
    ),
    *(
        Identity(f"∇f_1 = Lx {sign} nGe moves as Lx does: L_1 = L", (L * _y + n * move) - (L * _z + n * move), L * (_y - _z))
        for sign, move in (("−", -G), ("+", G))
    ),
    *(
        obligation(f"f(x) = L‖x‖²/2 {sign} G⟨e, x⟩ ≥ f(x⁰) − G²/(2L), x⁰ = 0", (SMOOTH, UNIT, HEIGHT, GAP, *_space.facts()),
                   _VALUE + move * inner(_e, _x) >= -f_gap)
        for sign, move in (("−", -G), ("+", G))
    ),
    obligation("and that value is attained, at x = ±(G/L)e", (SMOOTH, HEIGHT, GAP),
               equal(L * (G / L) ** 2 / 2 - G * (G / L), -f_gap)),
)  # fmt: skip
_right = (growth + delta) / (1 + growth)
_ATTAINED = (
    Identity("(ε, δ)-DP with equality: the right minimiser with probability (e^ε + δ)/(1 + e^ε), else the other", _right,
             growth * (1 - _right) + delta, (LOSS,)),
    obligation("whose mean gradient, 2G times the rest, is the floor", (SMOOTH, HEIGHT, GAP, LOSS),
               equal(2 * G * (1 - _right), FLOOR)),
)  # fmt: skip
DP_FLOOR = Claim(
    id="NEC-OUR-DP-FLOOR",
    paper=PAPER,
    place="ours: what no method can do under a fixed (ε, δ)",
    kind="ours",
    printed="For all L, f(x⁰) − f^inf, n and d there are two problems that differ in f_1 alone, both with L_i = L for every client "
    "and with that f(x⁰) − f^inf, so that every x̂ that is released with (ε, δ)-DP (replace-one) has E‖∇f(x̂)‖ ≥ 2√(2L(f(x⁰) − "
    "f^inf)) (1 − δ)/(1 + e^ε) on one of the two, by whatever method and after any number K of rounds. For these two no larger "
    "number will do.",
    reason="The two minimisers lie on opposite sides of x⁰ = 0, 2G/L apart with G = ‖∇f(x⁰)‖, so that what is near one has a long "
    "gradient on the other problem; DP does not let x̂ be near the right one with probability near 1 on both. f_i = (L/2)‖x‖² for "
    "i ≥ 2, and f_1 has ∓nG⟨e, x⟩ beside it, ‖e‖ = 1. So it is with the last iterate, with one that is drawn without a look at the "
    "data, and hence with the mean over k of E‖∇f(x^k)‖. Of min_k E‖∇f(x^k)‖ it says nothing: a path that is laid without the data "
    "can pass both minimisers.",
    proof=Proof(
        (SMOOTH, CLIENTS, UNIT, PRIVATE, LOSS),
        (
            *_PROBLEM,
            *_ATTAINED,
            SHARE,
            TOWARD,
            AWAY,
            MEAN_TOWARD,
            MEAN_AWAY,
            obligation("max(E₊, E₋) ≥ 2√(2L(f(x⁰) − f^inf)) (1 − δ)/(1 + e^ε)", LAST, LARGER >= FLOOR),
        ),
    ),
    consequence="At a fixed (ε, δ) more rounds do not lead to a stationary point: no choice of α, β, γ, R and K does, nor another "
    "method. Nor do more clients, where nothing limits how they differ: ∇f_1(x⁰) is nG long here.",
)  # fmt: skip
CLAIMS = (DP_FLOOR,)
