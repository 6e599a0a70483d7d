"""The experiments: each printed number beside ours, curves, the readings, throughput."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from gpu_benchmarks.reported import FITTED
from gpu_benchmarks.rows import ELSEWHERE
from report.section import Available, Results, Section
from report.sections import curves, fashion, orders, printed_numbers, protocol, sentences
from report.sections.chapter import Built, Part, chapter
from report.sections.fashion import Rows
from report.typst import (
    Markup,
    code,
    escape,
    heading,
    hundredths,
    number,
    paragraph,
    strong,
    table,
)
from report.verdicts import title

TITLE = "Experiments"
NUMBERS = "printed numbers"
"""How the summary ends what it says of the numbers that were not run."""
ORDER = ("reproduced", FITTED, "not reproduced", "not run", ELSEWHERE)

CHANNELS_LAST = "plain, channels last"
"""The variant of plain SGD in the memory layout that ours has on a CPU."""


def build(results: Results) -> Section:
    """The chapter from the results `experiments`, `fashion`, `fashion_again` and `throughput`."""
    parts = (
        Part("experiments", "Printed numbers and ours", _comparison),
        Part("fashion", "DP-NormFedAvg's Table 2(a): Fashion-MNIST", fashion.build),
        Part("fashion_again", "Table 2(a) again, here", fashion.again),
        Part("throughput", "Throughput", _throughput),
    )
    return chapter(TITLE, parts, results)


def _comparison(result: Available) -> Built:
    data: Mapping[str, Any] = result.value
    rule, rows = data["rule"], data["rows"]
    body = paragraph(
        "The rule: a number is reproduced when |ours − printed| ≤ ",
        f"{number(rule['tolerance'])} + {number(rule['z'])} · max(s, {number(rule['floor'])}) · √(1/n + 1/n_{{printed}}), ",
        "in percentage points, with s the standard deviation of our n runs and n_{printed} the number of runs behind the printed ",
        "number (1 where none is given); a deviation that is printed with a number takes the place of ",
        f"{number(rule['floor'])}. For a difference or a spread the first term is 0, or the rounding of what is printed; ",
        "for a number read off a plot it is how well that can be read; of communications it is all that is allowed. ",
        "“Off, of allowed” are both sides of the inequality. ",
        "One choice of readings is used for all numbers of a paper and setting: the one that reproduces the most of them; ",
        "“not run” is said of that choice, and what runs under other readings gave stands in the last column. ",
        "Where ours is told as ≥ or ≤, no cell or round that is missing can bring it back to the printed number; seeds can. ",
        "“Highest” and ",
        f"“final” are test accuracies over the rounds. The rule was written before any full run on CIFAR-10, but for two clauses "
        "that came when results had been seen and that can only make it stricter: that on differences and spreads, and that on ≥ "
        f"and ≤. Of {number(len(rows))} printed numbers: {tally(rows)}. ",
        _fitted(rows),
    )
    for paper in dict.fromkeys(row["paper"] for row in rows):
        body += heading(title(paper), 3) + printed_numbers.rows(
            [row for row in rows if row["paper"] == paper]
        )
    body += orders.pairs(data["orders"]) + orders.repeated(data["repeated"])
    body += orders.overtaken(data["overtaken"], data["shorter"])
    body += sentences.comparisons(data["sentences"])
    shown, by_beta = orders.by_beta(data["curves_of_pairs"])
    body += shown
    maps, figures = printed_numbers.heat_maps(rows)
    begun, so_far = printed_numbers.begun(data["grids"])
    body += maps + printed_numbers.shapes(data["shapes"]) + begun
    lines, drawn = _curves(data)
    drawn |= so_far | by_beta
    body += lines + _reduced(data["reduced"], data["printed_of_reduced"])
    body += protocol.choices(data["choices"])
    body += protocol.ledger(data["options"], rows)
    body += protocol.accuracies(data["accuracies"], rows, data["apart"]) + protocol.changes(data["changes"])
    body += protocol.noise(data["noise"])
    unknown = sum(row["standing"] == "not run" for row in rows)
    lacking = [f"{unknown} {NUMBERS}"] if unknown else []
    return body, figures | drawn, lacking


def _curves(data: Mapping[str, Any]) -> tuple[Markup, dict[str, bytes]]:
    body, drawn = Markup(""), {}
    for part, figures in (
        curves.augmentations(data["augmentations"]),
        curves.participation(data["participation"]),
        curves.runs(data["curves"]),
    ):
        body += part
        drawn |= figures
    return (heading("Curves", 3) + body if drawn else body), drawn


def tally(rows: Rows) -> str:
    """How many printed numbers stand how, the decided ones first."""
    counts = Counter(row["standing"] for row in rows)
    always = ("reproduced", "not reproduced")
    shown = [
        verdict
        for verdict in (*ORDER, *sorted(counts.keys() - set(ORDER)))
        if counts[verdict] or verdict in always
    ]
    return ", ".join(f"{number(counts[verdict])} {verdict}" for verdict in shown)


def _fitted(rows: Rows) -> str:
    """Which numbers our own constants were chosen by."""
    fitted = "; ".join(f"{row['id']} ({row['fitted']})" for row in rows if row["fitted"])
    return (
        f"Fitted, that is, a constant that no paper prints was chosen by it, so that it tests nothing: {fitted}."
        if fitted
        else ""
    )


def _reduced(rows: Rows, printed_of: Mapping[str, Rows]) -> Markup:
    """Runs cut short: in a table all that were tested more than twice, those that come far enough beside the numbers that are
    printed of the whole run; the rest by their number."""
    if not rows:
        return Markup("")
    body = heading("Reduced runs", 3)
    many = [row for row in rows if row["rounds"] > 2]
    few = len(rows) - len(many)
    if few:
        body += paragraph(
            f"{number(few)} more runs of one or two rounds test every method and every reading from end to end and are not listed."
        )
    if not many:
        return body
    return body + table(
        [
            "run",
            "what",
            "clients",
            "reduced to",
            "highest, %",
            "final, %",
            "loss",
            "printed for the whole run",
        ],
        [
            [
                code(r["run"]),
                escape(protocol.named(r["what"])),
                number(r["clients"]),
                r["reduced"] + ("" if r["status"] == "complete" else f"; {r['status']}"),
                hundredths(r["highest"]),
                hundredths(r["final"]),
                number(r["train_loss"], 3),
                escape(
                    "; ".join(
                        f"{n['printed']} ({n['id']}, {n['metric']})" for n in printed_of.get(r["run"], ())
                    )
                ),
            ]
            for r in sorted(many, key=lambda r: (r["images"] is not None, -r["highest"]))
        ],
        widths=["auto", "1.8fr", "auto", "0.8fr", "auto", "auto", "auto", "1fr"],
        align=["left", "left", "right", "left", "right", "right", "right", "left"],
        size="7.4pt",
        caption="REDUCED: real data, fewer images or rounds than printed; the verdict of no printed number is theirs; where "
        "one is already beyond a highest accuracy that is printed, its readings are out (see the numbers)",
    )


def _faster(cases: Rows) -> str:
    """Where another variant that does the same work was faster than ours."""
    told = []
    for ours in (case for case in cases if case["variant"] == "ours"):
        here = [c for c in cases if (c["clients"], c["batch"]) == (ours["clients"], ours["batch"])]
        told += [
            f"{c['variant']} at {number(c['clients'])} × {number(c['batch'])}"
            for c in here
            if c["variant"] in ("loop", "vmap", "joint")
            and c["seconds_per_round"] < ours["seconds_per_round"]
        ]
    return f" Faster than “ours” here: {', '.join(told)}." if told else ""


def _ratios(cases: Rows) -> str:
    """Ours as a multiple of plain SGD, and, where it was measured, of plain SGD in the memory layout that ours has."""

    def listed(of: Mapping[tuple[int, int], float]) -> str:
        return "; ".join(
            f"{number(c['clients'])} × {number(c['batch'])}: {number(c['ratio_to_plain'] / of[c['clients'], c['batch']])}"
            for c in cases
            if c["variant"] == "ours" and (c["clients"], c["batch"]) in of
        )

    plain = listed({(c["clients"], c["batch"]): 1.0 for c in cases})
    alike = listed(
        {(c["clients"], c["batch"]): c["ratio_to_plain"] for c in cases if c["variant"] == CHANNELS_LAST}
    )
    return f"Ours as a multiple of plain SGD: {plain}" + (
        f"; of plain SGD with channels last, as ours has them: {alike}" if alike else ""
    )


def _throughput(result: Available) -> Built:
    body = paragraph(
        "A federated round of α-NormEC with ResNet-20 beside plain SGD. Read from records of the machines that they name; nothing ",
        "of this was measured where the report was made. “plain”: SGD on the joint batch; “ours”: the clients of a round on a GPU ",
        "in one pass, on a CPU one a thread; “joint”: on a CPU in one pass; “loop”: one client after the other; “vmap”: gradients ",
        "of all clients by torch.func; “channels last”: the memory layout that ours has; “layer by layer”: on a GPU without the ",
        "fused kernels.",
    )
    for device in result.value["devices"]:
        body += paragraph(
            strong(device["device"]),
            f". {_ratios(device['cases'])}; the goal is at most {number(device['reach'])} of plain SGD. ",
            device["how"],
            _faster(device["cases"]),
        )
        rows = [
            [number(c["clients"]), number(c["batch"]), c["variant"], number(c["seconds_per_round"]),
             number(c["ratio_to_plain"])]
            for c in device["cases"]
        ]  # fmt: skip
        body += table(
            ["clients", "batch", "variant", "seconds a round", "ratio to plain SGD"],
            rows,
            align=["right", "right", "left", "right", "right"],
            caption=f"{device['device']}, record {device['file']}",
        )
    return body + _paces(result.value["paces"]), {}, []


def _paces(found: Rows) -> Markup:
    """How fast the runs on record went."""
    if not found:
        return Markup("")
    rows = [
        [
            f"{pace['machine']}, {pace['precision']}",
            number(pace["clients"]),
            pace["how"],
            number(pace["runs"]),
            number(pace["passes"]),
            number(pace["seconds"], 3),
            number(pace["iterations"] / pace["seconds"], 3),
        ]
        for pace in found
    ]
    return paragraph(
        "How fast the runs on record went: one run of those side by side, tests included, beside whatever else the machine did.",
    ) + table(
        ["machine", "clients", "how", "runs", "passes", "seconds a pass", "iterations a second"],
        rows,
        align=["left", "right", "left", "right", "right", "right", "right"],
        widths=["1.4fr", "auto", "1.2fr", "auto", "auto", "auto", "auto"],
    )
