"""Generate polyforms on a lattice, unit by unit, and recognise their rotated and reflected images.

The *units* are the possible shapes of a polyform of size 1: single cells, or several together. A polyabolo consists of
half squares, each of two quarter cells. Polyforms of size n + 1 are those of size n with one more unit that covers
none of their cells and is a neighbour of one of them.

A polyform is *free* if its images under all isometries of the lattice count as one, *one-sided* if its images under
rotations do, and *fixed* if only its translations do. Balls are rigid bodies: all images under motions count as one,
even if the motion does not keep the lattice.

Cells are numbers here. With K kinds of cell, the cell with coefficients (x, y, z) of the translations and kind k is
``((z * B + y) * B + x) * K + k``; the base B exceeds all differences that occur. A translation adds a multiple of K.
The order of the numbers is the reading order: layer by layer, row by row, from left to right, kind by kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import TypeAlias

from puzzlec.geometry.congruence import congruent
from puzzlec.geometry.lattice import Cell, Freedom, Lattice, Matrix, turned

#: Base of the numbers of cells.
_BASE = 1 << 12

Form: TypeAlias = tuple[int, ...]
Units: TypeAlias = Sequence[Sequence[Cell]]


def polyforms(lattice: Lattice, units: Units, size: int, freedom: Freedom) -> list[tuple[Cell, ...]]:
    """Return the polyforms of a size, made of these units, as lists of cells.

    A polyform is written as the list of its cells in reading order (see the module), relative to the first cell. The
    least list of its images under the allowed rotations and reflections represents it, and polyforms are in the order
    of these lists. The returned cells are those of the list, moved so that no coefficient is below 0.

    >>> from puzzlec.geometry import find_lattice
    >>> polyforms(find_lattice("square"), [[(0, 0)]], 3, Freedom.FREE)
    [((0, 0), (1, 0), (2, 0)), ((0, 0), (1, 0), (0, 1))]
    """
    numbers = _Numbers(lattice)
    turns, every = numbers.tables(lattice.turns(freedom)), numbers.tables(lattice.isometries)
    found: set[Form] = set()
    for form in _grown(numbers, units, every, size):
        images = numbers.images(form, every)
        while images:  # a free polyform is one or more one-sided ones, and so on
            turned_to = numbers.images(images.pop(), turns)
            images -= turned_to
            found.add(min(turned_to))
    if lattice.of_balls and freedom is not Freedom.FIXED:
        found = _congruent_once(numbers, found, freedom is Freedom.ONE_SIDED)
    return [numbers.cells(form) for form in sorted(found)]


def _congruent_once(numbers: _Numbers, forms: Iterable[Form], proper: bool) -> set[Form]:
    """Return the forms without those that are congruent to a lesser one, by any rigid motion."""
    lattice = numbers.lattice
    alike: dict[tuple[int, ...], list[Form]] = {}
    for form in sorted(forms):
        points = [lattice.point(numbers.cell(number)) for number in form]
        distances = sorted(sum((a - b) ** 2 for a, b in zip(*pair, strict=True)) for pair in combinations(points, 2))
        alike.setdefault(tuple(distances), []).append(form)
    found: set[Form] = set()
    for left in alike.values():
        while left:
            found.add(least := left.pop(0))
            if left:
                points = [lattice.point(numbers.cell(number)) for number in least]
                cells = ([lattice.cell(point) for point in image] for image in congruent(lattice, points, proper))
                same = {numbers.normal([numbers.number(cell) for cell in form if cell]) for form in cells}
                left[:] = [form for form in left if form not in same]
    return found


def _grown(numbers: _Numbers, units: Units, turns: list[_Table], size: int) -> list[Form]:
    """Return one polyform of each free class of a size."""
    singles = [tuple(numbers.number(cell) for cell in unit) for unit in units]
    beside = _placements_beside(numbers, singles)
    kinds = numbers.kinds
    forms: list[Form] = []
    seen: set[Form] = set()
    for unit in singles:
        if (single := numbers.normal(unit)) not in seen:
            seen |= numbers.images(single, turns)
            forms.append(single)
    for _ in range(size - 1):
        larger: list[Form] = []
        seen = set()
        for form in forms:
            inside = set(form)
            for cell in form:
                kind = cell % kinds
                for placement in beside[kind]:
                    more = [cell - kind + member for member in placement]
                    if inside.isdisjoint(more) and (new := numbers.normal([*form, *more])) not in seen:
                        seen |= numbers.images(new, turns)
                        larger.append(new)
        forms = larger
    return forms


def _placements_beside(numbers: _Numbers, units: Sequence[Form]) -> list[list[Form]]:
    """Return, for each kind of cell, the placements of units that are neighbours of the cell of that kind at 0."""
    found: list[list[Form]] = []
    for kind in range(numbers.kinds):
        placements: dict[Form, None] = {}
        for neighbour in numbers.neighbours(kind):
            for unit in units:
                for cell in unit:
                    if (neighbour - cell) % numbers.kinds == 0:
                        placements[tuple([member + neighbour - cell for member in unit])] = None
        found.append([placement for placement in placements if kind not in placement])
    return found


class _Table(dict[int, int]):
    """The image of each cell under a matrix, computed on demand."""

    def __init__(self, numbers: _Numbers, matrix: Matrix) -> None:
        self.numbers, self.matrix = numbers, matrix

    def __missing__(self, number: int) -> int:
        lattice = self.numbers.lattice
        cell = lattice.cell(turned(self.matrix, lattice.point(self.numbers.cell(number))))
        assert cell is not None, "isometries of a lattice take cells to cells"
        self[number] = found = self.numbers.number(cell)
        return found


class _Numbers:
    """The numbers of the cells of a lattice; see the module."""

    def __init__(self, lattice: Lattice) -> None:
        self.lattice, self.kinds = lattice, len(lattice.kinds)

    def number(self, cell: Cell) -> int:
        """Return the number of a cell."""
        found = 0
        for coefficient in reversed(cell[: self.lattice.dimension]):
            found = found * _BASE + coefficient
        return found * self.kinds + (cell[-1] if self.kinds > 1 else 0)

    def cell(self, number: int) -> Cell:
        """Return the cell of a number."""
        number, kind = divmod(number, self.kinds)
        found = []
        for _ in range(self.lattice.dimension):
            coefficient = (number + _BASE // 2) % _BASE - _BASE // 2
            found.append(coefficient)
            number = (number - coefficient) // _BASE
        return (*found, kind) if self.kinds > 1 else tuple(found)

    def neighbours(self, kind: int) -> list[int]:
        """Return the numbers of the neighbours of the cell of a kind at 0."""
        lattice, own = self.lattice, self.lattice.point(self.cell(kind))
        steps = lattice.kinds[kind].neighbours
        cells = [lattice.cell(tuple([a + b for a, b in zip(own, step, strict=True)])) for step in steps]
        return [self.number(cell) for cell in cells if cell is not None]

    def tables(self, turns: Iterable[Matrix]) -> list[_Table]:
        """Return matrices as tables of numbers."""
        return [_Table(self, turn) for turn in turns]

    def normal(self, form: Iterable[int]) -> Form:
        """Return cells in reading order, moved so that the first of them is at 0."""
        ordered = sorted(form)
        shift = ordered[0] - ordered[0] % self.kinds
        return tuple([member - shift for member in ordered])

    def images(self, form: Form, turns: Iterable[_Table]) -> set[Form]:
        """Return the images of a form under matrices, each in its normal position."""
        return {self.normal([turn[cell] for cell in form]) for turn in turns}

    def cells(self, form: Form) -> tuple[Cell, ...]:
        """Return the cells of a form, with no coefficient below 0."""
        cells = [self.cell(number) for number in form]
        low = [min(axis) for axis in zip(*cells, strict=True)][: self.lattice.dimension]
        return tuple(tuple(a - b for a, b in zip(cell, [*low, 0], strict=False)) for cell in cells)
