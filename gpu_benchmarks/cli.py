"""`python -m gpu_benchmarks train|sweep|queue|table|status|throughput|data|features|linear`.

Every command imports what it needs when it runs, so that `table` and `data` work where torch is not
installed. What the user can mend ends in one line on the error stream and exit status 2; Ctrl-C saves what
is running and ends with 130, and so does the system's request to end (SIGTERM), with 143.
"""

from __future__ import annotations

import argparse
import importlib
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from gpu_benchmarks.errors import InputError
from methods.terminal.arguments import Parser
from methods.terminal.console import command, command_of, interrupted, line, of_output
from methods.terminal.output import Unwritable


@dataclass(frozen=True)
class Command:
    module: str  # has add_arguments(parser) and run(args) -> exit status
    help: str
    goes_on: bool = True  # from where it was interrupted


COMMANDS = {
    "train": Command("gpu_benchmarks.commands.train", "one run of ResNet-20 on CIFAR-10, to a record"),
    "sweep": Command("gpu_benchmarks.commands.sweep", "a queue of runs that may be killed at any instant"),
    "queue": Command(
        "gpu_benchmarks.commands.queue",
        "on a rented GPU: gather the data, run what matters most, in N minutes",
    ),
    "table": Command(
        "gpu_benchmarks.commands.table",
        "every printed number beside ours, with verdict and readings",
        goes_on=False,
    ),
    "status": Command(
        "gpu_benchmarks.commands.status", "what of a sweep is done, running, waiting", goes_on=False
    ),
    "throughput": Command(
        "gpu_benchmarks.throughput", "a federated round timed against plain SGD, a loop, vmap", goes_on=False
    ),
    "data": Command("gpu_benchmarks.data.cli", "fetch or check the data sets"),
    "features": Command(
        "gpu_benchmarks.features.cli",
        "CIFAR's features by a ResNet-18, for Table 2(b) and (c) of DP-NormFedAvg",
    ),
    "linear": Command("gpu_benchmarks.linear.cli", "DP-NormFedAvg's logistic regression (its Table 2)"),
    "fmnist": Command("gpu_benchmarks.linear.cli", "the same as linear, whose default is Fashion-MNIST"),
}


@command
def main(arguments: Sequence[str] | None = None) -> int:
    given = sys.argv[1:] if arguments is None else list(arguments)
    try:
        args = _parse(given)
        return args.run(args)
    except (InputError, Unwritable) as error:
        for one in error.args:  # not by the ends of lines, for a message may hold a path that has some
            print(f"error: {line(one)}", file=sys.stderr)
        return 2
    except (MemoryError, RuntimeError) as error:
        if not _of_memory(error):
            raise
        reason, _, _ = str(error).partition("\n")
        print(
            f"error: memory does not suffice ({reason}); take fewer clients or images at a time",
            file=sys.stderr,
        )
        return 2
    except OSError as error:
        if of_output(error):
            raise
        print(f"error: {line(str(error))}", file=sys.stderr)
        return 2
    except KeyboardInterrupt as stopped:
        known = COMMANDS.get(given[0]) if given else None
        again = "`sweep --resume` with the same --out" if given[:1] == ["sweep"] else "the same command"
        cure = f"; {again} goes on from the last checkpoint, where there is one"
        print(f"interrupted{cure if known and known.goes_on else ''}", file=sys.stderr)
        return interrupted(stopped)


def _of_memory(error: Exception) -> bool:
    """On a CPU torch raises no class of its own."""
    return (
        isinstance(error, MemoryError)
        or "out of memory" in str(error)
        or "can't allocate memory" in str(error)
    )


def _empty(arguments: Sequence[str]) -> Iterator[str]:
    """The arguments that are empty, by what stands before them. No option takes one, and as a path it would be the folder
    that one is in.
    """
    for before, given in pairwise(("", *arguments)):
        if not given:
            yield f"{before} ''".lstrip()
        elif re.fullmatch("--[^=]+=", given):
            yield given


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The arguments of one command. Words and options may come in any order (argparse alone takes all words of a kind
    from one place).
    """
    prog = command_of("gpu_benchmarks")
    if empty := next(_empty(arguments), None):
        raise InputError(f"{empty}: the value given is empty; name one, or leave it out")
    if not arguments or arguments[0] not in COMMANDS:
        parser = Parser(
            prog=prog, description="The papers' experiments: training, sweeps, tables, throughput."
        )
        commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
        for name, known in COMMANDS.items():
            commands.add_parser(name, help=known.help)
        return parser.parse_args(arguments)  # ends with the help or an error
    name, *rest = arguments
    chosen = COMMANDS[name]
    parser = Parser(prog=f"{prog} {name}", description=chosen.help)
    try:
        module = importlib.import_module(chosen.module)
    except ModuleNotFoundError as missing:
        raise InputError(
            f"{name} needs the package {missing.name}, which is not installed; "
            "`pip install normec[gpu]` brings it, without a network its wheel does"
        ) from None
    module.add_arguments(parser)
    parser.set_defaults(run=module.run)
    if {"-h", "--help"} & set(rest):  # while arguments are intermixed the help knows no defaults
        return parser.parse_args(rest)
    return parser.parse_intermixed_args(rest)
