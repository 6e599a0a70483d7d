"""What a record says about where it comes from: commit, versions, hardware, time. Nothing of it affects
a result.
"""

from __future__ import annotations

import os
import platform
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from gpu_benchmarks import processor


def provenance(seconds: float) -> dict[str, Any]:
    """Facts about this process; seconds: what the run took on the wall clock."""
    return {
        "commit": _git("rev-parse", "HEAD"),
        "changed": bool(
            _git("status", "--porcelain", "--", "gpu_benchmarks/linear", "gpu_benchmarks/data", "methods")
        ),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "processor": processor.name(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "blas_threads": os.environ.get("OMP_NUM_THREADS", "default"),
        "wall_seconds": round(seconds, 2),
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def _git(*arguments: str) -> str:
    here = Path(__file__).parents[2]
    try:
        done = subprocess.run(
            ["git", *arguments], cwd=here, capture_output=True, text=True, timeout=10, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()
