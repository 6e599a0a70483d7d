"""The sentence after Corollary 1: one rate for Fed-α-NormEC and α-NormEC under noise of constant variance.

Two things make "the same rate" true: Corollary 1's choices bring both bounds to order κ⁻¹, κ = (K+1)^(1/6), and at a fixed α no
allowed choice brings either below that order. Both keep α fixed; where it falls with R: `falling_alpha`.
"""

from __future__ import annotations

import sympy

from bounds.alpha_normec.theorem2 import theorem2_appendix
from bounds.fed_alpha_normec import corollaries, repaired
from bounds.fed_alpha_normec.schedules import corollary1_appendix as choices
from bounds.fed_alpha_normec.schedules import eta_hat
from bounds.fed_alpha_normec.theorem1 import b_appendix, theorem1_appendix
from verify.citation import Cite
from verify.facts import definition, equal, hypothesis, letters
from verify.fed_alpha_normec.corollaries import rates as ra
from verify.fed_alpha_normec.lemmas import noise as no
from verify.fed_alpha_normec.letters import (
    ALPHA,
    BETA,
    CLIENTS,
    ETA,
    GAP,
    PARTICIPATION,
    RADIUS,
    SMOOTH,
    F,
    L,
    M,
    R,
    V,
    alpha,
    at_least_zero,
    beta,
    claim,
    eta,
    gamma,
    p,
    sigma,
)
from verify.fed_alpha_normec.ours import rounds as ro
from verify.identity import Identity, Limit
from verify.obligation import obligation
from verify.proof import Proof

kappa, D_1, D_2 = ra.kappa, ra.D_1, ra.D_2
first, second, third, s, one_mean, other_mean, nothing, set_N = letters(
    "first second third s mean other_mean nothing set_N"
)
ROUNDS_OF_KAPPA = kappa**6 - 1
_KNOWN = (ALPHA, SMOOTH, ra.CONSTANTS, GAP, CLIENTS, no.SIGMA, ra.START_LATER)

# Upper bounds: Corollary 1's choices, in Fed-α-NormEC as printed (F.4, Section 4) and as repaired, and in α-NormEC.
ONE = sympy.Integer(1)
PLAN = choices(ROUNDS_OF_KAPPA, L, D_1, D_2, alpha)
_APPENDIX = corollaries.corollary1_appendix(F, ROUNDS_OF_KAPPA, L, D_1, D_2, alpha, M, ONE, sigma)
_MAIN = corollaries.corollary1_main(F, ROUNDS_OF_KAPPA, L, D_1, D_2, alpha, M, ONE, sigma)
_REPAIRED = repaired.one_step(F, ROUNDS_OF_KAPPA, PLAN.eta, PLAN.R, PLAN.beta, M, ONE, V, L)
_LONGEST = PLAN.beta * PLAN.R / (alpha + PLAN.R) / L
_OTHER = theorem2_appendix(F, _LONGEST, ROUNDS_OF_KAPPA, PLAN.R, L, PLAN.beta, sigma, M)
_HAT = eta_hat(L, D_1, D_2, alpha)


def _limit(name: str, bound: sympy.Expr, value: sympy.Expr, *more) -> Limit:
    return Limit(f"(K+1)^(1/6) times {name}", kappa * bound, kappa, sympy.oo, value, "-", (*_KNOWN, *more))


_ETA_0 = L * D_1 * D_2 / (2 * (alpha + D_1))
LIMITS = (
    _limit("F.4's bound at p = 1", _APPENDIX, 3 * F / _HAT + 2 * D_1 + 2 * D_2 * sympy.sqrt(2 * sigma**2 / M)),
    _limit("Section 4's bound at p = 1", _MAIN, F / _ETA_0 + 2 * D_1 + 2 * D_2 * sympy.sqrt(2 * sigma**2)),
    _limit("FED-R1 at p = 1", _REPAIRED, F / _HAT + 2 * D_1 + 2 * D_2 * sympy.sqrt(V / M), at_least_zero(V)),
    _limit("α-NormEC's Theorem 2, longest step", _OTHER,
           F * L * alpha / (D_1 * D_2) + 2 * D_1 + 2 * D_2 * sympy.sqrt(sigma**2 / M)),
)  # fmt: skip
SHOWN = Identity(
    "the bound shown is F.4's",
    (3 * F / _HAT + 2 * D_1 + 2 * sympy.sqrt(b_appendix(p, sigma) / M) * D_2) / kappa
    + _HAT * L / 2 / kappa**5,
    corollaries.corollary1_appendix(F, ROUNDS_OF_KAPPA, L, D_1, D_2, alpha, M, p, sigma),
    (*_KNOWN, PARTICIPATION),
)
FROM_SOME_ROUND = obligation(
    "β/(α + R) < 1 from K + 1 > (D₂/α)^(3/2) on",
    (ALPHA, ra.CONSTANTS, ra.START_LATER, RADIUS, *ra.schedule(6, 4, 5)[1:3]),
    sympy.Implies(D_2 < alpha * kappa**4, beta / (alpha + R) < 1),
)

# A lower bound at a fixed α: the first term, 2R and the noise term have a product that R, β and the step do not change.
_LEVEL = definition("s = σ_DP/√M", (s >= 0) & equal(s**2 * M, sigma**2))
_TERMS = definition(
    "the first term, 2R and the noise term of α-NormEC's Theorem 2, step η, K + 1 = κ⁶",
    equal(first * eta * kappa**6, F) & equal(second, 2 * R) & equal(third, 2 * beta * kappa**3 * s)
    & (first >= 0) & (second >= 0) & (third >= 0),
)  # fmt: skip
_DOMAIN = (ALPHA, BETA, RADIUS, SMOOTH, ETA)
_LONG = obligation("βR ≥ ηαL", (*_DOMAIN, ro.STEP_ONE), beta * R >= eta * alpha * L)
_PRODUCT = obligation(
    "their product is at least 4sαL(f(x⁰) − f^inf)/κ³, whatever R, β and η are",
    (*_DOMAIN, GAP, ra.START_LATER, _LEVEL, _TERMS, _LONG.conclusion),
    first * second * third * kappa**3 >= 4 * s * alpha * L * F,
)
_CUBE = obligation(
    "(κ · their sum)³ ≥ 108sαL(f(x⁰) − f^inf)",
    (ra.START_LATER, _TERMS, _PRODUCT.conclusion),
    ((first + second + third) * kappa) ** 3 >= 108 * s * alpha * L * F,
)
_NEC = theorem2_appendix(F, eta, ROUNDS_OF_KAPPA, R, L, beta, sigma, M)
_FED = theorem1_appendix(
    f_gap=F,
    K=ROUNDS_OF_KAPPA,
    eta=eta,
    R=R,
    beta=beta,
    M=M,
    p=ONE,
    sigma=sigma,
    gamma=gamma,
    T=1,
    L=L,
    Delta=sympy.Integer(0),
)
_SUM = obligation(
    "α-NormEC's bound is no less than their sum",
    (SMOOTH, ETA, BETA, ra.START_LATER, CLIENTS, no.SIGMA, _LEVEL, _TERMS),
    _NEC >= first + second + third,
)
_ABOVE = obligation(
    "F.2's bound at T = p = 1 is no less than α-NormEC's",
    (ETA, BETA, ra.START_LATER, CLIENTS, no.SIGMA, GAP),
    _FED >= _NEC,
)
_ALLOWED = (*_DOMAIN, ro.STEP_ONE)
FIXED_ALPHA = claim(
    "FED-RATE-FIXED",
    "ours, beside Corollary 1",
    "ours",
    "For all R, β and η ≤ βR/(L(α+R)), which is what α-NormEC allows and more than Theorem 1 does, (K+1)^(1/6) times the bound of F.2 "
    "at T = p = 1, and times α-NormEC's (Theorem 2, Appendix G, L_max = L, step η), is at least 3(4αL(f(x⁰)−f^inf)σ_DP/√M)^(1/3)",
    "The first term, 2R and the noise term have a product that no choice changes but α: (a + b + c)³ ≥ 27abc.",
    proof=Proof(_ALLOWED, (_LONG, _PRODUCT, _SUM, _ABOVE, _CUBE)),
    consequence="1/6 is the price of a fixed α, in both bounds; see FED-RATE.",
)
_GRANTED = ra.COROLLARY1_GRANTED
RATE = Proof(
    _GRANTED.assumptions,
    (
        *_GRANTED.nodes[:-1],  # R, β, η > 0, and how short η is, among them
        SHOWN,
        *LIMITS,
        FROM_SOME_ROUND,
        Cite(FIXED_ALPHA, (*_ALLOWED, ra.START_LATER, CLIENTS, no.SIGMA, GAP, _LEVEL, _TERMS)),
        _GRANTED.nodes[-1],
    ),
)

# N = 0: the mean over no data points is every number. The table's N is at least 1, so that what N is set to has a letter of its own.
_NONE = hypothesis("N = 0 (Corollary 1)", equal(set_N, 0))
_MEANS = definition(
    "N f_i(x) = Σ_{j=1}^N f_{i,j}(x) (Problem (1)), for two numbers in the place of f_i(x); a sum without terms is 0",
    sympy.Implies(equal(set_N, 0), equal(nothing, 0)),
)
_ANY_MEAN = obligation(
    "at N = 0 Problem (1)'s N f_i(x) = Σ f_{i,j}(x) holds for any two values of f_i(x)",
    (_NONE, _MEANS),
    equal(set_N * one_mean, nothing) & equal(set_N * other_mean, nothing),
)
_OUT_OF_RANGE = obligation(
    "[1, N], the set {1, …, N} for 1 ≤ N (Appendix B), has no N = 0", (_NONE,), sympy.Not(set_N >= 1)
)

CLAIMS = (
    FIXED_ALPHA,
    claim(
        "FED-C1-RATE",
        "Section 4, after Corollary 1",
        "prose",
        "Furthermore, if we assume full client participation, i.e. p = 1, then Fed-α-NormEC achieves the same "
        "O(1/(K+1)^{1/6}) convergence rate as α-NormEC in the full participation and private setting, where σ_DP is a "
        "constant. [with F.4's choices and Theorem 1's β/(α+R) < 1, which any D₂ meets from some K on; E‖z‖² = σ_DP²; "
        "0/0 = 0]",
        "With Corollary 1's choices (K+1)^(1/6) times either bound (F.4 or FED-R1 here, Theorem 2, NEC-T2-APP, there) has a limit, "
        "and at a fixed α no allowed R, β and step gives either a faster rate (FED-RATE-FIXED). Where α falls with R both reach "
        "(K+1)^(−1/4): FED-RATE. (Within Theorem 1's condition on ηγ its bound has (K+1)^(−1/8) at best: FED-C1-RATE@theorem1. "
        "Line 12 stands still at v̂^{k+1} = 0: 0/0 = 0.)",
        proof=RATE,
        consequence="That both have 1/6 does not make it the best: with α falling with R both reach (K+1)^(−1/4).",
    ),
    claim(
        "FED-C1-RATE@N=0",
        'Corollary 1, "T = 1 and N = 0"',
        "definition",
        "Let T = 1 and N = 0 (one local GD step) (Corollary 1) […] f_i(x) := (1/N) Σ_{j=1}^N f_{i,j}(x) (Problem (1)) […] We use "
        "[a, b] for the set {a, a + 1, …, b} for integers a, b such that a ≤ b (Appendix B)",
        "N is the number of data points of a client, j ∈ [1, N]: f_i = (1/N)Σ f_{i,j} says nothing for N = 0.",
        conflict=Proof((_NONE,), (_ANY_MEAN, _OUT_OF_RANGE)),
    ),
)
