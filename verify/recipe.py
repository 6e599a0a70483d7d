"""`python -m verify recipe`: parameters that a proved bound allows, what it then promises, and the claim that proves it."""

from __future__ import annotations

import argparse
import math
import shutil
import sys
import textwrap
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, get_args

from bounds.alpha_normec import recipe as alpha_normec
from bounds.dp_normfedavg import recipe as dp_normfedavg
from bounds.fed_alpha_normec import recipe as fed_alpha_normec
from bounds.privacy import Setting, noise
from bounds.privacy.enclosure import rounded
from bounds.privacy.setting import MOST
from bounds.scalars import short
from methods.terminal.answer import answered
from methods.terminal.console import command_of
from methods.terminal.output import add_json

DESCRIPTION = """\
Parameters for which a bound is proved, chosen to make that bound as small as it can be made. With --epsilon the
noise is what (ε, δ) needs where every message is seen (dp-normfedavg: the sum of a round) and all data of a client
may be replaced, and the numbers given have to be chosen without the data: step sizes are computed from them, and seen.
All numbers are in your units of f and x. The answer names the start that the bound needs."""

EXAMPLES = """\
examples:
  {verify} recipe alpha-normec --f-gap 1 --L 1 --K 10000 --clients 100
  {verify} recipe alpha-normec --f-gap 1 --L 1 --K 1000 --clients 1000 --epsilon 8 --dimension 100
  {verify} recipe fed-alpha-normec --f-gap 1 --L 1 --K 10000 --clients 100 --participation 0.25 --local-steps 4
  {verify} recipe dp-normfedavg --L 1 --G 1 --distance 1 --clients 1000 --dimension 100 --epsilon 8"""

METHODS = {
    "alpha-normec": "α-NormEC: smooth functions, every client in every round",
    "fed-alpha-normec": "Fed-α-NormEC: smooth functions, clients that take part at random, local steps",
    "dp-normfedavg": "DP-FedAvg with clipping or normalised updates: convex, smooth and Lipschitz functions",
}
DELTA = 1e-5
USEFUL = {True: "yes", False: "no: it says no more than what is known at the start"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """One subcommand for each method; all take --json."""
    parser.description, parser.epilog = DESCRIPTION, EXAMPLES.format(verify=command_of("verify"))
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    methods = parser.add_subparsers(dest="method", required=True, metavar="METHOD")

    def add(name: str, solve: Callable[[argparse.Namespace], dict[str, Any]]) -> argparse.ArgumentParser:
        sub = methods.add_parser(name, help=METHODS[name], description=METHODS[name] + ".")
        sub.set_defaults(solve=solve)
        sub.add_argument("--L", type=float, required=True, metavar="L", help="smoothness, f/x², > 0")
        sub.add_argument("--clients", type=int, required=True, metavar="N", help="number of clients, ≥ 1")
        sub.add_argument(
            "--delta", type=float, metavar="δ", help="in (0, 1), read with --epsilon; default 1e-5"
        )
        add_json(sub, "the answer")
        return sub

    for name, solve in (("alpha-normec", _alpha_normec), ("fed-alpha-normec", _fed_alpha_normec)):
        sub = add(name, solve)
        sub.add_argument(
            "--f-gap", type=float, required=True, metavar="F", help="f(x⁰) − f^inf or more, f, > 0"
        )
        sub.add_argument("--K", type=int, required=True, metavar="K", help="K + 1 iterations are made, K ≥ 0")
        sub.add_argument("--epsilon", type=float, metavar="ε", help="> 0; default: no noise")
        sub.add_argument("--dimension", type=int, metavar="d", help="≥ 1, needed with --epsilon")
    nec, fed = methods.choices["alpha-normec"], methods.choices["fed-alpha-normec"]
    nec.add_argument(
        "--L-max", type=float, metavar="L", help="largest smoothness of a client, > 0; default L"
    )
    for method, what in ((nec, "‖∇f_i(x⁰) − g_i⁰‖"), (fed, "‖(x⁰ − T_i(x⁰))/γ − v_i⁰‖")):
        method.add_argument("--least-R", type=float, default=0.0, metavar="R",
                            help=f"f/x: what max_i {what} cannot be brought below (zero memories: the largest such "
                            "gradient), ≥ 0; default 0")  # fmt: skip
    nec.add_argument(
        "--largest", type=float, default=100.0, metavar="U", help="limit on α/R and β/R, ≥ 1; default 100"
    )
    fed.add_argument("--participation", type=float, default=1.0, metavar="p", help="in (0, 1]; default 1")
    fed.add_argument("--local-steps", type=int, metavar="T", help="≥ 1, of gradient steps; default 1")
    fed.add_argument("--local-work", choices=get_args(fed_alpha_normec.LocalWork), default="gradient",
                     help="T gradient steps, or one pass of incremental gradient; default gradient")  # fmt: skip
    fed.add_argument("--Delta", type=float, metavar="Δ",
                     help="Δ^inf or more, f, ≥ 0, read with several local steps; default 0")  # fmt: skip
    fed.add_argument("--Delta-local", type=float, metavar="Δ",
                     help="mean of Δ_i^inf or more, f, ≥ 0, read with incremental gradient; default 0")  # fmt: skip
    das = add("dp-normfedavg", _dp_normfedavg)
    das.add_argument(
        "--G", type=float, required=True, metavar="G", help="Lipschitz constant of every f_i, f/x, > 0"
    )
    das.add_argument("--distance", type=float, required=True, metavar="D", help="‖w₀ − w*‖ or more, x, > 0")
    das.add_argument("--dimension", type=int, required=True, metavar="d", help="≥ 1")
    das.add_argument("--epsilon", type=float, required=True, metavar="ε", help="> 0")
    das.add_argument("--update", choices=get_args(dp_normfedavg.Method), default="clipping",
                     help="what bounds a client's update; default clipping")  # fmt: skip
    das.add_argument("--E", type=int, default=1, metavar="E", help="local steps, ≥ 1; default 1")
    das.add_argument(
        "--K",
        type=int,
        metavar="K",
        help="rounds, ≥ 1; default: the fewest that come within 5%% of the limit",
    )
    das.add_argument(
        "--Delta", type=float, default=0.0, metavar="Δ", help="mean of f_i(w*) − min f_i, f, ≥ 0; default 0"
    )


def run(arguments: argparse.Namespace) -> int:
    """Exit code 0; 2 for bad input or where nothing is proved, with one line on standard error."""
    return answered(arguments, _solved, _print, FLAGS)


FLAGS = {
    "f(x⁰) − f^inf": "f-gap", "f_gap": "f-gap", "L": "L", "L_max": "L-max", "K": "K", "n": "clients", "M": "clients",
    "clients": "clients", "R": "least-R", "least_R": "least-R", "largest": "largest", "p": "participation", "T": "local-steps",
    "Δ^inf": "Delta", "(1/M) Σ Δ_i^inf": "Delta-local", "Delta": "Delta", "Delta_local": "Delta-local", "d": "dimension",
    "E": "E", "G": "G", "‖w₀ − w*‖": "distance", "distance": "distance", "Δ̄*": "Delta", "ε": "epsilon", "δ": "delta",
}  # fmt: skip
"""The option that sets a number, by what errors of `bounds` call it."""


def _solved(given: argparse.Namespace) -> dict[str, Any]:
    try:
        return given.solve(given)
    except ValueError as error:
        raise ValueError(str(error).removeprefix("recipe: ")) from error


def _alpha_normec(given: argparse.Namespace) -> dict[str, Any]:
    sigma, V = _noise(given, 1.0)
    found = alpha_normec.recipe(
        f_gap=given.f_gap, L=given.L, K=given.K, n=given.clients, L_max=given.L_max, V=V, least_R=given.least_R,
        largest=given.largest,
    )  # fmt: skip
    start = f"every ‖∇f_i(x⁰) − g_i⁰‖ ≤ R = {found.R!r}, and the server knows the mean of the g_i⁰"
    return _answer(given, found, "min over k of E‖∇f(xᵏ)‖", start + (SENT if sigma else ""), sigma)


def _fed_alpha_normec(given: argparse.Namespace) -> dict[str, Any]:
    incremental = given.local_work == "incremental"
    if incremental:
        _unread(given, "with --local-work incremental a pass is as long as the data", "local_steps")
    else:
        _unread(given, "nothing depends on it with --local-work gradient", "Delta_local")
        if given.local_steps in (None, 1):
            _unread(given, "nothing depends on it with one local step", "Delta")
    sigma, V = _noise(given, given.participation)
    found = fed_alpha_normec.recipe(
        f_gap=given.f_gap, L=given.L, M=given.clients, K=given.K, p=given.participation, V=V, T=_or(given.local_steps, 1),
        Delta=_or(given.Delta, 0.0), Delta_local=_or(given.Delta_local, 0.0), local_work=given.local_work,
        least_R=given.least_R,
    )  # fmt: skip
    start = (
        f"every ‖(x⁰ − T_i(x⁰))/γ − v_i⁰‖ ≤ R = {found.R!r}, T_i(x⁰) being what client i's local steps make of x⁰, "
        "and the server knows the mean of the v_i⁰"
    )
    return _answer(given, found, "min over k of E‖∇f(xᵏ)‖", start + (SENT if sigma else ""), sigma)


def _dp_normfedavg(given: argparse.Namespace) -> dict[str, Any]:
    found = dp_normfedavg.recipe(
        given.update, L=given.L, G=given.G, distance=given.distance, n=given.clients, d=given.dimension,
        epsilon=given.epsilon, delta=_or(given.delta, DELTA), E=given.E, K=given.K, Delta=given.Delta,
    )  # fmt: skip
    return _answer(given, found, "E[f(w_k̃) − f(w*)]", f"‖w₀ − w*‖ ≤ {given.distance!r}", None)


SENT = "; sending that mean is not covered by the noise (zeros need not be sent)"
SEEN = {
    "alpha-normec": ("every message and its sender", "x⁰ and the g_i⁰"),
    "fed-alpha-normec": ("every message and its sender", "x⁰ and the v_i⁰"),
    "dp-normfedavg": ("the sum of each round alone, every client taking part in every round", "w₀"),
}
"""Who may see what, and what else has to be chosen without the data (NEC-C2-DP@step-size, @initial-memory)."""


def _or(value: Any, default: Any) -> Any:
    return default if value is None else value


def _unread(given: argparse.Namespace, why: str, *options: str) -> None:
    """Raises `ValueError` for an option that was given and would change nothing."""
    for option in options:
        if (value := getattr(given, option)) is not None:
            raise ValueError(f"--{option.replace('_', '-')} {value}: {why}; leave it out")


def _noise(given: argparse.Namespace, participation: float) -> tuple[float | None, float]:
    """Standard deviation per coordinate of a client's noise, for messages of norm at most 1, and E‖z‖² of the noise."""
    if not 0 <= given.K < MOST:
        raise ValueError(f"--K {short(given.K)} is outside its domain: an integer >= 0, and below 2^53")
    if given.epsilon is None:
        _unread(given, "nothing depends on it without --epsilon", "delta", "dimension")
        return None, 0.0
    d = given.dimension
    if d is None:
        raise ValueError("--epsilon needs --dimension d: the noise of all d coordinates counts")
    if d < 1:
        raise ValueError(f"--dimension {short(d)} is outside its domain: an integer >= 1")
    setting = Setting("messages", "replace-one", given.K + 1, participation, given.clients)
    sigma = noise(setting, given.epsilon, _or(given.delta, DELTA))
    return sigma, sigma**2 * d


def _code(given: argparse.Namespace, found: Any, sigma: float | None) -> str:
    """The method with these parameters, as an expression of Python; its `sigma` of DP-NormFedAvg is the noise in the mean."""
    numbers: dict[str, Any]
    if isinstance(found, dp_normfedavg.Recipe):
        name = "dp_fedavg_clip" if found.method == "clipping" else "dp_normfedavg"
        numbers = {letter: getattr(found, letter) for letter in ("eta", "beta", "C", "E")}
        numbers["sigma"] = found.mean_noise
    elif isinstance(found, fed_alpha_normec.Recipe):
        name = "fed_alpha_normec"
        numbers = {letter: getattr(found, letter) for letter in ("eta", "gamma", "beta", "alpha")}
        numbers["p"] = given.participation
        numbers |= {"T": given.local_steps} if given.local_steps else {}
    else:
        name = "alpha_normec" if sigma is None else "dp_alpha_normec"
        numbers = {letter: getattr(found, letter) for letter in ("gamma", "beta", "alpha")}
    if sigma is not None:
        numbers["std"] = sigma
    listed = [f"{letter}={value!r}" for letter, value in numbers.items()]
    if getattr(given, "local_work", "") == "incremental":
        listed.append(f"local_work=methods.local_work.CyclicIncremental({numbers['gamma']!r})")
    return f"methods.published.{name}({', '.join(listed)})"


NOT_ASKED = ("method", "solve", "json")


def _answer(
    given: argparse.Namespace, found: Any, quantity: str, start: str, sigma: float | None
) -> dict[str, Any]:
    """Plain data, with what was asked. Raises `ArithmeticError` where a number of it is not finite."""
    fields = asdict(found)
    promised = {name: fields.pop(name) for name in ("theorem", "bound", "known")}
    if sigma is not None:
        fields["sigma"] = sigma
    numbers = {**fields, "bound": found.bound, "known": found.known}
    for name, value in numbers.items():
        if isinstance(value, float) and not math.isfinite(value):
            raise ArithmeticError(
                f"{name} comes out as {value}: the numbers given are too large or too far apart for floats"
            )
    asked = {
        name: value for name, value in vars(given).items() if name not in NOT_ASKED and value is not None
    }
    private = {}
    if given.epsilon is not None:
        asked["delta"] = _or(given.delta, DELTA)
        seen, chosen = SEEN[given.method]
        private["private"] = (
            f"({asked['epsilon']}, {asked['delta']})-DP where all data of a client may be replaced, towards whoever sees {seen}; "
            f"if the numbers given and {chosen} are chosen without the data, so that the numbers hold for every data set considered"
        )
    return {
        "given": asked,
        "parameters": fields,
        "code": _code(given, found, sigma),
        "start": start,
        **private,
        "quantity": quantity,
        **promised,
        "useful": bool(found.useful),
        "again": f"{command_of('verify')} --claim {promised['theorem']}",
    }


NAMES = {"alpha": "α", "beta": "β", "gamma": "γ", "eta": "η", "rho": "ρ", "V": "E‖z_i‖²", "method": "update",
         "sigma": "σ of each client's message, per coordinate", "client_noise": "noise of each client, per coordinate",
         "sum_noise": "  in the sum of a round",
         "mean_noise": "  in the mean of a round"}  # fmt: skip


def _print(answer: dict[str, Any]) -> None:
    asked = (f"--{name.replace('_', '-')} {value}" for name, value in answer["given"].items())
    rows = [("for", " ".join(asked))]
    rows += [(NAMES.get(name, name), value) for name, value in answer["parameters"].items()]
    rows += [
        ("in code", answer["code"]),
        ("start", answer["start"]),
        *((name, answer[name]) for name in ("private",) if name in answer),
        (answer["quantity"], f"at most {rounded(answer['bound'], 1)}"),
        ("known at the start", f"at most {rounded(answer['known'], 1)}"),
        ("useful", USEFUL[answer["useful"]]),
        ("proved by", f"{answer['theorem']} ({answer['again']})"),
    ]
    label = max(24, *(len(str(name)) + 2 for name, _ in rows))
    width = max(60, shutil.get_terminal_size().columns) if sys.stdout.isatty() else sys.maxsize
    for name, value in rows:  # floats in full: a limit that is met to 12 digits is not met to 8
        print(
            textwrap.fill(
                str(value), width, initial_indent=f"  {name:<{label}}", subsequent_indent=" " * (label + 2),
                break_long_words=False, break_on_hyphens=False,
            )
        )  # fmt: skip
