"""`throughput`: a federated round of α-NormEC against plain SGD, a loop over clients and `vmap`, in one run.

All variants do the same work on the same images, in the same arithmetic: take the joint mini-batch out of the
resident data, differentiate ResNet-20, move x. They are timed in turn, round after round, so that a machine that slows
down slows all of them; the number is the median. Beside the wall clock stands the processor time of the
process, whose ratio holds on a busy machine too (with one thread; on a GPU it is the host's).

    plain   the network trained by SGD on the joint batch; nobody's images, nothing federated
    ours    `Trainer.advance`: on a GPU shared forward and backward pass, weight gradients by client; on a CPU
            one client a thread
    loop    one client after the other, then `methods.step`
    vmap    `torch.func.vmap(grad)` over clients, then `methods.step`

On a CPU there are two more: `joint`, ours as it runs on a GPU, and `plain, channels last`, plain with its images in the
memory layout that ours gives them there. On a GPU `plain`, in both layouts, and `ours` are captured as CUDA graphs, and are
timed without too (`plain eager`, `ours eager`); where graphs are not to be had, all are timed without, and `graphs` in the
JSON is false. Where `ours` runs on the fused kernels, `ours, layer by layer` is without them, and the others take their
images, but for `ours, layer by layer`, from the fused kernel that makes a mini-batch.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

import torch

import methods
from gpu_benchmarks import gradients, parsing
from gpu_benchmarks.batches import Data
from gpu_benchmarks.config import PRECISIONS, Config, with_readings
from gpu_benchmarks.cuda_graphs import CaptureError, captured
from gpu_benchmarks.device import arithmetic, choose, describe
from gpu_benchmarks.engine import Trainer
from gpu_benchmarks.errors import InputError
from gpu_benchmarks.machine import commit, name_the_code, sources
from gpu_benchmarks.resnet import Architecture
from gpu_benchmarks.roofline import floor
from gpu_benchmarks.selfcheck import Sound, sound
from gpu_benchmarks.tuning import rules_for
from methods.terminal.output import STDOUT, add_json, check_writable
from methods.terminal.processes import cores
from methods.terminal.progress import progress_bar
from methods.terminal.tables import Table, output

SIZES = ((10, 32), (20, 32))
LAYERED = "ours, layer by layer"
SPARED = ("loop", "vmap", LAYERED)
MOST = {"rounds": 10**6, "clients": 10**4}
"""The largest values that are not taken for slips of the pen."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--device", help="cpu or cuda (default: cuda where there is one)")
    add_json(parser, "the measurements")
    parser.add_argument(
        "--rounds", type=int, default=7, help="timed rounds of each variant, >= 1 (default 7)"
    )
    parser.add_argument("--threads", type=int, help="CPU threads (default: PyTorch's)")
    parser.add_argument(
        "--precision", choices=PRECISIONS, default="float32", help="arithmetic (default float32)"
    )
    parser.add_argument(
        "--clients", type=int, nargs="+", help="numbers of clients, 32 images each (default: 10 20)"
    )
    parser.add_argument(
        "--without",
        action="append",
        choices=SPARED,
        default=[],
        metavar="VARIANT",
        help=f"a variant that is not timed, where time is dear: {'; '.join(map(repr, SPARED))} (repeatable)",
    )


def run(args: argparse.Namespace) -> int:
    if args.json:
        check_writable(args.json)
    device = choose(args.device)
    for name, values in (("rounds", [args.rounds]), ("clients", args.clients or ())):
        for value in values:
            if not 1 <= value <= MOST[name]:
                raise InputError(f"--{name} {value}: must be in [1, {MOST[name]}]")
    if args.threads is not None and not 1 <= args.threads <= cores():
        raise InputError(
            f"--threads {args.threads}: must be at least 1, and at most {cores()}, the cores of this machine that the process may use"
        )
    if args.threads:
        torch.set_num_threads(args.threads)
    sizes = [(n, 32) for n in args.clients] if args.clients else SIZES
    result = measure(device, args.precision, sizes, args.rounds, without=args.without)
    if args.json:
        parsing.write(result, args.json)
    if args.json != STDOUT:
        render(result).show(output())
    return 0


def measure(
    device: torch.device,
    precision: str = "float32",
    sizes: Sequence[tuple[int, int]] = SIZES,
    rounds: int = 7,
    net: Architecture | None = None,
    without: Collection[str] = (),
) -> dict[str, Any]:
    """The JSON of the command. without: of `SPARED`, not timed. Raises `InputError` if the gradients are wrong on this device."""
    net, load = net or Architecture(), os.getloadavg()[0]
    name_the_code()
    trusted = sound(device, Architecture(1, net.width), precision=precision)
    cases, floors = [], []
    for clients, batch in sizes:
        with arithmetic(precision):
            ready, memory = variants(net, clients, batch, precision, device, trusted, without)
            taken = interleaved(ready, rounds, device)
        medians = {name: statistics.median(wall for wall, _ in times) for name, times in taken.items()}
        worked = {name: statistics.median(cpu for _, cpu in times) for name, times in taken.items()}
        for name, seconds in medians.items():
            cases.append(
                {
                    "clients": clients,
                    "batch": batch,
                    "variant": name,
                    "seconds_per_round": seconds,
                    "ratio_to_plain": seconds / medians["plain"],
                    "processor_seconds_per_round": worked[name],
                    "processor_ratio_to_plain": worked[name] / worked["plain"],
                    "rounds_per_second": 1 / seconds,
                    "samples_per_second": clients * batch / seconds,
                    "peak_memory_mib": memory.get(name),
                }
            )
        floors.append({"clients": clients, "batch": batch, **floor(net, clients * batch, precision, device)})
    return {
        "schema": 1,
        "commit": commit(),
        "sources": sources(),
        "device": _name(describe(device)),
        "hardware": describe(device),
        "load_average": load,
        "precision": precision,
        "without": sorted(without),
        "torch": torch.__version__,
        "rounds": rounds,
        "graphs": device.type == "cuda" and trusted.graphs,
        "process_memory_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "cases": cases,
        "floor": floors,
    }


def variants(
    net: Architecture,
    clients: int,
    batch: int,
    precision: str,
    device: torch.device,
    trusted: Sound,
    without: Collection[str] = (),
) -> tuple[dict[str, Callable[[], None]], dict[str, float]]:
    """Functions of no arguments that do one round each, and on a GPU the peak memory of a round, MiB (of a captured one,
    while it is captured).
    """
    config = Config(clients=clients, batch=batch, precision=precision, blocks=net.blocks, width=net.width)
    config = with_readings(config, batches="independent")
    rules = rules_for(net, clients, batch, precision, device, trusted)
    data = _random_data(clients, batch)
    trainer = Trainer(config, data, device, rules)
    trainer.prepare(0)
    if device.type == "cuda":
        torch.cuda.synchronize(device)  # the trainer filled its buffers on a stream of its own

    x = trainer.buffers["x"].clone()
    position = trainer.plans[batch].position

    def taken() -> tuple[torch.Tensor, torch.Tensor]:
        position.zero_()
        return trainer.mini_batch(batch)

    def plain(layout: torch.memory_format = torch.contiguous_format) -> None:
        images, labels = taken()
        images = images.contiguous(memory_format=layout)
        x.sub_(config.gamma * gradients.plain(net, x, images, labels, precision).gradients[0])

    slow_state = [trainer.state]

    def slow(way: Callable[..., gradients.Gradients]) -> Callable[[], None]:
        def one_round() -> None:
            images, labels = taken()
            found = way(net, slow_state[0].x, images, labels, clients, precision)
            slow_state[0], _ = methods.step(
                trainer.method, slow_state[0], found.gradients, trainer.randomness
            )

        return one_round

    ready: dict[str, Callable[[], None]] = {"plain": plain, "ours": _round_of(trainer, batch)}
    for name, way in (("loop", gradients.loop), ("vmap", gradients.mapped)):
        if name not in without:
            ready[name] = slow(way)
    if device.type == "cpu":
        joint = Trainer(config, data, device, rules, joint=True)
        joint.prepare(0)
        ready["joint"] = _round_of(joint, batch)
    ready["plain, channels last"] = partial(plain, torch.channels_last)
    if device.type == "cpu":
        return ready, {}
    in_place = {"plain": [x, position], "plain, channels last": [x, position], "ours": trainer.all_buffers()}
    if rules.fused and LAYERED not in without:
        apart = rules_for(net, clients, batch, precision, device, replace(trusted, fused=False))
        other = Trainer(config, data, device, apart)
        other.prepare(0)
        torch.cuda.synchronize(device)
        ready[LAYERED] = _round_of(other, batch)
        in_place[LAYERED] = other.all_buffers()
    return ready, _captured(ready, in_place if trusted.graphs else {}, device)


def _round_of(trainer: Trainer, batch: int) -> Callable[[], None]:
    def one_round() -> None:
        trainer.plans[batch].position.zero_()
        trainer.advance((batch,))

    return one_round


def _captured(
    ready: dict[str, Callable[[], None]],
    in_place: Mapping[str, Sequence[torch.Tensor]],
    device: torch.device,
) -> dict[str, float]:
    """Capture the variants that change the buffers given, keeping each as it was under `NAME eager`; the peak memory of all."""
    memory: dict[str, float] = {}
    for name, buffers in in_place.items():
        eager = ready[f"{name} eager"] = ready[name]
        try:
            with _peak(name, memory, device):
                ready[name] = captured(eager, buffers, [], torch.cuda.Stream(device))
        except CaptureError as error:
            raise InputError(f"{device}: {name}: {error}; nothing was timed") from None
    for name in ready.keys() - memory.keys():
        with _peak(name, memory, device):
            ready[name]()
    return memory


@contextmanager
def _peak(name: str, memory: dict[str, float], device: torch.device) -> Iterator[None]:
    """Put the most memory that is allocated inside, MiB, under the name."""
    torch.cuda.synchronize(device)
    torch.cuda.reset_peak_memory_stats(device)
    yield
    torch.cuda.synchronize(device)
    memory[name] = torch.cuda.max_memory_allocated(device) / 2**20


def interleaved(
    ready: Mapping[str, Callable[[], None]], rounds: int, device: torch.device
) -> dict[str, list[tuple[float, float]]]:
    """(wall, processor) seconds of each call: every variant once a round, after two untimed calls each. On a GPU a
    sample is the mean of as many calls back to back as take a tenth of a second, at most 20.
    """

    def seconds(function: Callable[[], None], calls: int) -> tuple[float, float]:
        if device.type == "cuda":
            torch.cuda.synchronize(device)
        start, worked = time.perf_counter(), time.process_time()
        for _ in range(calls):
            function()
        if device.type == "cuda":
            torch.cuda.synchronize(device)
        return (time.perf_counter() - start) / calls, (time.process_time() - worked) / calls

    calls = {}
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in ready}
    with progress_bar("done") as progress:
        for name, function in progress.track(ready.items(), description="warming up"):
            function()
            once, _ = seconds(function, 1)
            calls[name] = max(1, min(20, int(0.1 / once))) if device.type == "cuda" else 1
        for _ in progress.track(range(rounds), description="timing"):
            for name, function in ready.items():
                taken[name].append(seconds(function, calls[name]))
    return taken


def _name(hardware: Mapping[str, object]) -> str:
    """A device in words."""
    if hardware["device"] == "cpu":
        return f"{hardware['name']}, {hardware['threads']} of {hardware['cores']} cores"
    return f"{hardware['name']}, {hardware['memory_gib']} GiB"


def _random_data(clients: int, batch: int) -> Data:
    generator = torch.Generator().manual_seed(0)
    count = clients * batch
    images = torch.randint(256, (count, 3, 32, 32), generator=generator, dtype=torch.uint8)
    labels = torch.randint(10, (count,), generator=generator)
    return Data(images, labels, torch.arange(count).view(clients, batch), images[:32], labels[:32])


def render(result: Mapping[str, Any]) -> Table:
    columns = ("clients", "batch", "variant", "s / round", "ratio to plain", "rounds/s", "images/s", "MiB")
    table = Table(f"{result['device']}, {result['precision']}", columns)
    for case in result["cases"]:
        memory = case["peak_memory_mib"]
        table.add_row(
            str(case["clients"]),
            str(case["batch"]),
            case["variant"],
            f"{case['seconds_per_round']:.4g}",
            f"{case['ratio_to_plain']:.2f}",
            f"{case['rounds_per_second']:.3g}",
            f"{case['samples_per_second']:.0f}",
            "" if memory is None else f"{memory:.0f}",
        )
    for bound in result["floor"]:
        floor_row = (str(bound["clients"]), str(bound["batch"]), "floor", f"{bound['seconds']:.4g}")
        table.add_row(*floor_row, *[""] * (len(columns) - len(floor_row)))
    return table
