"""The solutions of best cost, for ``puzzlec solve``."""

from __future__ import annotations

import sys
import time as clock
from collections.abc import Mapping
from typing import Annotated, NamedTuple

import typer

from puzzlec.cli.deadline import OutOfTime, bounded
from puzzlec.cli.progress import shown
from puzzlec.cli.showing import Showing, summary
from puzzlec.cli.terminal import MODE, ExitStatus, report_all, say
from puzzlec.cli.verbose import report_stats, time_taken
from puzzlec.engine import Stop
from puzzlec.ir import Solution
from puzzlec.solving.best import BestSolutions

Least = Annotated[bool, typer.Option("--least", help="The solution of least cost.")]
Greatest = Annotated[bool, typer.Option("--greatest", help="The solution of greatest cost; with --best, the N ones.")]
Best = Annotated[int | None, typer.Option("--best", metavar="N", min=1, help="The N solutions of least cost.")]


class Wanted(NamedTuple):
    """How many solutions of best cost are wanted: of least cost, or of ``greatest``."""

    number: int
    greatest: bool


def wanted(least: bool, greatest: bool, best: int | None, others: Mapping[str, object]) -> Wanted | None:
    """Return what the options ask for, None if costs do not matter; raise typer.BadParameter if options disagree."""
    if not (least or greatest or best is not None):
        return None
    if least and greatest:
        raise typer.BadParameter("give --least or --greatest, not both", param_hint="--greatest")
    for name, value in others.items():
        if value not in (None, False, "own", "auto"):
            raise typer.BadParameter("not available with --least, --greatest and --best", param_hint=name)
    return Wanted(best or 1, greatest)


def show_best(solutions: BestSolutions, showing: Showing, progress: str, time: float | None) -> None:
    """Search, and print the solutions, the best first. Raises typer.Exit unless the search is complete."""
    interrupted = False
    with shown(progress, solutions.progress, f"{solutions.convention} solution", solutions.foresee) as bar:
        found: list[Solution] = []
        try:
            with bounded(time, showing.begun, grace=True):
                found = list(solutions)
        except OutOfTime:
            found, solutions.stopped = solutions.found(), Stop.SECONDS
        except KeyboardInterrupt:
            found, interrupted = solutions.found(), True
        for solution in found:
            showing.show(solution, bar)
    sys.stdout.flush()
    if MODE.verbose:
        report_stats(solutions)
    _conclude(solutions, showing, interrupted)


def _conclude(solutions: BestSolutions, showing: Showing, interrupted: bool) -> None:
    report_all(solutions.reasons)
    taken = clock.monotonic() - showing.begun
    word = "greatest" if solutions.greatest else "least"
    best = [solution.cost for solution in solutions.first[:1]]
    unfinished = interrupted or solutions.stopped is not None
    more = summary(solutions, solutions.number, showing.begun, not interrupted)
    more |= {"best": best[0] if best else None, "bound": solutions.bound if unfinished else None}
    if unfinished:
        why = "interrupted" if interrupted else "stopped"
        text = f"{why} after {taken:.1f} s: " + (f"the {word} cost found is {best[0]}" if best else "no solution found")
        if solutions.bound is not None:
            text += f", and no solution costs {'more' if solutions.greatest else 'less'} than {solutions.bound}"
        say(text, False, **more)
        raise typer.Exit(ExitStatus.INTERRUPTED if interrupted else ExitStatus.LIMIT)
    if solutions.reasons:
        raise typer.Exit(ExitStatus.FAULTY)
    if not best:
        say(f"{solutions.nothing}: the search is complete", False, **more)
        raise typer.Exit(ExitStatus.NO_SOLUTION)
    say(f"the {word} cost is {best[0]}: the search is complete, {time_taken(taken)}", False, **more)
