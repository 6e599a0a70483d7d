"""A run from its config to its record: rounds, checkpoints, divergence."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import torch

from gpu_benchmarks import checkpoint
from gpu_benchmarks.accuracies import LAST
from gpu_benchmarks.batches import Data
from gpu_benchmarks.checkpoint import Checkpoint, path_of
from gpu_benchmarks.config import Config
from gpu_benchmarks.engine import Measured, Trainer
from gpu_benchmarks.errors import InputError
from gpu_benchmarks.gradients import Rules
from gpu_benchmarks.machine import name_the_code
from gpu_benchmarks.provenance import provenance
from gpu_benchmarks.records import Record, metrics_of
from gpu_benchmarks.sittings import Sitting, provenance_of, with_now


@dataclass(frozen=True)
class Options:
    """How runs are carried out; nothing here changes what they compute, up to the rounding of `rules`.

    checkpoints: where checkpoints lie, None for none. every: seconds between them (0: after every round).
    test_every: printed rounds between tests; the last `LAST`, which a metric is the mean of, are always tested.
    graphs: CUDA graphs. ran: noted in the provenance, after how the trainer ran.
    """

    device: torch.device
    checkpoints: Path | None = None
    every: float = 60.0
    test_every: int = 1
    rules: Rules = field(default_factory=Rules)
    graphs: bool = True
    ran: str = ""


class Run:
    """One run in progress. `start` begins a round, `finish` ends it; the record is there when `record` is
    not None.
    """

    def __init__(self, config: Config, data: Data, options: Options) -> None:
        self.config, self.options = config, options
        self.record: Record | None = None
        self.rounds: list[Measured] = []
        self.asked = config.stop_after or config.rounds
        self._path = None if options.checkpoints is None else path_of(config, options.checkpoints)
        self._before = 0.0
        self._earlier: tuple[Sitting, ...] = ()
        self._under_way, self._whole = False, True
        self._safe: Checkpoint | None = None
        name_the_code()
        found = None if self._path is None else checkpoint.read(config, self._path)
        if found is not None and len(found.rounds) > self.asked:
            found = self._path = None  # of a longer run of the same trajectory, to whom it is worth more
        self.trainer = Trainer(config, data, options.device, options.rules, options.graphs)
        if found is not None:
            try:
                self.trainer.restore(found.tensors, len(found.rounds))
            except ValueError as error:
                raise InputError(f"{self._path}: {error}; delete it to start the run anew") from None
            self.rounds, self._before, self._earlier = list(found.rounds), found.seconds, found.sittings
        self._began = self._saved = time.perf_counter()
        self._end_if_done()

    @property
    def seconds(self) -> float:
        return self._before + time.perf_counter() - self._began

    def start(self) -> None:
        """Begin a round. On a CPU this is where the time goes, so the state before it is kept: an
        interruption in the middle of the round loses the round and nothing else.
        """
        if self._path is not None and self.options.device.type == "cpu":
            self._safe = self._state()
        self._whole = False
        self.trainer.enqueue(self._due_for_test(len(self.rounds) + 1))
        self._whole, self._safe, self._under_way = True, None, True

    def _due_for_test(self, round: int) -> bool:
        return round % self.options.test_every == 0 or round > self.asked - LAST

    def finish(self) -> Measured:
        """Wait for the round that was begun last."""
        measured = self.trainer.collect()
        if measured.diverged and measured.test_accuracy is None:  # the last round: it is always tested
            measured = self.trainer.test_now()
        self._under_way = False
        self.rounds.append(measured)
        self._end_if_done()
        due = self.record is None and time.perf_counter() - self._saved >= self.options.every
        if due or self._can_go_on:
            self.save()
        return measured

    def save(self) -> None:
        """Write a checkpoint where one is wanted: of the last state that is known to be whole."""
        whole = self._whole and self.trainer.rounds_done == len(self.rounds)
        if self._path is not None and (whole or self._safe is not None):
            state = self._safe or self._state()
            who = with_now(self._earlier, self._provenance(state.seconds), len(state.rounds), state.seconds)
            checkpoint.write(replace(state, sittings=who), self._path)
        self._saved = time.perf_counter()

    def stop(self) -> None:
        """Save, whatever the run was doing when it was interrupted: also one that has just ended, whose record nobody has yet."""
        if self._under_way:
            self.finish()
        self.save()

    def _state(self) -> Checkpoint:
        return Checkpoint(self.config.trajectory, tuple(self.rounds), self.trainer.saved(), self.seconds)

    def _provenance(self, seconds: float) -> dict[str, Any]:
        ran = ", ".join(filter(None, (self.trainer.way, self.options.ran)))
        return provenance(self.options.device, self.trainer.rules, seconds, ran)

    def forget(self) -> None:
        """Remove the checkpoint, for when the record is safe; that of a reduced run stays, so that a longer
        one of the same trajectory can go on from it.
        """
        if self._path is not None and not self._can_go_on:
            self._path.unlink(missing_ok=True)

    @property
    def _can_go_on(self) -> bool:
        cut = self.config.stop_after is not None
        return cut and self.record is not None and self.record.status == "complete"

    def _end_if_done(self) -> None:
        diverged = bool(self.rounds) and self.rounds[-1].diverged
        if diverged or len(self.rounds) >= self.asked:
            seconds = self.seconds
            who = with_now(self._earlier, self._provenance(seconds), len(self.rounds), seconds)
            status = "diverged" if diverged else "complete"
            self.record = Record(self.config, status, metrics_of(self.rounds), provenance_of(who, seconds))


def together(
    runs: Iterator[Run],
    at_once: int,
    on_round: Callable[[Run, Measured], None],
    on_record: Callable[[Run, Record], None],
    out_of_time: Callable[[], bool],
) -> bool:
    """Carry out runs, up to `at_once` of them side by side; True if all of them ended.

    Each has one round under way while the host waits for another's, so that a GPU always has work. When the
    time is up, or on an exception such as Ctrl-C, every unfinished run is checkpointed first. Where that fails after Ctrl-C,
    the first failure is raised instead.
    """
    active: list[Run] = []
    exhausted = False
    try:
        while True:
            while not exhausted and len(active) < at_once and not out_of_time():
                run = next(runs, None)
                if run is None:
                    exhausted = True
                elif run.record is not None:
                    on_record(run, run.record)
                else:
                    active.append(run)
                    run.start()
            if not active:
                return exhausted
            late = out_of_time()
            for run in list(active):
                on_round(run, run.finish())
                if run.record is not None:
                    active.remove(run)
                    on_record(run, run.record)
                elif late:
                    run.save()
                    active.remove(run)
                else:
                    run.start()
            if late:
                return False
    except BaseException as stopped:
        failed = [error for run in active if (error := _failure(run)) is not None]
        if failed and not isinstance(stopped, Exception):  # else that was the first
            raise failed[0] from None
        raise


def _failure(run: Run) -> Exception | None:
    """Stop a run; what stood against its checkpoint and is the user's to mend. A device or a disk that fails under one run
    must not take the others' files.
    """
    try:
        run.stop()
    except RuntimeError:  # of the device
        return None
    except Exception as error:
        return error
    return None


def train(
    config: Config, data: Data, options: Options, on_round: Callable[[Run, Measured], None] | None = None
) -> Record:
    """One run to its end."""
    found: list[Record] = []
    together(
        iter([Run(config, data, options)]),
        1,
        on_round or (lambda run, measured: None),
        lambda run, record: found.append(record),
        lambda: False,
    )
    return found[0]
