"""What a user should use instead: recipes from the corrected theorems, and every bound that is encoded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bounds.privacy.enclosure import rounded
from report.section import Available, Results, Section
from report.sections.chapter import Built, Part, chapter
from report.typst import (
    Markup,
    call,
    code,
    emphasis,
    formula,
    heading,
    join,
    link,
    math,
    number,
    paragraph,
    strong,
    table,
)

TITLE = "What a user should use instead"
LETTERS = {
    "alpha": "α", "beta": "β", "gamma": "γ", "eta": "η", "rho": "ρ", "noise": "noise", "f_gap": "f(x⁰) − f^{inf}",
    "epsilon": "ε", "delta": "δ", "distance": "‖w₀ − w^*‖", "least_R": "least R",
    "client_noise": "client's noise", "sum_noise": "noise of a sum", "mean_noise": "noise of a mean",
}  # fmt: skip


def build(results: Results) -> Section:
    """The chapter from the results `recipes` and `bounds`."""
    lead = paragraph(
        "Each corrected theorem as a recipe: parameters that its conditions allow, chosen to make its bound ",
        "as small as it can be. The numbers below are examples; call the function with your own. A bound is ",
        "useful where it is below what is known before anything is run: √(2L(f(x⁰) − f^{inf})) for a gradient norm, and the ",
        "smaller of G‖w₀ − w^*‖ and L‖w₀ − w^*‖²/2 for f(w₀) − f(w^*). K counts rounds, n or M clients, p is the probability of ",
        "taking part, d the dimension, V = E‖z‖² of a client's noise. Without noise the memories start within R of the clients' "
        "first ",
        "updates; the private rows, for which these cannot be sent, have memories that start at 0 and R no smaller than least R, ",
        "which ‖∇f_i(x⁰)‖ must not exceed. DP-NormFedAvg's rows are for a w^* that minimises every f_i. Noise and ",
        "bounds are rounded up, what is known before is rounded down.",
    )
    parts = (Part("recipes", "Recipes", _recipes), Part("bounds", "The corrected bounds", _bounds))
    return chapter(TITLE, parts, results, lead, own_page=True)


def _recipes(result: Available) -> Built:
    body = _private(result.value) + _told(result.value)
    for method, calls in result.value.items():
        body += heading(method, 3) + _calls(calls)
    return body, {}, []


def _private(recipes: Mapping[str, Sequence[Mapping[str, Any]]]) -> Markup:
    """What is meant by it in the tables."""
    levels = {tuple(call["private"]) for calls in recipes.values() for call in calls if call["private"]}
    named = " or ".join(f"({number(epsilon)}, {number(delta)})-DP" for epsilon, delta in sorted(levels))
    return paragraph(
        f"“Private” is {named} towards whoever sees every message, or for the methods of DP-NormFedAvg's paper the sums."
    )


def _told(recipes: Mapping[str, Sequence[Mapping[str, Any]]]) -> Markup:
    """What the tables say, in a sentence for each method."""
    lines = []
    for method, calls in recipes.items():
        useful = [call for call in calls if call["useful"]]
        if not useful:
            lines.append(f"{method}: no setting below has a useful bound.")
            continue
        settings = [
            f"{name} ({number(sum(call['useful'] for call in mine))} of {number(len(mine))})"
            for name in dict.fromkeys(call["setting"] for call in calls)
            if (mine := [call for call in calls if call["setting"] == name])
        ]
        best = min(useful, key=lambda call: call["bound"] / call["known"])
        lines.append(
            f"{method}: useful bounds by setting: {', '.join(settings)}; the best ({best['setting']}) is "
            f"{number(float(rounded(best['bound'] / best['known'], 1, 2)), 2)} of what is known before."
        )
    return paragraph(join((formula(line) for line in lines), " \\ "))


def _calls(calls: Sequence[Mapping[str, Any]]) -> Markup:
    """One table: what differs between the calls, what comes out."""
    names = list(dict.fromkeys(name for call in calls for name in call["given"]))
    fixed = {n: calls[0]["given"][n] for n in names if len({str(c["given"].get(n, 0.0)) for c in calls}) == 1}
    varying = [name for name in names if name not in fixed]
    outcome = list(dict.fromkeys(name for call in calls for name in call["parameters"]))
    outcome = [name for name in outcome if name not in names]
    head = [
        "setting",
        *map(_letter, varying),
        *map(_letter, outcome),
        "bound",
        "by",
        "known before",
        "useful",
    ]
    rows = [
        [
            call["setting"],
            *(number(call["given"].get(name, 0.0)) for name in varying),
            *(_outcome(name, call["parameters"].get(name)) for name in outcome),
            _up(call["bound"]),
            link(f"claim:{call['theorem']}", call["theorem"]),
            number(float(rounded(call["known"], -1, 3))),
            "yes" if call["useful"] else "no",
        ]
        for call in calls
    ]
    same = ", ".join(f"{_letter(name)} = {number(value)}" for name, value in fixed.items())
    useful = sum(call["useful"] for call in calls)
    right = ["right"] * (len(head) - 4)
    return paragraph(
        f"Given in all rows: {same}. Useful in {number(useful)} of {number(len(calls))} rows. First row:",
        Markup(" \\ "),
        code(calls[0]["call"]),
    ) + table(head, rows, align=["left", *right, "left", "right", "left"], size="7.6pt")


def _outcome(name: str, value: float | None) -> str:
    return (
        _up(value)
        if value is not None and (name in ("V", "rho") or name.endswith("noise"))
        else number(value)
    )


def _up(value: float) -> str:
    """Noise and bounds are rounded up, so that they hold as they are printed."""
    return number(float(rounded(value, 1, 3)))


def _letter(name: str) -> str:
    return LETTERS.get(name, name)


def _bounds(result: Available) -> Built:
    """The corrected bounds; the printed ones stand in the chapters of their papers."""
    lead = paragraph("What a letter stands for is said at the claim of the bound's name.")
    return lead + join(_bound(bound) for bound in result.value if bound["paper"] == "ours"), {}, []


def _bound(bound: Mapping[str, Any]) -> Markup:
    conditions = "; ".join(bound["conditions"]) or "none"
    lines = [
        strong(link(f"claim:{bound['name'].partition(' ')[0]}", bound["name"]))
        + formula(f"  {bound['source']}. Bounds {bound['quantity']}:"),
        call("display", body=math(bound["typeset"], block=True)),
        emphasis("Conditions: ") + formula(conditions),
    ]
    return Markup(f"#block(breakable: false, width: 100%, below: 1.1em)[{join(lines, ' ')}]\n")
