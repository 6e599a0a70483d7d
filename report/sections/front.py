"""Page one: what was decided, what falls, what changes for a user, what was not run."""

from __future__ import annotations

from collections.abc import Sequence

from report.build import TITLE
from report.provenance import Provenance
from report.section import NotRun, Results, Section
from report.typst import Markup, badge, bullets, call, formula, link, number, paragraph, strong, table
from report.verdicts import FALLEN, VERDICTS, Claim, claims, count, is_theorem_level, papers, title


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
    return Section("Summary", head + Markup("\n\n") + _verdicts(results) + _missing(sections))


def _verdicts(results: Results) -> Markup:
    result = results["verify"]
    if isinstance(result, NotRun):
        return paragraph(strong("Statements: "), badge("not run"), f" {result.reason}. {result.cure}")
    rows = []
    for paper in papers(result):
        counts = count(claims(result, paper))
        rows.append([title(paper), *(str(counts[v]) for v in VERDICTS), str(sum(counts.values()))])
    counts = count(claims(result))
    rows.append([strong("all"), *(strong(counts[v]) for v in VERDICTS), strong(sum(counts.values()))])
    body = table(
        ["statements", *(badge(v) for v in VERDICTS), "all"],
        rows,
        widths=["1fr", *["auto"] * (len(VERDICTS) + 1)],
        align=["left", *["right"] * (len(VERDICTS) + 1)],
    )
    return body + _fallen(claims(result))


def _fallen(selected: Sequence[Claim]) -> Markup:
    level = [claim for claim in selected if is_theorem_level(claim)]
    if not level:
        return Markup("")
    counts = count(level)
    fallen = [claim for claim in level if claim["verdict"] in FALLEN]
    fallen.sort(key=lambda claim: FALLEN.index(claim["verdict"]))
    repaired = [
        claim for claim in fallen if claim.get("corrected") and claim["corrected"]["verdict"] == "proved"
    ]
    body = paragraph(
        strong("Theorems and corollaries. "),
        f"Of {len(level)} statements, {counts['proved']} hold as printed, {len(fallen)} do not, and "
        f"{counts['unknown'] + counts['supported']} are not decided by proof. Of those that do not hold as "
        f"printed, {len(repaired)} have a corrected form that is proved.",
    )
    rows = [
        [
            link(f"claim:{claim['id']}", claim["id"]),
            badge(claim["verdict"]),
            formula(_first_sentence(claim["reason"])),
        ]
        for claim in fallen
    ]
    if rows:
        body += table(
            ["falls as printed", "verdict", "why"], rows, widths=["auto", "auto", "1fr"], size="7.8pt"
        )
    return body + _changes(selected, fallen)


def _changes(selected: Sequence[Claim], fallen: Sequence[Claim]) -> Markup:
    """What a user of the papers must do otherwise, as far as the verdicts say."""
    private = [claim for claim in selected if claim["kind"] == "privacy" and claim["verdict"] in FALLEN]
    items = []
    if fallen:
        items.append(
            Markup("Do not set parameters by the statements listed above; each has its corrected form, and ")
            + link("What a user should use instead", "the recipes")
            + formula(" compute the parameters from it.")
        )
    if private:
        ids = formula(", ").source.join(link(f"claim:{claim['id']}", claim["id"]).source for claim in private)
        items.append(
            Markup(f"The printed privacy does not hold as printed in {ids} ".replace("  ", " "))
            + formula(
                f"({len(private)} of {sum(claim['kind'] == 'privacy' for claim in selected)} privacy "
                "statements): calibrate the noise with the calibrator instead."
            )
        )
    if not items:
        return Markup("")
    return paragraph(strong("What changes for a user.")) + bullets(items)


def _missing(sections: Sequence[Section]) -> Markup:
    missing = [(section.title, item) for section in sections for item in section.missing]
    if not missing:
        return paragraph(strong("Not run: "), "nothing; every part of the report has its results.")
    items = [link(section, item) for section, item in missing]
    joined = formula("; ").source.join(item.source for item in items)
    return paragraph(strong(f"Not run ({number(len(missing))}): "), Markup(joined), ".")


def _first_sentence(text: str, limit: int = 190) -> str:
    """The first sentence, cut at a word where it is long."""
    sentence = text.split(". ")[0].rstrip(".")
    if len(sentence) <= limit:
        return sentence
    return sentence[:limit].rsplit(" ", 1)[0] + " …"
