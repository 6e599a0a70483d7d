"""No test downloads anything: data sets come from `NORMEC_DATA` or are made up, and servers are this machine."""

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
