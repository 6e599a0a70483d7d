"""What only a CUDA device can show: the same numbers as the CPU, captured graphs, several runs at once."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from gpu_benchmarks import gradients
from gpu_benchmarks.config import Config
from gpu_benchmarks.device import arithmetic
from gpu_benchmarks.engine import Trainer
from gpu_benchmarks.errors import InputError
from gpu_benchmarks.federation import federated
from gpu_benchmarks.layers import WEIGHT_GRADIENTS
from gpu_benchmarks.records import read
from gpu_benchmarks.resnet import Architecture
from gpu_benchmarks.selfcheck import Sound, checks, sound
from gpu_benchmarks.sweep import Folder, sweep
from gpu_benchmarks.training import Options, train
from gpu_benchmarks.tuning import rules_for

CPU = torch.device("cpu")


def test_selfcheck_passes_on_a_cpu():
    found = list(checks(CPU, Architecture(blocks=1, width=2)))
    assert len(found) == 8
    assert all(check.passed for check in found), [check for check in found if not check.passed]


def test_selfcheck_sees_a_wrong_gradient(monkeypatch):
    from gpu_benchmarks import layers

    wrong = dict(layers.WEIGHT_GRADIENTS) | {"groups": lambda *a: 1.0001 * layers._by_loop(*a)}
    monkeypatch.setattr(layers, "WEIGHT_GRADIENTS", wrong)
    small = Architecture(blocks=1, width=2)
    failed = [check.name for check in checks(CPU, small) if not check.passed]
    assert failed == ["gradients in float64, weight gradients by groups"]
    assert sound(CPU, small) == Sound(("loop", "images"), graphs=True), "there are two others"


def test_selfcheck_sees_a_wrong_gradient_of_a_client_by_itself(monkeypatch):
    right = gradients.by_client

    def wrong(*args):
        found = right(*args)
        return found._replace(gradients=1.0001 * found.gradients)

    monkeypatch.setattr(gradients, "by_client", wrong)
    with pytest.raises(InputError, match=r"the same, client by client: off by .* FAILED; nothing was run"):
        sound(CPU, Architecture(blocks=1, width=2))


def test_without_the_rule_that_everything_falls_back_on_nothing_is_run(monkeypatch):
    from gpu_benchmarks import layers

    def refused(*args):
        raise RuntimeError("no engine\nto be found")

    monkeypatch.setitem(layers.WEIGHT_GRADIENTS, "images", refused)
    said = []
    small = Architecture(blocks=1, width=2)
    assert sound(CPU, small, lambda check: said.append(str(check))).rules == ("groups", "loop")
    (line,) = [line for line in said if "FAILED" in line]
    assert line.endswith("weight gradients by images (no engine): off by inf, FAILED")
    monkeypatch.setitem(layers.WEIGHT_GRADIENTS, "loop", refused)
    with pytest.raises(InputError, match=r"by loop \(no engine\): off by inf, FAILED; nothing was run"):
        sound(CPU, small)


def test_a_device_that_refuses_several_local_steps_does_the_others(monkeypatch):
    """The queue for a rented GPU has no run with several; numbers that are wrong are another matter."""
    right = gradients.of_clients

    def refused(net, x, *more, **how):
        if x.ndim == 2:
            raise RuntimeError("unable to find an engine\nto execute this")
        return right(net, x, *more, **how)

    monkeypatch.setattr(gradients, "of_clients", refused)
    said, small = [], Architecture(blocks=1, width=2)
    assert sound(CPU, small, lambda check: said.append(str(check))) == Sound(tuple(WEIGHT_GRADIENTS), True)
    (line,) = [line for line in said if "FAILED" in line]
    assert line == "gradients at own points in float64 (unable to find an engine): off by inf, FAILED"

    def wrong(net, x, *more, **how):
        found = right(net, x, *more, **how)
        return found._replace(gradients=1.0001 * found.gradients) if x.ndim == 2 else found

    monkeypatch.setattr(gradients, "of_clients", wrong)
    with pytest.raises(InputError, match=r"gradients at own points in float64: off by .* nothing was run"):
        sound(CPU, small)


def test_rules_on_a_cpu_are_fixed():
    assert rules_for(Architecture(), 10, 32, "float32", CPU).by_shape == {}


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
class TestCuda:
    def test_selfcheck_passes(self):
        for check in checks(torch.device("cuda")):
            assert check.passed, str(check)

    @pytest.mark.parametrize("precision", ["float32", "tf32", "bf16"])
    def test_accuracy_is_near_that_of_the_cpu(self, precision):
        config = Config(data="synthetic", clients=4, batch=16, rounds=3, blocks=1, precision=precision)
        data = federated(config)
        here = train(config, data, Options(CPU)).metrics["train_loss"]
        there = train(config, data, Options(torch.device("cuda"))).metrics["train_loss"]
        # other orders of data on another device (its own generator), so only the level is compared
        assert there[-1] == pytest.approx(here[-1], rel=0.05)  # six orders of data on a CPU: within 1%

    @pytest.mark.parametrize(("precision", "worst"), [("float32", 1e-4), ("tf32", 0.06), ("bf16", 0.3)])
    def test_gradients_are_as_near_to_those_in_float64_as_their_arithmetic_allows(self, precision, worst):
        net, generator = Architecture(1), torch.Generator().manual_seed(0)
        x = net.initial(0, torch.float64)
        images = torch.randn(32, 3, 32, 32, dtype=torch.float64, generator=generator)
        labels = torch.randint(10, (32,), generator=generator)
        expected = gradients.loop(net, x, images, labels, 4).gradients
        there = x.float().cuda(), images.float().cuda(), labels.cuda(), 4
        with arithmetic(precision):
            found = gradients.of_clients(net, *there, precision=precision).gradients
        assert (found.cpu() - expected).norm() < worst * expected.norm()

    @pytest.mark.filterwarnings("ignore:Synchronization debug mode")
    def test_an_iteration_makes_no_host_synchronisation(self):
        config = Config(data="synthetic", clients=4, batch=16, rounds=3, blocks=1, private=True)
        trainer = Trainer(config, federated(config), torch.device("cuda"), graphs=False)
        with trainer.here():
            group = trainer.prepare(0)
            trainer.advance(group)
            torch.cuda.synchronize()
            torch.cuda.set_sync_debug_mode("error")
            try:
                trainer.advance(group)
            finally:
                torch.cuda.set_sync_debug_mode("default")

    def test_runs_are_captured(self):
        config = Config(data="synthetic", clients=4, batch=16, rounds=3, blocks=1, private=True)
        record = train(config, federated(config), Options(torch.device("cuda"), ran="1 at once"))
        assert record.provenance["ran"] == "graph, 1 at once"

    def test_runs_side_by_side_are_those_alone(self, tmp_path):
        """Each on its own stream, captured while others replay. Atomic additions differ in the last bits."""
        base = Config(
            data="synthetic", clients=4, batch=16, rounds=3, blocks=1, private=True, precision="float64"
        )
        configs = [replace(base, seed=seed) for seed in range(4)]
        options = Options(torch.device("cuda"))
        found = []
        for at_once in (1, 4):
            folder = Folder(tmp_path / str(at_once))
            assert sweep(folder, configs, options, at_once)
            found.append([read(folder.record(config)).metrics["train_loss"] for config in configs])
        alone, together = found
        for one, other in zip(alone, together, strict=True):
            assert one == pytest.approx(other, rel=1e-6)
