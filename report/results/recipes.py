"""What a user should use instead: the recipes of `bounds` called at a few settings, and every bound as data.

The settings are examples; a user calls the same function with his own numbers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from bounds.alpha_normec.recipe import recipe as alpha_normec
from bounds.catalogue import every
from bounds.dp_normfedavg.recipe import Method
from bounds.dp_normfedavg.recipe import recipe as dp_normfedavg
from bounds.fed_alpha_normec.recipe import recipe as fed_alpha_normec
from bounds.privacy.calibration import noise
from bounds.privacy.setting import Setting
from report.jobs import Tick, silent

FED = "bounds.fed_alpha_normec.recipe.recipe"
NEC = "bounds.alpha_normec.recipe.recipe"
DAS = "bounds.dp_normfedavg.recipe.recipe"


def recipes(config: Mapping[str, Any], tick: Tick = silent) -> dict[str, Any]:
    """For each method a list of calls: what was given, the parameters that came out, the bound, whether it is below what is
    known before anything is run, and the (ε, δ) of a private one.

    config: epsilon, delta, f_gap, L, clients, rounds, dimensions, distance, G, participation, least_R. Private memories start at
    0, where ‖∇f_i(x⁰)‖ ≤ least_R: the first updates themselves would have to be sent without noise.
    """
    return {
        "α-NormEC": _nec(config),
        "Fed-α-NormEC": _fed(config, config["participation"]),
        "DP-FedAvg with clipping (clip), DP-NormFedAvg (norm)": _das(config),
    }


def _variance(config: Mapping[str, Any], K: int, M: int, p: float, d: int) -> float:
    """E‖z‖² of a client's noise that gives (ε, δ) where every message is seen and one client may be
    replaced."""
    sigma = noise(Setting("messages", "replace-one", K + 1, p, M), config["epsilon"], config["delta"])
    return d * sigma**2


def _fed(config: Mapping[str, Any], p: float) -> list[dict[str, Any]]:
    calls = []
    for K in config["rounds"]:
        for M in config["clients"]:
            given: dict[str, Any] = {"f_gap": config["f_gap"], "L": config["L"], "M": M, "K": K, "p": p}
            calls.append(_call(FED, given, fed_alpha_normec(**given), "no noise"))
            for d in config["dimensions"]:
                noisy: dict[str, Any] = given | {
                    "V": _variance(config, K, M, p, d),
                    "least_R": config["least_R"],
                }
                calls.append(_private(config, d, FED, noisy, fed_alpha_normec(**noisy)))
    return calls


def _nec(config: Mapping[str, Any]) -> list[dict[str, Any]]:
    calls = []
    for K in config["rounds"]:
        for n in config["clients"]:
            given: dict[str, Any] = {"f_gap": config["f_gap"], "L": config["L"], "K": K, "n": n}
            calls.append(_call(NEC, given, alpha_normec(**given), "no noise"))
            for d in config["dimensions"]:
                noisy: dict[str, Any] = given | {
                    "V": _variance(config, K, n, 1.0, d),
                    "least_R": config["least_R"],
                }
                calls.append(_private(config, d, NEC, noisy, alpha_normec(**noisy)))
    return calls


def _das(config: Mapping[str, Any]) -> list[dict[str, Any]]:
    calls = []
    methods: Mapping[str, Method] = {"clip": "clipping", "norm": "normalisation"}
    for name, method in methods.items():
        for n in config["clients"]:
            for d in config["dimensions"]:
                given = {name: config[name] for name in ("L", "G", "distance", "epsilon", "delta")}
                given |= {"n": n, "d": d}
                made = _private(config, d, DAS, given, dp_normfedavg(method, **given), method)
                calls.append(made | {"setting": name})
    return calls


def _private(
    config: Mapping[str, Any], d: int, function: str, given: Mapping[str, Any], result: Any, *arguments: str
) -> dict[str, Any]:
    made = _call(function, given, result, f"private, d = {d}", *arguments)
    return made | {"private": [config["epsilon"], config["delta"]]}


def _call(
    function: str, given: Mapping[str, Any], result: Any, setting: str, *arguments: str
) -> dict[str, Any]:
    shown = ", ".join(
        [*(repr(a) for a in arguments), *(f"{name}={value!r}" for name, value in given.items())]
    )
    parameters = {name: value for name, value in asdict(result).items() if name not in given}
    bound, known = parameters.pop("bound"), parameters.pop("known")
    parameters = {name: value for name, value in parameters.items() if not isinstance(value, str)}
    return {
        "call": f"{function}({shown})",
        "setting": setting,
        "private": None,
        "given": dict(given),
        "parameters": parameters,
        "theorem": result.theorem,
        "bound": bound,
        "known": known,
        "useful": bool(math.isfinite(bound) and bound < known),
    }


def catalogue(config: Mapping[str, Any], tick: Tick = silent) -> list[dict[str, Any]]:
    """Every `Bound` that a module of `bounds` names, printed and repaired, as plain data, by claim id."""
    return [
        {
            "name": bound.name,
            "paper": bound.source.paper,
            "source": ", ".join(part for part in (bound.source.place, bound.source.version) if part),
            "quantity": bound.quantity,
            "typeset": bound.typeset,
            "conditions": [condition.printed for condition in bound.conditions],
        }
        for bound in every().values()
    ]
