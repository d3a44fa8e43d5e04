"""Names of pieces, locations and places of a fitting, and their numbers.

Every board has these places. A *corner* is a location at an outermost corner of the board: a corner of the convex hull
of all cells. A rectangle has four, a box eight, a line two. A board of hexagons has one at each tip. If two triangles
share a tip, both are corners. The *edge* consists of the locations beside a cell that is not on the board, such as a
cell of a hole. The *centre* consists of the locations whose points are nearest to the mean of all points: four in a
board of 6x10, one in 5x5.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TypeAlias

from puzzlec.diagnostics import suggestion
from puzzlec.geometry import Cell
from puzzlec.geometry.faces import exact_corners
from puzzlec.geometry.solids import outermost
from puzzlec.ir import Fitting, Puzzle
from puzzlec.ir.puzzle import Address, address_name
from puzzlec.language.puzzle_text import is_region, read_region

#: Distances whose relative difference is below this count as equal.
NEARLY = 1e-9


def named_place(fitting: Fitting, name: str) -> frozenset[int]:
    """Return the numbers of the locations that a word in :data:`PLACES` means, including optional ones.

    Raises UnknownNameError if the board has no such place, KeyError for another word.
    """
    find = PLACES[name]
    puzzle = fitting.puzzle
    if puzzle is None or puzzle.lattice is None or not puzzle.locations:
        raise UnknownNameError(f"this puzzle has no {name}, as it has no geometry", "name the locations")
    return frozenset(find(puzzle))


def _corners(puzzle: Puzzle) -> list[int]:
    lattice = puzzle.lattice
    assert lattice is not None
    if puzzle.wraps:
        raise UnknownNameError("a board that wraps around has no corners", "name the locations")
    own = [exact_corners(lattice, location.at) for location in puzzle.locations if not isinstance(location.at, str)]
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
        raise UnknownNameError("a board that wraps around has no centre", "name the locations")
    places = [lattice.on_paper(point) for point in puzzle.points]
    middle = [sum(axis) / len(places) for axis in zip(*places, strict=True)]
    apart = [sum([(a - b) ** 2 for a, b in zip(place, middle, strict=True)]) for place in places]
    most = min(apart) + NEARLY * (1 + max(apart))
    return [number for number, distance in enumerate(apart) if distance <= most]


#: The words for places, and the function that finds the locations of each.
PLACES: dict[str, Callable[[Puzzle], list[int]]] = {
    "corner": _corners,
    "corners": _corners,
    "edge": _edge,
    "border": _edge,
    "centre": _centre,
    "center": _centre,
}


#: Locations: a text (names separated by spaces, or a region of the puzzle language), one cell, or a sequence.
Locations: TypeAlias = str | Cell | Iterable[str | Cell]


class UnknownNameError(ValueError):
    """A puzzle has no piece or location of this name; ``help`` names similar ones, or is empty."""

    def __init__(self, message: str, help: str = "") -> None:
        super().__init__(f"{message}; {help}" if help else message)
        self.message, self.help = message, help


def numbers_of_piece(fitting: Fitting, name: str) -> frozenset[int]:
    """Return the numbers of the pieces with a name; UnknownNameError if there is none."""
    names = [fitting.piece_name(number) for number in range(len(fitting.pieces))]
    found = frozenset(number for number, known in enumerate(names) if known == name)
    if not found:
        raise UnknownNameError(f"unknown piece `{name}`", _known(name, names))
    return found


def numbers_of_locations(fitting: Fitting, locations: Locations) -> frozenset[int]:
    """Return the numbers of locations given by names, by cells, or as a region.

    A text is the name of a location, names separated by spaces (cells with or without brackets: ``0,0 (1,0)``), or a
    region of the puzzle language, such as ``box 2x2 at (4,4)``. Raises UnknownNameError for an unknown location,
    ValueError if none is left, PuzzleError for a region that cannot be read.
    """
    number = {fitting.location_name(location): location for location in range(fitting.locations)}
    names = list(_names(fitting, locations, number))
    if not names:
        raise ValueError("this does not name a location")
    for name in names:
        if name not in number:
            raise _unknown_location(fitting, name, list(number))
    return frozenset(number[name] for name in names)


def _names(fitting: Fitting, locations: Locations, known: Iterable[str]) -> Iterable[str]:
    """Return the names of locations however they are given."""
    if isinstance(locations, str):
        return _names_in(fitting, locations, known)
    things = list(locations)
    if things and all(isinstance(place, int) for place in things):  # one cell
        return [",".join(map(str, things))]
    return [place if isinstance(place, str) else address_name(place) for place in things if not isinstance(place, int)]


def _names_in(fitting: Fitting, text: str, known: Iterable[str]) -> Iterable[str]:
    """Return the names of locations in a text."""
    if text in known:
        return [text]
    lattice = fitting.puzzle.lattice if fitting.puzzle else None
    if is_region(text):
        return map(address_name, read_region(text, lattice))
    words = re.sub(r"\s*,\s*", ",", text).split() if lattice else text.split()
    return [word[1:-1] if lattice and re.fullmatch(r"\(.*\)", word) else word for word in words]


def _unknown_location(fitting: Fitting, name: str, names: list[str]) -> UnknownNameError:
    """Return the error for an unknown location. For a cell, it shows the range of the cells."""
    cells: list[Address] = [location.at for location in fitting.puzzle.locations] if fitting.puzzle else []
    if not cells or isinstance(cells[0], str):
        return UnknownNameError(f"unknown location `{name}`", _known(name, names))
    axes = list(zip(*cells, strict=True))
    low, high = (",".join(str(end(axis)) for axis in axes) for end in (min, max))
    return UnknownNameError(f"unknown location `{name}`", f"the cells go from {low} to {high}")


def _known(name: str, names: list[str]) -> str:
    """Return similar names, or all names if there are only a few."""
    help = suggestion(name, dict.fromkeys(names))
    if help:
        return help[0]
    return f"there are {', '.join(dict.fromkeys(names))}" if 0 < len(set(names)) <= 20 else ""
