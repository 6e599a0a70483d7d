"""That the bounds of Corollaries 2, 4 and 6 say less than what is known at x⁰, from the display of F.5 and F.3 with β̂ inserted.

Letters as in `utility`: y = (B₂/M)^(1/4), G = √(2L(f(x⁰) − f^inf)) ≥ ‖∇f(x⁰)‖. All terms that fall with K are together `rest`.
"""

from __future__ import annotations

import sympy

from bounds.fed_alpha_normec.symbols import SYMBOLS
from bounds.symbols import GRADIENT, Symbol
from verify.facts import Fact, definition, equal, hypothesis, letters
from verify.fed_alpha_normec.corollaries.utility import CHOSEN, FOURTH, ROOT, C, G, hat, level, ratio, y
from verify.fed_alpha_normec.letters import ALPHA, GAMMA, GAP, RADIUS, SMOOTH, Delta, F, L, R, alpha, gamma
from verify.obligation import obligation
from verify.proof import Proof
from verify.units import SameUnit

bound, rest, root = letters("bound rest root")
_HALF = hypothesis("γ = 1/(2L)", equal(gamma, 1 / (2 * L)))
_EVEN = hypothesis("α = R", equal(alpha, R))
_RADIUS = hypothesis(
    "R = C d^{1/4} √((f(x⁰)−f^inf)/γ)(B₂/M)^{1/4}, C d^{1/4} called C",
    equal(R, C * sympy.sqrt(F / gamma) * y) & (C > 0),
)
_KNOWN = definition("G = √(2L(f(x⁰) − f^inf))", equal(G**2, 2 * L * F) & (G >= 0))
_S = {name: symbol.sympy() for name, symbol in SYMBOLS.items()}
HAT = sympy.Symbol("beta_hat", real=True)
WITH_HAT = {**SYMBOLS, "beta_hat": Symbol("beta_hat", "β̂", "β (K+1)", GRADIENT, "> 0")}
_DOMAIN = (SMOOTH, GAMMA, ALPHA, RADIUS, ROOT, CHOSEN)
_GIVEN = (*_DOMAIN, GAP, _HALF, _EVEN, _KNOWN, FOURTH.conclusion)


def _display(drift: sympy.Expr, name: str) -> Fact:
    """The bound with β̂ inserted: what `FOURTH` rewrites, 2R, the drift, and what is not negative."""
    return definition(name, equal(bound, FOURTH.left + 2 * R + drift + rest) & (rest >= 0))


# Corollary 2.
_F5 = _display(
    sympy.Integer(0), "bound: that of F.5 with β̂ inserted (FED-F5-S8), rest: its terms that fall with K"
)
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

# Corollaries 4 and 6, whose drift is no less, at any γ.
_F3 = _display(
    gamma * 8 * L * sympy.sqrt(2 * L) * sympy.sqrt(Delta),
    "bound: that of F.3 with β̂ inserted (FED-C4-S8), rest: its terms that fall with K",
)
_HAT = hypothesis("β̂ = √(3(f(x⁰) − f^inf)/γ)(M/B₂)^{1/4}", equal(hat, ratio / y))
_SPREAD = hypothesis("Δ^inf > 0", Delta > 0)
_CONDITION = hypothesis(
    "√Δ^inf > γ√(2L)β̂R/(α+R)", sympy.sqrt(Delta) > gamma * sympy.sqrt(2 * L) * hat * R / (alpha + R)
)
_LEVEL = definition("level = √(2LΔ^inf)", (level >= 0) & equal(level**2, 2 * L * Delta))
_ROOT = definition("root = √(γ(f(x⁰) − f^inf))", (root >= 0) & equal(root**2, gamma * F))
_INSERTED = obligation(
    "√(2LΔ^inf)(B₂/M)^(1/4) > √3 L√(γ(f(x⁰) − f^inf))",
    (*_DOMAIN, GAP, _EVEN, _ROOT, _HAT, _SPREAD, _CONDITION, _LEVEL),
    level * y > sympy.sqrt(3) * L * root,
)
_BELOW = obligation(
    "γ times F.3's bound is at least 8Lγ²√(2LΔ^inf) + 6√3(B₂/M)^(1/4)√(γ(f(x⁰) − f^inf))",
    (*_DOMAIN, GAP, _EVEN, _ROOT, FOURTH.conclusion, _F3, _SPREAD, _LEVEL),
    bound * gamma >= 8 * L * gamma**2 * level + 6 * sympy.sqrt(3) * root * y,
)
_AT_LEAST4 = obligation(
    "bound ≥ 24L√(γ(f(x⁰) − f^inf))",
    (SMOOTH, GAMMA, _ROOT, ROOT, _LEVEL, _INSERTED.conclusion, _BELOW.conclusion),
    bound >= 24 * L * root,
)
_VACUOUS4 = obligation(
    "γ = 1/(2L) ⇒ bound ≥ 12√(2L(f(x⁰) − f^inf)); γ ≥ 1/(288L) ⇒ bound ≥ √(2L(f(x⁰) − f^inf))",
    (SMOOTH, GAMMA, GAP, _KNOWN, _ROOT, _AT_LEAST4.conclusion),
    sympy.Implies(_HALF.relation, bound >= 12 * G) & sympy.Implies(gamma >= 1 / (288 * L), bound >= G),
)
IN_UNITS = SameUnit(
    "the condition on γ, squared: γ² against Δ^inf/(2Lβ̂²)",
    _S["gamma"] ** 2,
    _S["Delta"] / (2 * _S["L"] * HAT**2),
    WITH_HAT,
)
COROLLARY4 = Proof(
    (*_DOMAIN, _EVEN, _HAT, _SPREAD, _CONDITION),
    (IN_UNITS, FOURTH, _INSERTED, _BELOW, _AT_LEAST4, _VACUOUS4),
)
