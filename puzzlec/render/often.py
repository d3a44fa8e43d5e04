"""How often pieces lie where: a table of per cents for each piece, drawn on the board where it has a flat form."""

from __future__ import annotations

from collections.abc import Sequence

from puzzlec.geometry import Cell
from puzzlec.geometry.drawing import is_scattered
from puzzlec.ir import Fitting
from puzzlec.render.layout import wrapped
from puzzlec.render.text import Style


def draw_often(fitting: Fitting, name: str, numbers: Sequence[int], count: int, style: Style | None = None) -> str:
    """Return in how many of ``count`` solutions something is so on each location, in per cent.

    Where the locations are cells of a board, the numbers stand where the cells are, layers side by side: ``.`` for
    none of the solutions, a blank where there is no location. Else the locations are listed that have a number.
    """
    style = style or Style()
    shown = [percent(number, count) for number in numbers]
    puzzle = fitting.puzzle
    if puzzle is not None and puzzle.lattice is not None and puzzle.lattice.drawing == "rows":
        cells = {
            each.at: text for each, text in zip(puzzle.locations, shown, strict=True) if isinstance(each.at, tuple)
        }
        if not is_scattered(cells):
            rows = _rows(cells, style.width)
            if rows:
                return "\n".join([name, *rows])
    words = [f"{fitting.location_name(k)} {text}" for k, text in enumerate(shown) if numbers[k]]
    return "\n".join([name, *wrapped(words or ["nowhere"], style.width, indent="  ")])


def percent(number: int, count: int) -> str:
    """Return a part in whole per cent, ``.`` for nothing; nothing but all is 100.

    >>> [percent(number, 1000) for number in (0, 1, 5, 505, 999, 1000)]
    ['.', '<1', '1', '51', '>99', '100']
    """
    if not number:
        return "."
    if number == count:
        return "100"
    rounded = (200 * number + count) // (2 * count)  # exactly, however large the numbers are
    return "<1" if rounded < 1 else ">99" if rounded > 99 else str(rounded)


def _rows(cells: dict[Cell, str], width: int) -> list[str]:
    """Return texts in columns as the cells lie; nothing where a layer is too wide."""
    whole = {(*cell, 0, 0, 0)[:3]: text for cell, text in cells.items()}
    (left, right), (top, bottom), (first, last) = ((min(axis), max(axis)) for axis in zip(*whole, strict=True))
    wide = max(map(len, whole.values()))
    layer = (right - left + 1) * (wide + 1) + 1
    if layer > width:
        return []
    together = max(1, (width + 3) // (layer + 3))
    lines: list[str] = []
    for start in range(first, last + 1, together):
        if start > first:
            lines.append("")
        for y in range(top, bottom + 1):
            layers = [
                "".join(f" {whole.get((x, y, z), ''):>{wide}}" for x in range(left, right + 1))
                for z in range(start, min(start + together, last + 1))
            ]
            lines.append(" " + "    ".join(layers).rstrip())
    return lines
