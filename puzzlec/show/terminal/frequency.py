"""How often pieces cover locations: a table of percentages for each piece, drawn on a flat board."""

from __future__ import annotations

from collections.abc import Sequence

from puzzlec.geometry import Cell
from puzzlec.geometry.drawing import Rule, drawn_rule, spread
from puzzlec.ir import Fitting
from puzzlec.show.terminal.layout import wrapped
from puzzlec.show.terminal.style import Style


def draw_often(fitting: Fitting, name: str, numbers: Sequence[int], count: int, style: Style | None = None) -> str:
    """Return the percentage of ``count`` solutions for each location, from its number of solutions.

    If the locations are cells of a board, the numbers are in the positions of the cells, layers side by side. ``.``
    means no solution, and a space no location. Otherwise locations with a number are listed.
    """
    style = style or Style()
    shown = [percent(number, count) for number in numbers]
    puzzle = fitting.puzzle
    if puzzle is not None:
        cells = {
            location.at: text
            for location, text in zip(puzzle.locations, shown, strict=True)
            if isinstance(location.at, tuple)
        }
        rule = drawn_rule(puzzle.lattice, cells)
        rows = _rows(cells, rule, style.width) if rule is not None else []
        if rows:
            return "\n".join([name, *rows])
    words = [f"{fitting.location_name(k)} {text}" for k, text in enumerate(shown) if numbers[k]]
    return "\n".join([name, *wrapped(words or ["nowhere"], style.width, indent="  ")])


def percent(number: int, count: int) -> str:
    """Return a part in integer percent, ``.`` for nothing; only the whole is 100.

    >>> [percent(number, 1000) for number in (0, 1, 5, 505, 999, 1000)]
    ['.', '<1', '1', '51', '>99', '100']
    """
    if not number:
        return "."
    if number == count:
        return "100"
    rounded = (200 * number + count) // (2 * count)  # exact for any size of numbers
    return "<1" if rounded < 1 else ">99" if rounded > 99 else str(rounded)


def _rows(cells: dict[Cell, str], rule: Rule, width: int) -> list[str]:
    """Return texts in the positions of their cells by a drawing rule; nothing if a layer is too wide."""
    # A space before each number separates them.
    wide = max(map(len, cells.values()))
    pages = list(zip(*spread({cell: f" {text:>{wide}}" for cell, text in cells.items()}, rule), strict=True))
    layer = max(len(line) for line in pages[0]) + 1
    if layer > width:
        return []
    together = max(1, (width + 3) // (layer + 3))
    lines: list[str] = []
    for start in range(0, len(pages), together):
        if start:
            lines.append("")
        lines += [" " + "    ".join(row).rstrip() for row in zip(*pages[start : start + together], strict=True)]
    return lines
