"""Measured decay under each printed schedule, and what the 2R term does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from report.plots import draw, legend_below, style
from report.section import Available, Results, Section
from report.sections import appendix_f, equal_sensitivity
from report.sections.chapter import Built, Part, chapter
from report.typst import Markup, figure, number, paragraph, table

DECIDED = ("as fast or faster", "shallower")
"""What `toy_problems.rates` says of a slope that tells something of the printed exponent."""
SHOWN = 1e-9
"""Gradients smaller than this are not drawn."""

Rate = Mapping[str, Any]
"""The decay under one schedule on one family of problems."""


def build(results: Results) -> Section:
    """The chapter from the results `rates`, `methods` and `appendix_f`."""
    parts = (
        Part("rates", "Rates of the printed schedules", _rates),
        Part("methods", "Methods at equal sensitivity", equal_sensitivity.build),
        Part("appendix_f", "DP-NormFedAvg's Appendix F", appendix_f.build),
    )
    return chapter("Rates, comparisons, redrawn figures", parts, results)


def _rates(result: Available) -> Built:
    data: Mapping[str, Any] = result.value
    found, hardest = data["rates"], data["hardest"]
    told = [rate for rate in found if rate["judgement"] in DECIDED or rate["problem"] == hardest]
    body = _introduction(found, told, hardest)
    body += table(
        ["schedule", "family", "start", "reach", "printed", "slope", "95% interval", "late", "says", "largest share"],
        [_line(rate) for rate in told],
        widths=["1fr", *["auto"] * 9],
        align=["left", "left", *["right"] * 6, "left", "right"],
        size="6.8pt",
    )  # fmt: skip
    body += paragraph(
        "“As fast or faster”: the interval is nowhere below the printed exponent. “Shallower”: the interval and the late slope are ",
        "below it. “Not told apart”: it lies inside the interval. “Not asymptotic”: the run cannot arrive, or the interval is below ",
        "the exponent and the late slope is not. “At rounding”: too few values lie above rounding errors for a slope. “None ",
        "printed”: there is no exponent to compare with. “No rate is faster”: see the next paragraph.",
    )
    body += _flattest(found, hardest)
    silent = {
        f"{rate['schedule']} (“{rate['printed']}”)": None
        for rate in found
        if rate["exponent"] is None and rate["arrives"]
    }
    body += figure(
        "rates",
        "Measured decay under each printed schedule that arrives; geometric means over instances; what lies below 10⁻⁹ is not drawn."
        + (
            f" No exponent is printed, and no line of the table is there, for {'; '.join(silent)}."
            if silent
            else ""
        ),
    )
    memory, pictures = _memories(data["memories"])
    return body + memory, {"rates": _decay(found, hardest), **pictures}, []


def _introduction(found: Sequence[Rate], told: Sequence[Rate], hardest: str) -> Markup:
    """How rates are measured, and what of them the table, which has those told, leaves out."""
    left = Counter(rate["judgement"] for rate in found if rate not in told)
    grid = [k for rate in found for k in rate["K"]]
    shallower = sorted({rate["schedule"] for rate in found if rate["judgement"] == "shallower"})
    never = sorted(
        {r["schedule"] for r in found if not r["arrives"] and r["problem"] != hardest}
        - {r["schedule"] for r in found if r["arrives"] and r["problem"] != hardest}
    )
    return paragraph(
        "min_{k ≤ K} ‖∇f(x^k)‖ ∼ (K + 1)^{−slope}, fitted over K for each instance alone; the interval is Student's at ",
        "95% over instances, and “late” is the slope over the upper half of the K. “Start” is ‖x⁰ − x^*‖, “printed” the exponent ",
        "that the paper states, “largest share” the largest measured / bound. An upper bound would be contradicted by a slope ",
        f"that stays below the printed one as K grows. Below it at the K measured here, {number(min(grid))} to {number(max(grid))}: ",
        f"{', '.join(shallower) or 'none'}. “Reach” is the length of all steps ",
        "together over the distance to the minimiser, at the smallest K: below 1 a run cannot arrive, its slope says ",
        "nothing of the rate, and the schedule is run again from nearer by. Schedules that arrive from neither start, because ",
        f"the path shrinks with its distance: {', '.join(never) or 'none'}. Of {number(len(found))} lines the table ",
        f"shows the {number(len(told))} that say something of a rate; the others are: ",
        "; ".join(f"{what} ({number(count)})" for what, count in left.most_common()) or "none",
        ".",
    )


def _line(rate: Rate) -> list[str]:
    interval = f"{number(rate['low'], 2)} to {number(rate['high'], 2)}" if rate["low"] is not None else "–"
    reach = "–" if rate["reach"] is None else number(rate["reach"][0], 2)
    return [
        rate["schedule"], rate["problem"], number(rate["start"], 2), reach, _fraction(rate["exponent"]),
        number(rate["slope"], 2), interval, number(rate["late"], 2), rate["judgement"], number(rate["largest_share"], 2),
    ]  # fmt: skip


def _flattest(found: Sequence[Rate], hardest: str) -> Markup:
    """The slopes on the functions on which no rate is faster."""
    attained = [rate for rate in found if rate["problem"] == hardest]
    return paragraph(
        f"“{hardest[0].upper()}{hardest[1:]}”: f is as flat as a fixed f(x⁰) − f^inf allows without the run coming to its ",
        "end, another f for each K. A rate that holds for all functions cannot be faster than there. Late slopes and ",
        "printed exponents: ",
        "; ".join(f"{r['schedule']} {number(r['late'], 4)} and {_fraction(r['exponent'])}" for r in attained)
        or "not run",
        ".",
    )


def _fraction(exponent: float | None) -> str:
    """An exponent as the fraction that is printed."""
    if exponent is None:
        return "–"
    near = Fraction(exponent).limit_denominator(24)
    return str(near) if abs(float(near) - exponent) < 1e-9 else number(exponent, 2)


def _decay(found: Sequence[Rate], hardest: str) -> bytes:
    """A panel for each family, a line for each schedule: from the start from which it arrives."""
    families = list(dict.fromkeys(rate["problem"] for rate in found))
    schedules = list(dict.fromkeys(rate["schedule"] for rate in found))

    def paint(*axes: Any) -> None:
        for place, family in zip(axes, families, strict=True):
            for rate in found:
                if rate["problem"] == family and (rate["arrives"] or family == hardest):
                    K = [k + 1 for k in rate["K"]]
                    place.loglog(
                        K, [max(m, 1e-17) for m in rate["measured"]], label=rate["schedule"],
                        **style(schedules.index(rate["schedule"])),
                    )  # fmt: skip
            place.set_xscale("log", base=2)
            place.set(xlabel="K + 1", ylabel="smallest ‖∇f‖ up to K", title=family)
            place.set(ylim=(max(place.get_ylim()[0], SHOWN), None))
        legend_below(axes, 4)

    rows = -(-len(families) // 2)
    return draw(paint, rows=rows, columns=2, size=(6.6, 0.4 + 1.9 * rows))


def _memories(found: Sequence[Mapping[str, Any]]) -> tuple[Markup, dict[str, bytes]]:
    """What the 2R term does."""
    families = list(dict.fromkeys(row["problem"] for row in found))
    kinds = [kind for kind in dict.fromkeys(row["kind"] for row in found) if kind != "zero"]

    def span(rows: Sequence[Mapping[str, Any]], name: str) -> str:
        values = [row[name] for row in rows]
        return f"{number(min(values), 2)} to {number(max(values), 2)}"

    spans = []
    for family in families:
        mine = [row for row in found if row["problem"] == family]
        largest = number(max(row["share"] for row in mine), 2)
        spans.append([family, *(span(mine, name) for name in ("R", "bound", "forgets", "measured")), largest])
    body = paragraph(
        "What the 2R of Theorem 1 does: one γ and one start, memories at distances R, each client in a direction of its own ",
        "(scattered) or all against the gradient (astray). The bound grows with R and no K reduces it; the residuals of a run ",
        "shrink by β‖r‖/(α + ‖r‖) in a round, so that a far memory costs rounds and not accuracy. NEC-OUR-T1-FORGETS, which pays ",
        "for the start once, says so. Bounds and what was measured are geometric means over the instances; the last ",
        f"column is the largest quotient of an instance. α-NormEC, {number(found[0]['K'])} rounds:",
    )
    body += table(
        ["family", "R", "Theorem 1", "NEC-OUR-T1-FORGETS", "measured", "largest measured / smaller bound"],
        spans,
        widths=["1fr", *["auto"] * 5],
        align=["left", *["right"] * 5],
    )
    paths = [
        [row for row in found if row["problem"] == f and row["kind"] == k] for f in families for k in kinds
    ]

    def grown(name: str) -> str:
        return f"{max(max(row[name] for row in path) / min(row[name] for row in path) for path in paths):.0f}"

    def paint(left: Any, right: Any) -> None:
        for index, path in enumerate(paths):
            R = [row["R"] for row in path]
            label = f"{path[0]['problem']}, {path[0]['kind']}"
            left.loglog(R, [row["measured"] for row in path], label=label, **style(index))
            right.loglog(R, [row["halved"] or float("nan") for row in path], **style(index))
        R = [row["R"] for row in paths[0]]
        for name, label, look in (("bound", "Theorem 1", 7), ("forgets", "NEC-OUR-T1-FORGETS", 6)):
            left.loglog(R, [row[name] for row in paths[0]], label=label, **style(look))
        left.set(xlabel="R", ylabel="smallest ‖∇f‖ up to K")
        right.set(xlabel="R", ylabel="rounds until the\nresiduals are R/2")
        legend_below((left, right), 4)

    caption = (
        f"Left: over these R Theorem 1's bound grows up to {grown('bound')} times, that of NEC-OUR-T1-FORGETS up to "
        f"{grown('forgets')} times (both drawn for the first family), what is measured up to {grown('measured')} times. "
        "Right: the time that the memories need."
    )
    return body + figure("memories", caption), {"memories": draw(paint, columns=2, size=(6.6, 2.6))}
