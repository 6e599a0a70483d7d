"""Lemma 5: a recursion summed over rounds.

u_k = (1 + b₁γ²)^(−k), U = Σ u_{j+1}, S = Σ u_{j+1} Wʲ, x = b₁γ².
"""

from __future__ import annotations

from fractions import Fraction

import sympy

from verify.claim import Repair, Values, Witness
from verify.computation import Comparison
from verify.facts import Fact, definition, derived, equal, hypothesis, letters, standard
from verify.fed_alpha_normec.lemmas.lemma_displays import LEMMAS
from verify.fed_alpha_normec.letters import claim, values
from verify.induction import Induction
from verify.obligation import Obligation, obligation
from verify.proof import Proof

x, b_2, b_3, step, v_0, v, v_next, W, u, u_next, U, S, k, low, K = letters(
    "x b_2 b_3 step v_0 v v_next W u u_next U ΣuW k low K"
)
power, factor = letters("power factor")
SIGNS = hypothesis("b₁ ≥ 0, b₂ > 0, γ > 0", (x >= 0) & (b_2 > 0) & (step > 0))
RECURSION = hypothesis(
    "Vᵏ⁺¹ ≤ (1 + b₁γ²)Vᵏ − b₂γWᵏ + b₃γ",
    (v >= 0) & (v_next >= 0) & (v_next <= (1 + x) * v - b_2 * step * W + b_3 * step),
)
WEIGHT = definition(
    "u_0 = 1, u_{k+1} = u_k/(1 + b₁γ²) > 0", (u > 0) & (u_next > 0) & equal(u_next * (1 + x), u)
)
GAIN = hypothesis("b₂γ > 0, b₁γ² > −1", (b_2 * step > 0) & (x > -1))
WEIGHTED = Fact("b₂γ Σ u Wʲ + uV ≤ V⁰ + b₃γ Σ u", b_2 * step * S + u * v <= v_0 + b_3 * step * U, "derived")
_LAST_ONE = (u * v - u_next * v_next) / (b_2 * step) + u_next * b_3 / b_2
_MIDDLE = u_next * (1 + x) * v / (b_2 * step) - u_next * v_next / (b_2 * step) + u_next * b_3 / b_2
ONE_ROUND = obligation(
    "wᵏWᵏ ≤ (wᵏ(1 + b₁γ²)Vᵏ − wᵏVᵏ⁺¹)/(b₂γ) + wᵏb₃/b₂ = (wᵏ⁻¹Vᵏ − wᵏVᵏ⁺¹)/(b₂γ) + wᵏb₃/b₂",
    (GAIN, RECURSION, WEIGHT),
    (u_next * W <= _MIDDLE) & equal(_MIDDLE, _LAST_ONE),
)


def _summed(signs: Fact) -> Induction:
    return Induction(
        WEIGHTED.name,
        WEIGHTED,
        obligation("no round", (), b_2 * step * 0 + 1 * v_0 <= v_0 + b_3 * step * 0),
        obligation(
            "one round more",
            (signs, WEIGHTED, RECURSION, WEIGHT),
            b_2 * step * (S + u_next * W) + u_next * v_next <= v_0 + b_3 * step * (U + u_next),
        ),
        start=((S, 0), (u, 1), (v, v_0), (U, 0)),
        next=((S, S + u_next * W), (u, u_next), (v, v_next), (U, U + u_next)),
    )


SUM = _summed(SIGNS)
SUM_OF_GAINS = _summed(GAIN)
QUOTIENT = obligation(
    "Σ wᵏWᵏ ≤ (w⁻¹V⁰ − w^K V^{K+1})/(b₂γ) + (b₃/b₂) Σ wᵏ, w⁻¹ = 1",
    (GAIN, WEIGHTED),
    (v_0 - u * v) / (b_2 * step) + b_3 / b_2 * U >= S,
)
SOME_WEIGHT = Fact("Σ u > 0 after a round", (U >= 0) & sympy.Or(equal(k, 0), U > 0) & (k >= 0), "derived")
POSITIVE_SUM = Induction(
    SOME_WEIGHT.name,
    SOME_WEIGHT,
    obligation("no weight", (), sympy.true),
    obligation(
        "a weight more", (GAIN, SOME_WEIGHT, WEIGHT), SOME_WEIGHT.at({U: U + u_next, k: k + 1}).relation
    ),
    start=((U, 0), (k, 0)),
    next=((U, U + u_next), (k, k + 1)),
)
ABOVE = Fact("Σ u ≥ k u", (k * u <= U) & (k >= 0), "derived")
ENOUGH = Induction(
    ABOVE.name,
    ABOVE,
    obligation("Σ u at 0", (), (sympy.Integer(0) * 1 <= 0) & (sympy.Integer(0) >= 0)),
    obligation(
        "Σ u one round later",
        (SIGNS, ABOVE, WEIGHT),
        ((k + 1) * u_next <= U + u_next) & (k + 1 >= 0),
    ),
    start=((k, 0), (u, 1), (U, 0)),
    next=((k, k + 1), (u, u_next), (U, U + u_next)),
)
least, grown = letters("min_w (1+b₁γ²)^k")
LIGHTEST = Fact("min_{j ≤ k} u_j = u_k = (1 + b₁γ²)^(−k)", equal(least, u) & equal(u * grown, 1), "derived")
LIGHTER = Induction(
    LIGHTEST.name,
    LIGHTEST,
    Obligation("one weight", (), derived("one weight", LIGHTEST.at({least: 1, u: 1, grown: 1}).relation)),
    obligation(
        "one weight more",
        (SIGNS, LIGHTEST, WEIGHT),
        equal(sympy.Min(least, u_next), u_next) & equal(u_next * (grown * (1 + x)), 1),
    ),
    start=((least, 1), (u, 1), (grown, 1)),
    next=((least, sympy.Min(least, u_next)), (u, u_next), (grown, grown * (1 + x))),
)
SUM_OF_WEIGHTS = obligation(
    "Σ wᵏ ≥ (K+1) min wᵏ = (K+1) w^K = (K+1)/(1 + b₁γ²)^{K+1}",
    (ABOVE, LIGHTEST, definition("K + 1 weights", (K >= 0) & equal(k, K + 1) & (u > 0))),
    (U >= (K + 1) * least) & equal((K + 1) * least, (K + 1) * u) & equal((K + 1) * u, (K + 1) / grown),
)
SMALLEST = Fact("Σ u Wʲ ≥ (min W) Σ u", low * U <= S, "derived")
MINIMUM = Induction(
    SMALLEST.name,
    SMALLEST,
    obligation("min at 0", (), low * 0 <= sympy.Integer(0)),
    obligation(
        "min one round later",
        (SMALLEST, WEIGHT, standard("min W ≤ Wᵏ", low <= W)),
        low * (U + u_next) <= S + u_next * W,
    ),
    start=((U, 0), (S, 0)),
    next=((U, U + u_next), (S, S + u_next * W)),
)
EXPONENTIAL = Fact("u_k exp(b₁γ²k) ≥ 1", u * power >= 1, "derived")
GROWTH = Induction(
    EXPONENTIAL.name,
    EXPONENTIAL,
    obligation("exp at 0", (), sympy.Integer(1) * 1 >= 1),
    obligation(
        "exp one round later",
        (
            SIGNS,
            EXPONENTIAL,
            WEIGHT,
            definition("power = exp(b₁γ²k) > 0", power > 0),
            standard("1 + t ≤ exp t", factor >= 1 + x),
        ),
        u_next * (power * factor) >= 1,
    ),
    start=((u, 1), (power, 1)),
    next=((u, u_next), (power, power * factor)),
)
BELOW_POWER = Fact("0 ≤ (1 + b₁γ²)^k ≤ exp(b₁γ²k)", (grown >= 0) & (grown <= power), "derived")
ABOVE_ZERO = hypothesis("1 + b₁γ² ≥ 0", 1 + x >= 0)
POWERS_GROW = Induction(
    BELOW_POWER.name,
    BELOW_POWER,
    obligation("powers at 0", (), sympy.true),
    obligation(
        "powers one later",
        (ABOVE_ZERO, BELOW_POWER, standard("1 + t ≤ exp t", factor >= 1 + x)),
        (grown * (1 + x) >= 0) & (grown * (1 + x) <= power * factor),
    ),
    start=((grown, 1), (power, 1)),
    next=((grown, grown * (1 + x)), (power, power * factor)),
)
AFTER = definition(
    "k = K + 1 rounds, power = exp(b₁γ²k)",
    (K >= 0) & equal(k, K + 1) & (v >= 0) & (v_0 >= 0) & (u > 0) & (power > 0),
)
LEMMA5 = obligation(
    "min W ≤ exp(b₁γ²(K+1)) V⁰/(b₂γ(K+1)) + b₃/b₂",
    (SIGNS, AFTER, WEIGHTED, ABOVE, SMALLEST, EXPONENTIAL),
    low <= power / (K + 1) * v_0 / (b_2 * step) + b_3 / b_2,
)
LEMMA5_END = (MINIMUM, GROWTH, LEMMA5)
LEMMA5_NODES = (SUM, ENOUGH, *LEMMA5_END)

# The weights summed exactly: b₁γ² Σ u = 1 − u, which gives 1 + b₁γ²(K+1) where the lemma has the exponential.
EXACTLY = Fact("b₁γ² Σ u + u = 1", equal(x * U + u, 1), "derived")
GEOMETRIC = Induction(
    EXACTLY.name,
    EXACTLY,
    obligation("b₁γ² Σ u + u at 0", (), sympy.true),
    obligation("b₁γ² Σ u + u one round later", (EXACTLY, WEIGHT), equal(x * (U + u_next) + u_next, 1)),
    start=((u, 1), (U, 0)),
    next=((u, u_next), (U, U + u_next)),
)
HEAVY = Fact("(1 + b₁γ²k) Σ u ≥ k", (k <= U * (1 + x * k)) & (k >= 0), "derived")
BERNOULLI = Induction(
    HEAVY.name,
    HEAVY,
    obligation("k ≤ at 0", (), (sympy.Integer(0) <= 0 * (1 + x * 0)) & (sympy.Integer(0) >= 0)),
    obligation(
        "k ≤ one round later",
        (SIGNS, HEAVY, EXACTLY, WEIGHT),
        (k + 1 <= (U + u_next) * (1 + x * (k + 1))) & (k + 1 >= 0),
    ),
    start=((k, 0), (U, 0)),
    next=((k, k + 1), (U, U + u_next)),
)
ROUNDS_MADE = definition("K + 1 rounds", (K >= 0) & equal(k, K + 1) & (v >= 0) & (v_0 >= 0) & (u > 0))
LEMMA5_SHARP = obligation(
    "min W ≤ (1 + b₁γ²(K+1)) V⁰/(b₂γ(K+1)) + b₃/b₂",
    (SIGNS, ROUNDS_MADE, WEIGHTED, HEAVY, SMALLEST),
    low <= (1 + x * (K + 1)) / (K + 1) * v_0 / (b_2 * step) + b_3 / b_2,
)
LEMMA5_SHARP_END = (GEOMETRIC, BERNOULLI, MINIMUM, LEMMA5_SHARP)
LEMMA5_SHARP_NODES = (SUM, *LEMMA5_SHARP_END)


def _shrinking(numbers: Values) -> Comparison:
    """b₁γ² = −1/20, K = 1: V and W constant rationals; exp(t) < 1/(1 − t) for t < 1 bounds the right side."""
    t, K_, g = numbers["x"], numbers["K"], numbers["step"]
    b2, c3 = numbers["b_2"] * g, numbers["b_3"] * g
    v, w = [numbers["v_0"]], []
    for wk in (numbers["W"], numbers["W"]):
        w.append(wk)
        v.append((1 + t) * v[-1] - b2 * wk + c3)
    bound = 1 / (1 - t * (K_ + 1)) / (K_ + 1) * v[0] / b2 + c3 / b2  # exp(s) ≤ 1/(1 − s) for s < 1
    met = (("Vᵏ ≥ 0, Wᵏ ≥ 0", min(v) >= 0 and min(w) >= 0), ("γ > 0", g > 0))
    return Comparison(min(w), "<=", bound, met)


def _weights(numbers: Values) -> Comparison:
    """Round k = 1: the middle member against the last one, with the weights as defined."""
    t, b2, b3, g = (numbers[n] for n in ("x", "b_2", "b_3", "step"))
    w0, w1, v1, v2, W1 = (numbers[n] for n in ("w_0", "w_1", "v_1", "v_2", "W_1"))
    middle = w1 * (1 + t) * v1 / (b2 * g) - w1 * v2 / (b2 * g) + b3 / b2
    met = (
        ("w⁰ := w¹/(1 + b₁γ²)", w0 == w1 / (1 + t)), ("V¹, V², W¹ ≥ 0", min(v1, v2, W1) >= 0),
        ("V² ≤ (1 + b₁γ²)V¹ − b₂γW¹ + b₃γ", v2 <= (1 + t) * v1 - b2 * g * W1 + b3 * g),
    )  # fmt: skip
    return Comparison(middle, "==", (w0 * v1 - w1 * v2) / (b2 * g) + b3 / b2, met)


def divided(numbers: Values, parts: Fraction) -> Comparison:
    """b₁ = 0, K = 1, weights w: Σ wW over `parts` against (w⁻¹V⁰ − w¹V²)/(b₂γ(K+1)) over the same."""
    b2, g, w, W_ = (numbers[n] for n in ("b_2", "step", "w", "W"))
    v = [numbers[n] for n in ("v_0", "v_1", "v_2")]
    met = (
        ("Vᵏ, Wᵏ ≥ 0", min(*v, W_) >= 0), ("the recursion", all(v[j + 1] <= v[j] - b2 * g * W_ for j in range(2))),
        ("wᵏ⁻¹ = (1 + b₁γ²)wᵏ > 0", w > 0),
    )  # fmt: skip
    return Comparison(2 * w * W_ / parts, "<=", w * (v[0] - v[2]) / (b2 * g * 2) / parts, met)


def _powers(numbers: Values) -> Comparison:
    """(1 + b₁γ²)^{K+1} against 1, which exp(b₁γ²(K+1)) is below; V = (1, 0, 0), W = (0, 0)."""
    t, K_, b2, b3, g, W_ = (numbers[n] for n in ("x", "K", "b_2", "b_3", "step", "W"))
    v = [numbers[n] for n in ("v_0", "v_1", "v_2")]
    met = (
        ("Vᵏ, Wᵏ ≥ 0", min(*v, W_) >= 0),
        ("the recursion", all(v[j + 1] <= (1 + t) * v[j] - b2 * g * W_ + b3 * g for j in range(2))),
        ("b₁γ²(K+1) < 0, so that its exponential is below 1", t * (K_ + 1) < 0),
    )  # fmt: skip
    return Comparison((1 + t) ** int(K_ + 1), "<=", Fraction(1), met)


def _last_weight(numbers: Values) -> Comparison:
    """min over k in [0, K] of wᵏ is w^K = w⁻¹/(1 + x)^(K+1), not w^(K+1)."""
    t, K_ = numbers["x"], int(numbers["K"])
    w = [1 / (1 + t) ** (j + 1) for j in range(K_ + 2)]
    used = all(w[j] == (1 + t) * w[j + 1] for j in range(K_ + 1))
    return Comparison(
        min(w[: K_ + 1]), "==", w[K_ + 1], (("wᵏ⁻¹ = (1 + b₁γ²) wᵏ, as the proof uses it", used),)
    )


ONCE_TOO_OFTEN = values(b_2=1, step=1, w=1, v_0=2, v_1=1, v_2=0, W=1)
CLAIMS = (
    claim(
        "FED-L5",
        "Appendix E, Lemma 5",
        "lemma",
        LEMMAS["FED-L5"],
        "True for b₁ ≥ 0 and b₂ > 0, which the lemma does not state and every use of it satisfies; it can be false for b₁ < 0.",
        witness=Witness(
            values(x="-1/20", K=1, b_2=1, b_3=1, step=1, v_0=1, W="73/50"),
            "min W ≤ exp(b₁γ²(K+1))/(K+1) · V⁰/(b₂γ) + b₃/b₂",
            _shrinking,
            "b₁γ² = −1/20, γ = b₂ = b₃ = 1, V⁰ = 1, W = 73/50 twice",
        ),
        repair=Repair(
            "The conclusion holds for b₁ ≥ 0, b₂ > 0, γ > 0 and any b₃.",
            "b₁ ≥ 0, b₂ > 0",
            Proof((SIGNS, RECURSION), LEMMA5_NODES),
            weakest="it holds for b₁γ² ≤ −1/2 as well, for every K (FED-L5-SHRINKING, FED-L5-SHRINKING@at-once). Nearer to 0 it may "
            "fail: with constant W it does exactly where (K+1)(1 − r)r^{K+1} > (1 − r^{K+1})exp((r − 1)(K+1)), r = 1 + b₁γ²: at r = "
            "19/20 for K = 1, numerically for some K at every b₁γ² between −0.494 and 0",
        ),
    ),
    claim(
        "FED-L5-SHARP",
        "ours, Lemma 5 without the exponential",
        "ours",
        "V, W ≥ 0, b₁ ≥ 0, b₂, γ > 0 and Vᵏ⁺¹ ≤ (1 + b₁γ²)Vᵏ − b₂γWᵏ + b₃γ imply "
        "min_k Wᵏ ≤ (1 + b₁γ²(K+1))/(K+1) · V⁰/(b₂γ) + b₃/b₂",
        "Σ (1 + t)^(−k) summed, not bounded by its smallest term; equality for K = 0. The condition on ηγ of Theorems 1 and "
        "2 bounds the exponential, and falls with it (FED-R2-SHARP).",
        proof=Proof((SIGNS, RECURSION), LEMMA5_SHARP_NODES),
    ),
    claim(
        "FED-L5-S1",
        "Appendix E, proof of Lemma 5, definition of wᵏ",
        "step",
        LEMMAS["FED-L5-S1"],
        "The index is shifted the wrong way: as defined the weights grow, as used they shrink. (b₃/b₂ lacks the factor w^k, which the "
        "sum over k has again.)",
        witness=Witness(
            values(x=1, b_2=1, b_3=0, step=1, w_0=1, w_1=2, v_1=1, v_2=1, W_1=1),
            "the middle member and the last one are equal at k = 1",
            _weights,
            "b₁γ² = b₂ = γ = 1, b₃ = 0, V¹ = V² = W¹ = 1, w⁰ = 1, w¹ = 2: 2 against −1",
        ),
        repair=Repair(
            "wᵏ := wᵏ⁻¹/(1 + b₁γ²), and w^k b₃/b₂ for b₃/b₂, for b₂γ > 0 and b₁γ² > −1.",
            "k − 1 for k + 1; w^k b₃/b₂ for b₃/b₂; b₂γ > 0, b₁γ² > −1",
            Proof((GAIN, RECURSION), (ONE_ROUND,)),
        ),
    ),
    claim(
        "FED-L5-S2",
        "Appendix E, proof of Lemma 5, the sum over k",
        "step",
        LEMMAS["FED-L5-S2"],
        "The sum is not a mean: the factor 1/(K+1) must not be there yet (it comes from Σ wᵏ ≥ (K+1) min wᵏ).",
        witness=Witness(
            ONCE_TOO_OFTEN,
            "Σ wᵏWᵏ ≤ (w⁻¹V⁰ − w^K V^{K+1})/(b₂γ(K+1))",
            lambda numbers: divided(numbers, Fraction(1)),
            "K = 1, V = (2, 1, 0), W = (1, 1), b₁ = b₃ = 0, b₂ = γ = 1, all weights 1",
        ),
        repair=Repair(
            "For b₂γ > 0 and b₁γ² > −1: Σ wᵏWᵏ ≤ (w⁻¹V⁰ − w^K V^{K+1})/(b₂γ) + (b₃/b₂) Σ wᵏ",
            "without 1/(K+1); b₂γ > 0, b₁γ² > −1",
            Proof((GAIN, RECURSION), (SUM_OF_GAINS, QUOTIENT)),
            weakest="for b₂γ < 0 dividing by it turns ≤ around, and weights are positive for b₁γ² > −1 alone",
        ),
    ),
    claim(
        "FED-L5-S3",
        "Appendix E, proof of Lemma 5, lower bound of Σ wᵏ",
        "step",
        LEMMAS["FED-L5-S3"],
        "With the weights as the proof uses them (FED-L5-S1) and b₁ > 0 the smallest is w^K; w^{K+1} does not occur in the sum and "
        "is smaller. (K+1) min wᵏ and the last member agree: only the one between them is wrong.",
        witness=Witness(
            values(x=1, K=1), "min_{k ≤ K} wᵏ = w^{K+1}", _last_weight, "b₁γ² = 1, K = 1: 1/4 against 1/8"
        ),
        repair=Repair(
            "For b₁ ≥ 0: … = (K+1) w^K = (K+1) w⁻¹/(1 + b₁γ²)^{K+1}",
            "w^K for w^{K+1}; b₁ ≥ 0",
            Proof((SIGNS,), (ENOUGH, LIGHTER, SUM_OF_WEIGHTS)),
        ),
    ),
    claim(
        "FED-L5-S4",
        "Appendix E, proof of Lemma 5, last step",
        "step",
        LEMMAS["FED-L5-S4"],
        "1 + t ≤ exp t may be raised to the power K + 1 where 1 + t is not negative; the lemma does not state b₁ ≥ 0.",
        witness=Witness(
            values(x=-3, K=1, b_2=1, b_3=2, step=1, v_0=1, v_1=0, v_2=0, W=0),
            "(1 + b₁γ²)^{K+1} ≤ 1, which is more than exp(b₁γ²(K+1))",
            _powers,
            "b₁γ² = −3, K = 1, b₂ = γ = 1, b₃ = 2, V = (1, 0, 0), W = 0: 4 against e⁻⁶",
        ),
        repair=Repair(
            "It holds for b₁γ² ≥ −1, so for b₁ ≥ 0.",
            "b₁γ² ≥ −1",
            Proof((ABOVE_ZERO,), (POWERS_GROW,)),
            weakest="below −1 the power is negative for odd K + 1, which is as true; for even K + 1 it holds down to the t = −1.278 "
            "with −(1 + t) = exp t, and no further",
        ),
    ),
)
