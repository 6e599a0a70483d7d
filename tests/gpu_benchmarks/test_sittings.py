"""A record of a run that was interrupted says who ran which rounds; one that was not says it once."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
import torch

from gpu_benchmarks import checkpoint, checkpoint_file, machine, provenance
from gpu_benchmarks.checkpoint import path_of
from gpu_benchmarks.config import Config
from gpu_benchmarks.errors import InputError
from gpu_benchmarks.federation import federated
from gpu_benchmarks.sittings import LENGTH, check, facts, with_now
from gpu_benchmarks.training import Options, train

TINY = Config(data="synthetic", images=40, clients=2, batch=8, blocks=1, width=2, rounds=5)
HERE = {"commit": "a", "hardware": "b"}


@pytest.fixture(scope="module")
def data():
    return federated(TINY)


@pytest.fixture
def options(tmp_path) -> Options:
    return Options(torch.device("cpu"), checkpoints=tmp_path, every=0.0)


def interrupted(after: int, data, options: Options) -> None:
    def stop(run, measured):
        if len(run.rounds) == after:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(TINY, data, options, stop)


def test_without_an_interruption_there_is_no_word_of_sittings(data, options):
    assert "sittings" not in train(TINY, data, options).provenance


def test_going_on_with_the_same_code_and_machine_is_one_sitting(data, options):
    for rounds in (1, 3):
        interrupted(rounds, data, options)
    assert "sittings" not in train(TINY, data, options).provenance


def test_going_on_with_other_code_is_said(data, options, monkeypatch):
    seconds = []
    for rounds, commit in ((1, "first"), (3, "first"), (4, "second")):
        monkeypatch.setattr(provenance, "commit", lambda commit=commit: commit)
        interrupted(rounds, data, options)
        found = checkpoint.read(TINY, path_of(TINY, options.checkpoints))
        assert found is not None
        seconds.append(found.seconds)
    monkeypatch.setattr(provenance, "commit", lambda: "third")
    record = train(TINY, data, options)
    told = record.provenance["sittings"]
    assert [(sitting["commit"], sitting["rounds"]) for sitting in told] == [
        ("first", 3),
        ("second", 1),
        ("third", 1),
    ]
    assert record.provenance["commit"] == "third"
    assert told[0]["wall_seconds"] == pytest.approx(seconds[1], abs=2e-3)
    assert sum(s["wall_seconds"] for s in told) == pytest.approx(record.provenance["wall_seconds"], abs=2e-3)
    assert all(facts(sitting).keys() == facts(record.provenance).keys() - {"sittings"} for sitting in told)
    assert record.result() == train(TINY, data, replace(options, checkpoints=None)).result()


def test_a_record_of_rounds_that_another_process_ran_says_so(data, options, monkeypatch):
    """Cut short to what the checkpoint holds, this process adds no round, and claims none."""
    monkeypatch.setattr(provenance, "commit", lambda: "first")
    interrupted(2, data, options)
    monkeypatch.setattr(provenance, "commit", lambda: "later")
    record = train(replace(TINY, stop_after=2), data, options)
    assert record.provenance["commit"] == "first"
    assert "sittings" not in record.provenance
    interrupted(3, data, options)
    monkeypatch.setattr(provenance, "commit", lambda: "last")
    record = train(replace(TINY, stop_after=3), data, options)
    assert record.provenance["commit"] == "later"
    assert [(s["commit"], s["rounds"]) for s in record.provenance["sittings"]] == [("first", 2), ("later", 1)]


def test_a_checkpoint_that_does_not_say_who_wrote_it_is_one_sitting_of_nobody(data, options):
    """As checkpoints did before sittings were noted."""
    interrupted(2, data, options)
    path = path_of(TINY, options.checkpoints)
    found = checkpoint.read(TINY, path)
    assert found is not None
    checkpoint.write(replace(found, sittings=()), path)
    told = train(TINY, data, options).provenance["sittings"]
    assert [(set(sitting) == set(LENGTH), sitting["rounds"]) for sitting in told] == [(True, 2), (False, 3)]


@pytest.mark.parametrize(
    "wrong",
    [
        {"rounds": 2, "wall_seconds": 1.0},
        [{"rounds": 1, "wall_seconds": 1.0}],
        [{"rounds": 2}],
        [{"rounds": 2, "wall_seconds": float("inf")}],
        [{"rounds": True, "wall_seconds": 1.0}, {"rounds": 1, "wall_seconds": 1.0}],
        [{"rounds": 3, "wall_seconds": 1.0}, {"rounds": -1, "wall_seconds": 1.0}],
        ["me"],
    ],
    ids=json.dumps,
)
def test_sittings_that_are_none_are_a_damaged_checkpoint(wrong, data, options, monkeypatch):
    with pytest.raises(ValueError, match=r"sitting|me"):
        check(wrong, 2)
    interrupted(2, data, options)
    write = checkpoint_file.write
    monkeypatch.setattr(
        checkpoint_file,
        "write",
        lambda path, schema, arrays, body: write(path, schema, arrays, {**body, "sittings": wrong}),
    )
    path = path_of(TINY, options.checkpoints)
    found = checkpoint.read(TINY, path)
    assert found is not None
    checkpoint.write(found, path)
    with pytest.raises(InputError, match=r"damaged checkpoint.*sitting.*delete it"):
        train(TINY, data, options)


def test_sittings_add_up_and_alike_ones_are_joined():
    first = with_now((), HERE, 2, 10.0)
    assert first == ({"rounds": 2, "wall_seconds": 10.0, **HERE},)
    assert with_now(first, HERE, 2, 11.0) == first, "nothing was done"
    assert with_now(first, HERE | {"wall_seconds": 99.0}, 5, 40.0) == (
        {"rounds": 5, "wall_seconds": 40.0, **HERE},
    )
    there = HERE | {"hardware": "c"}
    assert with_now(first, there, 5, 40.0) == (*first, {"rounds": 3, "wall_seconds": 30.0, **there})


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A source file of a tree of its own, from which runs take their name of the code."""
    file = tmp_path / "gpu_benchmarks" / "engine.py"
    file.parent.mkdir()
    file.write_text("before")
    monkeypatch.setattr(machine, "ROOT", tmp_path)
    kept = (machine.commit, machine.sources)  # of an earlier run, or for a later one
    for function in kept:
        function.cache_clear()
    yield file
    for function in kept:
        function.cache_clear()


def test_a_record_names_the_files_that_its_run_began_with(data, tree):
    """Someone who edits the code beside a long run does not change what its record says that it ran."""

    def edit(run, measured):
        tree.write_text("after")

    name = train(TINY, data, Options(torch.device("cpu")), edit).provenance["sources"]
    machine.sources.cache_clear()
    assert name != machine.sources()
    tree.write_text("before")
    machine.sources.cache_clear()
    assert name == machine.sources()
