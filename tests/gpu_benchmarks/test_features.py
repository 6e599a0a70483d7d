"""Features by a ResNet-18 with random weights: against the network written out in numpy, on disk, and from bad input."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors import safe_open
from safetensors.numpy import load_file, save, save_file
from safetensors.torch import save_file as save_tensors

import data_files
import random_resnet18 as network
from gpu_benchmarks.cli import main
from gpu_benchmarks.data import sources
from gpu_benchmarks.data.load import load
from gpu_benchmarks.errors import InputError
from gpu_benchmarks.features import extract as module
from gpu_benchmarks.features import resnet18, store
from gpu_benchmarks.features.extract import normalised
from gpu_benchmarks.features.extracted import Extraction, Features
from methods.terminal.output import write_whole

RECORDS = 7  # images of each made-up file


@pytest.fixture(scope="module")
def arrays() -> network.Arrays:
    return network.weights()


@pytest.fixture(scope="module")
def weights(arrays, tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("weights") / "resnet18.safetensors"
    save_file(arrays, path)
    return path


@pytest.fixture
def hundred(tmp_path, monkeypatch) -> sources.Source:
    """A small CIFAR-100 in the official binary format."""
    source, _ = data_files.cifar(tmp_path, "plain", hundred=True, records=RECORDS)
    monkeypatch.setitem(sources.DATASETS, "cifar100", source)
    monkeypatch.setenv("NORMEC_DATA", str(tmp_path))
    return source


def command(weights: Path, *more: str) -> list[str]:
    """On the CPU with images of 32 × 32, where `more` does not say otherwise."""
    usual = {"--device": "cpu", "--size": "32"}
    chosen = [word for pair in usual.items() if pair[0] not in more for word in pair]
    return ["features", "--dataset", "cifar100", "--weights", str(weights), *chosen, *more]


@pytest.mark.parametrize("size", [32, 48])
def test_the_network_is_the_one_written_out_in_numpy(arrays, size):
    """Both in float64. Rounding: 20 layers of sums of at most 4,608 terms, 20 · 4608 · 2⁻⁵³ ≈ 1e-11 of the largest."""
    images = np.random.default_rng(3).integers(0, 256, (2, 3, 32, 32), dtype=np.uint8)
    x = network.shown(images, size)
    double = {name: torch.from_numpy(a).double() for name, a in arrays.items() if a.dtype == np.float32}
    found = resnet18.features(double, torch.from_numpy(x)).numpy()
    expected = network.by_hand(arrays, x)
    assert found.shape == (2, 512)
    assert expected.std() > 0.1, "a network that gives nothing would prove nothing"
    assert np.abs(found - expected).max() < 1e-11 * np.abs(expected).max()
    # shown in float32: a position between pixels, below 32, is off by 3 roundings in each of two directions, and
    # neighbours differ by at most 5; values below 3 themselves by 10 roundings
    seen = normalised(images, size, torch.device("cpu")).numpy()
    assert np.abs(seen - x).max() < (2 * 3 * 32 * 5 + 10 * 3) * 2.0**-24


def one_image() -> np.ndarray:
    return np.random.default_rng(3).integers(0, 256, (1, 3, 32, 32), dtype=np.uint8)


@pytest.fixture(scope="module")
def unchanged(arrays) -> np.ndarray:
    return network.by_hand(arrays, network.shown(one_image(), 32))


@pytest.mark.parametrize("fault", ["moved", "shortcut", "variance", "mean"])
def test_a_planted_fault_is_seen(arrays, unchanged, fault):
    """Negative control: each changes what the comparison above compares."""
    x = network.shown(one_image(), 32)
    changed = {name: a.copy() for name, a in arrays.items()}
    if fault == "moved":
        x = np.roll(x, 1, axis=2)
    elif fault == "shortcut":
        changed["layer3.0.downsample.0.weight"] *= np.float32(1.000001)
    elif fault == "variance":
        changed["layer4.1.bn2.running_var"] += np.float32(1e-6)
    else:
        changed["bn1.running_mean"][5] += np.float32(1e-6)
    assert np.abs(network.by_hand(changed, x) - unchanged).max() > 1e-11 * np.abs(unchanged).max()


def test_the_command_writes_all_features_and_how_they_were_made(arrays, weights, hundred, tmp_path, capsys):
    assert main(command(weights, "--batch", "3")) == 0
    path = tmp_path / "cifar100-features.safetensors"
    held, images = load_file(path), load("cifar100")
    for pictures, name, labels in (
        (images.training, "training", images.training_labels),
        (images.test, "test", images.test_labels),
    ):
        expected = network.by_hand(arrays, network.shown(pictures, 32))
        # float32: errors of 20 layers of sums of 4,608 terms add like a random walk, 20 · √4608 · 2⁻²⁴ ≈ 8e-5
        assert np.abs(held[name] - expected).max() < 1e-4 * np.abs(expected).max()
        assert held[name].dtype == np.float32
        assert (held[f"{name}_labels"] == labels).all()
        assert held[f"{name}_labels"].dtype == np.uint8
    with safe_open(path, framework="np") as file:
        made = json.loads(file.metadata()["features"])
    assert len(made.pop("sha256")) == 64
    assert made == {
        "schema": 1,
        "data": "cifar100",
        "weights": data_files.sha(weights.read_bytes()),
        "files": [part.sha256 for part in hundred.parts],
        "size": 32,
        "resize": "bilinear, align_corners=False",
        "pixels": "(x/255 - (0.485, 0.456, 0.406))/(0.229, 0.224, 0.225)",
    }
    assert [p.name for p in tmp_path.glob("*features*")] == [path.name]
    before = path.stat().st_mtime_ns
    assert main(command(weights)) == 0
    assert "is there" in capsys.readouterr().err
    assert path.stat().st_mtime_ns == before


def test_interrupted_anywhere_it_goes_on_to_the_same_bytes(weights, hundred, tmp_path, monkeypatch):
    """Ctrl-C before an image is done, within the training images, across to the test images."""
    assert main(command(weights, "--batch", "3", "--out", str(tmp_path / "whole"))) == 0
    done = []
    network_of = resnet18.features
    out = tmp_path / "broken"
    for stop in (0, 3, 9, 12):

        def interrupted(w, x, stop=stop):
            if len(done) == stop:
                raise KeyboardInterrupt
            done.extend(x)
            return network_of(w, x)

        monkeypatch.setattr(module.resnet18, "features", interrupted)
        assert main(command(weights, "--batch", "3", "--out", str(out))) == 130
        assert [p.name for p in out.iterdir()] == ["cifar100-features.part"]
        assert len(done) == stop, "nothing that was done is done again"
    monkeypatch.setattr(module.resnet18, "features", network_of)
    assert main(command(weights, "--batch", "3", "--out", str(out))) == 0
    (path,) = out.iterdir()
    assert path.read_bytes() == (tmp_path / "whole" / path.name).read_bytes()


def test_it_saves_every_so_often(weights, hundred, tmp_path, monkeypatch):
    """A kill gives no warning, so what is done is on the disk before."""
    monkeypatch.setattr(module, "SAVE_SECONDS", 0.0)
    written = []
    monkeypatch.setattr(module, "write_whole", lambda p, c: written.append(p.name) or write_whole(p, c))
    assert main(command(weights, "--batch", "5")) == 0
    assert written == ["cifar100-features.part"] * 2, "after 5 and after 10 of 14 images"


def broken(arrays: network.Arrays, fault: str, path: Path) -> Path:
    """A file of weights with one fault."""
    held = dict(arrays)
    if fault == "missing":
        del held["layer2.0.downsample.1.running_var"], held["conv1.weight"]
    elif fault == "unexpected":
        held["layer5.0.conv1.weight"] = held["fc.bias"]
    elif fault == "shape":
        held["layer1.0.conv2.weight"] = held["layer1.0.conv2.weight"][:, :32].copy()
    elif fault == "infinite":
        held["bn1.bias"] = held["bn1.bias"] + np.float32(np.inf)
    elif fault == "integer":
        held["bn1.bias"] = held["bn1.bias"].astype(np.int32)
    elif fault == "too large":
        held["bn1.bias"] = held["bn1.bias"].astype(np.float64) + 1e300
    if fault == "pickle":
        path = path.with_suffix(".pth")
        torch.save({name: torch.from_numpy(a) for name, a in held.items()}, path)
        return path
    if fault == "float8":
        tensors = {name: torch.from_numpy(a) for name, a in held.items()}
        save_tensors(tensors | {"bn1.bias": tensors["bn1.bias"].to(torch.float8_e4m3fn)}, path)
        return path
    save_file(held, path)
    if fault == "cut":
        path.write_bytes(path.read_bytes()[:-1000])
    elif fault == "text":
        path.write_text("weights")
    elif fault == "nowhere":
        path.unlink()
    return path


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("pickle", ("a pickle", "torch.load", "weights_only=True", "save_file")),
        ("missing", ("missing: conv1.weight, layer2.0.downsample.1.running_var",)),
        ("unexpected", ("unexpected: layer5.0.conv1.weight",)),
        ("shape", ("layer1.0.conv2.weight is (64, 32, 3, 3), not (64, 64, 3, 3)",)),
        ("infinite", ("bn1.bias holds a number that is not finite in float32",)),
        ("too large", ("bn1.bias holds a number that is not finite in float32",)),
        ("integer", ("bn1.bias is of type I32, not of F16, BF16, F32, F64; convert it",)),
        ("float8", ("bn1.bias is of type F8_E4M3, not of F16, BF16, F32, F64; convert it",)),
        ("cut", ("no whole safetensors file",)),
        ("text", ("no whole safetensors file",)),
        ("nowhere", ("cannot be read", "No such file")),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_bad_weights_are_one_line_and_status_2(arrays, hundred, tmp_path, capsys, fault, said):
    path = broken(arrays, fault, tmp_path / "weights.safetensors")
    assert main(command(path)) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("error: ")
    assert str(path) in line
    for part in said:
        assert part in line
    assert not list(tmp_path.glob("*features*"))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_a_pipe_in_the_place_of_features_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "x.part")
    with pytest.raises(InputError, match=r"x\.part: is no file, but a pipe"):
        store.unpack(tmp_path / "x.part")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs /dev/zero")
def test_weights_without_an_end_are_refused(hundred, capsys):
    assert main(command(Path("/dev/zero"))) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line == "error: --weights /dev/zero: is no file; give a safetensors file"


def test_the_classifier_and_the_counters_are_not_needed(arrays, tmp_path):
    path = tmp_path / "w.safetensors"
    needless = ("fc.weight", "fc.bias")
    save_file({n: a for n, a in arrays.items() if n not in needless and "tracked" not in n}, path)
    held, digest = resnet18.load(path)
    assert set(held) == set(resnet18.shapes())
    assert digest == data_files.sha(path.read_bytes())


def test_weights_that_overflow_are_named(arrays, hundred, tmp_path, capsys):
    held = arrays | {
        name: arrays[name] * np.float32(1e25) for name in ("conv1.weight", "layer1.0.conv1.weight")
    }
    save_file(held, tmp_path / "w.safetensors")
    assert main(command(tmp_path / "w.safetensors", "--quiet")) == 2
    assert "not finite" in capsys.readouterr().err
    assert not list(tmp_path.glob("*features*"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--size", "31"], "--size 31: must be in [32, 1024]"),
        (["--size", f"1{50 * '0'}"], "must be in [32, 1024]"),
        (["--batch", "0"], "error: --batch 0: must be at least 1"),
        (["--device", "abacus"], "abacus"),
        (["--out", "{tmp}/file"], "cannot be written"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_impossible_arguments_are_one_line_and_status_2(
    weights, hundred, tmp_path, capsys, arguments, message
):
    (tmp_path / "file").touch()
    assert main(command(weights, *(a.format(tmp=tmp_path) for a in arguments))) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line


def test_missing_images_say_what_to_put_where(weights, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("NORMEC_DATA", str(tmp_path))
    assert main(command(weights)) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "cifar-100-binary.tar.gz" in line


def made_up(source: sources.Source, folder: Path, weights: Path) -> Path:
    """A file of random features, as from these weights."""
    rng = np.random.default_rng(0)
    x = [rng.random((RECORDS, 512), np.float32) for _ in range(2)]
    y = [rng.integers(0, 100, RECORDS, dtype=np.uint8) for _ in range(2)]
    how = Extraction("cifar100", data_files.sha(weights.read_bytes()), store.checksums(source), 32)
    path = store.path_of("cifar100", folder)
    store.write(path, Features(x[0], y[0], x[1], y[1], 100, how))
    return path


def test_a_result_or_a_part_of_another_extraction_is_not_gone_on_from(weights, hundred, tmp_path, capsys):
    out = ["--out", str(tmp_path / "out"), "--quiet"]
    path = made_up(hundred, tmp_path / "out", weights)
    assert main(command(weights, *out)) == 0
    assert main(command(weights, *out, "--size", "33")) == 2
    assert "holds other features" in capsys.readouterr().err
    held, made = store.unpack(path)
    path.unlink()
    path.with_suffix(".part").write_bytes(store.pack({"features": held["training"][:3]}, made))
    assert main(command(weights, *out, "--size", "33")) == 2
    assert "part of other features" in capsys.readouterr().err
    path.with_suffix(".part").write_bytes(b"half")
    assert main(command(weights, *out)) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "no features, or damaged" in line
    assert "cifar100-features.part" in line


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda held: held.pop("test"), "holds test_labels, training, training_labels where"),
        (lambda held: held.update(training=held["training"][:, :500].copy()), "training is float32 .7, 500."),
        (lambda held: held.update(training=held["training"].astype(np.float64)), "training is float64"),
        (
            lambda held: held.update(test_labels=held["test_labels"][:5].copy()),
            r"test_labels is uint8 \(5,\)",
        ),
        (lambda held: held["test"].__setitem__((0, 0), np.nan), "not finite"),
        (lambda held: held["test_labels"].__setitem__(0, 100), "label out of range"),
    ],
    ids=["name", "width", "type", "count", "nan", "label"],
)
def test_damaged_features_are_named(weights, hundred, tmp_path, edit, message):
    path = made_up(hundred, tmp_path, weights)
    held, made = store.unpack(path)
    held = {name: array.copy() for name, array in held.items()}
    edit(held)
    path.write_bytes(store.pack(held, made))
    with pytest.raises(InputError, match=message):
        store.read(path, hundred)


def test_a_flipped_bit_in_a_feature_or_in_how_it_was_made_is_found(weights, hundred, tmp_path):
    """In a number that stays finite, in a label and in the size of the images."""
    path = made_up(hundred, tmp_path, weights)
    held, made = store.unpack(path)
    whole = path.read_bytes()
    for place in (held["test"].tobytes(), held["training_labels"].tobytes(), b'\\"size\\": 32'):
        content = bytearray(whole)
        content[whole.index(place) + len(place) - 1] ^= 1
        path.write_bytes(content)
        with pytest.raises(InputError, match="SHA-256"):
            store.unpack(path)
    unsealed = json.dumps({"schema": store.SCHEMA} | asdict(made))
    path.write_bytes(save(held, {"features": unsealed}))
    with pytest.raises(InputError, match="no features, or damaged"):
        store.unpack(path)


def test_features_of_other_data_are_refused(weights, hundred, tmp_path):
    """The files' checksums are those of the images that the features were made from."""
    path = made_up(hundred, tmp_path, weights)
    store.read(path, hundred)
    with pytest.raises(InputError, match="or of other files than those of cifar10;"):
        store.read(path, sources.CIFAR10)
    with pytest.raises(InputError, match="or of other files than those of cifar100;"):
        store.read(path, sources.CIFAR100)
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(InputError, match="no features, or damaged"):
        store.read(path, hundred)
    save_file({"training": np.zeros(3, np.float32)}, path)
    with pytest.raises(InputError, match="no features, or damaged"):
        store.read(path, hundred)
    with pytest.raises(
        InputError, match="`python -m gpu_benchmarks features --dataset cifar100 --weights PATH`"
    ):
        store.read(tmp_path / "nowhere", hundred)
