"""Which results a profile needs, and how each is computed. The heavy imports happen inside the jobs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from report import verdicts
from report.jobs import Absent, Job
from report.section import InputError

SOLVERS = ("z3-solver", "cvc5", "sympy", "numpy", "scipy", "dp-accounting")


def plan(
    profile: str, *, verify_json: Path | None = None, workers: int = 2, only: tuple[str, ...] | None = None
) -> list[Job]:
    """The jobs of a profile ("quick" or "full"); with `only`, the others answer that they were not asked for.

    Raises `InputError` for a name in `only` that is no job.
    """
    jobs = [_verify_job(profile, verify_json, workers)]
    if only is None:
        return jobs
    names = [job.name for job in jobs]
    if unknown := [name for name in only if name not in names]:
        raise InputError(f"--only {', '.join(unknown)}: no such result; known: {', '.join(names)}")
    return [job if job.name in only else _not_asked(job) for job in jobs]


def _not_asked(job: Job) -> Job:
    def absent(config: Mapping[str, Any]) -> Any:
        raise Absent(f"{job.title}: left out by --only")

    return Job(job.name, job.title, absent, (), job.origin, kept=False)


def _verify_job(profile: str, path: Path | None, workers: int) -> Job:
    if path is not None:
        return Job(
            "verify",
            "reading verdicts",
            lambda config: _read_verdicts(path),
            (),
            f"read from {path}",
            kept=False,
        )
    return Job(
        "verify",
        "deciding the statements",
        lambda config: _run_verify(workers),
        ("bounds", "methods", "toy_problems", "verify"),
        f"python -m verify --jobs {workers}",
        libraries=SOLVERS,
    )


def _read_verdicts(path: Path) -> Any:
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise InputError(f"{path} is not there; write it with `python -m verify --json {path}`") from error
    except (OSError, ValueError) as error:
        raise InputError(
            f"{path} cannot be read as JSON ({error}); write it again with `python -m verify`"
        ) from error
    verdicts.check(document, str(path))
    return document


def _run_verify(workers: int) -> Any:
    raise Absent("the verifier is not in this version")
