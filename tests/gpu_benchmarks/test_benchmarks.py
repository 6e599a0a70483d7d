"""Timings for `make bench`: a round of α-NormEC with ResNet-20 against plain SGD, a loop over clients, vmap and
the GPU's way.

They assert nothing about time: `python -m gpu_benchmarks throughput` measures ratios in one interleaved run.
"""

from __future__ import annotations

import pytest
import torch

from gpu_benchmarks import throughput
from gpu_benchmarks.resnet import Architecture
from gpu_benchmarks.selfcheck import sound


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["plain", "ours", "loop", "vmap", "joint"])
@pytest.mark.parametrize("clients", [10, 20])
def test_round(benchmark, clients, variant):
    cpu = torch.device("cpu")
    ready, _ = throughput.variants(Architecture(), clients, 32, "float32", cpu, sound(cpu))
    benchmark.group = f"a round, {clients} clients × 32 images"
    benchmark.extra_info["images"] = 32 * clients
    benchmark.pedantic(ready[variant], rounds=3, warmup_rounds=1)
