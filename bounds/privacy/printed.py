"""The noise that the papers print, and what the theorem they quote asks for.

Each function is the formula as it stands in the paper; nothing here says that it gives the privacy it is
printed for. All take floats, arrays or symbols, but the moments accountant takes
floats.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from bounds.experiment_noise import experiment_scale, experiment_scale_short_root
from bounds.scalars import Scalar, log, sqrt

__all__ = [
    "MomentsAccountant",
    "alpha_normec_noise",
    "definition5_variance",
    "experiment_scale",
    "experiment_scale_short_root",
    "moments_accountant",
    "moments_accountant_reach",
    "theorem3_variance",
]


def alpha_normec_noise(c: Scalar, K: Scalar, epsilon: Scalar, delta: Scalar) -> Scalar:
    """α-NormEC, Section 5 and Corollary 2: σ_DP = O(√((K+1) log(1/δ)) ε⁻¹), with its constant c;
    Fed-α-NormEC prints p times as much."""
    return c * sqrt((K + 1) * log(1 / delta)) / epsilon


def theorem3_variance(q: Scalar, K: Scalar, C: Scalar, n: Scalar, epsilon: Scalar, delta: Scalar) -> Scalar:
    """DP-NormFedAvg, Theorem 3: σ² = q K C² log(1/δ)/(n² ε²); a client's noise is N(0, r σ² I)."""
    return q * K * C**2 * log(1 / delta) / (n**2 * epsilon**2)


def definition5_variance(Delta: Scalar, epsilon: Scalar, delta: Scalar) -> Scalar:
    """DP-NormFedAvg, Definition 5: 2 log(1.25/δ) Δ²/ε²."""
    return 2 * log(1.25 / delta) * Delta**2 / epsilon**2


@dataclass(frozen=True)
class MomentsAccountant:
    """Whether Abadi et al. (2016, Lemma 3 and the proof of Theorem 1) cover a subsampled Gaussian mechanism.

    sigma_at_least_1: the noise multiplier σ. sampling: q < 1/(16 σ). order: some integer moment λ with λ ≤ σ²
    ln(1/(q σ)) satisfies both K q² λ²/σ² ≤ λ ε/2 and exp(−λ ε/2) ≤ δ. The lemma's O(q³λ³/σ³) is left out,
    in the theorem's favour.
    """

    sigma_at_least_1: bool
    sampling: bool
    order: bool

    @property
    def applies(self) -> bool:
        return self.sigma_at_least_1 and self.sampling and self.order


def moments_accountant(q: float, sigma: float, K: int, epsilon: float, delta: float) -> MomentsAccountant:
    """Check the quoted theorem's conditions at one point; `sigma` is the noise in the sum over the norm
    bound."""
    needed = max(1, math.ceil(2 * math.log(1 / delta) / epsilon))
    small = q * sigma < 1
    allowed = sigma**2 * math.log(1 / (q * sigma)) if small else 0.0
    order = needed <= allowed and K * q**2 * needed / sigma**2 <= epsilon / 2
    return MomentsAccountant(sigma >= 1, q < 1 / (16 * sigma), order)


def moments_accountant_reach(q: float, K: int, delta: float) -> float | None:
    """The infimum of the ε for which some σ satisfies all conditions, or None; every larger ε is covered too.

    Both bounds on a moment, λ ≤ σ² ln(1/(q σ)) and 2 K q² λ/σ² ≤ ε, widen as σ rises to 1/(16 q): at that σ the least ε of a λ is
    max(2 ln(1/δ)/λ, 512 K q⁴ λ), least where the two cross. For q ≥ 1/16 there is no σ ≥ 1, whatever K, ε and δ are.
    """
    if q >= 1 / 16:
        return None
    log, widest = math.log(1 / delta), 1 / (16 * q)
    most = math.ceil(widest**2 * math.log(16)) - 1
    crossing = math.floor(math.sqrt(log / (256 * K)) / q**2)
    moments = (min(max(moment, 1), most) for moment in (crossing, crossing + 1))
    return min(max(2 * log / moment, 2 * K * q**2 * moment / widest**2) for moment in moments)
