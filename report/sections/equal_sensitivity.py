"""Methods at equal sensitivity: which is best at each noise and heterogeneity."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from report.plots import draw, legend_below, style
from report.section import Available
from report.sections.chapter import Built
from report.typst import figure, number, paragraph, table
from toy_problems.comparison import ALPHA

FLOOR = 1e-6
"""Where smaller results of the methods are drawn."""
TOUCH = 1.1
"""Lines whose values differ by no greater factor lie on one another in the figure."""
OURS = "α-NormEC"


def build(result: Available) -> Built:
    found: Sequence[Mapping[str, Any]] = result.value
    noises = list(dict.fromkeys(entry["noise"] for entry in found))
    body = paragraph(
        "Each method with the best of a grid of server steps and, where it has one, of a grid of β or τ, which bounds what a client ",
        "sends in a round. Noise is its standard deviation in each coordinate over that bound, so that equal noise is equal ",
        "privacy; gradient descent and EF21, whose messages have no bound, stand beside them where there is no noise. ",
        f"α = {number(ALPHA)}. Heterogeneity is how far the clients' optima lie apart; ± is a standard error.",
    )
    winners = []
    for noise in noises:
        for spread in dict.fromkeys(e["spread"] for e in found):
            here = [e for e in found if e["noise"] == noise and e["spread"] == spread]
            best = min(here, key=lambda entry: entry["best"])
            ours = next((e for e in here if e["method"] == OURS), None)
            winners.append(
                [number(noise), number(spread), best["method"], f"{number(best['best'])} ± {number(best['error'], 2)}",
                 f"{number(ours['best'])} ± {number(ours['error'], 2)}" if ours else "–"]
            )  # fmt: skip
    body += paragraph(*(_compared(found, noise) for noise in noises))
    body += table(
        ["noise", "heterogeneity", "smallest ‖∇f‖ by", "it reaches", "α-NormEC reaches"],
        winners,
        widths=["auto", "auto", "1fr", "auto", "auto"],
        align=["right", "right", "left", "right", "right"],
    )

    def paint(*axes: Any) -> None:
        names = list(dict.fromkeys(entry["method"] for entry in found))
        for place, noise in zip(axes, noises, strict=True):
            for index, name in enumerate(names):
                mine = [e for e in found if e["method"] == name and e["noise"] == noise]
                if mine:
                    spreads = [e["spread"] for e in mine]
                    place.plot(spreads, [max(e["best"], FLOOR) for e in mine], label=name, **style(index))
            place.set(
                yscale="log", xlabel="heterogeneity", ylabel="smallest mean ‖∇f‖", title=f"noise {noise:g}"
            )
            place.set_xticks(sorted({e["spread"] for e in found}))
        legend_below(axes, 4)

    body += figure(
        "methods",
        "Methods at equal sensitivity: best result of each method against heterogeneity. What is below 10⁻⁶ is drawn there."
        + "".join(_lines(found, noise) for noise in noises),
    )
    return body, {"methods": draw(paint, columns=len(noises), size=(6.6, 2.4))}, []


def _lines(found: Sequence[Mapping[str, Any]], noise: float) -> str:
    """Which methods have no line in the panel of a noise, and which lines lie on one another there."""
    drawn: dict[str, dict[float, float]] = {entry["method"]: {} for entry in found}
    for entry in found:
        if entry["noise"] == noise:
            drawn[entry["method"]][entry["spread"]] = max(entry["best"], FLOOR)
    absent = [name for name, line in drawn.items() if not line]
    groups: list[list[str]] = []
    for name, line in drawn.items():
        if line:
            home = next((group for group in groups if _touch(drawn[group[0]], line)), None)
            groups.append([name]) if home is None else home.append(name)
    together = "; ".join(_quoted(group) for group in groups if len(group) > 1)
    why = " (their messages have no bound)" if noise else ""
    told = f" No line at noise {noise:g}: {_quoted(absent)}{why}." if absent else ""
    return told + (f" Lines that lie on one another at noise {noise:g}: {together}." if together else "")


def _touch(one: Mapping[float, float], other: Mapping[float, float]) -> bool:
    return one.keys() == other.keys() and all(
        max(one[at], other[at]) <= TOUCH * min(one[at], other[at]) for at in one
    )


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(f"“{name}”" for name in names)


def _compared(found: Sequence[Mapping[str, Any]], noise: float) -> str:
    """Which methods are best at a noise, at how many heterogeneities, and which beat α-NormEC at all of them by more than
    both standard errors."""
    here = [entry for entry in found if entry["noise"] == noise]
    spreads = dict.fromkeys(entry["spread"] for entry in here)
    groups = [[entry for entry in here if entry["spread"] == spread] for spread in spreads]
    best = Counter(min(group, key=lambda entry: entry["best"])["method"] for group in groups)
    told = "; ".join(f"{name} in {number(count)}" for name, count in best.most_common())
    words = f"With noise {number(noise)}, the best method is {told} of the {number(len(groups))} heterogeneities. "
    ours = [next((e for e in group if e["method"] == OURS), None) for group in groups]
    others = [name for name in dict.fromkeys(entry["method"] for entry in here) if name != OURS]
    better = [
        name
        for name in others
        if all(
            own is not None and any(e["method"] == name and _below(e, own) for e in group)
            for own, group in zip(ours, groups, strict=True)
        )
    ]
    return words + (f"At every one these are clearly below {OURS}: {'; '.join(better)}. " if better else "")


def _below(entry: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether one result is smaller by more than the standard errors of both together."""
    return entry["best"] + entry["error"] + other["error"] < other["best"]
