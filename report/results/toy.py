"""The stories of `toy_problems` as plain data: what its functions return, thinned for pictures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from report.jobs import Tick, silent
from toy_problems import overlay
from toy_problems import rates as decay
from toy_problems.appendix_f import INITS, METHODS, Setting, curves
from toy_problems.captions import figure2, figure3, figure4, figure4_sentences, scan
from toy_problems.comparison import comparison
from toy_problems.example1 import story
from toy_problems.falsifier.study import falsifier_results
from toy_problems.jobs import setting_of
from toy_problems.memory_term import memory_term

POINTS = 120
"""Points kept of a curve that is drawn."""


def example1(config: Mapping[str, Any], tick: Tick = silent) -> dict[str, Any]:
    """Example 1: curves of each method and where DP-SGD ends for each τ and α."""
    told = story()
    endings = {"clipping": told.clipping, "smoothed": told.smoothed}
    return asdict(told) | {
        name: [asdict(e) | {"stalls": e.stalls} for e in es] for name, es in endings.items()
    }


def overlays(config: Mapping[str, Any], tick: Tick = silent) -> list[dict[str, Any]]:
    """Each theorem's bound over measured traces. config: K, seeds."""
    found = overlay.overlays(K=config["K"], seeds=config["seeds"])
    return [asdict(o) | {"tightness": o.tightness, "crossed": o.crossed} for o in found]


def rates(config: Mapping[str, Any], tick: Tick = silent) -> dict[str, Any]:
    """Measured decay for the printed schedules, and what the 2R term does. config: K, instances."""
    K, instances = tuple(config["K"]), config["instances"]
    found = decay.rates(K=K, instances=instances)
    return {
        "hardest": decay.HARDEST,
        "rates": [asdict(r) | {"arrives": r.arrives, "judgement": r.judgement} for r in found],
        "memories": [asdict(row) for row in memory_term(K=max(K), instances=instances)],
    }


def methods(config: Mapping[str, Any], tick: Tick = silent) -> list[dict[str, Any]]:
    """Methods compared at equal sensitivity. config: K, instances, steps, spreads."""
    sizes = {name: config[name] for name in ("K", "instances", "steps")}
    return [asdict(c) for c in comparison(**sizes, spreads=tuple(config["spreads"]))]


def falsifier(config: Mapping[str, Any], tick: Tick = silent) -> dict[str, Any]:
    """The largest measured / bound found for each bound, and what decided it: an exact witness, or, for a bound on an
    expectation, a confidence interval and its confirmation; and why a bound is not attacked. config: instances for each
    bound, seconds for all together, dimensions of the bounds on an expectation, workers (processes), bounds (all if
    not given).
    """
    done = [0]

    def told(*_: Any) -> None:
        done[0] += 1
        tick(1 - 1 / (1 + done[0] / 50))

    study = falsifier_results(
        config["seconds"],
        instances=config["instances"],
        dimensions=tuple(config["dimensions"]),
        progress=told,
        workers=config.get("workers", 1),
        bounds=tuple(config.get("bounds", ())),
    )
    attacks = [
        {
            "bound": found["bound"],
            "family": found["family"],
            "reading": ", ".join([found["reading"], f"d = {found['d']}"]) if "reading" in found else "",
            "expectation": found["kind"] == "expectation",
            "ratio": found["tightness"],
            "instances": found["instances"],
            "broken": bool(found["broken"]),
            "seconds": found["seconds"],
            "reason": found["reason"],
        }
        for found in study["results"]
    ]
    return {"attacks": attacks, "not_attacked": study["not_attacked"]}


def appendix_f(config: Mapping[str, Any], tick: Tick = silent) -> dict[str, Any]:
    """DP-NormFedAvg's Appendix F: curves of Figures 2 to 4 and the captions' sentences. config: C, eta,
    runs; without them the whole of the printed setting and the grid around it, and the sentences under other q."""
    chosen = {name: tuple(value) if isinstance(value, list) else value for name, value in config.items()}
    setting = replace(Setting(), **chosen)
    done = [0]
    total = 2 * len(INITS) * len(setting.C) * len(setting.eta) * setting.runs

    def progress(runs: int) -> None:
        done[0] += runs
        tick(min(1.0, done[0] / total))

    found = curves(setting, progress)
    at = np.unique(np.geomspace(1, setting.K, POINTS).round().astype(int)) - 1
    shown = {"suboptimality": found.mean()[..., at], "snr": found.mean("snr")[..., at]}
    paths = figure4(setting)
    steps = np.unique(np.linspace(0, setting.K, POINTS).round().astype(int))
    pictures = [] if config else scan(setting_of("quick", setting.seed, setting.q))
    return {
        "setting": asdict(setting),
        "whole": not config,
        "rounds": at.tolist(),
        "methods": list(METHODS),
        "inits": list(INITS),
        **{name: values.tolist() for name, values in shown.items()},
        "trajectories": {
            "cases": paths.cases,
            "plane": paths.plane[..., steps, :].tolist(),
            "smooth": paths.smooth,
        },
        "sentences": [
            asdict(s) for s in (*figure2(found), *figure3(found), *figure4_sentences(paths.distance[..., -1]))
        ],
        "scan": [asdict(picture) for picture in pictures],
    }
