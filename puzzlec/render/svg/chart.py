"""Puzzles without geometry as charts: what each choice covers, in the colours of the pieces.

A row is a placement (an option), a column a location (an item), as in the table of an exact cover problem: a solution
has one filled place in each column. Where there are too many columns to be read, each row lists the names of what it
covers. A solution whose names speak of a grid, as in sudoku, is a grid.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

from puzzlec.diagnostics.diagnostic import fail
from puzzlec.geometry.outlines import outline
from puzzlec.ir import Fitting, Solution
from puzzlec.render.grids import grid_board
from puzzlec.render.palette import COLOURS, EMPTY, INK, mixed
from puzzlec.render.style import Board
from puzzlec.render.svg import lettering, sheet
from puzzlec.render.svg.choices import Choices
from puzzlec.render.svg.figure import Figure
from puzzlec.render.svg.ground import Ground

#: A chart has at most so many rows; more than that nobody reads.
MOST_ROWS = 3000
#: A table has at most so many columns, and lists stand beside each other in columns of so many rows.
_MOST_COLUMNS, _ROWS = 48, 48
_SIZE, _ROW, _LINE = 12.0, 20.0, "#c3cad1"
#: Names in lists go on in the next line after so many px.
_WIDEST_LIST = 460.0
#: Tables of more rows than that are divided; so wide they stand side by side, in px.
_WIDEST_SHEET = 1600.0


class _Row(NamedTuple):
    """A placement: the piece's name and colour, and the numbers of the locations."""

    name: str
    fill: str
    locations: tuple[int, ...]


def solution_chart(solution: Solution, choices: Choices) -> Figure:
    """Return a chart of a solution: a grid where its names speak of one, else a row for each placement.

    Raises PuzzleError (PZ504) where there are too many rows.
    """
    board = grid_board(solution)
    if board is not None:
        return _grid(board, choices)
    fitting = solution.fitting
    pairs = [(each.piece, each.locations) for each in sorted(solution.placements, key=lambda each: each.piece)]
    return _chart(fitting, _rows(fitting, pairs, choices), choices)


def fitting_chart(fitting: Fitting, choices: Choices) -> Figure:
    """Return a chart of all placements of a puzzle. Raises PuzzleError (PZ504) where they are too many."""
    number = sum(len(piece.placements) for piece in fitting.pieces)
    _check_rows(fitting, number)
    pairs = [(number, tuple(each)) for number, piece in enumerate(fitting.pieces) for each in piece.placements]
    return _chart(fitting, _rows(fitting, pairs, choices), choices)


def _check_rows(fitting: Fitting, number: int) -> None:
    if number > MOST_ROWS:
        span = next((piece.span for piece in fitting.pieces if piece.span), None)
        raise fail(
            "PZ504",
            f"a chart of {number} rows would be too large",
            span,
            note=f"without geometry a puzzle is drawn as a chart of its placements; at most {MOST_ROWS} are",
            help="`puzzlec solve` writes solutions as text, and `puzzlec convert` what can be placed",
        )


def _rows(fitting: Fitting, pairs: Sequence[tuple[int, Sequence[int]]], choices: Choices) -> list[_Row]:
    _check_rows(fitting, len(pairs))
    return [
        _Row(
            fitting.piece_name(piece),
            mixed("#ffffff", INK, 0.25) if choices.plain else COLOURS[piece % len(COLOURS)],
            tuple(map(int, locations)),
        )
        for piece, locations in pairs
    ]


def _chart(fitting: Fitting, rows: Sequence[_Row], choices: Choices) -> Figure:
    if not 0 < fitting.locations <= _MOST_COLUMNS:
        return _lists(fitting, rows, choices)
    down = ceil(len(rows) / ceil(len(rows) / _ROWS)) if rows else 1
    blocks = [_table(fitting, rows[start : start + down]) for start in range(0, len(rows), down)]
    return blocks[0] if len(blocks) == 1 else sheet.rows(blocks, [""] * len(blocks), _WIDEST_SHEET)


def _table(fitting: Fitting, rows: Sequence[_Row]) -> Figure:
    """Return a table: a row for each placement, a column for each location."""
    figure = Figure()
    names = [lettering.shortened(fitting.location_name(number)) for number in range(fitting.locations)]
    upright = max((lettering.length(name, _SIZE) for name in names), default=0) > _ROW * 0.9
    for number, name in enumerate(names):
        colour = INK if number not in fitting.optional else "#7b8894"
        at = (number + 0.5) * _ROW
        if upright:
            word = Figure()
            word.text((0, 0), name, _SIZE, "start", colour)
            figure.add(word, at, -8, turn=-90)
        else:
            figure.text((at, -10), name, _SIZE, colour=colour)
    bottom = len(rows) * _ROW
    lines = [[(0, y * _ROW), (len(names) * _ROW, y * _ROW)] for y in range(len(rows) + 1)]
    lines += [[(x * _ROW, 0), (x * _ROW, bottom)] for x in range(len(names) + 1)]
    figure.lines(lines, _LINE, 1)
    for number, row in enumerate(rows):
        top = number * _ROW
        with figure.group(_title(fitting, row)):
            figure.text((-8, top + _ROW / 2), lettering.shortened(row.name), _SIZE, "end")
            figure.region([_square(each * _ROW, top, _ROW) for each in row.locations], row.fill, INK, 1.2)
    return figure


def _lists(fitting: Fitting, rows: Sequence[_Row], choices: Choices) -> Figure:
    """Return a row for each placement: its name, and the names of its locations on its colour."""
    blocks = max(1, min(choices.columns or 3, ceil(len(rows) / _ROWS)))
    down = ceil(len(rows) / blocks) or 1
    figure, left = Figure(), 0.0
    for block in range(blocks):
        part = _list_block(fitting, rows[block * down : (block + 1) * down])
        figure.add(part, left - part.box.left, 0)
        left += part.box.width + 34
    return figure


def _list_block(fitting: Fitting, rows: Sequence[_Row]) -> Figure:
    figure = Figure()
    top = 0.0
    for row in rows:
        with figure.group(_title(fitting, row)):
            figure.text((-10, top + _ROW / 2), lettering.shortened(row.name), _SIZE, "end")
            left = 0.0
            for each in row.locations:
                name = lettering.shortened(fitting.location_name(each))
                wide = max(_ROW, lettering.length(name, _SIZE) + 10)
                if left and left + wide > _WIDEST_LIST:
                    left, top = 0.0, top + _ROW + 4
                figure.region([_box(left, top, wide, _ROW)], row.fill, INK, 1)
                figure.text((left + wide / 2, top + _ROW / 2), name, _SIZE)
                left += wide + 3
        top += _ROW + 6
    return figure


def _grid(board: Board, choices: Choices) -> Figure:
    """Return a grid with a sign in each cell, and borders between areas."""
    figure, size = Figure(), choices.cell or 34.0
    ground = Ground(board.lattice, size)
    areas: dict[int, list[tuple[int, ...]]] = {}
    for cell, owner in board.owners.items():
        areas.setdefault(owner, []).append(cell)
    queens = set(board.signs.values()) <= {"Q", "."}
    for cell, sign in board.signs.items():
        x, y = cell[0], cell[1]
        shaded = (x + y) % 2 == 1 if queens else board.owners[cell] % 2 == 1
        fill = mixed(EMPTY, INK, 0.13) if shaded else "#ffffff"
        figure.region([ground.corners(cell)], fill, _LINE if not queens else "none", 0.8)
        if queens and sign == "Q":
            _queen(figure, ground.middle(cell), size)
        elif not queens:
            figure.text(ground.middle(cell), sign, size * 0.5)
    for cells in areas.values():
        figure.region(ground.rings(outline(board.lattice, cells)), "none", INK, max(1.2, size * 0.055))
    return figure


def _queen(figure: Figure, at: tuple[float, float], size: float) -> None:
    """Draw a crown."""
    x, y = at
    s = size * 0.3
    crown = [(-1, 0.75), (-1.1, -0.45), (-0.5, 0.05), (0, -0.85), (0.5, 0.05), (1.1, -0.45), (1, 0.75)]
    figure.region([[(x + s * dx, y + s * dy) for dx, dy in crown]], INK, INK, size * 0.04)
    figure.circles([(x - 1.1 * s, y - 0.6 * s), (x, y - 1.0 * s), (x + 1.1 * s, y - 0.6 * s)], size * 0.07)


def _title(fitting: Fitting, row: _Row) -> str:
    return f"{row.name}: {' '.join(map(fitting.location_name, row.locations))}"


def _square(left: float, top: float, size: float) -> list[tuple[float, float]]:
    return _box(left, top, size, size)


def _box(left: float, top: float, wide: float, high: float) -> list[tuple[float, float]]:
    return [(left, top), (left + wide, top), (left + wide, top + high), (left, top + high)]
