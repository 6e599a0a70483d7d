"""Who may import whom: the rooms stand in one order and imports only go down it.

report > verify, gpu_benchmarks > toy_problems > methods > bounds; verify and gpu_benchmarks do not know each
other, and torch is imported by gpu_benchmarks alone. Read from the syntax trees, so that an import inside a
function counts too.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

BELOW = {
    "bounds": set(),
    "methods": {"bounds"},
    "toy_problems": {"methods", "bounds"},
    "gpu_benchmarks": {"toy_problems", "methods", "bounds"},
    "verify": {"toy_problems", "methods", "bounds"},
    "report": {"verify", "gpu_benchmarks", "toy_problems", "methods", "bounds"},
}
MODULES = [p for room in BELOW for p in sorted((ROOT / room).rglob("*.py"))]


def imported(source: str) -> set[str]:
    """Top-level names of all absolute imports of a module, those inside functions and `import_module("…")`
    included."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module.split(".")[0])
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called in ("import_module", "__import__") and isinstance(node.args[0].value, str):
                names.add(node.args[0].value.split(".")[0])
    return names


def test_every_room_is_in_the_order():
    rooms = {p.parent.name for p in ROOT.glob("*/__init__.py")} - {"tests"}
    assert rooms == set(BELOW)


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_only_go_down(path):
    room = path.relative_to(ROOT).parts[0]
    names = imported(path.read_text(encoding="utf-8"))
    upwards = (names & set(BELOW)) - BELOW[room] - {room}
    assert not upwards, f"{room} must not import {', '.join(sorted(upwards))}"
    assert "tests" not in names, f"{room} must not import the tests"
    if room != "gpu_benchmarks":
        assert "torch" not in names, "torch is imported by gpu_benchmarks alone"


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import report", {"report"}),
        ("def f():\n    from verify.engine import x", {"verify"}),
        ("import importlib\nimportlib.import_module('torch.cuda')", {"importlib", "torch"}),
        ("from . import x", set()),
        ("x = 'import torch'", set()),
    ],
)
def test_the_reader_sees_what_is_imported(source, found):
    """The check itself, on what it must and must not catch."""
    assert imported(source) == found


def test_what_command_lines_share_and_the_methods_do_not_know_each_other():
    for path in sorted((ROOT / "methods").rglob("*.py")):
        own = path.parent.name == "terminal"
        found = {
            node.module.startswith("methods.terminal")
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("methods")
        }
        assert found <= {own}, path


def borrowed(source: str) -> set[str]:
    """Private names of other modules that a module imports."""
    return {
        alias.name
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.name.startswith("_") and not alias.name.endswith("__")
    }


def test_a_private_name_stays_in_its_module():
    found = {str(p.relative_to(ROOT)): names for p in MODULES if (names := borrowed(p.read_text("utf-8")))}
    assert not found, "what another module uses has no underscore"
    assert borrowed("from verify.exact import _curve, Curve, __doc__") == {"_curve"}
