"""The name of this machine's processor."""

from __future__ import annotations

import functools
import platform
from pathlib import Path


@functools.cache
def name() -> str:
    """The model as Linux names it; elsewhere what Python knows."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or platform.machine()
