"""Lattices of layers: solid cells that are flat cells, stacked straight."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

from puzzlec.geometry.lattice import CellKind, Lattice, find_lattice, lattice_names

#: Lengths below this one are rounding errors.
_LENGTH_PRECISION = 1e-6


@cache
def layer_of(lattice: Lattice) -> Lattice | None:
    """Return the flat lattice whose cells, stacked straight, make a solid one; None if there is none.

    If a shipped lattice has the same cells, it is that lattice.

    >>> layer_of(find_lattice("prism")).name, layer_of(find_lattice("tetoct"))
    ('triangle', None)
    """
    if lattice.dimension != 3 or not _is_straight(lattice):
        return None
    kinds = tuple(_flat_kind(kind, lattice) for kind in lattice.kinds)
    axes = tuple(axis[:2] for axis in lattice.axes[:2])
    translations = tuple(vector[:2] for vector in lattice.translations[:2])
    flat = replace(
        lattice, dimension=2, translations=translations, kinds=kinds, rotation_generators=(),
        reflection_generators=(), drawing="cells", axes=axes, crossings=(),
    )  # fmt: skip
    shipped = (find_lattice(name) for name in lattice_names())
    return next((other for other in shipped if _is_alike(flat, other)), flat)


def _is_straight(lattice: Lattice) -> bool:
    """Whether every layer lies on the one before, and all cells of a layer have the same lower and upper level."""
    along, _, up = zip(*lattice.translations, strict=True)
    if any(vector[2] for vector in lattice.translations[:2]) or along[2] or lattice.translations[2][1]:
        return False
    if lattice.axes and any(abs(value) > _LENGTH_PRECISION for value in (lattice.axes[0][2], lattice.axes[1][2])):
        return False
    if lattice.axes and any(abs(value) > _LENGTH_PRECISION for value in lattice.axes[2][:2]):
        return False
    levels = {tuple(sorted({kind.at[2] + corner[2] for corner in kind.outline})) for kind in lattice.kinds}
    if len(levels) != 1 or len(next(iter(levels))) != 2:
        return False
    bottom, top = next(iter(levels))
    return top - bottom == abs(up[2]) and all(_is_upright(kind) for kind in lattice.kinds)


def _is_upright(kind: CellKind) -> bool:
    """Whether every corner of a cell has another one exactly above or below it."""
    places = {corner[:2] for corner in kind.outline}
    return len(kind.outline) == 2 * len(places)


def _flat_kind(kind: CellKind, lattice: Lattice) -> CellKind:
    """Return the base of a kind of prism, its corners in order."""
    corners = sorted({corner[:2] for corner in kind.outline}, key=lambda corner: _angle(corner, kind, lattice))
    steps = tuple(step[:2] for step in kind.neighbours if step[2] == 0)
    return CellKind(kind.name, kind.at[:2], tuple(corners), steps)


def _angle(corner: tuple[float, ...], kind: CellKind, lattice: Lattice) -> float:
    """Return the direction of a corner from the middle of a cell."""
    middle = [sum(axis) / len(kind.outline) for axis in zip(*kind.outline, strict=True)][:2]
    x, y = (a - b for a, b in zip(corner, middle, strict=True))
    right, down, *_ = lattice.on_paper((x, y, 0))
    return math.atan2(down, right)


def _is_alike(one: Lattice, other: Lattice) -> bool:
    """Whether two flat lattices have the same cells in the same positions, with the same numbers."""
    return (
        (one.dimension, one.translations, one.axes) == (other.dimension, other.translations, other.axes)
        and len(one.kinds) == len(other.kinds)
        and all(a.at == b.at and set(a.outline) == set(b.outline) for a, b in zip(one.kinds, other.kinds, strict=True))
    )
