"""Trials of what proofs say of numbers: exponentials, logarithms, π, whole numbers, and the mean length of a Gaussian vector; and the
lower bound on a rate that no case can speak of."""

from __future__ import annotations

from verify.textbook.draws import Draws, Number, mp
from verify.textbook.trial import Trial, Trusted, Values, each


def exponential_below_one(draws: Draws) -> Values:
    """e^h for h < 1, of either sign: in the proofs h and ε are positive."""
    h = draws.number(-3, 0.999)
    return {"h": h, "e_h": mp.exp(h), "epsilon": h, "e_epsilon": mp.exp(h)}


def exponential_below_one_half(draws: Draws) -> Values:
    """y = r exp(1 − r) for 0 < r ≤ 1/2, and beyond, with exp(r − 1)."""
    r = draws.positive(1e-3, 0.6)
    return {"r": r, "y": r * mp.exp(1 - r), "factor": mp.exp(r - 1)}


def exponential_of_rounds(draws: Draws) -> Values:
    """exp x and exp(x(K + 1)) for an x = b₁γ² of either sign, where x(K + 1) is at most 1, and beyond."""
    rounds = draws.pick([1, draws.whole(2, 100)])
    x = draws.number(-3, 2) / rounds
    return {"K": rounds - 1, "x": x, "factor": mp.exp(x), "power": mp.exp(x * rounds)}


def exponential_before(draws: Draws) -> Values:
    """e^w and e^(w − 1), and log(1 + ·) of both."""
    w = draws.number(-10, 30)
    y, before = mp.exp(w), mp.exp(w - 1)
    return {"y": y, "y_before": before, "f_1": mp.log(1 + y), "f_1_before": mp.log(1 + before)}


def logarithm(draws: Draws) -> Values:
    """L = ln(1/δ) for δ between 0 and 1."""
    delta = draws.positive(1e-12, 0.999)
    return {"delta": delta, "L": mp.log(1 / delta), "ell": mp.log(1 / delta)}


def gaussian_level(draws: Draws) -> Values:
    """φ(t) at t = √(2 ln(1.25/δ)), 0 < δ < 1."""
    delta = draws.positive(1e-9, 0.999)
    t = mp.sqrt(2 * mp.log(mp.mpf(5) / 4 / delta))
    return {"delta": delta, "phi_t": mp.npdf(t)}


def circle(_: Draws) -> Values:
    return {"pi": mp.pi}


def signs(draws: Draws) -> Values:
    """m whole, less the signs of some rounds."""
    m, rounds = draws.whole(-5, 5), draws.whole(0, 10)
    return {"n": m - sum(draws.pick((-1, 0, 1)) for _ in range(rounds))}


def gaussian_length(draws: Draws) -> Values:
    """ζ ~ N(0, s²I_d): both means as integrals over the length, and c_d by its formula, √(2/d) Γ((d + 1)/2)/Γ(d/2)."""
    s, d = draws.positive(), draws.whole(1, 30)
    mass = _half_moment(d - 1)
    c_d = mp.sqrt(mp.mpf(2) / d) * mp.gamma(mp.mpf(d + 1) / 2) / mp.gamma(mp.mpf(d) / 2)
    return {
        "c_d": c_d, "noise_norm": s * _half_moment(d) / mass, "noise_message": s**2 * _half_moment(d + 1) / mass,
    }  # fmt: skip


def gaussian_on_the_line(draws: Draws) -> Values:
    """e ~ N(0, s²): E|e| and E e² as integrals over |e|."""
    s = draws.positive()
    mass = _half_moment(0)
    return {"‖eᵏ‖": s * _half_moment(1) / mass, "E‖e‖²": s**2 * _half_moment(2) / mass, "π": mp.pi}


def _half_moment(k: int) -> Number:
    """∫ rᵏ e^(−r²/2) dr over r ≥ 0, k − 1 times that of k − 2 (by parts)."""
    value = mp.mpf(1) if k % 2 else mp.sqrt(mp.pi / 2)
    for j in range(3 if k % 2 else 2, k + 1, 2):
        value *= j - 1
    return value


TRIALS = (
    *each(exponential_below_one, "0 < e^h ≤ 1/(1 − h) for h < 1", "e^ε ≤ 1/(1 − ε) for ε < 1"),
    *each(
        exponential_below_one_half,
        "y = r exp(1 − r) = r√e exp(1/2 − r), exp t ≤ 1/(1 − t) for t < 1, √e < 1.6488",
        "y exp(b₁γ²) = r",
    ),
    *each(exponential_of_rounds, "1 + t ≤ exp t", "t ≤ 1 ⇒ exp t ≤ e < 3"),
    Trial(
        "e^(w−1) = e^w/e, e > 2",
        exponential_before,
        loose="e is 2.718…, and the proof has enough in 2",
    ),
    Trial("log increases", exponential_before),
    Trial("log(1/δ) > 0 for 0 < δ < 1", logarithm),
    Trial(
        "e^L > L²/2, so that δ = e^(−L) < 2/L²",
        logarithm,
        loose="L²e^(−L) is 4/e² = 0.54 at most, and the proof has enough in 2",
    ),
    Trial("δ = 1.25 e^(−t²/2) = 1.25 √(2π) φ(t) > 1.25 · 5/2 φ(t)", gaussian_level),
    Trial("3 < π", circle),
    Trial(
        "n, that is m less a sum of signs −1, 0 and 1, is whole: n(n + 1) ≥ 0",
        signs,
        loose="a product against 0: it is 0 at n = −1 and n = 0, and no coefficient stands in it",
    ),
    Trial(
        "on the line eᵏ, a sum of Gaussian noises, is Gaussian with mean 0: (E|eᵏ|)² = (2/π)E(eᵏ)², and π < 22/7",
        gaussian_on_the_line,
    ),
    Trial("a Gaussian N(0, s²I_d) has E‖ζ‖ = c_d √(E‖ζ‖²), 3/4 < √(2/π) ≤ c_d ≤ 1", gaussian_length),
)
TRUSTED = (
    Trusted(
        "Carmon et al. (2020): for some number c_0 > 0 no method that sees f through K + 1 gradients guarantees less than "
        "c_0√(L(f(x⁰) − f^inf)/(K+1)) for all L-smooth f with that f(x⁰) − f^inf, in all dimensions",
        "(c_0 > 0) & (lowest >= c_0*sqrt(L*f_gap/(K + 1)))",
        "it speaks of all methods, on functions of as many dimensions as it takes, and names no value of c_0",
    ),
)
