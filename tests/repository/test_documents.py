"""What README.md and CONTRIBUTING.md say: commands, options, files and names that exist."""

from __future__ import annotations

import importlib
import re
import shlex
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
ROOMS = {"verify", "toy_problems", "gpu_benchmarks", "report"}
"""Those that have a command."""


def code(text: str) -> str:
    """What a document sets as code: fenced, indented, or between backticks."""
    fenced, inline = re.findall(r"```[^\n]*\n(.*?)```", text, re.S), re.findall(r"`([^`\n]+)`", text)
    return "\n".join(fenced + inline + re.findall(r"^ {4,}(.+)$", text, re.M))


def commands(text: str) -> list[tuple[str, ...]]:
    """Each command of the code of a document once: room, words, options and their values."""
    lines = re.findall(r"^(?:normec|python -m) +([a-z_]+.*)$", code(text), re.M)
    return list(dict.fromkeys(tuple(shlex.split(line, comments=True)) for line in lines))


def faults(command: tuple[str, ...], read) -> list[str]:
    """What of a command does not exist. A room's help need not look at the words before `--help`, so each has to stand in the
    usage: as a command of its own in what comes before the options, or as one of the choices."""
    room, rest = command[0], command[1:]
    if room not in ROOMS:
        return [f"no room {room}"]
    split = next((at for at, word in enumerate(rest) if word.startswith("-")), len(rest))
    words, options = rest[:split], {word for word in rest[split:] if word.startswith("-")}
    status, told = help_of(room, words, read)
    if status != 0 or not told.startswith(f"usage: python -m {room}"):
        return [f"{' '.join(command)}: exit status {status}"]
    usage = told.split(" options: ")[0]
    called, arguments = usage.split(" [-h]", 1)
    known = {
        *called.split()[4:],
        *re.findall(r"[\w-]+", " ".join(re.findall(r"[{\[][^\[\]{}]*[}\]]", arguments))),
    }
    return [f"{room} has no {word}" for word in words if word not in known] + [
        f"{' '.join([room, *words])} has no {option}"
        for option in sorted(options)
        if not re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", told)
    ]


def help_of(room: str, words: tuple[str, ...], read) -> tuple[object, str]:
    try:
        status = importlib.import_module(f"{room}.__main__").main([*words, "--help"])
    except SystemExit as stop:
        status = stop.code
    return status, " ".join(read().out.split())


FOUND = [command for path in DOCUMENTS for command in commands(path.read_text(encoding="utf-8"))]


def test_the_documents_name_commands_of_every_room():
    assert {command[0] for command in FOUND} == ROOMS
    assert len(FOUND) > 12


@pytest.mark.parametrize("command", FOUND, ids=" ".join)
def test_a_command_of_the_documents_exists(command, capsys):
    assert faults(command, capsys.readouterr) == []


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("normec toy_problems example2", "exit status 2"),
        ("normec verify table", "exit status 2"),
        ("normec verify --lists", "no --lists"),
        ("normec verify --claims NEC-T1", "no --claims"),
        ("normec gpu_benchmarks fmnist run readings fast", "no fast"),
        ("normec gpu_benchmarks sweep --record x", "no --record"),
        ("normec bounds", "no room bounds"),
    ],
)
def test_a_command_that_does_not_exist_is_found(line, fault, capsys):
    (command,) = commands(f"`{line}`")
    assert fault in " ".join(faults(command, capsys.readouterr))


def test_commands_are_read_from_all_that_is_set_as_code():
    text = "    normec verify --list   # told\n\nand `python -m report` or\n\n```\nnormec report --fresh\n```\nnormec is\n"
    assert set(commands(text)) == {("report", "--fresh"), ("report",), ("verify", "--list")}


def test_files_and_names_of_the_documents_exist():
    """A path in backticks is there, and a name in capitals begins a line of one of the files named under its heading."""
    for path in DOCUMENTS:
        for part in re.split(r"\n(?=## )", path.read_text(encoding="utf-8")):
            quoted = re.findall(r"`([^`\n]+)`", part)
            files = [ROOT / word for word in quoted if re.fullmatch(r"[\w/.-]+(\.(py|toml|json|md)|/)", word)]
            files = [
                file
                for file in files
                if file.parts[len(ROOT.parts)] in {*ROOMS, "bounds", "methods", "tests", "README.md"}
            ]
            assert [str(file) for file in files if not file.exists()] == []
            sources = [
                source for file in files for source in (file.glob("*.py") if file.is_dir() else [file])
            ]
            text = "".join(source.read_text(encoding="utf-8") for source in sources)
            names = [
                word
                for word in quoted
                if files and re.fullmatch(r"[A-Z_]{3,}", word) and not word.startswith("NORMEC_")
            ]
            assert [name for name in names if not re.search(rf"^{name}\b", text, re.M)] == []
