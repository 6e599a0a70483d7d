"""The experiments: each printed number beside ours, curves, heat maps, the readings, throughput."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from report.plots import draw, every, heat_map, style
from report.section import Available, NotRun, Result, Results, Section
from report.sections import fashion
from report.sections.fashion import Chapter, Rows, interval
from report.typst import (
    Markup,
    badge,
    code,
    escape,
    figure,
    formula,
    heading,
    number,
    paragraph,
    strong,
    table,
)
from report.verdicts import title

TITLE = "Experiments"


def build(results: Results) -> Section:
    """The chapter from the results `experiments`, `fashion`, `fashion_again` and `throughput`."""
    body, figures, missing = Markup(""), {}, []
    for name, head, chapter in (
        ("experiments", "Printed numbers and ours", _comparison),
        ("fashion", "DP-NormFedAvg's Table 2(a): Fashion-MNIST", fashion.build),
        ("fashion_again", "Table 2(a) again, here", fashion.again),
        ("throughput", "Throughput", _throughput),
    ):
        result: Result = results[name]
        body += heading(head)
        if isinstance(result, NotRun):
            missing.append(head)
            body += paragraph(badge("not run"), f" {result.reason}. {result.cure}")
            continue
        part, drawn, lacking = chapter(result)
        body, figures = body + part, figures | drawn
        missing += lacking
    return Section(TITLE, body, figures, tuple(missing))


def _comparison(result: Available) -> Chapter:
    data: Mapping[str, Any] = result.value
    rule, rows = data["rule"], data["rows"]
    counts = Counter(row["verdict"] for row in rows)
    body = paragraph(
        "The rule, written before any full run: a number is reproduced when |ours − printed| ≤ ",
        f"{number(rule['tolerance'])} + {number(rule['z'])} · max(s, {number(rule['floor'])}) · √(1/n + 1/n_{{printed}}), ",
        "in percentage points, with s the standard deviation of our n runs and n_{printed} the number of runs behind the printed ",
        "number (1 where none is given). For a difference or a spread the first term is 0, or the rounding of what is printed. ",
        "One choice of readings is used for all numbers of a paper and setting: the one that reproduces the most of them; ",
        "“not run” is said of that choice, and what runs under other readings gave stands in the last column. “Highest” and ",
        f"“final” are test accuracies over the rounds. Of {number(len(rows))} printed numbers: {tally(counts)}.",
    )
    for paper in dict.fromkeys(row["paper"] for row in rows):
        body += heading(title(paper), 3) + _rows([row for row in rows if row["paper"] == paper])
    maps, figures = _heat_maps(rows)
    body += maps
    curves, drawn = _curves(data["curves"])
    body += curves + _reduced(data["reduced"]) + _ledger(data["options"], rows) + _changes(data["changes"])
    lacking = [f"{count} printed numbers" for verdict, count in counts.items() if verdict == "not run"]
    return body, figures | drawn, lacking


def tally(counts: Mapping[str, int]) -> str:
    """How many printed numbers have each verdict, the decided ones first."""
    order = ("reproduced", "not reproduced", *sorted(counts.keys() - {"reproduced", "not reproduced"}))
    return ", ".join(f"{number(counts.get(verdict, 0))} {verdict}" for verdict in order)


def _rows(rows: Rows) -> Markup:
    cells = []
    for row in rows:
        ours = row["ours"]
        value, reach, seeds, readings = "–", "–", "–", row.get("readings", "–")
        if ours:
            value = (
                number(ours["mean"], 4)
                if ours["mean"] is not None
                else f"{ours['cells']} of {ours['of']} cells"
            )
            reach = interval(ours["interval"])
            seeds = str(len(ours["seeds"]))
        where = strong(row["id"]) + Markup(" \\ ") + formula(f"{row['place']}; {row['metric']}")
        cells.append([where, row["printed"], value, reach, seeds, badge(row["verdict"]), readings])
    return table(
        ["number", "printed", "ours", "95% interval", "n", "verdict", "readings"],
        cells,
        widths=["1.3fr", "auto", "auto", "auto", "auto", "auto", "1fr"],
        align=["left", "right", "right", "right", "right", "left", "left"],
        size="7.6pt",
    )


def _heat_maps(rows: Rows) -> tuple[Markup, dict[str, bytes]]:
    """Printed grids in β and γ: the printed numbers beside ours, one pair of maps a place and method."""
    groups: dict[tuple[str, str, str], list[Mapping[str, Any]]] = {}
    for row in rows:
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
        name = f"grid-{index}"
        figures[name] = _pair(printed, ours, betas, gammas)
        caption = f"{title(paper)}, {place}: accuracy in percent, printed (left) and ours (right). "
        body += figure(name, caption + "Hatched: not printed, or not run.", width="80%")
    return (heading("Heat maps", 3) + body if figures else body), figures


def _of(row: Mapping[str, Any] | None, key: str) -> float | None:
    if row is None:
        return None
    return row["high"] if key == "high" else (row["ours"] or {}).get("mean")


def _pair(printed: Any, ours: Any, betas: Sequence[float], gammas: Sequence[float]) -> bytes:
    known = [value for grid in (printed, ours) for line in grid for value in line if value is not None]

    def paint(left: Any, right: Any) -> None:
        for axes, grid, head in ((left, printed, "printed"), (right, ours, "ours")):
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

    return draw(paint, columns=2, size=(5.6, 0.32 * len(betas) + 0.9))


def _curves(curves: Rows) -> tuple[Markup, dict[str, bytes]]:
    """Accuracy and loss by round, full runs and reduced runs in figures of their own."""
    from report.experiments import CURVES

    body, figures = Markup(""), {}
    for full, name, what in ((True, "curves-full", "Full runs"), (False, "curves-reduced", "Reduced runs")):
        chosen = [curve for curve in curves if curve["full"] == full and len(curve["test_accuracy"]) > 1]
        if not chosen:
            continue
        chosen = sorted(chosen, key=lambda c: -max([a for a in c["test_accuracy"] if a is not None] or [0]))
        per_run: dict[str, list[Mapping[str, Any]]] = {}
        for curve in chosen:
            per_run.setdefault(_but_for_the_seed(curve), []).append(curve)
        shown = [line for lines in zip_longest_first(per_run.values()) for line in lines][:CURVES]

        def paint(left: Any, right: Any, shown: Rows = shown, full: bool = full) -> None:
            for index, curve in enumerate(shown):
                # reduced runs go over different numbers of images in a round
                unit = 1 if full else curve["images"]
                for axes, values in ((left, curve["test_accuracy"]), (right, curve["train_loss"])):
                    known = [
                        (k * unit, value) for k, value in enumerate(values, start=1) if value is not None
                    ]
                    look = style(index) | {"markevery": every(len(known), 6, index)}
                    axes.plot(*zip(*known, strict=True), label=_named(curve), **look)
            for axes, what in ((left, "test accuracy, %"), (right, "training loss")):
                axes.set(xlabel="round" if full else "images seen", ylabel=what)
                axes.set_xscale("linear" if full else "log")
            lines, names = left.get_legend_handles_labels()
            left.figure.legend(lines, names, fontsize=5.5, loc="outside lower center", ncols=2)

        figures[name] = draw(paint, columns=2)
        count = (
            f"{len(shown)} of {len(chosen)} runs, the best of each kind first; accuracy where it was tested."
        )
        body += figure(name, f"{what} on CIFAR-10 with ResNet-20: {count}")
    return (heading("Curves", 3) + body if figures else body), figures


def zip_longest_first(groups: Any) -> list[list[Any]]:
    """First elements of all groups, then the second ones, and so on."""
    lists = [list(group) for group in groups]
    return [[group[i] for group in lists if i < len(group)] for i in range(max(map(len, lists), default=0))]


def _named(curve: Mapping[str, Any]) -> str:
    default = curve["readings"] == "default readings" or not curve["full"]
    return curve["label"] if default else f"{curve['label']}; {curve['readings']}"


def _but_for_the_seed(curve: Mapping[str, Any]) -> str:
    return _named(curve).replace(f"seed={curve['label'].rpartition('seed=')[2]}", "")


def _reduced(rows: Rows) -> Markup:
    if not rows:
        return Markup("")
    return heading("Reduced runs", 3) + table(
        ["run", "what", "clients", "reduced to", "highest, %", "final, %", "training loss", "status"],
        [
            [
                code(r["run"]),
                escape(r["what"]),
                number(r["clients"]),
                r["reduced"],
                number(r["highest"], 4),
                number(r["final"], 4),
                number(r["train_loss"], 3),
                r["status"],
            ]
            for r in sorted(rows, key=lambda r: (r["images"] is not None, -r["highest"]))
        ],
        widths=["auto", "1.4fr", "auto", "1fr", "auto", "auto", "auto", "auto"],
        align=["left", "left", "right", "left", "right", "right", "right", "left"],
        size="7.4pt",
        caption="REDUCED: real data, fewer images or rounds than printed. They test every method from end to end "
        "and compare the methods with each other; they give no verdict on a printed number.",
    )


def _ledger(options: Mapping[str, Mapping[str, str]], rows: Rows) -> Markup:
    """The protocol ledger: each open point, its options, which of them the runs that count have used."""
    used: dict[str, Counter[str]] = {}
    for row in rows:
        for ours in [row["ours"], *row["others"]]:
            if ours and row["setting"] != "linear":
                for name, value in ours["protocol"].items():
                    used.setdefault(name, Counter())[value] += ours["verdict"] == "reproduced"
    cells = []
    for name, choices in options.items():
        for index, (option, meaning) in enumerate(choices.items()):
            tried = used.get(name, {})
            evidence = f"{number(tried[option])} numbers reproduced" if option in tried else "no full run"
            cells.append([code(name) if index == 0 else "", code(option), meaning, evidence])
    return heading("Protocol ledger", 3) + table(
        ["open point", "option", "meaning", "evidence"],
        cells,
        widths=["auto", "auto", "1fr", "auto"],
        size="7.6pt",
        caption="What the papers leave open about the CIFAR-10 experiments. The first option is the default.",
    )


def _changes(rows: Rows) -> Markup:
    """What an open point does to the accuracy, where runs differ in it alone."""
    if not rows:
        return Markup("")
    return heading("One open point changed", 3) + table(
        ["open point", "option", "instead of", "runs", "rounds", "n", "accuracy, points", "95% interval"],
        [
            [
                code(r["point"]),
                code(r["option"]),
                code(r["instead_of"]),
                escape(r["what"]),
                f"{r['rounds']}{', reduced' if r['reduced'] else ''}",
                number(len(r["by_seed"])),
                number(r["mean"]),
                interval(r["interval"]),
            ]
            for r in rows
        ],
        widths=["auto", "auto", "auto", "1fr", "auto", "auto", "auto", "auto"],
        align=["left", "left", "left", "left", "left", "right", "right", "right"],
        size="7.4pt",
        caption="Runs that differ in one reading, or in their arithmetic, and in nothing else: the option's test accuracy "
        "minus that of the other, in percentage points, paired by seed, after the last round that both were tested after.",
    )


def _throughput(result: Available) -> Chapter:
    body = Markup("")
    for device in result.value["devices"]:
        federated = [c for c in device["cases"] if c["variant"] == "ours"]
        ratios = "; ".join(
            f"{number(c['clients'])} × {number(c['batch'])}: {number(c['ratio_to_plain'])}" for c in federated
        )
        body += paragraph(
            strong(device["device"]),
            f". A federated round of α-NormEC with ResNet-20 as a multiple of plain SGD on the joint batch: {ratios}. ",
            f"The goal is at most {number(device['reach'])}. “plain”: SGD on the joint batch; “ours”: the clients of a round in one ",
            "pass; “loop”: one client after the other; “vmap”: gradients of all clients by torch.func. ",
            device["how"],
        )
        rows = [
            [number(c["clients"]), number(c["batch"]), c["variant"], number(c["seconds_per_round"]),
             number(c["ratio_to_plain"])]
            for c in device["cases"]
        ]  # fmt: skip
        body += table(
            ["clients", "batch", "variant", "seconds a round", "ratio to plain SGD"],
            rows,
            align=["right", "right", "left", "right", "right"],
            caption=f"{device['device']}, record {device['file']}",
        )
    return body, {}, []
