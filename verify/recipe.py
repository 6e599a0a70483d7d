"""`python -m verify recipe`: parameters that a proved bound allows, what it then promises, and the claim that proves it."""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, get_args

from bounds.alpha_normec import recipe as alpha_normec
from bounds.dp_normfedavg import recipe as dp_normfedavg
from bounds.fed_alpha_normec import recipe as fed_alpha_normec
from bounds.privacy import Setting, noise
from methods.output import Unwritable, write_whole

DESCRIPTION = """\
Parameters for which a bound is proved, chosen to make that bound as small as it can be made. With --epsilon the
noise is what (ε, δ) needs where every message is seen and all data of a client may be replaced. All numbers are
in your units of f and x."""

EXAMPLES = """\
examples:
  python -m verify recipe alpha-normec --f-gap 1 --L 1 --K 10000 --clients 100
  python -m verify recipe alpha-normec --f-gap 1 --L 1 --K 1000 --clients 1000 --epsilon 8 --dimension 100
  python -m verify recipe fed-alpha-normec --f-gap 1 --L 1 --K 10000 --clients 100 --participation 0.25 --local-steps 4
  python -m verify recipe dp-normfedavg --L 1 --G 1 --distance 1 --clients 1000 --dimension 100 --epsilon 8"""

METHODS = {
    "alpha-normec": "α-NormEC: smooth functions, every client in every round",
    "fed-alpha-normec": "Fed-α-NormEC: smooth functions, clients that take part at random, local steps",
    "dp-normfedavg": "DP-FedAvg with clipping or normalised updates: convex, smooth and Lipschitz functions",
}
USEFUL = {True: "yes", False: "no: it says no more than what is known at the start"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """One subcommand for each method; all take --json."""
    parser.description, parser.epilog = DESCRIPTION, EXAMPLES
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    methods = parser.add_subparsers(dest="method", required=True, metavar="METHOD")

    def add(name: str, solve: Callable[[argparse.Namespace], dict[str, Any]]) -> argparse.ArgumentParser:
        sub = methods.add_parser(name, help=METHODS[name], description=METHODS[name] + ".")
        sub.set_defaults(solve=solve)
        sub.add_argument("--L", type=float, required=True, help="smoothness, > 0")
        sub.add_argument("--clients", type=int, required=True, metavar="N", help="≥ 1")
        sub.add_argument("--delta", type=float, default=1e-5, metavar="δ", help="in (0, 1); default 1e-5")
        sub.add_argument("--json", metavar="PATH", help="write the answer as JSON; - for standard output")
        return sub

    for name, solve in (("alpha-normec", _alpha_normec), ("fed-alpha-normec", _fed_alpha_normec)):
        sub = add(name, solve)
        sub.add_argument("--f-gap", type=float, required=True, help="f(x⁰) − f^inf or more, > 0")
        sub.add_argument("--K", type=int, required=True, help="K + 1 iterations are made, K ≥ 0")
        sub.add_argument("--epsilon", type=float, metavar="ε", help="> 0; default: no noise")
        sub.add_argument(
            "--dimension", type=int, default=1, metavar="d", help="read with --epsilon; default 1"
        )
    nec, fed = methods.choices["alpha-normec"], methods.choices["fed-alpha-normec"]
    nec.add_argument("--L-max", type=float, help="largest smoothness of a client; default L")
    nec.add_argument("--least-R", type=float, default=0.0,
                     help="what max_i ‖∇f_i(x⁰) − g_i⁰‖ cannot be brought below, ≥ 0; default 0")  # fmt: skip
    nec.add_argument("--largest", type=float, default=100.0, help="limit on α/R and β/R, ≥ 1; default 100")
    fed.add_argument("--participation", type=float, default=1.0, metavar="p", help="in (0, 1]; default 1")
    fed.add_argument("--local-steps", type=int, default=1, metavar="T", help="≥ 1; default 1")
    fed.add_argument("--local-work", choices=get_args(fed_alpha_normec.LocalWork), default="gradient",
                     help="T gradient steps, or one pass of incremental gradient; default gradient")  # fmt: skip
    fed.add_argument("--Delta", type=float, default=0.0, help="Δ^inf or more, ≥ 0; default 0")
    fed.add_argument("--Delta-local", type=float, default=0.0, help="mean of Δ_i^inf or more, ≥ 0; default 0")
    das = add("dp-normfedavg", _dp_normfedavg)
    das.add_argument("--G", type=float, required=True, help="Lipschitz constant of every f_i, > 0")
    das.add_argument("--distance", type=float, required=True, help="‖w₀ − w*‖ or more, > 0")
    das.add_argument("--dimension", type=int, required=True, metavar="d", help="≥ 1")
    das.add_argument("--epsilon", type=float, required=True, metavar="ε", help="> 0")
    das.add_argument("--update", choices=get_args(dp_normfedavg.Method), default="clipping",
                     help="what bounds a client's update; default clipping")  # fmt: skip
    das.add_argument("--E", type=int, default=1, help="local steps, ≥ 1; default 1")
    das.add_argument(
        "--K", type=int, help="rounds, ≥ 1; default: the fewest that come within 5%% of the limit"
    )
    das.add_argument("--Delta", type=float, default=0.0, help="mean of f_i(w*) − min f_i, ≥ 0; default 0")


def run(arguments: argparse.Namespace) -> int:
    """Exit code 0; 2 for bad input or where nothing is proved, with one line on standard error."""
    try:
        answer = arguments.solve(arguments)
        text = json.dumps(answer, indent=1, ensure_ascii=False) + "\n"
        if arguments.json is not None:
            write_whole(Path(arguments.json), text)
    except (ValueError, ArithmeticError, Unwritable) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if arguments.json != "-":
        _print(answer)
    return 0


def _alpha_normec(given: argparse.Namespace) -> dict[str, Any]:
    sigma = _noise(given, 1.0)
    found = alpha_normec.recipe(
        given.f_gap, given.L, given.K, given.clients, given.L_max, (sigma or 0.0) ** 2 * given.dimension, given.least_R,
        given.largest,
    )  # fmt: skip
    return _answer(found, "min over k of E‖∇f(xᵏ)‖", sigma)


def _fed_alpha_normec(given: argparse.Namespace) -> dict[str, Any]:
    sigma = _noise(given, given.participation)
    found = fed_alpha_normec.recipe(
        given.f_gap, given.L, given.clients, given.K, given.participation, (sigma or 0.0) ** 2 * given.dimension,
        given.local_steps, given.Delta, given.Delta_local, given.local_work,
    )  # fmt: skip
    return _answer(found, "min over k of E‖∇f(xᵏ)‖", sigma)


def _dp_normfedavg(given: argparse.Namespace) -> dict[str, Any]:
    found = dp_normfedavg.recipe(
        given.update, L=given.L, G=given.G, distance=given.distance, n=given.clients, d=given.dimension,
        epsilon=given.epsilon, delta=given.delta, E=given.E, K=given.K, Delta=given.Delta,
    )  # fmt: skip
    return _answer(found, "E[f(w_k̃) − f(w*)]", None)


def _noise(given: argparse.Namespace, participation: float) -> float | None:
    """Standard deviation per coordinate of a client's noise; messages have norm at most 1."""
    if given.K < 0 or given.dimension < 1:
        raise ValueError(f"--K {given.K} and --dimension {given.dimension} must be at least 0 and 1")
    if given.epsilon is None:
        return None
    setting = Setting("messages", "replace-one", given.K + 1, participation, given.clients)
    return noise(setting, given.epsilon, given.delta)


def _answer(found: Any, quantity: str, sigma: float | None) -> dict[str, Any]:
    fields = asdict(found)
    promised = {name: fields.pop(name) for name in ("theorem", "bound", "known")}
    if sigma is not None:
        fields["sigma"] = sigma
    return {
        "parameters": fields,
        "quantity": quantity,
        **promised,
        "useful": bool(math.isfinite(found.bound) and found.useful),
        "again": f"python -m verify --claim {promised['theorem']}",
    }


NAMES = {"alpha": "α", "beta": "β", "gamma": "γ", "eta": "η", "rho": "ρ", "sigma": "σ per coordinate",
         "V": "E‖z_i‖²", "noise": "noise per coordinate", "method": "update"}  # fmt: skip


def _print(answer: dict[str, Any]) -> None:
    rows = [(NAMES.get(name, name), value) for name, value in answer["parameters"].items()]
    rows += [
        (answer["quantity"], f"at most {answer['bound']:.6g}"),
        ("known at the start", f"at most {answer['known']:.6g}"),
        ("useful", USEFUL[answer["useful"]]),
        ("proved by", f"{answer['theorem']} ({answer['again']})"),
    ]
    for name, value in rows:
        print(f"  {name:<24}{f'{value:.8g}' if isinstance(value, float) else value}")
