"""E w_K² by the sum of all E w_k²: D_K is at most the mean of the last m of the D_k, and mη²v for what m rounds add."""

from __future__ import annotations

import sympy

from verify.dp_normfedavg.letters import eta, summed, y2
from verify.dp_normfedavg.theorems.sampling import yn2
from verify.facts import Fact, hypothesis, letters, standard
from verify.induction import Induction
from verify.obligation import Obligation, obligation

v, m, last, TD = letters("v m D_K T_square")
"""A round adds η²v at most; rounds looked at; D_K; Σ_{k<K} D_k."""
_later, _i, _p, _sum = letters("D_later i p S_last")


def last_round(
    one_round: Fact, signs: tuple[Fact, ...], positive: Fact, step: sympy.Symbol = eta
) -> tuple[Induction, Induction, Obligation]:
    """mD_K ≤ Σ_{k<K} D_k + m²η²v, from D_{k+1} ≤ D_k + η²v, which `one_round` and `signs` give, and v > 0, which `positive` gives; η
    is `step`."""
    grows = summed(
        "i rounds later D is at most D_k + iη²v",
        _later <= y2 + _i * step**2 * v,
        {_later: y2, _i: 0},
        {_later: yn2, _i: _i + 1},
        (one_round.at({y2: _later}, "a later round"), *signs),
    )
    few = summed(
        "p D_K ≤ Σ D_k + pmη²v over p of the last m rounds",
        _p * last <= _sum + _p * m * step**2 * v,
        {_p: 0, _sum: 0},
        {_p: _p + 1, _sum: _sum + y2},
        (
            grows.conclusion.at({_later: last}, "i = K − k"),
            hypothesis("the last m ≤ K rounds: i ≤ m", (_i >= 0) & (_i <= m)),
            positive,
        ),
    )
    end = obligation(
        "mD_K ≤ Σ_{k<K} D_k + m²η²v",
        (few.conclusion.at({_p: m}, "p = m"), standard("the last m of the D_k are part of all", _sum <= TD)),
        m * last <= TD + m**2 * step**2 * v,
    )
    return grows, few, end
