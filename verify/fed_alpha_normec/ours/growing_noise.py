"""The bound of FED-R1-FORGETS with noise that grows with the number of rounds, as that of privacy does."""

from __future__ import annotations

import sympy

from verify.facts import definition, equal, hypothesis, letters
from verify.fed_alpha_normec.letters import (
    ALPHA,
    BETA,
    CLIENTS,
    ETA,
    GAP,
    PARTICIPATION,
    RADIUS,
    ROUNDS,
    SMOOTH,
    VARIANCE,
    F,
    K,
    L,
    M,
    R,
    V,
    alpha,
    beta,
    claim,
    eta,
    p,
)
from verify.fed_alpha_normec.ours.forgets import R1_FORGETS, STRIDE
from verify.obligation import obligation
from verify.proof import Proof

SIZES = (ALPHA, BETA, SMOOTH, ETA)
assert R1_FORGETS.proof is not None
RIGHT = R1_FORGETS.proof.nodes[-1].conclusion.relation.rhs
_RATE, _CHARGE = beta - L * eta, alpha * L * eta + (L * eta) ** 2 / 2
paid, noisy = letters("paid noise_term")
_LOUD = hypothesis("V ≥ pM(K+1)/32", V >= p * M * (K + 1) / 32)
_PAID = definition("the term of R", equal(paid, (R**2 + 2 * alpha * R) / ((K + 1) * _RATE)))
_NOISE = definition(
    "the term of the noise", (noisy >= 0) & equal(noisy**2 * p * M, 2 * beta**2 * (K + 2) * (1 - p + V))
)
_LARGE = obligation(
    "the term of the noise is at least β(K+1)/4",
    (BETA, PARTICIPATION, CLIENTS, ROUNDS, _LOUD, _NOISE),
    noisy >= beta * (K + 1) / 4,
)
_ONCE = obligation(
    "the term of R is at least R²/((K+1)β)",
    (*SIZES, RADIUS, ROUNDS, STRIDE, _PAID),
    paid * (K + 1) * beta >= R**2,
)
_BOTH = obligation(
    "their product is at least R²/4, and so their sum at least R",
    (BETA, ROUNDS, RADIUS, _LARGE.conclusion, _ONCE.conclusion),
    (4 * paid * noisy >= R**2) & (paid + noisy >= R),
)
_ROOT = sympy.sqrt(2 * beta**2 * (K + 2) * (1 - p + V) / (p * M))
_SQUARE = obligation(
    "the term of the noise is the root",
    (BETA, CLIENTS, ROUNDS, PARTICIPATION, VARIANCE, _NOISE),
    equal(_ROOT, noisy),
)
_REST = obligation(
    "the other terms are not negative",
    (*SIZES, RADIUS, GAP, STRIDE, ROUNDS, _PAID, _BOTH.conclusion),
    F / ((K + 1) * eta) + L * eta / 2 + ((R**2 + 2 * alpha * R) / (K + 1) + 2 * _CHARGE) / _RATE + noisy >= R,
)
_ALL = obligation(
    "and the bound is at least R",
    (*SIZES, STRIDE, CLIENTS, ROUNDS, PARTICIPATION, VARIANCE, _SQUARE.conclusion, _REST.conclusion),
    RIGHT >= R,
)
LOUD = claim(
    "FED-R1-FORGETS@noise",
    "ours, on FED-R1-FORGETS",
    "ours",
    "If V = E‖z‖² ≥ pM(K+1)/32, the bound of FED-R1-FORGETS is at least R, whatever α, β and η are",
    "The term that pays for R falls with β, the term of the noise grows with it; their product does not depend on β.",
    proof=Proof((*SIZES, RADIUS, PARTICIPATION, STRIDE, _LOUD), (_LARGE, _ONCE, _BOTH, _SQUARE, _REST, _ALL)),
    consequence="With v_i⁰ = 0, where R = max_i ‖∇f_i(x⁰)‖, and the noise of NEC-C2-DP, which grows like √(K+1), it takes more than "
    "32V/((K+1)p) clients to say anything, V/(K+1) being proportional to d.",
)
CLAIMS = (LOUD,)
