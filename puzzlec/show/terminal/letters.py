"""A board in letters, a character for each cell without borders: for boards that are too wide for borders.

Copies of a piece that touch have different letters. A board that is still too wide is cut into strips, one below the
other.
"""

from __future__ import annotations

from collections.abc import Callable

from puzzlec.geometry import Cell
from puzzlec.geometry.drawing.rule import Spot
from puzzlec.show.terminal.boxes import beside
from puzzlec.show.terminal.canvas import Canvas
from puzzlec.show.terminal.style import Board, Style


def draw(board: Board, style: Style, spot: Callable[[Cell], Spot]) -> list[str]:
    """Return cells as letters, ``.`` for an empty one; layers are side by side as far as the width permits.

    ``spot`` returns the layer, row and column of a cell.
    """
    hues = board.hues(style.colours)
    spots = {cell: spot(cell) for cell in board.owners}
    left, top = min(at.column for at in spots.values()), min(at.row for at in spots.values())
    columns = max(at.column for at in spots.values()) - left + 1
    rows = max(at.row for at in spots.values()) - top + 1
    strips = range(0, columns, style.width)
    canvases: dict[tuple[int, int], Canvas] = {}
    for cell, (layer, row, column) in spots.items():
        strip, at = divmod(column - left, style.width)
        canvas = canvases.setdefault((layer, strip), Canvas())
        sign = board.signs[cell] if board.owners[cell] != -1 else "."
        canvas.put(row - top, at, sign, board.owners[cell])
    lines: list[str] = []
    if len(strips) > 1:
        lines = [f"the picture needs {columns} columns, there are {style.width}: it is cut into {len(strips)} strips"]
    together = max(1, (style.width + 2) // (columns + 2))
    layers = sorted({layer for layer, _ in canvases})
    for strip, first in enumerate(strips):
        wide = min(style.width, columns - first)
        for start in range(0, len(layers), together):
            sheets = [canvases.get((layer, strip), Canvas()) for layer in layers[start : start + together]]
            lines += [""] * bool(lines)
            lines += beside([(wide, sheet.page(rows, wide, hues, style)) for sheet in sheets])
    return lines


def spot_of_cube(cell: Cell) -> Spot:
    """Return the position in a drawing of a unit cell of up to four dimensions.

    >>> spot_of_cube((3, 1)), spot_of_cube((3, 1, 2))
    (Spot(layer=0, row=1, column=3), Spot(layer=2, row=1, column=3))
    """
    x, y, z, w = (*cell, 0, 0, 0)[:4]
    return Spot(w * 10**6 + z, y, x)
