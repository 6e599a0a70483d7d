"""The cores of this machine, as the records and the throughput count them."""

from __future__ import annotations

import os

import pytest
import torch

from gpu_benchmarks.cli import main
from gpu_benchmarks.device import describe


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="no process is kept to some cores here")
def test_the_cores_are_those_that_the_process_may_use(monkeypatch, capsys):
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0})
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    assert describe(torch.device("cpu"))["cores"] == 1
    assert main(["throughput", "--threads", "2"]) == 2
    assert "at most 1, the cores" in capsys.readouterr().err
