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
from verify.fed_alpha_normec.letters import (
    ALPHA,
    GAP,
    PARTICIPATION,
    RADIUS,
    SMOOTH,
    VARIANCE,
    F,
    K,
    L,
    M,
    V,
    alpha,
    beta,
    claim,
    eta,
    p,
    values,
)
from verify.fed_alpha_normec.letters import CLIENTS as SOME
from verify.fed_alpha_normec.ours import forgets
from verify.fed_alpha_normec.ours import rounds as ro
from verify.fed_alpha_normec.text.clipped_fedavg import CLAIMS as CLIPPED
from verify.fed_alpha_normec.text.clipped_fedavg import CLIENTS, STEP, slope
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
        Cite(next(c for c in CLIPPED if c.id == "FED-S3-CLIP"), ()),
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

# FED-R1-FORGETS with step sizes that fall with K: z = (K + 1)^(1/6), and √(K + 1) without noise.
z, b, h, quiet = letters("z b h min_quiet")
_LATER = hypothesis("z ≥ 1", z >= 1)
_SIZES = hypothesis("b, h > 0", (b > 0) & (h > 0))
_MILD = hypothesis("b ≤ √2 α", b <= sympy.sqrt(2 * alpha**2))
_MANY = hypothesis("K so large that b ≤ √2 α z⁴", b <= sympy.sqrt(2 * alpha**2) * z**4)
_STRIDE = hypothesis("K so large that Lh < bz", L * h < b * z)
_SHARED = tuple(f for f in ro.ONE_STEP_HYPOTHESES if f.relation.free_symbols.isdisjoint({beta, eta}))
_GIVEN = (*_SHARED, SOME, VARIANCE, GAP, _LATER, _SIZES, _STRIDE)


def _falling(
    small: Fact, power: int, places: Sequence[tuple[sympy.Symbol, object]], low: sympy.Symbol
) -> Cite:
    return Cite(forgets.R1_FORGETS, (*_GIVEN, small), at=((K, z**power - 1), *places, (ro.low, low)))


def _right(cited: Cite) -> sympy.Expr:
    return cited.conclusion.relation.rhs


_NOISY = _falling(_MANY, 6, ((beta, b / z**4), (eta, h / z**5)), ro.low)
_QUIET = _falling(_MILD, 2, ((beta, b), (eta, h / z), (p, sympy.Integer(1)), (V, sympy.Integer(0))), quiet)
_START = F / h + 2 * alpha * L * h / b
RATE = Repair(
    "With β = b(K+1)^(−2/3) and η = h(K+1)^(−5/6) min_k E‖∇f(xᵏ)‖ goes to 0 from any memories and for any p: the bound of "
    "FED-R1-FORGETS times (K+1)^(1/6) goes to (f(x⁰)−f^inf)/h + 2αLh/b + b√(2(1−p+V)/(pM)). At p = 1 without noise β = b ≤ √2 α "
    "and η = h/√(K+1) will do: the bound times √(K+1) goes to (f(x⁰)−f^inf)/h + 2αLh/b + Lh/2.",
    "T = 1, α and V = E‖z‖² do not move with K, β = b(K+1)^(−2/3), η = h(K+1)^(−5/6) for any b, h > 0, K so large that β ≤ √2 α "
    "and Lη < β",
    Proof(
        (*_SHARED, _LATER, _SIZES, _MANY, _MILD, _STRIDE),
        (
            _QUIET,
            Limit(
                "p = 1, no noise: √(K+1) times the bound",
                z * _right(_QUIET),
                z,
                sympy.oo,
                _START + L * h / 2,
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
    weakest="for T > 1 the longest γ, 1/(2L), cannot be kept (FED-D1-CONVERGENT@kept-gamma), and shorter ones are not decided; η "
    "has to "
    "fall, since x moves by η in every round",
)


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
        consequence="FedAvg's bias is the same for every server step (FED-D1-FAIL); what a fixed η leaves falls with η.",
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
        consequence="With several local steps let γ fall with K too, as FED-R2-FORGETS allows. (The witness keeps the longest γ; "
        "shorter "
        "ones are not decided.)",
    ),
    claim(
        "FED-D1-CONVERGENT@private",
        f"{_PLACE}, with noise of variance σ_DP² in each of d coordinates",
        "prose",
        f"{_WHEREAS} [with noise]",
        "With noise too it is so for step sizes that fall with the number of rounds. With parameters as Theorem 1 allows it need not "
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
