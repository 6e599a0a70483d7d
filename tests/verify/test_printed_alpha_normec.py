"""What claims of α-NormEC call printed stands in the paper or on the poster, word by word.

The paper's text was extracted from a PDF, which tears formulas apart, so that only words are compared: every run of five plain
words or more of a quotation, as a stream of letters. What a claim adds stands in brackets, and what it leaves out is […].
"""

from __future__ import annotations

import os
import re
import unicodedata
from pathlib import Path

import pytest

from verify.catalogue import claims

PRINTED = {c.id: c.printed for c in claims().values() if c.id.startswith("NEC-") and c.kind != "ours"}
ADDED = re.compile(r"\[[^\[\]]*\]")
WORD = re.compile(r"[^\W\d_](?:[^\W\d_]|[-’'])*[.,;:]?|[(][^\W\d_]+|[^\W\d_]+[)][.,;:]?")
LETTERS = {"alpha": "α", "beta": "β", "Phi": "Φ"}
GREEK = re.compile(rf"\\({'|'.join(LETTERS)})\b")
LEAST = 5
"""Words in a run that is looked up: shorter ones stand between formulas and say little."""


def stream(text: str) -> str:
    """The letters alone."""
    return "".join(c for c in unicodedata.normalize("NFKD", text) if c.isalpha())


def runs(quotation: str) -> list[str]:
    """Runs of plain words of a claim's text, without what it says in brackets of its own."""
    found: list[list[str]] = [[]]
    for word in ADDED.sub(" […] ", quotation).split():
        if WORD.fullmatch(word):
            found[-1].append(word)
        else:
            found.append([])
    return [" ".join(words) for words in found if len(words) >= LEAST]


@pytest.fixture(scope="module")
def sources() -> tuple[str, ...]:
    folder = os.environ.get("NORMEC_PAPERS")
    if not folder:
        pytest.skip("NORMEC_PAPERS does not name a folder with the papers' texts")
    names = ("alpha-normec.txt", "alpha-normec-poster.md", "dp-normfedavg.md")
    texts = ((Path(folder) / name).read_text("utf-8") for name in names)
    return tuple(stream(GREEK.sub(lambda name: LETTERS[name[1]], text)) for text in texts)


@pytest.mark.parametrize("identifier", [i for i, text in PRINTED.items() if runs(text)])
def test_words_stand_in_the_paper(identifier: str, sources: tuple[str, ...]) -> None:
    missing = [run for run in runs(PRINTED[identifier]) if not any(stream(run) in text for text in sources)]
    assert missing == []


@pytest.mark.parametrize(
    ("identifier", "printed", "other"),
    [("NEC-S35-NOISE", "accumulated", "added"), ("NEC-S7-STRONGER", "due to", "because of")],
)
def test_another_word_is_noticed(identifier: str, printed: str, other: str, sources: tuple[str, ...]) -> None:
    changed = PRINTED[identifier].replace(printed, other)
    assert changed != PRINTED[identifier]
    assert any(stream(run) not in text for run in runs(changed) for text in sources[:1])
