"""Conditions on numbers of solutions, and the table of these numbers."""

from __future__ import annotations

import json
from collections.abc import Callable

from puzzlec.cli.terminal import MODE, styled
from puzzlec.disassembling import LevelFilter
from puzzlec.ir import Fitting, Solution
from puzzlec.language.comparisons import Comparison
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
