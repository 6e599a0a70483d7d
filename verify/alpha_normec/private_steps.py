"""Appendix G line by line, the sentences around Theorem 2, and the floor under its bound."""

from __future__ import annotations

from fractions import Fraction

import sympy

from bounds.alpha_normec.symbols import SYMBOLS
from bounds.alpha_normec.theorem2 import (
    noise_appendix,
    noise_main,
    theorem2_appendix,
    theorem2_main,
)
from verify.alpha_normec.corollary1 import ROUNDS
from verify.alpha_normec.corollary2 import noise as s
from verify.alpha_normec.descent import BOUNDED, SMOOTH_I, START, floor
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
    L,
    L_max,
    R,
    alpha,
    beta,
    d,
    f_gap,
    gamma,
    n,
    sigma,
)
from verify.alpha_normec.noise import A_SQUARE, COORDINATE, DIMENSION, MAIN, NOISE_BASE, SIGMA, T2_COORDINATE
from verify.citation import Cite
from verify.claim import Claim, Repair, Values, Witness
from verify.exact import Quadratic, alpha_normec
from verify.facts import definition, hypothesis
from verify.obligation import obligation
from verify.proof import Comparison, Computation, Identity, Limit, Proof
from verify.units import DifferentUnit, SameUnit

CLIENTS = hypothesis("n ≥ 1", n >= 1)
RADIUS = definition("R ≥ 0", R >= 0)


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


_hat, _sum, _messages, _noises = sympy.symbols("ĝ Σg_i ΣΔ_i Σz_i", real=True)
L3_S1 = Claim(
    id="NEC-L3-S1",
    paper=PAPER,
    place="proof of Lemma 3, first display, against Algorithm 1, Appendix G",
    kind="step",
    printed="e^{k+1} = e^k + βz^{k+1}, where e^k = ĝ^k − (1/n)Σg_i^k, and z^k = (1/n)Σz_i^k [Algorithm 1, lines 8 and 10: "
    "∆̂_i^k = ∆_i^k + z_i^k, ĝ^{k+1} = ĝ^k + (β/n)Σ∆̂_i^k]",
    reason="Iteration k of Algorithm 1 adds z^k: with z⁰ = 1 and z¹ = 0, e¹ is β and not 0.",
    witness=Witness(
        {"beta": Fraction(1, 2), "z^1": Fraction(0)},
        "e¹ = e⁰ + βz¹",
        _shifted,
        "f_1 = f_2 = x²/2, z_1⁰ = 2, all other noises 0, run exactly",
    ),
    repair=Repair(
        "e^{k+1} = e^k + βz^k, hence e^{k+1} = e⁰ + βΣ_{l=0}^k z^l: as many terms as printed, so the lemma is the same.",
        "z^k for z^{k+1}",
        Proof(
            (CLIENTS,),
            (
                Identity("ĝ + (β/n)Σ(Δ_i + z_i) − (1/n)(Σg_i + βΣΔ_i) = (ĝ − (1/n)Σg_i) + β(1/n)Σz_i",
                         _hat + beta / n * (_messages + _noises) - (_sum + beta * _messages) / n,
                         _hat - _sum / n + beta * _noises / n, positive=(n,)),
                Computation("the same in the run of the witness", "exact",
                            lambda: Comparison(errors(Fraction(1, 2))[1], "==", Fraction(1, 2))),
            ),
        ),
    ),
    consequence="F^k of Step 3 contains z^k, and with it ĝ^{k+1} and x^{k+1}: the conditional expectations there average "
    "nothing, and the step is right because the tower property does not care.",
)  # fmt: skip

_STANDING = (ALPHA, BETA, GAMMA, SMOOTH, SMOOTH_MAX, CONTRACTION, SHORT_STEP)
_QUIET = noise_main(beta, K, sigma)
_cap = sympy.Symbol("b", real=True)
T2_ADD = Claim(
    id="NEC-T2-ADD",
    paper=PAPER,
    place="after Theorem 2, Section 5",
    kind="prose",
    printed="[2R + (L/2)γ + 2√(β²(K+1)σ_DP²):] This additive constant diminishes when we initialize memory vectors g_i⁰ ∈ R^d such "
    "that R becomes small and properly choose parameters γ, β > 0.",
    reason="With β = R it is at most a constant times R; but at fixed K the first term of the bound then grows without limit, and "
    "with noise for a fixed (ε, δ) the sum keeps a floor whatever K is (NEC-OUR-T2-FLOOR).",
    proof=Proof(
        (*_STANDING, SIGMA),
        (
            obligation("2R + Lγ/2 + noise ≤ (2 + L/(2L_max)) R + 2β√(K+1)σ", (*_STANDING, SIGMA, RADIUS, ROUNDS),
                       2 * R + L * gamma / 2 + 2 * _QUIET <= (2 + L / (2 * L_max)) * R + 2 * beta * sympy.sqrt(K + 1) * sigma),
            Limit("→ 0 as β = R → 0 (β < α + R holds)", (2 + L / (2 * L_max)) * R + 2 * R * sympy.sqrt(K + 1) * sigma, R,
                  sympy.Integer(0), sympy.Integer(0)),
            Limit("while at fixed K the first term → ∞", f_gap / (R * R / (alpha + R) / L_max * (K + 1)), R,
                  sympy.Integer(0), sympy.oo),
        ),
    ),
)  # fmt: skip

_HELD = hypothesis("b > 0 and β√(K+1) ≤ b", (_cap > 0) & (beta * sympy.sqrt(K + 1) <= _cap))
T2_CONSTANT = Claim(
    id="NEC-T2-ADD@constant",
    paper=PAPER,
    place="after Theorem 2, Section 5",
    kind="prose",
    printed="α-NormEC achieves the sublinear convergence up to the additive term 2R + (L/2)γ + 2√(β²(K+1)σ_DP²) […] This additive "
    "constant",
    reason="For given β and σ_DP the term grows like √K: it is a constant only where β falls like 1/√(K+1), and otherwise the "
    "bound does not settle but diverges.",
    repair=Repair(
        "With β ≤ b/√(K+1) it is at most (2 + L/(2L_max))R + 2bσ_DP for every K.",
        "β of order 1/√(K+1)",
        Proof(
            (*_STANDING, SIGMA, _HELD),
            (
                Limit("necessary: at fixed β, σ_DP the noise term → ∞ with K", 2 * _QUIET, K, sympy.oo, sympy.oo, "-"),
                Limit("and with it the bound", theorem2_main(f_gap, gamma, K, R, L, beta, sigma), K, sympy.oo, sympy.oo, "-"),
                obligation("2R + Lγ/2 ≤ (2 + L/(2L_max))R", (*_STANDING, RADIUS),
                           2 * R + L * gamma / 2 <= (2 + L / (2 * L_max)) * R),
                obligation("√(β²(K+1)σ²) ≤ bσ", (BETA, SIGMA, ROUNDS, _HELD), _QUIET <= _cap * sigma),
            ),
        ),
        weakest="a larger order of β√(K+1) lets the term grow without bound",
    ),
)  # fmt: skip

_DP = hypothesis("σ_DP² = E‖z_i‖² = s²n(K+1), s > 0: the noise of Corollary 2",
                 (s > 0) & sympy.Eq(sigma**2, s**2 * n * (K + 1)))  # fmt: skip
_FLOOR = 2 * sympy.sqrt(2 * s * L_max * f_gap)
total = sympy.Symbol("β(K+1)", real=True)
_TOTAL = definition("letter for β(K+1)", sympy.Eq(total, beta * (K + 1)))
_POSITIVE_GAP = definition("f(x⁰) > f^inf", f_gap > 0)
_first = obligation(
    "(f(x⁰) − f^inf)/(γ(K+1)) ≥ L_max(f(x⁰) − f^inf)/(β(K+1))",
    (ALPHA, BETA, GAMMA, SMOOTH_MAX, SHORT_STEP, RADIUS, ROUNDS, _TOTAL, _POSITIVE_GAP),
    f_gap / (gamma * (K + 1)) >= L_max * f_gap / total,
)
_spread = obligation(
    "2√(β²(K+1)σ_DP²/n) = 2sβ(K+1)",
    (BETA, SIGMA, CLIENTS, ROUNDS, _DP, _TOTAL),
    sympy.Eq(noise_appendix(beta, K, sigma, n), s * total),
)
_one, _two = sympy.symbols("first noise_term", real=True)
_NAMES = definition(
    "letters for the two terms",
    sympy.Eq(_one, f_gap / (gamma * (K + 1))) & sympy.Eq(_two, noise_appendix(beta, K, sigma, n)),
)
_mean = obligation(
    "a/t + 2st ≥ 2√(2sa) with a = L_max(f(x⁰) − f^inf), t = β(K+1)",
    (BETA, SMOOTH_MAX, ROUNDS, _DP, _TOTAL, _POSITIVE_GAP),
    L_max * f_gap / total + 2 * s * total >= _FLOOR,
)
OUR_FLOOR = Claim(
    id="NEC-OUR-T2-FLOOR",
    paper=PAPER,
    place="ours: how small Theorem 2's bound can be under a fixed (ε, δ)",
    kind="ours",
    printed="With σ_DP² = s²n(K+1), as Corollary 2 has it, Theorem 2's bound (Appendix G) exceeds 2√(2sL_max(f(x⁰) − f^inf)) for "
    "all α, β, γ, R and K that the theorem allows.",
    reason="γ < β/L_max, so the first term and the noise term are at least a/t and 2st with t = β(K+1).",
    proof=Proof(
        (*_STANDING, SIGMA, CLIENTS, _DP),
        (
            _first,
            _spread,
            _mean,
            obligation(
                "the bound exceeds 2√(2sL_max(f(x⁰) − f^inf))",
                (
                    GAMMA,
                    SMOOTH,
                    RADIUS,
                    _first.conclusion,
                    _spread.conclusion,
                    _mean.conclusion,
                    _NAMES,
                    ROUNDS,
                    CLIENTS,
                ),
                theorem2_appendix(f_gap, gamma, K, R, L, beta, sigma, n) > _FLOOR,
            ),
        ),
    ),
    consequence="More rounds cannot bring the guarantee below that: the Δ of Corollary 2 cannot be made smaller than "
    "√(L_max(f(x⁰) − f^inf)), its limit as α/R → 0.",
)
_SCHEDULE = {R: (K + 1) ** sympy.Rational(-1, 4), alpha: (K + 1) ** sympy.Rational(-1, 4),
             beta: (K + 1) ** sympy.Rational(-3, 4)}  # fmt: skip
_STEP = _SCHEDULE[beta] * _SCHEDULE[R] / (_SCHEDULE[alpha] + _SCHEDULE[R]) / L_max
_TENDS = theorem2_appendix(f_gap, _STEP, K, _SCHEDULE[R], L, _SCHEDULE[beta], sigma, n)
POSTER_NOISE = Claim(
    id="NEC-POSTER-NOISE",
    paper=PAPER,
    place="poster, Our Contributions; Section 5",
    kind="prose",
    printed="Unlike Clip21, α-NormEC achieves convergence in the presence of DP noise.",
    reason="With a noise that stays the same as K grows Theorem 2's bound can be sent to 0; DP at a fixed (ε, δ) makes σ_DP grow "
    "like √K, and then the bound has a floor above 0 (NEC-OUR-T2-FLOOR).",
    repair=Repair(
        "For σ_DP fixed while K → ∞ the bound tends to 0, e.g. with R = α = (K+1)^{−1/4}, β = (K+1)^{−3/4} and the longest step; "
        "for σ_DP² = s²n(K+1) it stays above 2√(2sL_max(f(x⁰) − f^inf)).",
        "σ_DP does not grow with K",
        Proof(
            (*_STANDING, SIGMA, CLIENTS, _DP),
            (
                Limit("the bound with that schedule → 0", _TENDS, K, sympy.oo, sympy.Integer(0), "-"),
                Limit("and its β/(α + R) → 0 < 1", _SCHEDULE[beta] / (_SCHEDULE[alpha] + _SCHEDULE[R]), K, sympy.oo,
                      sympy.Integer(0), "-"),
                Cite(OUR_FLOOR, (*_STANDING, SIGMA, CLIENTS, _DP, RADIUS, ROUNDS, _POSITIVE_GAP, _TOTAL, _NAMES)),
            ),
        ),
    ),
)  # fmt: skip
POSTER_STEP = Claim(
    id="NEC-T2-POSTER@step",
    paper=PAPER,
    place="poster, Convergence Guarantees",
    kind="equation",
    printed="γ ≤ βR/(α + R L)",
    reason="α and RL have different units, so that the condition, as it stands there, changes with the units of x; Theorem 2 has "
    "(α + R)L_max.",
    conflict=Proof((), (DifferentUnit("the two terms of the denominator", alpha, R * L, SYMBOLS),)),
    repair=Repair(
        "γ ≤ βR/((α + R)L_max)",
        "(α + R)L_max",
        Proof((), (SameUnit("both sides are lengths", gamma, beta * R / ((alpha + R) * L_max), SYMBOLS),)),
    ),
)
_FEW = hypothesis("d ≤ n", d <= n)
_POSITIONS = {name: LETTERS[name] for name in ("f_gap", "gamma", "K", "R", "L", "beta", "sigma")}
OUR_FEW = Claim(
    id="NEC-T2-MAIN@d-at-most-n",
    paper=PAPER,
    place="Theorem 2, Section 5, σ_DP per coordinate, d ≤ n",
    kind="theorem",
    printed=MAIN,
    reason="The √n that the main text gives away against Appendix G pays for a factor √d ≤ √n.",
    proof=Proof(
        (ALPHA, GAMMA, SMOOTH, SMOOTH_MAX, SMOOTH_I, SHORT_STEP, START, BOUNDED, CONTRACTION, SIGMA, *NOISE_BASE, COORDINATE,
         DIMENSION, _FEW),
        (
            _cited := Cite(
                T2_COORDINATE[0],
                (ALPHA, GAMMA, SMOOTH, SMOOTH_MAX, SMOOTH_I, SHORT_STEP, START, BOUNDED, CONTRACTION, SIGMA, *NOISE_BASE,
                 COORDINATE, DIMENSION, ROUNDS, RESIDUAL, A_SQUARE),
                repaired=True,
            ),
            _less := obligation("√(β²(K+1)dσ²/n) ≤ √(β²(K+1)σ²)", (BETA, SIGMA, CLIENTS, DIMENSION, _FEW, ROUNDS),
                                noise_appendix(beta, K, sympy.sqrt(d) * sigma, n) <= noise_main(beta, K, sigma)),
            obligation("the main text's bound", (_cited.conclusion, _less.conclusion, GAMMA, BETA, SIGMA, CLIENTS, DIMENSION, ROUNDS),
                       floor <= theorem2_main(**_POSITIONS)),
        ),
    ),
    consequence="A model with fewer coordinates than clients is the only case that the main text covers in this reading.",
)  # fmt: skip
CLAIMS = (L3_S1, T2_ADD, T2_CONSTANT, OUR_FLOOR, POSTER_NOISE, POSTER_STEP, OUR_FEW)
