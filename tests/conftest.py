"""Hypothesis profiles: a fixed, short one for every run, and `--hypothesis-profile nightly` for a long one.

It also restores the signals. A run in the background (`nohup`, `&` in a script) may ignore signals that would end it,
and processes that tests start would ignore them also.
"""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.browser import chromium, tab

#: The fixtures that all tests know.
__all__ = ["chromium", "tab"]

settings.register_profile(
    "short", max_examples=25, derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("nightly", max_examples=5000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("short")

for _number, _handler in ((signal.SIGINT, signal.default_int_handler), (getattr(signal, "SIGHUP", 0), signal.SIG_DFL)):
    if _number and signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, _handler)

#: A program, not a test; it needs a library that is not a dependency.
collect_ignore = ["fuzz/with_atheris.py"]


#: The files that take longest, in stage 2 of `.ci/run`. They begin first, so that no process waits for them at the end.
LONGEST = ("tests/test_gates.py", "tests/test_site.py", "tests/site/test_workbench.py")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Move the longest files to the beginning."""
    order = {name: number for number, name in enumerate(LONGEST)}
    items.sort(key=lambda item: order.get(item.nodeid.partition("::")[0], len(LONGEST)))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Write the names of the skipped tests into the file `PUZZLEC_SKIPPED`: `.ci/run` runs them with all extras."""
    if (file := os.environ.get("PUZZLEC_SKIPPED")) is not None:
        names = sorted({report.nodeid for report in terminalreporter.stats.get("skipped", ())})
        Path(file).write_text("".join(f"{name}\n" for name in names), encoding="utf-8")
