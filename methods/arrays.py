"""What every axis of the algebra does with arrays: take norms and sums over clients, and line parameters up with runs."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import array_api_compat
import numpy as np
from array_api_compat import is_array_api_obj
from jaxtyping import Float


@contextmanager
def _unset(name: str) -> Iterator[None]:
    held = os.environ.pop(name, None)
    try:
        yield
    finally:
        if held is not None:
            os.environ[name] = held


# it takes all names of numpy, f2py among them, whose import breaks down over a date that is none
with _unset("SOURCE_DATE_EPOCH"):
    import array_api_compat.numpy

Array = Any
"""A numpy array, a torch tensor, or any other array of the standard."""

Parameter = Any
"""A number, or an array whose axes line up with the leading axes of the runs."""


def array_namespace(array: Array) -> Any:
    """`array_api_compat.array_namespace`, with a short way for numpy: a round asks some ten times, and asking
    took as long as the arithmetic of a small array."""
    return array_api_compat.numpy if type(array) is np.ndarray else array_api_compat.array_namespace(array)


def floating(name: str, x: Array) -> None:
    """Raise `ValueError` unless the entries are real floats, by the dtype alone: integers wrap around where they are squared or
    negated, and would be longer than any bound on them says."""
    if type(x) is np.ndarray and x.dtype.kind == "f":  # the same answer, in a tenth of the time
        return
    if not array_namespace(x).isdtype(x.dtype, "real floating"):
        raise ValueError(f"{name} has dtype {x.dtype}; give it a real floating one, e.g. float64")


def norms(x: Float[Array, "*batch d"]) -> Float[Array, "*batch 1"]:
    """Euclidean norm over the last axis, which is kept with length 1. Raises `ValueError` for entries that are no real floats.

    The squares are formed as they are. From some 1e150 on (float64; 1e19 in float32) they overflow, and the norm is inf. Where they
    would vanish, no norm is below √(d · smallest normal number): a norm that is too short would make a message longer than the
    operator's sensitivity. Hence no norm is 0, and a quotient by one is 0 at 0: 0/0 = 0.
    """
    floating("the vector", x)
    if not x.ndim:
        raise ValueError("the vector has shape (); give it one of (..., d)")
    xp = array_namespace(x)
    smallest = float(xp.finfo(x.dtype).smallest_normal)
    # Half precision is squared as float32.
    shortest = max((x.shape[-1] * min(smallest, 2.0**-126)) ** 0.5, smallest)
    if xp is array_api_compat.numpy:  # the same in a third of the time for d of some hundred
        wide = x if x.dtype.itemsize > 2 else x.astype(np.float32)
        length = xp.maximum(xp.sqrt(xp.vecdot(wide, wide, axis=-1)), shortest)
        return length[..., None].astype(x.dtype, copy=False)
    length = xp.linalg.vector_norm(
        x, axis=-1, keepdims=True
    )  # on torch vecdot is a matrix product, ten times slower and less exact
    return xp.where(length < shortest, shortest, length)


def total(x: Float[Array, "*batch clients d"]) -> Float[Array, "*batch d"]:
    """Σ over the clients."""
    if type(x) is np.ndarray:  # the same sum, in two thirds of the time for d of some hundred
        return np.einsum("...nd->...d", x)
    return array_namespace(x).sum(x, axis=-2)


def lift(parameter: Parameter, like: Array) -> Parameter:
    """A parameter, ready to be combined with `like`: a number as it is, an array of shape (...) with axes of
    length 1 appended until it has as many axes as `like`."""
    if not _is_array(parameter):
        # numpy's float64 would turn arrays of float32 into its own kind; torch takes no long integer
        return float(parameter)
    missing = like.ndim - parameter.ndim
    if missing < 0:
        raise ValueError(
            f"a parameter of shape {tuple(parameter.shape)} has more axes than the array of shape "
            f"{tuple(like.shape)} it goes with; give it one value for each run"
        )
    return array_namespace(parameter).reshape(parameter, (*parameter.shape, *(1,) * missing))


def binade(parameter: Parameter) -> Parameter:
    """The power of two just below a parameter > 0. What is done with parameter / binade and then times binade has the digits of what
    is done with the parameter, and leaves the floats neither on the way nor for a result that is in them."""
    if not _is_array(parameter):
        return math.ldexp(0.5, math.frexp(parameter)[1])
    return 2.0 ** array_namespace(parameter).floor(array_namespace(parameter).log2(parameter))


def spread(parameter: Parameter, like: Array) -> Array:
    """A parameter as an array of the shape of `like`, for where it is divided: torch computes number / tensor
    as a reciprocal times the number, which is one rounding more than the division it stands for."""
    xp = array_namespace(like)
    if not _is_array(parameter):
        return xp.full_like(like, float(parameter))
    return xp.zeros_like(like) + lift(parameter, like)


def _is_array(parameter: Parameter) -> bool:
    return not isinstance(parameter, int | float) and is_array_api_obj(parameter)
