"""Conditions on numbers of solutions, the table of these numbers, and the options for the solutions to show."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

from puzzlec.cli.arguments import Ascii, Force
from puzzlec.cli.candidates import any_files
from puzzlec.cli.command import OUTPUT
from puzzlec.cli.options import Option, refusing
from puzzlec.cli.terminal import MODE, style, styled
from puzzlec.disassembling import LevelFilter
from puzzlec.formats.solutions.streams import Form, form_of
from puzzlec.ir import Fitting, Solution
from puzzlec.language.comparisons import Comparison
from puzzlec.show.terminal.solutions import FORMATS, formatted
from puzzlec.show.terminal.style import Style
from puzzlec.solving.properties import PROPERTIES, Joints, PropertyFilter

#: The numbers of solutions that conditions compare.
LEVEL = "level"
NUMBERS = (LEVEL, *PROPERTIES)

#: What conditions on these numbers do.
CHOSEN = "choose solutions"


def filters_of(
    fitting: Fitting,
    compared: list[Comparison],
    comes_apart: bool,
    seconds: float | None = None,
    memory: int | None = None,
) -> list[Callable[[Solution], bool]]:
    """Return the filters of solutions: first by their properties, then by the way in which they come apart."""
    levels = [condition for condition in compared if condition.name == LEVEL]
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
        str | None,
        Option(
            "Write to FILE: .jsonl or .parquet; .gz, .bz2, .xz, .zst.", "FILE", name="-o, --output", offered=any_files
        ),
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
