"""Counts the verdicts of a run for the summary line at its end."""

from collections import Counter

import pytest

COUNTS = pytest.StashKey[Counter]()


@pytest.fixture
def verdict_counts(record_property, pytestconfig: pytest.Config) -> Counter:
    return pytestconfig.stash.setdefault(COUNTS, Counter())


def pytest_terminal_summary(terminalreporter, config: pytest.Config) -> None:
    counts = config.stash.get(COUNTS, Counter())
    if counts:
        terminalreporter.write_line("verdicts: " + ", ".join(f"{n} {v}" for v, n in sorted(counts.items())))
