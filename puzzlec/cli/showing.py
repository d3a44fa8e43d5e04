"""Solutions on standard output, and the summary of a search."""

from __future__ import annotations

import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout
from typing import TYPE_CHECKING, Annotated

import typer

from puzzlec.cli.arguments import OUTPUT_FILE, Clock
from puzzlec.cli.command import OUTPUT
from puzzlec.cli.options import Option, refusing
from puzzlec.cli.output import ending_in_order, format_of, new_file
from puzzlec.cli.progress import shown
from puzzlec.cli.terminal import MODE, ExitStatus, is_screen, out, out_json, report_reasons, say, style
from puzzlec.cli.texts.progress import Bar, Lines, columns
from puzzlec.cli.texts.solutions import FORMATS, formatted, refuse_unfit, what_is_lost
from puzzlec.cli.verbose import report_stats, time_taken
from puzzlec.diagnostics.figures import about
from puzzlec.engine import Stop
from puzzlec.engine.progress import Progress
from puzzlec.ir import Solution
from puzzlec.solving.solutions import Solutions
from puzzlec.solving.subject import DISTINCT, counted_solutions

if TYPE_CHECKING:
    from puzzlec.solving.own_symmetry import OwnSymmetries

#: The formats of a picture that `solve` writes.
PICTURE_FORMATS = ("svg", "png", "pdf")

#: Spaces between two solutions side by side.
GAP_COLUMNS = 4

SolutionFormat = Annotated[
    str | None,
    Option(
        "text (default), board, list, jsonl, locations, orientations, states, svg.",
        "FORMAT",
        name="--to",
        words=(*FORMATS, *PICTURE_FORMATS),
        panel=OUTPUT,
    ),
]


SolutionOutput = Annotated[
    str | None, OUTPUT_FILE.saying("File to write: .svg, .png, .pdf or .jsonl; others with --to.")
]


def format_to_write(to: str | None, output: str | None) -> str:
    """Return the format of solutions: that of ``--to``, of ``--json``, or of the extension of a file."""
    if MODE.json:
        return "jsonl"
    if output in (None, "-"):
        return to or "text"
    format = format_of(to, output, (*PICTURE_FORMATS, "jsonl", "txt"), "solve")
    return "text" if format == "txt" else format


@contextmanager
def delivered(output: str | None, format: str, force: bool, palette: str) -> Iterator[list[Solution] | None]:
    """Send the solutions that the block prints to a file; yield the list of those to draw, None for text.

    A search that ends at a limit, or is interrupted, also leaves its file. Without a solution there is none.
    """
    drawn: list[Solution] | None = [] if format in PICTURE_FORMATS else None
    target = None if output == "-" else output
    if target is None and drawn is None:
        yield None
        return
    with ExitStack() as stack:
        path = None if target is None else stack.enter_context(new_file(target, force))
        ended: typer.Exit | None = None
        try:
            if path is not None and drawn is None:
                stream = stack.enter_context(path.open("w", encoding="utf-8", newline="\n"))
                with redirect_stdout(stream):
                    yield None
            else:
                yield drawn
        except typer.Exit as end:
            if end.exit_code in (ExitStatus.NO_SOLUTION, ExitStatus.FAULTY):
                raise
            ended = end
        if drawn:
            from puzzlec.make import outputs

            made = outputs.draw(drawn, format=format, palette=palette)
            content = made.encode() if isinstance(made, str) else made
            if path is None:
                out(content.decode().rstrip("\n"))
            else:
                path.write_bytes(content)
        elif drawn is not None:
            raise ended or typer.Exit(ExitStatus.NO_SOLUTION)
    if ended is not None:
        raise ended


class Showing:
    """Prints solutions in a format, numbered from 1; prints how the search ended, and ends with its exit status.

    ``named``: the command has `--symmetry`. ``own``: it has `--show-symmetry`. ``kept``: with --quiet, only the folder
    has the solutions, and the number of them is the whole result.
    ``limited``: a number of solutions that ends the search is a limit, and not the one solution of a command without
    options.
    """

    def __init__(
        self, solutions: Solutions, format: str, ascii: bool, named: bool, with_symmetries: bool, clock: Clock
    ) -> None:
        self.solutions, self.format, self.own = solutions, format, with_symmetries
        self.look, self.told = style(ascii), SolutionRemarks(solutions, named, with_symmetries)
        self.clock = clock
        self.shown, self.kept, self.limited = 0, False, True
        self.row: list[list[str]] = []  # the pictures side by side in the last row
        self.remarks = 0  # when the row was printed
        self.drawn: list[Solution] | None = None
        with refusing("--to"):
            refuse_unfit(solutions.fitting, format)
        if lost := what_is_lost(solutions.fitting, format):
            say(lost)

    def show(self, solution: Solution, bar: Bar | Lines) -> None:
        """Print the next solution above the progress bar."""
        if self.drawn is not None:
            self.drawn.append(solution)
            return
        with bar.hidden():
            self.shown += 1
            more = self.told.remarks(solution)
            text = formatted(solution, self.shown, self.format, self.look, more)
            if self.format == "text":
                cost = [f"cost {solution.cost}"] * (solution.cost is not None)
                self._place([*text.split("\n"), *cost, *[self.told.line] * self.own])
            else:
                out("\n" * (self.format == "board" and self.shown > 1) + text)
            sys.stdout.flush()

    def _place(self, block: list[str]) -> None:
        """Print a picture, on a terminal to the right of earlier ones if there is room and nothing was printed since.

        The row of earlier ones is then printed again, so that no picture waits for the next one.
        """
        from puzzlec.show.terminal.layout import beside, in_rows

        row, width = [*self.row, block], min(self.look.width, columns(sys.stdout))
        height, lines = max(map(len, row)), shutil.get_terminal_size().lines
        if (
            self.row
            and is_screen(sys.stdout)
            and MODE.remarks == self.remarks
            and height < lines
            and next(in_rows(row, width, GAP_COLUMNS)) == row
        ):
            # Up to the first line of the row, and erase all below.
            sys.stdout.write(f"\033[{max(map(len, self.row))}A\033[J")
        else:
            if self.row:
                out()
            row = [block]
        out("\n".join(beside(row, GAP_COLUMNS)))
        self.row, self.remarks = row, MODE.remarks

    def interrupted(self, now: Progress, hint: str = "") -> None:
        """Print how far an interrupted search is, and how to continue (``hint``)."""
        sys.stdout.flush()  # solutions come before the remark
        self.solutions.stopped = self.solutions.stopped or Stop.SIGNAL
        part = f", {about(now.fraction)} of the search done" if now.fraction > 0 else ""
        self._say(f"interrupted after {self.clock.taken:.1f} s with {self._found} found{part}{hint or self._elsewhere}")

    def conclude(self, hint: str = "", where: str = "") -> None:
        """Print how the search ended; if a limit ended it, also how to continue (``hint``).

        ``where`` names a shard of the search: a shard without solutions is no failure. Raises typer.Exit if the exit
        status is not 0.
        """
        solutions, count_text = self.solutions, self._found + where
        report_reasons(solutions.reasons)
        if solutions.reasons:
            raise typer.Exit(ExitStatus.NO_SOLUTION)
        if solutions.stopped in (Stop.SECONDS, Stop.NODES):
            in_time = solutions.stopped is Stop.SECONDS
            what = f"{self.clock.time:g} s" if in_time else f"{solutions.nodes} nodes"
            self._say(f"stopped after {what} with {count_text} found; there may be more{hint or self._elsewhere}")
            raise typer.Exit(ExitStatus.LIMIT)
        if not solutions.number:
            self._say(f"{solutions.nothing}{where}: the search is complete")
            raise typer.Exit(ExitStatus.DONE if where else ExitStatus.NO_SOLUTION)
        if solutions.limits.solutions != 1 or where or MODE.json:
            complete = f"; there may be more{hint}" if solutions.stopped else " (search complete)"
            self._say(f"{count_text}{complete}")
        self.told.summarise()
        if solutions.stopped and self.limited:
            raise typer.Exit(ExitStatus.LIMIT)

    def _say(self, text: str) -> None:
        """Print how the search ended."""
        say(text, self.kept, **summary(self.solutions, self.clock))

    @property
    def _found(self) -> str:
        return self.solutions.counted(self.solutions.number)

    @property
    def _elsewhere(self) -> str:
        """Suggestion for the next attempt if nothing was found."""
        return (
            ""
            if self.solutions.number or self.solutions.seed is not None
            else "; try `--seed 1`, a search in random order"
        )


def summary(solutions: Solutions, clock: Clock) -> dict[str, object]:
    """Return how a search ended, for other programs."""
    return {
        "solutions": solutions.number,
        "convention": solutions.convention,
        "symmetry": solutions.symmetry,
        "complete": solutions.stopped is None,
        "stopped": solutions.stopped,
        "nodes": solutions.progress().nodes,
        "seconds": round(clock.taken, 3),
    }


def conclude_count(solutions: Solutions, clock: Clock, hint: str = "", where: str = "") -> None:
    """Print a count and how the search ended; ``hint`` says how to continue after a limit.

    ``where`` names a shard of the search. Raises typer.Exit if the exit status is not 0.
    """
    number = solutions.number
    report_reasons(solutions.reasons)
    if MODE.json:
        out_json(summary(solutions, clock))
    elif MODE.sweep:
        MODE.sweep.print_row(**{solutions.convention: f"at least {number}" if solutions.stopped else number})
    else:
        out(number)
    how_long = time_taken(clock.taken)
    what = solutions.counted(number) + where
    if solutions.stopped:
        say(f"at least {what}: {solutions.stopped.words} after {how_long[3:]}{hint}")
        raise typer.Exit(ExitStatus.LIMIT)
    if not MODE.sweep:
        say(f"{what} {how_long}")
    if solutions.reasons or (not number and not where):
        raise typer.Exit(ExitStatus.NO_SOLUTION)


def exit_at(ended: BaseException) -> typer.Exit:
    """Return the exit of a command after Ctrl-C, or after a signal that raised SystemExit."""
    code = ended.code if isinstance(ended, SystemExit) else ExitStatus.INTERRUPTED
    return typer.Exit(code if isinstance(code, int) else ExitStatus.FAULTY)


@contextmanager
def searching(progress: str, solutions: Solutions, interrupted: Callable[[Progress], None]) -> Iterator[Bar | Lines]:
    """Display the progress of a search in the block. At a signal, print what is known, and end the command."""
    what = f"{solutions.convention} solution"
    try:
        with ending_in_order(), shown(progress, solutions.progress, what, solutions.foresee) as bar:
            yield bar
    except (KeyboardInterrupt, SystemExit) as ended:
        interrupted(solutions.progress())
        raise exit_at(ended) from None
    finally:
        if MODE.verbose:
            report_stats(solutions)


def interrupted_count(solutions: Solutions, now: Progress, clock: Clock, hint: str = "") -> None:
    """Print the result of an interrupted count, and how to continue (``hint``).

    Standard output stays empty: a number there would look like the count.
    """
    text = f"at least {solutions.counted(solutions.number)}, {about(now.fraction)} of the search done"
    solutions.stopped = solutions.stopped or Stop.SIGNAL
    if MODE.sweep and not MODE.json:
        MODE.sweep.print_row(**{solutions.convention: f"at least {solutions.number}"})
    say(f"interrupted after {clock.taken:.1f} s: {text}{hint}", False, **summary(solutions, clock))


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
    """Print that solutions without geometry are not compared, if the command has `--symmetry`."""
    if asked not in (None, "none") and solutions.symmetry == "none":
        how = "`--symmetry automorphisms` compares as an exact cover"
        say(f"a puzzle without geometry has no rotations: {how}")


class SolutionRemarks:
    """Remarks on the solutions of a puzzle, for JSON and for people, and their summary.

    ``named``: the command has `--symmetry`. ``own``: it has `--show-symmetry`.
    """

    def __init__(self, solutions: Solutions, named: bool, with_symmetries: bool) -> None:
        self.solutions, self.own = solutions, with_symmetries
        self.fields: dict[str, object] = {"parameters": MODE.sweep.parameters} if MODE.sweep else {}
        self.fields |= {"convention": DISTINCT[solutions.symmetry]} if named else {}
        self.line = ""
        self.seen: Counter[str] = Counter()
        self.represented = 0
        self._finder: OwnSymmetries | None = None

    def remarks(self, solution: Solution) -> dict[str, object]:
        """Return the fields of JSON for a solution; ``line`` becomes the same for people."""
        if not self.own:
            return self.fields
        if self._finder is None:
            from puzzlec.solving.own_symmetry import OwnSymmetries

            self._finder = OwnSymmetries(self.solutions.encoding, self.solutions.group)
        symmetries = self._finder.of(solution)
        self.line = str(symmetries)
        self.seen[symmetries.summary] += 1
        self.represented += len(self.solutions.group) // symmetries.order
        return {**self.fields, "symmetries": list(symmetries.words)}

    def summarise(self) -> None:
        """Print how many solutions have each symmetry, and how many raw solutions they represent."""
        if not self.own or self.solutions.number < 2:
            return
        say("symmetries of the solutions")
        for what, number in sorted(self.seen.items(), key=lambda entry: (-entry[1], entry[0])):
            say(f"{number:>8}  {what}")
        if self.solutions.stopped is None and self.solutions.convention == "distinct":
            say(f"they represent {counted_solutions(self.represented, 'none')}")
