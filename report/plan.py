"""Which results a profile needs, and how each is computed. The heavy imports happen inside the jobs."""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from gpu_benchmarks.errors import InputError
from gpu_benchmarks.parsing import parse
from methods.terminal.console import command_of, near
from report import verdicts
from report.jobs import Absent, Job, Tick

LONGEST = 100_000_000
"""Characters of a file of verdicts: twenty times what all claims take."""
READ_BY_CLAIMS = ("gpu_benchmarks/records", "gpu_benchmarks/reported.toml")
"""What claims about experiments read as data."""


def plan(
    profile: str, *, verify_json: Path | None = None, workers: int = 2, only: tuple[str, ...] | None = None
) -> list[Job]:
    """The jobs of a profile ("quick" or "full"); with `only`, the others answer that they were not asked for.

    Raises `InputError` for a name in `only` that is no job.
    """
    jobs = [
        _verify_job(verify_json, workers),
        *_toy_jobs(profile),
        *_bound_jobs(profile),
        *_trust_jobs(profile, workers),
        *_experiment_jobs(profile),
    ]
    if only is None:
        return jobs
    names = [job.name for job in jobs]
    if unknown := [name for name in only if name not in names]:
        raise InputError(
            f"--only {', '.join(unknown)}: no such result{near(unknown[0], names)}; known: {', '.join(names)}"
        )
    return [job if job.name in only else _not_asked(job) for job in jobs]


QUICK: Mapping[str, Mapping[str, Any]] = {
    "example1": {},
    "overlays": {"K": 300, "seeds": 10},
    "falsifier": {"instances": 60_000, "seconds": 60.0, "dimensions": [1, 1000], "workers": 2},
    "rates": {"K": [63, 127, 255, 511], "instances": 3},
    "methods": {"K": 200, "instances": 3, "steps": 9, "spreads": [0.0, 0.3, 1.0, 3.0]},
    "appendix_f": {"C": [20.0, 40.0, 50.0, 100.0], "eta": [0.001, 0.003], "runs": 3},
}
FULL: Mapping[str, Mapping[str, Any]] = {
    "example1": {},
    "overlays": {"K": 400, "seeds": 20},
    "falsifier": {"instances": 1_000_000, "seconds": 1500.0, "dimensions": [1, 1000, 100_000], "workers": 2},
    "rates": {"K": [63, 127, 255, 511, 1023, 2047, 4095], "instances": 8},
    "methods": {"K": 500, "instances": 6, "steps": 13, "spreads": [0.0, 0.1, 0.3, 1.0, 3.0, 10.0]},
    "appendix_f": {},
}
"""Sizes of the toy jobs; an empty one is the function's own default."""


def again(name: str, profile: str) -> str:
    """The command that computes one result anew with the sizes of its profile. The rooms' own commands have sizes of their own,
    so what they print is not what the report prints."""
    return f"python -m report --only {name} --fresh" + (f" --profile {profile}" if profile != "quick" else "")


def _toy_jobs(profile: str) -> list[Job]:
    rooms = ("bounds", "methods", "toy_problems", "report/results/toy.py")
    titles = {
        "example1": "Example 1", "overlays": "bounds over traces", "falsifier": "searching for witnesses",
        "rates": "rates", "methods": "methods compared", "appendix_f": "Appendix F",
    }  # fmt: skip
    sizes = {"quick": QUICK, "full": FULL}[profile]
    return [
        Job(name, titles[name], _lazy("toy", name), rooms, again(name, profile), size)
        for name, size in sizes.items()
    ]


def _bound_jobs(profile: str) -> list[Job]:
    rooms = ("bounds", "report/results/recipes.py")
    return [
        Job(
            "recipes", "recipes", _lazy("recipes", "recipes"), rooms, again("recipes", profile),
            {"epsilon": 8.0, "delta": 1e-5, "f_gap": 1.0, "L": 1.0, "clients": [10, 1000], "rounds": [300, 10_000],
             "dimensions": [1, 1000], "distance": 1.0, "G": 1.0, "participation": 0.25, "least_R": 1.0},
        ),
        Job(
            "bounds", "bounds", _lazy("recipes", "catalogue"), rooms, again("bounds", profile),
        ),
    ]  # fmt: skip


def _experiment_jobs(profile: str) -> list[Job]:
    rooms = ("bounds", "methods", "gpu_benchmarks", "report/results/experiments.py")
    seeds = {"quick": 1, "full": 2}[profile]
    read = {"rooms": (), "kept": False}
    return [
        Job("experiments", "reading records", _lazy("experiments", "comparison"), origin="python -m gpu_benchmarks table",
            **read),
        Job("fashion", "reading Table 2(a)", _lazy("experiments", "fashion"),
            origin="python -m gpu_benchmarks fmnist table", **read),
        Job("fashion_again", "Fashion-MNIST again", _lazy("experiments", "fashion_again"), rooms,
            again("fashion_again", profile), {"seeds": seeds}),
        Job("throughput", "reading throughput", _lazy("experiments", "throughput"),
            origin="python -m gpu_benchmarks throughput --json PATH", **read),
    ]  # fmt: skip


MUTATED = ("NEC-T1", "NEC-C1@equality", "FED-T1-APP@T=1")
"""Claims that the quick profile mutates; the full one mutates all of them."""


def _trust_jobs(profile: str, workers: int) -> list[Job]:
    """The audit of the mechanisms, the mutants of the proofs, and what these take for granted."""
    full = profile == "full"
    size = {"rounds": 10, "runs": 100_000 if full else 20_000, "sigma": 8.0, "delta": 1e-5}
    rooms = ("bounds", "methods", "toy_problems", "verify", "report/plan.py", *READ_BY_CLAIMS)
    chosen = {"claims": [] if full else list(MUTATED)}
    return [
        Job("audit", "auditing the mechanisms", _lazy("privacy", "audit"),
            ("bounds", "methods", "verify/privacy", "report/results/privacy.py"), again("audit", profile), size),
        Job("mutants", "mutants", lambda config, tick: _run_mutants(config, workers, tick), rooms,
            again("mutants", profile), chosen),
        Job("textbook", "trying textbook results", _lazy("textbook", "survey"),
            ("bounds", "methods", "verify", "report/results/textbook.py"),
            again("textbook", profile), {"cases": 2000 if full else 200}),
    ]  # fmt: skip


def _run_mutants(config: Mapping[str, Any], workers: int, tick: Tick) -> Any:
    from verify.mutants import survey
    from verify.run import select

    chosen = select(None, config["claims"])
    return survey(chosen, workers, _counted(len(chosen), tick))


def _counted(total: int, tick: Tick) -> Callable[[object], None]:
    """What is called after each of `total` pieces of work and tells `tick` how far they are."""
    done = itertools.count(1)
    return lambda _: tick(next(done) / total)


def _lazy(module: str, function: str) -> Callable[[Mapping[str, Any], Tick], Any]:
    """A function of `report.results.module` that is imported when it is called: a job that is not run costs
    nothing."""

    def compute(config: Mapping[str, Any], tick: Tick) -> Any:
        return getattr(importlib.import_module(f"report.results.{module}"), function)(config, tick)

    return compute


def _not_asked(job: Job) -> Job:
    def absent(config: Mapping[str, Any], tick: Tick) -> Any:
        raise Absent(f"{job.title}: left out by --only")

    return Job(job.name, job.title, absent, (), job.origin, kept=False)


def _verify_job(path: Path | None, workers: int) -> Job:
    if path is not None:
        return Job(
            "verify",
            "reading verdicts",
            lambda config, tick: _read_verdicts(path),
            (),
            "python -m verify --json PATH",
            kept=False,
        )
    return Job(
        "verify",
        "deciding the statements",
        lambda config, tick: _run_verify(workers, tick),
        ("bounds", "methods", "toy_problems", "verify", *READ_BY_CLAIMS),
        f"python -m verify --jobs {workers}",
    )


def _read_verdicts(path: Path) -> Any:
    try:
        with path.open(encoding="utf-8") as file:  # which may be a pipe, or a device without an end
            text = file.read(LONGEST + 1)
        if len(text) > LONGEST:
            raise ValueError(f"longer than {LONGEST:,} characters")
        document = parse(text)
    except FileNotFoundError as error:
        raise InputError(
            f"{path} is not there; write it with `{command_of('verify')} --json {path}`"
        ) from error
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise InputError(
            f"{path} cannot be read as JSON ({why}); write it again with `{command_of('verify')}`"
        ) from error
    verdicts.check(document, str(path))
    return {**document, "absent": _absent(document)}


def _absent(document: Any) -> list[str]:
    """Claims of today that a file of all claims does not have: it was written before them."""
    from verify.catalogue import claims

    decided = {claim["id"] for claim in document["claims"]}
    whole = len(decided) == document.get("catalogue")
    return sorted(claims().keys() - decided) if whole else []


def _run_verify(workers: int, tick: Tick) -> Any:
    from verify.obligation import Settings
    from verify.results import document
    from verify.run import decide, select

    chosen = select(None, [])
    if not chosen:
        raise Absent("the catalogue of claims is empty", "See `python -m verify --help`.")
    found = document(decide(chosen, Settings(), workers, _counted(len(chosen), tick)))
    verdicts.check(found, "the verifier's answer")
    return found
