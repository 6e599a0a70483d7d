"""Every printed step of the proofs of Theorem 1 (F.2) and Theorem 2 (G.2)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import sympy

from bounds.fed_alpha_normec.theorem1 import APPENDIX
from verify.claim import Claim, Repair, Values, Witness
from verify.computation import Comparison
from verify.curves import Quadratic
from verify.exact import normalise
from verify.facts import Fact, definition, equal, hypothesis, letters, standard
from verify.fed_alpha_normec import conditions
from verify.fed_alpha_normec.displays import THEOREMS
from verify.fed_alpha_normec.lemmas import bias as bi
from verify.fed_alpha_normec.lemmas import descent as de
from verify.fed_alpha_normec.lemmas import incremental as ig
from verify.fed_alpha_normec.lemmas import local_gradient as gd
from verify.fed_alpha_normec.lemmas import noise as no
from verify.fed_alpha_normec.lemmas import recursion as rec
from verify.fed_alpha_normec.lemmas.bias import incremental
from verify.fed_alpha_normec.lemmas.lemma1 import FROM_FEEDBACK, kept
from verify.fed_alpha_normec.letters import (
    ALPHA,
    BETA,
    ETA,
    FEEDBACK,
    GAMMA,
    LOCAL_STEP,
    RADIUS,
    SMOOTH,
    SPREAD,
    Delta,
    Delta_local,
    K,
    L,
    R,
    claim,
    eta,
    gamma,
    values,
)
from verify.fed_alpha_normec.ours import rounds as ro
from verify.fed_alpha_normec.ours import several as se
from verify.fed_alpha_normec.theorems import expectation as expected
from verify.fed_alpha_normec.theorems import repairs as re
from verify.fed_alpha_normec.theorems.deviation import DEVIATION
from verify.fractions_check import exact_root
from verify.obligation import Obligation, obligation
from verify.proof import Node, Proof

# Step 1, exactly: M = 4, T = 1, f₁ = f₂ = x²/2, f₃, f₄ = (x ∓ c)²/2 with v₃⁰, v₄⁰ their gradients, so that they stay there.
_START = values(
    alpha="1/10000", beta=1, gamma="1/2", x=2, r="99/10000", R=1, c=2, v_3=0, v_4=4, K=1, p=1, sigma=0
)


def _induction(numbers: Values) -> Comparison:
    """‖v_1¹ − P_1(x¹)‖ ≤ R after one round, with the printed conditions of F.2 and G.2."""
    a, b, g, x, r, R_, c = (numbers[n] for n in ("alpha", "beta", "gamma", "x", "r", "R", "c"))
    eta_, one = g / 3 * b * R_ / (a + R_), Fraction(1)
    clients = [Quadratic(one), Quadratic(one), Quadratic(one, c), Quadratic(one, -c)]
    start = [x - r, x - R_, numbers["v_3"], numbers["v_4"]]
    residuals = [f.gradient(x) - v for f, v in zip(clients, start, strict=True)]
    v = [w + b * normalise(a, gap) for w, gap in zip(start, residuals, strict=True)]
    server = sum(v, Fraction(0)) / 4
    x1 = x - eta_ * (1 if server > 0 else -1)
    spread_ = sum((f.value(Fraction(0)) for f in clients), Fraction(0)) / 4
    met = (
        ("R = max_i ‖v_i⁰ − P_i(x⁰)‖", max(map(abs, residuals)) == R_), ("v̂¹ ≠ 0", server != 0),
        ("p = 1, σ = 0: v̂¹ is the mean of the v_i¹", numbers["p"] == 1 and numbers["sigma"] == 0),
        *conditions.met(APPENDIX, {**numbers, "eta": eta_, "L": one, "Delta": spread_}),
        ("f^inf = f(0), f_i^inf = 0", sum(f.gradient(Fraction(0)) for f in clients) == 0), ("Δ^inf, Δ_i^inf > 0", spread_ > 0),
    )  # fmt: skip
    return Comparison(abs(v[0] - clients[0].gradient(x1)), "<=", R_, met)


def _three(numbers: Values) -> Comparison:
    """(1 + 4L√(2L)/√Δ^inf ηγ)^{K+1} with ηγ at its printed limit; √Δ^inf = root."""
    K_, root, L_, g, e, a, b, R_ = (
        numbers[n] for n in ("K", "root", "L", "gamma", "eta", "alpha", "beta", "R")
    )
    drift = 4 * L_ * exact_root(2 * L_, 2)
    met = (
        ("γ ≤ 1/(2L)", 0 < g <= 1 / (2 * L_)), ("β/(α + R) < 1", min(a, b, R_) > 0 and b / (a + R_) < 1),
        ("η ≤ γ/3 · βR/(α + R)", 0 < e <= g / 3 * b * R_ / (a + R_)), ("η ∈ (0, 1)", 0 < e < 1),
        ("ηγ ≤ 1/(K+1) · Δ^inf/(4L√(2L))", e * g <= root**2 / drift / (K_ + 1)), ("Δ^inf > 0", root > 0),
    )  # fmt: skip
    return Comparison((1 + drift / root * e * g) ** int(K_ + 1), "<=", Fraction(3), met)


grads, q = letters("grads q")
_DOMAIN = (SMOOTH, GAMMA, ETA)
_ONE = (ALPHA, BETA, RADIUS, SMOOTH, ETA, GAMMA, LOCAL_STEP, FEEDBACK, ro.THIRD_STEP, ro.START)
_RESIDUAL = (
    FROM_FEEDBACK,
    ro.shorter(ro.STEP_SEVERAL, ro.THIRD_STEP),
    ro.STEP_LENGTH,
    *gd.ITEM24,
    gd.MOVES,
    ro.MOVE_SEVERAL,
    kept(ro.MOVE_SEVERAL.conclusion),
)


_ROUND = ro.f_k - eta * ro.W + 2 * eta * R + 2 * eta * no.after + L * eta**2 / 2
_GRADIENTS = 2 * L * gamma**2 * grads
_BEFORE_7 = hypothesis(
    "the display before, with the mean bias bounded by item 5 of Lemma 7",
    (ro.f_after <= _ROUND + 2 * eta / gamma * q) & (q <= _GRADIENTS),
)
_WITH_GRADIENTS = obligation(
    "2η/γ · 2Lγ² = 4Lγη", (*_DOMAIN, _BEFORE_7), ro.f_after <= _ROUND + 2 * eta / gamma * _GRADIENTS
)
_BEFORE_9 = hypothesis("the display before", ro.f_after <= _ROUND + 2 * eta / gamma * q)
_FAR = bi.ITEM4_IG.conclusion.at({bi.lag: q, bi.mean_distance: ig.mean}, "item 4 of Lemma 9")
_WITH_DISTANCES = obligation(
    "2η/γ · γL", (*_DOMAIN, _BEFORE_9, _FAR), ro.f_after <= _ROUND + 2 * eta / gamma * (gamma * L * ig.mean)
)
_SIX = hypothesis(
    "Lemma 6 as printed",
    (grads <= sympy.sqrt(2 * L / Delta) * ro.f_k + sympy.sqrt(2 * L * Delta)) & (ro.f_k >= 0) & (Delta > 0),
)
_PLUGGED = obligation(
    "Lemma 6 inserted",
    (*_DOMAIN, SPREAD, _SIX),
    4 * L * gamma * eta * grads
    <= 4 * L * sympy.sqrt(2 * L) / sympy.sqrt(Delta) * gamma * eta * ro.f_k
    + 4 * L * sympy.sqrt(2 * L) * gamma * eta * sympy.sqrt(Delta),
)
# Lemma 8's own right side has no value where the mean of its Δ_i^inf is negative, which Theorem 2 does not exclude.
_TWO = letters("(1/M)Σ(f^inf−(1/N)Σf_{i,j}^inf)")[0]
_OTHER = definition(
    "the mean of Theorem 2's Δ_i^inf is that of Lemma 8's plus Δ^inf (FED-DEF-DELTA)",
    equal(_TWO, Delta_local + Delta),
)
_OWN = hypothesis("(1/M) Σ Δ_i^inf ≥ 0, Δ_i^inf as in Theorem 2", _TWO >= 0)
_SQUARES = ig.FIRST.conclusion.at({ig.F: ro.f_k}, "at xᵏ")
_NEAR_IG = obligation(
    "(1/M) Σ (1/N) Σ ‖x_i^{k,j} − xᵏ‖ ≤ γ√(2L)((f(xᵏ) − f^inf)/(2√Δ^inf) + √Δ^inf/2 + √((1/M) Σ Δ_i^inf))",
    (SMOOTH, GAMMA, SPREAD, ro.BOUNDED, _SQUARES, ig.JENSEN, _OTHER, _OWN),
    ig.mean
    <= gamma
    * sympy.sqrt(2 * L)
    * (ro.f_k / (2 * sympy.sqrt(Delta)) + sympy.sqrt(Delta) / 2 + sympy.sqrt(_TWO)),
)
_PLUGGED_IG = obligation(
    "the bound of the distances inserted",
    (*_DOMAIN, SPREAD, ro.BOUNDED, _NEAR_IG.conclusion, _OWN),
    2 * eta / gamma * (gamma * L * ig.mean)
    <= 4 * L * sympy.sqrt(2 * L) / sympy.sqrt(Delta) * gamma * eta * ro.f_k
    + 4 * L * sympy.sqrt(2 * L) * gamma * eta * sympy.sqrt(Delta)
    + 4 * L * sympy.sqrt(2 * L) * gamma * eta * sympy.sqrt(_TWO),
)
_WITH_FACTOR = (
    (1 + 4 * L * sympy.sqrt(2 * L) / sympy.sqrt(Delta) * gamma * eta) * ro.f_k - eta * ro.W + 2 * eta * R
)
_DRIFT = L * sympy.sqrt(2 * L) * gamma * eta * sympy.sqrt(Delta)
_DRIFT_IG = 4 * L * sympy.sqrt(2 * L) * gamma * eta * sympy.sqrt(_TWO)


def _display(
    bias: sympy.Expr, plug: Obligation, more: sympy.Expr, other: tuple[Fact, ...] = ()
) -> tuple[Fact, Obligation]:
    """The printed display after Lemma 6 or 8, from the one before, whose bias term is `bias`."""
    before = hypothesis("the display before", ro.f_after <= _ROUND + bias)
    end = _WITH_FACTOR + 4 * _DRIFT + more + 2 * eta * no.after + L * eta**2 / 2
    return before, obligation(
        "the display with it", (*_DOMAIN, SPREAD, *other, before, plug.conclusion), ro.f_after <= end
    )


_BEFORE, _DISPLAY = _display(4 * L * gamma * eta * grads, _PLUGGED, sympy.Integer(0))
_BEFORE_IG, _DISPLAY_IG = _display(2 * eta / gamma * (gamma * L * ig.mean), _PLUGGED_IG, _DRIFT_IG, (_OWN,))
_IN_UNITS = obligation(
    "b₁γη(K+1) ≤ 1 with √Δ^inf",
    (*_DOMAIN, SPREAD, ro.ROUNDS, se.ROUNDS_IN_UNITS),
    4 * L * sympy.sqrt(2 * L) / sympy.sqrt(Delta) * eta * gamma * (K + 1) <= 1,
)
_GROWTH = Proof((SMOOTH, GAMMA, ETA, SPREAD, se.ROUNDS_IN_UNITS), (_IN_UNITS,))
_LETTER = hypothesis(
    "b₁γ² of Lemma 5 is ηγ4L√(2L)/Δ^inf, by the letter",
    equal(rec.x, 4 * L * sympy.sqrt(2 * L) / Delta * eta * gamma),
)
_EXPONENT = obligation(
    "ηγ(4L√(2L)/Δ^inf)(K+1) ≤ 1",
    (*_DOMAIN, SPREAD, ro.ROUNDS, ro.PRINTED_ROUNDS, _LETTER),
    rec.x * (K + 1) <= 1,
)
_AT_MOST_3 = obligation(
    "(1 + ηγ4L√(2L)/Δ^inf)^{K+1} ≤ exp(…) ≤ 3",
    (
        _EXPONENT.conclusion,
        rec.EXPONENTIAL,
        standard("t ≤ 1 ⇒ exp t ≤ e < 3", sympy.Implies(rec.x * (K + 1) <= 1, rec.power <= 3)),
    ),
    (rec.u * rec.power >= 1) & (rec.power <= 3),
)
_FACT = Proof((*_DOMAIN, SPREAD, rec.SIGNS, ro.PRINTED_ROUNDS, _LETTER), (rec.GROWTH, _EXPONENT, _AT_MOST_3))


_OVERSHOT = Witness(
    _START,
    "‖v_1¹ − P_1(x¹)‖ ≤ R",
    _induction,
    "M = 4, T = N = 1, f_1 = f_2 = x²/2, f_3, f_4 = (x ∓ 2)²/2, one round: above R = 1",
)


@dataclass(frozen=True)
class _Printed:
    """What sets the printed proofs of Theorem 1 (F.2) and Theorem 2 (G.2) apart; their steps are the same ones otherwise.

    residual: ‖v_iᵏ⁺¹ − P_i(xᵏ)‖ ≤ R. bias: the lemma on the local steps, why its display holds, and the proof of that.
    lemmas, shown, plug, display: the lemmas on the clients, what they are shown by, and inserting them. why: of the factor. more:
    what the bound has beside the drift in it. refuted, holds, limit: the claims that refute and that prove the theorem, and for
    which Δ^inf it is proved.
    """

    theorem: str
    where: str
    residual: tuple[Node, ...]
    bias: tuple[str, str, Proof]
    lemmas: tuple[Fact, ...]
    shown: tuple[Node, ...]
    plug: Obligation
    display: Obligation
    why: str
    more: sympy.Expr
    refuted: str
    holds: str
    limit: str


def _steps(printed: _Printed) -> tuple[Claim, ...]:
    """The steps of one proof."""
    theorem, where, residual = printed.theorem, printed.where, printed.residual
    name, because, biased = printed.bias
    return (
        claim(
            f"{theorem}-S1",
            f"{where}, step 1, induction",
            "step",
            THEOREMS[f"{theorem}-S1"],
            "Rests on the false half of Lemma 1: a client that starts with a small residual overshoots by "
            "almost R and then drifts on.",
            witness=_OVERSHOT,
            repair=Repair(
                "‖v_iᵏ⁺¹ − P_i(xᵏ)‖ ≤ R for every k (FED-L1-INV), which is what the theorem uses.",
                "the residual after the memory's step in place of the one before",
                Proof(_ONE, residual),
            ),
        ),
        claim(
            f"{theorem}-S2",
            f"{where}, step 1, last line",
            "step",
            THEOREMS[f"{theorem}-S2"],
            f"True, by an induction on this quantity itself; not by Lemma 1, whose hypothesis fails ({theorem}-S2@by).",
            proof=Proof(_ONE, residual),
        ),
        claim(
            f"{theorem}-S2@by",
            f"{where}, step 1, last line, by what",
            "step",
            THEOREMS[f"{theorem}-S2"]
            + " [by Lemma 1, that is, its hypothesis ‖(x^k − T_i(x^k))/γ − v_i^k‖ ≤ R holds for every k]",
            f"Lemma 1's second conclusion is true (FED-L1-ii), but its hypothesis is the bound of {theorem}-S1, which fails at k = 1.",
            witness=_OVERSHOT,
            repair=Repair(
                "The line by an induction on ‖v_iᵏ⁺¹ − P_i(xᵏ)‖ itself (FED-L1-INV).",
                "FED-L1-INV for Lemma 1",
                Proof(_ONE, residual),
            ),
        ),
        claim(
            f"{theorem}-S3",
            f"{where}, step 2, first display",
            "step",
            THEOREMS[f"{theorem}-S3"] + " [0/0 = 0]",
            "Lemma 4 with G = v̂^{k+1} and the triangle inequality; where v̂^{k+1} = 0, of which the text says nothing, x^{k+1} = x^k "
            "(FED-L4@zero).",
            proof=Proof((ETA, SMOOTH), (de.LEMMA4_ANY, ro.DESCEND)),
        ),
        claim(
            f"{theorem}-S4",
            f"{where}, step 2, bound of ‖∇f − v^{{k+1}}‖",
            "step",
            THEOREMS[f"{theorem}-S4"],
            "Triangle inequality, for each client and over the clients.",
            proof=DEVIATION,
        ),
        claim(
            f"{theorem}-S5",
            f"{where}, step 2, {name}",
            "step",
            THEOREMS[f"{theorem}-S5"],
            because,
            proof=biased,
        ),
        claim(
            f"{theorem}-S6",
            f"{where}, step 2, the factor 1 + (4L√(2L)/√Δ^inf)γη",
            "step",
            THEOREMS[f"{theorem}-S6"],
            printed.why,
            proof=Proof((*_DOMAIN, SPREAD, *printed.lemmas), (*printed.shown, printed.plug, printed.display)),
        ),
        expected.error(theorem, where),
        expected.taken(theorem, where, before=_WITH_FACTOR + printed.more, drift=_DRIFT),
        claim(
            f"{theorem}-S9",
            f"{where}, last line, of the factor 1 + (4L√(2L)/√Δ^inf)γη that Lemma 5 meets",
            "step",
            THEOREMS[f"{theorem}-S9"],
            "The factor in the recursion has √Δ^inf, the exponent and the condition Δ^inf: its power tends to "
            "exp(√Δ^inf) as K grows, which is more than 3 for Δ^inf > 1.21.",
            witness=Witness(
                values(K=1, root=2, L=2, gamma="1/4", eta="1/2", alpha=1, beta=12, R=12),
                "(1 + ηγ 4L√(2L)/√Δ^inf)^{K+1} ≤ 3",
                _three,
                "L = 2, Δ^inf = 4, K = 1, γ = 1/4, η = 1/2, α = 1, β = R = 12: (1 + 1)² = 4",
            ),
            repair=Repair(
                "With ηγ ≤ 1/(K+1) · √Δ^inf/(4L√(2L)) the exponent is at most 1.", "√Δ^inf for Δ^inf", _GROWTH
            ),
            consequence="The step fails from Δ^inf = 1.21 on, the theorem does not: where σ_DP² = E‖z‖² another proof gives it as "
            f"printed for Δ^inf ≤ {printed.limit} in the units used ({printed.holds}). In small units of f it fails "
            f"({printed.refuted}).",
        ),
        claim(
            f"{theorem}-S9@letter",
            f"{where}, last line, the fact by the letter",
            "step",
            THEOREMS[f"{theorem}-S9"].removesuffix(" we finalize the proof."),
            "With Δ^inf in both places the fact is true; but Lemma 5 meets another factor, with √Δ^inf, so that it does not finish "
            f"the proof ({theorem}-S9).",
            proof=_FACT,
        ),
    )


_PROOFS = (
    _Printed(
        theorem="FED-T1",
        where="Appendix F.2",
        residual=_RESIDUAL,
        bias=(
            "Lemma 7",
            "Lemma 7 inserted; for T = 1 the bias is zero, so that one display covers both cases.",
            Proof((*_DOMAIN, _BEFORE_7), (_WITH_GRADIENTS,)),
        ),
        lemmas=(_SIX, _BEFORE),
        shown=(),
        plug=_PLUGGED,
        display=_DISPLAY,
        why="The coefficients follow; half of the first is enough (FED-L6-TIGHT).",
        more=sympy.Integer(0),
        refuted="FED-T1-MAIN",
        holds="FED-T1-APP@small-Delta",
        limit=re.up_to(re.FACTOR),
    ),
    _Printed(
        theorem="FED-T2",
        where="Appendix G.2",
        residual=incremental(_RESIDUAL),
        bias=(
            "Lemma 9",
            "Lemma 9, item 4, inserted, with every f_{i,j} L-smooth (Assumption 1): of L-smooth f_i alone it is false (FED-L9-4).",
            Proof((*_DOMAIN, _BEFORE_9), (*bi.BIAS_NODES, bi.ITEM4_IG, _WITH_DISTANCES)),
        ),
        lemmas=(LOCAL_STEP, _OWN, _BEFORE_IG),
        shown=(ig.SHORTER, *ig.LEMMA8_NODES, _NEAR_IG),
        plug=_PLUGGED_IG,
        display=_DISPLAY_IG,
        why="The display follows from the mean of the squares in Lemma 8's proof (FED-L8-S1), which γ ≤ 1/(2L) gives; half of what it "
        "adds is enough. Lemma 8 itself is false without a limit on γ (FED-L8), and says nothing where the mean of its own Δ_i^inf is "
        "negative, which Theorem 2, with another Δ_i^inf (FED-DEF-DELTA), does not exclude.",
        more=_DRIFT_IG,
        refuted="FED-T2",
        holds="FED-T2@smaller-Delta",
        limit="4,096",
    ),
)

CLAIMS = tuple(step for printed in _PROOFS for step in _steps(printed))
"""Every printed step of the proofs of Theorem 1 (F.2) and Theorem 2 (G.2)."""
