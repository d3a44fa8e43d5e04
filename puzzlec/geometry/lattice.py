"""Lattices as data: cells that translations repeat, and the rotations and reflections that keep them.

A lattice is in a space of integer points, with one coordinate for each dimension. Each cell has a *point* there: the
position of its kind plus an integer combination of the translation vectors. Coordinates of points need not be lengths:
on `hex` and `triangle` they run along two sides of a triangle. So all matrices have integer entries, and the *axes*
describe the direction of each coordinate in a picture. An isometry is an integer matrix that acts on points. Users
write *cells*: the coefficients of the translation vectors and, if the lattice has several kinds of cell, the number of
the kind after them. On line, square and cubic a cell and its point are the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache, cached_property
from typing import Any, NamedTuple

from puzzlec import resources
from puzzlec.shown import brief, mimebundle

Cell = tuple[int, ...]
Point = tuple[int, ...]
Matrix = tuple[tuple[int, ...], ...]

#: Limit for a finite point group (the hyperoctahedral group in 4D has 384 elements).
MAX_GROUP_ELEMENTS = 4000

#: The number of steps of a whole turn, for each lattice on which pieces can turn.
TURN_ORDERS = {"square": 4, "cubic": 4, "triangle": 6, "hex": 6, "prism": 6}

#: The lattices on which pieces can make half steps: their cells stay apart if all distances double.
HALF_STEPS = ("line", "square", "cubic", "hypercubic", "triangle", "hex", "prism", "tetrakis")

#: A note on them for messages, and one on those with turns.
LATTICES_WITH_HALF_STEPS = f"half steps are possible on the lattices {', '.join(f'`{name}`' for name in HALF_STEPS)}"
LATTICES_WITH_TURNS = f"pieces turn on the lattices {', '.join(f'`{name}`' for name in TURN_ORDERS)}"


class Freedom(Enum):
    """How a piece may be rotated and reflected, in the terms of the polyform literature."""

    FREE = "free"
    ONE_SIDED = "one-sided"
    FIXED = "fixed"


class CellKind(NamedTuple):
    """One kind of cell: its position in the fundamental domain, its outline and its neighbours."""

    name: str
    at: Point
    outline: tuple[tuple[float, ...], ...]
    neighbours: tuple[Point, ...]


@dataclass(frozen=True)
class Lattice:
    """A lattice; the module describes its cells, points and matrices."""

    def __repr__(self) -> str:
        return brief(self)

    name: str
    summary: str
    dimension: int
    translations: tuple[Point, ...]
    kinds: tuple[CellKind, ...]
    rotation_generators: tuple[Matrix, ...]
    reflection_generators: tuple[Matrix, ...]
    freedom: Freedom
    drawing: str
    #: Direction of each coordinate of a point in a picture; empty if coordinates are lengths.
    axes: tuple[tuple[float, ...], ...] = ()
    #: For points where pieces may cross, the ways through them: each a pair of cells' points, relative to the point.
    crossings: tuple[tuple[tuple[Point, Point], ...], ...] = ()
    #: For edges that are sides of cells: the lattice of those cells (shipped with puzzlec), and the position of its
    #: origin.
    faces: tuple[str, Point] | None = None
    #: Whether cells are balls, so that pieces move as rigid bodies (see ``congruence``); coordinates are lengths.
    of_balls: bool = False
    #: The number of translations that take a cell past itself: 1, unless positions are closer than cells are long.
    parts: int = 1

    def __hash__(self) -> int:
        """Return a hash of few fields: many caches have a lattice in their keys."""
        return hash((self.name, self.translations))

    _repr_mimebundle_ = mimebundle

    def __str__(self) -> str:
        return f"lattice {self.name}: {self.summary}"

    @cached_property
    def rotations(self) -> tuple[Matrix, ...]:
        """All rotations of a solid object, the identity first."""
        return closure(self.rotation_generators, len(self.translations[0]))

    @cached_property
    def isometries(self) -> tuple[Matrix, ...]:
        """All rotations and reflections: the rotations first, in their order."""
        everything = closure((*self.rotation_generators, *self.reflection_generators), len(self.translations[0]))
        proper = set(self.rotations)
        return self.rotations + tuple(isometry for isometry in everything if isometry not in proper)

    def turns(self, freedom: Freedom) -> tuple[Matrix, ...]:
        """Return the matrices that a piece of this freedom may be moved by."""
        if freedom is Freedom.FREE:
            return self.isometries
        return self.rotations if freedom is Freedom.ONE_SIDED else self.rotations[:1]

    def freedom_of(self, turns: Iterable[Matrix]) -> Freedom | None:
        """Return the freedom that allows exactly these matrices; None if they must be listed.

        If two freedoms allow the same orientations, the smaller freedom is returned. On a line, one-sided equals fixed.
        """
        allowed = set(turns)
        for freedom in (Freedom.FIXED, Freedom.ONE_SIDED, Freedom.FREE):
            if allowed == set(self.turns(freedom)):
                return freedom
        return None

    @property
    def of_edges(self) -> bool:
        """Whether the cells are edges of a grid: their outlines are segments without sides."""
        return self.dimension > 1 and all(len(kind.outline) == 2 for kind in self.kinds)

    @property
    def coordinates(self) -> int:
        """Number of integers in a cell."""
        return self.dimension + (len(self.kinds) > 1)

    def point(self, cell: Cell) -> Point:
        """Return the point of a cell."""
        if self._is_its_own:
            return cell
        kind = self.kinds[cell[-1] if len(self.kinds) > 1 else 0]
        if self.dimension == 3:  # written out, since solids have the most cells
            x, y, z = cell[:3]
            steps = zip(kind.at, *self.translations, strict=True)
            return tuple([at + x * a + y * b + z * c for at, a, b, c in steps])
        return tuple([
            at + sum([c * vector[axis] for c, vector in zip(cell, self.translations, strict=False)])
            for axis, at in enumerate(kind.at)
        ])  # fmt: skip

    def cell(self, point: Point) -> Cell | None:
        """Return the cell at a point, or None."""
        if self._is_its_own:
            return point
        across, scale, kinds = self._coordinates
        coordinates = [sum([a * p for a, p in zip(row, point, strict=True)]) for row in across]
        entry = kinds.get(tuple([value % scale for value in coordinates]))
        if entry is None:
            return None
        kind, origin = entry
        cell = tuple([(value - at) // scale for value, at in zip(coordinates, origin, strict=True)])
        return (*cell, kind) if len(self.kinds) > 1 else cell

    def cell_at(self, point: Point) -> Cell:
        """Return the cell at a point; raise ValueError if there is none."""
        cell = self.cell(point)
        if cell is None:
            raise ValueError("point is not that of a cell")
        return cell

    @cached_property
    def _coordinates(self) -> tuple[Matrix, int, dict[tuple[int, ...], tuple[int, tuple[int, ...]]]]:
        """Integer matrix and divisor that express a point in translations.

        Also, for each remainder of the product with a cell's point: the kind of the cell, and the product with the
        point of its kind.
        """
        across, scale = inverse(tuple(zip(*self.translations, strict=True)))
        kinds = {}
        for number, kind in enumerate(self.kinds):
            origin = turned(across, kind.at)
            kinds[tuple([value % scale for value in origin])] = number, origin
        return across, scale, kinds

    def class_of(self, point: Point) -> int:
        """Return the number of the kind of the cell at a point, or -1; translations keep the kind."""
        if self._is_its_own:
            return 0
        across, scale, kinds = self._coordinates
        entry = kinds.get(tuple([sum([a * p for a, p in zip(row, point, strict=True)]) % scale for row in across]))
        return -1 if entry is None else entry[0]

    def ends_at(self, point: Point, step: Point) -> bool:
        """Return whether the cell at a point has a corner (for an edge, an end) at a step from the point."""
        kind = self.class_of(point)
        return kind >= 0 and step in self.kinds[kind].outline

    def repeats_by(self, vector: Point) -> bool:
        """Return whether moving by a vector takes each cell to a cell with the same outline."""
        if self.is_translation(vector):
            return True
        for kind in self.kinds:
            number = self.class_of(tuple([a + b for a, b in zip(kind.at, vector, strict=True)]))
            if number < 0 or set(self.kinds[number].outline) != set(kind.outline):
                return False
        return True

    def is_translation(self, vector: Point) -> bool:
        """Return whether a vector is an integer combination of the translations."""
        if self._is_its_own:
            return True
        across, scale, _ = self._coordinates
        return not any(value % scale for value in turned(across, vector))

    @cached_property
    def _is_its_own(self) -> bool:
        """Whether each integer point is a cell with the same coordinates."""
        unit = identity(self.dimension)
        return self.translations == unit and len(self.kinds) == 1 and not any(self.kinds[0].at)

    def on_paper(self, point: Sequence[float]) -> tuple[float, ...]:
        """Return the position of a point in a picture: lengths along x (to the right), y (down), z and so on.

        >>> hexagons = next(lattice for lattice in lattices() if lattice.name == "hex")
        >>> hexagons.on_paper((3, 0))
        (1.0, 0.0)
        """
        if not self.axes:
            return tuple(point)
        return tuple([
            sum([p * axis[k] for p, axis in zip(point, self.axes, strict=True)]) for k in range(self.dimension)
        ])  # fmt: skip


@cache
def in_parts(lattice: Lattice, parts: int) -> Lattice:
    """Return a lattice for movement: its cells are as large as before, and have ``parts`` positions along each step.

    The position of a cell is ``parts`` times that of before. Cells overlap at most positions, so nothing fills space.

    >>> halves = in_parts(find_lattice("square"), 2)
    >>> halves.on_paper(halves.point((2, 1))), halves.kinds[0].outline[0]
    ((1.0, 0.5), (-1.0, -1.0))
    """
    if parts == 1:
        return lattice
    size = len(lattice.translations[0])
    kinds = tuple(
        CellKind(
            kind.name,
            tuple([parts * value for value in kind.at]),
            tuple([tuple([parts * value for value in corner]) for corner in kind.outline]),
            tuple([tuple([parts * value for value in step]) for step in kind.neighbours]),
        )
        for kind in lattice.kinds
    )
    axes = tuple([tuple([value / parts for value in axis]) for axis in lattice.axes or identity(size)])
    return replace(lattice, kinds=kinds, axes=axes, parts=parts)


def neighbours(cell: Cell, lattice: Lattice) -> Iterator[Cell]:
    """Yield the neighbours of a cell of a lattice."""
    point = lattice.point(cell)
    for step in lattice.kinds[lattice.class_of(point)].neighbours:
        beside = lattice.cell(tuple([a + b for a, b in zip(point, step, strict=True)]))
        if beside is not None:
            yield beside


def cells_at(lattice: Lattice, places: Iterable[Sequence[int]]) -> list[Cell]:
    """Return the cells of all kinds at some places, each with a number for each translation.

    >>> cells_at(find_lattice("square"), [(1, 2)]), cells_at(find_lattice("triangle"), [(1, 2)])
    ([(1, 2)], [(1, 2, 0), (1, 2, 1)])
    """
    kinds = range(len(lattice.kinds))
    return [(*place, kind) if len(kinds) > 1 else tuple(place) for place in places for kind in kinds]


def closure(generators: Iterable[Matrix], size: int) -> tuple[Matrix, ...]:
    """Return the finite group that the matrices generate, the identity first, in a fixed order.

    >>> len(closure([((0, -1), (1, 0)), ((-1, 0), (0, 1))], 2))
    8

    Raises ValueError if the group is not finite, or larger than any point group in use.
    """
    generators = tuple(generators)
    group = {identity(size): None}
    fresh = list(group)
    while fresh:
        products = []
        for matrix in fresh:
            for generator in generators:
                product = multiply(generator, matrix)
                if product not in group:
                    group[product] = None
                    products.append(product)
        fresh = products
        if len(group) > MAX_GROUP_ELEMENTS:
            raise ValueError("generators do not make a finite group")
    return tuple(group)


def at_origin(cells: Iterable[Cell]) -> frozenset[Cell]:
    """Return cells moved so that the least value of each coordinate is 0."""
    shape = list(cells)
    low = [min(axis) for axis in zip(*shape, strict=True)]
    return frozenset(tuple([value - least for value, least in zip(cell, low, strict=True)]) for cell in shape)


def written(point: Iterable[object]) -> str:
    """Return a point, a cell or a vector as users write it.

    >>> written((1, -2))
    '(1,-2)'
    """
    return f"({','.join(map(str, point))})"


def identity(size: int) -> Matrix:
    """Return the matrix that moves no point."""
    return tuple([tuple([int(i == j) for j in range(size)]) for i in range(size)])


def determinant(matrix: Matrix) -> int:
    """Return the determinant of a square integer matrix by minors, since matrices are small here.

    >>> determinant(((2, 1), (0, 3)))
    6
    """
    if len(matrix) < 2:
        return matrix[0][0] if matrix else 1
    total = 0
    for column, value in enumerate(matrix[0]):
        if value:
            minor = tuple([row[:column] + row[column + 1 :] for row in matrix[1:]])
            total += (1 - column % 2 * 2) * value * determinant(minor)
    return total


def inverse(matrix: Matrix) -> tuple[Matrix, int]:
    """Return an integer matrix and a positive number whose quotient is the inverse of a matrix.

    Raises ZeroDivisionError if the matrix is singular.

    >>> inverse(((2, 1), (0, 3)))
    (((3, -1), (0, 2)), 6)
    """
    size, scale = len(matrix), determinant(matrix)
    if scale == 0:
        raise ZeroDivisionError("the matrix is singular")
    sign = 1 if scale > 0 else -1

    def cofactor(i: int, j: int) -> int:
        rest = tuple([row[:j] + row[j + 1 :] for k, row in enumerate(matrix) if k != i])
        return sign * (1 - (i + j) % 2 * 2) * determinant(rest)

    return tuple([tuple([cofactor(j, i) for j in range(size)]) for i in range(size)]), sign * scale


def multiply(left: Matrix, right: Matrix) -> Matrix:
    """Return the product of two square matrices: first ``right``, then ``left``."""
    columns = tuple(zip(*right, strict=True))
    return tuple(
        [tuple([sum([a * b for a, b in zip(row, column, strict=True)]) for column in columns]) for row in left]
    )


def turned(matrix: Matrix, point: Point) -> Point:
    """Return the image of a point under a matrix.

    >>> turned(((0, -1), (1, 0)), (2, 5))
    (-5, 2)
    """
    if len(point) == 3:  # written out for speed: most points have three or two dimensions
        x, y, z = point
        return tuple([a * x + b * y + c * z for a, b, c in matrix])
    if len(point) == 2:
        x, y = point
        return tuple([a * x + b * y for a, b in matrix])
    return tuple([sum([a * b for a, b in zip(row, point, strict=True)]) for row in matrix])


def axis_of_images(row: Sequence[int], axes: Sequence[Sequence[int]]) -> Sequence[int]:
    """Return one coordinate of the images of all points: a row of the matrix times the points.

    >>> axis_of_images((0, -1), [(2, 3), (5, 6)])
    [-5, -6]
    """
    terms = [(factor, axis) for factor, axis in zip(row, axes, strict=True) if factor]
    if len(terms) == 1:  # most matrices only exchange axes and change signs
        factor, axis = terms[0]
        return axis if factor == 1 else [factor * value for value in axis]
    if len(row) == 3:  # written out, since most puzzles are solids
        a, b, c = row
        return [a * x + b * y + c * z for x, y, z in zip(*axes, strict=True)]
    return [
        sum([factor * value for factor, value in zip(row, point, strict=True)]) for point in zip(*axes, strict=True)
    ]


def lattice_names() -> tuple[str, ...]:
    """Return the names of the lattices that puzzlec ships; ``none`` is not included."""
    return tuple(sorted(path.stem for path in resources.folder("lattices").glob("*.yaml")))


@cache
def find_lattice(name: str) -> Lattice:
    """Return a lattice that puzzlec ships, by its name.

    Raises KeyError if the name is not in :func:`lattice_names`.
    """
    if name not in lattice_names():
        raise KeyError(name)
    return from_document(name, resources.yaml_document(resources.folder("lattices") / f"{name}.yaml"))


def lattices() -> tuple[Lattice, ...]:
    """Return all lattices.

    >>> [lattice.name for lattice in lattices()][:3]
    ['cubic', 'drafter', 'fcc']
    """
    return tuple(map(find_lattice, lattice_names()))


def faces_of(edges: Lattice) -> Lattice | None:
    """Return the lattice whose cells have the cells of this one as sides; None if it names none.

    >>> str(faces_of(find_lattice("twigs")))
    'lattice hex: hexagons of the honeycomb, for polyhexes'
    """
    return find_lattice(edges.faces[0]) if edges.faces else None


def from_document(name: str, document: dict[str, Any]) -> Lattice:
    """Return the lattice described by the content of a YAML file, as in docs/lattices.md."""

    def matrices(key: str) -> tuple[Matrix, ...]:
        return tuple(tuple(tuple(row) for row in matrix) for matrix in document[key])

    return Lattice(
        name=name,
        summary=document["summary"],
        dimension=document["dimension"],
        translations=tuple(tuple(vector) for vector in document["translations"]),
        kinds=tuple(
            CellKind(
                kind["name"],
                tuple(kind["at"]),
                tuple(tuple(corner) for corner in kind["outline"]),
                tuple(tuple(step) for step in kind["neighbours"]),
            )
            for kind in document["kinds"]
        ),
        rotation_generators=matrices("rotations"),
        reflection_generators=matrices("reflections"),
        freedom=Freedom(document["freedom"]),
        drawing=document["drawing"],
        axes=tuple(tuple(axis) for axis in document.get("axes", ())),
        crossings=tuple(tuple((tuple(one), tuple(two)) for one, two in ways) for ways in document.get("crossings", ())),
        faces=(document["faces"]["lattice"], tuple(document["faces"]["at"])) if "faces" in document else None,
        of_balls=document.get("balls", False),
    )


def connected_parts(cells: Iterable[Cell], lattice: Lattice) -> list[list[Cell]]:
    """Return the connected parts of some cells; neighbours are connected.

    >>> from puzzlec.geometry import find_lattice
    >>> connected_parts([(0, 0), (2, 1), (1, 0)], find_lattice("square"))
    [[(0, 0), (1, 0)], [(2, 1)]]
    """
    left, parts = dict.fromkeys(cells), []
    while left:
        part = [next(iter(left))]
        del left[part[0]]
        for cell in part:  # it grows during the loop
            for beside in neighbours(cell, lattice):
                if beside in left:
                    del left[beside]
                    part.append(beside)
        parts.append(part)
    return parts
