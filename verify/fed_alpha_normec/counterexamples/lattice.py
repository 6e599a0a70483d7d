"""A server step of fixed length: on the line x^k stays on a lattice of width η, and so can stay η/2 away from the optimum for ever.

The problem is that of `clipped_fedavg`: ½x², ½x² and ½(x − 9)², least at x = 3. From x⁰ = 3 + η(m + ½), m whole, every x^k is 3 +
η(n + ½) with n whole, whatever the memories, α, β, participation and noise are: each round moves x by η, by −η or (v̂ = 0) not at
all.
"""

from __future__ import annotations

from fractions import Fraction

import sympy

from bounds.fed_alpha_normec.theorem1 import APPENDIX
from verify.claim import Values, Witness
from verify.computation import Comparison
from verify.facts import Fact, equal, hypothesis, letters, standard
from verify.fed_alpha_normec import conditions
from verify.fed_alpha_normec.letters import ETA, eta, values
from verify.fed_alpha_normec.text.clipped_fedavg import CLIENTS, OPTIMUM, slope
from verify.induction import Induction
from verify.obligation import obligation
from verify.proof import Proof

x, x_0, n, m, step = letters("x x⁰ n m sign")
_START = hypothesis("x⁰ = 3 + η(m + ½)", equal(x_0 - 3, eta * (m + sympy.Rational(1, 2))))
_ON = Fact("xᵏ = 3 + η(n + ½)", equal(x - 3, eta * (n + sympy.Rational(1, 2))), "derived")
_STAYS_ON = Induction(
    _ON.name,
    _ON,
    obligation("at the start n = m", (_START,), equal(x_0 - 3, eta * (m + sympy.Rational(1, 2)))),
    obligation(
        "one round more", (_ON,), equal((x - eta * step) - 3, eta * ((n - step) + sympy.Rational(1, 2)))
    ),
    start=((x, x_0), (n, m)),
    next=((x, x - eta * step), (n, n - step)),
)
_WHOLE = standard("n, that is m less a sum of signs −1, 0 and 1, is whole: n(n + 1) ≥ 0", n * (n + 1) >= 0)
_AWAY = obligation("|f'(xᵏ)| = |xᵏ − 3| ≥ η/2 for every k", (ETA, _ON, _WHOLE), sympy.Abs(x - 3) >= eta / 2)

before, after = letters("‖xᵏ−y‖ ‖xᵏ⁺¹−y‖")
_TRIANGLE = standard("triangle: η = ‖xᵏ⁺¹ − xᵏ‖ ≤ ‖xᵏ − y‖ + ‖xᵏ⁺¹ − y‖ (v̂ ≠ 0)", eta <= before + after)
_NOWHERE = obligation(
    "in any dimension, for every y: ‖xᵏ − y‖ or ‖xᵏ⁺¹ − y‖ is at least η/2",
    (ETA, _TRIANGLE),
    (2 * before >= eta) | (2 * after >= eta),
)
FOR_EVER = Proof((ETA, _START), (_STAYS_ON, _AWAY, _NOWHERE))


def _all_runs(v: Values) -> Comparison:
    """The least |f'| at the places x⁰ + jη, |j| ≤ K + 1, where a run of K + 1 rounds can be; inside every condition of Theorem 1."""
    a, beta, eta_, rounds = (v[name] for name in ("alpha", "beta", "eta", "rounds"))
    start = OPTIMUM + eta_ * (v["m"] + Fraction(1, 2))
    radius = max(abs(f.gradient(start) - v["v_0"]) for f in CLIENTS)
    spread = sum((f.value(OPTIMUM) for f in CLIENTS), Fraction(0)) / len(CLIENTS)
    met = (
        ("m is whole", v["m"].denominator == 1),
        *conditions.met(
            APPENDIX,
            {**v, "R": radius, "K": rounds - 1, "L": Fraction(1), "Delta": spread},
        ),
        ("β ≤ √2 α, η < β/L", beta**2 <= 2 * a**2 and eta_ < beta),
    )
    reached = range(-int(rounds), int(rounds) + 1)
    return Comparison(min(abs(slope(start + j * eta_)) for j in reached), "<=", Fraction(1, 17), met)


STAYS_AWAY = Witness(
    values(alpha=1, beta=1, gamma="1/2", eta="1/8", rounds=25, m=2, v_0=0),
    "some k has |f'(x^k)| ≤ 1/17",
    _all_runs,
    "½x², ½x² and ½(x − 9)², η = 1/8, x⁰ = 3 + 5/16, v_i⁰ = 0: x^k − 3 is an odd multiple of 1/16 for every k, whatever α, β, the "
    "memories, participation and noise are (25 rounds within all conditions of Theorem 1; more rounds do not change it)",
    universal=FOR_EVER,
)
