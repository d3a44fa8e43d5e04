"""All solutions of a small puzzle, by covering one location after the other.

Nothing here uses the lowering or the engine. Separate code finds placements, locations are searched in order, and
results are cells and colours of sides.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product, repeat

from puzzlec.geometry import Cell
from puzzlec.ir import Fitting, Puzzle, RuleKind
from puzzlec.ir.location import Address
from tests import brute
from tests.differential import by_hand_meetings
from tests.differential.by_hand_placements import placements
from tests.differential.by_hand_rules import counted_right, demands, obeys
from tests.differential.lying import Lying

#: A solution: for each piece the set of its placements.
Laid = tuple[frozenset[Lying], ...]

#: Puzzles with more solutions or more steps of the search are too large for brute force.
MOST_SOLUTIONS, MOST_STEPS = 600, 4_000


class TooLargeError(Exception):
    """A puzzle has too many solutions, or takes too many steps, for brute force."""


def solutions(puzzle: Puzzle) -> set[Laid]:
    """Return every solution; raise :class:`TooLargeError` if there are too many."""
    pieces = puzzle.pieces
    fixed = [rule for rule in puzzle.rules.pieces if rule.kind is RuleKind.FIX]
    need = [max(piece.low, int(any(rule.piece == piece.name for rule in fixed))) for piece in pieces]
    found = _laid(
        [location.at for location in puzzle.locations],
        {location.at for location in puzzle.locations if location.optional},
        placements(puzzle),
        [(low, max(low, piece.high)) for low, piece in zip(need, pieces, strict=True)],
        puzzle.rules.empty,
        _joints(puzzle),
        dict(puzzle.colours.mates),
    )
    number = {piece.name: index for index, piece in enumerate(pieces)}
    for rule in fixed:
        region = frozenset(rule.region)
        found = {
            laid
            for laid in found
            if any(cells == region and rule.sides in ((), sides) for cells, sides, _ in laid[number[rule.piece]])
        }
    rules = demands(puzzle)
    if rules:
        found = {laid for laid in found if obeys(rules, (at for own in laid for lying in own for at in lying.paint))}
    found = {laid for laid in found if counted_right(puzzle, laid)}
    found = {laid for laid in found if by_hand_meetings.meets(puzzle, laid)}
    ways = _crossings(puzzle)
    return {laid for laid in found if not any(_cross(laid, pairs) for pairs in ways)}


def _crossings(puzzle: Puzzle) -> set[frozenset[tuple[Cell, Cell]]]:
    """Return the ways straight through each point of the grid at which pieces may not cross, as pairs of cells."""
    lattice = puzzle.lattice
    if lattice is None or puzzle.rules.crossing or not lattice.crossings:
        return set()
    at = brute.board(puzzle)
    ends = {
        brute.plus(point, tuple(map(int, end)))
        for point in at
        for end in lattice.kinds[lattice.class_of(point)].outline
    }
    found = set()
    for middle, ways in product(ends, lattice.crossings):
        cells = [(at.get(brute.plus(middle, one)), at.get(brute.plus(middle, two))) for one, two in ways]
        found.add(frozenset((one, two) for one, two in cells if one and two))
    return {pairs for pairs in found if len(pairs) > 1}


def _cross(laid: Laid, pairs: frozenset[tuple[Cell, Cell]]) -> bool:
    """Whether two placements pass through a point by two of its ways."""
    return sum(any(one in cells and two in cells for one, two in pairs) for own in laid for cells, *_ in own) > 1


def _joints(puzzle: Puzzle) -> dict[Address, list[tuple[Address, int]]]:
    """Return the neighbour beyond each side of a tile on each location, and the number of that side from there."""
    lattice = puzzle.lattice
    if lattice is None or not any(piece.sides for piece in puzzle.pieces):
        return {}
    at = brute.board(puzzle)
    found: dict[Address, list[tuple[Address, int]]] = {}
    for location in puzzle.locations:
        assert isinstance(location.at, tuple)
        point = lattice.point(location.at)
        found[location.at] = []
        for step in lattice.kinds[lattice.class_of(point)].neighbours:
            other = brute.plus(point, step)
            back = tuple(-value for value in step)
            kind = lattice.class_of(other)
            side = lattice.kinds[kind].neighbours.index(back)
            found[location.at].append((at.get(other, ""), side))
    return found


def of_fitting(fitting: Fitting) -> set[Laid]:
    """Return every solution of a fitting without tiles and crossings; its locations are numbers."""
    names: list[Address] = [(number,) for number in range(fitting.locations)]
    lying: list[set[Lying]] = [
        {
            Lying(
                frozenset(names[item] for item in row),
                (),
                frozenset(zip(map(names.__getitem__, row), shown, strict=False)),
            )
            for row, shown in zip(piece.placements, piece.colours or repeat(()), strict=False)
        }
        for piece in fitting.pieces
    ]
    bounds = [(piece.low, piece.high) for piece in fitting.pieces]
    return _laid(names, {names[item] for item in fitting.optional}, lying, bounds, fitting.empty, {}, {})


def _laid(
    order: Sequence[Address],
    optional: set[Address],
    lying: list[set[Lying]],
    bounds: list[tuple[int, int]],
    empty: tuple[int, int] | None,
    edges: dict[Address, list[tuple[Address, int]]],
    mates: dict[str, str],
) -> set[Laid]:
    """Return every way to cover the locations, each covered or left empty in their order."""
    bit = {address: 1 << number for number, address in enumerate(order)}
    starting: list[list[tuple[int, int, Lying]]] = [[] for _ in order]
    for piece, own in enumerate(lying):
        for placed in own:
            mask = sum(bit[address] for address in placed[0])
            starting[(mask & -mask).bit_length() - 1].append((mask, piece, placed))
    least, most = (0, len(order)) if empty is None else empty
    used = [0] * len(lying)
    shown: dict[Address, tuple[str, ...]] = {}
    chosen: list[tuple[int, Lying]] = []
    found: set[Laid] = set()
    steps, end = 0, len(order)

    def meets(tile: Lying) -> bool:
        """Whether the sides of a tile agree with the tiles beside it."""
        (here,) = tile[0]
        for (other, side), colour in zip(edges[here], tile[1], strict=True):
            there = tile[1] if other == here else shown.get(other, ())
            if there and there[side] != mates.get(colour, colour):
                return False
        return True

    def rest(number: int, covered: int, bare: int) -> None:
        nonlocal steps
        steps += 1
        if steps > MOST_STEPS or len(found) > MOST_SOLUTIONS:
            raise TooLargeError
        while covered >> number & 1:
            number += 1
        if number == end:
            if bare >= least and all(n >= lowest for n, (lowest, _) in zip(used, bounds, strict=True)):
                sets: list[set[Lying]] = [set() for _ in lying]
                for piece, placed in chosen:
                    sets[piece].add(placed)
                found.add(tuple(map(frozenset, sets)))
            return
        for mask, piece, placed in starting[number]:
            if mask & covered or used[piece] >= bounds[piece][1] or (placed[1] and not meets(placed)):
                continue
            used[piece] += 1
            chosen.append((piece, placed))
            if placed[1]:
                shown[order[number]] = placed[1]
            rest(number + 1, covered | mask, bare)
            shown.pop(order[number], None)
            chosen.pop()
            used[piece] -= 1
        if order[number] in optional and bare < most:
            rest(number + 1, covered, bare + 1)

    rest(0, 0, 0)
    return found
