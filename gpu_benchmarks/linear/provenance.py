"""What a record says about where it comes from: commit, versions, hardware, time. Nothing of it affects
a result.
"""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from typing import Any

import numpy as np

from gpu_benchmarks import machine
from methods.terminal.processes import cores


def provenance(seconds: float) -> dict[str, Any]:
    """Facts about this process; seconds: what the run took on the wall clock."""
    return {
        "commit": machine.commit(),
        "sources": machine.sources(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "processor": machine.processor(),
        "cores": cores(),
        "blas_threads": os.environ.get("OMP_NUM_THREADS", "default"),
        "wall_seconds": round(seconds, 2),
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
    }
