"""Table 2(b) and (c): the linear model on features. Small made-up images and random weights, from the files to the table."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

import data_files
import random_resnet18
from gpu_benchmarks.cli import main
from gpu_benchmarks.data import sources
from gpu_benchmarks.data.partition import label_sorted_shards
from gpu_benchmarks.errors import InputError
from gpu_benchmarks.features import store
from gpu_benchmarks.features.extracted import Extraction, Features
from gpu_benchmarks.linear import batch as batches
from gpu_benchmarks.linear import cli, datasets, probe, readings, results
from gpu_benchmarks.linear import comparison as linear_comparison
from gpu_benchmarks.linear import plan as plans
from gpu_benchmarks.linear.batch import Batch, Prepared, read_all
from gpu_benchmarks.linear.datasets import CIFAR10, CIFAR100, DATA, FASHION_MNIST
from gpu_benchmarks.linear.federation import Lane
from gpu_benchmarks.linear.plan import FEDAVG_SERVERS, Plan
from gpu_benchmarks.linear.problem import SHARDS_PER_CLIENT
from gpu_benchmarks.records import FOLDER
from gpu_benchmarks.reported import load as printed

IMAGES = 40  # of each made-up file
SMALL = {"clip_grid": (31.25,), "step_grid": (1e-2, 1e-1), "rounds": 5, "seeds": (0, 1)}
HOW = Extraction("cifar100", "ab" * 32, ("cd" * 32,))


@pytest.fixture
def hundred(tmp_path, monkeypatch) -> sources.Source:
    """A small CIFAR-100 in the official binary format, dealt to four clients; a plan of ten runs a seed."""
    source, _ = data_files.cifar(tmp_path, "plain", hundred=True, records=IMAGES)
    monkeypatch.setitem(sources.DATASETS, "cifar100", source)
    monkeypatch.setenv("NORMEC_DATA", str(tmp_path))
    monkeypatch.setitem(datasets.DATA, CIFAR100.name, replace(CIFAR100, clients=4))
    monkeypatch.setattr(cli, "Plan", lambda: Plan(**SMALL))
    monkeypatch.setattr(plans, "Plan", lambda: Plan(**SMALL))
    return source


def separable(source: sources.Source, folder: Path, size: int = 224) -> Features:
    """Features of four classes that a linear model can tell apart, written where the command looks."""
    rng = np.random.default_rng(0)
    labels = np.tile(np.arange(4, dtype=np.uint8), IMAGES // 4)
    x = rng.random((2, IMAGES, 512), np.float32)
    x[:, np.arange(IMAGES), labels] += 5
    how = Extraction("cifar100", "ab" * 32, store.checksums(source), size)
    made = Features(x[0], labels, x[1], labels, 100, how)
    store.write(store.path_of("cifar100", folder), made)
    return made


def linear(action: str, records: Path, *more: str) -> int:
    return main(
        ["linear", action, "--dataset", "cifar100-features", "--records", str(records), "--quiet", *more]
    )


@pytest.mark.parametrize("data", [CIFAR10, CIFAR100], ids=lambda data: data.name)
def test_the_plan_is_what_the_paper_prints(data):
    """Every printed parameter of the group in reported.toml; the grids of C and η₀ are the same for all data sets."""
    plan = Plan(extraction=HOW).on(data)
    config = next(n.config for n in printed().numbers if n.id == data.id("clip", 5.0))
    batch = next(iter(plan.private(0)))
    assert config["data"] == batch.data
    assert (batch.clients, batch.protocol.expected, batch.steps) == (
        config["clients"], config["participants"], config["local_steps"],
    )  # fmt: skip
    assert {(lane.c, lane.eta0) for lane in batch.lanes} == {
        (c, eta0) for c in readings.CLIP_GRID for eta0 in readings.STEP_GRID
    }
    assert batch.readings.scaling == "raw"
    assert DATA[data.name].images in sources.DATASETS
    numbers = {n.id for n in printed().numbers}
    assert {data.id(m, e) for m in ("clip", "norm") for e in readings.EPSILONS} <= numbers
    assert {data.id("fedavg", float("inf")), data.margin} <= numbers


def test_the_noise_is_that_of_the_same_q():
    """σ/C = √(q K log(1/δ))/(n ε): 3,000 clients become 5,000."""
    ours, other = Plan().on(CIFAR10), Plan()
    assert ours.fitted == pytest.approx(other.fitted * 3 / 5, rel=1e-9)
    assert ours.q(ours.fitted, 5.0) == pytest.approx(other.q(other.fitted, 5.0), rel=1e-8)
    assert ours.level(2.0, ours.q(0.01, 2.0, "variance"), "variance") == pytest.approx(0.01)
    assert Plan().on(FASHION_MNIST) == Plan()


@pytest.mark.parametrize("classes", [10, 100])
def test_every_client_has_ten_images_of_at_most_five_classes(classes):
    """Appendix H: 5n = 25,000 shards of two images, each of one class."""
    labels = np.random.default_rng(0).permutation(np.repeat(np.arange(classes), 50_000 // classes))
    index = label_sorted_shards(labels, CIFAR100.clients, SHARDS_PER_CLIENT, 0)
    assert index.shape == (5_000, 10)
    assert len(np.unique(index)) == 50_000
    held = labels[index].reshape(5_000, SHARDS_PER_CLIENT, 2)
    assert (held[:, :, 0] == held[:, :, 1]).all()


def test_from_files_and_weights_to_rows_of_the_table(hundred, tmp_path, monkeypatch, capsys):
    """The two commands, then the table, with random weights; nothing is committed."""
    save_file(random_resnet18.weights(), tmp_path / "w.safetensors")
    extract = [
        "features",
        "--dataset",
        "cifar100",
        "--weights",
        str(tmp_path / "w.safetensors"),
        "--size",
        "32",
    ]
    assert main([*extract, "--device", "cpu", "--quiet"]) == 0
    folder = tmp_path / "records"
    home = folder / CIFAR100.folder
    assert linear("run", home, "--json", "-") == 0
    out = capsys.readouterr().out
    summary = json.loads(out)
    assert summary["table"] == "DP-NormFedAvg, Table 2(c)"
    assert summary["extraction"]["size"] == 32
    assert len(summary["rows"]) == 10
    assert all(row["cell"]["seeds"] == [0, 1] for row in summary["rows"])
    for record in read_all(home):
        assert record["config"]["data"] == "cifar100-features"
        assert record["config"]["extraction"]["weights"] == data_files.sha(
            (tmp_path / "w.safetensors").read_bytes()
        )
        file = tmp_path / "cifar100-features.safetensors"
        assert record["provenance"]["features"] == data_files.sha(file.read_bytes())
    stamps = {path: path.stat().st_mtime_ns for path in home.glob("*.json")}
    assert len(stamps) == 2 * (3 + len(FEDAVG_SERVERS))
    assert linear("run", home, "--json", "-") == 0
    assert capsys.readouterr().out == out
    assert {path: path.stat().st_mtime_ns for path in home.glob("*.json")} == stamps

    table2 = linear_comparison.table2
    monkeypatch.setattr(linear_comparison, "table2", lambda: table2(folder))
    assert main(["table", "--paper", "dp-normfedavg", "--json", "-"]) == 0
    rows = {row["id"]: row for row in json.loads(capsys.readouterr().out)["rows"]}
    for name, row in rows.items():
        ran = name.startswith("DAS-T2C") or name == "DAS-S1-MARGIN-CIFAR100"
        assert (row["verdict"] == "not run") == (not ran), name
        if ran:
            assert row["ours"]["seeds"] == [0, 1]
            assert row["ours"]["protocol"]["size"] == "32"
    # random weights and random images cannot reach the printed numbers, so the rule must say so
    assert rows["DAS-T2C-FEDAVG"]["verdict"] == "not reproduced"


def test_what_can_be_told_apart_is_learnt(hundred, tmp_path):
    """Four separable classes among 100; further commands on the same records."""
    separable(hundred, tmp_path)
    home = tmp_path / "records"
    assert linear("run", home, "--rounds", "10") == 0
    plan = replace(Plan(**SMALL), rounds=10).on(datasets.DATA[CIFAR100.name])
    rows = results.summary(read_all(home), plan)["rows"]
    best = max(row["cell"]["mean"] for row in rows if row["method"] == "fedavg")
    assert best > 90, "far above the 25% of guessing one of four"
    for action in ("tuned", "quick", "table"):
        assert linear(action, home, "--rounds", "10") == 0
    assert all(row["fresh"] for row in results.summary(read_all(home), plan)["rows"])


def test_the_network_has_an_output_for_every_class(hundred, tmp_path):
    """Classes that no test image has must not be missing in the model."""
    made = separable(hundred, tmp_path)
    batch = next(iter(replace(Plan(**SMALL), extraction=made.extraction).on(DATA[CIFAR100.name]).private(0)))
    data = Prepared.of(made, batch.readings)
    assert data.test.labels.max() == 3
    assert data.classes == 100
    assert data.training.x.shape == (IMAGES, 513)
    assert (data.training.x[:, :-1] == made.training).all(), "features are taken as they are"
    sphere = Prepared.of(made, replace(batch.readings, scaling="sphere", bias="no"))
    assert np.abs(np.linalg.norm(sphere.training.x, axis=1) - 1).max() < 1e-5


LANE = (Lane("norm", 31.25, 0.1, 0.01),)


def test_a_batch_is_named_by_its_data_and_how_features_were_made():
    def name(**more) -> str:
        return Batch(readings.Readings(scaling="raw"), 0, LANE, (5,), clients=5_000, **more).name

    names = [
        name(),
        name(data="cifar10-features", extraction=HOW),
        name(data="cifar100-features", extraction=HOW),
        name(data="cifar100-features", extraction=replace(HOW, size=32)),
        name(data="cifar100-features", extraction=replace(HOW, weights="ef" * 32)),
    ]
    assert len(set(names)) == len(names)
    assert name() == name(data="fashion-mnist")
    for wrong in ({"data": "cifar10-features"}, {"extraction": HOW}, {"data": "mnist"}):
        with pytest.raises(ValueError, match=r"features|choose one of"):
            name(**wrong)


def test_names_without_other_data_are_the_old_ones():
    """The name of a batch as it was before there were features: the hash of these keys and no others."""
    settings = Batch(readings.Readings(), 0, LANE, (5,)).settings
    assert list(settings) == [
        "readings", "seed", "lanes", "measured", "clients", "participation", "steps", "decay", "precision",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda config: config["extraction"].update(size=32), "edited"),
        (lambda config: config.update(data="cifar10-features"), "edited"),
        (lambda config: config.pop("extraction"), "say how they were extracted"),
        (lambda config: config["extraction"].pop("files"), "files"),
        (lambda config: config["extraction"].update(colour="red"), "colour"),
    ],
    ids=["size", "data", "none", "files", "unknown"],
)
def test_an_edited_record_is_refused(hundred, tmp_path, edit, message):
    made = separable(hundred, tmp_path)
    batch = Batch(
        readings.Readings(scaling="raw"), 0, LANE, (1,), 4, data=CIFAR100.name, extraction=made.extraction
    )
    record = batches.run(batch, Prepared.of(made, batch.readings), tmp_path)
    assert batches.read(tmp_path / f"{batch.name}.json") == json.loads(json.dumps(record))
    edit(record["config"])
    (tmp_path / f"{batch.name}.json").write_text(json.dumps(record))
    with pytest.raises(InputError, match=message):
        batches.read(tmp_path / f"{batch.name}.json")


def test_features_made_in_two_ways_are_not_mixed(hundred, tmp_path, capsys):
    """Told before the second run begins; each in its own folder is fine."""
    separable(hundred, tmp_path)
    home = tmp_path / "records"
    assert linear("run", home, "--seeds", "0") == 0
    count = len(list(home.glob("*.json")))
    separable(hundred, tmp_path, size=32)
    capsys.readouterr()
    for action in ("run", "quick"):
        assert linear(action, home, "--seeds", "0") == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert "at 224 pixels" in line
        assert "at 32 pixels" in line
        assert "--records" in line
    assert len(list(home.glob("*.json"))) == count
    assert linear("run", tmp_path / "other", "--seeds", "0") == 0
    for path in (tmp_path / "other").glob("*.json"):
        path.rename(home / path.name)
    assert linear("table", home) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["linear", "run", "--dataset", "cifar10-features", "--records", "{tmp}"], "features --dataset cifar10 --weights"),
        (["linear", "run", "--dataset", "cifar10-features", "--features", "{tmp}/x", "--records", "{tmp}"], "/x is missing"),
        (["linear", "run", "--dataset", "cifar10-features", "--features", "{tmp}", "--records", "{tmp}"], "is a folder; --features"),
        (["linear", "run", "--dataset", "cifar10-features", "--reading", "scaling=unit"], "choose one of raw, sphere"),
        (["linear", "table", "--dataset", "cifar100-features", "--records", "{tmp}"], "linear run --dataset cifar100-features"),
        (["linear", "table", "--dataset", "cifar10-features", "--records", f"{FOLDER}/fmnist"], "ran on fashion-mnist"),
    ],
    ids=["no features", "no file", "folder", "scaling", "no records", "other records"],
)  # fmt: skip
def test_mistakes_are_one_line_and_status_2(tmp_path, monkeypatch, capsys, arguments, message):
    monkeypatch.setenv("NORMEC_DATA", str(tmp_path))
    assert main([a.format(tmp=tmp_path) for a in arguments]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line


def test_without_safetensors_the_command_says_what_to_install(tmp_path, monkeypatch, capsys):
    """Fashion-MNIST does without it, so that it is imported only here."""
    monkeypatch.setitem(sys.modules, "safetensors", None)
    monkeypatch.delitem(sys.modules, "gpu_benchmarks.features.store")
    monkeypatch.delattr("gpu_benchmarks.features.store")
    assert linear("run", tmp_path) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "needs the package safetensors" in line


def test_readings_of_features_are_those_that_make_sense():
    changed = [change for change in probe.changes(Plan().on(CIFAR10)) if "scaling" in change]
    assert changed == [{"scaling": "sphere"}]


def summary_of(data: str, forms: dict[str, float], **more) -> dict:
    """A made-up summary with normalisation at ε = 5 alone. forms: mean by reading of the noise."""
    rows = [
        {
            "method": "norm",
            "epsilon": 5.0,
            "form": form,
            "cell": {"c": 31.25, "eta0": 0.1, "seeds": [0, 1], "values": [mean, mean]},
        }
        for form, mean in forms.items()
    ]
    return {"data": data, "readings": {"bias": "yes", "scaling": more.pop("scaling")}, "rows": rows, **more}


def test_one_form_of_the_noise_is_chosen_for_all_parts_of_the_table():
    """`variance` reproduces two numbers of three and is chosen, also where `deviation` alone hits; the readings that
    only one kind of data has do not stand in the way."""
    parts = [
        summary_of("fashion-mnist", {"deviation": 60.0, "variance": 77.7}, scaling="unit"),
        summary_of("cifar10-features", {"deviation": 84.2, "variance": 70.0}, scaling="raw", extraction={"size": 224}),
        summary_of("cifar100-features", {"deviation": 30.0, "variance": 59.4}, scaling="raw", extraction={"size": 224}),
    ]  # fmt: skip
    rows = {row.number.id: row for row in linear_comparison.compare(printed(), *parts)}
    for name, verdict in (("A", "reproduced"), ("B", "not reproduced"), ("C", "reproduced")):
        row = rows[f"DAS-T2{name}-NORM-5"]
        assert row.ours is not None
        assert dict(row.ours.protocol)["form"] == "variance"
        assert row.verdict == verdict
        assert [dict(other.protocol)["form"] for other in row.others] == ["deviation"]
