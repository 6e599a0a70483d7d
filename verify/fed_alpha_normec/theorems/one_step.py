"""Theorem 1 at T = 1, in each printed version: what holds, and what falls although several local steps play no part."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import sympy

from bounds.fed_alpha_normec import repaired
from bounds.fed_alpha_normec import theorem1 as printed
from bounds.statement import Bound
from verify.citation import Cite
from verify.claim import Claim, Gap, Repair, Witness
from verify.facts import Fact, hypothesis, letters, standard
from verify.fed_alpha_normec.counterexamples import rarely_absent
from verify.fed_alpha_normec.lemmas import noise as no
from verify.fed_alpha_normec.lemmas.lemma1 import FROM_FEEDBACK
from verify.fed_alpha_normec.letters import (
    BETA,
    CLIENTS,
    ETA,
    FEEDBACK,
    GAMMA,
    GAP,
    LOCAL_STEP,
    PARTICIPATION,
    RADIUS,
    ROUNDS,
    SMOOTH,
    SPREAD,
    VARIANCE,
    Delta,
    F,
    K,
    L,
    M,
    R,
    beta,
    claim,
    eta,
    gamma,
    p,
    sigma,
)
from verify.fed_alpha_normec.ours import rounds as ro
from verify.fed_alpha_normec.ours.averaged import R1_SHARP
from verify.fed_alpha_normec.theorems import coordinates, noise_per_coordinate
from verify.fed_alpha_normec.theorems.theorem1 import APP, MAIN, TEXT
from verify.identity import Identity
from verify.obligation import obligation
from verify.proof import Proof

_HYPOTHESES = (
    *ro.ONE_STEP_HYPOTHESES, GAMMA, LOCAL_STEP, FEEDBACK, SPREAD, ro.PRINTED_ROUNDS,
)  # fmt: skip
_SIZES = (BETA, ETA, SMOOTH, CLIENTS, ROUNDS, PARTICIPATION, VARIANCE, GAP)
_CLOSE = (*_SIZES, no.SIGMA, no.TOTAL_READING)


def one_step(step: Fact, right: sympy.Expr, variance: Fact = no.TOTAL_READING, *sizes: Fact) -> Proof:
    """A printed bound at T = 1 from its printed conditions (the one on ηγ is not used). variance: what E‖z‖² is, σ² or dσ²; sizes:
    of the letters that this brings."""
    known = (*_SIZES, no.SIGMA, *sizes, variance)
    end = obligation(
        "the printed bound at T = 1", (*known, no.TIGHT_B, ro.LEVEL, ro.END_ONE.conclusion), ro.low <= right
    )
    nodes = (FROM_FEEDBACK, ro.shorter(ro.STEP_ONE, step), *ro.ONE_STEP_NODES, end)
    return Proof((*_HYPOTHESES, variance, step), nodes)


def _asking_less(whole: Proof) -> Proof:
    """Without the printed conditions that it does not use, on ηγ and Δ^inf."""
    asked = tuple(fact for fact in whole.assumptions if fact not in (SPREAD, ro.PRINTED_ROUNDS))
    return Proof(asked, whole.nodes)


LETTERS = {"f_gap": F, "K": K, "eta": eta, "R": R, "beta": beta, "M": M, "p": p, "sigma": sigma, "gamma": gamma,
            "L": L, "Delta": Delta}  # fmt: skip
APPENDIX_ONE = printed.theorem1_appendix(T=1, **LETTERS)
APPENDIX_OUTSIDE_ONE = printed.theorem1_appendix_outside(T=1, **LETTERS)

# The B of the main text: the theorem has three times the first term that is needed, so that a third of the rounds will do; a
# third of the rounds collects a third of the error, and its mean over these rounds is half of that.
used, early = letters("m min_early")
THIRD = hypothesis("(K+1)/3 ≤ m ≤ K+1, m ≥ 1", (used >= 1) & (used <= K + 1) & (3 * used >= K + 1))
EARLY = standard("min over k ≤ K is at most min over k < m", ro.low <= early)
MAIN_SIX = (12 * p - 1) * sigma**2 - (1 - p) * (12 * p - 11)
TEXT_SIX = 11 * sigma**2 - (1 - p) * (12 * p - 11)
"""p(6B − B*), for each B: positive where B* < 6B."""


def enough(b: Callable) -> Fact:
    true_B = no.second_moment(p, sigma**2)
    return hypothesis("(m+1) B* ≤ 2(K+1) B", (used + 1) * true_B <= 2 * (K + 1) * b(p, sigma))


def fewer_rounds(b: Callable, right: sympy.Expr, six: sympy.Expr, least: sympy.Expr, words: str) -> Proof:
    """The printed bound from FED-R1-SHARP at m rounds; `six`, in words `words`, is p(6B − B*), which is positive for
    `least` ≤ p < 11/12."""
    step = ro.shorter(ro.STEP_ONE, ro.HALF_STEP)
    given = (*ro.ONE_STEP_HYPOTHESES, FROM_FEEDBACK.conclusion, step.conclusion, CLIENTS, VARIANCE, THIRD)
    cited = Cite(R1_SHARP, given, at=((K, used - 1), (ro.low, early)))
    end = obligation(
        "the printed bound at T = 1", (*_CLOSE, RADIUS, THIRD, EARLY, enough(b), cited.conclusion), ro.low <= right
    )  # fmt: skip
    excess = Identity(
        f"p(6B − B*) = {words}", p * (6 * b(p, sigma) - no.second_moment(p, sigma**2)), six, (PARTICIPATION,)
    )
    assumed = (*(fact for fact in _HYPOTHESES if fact is not ro.PRINTED_ROUNDS), no.TOTAL_READING)
    usual = obligation(
        f"B* < 6B for every σ where {f'{least} ≤' if least else '0 <'} p < 11/12",
        (PARTICIPATION, no.SIGMA),
        sympy.Implies((p >= least) & (p < sympy.Rational(11, 12)), six > 0),
    )
    return Proof((*assumed, ro.HALF_STEP, THIRD, enough(b)), (FROM_FEEDBACK, step, excess, usual, cited, end))


def _of_coordinates() -> Proof:
    """The bound of the main text at T = 1 with B* for its B, σ² the variance of each coordinate: FED-R1-SHARP with room to spare."""
    step = ro.shorter(ro.STEP_ONE, ro.HALF_STEP)
    given = (*ro.ONE_STEP_HYPOTHESES, FROM_FEEDBACK.conclusion, step.conclusion, CLIENTS, VARIANCE, ROUNDS)
    cited = Cite(R1_SHARP, given)
    level = repaired.participation_noise_term(beta, p, no.d * sigma**2, M, K)
    end = obligation(
        "the printed bound at T = 1 with B* = (1 − p + dσ²)/p",
        (*_SIZES, no.SIGMA, RADIUS, coordinates.DIMENSION, coordinates.TOTAL, cited.conclusion),
        ro.low <= 3 * F / ((K + 1) * eta) + 2 * R + level + eta * L / 2,
    )
    assumed = (*ro.ONE_STEP_HYPOTHESES, GAMMA, LOCAL_STEP, FEEDBACK, ro.HALF_STEP, coordinates.TOTAL)
    return Proof(assumed, (FROM_FEEDBACK, step, cited, end))


def _version_one(
    name: str,
    statement: str,
    bound: Bound,
    b: Callable,
    simple: str,
    six: sympy.Expr,
    usual: str,
    least: sympy.Expr,
) -> Claim:
    """usual: where B* < 6B for every σ, which is for `least` ≤ p < 11/12."""
    return claim(
        f"FED-T1-{name}@T=1",
        f"Theorem 1 ({name.lower()}), one local step, E‖z‖² = σ², 0/0 = 0",
        "theorem",
        statement,
        "This B is below the second moment for some (p, σ), by a factor without limit as p → 1, σ = 0: the errors of the few "
        "missed messages add up to more than the gradient, and the bound does not see them.",
        witness=Witness(
            rarely_absent.NUMBERS,
            "min_k E‖∇f(xᵏ)‖ ≤ the printed bound (its left side bounded below)",
            rarely_absent.creeps(bound),
            "σ = 0, p = 1 − 1/3844, 4·10¹⁸ clients in pairs, f_i(x, y) = h(x) ± ψ(y), 1.7·10⁴⁸ rounds. h' = g down to a distance D "
            "below the start, and falls to 0 from there; ψ is flat at the start, and w² up or down at a distance. The server's memory "
            "drifts in J = 2·10¹⁸ directions in which f is constant, and x stays on the slope",
        ),
        repair=Repair(
            "The bound holds for T = 1 where (m+1) B* ≤ 2(K+1) B for some whole m between (K+1)/3 and K+1, B* = (1 − p + σ²)/p: "
            f"where 3 divides K + 1, for B* ≤ 6B (K+1)/(K+4), so for large K for B* < 6B, that is {simple}. That is so {usual}, "
            "p = 1/4 and p = 1/2 of the experiments among them: there the printed bound is true for large K.",
            f"(m+1) B* ≤ 2(K+1) B, (K+1)/3 ≤ m ≤ K+1; for large K: {simple}",
            fewer_rounds(b, bound.formula(T=1, **LETTERS), six, least, simple.replace(" > ", " − ")),
            weakest="B may be nearly a sixth of the second moment: with B* for B a third of the printed first term would do, "
            "and B*/2 under the root. Some limit on B*/B is necessary by the witness, where it is "
            f"{rarely_absent.RATIO}; which one is open",
        ),
        consequence="Put B* = (1 − p + V)/p for B: then no condition is needed (FED-R1-SHARP).",
    )


def _swamping(b: Callable[[Fraction, Fraction], Fraction], outside: bool = False) -> Witness:
    return Witness(
        noise_per_coordinate.OUTSIDE if outside else noise_per_coordinate.NUMBERS,
        "min_k E‖∇f(xᵏ)‖ ≤ the printed bound (its left side bounded below)",
        noise_per_coordinate.stays(b, outside),
        noise_per_coordinate.PROBLEM.format("2·10²⁴" if outside else "2·10²⁰"),
    )


def _swamped(name: str, statement: str, b: Callable[[Fraction, Fraction], Fraction], repair: Repair) -> Claim:
    return claim(
        f"FED-T1-{name}@T=1,per-coordinate",
        f"Theorem 1 ({name.lower()}), one local step, σ² the variance of each coordinate",
        "theorem",
        statement,
        "The bound does not depend on d; in high dimension the server's direction is noise, and the method comes no nearer to a "
        "minimiser.",
        witness=_swamping(b),
        repair=repair,
    )


def first_display(id: str, place: str, text: str) -> Claim:
    """ "Let T = 1. Then, from Theorem 1, …" in F.4 and F.5: the B of F.2 with the condition on η of Section 4."""
    whole = one_step(ro.HALF_STEP, APPENDIX_ONE)
    return claim(
        id,
        place,
        "step",
        text,
        "True where σ_DP² is E‖z‖², with γ/2 in the condition on η, as the corollary's η needs it (F.2, whose B this is, asks for "
        "γ/3); false where it is the variance of a coordinate.",
        repair=Repair(
            "The display with E‖z_i‖² in the place of σ_DP², for η ≤ (γ/2)βR/(α+R) and without a condition on ηγ.",
            "σ_DP² := E‖z_i‖²",
            _asking_less(whole),
        ),
        gap=Gap(
            "reading",
            "σ_DP² is the variance of a coordinate (FED-T1-APP@T=1,per-coordinate)",
            _swamping(printed.b_appendix),
        ),
    )


_READ_ONE = " [T = 1; E‖z‖² = σ²; 0/0 = 0]"
_OTHER_B = Repair(
    "The bound with B* = (1 − p + dσ²)/p for this B, for T = 1 without the condition on ηγ.",
    "B* for B",
    _of_coordinates(),
    weakest="dσ² for σ² in this B is not enough (FED-T1-MAIN@T=1, FED-T1-TEXT@T=1)",
)
_APP_ONE = (
    claim(
        "FED-T1-APP@T=1",
        "Appendix F.2, Theorem, one local step, E‖z‖² = σ², 0/0 = 0",
        "theorem",
        APP + _READ_ONE,
        "True for T = 1 although its induction (Lemma 1) is not; the condition on ηγ and Δ^inf > 0 are not needed.",
        proof=one_step(ro.THIRD_STEP, APPENDIX_ONE),
        consequence="With one local step the appendix's bound may be used as it stands, with dσ² for σ².",
    ),
    claim(
        "FED-T1-APP@T=1,outside",
        "Appendix F.2, Theorem, one local step, (K+1) beside the root, E‖z‖² = σ², 0/0 = 0",
        "theorem",
        APP + _READ_ONE,
        "Weaker than with K + 1 under the root (FED-T1-APP@T=1), hence true; but no corollary follows from it.",
        proof=one_step(ro.THIRD_STEP, APPENDIX_OUTSIDE_ONE),
    ),
)
_MORE_NOISE = tuple(
    Repair(
        "The bound with dσ² for σ², for T = 1 without the condition on ηγ.",
        coordinates.CONDITION,
        _asking_less(
            one_step(
                ro.THIRD_STEP,
                bound.subs(sigma, sympy.sqrt(no.d) * sigma),
                coordinates.TOTAL,
                coordinates.DIMENSION,
            )
        ),
    )
    for bound in (APPENDIX_ONE, APPENDIX_OUTSIDE_ONE)
)
CLAIMS = (
    *_APP_ONE,
    _version_one(
        "MAIN",
        MAIN,
        printed.MAIN,
        printed.b_main,
        "(12p − 1)σ² > (1 − p)(12p − 11)",
        MAIN_SIX,
        "for every σ where 1/12 ≤ p < 11/12",
        sympy.Rational(1, 12),
    ),
    _version_one(
        "TEXT",
        TEXT,
        printed.TEXT,
        printed.b_text,
        "11σ² > (1 − p)(12p − 11)",
        TEXT_SIX,
        "for every σ where p < 11/12",
        sympy.Integer(0),
    ),
    _swamped("MAIN", MAIN, printed.b_main, _OTHER_B),
    _swamped("TEXT", TEXT, printed.b_text, _OTHER_B),
    _swamped("APP", APP, printed.b_appendix, _MORE_NOISE[0]),
    claim(
        "FED-T1-APP@T=1,per-coordinate,outside",
        "Appendix F.2, Theorem, one local step, (K+1) beside the root, σ² the variance of each coordinate",
        "theorem",
        APP,
        "Nor does this bound depend on d: where σ is small and d large enough, the server's direction is noise, and the method drifts "
        "sideways and comes no nearer to a minimiser.",
        witness=_swamping(printed.b_appendix, outside=True),
        repair=_MORE_NOISE[1],
    ),
)
