"""Claims: indices and letters that stand for two things in the text that was read, a transcript (Theorems 6 and 7, eq. (42))."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

from bounds.dp_normfedavg import choices
from bounds.dp_normfedavg.theorem6 import theorem6, theorem6_specific
from bounds.dp_normfedavg.theorem7 import theorem7, theorem7_specific
from verify.claim import Claim, Values
from verify.computation import Comparison
from verify.curves import Quadratic
from verify.dp_normfedavg.displays import DISPLAYS, THEOREMS

PAPER = "dp-normfedavg"
ONE, ZERO = Fraction(1), Fraction(0)
Replay = Callable[[Values], Comparison]


def _first_round(v: Values, right: Fraction) -> Comparison:
    """Both theorems at k = 0, f(w) = Lw²/2, n = r = 1, E = 1: w₀ is given, so that the left-hand side is a number."""
    C_hat, L, gamma, rho, K, start = (v[name] for name in ("C_hat", "L", "gamma", "rho", "K", "w0"))
    u = Quadratic(L).gradient(start)
    met = (
        ("‖u_0‖ > ĈE", abs(u) > C_hat),
        ("Ĉ ≥ 4√(L max Δ_j*) = 0", C_hat > 0),
        ("K > 2γ/(ĈE)/ρ", 2 * gamma / C_hat / rho < K),
        ("K is whole", K.denominator == 1),
        ("0 < ρ < 1, γ > 0", 0 < rho < 1 and gamma > 0),
    )
    return Comparison(3 * C_hat * abs(u) / (8 * L), "<=", right, met)


def _first_round_of_many(v: Values, right: Fraction) -> Comparison:
    """The same under the second parts' choices K = (2αγ/(ĈE))/ρ² and 1 = E ≤ α/(2ρ)."""
    C_hat, gamma, rho, alpha = (v[name] for name in ("C_hat", "gamma", "rho", "alpha"))
    found = _first_round({**v, "K": choices.rounds_theorem6(alpha, gamma, C_hat, ONE, rho)}, right)
    chosen = (("α ≥ 1", alpha >= 1), ("E = 1 ≤ α/(2ρ)", alpha / (2 * rho) >= 1))
    return Comparison(found.lhs, found.comparison, right, (*found.presupposed, *chosen))


def _letters(v: Values) -> dict[str, Fraction]:
    return {name: v[name] for name in ("C_hat", "L", "gamma", "rho")} | {"distance": abs(v["w0"])}


def _six(v: Values) -> Comparison:
    return _first_round(v, theorem6(**_letters(v), K=v["K"], Delta_kept=ZERO))


def _seven(v: Values) -> Comparison:
    return _first_round(v, theorem7(**_letters(v), K=v["K"], share_kept=ZERO, z_Delta=ZERO))


def _six_specific(v: Values) -> Comparison:
    return _first_round_of_many(v, theorem6_specific(**_letters(v), E=ONE, alpha=v["alpha"], Delta=ZERO))


def _seven_specific(v: Values) -> Comparison:
    return _first_round_of_many(v, theorem7_specific(**_letters(v), E=ONE, alpha=v["alpha"], z_Delta=ZERO))


VALUES = {
    "C_hat": ONE, "L": ONE, "gamma": Fraction(2), "rho": Fraction(1, 10), "K": Fraction(50), "w0": Fraction(2),
}  # fmt: skip
MANY = {name: value for name, value in VALUES.items() if name != "K"} | {"alpha": ONE}
PROBLEM = "one client, f(w) = w²/2, one local step, from w₀ = 2, where the first update is longer than ĈE = 1, γ = 2, ρ = 1/10"
FIRST_ROUNDS: dict[str, tuple[Replay, Values]] = {
    "DAS-T6@index": (_six, VALUES), "DAS-T7@index": (_seven, VALUES), "DAS-T6@index-specific": (_six_specific, MANY),
    "DAS-T7@index-specific": (_seven_specific, MANY),
}  # fmt: skip
"""Both sides of each theorem at k = 0, where the left one is the larger: what “for every k” would be wrong about."""
TWICE = {"L": ONE, "eta": Fraction(1, 2), "w": ONE}


def bound_of_b(v: Values) -> Comparison:
    """(44) with B_i as (42) underbraces it, −2η⟨u_i, w_k − w*⟩, for f(w) = Lw²/2 and E = 1, where u = ∇f(w_k)."""
    L, eta, w = v["L"], v["eta"], v["w"]
    f = Quadratic(L)
    right = f.value(w) - 2 * eta**2 * L**2 * f.value(w)
    return Comparison(-2 * eta * f.gradient(w) * w, ">=", right, (("0 < ηL ≤ 1", 0 < eta * L <= 1),))


_INDEXED = re.compile(r"(u|w)_(k|\{k̃\})(?=\^\{\(i\)\}|\))")


def indexed(text: str) -> tuple[tuple[str, str], ...]:
    """The updates and iterates in a guarantee, on both of its sides, each with its index."""
    return tuple(_INDEXED.findall(text[text.index("E[(1/n) Σ_{i=1}^n") :]))


def averaged(text: str) -> tuple[tuple[str, str], ...]:
    """Those that its left-hand side averages."""
    return indexed(text[: text.index("‖w₀ − w*‖²")])


TRANSCRIPT = "that text is a transcript, in which {lost}; the pages of the paper would decide"
REGULAR = (
    "Against a loss speaks that the pattern is regular: in both parts of Theorem 6 every u and every w has k, in both of Theorem 7 "
    "every u has k and every w has k̃, while (38), (39) and (47) have k̃ throughout"
)
_ZERO_UPDATE = "for exactly r clients a round, once norm and 1/‖u_i‖ have a value at u_i = 0"
INDICES = {
    "DAS-T6@index": ("6", "(38)", "for exactly r clients a round (DAS-T6@fixed-size)"),
    "DAS-T7@index": ("7", "(47)", f"{_ZERO_UPDATE} (DAS-T7@fixed-size)"),
    "DAS-T6@index-specific": ("6 specific", "(39)", "for r ≥ 1 clients in the mean (DAS-T6@specific)"),
    "DAS-T7@index-specific": ("7 specific", "(47)", f"{_ZERO_UPDATE} (DAS-T7@specific-fixed-size)"),
}  # fmt: skip
"""Part of a theorem whose letters have k where those of its proof have k̃, the line of the proof, and what is proved with k̃."""


def _index(identifier: str) -> Claim:
    """Theorem 6 or 7 with k where its proof has k̃."""
    part, equation, held = INDICES[identifier]
    replay, values = FIRST_ROUNDS[identifier]
    found = replay(values)
    chosen = f"K = {values['K']}" if "K" in values else f"α = {values['alpha']}"
    display = DISPLAYS[equation.strip("()")]
    return Claim(
        identifier,
        PAPER,
        f"Theorem {part[0]}, {'second' if 'specific' in part else 'first'} part, against {equation}: its index",
        "equation",
        f"{THEOREMS[part]} (Appendix {'C' if part[0] == '6' else 'D'}) […] {display} {equation}",
        f"the theorem has k where its proof, {equation}, has k̃",
        undecided="in the text that was read letters of the theorem have k, which nothing there binds, where its proof, "
        f"{equation}, has k̃; {TRANSCRIPT.format(lost='a tilde may have been lost')}. {REGULAR}",
        consequence=f"read k̃ ~ unif[0, K − 1] for k: so it is proved {held}. “For every k”, which is not printed, would be false: in "
        f"the first round nothing has been gained yet, and the left-hand side is {found.lhs}, the right-hand side {found.rhs}, for "
        f"{PROBLEM} and {chosen}",
    )


_TWICE = bound_of_b(TWICE)
CLAIMS = (
    *(_index(identifier) for identifier in INDICES),
    Claim(
        "DAS-T7-S5@42", PAPER, "D.1, eq. (44), B_i as (42) underbraces it", "step",
        f"{DISPLAYS['42']} (42) [−2η⟨u_k^{{(i)}}, w_k − w*⟩ underbraced B_i] […] {DISPLAYS['44']} (44)",
        f"(44) is the bound of B_i as in (24), and false of the other: {_TWICE.lhs} against {_TWICE.rhs} for f(w) = w²/2, w* = 0, "
        "w_k = 1, E = 1, η = 1/2",
        undecided="in the text that was read B_i has two meanings, in (42) with the factor −2η and in (24) without it, and (44) "
        f"bounds the second; {TRANSCRIPT.format(lost='an underbrace may have moved')}",
        consequence="read B_i = ⟨u_i, w_k − w*⟩, as in (24): then (44) holds (DAS-T7-S5), and (45) follows from it",
    ),
)  # fmt: skip
