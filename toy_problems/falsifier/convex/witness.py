"""From a broken bound of DP-NormFedAvg to an exact witness: the same bound is searched again among the
instances that can be replayed exactly (K = 2, E = 1, one minimiser), and the best is rounded to rationals."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from toy_problems.falsifier.convex.candidates import ConvexLayout, decode_convex
from toy_problems.falsifier.convex.replay import REPLAYED, replay_convex
from toy_problems.falsifier.convex.search import convex_search
from toy_problems.falsifier.convex.targets import ConvexTarget
from toy_problems.falsifier.evolution import Found
from toy_problems.falsifier.exact import Verdict
from toy_problems.falsifier.rounding import NoWitness, Witness, coarsest, smallest

LAYOUTS = (ConvexLayout(2, 2, 1, "one by one"), ConvexLayout(3, 2, 1, "one by one"))


def convex_witness(
    target: ConvexTarget, instances: int = 20_000, seconds: float = 10.0, seed: int = 0
) -> tuple[dict[str, Any], Verdict]:
    """A witness and what its replay says. Raises `NoWitness` where none is found or none can be replayed."""
    if target.bound.name not in REPLAYED or "one by one" not in target.laws:
        raise NoWitness(f"{target.name}: no instance of it can be replayed exactly with its noise")
    found = convex_search(replace(target, common=True), instances, seconds, seed, LAYOUTS)
    return smallest(
        found,
        lambda one: coarsest(
            partial(_write, target, one), lambda written: replay_convex(written, target.bound)
        ),
    )


def _write(target: ConvexTarget, found: Found, denominator: int) -> Witness:
    layout = found.layout
    primary = decode_convex(found.genome[None], layout, common=True)

    def positive(value: float, most: Fraction | None = None) -> Fraction:
        rounded = max(Fraction(float(value)).limit_denominator(denominator), Fraction(1, denominator))
        return rounded if most is None else min(rounded, most)

    f, K = primary.functions, Fraction(layout.K)
    slopes = [positive(s) for s in f.slope[0]]
    C_hat = max(slopes) * (1 + Fraction(float(primary.threshold[0])).limit_denominator(denominator))
    alpha, r = max(positive(primary.alpha[0]), Fraction(1)), positive(primary.r[0], Fraction(layout.clients))
    below_one = 1 - Fraction(1, 10**6)
    if target.choices == "first part":
        eta = positive(primary.step[0], below_one) / 2
        rho = positive(primary.rho[0], below_one)
        gamma = eta * C_hat * K * rho
    else:
        rho = min(positive(primary.step[0], Fraction(1)) * alpha / 2, below_one)
        eta = rho / (2 * alpha)
        gamma = K * C_hat * rho**2 / (2 * alpha)
    # With L = 1, lengths and gradients share their unit: the witness is written with Ĉ = 1.
    values = {"L": Fraction(1), "C_hat": Fraction(1), "alpha": alpha, "rho": rho, "gamma": gamma / C_hat,
              "eta": eta, "r": r}  # fmt: skip
    start = Fraction(float(primary.start[0])).limit_denominator(denominator)
    return {
        "claim": target.bound.name,
        "quantity": target.bound.quantity,
        "values": {name: str(value) for name, value in values.items()},
        "start": str(start / C_hat),
        "clients": [
            [str(positive(a, Fraction(1))), str(s / C_hat), "0"]
            for a, s in zip(f.curvature[0], slopes, strict=True)
        ],
    }
