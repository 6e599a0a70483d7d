"""Devices: which one, what it is, and what it computes in."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import torch

from gpu_benchmarks import machine
from gpu_benchmarks.errors import InputError
from methods.terminal.processes import cores


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
        "cores": cores(),
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
