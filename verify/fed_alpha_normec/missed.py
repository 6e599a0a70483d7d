"""Clients that hardly ever stay away against Theorem 1 with the main text's B, at T = 1 without noise.

For σ = 0 both B of the main text are 2(1−p)²/p, but a message that is missed with probability 1 − p has the second moment
(1−p)/p: where p is near 1 the theorem forgets almost all of the error, which adds up in the server's memory.

M = 2J + 2 clients, L = 1, γ = 1/2. In coordinates (x, y, u₀, …, u_J): f_i = h(x) ± ψ(y), half of the clients with each sign, so
that f = h. h' = g down to a distance D below the start, and falls to 0 with slope 1 after that; ψ is flat at the start y = 0,
rises by A on one side and falls by A on the other, in two parabolas, A = w² (so |ψ''| ≤ 1 and Δ^inf = A). Memories start
at v_i⁰ = ∇f_i(x⁰) − ρ_i with ρ = ±R u₀ for two clients and ±r u_j for the pair j, where β = 2(α + r): the residual of a pair is
turned around in every round, r → r − βr/(α + r) = −r. So as long as x is on the slope, whatever x does there:

- the mean memory v̄ᵏ is g e_x, and v̂ᵏ = v̄ᵏ + eᵏ with eᵏ ⟂ e_x: x falls in a round by ηg/√(g² + ‖eᵏ‖²);
- the part of eᵏ along u_j is a sum of 2k independent terms ±a(q − 1), a = 2r/M, so Sᵏ = Σ_{j ≥ 1} ⟨eᵏ, u_j⟩², a sum of J independent
  terms, has the mean 2kJμ₂ and at most the variance J(2kμ₄ + 8k²μ₂²), with μ₂ = a²(1−p)/p, μ₄ = a⁴((1−p) + p((1−p)/p)⁴);
- P(Sᵏ < kJμ₂) ≤ (2/J)(4 + κ/k), κ = μ₄/μ₂², by Chebyshev's inequality, and otherwise x falls by at most ηg/√(kJμ₂);
- with N = K + 1 and Σ_{k ≤ N} k^(−1/2) ≤ 2√N, x falls in all rounds together by at most
  Z = Nη·m, m = k₀/N + (2/J)(4 + κ/k₀) + 2g/√(NJμ₂), in the mean, for any k₀;
- so x is still on the slope after all rounds with probability at least 1 − Z/D, and E‖∇f(xᵏ)‖ ≥ g(1 − Z/D) for every k.

In words: the server believes in messages that never came, in J directions that have nothing to do with f, and creeps.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from bounds.statement import Bound
from verify.claim import Values
from verify.fed_alpha_normec.letters import values
from verify.proof import Comparison

NUMBERS = values(
    alpha="1/1000", beta=1, R=1, r="499/1000", g=10**4, J=10**5, w=10**20, p="489999/490000",
    rounds=2 * 200_002 * 489_999 * 540_000**2, early=10**8, error=538_900, share="1/9",
)  # fmt: skip
"""early: k₀. error: not above √(NJμ₂), which the error reaches. share: D/(Nη).

1/(1 − p) is a square, for rational roots, and near the least for which these bounds suffice: with y = error/g and D =
share·Nη they ask for 1 > 2/(y share) + 3 share + 4y√(1 − p), up to small terms, best at y = 54 and share = 1/9."""


def moments(a: Fraction, p: Fraction) -> tuple[Fraction, Fraction]:
    """E X² and E X⁴ of X = a(q − 1), where q = 1/p with probability p and 0 otherwise."""
    return a**2 * (1 - p) / p, a**4 * ((1 - p) + p * ((1 - p) / p) ** 4)


def creeps(bound: Bound) -> Callable[[Values], Comparison]:
    """The replay against Theorem 1 in one version: left side bounded below, right side exact."""

    def replay(numbers: Values) -> Comparison:
        a, beta, R, r, g, J, p = (numbers[n] for n in ("alpha", "beta", "R", "r", "g", "J", "p"))
        N, early, error, share = (numbers[n] for n in ("rounds", "early", "error", "share"))
        M, L, gamma = 2 * J + 2, Fraction(1), Fraction(1, 2)
        eta = gamma / 2 * beta * R / (a + R)
        D = share * N * eta
        second, fourth = moments(2 * r / M, p)
        chebyshev = 2 / J * (4 + fourth / second**2 / early)
        fall = N * eta * (early / N + chebyshev + 2 * g / error)
        given = {
            "f_gap": g * D + g**2 / (2 * L), "K": N - 1, "eta": eta, "R": R, "beta": beta, "M": M, "p": p,
            "sigma": Fraction(0), "gamma": gamma, "T": 1, "L": L, "Delta": L * numbers["w"] ** 2, "alpha": a,
        }  # fmt: skip
        right = bound.value(**{name: given[name] for name in bound.parameters})
        if not isinstance(right, Fraction):
            raise TypeError("the right side is not rational: choose rounds that make the root exact")
        met = (
            *((condition.printed, bool(condition.holds(given))) for condition in bound.conditions),
            ("0 < p < 1, η < 1", 0 < p < 1 and eta < 1),
            ("the residual of a pair is turned around", r - beta * r / (a + r) == -r),
            ("R is the largest residual", 0 < r <= R),
            ("J, M and the number of rounds are whole", J.denominator == N.denominator == 1),
            ("1 ≤ k₀ ≤ N", 1 <= early <= N),
            ("error ≤ √(NJμ₂)", error**2 <= N * J * second),
        )
        return Comparison(g * (1 - fall / D), "<=", right, met)

    return replay
