"""The progress of long work: a bar on a terminal, a line now and then in a log."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskID,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)
from rich.table import Column
from rich.text import Text

EVERY = 60.0
"""Seconds between two lines of a log, at least."""
REMEMBERED = 1800.0
"""Seconds over which the speed is taken. A round may take minutes, and of one round nothing can be said of the next."""


class Bar(Progress):
    """A bar that, where it cannot be drawn, says in words what it would show, unless `quiet`."""

    def __init__(self, *columns: ProgressColumn, console: Console, quiet: bool, transient: bool) -> None:
        drawn = console.is_terminal and not quiet
        super().__init__(
            *columns,
            console=console,
            disable=not drawn,
            speed_estimate_period=REMEMBERED,
            transient=transient,
        )
        self._in_words = not drawn and not quiet
        self._said = self.get_time()

    def skip(self, task_id: TaskID, steps: int) -> None:
        """Count steps that took no time here, of which nothing can be said of the speed."""
        self._task(task_id).completed += steps
        super().advance(task_id, 0)  # the clock starts here

    def advance(self, task_id: TaskID, advance: int | float = 1) -> None:
        self.update(task_id, advance=advance)

    def update(self, task_id: TaskID, **changes: Any) -> None:
        super().update(task_id, **changes)
        if self._in_words and self.get_time() >= self._said + EVERY:
            self._said = self.get_time()
            task = self._task(task_id)
            shown = [column for column in self.columns if not isinstance(column, BarColumn)]
            texts = (str(column(task)).strip() for column in shown if isinstance(column, ProgressColumn))
            self.console.print(" ".join(filter(None, texts)), markup=False, highlight=False, soft_wrap=True)

    def _task(self, task_id: TaskID) -> Task:
        return next(task for task in self.tasks if task.id == task_id)


class _Count(MofNCompleteColumn):
    """What is done, of how many where that is known."""

    def render(self, task: Task) -> Text:
        return super().render(task) if task.total is not None else Text(f"{task.completed:.0f}")


class _Left(TimeRemainingColumn):
    """Nothing where no total is known."""

    def render(self, task: Task) -> Text:
        return Text("left ").append(super().render(task)) if task.total is not None else Text()


def progress_bar(unit: str, quiet: bool = False, transient: bool = False) -> Bar:
    """On standard error. The numbers stay whole; what is being done wraps.

    unit: what is counted; "%" for tasks of which a share is told, "bytes" for downloads. transient: it leaves with the work.
    """

    def whole() -> Column:
        return Column(no_wrap=True)

    counted: dict[str, tuple[ProgressColumn, ...]] = {
        "%": (TaskProgressColumn(table_column=whole()),),
        "bytes": (DownloadColumn(table_column=whole()), TransferSpeedColumn(table_column=whole())),
    }
    return Bar(
        TextColumn("{task.description:<24}", markup=False, table_column=Column()),
        BarColumn(),
        *counted.get(unit, (_Count(table_column=whole()), TextColumn(f"{unit},"))),
        TimeElapsedColumn(table_column=whole()),
        _Left(table_column=whole()),
        console=Console(stderr=True),
        quiet=quiet,
        transient=transient,
    )
