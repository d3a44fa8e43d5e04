"""Random puzzles for hypothesis: small enough for brute force, and odd enough for cases that a person would not try."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from puzzlec.geometry import Cell, Freedom, Lattice, find_lattice
from puzzlec.geometry.lattice import turned
from puzzlec.geometry.regions import grid
from puzzlec.geometry.wrapping import Wrap, WrapError, Wrapping
from puzzlec.ir import Location, Piece, Puzzle, Rule, RuleKind
from puzzlec.ir.puzzle import PuzzleColours
from puzzlec.ir.rules import PuzzleRules
from puzzlec.lower import place

SIZES = {"line": (6,), "square": (4, 3), "cubic": (2, 2, 2)}
GRID = (2, 2)


@st.composite
def connected(draw: st.DrawFn, name: str, most: int) -> tuple[Cell, ...]:
    """A random polyform, grown cell by cell."""
    lattice = find_lattice(name)
    points = [lattice.kinds[0].at]
    for _ in range(draw(st.integers(0, most - 1))):
        base = draw(st.sampled_from(points))
        step = draw(st.sampled_from(lattice.kinds[lattice.class_of(base)].neighbours))
        point = tuple(a + b for a, b in zip(base, step, strict=True))
        if point not in points:
            points.append(point)
    if len(points) > 2 and draw(st.integers(0, 5)) == 0:
        points.remove(draw(st.sampled_from(points)))  # pieces need not be connected
    return tuple(cell for point in points if (cell := lattice.cell(point)) is not None)


@st.composite
def patch(draw: st.DrawFn, lattice: Lattice, most: int = 12) -> list[Cell]:
    """Some connected cells of any lattice: cells around a random start, the nearest first, some left out."""
    points = [draw(st.sampled_from(lattice.kinds)).at]
    for point in points:
        for step in lattice.kinds[lattice.class_of(point)].neighbours:
            other = tuple(a + b for a, b in zip(point, step, strict=True))
            if other not in points and len(points) < 3 * most:
                points.append(other)
    chosen = (
        points[:most]
        if draw(st.booleans())
        else draw(st.lists(st.sampled_from(points), min_size=3, max_size=most, unique=True))
    )
    return [cell for point in chosen if (cell := lattice.cell(point)) is not None]


@st.composite
def around(draw: st.DrawFn, lattice: Lattice, cells: list[Cell]) -> tuple[Wrap, ...]:
    """Ways in which a board may wrap around; none if it cannot."""
    if not draw(st.booleans()):
        return ()
    extents = [max(axis) - min(axis) + 1 for axis in list(zip(*cells, strict=True))[: lattice.dimension]]
    wraps = []
    for axis in sorted(draw(st.sets(st.integers(0, lattice.dimension - 1), min_size=1, max_size=2))):
        vector = [draw(st.sampled_from((0, 0, 0, 1))) for _ in extents]
        vector[axis] = extents[axis] + draw(st.sampled_from((0, 0, 1)))
        twisted = lattice.name == "square" and vector[1 - axis] == 0 and draw(st.booleans())
        wraps.append(Wrap(tuple(vector), twisted))
    try:
        Wrapping(lattice, wraps, [lattice.point(cell) for cell in cells])
    except WrapError:
        return ()
    return tuple(wraps)


@st.composite
def puzzles(
    draw: st.DrawFn, lattices: tuple[str, ...] = ("line", "square", "cubic"), wrapped: bool = False, most: int = 0
) -> Puzzle:
    """A random puzzle: some cells of a small box, pieces, colours, copies, optional cells, rules.

    ``wrapped``: the board may wrap around; ``most``: instead of a box, at most this many cells of any lattice.
    """
    name = draw(st.sampled_from(lattices))
    lattice = find_lattice(name)
    if most and (name not in SIZES or draw(st.booleans())):
        cells = draw(patch(lattice, most))
    else:
        box: list[Cell] = [()] if name != "sticks" else list(grid(*GRID))
        for size in SIZES.get(name, ()):
            box = [(*cell, x) for cell in box for x in range(size)]
        left_out = draw(st.sets(st.sampled_from(box), max_size=3))
        cells = [cell for cell in box if cell not in left_out]
    wraps = draw(around(lattice, cells)) if wrapped else ()
    colours = draw(st.sampled_from([(), ("r",), ("r", "b")]))
    optional_ones = draw(st.booleans())
    locations = tuple(
        Location(
            cell,
            draw(st.sampled_from((None, *colours))),
            optional_ones and draw(st.integers(0, 3)) == 0,
        )
        for cell in cells
    )
    pieces = []
    for number in range(draw(st.integers(1, 3))):
        shape = draw(connected(name, 4))
        turns = draw(st.sampled_from([lattice.turns(freedom) for freedom in Freedom]))
        low = draw(st.sampled_from([0, 1, 1, 1, 2]))
        high = low + draw(st.sampled_from([0, 0, 0, 1, 3]))
        paint = tuple(draw(st.sampled_from((None, None, *colours))) for _ in shape)
        pieces.append(Piece(f"p{number}", shape, paint, turns, None, low, max(high, 1)))
    allowed = frozenset([("r", "b")]) if colours == ("r", "b") and draw(st.booleans()) else frozenset()
    empty = (0, draw(st.integers(0, 3))) if optional_ones and draw(st.booleans()) else None
    rules = []
    if draw(st.integers(0, 3)) == 0:
        region = tuple(draw(st.sets(st.sampled_from(cells), min_size=1)))
        rules.append(Rule(draw(st.sampled_from([RuleKind.INSIDE, RuleKind.OFF])), "p0", tuple(sorted(region))))
    if pieces[0].high == 1 and draw(st.integers(0, 5)) == 0:
        # A placement that is allowed, fixed or forbidden.
        loose = Puzzle("loose", lattice, locations, tuple(pieces[:1]), PuzzleColours(colours, allowed), wraps=wraps)
        lying = [[cells[location] for location in placement] for placement in place(loose).pieces[0].placements]
        if lying:
            kind = draw(st.sampled_from([RuleKind.FIX, RuleKind.FORBID]))
            rules = [Rule(kind, "p0", tuple(draw(st.sampled_from(lying))))]
    if draw(st.integers(0, 3)) == 0 and pieces[0].low == pieces[0].high == 1:
        # A piece and its mirror image: reflections may swap the two.
        mirror = next(
            (isometry for isometry in lattice.isometries if isometry not in lattice.rotations), lattice.isometries[0]
        )
        points = [turned(mirror, lattice.point(cell)) for cell in pieces[0].cells]
        image = tuple(cell for point in points if (cell := lattice.cell(point)) is not None)
        pieces.append(replace(pieces[0], name="mirrored", cells=image))
    ruled = PuzzleRules(tuple(rules), empty=empty)
    return Puzzle("random", lattice, locations, tuple(pieces), PuzzleColours(colours, allowed), ruled, wraps)
