"""Claims: noise against short updates under clipping (abstract, Sections 1 and 3.1)."""

from __future__ import annotations

from fractions import Fraction

import sympy

from bounds.dp_normfedavg import choices as printed
from verify.case import closed
from verify.claim import Claim, Gap, Repair, Values, Witness
from verify.computation import Comparison
from verify.dp_normfedavg.letters import CUT, ETA, C, U, eta, y2
from verify.dp_normfedavg.text.prose import CLIP_NORM, NONZERO, cut
from verify.dp_normfedavg.text.remarks import RATIO, ROUND_NOISE, limit, own_noise
from verify.dp_normfedavg.theorems.rounds import RHO, TOTAL, K, rho
from verify.dp_normfedavg.theorems.sampling import NOISE_SIZE, S10, S11, a2, r, ya, yn2
from verify.facts import definition, equal, hypothesis, letters, standard
from verify.obligation import obligation

PAPER = "dp-normfedavg"
ONE = Fraction(1)
SHORT = hypothesis("N > 0, N‖u‖² < rKρ²C²", (limit > 0) & (limit * U**2 < r * K * rho**2 * C**2))
LARGER = obligation(
    "E‖ζ_i‖² = rKρ²C², whatever ‖u_i‖ is, exceeds N‖clip(u_i, C)‖² for every u_i ≠ 0 with N‖u_i‖² < rKρ²C²",
    (RATIO.conclusion, CLIP_NORM, NONZERO, CUT, SHORT),
    equal(own_noise, r * K * rho**2 * C**2) & (own_noise > limit * cut**2),
)
# A norm, not its square: E‖ζ_i‖ = c_d √(E‖ζ_i‖²), c_d² = (2/d) (Γ((d + 1)/2)/Γ(d/2))².
noise_norm, share = letters("noise_norm c_d")
GAUSSIAN = standard(
    "a Gaussian N(0, s²I_d) has E‖ζ‖ = c_d √(E‖ζ‖²), 3/4 < √(2/π) ≤ c_d ≤ 1",
    equal(noise_norm, share * sympy.sqrt(own_noise)) & (4 * share > 3) & (share <= 1) & (own_noise >= 0),
)
LARGER_NORM = obligation(
    "E‖ζ_i‖ = c_d √(rK)ρC, whatever ‖u_i‖ is, and exceeds ¾√N ‖clip(u_i, C)‖",
    (GAUSSIAN, LARGER.conclusion, SHORT),
    equal(noise_norm**2, share**2 * r * K * rho**2 * C**2) & (16 * noise_norm**2 > 9 * limit * cut**2),
)
PROPORTIONAL = obligation(
    "E‖ζ_i‖ = (c_d √(rK) ρ) C",
    (
        GAUSSIAN,
        RATIO.conclusion,
        CUT,
        RHO,
        TOTAL,
        hypothesis("r > 0", r > 0),
        definition("E‖ζ_i‖, c_d ≥ 0", (noise_norm >= 0) & (share >= 0)),
    ),
    equal(noise_norm, share * sympy.sqrt(r * K) * rho * C),
)

# What moves w is the mean of a round.
longest, far = letters("longest distance_k")
REACH = standard(
    "E⟨(1/r) Σ clip(u_i, C), w_k − w*⟩ = mean ⟨clip(u_i, C), w_k − w*⟩ ≤ max ‖u_i‖ ‖w_k − w*‖ (Cauchy–Schwarz)",
    ya <= longest * far,
)
AWAY = obligation(
    "E‖w_{k+1} − w*‖² > ‖w_k − w*‖² where 2 max ‖u_i‖ ‖w_k − w*‖ < ηKρ²C²",
    (
        S11.conclusion, RATIO.conclusion, ROUND_NOISE, REACH, definition("E‖(1/r) Σ clip(u_i, C)‖² ≥ 0", a2 >= 0), ETA,
        hypothesis("2 max ‖u_i‖ ‖w_k − w*‖ < ηKρ²C²", 2 * longest * far < eta * K * rho**2 * C**2),
    ),
    yn2 > y2,
)  # fmt: skip


def _replay_just_below(v: Values) -> Comparison:
    """E‖ζ_i‖² = rKρ²C² at Theorem 4's K against ‖u‖², for an update just below C = GE."""
    C_ = v["G"] * v["E"]
    rounds = printed.rounds_theorem4(v["alpha"], v["gamma"], C_, v["rho"])
    met = (
        ("K is a whole number ≥ 1", rounds.denominator == 1 and rounds >= 1), ("α ≥ 1", v["alpha"] >= 1),
        ("γ, G > 0", v["gamma"] > 0 < v["G"]),
        ("0 < ρ < 1", 0 < v["rho"] < 1), ("1 ≤ E ≤ α/(2ρ)", 1 <= v["E"] <= v["alpha"] / (2 * v["rho"])),
        ("0 < ‖u‖ < C", 0 < v["u"] < C_), ("1 ≤ r ≤ n", 1 <= v["r"] <= v["n"]),
    )  # fmt: skip
    return Comparison(v["r"] * rounds * v["rho"] ** 2 * C_**2, ">", v["u"] ** 2, met)


JUST_BELOW = Witness(
    {"G": Fraction(1), "E": Fraction(1), "alpha": Fraction(1), "gamma": Fraction(1, 20), "rho": Fraction(1, 10), "u": Fraction(9, 10),
     "n": Fraction(1), "r": Fraction(1)},
    "E‖ζ_i‖² > ‖u‖²", _replay_just_below, "G = E = α = n = r = 1, γ = 1/20, ρ = 1/10: K = 10, E‖ζ_i‖² = C²/10, ‖u‖ = 9C/10",
)  # fmt: skip


def _replay_hundredth(v: Values) -> Comparison:
    """The same for an update of at most a hundredth of C."""
    found = _replay_just_below(v)
    small = ("‖u‖ ≤ C/100", 100 * v["u"] <= v["G"] * v["E"])
    return Comparison(found.lhs, found.comparison, found.rhs, (*found.presupposed, small))


HUNDREDTH = Witness(
    {"G": ONE, "E": ONE, "alpha": ONE, "gamma": Fraction(1, 2 * 10**6), "rho": Fraction(1, 10**4), "u": Fraction(1, 100), "n": ONE,
     "r": ONE},
    "E‖ζ_i‖² > ‖u‖²", _replay_hundredth,
    "G = E = α = n = r = 1, γ = 5·10⁻⁷, ρ = 10⁻⁴: K = 100, E‖ζ_i‖² = 10⁻⁶C², ‖u‖ = C/100, ten times √(E‖ζ_i‖²)",
)  # fmt: skip
_DROWNS = Repair(
    "for every N > 0 E‖ζ_i‖² exceeds N‖u_i‖² as soon as ‖u_i‖ < √(rK)ρC/√N",
    "below √(rK)ρC/√N, and not much below C",
    closed((RATIO, LARGER)),
)
CLAIMS = (
    Claim(
        "DAS-S1-NOISE", PAPER, "Section 1", "prose",
        "The level of added noise is always proportional to the clipping threshold, with the proportionality constants depending on "
        "the desired level of privacy.",
        "of Theorem 3's noise: E‖ζ_i‖ is c_d√(rK)ρ times C, and ρ grows as ε or δ falls (DAS-DEF2); the constant depends on "
        "the number of rounds, on d, n and r too",
        proof=closed((RATIO, PROPORTIONAL)),
    ),
    Claim(
        "DAS-S1-DROWN", PAPER, "Section 1", "prose",
        "when the client updates have small magnitudes much lesser than the clipping threshold, they are completely drowned out by "
        "the added noise whose magnitude is always proportional to the clipping threshold.",
        "proportional it is, with the factor √(rK)ρ, which may be anything above 0: against √(rK)ρC ‖u_i‖ has to be measured, and "
        "not against C",
        repair=_DROWNS,
        gap=Gap("reading", "drowned as soon as they are a hundredth of C", HUNDREDTH),
        consequence="when clipping has the issue depends on √(rK)ρ: with little privacy, few rounds or many clients it comes later, "
        "once ‖u_i‖ is about √(rK)ρC; of a round's mean: DAS-ABSTRACT-DROWN",
    ),
    Claim(
        "DAS-S31-CLIP-NOISE", PAPER, "Section 3.1; Section 1", "prose",
        "as the client update norms decrease and fall below the clipping threshold, the norm of the added noise (which has constant "
        "expectation proportional to the clipping threshold, regardless of the client update norms) can become arbitrarily "
        "larger than "
        "the client update norms",
        "E‖ζ_i‖ is c_d√(rK)ρC with 3/4 < c_d ≤ 1 and does not see ‖u_i‖, and a clipped message is u_i itself below C",
        proof=closed((RATIO, LARGER, LARGER_NORM)),
    ),
    Claim(
        "DAS-ABSTRACT-DROWN", PAPER, "Abstract", "prose",
        "Clipping is associated with the following issue: as the client updates fall below the clipping threshold, they get "
        "drowned out "
        "by the added noise, inhibiting convergence.",
        "what decides is ‖u_i‖ against √(rK)ρC, the noise of one message, and for convergence the mean of a round, whose noise is "
        "√K ρC: updates just below C need not be drowned, and where √(rK)ρ > 1 a message that is cut is drowned as well",
        repair=Repair("as ‖u_i‖ falls below √(rK)ρC/√N the noise of its message exceeds N‖u_i‖²; where all ‖u_i‖ are below "
                      "ηKρ²C²/(2‖w_k − w*‖) the round leads away from w* in mean square",
                      "below √(rK)ρC/√N, not below C; convergence is inhibited below ηKρ²C²/(2‖w_k − w*‖)",
                      closed((RATIO, LARGER, S10, NOISE_SIZE, S11, AWAY))),
        gap=Gap("reading", "drowned as soon as they are below C", JUST_BELOW),
    ),
)  # fmt: skip
