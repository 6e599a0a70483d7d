"""`python -m verify epsilon`: which noise an ε needs, and which ε a noise gives."""

from __future__ import annotations

import argparse
import math
from dataclasses import asdict
from typing import Any, get_args

from bounds.privacy import Enclosure, Neighbours, Setting, Trust, delta, epsilon, noise
from bounds.privacy.enclosure import rounded
from bounds.privacy.setting import (
    NEIGHBOURS_MEANING,
    TRUST_MEANING,
    check_delta,
    check_epsilon,
    check_sigma,
    hidden,
)
from methods.terminal.answer import answered
from methods.terminal.console import command_of
from methods.terminal.output import add_json

DESCRIPTION = """\
Give --sigma to learn ε, or --epsilon to learn the noise σ (or both, to learn δ). σ is the standard deviation
per coordinate of a client's noise, in units of --bound (of the noise in the sum for --trust server-noise).
With --trust sum and p < 1 no message may depend on when its client took part, as one does whose client updates a
memory only when it takes part: then use --trust participants.
Every answer errs on the safe side: what is printed is rounded so that it holds as it stands."""

EXAMPLES = """\
examples:
  {verify} epsilon --sigma 7.346 --delta 1e-5 --rounds 300
  {verify} epsilon --epsilon 8 --delta 1e-5 --rounds 300 --participation 0.25 --clients 20 --trust sum
  {verify} epsilon --epsilon 8 --delta 1e-5 --rounds 300 --bound 0.01 --json -"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the calculator."""
    parser.description, parser.epilog = DESCRIPTION, EXAMPLES.format(verify=command_of("verify"))
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    trusts = "; ".join(f"{name}: {meaning}" for name, meaning in TRUST_MEANING.items())
    meanings = "; ".join(f"{name}: {meaning}" for name, meaning in NEIGHBOURS_MEANING.items())
    parser.add_argument("--sigma", type=float, metavar="σ", help="noise, > 0: answer with ε")
    parser.add_argument("--epsilon", type=float, metavar="ε", help="privacy wanted, > 0: answer with σ")
    parser.add_argument("--delta", type=float, metavar="δ", help="in (0, 1); default 1e-5")
    parser.add_argument(
        "--rounds", type=int, required=True, metavar="K", help="number of releases, an integer in [1, 2^53]"
    )
    parser.add_argument("--participation", type=float, default=1.0, metavar="p", help="in (0, 1]; default 1")
    parser.add_argument("--clients", type=int, metavar="n",
                        help="an integer in [1, 2^53], read for --trust participants and sum; default 1")  # fmt: skip
    parser.add_argument("--trust", choices=get_args(Trust), default="messages",
                        help=f"what the adversary sees; {trusts}. Default messages")  # fmt: skip
    parser.add_argument("--neighbours", choices=get_args(Neighbours), default="replace-one",
                        help=f"what is hidden; {meanings} (a client that sends nothing is seen to be absent, but with --trust "
                        f"server-noise, where none sends noise). "
                        "Default replace-one")  # fmt: skip
    parser.add_argument("--bound", type=float, default=1.0, metavar="C",
                        help="norm bound of a message, > 0: 1 for Norm_α, C or τ for clipping; default 1")  # fmt: skip
    add_json(parser, "the answer")


def run(arguments: argparse.Namespace) -> int:
    """Exit code 0; 2 for bad input or where nothing could be certified, with one line on standard error."""
    return answered(arguments, solve, _print, OPTIONS)


OPTIONS = {
    "σ": "sigma", "ε": "epsilon", "δ": "delta", "rounds": "rounds", "participation": "participation", "clients": "clients",
}  # fmt: skip
"""By what errors of `bounds` call the numbers that they set."""


def solve(arguments: argparse.Namespace) -> dict[str, Any]:
    """The answer as plain data. Raises `ValueError` naming what is wrong."""
    if arguments.clients is not None and arguments.trust not in ("participants", "sum"):
        raise ValueError(
            f"--clients {arguments.clients}: with --trust {arguments.trust} nothing depends on it; leave it out"
        )
    clients = 1 if arguments.clients is None else arguments.clients
    setting = Setting(
        arguments.trust, arguments.neighbours, arguments.rounds, arguments.participation, clients
    )
    if arguments.sigma is None and arguments.epsilon is None:
        raise ValueError("give --sigma to learn ε, or --epsilon to learn σ")
    if not (math.isfinite(arguments.bound) and arguments.bound > 0):
        raise ValueError(f"--bound {arguments.bound} is outside its domain: a finite number > 0")
    answer: dict[str, Any] = {"setting": asdict(setting), "bound": arguments.bound}
    if setting.trust == "sum" and setting.participation < 1:
        answer["provided"] = PROVIDED
    if arguments.sigma is not None and arguments.epsilon is not None:
        if arguments.delta is not None:
            raise ValueError(
                f"--delta {arguments.delta}: with --sigma and --epsilon δ is the answer; leave one out"
            )
        check_epsilon(arguments.epsilon)
        found = delta(setting, _relative(arguments), arguments.epsilon)
        return answer | {"sigma": arguments.sigma, "epsilon": arguments.epsilon, "delta": _sides(found)}
    wished = 1e-5 if arguments.delta is None else arguments.delta
    check_delta(wished)
    answer["delta"] = wished
    if arguments.sigma is not None:
        found = epsilon(setting, _relative(arguments), wished)
        if not found.known:
            raise ArithmeticError(
                f"ε is unknown here: no finite upper side can be certified for {setting} at δ = {wished}; "
                "more noise, fewer rounds or a larger δ may have one"
            )
        return answer | {"sigma": arguments.sigma, "epsilon": _sides(found)}
    wanted: Any = arguments.epsilon
    check_epsilon(wanted)
    relative = noise(setting, wanted, wished)
    found = epsilon(setting, relative, wished)
    sigma = math.nextafter(relative * arguments.bound, math.inf)
    if not math.isfinite(sigma):
        raise ValueError(
            f"--bound {arguments.bound}: σ, which is {relative} times as large, leaves the floats; take a larger unit of the messages"
        )
    if not found.known:
        raise ArithmeticError(f"no noise is known for ({wanted}, {wished})-DP in {setting}")
    return answer | {
        "epsilon": wanted,
        "sigma": sigma,
        "noise_multiplier": relative,
        "epsilon_attained": _sides(found),
    }


def _relative(arguments: argparse.Namespace) -> float:
    """σ in units of the messages' bound. Raises `ValueError` where it is no number > 0."""
    check_sigma(arguments.sigma)
    relative = arguments.sigma / arguments.bound
    if not (math.isfinite(relative) and relative > 0):
        raise ValueError(
            f"--sigma {arguments.sigma} over --bound {arguments.bound} is {relative}, outside its domain: a finite number > 0"
        )
    return relative


def _sides(found: Enclosure) -> dict[str, float]:
    return {"lower": found.lower, "upper": found.upper}


def _print(answer: dict[str, Any]) -> None:
    setting = answer["setting"]
    print(
        f"{setting['rounds']} round{'' if setting['rounds'] == 1 else 's'}, p = {setting['participation']}, n = {setting['clients']}; "
        f"hidden: {hidden(setting['neighbours'], setting['trust'])} ({setting['neighbours']}); seen: {TRUST_MEANING[setting['trust']]}"
        + (f"; provided that {answer['provided']}" if "provided" in answer else "")
    )
    for name in ("sigma", "noise_multiplier", "epsilon", "epsilon_attained", "delta"):
        if name in answer:
            print(f"  {LABEL[name]:<22} {_shown(answer[name])}")


PROVIDED = "no message depends on when its client took part (where one does: --trust participants)"
"""What the upper side of hidden participants needs; `bounds.privacy` says why."""
LABEL = {
    "sigma": "σ",
    "noise_multiplier": "σ / bound",
    "epsilon": "ε",
    "epsilon_attained": "ε attained",
    "delta": "δ",
}


def _shown(value: Any) -> str:
    """Rounded up, also what was given: a guarantee for less noise, or of a smaller ε, is one for this."""
    return str(Enclosure(value["lower"], value["upper"])) if isinstance(value, dict) else rounded(value, 1, 8)
