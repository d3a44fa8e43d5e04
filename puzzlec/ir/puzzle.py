"""The first stage: a puzzle as described by a user, on a lattice or with named locations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property

from puzzlec.diagnostics import Span
from puzzlec.diagnostics.suggest import counted
from puzzlec.geometry import Cell, Lattice, Matrix, Point
from puzzlec.geometry.board import Geometry
from puzzlec.geometry.wrapping import Wrap, Wrapping
from puzzlec.ir.location import ANY, Address, Location, NamedRegion
from puzzlec.ir.paints import paint_of
from puzzlec.ir.rules import Cost, MovementRules, Payer, PuzzleRules
from puzzlec.shown import mimebundle

#: A colour that is a number.
_NUMBER = re.compile("[0-9]|[1-9][0-9]{1,2}")


@dataclass(frozen=True, repr=False)
class Piece:
    """A piece: its shape with its freedom, or a list of placements.

    ``cells`` with ``colours`` (None for a plain cell) describe the shape; ``turns`` are the matrices that may be
    applied to it. Alternatively, each entry of ``covers`` is a set of addresses, as in DPF. The piece is used ``low``
    to ``high`` times; its copies are interchangeable. A tile (one cell) may have colours on its ``sides``, in the order
    of the neighbours of its kind of cell. ``paint`` is its colour in pictures, a name or `#rrggbb`; empty for the next
    one of the palette. A piece of a puzzle knows the puzzle's ``lattice``, so that it can draw
    itself; the lattice is not compared.
    """

    name: str
    cells: tuple[Cell, ...] = ()
    colours: tuple[str | None, ...] = ()
    turns: tuple[Matrix, ...] = ()
    covers: tuple[tuple[Address, ...], ...] | None = None
    low: int = 1
    high: int = 1
    sides: tuple[str, ...] = ()
    paint: str = ""
    span: Span | None = field(default=None, compare=False, repr=False)
    lattice: Lattice | None = field(default=None, compare=False, repr=False)

    _repr_mimebundle_ = mimebundle

    def __repr__(self) -> str:
        number = len(self.cells) if self.covers is None else len(self.covers)
        what = counted(number, "cell" if self.covers is None else "placement")
        return f"<Piece {shortened(self.name)}{copies_mark(self.low, self.high)}: {what}>"

    @property
    def size(self) -> int | None:
        """Number of locations that a copy covers; None if placements differ in size."""
        if self.covers is None:
            return len(self.cells)
        sizes = {len(cover) for cover in self.covers}
        return sizes.pop() if len(sizes) == 1 else None

    @property
    def sizes(self) -> tuple[int, int]:
        """Minimum and maximum number of locations that a copy covers."""
        if self.covers is None:
            return len(self.cells), len(self.cells)
        return min(map(len, self.covers), default=0), max(map(len, self.covers), default=0)


class Measure(Enum):
    """Kind of number that `expect` promises; the values are words of the language, except for the first.

    ``ROTATIONS`` and ``PARTS`` count solutions up to rotations only, or with each part of the board moved separately.
    """

    DISTINCT = "distinct"
    RAW = "raw"
    ROTATIONS = "rotations"
    PARTS = "parts"
    COMES_APART = "comes-apart"
    MIN_COST = "min-cost"
    MAX_COST = "max-cost"
    LEVEL = "level"
    TURNS = "turns"


_COUNTED_SOLUTIONS = (Measure.DISTINCT, Measure.RAW, Measure.ROTATIONS, Measure.PARTS)

#: Maximum number of digits of a promised number.
MAX_DIGITS = 200


@dataclass(frozen=True)
class Expectation:
    """A number that the author of a puzzle promises: of solutions, of the best cost, or the best level.

    ``value`` is a text for a level, and None if the number of solutions is unknown. With ``at_least``, the number may
    be greater.
    """

    value: int | str | None
    measure: Measure = Measure.DISTINCT
    at_least: bool = False
    span: Span | None = field(default=None, compare=False, repr=False)

    @property
    def is_none(self) -> bool:
        """Whether this promises that the puzzle has no solution."""
        return self.value == 0 and not self.at_least and self.measure in _COUNTED_SOLUTIONS

    @property
    def words(self) -> str:
        """The promise in the words of the language, after `expect`.

        >>> Expectation(5, Measure.RAW, at_least=True).words, Expectation(2339).words, Expectation(None).words
        ('raw at least 5', '2339', 'unknown')
        """
        if self.value is None:
            return "unknown"
        measure = [] if self.measure is Measure.DISTINCT else [self.measure.value]
        return " ".join([*measure, *["at least"] * self.at_least, str(self.value)])


def number_of(colour: str | None) -> int | None:
    """Return the number that a colour names, up to three digits; None for other colours and plain cells.

    >>> number_of("7"), number_of("12"), number_of("r"), number_of("007"), number_of(None)
    (7, 12, None, None, None)
    """
    return int(colour) if colour is not None and _NUMBER.fullmatch(colour) else None


@dataclass(frozen=True)
class PuzzleColours:
    """The colours of a puzzle, and which of them may meet.

    ``allowed`` has pairs (colour of a cell, colour of a location) that match besides equal ones. Where sides of two
    tiles meet, their colours must be equal, or a pair of ``mates`` (which has both orders). Sides at the border show
    one of the ``frame`` colours (None: any).
    """

    names: tuple[str, ...] = ()
    allowed: frozenset[tuple[str, str]] = frozenset()
    mates: tuple[tuple[str, str], ...] = ()
    frame: tuple[str, ...] | None = None

    @property
    def mate(self) -> dict[str, str]:
        """For each colour of a side, the colour that it must meet if that is a different one."""
        return dict(self.mates)


@dataclass(frozen=True, repr=False)
class Puzzle:
    r"""A puzzle as described by a user.

    Every solution obeys the ``rules``, and its cost is the sum of the ``costs``. Rules, costs and conditions may use
    the names of ``regions``. The rules of ``movement`` hold when the puzzle is taken apart. ``wraps`` join opposite
    sides of the board. The numbers that the author promises are ``expected``; they are not compared.

    >>> import puzzlec
    >>> puzzle = puzzlec.parse("locations box 2x3\npiece D x3 { xx }")
    >>> len(puzzle.locations), puzzle.pieces
    (6, (<Piece D x3: 2 cells>,))
    """

    title: str
    lattice: Lattice | None
    locations: tuple[Location, ...]
    pieces: tuple[Piece, ...]
    colours: PuzzleColours = field(default_factory=PuzzleColours)
    rules: PuzzleRules = field(default_factory=PuzzleRules)
    wraps: tuple[Wrap, ...] = ()
    movement: MovementRules = field(default_factory=MovementRules)
    costs: tuple[Cost[Address], ...] = ()
    expected: tuple[Expectation, ...] = field(default=(), compare=False)
    regions: tuple[NamedRegion, ...] = ()
    span: Span | None = field(default=None, compare=False, repr=False)

    _repr_mimebundle_ = mimebundle

    def __post_init__(self) -> None:
        self.verify()
        if any(piece.lattice is not self.lattice for piece in self.pieces):
            pieces = tuple(
                [
                    piece if piece.lattice is self.lattice else replace(piece, lattice=self.lattice)
                    for piece in self.pieces
                ]
            )
            object.__setattr__(self, "pieces", pieces)

    def alone(self, piece: Piece) -> Puzzle:
        """Return this board with a single piece, without rules, groups, costs and other things that name pieces.

        Bounds of empty locations, crossings and walls stay.
        """
        return replace(
            self,
            pieces=(piece,),
            rules=replace(self.rules, pieces=(), regions=(), meetings=()),
            movement=self.movement.of(()),
            costs=(),
            expected=(),
        )

    def with_pieces(self, pieces: Iterable[Piece]) -> Puzzle:
        """Return this puzzle with other pieces; rules, costs and groups of pieces that are not among them go."""
        pieces = tuple(pieces)
        names = {piece.name for piece in pieces}
        return replace(
            self,
            pieces=pieces,
            rules=self.rules.of(names),
            movement=self.movement.of(names),
            costs=tuple([cost for cost in self.costs if cost.payer is not Payer.PIECE or cost.name in {"", *names}]),
            expected=(),
        )

    def verify(self) -> None:
        """Check all properties of a Puzzle; raise ValueError if one fails."""
        places = {location.at for location in self.locations}
        if len(places) != len(self.locations):
            raise ValueError("duplicate location")
        if self.rules.empty is not None and not 0 <= self.rules.empty[0] <= self.rules.empty[1] <= ANY:
            raise ValueError("bounds of empty locations run backwards or do not fit into 32 bits")
        if self.wraps and self.lattice is None:
            raise ValueError("a board without a lattice cannot wrap around")
        if any((mate, sign) not in self.colours.mates for sign, mate in self.colours.mates):
            raise ValueError("colour is not the mate of its mate")
        if self.movement.walls and (self.lattice is None or self.wraps):
            raise ValueError("walls need a board with geometry that does not wrap around")
        if len(set(self.movement.walls)) != len(self.movement.walls) or not places.isdisjoint(self.movement.walls):
            raise ValueError("cell of a wall is a duplicate or a location")
        self._verify_pieces()
        names = {piece.name for piece in self.pieces}
        self._verify_names(names)
        for demand in self.rules.regions:
            region = set(demand.region)
            if not region or len(region) != len(demand.region) or not region <= places:
                raise ValueError("region of a rule is empty or has a duplicate location")
            if demand.piece and demand.piece not in names:
                raise ValueError(f"unknown piece {demand.piece} in a rule")
            if not 0 <= demand.low <= demand.high <= ANY:
                raise ValueError("bounds of a rule run backwards or do not fit into 32 bits")

    def _verify_pieces(self) -> None:
        if len({piece.name for piece in self.pieces}) != len(self.pieces):
            raise ValueError("duplicate piece")
        for piece in self.pieces:
            if not 0 <= piece.low <= piece.high <= ANY:
                raise ValueError(f"piece {piece.name}: copies run backwards or do not fit into 32 bits")
            if piece.covers is None and (self.lattice is None or not piece.cells or not piece.turns):
                raise ValueError(f"piece {piece.name} has neither a shape nor placements")
            if len(piece.cells) != len(piece.colours) or len(set(piece.cells)) != len(piece.cells):
                raise ValueError(f"piece {piece.name}: a cell is a duplicate or has no colour")
            sides = len(self.lattice.kinds[0].neighbours) if self.lattice else 0
            if piece.paint and not paint_of(piece.paint):
                raise ValueError(f"piece {piece.name}: unknown colour {piece.paint}")
            if piece.sides and (len(piece.cells) != 1 or len(piece.sides) != sides):
                raise ValueError(f"piece {piece.name}: sides do not match its cell")

    def _verify_names(self, names: set[str]) -> None:
        """Check that groups, immovable pieces and rules refer to existing pieces, and that names of regions differ."""
        regions = [region.name for region in self.regions]
        if len(set(regions)) != len(regions) or not names.isdisjoint(regions):
            raise ValueError("name of a region is also that of another region or of a piece")
        for name, copies in [member for group in self.movement.together for member in group]:
            if name not in names or not 1 <= copies <= ANY:
                raise ValueError(f"group has an unknown piece {name}, or no copies of it")
        for name in self.movement.immovable:
            if name not in names:
                raise ValueError(f"unknown immovable piece {name}")
        for meeting in self.rules.meetings:
            if meeting.wrong():
                raise ValueError(meeting.wrong())
            if not names.issuperset(meeting.pieces) or not meeting.pieces == tuple(dict.fromkeys(meeting.pieces)):
                raise ValueError("unknown or duplicate piece in a rule about how pieces meet")
        for rule in self.rules.pieces:
            if rule.piece not in names:
                raise ValueError(f"unknown piece {rule.piece} in a rule")
        for cost in self.costs:
            if cost.payer is Payer.PIECE and cost.name and cost.name not in names:
                raise ValueError(f"unknown piece {cost.name} in a cost")
            if cost.where and cost.where not in cost.payer.relations:
                raise ValueError("cost cannot have a region")

    @cached_property
    def geometry(self) -> Geometry:
        """The cells of a puzzle that has a lattice.

        Raises:
            ValueError: If locations have only names.

        """
        if self.lattice is None:
            raise ValueError("puzzle has no lattice")
        return Geometry(self.lattice, cells_of(self), self.wraps)

    @property
    def points(self) -> tuple[Point, ...]:
        """Points of all locations; empty without a lattice."""
        return self.geometry.points if self.lattice else ()

    @property
    def wrapping(self) -> Wrapping | None:
        """The wrapping of the board; None if it does not wrap around.

        Raises:
            ValueError: If the wraps are impossible.

        """
        return self.geometry.wrapping if self.lattice else None

    @property
    def wall_points(self) -> tuple[Point, ...]:
        """Points of all cells of walls."""
        return tuple(map(self.lattice.point, self.movement.walls)) if self.lattice is not None else ()

    @property
    def region_cells(self) -> dict[str, tuple[Cell | str, ...]]:
        """Cells of the regions by name."""
        return {region.name: region.cells for region in self.regions}

    def region_name(self, cells: Iterable[Cell | str]) -> str:
        """Return the name of the region with exactly these cells; empty if there is none."""
        members = frozenset(cells)
        return next((region.name for region in self.regions if members == frozenset(region.cells)), "")

    @cached_property
    def piece_named(self) -> dict[str, Piece]:
        """Pieces by name."""
        return {piece.name: piece for piece in self.pieces}

    def __repr__(self) -> str:
        lattice = self.lattice.name if self.lattice else "none"
        locations, pieces = counted(len(self.locations), "location"), counted(len(self.pieces), "piece")
        return f"<Puzzle{titled(self.title)}: lattice {shortened(lattice)}, {locations}, {pieces}>"

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        needed = sum(not location.optional for location in self.locations)
        optional = len(self.locations) - needed
        yield f'puzzle "{self.title}"'
        yield f"  lattice {self.lattice.name if self.lattice else 'none'}"
        yield f"  {counted(needed, 'location')}" + (f" and {counted(optional, 'optional one')}" if optional else "")
        for piece in self.pieces:
            copies = copies_mark(piece.low, piece.high)
            number = len(piece.cells) if piece.covers is None else len(piece.covers)
            what = counted(number, "cell" if piece.covers is None else "listed placement")
            yield f"  piece {piece.name}{copies}: {what}"
        for region in self.regions:
            yield f"  region {region.name}: {counted(len(region.cells), 'cell' if self.lattice else 'location')}"
        for rule in self.rules.pieces:
            yield f"  {rule.kind.value} {rule.piece} {counted(len(rule.region), 'location')}"
        if self.movement.walls:
            yield f"  wall {counted(len(self.movement.walls), 'cell')}"
        if self.movement.immovable:
            yield f"  immovable {' '.join(self.movement.immovable)}"
        if self.movement.turns_allowed:
            yield "  turns"
        for demand in self.rules.regions:
            yield f"  rule {demand.words} on {counted(len(demand.region), 'location')}"
        for meeting in self.rules.meetings:
            yield f"  {meeting.words}"
        if self.costs:
            yield f"  {counted(len(self.costs), 'cost')}"


def shortened(text: str) -> str:
    """Return a text of at most 30 characters, for a line that describes an object.

    >>> shortened("a" * 40)
    'aaaaaaaaaaaaaaaaaaaaaaaaaaa...'
    """
    return text if len(text) <= 30 else text[:27] + "..."


def titled(title: str) -> str:
    """Return a title in quotes after a space, for a line that describes an object; empty if there is none."""
    return f' "{shortened(title)}"' if title else ""


def copies_text(low: int, high: int) -> str:
    """Return a number of copies as the language writes it after the ``x``.

    >>> copies_text(3, 3), copies_text(0, 4), copies_text(2, ANY), copies_text(0, ANY)
    ('3', '0..4', '2..', '*')
    """
    if high >= ANY:
        return "*" if low == 0 else f"{low}.."
    return str(low) if low == high else f"{low}..{high}"


def copies_mark(low: int, high: int, sign: str = "x") -> str:
    """Return the mark for copies after the name of a piece; nothing for one copy.

    >>> copies_mark(2, 2), copies_mark(1, 1)
    (' x2', '')
    """
    return "" if (low, high) == (1, 1) else f" {sign}{copies_text(low, high)}"


def cells_of(puzzle: Puzzle) -> list[Cell]:
    """Return the cells of the locations that have one, in order."""
    return [location.at for location in puzzle.locations if isinstance(location.at, tuple)]
