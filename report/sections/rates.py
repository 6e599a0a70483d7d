"""Rates of the printed schedules, methods at equal sensitivity, and DP-NormFedAvg's Appendix F."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from report.plots import draw, every, style
from report.section import Available, Results, Section
from report.sections.chapter import Part, chapter
from report.typst import Markup, badge, figure, formula, join, number, paragraph, table

Built = tuple[Markup, dict[str, bytes], list[str]]


def build(results: Results) -> Section:
    """The chapter from the results `rates`, `methods` and `appendix_f`."""
    parts = (
        Part("rates", "Rates of the printed schedules", _rates),
        Part("methods", "Methods at equal sensitivity", _methods),
        Part("appendix_f", "DP-NormFedAvg's Appendix F", _appendix_f),
    )
    return chapter("Rates, comparisons, redrawn figures", parts, results)


def _rates(result: Available) -> Built:
    found: Sequence[Mapping[str, Any]] = result.value
    rows = []
    for rate in found:
        interval = (
            f"{number(rate['low'], 2)} to {number(rate['high'], 2)}" if rate["low"] is not None else "–"
        )
        rows.append(
            [rate["schedule"], rate["problem"], rate["printed"], number(rate["exponent"], 2), number(rate["slope"], 2),
             interval, "yes" if rate["shallower"] else "no", number(rate["largest_share"], 2)]
        )  # fmt: skip
    shallower = sorted({rate["schedule"] for rate in found if rate["shallower"]})
    body = paragraph(
        "min_{k ≤ K} ‖∇f(x^k)‖ ∼ (K + 1)^{−slope}, fitted over K for each instance alone; the interval is Student's at ",
        "95% over instances. An upper bound is contradicted, as K grows, by a slope below the printed one; a steeper ",
        f"slope contradicts nothing. Slopes wholly below the printed exponent: {', '.join(shallower) or 'none'}.",
    )
    body += table(
        [
            "schedule",
            "family",
            "printed",
            "exponent",
            "slope",
            "95% interval",
            "below",
            "largest measured / bound",
        ],
        rows,
        widths=["1.2fr", "1fr", "1fr", *["auto"] * 4, "1.7cm"],
        align=["left", "left", "left", "right", "right", "right", "left", "right"],
        size="7.4pt",
    )
    families = list(dict.fromkeys(rate["problem"] for rate in found))

    def paint(*axes: Any) -> None:
        for place, family in zip(axes, families, strict=True):
            for index, rate in enumerate(r for r in found if r["problem"] == family):
                K = [k + 1 for k in rate["K"]]
                place.loglog(K, rate["measured"], label=rate["schedule"], **style(index))
            place.set(xlabel="K + 1", title=family)
        axes[0].set(ylabel="smallest ‖∇f‖ up to K")
        axes[-1].legend(fontsize=5, loc="center left", bbox_to_anchor=(1.02, 0.5))

    caption = "Measured decay under each printed schedule; geometric means over instances."
    body += figure("rates", caption)
    return body, {"rates": draw(paint, columns=len(families), size=(7, 2.3))}, []


def _methods(result: Available) -> Built:
    found: Sequence[Mapping[str, Any]] = result.value
    noises = list(dict.fromkeys(entry["noise"] for entry in found))
    body = paragraph(
        "Each method with the best server step of one grid, all with the same bound on what a client sends in a ",
        "round, so that equal noise is equal privacy. Horizontally: how far the clients' optima lie apart.",
    )
    winners = []
    for noise in noises:
        for spread in dict.fromkeys(e["spread"] for e in found):
            here = [e for e in found if e["noise"] == noise and e["spread"] == spread]
            best = min(here, key=lambda entry: entry["best"])
            ours = next((e for e in here if e["method"] == "α-NormEC"), None)
            winners.append(
                [number(noise), number(spread), best["method"], f"{number(best['best'])} ± {number(best['error'], 2)}",
                 f"{number(ours['best'])} ± {number(ours['error'], 2)}" if ours else "–"]
            )  # fmt: skip
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
                    place.plot(spreads, [max(e["best"], 1e-16) for e in mine], label=name, **style(index))
            place.set(xscale="symlog", yscale="log", xlabel="spread of the optima", title=f"noise {noise:g}")
        axes[0].set(ylabel="smallest mean ‖∇f‖")
        axes[0].legend(fontsize=5)

    body += figure("methods", "Best result of each method against heterogeneity, without and with noise.")
    return body, {"methods": draw(paint, columns=len(noises), size=(6.6, 2.5))}, []


def _appendix_f(result: Available) -> Built:
    data: Mapping[str, Any] = result.value
    setting, sentences = data["setting"], data["sentences"]
    printed = ", ".join(
        f"{name} = {number(setting[name])}" for name in ("n", "d", "rank", "K", "E", "epsilon", "delta")
    )
    C, eta = (", ".join(number(value) for value in setting[name]) for name in ("C", "eta"))
    body = paragraph(
        f"The printed problem: {printed}; {number(setting['runs'])} runs in which both methods see the same noise; ",
        f"C in {{{C}}}, η in {{{eta}}}. The constant q is not printed; here q = {number(setting['q'])}. ",
        "" if data["whole"] else "A part of the grid; the full profile runs all of it.",
    )
    rows = []
    for sentence in sentences:
        measured = "; ".join(f"{name}: {number(value)}" for name, value in sentence["measured"].items())
        failing = ", ".join(sentence["exceptions"][:3]) + (" …" if len(sentence["exceptions"]) > 3 else "")
        verdict = "holds" if sentence["holds"] else "does not hold"
        details = [formula(f"Rule: {sentence['rule']}. {number(sentence['cases'])} cases. {measured}.")]
        if failing:
            details.append(formula(f"Fails at {failing}."))
        rows.append([f"Figure {sentence['figure']}", sentence["printed"], badge(verdict), join(details, " ")])
    body += table(
        ["figure", "the caption says", "here", "why"],
        rows,
        widths=["auto", "1fr", "auto", "1.2fr"],
        size="7.6pt",
    )
    figures = {
        "das-f2": _grid(data, "suboptimality", "f(w_k) − f(w⋆)"),
        "das-f3": _grid(data, "snr", "SNR"),
    }
    body += figure(
        "das-f2", "Figure 2 redrawn: suboptimality, mean over the runs; rows: η, columns: C, start I1."
    )
    body += figure("das-f3", "Figure 3 redrawn: signal-to-noise ratio of the update, start I1.")
    return body, figures, []


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
                place.set_title(f"C = {threshold:g}, η = {step:g}", fontsize=6)
                place.tick_params(labelsize=5)
        axes[0].legend(fontsize=5.5)
        axes[0].set_ylabel(label)

    return draw(paint, rows=len(eta), columns=len(C), size=(6.8, 1.35 * len(eta) + 0.2), share_x=True)
