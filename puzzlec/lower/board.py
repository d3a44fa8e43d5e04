"""The locations of a puzzle as a board, and the orientations of the pieces that are placed on it.

Large boards are handled in numpy, others in plain Python.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations, pairwise, product
from operator import add, sub
from typing import TYPE_CHECKING

from puzzlec.engine.arrays import has_numpy
from puzzlec.geometry import Freedom, Lattice
from puzzlec.geometry.congruence import congruent
from puzzlec.geometry.lattice import Point, axis_of_images, turned
from puzzlec.geometry.wrapping import Wrapping
from puzzlec.ir import Piece, Placements, Puzzle
from puzzlec.ir.fitting import Colours

if TYPE_CHECKING:
    from puzzlec.lower.placing_numpy import LocationGrid

#: Puzzles with possibly more placements are placed in numpy; the second limit applies if numpy is already loaded.
MAX_PLACEMENTS_IN_PYTHON, MAX_PLACEMENTS_IF_LOADED = 500_000, 20_000

#: The locations are the bits of one integer, unless it needs this many bits or more for each location.
SPARSE_BITS_FOR_EACH_LOCATION = 1000

#: A placement with the colours that its sides show (empty for a piece without).
Tile = tuple[tuple[int, ...], tuple[str, ...]]


class LocationKeys:
    """The points of locations, each packed into one integer, so that moving a piece is one addition.

    The strides are so wide that no piece can reach across a side. ``number`` has the number of the location of each
    key. Keys are ``ascending`` if they and the locations have the same order, as in a drawing.
    """

    def __init__(self, points: Sequence[Point]) -> None:
        axes = list(zip(*points, strict=True))
        self.spread = [max(axis) - min(axis) for axis in axes]
        self._strides = [1]
        for spread in self.spread[:-1]:
            self._strides.append(self._strides[-1] * (2 * spread + 2))
        self.number = {self.of(point): index for index, point in enumerate(points)}
        self.ascending = all(a < b for a, b in pairwise(self.number))
        self.least = min(self.number)
        #: Number of keys from the first to the last.
        self.size = max(self.number) - self.least + 1

    def of(self, point: Sequence[int]) -> int:
        """Return a point, or a step between two points, as one integer."""
        return sum([p * s for p, s in zip(point, self._strides, strict=True)])

    def of_axes(self, axes: Sequence[Sequence[int]]) -> list[int]:
        """Return many points or steps as integers. Each axis has one coordinate of all of them."""
        keys = [0] * len(axes[0])
        for values, stride in zip(axes, self._strides, strict=True):
            keys = [key + stride * value for key, value in zip(keys, values, strict=True)]
        return keys

    def bits(self, keys: Iterable[int]) -> int:
        """Return some of the keys as the bits of one integer, the least of all first."""
        marks = bytearray(b"0" * self.size)
        for key in keys:
            marks[self.least - 1 - key] = 49  # the least bit is the last digit
        return int(marks, 2)


class Board:
    """The locations of a puzzle: where its pieces can be."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        if puzzle.lattice is None or not puzzle.locations:
            return
        self.lattice = puzzle.lattice
        self.keys = keys = LocationKeys(puzzle.points)
        self.anchors: dict[int, list[int]] = {}
        self.kinds = [self.lattice.class_of(point) for point in puzzle.points]
        for kind, key in zip(self.kinds, keys.number, strict=True):
            self.anchors.setdefault(kind, []).append(key)
        self.bits: dict[int, int] = {}
        if keys.ascending and keys.size <= SPARSE_BITS_FOR_EACH_LOCATION * len(keys.number):
            self.bits = {kind: keys.bits(places) for kind, places in self.anchors.items()}
            self.everywhere = keys.bits(keys.number)
        self.colours = [location.colour for location in puzzle.locations]
        self.coloured = any(self.colours)

    def starts(self, kind: int, offsets: Sequence[int]) -> Iterable[int]:
        """Yield in order the keys of the locations of a kind from which all offsets reach a location."""
        if not self.bits:
            yield from (
                start
                for start in self.anchors.get(kind, ())
                if all(start + offset in self.keys.number for offset in offsets)
            )
            return
        fitting = self.bits.get(kind, 0)
        for offset in offsets:
            fitting &= self.everywhere >> offset if offset >= 0 else self.everywhere << -offset
        digits = bin(fitting)[:1:-1]
        at = digits.find("1")
        while at >= 0:
            yield self.keys.least + at
            at = digits.find("1", at + 1)

    @cached_property
    def is_large(self) -> bool:
        """Return whether numpy is faster, because the pieces may have many placements here."""
        if not self.puzzle.points or self.puzzle.wrapping is not None:
            return False
        turns = sum(len(piece.turns) for piece in self.puzzle.pieces if piece.covers is None)
        number = len(self.puzzle.locations) * turns
        if not has_numpy():
            return False
        many = number > (MAX_PLACEMENTS_IF_LOADED if "numpy" in sys.modules else MAX_PLACEMENTS_IN_PYTHON)
        return many and self.keys.size < SPARSE_BITS_FOR_EACH_LOCATION * len(self.puzzle.locations)

    @cached_property
    def colour_numbers(self) -> dict[str | None, int]:
        """A number for each colour of a cell or a location, 0 for none."""
        colours = {colour for piece in self.puzzle.pieces for colour in piece.colours} | set(self.colours)
        return {None: 0, **{colour: index for index, colour in enumerate(sorted(filter(None, colours)), 1)}}

    @cached_property
    def grid(self) -> LocationGrid:
        """The locations as arrays."""
        from puzzlec.lower.placing_numpy import LocationGrid, pairs_that_suit

        number, pairs = self.colour_numbers, self.puzzle.colours.allowed
        allowed = [(number[a], number[b]) for a, b in pairs if a in number and b in number]
        return LocationGrid(
            list(self.keys.number),
            self.kinds,
            [number[colour] for colour in self.colours],
            pairs_that_suit(len(number), allowed),
        )

    def many_placements(self, piece: Piece) -> tuple[Placements, tuple[Colours, ...]]:
        """Return the result of :meth:`placed`, computed in numpy."""
        from puzzlec.lower.placing_numpy import KeyedOrientation

        number = self.colour_numbers
        forms = [
            KeyedOrientation(kind, tuple(offsets), tuple([number[colour] for colour in colours]))
            for kind, offsets, colours in self.forms(piece)
        ]
        if len(set(piece.colours)) == 1:
            return self.grid.placements(forms), ()
        placements, colour_rows = self.grid.shown_placements(forms)
        named = list(number)
        return placements, tuple([tuple([named[colour] for colour in colours]) for colours in colour_rows])

    def placed(self, piece: Piece) -> tuple[Placements, tuple[Colours, ...]]:
        """Return the placements of a piece, and the colours that each shows unless the locations determine them.

        A piece of one colour has no colours here, since all its placements show the same. A piece that always shows the
        colours of its locations has no colours here either.
        """
        if self.is_large:
            return self.many_placements(piece)
        if len(set(piece.colours)) == 1:
            return Placements(self.placements(piece)), ()
        placements = list(self.shown_placements(piece))
        colours = tuple([row_colours for _, row_colours in placements])
        rows = [locations for locations, _ in placements]
        if all(row_colours == tuple([self.colours[location] for location in row]) for row, row_colours in placements):
            colours = ()
        return Placements(rows), colours

    def forms(self, piece: Piece) -> Iterator[tuple[int, list[int], Colours]]:
        """Yield the orientations of a piece that are not larger than the board.

        Each has the kind of its anchor's cell, the distances of its cells from the anchor in keys, ascending, and their
        colours.
        """
        for orientation in orientations(piece, self.lattice):
            anchor, axes = _from_anchor(orientation)
            if any(max(max(axis), -min(axis)) > spread for axis, spread in zip(axes, self.keys.spread, strict=True)):
                continue  # larger than the board, where packed integers are ambiguous
            # Keys of different cells differ, so no two colours are compared.
            pairs = sorted(zip(self.keys.of_axes(axes), [colour for _, colour in orientation], strict=True))
            yield self.lattice.class_of(anchor), [offset for offset, _ in pairs], tuple([colour for _, colour in pairs])

    def placements(self, piece: Piece) -> Iterator[tuple[int, ...]]:
        """Yield the sets of locations that a piece can cover, in a fixed order, one for each choice of colours."""
        return (locations for locations, _ in self.shown_placements(piece))

    def shown_placements(self, piece: Piece) -> Iterator[tuple[tuple[int, ...], Colours]]:
        """Yield the placements of a piece, each once, in a fixed order: the locations, and the colours shown there."""
        if not self.puzzle.locations:
            return
        if self.puzzle.wrapping is not None:
            yield from self.wrapped_placements(piece, self.puzzle.wrapping)
            return
        checked = self.coloured and any(piece.colours)
        number = self.keys.number
        # Orientations differ in their cells or in the colours of these, so no placement is repeated.
        for kind, offsets, colours in self.forms(piece):
            for start in self.starts(kind, offsets):
                reached = [number[start + offset] for offset in offsets]
                if checked and not self.suits(reached, colours):
                    continue
                yield (tuple(reached), colours) if self.keys.ascending else _in_order(reached, colours)

    def wrapped_placements(self, piece: Piece, wrapping: Wrapping) -> Iterator[tuple[tuple[int, ...], Colours]]:
        """Yield the placements of a piece on a wrap-around board, except those that overlap themselves."""
        seen: set[tuple[tuple[int, ...], Colours]] = set()
        forms = list(orientations(replace(piece, turns=wrapping.turns(piece.turns)), self.lattice))
        # On a board with a twist, a piece across the seam may have its first cell off the board on either side.
        firsts = range(len(piece.cells)) if len(wrapping.cosets) > 1 else range(1)
        for orientation, first in product(forms, firsts):
            anchor = orientation[first][0]
            kind = self.lattice.class_of(anchor)
            steps = [tuple(map(sub, point, anchor)) for point, _ in orientation]
            colours = tuple([colour for _, colour in orientation])
            for point, kind_here in zip(self.puzzle.points, self.kinds, strict=True):
                if kind_here != kind:
                    continue
                reached = [wrapping.location(tuple(map(add, point, step))) for step in steps]
                if min(reached) < 0 or len(set(reached)) < len(reached) or not self.suits(reached, colours):
                    continue
                placement = _in_order(reached, colours)
                if placement not in seen:
                    seen.add(placement)
                    yield placement

    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """Return for each location the locations across its sides, -1 if there is none.

        Raises ValueError if tiles cannot lie on this wrap-around board.
        """
        if self.puzzle.wrapping is not None and (why := self.puzzle.wrapping.against_tiles(self.puzzle.points)):
            raise ValueError(f"pieces with sides cannot lie on this board: {why}")
        at = self.puzzle.geometry.location_at
        return tuple(
            tuple(at(tuple(map(add, point, step))) for step in self.lattice.kinds[kind].neighbours)
            for point, kind in zip(self.puzzle.points, self.kinds, strict=True)
        )

    def crossings(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """Return the points where pieces could cross, each with the pairs of locations on its ways."""
        if self.puzzle.lattice is None or self.puzzle.rules.crossing or not self.puzzle.lattice.crossings:
            return ()
        at = self.puzzle.geometry.location_at
        ways_at: dict[frozenset[tuple[int, int]], tuple[tuple[int, int], ...]] = {}
        for point in self.puzzle.points:
            for ways in self.lattice.crossings:
                for one, _ in ways:
                    if not self.lattice.ends_at(point, tuple(-step for step in one)):
                        continue  # a cell of another kind, which passes there or not at all
                    here = tuple(map(sub, point, one))
                    pairs = [tuple(at(tuple(map(add, here, step))) for step in way) for way in ways]
                    open_ways = tuple((a, b) for a, b in pairs if min(a, b) >= 0)
                    # On a board of width 1 an edge is a ring that goes straight through its point alone.
                    # On a wrap-around board the same point is met from several sides, perhaps reflected.
                    same = frozenset((min(pair), max(pair)) for pair in open_ways)
                    if any(set(a).isdisjoint(b) for a, b in combinations(same, 2)):
                        ways_at.setdefault(same, open_ways)
        with_way: dict[tuple[int, int], list[frozenset[tuple[int, int]]]] = {}
        for same in ways_at:
            for way in same:
                with_way.setdefault(way, []).append(same)
        # On the border fewer ways are open, and one crossing may forbid what another already forbids.
        return tuple(
            ways for same, ways in ways_at.items() if not any(same < other for other in with_way[next(iter(same))])
        )

    def tiles(self, piece: Piece, neighbours: tuple[tuple[int, ...], ...]) -> Iterator[Tile]:
        """Yield the placements of a tile: its location, and the colours of its sides as it lies.

        On the border, sides must show a border colour. The order is that of the orientations, then that of the
        locations.
        """
        frame = self.puzzle.colours.frame
        for kind, sides in tile_orientations(piece, self.lattice):
            for location, kind_here in enumerate(self.kinds):
                if kind_here == kind and all(
                    other >= 0 or frame is None or side in frame
                    for side, other in zip(sides, neighbours[location], strict=True)
                ):
                    yield (location,), sides

    def suits(self, locations: list[int], colours: Colours) -> bool:
        """Return whether each coloured cell lies on a plain location, one of its colour, or an allowed one."""
        allowed = self.puzzle.colours.allowed
        for location, colour in zip(locations, colours, strict=True):
            there = self.colours[location]
            if colour is not None and there is not None and colour != there and (colour, there) not in allowed:
                return False
        return True


def _in_order(reached: list[int], colours: Colours) -> tuple[tuple[int, ...], Colours]:
    """Return locations in ascending order, with the colour shown on each."""
    pairs = sorted(zip(reached, colours, strict=True))
    return tuple([location for location, _ in pairs]), tuple([colour for _, colour in pairs])


#: An orientation: the points of a rotated or reflected piece, each with its colour, in ascending order. The first one
#: is its anchor.
Aspect = tuple[tuple[Point, str | None], ...]


def orientations(piece: Piece, lattice: Lattice) -> tuple[Aspect, ...]:
    """Return the different orientations of a piece under its allowed motions, each once up to translation.

    A piece of balls that is free or one-sided is a rigid body: its images under motions that do not keep the lattice
    come last.

    >>> from puzzlec.geometry import find_library
    >>> shapes = find_library("pentominoes")
    >>> piece = Piece("F", shapes.shapes["F"].cells, (None,) * 5, shapes.lattice.isometries)
    >>> len(orientations(piece, shapes.lattice))
    8
    """
    points = [lattice.point(cell) for cell in piece.cells]
    aspects: dict[object, Aspect] = {}
    for moved in _images(piece, lattice, points):
        images = tuple(sorted(zip(moved, piece.colours, strict=True)))
        anchor, axes = _from_anchor(images)
        # The kind of the anchor's cell belongs to the form: a translation keeps it.
        form = lattice.class_of(anchor), tuple(map(tuple, axes)), tuple([colour for _, colour in images])
        aspects.setdefault(form, images)
    return tuple(aspects.values())


def _from_anchor(aspect: Aspect) -> tuple[Point, list[list[int]]]:
    """Return the anchor of an orientation, and the steps from there to all cells, coordinate by coordinate."""
    anchor = aspect[0][0]
    axes = zip(*[point for point, _ in aspect], strict=True)
    return anchor, [[value - at for value in axis] for axis, at in zip(axes, anchor, strict=True)]


def _images(piece: Piece, lattice: Lattice, points: list[Point]) -> Iterator[Sequence[Point]]:
    """Yield the images of a piece's points under its matrices, or under the motions of a rigid body."""
    axes = list(zip(*points, strict=True))
    yield from (list(zip(*[axis_of_images(row, axes) for row in turn], strict=True)) for turn in piece.turns)
    if lattice.of_balls and (freedom := lattice.freedom_of(piece.turns)) not in (None, Freedom.FIXED):
        # In the order of the points, so that the order of the cells in a list has no effect.
        order = sorted(range(len(points)), key=points.__getitem__)
        for image in congruent(lattice, [points[location] for location in order], freedom is Freedom.ONE_SIDED):
            place = dict(zip(order, image, strict=True))
            yield [place[point] for point in range(len(points))]


def tile_orientations(piece: Piece, lattice: Lattice) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """Return the different orientations of a tile: the kind of its cell, and the colours that its sides show."""
    home = lattice.kinds[0]
    aspects: dict[tuple[int, tuple[str, ...]], None] = {}
    for turn in piece.turns:
        kind = lattice.class_of(turned(turn, home.at))
        colours = {turned(turn, step): colour for step, colour in zip(home.neighbours, piece.sides, strict=True)}
        aspects[kind, tuple(colours[step] for step in lattice.kinds[kind].neighbours)] = None
    return tuple(aspects)


def number_of_orientations(piece: Piece, lattice: Lattice) -> int:
    """Return the number of orientations of a piece; tiles count orientations with different colours."""
    return len(tile_orientations(piece, lattice) if piece.sides else orientations(piece, lattice))
