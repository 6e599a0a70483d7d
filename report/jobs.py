"""What the report is computed from: a list of jobs, each of which gives one result as plain data.

A job names the rooms it depends on, so that its result can be kept between runs and is never stale. A job
that cannot be run for want of an input raises `Absent`, and the sections then say "not run"; every other
error is an error.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from report import cache
from report.provenance import library_versions, tree_hash
from report.section import Available, NotRun, Result

Tick = Callable[[float], None]
"""Told the fraction of a job that is done, from 0 to 1."""


def silent(fraction: float) -> None:
    """A tick that nobody watches."""


class Absent(Exception):
    """An input that this result needs is not there; `cure` says how to bring it."""

    def __init__(self, reason: str, cure: str = "") -> None:
        super().__init__(reason)
        self.cure = cure


@dataclass(frozen=True)
class Job:
    """One result of the report.

    name: key under which sections find it. title: what the progress bar says. compute: (config, tick) ->
    plain data. rooms: folders and files whose bytes the result depends on. origin: the command that gives
    the same result by itself. config: everything else that it depends on, plain data. kept: False for what
    is only read, not computed.
    """

    name: str
    title: str
    compute: Callable[[Mapping[str, Any], Tick], Any]
    rooms: tuple[str, ...]
    origin: str
    config: Mapping[str, Any] = field(default_factory=dict)
    kept: bool = True


def run(job: Job, folder: Path, fresh: bool = False, tick: Tick = silent) -> Result:
    """The job's result, from `folder` where it was kept under the same key, else computed and kept."""
    digest = cache.key(job.name, job.config, tree_hash(job.rooms), library_versions())
    stored = cache.load(folder, job.name, digest) if job.kept and not fresh else None
    if stored is None:
        start = time.perf_counter()
        try:
            value = job.compute(job.config, tick)
        except Absent as absent:
            return NotRun(str(absent), absent.cure)
        seconds = time.perf_counter() - start
        if not job.kept:
            return Available(value, job.origin)
        stored = cache.store(folder, job.name, digest, value, seconds)
    return Available(stored["value"], job.origin, stored["seconds"])


def run_all(
    jobs: Sequence[Job],
    folder: Path,
    *,
    fresh: bool = False,
    progress: Callable[[str], Tick] = lambda title: silent,
) -> dict[str, Result]:
    """All results by name; `progress` is told the title of each job before it starts and gives its tick."""
    return {job.name: run(job, folder, fresh, progress(job.title)) for job in jobs}
