"""Devices: which one, what it computes in, its random numbers, and a function captured as a CUDA graph."""

from __future__ import annotations

import contextlib
import gc
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from gpu_benchmarks import machine
from gpu_benchmarks.errors import InputError

WARM_UPS = 3  # runs before a capture: libraries choose their kernels and allocate their workspaces


def choose(name: str | None) -> torch.device:
    """`cuda` where there is one, else `cpu`; raises `InputError` for one that is not here."""
    if name is None:
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
    except RuntimeError:
        raise InputError(f"device {name!r} is unknown; use cpu or cuda") from None
    if device.type not in ("cpu", "cuda"):
        raise InputError(f"device {name!r} is not supported; use cpu or cuda")
    if device.type == "cpu" and device.index is not None:
        raise InputError(f"device {name!r}: the CPU is one device and has no index; use cpu")
    if device.type == "cuda" and not torch.cuda.is_available():
        raise InputError("device cuda: this machine has no CUDA device; use cpu")
    if device.type == "cuda" and (device.index or 0) >= (count := torch.cuda.device_count()):
        raise InputError(f"device {name!r}: this machine has {count}, counted from cuda:0")
    return device


def describe(device: torch.device) -> dict[str, object]:
    """The hardware, for a record."""
    if device.type == "cuda":
        card = torch.cuda.get_device_properties(device)
        return {"device": "cuda", "name": card.name, "memory_gib": round(card.total_memory / 2**30, 1)}
    return {
        "device": "cpu",
        "name": machine.processor(),
        "cores": os.cpu_count(),
        "threads": torch.get_num_threads(),
        # two processors of one name may differ in both
        "instructions": torch.backends.cpu.get_cpu_capability(),
        "bfloat16": "multiplied by its own kernels" if multiplies_bf16(device) else "multiplied in float32",
    }


def multiplies_bf16(device: torch.device) -> bool:
    """Whether the device multiplies bfloat16 faster than float32.

    Processors differ: without AVX-512 PyTorch has no kernels for it, and without AVX512-BF16 they emulate. AMD's
    instruction is made for twice the rate of float32's. Intel's was slower (measured: Xeon of 2023, ResNet-20's convolutions
    forward: 144 to 183 GF/s against 223 to 310), unless there are tiles (AMX).
    """
    if device.type != "cpu":
        return True
    if not torch.backends.cpu.get_cpu_capability().startswith("AVX512"):
        return False
    tiles, dots = torch.cpu._is_amx_tile_supported(), torch.cpu._is_avx512_bf16_supported()
    return tiles or (dots and "AMD" in machine.processor())


@contextlib.contextmanager
def arithmetic(precision: str) -> Iterator[None]:
    """TF32 on for `tf32`, off for everything else; cuDNN chooses its kernels by measuring. Restored on
    leaving.

    (Left alone, PyTorch computes float32 convolutions on a GPU in TF32.)
    """
    mode = "tf32" if precision == "tf32" else "ieee"
    backends = (torch.backends.cuda.matmul, torch.backends.cudnn.conv)  # type: ignore[attr-defined]
    before = [backend.fp32_precision for backend in backends]
    benchmark = torch.backends.cudnn.benchmark
    try:
        for backend in backends:
            backend.fp32_precision = mode
        torch.backends.cudnn.benchmark = True
        yield
    finally:
        for backend, old in zip(backends, before, strict=True):
            backend.fp32_precision = old
        torch.backends.cudnn.benchmark = benchmark


@dataclass(frozen=True)
class DeviceRandomness:
    """`methods.Randomness` from a generator on the device. Who owns it reseeds it before every iteration with a seed
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


class CaptureError(RuntimeError):
    """A function that cannot be captured as a CUDA graph, though it runs without. The message says why.

    Generators that it draws from are of no use any more: they wait for the end of the capture.
    """


@dataclass(frozen=True)
class Graph:
    """A captured function: calling it replays the kernels on the buffers they were captured with."""

    graph: torch.cuda.CUDAGraph

    def __call__(self) -> None:
        self.graph.replay()


def captured(
    function: Callable[[], object],
    buffers: Sequence[Tensor],
    generators: Sequence[torch.Generator],
    stream: torch.cuda.Stream,
) -> Graph:
    """`function` as a CUDA graph. It works in place on `buffers`, which come out as they went in.

    The function must not synchronise with the host. generators: those it draws from; reseeding one between
    replays takes effect at the next replay. Raises `CaptureError`, and what the function itself raises.
    """
    torch.cuda.synchronize(stream.device)  # the buffers may have been filled on another stream
    graph = torch.cuda.CUDAGraph()
    # A capture that fails leaves its stream the current one; this puts the old one back.
    with torch.cuda.stream(stream):
        saved = [buffer.clone() for buffer in buffers]

        def restore() -> None:
            for buffer, old in zip(buffers, saved, strict=True):
                buffer.copy_(old)

        for generator in generators:
            graph.register_generator_state(generator)
        try:
            for _ in range(WARM_UPS):
                function()
                restore()
            stream.synchronize()
            _capture(function, graph, stream)
        finally:
            restore()
            stream.synchronize()
    return Graph(graph)


_FAILED: list[torch.cuda.CUDAGraph] = []
"""Graphs whose capture failed, kept: where a capture could not be ended PyTorch's allocator goes on asking the graph which
allocations are its own, and another graph at the same address would be given, and share, its memory."""


def _capture(function: Callable[[], object], graph: torch.cuda.CUDAGraph, stream: torch.cuda.Stream) -> None:
    collecting = gc.isenabled()
    gc.disable()  # what a collection happens to free may call what no capture allows
    try:
        with torch.cuda.graph(graph, stream=stream):
            function()
    except RuntimeError as error:
        _FAILED.append(graph)
        first = error.__context__ or error  # what went wrong, rather than what came of it
        if isinstance(first, torch.OutOfMemoryError) or not isinstance(first, Exception):
            raise first from None  # memory, or Ctrl-C: no fault of the capture
        reason, _, _ = str(first).strip().partition("\n")
        raise CaptureError(f"no CUDA graph ({reason})") from error
    finally:
        if collecting:
            gc.enable()
