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
- P(Sᵏ < c · 2kJμ₂) ≤ δ = (2 + κ/(2k₀))/(J(1−c)²) for c < 1 and k ≥ k₀, κ = μ₄/μ₂², by Chebyshev's inequality; the share of such
  rounds has at most the mean δ, so it exceeds t with probability δ/t at most, by Markov's;
- otherwise x falls in all N = K + 1 rounds by at most ηN(k₀/N + t + (1/N) Σ_{k ≤ N} g/√(g² + 2ckJμ₂)), and the last is at most
  its integral 2g/(g + √(g² + 2cNJμ₂));
- so with t = D/(Nη) less the other two, x is still on the slope after all rounds with probability at least 1 − δ/t, and
  E‖∇f(xᵏ)‖ ≥ g(1 − δ/t) for every k.

In words: the server believes in messages that never came, in J directions that have nothing to do with f, and creeps.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from bounds.fed_alpha_normec import corollaries, schedules
from bounds.fed_alpha_normec.theorem1 import MAIN
from bounds.statement import Bound
from verify.claim import Values
from verify.computation import Comparison
from verify.fed_alpha_normec import conditions
from verify.fed_alpha_normec.letters import values

J, Z = 2 * 10**18, 7_348 * 10**9
"""Pairs of clients; half of the noise term is Z/31."""
NUMBERS = values(
    alpha="1e-8", beta=1, R=1, r="0.49999999", g=10**12, J=J, w=10**25, p="3843/3844",
    **{"N": 2 * (2 * J + 2) * 3843 * Z**2, "k_0": 10**9, "c": "0.9999", "H": 10_439 * 10**9, "D/(Nη)": "0.17495"},
)  # fmt: skip
"""H: not above √(g² + 2cNJμ₂).

1/(1 − p) is a square, for rational roots, and the least for which these bounds suffice: with h = H/g they ask for
1 > 6/(h + 1) + 2√(2(1 − p)(h² − 1)), up to small terms, best at h = 10.44."""


RATIO = 1 / (2 * (1 - NUMBERS["p"]))
"""B*/B: how many times smaller than the second moment B is there."""


def moments(a: Fraction, p: Fraction) -> tuple[Fraction, Fraction]:
    """E X² and E X⁴ of X = a(q − 1), where q = 1/p with probability p and 0 otherwise."""
    return a**2 * (1 - p) / p, a**4 * ((1 - p) + p * ((1 - p) / p) ** 4)


def still_on_the_slope(
    numbers: Values, eta: Fraction
) -> tuple[Fraction, Fraction, tuple[tuple[str, bool], ...]]:
    """D, the probability that x is on the slope after all rounds with steps η (at least), and the conditions; L = 1."""
    a, beta, R, r, g, J, p = (numbers[n] for n in ("alpha", "beta", "R", "r", "g", "J", "p"))
    N, early, kept, hypotenuse, share = (numbers[n] for n in ("N", "k_0", "c", "H", "D/(Nη)"))
    second, fourth = moments(2 * r / (2 * J + 2), p)
    rare = (2 + fourth / second**2 / early / 2) / (J * (1 - kept) ** 2)
    spare = share - early / N - 2 * g / (g + hypotenuse)
    met = (
        ("0 < p < 1, η < 1", 0 < p < 1 and eta < 1),
        ("the residual r of a pair is turned around", r - beta * r / (a + r) == -r),
        ("R is the largest residual", 0 < r <= R),
        ("J, M = 2J + 2 and the number N of rounds are whole", J.denominator == N.denominator == 1),
        ("1 ≤ k_0 ≤ N", 1 <= early <= N),
        ("0 < c < 1", 0 < kept < 1),
        (
            "H ≤ √(g² + 2cNJμ₂), μ₂ = (2r/M)²(1 − p)/p",
            0 < hypotenuse and hypotenuse**2 <= g**2 + 2 * kept * N * J * second,
        ),
        ("t = D/(Nη) − k_0/N − 2g/(g + H) > 0", spare > 0),
    )
    return share * N * eta, 1 - rare / spare, met


def creeps(bound: Bound) -> Callable[[Values], Comparison]:
    """The replay against Theorem 1 in one version: left side bounded below, right side exact."""

    def replay(numbers: Values) -> Comparison:
        a, beta, R, g, J, p, N = (numbers[n] for n in ("alpha", "beta", "R", "g", "J", "p", "N"))
        M, L, gamma = 2 * J + 2, Fraction(1), Fraction(1, 2)
        eta = gamma / 2 * beta * R / (a + R)
        D, surely, met = still_on_the_slope(numbers, eta)
        given = {
            "f_gap": g * D + g**2 / (2 * L), "K": N - 1, "eta": eta, "R": R, "beta": beta, "M": M, "p": p,
            "sigma": Fraction(0), "gamma": gamma, "T": 1, "L": L, "Delta": L * numbers["w"] ** 2, "alpha": a,
        }  # fmt: skip
        right = bound.value(**{name: given[name] for name in bound.parameters})
        if not isinstance(right, Fraction):
            raise TypeError("the right side is not rational: choose rounds that make the root exact")
        return Comparison(g * surely, "<=", right, (*conditions.met(bound, given), *met))

    return replay


ON_SCHEDULE = values(
    alpha="1e-8", beta=1, R=1, r="0.49999999", g=1000, p="899/900", J=899 * 10**6 - 1, w=10**12, kappa=1300, L=25,
    **{"N": 1300**6, "k_0": 10**9, "c": "0.99", "H": 1989, "D/(Nη)": "0.72"},
)  # fmt: skip
"""For Corollary 1's schedule with η = η₀/(K+1)^(5/6): M = 2 · 899 · 10⁶ makes √(2(1−p)²/(pM)) rational, and L² is below the
(α + D₁)/(2(α + R)) up to which that η satisfies Theorem 1."""


def creeps_on_schedule(numbers: Values) -> Comparison:
    """Corollary 1 in Section 4 with η at its limit, on L times the functions, with L times the memories, α and β."""
    L, kappa, g, J, N = (numbers[n] for n in ("L", "kappa", "g", "J", "N"))
    a, R, beta = (L * numbers[n] for n in ("alpha", "R", "beta"))
    D_1, D_2, spread = R * kappa, beta * kappa**4, L * numbers["w"] ** 2
    plan = schedules.corollary1_main(N - 1, L, D_1, D_2, a)
    gamma, eta = plan.gamma, plan.eta
    D, surely, met = still_on_the_slope(numbers, eta)
    right = corollaries.corollary1_main(
        L * (g * D + g**2 / 2), N - 1, L, D_1, D_2, a, 2 * J + 2, numbers["p"], Fraction(0)
    )
    chosen = (
        (
            "K + 1 = κ⁶, and the schedule is exact",
            N == kappa**6 and tuple(plan) == (1 / (2 * L), R, beta, eta),
        ),
        ("D₁, D₂ > 0", min(D_1, D_2) > 0),
        *conditions.met(
            MAIN,
            {
                "alpha": a,
                "beta": beta,
                "R": R,
                "gamma": gamma,
                "eta": eta,
                "K": N - 1,
                "L": L,
                "Delta": spread,
            },
        ),
    )
    return Comparison(L * g * surely, "<=", right, (*chosen, *met))
