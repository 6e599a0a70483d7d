"""Tables that lose nothing on a narrow terminal."""

from __future__ import annotations

import os
import textwrap
from dataclasses import dataclass, field

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

PIPED_WIDTH = 10_000
"""Columns where no terminal sets a limit: into a file or a pipe each row is one line."""
READABLE = 16
GAP = 2
JOINED = "\u00a0"
"""A space at which no line is broken."""


@dataclass
class Table:
    """A title, the columns' headers, and rows of plain text. readable: prose is not set narrower than this."""

    title: str
    headers: tuple[str, ...]
    rows: list[tuple[str, ...]] = field(default_factory=list)
    readable: int = READABLE

    def add_row(self, *cells: str) -> None:
        self.rows.append(cells)

    def show(self, console: Console) -> None:
        """Print it, and nothing where there are no rows. Prose alone is wrapped, at spaces, so that no word and no number is
        cut; where that does not fit, each row becomes a block: its first cell, and below it `header: cell` of the others."""
        if not self.rows:
            return
        if self.title:
            console.print(Text(self.title, style="italic"))
        columns = [list(column) for column in zip(self.headers, *self.rows, strict=True)]
        widths = [_least(column, self.readable) for column in columns]
        spare = console.width - sum(widths) - GAP * (len(widths) - 1)
        if spare < 0:
            self._blocks(console)
            return
        whole = [max(map(cell_len, column)) for column in columns]
        if sum(whole) + GAP * (len(whole) - 1) <= console.width:  # and then no line ends in blanks
            for row in (self.headers, *self.rows):
                cells = (cell + " " * (wide - cell_len(cell)) for cell, wide in zip(row, whole, strict=True))
                console.print(Text((" " * GAP).join(cells).rstrip()), soft_wrap=True)
            return
        drawn = RichTable(box=None, pad_edge=False, padding=(0, GAP, 0, 0))
        for column, least in zip(columns, widths, strict=True):
            more = min(max(map(cell_len, column)) - least, spare)
            spare -= more
            drawn.add_column(Text(column[0]), width=least + more, overflow="fold")
        for row in self.rows:
            drawn.add_row(*map(Text, row))
        console.print(drawn, soft_wrap=False)

    def _blocks(self, console: Console) -> None:
        for row in self.rows:
            named = [
                f"{header}: {cell}" for header, cell in zip(self.headers[1:], row[1:], strict=True) if cell
            ]
            kept = "  ".join(
                text if _has_letters(text.partition(": ")[2]) else _in_one_piece(text) for text in named
            )
            lines = textwrap.wrap(
                kept, max(console.width - GAP, READABLE), break_long_words=False, break_on_hyphens=False
            )
            console.print(Text(row[0]), soft_wrap=True)
            for line in lines:
                console.print(Text(f"{'':{GAP}}{line.replace(JOINED, ' ')}"), soft_wrap=True)


class _Output(Console):
    def on_broken_pipe(self) -> None:
        raise  # inside rich's handler: what a command line makes of it is said in one place, `console.command`


def output(stderr: bool = False) -> Console:
    """The console for results, which takes brackets as they are. As wide as the terminal, or as COLUMNS says, or as the
    results are where there is neither."""
    console = _Output(stderr=stderr, highlight=False, markup=False, emoji=False)
    if not (console.is_terminal or os.environ.get("COLUMNS", "").isdigit()):
        console.width = PIPED_WIDTH
    return console


def _least(column: list[str], readable: int) -> int:
    """The narrowest width that cuts no word and no number, such as an interval, and leaves prose readable."""
    parts = [part for cell in column for part in (cell.split() if _has_letters(cell) else [cell])]
    word = max(map(cell_len, parts), default=0)
    prose = any(" " in cell and _has_letters(cell) for cell in column[1:])
    return max(word, min(readable, max(map(cell_len, column)))) if prose else word


def _in_one_piece(text: str) -> str:
    return text.replace(" ", JOINED)


def _has_letters(cell: str) -> bool:
    return any(map(str.isalpha, cell))
