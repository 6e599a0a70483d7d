"""Lemma 3 and Theorem 2: the private setting, in each version of the text and each reading of σ_DP."""

from __future__ import annotations

from fractions import Fraction

import sympy

from bounds.alpha_normec.ours import PRIVATE_SHARP, PRIVATE_WIDE
from bounds.alpha_normec.theorem2 import (
    noise_appendix,
    noise_main,
    theorem2_appendix,
    theorem2_coordinate,
    theorem2_main,
)
from bounds.statement import Bound
from verify.alpha_normec import descent
from verify.alpha_normec.descent import BOUNDED, CITE_LEMMA1, SMOOTH_I, START, count, error, floor
from verify.alpha_normec.letters import (
    ALPHA,
    BETA,
    CONTRACTION,
    GAMMA,
    LETTERS,
    PAPER,
    RESIDUAL,
    SHORT_STEP,
    SMOOTH,
    SMOOTH_MAX,
    K,
    R,
    alpha,
    beta,
    d,
    n,
    r,
    remaining,
    sigma,
    w,
)
from verify.alpha_normec.simulation import coordinate_trial
from verify.alpha_normec.theorem1 import GENTLE, LEMMA2_VALUES, WIDE, _star, _step1
from verify.claim import Claim, Repair, Values, Witness
from verify.exact import Quadratic, alpha_normec
from verify.facts import Fact, definition, derived, hypothesis, standard
from verify.gram import Space, inner, square, vectors
from verify.obligation import Obligation, obligation
from verify.proof import Comparison, Induction, Node, Proof

SIGMA = hypothesis("σ_DP ≥ 0", sigma >= 0)
CLIENTS = hypothesis("n ≥ 1", n >= 1)
START_E = hypothesis("ĝ⁰ = (1/n)Σg_i⁰", sympy.true)
k, second, spread, mean_norm = sympy.symbols("k E‖e‖² E‖Σz‖² E‖e‖", real=True)
ROUNDS = definition("0 ≤ k ≤ K", (k >= 0) & (k <= K))
_past, _fresh, _sum, _one, _norm, _unit = vectors("e z Σz z_i ‖e‖ 1")


def noise_nodes(variance: sympy.Expr, reading: Fact, extra: tuple[Fact, ...] = ()) -> list[Node]:
    """E‖e^{k+1}‖ ≤ √(β²(K+1) variance/n), where E‖z_i‖² ≤ variance: random vectors as vectors of L²."""
    clients = Space((_sum, _one))
    grow = derived("E‖Σ_{i≤m} z_i‖² ≤ m E‖z‖²", spread <= count * variance)
    total = square(_sum)
    apart = hypothesis("clients' noises are independent with zero mean", sympy.Eq(inner(_sum, _one), 0))
    meant = definition("E‖Σz‖² is that square", sympy.Eq(spread, total))
    one_more = Obligation("one client more", (grow, meant, apart, reading, *clients.facts()),
                          derived("step", square(_sum + _one) <= (count + 1) * variance))  # fmt: skip
    none = Obligation("no client", (), derived("start", sympy.Le(0, 0 * variance)))
    across = Induction(grow.name, grow, none, one_more, ((spread, 0), (count, 0)),
                       ((spread, square(_sum + _one)), (count, count + 1)))  # fmt: skip
    averaged = obligation(
        "E‖(1/n)Σz_i‖² ≤ E‖z‖²/n",
        (CLIENTS, grow, definition("all n clients", sympy.Eq(count, n)),
         definition("z = (1/n)Σz_i", sympy.Eq(square(_fresh) * n**2, spread))),
        square(_fresh) * n <= variance,
    )  # fmt: skip
    rounds = Space((_past, _fresh))
    kept = derived("E‖eᵏ‖² ≤ k β² E‖z‖²/n", second * n <= k * beta**2 * variance)
    new = hypothesis("noise is independent of the past with zero mean", sympy.Eq(inner(_past, _fresh), 0))
    now = definition("E‖eᵏ‖² is that square", sympy.Eq(second, square(_past)))
    later = square(_past + beta * _fresh)
    step = Obligation("one round more", (BETA, CLIENTS, kept, now, new, averaged.conclusion, *rounds.facts()),
                      derived("step", later * n <= (k + 1) * beta**2 * variance))  # fmt: skip
    start = Obligation("e⁰ = 0", (START_E,), derived("start", sympy.Le(0 * n, 0 * beta**2 * variance)))
    over = Induction(kept.name, kept, start, step, ((second, 0), (k, 0)), ((second, later), (k, k + 1)))
    jensen = Space((_norm, _unit))
    final = obligation(
        "E‖e^(k+1)‖ ≤ √(β²(K+1)E‖z‖²/n)",
        (BETA, CLIENTS, kept, definition("1 ≤ k ≤ K+1", (k >= 1) & (k <= K + 1)),
         definition("E1 = 1", sympy.Eq(square(_unit), 1)), definition("E‖e‖² again", sympy.Eq(square(_norm), second)),
         definition("E‖e‖ = ⟨‖e‖, 1⟩", sympy.Eq(mean_norm, inner(_norm, _unit))),
         definition("E‖z‖² ≥ 0", variance >= 0), *extra, *jensen.facts()),
        mean_norm <= sympy.sqrt(beta**2 * (K + 1) * variance / n),
    )  # fmt: skip
    return [across, averaged, over, final]


INDEPENDENT = hypothesis("clients' noises are independent with zero mean", sympy.Eq(inner(_sum, _one), 0))
FRESH = hypothesis("noise is independent of the past with zero mean", sympy.Eq(inner(_past, _fresh), 0))
VECTOR = hypothesis("E‖z_i‖² ≤ σ_DP² (σ_DP² is the variance of the whole vector)", square(_one) <= sigma**2)
COORDINATE = hypothesis("E‖z_i‖² = dσ_DP² (σ_DP is per coordinate)", sympy.Eq(square(_one), d * sigma**2))
DIMENSION = hypothesis("d ≥ 1", d >= 1)
A_SQUARE = definition("E‖z_i‖² ≥ 0", square(_one) >= 0)
NOISE_BASE = (BETA, CLIENTS, START_E, INDEPENDENT, FRESH)
L3_PRINTED = (
    "If ĝ⁰ = (1/n)Σ g_i⁰, then E‖ĝ^{k+1} − (1/n)Σ g_i^{k+1}‖ ≤ √(β²(K+1)σ_DP²/n). [z_i^k are sampled from Gaussian "
    "distribution with zero mean and σ_DP²-variance.]"
)


def _lemma3_coordinate(values: Values) -> Comparison:
    """k = K = 0, n = 1, d = 2: e¹ = βz⁰ and E‖z⁰‖ = σ√(π/2), so that (E‖e¹‖)² = β²σ²π/2 > (3/2)β²σ² as π > 3."""
    rounds, clients, b, sd = values["K"], values["n"], values["beta"], values["sigma"]
    return Comparison(Fraction(3, 2) * b**2 * sd**2, "<=", b**2 * (rounds + 1) * sd**2 / clients, (
        ("one round, one client, β, σ_DP > 0", rounds == 0 and clients == 1 and min(b, sd) > 0),
        ("d = 2 coordinates of standard deviation σ_DP", values["d"] == 2),
        ("the mean of a Rayleigh variable: (E‖z‖)² = σ²π/2 > 3σ²/2 since π > 3", bool(sympy.pi > 3)),
    ))  # fmt: skip


L3 = Claim(
    id="NEC-L3",
    paper=PAPER,
    place="Lemma 3, Appendix G",
    kind="lemma",
    printed=L3_PRINTED,
    reason="Right where σ_DP² is E‖z_i‖² of the whole vector, as its proof takes it; Algorithm 1 does not say so.",
    repair=Repair(
        "The bound with E‖z_i‖² in the place of σ_DP²; per coordinate it gains the factor √d.",
        "σ_DP² := E‖z_i‖²",
        Proof((*NOISE_BASE, VECTOR), tuple(noise_nodes(sigma**2, VECTOR))),
    ),
)
L3_VECTOR = Claim(
    id="NEC-L3@vector",
    paper=PAPER,
    place="Lemma 3, σ_DP² = E‖z_i‖²",
    kind="lemma",
    printed=L3_PRINTED,
    reason="Independent zero-mean noises are orthogonal in L²; E‖e‖ ≤ √E‖e‖².",
    proof=Proof((*NOISE_BASE, VECTOR), tuple(noise_nodes(sigma**2, VECTOR))),
)
L3_COORDINATE = Claim(
    id="NEC-L3@coordinate",
    paper=PAPER,
    place="Lemma 3, σ_DP per coordinate",
    kind="lemma",
    printed=L3_PRINTED,
    reason="Already for d = 2 and one round E‖e¹‖ = β√(π/2)σ_DP > βσ_DP.",
    witness=Witness({"d": Fraction(2), "K": Fraction(0), "n": Fraction(1), "beta": Fraction(1), "sigma": Fraction(1)},
                    "(E‖e¹‖)² ≤ β²(K+1)σ_DP²/n", _lemma3_coordinate),
    repair=Repair(
        "E‖e^{k+1}‖ ≤ √(β²(K+1)dσ_DP²/n).",
        "a factor √d",
        Proof((*NOISE_BASE, COORDINATE, DIMENSION), tuple(noise_nodes(d * sigma**2, COORDINATE, (DIMENSION,)))),
        weakest="E‖z‖/(σ√d) → 1 as d grows, so no smaller power of d will do",
    ),
)  # fmt: skip

mean_error, noisy = sympy.symbols("‖∇f−g‖ noise", real=True)


def theorem2(
    variance: sympy.Expr,
    reading: Fact,
    level: sympy.Expr,
    value: sympy.Expr,
    feedback: Fact = CONTRACTION,
    rest: sympy.Expr = R,
    name: str = "R",
    extra: tuple[Fact, ...] = (),
) -> Proof:
    """Theorem 2: the deterministic part as in Theorem 1, plus Lemma 3. `level` is the printed noise term, `rest` what
    bounds a client's ‖∇f_i − g_i⁺‖ under the condition `feedback` on β."""
    short = descent.steps_are_short()
    grows = descent.residual_grows_slowly(short.conclusion)
    kept = descent.level_is_kept(feedback, rest, name)
    average = descent.average_error(rest, kept.conclusion, mean_error)
    down = descent.normalised_descent()
    lemma3 = noise_nodes(variance, reading, extra)
    inside, outside = vectors("∇f−g e")
    space = Space((inside, outside))
    for name_of, vector in (("‖∇f−g‖", inside), ("noise", outside), ("error", inside - outside)):
        space.norm(vector, name_of)
    split = obligation("‖∇f − ĝ‖ ≤ ‖∇f − g‖ + ‖e‖", space.facts(), error <= mean_error + noisy)
    linear = standard(
        "an inequality that is linear in random quantities holds for their expectations", sympy.true
    )
    same_e = definition("the letter for E‖e^(k+1)‖", sympy.Eq(noisy, mean_norm))
    expected = obligation(
        "E‖∇f − ĝ‖ ≤ R + noise term",
        (split.conclusion, average[-1].conclusion, lemma3[-1].conclusion, same_e, linear, SIGMA, BETA, CLIENTS,
         definition("K ≥ 0", K >= 0), definition("d ≥ 1", d >= 1)),
        error <= rest + level,
    )  # fmt: skip
    sums = descent.summed(rest + level, (down.conclusion, expected.conclusion, SIGMA, CLIENTS, definition("K ≥ 0", K >= 0),
                                      definition("d ≥ 1", d >= 1)))  # fmt: skip
    bound = obligation(
        "which is the stated bound",
        (sums[-1].conclusion, definition("m = K + 1", sympy.Eq(count, K + 1)), GAMMA, SIGMA, CLIENTS, BETA,
         definition("K ≥ 0", K >= 0), definition("d ≥ 1", d >= 1)),
        floor <= value,
    )  # fmt: skip
    base = (
        ALPHA,
        GAMMA,
        SMOOTH,
        SMOOTH_MAX,
        SMOOTH_I,
        SHORT_STEP,
        START,
        BOUNDED,
        feedback,
        SIGMA,
        *NOISE_BASE,
    )
    nodes = (CITE_LEMMA1, short, grows, kept, *average, down, *lemma3, split, expected, *sums, bound)
    return Proof((*base, reading, *extra), nodes)


T2_HEAD = (
    "Let β, α, γ > 0 be chosen such that β/(α+R) < 1, and γ ≤ βR/(α+R) · 1/L_max, […]. Then, "
    "min_{k∈[0,K]} E‖∇f(x^k)‖ ≤ (f(x⁰) − f^inf)/(γ(K+1)) + 2R + (L/2)γ + "
)
MAIN = T2_HEAD + "2√(β²(K+1)σ_DP²)."
APPENDIX = T2_HEAD + "2√(β²(K+1)σ_DP²/n)."
_MAIN_VECTOR = theorem2(sigma**2, VECTOR, noise_main(beta, K, sigma), theorem2_main(**{
    name: LETTERS[name] for name in ("f_gap", "gamma", "K", "R", "L", "beta", "sigma")}))  # fmt: skip
_APP_VECTOR = theorem2(sigma**2, VECTOR, noise_appendix(beta, K, sigma, n), theorem2_appendix(**{
    name: LETTERS[name] for name in ("f_gap", "gamma", "K", "R", "L", "beta", "sigma", "n")}))  # fmt: skip
_COORDINATE = theorem2(d * sigma**2, COORDINATE, noise_appendix(beta, K, sympy.sqrt(d) * sigma, n), theorem2_coordinate(**{
    name: LETTERS[name] for name in ("f_gap", "gamma", "K", "R", "L", "beta", "sigma", "n", "d")}),
    extra=(DIMENSION,),
)  # fmt: skip
T2_MAIN = Claim(
    id="NEC-T2-MAIN",
    paper=PAPER,
    place="Theorem 2, Section 5",
    kind="theorem",
    printed=MAIN,
    reason="Right, but weaker by √n than Appendix G, where σ_DP² is E‖z_i‖² of the whole vector.",
    repair=Repair(
        "The bound with σ_DP² := E‖z_i‖².", "σ_DP² is the variance of the whole vector", _MAIN_VECTOR
    ),
)
T2_APP = Claim(
    id="NEC-T2-APP",
    paper=PAPER,
    place="Theorem 2, Appendix G",
    kind="theorem",
    printed=APPENDIX,
    reason="Right where σ_DP² is E‖z_i‖² of the whole vector; per coordinate the noise term lacks √d.",
    repair=Repair(
        "The bound with σ_DP² := E‖z_i‖².", "σ_DP² is the variance of the whole vector", _APP_VECTOR
    ),
    consequence="With noise of standard deviation σ per coordinate use 2√(β²(K+1)dσ²/n).",
)
T2_COORDINATE = tuple(
    Claim(
        id=f"{name}@coordinate",
        paper=PAPER,
        place=f"{place}, σ_DP per coordinate",
        kind="theorem",
        printed=printed,
        reason="With 10⁵ coordinates the noise drowns the gradient while the printed noise term is 0.1: the iterates stay.",
        statistical=coordinate_trial,
        repair=Repair("2√(β²(K+1)dσ_DP²/n) for the noise term.", "a factor √d", _COORDINATE),
    )
    for name, place, printed in (
        ("NEC-T2-MAIN", "Theorem 2, Section 5", MAIN),
        ("NEC-T2-APP", "Theorem 2, Appendix G", APPENDIX),
    )
)


def _poster(values: Values) -> Comparison:
    """f(x) = x²/2 from x⁰ = 1, n = 1, g⁰ = −1: for K + 1 = 81 rounds ĝ < 0 unless the noise reaches 0.19, so x moves away.

    g rises by less than β a round, to at most −1 + 81β. By Kolmogorov's inequality the sum of the noises reaches the
    rest with probability at most β²(K+1)σ²/(1 − 81β)². Otherwise every |∇f(x^k)| ≥ 1.
    """
    a, b, g, sd, radius = (values[name] for name in ("alpha", "beta", "gamma", "sigma", "R"))
    rounds, root = 81, 9
    margin = 1 - rounds * b
    f = Quadratic(Fraction(1))
    quiet = alpha_normec([f.gradient], Fraction(1), [Fraction(-1)], a, b, g, 20)
    flips = b**2 * rounds * sd**2 / margin**2
    bound = Fraction(1, 2) / (g * rounds) + g / 2 + 2 * b * root * sd
    return Comparison(1 - flips, "<=", bound, (
        ("α, β, γ, σ_DP > 0", min(a, b, g, sd) > 0),
        ("R = |∇f(x⁰) − g⁰| = |1 + 1|", radius == 2),
        ("β/(α+R) < 1", b / (a + radius) < 1),
        ("γ ≤ βR/(α + R) · 1/L = βR/(α + RL) with L = 1", g <= b * radius / (a + radius)),
        ("ĝ stays below zero without noise: (K+1)β < 1", margin > 0),
        ("the first 20 rounds without noise agree: x rises by γ a round, g by less than β",
         quiet.x == tuple(1 + k * g for k in range(21)) and quiet.server[-1] < -1 + 20 * b),
    ))  # fmt: skip


POSTER = Claim(
    id="NEC-T2-POSTER",
    paper=PAPER,
    place="poster, Convergence Guarantees",
    kind="theorem",
    printed="for parameters β/(α+R) < 1, and γ ≤ βR/(α+R L), the iterates of α-NormEC satisfy: min_{k≤K} E‖∇f(x^k)‖ ≤ "
    "(f(x⁰) − f^inf)/(γ(K+1)) + γL/2 + 2√(β²(K+1)σ_DP²/n)",
    reason="The 2R of the paper is missing: from a wrong memory the method first walks uphill for R/(2β) rounds.",
    witness=Witness(
        {"alpha": Fraction(1, 50), "beta": Fraction(1, 100), "gamma": Fraction(1, 101), "sigma": Fraction(1, 100),
         "R": Fraction(2), "K": Fraction(80)},
        "min_{k≤80} E‖∇f(x^k)‖ ≤ F/(γ(K+1)) + γL/2 + 2√(β²(K+1)σ_DP²/n)",
        _poster,
        "f(x) = x²/2, n = 1, x⁰ = 1, g⁰ = −1, K + 1 = 81; the left side is a lower bound by Kolmogorov's inequality",
    ),
    repair=Repair("The appendix's bound, with 2R, σ_DP² := E‖z_i‖².", "2R added", _APP_VECTOR),
)  # fmt: skip


def _noisy_step1(values: Values) -> Comparison:
    """Theorem 1's witness with noises ±1/100 in its one round: they move ĝ, but not its sign, so x¹ and the residuals
    are the same."""
    quiet, f, x = _step1(values), Quadratic(Fraction(1)), values["x"]
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
    printed="Prove by induction that ‖∇f_i(x^k) − g_i^k‖ ≤ R […] then from Lemma 2 ‖∇f_i(x^{k+1}) − g_i^{k+1}‖ ≤ R.",
    reason="As in Theorem 1: on every path whose noise does not turn the sign of ĝ¹ a residual becomes 17/16.",
    witness=Witness(LEMMA2_VALUES, "max_i ‖∇f_i(x¹) − g_i¹‖ ≤ R", _noisy_step1,
                    "Theorem 1's witness, n = 2, with and without noise in the first round"),
    repair=Repair(
        "‖∇f_i(x^k) − g_i^{k+1}‖ ≤ R on every path.",
        "the residual after the memory update",
        Proof(
            (ALPHA, BETA, GAMMA, SMOOTH_MAX, SMOOTH_I, SHORT_STEP, START, CONTRACTION),
            (CITE_LEMMA1, descent.steps_are_short(),
             descent.residual_grows_slowly(descent.steps_are_short().conclusion),
             descent.level_is_kept(CONTRACTION, R, "R")),
        ),
    ),
)  # fmt: skip
T2_S2 = Claim(
    id="NEC-T2-S2",
    paper=PAPER,
    place="Appendix G, Step 2",
    kind="step",
    printed="‖∇f_i(x^k) − g_i^{k+1}‖ = ‖∇f_i(x^k) − g_i^k − βNorm_α(∇f_i(x^k) − g_i^k)‖ (Lemma 2)≤ "
    "|1 − β/(α + ‖∇f_i(x^k) − g_i^k‖)| ‖∇f_i(x^k) − g_i^k‖",
    reason="It is Lemma 1 (an equality), not Lemma 2, that gives it.",
    proof=Proof(
        (ALPHA, BETA),
        (CITE_LEMMA1, obligation("≤", (ALPHA, BETA, CITE_LEMMA1.conclusion, RESIDUAL), w <= remaining(r))),
    ),
)
T2_S3 = Claim(
    id="NEC-T2-S3",
    paper=PAPER,
    place="Appendix G, Step 3",
    kind="step",
    printed="E[‖∇f_i(x^k) − g_i^{k+1}‖ | F^k] ≤ … ≤ (1 − β/(α+R)) R ≤ R, where we reach the second inequality by the fact that "
    "‖∇f_i(x^k) − g_i^k‖ ≤ R, β/(α+R) < 1, and γ ≤ βR/(α+R) · 1/L_max […] Therefore, min E‖∇f(x^k)‖ ≤ … + 2R + "
    "2√(β²(K+1)σ_DP²/n) + (L/2)γ",
    reason="The middle inequality fails for β > α (1/8 against 1/16); with ≤ R in its place the step goes through.",
    witness=Witness(LEMMA2_VALUES, "|1 − β/(α+r)| r ≤ (1 − β/(α+R)) R", _star),
    repair=Repair("The same with |1 − β/(α+r)| r ≤ R.", "R in the place of (1 − β/(α+R))R", _APP_VECTOR),
)
V = sympy.Symbol("V", real=True)
VARIANCE = hypothesis("E‖z_i‖² = V ≥ 0", sympy.Eq(square(_one), V) & (V >= 0))


def _ours(bound: Bound, feedback: Fact, rest: sympy.Expr, name: str) -> Proof:
    letters = {**LETTERS, "V": V}
    return theorem2(
        V, VARIANCE, sympy.sqrt(beta**2 * (K + 1) * V / n), bound.value(**letters), feedback, rest, name
    )


OUR_WIDE = Claim(
    id="NEC-OUR-T2-WIDE",
    paper=PAPER,
    place="our generalisation of Theorem 2",
    kind="ours",
    printed="Theorem 2 (Appendix G) holds for all β ≤ (√α + √R)², with V = E‖z_i‖² in the place of σ_DP².",
    reason="The error of the clients stays at most R, the noise adds √(β²(K+1)V/n).",
    proof=_ours(PRIVATE_WIDE, WIDE, R, "R"),
)
OUR_SHARP = Claim(
    id="NEC-OUR-T2-SHARP",
    paper=PAPER,
    place="our sharpening of Theorem 2",
    kind="ours",
    printed="For β ≤ α, Theorem 2's 2R can be replaced by 2R(1 − β/(α+R)), with V = E‖z_i‖² in the place of σ_DP².",
    reason="As without noise: what remains of a residual is at most R(1 − β/(α+R)).",
    proof=_ours(PRIVATE_SHARP, GENTLE, R * (1 - beta / (alpha + R)), "R(1 − β/(α+R))"),
)
CLAIMS = (
    OUR_WIDE,
    OUR_SHARP,
    L3,
    L3_VECTOR,
    L3_COORDINATE,
    T2_MAIN,
    T2_APP,
    *T2_COORDINATE,
    POSTER,
    T2_S1,
    T2_S2,
    T2_S3,
)
