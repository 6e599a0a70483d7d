"""The PDF as a whole: same inputs, same bytes; what page one says; figures."""

from __future__ import annotations

import io

import pikepdf
import pytest

from gpu_benchmarks import reported
from report.assemble import sections
from report.build import compile_pdf
from report.plan import plan
from report.plots import draw, heat_map, style
from report.section import Available, NotRun, Section
from report.sections import front
from report.typst import figure, paragraph
from report.verdicts import CITED, PAPERS, VERDICTS, claims, count, usual_test
from verify import decide


@pytest.fixture(scope="module")
def results(sample_verdicts):
    jobs = [job.name for job in plan("quick")]
    absent = {name: NotRun(f"{name} is left out of the sample") for name in jobs}
    return absent | {"verify": Available(sample_verdicts, "the sample", 1.0)}


@pytest.fixture(scope="module")
def built(results, provenance):
    chapters = sections(results, provenance)
    return compile_pdf(chapters, front.build(results, chapters, provenance, "quick"), provenance)


def subtypes(pdf: bytes) -> set[str]:
    """What the document's streams say they are: a picture made of points, a font, what describes the document."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        streams = [entry for entry in document.objects if isinstance(entry, pikepdf.Stream)]
        return {str(entry.get("/Subtype")) for entry in streams}


def test_same_inputs_give_the_same_bytes(results, provenance, built):
    chapters = sections(results, provenance)
    again, _ = compile_pdf(chapters, front.build(results, chapters, provenance, "quick"), provenance)
    assert again == built[0]


def test_another_input_gives_other_bytes(results, provenance, built):
    chapters = sections(results, provenance)
    other, _ = compile_pdf(chapters, front.build(results, chapters, provenance, "full"), provenance)
    assert other != built[0]


def test_what_makes_it_readable_aloud_is_there_and_compressed(built):
    """The tags of a document that is read aloud are most of its bytes, and Typst leaves them as they are."""
    with pikepdf.open(io.BytesIO(built[0])) as document:
        assert document.Root.MarkInfo.Marked
        assert document.Root.StructTreeRoot.Type == pikepdf.Name.StructTreeRoot
    assert b"/StructElem" not in built[0]


def test_number_of_pages_is_that_of_the_pdf(built, pdf_text):
    pdf, pages = built
    assert len(pdf_text(pdf)) == pages > 4


def test_page_one_counts_the_verdicts(built, pdf_text, sample_verdicts, results):
    first = " ".join(pdf_text(built[0])[0].split())
    counts = count(claims(results["verify"]))
    assert sum(counts.values()) == len(sample_verdicts["claims"])
    assert f"all printed {' '.join(str(counts[v]) for v in VERDICTS)} {sum(counts.values())}" in first
    assert "Theorems and corollaries. 2, with 2 versions and readings: 0 hold, 2 do not" in first
    assert "0123456789ab" in first
    assert "14 November 2023" in first


def test_each_claim_is_shown_with_witness_and_test(built, pdf_text, sample_verdicts):
    text = "".join("".join(pdf_text(built[0])).split())
    for claim in sample_verdicts["claims"]:
        assert claim["id"] in text
        named = (
            claim["test"].replace(claim["id"], "ID")
            if claim["test"] == usual_test(claim["id"])
            else claim["test"]
        )
        assert named.replace(" ", "") in text
    assert "costs$5#1*notbold*_notitalic_<tag>@ref[x]~raw//nocomment/*norhere*/" in text
    assert "β=15/8" in text


def test_without_verdicts_page_one_says_not_run(provenance, pdf_text, results):
    results = results | {"verify": NotRun("no verifier here", "install it")}
    chapters = sections(results, provenance)
    pdf, _ = compile_pdf(chapters, front.build(results, chapters, provenance, "quick"), provenance)
    first = pdf_text(pdf)[0]
    assert "not run" in first
    assert "no verifier here" in first


def test_figures_are_vector_and_deterministic(provenance):
    def paint(axes):
        axes.plot([0, 1, 2], [1, 3, 2], **style(1), label="‖∇f(xᵏ)‖")
        axes.legend()

    first, second = draw(paint), draw(paint)
    assert first == second
    assert b"<image" not in first
    section = Section("S", paragraph("x") + figure("plot", "A caption"), {"plot": first})
    pdf, pages = compile_pdf([section], Section("front", paragraph("front")), provenance)
    assert pages == 2  # what comes before the chapters, then the chapter
    assert "/XML" in subtypes(pdf)
    assert "/Image" not in subtypes(pdf)


def test_two_figures_of_one_name_are_an_error(provenance):
    section = Section("S", paragraph("x"), {"plot": b"<svg/>"})
    with pytest.raises(ValueError, match=r"\['plot'\] are drawn twice"):
        compile_pdf([section, section], Section("front", paragraph("front")), provenance)


def test_heat_map_writes_every_number_and_hatches_what_is_missing():
    written = []

    def notation(value):
        written.append(value)
        return "–" if value is None else f"{value:.1f}"

    svg = draw(lambda axes: heat_map(axes, [[1.0, None], [2.0, 3.0]], ["a", "b"], ["c", "d"], low=1, high=3,
                                     notation=notation))  # fmt: skip
    assert written == [1.0, None, 2.0, 3.0]
    assert b"<pattern" in svg


def test_the_papers_have_one_list():
    """The rooms that cannot import each other name the same papers in the same order."""
    assert tuple(PAPERS) == tuple(CITED) == decide.PAPERS == reported.PAPERS
