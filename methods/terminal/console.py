"""How every command line ends: by its exit code, by an interrupt, or because nobody reads any more.

Exit codes: 130 after Ctrl-C and 143 after SIGTERM, as a shell gives them; 141 where the reader of the output has gone.
"""

from __future__ import annotations

import errno
import io
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from functools import wraps
from pathlib import Path
from typing import Any

Main = Callable[..., int]
"""Takes the arguments after the command's name, by default those of the process, and returns the exit code."""
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
STEP = re.compile(r"-S\d+(?=@|$)")
"""Of a claim's id: it is a step of a proof."""
LONGEST = 4096
"""Characters of an argument: those of the longest path that Linux takes."""


def command_of(room: str) -> str:
    """How whoever started this process types the command of a room: `python -m verify`, or `normec verify`."""
    return f"{'normec' if Path(sys.argv[0]).stem == 'normec' else 'python -m'} {room}"


class Terminated(KeyboardInterrupt):
    """SIGTERM, which asks for the same clean end as Ctrl-C."""


class WorkerDied(Exception):
    """A worker process was killed from outside; the message says so, and what to do."""

    def __init__(self, cure: str) -> None:
        super().__init__(
            f"a worker process was killed from outside, as systems do where memory runs out; {cure}"
        )


def interrupted(stopped: KeyboardInterrupt) -> int:
    """The exit code after Ctrl-C or SIGTERM."""
    return 143 if isinstance(stopped, Terminated) else 130


def command(main: Main) -> Main:
    """`main` as a command. SIGTERM raises `Terminated` in it. A character that the encoding of the output lacks is escaped
    (`\\u03b5`). A reader that goes away, as `head` does, ends it with 141 and without a word; a full disk behind the output is one
    line and 2, and so are an answer for which there is no standard output and the death of a worker. Arguments that no command
    can take are refused. A COLUMNS or LINES that no terminal has is as if it were not set."""

    @wraps(main)
    def ends(arguments: Sequence[str] | None = None) -> int:
        for name in ("stdout", "stderr"):
            stream = getattr(sys, name)
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
            elif stream is None:  # closed by whoever called
                setattr(sys, name, _absent(os.O_RDONLY if name == "stdout" else os.O_WRONLY))
        for name in ("COLUMNS", "LINES"):
            if not re.fullmatch("0*[1-9][0-9]{0,4}", os.environ.get(name, "1")):
                del os.environ[name]
        given = sys.argv[1:] if arguments is None else arguments
        if wrong := next(filter(None, map(_mistaken, given)), None):
            tell(f"error: {wrong}")
            return 2
        try:
            with _signals():
                try:
                    return main(arguments)
                finally:
                    sys.stdout.flush()
        except KeyboardInterrupt as stopped:
            return interrupted(stopped)
        except WorkerDied as error:
            tell(f"error: {error}")
            return 2
        except RuntimeError as error:
            if isinstance(error.__cause__, KeyboardInterrupt):  # Python 3.11, while it makes a class
                return interrupted(error.__cause__)
            raise
        except OSError as error:
            if not of_output(error):
                raise
            _drop(sys.stdout)
            if isinstance(error, BrokenPipeError):
                _drop(sys.stderr)
                return 141  # as a shell tells SIGPIPE: 1 is an answer of some commands
            tell(f"error: the output cannot be written ({error.strerror})")
            return 2

    return ends


def tell(message: str) -> None:
    """A line on standard error. Where that cannot be written either, the exit code alone says it."""
    try:
        print(message, file=sys.stderr)
    except OSError:
        _drop(sys.stderr)


def of_output(error: OSError) -> bool:
    """Whether what failed is the writing of standard output, which `command` ends by itself."""
    return isinstance(error, BrokenPipeError) or (error.errno in FULL and error.filename is None)


def said(error: Exception) -> str:
    """What a user is told of bad input, where Python's own words for floats that fail say nothing of it."""
    if isinstance(error, OverflowError | ZeroDivisionError | MemoryError):
        return "the numbers given are too large or too far apart for floats and memory"
    return str(error)


LONGEST_ERROR = 4000
"""Characters; a longer one is cut in its middle."""


def line(text: str) -> str:
    """An error that may hold a value of any length and with any characters, as one line that can be read."""
    shorter = re.sub(r"\S{300,}", lambda found: f"{found[0][:120]}…{found[0][-60:]}", text)
    if len(shorter) > LONGEST_ERROR:
        shorter = f"{shorter[: LONGEST_ERROR // 2]} […] {shorter[-LONGEST_ERROR // 4 :]}"
    return CONTROL.sub(lambda found: repr(found[0])[1:-1], shorter)


def shown(value: object) -> str:
    """A value as an error tells it: Python writes out no number of thousands of digits, and nothing nested that deeply."""
    try:
        return repr(value)
    except ValueError:
        return "a number of too many digits"
    except RecursionError:
        return "a value nested too deeply"


def spelled(key: object) -> str:
    """The name of a setting as an error tells it: what cannot be seen is quoted."""
    return key if isinstance(key, str) and key.strip() and key.isprintable() else shown(key)


def near(name: str, known: Iterable[str]) -> str:
    """`; near: A, B` for a name that is none of those known, whatever its case; nothing where none is like it.

    What begins with the name comes first: whole statements before steps (-S1) and readings (@), those of few parts before those of
    many, and otherwise in the order given."""
    folded = {one.upper(): one for one in known}
    begun = [one for one in folded if name.strip() and one.startswith(name.upper())]
    begun.sort(key=lambda one: ("@" in one, bool(STEP.search(one)), one.count("-")))
    close = get_close_matches(name.upper(), folded, n=3, cutoff=0.4)
    found = [folded[one] for one in dict.fromkeys((*begun, *close))][:3]
    return f"; near: {', '.join(found)}" if found else ""


def _mistaken(argument: str) -> str | None:
    """What is wrong with an argument that no option can take; None for nothing."""
    if re.fullmatch("--[^=]+=--", argument):  # argparse drops such a value
        return f"{argument}: -- is no value"
    if CONTROL.search(argument):  # it would break the line of an error
        return f"{argument[:80]!r}: a control character in an argument; leave it out"
    if len(argument) > LONGEST:
        return f"{argument[:80]}…: {len(argument)} characters in an argument; at most {LONGEST}"
    return None


def _absent(mode: int) -> io.TextIOWrapper:
    """What stands for a stream that was closed. Opened for reading alone, it fails where anything is written to it."""
    return os.fdopen(os.open(os.devnull, mode), "w", encoding="utf-8")


def _drop(stream: Any) -> None:
    """What is left in its buffer must not fail once more at exit."""
    try:
        stream.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


@contextmanager
def _signals() -> Iterator[None]:
    """Within, SIGTERM raises `Terminated` as Ctrl-C raises `KeyboardInterrupt`. Python drops either where it falls into a
    destructor, such as those of z3's objects: it is sent again a moment later. What destructors say of objects that it left half made
    is dropped in its place."""
    if threading.current_thread() is not threading.main_thread():  # that alone may set a handler
        yield
        return
    heard = False

    def raising(kind: type[KeyboardInterrupt]) -> Callable[[int, object], None]:
        def handler(number: int, frame: object) -> None:
            nonlocal heard
            heard = True
            raise kind

        return handler

    def dropped(told: Any) -> None:
        if issubclass(told.exc_type, KeyboardInterrupt):
            number = signal.SIGTERM if issubclass(told.exc_type, Terminated) else signal.SIGINT
            threading.Timer(0.01, os.kill, (os.getpid(), number)).start()
        elif not heard:
            hook(told)

    hook, sys.unraisablehook = sys.unraisablehook, dropped
    before = {signal.SIGTERM: signal.signal(signal.SIGTERM, raising(Terminated))}
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not ignored, as behind a shell's &
        before[signal.SIGINT] = signal.signal(signal.SIGINT, raising(KeyboardInterrupt))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        sys.unraisablehook = hook
