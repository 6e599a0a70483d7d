"""A seal on what a checkpoint holds: with one flipped bit another run would go on, so it is refused."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray


def seal(arrays: Mapping[str, NDArray[np.generic]], text: str) -> str:
    """SHA-256, in hexadecimal, of a text and of arrays by name, whatever their order."""
    digest = hashlib.sha256(text.encode())
    for name in sorted(arrays):
        digest.update(name.encode() + b"\0")
        digest.update(np.ascontiguousarray(arrays[name]).tobytes())
    return digest.hexdigest()
