"""Claims: does the effect of heterogeneity die down as α grows (Section 4)? B₁, B₂ as printed, and our answer for f itself."""

from __future__ import annotations

from fractions import Fraction

import sympy

from bounds.dp_normfedavg import choices as printed
from bounds.dp_normfedavg import theorem4 as four
from verify.case import closed
from verify.citation import Cite
from verify.claim import Claim, Repair, Values, Witness
from verify.computation import Comparison, Computation
from verify.curves import huber
from verify.dp_normfedavg.asymptotics.limits import EQ5, LENGTHS
from verify.dp_normfedavg.counterexamples import runs
from verify.dp_normfedavg.counterexamples.exact import ZERO, norm, round_without_noise
from verify.dp_normfedavg.letters import CUT, LOCAL, SMOOTH, C, E, L, eta
from verify.dp_normfedavg.ours import any_clients
from verify.dp_normfedavg.text.prose import UNBOUNDED_NODES
from verify.dp_normfedavg.theorems.choices import LIPSCHITZ_POS, G
from verify.dp_normfedavg.theorems.rounds import ALPHA, GAMMA, RHO, alpha, distance, gamma, rho
from verify.dp_normfedavg.theorems.sampling import c
from verify.facts import definition, equal, hypothesis, letters
from verify.identity import Limit
from verify.obligation import obligation
from verify.proof import Proof

PAPER = "dp-normfedavg"
ONE = Fraction(1)


def _replay_b2(v: Values) -> Comparison:
    """B₂ of (3) for two Huber functions around −1 and 1, both clients in every round, one local step; a lower bound.

    w₀ lies between the minimisers, one standard deviation s of a round's step below 1. The unit messages cancel, so that
    w_1 ~ N(w₀, s²), whose density on (1 − s, 1 + s) is at least p = e⁻²/(s√(2π)) > 1/(20s). There u_2 = L(w_1 − 1), and
    E[1/|u_2|] ≥ (2p/L) log(s/t) for every t < s; at t = s/2^M that is at least (2p/L)(2/3)M. Only round 1 and client 2 count.
    """
    G_, L_, a, rho_, gamma_, M = (v[name] for name in ("G", "L", "alpha", "rho", "gamma", "halvings"))
    f = (huber(L_, G_, -ONE), huber(L_, G_, ONE))
    C, eta = G_, printed.step_theorem4(rho_, a, L_)
    K = printed.rounds_theorem4(a, gamma_, C, rho_)
    s = v["s"]
    start = ONE - s
    Delta = f[1](ZERO)
    density = Fraction(1, 20) / s
    inverse = 2 * density / L_ * Fraction(2, 3) * M
    z_Delta = Delta * G_ * inverse / 2 / K
    b2 = four.theorem4b(G_, L_, start, gamma_, rho_, ONE, a, z_Delta) - four.initialisation(
        G_, L_, start, gamma_, rho_
    )
    met = (
        ("f_i convex", all(g.convex for g in f)), ("f_i L-smooth", all(g.smoothness <= L_ for g in f)),
        ("f_i G-Lipschitz", all(g.lipschitz <= G_ for g in f)), ("w* = 0 minimises f", sum(g.gradient(ZERO) for g in f) == 0),
        ("s² = η²KC²ρ² is the variance of a round's step", s**2 == eta**2 * K * C**2 * rho_**2),
        ("the messages cancel at w₀", round_without_noise(f, start, eta, 1, C, Fraction(2), norm, (0, 1)) == start),
        ("∇f_2 is linear on (1 − s, 1 + s), and s < 2", L_ * s <= G_ and s < 2), ("halvings ≥ 1", M >= 1),
        ("K is a whole number ≥ 2", K.denominator == 1 and K >= 2), ("E = 1 ≤ α/(2ρ)", a / (2 * rho_) >= 1), ("α ≥ 1", a >= 1),
        ("0 < ρ < 1, γ > 0", 0 < rho_ < 1 and gamma_ > 0),
    )  # fmt: skip
    return Comparison(b2, "<=", v["small"], met)


INFINITE = Witness(
    {"G": Fraction(2), "L": ONE, "alpha": Fraction(10**6), "rho": Fraction(1, 10), "gamma": ONE, "s": Fraction(1, 10**4),
     "halvings": Fraction(10**30), "small": ONE},
    "B₂ ≤ 1 at α = 10⁶; the left side is a lower bound, for any number of halvings",
    _replay_b2,
    "two clients with Huber functions around −1 and 1, both in every round, K = 10⁸, w₀ = 1 − 10⁻⁴: B₂ is infinite, at this α and at "
    "every other. The bound counts round 1, client 2 and |w_1 − 1| between s and what the halvings leave of it",
    closed(UNBOUNDED_NODES),
)  # fmt: skip

_a = {"G": G, "L": L, "distance": distance, "gamma": gamma, "rho": rho}
_Delta = letters("Delta")[0]
_SIGNS = (RHO, GAMMA, SMOOTH, LOCAL, LIPSCHITZ_POS)
_LENGTHS = definition("‖w₀ − w*‖, mean Δ_i* and c ≥ 0", (distance >= 0) & (_Delta >= 0) & (c >= 0))
B1 = Limit(
    "B₁ → 0 as α → ∞",
    four.theorem4a(**_a, E=E, alpha=alpha, Delta=_Delta) - four.initialisation(**_a),
    alpha, sympy.oo, sympy.Integer(0), "-", (*_SIGNS, _LENGTHS),
)  # fmt: skip
B2 = Limit(
    "what stands in the place of B₂ → 0 as α → ∞",
    any_clients.RIGHT - four.initialisation(**_a),
    alpha, sympy.oo, sympy.Integer(0), "-", (*_SIGNS, _LENGTHS),
)  # fmt: skip
ASSUMED = EQ5.repair.proof.assumptions if EQ5.repair else ()
MAY_STAND = Cite(EQ5, (*ASSUMED, any_clients.FIRST, LENGTHS), repaired=True)

# f itself: of the run that is counted neither the noise of all rounds nor the way of all messages depends on α.
_MESSAGE = hypothesis("C = G (E = 1)", equal(C, G))
_K = letters("K")[0]
_CHOSEN = hypothesis(
    "η and K are Theorem 4's",
    equal(eta, printed.step_theorem4(rho, alpha, L))
    & equal(_K, printed.rounds_theorem4(alpha, gamma, C, rho)),
)
_FREE = (RHO, ALPHA, SMOOTH, CUT, _MESSAGE, _CHOSEN)
NOISE_FREE = obligation(
    "Kη²KC²ρ² = (γ/L)²: the variance of all noise together does not depend on α",
    _FREE,
    equal(_K * eta**2 * _K * C**2 * rho**2, (gamma / L) ** 2),
)
WAY_FREE = obligation(
    "ηGK = γ/(Lρ): nor does the way that messages lead", _FREE, equal(eta * G * _K, gamma / (L * rho))
)


def _apart() -> Comparison:
    return runs.disagreeing(runs.DISAGREEING)


def _at_large_alpha() -> Comparison:
    """The same lower bound of E[f(w_k̃) − f(w*)] at another α."""
    one, other = (runs.disagreeing({**runs.DISAGREEING, "alpha": Fraction(a)}) for a in (10**3, 10**9))
    return Comparison(one.lhs, "==", other.lhs, (*one.presupposed, *other.presupposed))


CLAIMS = (
    Claim(
        "DAS-S4-ALPHA", PAPER, "Section 4, after Theorem 4", "prose",
        "as we increase α in Theorem 4, i.e., increase the number of rounds K, the effect of heterogeneity dies down for both "
        "clipping and normalization [B₁ and B₂, underbraced “effect of heterogeneity”, tend to 0]",
        "true of B₁; B₂ holds E mean (GE/‖u_i‖)Δ_i*, which in one dimension is infinite at every α as soon as w has a density at a "
        "client's minimiser and u_i ≠ 0 around it (DAS-OURS-INFINITE); the left side of (3) has a bound without it, which does tend "
        "to A",
        witness=INFINITE,
        repair=Repair(
            "B₁ → 0; and (3) holds with 2 for 2 − ρ²E²/α² and B₂ replaced by (E/α)(1 + 1/r − 1/n)(G²/(2L))ρ + (2/21)(G²/L)(ρE/α)², "
            "which tends to 0 and has no heterogeneity in it at any α",
            "B₂ without Δ_i*; where u = 0, norm(u, C) is read as 0 and GE/‖u‖ as any number ≥ 0 (DAS-S41-EQ5)",
            Proof(ASSUMED, (B1, B2, MAY_STAND)),
        ),
    ),
    Claim(
        "DAS-S4-ALPHA@f", PAPER, "ours, on f(w_k̃) − f(w*) where B₁ and B₂ die down (Section 4)", "ours",
        "under normalisation the effect of heterogeneity on f(w_k̃) − f(w*) itself does not always die down: two clients with "
        "different minimisers keep E[f(w_k̃) − f(w*)] > A/2 for every α that makes K whole, in runs that Theorem 4 allows, while A/2 "
        "is the limit of its bound where w* minimises every f_i",
        "Huber functions around −1 and 1, both clients in every round, G = 2, L = 1, γ = 1/10, ρ = 1/1000, w₀ = 1/2: between the "
        "minimisers unit messages cancel exactly, so that noise alone moves w, and it does not grow with α. That limit: "
        "DAS-S41@best-gamma. Under clipping the effect on f does die down, for any clients and any sampling probability: DAS-S41-EQ4",
        proof=closed((
            NOISE_FREE,
            WAY_FREE,
            Computation("its lower bound at α = 10³ is that at α = 10⁹", "enumeration", _at_large_alpha),
            Computation("E[f(w_k̃) − f(w*)] exceeds A/2", "enumeration", _apart),
        )),
        consequence="where clients disagree the guarantee (3) of DP-NormFedAvg does not by itself bound f(w) − f(w*), though it can "
        "still end lower than clipping (DAS-APPF-FIG4)",
    ),
)  # fmt: skip
