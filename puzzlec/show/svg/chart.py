"""Puzzles without geometry as charts: the items of each choice, in the colours of the pieces.

A row is a placement (an option), a column a location (an item), as in the table of an exact cover problem. A solution
has one filled position in each column. If there are too many columns, each row lists the names of its locations. A
solution whose names describe a grid, such as sudoku, is drawn as a grid, and so is the puzzle before it is solved.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from typing import NamedTuple

from puzzlec.diagnostics import counted
from puzzlec.diagnostics.error import fail
from puzzlec.geometry import Cell, find_lattice
from puzzlec.geometry.outlines import outline
from puzzlec.ir import Fitting, Solution
from puzzlec.show.palette import COLOURS, EMPTY, INK, fill_of, ink_on, mixed
from puzzlec.show.svg import lettering, sheet
from puzzlec.show.svg.choices import Choices
from puzzlec.show.svg.figure import Figure
from puzzlec.show.svg.ground import Ground
from puzzlec.show.svg.paper import Picture, columns_for, composed, no_solution
from puzzlec.solving.grids import Grid, grid_board, task_board
from puzzlec.solving.subject import Subject

#: Maximum number of rows of a readable chart.
MOST_ROWS = 3000
#: Maximum number of placements in a chart of all placements.
MOST_PLACEMENTS = 300
#: Maximum number of columns of a table, and the rows of a column of lists.
_MOST_COLUMNS, _ROWS = 48, 48
_SIZE, _ROW, _LINE = 12.0, 20.0, "#c3cad1"
#: The default size of cells of a grid in px, the weight of given signs, and the colour of found ones.
GRID_CELL, _BOLD, _FOUND = 34.0, 1.7, "#5c7188"
#: The width of lists in px; longer ones continue in the next line.
_WIDEST_LIST = 460.0
#: Longer tables are divided; the width of tables side by side, in px.
_WIDEST_SHEET = 1600.0


class _ChartRow(NamedTuple):
    """A placement: the piece's name and colour, and the numbers of the locations."""

    name: str
    fill: str
    locations: tuple[int, ...]


def charted(subject: Subject, choices: Choices, numbers: Sequence[int] | None = None) -> Picture:
    """Return the chart of a puzzle without geometry: its solutions, its empty grid, or all its placements.

    Raises PuzzleError (PZ504) if there is no such picture.
    """
    task, number = task_board(subject.fitting), len(subject.solutions)
    if choices.show == "pieces" or (choices.show == "board" and task is None):
        raise fail(
            "PZ504",
            f"cannot draw the {choices.show}: this puzzle has no geometry",
            subject.puzzle.span if subject.puzzle is not None else None,
            help="remove `--show` to draw a chart of a solution, or add `--limit 0` for one of all placements",
        )
    if choices.show == "solution" and not number:
        raise no_solution(subject)
    if task is not None and (choices.show == "board" or not number):
        given = sum(sign not in ("", ".") for sign in task.signs.values())
        words = f"a grid of {counted(len(task.signs), 'place')} before it is solved, {given} of them given"
        figures = [_grid(task, choices, task.signs)]
    elif not number:
        words, figures = "a chart of all placements", [fitting_chart(subject.fitting, choices)]
    else:
        words = "a chart of a solution"
        figures = [solution_chart(solution, choices, task) for solution in subject.solutions]
    if len(figures) == 1 and numbers is None:
        return composed([("", figures[0])], subject, choices, words, several=False)
    columns = columns_for(choices, number, figures[0].box)
    captions = [str(index) for index in numbers or range(1, number + 1)]
    parts = [("", sheet.grid(figures, captions, columns))]
    return composed(parts, subject, choices, f"charts of {number} solutions", several=True)


def solution_chart(solution: Solution, choices: Choices, task: Grid | None = None) -> Figure:
    """Return a chart of a solution: a grid if its names describe one, else a row for each placement.

    In the grid, given signs (those of ``task``, the empty grid) are bold, and found ones are lighter. Raises
    PuzzleError (PZ504) for too many rows.
    """
    board = grid_board(solution)
    if board is not None:
        given = task.signs if task is not None and task.areas == board.areas else {}
        return _grid(board, choices, given)
    fitting = solution.fitting
    pairs = [
        (placement.number, placement.locations)
        for placement in sorted(solution.placements, key=lambda placement: placement.number)
    ]
    return _chart(fitting, pairs, choices)


def fitting_chart(fitting: Fitting, choices: Choices) -> Figure:
    """Return a chart of all placements of a puzzle. Raises PuzzleError (PZ504) if there are too many."""
    note = "without geometry and without a solution, the chart shows all placements"
    number = sum(len(piece.placements) for piece in fitting.pieces)
    _check_number(fitting, number, MOST_PLACEMENTS, "placements", note, "remove `--limit 0` to draw a solution")
    pairs = [
        (number, tuple(placement)) for number, piece in enumerate(fitting.pieces) for placement in piece.placements
    ]
    return _chart(fitting, pairs, choices)


def _check_number(fitting: Fitting, number: int, most: int, what: str, note: str, help: str) -> None:
    if number > most:
        span = next((piece.span for piece in fitting.pieces if piece.span), None)
        message = f"too many {what} for a chart: {number} (limit {most:,})"
        raise fail("PZ504", message, span, note=note, help=help)


def _rows(fitting: Fitting, pairs: Sequence[tuple[int, Sequence[int]]], choices: Choices) -> list[_ChartRow]:
    note = "a puzzle without geometry is drawn as a chart of its placements"
    _check_number(fitting, len(pairs), MOST_ROWS, "rows", note, "use `puzzlec solve` to write solutions as text")
    return [
        _ChartRow(
            fitting.piece_name(piece),
            mixed("#ffffff", INK, 0.25)
            if choices.plain
            else fill_of(piece % len(COLOURS), fitting.paint(piece), choices.palette),
            tuple(map(int, locations)),
        )
        for piece, locations in pairs
    ]


def _chart(fitting: Fitting, pairs: Sequence[tuple[int, Sequence[int]]], choices: Choices) -> Figure:
    rows = _rows(fitting, pairs, choices)
    if not 0 < fitting.locations <= _MOST_COLUMNS:
        return _lists(fitting, rows, choices)
    down = ceil(len(rows) / ceil(len(rows) / _ROWS)) if rows else 1
    blocks = [_table(fitting, rows[start : start + down]) for start in range(0, len(rows), down)]
    return blocks[0] if len(blocks) == 1 else sheet.rows(blocks, [""] * len(blocks), _WIDEST_SHEET)


def _table(fitting: Fitting, rows: Sequence[_ChartRow]) -> Figure:
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
            figure.region([_box(location * _ROW, top, _ROW, _ROW) for location in row.locations], row.fill, INK, 1.2)
    return figure


def _lists(fitting: Fitting, rows: Sequence[_ChartRow], choices: Choices) -> Figure:
    """Return a row for each placement: its name, and the names of its locations on its colour."""
    blocks = max(1, min(choices.columns or 3, ceil(len(rows) / _ROWS)))
    down = ceil(len(rows) / blocks) or 1
    return sheet.beside([_list_block(fitting, rows[down * n : down * (n + 1)]) for n in range(blocks)], 34)


def _list_block(fitting: Fitting, rows: Sequence[_ChartRow]) -> Figure:
    figure = Figure()
    top = 0.0
    for row in rows:
        with figure.group(_title(fitting, row)):
            figure.text((-10, top + _ROW / 2), lettering.shortened(row.name), _SIZE, "end")
            left = 0.0
            for location in row.locations:
                name = lettering.shortened(fitting.location_name(location))
                wide = max(_ROW, lettering.length(name, _SIZE) + 10)
                if left and left + wide > _WIDEST_LIST:
                    left, top = 0.0, top + _ROW + 4
                figure.region([_box(left, top, wide, _ROW)], row.fill, INK, 1)
                figure.text((left + wide / 2, top + _ROW / 2), name, _SIZE, colour=ink_on(row.fill))
                left += wide + 3
        top += _ROW + 6
    return figure


def _grid(board: Grid, choices: Choices, given: Mapping[Cell, str]) -> Figure:
    """Return a grid with a sign in each cell, some of them ``given``, and borders between areas."""
    figure, size = Figure(), choices.cell or GRID_CELL
    marked = any(sign not in ("", ".") for sign in given.values())
    square = find_lattice("square")
    ground = Ground(square, size)
    areas: dict[int, list[tuple[int, ...]]] = {}
    for cell, owner in board.areas.items():
        areas.setdefault(owner, []).append(cell)
    queens = set(board.signs.values()) <= {"Q", "."}
    for cell, sign in board.signs.items():
        x, y = cell[0], cell[1]
        is_plain = not marked or given.get(cell) == sign
        area = board.areas[cell]
        shaded = (x + y) % 2 == 1 if queens else area >= 0 and area % 2 == 1 and not choices.plain
        fill = mixed(EMPTY, INK, 0.13) if shaded else "#ffffff"
        figure.region([ground.corners(cell)], fill, _LINE if not queens else "none", 0.8)
        if queens and sign == "Q":
            _queen(figure, ground.middle(cell), size, INK if is_plain else _FOUND)
        elif not queens and sign:
            figure.text(
                ground.middle(cell),
                sign,
                size * 0.5,
                colour=INK if is_plain else _FOUND,
                weight=_BOLD if marked and is_plain else 1,
            )
    for cells in areas.values():
        figure.region(ground.rings(outline(square, cells)), "none", INK, max(1.2, size * 0.055))
    return figure


def _queen(figure: Figure, at: tuple[float, float], size: float, colour: str) -> None:
    """Draw a crown."""
    x, y = at
    s = size * 0.3
    crown = [(-1, 0.75), (-1.1, -0.45), (-0.5, 0.05), (0, -0.85), (0.5, 0.05), (1.1, -0.45), (1, 0.75)]
    figure.region([[(x + s * dx, y + s * dy) for dx, dy in crown]], colour, colour, size * 0.04)
    figure.circles([(x - 1.1 * s, y - 0.6 * s), (x, y - 1.0 * s), (x + 1.1 * s, y - 0.6 * s)], size * 0.07, colour)


def _title(fitting: Fitting, row: _ChartRow) -> str:
    return f"{row.name}: {' '.join(map(fitting.location_name, row.locations))}"


def _box(left: float, top: float, wide: float, high: float) -> list[tuple[float, float]]:
    return [(left, top), (left + wide, top), (left + wide, top + high), (left, top + high)]
