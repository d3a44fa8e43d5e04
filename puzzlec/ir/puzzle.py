"""The first stage: a puzzle as described by a user, on a lattice or with named locations."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from typing import Generic, TypeVar

from puzzlec.diagnostics import Span
from puzzlec.diagnostics.suggest import counted
from puzzlec.geometry import Cell, Lattice, Matrix, Point
from puzzlec.geometry.wrapping import Wrap, Wrapping
from puzzlec.ir.paints import paint_of
from puzzlec.shown import mimebundle

#: The upper bound of "any number".
ANY = 2**31 - 1

#: A colour that is a number.
_NUMBER = re.compile("[0-9]|[1-9][0-9]{1,2}")

#: Address of a location: a cell of the lattice, or a name without a lattice.
Address = Cell | str


@dataclass(frozen=True)
class Location:
    """A position for a cell of a piece. ``colour`` is None for a plain location."""

    at: Address
    colour: str | None = None
    optional: bool = False
    span: Span | None = field(default=None, compare=False, repr=False)


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


class RuleKind(Enum):
    """Kind of a placement rule; the values are words of the language."""

    INSIDE = "place inside"
    ON = "place on"
    OFF = "place off"
    FIX = "fix"
    FORBID = "forbid"


@dataclass(frozen=True)
class Rule:
    """A rule about the placements of a piece: inside a region, on it, off it, exactly at it, or never exactly at it.

    A placement is ``on`` a region if it covers at least one of its locations.

    For a tile, ``sides`` may give its orientation: the colours of its sides in this placement.
    """

    kind: RuleKind
    piece: str
    region: tuple[Address, ...]
    sides: tuple[str, ...] = ()
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class NamedRegion:
    """A region with a name: some cells, on the board or beside it."""

    name: str
    cells: tuple[Address, ...]


class Condition(Enum):
    """Condition of a region rule: on the numbers or colours that pieces show, or on the number of pieces.

    ``COUNT`` bounds the pieces on the region, ``CROSSED`` those that lie partly inside it, and ``PARTED`` those that
    cover a part of it. The others are on pairs of locations. For ``SYMMETRIC``, each piece goes to an equal piece if
    the first location of each pair goes to the second. For ``TOUCHING``, two pieces cover the locations of a pair.
    """

    SUM = "sum"
    EQUAL = "equal"
    DIFFERENT = "different"
    COUNT = "count"
    CROSSED = "crossed"
    PARTED = "parted"
    SYMMETRIC = "symmetric"
    TOUCHING = "touching"

    @property
    def is_bounded(self) -> bool:
        """Whether a rule with this condition has bounds."""
        return self is Condition.SUM or self.counts_pieces

    @property
    def counts_pieces(self) -> bool:
        """Whether a rule with this condition bounds a number of pieces."""
        return self in (Condition.COUNT, Condition.CROSSED, Condition.PARTED)

    @property
    def needs_colours(self) -> bool:
        """Whether a rule with this condition is about the colours that pieces show."""
        return self in (Condition.SUM, Condition.EQUAL, Condition.DIFFERENT)

    def counts(self, placement: Collection[int], region: frozenset[int]) -> bool:
        """Return whether a rule that counts pieces counts a placement."""
        if region.isdisjoint(placement):
            return False
        if self is Condition.CROSSED:
            return not region.issuperset(placement)
        return self is Condition.COUNT or not region.issubset(placement)


#: A location of a region: its address in a puzzle, its number in a fitting.
At = TypeVar("At", Address, int)
Other = TypeVar("Other", Address, int)


@dataclass(frozen=True)
class RegionRule(Generic[At]):
    """A rule about the colours that pieces show on the covered locations of a region, or about the number of pieces.

    ``low`` and ``high`` bound a sum of numbers; the number of a cell is its colour if that is a number. For a count,
    they bound the number of copies of ``piece`` ("": of all pieces) that cover at least one location of the region.
    ``name`` is the character of the region in a drawing, if it has one, and ``written`` the condition in the words of
    the user. They are not compared. If there are ``pieces``, a count is only about these. The
    locations of ``pairs`` are the region of a rule on pairs; its ``pieces`` are the two
    that touch, or those that a symmetry exchanges, one pair after another.
    """

    kind: Condition
    region: tuple[At, ...]
    low: int = 0
    high: int = ANY
    name: str = field(default="", compare=False)
    span: Span | None = field(default=None, compare=False, repr=False)
    written: str = field(default="", compare=False, repr=False)
    piece: str = ""
    pieces: tuple[str, ...] = ()
    pairs: tuple[tuple[At, At], ...] = ()

    def on(self, region: Iterable[Other]) -> RegionRule[Other]:
        """Return the same rule on other locations."""
        return RegionRule(self.kind, tuple(region), self.low, self.high, self.name, self.span, self.written, self.piece)

    def is_about(self, piece: str) -> bool:
        """Return whether a rule that counts pieces counts copies of a piece."""
        return piece in self.pieces if self.pieces else self.piece in ("", piece)

    @property
    def words(self) -> str:
        """Condition in the words of the language.

        >>> [RegionRule(Condition.SUM, (), *bounds).words for bounds in ((5, 5), (0, 4), (2, ANY), (2, 4))]
        ['sum = 5', 'sum <= 4', 'sum >= 2', 'sum = 2..4']
        """
        if self.written:
            return self.written
        if self.kind.counts_pieces:
            return " and ".join(count_words(self.low, self.high, self.piece))
        if self.kind is not Condition.SUM:
            return f"all {self.kind.value}"
        if self.low == self.high:
            return f"sum = {self.low}"
        if self.high >= ANY:
            return f"sum >= {self.low}"
        return f"sum = {self.low}..{self.high}" if self.low else f"sum <= {self.high}"


def count_words(low: int, high: int, piece: str = "") -> list[str]:
    """Return the bounds of a number of pieces on a region as conditions of the language.

    >>> count_words(1, 1, "queen"), count_words(0, 1), count_words(2, 3)
    (['exactly 1 queen'], ['at most 1'], ['at least 2', 'at most 3'])
    """
    named = f" {piece}" if re.fullmatch(r"\w[\w-]*(\[[-\w,]+\])?", piece) else f' "{piece}"' if piece else ""
    if low == high:
        return [f"exactly {low}{named}"]
    bounds = [f"at least {low}{named}"] if low or high >= ANY else []
    return [*bounds, f"at most {high}{named}"] if high < ANY else bounds


#: Maximum number of pieces that meet at a point without a crossroads.
MAX_WITHOUT_CROSSROADS = 3


class MeetingKind(Enum):
    """Kind of a rule about how pieces meet; the values are words of the language."""

    CROSSROADS = "crossroads"
    FAULTS = "faults"
    APART = "apart"
    TOUCHING = "touching"
    SYMMETRIC = "symmetric"


@dataclass(frozen=True)
class Meeting:
    """A rule about how pieces meet.

    - ``CROSSROADS``: at most ``high`` pieces meet at each point (in space, along each edge) whose locations lie
      ``where``: completely ``inside`` a region, with a location ``on`` it, or ``off`` it.
    - ``FAULTS``: a piece crosses each straight line of the lattice that cuts the board in two (in space, each plane).
      If ``motion`` is an axis, only lines on which its coordinate is constant count.
    - ``APART``: no two of these pieces share a side, and with ``corners`` no corner either. Copies count as two pieces.
    - ``TOUCHING``: the two pieces share a side.
    - ``SYMMETRIC``: the solution is equal to its image under the ``motion``.
    """

    kind: MeetingKind
    pieces: tuple[str, ...] = ()
    motion: str = ""
    corners: bool = False
    where: str = ""
    region: tuple[Address, ...] = ()
    high: int = MAX_WITHOUT_CROSSROADS
    span: Span | None = field(default=None, compare=False, repr=False)

    def wrong(self) -> str:
        """Return what is wrong with this rule on any board; empty if nothing is."""
        needed = {MeetingKind.APART: (1, ANY), MeetingKind.TOUCHING: (2, 2)}.get(self.kind, (0, 0))
        if not needed[0] <= len(self.pieces) <= needed[1]:
            number = "two pieces" if needed[1] == 2 else "pieces" if needed[1] else "no pieces"
            return f"`{self.kind.value}` needs {number}, found {len(self.pieces)}"
        if self.corners and self.kind is not MeetingKind.APART:
            return f"`{self.kind.value}` cannot count corners"
        if self.where and self.kind is not MeetingKind.CROSSROADS:
            return f"`{self.kind.value}` cannot have a region"
        if self.motion and self.kind not in (MeetingKind.FAULTS, MeetingKind.SYMMETRIC):
            return f"`{self.kind.value}` cannot have a motion"
        if self.high != MAX_WITHOUT_CROSSROADS and self.kind is not MeetingKind.CROSSROADS:
            return f"`{self.kind.value}` cannot have a number of pieces at a point"
        if self.high < 1:
            return f"`high` must be at least 1, found {self.high}"
        return ""

    @property
    def words(self) -> str:
        """The rule in the words of the language, without its region and span.

        >>> Meeting(MeetingKind.APART, ("A", "B"), corners=True).words, Meeting(MeetingKind.FAULTS, motion="x").words
        ('apart A B with corners', 'no faults across x')
        """
        names = [name if re.fullmatch(r"\w[\w-]*(\[[-\w,]+\])?", name) else f'"{name}"' for name in self.pieces]
        if self.high != MAX_WITHOUT_CROSSROADS:
            return f"at most {self.high} at a point"
        if self.kind in (MeetingKind.CROSSROADS, MeetingKind.FAULTS):
            return " ".join(["no", self.kind.value, *["across", self.motion][: 2 * bool(self.motion)]])
        return " ".join([self.kind.value, *names, *self.motion.split(), *["with corners"] * self.corners])


#: Words between a rule about crossroads and a region.
MEETING_RELATIONS = ("inside", "on", "off")

#: Words between a piece and a region in a cost. Colours and empty locations only have `per`.
COST_RELATIONS = ("inside", "on", "off", "at", "per")


class Payer(Enum):
    """The thing that has a cost."""

    PIECE = "piece"
    COLOUR = "colour"
    EMPTY = "empty"
    CROSSROADS = "crossroads"
    FAULTS = "faults"

    @property
    def is_meeting(self) -> bool:
        """Whether this is about how pieces meet."""
        return self in (Payer.CROSSROADS, Payer.FAULTS)

    @property
    def relations(self) -> tuple[str, ...]:
        """The words between this and a region."""
        if self is Payer.FAULTS:
            return ()
        return COST_RELATIONS if self is Payer.PIECE else MEETING_RELATIONS if self.is_meeting else ("per",)


@dataclass(frozen=True)
class Cost(Generic[At]):
    """A cost, which counts once for each piece, cell or location that it is about.

    - A piece (``name``, "" for any): each copy, or each copy that lies completely ``inside`` the region, ``on`` one or
      more of its locations, ``off`` it, or ``at`` exactly its locations. With ``per``, each location of the region that
      a copy covers.
    - A colour (``name``): each cell of this colour in a copy, or with ``per`` each one on the region.
    - ``empty``: each optional location that stays empty, or with ``per`` each one of the region.
    - ``crossroads``: each point (in space, each edge) where four or more pieces meet. Its locations may have to lie
      completely ``inside`` the region, with one of them ``on`` it, or ``off`` it.
    - ``faults``: each straight line that cuts the board in two and that no piece crosses (in space, each plane). If the
      ``name`` is an axis, only lines on which its coordinate is constant count.

    ``where`` is "" or one of these words. The region is empty without it. In a fitting, each cost of crossroads or
    faults is about one place: ``at`` the locations around a point, or on one side of a line.
    """

    value: int
    payer: Payer = Payer.PIECE
    name: str = ""
    where: str = ""
    region: tuple[At, ...] = ()
    span: Span | None = field(default=None, compare=False, repr=False)

    def on(self, region: Iterable[Other]) -> Cost[Other]:
        """Return the same cost with other locations."""
        return Cost(self.value, self.payer, self.name, self.where, tuple(region), self.span)


class Measure(Enum):
    """Kind of number that `expect` promises; the values are words of the language, except for the first."""

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


@dataclass(frozen=True, repr=False)
class Puzzle:
    r"""A puzzle as described by a user.

    ``allowed`` has pairs (colour of a cell, colour of a location) that match besides equal ones. ``empty`` bounds the
    number of optional locations that stay empty (None: any number). Where sides of two tiles meet, their colours must
    be equal, or a pair of ``mates`` (which has both orders). Sides at the border show one of the ``frame``
    colours (None: any). At a crossing of the lattice, two pieces may take two of its ways only if ``crossing`` is true.
    ``wraps`` join opposite sides of the board. Each of the ``region_rules`` applies to the colours on its region.
    ``regions`` have the names of regions, which rules, costs and conditions may use.
    The cost of a solution is the sum of its ``costs``. The numbers that the author promises are ``expected``; they are
    not compared.

    The rest is for taking the puzzle apart. Each group of ``together`` has names of pieces, with the number of copies
    of each that may stay together. The cells of ``walls``, which are not locations, and the pieces of ``immovable``
    never move. If ``turns_allowed``, pieces also turn; otherwise they only slide.

    >>> import puzzlec
    >>> puzzle = puzzlec.parse("locations box 2x3\npiece D x3 { xx }")
    >>> len(puzzle.locations), puzzle.pieces
    (6, (<Piece D x3: 2 cells>,))
    """

    title: str
    lattice: Lattice | None
    locations: tuple[Location, ...]
    pieces: tuple[Piece, ...]
    colours: tuple[str, ...] = ()
    allowed: frozenset[tuple[str, str]] = frozenset()
    empty: tuple[int, int] | None = None
    rules: tuple[Rule, ...] = ()
    frame: tuple[str, ...] | None = None
    mates: tuple[tuple[str, str], ...] = ()
    crossing: bool = False
    wraps: tuple[Wrap, ...] = ()
    region_rules: tuple[RegionRule[Address], ...] = ()
    together: tuple[tuple[tuple[str, int], ...], ...] = ()
    walls: tuple[Cell, ...] = ()
    immovable: tuple[str, ...] = ()
    turns_allowed: bool = False
    costs: tuple[Cost[Address], ...] = ()
    expected: tuple[Expectation, ...] = field(default=(), compare=False)
    regions: tuple[NamedRegion, ...] = ()
    meetings: tuple[Meeting, ...] = ()
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
        """Return this board with a single piece, without rules, groups, costs and other things that name pieces."""
        return replace(
            self,
            pieces=(piece,),
            rules=(),
            region_rules=(),
            meetings=(),
            together=(),
            immovable=(),
            costs=(),
            expected=(),
        )

    def with_pieces(self, pieces: Iterable[Piece]) -> Puzzle:
        """Return this puzzle with other pieces; rules, costs and groups of pieces that are not among them go."""
        pieces = tuple(pieces)
        names = {piece.name for piece in pieces}
        together = [tuple([member for member in group if member[0] in names]) for group in self.together]
        return replace(
            self,
            pieces=pieces,
            rules=tuple([rule for rule in self.rules if rule.piece in names]),
            region_rules=tuple([rule for rule in self.region_rules if rule.piece in {"", *names}]),
            together=tuple([group for group in together if group]),
            immovable=tuple([name for name in self.immovable if name in names]),
            costs=tuple([cost for cost in self.costs if cost.payer is not Payer.PIECE or cost.name in {"", *names}]),
            expected=(),
            meetings=tuple(
                [
                    replace(meeting, pieces=tuple([name for name in meeting.pieces if name in names]))
                    for meeting in self.meetings
                    if meeting.kind is not MeetingKind.TOUCHING or names.issuperset(meeting.pieces)
                    if not meeting.pieces or not names.isdisjoint(meeting.pieces)
                ]
            ),
        )

    def verify(self) -> None:
        """Check all properties of a Puzzle; raise ValueError if one fails."""
        places = {location.at for location in self.locations}
        if len(places) != len(self.locations):
            raise ValueError("duplicate location")
        if self.empty is not None and not 0 <= self.empty[0] <= self.empty[1] <= ANY:
            raise ValueError("bounds of empty locations run backwards or do not fit into 32 bits")
        if self.wraps and self.lattice is None:
            raise ValueError("a board without a lattice cannot wrap around")
        if any((mate, sign) not in self.mates for sign, mate in self.mates):
            raise ValueError("colour is not the mate of its mate")
        if self.walls and (self.lattice is None or self.wraps):
            raise ValueError("walls need a board with geometry that does not wrap around")
        if len(set(self.walls)) != len(self.walls) or not places.isdisjoint(self.walls):
            raise ValueError("cell of a wall is a duplicate or a location")
        self._verify_pieces()
        names = {piece.name for piece in self.pieces}
        self._verify_names(names)
        for demand in self.region_rules:
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
                raise ValueError(f"piece {piece.name}: cells are not in order")
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
        for name, copies in [member for group in self.together for member in group]:
            if name not in names or not 1 <= copies <= ANY:
                raise ValueError(f"group has an unknown piece {name}, or no copies of it")
        for name in self.immovable:
            if name not in names:
                raise ValueError(f"unknown immovable piece {name}")
        for meeting in self.meetings:
            if meeting.wrong():
                raise ValueError(meeting.wrong())
            if not names.issuperset(meeting.pieces) or not meeting.pieces == tuple(dict.fromkeys(meeting.pieces)):
                raise ValueError("unknown or duplicate piece in a rule about how pieces meet")
        for rule in self.rules:
            if rule.piece not in names:
                raise ValueError(f"unknown piece {rule.piece} in a rule")
        for cost in self.costs:
            if cost.payer is Payer.PIECE and cost.name and cost.name not in names:
                raise ValueError(f"unknown piece {cost.name} in a cost")
            if cost.where and cost.where not in cost.payer.relations:
                raise ValueError("cost cannot have a region")

    @property
    def geometry(self) -> Lattice:
        """The lattice of a puzzle that has one.

        Raises:
            ValueError: If locations have only names.

        """
        if self.lattice is None:
            raise ValueError("puzzle has no lattice")
        return self.lattice

    @cached_property
    def points(self) -> tuple[Point, ...]:
        """Points of all locations; empty without a lattice."""
        if self.lattice is None:
            return ()
        return tuple(
            [self.lattice.point(location.at) for location in self.locations if not isinstance(location.at, str)]
        )

    @cached_property
    def wrapping(self) -> Wrapping | None:
        """The wrapping of the board; None if it does not wrap around.

        Raises:
            ValueError: If the wraps are impossible.

        """
        if self.lattice is None or not self.wraps:
            return None
        return Wrapping(self.lattice, self.wraps, self.points)

    @cached_property
    def _numbers(self) -> dict[Point, int]:
        return {point: number for number, point in enumerate(self.points)}

    def location_at(self, point: Point) -> int:
        """Return the number of the location at a point, also on a wrap-around board; -1 if there is none."""
        return self._numbers.get(point, -1) if self.wrapping is None else self.wrapping.location(point)

    @property
    def wall_points(self) -> tuple[Point, ...]:
        """Points of all cells of walls."""
        return tuple(map(self.lattice.point, self.walls)) if self.lattice is not None else ()

    def role_of(self, name: str) -> tuple[bool, tuple[tuple[int, int], ...]]:
        """Return the role of a piece when the puzzle is taken apart: whether it never moves, and its groups."""
        groups = [
            (number, copies) for number, group in enumerate(self.together) for member, copies in group if member == name
        ]
        return name in self.immovable, tuple(groups)

    @property
    def mate(self) -> dict[str, str]:
        """For each colour of a side, the colour that it must meet if that is a different one."""
        return dict(self.mates)

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
        for rule in self.rules:
            yield f"  {rule.kind.value} {rule.piece} {counted(len(rule.region), 'location')}"
        if self.walls:
            yield f"  wall {counted(len(self.walls), 'cell')}"
        if self.immovable:
            yield f"  immovable {' '.join(self.immovable)}"
        if self.turns_allowed:
            yield "  turns"
        for demand in self.region_rules:
            yield f"  rule {demand.words} on {counted(len(demand.region), 'location')}"
        for meeting in self.meetings:
            yield f"  {meeting.words}"
        if self.costs:
            yield f"  {counted(len(self.costs), 'cost')}"


def rule_groups(rules: Iterable[RegionRule[Address]]) -> Iterator[tuple[str, list[RegionRule[Address]]]]:
    """Yield rules on regions: those with one condition on numbered parts of the board together, with their name.

    >>> rows = [RegionRule(Condition.DIFFERENT, ((0, y), (1, y)), name=f"row {y + 1}") for y in range(3)]
    >>> [(name, len(group)) for name, group in rule_groups([*rows, RegionRule(Condition.EQUAL, ((0, 0),))])]
    [('each row', 3), ('', 1)]
    """
    groups: dict[tuple[str, str], list[RegionRule[Address]]] = {}
    for number, rule in enumerate(rules):
        part = re.fullmatch(r"(\S.*) [0-9]+", rule.name)
        groups.setdefault((part[1] if part else f" {number}", rule.words), []).append(rule)
    for (part_name, _), group in groups.items():
        yield (f"each {part_name}" if len(group) > 1 else group[0].name), group


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


def address_text(at: Address) -> str:
    """Return an address for a message: a name in back-ticks, a cell in brackets."""
    return f"`{at}`" if isinstance(at, str) else "(" + ",".join(map(str, at)) + ")"


def address_name(at: Address) -> str:
    """Return the name of a location, or its coordinates with commas between them."""
    return at if isinstance(at, str) else ",".join(map(str, at))
