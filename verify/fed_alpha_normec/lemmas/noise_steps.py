"""The remaining steps of the proofs of Lemmas 2 and 3: the error as a sum, its norm, Jensen's inequality."""

from __future__ import annotations

import sympy

from verify.claim import Gap, Repair
from verify.facts import Fact, definition, equal, hypothesis, letters
from verify.fed_alpha_normec.lemmas.noise import AVERAGED, ERROR, LEMMA3_TOTAL, OVER_ROUNDS, UNCORRELATED
from verify.fed_alpha_normec.lemmas.noise_claims import PER_COORDINATE
from verify.fed_alpha_normec.lemmas.step_displays import STEPS
from verify.fed_alpha_normec.letters import BETA, CLIENTS, M, beta, claim
from verify.fed_alpha_normec.ours.rounds import IN_MEAN
from verify.gram import Space, inner, square, vectors
from verify.induction import Induction
from verify.obligation import obligation
from verify.proof import Proof

# One coordinate of e and z.
e, e_0, z, total = letters("e_coordinate e_0 z_coordinate Σz")
_UNROLLED = Fact("e^k = e⁰ + β Σ_{l<k} z^l", equal(e, e_0 + beta * total), "derived")
UNROLL = Induction(
    _UNROLLED.name,
    _UNROLLED,
    obligation("e⁰", (), sympy.true),
    obligation("e^{k+1}", (_UNROLLED,), equal(e + beta * z, e_0 + beta * (total + z))),
    start=((e, e_0), (total, 0)),
    next=((e, e + beta * z), (total, total + z)),
)

# Along a path: two vectors e⁰ and βΣz.
_first, _walk = vectors("e⁰ βΣz")
_PATH = Space((_first, _walk))
_start, _moved, _after = (
    _PATH.norm(v, name) for v, name in ((_first, "‖e⁰‖"), (_walk, "‖βΣz‖"), (_first + _walk, "‖e‖"))
)
TRIANGLE = obligation("‖e⁰ + βΣz‖ ≤ ‖e⁰‖ + ‖βΣz‖", (*_PATH.facts(), IN_MEAN), _after <= _start + _moved)

# In L²: E⟨·, ·⟩ is an inner product. ‖Σz‖ and 1 as random numbers, Σz and z as random vectors.
_length, _one = vectors("‖Σz‖ 1")
_NUMBERS = Space((_length, _one))
mean_length, walk, squares, crosses = letters("E‖Σz‖ E‖Σz‖² ΣE‖z‖² Σ_{i≠j}E⟨zⁱ,zʲ⟩")
MEANING = (
    definition("E1 = 1", equal(square(_one), 1)),
    definition("E‖Σz‖ = ⟨‖Σz‖, 1⟩", equal(mean_length, inner(_length, _one))),
    definition("E‖Σz‖² = ⟨‖Σz‖, ‖Σz‖⟩", equal(walk, square(_length))),
)
_sum, _next = vectors("Σz z")
_IS = definition("E‖Σz‖² is that square", equal(walk, square(_sum)))
_EXPANDED = Fact("E‖Σz‖² = Σ E‖z^l‖² + Σ_{i≠j} E⟨z^i, z^j⟩", equal(walk, squares + crosses), "derived")
EXPAND = Induction(
    _EXPANDED.name,
    _EXPANDED,
    obligation("no round", (), sympy.true),
    obligation(
        "one round more",
        (_EXPANDED, _IS),
        equal(square(_sum + _next), squares + square(_next) + crosses + 2 * inner(_sum, _next)),
    ),
    start=((walk, 0), (squares, 0), (crosses, 0)),
    next=(
        (walk, square(_sum + _next)),
        (squares, squares + square(_next)),
        (crosses, crosses + 2 * inner(_sum, _next)),
    ),
)
JENSEN = obligation(
    "βE‖Σz‖ ≤ √(β² Σ E‖z^l‖² + β² Σ_{i≠j} E⟨z^i, z^j⟩)",
    (BETA, *MEANING, *_NUMBERS.facts(), _EXPANDED),
    beta * mean_length <= sympy.sqrt(beta**2 * squares + beta**2 * crosses),
)

# Lemma 3: sums over the clients, in one coordinate; q is 1/p or 0.
after, sent, before, noise, v, step, q, own, e_next, e_now, n_mean, hat = letters(
    "Σv_next Σsent Σv Σn v Δ q z_i e_next e n v_hat"
)
_SAME = Fact(
    "Σ v_i^{k+1} − β Σ Δ̂_i = Σ v_i^k + β Σ n_i", equal(after - beta * sent, before + beta * noise), "derived"
)
SUMS = Induction(
    _SAME.name,
    _SAME,
    obligation("no client", (), sympy.true),
    obligation(
        "one client more",
        (_SAME,),
        equal(
            after + v + beta * step - beta * (sent + q * (step + own)),
            before + v + beta * (noise + (1 - q) * step - q * own),
        ),
    ),
    start=((after, 0), (sent, 0), (before, 0), (noise, 0)),
    next=(
        (after, after + v + beta * step),
        (sent, sent + q * (step + own)),
        (before, before + v),
        (noise, noise + (1 - q) * step - q * own),
    ),
)
ONE_ROUND = obligation(
    "e^{k+1} = e^k + βn^k",
    (
        CLIENTS,
        _SAME,
        definition(
            "e^{k+1}, e^k, n^k",
            equal(e_next * M, after - M * hat - beta * sent)
            & equal(e_now * M, before - M * hat)
            & equal(n_mean * M, noise),
        ),
    ),
    equal(e_next, e_now + beta * n_mean),
)
_EARLIER = hypothesis("E‖z^l‖² ≤ σ²/M (the line before)", AVERAGED.goal.relation)
_SPREAD = obligation(AVERAGED.name, (_EARLIER,), AVERAGED.goal.relation)


def _step(identifier: str, where: str, reason: str, **evidence):
    return claim(identifier, f"Appendix E, {where}", "step", STEPS[identifier], reason, **evidence)


CLAIMS = (
    _step(
        "FED-L2-S2", "proof of Lemma 2, first display", "Unrolling the recursion.", proof=Proof((), (UNROLL,))
    ),
    _step(
        "FED-L2-S3",
        "proof of Lemma 2, second display",
        "Triangle inequality along every path.",
        proof=Proof((), (UNROLL, TRIANGLE)),
    ),
    _step(
        "FED-L2-S4",
        "proof of Lemma 2, third display",
        "E‖Σz‖ = ⟨‖Σz‖, 1⟩ in L² and Cauchy–Schwarz; the square of a sum, round by round.",
        proof=Proof((BETA,), (EXPAND, JENSEN)),
    ),
    _step(
        "FED-L2-S5",
        "proof of Lemma 2, last display",
        "From E‖z^l‖² ≤ σ²/M; that the z of different rounds are uncorrelated is enough.",
        proof=Proof((BETA, _EARLIER, UNCORRELATED), (_SPREAD, OVER_ROUNDS, ERROR)),
    ),
    _step(
        "FED-L3-S3",
        "proof of Lemma 3, first display",
        "Client by client: v_i + βΔ_i − βq(Δ_i + z_i) = v_i + β((1 − q)Δ_i − qz_i).",
        proof=Proof((), (SUMS, ONE_ROUND)),
    ),
    _step(
        "FED-L3-S4",
        "proof of Lemma 3, last lines",
        "n is undefined (M is meant), Lemma 2 asks for independence that the n of different rounds lack (FED-L3-S1), and σ_DP² has to "
        "be the variance of the whole vector.",
        repair=Repair(
            "E‖e^{k+1}‖ ≤ √(β²B(K+1)/M), from uncorrelated rounds and with ‖e⁰‖ = 0 by v̂⁰ = (1/M) Σ v_i⁰.",
            "M for n; uncorrelated for independent; σ_DP² := E‖z_i‖²",
            LEMMA3_TOTAL,
        ),
        gap=Gap("reading", "σ_DP² is the variance of a coordinate (FED-L3@per-coordinate)", PER_COORDINATE),
    ),
)
