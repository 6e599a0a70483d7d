"""What a rented GPU runs, in order, and how earlier runs choose the readings of later ones: by code, from records."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gpu_benchmarks import reported
from gpu_benchmarks.accuracies import metric
from gpu_benchmarks.config import Config, with_readings
from gpu_benchmarks.plans import GPU, PLANS, anchor, private_peaks, unique
from gpu_benchmarks.records import Record
from gpu_benchmarks.training_methods import METHODS

SETTLED = ("best-cells", "private-peaks")
"""The plans that need no more than the anchor's readings."""


@dataclass(frozen=True)
class Stage:
    """runs: the configs, from the records that there are by then."""

    name: str
    runs: Callable[[Sequence[Record]], list[Config]]


def stages(base: Config) -> list[Stage]:
    """The plans of `GPU` in their order. The anchor is run under each reading of the augmentation; that whose final
    accuracy comes nearer to the printed 86.09 is used from then on. After the private peaks, the same for the reading
    of the noise and the printed 77.56.
    """
    printed = {number.id: number.high for number in reported.load().numbers}

    def augmented(found: Sequence[Record]) -> Config:
        return nearest(found, anchor(base), "final", printed["NEC-F8-NORMEC-0.1"]) or base

    def private(found: Sequence[Record], name: str) -> list[Config]:
        """The runs of a plan with the readings of the peak that came nearest; Fed-α-NormEC keeps the root that it prints."""
        chosen = augmented(found)
        peaks = [c for c in private_peaks(chosen) if not c.server_normalisation]
        best = nearest(found, peaks, "highest", printed["NEC-F4-PEAK"])
        return [run if best is None else _with_noise_of(best, run) for run in PLANS[name](chosen)]

    def of(*names: str) -> Callable[[Sequence[Record]], list[Config]]:
        def runs(found: Sequence[Record]) -> list[Config]:
            return unique(
                run
                for name in names
                for run in (
                    PLANS[name](augmented(found))
                    if name in (*SETTLED, "precisions")
                    else private(found, name)
                )
            )

        return runs

    return [
        Stage("anchor", lambda found: anchor(base)),
        Stage("best cells and private peaks", of(*SETTLED)),
        Stage("the rest", of(*(n for n in GPU if n not in ("anchor", *SETTLED)))),
    ]


def _with_noise_of(peak: Config, run: Config) -> Config:
    """The noise of a run read as that of the peak; a run without is left alone, for it would only be renamed, and made again."""
    if not run.private:
        return run
    read, federated = peak.readings, METHODS[run.method].federated
    root = run.readings.noise_root if federated else read.noise_root
    return with_readings(run, noise=read.noise, noise_joins=read.noise_joins, noise_root=root)


def nearest(found: Sequence[Record], configs: Sequence[Config], name: str, printed: float) -> Config | None:
    """Of the configs that have a record, the one whose metric is nearest to what is printed."""
    by_run = {record.run: record for record in found}
    done = [c for c in configs if c.run in by_run]
    return min(done, key=lambda c: abs(metric(name, by_run[c.run]) - printed), default=None)
