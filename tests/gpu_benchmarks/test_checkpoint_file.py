"""The seal of a checkpoint holds every array under its own name."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from safetensors import safe_open
from safetensors.numpy import save
from safetensors.torch import save_file as save_tensors

from gpu_benchmarks import checkpoint_file
from gpu_benchmarks.errors import InputError
from gpu_benchmarks.seal import seal

ARRAYS = {"momentum": np.zeros(3), "weights": np.ones(3)}
SWAPPED = {"momentum": ARRAYS["weights"], "weights": ARRAYS["momentum"]}
RENAMED = {"memory": ARRAYS["momentum"], "weights": ARRAYS["weights"]}
"""The bytes stand in the same order under other names: nothing but the names tells them apart."""


@pytest.mark.parametrize("others", [SWAPPED, RENAMED], ids=["swapped", "renamed"])
def test_arrays_under_each_others_names_are_refused(tmp_path, others):
    path = tmp_path / "x.safetensors"
    checkpoint_file.write(path, "1", ARRAYS, {"round": 1})
    assert checkpoint_file.read(path, "1", "cure", lambda arrays, body: body) == {"round": 1}
    with safe_open(path, framework="np") as file:
        header = file.metadata()
    path.write_bytes(save(others, header))
    with pytest.raises(InputError, match="not as it was written: another SHA-256"):
        checkpoint_file.read(path, "1", "cure", lambda arrays, body: body)


def test_numbers_that_numpy_does_not_know_are_damage(tmp_path):
    path = tmp_path / "x.safetensors"
    save_tensors({"weights": torch.zeros(3, dtype=torch.float8_e4m3fn)}, path, {"schema": "1"})
    with pytest.raises(InputError, match="damaged checkpoint"):
        checkpoint_file.read(path, "1", "cure", lambda arrays, body: body)


def test_a_seal_depends_on_names_and_not_on_their_order():
    assert seal(dict(reversed(ARRAYS.items())), "text") == seal(ARRAYS, "text")
    assert len({seal(arrays, "text") for arrays in (ARRAYS, SWAPPED, RENAMED)}) == 3
