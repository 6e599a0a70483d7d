"""What every test shares: shapes checked, array libraries to run over, a search that does not depend on the
day.

The import hook makes jaxtyping and beartype check each annotation of `methods`, `bounds` and `toy_problems`
when a function is called. It has to be installed before any of them is imported, hence here and at the top.
A benchmark would measure the checks, so `--benchmark-only` does without. They are on in the tests of the folders that `CHECKED` names;
elsewhere these rooms are called for their results, a round of small arrays at a time, and the checks take most of the time. So do
the tests marked `unchecked`, long searches and sweeps: whatever they call, another test calls under the checks.

With several workers (`-n`) each has one thread, and so have the commands that it starts: two workers with as many
threads as cores wait for each other, and the tests of training take six times as long. OpenMP reads that when it is
loaded, so it too comes first.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("OMP_NUM_THREADS", "1")

from jaxtyping import install_import_hook

import verify  # noqa: F401 (which sets the size of sympy's cache, before anything imports sympy)

if "--benchmark-only" not in sys.argv:
    install_import_hook(["methods", "bounds", "toy_problems"], "beartype.beartype")

import array_api_compat.numpy
import array_api_compat.torch
import array_api_strict
import jaxtyping
import pytest
from hypothesis import settings

CHECKED = ("methods", "bounds", "toy_problems", "gpu_benchmarks")

settings.register_profile("suite", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=5000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))


@pytest.fixture(params=["numpy", "torch", "array_api_strict"], scope="session")
def xp(request: pytest.FixtureRequest):
    """An array library; float64 is written as `xp.asarray(..., dtype=xp.float64)`."""
    return {
        "numpy": array_api_compat.numpy,
        "torch": array_api_compat.torch,
        "array_api_strict": array_api_strict,
    }[request.param]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    room = item.path.relative_to(Path(__file__).parent).parts[0]
    jaxtyping.config.update(
        "jaxtyping_disable", room not in CHECKED or item.get_closest_marker("unchecked") is not None
    )
    return (yield)


def pytest_terminal_summary(terminalreporter) -> None:
    """One line that counts the verdicts of the claims that were tested."""
    reports = (r for kind in ("passed", "failed") for r in terminalreporter.stats.get(kind, []))
    counts = Counter(value for r in reports for name, value in r.user_properties if name == "verdict")
    if counts:
        terminalreporter.write_line("verdicts: " + ", ".join(f"{n} {v}" for v, n in sorted(counts.items())))
