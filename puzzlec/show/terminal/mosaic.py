"""Flat cells on a terminal: their sides as strokes where neighbours belong to different pieces.

Hexagons have a fixed form. Cells of any other outline are drawn at the least scale that shows all sides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import product, takewhile
from math import ceil, floor

from puzzlec.geometry import Cell, Lattice
from puzzlec.geometry.drawing import RULES
from puzzlec.geometry.faces import on_sheet
from puzzlec.geometry.lattice import cells_at, neighbours
from puzzlec.show.terminal.canvas import Canvas, common_lengths
from puzzlec.show.terminal.style import BoardOfSigns, Style, TooWideError

#: The minimum number of characters of a cell for each of its corners.
_MIN_CHARACTERS_OF_CORNER = 2

#: The minimum number of characters of a cell that no border covers, if it has borders all around: one has its sign.
_MIN_FREE_CHARACTERS = 1

#: A side with at most this many columns per line is drawn by strokes alone.
_STEEP = 2.0

_FINE = {"\\": "╲", "/": "╱", "|": "│"}

#: Maximum number of lines in the unit of length of positions.
_MOST_LINES = 64

#: The widest trial picture, which finds the number of columns that a picture needs.
_WORTH_DRAWING = 1000

_NOTHING = 1e-9

_Point = tuple[float, ...]
_Polygon = tuple[_Point, ...]
_Corners = Callable[[Cell, Lattice], _Polygon]


def draw(board: BoardOfSigns, style: Style, corners: _Corners | None = None) -> list[str]:
    """Return cells of any outline with the signs of their pieces; ``corners`` returns those of a cell.

    A side is a border if the cells beside it belong to different pieces, also across a seam of the board. Raises
    TooWideError if they do not fit the width.
    """
    corners = corners or _scaled
    outlines = {cell: corners(cell, board.lattice) for cell in board.owners}
    return paint(outlines, board, _across(board, corners), style).lines(board.hues(style.colours), style)


def paint(
    outlines: Mapping[Cell, _Polygon],
    board: BoardOfSigns,
    across: Iterable[tuple[_Point, _Point, int]],
    style: Style,
) -> Canvas:
    """Return cells of a board with some outlines, in columns and lines, as a picture with borders and signs.

    ``across`` are sides beyond a seam of the board, each with its piece. Raises TooWideError for a picture too wide for
    any terminal.
    """
    places = [x for corners in outlines.values() for x, _ in corners]
    needed = ceil(max(places)) - floor(min(places)) + 1
    if needed > max(style.width, _WORTH_DRAWING):
        raise TooWideError(needed)
    canvas = Canvas()
    beside: dict[tuple[int, int], list[int]] = {}
    for cell, corners in outlines.items():
        for line, column in _inside(corners):
            canvas.put(line, column, " ", board.owners[cell])
        for one, two in _sides(corners):
            beside.setdefault(_middle(one, two), []).append(board.owners[cell])
    for one, two, owner in across:
        beside.setdefault(_middle(one, two), []).append(owner)
    borders = [
        side
        for corners in outlines.values()
        for side in _sides(corners)
        if len(beside[_middle(*side)]) != 2 or len(set(beside[_middle(*side)])) != 1
    ]
    _draw_borders(canvas, borders, style)
    for cell, corners in outlines.items():
        x, y = (sum(axis) / len(corners) for axis in zip(*corners, strict=True))
        middle = (min(y for _, y in corners) + max(y for _, y in corners)) / 2
        # Where no side can be, border or not, so that the signs of a row are level.
        strokes = {stroke[:2] for side in _sides(corners) for stroke in _strokes(*side)}
        free = [at for at in _inside(corners) if at not in strokes and canvas.drawn[at][0] == " "]
        # As near to the middle as possible; a line is twice as high as a column is wide.
        line, column = min(
            free or [(floor(y), floor(x))],
            key=lambda at: (
                round(abs(at[1] + 0.5 - x) + 2 * abs(at[0] + 0.5 - y), 6),
                abs(at[0] + 0.5 - middle),
                at,
            ),
        )
        canvas.put(line, column, board.signs[cell], board.owners[cell])
    return canvas


def _across(board: BoardOfSigns, corners: _Corners) -> Iterator[tuple[_Point, _Point, int]]:
    """Yield the sides of cells across a seam that repeat cells of the board, each with its piece."""
    if board.wrapping is not None:
        outside = {
            neighbour for cell in board.owners for neighbour in neighbours(cell, board.lattice)
        } - board.owners.keys()
        for cell in outside:
            owner = board.owner(cell)
            if owner is not None:
                for one, two in _sides(corners(cell, board.lattice)):
                    yield one, two, owner


def _sides(corners: _Polygon) -> Iterator[tuple[_Point, _Point]]:
    """Yield the sides of a polygon."""
    return zip(corners, [*corners[1:], corners[0]], strict=True)


def _middle(one: _Point, two: _Point) -> tuple[int, int]:
    """Return the middle of a side, which is the same from the cell on its other side."""
    return round((one[0] + two[0]) * 1000), round((one[1] + two[1]) * 1000)


def _draw_borders(canvas: Canvas, borders: Sequence[tuple[_Point, _Point]], style: Style) -> None:
    """Draw sides: the level ones first, since others may cover their ends; a level stroke covers no other."""
    for one, two in sorted(borders, key=lambda side: abs(side[0][1] - side[1][1])):
        for line, column, stroke in _strokes(one, two):
            below, owner = canvas.drawn.get((line, column), (" ", None))
            if stroke != "_":
                canvas.put(line, column, stroke if style.ascii else _FINE[stroke])
            elif below == " ":
                canvas.put(line, column, stroke, owner)


@lru_cache(maxsize=10_000)
def _strokes(one: _Point, two: _Point) -> list[tuple[int, int, str]]:
    return list(_characters(one, two))


def _characters(one: _Point, two: _Point) -> Iterator[tuple[int, int, str]]:
    """Yield the characters of a side with their lines and columns: one in each line that it passes.

    If it is level, or covers some columns in a line, a row of ``_`` at the foot of the line leads there.
    """
    (left, top), (right, bottom) = sorted((one, two))
    upper, lower = sorted((top, bottom))
    if lower - upper < 0.5:
        for column in range(floor(left + 0.5 + _NOTHING), floor(right + 0.5 + _NOTHING)):
            yield floor(top + 0.5 + _NOTHING) - 1, column, "_"
        return
    run = (right - left) / (bottom - top)
    stroke = "|" if right - left < 0.5 else "\\" if run > 0 else "/"
    first, last = floor(upper + 0.5 + _NOTHING), ceil(lower - 0.5 - _NOTHING) - 1
    for line in range(first, last + 1):
        if abs(run) <= _STEEP + _NOTHING:
            yield line, floor(left + (line + 0.5 - top) * run + _NOTHING), stroke
            continue
        # The ends of the side, which may be within a line, belong to the nearest line that has a stroke.
        levels = upper if line == first else line, lower if line == last else line + 1
        high, low = (left + (y - top) * run for y in levels)
        # The stroke is in the column where the side enters from above.
        column = floor(high + _NOTHING) if run > 0 else ceil(high - _NOTHING) - 1
        yield line, column, stroke
        for level in range(column + 1, ceil(low - _NOTHING)) if run > 0 else range(floor(low + _NOTHING), column):
            yield line, level, "_"


def is_drawable(lattice: Lattice) -> bool:
    """Whether the cells of a lattice are areas on paper."""
    return lattice.dimension == 2 and all(len(kind.outline) > 2 for kind in lattice.kinds)


@lru_cache(maxsize=10_000)
def _inside(corners: _Polygon) -> list[tuple[int, int]]:
    """Return the lines and columns of the characters whose middles lie in a polygon."""
    left, right = min(x for x, _ in corners), max(x for x, _ in corners)
    top, bottom = min(y for _, y in corners), max(y for _, y in corners)
    sides, inside = list(_sides(corners)), []
    for line in range(floor(top), ceil(bottom)):
        # A character with a side through its middle belongs to one of the two cells.
        y = line + 0.5 + _NOTHING
        for column in range(floor(left), ceil(right)):
            x = column + 0.5 + 2 * _NOTHING
            crossed = [
                x < x1 + (y - y1) * (x2 - x1) / (y2 - y1) for (x1, y1), (x2, y2) in sides if (y1 > y) != (y2 > y)
            ]
            if sum(crossed) % 2:
                inside.append((line, column))
    return inside


def _scaled(cell: Cell, lattice: Lattice) -> _Polygon:
    """Return the corners of a cell in columns and lines."""
    columns, lines = _scale(lattice)
    return tuple([(x * columns, y * lines) for x, y in on_sheet(lattice, cell)])


@cache
def _scale(lattice: Lattice) -> tuple[float, float]:
    """Return the number of columns and lines in a unit of length on paper.

    A translation moves by whole characters, so that all cells of a kind look alike, and so do the sides if possible.
    Every cell has room for its sign between borders all around, and none of its sides is hidden.
    """
    patch = [on_sheet(lattice, cell) for cell in cells_at(lattice, product((0, 1, -1), repeat=2))]
    kinds = len(lattice.kinds)
    return scale_of(lattice, [corner for outline in patch[:kinds] for corner in outline], [(patch, kinds)])


def scale_of(
    lattice: Lattice,
    corners: Sequence[Sequence[float]],
    patches: Sequence[tuple[Sequence[Sequence[_Point]], int]],
    whole: bool = False,
) -> tuple[float, float]:
    """Return the least scale at which all sides of the cells of some patches are seen, and their signs have room.

    A patch is a list of outlines on paper, and the number of those at its start that are tested. ``corners`` are the
    positions on paper that should be between characters. If ``whole`` is true, such a scale is preferred even if it is
    a little larger.
    """
    scales = sorted(_scales(lattice, corners), key=lambda scale: (scale[1], scale[0]))
    clear = (scale for scale in scales if all(_is_clear(*patch, scale) for patch in patches))
    least = next(clear, scales[-1])
    if not whole or _fits(corners, least):
        return least
    return next((scale for scale in takewhile(lambda s: s[1] < 2 * least[1], clear) if _fits(corners, scale)), least)


def _fits(corners: Sequence[Sequence[float]], scale: tuple[float, float]) -> bool:
    """Whether corners lie between characters at a scale."""
    lengths = (place[axis] * scale[axis] for place in corners for axis in range(2))
    return all(abs(length - round(length)) < 1e-4 for length in lengths)


def _scales(lattice: Lattice, corners: Sequence[Sequence[float]]) -> Iterator[tuple[float, float]]:
    """Yield scales at which all corners, or at least all translations, are integers of columns and lines."""
    moves = [lattice.on_paper(vector) for vector in lattice.translations]
    for places in (moves, [*moves, *corners]):
        wide, high = common_lengths(places)
        for lines in range(1, _MOST_LINES + 1):
            # A line is about twice as high as a column is wide.
            columns = round(2 * lines * wide / high)
            yield (columns / wide if columns else 2 * lines / high), lines / high


def _is_clear(outlines: Sequence[Sequence[_Point]], number: int, scale: tuple[float, float]) -> bool:
    """Whether cells with borders all around show their sides and have room for a sign, at a scale.

    The first ``number`` cells are tested; the others lie around them.
    """
    patch = [tuple([(x * scale[0], y * scale[1]) for x, y in corners]) for corners in outlines]
    canvas = Canvas()
    _draw_borders(canvas, [side for corners in patch for side in _sides(corners)], Style(ascii=True))
    for corners in patch[:number]:
        inside = _inside(corners)
        free = [at for at in inside if at not in canvas.drawn]
        if len(inside) < _MIN_CHARACTERS_OF_CORNER * len(corners) or len(free) < _MIN_FREE_CHARACTERS:
            return False
        for one, two in _sides(corners):
            if abs(one[1] - two[1]) < _NOTHING < abs(one[1] - round(one[1])) - _NOTHING:
                return False  # a level side is at the foot of a line
            if all(canvas.drawn[line, column][0] != stroke for line, column, stroke in _strokes(one, two)):
                return False
    return True


#: The corners of a hexagon in columns and lines, from the upper left of its square of characters on.
_HEXAGON = (2.5, 0.0), (4.5, 1.0), (4.5, 2.0), (2.5, 3.0), (0.5, 2.0), (0.5, 1.0)


def draw_hexagons(board: BoardOfSigns, style: Style) -> list[str]:
    """Return hexagons of a fixed form, as :func:`draw` does."""
    return draw(board, style, _hexagon)


def _hexagon(cell: Cell, _: Lattice) -> _Polygon:
    spot = RULES["hex"].spot(cell)
    return tuple([(2 * spot.column + x, 2 * spot.row + y) for x, y in _HEXAGON])
