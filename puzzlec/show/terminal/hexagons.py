"""Hexagons on a terminal: two lines a row, and borders where neighbours belong to different pieces."""

from __future__ import annotations

from puzzlec.geometry.drawing import RULES
from puzzlec.show.terminal.canvas import Canvas
from puzzlec.show.terminal.style import Board, Style

#: The sides of a hexagon, clockwise from the upper right one: how far the neighbour is in rows and columns of a
#: drawing, and the line and column of the side, as seen from the upper left of its square of characters.
_SIDES = (
    (-1, 1, "\\", 0, 3),
    (0, 2, "|", 1, 4),
    (1, 1, "/", 2, 3),
    (1, -1, "\\", 2, 1),
    (0, -2, "|", 1, 0),
    (-1, -1, "/", 0, 1),
)
_FINE = {"\\": "╲", "/": "╱", "|": "│"}


def draw(board: Board, style: Style) -> list[str]:
    """Return hexagons with the signs of their pieces.

    A side is a border where the two beside it do not belong to one piece, be it across a seam of the board. Raises
    TooWideError where they do not fit the width.
    """
    spot = RULES["hex"].spot
    canvas = Canvas()
    for cell, sign in board.signs.items():
        _, row, column = spot(cell)
        line, left, owner = 2 * row, 2 * column, board.owners[cell]
        canvas.put(line, left + 2, " ", owner)
        canvas.put(line + 1, left + 1, f" {sign} ", owner)
        canvas.put(line + 2, left + 2, " ", owner)
        for down, right, stroke, at, across in _SIDES:
            beside = cell[0] + (right - down) // 2, cell[1] + down
            if board.owner(beside) != owner:
                canvas.put(line + at, left + across, stroke if style.ascii else _FINE[stroke])
            else:
                canvas.put(line + at, left + across, " ", owner if beside in board.owners else None)
    return canvas.lines(board.hues(style.colours), style)
