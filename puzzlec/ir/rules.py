"""Rules and costs: what a solution must obey, and what makes one solution better than another."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Set
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Generic

from puzzlec.diagnostics import Span
from puzzlec.geometry import Cell
from puzzlec.ir.location import ANY, Address, At, Other


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


@dataclass(frozen=True)
class MovementRules:
    """What holds when a puzzle is taken apart.

    Each group of ``together`` has names of pieces, with the number of copies of each that may stay together. The cells
    of ``walls``, which are not locations, and the pieces of ``immovable`` never move. If ``turns_allowed``, pieces also
    turn; otherwise they only slide.
    """

    together: tuple[tuple[tuple[str, int], ...], ...] = ()
    walls: tuple[Cell, ...] = ()
    immovable: tuple[str, ...] = ()
    turns_allowed: bool = False

    def of(self, names: Collection[str]) -> MovementRules:
        """Return the rules for a board with only these pieces."""
        groups = [tuple([member for member in group if member[0] in names]) for group in self.together]
        return replace(
            self,
            together=tuple([group for group in groups if group]),
            immovable=tuple([name for name in self.immovable if name in names]),
        )

    def role_of(self, name: str) -> tuple[bool, tuple[tuple[int, int], ...]]:
        """Return the role of a piece when the puzzle is taken apart: whether it never moves, and its groups."""
        groups = [
            (number, copies) for number, group in enumerate(self.together) for member, copies in group if member == name
        ]
        return name in self.immovable, tuple(groups)


@dataclass(frozen=True)
class PuzzleRules:
    """What every solution must obey: rules on the placements of ``pieces``, on ``regions``, and on how pieces meet.

    ``empty`` bounds the number of optional locations that stay empty (None: any number). At a crossing of the lattice,
    two pieces may take two of its ways only if ``crossing`` is true.
    """

    pieces: tuple[Rule, ...] = ()
    regions: tuple[RegionRule[Address], ...] = ()
    meetings: tuple[Meeting, ...] = ()
    empty: tuple[int, int] | None = None
    crossing: bool = False

    def of(self, names: Set[str]) -> PuzzleRules:
        """Return the rules for a board with only these pieces."""
        return replace(
            self,
            pieces=tuple([rule for rule in self.pieces if rule.piece in names]),
            regions=tuple([rule for rule in self.regions if not rule.piece or rule.piece in names]),
            meetings=tuple(
                [
                    replace(meeting, pieces=tuple([name for name in meeting.pieces if name in names]))
                    for meeting in self.meetings
                    if meeting.kind is not MeetingKind.TOUCHING or names >= {*meeting.pieces}
                    if not meeting.pieces or not names.isdisjoint(meeting.pieces)
                ]
            ),
        )
