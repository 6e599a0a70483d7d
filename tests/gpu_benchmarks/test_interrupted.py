"""Runs side by side that are told to end, or of which one fails: what each has done is in its checkpoint."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from gpu_benchmarks import checkpoint, sweep
from gpu_benchmarks.checkpoint import path_of
from gpu_benchmarks.config import Config
from gpu_benchmarks.sweep import Folder, Reports
from gpu_benchmarks.training import Options, Run
from methods.terminal.output import Unwritable

BASE = Config(data="synthetic", images=64, clients=2, batch=16, blocks=1, width=2, rounds=3)
TWO = [BASE, replace(BASE, beta=1.0)]
RARELY = Options(torch.device("cpu"), every=1000.0)


def carry_out(folder: Folder, options: Options, **reports) -> bool:
    return sweep.sweep(folder, TWO, options, at_once=2, reports=Reports(**reports))


def rounds(folder: Folder) -> list[int | None]:
    """In the checkpoint of each run; None where there is none."""
    paths = [path_of(config, folder.checkpoints) for config in TWO]
    found = [
        checkpoint.read(config, path) if path.is_file() else None
        for config, path in zip(TWO, paths, strict=True)
    ]
    return [None if one is None else len(one.rounds) for one in found]


@pytest.mark.parametrize("number", [0, 1], ids=["first", "second"])
def test_a_checkpoint_that_cannot_be_written_takes_no_other_with_it(tmp_path, number):
    """At Ctrl-C a folder lies in the place of one of two checkpoints."""
    folder = Folder(tmp_path)
    blocked = path_of(TWO[number], folder.checkpoints)

    def stop(run, measured):
        blocked.mkdir(parents=True)
        raise KeyboardInterrupt

    with pytest.raises(Unwritable, match=f"{blocked.name} is a folder|{blocked.name} cannot be written"):
        carry_out(folder, RARELY, on_round=stop)
    assert rounds(folder)[1 - number] == 1


def test_a_run_that_fails_by_itself_is_named_and_the_others_are_saved(tmp_path):
    folder = Folder(tmp_path)
    blocked = path_of(TWO[0], folder.checkpoints)
    with pytest.raises(Unwritable, match=blocked.name):
        carry_out(
            folder,
            replace(RARELY, every=0.0),
            on_start=lambda run: blocked.mkdir(parents=True, exist_ok=True),
        )
    assert rounds(folder) == [None, 1]


@pytest.mark.parametrize("failing", [False, True], ids=["all well", "a device failed"])
def test_an_interruption_stays_one(tmp_path, monkeypatch, failing):
    """The negative control: nothing stands against the checkpoints, or only what its user cannot mend."""
    folder = Folder(tmp_path)
    save = Run.save

    def saved(run):
        if failing and run.config == TWO[0]:
            raise RuntimeError("of the device")
        save(run)

    def stop(run, measured):
        raise KeyboardInterrupt

    monkeypatch.setattr(Run, "save", saved)
    with pytest.raises(KeyboardInterrupt):
        carry_out(folder, RARELY, on_round=stop)
    assert rounds(folder) == [None if failing else 1, 1]


def test_a_run_that_ends_while_all_are_told_to_end_is_not_lost(tmp_path):
    """Its last round was under way: nobody has its record, and its last checkpoint may be long ago."""
    folder = Folder(tmp_path)

    def stop(run, measured):
        if len(run.rounds) == BASE.rounds:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        carry_out(folder, RARELY, on_round=stop)
    assert rounds(folder) == [BASE.rounds, BASE.rounds]
    again = []
    assert carry_out(folder, RARELY, on_round=lambda run, measured: again.append(run))
    assert again == [], "no round is repeated"
    assert all(folder.done(config) for config in TWO)
    assert rounds(folder) == [None, None]
