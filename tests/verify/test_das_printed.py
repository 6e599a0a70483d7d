"""What claims of DP-NormFedAvg call printed stands in the paper, word for word.

Formulas are left to `test_das_proofs` and to `bounds`; here both texts are reduced to their words of three letters or more. What
a claim adds stands in brackets, and what it leaves out is […]; round brackets at the end of a part say where it stands.
"""

from __future__ import annotations

import os
import re
import unicodedata
from pathlib import Path

import pytest

from verify.catalogue import claims
from verify.dp_normfedavg.displays import THEOREMS

QUOTED = [
    c for c in claims().values()
    if c.paper == "dp-normfedavg" and c.kind in ("prose", "privacy", "definition") and c.id != "DAS-ALG1@line-9"
    and not c.printed.startswith(tuple(THEOREMS.values()))
]  # fmt: skip
"""DAS-ALG1@line-9 quotes lines of the algorithm without the comments between them; theorems are displays."""
REMARK = re.compile(r"\[[^\[\]]*\]")
PLACE = re.compile(
    r"\((?:abstract|text|Section \d|Algorithm \d|caption of Figure \d|Theorem \d|Table \d|in C|G|\d(?:\.\d)?(?: \([ab]\))?)\)"
)
MATHEMATICS = {"min", "max", "arg", "log", "unif", "norm", "clip", "priv"}


def words(text: str) -> list[str]:
    flat = unicodedata.normalize("NFKD", text)
    flat = "".join(c for c in flat if not unicodedata.combining(c)).replace("’", "'").replace("-\n", "-")
    return [w for w in re.findall(r"[a-z]{3,}", flat.lower()) if w not in MATHEMATICS]


def _paper(text: str) -> list[str]:
    text = re.sub(r"\\(text\w*|emph)\{([^{}]*)\}", r" \2 ", text)
    return words(re.sub(r"\\[a-zA-Z]+|</?\w+>", " ", bare(text.replace("*", ""))))


def bare(text: str) -> str:
    """Without what stands in square brackets, the inner ones first: remarks, citations, [n] and what E[…] is taken of."""
    while REMARK.search(text):
        text = REMARK.sub(" ", text)
    return text


@pytest.fixture(scope="module")
def paper() -> str:
    folder = os.environ.get("NORMEC_PAPERS")
    if not folder:
        pytest.skip("NORMEC_PAPERS does not name a folder with the papers' texts")
    text = (Path(folder) / "dp-normfedavg.md").read_text("utf-8")
    without_footnotes = re.sub(r"\n\n\d\. [^\n]*(\n\d\. [^\n]*)*", "", text)
    return " | ".join(" ".join(_paper(version)) for version in (text, without_footnotes))


def parts(printed: str) -> list[str]:
    """The words of each quoted part."""
    found = (words(part) for piece in printed.split("[…]") for part in re.split(PLACE, bare(piece)))
    return [" ".join(part) for part in found if part]


@pytest.mark.parametrize("claim", QUOTED, ids=lambda c: c.id)
def test_sentence_stands_in_the_paper(claim, paper: str) -> None:
    assert [part for part in parts(claim.printed) if part not in paper] == []


def test_a_word_that_is_changed_is_noticed(paper: str) -> None:
    printed = next(c.printed for c in QUOTED if c.id == "DAS-S4-DEGREE")
    changed = printed.replace("leads to worse", "leads to better")
    assert changed != printed
    assert any(part not in paper for part in parts(changed))
