"""Counts the verdicts of a run for the summary line at its end."""

from collections import Counter


def pytest_terminal_summary(terminalreporter) -> None:
    reports = (r for kind in ("passed", "failed") for r in terminalreporter.stats.get(kind, []))
    counts = Counter(value for r in reports for name, value in r.user_properties if name == "verdict")
    if counts:
        terminalreporter.write_line("verdicts: " + ", ".join(f"{n} {v}" for v, n in sorted(counts.items())))
