"""Solids in slices on a terminal, side by side from the bottom to the top.

Prisms on triangles, hexagons or custom tiles are drawn layer by layer, each as a flat board. Other polyhedra are drawn
as plane cuts.
"""

from __future__ import annotations

import math
from bisect import bisect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, pairwise, product

from puzzlec.geometry import Cell, Lattice
from puzzlec.geometry.lattice import cells_at
from puzzlec.show.palette import COLOURS
from puzzlec.show.terminal.canvas import NOTHING, Canvas
from puzzlec.show.terminal.layout import rows_of_blocks
from puzzlec.show.terminal.mosaic import paint, scale_of
from puzzlec.show.terminal.style import BoardOfSigns, Hue, Style, TooWideError

Draw = Callable[[BoardOfSigns, Style], list[str]]


@dataclass(frozen=True, kw_only=True)
class _SliceRow(BoardOfSigns):
    """Some layers of a board as one flat board, each ``step`` further to the right than the one before."""

    whole: BoardOfSigns
    first: int = 0
    step: int = 1
    left: int = 0

    def owner(self, cell: Cell) -> int | None:
        """Return the number of the piece on a cell of the whole board."""
        number = (cell[0] - self.left) // self.step
        return self.whole.owner((cell[0] - number * self.step, cell[1], self.first + number, *cell[2:]))

    def hues(self, most: int = len(COLOURS)) -> Mapping[int, Hue]:
        """Return the colours of the whole board."""
        return self.whole.hues(most)


def draw_layers(board: BoardOfSigns, style: Style, flat: Lattice, drawn: Draw) -> list[str]:
    """Return the layers side by side as far as the width permits; ``drawn`` draws the flat lattice of a layer.

    Raises TooWideError if a layer does not fit.
    """
    low, high = (choose(cell[2] for cell in board.owners) for choose in (min, max))
    layers = list(range(low, high + 1))
    together = len(layers)
    while True:
        try:
            rows = [
                drawn(_row(board, flat, layers[start : start + together]), style)
                for start in range(0, len(layers), together)
                if any(cell[2] in layers[start : start + together] for cell in board.owners)
            ]
        except TooWideError as error:
            if together == 1:
                raise
            # Layers have nearly the same width: this many fit at best.
            together = max(1, min(together - 1, -(-together * style.width // error.columns)))
        else:
            return [line for number, row in enumerate(rows) for line in [*[""] * bool(number), *row]]


def _row(board: BoardOfSigns, flat: Lattice, layers: Sequence[int]) -> _SliceRow:
    """Return some layers of a board, side by side."""
    xs = [cell[0] for cell in board.owners]
    # Across a seam, there may be one more cell on both sides.
    step = max(xs) - min(xs) + 2 + (board.wrapping is not None)
    moved = {
        cell: (cell[0] + (cell[2] - layers[0]) * step, cell[1], *cell[3:])
        for cell in board.owners
        if layers[0] <= cell[2] <= layers[-1]
    }
    return _SliceRow(
        flat,
        {to: board.owners[cell] for cell, to in moved.items()},
        {to: board.signs[cell] for cell, to in moved.items()},
        board.wrapping,
        whole=board,
        first=layers[0],
        step=step,
        left=min(xs) - (board.wrapping is not None),
    )


_Place = tuple[float, ...]


def is_of_polyhedra(lattice: Lattice) -> bool:
    """Whether the cells of a lattice are polyhedra."""
    return lattice.dimension == 3 and all(len(kind.outline) > 3 for kind in lattice.kinds)


def draw_cuts(board: BoardOfSigns, style: Style) -> list[str]:
    """Return the cuts through a solid with the signs of the pieces, as many side by side as the width permits.

    Between neighbouring levels with corners of cells, there is one cut in the middle: all cuts between two levels show
    the same neighbours. In a cut each cell is a polygon, and two cells with a common face that is not level have a
    common side. A side is a border if the cells beside it belong to different pieces. Raises TooWideError if a cut does
    not fit.
    """
    hues, scale = board.hues(style.colours), _scale(board.lattice)
    blocks = []
    for number, (height, cells) in enumerate(cut_cells(board.lattice, board.owners), 1):
        blocks.append([f"cut {number}", *_cut(board, cells, height, scale, style).lines(hues, style)])
    return rows_of_blocks(blocks, style.width)


def _cut(board: BoardOfSigns, cells: Sequence[Cell], height: float, scale: tuple[float, float], style: Style) -> Canvas:
    """Return the cut at a height, which goes through some cells."""
    outlines = {
        cell: tuple([(x * scale[0], y * scale[1]) for x, y in ring])
        for cell, ring in polygons(board.lattice, cells, height).items()
    }
    return paint(outlines, board, (), style)


def cut_cells(lattice: Lattice, cells: Iterable[Cell]) -> list[tuple[float, list[Cell]]]:
    """Return the heights of the cuts through some cells, from below, and the cells of each.

    A cut lies in the middle between two levels of corners.

    >>> from puzzlec.geometry import find_lattice
    >>> cut_cells(find_lattice("tetoct"), [(0, 0, 0, 0), (0, 0, 0, 2)])
    [(1.0, [(0, 0, 0, 0), (0, 0, 0, 2)]), (3.0, [(0, 0, 0, 2)])]
    """
    corners = [sorted({lattice.on_paper(corner)[2] for corner in kind.outline}) for kind in lattice.kinds]
    spans = {}
    for cell in cells:
        point = lattice.point(cell)
        above = lattice.on_paper(point)[2]
        spans[cell] = [round(above + height, 6) for height in corners[lattice.class_of(point)]]
    ends = sorted({height for span in spans.values() for height in span})
    distinct = [height for before, height in pairwise([-math.inf, *ends]) if height - before > NOTHING]
    heights = [(low + high) / 2 for low, high in pairwise(distinct)]
    through: list[list[Cell]] = [[] for _ in heights]
    for cell, span in spans.items():
        for number in range(bisect(heights, span[0]), bisect(heights, span[-1])):
            through[number].append(cell)
    return [(height, cut) for height, cut in zip(heights, through, strict=True) if cut]


def polygons(lattice: Lattice, cells: Iterable[Cell], height: float) -> dict[Cell, list[tuple[float, float]]]:
    """Return the polygons in which a cut meets cells, without other cells."""
    corners = [list(map(lattice.on_paper, kind.outline)) for kind in lattice.kinds]
    cache: dict[tuple[int, float], list[tuple[float, float]]] = {}
    sections = {}
    for cell in cells:
        point = lattice.point(cell)
        x, y, z = lattice.on_paper(point)
        key = lattice.class_of(point), round(height - z, 6)
        if key not in cache:
            cache[key] = section(corners[key[0]], key[1])
        if cache[key]:
            sections[cell] = [(x + right, y + down) for right, down in cache[key]]
    return sections


def section(corners: Sequence[_Place], height: float) -> list[tuple[float, float]]:
    """Return the corners of the polygon in which a plane cuts the convex hull of some points, or none.

    No point may lie in the plane.

    >>> section([(0, 0, 0), (2, 0, 2), (0, 2, 2), (2, 2, 0)], 1)
    [(0.0, 1.0), (1.0, 0.0), (2.0, 1.0), (1.0, 2.0)]
    """
    from puzzlec.geometry.faces import flat_hull  # most puzzles have no sections

    places = {
        tuple([round(a + (b - a) * (height - low[2]) / (high[2] - low[2]), 6) for a, b in zip(low, high, strict=True)])[
            :2
        ]
        for low, high in combinations(sorted(corners, key=lambda place: place[2]), 2)
        if low[2] < height < high[2]
    }
    return flat_hull(places, NOTHING) if len(places) > 2 else []


@cache
def _scale(lattice: Lattice) -> tuple[float, float]:
    """Return the least scale at which all sides and signs are visible in every cut."""
    patch, kinds = cells_at(lattice, product((0, 1, -1), repeat=3)), len(lattice.kinds)
    around = patch[kinds:]
    patches, points = [], []
    for height, cells in cut_cells(lattice, patch[:kinds]):
        inner, outer = (list(polygons(lattice, group, height).values()) for group in (cells, around))
        patches.append(([*inner, *outer], len(inner)))
        points += [place for polygon in inner for place in polygon]
    return scale_of(lattice, points, patches, whole=True)
