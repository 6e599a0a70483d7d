"""Data files -> arrays: the official formats, and one clear error for each way in which a file can be wrong."""

from __future__ import annotations

import errno
import gzip
import importlib.util
import json
import lzma
import sys
from pathlib import Path

import numpy as np
import pytest

from gpu_benchmarks.cli import main
from gpu_benchmarks.data import DataError, load, sources
from gpu_benchmarks.data.fetch import provide
from gpu_benchmarks.data.load import cifar, idx
from gpu_benchmarks.errors import InputError

_spec = importlib.util.spec_from_file_location("data_files", Path(__file__).with_name("data_files.py"))
assert _spec
assert _spec.loader
make = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(make)


@pytest.fixture
def fashion(tmp_path, monkeypatch):
    source, arrays = make.fashion(tmp_path)
    monkeypatch.setitem(sources.DATASETS, "fashion-mnist", source)
    monkeypatch.setenv(sources.VARIABLE, str(tmp_path))
    return tmp_path / "fashion-mnist", arrays


def command(*arguments: str) -> int:
    return main(["data", *arguments])


def test_fashion_mnist_is_read_as_written(fashion):
    _, arrays = fashion
    images = load("fashion-mnist")
    names = ("train-images-idx3", "train-labels-idx1", "t10k-images-idx3", "t10k-labels-idx1")
    got = (images.training, images.training_labels, images.test, images.test_labels)
    for name, array in zip(names, got, strict=True):
        assert array.dtype == np.uint8
        np.testing.assert_array_equal(array, arrays[f"{name}-ubyte.gz"])


@pytest.mark.parametrize("how", ["plain", "xz", "archive"])
@pytest.mark.parametrize("name", ["cifar10", "cifar100"])
def test_cifar_is_read_as_written(tmp_path, monkeypatch, name, how):
    source, contents = make.cifar(tmp_path, how, hundred=name == "cifar100")
    monkeypatch.setitem(sources.DATASETS, name, source)
    images = load(name, tmp_path)
    raw = np.concatenate(
        [
            np.frombuffer(contents[p.name], np.uint8).reshape(-1, source.label_bytes + 3_072)
            for p in source.training
        ]
    )
    np.testing.assert_array_equal(images.training.reshape(len(raw), -1), raw[:, source.label_bytes :])
    np.testing.assert_array_equal(images.training_labels, raw[:, source.label_bytes - 1])
    assert images.training.shape[1:] == (3, 32, 32)
    assert images.classes == source.classes


@pytest.mark.parametrize("fault", ["truncated", "altered", "appended", "empty", "missing"])
def test_a_wrong_gzip_file_is_one_error_that_names_it(fashion, fault, capsys):
    home, _ = fashion
    path = home / "train-images-idx3-ubyte.gz"
    content = path.read_bytes()
    damaged = {
        "truncated": content[: len(content) // 2],
        "altered": content[:100] + bytes([content[100] ^ 1]) + content[101:],
        "appended": content + b"\0",
        "empty": b"",
    }
    if fault == "missing":
        path.unlink()
    else:
        path.write_bytes(damaged[fault])
    with pytest.raises(DataError, match=r"train-images-idx3-ubyte\.gz") as error:
        load("fashion-mnist")
    assert isinstance(error.value, InputError), (
        "the command line reports InputErrors in one line, with status 2"
    )
    assert "\n" not in str(error.value)
    assert command("check", "fashion-mnist") == 2
    assert capsys.readouterr().out.count("whole") == 3


def test_a_folder_where_a_file_belongs_is_named_and_nothing_is_fetched(tmp_path, monkeypatch, capsys):
    fashion, _ = make.fashion(tmp_path)
    cifar, _ = make.cifar(tmp_path, "nothing")
    monkeypatch.setitem(sources.DATASETS, "fashion-mnist", fashion)
    monkeypatch.setitem(sources.DATASETS, "cifar10", cifar)
    monkeypatch.setattr("urllib.request.urlopen", lambda *_, **__: pytest.fail("fetched"))
    for which, name in ((fashion, fashion.test[1].name), (cifar, cifar.archive.name)):
        path = tmp_path / which.folder / name
        path.unlink(missing_ok=True)
        path.mkdir()
        with pytest.raises(DataError, match=f"{name}: is no file, but a folder"):
            load(which.name, tmp_path)
        with pytest.raises(DataError, match=f"{name}: is no file, but a folder"):
            provide(which.name, tmp_path)
    assert command("check", "fashion-mnist", "--data", str(tmp_path)) == 2
    assert "is no file, but a folder" in capsys.readouterr().out


def test_a_file_where_the_folder_belongs_is_named(tmp_path, capsys):
    file = tmp_path / "file"
    file.touch()
    assert command("check", "cifar10", "--data", str(file)) == 2
    assert f"{file}: is a file, and a folder belongs there" in capsys.readouterr().err
    assert command("check", "--data", str(file)) == 2
    assert capsys.readouterr().err.count("is a file") == 1, "once for all data sets"
    with pytest.raises(DataError, match="file: is a file"):
        load("cifar10", file)


@pytest.mark.parametrize("fault", ["truncated", "altered", "not xz", "bomb"])
def test_a_wrong_xz_batch_is_one_error_that_names_it(tmp_path, monkeypatch, fault):
    source, contents = make.cifar(tmp_path, "xz")
    monkeypatch.setitem(sources.DATASETS, "cifar10", source)
    path = tmp_path / "cifar10" / "data_batch_3.bin.xz"
    content = path.read_bytes()
    path.write_bytes(
        {
            "truncated": content[:-40],
            "altered": content[:200] + bytes([content[200] ^ 1]) + content[201:],
            "not xz": b"plain text",
            "bomb": lzma.compress(contents["data_batch_3.bin"] + bytes(1 << 22)),
        }[fault]
    )
    with pytest.raises(DataError, match=r"data_batch_3\.bin\.xz"):
        load("cifar10", tmp_path)


def test_a_damaged_archive_is_one_error_that_names_it(tmp_path, monkeypatch):
    source, contents = make.cifar(tmp_path, "archive")
    monkeypatch.setitem(sources.DATASETS, "cifar10", source)
    (tmp_path / "cifar10" / source.archive.name).write_bytes(contents["archive"][:-2_000])
    with pytest.raises(DataError, match=r"cifar-10-binary\.tar\.gz"):
        load("cifar10", tmp_path)


def test_what_is_missing_says_what_to_put_where(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv(sources.VARIABLE, str(tmp_path / "nowhere"))
    with pytest.raises(DataError, match=r"fetch cifar100.*cifar-100-binary\.tar\.gz.*nowhere.*NORMEC_DATA"):
        load("cifar100")
    with pytest.raises(DataError, match="choose one of fashion-mnist"):
        load("mnist")
    assert command("check", "mnist") == 2
    assert "choose one of" in capsys.readouterr().err


def test_without_the_variable_the_users_cache_is_the_folder(monkeypatch):
    monkeypatch.delenv(sources.VARIABLE, raising=False)
    assert sources.data_folder().name == "normec"
    monkeypatch.setitem(sys.modules, "pooch", None)
    with pytest.raises(DataError, match="pooch, which is not installed; name a folder in NORMEC_DATA"):
        sources.data_folder()
    monkeypatch.setenv(sources.VARIABLE, "~/sets")
    assert sources.data_folder() == Path("~/sets").expanduser()


def test_check_as_json(fashion, capsys):
    assert command("check", "fashion-mnist", "--json", "-") == 0
    files = json.loads(capsys.readouterr().out)["files"]["fashion-mnist"]
    assert len(files) == 4
    assert set(files.values()) == {"whole"}


@pytest.mark.parametrize(
    "content",
    [b"", b"\0\0\x08", b"\0\1\x08\1" + bytes(4), b"\0\0\x0d\1" + bytes(4), b"\0\0\x08\3" + bytes(6)],
    ids=["empty", "three-bytes", "magic", "floats", "short-header"],
)
def test_idx_headers_are_checked(content):
    with pytest.raises(DataError, match="NAME"):
        idx(content, "NAME")


def test_idx_length_must_be_that_of_the_header():
    good = make.idx_bytes(np.arange(6).reshape(2, 3))
    np.testing.assert_array_equal(idx(good, "NAME"), np.arange(6).reshape(2, 3))
    for content in (good[:-1], good + b"\0"):
        with pytest.raises(DataError, match="its header says"):
            idx(content, "NAME")


def test_cifar_records_must_be_whole():
    with pytest.raises(DataError, match="whole number of records"):
        cifar(bytes(3_072), 1, (3, 32, 32), "NAME")
    with pytest.raises(DataError, match="whole number of records"):
        cifar(b"", 1, (3, 32, 32), "NAME")


def test_nothing_is_ever_unpickled():
    """No module of the data room imports pickle or lets numpy use it."""
    for path in Path(sources.__file__).parent.glob("*.py"):
        text = path.read_text()
        assert "import pickle" not in text
        assert "allow_pickle=True" not in text
    assert gzip.decompress(gzip.compress(b"x")) == b"x"


def test_a_file_that_may_not_be_read_is_not_to_be_deleted(fashion, tmp_path, monkeypatch):
    def forbidden(path):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", forbidden)
    with pytest.raises(
        DataError, match=r"cannot be read \(Permission denied\); give yourself the right to read it"
    ):
        load("fashion-mnist", tmp_path)
