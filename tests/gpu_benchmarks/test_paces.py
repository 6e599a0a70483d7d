"""How fast runs went, from their records."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gpu_benchmarks.config import Config, with_readings
from gpu_benchmarks.paces import machine, on_gpus, paces
from gpu_benchmarks.records import Record

GPU = {"device": "cuda", "name": "a card", "memory_gib": 80.0}
CPU = {"device": "cpu", "name": "a processor", "threads": 2}


def went(config: Config, rounds: int, **provenance: object) -> Record:
    metrics = {name: [1.0] * rounds for name in ("train_loss", "test_loss", "test_accuracy")}
    return Record(replace(config, stop_after=rounds), "complete", metrics, provenance)


def test_sittings_on_one_machine_are_taken_together_and_the_fastest_comes_first():
    fast = {"hardware": GPU, "ran": "graph, 4 at once", "rounds": 8, "wall_seconds": 4.0}
    slow = {"hardware": CPU, "ran": "eager", "rounds": 2, "wall_seconds": 20.0}
    found = paces(
        [
            went(Config(), 10, sittings=[fast, slow], hardware=CPU, wall_seconds=24.0),
            went(Config(seed=1), 2, hardware=CPU, ran="eager", wall_seconds=10.0),
        ]
    )
    assert [(p.machine, p.how, p.runs, p.passes, p.seconds) for p in found] == [
        ("a card, 80.0 GiB", "graph, 4 at once", 1, 8, 0.5),
        ("a processor, 2 threads", "eager", 2, 4, 7.5),
    ]
    assert {p.iterations for p in found} == {141}, "4,500 images of a client in batches of 32"


@pytest.mark.parametrize(
    "config",
    [Config(data="synthetic"), Config(images=640), with_readings(Config(), round="step")],
    ids=["synthetic data", "some of the images", "rounds of one mini-batch"],
)
def test_what_is_no_pass_over_all_images_has_no_pace(config):
    assert paces([went(config, 3, hardware=CPU, ran="eager", wall_seconds=1.0)]) == []


def test_runs_that_differ_in_arithmetic_or_clients_stand_apart():
    configs = (Config(), Config(precision="bf16"), Config(clients=20))
    found = paces([went(c, 1, hardware=CPU, ran="eager", wall_seconds=1.0) for c in configs])
    assert sorted((p.precision, p.clients, p.iterations) for p in found) == [
        ("bf16", 10, 141),
        ("float32", 10, 141),
        ("float32", 20, 71),
    ]


def test_what_runs_take_on_a_gpu_on_record():
    """By images: of two ways on one card the better one, and of a run side by side with others its share of the time."""
    alone = {"hardware": GPU, "ran": "graph, 1 at once", "rounds": 10, "wall_seconds": 6.0}
    beside = {"hardware": GPU, "ran": "graph, 4 at once", "rounds": 10, "wall_seconds": 8.0}
    slower = {
        "hardware": GPU | {"name": "another"},
        "ran": "graph, 1 at once",
        "rounds": 10,
        "wall_seconds": 9.0,
    }
    found = on_gpus(
        [
            went(Config(), 30, sittings=[alone, beside, slower]),
            went(Config(seed=1), 2, hardware=CPU, wall_seconds=1.0),
        ]
    )
    assert [(p.machine, p.at_once) for p in found] == [("a card, 80.0 GiB", 4), ("another, 80.0 GiB", 1)]
    assert found[0].images == 45_000
    assert found[0].seconds_for(8 * 45_000, 4) == pytest.approx(8 * 0.8 / 4)


def test_a_pace_tells_of_runs_that_do_the_same():
    (pace,) = paces([went(Config(), 1, hardware=CPU, wall_seconds=1.0)])
    assert pace.tells_of(Config(method="clip21", stop_after=3))
    for other in (
        Config(precision="bf16"),
        Config(width=2),
        Config(method="fed_alpha_normec", local_steps=2),
        with_readings(Config(), round="step"),
    ):
        assert not pace.tells_of(other), other.label()


def test_of_runs_that_differ_in_length_alone_the_longest_counts():
    records = [went(Config(), rounds, hardware=CPU, wall_seconds=2.0 * rounds) for rounds in (2, 5)]
    assert [(p.runs, p.passes, p.seconds) for p in paces(records)] == [(1, 5, 2.0)]


def test_a_record_that_does_not_say_where_it_was_made_has_no_pace():
    assert paces([went(Config(), 1, wall_seconds=1.0)]) == []
    assert machine({"name": "a processor"}) == "a processor"
