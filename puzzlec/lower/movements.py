"""What may be done to the locations of a puzzle: the isometries of its lattice that map them to themselves.

On a board that goes around these are isometries that keep what is glued together, shifts among them. Where the
parts of a board that hang together may move on their own, every part goes to a part that it is congruent to; parts
that nothing connects are connected components under the neighbours of the lattice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations, product
from math import factorial, prod
from typing import NamedTuple

from puzzlec.geometry import Lattice, Matrix
from puzzlec.geometry.lattice import Point, multiply
from puzzlec.geometry.wrapping import Isometry, carried_around, is_symmetry
from puzzlec.ir import Fitting, Puzzle

#: What tells a movement from others: what it does to the locations, and how it turns tiles there.
Key = tuple[tuple[int, ...], tuple[Matrix, ...]]

#: So many movements of separate parts are listed at most.
MOST_MOVEMENTS = 200_000

#: Movements are listed as permutations of the locations: up to so many numbers in all, doubles among them.
MOST_NUMBERS = 20_000_000


class GroupTooLargeError(ValueError):
    """A group of symmetries that cannot be listed: it has at least ``order`` elements."""

    def __init__(self, order: int, of: str) -> None:
        super().__init__(f"a group of at least {order} symmetries of {of} is too large to be listed")
        self.order = order


class Movement(NamedTuple):
    """What an isometry does to the locations: location ``i`` goes to ``locations[i]``.

    ``turns`` are the matrices by which a tile is turned that lies on a location, where tiles have edges; else there are
    none, and isometries that do the same to the locations are one. ``isometry`` is None where parts move on their own.
    """

    isometry: Isometry | None
    locations: tuple[int, ...]
    turns: tuple[Matrix, ...] = ()

    @property
    def key(self) -> Key:
        """What tells it from others."""
        return self.locations, self.turns

    def after(self, other: Movement) -> Key:
        """Return the key of the movement that is ``other`` first, and then this one."""
        turns = tuple(
            [multiply(self.turns[at], turn) for at, turn in zip(other.locations, other.turns, strict=True)]
            if self.turns
            else ()
        )
        return tuple([self.locations[each] for each in other.locations]), turns


def movements(fitting: Fitting, puzzle: Puzzle, which: str = "all") -> list[Movement]:
    """Return the movements that map the locations to themselves with their colours, the identity first.

    ``which`` is "rotations", "all" or "parts". A board with walls moves as a whole, and its walls go to walls. Raises
    :class:`GroupTooLargeError`.
    """
    lattice = puzzle.lattice
    assert lattice is not None
    colours = _looks(fitting, puzzle)
    plain = len(set(colours)) == 1
    turns = lattice.rotations if which == "rotations" else lattice.isometries
    found: dict[Key, Movement] = {}
    numbers = 0
    walls = frozenset(puzzle.wall_points)
    if walls and which == "parts":
        which = "all"
    for each in _movements(puzzle, lattice, turns, which, colours, tiles=bool(fitting.beyond)):
        if walls and each.isometry is not None and not all(each.isometry.image(point) in walls for point in walls):
            continue
        if plain or all(colours[a] == colours[b] for a, b in enumerate(each.locations)):
            found.setdefault(each.key, each)
            numbers += len(each.locations)
            if numbers > MOST_NUMBERS:
                raise GroupTooLargeError(len(found), f"{len(each.locations)} locations")
    return list(found.values())


#: What a location looks like: its colour, and whether it may stay empty.
Look = tuple[str | None, bool]


def _looks(fitting: Fitting, puzzle: Puzzle) -> list[Look]:
    """Return what each location looks like; where a copy of several is fixed, nothing stays empty."""
    return [(location.colour, number in fitting.optional) for number, location in enumerate(puzzle.locations)]


def _movements(
    puzzle: Puzzle, lattice: Lattice, turns: Sequence[Matrix], which: str, colours: Sequence[Look], tiles: bool
) -> Iterator[Movement]:
    points = puzzle.points
    if which == "parts" and len(parts := _parts(puzzle, lattice)) > 1:
        yield from _of_parts(puzzle, lattice, turns, parts, colours, tiles)
    elif puzzle.wrapping is not None:
        for isometry, locations in carried_around(puzzle.wrapping, points, points):
            # On a board with a twist a mirroring may be a turn, too: it is one when it has gone around.
            same = (each.after(isometry) for each in puzzle.wrapping.cosets)
            if (turning := next((each for each in same if each.turn in turns), None)) is not None:
                yield Movement(turning, locations, (turning.turn,) * len(points) if tiles else ())
    else:
        number = {point: index for index, point in enumerate(points)}
        for isometry, images in carried(lattice, turns, points, number):
            yield Movement(isometry, images, (isometry.turn,) * len(points) if tiles else ())


def carried(
    lattice: Lattice, turns: Iterable[Matrix], points: Sequence[Point], number: dict[Point, int]
) -> Iterator[tuple[Isometry, tuple[int, ...]]]:
    """Give the isometries that take points onto as many others, and the numbers of these in the order of the points.

    ``number`` has the points to be reached: as many.
    """
    axes = list(zip(*points, strict=True))
    low = [min(axis) for axis in zip(*number, strict=True)]
    for turn in turns:
        images = [_along(row, axes) for row in turn]
        shift = tuple([a - min(axis) for a, axis in zip(low, images, strict=True)])
        if not is_symmetry(lattice, Isometry(turn, shift)):
            continue  # this would take cells of the lattice to places that are none
        moved = [[value + step for value in axis] for axis, step in zip(images, shift, strict=True)]
        permutation = tuple([number.get(image, -1) for image in zip(*moved, strict=True)])
        if -1 not in permutation:
            yield Isometry(turn, shift), permutation


def _along(row: Sequence[int], axes: Sequence[Sequence[int]]) -> Sequence[int]:
    """Return the coordinates on one axis of all points when they are turned: a row of the matrix times the points."""
    terms = [(factor, axis) for factor, axis in zip(row, axes, strict=True) if factor]
    if len(terms) == 1:  # most turns only exchange axes, and turn some about
        factor, axis = terms[0]
        return axis if factor == 1 else [factor * value for value in axis]
    return [
        sum([factor * value for factor, value in zip(row, point, strict=True)]) for point in zip(*axes, strict=True)
    ]


def _parts(puzzle: Puzzle, lattice: Lattice) -> list[list[int]]:
    """Return the locations of each part that hangs together, by their numbers."""
    points = puzzle.points
    part: dict[int, list[int]] = {}
    found = []
    for start in range(len(points)):
        if start in part:
            continue
        members = part[start] = [start]
        for each in members:  # it grows on the way
            point = points[each]
            for step in lattice.kinds[lattice.class_of(point)].neighbours:
                other = puzzle.location_at(tuple([a + b for a, b in zip(point, step, strict=True)]))
                if other >= 0 and other not in part:
                    part[other] = members
                    members.append(other)
        found.append(sorted(members))
    return found


def _of_parts(
    puzzle: Puzzle,
    lattice: Lattice,
    turns: Sequence[Matrix],
    parts: list[list[int]],
    colours: Sequence[Look],
    tiles: bool,
) -> Iterator[Movement]:
    """Give all ways to take every part to a part, each by an isometry of its own; the identity first.

    ``tiles``: isometries that do the same to the locations differ, since they turn tiles that lie there.
    """
    points = puzzle.points
    ways: list[list[list[tuple[Matrix, dict[int, int]]]]] = []
    for source in parts:
        row = []
        for target in parts:
            known: dict[object, tuple[Matrix, dict[int, int]]] = {}
            for isometry, reached in _onto(puzzle, lattice, turns, source, target):
                if all(colours[a] == colours[b] for a, b in zip(source, reached, strict=True)):
                    way = isometry.turn, dict(zip(source, reached, strict=True))
                    known.setdefault((isometry.turn, reached) if tiles else reached, way)
            row.append(list(known.values()))
        ways.append(row)
    # Congruent parts are a class; all parts of it have as many ways to each other.
    alike: dict[int, list[int]] = {}
    for index, row in enumerate(ways):
        alike.setdefault(next(to for to, each in enumerate(row) if each), []).append(index)
    order = prod(factorial(len(each)) * len(ways[first][first]) ** len(each) for first, each in alike.items())
    if order > MOST_MOVEMENTS:
        raise GroupTooLargeError(order, f"{len(parts)} parts of the board")
    classes = list(alike.values())
    for goals in product(*map(permutations, classes)):
        goal = {part: to for each, tos in zip(classes, goals, strict=True) for part, to in zip(each, tos, strict=True)}
        for chosen in product(*(ways[part][goal[part]] for part in range(len(parts)))):
            locations, matrices = [0] * len(points), [lattice.isometries[0]] * len(points)
            for turn, images in chosen:
                for one, other in images.items():
                    locations[one], matrices[one] = other, turn
            yield Movement(None, tuple(locations), tuple(matrices) if tiles else ())


def _onto(
    puzzle: Puzzle, lattice: Lattice, turns: Sequence[Matrix], source: list[int], target: list[int]
) -> Iterable[tuple[Isometry, tuple[int, ...]]]:
    """Return the isometries that take one part of the locations to another, and where its locations go."""
    if len(source) != len(target):
        return ()
    here, there = [puzzle.points[each] for each in source], [puzzle.points[each] for each in target]
    if puzzle.wrapping is not None:
        return carried_around(puzzle.wrapping, here, there)
    return carried(lattice, turns, here, dict(zip(there, target, strict=True)))
