"""Example 1 of α-NormEC, shown: who stalls at x⁰ = 2, where, and why.

With f₁ = ½(x − 3)², f₂ = ½(x + 3)² and a start in [0, 3] the update is a multiple of φ(x + 3) − φ(3 − x), φ
the operator on [0, ∞).

* α = 0: φ = 1 on (0, ∞), so every point of (−3, 3) is stationary; the example's 2 is one of them.
* clipping: φ(t) = min(t, τ). For τ ≤ 3 the stationary points are |x| ≤ 3 − τ, for τ ≥ 3 only 0. At x⁰ = 2 it
  stalls exactly when τ ≤ 1; for 1 < τ < 3 it moves and ends at 3 − τ, which is not the minimiser either.
* smoothed normalisation, α > 0: φ(t) = t/(α + t) increases strictly, so 0 is the only stationary point: it
  does not stall. Its speed at x = 2 is proportional to 2α/((α + 1)(α + 5)), so a small α makes it slow.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from methods.published import alpha_normec, dp_sgd_clip, dp_sgd_smoothed
from toy_problems.problem import Array
from toy_problems.quadratics import example1
from toy_problems.runner import run

TAU = (0.25, 0.5, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 8.0)
ALPHA = (0.0, 0.01, 0.1, 0.3, 1.0, 3.0, 10.0)
X0 = 2.0
STEP = 0.2
"""γ of DP-SGD, below 1/L: an increasing φ with slope at most 1 then moves monotonically."""


@dataclass(frozen=True)
class Ending:
    """A run of DP-SGD without noise from x⁰ = 2: the parameter (τ or α), how far the first step moved, the
    last x, and the stationary point that the analysis in this module's docstring predicts."""

    operator: str
    parameter: float
    first_step: float
    last_x: float
    predicted: float

    @property
    def stalls(self) -> bool:
        """Whether the very first step moves nowhere."""
        return self.first_step == 0.0


@dataclass(frozen=True)
class Curve:
    """xᵏ, k = 0, …, of one method."""

    label: str
    x: tuple[float, ...]


@dataclass(frozen=True)
class Story:
    """Example 1: curves for the figure, endings for the table."""

    x0: float
    minimiser: float
    rounds: int
    curves: tuple[Curve, ...]
    clipping: tuple[Ending, ...]
    smoothed: tuple[Ending, ...]


def _path(method, rounds: int) -> Array:
    """xᵏ for k = 0, …, rounds; shape `(parameters, rounds + 1)`."""
    found = run(example1(), method, np.array([X0]), rounds, keep=("x",))
    return np.concatenate([found["x"][..., 0], found.x], axis=-1)


def story(shown: int = 80, rounds: int = 2000) -> Story:
    """Run everything; deterministic. shown: rounds of the curves. rounds: rounds of the endings."""
    clip = _path(dp_sgd_clip(STEP, np.array(TAU)), rounds)
    smooth = _path(dp_sgd_smoothed(STEP, np.array(ALPHA)), rounds)
    ours = _path(alpha_normec(np.array([0.05]), 0.5, 1.0), rounds)
    curves = (
        Curve("DP-SGD, normalised (α = 0)", _shorten(smooth[0], shown)),
        *(
            Curve(f"DP-SGD, clipped (τ = {tau:g})", _shorten(clip[TAU.index(tau)], shown))
            for tau in (1.0, 2.0)
        ),
        Curve("DP-SGD, smoothed (α = 1)", _shorten(smooth[ALPHA.index(1.0)], shown)),
        Curve("α-NormEC (α = 1, β = 0.5, γ = 0.05)", _shorten(ours[0], shown)),
    )
    return Story(
        X0,
        float(example1().constants.minimiser[0]),
        rounds,
        curves,
        tuple(
            _ending("clipping", tau, path, min(X0, max(0.0, 3 - tau)))
            for tau, path in zip(TAU, clip, strict=True)
        ),
        tuple(
            _ending("smoothed normalisation", alpha, path, X0 if alpha == 0 else 0.0)
            for alpha, path in zip(ALPHA, smooth, strict=True)
        ),
    )


def _shorten(path: Array, shown: int) -> tuple[float, ...]:
    return tuple(path[: shown + 1].tolist())


def _ending(operator: str, parameter: float, path: Array, predicted: float) -> Ending:
    return Ending(operator, parameter, float(path[1] - path[0]), float(path[-1]), predicted)
