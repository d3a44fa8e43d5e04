"""Shape libraries: named sets of polyforms, as data in ``shapes/*.yaml``, one file for each lattice.

A piece is a drawing for the rule of the lattice, or a list of cells if the lattice has no drawing rule. A numbered
shape is a solid shape without some of its removable cells. Burr sticks are numbered like this. Number 1 is the solid
shape. The first removable cell adds 1, and each further one twice as much as the one before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from puzzlec import resources
from puzzlec.geometry.drawing import marks
from puzzlec.geometry.lattice import Cell, Freedom, Lattice, at_origin, find_lattice, turned
from puzzlec.shown import brief, mimebundle


class Shape(NamedTuple):
    """A polyform with its usual name; ``colours`` are those of its cells, or () if all are plain.

    >>> import puzzlec
    >>> [(shape.name, len(shape.cells)) for shape in puzzlec.shapes("trominoes")]
    [('I', 3), ('V', 3)]
    """

    def __repr__(self) -> str:
        return brief(self)

    name: str
    cells: tuple[Cell, ...]
    colours: tuple[str, ...] = ()


class ShapeSet(NamedTuple):
    """A named set of shapes on one lattice, each with the same ``freedom``.

    ``others`` are shapes under further names: the other numbers of a burr stick, or the shapes of the free set if this
    is a one-sided or fixed one. The statement `pieces` takes them only by name.
    """

    def __repr__(self) -> str:
        return brief(self)

    name: str
    summary: str
    source: str
    lattice: Lattice
    freedom: Freedom
    shapes: dict[str, Shape]
    others: Mapping[str, Shape] = MappingProxyType({})

    def shape(self, name: str) -> Shape:
        """Return the shape of a name; raise KeyError if it is unknown.

        >>> len(find_library("burr-sticks").shape("256").cells)
        16
        """
        return self.shapes[name] if name in self.shapes else self.others[name]

    @property
    def named(self) -> dict[str, Shape]:
        """All shapes by their names, further names included."""
        return {**self.shapes, **{name: shape for name, shape in self.others.items() if name not in self.shapes}}

    def name_of(self, cells: Sequence[Cell]) -> str | None:
        """Return the name of the shape of some cells on a lattice of squares or cubes; None if it is not in the set.

        >>> find_library("tetracubes").name_of([(5, 0, 0), (5, 1, 0), (5, 0, 1), (5, 1, 1)])
        'O'
        """
        images = {at_origin([turned(turn, cell) for cell in cells]) for turn in self.lattice.turns(self.freedom)}
        return next((name for name, shape in self.shapes.items() if at_origin(shape.cells) in images), None)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        return mimebundle(self, include, exclude)


def library_names() -> tuple[str, ...]:
    """Return the names of all shape sets, in the order of the files.

    Sets such as ``one-sided-pentominoes`` are left out: they are `pentominoes one-sided`.
    """
    every = (name for path in _files() for name in resources.yaml_document(path)["sets"])
    return tuple(name for name in every if not any(is_variant(name, freedom) for freedom in Freedom))


def is_variant(name: str, freedom: Freedom) -> bool:
    """Return whether a set has the polyforms of another one with this freedom, by its name."""
    return name.startswith(f"{freedom.value}-")


@cache
def find_library(name: str) -> ShapeSet:
    """Return a set of shapes by its name, such as ``pentominoes``.

    Raises KeyError if the name is not in :func:`library_names`.
    """
    grid_name, entry = _entry(name)
    grid = find_lattice(grid_name)
    freedom = Freedom(entry["freedom"])
    others: dict[str, Shape] = {}
    if "numbered" in entry:
        solid = _shape("", entry["numbered"]["solid"], grid).cells
        removable = _shape("", entry["numbered"]["removable"], grid).cells
        numbers = numbered(solid, removable, grid, freedom)
        by_number = {number: Shape(str(number), cells) for number, (_, cells) in numbers.items()}
        shapes = {str(number): by_number[number] for number, (least, _) in numbers.items() if number == least}
        others = {str(number): by_number[number] for number, (least, _) in numbers.items() if number != least}
    else:
        shapes = {piece: _shape(piece, what, grid) for piece, what in entry["pieces"].items()}
    return ShapeSet(name, entry["summary"], entry["source"], grid, freedom, shapes, others)


def _shape(name: str, what: str | list[list[int]], grid: Lattice) -> Shape:
    """Return a piece from a file: drawn, with digits if its cells have numbers, or listed."""
    if not isinstance(what, str):
        return Shape(name, tuple(map(tuple, what)))
    drawn = marks(what, grid)
    numbered = any(mark.sign.isdecimal() for mark in drawn)
    return Shape(name, tuple(mark.cell for mark in drawn), tuple(mark.sign for mark in drawn) if numbered else ())


@cache
def _files() -> tuple[Path, ...]:
    return tuple(sorted(resources.folder("shapes").glob("*.yaml")))


def _entry(name: str) -> tuple[str, dict[str, Any]]:
    """Return the name of a set's lattice, and its entry in the file.

    Files in which the name begins a line are read first, since parsing all files takes time.
    """
    begun = f"\n  {name}:"
    for path in sorted(_files(), key=lambda path: begun not in path.read_text(encoding="utf-8")):
        document = resources.yaml_document(path)
        if name in document["sets"]:
            return document["lattice"], document["sets"][name]
    raise KeyError(name)


def numbered(
    solid: Sequence[Cell], removable: Sequence[Cell], lattice: Lattice, freedom: Freedom
) -> dict[int, tuple[int, tuple[Cell, ...]]]:
    """Return the connected shapes by number, each with the minimum number of the same shape and its cells.

    Args:
        solid: Cells of number 1, which have the full length along each axis.
        removable: Cells that other numbers lack, in the order of their values.
        lattice: Lattice of squares or cubes. Connected cells share sides.
        freedom: Motions that do not change the shape.

    """
    bit = {cell: 1 << at for at, cell in enumerate(removable)}
    turns = [[bit.get(turn[cell]) for cell in bit] for turn in _turns(solid, lattice, freedom)]
    place = {cell: 1 << at for at, cell in enumerate(solid)}
    beside = [sum(place[neighbour] for neighbour in solid if _touch(neighbour, cell)) for cell in solid]
    shapes: dict[int, tuple[int, tuple[Cell, ...]]] = {}
    least: dict[int, int] = {}
    for removed in range(1 << len(removable)):
        cells = tuple(cell for cell in solid if not bit.get(cell, 0) & removed)
        if not _is_connected(sum(map(place.__getitem__, cells)), beside):
            continue
        if removed not in least:  # numbers ascend, so this one is the least of its shape
            removes = [at for at in range(len(removable)) if removed >> at & 1]
            for values in turns:
                image = [values[at] for at in removes]
                if None not in image:
                    least[sum(value or 0 for value in image)] = removed
        shapes[removed + 1] = least[removed] + 1, cells
    return shapes


def _turns(solid: Sequence[Cell], lattice: Lattice, freedom: Freedom) -> list[dict[Cell, Cell]]:
    """Return the image of each cell under the motions that keep the solid shape.

    All other motions change its lengths along the axes.
    """
    low = [min(at) for at in zip(*solid, strict=True)]
    images = []
    for turn in lattice.turns(freedom):
        image = [turned(turn, cell) for cell in solid]
        moves = [a - min(at) for a, at in zip(low, zip(*image, strict=True), strict=True)]
        placed = [tuple(map(sum, zip(cell, moves, strict=True))) for cell in image]
        if set(placed) == set(solid):
            images.append(dict(zip(solid, placed, strict=True)))
    return images


def _touch(one: Cell, other: Cell) -> bool:
    return sum(abs(a - b) for a, b in zip(one, other, strict=True)) == 1


def _is_connected(cells: int, beside: Sequence[int]) -> bool:
    """Return whether cells, as bits, are connected; ``beside`` has the neighbours of each bit."""
    reached = frontier = cells & -cells
    while frontier:
        beyond = 0
        while frontier:
            last = frontier & -frontier
            beyond |= beside[last.bit_length() - 1]
            frontier ^= last
        frontier = beyond & cells & ~reached
        reached |= frontier
    return reached == cells
