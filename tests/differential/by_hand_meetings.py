"""Rules about how pieces meet, by their definition: from the outlines of cells, on paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from puzzlec.geometry import Cell, Lattice, Matrix
from puzzlec.geometry.lattice import determinant
from puzzlec.ir import Meeting, MeetingKind, Payer, Puzzle, RuleKind
from puzzlec.ir.location import Address
from tests import brute
from tests.differential.lying import Lying

Place = tuple[float, ...]
#: The owner of each location: the number of a piece and of its copy.
Owner = Mapping[Address, tuple[int, int]]


def meets(puzzle: Puzzle, laid: Sequence[frozenset[Lying]]) -> bool:
    """Whether a solution obeys all rules about how pieces meet."""
    owner = owners(laid)
    return all(_obeys(puzzle, meeting, owner, laid) for meeting in puzzle.rules.meetings)


def price(puzzle: Puzzle, laid: Sequence[frozenset[Lying]]) -> int:
    """Return the cost of all crossroads and faults of a solution."""
    owner, total = owners(laid), 0
    for meeting, value in _paid(puzzle):
        if meeting.kind is MeetingKind.CROSSROADS:
            here = [{owner[at] for at in near if at in owner} for near in set(points(puzzle, meeting))]
            total += value * sum(len(own) > 3 for own in here)
        else:
            ends = [
                [{owner[at] for at in side if at in owner} for side in pair] for pair in lines(puzzle, meeting.motion)
            ]
            total += value * sum(one.isdisjoint(two) for one, two in ends)
    return total


def _paid(puzzle: Puzzle) -> list[tuple[Meeting, int]]:
    """Return the costs of crossroads and faults, as the rules that would forbid them, with their values."""
    kinds = {Payer.CROSSROADS: MeetingKind.CROSSROADS, Payer.FAULTS: MeetingKind.FAULTS}
    return [
        (Meeting(kinds[cost.payer], motion=cost.name, where=cost.where, region=cost.region), cost.value)
        for cost in puzzle.costs
        if cost.payer in kinds
    ]


def owners(laid: Sequence[frozenset[Lying]]) -> Owner:
    """Return the owner of each covered location."""
    owner: dict[Address, tuple[int, int]] = {}
    for number, own in enumerate(laid):
        for copy, lying in enumerate(sorted(own, key=lambda lying: sorted(map(str, lying.cells)))):
            owner.update(dict.fromkeys(lying.cells, (number, copy)))
    return owner


def _obeys(puzzle: Puzzle, meeting: Meeting, owner: Owner, laid: Sequence[frozenset[Lying]]) -> bool:
    kind = meeting.kind
    if kind is MeetingKind.SYMMETRIC:
        return _is_symmetric(puzzle, meeting.motion, laid)
    if kind is MeetingKind.CROSSROADS:
        return all(len({owner[at] for at in near if at in owner}) <= meeting.high for near in points(puzzle, meeting))
    if kind is MeetingKind.FAULTS:
        for one, two in lines(puzzle, meeting.motion):
            if not {owner[at] for at in one if at in owner} & {owner[at] for at in two if at in owner}:
                return False
        return True
    wanted = [[piece.name for piece in puzzle.pieces].index(name) for name in meeting.pieces]
    touching = [
        {owner[one], owner[two]}
        for one, two in beside(puzzle, meeting.corners)
        if one in owner and two in owner and owner[one] != owner[two]
    ]
    pairs = [pair for pair in touching if {number for number, _ in pair} <= set(wanted)]
    if kind is MeetingKind.APART:
        return not pairs
    return any({number for number, _ in pair} == set(wanted) for pair in pairs)


def cells_of(puzzle: Puzzle) -> list[Cell]:
    return [location.at for location in puzzle.locations if isinstance(location.at, tuple)]


def corners_at(lattice: Lattice, point: Cell) -> frozenset[Place]:
    """Return the corners of the cell at a point, in coordinates of points."""
    outline = lattice.kinds[lattice.class_of(point)].outline
    return frozenset(tuple(round(a + b, 4) + 0.0 for a, b in zip(point, corner, strict=False)) for corner in outline)


def _unwrapped(puzzle: Puzzle) -> dict[Cell, Cell]:
    """Return the cell of the board at each point; on a board that wraps around, also of points some way beyond."""
    lattice = puzzle.lattice
    assert lattice is not None
    if not puzzle.wraps:
        return {lattice.point(cell): cell for cell in cells_of(puzzle)}
    return brute.board(puzzle)


@brute.once
def points(puzzle: Puzzle, meeting: Meeting) -> list[frozenset[Cell]]:
    """Return the locations around each point; in space, around each segment that four cells share."""
    lattice = puzzle.lattice
    assert lattice is not None
    size = 2 if lattice.dimension > 2 and not lattice.of_edges else 1
    at: dict[object, set[Cell]] = {}
    for point, cell in _unwrapped(puzzle).items():
        for shared in combinations(sorted(corners_at(lattice, point)), size):
            at.setdefault(shared, set()).add(cell)
    found = []
    region = set(meeting.region)
    own = [corners_at(lattice, lattice.point(cell)) for cell in cells_of(puzzle)]
    # Far beyond the board, cells are missing around a point.
    for near in [at[shared] for shared in {shared for each in own for shared in combinations(sorted(each), size)}]:
        keeps = {
            "": True, "inside": near <= region, "on": bool(near & region), "off": not near & region
        }[meeting.where]  # fmt: skip
        if len(near) > meeting.high and keeps:
            found.append(frozenset(near))
    return found


@brute.once
def beside(puzzle: Puzzle, corners: bool) -> set[tuple[Cell, Cell]]:
    """Return the pairs of locations that share a side, or that share a corner."""
    lattice = puzzle.lattice
    assert lattice is not None
    board = _unwrapped(puzzle)
    found = set()
    for point, cell in board.items():
        for step in lattice.kinds[lattice.class_of(point)].neighbours:
            if (other := board.get(brute.plus(point, step))) is not None:
                found.add((cell, other))
    if corners:
        at: dict[Place, set[Cell]] = {}
        for point, cell in board.items():
            for corner in corners_at(lattice, point):
                at.setdefault(corner, set()).add(cell)
        found.update(pair for near in at.values() for pair in combinations(near, 2))
    return found


@brute.once
def lines(puzzle: Puzzle, axis: str) -> list[tuple[set[Cell], set[Cell]]]:
    """Return the two sides of each line, or plane, through corners that two neighbours share and that cuts no cell."""
    lattice = puzzle.lattice
    assert lattice is not None
    corners = {cell: corners_at(lattice, lattice.point(cell)) for cell in cells_of(puzzle)}
    found, seen = [], set()
    for one, two in beside(puzzle, corners=False):
        shared = sorted(corners[one] & corners[two])
        for chosen in combinations(shared, lattice.dimension):
            distance = _distance(chosen)
            if all(abs(distance(tuple(int(k == j) + chosen[0][k] for k in range(lattice.dimension)))) < 1e-6
                   for j in range(lattice.dimension)):  # fmt: skip
                continue
            if axis and not _is_across(chosen, "xyz".index(axis)):
                continue
            sides: tuple[set[Cell], set[Cell]] = (set(), set())
            for cell, own in corners.items():
                values = [distance(corner) for corner in own]
                if min(values) < -1e-6 and max(values) > 1e-6:
                    break
                sides[max(values) > 1e-6].add(cell)
            else:
                key = frozenset(map(frozenset, sides))
                if key not in seen:
                    seen.add(key)
                    found.append(sides)
    return found


def _is_across(chosen: Sequence[Place], axis: int) -> bool:
    """Whether a coordinate is the same at some corners, which no other coordinate is."""
    constant = [k for k in range(len(chosen)) if len({corner[k] for corner in chosen}) == 1]
    return constant == [axis]


def _distance(chosen: Sequence[Place]):  # type: ignore[no-untyped-def]
    """Return a function with the signed volume that a place and some corners span."""
    first, *others = chosen

    def volume(place: Place) -> float:
        rows = [[a - b for a, b in zip(other, first, strict=False)] for other in (*others, place)]
        if len(rows) == 1:
            return rows[0][0]
        if len(rows) == 2:
            (a, b), (c, d) = (row[:2] for row in rows)
            return a * d - b * c
        (a, b, c), (d, e, f), (g, h, i) = rows
        return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)

    return volume


def motion(lattice: Lattice, words: str) -> Matrix | None:
    """Return a matrix of the lattice whose action on paper has these words."""
    size = lattice.dimension
    name, _, axis = words.partition(" ")
    number = "xyz".find(axis) if axis else -1
    unit = [tuple(float(k == j) for k in range(size)) for j in range(size)]
    for turn in lattice.isometries:
        images = [lattice.on_paper(brute.apply(turn, tuple(int(v) for v in vector))) for vector in unit]
        sources = [lattice.on_paper(tuple(int(v) for v in vector)) for vector in unit]
        # The signs of what the motion does to distances along and around the axis, and its trace.
        trace = sum(turn[k][k] for k in range(size))
        det = determinant(turn)
        along = all(abs(image[number] - source[number]) < 1e-6 for image, source in zip(images, sources, strict=True))
        against = all(abs(image[number] + source[number]) < 1e-6 for image, source in zip(images, sources, strict=True))
        if name == "mirror" and axis == "diagonal":
            if all(abs(i[0] - s[1]) + abs(i[1] - s[0]) < 1e-6 for i, s in zip(images, sources, strict=True)):
                return turn
        elif (name == "mirror" and det == -1 and against and trace == size - 2) or (
            name == "inversion" and trace == -size
        ):
            return turn
        elif name.endswith("-turn") and det == 1 and (size == 2 or along):
            angle = {"half-turn": -2, "third-turn": -1, "quarter-turn": 0, "sixth-turn": 1}[name]
            if trace == angle + (size - 2):
                return turn
    return None


@brute.once
def images(puzzle: Puzzle, words: str) -> dict[Address, Address] | None:
    """Return the image of each location under a motion; None if it does not keep the board."""
    lattice = puzzle.lattice
    assert lattice is not None
    turn = motion(lattice, words)
    if turn is None:
        return None
    board = {lattice.point(cell): cell for cell in cells_of(puzzle)}
    moved = {point: brute.apply(turn, point) for point in board}
    low = tuple(map(min, zip(*board, strict=True)))
    there = tuple(map(min, zip(*moved.values(), strict=True)))
    shift = tuple(a - b for a, b in zip(low, there, strict=True))
    found = {board[point]: board.get(brute.plus(image, shift)) for point, image in moved.items()}
    if None in found.values() or not all(
        brute.lies_on_cells(lattice, turn, shift, kind) for kind in range(len(lattice.kinds))
    ):
        return None
    return found  # type: ignore[return-value]


def _is_symmetric(puzzle: Puzzle, words: str, laid: Sequence[frozenset[Lying]]) -> bool:
    to = images(puzzle, words)
    assert to is not None
    twin = twins(puzzle, words)
    return all({_image(lying, to) for lying in own} == set(laid[twin[number]]) for number, own in enumerate(laid))


def _image(lying: Lying, to: Mapping[Address, Address]) -> Lying:
    return Lying(frozenset(to[at] for at in lying.cells), (), frozenset((to[at], own) for at, own in lying.paint))


def lopsided(puzzle: Puzzle, ways: list[set[Lying]]) -> list[set[Lying]]:
    """Return placements without those that overlap an image under a symmetry, or have none, or too many of a piece."""
    fixed = {rule.piece for rule in puzzle.rules.pieces if rule.kind is RuleKind.FIX}
    high = [max(piece.high, int(piece.name in fixed)) for piece in puzzle.pieces]
    for meeting in puzzle.rules.meetings:
        to = images(puzzle, meeting.motion) if meeting.kind is MeetingKind.SYMMETRIC else None
        if to is None:
            continue
        twin = twins(puzzle, meeting.motion)
        kept: list[set[Lying]] = []
        for number, own in enumerate(ways):
            kept.append(set())
            for lying in own:
                orbit = [(number, lying)]
                while True:
                    piece, last = orbit[-1]
                    after = twin[piece], _image(last, to)
                    if after[1] not in ways[after[0]] or after == orbit[0] or after in orbit:
                        break
                    orbit.append(after)
                is_whole = after == orbit[0]
                is_apart = sum(len(one.cells) for _, one in orbit) == len({at for _, one in orbit for at in one.cells})
                often = Counter(piece for piece, _ in orbit)
                if is_whole and is_apart and all(often[piece] <= high[piece] for piece in often):
                    kept[-1].add(lying)
        ways = kept
    return ways


def role(puzzle: Puzzle, name: str) -> tuple[int, bool]:
    """Return in which rules about how pieces meet a piece takes part."""
    apart = [int(one.corners) for one in puzzle.rules.meetings if one.kind is MeetingKind.APART and name in one.pieces]
    return max(apart, default=-1), any(
        one.kind is MeetingKind.TOUCHING and name in one.pieces for one in puzzle.rules.meetings
    )


@brute.once
def twins(puzzle: Puzzle, words: str) -> list[int]:
    """Return for each piece the one with its moved shape and as many copies, or itself.

    Of several alike, the first goes to the first one, and so on. Each piece is the image of one piece.
    """
    lattice = puzzle.lattice
    assert lattice is not None
    turn = motion(lattice, words)
    assert turn is not None

    def looks(number: int, after: Matrix | None) -> frozenset[object]:
        piece = puzzle.pieces[number]
        found = set()
        for way in piece.turns:
            placed = [brute.apply(way, lattice.point(cell)) for cell in piece.cells]
            placed = [brute.apply(after, point) for point in placed] if after else placed
            first = min(placed)
            kind = lattice.class_of(first)
            found.add(
                (kind, frozenset((tuple(a - b for a, b in zip(point, first, strict=True)), colour)
                          for point, colour in zip(placed, piece.colours, strict=True)))
            )  # fmt: skip
        return frozenset(found)

    shapes, images = (
        [(looks(number, after), piece.low, piece.high) for number, piece in enumerate(puzzle.pieces)]
        for after in (None, turn)
    )
    first = {}
    for number, image in enumerate(images):
        goals = [other for other, shape in enumerate(shapes) if shape == image]
        rank = shapes[:number].count(shapes[number])
        if rank < len(goals):
            first[number] = goals[rank]
    found = []
    for number in range(len(shapes)):
        last = first.get(number)
        while last not in (None, number):
            last = first.get(last)
        found.append(number if last is None else first[number])
    return found


def kept(puzzle: Puzzle, move: Mapping[Cell, Cell], to: Sequence[int]) -> bool:
    """Whether a movement of the locations, which takes each piece to another one, keeps all rules."""
    names = [piece.name for piece in puzzle.pieces]
    said = {one for meeting in puzzle.rules.meetings for one in _meanings(puzzle, meeting, None, {})}
    image = {name: names[to[number]] for number, name in enumerate(names)}
    prices: list[Counter[object]] = [Counter(), Counter()]
    for meeting, value in _paid(puzzle):
        for place, goal in zip(prices, (None, move), strict=True):
            for meaning in set(_meanings(puzzle, meeting, goal, {})):
                place[meaning] += value
    if {one: value for one, value in prices[0].items() if value} != {
        one: value for one, value in prices[1].items() if value
    }:
        return False
    return said == {one for meeting in puzzle.rules.meetings for one in _meanings(puzzle, meeting, move, image)}


def _meanings(
    puzzle: Puzzle, meeting: Meeting, move: Mapping[Cell, Cell] | None, image: Mapping[str, str]
) -> Iterator[object]:
    """Yield what a rule is about, after a movement: each point or line, or all pairs of locations."""

    def there(cells: object) -> frozenset[Cell]:
        return frozenset(move[at] if move else at for at in cells)  # type: ignore[attr-defined]

    pieces = frozenset(image.get(name, name) for name in meeting.pieces)
    if meeting.kind is MeetingKind.CROSSROADS:
        yield from ((meeting.kind, meeting.high, there(near)) for near in points(puzzle, meeting))
    elif meeting.kind is MeetingKind.FAULTS:
        yield from ((meeting.kind, frozenset(map(there, pair))) for pair in lines(puzzle, meeting.motion))
    elif meeting.kind is MeetingKind.SYMMETRIC:
        to = images(puzzle, meeting.motion)
        assert to is not None
        yield meeting.kind, frozenset(there(pair) for pair in to.items())
    else:
        yield meeting.kind, pieces, frozenset(map(there, beside(puzzle, meeting.corners)))
