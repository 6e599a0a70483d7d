"""A witness in words: its numbers under the letters of the paper, what they satisfy, what they break."""

from __future__ import annotations

import re

from report.typst import Markup, formula, strong, written
from report.verdicts import Claim

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "eta": "η", "sigma": "σ", "epsilon": "ε", "delta": "δ", "Delta": "Δ",
    "tau": "τ", "Phi": "Φ",
    "rho": "ρ", "mu": "μ", "nu": "ν", "lambda": "λ", "theta": "θ", "kappa": "κ", "xi": "ξ", "phi": "φ",
    "zeta": "ζ", "omega": "ω",
}  # fmt: skip
NAMES = {
    "norm_g": "‖g‖", "norm_h": "‖h‖", "x0": "x^0", "y0": "y^0", "w0": "w_0", "w_star": "w^∗", "w_star_2": "second w^∗",
    "sigma2": "σ²", "C_hat": "Ĉ", "alpha_normec": "α-NormEC", "clip21": "Clip21",
}  # fmt: skip
"""Names of values that no rule turns into what a person writes."""
LONG = 24
"""Characters above which a number is shown by its decimal value."""


def letters(text: str) -> str:
    """Names of Greek letters as the letters: `beta_0 <= alpha` is `β_0 <= α`."""
    return re.sub(r"(?<![A-Za-z])(" + "|".join(GREEK) + r")(?![A-Za-z])", lambda m: GREEK[m[1]], text)


def symbol(name: str) -> str:
    """The name of a value as a symbol with an index (`R_small`) or as words (`short_root`)."""
    if name in NAMES:
        return NAMES[name]
    base, _, index = letters(name).partition("_")
    index = index.replace("_", " ")
    return (f"{base}_{{{index}}}" if len(base) <= 4 else f"{base} {index}") if index else base


def witness(claim: Claim) -> Markup:
    """The witness of a refuted claim."""
    found = claim["witness"]
    values = ", ".join(f"{symbol(name)} = {exact(value)}" for name, value in found.get("values", {}).items())
    out = strong("Witness: ") + formula(
        written("; ".join(filter(None, [found.get("problem"), values])) or "see the test")
    )
    kept = dict.fromkeys(letters(item["text"]) for item in found.get("hypotheses", ()) if item["holds"])
    if kept:
        out += formula(written(f". Satisfies {'; '.join(kept)}"))
    comparison = found.get("comparison", "against")
    false = written(f"{exact(found['lhs'])} {comparison} {exact(found['rhs'])}")
    return out + formula(written(f". Breaks {letters(found['breaks'])}: ") + f"{false} is false.")


def exact(value: object) -> str:
    """An exact number, its digits in groups; the decimal value of one that is long."""
    text = str(value)
    fraction = re.fullmatch(r"(-?\d+)(?:/(\d+))?", text)
    if fraction is None:
        return text if len(text) <= LONG else f"{text[:LONG]}… (whole in the JSON file)"
    if len(text) <= LONG:
        return "/".join(grouped(part) for part in text.split("/"))
    if len(text) >= 4000:
        return f"{text[:LONG]}… (whole in the JSON file)"
    return f"{int(fraction[1]) / int(fraction[2] or 1):.6g} (rounded; exact in the JSON file)"


def grouped(digits: str) -> str:
    """`1000000` as 10^{6}, `12345678` as 12 345 678 with narrow spaces, short numbers as they are."""
    power = re.fullmatch(r"(-?)10{5,}", digits)
    if power:
        return f"{power[1]}10^{{{len(digits) - len(power[1]) - 1}}}"
    return digits if len(digits.lstrip("-")) < 6 else f"{int(digits):,}".replace(",", "\u202f")
