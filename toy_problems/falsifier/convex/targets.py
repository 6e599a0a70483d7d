"""DP-NormFedAvg's bounds as targets: which law of draws they are about, how genes become their letters, and
what is measured.

The noise of Theorem 3 is left out of the runs and kept in the bounds. A bound that is proved holds all the
more; where one breaks, `witness` shows exactly that the printed noise does not rescue it. Candidates
with a client whose update is 0, where norm(0, C) is not defined in print, are outside.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from bounds.dp_normfedavg import repaired, theorem4, theorem6, theorem7
from bounds.dp_normfedavg.symbols import SYMBOLS
from bounds.statement import Bound, Source
from methods import Method, published
from methods.participation import FixedSize
from toy_problems.falsifier.convex.candidates import ROUNDED, ConvexLayout, ConvexPrimary, Law
from toy_problems.falsifier.evolution import Array

Choices = Literal["theorem 4", "second part", "first part", "ours"]
"""Whose η, γ, C: Theorem 4's; those of the second and of the first parts of Theorems 6 and 7; ours."""

Letters = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Trace:
    """What runs showed. chance (runs, paths); per path, round and client: size = ‖u_i‖ and gap = f_i(w_k) −
    f_i(w*). Delta (runs, clients). mean() is E over draws and k̃ of the clients' mean."""

    chance: Array
    size: Array
    gap: Array
    Delta: Array

    def mean(self, quantity: Array) -> Array:
        """E over paths and rounds of the mean over clients: (runs, paths, rounds, clients) ↦ (runs,)."""
        return (self.chance * quantity.mean(axis=(2, 3))).sum(axis=1)


@dataclass(frozen=True)
class ConvexTarget:
    """A bound to be attacked under the laws of draws that it is claimed for. common: one minimiser for all
    f_i, and no client so steep that its update is cut."""

    name: str
    bound: Bound
    choices: Choices
    operator: Literal["clip", "norm"]
    measured: Callable[[Trace, Letters], Array]
    laws: tuple[Law, ...] = ("one by one", "all")
    common: bool = False

    def method(self, layout: ConvexLayout, eta: Array, C: Array, r: Array) -> Method:
        """Algorithm 1 without noise."""
        make = published.dp_fedavg_clip if self.operator == "clip" else published.dp_normfedavg
        if layout.law == "one by one":
            return make(eta, eta, C, layout.E, 0.0, r)
        method = make(eta, eta, C, layout.E, 0.0)
        return method if layout.law == "all" else replace(method, participation=FixedSize(1))


def letters_of_convex(
    target: ConvexTarget, primary: ConvexPrimary, layout: ConvexLayout, Delta: Array
) -> Letters:
    """The values of the bound's letters that do not depend on the run: L = 1. Delta: Δ_i*, (runs, clients)."""
    n, K, E = layout.clients, layout.K, layout.E
    own = primary.functions.slope.max(axis=1)
    least = own if target.common or target.choices in ("theorem 4", "ours") else np.maximum(
        4 * np.sqrt(Delta.max(axis=1)) * (1 + 1e-12), own * 1e-3
    )  # fmt: skip
    C_hat, alpha, rho = least * (1 + primary.threshold), primary.alpha, primary.rho
    if target.choices in ("theorem 4", "second part"):
        rho = ROUNDED * primary.step * np.minimum(alpha / (2 * E), 1.0)
        eta = rho / (2 * alpha)
        gamma = K * C_hat * E * rho**2 / (2 * alpha)
    else:
        eta = primary.step / E if target.choices == "ours" else ROUNDED * primary.step / 2
        gamma = eta * C_hat * E * K * rho
    excess: Array = np.zeros(len(own))  # of everybody, as of the one client of n = 1, there is none
    if layout.law == "one by one":
        excess = repaired.excess_one_by_one(n, primary.r)
    elif layout.law == "fixed size" and n > 1:
        excess = repaired.excess_fixed_size(n, primary.r)
    return {
        "n": n, "r": primary.r, "E": E, "K": K, "L": 1.0, "G": C_hat, "C_hat": C_hat, "C": C_hat * E, "eta": eta,
        "alpha": alpha, "rho": rho, "gamma": gamma, "distance": np.abs(primary.start), "excess": excess,
        "Delta": Delta.mean(axis=1), "Delta_max": Delta.max(axis=1),
    }  # fmt: skip


def _suboptimality(trace: Trace, letters: Letters) -> Array:
    return trace.mean(trace.gap)


def _four_a(trace: Trace, letters: Letters) -> Array:
    return theorem4.factor_a(letters["rho"], letters["E"], letters["alpha"]) * trace.mean(trace.gap)


def _weights(trace: Trace, letters: Letters) -> Array:
    return letters["C"][:, None, None, None] / trace.size


def _weighted(trace: Trace, letters: Letters) -> Array:
    return trace.mean(_weights(trace, letters) * trace.gap)


def _four_b(trace: Trace, letters: Letters) -> Array:
    factor = theorem4.factor_b(letters["rho"], letters["E"], letters["alpha"])
    return factor * _weighted(trace, letters)


def _cases(trace: Trace, letters: Letters, kept_value: Array) -> Array:
    """E mean {1(‖u_i‖ ≤ ĈE) · kept_value + 1(‖u_i‖ > ĈE) 3Ĉ‖u_i‖/(8LE)}."""
    C, E = letters["C"][:, None, None, None], letters["E"]
    return trace.mean(np.where(trace.size <= C, kept_value, 3 * C / E * trace.size / (8 * E)))


def _six(trace: Trace, letters: Letters) -> Array:
    x = (2 * letters["eta"] * letters["E"])[:, None, None, None]
    return _cases(trace, letters, (2 - x - x * x) * trace.gap)


def _seven(trace: Trace, letters: Letters) -> Array:
    x = (2 * letters["eta"] * letters["E"])[:, None, None, None]
    return _cases(trace, letters, (2 - x * x) * _weights(trace, letters) * trace.gap)


def observed(target: ConvexTarget, trace: Trace, letters: Letters) -> Mapping[str, Array]:
    """The letters of a bound that are means over the run."""
    kept = trace.size <= letters["C"][:, None, None, None]
    Delta = trace.Delta[:, None, None, :]
    among = np.ones_like(kept) if target.choices == "theorem 4" else kept
    found = {"Delta_kept": trace.mean(kept * Delta), "share_kept": trace.mean(kept.astype(float))}
    if target.operator == "norm":
        found["z_Delta"] = trace.mean(among * _weights(trace, letters) * Delta)
    return found


THEOREM4B_SAMPLING = Bound(
    name="DAS-T4b with c",
    source=Source("ours", "Theorem 4 (b) with (1 + c) G²/(2L)", "clients drawn one by one"),
    quantity=theorem4.THEOREM4B.quantity,
    typeset="A + E/alpha ((1 + c) G^2/(2 L) + EE[1/n sum_i z_i Delta_i^*] (rho E)/alpha) rho",
    formula=repaired.theorem4b_repaired,
    symbols=SYMBOLS,
    conditions=theorem4.THEOREM4B.conditions,
)

_FIXED: tuple[Law, ...] = ("fixed size", "all")
_ALL = (
    ConvexTarget("DAS-T4a", theorem4.THEOREM4A, "theorem 4", "clip", _four_a),
    ConvexTarget("DAS-T4b", theorem4.THEOREM4B, "theorem 4", "norm", _four_b),
    ConvexTarget("DAS-T4b@fixed-size", theorem4.THEOREM4B, "theorem 4", "norm", _four_b, _FIXED),
    ConvexTarget("DAS-T4b with c", THEOREM4B_SAMPLING, "theorem 4", "norm", _four_b),
    ConvexTarget("DAS-T6", theorem6.THEOREM6, "first part", "clip", _six),
    ConvexTarget("DAS-T6@specific", theorem6.THEOREM6_SPECIFIC, "second part", "clip", _six),
    ConvexTarget("DAS-T7", theorem7.THEOREM7, "first part", "norm", _seven),
    ConvexTarget("DAS-T7@specific", theorem7.THEOREM7_SPECIFIC, "second part", "norm", _seven),
    ConvexTarget("DAS-OURS-CLIP", repaired.CLIPPING, "ours", "clip", _suboptimality),
    ConvexTarget("DAS-OURS-NORM", repaired.NORMALISING, "ours", "norm", _suboptimality, common=True),
    ConvexTarget("DAS-OURS-FREE", repaired.WEIGHTED, "ours", "norm", _weighted),
)
CONVEX: Mapping[str, ConvexTarget] = {target.name: target for target in _ALL}
"""DP-NormFedAvg's bounds, printed and repaired."""
