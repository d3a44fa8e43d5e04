"""Results of a search in the puzzle's terms."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any

from puzzlec.diagnostics.suggest import counted
from puzzlec.geometry import Cell, Point
from puzzlec.geometry.drawing import drawn_rule
from puzzlec.ir.fitting import Fitting
from puzzlec.ir.puzzle import Piece, cells_of, shortened, titled
from puzzlec.ir.rules import RuleKind
from puzzlec.shown import mimebundle

#: Characters for pieces with longer names, in the order of use.
SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

#: Listing of a solution without pieces. A piece named `-` has a colon after it.
EMPTY_SIGN = "-"


@dataclass(frozen=True)
class Placement:
    r"""A piece in a position: the number of the piece, the number of its placement, and the locations it covers.

    >>> import puzzlec
    >>> puzzle = puzzlec.parse("locations box 2x3\npiece D x3 { xx }")
    >>> solution = next(puzzlec.solve(puzzle))
    >>> placement = solution.placements[0]
    >>> placement.piece.name, placement.cells
    ('D', ((0, 0), (1, 0)))
    """

    number: int
    index: int
    locations: tuple[int, ...]
    fitting: Fitting = field(compare=False, repr=False)

    _repr_mimebundle_ = mimebundle

    def __repr__(self) -> str:
        return f"<Placement of {shortened(self.piece.name)}: {shortened(self._places)}>"

    @property
    def _places(self) -> str:
        return " ".join(map(self.fitting.location_name, self.locations))

    @property
    def piece(self) -> Piece:
        """The piece. Its name is its number if it has no name."""
        if self.fitting.puzzle is not None:
            return self.fitting.puzzle.pieces[self.number]
        placed = self.fitting.pieces[self.number]
        return Piece(self.fitting.piece_name(self.number), low=placed.low, high=placed.high)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells that the piece covers; empty if the puzzle has no lattice."""
        puzzle = self.fitting.puzzle
        at = () if puzzle is None else [puzzle.locations[location].at for location in self.locations]
        return tuple([cell for cell in at if not isinstance(cell, str)])

    @property
    def points(self) -> tuple[Point, ...]:
        """The points of the cells in space, in the order of ``cells``."""
        puzzle = self.fitting.puzzle
        return () if puzzle is None or not puzzle.points else tuple([puzzle.points[at] for at in self.locations])


def fixed_placements(fitting: Fitting) -> tuple[Placement, ...]:
    """Return the placements that the `fix` statements of a puzzle put on its board."""
    puzzle = fitting.puzzle
    rules = [rule for rule in puzzle.rules.pieces if rule.kind is RuleKind.FIX] if puzzle is not None else []
    if puzzle is None or not rules:
        return ()
    number = {location.at: index for index, location in enumerate(puzzle.locations)}
    names = [piece.name for piece in puzzle.pieces]
    fixed = {}
    for rule in rules:
        piece, covered = names.index(rule.piece), tuple(sorted([number[at] for at in rule.region if at in number]))
        for index, row in enumerate(fitting.pieces[piece].placements):
            if row == covered and (not rule.sides or rule.sides == fitting.pieces[piece].sides[index]):
                fixed[piece, covered] = Placement(piece, index, covered, fitting)
                break
    return tuple(fixed.values())


@dataclass(frozen=True, repr=False)
class Solution:
    """A solution of a puzzle: placements that cover each required location once. Printing it draws it.

    ``cost`` is its cost, None if the puzzle has no costs.
    """

    fitting: Fitting = field(compare=False, repr=False)
    placements: tuple[Placement, ...]
    cost: int | None = field(default=None, compare=False)

    _repr_mimebundle_ = mimebundle

    def __repr__(self) -> str:
        number = len(self.placements)
        return f"<Solution{titled(self.fitting.title)}: {counted(number, 'placed piece')}>"

    @property
    def orientations(self) -> tuple[tuple[int, ...], ...]:
        """DPF's first notation: for each piece, the numbers of its chosen placements, one for each copy."""
        numbers: list[list[int]] = [[] for _ in self.fitting.pieces]
        for placement in self.placements:
            numbers[placement.number].append(placement.index)
        return tuple(map(tuple, numbers))

    @property
    def pieces_on(self) -> tuple[int | None, ...]:
        """DPF's second notation: for each location, the number of the piece on it (None: empty)."""
        pieces: list[int | None] = [None] * self.fitting.locations
        for placement in self.placements:
            for location in placement.locations:
                pieces[location] = placement.number
        return tuple(pieces)

    @property
    def names_on(self) -> tuple[str | None, ...]:
        """For each location the name of the piece on it."""
        return tuple(None if piece is None else self.fitting.piece_name(piece) for piece in self.pieces_on)

    def grid(self) -> list[Any]:
        """Return the board as nested lists with the name of the piece on each cell, None where there is none.

        A board of squares is a list of rows, from the top row of the picture. A board of cubes is a list of layers,
        each a list of rows. The first entries are those of the least coordinates that a location has.

        Raises:
            ValueError: If the board has other cells. Then use the ``cells`` of the placements.

        """
        puzzle = self.fitting.puzzle
        if puzzle is None or puzzle.lattice is None or puzzle.lattice.name not in ("square", "cubic"):
            name = "none" if puzzle is None or puzzle.lattice is None else puzzle.lattice.name
            raise ValueError(f"a grid needs the lattice square or cubic, not {name}: use `placement.cells`")
        cells = cells_of(puzzle)
        names = dict(zip(cells, self.names_on, strict=True))
        ranges = [range(min(axis), max(axis) + 1) for axis in zip(*cells, strict=True)]

        def part(axes: tuple[int, ...]) -> Any:
            if len(axes) == len(ranges):
                return names.get(axes)
            return [part((value, *axes)) for value in ranges[len(ranges) - 1 - len(axes)]]

        nested: list[Any] = part(())
        return nested

    def records(self) -> list[dict[str, str | int]]:
        """Return a record for each covered location, for a frame of pandas or Polars.

        A record has ``placement``, the number of the placement from 0, ``piece``, ``location`` and the coordinates of
        the cell: ``x``, ``y`` and so on, and ``kind`` on a lattice with several kinds of cells.

        >>> import puzzlec
        >>> solution = next(puzzlec.solve("dominoes/4x4"))
        >>> solution.records()[0]
        {'placement': 0, 'piece': 'domino', 'location': '0,0', 'x': 0, 'y': 0}
        """
        puzzle = self.fitting.puzzle
        steps = 0 if puzzle is None or puzzle.lattice is None else len(puzzle.lattice.translations)
        axes = (*"xyzwv"[:steps], "kind")
        return [
            {
                "placement": number,
                "piece": placement.piece.name,
                "location": self.fitting.location_name(location),
                **dict(zip(axes, cell, strict=False)),
            }
            for number, placement in enumerate(self.placements)
            for location, cell in zip(placement.locations, placement.cells or repeat(()), strict=False)
        ]

    def as_dict(self) -> dict[str, object]:
        """Return the solution as plain data: both notations of DPF, with the pieces' names."""
        return {
            "placements": [
                {
                    "piece": self.fitting.piece_name(placement.number),
                    "placement": placement.index,
                    "locations": list(placement.locations),
                    **({"sides": list(sides)} if (sides := self.sides(placement)) else {}),
                    **({"colours": list(colours)} if (colours := self.colours(placement)) else {}),
                }
                for placement in self.placements
            ],
            "locations": list(self.names_on),
            **({} if self.cost is None else {"cost": self.cost}),
        }

    def sides(self, placement: Placement) -> tuple[str, ...]:
        """Return the colours that the sides of a tile show in its placement; empty for another piece."""
        sides = self.fitting.pieces[placement.number].sides
        return sides[placement.index] if sides else ()

    def colours(self, placement: Placement) -> tuple[str | None, ...]:
        """Return the colours that a piece shows on its locations (None: plain); empty if these are known anyway."""
        colours = self.fitting.pieces[placement.number].colours
        return colours[placement.index] if colours else ()

    def signs(self) -> tuple[str, ...]:
        """Return one character for each placement: the piece's name if it is short, else an unused character.

        Copies of a piece have the same character.
        """
        names = [self.fitting.piece_name(number) for number in range(len(self.fitting.pieces))]
        used = {placement.number for placement in self.placements}
        signs = piece_signs([name if number in used else "" for number, name in enumerate(names)])
        return tuple(signs[placement.number] for placement in self.placements)

    def __str__(self) -> str:
        puzzle = self.fitting.puzzle
        if puzzle is None:
            return self.listing()
        signs = dict.fromkeys((location.at for location in puzzle.locations), "?")
        for placement, sign in zip(self.placements, self.signs(), strict=True):
            for location in placement.locations:
                signs[puzzle.locations[location].at] = sign
        cells = {at: sign for at, sign in signs.items() if isinstance(at, tuple)}
        rule = drawn_rule(puzzle.lattice, cells)
        return self.listing() if rule is None else "\n".join(rule.picture(cells))

    def listing(self) -> str:
        """Return the solution as a line for each piece: its name, a colon, the locations it covers.

        If a piece shows several colours, `colours` and the colour on each of these locations follow. A solution without
        pieces is the line `-`.
        """
        lines = (
            " ".join(
                [
                    f"{self.fitting.piece_name(placement.number)}:",
                    " ".join(self.fitting.location_name(location) for location in placement.locations),
                    *self.fitting.pieces[placement.number].shown_words(placement.index),
                ]
            )
            for placement in self.placements
        )
        return "\n".join(lines) or EMPTY_SIGN


def signs_of_pieces(fitting: Fitting) -> list[str]:
    """Return a character for each piece of a puzzle, as :func:`piece_signs` does."""
    return piece_signs([fitting.piece_name(number) for number in range(len(fitting.pieces))])


def piece_signs(names: list[str]) -> list[str]:
    """Return a character for each name: the name itself if short, else its first letter if unique, else an unused one.

    When characters run out, the character is `*`. An empty name gets "".

    >>> piece_signs(["F", "d00", "d01", "hook"])
    ['F', 'A', 'B', 'h']
    """
    first = Counter(name[0].lower() for name in dict.fromkeys(names) if name)
    signs = {
        name: name[0]
        for name in names
        if len(name) == 1 or (name and name[0].isalpha() and first[name[0].lower()] == 1)
    }
    used = set(signs.values())
    free = (sign for sign in SIGNS if sign not in used)
    return [signs.get(name, "") or (next(free, "*") if name else "") for name in names]
