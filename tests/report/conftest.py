"""Sample inputs of the report. They are made up, say so, and never leave this folder."""

from __future__ import annotations

import json
from pathlib import Path

import pypdfium2
import pytest

from report.provenance import Provenance
from verify.results import seal

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def sample_verdicts() -> dict:
    sample = json.loads((HERE / "sample_verdicts.json").read_text(encoding="utf-8"))
    return sample | {"sha256": seal(sample["claims"])}


@pytest.fixture(scope="session")
def sample_path(sample_verdicts, tmp_path_factory) -> Path:
    """The sample as the verifier would have written it."""
    path = tmp_path_factory.mktemp("sample") / "verdicts.json"
    path.write_text(json.dumps(sample_verdicts), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def provenance() -> Provenance:
    return Provenance("0.0.0", "0123456789abcdef", False, 1_700_000_000)


@pytest.fixture(scope="session")
def pdf_text():
    def read(pdf: bytes) -> list[str]:
        with pypdfium2.PdfDocument(pdf) as document:
            return [page.get_textpage().get_text_range() for page in document]

    return read
