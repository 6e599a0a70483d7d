"""The answer to the title's question in a few sentences. Each clause names the verdicts that it rests on and is shown only
while all of them are what it says; `tests/report/test_front.py` holds every clause against the verdicts of today."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from report.typst import Markup, call, emphasis, formula, join, strong
from report.verdicts import Claim, title


@dataclass(frozen=True)
class Clause:
    """What is said, and the verdict of each claim that makes it true."""

    says: str
    rests_on: Mapping[str, str]


def _all(verdict: str, *names: str) -> dict[str, str]:
    return dict.fromkeys(names, verdict)


PER_COORDINATE = (
    "FED-T1-MAIN@T=1,per-coordinate",
    "FED-T1-TEXT@T=1,per-coordinate",
    "FED-T1-APP@T=1,per-coordinate",
)

RECEIVED = ("T4a@", "T4b@", "T6@", "T6@specific-", "T7@", "T7@specific-")

ANSWERS: Mapping[str, Sequence[Clause]] = {
    "alpha-normec": (
        Clause("Theorem 1 holds as printed", _all("proved", "NEC-T1")),
        Clause("the Lemma 2 of its proof is false", _all("refuted", "NEC-L2")),
        Clause(
            "Theorem 2 holds where the noise is that of the whole vector, and is false where it is that of each of many coordinates",
            _all("proved-if", "NEC-T2-MAIN", "NEC-T2-APP")
            | _all("refuted", "NEC-T2-MAIN@coordinate", "NEC-T2-APP@coordinate"),
        ),
        Clause(
            "Corollary 2 is false where β₀ is far below its limit and void at it",
            _all("refuted", "NEC-C2-UTIL") | _all("proved", "NEC-C2-UTIL@equality", "NEC-OUR-C2-VOID"),
        ),
    ),
    "fed-alpha-normec": (
        Clause(
            "Theorems 1 and 2 are false as printed",
            _all("refuted", "FED-T1-MAIN", "FED-T1-TEXT", "FED-T1-APP", "FED-T2"),
        ),
        Clause(
            "they hold where Δ^inf is small enough in the units used, E‖z‖² = σ² and, in Section 4, B* ≤ B",
            _all(
                "proved",
                *(f"{name}@small-Delta" for name in ("FED-T1-MAIN", "FED-T1-TEXT", "FED-T1-APP", "FED-T2")),
            ),
        ),
        Clause(
            "with one local step the appendix's version of Theorem 1 holds", _all("proved", "FED-T1-APP@T=1")
        ),
        Clause(
            "where the noise is that of each coordinate no version does", _all("refuted", *PER_COORDINATE)
        ),
    ),
    "dp-normfedavg": (
        Clause("with Algorithm 1's 1/r Theorem 4 (a) holds for r ≥ 1", _all("proved", "DAS-T4a")),
        Clause(
            "for the printed sampling Theorems 4 (b) and 7 fail, and 6 at r = 1, E = 200",
            _all("refuted", "DAS-T4b", "DAS-T7", "DAS-T7@specific", "DAS-T6"),
        ),
        Clause(
            "they hold for exactly r clients a round",
            _all("proved-if", "DAS-T4b@fixed-size", "DAS-T7@fixed-size", "DAS-T7@specific-fixed-size")
            | _all("proved", "DAS-T6@fixed-size"),
        ),
        Clause(
            "with Section 3's mean of the updates received Theorems 4, 6 and 7 fail for every r < n",
            _all("refuted", *(f"DAS-{name}received" for name in RECEIVED))
            | _all("proved", "DAS-OURS-NOBODY"),
        ),
    ),
    "": (
        Clause(
            "no constant makes the printed noise private for all ε",
            _all("refuted", "NEC-EQ3", "NEC-C2-DP", "FED-C2-DP", "DAS-T3"),
        ),
    ),
}
"""By paper; under no paper what is said of all three."""


def stands(clause: Clause, selected: Sequence[Claim]) -> bool:
    """Whether every claim has the verdict that the clause rests on."""
    verdicts = {claim["id"]: claim["verdict"] for claim in selected}
    return all(verdicts.get(name) == verdict for name, verdict in clause.rests_on.items())


def answer(selected: Sequence[Claim]) -> Markup:
    """A line for each paper with the clauses that stand; nothing where none does."""
    lines = []
    for paper, clauses in ANSWERS.items():
        said = [clause.says for clause in clauses if stands(clause, selected)]
        if said:
            head = emphasis(f"{title(paper) if paper else 'Privacy, in all three'}: ")
            lines.append(head + formula("; ".join(said) + "."))
    if not lines:
        return Markup("")
    return call("text", "size: 8.8pt", body=strong("In short. ") + join(lines, " \\ ")) + Markup("\n\n")
