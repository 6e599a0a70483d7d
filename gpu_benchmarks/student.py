"""Student's 95% interval of a mean over runs. No torch; scipy only where it is called, for a rented machine runs without."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

Interval = tuple[float, float]


def interval(mean: float, std: float, n: int) -> Interval | None:
    """Of n values with standard deviation `std`; None for fewer than two."""
    from scipy.special import stdtrit

    if n < 2:
        return None
    half = float(stdtrit(n - 1, 0.975)) * std / math.sqrt(n)
    return mean - half, mean + half


def of_values(values: Sequence[float]) -> Interval | None:
    """Of the mean of independent values; None for fewer than two."""
    if len(values) < 2:
        return None
    return interval(statistics.fmean(values), statistics.stdev(values), len(values))
