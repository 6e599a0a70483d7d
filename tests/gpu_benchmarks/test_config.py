"""Configs and readings: what goes in comes out, what is wrong is named."""

from __future__ import annotations

import argparse
import json
import re
from dataclasses import asdict, fields, replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpu_benchmarks.commands import train
from gpu_benchmarks.config import Config, from_dict, load, to_dict, with_readings
from gpu_benchmarks.errors import InputError
from gpu_benchmarks.method import noise_std
from gpu_benchmarks.plans import GPU, PLANS, queue
from gpu_benchmarks.readings import OPTIONS, Readings
from gpu_benchmarks.records import FOLDER
from gpu_benchmarks.resnet import Architecture
from gpu_benchmarks.training_methods import METHODS

READINGS = st.builds(
    Readings,
    **{name: st.sampled_from(list(o)) for name, o in OPTIONS.items() if name != "local_batches"},
)
CONFIGS = st.builds(
    Config,
    method=st.sampled_from(["alpha_normec", "fed_alpha_normec"]),
    gamma=st.floats(1e-6, 1e3),
    beta=st.floats(1e-6, 1e3),
    alpha=st.floats(0, 10),
    private=st.booleans(),
    seed=st.integers(0, 2**63 - 1),
    rounds=st.integers(1, 500),
    readings=READINGS,
)


@given(CONFIGS)
def test_json_round_trip_keeps_the_run(config):
    again = from_dict(json.loads(json.dumps(to_dict(config))))
    assert again == config
    assert again.run == config.run


def test_no_two_queued_runs_have_one_label():
    """Whoever reads a dry run, a progress line or a legend can tell them apart."""
    labels = [config.label() for config in queue(tuple(PLANS)) if config.full]
    assert len(labels) == len(set(labels)), [label for label in labels if labels.count(label) > 1]


@given(CONFIGS)
def test_a_label_names_what_is_not_the_default(config):
    for name, option in asdict(config.readings).items():
        if option != getattr(Readings(), name) and (config.private or not name.startswith("noise")):
            told = {
                "augmentation": "augmented" if option == "crop-and-flip" else f"augmentation={option}",
                "noise": option,
                "noise_joins": f", {option}",
                "noise_root": f"over {option}",
            }
            assert told.get(name, f"{name}={option}") in config.label()


@given(CONFIGS)
def test_a_label_has_what_changes_the_run_and_nothing_else(config):
    """Two runs of one sweep that differ in a setting look different, and a setting that says nothing is not shown."""
    noise = {"epsilon": 3.5, "delta": 1e-7} if config.private else {}
    for name, value in {"batch": 7, "blocks": 4, "width": 8, "data": "synthetic", **noise}.items():
        if getattr(config, name) != value:
            assert replace(config, **{name: value}).label() != config.label(), name
    assert "β=" in config.label()
    assert "β" not in Config(method="sgd").label()


@given(CONFIGS, CONFIGS)
def test_different_configs_are_different_runs(first, second):
    assert (first == second) == (first.run == second.run)


def test_the_two_zeros_are_one_run():
    """They are equal, and JSON writes them apart."""
    zero, minus = (from_dict(json.loads(f'{{"alpha": {text}}}')) for text in ("0.0", "-0.0"))
    assert zero.run == minus.run
    assert zero.label() == minus.label()
    assert replace(zero, alpha=-0.0).run == zero.run


def test_the_mini_batches_of_local_steps_do_not_name_a_run_with_one_step():
    """So that records made before there was this reading keep their names."""
    with pytest.raises(ValueError, match="fresh with one local step"):
        with_readings(Config(), local_batches="same")
    assert Config().run == "dc3875f51b42f0d8"


def test_the_root_of_the_noise_does_not_rename_the_runs_that_were_made_before_it_was_a_reading():
    """They had it over K alone, whatever their method, and `noise_root` is in no file of theirs."""
    known = {
        path: json.loads(path.read_text(encoding="utf-8")) for path in (FOLDER / "reduced").glob("*.json")
    }
    configs = {path: from_dict(data["config"]) for path, data in known.items()}
    assert [path.stem for path in known] == [config.run for config in configs.values()]
    before = [
        config for path, config in configs.items() if "noise_root" not in known[path]["config"]["readings"]
    ]
    assert {config.readings.noise_root for config in before} == {"K alone"}
    assert any(config.private for config in before)
    for config in before:
        assert with_readings(config, noise_root="K and log").run != config.run


def test_what_people_ask_for_has_the_root_that_the_paper_prints(tmp_path):
    path = tmp_path / "runs.toml"
    path.write_text(
        'private = true\n[[runs]]\n[[runs]]\nmethod = "clip21"\n[[runs]]\nmethod = "fed_alpha_normec"\n'
        '[[runs]]\nprivate = false\n[[runs]]\n[runs.readings]\nnoise_root = "K alone"\n'
    )
    roots = [config.readings.noise_root for config in load(path)]
    assert roots == ["K and log", "K and log", "K alone", "K alone", "K alone"]


@pytest.mark.parametrize(
    ("arguments", "root"),
    [
        (["--private"], "K and log"),
        (["--private", "--method", "clip21"], "K and log"),
        (["--private", "--method", "fed_alpha_normec"], "K alone"),
        (["--private", "--reading", "noise_root=K alone"], "K alone"),
        (["--private", "--method", "fedavg", "--reading", "noise_root=K and log"], "K and log"),
        ([], "K alone"),
        (["--config", "{path}"], "K and log"),
        (["--config", "{path}", "--method", "fed_alpha_normec"], "K alone"),
        (["--config", "{path}", "--reading", "noise_root=K alone"], "K alone"),
    ],
)
def test_train_takes_the_root_that_the_paper_prints(tmp_path, arguments, root):
    path = tmp_path / "run.toml"
    path.write_text('private = true\n[readings]\nnoise = "std of the vector"\n')
    parser = argparse.ArgumentParser()
    train.add_arguments(parser)
    config = train._config(parser.parse_args([a.format(path=path) for a in arguments]))
    assert config.readings.noise_root == root
    assert config.readings.noise == ("std of the vector" if "--config" in arguments else Readings().noise)


def test_plans_have_the_root_that_the_paper_prints_and_the_peaks_both():
    for name in ("figure-12", "private-grid", "more-seeds"):
        runs = [c for c in PLANS[name](Config()) if c.private]
        assert runs, name
        assert {c.readings.noise_root for c in runs} == {"K and log"}, name
    assert {c.readings.noise_root for c in PLANS["federated"](Config())} == {"K alone"}
    assert {c.readings.noise_root for c in PLANS["private-peaks"](Config())} == {"K alone", "K and log"}


def test_the_private_peaks_begin_with_the_least_noise():
    """At β = 0.01 the printed scale is below 1, so that reading it as a deviation adds less than as a variance."""
    peaks = PLANS["private-peaks"](Config())
    assert len(peaks) == len({c.run for c in peaks}) == 40
    for gamma in (0.1, 0.01):
        found = [noise_std(c, Architecture(3, 16).dimension, 141) for c in peaks if c.gamma == gamma]
        assert len(found) == 20
        assert all(b > a * (1 + 1e-9) for a, b in pairwise(found)), "no two readings are one noise"
    first = peaks[0].readings
    assert (first.noise, first.noise_joins, first.noise_root) == ("std of the vector", "message", "K and log")
    # √(300 · 11.5129255)/800 = 0.0734621 over √269722 = 519.348
    assert noise_std(peaks[0], 269_722, 141) == pytest.approx(1.4145077e-4, rel=1e-5)
    again = {c.readings.noise for c in PLANS["more-seeds"](Config()) if c.private}
    assert again == {"std of the vector"}


def test_every_reading_has_options_and_changes_the_run():
    assert set(OPTIONS) == {item.name for item in fields(Readings)}
    base = Config(method="fed_alpha_normec", local_steps=2)
    for name, options in OPTIONS.items():
        assert len(options) >= 2, name
        assert len({with_readings(base, **{name: option}).run for option in options}) == len(options), name


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"gama": 0.1}, "unknown gama"),
        ({"readings": {"nois": "x"}}, "unknown nois"),
        ({"readings": {"noise": "loud"}}, "noise = 'loud' is unknown; the options are"),
        ({"gamma": 0}, "gamma = 0.0 .* above 0"),
        ({"gamma": float("nan")}, "gamma = nan"),
        ({"gamma": "0.1"}, "gamma = '0.1' must be of type float"),
        ({"rounds": 1.5}, "rounds = 1.5 must be of type int"),
        ({"rounds": True}, "rounds = True must be of type int"),
        ({"alpha": -1.0}, "alpha = -1.0"),
        ({"method": "adam"}, f"method = 'adam' .* one of {', '.join(METHODS)}"),
        ({"delta": 1.0}, "delta = 1.0"),
        ({"participation": 0.5}, "only fed_alpha_normec and fedavg"),
        ({"method": "sgd", "private": True}, "private = True"),
        ({"method": "clip21", "server_normalisation": True}, "server_normalisation"),
        ({"method": "dp_sgd", "readings": {"memories": "first-gradient"}}, "has no memories"),
        ({"stop_after": 301}, r"stop_after = 301 .* \[1, 300\]"),
        ({"images": 10}, "images = 10 .* at least clients"),
        ({"images": 0}, "images = 0 .* at least clients"),
        ({"width": 3}, "width = 3"),
        ({"width": 10**12}, "width = 1000000000000 .* at most 1024"),
        ({"blocks": 10**8}, "blocks = 100000000 .* at most 200"),
        ({"rounds": 10**400}, "rounds = 10+ .* at most 1000000000"),
        ({"gamma": 10**400}, r"gamma = 10+ .* finite"),
        ({"readings": {"round": ["pass"]}}, r"round = \['pass'\] is unknown; the options are"),
        ([1], "expected a table"),
    ],
)
def test_wrong_config_is_refused_by_name(data, message):
    with pytest.raises(InputError, match=message):
        from_dict(data)


def test_files_of_many_runs(tmp_path):
    path = tmp_path / "runs.toml"
    path.write_text(
        'beta = 0.01\n[readings]\nsplit = "official-test"\n[[runs]]\ngamma = 1\n[[runs]]\ngamma = 0.1\n'
        '[runs.readings]\nnoise = "std of the vector"\n'
    )
    first, second = load(path)
    assert (first.beta, first.gamma, second.gamma) == (0.01, 1.0, 0.1)
    assert first.readings.split == second.readings.split == "official-test"
    assert second.readings.noise == "std of the vector"


@pytest.mark.parametrize(
    "text",
    [
        "beta = ",
        "runs = 3",
        "runs = []",
        "readings = 3",
        "[[runs]]\nreadings = 3",
        "beta = " + "[" * 5_000,
        '{"beta": ',
        '{"beta": 0.1, "beta": 1.0}',
        '{"readings": ["noise"]}',
        '{"beta": ' + "[" * 100_000,
    ],
    ids=lambda text: text[:30],
)
def test_damaged_config_files_are_named(tmp_path, text):
    path = tmp_path / ("runs.json" if text.startswith("{") else "runs.toml")
    path.write_text(text)
    with pytest.raises(InputError, match="runs"):
        load(path)
    with pytest.raises(InputError, match="cannot be read"):
        load(tmp_path / "absent.toml")


def test_json_is_json_whatever_the_case_of_its_name(tmp_path):
    path = tmp_path / "RUN.JSON"
    path.write_text('{"beta": 0.5}')
    assert [config.beta for config in load(path)] == [0.5]


@pytest.mark.parametrize(
    "change", [{"blocks": 1}, {"width": 8}, {"images": 1000}, {"stop_after": 1}], ids=str
)
def test_another_network_or_less_data_is_no_full_run(change):
    assert Config().full
    assert not replace(Config(), **change).full


def test_a_run_that_is_to_stop_after_all_rounds_is_the_whole_run():
    """One run has one name, and a verdict where it has one; one round less is a reduced run."""
    assert Config(stop_after=300) == Config()
    assert replace(Config(rounds=301), stop_after=300, rounds=300).full
    assert not Config(stop_after=299).full
    assert from_dict({"rounds": 2, "stop_after": 2}).run == Config(rounds=2).run


def test_plans_hold_what_the_papers_print():
    configs = queue(GPU)
    assert len(configs) == len({c.run for c in configs}) > 100
    assert all(config.full for config in configs)
    assert not any(config.full for config in PLANS["reduced"](Config()))
    assert {c.method for c in PLANS["reduced"](Config())} == set(METHODS)
    assert len(PLANS["best-cells"](Config())) == 16
    assert len(PLANS["figure-12"](Config())) == 16


@pytest.mark.parametrize("name", ["empty.toml", "remark.toml"])
def test_an_empty_file_is_no_default_run(name, tmp_path):
    (tmp_path / name).write_text("" if name == "empty.toml" else "# nothing\n")
    with pytest.raises(InputError, match="is empty; name at least one setting"):
        load(tmp_path / name)


def test_an_integer_beyond_all_floats_is_named(tmp_path):
    (tmp_path / "run.json").write_text('{"gamma": 1' + "0" * 400 + "}")
    with pytest.raises(InputError, match=r"gamma = 10+ is not allowed: it must be finite"):
        load(tmp_path / "run.json")


def test_a_config_with_a_mark_of_byte_order_is_read(tmp_path):
    path = tmp_path / "run.toml"
    path.write_text("\ufeff" + "gamma = 0.5\nreadings = { '' = 'x' }\n", encoding="utf-8")
    with pytest.raises(InputError, match="unknown ''; Readings has"):
        load(path)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"gamma = 1{'0' * 5000}", "not valid TOML (a number of too many digits)"),
        (f"gamma = 0x1{'0' * 5000}", "gamma = a number of too many digits is not allowed: it must be finite"),
        (f"gamma = {'[' * 5000}", "not valid TOML (nested too deeply)"),
    ],
)
def test_a_number_or_a_nesting_beyond_measure_is_told_in_words(tmp_path, text, told):
    path = tmp_path / "run.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=re.escape(told)):
        load(path)
