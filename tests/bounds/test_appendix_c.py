"""Appendix C's distance against the memory itself, moved by the operator of `methods`."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bounds.alpha_normec.appendix_c import clipped_distance
from methods.operators import Clip

STEPS = 12
ROUNDING = 1e-13  # of the start: twelve steps, each a few units in the last place
positive = st.floats(min_value=1e-2, max_value=1e2)
starts = st.lists(st.floats(min_value=-10, max_value=10), min_size=1, max_size=5).filter(
    lambda x: np.linalg.norm(x) > 1e-3
)


@given(tau=positive, start=starts)
def test_clipping_shortens_the_distance_by_tau_until_it_is_zero(tau: float, start: list[float]) -> None:
    left = np.array(start)  # g⋆ − gᵏ, and gᵏ⁺¹ = gᵏ + Clip_τ(g⋆ − gᵏ)
    found = [float(np.linalg.norm(left))]
    for _ in range(STEPS):
        left = left - Clip(tau)(left)
        found.append(float(np.linalg.norm(left)))
    expected = [clipped_distance(found[0], tau, k) for k in range(STEPS + 1)]
    assert found == pytest.approx(expected, abs=ROUNDING * (found[0] + tau))
