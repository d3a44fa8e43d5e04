"""Lists of cells whose first list is the board; see :mod:`puzzlec.formats.cells.pieces`."""

from __future__ import annotations

from puzzlec.formats.cells.pieces import read_universe
from puzzlec.formats.record import Format

FORMAT = Format(
    "universe",
    (".universe",),
    "lists of cells, the first one the board",
    read=read_universe,
    aliases=("polyominosolver",),
    place=130,
)
