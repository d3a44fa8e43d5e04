"""Options of the commands that make pictures and models: the puzzle, and its solutions."""

from __future__ import annotations

import re
import sys
import tempfile
import time as clock
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Annotated

from puzzlec.cli.arguments import Named, time_left
from puzzlec.cli.candidates import any_files
from puzzlec.cli.command import LIMITS, UsageError
from puzzlec.cli.deadline import bounded
from puzzlec.cli.options import Option
from puzzlec.cli.output import new_file, tell_written
from puzzlec.cli.terminal import MODE, out, report_all, say
from puzzlec.diagnostics.files import is_file, open_source
from puzzlec.formats.reading import refuse_other
from puzzlec.lower.symmetries import SymmetryKind
from puzzlec.make.outputs import SEARCH_SECONDS, solutions_in, subject
from puzzlec.solving.subject import MAX_COMPARED, Subject

#: The warning about stored assemblies and moves, if nothing else is ignored.
_STORED = re.compile(r"ignoring [^,]* stored assembl(y|ies), stored moves")

#: Seconds for writing the file after the limit of time: the search may use the whole limit.
LAST = 5.0


SolutionFile = Annotated[
    str | None, Option("Use the solutions in FILE; `-`: standard input.", "FILE", name="--solutions", offered=any_files)
]
Limit = Annotated[int | None, Option("At most N solutions; 0: none.", "N", least=0)]
Patience = Annotated[
    float | None,
    Option(
        f"Stop after SECONDS. [default: search for {SEARCH_SECONDS:g} s]",
        "SECONDS",
        name="--time-limit",
        least=0,
        panel=LIMITS,
    ),
]


def making(time: float | None) -> AbstractContextManager[None]:
    """Return the limit of time of a whole command, with :data:`LAST` to write the file."""
    return bounded(None if time is None else time + LAST, before="all was written")


def wanted_file(output: str | None, puzzle: str, ending: str, hint: str = "") -> str:
    """Return the file to write; without one, raise UsageError with an example of this extension, and a ``hint``.

    Raises PuzzleError first for a file that contains no puzzle, such as a certificate: another name of the output
    cannot help then.
    """
    if output:
        return output
    refuse_missing_puzzle(puzzle)
    stem = Path(puzzle).stem.strip("-") or "picture"
    raise UsageError(f"missing output file. Add `-o {stem}.{ending}`{hint}")


def refuse_missing_puzzle(puzzle: str) -> None:
    """Raise PuzzleError for a file that contains no puzzle, UsageError for the name of an output."""
    if is_file(puzzle):
        refuse_other(open_source(puzzle))
    elif Path(puzzle).suffix.lower() in (".svg", ".png", ".pdf", ".gif", ".webp", ".html"):
        stem = Path(puzzle).stem.strip("-") or "picture"
        raise UsageError(f"missing puzzle. Write `{stem} -o {puzzle}` instead of `{puzzle}`")


def write_page(
    puzzle: str, output: str | None, force: bool, time: float | None, page: Callable[[list[str]], str]
) -> None:
    """Write a page to a file or to standard output, then print its remarks. Without a file, open the page.

    ``page`` makes the page, and adds its remarks to a list.
    """

    def made() -> str:
        remarks: list[str] = []
        with making(time):
            text = page(remarks)
        for remark in remarks:
            say(remark)
        return text

    if output == "-":
        sys.stdout.write(made())
        sys.stdout.flush()
        return
    place = output
    if place is None:
        refuse_missing_puzzle(puzzle)
        stem = re.sub(r"[^\w-]+", "-", Path(puzzle).stem).strip("-") or "puzzle"
        place = str(Path(tempfile.mkdtemp(prefix="puzzlec-")) / f"{stem}.html")
    try:
        with new_file(place, force) as path:
            path.write_text(made(), encoding="utf-8", newline="\n")
    except BaseException:
        if output is None:
            Path(place).parent.rmdir()
        raise
    if MODE.json:
        tell_written(place, "html")
    elif output is None:
        out(place)
    if output is None and sys.stdout.isatty():
        from puzzlec.services.web.server import open_browser

        sys.stdout.flush()
        open_browser(Path(place).as_uri())


def subject_of(
    puzzle: Named,
    solution: str | None = None,
    limit: int | None = 1,
    time: float | None = None,
    symmetry: SymmetryKind = "all",
    comes_apart: bool | None = None,
    at_most: int | None = MAX_COMPARED,
    moving: bool = False,
) -> Subject:
    """Return the puzzle with its solutions; print warnings, and remarks on the search.

    The limit of ``time`` includes reading and compiling; None: :data:`SEARCH_SECONDS` for the search. ``comes_apart``,
    ``at_most`` and ``moving`` are as for :func:`puzzlec.make.outputs.subject`; with a limit of time, more solutions are
    compared.

    Raises:
        PuzzleError: For an error of the puzzle or its solutions.

    """
    begun = clock.monotonic()
    if solution is not None:
        return solutions_in(puzzle.fitting(), solution, limit=limit)
    if limit == 0:
        return subject(puzzle.fitting(), 0)
    encoding, warnings = puzzle.encoding_with_warnings()
    about_stored = [warning for warning in warnings if _STORED.fullmatch(warning.message)]
    if about_stored and limit == 1 and comes_apart is None:
        from puzzlec.disassembling import stored_solution

        if stored_solution(encoding.fitting) is not None:
            warnings = tuple([warning for warning in warnings if warning not in about_stored])
    report_all(warnings)
    seconds = SEARCH_SECONDS if time is None else time_left(time, begun)
    most = at_most if time is None or at_most == 1 else None
    found = subject(encoding, limit, seconds, symmetry, comes_apart, most, moving)
    if found.remark and len(found.solutions) != limit:
        # A picture also shows the remark. The suggestion of an option is only for the terminal.
        ended = " found in " in found.remark
        say(
            found.remark
            + (f"; `--time-limit {max(60, 6 * (time or SEARCH_SECONDS)):g}` searches longer" if ended else "")
        )
    return found
