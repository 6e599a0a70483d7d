"""Claims: indices and letters that stand for two things, taken by the letter (Theorems 6 and 7, eq. (42))."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

from bounds.dp_normfedavg import choices
from bounds.dp_normfedavg.theorem6 import theorem6, theorem6_specific
from bounds.dp_normfedavg.theorem7 import theorem7, theorem7_specific
from verify.claim import Claim, Gap, Repair, Values, Witness
from verify.computation import Comparison, Computation
from verify.curves import Quadratic
from verify.dp_normfedavg.case import step
from verify.dp_normfedavg.displays import DISPLAYS, THEOREMS
from verify.dp_normfedavg.theorems import claims as theorems
from verify.dp_normfedavg.theorems.theorem7 import S44
from verify.proof import Proof

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
EVERY_K = "“for every k” is false: 3Ĉ‖u_0‖/(8LE), the left-hand side at k = 0, > the right-hand side"
PROBLEM = "one client, f(w) = w²/2, one local step, from w₀ = 2: the first update is longer than ĈE = 1"


def _bound_of_b(v: Values) -> Comparison:
    """(44) with the B_i of (42), for f(w) = Lw²/2 and E = 1, where u = ∇f(w_k)."""
    L, eta, w = v["L"], v["eta"], v["w"]
    f = Quadratic(L)
    right = f.value(w) - 2 * eta**2 * L**2 * f.value(w)
    return Comparison(-2 * eta * f.gradient(w) * w, ">=", right, (("0 < ηL ≤ 1", 0 < eta * L <= 1),))


_INDEXED = re.compile(r"(u|w)_(k|\{k̃\})(?=\^\{\(i\)\}|\))")


def _averaged(text: str) -> tuple[tuple[str, str], ...]:
    """The updates and iterates that the left-hand side of a guarantee averages, each with its index."""
    left = text[text.index("E[(1/n) Σ_{i=1}^n") : text.index("‖w₀ − w*‖²")]
    return tuple(_INDEXED.findall(left))


def _unbound(theorem: str, display: str) -> Computation:
    """The same letters in the same places, k in the theorem where its proof has k̃."""

    def run() -> Comparison:
        said, shown = _averaged(theorem), _averaged(display)
        met = (
            (
                "the same letters in the same order",
                [letter for letter, _ in said] == [letter for letter, _ in shown] != [],
            ),
            ("k̃ everywhere in the proof", {index for _, index in shown} == {"{k̃}"}),
        )
        return Comparison(Fraction(sum(index == "k" for _, index in said)), ">", ZERO, met)

    return Computation("letters with k in the theorem that have k̃ in its proof", "enumeration", run)


def _index(
    identifier: str, place: str, printed: tuple[str, str], values: Values, replay: Replay, repair: Repair
) -> Claim:
    """Theorem 6 or 7 with k where its proof has k̃."""
    theorem, equation = printed
    found = replay(values)

    def first_round() -> Comparison:
        return Comparison(found.lhs, ">", found.rhs, found.presupposed)

    why = (
        f"k is bound by nothing in the theorem, and its proof has k̃ in the same places, {equation}: a tilde that the text which was "
        "read may have lost. “For every k” is not printed, and would be false: in the first round nothing has been gained yet, and "
        f"the left-hand side is {found.lhs}, the right-hand side {found.rhs}, for {PROBLEM}"
    )
    return Claim(
        identifier,
        PAPER,
        f"{place}, against {equation}: its index",
        "equation",
        f"{theorem} (Appendix {'C' if 'T6' in identifier else 'D'}) […] {DISPLAYS[equation.strip('()')]} {equation}",
        why,
        conflict=Proof(
            (),
            (
                _unbound(theorem, DISPLAYS[equation.strip("()")]),
                Computation(EVERY_K, "enumeration", first_round),
            ),
        ),
        repair=repair,
    )


DRAWN = "k̃ ~ unif[0, K − 1] for k"
CLAIMS = (
    _index(
        "DAS-T6@index", "Theorem 6, first part", (THEOREMS["6"], "(38)"), VALUES, _six,
        Repair("k̃ for k", f"{DRAWN}, |S_k| = r (DAS-T6@fixed-size)", theorems.SIX_FIXED),
    ),
    _index(
        "DAS-T7@index", "Theorem 7, first part", (THEOREMS["7"], "(47)"), VALUES, _seven,
        Repair("k̃ for k", f"{DRAWN}; {theorems.AT_ZERO}; |S_k| = r (DAS-T7@fixed-size)", theorems.SEVEN_GENERAL_FIXED),
    ),
    _index(
        "DAS-T6@index-specific", "Theorem 6, second part", (THEOREMS["6 specific"], "(39)"), MANY, _six_specific,
        Repair("k̃ for k", f"{DRAWN}, r ≥ 1 clients in the mean (DAS-T6@specific)", theorems.SIX_SPECIFIC),
    ),
    _index(
        "DAS-T7@index-specific", "Theorem 7, second part", (THEOREMS["7 specific"], "(47)"), MANY, _seven_specific,
        Repair("k̃ for k", f"{DRAWN}; {theorems.AT_ZERO}; |S_k| = r (DAS-T7@specific-fixed-size)", theorems.SEVEN_FIXED),
    ),
    Claim(
        "DAS-T7-S5@42", PAPER, "D.1, eq. (44), B_i as (42) underbraces it", "step",
        f"{DISPLAYS['42']} (42) [−2η⟨u_k^{{(i)}}, w_k − w*⟩ underbraced B_i] […] {DISPLAYS['44']} (44)",
        "B_i has two meanings, here with the factor −2η and in (24) without it; (44) is the bound of the second, and the first is "
        "negative wherever it matters (an underbrace may have moved in the text that was read)",
        gap=Gap("reading", "B_i with the factor −2η", Witness(
            {"L": ONE, "eta": Fraction(1, 2), "w": ONE}, "(44) with B_i = −2η⟨u_i, w_k − w*⟩", _bound_of_b,
            "f(w) = w²/2, w* = 0, w_k = 1, E = 1, η = 1/2: −1 against 1/4",
        )),
        repair=Repair("B_i = ⟨u_i, w_k − w*⟩, as in (24)", "the underbrace moves to the inner product", step((S44,))),
        consequence="none for (45), which uses (44) with the B_i of (24)",
    ),
)  # fmt: skip
