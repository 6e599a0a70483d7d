"""Runs of Algorithm 1 with a_k the mean of the updates that were received, which break Theorems 4, 6 and 7 for clients drawn one by
one: where nobody sends, w stays, and the bounds count on a pull in every round."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from bounds.dp_normfedavg import choices as printed
from bounds.dp_normfedavg import theorem4 as four
from bounds.dp_normfedavg import theorem6 as six
from bounds.dp_normfedavg import theorem7 as seven
from verify.claim import Values, Witness
from verify.computation import Comparison
from verify.curves import huber
from verify.dp_normfedavg.counterexamples.exact import ZERO
from verify.dp_normfedavg.theorems.sampling import one_by_one


def _gamma(v: Values) -> Fraction:
    """γ for the K of the values, which is then Theorem 4's and Theorem 6's."""
    return v["K"] * v["G"] * v["E"] * v["rho"] ** 2 / (2 * v["alpha"])


def _run(v: Values, factor: Fraction, right: Fraction) -> Comparison:
    """n copies of one Huber function, every client drawn by itself, a_k the mean of what was received, and w left where it is where
    nobody sends.

    The mean of messages of norm ≤ C = GE is no longer than C, and given who sends the noise has mean zero: E w_k ≥ w₀ − PηCk,
    P the chance that somebody sends, for clipping and for normalisation. f(w) ≥ G(w − G/(2L)), so that E f(w_k̃) is at least the
    left side here without its factor; z_i = GE/‖u_i‖ ≥ 1, as f_i is G-Lipschitz, and f_i(w) ≥ f_i(w*) = 0.
    """
    n, r, G, L, start, E = int(v["n"]), v["r"], v["G"], v["L"], v["w0"], v["E"]
    alpha, rho, K = v["alpha"], v["rho"], v["K"]
    f, C, eta, gamma = huber(L, G), G * E, printed.step_theorem4(rho, alpha, L), _gamma(v)
    some = sum((chance for chosen, chance in one_by_one(n, r) if chosen), ZERO)
    at_least = G * (start - some * eta * C * (K - 1) / 2 - G / (2 * L))
    met = (
        ("f_i convex", f.convex), ("f_i L-smooth", f.smoothness <= L), ("f_i G-Lipschitz, so that ‖u_i‖ ≤ GE", f.lipschitz <= G),
        ("f(w) ≥ G(w − G/(2L)) at the knots, and beyond", all(f(x) >= G * (x - G / (2 * L)) for x in f.knots) and f.slopes[-1] == G),
        ("w* = 0, Δ_i* = 0", f(ZERO) == f.infimum == 0), ("α ≥ 1", alpha >= 1),
        ("K and E are whole", K.denominator == E.denominator == 1),
        ("1 ≤ E ≤ α/(2ρ)", 1 <= E <= alpha / (2 * rho)), ("0 < ρ < 1", 0 < rho < 1), ("γ > 0", gamma > 0), ("0 < r ≤ n", 0 < r <= n),
        ("K = (2αγ/C)/ρ²", printed.rounds_theorem4(alpha, gamma, C, rho) == K >= 1),
        ("the factor is positive", factor > 0), ("w₀ ≠ 0, so that w_k = 0 has probability 0", start > 0),
    )  # fmt: skip
    return Comparison(factor * at_least, "<=", right, met)


def _four(v: Values) -> tuple[Fraction, ...]:
    return v["G"], v["L"], abs(v["w0"]), _gamma(v), v["rho"], v["E"], v["alpha"], ZERO


def _replay_4a(v: Values) -> Comparison:
    return _run(v, four.factor_a(v["rho"], v["E"], v["alpha"]), four.theorem4a(*_four(v)))


def _replay_4b(v: Values) -> Comparison:
    return _run(v, four.factor_b(v["rho"], v["E"], v["alpha"]), four.theorem4b(*_four(v)))


def _hatted(v: Values, found: Comparison, printed_factor: Fraction, factor: Fraction) -> Comparison:
    """The same run under Theorem 6 or 7 with Ĉ = G: nothing is cut, so that its left-hand side is that of (2) or (3)."""
    G, L, rho, E, K, alpha = (v[name] for name in ("G", "L", "rho", "E", "K", "alpha"))
    gamma = _gamma(v)
    met = (
        ("Ĉ ≥ 4√(L max Δ_j*) = 0", G > 0), ("the factor is that of (2) or (3)", printed_factor == factor),
        ("η = γ/(ĈLEK)/ρ", printed.step_theorem6(gamma, G, L, E, K, rho) == printed.step_theorem4(rho, alpha, L)),
        ("K > 2γ/(ĈE)/ρ", printed.ROUNDS.limit(gamma=gamma, C_hat=G, E=E, rho=rho) < K),
        ("K = (2αγ/(ĈE))/ρ²", printed.rounds_theorem6(alpha, gamma, G, E, rho) == K),
    )  # fmt: skip
    return Comparison(found.lhs, "<=", found.rhs, (*found.presupposed, *met))


def _chosen(v: Values) -> dict[str, Fraction]:
    return {"C_hat": v["G"], "L": v["L"], "distance": abs(v["w0"]), "gamma": _gamma(v), "rho": v["rho"]}


def _factors(v: Values) -> dict[str, Fraction]:
    return {"gamma": _gamma(v), "C_hat": v["G"], "K": v["K"], "rho": v["rho"]}


def _replay_6(v: Values) -> Comparison:
    factor = six.factor(**_factors(v))
    found = _run(v, factor, six.theorem6(**_chosen(v), K=v["K"], Delta_kept=ZERO))
    return _hatted(v, found, factor, four.factor_a(v["rho"], v["E"], v["alpha"]))


def _replay_6_specific(v: Values) -> Comparison:
    factor = four.factor_a(v["rho"], v["E"], v["alpha"])
    found = _run(v, factor, six.theorem6_specific(**_chosen(v), E=v["E"], alpha=v["alpha"], Delta=ZERO))
    return _hatted(v, found, six.factor(**_factors(v)), factor)


def _replay_7(v: Values) -> Comparison:
    factor = seven.factor(**_factors(v))
    right = seven.theorem7(**_chosen(v), K=v["K"], share_kept=Fraction(1), z_Delta=ZERO)
    return _hatted(v, _run(v, factor, right), factor, four.factor_b(v["rho"], v["E"], v["alpha"]))


def _replay_7_specific(v: Values) -> Comparison:
    factor = four.factor_b(v["rho"], v["E"], v["alpha"])
    found = _run(v, factor, seven.theorem7_specific(**_chosen(v), E=v["E"], alpha=v["alpha"], z_Delta=ZERO))
    return _hatted(v, found, seven.factor(**_factors(v)), factor)


_NUMBERS = {
    "n": 2, "r": 1, "G": 1, "L": 1, "E": 1, "alpha": 1, "rho": Fraction(1, 1000), "w0": 100, "K": 266667,
}  # fmt: skip
_PROBLEM = (
    "two clients with the same Huber function, each drawn with probability 1/2, so that nobody sends in one round of four; "
    "266 667 rounds of one local step from w₀ = 100"
)


def _witness(breaks: str, replay: Callable[[Values], Comparison], more: str = "") -> Witness:
    values = {name: Fraction(value) for name, value in _NUMBERS.items()}
    return Witness(values, f"{breaks}; the left side is a lower bound", replay, _PROBLEM + more)


_A = "(2 − ρE/α − ρ²E²/α²) E[f(w_k̃) − f(w*)] ≤ A + B₁"
_B = "(2 − ρ²E²/α²) E[mean_i (GE/‖u_i‖)(f_i(w_k̃) − f_i(w*))] ≤ A + B₂"
WITNESS_4A = _witness(_A, _replay_4a)
WITNESS_4B = _witness(_B, _replay_4b)
WITNESS_6 = _witness(
    "(2 − 2γ/(ĈKρ) − 4γ²/(Ĉ²K²ρ²)) E[f(w_k̃) − f(w*)], the left-hand side where nothing is cut, ≤ the right-hand side",
    _replay_6, "; Ĉ = 1",
)  # fmt: skip
WITNESS_6_SPECIFIC = _witness(
    "(2 − ρE/α − ρ²E²/α²) E[f(w_k̃) − f(w*)], the left-hand side where nothing is cut, ≤ the right-hand side",
    _replay_6_specific, "; Ĉ = 1",
)  # fmt: skip
WITNESS_7 = _witness(
    "(2 − 4γ²/(Ĉ²K²ρ²)) E[mean_i (ĈE/‖u_i‖)(f_i(w_k̃) − f_i(w*))] ≤ the right-hand side, every update kept",
    _replay_7, "; Ĉ = 1",
)  # fmt: skip
WITNESS_7_SPECIFIC = _witness(
    "(2 − ρ²E²/α²) E[mean_i (ĈE/‖u_i‖)(f_i(w_k̃) − f_i(w*))] ≤ the right-hand side, every update kept",
    _replay_7_specific, "; Ĉ = 1",
)  # fmt: skip
