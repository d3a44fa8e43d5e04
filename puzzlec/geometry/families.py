"""Families of polyforms of any size, as data in ``families.yaml``.

A family names its lattice and its units: the possible shapes of a polyform of size 1. Default: one cell of each
kind. A unit may have several cells: a polyabolo consists of half squares, each of two quarter cells. Polyforms of size
n + 1 are those of size n with one more unit that covers none of their cells and is a neighbour of one of them.

A polyform is *free* if its images under all isometries of the lattice count as one, *one-sided* if its images under
rotations do, and *fixed* if only its translations do. Balls are rigid bodies: all images under motions count as one,
even if the motion does not keep the lattice.

While polyforms grow, cells are numbers. With K kinds of cell, the cell with coefficients (x, y, z) of the translations
and kind k is ``((z * B + y) * B + x) * K + k``; the base B exceeds all differences that occur. A translation adds a
multiple of K. The order of the numbers is the reading order: layer by layer, row by row, from left to right, kind by
kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple, TypeAlias

from puzzlec import resources
from puzzlec.diagnostics import near, suggestion
from puzzlec.geometry.congruence import congruent
from puzzlec.geometry.lattice import Cell, Freedom, Lattice, Matrix, cells_at, find_lattice, turned
from puzzlec.geometry.shapes import Shape, ShapeSet, find_library, is_variant, library_names

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
    numbers = _CellNumbers(lattice)
    turns, every = numbers.tables(lattice.turns(freedom)), numbers.tables(lattice.isometries)
    forms: set[Form] = set()
    for form in _grown(numbers, units, every, size):
        images = numbers.images(form, every)
        while images:  # a free polyform is one or more one-sided ones, and so on
            turned_to = numbers.images(images.pop(), turns)
            images -= turned_to
            forms.add(min(turned_to))
    if lattice.of_balls and freedom is not Freedom.FIXED:
        forms = _congruent_once(numbers, forms, freedom is Freedom.ONE_SIDED)
    return [numbers.cells(form) for form in sorted(forms)]


def _congruent_once(numbers: _CellNumbers, forms: Iterable[Form], proper: bool) -> set[Form]:
    """Return the forms without those that are congruent to a lesser one, by any rigid motion."""
    lattice = numbers.lattice
    alike: dict[tuple[int, ...], list[Form]] = {}
    for form in sorted(forms):
        points = [lattice.point(numbers.cell(number)) for number in form]
        distances = sorted(sum((a - b) ** 2 for a, b in zip(*pair, strict=True)) for pair in combinations(points, 2))
        alike.setdefault(tuple(distances), []).append(form)
    representatives: set[Form] = set()
    for left in alike.values():
        while left:
            representatives.add(least := left.pop(0))
            if left:
                points = [lattice.point(numbers.cell(number)) for number in least]
                cells = ([lattice.cell(point) for point in image] for image in congruent(lattice, points, proper))
                same = {numbers.normal([numbers.number(cell) for cell in form if cell]) for form in cells}
                left[:] = [form for form in left if form not in same]
    return representatives


def _grown(numbers: _CellNumbers, units: Units, turns: list[_ImageTable], size: int) -> list[Form]:
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


def _placements_beside(numbers: _CellNumbers, units: Sequence[Form]) -> list[list[Form]]:
    """Return, for each kind of cell, the placements of units that are neighbours of the cell of that kind at 0."""
    beside: list[list[Form]] = []
    for kind in range(numbers.kinds):
        placements: dict[Form, None] = {}
        for neighbour in numbers.neighbours(kind):
            for unit in units:
                for cell in unit:
                    if (neighbour - cell) % numbers.kinds == 0:
                        placements[tuple([member + neighbour - cell for member in unit])] = None
        beside.append([placement for placement in placements if kind not in placement])
    return beside


class _ImageTable(dict[int, int]):
    """The image of each cell under a matrix, computed on demand."""

    def __init__(self, numbers: _CellNumbers, matrix: Matrix) -> None:
        self.numbers, self.matrix = numbers, matrix

    def __missing__(self, number: int) -> int:
        lattice = self.numbers.lattice
        cell = lattice.cell_at(turned(self.matrix, lattice.point(self.numbers.cell(number))))
        self[number] = image = self.numbers.number(cell)
        return image


class _CellNumbers:
    """The numbers of the cells of a lattice; see the module."""

    def __init__(self, lattice: Lattice) -> None:
        self.lattice, self.kinds = lattice, len(lattice.kinds)

    def number(self, cell: Cell) -> int:
        """Return the number of a cell."""
        number = 0
        for coefficient in reversed(cell[: self.lattice.dimension]):
            number = number * _BASE + coefficient
        return number * self.kinds + (cell[-1] if self.kinds > 1 else 0)

    def cell(self, number: int) -> Cell:
        """Return the cell of a number."""
        number, kind = divmod(number, self.kinds)
        coefficients = []
        for _ in range(self.lattice.dimension):
            coefficient = (number + _BASE // 2) % _BASE - _BASE // 2
            coefficients.append(coefficient)
            number = (number - coefficient) // _BASE
        return (*coefficients, kind) if self.kinds > 1 else tuple(coefficients)

    def neighbours(self, kind: int) -> list[int]:
        """Return the numbers of the neighbours of the cell of a kind at 0."""
        lattice, point = self.lattice, self.lattice.point(self.cell(kind))
        steps = lattice.kinds[kind].neighbours
        cells = [lattice.cell(tuple([a + b for a, b in zip(point, step, strict=True)])) for step in steps]
        return [self.number(cell) for cell in cells if cell is not None]

    def tables(self, turns: Iterable[Matrix]) -> list[_ImageTable]:
        """Return matrices as tables of numbers."""
        return [_ImageTable(self, turn) for turn in turns]

    def normal(self, form: Iterable[int]) -> Form:
        """Return cells in reading order, moved so that the first of them is at 0."""
        ordered = sorted(form)
        shift = ordered[0] - ordered[0] % self.kinds
        return tuple([member - shift for member in ordered])

    def images(self, form: Form, turns: Iterable[_ImageTable]) -> set[Form]:
        """Return the images of a form under matrices, each in its normal position."""
        return {self.normal([turn[cell] for cell in form]) for turn in turns}

    def cells(self, form: Form) -> tuple[Cell, ...]:
        """Return the cells of a form, with no coefficient below 0."""
        cells = [self.cell(number) for number in form]
        low = [min(axis) for axis in zip(*cells, strict=True)][: self.lattice.dimension]
        return tuple(tuple(a - b for a, b in zip(cell, [*low, 0], strict=False)) for cell in cells)


#: Maximum number of polyforms of one size.
MOST_SHAPES = 20_000

#: Maximum number of images of polyforms of one size, up to translation. Those of smaller sizes are kept in memory as
#: well.
MOST_IMAGES = 300_000


class Published(NamedTuple):
    """Numbers of polyforms of size 1, 2 and so on, and their source."""

    source: str
    counts: tuple[int, ...]


class Family(NamedTuple):
    """A family of polyforms.

    For each freedom, ``sets`` names the shape sets that have all polyforms of size 1, 2 and so on ("" if there is no
    set). ``names`` are words for sizes without a set. ``freedom`` is the default.
    """

    name: str
    summary: str
    lattice: Lattice
    units: tuple[tuple[Cell, ...], ...]
    freedom: Freedom
    sets: dict[Freedom, tuple[str, ...]]
    names: dict[str, int]
    published: dict[Freedom, Published]


class ShapesError(ValueError):
    """Shapes that are not available: code, message, note and suggestion."""

    def __init__(self, code: str, message: str, note: str = "", help: str = "") -> None:
        super().__init__(message)
        self.code, self.message, self.note, self.help = code, message, note, help


@cache
def _documents() -> dict[str, Any]:
    """Return the families as described in their file."""
    documents: dict[str, Any] = resources.yaml_document(resources.folder("shapes").parent / "families.yaml")
    return documents


def family_names() -> tuple[str, ...]:
    """Return the names of all families, in the order of their file."""
    return tuple(_documents())


@cache
def find_family(name: str) -> Family:
    """Return a family by its name, such as ``polyominoes``.

    Raises KeyError if the name is not in :func:`family_names`.
    """
    entry = _documents()[name]
    lattice = find_lattice(entry["lattice"])
    single = [[cell] for cell in cells_at(lattice, [(0,) * lattice.dimension])]
    return Family(
        name,
        entry["summary"],
        lattice,
        tuple(tuple(tuple(cell) for cell in unit) for unit in entry.get("units", single)),
        Freedom(entry["freedom"]),
        {Freedom(freedom): tuple(names) for freedom, names in entry.get("sets", {}).items()},
        entry.get("names", {}),
        {
            Freedom(freedom): Published(published["source"], tuple(published["counts"]))
            for freedom, published in entry["numbers"].items()
        },
    )


def sized_names() -> dict[str, tuple[str, int]]:
    """Return the words for sizes of families without a shape set, such as ``heptominoes``: family and size."""
    return {
        name: (family, size) for family, entry in _documents().items() for name, size in entry.get("names", {}).items()
    }


@cache
def family_words() -> dict[str, tuple[str, int]]:
    """Return the words for sizes of families, such as ``pentominoes`` and ``heptominoes``: family and size."""
    words = sized_names()
    for name, entry in _documents().items():
        usual = entry.get("sets", {}).get(entry["freedom"], ())
        words |= {word: (name, size) for size, word in enumerate(usual, 1) if word}
    return words


def _refuse_variant(name: str) -> None:
    """Raise ShapesError for the name of a set that a freedom after another name chooses."""
    word = next((name.removeprefix(f"{freedom.value}-") for freedom in Freedom if is_variant(name, freedom)), "")
    if word and word in family_words():
        freedom = name.removesuffix(f"-{word}")
        raise ShapesError("PZ304", f"unknown shape library `{name}`", help=f"write `{word} {freedom}`")


def lattice_of(name: str) -> Lattice:
    """Return the lattice of a family or shape set; raise ShapesError if the name is neither."""
    _refuse_variant(name)
    library = _library(name)
    if library is not None:
        return library.lattice
    if name in family_names():
        return find_family(name).lattice
    if name in sized_names():
        return find_family(sized_names()[name][0]).lattice
    raise ShapesError(
        "PZ304",
        f"unknown shape library `{name}`",
        "`puzzlec list shapes` lists libraries and families",
        _sized(name) or "".join(suggestion(name, (*library_names(), *family_names(), *sized_names()))),
    )


def _sized(name: str) -> str:
    """Return the suggestion for a name with the size in it, such as ``5-ominoes``; empty for any other name."""
    if match := re.fullmatch(r"(\d+|[a-z])-(\w+)", name):
        size, kind = match.groups()
    elif match := re.fullmatch(r"(poly\w+)-(\d+)", name):
        kind, size = match.groups()
    else:
        return ""
    families = near(kind, family_names()) or [family for family in family_names() if family.endswith(kind)]
    return f"write `{families[0]} {size}`" if families else ""


def shapes(name: str, size: int | None = None) -> tuple[Shape, ...]:
    """Return the shapes of a library, or of a family with a number of units.

    >>> [shape.name for shape in shapes("tetrominoes")], len(shapes("polyominoes", 6))
    (['I', 'L', 'O', 'T', 'Z'], 35)

    Args:
        name: The name of a library or a family, as ``puzzlec list shapes`` prints it.
        size: The number of units of a family such as "polyominoes".

    Raises:
        ValueError: If the name is unknown, or if there are too many shapes.

    """
    return tuple(find_shapes(name, size).shapes.values())


def find_shapes(name: str, size: int | None = None, freedom: Freedom | None = None) -> ShapeSet:
    """Return the shape set of a name: a library, or a family in some size.

    The freedom chooses among the sets of a family, and also among those of a word such as ``hexominoes``. If it is not
    the default one, shapes of the default set keep their names in ``others``. Raises ShapesError if there is no such
    set.

    >>> len(find_shapes("hexominoes").shapes), len(find_shapes("hexominoes", None, Freedom.ONE_SIDED).shapes)
    (35, 60)
    """
    lattice_of(name)
    library = _library(name)
    if library is None and name in family_names():
        if size is None:
            message = f"missing size for `{name}`"
            raise ShapesError("PZ350", message, help=f"write `{name} 5`")
        return generate(name, size, freedom)
    if size is not None:
        message = f"unexpected size {size} for `{name}`, a set of fixed size"
        raise ShapesError("PZ352", message, help=f"remove the {size}, or name a family, such as `polyominoes {size}`")
    if library is not None and freedom in (None, library.freedom):
        return library
    family, cells = family_words().get(name, ("", 0))
    if library is not None and not family:
        return library
    return generate(family, cells, freedom)._replace(name=name)


def _library(name: str) -> ShapeSet | None:
    """Return a shape set of a library. Libraries are looked up first, so that using one reads no family."""
    try:
        return find_library(name)
    except KeyError:
        return None


def generate(name: str, size: int, freedom: Freedom | None = None) -> ShapeSet:
    """Return all polyforms of a family and a size, with the given freedom.

    If a shape set has exactly these polyforms, it gives their names and cells. Otherwise their names are ``SIZE-1``,
    ``SIZE-2`` and so on, in the order and position of :func:`puzzlec.geometry.families.polyforms`. These names are part
    of the language and never change: the straight row of seven squares is ``7-1``.

    Raises KeyError for an unknown family, ShapesError for an invalid size, or one with too many polyforms.

    >>> list(generate("polyominoes", 5).shapes)[:3]
    ['F', 'I', 'L']
    >>> list(generate("polyominoes", 7).shapes)[-1]
    '7-108'
    """
    family = find_family(name)
    freedom = freedom or family.freedom
    if size < 1:
        raise ShapesError("PZ351", "size must be at least 1")
    title = f"{name} {size}"
    library, usual = (family.sets.get(which, ())[size - 1 : size] for which in (freedom, family.freedom))
    others: dict[str, Shape] = {}
    if freedom is not family.freedom and usual and usual[0]:
        others = find_library(usual[0]).shapes
    if library and library[0]:
        return find_library(library[0])._replace(name=title, freedom=freedom, others=others)
    _refuse_many(family, size, freedom)
    forms = polyforms(family.lattice, family.units, size, freedom)
    names = [f"{size}-{index}" for index in range(1, len(forms) + 1)]
    shapes = {name: Shape(name, cells) for name, cells in zip(names, forms, strict=True)}
    summary = f"the {len(forms)} {freedom.value} {name} of size {size}"
    return ShapeSet(title, summary, family.published[freedom].source, family.lattice, freedom, shapes, others)


def _refuse_many(family: Family, size: int, freedom: Freedom) -> None:
    """Raise ShapesError if the published numbers show that there are too many polyforms."""
    source, counts = family.published[freedom]
    images = family.published[Freedom.FIXED].counts
    within = [
        size
        for size, (count, fixed) in enumerate(zip(counts, images, strict=False), 1)
        if count <= MOST_SHAPES and fixed <= MOST_IMAGES
    ]
    if size in within:
        return
    reason = f"{counts[size - 1]:,} exist ({source})" if size <= len(counts) else ""
    if size > len(counts):
        reason = f"more exist than the {counts[-1]:,} of size {len(counts)} ({source})"
    raise ShapesError(
        "PZ351",
        f"too many {freedom.value} {family.name} of size {size} to generate",
        f"{reason}; the largest possible size is {within[-1]}",
        f"write `{family.name} {within[-1]}`",
    )
