"""Distinct solutions as orbits: every isometry of the lattice is tried on cells and placements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import permutations, product

from puzzlec.geometry import Cell, Lattice, Matrix
from puzzlec.ir import Puzzle, RuleKind
from puzzlec.ir.location import Address
from puzzlec.lower.symmetries import SymmetryKind
from tests import brute
from tests.differential import by_hand_meetings
from tests.differential.by_hand import Laid, TooLargeError
from tests.differential.by_hand_costs import of_empty, of_placement
from tests.differential.by_hand_placements import placements
from tests.differential.by_hand_rules import Counts, counts, demands
from tests.differential.lying import Lying

#: A movement of the board: the image of each cell, and the rotation of a tile there.
Move = dict[Cell, tuple[Cell, Matrix]]
#: Action on placements: for each piece the number of its image, and the image of each placement.
Action = list[tuple[int, dict[Lying, Lying]]]

#: More movements of parts than these are not tried.
MOST_MOVES = 3000


#: Known facts about isometries, by the name of the lattice.
_known: dict[tuple[str, Matrix, Cell], bool] = {}


def keeps_cells(lattice: Lattice, turn: Matrix, vector: Cell) -> bool:
    """Whether an isometry maps cells of the lattice to cells of the lattice."""
    key = lattice.name, turn, vector
    if key not in _known:
        _known[key] = all(brute.lies_on_cells(lattice, turn, vector, kind) for kind in range(len(lattice.kinds)))
    return _known[key]


def onto(puzzle: Puzzle, turns: Iterable[Matrix], source: list[Cell], target: set[Cell]) -> Iterator[Move]:
    """Yield the isometries that map some cells of a board without wraps to other cells."""
    lattice = puzzle.lattice
    assert lattice is not None
    points = {lattice.point(cell): cell for cell in target}
    own = [lattice.point(cell) for cell in source]
    walls = {lattice.point(cell) for cell in puzzle.movement.walls}
    corner = [min(axis) for axis in zip(*points, strict=True)]
    for turn in turns:
        # The corner of the bounding box goes to the other corner: no other shift can map one set of points to the
        # other.
        images = [brute.apply(turn, point) for point in own]
        vector = tuple(a - min(axis) for a, axis in zip(corner, zip(*images, strict=True), strict=True))
        reached = [points.get(brute.plus(image, vector)) for image in images]
        if None not in reached and keeps_cells(lattice, turn, vector) and all(
            brute.plus(brute.apply(turn, wall), vector) in walls for wall in walls
        ):  # fmt: skip
            yield {cell: (to, turn) for cell, to in zip(source, reached, strict=True) if to is not None}


def moves(puzzle: Puzzle, which: SymmetryKind) -> list[Move]:
    """Return the movements of a board; raise :class:`TooLargeError` if there are too many to try."""
    lattice = puzzle.lattice
    assert lattice is not None
    cells = [location.at for location in puzzle.locations if isinstance(location.at, tuple)]
    turns = lattice.rotations if which == "rotations" else lattice.isometries
    if puzzle.wraps:
        assert which == "all" or not any(wrap.twisted for wrap in puzzle.wraps)
        return around(puzzle, turns)
    if which != "parts" or puzzle.movement.walls:
        return list(onto(puzzle, turns, cells, set(cells)))
    parts = parts_of(lattice, cells)
    if len(parts) > 4:
        raise TooLargeError
    ways = [[list(onto(puzzle, turns, sorted(a), b)) if len(a) == len(b) else [] for b in parts] for a in parts]
    found: list[Move] = []
    for goals in permutations(range(len(parts))):
        if len(found) > MOST_MOVES:
            raise TooLargeError
        chosen = [ways[part][goal] for part, goal in enumerate(goals)]
        for combination in product(*chosen):
            found.append({cell: to for move in combination for cell, to in move.items()})
            if len(found) > MOST_MOVES:
                raise TooLargeError
    return found


def parts_of(lattice: Lattice, cells: list[Cell]) -> list[set[Cell]]:
    """Return the connected parts of a board."""
    at = {lattice.point(cell): cell for cell in cells}
    parts: list[set[Cell]] = []
    for point, cell in at.items():
        steps = lattice.kinds[lattice.class_of(point)].neighbours
        beside = {at[other] for step in steps if (other := brute.plus(point, step)) in at}
        touching = [part for part in parts if part & beside]
        parts = [part for part in parts if part not in touching] + [{cell}.union(*touching)]
    return parts


def around(puzzle: Puzzle, turns: Iterable[Matrix]) -> list[Move]:
    """Return the isometries of a wrap-around board: they keep points of one location together."""
    lattice = puzzle.lattice
    assert lattice is not None
    at = brute.board(puzzle)
    home = [lattice.point(location.at) for location in puzzle.locations if isinstance(location.at, tuple)]
    near = brute.sight(puzzle, home[0])
    window = [point for point in at if near(point)]
    found = []
    for turn in turns:
        start = brute.apply(turn, home[0])
        for goal in home:
            vector = tuple(a - b for a, b in zip(goal, start, strict=True))
            move = {at[point]: at.get(brute.plus(brute.apply(turn, point), vector), ()) for point in home}
            if set(move.values()) != set(move) or not keeps_cells(lattice, turn, vector):
                continue
            images = ((point, brute.plus(brute.apply(turn, point), vector)) for point in window)
            if all(
                at.get(image, ()) == move[at[point]]
                and brute.goes_well(puzzle, turn, vector, point, lattice.point(at[point]))
                for point, image in images
                if near(image)
            ):
                found.append({cell: (to, turn) for cell, to in move.items()})
    return found


def actions(puzzle: Puzzle, which: SymmetryKind) -> list[Action]:
    """Return the different actions of the symmetries on placements; equal pieces stay in their order."""
    own = placements(puzzle)
    lattice = puzzle.lattice
    assert lattice is not None
    # If one of several copies is fixed, no location stays empty.
    held = {
        at for rule in puzzle.rules.pieces if rule.kind is RuleKind.FIX and puzzle.piece_named[rule.piece].high > 1
        for at in rule.region
    }  # fmt: skip
    look: dict[object, tuple[str | None, int | None]] = {
        location.at: (
            location.colour,
            of_empty(puzzle, location.at) if location.optional and location.at not in held else None,
        )
        for location in puzzle.locations
    }
    paid = [{lying: of_placement(puzzle, number, lying) for lying in ways} for number, ways in enumerate(own)]
    rules, numbers = demands(puzzle), counts(puzzle)
    counted = [_of_piece(numbers, piece.name) for piece in puzzle.pieces]
    roles = [by_hand_meetings.role(puzzle, piece.name) for piece in puzzle.pieces]
    fixed = {rule.piece for rule in puzzle.rules.pieces if rule.kind is RuleKind.FIX}
    lows = [max(piece.low, int(piece.name in fixed)) for piece in puzzle.pieces]
    bounds = [(low, max(low, piece.high)) for low, piece in zip(lows, puzzle.pieces, strict=True)]
    found: dict[object, Action] = {}

    def same_role(one: int, two: int) -> bool:
        return (counted[one], roles[one]) == (counted[two], roles[two])

    for move in moves(puzzle, which):
        if any(look[cell] != look[to] for cell, (to, _) in move.items()):
            continue
        if rules != {(kind, frozenset(move[at][0] for at in region if isinstance(at, tuple))): bounds_of
                     for (kind, region), bounds_of in rules.items()}:  # fmt: skip
            continue
        there: Counts = {(name, frozenset(move[at][0] for at in region if isinstance(at, tuple))): bounds_of
                 for (name, region), bounds_of in numbers.items()}  # fmt: skip
        if _of_piece(there, "") != _of_piece(numbers, ""):
            continue
        action: Action = []
        for number, ways in enumerate(paid):
            to_count = _of_piece(there, puzzle.pieces[number].name)
            images = {lying: moved(lattice, lying, move) for lying in ways}
            reached = {images[lying]: cost for lying, cost in ways.items()}
            same = [
                k
                for k, other in enumerate(paid)
                if bounds[k] == bounds[number]
                and other == reached
                and counted[k] == to_count
                and roles[k] == roles[number]
            ]
            twins = [
                k
                for k in range(number)
                if bounds[k] == bounds[number]
                and paid[k] == ways
                and counted[k] == counted[number]
                and roles[k] == roles[number]
            ]
            if len(same) <= len(twins):
                break
            action.append((same[len(twins)], images))
        else:
            to = {cell: image for cell, (image, _) in move.items()}
            if (puzzle.rules.meetings or puzzle.costs) and not by_hand_meetings.kept(
                puzzle, to, [number for number, _ in action]
            ):
                continue
            found[tuple((number, frozenset(images.items())) for number, images in action)] = action
    return list(found.values())


def _of_piece(numbers: Counts, name: str) -> dict[frozenset[Address], tuple[int, int]]:
    """Return the rules about the number of copies of a piece ("": of all pieces)."""
    return {region: bounds for (piece, region), bounds in numbers.items() if piece == name}


def moved(lattice: Lattice, lying: Lying, move: Move) -> Lying:
    """Return the image of a placement; the sides of a tile rotate with it, and cells keep their colours."""
    cells, sides, paint = lying
    to = frozenset(move[cell][0] for cell in cells if isinstance(cell, tuple))
    if not sides:
        return Lying(to, (), frozenset((move[cell][0], colour) for cell, colour in paint if isinstance(cell, tuple)))
    (cell,) = cells
    assert isinstance(cell, tuple)
    goal, turn = move[cell]
    before = lattice.kinds[lattice.class_of(lattice.point(cell))].neighbours
    after = lattice.kinds[lattice.class_of(lattice.point(goal))].neighbours
    colour = {brute.apply(turn, step): side for step, side in zip(before, sides, strict=True)}
    return Lying(to, tuple(colour[step] for step in after))


def orbits(solutions: set[Laid], group: list[Action]) -> list[set[Laid]]:
    """Return the orbits of solutions."""
    left = set(solutions)
    found = []
    while left:
        laid = next(iter(left))
        orbit = {image(laid, action) for action in group}
        assert orbit <= solutions, "a symmetry maps a solution to something else"
        left -= orbit
        found.append(orbit)
    return found


def image(laid: Laid, action: Action) -> Laid:
    """Return the image of a solution under a symmetry."""
    sets: list[frozenset[Lying]] = [frozenset()] * len(laid)
    for own, (number, images) in zip(laid, action, strict=True):
        sets[number] = frozenset(images[lying] for lying in own)
    return tuple(sets)
