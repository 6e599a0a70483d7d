"""The command printed beside a result computes that very result: the same job, of the same sizes, and nothing kept."""

from __future__ import annotations

import json
import shlex

import pytest

from report import cli, provenance
from report.plan import FULL, QUICK, Job, plan
from verify.catalogue import claim, claims
from verify.results import document, entry
from verify.verdict import establish

SIZES = {"quick": QUICK, "full": FULL}
COMPUTED = [(profile, job) for profile in SIZES for job in plan(profile) if job.kept]


def called_by(command: str) -> tuple[str, list[Job], bool]:
    """(profile, the jobs that `python -m report …` computes, whether it leaves aside what is kept)."""
    assert command.startswith("python -m report ")
    options = cli.parser().parse_args(shlex.split(command)[3:])
    only = cli._names(options.only)
    assert only is not None
    return (
        options.profile,
        [job for job in plan(options.profile, only=only) if job.name in only],
        options.fresh,
    )


@pytest.mark.parametrize(
    ("profile", "job"), COMPUTED, ids=[f"{profile}-{job.name}" for profile, job in COMPUTED]
)
def test_the_printed_command_computes_the_printed_result(profile, job):
    if job.name == "verify":  # has no sizes, and a command of its own that decides all claims
        assert (job.origin, job.config) == ("python -m verify --jobs 2", {})
        return
    again, jobs, fresh = called_by(job.origin)
    assert fresh
    assert again == profile
    assert [(found.name, found.config, found.rooms) for found in jobs] == [(job.name, job.config, job.rooms)]


@pytest.mark.parametrize("profile", SIZES)
def test_the_sizes_of_the_toy_jobs_are_those_of_the_table(profile):
    jobs = {job.name: job.config for job in plan(profile)}
    assert {name: jobs[name] for name in SIZES[profile]} == SIZES[profile]


@pytest.mark.parametrize("profile", SIZES)
def test_what_is_only_read_names_the_command_that_prints_or_writes_it(profile):
    read = {job.name: job.origin for job in plan(profile) if not job.kept}
    assert read == {
        "experiments": "python -m gpu_benchmarks table",
        "fashion": "python -m gpu_benchmarks fmnist table",
        "throughput": "python -m gpu_benchmarks throughput --json PATH",
    }


@pytest.mark.parametrize("name", ["verify", "mutants"])
@pytest.mark.parametrize("read", ["gpu_benchmarks/records/one.json", "gpu_benchmarks/reported.toml"])
def test_what_claims_read_as_data_is_in_the_key_of_what_decides_them(tmp_path, monkeypatch, name, read):
    monkeypatch.setattr(provenance, "ROOT", tmp_path)
    (rooms,) = (job.rooms for job in plan("quick") if job.name == name)
    keys = set()
    for text in ("as it was", "edited"):
        (tmp_path / read).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / read).write_text(text)
        keys.add(provenance.tree_hash.__wrapped__(rooms))
    assert len(keys) == 2


def test_what_a_file_of_all_claims_lacks_today_is_told(tmp_path):
    """Of a file of some claims alone another line says that."""
    path, one = tmp_path / "verdicts.json", "DAS-FN4"
    found = document([entry(establish(claim(one)))])
    for catalogue, lacks in ((1, sorted(claims().keys() - {one})), (5, [])):
        path.write_text(json.dumps(found | {"catalogue": catalogue}), encoding="utf-8")
        [job] = [job for job in plan("quick", verify_json=path) if job.name == "verify"]
        assert job.compute({}, lambda part: None)["absent"] == lacks
