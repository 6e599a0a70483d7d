"""Toy problems: Example 1 told, bounds over measured traces, how close search comes to breaking each
bound."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from report.plots import draw, every, style
from report.section import Available, Results, Section
from report.sections.chapter import Built, Part, chapter
from report.typst import (
    Markup,
    figure,
    formula,
    heading,
    join,
    link,
    number,
    paragraph,
    sentence,
    table,
    written,
)
from report.verdicts import claims, title


def build(results: Results) -> Section:
    """The chapter from the results `example1`, `overlays` and `falsifier`, the last beside the verdicts of `verify`."""
    verdicts = {claim["id"]: claim["verdict"] for claim in claims(results["verify"])}
    parts = (
        Part("example1", "Example 1: where DP-SGD stands still", _example1),
        Part("overlays", "Bounds over measured traces", _overlays),
        Part(
            "falsifier",
            "Tightness: how close a search comes to breaking each bound",
            lambda result: _falsifier(result, verdicts),
        ),
    )
    return chapter("Toy problems and tightness", parts, results)


def _example1(result: Available) -> Built:
    told: Mapping[str, Any] = result.value
    start, target = told["x0"], told["minimiser"]
    still = [c["label"] for c in told["curves"] if set(c["x"]) == {start}]
    arrived = [c["label"] for c in told["curves"] if abs(c["x"][-1] - target) <= 0.05 * abs(start - target)]
    body = paragraph(
        f"Two clients, one variable, no noise, x⁰ = {number(start)}, minimiser x^* = {number(target)}. ",
        f"Of the methods drawn, these never move: {'; '.join(still) or 'none'}. ",
        f"These end within 5% of the way from x^*: {'; '.join(arrived) or 'none'}.",
    )

    def paint(axes: Any) -> None:
        for index, curve in enumerate(told["curves"]):
            x = curve["x"]
            axes.plot(
                range(len(x)), x, label=curve["label"], markevery=every(len(x), 7, 2 * index), **style(index)
            )
        axes.axhline(target, color="#888888", lw=0.6)
        axes.set(xlabel="round k", ylabel="xᵏ")
        axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5))

    body += figure("example1", "Iterates on Example 1. The grey line is x^*.", width="88%")
    for name, letter in (("clipping", "τ"), ("smoothed", "α")):
        endings = told[name]
        stalls = [number(e["parameter"]) for e in endings if e["stalls"]]
        rows = [
            [
                number(e["parameter"]),
                "no" if e["stalls"] else "yes",
                number(e["last_x"], 4),
                number(e["predicted"]),
            ]
            for e in endings
        ]
        body += table(
            [letter, "moves at all", "last x", "stationary point by analysis"],
            rows,
            align=["right", "left", "right", "right"],
            caption=f"DP-SGD without noise, {endings[0]['operator']}, after {number(told['rounds'])} rounds; "
            f"stalls at x⁰ for {letter} in {{{', '.join(stalls)}}}",
        )
    return body, {"example1": draw(paint, size=(6.2, 2.4))}, []


def _overlays(result: Available) -> Built:
    cases: Sequence[Mapping[str, Any]] = result.value
    bounds = list(dict.fromkeys(case["bound"] for case in cases))
    last = " and ".join(number(K) for K in sorted({case["K"][-1] for case in cases}))
    families = list(dict.fromkeys(case["problem"] for case in cases))
    crossed = [f"{case['bound']} on {case['problem']}" for case in cases if case["crossed"]]
    body = paragraph(
        f"{number(len(cases))} cases: {number(len(bounds))} bounds on {number(len(families))} families of problems, ",
        "parameters inside the conditions. Measured: the smallest ‖∇f(x^k)‖ up to K, of its mean where there is ",
        f"randomness. Bounds that a whole interval crosses: {'; '.join(crossed) or 'none'}. These problems do not ",
        f"look for the worst case; the search below does. A bound is vacuous on a problem where, at the last K, {last}, it says no ",
        "more than √(2L(f(x⁰) − f^{inf})), which is known before anything is run. ",
        _vacuous(cases, bounds),
    )
    rows = []
    for bound in bounds:
        mine = [case for case in cases if case["bound"] == bound]
        closest = max(mine, key=lambda case: case["tightness"])
        idle = sum(case["limit"][-1] >= case["without_running"] for case in mine)
        rows.append(
            [link(f"claim:{bound}", bound), _source(closest["source"]), number(closest["tightness"]), closest["problem"],
             f"{number(idle)} of {number(len(mine))}"]
        )  # fmt: skip
    caption = "For each bound the case that comes closest: bound and measurement against K + 1. Dotted: what is known "
    body += figure("overlays", caption + "before anything is run. Each panel has its own scale.")
    body += table(
        ["bound", "source", "largest measured / bound", "on", "vacuous in"],
        rows,
        widths=["auto", "1fr", "auto", "auto", "auto"],
        align=["left", "left", "right", "left", "right"],
        size="7.4pt",
        inset="2.4pt",
    )
    return body, {"overlays": _traces(cases, bounds)}, []


def _traces(cases: Sequence[Mapping[str, Any]], bounds: Sequence[str]) -> bytes:
    """A panel for each bound: the case that comes closest to it."""
    shown = [max((c for c in cases if c["bound"] == b), key=lambda c: c["tightness"]) for b in bounds]
    columns = 4
    height = -(-len(shown) // columns)

    def paint(*axes: Any) -> None:
        for place, case in zip(axes, shown, strict=False):
            K = [k + 1 for k in case["K"]]
            place.loglog(K, case["limit"], label="bound", markevery=every(len(K), 4), **style(0))
            place.loglog(K, case["measured"], label="measured", markevery=every(len(K), 4), **style(1))
            place.axhline(case["without_running"], color="#777777", lw=0.7, ls=":")
            place.set_title(case["bound"], fontsize=6)
            place.tick_params(labelsize=5)
        for place in axes[len(shown) :]:
            place.axis("off")
        for place in axes[::columns]:
            place.set_ylabel("‖∇f‖", fontsize=6)
        for place in axes[max(0, len(shown) - columns) : len(shown)]:
            place.set_xlabel("K + 1", fontsize=6)
        lines, names = axes[0].get_legend_handles_labels()
        axes[0].figure.legend(lines, names, fontsize=6, loc="outside lower center", ncols=2)

    return draw(paint, rows=height, columns=columns, size=(6.8, 1.28 * height + 0.2))


def _vacuous(cases: Sequence[Mapping[str, Any]], bounds: Sequence[str]) -> str:
    """Which bounds say nothing on most of their problems."""
    told = []
    for bound in bounds:
        idle = [case["limit"][-1] >= case["without_running"] for case in cases if case["bound"] == bound]
        if 2 * sum(idle) > len(idle):
            told.append(f"{bound} ({number(sum(idle))} of {number(len(idle))})")
    return f"Vacuous on most of them: {', '.join(told)}." if told else "None is vacuous on most of them."


def _source(text: str) -> str:
    """Where a bound stands, its paper by name."""
    paper, _, place = text.partition(", ")
    return f"{title(paper)}, {place}"


COORDINATE = ("@coordinate", "@T=1,per-coordinate", "@per-coordinate")
"""How the ids of claims end that read the noise as that of each coordinate."""


def refuted(entry: Mapping[str, Any], verdicts: Mapping[str, str]) -> str:
    """The claim that refutes the bound of an attack, as the attack reads it; "" where none does. What a search does not break
    may be false all the same."""
    bound, reading = entry["bound"], entry["reading"]
    several = reading.startswith("per coordinate") and not reading.endswith(
        "d = 1"
    )  # with one they are the same noise
    readings = [bound + end for end in COORDINATE] if several else []
    return next((name for name in (*readings, bound) if verdicts.get(name) == "refuted"), "")


def _falsifier(result: Available, verdicts: Mapping[str, str]) -> Built:
    entries: Sequence[Mapping[str, Any]] = result.value["attacks"]
    left_out: Mapping[str, str] = result.value["not_attacked"]
    broken = list(dict.fromkeys(entry["bound"] for entry in entries if entry["broken"]))
    total = sum(entry["instances"] for entry in entries)
    body = paragraph(
        f"{number(total)} instances in all, every one inside the bound's conditions. A bound is broken by a ratio above 1 ",
        "that is replayed in exact fractions, or, in expectation, by a confidence interval above 1 that a longer run ",
        f"confirms. Broken: {', '.join(broken) or 'none'}. A ratio below 1 is how loose the bound is, as far as the search could ",
        "see; what it did not break may be refuted in another way, and then that is said. An exact witness is the instance with ",
        "its numbers rounded to short fractions, so that its ratio can be smaller than the largest one. For an expectation the ",
        "ratio is that of the smallest mean up to K; where that is the one at the start, which is known exactly, it is the upper end ",
        "of its interval. “(repaired)”: the corrected form; “@feedback”: the corollary with the condition β < α + R that its ",
        "theorem has; ",
        "“with c”: with the variance of the number of clients drawn.",
    )
    caption = "Tightness of each bound, over all attacks on it. Cross: broken. Half-filled: not broken by this search, but refuted. "
    body += figure(
        "tightness", caption + "Circle: neither. The line is at one; the ratio stands on the right."
    ) + _attacks(entries, verdicts)
    body += table(
        ["not attacked", "why"],
        [
            [
                join((link(f"claim:{name}", name) for name in left_out if left_out[name] == why), ", "),
                sentence(why),
            ]
            for why in dict.fromkeys(left_out.values())
        ],
        widths=["5cm", "1fr"],
        align=["left", "left"],
    )
    return body, {"tightness": _tightness(entries, verdicts)}, []


def _tightness(entries: Sequence[Mapping[str, Any]], verdicts: Mapping[str, str]) -> bytes:
    """The largest ratio of each bound, in two panels."""
    finite = [entry for entry in _largest(entries) if 0 < entry["ratio"] < float("inf")]
    half = -(-len(finite) // 2)

    def paint(*panels: Any) -> None:
        for axes, members in zip(panels, (finite[:half], finite[half:]), strict=True):
            for index, entry in enumerate(members):
                known = bool(refuted(entry, verdicts))
                round_one = {
                    "marker": "o",
                    "fillstyle": "left" if known else "full",
                    "markerfacecolor": "#111111" if known else "white",
                    "markerfacecoloralt": "white",
                }
                look = {"marker": "X"} if entry["broken"] else round_one
                axes.plot([entry["ratio"]], [index], color="#111111", ls="none", ms=4.5, zorder=3, **look)
            axes.axvline(1.0, color="#111111", lw=0.8, zorder=1)
            axes.set_yticks(range(len(members)), [entry["bound"] for entry in members], fontsize=6)
            axes.set(xscale="log", ylim=(half - 0.4, -0.6), xlabel="largest measured / bound")
            beside = axes.twinx()
            beside.set_ylim(axes.get_ylim())
            beside.set_yticks(range(len(members)), [plain(entry["ratio"]) for entry in members], fontsize=5.5)
            beside.tick_params(length=0)
            beside.grid(visible=False)
        low, high = zip(*(axes.get_xlim() for axes in panels), strict=True)
        for axes in panels:
            axes.set_xlim(min(low), max(high))

    return draw(paint, columns=2, size=(6.8, 0.16 * half + 0.7))


def plain(ratio: float) -> str:
    """A ratio in a figure: four digits, no exponent."""
    return f"{ratio:.4g}" if ratio < 1e4 else f"{ratio:.0f}"


def _largest(entries: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """For each bound the attack that came highest; one that broke it, if any did."""
    bounds = dict.fromkeys(entry["bound"] for entry in entries)
    return [
        max((e for e in entries if e["bound"] == bound), key=lambda e: (e["broken"], e["ratio"]))
        for bound in bounds
    ]


def _attacks(entries: Sequence[Mapping[str, Any]], verdicts: Mapping[str, str]) -> Markup:
    """A table for each family of instances, a line for each attack."""
    families: dict[str, list[Mapping[str, Any]]] = {}
    for entry in entries:
        families.setdefault(": ".join(filter(None, (entry["family"], entry["reading"]))), []).append(entry)
    return heading("Each attack", 3) + join(
        table(
            ["bound", "largest ratio", "instances", "what decided"],
            [
                [link(f"claim:{entry['bound']}", entry["bound"]), number(entry["ratio"], 4), number(entry["instances"]),
                 _decided(entry, verdicts)]
                for entry in members
            ],
            widths=["4.2cm", "1.8cm", "1.6cm", "1fr"],
            align=["left", "right", "right", "left"],
            size="7.6pt",
            caption=sentence(family).rstrip("."),
        )
        for family, members in families.items()
    )  # fmt: skip


def _decided(entry: Mapping[str, Any], verdicts: Mapping[str, str]) -> Markup:
    """Why the attack ended as it did, and which claim refutes what it did not break."""
    name = "" if entry["broken"] else refuted(entry, verdicts)
    told = formula(decided(entry["reason"]))
    return told + formula("; refuted, see ") + link(f"claim:{name}", name) if name else told


def decided(reason: str) -> str:
    """Why an attack ended as it did, without the number of instances and the ratio, which have columns of their own."""
    rest = re.sub(r"^no instance of \d+ came above \S+ of the bound(; |$)", "", reason)
    return written(rest) or "no instance above this"
