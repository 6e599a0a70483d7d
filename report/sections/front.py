"""Page one: what was decided, what falls, what changes for a user, what was not run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from report.build import TITLE
from report.provenance import Provenance
from report.section import NotRun, Results, Section
from report.sections.experiments import tally
from report.typst import (
    Markup,
    badge,
    bullets,
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


def build(results: Results, sections: Sequence[Section], provenance: Provenance, profile: str) -> Section:
    """The title page, from the verdicts and from what the other sections say is missing."""
    head = call("align", "center", body=call("titled", body=TITLE))
    head += Markup("#v(2pt)\n")
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
    failed = [claim["id"] for claim in claims(result) if claim.get("failures")]
    if failed:
        body += paragraph(
            strong("Evidence that does not stand: "), f"{', '.join(failed)}. A defect of this project."
        )
    return body + _experiments(results) + missing + _theorems(printed) + _consequences(printed)


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
    """Which theorem-level statements fall, one line each."""
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
    body = paragraph(
        strong("Theorems and corollaries. "),
        f"Of {len(level)} statements, {counts['proved']} hold as printed, {len(fallen)} do not, and "
        f"{counts['unknown'] + counts['supported']} are not decided by proof. Of those that do not hold as "
        f"printed, {len(repaired)} have a corrected form that is proved.",
    )
    alike = _alike(fallen, lambda claim: (claim["verdict"], first_sentence(sentence(claim["reason"]))))
    rows = [[_links(group), badge(verdict), reason] for (verdict, reason), group in alike.items()]
    if rows:
        head = ["falls as printed", "verdict", "why"]
        body += table(head, rows, widths=["32%", "auto", "1fr"], size="7.2pt")
    return body


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


def _consequences(printed: Sequence[Claim]) -> Markup:
    """What changes for a user, as theorem-level and privacy statements themselves say."""
    speaking = [
        claim
        for claim in printed
        if claim.get("consequence") and (is_theorem_level(claim) or is_privacy(claim))
    ]
    if not speaking:
        return Markup("")
    items = [
        _links(group) + formula(written(f": {sentence(consequence)}"))
        for (consequence,), group in _alike(speaking, lambda claim: (claim["consequence"],)).items()
    ]
    recipes = link("What a user should use instead", "the recipes")
    lead = paragraph(
        strong("What changes for a user. "), "Parameters that the corrected statements allow: ", recipes, "."
    )
    return lead + call("text", "size: 8.6pt", body=bullets(items))


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
    clauses, cut, _ = first[:limit].rpartition("; ")
    return clauses if cut else first[:limit].rsplit(" ", 1)[0] + " …"
