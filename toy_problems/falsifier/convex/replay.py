"""DP-NormFedAvg's witnesses run again in exact arithmetic, printed noise included, by code that shares
nothing with the search.

A witness has K = 2, E = 1 and Huber functions with one minimiser c, none steeper than Ĉ. There

    h(w) = mean_i (Ĉ/‖u_i‖)(f_i(w) − f_i(c)),   (Ĉ/‖u_i‖)(f_i(w) − f_i(c)) = Ĉ t/2 or Ĉ(t − s_i/(2a_i)),  t = |w − c|,

is convex, so E h(w₁ + ξ) ≥ h(w₁) for the Gaussian noise ξ of the first round (Jensen), whatever its
variance; the second round's noise comes after the last iterate that the output can be. With Δ_i* = 0 the
right-hand side does not depend on the run. So what is measured here is a lower bound of the left-hand side.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from bounds.statement import Bound
from toy_problems.falsifier.exact import Verdict, WitnessError, check_printed, letters_in, rational

REPLAYED = ("DAS-T4b", "DAS-T7", "DAS-T7@specific")
HALF = Fraction(1, 2)


def replay_convex(witness: Mapping[str, Any], bound: Bound) -> Verdict:
    """Check a witness against a bound. Raises `WitnessError` where a hypothesis is not satisfied."""
    if bound.name not in REPLAYED:
        raise WitnessError(f"{bound.name} is not replayed; {', '.join(REPLAYED)} are")
    v = letters_in(witness, bound)
    clients = [tuple(rational(t, "client") for t in row) for row in witness["clients"]]
    n, K, E, w0 = len(clients), Fraction(2), Fraction(1), rational(witness["start"], "start")
    C = v["C_hat"] * E
    centre = clients[0][2]
    met = {
        "every client has curvature in (0, L]": all(0 < a <= v["L"] for a, _, _ in clients),
        "every client has slope in (0, Ĉ]": all(0 < s <= v["C_hat"] for _, s, _ in clients),
        "all clients share the minimiser": all(c == centre for _, _, c in clients),
        "w₀ is not the minimiser": w0 != centre,
        "0 < r ≤ n": 0 < v["r"] <= n,
        "γ > 0, ρ > 0": v["gamma"] > 0 and v["rho"] > 0,
        "η = γ/(ĈLEK)/ρ": v["eta"] == v["gamma"] / (C * v["L"] * K) / v["rho"],
    }
    if bound.name != "DAS-T7":
        met["η = ρ/(2αL)"] = v["eta"] == v["rho"] / (2 * v["alpha"] * v["L"])
        met["K = (2αγ/C)/ρ² = 2"] = 2 * v["alpha"] * v["gamma"] / C / v["rho"] ** 2 == K
    for name, holds in met.items():
        if not holds:
            raise WitnessError(f"the hypothesis {name} does not hold")
    letters = v | {"G": v["C_hat"], "K": K, "E": E, "distance": abs(w0 - centre)}
    letters |= {"Delta_max": Fraction(0), "z_Delta": Fraction(0), "share_kept": Fraction(1)}
    check_printed(letters, bound)
    measured = _left(v, clients, centre, w0, n)
    return Verdict.of(measured, letters, bound)


def _weighted_gap(clients, centre: Fraction, C: Fraction, w: Fraction) -> Fraction:
    """h(w)."""
    t = abs(w - centre)
    return sum((C * (t / 2 if a * t <= s else t - s / (2 * a)) for a, s, _ in clients), Fraction(0)) / len(
        clients
    )


def _left(v: Mapping[str, Fraction], clients, centre: Fraction, w0: Fraction, n: int) -> Fraction:
    """(2 − 4η²L²) (h(w₀) + Σ P(S) h(w₁(S)))/2 over all sets S of clients, each drawn with probability r/n."""
    chance, C = v["r"] / n, v["C_hat"]
    away = 1 if w0 > centre else -1
    after, total = Fraction(0), Fraction(0)
    for drawn in itertools.product((False, True), repeat=n):
        probability = Fraction(1)
        for takes_part in drawn:
            probability *= chance if takes_part else 1 - chance
        w1 = w0 - v["eta"] * sum(drawn) * C * away / v["r"]
        after += probability * _weighted_gap(clients, centre, C, w1)
        total += probability
    assert total == 1, "the probabilities of the draws do not sum to 1"
    return (2 - 4 * (v["eta"] * v["L"]) ** 2) * (_weighted_gap(clients, centre, C, w0) + after) * HALF
