"""DP-NormFedAvg's Appendix F: its Figures 2 to 4 redrawn, and what their captions say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from report.plots import draw, every, style
from report.section import Available
from report.sections.chapter import Built
from report.sections.witness import letters
from report.typst import Markup, badge, figure, formula, join, number, paragraph, table, written


def build(result: Available) -> Built:
    """The part from the result `appendix_f`."""
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
        "round for Figure 3. The rules were written together with the first runs at q = 1, not before them. ",
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
        ["figure", "the paper says", "here", "why"],
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
        "Figure 2 redrawn: suboptimality, mean over the runs; rows: η, columns: C; start I1. Each panel has its own scale.",
        width="90%",
    )
    body += figure(
        "das-f3",
        "Figure 3 redrawn: signal-to-noise ratio of the update; start I1. Each panel has its own scale.",
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
            place.set(title=f"C = {C:g}, η = {eta:g}", xlabel="along $w_0 - w^*$", ylabel="across")
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

    return draw(paint, rows=len(eta), columns=len(C), size=(6.8, 0.97 * len(eta) + 0.2), share_x=True)
