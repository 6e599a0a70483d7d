"""No test downloads anything: data sets come from `NORMEC_DATA` or are made up, and servers are this machine."""

import signal
import urllib.error
import urllib.request

import pytest


@pytest.fixture(autouse=True)
def no_network(monkeypatch):
    """Addresses of other machines are refused as on a machine without a network."""
    really = urllib.request.urlopen

    def urlopen(request, *arguments, **named):
        if request.host.partition(":")[0] != "127.0.0.1":
            raise urllib.error.URLError("no network in tests")
        return really(request, *arguments, **named)

    monkeypatch.setattr(urllib.request, "urlopen", urlopen)


@pytest.fixture
def ctrl_c():
    """Ctrl-C counts, here and in what is started here, also where the tests run in the background of a shell, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
