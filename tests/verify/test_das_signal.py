"""The SNR of a round (DAS-S31-SNR): the repair's condition against the messages of the methods themselves."""

from __future__ import annotations

import numpy as np
from hypothesis import assume, given, strategies
from hypothesis.extra.numpy import arrays

from methods.operators import Clip, FixedNorm
from verify.catalogue import claim
from verify.dp_normfedavg.text import senders_signal
from verify.obligation import Settings
from verify.proof import Proof
from verify.prove import prove

UPDATES = arrays(np.float64, (4, 3), elements=strategies.floats(-4, 4, width=32))


def _signals(updates: np.ndarray, threshold: float) -> tuple[np.ndarray, np.ndarray]:
    """Σ clip(u_i, C) and Σ norm(u_i, C)."""
    return np.asarray(Clip(threshold)(updates)).sum(0), np.asarray(FixedNorm(threshold)(updates)).sum(0)


@given(UPDATES, strategies.floats(0.1, 4))
def test_where_no_short_update_points_against_the_sum_normalisation_has_no_smaller_signal(
    updates: np.ndarray, threshold: float
) -> None:
    lengths = np.linalg.norm(updates, axis=1)
    assume((lengths > 1e-3).all())
    clipped, normalised = _signals(updates, threshold)
    short = lengths < threshold
    while (against := short & (updates @ clipped < 0)).any():  # the sum grows each time, so that this ends
        updates = np.where(np.arange(4)[:, None] == np.flatnonzero(against)[0], -updates, updates)
        clipped, normalised = _signals(updates, threshold)
    assert np.linalg.norm(normalised) >= np.linalg.norm(clipped) * (1 - 1e-12)


def test_the_run_that_is_shown_has_a_short_update_that_points_against_the_sum() -> None:
    shown = claim("DAS-S31-SNR").against
    assert shown is not None
    v = {name: float(value) for name, value in shown.values.items()}
    updates = np.array([[v["w"] - v["centre_1"]], [v["w"] - v["centre_2"]]])
    clipped, normalised = _signals(updates, v["C"])
    assert (updates @ clipped)[np.linalg.norm(updates, axis=1) < v["C"]].min() < 0
    assert np.linalg.norm(normalised) < np.linalg.norm(clipped)


def test_the_condition_is_needed() -> None:
    """Each hypothesis of the repair, left out."""
    whole = senders_signal.PROOF
    for fact in whole.assumptions:
        rest = tuple(other for other in whole.assumptions if other is not fact)
        assert not prove(Proof(rest, whole.nodes), Settings(minimise=False), "dp-normfedavg").ok, fact.name
