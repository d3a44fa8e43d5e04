"""Shapes of boards that have a word in the puzzle language, such as ``hexagon 3``: their cells on each lattice.

The least coordinate of the cells is 0 on each axis, and the cells are in reading order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import NamedTuple

from puzzlec.geometry.lattice import Cell
from puzzlec.geometry.regions import MAX_REGION_CELLS, Region, RegionTooLargeError


class NoShapeError(ValueError):
    """The sizes and the width of a board shape do not go together; ``sizes`` and ``width`` are similar ones that do."""

    def __init__(self, message: str, sizes: Sequence[int], width: int = 1) -> None:
        super().__init__(message)
        self.sizes, self.width = sizes, width


class BoardShape(NamedTuple):
    """A board shape on a lattice: the names of its sizes, and the cells for these sizes.

    If it is ``wide``, the width of its arms or of its band follows the sizes.
    """

    sizes: tuple[str, ...]
    cells: Callable[..., Iterator[Cell]]
    wide: bool = False


def board_shape(word: str, lattice: str, sizes: Iterable[int], width: int = 1) -> Region:
    """Return the cells of a board shape, whose word and number of sizes suit the lattice.

    Raises RegionTooLargeError, and NoShapeError if the sizes and the width do not go together.

    >>> len(board_shape("hexagon", "hex", [3])), len(board_shape("triangle", "triangle", [6]))
    (19, 36)
    """
    shape = BOARD_SHAPES[word][lattice]
    cells = shape.cells(*sizes, *[width] * shape.wide)
    region = dict.fromkeys(islice(cells, MAX_REGION_CELLS + 1))
    if len(region) > MAX_REGION_CELLS:
        raise RegionTooLargeError
    return region


def lattices_with(word: str) -> tuple[str, ...]:
    """Return the lattices that have a board shape.

    >>> lattices_with("hexagon")
    ('hex', 'triangle', 'prism')
    """
    return tuple(BOARD_SHAPES[word])


#: A row of a flat shape: y, and the range of the positions in it.
_Row = tuple[int, range]
_Rows = Callable[[int], Iterator[_Row]]


def _hexagon_of_hexagons(side: int) -> Iterator[_Row]:
    for y in range(2 * side - 1):
        yield y, range(max(0, side - 1 - y), min(2 * side, 3 * side - 1 - y) - 1)


def _triangle_of_hexagons(side: int) -> Iterator[_Row]:
    for y in range(side):
        yield y, range(side - 1 - y, side)


def _hexagon_of_triangles(side: int) -> Iterator[_Row]:
    for y in range(2 * side):
        yield y, range(max(0, 2 * (y - side) + 1), min(4 * side, 2 * (y + side) + 1))


def _triangle_of_triangles(side: int) -> Iterator[_Row]:
    for y in range(side):
        yield y, range(2 * y + 1)


def _pyramid_of_squares(layers: int) -> Iterator[_Row]:
    for y in range(layers):
        yield y, range(layers - 1 - y, layers + y)


def _squares(rows: Iterable[_Row]) -> Iterator[Cell]:
    """Yield the cells of rows in which each position is an x: squares or hexagons."""
    for y, positions in rows:
        yield from ((x, y) for x in positions)


def _triangles(rows: Iterable[_Row]) -> Iterator[Cell]:
    """Yield the cells of rows of triangles, which alternately point up and down."""
    for y, positions in rows:
        yield from ((at // 2, y, at % 2) for at in positions)


def _in_layers(rows: _Rows) -> Callable[[int, int], Iterator[Cell]]:
    """Return the function that yields the prisms on a flat shape of triangles."""

    def cells(side: int, height: int) -> Iterator[Cell]:
        for z in range(height):
            yield from ((x, y, z, kind) for x, y, kind in _triangles(rows(side)))

    return cells


def _band(rows: _Rows, side: int, width: int, step: int) -> Iterator[_Row]:
    """Yield the rows of a hexagon without a smaller one in its middle, which is moved by a ``step`` for each row."""
    if side and not 0 < width < side:
        raise NoShapeError(f"ring with side {side} and width {width} has no hole", [max(side, 2)], max(side - 1, 1))
    holes = rows(side - width)
    for y, positions in rows(side):
        hole = next(holes, None) if y >= width else None
        if hole is None:
            yield y, positions
        else:
            yield y, range(positions.start, hole[1].start + step * width)
            yield y, range(hole[1].stop + step * width, positions.stop)


def _ring(columns: int, rows: int, width: int) -> Iterator[Cell]:
    """Yield the cells of a box without those further than a width from its outside."""
    most = (min(columns, rows) - 1) // 2
    if columns and rows and not 0 < width <= most:
        message = f"ring {columns}x{rows} of width {width} has no hole"
        raise NoShapeError(message, [max(columns, 3), max(rows, 3)], max(most, 1))
    for y in range(rows):
        if width <= y < rows - width:
            yield from ((x, y) for x in chain(range(width), range(columns - width, columns)))
        else:
            yield from ((x, y) for x in range(columns))


def _diamond(axes: int, side: int) -> Iterator[Cell]:
    """Yield the cells that are fewer than ``side`` steps from the middle one."""
    if axes == 0:
        yield from [()] * (side > 0)
        return
    for last in range(2 * side - 1):
        away = abs(last - side + 1)
        yield from ((*[at + away for at in cell], last) for cell in _diamond(axes - 1, side - away))


def _cross(axes: int, length: int, width: int, straight: bool = True) -> Iterator[Cell]:
    """Yield the cells of bars along each axis through the middle; of the straight part, at most one axis is outside."""
    low = (length - width) // 2
    if straight and length and (not 0 < width <= length or (length - width) % 2):
        message = f"arms of length {length} and width {width} have no common middle"
        raise NoShapeError(message, [length], 2 - length % 2)
    if axes == 0:
        yield ()
        return
    for last in range(length) if straight else range(low, low + width):
        inside = low <= last < low + width
        yield from ((*cell, last) for cell in _cross(axes - 1, length, width, straight and inside))


def _pyramid_of_cubes(layers: int) -> Iterator[Cell]:
    for z in range(layers):
        size = 2 * (layers - z) - 1
        yield from ((x + z, y + z, z) for y in range(size) for x in range(size))


def _pyramid_of_balls(side: int) -> Iterator[Cell]:
    for z in range(side):
        yield from ((x, y, z) for y in range(side - z) for x in range(side - z))


def _tetrahedron_of_balls(side: int) -> Iterator[Cell]:
    for z in range(side):
        yield from ((x, y, z) for y in range(side - 1 - z, side) for x in range(side - z))


def _quarters(cells: Callable[..., Iterator[Cell]]) -> Callable[..., Iterator[Cell]]:
    """Return the function that yields the four quarters of each square of a shape."""
    return lambda *sizes: ((*cell, kind) for cell in cells(*sizes) for kind in range(4))


_SIDE, _LAYERS, _LENGTH = ("side",), ("layers",), ("length",)
_SQUARE_RING = BoardShape(("columns", "rows"), _ring, wide=True)

#: The board shapes by their words and lattices.
BOARD_SHAPES: Mapping[str, Mapping[str, BoardShape]] = {
    "hexagon": {
        "hex": BoardShape(_SIDE, lambda side: _squares(_hexagon_of_hexagons(side))),
        "triangle": BoardShape(_SIDE, lambda side: _triangles(_hexagon_of_triangles(side))),
        "prism": BoardShape(("side", "height"), _in_layers(_hexagon_of_triangles)),
    },
    "triangle": {
        "triangle": BoardShape(_SIDE, lambda side: _triangles(_triangle_of_triangles(side))),
        "hex": BoardShape(_SIDE, lambda side: _squares(_triangle_of_hexagons(side))),
        "prism": BoardShape(("side", "height"), _in_layers(_triangle_of_triangles)),
    },
    "diamond": {
        "square": BoardShape(_SIDE, lambda side: _diamond(2, side)),
        "cubic": BoardShape(_SIDE, lambda side: _diamond(3, side)),
        "hypercubic": BoardShape(_SIDE, lambda side: _diamond(4, side)),
    },
    "pyramid": {
        "square": BoardShape(_LAYERS, lambda layers: _squares(_pyramid_of_squares(layers))),
        "cubic": BoardShape(_LAYERS, _pyramid_of_cubes),
        "fcc": BoardShape(_LAYERS, _pyramid_of_balls),
    },
    "tetrahedron": {"fcc": BoardShape(_LAYERS, _tetrahedron_of_balls)},
    "cross": {
        "square": BoardShape(_LENGTH, lambda *sizes: _cross(2, *sizes), wide=True),
        "cubic": BoardShape(_LENGTH, lambda *sizes: _cross(3, *sizes), wide=True),
        "hypercubic": BoardShape(_LENGTH, lambda *sizes: _cross(4, *sizes), wide=True),
        "tetrakis": BoardShape(_LENGTH, _quarters(lambda *sizes: _cross(2, *sizes)), wide=True),
    },
    "ring": {
        "square": _SQUARE_RING,
        "tetrakis": _SQUARE_RING._replace(cells=_quarters(_ring)),
        "hex": BoardShape(_SIDE, lambda side, width: _squares(_band(_hexagon_of_hexagons, side, width, 1)), wide=True),
        "triangle": BoardShape(
            _SIDE, lambda side, width: _triangles(_band(_hexagon_of_triangles, side, width, 2)), wide=True
        ),
    },
}
