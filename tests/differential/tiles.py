"""Random puzzles of tiles whose sides must agree: first all sides are painted, then the tiles are separated."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from puzzlec.geometry import Cell, Freedom, Lattice, Matrix, find_lattice
from puzzlec.geometry.lattice import Point, turned
from puzzlec.ir import Location, Piece, Puzzle, Rule, RuleKind
from puzzlec.ir.puzzle import PuzzleColours
from puzzlec.ir.rules import PuzzleRules
from tests import brute
from tests.differential import priced
from tests.differential.boards import beside, patch, wraps
from tests.differential.geometric import walled

#: The colours of a tile's sides, in the order of the neighbours of its cell.
Sides = tuple[str, ...]

LATTICES = ("square", "square", "square", "hex", "triangle", "cubic", "line", "tetrakis")


def puzzle(chance: Random) -> Puzzle:
    """Return a random puzzle of at most seven tiles."""
    lattice = find_lattice(chance.choice(LATTICES))
    if lattice.name == "square" and chance.random() < 0.5:
        width, height = chance.choice(((2, 1), (2, 2), (3, 1), (3, 2), (3, 3)))
        cells: list[Cell] = [(x, y) for y in range(height) for x in range(width)]
    else:
        cells = patch(chance, lattice, chance.randint(1, 6))
    around = wraps(chance, lattice, cells, tiles=True) if chance.random() < 0.2 else ()
    colours = ("a", "b", "c")[: chance.choice((1, 2, 2, 3))]
    mates = (("a", "b"), ("b", "a")) if len(colours) > 1 and chance.random() < 0.3 else ()
    border = None if chance.random() < 0.6 else tuple(sorted(chance.sample(colours, chance.randint(1, len(colours)))))
    locations = tuple(Location(cell, None, chance.random() < 0.1) for cell in cells)
    painted_sides = PuzzleColours(colours, mates=mates, frame=border)
    bare = Puzzle("tiles", lattice, locations, (), painted_sides, wraps=around)
    turns = lattice.turns(chance.choice((Freedom.FREE, Freedom.ONE_SIDED, Freedom.ONE_SIDED, Freedom.FIXED)))
    home = lattice.cell(lattice.kinds[0].at)
    assert home is not None
    pieces: dict[Sides, Piece] = {}
    shown: dict[str, Sides] = {}
    where: dict[str, Cell] = {}
    for cell, sides in painted(chance, bare).items():
        if chance.random() < 0.2:
            sides = tuple(chance.choice(colours) for _ in sides)
        drawn = as_first_kind(lattice, lattice.class_of(lattice.point(cell)), sides, turns)
        if drawn is None:
            continue  # no rotation puts it on a cell of the first kind
        key = min(looks(drawn, turns, lattice.kinds[0].neighbours))
        name, low, high = f"t{len(pieces)}", 1, 1
        if key in pieces:
            name, low, high, drawn = pieces[key].name, pieces[key].low + 1, pieces[key].high + 1, pieces[key].sides
        pieces[key] = Piece(name, (home,), (None,), turns, None, low, high, drawn)
        where.setdefault(name, cell)
        shown.setdefault(name, sides)
    if not pieces:
        pieces[()] = Piece("t0", (home,), (None,), turns, sides=(colours[0],) * len(lattice.kinds[0].neighbours))
    made = []
    for piece in pieces.values():
        more = chance.choice((0, 0, 0, 1))
        made.append(replace(piece, low=max(0, piece.low - more), high=piece.high + chance.choice((0, 0, more))))
    empty = (
        (0, chance.randint(0, 2))
        if any(location.optional for location in locations) and chance.random() < 0.5
        else None
    )
    rules: tuple[Rule, ...] = ()
    known = [piece for piece in made if piece.name in where]
    if known and chance.random() < 0.25:
        piece = chance.choice(known)
        kind = chance.choice((RuleKind.FORBID, RuleKind.FIX, RuleKind.ON))
        sides = shown[piece.name] if chance.random() < 0.6 and kind is not RuleKind.ON else ()
        rules = (Rule(kind, piece.name, (where[piece.name],), sides),)
    found = Puzzle("tiles", lattice, locations, tuple(made), painted_sides, PuzzleRules(rules, empty=empty), around)
    return priced.somehow(chance, walled(chance, found))


def painted(chance: Random, puzzle: Puzzle) -> dict[Cell, Sides]:
    """Return the colours of the sides of each location: they agree between two locations, and on the border."""
    lattice = puzzle.lattice
    assert lattice is not None
    at = brute.board(puzzle)
    mate = dict(puzzle.colours.mates)
    found: dict[tuple[Cell, int], str] = {}
    cells = [location.at for location in puzzle.locations if isinstance(location.at, tuple)]
    for cell in cells:
        point = lattice.point(cell)
        for side, other in enumerate(beside(lattice, point)):
            if other not in at:
                found[cell, side] = chance.choice(puzzle.colours.frame or puzzle.colours.names)
            elif (cell, side) not in found:
                found[cell, side] = colour = chance.choice(puzzle.colours.names)
                back = [tuple(a - b for a, b in zip(point, other, strict=True))]
                own = lattice.kinds[lattice.class_of(other)].neighbours.index(back[0])
                found[at[other], own] = mate.get(colour, colour)
    number = {cell: len(beside(lattice, lattice.point(cell))) for cell in cells}
    return {cell: tuple(found[cell, side] for side in range(number[cell])) for cell in cells}


def as_first_kind(lattice: Lattice, kind: int, sides: Sides, turns: tuple[Matrix, ...]) -> Sides | None:
    """Return the sides of a tile after a rotation onto a cell of the first kind; None if there is none."""
    after = lattice.kinds[0].neighbours
    for turn in turns:
        colour = {turned(turn, step): side for step, side in zip(lattice.kinds[kind].neighbours, sides, strict=True)}
        if set(colour) == set(after) and lattice.class_of(turned(turn, lattice.kinds[kind].at)) == 0:
            return tuple(colour[step] for step in after)
    return None


def looks(sides: Sides, turns: tuple[Matrix, ...], steps: tuple[Point, ...]) -> list[Sides]:
    """Return a tile of the first kind in each rotation that keeps its kind."""
    found = [sides]
    for turn in turns:
        colour = {turned(turn, step): side for step, side in zip(steps, sides, strict=True)}
        if set(colour) == set(steps):
            found.append(tuple(colour[step] for step in steps))
    return found
