"""CUDA graphs on a CPU, as far as a program can tell: what `torch.cuda` does with streams and graphs, in Python.

While a function is captured, every operator that PyTorch dispatches is written down with the tensors themselves; a
replay calls the operators again on the same memory. So whatever Python decided during the capture (a number, a
branch, a shape) is the same in each replay, as on a GPU, and reading a value is forbidden. Unlike a GPU the capture
itself computes, so what it writes into tensors that existed before is put back.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map_only

FORBIDDEN = {"_local_scalar_dense", "item", "is_nonzero", "equal", "nonzero", "masked_select", "lift_fresh"}


def tensors_in(tree: Any) -> list[Tensor]:
    return [leaf for leaf in tree_leaves(tree) if isinstance(leaf, Tensor)]


def aliases(tree: Any) -> Any:
    """The same memory under the shapes of now: operators such as `squeeze_` change those of a tensor later."""
    return tree_map_only(Tensor, Tensor.detach, tree)


class Recorder(TorchDispatchMode):
    """Writes operators down while they run."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[tuple[Any, tuple, dict, Any]] = []
        self.born: set[int] = set()  # storages made during the capture
        self.before: dict[int, tuple[Tensor, Tensor]] = {}  # of older ones that are written to

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if function.overloadpacket.__name__ in FORBIDDEN:
            raise RuntimeError("CUDA error: operation not permitted when stream is capturing\nand more lines")
        for place, schema in enumerate(function._schema.arguments):
            if schema.alias_info is not None and schema.alias_info.is_write:
                value = args[place] if place < len(args) else kwargs.get(schema.name)
                for tensor in tensors_in(value):
                    self.keep(tensor)
        given = aliases((args, kwargs))
        found = function(*args, **kwargs)
        self.calls.append((function, *given, aliases(found)))
        old = {t.untyped_storage()._cdata for t in tensors_in(given)}
        self.born |= {t.untyped_storage()._cdata for t in tensors_in(found)} - old
        return found

    def keep(self, tensor: Tensor) -> None:
        storage = tensor.untyped_storage()._cdata
        if storage not in self.born and storage not in self.before:
            whole = torch.empty(0, dtype=tensor.dtype).set_(tensor.untyped_storage())
            self.before[storage] = (whole, whole.clone())

    def undo(self) -> None:
        for whole, copy in self.before.values():
            whole.copy_(copy)


@dataclass
class CUDAGraph:
    calls: list[tuple[Any, tuple, dict, Any]] = field(default_factory=list)
    generators: list[torch.Generator] = field(default_factory=list)
    replays: int = 0

    def register_generator_state(self, generator: torch.Generator) -> None:
        self.generators.append(generator)

    def replay(self) -> None:
        self.replays += 1
        with torch.no_grad():
            for function, args, kwargs, found in self.calls:
                generator = kwargs.get("generator")
                assert generator is None or generator._cdata in {g._cdata for g in self.generators}, (
                    "not registered"
                )
                args, kwargs = aliases((args, kwargs))
                for recorded, again in zip(
                    tensors_in(found), tensors_in(function(*args, **kwargs)), strict=True
                ):
                    if recorded.data_ptr() != again.data_ptr():  # neither in place nor a view
                        recorded.copy_(again)


class graph:
    """`torch.cuda.graph`; `broken` says at which moment a capture fails, and with what."""

    broken: Exception | None = None

    def __init__(self, cuda_graph: CUDAGraph, stream: Stream) -> None:
        self.graph, self.recorder = cuda_graph, Recorder()

    def __enter__(self) -> None:
        self.recorder.__enter__()

    def __exit__(self, *exception: object) -> None:
        self.recorder.__exit__(*exception)
        self.recorder.undo()
        if self.broken is not None:
            raise self.broken
        if exception[0] is not None:
            raise RuntimeError("CUDA error: operation failed due to a previous error during capture")
        self.graph.calls = self.recorder.calls


class Stream:
    def __init__(self, device: torch.device | None = None) -> None:
        self.device = device

    def synchronize(self) -> None: ...

    def wait_stream(self, other: Stream) -> None: ...


class Event:
    """Of a device on which a replay takes 10 µs."""

    def __init__(self, enable_timing: bool) -> None:
        assert enable_timing

    def record(self) -> None: ...

    def synchronize(self) -> None: ...

    def elapsed_time(self, end: Event) -> float:
        return 0.1


def install(monkeypatch: pytest.MonkeyPatch) -> type[graph]:
    """Give `torch.cuda` the graphs of this file; the class that captures, whose `broken` may be set."""
    capturing = type("graph", (graph,), {})
    for name, stand_in in {
        "Stream": Stream,
        "CUDAGraph": CUDAGraph,
        "graph": capturing,
        "Event": Event,
        "current_stream": Stream,
        "stream": lambda stream: contextlib.nullcontext(),
        "synchronize": lambda device=None: None,
        "reset_peak_memory_stats": lambda device: None,
        "max_memory_allocated": lambda device: 3 << 20,
    }.items():
        monkeypatch.setattr(torch.cuda, name, stand_in)
    return capturing
