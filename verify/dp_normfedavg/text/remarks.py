"""Claims: sentences of the text that no theorem carries (abstract, Sections 1, 3, 3.1 and 4, footnote 2)."""

from __future__ import annotations

from fractions import Fraction
from itertools import zip_longest

import sympy

from bounds.dp_normfedavg import choices as printed
from bounds.dp_normfedavg import theorem4 as four
from verify.case import closed
from verify.claim import Claim, Gap, Repair, Values, Witness
from verify.computation import Comparison, Computation
from verify.curves import huber
from verify.dp_normfedavg.asymptotics import best_gamma
from verify.dp_normfedavg.asymptotics.finite_alpha import BETTER
from verify.dp_normfedavg.asymptotics.limits import LIMIT_5
from verify.dp_normfedavg.asymptotics.vacuous import BEST, FLOOR
from verify.dp_normfedavg.counterexamples import runs
from verify.dp_normfedavg.counterexamples.exact import ZERO, norm, round_without_noise
from verify.dp_normfedavg.lemmas.convexity import FACT2, Q, ss
from verify.dp_normfedavg.letters import CUT, LOCAL, SMOOTH, C, E, L
from verify.dp_normfedavg.ours.at_choices import BOUND_ON_F, LIMIT_4, LIMIT_ON_F, ON_F
from verify.dp_normfedavg.text import prose
from verify.dp_normfedavg.text.prose import NONZERO, NORM_NORM, normed
from verify.dp_normfedavg.theorems import choices
from verify.dp_normfedavg.theorems.rounds import ALPHA, GAMMA, RHO, RHO_IS, K, alpha, gamma, rho
from verify.dp_normfedavg.theorems.sampling import AT_MOST_R, CLIENTS, S12_FIXED, d, r, sigma2, size
from verify.facts import definition, equal, hypothesis, letters
from verify.identity import Identity
from verify.obligation import obligation
from verify.proof import Proof

PAPER = "dp-normfedavg"
ONE = Fraction(1)

# Section 3.1: how large the noise is against a normalised message of norm C.
own_noise, round_noise, limit = letters("noise_message noise_round times")
SENT = definition("r ≥ 1", r >= 1)
MESSAGE_NOISE = definition("E‖ζ_i‖² = d r σ², a message", equal(own_noise, d * r * sigma2))
ROUND_NOISE = definition("E‖ζ_k‖² = dσ², the mean of a round", equal(round_noise, d * sigma2))
RATIO = obligation(
    "E‖ζ_i‖² = rKρ²C² and E‖ζ_k‖² = Kρ²C², whatever ‖u_i‖ is", (MESSAGE_NOISE, ROUND_NOISE, RHO_IS),
    equal(own_noise, r * K * rho**2 * C**2) & equal(round_noise, K * rho**2 * C**2),
)  # fmt: skip
sent2 = letters("mean_sent2")[0]
LESS = obligation(
    "E‖ζ_i‖² < C² exactly where rKρ² < 1; E‖ζ_k‖² < ‖mean of the messages‖² exactly where Kρ²C² is, and then Kρ² < 1 if |S_k| ≤ r",
    (
        RATIO.conclusion, S12_FIXED.conclusion, AT_MOST_R, CLIENTS, CUT,
        definition("‖(1/r) Σ_{i∈S_k} norm(u_i, C)‖², and ‖norm(u_i, C)‖ = C", equal(sent2, ss / r**2) & equal(Q, size * C**2)),
    ),
    sympy.Implies(own_noise < C**2, r * K * rho**2 < 1)
    & sympy.Implies(r * K * rho**2 < 1, own_noise < C**2)
    & sympy.Implies(round_noise < sent2, (K * rho**2 * C**2 < sent2) & (K * rho**2 < 1))
    & sympy.Implies(K * rho**2 * C**2 < sent2, round_noise < sent2),
)  # fmt: skip
STEADY = obligation(
    "E‖ζ_i‖² = rKρ²‖norm(u_i, C)‖² for every u_i ≠ 0",
    (RATIO.conclusion, NORM_NORM, NONZERO, CUT),
    equal(own_noise, r * K * rho**2 * normed**2),
)
UNLIMITED = obligation(
    "for every N the choice α > NC/(2γ) of Theorem 4 makes both exceed N C²",
    (RATIO.conclusion, choices.CHOICE_K, ALPHA, GAMMA, RHO, CUT, SENT,
     hypothesis("α > NC/(2γ), N > 0", (limit > 0) & (2 * gamma * alpha > limit * C))),
    (own_noise > limit * C**2) & (round_noise > limit * C**2),
)  # fmt: skip


def _replay_overwhelmed(v: Values) -> Comparison:
    """E‖ζ_k‖² = dσ² = KC²ρ² at Theorem 4's K against `times` · C², the square of a normalised message."""
    C_ = v["G"] * v["E"]
    rounds = printed.rounds_theorem4(v["alpha"], v["gamma"], C_, v["rho"])
    met = (
        ("K is a whole number", rounds.denominator == 1), ("α ≥ 1", v["alpha"] >= 1), ("γ, G > 0", v["gamma"] > 0 < v["G"]),
        ("0 < ρ < 1", 0 < v["rho"] < 1), ("1 ≤ E ≤ α/(2ρ)", 1 <= v["E"] <= v["alpha"] / (2 * v["rho"])),
    )  # fmt: skip
    return Comparison(rounds * C_**2 * v["rho"] ** 2, "<=", v["times"] * C_**2, met)


def _noise_table() -> dict[str, tuple[dict[str, str], ...]]:
    """Appendix F's noise against a message of norm C: as Theorem 3 has it with q = 1, and the least that is private."""
    from math import sqrt

    from bounds.privacy.gaussian import gaussian_mu
    from bounds.privacy.printed import theorem3_variance

    n, dim, total, epsilon, delta = 100, 200, 500, 5.0, 1e-6
    least = sqrt(total) / n / gaussian_mu(epsilon, delta).upper
    rows = []
    for name, sd in (("Theorem 3, q = 1", sqrt(theorem3_variance(1.0, total, 1.0, n, epsilon, delta))),
                     ("least noise that hides one client's presence in the sums", least)):  # fmt: skip
        rows.append({"noise": name, "√(E‖ζ_i‖²)/C, a message": f"{sqrt(dim * n) * sd:.1f}",
                     "√(E‖ζ_k‖²)/C, the mean of a round": f"{sqrt(dim) * sd:.2f}"})  # fmt: skip
    return {
        "noise against a normalised message, Appendix F (d = 200, n = r = 100, K = 500, ε = 5, δ = 1e-6)": tuple(
            rows
        )
    }


# Section 4: what (3) depends on besides the start and Δ_i*.
def third(v: Values) -> Comparison:
    """One client, so that Δ_1* = 0; two rounds of DP-NormFedAvg with one local step. For a Huber function z(w)(f(w) − f*) ≥
    G|w|/2 everywhere, and E|w_1| ≥ |w_0 − ηG| (Jensen)."""
    G, L_, start, alpha_, rho_, K_ = v["G"], v["L"], v["w0"], v["alpha"], v["rho"], v["K"]
    f = huber(L_, G)
    step = printed.step_theorem4(rho_, alpha_, L_)
    gamma_ = K_ * G * rho_**2 / (2 * alpha_)
    end = round_without_noise((f,), start, step, 1, G, ONE, norm, (0,))
    left = four.factor_b(rho_, ONE, alpha_) * G * (abs(start) + abs(end)) / 4
    met = (
        ("f convex", f.convex), ("f L-smooth", f.smoothness <= L_), ("f G-Lipschitz", f.lipschitz <= G), ("Δ_1* = 0", f(ZERO) == 0),
        ("K = (2αγ/C)/ρ² = 2", printed.rounds_theorem4(alpha_, gamma_, G, rho_) == K_ == 2), ("α ≥ 1", alpha_ >= 1),
        ("E = 1 ≤ α/(2ρ)", alpha_ / (2 * rho_) >= 1), ("0 < ρ < 1", 0 < rho_ < 1), ("u_0 ≠ 0", f.gradient(start) != 0),
    )  # fmt: skip
    return Comparison(left, ">", four.initialisation(G, L_, abs(start), gamma_, rho_), met)


def _third_needed() -> Comparison:
    return third(THIRD_AT)


_SIGNS = (SMOOTH, GAMMA, ALPHA, RHO, LOCAL)
THIRD = Identity(
    "B₂ at Δ_i* = 0 is (E/α)(G²/(2L))ρ",
    four.theorem4b(**choices.START_4, E=E, alpha=alpha, z_Delta=sympy.Integer(0)) - four.initialisation(**choices.START_4),
    E / alpha * choices.G**2 / (2 * L) * rho,
    _SIGNS,
)  # fmt: skip
NOT_ZERO = obligation(
    "it is positive",
    (*_SIGNS, choices.LIPSCHITZ_POS),
    four.theorem4b(**choices.START_4, E=E, alpha=alpha, z_Delta=sympy.Integer(0)) > four.initialisation(**choices.START_4),
)  # fmt: skip


def _replay_two_noises(v: Values) -> Comparison:
    """(4) and (5) for two ρ, at the γ that minimises both."""
    at = {"G": v["G"], "L": v["L"], "distance": v["distance"], "gamma": v["L"] * v["distance"]}
    first, second = (four.asymptotic(**at, rho=v[name]) for name in ("rho", "rho_2"))
    return Comparison(
        first,
        "==",
        second,
        (("0 < ρ < ρ₂ < 1", 0 < v["rho"] < v["rho_2"] < 1), ("w₀ ≠ w*", v["distance"] > 0)),
    )


def _same_sides() -> Comparison:
    """How many different right-hand sides (4) and (5) have."""
    displays = (claim.printed for claim in prose.CLAIMS if claim.id in ("DAS-S41-EQ4", "DAS-S41-EQ5"))
    sides = {text.split("≤ ")[1].split(" [")[0] for text in displays}
    return Comparison(Fraction(len(sides)), "==", ONE)


def _without_weights() -> Comparison:
    """In how many letters (4)'s left-hand side and (5)'s without its weights differ."""
    four_, five = (
        next(claim.printed for claim in prose.CLAIMS if claim.id == name).split("≤ ")[0].split(": ")[-1]
        for name in ("DAS-S41-EQ4", "DAS-S41-EQ5")
    )
    stripped = five.replace("((GE/‖u_{k̃}^{(i)}‖)(f_i(w_{k̃}) − f_i(w*)))", "(f_i(w_{k̃}) − f_i(w*))")
    changed = len(five) - len(stripped)
    differ = sum(a != b for a, b in zip_longest(four_, stripped))
    return Comparison(Fraction(differ), "==", ZERO, (("(5) has weights", changed > 0),))


_values = {"G": 2, "E": 3, "alpha": 45 * 10**5, "gamma": 1, "rho": Fraction(1, 10), "times": 10**6}


def _fractions(numbers: dict) -> Values:
    return {name: Fraction(value) for name, value in numbers.items()}


THIRD_AT = _fractions({"G": 1, "L": 1, "w0": Fraction(1, 1000), "alpha": 1, "rho": Fraction(1, 10), "K": 2})


CLAIMS = (
    Claim(
        "DAS-S31-NOISE",
        PAPER,
        "Abstract, Section 1",
        "prose",
        "Normalization ensures that the noise does not drown out the client updates even when the original updates are small. "
        "(abstract) […] client updates are never overwhelmed by the added noise, even if the original updates are small. (1)",
        "normalisation makes the ratio independent of ‖u_i‖ (DAS-S31-NOISE@ratio), not small: it is √(rK)ρ for a message, and the "
        "noise of a round is √K ρ times C, which Theorem 4's K makes √(2αγ/C), and Section 4.1 lets α → ∞; the signal of a round is "
        "the mean of its messages, which may be 0",
        witness=Witness(
            _fractions(_values),
            "E‖ζ_k‖² ≤ N C² for some N that fits all choices of Theorem 4; here N = 10⁶",
            _replay_overwhelmed,
            "G = 2, E = 3, γ = 1, ρ = 1/10, α = 4.5·10⁶: E‖ζ_k‖² = (2αγ/C) C², more than a million times C²",
            closed((RATIO, UNLIMITED)),
        ),
        repair=Repair(
            "the noise is √(rK)ρ times a normalised message, and √K ρ times C in the mean of a round",
            "it is less than a message where rKρ² < 1, and less than the mean of a round's messages where Kρ²C² is below the square "
            "of its norm. For |S_k| ≤ r that norm is at most C, so that Kρ² < 1 is needed, and not enough: unit messages 1 and −1 "
            "cancel (DAS-S31-SNR)",
            closed((RATIO, FACT2, S12_FIXED, LESS)),
            "an equivalence; of norms in mean square",
        ),
        tables=_noise_table,
        consequence="in Appendix F's own setting, at q = 1, the noise of a round is more than twice the longest mean of "
        "normalised messages",
    ),
    Claim(
        "DAS-S31-NOISE@ratio",
        PAPER,
        "Section 3.1, for given K, ρ and r",
        "prose",
        "its update-normalization step ensures that the noise norm cannot become arbitrarily larger than the normalized "
        "update's norm, even if the original update's norm is small [in mean square]",
        "the normalised update has norm C whatever ‖u_i‖ > 0 is, and the noise a fixed multiple of C; where u_i = 0 there is no "
        "normalised update, and with norm(0, C) := 0 noise is longer than any multiple of it",
        repair=Repair(
            "E‖ζ_i‖² = rKρ²‖norm(u_i, C)‖², however small ‖u_i‖ > 0 is",
            "u_i ≠ 0",
            closed((RATIO, STEADY)),
            "norm(0, C) does not exist, and with 0 in its place (DAS-NORM-ZERO) the message is noise alone",
        ),
        gap=Gap("undefined", "norm(u_i, C) for a client at its minimiser", runs.AT_MINIMISER),
    ),
    Claim(
        "DAS-S4-TWO",
        PAPER,
        "Section 4, after Theorem 4",
        "prose",
        "The convergence results above depend on two things: (i) the distance of the initialization w₀ from the "
        "optimum w*, appearing in term A in both eq. (2) and eq. (3), and (ii) the degree of heterogeneity which depends on "
        "the Δ_i*'s (as per Definition 1), appearing in terms B₁ and B₂ in eq. (2) and eq. (3), respectively.",
        "of the problem (2) contains nothing else, constants and choices apart; (3) has the weights GE/‖u_i‖ of the run too. And "
        "B₂, underbraced “effect of heterogeneity”, is not the effect of the Δ_i* alone: it holds (E/α)(G²/(2L))ρ as well, which is "
        "there with a single client, where a unit step overshoots a minimiser that is near, and without which (3) would be false "
        "(DAS-S4-TWO@third)",
        gap=Gap(
            "reading",
            "B₂ is the effect of heterogeneity and of nothing else: 0 where every Δ_i* is 0",
            closed((THIRD, NOT_ZERO)),
        ),
        repair=Repair(
            "(3) depends on the start, on the Δ_i*, weighted by the run's GE/‖u_i‖, and on (E/α)(G²/(2L))ρ",
            "a third term, with or without heterogeneity",
            closed((THIRD,)),
        ),
        consequence="with equal clients clipping's bound has no such term: see DAS-OURS-FINITE",
    ),
    Claim(
        "DAS-S4-TWO@third",
        PAPER,
        "ours, on B₂ of (3)",
        "ours",
        "the term (E/α)(G²/(2L))ρ of B₂ cannot be left out: with one client, so that Δ_1* = 0, (2 − ρ²E²/α²) E[(GE/‖u‖)(f(w_k̃) − f*)] "
        "is larger than A in a run that Theorem 4 allows",
        "one client, a Huber function with G = L = 1, α = 1, ρ = 1/10, γ = 1/100 and two rounds of one local step from w₀ = 1/1000: "
        "a unit step overshoots, and the weight GE/‖u‖ counts what is near the minimiser for more; the left side is at least "
        "199/8000, A is 101/100,000",
        proof=Proof((), (Computation("the left-hand side of (3) exceeds A", "enumeration", _third_needed),)),
    ),
    Claim(
        "DAS-S41-RHS",
        PAPER,
        "Section 4.1, after (5)",
        "prose",
        "the RHS depends only on the initialization as the effect of heterogeneity is eliminated asymptotically.",
        "heterogeneity is out of it, and what is left is term A, the “effect of initialization” of (2) and (3). Read of w₀ itself the "
        "sentence is false: A holds the noise as well, and at the best γ it is twice as large from the same w₀ with twice the ρ",
        gap=Gap(
            "reading",
            "nothing else than w₀ moves it",
            Witness(
                {"G": ONE, "L": ONE, "distance": ONE, "rho": Fraction(1, 10), "rho_2": Fraction(1, 5)},
                "the right-hand side of (4) and (5) is the same for two ρ from one w₀, at γ = L‖w₀ − w*‖",
                _replay_two_noises,
                "G = L = ‖w₀ − w*‖ = γ = 1, ρ = 1/10 and 1/5: 1/10 and 1/5",
            ),
        ),
        repair=Repair(
            "of the two things that Section 4 names, start and heterogeneity, the start alone is left: half of A, in which w₀, G, L, "
            "γ and ρ stand and no Δ_i*; at γ = L‖w₀ − w*‖, where it is least, it is G‖w₀ − w*‖ρ",
            "“the initialization” read as A, which the paper calls its effect",
            closed((LIMIT_4, LIMIT_5, BEST, FLOOR)),
        ),
    ),
    Claim(
        "DAS-S41-RHS@same",
        PAPER,
        "Section 4.1, after (5)",
        "prose",
        "Note that the RHS of both equations is the same",
        "letter by letter, as they are printed",
        proof=Proof(
            (), (Computation("what stands right of ≤ in (4) and in (5)", "enumeration", _same_sides),)
        ),
    ),
    Claim(
        "DAS-S41-ONLY",
        PAPER,
        "Section 4.1, after (5)",
        "prose",
        "The only difference between the LHS of the two equations is due to the (GE/‖u_{k̃}^{(i)}‖) terms in eq. (5).",
        "true of the displays; read of the two numbers it is false, because w_k̃ is clipping's in (4) and normalisation's in (5): "
        "without the weights the sides are E f(w_k̃) − f(w*) of two methods, which differ",
        repair=Repair(
            "letter by letter, (5)'s left-hand side without its weights is (4)'s",
            "of the displays, in which w_k̃ is not the same",
            Proof(
                (),
                (Computation("letters in which the two displays differ", "enumeration", _without_weights),),
            ),
        ),
        gap=Gap("reading", "with all weights at 1 both are the same number", runs.WITNESS_COMMON),
        consequence="what 4.1 concludes from it has the same two readings (DAS-S41-LHS); of the methods it says nothing (DAS-S41)",
    ),
    BETTER,
    Claim(
        "DAS-S41@best-gamma",
        PAPER,
        "Section 4.1, at γ = L‖w₀ − w*‖, which minimises (4) and (5)",
        "prose",
        "So in situations where f_i(w_{k̃}) ≥ f_i(w*) for all i ∈ [n], […] we expect the convergence of normalization to be at "
        "least as good as that of clipping in private optimization (because both equations have the same RHS).",
        "true of what is guaranteed, which is the reason that is given: where w* minimises every f_i, the bound on f(w_k̃) − f(w*) of "
        "normalisation has clipping's limit. Of the runs it is false in some problems: nearly flat clients, whose normalised messages "
        "are as long as the steep ones', lead w up the steep ones while clipping hardly hears them; the difference has a bound above "
        "0 that no α lowers, so that it stays as α → ∞, and a short horizon is not what breaks the sentence",
        gap=Gap("reading", "of the runs, in every such problem", best_gamma.WITNESS),
        repair=Repair(
            "where w* minimises every f_i, E[f(w_k̃) − f(w*)] under normalisation is at most (A + B)/(2 − ρ²E²/α²) with "
            "B = (E/α)(1 + 1/r − 1/n)(G²/(2L))ρ, which tends to the right-hand side of (4) as α → ∞; at γ = L‖w₀ − w*‖ that is "
            "G‖w₀ − w*‖ρ",
            "of the guarantees, not of the runs; w* minimises every f_i; norm(0, C) := 0",
            closed((*ON_F, BOUND_ON_F, LIMIT_ON_F, BEST)),
            "(4) is clipping's (DAS-S41-EQ4)",
        ),
        consequence="which method ends lower depends on how the clients' directions meet, over-parameterised or not",
    ),
)
