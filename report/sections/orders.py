"""Which of two methods is better, as printed and in our runs; and when our runs overtake what is printed."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, product
from typing import Any

from gpu_benchmarks.accuracies import COMMON
from gpu_benchmarks.orders import OPPOSITE, counted
from report.plots import draw, every, style
from report.sections.fashion import Rows
from report.typst import Markup, escape, figure, heading, hundredths, number, paragraph, signed, strong, table

SHOWN: Mapping[str, str] = {"test_accuracy": "test accuracy, %", "train_loss": "training loss"}
LEAST_ACCURACY = 60


def pairs(found: Rows) -> Markup:
    """The pairs that Appendix I compares."""
    if not found:
        return Markup("")
    body = heading("Which of two is better", 3) + paragraph(
        "What shifts all runs alike, a reading of ours for one, does not show in the difference of two. Final test accuracy of the ",
        "first minus that of the second, percentage points; “seeds make” is how far seeds alone may move our difference, with z ",
        "and the least deviation of the rule above. Where that is as much as our difference, or two single runs as much as the ",
        "printed one, the pair is too close to tell. The rule is for numbers, so these are no verdicts. Of ",
        f"{number(len(found))} pairs that were run: {counted(found)}.",
    )
    cells = [
        [
            strong(f"{order['first']} – {order['second'].removeprefix('NEC-')}"),
            escape(order["place"]),
            signed(order["printed"]),
            signed(order["ours"]),
            f"± {order['reach']:.2f}",
            strong(order["standing"]) if order["standing"] == OPPOSITE else order["standing"],
            ", ".join("–" if loss is None else f"{loss:.3f}" for loss in order["losses"]),
        ]
        for order in found
    ]
    return body + table(
        ["first – second", "place", "printed", "ours", "seeds make", "order", "training losses\nat the end"],
        cells,
        widths=["1.7fr", "1fr", "auto", "auto", "auto", "1fr", "auto"],
        align=["left", "left", "right", "right", "right", "left", "right"],
        size="7.6pt",
    )


def by_beta(curves: Rows) -> tuple[Markup, dict[str, bytes]]:
    """Test accuracy and training loss by round, a column for each β, as Figures 3 and 9 to 11 have them."""
    if not curves:
        return Markup(""), {}
    betas = sorted({curve["beta"] for curve in curves})
    methods = list(dict.fromkeys(curve["method"] for curve in curves))

    def paint(*axes: Any) -> None:
        for (row, key), (column, beta) in product(enumerate(SHOWN), enumerate(betas)):
            place = axes[row * len(betas) + column]
            for curve in (curve for curve in curves if curve["beta"] == beta):
                index = methods.index(curve["method"])
                known = [(k, v) for k, v in enumerate(curve[key], start=1) if v is not None]
                look = style(index) | {"markevery": every(len(known), 5, index), "linewidth": 0.9}
                place.plot(*zip(*known, strict=True), label=curve["method"], **look)
                if key == "test_accuracy":
                    place.axhline(
                        curve["printed"], linewidth=0.5, **{"color": look["color"], "linestyle": ":"}
                    )
            if key == "test_accuracy":
                place.set(title=f"β = {beta:g}", ylim=(LEAST_ACCURACY, None))
            else:
                place.set(xlabel="round", yscale="log")
            if column == 0:
                place.set_ylabel(SHOWN[key])
        named = {
            name: line
            for place in axes
            for line, name in zip(*place.get_legend_handles_labels(), strict=True)
        }
        axes[0].figure.legend(named.values(), named.keys(), loc="outside lower center", ncols=len(named))

    caption = (
        "Best cells by β: test accuracy, with what is printed of the last round as a dotted line, and training loss. Below "
        f"{LEAST_ACCURACY}% accuracies are cut off."
    )
    alike = [
        f"{first['id']} and {second['id']}"
        for first, second in combinations(curves, 2)
        if first["train_loss"] == second["train_loss"]
    ]
    if alike:
        caption += f" The same in every round, and so one piece of evidence, not two: {'; '.join(alike)}."
    drawn = draw(paint, size=(6.6, 3.6), rows=len(SHOWN), columns=len(betas))
    return figure("by-beta", caption), {"by-beta": drawn}


def overtaken(found: Rows, ended: Mapping[str, Any] | None) -> Markup:
    """Whether shorter runs would explain that ours are better."""
    if not found:
        return Markup("")
    first, last = (pick(found, key=lambda entry: entry["at"]) for pick in (min, max))
    rounds = ", ".join(f"{entry['id']} {number(entry['at'])}" for entry in found)
    least, most = (pick(entry["by"] for entry in found) for pick in (min, max))
    return paragraph(
        f"Of the final accuracies of these methods {number(len(found))} that are printed lie below those of our runs, by ",
        f"{hundredths(least)} to {hundredths(most)} points; the runs' mean over five rounds first reaches them after ",
        f"{number(first['at'])} ({first['id']}) to {number(last['at'])} ({last['id']}) of ",
        f"{number(first['of'])} rounds",
        ": no one number of rounds makes our runs end where the printed ones do. By number: "
        if first["at"] < last["at"]
        else ". By number: ",
        f"{rounds}.",
        _shorter(ended),
    )


def _shorter(ended: Mapping[str, Any] | None) -> str:
    if ended is None:
        return ""
    missed = f": all but {', '.join(ended['missed'])}" if ended["missed"] else ""
    return f" One number for all comes near, though: {ended['told']}{missed}. It was found by looking back, and is no verdict."


def repeated(found: Rows) -> Markup:
    """What rounding makes of a run."""
    if not found:
        return Markup("")
    stds, means = ([entry[name] for entry in found] for name in ("std", "mean"))
    return paragraph(
        "What rounding makes of a run, when it was begun twice from one seed, with other kernels, on another machine or with an ",
        f"earlier version of the code: over the last {number(COMMON)} rounds that both have, their test accuracies in a round differ ",
        f"with a standard deviation of {', '.join(f'{std:.2f}' for std in stds)} points, on average by ",
        f"{', '.join(map(signed, means))}.",
    )
