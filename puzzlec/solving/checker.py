"""The checker of solutions: it shares no code with the lowering and the engine.

First it checks the fitting: every needed location is covered once, and every piece is used the right number of times.
For a puzzle with geometry, it uses the puzzle instead of the list of placements. It checks that each set of cells is
the piece in an allowed orientation, that colours agree, and that all rules hold, also those about how pieces meet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property, lru_cache
from itertools import product
from math import isqrt
from typing import TYPE_CHECKING

from puzzlec.geometry.lattice import Cell, Lattice, Matrix, Point, determinant
from puzzlec.geometry.wrapping import Wrapping
from puzzlec.ir.fitting import Colours, Fitting
from puzzlec.ir.puzzle import Piece, Puzzle
from puzzlec.ir.rules import MAX_WITHOUT_CROSSROADS, Condition, Cost, Payer, RegionRule, RuleKind
from puzzlec.ir.solution import Placement, Solution
from puzzlec.solving.faults import SolutionFault, WrongSolutionError

if TYPE_CHECKING:
    from puzzlec.solving.meeting_places import MeetingPlaces


def bodies(
    points: Sequence[Point], goal: Point, near: Callable[[Point, int], Iterable[Point]], proper: bool
) -> Iterator[list[Point]]:
    """Yield all lists of points that are congruent to a piece's, in the piece's order; the first point is the goal.

    ``near`` returns the candidate points at a squared distance from the goal. If the motion must be ``proper``,
    reflected lists are yielded only for pieces that do not span space.
    """
    body = [goal]

    def further() -> Iterator[list[Point]]:
        number = len(body)
        if number == len(points):
            if not proper or _is_proper(points, body):
                yield list(body)
            return
        distances = [_distance(points[number], other) for other in points[:number]]
        for point in near(goal, distances[0]):
            if all(_distance(point, other) == value for other, value in zip(body, distances, strict=True)):
                body.append(point)
                yield from further()
                body.pop()

    yield from further()


def around(point: Point, squared: int) -> Iterator[Point]:
    """Yield the integer points at a squared distance from a point."""
    root = isqrt(squared)
    for step in product(range(-root, root + 1), repeat=len(point)):
        if sum(value * value for value in step) == squared:
            yield tuple(a + b for a, b in zip(point, step, strict=True))


def is_body(lattice: Lattice, allowed: frozenset[tuple[tuple[int, ...], ...]]) -> bool | None:
    """Return whether a piece with these orientations is a rigid body that cannot be reflected; None if not."""
    if not lattice.of_balls or len(allowed) == 1:
        return None
    if allowed == set(lattice.isometries) != set(lattice.rotations):
        return False
    return True if allowed == set(lattice.rotations) else None


def _distance(one: Point, two: Point) -> int:
    return sum((a - b) ** 2 for a, b in zip(one, two, strict=True))


def _is_proper(cells: Sequence[Point], image: Sequence[Point]) -> bool:
    """Return whether a motion without a reflection takes points to congruent points."""
    steps, moved = (
        [tuple(a - b for a, b in zip(point, points[0], strict=True)) for point in points] for points in (cells, image)
    )
    frame: list[int] = []
    for number, step in enumerate(steps):
        if _volume([*(steps[corner] for corner in frame), step]):
            frame.append(number)
    if len(frame) < len(cells[0]):
        return True
    before, after = (determinant(tuple(points[corner] for corner in frame)) for points in (steps, moved))
    return (before > 0) == (after > 0)


def _volume(vectors: Sequence[Point]) -> int:
    """Return the squared volume that vectors span: the determinant of their inner products, 0 if they depend."""
    return determinant(tuple(tuple(sum(a * b for a, b in zip(u, v, strict=True)) for v in vectors) for u in vectors))


def cost_of(solution: Solution, places: MeetingPlaces | None = None) -> int:
    """Return the cost of a solution, by the cost statements of its puzzle; ``places`` are those of its puzzle."""
    fitting, total = solution.fitting, 0
    puzzle = fitting.puzzle
    met = [cost for cost in puzzle.costs if cost.payer.is_meeting] if puzzle else []
    if puzzle and met:
        from puzzlec.solving.meeting_places import MeetingPlaces  # few puzzles need it

        places = places or MeetingPlaces(puzzle)
        total += sum(cost.value * places.times(cost, solution.placements) for cost in met)
    on = {location: placement.number for placement in solution.placements for location in placement.locations}
    colours = {
        location: colour
        for placement in solution.placements
        for location, colour in zip(
            placement.locations, fitting.shown_colours(placement.number, placement.index), strict=True
        )
    }
    for cost in fitting.costs:
        where = set(cost.region) if cost.where == "per" else set(range(fitting.locations))
        if cost.payer is Payer.EMPTY:
            number = len(where - on.keys())
        elif cost.payer.is_meeting:
            number = int(puzzle is None and _is_paid(solution, cost))
        elif cost.payer is Payer.COLOUR:
            number = sum(colours.get(location) == cost.name for location in where)
        else:
            payers = [
                placement
                for placement in solution.placements
                if cost.name in ("", fitting.piece_name(placement.number))
            ]
            if cost.where == "per":
                number = sum(len(where.intersection(placement.locations)) for placement in payers)
            elif cost.where:
                number = sum(_pays_at(set(placement.locations), cost.where, set(cost.region)) for placement in payers)
            else:
                number = len(payers)
        total += cost.value * number
    return total


def _is_paid(solution: Solution, cost: Cost[int]) -> bool:
    """Return whether four or more pieces meet at the point of a cost, or no piece crosses its line."""
    here = [len(set(cost.region).intersection(placement.locations)) for placement in solution.placements]
    if cost.payer is Payer.CROSSROADS:
        return sum(map(bool, here)) > MAX_WITHOUT_CROSSROADS
    return not any(
        0 < covered_here < len(placement.locations)
        for covered_here, placement in zip(here, solution.placements, strict=True)
    )


def _pays_at(covered: set[int], relation: str, region: set[int]) -> bool:
    """Return whether a copy has the relation of a cost to its region."""
    within = covered & region
    return {"inside": within == covered, "on": bool(within), "off": not within, "at": covered == region}[relation]


class Checker:
    """Checks solutions of one fitting, and remembers placements that are right."""

    def __init__(self, fitting: Fitting) -> None:
        self.fitting = fitting
        self.known: set[tuple[int, int, tuple[int, ...]]] = set()

    @cached_property
    def required(self) -> frozenset[int]:
        """The locations that a solution covers, whatever else it covers."""
        return frozenset(range(self.fitting.locations)) - self.fitting.optional

    @cached_property
    def places(self) -> MeetingPlaces | None:
        """Where pieces can meet, if a rule or a cost needs it."""
        puzzle = self.fitting.puzzle
        needed = puzzle and (puzzle.rules.meetings or any(cost.payer.is_meeting for cost in puzzle.costs))
        if not (puzzle and needed):
            return None
        from puzzlec.solving.meeting_places import MeetingPlaces  # few puzzles need it

        return MeetingPlaces(puzzle)

    def cost(self, solution: Solution) -> int:
        """Return the cost of a solution."""
        return cost_of(solution, self.places)

    @cached_property
    def points(self) -> list[tuple[int, ...]]:
        """The points of all locations, if there is a lattice."""
        return list(self.fitting.origin.points)

    def check(self, solution: Solution) -> None:
        """Raise WrongSolutionError, with the reason, unless this is a solution."""
        fitting = self.fitting
        used = Counter(placement.number for placement in solution.placements)
        for number, piece in enumerate(fitting.pieces):
            if not piece.low <= used[number] <= piece.high:
                raise WrongSolutionError(SolutionFault.USE, fitting.piece_name(number), used[number])
        covered = [location for placement in solution.placements for location in placement.locations]
        seen = set(covered)
        if len(seen) != len(covered):
            twice = min(location for location, number in Counter(covered).items() if number > 1)
            owners = [placement for placement in solution.placements if twice in placement.locations]
            raise WrongSolutionError(SolutionFault.COVERED_TWICE, locations=[twice], placements=owners)
        if bare := self.required - seen:
            raise WrongSolutionError(SolutionFault.UNCOVERED, locations=[min(bare)])
        if fitting.empty is not None:
            number = len(set(range(fitting.locations)) - seen)
            if not fitting.empty[0] <= number <= fitting.empty[1]:
                raise WrongSolutionError(SolutionFault.EMPTY, number)
        self._fixed(solution)
        self._meet(solution)
        self._cross(solution)
        self._ruled(solution)
        if fitting.costs and solution.cost != self.cost(solution):
            raise WrongSolutionError(SolutionFault.COST, self.cost(solution), solution.cost)
        for placement in solution.placements:
            key = placement.number, placement.index, placement.locations
            if key not in self.known:
                self._placement(placement.number, placement.index, placement.locations)
                self.known.add(key)

    def _fixed(self, solution: Solution) -> None:
        """Check that one copy of each piece with several copies is in its fixed position."""
        puzzle = self.fitting.puzzle
        for rule in puzzle.rules.pieces if puzzle else ():
            if puzzle and rule.kind is RuleKind.FIX and puzzle.piece_named[rule.piece].high > 1:
                lying = [
                    {puzzle.locations[location].at for location in placement.locations}
                    for placement in solution.placements
                    if puzzle.pieces[placement.number].name == rule.piece
                ]
                if set(rule.region) not in lying:
                    raise WrongSolutionError(SolutionFault.NOT_FIXED, rule.piece)

    def _ruled(self, solution: Solution) -> None:
        """Check the rules on regions, with the colours that the placements show. Placements are checked one by one."""
        puzzle = self.fitting.puzzle
        if not self.fitting.region_rules and (puzzle is None or not (puzzle.rules.regions or puzzle.rules.meetings)):
            return
        if puzzle is None:
            rules = list(self.fitting.region_rules)
        else:
            number = {location.at: index for index, location in enumerate(puzzle.locations)}
            rules = [rule.on(number[at] for at in rule.region) for rule in puzzle.rules.regions]
        for meeting in puzzle.rules.meetings if puzzle else ():
            if self.places and (broken := self.places.fault(meeting, solution.placements)):
                raise WrongSolutionError(SolutionFault.REGION, *broken, meeting.words)
        colour_at: dict[int, str | None] = {}
        for placement in solution.placements if rules else ():
            colours = self.fitting.shown_colours(placement.number, placement.index)
            colour_at.update(zip(placement.locations, colours, strict=True))
        for rule in rules:
            if rule.kind.counts_pieces:
                self._counted(solution, rule)
                continue
            if rule.pairs:
                self._paired(solution, rule)
                continue
            here = [colour_at[location] for location in rule.region if location in colour_at]
            if None in here:
                raise WrongSolutionError(SolutionFault.NO_COLOURS, rule.words)
            if rule.kind is Condition.EQUAL:
                kept = len(set(here)) < 2
            elif rule.kind is Condition.DIFFERENT:
                kept = len(set(here)) == len(here)
            else:
                kept = rule.low <= sum(int(str(colour)) for colour in here) <= rule.high
            if not kept:
                what = f"region {rule.name}" if rule.name else "a region"
                raise WrongSolutionError(SolutionFault.REGION, what, " ".join(map(str, here)), rule.words)

    def _counted(self, solution: Solution, rule: RegionRule[int]) -> None:
        """Check the number of pieces on a region."""
        on = [
            self.fitting.piece_name(placement.number)
            for placement in solution.placements
            if rule.kind.counts(placement.locations, frozenset(rule.region))
        ]
        on = list(filter(rule.is_about, on))
        if not rule.low <= len(on) <= rule.high:
            what = rule.name if " " in rule.name else f"region {rule.name}" if rule.name else "a region"
            raise WrongSolutionError(SolutionFault.REGION, what, " ".join(on) or "no piece", rule.words)

    def _paired(self, solution: Solution, rule: RegionRule[int]) -> None:
        """Check that two pieces touch, or that the solution is equal to its image."""
        lying = {
            (self.fitting.piece_name(placement.number), frozenset(self._painted(placement)))
            for placement in solution.placements
        }
        if rule.kind is Condition.SYMMETRIC:
            to = dict(rule.pairs)
            names = dict(zip(rule.pieces[::2], rule.pieces[1::2], strict=True))
            kept = lying == {
                (names.get(name, name), frozenset((to[at], colour) for at, colour in cells)) for name, cells in lying
            }
        else:
            owner = {at: name for name, cells in lying for at, _ in cells}
            kept = any({owner.get(one), owner.get(two)} == set(rule.pieces) for one, two in rule.pairs)
        if not kept:
            raise WrongSolutionError(SolutionFault.REGION, "the board", "other pieces", rule.words)

    def _painted(self, placement: Placement) -> Iterator[tuple[int, str | None]]:
        """Yield the locations of a placement with the colours that it shows."""
        colours = self.fitting.shown_colours(placement.number, placement.index)
        return zip(placement.locations, colours, strict=True)

    def _cross(self, solution: Solution) -> None:
        """Check that no two pieces go straight through one point, if the lattice has such points."""
        puzzle = self.fitting.puzzle
        if puzzle is None or puzzle.lattice is None or puzzle.rules.crossing or not puzzle.lattice.crossings:
            return
        if puzzle.wrapping is not None:
            self._cross_around(solution, puzzle, puzzle.wrapping)
            return
        seen: dict[tuple[object, ...], int] = {}
        for index, placement in enumerate(solution.placements):
            points = {self.points[location] for location in placement.locations}
            for number, ways in enumerate(puzzle.lattice.crossings):
                for one, two in ways:
                    for point in points:
                        if not puzzle.lattice.ends_at(point, tuple(-step for step in one)):
                            continue
                        here = tuple(a - b for a, b in zip(point, one, strict=True))
                        if tuple(a + b for a, b in zip(here, two, strict=True)) in points and (
                            seen.setdefault((number, here), index) != index
                        ):
                            raise WrongSolutionError(
                                SolutionFault.CROSSING, here, placements=self._through(here, solution)
                            )

    def _cross_around(self, solution: Solution, puzzle: Puzzle, wrapping: Wrapping) -> None:
        """Check crossings on a board that wraps around: at each point where locations end."""
        lattice = puzzle.geometry.lattice
        owner = {
            location: index for index, placement in enumerate(solution.placements) for location in placement.locations
        }
        for point in self.points:
            for ways in lattice.crossings:
                for end in {step for way in ways for step in way}:
                    if not lattice.ends_at(point, tuple(-step for step in end)):
                        continue
                    here = tuple(a - b for a, b in zip(point, end, strict=True))
                    through = set()
                    for way in ways:
                        one, two = (
                            wrapping.location(tuple(a + b for a, b in zip(here, step, strict=True))) for step in way
                        )
                        if one >= 0 and two >= 0 and one in owner and owner.get(two) == owner[one]:
                            through.add(owner[one])
                    if len(through) > 1:
                        raise WrongSolutionError(SolutionFault.CROSSING, here, placements=self._through(here, solution))

    def _through(self, here: Point, solution: Solution) -> list[Placement]:
        """Return the placements that go straight through a point; none if a board wraps around and separates them."""
        puzzle = self.fitting.origin
        ways = [
            {tuple(a + b for a, b in zip(here, step, strict=True)) for step in way}
            for several in puzzle.geometry.lattice.crossings
            for way in several
        ]
        covered = [{self.points[location] for location in placement.locations} for placement in solution.placements]
        crossing = [
            placement
            for placement, points in zip(solution.placements, covered, strict=True)
            if any(way <= points for way in ways)
        ]
        return crossing if len(crossing) > 1 else []

    def _meet(self, solution: Solution) -> None:
        """Check that sides that meet agree, and that the border shows its colour."""
        puzzle = self.fitting.puzzle
        if puzzle is None or puzzle.lattice is None or not any(piece.sides for piece in puzzle.pieces):
            return
        lattice = puzzle.lattice
        point, colours = self.points, {}
        there = set(point)
        for placement in solution.placements:
            if puzzle.pieces[placement.number].sides:
                at = point[placement.locations[0]]
                sides = self.fitting.pieces[placement.number].sides[placement.index]
                for step, colour in zip(lattice.kinds[lattice.class_of(at)].neighbours, sides, strict=True):
                    beyond = tuple(a + b for a, b in zip(at, step, strict=True))
                    if puzzle.wrapping is not None and (number := puzzle.wrapping.location(beyond)) >= 0:
                        beyond = point[number]
                    colours[at, beyond] = colour
        pairs = {frozenset(pair) for pair in puzzle.colours.mates}
        mated = {colour for pair in puzzle.colours.mates for colour in pair}
        for (here, beyond), colour in colours.items():
            if beyond not in there and puzzle.colours.frame is not None and colour not in puzzle.colours.frame:
                raise WrongSolutionError(SolutionFault.BORDER, colour)
            other = colours.get((beyond, here))
            if other is not None and (frozenset((colour, other)) not in pairs if colour in mated else colour != other):
                raise WrongSolutionError(SolutionFault.SIDES, colour, other)

    def _placement(self, number: int, index: int, locations: tuple[int, ...]) -> None:
        name = self.fitting.piece_name(number)
        if self.fitting.pieces[number].placements.row(index) != locations:
            raise WrongSolutionError(SolutionFault.NO_PLACEMENT, name)
        puzzle = self.fitting.puzzle
        if puzzle is None:
            return
        piece = puzzle.pieces[number]
        if piece.sides:
            sides = self.fitting.pieces[number].sides[index]
            fits = len(locations) == 1 and _is_tile(puzzle, piece, locations[0], sides)
        elif piece.covers is None:
            colours = self.fitting.pieces[number].colours
            fits = _is_piece(puzzle, piece, locations, colours[index] if colours else None)
        else:
            fits = {puzzle.locations[location].at for location in locations} in [set(cover) for cover in piece.covers]
        if not fits:
            raise WrongSolutionError(SolutionFault.PLACE, name, locations)
        cells = {puzzle.locations[location].at for location in locations}
        for rule in puzzle.rules.pieces:
            if rule.piece == piece.name:
                region = set(rule.region)
                turned = not rule.sides or rule.sides == self.fitting.pieces[number].sides[index]
                kept = {
                    RuleKind.INSIDE: cells <= region,
                    RuleKind.ON: bool(cells & region),
                    RuleKind.OFF: not cells & region,
                    RuleKind.FIX: (cells == region and turned) or piece.high > 1,
                    RuleKind.FORBID: cells != region or not turned,
                }
                if not kept[rule.kind]:
                    raise WrongSolutionError(SolutionFault.PIECE_RULE, name, rule.kind.value)


def _is_tile(puzzle: Puzzle, piece: Piece, location: int, sides: tuple[str, ...]) -> bool:
    """Return whether an allowed orientation makes the sides of a tile show these colours on a location."""
    lattice = puzzle.geometry.lattice
    at = puzzle.locations[location].at
    assert isinstance(at, tuple)
    here = lattice.kinds[lattice.class_of(lattice.point(at))].neighbours
    target = dict(zip(here, sides, strict=True))
    for turn in piece.turns:
        rotated = {
            tuple(sum(a * b for a, b in zip(row, step, strict=True)) for row in turn): colour
            for step, colour in zip(lattice.kinds[0].neighbours, piece.sides, strict=True)
        }
        if rotated == target:
            return True
    return False


def _is_piece(puzzle: Puzzle, piece: Piece, locations: tuple[int, ...], colours: Colours | None) -> bool:
    """Return whether an allowed orientation and a translation of the lattice take the piece to these locations.

    A rigid body of balls may use any of its motions. ``colours`` are the colours that must appear on the locations.
    """
    lattice = puzzle.geometry.lattice
    if puzzle.wrapping is not None:
        return _goes_around(puzzle, puzzle.wrapping, piece, locations, colours)
    target = {}
    for location in locations:
        at = puzzle.locations[location].at
        assert isinstance(at, tuple)
        target[lattice.point(at)] = location
    if len(piece.cells) != len(target):
        return False
    colouring = _TargetColours(puzzle, piece, locations, colours)
    proper = is_body(lattice, frozenset(piece.turns))
    if proper is not None:
        points = [lattice.point(cell) for cell in piece.cells]
        lists = (body for goal in target for body in bodies(points, goal, lambda _goal, _squared: target, proper))
        return any(colouring.agree([target[point] for point in row]) for row in lists)
    goal = min(target)
    steps_there = {tuple([p - g for p, g in zip(point, goal, strict=True)]) for point in target}
    for least, steps in _images(lattice, tuple(piece.cells), tuple(piece.turns)):
        # A translation keeps the order of points: it takes the least one to the least one.
        if steps_there.issuperset(steps) and lattice.is_translation(
            tuple([g - i for g, i in zip(goal, least, strict=True)])
        ):
            moved = [tuple([g + s for g, s in zip(goal, step, strict=True)]) for step in steps]
            if colouring.agree([target[point] for point in moved]):
                return True
    return False


@lru_cache(maxsize=1024)
def _images(lattice: Lattice, cells: tuple[Cell, ...], turns: tuple[Matrix, ...]) -> list[tuple[Point, list[Point]]]:
    """Return the points of cells in some orientations: for each the least point, and all of them as seen from it."""
    orientations, points = [], [lattice.point(cell) for cell in cells]
    for turn in turns:
        images = _turned(turn, points)
        least = min(images)
        orientations.append((least, [tuple([i - at for i, at in zip(image, least, strict=True)]) for image in images]))
    return orientations


def _turned(turn: Matrix, points: Sequence[Point]) -> list[Point]:
    """Return the images of points under a matrix."""
    if len(turn) == 3:  # written out, since solids have the most points
        (a, b, c), (d, e, f), (g, h, i) = turn
        return [(a * x + b * y + c * z, d * x + e * y + f * z, g * x + h * y + i * z) for x, y, z in points]
    return [tuple([sum(a * b for a, b in zip(row, point, strict=True)) for row in turn]) for point in points]


def _goes_around(
    puzzle: Puzzle, wrapping: Wrapping, piece: Piece, locations: tuple[int, ...], colours: Colours | None
) -> bool:
    """Return whether a piece can cover these locations of a board that wraps around, seen from each one."""
    lattice = puzzle.geometry.lattice
    colouring = _TargetColours(puzzle, piece, locations, colours)
    points = [lattice.point(cell) for cell in piece.cells]
    proper = is_body(lattice, frozenset(piece.turns))
    if proper is not None:
        starts = [puzzle.points[location] for location in locations]
        lists = _bodies_around(wrapping, points, starts, locations, proper)
        return any(colouring.agree(reached) for reached in lists)
    for turn in piece.turns:
        images = _turned(turn, points)
        for goal in {coset.image(puzzle.points[location]) for location in locations for coset in wrapping.cosets}:
            move = [g - i for g, i in zip(goal, images[0], strict=True)]
            if not lattice.is_translation(tuple(move)):
                continue
            reached = [wrapping.location(tuple([i + m for i, m in zip(image, move, strict=True)])) for image in images]
            if tuple(sorted(reached)) != tuple(sorted(locations)):
                continue
            if colouring.agree(reached):
                return True
    return False


def _bodies_around(
    wrapping: Wrapping, points: list[Point], starts: list[Point], locations: tuple[int, ...], proper: bool
) -> Iterator[list[int]]:
    """Yield how a rigid body of balls covers these locations of a board that wraps around: a location for each cell."""
    # On a twisted board, a body that wraps around is reflected.
    proper = proper and all(determinant(coset.turn) > 0 for coset in wrapping.cosets)

    @cache
    def near(goal: Point, squared: int) -> list[Point]:
        return [point for point in around(goal, squared) if wrapping.location(point) in locations]

    for start in starts:
        for body in bodies(points, start, near, proper):
            reached = [wrapping.location(point) for point in body]
            if sorted(reached) == sorted(locations):
                yield reached


class _TargetColours:
    """The colours that a piece must show: those that suit its locations and the solution."""

    def __init__(self, puzzle: Puzzle, piece: Piece, locations: tuple[int, ...], colours: Colours | None) -> None:
        self.puzzle, self.piece = puzzle, piece
        self.shown = dict(zip(locations, colours, strict=True)) if colours is not None else None

    def agree(self, reached: list[int]) -> bool:
        """Return whether each cell of the piece shows the right colour on its location."""
        allowed = self.puzzle.colours.allowed
        for colour, location in zip(self.piece.colours, reached, strict=True):
            there = self.puzzle.locations[location].colour
            if not (colour is None or there is None or colour == there or (colour, there) in allowed):
                return False
            if self.shown is not None and self.shown[location] != colour:
                return False
        return True


def check(solution: Solution) -> None:
    """Raise WrongSolutionError, with the reason, unless this is a solution of its fitting and its puzzle."""
    Checker(solution.fitting).check(solution)
