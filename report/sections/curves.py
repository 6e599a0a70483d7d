"""Accuracy and loss of the runs of ResNet-20 by round."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest
from typing import Any

from gpu_benchmarks.accuracies import COMMUNICATIONS
from report.plots import PALETTE, draw, every, style
from report.sections import protocol
from report.sections.fashion import Rows
from report.typst import Markup, figure, hundredths

CURVES = 6
"""How many runs are drawn in one figure."""

BESIDE = 64
"""Characters of the longest name of a curve for which two names fit beside each other under a figure."""

TARGET = COMMUNICATIONS["communications to 65%"]

DASHES = {1.0: "-", 0.25: ":"}
"""By participation, as Figure 1 of Fed-α-NormEC has them."""


def augmentations(found: Mapping[str, Any]) -> tuple[Markup, dict[str, bytes]]:
    """The best cell of α-NormEC under each reading of the augmentation, and what is printed of its last round."""
    if not found["runs"]:
        return Markup(""), {}

    def paint(left: Any, right: Any) -> None:
        for index, run in enumerate(found["runs"]):
            for axes, key in ((left, "test_accuracy"), (right, "train_loss")):
                known = [(k, v) for k, v in enumerate(run[key], start=1) if v is not None]
                look = style(index) | {"markevery": every(len(known), 6, index), "linewidth": 0.9}
                axes.plot(*zip(*known, strict=True), label=run["augmentation"], **look)
        left.axhline(found["printed"], color="black", linewidth=0.6, linestyle=":")
        left.set(xlabel="round", ylabel="test accuracy, %", ylim=(50, None))
        right.set(xlabel="round", ylabel="training loss", yscale="log")
        left.figure.legend(
            *left.get_legend_handles_labels(), loc="outside lower center", ncols=len(found["runs"])
        )

    ends = ", ".join(f"{run['augmentation']} {hundredths(run['test_accuracy'][-1])}" for run in found["runs"])
    caption = (
        "α-NormEC at β = γ = 0.1 under each reading of the augmentation, which the paper does not print; dotted, the printed final "
        f"accuracy, {hundredths(found['printed'])} ({found['id']}). After the last round: {ends}."
    )
    return figure("augmentations", caption), {"augmentations": draw(paint, columns=2)}


def participation(found: Rows) -> tuple[Markup, dict[str, bytes]]:
    """The runs of Fed-α-NormEC by round and by communications, as Figures 1 and 2 have them."""
    if not found:
        return Markup(""), {}
    cells = list(dict.fromkeys(map(_cell, found)))

    def paint(left: Any, right: Any) -> None:
        for run in found:
            each = run["participation"] * run["clients"]
            known = [(k, v) for k, v in enumerate(run["test_accuracy"], start=1) if v is not None]
            look: dict[str, Any] = {
                "color": PALETTE[cells.index(_cell(run)) % len(PALETTE)],
                "linestyle": DASHES.get(run["participation"], "--"),
                "marker": "",
                "linewidth": 0.9,
                "label": f"β = {run['beta']:g}, γ = {run['gamma']:g}, p = {run['participation']:g}",
            }
            for axes, unit in ((left, 1), (right, each)):
                axes.plot([k * unit for k, _ in known], [v for _, v in known], **look)
        for axes, told in ((left, "round"), (right, "communications, k·p·M")):
            axes.axhline(TARGET, color="black", linewidth=0.5, linestyle="-.")
            axes.set(xlabel=told, ylabel="test accuracy, %")
        left.figure.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=3)

    caption = (
        "Fed-α-NormEC, private, 20 clients: full runs by round, and by messages sent, as its Figures 1 and 2 show them; dash-dotted, "
        f"{TARGET:g}%."
    )
    return figure("participation", caption), {"participation": draw(paint, columns=2)}


def _cell(run: Mapping[str, Any]) -> tuple[float, float]:
    return run["beta"], run["gamma"]


def runs(curves: Rows) -> tuple[Markup, dict[str, bytes]]:
    """Accuracy and loss by round, full runs and reduced runs in figures of their own: of each method, private or not, with and
    without server normalisation, the best run first."""
    body, figures = Markup(""), {}
    for full, name, what in ((True, "curves-full", "Full runs"), (False, "curves-reduced", "Reduced runs")):
        chosen = [curve for curve in curves if curve["full"] == full and len(curve["test_accuracy"]) > 1]
        if not chosen:
            continue
        chosen = sorted(chosen, key=lambda c: -max([a for a in c["test_accuracy"] if a is not None] or [0]))
        per_kind: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
        for curve in chosen:
            per_kind.setdefault(tuple(curve["kind"]), []).append(curve)
        first_of_each = (line for lines in zip_longest(*per_kind.values()) for line in lines if line)
        shown = list(first_of_each)[:CURVES]

        def paint(left: Any, right: Any, shown: Rows = shown, full: bool = full) -> None:
            for index, curve in enumerate(shown):
                # reduced runs go over different numbers of images in a round
                unit = 1 if full else curve["images"]
                for axes, values in ((left, curve["test_accuracy"]), (right, curve["train_loss"])):
                    known = [
                        (k * unit, value) for k, value in enumerate(values, start=1) if value is not None
                    ]
                    look = style(index) | {"markevery": every(len(known), 6, index)}
                    axes.plot(*zip(*known, strict=True), label=protocol.named(curve["label"]), **look)
            for axes, what in ((left, "test accuracy, %"), (right, "training loss")):
                axes.set(xlabel="round" if full else "images seen", ylabel=what)
                axes.set_xscale("linear" if full else "log")
            lines, names = left.get_legend_handles_labels()
            columns = 2 if max(map(len, names)) <= BESIDE else 1
            left.figure.legend(lines, names, fontsize=5.5, loc="outside lower center", ncols=columns)

        figures[name] = draw(paint, columns=2)
        count = (
            f"{len(shown)} of the {len(chosen)} runs of more than one round, the best of each kind first; accuracy where it was "
            "tested."
        )
        body += figure(name, f"{what} on CIFAR-10 with ResNet-20: {count}")
    return body, figures
