"""Several local steps, β < 2α: Fed-α-NormEC forgets its memories as it does with one (`contracted`).

In a round P_i moves by at most 2Lη ≤ θR; what the potential (1 − θ)r pays for joins f, as in `forgets_several`.
"""

from __future__ import annotations

from dataclasses import replace

import sympy

from bounds.fed_alpha_normec import contracted as bounds
from bounds.statement import Bound
from verify.facts import hypothesis
from verify.fed_alpha_normec.lemmas import bias as bi
from verify.fed_alpha_normec.lemmas import local_gradient as gd
from verify.fed_alpha_normec.letters import (
    ALPHA,
    BETA,
    RADIUS,
    SMOOTH,
    Delta,
    Delta_local,
    F,
    K,
    L,
    M,
    R,
    V,
    alpha,
    beta,
    claim,
    eta,
    gamma,
    p,
)
from verify.fed_alpha_normec.ours import contracted as co
from verify.fed_alpha_normec.ours import forgets_several as fs
from verify.fed_alpha_normec.ours import rounds as ro
from verify.obligation import obligation
from verify.proof import Node, Proof

theta = co.theta
KEPT_STEP = hypothesis(
    bounds.KEPT_SEVERAL.printed,
    bounds.KEPT_SEVERAL.relation({"alpha": alpha, "beta": beta, "R": R, "L": L, "eta": eta}),
)
LESSENS = obligation("0 < θ < 1", (ALPHA, BETA, co.BELOW_TWICE, RADIUS, co.THETA), (theta > 0) & (theta < 1))
SMALL_MOVE = obligation(
    "a = 2Lη ≤ θR", (ALPHA, BETA, SMOOTH, RADIUS, KEPT_STEP, co.THETA), 2 * L * eta <= theta * R
)
KEPT = co.kept("‖P_i(xᵏ) − v_iᵏ‖ ≤ R for all k", (LESSENS.conclusion, fs.MOVES, SMALL_MOVE.conclusion))
FALL = co.fall(KEPT)
MEMORY = fs.Memory(
    replace(
        co.SHRINKING,
        charge=(1 - theta) * 2 * L * eta,
        sizes=(LESSENS.conclusion,),
        positive=LESSENS.conclusion,
        grows=(LESSENS.conclusion,),
    ),
    (LESSENS, co.CONTRACTED, SMALL_MOVE, KEPT, FALL),
    (co.BELOW_TWICE, KEPT_STEP),
    2 * eta * (1 - theta) * R / theta,
)


def _proof(
    bound: Bound, near, biased: tuple[Node, ...], constant: sympy.Expr, spread: sympy.Expr, least, *steps
) -> Proof:
    """`forgets_several.proof` in the letter θ, and then θ as it is."""
    start, rest = bounds.without_drift(theta, F, K, eta, R, beta, M, p, V, L)
    value = rest + constant * L * gamma * sympy.sqrt(2 * L * (start + spread))
    found = fs.proof(near, biased, constant, spread, least, value, *steps, memory=MEMORY)
    stated = obligation(
        "θ is what it is",
        (found.nodes[-1].conclusion, co.THETA, LESSENS.conclusion, ALPHA, RADIUS),
        ro.low <= ro.right_side(bound),
    )
    return replace(found, nodes=(*found.nodes, stated))


_IF = "If β < 2α, η ≤ θR/(2L), θ = min(β/(α+R), 2 − β/α), and γ ≤ 1/(2L), for any R ≥ max_i ‖(x⁰ − T_i(x⁰))/γ − v_i⁰‖, then "
CLAIMS = (
    claim(
        "FED-R2-CONTRACTS",
        "ours, Theorem 1 for several local gradient steps from any memories, β < 2α",
        "ours",
        f"{_IF}min_k E‖∇f(xᵏ)‖ ≤ f⁰/((K+1)η) + 4(1 − θ)Lη/θ + √(2β²(K+2)(1−p+V)/(pM)) + "
        "Lγ√(2L(f⁰ + Δ^inf)) + Lη/2, f⁰ = f(x⁰) − f^inf + 2η(1 − θ)R/θ, V = E‖z‖²",
        "With f, the potential (1 − θ)r of the residuals (FED-R1-CONTRACTS) falls up to the drift of the local steps, and Lemma 5 "
        "applies to their sum, as in FED-R2-FORGETS.",
        proof=_proof(
            bounds.LOCAL_GRADIENT_CONTRACTS, fs.NEAR_GD, fs.FROM_GD, sympy.Integer(1), Delta, fs.LEAST_GD
        ),
    ),
    claim(
        "FED-R3-CONTRACTS",
        "ours, Theorem 2 from any memories, β < 2α",
        "ours",
        "As FED-R2-CONTRACTS with the drift "
        "2Lγ√(2L(f⁰ + Δ^inf + (1/M)ΣΔ_i^inf)), Δ_i^inf = f_i^inf − (1/N)Σ f_{i,j}^inf",
        "Incremental gradient, one pass, every f_{i,j} L-smooth.",
        proof=_proof(
            bounds.INCREMENTAL_GRADIENT_CONTRACTS, fs.NEAR_IG, fs.FROM_IG, sympy.Integer(2), Delta + Delta_local, fs.LEAST_IG,
            bi.incremental(gd.ITEM24),
        ),
    ),
)  # fmt: skip
