"""Which images a client sees when, and how they become floats: everything on the device, nothing drawn in
Python.

A pass over the data is a *plan*: for every iteration the indices of the joint mini-batch, interleaved as
`layers` wants them (image b of client c at b·clients + c), and for every image its crop and flip. It is
drawn when the pass begins, keyed by (seed, pass), and copied into buffers that never move, so that a
captured CUDA graph can walk through it by itself.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

PAD = 4  # pixels on each side before cropping

PIXELS = {
    "imagenet": ((0.485, 0.456, 0.406), (0.229, 0.224, 0.225)),
    "cifar": ((0.4914, 0.4822, 0.4465), (0.2470, 0.2435, 0.2616)),
    "unit": ((0.0, 0.0, 0.0), (1.0, 1.0, 1.0)),
}
"""Means and standard deviations of red, green and blue in [0, 1], by reading."""


def key(seed: int, purpose: str, *counters: int) -> int:
    """A seed in [0, 2^63) for one purpose at one time, so that no draw depends on what was drawn before."""
    text = f"{seed}:{purpose}:{':'.join(map(str, counters))}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") >> 1


class Keys:
    """Keys of one purpose at the times 0, 1, 2, …, which a CPU's generator too takes for different ones: it keeps the low
    32 bits of a seed and no more. Where an earlier time has those of `key`, the next that are free are taken.
    """

    def __init__(self, seed: int, purpose: str) -> None:
        self.seed, self.purpose = seed, purpose
        self._keys: list[int] = []
        self._taken: set[int] = set()

    def __getitem__(self, time: int) -> int:
        while len(self._keys) <= time:
            found = key(self.seed, self.purpose, len(self._keys))
            while found % 2**32 in self._taken:
                found += 1
            self._taken.add(found % 2**32)
            self._keys.append(found)
        return self._keys[time]


@dataclass(frozen=True)
class Data:
    """A federated data set on one device. shards: (clients, images of each), indices into images."""

    images: Tensor  # (N, 3, 32, 32) uint8
    labels: Tensor  # (N,) int64
    shards: Tensor  # (clients, each) int64
    test_images: Tensor  # (M, 3, 32, 32) uint8
    test_labels: Tensor  # (M,) int64

    def to(self, device: torch.device) -> Data:
        return Data(*(getattr(self, name).to(device) for name in self.__dataclass_fields__))


@dataclass
class Plan:
    """The iterations of one pass that have the same size. Buffers are written in place, never replaced."""

    indices: Tensor  # (iterations, size · clients) int64
    moves: Tensor | None  # (iterations, size · clients, 3) int64: down, right in [0, 2·PAD], flip in {0, 1}
    position: Tensor  # (1,) int64: the next iteration

    @classmethod
    def empty(cls, iterations: int, images: int, augmented: bool, device: torch.device) -> Plan:
        moves = torch.zeros(iterations, images, 3, dtype=torch.int64, device=device) if augmented else None
        return cls(
            torch.zeros(iterations, images, dtype=torch.int64, device=device),
            moves,
            torch.zeros(1, dtype=torch.int64, device=device),
        )

    def take(self) -> tuple[Tensor, Tensor | None]:
        """Indices (images,) and moves (images, 3) of the next iteration; moves the position on."""
        indices = self.indices.index_select(0, self.position)[0]
        moves = None if self.moves is None else self.moves.index_select(0, self.position)[0]
        self.position += 1
        return indices, moves


def empty_plans(
    iteration_sizes: tuple[int, ...], clients: int, augmented: bool, device: torch.device
) -> dict[int, Plan]:
    """A plan for every size that occurs in a pass."""
    return {
        size: Plan.empty(iteration_sizes.count(size), size * clients, augmented, device)
        for size in dict.fromkeys(iteration_sizes)
    }


def fill(
    plans: dict[int, Plan],
    iteration_sizes: tuple[int, ...],
    shards: Tensor,
    seed: int,
    number: int,
    independent: bool,
    augmentation: str = "crop-and-flip",
) -> None:
    """Draw pass `number` into the plans; keyed by (seed, number), so any pass can be drawn at any time. What is drawn does not
    depend on the augmentation: what it leaves out stays where it is.
    """
    clients, each = shards.shape
    generator = torch.Generator(device=shards.device).manual_seed(key(seed, "pass", number))
    total = sum(iteration_sizes)
    if independent:
        order = torch.randint(each, (clients, total), generator=generator, device=shards.device)
    else:
        order = torch.rand(clients, each, generator=generator, device=shards.device).argsort(dim=1)
        order = order[:, torch.arange(total, device=shards.device) % each]
    mixed = shards.gather(1, order)
    start = 0
    for size, plan in plans.items():
        count = plan.indices.shape[0] * size
        part = mixed[:, start : start + count]  # equal sizes are consecutive in a pass
        plan.indices.copy_(part.T.reshape(-1, size * clients))
        if plan.moves is not None:
            low = torch.randint(
                2 * PAD + 1, plan.moves.shape, generator=generator, device=shards.device, dtype=torch.int64
            )
            flips = torch.randint(2, plan.moves.shape[:2], generator=generator, device=shards.device)
            plan.moves[..., :2].copy_(
                low[..., :2] if "crop" in augmentation else torch.full_like(low[..., :2], PAD)
            )
            plan.moves[..., 2].copy_(flips if "flip" in augmentation else torch.zeros_like(flips))
        plan.position.zero_()
        start += count


def augment(images: Tensor, moves: Tensor) -> Tensor:
    """Zero-pad by PAD, crop back to the old size at (down, right), flip where asked. images (N, C, H, W),
    moves (N, 3).
    """
    count, channels, height, width = images.shape
    padded = F.pad(images, (PAD, PAD, PAD, PAD))
    down, right, flip = moves.unbind(1)
    rows = down[:, None] + torch.arange(height, device=images.device)
    columns = torch.arange(width, device=images.device).expand(count, -1)
    columns = right[:, None] + torch.where(flip[:, None] == 1, width - 1 - columns, columns)
    image = torch.arange(count, device=images.device)[:, None, None, None]
    channel = torch.arange(channels, device=images.device)[None, :, None, None]
    return padded[image, channel, rows[:, None, :, None], columns[:, None, None, :]]


@dataclass(frozen=True)
class Pixels:
    """Bytes to floats: (v/255 − mean)/deviation, channel by channel."""

    scale: Tensor  # (3, 1, 1)
    shift: Tensor  # (3, 1, 1)

    @classmethod
    def reading(cls, name: str, dtype: torch.dtype, device: torch.device) -> Pixels:
        mean, deviation = (torch.tensor(v, dtype=torch.float64)[:, None, None] for v in PIXELS[name])
        return cls((1 / (255 * deviation)).to(device, dtype), (mean / deviation).to(device, dtype))

    def __call__(self, images: Tensor) -> Tensor:
        return images.to(self.scale.dtype) * self.scale - self.shift
