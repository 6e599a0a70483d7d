"""Every bound of the papers and of ours, by name: where a user looks up the object that belongs to a claim's id."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from types import MappingProxyType

import bounds
from bounds.statement import Bound


@cache
def every() -> Mapping[str, Bound]:
    """Every `Bound` that a module of this package holds, by its name. Raises `ValueError` where two share one."""
    found: dict[str, Bound] = {}
    for module in pkgutil.walk_packages(bounds.__path__, "bounds."):
        for value in vars(importlib.import_module(module.name)).values():
            if isinstance(value, Bound) and found.setdefault(value.name, value) is not value:
                raise ValueError(f"two bounds have the name {value.name!r}")
    return MappingProxyType(found)


def by_name(name: str) -> Bound:
    """The bound of that name, which for most is the id of the claim that states it, as `normec verify recipe` prints it. Raises
    `ValueError` for another name, with those near to it."""
    if name not in every():
        near = get_close_matches(name, every())
        raise ValueError(
            f"no bound has the name {name!r}{'; near: ' if near else ''}{', '.join(near)}; "
            "bounds.catalogue.every() holds them all"
        )
    return every()[name]
