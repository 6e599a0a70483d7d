"""Random numbers of a run, drawn on its device.

What they are keyed by. The owner (`gpu_benchmarks.engine`) reseeds the generator before every iteration, with the key of (seed of
the run, "round", iteration); an iteration is a round of the method, of which a printed round may have several. Nothing is global, and
no draw depends on an iteration before: a run that goes on from a checkpoint draws what it would have drawn. On a CPU, whose
generator keeps 32 bits of a seed, `batches.Keys` steps aside where two iterations of a run would have the same.

Where that is less than `methods.randomness.Keyed`, which gives each (seed, round, client) and each purpose a stream of its own.
Within an iteration one stream serves all draws, in the order in which `methods.algebra.step` asks: the noise of all clients as one
array, then who takes part, then the server's noise. So

- a client's numbers depend on its place among the clients, and may depend on how many they are and on d;
- who takes part depends on whether noise was drawn before: two methods with one seed share participants and noise only if they
  draw the same arrays;
- the numbers are those of the device's generator: a CPU's and a GPU's differ, and so may another version's of torch.

Why. A round captured as a CUDA graph repeats the arguments that it was captured with, so that no round number reaches it, but a
generator that is reseeded between replays can. `Keyed` computes on the host: its numbers would be copied over in every iteration.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class DeviceRandomness:
    """`methods.randomness.Randomness` from a generator that its owner reseeds by (seed, iteration). `round` is not looked at: it
    would be a constant of a captured graph.
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
