"""Solutions on standard output one after another, and what is said when a search for them has ended."""

from __future__ import annotations

import sys
import time as clock
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

import typer

from puzzlec.cli.figures import percentage
from puzzlec.cli.formatting import formatted, refuse_unfit, what_is_lost
from puzzlec.cli.progress import Bar
from puzzlec.cli.progress_lines import Lines
from puzzlec.cli.stats import time_taken
from puzzlec.cli.terminal import MODE, ExitStatus, out, out_json, report_all, say, style
from puzzlec.diagnostics import counted
from puzzlec.engine import Stop
from puzzlec.engine.search.progress import Progress
from puzzlec.ir import Solution
from puzzlec.solving.solutions import Solutions
from puzzlec.solving.subject import DISTINCT

if TYPE_CHECKING:
    from puzzlec.solving.own_symmetry import OwnSymmetries


class Showing:
    """Prints solutions in a format, numbered from 1; says how the search ended, and leaves with its exit status.

    ``named`` says whether somebody asked for a kind of symmetry, ``own`` for the solutions' own symmetries. ``begun``
    is when the command began, on the monotonic clock. ``kept``: with --quiet, solutions are in a folder alone, and how
    many they are is all that there is to be said of the result.
    """

    def __init__(
        self, solutions: Solutions, format: str, ascii: bool, named: bool, own: bool, begun: float | None = None
    ) -> None:
        self.solutions, self.format, self.own = solutions, format, own
        self.look, self.told = style(ascii), Remarks(solutions, named, own)
        self.begun = clock.monotonic() if begun is None else begun
        self.shown, self.kept = 0, False
        refuse_unfit(solutions.fitting, format)
        if lost := what_is_lost(solutions.fitting, format):
            say(lost)

    def show(self, solution: Solution, bar: Bar | Lines) -> None:
        """Print the next solution; the bar gives way to it."""
        with bar.hidden():
            if self.format in ("text", "board") and self.shown:
                out()
            self.shown += 1
            more = self.told.remarks(solution)
            out(formatted(solution, self.shown, self.format, self.look, more))
            if self.own and self.format == "text":
                out(self.told.line)
            sys.stdout.flush()

    def interrupted(self, now: Progress, hint: str = "") -> typer.Exit:
        """Say how far an interrupted search has come, and how to go on (``hint``); return what ends the command."""
        sys.stdout.flush()  # what was being printed comes before what is said
        part = f", about {percentage(now.fraction)} of the search done" if now.fraction > 0 else ""
        taken = clock.monotonic() - self.begun
        self._say(f"interrupted after {taken:.1f} s with {self._found} found{part}{hint or self._elsewhere}", False)
        return typer.Exit(ExitStatus.INTERRUPTED)

    def conclude(self, time: float | None, hint: str = "", where: str = "") -> None:
        """Say how the search ended; where the limit of ``time`` (seconds) ended it, how to go on (``hint``).

        ``where`` says of which part of the search that is, if it is not the whole: a part without solutions is no
        failure. Raises typer.Exit where the exit status is not 0.
        """
        solutions, found = self.solutions, self._found + where
        report_all(solutions.reasons)
        if solutions.reasons:
            raise typer.Exit(ExitStatus.FAULTY)
        if solutions.stopped in (Stop.SECONDS, Stop.NODES):
            in_time = solutions.stopped is Stop.SECONDS
            what = f"{time:g} s" if in_time else f"{solutions.nodes} nodes"
            self._say(f"stopped after {what} with {found} found; there may be more{hint or self._elsewhere}")
            raise typer.Exit(ExitStatus.LIMIT)
        if not solutions.number:
            self._say(f"{solutions.nothing}{where}: the search is complete")
            raise typer.Exit(ExitStatus.DONE if where else ExitStatus.NO_SOLUTION)
        if solutions.limits.solutions != 1 or where or MODE.json:
            complete = f"; there may be more{hint}" if solutions.stopped else ", and there are no more"
            self._say(f"{found}{complete}")
        self.told.summarise()

    def _say(self, text: str, ended: bool = True) -> None:
        """Say how the search came to its end; ``ended``: by itself or at a limit, not by a signal."""
        say(text, self.kept, **summary(self.solutions, self.solutions.number, self.begun, ended))

    @property
    def _found(self) -> str:
        return self.solutions.counted(self.solutions.number)

    @property
    def _elsewhere(self) -> str:
        """What else can be tried when nothing was found."""
        return "" if self.solutions.number or self.solutions.seed is not None else "; `--seed 1` would look at random"


def summary(solutions: Solutions, number: int, begun: float, ended: bool = True) -> dict[str, object]:
    """Return how a search came to its end, for other programs; ``begun`` is when, on the monotonic clock.

    ``ended``: by itself or at a limit, not by a signal.
    """
    return {
        "solutions": number,
        "convention": solutions.convention,
        "symmetry": solutions.symmetry,
        "complete": ended and solutions.stopped is None,
        "stopped": solutions.stopped.value if solutions.stopped else None if ended else "signal",
        "nodes": solutions.progress().nodes,
        "seconds": round(clock.monotonic() - begun, 3),
    }


def conclude_count(solutions: Solutions, number: int, begun: float, hint: str = "", where: str = "") -> None:
    """Print a count, and say how it came to its end; ``hint`` says how to go on where that was a limit.

    ``where`` says of what part of the search it is, if it is not that of the whole.

    Raises typer.Exit where the exit status is not 0.
    """
    report_all(solutions.reasons)
    if MODE.json:
        out_json(summary(solutions, number, begun))
    else:
        out(number)
    taken = time_taken(clock.monotonic() - begun)
    what = solutions.counted(number) + where
    if solutions.stopped:
        say(f"at least {what}: stopped at the limit of {solutions.stopped.value} after {taken[3:]}{hint}")
        raise typer.Exit(ExitStatus.LIMIT)
    say(f"{what} {taken}")
    if solutions.reasons:
        raise typer.Exit(ExitStatus.FAULTY)
    if not number and not where:
        raise typer.Exit(ExitStatus.NO_SOLUTION)


def interrupted_count(solutions: Solutions, now: Progress, number: int, begun: float, hint: str = "") -> typer.Exit:
    """Say what is known when a count is interrupted, and how to go on (``hint``); return what ends the command.

    Nothing is printed to standard output: a number there would be taken for the count.
    """
    known = f"at least {solutions.counted(number)}, about {percentage(now.fraction)} of the search done"
    more = summary(solutions, number, begun, False)
    say(f"interrupted after {clock.monotonic() - begun:.1f} s: {known}{hint}", False, **more)
    return typer.Exit(ExitStatus.INTERRUPTED)


def exit_after(conclude: Callable[[], None]) -> typer.Exit | None:
    """Print how a search ended, and return the exit of the command, None for status 0.

    The result is printed before its certificate is made, so that it is not lost if there can be no certificate.
    """
    try:
        conclude()
    except typer.Exit as ended:
        return ended
    return None


def say_where_symmetry_is_idle(solutions: Solutions, asked: str | None) -> None:
    """Say that solutions are not compared though somebody asked for it: there is no geometry."""
    if asked not in (None, "none") and solutions.symmetry == "none":
        how = "`--symmetry automorphisms` compares as an exact cover"
        say(f"without geometry nothing can be turned: {how}")


class Remarks:
    """Remarks on the solutions of a puzzle, for JSON and for people, and their summary.

    ``named`` says whether somebody asked for a kind of symmetry, ``own`` for the solutions' own symmetries.
    """

    def __init__(self, solutions: Solutions, named: bool, own: bool) -> None:
        self.solutions, self.own = solutions, own
        self.fields: dict[str, object] = {"convention": DISTINCT[solutions.symmetry]} if named else {}
        self.line = ""
        self.seen: Counter[str] = Counter()
        self.represented = 0
        self._finder: OwnSymmetries | None = None

    def remarks(self, solution: Solution) -> dict[str, object]:
        """Return the fields of JSON for a solution; ``line`` is then what is to be said of it to people."""
        if not self.own:
            return self.fields
        if self._finder is None:
            from puzzlec.solving.own_symmetry import OwnSymmetries

            self._finder = OwnSymmetries(self.solutions.encoding, self.solutions.group)
        found = self._finder.of(solution)
        self.line = str(found)
        self.seen[found.summary] += 1
        self.represented += len(self.solutions.group) // found.order
        return {**self.fields, "own_symmetry": list(found.words)}

    def summarise(self) -> None:
        """Say at the end how many solutions have which symmetry, and how many raw ones they stand for."""
        if not self.own or self.solutions.number < 2:
            return
        say("own symmetry")
        for what, number in sorted(self.seen.items(), key=lambda each: (-each[1], each[0])):
            say(f"{number:>8}  {what}")
        if self.solutions.stopped is None and self.solutions.convention == "distinct":
            say(f"they stand for {counted(self.represented, 'raw solution')}")
