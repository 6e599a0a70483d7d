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

from gpu_benchmarks.device import arithmetic
from gpu_benchmarks.gradients import Rules
from gpu_benchmarks.layers import WEIGHT_GRADIENTS
from gpu_benchmarks.resnet import Architecture

Times = Mapping[tuple[int, int, int], Mapping[str, float]]


def shapes(net: Architecture) -> dict[tuple[int, int, int], int]:
    """(in, out, stride) of every convolution, with the side of its input."""
    found, side = {(3, net.width, 1): 32}, 32
    for channels, out, stride in net.stages:
        found[channels, out, stride] = side
        side //= stride
        found[out, out, 1] = side
    return found


def measure(
    net: Architecture, clients: int, batch: int, precision: str, device: torch.device, repeats: int = 5
) -> Times:
    """Median seconds of each rule for each convolution; a rule that the device refuses is left out."""
    dtype = {"float64": torch.float64, "bf16": torch.bfloat16}.get(precision, torch.float32)
    times: dict[tuple[int, int, int], dict[str, float]] = {}
    with arithmetic(precision):
        for (channels, out, stride), side in shapes(net).items():
            x = torch.randn(batch * clients, channels, side, side, device=device, dtype=dtype)
            grad = torch.randn(
                batch * clients, out, side // stride, side // stride, device=device, dtype=dtype
            )
            w = torch.randn(out, channels, 3, 3, device=device, dtype=dtype)
            times[channels, out, stride] = {}
            for name, rule in WEIGHT_GRADIENTS.items():
                call = partial(rule, grad, x, w, stride, clients)
                try:
                    taken = [_seconds(call, device) for _ in range(repeats + 2)]
                except RuntimeError:
                    continue
                times[channels, out, stride][name] = statistics.median(taken[2:])
    return times


def fastest(times: Times) -> Rules:
    return Rules({shape: min(by_rule, key=lambda r: by_rule[r]) for shape, by_rule in times.items()})


def rules_for(net: Architecture, clients: int, batch: int, precision: str, device: torch.device) -> Rules:
    """The fixed default on a CPU; the fastest on a GPU."""
    if device.type == "cpu":
        return Rules()
    return fastest(measure(net, clients, batch, precision, device))


def _seconds(function: Callable[[], object], device: torch.device) -> float:
    """One call, timed on the GPU by replaying it as a graph, so that the host's launches do not count."""
    if device.type == "cpu":
        start = time.perf_counter()
        function()
        return time.perf_counter() - start
    side = torch.cuda.Stream(device)
    side.wait_stream(torch.cuda.current_stream(device))
    with torch.cuda.stream(side):
        function()
        function()
    side.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=side):
        function()
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    with torch.cuda.stream(side):
        graph.replay()
        begin.record()
        for _ in range(10):
            graph.replay()
        end.record()
    end.synchronize()
    return begin.elapsed_time(end) / 1e4
