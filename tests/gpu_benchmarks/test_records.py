"""Records: whole or not at all, checked when read."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from gpu_benchmarks import records
from gpu_benchmarks.config import Config, with_readings
from gpu_benchmarks.errors import InputError
from gpu_benchmarks.plans import BEST, best_cells, figure12
from gpu_benchmarks.protocols import protocol_of
from gpu_benchmarks.readings import OPTIONS
from gpu_benchmarks.records import Record
from gpu_benchmarks.sittings import facts


def record(config: Config | None = None, status: str = "complete", accuracy: float = 50.0) -> Record:
    config = config or Config(rounds=2)
    count = config.stop_after or config.rounds
    metrics = {"train_loss": [1.5] * count, "test_loss": [1.25] * count, "test_accuracy": [accuracy] * count}
    return Record(config, status, metrics, {"wall_seconds": 1.0})


def test_round_trip(tmp_path):
    written = record()
    path = records.write(written, tmp_path)
    assert path.name == f"{written.run}.json"
    again = records.read(path)
    assert again == written
    assert again.result() == written.result()
    assert "provenance" not in again.result()


def test_bundle_and_folder_are_read_alike(tmp_path):
    many = [record(replace(Config(rounds=2), seed=seed)) for seed in range(3)]
    records.write_bundle(many, tmp_path / "one" / "bundle.json")
    records.write(many[0], tmp_path / "two")
    found = records.read_all([tmp_path / "one", tmp_path / "two", tmp_path / "absent"])
    assert sorted(r.run for r in found) == sorted(r.run for r in many)


def _changed(change):
    data = record().to_dict()
    change(data)
    return json.dumps(data)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not valid JSON"),
        ("[]", "not a run record"),
        (_changed(lambda d: d.pop("status")), "exactly the keys"),
        (_changed(lambda d: d.update(schema=2)), "schema 2"),
        (_changed(lambda d: d["config"].update(gamma=0.5)), "has been edited"),
        (_changed(lambda d: d.update(status="fine")), "status 'fine'"),
        (_changed(lambda d: d["metrics"].pop("test_loss")), "metrics"),
        (_changed(lambda d: d["metrics"]["test_loss"].pop()), "lengths"),
        (_changed(lambda d: d["metrics"].update(test_accuracy=[1.0, 101.0])), "101.0 is not in"),
        (_changed(lambda d: d["metrics"].update(test_accuracy=[1.0, "a"])), "'a', not a finite number"),
        (_changed(lambda d: [v.pop() for v in d["metrics"].values()]), "do not fit status 'complete'"),
        (_changed(lambda d: d["config"].update(epochs=3)), "unknown epochs"),
        (_changed(lambda d: d.update(metrics=[1])), "table of lists"),
        (_changed(lambda d: d.update(schema=2, more=1)), "schema 2 is not 1"),
        (_changed(lambda d: d.update(status=["complete"])), "status"),
        (_changed(lambda d: d["metrics"].update(test_loss=[1.0, 10**400])), "not a finite number"),
        (_changed(lambda d: d["metrics"].update(train_loss=[-5.0, -1e308])), r"train_loss -5\.0 is below 0"),
        (_changed(lambda d: d["metrics"].update(test_loss=[None, -1])), "test_loss -1 is below 0"),
        (_changed(lambda d: d["metrics"].update(test_accuracy=[None, None])), "not tested after any round"),
        (
            _changed(lambda d: d.update(status="diverged", metrics={name: [] for name in d["metrics"]})),
            "not tested",
        ),
        (_changed(lambda d: d["metrics"].update(test_accuracy=[50.0, 51.0])), "SHA-256"),
        (_changed(lambda d: d.update(sha256=None)), "SHA-256"),
        (_changed(lambda d: d.update(schema=True)), "schema True is not 1"),
        ('{"run": "a", "run": "b"}', "'run' stands twice"),
        ("[" * 100_000, "nested too deeply"),
    ],
    ids=lambda value: value[:40],
)
def test_damaged_record_is_refused_by_name(tmp_path, text, message):
    path = tmp_path / "bad.json"
    path.write_text(text)
    with pytest.raises(InputError, match=message) as caught:
        records.read(path)
    assert "bad.json" in str(caught.value)


def test_a_flipped_bit_in_a_result_is_found():
    """Anywhere before the provenance, which is no result."""
    whole = records._dump(record().to_dict())
    end = whole.index('"provenance"')
    for bit in range(8 * end):
        content = bytearray(whole.encode())
        content[bit // 8] ^= 1 << (bit % 8)
        try:
            found = records.from_data(json.loads(content), "here")
        except (ValueError, InputError):
            continue
        assert found == record(), content.decode()


def test_a_record_without_a_seal_is_refused():
    data = record().to_dict()
    del data["sha256"]
    with pytest.raises(InputError, match=r"must have exactly the keys .*sha256"):
        records.from_data(data, "here")


@pytest.mark.parametrize(
    ("bundle", "message"),
    [
        ({"schema": 1, "records": 5}, "not a bundle"),
        ({"schema": 1, "records": None}, "not a bundle"),
        ({"schema": 1, "records": [5]}, "not a run record"),
        ({"schema": 2, "records": []}, "schema 2 is not 1"),
        ({"schema": 2, "records": [], "more": 1}, "schema 2 is not 1"),
    ],
    ids=str,
)
def test_damaged_bundle_is_refused_by_name(tmp_path, bundle, message):
    (tmp_path / "bad.json").write_text(json.dumps(bundle))
    with pytest.raises(InputError, match=rf"bad\.json.*{message}"):
        records.read_all([tmp_path])


def test_committed_records_are_sound():
    """Every record in the repository reads, and reduced ones do not pass for full ones."""
    for found in records.read_all([records.FOLDER]):
        assert found.config.full, found.run
    for found in records.read_all([records.FOLDER / "reduced"]):
        assert not found.config.full, found.run
        assert found.config.data == "cifar10", "a synthetic run is no result"
        assert found.provenance["commit"] != "unknown"


def test_every_option_of_every_reading_was_run_on_real_data_from_end_to_end():
    found = records.read_all([records.FOLDER, records.FOLDER / "reduced"])
    run = {pair for record in found for pair in protocol_of(record.config)}
    assert {(name, option) for name, options in OPTIONS.items() for option in options} - run == set()


def test_the_best_cells_and_figure_12_have_full_records_that_say_who_made_them():
    """One protocol for all of them, the printed number of rounds, and a machine, versions and a source hash for every sitting but
    the first of the first run, which is older than that note.
    """
    protocol = with_readings(replace(BEST, precision="bf16"), augmentation="crop-and-flip")
    private = with_readings(protocol, noise="variance of the vector")
    found = {record.run: record for record in records.read_all([records.FOLDER])}
    cells = [*best_cells(protocol), *figure12(private)]
    assert len(cells) == 32
    unsigned = []
    for config in cells:
        record = found[config.run]
        assert record.status in ("complete", "diverged")
        assert record.status == "diverged" or record.rounds == config.rounds
        unsigned += [
            (record.run, sitting["rounds"])
            for sitting in record.provenance.get("sittings", [record.provenance])
            if not facts(sitting).keys() >= {"commit", "sources", "hardware", "versions"}
        ]
    assert unsigned == [("5d774f19590fa462", 49)]
