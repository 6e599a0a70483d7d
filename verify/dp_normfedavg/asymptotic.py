"""Section 4.1, (5): what (3) says as α → ∞.

B₂ of (3) holds Q = E mean z_iΔ_i*, z_i = GE/‖u_i‖, which depends on α through w and may be infinite. It does no harm. The left
side of (3) is P − Q with P = E mean z_i(f_i(w_k̃) − f_i*), and P is bounded by what does not contain α: with m_i a minimiser
of f_i

- z_i(f_i(w_k) − f_i*) ≤ (8/7) G‖w_k − m_i‖, by (31) with m_i for w*;
- E‖w_k − m_i‖ ≤ ‖w₀ − m_i‖ + γ/(Lρ) + γ/L: K messages of norm C and K noises, each times η.

Either Q ≥ P, and the left side is at most 0; or Q < P, and the bound of P may stand for Q.
"""

from __future__ import annotations

import sympy

from bounds.dp_normfedavg import choices as printed
from bounds.dp_normfedavg import theorem4 as four
from verify.citation import Cite
from verify.claim import Claim, Gap, Repair
from verify.dp_normfedavg import normalised, runs
from verify.dp_normfedavg.case import closed
from verify.dp_normfedavg.choices import BOUND_4, CHOICE_C, CHOICE_ETA, CHOICE_K, LIPSCHITZ_POS, TRIANGLE, G
from verify.dp_normfedavg.kept import DRIFT_NODES, S31, B
from verify.dp_normfedavg.letters import (
    CUT,
    ETA,
    EXCESS,
    LOCAL,
    MOVED,
    SMOOTH,
    WHOLE,
    C,
    Delta,
    E,
    F,
    L,
    M,
    U,
    eta,
    summed,
    uy,
)
from verify.dp_normfedavg.ours import RANGE
from verify.dp_normfedavg.rounds import (
    ALPHA,
    GAMMA,
    LOCAL_STEPS,
    RHO,
    RHO_IS,
    TOTAL,
    K,
    alpha,
    distance,
    gamma,
    j,
    rho,
)
from verify.dp_normfedavg.sampling import CLIENTS, NOISE_SIZE, S1, UNBIASED, V, c, d, n, sigma2, z2
from verify.dp_normfedavg.theorem4 import zgap
from verify.dp_normfedavg.theorems import MOVING, THEOREM_4
from verify.facts import definition, equal, hypothesis, letters, standard
from verify.obligation import obligation
from verify.proof import Limit

PAPER = "dp-normfedavg"
z, Q = normalised.z, normalised.zDelta

# What the choices of Theorem 4 give.
_step = (CHOICE_ETA, RHO, ALPHA, SMOOTH, LOCAL)
ETA_SHOWN = obligation(ETA.name, _step, ETA.relation)
WHOLE_SHOWN = obligation(WHOLE.name, (*_step, LOCAL_STEPS), WHOLE.relation)
QUARTER = obligation("ηLE ≤ 1/4", (*_step, LOCAL_STEPS), 4 * eta * L * E <= 1)
CUT_SHOWN = obligation(CUT.name, (CHOICE_C, LIPSCHITZ_POS, LOCAL), CUT.relation)

# One client in one round.
along, away = letters("u_along_own distance_own")
OWN = S31.conclusion.at({F: M, Delta: 0, B: along, uy: along}, "w* = m_i")
CAUCHY = standard("Cauchy and Schwarz: ⟨u, w_k − m_i⟩ ≤ ‖u‖‖w_k − m_i‖", along <= U * away)
WEIGHT = definition("z = GE/‖u‖", equal(z * U, G * E))
CLIENT = obligation(
    "z_i(f_i(w_k) − f_i*) ≤ (8/7) G‖w_k − m_i‖",
    (OWN, CAUCHY, WEIGHT, MOVED, QUARTER.conclusion, EXCESS, ETA, SMOOTH, LOCAL, LIPSCHITZ_POS),
    7 * z * M <= 8 * G * away,
)
SzM, SD = letters("SzM S_distance")
CLIENTS_SUMMED = summed(
    "summed over clients", 7 * SzM <= 8 * G * SD, {SzM: 0, SD: 0}, {SzM: SzM + z * M, SD: SD + away}, (CLIENT.conclusion,)
)  # fmt: skip

# How far K rounds lead. far = E mean ‖w_k̃ − m_i‖, near = mean ‖w₀ − m_i‖.
far, near, message, path, noises, cross, noise_length = letters(
    "far near message path noises cross noise_length"
)
MESSAGES = definition("E‖a_k‖ ≤ E(1/r)Σ_{i∈S}‖norm(u_i, C)‖, each of norm C", equal(S1, n * C))
SENT = obligation(
    "it is C", (UNBIASED.conclusion.at({V: message}, "‖norm(u_i, C)‖"), MESSAGES, CLIENTS), equal(message, C)
)
PATH = summed(
    "E Σ_{l<j}‖a_l‖ ≤ jC",
    path <= j * C,
    {path: 0, j: 0},
    {path: path + message, j: j + 1},
    (SENT.conclusion,),
)
FRESH = hypothesis("the noise of a round is independent of earlier noises, with zero mean", equal(cross, 0))
NOISES = summed(
    "E‖Σ_{l<j} ζ_l‖² = j dσ²", equal(noises, j * d * sigma2), {noises: 0, j: 0},
    {noises: noises + 2 * cross + z2, j: j + 1}, (FRESH, NOISE_SIZE.conclusion),
)  # fmt: skip
JENSEN = standard("Jensen: (E‖Σζ_l‖)² ≤ E‖Σζ_l‖²", noise_length**2 <= noises)
AWAY = standard(
    "triangle inequality, in the mean over clients and rounds k̃ < K",
    far <= near + eta * path + eta * noise_length,
)
LENGTHS = definition("means of norms", (far >= 0) & (near >= 0) & (path >= 0) & (noise_length >= 0))
NOISE_END = obligation(
    "E‖Σ_{l<K} ζ_l‖ ≤ KCρ",
    (NOISES.conclusion.at({j: K}, "j = K"), JENSEN, RHO_IS, RHO, TOTAL, CUT, LENGTHS),
    noise_length <= K * C * rho,
)
REACH = obligation(
    "E mean ‖w_k̃ − m_i‖ ≤ mean ‖w₀ − m_i‖ + γ/(Lρ) + γ/L",
    (PATH.conclusion.at({j: K}, "j = K"), NOISE_END.conclusion, AWAY, LENGTHS, CHOICE_ETA, CHOICE_K,
     ETA, RHO, GAMMA, ALPHA, SMOOTH, CUT, TOTAL),
    far <= near + gamma / (L * rho) + gamma / L,
)  # fmt: skip

# The mean over k̃.
P = letters("z_excess")[0]
MEANS = standard(
    "means and expectations are monotone and linear",
    sympy.Implies(CLIENTS_SUMMED.conclusion.relation, 7 * P <= 8 * G * far) & equal(zgap, P - Q),
)
LARGEST = sympy.Rational(8, 7) * G * (near + gamma / (L * rho) + gamma / L)
"""What bounds P, and so does Q's work."""
BOUNDED = obligation(
    "E mean z_i(f_i(w_k̃) − f_i*) ≤ (8/7) G (mean ‖w₀ − m_i‖ + γ/(Lρ) + γ/L)",
    (CLIENTS_SUMMED.conclusion, MEANS, REACH.conclusion, LIPSCHITZ_POS, LENGTHS),
    P <= LARGEST,
)

# (3), with the term that clients drawn one by one add (DAS-T4b).
_T4B = {claim.id: claim for claim in THEOREM_4}["DAS-T4b"]
THREE = Cite(_T4B, (*_T4B.repair.proof.assumptions, TRIANGLE) if _T4B.repair else (), repaired=True)
SAMPLING = c * E / alpha * G**2 / (2 * L) * rho
"""What clients drawn one by one add to B₂ (DAS-T4b)."""
_rest = four.theorem4b(**BOUND_4, z_Delta=sympy.Integer(0)) + SAMPLING
rest, square, most = letters("rest x_squared most")
NAMES = definition(
    "x = ρE/α; what B₂ and the start leave without Q; and the bound of P",
    equal(rest, _rest) & equal(square * alpha**2, rho**2 * E**2) & equal(most, LARGEST),
)
_signs = (LIPSCHITZ_POS, RHO, GAMMA, ALPHA, SMOOTH, LOCAL)
SIZES = obligation(
    "rest ≥ 0, 0 ≤ x² ≤ 1/4, most ≥ 0",
    (NAMES, LOCAL_STEPS, RANGE.conclusion, LENGTHS, *_signs),
    (rest >= 0) & (square >= 0) & (4 * square <= 1) & (most >= 0),
)
NAMED = obligation("(3), named", (THREE.conclusion, NAMES, *_signs), (2 - square) * zgap <= rest + square * Q)
CASES = obligation(
    "Q ≥ P, or Q is bounded as P is",
    (NAMED.conclusion, SIZES.conclusion, MEANS, CLIENTS_SUMMED.conclusion, BOUNDED.conclusion, NAMES),
    (2 - square) * zgap <= rest + square * most,
)
_right = four.theorem4b(**BOUND_4, z_Delta=LARGEST) + SAMPLING
AT_ALPHA = obligation(
    "(3) with that bound in the place of E mean z_iΔ_i*",
    (CASES.conclusion, NAMES, *_signs),
    four.factor_b(rho, E, alpha) * zgap <= _right,
)
LIMIT_5 = Limit(
    "right-hand side over its factor, α → ∞", _right / four.factor_b(rho, E, alpha), alpha, sympy.oo,
    four.asymptotic(G, L, distance, gamma, rho), "-",
    (RHO, GAMMA, SMOOTH, LOCAL, LIPSCHITZ_POS, definition("lengths, and c", (distance >= 0) & (near >= 0) & (c >= 0))),
)  # fmt: skip
LIMIT_K = Limit(
    "K → ∞ as α → ∞", 1 / printed.rounds_theorem4(alpha, gamma, C, rho), alpha, sympy.oo, sympy.Integer(0), "-", (GAMMA, RHO, CUT)
)  # fmt: skip
NODES = (
    ETA_SHOWN, WHOLE_SHOWN, QUARTER, CUT_SHOWN, *DRIFT_NODES, CLIENT, CLIENTS_SUMMED, UNBIASED, SENT, PATH, NOISE_SIZE, NOISES,
    NOISE_END, REACH, BOUNDED, RANGE, THREE, SIZES, NAMED, CASES, AT_ALPHA, LIMIT_5, LIMIT_K,
)  # fmt: skip

EQ5 = Claim(
    "DAS-S41-EQ5", PAPER, "Section 4.1, eq. (5)", "equation",
    "In comparison, the corresponding bound of DP-NormFedAvg is: E[(1/n) Σ_{i=1}^n ((GE/‖u_{k̃}^{(i)}‖)(f_i(w_{k̃}) − "
    "f_i(w*)))] ≤ (G/2)(L‖w₀ − w*‖²/γ + γ/L)ρ […] the effect of heterogeneity is eliminated asymptotically.",
    "E mean z_iΔ_i* in (3) moves with α, and in one dimension it is infinite as soon as w has a density at a client's minimiser; "
    "where it is large the left side of (3) is negative, so that the limit is (5) all the same, wherever no update is zero",
    repair=Repair(
        "For every α, (3) holds with (8/7)G(mean ‖w₀ − m_i‖ + γ/(Lρ) + γ/L) in the place of E mean (GE/‖u_i‖)Δ_i*, m_i a minimiser "
        "of f_i (and (1 + 1/r − 1/n)G²/(2L) for G²/(2L), where clients are drawn one by one); its limit is (5)",
        f"each f_i attains its minimum; {MOVING}", closed(NODES), "GE/‖u‖ does not exist for u = 0",
    ),
    gap=Gap("undefined", "GE/‖u_k̃‖ for a client at its minimiser", runs.AT_MINIMISER),
    consequence="The price of heterogeneity in (3) is at most of order ρE²/α², whatever the w that the run visits.",
)  # fmt: skip
