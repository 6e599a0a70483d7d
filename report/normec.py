"""The console script `normec`: the four commands under one name.

A command's package is imported only when it is called, so that `normec verify` works where torch is not
installed.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence

COMMANDS = {
    "verify": "decide the statements of the papers",
    "toy_problems": "problems with exact constants: figures, rates, the falsifier",
    "gpu_benchmarks": "the experiments: data, training, sweeps, tables, throughput",
    "report": "everything above as one PDF",
}
USAGE = "usage: normec COMMAND [ARGUMENTS]\n\n" + "".join(
    f"  {name:<16}{text}\n" for name, text in COMMANDS.items()
)


def main(argv: Sequence[str] | None = None) -> int:
    """Imports what it needs when it is called, so that Ctrl-C in the first second ends like any other."""
    try:
        from methods.terminal.console import command
    except BaseException as error:  # Python 3.11 wraps what is raised while it makes a class
        if isinstance(error, KeyboardInterrupt) or isinstance(error.__cause__, KeyboardInterrupt):
            return 130
        raise
    return command(_hand_over)(argv)


def _hand_over(argv: Sequence[str] | None = None) -> int:
    """Give the arguments after the command to that package's `__main__.main`; 2 for an unknown command."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if not arguments or arguments[0] in ("-h", "--help"):
        print(USAGE + "\nnormec COMMAND --help says more.", file=sys.stdout if arguments else sys.stderr)
        return 0 if arguments else 2
    if arguments[0] in ("-V", "--version"):
        from importlib import metadata

        print(f"normec {metadata.version('normec')}")
        return 0
    command, *rest = arguments
    if command not in COMMANDS:
        from methods.terminal.console import near

        told = f"unknown command {command!r}{near(command, COMMANDS)}; known: {', '.join(COMMANDS)}"
        print(f"normec: {told}", file=sys.stderr)
        return 2
    return int(importlib.import_module(f"{command}.__main__").main(rest) or 0)


if __name__ == "__main__":
    sys.exit(main())
