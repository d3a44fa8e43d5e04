"""How pictures on a terminal look: width, characters, and colours that differ between neighbours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from puzzlec.geometry import Cell, Lattice

#: Backgrounds of the 256-colour palette, to be told apart by colour-blind people, too (after Okabe and Ito).
PALETTE = (222, 117, 79, 229, 75, 209, 182, 250)


@dataclass(frozen=True)
class Style:
    """How to draw: with colours or without, in Unicode or in ASCII, within so many columns."""

    colour: bool = False
    ascii: bool = False
    width: int = 80


@dataclass(frozen=True)
class Board:
    """What a picture shows: for each cell the number of the piece on it (-1: none), and its sign."""

    lattice: Lattice
    owners: dict[Cell, int]
    signs: dict[Cell, str]

    def hues(self) -> dict[int, int]:
        """Return a colour for each piece, different from its neighbours' as far as the palette goes (greedy)."""
        near: dict[int, set[int]] = {owner: set() for owner in self.owners.values()}
        for cell, owner in self.owners.items():
            point = self.lattice.point(cell)
            for step in self.lattice.kinds[self.lattice.class_of(point)].neighbours:
                beside = self.lattice.cell(tuple([a + b for a, b in zip(point, step, strict=True)]))
                other = self.owners.get(beside) if beside is not None else None
                if other is not None and other != owner:
                    near[owner].add(other)
                    near[other].add(owner)
        hues: dict[int, int] = {}
        for owner in sorted(near):
            taken = {hues[other] for other in near[owner] if other in hues}
            hues[owner] = next((hue for hue in range(len(PALETTE)) if hue not in taken), owner % len(PALETTE))
        return hues


def painted(text: str, owner: int | None, hues: Mapping[int, int], style: Style) -> str:
    """Return text on the colour of a piece, where there is one and colours are wanted."""
    if not style.colour or owner is None or owner < 0:
        return text
    return f"\033[38;5;16;48;5;{PALETTE[hues[owner]]}m{text}\033[0m"
