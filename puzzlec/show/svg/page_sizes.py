"""Pages of paper by their names, or by width and height in mm."""

from __future__ import annotations

import re
from typing import NamedTuple

#: Widths and heights of pages in mm: ISO 216, and ANSI/ASME Y14.1.
SIZES = {
    "a3": (297.0, 420.0),
    "a4": (210.0, 297.0),
    "a5": (148.0, 210.0),
    "letter": (215.9, 279.4),
    "legal": (215.9, 355.6),
}
#: The free border of a page, in mm: printers cannot reach the edge.
MARGIN = 12.0
#: CSS has 96 px per inch, and an inch is 25.4 mm.
PX = 96 / 25.4
#: The smallest and largest width and height of a page, in mm.
_MIN_PAGE_MM, _MAX_PAGE_MM = 40.0, 2000.0


class Paper(NamedTuple):
    """A page: its width and height in mm, and whether it may be rotated."""

    width: float
    height: float
    may_turn: bool

    @property
    def turned(self) -> Paper:
        """The same page, rotated by 90°."""
        return Paper(self.height, self.width, self.may_turn)

    @property
    def room(self) -> tuple[float, float]:
        """Width and height of the room for a picture, in px."""
        return (self.width - 2 * MARGIN) * PX, (self.height - 2 * MARGIN) * PX


def paper_of(text: str) -> Paper:
    """Return the page with a name of :data:`SIZES`, or with a width and a height in mm.

    A page with a name may be rotated by 90°.

    >>> paper_of("A5"), paper_of("297x210")
    (Paper(width=148.0, height=210.0, may_turn=True), Paper(width=297.0, height=210.0, may_turn=False))

    Raises ValueError for anything else.
    """
    name = text.strip().lower()
    if name in SIZES:
        return Paper(*SIZES[name], may_turn=True)
    match = re.fullmatch(r"(\d{1,5}(?:\.\d{1,3})?)[x×](\d{1,5}(?:\.\d{1,3})?)", name)
    if match is None:
        raise ValueError(f"unknown paper `{text}`: use {', '.join(SIZES)}, or WIDTHxHEIGHT in mm such as 210x297")
    sizes = [float(size) for size in match.groups()]
    if not all(_MIN_PAGE_MM <= size <= _MAX_PAGE_MM for size in sizes):
        raise ValueError(f"paper must be {_MIN_PAGE_MM:g} to {_MAX_PAGE_MM:g} mm wide and high")
    return Paper(sizes[0], sizes[1], may_turn=False)
