"""Page one: each theorem on one line, with what stands of it, what falls, and what to use instead."""

from __future__ import annotations

import re

import pytest

from report.section import Available, Section
from report.sections import claims, front, toy
from report.sections.front import first_sentence
from report.typst import badge


def claim(name: str, verdict: str, kind: str = "theorem", **more: object) -> dict:
    return {
        "id": name, "paper": "alpha-normec", "place": "Section 1", "kind": kind, "origin": "printed", "printed": "x",
        "verdict": verdict, "reason": f"because of {name}", "evidence": [],
        "test": f"tests/verify/test_claims.py::test_claim[{name}]", **more,
    }  # fmt: skip


GROUP = [
    claim("NEC-T2-MAIN@coordinate", "refuted"),
    claim(
        "NEC-T2-MAIN",
        "refuted",
        consequence="use the other one",
        corrected={"verdict": "proved", "statement": "y"},
    ),
    claim("NEC-T2-APP", "proved"),
    claim("NEC-C1", "proved", kind="corollary"),
    claim("NEC-T2-X", "proved", kind="privacy"),
]


def rows(source: str) -> list[str]:
    """The rows of the table of theorems."""
    return [line for line in source.split("\n  ") if line.startswith("[#strong")]


def built(group: list[dict]) -> str:
    return front._theorems(group).source


def test_a_theorem_is_one_row_with_all_its_versions():
    theorem, corollary = rows(built(GROUP))
    assert '#strong[#"NEC-T2";]' in theorem
    for versions, verdict in ((("MAIN", "MAIN@coordinate"), "refuted"), (("APP",), "proved")):
        said = "".join(rf'[^\\]*claim:NEC-T2-{version}"' for version in versions)  # a backslash ends the line
        assert re.search(rf'#strong\[#"{verdict}";\]{said}', theorem)
    assert "NEC-T2-X" not in theorem, "a privacy statement is no version of the theorem"
    assert '#strong[#"NEC-C1";]' in corollary
    assert '#strong[#"proved";]; #to("claim:NEC-C1")' in corollary
    assert "it holds as printed" in corollary


def test_what_falls_comes_with_its_reason_and_what_to_use():
    (theorem, _) = rows(built(GROUP))
    main, special = (
        theorem.index("Because of NEC-T2-MAIN."),
        theorem.index("Because of NEC-T2-MAIN@coordinate."),
    )
    assert main < special, "a reading that is no version of its own comes last"
    assert "Use the other one." in theorem


@pytest.mark.parametrize("verdict", ["unknown", "supported"])
def test_what_is_not_decided_does_not_hold(verdict):
    (only,) = rows(built([claim("NEC-T9", "proved"), claim("NEC-T9@other", verdict)]))
    assert "holds as printed" not in only
    assert "not every version is decided" in only


def test_counts_are_those_of_the_claims():
    assert "There are 2, with 4 versions and readings: 2 hold as printed, 2 do not, 0 not decided" in built(
        GROUP
    )
    assert "1 have a corrected form that is proved" in built(GROUP)


def test_theorems_of_which_the_same_is_said_share_a_row():
    alike = [claim(name, "refuted", reason="the unit is wrong") for name in ("FED-C3", "FED-C5")]
    (only,) = rows(built(alike))
    assert '#strong[#"FED-C3";]' in only
    assert '#strong[#"FED-C5";]' in only
    assert "claim:FED-C5" in only


@pytest.mark.parametrize(
    ("text", "limit", "shown"),
    [
        ("Short. And more.", 40, "Short"),
        (
            "The bound does not depend on d: with many coordinates x stays",
            40,
            "The bound does not depend on d",
        ),
        ("One clause; another; a third that is too long", 25, "One clause; another"),
        ("no clause at all but many words in a row", 20, "no clause at all …"),
    ],
)
def test_a_long_sentence_is_cut_at_a_clause(text, limit, shown):
    assert first_sentence(text, limit) == shown


def test_privacy_has_a_line_of_its_own():
    source = front._privacy(GROUP).source
    assert "1 privacy statements and readings" in source
    assert "1 proved" in source


def test_a_test_is_named_where_it_is_not_the_usual_one():
    usual = claim("NEC-L1", "proved", kind="lemma")
    assert "Again" not in claims._card(usual).source
    assert "tests/other.py" in claims._card(usual | {"test": "tests/other.py::test_x"}).source.replace(
        '", "', ""
    )


def test_an_attack_that_found_nothing_does_not_repeat_its_columns():
    assert toy.decided("no instance of 22464 came above 0.6648 of the bound") == "no instance above this"
    assert (
        toy.decided("no instance of 9 came above 0.7 of the bound; loose by up to a factor 1.4")
        == "loose by up to a factor 1.4"
    )
    assert toy.decided("exact witness: 1.5 > 1.01") == "exact witness: 1.5 > 1.01"


def test_the_consequence_of_a_privacy_statement_stands_in_the_chapter():
    from report.sections import privacy

    told = claim("NEC-EQ3", "refuted", kind="privacy", consequence="take twice the noise")
    source = privacy._statements(Available({"claims": [told]}, "a sample"))[0].source
    assert "Take twice the noise." in source
    assert badge("refuted").source in source


def test_a_section_without_its_own_page_follows_on(provenance):
    from report.build import compile_pdf
    from report.typst import paragraph

    def pages(own: bool) -> int:
        chapters = [Section(str(n), paragraph("text"), own_page=own) for n in range(3)]
        return compile_pdf(chapters, Section("front", paragraph("front")), provenance)[1]

    assert pages(True) - pages(False) >= 2
