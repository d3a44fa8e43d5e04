"""Random fittings and exact covers for hypothesis, with everything that these levels can express."""

from __future__ import annotations

from itertools import cycle

from hypothesis import strategies as st

from puzzlec.engine.problem import ExactCover
from puzzlec.ir import ANY, Fitting, Placements
from puzzlec.ir.fitting import FittingPiece

#: Names that are hard for formats: spaces, quotes, signs of XML and JSON, letters beyond ASCII.
names = st.text(st.sampled_from("aB0 ,:|\"'\\<>&/Ä€𝄞"), max_size=6)

bounds = st.tuples(st.integers(0, 3), st.sampled_from([0, 0, 1, 5, ANY])).map(
    lambda pair: (pair[0], min(sum(pair), ANY))
)


@st.composite
def fittings(draw: st.DrawFn, plain: bool = False) -> Fitting:
    """A random fitting: copies, optional locations, names, crossings, tiles. ``plain``: each piece is used once."""
    size = draw(st.integers(1, 6))
    locations = st.integers(0, size - 1)
    pieces = []
    for _ in range(draw(st.integers(0, 3))):
        rows = draw(st.lists(st.sets(locations, min_size=1), max_size=4, unique_by=frozenset))
        low, high = (1, 1) if plain else draw(bounds)
        shown: list[tuple[str | None, ...]] = []
        if not plain and draw(st.booleans()):
            rows = [row for row in rows for _ in "ab"]
            shown = [(way, *[None] * (len(row) - 1)) for row, way in zip(rows, cycle("rb"), strict=False)]
        pieces.append(FittingPiece(Placements(map(sorted, rows)), low, high, name=draw(names), colours=tuple(shown)))
    optional = frozenset() if plain else draw(st.frozensets(locations))
    empty = None if plain else draw(st.none() | st.tuples(st.integers(0, 2), st.integers(2, 9)))
    beyond: tuple[tuple[int, ...], ...] = ()
    mates: tuple[tuple[str, str], ...] = ()
    if draw(st.booleans()):
        # Tiles in a row: each location has sides to the location before it and to the one after it.
        beyond = tuple((at - 1, at + 1 if at + 1 < size else -1) for at in range(size))
        mates = draw(st.sampled_from([(), (("r", "b"), ("b", "r"))]))
        colours = st.tuples(st.sampled_from("rb"), st.sampled_from("rb"))
        for _ in range(draw(st.integers(1, 3))):
            lying = draw(st.lists(st.tuples(locations, colours), max_size=4, unique=True))
            sides = tuple(side for _, side in lying)
            pieces.append(FittingPiece(Placements([[at] for at, _ in lying]), 1, 1, sides, draw(names)))
    pair = st.tuples(locations, locations)
    crossings = draw(st.lists(st.lists(pair, min_size=1, max_size=2).map(tuple), max_size=2).map(tuple))
    named = tuple(draw(st.lists(names, min_size=size, max_size=size, unique=True))) if draw(st.booleans()) else ()
    return Fitting(size, tuple(pieces), optional, empty, beyond, mates, crossings, named, draw(names))


@st.composite
def covers(draw: st.DrawFn) -> ExactCover:
    """A random exact cover: bounds, secondary items, colours, names."""
    primary, secondary = draw(st.integers(1, 4)), draw(st.integers(0, 3))
    rows: list[list[int | tuple[int, int]]] = []
    for _ in range(draw(st.integers(0, 6))):
        row: list[int | tuple[int, int]] = list(draw(st.sets(st.integers(0, primary - 1), min_size=1)))
        if secondary:
            others = draw(st.dictionaries(st.integers(primary, primary + secondary - 1), st.sampled_from([0, 0, 1, 7])))
            row.extend(others.items())
        rows.append(draw(st.permutations(row)))
    given = draw(st.lists(bounds, min_size=primary, max_size=primary)) if draw(st.booleans()) else None
    total = primary + secondary
    items = draw(st.just([]) | st.lists(names.map(lambda name: name + "."), min_size=total, max_size=total))
    options = draw(st.just([]) | st.lists(names.map(lambda name: name + "."), min_size=len(rows), max_size=len(rows)))
    return ExactCover.from_rows(rows, primary, secondary, given, items, options)
