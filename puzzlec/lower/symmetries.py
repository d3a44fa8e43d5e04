"""The symmetry group of a puzzle, as permutations of the options of its exact cover.

A symmetry is an isometry of the lattice that maps the locations to themselves, colours and optional
ones included, and every piece's placements to the placements of one piece with as many copies; so a
reflection of the Soma cube counts, since it swaps the two screws. Rules of placement are obeyed by the
placements already, so a fixed piece breaks the symmetry as it should.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import repeat
from typing import NamedTuple

from puzzlec.geometry import Lattice, Matrix
from puzzlec.geometry.lattice import Point, multiply, turned
from puzzlec.ir import Fitting, Puzzle
from puzzlec.lower.covering import Encoding


@dataclass(frozen=True)
class Symmetry:
    """A group of symmetries. Element ``k`` takes option ``o`` to ``options[k][o]`` and item ``i`` to
    ``items[k][i]`` (arrays of int32); the identity is element 0. ``turns`` are the lattice's matrices.
    """  # noqa: D205

    options: tuple[array[int], ...]
    items: tuple[array[int], ...]
    turns: tuple[Matrix, ...] = field(default=(), compare=False)

    def __len__(self) -> int:
        return len(self.options)


#: A placement: its locations, and the colours of its sides where it is a tile's.
_Row = tuple[tuple[int, ...], tuple[str, ...]]


_Key = tuple[Matrix | None, tuple[int, ...]]


class _Element(NamedTuple):
    turn: Matrix
    locations: tuple[int, ...]
    pieces: tuple[int, ...] = ()
    options: tuple[int, ...] = ()
    #: Whether isometries that do the same to the locations are different: they turn tiles that lie there.
    turns_tiles: bool = False

    @property
    def key(self) -> _Key:
        """What tells it from the other elements."""
        return (self.turn if self.turns_tiles else None), self.locations

    def after(self, other: _Element) -> _Key:
        """Return the key of the element that is ``other`` first, and then this one."""
        turn = multiply(self.turn, other.turn) if self.turns_tiles else None
        return turn, _composed(self.locations, other.locations)


def symmetry(encoding: Encoding) -> Symmetry:
    """Return the symmetry group of a puzzle; the identity alone where there is no geometry."""
    fitting = encoding.fitting
    identity = tuple(range(len(encoding.cover)))
    puzzle = fitting.puzzle
    if puzzle is None or puzzle.lattice is None or not puzzle.locations:
        return Symmetry((array("i", identity),), (array("i", range(_items(encoding))),))
    candidates = location_symmetries(fitting, puzzle.lattice)
    start = candidates[0]._replace(pieces=tuple(range(len(fitting.pieces))), options=identity)
    group = {start.key: start}
    generators: list[_Element] = []
    known_as = {candidate.key: candidate for candidate in candidates}
    pieces = _Pieces(encoding)
    refused: set[_Key] = set()
    for candidate in candidates[1:]:
        if candidate.key in group or candidate.key in refused:
            continue
        element = pieces.carry(candidate)
        if element is None:
            # No product of it with a symmetry can be one either.
            refused.update(candidate.after(each) for each in group.values())
        else:
            generators.append(element)
            _extend(group, generators, known_as)
    order = {candidate.key: rank for rank, candidate in enumerate(candidates)}
    elements = sorted(group.values(), key=lambda element: order[element.key])
    return Symmetry(
        tuple(array("i", element.options) for element in elements),
        tuple(_item_permutation(encoding, element) for element in elements),
        tuple(element.turn for element in elements),
    )


def location_symmetries(fitting: Fitting, lattice: Lattice) -> list[_Element]:
    """Return the isometries that map the locations to themselves with their colours, the identity first.

    Isometries that do the same to the locations are one, unless there are tiles that they turn.
    """
    puzzle = fitting.puzzle
    assert puzzle is not None
    points = [lattice.point(each.at) for each in puzzle.locations if isinstance(each.at, tuple)]
    number = {point: index for index, point in enumerate(points)}
    kinds = [(location.colour, location.optional) for location in puzzle.locations]
    plain = len(set(kinds)) == 1
    axes = list(zip(*points, strict=True))
    low = [min(axis) for axis in axes]
    found: dict[_Key, _Element] = {}
    for turn in lattice.isometries:
        images = [_along(row, axes) for row in turn]
        shift = [a - min(axis) for a, axis in zip(low, images, strict=True)]
        if not lattice.has_cells(_moved(turned(turn, kind.at), shift) for kind in lattice.kinds):
            continue  # this would take cells of the lattice to places that are none
        moved = [[value + step for value in axis] for axis, step in zip(images, shift, strict=True)]
        permutation = tuple([number.get(image, -1) for image in zip(*moved, strict=True)])
        if -1 not in permutation and (plain or all(kinds[a] == kinds[b] for a, b in enumerate(permutation))):
            element = _Element(turn, permutation, turns_tiles=bool(fitting.beyond))
            found.setdefault(element.key, element)
    return list(found.values())


def _along(row: Sequence[int], axes: Sequence[Sequence[int]]) -> Sequence[int]:
    """Return the coordinates on one axis of all points when they are turned: a row of the matrix times the points."""
    terms = [(factor, axis) for factor, axis in zip(row, axes, strict=True) if factor]
    if len(terms) == 1:  # most turns only exchange axes, and turn some about
        factor, axis = terms[0]
        return axis if factor == 1 else [factor * value for value in axis]
    return [
        sum([factor * value for factor, value in zip(row, point, strict=True)]) for point in zip(*axes, strict=True)
    ]


def _moved(point: Point, shift: Sequence[int]) -> Point:
    return tuple([a + b for a, b in zip(point, shift, strict=True)])


def _composed(after: tuple[int, ...], before: tuple[int, ...]) -> tuple[int, ...]:
    return tuple([after[each] for each in before])


def _extend(group: dict[_Key, _Element], generators: list[_Element], known_as: dict[_Key, _Element]) -> None:
    """Add all products that the last generator brings to the group that the others generate.

    The elements that are there need the new generator only, the new ones every generator.
    """
    fresh, by = list(group.values()), generators[-1:]
    while fresh:
        new = []
        for known in fresh:
            for generator in by:
                key = generator.after(known)
                if key not in group:
                    group[key] = known_as[key]._replace(
                        pieces=_composed(generator.pieces, known.pieces),
                        options=_composed(generator.options, known.options),
                    )
                    new.append(group[key])
        fresh, by = new, generators


class _Pieces:
    """The pieces' placements, ready to be looked up."""

    def __init__(self, encoding: Encoding) -> None:
        self.encoding = encoding
        self.rows: list[list[_Row]] = [
            list(zip(piece.placements, piece.sides or repeat(()), strict=False)) for piece in encoding.fitting.pieces
        ]
        self.option: list[dict[_Row, int]] = [{} for _ in self.rows]
        puzzle = encoding.fitting.puzzle
        self.sides = _Sides(puzzle) if encoding.fitting.beyond and puzzle else None
        self.empty: dict[int, int] = {}
        for option, (number, index) in enumerate(zip(encoding.piece, encoding.index, strict=True)):
            if number < 0:
                self.empty[index] = option
            else:
                self.option[number][self.rows[number][index]] = option
        # Pieces that say the same, in their order: an isometry takes a class to a class, first to first.
        self.classes: dict[object, list[int]] = {}
        self.rank: list[int] = []
        for number, piece in enumerate(encoding.fitting.pieces):
            members = self.classes.setdefault((frozenset(self.rows[number]), piece.low, piece.high), [])
            self.rank.append(len(members))
            members.append(number)

    def carry(self, element: _Element) -> _Element | None:
        """Return what an isometry of the locations does to pieces and options, or None: it is no symmetry."""
        options = [0] * len(self.encoding.cover)
        pieces = []
        for number, piece in enumerate(self.encoding.fitting.pieces):
            images = self._images(element, number)
            members = self.classes.get((frozenset(images), piece.low, piece.high), [])
            if self.rank[number] >= len(members):
                return None
            target = members[self.rank[number]]
            pieces.append(target)
            for row, image in zip(self.rows[number], images, strict=True):
                options[self.option[number][row]] = self.option[target][image]
        for location, option in self.empty.items():
            options[option] = self.empty[element.locations[location]]
        return element._replace(pieces=tuple(pieces), options=tuple(options))

    def _images(self, element: _Element, number: int) -> list[_Row]:
        rows = self.rows[number]
        moved = [tuple(sorted([element.locations[location] for location in row])) for row, _ in rows]
        if self.sides is None or not self.encoding.fitting.pieces[number].sides:
            return [(row, ()) for row in moved]
        return [
            (image, self.sides.turned(element.turn, row[0], image[0], sides))
            for image, (row, sides) in zip(moved, rows, strict=True)
        ]


class _Sides:
    """What an isometry does to the sides of a tile: the side beyond a step becomes the one beyond the turned step."""

    def __init__(self, puzzle: Puzzle) -> None:
        assert puzzle.lattice is not None
        lattice = puzzle.lattice
        self.kinds = lattice.kinds
        self.kind = [
            lattice.class_of(lattice.point(each.at)) for each in puzzle.locations if not isinstance(each.at, str)
        ]
        self.order: dict[tuple[Matrix, int, int], tuple[int, ...]] = {}

    def turned(self, turn: Matrix, before: int, after: int, sides: tuple[str, ...]) -> tuple[str, ...]:
        """Return the sides of a tile on location ``before`` as they show when a turn takes it to ``after``."""
        key = turn, self.kind[before], self.kind[after]
        if key not in self.order:
            steps = [turned(turn, step) for step in self.kinds[key[1]].neighbours]
            self.order[key] = tuple(steps.index(step) for step in self.kinds[key[2]].neighbours)
        return tuple(sides[each] for each in self.order[key])


def _items(encoding: Encoding) -> int:
    return encoding.cover.primary + encoding.cover.secondary


def _item_permutation(encoding: Encoding, element: _Element) -> array[int]:
    """Return what a symmetry does to the items (the item that counts empty locations stays)."""
    permutation = array("i", range(_items(encoding)))
    for images, items in ((element.pieces, encoding.item_of_piece), (element.locations, encoding.item_of_location)):
        for number, image in enumerate(images):
            if items[number] >= 0:
                permutation[items[number]] = items[image]
    for (low, high), item in encoding.item_of_joint.items():
        one, two = element.locations[low], element.locations[high]
        permutation[item] = encoding.item_of_joint[min(one, two), max(one, two)]
    for around, item in encoding.item_of_crossing.items():
        permutation[item] = encoding.item_of_crossing[tuple(sorted([element.locations[each] for each in around]))]
    return permutation
