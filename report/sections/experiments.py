"""The experiments: each printed number beside ours, curves, heat maps, the readings, throughput."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from report.plots import draw, every, heat_map, style
from report.section import Available, NotRun, Result, Results, Section
from report.typst import Markup, badge, code, figure, formula, heading, number, paragraph, strong, table
from report.verdicts import title

TITLE = "Experiments"
Rows = Sequence[Mapping[str, Any]]


def build(results: Results) -> Section:
    """The chapter from the results `experiments`, `fashion`, `fashion_again` and `throughput`."""
    body, figures, missing = Markup(""), {}, []
    for name, head, chapter in (
        ("experiments", "Printed numbers and ours", _comparison),
        ("fashion", "DP-NormFedAvg's Table 2(a): Fashion-MNIST", _fashion),
        ("fashion_again", "Table 2(a) again, here", _fashion_again),
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


Chapter = tuple[Markup, dict[str, bytes], list[str]]


def _comparison(result: Available) -> Chapter:
    data: Mapping[str, Any] = result.value
    rule, rows = data["rule"], data["rows"]
    counts = Counter(row["verdict"] for row in rows)
    body = paragraph(
        "The rule, written before any full run: a number is reproduced when |ours − printed| ≤ ",
        f"{number(rule['tolerance'])} + {number(rule['z'])} · max(s, {number(rule['floor'])}) · √(1/n + 1/n_{{printed}}), ",
        "in percentage points, with s the standard deviation of our n runs. One choice of readings is used for all ",
        "numbers of a paper and setting: the one that reproduces the most of them. ",
        f"Of {number(len(rows))} printed numbers: ",
        "; ".join(f"{number(count)} {verdict}" for verdict, count in sorted(counts.items())),
        ".",
    )
    for paper in dict.fromkeys(row["paper"] for row in rows):
        body += heading(title(paper), 3) + _rows([row for row in rows if row["paper"] == paper])
    maps, figures = _heat_maps(rows)
    body += maps
    curves, drawn = _curves(data["curves"])
    body += curves + _reduced(data["reduced"]) + _ledger(data["options"], rows)
    lacking = [f"{count} printed numbers" for verdict, count in counts.items() if verdict == "not run"]
    return body, figures | drawn, lacking


def _rows(rows: Rows) -> Markup:
    cells = []
    for row in rows:
        ours = row["ours"]
        value, interval, seeds, readings = "–", "–", "–", "–"
        if ours:
            value = (
                number(ours["mean"], 4)
                if ours["mean"] is not None
                else f"{ours['cells']} of {ours['of']} cells"
            )
            interval = _interval(ours["interval"])
            seeds = str(len(ours["seeds"]))
            readings = row.get("readings", "")
        where = strong(row["id"]) + Markup(" \\ ") + formula(f"{row['place']}; {row['metric']}")
        cells.append([where, row["printed"], value, interval, seeds, badge(row["verdict"]), readings])
    return table(
        ["number", "printed", "ours", "95% interval", "n", "verdict", "readings"],
        cells,
        widths=["1.3fr", "auto", "auto", "auto", "auto", "auto", "1fr"],
        align=["left", "right", "right", "right", "right", "left", "left"],
        size="7.6pt",
    )


def _interval(interval: Sequence[float] | None) -> str:
    return "–" if interval is None else f"{number(interval[0], 4)} to {number(interval[1], 4)}"


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
        chosen = [curve for curve in curves if curve["full"] == full]
        if not chosen:
            continue
        chosen = sorted(chosen, key=lambda c: -max([a for a in c["test_accuracy"] if a is not None] or [0]))
        per_method: dict[str, list[Mapping[str, Any]]] = {}
        for curve in chosen:
            per_method.setdefault(f"{curve['method']} {curve['private']}", []).append(curve)
        shown = [line for lines in zip_longest_first(per_method.values()) for line in lines][:CURVES]

        def paint(left: Any, right: Any, shown: Rows = shown) -> None:
            for index, curve in enumerate(shown):
                rounds = range(1, len(curve["test_accuracy"]) + 1)
                look = style(index) | {"markevery": every(len(rounds), 6, index)}
                left.plot(rounds, _gaps(curve["test_accuracy"]), label=curve["label"], **look)
                right.plot(rounds, _gaps(curve["train_loss"]), **look)
            left.set(xlabel="round", ylabel="test accuracy, %")
            right.set(xlabel="round", ylabel="training loss")
            left.figure.legend(fontsize=5.5, loc="outside lower center", ncols=2)

        figures[name] = draw(paint, columns=2)
        count = f"{len(shown)} of {len(chosen)} runs, the best of each method first."
        body += figure(name, f"{what} on CIFAR-10 with ResNet-20: {count}")
    return (heading("Curves", 3) + body if figures else body), figures


def zip_longest_first(groups: Any) -> list[list[Any]]:
    """First elements of all groups, then the second ones, and so on."""
    lists = [list(group) for group in groups]
    return [[group[i] for group in lists if i < len(group)] for i in range(max(map(len, lists), default=0))]


def _gaps(values: Sequence[float | None]) -> list[float]:
    return [float("nan") if value is None else value for value in values]


def _reduced(rows: Rows) -> Markup:
    if not rows:
        return Markup("")
    return heading("Reduced runs", 3) + table(
        ["run", "what", "reduced to", "highest, %", "final, %", "status"],
        [
            [
                code(r["run"]),
                r["what"],
                r["reduced"],
                number(r["highest"], 4),
                number(r["final"], 4),
                r["status"],
            ]
            for r in rows
        ],
        widths=["auto", "1fr", "1fr", "auto", "auto", "auto"],
        align=["left", "left", "left", "right", "right", "left"],
        size="7.6pt",
        caption="Real data, fewer images or rounds. They give no verdict on a printed number.",
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


def _fashion(result: Available) -> Chapter:
    data: Mapping[str, Any] = result.value
    readings = ", ".join(f"{name}: {value}" for name, value in data["readings"].items())
    body = paragraph(
        f"K = {number(data['rounds'])} rounds, {number(len(data['seeds']))} runs a cell, tuned over the printed ",
        f"grids, {number(data['batches'])} batches in {number(data['seconds'] / 60)} minutes. Readings: {readings}. ",
        "K and the constant q are not printed; q is what the stated noise means at this K.",
    )
    body += _fashion_rows(data["rows"], "cell")
    gaps = [
        [
            f"ε = {number(g['epsilon'])}",
            g["form"],
            number(g["printed"]),
            number(g["mean"]),
            _interval(g["interval"]),
        ]
        for g in data["gaps"]
    ]
    body += table(
        ["privacy", "reading of the noise", "printed", "ours", "95% interval"],
        gaps,
        align=["left", "left", "right", "right", "right"],
        caption="Normalisation minus clipping, percentage points, paired by seed",
    )
    needed = []
    for item in data["needed"]:
        q = "; ".join(f"{form}: {number(value) if value else '–'}" for form, value in item["q"].items())
        level = number(item["noise"]) if item["noise"] else "outside the curve"
        needed.append([item["method"], number(item["epsilon"]), number(item["printed"], 4), level, q])
    body += table(
        ["method", "ε", "printed", "noise σ/C", "the q that this means"],
        needed,
        widths=["auto", "auto", "auto", "auto", "1fr"],
        caption="The noise at which our curve has the printed accuracy",
    )
    picture, figures = _noise_curve(data)
    body += picture + _fashion_ledger(data)
    lacking = [f"{row['method']} of Table 2(a)" for row in data["rows"] if row["cell"] is None]
    return body, figures, list(dict.fromkeys(lacking))


def _fashion_rows(rows: Rows, key: str) -> Markup:
    cells = []
    for row in rows:
        cell, fresh = row["cell"], row["fresh"]
        cells.append(
            [
                row["method"],
                "∞" if row["epsilon"] is None else number(row["epsilon"]),
                row["form"],
                number(row["noise"]),
                number(row.get("q")),
                f"{number(row['printed'], 4)} ± {number(row['printed_deviation'])}",
                *([number(cell["mean"], 4), _interval(cell["interval"])] if cell else ["not run", "–"]),
                f"C = {number(cell['c'])}, η₀ = {number(cell['eta0'])}" if cell else "–",
                f"{number(fresh['mean'], 4)} ({len(fresh['seeds'])})" if fresh else "–",
            ]
        )
    return table(
        [
            "method",
            "ε",
            "reading",
            "σ/C",
            "q",
            "printed",
            "ours",
            "95% interval",
            "chosen",
            "fresh seeds (n)",
        ],
        cells,
        size="7.4pt",
        caption="Test accuracy in percent, mean of the last 5 rounds",
    )


def _noise_curve(data: Mapping[str, Any]) -> tuple[Markup, dict[str, bytes]]:
    curves = {method: points for method, points in data["curve"].items() if points}
    if not curves:
        return Markup(""), {}

    def paint(axes: Any) -> None:
        for index, (method, points) in enumerate(curves.items()):
            axes.semilogx(
                [p["noise"] for p in points], [p["accuracy"] for p in points], label=method, **style(index)
            )
        for item in data["needed"]:
            axes.axhline(item["printed"], color="#999999", lw=0.5)
            text = f"{item['method']}, ε = {item['epsilon']:g}: printed {item['printed']:g}"
            axes.annotate(text, (1, item["printed"]), xycoords=("axes fraction", "data"), fontsize=5,
                          ha="right", va="bottom")  # fmt: skip
        axes.set(xlabel="noise level σ/C", ylabel="tuned test accuracy, %")
        axes.legend()

    caption = "Accuracy against noise, tuned at each level on the first seed. Grey: the printed numbers."
    return figure("fashion-noise", caption, width="75%"), {"fashion-noise": draw(paint, size=(5, 2.6))}


def _fashion_ledger(data: Mapping[str, Any]) -> Markup:
    rows = [
        [code(name), ", ".join(options), data["readings"].get(name, "–")]
        for name, options in data["options"].items()
    ]
    return table(
        ["open point", "options", "used in the table above"],
        rows,
        widths=["auto", "1fr", "auto"],
        caption="What the paper leaves open about Table 2(a)",
    )


def _fashion_again(result: Available) -> Chapter:
    data: Mapping[str, Any] = result.value
    seconds = "" if result.seconds is None else f" in {number(result.seconds)} seconds"
    body = paragraph(
        f"The chosen cells, run on this machine{seconds} on the real data, with seeds ",
        f"{', '.join(map(str, data['quick']['seeds']))}, which had no part in choosing them (column 'fresh seeds').",
    )
    return body + _fashion_rows(data["rows"], "fresh"), {}, []


def _throughput(result: Available) -> Chapter:
    body = Markup("")
    for device in result.value["devices"]:
        rows = [
            [number(c["clients"]), number(c["batch"]), c["variant"], number(c["seconds_per_round"]),
             number(c["ratio_to_plain"])]
            for c in device["cases"]
        ]  # fmt: skip
        body += table(
            ["clients", "batch", "variant", "seconds a round", "ratio to plain SGD"],
            rows,
            align=["right", "right", "left", "right", "right"],
            caption=f"{device['device']} ({device['file']})",
        )
    return body, {}, []
