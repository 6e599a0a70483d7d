"""What the paper sets up: Assumption 1, Δ^inf, units."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import sympy

from bounds.fed_alpha_normec.symbols import SYMBOLS
from bounds.fed_alpha_normec.theorem1 import MAIN
from bounds.fed_alpha_normec.theorem1 import ROUNDS as ROUNDS_PRINTED
from verify.claim import Gap, Repair, Values, Witness
from verify.computation import Comparison, Computation
from verify.curves import Curve, Quadratic
from verify.facts import definition, equal, letters
from verify.fed_alpha_normec import conditions
from verify.fed_alpha_normec.letters import CLIENTS, ROUNDS, SMOOTH, K, L, M, claim, eta, gamma, values
from verify.fed_alpha_normec.text.infima import (
    BELOW,
    BOUNDED,
    COMMON,
    MEANS,
    NONNEGATIVE,
    OWN,
    PART_BOUNDED,
    PARTS_BELOW,
    SHIFT,
    VANISHES,
    Fi,
    f_inf,
    spread,
)
from verify.fed_alpha_normec.text.nearly_equal import GROWS
from verify.fractions_check import exact_root
from verify.obligation import obligation
from verify.proof import Proof
from verify.units import DifferentUnit, SameUnit

# By the letter f_i^inf is any lower bound: f_i^inf − t for f_i^inf.
lowered, t = letters("lowered t")
_BOUNDS = definition(
    "Δ^inf = f^inf − (1/M) Σ f_i^inf, and with f_i^inf − t for f_i^inf",
    equal(spread * M, f_inf * M - Fi) & equal(lowered * M, f_inf * M - (Fi - M * t)),
)
_LOWERED = obligation("Δ^inf grows by t", (CLIENTS, _BOUNDS), equal(lowered, spread + t))
_VOID = obligation(
    "for t = ηγ(K+1)4L√(2L) + 1 both conditions hold",
    (
        SMOOTH,
        ROUNDS,
        definition("Δ^inf ≥ 0 (FED-A1)", spread >= 0),
        definition("η, γ ≥ 0", (eta >= 0) & (gamma >= 0)),
        definition("t", equal(t, eta * gamma * (K + 1) * 4 * L * sympy.sqrt(2 * L) + 1)),
        _LOWERED.conclusion,
    ),
    (lowered > 0) & (eta * gamma <= lowered / (4 * L * sympy.sqrt(2 * L)) / (K + 1)),
)


def _one_client(numbers: Values) -> Comparison:
    """M = N = 1, f with f' = x between −radius and radius satisfies Assumption 1, with true infima; Δ^inf = f^inf − f_1^inf."""
    r = numbers["radius"]
    f_ = Curve((-r, r), (-r, r), r**2 / 2)
    return Comparison(
        f_.infimum - f_.infimum,
        ">",
        Fraction(0),
        (("f_{1,1} is 1-smooth and bounded below", f_.smoothness <= 1),),
    )


def _two_clients(offset: Fraction) -> tuple[Fraction, Fraction, Fraction]:
    """M = 2, N = 1: f_1 = (x − 1)²/2, f_2 = (x + 1)²/2 + offset. Their infima are at their centres, that of f at 0, where f' = 0:
    f^inf, f_1^inf, f_2^inf."""
    f_1, f_2 = Quadratic(Fraction(1), Fraction(1)), Quadratic(Fraction(1), Fraction(-1))
    at_0 = Fraction(0)
    if f_1.gradient(at_0) + f_2.gradient(at_0) != 0:
        raise ValueError("f is not least at 0")
    return (
        (f_1.value(at_0) + f_2.value(at_0) + offset) / 2,
        f_1.value(f_1.centre),
        f_2.value(f_2.centre) + offset,
    )


def _two_definitions() -> Comparison:
    """Δ_2^inf as Lemma 8 has it, f_2^inf − f_{2,1}^inf, and as Theorem 2 has it, f^inf − f_{2,1}^inf."""
    whole, _, second = _two_clients(Fraction(10))
    return Comparison(second - second, "!=", whole - second)


def _sign(numbers: Values) -> Comparison:
    """Δ_2^inf = f^inf − f_{2,1}^inf, as Theorem 2 defines it, where Δ^inf > 0."""
    whole, first, second = _two_clients(numbers["offset"])
    return Comparison(whole - second, ">", Fraction(0), (("Δ^inf > 0", whole - (first + second) / 2 > 0),))


def _same_infimum(numbers: Values) -> Comparison:
    """f_1 = (x − centre)²/2, f_2 = (x + centre)²/2: both infima are 0, f^inf = f(0)."""
    parts = [Quadratic(Fraction(1), numbers["centre"]), Quadratic(Fraction(1), -numbers["centre"])]
    f_inf_ = sum((g.value(Fraction(0)) for g in parts), Fraction(0)) / 2
    stationary = sum(g.gradient(Fraction(0)) for g in parts) == 0
    return Comparison(
        f_inf_ - 0,
        "==",
        Fraction(0),
        (
            ("f_1^inf = f_2^inf = 0", all(g.value(g.centre) == 0 for g in parts)),
            ("f is convex and f'(0) = 0", stationary),
        ),
    )


def _less_is_more(numbers: Values) -> Comparison:
    """Theorem 1's bound at p = 1 without noise, L = 2, so that √(2L) = 2, with η at its limit Δ^inf/(4L√(2L)γ(K+1)), at two Δ^inf.
    "The less heterogeneous, the more effective" would make it smaller with Δ^inf."""
    gap, g, K, small, large = (numbers[k] for k in ("gap", "gamma", "K", "small", "large"))
    a, b, radius = (numbers[k] for k in ("alpha", "beta", "R"))

    def step(Delta: Fraction) -> Fraction:
        return Delta / (16 * g * (K + 1))

    def bound(Delta: Fraction) -> Fraction:
        eta = step(Delta)
        return 3 * gap / ((K + 1) * eta) + 2 * radius + g * 32 * exact_root(Delta, 2) + eta

    met = (
        ("Δ^inf smaller on the left", 0 < small < large),
        ("0 < γ ≤ 1/(2L)", 0 < g <= Fraction(1, 4)),
        ("α, β > 0 and β/(α + R) < 1", min(a, b) > 0 and b < a + radius),
        (
            "0 < η < 1 and η ≤ γ/2 · βR/(α + R), for both",
            0 < step(large) < 1 and step(large) <= g / 2 * b * radius / (a + radius),
        ),
    )
    return Comparison(bound(small), "<=", bound(large), met)


def _measured(unit: Fraction) -> dict[str, Fraction]:
    """f_1 = (x − 1)² and f_2 = (x + 1)² from x⁰ = 3, T = 2, in units of f that are `unit` times larger: α, β, R and L are smaller
    by it and γ larger, while x, and so η, are what they were."""
    parts = [Quadratic(2 / unit, Fraction(centre)) for centre in (1, -1)]
    f_inf_, first = (sum((f.value(Fraction(x)) for f in parts), Fraction(0)) / 2 for x in (0, 3))
    return {
        "f_gap": first - f_inf_, "K": Fraction(9), "eta": Fraction(1, 50), "R": 1 / unit, "beta": 1 / unit, "alpha": 1 / unit,
        "M": Fraction(2), "p": Fraction(1), "sigma": Fraction(0), "gamma": unit / 4, "T": Fraction(2), "L": parts[0].smoothness,
        "Delta": f_inf_,
    }  # fmt: skip


def _in_two_units() -> Comparison:
    """Theorem 1's bound in two units of f, where it is one and the same gradient, and what is printed of them."""
    unit = Fraction(10_000)
    here, there = _measured(Fraction(1)), _measured(unit)
    unmet = [[text for text, holds in conditions.met(MAIN, given) if not holds] for given in (here, there)]

    def rooted(given: Mapping[str, Fraction]) -> bool:
        return (
            32 * given["L"] ** 3 * (given["eta"] * given["gamma"] * (given["K"] + 1)) ** 2 <= given["Delta"]
        )

    met = (
        ("every condition holds in the first units", not unmet[0]),
        (f"in the others all hold but {ROUNDS_PRINTED.printed}", unmet[1] == [ROUNDS_PRINTED.printed]),
        ("with √Δ^inf for Δ^inf it holds in both", rooted(here) and rooted(there)),
    )
    here_, there_ = (MAIN.value(**{name: given[name] for name in MAIN.parameters}) for given in (here, there))
    return Comparison(unit * there_, "==", here_, met)


_S = {name: symbol.sympy() for name, symbol in SYMBOLS.items()}
_LEFT = (_S["eta"] * _S["gamma"]) ** 2
_RIGHT = _S["Delta"] ** 2 / (32 * _S["L"] ** 3)
_RIGHT_FIXED = _S["Delta"] / (32 * _S["L"] ** 3)
_GRADIENT = _S["R"]
_TERMS = {
    "(f(x⁰)−f^inf)/η": _S["f_gap"] / _S["eta"],
    "β": _S["beta"],
    "ηL": _S["eta"] * _S["L"],
}
_SAME = (
    *(SameUnit(f"{name} is a gradient", term, _GRADIENT, SYMBOLS) for name, term in _TERMS.items()),
    SameUnit(
        "γ²L³Δ^inf is a squared gradient",
        _S["gamma"] ** 2 * _S["L"] ** 3 * _S["Delta"],
        _GRADIENT**2,
        SYMBOLS,
    ),
    SameUnit(
        "γβR/(α+R) is a length",
        _S["gamma"] * _S["beta"] * _S["R"] / (_S["alpha"] + _S["R"]),
        _S["eta"],
        SYMBOLS,
    ),
    SameUnit("1/(2L) is a local step", 1 / (2 * _S["L"]), _S["gamma"], SYMBOLS),
)

CLAIMS = (
    claim(
        "FED-A1",
        "Section 3, Assumption 1; Theorems 1 and 2",
        "definition",
        "where Assumption 1 holds. […] Δ^inf = f^inf − (1/M) Σ_{i=1}^M f_i^inf > 0 (Theorem 1) […] each individual "
        "function f_{i,j}(x) is L-smooth and bounded below by f_{i,j}^inf > −∞; […] each local function f_i(x) is "
        "bounded below by f_i^inf > −∞; and […] the global objective f(x) is bounded below by f^inf > −∞. (Assumption 1)",
        'Where Assumption 1 holds and the f^inf are infima "> 0" need not hold: read as a condition, it excludes one client, equal '
        "clients and clients with a common minimiser; read as what Assumption 1 gives, it is false.",
        gap=Gap(
            "reading",
            "Δ^inf > 0 as what Assumption 1 gives, the f^inf being infima",
            Witness(
                values(radius=1),
                "Δ^inf > 0",
                _one_client,
                "M = N = 1, f with f' = x between −1 and 1 and constant outside",
            ),
        ),
        repair=Repair(
            "Δ^inf ≥ 0 when the f^inf are infima; FED-R1, FED-R2 and FED-R3 need no more.",
            "≥ for >",
            Proof((BOUNDED,), (BELOW, NONNEGATIVE)),
        ),
        consequence="As printed, with true infima, the theorems say nothing for clients that can all be fitted at once. "
        "(By the letter f_i^inf may be any lower bound: FED-A1@any-lower-bound.)",
    ),
    claim(
        "FED-A1@any-lower-bound",
        "Section 3, Assumption 1; Theorem 1, by the letter",
        "ours",
        "each local function f_i(x) is bounded below by f_i^inf > −∞ [by any number below it, so that Δ^inf > 0 and ηγ ≤ "
        "(1/(K+1))(Δ^inf/(4L√(2L))) can always be had]",
        "f^inf being the infimum, f_i^inf − t is a lower bound too, and raises Δ^inf by t. At T = 1, where Δ^inf is not in the "
        "bound, the condition on ηγ is then void; at T > 1 the drift grows with it.",
        proof=Proof((SMOOTH,), (_LOWERED, _VOID)),
        consequence="With one local step the condition on ηγ asks nothing (as FED-T1-APP@T=1 shows without this reading).",
    ),
    claim(
        "FED-DEF-DELTA",
        "Lemma 8, Appendix C, Theorem 2",
        "definition",
        "Δ_i^inf = f_i^inf − (1/N) Σ_{j=1}^N f_{i,j}^inf (Lemma 8) […] Δ_i^inf = f^inf − (1/N) Σ_{j=1}^N f_{i,j}^inf "
        "(Appendix C) […] Δ_i^inf = f^inf − (1/N) Σ_{j=1}^N f_{i,j}^inf > 0 (Theorem 2)",
        "Two different quantities under one name; with infima for the f^inf only the first is never negative.",
        conflict=Proof(
            (),
            (
                Computation(
                    "the two Δ_2^inf differ on f_1 = (x − 1)²/2, f_2 = (x + 1)²/2 + 10: 0 and −9/2",
                    "enumeration",
                    _two_definitions,
                ),
            ),
        ),
        repair=Repair(
            "(1/M)Σ(f^inf − (1/N)Σ f_{i,j}^inf) = Δ^inf + (1/M)Σ(f_i^inf − (1/N)Σ f_{i,j}^inf): the mean under Theorem 2's root is "
            "Lemma 8's mean plus Δ^inf. The f^inf being infima, Δ^inf and both means are ≥ 0, and Theorem 2's term is the larger one.",
            "of the Δ_i^inf the mean over the clients alone, as under the roots of both; not the sign of each, which "
            "Theorem 2 asks for (FED-DEF-DELTA@sign)",
            Proof(
                (BOUNDED, PART_BOUNDED),
                (BELOW, NONNEGATIVE, PARTS_BELOW, OWN, SHIFT, MEANS),
            ),
        ),
    ),
    claim(
        "FED-DEF-DELTA@sign",
        "Theorem 2",
        "definition",
        "Δ_i^inf = f^inf − (1/N) Σ_{j=1}^N f_{i,j}^inf > 0",
        "A client whose loss cannot be made small has Δ_i^inf < 0: read as a condition, “> 0” excludes such clients; read as what "
        "Assumption 1 and Δ^inf > 0 give, it is false.",
        gap=Gap(
            "reading",
            "Δ_i^inf > 0 as what holds for every client where Δ^inf > 0, the f^inf being infima",
            Witness(
                values(offset=10),
                "Δ_2^inf > 0",
                _sign,
                "f_1 = (x − 1)²/2, f_2 = (x + 1)²/2 + 10: Δ^inf = 1/2, Δ_2^inf = −9/2",
            ),
        ),
        repair=Repair(
            "f_i^inf − (1/N)Σ f_{i,j}^inf ≥ 0 for every client, the f^inf being infima",
            "f_i^inf for f^inf, ≥ for >",
            Proof((PART_BOUNDED,), (PARTS_BELOW, OWN)),
        ),
    ),
    claim(
        "FED-T1-UNITS",
        "Theorems 1 and 2",
        "definition",
        "If ηγ ≤ (1/(K+1))(Δ^inf/(4L√(2L))) […] η ∈ (0, 1) (Algorithm 1)",
        "The two sides have different units: measuring f in other units makes the condition empty or "
        "impossible, as two parabolas with T = 2 show. All other conditions and terms agree, but for η ∈ (0, 1): 1 is no length.",
        conflict=Proof(
            (),
            (
                DifferentUnit("(ηγ)² against (Δ^inf)²/(32L³)", _LEFT, _RIGHT, SYMBOLS),
                DifferentUnit("η against 1", _S["eta"], sympy.Integer(1), SYMBOLS),
                Computation(
                    "f_1 = (x − 1)², f_2 = (x + 1)², T = 2, K = 9, γ = 1/4, η = 1/50, α = β = R = 1: all conditions hold; in units of "
                    "f that are 10,000 times larger, where the bound is the same gradient, the one on ηγ fails",
                    "enumeration",
                    _in_two_units,
                ),
            ),
        ),
        repair=Repair(
            "ηγ ≤ 1/(K+1) · √Δ^inf/(4L√(2L)); η > 0",
            "√Δ^inf",
            Proof((), (SameUnit("(ηγ)² against Δ^inf/(32L³)", _LEFT, _RIGHT_FIXED, SYMBOLS), *_SAME)),
        ),
        consequence="With √Δ^inf, and σ_DP² = E‖z‖², the theorems of F.2 and G.2 hold for several local steps (FED-R2, FED-R3); "
        "Section 4's needs B* for B too (FED-T1-MAIN@T=1).",
    ),
    claim(
        "FED-T1-SAME",
        "Appendix C, local GD steps",
        "prose",
        "Notably, if all clients share the same infimum, i.e., f_1^inf = f_2^inf = … = f_M^inf, this data heterogeneity "
        "error term vanishes. [the f^inf are infima]",
        "Equal infima do not give Δ^inf = 0; a common minimiser does. And the theorem assumes Δ^inf > 0.",
        witness=Witness(
            values(centre=1), "Δ^inf = 0", _same_infimum, "f_1 = (x−1)²/2, f_2 = (x+1)²/2: Δ^inf = 1/2"
        ),
        repair=Repair(
            "If some x* minimises every f_i, then Δ^inf = 0.",
            "a common minimiser in the place of a common infimum, and Δ^inf ≥ 0 for > 0",
            Proof((BOUNDED, COMMON), (BELOW, NONNEGATIVE, VANISHES)),
        ),
    ),
    claim(
        "FED-T1-SAME@effective",
        "Appendix C, local GD steps",
        "prose",
        "These theoretical results highlight that the less heterogeneous the client data is, the more effective "
        "Fed-α-NormEC becomes. [as the bound shows, η at its limit, γ kept]",
        "The condition on ηγ forces η → 0 with Δ^inf, so the first term grows, at least like 1/Δ^inf at a fixed γ and like "
        "1/√Δ^inf at the "
        "best one: the bound gets worse for nearly equal clients. (At a fixed η it gets better: FED-T1-SAME@fixed-step.)",
        witness=Witness(
            values(gap=1, gamma="1/4", K=9, alpha=1, beta=1, R=1, small="1/10000", large=1),
            "the bound does not grow as Δ^inf falls",
            _less_is_more,
            "L = 2, γ = 1/4, f(x⁰)−f^inf = 1, K = 9, p = 1, no noise, α = β = R = 1, T > 1, η at its limit: Δ^inf = 1/10000 on the "
            "left, 1 on the right",
        ),
        repair=GROWS,
        consequence="FED-R2 allows Δ^inf = 0 and does not have this defect.",
    ),
)
