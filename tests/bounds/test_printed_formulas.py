"""Each bound that a paper prints, against a second transcription of its right-hand side, evaluated in 40 digits.

The transcriptions were written from the papers' texts, in the papers' own shape, and import nothing from `bounds`.
"""

from __future__ import annotations

import inspect
import zlib

import numpy as np
import pytest
from mpmath import log, mp, mpf, root, sqrt

from bounds.catalogue import every

PRINTED = {name: bound for name, bound in every().items() if bound.source.paper != "ours"}
DRAWS = 30


def corollary1_of_alpha_normec(f_gap, L, L_max, alpha, beta, D, K):
    C = L_max * (alpha + D) / (beta * D) * f_gap + 2 * D + L / 2 * (beta * D / (L_max * (alpha + D)))
    return C / (K + 1) ** mpf("0.5")


def clip21(f_gap, L, L_max, tau, C_1, K):
    C_2 = max(max(L, L_max) * f_gap, C_1**2)
    half = (K + 1) ** mpf("0.5")
    return L_max * f_gap / (tau * half) + sqrt((1 + C_1 / tau) * C_2) / half


def utility_of_alpha_normec(f_gap, L_max, alpha, R, n, epsilon, d, delta):
    return sqrt(L_max * (alpha + R) * f_gap / R) * root(d * log(1 / delta) / (n * epsilon**2), 4) + 2 * R


def poster(f_gap, gamma, K, L, beta, sigma, n):
    return f_gap / (gamma * (K + 1)) + gamma * L / 2 + 2 * sqrt(beta**2 * (K + 1) * sigma**2 / n)


def start_of(C_hat, L, distance, gamma, rho):
    return C_hat * (L * distance**2 / gamma + gamma / L) * rho


def b_of_the_appendices(p, sigma):
    return 2 * p * (1 - 1 / p) ** 2 + 2 * (1 - p) + 2 * sigma**2 / p


def fed_theorem1(f_gap, K, eta, R, noise, gamma, T, L, Delta):
    drift = gamma * (8 * L * sqrt(2 * L) * sqrt(Delta)) if T != 1 else 0
    return 3 / (K + 1) * f_gap / eta + 2 * R + noise + drift + eta * L / 2


def fed_theorem2(f_gap, K, eta, R, noise, gamma, L, Delta, Delta_local):
    gradient_steps = fed_theorem1(f_gap, K, eta, R, noise, gamma, 2, L, Delta)
    return gradient_steps + gamma * 4 * L * sqrt(2 * L) * sqrt(Delta_local)


def under_the_root(beta, B, M, K):
    return 2 * sqrt(beta**2 * B / M * (K + 1))


def beside_the_root(beta, B, M, K):
    return 2 * sqrt(beta**2 * B / M) * (K + 1)


def fed_corollary1_main(f_gap, K, L, D_1, D_2, alpha, M, p, sigma):
    eta_0 = L * D_1 * D_2 / (2 * (alpha + D_1))
    A_1 = f_gap / eta_0 + 2 * D_1 + 2 * D_2 * sqrt(2 * p * (1 - 1 / p) ** 2 / M + 2 * sigma**2 / p)
    return A_1 / root(K + 1, 6) + (L * eta_0 / 2) / root(K + 1, 6) ** 5


def fed_corollary1_appendix(f_gap, K, L, D_1, D_2, alpha, M, p, sigma):
    eta = D_1 * D_2 / (4 * L * (alpha + D_1))
    A_1 = 3 * f_gap / eta + 2 * D_1 + 2 * sqrt(b_of_the_appendices(p, sigma)) * D_2 / sqrt(M)
    return A_1 / root(K + 1, 6) + (eta * L / 2) / root(K + 1, 6) ** 5


def fed_corollary(f_gap, K, L, D_1, D_2, alpha, M, p, sigma, Delta, rest):
    """Corollaries 3 and 5: `rest` is what each adds to A₁ for the local steps."""
    eta = min(Delta / (2 * sqrt(2 * L)), D_1 * D_2 / (4 * L * (alpha + D_1)))
    A_1 = 3 * f_gap / eta + 2 * D_1 + 2 * sqrt(b_of_the_appendices(p, sigma)) * D_2 / sqrt(M) + rest
    return A_1 / root(K + 1, 8) + (eta * L / 2) / root(K + 1, 8) ** 7


def fed_corollary3(f_gap, K, L, D_1, D_2, alpha, M, p, sigma, Delta):
    rest = 4 * sqrt(2 * L) * sqrt(Delta)
    return fed_corollary(f_gap, K, L, D_1, D_2, alpha, M, p, sigma, Delta, rest)


def fed_corollary5(f_gap, K, L, D_1, D_2, alpha, M, p, sigma, Delta, Delta_local):
    rest = 8 * sqrt(2 * L) * sqrt(Delta) + 4 * sqrt(2 * L) * sqrt(Delta_local)
    return fed_corollary(f_gap, K, L, D_1, D_2, alpha, M, p, sigma, Delta, rest)


def fed_utility(order, f_gap, L, alpha, d, B_hat, M, c, delta, epsilon):
    """Under the O(·) of Corollaries 2, 4 and 6, with the c of their B₂ = 2c² (B̂/M) log(1/δ)/ε² kept: d B₂/(2M)."""
    inside = d * (2 * c**2 * (B_hat / M) * log(1 / delta) / epsilon**2) / (2 * M)
    return max(alpha, mpf(2)) * sqrt(L) * sqrt(f_gap) * root(inside, order)


WRITTEN = {
    "gradient descent": lambda f_gap, L, K: sqrt(2 * L * f_gap) * (K + 1) ** mpf("-0.5"),
    "NEC-T1": lambda f_gap, gamma, K, R, L: f_gap / (gamma * (K + 1)) + 2 * R + L / 2 * gamma,
    "NEC-C1": corollary1_of_alpha_normec,
    "NEC-C1 (repaired)": corollary1_of_alpha_normec,
    "NEC-EQ12": lambda f_gap, L, D, K: (sqrt(2 * L * f_gap) + 2 * D) / (K + 1) ** mpf("0.5"),
    "NEC-T2-MAIN": lambda f_gap, gamma, K, R, L, beta, sigma: (
        f_gap / (gamma * (K + 1)) + 2 * R + L / 2 * gamma + 2 * sqrt(beta**2 * (K + 1) * sigma**2)
    ),
    "NEC-T2-APP": lambda f_gap, gamma, K, R, L, beta, sigma, n: (
        f_gap / (gamma * (K + 1)) + 2 * R + 2 * sqrt(beta**2 * (K + 1) * sigma**2 / n) + L / 2 * gamma
    ),
    "NEC-T2-POSTER": poster,
    "NEC-T2-POSTER@step": poster,
    "NEC-C2-UTIL": utility_of_alpha_normec,
    "NEC-AF (Clip21)": clip21,
    "DAS-T4a": lambda G, L, distance, gamma, rho, E, alpha, Delta: (
        G * (L * distance**2 / gamma + gamma / L) * rho + (3 * E / (2 * alpha)) * Delta * rho
    ),
    "DAS-T4b": lambda G, L, distance, gamma, rho, E, alpha, z_Delta: (
        G * (L * distance**2 / gamma + gamma / L) * rho
        + (E / alpha) * (G**2 / (2 * L) + z_Delta * (rho * E / alpha)) * rho
    ),
    "DAS-S41-EQ4": lambda G, L, distance, gamma, rho: G / 2 * (L * distance**2 / gamma + gamma / L) * rho,
    "DAS-T6": lambda C_hat, L, distance, gamma, rho, K, Delta_kept: (
        start_of(C_hat, L, distance, gamma, rho)
        + (2 * gamma / (C_hat * K * rho)) * (1 + 2 * gamma / (C_hat * K * rho)) * Delta_kept
    ),
    "DAS-T6@specific": lambda C_hat, L, distance, gamma, rho, E, alpha, Delta: (
        start_of(C_hat, L, distance, gamma, rho) + (3 * E / (2 * alpha)) * Delta * rho
    ),
    "DAS-T7": lambda C_hat, L, distance, gamma, rho, K, share_kept, z_Delta: (
        start_of(C_hat, L, distance, gamma, rho)
        + share_kept * gamma * C_hat / (L * K * rho)
        + 4 * gamma**2 * z_Delta / (C_hat**2 * K**2 * rho**2)
    ),
    "DAS-T7@specific": lambda C_hat, L, distance, gamma, rho, E, alpha, z_Delta: (
        start_of(C_hat, L, distance, gamma, rho)
        + (E / alpha) * (C_hat**2 / (2 * L) + z_Delta * (rho * E / alpha)) * rho
    ),
    "FED-T1-MAIN": lambda f_gap, K, eta, R, beta, M, p, sigma, gamma, T, L, Delta: fed_theorem1(
        f_gap, K, eta, R, under_the_root(beta, 2 * (p - 1) ** 2 / p + 2 * sigma**2, M, K), gamma, T, L, Delta
    ),
    "FED-T1-TEXT": lambda f_gap, K, eta, R, beta, M, p, sigma, gamma, T, L, Delta: fed_theorem1(
        f_gap, K, eta, R, under_the_root(beta, 2 * (p - 1) ** 2 / p + 2 * sigma**2 / p, M, K), gamma, T, L, Delta
    ),
    "FED-T1-APP": lambda f_gap, K, eta, R, beta, M, p, sigma, gamma, T, L, Delta: fed_theorem1(
        f_gap, K, eta, R, under_the_root(beta, b_of_the_appendices(p, sigma), M, K), gamma, T, L, Delta
    ),
    "FED-T1-APP@outside": lambda f_gap, K, eta, R, beta, M, p, sigma, gamma, T, L, Delta: fed_theorem1(
        f_gap, K, eta, R, beside_the_root(beta, b_of_the_appendices(p, sigma), M, K), gamma, T, L, Delta
    ),
    "FED-T2": lambda f_gap, K, eta, R, beta, M, p, sigma, gamma, L, Delta, Delta_local: fed_theorem2(
        f_gap, K, eta, R, under_the_root(beta, b_of_the_appendices(p, sigma), M, K), gamma, L, Delta, Delta_local
    ),
    "FED-T2@outside": lambda f_gap, K, eta, R, beta, M, p, sigma, gamma, L, Delta, Delta_local: fed_theorem2(
        f_gap, K, eta, R, beside_the_root(beta, b_of_the_appendices(p, sigma), M, K), gamma, L, Delta, Delta_local
    ),
    "FED-C1-MAIN": fed_corollary1_main,
    "FED-C1-APP": fed_corollary1_appendix,
    "FED-C3": fed_corollary3,
    "FED-C5": fed_corollary5,
    "FED-C2-UTIL": lambda f_gap, L, alpha, d, B_hat, M, c, delta, epsilon: fed_utility(
        4, f_gap, L, alpha, d, B_hat, M, c, delta, epsilon
    ),
    "FED-C2-UTIL@square-root": lambda f_gap, L, alpha, d, B_hat, M, c, delta, epsilon: fed_utility(
        2, f_gap, L, alpha, d, B_hat, M, c, delta, epsilon
    ),
    "FED-C4": lambda f_gap, L, alpha, d, B_hat, M, c, delta, epsilon, Delta: (
        fed_utility(4, f_gap, L, alpha, d, B_hat, M, c, delta, epsilon) + sqrt(L) * sqrt(Delta)
    ),
    "FED-C6": lambda f_gap, L, alpha, d, B_hat, M, c, delta, epsilon, Delta, Delta_local: (
        fed_utility(4, f_gap, L, alpha, d, B_hat, M, c, delta, epsilon)
        + sqrt(L) * sqrt(Delta)
        + sqrt(L) * sqrt(Delta_local)
    ),
}  # fmt: skip


def test_every_printed_bound_is_transcribed_a_second_time() -> None:
    assert set(WRITTEN) == set(PRINTED)


@pytest.mark.parametrize("name", WRITTEN)
def test_a_bound_is_the_right_hand_side_that_the_paper_prints(name: str) -> None:
    """All terms are positive, so a float is off by some 2⁻⁵³ an operation (under 60 of them). Only 1 − 1/p, p − 1 and log(1/δ)
    amplify that, by less than 31 at the sixteenths drawn, twice for a square: 60 · 62 · 2⁻⁵³ < 1e-12."""
    bound, written = PRINTED[name], WRITTEN[name]
    letters = list(inspect.signature(written).parameters)
    assert set(letters) == set(inspect.signature(bound.formula).parameters)
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    for _ in range(DRAWS):
        values = {letter: drawn(rng, bound.symbols[letter].domain) for letter in letters}
        with mp.workdps(40):
            expected = float(written(**{letter: mpf(value) for letter, value in values.items()}))
        assert bound.value(**values) == pytest.approx(expected, rel=1e-12), values


def drawn(rng: np.random.Generator, domain: str) -> float | int:
    """An integer from 1 to 20, or a positive binary fraction, exact as a float, inside the domain."""
    if domain.startswith("integer"):
        return int(rng.integers(1, 21)) if rng.random() < 0.8 else 1
    if domain.startswith("(0, 1"):
        return float(rng.integers(1, 17 if domain.endswith("]") else 16)) / 16
    return float(rng.integers(1, 17)) * 2.0 ** int(rng.integers(-7, 1))


@pytest.mark.parametrize("name", sorted(PRINTED))
def test_a_printed_bound_says_in_which_version_of_the_text_it_stands(name: str) -> None:
    source = PRINTED[name].source
    if "Appendix" in source.place:
        expected = {"appendix"}
    else:
        expected = (
            {"poster"} if source.paper.endswith("poster") else {"main text", "running text", "repaired"}
        )
    assert source.version.partition(",")[0] in expected
    assert (source.version == "repaired") == name.endswith("(repaired)")
