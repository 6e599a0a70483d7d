"""What the papers leave open about the CIFAR-10 experiments, and what each open point does to the accuracy."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from gpu_benchmarks.accuracies import LAST
from gpu_benchmarks.readings import ACCURACIES
from report.sections.fashion import Rows
from report.sections.printed_numbers import in_common
from report.typst import (
    Markup,
    code,
    escape,
    formula,
    heading,
    hundredths,
    join,
    number,
    paragraph,
    signed,
    table,
    written,
)
from report.verdicts import title


def choices(found: Rows) -> Markup:
    """The choices of readings that numbers were run for, and the one that is used for the verdicts."""
    if not found:
        return Markup("")
    cells = [
        [
            f"{title(choice['paper'])}, {choice['setting']}",
            escape(choice["readings"]),
            number(choice["numbers"]),
            number(choice["reproduced"]),
            number(choice["not_reproduced"]),
            "–" if choice["off"] is None else f"{signed(choice['off'])} of {choice['compared']}",
            "yes" if choice["used"] else "no",
        ]
        for choice in found
    ]
    return heading("Choices of readings", 3) + table(
        ["paper, setting", "readings", "numbers", "reproduced", "not", "ours − printed,\nmean", "used"],
        cells,
        widths=["1fr", "1.6fr", "auto", "auto", "auto", "auto", "auto"],
        align=["left", "left", "right", "right", "right", "right", "left"],
        size="7.6pt",
        caption="The choices of readings that numbers were run for. One is used for all numbers of a paper and setting: the one that "
        "reproduces the most. Last but one: ours minus what is printed, in points, where that is one percentage and our runs whole",
    )


def ledger(options: Mapping[str, Mapping[str, str]], rows: Rows) -> Markup:
    """The protocol ledger: each open point, its options, which of them full runs have used."""
    used: dict[str, set[str]] = {}
    for row in rows:
        for ours in [row["ours"], *row["others"]]:
            if ours and ours["full"] and row["setting"] != "linear":
                for name, value in ours["protocol"].items():
                    used.setdefault(name, set()).add(value)
    cells = [
        [
            code(name),
            code(option),
            written(meaning),
            "yes" if option in used.get(name, ()) else "no",
        ]
        for name, choices in options.items()
        for option, meaning in choices.items()
    ]
    return heading("Protocol ledger", 3) + table(
        ["open point", "option", "meaning", "full run"],
        cells,
        widths=["auto", "auto", "1fr", "auto"],
        size="7.6pt",
        caption="What the papers leave open about the CIFAR-10 experiments, and which options a full run used. The first option is "
        "the default, save for the root of the noise, which runs have as their paper prints it",
    )


def accuracies(options: Mapping[str, str], rows: Rows, apart: Mapping[str, Any] | None) -> Markup:
    """The open point that is read off the table: which accuracy of a run the paper prints, and which option fits."""
    open_rows = [row for row in rows if row["metric_open"]]
    if not open_rows:
        return Markup("")
    fits = [
        fit for row in open_rows for ours in [row["ours"], *row["others"]] if ours for fit in ours["fits"]
    ]
    cells = []
    for option, meaning in options.items():
        tried = [fit["fits"] for fit in fits if fit["accuracy"] == option]
        evidence = f"fits {number(sum(tried))} of {number(len(tried))}" if tried else "no full run"
        distance = (apart or {"from_final": {}})["from_final"].get(option)
        cells.append([code(option), meaning, evidence, _distance(distance)])
    runs = (
        f" Right: in {number(apart['runs'])} runs, full or reduced, of more than {number(LAST)} tested rounds."
        if apart
        else ""
    )
    places: dict[tuple[str, str], list[str]] = {}
    for row in open_rows:
        places.setdefault((f"{title(row['paper'])}, {row['place']}", row["metric_open"]), []).append(
            row["id"]
        )
    said = join(
        (
            formula(written(f"{place} ({number(len(ids))} numbers): {words}"))
            for (place, words), ids in places.items()
        ),
        "; ",
    )
    return (
        heading("Which accuracy", 3)
        + paragraph(
            "Where a paper does not say whether it prints the highest accuracy of a run or the final one, that is a reading too: ",
            said,
            ". Such a number is marked (open), and every option is shown with it. Its verdict stays that of the accuracy that was "
            "chosen before any run: all options are read off the same runs, so a number that passed when any one fits would "
            f"have {number(len(ACCURACIES))} chances instead of one.",
        )
        + table(
            ["accuracy", "meaning", "numbers marked open", "minus the final accuracy, points"],
            cells,
            widths=["auto", "1fr", "auto", "auto"],
            size="7.6pt",
            caption="How far the choice of the accuracy reaches." + runs,
        )
    )


def _distance(values: list[float] | None) -> str:
    """Smallest, mean and largest difference."""
    if values is None:
        return "–"
    low, mean, high = map(signed, values)
    return f"{low} to {high}, mean {mean}"


def changes(rows: Rows) -> Markup:
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
                escape(named(r["what"])),
                f"{r['rounds']}{', reduced' if r['reduced'] else ''}",
                number(len(r["by_seed"])),
                signed(r["mean"]),
                "–" if r["interval"] is None else " to ".join(map(signed, r["interval"])),
            ]
            for r in rows
        ],
        widths=["auto", "auto", "auto", "1fr", "auto", "auto", "auto", "auto"],
        align=["left", "left", "left", "left", "left", "right", "right", "right"],
        size="7.4pt",
        caption="Runs that differ in one reading, or in their arithmetic, and in nothing else: the option's test accuracy "
        "minus that of the other, in percentage points, paired by seed, after the last round that both were tested after.",
    )


def noise(rows: Rows) -> Markup:
    """What the readings of the printed noise come to: its length, the privacy that follows, the accuracy."""
    if not rows:
        return Markup("")
    first = rows[0]
    common, besides = in_common([r["readings"] for r in rows])
    caption = "The noise of the private runs that were not cut short at once, and the best test accuracy that they came to"
    return (
        heading("How much noise", 3)
        + paragraph(
            "The papers print the scale of the noise and leave open what it is the scale of, and so how much privacy there is. ",
            "A length is √d times the deviation in each coordinate, in units of the longest message. A client sends a message an ",
            "iteration (",
            escape(named(first["what"])),
            f": {number(first['releases'])} in all rounds). The fourth column has the length that the printed (ε, δ) takes for so ",
            "many, towards whoever sees every message, the fifth the ε of the run's own noise over as many, at the same δ.",
        )
        + table(
            ["runs", "readings", "noise", "printed ε takes", "its own ε", "rounds", "highest"],
            [
                [
                    escape(named(r["what"])),
                    escape(own or "–"),
                    number(r["length"], 3),
                    number(round(r["needed"], -2), 6),
                    number(r["epsilon"], 2),
                    f"{r['rounds']} of {r['of']}",
                    hundredths(r["highest"]),
                ]
                for r, own in zip(rows, besides, strict=True)
            ],
            widths=["auto", "1fr", "auto", "auto", "auto", "auto", "auto"],
            align=["left", "left", "right", "right", "right", "right", "right"],
            size="7.4pt",
            caption=f"{caption}. Readings of all: {common}" if common else caption,
        )
    )


def named(run: str) -> str:
    """A run by its method and parameters, under the letters of the method's paper: Fed-α-NormEC has M clients."""
    return re.sub(r"\bn=", "M=", run) if run.startswith("Fed-") else run
