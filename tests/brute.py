"""Slow and simple code for tests to compare with. It uses nothing of puzzlec's lowering, engine and symmetry."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache, wraps
from itertools import combinations, product
from typing import Any, ParamSpec, TypeVar

import puzzlec
from puzzlec.engine.problem import ExactCover
from puzzlec.geometry import Cell, Lattice, Matrix
from puzzlec.geometry.lattice import CellKind, determinant, identity
from puzzlec.ir import Fitting, Puzzle, RuleKind

#: A solution: for each piece the multiset of its placements (sets of cells), in the order of the pieces.
Solution = tuple[frozenset[frozenset[Cell]], ...]


class Painted(frozenset[Cell]):
    """The cells of a placement with several colours. The same cells with other colours are another placement."""

    paint: frozenset[tuple[Cell, str | None]]

    @classmethod
    def of(cls, cells: Iterable[Cell], colours: Iterable[str | None]) -> frozenset[Cell]:
        """Return the cells of a placement, painted if they have several colours."""
        cells, colours = list(cells), list(colours)
        if len(set(colours)) < 2:
            return frozenset(cells)
        found = cls(cells)
        found.paint = frozenset(zip(cells, colours, strict=True))
        return found

    def __eq__(self, other: object) -> bool:
        if isinstance(other, frozenset):
            return isinstance(other, Painted) and self.paint == other.paint
        return frozenset(self) == other

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.paint)


def moved(placement: frozenset[Cell], move: dict[Cell, Cell]) -> frozenset[Cell]:
    """Return the image of a placement under a movement of the cells: each cell keeps its colour."""
    if isinstance(placement, Painted):
        return Painted.of((move[cell] for cell, _ in placement.paint), (colour for _, colour in placement.paint))
    return frozenset(move[cell] for cell in placement)


def cells_of(solution: puzzlec.Solution, puzzle: Puzzle) -> Solution:
    """A solution of puzzlec in the form of brute force."""
    sets: list[set[frozenset[Cell]]] = [set() for _ in puzzle.pieces]
    for placement in solution.placements:
        sets[placement.number].add(lying(solution.fitting, puzzle, placement.number, placement.index))
    return tuple(map(frozenset, sets))


def lying(fitting: Fitting, puzzle: Puzzle, piece: int, index: int) -> frozenset[Cell]:
    """A placement of a fitting in the form of brute force."""
    cells = [puzzle.locations[location].at for location in fitting.pieces[piece].placements.row(index)]
    own = [cell for cell in cells if isinstance(cell, tuple)]
    colours = fitting.shown_colours(piece, index) if fitting.kind_of(piece)[:1] == (True,) else (None,) * len(own)
    return Painted.of(own, colours)


def apply(matrix: Matrix, cell: Cell) -> Cell:
    return tuple([sum([m * c for m, c in zip(row, cell, strict=True)]) for row in matrix])


def plus(one: Cell, two: Cell) -> Cell:
    return tuple([a + b for a, b in zip(one, two, strict=True)])


P = ParamSpec("P")
T = TypeVar("T")

#: The last puzzle, and what was found out about it.
_last: list[tuple[object, dict[object, Any]]] = []


def once(find: Callable[P, T]) -> Callable[P, T]:
    """Let a function find out something about a puzzle once, as long as no other puzzle comes."""

    @wraps(find)
    def known(*asked: P.args, **named: P.kwargs) -> T:
        puzzle, *others = asked
        if not _last or _last[0][0] is not puzzle:
            _last[:] = [(puzzle, {})]
        answers: dict[object, T] = _last[0][1]
        question = find, tuple(others), tuple(named.items())
        if question not in answers:
            answers[question] = find(*asked, **named)
        return answers[question]

    return known


def board(puzzle: Puzzle) -> dict[Cell, Cell]:
    """The cell of the board at each point. On a wrap-around board, this includes points some way beyond the board."""
    return _board(puzzle)[0]


def window(puzzle: Puzzle) -> tuple[Cell, Cell]:
    """The corners of the box, in points, in which every cell of a wrap-around board is known."""
    lattice = puzzle.lattice
    assert lattice is not None
    points = [lattice.point(location.at) for location in puzzle.locations if isinstance(location.at, tuple)]
    reach = 4 * max(abs(value) for vector in lattice.translations for value in vector)
    axes = [(min(axis), max(axis)) for axis in zip(*points, strict=True)]
    # An isometry that maps the board to itself may move it by its whole size.
    return tuple(2 * a - b - 2 * reach for a, b in axes), tuple(2 * b - a + 2 * reach for a, b in axes)


def sight(puzzle: Puzzle, start: Cell) -> Callable[[Cell], bool]:
    """Return whether a point is near enough to a start to try a movement of a wrap-around board on it.

    In the plane, all known points are near enough; in space, trying all would take too long. Points that a wrap joins
    to the start are near enough, because a movement that does not keep the wrap may show only there.
    """
    lattice = puzzle.lattice
    assert lattice is not None
    reach = 5 * max(abs(value) for vector in lattice.translations for value in vector)
    steps = [lattice.point((*wrap.vector, 0)[: lattice.coordinates]) for wrap in puzzle.wraps]
    reach += max([abs(value) for step in steps for value in step if abs(value) > reach], default=0)
    flat = lattice.dimension < 3
    low, high = window(puzzle) if flat else (tuple(a - reach for a in start), tuple(a + reach for a in start))
    return lambda point: all(a <= x <= b for x, a, b in zip(point, low, high, strict=True))


def goes_well(puzzle: Puzzle, turn: Matrix, vector: Cell, point: Cell, home: Cell) -> bool:
    """Whether an isometry takes a point and its location to points of one location, reflected in the same way.

    A shift of a strip may map two points of one cell to two points of one cell, but reflect only one of them. That is
    not a movement of the board. Signs mark reflected axes; a twist has no other effect here.
    """
    signs = _board(puzzle)[1]
    image, start = plus(apply(turn, point), vector), plus(apply(turn, home), vector)
    # The signs reflect the location into the point. After a rotation, they change places as the axes do.
    turned = {
        tuple(next(sign for sign, factor in zip(pattern, row, strict=True) if factor) for row in turn)
        for pattern in signs[point]
    }
    return signs[image] == {
        tuple(a * b for a, b in zip(one, other, strict=True)) for one in turned for other in signs[start]
    }


@once
def _board(puzzle: Puzzle) -> tuple[dict[Cell, Cell], dict[Cell, set[Cell]]]:
    """Return the location of each point, and the signs by which the location is reflected there.

    A point has two lists of signs if the wraps together reflect the plane and the point lies on the mirror.
    """
    lattice = puzzle.lattice
    assert lattice is not None
    found = {lattice.point(location.at): location.at for location in puzzle.locations if isinstance(location.at, tuple)}
    signs = {point: {(1,) * len(point)} for point in found}
    if not puzzle.wraps:
        return found, signs
    steps = [lattice.point((*wrap.vector, 0)[: lattice.coordinates]) for wrap in puzzle.wraps]
    origin = lattice.point((0,) * lattice.coordinates)
    axes = list(zip(*found, strict=True))
    low, high = [min(axis) for axis in axes], [max(axis) for axis in axes]
    first, last = window(puzzle)
    ways: list[tuple[Cell, int]] = []
    for step, wrap in zip(steps, puzzle.wraps, strict=True):
        move = tuple(a - b for a, b in zip(step, origin, strict=True))
        # Only strips of squares that wrap around along an axis are twisted here: the twist reflects the other axis.
        assert not wrap.twisted or (lattice.name == "square" and 0 in move)
        across = (1 if move[1] == 0 else 0) if wrap.twisted else -1
        ways += [(move, across), (tuple(-value for value in move), across)]
    # Points at a corner of the window may be connected to the others only by steps outside the window.
    margin = max(abs(value) for move, _ in ways for value in move)
    first, last = tuple(value - margin for value in first), tuple(value + margin for value in last)
    fresh = [(point, sign) for point, several in signs.items() for sign in several]
    while fresh:
        point, mirrored_by = fresh.pop()
        for move, across in ways:
            image = plus(point, move)
            mirrored = mirrored_by
            if across >= 0:
                image = tuple(low[k] + high[k] - x if k == across else x for k, x in enumerate(image))
                mirrored = tuple(-sign if k == across else sign for k, sign in enumerate(mirrored))
            assert found.get(image, found[point]) == found[point], "two locations would be one"
            inside = all(a <= x <= b for x, a, b in zip(image, first, last, strict=True))
            if inside and mirrored not in signs.setdefault(image, set()):
                found[image] = found[point]
                signs[image].add(mirrored)
                fresh.append((image, mirrored))
    return found, signs


def turned(lattice: Lattice, turns: Iterable[Matrix], points: list[Cell]) -> list[tuple[int, tuple[Cell, ...]]]:
    """Rotated points: the class of the first point, and the steps from there to all of them; each result once."""
    found: dict[tuple[int, tuple[Cell, ...]], None] = {}
    for turn in turns:
        first, *others = [apply(turn, point) for point in points]
        steps = tuple(tuple(a - b for a, b in zip(point, first, strict=True)) for point in (first, *others))
        found[lattice.class_of(first), steps] = None
    return [*found]


def rigid(lattice: Lattice, points: list[Cell], proper: bool, goal: Cell, there: Collection[Cell]) -> list[list[Cell]]:
    """Points moved as a rigid body of balls, the first to the goal, all to existing points.

    All distances must stay the same. Without reflections, the signed volumes that the points span must also stay the
    same.
    """
    found = [[goal]]
    distances = {squared(point, points[0]) for point in points}
    there = [point for point in there if squared(point, goal) in distances]
    for number, point in enumerate(points[1:], 1):
        found = [
            [*chosen, new]
            for chosen in found
            for new in there
            if all(squared(new, old) == squared(point, own) for old, own in zip(chosen, points[:number], strict=True))
        ]
    return [chosen for chosen in found if not proper or volumes(lattice, chosen) == volumes(lattice, points)]


def squared(one: Cell, two: Cell) -> int:
    """The square of a distance."""
    return sum((a - b) ** 2 for a, b in zip(one, two, strict=True))


def volumes(lattice: Lattice, points: list[Cell]) -> list[int]:
    """The volumes, with signs, between the first point and all choices of others."""
    steps = [tuple(a - b for a, b in zip(point, points[0], strict=True)) for point in points]
    return [determinant(chosen) for chosen in combinations(steps, lattice.dimension)]


def crosses(puzzle: Puzzle, solution: Solution) -> bool:
    """Whether two pieces pass straight through one point of the grid."""
    if puzzle.rules.crossing or puzzle.lattice is None or not puzzle.lattice.crossings:
        return False
    at = board(puzzle)
    # The points of the grid are the ends of edges.
    kinds = puzzle.lattice.kinds
    grid = {plus(point, tuple(map(int, end))) for point in at for end in kinds[puzzle.lattice.class_of(point)].outline}
    owner = {cell: (number, placed) for number, taken in enumerate(solution) for placed in taken for cell in placed}
    for middle, ways in product(grid, puzzle.lattice.crossings):
        through = set()
        for one, two in ways:
            here, there = at.get(plus(middle, one)), at.get(plus(middle, two))
            if here is not None and there is not None and here in owner and there in owner:
                through.add(owner[here] if owner[here] == owner[there] else None)
        if len(through - {None}) > 1:
            return True
    return False


def placements(puzzle: Puzzle, number: int) -> set[frozenset[Cell]]:
    """Every set of cells that a piece can cover: every orientation, moved to every cell."""
    piece = puzzle.pieces[number]
    colour = {location.at: location.colour for location in puzzle.locations}
    lattice = puzzle.lattice
    assert lattice is not None
    at = board(puzzle)
    found = set()
    own = [lattice.point(cell) for cell in piece.cells]
    ways, allowed = turned(lattice, piece.turns, own), puzzle.colours.allowed
    for goal in at:  # the first cell of the piece goes to each cell in turn
        kind = lattice.class_of(goal)
        images = [[plus(goal, step) for step in steps] for first, steps in ways if first == kind]
        if lattice.of_balls and set(piece.turns) in ({*lattice.rotations}, {*lattice.isometries}):
            assert not any(wrap.twisted for wrap in puzzle.wraps)
            if lattice.cell(goal) != at[goal]:
                continue  # the same as from the location at this point
            images = [*rigid(lattice, own, set(piece.turns) == {*lattice.rotations}, goal, at)]
        for points in images:
            there = [at.get(point, ()) for point in points]
            if (
                there
                and all(cell in colour for cell in there)
                and len(set(there)) == len(there)
                and all(
                    own is None or colour[cell] is None or own == colour[cell] or (own, colour[cell]) in allowed
                    for own, cell in zip(piece.colours, there, strict=True)
                )
            ):
                found.add(Painted.of(there, piece.colours))
    for rule in puzzle.rules.pieces:
        if rule.piece == piece.name:
            region = set(rule.region)
            if rule.kind is RuleKind.INSIDE:
                found = {placement for placement in found if placement <= region}
            elif rule.kind is RuleKind.ON:
                found = {placement for placement in found if placement & region}
            elif rule.kind is RuleKind.OFF:
                found = {placement for placement in found if not placement & region}
            elif rule.kind is RuleKind.FORBID:
                found = {placement for placement in found if placement != region}
            elif piece.high == 1:
                found = {placement for placement in found if placement == region}
    return found


def solutions(puzzle: Puzzle) -> set[Solution]:
    """Every solution, by trying all sets of disjoint placements, piece by piece."""
    order = [sorted(placements(puzzle, number), key=_rank) for number in range(len(puzzle.pieces))]
    needed = {location.at for location in puzzle.locations if not location.optional}
    optional = {location.at for location in puzzle.locations if location.optional}
    found: set[Solution] = set()

    def rest(number: int, covered: frozenset[Cell], chosen: tuple[frozenset[frozenset[Cell]], ...]) -> None:
        if number == len(puzzle.pieces):
            bare = len(optional - covered)
            enough = puzzle.rules.empty is None or puzzle.rules.empty[0] <= bare <= puzzle.rules.empty[1]
            if needed <= covered and enough and not crosses(puzzle, chosen):
                found.add(chosen)
            return
        piece = puzzle.pieces[number]
        # A fixed piece is always placed, even if it might otherwise be left out.
        fixed = any(rule.kind is RuleKind.FIX and rule.piece == piece.name for rule in puzzle.rules.pieces)
        for taken, now in subsets(order[number], covered, piece.high):
            if len(taken) >= max(piece.low, int(fixed)):
                rest(number + 1, now, (*chosen, frozenset(taken)))

    rest(0, frozenset(), ())
    return found


def _rank(placement: frozenset[Cell]) -> str:
    return repr((sorted(placement), sorted(placement.paint, key=repr) if isinstance(placement, Painted) else ()))


def subsets(
    candidates: list[frozenset[Cell]], covered: frozenset[Cell], most: int
) -> Iterator[tuple[tuple[frozenset[Cell], ...], frozenset[Cell]]]:
    """Every set of at most ``most`` disjoint candidates that avoid the covered cells."""
    yield (), covered
    if most:
        for index, candidate in enumerate(candidates):
            if not candidate & covered:
                for taken, now in subsets(candidates[index + 1 :], covered | candidate, most - 1):
                    yield (candidate, *taken), now


@cache
def corners(turn: Matrix, kind: CellKind) -> set[Cell]:
    """Return the corners of a kind of cell after a rotation or reflection, in sixths."""
    return {tuple(round(6 * value) for value in apply(turn, corner)) for corner in kind.outline}  # type: ignore[arg-type]


def lies_on_cells(lattice: Lattice, turn: Matrix, vector: Cell, number: int) -> bool:
    """Whether cells of each kind move onto cells of that kind, and corners onto corners."""
    kind = lattice.kinds[number]
    image = lattice.class_of(plus(apply(turn, kind.at), vector))
    return image >= 0 and corners(turn, kind) == corners(identity(lattice.dimension), lattice.kinds[image])


def moves(puzzle: Puzzle) -> list[dict[Cell, Cell]]:
    """Return how the cells move under each isometry of the lattice that maps the board with its colours to itself."""
    lattice = puzzle.lattice
    assert lattice is not None
    cells = {location.at: (location.colour, location.optional) for location in puzzle.locations}
    at = board(puzzle)
    home = {cell: point for point, cell in reversed(at.items())}
    assert all(lattice.point(cell) == point for cell, point in home.items())
    start, *others = home.values()
    inside = sight(puzzle, start)

    near = [point for point in at if inside(point)]
    found: dict[frozenset[tuple[Cell, Cell]], dict[Cell, Cell]] = {}
    for turn in lattice.isometries:
        for goal in home.values():
            vector = tuple(a - b for a, b in zip(goal, apply(turn, start), strict=True))
            if not all(lies_on_cells(lattice, turn, vector, number) for number in range(len(lattice.kinds))):
                continue  # cells would move to points without cells, or onto cells of another kind
            move = {at[point]: at.get(plus(apply(turn, point), vector), ()) for point in (start, *others)}
            if set(move.values()) != set(move) or any(cells[new] != cells[old] for old, new in move.items()):
                continue
            # Points of one location on a wrap-around board must stay points of one location, within the window.
            images = ((point, plus(apply(turn, point), vector)) for point in near)
            if puzzle.wraps and any(
                at.get(image, ()) != move[at[point]]
                or not goes_well(puzzle, turn, vector, point, lattice.point(at[point]))
                for point, image in images
                if inside(image)
            ):
                continue
            found[frozenset(move.items())] = move
    return list(found.values())


def symmetries(puzzle: Puzzle) -> list[tuple[dict[Cell, Cell], list[int]]]:
    """Every symmetry: how it moves the cells, and how it permutes the pieces (equal pieces in their order)."""
    sets = [frozenset(placements(puzzle, number)) for number in range(len(puzzle.pieces))]
    fixed = {rule.piece for rule in puzzle.rules.pieces if rule.kind is RuleKind.FIX}
    bounds = [(max(piece.low, int(piece.name in fixed)), piece.high) for piece in puzzle.pieces]
    found = []
    for move in moves(puzzle):
        pieces: list[int] = []
        for number, own in enumerate(sets):
            image = frozenset(moved(placement, move) for placement in own)
            same = [k for k in range(len(sets)) if (sets[k], bounds[k]) == (image, bounds[number])]
            twins = [k for k in range(number) if (sets[k], bounds[k]) == (own, bounds[number])]
            if len(same) <= len(twins):
                break
            pieces.append(same[len(twins)])
        else:
            found.append((move, pieces))
    return found


def orbits(puzzle: Puzzle) -> int:
    """The number of distinct solutions: orbits of the solutions under the symmetries."""
    group = symmetries(puzzle)
    left = solutions(puzzle)
    number = 0
    while left:
        number += 1
        solution = next(iter(left))
        left -= {image(solution, move, pieces) for move, pieces in group}
    return number


def image(solution: Solution, move: dict[Cell, Cell], pieces: list[int]) -> Solution:
    """Return the image of a solution under a symmetry."""
    found: list[frozenset[frozenset[Cell]]] = [frozenset()] * len(solution)
    for number, taken in enumerate(solution):
        found[pieces[number]] = frozenset(moved(placed, move) for placed in taken)
    return tuple(found)


def covers(cover: ExactCover) -> list[tuple[int, ...]]:
    """Every exact cover, by trying every set of options."""
    found = []
    rows = [cover.entries(option) for option in range(len(cover))]
    for chosen in product((0, 1), repeat=len(rows)):
        taken = [0] * cover.primary
        colours: dict[int, int] = {}
        fits = True
        for row in (row for row, used in zip(rows, chosen, strict=True) if used):
            for item, colour in row:
                if item < cover.primary:
                    taken[item] += 1
                elif item in colours and (colour == 0 or colours[item] != colour):
                    fits = False
                else:
                    colours[item] = colour
        if fits and all(a <= n <= b for n, a, b in zip(taken, cover.low, cover.high, strict=True)):
            found.append(tuple(option for option, used in enumerate(chosen) if used))
    return sorted(found)
