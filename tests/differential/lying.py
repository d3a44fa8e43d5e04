"""A placement in the form of brute force."""

from __future__ import annotations

from typing import NamedTuple

from puzzlec.ir.location import Address


class Lying(NamedTuple):
    """A placement: its locations, and the colours that it shows.

    ``sides`` are the colours of a tile, in the order of the neighbours there. ``paint`` are the colours of the cells of
    a piece with several colours. If the puzzle has rules on regions, each coloured piece has them.
    """

    cells: frozenset[Address]
    sides: tuple[str, ...] = ()
    paint: frozenset[tuple[Address, str | None]] = frozenset()
