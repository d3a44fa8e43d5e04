"""Orientations: the different forms of a piece under its motions, once up to translation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import sub

from puzzlec.geometry import Freedom, Lattice
from puzzlec.geometry.congruence import congruent
from puzzlec.geometry.lattice import Point, turned
from puzzlec.ir import Piece

#: An orientation: the points of a rotated or reflected piece, each with its colour, in ascending order. The first one
#: is its anchor.
Aspect = tuple[tuple[Point, str | None], ...]


def aspects(piece: Piece, lattice: Lattice) -> tuple[Aspect, ...]:
    """Return the different orientations of a piece: under its allowed motions, once up to translation.

    A piece of balls that is free or one-sided is a rigid body: its images under motions that do not keep the lattice
    come last.

    >>> from puzzlec.geometry import find_library
    >>> shapes = find_library("pentominoes")
    >>> piece = Piece("F", shapes.shapes["F"].cells, (None,) * 5, shapes.lattice.isometries)
    >>> len(aspects(piece, shapes.lattice))
    8
    """
    points = [lattice.point(cell) for cell in piece.cells]
    found: dict[tuple[int, Aspect], Aspect] = {}
    for moved in _images(piece, lattice, points):
        images = sorted(zip(moved, piece.colours, strict=True))
        anchor = images[0][0]
        # The kind of the anchor's cell belongs to the form: a translation keeps it.
        form = (
            lattice.class_of(anchor),
            tuple([(tuple(map(sub, point, anchor)), colour) for point, colour in images]),
        )
        found.setdefault(form, tuple(images))
    return tuple(found.values())


def _images(piece: Piece, lattice: Lattice, points: list[Point]) -> Iterator[Sequence[Point]]:
    """Yield the images of a piece's points under its matrices, or under the motions of a rigid body."""
    yield from ([turned(turn, point) for point in points] for turn in piece.turns)
    if lattice.of_balls and (freedom := lattice.freedom_of(piece.turns)) not in (None, Freedom.FIXED):
        # In the order of the points, so that the order of the cells in a list has no effect.
        order = sorted(range(len(points)), key=points.__getitem__)
        for image in congruent(lattice, [points[each] for each in order], freedom is Freedom.ONE_SIDED):
            place = dict(zip(order, image, strict=True))
            yield [place[each] for each in range(len(points))]


def tile_aspects(piece: Piece, lattice: Lattice) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """Return the different orientations of a tile: the kind of its cell, and the colours that its sides show."""
    home = lattice.kinds[0]
    found: dict[tuple[int, tuple[str, ...]], None] = {}
    for turn in piece.turns:
        kind = lattice.class_of(turned(turn, home.at))
        shown = {turned(turn, step): colour for step, colour in zip(home.neighbours, piece.sides, strict=True)}
        found[kind, tuple(shown[step] for step in lattice.kinds[kind].neighbours)] = None
    return tuple(found)


def number_of_aspects(piece: Piece, lattice: Lattice) -> int:
    """Return the number of orientations of a piece; tiles count orientations with different colours."""
    return len(tile_aspects(piece, lattice) if piece.sides else aspects(piece, lattice))
