"""Which of two methods is better, as printed and in our runs; and when our runs overtake what is printed."""

from __future__ import annotations

from gpu_benchmarks.accuracies import COMMON
from gpu_benchmarks.orders import OPPOSITE, counted
from report.sections.fashion import Rows
from report.typst import Markup, escape, heading, number, paragraph, strong, table


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
            f"{order['printed']:+.2f}",
            f"{order['ours']:+.2f}",
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


def overtaken(found: Rows) -> Markup:
    """Whether shorter runs would explain that ours are better."""
    if not found:
        return Markup("")
    first, last = (pick(found, key=lambda entry: entry["at"]) for pick in (min, max))
    rounds = ", ".join(f"{entry['id']} {number(entry['at'])}" for entry in found)
    return paragraph(
        f"Of the final accuracies of these methods {number(len(found))} that are printed lie below those of our runs, whose mean ",
        f"over five rounds first reaches them after {number(first['at'])} ({first['id']}) to {number(last['at'])} ({last['id']}) of ",
        f"{number(first['of'])} rounds",
        ": no one number of rounds makes our runs end where the printed ones do. By number: "
        if first["at"] < last["at"]
        else ". By number: ",
        f"{rounds}.",
    )


def repeated(found: Rows) -> Markup:
    """What rounding alone makes of a run."""
    if not found:
        return Markup("")
    stds, means = ([entry[name] for entry in found] for name in ("std", "mean"))
    return paragraph(
        "What rounding makes of a run, when it was begun twice from one seed, with other kernels, on another machine or with an ",
        f"earlier version of the code: over the last {number(COMMON)} rounds that both have, their test accuracies in a round differ ",
        f"with a standard deviation of {' and '.join(f'{std:.2f}' for std in stds)} points, on average by ",
        f"{' and '.join(f'{mean:+.2f}' for mean in means)}.",
    )
