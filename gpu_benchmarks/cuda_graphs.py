"""A function captured as a CUDA graph."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

WARM_UPS = 3  # runs before a capture: libraries choose their kernels and allocate their workspaces


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
