"""Hypothesis profiles: a fixed, short one for every run, and `--hypothesis-profile nightly` for a long one.

It also restores the signals. A run in the background (`nohup`, `&` in a script) may ignore signals that would end it,
and processes that tests start would ignore them also.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from puzzlec.language.parsing import parser
from tests import rotation
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
collect_ignore = ["tools/fuzz/with_atheris.py"]


#: The files that take longest, in stage 2 of `.ci/run`. They begin first, so that no process waits for them at the end.
LONGEST = ("tests/test_gates.py", "tests/test_site.py", "tests/tools/site/test_workbench.py")


def _entries() -> int | None:
    """Return how many entries of the parser's tables can be looked up; None if there is no parser yet."""
    if not parser.cache_info().currsize:
        return None
    machine: Any = parser("puzzle").parse_interactive("", start="start")
    return sum(token in row for row in machine.parser_state.parse_conf.states.values() for token in row)


@pytest.fixture(scope="module", autouse=True)
def _parser_is_whole() -> Iterator[None]:
    """Fail in the file in which the parser's tables lose an entry, not in the hundreds of tests that follow.

    No code of ours changes these tables, but a library in machine code that writes beyond its memory could. Seen once:
    one process could no longer read any `lattice` statement, from some moment on.
    """
    before = _entries()
    yield
    after = _entries()
    if before is not None and after is not None and after != before:
        parser.cache_clear()  # the files after this one have a new one
        pytest.fail(f"the parser's tables had {before} entries before this file, and now have {after}")


def pytest_configure(config: pytest.Config) -> None:
    """Choose the share of this run before the processes of `-n` begin."""
    rotation.choose(config, date.today())


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what another day runs, and move the longest files to the beginning."""
    long = {item.nodeid for item in items if rotation.is_long(item)}
    names = rotation.left_out([item.nodeid for item in items], os.environ[rotation.VARIABLE], long)
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid in names])
    items[:] = [item for item in items if item.nodeid not in names]
    order = {name: number for number, name in enumerate(LONGEST)}
    items.sort(key=lambda item: order.get(item.nodeid.partition("::")[0], len(LONGEST)))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name the share, and write the names of the skipped tests into `PUZZLEC_SKIPPED`: `.ci/run` runs them again."""
    if (share := os.environ[rotation.VARIABLE]) != "all":
        cases = f"of long tests and those with {rotation.MIN_CASES_OF_FAMILY} or more cases"
        terminalreporter.write_line(
            f"share {share} of {rotation.SHARES} {cases}; {rotation.VARIABLE}=all runs all of them"
        )
    if (file := os.environ.get("PUZZLEC_SKIPPED")) is not None:
        names = sorted({report.nodeid for report in terminalreporter.stats.get("skipped", ())})
        Path(file).write_text("".join(f"{name}\n" for name in names), encoding="utf-8")
