"""Letters, domains and textbook facts that the claims of Fed-α-NormEC share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import sympy

from verify.claim import Claim, ClaimKind
from verify.facts import Fact, definition, hypothesis, letters
from verify.proof import Proof

Places = dict[sympy.Basic, object]
"""Letters and what they are replaced by in an instance of a fact."""

PAPER = "fed-alpha-normec"


def claim(id: str, place: str, kind: ClaimKind, printed: str, reason: str, **evidence: Any) -> Claim:
    """A claim of this paper. What it is proved with and nobody prints, 0/0 = 0 in line 12 of Algorithm 1, is said: in the condition of
    its repair, in the statement of what is ours."""
    found = Claim(id=id, paper=PAPER, place=place, kind=kind, printed=printed, reason=reason, **evidence)
    told = "0/0" in printed + place
    if found.repair and _has_no_direction(found.repair.proof) and not told:
        repair = found.repair
        if "0/0" not in repair.statement + repair.condition:
            found = replace(
                found, repair=replace(repair, condition=f"{repair.condition}; {NO_DIRECTION} in line 12")
            )
    if found.proof and _has_no_direction(found.proof) and not told:
        found = replace(found, printed=f"{printed} [{NO_DIRECTION} in line 12]")
    return found


NO_DIRECTION = "0/0 = 0"
"""How definitions begin that say where x goes when v̂ is 0."""


def _has_no_direction(proof: Proof) -> bool:
    """Whether a step of it, or of what it cites, takes such a definition."""
    left = [*proof.nodes]
    while left:
        node = left.pop()
        if any(fact.origin == "definition" and fact.name.startswith(NO_DIRECTION) for fact in node.given):
            return True
        left += getattr(node, "nodes", ())
        cited: Proof | None = getattr(node, "proof", None)
        left += cited.nodes if cited else ()
    return False


def values(**numbers: object) -> Mapping[str, Fraction]:
    """Values of a witness."""
    return {name: Fraction(str(number)) for name, number in numbers.items()}


alpha, beta, gamma, eta, R, L = letters("alpha beta gamma eta R L")
K, M, T, p, sigma, V, N = letters("K M T p sigma V N")
F, Delta, Delta_local, s = letters("f_gap Delta Delta_local s")

ALPHA = hypothesis("α > 0", alpha > 0)
BETA = hypothesis("β > 0", beta > 0)
GAMMA = hypothesis("γ > 0", gamma > 0)
ETA = hypothesis("η > 0", eta > 0)
RADIUS = hypothesis("R > 0", R > 0)
SMOOTH = hypothesis("L > 0", L > 0)
BOUNDED_BELOW = hypothesis("f ≥ f^inf", F >= 0)
FEEDBACK = hypothesis("β/(α + R) < 1", beta / (alpha + R) < 1)
LOCAL_STEP = hypothesis("γ ≤ 1/(2L)", gamma <= 1 / (2 * L))
PARTICIPATION = hypothesis("0 < p ≤ 1", (p > 0) & (p <= 1))
CLIENTS = definition("M ≥ 1", M >= 1)
ROUNDS = definition("K ≥ 0", K >= 0)
GAP = definition("f(x⁰) − f^inf ≥ 0", F >= 0)
VARIANCE = definition("V = E‖z‖² ≥ 0", V >= 0)
SPREAD = hypothesis("Δ^inf > 0", Delta > 0)


def at_least_zero(*symbols: sympy.Symbol) -> Fact:
    """The letters are norms, sums of norms or variances."""
    return definition(f"{', '.join(map(str, symbols))} ≥ 0", sympy.And(*(symbol >= 0 for symbol in symbols)))
