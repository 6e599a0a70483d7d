"""What the records say beside what the papers print. Plain data; no torch."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from gpu_benchmarks import beside_ours, data, readings, records, reported
from gpu_benchmarks.ablations import changes
from gpu_benchmarks.accuracies import FAR, apart, repeated, tested
from gpu_benchmarks.choices import choices
from gpu_benchmarks.comparison import ours_under, reduced
from gpu_benchmarks.data import DATASETS, load
from gpu_benchmarks.data.load import there
from gpu_benchmarks.errors import InputError
from gpu_benchmarks.grids import beside_rows, grids
from gpu_benchmarks.linear import comparison as linear
from gpu_benchmarks.linear.plan import Plan
from gpu_benchmarks.linear.quick import SEEDS, rerun
from gpu_benchmarks.linear.readings import OPTIONS
from gpu_benchmarks.orders import curves as of_pairs
from gpu_benchmarks.orders import orders, overtaken, shorter
from gpu_benchmarks.paces import paces
from gpu_benchmarks.parsing import parse
from gpu_benchmarks.passes import split_sizes
from gpu_benchmarks.plans import BEST, anchor
from gpu_benchmarks.private_runs import noisy
from gpu_benchmarks.protocols import protocol_of, whole_run
from gpu_benchmarks.records import Record
from gpu_benchmarks.reported import Reported
from gpu_benchmarks.sentences import answers
from gpu_benchmarks.shapes import shapes
from methods.terminal.console import command_of
from report.jobs import Absent, Tick, silent

REACH = {"cpu": 1.1, "cuda": 1.25}
"""What a federated round is meant to cost at most, as a multiple of plain SGD."""


def comparison(config: Mapping[str, Any], tick: Tick = silent) -> dict[str, Any]:
    """Every printed number beside ours, the reduced runs and what is printed of whole ones, curves, the readings with their
    options.

    Raises `InputError` naming the record or the entry of `reported.toml` that is broken.
    """
    printed = reported.load()
    rows, found = beside_ours.rows((), printed)
    ended = shorter(printed.rule, rows, found)
    real = [record for record in found if record.config.data != "synthetic"]
    return {
        "rule": asdict(printed.rule),
        "rows": [_number(row) for row in rows],
        "reduced": reduced(found),
        "printed_of_reduced": {
            record.run: _printed_of(record, printed) for record in real if _is_far(record)
        },
        "grids": [grid.to_dict() for grid in beside_rows(grids(printed, found), rows)],
        "shapes": [shape.to_dict() for shape in shapes(printed, rows)],
        "choices": [choice.to_dict() for choice in choices(rows)],
        "orders": [order.to_dict() for order in orders(printed, rows, found)],
        "sentences": [answer.to_dict() for answer in answers(printed, rows, found)],
        "curves_of_pairs": of_pairs(rows, found),
        "overtaken": [number.to_dict() for number in overtaken(rows, found)],
        "shorter": ended and ended.to_dict(),
        "changes": [change.to_dict() for change in changes(found)],
        "noise": [run.to_dict() for run in noisy(found)],
        "options": {name: dict(options) for name, options in readings.OPTIONS.items()},
        "accuracies": dict(readings.ACCURACIES),
        "apart": apart(found),
        "repeated": repeated(real),
        "augmentations": _augmentations(real, printed),
        "participation": _participation(real),
        "curves": [_curve(record) for record in records.longest(real, whole_run)],
    }


def _number(row: Any) -> dict[str, Any]:
    """A printed number with ours, or with the other readings under which it was run."""
    number = row.number
    return row.to_dict() | {"printed": number.plain, "setting": number.setting}


def _is_far(record: Any) -> bool:
    """Whether a reduced run went over all images for so many rounds that it says something of the whole one."""
    config = record.config
    whole_rounds = config.readings.round == "pass" and config.images is None
    return whole_rounds and not config.full and tested(record) >= FAR


def _printed_of(record: Any, printed: Any) -> list[dict[str, Any]]:
    """The numbers that are printed of the whole run."""
    protocol = protocol_of(record.config)
    return [
        {"id": number.id, "metric": number.metric, "printed": number.plain}
        for number in printed.numbers
        if number.kind == "value"
        and number.setting != "linear"
        and ours_under(printed.rule, number, protocol, [record]) is not None
    ]


def _augmentations(records: list[Record], printed: Reported) -> dict[str, Any]:
    """The full runs of the best cell under each reading of the augmentation, and what is printed of it."""
    (number,) = [n for n in printed.numbers if n.id == "NEC-F8-NORMEC-0.1"]
    by_run = {record.run: record for record in records}
    runs = [by_run[c.run] for c in anchor(replace(BEST, precision="bf16")) if c.run in by_run]
    return {
        "id": number.id,
        "printed": number.high,
        "runs": [
            {"augmentation": run.config.readings.augmentation, "test_accuracy": list(run.metrics["test_accuracy"]),
             "train_loss": list(run.metrics["train_loss"])}
            for run in runs
        ],
    }  # fmt: skip


def _participation(records: list[Record]) -> list[dict[str, Any]]:
    """The full runs of Fed-α-NormEC, the larger participation first."""
    names = ("beta", "gamma", "participation", "clients")
    runs = [record for record in records if record.config.method == "fed_alpha_normec" and record.config.full]
    return sorted(
        (
            {name: getattr(run.config, name) for name in names}
            | {"test_accuracy": list(run.metrics["test_accuracy"])}
            for run in runs
        ),
        key=lambda run: (-run["participation"], run["beta"], -run["gamma"]),
    )


def _curve(record: Any) -> dict[str, Any]:
    config = record.config
    return {
        "label": config.label(),
        "kind": [config.method, config.server_normalisation, config.private],
        "full": config.full,
        "images": config.images or split_sizes(config)[0],
        "train_loss": list(record.metrics["train_loss"]),
        "test_accuracy": list(record.metrics["test_accuracy"]),
    }


def fashion(config: Mapping[str, Any], tick: Tick = silent) -> dict[str, Any]:
    """DP-NormFedAvg's Table 2(a) from the committed records, with the readings and their options."""
    summary = linear.recorded("fashion-mnist")
    if summary is None:
        raise Absent("no record of Table 2(a) is there", "Run `python -m gpu_benchmarks fmnist run`.")
    return summary | {"options": {name: list(options) for name, options in OPTIONS.items()}}


def fashion_again(config: Mapping[str, Any], tick: Tick = silent) -> dict[str, Any]:
    """The chosen cells of Table 2(a) run again here, on seeds that had no part in choosing them.

    config: seeds, how many.
    """
    summary = linear.recorded("fashion-mnist")
    if summary is None or not any(row["cell"] for row in summary["rows"]):
        raise Absent("no cell of Table 2(a) is chosen yet", "Run `python -m gpu_benchmarks fmnist run`.")
    folder = data.data_folder()
    if not os.environ.get("NORMEC_DATA") and not there(DATASETS["fashion-mnist"], folder):
        raise Absent(
            "Fashion-MNIST is not in the cache folder and NORMEC_DATA is not set",
            "Run `python -m gpu_benchmarks data fetch fashion-mnist`, or name the folder of the data sets in NORMEC_DATA.",
        )
    images = load("fashion-mnist", folder)
    return rerun(summary, Plan(), images, SEEDS[: config["seeds"]], quiet=True)


def throughput(config: Mapping[str, Any], tick: Tick = silent) -> dict[str, Any]:
    """Committed measurements of `python -m gpu_benchmarks throughput --json`, one file a device."""
    files = sorted((records.FOLDER / "throughput").glob("*.json"))
    if not files:
        raise Absent("no measurement is committed", "Run `python -m gpu_benchmarks throughput --json PATH`.")
    went = [pace.to_dict() for pace in paces(beside_ours.of_resnet(())) if pace.passes >= FAR]
    return {"devices": [_measurement(path) for path in files], "paces": went}


def _measurement(path: Path) -> dict[str, Any]:
    cure = f"measure again with `{command_of('gpu_benchmarks')} throughput --json PATH`"
    try:
        found = parse(path.read_text(encoding="utf-8"))
        keys = ("clients", "batch", "variant", "seconds_per_round", "ratio_to_plain")
        cases = [{key: case[key] for key in keys} for case in found["cases"]]
        on_gpu = found.get("hardware", {}).get("device") == "cuda"
        how = f"Medians of {found['rounds']} interleaved rounds" if "rounds" in found else "Medians"
        worked = [c for c in found["cases"] if c["variant"] == "ours" and "processor_ratio_to_plain" in c]
        if worked and not on_gpu:
            how += ", wall clock; by processor time " + "; ".join(
                f"{c['clients']} × {c['batch']}: {c['processor_ratio_to_plain']:.2f}" for c in worked
            )
        how += f", load average {found['load_average']:.2f} before them." if "load_average" in found else "."
        if found.get("without"):
            how += f" Not timed: {', '.join(f'“{name}”' for name in found['without'])}."
        return {
            "file": path.name,
            "device": str(found["device"]) + (f", {found['precision']}" if "precision" in found else ""),
            "cases": cases,
            "reach": REACH["cuda" if on_gpu else "cpu"],
            "how": how,
        }
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} is no throughput measurement ({error!r}); {cure}") from error
