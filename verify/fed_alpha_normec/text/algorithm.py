"""What Algorithm 1 says of itself: its operator, who takes part, where it starts and what it returns."""

from __future__ import annotations

from fractions import Fraction

import sympy

from bounds.fed_alpha_normec import theorem1 as printed
from verify.alpha_normec.lemmas.operator import UNDEFINED
from verify.claim import Gap, Repair, Values, Witness
from verify.computation import Comparison, Computation
from verify.curves import Curve, Quadratic, mean, with_dips
from verify.exact import normalise
from verify.facts import Fact, definition, equal, hypothesis, letters, standard
from verify.fed_alpha_normec import conditions
from verify.fed_alpha_normec.lemmas import descent as de
from verify.fed_alpha_normec.lemmas import noise as no
from verify.fed_alpha_normec.lemmas.lemma1 import FROM_FEEDBACK
from verify.fed_alpha_normec.lemmas.local_gradient import Q_T
from verify.fed_alpha_normec.lemmas.local_gradient import g as slope
from verify.fed_alpha_normec.lemmas.local_gradient_sharp import SHARP, SHARP_NODES
from verify.fed_alpha_normec.letters import (
    CLIENTS,
    ETA,
    FEEDBACK,
    GAMMA,
    GAP,
    LOCAL_STEP,
    PARTICIPATION,
    ROUNDS,
    SMOOTH,
    F,
    K,
    L,
    M,
    T,
    alpha,
    claim,
    eta,
    p,
    values,
)
from verify.fed_alpha_normec.ours import rounds as ro
from verify.fed_alpha_normec.ours.noiseless import QUIET
from verify.fed_alpha_normec.text import first_release
from verify.induction import Induction
from verify.obligation import obligation
from verify.proof import Proof

ONE, HALF = Fraction(1), Fraction(1, 2)


def _empty_round(numbers: Values) -> Comparison:
    """v_i⁰ = 0 and nobody sends in round 0, which has probability (1 − p)^M: v̂¹ = 0."""
    server = Fraction(0) + numbers["beta"] / 2 * (Fraction(0) + Fraction(0))
    probability = (1 - numbers["p"]) ** int(numbers["M"])
    return Comparison(
        abs(server),
        "!=",
        Fraction(0),
        (("0 ≤ p ≤ 1", 0 <= numbers["p"] <= 1), ("the draw has positive probability", probability > 0)),
    )


_QUOTIENT = obligation("1/p is defined, and at least 1", (PARTICIPATION,), 1 / p >= 1)


def _absent() -> Comparison:
    """f_2 = x²/2, T = 1, α = β = 1, v_2⁰ = 0: line 6 for client 2, which is not selected, from two x⁰ that it has not been sent."""
    selected = {1}
    models = (Fraction(0), ONE)
    received = [x if 2 in selected else None for x in models]
    memories = [ONE * normalise(ONE, Quadratic(ONE).gradient(x) - Fraction(0)) for x in models]
    met = (("client 2 is sent the same in both runs, nothing", received[0] == received[1] is None),)
    return Comparison(memories[0], "!=", memories[1], met)


def _senders_alone() -> Comparison:
    """Only senders update v_i: |E e¹| = β(1 − p)‖Δ‖ against √(β²B/M) of Lemma 3, both squared; E‖e¹‖ ≥ |E e¹|. β = 1, 100 clients
    with the same Δ of norm 1/2, p = 1/2, σ = 0."""
    drift = HALF * HALF - HALF  # E[1_S Δ] − E[q Δ] = pΔ − Δ
    return Comparison(drift**2, ">", printed.b_appendix(HALF, Fraction(0)) / 100)


PARTICIPANTS = Proof(
    (),
    (
        Computation(
            "if only senders update v_i, Lemma 3 fails: (E‖e¹‖)² ≥ β²/16 > β²B/M = β²/50",
            "enumeration",
            _senders_alone,
        ),
        Computation("line 6 of a client that is not selected: v_2¹ depends on x⁰", "enumeration", _absent),
    ),
)
"""Algorithm 1 needs every client in every round."""

# v_i⁰ = 0: R = max ‖P_i(x⁰)‖ is at least (2/3)‖∇f(x⁰)‖, for any number of local gradient steps.
n, a, sums, size, own, R = letters("n a sums size update_norm R")
_LARGE = Fact("Σ ‖∇f_i(x⁰)‖ ≤ (3/2)nR", 2 * sums <= 3 * n * R, "derived")
_ZERO_MEMORY = hypothesis("v_i⁰ = 0: ‖(x⁰ − T_i(x⁰))/γ‖ ≤ R", own <= R)
_NEAR = obligation(
    "‖∇f_i(x⁰)‖ ≤ (3/2)R",
    (
        SMOOTH,
        GAMMA,
        LOCAL_STEP,
        SHARP.conclusion,
        standard(
            "(x⁰ − T_i(x⁰))/γ is the mean of the ∇f_i(x_j), each within L‖x_j − x⁰‖ of ∇f_i(x⁰)",
            slope <= own + L * (Q_T / T),
        ),
        definition("T ≥ 1, ‖∇f_i(x⁰)‖ ≥ 0", (T >= 1) & (slope >= 0)),
        _ZERO_MEMORY,
    ),
    2 * slope <= 3 * R,
)
_SUMS = Induction(
    _LARGE.name,
    _LARGE,
    obligation("no client, zero memory", (), sympy.true),
    obligation(
        "one client more, zero memory",
        (_LARGE, _NEAR.conclusion),
        2 * (sums + slope) <= 3 * R * (n + 1),
    ),
    start=((n, 0), (sums, 0)),
    next=((n, n + 1), (sums, sums + slope)),
)
_VACUOUS = obligation(
    "2R ≥ (4/3)‖∇f(x⁰)‖",
    (
        CLIENTS,
        _LARGE.at({n: M}),
        standard("triangle inequality: ‖∇f(x⁰)‖ ≤ (1/M) Σ ‖∇f_i(x⁰)‖", (a * M <= sums) & (a >= 0)),
    ),
    6 * R >= 4 * a,
)


def _cyclic() -> Comparison:
    """Incremental gradient, L = 1, γ = 1/2, one client with two functions, f_0' = 4 + x and f_1' = −2.998 + x between their knots:
    R = ‖(x⁰ − T(x⁰))/γ‖ at x⁰ = 0 against (2/3)‖∇f(x⁰)‖, the inequality that local gradient steps obey."""
    t, gamma_ = Fraction(1, 500), HALF
    parts = (
        Curve((Fraction(-4), Fraction(0)), (Fraction(0), Fraction(4))),
        Curve((Fraction(-1), 3 - t), (t - 4, Fraction(0))),
    )
    x, update = Fraction(0), Fraction(0)
    for part in parts:
        update += part.gradient(x) / 2
        x -= gamma_ / 2 * part.gradient(x)
    whole = sum((part.gradient(Fraction(0)) for part in parts), Fraction(0)) / 2
    allowed = all(p.smoothness <= 1 and p.slopes[0] <= 0 <= p.slopes[-1] for p in parts)
    met = (("each f_j is 1-smooth and bounded below", allowed),)
    return Comparison(abs(update), "<", Fraction(2, 3) * abs(whole), met)


# Section 4: the operator at its limits.
normed = letters("normed")[0]
_SOME = hypothesis("α ≥ 0", alpha >= 0)
_DEFINED = hypothesis("α + ‖g‖ > 0", alpha + size > 0)
_NORMED = definition("‖Norm_α(g)‖ = ‖g‖/(α + ‖g‖)", (size >= 0) & equal(normed * (alpha + size), size))
_SHORT = obligation("‖Norm_α(g)‖ ≤ 1", (_SOME, _DEFINED, _NORMED), (normed >= 0) & (normed <= 1))


GRID = 2**200


def _output(v: Values) -> Comparison:
    """A gentle slope, then a cliff that the last rounds climb down: the gradient at x^{K+1} against Theorem 1 of F.2 at T = 1.

    Both clients have f' on the path (their dips lie far to the left), so that P_i(x) = f'(x) and v_1 = v_2 = v. With β ≤ α the
    memory's step v + β Norm_α(f' − v) increases with v: a lower bound of v, rounded down, stays one.
    """
    a, b, radius, tilt, rounds, cliff = (
        v["alpha"],
        v["beta"],
        v["R"],
        v["slope"],
        int(v["K"]) + 1,
        int(v["cliff"]),
    )
    g = HALF
    step = g / 3 * b * radius / (a + radius)
    edge = -(rounds - cliff) * step
    height = cliff * step
    f = Curve((edge - 2 * height, edge - height, edge, Fraction(0)), (Fraction(0), height, tilt, tilt))
    clients = with_dips([f, f], (v["place_1"], v["place_2"]), v["width"])
    whole = mean(clients)
    x = Fraction(0)
    start = f.gradient(x) + radius
    low, rising, best = start, True, f.gradient(x)
    for _ in range(rounds):
        slope = f.gradient(x)
        best = min(best, slope)
        low = Fraction(((low + b * normalise(a, slope - low)) * GRID).__floor__(), GRID)
        rising = rising and low > 0
        x -= step
    spread_ = whole.infimum - sum((h.infimum for h in clients), Fraction(0)) / 2
    gap = whole.value(Fraction(0)) - whole.infimum
    given = {
        "f_gap": gap, "K": v["K"], "eta": step, "R": radius, "alpha": a, "beta": b, "M": Fraction(2), "p": ONE, "sigma": Fraction(0),
        "gamma": g, "T": ONE, "L": ONE, "Delta": spread_,
    }  # fmt: skip
    bound = printed.APPENDIX.value(**given)
    met = (
        ("every f_i is 1-smooth", max(h.smoothness for h in clients) == 1),
        ("f_i' = f' on the path", all(h.gradient(-j * step) == f.gradient(-j * step) for h in clients for j in range(rounds + 1))),
        ("v̂ > 0 in every round, so that x falls by η", rising and b <= a),
        ("R = ‖v_i⁰ − ∇f_i(x⁰)‖", start - f.gradient(Fraction(0)) == radius),
        *conditions.met(printed.APPENDIX, given),
        ("the best iterate obeys the bound", best <= bound),
    )  # fmt: skip
    return Comparison(abs(whole.gradient(x)), "<=", bound, met)


# The telescoped sum over all rounds bounds the mean over x⁰, …, x^K, and not its least member alone.
_drawn = letters("E‖∇f(x^j)‖,j≤K")[0]
_OF_ALL = obligation(
    "E‖∇f(x^j)‖ ≤ 3(f(x⁰) − f^inf)/((K+1)η) + 2R + ηL/2 for a j that is drawn uniformly from 0, …, K",
    (
        ETA,
        SMOOTH,
        ROUNDS,
        GAP,
        CLIENTS,
        ro.BOUNDED,
        ro.LEVEL,
        QUIET,
        no.TIGHT_B,
        ro.TELESCOPED.at(ro.AFTER_ALL),
        definition("the mean over the K + 1 iterates", equal(_drawn * (K + 1), ro.total_W)),
    ),
    _drawn <= 3 * F / ((K + 1) * eta) + 2 * R + eta * L / 2,
)
_DRAWN = Proof(
    (*ro.ONE_STEP_HYPOTHESES, QUIET, GAMMA, LOCAL_STEP, FEEDBACK, ro.HALF_STEP),
    (
        FROM_FEEDBACK,
        ro.shorter(ro.STEP_ONE, ro.HALF_STEP),
        *(node for node in ro.ONE_STEP_NODES if node not in (ro.AT_LEAST, ro.END_ONE)),
        _OF_ALL,
    ),
)

CLAIMS = (
    claim(
        "FED-ALG1",
        "Section 4, Algorithm 1",
        "definition",
        "probability of transmitting the client's local vector to the server p ∈ [0, 1] […] Choose q_i^k = 1/p with "
        "prob. p and 0 otherwise […] Server updates x^{k+1} = x^k − (η/‖v̂^{k+1}‖)(v̂^{k+1})",
        "p = 0 divides by zero; so does a round in which v̂^{k+1} = 0, which has positive probability for "
        "v_i⁰ = 0 and p < 1. What line 12 does there is not said (in [60] it is: NEC-ALG1-ZERO).",
        gap=Gap(
            "undefined",
            "v̂^{k+1}/‖v̂^{k+1}‖ at v̂^{k+1} = 0",
            Witness(
                values(p="1/2", beta=1, M=2),
                "‖v̂¹‖ is not 0",
                _empty_round,
                "v_i⁰ = 0, M = 2, p = 1/2: nobody sends in round 0 with probability 1/4",
            ),
        ),
        repair=Repair(
            "p ∈ (0, 1], so that 1/p is defined, and 0/0 = 0: then Lemma 4 holds for every draw.",
            "p > 0, 0/0 = 0",
            Proof((PARTICIPATION, ETA, SMOOTH, de.NO_STEP), (_QUOTIENT, de.AT_ZERO, de.LEMMA4_ANY)),
            weakest="the condition only says that 1/p and x^{k+1} exist",
        ),
    ),
    claim(
        "FED-ALG1@participants",
        'Section 4, paragraph before Algorithm 1: "each selected client then performs a local update"',
        "definition",
        "the server broadcasts the current global model x^k to a subset of participating clients. Each selected client "
        "then performs a local update […]. In addition, each client computes its local memory vector v_i^k […] [Algorithm 1:] for "
        "each client i = 1, 2, …, M in parallel do […] Compute local updating T_i(x^k) […] Update v_i^{k+1} = v_i^k + βΔ_i^k",
        "Line 6 needs T_i(x^k) of every client; by the paragraph a client that is not selected is not sent x^k and performs no local "
        "update. In Algorithm 1 every client computes and updates v_i in every round, and only sending is random.",
        conflict=PARTICIPANTS,
        consequence="Every client must compute in every round: participation saves messages, not work, and an absent client's data is "
        "used. (If only senders updated v_i, v̂ − (1/M)Σv_i would drift by β(1−p)Δ in the mean, which averaging over clients does not "
        "reduce, and Lemma 3 fails: 100 clients with the same Δ of norm 1/2, p = 1/2, σ = 0.)",
    ),
    claim(
        "FED-NORM",
        "Section 4, before Algorithm 1, against Algorithm 1's α > 0",
        "definition",
        "Norm_α(g) := (1/(α + ‖g‖))g, for some α ≥ 0. This operator ensures bounded sensitivity of the client update as "
        "‖Norm_α(g)‖ ≤ 1 for any g ∈ ℝ.",
        "As NEC-L1a: true wherever it is defined; at α = 0 it is not for g = 0, which occurs wherever a memory has met its client's "
        "update; Algorithm 1 asks α > 0. (g ∈ ℝ is read as g ∈ ℝ^d.)",
        repair=Repair(
            "‖Norm_α(g)‖ ≤ 1 for all α ≥ 0 and g with α + ‖g‖ > 0, so for α > 0 everywhere.",
            "α + ‖g‖ > 0",
            Proof((_SOME, _DEFINED), (_SHORT,)),
            weakest="the condition only says that Norm_α(g) exists (NEC-L1a)",
        ),
        gap=UNDEFINED,
    ),
    claim(
        "FED-ALG1@output",
        "Algorithm 1, line 14, against Theorem 1 and Section 4, full participation and non-private setting",
        "definition",
        "Output: x^{K+1} (Algorithm 1) […] min_{k∈[0,K]} E[‖∇f(x^k)‖] ≤ […] (Theorem 1) […] In a full participation and non-private "
        "setting, Fed-α-NormEC achieves the convergence according to Theorem 1 with T = 1, p = 1, and σ_DP = 0, […]. Therefore, the "
        "convergence bound consists of only three terms: (3/(K+1))((f(x⁰) − f^inf)/η) + 2R + ηL/2.",
        "The theorem bounds the least gradient norm among x⁰, …, x^K and says nothing of x^{K+1}, which is what comes out: on a cliff "
        "after a gentle slope its gradient exceeds the bound. Of which iterate “convergence” is said is open (as in NEC-ALG1-OUT).",
        gap=Gap(
            "reading",
            "that the output, x^{K+1}, converges so",
            Witness(
                values(
                    alpha=20,
                    beta=20,
                    R=1,
                    slope="1/100",
                    K=399,
                    cliff=20,
                    place_1=-300,
                    place_2=-600,
                    width=20,
                ),
                "‖∇f(x^{K+1})‖ ≤ 3/(K+1) (f(x⁰)−f^inf)/η + 2R + ηL/2",
                _output,
                "M = 2, T = p = L = 1, γ = 1/2, σ = 0, η = 10/63, 400 rounds: f' is 1/100 for 380 rounds, then "
                "rises to 3.2; Δ^inf > 0 by a dip of width 20 in each f_i, far off, which the other f_i fills",
            ),
        ),
        repair=Repair(
            "An iterate that is drawn uniformly from x⁰, …, x^K has these three terms for its bound, in the mean: output it.",
            "another output than x^{K+1}",
            _DRAWN,
        ),
        consequence="The bounds FED-R1 to FED-R3-SHARP are of min_k E‖∇f(x^k)‖. With one local step an iterate that is so drawn has "
        "that of FED-R1 with noise and absent clients too, and to draw it releases nothing. (To pick the iterate whose gradient is "
        "least reads the data anew, which the noise of the messages does not cover.)",
    ),
    claim(
        "FED-INIT",
        "Corollaries 1 to 6",
        "privacy",
        "v_i⁰ ∈ ℝ^d is chosen such that […] max_{i∈[1,M]} ‖(x⁰ − T_i(x⁰))/γ − v_i⁰‖ = D₁/(K+1)^{1/6} with D₁ > 0 "
        "[1/8 in Corollaries 3 and 5; 2, 4 and 6 ask α = R = O(…)] […] v̂⁰ = (1/M) Σ_{i=1}^M v_i⁰ (Algorithm 1) […] "
        "Fed-α-NormEC satisfies (ϵ, δ)-DP (Section 4)",
        "Such v_i⁰ are functions of the private data, and the server needs their mean before the first noise is added.",
        witness=Witness(
            first_release.NUMBERS,
            "P[A | D] ≤ e^ε P[A | D'] + δ",
            first_release.released,
            first_release.PROBLEM,
        ),
        repair=Repair(
            "The memories v_i⁰ = 0 give nothing away (a step η that is made from R or f(x⁰) − f^inf still does, as in "
            "FED-C2-DP@step-size). They make R = max_i ‖(x⁰ − T_i(x⁰))/γ‖ ≥ (2/3) max_i ‖∇f_i(x⁰)‖ for any number of local gradient "
            "steps, so that the bounds of Corollaries 1 and 3, and those of 2 and 4 before O(·), which are at least 2R, are at "
            "least (4/3)‖∇f(x⁰)‖: they say nothing (for one step at least 2‖∇f(x⁰)‖). With incremental gradient (Corollaries 5 and "
            "6) R can be small where ∇f(x⁰) is not.",
            "v_i⁰ = 0; local gradient steps with γ ≤ 1/(2L), as in the corollaries",
            Proof(
                (SMOOTH, GAMMA, LOCAL_STEP, _ZERO_MEMORY),
                (
                    Computation("incremental gradient: R < (2/3)‖∇f(x⁰)‖ happens", "enumeration", _cyclic),
                    *SHARP_NODES,
                    _NEAR,
                    _SUMS,
                    _VACUOUS,
                ),
            ),
        ),
        consequence="Either the first release is noised and counted, or, with v_i⁰ = 0, the bounds of Corollaries 1 to 4 are "
        "vacuous. FED-R1-FORGETS and, with several local steps, FED-R2-FORGETS and FED-R3-FORGETS say something for v_i⁰ = 0 where "
        "V = E‖z‖² does not move with K; with the noise of privacy FED-R1-FORGETS does only for pM > 32V/(K+1) "
        "(FED-R1-FORGETS@noise).",
    ),
)
