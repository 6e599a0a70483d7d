"""Where and from what a report is made: version, commit, date, libraries, hardware, and the hash of a
source tree."""

from __future__ import annotations

import datetime
import functools
import hashlib
import os
import platform
import re
from dataclasses import dataclass
from importlib import metadata

from gpu_benchmarks.errors import InputError
from gpu_benchmarks.machine import ROOT, git, processor
from methods.terminal.processes import cores

LIBRARIES = (
    "numpy", "scipy", "sympy", "z3-solver", "cvc5", "mpmath", "python-flint", "torch", "matplotlib", "typst", "PEPit",
)  # fmt: skip
LAST = 253_402_300_799
"""The last second of the year 9999, which no date is after."""
_SOURCES = (".py", ".toml", ".json", ".typ")


@dataclass(frozen=True)
class Provenance:
    """version: of the package. commit: hash or "" outside a checkout. changed: whether tracked files
    differ from the commit. epoch: seconds since 1970 that stand in the PDF (SOURCE_DATE_EPOCH, else the
    commit's date)."""

    version: str
    commit: str
    changed: bool
    epoch: int

    @property
    def date(self) -> str:
        return datetime.datetime.fromtimestamp(self.epoch, datetime.UTC).strftime("%d %B %Y").lstrip("0")

    @property
    def commit_text(self) -> str:
        if not self.commit:
            return "not a checkout"
        return self.commit[:12] + (" with uncommitted changes" if self.changed else "")


def provenance(environ: os._Environ[str] | dict[str, str] = os.environ) -> Provenance:
    """Read from git where the package lies in a checkout. Raises `InputError` for a SOURCE_DATE_EPOCH
    that is no whole number of seconds from 1970 to 9999. Outside a checkout the date is 1 January 1980, unless
    SOURCE_DATE_EPOCH gives one."""
    commit = git("rev-parse", "HEAD") if git("rev-parse", "--show-toplevel") == str(ROOT) else ""
    changed = bool(commit and git("status", "--porcelain", "--untracked-files=no"))
    given = environ.get("SOURCE_DATE_EPOCH", "")
    if given and not (re.fullmatch("0*[0-9]{1,12}", given) and int(given) <= LAST):
        raise InputError(
            f"SOURCE_DATE_EPOCH is {given!r}; it must be a whole number of seconds since 1970, in [0, {LAST}]; set it anew, or unset "
            "it and the date is that of the commit"
        )
    if given:
        epoch = int(given)
    elif commit:
        epoch = int(git("log", "-1", "--format=%ct"))
    else:
        epoch = 315_532_800
    return Provenance(metadata.version("normec"), commit, changed, epoch)


def environment() -> dict[str, str]:
    """Versions and hardware of this machine, names as their makers write them."""
    rows = {
        "Python": platform.python_version(),
        "System": f"{platform.system()} {platform.release()}, {platform.machine()}",
        "Processor": processor(),
        "Cores available": str(cores()),
    }
    return rows | library_versions()


@functools.lru_cache(maxsize=64)
def tree_hash(rooms: tuple[str, ...]) -> str:
    """SHA-256 over the names and bytes of all source and data files of these rooms (folders or single
    files)."""
    digest = hashlib.sha256()
    for room in rooms:
        top = ROOT / room
        for path in [top] if top.is_file() else sorted(top.rglob("*")):
            if path.suffix in _SOURCES and path.is_file() and "__pycache__" not in path.parts:
                digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0")
                digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def library_versions() -> dict[str, str]:
    """Of all libraries: which of them a result depends on, nobody has to keep in mind."""
    found = {}
    for name in LIBRARIES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "not installed"
    return found
