"""A seal on what a checkpoint or a record holds: with one flipped bit another run would go on, or another result be read,
so it is refused.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray


def seal(arrays: Mapping[str, NDArray[np.generic]], text: str) -> str:
    """SHA-256, in hexadecimal, of a text and of arrays by name, whatever their order."""
    digest = hashlib.sha256(text.encode())
    for name in sorted(arrays):
        digest.update(name.encode() + b"\0")
        digest.update(np.ascontiguousarray(arrays[name]).tobytes())
    return digest.hexdigest()


def seal_json(data: Any) -> str:
    """SHA-256, in hexadecimal, of what JSON says, whatever the order of its keys."""
    return seal({}, json.dumps(data, sort_keys=True))
