"""``puzzlec check --catalogue``: count the solutions of the catalogue again."""

from __future__ import annotations

import time as clock
from collections import Counter
from typing import TYPE_CHECKING, cast

from puzzlec.cli.terminal import MODE, ExitStatus, end, out, out_result, say, status_after
from puzzlec.formats import catalogue
from puzzlec.recount import Outcome, summary, verify

if TYPE_CHECKING:
    from puzzlec.engine.search.selection import KernelName


def count_again(puzzles: list[str], tag: list[str], time: float, threads: int, kernel: str) -> None:
    """Count the solutions of puzzles of the catalogue, and compare them with the catalogue.

    Each count ends after ``time`` seconds. Raises typer.Exit with status 1 if a count differs, and 4
    if a puzzle was not counted in time.
    """
    entries = catalogue.select_named(puzzles, tag)
    wide = max(len(entry.name) for entry in entries)
    begun = clock.monotonic()
    outcomes: Counter[Outcome] = Counter()
    if not MODE.json:
        out(f"{'puzzle':<{wide}}  {'number of':<9}  {'stated':>12}  {'counted':>12}  {'seconds':>7}")
    for verdict in verify(entries, seconds=time, kernel=cast("KernelName", kernel), threads=threads):
        outcomes[verdict.outcome] += 1
        out_result({**verdict._asdict(), "outcome": verdict.outcome.value}, verdict.row(wide))
    say(summary(outcomes, len(entries), clock.monotonic() - begun, time))
    end(ExitStatus.FAULTY if outcomes[Outcome.DIFFERS] else status_after(outcomes[Outcome.UNFINISHED], True))
