"""The last display of F.5, which F.3 prints too: what its O(·) hide, and where max(α, 2) and d^{1/4} come from.

Letters: X = √((f(x⁰) − f^inf)/γ), y = (B₂/M)^(1/4), root = d^{1/4}, side = √(K+1), so that β̂ = √3 X/y.
"""

from __future__ import annotations

from dataclasses import replace

import sympy

from verify.claim import Claim, Gap, Repair
from verify.facts import Fact, definition, equal, hypothesis, letters
from verify.fed_alpha_normec.displays import COROLLARIES
from verify.fed_alpha_normec.letters import GAMMA, SMOOTH, F, L, R, alpha, claim, gamma
from verify.fed_alpha_normec.ours import rounds as ro
from verify.identity import Identity, Limit
from verify.obligation import obligation
from verify.proof import Proof

X, y, root, side, C, absent, drift, A_1, A_2, A_3 = letters("X y root_d side C √(B₁/M) drift A_1 A_2 A_3")
POSITIVE = hypothesis("X, y, C > 0", (X > 0) & (y > 0) & (C > 0))
DIMENSION = hypothesis("d^{1/4} ≥ 1", root >= 1)
COUNTED = hypothesis("√(K+1) ≥ 1", side >= 1)
ABSENT = definition("√(B₁/M) ≥ 0", absent >= 0)
HAT = sympy.sqrt(3) * X / y
CHOICE = hypothesis("α = R = C d^{1/4} X y", equal(alpha, C * root * X * y) & equal(R, C * root * X * y))
_KEPT = 6 * sympy.sqrt(3) + 2 * C
_LATER = 2 * HAT * absent / side + gamma * L * HAT / (8 * side**2)


def display_before(drift: sympy.Expr) -> Fact:
    return hypothesis(
        "the display before",
        ro.low
        <= 2 * sympy.sqrt(3) * alpha / R * X * y
        + 4 * sympy.sqrt(3) * X * y
        + 2 * R
        + 2 * HAT * absent / side
        + gamma * L * HAT * R / (4 * (alpha + R) * side**2)
        + drift,
    )


def with_constants(drift: sympy.Expr) -> Proof:
    """The display with every constant of O(·) named; d ≥ 1 and max(α, 2) ≥ 2 make the first term larger."""
    signs = (POSITIVE, GAMMA, SMOOTH)
    given = (*signs, DIMENSION, COUNTED, ABSENT, CHOICE, display_before(drift))
    exact = (6 * sympy.sqrt(3) + 2 * C * root) * X * y
    kept = obligation("α = R inserted", given, ro.low <= exact + _LATER + drift)
    factor = sympy.Rational(3, 2) + C / (2 * sympy.sqrt(3))
    printed = obligation(
        "(6√3 + 2C d^{1/4})Xy ≤ (3/2 + C/(2√3)) · 2√3 max(α, 2) X d^{1/4} y",
        (POSITIVE, DIMENSION),
        exact <= factor * 2 * sympy.sqrt(3) * sympy.Max(alpha, 2) * X * root * y,
    )
    return Proof((*signs, DIMENSION, COUNTED, CHOICE, display_before(drift)), (kept, printed))


# γ = 1/(2L), K + 1 = 1/y², C d^{1/4} = 1, p = 1/2, M = 2: the term with B₁ against all that the display keeps.
_AMOUNTS = hypothesis("f(x⁰) > f^inf, A₁, A₂, A₃ > 0", (F > 0) & (A_1 > 0) & (A_2 > 0) & (A_3 > 0))
_DROPPED = Limit(
    "term with B₁/(A₁·4√3·Xy + A₂/√(K+1) + A₃/(K+1)) → ∞ as B₂ → 0 along K + 1 = 1/y², for all constants",
    2 * sympy.sqrt(3) * sympy.sqrt(2 * L * F) / y * y
    / (A_1 * 4 * sympy.sqrt(3) * sympy.sqrt(2 * L * F) * y + A_2 * y + A_3 * y**2),
    y,
    sympy.Integer(0),
    sympy.oo,
    given=(SMOOTH, _AMOUNTS),
)  # fmt: skip
ONE_CONSTANT = Gap(
    "reading",
    "constants in O(·) that serve for every B₂ and every Δ^inf",
    Proof((SMOOTH, _AMOUNTS), (_DROPPED,)),
)
_WHY = (
    "2β̂√(B₁/(M(K+1))) is O(1/√(K+1)) where K alone moves, with a constant that carries β̂ ∝ B₂^(−1/4). No constant serves for every "
    "B₂: along K + 1 ∝ (M/B₂)^(1/2) this term does not fall while the kept one vanishes. The conditions allow that path: β/(α+R) < 1 "
    "holds on it, and the condition on γ does where Δ^inf grows like (M/B₂)^(1/4). The last sentence drops the term. Besides, at "
    "α = R the factor is 6√3, without α: max(α, 2) is what 2√3α + 4√3 gives, with the 1/R of the display before lost."
)


def _last(drift: sympy.Expr, term: str) -> Repair:
    return Repair(
        "With α = R = C d^{1/4} X (B₂/M)^{1/4}, X = √((f(x⁰)−f^inf)/γ), the bound is (6√3 + 2C d^{1/4})X(B₂/M)^{1/4} + "
        f"2β̂√(B₁/(M(K+1))) + γLβ̂/(8(K+1)){term}. Its first term is at most (3/2 + C/(2√3)) · 2√3 max(α, 2) X(dB₂/M)^{{1/4}}.",
        "the constants of O(·) may depend on B₂",
        with_constants(drift),
    )


# In which reading of the noise does d appear? 12F/(γβ̂) is the first two terms at α = R; divided by X.
_COORDINATES = Identity(
    "σ² in each coordinate, β̂ as printed: the noise term is 2√3 √d Xy",
    2 * HAT * root**2 * y**2,
    2 * sympy.sqrt(3) * root**2 * X * y,
    (POSITIVE, DIMENSION),
)
_SMALLER_HAT = HAT / root
_FOURTH_ROOT = Identity(
    "σ² in each coordinate, β̂ with (M/(dB₂))^{1/4}, α = R = C d^{1/4} Xy: (6√3 + 2C) d^{1/4} Xy",
    12 * X**2 / _SMALLER_HAT + 2 * _SMALLER_HAT * root**2 * y**2 + 2 * C * root * X * y,
    _KEPT * root * X * y,
    (POSITIVE, DIMENSION),
)
_NO_DIMENSION = Identity(
    "E‖z‖² = σ², α = R = CXy: (6√3 + 2C)Xy, without d",
    12 * X**2 / HAT + 2 * HAT * y**2 + 2 * C * X * y,
    _KEPT * X * y,
    (POSITIVE,),
)

CLAIMS = (
    claim(
        "FED-F5-S9",
        "Appendix F.5, last display",
        "step",
        COROLLARIES["FED-F5-S9"],
        _WHY,
        repair=_last(sympy.Integer(0), ""),
        gap=ONE_CONSTANT,
        consequence="FED-C2-EXPLICIT keeps every term.",
    ),
    claim(
        "FED-F5-DIM",
        "ours, the d^{1/4} of Corollary 2",
        "ours",
        "With X = √((f(x⁰)−f^inf)/γ) the bound of F.5 less what falls with K is, for E‖z‖² = σ² and α = R = CX(B₂/M)^{1/4}, "
        "(6√3 + 2C)X(B₂/M)^{1/4}, without d; for variance σ² in each of d coordinates its noise term 2β̂√(dB₂/M) is "
        "2√3 X√d (B₂/M)^{1/4}; and (6√3 + 2C)X(dB₂/M)^{1/4} is what β̂ = √3 X(M/(dB₂))^{1/4} gives, with α = R = CX(dB₂/M)^{1/4}.",
        "In no reading of the noise does the printed β̂ give d^{1/4}: the first has no d but what the choice of R brings in, the "
        "second has √d.",
        proof=Proof((POSITIVE, DIMENSION), (_NO_DIMENSION, _COORDINATES, _FOURTH_ROOT)),
        consequence="For noise N(0, σ²I) put (M/(dB₂))^{1/4} in β̂.",
    ),
)


def with_drift(id: str, place: str, printed: str) -> Claim:
    """The same display in F.3, with the drift of several local steps on both sides."""
    return replace(
        CLAIMS[0],
        id=id,
        place=place,
        printed=printed,
        reason=f"As in F.5 (FED-F5-S9): the gap concerns the first ≤, where the drift stands on both sides. {_WHY}",
        repair=_last(drift, " + γ·8L√(2L)√Δ^inf"),
        consequence="",
    )
