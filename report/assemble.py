"""From jobs to the bytes of the PDF: run, build each section, put page one in front, compile."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from report import verdicts
from report.build import compile_pdf
from report.jobs import Job, Tick, run_all, silent
from report.provenance import Provenance
from report.section import Results, Section
from report.sections import (
    claims,
    closing,
    experiments,
    front,
    mutants,
    privacy,
    rates,
    recipes,
    textbook,
    toy,
)


def sections(results: Results, provenance: Provenance) -> list[Section]:
    """All chapters after page one, in reading order."""
    papers = verdicts.papers(results["verify"]) or ["alpha-normec", "fed-alpha-normec", "dp-normfedavg"]
    return [
        *(claims.build(results, paper) for paper in papers),
        recipes.build(results),
        privacy.build(results),
        toy.build(results),
        rates.build(results),
        experiments.build(results),
        textbook.build(results),
        mutants.build(results),
        closing.build(results, provenance),
    ]


def assemble(
    jobs: Sequence[Job],
    provenance: Provenance,
    profile: str,
    folder: Path,
    fresh: bool = False,
    progress: Callable[[str], Tick] = lambda title: silent,
) -> tuple[bytes, dict[str, Any]]:
    """The PDF and a summary of it as plain data: pages, verdict counts, what was not run."""
    results = run_all(jobs, folder, fresh=fresh, progress=progress)
    progress("drawing")
    chapters = sections(results, provenance)
    page_one = front.build(results, chapters, provenance, profile)
    progress("typesetting")
    pdf, pages = compile_pdf(chapters, page_one, provenance)
    return pdf, {
        "pages": pages,
        "profile": profile,
        "commit": provenance.commit_text,
        "verdicts": verdicts.count(verdicts.claims(results["verify"])),
        "not_run": [item for chapter in chapters for item in chapter.missing],
    }
