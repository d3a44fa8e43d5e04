"""Shape libraries: named sets of polyforms, as data in ``shapes/*.yaml``, a file for each lattice.

A piece is a drawing, which the rule of the lattice reads, or a list of cells where the lattice has no such rule.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from puzzlec import resources
from puzzlec.geometry.drawing import marks
from puzzlec.geometry.lattice import Cell, Freedom, Lattice, find_lattice
from puzzlec.shown import mimebundle


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

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        return mimebundle(self, include, exclude)


def library_names() -> tuple[str, ...]:
    """Return the names of all shape sets, in the order of the files."""
    return tuple(name for path in _files() for name in resources.yaml_document(path)["sets"])


@cache
def find_library(name: str) -> ShapeSet:
    """Return a set of shapes by its name, such as ``pentominoes``.

    Raises KeyError for a name that is not in :func:`library_names`.
    """
    grid_name, entry = _entry(name)
    grid = find_lattice(grid_name)
    shapes = {piece: Shape(piece, _cells(what, grid)) for piece, what in entry["pieces"].items()}
    return ShapeSet(name, entry["summary"], entry["source"], grid, Freedom(entry["freedom"]), shapes)


def _cells(what: str | list[list[int]], grid: Lattice) -> tuple[Cell, ...]:
    """Return the cells of a piece as a file has it: drawn or listed."""
    return tuple(mark.cell for mark in marks(what, grid)) if isinstance(what, str) else tuple(map(tuple, what))


@cache
def _files() -> tuple[Path, ...]:
    return tuple(sorted(resources.folder("shapes").glob("*.yaml")))


def _entry(name: str) -> tuple[str, dict[str, Any]]:
    """Return the name of a set's lattice and what its file says of it.

    Files in whose text the name begins a line are looked into first: to read all of them takes its time.
    """
    begun = f"\n  {name}:"
    for path in sorted(_files(), key=lambda path: begun not in path.read_text(encoding="utf-8")):
        document = resources.yaml_document(path)
        if name in document["sets"]:
            return document["lattice"], document["sets"][name]
    raise KeyError(name)
