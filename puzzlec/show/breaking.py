"""Things side by side in rows, for pictures and for text."""

from __future__ import annotations

from collections.abc import Iterable


def rows_of(widths: Iterable[float], room: float, gap: float) -> list[range]:
    """Return the numbers of the things in each row: as many side by side as the room permits, with gaps between them.

    >>> rows_of([3, 2, 1], 7, 2)
    [range(0, 2), range(2, 3)]
    """
    rows: list[range] = []
    left = 0.0
    for number, wide in enumerate(widths):
        if not rows or left + wide > room:
            rows.append(range(number, number))
            left = 0.0
        rows[-1] = range(rows[-1].start, number + 1)
        left += wide + gap
    return rows
