"""Python values to Typst markup, so that no text is ever read as markup by accident.

Text goes in as string literals of Typst's code mode (`#"…";`), which the markup parser never looks into: a
statement that holds `$`, `#`, `*`, `_`, `@` or `<` comes out as it went in. `formula` adds one convention
on top of that: `x_i`, `x_{k+1}`, `x^{k+1}` and `x^(1/4)` are set with a subscript or superscript, as the
papers' plain-text statements need.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_LETTER = "A-Za-z0-9α-ωΑ-Ω"
_MARK = "\u0300-\u036f"  # a tilde or hat over a letter belongs to it
_SCRIPT = re.compile(
    rf"(?<=[^\s_^/])(?<![A-Za-z]{{5}})([_^])(\{{[^{{}}]*\}}|\([^()]{{1,24}}\)|\d\.\d+(?![{_LETTER}_])"
    rf"|(?:[{_LETTER}][{_MARK}]*){{1,4}}(?![{_LETTER}_])|[a-z](?=[A-ZΑ-Ωα-ω])|[⋆∗*∞]"
    rf"|(?<=(?<![\w.])[{_LETTER}]_)[a-z]{{5,9}}(?![{_LETTER}_]))"
)
_ROOT = re.compile(r"(?<=[^\s(\[{⁄/·×+−-])(?=[³⁴]√)")
"""Before a root of higher order that follows a factor."""
_RAW = re.compile(r"`([^`]+)`")
_MACHINE = re.compile(
    r"`[^`]*`|\"([^\"`]+)\"|(?<![\w.])(\d+(?:\.\d+)?)e([+-]?\d+)(?!\w|\.\d)|[<>!=]=(?![=>])|(?<![\w\-)\]}])-(?=\d)"
)
_SIGNS = {"<=": "≤", ">=": "≥", "!=": "≠", "==": "=", "-": "−"}
_LETTERS = str.maketrans("∆ϵ∗⋆", "Δε**")
_LONG_NUMBER = re.compile(
    r"(?<![\w.,@{\[])(?<!\w-)(?:[1-9]\d{4,}|[1-9]\d{0,2}(?:,\d{3})+)(?!\w|[,.]\d|[}\]])"
)
NARROW = "\u202f"
_JOINER = "\u2060"
"""Where a line must not end: beside a letter with a hat, which is set as a box."""
_WHOLE = (18, 2500)
"""A table of so few rows and characters of markup is not broken over pages."""
_BREAK_AFTER = re.compile(r"(?<=[/_.:\[-])(?![/_.:\[-])")


@dataclass(frozen=True)
class Markup:
    """Typst markup that is ready to be placed: what the helpers below return and accept without escaping
    it."""

    source: str

    def __add__(self, other: Markup) -> Markup:
        return Markup(self.source + other.source)

    def __str__(self) -> str:
        return self.source


def string(text: str) -> str:
    """A Typst string literal for `text`; control characters other than a line break become spaces."""
    out = []
    for character in text:
        if character in '\\"':
            out.append("\\" + character)
        elif character == "\n":
            out.append("\\n")
        elif ord(character) < 32 or 0x7F <= ord(character) < 0xA0 or 0xD800 <= ord(character) < 0xE000:
            out.append(" ")
        else:
            out.append(character)
    return '"' + "".join(out) + '"'


def escape(text: str) -> Markup:
    """`text` as markup that shows exactly these characters; a line break stays a line break."""
    lines = [f"#{string(line)};" if line else "" for line in text.split("\n")]
    return Markup(" \\ ".join(lines))


def formula(text: str) -> Markup:
    """`text` with `_i`, `_{…}`, `^k`, `^{…}` and `^(…)` set as scripts and `` `code` `` as code; all else as in
    `escape`."""
    out: list[str] = []
    for index, piece in enumerate(_RAW.split(text)):
        out.append(code(piece).source if index % 2 else _scripts(piece))
    return Markup("".join(out))


def _scripts(text: str) -> str:
    out: list[str] = []
    position = 0
    for match in _SCRIPT.finditer(text):
        out.append(_hats(text[position : match.start()]))
        body = match.group(2)
        if match.group(0) in ("^*", "^{*}"):  # the sign is raised as it is
            out.append(escape("*").source)
            position = match.end()
            continue
        body = body[1:-1] if body.startswith(("{", "(")) else body
        out.append(f"#{'sub' if match.group(1) == '_' else 'super'}[{_scripts(body)}]; ".rstrip())
        position = match.end()
    out.append(_hats(text[position:]))
    return "".join(out)


def _hats(text: str) -> str:
    """The text as it is, but for the hat of β, and for a space before a fourth root, whose sign would look like a power."""
    pieces = _ROOT.sub(NARROW, text).split("β\u0302")
    bound = (
        _JOINER * bool(place and piece[:1].strip())
        + piece
        + _JOINER * bool(place < len(pieces) - 1 and piece[-1:].strip())
        for place, piece in enumerate(pieces)
    )
    return join(map(escape, bound), call("hat", body=escape("β")).source).source


def written(text: str) -> str:
    """What a program printed as a person writes it: `2e-05` is 2 × 10^{−5}, `<=` is ≤, `-3` is −3, straight
    quotes are curly, letters and long numbers are those of `even`. Code in backquotes stays as it is."""

    def person(match: re.Match[str]) -> str:
        if match[1] is not None:
            return f"“{written(match[1])}”"
        if match[2] is None:
            return _SIGNS.get(match[0], match[0])
        return _scientific(match[2], int(match[3]))

    pieces = _RAW.split(_MACHINE.sub(person, text))
    return "".join(f"`{piece}`" if index % 2 else even(piece) for index, piece in enumerate(pieces))


def even(text: str) -> str:
    """One sign for each letter, and the digits of whole numbers above 9999 in groups: whatever the source, ∆ is Δ, ϵ is ε,
    ∗ and ⋆ are *, and 200,000 or 200000 is 200\u202f000."""

    def grouped(match: re.Match[str]) -> str:
        digits = match[0].replace(",", "")
        return digits if len(digits) < 5 else f"{int(digits):_}".replace("_", NARROW)

    return _LONG_NUMBER.sub(grouped, text.translate(_LETTERS))


def sentence(text: str) -> str:
    """`text` with a capital letter, where it begins with a word, and a full stop."""
    if re.match(r"(?!(?:min|max|inf|sup|log|exp) [^a-z])[a-z]{2,}(?=[\s,:;-])|a (?=[a-z])", text):
        text = text[0].upper() + text[1:]
    return text if text.endswith((".", "!", "?", "…", ".)")) else f"{text}."


def _scientific(mantissa: str, power: int) -> str:
    return re.sub("^(−?)1 × ", r"\1", f"{mantissa} × 10^{{{power}}}".replace("-", "−"))


def markup(value: object) -> Markup:
    """Markup as it is; anything else as escaped text."""
    return value if isinstance(value, Markup) else formula(str(value))


def code(text: str) -> Markup:
    """Monospaced text that may be broken after a separator (long test ids do not overflow their column)."""
    return call("code", *(string(piece) for piece in _BREAK_AFTER.split(text) if piece))


def math(typeset: str, *, block: bool = False) -> Markup:
    """Typst mathematics that was written as such (a bound's `typeset`)."""
    return Markup(f"$ {typeset} $" if block else f"${typeset}$")


def join(parts: Iterable[Markup], between: str = "") -> Markup:
    """The parts one after the other, with Typst source between them."""
    return Markup(between.join(part.source for part in parts))


def strong(value: object) -> Markup:
    return Markup(f"#strong[{markup(value)}];")


def emphasis(value: object) -> Markup:
    return Markup(f"#emph[{markup(value)}];")


def call(function: str, *arguments: str, body: object | None = None) -> Markup:
    """`#function(arguments)[body]`; the arguments are Typst code, the body is markup or text."""
    content = "" if body is None else f"[{markup(body)}]"
    return Markup(f"#{function}({', '.join(arguments)}){content};")


def badge(verdict: str) -> Markup:
    """A verdict as a badge: word, sign and frame tell it from the others, colour does not."""
    return call("badge", string(verdict))


def paragraph(*parts: object) -> Markup:
    return Markup("".join(markup(part).source for part in parts) + "\n\n")


def heading(title: object, level: int = 2, label: str | None = None) -> Markup:
    """A heading; `label` is what `link` points at."""
    mark = f"#label({string(label)})" if label else ""
    return Markup(f"#[#heading(level: {level})[{markup(title)}]; {mark}]\n\n")


def link(label: str, body: object) -> Markup:
    """A link to a label inside the document, or the body alone where the label does not exist."""
    return call("to", string(label), body=body)


def anchor(label: str) -> Markup:
    """A place that `link` can point at."""
    return Markup(f"#[#metadata(none)#label({string(label)})];")


def table(
    header: Sequence[object],
    rows: Iterable[Sequence[object]],
    *,
    widths: Sequence[str] | None = None,
    align: Sequence[str] | None = None,
    size: str = "8.5pt",
    caption: object | None = None,
    inset: str | None = None,
) -> Markup:
    """A table whose header is repeated on each page it runs over; a short one stays on one page.

    widths: Typst track sizes ("auto", "1fr", "3cm"), one a column. align: left, right or center. inset: above and below
    each row. Raises `ValueError` where a row has another number of cells than the header.
    """
    tracks = widths or ["auto"] * len(header)
    sides = align or ["left"] * len(header)
    body = []
    for row in rows:
        if len(row) != len(header):
            raise ValueError(
                f"a row of {len(row)} cells under a header of {len(header)}: {list(map(str, row))}"
            )
        body.append(", ".join(f"[{markup(cell)}]" for cell in row))
    head = ", ".join(f"strong[{markup(cell)}]" for cell in header)
    options = (
        f"columns: ({', '.join(tracks)},), align: ({', '.join(f'{a} + top' for a in sides)},), "
        f"table.header({head})" + (f", inset: (x: 4pt, y: {inset})" if inset else "")
    )
    inner = ",\n  ".join([options, *body])
    title = f"#caption[{markup(caption)}]; " if caption is not None else ""
    whole = len(body) <= _WHOLE[0] and len(inner) <= _WHOLE[1]
    set_table = f"{title}#text(size: {size})[#rows({inner})];"
    return Markup(
        (f"#block(breakable: false, width: 100%, below: 1.3em)[{set_table}];" if whole else set_table)
        + "\n\n"
    )


def figure(name: str, caption: object, *, width: str = "100%") -> Markup:
    """The vector figure `name` (see `report.section.Section.figures`) with its caption."""
    return call("picture", string(name), f"width: {width}", body=caption) + Markup("\n\n")


def hundredths(value: float | None) -> str:
    """A percentage as the papers print theirs, so that a column of them lines up; "–" for none."""
    return "–" if value is None else f"{value:.2f}".replace("-", "−")


def signed(points: float) -> str:
    """A difference of accuracies, percentage points."""
    return f"{points:+.2f}".replace("-", "−")


def number(value: float | int | None, digits: int = 3) -> str:
    """A number as a person writes it: `digits` significant digits, scientific only far from one, "–" for
    none."""
    if value is None:
        return "–"
    if isinstance(value, int) or (float(value).is_integer() and abs(value) < 1e6):
        return even(str(int(value))).replace("-", "−")
    if value != value or value in (float("inf"), float("-inf")):
        return {"nan": "not a number", "inf": "∞", "-inf": "−∞"}[str(float(value))]
    text = f"{value:.{digits}g}"
    if "e" in text:
        mantissa, exponent = text.split("e")
        return _scientific(mantissa, int(exponent))
    return text.replace("-", "−")
