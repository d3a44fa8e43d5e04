"""A connected board that given pieces fill in exactly one way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import TypeVar

from puzzlec.generators.kind import GenerationEffort, GeneratorKind, Stock, Value, pieces_in, statements, wrong
from puzzlec.geometry import Cell
from puzzlec.geometry.lattice import Lattice, at_origin, connected_parts, neighbours, turned, written
from puzzlec.geometry.shapes import find_library

#: Placements of a piece that are compared when a board grows.
PLACEMENTS_COMPARED = 8

#: Changes of a board with one solution, to shorten its border.
POLISHING_CHANGES = 30

#: A board by the cells of each piece.
_Places = tuple[frozenset[Cell], ...]

_Item = TypeVar("_Item")


def make(options: Mapping[str, Value], effort: GenerationEffort) -> tuple[str, int]:
    """Return a board with one solution: grow boards from placed pieces, and move pieces until it has one."""
    pieces = pieces_in(options["pieces"], effort.random)
    if pieces[0].lattice.name not in ("square", "hex", "cubic"):
        raise wrong(f"a board needs squares, hexagons or cubes: found the lattice `{pieces[0].lattice.name}`")
    growing = _BoardGrowth(pieces, effort.random)
    places = effort.unique(growing.begin, growing.change, growing.text, "all")
    for _ in range(POLISHING_CHANGES):
        other = growing.change(places)
        if growing.contacts(other) > growing.contacts(places) and effort.solutions(growing.text(other), "all", 2) == 1:
            places = other
    return growing.text(places), 1


class _BoardGrowth:
    """Boards that grow from pieces at random."""

    def __init__(self, pieces: Sequence[Stock], random: Random) -> None:
        self.pieces, self.random = pieces, random
        self.lattice: Lattice = pieces[0].lattice
        self._shapes = [_orientations(piece) for piece in pieces for _ in range(piece.copies)]
        self._beside: dict[Cell, tuple[Cell, ...]] = {}

    def begin(self) -> _Places:
        """Return a connected board, one piece after the other."""
        order = list(range(len(self._shapes)))
        self.random.shuffle(order)
        places: dict[int, frozenset[Cell]] = {order[0]: frozenset(self._pick(self._shapes[order[0]]))}
        for number in order[1:]:
            places[number] = self._laid(number, _union(*places.values()))
        return tuple(places[number] for number in range(len(order)))

    def change(self, places: _Places) -> _Places:
        """Return a connected board with one piece in another position."""
        if len(places) == 1:
            return places
        number = self.random.randrange(len(places))
        rest = _union(*places[:number], *places[number + 1 :])
        other = (*places[:number], self._laid(number, rest), *places[number + 1 :])
        return other if len(connected_parts(_union(*other), self.lattice)) == 1 else places

    def contacts(self, places: _Places) -> int:
        """Return twice the number of pairs of neighbours on a board."""
        board = _union(*places)
        return sum(beside in board for cell in board for beside in self._around(cell))

    def text(self, places: _Places) -> str:
        """Return the puzzle."""
        cells = sorted(at_origin(_union(*places)))
        lines = [f"lattice {self.lattice.name}"] * (self.lattice.name != "square")
        return "\n".join([*lines, *_locations(cells, self.lattice), *statements(self.pieces)])

    def _laid(self, number: int, board: frozenset[Cell]) -> frozenset[Cell]:
        """Return a position for a piece beside a board: among some random ones, the one with the most contacts."""
        free = sorted({beside for cell in board for beside in self._around(cell)} - board)
        positions: list[tuple[int, frozenset[Cell]]] = []
        while len(positions) < PLACEMENTS_COMPARED:
            shape, at = self._pick(self._shapes[number]), self._pick(free)
            anchor = self._pick(shape)
            cells = frozenset(tuple(a + b - c for a, b, c in zip(cell, at, anchor, strict=True)) for cell in shape)
            if not cells & board:
                positions.append((sum(beside in board for cell in cells for beside in self._around(cell)), cells))
        return max(positions, key=lambda rated: rated[0])[1]

    def _pick(self, items: Sequence[_Item]) -> _Item:
        return items[self.random.randrange(len(items))]

    def _around(self, cell: Cell) -> tuple[Cell, ...]:
        if cell not in self._beside:
            self._beside[cell] = tuple(neighbours(cell, self.lattice))
        return self._beside[cell]


def _union(*parts: frozenset[Cell]) -> frozenset[Cell]:
    return frozenset(cell for part in parts for cell in part)


def _orientations(piece: Stock) -> list[tuple[Cell, ...]]:
    turns = piece.lattice.turns(find_library(piece.library).freedom)
    return sorted({tuple(sorted(at_origin(turned(turn, cell) for cell in piece.cells))) for turn in turns})


def _locations(cells: Sequence[Cell], lattice: Lattice) -> list[str]:
    """Return the statement of a board: drawn on squares, listed on other lattices."""
    if lattice.name != "square":
        texts = [written(cell) for cell in cells]
        return ["locations (cells", *["  " + " ".join(texts[at : at + 8]) for at in range(0, len(texts), 8)], ")"]
    width, height = (1 + max(values) for values in zip(*cells, strict=True))
    rows = ["".join("x" if (x, y) in cells else "." for x in range(width)) for y in range(height)]
    return ["locations {", *[f"  {row}" for row in rows], "}"]


KIND = GeneratorKind(
    "board",
    "a connected board for given pieces, with one solution",
    {"pieces": "pentominoes 4", "comes_apart": False},
    make,
)
