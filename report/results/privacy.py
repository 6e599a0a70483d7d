"""The audit: what an attack on the implemented mechanisms proves, beside what the accounting says."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from bounds.privacy import gaussian_epsilon
from methods.published import dp_alpha_normec, dp_clip21
from report.jobs import Tick, silent
from verify.privacy import audit as attacks


def audit(config: Mapping[str, Any], tick: Tick = silent) -> dict[str, Any]:
    """Each mechanism attacked as it should be, and with one planted fault.

    config: rounds, runs, sigma (of a client's noise, in units of a message's bound), delta.
    A row: claimed is the accounted ε for noise sigma; found is the ε that the attack proves; caught says
    whether it proves the claim wrong.
    """
    rounds, sigma, delta = config["rounds"], config["sigma"], config["delta"]
    mu = 2 * math.sqrt(rounds) / sigma
    claimed = gaussian_epsilon(delta, mu).upper
    attack = attacks.Attack(rounds, config["runs"])
    leaking = attacks.Attack(rounds, config["runs"], data_in_memory=True, reads_models=True)
    cases = (
        ("DP-α-NormEC", "", dp_alpha_normec(0.1, 0.5, 1.0, sigma), attack),
        ("DP-Clip21", "", dp_clip21(0.1, 1.0, sigma), attack),
        ("DP-α-NormEC", "noise half as large", dp_alpha_normec(0.1, 0.5, 1.0, sigma / 2), attack),
        ("DP-Clip21", "threshold twice as large", dp_clip21(0.1, 2.0, sigma), attack),
        ("DP-α-NormEC", "memory starts at the gradient", dp_alpha_normec(0.1, 0.5, 1.0, sigma), leaking),
    )
    rows = []
    for method, fault, mechanism, attacked in cases:
        found = attacks.audit(mechanism, attacked, delta)
        rows.append(
            {
                "method": method,
                "fault": fault,
                "claimed": claimed,
                "claimed_mu": mu,
                "found": found.epsilon if math.isfinite(found.epsilon) else None,
                "found_mu": found.mu if math.isfinite(found.mu) else None,
                "caught": found.mu > mu * (1 + 1e-9),
            }
        )
        tick(len(rows) / len(cases))
    return {"rows": rows, "rounds": rounds, "runs": config["runs"], "sigma": sigma, "delta": delta,
            "confidence": attack.confidence}  # fmt: skip
