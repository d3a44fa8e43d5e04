"""Points, lines, neighbours and images of a board, for the checker of solutions. It shares no code with the lowering.

All of them follow from the corners of cells. A point is a corner with the cells around it. A line runs through the
common corners of two neighbours and cuts no cell. In space, these are edges and planes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations
from typing import TypeAlias

from puzzlec.geometry import Matrix, Point
from puzzlec.geometry.faces import exact_outline, scale_of
from puzzlec.geometry.lattice import determinant
from puzzlec.ir.location import Address
from puzzlec.ir.puzzle import Piece, Puzzle
from puzzlec.ir.rules import MAX_WITHOUT_CROSSROADS, Cost, Meeting, MeetingKind, Payer
from puzzlec.ir.solution import Placement

#: Cells of a piece with their colours, as seen from the least one, with the kind of that one.
Form: TypeAlias = tuple[int, frozenset[tuple[Point, str | None]]]

#: The number of a rotation by the trace of its matrix in the plane.
_TURNS = {-2: "half-turn", -1: "third-turn", 0: "quarter-turn", 1: "sixth-turn"}


class MeetingPlaces:
    """Where the pieces of a puzzle can meet. ``owners`` are the numbers of the pieces on all locations, -1 for none."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle, self.lattice = puzzle, puzzle.geometry.lattice
        self.scale = scale_of(self.lattice)
        self.corners = [self._corners(point) for point in puzzle.points]
        self._neighbours: dict[bool, set[tuple[int, int]]] = {}
        self._motions: dict[str, list[tuple[list[int], Mapping[str, str]]]] = {}

    def fault(self, meeting: Meeting, placements: Sequence[Placement]) -> tuple[str, str] | None:
        """Return where a rule is broken, and which pieces lie there; None if it holds."""
        names = [self.puzzle.pieces[placement.number].name for placement in placements]
        owners = self.owners(placements)
        if meeting.kind is MeetingKind.CROSSROADS:
            broken = next(self.crossroads(owners, meeting), None)
            return ("a point", " ".join(names[owner] for owner in sorted(broken))) if broken else None
        if meeting.kind is MeetingKind.FAULTS:
            return ("a line", "no piece") if any(self.faults(owners, meeting.motion)) else None
        if meeting.kind is MeetingKind.SYMMETRIC:
            return None if self._is_symmetric(meeting.motion, placements) else ("the board", "other pieces")
        pairs = [{owners[one], owners[two]} for one, two in self.neighbours(meeting.corners)]
        met = [[names[owner] for owner in sorted(pair)] for pair in pairs if len(pair) > 1 and -1 not in pair]
        if meeting.kind is MeetingKind.TOUCHING:
            return None if any(set(pair) == set(meeting.pieces) for pair in met) else ("the board", "other pieces")
        together = next((pair for pair in met if set(pair) <= set(meeting.pieces)), None)
        return ("a side", " ".join(together)) if together else None

    def times(self, cost: Cost[Address], placements: Sequence[Placement]) -> int:
        """Return how often a cost of crossroads or faults counts."""
        owners = self.owners(placements)
        if cost.payer is Payer.CROSSROADS:
            return sum(1 for _ in self.crossroads(owners, cost))
        return sum(self.faults(owners, cost.name))

    def owners(self, placements: Sequence[Placement]) -> list[int]:
        """Return the number of the placement on each location, -1 for none."""
        owners = [-1] * len(self.puzzle.locations)
        for number, placement in enumerate(placements):
            for location in placement.locations:
                owners[location] = number
        return owners

    def crossroads(self, owners: Sequence[int], rule: Meeting | Cost[Address]) -> Iterator[set[int]]:
        """Yield the pieces at each point of the region of a rule or cost where more than its number of them meet."""
        region = set(rule.region)
        cells = {number for number, location in enumerate(self.puzzle.locations) if location.at in region}
        high = rule.high if isinstance(rule, Meeting) else MAX_WITHOUT_CROSSROADS
        for near in self.points:
            if len(near) <= high:
                continue
            shared = len(near & cells)
            kept = {"": True, "inside": shared == len(near), "on": shared > 0, "off": shared == 0}[rule.where]
            here = {owners[at] for at in near} - {-1}
            if kept and len(here) > high:
                yield here

    def faults(self, owners: Sequence[int], axis: str) -> Iterator[bool]:
        """Yield for each line whether no piece crosses it."""
        for constant, one, two in self.lines:
            if not axis or constant == axis:
                yield {owners[at] for at in one}.isdisjoint({owners[at] for at in two} - {-1})

    @cached_property
    def points(self) -> set[frozenset[int]]:
        """The locations around each point with two or more of them."""
        size = 2 if self.lattice.dimension > 2 and not self.lattice.of_edges else 1
        return {
            near for corners in self.corners for meeting in combinations(corners, size)
            if len(near := self._locations_around(meeting)) > 1
        }  # fmt: skip

    @cached_property
    def lines(self) -> list[tuple[str, frozenset[int], frozenset[int]]]:
        """The locations on both sides of each line, after the axis whose coordinate alone is constant, "" for none."""
        axis_of: dict[frozenset[int], str] = {}
        everywhere = frozenset(range(len(self.corners)))
        tried: list[tuple[Point, ...]] = []
        for one, two in sorted(self.neighbours(corners=False)):
            shared = sorted(self.corners[one] & self.corners[two])
            size = len(shared[0]) if shared else 0
            through = next((some for some in combinations(shared, size) if _spans(some)), None)
            if through is None or any(all(_side(line, corner) == 0 for corner in shared) for line in tried):
                continue
            tried.append(through)
            values = [[_side(through, corner) for corner in sides] for sides in self.corners]
            if not any(min(sides) < 0 < max(sides) for sides in values):
                constant = [k for k in range(size) if len({corner[k] for corner in shared}) == 1]
                above = frozenset(at for at, sides in enumerate(values) if max(sides) > 0)
                axis_of[above] = "xyz"[constant[0]] if len(constant) == 1 else ""
        return [(axis, above, everywhere - above) for above, axis in axis_of.items()]

    def neighbours(self, corners: bool) -> set[tuple[int, int]]:
        """Return the pairs of locations that share a side, or with ``corners`` a corner."""
        if corners in self._neighbours:
            return self._neighbours[corners]
        pairs = self._neighbours[corners] = set()
        for here, point in enumerate(self.puzzle.points):
            steps = self.lattice.kinds[self.lattice.class_of(point)].neighbours
            near = {self.puzzle.geometry.location_at(tuple(map(sum, zip(point, step, strict=True)))) for step in steps}
            for corner in self.corners[here] if corners else ():
                near |= self._locations_around((corner,))
            pairs.update((here, there) for there in near - {-1, here})
        return pairs

    def _corners(self, point: Point) -> frozenset[Point]:
        at = [self.scale * value for value in point] + [0] * (self.lattice.dimension == 1)
        outline = exact_outline(self.lattice, self.lattice.class_of(point))
        return frozenset(tuple(map(sum, zip(at, corner, strict=True))) for corner in outline)

    def _locations_around(self, corners: Sequence[Point]) -> frozenset[int]:
        """Return the locations of all cells with these corners."""
        points = set.intersection(*map(self._cells_at, corners))
        return frozenset(map(self.puzzle.geometry.location_at, points)) - {-1}

    def _cells_at(self, corner: Point) -> set[Point]:
        """Return the points of all cells of the lattice with a corner."""
        points = set()
        for number in range(len(self.lattice.kinds)):
            for offset in exact_outline(self.lattice, number):
                step = [a - b for a, b in zip(corner, offset, strict=True)]
                point = tuple([value // self.scale for value in step][: self.lattice.dimension])
                exact = not any(value % self.scale for value in step) and not any(step[self.lattice.dimension :])
                if exact and self.lattice.class_of(point) == number:
                    points.add(point)
        return points

    def _is_symmetric(self, words: str, placements: Sequence[Placement]) -> bool:
        """Return whether the motion with these words takes each piece to itself, or to its mirror image."""
        if words not in self._motions:
            turns = [turn for turn in self.lattice.isometries if self._is_motion(turn, words)]
            self._motions[words] = [(to, self._images(turn)) for turn in turns if (to := self._moved(turn))]
        lying = {(self.puzzle.pieces[one.number].name, frozenset(_painted(one))) for one in placements}
        return any(
            lying == {(images[name], frozenset((to[at], colour) for at, colour in cells)) for name, cells in lying}
            for to, images in self._motions[words]
        )

    def _is_motion(self, turn: Matrix, words: str) -> bool:
        """Return whether a matrix is a motion: by its trace, its determinant, and the axis that it keeps on paper."""
        size, (name, _, axis) = self.lattice.dimension, words.partition(" ")
        units = [tuple(int(k == number) for k in range(size)) for number in range(size)]
        before = [self.lattice.on_paper(unit) for unit in units]
        after = [self.lattice.on_paper(_turned(turn, unit)) for unit in units]
        pairs = list(zip(before, after, strict=True))
        trace, proper = sum(turn[k][k] for k in range(size)), determinant(turn) > 0
        if axis == "diagonal":
            return all(abs(a[0] - b[1]) + abs(a[1] - b[0]) < 1e-6 for a, b in pairs)
        number = "xyz".find(axis) if axis else 0
        if name == "inversion":
            return trace == -size
        if name == "mirror":
            return not proper and trace == size - 2 and all(abs(a[number] + b[number]) < 1e-6 for a, b in pairs)
        keeps_axis = size == len("xy") or all(abs(a[number] - b[number]) < 1e-6 for a, b in pairs)
        return proper and keeps_axis and _TURNS.get(trace - size + 2) == name

    def _moved(self, turn: Matrix) -> list[int]:
        """Return the image of each location under a matrix and a translation; [] if the board is not kept."""
        points = self.puzzle.points
        moved = [_turned(turn, point) for point in points]
        shift = [a - b for a, b in zip(min(points), min(moved), strict=True)]
        number = {point: location for location, point in enumerate(points)}
        to = [number.get(tuple(map(sum, zip(point, shift, strict=True))), -1) for point in moved]
        return [] if -1 in to else to

    def _images(self, turn: Matrix) -> Mapping[str, str]:
        """Return the image of each piece.

        Of several pieces alike, the first goes to the first one, and so on. A piece without an image goes to itself.
        """
        pieces = self.puzzle.pieces
        forms, goals = (
            {piece.name: (self._forms(piece, after), piece.low, piece.high) for piece in pieces}
            for after in (None, turn)
        )
        goal_of: dict[str, str] = {}
        for name, form in forms.items():
            alike, equal = ([other for other in forms if forms[other] == those] for those in (form, goals[name]))
            if alike.index(name) < len(equal):
                goal_of[name] = equal[alike.index(name)]
        images = {}
        for name in forms:
            last = goal_of.get(name)
            while last not in (None, name):
                last = goal_of.get(last)
            images[name] = name if last is None else goal_of[name]
        return images

    def _forms(self, piece: Piece, after: Matrix | None) -> frozenset[Form]:
        """Return the ways in which a shape can lie, then moved by another matrix."""
        forms = set()
        for turn in piece.turns if piece.cells else ():
            points = [_turned(turn, self.lattice.point(cell)) for cell in piece.cells]
            points = [_turned(after, point) for point in points] if after else points
            least = min(points)
            steps = [tuple(a - b for a, b in zip(point, least, strict=True)) for point in points]
            forms.add((self.lattice.class_of(least), frozenset(zip(steps, piece.colours, strict=True))))
        return frozenset(forms)


def _turned(turn: Matrix, point: Sequence[int]) -> Point:
    return tuple([sum(a * b for a, b in zip(row, point, strict=True)) for row in turn])


def _painted(placement: Placement) -> Iterator[tuple[int, str | None]]:
    colours = placement.fitting.shown_colours(placement.number, placement.index)
    return zip(placement.locations, colours, strict=True)


def _side(line: Sequence[Point], corner: Point) -> int:
    """Return on which side of a line or plane a corner is: the signed volume that it spans with the line's corners."""
    first, *others = line
    return determinant(tuple(tuple(a - b for a, b in zip(other, first, strict=True)) for other in (*others, corner)))


def _spans(corners: Sequence[Point]) -> bool:
    """Return whether corners determine a line or a plane."""
    first = corners[0]
    units = [tuple(value + (k == axis) for k, value in enumerate(first)) for axis in range(len(first))]
    return any(_side(corners, unit) for unit in units)
