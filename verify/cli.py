"""`python -m verify`: decide the claims of the papers; `epsilon` and `recipe`: calculators from what was proved."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence

from methods.console import command, near

CALCULATORS = {"epsilon": "verify.privacy.cli", "recipe": "verify.recipe"}


@command
def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0; 1 where a claim's evidence does not stand, or with --strict where one is not proved; 2 for bad input.

    A calculator does not wait for the claims."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given[:1] and given[0] in CALCULATORS:
        calculator = importlib.import_module(CALCULATORS[given[0]])
        parser = argparse.ArgumentParser(prog=f"python -m verify {given[0]}")
        calculator.add_arguments(parser)
        return calculator.run(parser.parse_args(given[1:]))
    if given[:1] and not given[0].startswith("-"):
        print(
            f"error: {given[0]!r} is no calculator{near(given[0], CALCULATORS)}; they are {', '.join(CALCULATORS)}, "
            "and a claim is named by --claim ID",
            file=sys.stderr,
        )
        return 2
    return importlib.import_module("verify.decide").run(given)
