"""The scale of the noise that the experiments of α-NormEC and Fed-α-NormEC print; nothing here says that it gives the privacy it is
printed for.

Training and verification take it from here. Floats need no package, for a rented machine has none of those that `bounds.scalars`
takes; arrays, integers and symbols are read by it.
"""

from __future__ import annotations

import math
from typing import Any


def experiment_scale(beta: Any, K: Any, epsilon: Any, delta: Any, p: Any = 1) -> Any:
    """p β √(K log(1/δ)) ε⁻¹: "the noise variance" of α-NormEC, 6.2 (p = 1), and of Fed-α-NormEC, Section 5,
    if its root covers the logarithm."""
    return p * beta * _sqrt(K * _log(1 / delta)) / epsilon


def experiment_scale_short_root(beta: Any, K: Any, epsilon: Any, delta: Any, p: Any = 1) -> Any:
    """p β √K log(1/δ) ε⁻¹: Fed-α-NormEC, Section 5, as the root is printed."""
    return p * beta * _sqrt(K) * _log(1 / delta) / epsilon


def _sqrt(x: Any) -> Any:
    if type(x) is float:
        return math.sqrt(x)
    from bounds import scalars

    return scalars.sqrt(x)


def _log(x: Any) -> Any:
    if type(x) is float:
        return math.log(x)
    from bounds import scalars

    return scalars.log(x)
