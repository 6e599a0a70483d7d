"""Sentences between the theorems: what is deterministic, what is a constant, what a lemma bounds, what other work assumes."""

from __future__ import annotations

from fractions import Fraction

import sympy

from bounds.fed_alpha_normec import theorem1 as printed
from bounds.fed_alpha_normec.theorem2 import incremental_term, theorem2
from verify.alpha_normec.experiments.printed_numbers import compare
from verify.citation import Cite
from verify.claim import Gap, Repair, Values, Witness
from verify.computation import Comparison, Computation
from verify.dp_normfedavg.claims import CLAIMS as EARLIER
from verify.dp_normfedavg.theorems.choices import DELTA_MAX, HATTED, LIPSCHITZ
from verify.dp_normfedavg.theorems.rounds import CHAT
from verify.facts import Fact, definition, equal, hypothesis, letters
from verify.fed_alpha_normec.lemmas import noise as no
from verify.fed_alpha_normec.lemmas.incremental import SPREAD_LOCAL
from verify.fed_alpha_normec.lemmas.noise_claims import CLAIMS as NOISE
from verify.fed_alpha_normec.letters import (
    BETA,
    CLIENTS,
    ETA,
    GAMMA,
    PARTICIPATION,
    ROUNDS,
    SMOOTH,
    SPREAD,
    Delta_local,
    L,
    claim,
    gamma,
    p,
    sigma,
    values,
)
from verify.fed_alpha_normec.theorems.one_step import LETTERS
from verify.identity import Identity
from verify.induction import Induction
from verify.obligation import obligation
from verify.privacy.alpha_normec import COROLLARY2
from verify.proof import Proof

ONE = Fraction(1)
_CHOICE, _ANY = letters("C_hat_chosen Delta_any")
_DAS = {found.id: found for found in EARLIER}


def _assumes(identifier: str) -> Proof:
    proof = _DAS[identifier].proof
    assert proof is not None
    return proof


def _bounded_gradients(identifier: str) -> Comparison:
    """How many of the assumptions of an earlier theorem bound the gradients."""
    return Comparison(Fraction(_assumes(identifier).assumptions.count(LIPSCHITZ)), "==", Fraction(0))


_POSITIVE = (SMOOTH, hypothesis("Ĉ > 0, max_j Δ_j* ≥ 0", (CHAT > 0) & (DELTA_MAX >= 0)))
_BOUNDS = obligation("max_j Δ_j* ≤ Ĉ²/(16L)", (*_POSITIVE, HATTED), 16 * L * DELTA_MAX <= CHAT**2)
_CHOSEN = obligation(
    "which allows every max_j Δ_j* ≥ 0: for some Ĉ the threshold is met",
    (
        SMOOTH,
        definition(
            "Ĉ = 1 + 4√(L max_j Δ_j*), max_j Δ_j* ≥ 0",
            equal(_CHOICE, 1 + 4 * sympy.sqrt(L * _ANY)) & (_ANY >= 0),
        ),
    ),
    (_CHOICE > 0) & (_CHOICE >= 4 * sympy.sqrt(L * _ANY)),
)


def _models(p: Fraction) -> Comparison:
    """How many models one round without noise can lead to: f = x²/2, x⁰ = 1, v⁰ = v̂⁰ = 0, α = β = 1, η = 1/10, p·q = 1 or q = 0."""
    step, message = Fraction(1, 10), ONE / 2  # Norm_1(1) = 1/2
    after = {ONE - (step if estimate else Fraction(0)) for estimate in (message / p, Fraction(0))}
    return Comparison(Fraction(len(after)), "==", ONE)


def _rare(v: Values) -> Comparison:
    """e¹ = βz, M = 1, K = 0, z = ±a with probability 1/(2a²) each, and 0 otherwise: Ez = 0, Ez² = 1."""
    chance = 1 / (2 * v["a"] ** 2)
    met = (
        ("probabilities that leave something", 0 < 2 * chance <= 1),
        ("E z² = σ²", 2 * chance * v["a"] ** 2 == v["sigma"] ** 2),
        ("β > 0", v["beta"] > 0),
    )
    return Comparison(v["beta"] * v["a"], "<=", v["beta"] * v["sigma"], met)


# Two passes in the same order from the same place.
_place, _one, _two, _slope, _other, _share = letters("x^k x_j y_j ∇f_{i,j}(x_j) ∇f_{i,j}(y_j) γ/N")
_TOGETHER = Fact("x_j = y_j", equal(_one, _two), "derived")
_ONE_PASS = Induction(
    _TOGETHER.name,
    _TOGETHER,
    obligation("both at xᵏ", (), sympy.true),
    obligation(
        "both one function later",
        (
            _TOGETHER,
            definition("∇f_{i,j} is a function", sympy.Implies(equal(_one, _two), equal(_slope, _other))),
        ),
        equal(_one - _share * _slope, _two - _share * _other),
    ),
    start=((_one, _place), (_two, _place)),
    next=((_one, _one - _share * _slope), (_two, _two - _share * _other)),
)
_LEMMA_2 = next(found for found in NOISE if found.id == "FED-L2")
_BY_LEMMA_2 = Cite(_LEMMA_2, (BETA, no.TIGHT.conclusion, no.INDEPENDENT, no.UNCORRELATED, CLIENTS, ROUNDS))
_THEN_LEMMA_3 = no.within(
    printed.b_appendix(p, sigma), "E‖(1/M) Σ v_i − v̂‖ ≤ √(β²B(K+1)/M), B of Lemma 3", _BY_LEMMA_2.conclusion
)
_STANDING = (ETA, BETA, GAMMA, SMOOTH, SPREAD, ROUNDS, CLIENTS, PARTICIPATION)
CLAIMS = (
    claim(
        "FED-APPC-DETERMINISTIC",
        "Appendix C, local IG steps",
        "prose",
        "Here, we focus on the deterministic version of the algorithm, avoiding high-probability analyses that are typically required "
        "for methods involving clipping or normalization. Generalization to random reshuffling and arbitrary numbers of epochs is "
        "left for future work.",
        "The next sentence says what it is about: the order of the local pass, which is not drawn. Of a whole round it is false for "
        "p < 1 or with noise, and Theorem 2 bounds an expectation.",
        repair=Repair(
            "A pass in a fixed order ends in one place: from the same xᵏ two passes of client i have the same x_i^{k,j} for every j.",
            "of the local pass",
            Proof((), (_ONE_PASS,)),
        ),
        gap=Gap(
            "reading",
            "of the whole algorithm, in a partial participation and private setting",
            Proof(
                (),
                (Computation("at p = 1/2 one round without noise can end in two models", "enumeration",
                             lambda: Comparison(_models(Fraction(1, 2)).lhs, ">", ONE)),),
            ),
        ),
        consequence="The bounds hold in expectation, not with high probability.",
    ),
    claim(
        "FED-T2-TERM",
        "Appendix C, local IG steps",
        "prose",
        "Further note that using cyclic incremental gradient updates introduces an additional error term of γ·4L√(2L)·√((1/M) "
        "Σ_{i=1}^M Δ_i^inf)",
        "It is what Theorem 2's bound has beside that of F.2 for T ≥ 2. (Whether it vanishes: FED-T2-SAME; whether the bounds hold: "
        "FED-T2.)",
        proof=Proof(
            (*_STANDING, SPREAD_LOCAL),
            (
                Identity(
                    "Theorem 2's bound minus that of F.2 for T ≥ 2",
                    theorem2(**LETTERS, Delta_local=Delta_local) - printed.theorem1_appendix(T=sympy.Integer(2), **LETTERS),
                    incremental_term(gamma, L, Delta_local),
                    (*_STANDING, SPREAD_LOCAL),
                ),
            ),
        ),
    ),
    claim(
        "FED-S2-DAS@assumptions",
        "Section 2, on Das et al., arXiv 2106.07094 in the version checked here",
        "prose",
        "these existing results require restrictive assumptions that do not hold in practice, especially in deep neural network "
        "training, such as uniformly bounded stochastic noise [38; 11], bounded gradients [67; 37; 39; 66] (which effectively ignores "
        "the impact of clipping bias), and/or bounded heterogeneity [51; 35]. To the best of our knowledge, there has been a recent "
        "work by Das et al. [12] that provides convergence guarantees for DP-FedAvg without these restrictive assumptions",
        "Of bounded gradients it is true of their Theorem 6, and not of their Theorem 4, which is the one in their main text: it "
        "takes every f_i to be G-Lipschitz. Stochastic noise there is none, since their steps take full gradients. Of the "
        "heterogeneity max_j Δ_j* Theorem 6 names no limit, but its threshold Ĉ ≥ 4√(L max_j Δ_j*) is one once Ĉ is chosen.",
        repair=Repair(
            "Theorem 6 of Das et al., of full gradients, does without bounded gradients; it holds as printed for |S_k| = r. Of the "
            "heterogeneity it asks max_j Δ_j* ≤ Ĉ²/(16L), for a Ĉ that may be chosen as large as that takes.",
            "Theorem 6, first part, k read as k̃, |S_k| = r; Ĉ chosen after max_j Δ_j*",
            Proof(
                _assumes("DAS-T6@fixed-size").assumptions,
                (
                    Computation("assumptions of Theorem 6 that bound the gradients", "enumeration",
                                lambda: _bounded_gradients("DAS-T6@fixed-size")),
                    _CHOSEN,
                    Cite(_DAS["DAS-T6@fixed-size"], _assumes("DAS-T6@fixed-size").assumptions),
                ),
            ),
        ),
        gap=Gap(
            "reading",
            "by their Theorem 4, which bounds the gradients; or with a Ĉ that is there first, which bounds the heterogeneity",
            Proof(
                (*_POSITIVE, HATTED),
                (
                    Computation("assumptions of Theorem 4 that bound the gradients", "enumeration",
                                lambda: Comparison(_bounded_gradients("DAS-T4a").lhs, ">", Fraction(0))),
                    _BOUNDS,
                ),
            ),
        ),
    ),
    claim(
        "FED-S1-LIMITED",
        "Section 1, on [60] and [24]",
        "prose",
        "Both methods leverage the EF mechanism to reduce bias and achieve strong convergence and privacy guarantees under standard "
        "assumptions, without requiring bounded gradients or restricted data heterogeneity. However, they are limited to the "
        "distributed optimization setting and do not support key Federated Learning features such as partial client participation or "
        "multiple local training steps",
        "Of [60], which is at hand, the privacy guarantee is false as printed (FED-S1-LIMITED@privacy); [24] is not at hand.",
        undecided="Of [60], which is at hand, the privacy guarantee is false as printed (FED-S1-LIMITED@privacy); [24] is not at "
        "hand, so that what both lack stays open. (The theorems of [60] are for full participation and one step a round, and its "
        "Section 7 names the rest as extensions; what its convergence guarantees are worth is in NEC-T1 and NEC-T2-MAIN.)",
    ),
    claim(
        "FED-S1-LIMITED@privacy",
        "Section 1, of [60] alone: its Corollary 2",
        "privacy",
        "Both methods leverage the EF mechanism to reduce bias and achieve strong convergence and privacy guarantees under standard "
        "assumptions [of [60], the privacy guarantee of its own method alone: Corollary 2]",
        "Corollary 2 of [60] is false as printed (NEC-C2-DP): no constant in its noise is enough for all ε, which it does not bound.",
        witness=COROLLARY2.witness,
        repair=COROLLARY2.repair,
    ),
    claim(
        "FED-C1-VARIANCE",
        "after Corollary 1, against Section 4, before Algorithm 1 and before Corollary 2",
        "definition",
        "where the variance σ_DP is a constant […] [before Algorithm 1:] sampled from a Gaussian distribution with zero mean and "
        "variance σ_DP² […] [before Corollary 2:] setting the standard deviation of the DP noise according to Abadi et al. [1]. We "
        "set σ_DP = […]",
        "One letter is called the variance once and the standard deviation twice.",
        conflict=Proof(
            (), (compare("the variance at σ_DP = 2, as σ_DP and as σ_DP²", Fraction(2), "!=", Fraction(2) ** 2),)
        ),
        consequence="Read: the standard deviation σ_DP is a constant.",
    ),
    claim(
        "FED-C2-LETTER",
        "after Corollary 2, against Corollary 2, Section 3 and Theorem 1",
        "definition",
        "a utility bound of O(Δ^4 √(d·(B/M²)·(log(1/δ)/ϵ²))) (Section 4) […] O(Δ√(d B̂ log(1/δ)/(M²ϵ²))) (Corollary 2) […] S^k "
        "is the subset of [1, M] with size B ≤ M (Section 3) […] B = 2(p−1)²/p + 2σ_DP² (Theorem 1)",
        "B is the size of a round's subset in Section 3, the constant of the noise in Theorem 1, and after Corollary 2 what its own "
        "statement calls B̂ = pM.",
        conflict=Proof(
            (),
            (
                compare(
                    "M = 4, B̂ = 2, p = B̂/M, σ = 0: Theorem 1's B against B̂",
                    printed.b_main(Fraction(1, 2), Fraction(0)),
                    "!=",
                    Fraction(2),
                ),
            ),
        ),
        consequence="Read: B̂ after Corollary 2 (FED-C2-BETTER).",
    ),
    claim(
        "FED-APPE-BOUNDS",
        "Appendix E, before Lemma 2",
        "prose",
        "Next, Lemma 2 bounds ‖e^k‖ under the recursion of e^{k+1} = e^k + β(1/M) Σ_{i=1}^M z_i^k, where z_i^k is the random vector, "
        "and by utilizing Lemma 2, we obtain Lemma 3, which bounds ‖(1/M) Σ_{i=1}^M v_i^k − v̂^k‖",
        "Both lemmas bound expectations. The norms themselves have no bound: a rare noise is as long as one likes.",
        repair=Repair(
            "Lemma 2 bounds E‖e^k‖, and by it Lemma 3 bounds E‖(1/M) Σ v_i^k − v̂^k‖.",
            "E before the norms; σ_DP² := E‖z_i‖², noise independent over clients and rounds and of who takes part; uncorrelated for "
            "independent in Lemma 2 (FED-L3-S1)",
            Proof(
                no.LEMMA3_TOTAL.assumptions,
                (no.ONE_MINUS_Q, no.Q_SQUARED, no.TIGHT, _BY_LEMMA_2, _THEN_LEMMA_3),
            ),
        ),
        gap=Gap(
            "reading",
            "in every run",
            Witness(
                values(a=2, beta=1, sigma=1),
                "‖e¹‖ ≤ √(β²(K+1)σ²/M)",
                _rare,
                "M = 1, K = 0: the noise is ±2 with probability 1/8 each, and 0 otherwise; with Gaussian noise no bound holds at all",
            ),
        ),
    ),
)  # fmt: skip
