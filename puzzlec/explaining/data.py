"""Puzzles, lattices and shapes as plain data, for commands with ``--json``; docs/json.md lists the members."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from puzzlec.engine.problem import ExactCover
from puzzlec.geometry import Freedom, Lattice, ShapeSet, find_library, library_names
from puzzlec.geometry.families import Family, family_names, find_family, sized_names
from puzzlec.ir import ANY, Fitting
from puzzlec.lower import number_of_orientations


def cover_data(cover: ExactCover) -> dict[str, Any]:
    """Return the size of an exact cover."""
    sizes = {"primary": cover.primary, "secondary": cover.secondary, "options": len(cover)}
    return {**sizes, "entries": len(cover.items), "colours": len(set(cover.colours) - {0})}


def fitting_data(fitting: Fitting) -> dict[str, Any]:
    """Return a puzzle, its locations and its pieces, with the numbers of orientations and placements of each.

    ``high`` is null if there is no upper bound. ``cells``, ``orientations`` and ``freedom`` are null for pieces with
    listed placements, ``freedom`` also for pieces with listed rotations.
    """
    puzzle = fitting.puzzle
    lattice = puzzle.lattice if puzzle else None
    return {
        "title": fitting.title,
        "lattice": lattice.name if lattice else None,
        "locations": fitting.locations,
        "optional": len(fitting.optional),
        "pieces": [_piece_data(fitting, number, lattice) for number in range(len(fitting.pieces))],
    }


def _piece_data(fitting: Fitting, number: int, lattice: Lattice | None) -> dict[str, Any]:
    piece = fitting.pieces[number]
    described = fitting.puzzle.pieces[number] if fitting.puzzle else None
    has_shape = described is not None and described.covers is None and lattice is not None
    freedom = lattice.freedom_of(described.turns) if has_shape and described and lattice else None
    return {
        "name": fitting.piece_name(number),
        "low": piece.low,
        "high": None if piece.high >= ANY else piece.high,
        "cells": len(described.cells) if has_shape and described else None,
        "freedom": freedom.value if freedom else None,
        "orientations": number_of_orientations(described, lattice) if has_shape and described and lattice else None,
        "placements": len(piece.placements),
    }


def libraries_data() -> Iterator[dict[str, Any]]:
    """Yield each family and each library of shapes; ``kind`` is ``family``, ``library`` or ``size`` (of a family)."""
    for name in family_names():
        family = find_family(name)
        yield {"name": name, "kind": "family", "lattice": family.lattice.name, "summary": family.summary}
    for name in library_names():
        library = find_library(name)
        pieces = {"pieces": len(library.shapes), "summary": library.summary}
        yield {"name": name, "kind": "library", "lattice": library.lattice.name, **pieces}
    for name, (kind, size) in sized_names().items():
        yield {"name": name, "kind": "size", "lattice": find_family(kind).lattice.name, "family": kind, "size": size}


def family_data(family: Family) -> Iterator[dict[str, Any]]:
    """Yield the published numbers of a family's pieces, for each freedom, from size 1 on."""
    for freedom in Freedom:
        published = family.published[freedom]
        yield {
            "name": family.name, "freedom": freedom.value, "numbers": list(published.counts), "source": published.source
        }  # fmt: skip


def shapes_data(shapes: ShapeSet) -> Iterator[dict[str, Any]]:
    """Yield the pieces of a set of shapes, with their cells in the coordinates of the lattice."""
    for shape in shapes.shapes.values():
        about = {"lattice": shapes.lattice.name, "freedom": shapes.freedom.value}
        yield {"name": shape.name, "library": shapes.name, **about, "cells": [list(cell) for cell in shape.cells]}


def lattice_data(lattice: Lattice) -> dict[str, Any]:
    """Return the properties of a lattice."""
    return {
        "name": lattice.name,
        "summary": lattice.summary,
        "dimension": lattice.dimension,
        "kinds": len(lattice.kinds),
        "rotations": len(lattice.rotations),
        "isometries": len(lattice.isometries),
        "freedom": lattice.freedom.value,
    }
