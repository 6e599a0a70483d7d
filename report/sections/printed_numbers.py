"""Printed numbers beside ours: tables, and heat maps in the printed layout."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from gpu_benchmarks.rows import ELSEWHERE
from report.plots import draw, heat_map
from report.sections.fashion import Rows, interval
from report.typst import (
    Markup,
    badge,
    call,
    escape,
    figure,
    formula,
    heading,
    hundredths,
    join,
    number,
    paragraph,
    strong,
    table,
)
from report.verdicts import title


def rows(given: Rows) -> Markup:
    """The numbers that some run of ours speaks of, one a line; then those that none does, a line a place."""
    silent = [row for row in given if row["ours"] is None and not row["readings"]]
    spoken = [row for row in given if row not in silent]
    return (_beside(spoken) if spoken else Markup("")) + (_not_run(silent) if silent else Markup(""))


def in_common(readings: Sequence[str]) -> tuple[str, list[str]]:
    """What several runs all read into a paper, and what each does besides."""
    parts = [each.split(", ") for each in readings]
    common = [part for part in parts[0] if all(part in other for other in parts)] if len(parts) > 1 else []
    return ", ".join(common), [", ".join(part for part in own if part not in common) for own in parts]


def _beside(given: Rows) -> Markup:
    whole = [row for row in given if row["ours"]]
    common, rest = in_common([row["readings"] for row in whole])
    besides = dict(zip((row["id"] for row in whole), rest, strict=True))
    cells = []
    for row in given:
        ours = row["ours"]
        value, seeds, readings = formula("–"), "–", besides.get(row["id"], row["readings"]) or ""
        off = row.get("off") or "–"
        if ours:
            value = _mean(ours)
            if ours["interval"] is not None:
                value += Markup(" \\ ") + formula(interval(ours["interval"]))
            seeds = str(len(ours["seeds"]))
        where = strong(row["id"]) + Markup(" \\ ") + formula(_place(row))
        fits = [] if ours is None else ours["fits"]
        told = "; ".join(
            f"{fit['accuracy']}: {hundredths(fit['mean'])}, {'fits' if fit['fits'] else 'does not fit'}"
            for fit in fits
        )
        readings += f"; accuracy read as {told}" if told else ""
        readings += f"; fitted: {row['fitted']}" if row["fitted"] else ""
        readings = readings.removeprefix("; ") or "–"
        cells.append(
            [
                where,
                row["printed"],
                value,
                seeds,
                off,
                badge(row["verdict"] if row["standing"] == ELSEWHERE else row["standing"]),
                readings,
            ]
        )
    return table(
        ["number", "printed", "ours,\n95% interval", "n", "off,\nof allowed", "verdict", "readings"],
        cells,
        widths=["1.5fr", "auto", "auto", "auto", "auto", "auto", "1.4fr"],
        align=["left", "right", "right", "right", "right", "left", "left"],
        size="7.6pt",
        caption=f"Readings where n is given: what the last column says, and {common}" if common else None,
    )


def _mean(ours: Mapping[str, Any]) -> Markup:
    """The mean, or what a part of the runs says of it."""
    told = "never" if ours["so_far"] else f"{ours['cells']} of {ours['of']} cells"
    mean = told if ours["mean"] is None else hundredths(ours["mean"])
    value = formula(f"{ours['side']} {mean}".strip())
    if not ours["so_far"]:
        return value
    parts = [formula(part) for part in f"after {ours['so_far']}".split(", ")]
    return join([value, *parts], " \\ ")


def _not_run(given: Rows) -> Markup:
    places: dict[str, list[Mapping[str, Any]]] = {}
    for row in given:
        places.setdefault(_place(row), []).append(row)
    cells = []
    for place, members in places.items():
        entries = Markup("")
        for index, row in enumerate(members):
            name = strong(row["id"].replace("-", "\u2011"))  # a number and its id stay on one line
            entries += Markup(", " if index else "") + name + Markup("~") + formula(row["printed"])
        cells.append([formula(place), badge("not run"), entries])
    return table(
        ["place", "verdict", "numbers as printed"],
        cells,
        widths=["1fr", "auto", "2.6fr"],
        size="7.6pt",
    )


def _place(row: Mapping[str, Any]) -> str:
    """Where a number stands and which accuracy it is compared by; marked where the paper leaves open which one it prints."""
    return f"{row['place']}; {row['metric']}{' (open)' if row['metric_open'] else ''}"


def heat_maps(given: Rows) -> tuple[Markup, dict[str, bytes]]:
    """Printed grids in β and γ of which some cell was run: the printed numbers beside ours, a figure a place and method."""
    groups: dict[tuple[str, str, str], list[Mapping[str, Any]]] = {}
    for row in given:
        parameters = row["parameters"]
        single = all(isinstance(parameters.get(name), int | float) for name in ("beta", "gamma"))
        if row["kind"] == "value" and single and row["low"] == row["high"]:
            groups.setdefault((row["paper"], row["place"], str(parameters.get("method"))), []).append(row)
    body, figures = Markup(""), {}
    for index, ((paper, place, _), members) in enumerate(groups.items()):
        betas = sorted({row["parameters"]["beta"] for row in members})
        gammas = sorted({row["parameters"]["gamma"] for row in members})
        if min(len(betas), len(gammas)) < 2 or 2 * len(members) <= len(betas) * len(gammas):
            continue
        by_cell = {(r["parameters"]["beta"], r["parameters"]["gamma"]): r for r in members}
        printed = [[_of(by_cell.get((b, g)), "high") for g in gammas] for b in betas]
        ours = [[_of(by_cell.get((b, g)), "ours") for g in gammas] for b in betas]
        if all(value is None for line in ours for value in line):
            continue
        name = f"grid-{index}"
        figures[name] = _drawn({"printed": printed, "ours": ours}, betas, gammas)
        caption = (
            f"{title(paper)}, {place}: accuracy in percent, printed (left) and ours (right). Hatched: not printed, or not run. Axes "
            "as we read them."
        )
        body += figure(name, caption, width="80%")
    return (heading("Heat maps", 3) + body if figures else body), figures


def shapes(found: Sequence[Mapping[str, Any]]) -> Markup:
    """Whether our runs rank the cells of a printed grid as the paper does."""
    body = Markup("")
    for shape in found:
        exchanged = (
            ""
            if shape["exchanged"] is None
            else f" (with β and γ exchanged {hundredths(shape['exchanged'])})"
        )
        highest = (
            f"the same cell is the highest, {shape['highest_printed']}"
            if shape["highest_printed"] == shape["highest_ours"]
            else f"the highest cell that is printed is {shape['highest_printed']}, of ours {shape['highest_ours']}"
        )
        body += paragraph(
            f"{title(shape['paper'])}, {shape['place']}: the rank correlation of the printed accuracies with ours over the ",
            f"{number(shape['cells'])} cells is {hundredths(shape['rank'])}{exchanged}. It rises most without {shape['apart']}, to ",
            f"{hundredths(shape['rank_without'])}; {highest}.",
        )
    return body


def begun(grids: Sequence[Mapping[str, Any]]) -> tuple[Markup, dict[str, bytes]]:
    """Printed grids beside the highest accuracies so far of the cells that were run under one choice of readings."""
    if not grids:
        return Markup(""), {}
    body, figures = Markup(""), {}
    for index, grid in enumerate(grids):
        cells = {(cell["beta"], cell["gamma"]): cell for cell in grid["cells"]}
        values = {(beta, gamma): value for beta, gamma, value in grid["printed"]}
        betas = sorted({beta for beta, _ in values})
        gammas = sorted({gamma for _, gamma in values})
        panels = {
            "printed": [[values.get((b, g)) for g in gammas] for b in betas],
            "ours so far": [
                [cells[b, g]["highest"] if (b, g) in cells else None for g in gammas] for b in betas
            ],
        }
        name = f"grid-begun-{index}"
        figures[name] = _drawn(panels, betas, gammas)
        rounds = sorted({cell["rounds"] for cell in cells.values()})
        counts = Counter(cell["standing"] for cell in cells.values())
        told = "; ".join(
            f"{words}: {number(counts[standing])}"
            for standing, words in (
                ("beyond", "already beyond the printed number, for good"),
                ("near", "as near as the rule asks, so far"),
                ("below", "below it, so far"),
            )
            if counts[standing]
        )
        where = f"{title(grid['paper'])}, {grid['place']}"
        words = paragraph(
            f"{where}, as far as its cells were run under one choice of readings (",
            escape(grid["readings"]),
            f"). Of {number(len(cells))} cells: {told}.",
        )
        body += call("block", "sticky: true", body=words)
        caption = (
            f"{where}: highest test accuracy in percent, printed (left) and of our runs after "
            f"{' to '.join(map(number, sorted({rounds[0], rounds[-1]})))} of {number(grid['of'])} rounds (right). Hatched: not "
            "run, or cut short sooner. Axes as we read them."
        )
        body += figure(name, caption, width="80%")
    lead = call("block", "sticky: true", body="A highest accuracy can only grow with the rounds.")
    return heading("Grids of which cells were begun", 3) + lead + body, figures


def _of(row: Mapping[str, Any] | None, key: str) -> float | None:
    if row is None:
        return None
    if key == "high":
        return row["high"]
    return row["ours"]["mean"] if row["ours"] and not row["ours"]["so_far"] else None


def _drawn(grids: Mapping[str, Any], betas: Sequence[float], gammas: Sequence[float]) -> bytes:
    known = [value for grid in grids.values() for line in grid for value in line if value is not None]

    def paint(*panels: Any) -> None:
        for axes, (head, grid) in zip(panels, grids.items(), strict=True):
            heat_map(
                axes,
                grid,
                [f"{b:g}" for b in betas],
                [f"{g:g}" for g in gammas],
                low=min(known),
                high=max(known),
                notation=lambda value: "" if value is None else f"{value:.2f}",
            )
            axes.set(title=head, xlabel="γ", ylabel="β")

    return draw(paint, columns=len(grids), size=(2.8 * len(grids), 0.22 * len(betas) + 0.9))
