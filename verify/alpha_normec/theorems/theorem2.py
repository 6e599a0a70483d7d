"""Theorem 2, the private setting: in the text and in Appendix G, in each reading of σ_DP."""

from __future__ import annotations

from fractions import Fraction

import sympy

from bounds.alpha_normec.theorem2 import (
    THEOREM2_APPENDIX,
    THEOREM2_MAIN,
    noise_appendix,
    noise_main,
    theorem2_appendix,
    theorem2_coordinate,
    theorem2_main,
)
from bounds.statement import Bound
from verify.alpha_normec.lemmas.lemma2 import L2, LEMMA2_VALUES
from verify.alpha_normec.lemmas.lemma3 import (
    ANY_NOISE,
    COORDINATE,
    DIMENSION,
    INDEPENDENTLY,
    NOISE_BASE,
    VECTOR,
    mean_norm,
    noise_nodes,
)
from verify.alpha_normec.letters import (
    ALPHA,
    ALPHA0,
    BETA,
    CLIENTS,
    CONTRACTION,
    GAMMA,
    LETTERS,
    PAPER,
    RESIDUAL,
    ROUNDS,
    SHORT_STEP,
    SIGMA,
    SMOOTH,
    SMOOTH_MAX,
    K,
    R,
    beta,
    d,
    n,
    r,
    remaining,
    sigma,
    w,
)
from verify.alpha_normec.theorems import descent, noise_per_coordinate
from verify.alpha_normec.theorems.descent import (
    BOUNDED,
    CITE_LEMMA1,
    LINEAR,
    SMOOTH_I,
    START,
    WHOLE,
    error,
    floor,
    mean_error,
)
from verify.alpha_normec.theorems.theorem1 import star, step1
from verify.claim import Claim, Gap, Repair, Values, Witness
from verify.computation import Comparison
from verify.curves import Quadratic
from verify.exact import alpha_normec
from verify.facts import Fact, definition, equal
from verify.gram import Space, vectors
from verify.obligation import Obligation, obligation
from verify.proof import Node, Proof

noisy = sympy.Symbol("‖e‖", real=True)

PROBLEM = (ALPHA, GAMMA, SMOOTH, SMOOTH_MAX, SMOOTH_I, SHORT_STEP, START, BOUNDED)
"""What Theorem 2 assumes besides the noise; β > 0 is among `NOISE_BASE`."""


def split() -> Obligation:
    """‖∇f − ĝ‖ ≤ ‖∇f − g‖ + ‖e‖."""
    inside, outside = vectors("∇f−g e")
    space = Space((inside, outside))
    for name_of, vector in (("‖∇f−g‖", inside), ("‖e‖", outside), ("error", inside - outside)):
        space.norm(vector, name_of)
    return obligation("‖∇f − ĝ‖ ≤ ‖∇f − g‖ + ‖e‖", space.facts(), error <= mean_error + noisy)


def theorem2(
    variance: sympy.Expr,
    reading: Fact,
    level: sympy.Expr,
    value: sympy.Expr,
    feedback: Fact = CONTRACTION,
    rest: sympy.Expr = R,
    name: str = "R",
    extra: tuple[Fact, ...] = (),
    smoothing: Fact = ALPHA,
    lemma1: Node = CITE_LEMMA1,
    independent: bool = True,
) -> Proof:
    """Theorem 2: the deterministic part as in Theorem 1, plus Lemma 3. `level` is the printed noise term, `rest` what
    bounds a client's ‖∇f_i − g_i⁺‖ under the condition `feedback` on β; smoothing: the domain of α for which `lemma1` is shown;
    independent: whether the noises of a round are, from client to client."""
    kept = descent.kept(feedback, rest, name, smoothing, lemma1)
    average = descent.average_error(rest, kept[-1].conclusion)
    down = descent.normalised_descent()
    lemma3 = noise_nodes(variance, reading, extra, independent)
    apart = split()
    sizes = (SIGMA, CLIENTS, ROUNDS, definition("d ≥ 1", d >= 1))
    same_e = definition("the letter for E‖e^(k+1)‖", equal(noisy, mean_norm))
    expected = obligation(
        "E‖∇f − ĝ‖ ≤ R + noise term",
        (apart.conclusion, average[-1].conclusion, lemma3[-1].conclusion, same_e, LINEAR, BETA, *sizes),
        error <= rest + level,
    )
    sums = descent.summed(rest + level, (down.conclusion, expected.conclusion, *sizes))
    bound = obligation(
        "which is the stated bound", (sums[-1].conclusion, WHOLE, GAMMA, BETA, *sizes), floor <= value
    )
    nodes = (*kept, *average, down, *lemma3, apart, expected, *sums, bound)
    problem = (smoothing if fact is ALPHA else fact for fact in PROBLEM)
    noise = NOISE_BASE if independent else ANY_NOISE
    return Proof((*problem, feedback, SIGMA, *noise, reading, *extra), nodes)


_CONDITIONS = "Let β, α, γ > 0 be chosen such that β/(α+R) < 1, and γ ≤ βR/(α+R) · 1/L_max, […]"
MAIN = f"{_CONDITIONS}. Then, min_{{k∈[0,K]}} E‖∇f(x^k)‖ ≤ (f(x⁰) − f^inf)/(γ(K+1)) + 2R + (L/2)γ + 2√(β²(K+1)σ_DP²)."
APPENDIX = (
    f"[Section 5:] {_CONDITIONS} [Appendix G:] Therefore, min_{{k∈[0,K]}} E‖∇f(x^k)‖ ≤ … ≤ (f(x⁰) − f^inf)/(γ(K+1)) + 2R + "
    "2√(β²(K+1)σ_DP²/n) + (L/2)γ"
)
_POSITIONS = {name: LETTERS[name] for name in ("f_gap", "gamma", "K", "R", "L", "beta", "sigma")}
_MAIN_PROOF = theorem2(
    sigma**2, VECTOR, noise_main(beta, K, sigma), theorem2_main(**_POSITIONS), independent=False
)
"""The main text's bound: by Jensen's inequality the mean of the clients' noises is no larger than one of them."""
APPENDIX_PROOF = theorem2(
    sigma**2, VECTOR, noise_appendix(beta, K, sigma, n), theorem2_appendix(**_POSITIONS, n=n)
)
FROM_ZERO_PROOF = theorem2(
    sigma**2,
    VECTOR,
    noise_appendix(beta, K, sigma, n),
    theorem2_appendix(**_POSITIONS, n=n),
    smoothing=ALPHA0,
    lemma1=descent.lemma1_from_zero(),
)
"""Appendix G's bound for α ≥ 0, with Norm_0(0) := 0."""
_MAIN_COORDINATE = theorem2(
    d * sigma**2,
    COORDINATE,
    noise_main(beta, K, sympy.sqrt(d) * sigma),
    theorem2_coordinate(**_POSITIONS, n=sympy.Integer(1), d=d),
    extra=(DIMENSION,),
    independent=False,
)
_APPENDIX_COORDINATE = theorem2(
    d * sigma**2,
    COORDINATE,
    noise_appendix(beta, K, sympy.sqrt(d) * sigma, n),
    theorem2_coordinate(**_POSITIONS, n=n, d=d),
    extra=(DIMENSION,),
)


def _drowns(bound: Bound) -> Witness:
    """Against a printed bound, with noise of standard deviation σ_DP in each coordinate."""
    return Witness(
        noise_per_coordinate.NUMBERS,
        "min_{k≤K} E‖∇f(x^k)‖ ≤ the printed bound (its left side bounded below)",
        noise_per_coordinate.stays(bound),
        noise_per_coordinate.PROBLEM,
    )


_A_COORDINATE = "σ_DP² is the variance of a coordinate"
T2_MAIN = Claim(
    id="NEC-T2-MAIN",
    paper=PAPER,
    place="Theorem 2, Section 5",
    kind="theorem",
    printed=MAIN,
    reason="Right where σ_DP² is E‖z_i‖² of the whole vector; weaker by √n than Appendix G. But it takes no independence between the "
    "clients of a round: the mean of n noises is no larger than one of them (Jensen's inequality), even where all draw the same.",
    repair=Repair(
        "The bound with σ_DP² := E‖z_i‖², however the noises of a round depend on each other.",
        "σ_DP² is the variance of the whole vector; each round's noise is independent of the past",
        _MAIN_PROOF,
        "per coordinate the bound is exceeded for large d (NEC-T2-MAIN@coordinate); with independent noises it holds for "
        "d ≤ 2n(K+1)/(K+2) (NEC-OUR-T2-FEW)",
    ),
    gap=Gap("reading", f"{_A_COORDINATE} (NEC-T2-MAIN@coordinate)", _drowns(THEOREM2_MAIN)),
)
T2_APP = Claim(
    id="NEC-T2-APP",
    paper=PAPER,
    place="Theorem 2 as Appendix G proves it, last display",
    kind="theorem",
    printed=APPENDIX,
    reason="Right where σ_DP² is E‖z_i‖² of the whole vector; per coordinate the noise term lacks √d.",
    repair=Repair(
        "The bound with σ_DP² := E‖z_i‖².",
        f"σ_DP² is the variance of the whole vector; {INDEPENDENTLY}",
        APPENDIX_PROOF,
        "per coordinate the bound is exceeded (NEC-T2-APP@coordinate)",
    ),
    gap=Gap("reading", f"{_A_COORDINATE} (NEC-T2-APP@coordinate)", _drowns(THEOREM2_APPENDIX)),
    consequence="With noise of standard deviation σ per coordinate the noise term is 2√(β²(K+1)dσ²/n).",
)
T2_COORDINATE = tuple(
    Claim(
        id=f"{name}@coordinate",
        paper=PAPER,
        place=f"{place}, σ_DP per coordinate",
        kind="theorem",
        printed=printed,
        reason="The bound does not depend on d: with 200,000 coordinates the server's direction is noise, the iterates drift "
        "sideways, E‖∇f(x^k)‖ stays above 0.8 where ‖∇f(x⁰)‖ = 1, and the printed bound is 0.72.",
        witness=_drowns(bound),
        repair=repair,
    )
    for name, place, printed, bound, repair in (
        (
            "NEC-T2-MAIN",
            "Theorem 2, Section 5",
            MAIN,
            THEOREM2_MAIN,
            Repair(
                "2√(β²(K+1)dσ_DP²) for the noise term, however the noises of a round depend on each other.",
                "a factor √d; each round's noise is independent of the past",
                _MAIN_COORDINATE,
                "with noises that are independent from client to client √(d/n) will do (NEC-T2-APP@coordinate)",
            ),
        ),
        (
            "NEC-T2-APP",
            T2_APP.place,
            APPENDIX,
            THEOREM2_APPENDIX,
            Repair(
                "2√(β²(K+1)dσ_DP²/n) for the noise term.",
                f"a factor √d; {INDEPENDENTLY}",
                _APPENDIX_COORDINATE,
            ),
        ),
    )
)


def _noisy_step1(values: Values) -> Comparison:
    """Theorem 1's witness with noises ±1/100 in its one round: they move ĝ, but not its sign, so x¹ and the residuals
    are the same."""
    quiet, f, x = step1(values), Quadratic(Fraction(1)), values["x"]
    offsets = (values["R"], values["r"])
    residuals = []
    for size in (Fraction(1, 100), Fraction(-1, 100)):
        run = alpha_normec([f.gradient] * 2, x, [f.gradient(x) - o for o in offsets], values["alpha"], values["beta"],
                           values["gamma"], 1, lambda k, i, size=size: size)  # fmt: skip
        residuals.append(max(abs(f.gradient(run.x[1]) - g) for g in run.memories[1]))
    same = ("noises of ±1/100 for both clients leave the residuals as they are", residuals == [quiet.lhs] * 2)
    return Comparison(quiet.lhs, quiet.comparison, quiet.rhs, (*quiet.presupposed, same))


T2_S1 = Claim(
    id="NEC-T2-S1",
    paper=PAPER,
    place="Appendix G, Step 1",
    kind="step",
    printed="Prove by induction that ‖∇f_i(x^k) − g_i^k‖ ≤ R […] if β/(α+R) < 1, and γ ≤ βR/(α+R) · 1/L_max, then from "
    "Lemma 2 ‖∇f_i(x^{k+1}) − g_i^{k+1}‖ ≤ R.",
    reason="A residual of R/2 comes out above R, as in Theorem 1: on every path whose noise does not turn the sign of ĝ¹ it becomes "
    "17/16, with R = 1.",
    witness=Witness(LEMMA2_VALUES, "max_i ‖∇f_i(x¹) − g_i¹‖ ≤ R", _noisy_step1,
                    "Theorem 1's witness, n = 2, with and without noise in the first round"),
    repair=Repair(
        "‖∇f_i(x^k) − g_i^{k+1}‖ ≤ R on every path.",
        "the residual after the memory update",
        Proof(
            (ALPHA, BETA, GAMMA, SMOOTH_MAX, SMOOTH_I, SHORT_STEP, START, CONTRACTION),
            tuple(descent.kept(CONTRACTION, R, "R")),
        ),
    ),
)  # fmt: skip
_LEMMA2 = L2.repair
assert _LEMMA2 is not None
T2_S1_SCOPE = Claim(
    id="NEC-T2-S1@scope",
    paper=PAPER,
    place="Appendix G, Step 1, against Appendix D, Lemma 2: what the lemma is about",
    kind="step",
    printed="[Appendix D:] Lemma 2 (Non-private setting). Consider α-NormEC (Algorithm 1) for solving Problem (1) […] [Appendix G:] "
    "We prove Theorem 2 by two useful lemmas: 1. Lemma 2 […] then, if β/(α + R) < 1, and γ ≤ βR/(α+R) · 1/L_max, then from Lemma 2 "
    "‖∇f_i(x^{k+1}) − g_i^{k+1}‖ ≤ R. [that the lemma may be applied to DP-α-NormEC]",
    reason="Lemma 2 is stated for the method without noise, but its proof takes of x^{k+1} only that the step is γ long at most, "
    "which it is with noise in ĝ too: that it is applied to DP-α-NormEC does no harm. That it is false does (NEC-L2), with noise as "
    "without.",
    repair=Repair(
        "For every update x^{k+1} = x^k − γv/‖v‖ (0/0 = 0), whatever v is: ‖∇f_i(x^{k+1}) − g_i^{k+1}‖ ≤ R under NEC-L2's condition.",
        f"every update of length γ at most, with NEC-L2's condition: {_LEMMA2.condition}",
        _LEMMA2.proof,
        weakest="NEC-L2's condition is necessary there",
    ),
    gap=Gap(
        "reading",
        "with the conditions that Lemma 2 prints, and no other",
        Witness(LEMMA2_VALUES, "max_i ‖∇f_i(x¹) − g_i¹‖ ≤ R", _noisy_step1,
                "Theorem 1's witness, n = 2, with and without noise in the first round"),
    ),
)  # fmt: skip
T2_S2 = Claim(
    id="NEC-T2-S2",
    paper=PAPER,
    place="Appendix G, Step 2",
    kind="step",
    printed="‖∇f_i(x^k) − g_i^{k+1}‖ = ‖∇f_i(x^k) − g_i^k − βNorm_α(∇f_i(x^k) − g_i^k)‖ (Lemma 2)≤ "
    "|1 − β/(α + ‖∇f_i(x^k) − g_i^k‖)| ‖∇f_i(x^k) − g_i^k‖",
    reason="Lemma 1 gives it, as an equality. (The lemma that is printed for it: NEC-T2-S2@by.)",
    proof=(
        _STEP_2 := Proof(
            (ALPHA, BETA),
            (
                CITE_LEMMA1,
                obligation("≤", (ALPHA, BETA, CITE_LEMMA1.conclusion, RESIDUAL), w <= remaining(r)),
            ),
        )
    ),
)
T2_S2_BY = Claim(
    id="NEC-T2-S2@by",
    paper=PAPER,
    place="Appendix G, Step 2, what is printed above the ≤; against Appendix D, Step 2",
    kind="step",
    printed="Bound ‖∇f_i(x^k) − g_i^{k+1}‖. From the definition of the Euclidean norm, […] (Lemma 2)≤ [Appendix D, Step 2:] "
    "(Lemma 1)≤ [that Lemma 2 holds, as the reason for the ≤]",
    reason="Lemma 2 is refuted, and it is about ‖∇f_i(x^{k+1}) − g_i^{k+1}‖, which does not stand here. Appendix D prints Lemma 1 for "
    "the same line.",
    witness=L2.witness,
    repair=Repair("The step by Lemma 1.", "Lemma 1 for Lemma 2", _STEP_2),
    consequence="none for the theorem: the line is Lemma 1's",
)
T2_S3 = Claim(
    id="NEC-T2-S3",
    paper=PAPER,
    place="Appendix G, Step 3",
    kind="step",
    printed="E[‖∇f_i(x^k) − g_i^{k+1}‖ | F^k] ≤ … ≤ (1 − β/(α+R)) R ≤ R, where we reach the second inequality by the fact that "
    "‖∇f_i(x^k) − g_i^k‖ ≤ R, β/(α+R) < 1, and γ ≤ βR/(α+R) · 1/L_max […] Therefore, min_{k∈[0,K]} E‖∇f(x^k)‖ ≤ … + "
    "2R + 2√(β²(K+1)σ_DP²/n) + (L/2)γ",
    reason="The middle inequality can fail for β > α (here 1/8 against 1/16); with ≤ R in its place the step goes through. (The "
    "descent inequality's second line has a wrong sign, as in Appendix D: NEC-T1-S3@sign.)",
    witness=Witness(LEMMA2_VALUES, "|1 − β/(α+r)| r ≤ (1 − β/(α+R)) R", star),
    repair=Repair(
        "The same with |1 − β/(α+r)| r ≤ R and σ_DP² := E‖z_i‖².",
        f"R in the place of (1 − β/(α+R))R, and σ_DP² the variance of the whole vector; {INDEPENDENTLY}",
        APPENDIX_PROOF,
        "per coordinate the last display fails (NEC-T2-APP@coordinate)",
    ),
)

CLAIMS = (
    T2_MAIN,
    T2_APP,
    *T2_COORDINATE,
    T2_S1,
    T2_S1_SCOPE,
    T2_S2,
    T2_S2_BY,
    T2_S3,
)
