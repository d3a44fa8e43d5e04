"""Parts laid out on sheets: in rows, the highest first, each in the first row that has room for it.

That is first fit by decreasing height (E. G. Coffman, M. R. Garey, D. S. Johnson, R. E. Tarjan, "Performance bounds for
level-oriented two-dimensional packing algorithms", SIAM J. Comput. 9, 1980): it wastes little where parts are alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from puzzlec.diagnostics.diagnostic import fail
from puzzlec.render.model.laser.cuts import Part

#: What is left free around a sheet, and between parts, in mm.
MARGIN = 5.0
BETWEEN = 2.0

#: A sheet where none is asked for: the bed of a usual machine, in mm. It is cut to what lies on it.
SHEET = (600.0, 400.0)


class Sheet(NamedTuple):
    """A sheet with what lies on it: x to the right and y downwards from its corner above on the left, in mm."""

    width: float
    height: float
    parts: tuple[Part, ...]


class _Row:
    """A row on a sheet, and how far it is full."""

    def __init__(self, sheet: int, top: float, height: float) -> None:
        self.sheet, self.top, self.height, self.filled = sheet, top, height, MARGIN


def laid_out(parts: Sequence[Part], size: tuple[float, float] | None) -> list[Sheet]:
    """Return sheets of a size with parts on them that do not overlap; only the last one may be nearly empty.

    Without a size they are as large as they need to be. Raises PuzzleError (PZ506) for a part that is larger.
    """
    width, height = size or SHEET
    if size is None:  # what is large has a sheet of its own size
        width = max(width, *(_extent(part)[0] + 2 * MARGIN for part in parts))
        height = max(height, *(_extent(part)[1] + 2 * MARGIN for part in parts))
    rows: list[_Row] = []
    ends: list[float] = []  # how far down each sheet is full
    placed: list[list[tuple[float, float, int, Part]]] = []
    order = sorted(range(len(parts)), key=lambda number: [-round(value, 6) for value in _extent(parts[number])[::-1]])
    for number in order:
        part = parts[number]
        long, high = _extent(part)
        if long > width - 2 * MARGIN + 1e-6 or high > height - 2 * MARGIN + 1e-6:
            raise _too_large(part, (width, height))
        fitting = (row for row in rows if high <= row.height + 1e-6 and row.filled + long <= width - MARGIN + 1e-6)
        row = next(fitting, None)
        if row is None:
            sheet = next((k for k, end in enumerate(ends) if end + high <= height - MARGIN + 1e-6), len(ends))
            if sheet == len(ends):
                ends.append(MARGIN)
                placed.append([])
            row = _Row(sheet, ends[sheet], high)
            rows.append(row)
            ends[sheet] += high + BETWEEN
        left, top, _, _ = part.box
        placed[row.sheet].append((row.top, row.filled, number, part.moved(row.filled - left, row.top - top)))
        row.filled += long + BETWEEN
    sheets = [tuple(part for _, _, _, part in sorted(each, key=lambda entry: entry[:3])) for each in placed]
    return [Sheet(*_size(each, size), each) for each in sheets]


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
        note=f"{MARGIN:g} mm are left free around a sheet",
        help="take a larger sheet, or smaller cells",
    )
