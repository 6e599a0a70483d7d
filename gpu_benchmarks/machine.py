"""Where something is computed, and by what code: the processor, the commit, the files. Without torch."""

from __future__ import annotations

import functools
import hashlib
import platform
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CODE = ("gpu_benchmarks", "methods", "bounds/experiment_noise.py")
"""What runs are made of."""


@functools.cache
def processor() -> str:
    """The model as Linux names it; elsewhere what Python knows."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or platform.machine()


def git(*arguments: str) -> str:
    """What git answers in this checkout; "" outside one, and where there is no git."""
    try:
        done = subprocess.run(
            ["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, timeout=30, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()


def name_the_code() -> None:
    """Look at the files now: whatever becomes of them while a run goes on, its record names those that it began with."""
    commit()
    sources()


@functools.cache
def commit() -> str:
    """The commit of this checkout when it was first asked for, with `+changed` where files differ from it; "unknown" outside one."""
    head = git("rev-parse", "HEAD")
    if not head:
        return "unknown"
    changed = git("status", "--porcelain", "--untracked-files=no", "--", *CODE)
    return head + ("+changed" if changed else "")


@functools.cache
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
