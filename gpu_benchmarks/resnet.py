"""ResNet-20 for 32 × 32 images, as one flat vector of parameters and one function.

He et al., "Deep residual learning for image recognition" (2016), section 4.2: a 3 × 3 convolution, three
stages of `blocks` basic blocks with 16, 32 and 64 channels, global average pooling, one linear layer;
6·blocks + 2 layers. Where a stage halves the image and doubles the channels the shortcut has no parameters
(option A of the paper): every second pixel of every second row, channels padded with zeros, half before and
half after. Convolutions have no bias.
With 3 blocks a stage: 269,722 parameters.

The methods move a vector x of d numbers, so the network *is* a vector here: `Architecture.parameters` says
which slice is which array. How a layer treats a batch that belongs to several clients is the business of
`layers`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import torch
import torch.nn.functional as F
from torch import Tensor


class Layers(Protocol):
    """How convolution, batch normalisation and the linear layer are computed; see `layers`."""

    def convolution(self, x: Tensor, weight: Tensor, stride: int) -> Tensor: ...

    def normalisation(self, x: Tensor, weight: Tensor, bias: Tensor, index: int) -> Tensor: ...

    def linear(self, x: Tensor, weight: Tensor, bias: Tensor) -> Tensor: ...


@dataclass(frozen=True)
class Parameter:
    """One array of the network: `x[offset : offset + size].view(shape)`."""

    name: str
    shape: tuple[int, ...]
    offset: int

    @property
    def size(self) -> int:
        return math.prod(self.shape)


@dataclass(frozen=True)
class Architecture:
    """A residual network for CIFAR; the default is ResNet-20.

    blocks: basic blocks in each of the three stages (3: ResNet-20, 1: ResNet-8 for quick tests);
    width: channels of the first stage; classes: outputs.
    """

    blocks: int = 3
    width: int = 16
    classes: int = 10

    def __post_init__(self) -> None:
        for field, least in (("blocks", 1), ("width", 2), ("classes", 2)):
            value = getattr(self, field)
            if not isinstance(value, int) or value < least:
                raise ValueError(
                    f"{field} = {value!r} is not allowed: give a whole number of at least {least}"
                )
        if self.width % 2:
            raise ValueError(
                f"width = {self.width} is odd: the padded shortcut adds width/2 channels on each side"
            )

    @cached_property
    def stages(self) -> tuple[tuple[int, int, int], ...]:
        """(channels in, channels out, stride) of every basic block."""
        plan = []
        channels = self.width
        for stage in range(3):
            for block in range(self.blocks):
                out = self.width * 2**stage
                plan.append((channels, out, 2 if stage > 0 and block == 0 else 1))
                channels = out
        return tuple(plan)

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        shapes: list[tuple[str, tuple[int, ...]]] = [
            ("conv", (self.width, 3, 3, 3)),
            *_norm("norm", self.width),
        ]
        for number, (channels, out, _) in enumerate(self.stages):
            shapes += [(f"block{number}.conv1", (out, channels, 3, 3)), *_norm(f"block{number}.norm1", out)]
            shapes += [(f"block{number}.conv2", (out, out, 3, 3)), *_norm(f"block{number}.norm2", out)]
        shapes += [("linear.weight", (self.classes, 4 * self.width)), ("linear.bias", (self.classes,))]
        parameters, offset = [], 0
        for name, shape in shapes:
            parameters.append(Parameter(name, shape, offset))
            offset += math.prod(shape)
        return tuple(parameters)

    @property
    def dimension(self) -> int:
        """d, the length of x."""
        last = self.parameters[-1]
        return last.offset + last.size

    @cached_property
    def norm_channels(self) -> tuple[int, ...]:
        """Channels of each batch-normalisation layer in the order in which `forward` meets them."""
        return (self.width, *(out for _, out, _ in self.stages for _ in range(2)))

    @cached_property
    def multiplications(self) -> int:
        """Multiply-adds of one forward pass of one 32 × 32 image (convolutions and linear layer)."""
        side, total = 32, 32 * 32 * 27 * self.width
        for channels, out, stride in self.stages:
            side //= stride
            total += side * side * 9 * out * (channels + out)
        return total + 4 * self.width * self.classes

    def unflatten(self, x: Tensor) -> dict[str, Tensor]:
        """Views of x (..., d) by name, each of shape (..., *shape)."""
        if x.shape[-1] != self.dimension:
            raise ValueError(
                f"x has {x.shape[-1]} entries on its last axis; this network has d = {self.dimension}"
            )
        return {p.name: x[..., p.offset : p.offset + p.size].unflatten(-1, p.shape) for p in self.parameters}

    def flatten(self, arrays: Sequence[Tensor]) -> Tensor:
        """The inverse of `unflatten`: arrays (lead, *shape) in the order of `parameters` -> (lead, d)."""
        return torch.cat([array.flatten(1) for array in arrays], dim=1)

    def initial(self, seed: int, dtype: torch.dtype = torch.float32) -> Tensor:
        """x⁰ of shape (d,): Kaiming-normal convolutions and linear weight (fan in, gain √2), scale 1 and
        shift 0.

        The linear bias keeps PyTorch's default, uniform on ±1/√(fan in). Drawn on the CPU, so that every
        device starts from the same point.
        """
        generator = torch.Generator().manual_seed(seed)
        x = torch.zeros(self.dimension, dtype=torch.float64)
        for p in self.parameters:
            slot = x[p.offset : p.offset + p.size]
            if p.name.endswith((".weight", "conv", "conv1", "conv2")) and len(p.shape) > 1:
                fan_in = math.prod(p.shape[1:])
                slot.normal_(0.0, math.sqrt(2.0 / fan_in), generator=generator)
            elif p.name == "linear.bias":
                bound = 1 / math.sqrt(4 * self.width)
                slot.uniform_(-bound, bound, generator=generator)
            elif p.name.endswith(".scale"):
                slot.fill_(1.0)
        return x.to(dtype)

    def forward(self, parameters: Mapping[str, Tensor], images: Tensor, layers: Layers) -> Tensor:
        """Logits (N, classes) of images (N, 3, 32, 32); `parameters` as `layers` expects them."""

        def norm(x: Tensor, name: str, index: int) -> Tensor:
            return layers.normalisation(x, parameters[f"{name}.scale"], parameters[f"{name}.shift"], index)

        h = torch.relu(norm(layers.convolution(images, parameters["conv"], 1), "norm", 0))
        for number, (channels, out, stride) in enumerate(self.stages):
            name = f"block{number}"
            y = layers.convolution(h, parameters[f"{name}.conv1"], stride)
            y = torch.relu(norm(y, f"{name}.norm1", 2 * number + 1))
            y = norm(layers.convolution(y, parameters[f"{name}.conv2"], 1), f"{name}.norm2", 2 * number + 2)
            h = torch.relu(y + shortcut(h, out - channels, stride))
        return layers.linear(h.mean((2, 3)), parameters["linear.weight"], parameters["linear.bias"])


def shortcut(x: Tensor, more_channels: int, stride: int) -> Tensor:
    """Identity shortcut of option A: every `stride`-th pixel, the new channels zero, half on each side."""
    if more_channels == 0 and stride == 1:
        return x
    half = more_channels // 2
    # the mean of one pixel; a strided slice would hand its gradient back in another memory layout
    return F.pad(F.avg_pool2d(x, 1, stride), (0, 0, 0, 0, half, more_channels - half))


def _norm(name: str, channels: int) -> list[tuple[str, tuple[int, ...]]]:
    return [(f"{name}.scale", (channels,)), (f"{name}.shift", (channels,))]
