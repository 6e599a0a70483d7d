"""Sentences of the chapters that are put together from results: what they say and when they are silent."""

from __future__ import annotations

import pytest

from report.section import Available
from report.sections import (
    appendix_f,
    claims,
    equal_sensitivity,
    experiments,
    mutants,
    printed_numbers,
    privacy,
    proofs,
    protocol,
    rates,
    recipes,
    textbook,
    toy,
)
from report.sections.witness import _values, sides, witness
from report.typst import badge, written

HYPOTHESIS = {"text": "alpha > 0", "holds": True}


def claim(name: str, **more: object) -> dict:
    return {
        "id": name, "paper": "alpha-normec", "place": "Section 1", "kind": "theorem", "origin": "printed", "printed": "x",
        "verdict": "refuted", "reason": "because", "evidence": [],
        "test": f"tests/verify/test_claims.py::test_claim[{name}]", **more,
    }  # fmt: skip


def found(problem: str = "", **values: str) -> dict:
    return {"problem": problem, "values": values, "breaks": "g ≤ 1", "lhs": "2", "rhs": "1", "comparison": "<=",
            "hypotheses": [HYPOTHESIS]}  # fmt: skip


def told(problem: str = "", **values: str) -> str:
    return witness(claim("NEC-X", witness=found(problem, **values))).source


def test_a_witness_names_what_it_speaks_of_and_then_what_only_the_test_does():
    """Nobody can compute 2 ≤ 1 again without all of them."""
    found_ = found("a step of length g", alpha="1/2", g="2", hypotenuse="5", w="7")
    assert _values(found_) == "α = 1/2, g = 2, in the test hypotenuse = 5, w = 7"


def test_a_witness_does_not_repeat_its_problem():
    assert told("α = 1/2, g = 2", alpha="1/2", g="2").count("α = 1/2") == 1
    assert "g = 2" in told("α = 1/2, g = 21", g="2").replace("g = 21", ""), "21 is another value"


def test_without_words_a_witness_gives_all_its_values():
    assert "w = 7" in told("", w="7")


@pytest.mark.parametrize(
    ("lhs", "rhs", "shown"),
    [
        ("15/8", "1", ("15/8", "1")),
        ("223356200000000000000/1491", "114644000000000", ("1.49803e+17", "1.14644e+14")),
        ("100000000000001/100000000000000", "1", ("1.00000000000001", "1")),
        ("12345678", "12345678", ("1.23457e+07", "1.23457e+07")),
        ("1" * 400, "1", ("1.11111e+399", "1")),
        ("sqrt(2)", "1", ("sqrt(2)", "1")),
    ],
)
def test_two_sides_can_be_compared(lhs, rhs, shown):
    assert sides(lhs, rhs) == shown


def test_the_index_is_in_the_order_of_the_ids():
    names = ["NEC-L10", "NEC-L9@b", "NEC-T1", "NEC-L9"]
    assert sorted(names, key=claims._by_number) == ["NEC-L9", "NEC-L9@b", "NEC-L10", "NEC-T1"]


def test_bounds_that_are_not_attacked_for_one_reason_share_a_line():
    entry = {
        "bound": "D",
        "reading": "",
        "family": "x",
        "broken": False,
        "ratio": 0.5,
        "reason": "r",
        "instances": 1,
    }
    value = {"attacks": [entry], "not_attacked": {"A": "no constant", "B": "no constant", "C": "no run"}}
    source = toy._falsifier(Available(value, "x"), {})[0].source
    assert source.count("No constant.") == 1
    assert source.index('#"A"') < source.index('#"B"') < source.index("No constant.")


def test_only_steps_that_fall_have_a_line():
    steps = [
        claim("NEC-S1", kind="step", verdict="proved", reason="follows"),
        claim("NEC-S2", kind="step", reason="a wrong sign"),
    ]
    source = claims._steps(steps).source
    assert "follows" not in source.lower()
    assert "A wrong sign." in source
    assert "Proved as printed (1;" in source
    for name in ("NEC-S1", "NEC-S2"):
        assert source.count(f'#label("claim:{name}")') == 1
    assert "table" not in claims._steps(steps[:1]).source
    assert "Proved as printed" not in claims._steps(steps[1:]).source


def test_statements_come_by_weight(sample_verdicts):
    kinds = ["prose", "ours", "step", "theorem", "lemma"]
    every = [
        claim(
            f"NEC-{kind}",
            kind="theorem" if kind == "ours" else kind,
            origin="ours" if kind == "ours" else "printed",
        )
        for kind in kinds
    ]
    document = sample_verdicts | {"claims": every}
    source = claims.build({"verify": Available(document, "a sample")}, "alpha-normec").body.source
    cards = [source.index(f'"NEC-{kind}", [') for kind in ("theorem", "lemma", "prose", "ours")]
    assert cards == sorted(cards)


def test_the_legend_has_the_signs_that_are_drawn():
    graph = [["b", "a"], ["c", "b"]]
    evidence = [{"name": "b", "status": "proved"}, {"name": "c", "status": "proved"}]
    source = proofs.build([claim("NEC-T1", graph=graph, evidence=evidence)]).source
    assert "Circle: proved." in source
    assert "cross" not in source.replace("proof", "")
    evidence[1]["status"] = "refuted"
    assert (
        "Circle: proved; cross: refuted."
        in proofs.build([claim("NEC-T1", graph=graph, evidence=evidence)]).source
    )


@pytest.mark.parametrize(("found", "by"), [(2.0, "μ"), (4.0, "ε"), (None, "ε")])
def test_a_fault_is_caught_by_the_number_that_says_so(found, by):
    row = {"claimed": 3.0, "found": found, "claimed_mu": 0.8, "found_mu": 1.4}
    assert privacy._caught(row) == f"caught: proved {by} above claimed {by}"


def test_bounds_that_say_nothing_are_named():
    cases = [
        {"bound": name, "limit": [9.0, last], "without_running": 1.0}
        for name, last in (("A", 2.0), ("A", 3.0), ("A", 0.5), ("B", 0.5), ("B", 2.0))
    ]
    assert toy._vacuous(cases, ["A", "B"]) == "Vacuous on most of them: A (2 of 3)."
    assert toy._vacuous(cases[3:], ["B"]) == "None is vacuous on most of them."


def entry(method: str, spread: float, best: float, noise: float = 0.5) -> dict:
    return {"method": method, "spread": spread, "noise": noise, "best": best, "error": 0.1}


def test_the_best_methods_are_counted():
    every = [entry("α-NormEC", s, 1.0) for s in (0.0, 1.0)]
    every += [
        entry("DP-SGD", 0.0, 0.1),
        entry("DP-SGD", 1.0, 0.7),
        entry("Clip21", 0.0, 0.9),
        entry("Clip21", 1.0, 0.1),
    ]
    words = equal_sensitivity._compared(every, 0.5)
    assert "the best method is DP-SGD in 1; Clip21 in 1 of the 2 heterogeneities" in words
    assert words.endswith("clearly below α-NormEC: DP-SGD. "), "0.9 is within the two errors of 1"
    assert "clearly" not in equal_sensitivity._compared(every[:2], 0.5)


def test_lines_that_cannot_be_seen_are_named():
    quiet = [entry(name, s, 1e-12, noise=0.0) for name in ("descent", "Clip21") for s in (0.0, 1.0)]
    noisy = [
        entry("Clip21", 0.0, 0.5),
        entry("Clip21", 1.0, 0.5),
        entry("DP-SGD", 0.0, 0.52),
        entry("DP-SGD", 1.0, 0.9),
    ]
    assert equal_sensitivity._lines(quiet + noisy, 0.0) == (
        " No line at noise 0: “DP-SGD”. Lines that lie on one another at noise 0: “descent”, “Clip21”."
    )
    assert equal_sensitivity._lines(quiet + noisy, 0.5) == (
        " No line at noise 0.5: “descent” (their messages have no bound)."
    )


@pytest.mark.parametrize(("value", "shown"), [(1 / 8, "1/8"), (0.5, "1/2"), (0.123, "0.12"), (None, "–")])
def test_a_printed_exponent_is_a_fraction(value, shown):
    assert rates._fraction(value) == shown


@pytest.mark.parametrize(("value", "shown"), [(0.9999649, "0.99996"), (1.0, "1"), (1.0431, "1.04")])
def test_digits_tell_a_number_from_one(value, shown):
    assert appendix_f._near_one(value) == shown


RUN = {"run": "a", "what": "w", "clients": 10, "images": None, "reduced": "r", "status": "complete", "highest": 88.2,
       "final": 87.0, "train_loss": 0.1}  # fmt: skip


def test_a_run_cut_short_stands_beside_its_printed_number():
    printed = {"a": [{"id": "NEC-F8", "metric": "final", "printed": "86.09%"}]}
    rows = [
        RUN | {"rounds": 202},
        RUN | {"rounds": 1, "run": "short-one"},
        RUN | {"rounds": 9, "run": "b", "status": "diverged"},
    ]
    source = experiments._reduced(rows, printed).source
    assert source.count("86.09% (NEC-F8, final)") == 1
    assert "r; diverged" in source
    assert "1 more runs" in source
    assert "short-one" not in source


def test_a_faster_variant_is_named():
    cases = [{"clients": 10, "batch": 32, "variant": v, "seconds_per_round": s} for v, s in
             (("plain", 0.1), ("ours", 0.75), ("loop", 0.7), ("vmap", 1.3))]  # fmt: skip
    assert experiments._faster(cases) == " Faster than “ours” here: loop at 10 × 32."
    assert experiments._faster(cases[:2]) == ""


@pytest.mark.parametrize("mean", [None, 50.0])
def test_a_grid_is_drawn_where_some_of_it_was_run(mean):
    grid = [
        {"paper": "alpha-normec", "place": "Figure 12", "kind": "value", "low": 1.0, "high": 1.0,
         "parameters": {"method": "m", "beta": b, "gamma": g}, "ours": {"mean": mean, "so_far": ""} if b == g and mean else None}
        for b in (1.0, 2.0) for g in (1.0, 2.0)
    ]  # fmt: skip
    body, figures = printed_numbers.heat_maps(grid)
    assert len(figures) == (mean is not None)
    assert ("Axes as we read them." in body.source) == (mean is not None)


def test_a_column_of_orders_is_explained():
    rows = [{"p": "1", "order, messages": ""}, {"p": "0.5", "order, messages": "0.49"}]
    told = claim("FED-AMP", kind="privacy", tables={"smallest noise": rows})
    source = privacy._statements(Available({"claims": [told]}, "a sample"))[0].source
    assert "power of p" in source
    told["tables"] = {"smallest noise": [{"p": "1"}]}
    assert "power of p" not in privacy._statements(Available({"claims": [told]}, "a sample"))[0].source


def test_one_explanation_stands_once():
    entries = [{"claim": f"NEC-{i}", "refuted": 1, "vacuous": 0, "unknown": 0,
                "survived": [{"mutant": f"m{i}", "explanation": "the bound is loose"}]} for i in (1, 2)]  # fmt: skip
    source = mutants._mutants(Available(entries, "a sample"))[0].source
    assert source.count("The bound is loose.") == 1
    assert "m1" in source
    assert "m2" in source


def test_textbook_results_of_one_name_stand_in_one_line_with_what_is_wrong():
    def entry(status: str, cases: int, note: str, *claims: str, name: str = "Jensen") -> dict:
        return {
            "name": name,
            "relation": "",
            "claims": claims,
            "status": status,
            "cases": cases,
            "note": note,
        }

    entries = [
        entry("holds", 200, "", "NEC-T1"),
        entry("fails", 200, "is false in a case", "NEC-T1", "NEC-L2"),
        entry("trusted", 0, "it is about all methods", "FED-T1", name="a lower bound"),
        entry("holds", 200, "", "NEC-T1", name="a square"),
    ]
    body, _, missing = textbook._textbook(Available(entries, "a sample"), {"NEC-T1"})
    assert missing == ["textbook result: Jensen"]
    rows = {
        name: line
        for line in body.source.splitlines()
        for name in ("Jensen", "bound", "square")
        if name in line
    }
    jensen, bound = rows["Jensen"], rows["bound"]
    assert "[]" in rows["square"], "nothing is remarked of what holds"
    assert "claim:NEC-T1" in jensen
    assert "400" in jensen
    assert "Fails: is false in a case." in jensen
    assert "Trusted: it is about all methods." in bound
    assert "claim:FED-T1" not in bound, "a claim that the report does not have is no link"


def test_the_ledger_says_which_options_were_run():
    cut_short = {"protocol": {"round": "pass"}, "full": False}
    rows = [
        {"setting": "x", "ours": None, "others": [{"protocol": {"round": "step"}, "full": True}, cut_short]}
    ]
    source = protocol.ledger({"round": {"pass": "a pass", "step": "a step"}}, rows).source
    assert '#code("pass");], [#"a pass";], [#"no";]' in source
    assert '#code("step");], [#"a step";], [#"yes";]' in source


def test_an_open_point_has_its_name_in_every_row():
    source = protocol.ledger({"round": {"pass": "a pass", "step": "a step"}}, []).source
    assert source.count('#code("round");') == 2


def test_clients_are_counted_by_the_letter_of_the_paper():
    assert protocol.named("Fed-α-NormEC γ=0.1 n=20") == "Fed-α-NormEC γ=0.1 M=20"
    assert protocol.named("α-NormEC γ=0.1 n=20") == "α-NormEC γ=0.1 n=20"


def test_ours_is_compared_with_plain_sgd_in_its_own_layout_too():
    cases = [
        {"clients": 10, "batch": 32, "variant": variant, "ratio_to_plain": ratio}
        for variant, ratio in (("plain", 1.0), ("ours", 0.8), ("plain, channels last", 0.64))
    ]
    told = "Ours as a multiple of plain SGD: 10 × 32: 0.8"
    assert (
        experiments._ratios(cases)
        == f"{told}; of plain SGD with channels last, as ours has them: 10 × 32: 1.25"
    )
    assert experiments._ratios(cases[:2]) == told


def test_a_recipe_is_never_better_than_it_is():
    call = {"setting": "x", "given": {}, "call": "f()", "useful": True, "theorem": "DAS-OURS-CLIP"}
    parameters = {"V": 1.2341, "client_noise": 1.00438}
    source = recipes._calls([call | {"parameters": parameters, "bound": 1.2341, "known": 2**0.5}]).source
    assert '[#"1.24";], [#"1.01";], [#"1.24";]' in source
    assert '[#"1.41";]' in source
    assert "claim:DAS-OURS-CLIP" in source


def test_recipes_are_told_by_setting():
    calls = [{"setting": "no noise", "useful": True, "bound": 0.1, "known": 1.0},
             {"setting": "private", "useful": False, "bound": 2.0, "known": 1.0}]  # fmt: skip
    source = recipes._told({"M": calls, "N": calls[1:]}).source
    assert (
        "no noise (1 of 1), private (0 of 1); the best (no noise) is 0.1 of what is known before." in source
    )
    assert "N: no setting below has a useful bound." in source


def test_an_index_has_pages(provenance, pdf_text, sample_verdicts):
    from report.build import compile_pdf
    from report.section import Section
    from report.typst import paragraph

    section = claims.build({"verify": Available(sample_verdicts, "a sample")}, "alpha-normec")
    pdf, _ = compile_pdf([section], Section("front", paragraph("front")), provenance)
    texts = pdf_text(pdf)
    (index,) = [page for page, text in enumerate(texts) if "In numbers" in text and "Contents" not in text]
    assert f"✗ refuted {index + 1}" in " ".join(texts[index].replace("\n", " ").split())


def test_quotes_are_curly_outside_code():
    assert written('"η ≤" and `"x"`') == '“η ≤” and `"x"`'
    assert badge("fitted").source


def test_a_grid_that_was_begun_is_drawn_beside_the_printed_one_with_how_its_cells_stand():
    cells = [
        {"beta": b, "gamma": 1.0, "highest": 60.0, "rounds": rounds, "standing": standing}
        for b, rounds, standing in ((1.0, 10, "beyond"), (2.0, 30, "below"), (3.0, 10, "below"))
    ]
    printed = [(b, g, 50.0) for b in (1.0, 2.0, 3.0) for g in (1.0, 2.0)]
    grid = {"paper": "alpha-normec", "place": "Figure 12", "readings": "default readings", "of": 150}
    body, figures = printed_numbers.begun([grid | {"cells": cells, "printed": printed}])
    assert len(figures) == 1
    assert "after 10 to 30 of 150 rounds" in body.source
    assert "Of 3 cells: already beyond the printed number, for good: 1;" in body.source
    assert "below it, so far: 2" in body.source
    assert not printed_numbers.begun([])[0].source


def test_whether_our_runs_rank_a_grid_as_printed_is_told_with_the_cell_that_stands_apart():
    shape = {"paper": "alpha-normec", "place": "Figure 12", "cells": 16, "rank": 0.7353, "exchanged": -0.2559, "apart": "A",
             "rank_without": 0.9214, "highest_printed": "B", "highest_ours": "A"}  # fmt: skip
    source = printed_numbers.shapes([shape]).source.replace('";#"', "")
    assert "over the 16 cells is 0.74 (with β and γ exchanged −0.26)" in source
    assert "without A, to 0.92; the highest cell that is printed is B, of ours A." in source
    assert (
        "the same cell is the highest, A" in printed_numbers.shapes([shape | {"highest_printed": "A"}]).source
    )
    assert "exchanged" not in printed_numbers.shapes([shape | {"exchanged": None}]).source
    assert not printed_numbers.shapes([]).source


@pytest.mark.parametrize(
    ("problem", "shown"),
    [
        ("the theorem's conditions at β₀ = D₁", "β_{0} = 1/2, D_{1} = 2, in the test v̂ = 3"),
        ("β₀ = 1/2 and D₁", "D_{1} = 2, in the test v̂ = 3"),
        ("β₀ = v = 1/2, D_1", "D_{1} = 2, in the test v̂ = 3"),
        ("v̂ points away", "v̂ = 3, in the test β_{0} = 1/2, D_{1} = 2"),
        ("no letter", "in the test β_{0} = 1/2, D_{1} = 2, v̂ = 3"),
    ],
)
def test_a_witness_shows_the_values_of_which_it_speaks(problem, shown):
    """By whatever way a text writes an index or a hat; what the text says itself is not said again."""
    found = {"problem": problem, "values": {"beta_0": "1/2", "D_1": "2", "v_hat": "3"}, "breaks": "g ≤ 1"}
    assert _values(found) == shown
