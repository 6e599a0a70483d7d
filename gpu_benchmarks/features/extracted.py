"""Features of a data set's images, and how they were made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

WIDTH = 512  # "512-dimensional features", Appendix G
MEAN, DEVIATION = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
"""Of ImageNet's red, green and blue, which such networks are trained with."""
SIDE = (
    224  # what they are trained on; whether the paper enlarged its 32 × 32 images is not printed: a reading
)
RESIZE = "bilinear, align_corners=False"
PIXELS = f"(x/255 - {MEAN})/{DEVIATION}"


@dataclass(frozen=True)
class Extraction:
    """How features were made: the reading of "features extracted from the last layer".

    data: whose images. weights: SHA-256 of the file of weights. files: SHA-256 of the data set's files, training
    first. size: side of the images that the network was shown, pixels. resize, pixels: how they were brought to it
    and normalised.
    """

    data: str
    weights: str
    files: tuple[str, ...]
    size: int = SIDE
    resize: str = RESIZE
    pixels: str = PIXELS

    def __str__(self) -> str:
        return f"{self.data} at {self.size} pixels ({self.resize}), weights {self.weights[:16]}…"


def from_dict(held: Mapping[str, Any]) -> Extraction:
    """An `Extraction` from JSON. Raises KeyError or TypeError for a mapping that is none."""
    return Extraction(**{**held, "files": tuple(held["files"])})


@dataclass(frozen=True, eq=False)
class Features:
    """Like `data.Images`, with features in place of pixels: (N, 512) float32 each; labels (N,) uint8 below `classes`.

    digest: SHA-256 of the file they come from.
    """

    training: NDArray[np.float32]
    training_labels: NDArray[np.uint8]
    test: NDArray[np.float32]
    test_labels: NDArray[np.uint8]
    classes: int
    extraction: Extraction
    digest: str = ""
