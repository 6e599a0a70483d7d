"""Which files a data set consists of, where they come from, and their SHA-256.

Sums of Fashion-MNIST are of the official gzip files; those of CIFAR are of the unpacked binary batches,
and of the official archives that hold them.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from gpu_benchmarks.errors import InputError

VARIABLE = "NORMEC_DATA"


class DataError(InputError):
    """A data file is missing, damaged, or cannot be fetched. The message names the file and the cure."""


class MissingData(DataError):
    """A data file is not there."""


@dataclass(frozen=True)
class Part:
    """One file of a data set. `sha256` is of its bytes as stored (gzip) or unpacked (`.bin`); size
    in bytes, None where it is not known.
    """

    name: str
    sha256: str
    size: int | None

    @property
    def telling(self) -> int:
        """How many bytes to read of a file: one more than is right is enough to know that it is too long. -1: all of them."""
        return -1 if self.size is None else self.size + 1


@dataclass(frozen=True)
class Source:
    """A data set's files.

    kind: `idx` (four gzip files, each with its own address under `url`) or `cifar` (binary records
    that may lie in the folder plain, as `.xz`, or inside `archive`). label_bytes: bytes of labels
    before each image's pixels (CIFAR), the last of which is the class.
    """

    name: str
    folder: str
    kind: str
    url: str
    training: tuple[Part, ...]
    test: tuple[Part, ...]
    classes: int
    shape: tuple[int, ...]
    label_bytes: int = 0
    archive: Part | None = None
    inside: str = ""

    @property
    def parts(self) -> tuple[Part, ...]:
        return self.training + self.test

    @property
    def downloads(self) -> tuple[Part, ...]:
        """What `fetch` gets: the archive where there is one, otherwise each file."""
        return (self.archive,) if self.archive else self.parts


def _batch(name: str, sha256: str, records: int, label_bytes: int) -> Part:
    return Part(name, sha256, records * (label_bytes + 3_072))


FASHION_MNIST = Source(
    name="fashion-mnist",
    folder="fashion-mnist",
    kind="idx",
    url="http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/",
    training=(
        Part(
            "train-images-idx3-ubyte.gz",
            "3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84",
            26_421_880,
        ),
        Part(
            "train-labels-idx1-ubyte.gz",
            "a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845",
            29_515,
        ),
    ),
    test=(
        Part(
            "t10k-images-idx3-ubyte.gz",
            "346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073",
            4_422_102,
        ),
        Part(
            "t10k-labels-idx1-ubyte.gz",
            "67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5",
            5_148,
        ),
    ),
    classes=10,
    shape=(28, 28),
)

CIFAR10 = Source(
    name="cifar10",
    folder="cifar10",
    kind="cifar",
    url="https://www.cs.toronto.edu/~kriz/",
    training=tuple(
        _batch(f"data_batch_{number}.bin", sha256, 10_000, 1)
        for number, sha256 in enumerate(
            (
                "cee916563c9f80d84e3cc88e17fdc0941787f1244f00a67874d45b261883ada5",
                "a591ca11fa1708a91ee40f54b3da4784ccd871ecf2137de63f51ada8b3fa57ed",
                "bbe8596564c0f86427f876058170b84dac6670ddf06d79402899d93ceea26f67",
                "014e562d6e23c72197cc727519169a60359f5eccd8945ad5a09d710285ff4e48",
                "755304fc0b379caeae8c14f0dac912fbc7d6cd469eb67a1029a08a39453a9add",
            ),
            start=1,
        )
    ),
    test=(
        _batch(
            "test_batch.bin", "8e2eb146ae340b09e24670f29cabc6326dba54da8789dab6768acf480273f65b", 10_000, 1
        ),
    ),
    classes=10,
    shape=(3, 32, 32),
    label_bytes=1,
    archive=Part(
        "cifar-10-binary.tar.gz",
        "c4a38c50a1bc5f3a1c5537f2155ab9d68f9f25eb1ed8d9ddda3db29a59bca1dd",
        170_052_171,
    ),
    inside="cifar-10-batches-bin/",
)

CIFAR100 = Source(
    name="cifar100",
    folder="cifar100",
    kind="cifar",
    url="https://www.cs.toronto.edu/~kriz/",
    training=(
        _batch("train.bin", "f31298fc616915fa142368359df1c4ca2ae984d6915ca468b998a5ec6aeebf29", 50_000, 2),
    ),
    test=(_batch("test.bin", "d8b1e6b7b3bee4020055f0699b111f60b1af1e262aeb93a0b659061746f8224a", 10_000, 2),),
    classes=100,
    shape=(3, 32, 32),
    label_bytes=2,
    archive=Part(
        "cifar-100-binary.tar.gz",
        "58a81ae192c23a4be8b1804d68e518ed807d710a4eb253b1f2a199162a40d8ec",
        None,  # not published; the checksum decides
    ),
    inside="cifar-100-binary/",
)

DATASETS = {source.name: source for source in (FASHION_MNIST, CIFAR10, CIFAR100)}


def data_folder() -> Path:
    """The folder that `NORMEC_DATA` names, otherwise the user's cache folder for this project. Raises
    `DataError` where it names the home of nobody here, and where the cache takes a package that is not installed.
    """
    named = os.environ.get(VARIABLE, "").strip()
    if named:
        try:
            folder = Path(named).expanduser()
            folder.exists()  # raises OSError for a name that is too long for any file
            return folder
        except OSError as error:
            raise DataError(
                f"{VARIABLE} = {named!r}: cannot be looked at ({error.strerror}); name another folder"
            ) from None
        except RuntimeError:
            raise DataError(
                f"{VARIABLE} = {named!r}: {named.split('/')[0]} is no home folder on this machine; write the folder out in full"
            ) from None
    try:
        import pooch  # only here, so that a rented machine whose data folder is named does not need it
    except ModuleNotFoundError:
        raise DataError(
            f"the user's cache folder is found by pooch, which is not installed; name a folder in {VARIABLE}"
        ) from None
    return Path(pooch.os_cache("normec"))


def source(name: str) -> Source:
    """The data set of that name; raises `DataError` for another."""
    if name not in DATASETS:
        raise DataError(f"data set {name!r}: choose one of {', '.join(DATASETS)}")
    return DATASETS[name]
