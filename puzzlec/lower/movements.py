"""Isometries of a lattice that map the locations of a puzzle to themselves.

On a wrap-around board these are isometries that keep its wraps; they include shifts. If the connected parts of a board
may move separately, each part goes to a congruent part. Parts are connected components under the neighbours of the
lattice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations, product
from math import factorial, prod
from typing import NamedTuple

from puzzlec.geometry import Lattice, Matrix
from puzzlec.geometry.lattice import Point, axis_of_images, multiply
from puzzlec.geometry.wrapping import Isometry, carried_around, is_symmetry
from puzzlec.ir import Fitting, Puzzle

#: Identity of a movement: its effect on the locations, and the matrices by which it rotates tiles there.
Key = tuple[tuple[int, ...], tuple[Matrix, ...]]

#: Movements of separate parts are listed up to this number.
MOST_MOVEMENTS = 200_000

#: Movements are listed as permutations of the locations: up to this many numbers in all, with repetitions.
MAX_INTEGERS_OF_MOVEMENTS = 20_000_000


class GroupTooLargeError(ValueError):
    """A group of symmetries that is too large to list: it has at least ``order`` elements."""

    def __init__(self, order: int, of: str) -> None:
        super().__init__(f"too many symmetries of {of} to list: at least {order}")
        self.order = order


class Movement(NamedTuple):
    """Effect of an isometry on the locations: location ``i`` goes to ``locations[i]``.

    If tiles have coloured sides, ``turns`` has for each location the matrix by which its tile is moved. Otherwise it is
    empty, and isometries with the same effect on the locations are one. ``isometry`` is None if parts move separately.
    """

    isometry: Isometry | None
    locations: tuple[int, ...]
    turns: tuple[Matrix, ...] = ()

    @property
    def key(self) -> Key:
        """Identity of the movement."""
        return self.locations, self.turns

    def after(self, other: Movement) -> Key:
        """Return the key of the movement that applies ``other`` first, and then this one."""
        turns = tuple(
            [multiply(self.turns[at], turn) for at, turn in zip(other.locations, other.turns, strict=True)]
            if self.turns
            else ()
        )
        return tuple([self.locations[location] for location in other.locations]), turns


def movements(fitting: Fitting, puzzle: Puzzle, which: str = "all") -> list[Movement]:
    """Return the movements that map the locations to themselves with their colours, the identity first.

    ``which`` is "rotations", "all" or "parts". A board with walls moves as a whole, and its walls go to walls. Raises
    :class:`GroupTooLargeError`.
    """
    lattice = puzzle.geometry.lattice
    colours = _looks(fitting, puzzle)
    plain = len(set(colours)) == 1
    turns = lattice.rotations if which == "rotations" else lattice.isometries
    movement_of: dict[Key, Movement] = {}
    numbers = 0
    walls = frozenset(puzzle.wall_points)
    if walls and which == "parts":
        which = "all"
    for movement in _movements(puzzle, lattice, turns, which, colours, tiles=bool(fitting.neighbours)):
        if (
            walls
            and movement.isometry is not None
            and not all(movement.isometry.image(point) in walls for point in walls)
        ):
            continue
        if plain or all(colours[a] == colours[b] for a, b in enumerate(movement.locations)):
            movement_of.setdefault(movement.key, movement)
            numbers += len(movement.locations)
            if numbers > MAX_INTEGERS_OF_MOVEMENTS:
                raise GroupTooLargeError(len(movement_of), f"{len(movement.locations)} locations")
    return list(movement_of.values())


#: Look of a location: its colour, and whether it may stay empty.
Look = tuple[str | None, bool]


def _looks(fitting: Fitting, puzzle: Puzzle) -> list[Look]:
    """Return the look of each location; if one copy of several is fixed, nothing may stay empty."""
    return [(location.colour, number in fitting.optional) for number, location in enumerate(puzzle.locations)]


def _movements(
    puzzle: Puzzle, lattice: Lattice, turns: Sequence[Matrix], which: str, colours: Sequence[Look], tiles: bool
) -> Iterator[Movement]:
    points = puzzle.points
    if which == "parts" and len(parts := _parts(puzzle, lattice)) > 1:
        yield from _of_parts(puzzle, lattice, turns, parts, colours, tiles)
    elif puzzle.wrapping is not None:
        for isometry, locations in carried_around(puzzle.wrapping, points, points):
            # On a board with a twist, a reflection that wraps around once is also a rotation.
            same = (coset.after(isometry) for coset in puzzle.wrapping.cosets)
            if (turning := next((movement for movement in same if movement.turn in turns), None)) is not None:
                yield Movement(turning, locations, (turning.turn,) * len(points) if tiles else ())
    else:
        number = {point: index for index, point in enumerate(points)}
        for isometry, images in carried(lattice, turns, points, number):
            yield Movement(isometry, images, (isometry.turn,) * len(points) if tiles else ())


def carried(
    lattice: Lattice, turns: Iterable[Matrix], points: Sequence[Point], number: dict[Point, int]
) -> Iterator[tuple[Isometry, tuple[int, ...]]]:
    """Yield the isometries that map points to other points, each with the numbers of the images.

    The numbers have the order of the points. ``number`` has the number of each possible image. There are as many
    possible images as points.
    """
    axes = list(zip(*points, strict=True))
    ends = [(min(axis), max(axis)) for axis in axes]
    goals = [(min(axis), max(axis)) for axis in zip(*number, strict=True)]
    extents = [high - low for low, high in goals]
    # An image is one integer, since that is found faster than a tuple. Its coordinates are at most the largest extent.
    weights = [(max(extents) + 1) ** place for place in range(len(extents))]
    packed = {sum([a * b for a, b in zip(point, weights, strict=True)]): index for point, index in number.items()}
    for turn in turns:
        images = [_ends_of_images(row, axes, ends) for row in turn]
        if [high - low for low, high in images] != extents:
            continue
        shift = tuple([goal - low for (goal, _), (low, _) in zip(goals, images, strict=True)])
        if not is_symmetry(lattice, Isometry(turn, shift)):
            continue  # this takes cells of the lattice to places without cells
        row = [sum([a * b for a, b in zip(column, weights, strict=True)]) for column in zip(*turn, strict=True)]
        more = sum([a * b for a, b in zip(shift, weights, strict=True)])
        permutation = tuple([packed.get(image + more, -1) for image in axis_of_images(row, axes)])
        if -1 not in permutation:
            yield Isometry(turn, shift), permutation


def _ends_of_images(
    row: Sequence[int], axes: Sequence[Sequence[int]], ends: Sequence[tuple[int, int]]
) -> tuple[int, int]:
    """Return the least and the greatest value of one coordinate of the images of points, and of a row of a matrix."""
    terms = [(factor, *end) for factor, end in zip(row, ends, strict=True) if factor]
    if len(terms) == 1:  # most matrices only exchange axes and change signs
        factor, low, high = terms[0]
        return min(factor * low, factor * high), max(factor * low, factor * high)
    values = axis_of_images(row, axes)
    return min(values), max(values)


def _parts(puzzle: Puzzle, lattice: Lattice) -> list[list[int]]:
    """Return the locations of each connected part, by their numbers."""
    points = puzzle.points
    part: dict[int, list[int]] = {}
    parts = []
    for start in range(len(points)):
        if start in part:
            continue
        members = part[start] = [start]
        for member in members:  # it grows during the loop
            point = points[member]
            for step in lattice.kinds[lattice.class_of(point)].neighbours:
                other = puzzle.geometry.location_at(tuple([a + b for a, b in zip(point, step, strict=True)]))
                if other >= 0 and other not in part:
                    part[other] = members
                    members.append(other)
        parts.append(sorted(members))
    return parts


def _of_parts(
    puzzle: Puzzle,
    lattice: Lattice,
    turns: Sequence[Matrix],
    parts: list[list[int]],
    colours: Sequence[Look],
    tiles: bool,
) -> Iterator[Movement]:
    """Yield all ways to map parts to parts, each by a separate isometry; the identity first.

    ``tiles``: isometries with the same effect on the locations differ, since they rotate the tiles there.
    """
    points = puzzle.points
    ways: list[list[list[tuple[Matrix, dict[int, int]]]]] = []
    for source in parts:
        row = []
        for target in parts:
            way_of: dict[object, tuple[Matrix, dict[int, int]]] = {}
            for isometry, reached in _onto(puzzle, lattice, turns, source, target):
                if all(colours[a] == colours[b] for a, b in zip(source, reached, strict=True)):
                    way = isometry.turn, dict(zip(source, reached, strict=True))
                    way_of.setdefault((isometry.turn, reached) if tiles else reached, way)
            row.append(list(way_of.values()))
        ways.append(row)
    # Congruent parts are a class; all parts of a class have the same number of isometries between them.
    alike: dict[int, list[int]] = {}
    for index, row in enumerate(ways):
        alike.setdefault(next(to for to, number in enumerate(row) if number), []).append(index)
    order = prod(factorial(len(members)) * len(ways[first][first]) ** len(members) for first, members in alike.items())
    if order > MOST_MOVEMENTS:
        raise GroupTooLargeError(order, f"{len(parts)} parts of the board")
    classes = list(alike.values())
    for goals in product(*map(permutations, classes)):
        goal = {part: to for kind, tos in zip(classes, goals, strict=True) for part, to in zip(kind, tos, strict=True)}
        for choice in product(*(ways[part][goal[part]] for part in range(len(parts)))):
            locations, matrices = [0] * len(points), [lattice.isometries[0]] * len(points)
            for turn, images in choice:
                for one, other in images.items():
                    locations[one], matrices[one] = other, turn
            yield Movement(None, tuple(locations), tuple(matrices) if tiles else ())


def _onto(
    puzzle: Puzzle, lattice: Lattice, turns: Sequence[Matrix], source: list[int], target: list[int]
) -> Iterable[tuple[Isometry, tuple[int, ...]]]:
    """Return the isometries that take one part of the locations to another, and the images of its locations."""
    if len(source) != len(target):
        return ()
    here, there = [puzzle.points[location] for location in source], [puzzle.points[location] for location in target]
    if puzzle.wrapping is not None:
        return carried_around(puzzle.wrapping, here, there)
    return carried(lattice, turns, here, dict(zip(there, target, strict=True)))
