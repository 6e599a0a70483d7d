"""What participation that is drawn, and seen, does to the noise needed: no constant makes σ ∝ p enough, √p is the order.

Three proofs. `NO_CONSTANT`: a small p at ε = 3. Half of the time a client takes part J p times or more, and J p messages alone
leave δ > 1/3. J is free: it leaves room for the conditions of Abadi et al.'s Theorem 1, ε < c₁p²J, and of its proof,
1 ≤ σ < 1/(16p). `ENOUGH`: half of δ for more than m = K p + √(2K p(1−p) ln(2/δ)) + ⅔ ln(2/δ) participations, half for m Gaussian
releases; or the noise that is enough for all K of them; or any noise at all, where one participation has probability δ at most.
`ORDER`: at least ⌊Kp⌋ participations have probability 1/2, so that noise below s √(Kp)/μ* fails, μ* depending on ε and 2δ alone.
"""

from __future__ import annotations

import sympy

from verify.facts import definition, equal, hypothesis, letters, standard
from verify.obligation import obligation
from verify.privacy.arguments import (
    CLOSED_FORM,
    CURVE,
    DISTANCE,
    MILLS,
    PI,
    SENSITIVITY,
    K,
    L,
    c,
    delta_true,
    epsilon,
    mu,
    s,
    sigma,
)
from verify.proof import Proof

p, total = letters("p delta_all")

# No constant, for J rounds.
J, often, m, t, c_1 = letters("J delta_Jp m t c_1")
SOME_CONSTANT = hypothesis("c > 0, L = ln(1/δ) > 0", sympy.And(c > 0, L > 0))
RARE = hypothesis("0 < p ≤ s²/(2c² L)", sympy.And(p > 0, 2 * c**2 * L * p <= s**2))
ROUNDS = hypothesis("J p is a whole number ≥ 1, J = K + 1", J * p >= 1)
POINT = hypothesis("ε = 3", equal(epsilon, 3))
PRINTED_NOISE = definition(
    "σ = c p √(J L)/ε or c p √(J L/ε)",
    sympy.And(
        sigma > 0,
        sympy.Or(
            equal(sigma**2 * epsilon**2, c**2 * p**2 * J * L),
            equal(sigma**2 * epsilon, c**2 * p**2 * J * L),
        ),
    ),
)
ROOM = hypothesis(
    "J = tε/(c₁p²) with c₁ > 0, t > 1, tc²L ≥ c₁ε and 256tc²Lp² < c₁",
    sympy.And(
        c_1 > 0, t > 1, equal(J * c_1 * p**2, t * epsilon), t * c**2 * L >= c_1 * epsilon,
        256 * t * c**2 * L * p**2 < c_1,
    ),
)  # fmt: skip
COVERED = obligation(
    "ε < c₁p²J and 1 ≤ σ < 1/(16p) (Abadi et al. 2016, Theorem 1 and Lemma 3)",
    (SOME_CONSTANT, RARE, POINT, ROOM, PRINTED_NOISE),
    sympy.And(epsilon < c_1 * p**2 * J, sigma >= 1, 16 * p * sigma < 1),
)
SHIFT_OF_MANY = definition(
    "μ = s √(J p)/σ for J p messages", sympy.And(mu > 0, equal(mu**2 * sigma**2, s**2 * J * p))
)
LARGE_SHIFT = obligation(
    "J p messages shift by μ² ≥ 6 = 2 ε, whatever J is",
    (SOME_CONSTANT, DISTANCE, RARE, ROUNDS, POINT, PRINTED_NOISE, SHIFT_OF_MANY),
    mu**2 >= 2 * epsilon,
)
SHIFT_AT_POINT = definition("m = √(2 ε)", sympy.And(m > 0, equal(m**2, 2 * epsilon)))
AT_POINT = obligation(
    "δ(3; m) > 1/3", (POINT, SHIFT_AT_POINT, MILLS.at({mu: m}), PI, CURVE), delta_true > sympy.Rational(1, 3)
)
INCREASING = standard(
    "δ(ε; ·) increases: δ(ε; μ) ≥ δ(ε; √(2 ε)) if μ² ≥ 2 ε",
    sympy.Implies(mu**2 >= 2 * epsilon, often >= delta_true),
)
MEDIAN = standard(
    "a whole J p is a median of N: P(N ≥ J p) ≥ 1/2, hence δ(ε) ≥ δ(ε; μ)/2", total >= often / 2
)
EXCEEDED = obligation(
    "the true δ exceeds 1/6",
    (LARGE_SHIFT.conclusion, AT_POINT.conclusion, INCREASING, MEDIAN),
    total > sympy.Rational(1, 6),
)
NO_CONSTANT = Proof(
    (SOME_CONSTANT, DISTANCE, RARE, ROUNDS, POINT, ROOM), (COVERED, LARGE_SHIFT, AT_POINT, EXCEEDED)
)

# Enough: K rounds, N participations; the first noise is for m of them, the second for all K. `curve`, here and below, is δ(ε) of as
# many Gaussian releases as a proof looks at.
L2, half, late = letters("L_2 half tail")
rho, root, curve = letters("rho r gauss")
rho_K, root_K, curve_K = letters("rho_K r_K gauss_K")
DOMAIN = hypothesis(
    "K ≥ 1, 0 < p ≤ 1, ε > 0, L₂ = ln(2/δ) > 0, L = ln(1/δ) > 0",
    sympy.And(K >= 1, p > 0, p <= 1, epsilon > 0, L2 > 0, L > 0),
)
_SPREAD = 2 * K * p * (1 - p) * L2
COUNT = hypothesis(
    "m = K p + √(2 K p (1 − p) L₂) + ⅔ L₂",
    equal(m, K * p + sympy.sqrt(_SPREAD) + sympy.Rational(2, 3) * L2),
)
_FOR_M = sigma * epsilon * sympy.sqrt(2) >= s * sympy.sqrt(m) * (sympy.sqrt(L2) + sympy.sqrt(L2 + epsilon))
NOISE = hypothesis(
    f"σ ≥ s √(m/2) (√L₂ + √(L₂ + ε))/ε, or {CLOSED_FORM.name}, or K p ≤ δ",
    sympy.Or(_FOR_M, CLOSED_FORM.relation, K * p <= 2 * half),
)
NOISY = hypothesis("σ > 0", sigma > 0)
SOME = obligation("m > 0", (DOMAIN, COUNT), m > 0)

ZCDP_M = standard(
    "m Gaussian releases are ρ-zCDP with ρ = s² m/(2 σ²) (Bun and Steinke 2016)",
    equal(2 * rho * sigma**2, s**2 * m),
)
ROOT_M = definition("r = √ρ", sympy.And(root >= 0, equal(root**2, rho)))
_WITHIN_M = root**2 + 2 * root * sympy.sqrt(L2) <= epsilon
SPENT_M = obligation(
    "the first noise, given N ≤ m: ρ + 2 √(ρ L₂) ≤ ε, which is (ε, δ/2)-DP",
    (DOMAIN, SENSITIVITY, SOME.conclusion, ZCDP_M, ROOT_M, NOISY),
    sympy.Implies(_FOR_M, _WITHIN_M),
)
CONVERTED_M = standard(
    "Bun and Steinke 2016, Proposition 1.3: the curve at ε is at most δ/2 once ρ + 2 √(ρ L₂) ≤ ε",
    sympy.And(curve >= 0, sympy.Implies(_WITHIN_M, curve <= half)),
)
BERNSTEIN = standard(
    "Bernstein: P(N > K p + t) ≤ exp(−t²/(2 K p (1 − p) + ⅔ t)), which is at most δ/2 where t² ≥ L₂ (2 K p (1 − p) + ⅔ t)",
    sympy.And(
        late >= 0,
        sympy.Implies(
            sympy.And(m >= K * p, (m - K * p) ** 2 >= _SPREAD + sympy.Rational(2, 3) * L2 * (m - K * p)),
            late <= half,
        ),
    ),
)
FEW = obligation("P(N > m) ≤ δ/2", (DOMAIN, COUNT, BERNSTEIN), late <= half)
MIXTURE = standard("visible participation: δ(ε) ≤ P(N > m) + δ(ε | N ≤ m)", total <= late + curve)
FIRST_NOISE = obligation(
    "the first noise is enough",
    (DOMAIN, SOME.conclusion, SPENT_M.conclusion, FEW.conclusion, CONVERTED_M, MIXTURE),
    sympy.Implies(_FOR_M, total <= 2 * half),
)

ZCDP_K = standard(
    "K Gaussian releases are ρ_K-zCDP with ρ_K = s² K/(2 σ²) (Bun and Steinke 2016)",
    equal(2 * rho_K * sigma**2, s**2 * K),
)
ROOT_K = definition("r_K = √ρ_K", sympy.And(root_K >= 0, equal(root_K**2, rho_K)))
_WITHIN_K = root_K**2 + 2 * root_K * sympy.sqrt(L) <= epsilon
SPENT_K = obligation(
    "the second noise: ρ_K + 2 √(ρ_K L) ≤ ε, which is (ε, δ)-DP",
    (DOMAIN, SENSITIVITY, ZCDP_K, ROOT_K, NOISY),
    sympy.Implies(CLOSED_FORM.relation, _WITHIN_K),
)
CONVERTED_K = standard(
    "the same of the curve of all K releases, at most δ once ρ_K + 2 √(ρ_K L) ≤ ε",
    sympy.And(curve_K >= 0, sympy.Implies(_WITHIN_K, curve_K <= 2 * half)),
)
AT_MOST_K = standard("visible participation: nobody sends more than K messages", total <= curve_K)
SECOND_NOISE = obligation(
    "the second noise is enough",
    (DOMAIN, SPENT_K.conclusion, CONVERTED_K, AT_MOST_K),
    sympy.Implies(CLOSED_FORM.relation, total <= 2 * half),
)

SILENT = standard("visible participation: δ(ε) ≤ P(N ≥ 1) ≤ K p", total <= K * p)
PRIVATE = obligation(
    "δ(ε) ≤ δ",
    (DOMAIN, SOME.conclusion, NOISE, FIRST_NOISE.conclusion, SECOND_NOISE.conclusion, SILENT),
    total <= 2 * half,
)
ENOUGH = Proof(
    (DOMAIN, SENSITIVITY, COUNT, NOISY, NOISE),
    (SOME, SPENT_M, SPENT_K, FEW, FIRST_NOISE, SECOND_NOISE, PRIVATE),
)

# The order of the noise.
star, target = letters("mu_star delta")
WHOLE = hypothesis("K p is a whole number ≥ 1, σ > 0, μ* > 0", sympy.And(K * p >= 1, sigma > 0, star > 0))
TOO_SMALL = hypothesis(
    "σ < s √(K p)/μ*, where δ(ε; μ) > 2 δ for every μ > μ*", sigma * star < s * sympy.sqrt(K * p)
)
SHIFT_OF_KP = definition("μ = s √(K p)/σ", sympy.And(mu > 0, equal(mu * sigma, s * sympy.sqrt(K * p))))
BEYOND = obligation("μ > μ*", (WHOLE, SENSITIVITY, TOO_SMALL, SHIFT_OF_KP), mu > star)
CURVE_AT_STAR = standard(
    "δ(ε; μ) increases in μ, and equals 2 δ at μ*", sympy.Implies(mu > star, curve > 2 * target)
)
MEDIAN_KP = standard(
    "a whole K p is a median of N: P(N ≥ K p) ≥ 1/2, hence δ(ε) ≥ δ(ε; μ)/2", total >= curve / 2
)
FAILS = obligation("the true δ exceeds δ", (BEYOND.conclusion, CURVE_AT_STAR, MEDIAN_KP), total > target)
ORDER = Proof((WHOLE, SENSITIVITY, TOO_SMALL), (BEYOND, FAILS))
