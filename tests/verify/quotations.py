"""What a claim calls printed, compared with the text of its paper.

A quotation leaves out what stands for […]. It says in square brackets what the claim adds, and in round brackets at the end of a part
where that part stands. The rest has to stand in the source: where the paper's text keeps its formulas as LaTeX, every part, letter by
letter; where it was taken from a PDF, which tears formulas apart, every run of five plain words or more.
"""

from __future__ import annotations

import os
import re
import unicodedata
from functools import cache
from pathlib import Path

import pytest

TORN = "alpha-normec"
"""The paper whose text was taken from a PDF."""
SOURCES = {
    TORN: ("alpha-normec.txt", "alpha-normec-poster.md", "dp-normfedavg.md", "fed-alpha-normec.md"),
    "fed-alpha-normec": ("fed-alpha-normec.md",),
    "dp-normfedavg": ("dp-normfedavg.md",),
}
LEAST = 5
"""Words in a run that is looked up: shorter ones stand between formulas and say little."""

COMMANDS = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "Delta": "Δ", "epsilon": "ε", "varepsilon": "ε", "zeta": "ζ", "eta": "η",
    "rho": "ρ", "sigma": "σ", "tau": "τ", "Phi": "Φ", "Psi": "Ψ", "ell": "l", "nabla": "∇", "sum": "Σ", "sqrt": "√", "leq": "≤",
    "geq": "≥", "in": "∈", "neq": "≠", "dots": "…", "langle": "⟨", "rangle": "⟩", "infty": "∞", "times": "×", "propto": "∝",
    "rightarrow": "→", "leftarrow": "←", "forall": "∀", "sim": "~",
} | dict.fromkeys(
    ("mathbb", "mathcal", "mathrm", "mathbf", "text", "hat", "tilde", "frac", "left", "right", "cdot", "quad"), ""
)  # fmt: skip
"""LaTeX as the claims write it; other commands keep their names."""
LAYOUT = re.compile(r"[\s{}()\[\]/⁄·^_&$*,.|:~;<>“”‘\"]")
ADDED = re.compile(
    r"(?:(?<=\s)|^)\[(?!\w(?:, \w)?\]|Section 2:)(?=[\d−⁴⟨]*[^\W\d_]|\d?[/(])(?:[^\[\]]|\[[^\[\]]*\])*\]"
)
"""What a claim adds in square brackets: E[…], ∈[0,K] and A[…] follow a letter, [1, M] starts with a number, [n] is one letter."""
PLACE = re.compile(
    r"\[Section 2:\]|(?<=\s)\((?:abstract|text|in C|after (?:it|Theorem 1)|References|Assumption 1|Problem \(1\)|caption of Figure \d"
    r"|Appendices F, G|(?:Section|Algorithm|Theorem|Lemma|Table|Corollary|Appendix) \w"
    r"|[B-G](?:\.\d)?|\d\.\d|\d\d)\)|(?<=[.:\]] )\(\d(?: \([ab]\))?\)"
)
"""Where a part stands; (1) to (9) are places at the end of a sentence alone, elsewhere equations."""
BESIDE = re.compile(r"\n\n(?:\**Figure \d+:|---|#|\d\. )[^\n]*(?:\n\d\. [^\n]*)*| // [^\n]*")
"""Captions, headings, footnotes and an algorithm's comments, which interrupt what is quoted."""
NUMBER = re.compile(r"\\quad *\(\d+\)")
WORD = re.compile(r"[^\W\d_](?:[^\W\d_]|[-’'])*[.,;:]?|[(][^\W\d_]+|[^\W\d_]+[)][.,;:]?")


def letters(paper: str, text: str) -> str:
    """Without accents, hats, grouping (braces, brackets, fraction bars, dots of a product, spaces) and what is only layout."""
    flat = unicodedata.normalize("NFKD", text).translate(str.maketrans("−–’′", "--''"))
    if paper == TORN:
        return "".join(filter(str.isalpha, flat))
    return LAYOUT.sub("", "".join(c for c in flat if not unicodedata.combining(c)))


def _group(text: str, opening: int) -> int:
    """Where the group that opens there ends."""
    depth = 0
    for place in range(opening, len(text)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if depth == 0:
            return place + 1
    raise ValueError("a group does not end")


def _without_notes(text: str) -> str:
    """Without what stands above a relation (`\\stackrel{reason}{=}`) or under a brace (`\\underbrace{…}_{label}`)."""
    while (start := text.find("\\stackrel")) >= 0:
        text = text[:start] + " " + text[_group(text, text.index("{", start)) :]
    while (start := text.find("\\underbrace")) >= 0:
        end = _group(text, text.index("{", start))
        text = text[:start] + text[start + len("\\underbrace") : end] + text[_group(text, end + 1) :]
    return text


def _latex(text: str) -> str:
    text = re.sub(r"\\begin\{\w+\}|\\end\{\w+\}|\\tag\{\w+\}|<sup>\d</sup>|</?\w+>|(?<=\n) *- ", " ", text)
    text = text.replace("\\sqrt[4]", " 4\\sqrt").replace("\\|", "‖")
    text = re.sub(r"\\([a-zA-Z]+)", lambda name: COMMANDS.get(name[1], name[1]), text)
    return text.replace("\\!", "").replace("\\", "")


@cache
def sources(paper: str) -> tuple[str, ...]:
    """The letters of each text that claims of this paper quote, in each version; skips where the texts are not at hand."""
    folder = os.environ.get("NORMEC_PAPERS")
    if not folder:
        pytest.skip("NORMEC_PAPERS does not name a folder with the papers' texts")
    texts = [(Path(folder) / name).read_text("utf-8") for name in SOURCES[paper]]
    if paper != TORN:
        plain = [_without_notes(BESIDE.sub("\n", text)) for text in texts]
        texts += plain + [NUMBER.sub("", text) for text in plain]
    return tuple(letters(paper, _latex(text)) for text in texts)


def quoted(paper: str, printed: str) -> list[str]:
    """The parts of a quotation that are looked up."""
    if paper == TORN:
        kept = re.sub(r"\[[^\[\]]*\]", " […] ", printed).split()
        words = " ".join(word if WORD.fullmatch(word) else "|" for word in kept)
        return [run for run in words.split("|") if len(run.split()) >= LEAST]
    pieces = re.split(rf"\[…\]|{PLACE.pattern}|(?<=with η > 0, then) ", ADDED.sub("", printed))
    return [piece for piece in pieces if letters(paper, piece)]


def missing(paper: str, printed: str) -> list[str]:
    """The parts of a quotation that stand in no source."""
    return [
        part
        for part in quoted(paper, printed)
        if not any(letters(paper, part) in text for text in sources(paper))
    ]
