"""Where a number came from: commit, versions, hardware, time."""

from __future__ import annotations

import platform
import tomllib
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import torch

from gpu_benchmarks.device import describe
from gpu_benchmarks.gradients import Rules
from gpu_benchmarks.machine import ROOT, commit, sources


def provenance(device: torch.device, rules: Rules, seconds: float, ran: str) -> dict[str, Any]:
    """Of this process, for a record. seconds: of the run so far, earlier sittings included. ran: how it ran, e.g. "graph, 4 runs
    at once".
    """
    return {
        "commit": commit(),
        "sources": sources(),
        "versions": {"python": platform.python_version()}
        | {n: _version(n) for n in ("torch", "numpy")}
        | {"normec": own_version()}
        | ({"triton": _version("triton")} if rules.fused else {}),
        "hardware": describe(device),
        "weight_gradients": rules.names(),
        "ran": ran,
        "wall_seconds": round(seconds, 3),
    }


def own_version() -> str:
    """That of the package; where it is not installed, what the checkout's pyproject.toml declares; "unknown" without either."""
    if (installed := _version("normec")) != "unknown":
        return installed
    try:
        return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    except (OSError, ValueError, KeyError):
        return "unknown"


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "unknown"
