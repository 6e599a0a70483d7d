"""The end of the report: how to run each part again, and what it was made on."""

from __future__ import annotations

from report.provenance import Provenance, environment
from report.section import Available, Results, Section
from report.typst import (
    Markup,
    badge,
    call,
    code,
    escape,
    formula,
    heading,
    join,
    number,
    paragraph,
    strong,
    table,
)
from report.verdicts import MEANING, claims, usual_test

LINES = {
    "Condition, Weakest": "what the corrected form asks for in addition, and whether less would do",
    "Witness": "numbers that satisfy every printed hypothesis; the last inequality is what the printed conclusion says of "
    "them, and it is false. Both its sides are decimals, rounded, where one has more than six digits, and so is a number after ≈; all "
    "stand exactly in the JSON file of `python -m verify --json PATH`. “In the test” has letters that the words do not use",
    "Needed, Not needed": "hypotheses that the machine's proof cannot do without, and those that it can",
    "Letters": "what the prover knows of a letter by its definition, such as a norm being at least 0; a Gram minor is a "
    "determinant of scalar products of vectors",
    "Textbook results": "known results that the proof takes as given, which the chapter of that name tries on cases; a list of three "
    "or more that several claims share stands at the first of them",
    "Evidence": "how often which kind of question was asked, the answer, the program, the time. smt: an inequality between "
    "polynomials, for all real values; sympy, limit: an identity or a limit by computer algebra; witness replayed: both sides "
    "evaluated in fractions; claim cited: rests on another claim; units: both sides have the same physical unit; "
    "enumeration: all cases; accounting: a privacy accountant that bounds its own error; montecarlo, simulation: runs with random "
    "numbers, which decide with the confidence that is named and prove nothing",
    "Again": f"the test that establishes the verdict anew, with `python -m pytest` and its name in quotes; where a claim names none, "
    f"it is `{usual_test('ID')}` with the claim's id for ID",
}


def how_to_read() -> Markup:
    """What each verdict means, before any of them is used."""
    body = _lead(
        "Each statement was encoded as printed before anybody repaired it. A machine gave every verdict; "
        "nobody typed one. Each names the test that establishes it again."
    )
    body += table(["verdict", "what it means, exactly"], [[badge(v), text] for v, text in MEANING.items()],
                  widths=["auto", "1fr"], size="8pt")  # fmt: skip
    title = call("heading", "level: 2", "numbering: none", "outlined: false", body="How to read a verdict")
    return title + body + _card()


def _lead(*text: str) -> Markup:
    """A paragraph of the page that is to hold all of this and the contents."""
    return call("text", "size: 9pt", body="".join(text)) + Markup("\n\n")


def _card() -> Markup:
    """What an id says, and what the lines under a claim are."""
    title = call("heading", "level: 2", "numbering: none", "outlined: false", body="How to read a claim")
    ids = _lead(
        "An id begins with the letters of its paper. Then comes the place: T4 is Theorem 4, C corollary, L lemma, EQ ",
        "equation, A1 an assumption, AA, AC, AF, AH and APP… an appendix, ALG algorithm, EX an example, S a section, TAB a table, "
        "EXP ",
        "the experiments; a last part -S1, -S2, … is ",
        "a step of the printed proof. What stands after @ is one reading of a statement that can be read in several ways. ",
        "OUR, R1, SHARP, WIDE and the like are statements of our own. Words in [brackets] inside a quotation are ours.",
    )
    rows = [[strong(name), formula(text)] for name, text in LINES.items()]
    return title + ids + table(["line", "what it says"], rows, widths=["auto", "1fr"], size="8pt")


def build(results: Results, provenance: Provenance) -> Section:
    """Commands, seconds and origins of all results; versions and hardware."""
    rows = []
    for name, result in sorted(results.items()):
        if isinstance(result, Available):
            seconds = "read" if result.seconds is None else number(result.seconds)
            rows.append([code(name), code(result.origin), seconds])
        else:
            rows.append(
                [
                    code(name),
                    formula(result.reason + (f". {result.cure}" if result.cure else "")),
                    badge("not run"),
                ]
            )
    body = heading("Each result by itself")
    body += table(
        ["result", "command", "seconds"],
        rows,
        widths=["auto", "1fr", "auto"],
        align=["left", "left", "right"],
        size="7.6pt",
        inset="1.8pt",
    )
    verdict = claims(results["verify"]) if "verify" in results else []
    if verdict:
        told = formula("One verdict again: ") + code(f"python -m verify --claim {verdict[0]['id']}")
        told += formula(", or its test: ") + code(f"python -m pytest '{verdict[0]['test']}'")
        told += formula(". Every claim has its own, named after its id.")
        body += call("ids", body=told) + Markup("\n\n")
    body += paragraph(
        "The whole report again: ",
        code("make report"),
        "; at full length: ",
        code("make report PROFILE=full"),
        ".",
    )
    body += heading("Versions and hardware")
    facts = {"normec": provenance.version, "commit": provenance.commit_text, **environment()}
    told = join((strong(name) + escape(f" {value}") for name, value in facts.items()), "; ")
    body += call("ids", body=told) + Markup("\n\n")
    return Section("Run it again", body, own_page=False)
