"""What a toy problem is: n clients' functions of d variables, with every constant that the theorems read.

A problem is a batch of instances. Its arrays have shape `batch + (n, …)`; `batch` broadcasts against the
leading axes of a run (instance × parameter × seed), so a problem of batch `(I, 1, 1)` meets parameters of
shape `(P, 1)` and seeds of shape `(S,)` in an array program of `I·P·S` runs.

The constants are those of the *printed assumptions*: L of f, L_i of f_i, f^inf, f_i^inf and a minimiser. Each
family proves them in its docstring. Where no closed form exists the constant is certified from one side and
says so: L and L_i never too small, f^inf and f_i^inf never too large, so that a bound computed from them is
never too small either.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, TypeVar

import numpy as np

from methods.local_work import LocalWork

Array = Any
"""A float64 numpy array; where no axis is left, numpy hands out a scalar of its own, which has the same
methods."""

P = TypeVar("P", bound="Problem")


@dataclass(frozen=True, eq=False)
class Constants:
    """The constants of a batch of instances.

    L: smoothness of f (f/x²), shape `batch`.
    L_i: smoothness of each f_i (f/x²), shape `batch + (n,)`.
    f_inf: infimum of f, shape `batch`.
    f_i_inf: infimum of each f_i, shape `batch + (n,)`.
    minimiser: a minimiser of f, shape `batch + (d,)`.
    slack: how far L and f_inf may be from the exact supremum and infimum, always on the safe side; 0.0 means
        exact up to float64 rounding.
    """

    L: Array
    L_i: Array
    f_inf: Array
    f_i_inf: Array
    minimiser: Array
    slack: float = 0.0

    @property
    def L_max(self) -> Array:
        """max over i of L_i, shape `batch`."""
        return self.L_i.max(axis=-1)


@dataclass(frozen=True, eq=False)
class Problem(ABC):
    """Base of the families. `core` gives, for each array field, how many trailing axes belong to one
    instance."""

    core: ClassVar[Mapping[str, int]]

    def __post_init__(self) -> None:
        for name in self.core:
            given = np.asarray(getattr(self, name))
            if given.dtype.kind in "bc":
                raise ValueError(
                    f"{type(self).__name__}.{name} is an array of {given.dtype}; give real numbers"
                )
            array = np.ascontiguousarray(given, dtype=np.float64)
            if array.ndim < self.core[name]:
                raise ValueError(
                    f"{type(self).__name__}.{name} has shape {array.shape}; it needs at least "
                    f"{self.core[name]} axes, the first of them clients"
                )
            if 0 in array.shape[array.ndim - self.core[name] :]:
                raise ValueError(
                    f"{type(self).__name__}.{name} has shape {array.shape}; an instance needs at least one client, "
                    "one variable and one entry of everything else"
                )
            if not np.isfinite(array).all():
                raise ValueError(f"{type(self).__name__}.{name} holds nan or infinity; give finite numbers")
            object.__setattr__(self, name, array)
        shapes = {name: getattr(self, name).shape for name in self.core}
        batches = {name: shape[: len(shape) - self.core[name]] for name, shape in shapes.items()}
        if len(set(batches.values())) > 1:
            raise ValueError(
                f"{type(self).__name__}: the arrays disagree on the batch of instances: {shapes}"
            )

    @property
    def batch(self) -> tuple[int, ...]:
        """Shape of the batch of instances."""
        name, axes = next(iter(self.core.items()))
        shape = getattr(self, name).shape
        return shape[: len(shape) - axes]

    @property
    @abstractmethod
    def n(self) -> int:
        """Number of clients."""

    @property
    @abstractmethod
    def d(self) -> int:
        """Number of variables."""

    @abstractmethod
    def values(self, x: Array) -> Array:
        """f_i at x: x of shape `(..., n or 1, d)`, result `(..., n)`."""

    @abstractmethod
    def gradients(self, x: Array) -> Array:
        """∇f_i at x: x of shape `(..., n or 1, d)`, result `(..., n, d)`."""

    @cached_property
    @abstractmethod
    def constants(self) -> Constants:
        """The constants, computed once."""

    def objective(self, x: Array) -> Array:
        """f at x of shape `(..., d)`; result of shape `(...)`."""
        return self.values(x[..., None, :]).mean(axis=-1)

    def gradient(self, x: Array) -> Array:
        """∇f at x of shape `(..., d)`; result of the same shape."""
        return self.gradients(x[..., None, :]).mean(axis=-2)

    def local_updates(self, work: LocalWork) -> Callable[[Array], Array] | None:
        """A closed form of a method's local work, x of shape `(runs, d)` to u_i of shape `(runs, n, d)`, or
        None where the family has none and the work is done step by step."""
        return None

    def mean_gradient(self, x: Array, local: Array) -> Array:
        """∇f at x, where the local gradients at x are known already; families with a cheaper way override
        it."""
        return local.mean(axis=-2)

    def take(self: P, index: Array) -> P:
        """The instances at a flat index, as a batch of one axis. A problem without a batch is returned as it
        is: it broadcasts against any number of runs."""
        if not self.batch:
            return self
        fields = {}
        for name, axes in self.core.items():
            array = getattr(self, name)
            fields[name] = array.reshape(-1, *array.shape[array.ndim - axes :])[index]
        return replace(self, **fields)
