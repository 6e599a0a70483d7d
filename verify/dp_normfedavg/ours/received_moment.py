"""The fourth moment of one round of `received_noise`: Y = (w_k − w_{k+1})/h, a client's message over E plus the noise over E.

Given w_k and the set S of senders, Y is V sign(w_k) + N(0, τ²), τ² = rσ²/(|S|E²) = κr/|S|, and 0 where nobody sends. Its fourth moment
is V⁴ + 6V²τ² + 3τ⁴, and set by set E[Y⁴ | w_k] = PV⁴ + 6νκV² + 3μκ², so that q₄ = P + 6νκ + 3μκ² serves for every w_k: a number that
n, r and κ fix. For normalisation, V = 1, it is E Y⁴ itself.
"""

from __future__ import annotations

from verify.dp_normfedavg.counterexamples.last_round import v
from verify.dp_normfedavg.letters import E, summed
from verify.dp_normfedavg.ours.nobody_sends import UNIT
from verify.dp_normfedavg.ours.received_point import POINT, message
from verify.dp_normfedavg.ours.too_seldom import q
from verify.dp_normfedavg.ours.too_seldom_point import STEP
from verify.dp_normfedavg.theorems.rounds import RHO_IS, TOTAL, K, rho
from verify.dp_normfedavg.theorems.sampling import CLIENTS, d, r, sigma2
from verify.dp_normfedavg.theorems.who_sends import (
    SAME,
    SOME,
    SOMEBODY,
    by_set,
    chance,
    nu,
    size,
    some,
    squares,
)
from verify.facts import definition, equal, hypothesis, letters
from verify.obligation import obligation

kappa, tau2, own4, fourth = letters("kappa tau² E_Y⁴_of_S E_Y⁴")
"""Kρ², the noise's part of E[Y² | w_k, S_k = S], E[Y⁴ | w_k, S_k = S], E[Y⁴ | w_k]."""
KAPPA = hypothesis("κ = Kρ²", equal(kappa, K * rho**2))
SCALE = hypothesis("v = P + νκ", equal(v, some + nu * kappa))
ONE = hypothesis("d = 1: w is a number", equal(d, 1))
MEAN_NOISE = hypothesis(
    "τ²: the mean of |S| independent noises of variance rσ² each, over E",
    equal(tau2, r * sigma2 / (size * E**2)),
)
VARIANCE = obligation(
    "τ² = κr/|S|", (MEAN_NOISE, ONE, RHO_IS, KAPPA, UNIT, STEP, SOME), equal(tau2 * size, kappa * r)
)
GAUSSIAN = hypothesis(
    "the noises are Gaussian: E[Y⁴ | w_k, S_k] = V⁴ + 6V²τ² + 3τ⁴ for Y = V sign(w_k) + N(0, τ²), d = 1",
    equal(own4, message**4 + 6 * message**2 * tau2 + 3 * tau2**2),
)
FOURTH = summed(
    "E[Y⁴ | w_k] = PV⁴ + 6νκV² + 3μκ², set by set, and ν ≥ 0",
    equal(fourth, by_set * message**4 + 6 * nu * kappa * message**2 + 3 * squares * kappa**2) & (nu >= 0),
    {fourth: 0, by_set: 0, nu: 0, squares: 0},
    {
        fourth: fourth + chance * own4,
        by_set: by_set + chance,
        nu: nu + chance * r / size,
        squares: squares + chance * r**2 / size**2,
    },
    (GAUSSIAN, VARIANCE.conclusion, SOME, CLIENTS, definition("probabilities are not negative", chance >= 0)),
)
Q_IS = definition("q₄ = P + 6νκ + 3μκ²", equal(q, some + 6 * nu * kappa + 3 * squares * kappa**2))
MOST = obligation(
    "E[Y⁴ | w_k] ≤ q₄ for every w_k",
    (FOURTH.conclusion, SAME, POINT.conclusion, Q_IS, SOMEBODY.conclusion, KAPPA, SCALE, TOTAL),
    fourth <= q,
)  # fmt: skip
NODES = (VARIANCE, FOURTH, MOST)
