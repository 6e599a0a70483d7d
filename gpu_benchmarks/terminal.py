"""The progress of long work: a bar on a terminal, a line now and then in a log."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Column

EVERY = 60.0
"""Seconds between two lines of a log, at least."""
REMEMBERED = 1800.0
"""Seconds over which the speed is taken. A round may take minutes, and of one round nothing can be said of the next."""


class Bar(Progress):
    """A bar that, where it cannot be drawn, says in words what it would show, unless `quiet`."""

    def __init__(self, *columns: ProgressColumn, console: Console, quiet: bool) -> None:
        drawn = console.is_terminal and not quiet
        super().__init__(*columns, console=console, disable=not drawn, speed_estimate_period=REMEMBERED)
        self._in_words = not drawn and not quiet
        self._said = self.get_time()

    def skip(self, task_id: TaskID, steps: int) -> None:
        """Count steps that took no time here, of which nothing can be said of the speed."""
        self._task(task_id).completed += steps
        self.advance(task_id, 0)  # the clock starts here

    def update(self, task_id: TaskID, **changes: Any) -> None:
        super().update(task_id, **changes)
        if self._in_words and self.get_time() >= self._said + EVERY:
            self._said = self.get_time()
            task = self._task(task_id)
            shown = [column for column in self.columns if not isinstance(column, BarColumn)]
            text = " ".join(
                str(column(task)).strip() for column in shown if isinstance(column, ProgressColumn)
            )
            self.console.print(text, markup=False, highlight=False, soft_wrap=True)

    def _task(self, task_id: TaskID) -> Task:
        return next(task for task in self.tasks if task.id == task_id)


def progress_bar(unit: str, quiet: bool = False) -> Bar:
    """On standard error. The numbers stay whole; what is being done wraps."""

    def whole() -> Column:
        return Column(no_wrap=True)

    return Bar(
        TextColumn("{task.description}", markup=False, table_column=Column()),
        BarColumn(),
        MofNCompleteColumn(table_column=whole()),
        TextColumn(f"{unit},"),
        TimeElapsedColumn(table_column=whole()),
        TextColumn("left"),
        TimeRemainingColumn(table_column=whole()),
        console=Console(stderr=True),
        quiet=quiet,
    )
