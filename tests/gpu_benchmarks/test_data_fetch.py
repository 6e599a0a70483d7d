"""Downloads against a server on this machine: whole, resumed, refused, damaged, and no network at all."""

from __future__ import annotations

import fcntl
import importlib.util
import threading
import time
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from gpu_benchmarks.cli import main
from gpu_benchmarks.data import DataError, load, sources
from gpu_benchmarks.data.fetch import download, fetch, provide
from gpu_benchmarks.data.sources import Part

_spec = importlib.util.spec_from_file_location("data_files", Path(__file__).with_name("data_files.py"))
assert _spec
assert _spec.loader
make = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(make)

CONTENT = bytes(range(256)) * 4_000  # 1 MB


class Server:
    """Serves `files`; can ignore Range, or break off after `limit` bytes."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.ranges, self.limit, self.requests = True, None, []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None: ...

            def do_GET(self) -> None:
                outer.requests.append(self.headers.get("Range"))
                content = outer.files.get(self.path.lstrip("/"))
                if content is None:
                    self.send_error(404)
                    return
                start = 0
                if outer.ranges and (asked := self.headers.get("Range")):
                    start = int(asked.removeprefix("bytes=").rstrip("-"))
                    if start >= len(content):
                        self.send_error(416)
                        return
                self.send_response(206 if start else 200)
                self.send_header("Content-Length", str(len(content) - start))
                self.end_headers()
                self.wfile.write(content[start:][: outer.limit])

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}/"
        self.thread = threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.01})
        self.thread.start()

    def close(self) -> None:
        self.http.shutdown()
        self.thread.join()
        self.http.server_close()


@pytest.fixture
def server():
    running = Server()
    running.files["big"] = CONTENT
    yield running
    running.close()


PART = Part("big", make.sha(CONTENT), len(CONTENT))


def test_a_file_arrives_whole_under_its_name(server, tmp_path):
    seen: list[int] = []
    download(server.url + "big", tmp_path / "big", PART, seen.append)
    assert (tmp_path / "big").read_bytes() == CONTENT
    assert seen[-1] == len(CONTENT)
    assert seen == sorted(seen)
    assert [path.name for path in tmp_path.iterdir()] == ["big"]


@pytest.mark.parametrize("ranges", [True, False], ids=["resumes", "starts-anew-without-ranges"])
def test_an_interrupted_download_goes_on(server, tmp_path, ranges):
    server.limit, server.ranges = 300_000, ranges
    with pytest.raises(OSError, match=r"fetch again to go on|came"):
        download(server.url + "big", tmp_path / "big", PART)
    assert not (tmp_path / "big").exists(), "half a file must not have the name of a whole one"
    held = (tmp_path / "big.part").stat().st_size
    assert 0 < held < len(CONTENT)
    server.limit = None
    download(server.url + "big", tmp_path / "big", PART)
    assert server.requests[-1] == f"bytes={held}-"
    assert (tmp_path / "big").read_bytes() == CONTENT


def test_a_complete_part_needs_no_more_bytes(server, tmp_path):
    (tmp_path / "big.part").write_bytes(CONTENT)
    download(server.url + "big", tmp_path / "big", PART)
    assert (tmp_path / "big").read_bytes() == CONTENT


def test_downloads_of_one_file_at_once_leave_it_whole(server, tmp_path):
    """The others wait for the first, and take what it brought; one that begins late does not write into what was renamed."""
    calls = [
        threading.Thread(target=download, args=(server.url + "big", tmp_path / "big", PART)) for _ in range(4)
    ]
    with (tmp_path / "big.part").open("ab") as first:
        fcntl.flock(first, fcntl.LOCK_EX)
        for call in calls:
            call.start()
        time.sleep(0.2)
        assert server.requests == []
        first.write(CONTENT)
        first.flush()
        (tmp_path / "big.part").replace(tmp_path / "big")
    for call in calls:
        call.join()
    assert server.requests == []
    assert (tmp_path / "big").read_bytes() == CONTENT
    assert [path.name for path in tmp_path.iterdir()] == ["big"]


@pytest.mark.parametrize("which", [1, 2])
def test_a_part_that_is_taken_away_at_any_look_is_let_go(server, tmp_path, monkeypatch, which):
    """Another call ends, and renames it, just before this one looks what lies there, for the first or the second time."""
    partial, looks, look = tmp_path / "big.part", [], Path.stat

    def looked(path, **options):
        if path == partial:
            looks.append(path)
            if len(looks) == which:
                partial.replace(tmp_path / "elsewhere")
        return look(path, **options)

    monkeypatch.setattr(Path, "stat", looked)
    download(server.url + "big", tmp_path / "big", PART)
    assert (tmp_path / "big").read_bytes() == CONTENT
    assert not partial.exists()


def test_an_address_that_fails_leaves_no_part(server, tmp_path):
    with pytest.raises(OSError, match="404"):
        download(server.url + "none", tmp_path / "none", PART)
    assert list(tmp_path.iterdir()) == []


def test_wrong_content_is_removed_and_named(server, tmp_path):
    server.files["big"] = CONTENT[:-1] + b"!"
    with pytest.raises(DataError, match="SHA-256"):
        download(server.url + "big", tmp_path / "big", PART)
    assert list(tmp_path.iterdir()) == []


def test_fetch_brings_a_data_set_and_leaves_whole_files_alone(server, tmp_path, monkeypatch, capsys):
    source, contents = make.cifar(tmp_path / "elsewhere", "nothing")
    server.files[source.archive.name] = contents["archive"]
    source = replace(source, url=server.url)
    monkeypatch.setitem(sources.DATASETS, "cifar10", source)
    assert main(["data", "fetch", "cifar10", "--data", str(tmp_path)]) == 0
    assert capsys.readouterr().out.count("whole") == 6
    assert len(load("cifar10", tmp_path).training) == 35
    assert fetch(source, tmp_path, quiet=True) == []
    assert len(server.requests) == 1


def test_a_run_fetches_the_data_that_is_missing(server, tmp_path, monkeypatch):
    source, contents = make.cifar(tmp_path / "elsewhere", "nothing")
    server.files[source.archive.name] = contents["archive"]
    monkeypatch.setitem(sources.DATASETS, "cifar10", replace(source, url=server.url))
    data, small = tmp_path / "data", ["--blocks", "1", "--width", "2", "--clients", "1", "--batch", "8"]
    for seed in ("1", "2"):
        out = ["--rounds", "1", "--seed", seed, "--device", "cpu", "--out", str(tmp_path / "runs")]
        assert main(["train", "--data", str(data), *small, *out]) == 0
    assert len(list((tmp_path / "runs").glob("*.json"))) == 2
    assert len(server.requests) == 1, "what is there is not fetched again"


def test_damaged_data_is_named_and_not_replaced(server, tmp_path, monkeypatch):
    source, contents = make.cifar(tmp_path, "archive")
    monkeypatch.setitem(sources.DATASETS, "cifar10", replace(source, url=server.url))
    archive = tmp_path / source.folder / source.archive.name
    archive.write_bytes(contents["archive"][:-2_000])
    provide("cifar10", tmp_path)
    assert server.requests == []
    assert archive.read_bytes() == contents["archive"][:-2_000]


def test_without_network_the_error_says_what_to_put_where(tmp_path, monkeypatch, capsys):
    server = Server()
    server.close()  # nobody listens on this port any more
    monkeypatch.setitem(sources.DATASETS, "cifar10", replace(sources.CIFAR10, url=server.url))
    assert main(["data", "fetch", "cifar10", "--data", str(tmp_path), "--json", "-"]) == 2
    message = capsys.readouterr().err
    assert "cifar-10-binary.tar.gz" in message
    assert str(tmp_path / "cifar10") in message
    assert message.count("\n") == 1


@pytest.mark.parametrize("form", ["idx", "plain", "archive"])
def test_without_network_a_file_that_is_there_and_damaged_is_not_called_missing(
    form, tmp_path, monkeypatch, capsys
):
    """It is said as `data check` says it, and is left as it is."""
    server = Server()
    server.close()
    source, _ = make.fashion(tmp_path) if form == "idx" else make.cifar(tmp_path, form)
    name = source.archive.name if form == "archive" else source.test[-1].name
    monkeypatch.setitem(sources.DATASETS, source.name, replace(source, url=server.url))
    damaged = tmp_path / source.folder / name
    content = bytearray(damaged.read_bytes())
    content[len(content) // 2] ^= 1
    damaged.write_bytes(content)
    assert main(["data", "check", source.name, "--data", str(tmp_path)]) == 2
    checked = capsys.readouterr().err.splitlines()[0].removeprefix("error: ")
    assert checked.startswith(f"{damaged}: ")
    assert form == "archive" or "SHA-256" in checked
    assert main(["data", "fetch", source.name, "--data", str(tmp_path)]) == 2
    (told,) = capsys.readouterr().err.splitlines()
    assert told.endswith(checked)
    assert "missing" not in told
    assert damaged.read_bytes() == content


def test_an_address_that_is_gone_is_one_error(server, tmp_path):
    source = replace(sources.CIFAR100, url=server.url)
    with pytest.raises(DataError, match=r"404|Not Found"):
        fetch(source, tmp_path / "data", quiet=True)
    assert list(tmp_path.iterdir()) == [], "no empty folder is left behind"


def test_a_folder_that_cannot_be_made_is_one_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match="choose another folder, by option or NORMEC_DATA"):
        fetch(sources.CIFAR10, tmp_path / "file", quiet=True)
