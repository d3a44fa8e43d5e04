"""Proofs about a lattice's algebra: a basis, and a finite point group that keeps cells, neighbours and lengths.

All arithmetic uses integers, except the lengths in pictures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from puzzlec.geometry.lattice import (
    MAX_GROUP_ELEMENTS,
    Freedom,
    Lattice,
    Matrix,
    Point,
    closure,
    determinant,
    identity,
    multiply,
    turned,
    written,
)
from puzzlec.geometry.solids import plus

#: Limit for the order of a matrix: in up to six dimensions the highest finite order is 30.
MOST_POWERS = 60

#: Lengths in pictures are floating-point numbers with this relative error.
PRECISION = 1e-9

Where = tuple[str | int, ...]


class LatticeFault(NamedTuple):
    """An error in a lattice: the path to it in the YAML document, such as ``("kinds", 2, "at")``, and the reason.

    ``help`` is a suggestion, if there is one.
    """

    where: Where
    why: str
    help: str = ""


class GroupGenerator(NamedTuple):
    """A generator of the point group, with its position and its name in sentences."""

    where: Where
    name: str
    matrix: Matrix


def generators(lattice: Lattice) -> list[GroupGenerator]:
    """Return the generators of a lattice's point group, rotations first."""
    return [
        GroupGenerator((key, number), f"{key[:-1]} {number + 1}", matrix)
        for key, matrices in (
            ("rotations", lattice.rotation_generators),
            ("reflections", lattice.reflection_generators),
        )
        for number, matrix in enumerate(matrices)
    ]


def negative(step: Point) -> Point:
    """Return the step back."""
    return tuple([-value for value in step])


def basis(lattice: Lattice) -> Iterator[LatticeFault]:
    """Prove that the translations span space."""
    if determinant(lattice.translations) == 0:
        vectors = " and ".join(map(written, lattice.translations))
        what = ["a line", "the plane", "space"][min(lattice.dimension, 3) - 1]
        yield LatticeFault(("translations",), f"translations {vectors} do not span {what}: their determinant is 0")


def determinants(lattice: Lattice) -> Iterator[LatticeFault]:
    """Prove that each generator has an integer inverse, and rotates or reflects as its list says."""
    for where, name, matrix in generators(lattice):
        scale = determinant(matrix)
        if scale not in (1, -1):
            yield LatticeFault(where, f"{name} has determinant {scale}: expected 1 for a rotation, -1 for a reflection")
        elif scale == -1 and where[0] == "rotations":
            yield LatticeFault(where, f"{name} has determinant -1: expected 1, or a place among the reflections")
        elif scale == 1 and where[0] == "reflections":
            yield LatticeFault(where, f"{name} has determinant 1: expected -1, or a place among the rotations")


def words(lattice: Lattice) -> Iterator[LatticeFault]:
    """Prove that freedom and drawing rule suit the lattice."""
    if lattice.freedom is Freedom.FREE and not lattice.reflection_generators:
        yield LatticeFault(("freedom",), "`free` needs reflections, but the lattice has none")
    if lattice.freedom is Freedom.ONE_SIDED and not lattice.rotation_generators:
        yield LatticeFault(("freedom",), "`one-sided` needs rotations, but the lattice has none")
    if lattice.drawing == "rows" and (lattice.dimension > 3 or len(lattice.kinds) > 1):
        has = f"{lattice.dimension} dimensions" if lattice.dimension > 3 else f"{len(lattice.kinds)} kinds of cell"
        yield LatticeFault(
            ("drawing",), f"drawing rule `rows` needs one kind of cell in up to 3 dimensions, but the lattice has {has}"
        )
    if lattice.crossings and not lattice.of_edges:
        yield LatticeFault(("crossings",), "crossings need cells that are edges (outlines of two corners)")


def finite(lattice: Lattice) -> Iterator[LatticeFault]:
    """Prove that the point group is finite; name the generator, or the pair, that makes it infinite."""
    given = generators(lattice)
    endless = [generator for generator in given if not _comes_back(generator.matrix, lattice.dimension)]
    for where, name, _ in endless:
        yield LatticeFault(where, f"{name} makes an infinite group: no power of it is the identity")
    if endless or _is_finite([generator.matrix for generator in given], lattice.dimension):
        return
    for one, two in combinations(given, 2):
        if not _is_finite([one.matrix, two.matrix], lattice.dimension):
            yield LatticeFault(
                two.where,
                f"{two.name} and {one.name} together make a group that is too large "
                f"(limit {MAX_GROUP_ELEMENTS:,} matrices)",
            )
            return
    yield LatticeFault(
        given[-1].where, f"generators make a group that is too large (limit {MAX_GROUP_ELEMENTS:,} matrices)"
    )


def _comes_back(matrix: Matrix, size: int) -> bool:
    """Return whether some power of a matrix is the identity."""
    power, unit = matrix, identity(size)
    for _ in range(MOST_POWERS):
        if power == unit:
            return True
        power = multiply(matrix, power)
    return False


def _is_finite(matrices: list[Matrix], size: int) -> bool:
    try:
        closure(matrices, size)
    except ValueError:
        return False
    return True


def rotations(lattice: Lattice) -> Iterator[LatticeFault]:
    """Prove that products of two reflections are among the rotations."""
    proper = sum(determinant(matrix) == 1 for matrix in lattice.isometries)
    if proper != len(lattice.rotations):
        made = f"rotations generate {len(lattice.rotations)}, but reflections generate {proper}"
        yield LatticeFault(("rotations",), f"{made} rotations: add the missing product of two reflections")


def places(lattice: Lattice) -> Iterator[LatticeFault]:
    """Prove that no two kinds of cell are at the same position, up to translations."""
    for (_, one), (number, two) in combinations(enumerate(lattice.kinds), 2):
        if lattice.is_translation(tuple([b - a for a, b in zip(one.at, two.at, strict=True)])):
            same = written(one.at) if one.at == two.at else f"{written(one.at)} moved by translations"
            yield LatticeFault(
                ("kinds", number, "at"), f"`{two.name}` has the same place as `{one.name}`: {written(two.at)} is {same}"
            )


def kept(lattice: Lattice) -> Iterator[LatticeFault]:
    """Prove that generators take translations to translations, and cells to cells."""
    for where, name, matrix in generators(lattice):
        for vector in lattice.translations:
            image = turned(matrix, vector)
            if not lattice.is_translation(image):
                why = f"takes the translation {written(vector)} to {written(image)}, which is not a sum of translations"
                yield LatticeFault(where, f"{name} {why}")
                break
        else:
            for kind in lattice.kinds:
                image = turned(matrix, kind.at)
                if lattice.class_of(image) < 0:
                    why = f"takes the cell `{kind.name}` at {written(kind.at)} to {written(image)}, which has no cell"
                    yield LatticeFault(where, f"{name} {why}")
                    break


def neighbours(lattice: Lattice) -> Iterator[LatticeFault]:
    """Prove that steps lead to other cells and back, and that generators take neighbours to neighbours."""
    for proof in (_no_cell, _no_way_back, _not_kept):
        errors = list(proof(lattice))
        yield from errors
        if errors:
            return


def _no_cell(lattice: Lattice) -> Iterator[LatticeFault]:
    """Yield steps that do not lead to another cell, and duplicate steps."""
    for number, kind in enumerate(lattice.kinds):
        for place, step in enumerate(kind.neighbours):
            target = plus(kind.at, step)
            why = ""
            if not any(step):
                why = f"step {written(step)} leads from `{kind.name}` to itself"
            elif step in kind.neighbours[:place]:
                why = f"duplicate step {written(step)}"
            elif lattice.class_of(target) < 0:
                why = f"step {written(step)} leads from {written(kind.at)} to {written(target)}, which has no cell"
            if why:
                yield LatticeFault(("kinds", number, "neighbours", place), why)


def _no_way_back(lattice: Lattice) -> Iterator[LatticeFault]:
    """Yield steps to cells that do not have the first cell among their neighbours."""
    for number, kind in enumerate(lattice.kinds):
        for place, step in enumerate(kind.neighbours):
            other = lattice.kinds[lattice.class_of(plus(kind.at, step))]
            if negative(step) not in other.neighbours:
                back = written(negative(step))
                why = f"step {written(step)} leads to `{other.name}`, which lacks the step {back} back"
                yield LatticeFault(("kinds", number, "neighbours", place), why)


def _not_kept(lattice: Lattice) -> Iterator[LatticeFault]:
    """Yield the first neighbour whose image under a generator is not a neighbour."""
    for _, name, matrix in generators(lattice):
        for kind in lattice.kinds:
            image = lattice.class_of(turned(matrix, kind.at))
            other = lattice.kinds[image]
            for step in kind.neighbours:
                there = turned(matrix, step)
                if there not in other.neighbours:
                    why = f"{name} takes the neighbour at step {written(step)} of `{kind.name}` "
                    why += f"to step {written(there)} of `{other.name}`, which is not a neighbour"
                    yield LatticeFault(("kinds", image, "neighbours"), why)
                    return


def lengths(lattice: Lattice) -> Iterator[LatticeFault]:
    """Prove that generators keep all lengths and angles of the picture."""
    units = identity(lattice.dimension)
    axes = lattice.axes or units
    inner = [[sum(a * b for a, b in zip(one, two, strict=True)) for two in axes] for one in axes]
    most = max(max(row) for row in inner)
    if abs(_volume(axes)) <= PRECISION * most ** (lattice.dimension / 2):
        yield LatticeFault(("axes",), "axes do not span the picture: their determinant is 0")
        return
    # all lengths first: they are easier to understand than angles
    pairs = [(unit, unit) for unit in range(lattice.dimension)] + list(combinations(range(lattice.dimension), 2))
    for where, name, matrix in generators(lattice):
        images = [turned(matrix, unit) for unit in units]
        for i, j in pairs:
            product = sum(a * b * inner[k][m] for k, a in enumerate(images[i]) for m, b in enumerate(images[j]))
            if abs(product - inner[i][j]) <= PRECISION * most:
                continue
            if i == j:
                before, after = _told_apart(inner[i][i] ** 0.5, max(product, 0.0) ** 0.5)
                why = f"lengths: {written(units[i])} has {before}, its image {written(images[i])} {after}"
            else:
                before, after = _told_apart(inner[i][j], product)
                why = f"the angle between {written(units[i])} and {written(units[j])}: their scalar product is "
                why += f"{before}, that of their images {after}"
            missing = "" if lattice.axes else " (without `axes`, coordinates are lengths)"
            yield LatticeFault(
                ("axes",) if lattice.axes else where,
                f"{name} changes {why}{missing}",
                _roots_meant(lattice.axes, PRECISION) if abs(product - inner[i][j]) <= 0.05 * most else "",
            )
            return

    if lattice.of_balls:
        for i, j in combinations(range(lattice.dimension), 2):
            if abs(inner[i][j]) > PRECISION * most or abs(inner[i][i] - inner[j][j]) > PRECISION * most:
                why = "the axes are not at right angles" if abs(inner[i][j]) > PRECISION * most else "the axes differ"
                why += " in length" * (why == "the axes differ")
                yield LatticeFault(("balls",), f"balls need coordinates that are lengths, but {why}")
                return


def _volume(rows: Sequence[Sequence[float]]) -> float:
    """Return the determinant of a matrix of lengths."""
    if len(rows) < 2:
        return rows[0][0]
    minors = [[[*row[:i], *row[i + 1 :]] for row in rows[1:]] for i in range(len(rows))]
    return sum((1 - i % 2 * 2) * rows[0][i] * _volume(minor) for i, minor in enumerate(minors))


#: The value of each root that is frequent in `axes`, and its name.
_ROOTS = {
    root**0.5 / part: f"{name} root of {root}"
    for root in (2, 3, 5)
    for part, name in (
        (1, "the"),
        (2, "half the"),
        (3, "a third of the"),
        (4, "a quarter of the"),
        (6, "a sixth of the"),
    )
}

#: A number within this relative error may be a rounded root.
_ROOT_PRECISION = 0.006


def _told_apart(one: float, two: float) -> tuple[str, str]:
    """Return two numbers with enough digits to show that they differ.

    >>> _told_apart(1.0, 0.9999999), _told_apart(1.0, 2.0)
    (('1.0000000', '0.9999999'), ('1', '2'))
    """
    if f"{one:.6g}" != f"{two:.6g}":
        return f"{one:.6g}", f"{two:.6g}"
    places = next((places for places in range(6, 17) if f"{one:.{places}f}" != f"{two:.{places}f}"), 17)
    return f"{one:.{places}f}", f"{two:.{places}f}"


def _roots_meant(axes: Sequence[Sequence[float]], precision: float) -> str:
    """Return the suggestion for axes that are nearly right: they may be rounded roots.

    >>> _roots_meant([[1, 0], [-0.5, 0.866]], 1e-9)
    'write axes with 9 correct digits; did you mean 0.8660254037844386 (half the root of 3) for 0.866?'
    """
    text = "write axes with 9 correct digits"
    for value in (abs(value) for axis in axes for value in axis):
        root = min(_ROOTS, key=lambda candidate: abs(candidate - value))
        if precision < abs(root - value) / root <= _ROOT_PRECISION:
            return f"{text}; did you mean {root!r} ({_ROOTS[root]}) for {value!r}?"
    return text if axes else ""
