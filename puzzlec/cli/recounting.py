"""``puzzlec check --catalogue``: count the solutions of the catalogue again."""

from __future__ import annotations

import time as clock
from collections import Counter
from typing import TYPE_CHECKING, cast

from puzzlec.cli.list_ import refuse_unknown_tags
from puzzlec.cli.terminal import MODE, ExitStatus, end, out, out_result, say, status_after
from puzzlec.diagnostics import counted, suggestion
from puzzlec.diagnostics.error import fail
from puzzlec.formats import catalogue
from puzzlec.formats.catalogue import Entry
from puzzlec.recount import Outcome, Verified, verify

if TYPE_CHECKING:
    from puzzlec.engine.search.selection import KernelName


def count_again(puzzles: list[str], tag: list[str], time: float, threads: int, kernel: str) -> None:
    """Count the solutions of puzzles of the catalogue, and compare them with the catalogue.

    Each count ends after ``time`` seconds. Raises typer.Exit with status 1 if a count differs, and 4
    if a puzzle was not counted in time.
    """
    wanted = _wanted(puzzles, tag)
    wide = max(len(entry.name) for entry in wanted)
    begun = clock.monotonic()
    outcomes: Counter[Outcome] = Counter()
    if not MODE.json:
        out(f"{'puzzle':<{wide}}  {'number of':<9}  {'stated':>12}  {'counted':>12}  {'seconds':>7}")
    for verdict in verify(wanted, seconds=time, kernel=cast("KernelName", kernel), threads=threads):
        outcomes[verdict.outcome] += 1
        out_result({**verdict._asdict(), "outcome": verdict.outcome.value}, _row(verdict, wide))
    say(_summary(outcomes, len(wanted), clock.monotonic() - begun, time))
    end(ExitStatus.FAULTY if outcomes[Outcome.DIFFERS] else status_after(outcomes[Outcome.UNFINISHED], True))


def _wanted(names: list[str], tags: list[str]) -> list[Entry]:
    """Return the named puzzles; raise PuzzleError if there are none."""
    for word in names:
        if not catalogue.find_entries(word):
            known = [*catalogue.families(), *(entry.name for entry in catalogue.entries())]
            help = suggestion(word, known) or ("`puzzlec list` lists them all",)
            raise fail("PZ006", f"unknown puzzle or family `{word}`", help=help[0])
    refuse_unknown_tags(tags)
    found = [entry for name in names for entry in catalogue.find_entries(name)] or list(catalogue.entries())
    found = [entry for entry in dict.fromkeys(found) if set(tags) <= set(entry.tags)]
    if not found:
        raise fail("PZ006", "no puzzle of the catalogue matches", help="`puzzlec list` lists them all")
    return found


def _row(verified: Verified, wide: int) -> str:
    """Return a line of the table."""
    stated, number = ("-" if number is None else str(number) for number in (verified.stated, verified.counted))
    seconds = "-" if verified.counted is None else f"{verified.seconds:.2f}"
    what = f"{verified.name:<{wide}}  {verified.convention or '-':<9}"
    return f"{what}  {stated:>12}  {number:>12}  {seconds:>7}  {verified.outcome.value}"


def _summary(outcomes: Counter[Outcome], puzzles: int, seconds: float, most: float) -> str:
    """Return the results of all numbers in a sentence."""
    said = [f"{outcomes[Outcome.AGREES]} agree", f"{outcomes[Outcome.DIFFERS]} differ"]
    if outcomes[Outcome.LEFT_OUT]:
        said.append(f"{outcomes[Outcome.LEFT_OUT]} skipped: they take longer than {most:g} s (--time-limit)")
    if outcomes[Outcome.UNFINISHED]:
        said.append(f"{outcomes[Outcome.UNFINISHED]} not finished in {most:g} s (--time-limit)")
    if outcomes[Outcome.OPEN]:
        said.append(f"{counted(outcomes[Outcome.OPEN], 'puzzle')} without a known number")
    total = sum(outcomes.values()) - outcomes[Outcome.OPEN]
    return f"{counted(total, 'number')} of {counted(puzzles, 'puzzle')} in {seconds:.2f} s: {', '.join(said)}"
