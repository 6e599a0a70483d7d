"""Lemma 3: how far the server's memory is from the clients', in each reading of σ_DP."""

from __future__ import annotations

from fractions import Fraction

import sympy

from verify.alpha_normec.letters import BETA, CLIENTS, PAPER, K, beta, d, n, sigma
from verify.claim import Claim, Gap, Repair, Values, Witness
from verify.computation import Comparison, Computation
from verify.curves import Quadratic
from verify.exact import alpha_normec
from verify.facts import Fact, definition, derived, equal, hypothesis
from verify.gram import Space, inner, square, vectors
from verify.identity import Identity
from verify.induction import Induction
from verify.obligation import Obligation, obligation
from verify.proof import Node, Proof

k, first, second, spread, mean_norm, m = sympy.symbols("k ‖e⁰‖² E‖e‖² E‖Σz‖² E‖e‖ m", real=True)
START_E = hypothesis("ĝ⁰ = (1/n)Σg_i⁰", equal(first, 0))
_past, _fresh, _sum, _one, _norm, _unit = vectors("e z Σz z_i ‖e‖ 1")

INDEPENDENT = hypothesis("clients' noises are independent with zero mean", equal(inner(_sum, _one), 0))
INDEPENDENTLY = "independent noises, as the proof of Lemma 3 has them"
"""In words, what the bounds with n in their noise term take of the noises of different clients."""
FRESH = hypothesis("noise is independent of the past with zero mean", equal(inner(_past, _fresh), 0))
COUNTED = definition("m ≥ 0", m >= 0)


def noise_nodes(
    variance: sympy.Expr, reading: Fact, extra: tuple[Fact, ...] = (), independent: bool = True
) -> list[Node]:
    """E‖e^k‖ ≤ √(kβ² variance/n), and so E‖e^{k+1}‖ ≤ √(β²(K+1) variance/n), where E‖z_i‖² ≤ variance: random vectors as
    vectors of L². independent: whether the noises of a round are, from client to client; where nothing is assumed of that, the
    mean of n noises counts as one noise, and the bounds lack the n."""
    clients, among, by = Space((_sum, _one)), "/n" if independent else "", "m" if independent else "m²"
    share, times, joint = (n, m, (INDEPENDENT,)) if independent else (sympy.Integer(1), m**2, (COUNTED,))
    divided: tuple[Fact, ...] = (CLIENTS,) if independent else ()
    grow = derived(f"E‖Σ_{{i≤m}} z_i‖² ≤ {by} E‖z‖²", spread <= times * variance)
    total = square(_sum)
    meant = definition("E‖Σz‖² is that square", equal(spread, total))
    one_more = Obligation("one client more", (grow, meant, *joint, reading, *clients.facts()),
                          derived("step", square(_sum + _one) <= times.subs(m, m + 1) * variance))  # fmt: skip
    none = Obligation("no client", (), derived("start", sympy.Le(0, times.subs(m, 0) * variance)))
    across = Induction(grow.name, grow, none, one_more, ((spread, 0), (m, 0)),
                       ((spread, square(_sum + _one)), (m, m + 1)))  # fmt: skip
    averaged = obligation(
        f"E‖(1/n)Σz_i‖² ≤ E‖z‖²{among}",
        (CLIENTS, grow, definition("all n clients", equal(m, n)),
         definition("z = (1/n)Σz_i", equal(square(_fresh) * n**2, spread))),
        square(_fresh) * share <= variance,
    )  # fmt: skip
    rounds = Space((_past, _fresh))
    kept = derived(f"E‖eᵏ‖² ≤ k β² E‖z‖²{among}", second * share <= k * beta**2 * variance)
    now = definition("E‖eᵏ‖² is that square", equal(second, square(_past)))
    later = square(_past + beta * _fresh)
    step = Obligation("one round more", (BETA, *divided, kept, now, FRESH, averaged.conclusion, *rounds.facts()),
                      derived("step", later * share <= (k + 1) * beta**2 * variance))  # fmt: skip
    start = Obligation(
        "e⁰ = 0", (START_E,), derived("start", sympy.Le(first * share, 0 * beta**2 * variance))
    )
    over = Induction(kept.name, kept, start, step, ((second, first), (k, 0)), ((second, later), (k, k + 1)))
    jensen = Space((_norm, _unit))
    each = obligation(
        f"E‖eᵏ‖ ≤ √(kβ²E‖z‖²{among})",
        (BETA, *divided, kept, definition("k ≥ 0", k >= 0), definition("E1 = 1", equal(square(_unit), 1)),
         definition("E‖e‖² again", equal(square(_norm), second)),
         definition("E‖e‖ = ⟨‖e‖, 1⟩", equal(mean_norm, inner(_norm, _unit))),
         definition("E‖z‖² ≥ 0", variance >= 0), *extra, *jensen.facts()),
        mean_norm <= sympy.sqrt(k * beta**2 * variance / share),
    )  # fmt: skip
    final = obligation(
        f"E‖e^(k+1)‖ ≤ √(β²(K+1)E‖z‖²{among})",
        (BETA, *divided, each.conclusion, definition("K ≥ 0, 1 ≤ k ≤ K+1", (K >= 0) & (k >= 1) & (k <= K + 1)),
         definition("E‖z‖² ≥ 0", variance >= 0), *extra),
        mean_norm <= sympy.sqrt(beta**2 * (K + 1) * variance / share),
    )  # fmt: skip
    return [across, averaged, over, each, final]


VECTOR = hypothesis("E‖z_i‖² ≤ σ_DP² (σ_DP² is the variance of the whole vector)", square(_one) <= sigma**2)
COORDINATE = hypothesis("E‖z_i‖² = dσ_DP² (σ_DP is per coordinate)", equal(square(_one), d * sigma**2))
DIMENSION = hypothesis("d ≥ 1", d >= 1)
V = sympy.Symbol("V", real=True)
VARIANCE = hypothesis("E‖z_i‖² = V ≥ 0", equal(square(_one), V) & (V >= 0))
A_SQUARE = definition("E‖z_i‖² ≥ 0", square(_one) >= 0)
ANY_NOISE = (BETA, CLIENTS, START_E, FRESH)
"""What is left of `NOISE_BASE` where the noises of one round may depend on each other."""
NOISE_BASE = (*ANY_NOISE, INDEPENDENT)
L3_PRINTED = (
    "If ĝ⁰ = (1/n) Σ_{i=1}^n g_i⁰, then E‖ĝ^{k+1} − (1/n) Σ_{i=1}^n g_i^{k+1}‖ ≤ √(β²(K+1)σ_DP²/n). [Algorithm 1: z_i^k ∈ R^d "
    "are sampled from Gaussian distribution with zero mean and σ_DP²-variance.]"
)


def _lemma3_coordinate(values: Values) -> Comparison:
    """k = K = 0, n = 1, d = 2: e¹ = βz⁰ and E‖z⁰‖ = σ√(π/2), so that (E‖e¹‖)² = β²σ²π/2 > (3/2)β²σ² as π > 3."""
    rounds, clients, b, sd = values["K"], values["n"], values["beta"], values["sigma"]
    return Comparison(Fraction(3, 2) * b**2 * sd**2, "<=", b**2 * (rounds + 1) * sd**2 / clients, (
        ("one round, one client, β, σ_DP > 0", rounds == 0 and clients == 1 and min(b, sd) > 0),
        ("d = 2 coordinates of standard deviation σ_DP", values["d"] == 2),
        ("the mean of a Rayleigh variable: (E‖z‖)² = σ²π/2 > 3σ²/2 since π > 3", bool(sympy.pi > 3)),
    ))  # fmt: skip


PER_COORDINATE = Witness(
    {"d": Fraction(2), "K": Fraction(0), "n": Fraction(1), "beta": Fraction(1), "sigma": Fraction(1)},
    "(E‖e¹‖)² ≤ β²(K+1)σ_DP²/n",
    _lemma3_coordinate,
)
L3 = Claim(
    id="NEC-L3",
    paper=PAPER,
    place="Lemma 3, Appendix G",
    kind="lemma",
    printed=L3_PRINTED,
    reason="Right where σ_DP² is E‖z_i‖² of the whole vector and the noises are independent, as its proof takes them; Algorithm 1 "
    "says neither.",
    repair=Repair(
        "The bound with E‖z_i‖² in the place of σ_DP². (Where σ_DP is per coordinate: NEC-L3@coordinate.)",
        "σ_DP² := E‖z_i‖²; independent noises",
        Proof((*NOISE_BASE, VECTOR), tuple(noise_nodes(sigma**2, VECTOR))),
        weakest="the bound is exceeded per coordinate (NEC-L3@coordinate), and where clients draw the same noise (NEC-L3@same-noise). "
        "Of independence the proof takes only that E⟨z, z'⟩ = 0 for any two of the noises",
    ),
    gap=Gap("reading", "σ_DP² is the variance of a coordinate (NEC-L3@coordinate)", PER_COORDINATE),
)
L3_VECTOR = Claim(
    id="NEC-L3@vector",
    paper=PAPER,
    place="Lemma 3, σ_DP² = E‖z_i‖², the noises independent, as its proof has them",
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
    witness=PER_COORDINATE,
    repair=Repair(
        "E‖e^{k+1}‖ ≤ √(β²(K+1)dσ_DP²/n).",
        f"a factor √d; {INDEPENDENTLY}",
        Proof((*NOISE_BASE, COORDINATE, DIMENSION), tuple(noise_nodes(d * sigma**2, COORDINATE, (DIMENSION,)))),
        weakest="E‖z‖/(σ√d) → 1 as d grows, so no smaller power of d will do",
    ),
)  # fmt: skip


def _lemma3_same(values: Values) -> Comparison:
    """K = 0, d = 1, z_1 = z_2 = z: e¹ = βz and (E|z|)² = 2σ²/π > (3/5)σ² as π < 10/3."""
    rounds, clients, b, sd = values["K"], values["n"], values["beta"], values["sigma"]
    return Comparison(Fraction(3, 5) * b**2 * sd**2, "<=", b**2 * (rounds + 1) * sd**2 / clients, (
        ("one round, two clients, β, σ_DP > 0", rounds == 0 and clients == 2 and min(b, sd) > 0),
        ("the mean of |N(0, σ²)|: (E|z|)² = 2σ²/π > 3σ²/5 since π < 10/3", bool(sympy.pi < sympy.Rational(10, 3))),
    ))  # fmt: skip


L3_SAME = Claim(
    id="NEC-L3@same-noise",
    paper=PAPER,
    place="Lemma 3, nothing read into it on the noises of different clients",
    kind="lemma",
    printed=L3_PRINTED,
    reason="Two clients that draw the same noise have the mean of one, and that z_i^k is independent of z_j^k stands in the proof "
    "alone.",
    witness=Witness(
        {"K": Fraction(0), "n": Fraction(2), "beta": Fraction(1), "sigma": Fraction(1)},
        "(E‖e¹‖)² ≤ β²(K+1)σ_DP²/n; the left side is a lower bound",
        _lemma3_same,
        "d = 1, z_1⁰ = z_2⁰ ~ N(0, σ_DP²), so that ĝ¹ − (g_1¹ + g_2¹)/2 = βz_1⁰",
    ),
    repair=Repair(
        "E‖e^{k+1}‖ ≤ √(β²(K+1)σ_DP²) with σ_DP² := E‖z_i‖², however the noises of a round depend on each other.",
        "no n; σ_DP² is the variance of the whole vector; each round's noise independent of the past",
        Proof((*ANY_NOISE, VECTOR), tuple(noise_nodes(sigma**2, VECTOR, independent=False))),
        weakest="where all clients draw one noise E‖e^{K+1}‖² = β²(K+1)σ_DP²; with independent noises n comes back (NEC-L3@vector)",
    ),
    consequence="The clients' generators have to be seeded apart: for the bound here, and for privacy across clients. (Section 5's "
    "version of Theorem 2 holds all the same: NEC-T2-MAIN.)",
)  # fmt: skip


def errors(beta_: Fraction) -> tuple[Fraction, ...]:
    """e^k = ĝ^k − (1/n)Σg_i^k of Algorithm 1 on f_1 = f_2 = x²/2, where only z_1⁰ = 2 is not zero (so z⁰ = 1)."""
    f = Quadratic(Fraction(1))
    run = alpha_normec([f.gradient] * 2, Fraction(1), [Fraction(0), Fraction(1, 2)], Fraction(1), beta_, Fraction(1, 10), 2,
                       lambda k, i: Fraction(2) if (k, i) == (0, 0) else Fraction(0))  # fmt: skip
    return tuple(hat - sum(g, Fraction(0)) / 2 for hat, g in zip(run.server, run.memories, strict=True))


def _shifted(values: Values) -> Comparison:
    b, e = values["beta"], errors(values["beta"])
    return Comparison(e[1], "==", e[0] + b * values["z^1"], (
        ("β > 0", b > 0),
        ("ĝ⁰ = (1/n)Σg_i⁰", e[0] == 0),
        ("z¹ = 0", values["z^1"] == 0),
    ))  # fmt: skip


_hat, _memories, _messages, _noises = sympy.symbols("ĝ Σg_i ΣΔ_i Σz_i", real=True)
_L3_S1_PRINTED = (
    "e^{k+1} = e^k + βz^{k+1}, where e^k = ĝ^k − (1/n) Σ_{i=1}^n g_i^k, and z^k = (1/n) Σ_{i=1}^n z_i^k [Algorithm 1, lines 8 and 10: "
    "∆̂_i^k = ∆_i^k + z_i^k, ĝ^{k+1} = ĝ^k + β/n Σ_{i=1}^n ∆̂_i^k]"
)
L3_S1_REPAIR = Repair(
    "e^{k+1} = e^k + βz^k, hence e^{k+1} = e⁰ + βΣ_{l=0}^k z^l: as many terms as printed, so the lemma is the same.",
    "z^k for z^{k+1}",
    Proof(
        (CLIENTS,),
        (
            Identity("ĝ + (β/n)Σ(Δ_i + z_i) − (1/n)(Σg_i + βΣΔ_i) = (ĝ − (1/n)Σg_i) + β(1/n)Σz_i",
                     _hat + beta / n * (_messages + _noises) - (_memories + beta * _messages) / n,
                     _hat - _memories / n + beta * _noises / n, (CLIENTS,)),
            Computation("the same in a run of Algorithm 1", "enumeration",
                        lambda: Comparison(errors(Fraction(1, 2))[1], "==", Fraction(1, 2))),
        ),
    ),
)  # fmt: skip
LETTER = Witness(
    {"beta": Fraction(1, 2), "z^1": Fraction(0)},
    "e¹ = e⁰ + βz¹",
    _shifted,
    "f_1 = f_2 = x²/2, z_1⁰ = 2, all other noises 0, run exactly",
)
L3_S1 = Claim(
    id="NEC-L3-S1",
    paper=PAPER,
    place="proof of Lemma 3, first display, against Algorithm 1, Appendix G",
    kind="step",
    printed=_L3_S1_PRINTED,
    reason="True where the noises are counted from 1, as in the display; Algorithm 1 counts them from 0. A round adds β times the "
    "mean of its own noises to the error.",
    repair=L3_S1_REPAIR,
    gap=Gap("reading", "noises counted as Algorithm 1 counts them (NEC-L3-S1@letter)", LETTER),
    consequence="F^k of Step 3 contains z^k, and with it ĝ^{k+1} and x^{k+1}: the conditional expectations there average "
    "nothing, and the step is right because the tower property does not care.",
)
L3_S1_LETTER = Claim(
    id="NEC-L3-S1@letter",
    paper=PAPER,
    place="proof of Lemma 3, first display, with Algorithm 1's z^k, Appendix G",
    kind="step",
    printed=_L3_S1_PRINTED,
    reason="Iteration k of Algorithm 1 adds z^k: with z⁰ = 1 and z¹ = 0, e¹ is β and not 0.",
    witness=LETTER,
    repair=L3_S1_REPAIR,
    consequence="A slip of an index: the lemma is the same.",
)
CLAIMS = (L3, L3_VECTOR, L3_COORDINATE, L3_SAME, L3_S1, L3_S1_LETTER)
