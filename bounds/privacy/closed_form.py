"""Noise in closed form: what the printed σ = O(√(K log(1/δ))/ε) has to become so that it is enough.

K releases with sensitivity s and noise σ are ρ-zCDP with ρ = s² K / (2 σ²), and ρ-zCDP gives (ρ + 2 √(ρ L),
δ)-DP with L = ln(1/δ) (Bun and Steinke 2016, Propositions 1.6, 1.3 and 2.3). Solved for σ:

    σ = s √(K/2) (√L + √(L + ε)) / ε,

for every ε > 0 and 0 < δ < 1. The printed form is this with the bracket replaced by a constant times √L,
which is possible only while ε stays below a constant times ln(1/δ). No accountant is needed, and floats,
arrays and symbols go through.
"""

from __future__ import annotations

from bounds.scalars import Scalar, is_symbolic, log, real, sqrt
from bounds.symbols import ONE, Symbol, table

LETTERS = table(
    Symbol("epsilon", "ε", "privacy loss", ONE, "> 0"),
    Symbol("delta", "δ", "privacy failure probability", ONE, "(0, 1)"),
    Symbol("K", "K", "number of releases", ONE, "integer >= 1"),
    Symbol("p", "p", "probability that a client takes part", ONE, "(0, 1]"),
    Symbol("sensitivity", "s", "how far a message moves between neighbours", ONE, "> 0"),
)


def gaussian_noise(epsilon: Scalar, delta: Scalar, K: Scalar, sensitivity: Scalar = 2) -> Scalar:
    """σ of each client's noise that makes K releases (ε, δ)-DP even to those who see every message and its
    sender.

    epsilon > 0; delta in (0, 1); K ≥ 1 releases (Algorithm 1 of the α-NormEC papers makes K + 1 for its k =
    0 … K); sensitivity: 2 for replace-one, 1 for add-remove, in units of the messages' bound. σ is in the
    same units. Enough for every participation p ≤ 1 as well, and in every trust model in which at least the
    client's own noise is in what is seen. Raises `ValueError` outside these domains, `TypeError` for what is no number; letters
    of sympy or z3 are not decided.
    """
    epsilon, delta, K, sensitivity = _checked(
        "gaussian_noise", epsilon=epsilon, delta=delta, K=K, sensitivity=sensitivity
    )
    return _noise(epsilon, delta, K, sensitivity)


def participation_noise(
    epsilon: Scalar, delta: Scalar, K: Scalar, p: Scalar, sensitivity: Scalar = 2
) -> Scalar:
    """As `gaussian_noise` for clients that take part with probability p, visibly: of order √p, not p,
    while K p is above ln(2/δ).

    Half of δ pays for a number of rounds N ~ Binomial(K, p) above m = K p + √(2K p(1−p) ln(2/δ)) +
    ⅔ ln(2/δ) (Bernstein), half for m Gaussian releases. Where m exceeds K, or nearly so, `gaussian_noise` is smaller: take the
    smaller of the two. p in (0, 1]; the others' domains, and what is raised outside them, are those of `gaussian_noise`.
    """
    epsilon, delta, K, p, sensitivity = _checked(
        "participation_noise", epsilon=epsilon, delta=delta, K=K, p=p, sensitivity=sensitivity
    )
    L = log(2 / delta)
    m = K * p + sqrt(2 * K * p * (1 - p) * L) + 2 * L / 3
    return _noise(epsilon, delta / 2, m, sensitivity)


def _noise(epsilon: Scalar, delta: Scalar, m: Scalar, sensitivity: Scalar) -> Scalar:
    """σ for m releases, a number that need not be whole."""
    L = log(1 / delta)
    return sensitivity * sqrt(m / 2) * (sqrt(L) + sqrt(L + epsilon)) / epsilon


def _checked(where: str, **given: Scalar) -> list[Scalar]:
    """What was given, in its domain where that can be decided, and ready for a formula."""
    for name, value in given.items():
        if not is_symbolic(value):
            LETTERS[name].check(value, where)
    return [real(value) for value in given.values()]
