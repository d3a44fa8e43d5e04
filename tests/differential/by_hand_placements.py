"""All placements of the pieces of a small puzzle, in every orientation and at every place."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from operator import add, sub

from puzzlec.geometry import Cell, Lattice
from puzzlec.geometry.lattice import Point
from puzzlec.ir import Piece, Puzzle, RuleKind
from tests import brute
from tests.differential import by_hand_rules
from tests.differential.lying import Lying

#: The last puzzle, and its placements.
_last: list[tuple[Puzzle, list[set[Lying]]]] = []


def placements(puzzle: Puzzle) -> list[set[Lying]]:
    """Return all placements of each piece; other pieces avoid the locations of fixed copies."""
    if not _last or _last[0][0] is not puzzle:
        _last[:] = [(puzzle, _placements(puzzle))]
    return _last[0][1]


def _placements(puzzle: Puzzle) -> list[set[Lying]]:
    found = [_allowed(puzzle, number) for number in range(len(puzzle.pieces))]
    for rule in puzzle.rules.pieces:
        if rule.kind is RuleKind.FIX and puzzle.piece_named[rule.piece].high > 1:
            region = frozenset(rule.region)
            own = [piece.name for piece in puzzle.pieces].index(rule.piece)
            for number, ways in enumerate(found):
                found[number] = {
                    lying
                    for lying in ways
                    if not lying.cells & region
                    or (number == own and lying.cells == region and rule.sides in ((), lying.sides))
                }  # fmt: skip
    return by_hand_rules.obeying(puzzle, found) if puzzle.rules.regions or puzzle.rules.meetings else found


def _allowed(puzzle: Puzzle, number: int) -> set[Lying]:
    """Return the placements of a piece by its shape and its rules."""
    piece = puzzle.pieces[number]
    found: set[Lying]
    if piece.covers is not None:
        found = {Lying(frozenset(cover)) for cover in piece.covers}
    elif piece.sides:
        found = _tiles(puzzle, number)
    else:
        found = _shapes(puzzle, number)
    for rule in puzzle.rules.pieces:
        if rule.piece != piece.name:
            continue
        region = frozenset(rule.region)
        if rule.kind is RuleKind.INSIDE:
            found = {lying for lying in found if lying[0] <= region}
        elif rule.kind is RuleKind.ON:
            found = {lying for lying in found if lying[0] & region}
        elif rule.kind is RuleKind.OFF:
            found = {lying for lying in found if not lying[0] & region}
        elif rule.kind is RuleKind.FORBID:
            found = {lying for lying in found if lying[0] != region or rule.sides not in ((), lying[1])}
        elif piece.high == 1:
            found = {lying for lying in found if lying[0] == region and rule.sides in ((), lying[1])}
    return found


def _shapes(puzzle: Puzzle, number: int) -> set[Lying]:
    """Return the placements of a shape: every orientation, with its first cell on every cell."""
    piece, lattice = puzzle.pieces[number], puzzle.lattice
    assert lattice is not None
    at = brute.board(puzzle)
    colour = {location.at: location.colour for location in puzzle.locations}
    twisted = any(wrap.twisted for wrap in puzzle.wraps)
    goals = (
        list(at)
        if twisted
        else [lattice.point(location.at) for location in puzzle.locations if isinstance(location.at, tuple)]
    )
    # Under a rule on a region, a piece of one colour also shows it.
    several = len(set(piece.colours)) > 1 or (bool(puzzle.rules.regions) and any(piece.colours))
    found: set[Lying] = set()
    for cells in _bodies(lattice, piece, goals, at):
        if len(set(cells)) == len(cells) and all(
            wanted is None or colour[cell] in (None, wanted) or (wanted, colour[cell]) in puzzle.colours.allowed
            for wanted, cell in zip(piece.colours, cells, strict=True)
        ):
            paint = zip(cells, piece.colours, strict=True) if several else ()
            found.add(Lying(frozenset(cells), (), frozenset(paint)))
    return found


def _bodies(lattice: Lattice, piece: Piece, goals: list[Point], at: dict[Point, Cell]) -> Iterator[list[Cell]]:
    """Yield a shape in every orientation, with its first cell on each goal; balls move as a rigid body."""
    own = [lattice.point(cell) for cell in piece.cells]
    turns = set(piece.turns)
    if lattice.of_balls and turns in ({*lattice.rotations}, {*lattice.isometries}):
        for goal in goals:
            for points in brute.rigid(lattice, own, turns == {*lattice.rotations}, goal, at):
                yield [at[point] for point in points]
        return
    forms: dict[tuple[int, tuple[Point, ...]], None] = {}
    for turn in piece.turns:
        images = [brute.apply(turn, point) for point in own]
        steps = tuple([tuple(map(sub, point, images[0])) for point in images])
        forms[lattice.class_of(images[0]), steps] = None
    kind_of = [lattice.class_of(goal) for goal in goals]
    for (kind, steps), (goal, own_kind) in product(forms, zip(goals, kind_of, strict=True)):
        if own_kind != kind:
            continue
        cells = []
        for step in steps:
            cell = at.get(tuple(map(add, goal, step)))
            if cell is None:
                break
            cells.append(cell)
        else:
            yield cells


def _tiles(puzzle: Puzzle, number: int) -> set[Lying]:
    """Return the placements of a tile: on each location, in each orientation with border colours on the border."""
    piece, lattice = puzzle.pieces[number], puzzle.lattice
    assert lattice is not None
    at = brute.board(puzzle)
    own = lattice.point(piece.cells[0])
    steps = lattice.kinds[lattice.class_of(own)].neighbours
    found: set[Lying] = set()
    for turn in piece.turns:
        colour = {brute.apply(turn, step): side for step, side in zip(steps, piece.sides, strict=True)}
        for location in puzzle.locations:
            assert isinstance(location.at, tuple)
            goal = lattice.point(location.at)
            if lattice.class_of(brute.apply(turn, own)) != lattice.class_of(goal):
                continue
            beyond = lattice.kinds[lattice.class_of(goal)].neighbours
            on_border = [step for step in beyond if brute.plus(goal, step) not in at]
            if puzzle.colours.frame is None or all(colour[step] in puzzle.colours.frame for step in on_border):
                found.add(Lying(frozenset([location.at]), tuple(colour[step] for step in beyond)))
    return found
