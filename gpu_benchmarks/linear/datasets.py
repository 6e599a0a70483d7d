"""What the three parts of DP-NormFedAvg's Table 2 differ in: the data, the number of clients, the printed numbers."""

from __future__ import annotations

from dataclasses import dataclass

from gpu_benchmarks.linear import readings as printed


@dataclass(frozen=True)
class DataSet:
    """name: as `data` in `reported.toml`. images: the data set whose images they are. folder: of the records.

    table, ids, margin: the part of Table 2, how the ids of its numbers begin, the id of its margin at ε = 5.
    clients: n, Appendix G. scalings: options of the reading `scaling` that make sense; the first is the default.
    """

    name: str
    images: str
    folder: str
    table: str
    ids: str
    margin: str
    clients: int
    scalings: tuple[str, ...]

    @property
    def features(self) -> bool:
        """Whether it is features of a network that are classified, and not pixels."""
        return self.name != self.images

    @property
    def command(self) -> str:
        """What runs it."""
        return f"linear run --dataset {self.name}" if self.features else "fmnist run"

    def id(self, method: str, epsilon: float) -> str:
        """The entry of `reported.toml` of a cell; FedAvg has no ε."""
        return f"{self.ids}-FEDAVG" if method == "fedavg" else f"{self.ids}-{method.upper()}-{epsilon:g}"


FASHION_MNIST = DataSet(
    "fashion-mnist",
    "fashion-mnist",
    "fmnist",
    "Table 2(a)",
    "DAS-T2A",
    "DAS-S1-MARGIN-FMNIST",
    printed.CLIENTS,
    printed.OPTIONS["scaling"],
)
_AS_EXTRACTED = ("raw", "sphere")
CIFAR10 = DataSet(
    "cifar10-features",
    "cifar10",
    "cifar10-features",
    "Table 2(b)",
    "DAS-T2B",
    "DAS-S1-MARGIN-CIFAR10",
    printed.FEATURE_CLIENTS,
    _AS_EXTRACTED,
)
CIFAR100 = DataSet(
    "cifar100-features",
    "cifar100",
    "cifar100-features",
    "Table 2(c)",
    "DAS-T2C",
    "DAS-S1-MARGIN-CIFAR100",
    printed.FEATURE_CLIENTS,
    _AS_EXTRACTED,
)
DATA = {data.name: data for data in (FASHION_MNIST, CIFAR10, CIFAR100)}
