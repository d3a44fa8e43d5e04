"""Layers of a flat lattice on a terminal, side by side: prisms on triangles, hexagons or custom tiles."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from puzzlec.geometry import Cell, Kind, Lattice, find_lattice, lattice_names
from puzzlec.show.palette import COLOURS
from puzzlec.show.terminal.canvas import NOTHING
from puzzlec.show.terminal.style import Board, Style, TooWideError

Draw = Callable[[Board, Style], list[str]]


@dataclass(frozen=True)
class _Row(Board):
    """Some layers of a board as one flat board, each ``step`` further to the right than the one before."""

    whole: Board | None = None
    first: int = 0
    step: int = 1
    left: int = 0

    def owner(self, cell: Cell) -> int | None:
        """Return the number of the piece on a cell of the whole board."""
        assert self.whole is not None
        number = (cell[0] - self.left) // self.step
        return self.whole.owner((cell[0] - number * self.step, cell[1], self.first + number, *cell[2:]))

    def hues(self, most: int = len(COLOURS)) -> Mapping[int, int]:
        """Return the colours of the whole board."""
        assert self.whole is not None
        return self.whole.hues(most)


def draw(board: Board, style: Style, picture: Callable[[Lattice], Draw | None]) -> list[str]:
    """Return the layers side by side as far as the width permits; ``picture`` draws a flat lattice.

    Raises TooWideError if a layer does not fit.
    """
    flat = layer_of(board.lattice)
    assert flat is not None
    drawn = picture(flat)
    assert drawn is not None
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


def _row(board: Board, flat: Lattice, layers: Sequence[int]) -> _Row:
    """Return some layers of a board, side by side."""
    xs = [cell[0] for cell in board.owners]
    # Across a seam, there may be one more cell on both sides.
    step = max(xs) - min(xs) + 2 + (board.wrapping is not None)
    moved = {
        cell: (cell[0] + (cell[2] - layers[0]) * step, cell[1], *cell[3:])
        for cell in board.owners
        if layers[0] <= cell[2] <= layers[-1]
    }
    return _Row(
        flat,
        {to: board.owners[cell] for cell, to in moved.items()},
        {to: board.signs[cell] for cell, to in moved.items()},
        board.wrapping,
        whole=board,
        first=layers[0],
        step=step,
        left=min(xs) - (board.wrapping is not None),
    )


@cache
def layer_of(lattice: Lattice) -> Lattice | None:
    """Return the flat lattice whose cells, stacked straight, make a solid one; None if there is none.

    If a shipped lattice has the same cells, it is that lattice.

    >>> layer_of(find_lattice("prism")).name, layer_of(find_lattice("tetoct"))
    ('triangle', None)
    """
    if lattice.dimension != 3 or not _is_straight(lattice):
        return None
    kinds = tuple(_flat_kind(kind, lattice) for kind in lattice.kinds)
    axes = tuple(axis[:2] for axis in lattice.axes[:2])
    translations = tuple(vector[:2] for vector in lattice.translations[:2])
    flat = replace(
        lattice, dimension=2, translations=translations, kinds=kinds, rotation_generators=(),
        reflection_generators=(), drawing="cells", axes=axes, crossings=(),
    )  # fmt: skip
    shipped = (find_lattice(name) for name in lattice_names())
    return next((other for other in shipped if _is_alike(flat, other)), flat)


def _is_straight(lattice: Lattice) -> bool:
    """Whether every layer lies on the one before, and all cells of a layer have the same lower and upper level."""
    along, _, up = zip(*lattice.translations, strict=True)
    if any(vector[2] for vector in lattice.translations[:2]) or along[2] or lattice.translations[2][1]:
        return False
    if lattice.axes and any(abs(value) > NOTHING for value in (lattice.axes[0][2], lattice.axes[1][2])):
        return False
    if lattice.axes and any(abs(value) > NOTHING for value in lattice.axes[2][:2]):
        return False
    levels = {tuple(sorted({kind.at[2] + corner[2] for corner in kind.outline})) for kind in lattice.kinds}
    if len(levels) != 1 or len(next(iter(levels))) != 2:
        return False
    bottom, top = next(iter(levels))
    return top - bottom == abs(up[2]) and all(_is_upright(kind) for kind in lattice.kinds)


def _is_upright(kind: Kind) -> bool:
    """Whether every corner of a cell has another one exactly above or below it."""
    places = {corner[:2] for corner in kind.outline}
    return len(kind.outline) == 2 * len(places)


def _flat_kind(kind: Kind, lattice: Lattice) -> Kind:
    """Return the base of a kind of prism, its corners in order."""
    corners = sorted({corner[:2] for corner in kind.outline}, key=lambda corner: _angle(corner, kind, lattice))
    steps = tuple(step[:2] for step in kind.neighbours if step[2] == 0)
    return Kind(kind.name, kind.at[:2], tuple(corners), steps)


def _angle(corner: tuple[float, ...], kind: Kind, lattice: Lattice) -> float:
    """Return the direction of a corner from the middle of a cell."""
    middle = [sum(axis) / len(kind.outline) for axis in zip(*kind.outline, strict=True)][:2]
    x, y = (a - b for a, b in zip(corner, middle, strict=True))
    right, down, *_ = lattice.on_paper((x, y, 0))
    return math.atan2(down, right)


def _is_alike(one: Lattice, other: Lattice) -> bool:
    """Whether two flat lattices have the same cells in the same positions, with the same numbers."""
    return (
        (one.dimension, one.translations, one.axes) == (other.dimension, other.translations, other.axes)
        and len(one.kinds) == len(other.kinds)
        and all(a.at == b.at and set(a.outline) == set(b.outline) for a, b in zip(one.kinds, other.kinds, strict=True))
    )
