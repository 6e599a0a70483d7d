"""Trials of what proofs say of a message that is drawn unseen into a noisy sum.

The letters are those of `verify.privacy.hidden_draws`: q the probability of the message, w = 1/(2σ²), λ and Λ orders, u = wΛ²q².
"""

from __future__ import annotations

from collections.abc import Callable

from verify.textbook.draws import Draws, Number, mp
from verify.textbook.privacy import binomial
from verify.textbook.trial import Trial, Values, each


def orders(draws: Draws) -> Values:
    """2L/ε whole now and then, where λ − 1 is 2L/ε, or just above a whole number, where it is nearly one more."""
    epsilon = draws.positive(0.01, 30)
    count = draws.pick(
        [mp.mpf(draws.whole(1, 9)), draws.whole(1, 9) + mp.mpf(10) ** -20, draws.positive(0.01, 60)]
    )
    return {"L": count * epsilon / 2, "epsilon": epsilon, "lambda": mp.ceil(count) + 1}


def moments(draws: Draws) -> Values:
    """Sums over Bin(Λ, q) and Bin(Λ − 2, q); 8wΛ is now and then 1, and now and then more, as it has to be for A near e^(18u/5)."""
    q = draws.pick([draws.positive(0.01, 1), mp.mpf(1) / 2])
    order = draws.pick([draws.whole(2, 12), draws.whole(30, 40)])
    w = draws.pick([mp.mpf(1), draws.positive(1e-9, 2), draws.positive(2, 60)]) / (8 * order)
    mean = (order - 2) * q

    def expected(count: int, exponent: Callable[[Number], Number]) -> Number:
        masses = enumerate(binomial(count, q))
        return sum((mass * mp.exp(w * exponent(mp.mpf(n))) for n, mass in masses), mp.mpf(0))

    return {
        "G": expected(order - 2, lambda n: (n + 1) * (n + 2)),
        "H": expected(order - 2, lambda n: 2 * (n - mean) ** 2),
        "E_3": mp.exp(3 * w * order), "w": w, "q": q, "Lambda": mp.mpf(order),
        **logarithms(q, w, expected(order, lambda n: n * (n - 1)), order),
    }  # fmt: skip


def logarithms(q: Number, w: Number, A: Number, order: int) -> Values:
    """u, A, ln A, T and V for Λ."""
    u = w * order**2 * q**2
    return {"u": u, "A": A, "ln_A": mp.log(A), "T": mp.exp(2 * u), "V": mp.exp(8 * u / 5)}


def shown(draws: Draws) -> Values:
    """m by the trapezoidal rule for numbers as messages, a and b, one of them 0 where Λ = λ."""
    q, sigma = draws.pick([draws.positive(0.01, 1), mp.mpf(1)]), draws.positive(0.7, 5)
    order, twice = draws.whole(2, 3), draws.chance(0.5)
    a, b = draws.number(-1, 1), draws.number(-1, 1) if twice else mp.mpf(0)
    if draws.chance(0.5):
        a, b = b, a
    longer = 2 * order if twice else order
    w = 1 / (2 * sigma**2)
    A = sum((mass * mp.exp(w * n * (n - 1)) for n, mass in enumerate(binomial(longer, q))), mp.mpf(0))
    return {"m": integral(q, sigma, order, a, b), **logarithms(q, w, A, longer)}


def integral(q: Number, sigma: Number, order: int, a: Number, b: Number) -> Number:
    """ln ∫ P^λ Q^(1−λ) for P = (1 − q)N(0, σ²) + qN(a, σ²) and Q likewise with b, |a|, |b| ≤ 1. All peaks of the integrand lie within
    2λ − 1 of 0."""
    step, reach = sigma * 2 / 5, 2 * order - 1 + 15 * sigma
    total = mp.mpf(0)
    for j in range(-int(reach / step) - 1, int(reach / step) + 2):
        x = j * step
        first, second = (
            (1 - q) + q * mp.exp((2 * x * shift - shift**2) / (2 * sigma**2)) for shift in (a, b)
        )
        total += mp.exp(-(x**2) / (2 * sigma**2)) * first**order / second ** (order - 1)
    return mp.log(total * step / (sigma * mp.sqrt(2 * mp.pi)))


TRIALS = (
    Trial("⌈x⌉ < x + 1: λ = ⌈2L/ε⌉ + 1 is whole, and 2L ≤ (λ − 1)ε < 2L + ε", orders),
    *each(
        shown,
        "Mironov, Talwar and Zhang 2019, and where a point is replaced Cauchy and Schwarz: m = ln ∫ P^λ Q^(1−λ) ≤ ln A, "
        "A = E e^(wN(N−1)), N ~ Bin(Λ, q)",
        "the logarithm increases, and TV = e^(18u/5): ln A ≤ 18u/5 where A ≤ TV",
    ),
    *each(
        moments,
        "e^y ≤ 1 + y e^y, k(k − 1) C(Λ, k) = Λ(Λ − 1) C(Λ − 2, k − 2): A ≤ 1 + wΛ(Λ − 1)q² G, G = E e^(w(N′+1)(N′+2)), "
        "N′ ~ Bin(Λ − 2, q)",
        "x² ≤ 2y² + 2(x − y)²: G ≤ e^(3wΛ) T H, T = e^(2u), H = E e^(2w(N′ − (Λ−2)q)²)",
        "Hoeffding's lemma, in the mean over a Gaussian factor: H² ≤ 1/(1 − wΛ) where wΛ < 1",
        "e^(3wΛ) ≤ e^(3/8) < 1.455 where 8wΛ ≤ 1",
        "e^x ≥ 1 + x: T = e^(2u) ≥ 1 + 2u, V = e^(8u/5) ≥ 1 + 8u/5",
        "the logarithm increases, and TV = e^(18u/5): ln A ≤ 18u/5 where A ≤ TV",
    ),
)
