"""Families of polyforms of any size, as data in ``families.yaml``.

A family names its lattice and its units: the possible shapes of a polyform of size 1. Default: one cell of each
kind. A polyform of size n consists of n units; see :mod:`puzzlec.geometry.growth`.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from puzzlec import resources
from puzzlec.diagnostics import suggestion
from puzzlec.geometry.growth import polyforms
from puzzlec.geometry.lattice import Cell, Freedom, Lattice, find_lattice
from puzzlec.geometry.shapes import Shape, ShapeSet, find_library, library_names

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
    found: dict[str, Any] = resources.yaml_document(resources.folder("shapes").parent / "families.yaml")
    return found


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
    origin = (0,) * lattice.dimension
    single = [[(*origin, kind)] if len(lattice.kinds) > 1 else [origin] for kind in range(len(lattice.kinds))]
    return Family(
        name,
        entry["summary"],
        lattice,
        tuple(tuple(tuple(cell) for cell in unit) for unit in entry.get("units", single)),
        Freedom(entry["freedom"]),
        {Freedom(freedom): tuple(names) for freedom, names in entry.get("sets", {}).items()},
        entry.get("names", {}),
        {
            Freedom(freedom): Published(known["source"], tuple(known["counts"]))
            for freedom, known in entry["numbers"].items()
        },
    )


def sized_names() -> dict[str, tuple[str, int]]:
    """Return the words for sizes of families without a shape set, such as ``heptominoes``: family and size."""
    return {
        name: (family, size) for family, entry in _documents().items() for name, size in entry.get("names", {}).items()
    }


class Apart(NamedTuple):
    """One-sided polyforms that belong to free ones: their name in the language, and both numbers."""

    name: str
    free: int
    one_sided: int


def apart_by_mirror(name: str) -> Apart | None:
    """Return the one-sided polyforms of the family and size of a set of free ones.

    Return None for other sets, and if no shape of the set differs from its mirror image.

    >>> apart_by_mirror("pentominoes")
    Apart(name='one-sided-pentominoes', free=12, one_sided=18)
    >>> apart_by_mirror("heptominoes").name
    'polyominoes 7 one-sided'
    >>> apart_by_mirror("trominoes")
    """
    for family_name in family_names():
        family = find_family(family_name)
        free = family.sets.get(Freedom.FREE, ())
        size = free.index(name) + 1 if name in free else family.names.get(name, 0)
        if size == 0 or (name not in free and family.freedom is not Freedom.FREE):
            continue
        counts = [family.published[which].counts[size - 1 : size] for which in (Freedom.FREE, Freedom.ONE_SIDED)]
        if not all(counts) or counts[0] == counts[1]:
            return None
        known = family.sets.get(Freedom.ONE_SIDED, ())[size - 1 : size]
        return Apart(known[0] if known and known[0] else f"{family_name} {size} one-sided", counts[0][0], counts[1][0])
    return None


def lattice_of(name: str) -> Lattice:
    """Return the lattice of a family or shape set; raise ShapesError if the name is neither."""
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
        "`puzzlec shapes` lists libraries and families",
        "".join(suggestion(name, (*library_names(), *family_names(), *sized_names()))),
    )


def find_shapes(name: str, size: int | None = None, freedom: Freedom | None = None) -> ShapeSet:
    """Return the shape set of a name: a library, or a family in some size.

    The freedom chooses among the sets of a family. Raises ShapesError if there is no such set.

    >>> len(find_shapes("hexominoes").shapes), len(find_shapes("polyominoes", 6, Freedom.ONE_SIDED).shapes)
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
    if library is not None:
        return library
    family, known = sized_names()[name]
    return generate(family, known)._replace(name=name)


def _library(name: str) -> ShapeSet | None:
    """Return a shape set of a library. Libraries are looked up first, so that using one reads no family."""
    try:
        return find_library(name)
    except KeyError:
        return None


def generate(name: str, size: int, freedom: Freedom | None = None) -> ShapeSet:
    """Return all polyforms of a family and a size, with the given freedom.

    If a shape set has exactly these polyforms, it gives their names and cells. Otherwise their names are ``SIZE-1``,
    ``SIZE-2`` and so on, in the order and position of :func:`puzzlec.geometry.growth.polyforms`. These names are part
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
    known = family.sets.get(freedom, ())[size - 1 : size]
    if known and known[0]:
        return find_library(known[0])._replace(name=title, freedom=freedom)
    _refuse_many(family, size, freedom)
    forms = polyforms(family.lattice, family.units, size, freedom)
    names = [f"{size}-{index}" for index in range(1, len(forms) + 1)]
    shapes = {name: Shape(name, cells) for name, cells in zip(names, forms, strict=True)}
    summary = f"the {len(forms)} {freedom.value} {name} of size {size}"
    return ShapeSet(title, summary, family.published[freedom].source, family.lattice, freedom, shapes)


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
    known = f"{counts[size - 1]:,} exist ({source})" if size <= len(counts) else ""
    if size > len(counts):
        known = f"more exist than the {counts[-1]:,} of size {len(counts)} ({source})"
    raise ShapesError(
        "PZ351",
        f"too many {freedom.value} {family.name} of size {size} to generate",
        f"{known}; the largest possible size is {within[-1]}",
    )
