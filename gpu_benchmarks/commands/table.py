"""`table`: every printed number beside ours. Needs neither torch nor data."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any

from rich.console import Console

from gpu_benchmarks import beside_ours, comparison, parsing, records, reported
from gpu_benchmarks.ablations import Change, changes
from gpu_benchmarks.choices import Choice, choices
from gpu_benchmarks.errors import InputError
from gpu_benchmarks.grids import BEYOND, Grid, beside_rows, grids
from gpu_benchmarks.orders import Order, Overtaken, Shorter, orders, overtaken, shorter
from gpu_benchmarks.private_runs import Noisy, noisy
from gpu_benchmarks.readings import ACCURACIES
from gpu_benchmarks.reported import told
from gpu_benchmarks.rows import Row, by_accuracy, mean, off, readings_of
from gpu_benchmarks.sentences import OPEN as NO_RUN
from gpu_benchmarks.sentences import Answer, answers, counted
from gpu_benchmarks.shapes import Shape, shapes
from methods.terminal.output import STDOUT, add_json, check_apart, check_writable
from methods.terminal.tables import Table, output

OPEN = (
    f"(open): the paper leaves open which accuracy it prints ({', '.join(ACCURACIES)}). The verdict is that of the metric "
    "named, which was chosen before any run; the last column says what each gives."
)
LINEAR = "dp-normfedavg"
"""The paper of which no number comes from a run of ResNet-20."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--records",
        type=Path,
        action="append",
        default=[],
        metavar="DIR",
        help="folder of further records or bundles, or of a sweep (repeatable; the committed ones are always read)",
    )
    parser.add_argument(
        "--paper", choices=reported.PAPERS, help="only the numbers of this paper (default: all)"
    )
    add_json(parser, "the table")
    parser.add_argument(
        "--brief",
        action="store_true",
        help="of numbers that were not run one line a place (default: list each)",
    )
    parser.add_argument("--no-reduced", action="store_true", help="leave out the reduced runs")


@dataclass(frozen=True)
class _Compared:
    """All that the command says."""

    rows: list[Row]
    choices: list[Choice]
    changes: list[Change]
    grids: list[Grid]
    shapes: list[Shape]
    orders: list[Order]
    answers: list[Answer]
    overtaken: list[Overtaken]
    shorter: Shorter | None
    noise: list[Noisy]
    reduced: list[dict[str, Any]]


def run(args: argparse.Namespace) -> int:
    folders = _folders(args)
    for asked, folder in zip(args.records, folders, strict=True):
        if not any(path.name not in records.NOT_RECORDS for path in folder.glob("*.json")):
            print(f"--records {asked}: holds no records", file=sys.stderr)
    compared = _compared(folders, args.paper, args.no_reduced)
    if args.json:
        parsing.write(_document(compared), args.json)
    if args.json != STDOUT:
        _print(compared, args.brief)
    return 0


def _compared(folders: Sequence[Path], paper: str | None, no_reduced: bool) -> _Compared:
    printed = reported.load()
    rows, found = beside_ours.rows(folders, printed)
    rows = [row for row in rows if paper in (None, row.number.paper)]
    if paper == LINEAR:
        found = []
    return _Compared(
        rows=rows,
        choices=choices(rows),
        changes=changes(found),
        grids=[grid for grid in grids(printed, found) if paper in (None, grid.paper)],
        shapes=shapes(printed, rows),
        orders=orders(printed, rows, found),
        answers=[answer for answer in answers(printed, rows, found) if paper in (None, answer.paper)],
        overtaken=overtaken(rows, found),
        shorter=shorter(printed.rule, rows, found),
        noise=noisy(found),
        reduced=[] if no_reduced else comparison.reduced(found),
    )


def _document(compared: _Compared) -> dict[str, Any]:
    """For machines."""
    return {
        "schema": 1,
        "rows": [row.to_dict() for row in compared.rows],
        "choices": [choice.to_dict() for choice in compared.choices],
        "changes": [change.to_dict() for change in compared.changes],
        "grids": [grid.to_dict() for grid in compared.grids],
        "shapes": [shape.to_dict() for shape in compared.shapes],
        "orders": [order.to_dict() for order in compared.orders],
        "sentences": [answer.to_dict() for answer in compared.answers],
        "overtaken": [number.to_dict() for number in compared.overtaken],
        "shorter": compared.shorter and compared.shorter.to_dict(),
        "noise": [run.to_dict() for run in compared.noise],
        "reduced": compared.reduced,
    }


def _print(compared: _Compared, brief: bool) -> None:
    """For people."""
    console = output()
    rows = compared.rows
    listed = [row for row in rows if row.verdict != "not run"] if brief else rows
    _show(console, render(listed), *([_unrun(rows)] if brief else []))
    if any(row.number.metric_open for row in listed):
        console.print(OPEN)
        console.print()
    _show(
        console,
        _choices(compared.choices),
        _orders(compared.orders),
        _sentences(compared.answers),
        _overtaken(compared.overtaken, compared.shorter),
        _shapes(compared.shapes),
        *map(_grid, beside_rows(compared.grids, rows)),
        _changes(compared.changes),
        _noise(compared.noise),
        _reduced(compared.reduced),
    )
    counts = Counter(row.standing for row in rows)
    summed = ", ".join(f"{n} {standing}" for standing, n in counts.items())
    console.print(f"{len(rows)} printed numbers: {summed}")


def _folders(args: argparse.Namespace) -> list[Path]:
    """Those that hold the records asked for. Raises `InputError` for what is none, and where the JSON cannot be written."""
    for folder in args.records:
        if not folder.is_dir():
            raise InputError(f"--records {folder}: is not a folder")
    # the folder of a sweep holds its records one deeper
    folders = [f / "records" if (f / "queue.json").is_file() else f for f in args.records]
    if args.json:
        check_writable(args.json)
        for read in (records.FOLDER, records.FOLDER / "reduced", *args.records, *folders):
            check_apart("--json", args.json, {"a folder of records": read})
    return folders


def _show(console: Console, *sheets: Table) -> None:
    for sheet in sheets:
        if sheet.rows:
            sheet.show(console)
            console.print()


def render(rows: Sequence[Row]) -> Table:
    columns = (
        "id",
        "printed",
        "metric",
        "ours, 95% interval",
        "seeds",
        "off, of allowed",
        "verdict",
        "readings",
    )
    sheet = Table("printed numbers and ours", columns, readable=12)
    for row in rows:
        ours = row.ours
        shown = seeds = ""
        readings = readings_of(row)
        if ours is not None:
            shown = mean(row.number, ours)
            if ours.mean is not None and ours.interval is not None:
                shown += f" ± {ours.interval[1] - ours.mean:.2f}"
            seeds = str(len(ours.seeds))
            readings += f"; after {ours.so_far}" if ours.so_far else ""
            readings += f"; accuracy read as {fits}" if (fits := by_accuracy(ours)) else ""
        number = row.number
        readings += f"; it chose {number.fitted}" if number.fitted else ""
        metric = f"{number.metric} (open)" if number.metric_open else number.metric
        decided = told(number, row.verdict)
        sheet.add_row(number.id, number.plain, metric, shown, seeds, off(row), decided, readings)
    return _filled(sheet)


def _filled(sheet: Table) -> Table:
    """Without the columns in which nothing stands."""
    kept = [at for at in range(len(sheet.headers)) if any(row[at] for row in sheet.rows)]
    rows = [tuple(row[at] for at in kept) for row in sheet.rows]
    return Table(sheet.title, tuple(sheet.headers[at] for at in kept), rows, sheet.readable)


def _unrun(rows: Sequence[Row]) -> Table:
    """The numbers that were not run, one line for those of one place."""
    places: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        if row.verdict == "not run":
            places.setdefault((row.number.paper, row.number.place), []).append(row)
    sheet = Table("not run", ("numbers", "how many", "place", "run under other readings"))
    for (_, place), group in places.items():
        others = sum(any(other.verdict != "not run" for other in row.others) for row in group)
        sheet.add_row(
            _together([row.number.id for row in group]), str(len(group)), place, str(others) if others else ""
        )
    return _filled(sheet)


def _together(ids: Sequence[str]) -> str:
    """`NEC-F2-…` for `NEC-F2-BEST` and `NEC-F2-SMALL`: the whole parts that they begin with."""
    if len(ids) == 1:
        return ids[0]
    parts = zip(*(name.split("-") for name in ids), strict=False)
    return "-".join([same[0] for same in takewhile(lambda part: len(set(part)) == 1, parts)] + ["…"])


def _choices(found: Sequence[Choice]) -> Table:
    columns = ("paper", "setting", "readings", "numbers", "reproduced", "not", "ours − printed, mean", "used")
    sheet = Table("choices of readings that numbers were run for, and the one that is used", columns)
    for choice in found:
        sheet.add_row(
            choice.paper,
            choice.setting,
            choice.readings,
            str(choice.numbers),
            str(choice.reproduced),
            str(choice.not_reproduced),
            "" if choice.off is None else f"{choice.off:+.2f} of {choice.compared}",
            "yes" if choice.used else "",
        )
    return sheet


def _orders(found: Sequence[Order]) -> Table:
    columns = ("first", "second", "printed", "ours", "seeds make", "order", "training losses")
    sheet = Table(
        "which of two is better (no verdicts): final test accuracy of the first minus that of the second",
        columns,
    )
    for order in found:
        sheet.add_row(
            order.first,
            order.second,
            f"{order.printed:+.2f}",
            f"{order.ours:+.2f}",
            f"± {order.reach:.2f}",
            order.standing,
            ", ".join("–" if loss is None else f"{loss:.3f}" for loss in order.losses),
        )
    return sheet


def _sentences(found: Sequence[Answer]) -> Table:
    sheet = Table(
        "what the papers say of their runs in words, asked of ours (no verdicts; best so far where cells are missing): "
        + counted(answer.standing for answer in found),
        ("claim", "asked", "metric", "ours", "seeds make", "cells", "as it stands"),
    )
    for answer in found:
        if answer.standing != NO_RUN:
            sheet.add_row(
                answer.id,
                answer.asked,
                answer.metric,
                answer.told,
                f"± {answer.reach:.2f}" if answer.reach else "",
                "{} of {}".format(*answer.cells),
                answer.standing,
            )
    return sheet


def _overtaken(found: Sequence[Overtaken], ended: Shorter | None) -> Table:
    columns = ("id", "printed", "ours above it by", "first reached after")
    title = "printed final accuracies that our runs end above: mean over five rounds"
    sheet = Table(title if ended is None else f"{title}; {ended.told} (a look back, no verdict)", columns)
    for number in found:
        sheet.add_row(
            number.id, f"{number.printed:.2f}", f"{number.by:.2f}", f"{number.at} of {number.of} rounds"
        )
    return sheet


def _shapes(found: Sequence[Shape]) -> Table:
    columns = (
        "grid",
        "cells",
        "rank correlation",
        "β and γ exchanged",
        "without one cell",
        "highest printed",
        "highest ours",
    )
    sheet = Table("do our runs rank the cells of a printed grid as the paper does (no verdicts)", columns)
    for shape in found:
        sheet.add_row(
            shape.place,
            str(shape.cells),
            f"{shape.rank:+.2f}",
            "" if shape.exchanged is None else f"{shape.exchanged:+.2f}",
            f"{shape.rank_without:+.2f}, {shape.apart}",
            shape.highest_printed,
            shape.highest_ours,
        )
    return sheet


def _grid(grid: Grid) -> Table:
    columns = ("number", "β", "γ", "printed", "ours, highest", "seeds", "rounds", "by the rule")
    sheet = Table(f"{grid.place}, all cells under one choice of readings: {grid.readings}", columns)
    for cell in grid.cells:
        sheet.add_row(
            cell.id,
            f"{cell.beta:g}",
            f"{cell.gamma:g}",
            f"{cell.printed:.2f}",
            f"{cell.highest:.2f}",
            str(cell.seeds),
            f"{cell.rounds} of {grid.of}",
            cell.standing if cell.rounds == grid.of or cell.standing == BEYOND else f"{cell.standing} so far",
        )
    return sheet


def _changes(found: Sequence[Change]) -> Table:
    columns = (
        "open point",
        "option",
        "instead of",
        "runs",
        "rounds",
        "seeds",
        "accuracy, points",
        "95% interval",
    )
    sheet = Table("one open point changed: test accuracy, paired by seed", columns)
    for change in found:
        interval = change.interval
        sheet.add_row(
            change.point,
            change.option,
            change.instead_of,
            change.what,
            f"{change.rounds}{' (reduced)' if change.reduced else ''}",
            str(len(change.by_seed)),
            f"{change.mean:+.2f}",
            "" if interval is None else f"{interval[0]:+.2f} to {interval[1]:+.2f}",
        )
    return sheet


def _noise(runs: Sequence[Noisy]) -> Table:
    columns = ("runs", "readings", "length of the noise", "printed ε takes", "its own ε", "rounds", "highest")
    sheet = Table("noise of the private runs, in units of the longest message", columns)
    for run in runs:
        sheet.add_row(
            run.what,
            run.readings,
            f"{run.length:.3g}",
            f"{run.needed:,.0f}",
            f"{run.epsilon:.2g}",
            f"{run.rounds} of {run.of}",
            f"{run.highest:.2f}",
        )
    return sheet


def _reduced(rows: Sequence[dict[str, Any]]) -> Table:
    columns = ("run", "what", "clients", "reduced to", "highest", "final", "training loss", "status")
    sheet = Table("reduced runs: the verdict of no number is theirs", columns)
    for row in rows:
        sheet.add_row(
            row["run"],
            row["what"],
            str(row["clients"]),
            row["reduced"],
            f"{row['highest']:.2f}",
            f"{row['final']:.2f}",
            "–" if row["train_loss"] is None else f"{row['train_loss']:.3f}",
            row["status"],
        )
    return sheet
