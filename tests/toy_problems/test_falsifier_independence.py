"""A replay shares no code with the search whose witness it judges."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import toy_problems.falsifier as falsifier

ROOT = Path(falsifier.__file__).parent
REPLAYS = sorted(ROOT.glob("*/replay.py"))
GROUND = {"toy_problems.falsifier.exact", "toy_problems.falsifier.intervals"}
"""What all replays stand on."""


def imported(path: Path) -> set[str]:
    """Every module that a file names in an import."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    names = {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    return names | {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}


def test_there_are_replays():
    assert {path.parent.name for path in REPLAYS} == {"convex", "grid", "local", "planar", "traces"}


@pytest.mark.parametrize(
    "path", [*REPLAYS, ROOT / "exact.py", ROOT / "intervals.py"], ids=lambda p: f"{p.parent.name}/{p.name}"
)
def test_a_replay_shares_nothing_with_the_search(path):
    """It imports exact arithmetic, the bounds and other replays: no candidate, no method, no float array."""
    names = imported(path)
    allowed = GROUND | {f"toy_problems.falsifier.{p.parent.name}.replay" for p in REPLAYS}
    own = {name for name in names if name.split(".")[0] == "toy_problems"}
    assert own <= allowed, f"{path} imports {', '.join(sorted(own - allowed))}"
    foreign = {name for name in names if name.split(".")[0] in ("methods", "numpy", "scipy")}
    assert not foreign, f"{path} imports {', '.join(sorted(foreign))}"
