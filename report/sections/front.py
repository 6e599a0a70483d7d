"""Page one: what was decided, what falls, what changes for a user, what was not run."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

from report.build import TITLE
from report.provenance import Provenance
from report.section import NotRun, Results, Section
from report.sections.experiments import tally
from report.typst import (
    Markup,
    badge,
    call,
    emphasis,
    formula,
    join,
    link,
    number,
    paragraph,
    sentence,
    strong,
    table,
    written,
)  # fmt: skip
from report.verdicts import (
    CITED,
    FALLEN,
    VERDICTS,
    Claim,
    claims,
    count,
    is_ours,
    is_privacy,
    is_theorem_level,
    papers,
    title,
)  # fmt: skip

IN_SHORT = (
    "proved: for all values. proved-if: true under a stated further condition or change. refuted: numbers that anyone can check (for "
    "some expectations: runs, at a stated confidence) satisfy the hypotheses and break the conclusion. inconsistent: the sources "
    "contradict each other or themselves. Each reading of a statement is counted."
)
"""The verdicts in a line each, for page one; in full under "How to read a verdict"."""

VERSIONS = "T: theorem, C: corollary. MAIN, TEXT, APP, POSTER: where a version is printed; after @: one reading of it."
"""What stands in the table of theorems."""


def build(results: Results, sections: Sequence[Section], provenance: Provenance, profile: str) -> Section:
    """The title page, from the verdicts and from what the other sections say is missing."""
    head = call("align", "center", body=call("titled", body=TITLE))
    head += call(
        "align",
        "center",
        body=formula(
            f"normec {provenance.version} · {provenance.date} · commit {provenance.commit_text} · "
            f"profile {profile}"
        ),
    )
    return Section("Summary", head + Markup("\n\n") + _cited() + _verdicts(results, _missing(sections)))


def _verdicts(results: Results, missing: Markup) -> Markup:
    result = results["verify"]
    if isinstance(result, NotRun):
        return (
            paragraph(strong("Statements: "), badge("not run"), f" {result.reason}. {result.cure}") + missing
        )
    printed = [claim for claim in claims(result) if not is_ours(claim)]
    ours = [claim for claim in claims(result) if is_ours(claim)]
    rows: list[list[object]] = [
        _count_row(_name(p), [claim for claim in printed if claim["paper"] == p]) for p in papers(result)
    ]
    rows.append([strong(cell) for cell in _count_row("all printed", printed)])
    if ours:
        rows.append(_count_row("statements of our own", ours))
    columns = len(VERDICTS) + 1
    body = table(
        ["statements", *(badge(v) for v in VERDICTS), "all"],
        rows,
        widths=["1fr", *["auto"] * columns],
        align=["left", *["right"] * columns],
    )
    body += call("text", "size: 7.6pt", body=formula(IN_SHORT)) + Markup("\n\n")
    failed = [claim["id"] for claim in claims(result) if claim.get("failures")]
    if failed:
        body += paragraph(
            strong("Evidence that does not stand: "), f"{', '.join(failed)}. A defect of this project."
        )
    return body + _theorems(printed) + _privacy(printed) + _experiments(results) + missing


def _experiments(results: Results) -> Markup:
    """How many of the printed numbers of the experiments were reproduced."""
    result = results["experiments"]
    if isinstance(result, NotRun):
        return Markup("")
    counts = Counter(row["verdict"] for row in result.value["rows"])
    printed = link("Experiments", f"{number(sum(counts.values()))} printed numbers")
    return paragraph(strong("Experiments. "), "Of ", printed, f": {tally(counts)}.")


def _name(paper: str) -> str:
    """The method and the letters with which the ids of its claims begin."""
    return f"{title(paper)} ({CITED[paper][0]}-…)" if paper in CITED else title(paper)


def _cited() -> Markup:
    lines = join(
        (emphasis(f"{title(paper)}: ") + formula(words) for paper, (_, words) in CITED.items()), " \\ "
    )
    return call("text", "size: 7.6pt", body=lines) + Markup("\n\n")


def _count_row(name: str, selected: Sequence[Claim]) -> list[object]:
    counts = count(selected)
    return [name, *(str(counts[v]) for v in VERDICTS), str(len(selected))]


def _theorems(printed: Sequence[Claim]) -> Markup:
    """Which theorems and corollaries fall, what to use instead, and which stand: one line for those of which the same is said."""
    level = [claim for claim in printed if is_theorem_level(claim)]
    if not level:
        return Markup("")
    counts = count(level)
    fallen = sorted(
        (claim for claim in level if claim["verdict"] in FALLEN), key=lambda c: FALLEN.index(c["verdict"])
    )
    repaired = [
        claim for claim in fallen if claim.get("corrected") and claim["corrected"]["verdict"] == "proved"
    ]
    groups: dict[str, list[Claim]] = {}
    for claim in level:
        groups.setdefault(_theorem(claim), []).append(claim)
    body = paragraph(
        strong("Theorems and corollaries. "),
        f"There are {len(groups)}, with {len(level)} versions and readings: {counts['proved']} hold as printed, {len(fallen)} do "
        f"not, {counts['unknown'] + counts['supported']} not decided by proof. Of those that do not, {len(repaired)} "
        f"have a corrected form that is proved. {VERSIONS}",
    )
    lines: dict[tuple[str, ...], list[str]] = {}
    for name, group in groups.items():
        lines.setdefault((_reasons(group), _instead(group)), []).append(name)
    rows = [
        [
            join((strong(name) for name in names), ", "),
            join((_versions(name, groups[name]) for name in names), " \\ "),
            formula(reasons),
            formula(instead),
        ]
        for (reasons, instead), names in lines.items()
    ]
    head = ["", "versions and readings", "what is wrong as printed", "for a user"]
    return body + table(head, rows, widths=["1.5cm", "26%", "1fr", "26%"], size="6.9pt", inset="2pt")


def _theorem(claim: Claim) -> str:
    """The theorem or corollary that a claim is a version of: `NEC-T2` of `NEC-T2-MAIN@coordinate`."""
    found = re.match(r"[A-Z]+-[TC]\d+", claim["id"])
    return found[0] if found else claim["id"].partition("@")[0]


def _versions(name: str, group: Sequence[Claim]) -> Markup:
    """The versions by verdict, readings last."""
    shown: dict[str, list[Markup]] = {}
    for claim in sorted(group, key=lambda claim: (VERDICTS.index(claim["verdict"]), "@" in claim["id"])):
        rest = claim["id"].removeprefix(name)
        if rest[:1].isalpha():
            rest = name.partition("-")[2] + rest
        rest = rest.removeprefix("-") or "the statement"
        shown.setdefault(claim["verdict"], []).append(link(f"claim:{claim['id']}", rest))
    return join(
        (strong(verdict) + Markup(" ") + join(names, ", ") for verdict, names in shown.items()), " \\ "
    )


def _reasons(group: Sequence[Claim]) -> str:
    """Why versions fall, at most two reasons, those of versions that are no special reading first."""
    fallen = [claim for claim in group if claim["verdict"] in FALLEN]
    fallen.sort(key=lambda claim: ("@" in claim["id"], FALLEN.index(claim["verdict"])))
    said = dict.fromkeys(first_sentence(written(sentence(claim["reason"])), 120) for claim in fallen)
    if not said:
        proved = all(claim["verdict"] == "proved" for claim in group)
        return (
            "Nothing: it holds as printed." if proved else "Nothing is known; not every version is decided."
        )
    return " ".join(sentence(text) for text in list(said)[:2])


def _instead(group: Sequence[Claim]) -> str:
    """What to use instead; where no version says that, whether there is a corrected form."""
    said = dict.fromkeys(sentence(claim["consequence"]) for claim in group if claim.get("consequence"))
    if not said:
        forms = {(claim.get("corrected") or {}).get("verdict") for claim in group}
        said = dict.fromkeys(["The corrected form, which is proved." if "proved" in forms else "–"])
    return written(" ".join(said))


def _alike(
    selected: Sequence[Claim], said: Callable[[Claim], tuple[str, ...]]
) -> dict[tuple[str, ...], list[Claim]]:
    """The claims of which the same is said, in the order of the first of each."""
    groups: dict[tuple[str, ...], list[Claim]] = {}
    for claim in selected:
        groups.setdefault(said(claim), []).append(claim)
    return groups


def _links(group: Sequence[Claim]) -> Markup:
    return join((link(f"claim:{claim['id']}", claim["id"]) for claim in group), ", ")


def _privacy(printed: Sequence[Claim]) -> Markup:
    """How the privacy statements come out, and where it says what that means for a user."""
    private = [claim for claim in printed if is_privacy(claim)]
    if not private:
        return Markup("")
    told = ", ".join(f"{n} {verdict}" for verdict, n in count(private).items() if n)
    statements = link("Privacy", f"{number(len(private))} privacy statements and readings")
    recipes = link("What a user should use instead", "the recipes")
    return paragraph(
        strong("Privacy. "),
        "Of ",
        statements,
        f": {told}. Parameters that the corrected statements allow: ",
        recipes,
        ".",
    )


def _missing(sections: Sequence[Section]) -> Markup:
    missing = [(section.title, item) for section in sections for item in section.missing]
    if not missing:
        return paragraph(strong("Not run: "), "nothing; every part of the report has its results.")
    items = [link(section, item) for section, item in missing]
    joined = formula("; ").source.join(item.source for item in items)
    return paragraph(strong(f"Not run ({number(len(missing))}): "), Markup(joined), ".")


def first_sentence(text: str, limit: int = 170) -> str:
    """The first sentence; where it is long, as many of its clauses as fit, or, where none does, of its words."""
    first = text.split(". ")[0].rstrip(".")
    if len(first) <= limit:
        return first
    clauses = max(first[:limit].rfind("; "), first[:limit].rfind(": "))
    return first[:clauses] if clauses > 0 else first[:limit].rsplit(" ", 1)[0] + " …"
