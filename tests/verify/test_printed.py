"""What claims of Fed-α-NormEC call printed stands in the paper, letter by letter.

Both are reduced to one stream of letters: LaTeX commands become the characters that the claims write; grouping (braces, brackets,
fraction bars, dots of a product, spaces), hats and what is only layout are left out on both sides. What a claim adds stands in
brackets, and what it leaves out is […].
"""

from __future__ import annotations

import os
import re
import unicodedata
from pathlib import Path

import pytest

from verify.fed_alpha_normec import (
    choices,
    clipped,
    corollary_steps,
    fixed_step,
    notation,
    protocol,
    roundwise,
    sampled,
    theorem_cases,
    update,
    utility_steps,
    wording,
)
from verify.fed_alpha_normec.displays import COROLLARIES, THEOREMS
from verify.fed_alpha_normec.lemma_displays import LEMMAS
from verify.fed_alpha_normec.step_displays import STEPS
from verify.privacy import fed_hidden, fed_readings, fed_said

PRINTED = {**LEMMAS, **THEOREMS, **COROLLARIES, **STEPS}
ROOMS = (
    choices,
    clipped,
    corollary_steps,
    fixed_step,
    notation,
    protocol,
    roundwise,
    sampled,
    theorem_cases,
    update,
    utility_steps,
    wording,
    fed_hidden,
    fed_readings,
    fed_said,
)
PRINTED |= {claim.id: claim.printed for room in ROOMS for claim in room.CLAIMS if claim.kind != "ours"}
MARKED = {"FED-B", "FED-L3@B-main", "FED-L3@B-text", "FED-C1-MAIN@A1"}
"""These say in round brackets where each of their parts stands."""

COMMANDS = {
    "alpha": "α", "beta": "β", "gamma": "γ", "eta": "η", "rho": "ρ", "sigma": "σ", "epsilon": "ϵ", "delta": "δ", "Delta": "Δ",
    "Psi": "Ψ", "nabla": "∇", "sum": "Σ", "sqrt": "√", "leq": "≤", "le": "≤", "geq": "≥", "ge": "≥", "in": "∈", "neq": "≠", "ne": "≠",
    "dots": "…", "ldots": "…", "langle": "⟨", "rangle": "⟩", "exp": "exp", "min": "min", "max": "max", "log": "log", "inf": "inf",
    "infty": "∞", "mathbb": "", "mathcal": "", "mathrm": "", "hat": "", "frac": "", "left": "", "right": "", "cdot": "", "quad": "",
    "text": "", "times": "×", "to": "→", "propto": "∝", "rightarrow": "→", "begin": "", "end": "", "aligned": "",
}  # fmt: skip
LAYOUT = re.compile(r"[\s{}()\[\]/·^_&$*,.|:~;<>]")
REMARK = re.compile(r"(?:(?<=\s)|^)\[(?=\d?[a-zA-Zβ(])[^\[\]]*\]")
"""What a claim adds in brackets of its own: E[…], ∈[0,K] and A[…] follow a letter, [1, M] starts with a number."""


def _latex(text: str) -> str:
    text = re.sub(r"\\begin\{\w+\}|\\end\{\w+\}|\\tag\{\w+\}", " ", text)
    text = (
        re.sub(r"\n\n(Figure \d+:|---|#)[^\n]*", "\n", text)
        .replace("\n- ", "\n")
        .replace("\\sqrt[4]", " 4\\sqrt")
    )
    while "\\stackrel" in text:  # the reason above a relation is left out, the relation stays
        start = text.index("\\stackrel")
        first = _group(text, text.index("{", start))
        text = text[:start] + " " + text[first:]
    text = text.replace("\\|", "‖").replace("\\\\", " ").replace("\\{", "").replace("\\}", "")
    text = re.sub(r"\\(Norm|[a-zA-Z]+)", lambda m: COMMANDS.get(m.group(1), m.group(1)) + " ", text)
    return re.sub(r"\\[,;! ]", "", text)


def _group(text: str, opening: int) -> int:
    """Where the group that opens there ends."""
    depth = 0
    for place in range(opening, len(text)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if depth == 0:
            return place + 1
    raise ValueError("a group does not end")


def stream(text: str) -> str:
    """The letters alone."""
    flat = unicodedata.normalize("NFKD", text.replace("ϵ", "ε")).replace("−", "-").replace("–", "-")
    flat = "".join(c for c in flat if not unicodedata.combining(c))
    return LAYOUT.sub("", flat)


def printed_parts(text: str) -> list[str]:
    """The quoted parts of a claim's text, without what it says in brackets of its own."""
    parts = re.split(
        r"\[…\]|(?<=with η > 0, then) ", REMARK.sub("", text)
    )  # Lemmas 7 and 9 number what follows
    return [part for part in parts if stream(part)]


@pytest.fixture(scope="module")
def paper() -> str:
    folder = os.environ.get("NORMEC_PAPERS")
    if not folder:
        pytest.skip("NORMEC_PAPERS does not name a folder with the papers' texts")
    return stream(_latex((Path(folder) / "fed-alpha-normec.md").read_text("utf-8")))


@pytest.mark.parametrize("identifier", [i for i in PRINTED if i not in MARKED])
def test_display_stands_in_the_paper(identifier: str, paper: str) -> None:
    assert [part for part in printed_parts(PRINTED[identifier]) if stream(part) not in paper] == []


@pytest.mark.parametrize(
    ("identifier", "printed", "other"),
    [
        ("FED-L9-2-S3", "γL(1/N)", "γ(1/N)"),
        ("FED-L7-3-S1", "x_i^{k,j}‖ =", "x_i^{k,l}‖ ="),
        ("FED-L2-S3", "≤", "="),
    ],
)
def test_a_letter_put_right_is_noticed(identifier: str, printed: str, other: str, paper: str) -> None:
    changed = PRINTED[identifier].replace(printed, other)
    assert changed != PRINTED[identifier]
    assert any(stream(part) not in paper for part in printed_parts(changed))
