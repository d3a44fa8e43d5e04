"""The second stage: numbered locations, and for each piece the sets of locations it can cover, as in DPF."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from puzzlec.diagnostics import Span
from puzzlec.ir.location import ANY
from puzzlec.ir.puzzle import Puzzle, copies_mark, titled
from puzzlec.ir.rules import Cost, RegionRule
from puzzlec.shown import mimebundle


class Placements(Sequence[tuple[int, ...]]):
    """Placements in compressed rows: placement ``k`` has the locations ``locations[starts[k]:starts[k + 1]]``.

    Both arrays contain 32-bit integers (type code ``i``); numpy can view them without a copy. The locations of a
    placement ascend. Behaves like a sequence of tuples. Raises ValueError for arrays that do not match.
    """

    __slots__ = ("_reach", "locations", "starts")

    def __init__(self, placements: Iterable[Sequence[int]] = ()) -> None:
        self.starts = array("i", [0])
        self.locations = array("i")
        self._reach: tuple[int, int] | None = None
        try:
            for placement in placements:
                self.locations.extend(placement)
                self.starts.append(len(self.locations))
        except OverflowError:
            raise ValueError("location number does not fit into 32 bits") from None

    @classmethod
    def from_arrays(cls, starts: array[int], locations: array[int], reach: tuple[int, int] | None = None) -> Placements:
        """Return placements with these arrays, which are not copied.

        ``reach`` is the smallest and largest location, if known.
        """
        placements = cls()
        placements.starts, placements.locations, placements._reach = starts, locations, reach
        return placements

    @property
    def reach(self) -> tuple[int, int]:
        """Smallest and largest location. If there are no placements, the bounds include any location."""
        if self._reach is None:
            self._reach = (min(self.locations), max(self.locations)) if self.locations else (0, -1)
        return self._reach

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, index: int | slice) -> tuple[int, ...] | list[tuple[int, ...]]:  # type: ignore[override]
        if isinstance(index, slice):
            return [self.row(number) for number in range(*index.indices(len(self)))]
        return self.row(range(len(self))[index])

    def row(self, index: int) -> tuple[int, ...]:
        """Return the locations of one placement."""
        return tuple(self.locations[self.starts[index] : self.starts[index + 1]])

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return map(self.row, range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Placements):
            return NotImplemented
        return self.starts == other.starts and self.locations == other.locations

    def __hash__(self) -> int:
        return hash((self.starts.tobytes(), self.locations.tobytes()))

    def __repr__(self) -> str:
        return f"Placements({list(self)!r})"


#: The colours that a placement shows on its locations, in order (None: plain).
Colours = tuple[str | None, ...]

#: The sign for a plain cell in a line of text, as in drawings.
PLAIN = "x"


@dataclass(frozen=True)
class FittingPiece:
    """A piece of a Fitting: its number of copies and its placements. Its name is not compared.

    A tile has ``sides``: for each placement the colours that its sides show, in the order of the neighbours of its
    location. A piece with cells of several colours has ``colours``: for each placement the colours that it shows on its
    locations. Placements with the same locations and different colours are different. A piece has no ``colours`` if it
    shows one colour everywhere, or only the colours of its locations.
    """

    placements: Placements
    low: int = 1
    high: int = 1
    sides: tuple[tuple[str, ...], ...] = ()
    name: str = field(default="", compare=False)
    span: Span | None = field(default=None, compare=False, repr=False)
    colours: tuple[Colours, ...] = ()

    @property
    def shown(self) -> Iterable[Colours]:
        """Colours that each placement shows; plain ones if the piece has no colours."""
        return self.colours or ((None,) * len(placement) for placement in self.placements)

    @property
    def is_ambiguous(self) -> bool:
        """Whether two placements cover the same locations and differ only in the colours that they show."""
        return bool(self.colours) and len(set(self.placements)) < len(self.placements)

    def shown_words(self, index: int) -> tuple[str, ...]:
        """Return the text after the locations of a placement in a line: the colours of its sides or cells."""
        if self.sides:
            return ("sides", *self.sides[index])
        return ("colours", *(colour or PLAIN for colour in self.colours[index])) if self.colours else ()


def with_placements(piece: FittingPiece, kept: Sequence[int]) -> FittingPiece:
    """Return a piece with only these of its placements, given by their numbers."""
    return replace(
        piece,
        placements=Placements([piece.placements.row(index) for index in kept]),
        sides=tuple([piece.sides[index] for index in kept]) if piece.sides else (),
        colours=tuple([piece.colours[index] for index in kept]) if piece.colours else (),
    )


@dataclass(frozen=True, repr=False)
class Fitting:
    r"""A puzzle without geometry: numbered locations, and the placements of each piece.

    The locations are 0 to ``locations`` - 1, and those in ``optional`` may stay empty. ``puzzle`` is the puzzle that
    was lowered, for pictures and symmetries. Fittings are equal if they mean the same in DPF: names and the ``puzzle``
    are not compared.

    If pieces have sides, ``neighbours`` lists for each location the locations across its sides (-1: none). ``mates``
    has the pairs of colours that may meet, in both orders; any other colour meets itself. A crossing is a list of pairs
    of locations. If a placement covers both locations of such a pair, no other placement may cover a pair of the same
    crossing. ``region_rules`` apply to the colours that pieces show. If there are rules, a piece without ``colours``
    shows none. The cost of a solution is the sum of its ``costs``.

    >>> import puzzlec
    >>> puzzle = puzzlec.parse("locations box 2x3\npiece D x3 { xx }")
    >>> fitting = puzzlec.compile(puzzle, stage="fitting")
    >>> fitting.locations, fitting.piece_name(0), len(fitting.pieces[0].placements)
    (6, 'D', 7)
    """

    locations: int
    pieces: tuple[FittingPiece, ...]
    optional: frozenset[int] = frozenset()
    empty: tuple[int, int] | None = None
    neighbours: tuple[tuple[int, ...], ...] = ()
    mates: tuple[tuple[str, str], ...] = ()
    crossings: tuple[tuple[tuple[int, int], ...], ...] = ()
    names: tuple[str, ...] = field(default=(), compare=False, repr=False)
    title: str = field(default="", compare=False)
    puzzle: Puzzle | None = field(default=None, compare=False, repr=False)
    region_rules: tuple[RegionRule[int], ...] = ()
    costs: tuple[Cost[int], ...] = ()

    _repr_mimebundle_ = mimebundle

    def __repr__(self) -> str:
        number = sum(len(piece.placements) for piece in self.pieces)
        return (
            f"<Fitting{titled(self.title)}: {self.locations} locations, {len(self.pieces)} pieces, {number} placements>"
        )

    def __post_init__(self) -> None:
        self._verify_arrays()

    def _verify_arrays(self) -> None:
        """Check the properties that need no look at each placement."""
        if self.names and len(self.names) != self.locations:
            raise ValueError("some locations have no name")
        if any(not 0 <= location < self.locations for location in self.optional):
            raise ValueError("optional location is out of range")
        if self.empty is not None and not 0 <= self.empty[0] <= self.empty[1] <= ANY:
            raise ValueError("bounds of empty locations run backwards or do not fit into 32 bits")
        for rule in self.region_rules:
            if not rule.region or any(a >= b for a, b in pairwise((-1, *rule.region, self.locations))):
                raise ValueError("locations of a rule are not in ascending order, or one is out of range")
            if not 0 <= rule.low <= rule.high <= ANY:
                raise ValueError("bounds of a rule run backwards or do not fit into 32 bits")
        for piece in self.pieces:
            if not 0 <= piece.low <= piece.high <= ANY:
                raise ValueError(f"piece {piece.name}: copies run backwards or do not fit into 32 bits")
            if piece.sides and (len(piece.sides) != len(piece.placements) or len(self.neighbours) != self.locations):
                raise ValueError(f"piece {piece.name}: sides do not match its placements")
            if piece.colours and len(piece.colours) != len(piece.placements):
                raise ValueError(f"piece {piece.name}: colours do not match its placements")
            least, greatest = piece.placements.reach
            if least < 0 or greatest >= self.locations:
                raise ValueError(f"piece {piece.name}: location is out of range")

    def verify(self) -> None:
        """Check all properties of a Fitting, placement by placement; raise ValueError if one fails."""
        self._verify_arrays()
        for piece in self.pieces:
            for placement in piece.placements:
                if any(a >= b for a, b in pairwise(placement)):
                    raise ValueError(f"piece {piece.name}: locations of a placement are not in ascending order")
            for placement, colours in zip(piece.placements, piece.colours, strict=False):
                if len(placement) != len(colours):
                    raise ValueError(f"piece {piece.name}: placement lacks a colour for each location")

    @property
    def origin(self) -> Puzzle:
        """The puzzle that was placed.

        Raises:
            ValueError: If the fitting was read from a format without one.

        """
        if self.puzzle is None:
            raise ValueError("fitting has no puzzle")
        return self.puzzle

    def kind_of(self, piece: int) -> tuple[object, ...]:
        """Return properties of a piece that a symmetry keeps, besides its placements.

        A piece with cells of several colours is not the mirror image of one with one colour. An immovable piece goes to
        an immovable piece, and a piece of a group to one of the same group.
        """
        if self.puzzle is None:
            return ()
        described = self.puzzle.pieces[piece]
        return len(set(described.colours)) > 1, *self.puzzle.movement.role_of(described.name)

    def shown_colours(self, piece: int, index: int) -> tuple[str | None, ...]:
        """Return the colours that a placement shows on its locations, even if the fitting does not list them."""
        fitting_piece = self.pieces[piece]
        if fitting_piece.colours:
            return fitting_piece.colours[index]
        row = fitting_piece.placements.row(index)
        colours = set(self.puzzle.pieces[piece].colours) if self.puzzle is not None else set()
        if self.puzzle is None or len(colours) < 2:
            return tuple(colours or {None}) * len(row)
        return tuple([self.puzzle.locations[location].colour for location in row])

    def location_name(self, number: int) -> str:
        """Return the name of a location, or its number if it has no name."""
        return self.names[number] if self.names else str(number)

    def piece_name(self, number: int) -> str:
        """Return the name of a piece, or its number if it has no name."""
        return self.pieces[number].name or str(number)

    def paint(self, number: int) -> str:
        """Return the colour that the puzzle gives a piece in pictures; empty if it gives none."""
        return self.puzzle.pieces[number].paint if self.puzzle is not None else ""

    def __str__(self) -> str:
        lines = [f"fitting of {self.locations} locations, {len(self.optional)} of them optional"]
        for number, piece in enumerate(self.pieces):
            copies = copies_mark(piece.low, piece.high)
            lines.append(f"  piece {self.piece_name(number)}{copies}: {len(piece.placements)} placements")
        return "\n".join(lines)


def pieces_named(fitting: Fitting) -> dict[str, tuple[int, ...]]:
    """Return the numbers of the pieces of a fitting by their names."""
    numbers: dict[str, tuple[int, ...]] = {}
    for number in range(len(fitting.pieces)):
        name = fitting.piece_name(number)
        numbers[name] = (*numbers.get(name, ()), number)
    return numbers
