"""A ResNet-18 with random weights, and the same network written out in numpy without torch. For tests only."""

from __future__ import annotations

import numpy as np

Arrays = dict[str, np.ndarray]


def weights(seed: int = 0) -> Arrays:
    """Float32 arrays by torchvision's names, last layer and counters included; activations stay of order 1."""
    rng = np.random.default_rng(seed)
    made: Arrays = {}

    def convolution(name: str, out: int, channels: int, k: int) -> None:
        spread = np.sqrt(2 / (channels * k * k))
        made[f"{name}.weight"] = rng.normal(0, spread, (out, channels, k, k)).astype(np.float32)

    def norm(name: str, channels: int) -> None:
        made[f"{name}.weight"] = rng.uniform(0.3, 1.0, channels).astype(np.float32)
        made[f"{name}.bias"] = rng.normal(0, 0.2, channels).astype(np.float32)
        made[f"{name}.running_mean"] = rng.normal(0, 0.2, channels).astype(np.float32)
        made[f"{name}.running_var"] = rng.uniform(0.5, 2.0, channels).astype(np.float32)
        made[f"{name}.num_batches_tracked"] = np.array(7, np.int64)

    convolution("conv1", 64, 3, 7)
    norm("bn1", 64)
    for stage, (channels, out) in enumerate(((64, 64), (64, 128), (128, 256), (256, 512)), start=1):
        for block, into in ((0, channels), (1, out)):
            convolution(f"layer{stage}.{block}.conv1", out, into, 3)
            norm(f"layer{stage}.{block}.bn1", out)
            convolution(f"layer{stage}.{block}.conv2", out, out, 3)
            norm(f"layer{stage}.{block}.bn2", out)
        if stage > 1:
            convolution(f"layer{stage}.0.downsample.0", out, channels, 1)
            norm(f"layer{stage}.0.downsample.1", out)
    made["fc.weight"] = rng.normal(0, 0.04, (1000, 512)).astype(np.float32)
    made["fc.bias"] = np.zeros(1000, np.float32)
    return made


def by_hand(w: Arrays, x: np.ndarray) -> np.ndarray:
    """(N, 512) features of shown images (N, 3, side, side), in float64; the stages are spelt out."""

    def windows(h: np.ndarray, k: int, stride: int, fill: float) -> np.ndarray:
        edge = (k - 1) // 2
        h = np.pad(h, ((0, 0), (0, 0), (edge, edge), (edge, edge)), constant_values=fill)
        return np.lib.stride_tricks.sliding_window_view(h, (k, k), axis=(2, 3))[:, :, ::stride, ::stride]

    def conv(h: np.ndarray, name: str, stride: int = 1) -> np.ndarray:
        kernel = w[f"{name}.weight"].astype(np.float64)
        out = np.tensordot(windows(h, kernel.shape[-1], stride, 0.0), kernel, ((1, 4, 5), (1, 2, 3)))
        return out.transpose(0, 3, 1, 2)

    def bn(h: np.ndarray, name: str) -> np.ndarray:
        scale, shift, mean, variance = (
            w[f"{name}.{part}"].astype(np.float64)[:, None, None]
            for part in ("weight", "bias", "running_mean", "running_var")
        )
        return (h - mean) / np.sqrt(variance + 1e-5) * scale + shift

    def block(h: np.ndarray, name: str, stride: int = 1) -> np.ndarray:
        y = np.maximum(bn(conv(h, f"{name}.conv1", stride), f"{name}.bn1"), 0)
        y = bn(conv(y, f"{name}.conv2"), f"{name}.bn2")
        if f"{name}.downsample.0.weight" in w:
            h = bn(conv(h, f"{name}.downsample.0", stride), f"{name}.downsample.1")
        return np.maximum(h + y, 0)

    h = np.maximum(bn(conv(x, "conv1", 2), "bn1"), 0)
    h = windows(h, 3, 2, -np.inf).max((4, 5))
    h = block(block(h, "layer1.0"), "layer1.1")
    h = block(block(h, "layer2.0", 2), "layer2.1")
    h = block(block(h, "layer3.0", 2), "layer3.1")
    h = block(block(h, "layer4.0", 2), "layer4.1")
    return h.mean((2, 3))


def shown(images: np.ndarray, size: int) -> np.ndarray:
    """Bytes (N, 3, h, w) -> what the network is shown: scaled by ImageNet's mean and deviation, then enlarged with
    weights of two neighbours a direction, pixels being squares (`align_corners=False`).
    """
    mean, deviation = np.array([0.485, 0.456, 0.406]), np.array([0.229, 0.224, 0.225])
    x = (images / 255 - mean[:, None, None]) / deviation[:, None, None]
    side = x.shape[-1]
    rule = np.zeros((size, side))
    for i in range(size):
        at = max((i + 0.5) * side / size - 0.5, 0.0)
        low = int(at)
        rule[i, low] += 1 - (at - low)
        rule[i, min(low + 1, side - 1)] += at - low
    return rule @ x @ rule.T
