"""Rates of the printed schedules, methods at equal sensitivity, and DP-NormFedAvg's Appendix F."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from report.plots import draw, every, legend_below, style
from report.section import Available, Results, Section
from report.sections import compared
from report.sections.chapter import Built, Part, chapter
from report.sections.witness import letters
from report.typst import Markup, badge, figure, formula, join, number, paragraph, table, written

DECIDED = ("as fast or faster", "shallower")
"""What `toy_problems.rates` says of a slope that tells something of the printed exponent."""
SHOWN = 1e-9
"""Gradients smaller than this are not drawn."""


def build(results: Results) -> Section:
    """The chapter from the results `rates`, `methods` and `appendix_f`."""
    parts = (
        Part("rates", "Rates of the printed schedules", _rates),
        Part("methods", "Methods at equal sensitivity", compared.build),
        Part("appendix_f", "DP-NormFedAvg's Appendix F", _appendix_f),
    )
    return chapter("Rates, comparisons, redrawn figures", parts, results)


def _rates(result: Available) -> Built:
    data: Mapping[str, Any] = result.value
    found, hardest = data["rates"], data["hardest"]
    rows = []
    told = [rate for rate in found if rate["judgement"] in DECIDED or rate["problem"] == hardest]
    left = Counter(rate["judgement"] for rate in found if rate not in told)
    for rate in told:
        interval = (
            f"{number(rate['low'], 2)} to {number(rate['high'], 2)}" if rate["low"] is not None else "–"
        )
        reach = "–" if rate["reach"] is None else number(rate["reach"][0], 2)
        rows.append(
            [rate["schedule"], rate["problem"], number(rate["start"], 2), reach, _fraction(rate["exponent"]),
             number(rate["slope"], 2), interval, number(rate["late"], 2), rate["judgement"], number(rate["largest_share"], 2)]
        )  # fmt: skip
    shallower = sorted({rate["schedule"] for rate in found if rate["judgement"] == "shallower"})
    never = sorted(
        {r["schedule"] for r in found if not r["arrives"] and r["problem"] != hardest}
        - {r["schedule"] for r in found if r["arrives"] and r["problem"] != hardest}
    )
    body = paragraph(
        "min_{k ≤ K} ‖∇f(x^k)‖ ∼ (K + 1)^{−slope}, fitted over K for each instance alone; the interval is Student's at ",
        "95% over instances, and “late” is the slope over the upper half of the K. “Start” is ‖x⁰ − x^*‖, “printed” the exponent ",
        "that the paper states, “largest share” the largest measured / bound. An upper bound is contradicted, as K ",
        f"grows, by a slope below the printed one: {', '.join(shallower) or 'none is'}. “Reach” is the length of all steps ",
        "together over the distance to the minimiser, at the smallest K: below 1 a run cannot arrive, its slope says ",
        "nothing of the rate, and the schedule is run again from nearer by. Schedules that arrive from neither start, because ",
        f"the path shrinks with its distance: {', '.join(never) or 'none'}. Of {number(len(found))} lines the table ",
        f"shows the {number(len(told))} that say something of a rate; the others are: ",
        "; ".join(f"{what} ({number(count)})" for what, count in left.most_common()) or "none",
        ".",
    )
    body += table(
        ["schedule", "family", "start", "reach", "printed", "slope", "95% interval", "late", "says", "largest share"],
        rows,
        widths=["1fr", *["auto"] * 9],
        align=["left", "left", *["right"] * 6, "left", "right"],
        size="6.8pt",
    )  # fmt: skip
    attained = [rate for rate in found if rate["problem"] == hardest]
    body += paragraph(
        f"“{hardest[0].upper()}{hardest[1:]}”: f is as flat as a fixed f(x⁰) − f^inf allows without the run coming to its ",
        "end, another f for each K. A rate that holds for all functions cannot be faster than there. Late slopes and ",
        "printed exponents: ",
        "; ".join(f"{r['schedule']} {number(r['late'], 4)} and {_fraction(r['exponent'])}" for r in attained)
        or "not run",
        ".",
    )
    body += figure(
        "rates",
        "Measured decay under each printed schedule that arrives; geometric means over instances; what lies below 10⁻⁹ is not drawn.",
    )
    memory, pictures = _memories(data["memories"])
    return body + memory, {"rates": _decay(found, hardest), **pictures}, []


def _fraction(exponent: float | None) -> str:
    """An exponent as the fraction that is printed."""
    if exponent is None:
        return "–"
    near = Fraction(exponent).limit_denominator(24)
    return str(near) if abs(float(near) - exponent) < 1e-9 else number(exponent, 2)


def _decay(found: Sequence[Mapping[str, Any]], hardest: str) -> bytes:
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
            place.set(xlabel="K + 1", title=family)
        for place in axes[::2]:
            place.set(ylabel="smallest ‖∇f‖ up to K")
        for place in axes:
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
        f"for the start once, says so. α-NormEC, {number(found[0]['K'])} rounds:",
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
        right.set(xlabel="R", ylabel="rounds until the residuals are R/2")
        legend_below((left, right), 4)

    caption = (
        f"Left: over these R Theorem 1's bound grows up to {grown('bound')} times, that of NEC-OUR-T1-FORGETS up to "
        f"{grown('forgets')} times (both drawn for the first family), what is measured up to {grown('measured')} times. "
        "Right: the time that the memories need."
    )
    return body + figure("memories", caption), {"memories": draw(paint, columns=2, size=(6.6, 2.6))}


def _appendix_f(result: Available) -> Built:
    data: Mapping[str, Any] = result.value
    setting, sentences = data["setting"], data["sentences"]
    printed = ", ".join(
        f"{letters(name)} = {number(setting[name])}"
        for name in ("n", "d", "rank", "K", "E", "epsilon", "delta")
    )
    C, eta = (", ".join(number(value) for value in setting[name]) for name in ("C", "eta"))
    body = paragraph(
        f"The printed problem: {printed}; {number(setting['runs'])} runs in which both methods see the same noise; ",
        f"C in {{{C}}}, η in {{{eta}}}. The constant q is not printed; here q = {number(setting['q'])}. ",
        "I1 is the paper's start w^* + z with z uniform on (0, 1) in each coordinate, I2 is w^* + z/5. “clip” is DP-FedAvg with ",
        "clipping, “norm” DP-NormFedAvg; a ratio is clipping's value over normalisation's for Figures 2 and 4, and the other way ",
        "round for Figure 3. ",
        "" if data["whole"] else "A part of the grid; the full profile runs all of it.",
    )
    rows = []
    for sentence in sentences:
        measured = "; ".join(f"{name}: {_near_one(value)}" for name, value in sentence["measured"].items())
        failing = ", ".join(sentence["exceptions"][:3]) + (" …" if len(sentence["exceptions"]) > 3 else "")
        verdict = "holds" if sentence["holds"] else "does not hold"
        details = [
            formula(written(f"Rule: {sentence['rule']}. {number(sentence['cases'])} cases; {measured}."))
        ]
        if failing:
            details.append(formula(f"Fails at {failing}."))
        rows.append([f"Figure {sentence['figure']}", sentence["printed"], badge(verdict), join(details, " ")])
    body += table(
        ["figure", "the caption says", "here", "why"],
        rows,
        widths=["auto", "1fr", "auto", "1.2fr"],
        size="7.6pt",
    )
    if data["scan"]:
        body += _scan(data["scan"])
    figures = {
        "das-f4": _paths(data),
        "das-f2": _grid(data, "suboptimality", "$f(w_k) - f(w^*)$"),
        "das-f3": _grid(data, "snr", "SNR"),
    }
    body += figure(
        "das-f2",
        "Figure 2 redrawn: suboptimality, mean over the runs; rows: η, columns: C; start I1.",
        width="90%",
    )
    body += figure(
        "das-f3",
        "Figure 3 redrawn: signal-to-noise ratio of the update; start I1.",
        width="90%",
    )
    body += figure(
        "das-f4",
        f"Figure 4 redrawn: the mean over the runs, smoothed over {number(data['trajectories']['smooth'])} rounds, in the "
        "plane of the start, the optimum (cross) and the widest direction across.",
        width="90%",
    )
    return body, figures, []


def _near_one(value: float) -> str:
    """A number with the digits that tell it from 1."""
    return next((text for digits in range(3, 10) if (text := number(value, digits)) != "1"), "1")


def _scan(pictures: Sequence[Mapping[str, Any]]) -> Markup:
    """What the constant q, which the paper does not print, does to the sentences."""
    rows = []
    for picture in pictures:
        sentences, gained = picture["sentences"], picture["progress"].values()
        kept = [sentence for sentence in sentences if sentence["holds"]]
        rows.append(
            [
                number(picture["q"]),
                f"{len(kept)} of {len(sentences)}",
                number(min(gained), 3),
                number(max(gained), 3),
            ]
        )
    return paragraph(
        "The same sentences under other values of q, on the captions' own C and η, with how far normalisation comes: its "
        "final over its initial suboptimality."
    ) + table(["q", "sentences that hold", "final / initial, best", "worst"], rows, align=["right"] * 4)


def _paths(data: Mapping[str, Any]) -> bytes:
    """Figure 4: a panel for each case."""
    paths = data["trajectories"]

    def paint(*axes: Any) -> None:
        for place, (C, eta), case in zip(axes, paths["cases"], paths["plane"], strict=True):
            for m, method in enumerate(data["methods"]):
                x, y = zip(*case[m], strict=True)
                place.plot(x, y, label=method, markevery=every(len(x), 5, 2 * m), **style(m))
            place.plot([0], [0], linestyle="none", marker="x", color="black", markersize=7, label="optimum")
            place.set(title=f"C = {C:g}, η = {eta:g}", xlabel="along $w_0 - w^*$")
        axes[0].set(ylabel="across")
        axes[0].legend()

    return draw(paint, columns=len(paths["cases"]), size=(6.6, 2.0))


def _grid(data: Mapping[str, Any], name: str, label: str) -> bytes:
    C, eta, rounds = data["setting"]["C"], data["setting"]["eta"], [k + 1 for k in data["rounds"]]

    def paint(*axes: Any) -> None:
        for e, step in enumerate(eta):
            for c, threshold in enumerate(C):
                place = axes[e * len(C) + c]
                for m, method in enumerate(data["methods"]):
                    curve = data[name][m][0][c][e]
                    place.semilogy(
                        rounds, curve, label=method, markevery=every(len(rounds), 4, 2 * m), **style(m)
                    )
                place.set_title(f"C={threshold:g}, η={step:g}", fontsize=5.5)
                place.tick_params(labelsize=5)
        for place in axes[:: len(C)]:
            place.set_ylabel(label, fontsize=6)
        for place in axes[-len(C) :]:
            place.set_xlabel("round", fontsize=6)
        axes[0].legend(fontsize=5.5)

    return draw(paint, rows=len(eta), columns=len(C), size=(6.8, 1.22 * len(eta) + 0.2), share_x=True)
