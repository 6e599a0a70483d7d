"""Theorem 1, as printed three times, and Theorem 2: witnesses, readings and repairs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import sympy

from bounds.fed_alpha_normec import theorem1 as printed
from bounds.fed_alpha_normec.theorem2 import THEOREM2, THEOREM2_OUTSIDE
from bounds.statement import Bound
from verify.claim import Claim, Repair, Values, Witness
from verify.computation import Comparison
from verify.curves import Curve, mean, same
from verify.facts import Fact
from verify.fed_alpha_normec import conditions
from verify.fed_alpha_normec.counterexamples import steady
from verify.fed_alpha_normec.counterexamples.exact import Work
from verify.fed_alpha_normec.counterexamples.problems import Trap, Trapped, infimum_is_attained
from verify.fed_alpha_normec.displays import THEOREMS
from verify.fed_alpha_normec.letters import claim, values
from verify.fed_alpha_normec.ours import rounds as ro
from verify.fed_alpha_normec.theorems import coordinates, noise_per_coordinate
from verify.fed_alpha_normec.theorems import repairs as re

NUMBERS = values(unit=2 * 10**14, alpha="1/10", beta="1/10", R="1/10", r="13/2000", K=10**5 - 1)
PROBLEM = (
    "M = 4, T = 2, p = 1, σ = 0, d = 1: two clients whose local updates cancel at a point where f' "
    "is not zero; x⁰, …, x^{K+1} run exactly, a cycle of two rounds"
)


PASSES = "; f_{i,j} = f_i ± δ_i, where δ_i is a dip and a hill where f_i is constant, far from the run"


def _is_mean(f: Curve, work: Work) -> bool:
    """Whether f_i is the mean of the functions of its local steps: of T equal ones without adding them up."""
    return set(work) == {f} or same(mean(work), f)


def _own_spreads(t: Trap) -> list[Fraction]:
    """f_i^inf − (1/N) Σ f_{i,j}^inf for each client."""
    return [
        f.infimum - sum((g.infimum for g in work), Fraction(0)) / t.T
        for f, work in zip(t.f, t.clients, strict=True)
    ]


def trapped(bound: Bound, problem: Callable[[Values], Trap] = Trapped) -> Callable[[Values], Comparison]:
    """The replay against one printed version: the cycle is run, every printed hypothesis checked, in fractions.

    Theorem 2 has Δ_i^inf with f^inf, Lemma 8 with f_i^inf for it, which is not more: of the two right sides the larger one."""
    passes = "Delta_local" in bound.parameters

    def replay(numbers: Values) -> Comparison:
        t = problem(numbers)
        every = {t.mean, *t.f, *(g for work in t.clients for g in work)}
        own = _own_spreads(t) if passes else [Fraction(0)] * 4
        theirs = [o + t.mean.infimum - f.infimum for o, f in zip(own, t.f, strict=True)]
        parameters = {
            "f_gap": t.gap, "K": Fraction(t.K), "eta": t.eta, "R": t.R, "beta": t.beta, "M": Fraction(4), "p": Fraction(1),
            "sigma": Fraction(0), "gamma": t.gamma, "T": t.T, "L": t.L, "Delta": t.Delta, "alpha": t.alpha,
            "Delta_local": sum(theirs, Fraction(0)) / 4,
        }  # fmt: skip
        given = {name: parameters[name] for name in bound.parameters}
        right = bound.value(**given)
        if not isinstance(right, Fraction):
            raise TypeError("the right side is not rational: choose a unit that makes the roots exact")
        two = (
            ("every Δ_i^inf > 0, as Theorem 2 defines it", min(theirs) > 0),
            ("every Δ_i^inf > 0, as Lemma 8 defines it, and the bound is not larger then", min(own) > 0 and sum(own) <= sum(theirs)),
        )  # fmt: skip
        met = (
            *conditions.met(bound, given),
            ("f_i is the mean of its f_{i,j}", all(map(_is_mean, t.f, t.clients))),
            ("every f_{i,j} is L-smooth", max(g.smoothness for g in every) <= t.L),
            ("f and every f_{i,j} are bounded below", all(map(infimum_is_attained, every))),
            *(two if passes else ()),
            ("R = max_i ‖v_i⁰ − (x⁰ − T_i(x⁰))/γ‖", t.largest_residual() == t.R),
            ("the run is a cycle of two rounds", t.cycle()),
        )
        return Comparison(t.smallest(), "<=", right, met)

    return replay


_BOUND = "min_k E‖∇f(xᵏ)‖ ≤ 3/(K+1) (f(x⁰) − f^inf)/η + 2R + "
MAIN, TEXT, APP = (THEOREMS[f"FED-T1-{version}"] for version in ("MAIN", "TEXT", "APP"))
_WHY = (
    "Δ^inf stands in the condition on ηγ where its root belongs; up to Δ^inf = {1} in the units used it holds as printed{0} where "
    "σ_DP² = E‖z‖² ({2}). In small units of f the condition is empty, the growth of Lemma 5 is not limited, and with two local steps "
    "or more the printed drift pays for far too little of the bias of the local steps; the witness has Δ^inf = {3}."
)
_ROOM = re.ROOM.name
_FIX = (
    "{} the bound holds, for T = 1 without a condition on ηγ, for T ≥ 2 where " + _ROOM.removeprefix("T ≥ 2: ")
    + f". That asks nothing where f(x⁰) − f^inf ≤ {re.LOW}Δ^inf, and follows from ηγ ≤ {re.TEXT}/(K+1) · √Δ^inf/(4L√(2L)), which is "
    + f"{float(re.FACTOR):.0f} times weaker than the printed condition with √Δ^inf for Δ^inf."
)  # fmt: skip
_FIX_PASSES = (
    "With σ_DP² := E‖z_i‖², so that B* = (1 − p + V)/p = B/2 may stand for B, the bound holds where " + re.ROOM_OWN.name
    + ". That asks nothing where f(x⁰) − f^inf ≤ 16Δ^inf, and follows from ηγ ≤ 64/(K+1) · √Δ^inf/(4L√(2L)), which is 64 times weaker "
    + "than the printed condition with √Δ^inf for Δ^inf. Where Lemma 8's (1/M) Σ Δ_i^inf ≥ 0, as it is where the f_i^inf are infima, "
    + f"35 will do for 16 and 8(6+√35) ≈ {float(re.FACTOR_OWN):.2f} for 64."
)  # fmt: skip
_SMALLER_IG = (
    "With the Δ_i^inf of Lemma 8, whose mean is less by Δ^inf, the bound is smaller and the condition stronger. It asks nothing where "
    "f(x⁰) − f^inf ≤ 15Δ^inf, and follows from ηγ ≤ 8(4+√15)/(K+1) · √Δ^inf/(4L√(2L)), which is "
    + f"{float(re.FACTOR_IG):.0f} times weaker than the printed condition with √Δ^inf for Δ^inf."
)  # fmt: skip
_OTHER_B = (
    "With B* = (1 − p + V)/p in place of B (V = E‖z‖²) and K/2 + 1 in place of K + 1 in its term",
    "B* = (1 − p + V)/p for B",
)
_READING = ("With σ_DP² := E‖z_i‖², so that B* = (1 − p + V)/p = B/2 may stand for B,", "σ_DP² := E‖z_i‖²")
_WEAKEST = (
    "The condition says that the bound of {}, which needs none, is at most the printed one, the noise terms aside. With the printed "
    "drift some condition is necessary by the witness"
)
_UNDER, _BESIDE = (f"Appendix G.2, Theorem 2, (K+1) {where} the root" for where in ("read under", "beside"))
_USER = "Use the bound of FED-R2-SHARP, which needs no condition on ηγ, or one local step with FED-R1-SHARP."


def breaks(bound: Bound) -> Witness:
    """Local steps whose biases add up, against a printed bound."""
    passes = "Delta_local" in bound.parameters
    return Witness(
        steady.PASSES if passes else steady.NUMBERS,
        "min_k ‖∇f(xᵏ)‖ ≤ the printed bound",
        trapped(bound, steady.SteadyPasses if passes else steady.Steady),
        steady.PROBLEM + (PASSES if passes else ""),
    )


def _version(
    id: str, place: str, statement: str, bound: Bound, step: Fact, noise: sympy.Expr | None
) -> Claim:
    """noise: the third term, where it may stay as it is printed."""
    says, change = _OTHER_B if noise is None else _READING
    return claim(
        id,
        place,
        "theorem",
        statement,
        _WHY.format(
            " for (K+2)B* ≤ 2(K+1)B" if noise is None else "",
            re.up_to(re.FACTOR),
            f"{id}{',' if '@' in id else '@'}small-Delta",
            steady.FAR,
        ),
        witness=breaks(bound),
        repair=Repair(
            _FIX.format(says),
            f"{_ROOM}; {change}",
            re.gradient(step, noise),
            weakest=_WEAKEST.format("FED-R2-SHARP"),
        ),
        consequence=_USER,
    )


def _passes(id: str, place: str, bound: Bound, noise: sympy.Expr) -> Claim:
    """Theorem 2 in one reading of its third term."""
    return claim(
        id,
        place,
        "theorem",
        THEOREMS["FED-T2"],
        _WHY.format("", "4,096", f"{id}{',' if '@' in id else '@'}smaller-Delta", steady.FAR_PASSES),
        witness=breaks(bound),
        repair=Repair(
            _FIX_PASSES,
            f"{re.ROOM_OWN.name}; σ_DP² := E‖z_i‖²; N steps, one for each f_{{i,j}}, where T is printed",
            re.passes(noise),
            weakest=_WEAKEST.format("FED-R3-SHARP"),
        ),
        consequence="Use the bound of FED-R3-SHARP, which needs no condition on ηγ.",
    )


def _swamped(repaired: Claim, id: str, place: str, outside: bool) -> Claim:
    """repaired: the claim whose repair holds for E‖z‖² = σ²."""
    assert repaired.repair is not None
    numbers = noise_per_coordinate.PASSES_OUTSIDE if outside else noise_per_coordinate.PASSES
    return claim(
        id,
        f"{place}, σ² the variance of each coordinate",
        "theorem",
        THEOREMS["FED-T2"],
        "The bound does not depend on d; in high dimension the server's direction is noise, and the method comes no nearer to a "
        "minimiser. Δ^inf is 0.405 here: no condition on it helps.",
        witness=Witness(
            numbers,
            "min_k E‖∇f(xᵏ)‖ ≤ the printed bound (its left side bounded below)",
            noise_per_coordinate.stays(printed.b_appendix, outside, passes=True),
            noise_per_coordinate.PASSES_PROBLEM.format("2·10²⁴" if outside else "2·10²⁰"),
        ),
        repair=replace(
            repaired.repair,
            statement=f"With dσ² for σ_DP² the bound holds where {re.ROOM_OWN.name}.",
            condition=repaired.repair.condition.replace("σ_DP² := E‖z_i‖²", coordinates.CONDITION),
            proof=coordinates.proof(repaired, repaired=True),
        ),
        consequence="FED-R3-SHARP with V = dσ² needs no condition on ηγ.",
    )


_PASSES, _PASSES_OUTSIDE = (
    _passes("FED-T2", _UNDER, THEOREM2, re.INSIDE),
    _passes("FED-T2@outside", _BESIDE, THEOREM2_OUTSIDE, re.OUTSIDE),
)
CLAIMS = (
    _version("FED-T1-MAIN", "Section 4, Theorem 1", MAIN, printed.MAIN, ro.HALF_STEP, None),
    _version(
        "FED-T1-TEXT",
        "Section 4, Theorem 1 with the B of the sentence after it",
        TEXT,
        printed.TEXT,
        ro.HALF_STEP,
        None,
    ),
    _version(
        "FED-T1-APP",
        "Appendix F.2, Theorem, (K+1) read under the root",
        APP,
        printed.APPENDIX,
        ro.THIRD_STEP,
        re.INSIDE,
    ),
    _version(
        "FED-T1-APP@outside",
        "Appendix F.2, Theorem, (K+1) beside the root",
        APP,
        printed.APPENDIX_OUTSIDE,
        ro.THIRD_STEP,
        re.OUTSIDE,
    ),
    claim(
        "FED-T1-UNLIMITED",
        "ours, Theorem 1 with its own drift and without the condition on ηγ",
        "ours",
        "If β/(α+R) < 1, η ≤ γ/2 βR/(α+R), γ ≤ 1/(2L), Δ^inf > 0 and "
        + f"{re.NEAR.name}, then "
        + _BOUND
        + "√(2β²B*(K+2)/M) + γ8L√(2L)√Δ^inf + ηL/2, B* = (1 − p + V)/p",
        "The printed drift is eight times what FED-R2-SHARP asks for at f(x⁰) = f^inf, so that it covers a starting gap of "
        f"{re.LOW}Δ^inf.",
        proof=re.UNLIMITED,
        consequence="ηγ has to be limited only where the start is far above what the clients differ by.",
    ),
    _PASSES,
    _PASSES_OUTSIDE,
    claim(
        "FED-T2@Lemma-8",
        "ours, Theorem 2 with the Δ_i^inf of Lemma 8",
        "ours",
        f"If β/(α+R) < 1, η ≤ γ/3 βR/(α+R), γ ≤ 1/(2L), σ_DP² = E‖z‖², Δ^inf > 0 and {re.ROOM_IG.name}, then {_BOUND}"
        "2√(β²B(K+1)/M) + γ8L√(2L)√Δ^inf + γ4L√(2L)√((1/M) Σ Δ_i^inf) + ηL/2, B = 2p(1 − 1/p)² + 2(1 − p) + 2σ_DP²/p, "
        "Δ_i^inf = f_i^inf − (1/N) Σ_{j=1}^N f_{i,j}^inf, the mean of which is ≥ 0",
        _SMALLER_IG,
        proof=re.incremental(re.INSIDE),
    ),
    _swamped(_PASSES, "FED-T2@per-coordinate", _UNDER, False),
    _swamped(_PASSES_OUTSIDE, "FED-T2@outside,per-coordinate", _BESIDE, True),
)
