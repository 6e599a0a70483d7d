"""A witness in words: its numbers under the letters of the paper, what they satisfy, what they break."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from report.typst import Markup, even, formula, link, strong, written
from report.verdicts import Claim
from verify.computation import apart, decimal

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "eta": "η", "sigma": "σ", "epsilon": "ε", "delta": "δ", "Delta": "Δ",
    "tau": "τ", "Phi": "Φ",
    "rho": "ρ", "mu": "μ", "nu": "ν", "lambda": "λ", "theta": "θ", "kappa": "κ", "xi": "ξ", "phi": "φ",
    "zeta": "ζ", "omega": "ω",
}  # fmt: skip
NAMES = {
    "norm_g": "‖g‖", "norm_h": "‖h‖", "x0": "x^0", "y0": "y^0", "w0": "w_0", "w_star": "w^*", "w_star_2": "second w^*",
    "sigma2": "σ²", "C_hat": "Ĉ", "Delta_inf": "Δ^inf", "alpha_normec": "α-NormEC", "clip21": "Clip21",
}  # fmt: skip
"""Names of values that no rule turns into what a person writes."""
_SMALL = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
LONG = 24
"""Characters above which a number is shown by its decimal value."""
COMPARABLE = 6
"""Digits up to which two exact numbers can be compared by eye."""


def letters(text: str) -> str:
    """Names of Greek letters as the letters: `beta_0 <= alpha` is `β_0 <= α`."""
    return re.sub(r"(?<![A-Za-z])(" + "|".join(GREEK) + r")(?![A-Za-z])", lambda m: GREEK[m[1]], text)


def symbol(name: str) -> str:
    """The name of a value as a symbol with an index (`R_small`) or as words (`short_root`)."""
    if name in NAMES:
        return NAMES[name]
    if name.endswith("_hat"):
        return letters(name).removesuffix("_hat") + "\u0302"
    base, _, index = letters(name).partition("_")
    index = index.replace("_", " ")
    return (f"{base}_{{{index}}}" if len(base) <= 4 else f"{base} {index}") if index else base


def numbers_of(claim: Claim) -> tuple[object, ...]:
    """What two witnesses share that are the same instance: the problem and the values."""
    found = claim["witness"]
    return ("witness", found.get("problem"), *sorted(found.get("values", {}).items()))


def satisfied(claim: Claim) -> tuple[str, ...]:
    """The hypotheses that the witness satisfies."""
    told = (letters(item["text"]) for item in claim["witness"].get("hypotheses", ()) if item["holds"])
    return tuple(dict.fromkeys(told))


def witness(claim: Claim, as_of: str | None = None, same: bool = False) -> Markup:
    """The witness of a refuted claim; as_of: the claim at which its problem and values are printed; same: that claim has its
    hypotheses too."""
    found = claim["witness"]
    if as_of is None:
        told = "; ".join(filter(None, [found.get("problem"), _values(found)])) or "see the test"
        out = strong("Witness: ") + formula(written(told))
    else:
        out = strong("Witness: ") + formula("that of ") + link(f"claim:{as_of}", as_of)
    kept = satisfied(claim)
    if kept and as_of is not None and same:
        out += formula(", with the same hypotheses")
    elif kept:
        out += formula(written(f". Satisfies {'; '.join(kept)}"))
    lhs, rhs = sides(found["lhs"], found["rhs"])
    false = written(f"{lhs} {found.get('comparison', 'against')} {rhs}")
    return out + formula(written(f". Breaks {letters(found['breaks'])}: ") + f"{false} is false.")


def _values(found: Mapping[str, Any]) -> str:
    """The values that the witness does not give in its own words: first those whose names it speaks of, then the others, under the
    names that they have in the test, so that nobody has to look there for what the numbers follow from."""
    problem = letters(found.get("problem") or "")
    texts = [problem, found["breaks"], *(item["text"] for item in found.get("hypotheses", ()))]
    said = letters(" ".join(texts))
    spoken, others = [], []
    sampled = "samples" in found  # whose values have names that say what they are
    for name, value in found.get("values", {}).items():
        if not _said(name, exact(value), problem):
            told = f"{symbol(name)} = {exact(value)}".replace("= ≈", "≈")
            (spoken if sampled or not problem or _occurs(name, said) else others).append(told)
    if others:
        spoken.append(f"in the test {', '.join(others)}")
    return ", ".join(spoken)


def _occurs(name: str, text: str) -> bool:
    """Whether a text speaks of a value, by its name or by the symbol that stands for it."""
    return any(re.search(rf"(?<![A-Za-z]){re.escape(form)}(?![A-Za-z])", text) for form in _forms(name))


def _forms(name: str) -> set[str]:
    """How texts write the name of a value: `beta_0` is β_0 and β₀, `v_hat` is v̂."""
    letter = letters(name)
    small = re.sub(r"_(\d+)$", lambda index: index[1].translate(_SMALL), letter)
    return {letter, NAMES.get(name, letter), small, re.sub(r"_hat$", "\u0302", letter)}


def _said(name: str, value: str, problem: str) -> bool:
    """Whether the problem's own words give this value: `c = 2`, or `b = c = 2`."""
    forms = "|".join(map(re.escape, {symbol(name), *_forms(name)}))
    return (
        re.search(rf"(?<![\w.])(?:{forms})(?: = [^\s,;:=]+)* = {re.escape(value)}(?![\w./])", problem)
        is not None
    )


def exact(value: object) -> str:
    """An exact number, its digits in groups; one that is long rounded, after ≈."""
    text = str(value)
    if re.fullmatch(r"(-?\d+)(?:/(\d+))?", text) is None:
        return text if len(text) <= LONG else f"{text[:LONG]}… (whole in the JSON file)"
    above, *below = map(grouped, text.split("/"))
    told = "/".join([above, *(f"({part})" if "·" in part else part for part in below)])
    if len(text) <= LONG or len(told) <= LONG:
        return told
    if len(text) >= 4000:
        return f"{text[:LONG]}… (whole in the JSON file)"
    return f"≈ {decimal(Fraction(text)):.6g}"


def sides(lhs: object, rhs: object) -> tuple[str, str]:
    """The two sides of what is broken: exact where an eye can compare them, else both as decimals, with as many digits as
    it takes to tell them apart."""
    texts = [str(lhs), str(rhs)]
    numbers = [
        Fraction(text) if len(text) < 4000 and re.fullmatch(r"-?\d+(/\d+)?", text) else None for text in texts
    ]
    left, right = numbers
    long = any(sum(c.isdigit() for c in part) > COMPARABLE for text in texts for part in text.split("/"))
    if left is None or right is None or not long:
        return exact(lhs), exact(rhs)
    return apart(left, right) or (exact(lhs), exact(rhs))


def grouped(digits: str) -> str:
    """`1000000` as 10^{6}, 4 with 42 zeros as 4·10^{42}, other long numbers as `even` has them."""
    power = re.fullmatch(r"(-?)(\d*[1-9])(0{5,})", digits)
    if power and (power[2] == "1" or len(power[3]) > 9):
        first = "" if power[2] == "1" else f"{even(power[2])}·"
        return f"{power[1]}{first}10^{{{len(power[3])}}}"
    return even(digits)
