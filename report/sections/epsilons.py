"""The ε that the experiments really have where they say what they aim at, from the tables of the privacy claims."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from typing import Any

from report.typst import Markup, formula, link, number, table
from report.verdicts import Claim, title

REPLACED = "replace-one"
READ = "Read as a standard deviation on messages scaled by β; memories start without the data; one client is replaced"
"""What the numbers suppose: the papers print a “variance”, and nothing of how the memories start."""
SEEN = {"messages": "every message", "sum": "sums alone"}


@dataclass(frozen=True)
class Had:
    """One way of reading a claim's noise: the claim, what tells the reading from others, the participation, the printed ε,
    and the ε that is had by what is seen, as the claim's table has it."""

    claim: Claim
    reading: str
    p: str
    printed: str
    had: Mapping[str, str]


def epsilons(selected: Sequence[Claim]) -> list[Had]:
    """For every claim on the noise of an experiment, each reading that its tables tell apart by what is seen."""
    found = []
    for claim in selected:
        aimed = re.search(r"[ϵε] = (\d+)", claim["printed"])
        if aimed is None or "EXP-DP" not in claim["id"]:
            continue
        for name, rows in claim.get("tables", {}).items():
            by_reading: dict[tuple[str, str], dict[str, str]] = {}
            for row in rows:
                had = _replaced(row)
                if had is not None and row.get("seen") in SEEN:
                    reading = f"noise {row['root']}" if "root" in row else name.partition(",")[0]
                    by_reading.setdefault((reading, row.get("p", "1")), {})[row["seen"]] = had
            found += [Had(claim, *which, aimed[1], had) for which, had in by_reading.items()]
    return found


def _replaced(row: Mapping[str, str]) -> str | None:
    """The true ε of a row where a client is replaced; None where it has none."""
    for column, value in row.items():
        if column.startswith("true ε") and (column.endswith(REPLACED) or row.get("neighbours") == REPLACED):
            return value
    return None


def short(value: str) -> str:
    """A number or an interval `[a, b]` of a table in three digits; an interval whose ends are told apart is rounded outwards."""
    ends = [Decimal(end) for end in re.findall(r"\d[\d.]*(?:e[+-]?\d+)?", value)]
    near = dict.fromkeys(number(float(end), 3) for end in ends)
    if len(near) == 1:
        return next(iter(near))
    outwards = zip(ends, (ROUND_FLOOR, ROUND_CEILING), strict=True)
    return " to ".join(number(float(Context(prec=3, rounding=to).plus(end)), 3) for end, to in outwards)


def in_a_line(selected: Sequence[Claim]) -> Markup:
    """For each experiment the ε that are had instead of the printed one, in the order of the participations p."""
    groups: dict[tuple[str, str], list[Had]] = {}
    for had in epsilons(selected):
        groups.setdefault((had.claim["id"], had.reading), []).append(had)
    out, before = Markup(""), ()
    for (name, reading), members in groups.items():
        first = members[0]
        ps = ", ".join(had.p for had in members)
        seen = {what: ", ".join(short(had.had[key]) for had in members) for key, what in SEEN.items()
                if all(key in had.had for had in members)}  # fmt: skip
        if (name, ps, *seen) == before:
            out += formula(f"With {reading} they are {' or '.join(seen.values())}. ")
            continue
        before = name, ps, *seen
        told = " or ".join(f"{values} ({what} seen)" for what, values in seen.items())
        out += link(f"claim:{name}", f"{title(first.claim['paper'])}'s ε = {first.printed}")
        out += formula(f" with {reading}{f' and p = {ps}' if len(members) > 1 else ''} is {told}. ")
    return out + formula(f"{READ}.") if groups else out


def summary(selected: Sequence[Claim]) -> Markup:
    """The same as a table."""
    rows: list[list[Any]] = [
        [link(f"claim:{had.claim['id']}", title(had.claim["paper"])), had.printed, formula(had.reading), had.p,
         *(short(had.had[seen]) if seen in had.had else "–" for seen in SEEN)]
        for had in epsilons(selected)
    ]  # fmt: skip
    if not rows:
        return Markup("")
    return table(
        ["experiments of", "printed ε", "reading", "p", *(f"true ε, {what} seen" for what in SEEN.values())],
        rows,
        widths=["auto", "auto", "1fr", "auto", "auto", "auto"],
        align=["left", "right", "left", "right", "right", "right"],
        caption=f"What the private experiments have at the printed δ. {READ}",
    )
