"""The checker of turns: it moves polygons along the path of a plan in fine steps and looks whether any two overlap.

It shares nothing with the search: no table of pivots, no gaps, no intervals. A cell is a polygon on paper, made smaller
by the clearance. At each of many angles and shifts, the corners of the moving polygons are computed again, and two
polygons overlap unless a side of one of them separates them.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise, product
from math import ceil, hypot, pi, radians
from typing import Any, Protocol

import numpy as np

from puzzlec.geometry import Cell, Lattice
from puzzlec.geometry.lattice import Matrix, turned

#: The largest angle between two looks, in degrees, and the largest change of the shift, in cells.
ANGLE_STEP_DEGREES, SHIFT_STEP_CELLS = 0.05, 1 / 320

#: The length of the largest shift, in cells.
MAX_SHIFT_CELLS = 1.0

#: Rounding of the computation.
_ROUNDING = 1e-9


class TurnLike(Protocol):
    """The properties that a turn must have."""

    @property
    def matrix(self) -> Matrix:
        """The rotation that acts on points."""

    @property
    def translation(self) -> Sequence[int | Fraction]:
        """The vector that is added to points after the rotation."""

    @property
    def pivot(self) -> tuple[Fraction, ...]:
        """A point of the axis."""

    @property
    def axis(self) -> int:
        """The coordinate on paper that does not change; 2 for flat pieces."""

    @property
    def degrees(self) -> int:
        """The angle, with its sign."""

    @property
    def path(self) -> Sequence[tuple[float, tuple[float, ...]]]:
        """The corners of the path: an angle in radians from 0, and a shift on paper."""


def fault_of_turn(
    lattice: Lattice,
    turn: TurnLike,
    moving: Sequence[Cell],
    resting: Sequence[Cell],
    clearance: float,
) -> str:
    """Return why a turn cannot be carried out; an empty text if it can.

    Args:
        lattice: The lattice of the cells.
        turn: The turn.
        moving: The cells that turn.
        resting: The cells that rest.
        clearance: The part of a cell by which each of its sides is moved inwards.

    """
    fault = _fault_of_ends(lattice, turn)
    if fault:
        return fault
    paper = [n for n in range(lattice.dimension) if n != turn.axis]
    sides: list[dict[float, list[Any]]] = [{}, {}]
    for layers, cells in zip(sides, (moving, resting), strict=True):
        for cell in cells:
            at = lattice.on_paper(lattice.point(cell))
            layer = at[turn.axis] if turn.axis < len(at) else 0.0
            layers.setdefault(round(layer, 6), []).append(_polygon(lattice, cell, paper, clearance))
    # Cells can meet if their layers are less than a cell apart.
    pairs = [
        (np.array(movers), np.array(others))
        for (layer, movers), (other, others) in product(*map(dict.items, sides))
        if abs(layer - other) < 1 - 1e-5
    ]
    pivot = lattice.on_paper([float(value) for value in turn.pivot])
    centre = np.array([pivot[n] for n in paper])
    for angle, shift in _samples(turn):
        c, s = np.cos(angle), np.sin(angle)
        rotation = np.array([[c, s], [-s, c]])
        way = np.array([shift[n] for n in paper])
        for movers, others in pairs:
            if _overlap((movers - centre) @ rotation + centre + way, others):
                return f"cells overlap at {np.degrees(angle):.1f} degrees"
    return ""


def _fault_of_ends(lattice: Lattice, turn: TurnLike) -> str:
    """Return what is wrong with the rotation itself, or with the ends of its path."""
    angles = [angle for angle, _ in turn.path]
    whole = radians(abs(turn.degrees))
    if len(turn.path) < 2 or angles[0] != 0 or abs(angles[-1] - whole) > _ROUNDING:
        return "the path does not go from 0 to the whole angle"
    if any(after < before for before, after in pairwise(angles)):
        return "the angle turns back"
    if any(any(shift) for shift in (turn.path[0][1], turn.path[-1][1])):
        return "the path begins or ends with a shift"
    if any(hypot(*shift) > MAX_SHIFT_CELLS + _ROUNDING for _, shift in turn.path):
        return "the shift is larger than a cell"
    if any(shift[turn.axis] for _, shift in turn.path if turn.axis < len(shift)):
        return "the shift leaves the plane"
    paper = [n for n in range(lattice.dimension) if n != turn.axis]
    angle = radians(turn.degrees)
    c, s = np.cos(angle), np.sin(angle)
    pivot = np.array(lattice.on_paper([float(value) for value in turn.pivot]))
    for kind in lattice.kinds:
        before = np.array(lattice.on_paper(kind.at), float)
        point = tuple([a + int(b) for a, b in zip(turned(turn.matrix, kind.at), turn.translation, strict=True)])
        if lattice.cell(point) is None:
            return "the turn takes a cell off the lattice"
        after = np.array(lattice.on_paper(point), float)
        x, y = (before - pivot)[paper]
        expected = before.copy()
        expected[paper] = pivot[paper] + (c * x - s * y, s * x + c * y)
        if np.abs(after - expected).max() > _ROUNDING:
            return "the end is not the rotation about the pivot"
    return ""


def _polygon(lattice: Lattice, cell: Cell, paper: Sequence[int], clearance: float) -> Any:
    """Return the corners of a cell in a plane, each side moved inwards by the clearance."""
    point = lattice.point(cell)
    kind = lattice.kinds[lattice.class_of(point)]
    corners = {
        tuple([round(lattice.on_paper([a + b for a, b in zip(point, corner, strict=True)])[n], 9) for n in paper])
        for corner in kind.outline
    }
    array = np.array(sorted(corners))
    middle = array.mean(axis=0)
    array = array[np.argsort(np.arctan2(*(array - middle).T[::-1]))]
    following = np.roll(array, -1, axis=0)
    along = (following - array) / np.linalg.norm(following - array, axis=1)[:, None]
    inwards = np.stack((-along[:, 1], along[:, 0]), axis=1)
    # A corner is where the moved sides before and after it meet.
    corner_points = []
    for number in range(len(array)):
        sides = np.array([inwards[number - 1], inwards[number]])
        corner_points.append(array[number] + np.linalg.solve(sides, np.full(2, clearance)))
    return np.array(corner_points)


def _samples(turn: TurnLike) -> list[tuple[float, tuple[float, ...]]]:
    """Return the angles, with their sign, and the shifts at which the checker looks."""
    sign = 1 if turn.degrees > 0 else -1
    samples = [(0.0, turn.path[0][1])]
    for (before, old), (angle, new) in pairwise(turn.path):
        change = max(abs(a - b) for a, b in zip(old, new, strict=True))
        number = max(1, ceil(abs(angle - before) * 180 / pi / ANGLE_STEP_DEGREES), ceil(change / SHIFT_STEP_CELLS))
        for step in range(1, number + 1):
            part = step / number
            shift = tuple([a + part * (b - a) for a, b in zip(old, new, strict=True)])
            samples.append((sign * (before + part * (angle - before)), shift))
    return samples


def _overlap(movers: Any, others: Any) -> bool:
    """Return whether any of some polygons overlaps any other one."""
    middles, others_middles = movers.mean(axis=1), others.mean(axis=1)
    reach = sum(
        np.linalg.norm(corners - at[:, None], axis=2).max()
        for corners, at in ((movers, middles), (others, others_middles))
    )
    apart = np.linalg.norm(middles[:, None] - others_middles[None], axis=2)
    for mover, other in np.argwhere(apart < reach):
        if not (_separates(movers[mover], others[other]) or _separates(others[other], movers[mover])):
            return True
    return False


def _separates(one: Any, other: Any) -> bool:
    """Return whether a side of a polygon has all corners of another one outside."""
    sides = np.roll(one, -1, axis=0) - one
    outwards = np.stack((sides[:, 1], -sides[:, 0]), axis=1)
    heights = (other[None] - one[:, None]) @ outwards[:, :, None]
    return bool((heights.min(axis=(1, 2)) >= -_ROUNDING).any())
