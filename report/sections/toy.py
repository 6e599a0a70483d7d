"""Toy problems: Example 1 told, and Theorem 1's bound over what is measured."""

from __future__ import annotations

from typing import Any

from report.plots import draw, every, style
from report.section import Available, NotRun, Results, Section
from report.typst import Markup, badge, code, figure, heading, number, paragraph, table

TITLE = "Toy problems"


def build(results: Results) -> Section:
    """The chapter from the results `example1` and `theorem1`."""
    body, figures, missing = Markup(""), {}, []
    for name, title, chapter in (
        ("example1", "Example 1: where DP-SGD stands still", _example1),
        ("theorem1", "Theorem 1 of α-NormEC: bound beside measurement", _theorem1),
    ):
        body += heading(title)
        result = results[name]
        if isinstance(result, NotRun):
            missing.append(title)
            body += paragraph(badge("not run"), f" {result.reason}. {result.cure}")
            continue
        part, drawn = chapter(result)
        body, figures = body + part, figures | drawn
    return Section(TITLE, body, figures, tuple(missing))


def _example1(result: Available) -> tuple[Markup, dict[str, bytes]]:
    story: dict[str, Any] = result.value
    start = story["methods"][0]["x"][0]
    rows = []
    for method in story["methods"]:
        x = method["x"]
        moved = max(abs(value - start) for value in x)
        rows.append(
            [method["name"], number(x[-1], 4), number(abs(x[-1] - story["minimiser"])), number(moved)]
        )
    rounds = len(story["methods"][0]["x"]) - 1
    still = [
        row[0] for row, method in zip(rows, story["methods"], strict=True) if set(method["x"]) == {start}
    ]
    body = paragraph(
        f"Two clients, one variable, no noise. At x⁰ = {number(start)} the gradient of f is ",
        f"{number(story['gradient_at_start'])}, so this is no stationary point; the minimiser is ",
        f"x⋆ = {number(story['minimiser'])}. Of the methods below, {number(len(still))} never move ",
        f"from x⁰ in {number(rounds)} rounds: {'; '.join(still) or 'none'}.",
    )
    body += table(
        ["method", "last iterate", "distance to x⋆", "largest move from x⁰"],
        rows,
        widths=["1fr", "auto", "auto", "auto"],
        align=["left", "right", "right", "right"],
    )

    def paint(axes: Any) -> None:
        for index, method in enumerate(story["methods"]):
            x = method["x"]
            axes.plot(
                range(len(x)), x, label=method["name"], markevery=every(len(x), 7, 40 * index), **style(index)
            )
        axes.axhline(story["minimiser"], color="#888888", lw=0.6)
        axes.set(xlabel="round k", ylabel="xᵏ")
        axes.legend(loc="center right")

    caption = "Iterates on Example 1 from the start that the paper and the poster name. The grey line is x⋆."
    return body + figure("example1", caption, width="82%"), {"example1": draw(paint, size=(5.6, 2.7))}


def _theorem1(result: Available) -> tuple[Markup, dict[str, bytes]]:
    data: dict[str, Any] = result.value
    families = data["families"]
    closest = max(families, key=lambda family: family["largest"])
    above = sum(family["above_one"] for family in families)
    body = paragraph(
        f"{number(data['runs_each'])} runs on each of {number(len(families))} families of random ",
        "problems, all parameters inside the printed conditions. What is compared: the smallest ",
        "‖∇f(x^k)‖ up to K, and the printed bound at that K. Runs in which the measurement exceeds the ",
        f"bound: {number(above)}. The largest ratio measured / bound is {number(closest['largest'])} ",
        f"({closest['name']}). Random problems do not look for the worst case; the falsifier does.",
    )
    rows = [
        [
            f["name"],
            *(number(f["quantiles"][q][-1]) for q in ("0.5", "0.95")),
            number(f["largest"]),
            number(f["above_one"]),
        ]
        for f in families
    ]
    body += table(
        ["family", "median at the last K", "95% at the last K", "largest over all K", "runs above the bound"],
        rows,
        widths=["1fr", "auto", "auto", "auto", "auto"],
        align=["left", "right", "right", "right", "right"],
        caption="Measured / bound",
    )

    def paint(left: Any, right: Any) -> None:
        run = closest["closest"]
        rounds = range(1, len(run["bound"]) + 1)
        left.loglog(
            rounds, run["bound"], label="bound of Theorem 1", markevery=every(len(rounds)), **style(0)
        )
        left.loglog(
            rounds, run["measured"], label="smallest ‖∇f‖ so far", markevery=every(len(rounds)), **style(1)
        )
        left.set(xlabel="K + 1", title=f"closest run: {closest['name']}")
        left.legend()
        for index, family in enumerate(families):
            ratio = family["quantiles"]["1.0"]
            right.loglog(
                rounds,
                ratio,
                label=family["name"],
                markevery=every(len(rounds), 6, 3 * index),
                **style(index),
            )
        right.axhline(1.0, color="#888888", lw=0.8)
        right.set(xlabel="K + 1", title="largest measured / bound")
        right.legend(fontsize=5.5)

    caption = "Left: the run closest to its bound. Right: the largest ratio over all runs of each family."
    body += figure("theorem1", caption) + paragraph("By itself: ", code(result.origin), ".")
    return body, {"theorem1": draw(paint, columns=2)}
