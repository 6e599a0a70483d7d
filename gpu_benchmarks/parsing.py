"""JSON as this project's own files hold it: what is nested beyond all measure, or says a thing twice, is damaged like
what is cut off.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any


def parse(text: str | bytes) -> Any:
    """The data in a JSON text. Raises `ValueError` for one that is damaged, names a key of a table twice, or is nested
    more deeply than can be read.
    """
    try:
        return json.loads(text, object_pairs_hook=_each_once)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _each_once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"the key {next(name for name in names if names.count(name) > 1)!r} stands twice")
    return found
