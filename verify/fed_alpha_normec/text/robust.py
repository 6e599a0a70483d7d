"""Appendix D.1 on FedAvg and Fed-α-NormEC: which of the two may fail to converge, and with which step sizes the other does not."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import sympy

from verify.citation import Cite
from verify.claim import Gap, Repair, Values, Witness
from verify.computation import Comparison, Computation
from verify.exact import normalise
from verify.facts import Fact, hypothesis, letters
from verify.fed_alpha_normec.counterexamples.lattice import STAYS_AWAY
from verify.fed_alpha_normec.counterexamples.problems import stands_still
from verify.fed_alpha_normec.counterexamples.still import STILL
from verify.fed_alpha_normec.lemmas import noise as no
from verify.fed_alpha_normec.letters import (
    ALPHA,
    GAP,
    PARTICIPATION,
    RADIUS,
    SMOOTH,
    VARIANCE,
    Delta,
    F,
    K,
    L,
    M,
    V,
    alpha,
    beta,
    claim,
    eta,
    gamma,
    p,
    values,
)
from verify.fed_alpha_normec.letters import CLIENTS as SOME
from verify.fed_alpha_normec.ours import forgets, forgets_several
from verify.fed_alpha_normec.ours import rounds as ro
from verify.fed_alpha_normec.ours import several as se
from verify.fed_alpha_normec.text.clipped_fedavg import CLAIMS as CLIPPED
from verify.fed_alpha_normec.text.clipped_fedavg import CLIENTS, ROUND, STEP, slope
from verify.fed_alpha_normec.theorems import noise_per_coordinate
from verify.identity import Limit
from verify.proof import Proof

# FedAvg with smoothed normalisation on the problem of `clipped_fedavg`.
STUCK, WIDTH = Fraction(1), Fraction(2, 3)


def _sent() -> Fraction:
    """Σ Norm_α(x − T_i(x)) at x = 1."""
    return sum((normalise(WIDTH, STEP * f.gradient(STUCK)) for f in CLIENTS), Fraction(0))


FAIL = Proof(
    (),
    (
        Cite(next(c for c in CLIPPED if c.id == "FED-S3-CLIP"), (ROUND,)),
        Computation(
            "normalised with α = 2/3, the updates add up to 0 at x = 1: a fixed point for every server step",
            "enumeration",
            lambda: Comparison(_sent(), "==", Fraction(0)),
        ),
        Computation(
            "the gradient there is not 0", "enumeration", lambda: Comparison(slope(STUCK), "==", Fraction(-2))
        ),
    ),
)

# FED-R1-FORGETS with step sizes that fall with K: κ = (K + 1)^(1/6), and √(K + 1) without noise.
z, b, u, quiet = letters("κ b u min_quiet")
_LATER = hypothesis("κ ≥ 1, K + 1 = κ⁶ (κ² at p = 1 without noise)", z >= 1)
_SIZES = hypothesis("b, u > 0", (b > 0) & (u > 0))
_MILD = hypothesis("b ≤ √2 α", b <= sympy.sqrt(2 * alpha**2))
_MANY = hypothesis("K so large that b ≤ √2 α κ⁴", b <= sympy.sqrt(2 * alpha**2) * z**4)
_STRIDE = hypothesis("K so large that Lu < bκ", L * u < b * z)
_SHARED = tuple(f for f in ro.ONE_STEP_HYPOTHESES if f.relation.free_symbols.isdisjoint({beta, eta}))
_GIVEN = (*_SHARED, SOME, VARIANCE, GAP, _LATER, _SIZES, _STRIDE)


# Of the run in which all take part: q = 1, and its moments.
_FULL = tuple(zip(no.Q_LETTERS, letters("q_full q_none E(1−q)²_full Eq²_full"), strict=True))
_ALL = no.VALUES.at({p: sympy.Integer(1), **dict(_FULL)}, "p = 1")


def _falling(
    small: tuple[Fact, ...], power: int, places: Sequence[tuple[sympy.Symbol, object]], low: sympy.Symbol
) -> Cite:
    return Cite(forgets.R1_FORGETS, (*_GIVEN, *small), at=((K, z**power - 1), *places, (ro.low, low)))


def _right(cited: Cite) -> sympy.Expr:
    return cited.conclusion.relation.rhs


_NOISY = _falling((_MANY,), 6, ((beta, b / z**4), (eta, u / z**5)), ro.low)
_QUIET = _falling(
    (_MILD, _ALL), 2, ((beta, b), (eta, u / z), (p, sympy.Integer(1)), (V, sympy.Integer(0)), *_FULL), quiet
)
_START = F / u + 2 * alpha * L * u / b
RATE = Repair(
    "With β = b(K+1)^(−2/3) and η = u(K+1)^(−5/6) min_k E‖∇f(xᵏ)‖ goes to 0 from any memories and for any p: the bound of "
    "FED-R1-FORGETS times (K+1)^(1/6) goes to (f(x⁰)−f^inf)/u + 2αLu/b + b√(2(1−p+V)/(pM)). At p = 1 without noise β = b ≤ √2 α "
    "and η = u/√(K+1) will do: the bound times √(K+1) goes to (f(x⁰)−f^inf)/u + 2αLu/b + Lu/2.",
    "T = 1, α and V = E‖z‖² do not move with K, β = b(K+1)^(−2/3), η = u(K+1)^(−5/6) for any b, u > 0, K so large that β ≤ √2 α "
    "and Lη < β",
    Proof(
        (*_SHARED, _LATER, _SIZES, _MANY, _MILD, _STRIDE, _ALL),
        (
            _QUIET,
            Limit(
                "p = 1, no noise: √(K+1) times the bound",
                z * _right(_QUIET),
                z,
                sympy.oo,
                _START + L * u / 2,
                "-",
                (*_GIVEN, RADIUS, ALPHA, SMOOTH),
            ),
            _NOISY,
            Limit(
                "(K+1)^(1/6) times the bound",
                z * _right(_NOISY),
                z,
                sympy.oo,
                _START + b * sympy.sqrt(2 * (1 - p + V) / (p * M)),
                "-",
                (*_GIVEN, PARTICIPATION),
            ),
        ),
    ),
    weakest="for T > 1 γ has to fall as well, and then it is so too (FED-D1-CONVERGENT@kept-gamma); η has to fall: from some starts "
    "|f'| stays at η/2 or above (FED-D1-CONVERGENT@fixed-parameters)",
)

# The same with several local steps, γ falling too.
c = letters("c")[0]
_SHORT = hypothesis("c > 0, and K so large that 2Lc ≤ κ", (c > 0) & (2 * L * c <= z))
_STRIDE_SEVERAL = hypothesis("K so large that 2Lu < bκ", 2 * L * u < b * z)
_MOVED_BY_K = {beta, eta, gamma}
_SHARED_SEVERAL = tuple(f for f in se.SEVERAL_HYPOTHESES if f.relation.free_symbols.isdisjoint(_MOVED_BY_K))
_GIVEN_SEVERAL = (
    *_SHARED_SEVERAL, SOME, VARIANCE, GAP, _LATER, _SIZES, _MANY, _STRIDE_SEVERAL, _SHORT,
)  # fmt: skip
_PLACES = ((K, z**6 - 1), (beta, b / z**4), (eta, u / z**5), (gamma, c / z))
_SEVERAL = Cite(
    next(claim for claim in forgets_several.CLAIMS if claim.id == "FED-R2-FORGETS"),
    _GIVEN_SEVERAL,
    at=_PLACES,
)
_INFIMA = hypothesis("Δ^inf ≥ 0, as it is where the f^inf are infima", Delta >= 0)
RATE_SEVERAL = Repair(
    "With γ = c(K+1)^(−1/6) as well, β = b(K+1)^(−2/3) and η = u(K+1)^(−5/6), min_k E‖∇f(xᵏ)‖ goes to 0 from any memories, for any T "
    "and p: the bound of FED-R2-FORGETS times (K+1)^(1/6) goes to (f(x⁰)−f^inf)/u + 4αLu/b + b√(2(1−p+V)/(pM)) + "
    "cL√(2L(f(x⁰)−f^inf+Δ^inf)).",
    "γ = c(K+1)^(−1/6); α and V = E‖z‖² do not move with K, K so large that β ≤ √2 α, 2Lη < β and γ ≤ 1/(2L); b, c, u > 0; Δ^inf ≥ "
    "0; 0/0 = 0 in line 12",
    Proof(
        (*_SHARED_SEVERAL, _LATER, _SIZES, _MANY, _STRIDE_SEVERAL, _SHORT, _INFIMA),
        (
            _SEVERAL,
            Limit(
                "(K+1)^(1/6) times the bound",
                z * _right(_SEVERAL),
                z,
                sympy.oo,
                F / u + 4 * alpha * L * u / b + b * sympy.sqrt(2 * (1 - p + V) / (p * M))
                + c * L * sympy.sqrt(2 * L * (F + Delta)),
                "-",
                (*_GIVEN_SEVERAL, _INFIMA, PARTICIPATION),
            ),
        ),
    ),
    weakest="for T ≥ 2 γ has to fall: for every γ that stays there are two functions on which nothing moves (FED-D1-STILL)",
)  # fmt: skip


def _one_client(v: Values) -> Comparison:
    """½x² alone, every update clipped at `bound`, γ = η = 1: |f'| after one round."""
    f = CLIENTS[0]
    move = max(-v["bound"], min(v["bound"], f.gradient(v["x"])))
    return Comparison(
        abs(f.gradient(v["x"] - move)), ">", Fraction(0), (("the clipping bound > 0", v["bound"] > 0),)
    )


IMPORTANTLY = (
    "Importantly, prior work [29; 60] has shown that FedAvg with clipping or normalization may fail to converge in certain "
    "settings, whereas Fed-α-NormEC remains robust and convergent."
)
_WHEREAS = "whereas Fed-α-NormEC remains robust and convergent."
_PLACE = "Appendix D.1, before Figure 5"
CLAIMS = (
    claim(
        "FED-S3-BIAS",
        "Section 3",
        "prose",
        "Clipping and normalization inherently introduce bias, causing DP-FedAvg to generally not converge, even without the addition "
        "of DP noise.",
        "There are problems on which it does not converge, clipped (FED-S3-CLIP) or normalised (FED-D1-FAIL); it is not so on every "
        "problem.",
        repair=Repair(
            "On ½x², ½x² and ½(x − 9)² it stays at x = 1, with γ = 1/2, clipped at 1 or normalised with α = 2/3, while the optimum "
            "is 3.",
            "for some problems",
            FAIL,
            weakest="with one client, or equal ones, there is no such bias",
        ),
        gap=Gap(
            "reading",
            "on every problem",
            Witness(
                values(x=1, bound=1),
                "|f'(x¹)| > 0",
                _one_client,
                "M = 1, f = ½x², clipped at 1, γ = η = 1: x¹ = 0, the optimum",
            ),
        ),
    ),
    claim(
        "FED-D1-FAIL",
        _PLACE,
        "prose",
        "FedAvg with clipping or normalization may fail to converge in certain settings",
        "There are such settings, which is what is shown here; what [29; 60] show is their affair. On ½x², ½x² and ½(x − 9)² with γ = "
        "1/2 it stays at x = 1, clipped at 1 (FED-S3-CLIP) or normalised with α = 2/3, whatever the server's step is.",
        proof=FAIL,
    ),
    claim(
        "FED-D1-CONVERGENT",
        _PLACE,
        "prose",
        IMPORTANTLY,
        "With one local step it is so, from any memories, for step sizes that fall with the number of rounds. At a fixed η it is not: "
        "line 12 makes every step η long (FED-D1-CONVERGENT@fixed-parameters).",
        repair=RATE,
        gap=Gap(
            "reading",
            "Algorithm 1 with line 12, at a fixed η",
            STAYS_AWAY,
        ),
        consequence="FedAvg's bias is the same for every server step (FED-D1-FAIL); what a fixed η leaves falls with η at p = 1 "
        "without noise; with either β has to fall with it.",
    ),
    claim(
        "FED-D1-CONVERGENT@fixed-parameters",
        f"{_PLACE}, Algorithm 1 with line 12, at a fixed η",
        "prose",
        f"{_WHEREAS} [convergent: for parameters that do not move with K, min_k ‖∇f(x^k)‖ → 0]",
        "By line 12 every step of the server has length η. On the line x^k stays on a lattice of that width, and |f'| at η/2 or above "
        "for ever, on the problem on which FedAvg fails, from a start halfway between lattice points around the optimum and for any "
        "memories, participation and noise.",
        witness=STAYS_AWAY,
        repair=RATE,
        consequence="The ηL/2 of Theorem 1 is real: with line 12 η has to fall with K. (The runs of Appendix D leave it out: "
        "FED-EXP-COND.)",
    ),
    claim(
        "FED-D1-CONVERGENT@kept-gamma",
        f"{_PLACE}, several local steps, at one γ",
        "prose",
        f"{_WHEREAS} [convergent: for T > 1 and every γ ≤ 1/(2L) that does not move with K, min_k ‖∇f(x^k)‖ → 0 for some β and "
        "η that may fall with K; in line 12 0/0 = 0]",
        "The local updates can cancel where the gradients do not. From memories that are the local updates the residuals are 0, "
        "and so "
        "are the messages and v̂: the method stands still, whatever α, β and η are in any round.",
        witness=Witness(
            values(gamma="1/2", alpha=1, beta=1, eta="1/100"),
            "some k has |f'(x^k)| ≤ 1",
            stands_still,
            "M = T = 2, p = 1, no noise, L = 1, γ = 1/2, the problem of FED-T1-MAIN without its flat functions: at x⁰ = 0 the two "
            "updates are 14 and −14, the gradients 16 and −13; v_i⁰ = P_i(x⁰), and |f'| is 3/2 for ever",
        ),
        repair=RATE_SEVERAL,
        consequence="With several local steps let γ fall with K too.",
    ),
    claim(
        "FED-D1-STILL",
        "ours, on Appendix D.1: several local steps at any γ",
        "ours",
        "For every L > 0, T ≥ 2 and 0 < γ ≤ 1/(2L) there are two L-smooth functions on the line, bounded below, on which Fed-α-NormEC "
        "with T local steps and p = 1, without noise, stands still for ever where |f'| ≥ (1 − 1/T)γL/2, whatever α, β and η are in "
        "any round: from v_i⁰ = P_i(x⁰), with 0/0 = 0 in line 12 (or without its normalisation).",
        "f_1' = B + Lx; f_2' is −A up to 0, falls with slope −L up to 1/L, and rises with slope L from there; A and B are the means "
        "of (1 − γL/T)^j and (1 + γL/T)^j over j < T. At 0 the updates are AB and −AB, and their mean is 0, as every message then is; "
        "f'(0) = (B − A)/2, at T = 2 γL/4.",
        proof=STILL,
        consequence="The drift γ8L√(2L)√Δ^inf of Theorem 1 is real: for no T ≥ 2 may γ stay, it can leave |f'| at a multiple of γ.",
    ),
    claim(
        "FED-D1-CONVERGENT@private",
        f"{_PLACE}, with noise of variance σ_DP² in each of d coordinates",
        "prose",
        f"{_WHEREAS} [with noise]",
        "With noise of a variance that does not move with K it is so too, for step sizes that fall with K; of the noise of a fixed "
        "(ε, δ), which grows with K, nothing is shown (FED-R1-FORGETS@noise). With parameters as Theorem 1 allows it need not "
        "be: in high dimension the server's direction is noise (FED-T1-MAIN@T=1,per-coordinate), and 10,000 rounds, whose steps "
        "together are 83 times the distance to the optimum, leave E‖∇f(x^k)‖ above 0.99‖∇f(x⁰)‖.",
        gap=Gap(
            "reading",
            "for all parameters that Theorem 1 allows, in any dimension: some x^k has E‖∇f(x^k)‖ ≤ ‖∇f(x⁰)‖/2",
            Witness(
                noise_per_coordinate.NUMBERS,
                "E‖∇f(x^k)‖ ≤ ½‖∇f(x⁰)‖ for some k ≤ K (its left side bounded below)",
                noise_per_coordinate.unmoved,
                noise_per_coordinate.PROBLEM.format("2·10²⁰"),
            ),
        ),
        repair=RATE,
    ),
    claim(
        "FED-D1-SUPPORT",
        _PLACE,
        "prose",
        "Our results further support this observation, highlighting the effectiveness of the Error Compensation mechanism in "
        "improving both convergence speed and final accuracy, especially in privacy-constrained federated learning scenarios.",
        "A training result: it needs the re-run.",
        undecided="A training result that only a re-run can decide. The runs leave out line 12 (FED-EXP-COND), so that no theorem "
        "speaks of them.",
    ),
    claim(
        "FED-D1-BEST",
        "Appendix D.1, Figure 3",
        "prose",
        "Notably, Fed-α-NormEC achieves its best performance for β = 0.01, which aligns with the findings in Section 5.",
        "A training result: it needs the re-run.",
        undecided="A training result that only a re-run can decide; it is Section 5's (FED-EXP-BEST), of three β and one seed (42).",
    ),
)
