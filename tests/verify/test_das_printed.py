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

QUOTED = [c for c in claims().values() if c.paper == "dp-normfedavg" and c.kind in ("prose", "privacy", "definition")]
REMARK = re.compile(r"\[[^\[\]]*\]")
PLACE = re.compile(r"\((abstract|text|Algorithm \d|caption of Figure \d|Theorem \d|Table \d|in C|G|\d(\.\d)?( \([ab]\))?)\)")
MATHEMATICS = {"min", "max", "arg", "log", "unif", "norm", "clip", "priv"}


def words(text: str) -> list[str]:
    flat = unicodedata.normalize("NFKD", text)
    flat = "".join(c for c in flat if not unicodedata.combining(c)).replace("’", "'").replace("-\n", "-")
    return [w for w in re.findall(r"[a-z]{3,}", flat.lower()) if w not in MATHEMATICS]


def _paper(text: str) -> list[str]:
    text = re.sub(r"\\(text\w*|emph)\{([^{}]*)\}", r" \2 ", text)
    return words(re.sub(r"\\[a-zA-Z]+|<[^<>]*>|\[\d[^\[\]]*\]", " ", text.replace("*", "")))


@pytest.fixture(scope="module")
def paper() -> str:
    folder = os.environ.get("NORMEC_PAPERS")
    if not folder:
        pytest.skip("NORMEC_PAPERS does not name a folder with the papers' texts")
    return " ".join(_paper((Path(folder) / "dp-normfedavg.md").read_text("utf-8")))


def parts(printed: str) -> list[str]:
    """The words of each quoted part."""
    pieces = printed.split("[…]")
    found = (words(REMARK.sub(" ", PLACE.sub(" … ", piece))) for piece in pieces)
    return [" ".join(part) for part in found if part]


@pytest.mark.parametrize("claim", QUOTED, ids=lambda c: c.id)
def test_sentence_stands_in_the_paper(claim, paper: str) -> None:
    assert [part for part in parts(claim.printed) if part not in paper] == []


def test_a_word_that_is_changed_is_noticed(paper: str) -> None:
    printed = next(c.printed for c in QUOTED if c.id == "DAS-S4-DEGREE")
    changed = printed.replace("leads to worse", "leads to better")
    assert changed != printed
    assert any(part not in paper for part in parts(changed))
