"""Places of every board, by names: its border, its corners and its centre.

A *corner* is a location at an outermost corner of the board: a corner of the convex hull of all cells. A rectangle has
four, a box eight, a line two. A board of hexagons has one at each tip. If two triangles share a tip, both are corners.
The *border* consists of the locations beside a cell that is not on the board, such as a cell of a hole. The *centre*
consists of the locations whose points are nearest to the mean of all points: four in a board of 6x10, one in 5x5.
"""

from __future__ import annotations

from collections.abc import Callable

from puzzlec.geometry.board import Geometry

#: Distances whose relative difference is below this count as equal.
DISTANCE_PRECISION = 1e-9


class NoPlaceError(ValueError):
    """A board has no such place."""


def numbers_at(name: str, geometry: Geometry) -> list[int]:
    """Return the numbers of the cells of a place in :data:`PLACES`, in order.

    Raises NoPlaceError if the board has no such place.

    >>> from puzzlec.geometry import find_lattice
    >>> geometry = Geometry(find_lattice("square"), [(x, y) for y in range(3) for x in range(3)])
    >>> numbers_at("corner", geometry), numbers_at("centre", geometry), len(numbers_at("border", geometry))
    ([0, 2, 6, 8], [4], 8)
    """
    return PLACES[name](geometry)


def _corners(geometry: Geometry) -> list[int]:
    from puzzlec.geometry.faces import exact_corners  # exact arithmetic, which most puzzles do not need
    from puzzlec.geometry.solids import outermost

    if geometry.wrapping is not None:
        raise NoPlaceError("a board that wraps around has no corners")
    corners_of = [exact_corners(geometry.lattice, cell) for cell in geometry.cells]
    outer = outermost({corner for corners in corners_of for corner in corners})
    return [number for number, corners in enumerate(corners_of) if not outer.isdisjoint(corners)]


def _border(geometry: Geometry) -> list[int]:
    lattice = geometry.lattice
    return [
        number
        for number, point in enumerate(geometry.points)
        if any(
            geometry.location_at(tuple([a + b for a, b in zip(point, step, strict=True)])) < 0
            for step in lattice.kinds[lattice.class_of(point)].neighbours
        )
    ]


def _centre(geometry: Geometry) -> list[int]:
    if geometry.wrapping is not None:
        raise NoPlaceError("a board that wraps around has no centre")
    places = [geometry.lattice.on_paper(point) for point in geometry.points]
    middle = [sum(axis) / len(places) for axis in zip(*places, strict=True)]
    apart = [sum([(a - b) ** 2 for a, b in zip(place, middle, strict=True)]) for place in places]
    most = min(apart) + DISTANCE_PRECISION * (1 + max(apart))
    return [number for number, distance in enumerate(apart) if distance <= most]


#: The words for places, and the function that finds the cells of each.
PLACES: dict[str, Callable[[Geometry], list[int]]] = {
    "border": _border,
    "corner": _corners,
    "corners": _corners,
    "centre": _centre,
    "center": _centre,
}

#: One word for each place; the others are spellings.
PLACE_WORDS = ("border", "corner", "centre")
