"""Letters, domains and textbook facts that the claims of Fed-α-NormEC share."""

from __future__ import annotations

import re
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
    """A claim of this paper. What it is proved with and nobody prints, 0/0 = 0 in line 12 of Algorithm 1 and noises that are
    independent, is said: in the condition of its repair, in the statement of what is proved."""
    found = Claim(id=id, paper=PAPER, place=place, kind=kind, printed=printed, reason=reason, **evidence)
    for told, begins, words in SILENT:
        if re.search(told, f"{printed} {place}"):
            continue
        repair = found.repair
        said = repair is None or re.search(told, f"{repair.statement} {repair.condition}")
        if repair is not None and not said and _takes(repair.proof, begins):
            found = replace(found, repair=replace(repair, condition=f"{repair.condition}; {words}"))
        if found.proof and _takes(found.proof, begins):
            found = replace(found, printed=f"{found.printed} [{words}]")
    return found


NO_DIRECTION = "0/0 = 0"
"""How definitions begin that say where x goes when v̂ is 0."""
APART, FRESH, NO_MEAN = (
    "the n_i of a round are independent",
    "E[nᵏ | past] = 0",
    "z_i has mean zero, whatever the past",
)
"""How hypotheses begin on the noises of one round, of several rounds, and of both."""
INDEPENDENTLY = "independent noises, as the proof of Lemma 3 has them"
SILENT = (
    ("0/0", (NO_DIRECTION,), f"{NO_DIRECTION} in line 12"),
    (
        r"independent (noise|random)|noises? (\w+ )?independent|z_i = 0|σ_DP = 0",
        (APART, FRESH, NO_MEAN),
        INDEPENDENTLY,
    ),
)
"""What proofs take and no paper prints: by which words a text says it already, how the facts begin, and how it is said."""


def _takes(proof: Proof, begins: tuple[str, ...]) -> bool:
    """Whether a step of it, or of what it cites, takes such a fact."""
    left = [*proof.nodes]
    while left:
        node = left.pop()
        if any(fact.origin != "derived" and fact.name.startswith(begins) for fact in node.given):
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
