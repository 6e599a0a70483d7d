"""Sentences about the experiments (Section 5 and Appendix D)."""

from __future__ import annotations

from fractions import Fraction

import sympy

from bounds.fed_alpha_normec import theorem1
from bounds.fed_alpha_normec.theorem1 import STEP_HALF, STEP_THIRD, b_appendix, b_main, b_text
from bounds.statement import Condition
from verify.claim import Repair, Values, Witness
from verify.computation import Comparison
from verify.exact import normalise
from verify.facts import definition, equal, hypothesis, letters
from verify.fed_alpha_normec.lemmas.noise import SIGMA
from verify.fed_alpha_normec.letters import (
    ALPHA,
    BETA,
    CLIENTS,
    ETA,
    GAMMA,
    GAP,
    PARTICIPATION,
    RADIUS,
    ROUNDS,
    SMOOTH,
    F,
    K,
    L,
    M,
    R,
    alpha,
    beta,
    claim,
    eta,
    gamma,
    p,
    sigma,
    values,
)
from verify.fed_alpha_normec.text.protocol import JUMP, NEAR
from verify.identity import Identity
from verify.obligation import obligation
from verify.proof import Proof

# Without line 12's normalisation x moves by η‖v̂‖.
_server = letters("‖v̂‖")[0]
_OTHER_LENGTH = hypothesis("‖v̂‖ ≠ 1, ‖v̂‖ > 0", (_server > 0) & sympy.Ne(_server, 1))
_PLAIN_STEP = obligation(
    "‖x^{k+1} − xᵏ‖ is η‖v̂‖ without line 12's normalisation, and not η, which it is with it",
    (ETA, _OTHER_LENGTH),
    sympy.Ne(eta * _server, eta),
)


def _plain_step(numbers: Values) -> Comparison:
    step = numbers["eta"]
    return Comparison(step * numbers["server"], "==", step, (("η ∈ (0, 1)", 0 < step < 1),))


def _counts() -> dict[str, tuple[dict[str, str], ...]]:
    clients = 20
    rows = []
    for p_, sent in ((Fraction(1, 4), 1200), (Fraction(1), 4500)):
        rounds = Fraction(sent) / (p_ * clients)
        rows.append(
            {
                "p": str(p_),
                "transmissions": str(sent),
                "rounds": str(rounds),
                "within 300 rounds": "yes" if rounds <= 300 else "no",
            }
        )
    return {"Transmissions as rounds (20 clients)": tuple(rows)}


# Section 5: does β change the privacy level? The printed number as a standard deviation or a variance, of z or of βz.
_one, _other, _scale = letters("beta_1 beta_2 scale")
_TWO_BETAS = hypothesis("0 < β₁ < β₂", (_one > 0) & (_one < _other))
_POSITIVE = definition("scale = p√K log(1/δ)/ε > 0", _scale > 0)
_level, _other_level = letters("(scale·β₁)²/β₁² (scale·β₂)²/β₂²")
_LEVELS = definition(
    "noise over message at both β",
    equal(_level * _one**2, (_scale * _one) ** 2) & equal(_other_level * _other**2, (_scale * _other) ** 2),
)
_ONE_LEVEL = obligation(
    "standard deviation of βz: noise over message, (scale β)²/β², is the same for every β",
    (_TWO_BETAS, _POSITIVE, _LEVELS),
    equal(_level, _other_level),
)
_MANY_LEVELS = obligation(
    "in the three other readings it differs between any two β, so that at most one β has ε = 8 and no less",
    (_TWO_BETAS, _POSITIVE),
    (_scale * _one / _one**2 > _scale * _other / _other**2)
    & ((_scale * _one) ** 2 < (_scale * _other) ** 2)
    & (_scale * _one < _scale * _other),
)


def _without_compensation(numbers: Values) -> Comparison:
    """What a client sends for the gradient g with all memories 0: Algorithm 1, and FedAvg as Appendix D.1 writes it."""
    a, g, step = numbers["alpha"], numbers["g"], numbers["gamma"]
    return Comparison(normalise(a, g), "==", normalise(a, step * g), (("α, γ > 0", a > 0 < step),))


_grad, _step_, _a = letters("g gamma_ alpha_")
_SMALLER_ALPHA = obligation(
    "Norm_α(γg) = Norm_{α/γ}(g)",
    (hypothesis("α, γ > 0", (_a > 0) & (_step_ > 0)), definition("‖g‖ ≥ 0", _grad >= 0)),
    equal(_step_ * _grad / (_a + _step_ * _grad), _grad / (_a / _step_ + _grad)),
)
_GRID = tuple(Fraction(1, 10**k) for k in (3, 2, 1))


def _cells() -> dict[str, tuple[dict[str, str], ...]]:
    """The products βγ on the grid of Appendix D."""
    rows = tuple({"β": str(b), **{f"γ = {g}": str(b * g) for g in _GRID}} for b in _GRID)
    return {"βγ on the grid of Appendix D": rows}


# Section 5: Theorem 1's bound as a function of β, η at the limit that has β.
u, w, small, root_small, root_large, root_whole, early, late = letters(
    "u w beta_1 root_1 root_2 root_3 slope_1 slope_2"
)
_PER_PART = hypothesis("w > 0, for σ_DP = wpβ (σ_DP ∝ pβ)", w > 0)
_at_one, _at_other = letters("sigma_DP(beta_1) sigma_DP(beta_2)")
_AT_BOTH = hypothesis(
    "Section 5: σ_DP = wpβ at both β", equal(_at_one, w * p * _one) & equal(_at_other, w * p * _other)
)
_PROPORTIONAL = obligation(
    "as Section 5 says it σ_DP differs between two β; Section 4's formula is one number for both",
    (_TWO_BETAS, PARTICIPATION, _PER_PART, _AT_BOTH),
    sympy.Ne(_at_one, _at_other),
)
_WITHOUT_NOISE = {b_main: 2 * (1 - p) ** 2 / p, b_text: 2 * (1 - p) ** 2 / p, b_appendix: 2 * (1 - p) / p}
_PER_BETA = {b_main: 2 * p**2 * w**2, b_text: 2 * p * w**2, b_appendix: 2 * p * w**2}
_NOISE_IN_B = tuple(
    Identity(
        f"B at σ_DP = wpβ is {u_} + {v_}β²: {of}",
        B(p, w * p * beta),
        _WITHOUT_NOISE[B] + _PER_BETA[B] * beta**2,
        (BETA, PARTICIPATION, _PER_PART),
    )
    for B, of, u_, v_ in (
        (b_main, "Theorem 1", "2(1 − p)²/p", "2p²w²"),
        (b_text, "the text after it", "2(1 − p)²/p", "2pw²"),
        (b_appendix, "F.2", "2(1 − p)/p", "2pw²"),
    )
)


def _in_beta(bound, B, step: Condition, part: int, of: str, outside: bool = False) -> Identity:
    """With η = γ/`part` · βR/(α + R), which is the limit of `step`."""
    limit = step.limit(gamma=gamma, beta=beta, R=R, alpha=alpha)
    first = 3 * part * F * (alpha + R) / (gamma * R * (K + 1))
    last = L * gamma * R / (2 * part * (alpha + R))
    root = sympy.sqrt(B(p, sigma) / M) * (K + 1) if outside else sympy.sqrt(B(p, sigma) * (K + 1) / M)
    return Identity(
        f"{of} at T = 1 and its η = γ/{part} · βR/(α + R) is a/β + 2β√(B{')(K+1)/√M' if outside else '(K+1)/M)'} + cβ + 2R",
        bound(
            f_gap=F,
            K=K,
            eta=limit,
            R=R,
            beta=beta,
            M=M,
            p=p,
            sigma=sigma,
            gamma=gamma,
            T=1,
            L=L,
            Delta=sympy.Integer(0),
        ),
        first / beta + 2 * beta * root + last * beta + 2 * R,
        (ALPHA, BETA, RADIUS, GAMMA, SMOOTH, PARTICIPATION, CLIENTS, ROUNDS, GAP, SIGMA),
    )


_IN_BETA = (
    _in_beta(theorem1.theorem1_main, b_main, STEP_HALF, 2, "Theorem 1"),
    _in_beta(theorem1.theorem1_text, b_text, STEP_HALF, 2, "Theorem 1 with the B of the text after it"),
    _in_beta(theorem1.theorem1_appendix, b_appendix, STEP_THIRD, 3, "F.2 with K + 1 under the root"),
    _in_beta(theorem1.theorem1_appendix_outside, b_appendix, STEP_THIRD, 3, "F.2 as printed", outside=True),
)
_a, _b, _c, _v = letters("a b c v")
_SHORT = hypothesis(
    "f(x⁰) > f^inf, so that a > 0; b, c > 0 and u, v ≥ 0 for the other constants, not both 0 (p < 1 or noise)",
    (_a > 0) & (_b > 0) & (_c > 0) & (_v >= 0) & (u >= 0) & (u + _v > 0),
)
_SLOPE = Identity(
    "the derivative of a/β + bβ√(u + vβ²) + cβ is −a/β² + b(2s − u/s) + c with s = √(u + vβ²)",
    sympy.diff(_a / beta + _b * beta * sympy.sqrt(u + _v * beta**2) + _c * beta, beta),
    -_a / beta**2 + _b * (2 * sympy.sqrt(u + _v * beta**2) - u / sympy.sqrt(u + _v * beta**2)) + _c,
    (BETA, _SHORT),
)
_APART = hypothesis("0 < β₁ < β", (small > 0) & (small < beta))
_TWO_PLACES = definition(
    "s = √(u + vβ²) and the derivatives there",
    (root_small > 0) & (root_large > 0) & equal(root_small**2, u + _v * small**2) & equal(root_large**2, u + _v * beta**2)
    & equal(early, -_a / small**2 + _b * (2 * root_small - u / root_small) + _c)
    & equal(late, -_a / beta**2 + _b * (2 * root_large - u / root_large) + _c),
)  # fmt: skip
_ROOTS_GROW = obligation("√(u + vβ²) does not fall", (_SHORT, _APART, _TWO_PLACES), root_small <= root_large)
_TERMS_GROW = obligation(
    "2s − u/s does not fall, and −a/β² increases",
    (_SHORT, _ROOTS_GROW.conclusion, _APART, definition("s > 0", root_small > 0)),
    (2 * root_small - u / root_small <= 2 * root_large - u / root_large) & (-_a / small**2 < -_a / beta**2),
)
_INCREASES = obligation(
    "the derivative increases: it is 0 once at most",
    (_SHORT, _TWO_PLACES, _TERMS_GROW.conclusion),
    early < late,
)
_BELOW_ZERO = obligation(
    "the derivative is negative where β ≤ 1 and β²(2b√(u + v) + c) < a",
    (
        _SHORT,
        BETA,
        definition("s = √(u + vβ²) at β", (root_large > 0) & equal(root_large**2, u + _v * beta**2)),
        definition("√(u + v)", (root_whole > 0) & equal(root_whole**2, u + _v)),
    ),
    sympy.Implies(
        (beta <= 1) & (beta**2 * (2 * _b * root_whole + _c) < _a),
        -_a / beta**2 + _b * (2 * root_large - u / root_large) + _c < 0,
    ),
)
_ABOVE_ZERO = obligation(
    "the derivative is positive where cβ² ≥ a",
    (
        _SHORT,
        BETA,
        definition("s = √(u + vβ²) at β", (root_large > 0) & equal(root_large**2, u + _v * beta**2)),
    ),
    sympy.Implies(_c * beta**2 >= _a, -_a / beta**2 + _b * (2 * root_large - u / root_large) + _c > 0),
)


CLAIMS = (
    claim(
        "FED-EXP-OPTIMUM",
        "Section 5, on Theorem 1 (Section 4, F.2) at T = 1, η at the limit that has β",
        "prose",
        "Our theory (Theorem 1) supports this sensitivity, as β influences both error feedback and the DP noise term […]. The "
        "convergence bound includes a term √(β²B(K+1)/M), implying an optimal β balances error compensation and noise.",
        "η ≤ γ/2 · βR/(α+R) (F.2: γ/3) puts β into the first term, and the noise term has β as a factor: in each printed version the "
        "bound is a/β + bβ√(u + vβ²) + cβ + 2R, v = 0 for Section 4's σ_DP, which has no β, and v > 0 for σ_DP ∝ pβ. Its derivative "
        "increases and changes its sign, so that one β is best, with Section 5's σ_DP ∝ pβ and without it "
        "(FED-EXP-OPTIMUM@premise). (Whether it is below α + R is another question.)",
        proof=Proof(
            (ALPHA, BETA, RADIUS, GAMMA, SMOOTH, PARTICIPATION, _PER_PART, _SHORT, _APART),
            (*_NOISE_IN_B, *_IN_BETA, _SLOPE, _ROOTS_GROW, _TERMS_GROW, _INCREASES, _ABOVE_ZERO, _BELOW_ZERO),
        ),
    ),
    claim(
        "FED-EXP-OPTIMUM@premise",
        "Section 5 against Section 4 and Corollaries 2, 4 and 6",
        "privacy",
        "(since σ_DP ∝ pβ). (Section 5) […] We set σ_DP = c · p√((K+1)log(1/δ)ϵ^{−1}) for some constant c > 0 and 0 < p ≤ 1. "
        "(Section 4)",
        "The theory's σ_DP is proportional to p and has no β in it: it is the same for all β, and a constant times pβ, as Section "
        "5 has it, is not.",
        conflict=Proof((_TWO_BETAS, PARTICIPATION, _PER_PART, _AT_BOTH), (_PROPORTIONAL,)),
        consequence="That a best β exists does not need it (FED-EXP-OPTIMUM).",
    ),
    claim(
        "FED-EXP-COND",
        "Abstract, Section 1, Section 5, Appendix D and D.1",
        "prose",
        "Our theoretical guarantees are corroborated by experiments on private deep learning tasks. (abstract) […] corroborating our "
        "theoretical insights on convergence and privacy trade-offs (Section 1) […] Server updates x^{k+1} = x^k − "
        "(η/‖v̂^{k+1}‖)(v̂^{k+1}) (Algorithm 1) […] Server normalization (Line 12 in Algorithm 1) is not used […] (D) We compare the "
        "performance of our Algorithm 1 (Fed-α-NormEC) with the standard FedAvg approach […] (D.1) [so that these runs are runs of "
        "Algorithm 1 as the theorems bound it]",
        "The guarantees are of Algorithm 1 on L-smooth functions, and what ran is neither: without line 12's normalisation a step has "
        "length η‖v̂‖, which is not η where ‖v̂‖ is neither 0 nor 1, and the loss of ResNet-20 on one example is not L-smooth for any L "
        "(FED-EXP-COND@smooth has the kink). Nor do the runs say what the guarantees ask: gradients are of mini-batches, and η, R, L "
        "and v_i⁰ are not given.",
        witness=Witness(
            values(eta="1/10", server=2),
            "‖x^{k+1} − xᵏ‖ = η",
            _plain_step,
            "line 12 left out, η = 1/10, ‖v̂‖ = 2",
            Proof((ETA, _OTHER_LENGTH, NEAR), (_PLAIN_STEP, JUMP)),
        ),
        consequence="No theorem of the paper speaks of the method that was run, though the abstract has these experiments corroborate "
        "them.",
    ),
    claim(
        "FED-EXP-COMM",
        "Section 5, Figure 2; Section 1, contributions",
        "prose",
        "Notably, we show that partial participation, by leveraging privacy amplification, can achieve target accuracy with "
        "significantly improved communication efficiency compared to full participation (Section 1) […] "
        "configurations with smaller client participation probabilities (p = 0.25 and p = 0.5) achieve target performance levels with "
        "significantly fewer total client-server transmissions compared to full participation (p = 1.0). For instance, to reach "
        "approximately 65% test accuracy, p = 0.25 […] requires about 1200 total communications, "
        "whereas p = 1.0 […] needs nearly 4500.",
        "A training result: it needs the re-run.",
        undecided="A training result that only a re-run can decide; the numbers are compatible with 20 "
        "clients and 300 rounds (240 rounds against 225), and what ours say stands in the report's “Printed numbers and ours” "
        "(`normec gpu_benchmarks table`). The cause that Section 1 names is not there: messages being seen, nothing is amplified "
        "(FED-AMP).",
        tables=_counts,
    ),
    claim(
        "FED-EXP-BEST",
        "Section 5, Figure 1",
        "prose",
        "Empirically, β = 0.01 (orange lines) consistently delivers the best results, achieving the lowest training loss and highest "
        "test accuracy for both full and partial participation. For instance, with full participation, β = 0.01 leads to "
        "approximately 70% test accuracy, while β = 0.1 (green lines) results in the poorest performance (around 55-60% accuracy).",
        "A training result: it needs the re-run.",
        undecided="A training result that only a re-run can decide; three β and one seed (42) are behind “consistently”. What our "
        "runs say stands in the report's “Printed numbers and ours” (`normec gpu_benchmarks table`), the two accuracies as "
        "FED-S5-BEST and FED-S5-POOREST.",
    ),
    claim(
        "FED-EXP-EC",
        "Appendix D.1, Figure 3",
        "prose",
        "The results demonstrate that the Error Compensation (EC) mechanism in Fed-α-NormEC consistently accelerates convergence and "
        "improves test accuracy compared to FedAvg, across all privacy levels (i.e., all tested values of β).",
        "A training result: it needs the re-run.",
        undecided="A training result that only a re-run can decide, between methods that differ in α as well (FED-EXP-FEDAVG), at "
        "three β and one seed (42).",
    ),
    claim(
        "FED-EXP-BETA",
        "Section 5 and Appendix D.1 against Section 4",
        "privacy",
        "setting the variance of added noise at pβ√K log(1/δ)ϵ^{−1} for ϵ = 8, δ = 10^{−5} and vary β to simulate "
        "different privacy levels. […] across all privacy levels (i.e., all tested values of β)",
        "Either β does not change the privacy at all, or ϵ = 8 is exact for at most one β. The first is so where the noise grows "
        "like the message that it hides; the second in every other reading (as an upper bound 8 can hold at several: "
        "FED-EXP-DP@variance-small-beta). Section 4's σ_DP has no β at all.",
        conflict=Proof((_TWO_BETAS,), (_ONE_LEVEL, _MANY_LEVELS)),
        consequence="Curves for different β are no curves for different privacy, or ϵ = 8 is the level of one of them at most: "
        "FED-EXP-DP and its readings have the numbers.",
    ),
    claim(
        "FED-EXP-FEDAVG",
        "Appendix D.1, Figure 3",
        "prose",
        "x^{k+1} = x^k − (η/B)[Σ_{i∈S^k} Ψ(x^k − T_i(x^k)) + z_i^k], where Ψ is the smoothed normalization operator, "
        "T_i(x) = x − γ∇f_i(x) is the local gradient mapping, η = γ, […] the Error Compensation (EC) mechanism in "
        "Fed-α-NormEC consistently accelerates convergence […] [the methods differ by error compensation alone]",
        "Ψ(γ∇f_i) = Norm_{α/γ}(∇f_i): with α = 0.01 and γ = 0.001, 0.01, 0.1 FedAvg is run with α = 10, 1, 0.1 "
        "where Fed-α-NormEC normalises (x − T_i(x))/γ − v_i with 0.01.",
        witness=Witness(
            values(alpha="1/100", gamma="1/100", g=1),
            "with v_i = 0 the two messages are equal",
            _without_compensation,
            "∇f_i = 1, α = γ = 0.01: 100/101 against 1/2",
        ),
        repair=Repair(
            "FedAvg with Ψ((x − T_i(x))/γ), or with αγ for α, normalises as Fed-α-NormEC does with v_i = 0.",
            "divide by γ before normalising",
            Proof((_SMALLER_ALPHA.given[0],), (_SMALLER_ALPHA,)),
            weakest="an identity",
        ),
        consequence="Figure 3 compares two α's, 10 to 1000 apart, as well as two methods.",
    ),
    claim(
        "FED-EXP-FIG4",
        "Appendix D.1, Figure 4, against Appendix D",
        "prose",
        "step size γ ∈ {0.001, 0.01, 0.1} and sensitivity threshold β ∈ {0.001, 0.01, 0.1}. (D) […] the best results "
        "are generally found along the diagonal, where the product β · γ = 0.001. (D.1)",
        "On that grid the product is 0.001 for two cells, corner to corner; the diagonal of three has 0.0001. Which cells are "
        "best is a training result.",
        undecided="A training result whose numbers stand in a figure only; the text fits the two cells with βγ = 0.001 (table).",
        tables=_cells,
    ),
)
