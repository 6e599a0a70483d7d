"""The figures of runs by round: which runs are drawn, and what their captions say."""

from __future__ import annotations

from typing import Any

from report.sections import curves


def fed(participation: float, accuracies: list[float | None], beta: float = 0.01) -> dict[str, Any]:
    return {
        "beta": beta,
        "gamma": 0.1,
        "participation": participation,
        "clients": 20,
        "test_accuracy": accuracies,
    }


def test_runs_of_either_participation_are_drawn_by_round_and_by_messages():
    found = [fed(1.0, [40.0, None, 66.0]), fed(0.25, [30.0, 52.0, 61.0])]
    body, figures = curves.participation(found)
    assert set(figures) == {"participation"}
    drawn = figures["participation"].decode()
    for told in ("β = 0.01, γ = 0.1, p = 1", "β = 0.01, γ = 0.1, p = 0.25", "communications, k·p·M"):
        assert f"<!-- {told} -->" in drawn
    assert "65%" in body.source
    assert curves.participation([])[1] == {}


def test_each_augmentation_is_told_with_its_last_accuracy():
    runs = [
        {"augmentation": name, "test_accuracy": [50.0, None, last], "train_loss": [2.0, 1.0, 0.5]}
        for name, last in (("none", 71.0), ("crop", 86.0))
    ]
    body, figures = curves.augmentations({"id": "NEC-F8-NORMEC-0.1", "printed": 86.09, "runs": runs})
    assert set(figures) == {"augmentations"}
    assert "none 71.00, crop 86.00" in body.source
    assert curves.augmentations({"id": "x", "printed": 1.0, "runs": []})[1] == {}


def test_of_each_kind_the_best_run_is_drawn_before_a_second_of_any():
    def run(kind: str, best: float, full: bool = True) -> dict[str, Any]:
        line = [10.0, best, 20.0]
        return {"label": f"{kind} {best:g} seed=42", "kind": [kind, False, False], "full": full, "images": 10,
                "test_accuracy": line, "train_loss": line}  # fmt: skip

    many = [run("a", 90.0 - k) for k in range(10)]
    body, figures = curves.runs([*many, run("b", 30.0), run("c", 20.0), run("b", 80.0, full=False)])
    assert set(figures) == {"curves-full", "curves-reduced"}
    drawn = figures["curves-full"].decode()
    for name in ("a 90", "b 30", "c 20", "a 87"):
        assert f"<!-- {name} seed=42 -->" in drawn
    assert "<!-- a 86 seed=42 -->" not in drawn
    assert "6 of the 12 runs" in body.source
    assert curves.runs([])[1] == {}
