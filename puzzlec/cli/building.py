"""Making the set of all solutions for a command: how far it is, what it may take, and what becomes of faults."""

from __future__ import annotations

import time as clock
from typing import TYPE_CHECKING

import typer

from puzzlec.cli.arguments import memory_size, time_left
from puzzlec.cli.progress import Bar
from puzzlec.cli.terminal import ExitStatus, report_all, say
from puzzlec.diagnostics import Report
from puzzlec.diagnostics.error import fail
from puzzlec.engine.search import selection
from puzzlec.engine.search.progress import Progress
from puzzlec.lower import Encoding
from puzzlec.pipeline import check
from puzzlec.solving.solutions import every_solution

if TYPE_CHECKING:
    from puzzlec.solving.every import EverySolution


def built(encoding: Encoding, memory: str | None, time: float | None) -> EverySolution:
    """Return all solutions, searched for within limits; one that is reached ends the command with status 4.

    So does, with status 1, a reason why the puzzle can have no solution: then nothing is searched.
    """
    from puzzlec.engine import UnfinishedError

    size, begun = memory_size(memory) if memory else None, clock.monotonic()
    need_numba()
    report = Report()
    check(encoding, report)
    if report.errors:
        report_all(report.diagnostics)
        raise typer.Exit(ExitStatus.FAULTY)
    now = Progress()

    def note(visited: int, nodes: int) -> None:
        nonlocal now
        seconds = clock.monotonic() - begun
        now = Progress(0.0, visited, nodes, seconds, visited / max(seconds, 1e-3))

    left = time_left(time, begun)
    try:
        with Bar(lambda: now, "diagram node"):
            return every_solution(encoding, size, left, note)
    except UnfinishedError as error:
        taken = f"after {clock.monotonic() - begun:.1f} s and {now.nodes} nodes"
        if error.reason == "time":
            say(f"stopped {taken}: the diagram of all solutions was not done")
        else:
            say(f"stopped {taken}: {error}; `--memory` gives it more")
        raise typer.Exit(ExitStatus.LIMIT) from None


def loaded(path: str, encoding: Encoding) -> EverySolution:
    """Return the solutions in a file; a damaged one, or one of another puzzle, is a wrong use of the command."""
    need_numba()
    try:
        return every_solution(encoding, saved=path)
    except OSError as error:
        raise fail("PZ001", f"cannot read `{path}`: {(error.strerror or 'error').lower()}", file=path) from None
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--solutions") from None


def need_numba() -> None:
    """Raise NumbaMissingError if numba is not installed."""
    selection.need_numba("the set of all solutions", "`puzzlec solve --all`")
