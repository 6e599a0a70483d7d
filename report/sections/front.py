"""Page one: what was decided, what falls, what changes for a user, what was not run."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from report.build import TITLE
from report.provenance import Provenance
from report.section import Available, NotRun, Results, Section
from report.sections import experiments
from report.sections.answer import answer
from report.sections.chapter import not_run
from report.sections.epsilons import in_a_line
from report.typst import (
    Markup,
    badge,
    call,
    emphasis,
    formula,
    join,
    link,
    markup,
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
    THEOREM_KINDS,
    VERDICTS,
    Claim,
    claims,
    count,
    is_ours,
    is_privacy,
    is_theorem_level,
    title,
)  # fmt: skip

KINDS = {
    "theorems and corollaries": THEOREM_KINDS,
    "lemmas, equations, definitions": ("lemma", "equation", "definition"),
    "steps of proofs": ("step",),
    "sentences of prose": ("prose",),
    "privacy": ("privacy",),
}
"""The rows of the table of verdicts: kinds of claims that weigh alike."""

VERSIONS = (
    "T: theorem, C: corollary. MAIN, TEXT, APP, POSTER: where a version is printed; after @: one reading of it. "
    "Each is counted."
)
"""What stands in the table of theorems."""


LONGEST = 125
"""Characters of a reason in the table of theorems; of a longer one its first clauses."""


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
    body = head + Markup("\n\n") + _cited() + _verdicts(results, _missing(sections))
    close = "#v(-1cm)#set par(spacing: 0.85em)"  # the page has no header and is to hold everything
    return Section("Summary", Markup(f"#[{close}\n{body}]\n\n"))


def _verdicts(results: Results, missing: Markup) -> Markup:
    result = results["verify"]
    if isinstance(result, NotRun):
        return strong("Statements: ") + not_run(result) + missing
    printed = [claim for claim in claims(result) if not is_ours(claim)]
    ours = [claim for claim in claims(result) if is_ours(claim)]
    rows: list[list[object]] = [
        _count_row(name, chosen)
        for name, kinds in KINDS.items()
        if (chosen := [claim for claim in printed if claim["kind"] in kinds])
    ]
    rows.append([strong(cell) for cell in _count_row("all printed", printed)])
    if ours:
        rows.append(_count_row("statements of our own", ours))
    columns = len(VERDICTS) + 1
    body = (
        _part(result)
        + answer(claims(result))
        + table(
            ["statements, with their readings", *(badge(v) for v in VERDICTS), "all"],
            rows,
            widths=["1fr", *["auto"] * columns],
            align=["left", *["right"] * columns],
            size="8pt",
            inset="1.8pt",
        )
    )
    failed = [claim["id"] for claim in claims(result) if claim.get("failures")]
    if failed:
        body += paragraph(
            strong("Evidence that does not stand: "), f"{', '.join(failed)}. A defect of this project."
        )
    return body + _theorems(printed) + _privacy(printed) + _experiments(results) + missing


def _part(result: Available) -> Markup:
    """That the verdicts are of a part of the claims, where they are: a run that was cut short, or that was asked for some."""
    decided, known = len(claims(result)), result.value.get("catalogue", 0)
    since = result.value.get("absent", ())
    if decided < known:
        told = f"{decided} of the {known} claims were decided; of the others this report says nothing."
    elif since:
        told = f"{len(since)} of the claims of today are not in the file of verdicts, which is older: {since[0]}, for one."
    else:
        return Markup("")
    return paragraph(strong("A part only: "), told)


def _experiments(results: Results) -> Markup:
    """How many of the printed numbers of the experiments were reproduced."""
    result = results["experiments"]
    if isinstance(result, NotRun):
        return Markup("")
    rows = result.value["rows"]
    printed = link("Experiments", f"{number(len(rows))} printed numbers")
    return _small(strong("Experiments. "), "Of ", printed, f": {experiments.tally(rows)}.")


def _small(*parts: object) -> Markup:
    """A paragraph of page one, which is to hold everything."""
    return call("text", "size: 8pt", body=join(markup(part) for part in parts)) + Markup("\n\n")


def _cited() -> Markup:
    lines = join(
        (
            emphasis(f"{title(paper)} ({letters}-…): ") + formula(words)
            for paper, (letters, words) in CITED.items()
        ),
        " \\ ",
    )
    return call("text", "size: 7.6pt", body=lines) + Markup("\n\n")


def _count_row(name: str, selected: Sequence[Claim]) -> list[object]:
    counts = count(selected)
    return [name, *(str(counts[v]) for v in VERDICTS), str(len(selected))]


def _theorems(printed: Sequence[Claim]) -> Markup:
    """Which theorems and corollaries fall, what to use instead, and which stand: one line for those of which the same is said, and one
    for a reading of which the same is said in several of them."""
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
    body = _small(
        strong("Theorems and corollaries. "),
        f"{len(groups)}, with {len(level)} versions and readings: {counts['proved']} hold, {len(fallen)} do not (for {len(repaired)} "
        f"what holds instead is proved, be it that nothing does), {counts['unknown'] + counts['supported']} not decided by proof. "
        f"{VERSIONS}",
    )
    shared = _shared(level)
    apart = {claim["id"] for readings in shared for claim in readings}
    lines: dict[tuple[str, str], dict[str, list[Claim]]] = {}
    for name, group in groups.items():
        if own := [claim for claim in group if claim["id"] not in apart]:
            lines.setdefault((_reasons(name, own), _instead(name, own)), {})[name] = own
    for readings in shared:
        line = lines.setdefault((sentence(_reason(readings[0])), _advice(readings[0])), {})
        for claim in readings:
            line.setdefault(_theorem(claim), []).append(claim)
    papers = list(dict.fromkeys(claim["paper"] for claim in level))
    rows = [
        [_names(list(line)), _versions(line), formula(reasons), formula(instead)]
        for (reasons, instead), line in sorted(
            lines.items(), key=lambda it: papers.index(next(iter(it[1].values()))[0]["paper"])
        )
    ]
    head = ["", "versions and readings", "what is wrong as printed", "for a user"]
    return body + table(head, rows, widths=["1.2cm", "26%", "1fr", "33%"], size="6.7pt", inset="1.5pt")


def _shared(level: Sequence[Claim]) -> list[list[Claim]]:
    """Readings that fall in several theorems for one reason and with one advice of their own, by these two."""
    alike: dict[tuple[str, str], list[Claim]] = {}
    for claim in level:
        if "@" in claim["id"] and claim["verdict"] in FALLEN and claim.get("consequence"):
            alike.setdefault((_reason(claim), _advice(claim)), []).append(claim)
    return [readings for readings in alike.values() if len({_theorem(claim) for claim in readings}) > 1]


def _reason(claim: Claim) -> str:
    return first_sentence(written(sentence(claim["reason"])), LONGEST)


def _advice(claim: Claim) -> str:
    return written(sentence(claim["consequence"]))


def _theorem(claim: Claim) -> str:
    """The theorem or corollary that a claim is a version of: `NEC-T2` of `NEC-T2-MAIN@coordinate`."""
    found = re.match(r"[A-Z]+-[TC]\d+", claim["id"])
    return found[0] if found else claim["id"].partition("@")[0]


def _versions(groups: Mapping[str, Sequence[Claim]]) -> Markup:
    """The versions by verdict, readings last, each reading once; by the theorem's name too where a row has several."""
    shown: dict[str, dict[tuple[bool, str], list[tuple[str, str]]]] = {}
    every = [(name, claim) for name, group in groups.items() for claim in group]
    for name, claim in sorted(every, key=lambda it: (VERDICTS.index(it[1]["verdict"]), "@" in it[1]["id"])):
        version = _version(name, claim) if len(groups) == 1 else claim["id"].partition("-")[2]
        base, _, reading = version.partition("@")
        alike = shown.setdefault(claim["verdict"], {}).setdefault((not base, reading), [])
        alike.append((claim["id"], version))
    lines = (
        strong(verdict) + Markup(" ") + join((_linked(alike) for alike in readings.values()), ", ")
        for verdict, readings in shown.items()
    )
    return join(lines, "; ")


def _linked(alike: Sequence[tuple[str, str]]) -> Markup:
    """Versions of one reading in words, each a link."""
    words = _several([version for _, version in alike]).split(", ")
    return join((link(f"claim:{id}", said) for said, (id, _) in zip(words, alike, strict=True)), ", ")


def _names(names: Sequence[str]) -> Markup:
    """`FED-C3, C5` for `FED-C3` and `FED-C5`."""
    paper = names[0].partition("-")[0]
    told = (
        name if i == 0 or name.partition("-")[0] != paper else _short(name) for i, name in enumerate(names)
    )
    return join((strong(name) for name in told), ", ")


def _short(name: str) -> str:
    """`C3` of `FED-C3`."""
    return name.partition("-")[2]


def _version(name: str, claim: Claim) -> str:
    """What tells a version from the others: `MAIN` of `FED-T1-MAIN`, `T4b` of `DAS-T4b`."""
    rest = claim["id"].removeprefix(name)
    if rest[:1].isalpha():
        rest = _short(name) + rest
    return rest.removeprefix("-") or "the statement"


def _reasons(name: str, group: Sequence[Claim]) -> str:
    """Why versions fall, each reason after the versions that it is said of; the poster's and those of special readings last.
    Two reasons, and a third that is said of several versions. Where something is false, what needs a condition is not told."""
    fallen = [claim for claim in group if claim["verdict"] in FALLEN]
    fallen = [claim for claim in fallen if claim["verdict"] != "proved-if"] or fallen
    if not fallen:
        proved = all(claim["verdict"] == "proved" for claim in group)
        return (
            "Nothing: it holds as printed." if proved else "Nothing is known; not every version is decided."
        )
    fallen.sort(key=lambda c: ("POSTER" in c["id"], "@" in c["id"], FALLEN.index(c["verdict"])))
    said: dict[str, list[str]] = {}
    for claim in fallen:
        said.setdefault(_own(name, _reason(claim)), []).append(_version(name, claim))
    reasons = list(said.items())
    shown = reasons[:2] + [item for item in reasons[2:3] if len(item[1]) > 1]
    if len(shown) == 1:
        return sentence(shown[0][0])
    return " ".join(f"{_several(versions)}: {sentence(reason)}" for reason, versions in shown)


def _several(versions: Sequence[str]) -> str:
    """`MAIN, TEXT @T=1` for `MAIN@T=1` and `TEXT@T=1`."""
    by_reading: dict[str, list[str]] = {}
    for version in versions:
        base, at, reading = version.partition("@")
        by_reading.setdefault(at + reading, []).append(base)
    told = [
        f"{', '.join(bases)}{' ' if len(bases) > 1 and reading else ''}{reading}"
        for reading, bases in by_reading.items()
    ]
    return ", ".join(told)


def _own(name: str, text: str) -> str:
    """`text` with the theorem's own name left out, so that two of which the same is said share a row."""
    kind = {"T": "Theorem", "C": "Corollary"}.get(_short(name)[:1])
    if kind is None or not _short(name)[1:].isdigit():
        return text
    return re.sub(rf"\b{kind} {_short(name)[1:]}\b", f"the {kind.lower()}", text)


def _instead(name: str, group: Sequence[Claim]) -> str:
    """What to use instead, as the versions say it that are no special readings, else those that fall, else any; where none does,
    the corrected form, or its condition where that is shorter."""
    plain = [claim for claim in group if "@" not in claim["id"]]
    fallen = [claim for claim in group if claim["verdict"] in FALLEN]
    for chosen in (plain, fallen, group):
        said = dict.fromkeys(sentence(c["consequence"]) for c in chosen if c.get("consequence"))
        if said:
            return written(_own(name, " ".join(said)))
    forms = [claim.get("corrected") or {} for claim in group]
    proved = [form for form in forms if form.get("verdict") == "proved"]
    return written(_own(name, _corrected(proved[0]) if proved else "–"))


def _corrected(form: Claim) -> str:
    """A corrected form in one line."""
    condition = form.get("condition")
    if condition and len(form["statement"]) > 120:
        return f"Proved with: {condition}."
    given = f" (condition: {condition})" if condition else ""
    return f"Proved: {form['statement']}{given}."


def _privacy(printed: Sequence[Claim]) -> Markup:
    """How the privacy statements come out, and where it says what that means for a user."""
    private = [claim for claim in printed if is_privacy(claim)]
    if not private:
        return Markup("")
    told = ", ".join(f"{n} {verdict}" for verdict, n in count(private).items() if n)
    statements = link("Privacy", f"{number(len(private))} privacy statements and readings")
    recipes = link("What a user should use instead", "the recipes")
    return _small(
        strong("Privacy. "),
        "Of ",
        statements,
        f": {told}. Parameters that the corrected statements allow: ",
        recipes,
        ". ",
        in_a_line(printed),
    )


def _missing(sections: Sequence[Section]) -> Markup:
    """What was not run; the line on the experiments has said how many of the printed numbers were not."""
    every = [(section.title, item) for section in sections for item in section.missing]
    if not every:
        return paragraph(strong("Not run: "), "nothing; every part of the report has its results.")
    missing = [(section, item) for section, item in every if not item.endswith(experiments.NUMBERS)]
    if not missing:
        return Markup("")
    items = [link(section, item) for section, item in missing]
    joined = formula("; ").source.join(item.source for item in items)
    return paragraph(strong(f"Not run ({number(len(missing))}): "), Markup(joined), ".")


def first_sentence(text: str, limit: int) -> str:
    """The first sentence; where it is long, as many of its clauses as fit, or, where none does, of its words."""
    first = text.split(". ")[0].rstrip(".")
    if len(first) <= limit:
        return first
    for ends in ("; ", ": "), (", and ", ", but ", ", since "):
        clauses = max(first[:limit].rfind(end) for end in ends)
        if clauses > 0:
            return first[:clauses]
    return first[:limit].rsplit(" ", 1)[0] + " …"
