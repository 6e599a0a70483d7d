"""Page one: each theorem on one line, with what stands of it, what falls, and what to use instead."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from report.section import Available, NotRun, Section
from report.sections import card, epsilons, front, toy
from report.sections.answer import ANSWERS, answer, stands
from report.sections.front import first_sentence
from report.typst import badge, paragraph

PINNED = Path(__file__).parents[1] / "verify" / "verdicts.json"


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


def test_a_reason_comes_with_its_versions_and_the_posters_last():
    group = [
        claim("NEC-T2-POSTER", "refuted", reason="2R is missing"),
        claim("NEC-T2-MAIN", "proved-if", reason="right but weak"),
        *(claim(f"NEC-T2-{name}@coordinate", "refuted", reason="no d") for name in ("MAIN", "APP")),
    ]
    (row,) = rows(built(group))
    assert '"MAIN, APP @coordinate: No d. POSTER: 2R is missing."' in row
    assert "right but weak" not in row, "what needs a condition is not false"


def test_a_third_reason_stands_where_several_versions_have_it():
    names = ("MAIN", "APP", "MAIN@T=1", "APP@T=1")
    reasons = ("one", "two", "three", "three")
    fallen = [
        claim(f"FED-T1-{n}", "refuted", reason=f"{r} is wrong") for n, r in zip(names, reasons, strict=True)
    ]
    (row,) = rows(built(fallen))
    assert "MAIN: One is wrong. APP: Two is wrong. MAIN, APP @T=1: Three is wrong." in row
    (row,) = rows(built(fallen[:-1]))
    assert "Three" not in row


def test_two_that_differ_in_their_own_name_alone_share_a_row():
    void = [
        claim(
            f"FED-C{n}",
            "refuted",
            kind="corollary",
            reason="the unit",
            consequence=f"Nothing makes Corollary {n} useful",
        )
        for n in (4, 6)
    ]
    (row,) = rows(built(void))
    assert "Nothing makes the corollary useful." in row
    assert '"C4"' in row
    assert '"C6"' in row


def test_a_reading_that_falls_in_several_theorems_for_one_reason_has_a_row_of_its_own():
    """Where its reason and its advice are the same in all of them; with no advice of its own it stays with its theorem."""
    received = [
        claim(f"DAS-T{n}@received", "refuted", reason="nobody sends", consequence="divide by P")
        for n in (4, 6)
    ]
    others = [claim("DAS-T4", "proved"), claim("DAS-T6", "refuted", reason="a sum", consequence="add c")]
    four, six, both = rows(built([*others, *received]))
    for row in (four, six):
        assert "@received" not in row
        assert "Divide by P" not in row
    assert '#strong[#"DAS-T4";];, #strong[#"T6";]' in both
    assert "claim:DAS-T4@received" in both
    assert "claim:DAS-T6@received" in both
    assert "Nobody sends." in both
    assert "Divide by P." in both
    without = [each | {"consequence": ""} for each in received]
    assert all("@received" in row for row in rows(built([*others, *without])))
    alone = rows(built([*others, received[0]]))
    assert len(alone) == 2


def test_a_row_of_its_own_stands_with_its_paper():
    shared = [claim(f"NEC-T{n}@x", "refuted", reason="no", consequence="yes") for n in (1, 2)]
    other = claim("FED-T1", "proved") | {"paper": "fed-alpha-normec"}
    first, last = rows(built([*shared, other]))
    assert "NEC-T1" in first
    assert "FED-T1" in last


def test_what_a_special_reading_asks_for_is_told_where_no_version_asks_for_anything():
    """A reading that falls before one that holds; those of versions alone where there are any."""
    holds = claim("FED-T1-MAIN@small-Delta", "proved", consequence="keep it small")
    falls = claim("FED-T1-MAIN@T=1", "refuted", consequence="put the other letter")
    plain = claim("FED-T1-MAIN", "refuted", consequence="use another bound")
    for group, told in (
        ([holds, falls, plain], "another bound"),
        ([holds, falls], "other letter"),
        ([holds], "small."),
    ):
        (row,) = rows(built(group))
        assert [words for words in ("another bound", "other letter", "small.") if words in row] == [told]


def test_a_reading_that_several_versions_have_is_said_once():
    names = ("MAIN", "APP", "MAIN@T=1", "APP@T=1", "APP@outside", "MAIN@U")
    group = [claim(f"FED-T1-{name}", "refuted") for name in names]
    links = re.findall(r'#to\("claim:FED-T1-(.*?)"\)\[#"(.*?)"', front._versions({"FED-T1": group}).source)
    assert [name for name, _ in links] == list(names)
    assert [shown for _, shown in links] == ["MAIN", "APP", "MAIN", "APP @T=1", "APP@outside", "MAIN@U"]


def test_without_a_consequence_the_corrected_form_is_told():
    form = {"verdict": "proved", "statement": "the same with c", "condition": "c ≥ 1"}
    (row,) = rows(built([claim("DAS-T7", "refuted", corrected=form)]))
    assert "Proved: the same with c (condition: c ≥ 1)." in row
    (row,) = rows(built([claim("DAS-T7", "refuted", corrected=form | {"statement": "long " * 40})]))
    assert "Proved with: c ≥ 1." in row


def test_every_clause_of_the_answer_stands_today():
    """A clause whose verdict changes is left out of the page; then its words are to be written anew."""
    today = json.loads(PINNED.read_text(encoding="utf-8"))
    selected = [claim(name, verdict) for name, verdict in today.items()]
    for clause in (clause for clauses in ANSWERS.values() for clause in clauses):
        assert stands(clause, selected), clause


def test_a_clause_is_said_only_with_its_verdicts():
    first = ANSWERS["alpha-normec"][0]
    ((name, verdict),) = first.rests_on.items()
    assert first.says in answer([claim(name, verdict)]).source
    assert first.says not in answer([claim(name, "refuted")]).source
    assert answer([]).source == ""


def test_page_one_says_once_what_was_not_run():
    numbers = Section("Experiments", paragraph(""), missing=("3 printed numbers",))
    assert front._missing([numbers]).source == ""
    both = front._missing([numbers, Section("Privacy", paragraph(""), missing=("an audit",))]).source
    assert "an audit" in both
    assert "printed numbers" not in both
    assert "nothing" in front._missing([]).source


TABLE = [
    {"root": "√K", "p": p, "seen": seen, "true ε, replace-one": value, "true ε, add-remove": "1"}
    for p, seen, value in (("1", "messages", "30.5193"), ("1", "sum", "7.0018"), ("0.5", "messages", "[51.12, 51.18]"),
                           ("0.5", "server-noise", "3"))
]  # fmt: skip


@pytest.mark.parametrize(
    ("interval", "told"),
    [
        ("30.5123", "30.5"),
        ("[10.8131, 10.815]", "10.8"),
        ("[7.06307, 7.29076]", "7.06 to 7.3"),
        ("[11.6654, 12.8831]", "11.6 to 12.9"),
    ],
)
def test_an_interval_of_epsilons_is_rounded_outwards(interval, told):
    assert epsilons.short(interval) == told


def test_the_true_epsilon_stands_beside_the_printed_one():
    told = claim(
        "NEC-EXP-DP", "refuted", kind="privacy", printed="the noise for ϵ = 8", tables={"true ε by p": TABLE}
    )
    source = epsilons.in_a_line([told]).source
    assert "ε = 8" in source
    assert "p = 1, 0.5" in source
    assert "30.5, 51.1 to 51.2 (every message seen)" in source
    assert "sums alone" not in source, "not known for every p"
    table = epsilons.summary([told]).source
    assert '[#"7";]' in table
    assert epsilons.summary([told | {"tables": {}}]).source == ""


def test_another_reading_of_the_same_noise_is_told_in_the_same_order():
    rows = [{"root": root, "p": p, "seen": seen, "true ε, replace-one": value}
            for root, p, seen, value in (("√K", "1", "messages", "30"), ("√K", "1", "sum", "7"), ("√KL", "1", "messages", "6"),
                                         ("√KL", "1", "sum", "2"))]  # fmt: skip
    told = claim("NEC-EXP-DP", "refuted", kind="privacy", printed="ϵ = 8", tables={"true ε by root": rows})
    source = epsilons.in_a_line([told]).source
    assert "is 30 (every message seen) or 7 (sums alone seen). " in source
    assert "With noise √KL they are 6 or 2. " in source
    assert source.count("ε = 8") == 1
    assert epsilons.READ in source


def test_a_bound_that_search_did_not_break_has_its_verdict():
    entry = {"bound": "FED-T1-MAIN", "reading": "", "broken": False, "ratio": 0.3, "reason": "x"}
    assert "refuted, see" in toy._decided(entry, {"FED-T1-MAIN": "refuted"}).source
    assert "refuted" not in toy._decided(entry, {"FED-T1-MAIN": "proved"}).source
    assert "refuted" not in toy._decided(entry | {"broken": True}, {"FED-T1-MAIN": "refuted"}).source
    several = {"NEC-T2-MAIN": "proved-if", "NEC-T2-MAIN@coordinate": "refuted"}
    noisy = entry | {"bound": "NEC-T2-MAIN", "reading": "per coordinate, d = 1000"}
    assert toy.refuted(noisy, several) == "NEC-T2-MAIN@coordinate"
    assert toy.refuted(noisy | {"reading": "per coordinate, d = 1"}, several) == ""
    assert toy.refuted(noisy | {"reading": "whole vector, d = 1000"}, several) == ""


@pytest.mark.parametrize("verdict", ["unknown", "supported"])
def test_what_is_not_decided_does_not_hold(verdict):
    (only,) = rows(built([claim("NEC-T9", "proved"), claim("NEC-T9@other", verdict)]))
    assert "holds as printed" not in only
    assert "not every version is decided" in only


def test_counts_are_those_of_the_claims():
    told = "2, with 4 versions and readings: 2 hold, 2 do not (for 1 what holds instead is proved"
    assert told in built(GROUP)
    assert "), 0 not decided by proof" in built(GROUP)


def test_theorems_of_which_the_same_is_said_share_a_row():
    alike = [claim(name, "refuted", reason="the unit is wrong") for name in ("FED-C3", "FED-C5")]
    (only,) = rows(built(alike))
    assert '#strong[#"FED-C3";]' in only
    assert '#strong[#"C5";]' in only
    assert "claim:FED-C5" in only


def test_in_a_shared_row_a_reading_is_said_once_with_a_link_for_each_theorem():
    names = ("C3", "C5", "C3@theorem1", "C5@theorem1", "C5@steps")
    groups = {n: [claim(f"FED-{x}", "refuted") for x in names if x.startswith(n)] for n in ("C3", "C5")}
    links = re.findall(r'#to\("claim:FED-(.*?)"\)\[#"(.*?)"', front._versions(groups).source)
    assert [name for name, _ in links] == list(names)
    assert [shown for _, shown in links] == ["C3", "C5", "C3", "C5 @theorem1", "C5@steps"]


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
        (
            "The second is smaller in small units, and then nothing pays",
            50,
            "The second is smaller in small units",
        ),
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
    assert "Again" not in card.card(usual, {}).source
    assert "tests/other.py" in card.card(usual | {"test": "tests/other.py::test_x"}, {}).source.replace(
        '", "', ""
    )


def test_a_card_that_runs_over_a_page_says_whose_it_is(provenance, pdf_text):
    from report.build import compile_pdf

    long = claim("NEC-X1", "proved", reason=" ".join(["filling"] * 3000))
    body = card.card(long, {}) + card.card(claim("NEC-X2", "proved"), {})
    text = pdf_text(
        compile_pdf([Section("Cards", body)], Section("front", paragraph("front")), provenance)[0]
    )
    first, *later = [page.count("NEC-X1, continued") for page in text if "filling" in page]
    assert first == 0
    assert set(later) == {1}
    assert "NEC-X2, continued" not in "".join(text)


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


@pytest.mark.parametrize(("known", "said"), [(None, False), (1, False), (807, True)])
def test_a_part_is_not_taken_for_the_whole(known, said):
    """Of a run that was cut short, or asked for some claims alone; a file that does not say how many there are is shown as it is."""
    one = claim("NEC-T1", "proved")
    data = {"claims": [one]} | ({} if known is None else {"catalogue": known})
    results = {"verify": Available(data, "pinned", 1.0), "experiments": NotRun("no runs")}
    source = front._verdicts(results, paragraph("")).source
    assert ("1 of the 807 claims were decided" in source) is said
    assert ("A part only" in source) is said


def test_a_file_of_an_earlier_catalogue_is_not_taken_for_the_whole():
    data = {"claims": [claim("NEC-T1", "proved")], "catalogue": 1, "absent": ["NEC-C1", "NEC-T2-MAIN"]}
    results = {"verify": Available(data, "pinned", 1.0), "experiments": NotRun("no runs")}
    assert "2 of the claims of today are not in the file of verdicts, which is older: NEC-C1" in (
        front._verdicts(results, paragraph("")).source
    )
