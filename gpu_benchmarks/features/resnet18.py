"""ResNet-18 up to its last layer, as one function of images and a state dict with torchvision's names.

He et al., "Deep residual learning for image recognition" (2016), table 1: a 7 × 7 convolution of stride 2, 3 × 3
maximum of stride 2, four stages of two basic blocks with 64, 128, 256 and 512 channels, the mean over all
positions. Where a stage halves the image, the shortcut is a 1 × 1 convolution of stride 2 (option B). Batch
normalisation uses the running statistics of the training.

torchvision itself is not asked for: the build that an ordinary index gives is one for CUDA and does not load beside
torch for CPUs. `tests/gpu_benchmarks/test_features.py` holds this function against a computation without
torch.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors import SafetensorError, safe_open
from torch import Tensor

from gpu_benchmarks.errors import InputError
from gpu_benchmarks.features.extracted import WIDTH

STAGES = (64, 128, 256, WIDTH)
IGNORED = ("fc.", "num_batches_tracked")  # the classifier, and a counter that inference does not read
KINDS = ("F16", "BF16", "F32", "F64")  # of numbers that float32 holds, as safetensors names them
SHOWN = 4  # names that an error lists of each kind
CURE = (
    'convert it where you trust it: python -c "import torch; from safetensors.torch import save_file; save_file('
    "torch.load('resnet18.pth', weights_only=True), 'resnet18.safetensors')\""
)


def shapes() -> dict[str, tuple[int, ...]]:
    """Name -> shape of every array that `features` reads."""
    found: dict[str, tuple[int, ...]] = {"conv1.weight": (STAGES[0], 3, 7, 7), **_norm("bn1", STAGES[0])}
    channels = STAGES[0]
    for stage, out in enumerate(STAGES, start=1):
        for block in range(2):
            name = f"layer{stage}.{block}"
            found |= {f"{name}.conv1.weight": (out, channels, 3, 3), **_norm(f"{name}.bn1", out)}
            found |= {f"{name}.conv2.weight": (out, out, 3, 3), **_norm(f"{name}.bn2", out)}
            if channels != out:
                found |= {f"{name}.downsample.0.weight": (out, channels, 1, 1)}
                found |= _norm(f"{name}.downsample.1", out)
            channels = out
    return found


def features(weights: Mapping[str, Tensor], images: Tensor) -> Tensor:
    """(N, 512) features of normalised images (N, 3, side, side)."""

    def norm(x: Tensor, name: str) -> Tensor:
        mean, variance, scale, shift = (
            weights[f"{name}.{part}"] for part in ("running_mean", "running_var", "weight", "bias")
        )
        return F.batch_norm(x, mean, variance, scale, shift, eps=1e-5)

    h = torch.relu(norm(F.conv2d(images, weights["conv1.weight"], stride=2, padding=3), "bn1"))
    h = F.max_pool2d(h, 3, stride=2, padding=1)
    for stage in range(1, len(STAGES) + 1):
        for block in range(2):
            name = f"layer{stage}.{block}"
            stride = 2 if stage > 1 and block == 0 else 1
            y = F.conv2d(h, weights[f"{name}.conv1.weight"], stride=stride, padding=1)
            y = torch.relu(norm(y, f"{name}.bn1"))
            y = norm(F.conv2d(y, weights[f"{name}.conv2.weight"], padding=1), f"{name}.bn2")
            if stride > 1:
                shortcut = F.conv2d(h, weights[f"{name}.downsample.0.weight"], stride=stride)
                h = norm(shortcut, f"{name}.downsample.1")
            h = torch.relu(y + h)
    return h.mean((2, 3))


def load(path: Path, device: torch.device | str = "cpu") -> tuple[dict[str, Tensor], str]:
    """(the weights in float32, SHA-256 of the file). Raises `InputError` for a file that is not a ResNet-18 with
    torchvision's names in safetensors form: a pickle, a damaged file, a name or shape that is missing or too many.
    """
    if path.exists() and not path.is_file():  # a device may have no end
        raise InputError(f"--weights {path}: is no file; give a safetensors file")
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            file.seek(0)
            start = file.read(2)
        with safe_open(path, framework="pt") as file:
            parts = {name: file.get_slice(name) for name in file.keys()}  # noqa: SIM118
            held = {name: tuple(part.get_shape()) for name, part in parts.items()}
            if wrong := _differences(held):
                raise InputError(f"{path}: not a ResNet-18 with torchvision's names: {wrong}")
            for name in shapes():
                if (kind := parts[name].get_dtype()) not in KINDS:
                    raise InputError(
                        f"{path}: {name} is of type {kind}, not of {', '.join(KINDS)}; convert it"
                    )
            weights = {name: file.get_tensor(name).to(device, torch.float32) for name in shapes()}
    except OSError as error:
        raise InputError(f"--weights {path}: cannot be read ({error.strerror or error})") from None
    except SafetensorError as error:
        if start in (b"PK", b"\x80\x02") or path.suffix in (".pth", ".pt", ".ckpt", ".pkl"):
            raise InputError(f"{path}: a pickle, which runs code when it is opened; {CURE}") from None
        raise InputError(f"{path}: no whole safetensors file ({error}); fetch or convert it again") from None
    for name, tensor in weights.items():
        if not torch.stack(tensor.aminmax()).isfinite().all():
            raise InputError(
                f"{path}: {name} holds a number that is not finite in float32; give the weights of a trained network"
            )
    return weights, digest


def _differences(held: Mapping[str, tuple[int, ...]]) -> str:
    """What is missing, unexpected or of a wrong shape; "" where nothing is."""
    wanted = shapes()
    missing = [name for name in wanted if name not in held]
    extra = [name for name in held if name not in wanted and not name.startswith(IGNORED[0])]
    extra = [name for name in extra if not name.endswith(IGNORED[1])]
    wrong = [
        f"{name} is {held[name]}, not {shape}"
        for name, shape in wanted.items()
        if held.get(name, shape) != shape
    ]
    said = (("missing", missing), ("unexpected", extra), ("wrong shape", wrong))
    return "; ".join(f"{what}: {_some(names)}" for what, names in said if names)


def _some(names: list[str]) -> str:
    more = len(names) - SHOWN
    return ", ".join(names[:SHOWN]) + (f" and {more} more" if more > 0 else "")


def _norm(name: str, channels: int) -> dict[str, tuple[int, ...]]:
    return {f"{name}.{part}": (channels,) for part in ("weight", "bias", "running_mean", "running_var")}
