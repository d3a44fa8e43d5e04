"""The families of Polyform Puzzler: the lattice of each, and the position of its cells there.

Polyform Puzzler (David Goodger, https://puzzler.sourceforge.io) counts y upwards. If our lattice allows it, coordinates
stay the same, so pictures here are upside down. Section 3 of its FAQ defines the coordinates.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from puzzlec.diagnostics.error import fail
from puzzlec.geometry import Cell, Lattice, find_lattice
from puzzlec.geometry.lattice import Freedom, Matrix
from puzzlec.geometry.regions import grid, kinds_of
from puzzlec.ir import Location
from puzzlec.language.given import Board


class PolyformFamily(NamedTuple):
    """A family of polyforms: its lattice, the number of coordinates of its cells, and the position of a cell.

    ``stem`` is part of the name of a class of the family, ``base`` is the class with its methods. ``implied``: piece
    data leaves out the cell at the origin. ``moves``: for each last coordinate, if there are several kinds of cells,
    the translation of the cell and its kind here. ``down``: y is counted downwards here.
    """

    lattice: str
    coordinates: int
    stem: str
    base: str
    implied: bool = True
    moves: tuple[Cell, ...] = ()
    down: bool = False

    def place(self, cell: Cell) -> Cell:
        """Return the cell of our lattice for a cell of Polyform Puzzler."""
        if not self.moves:
            return cell
        x, y, z = cell
        dx, dy, kind = self.moves[z]
        return x + dx, (-y if self.down else y) + dy, kind

    def original(self, cell: Cell) -> Cell:
        """Return the cell of Polyform Puzzler for a cell of our lattice."""
        if not self.moves:
            return cell
        x, y, kind = cell
        z = next(number for number, move in enumerate(self.moves) if move[2] == kind)
        dx, dy, _ = self.moves[z]
        return x - dx, -(y - dy) if self.down else y - dy, z


_STICKS, _TRIANGLES = ((0, 0, 0), (0, 0, 1)), ((0, -1, 0), (0, -1, 1))
_TRIGS, _TWIGS = ((0, 0, 0), (0, -1, 2), (-1, -1, 1)), ((0, -1, 2), (-1, 0, 1), (-1, 0, 0))

FAMILIES = (
    PolyformFamily("cubic", 3, r"[Ss]olid|[Cc]ube|[Ss]oma|[Cc]ubelet", "Polycubes"),
    PolyformFamily("square", 2, r"omino|Cornucopia", "Polyominoes"),
    PolyformFamily("triangle", 3, r"iamond", "Polyiamonds", moves=_TRIANGLES, down=True),
    PolyformFamily("sticks", 3, r"stick", "Polysticks", implied=False, moves=_STICKS),
    PolyformFamily("trigs", 3, r"trig", "Polytrigs", implied=False, moves=_TRIGS, down=True),
    PolyformFamily("twigs", 3, r"twig", "Polytwigs", implied=False, moves=_TWIGS),
    PolyformFamily("hex", 2, r"(?:[Mm]ono|[Dd]i|[Tt]ri|[Tt]etra|[Pp]enta|[Hh]exa|[Hh]epta|[Pp]oly)hex", "Polyhexes"),
)


def family_of(names: str, coordinates: int) -> PolyformFamily | None:
    """Return the family in the name of a class, the first that occurs in it; else square or cubic.

    Returns None if neither has this number of coordinates.
    """
    for name in names.split():
        matches = [
            (match.start(), number) for number, family in enumerate(FAMILIES) if (match := re.search(family.stem, name))
        ]
        if matches:
            return FAMILIES[min(matches)[1]]
    return {2: FAMILIES[1], 3: FAMILIES[0]}.get(coordinates)


def freedom_of(names: str, lattice: Lattice) -> Freedom:
    """Return the freedom of pieces: the usual one of the lattice; in ``OneSided...`` without reflections."""
    return Freedom.ONE_SIDED if re.search("OneSided", names) else lattice.freedom


def located(family: PolyformFamily, board: Board) -> tuple[Lattice, Board]:
    """Return the lattice and the locations of a box: cells of all kinds, or sticks.

    A board of three sizes makes flat pieces of squares solid. Raises PuzzleError for anything but a box.
    """
    lattice = find_lattice(family.lattice)
    if not board:
        return lattice, ()
    places: list[Cell] = [location.at for location in board if isinstance(location.at, tuple)]
    if len(places[0]) == 3 and family.coordinates == 2 and family.lattice == "square":
        return find_lattice("cubic"), board
    flat = family.lattice != "cubic"
    if flat and len(places[0]) == 3:
        raise fail("PZ252", f"a board of three sizes does not match the lattice `{family.lattice}`")
    if family.lattice == "sticks":
        places = list(grid(*(max(axis) + 1 for axis in zip(*places, strict=True))))
    elif family.lattice == "triangle":
        places = list(kinds_of(places, len(family.moves)))
    elif lattice.of_edges:
        raise fail("PZ252", f"a board of columns and rows does not match the lattice `{family.lattice}`")
    return lattice, tuple(Location(cell) for cell in places)


def turns_of(family: PolyformFamily, names: str, lattice: Lattice) -> tuple[Matrix, ...]:
    """Return the rotations and reflections of the pieces of a class."""
    assert lattice.name in (family.lattice, "cubic")
    return lattice.turns(freedom_of(names, lattice))
