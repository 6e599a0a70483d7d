"""What a record says of the code that made it."""

from __future__ import annotations

import tomllib
from importlib.metadata import PackageNotFoundError

import pytest
import torch

from gpu_benchmarks import machine, provenance
from gpu_benchmarks.gradients import Rules
from gpu_benchmarks.machine import ROOT


@pytest.fixture
def not_installed(monkeypatch):
    """A plain checkout: the packages that it uses are there, itself is not."""
    real = provenance.version

    def version(name: str) -> str:
        if name == "normec":
            raise PackageNotFoundError(name)
        return real(name)

    monkeypatch.setattr(provenance, "version", version)


def test_a_checkout_that_is_not_installed_has_the_version_that_it_declares(not_installed):
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    told = provenance.provenance(torch.device("cpu"), Rules(), 1.0, "eager")["versions"]
    assert told["normec"] == declared
    assert list(told) == ["python", "torch", "numpy", "normec"]


def test_an_installed_package_has_the_version_that_it_was_installed_with(monkeypatch):
    monkeypatch.setattr(provenance, "version", lambda name: f"{name} 7")
    assert provenance.own_version() == "normec 7"


@pytest.mark.parametrize("text", [None, "", "[project", "[project]\nname = 'normec'"], ids=repr)
def test_a_version_that_is_nowhere_is_unknown(text, not_installed, tmp_path, monkeypatch):
    if text is not None:
        (tmp_path / "pyproject.toml").write_text(text)
    monkeypatch.setattr(provenance, "ROOT", tmp_path)
    assert provenance.own_version() == "unknown"


def test_the_name_of_the_code_changes_with_any_file_that_runs_are_made_of(tmp_path, monkeypatch):
    """The formula of the noise too, which lies in `bounds`."""
    for part in ("gpu_benchmarks/engine.py", "methods/operators.py", "bounds/experiment_noise.py"):
        (tmp_path / part).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / part).write_text("x = 1\n")
        assert (ROOT / part).is_file()
    monkeypatch.setattr(machine, "ROOT", tmp_path)
    names = [machine.sources.__wrapped__()]
    for part in ("gpu_benchmarks/engine.py", "methods/operators.py", "bounds/experiment_noise.py"):
        (tmp_path / part).write_text("x = 2\n")
        names.append(machine.sources.__wrapped__())
    (tmp_path / "bounds" / "other.py").write_text("x = 3\n")
    assert machine.sources.__wrapped__() == names[-1]
    assert len(set(names)) == 4
