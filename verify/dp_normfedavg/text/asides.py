"""Sentences between the theorems: what ρ is in, what is like FedAvg, how long the noise is, which deviation a table prints."""

from __future__ import annotations

from fractions import Fraction

import sympy

from verify.case import closed
from verify.claim import Claim, Gap, Repair, Values, Witness
from verify.computation import Comparison, Computation
from verify.dp_normfedavg.counterexamples import runs
from verify.dp_normfedavg.displays import LEMMAS, THEOREMS
from verify.dp_normfedavg.letters import ETA, LOCAL, MOVED, E, U, eta, summed
from verify.dp_normfedavg.text.prose import AVERAGE, EXACTLY, SUMS, drift_sum, model_sum, one_model, r
from verify.dp_normfedavg.text.prose import w as w_coordinate
from verify.dp_normfedavg.text.remarks import RATIO
from verify.dp_normfedavg.theorems import claims as theorems
from verify.dp_normfedavg.theorems.choices import (
    BELOW_SUM,
    CHOICE_C,
    LIPSCHITZ_POS,
    NOT_CUT,
    TRAVELLED,
    G,
    T,
    norm_sum,
)
from verify.dp_normfedavg.theorems.rounds import ALPHA, LOCAL_STEPS, RHO, alpha, rho
from verify.facts import definition, equal, hypothesis, letters, standard
from verify.gram import Space, inner, square, vectors
from verify.identity import Identity
from verify.obligation import obligation
from verify.privacy.dp_normfedavg import CLAIMS as PRIVACY
from verify.proof import Proof

PAPER = "dp-normfedavg"
ZERO, ONE = Fraction(0), Fraction(1)
PRIVATE = {claim.id: claim.printed for claim in PRIVACY}


def _without(texts: dict[str, str], sign: str) -> Comparison:
    return Comparison(Fraction(sum("ρ" not in text for text in texts.values())), sign, ZERO)


_IN_RHO = {name: text for name, text in THEOREMS.items() if name[0] in "467"}
_OTHERS = LEMMAS | {name: PRIVATE[name] for name in ("DAS-T3", "DAS-DEF5")}


def _below_one() -> Comparison:
    """How many hypotheses of the proofs of Theorems 4, 6 and 7 that were checked limit ρ from above on its own."""
    proofs = (p for claim in theorems.CLAIMS for p in claim.proofs)
    named = {
        fact.name for proof in proofs for fact in proof.assumptions if fact.relation.free_symbols == {rho}
    }
    return Comparison(Fraction(len(named - {RHO.name})), "==", ZERO)


def _both(values: Values) -> Comparison:
    """One round with nothing cut and no noise, at β = η, from w₀ = 1: two clients w²/2, one local step. Algorithm 1 with r = 1 draws
    both with probability 1/4 and divides by r; Algorithm 2 draws exactly one."""
    eta, r, n = values["eta"], values["r"], values["n"]
    step = eta * ONE
    met = (
        ("n = 2, r = 1", (n, r) == (2, 1)),
        ("0 < η ≤ 1/2", 0 < eta <= Fraction(1, 2)),
        ("both are drawn with positive probability", (r / n) ** 2 > 0),
    )
    return Comparison(1 - 2 * step / r, "==", 1 - step, met)


def _longer(values: Values) -> Comparison:
    """d = 1: P(|ζ| > N C) for ζ ~ N(0, σ²) at x = NC/σ is at least 2x/(1 + x²) e^(−x²/2)/√(2π), with e < 3 and √(2π) < 3."""
    n, c, sigma = values["N"], values["C"], values["sigma"]
    x = n * c / sigma
    below = 2 * x / (1 + x**2) / Fraction(3) ** int(x**2 / 2) / 3
    met = (
        ("C, σ > 0", min(c, sigma) > 0),
        ("N C/σ is even and whole", x.denominator == 1 and x % 2 == 0),
        ("√(2π) < 3", bool(2 * sympy.pi < 9)),
    )
    return Comparison(below, "<=", ZERO, met)


def _last_layer() -> Comparison:
    """How many numbers the last layer of a ResNet-18 for ImageNet gives, one for each class, against those of the features."""
    return Comparison(Fraction(1000), "!=", Fraction(512))


def _entering() -> Comparison:
    """Four stages from 64 channels on, each but the first of twice as many, and their mean over all places: what enters it."""
    return Comparison(Fraction(64 * 2**3), "==", Fraction(512))


# Two schedules of the local learning rate: that of Appendix H, and that of its [6].
rate, power, first_rate, decay = letters("eta_k 0.99^k eta_0 gamma_0·lambda")
rates_6 = letters("gamma_0 gamma_1 gamma_2")
_FACTOR = sympy.Rational(99, 100)
GEOMETRIC = summed(
    "η_k = (0.99)^k η_0 where η_{k+1} = 0.99 η_k",
    equal(rate, power * first_rate),
    {rate: first_rate, power: 1},
    {rate: _FACTOR * rate, power: _FACTOR * power},
    (),
)
HARMONIC = obligation(
    "γ_1/γ_0 < γ_2/γ_1: these rates fall by no constant factor, and so not by 0.99",
    (
        hypothesis(
            "[6]: γ_t = γ_0/(1 + γ_0λt) with γ_0, λ > 0, at t = 0, 1, 2",
            (decay > 0)
            & (rates_6[0] > 0)
            & equal(rates_6[1] * (1 + decay), rates_6[0])
            & equal(rates_6[2] * (1 + 2 * decay), rates_6[0]),
        ),
    ),
    rates_6[1] ** 2 < rates_6[0] * rates_6[2],
)

# Fact 2 from Jensen's inequality for the square, and the identity of (15).
_s, _y = vectors("s y")
_space = Space((_s, _y))
_length, _next = _space.norm(_s, "‖s‖"), _space.norm(_s + _y, "‖s+y‖")
_own = _space.norm(_y, "‖y‖")
lengths, count, mean, squares, squares_sum = letters("sum_of_lengths p mean squares sum_of_squares")
TRIANGLE = obligation("‖s + y‖ ≤ ‖s‖ + ‖y‖", _space.facts(), _next <= _length + _own)
TRIANGLES = summed(
    "‖Σ y_i‖ ≤ Σ ‖y_i‖",
    _length <= lengths,
    {_length: 0, lengths: 0},
    {_length: _next, lengths: lengths + _own},
    (TRIANGLE.conclusion,),
)
FACT2_BY_JENSEN = obligation(
    "‖Σ y_i‖² ≤ p Σ ‖y_i‖²",
    (
        TRIANGLES.conclusion,
        standard("Jensen's inequality", (mean >= 0) & (mean**2 <= squares)),
        definition(
            "mean and mean square of the ‖y_i‖",
            equal(count * mean, lengths) & equal(count * squares, squares_sum),
        ),
        hypothesis("p > 1 vectors", count > 1),
        definition("‖s‖ ≥ 0", _length >= 0),
    ),
    _length**2 <= count * squares_sum,
)
_a, _b = vectors("a b")
POLAR = Identity(
    "⟨a, b⟩ = ½(‖a‖² + ‖b‖² − ‖a − b‖²)", inner(_a, _b), (square(_a) + square(_b) - square(_a - _b)) / 2
)


def _choices(name: str, begin: str, end: str) -> str:
    """What a theorem says of the hyper-parameters."""
    text = THEOREMS[name]
    return text[text.index(begin) : text.index(end)]


def _other_choices() -> Comparison:
    """In how many of the parts that choose hyper-parameters the theorems on clipping and on normalisation differ: both parts of
    Theorem 4, and both parts of Theorems 6 and 7."""
    pairs = (
        (_choices("4a", "Pick some γ", "Then for any"), _choices("4b", "Pick some γ", "Then for any")),
        (_choices("6", "with Ĉ ≥", ", has the"), _choices("7", "with Ĉ ≥", ", has the")),
        (
            _choices("6 specific", "with K", ", Algorithm 1"),
            _choices("7 specific", "with K", ", Algorithm 1"),
        ),
    )
    met = (("every one of them chooses K", all("K " in text for pair in pairs for text in pair)),)
    return Comparison(Fraction(sum(one != other for one, other in pairs)), "==", ZERO, met)


# Algorithm 1 with β = η, nothing cut and no noise, a coordinate at a time.
beta, message, message_sum = letters("beta message message_sum")
SENT = hypothesis(
    "nothing cut, no noise: a client sends (w_k − w_i)/η", equal(message, (w_coordinate - one_model) / eta)
)
MESSAGES = summed(
    "η Σ_{i∈S} (w_k − w_i)/η = Σ_{i∈S} (w_k − w_i)",
    equal(eta * message_sum, drift_sum),
    {message_sum: 0, drift_sum: 0},
    {message_sum: message_sum + message, drift_sum: drift_sum + w_coordinate - one_model},
    (SENT, ETA),
)
AS_FEDAVG = obligation(
    "w_k − β (1/r) Σ_{i∈S} (w_k − w_i)/η = (1/r) Σ_{i∈S} w_i",
    (MESSAGES.conclusion, AVERAGE.conclusion, EXACTLY, hypothesis("β = η", equal(beta, eta))),
    equal(w_coordinate - beta * message_sum / r, model_sum / r),
)
_WEIGHT = obligation(
    "GE/‖u‖ ≥ 1", (NOT_CUT.conclusion, CHOICE_C, MOVED, LIPSCHITZ_POS, LOCAL), G * E / U >= 1
)
_NOTE = obligation(
    "‖u‖ ≤ Σ_τ ‖∇f_i(w_τ)‖ ≤ GE",
    (BELOW_SUM, TRAVELLED.conclusion.at({T: E}, "T = E")),
    (norm_sum >= U) & (norm_sum <= G * E),
)
CLAIMS = (
    Claim(
        "DAS-F2@jensen", PAPER, "Appendix E, after Fact 2", "prose", "Fact 2 follows from Jensen's inequality.",
        "by the triangle inequality, and by Jensen's for the square of the lengths",
        proof=closed((TRIANGLE, TRIANGLES, FACT2_BY_JENSEN)),
    ),
    Claim(
        "DAS-T6-S9@identity", PAPER, "C.1, after eq. (15)", "equation",
        "the last step follows by using the fact for any two vectors a and b, ⟨a, b⟩ = ½(‖a‖² + ‖b‖² − ‖a − b‖²)",
        "an identity of inner products, in any dimension; (15) is it with a = w_k − w* and b = ηu_i", proof=closed((POLAR,)),
    ),
    Claim(
        "DAS-S4-SAME", PAPER, "Section 4, first sentence", "prose",
        "We now present convergence results for DP-FedAvg with clipping and DP-NormFedAvg for the same choices of hyper-parameters "
        "in Alg. 1.",
        "Theorem 4 chooses E, β_k = η_k, C and K once for both, Theorems 6 and 7 choose them in the same words, and σ² is Theorem 3's "
        "for both; of r/n none of them says anything",
        proof=Proof((), (Computation("choices in which the theorems on the two differ", "enumeration", _other_choices),)),
    ),
    Claim(
        "DAS-DEF2@all", PAPER, "Definition 2, first sentence", "prose",
        "All the theoretical results in this paper are expressed in terms of the following key quantity",
        "Theorems 4, 6 and 7 are; Theorem 3, Definition 5, the facts and the lemmas have no ρ in them",
        repair=Repair(
            "Theorems 4, 6 and 7 are expressed in ρ", "the convergence theorems",
            Proof((), (Computation("of Theorems 4, 6 and 7 without ρ", "enumeration", lambda: _without(_IN_RHO, "==")),)),
        ),
        gap=Gap("reading", "all of them", Proof((), (
            Computation("of the other results without ρ", "enumeration", lambda: _without(_OTHERS, ">")),
        ))),
    ),
    Claim(
        "DAS-DEF2@below-1", PAPER, "ours, on Definition 2's assumption ρ < 1", "ours",
        "No proof of Theorem 4, 6 or 7 that was checked here uses ρ < 1; where E ≤ α/(2ρ) and E ≥ 1, ρ ≤ α/2 follows",
        "the assumption is not needed: large ρ makes the bounds large, and not false",
        proof=closed((
            obligation("2ρ ≤ α", (LOCAL_STEPS, LOCAL, RHO, ALPHA), 2 * rho <= alpha),
            Computation("hypotheses on ρ alone, but for ρ > 0", "enumeration", _below_one),
        )),
    ),
    Claim(
        "DAS-S3-FEDAVG", PAPER, "Section 3, before Theorem 3, against Algorithm 2", "prose",
        "The server then computes the mean of the noisy clipped or normalized client updates that it received (i.e., a_k) and uses it "
        "to update the global model similar to FedAvg, except with a potentially different global learning rate (β_k) than the local "
        "learning rate (η_k)",
        "there is another difference: Algorithm 2 draws exactly r clients, and Algorithm 1 each with probability r/n. The sentence "
        "has the mean of the updates received, line 14 divides their sum by r, however many they are (DAS-ALG1-MEAN): by line 14 a "
        "round of clipping with |S_k| ≠ r is in general none of FedAvg even at β_k = η_k, with nothing cut and no noise",
        repair=Repair("at β_k = η_k, nothing cut and no noise, a round of clipping with exactly r clients is a round of FedAvg",
                      "clipping (Option (i)); |S_k| = r ≥ 1; β_k = η_k; nothing is cut and no noise added",
                      closed((SUMS, AVERAGE, MESSAGES, AS_FEDAVG))),
        gap=Gap("reading", "with a_k = (1/r) Σ of line 14, of the clients that Algorithm 1 draws", Witness(
            {"eta": Fraction(1, 4), "r": ONE, "n": Fraction(2)}, "w_1 of Algorithm 1, when both clients are drawn, is that of FedAvg",
            _both, "n = 2, r = 1, f_1 = f_2 = w²/2, E = 1, w₀ = 1: both are drawn with probability 1/4",
        )),
    ),
    Claim(
        "DAS-EXP-R", PAPER, "Appendix G against Algorithm 1", "prose",
        "The number of participating clients in each round is set to r = 0.2n for all datasets […] [Algorithm 1:] a random set S_k of "
        "clients, formed by sampling each client ∈ [n] with probability r/n.",
        "in Algorithm 1 the number is random, with mean r; which of the two the experiments ran is open (the sentence is Algorithm "
        "2's)",
        conflict=Proof((), (Computation(
            "variance of the number of clients at n = 3,000, r = 0.2n: r(1 − r/n)", "enumeration",
            lambda: Comparison(Fraction(600) * (1 - Fraction(1, 5)), ">", ZERO),
        ),)),
        consequence="for a set of exactly r clients (12) stands, and with it Theorems 4 (a) and 6 (DAS-T4a@fixed-size, "
        "DAS-T6@fixed-size, DAS-T6@specific-fixed-size), and Theorems 4 (b) and 7 once norm and 1/‖u_i‖ have a value at u_i = 0 "
        "(DAS-T4b@fixed-size, DAS-T7@fixed-size, DAS-T7@specific-fixed-size)",
    ),
    Claim(
        "DAS-EXP-FEATURES", PAPER, "Appendix G against [18]", "prose",
        "For CIFAR-10 and CIFAR-100, we use 512-dimensional features extracted from the last layer of a ResNet-18 [18] model "
        "pretrained on ImageNet.",
        "the last layer of the ResNet-18 of [18], He et al. (2016), is the linear one, with a number for each of ImageNet's 1,000 "
        "classes; 512 numbers enter it",
        repair=Repair("the 512 numbers that enter the last layer", "“from” as what enters it",
                      Proof((), (Computation("512 numbers enter the last layer", "enumeration", _entering),))),
        gap=Gap("reading", "what the last layer gives", Proof(
            (), (Computation("the last layer gives 1,000 numbers, not 512", "enumeration", _last_layer),))),
        consequence="what enters it is what our runs of Table 2 (b) and (c) take",
    ),
    Claim(
        "DAS-EXP-RATES", PAPER, "Appendix H against [6]", "prose",
        "We employ the learning rate scheme suggested in [6] where we decrease the local learning rate by a factor of 0.99 after "
        "every round, i.e. η_k = (0.99)^kη_0.",
        "[6], Bottou (2012), is not at hand, but known to suggest γ_t = γ_0/(1 + γ_0λt), which falls by a factor tending to 1; what "
        "follows “i.e.” says which rates were run",
        repair=Repair("the local learning rate is multiplied by 0.99 after every round: η_k = (0.99)^kη_0",
                      "a scheme of the paper's own, not of [6]", closed((GEOMETRIC,))),
        gap=Gap("reading", "the scheme of [6], as it is known", closed((HARMONIC,))),
        consequence="all rates together are less than 100 η_0, however many rounds there are, and less than η_0 of it is left after "
        "500; those of [6] have no finite sum",
    ),
    Claim(
        "DAS-S31-NOISE@pathwise", PAPER, "Section 3.1, of the norms themselves", "prose",
        "its update-normalization step ensures that the noise norm cannot become arbitrarily larger than the normalized update's "
        "norm, even if the original update's norm is small",
        "Gaussian noise is longer than any multiple of C with positive probability; in mean square the ratio is fixed "
        "(DAS-S31-NOISE@ratio)",
        repair=Repair("in mean square the ratio is √(rK)ρ, whatever ‖u_i‖ > 0 is", "of the root of the mean square", closed((RATIO,))),
        gap=Gap("reading", "of the norms themselves", Witness(
            {"N": Fraction(2), "C": ONE, "sigma": ONE}, "P(‖ζ_i‖ > N‖norm(u_i, C)‖) ≤ 0; the left side is a lower bound", _longer,
            "d = 1, σ = C, N = 2; for every other N the same lower bound is positive",
        )),
        consequence="read it of the root of the mean square",
    ),
    Claim(
        "DAS-S41-WEIGHT", PAPER, "Section 4.1", "prose",
        "Note that (GE/‖u_{k̃}^{(i)}‖) ≥ 1 because f_i is G-Lipschitz",
        "a sum of E gradients of norm at most G (DAS-FN5); where the update is zero the quotient does not exist",
        repair=Repair("GE/‖u_k̃^{(i)}‖ ≥ 1", "u_k̃^{(i)} ≠ 0, of that client in that round",
                      closed((TRAVELLED, NOT_CUT, _WEIGHT)), "GE/‖u‖ does not exist for u = 0"),
        gap=Gap("undefined", "GE/‖u_k̃‖ for a client at its minimiser", runs.AT_MINIMISER),
    ),
    Claim(
        "DAS-FN5", PAPER, "Section 4.1, footnote 5", "prose",
        "‖u_{k̃}^{(i)}‖ = ‖Σ_{τ=0}^{E−1} ∇f_i(w_{k̃,τ}^{(i)})‖ ≤ Σ_{τ=0}^{E−1} ‖∇f_i(w_{k̃,τ}^{(i)})‖ ≤ GE, where the last inequality "
        "follows by using the G-Lipschitzness of f_i.",
        "a sum of E gradients (DAS-T6-S2), each of norm at most G; u_i = 0 included", proof=closed((TRAVELLED, _NOTE)),
    ),
    Claim(
        "DAS-TAB2-STD", PAPER, "Table 2, caption, against Appendix G", "prose",
        "Avg. test accuracy […] over the last 5 rounds […] [Appendix G:] have been averaged over three different runs",
        "the caption's “± 1 std.” can be of the five rounds, of the three runs, or of all fifteen numbers",
        undecided="whether the deviation is over the rounds, over the runs or over both is not said, and nothing printed tells",
    ),
)  # fmt: skip
