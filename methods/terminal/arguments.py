"""The arguments of every command: numbers in plain digits, and no option twice with two values."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from methods.terminal.console import near


class Parser(argparse.ArgumentParser):
    """A parser whose `type=int` and `type=float` take what a person writes as a number and nothing else that Python does, and
    whose options are refused where they are given again with another value. So are those of its subcommands."""

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        self.register("type", int, whole)
        self.register("type", float, number)
        self.register("action", None, _Once)
        self.register("action", "store", _Once)
        self.register("action", argparse.BooleanOptionalAction, _EitherOnce)

    def error(self, message: str) -> NoReturn:
        """With the options that are nearest to one that is unknown."""
        if unknown := re.match(r"unrecognized arguments: --([\w-]+)", message):
            known = (name[2:] for name in self._option_string_actions if name.startswith("--"))
            message += re.sub("(?<=[:,] )", "--", near(unknown[1], known))
        super().error(message)

    def add_subparsers(self, **options: Any) -> Any:
        return super().add_subparsers(**{"parser_class": _Subcommand, **options})


class _Subcommand(Parser):
    """Tells by itself of arguments that it does not know, with its own usage: argparse leaves that to the command above it."""

    def parse_known_args(self, *given: Any, **named: Any) -> Any:
        found, unknown = super().parse_known_args(*given, **named)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return found, unknown


def whole(text: str) -> int:
    """An integer. Raises `ArgumentTypeError` for what is none, such as 1_0 or digits of another script."""
    return _plain(int, text, "a whole number such as 12")


def number(text: str) -> float:
    """A float, which may be inf or nan: that is for a domain to say. Raises `ArgumentTypeError` for what is none."""
    return _plain(float, text, "a number such as 0.1 or 1e-5")


def by_option(error: str, options: Mapping[str, str]) -> str:
    """An error that names numbers, `NAME = VALUE`, with the options that set them in the place of the names: `--OPTION VALUE`.
    options: by name, without their dashes."""
    if not options:
        return error
    names = "|".join(map(re.escape, sorted(options, key=len, reverse=True)))
    return re.sub(rf"(?<![\w^])({names}) = (?=\S)", lambda found: f"--{options[found[1]]} ", error)


def _plain(kind: Callable[[str], Any], text: str, what: str) -> Any:
    try:
        if text.isascii() and "_" not in text and text == text.strip():
            return kind(text)
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"{text!r} is not {what}")


class _Once(argparse.Action):
    """Store a value. Given again it must be the same."""

    _before: tuple[argparse.Namespace, Any] | None = None

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option_string: str | None = None
    ) -> None:  # fmt: skip
        self.keep(namespace, values, values)

    def keep(self, namespace: argparse.Namespace, value: Any, given: Any) -> None:
        """given: the value as it was written."""
        if self.option_strings and self._before and self._before[0] is namespace and self._before[1] != given:
            raise argparse.ArgumentError(
                self, f"given as {_written(self._before[1])} and as {_written(given)}; give it once"
            )
        self._before = namespace, given
        setattr(namespace, self.dest, value)


class _EitherOnce(argparse.BooleanOptionalAction, _Once):
    """--this or --no-this."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option_string: str | None = None
    ) -> None:  # fmt: skip
        self.keep(namespace, not (option_string or "").startswith("--no-"), option_string)


def _written(value: Any) -> str:
    several = isinstance(value, Sequence) and not isinstance(value, str)
    return " ".join(map(str, value)) if several else str(value)
