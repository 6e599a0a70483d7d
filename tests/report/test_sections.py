"""Every chapter from small but real results: it builds, it compiles, it says what the data say."""

from __future__ import annotations

import math
import statistics

import pytest
from scipy import stats

from gpu_benchmarks.errors import InputError
from report.assemble import sections
from report.build import compile_pdf
from report.graphs import GIVEN, Node, Printed, ordered, proof_graph, ranges
from report.jobs import run
from report.plan import plan
from report.results import experiments, privacy, recipes, toy
from report.section import Available, NotRun, Result
from report.sections import fashion, front, printed_numbers
from report.sections.claims import rows_table
from report.sections.proofs import graph_nodes
from report.sections.toy import _example1
from report.sections.witness import exact, letters, symbol
from report.typst import Markup, badge, escape, formula, hundredths, markup, number, strong

SMALL = {
    "example1": (toy.example1, {}),
    "overlays": (toy.overlays, {"K": 10, "seeds": 2}),
    "falsifier": (toy.falsifier, {"instances": 500, "seconds": 2.0, "dimensions": [1],
                                   "bounds": ["NEC-L2", "NEC-T2-POSTER", "FED-R1", "DAS-T4a"]}),
    "rates": (toy.rates, {"K": [7, 15], "instances": 2}),
    "methods": (toy.methods, {"K": 5, "instances": 2, "steps": 2, "spreads": [0.0, 1.0]}),
    "appendix_f": (toy.appendix_f, {"n": 4, "d": 12, "rank": 3, "K": 6, "E": 2, "C": [10.0, 50.0], "runs": 2}),
    "recipes": (recipes.recipes, {"epsilon": 8.0, "delta": 1e-5, "f_gap": 1.0, "L": 1.0, "clients": [10],
                                  "rounds": [100], "dimensions": [1], "distance": 1.0, "G": 1.0,
                                  "participation": 0.5, "least_R": 1.0}),
    "bounds": (recipes.catalogue, {}),
    "audit": (privacy.audit, {"rounds": 3, "runs": 400, "sigma": 2.0, "delta": 1e-5}),
    "experiments": (experiments.comparison, {}),
    "fashion": (experiments.fashion, {}),
}  # fmt: skip


@pytest.fixture(scope="module")
def results(sample_verdicts):
    every: dict[str, Result] = {job.name: NotRun(f"{job.name} left out") for job in plan("quick")}
    every["verify"] = Available(sample_verdicts, "the sample", 1.0)
    every["mutants"] = Available(
        [{"claim": "NEC-X1", "refuted": 3, "vacuous": 0, "unknown": 1,
          "survived": [{"mutant": "bound: larger side × 9/10", "explanation": "slack: × 7/10"}]}],
        "a sample", 1.0)  # fmt: skip
    every["textbook"] = Available(
        [{"name": "triangle inequality", "relation": "e <= after + dev", "claims": ["NEC-X1", "NEC-X2"], "status": "holds",
          "cases": 200, "note": ""}],
        "a sample", 1.0)  # fmt: skip
    every["throughput"] = Available(
        {"devices": [{"file": "x.json", "device": "a processor", "reach": 1.1, "how": "Medians.",
                      "cases": [{"clients": 10, "batch": 32, "variant": "ours", "seconds_per_round": 0.5,
                                 "ratio_to_plain": 1.05}]}],
         "paces": [{"machine": "a card", "gpu": True, "precision": "bf16", "clients": 10, "batch": 32, "how": "graph", "runs": 3,
                    "passes": 672, "seconds": 0.83, "iterations": 141, "images": 45000}]},
        "a sample")  # fmt: skip
    for name, (compute, config) in SMALL.items():
        every[name] = Available(compute(config), f"small {name}", 0.1)
    return every


def test_every_chapter_compiles_and_shows_its_results(results, provenance, pdf_text):
    chapters = sections(results, provenance)
    pdf, pages = compile_pdf(chapters, front.build(results, chapters, provenance, "quick"), provenance)
    text = " ".join(" ".join(pdf_text(pdf)).split())
    assert pages > 15
    for words in ("DP-SGD, normalised (α = 0)", "FED-R1", "memory starts at the gradient", "Figure 2 redrawn",
                  "Slack: × 7/10", "a processor", "Protocol ledger", "Of 1 results 1 hold in all their cases"):  # fmt: skip
        assert words in text
    assert "Normalisation minus clipping, percentage points, paired by seed" in text
    assert "fashion_again left out" in text


def row(*cells: object) -> str:
    """A whole row of a table as it is typeset."""
    return f"\n  {', '.join(f'[{markup(cell)}]' for cell in cells)}"


def cell(values: list[float]) -> list[str]:
    """Mean and Student's 95% interval of some runs, by scipy."""
    mean, error = statistics.fmean(values), statistics.stdev(values) / math.sqrt(len(values))
    low, high = stats.t.interval(0.95, len(values) - 1, mean, error)
    return [f"{mean:.2f}", f"{low:.2f} to {high:.2f}"]


@pytest.mark.parametrize(
    ("accuracies", "verdict"), [((85.91, 86.12), "reproduced"), ((48.0, 48.5), "not reproduced")]
)
def test_a_printed_number_stands_beside_ours(accuracies, verdict):
    """86.09 of α-NormEC's Figure 8, from two runs to the row of the table: printed, ours, interval, n, verdict."""
    from gpu_benchmarks.comparison import compare
    from gpu_benchmarks.config import Config
    from gpu_benchmarks.records import Record
    from gpu_benchmarks.reported import load

    runs = []
    for seed, accuracy in enumerate(accuracies):
        config = Config(beta=0.1, gamma=0.1, seed=seed)
        series = [accuracy] * config.rounds
        metrics = {"train_loss": series, "test_loss": series, "test_accuracy": series}
        runs.append(Record(config, "complete", metrics))
    (found,) = [r.to_dict() for r in compare(load(), runs) if r.number.id == "NEC-F8-NORMEC-0.1"]
    where = strong("NEC-F8-NORMEC-0.1") + Markup(" \\ ") + formula(f"{found['place']}; {found['metric']}")
    mean, deviation = statistics.fmean(accuracies), max(statistics.stdev(accuracies), 0.5)
    off = f"{abs(mean - 86.09):.2f} of {1 + 1.96 * deviation * math.sqrt(1 / 2 + 1):.2f}"
    mean_of_runs, interval = map(formula, cell(list(accuracies)))
    ours = mean_of_runs + Markup(" \\ ") + interval
    expected = row(where, "86.09%", ours, "2", off, badge(verdict), "default readings")
    assert expected in printed_numbers.rows([found]).source


@pytest.mark.parametrize(
    ("readings", "common", "besides"),
    [
        ([], "", []),
        (["noise: x, precision: bf16"], "", ["noise: x, precision: bf16"]),
        (["noise: x, precision: bf16", "precision: bf16"], "precision: bf16", ["noise: x", ""]),
        (["noise: x", "noise: y"], "", ["noise: x", "noise: y"]),
    ],
    ids=["no run", "one run", "two that share one", "two that share none"],
)
def test_what_runs_have_in_common_is_said_once(readings, common, besides):
    assert printed_numbers.in_common(readings) == (common, besides)


def test_table_2a_shows_printed_and_ours_line_by_line(results):
    """Ours and its interval, and normalisation minus clipping, from the single runs of the records."""
    data = results["fashion"].value
    source = fashion.build(results["fashion"])[0].source
    assert len(data["rows"]) >= 5
    for line in data["rows"]:
        ours, fresh = line["cell"], line["fresh"]
        assert row(
            line["method"],
            "∞" if line["epsilon"] is None else f"{line['epsilon']:g}",
            line["form"],
            number(line["noise"]),
            number(line.get("q")),
            f"{line['printed']:.2f} ± {line['printed_deviation']:g}",
            *cell(ours["values"]),
            f"C = {number(ours['c'])}, η₀ = {number(ours['eta0'])}",
            f"{statistics.fmean(fresh['values']):.2f} ({len(fresh['values'])})",
        ) in source  # fmt: skip
    clipped, normalised = (
        {(line["epsilon"], line["form"]): line for line in data["rows"] if line["method"] == method}
        for method in ("clip", "norm")
    )
    assert len(clipped) >= 2
    assert clipped.keys() == normalised.keys()
    for (epsilon, form), clip in clipped.items():
        norm = normalised[epsilon, form]
        more = statistics.fmean(norm["cell"]["values"]) - statistics.fmean(clip["cell"]["values"])
        printed = hundredths(norm["printed"] - clip["printed"])
        assert row(f"ε = {epsilon:g}", form, printed, hundredths(more)) in source


def test_example_1_is_said_to_move_where_it_moves(results):
    """By the last iterate, whatever the runs' own mark says."""
    told = results["example1"].value
    source = _example1(results["example1"])[0].source
    for name in ("clipping", "smoothed"):
        moved = [ending["last_x"] != told["x0"] for ending in told[name]]
        assert len(set(moved)) == 2, "some move and some do not"
        for ending, moves in zip(told[name], moved, strict=True):
            cells = number(ending["last_x"], 4), number(ending["predicted"])
            assert row(number(ending["parameter"]), "yes" if moves else "no", *cells) in source


def test_every_missing_result_is_said_to_be_missing(provenance):
    jobs = [job.name for job in plan("quick")]
    chapters = sections({name: NotRun(f"{name} was lost", "find it") for name in jobs}, provenance)
    shown = "".join(chapter.body.source for chapter in chapters)
    for name in jobs:
        assert f"{name} was lost" in shown
    assert len([item for chapter in chapters for item in chapter.missing]) >= len(jobs)


def test_audit_catches_the_planted_faults(results):
    for row in results["audit"].value["rows"]:
        assert row["caught"] == bool(row["fault"]), row


def test_a_broken_record_is_named(tmp_path, monkeypatch):
    from gpu_benchmarks import records

    (tmp_path / "broken.json").write_text("{")
    monkeypatch.setattr(records, "FOLDER", tmp_path)
    with pytest.raises(InputError, match=r"broken\.json"):
        experiments.comparison({})


def test_a_broken_throughput_file_is_named(tmp_path, monkeypatch):
    from gpu_benchmarks import records

    (tmp_path / "throughput").mkdir()
    (tmp_path / "throughput" / "cpu.json").write_text('{"device": "x", "cases": [{}]}')
    monkeypatch.setattr(records, "FOLDER", tmp_path)
    with pytest.raises(InputError, match=r"cpu\.json is no throughput measurement"):
        experiments.throughput({})


def test_without_data_the_cells_are_not_run_again(tmp_path, monkeypatch):
    monkeypatch.delenv("NORMEC_DATA", raising=False)
    monkeypatch.setattr("gpu_benchmarks.data.data_folder", lambda: tmp_path)
    (job,) = [job for job in plan("quick") if job.name == "fashion_again"]
    result = run(job, tmp_path)
    assert isinstance(result, NotRun)
    assert "NORMEC_DATA" in result.reason


def test_data_in_the_cache_folder_are_used(tmp_path, monkeypatch):
    """Found without NORMEC_DATA, and named when damaged."""
    from gpu_benchmarks.data import DATASETS

    home = tmp_path / "fashion-mnist"
    home.mkdir()
    for part in DATASETS["fashion-mnist"].parts:
        (home / part.name).write_bytes(b"not the data")
    monkeypatch.delenv("NORMEC_DATA", raising=False)
    monkeypatch.setattr("gpu_benchmarks.data.data_folder", lambda: tmp_path)
    with pytest.raises(InputError, match="train-images-idx3-ubyte"):
        experiments.fashion_again({"seeds": 1})


def test_proof_graph_orders_steps_after_what_they_use():
    nodes = graph_nodes(
        [["bound", "lemma"], ["lemma", "alpha > 0"], ["bound", "gamma > 0"]],
        [{"name": "bound", "status": "proved"}, {"name": "lemma", "status": "refuted"}],
    )
    assert [node.name for node in ordered(nodes)] == ["lemma", "bound"]
    assert {node.name for node in nodes if node.status == GIVEN} == {"α > 0", "γ > 0"}
    source = proof_graph(nodes, escape("a caption"), escape("X"), Printed()).source
    assert 'sign: "cross", number: 1, uses: (), body: [#"lemma";#premises()[#"h1";];]' in source
    assert 'sign: "circle", number: 2, uses: (0, ), body: [#"bound";#premises()[#"1, h2";];]' in source


def test_what_two_proofs_share_is_printed_once():
    """A step of the same name is another one where what it rests on is another."""
    printed = Printed()
    first = [
        Node("h", GIVEN),
        Node("a", "proved", ("h",)),
        Node("b", "proved", ("a",)),
        Node("c", "proved", ("b",)),
    ]
    second = [*first[:3], Node("k", GIVEN), Node("c", "proved", ("b", "k"))]
    proof_graph(first, escape("1"), escape("FIRST"), printed)
    source = proof_graph(second, escape("2"), escape("SECOND"), printed).source
    assert source.count("number: ") == 1
    assert 'number: 4, uses: (), body: [#"c";#premises()[#"2, h2";];]' in source
    assert '#"from h1, h2";' in source
    assert '#"steps 1, 2 of ";#"FIRST";' in source
    again = proof_graph(first, escape("3"), escape("THIRD"), printed).source
    assert "number: " not in again
    assert '#"steps 1–3 of ";#"FIRST";; #"the last is 3";' in again
    deep = [Node("a", "proved"), Node("b", "proved", ("a",))]
    assert "number: 6" in proof_graph(deep, escape("4"), escape("FOURTH"), printed).source, (
        "b without h is no b"
    )


def test_an_arc_joins_near_steps_alone():
    chain = [Node(f"s{i}", "proved", (f"s{i - 1}", "s0") if i > 1 else ()) for i in range(9)]
    source = proof_graph(chain, escape(""), escape(""), Printed()).source
    assert "number: 7, uses: (5, 0, )," in source
    assert "number: 8, uses: (6, ), " in source
    assert '#premises()[#"1, 7";]' in source


@pytest.mark.parametrize(
    ("numbers", "letter", "shown"),
    [
        ([3, 1, 2, 6], "", "1–3, 6"),
        ([1, 2, 4], "h", "h1, h2, h4"),
        ([5, 5, 6, 7], "h", "h5–h7"),
        ([], "h", ""),
    ],
)
def test_runs_of_numbers_are_told_by_their_ends(numbers, letter, shown):
    assert ranges(numbers, letter) == shown


def test_the_head_of_numbers_is_broken_before_its_last_word():
    source = rows_table("t", [{"seen, by": "sum", "ε, messages, replace-one": "3"}]).source
    assert r'strong[#"seen, by";]' in source
    assert r'strong[#"ε, messages,"; \ #"replace-one";]' in source


def test_a_circular_proof_is_an_error():
    with pytest.raises(ValueError, match="rests on itself: a -> b -> a"):
        ordered([Node("a", "proved", ("b",)), Node("b", "proved", ("a",))])


@pytest.mark.parametrize(
    ("number", "shown"),
    [("15/8", "15/8"), ("1/100000", "1/10^{5}"), ("-1000000", "-10^{6}"), ("12345678", "12\u202f345\u202f678"),
     ("1" + "0" * 20 + "/3", "10^{20}/3"), ("1" + "0" * 320, "10^{320}"), ("160000000000", "16·10^{10}"),
     ("-1/4" + "0" * 42, "-1/(4·10^{42})"), ("2" * 30 + "/" + "1" * 30, "≈ 2")],
)  # fmt: skip
def test_an_exact_number_can_be_read(number, shown):
    assert exact(number) == shown


def test_a_value_has_the_name_of_a_symbol():
    names = ("R_small", "beta_0", "x0", "short_root", "C_hat", "Phi")
    assert [symbol(name) for name in names] == ["R_{small}", "β_{0}", "x^0", "short root", "Ĉ", "Φ"]


def test_names_of_letters_become_letters():
    assert letters("beta_0 <= alpha + L_max and alphabet") == "β_0 <= α + L_max and alphabet"
