"""The start of DP-NormFedAvg's Appendix F, w₀ = w* + z, which is made from all clients' data.

A client that is replaced moves w*, hence w₀ and with it the updates of all clients: a sum moves by nearly 2nC where the noise of
Theorem 3 covers 2C.
"""

from __future__ import annotations

from fractions import Fraction

from verify.claim import Claim, Repair, Values, Witness
from verify.computation import Comparison
from verify.privacy.alpha_normec import domains
from verify.privacy.mechanisms import least_certain, log_inverse
from verify.privacy.normfed_experiments import PAPER, SYNTHETIC, WITHOUT_DATA, private_from
from verify.privacy.rigorous import number

F = Fraction


def _clipped_sum(v: Values, far: Fraction, z: Fraction) -> Fraction:
    """(1/C) Σ clip(u_i, C) of the first round along e: f_i = (a/2)(w − c_i)², c_1 = far and c_i = 0 for the others, from the mean of
    the centres and z; E steps of gradient descent make u_i = (w₀ − c_i)(1 − (1 − aη)^E)/η."""
    n, stretch = v["n"], (1 - (1 - v["a"] * v["eta"]) ** int(v["E"])) / v["eta"]
    start = far / n + z
    updates = [((start - far) * stretch, 1), (start * stretch, n - 1)]
    return sum((max(-v["C"], min(v["C"], u)) / v["C"] * count for u, count in updates), F(0))


def _from_the_minimiser(v: Values) -> Comparison:
    """δ of the first sum alone, ±tC with noise of the variance qKC²ln(1/δ)/ε², as of ±1 with 1/t of the noise; all z in [0, 1] give
    the same sums, as u is monotone."""
    ends = [{_clipped_sum(v, sign * v["far"], z) for z in (F(0), F(1))} for sign in (1, -1)]
    one, other = (found.pop() if len(found) == 1 else F(0) for found in ends)
    variance = number(v["q"] * v["releases"] / v["epsilon"] ** 2) * log_inverse(v["delta"])
    met = (
        *domains(v),
        (
            "q ≥ 6.96, n = r: private where w₀ does not depend on the data",
            v["q"] >= F(696, 100) and v["n"] == v["r"],
        ),
        ("0 < ηa < 1, C > 0", 0 < v["eta"] * v["a"] < 1 and v["C"] > 0),
        ("the first sums are ±tC for every z in [0, 1]", one == -other == v["t"]),
    )
    had = least_certain(v["epsilon"], 1, variance / number(v["t"] ** 2), 2)
    return Comparison(had, "<=", v["delta"], met)


CLAIMS = (
    Claim(
        "DAS-EXP-DP@start",
        PAPER,
        "Appendix F, with the start that it prints",
        "privacy",
        f"{SYNTHETIC} We consider two different initializations with different distances from the global optimum w* – (i) I1: "
        "w₀ = w* + z, and (ii) I2: w₀ = w* + z/5 […] [as DAS-EXP-DP, at the q = 6.96 that is enough there]",
        "w* is the minimiser of all clients' data: a client that is replaced moves w₀, and with it the updates of all the others, "
        "where the noise covers one. The first sum alone has δ(5) > 0.8, whoever sees only sums.",
        witness=Witness(
            {
                "q": F(696, 100), "n": F(100), "r": F(100), "releases": F(500), "E": F(20), "epsilon": F(5),
                "delta": F(1, 10**6), "s": F(2),
                "eta": F(3, 1000), "C": F(50), "a": F(4), "far": F(10**6), "t": F(98),
            },
            "the true δ of the first sum at ε = 5 is at most 1e-6",
            _from_the_minimiser,
            "Option (i), η = 0.003, C = 50, f_i = 2w² in one direction for 99 clients, f_1 = 2(w ∓ 10⁶)² on the two neighbours, so "
            "that w* = ±10⁴ and all of the 99 send ±C; the same with z/5 for z",
        ),
        repair=Repair(
            f"q ≥ 6.96 (replace-one) where {WITHOUT_DATA}",
            f"{WITHOUT_DATA}; q ≥ 6.96",
            private_from(2),
            "to a hundredth: q = 6.95 is not enough (DAS-EXP-DP)",
        ),
        consequence="start from a w₀ that is chosen without the data",
    ),
)  # fmt: skip
