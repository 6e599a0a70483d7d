"""The progress bar of long work."""

from __future__ import annotations

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Column


def progress_bar(unit: str, quiet: bool = False) -> Progress:
    """A bar on standard error, only on a terminal. The numbers stay whole; what is being done wraps."""

    def whole() -> Column:
        return Column(no_wrap=True)

    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.description}", markup=False, table_column=Column()),
        BarColumn(),
        MofNCompleteColumn(table_column=whole()),
        TextColumn(f"{unit},"),
        TimeElapsedColumn(table_column=whole()),
        TextColumn("left"),
        TimeRemainingColumn(table_column=whole()),
        console=console,
        disable=quiet or not console.is_terminal,
    )
