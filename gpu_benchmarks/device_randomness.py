"""Random numbers of a run, drawn on its device."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class DeviceRandomness:
    """`methods.randomness.Randomness` from a generator on the device. Who owns it reseeds it before every iteration with a seed
    keyed by (seed, iteration), so that the round number needs no place inside a captured graph.
    """

    generator: torch.Generator

    def client_normals(self, round: int, runs: tuple[int, ...], clients: int, d: int, like: Tensor) -> Tensor:
        return torch.randn(
            (*runs, clients, d), generator=self.generator, dtype=like.dtype, device=like.device
        )

    def server_normals(self, round: int, runs: tuple[int, ...], d: int, like: Tensor) -> Tensor:
        return torch.randn((*runs, d), generator=self.generator, dtype=like.dtype, device=like.device)

    def uniforms(self, round: int, runs: tuple[int, ...], clients: int, like: Tensor) -> Tensor:
        return torch.rand((*runs, clients), generator=self.generator, dtype=like.dtype, device=like.device)
