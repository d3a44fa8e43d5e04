"""Conditions on numbers of solutions, the table of these numbers, and the solutions that `solutions` shows."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Annotated

from puzzlec.cli.arguments import Ascii, Force, Question
from puzzlec.cli.command import OUTPUT
from puzzlec.cli.options import FILE, Option, refusing
from puzzlec.cli.output import new_file, tell_written
from puzzlec.cli.terminal import MODE, out, out_result, say, style, styled
from puzzlec.cli.verbose import time_taken
from puzzlec.disassembling import LevelFilter
from puzzlec.formats.solutions.streams import Form, form_of
from puzzlec.ir import Fitting, Solution
from puzzlec.language.comparisons import Comparison, SolutionCondition, words_of
from puzzlec.lower import Encoding
from puzzlec.show.terminal.solutions import FORMATS, formatted, what_is_lost
from puzzlec.show.terminal.style import Style
from puzzlec.solving.properties import PROPERTIES, Joints, PropertyFilter

if TYPE_CHECKING:
    from puzzlec.engine.cover_rows import Rows

#: The numbers of solutions that conditions compare.
LEVEL = "level"
NUMBERS = (LEVEL, *PROPERTIES)

#: What conditions on these numbers do.
CHOSEN = "choose solutions"


def filters_of(
    fitting: Fitting,
    compared: list[SolutionCondition],
    comes_apart: bool,
    seconds: float | None = None,
    memory: int | None = None,
) -> list[Callable[[Solution], bool]]:
    """Return the filters of solutions: first by their properties, then by the way in which they come apart."""
    levels = [condition for condition in compared if isinstance(condition, Comparison) and condition.name == LEVEL]
    others = [condition for condition in compared if condition.name != LEVEL]
    filters: list[Callable[[Solution], bool]] = [PropertyFilter(fitting, others)] if others else []
    return [*filters, LevelFilter(fitting, levels, seconds, memory)] if levels or comes_apart else filters


class Table:
    """A table of the properties of solutions, with --json in lines of JSON."""

    def __init__(self) -> None:
        self._heads = ("solution", *PROPERTIES)
        self._joints: Joints | None = None

    def line(self, solution: Solution, number: int) -> str:
        """Return the line of a solution, after the heads if it is the first one."""
        self._joints = self._joints or Joints(solution.fitting)
        numbers = self._joints.of(solution)
        values = [number, *(getattr(numbers, name) for name in PROPERTIES)]
        if MODE.json:
            more = {"pairs": numbers.pairs, "colouring": numbers.colouring}
            return json.dumps({**dict(zip(self._heads, values, strict=True)), **more}, separators=(",", ":"))
        cells = ["-" if value is None else str(value) for value in values]
        line = "  ".join(cell.rjust(len(head)) for cell, head in zip(cells, self._heads, strict=True))
        return f"{styled('  '.join(self._heads))}\n{line}" if number == 1 else line


#: The format that only a file can have.
FILE_ONLY = "parquet"


@dataclass(kw_only=True, eq=False, repr=False)
class Wish:
    """The options for the solutions to show: with a format or a file and no number, all of them."""

    limit: Annotated[int | None, Option("Print the first N.", "N", least=1)] = None
    sample: Annotated[int | None, Option("Print N at random.", "N", least=1)] = None
    seed: Annotated[int, Option("Seed of the random choices.", "N", hidden=True)] = 0
    often: Annotated[bool, Option("Print how often each piece covers each location, in %.", name="--frequency")] = False
    is_table: Annotated[bool, Option("Print a table: how the pieces of each solution meet.", name="--table")] = False
    to: Annotated[
        str | None,
        Option(
            "Format: text, board, list, jsonl, locations, orientations; parquet with -o.",
            "FORMAT",
            name="--to",
            words=(*FORMATS, FILE_ONLY),
            panel=OUTPUT,
        ),
    ] = None
    output: Annotated[
        str | None, FILE.saying("Write to FILE: .jsonl or .parquet; .gz, .bz2, .xz, .zst.", name="-o, --output")
    ] = None
    force: Force = False
    ascii: Ascii = False

    @property
    def _format(self) -> str | None:
        is_json = MODE.json and self.output is None and (self.to is not None or self.often or self._chooses)
        return "jsonl" if self.is_table or is_json else self.to

    @property
    def _chooses(self) -> bool:
        return self.limit is not None or self.sample is not None

    @cached_property
    def form(self) -> Form:
        """The format of the solutions."""
        with refusing("-o"):
            return Form(self._format or "text") if self.output is None else form_of(self.output, self._format)

    @cached_property
    def table(self) -> Table | None:
        """The table to print."""
        return Table() if self.is_table else None

    @property
    def shows(self) -> bool:
        """Whether solutions are shown, not only counted."""
        return self._chooses or (not self.often and (self._format is not None or self.output is not None))

    def told(self, shown: int, number: int) -> str:
        """Return how many of a number of solutions were shown, an empty text if none were requested."""
        if not self.shows:
            return ""
        which = "all" if shown >= number else f"the first {shown}" if self.sample is None else f"{shown}"
        return f", {which} of them {'printed' if self.output is None else 'written'}" if number else ""

    def drawn(self, solution: Solution, number: int) -> str:
        """Return a solution as printed or written."""
        if self.table is not None:
            return self.table.line(solution, number)
        look = style(self.ascii) if self.output is None else Style(ascii=self.ascii, width=100)
        return formatted(solution, number, self.form.format, look)


def words_on(compared: list[SolutionCondition], asked: Question) -> list[str]:
    """Return the conditions on numbers of solutions, and on how they come apart, in words."""
    return [words_of(compared) or "it comes apart"] if compared or asked.comes_apart else []


def tell(
    asked: Question, wish: Wish, numbers: tuple[int, int], text: str, data: Mapping[str, object], conditions: list[str]
) -> None:
    """Print how many solutions there are, unless they were shown; the conditions; and the result in words.

    ``numbers``: of the shown solutions, and of all that meet the conditions.
    """
    shown, number = numbers
    if not wish.shows and not wish.often:
        out_result({"solutions": number, **data}, number)
    for words in conditions:
        say(f"where {words}")
    say(f"{text} {time_taken(asked.taken)}{wish.told(shown, number)}")


def show(
    encoding: Encoding,
    wish: Wish,
    solutions: Iterable[Solution] = (),
    rows: Iterable[Rows] = (),
    about: Mapping[str, str] | None = None,
) -> int:
    """Print solutions, or write them to a file; return how many. ``rows`` are solutions as options, many at a time."""
    if lost := what_is_lost(encoding.fitting, wish.form.format):
        say(lost)
    from puzzlec.engine.cover_rows import tuples
    from puzzlec.formats.solutions.files import Lines, writer

    number = 0
    if wish.output is not None:
        with (
            new_file(wish.output, wish.force) as path,
            writer(path, wish.form, encoding, wish.drawn, about) as file,
        ):
            for solution in solutions:
                file.write(solution)
                number += 1
            for part in rows:
                file.write_options(part)
                number += len(part)
        if MODE.json:
            tell_written(wish.output, wish.form.format, solutions=number)
        return number
    if wish.table is None and wish.form.format not in ("text", "board"):  # short lines are printed many at a time
        lines = Lines(encoding, wish.form.format, wish.drawn)
        for part in rows:
            if len(part):
                out("\n".join(lines.texts(part, number + 1)))
            number += len(part)
        rows = ()
    lifted = (encoding.lift(options) for part in rows for options in tuples(part, len(encoding.cover)))
    for solution in chain(solutions, lifted):
        number += 1
        # A blank line separates pictures.
        out("\n" * (wish.form.format == "text" and number > 1) + wish.drawn(solution, number))
    return number
