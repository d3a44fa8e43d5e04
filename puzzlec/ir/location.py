"""Locations of a puzzle: cells of a lattice, or names without one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar

from puzzlec.diagnostics import Span
from puzzlec.geometry import Cell

#: The upper bound of "any number".
ANY = 2**31 - 1

#: Address of a location: a cell of the lattice, or a name without a lattice.
Address = Cell | str

#: A location of a region: its address in a puzzle, its number in a fitting.
At = TypeVar("At", Address, int)
Other = TypeVar("Other", Address, int)


@dataclass(frozen=True)
class Location:
    """A position for a cell of a piece. ``colour`` is None for a plain location."""

    at: Address
    colour: str | None = None
    optional: bool = False
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class NamedRegion:
    """A region with a name: some cells, on the board or beside it."""

    name: str
    cells: tuple[Address, ...]


def address_text(at: Address) -> str:
    """Return an address for a message: a name in back-ticks, a cell in brackets."""
    return f"`{at}`" if isinstance(at, str) else "(" + ",".join(map(str, at)) + ")"


def address_name(at: Address) -> str:
    """Return the name of a location, or its coordinates with commas between them."""
    return at if isinstance(at, str) else ",".join(map(str, at))
