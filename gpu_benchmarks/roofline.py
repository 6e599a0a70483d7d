"""The least time that a round can take on a device: its operations and its bytes, each at the rate measured there."""

from __future__ import annotations

import time
from collections.abc import Callable

import torch

from gpu_benchmarks.device import arithmetic
from gpu_benchmarks.resnet import Architecture


def floor(net: Architecture, images: int, precision: str, device: torch.device) -> dict[str, float]:
    """The least seconds of a round, with what they come from.

    Operations: forward and backward pass, three times the forward. Bytes: every activation of a convolution
    is written once and read for its statistics, its normalisation (which writes again) and the next layer;
    backwards, each is read and its gradient written and read for normalisation, input and weights: 14 passes
    over the activations, at the rate of a copy larger than the caches.
    """
    operations = 6.0 * net.multiplications * images
    side, activations = 32, 32 * 32 * net.width
    for _, out, stride in net.stages:
        side //= stride
        activations += 2 * out * side * side
    size = {"bf16": 2, "float64": 8}.get(precision, 4)
    passes = 14.0 * activations * images * size
    with arithmetic(precision):
        rate, bandwidth = _rates(precision, device)
    return {
        "operations": operations,
        "bytes": passes,
        "measured_flop_per_second": rate,
        "measured_bytes_per_second": bandwidth,
        "seconds": max(operations / rate, passes / bandwidth),
    }


def _rates(precision: str, device: torch.device) -> tuple[float, float]:
    """(operations, bytes) a second: a square matrix product and a copy larger than the caches, best of
    five.
    """
    n, length = (8192, 1 << 28) if device.type == "cuda" else (1024, 1 << 25)
    dtype = {"bf16": torch.bfloat16, "float64": torch.float64}.get(precision, torch.float32)
    generator = torch.Generator(device).manual_seed(0)
    a = torch.randn(n, n, generator=generator, device=device, dtype=dtype)
    source = torch.zeros(length, device=device)
    target = torch.empty_like(source)

    def best(function: Callable[[], object]) -> float:
        times = []
        for _ in range(6):
            if device.type == "cuda":
                torch.cuda.synchronize(device)
            start = time.perf_counter()
            function()
            if device.type == "cuda":
                torch.cuda.synchronize(device)
            times.append(time.perf_counter() - start)
        return min(times[1:])

    return 2.0 * n**3 / best(lambda: a @ a), 8.0 * length / best(lambda: target.copy_(source))
