"""Files appear whole or not at all, and what cannot be written is known beforehand."""

import json
import os
import re
from pathlib import Path

import pytest

from methods.terminal import output
from methods.terminal.output import STDOUT, Unwritable, check_apart, check_writable, write_json, write_whole


def test_a_file_is_written_with_its_folders(tmp_path):
    target = tmp_path / "a" / "b" / "c.json"
    check_writable(target)
    assert list(tmp_path.iterdir()) == [], "to ask leaves nothing behind"
    write_whole(target, "ε = 1\n")
    assert target.read_text(encoding="utf-8") == "ε = 1\n"
    assert [p.name for p in target.parent.iterdir()] == ["c.json"]


def test_an_interrupt_leaves_the_old_file_and_nothing_beside_it(tmp_path, monkeypatch):
    target = tmp_path / "record.json"
    write_whole(target, b"old")

    def interrupted(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(output.os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_whole(target, b"new")
    assert target.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_full_disk_leaves_the_old_file_and_says_so(tmp_path, monkeypatch):
    target = tmp_path / "record.json"
    write_whole(target, "old")

    def full(_):
        raise OSError("disk full")

    monkeypatch.setattr(output.os, "fsync", full)
    with pytest.raises(Unwritable, match=r"record.json cannot be written \(disk full\)"):
        write_whole(target, "new")
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


@pytest.fixture
def umask():
    """0o027 while a test runs."""
    before = os.umask(0o027)
    yield
    os.umask(before)


@pytest.mark.usefixtures("umask")
def test_a_new_file_has_what_the_umask_leaves_and_an_old_one_keeps_its_mode(tmp_path):
    target = tmp_path / "record.json"
    write_whole(target, "new")
    assert target.stat().st_mode & 0o777 == 0o640
    for mode in (0o600, 0o444, 0o666):
        target.chmod(mode)
        write_whole(target, "again")
        assert target.stat().st_mode & 0o777 == mode


def test_what_is_private_is_private_before_it_is_renamed(tmp_path, monkeypatch):
    target, seen = tmp_path / "record.json", []
    write_whole(target, "old")
    target.chmod(0o600)
    monkeypatch.setattr(output.os, "fsync", lambda handle: seen.append(os.fstat(handle).st_mode & 0o777))
    write_whole(target, "new")
    assert seen == [0o600]


@pytest.mark.parametrize(
    "write", [check_writable, lambda path: write_whole(path, "x")], ids=["check", "write"]
)
def test_what_cannot_be_written_is_one_error_that_names_it(tmp_path, write):
    (tmp_path / "file").touch()
    for path in (tmp_path, tmp_path / "file" / "x.json"):
        with pytest.raises(Unwritable, match=path.name):
            write(path)
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize(
    "write", [check_writable, lambda path: write_whole(path, "x")], ids=["check", "write"]
)
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("loop", "(Symlink loop|Too many levels)"),
        ("loop/x.json", "(Symlink loop|Too many levels)"),
        ("n" * 256, "File name too long"),
        ("a\0b", "null"),
        ("file/x.json", "file is no folder"),
        ("file/deep/x.json", "file is no folder"),
    ],
    ids=["loop", "in-loop", "long", "nul", "in-file", "deep-in-file"],
)
def test_a_name_that_no_file_can_have_is_refused(tmp_path, write, name, reason):
    (tmp_path / "file").touch()
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(Unwritable, match=rf"cannot be written \(.*{reason}"):
        write(tmp_path / name)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file", "loop"]


def test_what_utf8_cannot_hold_is_escaped_in_json(tmp_path):
    write_json(tmp_path / "x.json", {"folder": "ε/\udcff"})
    text = (tmp_path / "x.json").read_text(encoding="utf-8")
    assert "ε/\\udcff" in text
    assert json.loads(text) == {"folder": "ε/\udcff"}


def test_an_output_is_no_other_file_of_the_command(tmp_path):
    other, folder = tmp_path / "a" / "x.pdf", tmp_path / "a"
    folder.mkdir()
    (tmp_path / "link").symlink_to(folder)
    for path, taken, told in (
        (other, other, "is --out"),
        (folder / ".." / "a" / "x.pdf", other, "is --out"),
        (tmp_path / "link" / "x.pdf", other, "is --out"),
        (STDOUT, STDOUT, "is --out"),
        (folder / "y", folder, "lies in --out"),
        (tmp_path / "new" / "y", tmp_path / "new", "lies in --out"),
    ):
        with pytest.raises(Unwritable, match=f"--json {re.escape(str(path))}: {told}"):
            check_apart("--json", path, {"none": None, "--out": taken})
    (tmp_path / "circle").symlink_to("circle")
    check_apart("--json", folder / "y", {"--out": other, "--verify-json": tmp_path / "circle"})
    check_apart("--json", folder / "y", {"--out": other, "--verify-json": tmp_path / ("x" * 300)})
    check_apart("--json", STDOUT, {"--out": other})
    check_apart("--json", Path("/dev/null"), {"--out": Path("/dev/null")})


def test_a_dash_is_standard_output_and_no_file(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    check_writable(STDOUT)
    write_whole(STDOUT, "ε = 1\n")
    assert capsys.readouterr().out == "ε = 1\n"
    assert list(tmp_path.iterdir()) == []


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path):
    """So does /dev/null, which a rename would take from the whole machine."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    check_writable(pipe)
    write_whole(pipe, "ε = 1\n")
    assert os.read(reader, 100).decode() == "ε = 1\n"
    os.close(reader)
    assert pipe.is_fifo()
    assert list(tmp_path.iterdir()) == [pipe]


def test_a_name_as_long_as_one_can_be_is_written(tmp_path):
    target = tmp_path / ("x" * 250 + ".json")
    check_writable(target)
    write_whole(target, "1")
    write_whole(target, "2")
    assert target.read_text() == "2"
    assert list(tmp_path.iterdir()) == [target]


def test_a_link_stays_a_link(tmp_path):
    link = tmp_path / "link.json"
    link.symlink_to(tmp_path / "file.json")
    check_writable(link)
    write_whole(link, "x")
    assert link.is_symlink()
    assert (tmp_path / "file.json").read_text() == "x"
