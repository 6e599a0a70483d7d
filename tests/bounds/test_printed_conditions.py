"""Each bound's hypotheses, against a second transcription: which they are, which letter is limited, whether the limit itself is
allowed, and the limit in 40 digits. Nothing here but the names of the bounds comes from `bounds`."""

from __future__ import annotations

import inspect
import zlib
from collections import Counter

import numpy as np
import pytest
from mpmath import log, mp, mpf, root, sqrt

from bounds.catalogue import every

BOUNDS = every()


def _corollary_step(beta, L_max, D, alpha, K):
    return beta / L_max * D / (alpha + D) / sqrt(K + 1)


def _shortest(f_gap, L, K, beta, L_max, D, alpha):
    longest = _corollary_step(beta, L_max, D, alpha, K)
    return min(longest, 2 * f_gap / (L * (K + 1) * longest))


def _utility(f_gap, L_max, alpha, R):
    return sqrt(L_max * (alpha + R) * f_gap / R)


def _b_2(c, B_hat, M, delta, epsilon):
    return 2 * c**2 * (B_hat / M) * (log(1 / delta) / epsilon**2)


LIMITS = {
    "β/(α + R) < 1": ("beta", "<", lambda alpha, R: alpha + R),
    "β ≤ α": ("beta", "<=", lambda alpha: alpha),
    "α > β": ("beta", "<", lambda alpha: alpha),
    "α > 1": ("alpha", ">", lambda: mpf(1)),
    "B̂ ≥ 1": ("B_hat", ">=", lambda: mpf(1)),
    "B̂ ≤ M": ("B_hat", "<=", lambda M: M),
    "β ≤ (√α + √R)²": ("beta", "<=", lambda alpha, R: alpha + R + 2 * sqrt(alpha * R)),
    "β ≤ √2 α": ("beta", "<=", lambda alpha: sqrt(2) * alpha),
    "γ < β/L_max": ("gamma", "<", lambda beta, L_max: beta / L_max),
    "β < 2α": ("beta", "<", lambda alpha: 2 * alpha),
    "γ ≤ ηR/L_max, η = min(β/(α+R), 2 − β/α)": (
        "gamma", "<=", lambda alpha, beta, R, L_max: min(beta / (alpha + R), 2 - beta / alpha) * R / L_max),
    "η ≤ θR/L, θ = min(β/(α+R), 2 − β/α)": (
        "eta", "<=", lambda alpha, beta, R, L: min(beta / (alpha + R), 2 - beta / alpha) * R / L),
    "η ≤ θR/(2L), θ = min(β/(α+R), 2 − β/α)": (
        "eta", "<=", lambda alpha, beta, R, L: min(beta / (alpha + R), 2 - beta / alpha) * R / (2 * L)),
    "γ < τ/L_max": ("gamma", "<", lambda tau, L_max: tau / L_max),
    "γ ≤ βR/(α + R) · 1/L_max": ("gamma", "<=", lambda beta, alpha, R, L_max: beta * R / ((alpha + R) * L_max)),
    "γ ≤ βR/(α + R) · 1/L": ("gamma", "<=", lambda beta, alpha, R, L: beta * R / ((alpha + R) * L)),
    "γ ≤ βR/(α + R L)": ("gamma", "<=", lambda beta, alpha, R, L: beta * R / (alpha + R * L)),
    "γ ≤ β/L_max · D/(α+D) · 1/(K+1)^{1/2}": ("gamma", "<=", _corollary_step),
    "γ ≥ min(γ_max, 2(f(x⁰) − f^inf)/(L(K+1)γ_max))": ("gamma", ">=", _shortest),
    "β = L_max(α+D)/D · √(2(f(x⁰) − f^inf)/L)": (
        "beta", "==", lambda f_gap, L, L_max, alpha, D: L_max * (alpha + D) / D * sqrt(2 * f_gap / L)),
    "β₀ ≤ Δ ⁴√(nε²/(d log(1/δ)))": (
        "beta_0", "<=",
        lambda f_gap, L_max, alpha, R, n, epsilon, d, delta: (
            _utility(f_gap, L_max, alpha, R) * root(n * epsilon**2 / (d * log(1 / delta)), 4)),
    ),
    "α > β₀": ("beta_0", "<", lambda alpha: alpha),
    "β₀/(K+1) < α + R with β₀ = Δ/√(2s)": (
        "K", ">",
        lambda f_gap, L_max, alpha, R, noise: _utility(f_gap, L_max, alpha, R) / sqrt(2 * noise) / (alpha + R) - 1,
    ),
    "Δ^inf > 0": ("Delta", ">", lambda: mpf(0)),
    "Δ_i^inf > 0": ("Delta_local", ">", lambda: mpf(0)),
    "f(x⁰) > (1/M) Σ f_i^inf": ("f_gap", ">", lambda Delta: -Delta),
    "f(x⁰) > (1/M) Σ (1/N) Σ f_{i,j}^inf": ("f_gap", ">", lambda Delta, Delta_local: -(Delta + Delta_local)),
    "f(x⁰) ≥ (1/M) Σ f_i^inf": ("f_gap", ">=", lambda Delta: -Delta),
    "f(x⁰) ≥ (1/M) Σ (1/N) Σ f_{i,j}^inf": ("f_gap", ">=", lambda Delta, Delta_local: -(Delta + Delta_local)),
    "ηγ ≤ 1/(K+1) · Δ^inf/(4L√(2L))": (
        "eta", "<=", lambda gamma, K, Delta, L: Delta / (4 * L * sqrt(2 * L)) / (K + 1) / gamma),
    "ηγ ≤ 1/(K+1) · s/L²": ("eta", "<=", lambda gamma, K, s, L: s / L**2 / (K + 1) / gamma),
    "ηγ ≤ 1/(K+1) · s/(2L²)": ("eta", "<=", lambda gamma, K, s, L: s / (2 * L**2) / (K + 1) / gamma),
    "η ≤ γ/2 · βR/(α + R)": ("eta", "<=", lambda gamma, beta, alpha, R: gamma / 2 * beta * R / (alpha + R)),
    "η ≤ γ/3 · βR/(α + R)": ("eta", "<=", lambda gamma, beta, alpha, R: gamma / 3 * beta * R / (alpha + R)),
    "η ≤ βR/(L(α + R))": ("eta", "<=", lambda beta, alpha, R, L: beta * R / (L * (alpha + R))),
    "η ≤ βR/(2L(α + R))": ("eta", "<=", lambda beta, alpha, R, L: beta * R / (2 * L * (alpha + R))),
    "η < β/L": ("eta", "<", lambda beta, L: beta / L),
    "η < β/(2L)": ("eta", "<", lambda beta, L: beta / (2 * L)),
    "γ ≤ 1/(2L)": ("gamma", "<=", lambda L: 1 / (2 * L)),
    "T = 1": ("T", "==", lambda: mpf(1)),
    "T > 1": ("T", ">", lambda: mpf(1)),
    "γ = 1/(2L)": ("gamma", "==", lambda L: 1 / (2 * L)),
    "γ = 1/(2L(K+1)^{1/8})": ("gamma", "==", lambda L, K: 1 / (2 * L * root(K + 1, 8))),
    "R = D₁/(K+1)^{1/6}": ("R", "==", lambda D_1, K: D_1 / root(K + 1, 6)),
    "R = D₁/(K+1)^{1/8}": ("R", "==", lambda D_1, K: D_1 / root(K + 1, 8)),
    "β = D₂/(K+1)^{2/3}": ("beta", "==", lambda D_2, K: D_2 / root((K + 1) ** 2, 3)),
    "β = D₂/(K+1)^{5/8}": ("beta", "==", lambda D_2, K: D_2 / root((K + 1) ** 5, 8)),
    "η ≤ LD₁D₂/(2(α+D₁)(K+1)^{5/6})": (
        "eta", "<=", lambda L, D_1, D_2, alpha, K: L * D_1 * D_2 / (2 * (alpha + D_1) * root((K + 1) ** 5, 6))),
    "η = η̂/(K+1)^{5/6} with η̂ = D₁D₂/(4L(α+D₁))": (
        "eta", "==", lambda L, D_1, D_2, alpha, K: D_1 * D_2 / (4 * L * (alpha + D_1)) / root((K + 1) ** 5, 6)),
    "η = η̂/(K+1)^{7/8} with η̂ = min(Δ^inf/(2√(2L)), D₁D₂/(4L(α+D₁)))": (
        "eta", "==",
        lambda L, D_1, D_2, alpha, Delta, K: (
            min(Delta / (2 * sqrt(2 * L)), D_1 * D_2 / (4 * L * (alpha + D_1))) / root((K + 1) ** 7, 8)),
    ),
    "p = B̂/M": ("p", "==", lambda B_hat, M: B_hat / M),
    "σ_DP = c p√((K+1)log(1/δ))/ε": (
        "sigma", "==", lambda c, p, K, delta, epsilon: c * (p * sqrt((K + 1) * log(1 / delta)) / epsilon)),
    "σ_DP = cp√((K+1)log(1/δ)/ε)": (
        "sigma", "==", lambda c, p, K, delta, epsilon: c * p * sqrt((K + 1) * log(1 / delta) / epsilon)),
    "β = β̂/(K+1) with β̂ = √(3(f(x⁰) − f^inf)/γ) ⁴√(M/B₂)": (
        "beta", "==",
        lambda f_gap, gamma, M, B_hat, c, delta, epsilon, K: (
            sqrt(3 * f_gap / gamma) * root(M / _b_2(c, B_hat, M, delta, epsilon), 4) / (K + 1)),
    ),
    "β = β̂/(K+1) with β̂ = √(3(f(x⁰) − f^inf)/γ) √(M/B₂)": (
        "beta", "==",
        lambda f_gap, gamma, M, B_hat, c, delta, epsilon, K: (
            sqrt(3 * f_gap / gamma) * sqrt(M / _b_2(c, B_hat, M, delta, epsilon)) / (K + 1)),
    ),
    "α = R": ("R", "==", lambda alpha: alpha),
    "γ < Δ^inf(α+R)/(√(2L)β̂R)": (
        "gamma", "<",
        lambda Delta, alpha, R, L, beta, K: Delta * (alpha + R) / (sqrt(2 * L) * ((K + 1) * beta) * R)),
    "γ < Δ^inf(α+R)/(√(2L)βR)": (
        "gamma", "<", lambda Delta, alpha, R, L, beta: Delta * (alpha + R) / (sqrt(2 * L) * beta * R)),
    "R = O(⁴√d √(f(x⁰) − f^inf)/√γ ⁴√(B₂/M))": (
        "R", "<=",
        lambda C, d, f_gap, gamma, M, B_hat, c, delta, epsilon: (
            C * (root(d, 4) * (sqrt(f_gap) / sqrt(gamma)) * root(_b_2(c, B_hat, M, delta, epsilon) / M, 4))),
    ),
    "R = O(4√d √(f(x⁰) − f^inf)/√γ √(B₂/M))": (
        "R", "<=",
        lambda C, d, f_gap, gamma, M, B_hat, c, delta, epsilon: (
            C * (4 * sqrt(d) * sqrt(f_gap) / sqrt(gamma) * sqrt(_b_2(c, B_hat, M, delta, epsilon) / M))),
    ),
    "η = 1/(K+1) · γ/2 · β̂R/(α+R)": (  # β̂ = β(K+1)
        "eta", "==", lambda gamma, beta, R, alpha: gamma / 2 * (beta * R / (alpha + R))),
    "ηLE ≤ 1": ("eta", "<=", lambda L, E: 1 / (L * E)),
    "2 − 2cηLE − e > 0": (
        "excess", "<", lambda eta, L, E: (2 - eta**2 * L**2 * (E - 1) * (2 * E - 1) / 3) / (2 * eta * L * E)),
    "ρ < 1": ("rho", "<", lambda: mpf(1)),
    "α ≥ 1": ("alpha", ">=", lambda: mpf(1)),
    "E ≤ α/(2ρ)": ("E", "<=", lambda alpha, rho: alpha / (2 * rho)),
    "Ĉ ≥ 4√(L max_j Δ_j*)": ("C_hat", ">=", lambda L, Delta_max: 4 * sqrt(L * Delta_max)),
    "K > 2γ/(ĈE)/ρ": ("K", ">", lambda gamma, C_hat, E, rho: 2 * gamma / (C_hat * E * rho)),
}  # fmt: skip
_FEEDBACK, _STEP, _WIDE, _COROLLARY = (
    "β/(α + R) < 1", "γ ≤ βR/(α + R) · 1/L_max", "β ≤ (√α + √R)²", "γ ≤ β/L_max · D/(α+D) · 1/(K+1)^{1/2}",
)  # fmt: skip
_FED = (_FEEDBACK, "Δ^inf > 0", "ηγ ≤ 1/(K+1) · Δ^inf/(4L√(2L))", "γ ≤ 1/(2L)")
_SEVERAL = (_WIDE, "η ≤ βR/(2L(α + R))", "γ ≤ 1/(2L)")
_LONG = ("β ≤ √2 α", "η < β/(2L)", "γ ≤ 1/(2L)")
_TWICE = ("β < 2α", "γ ≤ ηR/L_max, η = min(β/(α+R), 2 − β/α)")
_SHORT = ("β < 2α", "η ≤ θR/(2L), θ = min(β/(α+R), 2 − β/α)", "γ ≤ 1/(2L)")
_DAS = ("E ≤ α/(2ρ)", "α ≥ 1", "ρ < 1")
_LOW, _LOWER = "f(x⁰) > (1/M) Σ f_i^inf", "f(x⁰) > (1/M) Σ (1/N) Σ f_{i,j}^inf"
_THRESHOLD = "Ĉ ≥ 4√(L max_j Δ_j*)"
_SIXTH = ("T = 1", "γ = 1/(2L)", "R = D₁/(K+1)^{1/6}", "β = D₂/(K+1)^{2/3}")
_EIGHTH = (
    "T > 1", "γ = 1/(2L(K+1)^{1/8})", "R = D₁/(K+1)^{1/8}", "β = D₂/(K+1)^{5/8}", "Δ^inf > 0",
    "η = η̂/(K+1)^{7/8} with η̂ = min(Δ^inf/(2√(2L)), D₁D₂/(4L(α+D₁)))",
)  # fmt: skip
_SENDERS = ("B̂ ≥ 1", "B̂ ≤ M", "p = B̂/M", "α = R", "η = 1/(K+1) · γ/2 · β̂R/(α+R)", "Δ^inf > 0")
_NOISE, _SIZE = "σ_DP = c p√((K+1)log(1/δ))/ε", "R = O(⁴√d √(f(x⁰) − f^inf)/√γ ⁴√(B₂/M))"
_ROOTED = "β = β̂/(K+1) with β̂ = √(3(f(x⁰) − f^inf)/γ) √(M/B₂)"
_LOCAL = "γ < Δ^inf(α+R)/(√(2L)β̂R)"
CONDITIONS = {
    "gradient descent": (), "NEC-AF (Clip21)": (),
    "NEC-T1": (_FEEDBACK, _STEP), "NEC-T2-MAIN": (_FEEDBACK, _STEP), "NEC-T2-APP": (_FEEDBACK, _STEP),
    "NEC-T2 (noise per coordinate)": (_FEEDBACK, _STEP),
    "NEC-T2-POSTER": (_FEEDBACK, "γ ≤ βR/(α + R) · 1/L"), "NEC-T2-POSTER@step": (_FEEDBACK, "γ ≤ βR/(α + R L)"),
    "NEC-C1": ("α > β", _COROLLARY),
    "NEC-C1 (repaired)": ("α > β", _COROLLARY, "γ ≥ min(γ_max, 2(f(x⁰) − f^inf)/(L(K+1)γ_max))"),
    "NEC-EQ12": ("α > β", "α > 1", "β = L_max(α+D)/D · √(2(f(x⁰) − f^inf)/L)", _COROLLARY),
    "NEC-C2-UTIL": ("β₀ ≤ Δ ⁴√(nε²/(d log(1/δ)))", "α > β₀"),
    "NEC-C2-UTIL (repaired)": ("β₀/(K+1) < α + R with β₀ = Δ/√(2s)",),
    "NEC-OUR-T1-WIDE": (_WIDE, _STEP), "NEC-OUR-T1-ROOT": (_WIDE, _STEP), "NEC-OUR-T2-WIDE": (_WIDE, _STEP),
    "NEC-OUR-T1-SHARP": ("β ≤ α", _STEP), "NEC-OUR-T1-SHARP-ROOT": ("β ≤ α", _STEP), "NEC-OUR-T2-SHARP": ("β ≤ α", _STEP),
    "NEC-OUR-T1-FORGETS": ("β ≤ √2 α", "γ < β/L_max"), "NEC-OUR-T2-FORGETS": ("β ≤ √2 α", "γ < β/L_max"),
    "NEC-OUR-T1-CONTRACTS": _TWICE, "NEC-OUR-T2-CONTRACTS": _TWICE,
    "NEC-OUR-T2-CLIP": ("γ < τ/L_max",),
    "DAS-OURS-CLIP": ("ηLE ≤ 1", "2 − 2cηLE − e > 0"), "DAS-OURS-NORM": ("ηLE ≤ 1",), "DAS-OURS-FREE": ("ηLE ≤ 1",),
    "DAS-T4a": _DAS, "DAS-T4b": _DAS, "DAS-S41-EQ4": ("ρ < 1",),
    "DAS-T6": (_THRESHOLD, "K > 2γ/(ĈE)/ρ"), "DAS-T7": (_THRESHOLD, "K > 2γ/(ĈE)/ρ"),
    "DAS-T6@specific": (_THRESHOLD, *_DAS), "DAS-T7@specific": (_THRESHOLD, *_DAS),
    "FED-C1-MAIN": (*_SIXTH, "η ≤ LD₁D₂/(2(α+D₁)(K+1)^{5/6})"),
    "FED-C1-APP": (*_SIXTH, "η = η̂/(K+1)^{5/6} with η̂ = D₁D₂/(4L(α+D₁))"),
    "FED-C3": _EIGHTH, "FED-C5": (*_EIGHTH, "Δ_i^inf > 0"),
    "FED-C2-UTIL": (
        *_SENDERS, "T = 1", _NOISE, "β = β̂/(K+1) with β̂ = √(3(f(x⁰) − f^inf)/γ) ⁴√(M/B₂)", _LOCAL, _SIZE),
    "FED-C2-UTIL@square-root": (
        *_SENDERS, "T = 1", "σ_DP = cp√((K+1)log(1/δ)/ε)", _ROOTED, _LOCAL, "R = O(4√d √(f(x⁰) − f^inf)/√γ √(B₂/M))"),
    "FED-C4": (*_SENDERS, "T > 1", _NOISE, _ROOTED, "γ < Δ^inf(α+R)/(√(2L)βR)", _SIZE),
    "FED-C6": (*_SENDERS, "T > 1", _NOISE, _ROOTED, _LOCAL, _SIZE, "Δ_i^inf > 0"),
    "FED-T1-MAIN": (*_FED, "η ≤ γ/2 · βR/(α + R)"), "FED-T1-TEXT": (*_FED, "η ≤ γ/2 · βR/(α + R)"),
    "FED-T1-APP": (*_FED, "η ≤ γ/3 · βR/(α + R)"), "FED-T1-APP@outside": (*_FED, "η ≤ γ/3 · βR/(α + R)"),
    "FED-T2": (*_FED, "Δ_i^inf > 0", "η ≤ γ/3 · βR/(α + R)"),
    "FED-T2@outside": (*_FED, "Δ_i^inf > 0", "η ≤ γ/3 · βR/(α + R)"),
    "FED-R1": (_WIDE, "η ≤ βR/(L(α + R))"), "FED-R1-SHARP": (_WIDE, "η ≤ βR/(L(α + R))"),
    "FED-R2": (*_SEVERAL, "ηγ ≤ 1/(K+1) · s/L²"),
    "FED-R3": (*_SEVERAL, "ηγ ≤ 1/(K+1) · s/(2L²)"),
    "FED-R2-SHARP": (*_SEVERAL, _LOW), "FED-R3-SHARP": (*_SEVERAL, _LOWER),
    "FED-R1-FORGETS": ("β ≤ √2 α", "η < β/L"),
    "FED-R1-CONTRACTS": ("β < 2α", "η ≤ θR/L, θ = min(β/(α+R), 2 − β/α)"),
    "FED-R2-CONTRACTS": (*_SHORT, "f(x⁰) ≥ (1/M) Σ f_i^inf"),
    "FED-R3-CONTRACTS": (*_SHORT, "f(x⁰) ≥ (1/M) Σ (1/N) Σ f_{i,j}^inf"),
    "FED-R2-FORGETS": (*_LONG, "f(x⁰) ≥ (1/M) Σ f_i^inf"),
    "FED-R3-FORGETS": (*_LONG, "f(x⁰) ≥ (1/M) Σ (1/N) Σ f_{i,j}^inf"),
}  # fmt: skip


def test_every_bound_has_the_hypotheses_that_are_written_here() -> None:
    had = {name: Counter(c.printed for c in bound.conditions) for name, bound in BOUNDS.items()}
    assert had == {name: Counter(printed) for name, printed in CONDITIONS.items()}


@pytest.mark.parametrize("name", [name for name, printed in CONDITIONS.items() if printed])
def test_a_hypothesis_is_the_limit_that_is_printed(name: str) -> None:
    bound, rng = BOUNDS[name], np.random.default_rng(zlib.crc32(name.encode()))
    for condition in bound.conditions:
        variable, comparison, limit = LIMITS[condition.printed]
        assert (condition.variable, condition.comparison) == (variable, comparison)
        assert set(inspect.signature(limit).parameters) == set(inspect.signature(condition.limit).parameters)
        for _ in range(10):
            values = {letter: drawn(rng, bound.symbols[letter].domain) for letter in bound.parameters}
            with mp.workdps(40):
                expected = limit(**{k: mpf(values[k]) for k in inspect.signature(limit).parameters})
            assert float(condition.bound(values)) == pytest.approx(float(expected), rel=1e-12)


def drawn(rng: np.random.Generator, domain: str) -> float | int:
    if domain.startswith("integer"):
        return int(rng.integers(1, 21))
    return (
        float(rng.integers(1, 16)) / 16 * (1.0 if domain.startswith("(") else 2.0 ** int(rng.integers(-6, 1)))
    )
