"""What commands print: tables from which nothing is cut, progress bars, and streams that cannot write every letter.

On a terminal, or where COLUMNS is set, a table keeps to the width: prose wraps at spaces, and where the rest is too wide each
row becomes a block of its own. Into a pipe or a file a row is one line, however long, for `grep`.
"""

from __future__ import annotations

import os
import sys
import textwrap
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.measure import Measurement
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Column, Table
from rich.text import Text

PROSE = 24  # columns of prose are no narrower, unless what they hold is
UNLIMITED = 100_000
_JOINED = "\u00a0"  # a space at which no line is broken


def lossless_streams() -> None:
    """A letter that standard output or error cannot encode is written as its number, \\u03b1, and never ends the command."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by whoever called
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 (as long as the process)
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def printer(stderr: bool = False) -> Console:
    """A console for lines and tables: it takes brackets as they are and breaks no line that goes into a pipe."""
    made = Console(stderr=stderr, highlight=False, markup=False, emoji=False)
    if not (made.is_terminal or os.environ.get("COLUMNS", "").isdigit()):
        made.width = UNLIMITED
    return made


@dataclass
class Sheet:
    """A table. prose: the columns that may be wrapped; a cell of another one stays in one piece."""

    columns: Sequence[str]
    title: str = ""
    prose: Collection[str] = ()
    rows: list[tuple[str, ...]] = field(default_factory=list)

    def add(self, *cells: str) -> None:
        self.rows.append(cells)

    def show(self, console: Console) -> None:
        """Print it; nothing where there are no rows."""
        if not self.rows:
            return
        if self.title:
            console.print(self.title)
        longest = [max(map(cell_len, cells)) for cells in zip(self.columns, *self.rows, strict=True)]
        if console.width == UNLIMITED:
            for row in (self.columns, *self.rows):
                padded = (cell + " " * (n - cell_len(cell)) for cell, n in zip(row, longest, strict=True))
                console.print("  ".join(padded).rstrip())
        else:
            _fitted(console, self, longest)
        if self.title:
            console.print()


def _fitted(console: Console, sheet: Sheet, longest: Sequence[int]) -> None:
    table = Table(box=box.SIMPLE)
    for name, wide in zip(sheet.columns, longest, strict=True):
        wraps = name in sheet.prose
        least = min(wide, PROSE) if wraps else wide
        table.add_column(Text(name), no_wrap=not wraps, min_width=least, overflow="fold")
    for row in sheet.rows:
        table.add_row(*map(Text, row))
    if Measurement.get(console, console.options.update(width=UNLIMITED), table).minimum <= console.width:
        console.print(table)
        return
    for row in sheet.rows:
        for line in _block(sheet, row, console.width):
            console.print(Text(line, overflow="fold"))


def _block(sheet: Sheet, row: Sequence[str], width: int) -> Iterator[str]:
    """A row below its first cell, with the names of the columns; empty cells are left out."""
    yield row[0]
    cells = []
    for name, cell in zip(sheet.columns[1:], row[1:], strict=True):
        if cell:
            whole = cell if name in sheet.prose else cell.replace(" ", _JOINED)
            cells.append(f"{name.replace(' ', _JOINED)}:{_JOINED}{whole}")
    lines = textwrap.wrap(
        "  ".join(cells),
        max(width, 20),
        initial_indent="  ",
        subsequent_indent="  ",
        break_on_hyphens=False,
    )
    yield from (line.replace(_JOINED, " ") for line in lines)


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
