"""Options of the commands that make pictures and models: the puzzle, and its solutions."""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from puzzlec.cli.arguments import TIME, Clock, Named, SymmetryOptions, TargetOptions
from puzzlec.cli.command import UsageError
from puzzlec.cli.options import FILE, Option
from puzzlec.cli.output import tell_written, write_file
from puzzlec.cli.terminal import MODE, out, report_all, say
from puzzlec.diagnostics.files import is_file, open_source
from puzzlec.formats.reading import refuse_other
from puzzlec.lower.symmetries import SymmetryKind
from puzzlec.make.outputs import SEARCH_SECONDS, solutions_in, subject
from puzzlec.solving.subject import MAX_COMPARED_ASSEMBLIES, Subject

#: The warning about stored assemblies and moves, if nothing else is ignored.
_STORED = re.compile(r"ignoring [^,]* stored assembl(y|ies), stored moves")

#: The part of the limit of time that is left for writing the file after a search, and its maximum in seconds.
WRITING_SHARE, MAX_WRITING_SECONDS = 0.25, 5.0


SolutionFile = Annotated[str | None, FILE.saying("Use the solutions in FILE; `-`: standard input.", name="--solutions")]
Limit = Annotated[int | None, Option("At most N solutions; 0: none.", "N", least=0)]
Patience = Annotated[float | None, TIME.saying(f"Stop after SECONDS. [default: search for {SEARCH_SECONDS:g} s]")]


def refuse_missing_puzzle(puzzle: str) -> None:
    """Raise PuzzleError for a file that contains no puzzle, UsageError for the name of an output."""
    if is_file(puzzle):
        refuse_other(open_source(puzzle))
    elif Path(puzzle).suffix.lower() in (".svg", ".png", ".pdf", ".gif", ".webp", ".html"):
        stem = Path(puzzle).stem.strip("-") or "picture"
        raise UsageError(f"missing puzzle. Write `{stem} -o {puzzle}` instead of `{puzzle}`")


@dataclass(kw_only=True, eq=False, repr=False)
class PictureOptions(Named, Clock, TargetOptions):
    """The options of a command that shows a puzzle: its file, and which solutions are shown."""

    time: Patience = None

    @property
    def which(self) -> SymmetryKind:
        """The symmetries under which solutions are the same."""
        return "all"

    @property
    def solution(self) -> str | None:
        """The file with solutions."""
        return None

    def making(self) -> AbstractContextManager[None]:
        """Return the limit of time of the whole command."""
        return self.bounded(before="all was written")

    def file(self, ending: str, hint: str = "") -> str:
        """Return the file to write; without one, raise UsageError with an example of this extension, and a ``hint``.

        Raises PuzzleError first for a file that contains no puzzle, such as a certificate: another name of the output
        cannot help then.
        """
        if self.output:
            return self.output
        refuse_missing_puzzle(self.puzzle)
        stem = Path(self.puzzle).stem.strip("-") or "picture"
        raise UsageError(f"missing output file. Add `-o {stem}.{ending}`{hint}")

    def write_page(self, page: Callable[[list[str]], str]) -> None:
        """Write a page to a file or to standard output, then print its remarks. Without a file, open the page.

        ``page`` makes the page, and adds its remarks to a list.
        """

        def made() -> str:
            remarks: list[str] = []
            with self.making():
                text = page(remarks)
            for remark in remarks:
                say(remark)
            return text

        place = self.output
        if place is None:
            refuse_missing_puzzle(self.puzzle)
            stem = re.sub(r"[^\w-]+", "-", Path(self.puzzle).stem).strip("-") or "puzzle"
            place = str(Path(tempfile.mkdtemp(prefix="puzzlec-")) / f"{stem}.html")
        try:
            write_file(place, made, self.force)
        except BaseException:
            if self.output is None:
                Path(place).parent.rmdir()
            raise
        if place == "-":
            return
        if MODE.json:
            tell_written(place, "html")
        elif self.output is None:
            out(place)
        if self.output is None and sys.stdout.isatty():
            from puzzlec.services.web.server import open_browser

            sys.stdout.flush()
            open_browser(Path(place).as_uri())

    def subject(
        self,
        limit: int | None = 1,
        comes_apart: bool | None = None,
        at_most: int | None = MAX_COMPARED_ASSEMBLIES,
        moving: bool = False,
    ) -> Subject:
        """Return the puzzle with its solutions; print warnings, and remarks on the search.

        The search leaves a part of the limit of time for writing; without a limit, it has :data:`SEARCH_SECONDS`.
        ``comes_apart``, ``at_most`` and ``moving`` are as for :func:`puzzlec.make.outputs.subject`; with a limit of
        time, more solutions are compared.

        Raises:
            PuzzleError: For an error of the puzzle or its solutions.

        """
        if self.solution is not None:
            return solutions_in(self.fitting(), self.solution, limit=limit)
        if limit == 0:
            return subject(self.fitting(), 0)
        encoding, warnings = self.encoding_with_warnings()
        about_stored = [warning for warning in warnings if _STORED.fullmatch(warning.message)]
        if about_stored and limit == 1 and comes_apart is None:
            from puzzlec.disassembling import stored_solution

            if stored_solution(encoding.fitting) is not None:
                warnings = tuple([warning for warning in warnings if warning not in about_stored])
        report_all(warnings)
        seconds = SEARCH_SECONDS
        if self.time is not None and self.left is not None:
            seconds = max(0.0, self.left - min(MAX_WRITING_SECONDS, self.time * WRITING_SHARE))
        most = at_most if self.time is None or at_most == 1 else None
        answer = subject(encoding, limit, seconds, self.which, comes_apart, most, moving)
        if answer.remark and len(answer.solutions) != limit:
            # A picture also shows the remark. The suggestion of an option is only for the terminal.
            longer = f"; `--time-limit {max(60, 6 * (self.time or SEARCH_SECONDS)):g}` searches longer"
            say(answer.remark + longer * (" found in " in answer.remark))
        return answer


@dataclass(kw_only=True, eq=False, repr=False)
class Depicted(SymmetryOptions, PictureOptions):
    """The options of a command that shows solutions: those of a search, or of a file."""

    solution: SolutionFile = None
