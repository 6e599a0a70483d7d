"""Sections to one PDF. The same sections and the same provenance give the same bytes."""

from __future__ import annotations

import datetime
import io
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

import matplotlib
import pikepdf
import typst

from report.provenance import Provenance
from report.section import Section
from report.sections.closing import how_to_read
from report.typst import Markup, anchor, heading, string

TITLE = "Does the theory of normalised federated optimisation hold?"
_STYLE = Path(__file__).with_name("style.typ")


def fonts() -> typst.Fonts:
    """The fonts that come with Typst and matplotlib; the machine's own are left out, so that machines
    agree."""
    return typst.Fonts(
        include_system_fonts=False,
        include_embedded_fonts=True,
        font_paths=[str(Path(matplotlib.get_data_path()) / "fonts" / "ttf")],
    )


def source(sections: Sequence[Section], front: Markup, provenance: Provenance) -> str:
    """The whole Typst document; figures are read from files named after them."""
    date = datetime.datetime.fromtimestamp(provenance.epoch, datetime.UTC)
    parts = [
        '#import "style.typ": *',
        f"#show: conf.with(title: {string(TITLE)}, "
        f"date: datetime(year: {date.year}, month: {date.month}, day: {date.day}))",
        front.source,
        how_to_read().source,
        "#heading(level: 2, numbering: none, outlined: false)[Contents]\n#contents()\n",
    ]
    for number, section in enumerate(sections):
        if section.own_page:
            parts.append("#pagebreak(weak: true)")
        parts.append(
            (heading(section.title, 1, f"section:{number}") + anchor(section.title) + section.body).source
        )
    parts.append("#context [#metadata(counter(page).final().first())<pages>]")
    return "\n\n".join(parts)


def compile_pdf(sections: Sequence[Section], front: Section, provenance: Provenance) -> tuple[bytes, int]:
    """The PDF and its number of pages.

    Raises `ValueError` where two sections draw a figure of the same name and `RuntimeError` with Typst's
    own message where the markup does not compile (a defect of the report, never of an input).
    """
    figures: dict[str, bytes] = {}
    for section in (front, *sections):
        if twice := figures.keys() & section.figures.keys():
            raise ValueError(f"{section.title}: figures {sorted(twice)} are drawn twice")
        figures |= section.figures
    with tempfile.TemporaryDirectory(prefix="normec-report-") as folder:
        root = Path(folder)
        (root / "style.typ").write_text(_STYLE.read_text(encoding="utf-8"), encoding="utf-8")
        for name, svg in figures.items():
            (root / f"{name}.svg").write_bytes(svg)
        main = root / "main.typ"
        main.write_text(source(sections, front.body, provenance), encoding="utf-8")
        compiler = typst.Compiler(main, root=root, font_paths=fonts(), ignore_system_fonts=True)
        try:
            pdf, warnings = compiler.compile_with_warnings(format="pdf", timestamp=provenance.epoch)
            pages = json.loads(compiler.query("<pages>", field="value", one=True))
        except typst.TypstError as error:
            raise RuntimeError(f"the report does not compile: {error.message}\n{error.diagnostic}") from error
    if warnings:
        raise RuntimeError(
            "the report compiles with warnings: " + "; ".join(str(warning) for warning in warnings)
        )
    assert isinstance(pdf, bytes)
    return compressed(pdf), pages


def compressed(pdf: bytes) -> bytes:
    """The same document in a third of the bytes. Typst compresses what a page shows, and leaves what makes it readable aloud (the tag
    of every word and cell, most of a long report) as it is."""
    smaller = io.BytesIO()
    with pikepdf.open(io.BytesIO(pdf)) as document:
        document.save(smaller, object_stream_mode=pikepdf.ObjectStreamMode.generate, deterministic_id=True)
    return smaller.getvalue()
