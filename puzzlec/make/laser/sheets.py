"""Parts laid out on sheets, turned by quarter turns where they fit so, or more of them fit on a sheet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from puzzlec.diagnostics.error import fail
from puzzlec.make.laser.cuts import Part
from puzzlec.make.packing import fits, packed

#: What is left free around a sheet, and between parts, in mm.
MARGIN = 5.0
BETWEEN = 2.0

#: A sheet where none is asked for: what goes into a small machine, in mm. It is cut to what lies on it.
SHEET = (300.0, 200.0)


class Sheet(NamedTuple):
    """A sheet with what lies on it: x to the right and y downwards from its corner above on the left, in mm."""

    width: float
    height: float
    parts: tuple[Part, ...]


def laid_out(parts: Sequence[Part], size: tuple[float, float] | None) -> list[Sheet]:
    """Return sheets of a size with parts on them that do not overlap, as :func:`packed` lays them.

    Without a size they are at most :data:`SHEET`, and as small as they can be; what is larger has a sheet of its own.
    Raises PuzzleError (PZ506) for a part that fits on no sheet.
    """
    width, height = (value - 2 * MARGIN for value in size or SHEET)
    extents = [_extent(part) for part in parts]
    fitting = [fits(each, width, height) or fits(each[::-1], width, height) for each in extents]
    if size is not None and not all(fitting):
        raise _too_large(parts[fitting.index(False)], size)
    small = [number for number, fine in enumerate(fitting) if fine]
    positions = packed([extents[number] for number in small], width, height, BETWEEN)
    placed: list[list[Part]] = [[] for _ in range(max((each.plate for each in positions), default=-1) + 1)]
    for number, (on, x, y, turned) in sorted(
        zip(small, positions, strict=True), key=lambda each: (each[1].y, each[1].x)
    ):
        placed[on].append(_at(parts[number].turned() if turned else parts[number], MARGIN + x, MARGIN + y))
    placed += [[_at(part, MARGIN, MARGIN)] for part, fine in zip(parts, fitting, strict=True) if not fine]
    return [Sheet(*_size(each, size), tuple(each)) for each in placed]


def _at(part: Part, x: float, y: float) -> Part:
    """Return a part with its corner above on the left at a place."""
    left, top, _, _ = part.box
    return part.moved(x - left, y - top)


def _extent(part: Part) -> tuple[float, float]:
    left, top, right, bottom = part.box
    return right - left, bottom - top


def _size(parts: Sequence[Part], size: tuple[float, float] | None) -> tuple[float, float]:
    """Return the size of a sheet: as it was asked for, or what its parts need."""
    if size is not None:
        return size
    boxes = [part.box for part in parts]
    return max(right for _, _, right, _ in boxes) + MARGIN, max(bottom for _, _, _, bottom in boxes) + MARGIN


def _too_large(part: Part, size: tuple[float, float]) -> Exception:
    long, high = _extent(part)
    return fail(
        "PZ506",
        f"{part.name} takes {long:.5g} x {high:.5g} mm, and a sheet has {size[0]:g} x {size[1]:g} mm",
        note=f"{MARGIN:g} mm are left free around a sheet; a quarter turn does not help",
        help="take a larger sheet, or smaller cells",
    )
