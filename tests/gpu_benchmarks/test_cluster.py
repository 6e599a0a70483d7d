"""`sweep --ray`: what is asked of Ray, and what is said where it is not there."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from gpu_benchmarks import cluster
from gpu_benchmarks.cli import main
from gpu_benchmarks.config import Config
from gpu_benchmarks.sweep import Folder
from tests_support import SMALL, errors, runs


@pytest.mark.parametrize("more", [[], ["--dry-run"]], ids=["a run", "a dry run"])
def test_without_ray_there_is_no_queue(tmp_path, capsys, monkeypatch, more):
    monkeypatch.setitem(sys.modules, "ray", None)
    out = tmp_path / "out"
    assert main(["sweep", runs(tmp_path, {}), "--out", str(out), "--ray", *more]) == 2
    (line,) = errors(capsys)
    assert "Ray is not installed" in line
    assert not out.exists()


def test_a_cluster_without_a_gpu_is_no_queue(tmp_path, capsys, monkeypatch):
    class Ray:
        @staticmethod
        def init(**how): ...

        @staticmethod
        def cluster_resources():
            return {"CPU": 8.0}

    monkeypatch.setitem(sys.modules, "ray", Ray)
    assert main(["sweep", runs(tmp_path, {}), "--out", str(tmp_path / "out"), "--ray"]) == 2
    assert "has no GPU" in errors(capsys)[0]
    assert not (tmp_path / "out").exists()


def test_ray_starts_once_for_a_sweep(monkeypatch):
    """`spread` counts on `ready`."""
    started = []

    class Ray:
        @staticmethod
        def init(**how):
            started.append(how)

        @staticmethod
        def cluster_resources():
            return {"GPU": 2.0}

        @staticmethod
        def remote(**how):
            return lambda work: type("Worker", (), {"remote": staticmethod(lambda *a: a)})

        @staticmethod
        def get(asked):
            assert len(asked) == 2

    monkeypatch.setitem(sys.modules, "ray", Ray)
    cluster.ready()
    assert not cluster.spread(Folder(Path("/nowhere")), [Config(**SMALL)], None, None, None, 1)  # type: ignore[arg-type]
    assert len(started) == 1
