"""`python -m verify`: decide the claims of the papers; `epsilon` and `recipe`: calculators from what was proved; `textbook`: what
the proofs take for granted, tried."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence

from methods.terminal.arguments import Parser
from methods.terminal.console import command, command_of, near

COMMANDS = {"epsilon": "verify.privacy.cli", "recipe": "verify.recipe", "textbook": "verify.textbook.cli"}


@command
def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0; 1 where a claim's evidence or a textbook result does not stand, or with --strict where a claim is not proved; 2 for
    bad input.

    A calculator does not wait for the claims."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given[:1] and given[0] in COMMANDS:
        chosen = importlib.import_module(COMMANDS[given[0]])
        parser = Parser(prog=f"{command_of('verify')} {given[0]}")
        chosen.add_arguments(parser)
        return chosen.run(parser.parse_args(given[1:]))
    if given[:1] and not given[0].startswith("-"):
        print(
            f"error: {given[0]!r} is no command{near(given[0], COMMANDS)}; they are {', '.join(COMMANDS)}, "
            "and a claim is named by --claim ID",
            file=sys.stderr,
        )
        return 2
    return importlib.import_module("verify.decide").run(given)
