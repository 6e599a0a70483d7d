"""`python -m report`."""

from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Imports the command when it is called, so that Ctrl-C in the first second ends like any other."""
    try:
        from report import cli
    except BaseException as error:  # Python 3.11 wraps what is raised while it makes a class
        if isinstance(error, KeyboardInterrupt) or isinstance(error.__cause__, KeyboardInterrupt):
            return 130
        raise
    return cli.main(arguments)


if __name__ == "__main__":
    raise SystemExit(main())
