"""The repository tests itself: its folders, that every test is collected, that the README's make targets exist, and
that no machine has left its traces in it."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = {"verify", "bounds", "methods", "toy_problems", "gpu_benchmarks", "tests", "report"}
ROOMS = FOLDERS - {"tests"}


def tracked() -> list[Path]:
    """Every file that git tracks or would (untracked and not ignored)."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    return [path for name in names if name and (path := ROOT / name).is_file()]


@pytest.fixture(scope="module")
def files() -> list[Path]:
    try:
        return tracked()
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git checkout: what belongs to the tree cannot be told from what was built in it")


def test_top_level_folders_are_the_agreed_ones(files):
    folders = {path.relative_to(ROOT).parts[0] for path in files if len(path.relative_to(ROOT).parts) > 1}
    assert {name for name in folders if not name.startswith(".")} == FOLDERS


def test_tests_are_laid_out_as_the_rooms_are(files):
    parts = [path.relative_to(ROOT / "tests").parts for path in files if path.is_relative_to(ROOT / "tests")]
    assert {part[0] for part in parts if len(part) > 1} <= ROOMS | {"repository", "commands"}


def test_every_file_of_tests_is_collected(files):
    """pytest takes test_*.py; a file that holds tests under another name would never run."""
    for path in files:
        if path.is_relative_to(ROOT / "tests") and path.suffix == ".py" and not path.name.startswith("test_"):
            text = path.read_text(encoding="utf-8")
            assert not re.search(r"^\s*(async )?def test_", text, re.M), (
                f"{path} is not collected: name it test_*.py"
            )


def test_test_files_outside_tests_do_not_exist(files):
    strays = [p for p in files if p.name.startswith("test_") and not p.is_relative_to(ROOT / "tests")]
    assert strays == [], "pytest looks in tests/ alone"


def test_package_list_is_explicit_and_complete(files):
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    include = config["tool"]["setuptools"]["packages"]["find"]["include"]
    assert {name.rstrip("*") for name in include} == ROOMS


def test_every_package_has_an_init(files):
    for path in files:
        relative = path.relative_to(ROOT)
        if relative.parts[0] in ROOMS and path.suffix == ".py":
            assert (path.parent / "__init__.py").is_file(), f"{relative.parent} has no __init__.py"


def make_targets() -> set[str]:
    return set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))


def readme_code() -> str:
    """What the README sets as code: fenced, indented, or between backticks."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    fenced, inline = re.findall(r"```[^\n]*\n(.*?)```", text, re.S), re.findall(r"`([^`\n]+)`", text)
    return "\n".join(fenced + inline + re.findall(r"^ {4,}(.+)$", text, re.M))


def test_make_targets_of_the_readme_exist():
    used = set(re.findall(r"\bmake ([\w-]+)", readme_code()))
    assert {"report", "test"} <= used
    assert used <= make_targets()


def test_promised_make_targets_exist():
    assert {"report", "test", "bench", "lint"} <= make_targets()


def selections() -> dict[str, str]:
    """Which markers each make target asks pytest for."""
    recipes = re.findall(
        r"^([\w-]+):.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M
    )
    found = {name: re.search(r"-m pytest .*-m (\"[^\"]+\"|\w+)", recipe) for name, recipe in recipes}
    return {name: match[1].strip('"') for name, match in found.items() if match}


def test_what_make_test_leaves_out_has_a_target():
    """A marked test that no target runs guards nothing. Those marked `gpu` need a device that no target can set up."""
    selected = selections()
    left_out = set(re.findall(r"not (\w+)", selected.pop("test"))) - {"gpu"}
    assert left_out >= {"slow", "peer"}
    for marker in left_out:
        assert any(re.search(rf"(?<!not )\b{marker}\b", chosen) for chosen in selected.values()), marker


def test_every_extra_that_make_installs_is_pinned():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "optional-dependencies"
    ]
    installed = set(re.findall(r"\.\[([\w,]+)\]", (ROOT / "Makefile").read_text(encoding="utf-8")))
    text = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    pinned = {pin.lower().replace("_", "-") for pin in re.findall(r"^([\w.-]+)==", text, re.M)}
    for extra in {name for names in installed for name in names.split(",")}:
        for requirement in extras[extra]:
            name = re.match(r"[\w.-]+", requirement)
            assert name is not None
            assert name[0].lower() in pinned, requirement


def test_continuous_integration_calls_make_test():
    script = ROOT / ".ci" / "run"
    assert "make test" in script.read_text(encoding="utf-8")
    assert script.stat().st_mode & 0o111, ".ci/run is not executable"


TRACES = {
    "a home folder": r"/(home|Users)/[a-z][\w.-]*/",
    "a root folder": r"(?<![\w./])/root/",
    "a working folder": r"(?<![\w./])/work/",
    "a temporary folder": r"(?<![\w./])/tmp/[\w.-]+",
    "a registry host": r"https?://[\w.-]*(pypi|npmjs|artifactory|nexus|devpi)[\w.-]*",
    "a private address": r"\b(10|192\.168|172\.(1[6-9]|2\d|3[01]))(\.\d{1,3}){2,3}\b(?=[:/])",
    "an index address": r"--(extra-)?index-url",
    "a secret": r"(?i)\b(api[_-]?key|secret|password|token)\s*[:=]\s*['\"][^'\"]{8,}",
    "a workplace": r"(?i)\b(as an ai|language model|sub-?agents?|chatgpt|co-authored-by)\b",
}
TEXT = {".py", ".md", ".toml", ".txt", ".cfg", ".json", ".typ", ".yml", ".yaml", ".cff", ".sh", ""}


@pytest.mark.parametrize("what", TRACES)
def test_no_trace_of_a_machine_or_a_workplace(what, files):
    pattern, found = re.compile(TRACES[what]), []
    for path in files:
        if path.suffix in TEXT and path != Path(__file__) and "records" not in path.parts:
            for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
                if pattern.search(line):
                    found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}")
    assert found == [], f"{what} stands in the tree"


@pytest.mark.parametrize(
    ("what", "line"),
    [
        ("a home folder", "/home/someone/data"),
        ("a working folder", "cd /" + "work/project"),
        ("a temporary folder", "open('/" + "tmp/x.json')"),
        ("a registry host", "https://pypi.internal/simple"),
        ("an index address", "--index-url x"),
        ("a secret", 'token = "abcdefghijk"'),
    ],
)
def test_the_search_for_traces_finds_them(what, line):
    assert re.search(TRACES[what], line)


def test_nothing_executable_is_read_from_a_file(files):
    """No pickle, no eval, no exec: nothing that a data file holds is run."""
    forbidden = re.compile(
        r"^\s*(import|from) (pickle|cPickle|dill|shelve|marshal)\b|(?<![\w.])(eval|exec)\(", re.M
    )
    for path in files:
        if path.suffix == ".py" and path.relative_to(ROOT).parts[0] in ROOMS:
            assert not forbidden.search(path.read_text(encoding="utf-8")), path


def test_files_keep_to_one_subject(files):
    """A file of one subject has some 350 lines at most; at 500 it is to be divided, whatever the reason."""
    long = {
        str(path.relative_to(ROOT)): count
        for path in files
        if path.suffix == ".py" and (count := len(path.read_text(encoding="utf-8").splitlines())) > 500
    }
    assert long == {}
