"""Corollary 2 at γ = 1/(2L) against every constant in O(·): where the noise is small what absent clients leave is not.

M = 2 clients, p = 1/2, f_i = ½(x ∓ c)², so that L = 1 and f' = x on both sides of x⁰ = 1; both memories start at v_i⁰ = f_i'(x⁰) + R,
so that both residuals u = f_i'(x) − v_i are the same number in every round, u = −R at first. With y = (B₂/M)^{1/4} = √3 t, β̂ = 1/t,
and K + 1 makes β ≤ α = R, η = β/8. Write e = v̄ − v̂ = s + w, s from who took part, w from noise, W = max |w|. Then

- |u| ≤ R in every round, and as long as x falls u stays below −α/7, where a message is between 1/8 and 1/2 long;
- in the first N = 2/β rounds x falls by 1/4, and v̂ > 0 where W ≤ 1/4, whoever takes part: messages Δᵏ are what they are, so that s is
  β Σ ξΔᵏ with independent ξ of the values −1, 0, 1 and E ξ² = ½, E s² ≥ β²N/128, E s⁴ ≤ 3(E s²)², hence E|s| ≥ (5/9)√(β²N/128);
- e is a martingale, so E|eᵏ| ≥ E|eᴺ| for k ≥ N, which is at least E|s| − βN P(W > 1/4): given who took part, E w = 0. And
  P(W > 1/4) ≤ 16 E w², E W ≤ 2√(E w²) by Kolmogorov's and Doob's inequalities, E w² = β²σ_DP²k/(pM) after k rounds;
- v̂ is never below −2R − 2W: where it becomes negative x rises, and then messages that lower v̂ add up to 2R at most, as a residual
  that is not negative stays so. x = v̂ + e + u, so that max(e, 0) ≤ |x| + 3R + 2W, and E max(e, 0) = ½E|e|.

So min_k E|f'(xᵏ)| is at least ¾P(W ≤ 1/4) or ½E|eᴺ| − 3R − 2E W, of the order √β ∝ √t where R, E W and the bound are of the order t.
"""

from __future__ import annotations

from fractions import Fraction

import sympy

from bounds.fed_alpha_normec.theorem1 import MAIN
from verify.claim import Repair, Values, Witness
from verify.computation import Comparison
from verify.facts import Fact, definition, equal, hypothesis, letters
from verify.fed_alpha_normec import conditions
from verify.fed_alpha_normec.corollaries.one_constant import REPAIR
from verify.fed_alpha_normec.displays import COROLLARIES
from verify.fed_alpha_normec.letters import ALPHA, BETA, R, alpha, beta, claim, eta, values
from verify.fractions_check import exact_root
from verify.identity import Limit
from verify.induction import Induction
from verify.obligation import obligation
from verify.proof import Proof

EIGHTH = Fraction(1, 8)
"""The shortest message while x falls; η/β."""


def _left(v: Values) -> tuple[Fraction, tuple[tuple[str, bool], ...]]:
    """What min_k E|f'(xᵏ)| is at least, and when."""
    R_, beta, n, M_ = v["R"], v["beta_hat"] / (v["K"] + 1), v["K"] + 1, v["M"]
    p_ = v["B_hat"] / M_
    N, variance = 2 / beta, v["c2"] * p_**2 * n * v["level"]  # σ_DP², level = log(1/δ)/ε²
    walked = beta**2 * variance / (p_ * M_)  # what E w² grows by in a round
    parted = Fraction(5, 9) * exact_root(beta**2 * N * EIGHTH**2 / 2, 2)
    far = 16 * walked * N  # P(W > 1/4) in N rounds
    late = (parted - beta * N * far) / 2 - 3 * R_ - 4 * v["w"]
    return min(Fraction(3, 4) * (1 - far), late), (
        ("M = 2, p = 1/2", M_ == 2 and p_ == Fraction(1, 2)),
        ("N = 2/β rounds, and N ≤ K", N.denominator == 1 and N <= v["K"]),
        ("(Nη, with η = β/8) x falls by 1/4 in N rounds", N * beta / 8 == Fraction(1, 4)),
        (
            "v̂ > 0 in N rounds: 1 + R − 2(1/4 + R) − 1/4 > 0",
            1 + R_ - 2 * (Fraction(1, 4) + R_) > Fraction(1, 4),
        ),
        ("w ≥ √(E w²) after all rounds", v["w"] > 0 and v["w"] ** 2 >= walked * n),
    )


def _stays(v: Values) -> Comparison:
    """Both sides squared; L = x⁰ = d = 1."""
    a, R_, b, t, M_, level, g = (v[k] for k in ("alpha", "R", "beta_hat", "t", "M", "level", "gamma"))
    n, gap, Delta = v["K"] + 1, Fraction(1, 2), v["centre"] ** 2 / 2
    second, eta = 2 * v["c2"] * v["B_hat"] / M_ * level, g / 2 * b * R_ / (a + R_) / n
    left, met = _left(v)
    sizes = {"alpha": a, "R": R_, "gamma": g, "L": Fraction(1), "Delta": Delta}
    under = (
        2 * max(a / 2, 1) ** 2 * exact_root(v["B_hat"] / M_**2 * level, 2)
    )  # Δ² times the root of what stands under the fourth
    return Comparison(
        left**2,
        "<=",
        v["A"] ** 2 * under,
        (
            ("γ = 1/(2L)", g == Fraction(1, 2)),
            ("B₂/M = (√3 t)⁴, B₂ = 2c²(B̂/M)log(1/δ)/ε²", t > 0 and second / M_ == 9 * t**4),
            ("1 ≤ B̂ ≤ M", 1 <= v["B_hat"] <= M_),
            ("β̂ = √(3(f(x⁰)−f^inf)/γ)(M/B₂)^{1/4}", b > 0 and (b * t) ** 2 * 3 == 3 * gap / g),
            ("α = R = C√((f(x⁰)−f^inf)/γ)(B₂/M)^{1/4}, C = 1/√3", a == R_ and (a / t) ** 2 == gap / g),
            ("γ < Δ^inf(α+R)/(√(2L)β̂R)", (g * b * R_) ** 2 * 2 < (Delta * (a + R_)) ** 2),
            ("β ≤ α, K + 1 ≥ 1 is whole", b <= n * a and n >= 1 and n.denominator == 1),
            *conditions.met(MAIN, {**sizes, "beta": b / n, "eta": eta, "K": v["K"]}),
            *met,
            ("left side bounded below by a positive number", left > 0),
        ),
    )  # fmt: skip


# What the module's first lines say, for every α, β, R.
u, u_next, sign, start, sent, sent_next, message = letters("u u_next sign u_0 sent sent_next message")
_SIZES = (
    ALPHA,
    BETA,
    hypothesis("β ≤ α = R", (beta <= alpha) & equal(alpha, R)),
    hypothesis("η = β/8", equal(8 * eta, beta)),
)
_LENGTH = definition("|Δ| = |u|/(α + |u|)", equal(message * (alpha + sympy.Abs(u)), sympy.Abs(u)))
_WITHIN = hypothesis("|u| ≤ R before a round", sympy.Abs(u) <= R)


def _moved(name: str, by: sympy.Expr) -> Fact:
    return definition(name, equal(u_next, u - beta * u / (alpha + sympy.Abs(u)) - by * eta))


_ANY_WAY = hypothesis("x moves by η to one side, or stays", (sign >= -1) & (sign <= 1))
_KEPT = obligation(
    "|u| ≤ R after it",
    (*_SIZES, _WITHIN, _ANY_WAY, _moved("u is u − βNorm_α(u) ∓ η after a round", sign)),
    sympy.Abs(u_next) <= R,
)
down = letters("u_down")[0]
_FALLING = definition(
    "u is u − βNorm_α(u) − η where x falls", equal(down, u - beta * u / (alpha + sympy.Abs(u)) - eta)
)
_BELOW = hypothesis("u ≤ −α/7 before a round", u <= -alpha / 7)
_STAYS_BELOW = obligation("u ≤ −α/7 after it", (*_SIZES, _BELOW, _FALLING), down <= -alpha / 7)
_LONG = obligation(
    "1/8 ≤ |Δ| ≤ 1/2",
    (*_SIZES, _WITHIN, _BELOW, _LENGTH),
    (message >= sympy.Rational(1, 8)) & (message <= sympy.Rational(1, 2)),
)
# Where x rises: what messages lower the memories by, in all.
r, r_next, r_0 = letters("r r_next r_0")
_BEGUN = hypothesis("|u| ≤ R where v̂ becomes negative", sympy.Abs(r_0) <= R)
_LOWERED = Fact(
    "β Σ |Δ| over messages Δ < 0, and max(−u, 0), are at most R together",
    sent + sympy.Max(-r, 0) <= R,
    "derived",
)
_RISING = definition(
    "u is u − βNorm_α(u) + η where x rises, and Δ < 0 where u < 0",
    equal(r_next, r - beta * r / (alpha + sympy.Abs(r)) + eta)
    & equal(sent_next, sent + beta * sympy.Max(-r, 0) / (alpha + sympy.Abs(r))),
)  # fmt: skip
_LOWERS = Induction(
    _LOWERED.name,
    _LOWERED,
    obligation("where v̂ becomes negative", (_BEGUN,), sympy.Integer(0) + sympy.Max(-r_0, 0) <= R),
    obligation("one round later", (*_SIZES, _LOWERED, _RISING), sent_next + sympy.Max(-r_next, 0) <= R),
    start=((sent, 0), (r, r_0)),
    next=((sent, sent_next), (r, r_next)),
)
estimate, before, raised, walk, walk_before, W, e, x = letters("v_hat v_hat_j raised w w_j W e x")
_SINCE = hypothesis(
    "v̂ᵏ = v̂ʲ + β Σ q̄Δ − (wᵏ − wʲ) with 0 ≤ q̄ ≤ 2, where v̂ʲ ≥ 0 is the last one that is",
    (before >= 0) & (raised >= 0) & (estimate >= before + raised - 2 * sent - (walk - walk_before)),
)
_WALKS = hypothesis("|wᵏ|, |wʲ| ≤ W", (sympy.Abs(walk) <= W) & (sympy.Abs(walk_before) <= W))
_NOT_BELOW = obligation(
    "v̂ ≥ −2R − 2W", (_SIZES[2], ALPHA, _LOWERS.conclusion, _SINCE, _WALKS), estimate >= -2 * R - 2 * W
)
_SPLIT = hypothesis("f'(x) = x = v̂ + e + u", equal(x, estimate + e + u))
_ERROR = obligation(
    "max(e, 0) ≤ |f'(x)| + 3R + 2W",
    (_SIZES[2], ALPHA, _WITHIN, _SPLIT, _WALKS, _NOT_BELOW.conclusion),
    sympy.Max(e, 0) <= sympy.Abs(x) + 3 * R + 2 * W,
)
# E|s|, from two moments.
second, second_next, fourth, fourth_next, step, s, scale, size, square, power = letters(
    "E_s2 E_s2_next E_s4 E_s4_next beta*Delta s a E_abs E_s2_N E_s4_N"
)
_MOMENTS = Fact("E s⁴ ≤ 3(E s²)²", (second >= 0) & (fourth <= 3 * second**2), "derived")
_ONE_MORE = definition(
    "ξ independent of s, E ξ = E ξ³ = 0, E ξ² = E ξ⁴ = ½: E(s + βΔξ)², E(s + βΔξ)⁴ expanded",
    equal(second_next, second + step**2 / 2)
    & equal(fourth_next, fourth + 3 * step**2 * second + step**4 / 2),
)
_FLATTENED = Induction(
    _MOMENTS.name,
    _MOMENTS,
    obligation("no round", (), (sympy.Integer(0) >= 0) & (sympy.Integer(0) <= 3 * sympy.Integer(0) ** 2)),
    obligation(
        "one round more", (_MOMENTS, _ONE_MORE), (second_next >= 0) & (fourth_next <= 3 * second_next**2)
    ),
    start=((second, 0), (fourth, 0)),
    next=((second, second_next), (fourth, fourth_next)),
)
_SCALE = hypothesis("a = 3√(E s²) > 0 after N rounds", (scale > 0) & equal(scale**2, 9 * square))
_POINTWISE = obligation(
    "|s| ≥ (5/2)(s²/a − s⁴/a³), times a³",
    (_SCALE,),
    sympy.Abs(s) * scale**3 >= sympy.Rational(5, 2) * (s**2 * scale**2 - s**4),
)
_IN_THE_MEAN = hypothesis(
    "E|s| a³ ≥ (5/2)(a²E s² − E s⁴)",
    size * scale**3 >= sympy.Rational(5, 2) * (scale**2 * square - power),
)
_LEAST = obligation(
    "E|s| ≥ (5/9)√(E s²)",
    (_SCALE, _IN_THE_MEAN, _FLATTENED.conclusion.at({second: square, fourth: power})),
    size >= sympy.Rational(5, 27) * scale,
)
A, t, C = letters("A t C")
_ANY = hypothesis("A, C > 0", (A > 0) & (C > 0))
_LARGER = Limit(
    "½((5/9)√(β²N/128) − βN P(W > 1/4)) − 3R − 2E W, α = R = β = Ct, over A times what stands under O(·) → ∞ as t → 0",
    (5 * sympy.sqrt(C * t) / 144 - 144 * t**3 - 3 * C * t - 9 * t) / (A * sympy.sqrt(6) * t),
    t,
    sympy.Integer(0),
    sympy.oo,
    given=(_ANY,),
)
UNIVERSAL = Proof(
    (*_SIZES, _WITHIN, _ANY_WAY, _BELOW, _BEGUN, _SINCE, _WALKS, _SPLIT, _SCALE, _IN_THE_MEAN, _ANY),
    (
        _KEPT, _STAYS_BELOW, _LONG, _LOWERS, _NOT_BELOW, _ERROR, _FLATTENED, _POINTWISE, _LEAST, _LARGER,
    ),
)  # fmt: skip

WITNESS = Witness(
    values(
        A=1000, t="1e-10", alpha="1e-10", R="1e-10", beta_hat=10**10, K=10**20 - 1, gamma="1/2", M=2, B_hat=1, c2="1/2",
        level="36e-40", centre=10**5, w="22e-11",
    ),
    "(min_k E|f'(xᵏ)|)², bounded below, is at most the square of what stands under O(·), times A² for the constant A = 1000",
    _stays,
    "f_i = ½(x ∓ 10⁵)², x⁰ = 1, M = 2, p = 1/2, log(1/δ)/ε² = 3.6·10⁻³⁹, α = R = β = 10⁻¹⁰, K + 1 = 10²⁰: v̂ is wrong by more than "
    "the bound when x first comes near 0, and x goes where v̂ is 0; for every other A and C the same with a larger ε",
    UNIVERSAL,
)  # fmt: skip
CLAIMS = (
    claim(
        "FED-C2-UTIL@longest-gamma",
        "Appendix F.5, Corollary 2 with γ = 1/(2L), as the last line of its proof has it",
        "corollary",
        COROLLARIES["FED-C2-UTIL"] + " [Finally, if γ = 1/(2L)]",
        "With little noise what absent clients leave is more than the bound, which does not speak of it: the messages that a server "
        "misses on its way to a minimiser are an error of the order √(βG/M), G = ‖∇f(x⁰)‖, that no later round takes back in the "
        "mean. No constant in O(·) serves, even one that depends on L, f(x⁰) − f^inf, Δ^inf, α and R over (B₂/M)^{1/4}, d, p, M, c.",
        witness=WITNESS,
        repair=Repair(
            REPAIR.statement,
            "σ_DP² ≥ 1 − p; σ_DP² := E‖z_i‖²",
            REPAIR.proof,
            weakest="σ_DP² ≥ κ(1 − p) costs the factor √((1 + 1/κ)/2) at most, κ ≤ 1; some lower limit is necessary by the witness, "
            "whether a lower one would do is open",
        ),
        consequence="FED-C2-EXPLICIT keeps the term of absent clients.",
    ),
)
