"""Appendix C of α-NormEC: how fast an EF21 memory with clipping approaches a fixed vector g⋆."""

from bounds.scalars import Scalar, maximum


def clipped_distance(r_0: Scalar, tau: Scalar, k: Scalar) -> Scalar:
    """max(0, ‖g⁰ − g⋆‖ − kτ): with clipping, after k steps."""
    return maximum(0 * r_0, r_0 - k * tau)
