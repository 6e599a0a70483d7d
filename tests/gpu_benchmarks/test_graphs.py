"""Captured graphs, replayed on a CPU (`graphs_on_cpu`): the same run as without, and a run without where there are none."""

from __future__ import annotations

import contextlib
from dataclasses import replace

import pytest
import torch

import graphs_on_cpu
import kernels_in_torch
from gpu_benchmarks import cost, fused, side_by_side, throughput, training, tuning
from gpu_benchmarks.config import with_readings
from gpu_benchmarks.cuda_graphs import WARM_UPS, CaptureError, Graph, captured
from gpu_benchmarks.engine import Trainer
from gpu_benchmarks.federation import federated
from gpu_benchmarks.gradients import Rules
from gpu_benchmarks.resnet import Architecture
from gpu_benchmarks.selfcheck import Sound
from gpu_benchmarks.training import Options, train
from graphs_on_cpu import Stream
from test_capture import BASE, CASES, CPU

CUDA = torch.device("cuda")


@pytest.fixture
def capturing(monkeypatch):
    return graphs_on_cpu.install(monkeypatch)


class Joint(Trainer):
    """A trainer that takes all clients as one batch on a CPU too."""

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, joint=True, **kwargs)


class Graphed(Joint):
    """A trainer that takes the CPU for a device with streams and graphs."""

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.stream = Stream()
        self.graphs, self.way = True, "graph"


def rounds(trainer: Trainer, count: int = 2) -> tuple[list[float], dict[str, torch.Tensor]]:
    losses = []
    for _ in range(count):
        trainer.enqueue()
        losses.append(trainer.collect().train_loss)
    return losses, trainer.saved()


SOME = (
    "α-NormEC, server normalisation, private",
    "Fed-α-NormEC, partial, private",
    "Fed-α-NormEC, T = 2",
)


@pytest.mark.parametrize("change", [CASES[name] for name in SOME], ids=SOME)
def test_a_run_of_replays_is_the_run_without_graphs(change, capturing):
    config = with_readings(replace(BASE, **change), augmentation="crop-and-flip")
    data = federated(config)
    trainer = Graphed(config, data, CPU)
    losses, state = rounds(trainer)
    expected, eager = rounds(Joint(config, data, CPU))
    assert losses == expected
    for name, tensor in eager.items():
        assert torch.equal(state[name], tensor), name
    graphs = list(trainer._iterations.values())
    assert all(isinstance(graph, Graph) for graph in graphs)
    assert sum(graph.graph.replays for graph in graphs) == 2 * trainer.iterations_per_round


def test_a_replay_repeats_what_python_decided_during_the_capture(capturing):
    """Were it not so, the stand-in could not fail where a GPU does."""
    total, step = torch.zeros(1), [1.0]
    graph = captured(lambda: total.add_(step[0]), [total], [], Stream())
    assert total.item() == 0.0, "a capture leaves the buffers as they were"
    step[0] = 100.0
    graph()
    graph()
    assert total.item() == 2.0


def test_reading_a_value_is_not_captured(capturing):
    total = torch.ones(1)
    with pytest.raises(CaptureError, match=r"^no CUDA graph \(CUDA error: operation not permitted [^\n]*\)$"):
        captured(lambda: total.mul_(total.item()), [total], [], Stream())
    assert total.item() == 1.0


@pytest.mark.parametrize("at", [0, 1, 2], ids=["first iteration", "short mini-batch", "test"])
def test_where_a_capture_fails_the_run_goes_on_without(at, capturing, monkeypatch):
    """The same run, noise included, one warning, and the record says how it ran. With a stream the test takes the images in
    other chunks, so that its sums agree up to rounding.
    """
    config = replace(
        BASE, private=True, batch=24
    )  # 90 images of a client: three mini-batches of 24, one of 18
    data = federated(config)
    made: list[Trainer] = []

    def trainers(kind: type[Trainer]) -> None:
        monkeypatch.setattr(training, "Trainer", lambda *args: made.append(kind(*args)) or made[-1])

    trainers(Joint)
    expected = train(config, data, Options(CPU))
    captures, real = [], torch.cuda.CUDAGraph

    def counted():
        if len(captures) == at:
            capturing.broken = RuntimeError("CUDA error: out of luck\nCompile with ...")
        captures.append(1)
        return real()

    monkeypatch.setattr(torch.cuda, "CUDAGraph", counted)
    trainers(Graphed)
    with pytest.warns(RuntimeWarning, match="out of luck.*goes on without"):
        record = train(config, data, Options(CPU, ran="1 at once"))
    assert len(captures) == at + 1, "one failure is enough"
    assert (record.run, record.status) == (expected.run, expected.status)
    assert record.metrics["train_loss"] == expected.metrics["train_loss"]
    states = [trainer.saved() for trainer in made]
    assert all(torch.equal(states[1][name], tensor) for name, tensor in states[0].items())
    # 40 images, float32: 2^-24 through a network of a few layers, far below the gap between two logits
    assert record.metrics["test_loss"] == pytest.approx(expected.metrics["test_loss"], rel=1e-5)
    assert record.metrics["test_accuracy"] == expected.metrics["test_accuracy"]
    assert record.provenance["ran"] == "eager, no CUDA graph (CUDA error: out of luck), 1 at once"


def test_memory_that_runs_out_during_a_capture_is_no_reason_to_go_on(capturing):
    capturing.broken = torch.OutOfMemoryError("CUDA out of memory")
    with pytest.raises(torch.OutOfMemoryError):
        captured(lambda: None, [], [], Stream())


def test_ctrl_c_during_a_capture_ends_the_run(capturing):
    """The stream then fails to end its capture, which is no reason to go on without one."""
    calls = []

    def interrupted():
        calls.append(1)
        if len(calls) > WARM_UPS:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        captured(interrupted, [], [], Stream())


# What measures a GPU, run against the stand-in so that it has been run at all. Its times mean nothing.


def test_a_rule_is_timed_as_a_graph(capturing):
    x = torch.zeros(1)
    assert tuning._seconds(lambda: x.add_(1), CUDA, True, 3) == [pytest.approx(1e-5)] * 3
    assert x.item() == WARM_UPS + 1 + 3 * tuning.REPLAYS, "the capture itself computes nothing"
    capturing.broken = RuntimeError("no engine")
    with pytest.raises(CaptureError):
        tuning._seconds(lambda: x.add_(1), CUDA, True, 3)
    assert len(tuning._seconds(lambda: x.add_(1), CUDA, False, 3)) == 3


def test_what_a_run_costs_is_measured_on_its_own_stream(capturing, monkeypatch):
    """A test on another stream than the one that is waited for would cost nothing."""
    streams, replayed = [None], []

    @contextlib.contextmanager
    def current(stream):
        streams.append(stream)
        yield
        streams.pop()

    replay = graphs_on_cpu.CUDAGraph.replay
    monkeypatch.setattr(torch.cuda, "stream", current)
    monkeypatch.setattr(
        graphs_on_cpu.CUDAGraph, "replay", lambda self: replayed.append(streams[-1]) or replay(self)
    )
    made = []
    monkeypatch.setattr(cost, "Trainer", lambda *args: made.append(Graphed(*args)) or made[0])
    cost.measure(replace(BASE, clients=2, batch=4), Options(CPU), repeats=2)
    assert len(replayed) == 3 * 2 + 2, "an iteration and a test, three times, and two tests more"
    assert set(map(id, replayed)) == {id(made[0].stream)}


def test_runs_side_by_side_are_counted(capturing, monkeypatch):
    monkeypatch.setattr(side_by_side, "SECONDS", 0.01)
    monkeypatch.setattr(side_by_side, "COUNTS", (1, 2))
    monkeypatch.setattr(side_by_side, "Trainer", Graphed)
    said = []
    rates = side_by_side.measure(
        BASE, federated(BASE), Options(CPU), seconds=60.0, say=lambda count, rate: said.append((count, rate))
    )
    assert said == list(rates.items())
    assert [count for count, _ in said] == [1, 2]
    assert min(rates.values()) > 0
    assert side_by_side.measure(BASE, federated(BASE), Options(CPU), seconds=0.0) == {}


@pytest.mark.parametrize("graphs", [True, False])
@pytest.mark.parametrize("kernels", [True, False], ids=["fused kernels", "layer by layer"])
def test_every_variant_of_the_throughput_is_made_and_does_a_round(graphs, kernels, capturing, monkeypatch):
    monkeypatch.setattr(
        throughput, "Trainer", lambda config, data, device, rules: Joint(config, data, CPU, rules)
    )
    monkeypatch.setattr(throughput, "rules_for", lambda *asked: Rules(fused=asked[-1].fused))
    monkeypatch.setattr(fused, "kernels", kernels_in_torch)
    monkeypatch.setattr(fused, "supports", lambda *asked: True)
    small, trusted = Architecture(blocks=1, width=2), Sound(("loop",), graphs, kernels)
    ready, memory = throughput.variants(small, 2, 4, "float32", CUDA, trusted)
    in_place = {"plain", "plain, channels last", "ours"} | ({"ours, layer by layer"} if kernels else set())
    eager = {f"{name} eager" for name in in_place} if graphs else set()
    assert set(ready) == set(memory) == in_place | {"loop", "vmap"} | eager
    assert {name for name, function in ready.items() if isinstance(function, Graph)} == {
        name.removesuffix(" eager") for name in eager
    }
    assert set(memory.values()) == {3.0}
    fewer, _ = throughput.variants(small, 2, 4, "float32", CUDA, trusted, throughput.SPARED)
    assert set(ready) - set(fewer) == {"loop", "vmap"} | {
        name for name in ready if name.startswith("ours, layer")
    }
    taken = throughput.interleaved(ready, 2, CUDA)
    assert all(len(times) == 2 and min(wall for wall, _ in times) > 0 for times in taken.values())
