"""Where a number came from: commit, versions, hardware, time."""

from __future__ import annotations

import hashlib
import platform
import tomllib
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import torch

from gpu_benchmarks.device import describe
from gpu_benchmarks.gradients import Rules
from gpu_benchmarks.machine import ROOT, git

CODE = ("gpu_benchmarks", "methods", "bounds/experiment_noise.py")
"""What runs are made of."""


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


def name_the_code() -> None:
    """Look at the files now: whatever becomes of them while a run goes on, its record names those that it began with."""
    commit()
    sources()


@lru_cache(maxsize=1)
def commit() -> str:
    """The commit of this checkout when it was first asked for, with `+changed` where files differ from it; "unknown" outside one."""
    head = git("rev-parse", "HEAD")
    if not head:
        return "unknown"
    changed = git("status", "--porcelain", "--untracked-files=no", "--", *CODE)
    return head + ("+changed" if changed else "")


@lru_cache(maxsize=1)
def sources() -> str:
    """The first 16 hexadecimal digits of the SHA-256 of the Python files that runs are made of, by path, when it was first
    asked for: a name of the code that needs no git, for copies on rented machines.
    """
    digest = hashlib.sha256()
    for part in CODE:
        whole = ROOT / part
        for path in [whole] if whole.is_file() else sorted(whole.rglob("*.py")):
            content = path.read_bytes()
            digest.update(f"{path.relative_to(ROOT).as_posix()} {len(content)}\n".encode() + content)
    return digest.hexdigest()[:16]


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
