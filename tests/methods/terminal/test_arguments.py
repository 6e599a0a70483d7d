"""Numbers in plain digits, and no option twice with two values."""

import argparse

import pytest

from methods.terminal.arguments import Parser, by_option


def parser() -> Parser:
    top = Parser(prog="x")
    sub = top.add_subparsers(dest="command", required=True).add_parser("y")
    sub.add_argument("--whole", type=int)
    sub.add_argument("--number", type=float, default=1.0)
    sub.add_argument("--many", type=int, nargs="+")
    sub.add_argument("--each", type=int, action="append")
    sub.add_argument("--text", "-t")
    sub.add_argument("--on", action=argparse.BooleanOptionalAction, default=None)
    sub.add_argument("words", nargs="*")
    return top


@pytest.mark.parametrize(
    "given", [("--whole", "1.0"), *((option, text) for text in ("١", "1_0", " 1", "1 ", "x", "", "²")
                                    for option in ("--whole", "--number", "--many", "--each"))]
)  # fmt: skip
def test_a_number_is_one_in_plain_digits(given, capsys):
    with pytest.raises(SystemExit) as stopped:
        parser().parse_args(["y", *given])
    assert stopped.value.code == 2
    assert f"argument {given[0]}: {given[1]!r} is not a " in capsys.readouterr().err


def test_numbers_are_read():
    args = parser().parse_args(["y", "--whole", "-012", "--number", "1e-5", "--many", "1", "+2", "--each=3"])
    assert (args.whole, args.number, args.many, args.each) == (-12, 1e-5, [1, 2], [3])


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["--number", "1", "--number", "2"], "argument --number: given as 1.0 and as 2.0; give it once"),
        (["--numb=1", "w", "--number", "2"], "argument --number: given as 1.0 and as 2.0"),
        (["-t", "a", "--text", "b"], "argument --text/-t: given as a and as b"),
        (["--many", "1", "2", "--many", "1"], "argument --many: given as 1 2 and as 1"),
        (["--on", "--no-on"], "argument --on/--no-on: given as --on and as --no-on"),
    ],
)
@pytest.mark.parametrize("mixed", [False, True])
def test_an_option_with_two_values_is_refused(given, told, mixed, capsys):
    top = parser()._subparsers._group_actions[0].choices["y"] if mixed else parser()
    with pytest.raises(SystemExit) as stopped:
        top.parse_intermixed_args(given) if mixed else top.parse_args(["y", *given])
    assert stopped.value.code == 2
    assert told in capsys.readouterr().err


def test_an_option_with_one_value_may_be_repeated():
    one = parser()
    again = ["--number", "1", "--number", "1.0", "--each", "1", "--each", "2", "--no-on", "--no-on", "a", "b"]
    for _ in range(2):  # a parser remembers nothing
        args = one.parse_args(["y", *again])
        assert (args.number, args.each, args.on, args.words) == (1.0, [1, 2], False, ["a", "b"])
    assert one.parse_args(["y", "--number", "2", "c"]).number == 2.0


def test_an_error_names_the_option_where_bounds_name_a_letter():
    names = {"L": "L", "L_max": "L-max", "p": "participation"}
    told = "recipe: L_max = 2 and p = 0.5, not K = 3, n^p = 4 or Lp = 5; L = "
    assert by_option(told, names) == (
        "recipe: --L-max 2 and --participation 0.5, not K = 3, n^p = 4 or Lp = 5; L = "
    )
    assert by_option(told, {}) == told


def test_a_subcommand_tells_by_itself_of_what_it_does_not_know(capsys):
    parser = Parser(prog="x")
    parser.add_subparsers().add_parser("sub").add_argument("--budget", type=int)
    with pytest.raises(SystemExit):
        parser.parse_args(["sub", "--budget", "1", "--bugdet=2", "3"])
    usage, error = capsys.readouterr().err.splitlines()
    assert usage == "usage: x sub [-h] [--budget BUDGET]"
    assert error == "x sub: error: unrecognized arguments: --bugdet=2 3; near: --budget"
