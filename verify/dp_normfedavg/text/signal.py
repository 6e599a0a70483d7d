"""Claims: signal-to-noise ratio of both methods (Sections 1, 3.1 and 5, Figure 3), and what follows from it."""

from __future__ import annotations

from fractions import Fraction

import sympy

from bounds.dp_normfedavg import choices as printed
from verify.case import closed
from verify.claim import Claim, Gap, Repair, Values, Witness
from verify.computation import Comparison
from verify.curves import huber
from verify.dp_normfedavg.counterexamples import runs
from verify.dp_normfedavg.counterexamples.exact import ZERO, clip, norm, round_without_noise
from verify.dp_normfedavg.letters import CUT, ETA, C, U, eta, uy
from verify.dp_normfedavg.text import senders_signal
from verify.dp_normfedavg.text.prose import CLIP_NORM, HIGHER, LOW, NONZERO, ORDER, cut, normed
from verify.dp_normfedavg.theorems.sampling import (
    CENTRED,
    CLIENTS,
    NOISE,
    NOISE_SIZE,
    S10,
    S11,
    STEP,
    a2,
    ya,
    yn2,
)
from verify.facts import definition, equal, letters
from verify.obligation import obligation

PAPER = "dp-normfedavg"
ONE = Fraction(1)


def _same_message(v: Values) -> Comparison:
    """The lengths of both messages of one client; the noise is the same."""
    u, C = v["u"], v["C"]
    return Comparison(abs(clip(u, C)), "<", abs(norm(u, C)), (("u ≠ 0", u != 0), ("C > 0", C > 0)))


def _never_short(v: Values) -> Comparison:
    """DP-FedAvg with clipping on the functions of DAS-T4-FROM, both clients in every round, one local step.

    At distance up to apart − G/L of 0 both gradients are G long and cancel, so that noise alone moves w. It takes w further in one
    of the K rounds with probability at most Var/(apart − G/L)² (Kolmogorov), and Var = (γ/L)² does not depend on α.
    """
    G, L, apart, alpha, rho, gamma = (v[name] for name in ("G", "L", "apart", "alpha", "rho", "gamma"))
    f = (huber(L, G, -apart), huber(L, G, apart))
    C, eta = G, printed.step_theorem4(rho, alpha, L)
    K = printed.rounds_theorem4(alpha, gamma, C, rho)
    margin = apart - G / L
    variance = K * eta**2 * K * C**2 * rho**2
    ends = (-margin, ZERO, margin)
    met = (
        ("f_i convex", all(g.convex for g in f)), ("f_i L-smooth", all(g.smoothness <= L for g in f)),
        ("f_i G-Lipschitz", all(g.lipschitz <= G for g in f)), ("w₀ = 0 minimises f", sum(g.gradient(ZERO) for g in f) == 0),
        ("both updates are C long on either side up to the margin, and so between, as gradients are monotone",
         margin > 0 and all(abs(g.gradient(w)) == C for g in f for w in ends)),
        ("the messages cancel there", all(round_without_noise(f, w, eta, 1, C, 2 * ONE, clip, (0, 1)) == w for w in ends)),
        ("f is above its minimum beyond the margin", sum(g(margin + ONE) - g(ZERO) for g in f) > 0),
        ("K is a whole number", K.denominator == 1), ("E = 1 ≤ α/(2ρ)", alpha / (2 * rho) >= 1), ("α ≥ 1", alpha >= 1),
        ("0 < ρ < 1, γ > 0", 0 < rho < 1 and gamma > 0), ("Var = (γ/L)² does not depend on α", variance == (gamma / L) ** 2),
    )  # fmt: skip
    return Comparison(variance / margin**2, ">=", Fraction(1, 2), met)


NEVER_SHORT = Witness(
    {"G": ONE, "L": ONE, "apart": Fraction(10), "alpha": Fraction(10**6), "rho": Fraction(1, 10), "gamma": Fraction(1, 10)},
    "with probability at least 1/2 some update is shorter than C in some round; the left side is an upper bound of that probability",
    _never_short,
    "two Huber functions of slope 1 around −10 and 10, both clients in every round, C = G = 1, γ = ρ = 1/10, w₀ = 0: both updates are "
    "C long on [−9, 9], where all minimisers of f lie, and in 2·10⁷ rounds, or those of any other α, w leaves it with probability at "
    "most 1/8100",
)  # fmt: skip


def _caused(v: Values) -> Comparison:
    """`WITNESS_OVERSHOOT` with its signals: one client, so that in every round the signal of a round is its message's length."""
    found = runs.WITNESS_OVERSHOOT.replay(v)
    u = huber(v["L"], v["G"]).gradient(v["w0"])
    met = (
        (
            "normalisation's SNR is higher in round 0: ‖clip(u_0, C)‖ < ‖norm(u_0, C)‖",
            abs(clip(u, v["G"])) < abs(norm(u, v["G"])),
        ),
    )
    return Comparison(found.lhs, found.comparison, found.rhs, (*found.presupposed, *met))


# One client's messages, u_i = 0 included.
ANY_AT_ZERO = "any vector in the place of norm(0, C)"
NEVER_LOWER = obligation(
    "‖clip(u, C)‖ ≤ ‖norm(u, C)‖",
    (
        CLIP_NORM,
        definition(
            f"‖norm(u, C)‖ = C for u ≠ 0, and {ANY_AT_ZERO}",
            ((U > 0) & equal(normed, C)) | (equal(U, 0) & (normed >= 0)),
        ),
        CUT,
    ),
    cut <= normed,
)

# One client, one round, from one w_k and with the same noise.
near_clip, near_norm, along_clip, along_norm, clip2, norm2 = letters(
    "clip_next norm_next <clip,y> <norm,y> clip2 norm2"
)
MESSAGES = definition(
    "clip(u, C) = min(1, C/‖u‖) u and norm(u, C) = (C/‖u‖) u: their squares, and inner products with w_k − w*",
    equal(along_clip, sympy.Min(1, C / U) * uy)
    & equal(clip2, sympy.Min(U, C) ** 2)
    & equal(along_norm, C / U * uy)
    & equal(norm2, C**2),
)
ROUNDS = tuple(
    fact.at({yn2: after, ya: along, a2: length}, f"the mean is one client's message, {name}")
    for name, after, along, length in (
        ("clipped", near_clip, along_clip, clip2),
        ("normalised", near_norm, along_norm, norm2),
    )
    for fact in (STEP, S11.conclusion)
)
_nearer = near_norm < near_clip
_no_overshoot = (U < C) & (eta * U * (U + C) < 2 * uy)
NEARER = obligation(
    "E‖w_{k+1} − w*‖² is smaller under normalisation exactly where ‖u‖ < C and η‖u‖(‖u‖ + C) < 2⟨u, w_k − w*⟩",
    (*ROUNDS, NOISE, CENTRED, CLIENTS, MESSAGES, NONZERO, CUT, ETA),
    sympy.And(sympy.Implies(_nearer, _no_overshoot), sympy.Implies(_no_overshoot, _nearer)),
)

CLAIMS = (
    Claim(
        "DAS-S31-SNR", PAPER, "Section 3.1, Appendix F, Figure 3", "prose",
        "In the same setting and with the same notation as Figure 2, […] As per our discussion in Section 3.1, the SNR of "
        "normalization is never lower than that of clipping, explaining the "
        "superiority of the former. [SNR := ‖(1/r) Σ_{i∈S_k} g_k^{(i)}‖/‖(1/r) Σ_{i∈S_k} ζ_k^{(i)}‖, as Appendix F has it]",
        "false of the mean of a round in some problems, as unit messages of opposite clients cancel and clipped ones do not; true "
        "where no update shorter than C points against the sum of the clipped ones, and of each client (DAS-S31-SNR@client), of which "
        "Section 3.1 speaks; of the printed problem see DAS-APPF-FIG3",
        repair=Repair(
            "‖(1/r) Σ_{i∈S_k} clip(u_i, C)‖ ≤ ‖(1/r) Σ_{i∈S_k} norm(u_i, C)‖, so that with the same noise the SNR of normalisation "
            "is not lower than that of clipping",
            "at the same w_k, with the same senders and noise, u_i ≠ 0 for every sender i, and ⟨u_i, Σ_{j∈S_k} clip(u_j, C)⟩ ≥ 0 "
            "wherever ‖u_i‖ < C",
            senders_signal.PROOF,
            "one sender with ‖u_i‖ < C whose update points against that sum can be enough to break it: u_1 = 1 and u_2 = −1/10 at "
            "C = 1 send 0 normalised and 9/20 in the mean clipped",
        ),
        gap=Gap("reading", "of any problem, as Section 3.1 is, and of the mean of a round", runs.WITNESS_CANCELLING),
    ),
    Claim(
        "DAS-S31-SNR@client", PAPER, "Figure 3, read of one client", "prose",
        "[…] the SNR of normalization is never lower than that of clipping […] [SNR := ‖g_k^{(i)}‖/‖ζ_k^{(i)}‖]",
        "for one client it is the inequality of the norms, ‖clip(u_i, C)‖ ≤ ‖norm(u_i, C)‖, which takes a norm(0, C) for a client at "
        "its minimiser",
        repair=Repair("‖clip(u_i, C)‖ ≤ ‖norm(u_i, C)‖, and so with the same noise the SNR of normalisation is not lower", ANY_AT_ZERO,
                      closed((NEVER_LOWER,)), "norm(0, C) does not exist; clip(0, C) = 0 is no longer than any vector"),
        gap=Gap("undefined", "norm(u_i, C) for a client at its minimiser", runs.AT_MINIMISER),
    ),
    Claim(
        "DAS-S31-SNR@higher", PAPER, "Section 1 (a) and Section 5, one client", "prose",
        "normalization has a higher signal (viz., update norm) to noise ratio (SNR) than clipping [of each update]",
        "an update that is cut, or exactly C long, is sent as the same message by both, as Section 3.1 says itself",
        repair=Repair("never lower (DAS-S31-SNR@client); for u ≠ 0 higher exactly where ‖u‖ < C", "0 < ‖u‖ < C", closed((HIGHER,)),
                      "an equivalence"),
        gap=Gap("reading", "strictly higher, for every update", Witness(
            {"u": Fraction(2), "C": ONE}, "|clip(u, C)| < |norm(u, C)|", _same_message,
            "C = 1 and an update of length 2: both messages have length 1")),
        consequence="with C below all update norms the two methods are one (DAS-S31-LOW)",
    ),
    Claim(
        "DAS-S31-SNR@eventually", PAPER, "Section 3.1, \"eventually falls below\"", "prose",
        "as the client update norms decrease and fall below the clipping threshold, […] In other words, the signal (i.e., update "
        "norm) to noise ratio (SNR) of clipping eventually falls below that of normalization",
        "true of each client once 0 < ‖u_i‖ < C, the premise of the sentence; that a run comes to such a round is another matter: "
        "clients that disagree can keep ‖u_i‖ = C at every minimiser of f, and the two methods are one (DAS-S31-LOW)",
        repair=Repair("for u_i ≠ 0 a client's SNR under clipping is below that under normalisation exactly where ‖u_i‖ < C",
                      "0 < ‖u_i‖ < C",
                      closed((HIGHER,)), "an equivalence"),
        gap=Gap("reading", "“eventually” of a run: in some round", NEVER_SHORT),
    ),
    Claim(
        "DAS-S31-CAUSE", PAPER, "Section 3.1; Section 5", "prose",
        "In other words, the signal (i.e., update norm) to noise ratio (SNR) of clipping eventually falls below that of "
        "normalization, due to which we expect normalization to have better convergence. (3.1) […] Intuitively, this happens because "
        "normalization has a higher signal (i.e., update norm) to noise ratio than clipping. (5)",
        "true of one client and one round as long as the longer step does not overshoot. Not in every problem: of one client the SNR "
        "is never the lower one under normalisation. On a Huber function with G = L = α = E = 1, ρ = 1/10, K = 2 and w₀ = 1/80 it is "
        "eighty times as high in the first round; yet E f(w_k̃) is at least 1/2560, with clipping at most 889/10,240,000, for what "
        "makes the signal longer makes the step overshoot",
        gap=Gap(
            "reading",
            "in every problem where normalisation's SNR is in no round the lower one, and in some round the higher",
            Witness(
                runs.WITNESS_OVERSHOOT.values, runs.WITNESS_OVERSHOOT.breaks, _caused,
                f"{runs.WITNESS_OVERSHOOT.problem}; ‖u_0‖ = C/80", closed((ORDER,)),
            ),
        ),
        repair=Repair(
            "from the same w_k one round of one client leads nearer to w*, in mean square, under normalisation than under clipping "
            "exactly where its SNR is the higher one, ‖u‖ < C, and η‖u‖(‖u‖ + C) < 2⟨u, w_k − w*⟩",
            "one client, one round, u ≠ 0; η‖u‖(‖u‖ + C) < 2⟨u, w_k − w*⟩: the step does not overshoot",
            closed((S10, NOISE_SIZE, S11, HIGHER, NEARER)),
            "an equivalence",
        ),
        consequence="a higher SNR is no argument by itself: what the signal points at counts, and how far the step goes (DAS-S41)",
    ),
    Claim(
        "DAS-S31-LOW", PAPER, "Section 3.1", "prose",
        "if the client update norms are lower bounded by C_low, then clipping with threshold C ≤ C_low is equivalent to "
        "normalization with the same scaling factor.",
        "both messages are (C/‖u‖)u", proof=closed((LOW,)),
    ),
)  # fmt: skip
