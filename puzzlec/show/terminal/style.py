"""The look of pictures on a terminal: width, characters, and colours that differ between neighbours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from puzzlec.show.palette import COLOURS, XTERM, few_colours, rgb

TYPE_CHECKING = False
if TYPE_CHECKING:  # a command that draws nothing needs no geometry
    from puzzlec.geometry import Cell, Lattice
    from puzzlec.geometry.wrapping import Wrapping

#: With 16 colours, a flat board of many pieces uses this many in turn, even if fewer would do.
COLOURS_IN_TURN = 4

#: The owner of cells that never move. The owner of an empty location is -1.
WALL = -2

#: Escape codes of the bright backgrounds on terminals of 16 colours.
BRIGHT = (103, 46, 105, 101, 100)


class Style(NamedTuple):
    """How to draw: with or without colours, in Unicode or in ASCII, within a number of columns.

    ``depth`` is the number of colours: 16, 256, or 2**24.
    """

    colour: bool = False
    ascii: bool = False
    width: int = 80
    depth: int = 256

    @property
    def colours(self) -> int:
        """Number of backgrounds for pieces."""
        return len(BRIGHT) if self.depth < 256 else len(COLOURS)


class TooWideError(Exception):
    """A picture that does not fit the width, and the columns that it needs."""

    def __init__(self, columns: int) -> None:
        super().__init__(f"the picture needs {columns} columns")
        self.columns = columns


@dataclass(frozen=True)
class Board:
    """The content of a picture: for each cell the number of the piece on it (-1: none, :data:`WALL`), and its sign.

    On a wrap-around board, the cells are in the order of the locations of ``wrapping``. ``own`` is the hue of each
    piece in pictures; a terminal with enough colours shows the same.
    """

    lattice: Lattice
    owners: dict[Cell, int]
    signs: dict[Cell, str]
    wrapping: Wrapping | None = None
    own: Mapping[int, int] | None = None

    def owner(self, cell: Cell) -> int | None:
        """Return the number of the piece on a cell (-1: none), or None outside of the board.

        A cell across a seam is a location of the board and has its piece. An empty cell across a seam is outside, so
        that an empty position ends at the seam.
        """
        found = self.owners.get(cell)
        if found is not None or self.wrapping is None:
            return found
        location = self.wrapping.location(self.lattice.point(cell))
        again = self._in_order[location] if location >= 0 else -1
        return again if again >= 0 else None

    @cached_property
    def _in_order(self) -> tuple[int, ...]:
        """The piece on each location."""
        return tuple(self.owners.values())

    def near(self) -> dict[int, set[int]]:
        """Return the neighbours of each piece."""
        near: dict[int, set[int]] = {owner: set() for owner in self.owners.values()}
        steps, several = _steps_beside(self.lattice), len(self.lattice.kinds) > 1
        for cell, owner in self.owners.items():
            for step in steps[cell[-1] if several else 0]:
                beside = tuple([a + b for a, b in zip(cell, step, strict=True)])
                other = self.owner(beside)
                if other is not None and other != owner:
                    near[owner].add(other)
                    near[other].add(owner)
        return near

    def hues(self, most: int = len(COLOURS)) -> Mapping[int, int]:
        """Return one of ``most`` colours for each piece: its colour in pictures, if there are enough.

        Otherwise all pieces differ if possible, or else neighbours do. The pieces of a solid then use all colours about
        equally often, since layers side by side make two pieces of one colour look like one. A flat board has few
        colours, which are the easiest to recognise.
        """
        if self.own is not None and most >= len(COLOURS):
            return self.own
        if most not in self._chosen:
            self._chosen[most] = self._hues(most)
        return self._chosen[most]

    @cached_property
    def _chosen(self) -> dict[int, dict[int, int]]:
        """Cached colours, by the number of available ones."""
        return {}

    def _hues(self, most: int) -> dict[int, int]:
        owners = sorted({owner for owner in self.owners.values() if owner >= 0})
        if len(owners) <= most:
            return {owner: hue for hue, owner in enumerate(owners)}
        near = self.near()
        pieces = {owner: near[owner] - {-1, WALL} for owner in owners}
        return few_colours(pieces, most, COLOURS_IN_TURN if self.lattice.dimension < 3 else most)


def _steps_beside(lattice: Lattice) -> list[list[Cell]]:
    """Return for each kind of cell the steps to its neighbours, in coordinates."""
    found = []
    for number, kind in enumerate(lattice.kinds):
        cell = (*[0] * lattice.dimension, *[number] * (len(lattice.kinds) > 1))
        points = (tuple([a + b for a, b in zip(kind.at, step, strict=True)]) for step in kind.neighbours)
        beside = [other for point in points if (other := lattice.cell(point)) is not None]
        found.append([tuple([b - a for a, b in zip(cell, other, strict=True)]) for other in beside])
    return found


def painted(text: str, owner: int | None, hues: Mapping[int, int], style: Style) -> str:
    """Return text on the colour of a piece, if there is one and colours are on."""
    if not style.colour or owner is None or owner < 0:
        return text
    return f"\033[{_background(hues[owner], style.depth)}m{text}\033[0m"


def _background(hue: int, depth: int) -> str:
    """Return the codes of dark letters on a colour (ECMA-48; those of 256 and of all colours are xterm's)."""
    if depth < 256:
        return f"30;{BRIGHT[hue % len(BRIGHT)]}"
    if depth == 256:
        return f"38;5;16;48;5;{XTERM[hue]}"
    red, green, blue = rgb(COLOURS[hue])
    return f"38;2;0;0;0;48;2;{red};{green};{blue}"
