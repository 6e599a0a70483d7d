"""How a command ends: encodings, readers that go away, full disks, SIGTERM, and what becomes of its workers."""

import importlib
import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from methods.terminal.console import Terminated, command, line, near
from methods.terminal.output import write_json
from methods.terminal.processes import each

EPSILON = ["-m", "verify", "epsilon", "--sigma", "5", "--rounds", "10"]
EXAMPLE = ["-m", "toy_problems", "example1"]
WORKERS = """
import time
from methods.terminal.console import command, interrupted
from methods.terminal.processes import each

@command
def main(arguments=None):
    try:
        for index, _ in each(time.sleep, [(0,), (0,), (600,), (600,)], 2):
            print("started", flush=True)
    except KeyboardInterrupt as stopped:
        return interrupted(stopped)
    return 0

raise SystemExit(main())
"""


def ran(arguments: list[str], **rest) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, *arguments], stderr=subprocess.PIPE, timeout=120, check=False, **rest
    )


@pytest.mark.parametrize(
    "arguments",
    [
        EPSILON,
        ["-m", "report", "--help"],
        *(
            pytest.param(a, marks=pytest.mark.slow)
            for a in ([*EPSILON, "--json", "-"], ["-m", "verify", "--help"], EXAMPLE)
        ),
    ],
)
def test_a_reader_that_goes_away_ends_a_command_without_a_word(arguments):
    reader, writer = os.pipe()
    os.close(reader)
    done = ran(arguments, stdout=writer)
    os.close(writer)
    assert done.stderr == b""
    assert done.returncode == 141 or (
        done.returncode == 0 and "--help" in arguments
    )  # newer argparse forgives


@pytest.mark.parametrize(
    "arguments",
    [
        [*EPSILON, "--json", "-"],
        ["-m", "verify", "recipe", "--help"],
        *(pytest.param(a, marks=pytest.mark.slow) for a in (EPSILON, EXAMPLE)),
    ],
)
def test_an_encoding_that_lacks_greek_is_no_error(arguments):
    done = ran(arguments, stdout=subprocess.PIPE, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stderr) == (0, b"")
    if "-" in arguments:
        assert json.loads(done.stdout.decode("utf-8"))["sigma"] == 5
    else:
        done.stdout.decode("ascii")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_behind_the_output_is_one_line():
    with Path("/dev/full").open("wb") as full:
        done = ran(EPSILON, stdout=full)
    assert done.returncode == 2
    assert done.stderr.decode() == "error: the output cannot be written (No space left on device)\n"


@pytest.mark.parametrize("arguments", [EPSILON, [*EPSILON, "--json", "-"]], ids=["text", "json"])
def test_an_answer_without_a_standard_output_is_one_line(arguments):
    done = ran(arguments, preexec_fn=lambda: os.close(1))
    assert done.returncode == 2
    assert done.stderr.decode() == "error: the output cannot be written (Bad file descriptor)\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("wrong", [["-m", "verify", "epsilon", "--rounds", "0", "--sigma", "1"], ["-m", "report", "--only", "xx"],
                                   ["-m", "gpu_benchmarks", "status", "/nonexist"]])  # fmt: skip
def test_bad_input_is_2_where_not_even_the_error_can_be_told(wrong):
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([sys.executable, *wrong], stderr=full, timeout=120, check=False)
    assert done.returncode == 2


def test_a_limit_on_files_is_as_a_full_disk(tmp_path):
    def limited():
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    with (tmp_path / "out").open("w") as out:
        done = ran(EPSILON, stdout=out, preexec_fn=limited)
    assert done.returncode == 2
    assert done.stderr == b"error: the output cannot be written (File too large)\n"


def test_a_command_that_says_nothing_needs_no_standard_output():
    code = "from methods.terminal.console import command; raise SystemExit(command(lambda arguments: 0)([]))"
    assert ran(["-c", code], preexec_fn=lambda: os.close(1)).returncode == 0


@pytest.mark.parametrize("room", ["verify", "toy_problems", "gpu_benchmarks", "report"])
def test_two_dashes_as_a_value_are_refused(room, capsys):
    """argparse makes an empty list of them, which is no value of any option."""
    main = importlib.import_module(f"{room}.__main__").main
    assert main(["any", "--option=--"]) == 2
    assert capsys.readouterr() == ("", "error: --option=--: -- is no value\n")


@pytest.mark.parametrize(
    ("argument", "told"),
    [
        ("--reading=a\nb", "'--reading=a\\nb': a control character"),
        ("a\0b", "'a\\x00b': a control character"),
        ("--rounds=" + "9" * 5_000, "9…: 5009 characters in an argument; at most 4096"),
    ],
    ids=["newline", "nul", "long"],
)
def test_an_argument_that_would_break_the_line_of_an_error_is_refused(argument, told, capsys):
    assert command(lambda arguments: 0)([argument]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert told in err
    assert len(err) < 200
    assert err.count("\n") == 1


def test_two_dashes_inside_a_value_are_no_mistake():
    given = ["--reading=a--", "--", "--reading=---", "a=--"]
    assert command(lambda arguments: 0 if arguments == given else 1)(given) == 0


def children(parent: int) -> set[int]:
    listed = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    return {int(pid) for pid, of in map(str.split, listed.splitlines()) if int(of) == parent}


def alive(process: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


STARTING = """
import os, signal
from multiprocessing import resource_tracker, util
resource_tracker.ensure_running()  # is no worker
started = util.spawnv_passfds

def interrupted_after(*arguments):
    child = started(*arguments)
    os.kill(os.getpid(), signal.SIGNUMBER)
    return child

util.spawnv_passfds = interrupted_after
"""


@pytest.mark.skipif(sys.platform != "linux", reason="starts processes as Linux does")
@pytest.mark.parametrize(("name", "status"), [("SIGTERM", 143), ("SIGINT", 130)])
def test_an_interrupt_while_workers_are_started_is_no_traceback(name, status):
    code = STARTING.replace("SIGNUMBER", name) + WORKERS
    done = ran(
        ["-c", code], stdout=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip
    assert done.stderr.decode() == ""
    assert done.returncode == status


def test_a_terminal_that_sends_ctrl_c_to_all_is_heard_by_the_command_alone():
    """Workers have it blocked from their first moment, the command only while it starts them."""
    masks = dict(each(signal.pthread_sigmask, [(signal.SIG_BLOCK, ())] * 2, 2))
    assert all(signal.SIGINT in mask for mask in masks.values())
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGKILL, -9)]
)
def test_no_worker_outlives_a_command_that_is_ended(number, status):
    process = subprocess.Popen(
        [sys.executable, "-c", WORKERS], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # a shell's background ignores it
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == b"started\n"
    assert process.stdout.readline() == b"started\n"
    workers = children(process.pid)
    assert len(workers) >= 2
    process.send_signal(number)
    assert process.wait(30) == status
    deadline = time.monotonic() + 10
    while any(map(alive, workers)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not [worker for worker in workers if alive(worker)]
    process.communicate()


def wrapped(stopped: BaseException) -> RuntimeError:
    """As Python 3.11 has it where `__set_name__` is called."""
    error = RuntimeError("Error calling __set_name__")
    error.__cause__ = stopped
    return error


@pytest.mark.parametrize(
    "error", [KeyboardInterrupt(), wrapped(KeyboardInterrupt())], ids=["bare", "wrapped"]
)
@pytest.mark.parametrize(
    ("start", "read"),
    [(f"{room}.__main__", f"{room}.cli") for room in ("verify", "toy_problems", "gpu_benchmarks", "report")]
    + [("report.normec", "methods.terminal.console")],
)
def test_an_interrupt_while_modules_are_read_is_no_traceback(start, read, error, monkeypatch):
    main = importlib.import_module(start).main

    class Interrupted:
        def find_spec(self, name, path=None, target=None):
            if name == read:
                raise error

    monkeypatch.setattr(sys, "meta_path", [Interrupted(), *sys.meta_path])
    monkeypatch.delitem(sys.modules, read, raising=False)
    monkeypatch.delattr(read, raising=False)
    assert main(["--help"]) == 130


def test_an_error_is_one_line_whatever_value_it_holds():
    assert line("seed = 3 is\nnot “allowed”: ε > 0") == "seed = 3 is\\nnot “allowed”: ε > 0"
    long = line(f"seed = {'9' * 4_000} is not allowed; give a smaller one")
    assert long.startswith("seed = 999")
    assert long.endswith("is not allowed; give a smaller one")
    assert len(long) < 250
    path = f"/{'/'.join(['folder'] * 40)}: is a folder"
    assert line(path) == path


def test_an_error_about_a_long_list_is_cut_in_its_middle():
    told = line(f"record.json: schema {[1] * 100_000} is not 1; convert it or run again")
    assert told.startswith("record.json: schema [1, 1")
    assert told.endswith("is not 1; convert it or run again")
    assert len(told) < 4000


@pytest.mark.parametrize(("stopped", "code"), [(KeyboardInterrupt(), 130), (Terminated(), 143)])
def test_an_interrupt_while_a_command_reads_modules_is_no_traceback(stopped, code):
    def main(arguments):
        raise wrapped(stopped)

    assert command(main)([]) == code


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_worker_that_is_killed_is_one_line_and_2(capsys):
    def main(arguments):
        return len(list(each(_die, [()], 1)))

    assert command(main)([]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("error: a worker process was killed from outside")
    assert err.endswith("run again with fewer --jobs\n")
    assert err.count("\n") == 1


@pytest.mark.parametrize("name", ["COLUMNS", "LINES"])
@pytest.mark.parametrize("value", ["0", "-3", "²", "٣", "", "x", "9" * 5_000])
def test_a_size_that_no_terminal_has_is_as_if_not_set(name, value, monkeypatch):
    monkeypatch.setenv(name, value)
    assert command(lambda arguments: int(name in os.environ))([]) == 0
    monkeypatch.setenv(name, "080")
    assert command(lambda arguments: int(os.environ[name]))([]) == 80


def test_other_errors_are_not_hidden():
    def main(arguments):
        raise wrapped(ValueError("a defect"))

    with pytest.raises(RuntimeError):
        command(main)([])


def test_json_is_strict_or_not_written(tmp_path):
    with pytest.raises(ValueError, match="JSON"):
        write_json(tmp_path / "x.json", {"a": float("inf")})
    assert list(tmp_path.iterdir()) == []
    write_json(tmp_path / "x.json", {"ε": 1})
    assert (tmp_path / "x.json").read_text("utf-8") == '{\n "ε": 1\n}\n'


def test_a_name_that_is_nearly_known_is_suggested():
    assert near("nec-t1", ["NEC-T1", "DAS-DEF2"]) == "; near: NEC-T1"
    assert near("???", ["NEC-T1"]) == ""
    assert near("", ["NEC-T1"]) == ""


def test_names_that_begin_with_what_was_typed_are_suggested_first_and_statements_before_steps_and_readings():
    known = [
        "A-T1-S1",
        "A-T1-MAIN@x",
        "A-T1-S1@x",
        "A-T1-MAIN-S2",
        "A-T1-SAME-AS",
        "A-T1-MAIN",
        "A-T1-APP",
        "A-T2",
        "A-T1b",
    ]
    assert near("a-t1", known) == "; near: A-T1b, A-T1-MAIN, A-T1-APP"
    assert near("A-T1-SAME", known).startswith("; near: A-T1-SAME-AS, A-T1-")
    assert near("A-T1-MAIN-", known).startswith("; near: A-T1-MAIN-S2, A-T1-MAIN")
    assert near("A-T3", ["A-T2", "B-X"]) == "; near: A-T2"


DROPPED = """
import os, signal, sys, time
from methods.terminal.console import command, interrupted

class Held:
    def __del__(self):
        os.kill(os.getpid(), signal.{name})
        time.sleep(0.2)  # the interrupt is raised here, where Python drops it

class HalfMade:
    def __del__(self):
        self.nothing

@command
def main(arguments=None):
    half = HalfMade()
    try:
        held = Held()
        del held
        time.sleep(60)
    except KeyboardInterrupt as stopped:
        del half
        return interrupted(stopped)
    return 0

raise SystemExit(main())
"""


@pytest.mark.parametrize(("name", "status"), [("SIGTERM", 143), ("SIGINT", 130)])
def test_an_interrupt_that_falls_into_a_destructor_is_not_lost(name, status):
    start = time.monotonic()
    done = ran(
        ["-c", DROPPED.format(name=name)],
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert (done.returncode, done.stderr) == (status, b"")
    assert time.monotonic() - start < 30


def test_other_errors_of_a_destructor_are_told():
    program = DROPPED.replace("held = Held()\n        del held\n        time.sleep(60)", "del half")
    done = ran(["-c", program.format(name="SIGINT")])
    assert done.returncode == 0
    assert b"'HalfMade' object has no attribute 'nothing'" in done.stderr
