"""Squares and cubes on a terminal: borders between pieces, layers side by side, and tiles with their sides.

Boards that are too wide for borders have a letter for each cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from typing import NamedTuple

from puzzlec.geometry import Cell, Lattice
from puzzlec.geometry.drawing.rule import DrawingSpot
from puzzlec.geometry.lattice import identity
from puzzlec.ir import Solution
from puzzlec.show.breaking import rows_of
from puzzlec.show.terminal.canvas import NOTHING, Canvas
from puzzlec.show.terminal.layout import beside, rows_of_blocks, width_of
from puzzlec.show.terminal.style import BoardOfSigns, Hue, Style, TooWideError, painted

#: Border characters by their arms: up 1, right 2, down 4, left 8.
_BORDERS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
_ASCII = " |-+||++-+-+++++"


class _Layer(NamedTuple):
    """A layer of a board: its third and fourth coordinate, and the first and last cells of its box."""

    z: int
    w: int
    left: int
    top: int
    right: int
    bottom: int

    def columns(self, inner: int) -> int:
        """Return the width of the box in characters, if a cell is ``inner`` wide between its borders."""
        return (self.right - self.left + 1) * (inner + 1) + 1


def is_drawable(lattice: Lattice) -> bool:
    """Whether boxes can show the cells of a lattice without a drawing rule: unit cubes in 4D."""
    return lattice.dimension == 4 and lattice.translations == identity(4) and len(lattice.kinds) == 1


def draw(board: BoardOfSigns, style: Style) -> list[str]:
    """Return the layers as boxes, side by side as far as the width permits.

    If layers lie in the hollows of earlier ones, each has a separate box and a label, shifted down as it lies. In four
    dimensions each w has a row of layers. On a wrap-around board, a piece has no border where it crosses a seam. Raises
    TooWideError if a box does not fit.
    """
    lean = _lean(board.lattice)
    layers = _layers(board, lean is not None)
    least = max(len(line) for sign in board.signs.values() for line in sign.split("\n"))
    widest = max(layer.columns(least) for layer in layers)
    if widest > style.width:
        raise TooWideError(widest)
    # A cell is three characters wide if its sign is no longer, and narrower if the board needs it.
    widths = range(max(3, least), 0, -1)
    inner = next(w for w in widths if max(layer.columns(w) for layer in layers) <= style.width)
    hues = board.hues(style.colours)
    lines: list[str] = []
    for w, several in groupby(layers, key=lambda layer: layer.w):
        lines += [""] * bool(lines) + [f"w={w}"] * (board.lattice.dimension == 4)
        sheets = list(several)
        for numbers in rows_of((layer.columns(inner) for layer in sheets), style.width, 2):
            row = sheets[numbers.start : numbers.stop]
            lines += [""] * bool(numbers.start)
            blocks = [list(_box(board, layer, hues, inner, style)) for layer in row]
            lines += beside(blocks if lean is None else _shifted(row, blocks, lean))
    return lines


def _layers(board: BoardOfSigns, separate: bool) -> list[_Layer]:
    """Return the layers of a board, by w and z: each with a box if they are ``separate``, otherwise all in the same."""
    frames: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for cell in board.owners:
        x, y, z, w = (*cell, 0, 0, 0)[:4]
        frames.setdefault((w, z), []).append((x, y))
    if not separate:
        every = [place for places in frames.values() for place in places]
        low, high = zip(*((min(axis), max(axis)) for axis in zip(*frames, strict=True)), strict=True)
        frames = {(w, z): every for w in range(low[0], high[0] + 1) for z in range(low[1], high[1] + 1)}
    layers = []
    for (w, z), places in sorted(frames.items()):
        xs, ys = zip(*places, strict=True)
        layers.append(_Layer(z, w, min(xs), min(ys), max(xs), max(ys)))
    return layers


def _lean(lattice: Lattice) -> float | None:
    """Return how many cells a layer is further down than the one before; None if layers lie straight on each other.

    >>> from puzzlec.geometry import find_lattice
    >>> _lean(find_lattice("fcc")), _lean(find_lattice("cubic"))
    (0.5, None)
    """
    if lattice.dimension != 3:
        return None
    _, down, up = (lattice.on_paper(vector) for vector in lattice.translations)
    return up[1] / down[1] if max(abs(up[0]), abs(up[1])) > NOTHING else None


def _shifted(row: Sequence[_Layer], blocks: Sequence[list[str]], lean: float) -> list[list[str]]:
    """Return layers shifted down as they lie, each under a label if there is room."""
    drops = [round(2 * (layer.top + lean * layer.z)) for layer in row]
    labels = [f"z={layer.z}" for layer in row]
    room = all(len(label) <= width_of(lines) for label, lines in zip(labels, blocks, strict=True))
    return [
        [*[label] * room, *[""] * (drop - min(drops)), *lines]
        for label, drop, lines in zip(labels, drops, blocks, strict=True)
    ]


def _box(board: BoardOfSigns, layer: _Layer, hues: Mapping[int, Hue], inner: int, style: Style) -> Iterator[str]:
    """Yield the lines of one layer, with a border between neighbouring cells of different pieces."""
    size, behind = board.lattice.dimension, (layer.z, layer.w)

    @cache
    def owner(x: int, y: int) -> tuple[int | None, bool]:
        """Return the piece on a cell, and whether the cell is on the board, not across a seam."""
        if size == 1 and y:
            return None, False
        cell = (x, y, *behind)[:size]
        return board.owner(cell), cell in board.owners

    def border(one: tuple[int | None, bool], two: tuple[int | None, bool]) -> bool:
        return one[0] != two[0] and (one[1] or two[1])

    def common(*cells: tuple[int | None, bool]) -> int | None:
        """Return the common piece of cells of the board."""
        return cells[0][0] if cells[0][1] and len(set(cells)) == 1 else None

    borders = _ASCII if style.ascii else _BORDERS
    high = 1 + max(sign.count("\n") for sign in board.signs.values())
    for y in range(layer.top, layer.bottom + 2):
        edge, body = list[str](), [list[str]() for _ in range(high)]
        for x in range(layer.left, layer.right + 2):
            here, left, above, corner = owner(x, y), owner(x - 1, y), owner(x, y - 1), owner(x - 1, y - 1)
            arms = border(corner, above) + 2 * border(above, here) + 4 * border(left, here) + 8 * border(corner, left)
            edge.append(painted(borders[arms], common(here, left, above, corner), hues, style))
            side = painted(borders[5] if border(left, here) else " ", common(here, left), hues, style)
            if x <= layer.right:
                line = borders[10] if border(above, here) else " "
                edge.append(painted(line * inner, common(here, above), hues, style))
            # A sign may have several lines, as that of a tile has.
            signs = board.signs.get((x, y, *behind)[:size], "").split("\n")
            for row, sign in zip(body, [*signs, *[""] * high], strict=False):
                cell = painted(f"{sign:^{inner}}", here[0] if here[1] else None, hues, style)
                row.append(side + cell * (x <= layer.right))
        yield "".join(edge)
        if y <= layer.bottom:
            yield from map("".join, body)


def draw_tiles(solution: Solution, style: Style) -> list[str]:
    """Return tiles with the colours of their sides and the sign of the piece in the middle.

    Raises TooWideError if they do not fit the width.
    """
    geometry = solution.fitting.origin.geometry
    cells = geometry.cells
    signs = dict.fromkeys(cells, "")
    for placement, sign in zip(solution.placements, solution.signs(), strict=True):
        top, right, bottom, left = solution.sides(placement) or (" ",) * 4
        for location in placement.locations:
            signs[cells[location]] = f"{top}\n {left} {sign} {right} \n{bottom}"
    board = BoardOfSigns(geometry.lattice, {cell: number for number, cell in enumerate(cells)}, signs)
    return draw(board, style._replace(colour=False))


def draw_letters(board: BoardOfSigns, style: Style, spot: Callable[[Cell], DrawingSpot]) -> list[str]:
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
    layers = sorted({layer for layer, _ in canvases})
    for strip, first in enumerate(strips):
        wide = min(style.width, columns - first)
        sheets = (canvases.get((layer, strip), Canvas()).page(rows, wide, hues, style) for layer in layers)
        lines += [""] * bool(lines)
        lines += rows_of_blocks(sheets, style.width if len(strips) == 1 else wide)
    return lines


def spot_of_cube(cell: Cell) -> DrawingSpot:
    """Return the position in a drawing of a unit cell of up to four dimensions.

    >>> spot_of_cube((3, 1)), spot_of_cube((3, 1, 2))
    (DrawingSpot(layer=0, row=1, column=3), DrawingSpot(layer=2, row=1, column=3))
    """
    x, y, z, w = (*cell, 0, 0, 0)[:4]
    return DrawingSpot(w * 10**6 + z, y, x)
