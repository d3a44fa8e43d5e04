"""Random puzzles for hypothesis: small enough for brute force, odd enough to find what a person would not try."""

from __future__ import annotations

from hypothesis import strategies as st

from puzzlec.geometry import Cell, Freedom, find_lattice
from puzzlec.geometry.regions import grid
from puzzlec.ir import Location, Piece, Puzzle, Rule, RuleKind

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
    return tuple(cell for point in points if (cell := lattice.cell(point)) is not None)


@st.composite
def puzzles(draw: st.DrawFn, lattices: tuple[str, ...] = ("line", "square", "cubic")) -> Puzzle:
    """A random puzzle: some cells of a small box, pieces, colours, copies, optional cells, rules."""
    name = draw(st.sampled_from(lattices))
    lattice = find_lattice(name)
    box: list[Cell] = [()] if name != "sticks" else list(grid(*GRID))
    for size in SIZES.get(name, ()):
        box = [(*cell, x) for cell in box for x in range(size)]
    left_out = draw(st.sets(st.sampled_from(box), max_size=3))
    cells = [cell for cell in box if cell not in left_out]
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
        rules.append(Rule(draw(st.sampled_from([RuleKind.IN, RuleKind.OFF])), "p0", tuple(sorted(region))))
    return Puzzle("random", lattice, locations, tuple(pieces), colours, allowed, empty, tuple(rules))
