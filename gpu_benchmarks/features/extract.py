"""Images -> features, batch by batch; what is done is kept and gone on from."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor

from gpu_benchmarks.data import Images
from gpu_benchmarks.device import arithmetic
from gpu_benchmarks.errors import InputError
from gpu_benchmarks.features import resnet18, store
from gpu_benchmarks.features.extracted import DEVIATION, MEAN, WIDTH, Extraction, Features
from methods.terminal.output import write_whole

SAVE_SECONDS = 60.0


def normalised(images: NDArray[np.uint8], size: int, device: torch.device) -> Tensor:
    """(N, 3, h, w) bytes -> (N, 3, size, size) float32 as the network is shown them (`extracted.PIXELS`, `RESIZE`)."""
    x = torch.from_numpy(np.ascontiguousarray(images)).to(device).float() / 255
    mean, deviation = (torch.tensor(values, device=device)[:, None, None] for values in (MEAN, DEVIATION))
    x = (x - mean) / deviation
    return F.interpolate(x, size=(size, size), mode="bilinear", align_corners=False)


def extract(
    images: Images,
    weights: Mapping[str, Tensor],
    extraction: Extraction,
    partial: Path,
    batch: int,
    device: torch.device,
    report: Callable[[int, int], None] = lambda done, of: None,
) -> Features:
    """Features of all training and test images.

    partial: a file that holds what is done, replaced every so often and at Ctrl-C; a second call goes on from there.
    Who keeps the result deletes it. batch: images at a time. report: called with (images done, all). Raises
    `InputError` for a partial file that is damaged or of another extraction, and where a feature is not finite.
    """
    pictures = (images.training, images.test)
    everything = np.empty((sum(map(len, pictures)), WIDTH), np.float32)
    done = _resume(partial, extraction, everything)

    def save() -> None:
        write_whole(partial, store.pack({"features": everything[:done]}, extraction))

    saved = time.monotonic()
    joined = np.concatenate(pictures)
    report(done, len(joined))
    try:
        with torch.inference_mode(), arithmetic("float32"):
            while done < len(joined):
                some = joined[done : done + batch]
                found = resnet18.features(weights, normalised(some, extraction.size, device)).cpu().numpy()
                if not np.isfinite(found).all():
                    raise InputError(
                        "these weights give features that are not finite: they are not those of a trained network"
                    )
                everything[done : done + len(some)] = found
                done += len(some)
                report(done, len(joined))
                if time.monotonic() - saved > SAVE_SECONDS and done < len(joined):
                    save()
                    saved = time.monotonic()
    except KeyboardInterrupt:
        save()
        raise
    training, test = np.split(everything, [len(images.training)])
    labels = images.training_labels, images.test_labels
    return Features(training, labels[0], test, labels[1], images.classes, extraction)


def _resume(partial: Path, extraction: Extraction, into: NDArray[np.float32]) -> int:
    """Fill in what is done already; how many images that is."""
    if not partial.exists():
        return 0
    arrays, made = store.unpack(partial)
    rows = arrays.get("features", np.empty(0))
    if made != extraction or rows.shape[1:] != into.shape[1:] or len(rows) > len(into):
        raise InputError(f"{partial}: holds a part of other features ({made}); delete it to start anew")
    into[: len(rows)] = rows
    return len(rows)
