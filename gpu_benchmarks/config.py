"""The config of one training run: method, parameters, schedule, seed, readings. Its hash is the run's
name.
"""

from __future__ import annotations

import hashlib
import json
import math
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from gpu_benchmarks.errors import InputError
from gpu_benchmarks.parsing import parse, parse_toml
from gpu_benchmarks.readings import Readings
from gpu_benchmarks.training_methods import METHODS
from methods.terminal.console import near, shown, spelled

PRECISIONS: Mapping[str, str] = {
    "float32": "everything in float32",
    "tf32": "convolutions and products of the network in TF32 on a GPU; everything else, and on a CPU all, in float32",
    "bf16": "activations, convolutions and, but for fused kernels, the linear layer in bfloat16; all else in float32",
    "float64": "everything in float64, for checks",
}
MOST: Mapping[str, int] = {"rounds": 10**9, "local_steps": 10**5, "blocks": 200, "width": 1024}
"""The largest values that are not taken for slips of the pen; 200 blocks a stage are ResNet-1202."""
LONGEST = 1 << 22
"""Characters of a file of runs: thousands, each with every setting, fit."""
DATASETS: Mapping[str, str] = {
    "cifar10": "CIFAR-10, official binary batches",
    "synthetic": "random images of ten separable classes, for tests; never in a table",
}


@dataclass(frozen=True)
class Config:
    """One run.

    method: see `gpu_benchmarks.training_methods`. gamma: step size γ > 0. beta: β > 0, the factor of the memories (τ for Clip21
    and dp_sgd_clip, the length of a message for dp_sgd and fedavg). alpha: α ≥ 0. server_normalisation: line 11 of
    α-NormEC's Algorithm 1.
    clients, batch: n and images of a client in an iteration. rounds: K, printed communication rounds.
    stop_after: printed rounds actually run where that is fewer (a *reduced* run; all K are None); K stays what it is in the
    noise.
    private: noise for (epsilon, delta). participation: p. local_steps: T.
    images: use only that many training images (a reduced run); None is all.
    """

    method: str = "alpha_normec"
    gamma: float = 0.1
    beta: float = 0.1
    alpha: float = 0.01
    server_normalisation: bool = False
    clients: int = 10
    batch: int = 32
    rounds: int = 300
    stop_after: int | None = None
    private: bool = False
    epsilon: float = 8.0
    delta: float = 1e-5
    participation: float = 1.0
    local_steps: int = 1
    seed: int = 42
    blocks: int = 3
    width: int = 16
    data: str = "cifar10"
    images: int | None = None
    precision: str = "float32"
    readings: Readings = field(default_factory=Readings)

    def __post_init__(self) -> None:
        _check_types(self)
        for name, options in (("method", METHODS), ("precision", PRECISIONS), ("data", DATASETS)):
            value = getattr(self, name)
            _require(value in options, name, value, f"one of {', '.join(options)}")
        for name in ("gamma", "beta", "epsilon"):
            value = getattr(self, name)
            _require(math.isfinite(value) and value > 0, name, value, "finite and above 0")
        _require(math.isfinite(self.alpha) and self.alpha >= 0, "alpha", self.alpha, "finite and at least 0")
        _require(0 < self.delta < 1, "delta", self.delta, "in (0, 1)")
        _require(0 < self.participation <= 1, "participation", self.participation, "in (0, 1]")
        for name in ("clients", "batch", "rounds", "local_steps", "blocks"):
            _require(getattr(self, name) >= 1, name, getattr(self, name), "at least 1")
        _require(self.width >= 2 and self.width % 2 == 0, "width", self.width, "even and at least 2")
        for name, most in MOST.items():
            _require(getattr(self, name) <= most, name, getattr(self, name), f"at most {most}")
        _require(0 <= self.seed < 2**63, "seed", self.seed, "in [0, 2^63)")
        if self.stop_after is not None:
            _require(
                1 <= self.stop_after <= self.rounds, "stop_after", self.stop_after, f"in [1, {self.rounds}]"
            )
            if self.stop_after == self.rounds:  # the whole run, which has one name
                object.__setattr__(self, "stop_after", None)
        if self.images is not None:
            least = self.clients * self.batch
            _require(self.images >= least, "images", self.images, f"at least clients · batch = {least}")
        has = METHODS[self.method]
        for name in ("participation", "local_steps"):
            value, only = getattr(self, name), "only fed_alpha_normec and fedavg have it"
            _require(has.federated or value == 1, name, value, f"1 with method {self.method}: {only}")
        _require(
            self.local_steps > 1 or self.readings.local_batches == "fresh",
            "reading local_batches",
            self.readings.local_batches,
            "fresh with one local step, which has one mini-batch",
        )
        _require(
            has.memories or self.readings.memories == "zero",
            "reading memories",
            self.readings.memories,
            f"zero with method {self.method}, which has no memories",
        )
        _require(
            has.server_normalisation or not self.server_normalisation,
            "server_normalisation",
            self.server_normalisation,
            f"false with method {self.method}",
        )
        _require(
            has.message != "whole" or not self.private,
            "private",
            self.private,
            f"false with method {self.method}",
        )

    @property
    def full(self) -> bool:
        """Whether this is the printed schedule on all of a real data set with ResNet-20, and not a reduced
        run.
        """
        return (
            self.stop_after is None
            and self.images is None
            and self.data != "synthetic"
            and (self.blocks, self.width) == (3, 16)
        )

    @cached_property  # it is asked for wherever runs are told apart
    def run(self) -> str:
        """The name of the run: the first 16 hexadecimal digits of the SHA-256 of its canonical JSON.

        The reading `local_batches` has one option where there is one local step, and is left out there; so is the
        default of `noise_root`, which every run had that was named before there was this reading.
        """
        settings = to_dict(self)
        if self.readings.noise_root == "K alone":
            del settings["readings"]["noise_root"]
        if self.local_steps == 1:
            del settings["readings"]["local_batches"]
        return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:16]

    @cached_property
    def trajectory(self) -> str:
        """The name of the run that this one is the beginning of: what `stop_after` cuts off changes nothing
        before. Checkpoints are kept under it, so that a reduced run can be made longer.
        """
        return replace(self, stop_after=None).run

    def label(self) -> str:
        """One short line for people: the method, its parameters, and what else is not the default, readings too; `images` and
        `stop_after`, which make a run a reduced one, are told beside it."""
        method, default = METHODS[self.method], Config()
        beta = [] if method.message == "whole" else [f"β={self.beta:g}"]
        parts = [method.name, *beta, f"γ={self.gamma:g}"]
        if self.alpha != default.alpha:
            parts.append(f"α={self.alpha:g}")
        if self.server_normalisation:
            parts.append("server-normalised")
        if self.clients != default.clients:
            parts.append(f"n={self.clients}")
        if self.rounds != default.rounds:
            parts.append(f"K={self.rounds}")
        if self.private:
            root = "" if self.readings.noise_root == "K alone" else f", root over {self.readings.noise_root}"
            parts.append(f"DP {self.readings.noise}, {self.readings.noise_joins}{root}")
            parts += [f"ε={self.epsilon:g}"] if self.epsilon != default.epsilon else []
            parts += [f"δ={self.delta:g}"] if self.delta != default.delta else []
        if self.participation != default.participation:
            parts.append(f"p={self.participation:g}")
        if self.local_steps != default.local_steps:
            parts.append(f"T={self.local_steps}")
        for name in ("batch", "blocks", "width", "data"):
            if (value := getattr(self, name)) != getattr(default, name):
                parts.append(f"{name}={value}")
        silent = {"noise", "noise_joins", "noise_root"} | (set() if self.private else {"noise_rounds"})
        if self.readings.augmentation == "crop-and-flip":
            parts.append("augmented")
            silent.add("augmentation")
        for item in fields(Readings):
            option = getattr(self.readings, item.name)
            if item.name not in silent and option != getattr(default.readings, item.name):
                parts.append(f"{item.name}={option}")
        if self.precision != default.precision:
            parts.append(self.precision)
        return f"{' '.join(parts)} seed={self.seed}"


def to_dict(config: Config) -> dict[str, Any]:
    return asdict(config)


def from_dict(data: Mapping[str, Any], where: str = "config") -> Config:
    """The config in plain data. Raises `InputError` naming every key that is unknown and the value that is
    wrong.
    """
    if not isinstance(data, Mapping):
        raise InputError(f"{where}: expected a table of settings, found {type(data).__name__}")
    readings = data.get("readings", {})
    if not isinstance(readings, Mapping):
        raise InputError(f"{where}: readings must be a table, found {type(readings).__name__}")
    for given, kind in ((data, Config), (readings, Readings)):
        allowed = [item.name for item in fields(kind)]
        if unknown := [key for key in given if key not in allowed]:
            told = ", ".join(map(spelled, unknown))
            raise InputError(
                f"{where}: unknown {told}{near(str(unknown[0]), allowed)}; {kind.__name__} has {', '.join(allowed)}"
            )
    try:
        return Config(**{**data, "readings": Readings(**readings)})
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"{where}: {error}") from None


def printed_root(method: object, private: object) -> str:
    """The option of `noise_root` that the method's paper prints; the default where there is no noise."""
    federated = isinstance(method, str) and method in METHODS and METHODS[method].federated
    return "K and log" if private is True and not federated else "K alone"


def asked(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that a person writes, with the noise as printed where they do not say how its root is read. (A record
    that does not say it is older than that reading, and `from_dict` takes it as it was.)
    """
    root = printed_root(settings.get("method", Config.method), settings.get("private", Config.private))
    return {**settings, "readings": {"noise_root": root, **settings.get("readings", {})}}


def load(path: Path, on_top: Mapping[str, Any] | None = None) -> list[Config]:
    """Configs of a TOML or JSON file: one config, or `runs`, a list of them, each on top of the file's
    other keys, and `on_top`, settings with a table of readings, on top of all. Raises `InputError` with a line for
    each run that is wrong.
    """
    on_top = on_top or {}
    kind = "JSON" if path.suffix.lower() == ".json" else "TOML"
    try:
        with path.open(encoding="utf-8-sig") as file:  # which may be a pipe, or a device without an end
            text = file.read(LONGEST + 1)
        if len(text) > LONGEST:
            raise InputError(f"{path}: longer than {LONGEST} characters; give a file of runs")
        data = parse(text) if kind == "JSON" else parse_toml(text)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    except ValueError as error:
        raise InputError(f"{path}: not valid {kind} ({error})") from None
    if not isinstance(data, dict):
        raise InputError(f"{path}: expected a table of settings, found {type(data).__name__}")
    if not data:
        raise InputError(f"{path}: is empty; name at least one setting")
    runs = data.pop("runs", [{}])
    if not isinstance(runs, list) or not all(isinstance(run, dict) for run in runs):
        raise InputError(f"{path}: runs must be a list of tables")
    if not runs:
        raise InputError(f"{path}: its list of runs is empty; leave it out for one run, or give at least one")
    if not all(isinstance(table.get("readings", {}), dict) for table in (data, *runs)):
        raise InputError(f"{path}: readings must be a table")
    configs, wrong = [], []
    for number, run in enumerate(runs):
        merged = data | run | on_top
        merged["readings"] = {
            name: option
            for table in (data, run, on_top)
            for name, option in table.get("readings", {}).items()
        }
        try:
            configs.append(from_dict(asked(merged), f"{path}, run {number + 1}"))
        except InputError as error:
            wrong.append(str(error))
    if wrong:
        raise InputError(*wrong)
    return configs


def with_readings(config: Config, **options: str) -> Config:
    return replace(config, readings=replace(config.readings, **options))


def _require(good: bool, name: str, value: object, domain: str) -> None:
    if not good:
        raise ValueError(f"{name} = {shown(value)} is not allowed: it must be {domain}")


_KINDS: Mapping[str, tuple[type, ...]] = {
    "str": (str,),
    "float": (float,),
    "bool": (bool,),
    "int": (int,),
    "int | None": (int, type(None)),
    "Readings": (Readings,),
}
_FIELDS = fields(Config)


def _check_types(config: Config) -> None:
    for item in _FIELDS:
        value = getattr(config, item.name)
        if item.type == "float" and type(value) is int:  # 1 is a fine way to write 1.0
            _require(abs(value) <= sys.float_info.max, item.name, value, "finite")
            object.__setattr__(config, item.name, float(value))
            continue
        if value == 0 and type(value) is float:  # -0.0 is 0.0, and names the same run
            object.__setattr__(config, item.name, 0.0)
        if not isinstance(value, _KINDS[str(item.type)]) or (isinstance(value, bool) and item.type != "bool"):
            raise TypeError(f"{item.name} = {shown(value)} must be of type {item.type}")
