"""Appendix C of α-NormEC: how fast an EF21 memory approaches a fixed vector g⋆."""

from bounds.scalars import Scalar, maximum


def clipped_distance(r_0: Scalar, tau: Scalar, k: Scalar) -> Scalar:
    """max(0, ‖g⁰ − g⋆‖ − kτ): with clipping, after k steps."""
    return maximum(0 * r_0, r_0 - k * tau)


def normalised_distance(r_0: Scalar, alpha: Scalar, beta: Scalar, k: int) -> Scalar:
    """‖gᵏ − g⋆‖ by the product formula ∏ |1 − β/(α + ‖g⋆ − g^{l−1}‖)|, with step β."""
    r = r_0
    for _ in range(k):
        r = abs(1 - beta / (alpha + r)) * r
    return r


def normalised_distance_bound(r_0: Scalar, alpha: Scalar, beta: Scalar, k: Scalar) -> Scalar:
    """(1 − β/(α + r_0))ᵏ r_0 for β ≤ α: the linear rate that holds (ours)."""
    return (1 - beta / (alpha + r_0)) ** k * r_0
