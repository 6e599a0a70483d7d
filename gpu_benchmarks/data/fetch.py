"""Download what is missing: progress, resume after an interruption, and the final name only for a whole
file.

A download in progress is `NAME.part`. A second call goes on from its length (HTTP Range); when the
server cannot, it starts anew. Only a file whose SHA-256 is right is renamed to `NAME`. The part is locked until then: a
call beside another waits for it.
"""

from __future__ import annotations

import fcntl
import hashlib
import http.client
import os
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

from gpu_benchmarks.data.load import check, check_file, missing, there
from gpu_benchmarks.data.sources import DataError, Part, Source, data_folder, source
from methods.terminal.output import folder_for
from methods.terminal.progress import progress_bar

CHUNK = 1 << 18
TIMEOUT = 30.0  # seconds without a byte


def provide(name: str, folder: Path | None = None) -> None:
    """Fetch a data set of which files are not there; files that are there are left as they are. folder: as for `load`.

    For commands, before they load: it shows its progress on standard error. Raises `DataError` as `fetch` does.
    """
    which = source(name)
    folder = data_folder() if folder is None else folder
    if not there(which, folder):
        fetch(which, folder)


def fetch(which: Source, folder: Path, quiet: bool = False) -> list[Path]:
    """Bring a data set into `folder`; files that are there and whole are left alone. Returns what was
    fetched.

    Raises `DataError` where there is no network, no room or no right to write, or a wrong
    checksum arrives.
    """
    states = dict(check(which, folder))
    if all(state == "whole" for state in states.values()):
        return []
    home = folder / which.folder
    made = ExitStack()
    try:
        made.enter_context(folder_for(home))
    except OSError as error:
        raise DataError(
            f"{home}: cannot be made ({error.strerror}); choose another folder, by option or NORMEC_DATA"
        ) from error
    with made:
        return _bring(which, home, states, quiet)


def _bring(which: Source, home: Path, states: Mapping[str, str], quiet: bool) -> list[Path]:
    fetched = []
    with progress_bar("bytes", quiet) as progress:
        for part in which.downloads:
            target = home / part.name
            check_file(target)
            check_file(_partial(target))
            if target.is_file() and _digest(target) == part.sha256:
                continue
            task = progress.add_task(part.name, total=part.size)
            try:
                download(
                    which.url + part.name,
                    target,
                    part,
                    lambda done, t=task: progress.update(t, completed=done),
                )
            except OSError as error:  # urllib's errors are OSErrors too
                raise DataError(
                    f"{which.url}{part.name}: {getattr(error, 'reason', None) or error}. "
                    + _wanting(which, part, home, states)
                ) from error
            fetched.append(target)
    return fetched


def _wanting(which: Source, part: Part, home: Path, states: Mapping[str, str]) -> str:
    """What there is instead of a file that could not be fetched: one that is damaged, as `check` says it, or none."""
    brings = which.parts if which.archive else (part,)
    damaged = [states[each.name] for each in brings if states[each.name] not in ("whole", "missing")]
    return damaged[0] if damaged else missing(which, home / part.name, home)


def download(url: str, target: Path, part: Part, report: Callable[[int], object] = lambda done: None) -> None:
    """Fetch `url` to `target`, going on from `target.part`.

    report: called with the bytes there so far. Raises OSError (urllib.error.URLError among them) on
    trouble with the network or the disk, keeping `.part`; and `DataError` on a wrong checksum,
    removing it.
    """
    partial = _partial(target)
    with _locked(partial) as file:
        if target.is_file() and _digest(target) == part.sha256:  # it came while this call waited
            partial.unlink()
            return
        try:
            _receive(url, file, report)
        except BaseException:
            if not partial.stat().st_size:
                partial.unlink()
            raise
        found = _digest(partial)
        if found != part.sha256:
            if part.size and partial.stat().st_size < part.size:
                raise OSError(
                    f"only {partial.stat().st_size:,} of {part.size:,} bytes came; fetch again to go on"
                )
            partial.unlink()
            raise DataError(
                f"{url}: SHA-256 {found[:16]}… arrived where {part.sha256[:16]}… is right; removed"
            )
        partial.replace(target)


def _partial(target: Path) -> Path:
    return target.with_name(target.name + ".part")


@contextmanager
def _locked(partial: Path) -> Iterator[IO[bytes]]:
    """The part of a download, for this call alone. One that another call has renamed or removed meanwhile is let go."""
    while True:
        with partial.open("ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            if _lies_at(partial, file):
                yield file
                return


def _lies_at(path: Path, file: IO[bytes]) -> bool:
    """Whether the open file is what lies there now; another call may remove that between any two looks."""
    try:
        there = path.stat()
    except FileNotFoundError:
        return False
    return os.path.samestat(there, os.fstat(file.fileno()))


def _receive(url: str, file: IO[bytes], report: Callable[[int], object]) -> None:
    have = os.fstat(file.fileno()).st_size
    request = urllib.request.Request(url, headers={"Range": f"bytes={have}-"} if have else {})
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT) as response:
            if have and response.status != 206:  # the server sends all of it
                have = 0
                file.truncate(0)
            while chunk := response.read(CHUNK):
                file.write(chunk)
                have += len(chunk)
                report(have)
            file.flush()
            os.fsync(file.fileno())
    except urllib.error.HTTPError as error:
        # 416: nothing is left to send, the part is complete (or wrong: the sum decides)
        if error.code != 416:
            raise
    except http.client.HTTPException as error:
        raise OSError(f"the connection broke off ({type(error).__name__}); fetch again to go on") from error


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
