"""The textbook results that proofs cite, each tried on cases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from report.jobs import Tick, silent
from verify.textbook import survey as textbook


def survey(config: Mapping[str, Any], tick: Tick = silent) -> list[dict[str, Any]]:
    """What `python -m verify textbook --json` writes of each. config: cases, of each trial."""
    return textbook.survey(config["cases"], lambda name, part: tick(part))
