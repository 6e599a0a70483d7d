"""Text becomes markup that shows that text, whatever characters it holds."""

from __future__ import annotations

import json

import pytest
import typst
from hypothesis import given, settings
from hypothesis import strategies as st

from report.build import fonts
from report.typst import (
    NARROW,
    Markup,
    code,
    escape,
    formula,
    markup,
    number,
    sentence,
    string,
    table,
    written,
)

MARKUP = "\\#$*_`<>@=-+/~\"'[](){};:,.!%&|^ \n0123abXY"
MATHS = "αβγ‖∇ᵏ⁺¹₀√≤≥∑∞ĝ⋆∈ℝ·×½′∗"
JOINER = "\u2060"
"""Keeps the letter with a hat on the line of its neighbours."""
ANY = st.text(
    st.one_of(
        st.sampled_from(MARKUP + MATHS),
        st.characters(exclude_categories=("Cc", "Cs", "Cn", "Co"), max_codepoint=0x2FFF),
    ),
    max_size=40,
)

PLAIN = """
#let plain(it) = {
  if type(it) == str { it }
  else if it.func() == linebreak { "\\n" }
  else if it.has("text") { if type(it.text) == str { it.text } else { plain(it.text) } }
  else if it.has("children") { it.children.map(plain).join("") }
  else if it.has("body") { plain(it.body) }
  else if repr(it.func()) == "space" { "" }
  else { "" }
}
#let hat(it) = [#it#"\\u{302}"]
"""
"""The text of what is shown, with the hat that the report draws over a letter as the mark that it stands for."""


def shown(bodies: list[Markup]) -> list[str]:
    """The text of each markup as Typst's own parser sees it."""
    lines = [f"#metadata(plain([{body}]))<body>" for body in bodies]
    raw = typst.query((PLAIN + "\n".join(lines)).encode(), "<body>", field="value", font_paths=fonts())
    return [text or "" for text in json.loads(raw)]


@settings(max_examples=15, deadline=None)
@given(st.lists(ANY, min_size=20, max_size=60))
def test_escaped_text_is_shown_unchanged(texts):
    assert shown([escape(text) for text in texts]) == texts


@pytest.mark.parametrize(
    "text",
    [
        '#import "x"; $x$ *a* _b_ <l> @r [c] ~ `d` // e /* f */ \\ g',
        "= heading\n- item\n+ item\n/ term: x\n1. one",
        "a -- b --- c ... 'q' \"q\" -? https://example.org/x_y",
        "#text.foo(bar)[x];",
        '\\u{41} \\" \\',
    ],
)
def test_markup_in_text_is_not_read_as_markup(text):
    assert shown([escape(text)]) == [text]


@pytest.mark.parametrize(
    ("text", "scripts"),
    [
        ("‖∇f_i(x^{k+1})‖", "‖∇fi(xk+1)‖"),
        ("g_i^0 ≤ L_max", "gi0 ≤ Lmax"),
        ("f^{inf}_i", "finfi"),
        ("w^* and f_i^{*}", "w* and fi*"),
        ("x^{k_j}", "xkj"),
        ("divide_by and Norm_α(g)", "divide_by and Normα(g)"),
        ("toy_problems and _private and a _ b", "toy_problems and _private and a _ b"),
        ("f(x⁰) − f^inf", "f(x⁰) − finf"),
        ("(K+1)^(1/6) and g^(k+1)", "(K+1)1/6 and gk+1"),
        ("x^(a (b))", "x^(a (b))"),
        ("R_neighbour ≤ Δ_above, not part_above", "Rneighbour ≤ Δabove, not part_above"),
        ("p^0.4 and p^0.5 and x^2.", "p0.4 and p0.5 and x2."),
        ("e^(ε − μ²/2)", "eε − μ²/2"),
        ("A_iA_i^⊤ and z_iΔ_i", "AiAi^⊤ and ziΔi"),
        ("unclosed x_{k", "unclosed x_{k"),
    ],
)
def test_scripts_are_set_and_nothing_is_lost(text, scripts):
    assert shown([formula(text)]) == [scripts]


def test_a_mark_over_a_letter_goes_where_the_letter_goes():
    assert formula("w_k̃ − v̂_i").source == formula("w_{k̃} − v̂_{i}").source


@settings(max_examples=10, deadline=None)
@given(st.lists(ANY.filter(lambda text: "`" not in text), min_size=20, max_size=60))
def test_formula_loses_only_script_marks_and_braces(texts):
    drop = str.maketrans("", "", "_^{}()" + JOINER + NARROW)
    assert [t.translate(drop) for t in shown([formula(t) for t in texts])] == [
        t.translate(drop) for t in texts
    ]


@pytest.mark.parametrize("text", ["β̂", "xβ̂ᵏ", "w_β̂ and β̂_k", "2³√x"])
def test_formula_loses_nothing_of_what_is_drawn_in_another_way(text):
    drop = str.maketrans("", "", "_" + JOINER + NARROW)
    assert shown([formula(text)])[0].translate(drop) == text.translate(drop)


def test_code_can_be_broken_and_copied():
    assert code("tests/a_b.py::c[d-e]").source.count('"') > 10
    pieces = [json.loads(piece) for piece in code("tests/a_b.py::c[d-e]").source[6:-2].split(", ")]
    assert "".join(pieces) == "tests/a_b.py::c[d-e]"


def test_string_turns_control_characters_into_spaces():
    assert string("a\x00b\x1bc\u009fd") == '"a b c d"'


@pytest.mark.parametrize(
    ("printed", "text"),
    [
        ("17/16 <= 1 is false", "17/16 ≤ 1 is false"),
        ("0 != 0, 1 == 2, x >= -3", "0 ≠ 0, 1 = 2, x ≥ −3"),
        ("δ = 1e-05.", "δ = 10^{−5}."),
        ("(3.0092e+06)", "(3.0092 × 10^{6})"),
        ("K-1, test-3, x_{k-1}, 2-3", "K-1, test-3, x_{k-1}, 2-3"),
        ("as `f(delta=1e-05) <= -1` says", "as `f(delta=1e-05) <= -1` says"),
        ("A ==> B", "A ==> B"),
        ("d = 200,000, K = 99999, M=-12345", "d = 200\u202f000, K = 99\u202f999, M=−12\u202f345"),
        (
            "4,500 of 1000, 0.000666564, {1,200}, 1,000a, T1-20250, z3 5.4.0.0",
            "4500 of 1000, 0.000666564, {1,200}, 1,000a, T1-20250, z3 5.4.0.0",
        ),
        ("∆ ≤ ϵ, w∗ and g⋆, `ϵ 200000`", "Δ ≤ ε, w* and g*, `ϵ 200000`"),
    ],
)
def test_what_a_program_printed_is_written_for_people(printed, text):
    assert written(printed) == text


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("holds for every z", "Holds for every z."),
        ("a telescoping sum", "A telescoping sum."),
        ("f is convex", "f is convex."),
        ("bounds.privacy gives it", "bounds.privacy gives it."),
        ("Done. (Both are.)", "Done. (Both are.)"),
    ],
)
def test_a_sentence_has_a_capital_and_a_full_stop(text, whole):
    assert sentence(text) == whole


def test_markup_is_not_escaped_twice():
    assert markup(Markup("*x*")).source == "*x*"


def test_table_refuses_a_short_row():
    with pytest.raises(ValueError, match=r"1 cells under a header of 2.*only"):
        table(["a", "b"], [["only"]])


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (3, "3"),
        (-12345, "−12\u202f345"),
        (1234, "1234"),
        (2.0, "2"),
        (0.1234567, "0.123"),
        (1.5e-7, "1.5 × 10^{−7}"),
        (1e-5, "10^{−5}"),
        (-1e-5, "−10^{−5}"),
        (2.5e9, "2.5 × 10^{9}"),
        (float("nan"), "not a number"),
        (float("-inf"), "−∞"),
    ],
)
def test_numbers_are_written_for_people(value, text):
    assert number(value) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("X⁴√d", f"X{NARROW}⁴√d"),
        ("(a)⁴√(M/B)", f"(a){NARROW}⁴√(M/B)"),
        ("⁴√d", "⁴√d"),
        ("2 ⁴√d", "2 ⁴√d"),
        ("a/⁴√d", "a/⁴√d"),
        ("x⁴", "x⁴"),
    ],
)
def test_the_sign_of_a_fourth_root_does_not_hang_on_the_letter_before(text, shown):
    """X⁴√d is X times a fourth root, and would be read as the fourth power of X times a root."""
    assert formula(text).source == escape(shown).source


def test_the_hat_of_a_tall_letter_is_set_over_it():
    assert formula("β\u0302/(K+1)").source == '#hat()[#"β";];#"\u2060/(K+1)";'
    assert formula("η\u0302").source == escape("η\u0302").source
