"""Shape libraries: named sets of polyforms, as data in ``shapes/*.yaml``."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from puzzlec import resources
from puzzlec.geometry.drawing import marks
from puzzlec.geometry.lattice import Cell, Freedom, Lattice, find_lattice


class Shape(NamedTuple):
    """A polyform with its usual name."""

    name: str
    cells: tuple[Cell, ...]


class ShapeSet(NamedTuple):
    """A named set of shapes on one lattice, each of which may be turned as ``freedom`` says."""

    name: str
    summary: str
    source: str
    lattice: Lattice
    freedom: Freedom
    shapes: dict[str, Shape]


@cache
def _documents() -> dict[str, tuple[str, dict[str, Any]]]:
    """Every set of every library: its name, the lattice's name, and what the file says of it."""
    found: dict[str, tuple[str, dict[str, Any]]] = {}
    for path in sorted(resources.folder("shapes").glob("*.yaml")):
        document = resources.yaml_document(path)
        for name, entry in document["sets"].items():
            found[name] = (document["lattice"], entry)
    return found


def library_names() -> tuple[str, ...]:
    """Return the names of all shape sets, in the order of the files."""
    return tuple(_documents())


@cache
def find_library(name: str) -> ShapeSet:
    """Return a set of shapes by its name, such as ``pentominoes``.

    Raises KeyError for a name that is not in :func:`library_names`.
    """
    grid_name, entry = _documents()[name]
    grid = find_lattice(grid_name)
    shapes = {
        piece: Shape(piece, tuple(mark.cell for mark in marks(drawing, grid)))
        for piece, drawing in entry["pieces"].items()
    }
    return ShapeSet(name, entry["summary"], entry["source"], grid, Freedom(entry["freedom"]), shapes)
