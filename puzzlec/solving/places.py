"""Places that every board has: its corners, its edge and its centre.

A *corner* is a location that reaches an outermost corner of the board: one of the convex hull of all cells, as a
string or a skin that is drawn tight around the board has it. So a rectangle has four, a box eight, a line two; a board
of hexagons has one at each of its tips, and where two triangles share a tip, both are corners. The *edge* are the
locations beside which a cell of the lattice is none of the board, those around holes, too. The *centre* are the
locations whose points are nearest to the mean of all points: four in a board of 6x10, one in 5x5.
"""

from __future__ import annotations

from collections.abc import Callable

from puzzlec.geometry.extremes import outermost
from puzzlec.geometry.faces import exact_corners
from puzzlec.ir import Fitting, Puzzle
from puzzlec.solving.naming import UnknownNameError

#: Distances that differ by less than this part are the same.
NEARLY = 1e-9


def named_place(fitting: Fitting, name: str) -> frozenset[int]:
    """Return the numbers of the locations that one of the words in :data:`PLACES` means, optional ones included.

    Raises UnknownNameError where the board has no such place, KeyError for another word.
    """
    find = PLACES[name]
    puzzle = fitting.puzzle
    if puzzle is None or puzzle.lattice is None or not puzzle.locations:
        raise UnknownNameError(f"this puzzle has no geometry, so there is no {name}", "name the locations")
    return frozenset(find(puzzle))


def _corners(puzzle: Puzzle) -> list[int]:
    lattice = puzzle.lattice
    assert lattice is not None
    if puzzle.wraps:
        raise UnknownNameError("a board that goes around has no corners", "name the locations")
    own = [exact_corners(lattice, each.at) for each in puzzle.locations if not isinstance(each.at, str)]
    outer = outermost({corner for corners in own for corner in corners})
    return [number for number, corners in enumerate(own) if not outer.isdisjoint(corners)]


def _edge(puzzle: Puzzle) -> list[int]:
    lattice = puzzle.lattice
    assert lattice is not None
    return [
        number
        for number, point in enumerate(puzzle.points)
        if any(
            puzzle.location_at(tuple([a + b for a, b in zip(point, step, strict=True)])) < 0
            for step in lattice.kinds[lattice.class_of(point)].neighbours
        )
    ]


def _centre(puzzle: Puzzle) -> list[int]:
    lattice = puzzle.lattice
    assert lattice is not None
    if puzzle.wraps:
        raise UnknownNameError("a board that goes around has no centre", "name the locations")
    places = [lattice.on_paper(point) for point in puzzle.points]
    middle = [sum(axis) / len(places) for axis in zip(*places, strict=True)]
    apart = [sum([(a - b) ** 2 for a, b in zip(place, middle, strict=True)]) for place in places]
    most = min(apart) + NEARLY * (1 + max(apart))
    return [number for number, each in enumerate(apart) if each <= most]


#: The words for places, and what finds the locations of each.
PLACES: dict[str, Callable[[Puzzle], list[int]]] = {
    "corner": _corners,
    "corners": _corners,
    "edge": _edge,
    "border": _edge,
    "centre": _centre,
    "center": _centre,
}
