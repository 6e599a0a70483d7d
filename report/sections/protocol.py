"""What the papers leave open about the CIFAR-10 experiments, and what each open point does to the accuracy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from report.sections.fashion import Rows
from report.typst import Markup, code, escape, heading, number, table


def ledger(options: Mapping[str, Mapping[str, str]], rows: Rows) -> Markup:
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
                escape(r["what"]),
                f"{r['rounds']}{', reduced' if r['reduced'] else ''}",
                number(len(r["by_seed"])),
                _signed(r["mean"]),
                "–" if r["interval"] is None else " to ".join(map(_signed, r["interval"])),
            ]
            for r in rows
        ],
        widths=["auto", "auto", "auto", "1fr", "auto", "auto", "auto", "auto"],
        align=["left", "left", "left", "left", "left", "right", "right", "right"],
        size="7.4pt",
        caption="Runs that differ in one reading, or in their arithmetic, and in nothing else: the option's test accuracy "
        "minus that of the other, in percentage points, paired by seed, after the last round that both were tested after.",
    )


def _signed(points: float) -> str:
    """A difference of accuracies, percentage points."""
    return f"{points:+.2f}".replace("-", "−")
