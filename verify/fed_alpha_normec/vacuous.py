"""That the bounds of Corollaries 2, 4 and 6 say less than what is known at x⁰, from the display of F.5 and F.3 with β̂ inserted.

Letters as in `utility`: y = (B₂/M)^(1/4), G = √(2L(f(x⁰) − f^inf)) ≥ ‖∇f(x⁰)‖. All terms in 1/(K+1) are together `rest`.
"""

from __future__ import annotations

import sympy

from verify.facts import Fact, definition, equal, hypothesis, letters
from verify.fed_alpha_normec.letters import ALPHA, GAMMA, GAP, RADIUS, SMOOTH, Delta, F, L, R, alpha, gamma
from verify.fed_alpha_normec.utility import CHOSEN, FOURTH, ROOT, C, G, hat, level, ratio, y
from verify.obligation import obligation
from verify.proof import Proof

bound, rest = letters("bound rest")
_HALF = hypothesis("γ = 1/(2L)", equal(gamma, 1 / (2 * L)))
_EVEN = hypothesis("α = R", equal(alpha, R))
_RADIUS = hypothesis(
    "R = C⁴√d √((f(x⁰)−f^inf)/γ)⁴√(B₂/M), C ⁴√d called C", equal(R, C * sympy.sqrt(F / gamma) * y) & (C > 0)
)
_KNOWN = definition("G = √(2L(f(x⁰) − f^inf))", equal(G**2, 2 * L * F) & (G >= 0))
_DOMAIN = (SMOOTH, GAMMA, ALPHA, RADIUS, ROOT, CHOSEN)
_GIVEN = (*_DOMAIN, GAP, _HALF, _EVEN, _KNOWN, FOURTH.conclusion)


def _display(drift: sympy.Expr, name: str) -> Fact:
    """The bound with β̂ inserted: what `FOURTH` rewrites, 2R, the drift, and what is not negative."""
    return definition(name, equal(bound, FOURTH.left + 2 * R + drift + rest) & (rest >= 0))


# Corollary 2.
_F5 = _display(sympy.Integer(0), "bound: that of F.5 with β̂ inserted (FED-F5-S8), rest: its terms in 1/(K+1)")
_LARGE = hypothesis("B₂/M ≥ 1/11664", y**4 >= sympy.Rational(1, 11664))
_AT_LEAST = obligation(
    "F.5's bound is at least (6√3 + 2C)(B₂/M)^(1/4)√(2L(f(x⁰) − f^inf))",
    (*_GIVEN, _F5, _RADIUS),
    bound >= (6 * sympy.sqrt(3) + 2 * C) * G * y,
)
_VACUOUS2 = obligation(
    "B₂/M ≥ 1/11664 ⇒ bound ≥ √(2L(f(x⁰) − f^inf))",
    (_KNOWN, ROOT, _RADIUS, _LARGE, _AT_LEAST.conclusion),
    bound >= G,
)
COROLLARY2 = Proof((*_DOMAIN, _HALF, _EVEN, _RADIUS, _LARGE), (FOURTH, _AT_LEAST, _VACUOUS2))

# Corollaries 4 and 6, whose drift is no less.
_F3 = _display(
    gamma * 8 * L * sympy.sqrt(2 * L) * sympy.sqrt(Delta),
    "bound: that of F.3 with β̂ inserted (FED-C4-S8), rest: its terms in 1/(K+1)",
)
_HAT = hypothesis("β̂ = √(3(f(x⁰) − f^inf)/γ)⁴√(M/B₂)", equal(hat, ratio / y))
_SPREAD = hypothesis("Δ^inf > 0", Delta > 0)
_CONDITION = hypothesis(
    "√Δ^inf > γ√(2L)β̂R/(α+R)", sympy.sqrt(Delta) > gamma * sympy.sqrt(2 * L) * hat * R / (alpha + R)
)
_LEVEL = definition("level = √(2LΔ^inf)", (level >= 0) & equal(level**2, 2 * L * Delta))
_INSERTED = obligation(
    "2√(2LΔ^inf)(B₂/M)^(1/4) > √3√(2L(f(x⁰) − f^inf))",
    (*_DOMAIN, GAP, _HALF, _EVEN, _KNOWN, _HAT, _SPREAD, _CONDITION, _LEVEL),
    2 * level * y > sympy.sqrt(3) * G,
)
_BELOW = obligation(
    "F.3's bound is at least 4√(2LΔ^inf) + 6√3(B₂/M)^(1/4)√(2L(f(x⁰) − f^inf))",
    (*_GIVEN, _F3, _SPREAD, _LEVEL),
    bound >= 4 * level + 6 * sympy.sqrt(3) * G * y,
)
_VACUOUS4 = obligation(
    "bound ≥ 12 √(2L(f(x⁰) − f^inf))",
    (SMOOTH, _KNOWN, ROOT, _LEVEL, _INSERTED.conclusion, _BELOW.conclusion),
    bound >= 12 * G,
)
COROLLARY4 = Proof(
    (*_DOMAIN, _HALF, _EVEN, _HAT, _SPREAD, _CONDITION), (FOURTH, _INSERTED, _BELOW, _VACUOUS4)
)
