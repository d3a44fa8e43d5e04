"""Families of polyforms of any size; a family is data in ``families.yaml``.

A family names its lattice and its units, the shapes that a polyform of size 1 can have: one cell of every kind, unless
the file lists others. A polyform of size n is made of n units; see :mod:`puzzlec.geometry.growth`.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from puzzlec import resources
from puzzlec.diagnostics import suggestion
from puzzlec.geometry.growth import polyforms
from puzzlec.geometry.lattice import Cell, Freedom, Lattice, find_lattice
from puzzlec.geometry.shapes import Shape, ShapeSet, find_library, library_names

#: No family is generated in a size of more polyforms.
MOST_SHAPES = 20_000

#: Nor where the polyforms of some size on the way have more images up to translation: each is kept to be known again.
MOST_IMAGES = 300_000


class Published(NamedTuple):
    """The numbers of polyforms of size 1, 2 and so on, and where they can be read."""

    source: str
    counts: tuple[int, ...]


class Family(NamedTuple):
    """A family of polyforms.

    ``sets`` names, for a freedom, the shape sets that hold all polyforms of size 1, 2 and so on ("" where there is
    none), ``names`` are words for sizes without a set; ``freedom`` is the one in use where none is said.
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
    """Shapes that cannot be had: the code, why, what is known, and how to mend it."""

    def __init__(self, code: str, message: str, note: str = "", help: str = "") -> None:
        super().__init__(message)
        self.code, self.message, self.note, self.help = code, message, note, help


@cache
def _documents() -> dict[str, Any]:
    """Return the families as their file describes them."""
    found: dict[str, Any] = resources.yaml_document(resources.folder("shapes").parent / "families.yaml")
    return found


def family_names() -> tuple[str, ...]:
    """Return the names of all families, in the order of their file."""
    return tuple(_documents())


@cache
def find_family(name: str) -> Family:
    """Return a family by its name, such as ``polyominoes``.

    Raises KeyError for a name that is not in :func:`family_names`.
    """
    entry = _documents()[name]
    lattice = find_lattice(entry["lattice"])
    origin = (0,) * lattice.dimension
    single = [[(*origin, kind)] if len(lattice.kinds) > 1 else [origin] for kind in range(len(lattice.kinds))]
    return Family(
        name,
        entry["summary"],
        lattice,
        tuple(tuple(tuple(cell) for cell in unit) for unit in entry.get("units", single)),
        Freedom(entry["freedom"]),
        {Freedom(each): tuple(names) for each, names in entry.get("sets", {}).items()},
        entry.get("names", {}),
        {Freedom(each): Published(known["source"], tuple(known["counts"])) for each, known in entry["numbers"].items()},
    )


def sized_names() -> dict[str, tuple[str, int]]:
    """Return the words for sizes of families that have no shape set, such as ``heptominoes``: family and size."""
    return {
        name: (family, size) for family, entry in _documents().items() for name, size in entry.get("names", {}).items()
    }


class Apart(NamedTuple):
    """The one-sided polyforms that belong to free ones: what the language calls them, and both numbers."""

    name: str
    free: int
    one_sided: int


def apart_by_mirror(name: str) -> Apart | None:
    """Return the one-sided polyforms of the family and size of a set of free ones.

    None for other sets, and where no shape of the set differs from its mirror image.

    >>> apart_by_mirror("pentominoes")
    Apart(name='one-sided-pentominoes', free=12, one_sided=18)
    >>> apart_by_mirror("heptominoes").name
    'polyominoes 7 one-sided'
    >>> apart_by_mirror("trominoes")
    """
    for each in family_names():
        family = find_family(each)
        free = family.sets.get(Freedom.FREE, ())
        size = free.index(name) + 1 if name in free else family.names.get(name, 0)
        if size == 0 or (name not in free and family.freedom is not Freedom.FREE):
            continue
        counts = [family.published[which].counts[size - 1 : size] for which in (Freedom.FREE, Freedom.ONE_SIDED)]
        if not all(counts) or counts[0] == counts[1]:
            return None
        known = family.sets.get(Freedom.ONE_SIDED, ())[size - 1 : size]
        return Apart(known[0] if known and known[0] else f"{each} {size} one-sided", counts[0][0], counts[1][0])
    return None


def lattice_of(name: str) -> Lattice:
    """Return the lattice of a family, or of a shape set; raise ShapesError for a name of neither."""
    library = _library(name)
    if library is not None:
        return library.lattice
    if name in family_names():
        return find_family(name).lattice
    if name in sized_names():
        return find_family(sized_names()[name][0]).lattice
    raise ShapesError(
        "PZ304",
        f"the shape library `{name}` is not known",
        "`puzzlec shapes` lists the libraries, and the families of any size",
        "".join(suggestion(name, (*library_names(), *family_names(), *sized_names()))),
    )


def find_shapes(name: str, size: int | None = None, freedom: Freedom | None = None) -> ShapeSet:
    """Return the shape set that a name means: of a library, or of a family in some size.

    The freedom chooses among the sets of a family. Raises ShapesError where there is no such set.

    >>> len(find_shapes("hexominoes").shapes), len(find_shapes("polyominoes", 6, Freedom.ONE_SIDED).shapes)
    (35, 60)
    """
    lattice_of(name)
    library = _library(name)
    if library is None and name in family_names():
        if size is None:
            message = f"the family `{name}` has shapes of any size, and none is said"
            raise ShapesError("PZ350", message, help=f"write a size behind it: `{name} 5`")
        return generate(name, size, freedom)
    if size is not None:
        message = f"`{name}` are of one size, and none can be said"
        raise ShapesError(
            "PZ352", message, help=f"leave the {size} out, or name a family, such as `polyominoes {size}`"
        )
    if library is not None:
        return library
    family, known = sized_names()[name]
    return generate(family, known)._replace(name=name)


def _library(name: str) -> ShapeSet | None:
    """Return a shape set of a library; looked for first, so that whoever uses one reads nothing of families."""
    try:
        return find_library(name)
    except KeyError:
        return None


def generate(name: str, size: int, freedom: Freedom | None = None) -> ShapeSet:
    """Return all polyforms of a family and a size, each of which may be turned as the freedom says.

    A shape set that holds just these polyforms gives their names and their cells. Without one they are named
    ``SIZE-1``, ``SIZE-2`` and so on in the order of :func:`puzzlec.geometry.growth.polyforms`, and lie as it has them.
    That is part of the language and stays: the straight row of seven squares is ``7-1``, and lies in a row.

    Raises KeyError for an unknown family, ShapesError for a size that is none, or that has too many polyforms.

    >>> list(generate("polyominoes", 5).shapes)[:3]
    ['F', 'I', 'L']
    >>> list(generate("polyominoes", 7).shapes)[-1]
    '7-108'
    """
    family = find_family(name)
    freedom = freedom or family.freedom
    if size < 1:
        raise ShapesError("PZ351", "the smallest size is 1")
    title = f"{name} {size}"
    known = family.sets.get(freedom, ())[size - 1 : size]
    if known and known[0]:
        return find_library(known[0])._replace(name=title, freedom=freedom)
    _refuse_many(family, size, freedom)
    forms = polyforms(family.lattice, family.units, size, freedom)
    names = [f"{size}-{index}" for index in range(1, len(forms) + 1)]
    shapes = {each: Shape(each, cells) for each, cells in zip(names, forms, strict=True)}
    summary = f"the {len(forms)} {freedom.value} {name} of size {size}"
    return ShapeSet(title, summary, family.published[freedom].source, family.lattice, freedom, shapes)


def _refuse_many(family: Family, size: int, freedom: Freedom) -> None:
    """Raise ShapesError where the published numbers say that there are too many polyforms."""
    source, counts = family.published[freedom]
    images = family.published[Freedom.FIXED].counts
    within = [
        each
        for each, (count, fixed) in enumerate(zip(counts, images, strict=False), 1)
        if count <= MOST_SHAPES and fixed <= MOST_IMAGES
    ]
    if size in within:
        return
    known = f"there are {counts[size - 1]:,} of them ({source})" if size <= len(counts) else ""
    if size > len(counts):
        known = f"there are more than the {counts[-1]:,} of size {len(counts)} ({source})"
    raise ShapesError(
        "PZ351",
        f"{freedom.value} {family.name} of size {size} are too many to generate",
        f"{known}; the largest size that is generated is {within[-1]}",
    )
