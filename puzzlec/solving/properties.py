"""Properties of a solution: how its pieces meet, which pieces touch, its symmetry, and its colours.

Points, lines and neighbours are those of the rules about how pieces meet, so `no crossroads` keeps the solutions with
``crossroads`` 0. An empty location does not count as a piece.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial

from puzzlec.geometry import Point
from puzzlec.geometry.colouring import fewest_colours
from puzzlec.geometry.solids import dot
from puzzlec.ir import Fitting, Meeting, MeetingKind, Puzzle, Solution
from puzzlec.ir.rules import MAX_WITHOUT_CROSSROADS
from puzzlec.language.comparisons import SolutionCondition, Touch
from puzzlec.lower import encode, symmetry
from puzzlec.lower.meeting import (
    corners_of,
    lines_of,
    neighbours_of,
    normal_of,
    points_of,
    unsupported,
)
from puzzlec.solving.conditions import looked_up, numbers_of_piece
from puzzlec.solving.own_symmetry import OwnSymmetries

#: The names of properties that are numbers, in the order of a table.
PROPERTIES = ("crossroads", "faults", "seam", "touching", "colours", "symmetries")


class Properties:
    r"""How the pieces of a solution meet. A property is computed when it is read, and is None if the board lacks it.

    >>> import puzzlec
    >>> solution = next(puzzlec.solve(puzzlec.parse("locations box 4x1\npiece D x2 { xx }")))
    >>> found = puzzlec.properties(solution)
    >>> found.touching, found.colours
    (1, 2)

    Attributes:
        solution: The solution.

    """

    def __init__(self, solution: Solution, joints: Joints) -> None:
        self.solution, self._joints = solution, joints
        self._owners = [-1] * solution.fitting.locations
        for number, placement in enumerate(solution.placements):
            for location in placement.locations:
                self._owners[location] = number

    def __repr__(self) -> str:
        return f"<Properties: {', '.join(f'{name} {getattr(self, name)}' for name in PROPERTIES)}>"

    def _are_two(self, pair: Sequence[int]) -> bool:
        one, two = self._owners[pair[0]], self._owners[pair[1]]
        return one != two and min(one, two) >= 0

    @property
    def crossroads(self) -> int | None:
        """Number of points at which four or more pieces meet; in space, of edges."""
        points = self._joints.points
        if points is None:
            return None
        return sum(len({self._owners[at] for at in near} - {-1}) > MAX_WITHOUT_CROSSROADS for near in points)

    @property
    def faults(self) -> int | None:
        """Number of straight lines that cut the board in two and that no piece crosses; in space, of planes."""
        lines = self._joints.lines
        if lines is None:
            return None
        sides = [({self._owners[at] for at in one}, {self._owners[at] for at in two}) for one, two in lines]
        return sum((one & two).issubset({-1}) for one, two in sides)

    @property
    def seam(self) -> int | None:
        """Number of sides of the longest straight seam between pieces. Only flat boards have seams."""
        lines = self._joints.segments
        if lines is None:
            return None
        longest = 0
        for line in lines:
            length, before = 0, None
            for pair, start, end in line:
                length = (length if start == before else 0) + 1 if self._are_two(pair) else 0
                before, longest = end, max(longest, length)
        return longest

    @cached_property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """The pairs of pieces that share a side: the numbers of their placements, from 0."""
        touching = {
            tuple(sorted((self._owners[a], self._owners[b]))) for a, b in filter(self._are_two, self._joints.sides)
        }
        return tuple([(one, two) for one, two in sorted(touching)])

    @property
    def named_pairs(self) -> list[tuple[str, str]]:
        """The names of the pieces of each of the ``pairs``."""
        named = [self.solution.fitting.piece_name(placement.number) for placement in self.solution.placements]
        return [(named[one], named[two]) for one, two in self.pairs]

    @property
    def touching(self) -> int | None:
        """Number of pairs of pieces that share a side."""
        return len(self.pairs) if self._joints.has_sides else None

    @cached_property
    def colouring(self) -> tuple[int, ...] | None:
        """A colour from 0 for each placement, different for pieces that touch, with the least number of colours.

        None if the search for it is too long.
        """
        return fewest_colours(len(self.solution.placements), self.pairs)

    @property
    def colours(self) -> int | None:
        """Least number of colours with which pieces that touch differ."""
        return len(set(self.colouring)) if self._joints.has_sides and self.colouring is not None else None

    @property
    def symmetries(self) -> int:
        """Number of symmetries of the puzzle that map the solution to itself, with the identity."""
        return self._joints.symmetries.of(self.solution).order


class Joints:
    """The places of a board where pieces can meet."""

    def __init__(self, fitting: Fitting) -> None:
        self.fitting = fitting

    def of(self, solution: Solution) -> Properties:
        """Return the properties of a solution of this puzzle."""
        return Properties(solution, self)

    def _on(self, kind: MeetingKind) -> Puzzle | None:
        """Return the puzzle if its board supports rules of a kind."""
        puzzle = self.fitting.puzzle
        return None if puzzle is None or not puzzle.points or unsupported(puzzle, Meeting(kind)) else puzzle

    @property
    def has_sides(self) -> bool:
        """Whether the board has geometry."""
        return self.fitting.puzzle is not None and bool(self.fitting.puzzle.points)

    @cached_property
    def points(self) -> list[tuple[int, ...]] | None:
        """The locations around each point at which four pieces can meet."""
        puzzle = self._on(MeetingKind.CROSSROADS)
        if puzzle is None:
            return None
        return [near for near in points_of(puzzle) if len(near) > MAX_WITHOUT_CROSSROADS]

    @cached_property
    def lines(self) -> list[tuple[frozenset[int], frozenset[int]]] | None:
        """The locations on both sides of each line that cuts the board in two."""
        puzzle = self._on(MeetingKind.FAULTS)
        if puzzle is None:
            return None
        everywhere = frozenset(range(self.fitting.locations))
        return [(side, everywhere - side) for side in map(frozenset, lines_of(puzzle))]

    @cached_property
    def sides(self) -> list[tuple[int, ...]]:
        """The pairs of neighbours."""
        return neighbours_of(self.fitting.puzzle) if self.has_sides and self.fitting.puzzle else []

    @cached_property
    def segments(self) -> list[list[tuple[tuple[int, ...], Point, Point]]] | None:
        """For each straight line of a flat board, its sides in order: two neighbours, and the ends of their side."""
        puzzle = self._on(MeetingKind.FAULTS)
        if puzzle is None or puzzle.lattice is None or puzzle.lattice.dimension > len("xy"):
            return None
        corners = corners_of(puzzle)
        lines: dict[object, list[tuple[tuple[int, ...], Point, Point]]] = {}
        for pair in self.sides:
            shared = sorted(set(corners[pair[0]]).intersection(corners[pair[1]]))
            if normal := normal_of(shared):
                lines.setdefault((normal, dot(normal, shared[0])), []).append((pair, shared[0], shared[-1]))
        return [sorted(sides, key=lambda side: side[1]) for sides in lines.values()]

    @cached_property
    def symmetries(self) -> OwnSymmetries:
        """The symmetries of the puzzle."""
        encoding = encode(self.fitting)
        return OwnSymmetries(encoding, symmetry(encoding, "all"))


def properties(solution: Solution) -> Properties:
    r"""Return how the pieces of a solution meet: crossroads, faults, seams, pairs that touch, colours, symmetries.

    >>> import puzzlec
    >>> [solution] = puzzlec.solve(puzzlec.parse("locations box 2x2\npiece D x2 { xx }"))
    >>> puzzlec.properties(solution)
    <Properties: crossroads 0, faults 1, seam 2, touching 1, colours 2, symmetries 4>
    """
    return Joints(solution.fitting).of(solution)


class PropertyFilter:
    """Chooses solutions of one puzzle by their properties. A solution without the property is not chosen.

    Raises PuzzleError (PZ630) for a condition on an unknown piece.
    """

    def __init__(self, fitting: Fitting, conditions: Sequence[SolutionCondition]) -> None:
        self._joints, self._conditions = Joints(fitting), conditions
        for condition in conditions:
            if isinstance(condition, Touch):
                for name, span in zip(condition.pieces, condition.spans, strict=True):
                    looked_up(span, partial(numbers_of_piece, fitting, name))

    def __call__(self, solution: Solution) -> bool:
        """Return whether the conditions hold."""
        properties = self._joints.of(solution)
        return all(_holds(condition, properties) for condition in self._conditions)


def _holds(condition: SolutionCondition, properties: Properties) -> bool:
    """Return whether a condition holds for a solution with these properties."""
    if isinstance(condition, Touch):
        return properties.touching is not None and condition.holds(properties.named_pairs)
    value = getattr(properties, condition.name)
    return value is not None and condition.holds((value,))
