"""Gaussian noise, and what "variance σ²" can mean.

The scale of a noise is here always a standard deviation per coordinate. The papers print "zero mean and
σ²-variance" for a vector and leave open which of four things is meant; `READINGS` gives each a name and turns
it into ours.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from jaxtyping import Float

from methods import checks
from methods.arrays import Array, Parameter, lift

Reading = Literal[
    "std per coordinate", "variance per coordinate", "std of the vector", "variance of the vector"
]

READINGS: Mapping[str, Callable[[Parameter, int], Parameter]] = {
    "std per coordinate": lambda printed, d: printed,
    "variance per coordinate": lambda printed, d: printed**0.5,
    "std of the vector": lambda printed, d: printed / d**0.5,
    "variance of the vector": lambda printed, d: (printed / d) ** 0.5,
}
"""From a printed scale s and the dimension d to the standard deviation per coordinate of z ~ N(0, std² I_d):
    std per coordinate       z_j has standard deviation s
    variance per coordinate  E z_j² = s
    std of the vector        E‖z‖² = s²
    variance of the vector   E‖z‖² = s"""


def per_coordinate(printed: Parameter, d: int, reading: Reading) -> Parameter:
    """The standard deviation per coordinate that a printed scale stands for under a reading; see
    `READINGS`."""
    if reading not in READINGS:
        raise ValueError(
            f"reading of the noise {reading!r} is unknown; the readings are {', '.join(READINGS)}"
        )
    checks.non_negative("printed scale of the noise", printed)
    checks.whole("d", d)
    return READINGS[reading](printed, d)


@dataclass(frozen=True)
class Gaussian:
    """z ~ N(0, std² I_d), fresh in every round.

    std: standard deviation per coordinate, ≥ 0.
    place: "client": each client that sends adds its own to what it sends (Algorithm 1 of α-NormEC, of
    Fed-α-NormEC and of DP-NormFedAvg); "server": one is added to the aggregate (eq. (2) of α-NormEC).
    """

    std: Parameter
    place: Literal["client", "server"] = "client"

    def __post_init__(self) -> None:
        checks.non_negative("std of the noise", self.std)
        if self.place not in ("client", "server"):
            raise ValueError(f"place of the noise {self.place!r} must be 'client' or 'server'")

    def scaled(self, normals: Float[Array, "*#batch d"]) -> Float[Array, "*#batch d"]:
        """z from standard normal numbers, of which runs may share one draw."""
        return lift(self.std, normals) * normals
