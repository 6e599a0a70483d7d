"""Which weight-gradient rule is fastest for each convolution, measured on the device at hand.

The rules agree up to rounding, so this changes no result beyond that; but a run that must be repeated to
the last bit must keep its rules, which is why CPUs take the fixed default and records name what was used.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from functools import partial

import torch

from gpu_benchmarks.cuda_graphs import captured
from gpu_benchmarks.device import arithmetic
from gpu_benchmarks.gradients import Rules
from gpu_benchmarks.layers import WEIGHT_GRADIENTS
from gpu_benchmarks.resnet import Architecture
from gpu_benchmarks.selfcheck import Sound

Times = Mapping[tuple[int, int, int], Mapping[str, float]]
REPLAYS = 10  # timed as one


def shapes(net: Architecture) -> dict[tuple[int, int, int], int]:
    """(in, out, stride) of every convolution, with the side of its input."""
    found, side = {(3, net.width, 1): 32}, 32
    for channels, out, stride in net.stages:
        found[channels, out, stride] = side
        side //= stride
        found[out, out, 1] = side
    return found


def measure(
    net: Architecture,
    clients: int,
    batch: int,
    precision: str,
    device: torch.device,
    sound: Sound | None = None,
    repeats: int = 5,
    seconds: float = 20.0,
) -> Times:
    """Median seconds of each rule for each convolution; a rule that the device refuses, or that is not `sound`, is left
    out, and so is what `seconds` do not suffice for.
    """
    sound = sound or Sound(tuple(WEIGHT_GRADIENTS), graphs=True)
    end = time.perf_counter() + seconds
    dtype = {"float64": torch.float64, "bf16": torch.bfloat16}.get(precision, torch.float32)
    generator = torch.Generator(device).manual_seed(0)
    times: dict[tuple[int, int, int], dict[str, float]] = {}

    def random(*shape: int) -> torch.Tensor:
        return torch.randn(shape, generator=generator, device=device, dtype=dtype)

    with arithmetic(precision):
        for (channels, out, stride), side in shapes(net).items():
            x = random(batch * clients, channels, side, side)
            grad = random(batch * clients, out, side // stride, side // stride)
            w = random(out, channels, 3, 3)
            times[channels, out, stride] = {}
            for name in sound.rules:
                if time.perf_counter() > end:
                    continue
                call = partial(WEIGHT_GRADIENTS[name], grad, x, w, stride, clients)
                try:
                    taken = _seconds(call, device, sound.graphs, repeats)
                except RuntimeError:
                    continue
                times[channels, out, stride][name] = statistics.median(taken)
    return times


def fastest(times: Times) -> Rules:
    """The default where nothing was measured."""
    return Rules({shape: min(found, key=lambda r: found[r]) for shape, found in times.items() if found})


def rules_for(
    net: Architecture,
    clients: int,
    batch: int,
    precision: str,
    device: torch.device,
    sound: Sound | None = None,
) -> Rules:
    """The fixed default on a CPU; on a GPU the fused kernels where they are sound, else the fastest."""
    if device.type == "cpu":
        return Rules()
    if sound is not None and sound.fused:
        return Rules(fused=True)
    return fastest(measure(net, clients, batch, precision, device, sound))


def _seconds(function: Callable[[], object], device: torch.device, graphs: bool, repeats: int) -> list[float]:
    """Of one call, `repeats` times; on a GPU where possible as a graph, so that the host's launches do not count."""
    if device.type == "cpu":
        function()
        return [_once(function) for _ in range(repeats)]
    side = torch.cuda.Stream(device)
    side.wait_stream(torch.cuda.current_stream(device))
    ready = captured(function, [], [], side) if graphs else function
    taken = []
    with torch.cuda.stream(side):
        ready()
        for _ in range(repeats):
            begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            begin.record()
            for _ in range(REPLAYS):
                ready()
            end.record()
            end.synchronize()
            taken.append(begin.elapsed_time(end) / (1e3 * REPLAYS))
    return taken


def _once(function: Callable[[], object]) -> float:
    start = time.perf_counter()
    function()
    return time.perf_counter() - start
