"""Checks of parameters when a method is made: one clear error with the value, the domain and the cure.

They look at values, so a parameter that lives on a GPU is synchronised here, once, and never in a round.
"""

from __future__ import annotations

import math
from numbers import Integral
from typing import Any, cast

from array_api_compat import array_namespace, is_array_api_obj

from methods.arrays import Parameter


def positive(name: str, value: Parameter) -> None:
    """Raise `ValueError` unless every entry is finite and above 0."""
    _require(name, value, lambda v: v > 0, "finite and > 0")


def non_negative(name: str, value: Parameter) -> None:
    """Raise `ValueError` unless every entry is finite and at least 0."""
    _require(name, value, lambda v: v >= 0, "finite and >= 0")


def probability(name: str, value: Parameter) -> None:
    """Raise `ValueError` unless every entry lies in (0, 1]."""
    _require(name, value, lambda v: (v > 0) & (v <= 1), "in (0, 1]")


def fraction(name: str, value: Parameter) -> None:
    """Raise `ValueError` unless every entry lies in [0, 1)."""
    _require(name, value, lambda v: (v >= 0) & (v < 1), "in [0, 1)")


def at_most(name: str, value: Parameter, largest: int, what: str) -> None:
    """Raise `ValueError` unless every entry is at most `largest`."""
    _require(name, value, lambda v: v <= largest, f"at most {largest}, {what}")


def whole(name: str, value: object, least: int = 1, below: int | None = None) -> int:
    """`value` as an integer of Python. Raises `TypeError` unless it is an integer, `ValueError` unless it is at least `least`, and
    below `below`."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise TypeError(f"{name} = {value!r} must be an integer >= {least}")
    number = int(value)
    if number < least:
        raise ValueError(f"{name} = {shown(number)} must be an integer >= {least}")
    if below is not None and number >= below:
        raise ValueError(f"{name} = {shown(number)} must be an integer below {below}")
    return number


def _require(name: str, value: Parameter, inside, domain: str) -> None:
    if is_array_api_obj(value):
        xp, value = array_namespace(value), cast(Any, value)
        if not xp.isdtype(value.dtype, ("real floating", "integral")):
            raise TypeError(
                f"{name} has dtype {value.dtype}; every entry must be an integer or a float, {domain}"
            )
        if 0 in value.shape:
            raise ValueError(
                f"{name} has no entry, its shape is {tuple(value.shape)}; give a number, {domain}, or one for each run"
            )
        good = xp.isfinite(value) & inside(value)
        if not bool(xp.all(good)):
            bad = xp.reshape(value, (-1,))[int(xp.argmin(xp.astype(xp.reshape(good, (-1,)), xp.int8)))]
            raise ValueError(f"{name} has an entry {float(bad)}; every entry must be {domain}")
    elif isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(
            f"{name} = {value!r} must be an int or a float, {domain}, or an array of such numbers"
        )
    elif not (inside(value) and _within_floats(value)):
        raise ValueError(f"{name} = {shown(value)} must be {domain}")


def shown(value: object) -> str:
    """`value` in an error: an integer that no float holds, which may have more digits than Python prints, by how many they are."""
    if not isinstance(value, int) or _within_floats(value):
        return str(value)
    return f"{'-' if value < 0 else ''}10^{int(value.bit_length() * math.log10(2))} or so, more than floats hold,"


def _within_floats(value: int | float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:
        return False
