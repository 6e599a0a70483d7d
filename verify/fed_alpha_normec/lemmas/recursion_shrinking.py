"""Lemma 5 where b₁γ² ≤ −1/2, so that V would shrink by itself: it holds there too.

With r = 1 + b₁γ² ≤ 0 the recursion and V¹ ≥ 0 give W⁰ ≤ b₃/b₂ at once. For 0 < r ≤ 1/2 the weights u_k = r^(−k) sum up to
u_n(1 + r + … + r^{n−1}), n = K + 1, so that with y = r exp(1 − r) the lemma asks for n yⁿ ≤ 1 + r + … + r^{n−1}. That is a question
for each n ≤ 5; from there on the left side falls, since y ≤ √e/2 < 5/6, and the right side grows.
"""

from __future__ import annotations

import sympy
from sympy.logic.boolalg import Boolean

from verify.facts import Fact, definition, equal, hypothesis, letters, standard
from verify.fed_alpha_normec.lemmas import recursion as rec
from verify.fed_alpha_normec.letters import claim
from verify.induction import Induction
from verify.obligation import obligation
from verify.proof import Proof

x, b_2, b_3, step, v_0, u, U, S, k, low, K, power = (
    rec.x, rec.b_2, rec.b_3, rec.step, rec.v_0, rec.u, rec.U, rec.S, rec.k, rec.low, rec.K, rec.power,
)  # fmt: skip
r, y, raised, shrunk, geo = letters("r y y^n r^n 1+r+…+r^(n−1)")
_ROOT_E = sympy.Rational(16488, 10000)
"""A little more than √e."""
SIGNS = hypothesis("b₂ > 0, γ > 0", (b_2 > 0) & (step > 0))
BELOW = hypothesis("−1 < b₁γ² ≤ −1/2", (x > -1) & (2 * x <= -1))
_R = definition("r = 1 + b₁γ²", equal(r, 1 + x))
_SMALL = obligation("0 < r ≤ 1/2", (BELOW, _R), (r > 0) & (2 * r <= 1))
_Y = standard(
    "y = r exp(1 − r) = r√e exp(1/2 − r), exp t ≤ 1/(1 − t) for t < 1, √e < 1.6488",
    sympy.Implies((r > 0) & (2 * r <= 1), (y > 0) & (y * (1 + 2 * r) <= 2 * r * _ROOT_E)),
)
_SHORT = obligation("0 < y < 5/6", (_SMALL.conclusion, _Y), (y > 0) & (6 * y < 5))


def _sum(count: int) -> sympy.Expr:
    """1 + r + … + r^(count − 1)."""
    return sum((r**j for j in range(count)), sympy.Integer(0))


_BEFORE = tuple(
    obligation(
        f"{count}y^{count} ≤ 1 + … + r^{count - 1}",
        (_SMALL.conclusion, _Y),
        count * y**count <= _sum(count),
    )
    for count in range(1, 5)
)
_FACTOR = obligation(
    "(5/4)y(1 + r + r² + r³) ≤ 1 + … + r⁴", (_SMALL.conclusion, _Y), 5 * y * _sum(4) <= 4 * _sum(5)
)
# The first powers and sums by letters of their own, so that the step has products of two letters alone.
_powers = (sympy.Integer(1), y, *letters("y² y³ y⁴"))
_shrinking = (sympy.Integer(1), r, *letters("r² r³ r⁴"))
_sums = (sympy.Integer(0), sympy.Integer(1), *letters("1+r 1+r+r² 1+r+r²+r³"))
_CALLED = definition(
    "a letter for each of y², …, r⁴ and of the sums 1 + r, …, 1 + r + r² + r³",
    sympy.And(
        *(
            equal(_powers[j + 1], _powers[j] * y)
            & equal(_shrinking[j + 1], _shrinking[j] * r)
            & equal(_sums[j + 1], _sums[j] + _shrinking[j])
            for j in (1, 2, 3)
        )
    ),
)
_NAMED = tuple(
    obligation(
        f"{j}y^{j} ≤ 1 + … + r^{j - 1}, with a letter for each power and sum",
        (_CALLED, _BEFORE[j - 1].conclusion),
        j * _powers[j] <= _sums[j],
    )
    for j in (2, 3, 4)
)
_NAMED_FACTOR = obligation(
    "(5/4)y(1 + r + r² + r³) ≤ 1 + … + r⁴, with a letter for each power and sum",
    (_CALLED, _FACTOR.conclusion),
    5 * y * _sums[4] <= 4 * (_sums[4] + _shrinking[4]),
)
_FIFTH = obligation(
    "5y⁵ ≤ 1 + … + r⁴, with a letter for each power and sum",
    (_SHORT.conclusion, _NAMED[2].conclusion, _NAMED_FACTOR.conclusion),
    5 * _powers[4] * y <= _sums[4] + _shrinking[4],
)
_LATER = obligation("(n + 1)y ≤ n for n ≥ 5", (_SHORT.conclusion,), sympy.Implies(k >= 5, (k + 1) * y <= k))


def _case(count: int) -> Boolean:
    """After `count` rounds."""
    named = zip((raised, shrunk, geo), (_powers, _shrinking, _sums), strict=True)
    return sympy.And(equal(k, count), *(equal(letter, known[count]) for letter, known in named))


_BESIDE = (k * raised <= geo) & (raised >= 0) & (shrunk >= 0) & (k >= 0)
_STARTS = (*(_case(j) for j in range(5)), sympy.Ge(k, 5))
_ENOUGH = Fact("n yⁿ ≤ 1 + r + … + r^{n−1}", _BESIDE & sympy.Or(*_STARTS), "derived")
_NEXT = _ENOUGH.at({k: k + 1, raised: raised * y, shrunk: shrunk * r, geo: geo + shrunk}).relation
_KNOWN = (
    (_BEFORE[0].conclusion,),
    (_NAMED[0].conclusion,),
    (_NAMED[1].conclusion,),
    (_NAMED[2].conclusion,),
    (_FIFTH.conclusion,),
    (_LATER.conclusion,),
)
_SIGNED = (_SMALL.conclusion, _SHORT.conclusion)
_ONE_MORE = tuple(
    obligation(
        f"n one more, from {'5 or more' if j == 5 else j}",
        (*_SIGNED, *((_CALLED,) if j < 4 else ()), *known),
        sympy.Implies(_BESIDE & start, _NEXT),
    )
    for j, (start, known) in enumerate(zip(_STARTS, _KNOWN, strict=True))
)
_ALWAYS = Induction(
    _ENOUGH.name,
    _ENOUGH,
    obligation("n = 0", (), _ENOUGH.at({k: 0, raised: 1, shrunk: 1, geo: 0}).relation),
    obligation("n one more", (*(node.conclusion for node in _ONE_MORE), _ENOUGH), _NEXT),
    start=((k, 0), (raised, 1), (shrunk, 1), (geo, 0)),
    next=((k, k + 1), (raised, raised * y), (shrunk, shrunk * r), (geo, geo + shrunk)),
)

# As in Lemma 5, with the weights summed exactly.
_INVERSE = Fact("u_n rⁿ = 1", equal(u * shrunk, 1), "derived")
_WEIGHTS = Induction(
    _INVERSE.name,
    _INVERSE,
    obligation("u₀ r⁰", (), sympy.true),
    obligation(
        "u_n rⁿ one round later",
        (_SMALL.conclusion, _R, rec.WEIGHT, _INVERSE),
        equal(rec.u_next * (shrunk * r), 1),
    ),
    start=((u, 1), (shrunk, 1)),
    next=((u, rec.u_next), (shrunk, shrunk * r)),
)
_CLOSED = Fact("(1 − r)(1 + r + … + r^{n−1}) = 1 − rⁿ", equal((1 - r) * geo, 1 - shrunk), "derived")
_GEOMETRIC = Induction(
    _CLOSED.name,
    _CLOSED,
    obligation("no power of r", (), sympy.true),
    obligation("a power of r more", (_CLOSED,), equal((1 - r) * (geo + shrunk), 1 - shrunk * r)),
    start=((geo, 0), (shrunk, 1)),
    next=((geo, geo + shrunk), (shrunk, shrunk * r)),
)
_RATIO = Fact("yⁿ exp(b₁γ²n) = rⁿ", equal(raised * power, shrunk) & (power > 0), "derived")
_EXPONENTIAL = Induction(
    _RATIO.name,
    _RATIO,
    obligation("the exponential at 0", (), sympy.true),
    obligation(
        "the exponential one round later",
        (_RATIO, standard("y exp(b₁γ²) = r", equal(y * rec.factor, r) & (rec.factor > 0))),
        equal((raised * y) * (power * rec.factor), shrunk * r) & (power * rec.factor > 0),
    ),
    start=((raised, 1), (power, 1), (shrunk, 1)),
    next=((raised, raised * y), (power, power * rec.factor), (shrunk, shrunk * r)),
)
_ROUNDS = definition("n = K + 1 rounds", (K >= 0) & equal(k, K + 1))
_HEAVY = obligation(
    "n ≤ (Σ u) exp(b₁γ²n)",
    (
        _SMALL.conclusion, _R, _INVERSE, _CLOSED, _RATIO, _ENOUGH, rec.EXACTLY,
        definition("u > 0", u > 0),
    ),
    (k <= U * power) & (power > 0),
)  # fmt: skip
_LEMMA5 = obligation(
    rec.LEMMA5.name,
    (
        SIGNS, _ROUNDS, _HEAVY.conclusion, rec.WEIGHTED, rec.SMALLEST,
        definition("V ≥ 0, u > 0", (rec.v >= 0) & (v_0 >= 0) & (u > 0)),
    ),
    rec.LEMMA5.conclusion.relation,
)  # fmt: skip
_GAIN = obligation(rec.GAIN.name, (SIGNS, BELOW), rec.GAIN.relation)
SHRINKING = Proof(
    (SIGNS, BELOW, rec.RECURSION),
    (
        _SMALL, _SHORT, *_BEFORE, _FACTOR, *_NAMED, _NAMED_FACTOR, _FIFTH, _LATER, *_ONE_MORE, _ALWAYS, _WEIGHTS, _GEOMETRIC,
        _EXPONENTIAL, _GAIN, rec.SUM_OF_GAINS, rec.GEOMETRIC, rec.MINIMUM, _HEAVY, _LEMMA5,
    ),
)  # fmt: skip
_AT_MOST = hypothesis("b₁γ² ≤ −1", x <= -1)
_LEAST = standard("min W ≤ Wᵏ", low <= rec.W)
_FIRST = obligation("min W ≤ b₃/b₂", (SIGNS, _AT_MOST, rec.RECURSION, _LEAST), low <= b_3 / b_2)
_AT_ONCE = obligation(
    rec.LEMMA5.name,
    (SIGNS, definition("K ≥ 0; V⁰ ≥ 0; exp > 0", (K >= 0) & (v_0 >= 0) & (power > 0)), _FIRST.conclusion),
    rec.LEMMA5.conclusion.relation,
)
_SAME = "and Vᵏ⁺¹ ≤ (1 + b₁γ²)Vᵏ − b₂γWᵏ + b₃γ imply min_k Wᵏ ≤ exp(b₁γ²(K+1))/(K+1) · V⁰/(b₂γ) + b₃/b₂"
CLAIMS = (
    claim(
        "FED-L5-SHRINKING",
        "ours, Lemma 5 for −1 < b₁γ² ≤ −1/2",
        "ours",
        f"V, W ≥ 0, b₂, γ > 0, −1 < b₁γ² ≤ −1/2 {_SAME}, for every K",
        "For n = K + 1 it asks for n yⁿ ≤ 1 + r + … + r^{n−1}, r = 1 + b₁γ², y = r exp(1 − r) ≤ √e/2: tightest at n = 4, r = 1/2.",
        proof=SHRINKING,
    ),
    claim(
        "FED-L5-SHRINKING@at-once",
        "ours, Lemma 5 for b₁γ² ≤ −1",
        "ours",
        f"V, W ≥ 0, b₂, γ > 0, b₁γ² ≤ −1 {_SAME}, for every K",
        "The recursion and V ≥ 0 give Wᵏ ≤ b₃/b₂ in every round.",
        proof=Proof((SIGNS, _AT_MOST, rec.RECURSION), (_FIRST, _AT_ONCE)),
    ),
)
