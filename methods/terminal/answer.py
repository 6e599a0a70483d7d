"""A command that answers one question: the answer in words, or as JSON with `--json PATH`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from typing import Any

from methods.terminal.arguments import by_option
from methods.terminal.console import said
from methods.terminal.output import STDOUT, check_writable, write_json


def answered(
    arguments: argparse.Namespace,
    solve: Callable[[argparse.Namespace], dict[str, Any]],
    show: Callable[[dict[str, Any]], None],
    options: Mapping[str, str],
) -> int:
    """Exit code 0; 2 for bad input or where there is no answer, with one line on standard error.

    solve: the answer as plain data; raises `ValueError` or `ArithmeticError`. show: prints it.
    options: by what errors call the numbers that they set.
    """
    try:
        if arguments.json is not None:
            check_writable(arguments.json)
        answer = solve(arguments)
        if arguments.json is not None:
            write_json(arguments.json, answer)
    except (ValueError, ArithmeticError, MemoryError) as error:
        print(f"error: {by_option(said(error), options)}", file=sys.stderr)
        return 2
    if arguments.json != STDOUT:
        show(answer)
    return 0
