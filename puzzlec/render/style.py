"""How pictures on a terminal look: width, characters, and colours that differ between neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from puzzlec.geometry import Cell, Lattice
from puzzlec.geometry.wrapping import Wrapping

#: Backgrounds of the 256-colour palette, to be told apart by colour-blind people, too (after Okabe and Ito).
PALETTE = (222, 117, 79, 229, 75, 209, 182, 250)


@dataclass(frozen=True)
class Style:
    """How to draw: with colours or without, in Unicode or in ASCII, within so many columns."""

    colour: bool = False
    ascii: bool = False
    width: int = 80


class TooWideError(Exception):
    """A picture that does not fit the width, and how many columns it needs."""

    def __init__(self, columns: int) -> None:
        super().__init__(f"the picture needs {columns} columns")
        self.columns = columns


@dataclass(frozen=True)
class Board:
    """What a picture shows: for each cell the number of the piece on it (-1: none), and its sign.

    Where a board goes around, the cells are in the order of the locations that ``wrapping`` knows.
    """

    lattice: Lattice
    owners: dict[Cell, int]
    signs: dict[Cell, str]
    wrapping: Wrapping | None = None

    def owner(self, cell: Cell) -> int | None:
        """Return the number of the piece on a cell (-1: none), or None outside of the board.

        A cell outside that is a location of the board once more, as seen across a seam, has the piece of that
        location; an empty one is outside, so that an empty place ends at the seam.
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
        """Return for each piece which others are beside it."""
        near: dict[int, set[int]] = {owner: set() for owner in self.owners.values()}
        for cell, owner in self.owners.items():
            for beside in neighbours(cell, self.lattice):
                other = self.owner(beside)
                if other is not None and other != owner:
                    near[owner].add(other)
                    near[other].add(owner)
        return near

    def hues(self) -> dict[int, int]:
        """Return a colour for each piece, different from its neighbours' as far as the palette goes (greedy)."""
        near = self.near()
        hues: dict[int, int] = {}
        for owner in sorted(near):
            taken = {hues[other] for other in near[owner] if other in hues}
            hues[owner] = next((hue for hue in range(len(PALETTE)) if hue not in taken), owner % len(PALETTE))
        return hues


def neighbours(cell: Cell, lattice: Lattice) -> Iterator[Cell]:
    """Give the cells beside a cell of a lattice."""
    point = lattice.point(cell)
    for step in lattice.kinds[lattice.class_of(point)].neighbours:
        beside = lattice.cell(tuple([a + b for a, b in zip(point, step, strict=True)]))
        if beside is not None:
            yield beside


def painted(text: str, owner: int | None, hues: Mapping[int, int], style: Style) -> str:
    """Return text on the colour of a piece, where there is one and colours are wanted."""
    if not style.colour or owner is None or owner < 0:
        return text
    return f"\033[38;5;16;48;5;{PALETTE[hues[owner]]}m{text}\033[0m"
