"""Tables on terminals of any width: no word and no number is cut."""

import io
import re

import pytest
from rich.console import Console

from methods.terminal.tables import GAP, PIPED_WIDTH, READABLE, Table, output

ROWS = [
    ("heterogeneous-quadratic", "NEC-OUR-T1-SHARP", "[0.123, 0.456]", "1.234e-05", "a sentence that is long enough to be wrapped"),
    ("logistic", "NEC-T1", "2.5", "3", "[bold] is no markup"),
]  # fmt: skip
HEADERS = ("problem", "bound", "95% interval", "largest measured/bound", "why")


def drawn(width: int, readable: int = READABLE) -> str:
    console = Console(file=io.StringIO(), width=width, force_terminal=False)
    table = Table("A title", HEADERS, readable=readable)
    for row in ROWS:
        table.add_row(*row)
    table.show(console)
    return console.file.getvalue()  # type: ignore[attr-defined]


@pytest.mark.parametrize("width", [20, 40, 80, 120, 200, 10_000])
def test_no_word_is_cut_or_lost_at_any_width(width):
    found = drawn(width)
    assert "…" not in found
    for word in " ".join(cell for row in ROWS for cell in row).split():
        assert re.search(rf"(?<!\S){re.escape(word)}(?!\S)", found), word
    assert "[0.123, 0.456]" in found, "a number with a space in it stays in one piece"


def test_where_there_is_room_a_row_is_a_line_and_where_there_is_none_a_block():
    assert len(drawn(10_000).splitlines()) == 2 + len(ROWS)
    assert {"logistic", "  bound: NEC-T1  95% interval: 2.5"} <= set(drawn(40).splitlines())
    assert max(map(len, drawn(100).splitlines())) <= 100


@pytest.mark.parametrize("width", [95, 100, 110, 120])
def test_no_column_is_wider_than_its_widest_cell_where_another_is_wrapped(width):
    (header,) = (line for line in drawn(width).splitlines() if line.startswith("problem"))
    assert header.index("bound") == len("heterogeneous-quadratic") + GAP
    assert header.index("95% interval") == header.index("bound") + len("NEC-OUR-T1-SHARP") + GAP


def test_a_table_of_much_prose_may_set_it_narrower():
    assert "  bound: NEC-T1" in drawn(88)
    assert "  bound: NEC-T1" not in drawn(88, readable=12)


def test_no_line_ends_in_blanks_where_nothing_is_wrapped():
    """As in a pipe, where the columns are as wide as their widest cell; they stand below each other all the same."""
    _, header, *rows = drawn(10_000).splitlines()
    assert [line for line in (header, *rows) if line != line.rstrip()] == []
    for name, cells in zip(HEADERS[1:], list(zip(*ROWS, strict=True))[1:], strict=True):
        assert {row.index(cell) for row, cell in zip(rows, cells, strict=True)} == {header.index(name)}


def test_an_empty_table_prints_nothing():
    console = Console(file=io.StringIO(), width=80)
    Table("A title", HEADERS).show(console)
    assert not console.file.getvalue()  # type: ignore[attr-defined]


def test_a_pipe_has_no_width(monkeypatch, capsys):
    monkeypatch.delenv("COLUMNS", raising=False)
    assert output().width == PIPED_WIDTH
    monkeypatch.setenv("COLUMNS", "72")
    assert output().width == 72
