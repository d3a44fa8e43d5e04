"""Pieces and boards as BurrTools has them: voxels of a grid, turned by all turns of it and never mirrored.

A puzzle may let its pieces turn otherwise. What counts are the sets of locations that a piece can take: where BurrTools
reaches the same ones, the piece is written as it is. Where it reaches some of them, further shapes reach the others;
that is exact where as many copies may be used as there is room for, since any of them may be of either shape.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from puzzlec.diagnostics import Report, counted
from puzzlec.formats.burrtools.balls import LostColoursError, as_turned
from puzzlec.formats.burrtools.grids import Voxel, eighths, voxel_of
from puzzlec.geometry import Cell, Freedom, Lattice, find_lattice
from puzzlec.geometry.lattice import turned
from puzzlec.ir import Fitting, Location, Piece, Puzzle
from puzzlec.ir.fitting import Colours
from puzzlec.lower import place


class Target(NamedTuple):
    """The grid that a lattice is written in, and the lattice that its cells are on there."""

    grid: int
    lattice: str


#: For each lattice that can be written: where it comes to lie.
TARGETS = {
    "line": Target(0, "cubic"),
    "square": Target(0, "cubic"),
    "cubic": Target(0, "cubic"),
    "triangle": Target(1, "prism"),
    "prism": Target(1, "prism"),
    "hex": Target(2, "fcc"),
    "fcc": Target(2, "fcc"),
    "rhombic": Target(3, "rhombic"),
    "octants": Target(4, "octants"),
    "tetoct": Target(4, "tetoct"),
}


def there(lattice: str, cell: Cell) -> Cell:
    """Return where a cell lies on the lattice that it is written on: flat ones in one layer.

    Hexagons are balls in a layer where each touches six; all motions of flat pieces there are turns of BurrTools.

    >>> there("line", (7,)), there("triangle", (1, 2, 1))
    ((7, 0, 0), (1, 2, 0, 1))
    """
    if lattice == "triangle":
        return (*cell[:2], 0, cell[2])
    if lattice == "hex":
        q, r = cell
        return find_lattice("fcc").cell((q, q + r, r)) or ()
    return (*cell, 0, 0)[:3] if TARGETS[lattice].grid == 0 else cell


def voxels(lattice: str, cell: Cell) -> tuple[Voxel, ...]:
    """Return the voxels that a cell of a lattice is written as: one, or eight for an octahedron."""
    target = TARGETS[lattice]
    if target.lattice == "tetoct":
        return eighths(find_lattice("tetoct").point(cell))
    return (voxel_of(target.grid, there(lattice, cell)),)


#: A placement: the numbers of its locations, and the colours that it shows on them.
Lying = tuple[tuple[int, ...], Colours]


class Shapes:
    """The shapes that the pieces of a puzzle are written as, each a piece on the lattice of the target."""

    def __init__(self, puzzle: Puzzle, report: Report) -> None:
        assert puzzle.lattice is not None
        self.puzzle, self.report = puzzle, report
        self.lattice: Lattice = puzzle.lattice
        self.target = find_lattice(TARGETS[self.lattice.name].lattice)
        self.board = tuple(
            Location(there(self.lattice.name, each.at), each.colour)
            for each in puzzle.locations
            if isinstance(each.at, tuple)
        )

    def of(self, piece: Piece) -> list[Piece]:
        """Return the shapes for a piece; report one that BurrTools turns in more or other ways."""
        try:
            return self.covering(piece)
        except LostColoursError as error:
            error.report(piece, self.report, self.puzzle.title)
            return []

    def covering(self, piece: Piece) -> list[Piece]:
        """Return the shapes that together can lie as a piece can; report it if there are none."""
        same = self.target is self.lattice and set(piece.turns) == set(self.lattice.turns(Freedom.ONE_SIDED))
        first, *others = self.shapes(piece)
        if same and self.as_turned(first).covers is None:
            return [first]
        wanted = _lying(place(replace(self.puzzle, pieces=(piece,), rules=())))
        reached = self.placements(first)
        found = [first]
        if wanted > reached and is_unbounded(piece, self.puzzle):
            for other in others:
                more = self.placements(other)
                if wanted >= more and reached.isdisjoint(more) and more:
                    found.append(other)
                    reached |= more
        if wanted != reached:
            self.refuse(piece, wanted, reached)
        return found

    def shapes(self, piece: Piece) -> Iterator[Piece]:
        """Give a piece as it may be turned, each time as BurrTools turns it further."""
        for turn in piece.turns:
            kind = self.lattice.class_of(turned(turn, self.lattice.point(piece.cells[0])))
            cells = [self.lattice.cell(turned(turn, self.lattice.point(cell))) for cell in piece.cells]
            if kind < 0 or None in cells:
                continue  # a turn about a point that is none of the lattice's centres
            yield replace(
                piece,
                cells=tuple(there(self.lattice.name, cell) for cell in cells if cell is not None),
                turns=self.target.turns(Freedom.ONE_SIDED),
            )

    def as_turned(self, shape: Piece) -> Piece:
        """Return a shape as BurrTools turns it: itself, or one of balls that is apart, by its placements."""
        return as_turned(shape, self.target, self.board, self.puzzle.allowed) if self.target.of_balls else shape

    def placements(self, shape: Piece) -> set[Lying]:
        """Return what a shape can cover, by the numbers of locations, and the colours that it shows there."""
        shape = self.as_turned(shape)
        alone = replace(self.puzzle, lattice=self.target, locations=self.board, pieces=(shape,), rules=(), wraps=())
        return _lying(place(alone))

    def refuse(self, piece: Piece, wanted: set[Lying], reached: set[Lying]) -> None:
        """Report a piece that BurrTools would turn otherwise."""
        if reached - wanted:
            message = f"BurrTools turns piece `{piece.name}` in ways that it may not be turned here"
            note = (
                f"it would have {counted(len(reached - wanted), 'more placement')}: BurrTools turns all pieces in space"
            )
        else:
            message = f"BurrTools does not mirror a solid, and piece `{piece.name}` may be mirrored"
            note = f"{len(wanted - reached)} of its {counted(len(wanted), 'placement')} would be missing"
        self.report.add("PZ501", message, piece.span, note=note, file=self.puzzle.title)


def _lying(fitting: Fitting) -> set[Lying]:
    """Return the placements of a fitting of one piece."""
    rows = fitting.pieces[0].placements
    return {(rows.row(index), fitting.shown_colours(0, index)) for index in range(len(rows))}


def is_unbounded(piece: Piece, puzzle: Puzzle) -> bool:
    """Whether so many copies of a piece may be used as there is room for, or none."""
    return piece.low == 0 and piece.high >= len(puzzle.locations) // len(piece.cells)
