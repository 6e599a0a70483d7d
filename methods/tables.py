"""Tables that lose nothing on a narrow terminal."""

from __future__ import annotations

from dataclasses import dataclass, field

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

PIPED_WIDTH = 10_000
"""Columns where no terminal sets a limit: into a file or a pipe each row is one line."""
READABLE = 16
"""Prose is not set narrower than this."""
GAP = 2


@dataclass
class Table:
    """A title, the columns' headers, and rows of plain text."""

    title: str
    headers: tuple[str, ...]
    rows: list[tuple[str, ...]] = field(default_factory=list)

    def add_row(self, *cells: str) -> None:
        self.rows.append(cells)

    def show(self, console: Console) -> None:
        """Print it. Prose alone is wrapped, at spaces, so that no word and no number is cut; where that does not fit, each
        row becomes a list of lines `header  cell`."""
        if self.title:
            console.print(Text(self.title, style="italic"), soft_wrap=True)
        columns = [list(column) for column in zip(self.headers, *self.rows, strict=True)]
        widths = [_least(column) for column in columns]
        spare = console.width - sum(widths) - GAP * (len(widths) - 1)
        if spare < 0:
            self._lists(console)
            return
        drawn = RichTable(box=None, pad_edge=False, padding=(0, GAP, 0, 0))
        for column, least in zip(columns, widths, strict=True):
            more = min(max(map(cell_len, column)) - least, spare)
            spare -= more
            drawn.add_column(Text(column[0]), width=least + more, overflow="fold")
        for row in self.rows:
            drawn.add_row(*map(Text, row))
        console.print(drawn, soft_wrap=False)

    def _lists(self, console: Console) -> None:
        wide = max(map(len, self.headers))
        for row in self.rows:
            for header, cell in zip(self.headers, row, strict=True):
                if cell:
                    console.print(Text(f"  {header:<{wide}}  {cell}"), soft_wrap=True)
            console.print()


def output(stderr: bool = False) -> Console:
    """The console for results: as wide as the terminal, or as they are where it is none."""
    console = Console(stderr=stderr, highlight=False)
    return console if console.is_terminal else Console(stderr=stderr, highlight=False, width=PIPED_WIDTH)


def _least(column: list[str]) -> int:
    """The narrowest width that cuts no word and leaves prose readable."""
    word = max(cell_len(word) for cell in column for word in cell.split() or [""])
    prose = any(" " in cell for cell in column[1:])
    return max(word, min(READABLE, max(map(cell_len, column)))) if prose else word
