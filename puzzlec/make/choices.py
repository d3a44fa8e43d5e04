"""Settings of models, and of outlines for a laser: sizes in mm, and the layout of pieces."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields
from functools import cache
from math import dist, isfinite
from typing import Any

from puzzlec.diagnostics import none_of
from puzzlec.diagnostics.error import fail
from puzzlec.geometry import Lattice
from puzzlec.geometry.faces import on_sheet, place
from puzzlec.geometry.outlines import outline, surface
from puzzlec.show.palette import PALETTES
from puzzlec.show.settings import setting
from puzzlec.shown import brief

#: Layouts of pieces: each on its largest flat side, in rows; or as in a solution.
LAYOUTS = ("plate", "solution")

#: The largest size and the smallest detail of a model, in mm.
MAX_SIZE_MM, MIN_DETAIL_MM = 100_000.0, 0.01

#: Minimum play between pieces and the walls of a tray, in mm: without any they would jam.
MIN_PLAY_MM = 0.1


def _mm(default: float | None, help: str, **more: Any) -> Any:
    """Return the field for a setting in mm."""
    return setting(default, help, metavar="MM", least=0, unit="mm", **more)


@dataclass(frozen=True)
class Sizes:
    """Sizes in mm.

    ``cell`` is the length of a cell's longest side, the length of an edge on a lattice of edges, or the diameter of a
    ball. ``gap`` is the air between two neighbouring pieces: each is set back by half of it. ``bevel`` is the width of
    the chamfer of a right-angled edge on either side. ``height`` is the height of flat pieces (None: a quarter of the
    cell). ``width`` is the width of the bars of edges, and their height unless ``height`` is set (None: a quarter of
    the shortest edge). ``neck`` is the radius of the joint of two balls (None: a quarter of the cell). ``wall`` is the
    thickness of the walls of a tray. ``palette`` has the colours of pieces in formats with colours.

    >>> import puzzlec
    >>> sizes = puzzlec.Sizes(cell=15)
    >>> len(puzzlec.model("soma", sizes=sizes)) > 0
    True
    """

    def __repr__(self) -> str:
        return brief(self)

    cell: float = _mm(20.0, "Side of a cell. [default: 20]", label="Cell", hint="20")
    gap: float = _mm(0.2, "Gap between pieces. [default: 0.2]", label="Gap between pieces", hint="0.2")
    bevel: float = _mm(0.5, "Bevel of edges. [default: 0.5]", label="Bevel of the edges", hint="0.5")
    height: float | None = _mm(
        None,
        "Height of flat pieces. [default: a quarter of a cell]",
        label="Height of the pieces",
        hint="a quarter of a cell",
        only="flat",
    )
    width: float | None = _mm(
        None,
        "Width of sticks. [default: a quarter of the shortest]",
        hidden=True,
        label="Width of the sticks",
        hint="a quarter of the shortest",
        only="edges",
    )
    neck: float | None = _mm(
        None,
        "Radius of necks between balls.",
        hidden=True,
        label="Neck between balls",
        hint="a quarter of a ball",
        only="balls",
    )
    wall: float | None = _mm(None, "Thickness of the tray's walls. [default: 2; laser: 8]", hidden=True)
    palette: str = "standard"

    def verify(self) -> None:
        """Raise PuzzleError for sizes that cannot be made, ValueError for an unknown palette."""
        if self.palette not in PALETTES:
            raise ValueError(f"unknown palette {self.palette!r}")
        for size in fields(self)[:-1]:
            value = getattr(self, size.name)
            least = 0.0 if size.name in ("gap", "bevel") else MIN_DETAIL_MM
            if value is not None and not (isfinite(value) and least <= value <= MAX_SIZE_MM):
                raise fail(
                    "PZ506",
                    f"{value:g} mm is not a valid {size.name}",
                    note=f"allowed: {least:g} to {MAX_SIZE_MM:g} mm",
                    help=f"choose another {size.name}",
                )


@dataclass(frozen=True)
class Plate:
    """The plate of a printer: its width (x) and depth (y) in mm."""

    width: float
    depth: float

    @classmethod
    def of(cls, text: str) -> Plate:
        """Return the plate of a text; raise ValueError for another text.

        >>> Plate.of("200x180")
        Plate(width=200.0, depth=180.0)
        """
        match = re.fullmatch(r"\s*(\d{1,6}(?:\.\d{1,6})?)\s*[x×]\s*(\d{1,6}(?:\.\d{1,6})?)\s*", text)
        if match is None or not (float(match[1]) and float(match[2])):
            raise ValueError(f"`{text}` is not a width and depth in mm, such as 200x180")
        return cls(float(match[1]), float(match[2]))


def play(gap: float) -> float:
    """Return by how much the hole of a tray is set back, in mm: like the pieces, or more if that is too little.

    >>> play(0.4), play(0.0)
    (0.2, 0.1)
    """
    return max(gap / 2, MIN_PLAY_MM - gap / 2)


@cache
def side_length(lattice: Lattice) -> float:
    """Return the length of the longest side of a cell on paper, of an edge, or the diameter of a ball.

    >>> from puzzlec.geometry import find_lattice
    >>> side_length(find_lattice("cubic")), round(side_length(find_lattice("fcc")), 6)
    (1.0, 1.0)
    """
    cells = [cell for kind in lattice.kinds if (cell := lattice.cell(kind.at)) is not None]
    if lattice.of_balls:
        here = place(lattice, lattice.kinds[0].at)
        steps = lattice.kinds[0].neighbours
        there = [[a + b for a, b in zip(lattice.kinds[0].at, step, strict=True)] for step in steps]
        return min(dist(here, place(lattice, neighbour)) for neighbour in there)
    if lattice.of_edges:
        return max(dist(*on_sheet(lattice, cell)) for cell in cells)
    if lattice.dimension == 3:
        return max(dist(a, b) for cell in cells for a, b in surface(lattice, [cell]).edges)
    rings = [ring for cell in cells for ring in outline(lattice, [cell])]
    return max(dist(a, b) for ring in rings for a, b in zip(ring, [*ring[1:], ring[0]], strict=True))


#: Possible engravings: the names of pieces, the lines between cells.
ENGRAVED = ("labels", "cells")


def parts_engraved(text: str) -> tuple[str, ...]:
    """Return the parts of a text such as labels,cells; raise ValueError for an unknown part.

    >>> parts_engraved("cells,labels"), parts_engraved("none")
    (('cells', 'labels'), ())
    """
    words = [word.strip() for word in text.split(",")]
    if unknown := [word for word in words if word not in (*ENGRAVED, "none")]:
        raise ValueError(none_of(unknown[0], (*ENGRAVED, "none")))
    if "none" in words and len(words) > 1:
        raise ValueError("use `none` alone")
    return tuple(dict.fromkeys(word for word in words if word != "none"))


@dataclass(frozen=True)
class Cutting:
    """How pieces are cut.

    ``sizes`` gives the cell, the gap, the width of edges and the wall (of the frame). ``kerf`` is the width of
    the beam: outlines lie half of it outside of the piece. ``radius`` rounds outer corners. ``plate`` is the sheet to
    cut (None: at most 300 x 200 mm, and larger for larger pieces). ``engrave`` has "labels", "cells", both or neither.
    ``layout`` is "plate", in rows, or "solution", as in the first solution. With ``tray`` there are a frame for the
    board and a plate under it.

    >>> import puzzlec
    >>> cutting = puzzlec.Cutting(kerf=0.2)
    >>> len(puzzlec.cut("pentominoes/6x10", cutting=cutting)) > 0
    True
    """

    def __repr__(self) -> str:
        return brief(self)

    sizes: Sizes = field(default=Sizes(gap=0.0))
    kerf: float = _mm(0.0, "Outlines: width of the beam. [default: 0]", label="Kerf: width of the laser beam", hint="0")
    radius: float = _mm(
        0.0, "Outlines: radius of outer corners.", hidden=True, label="Radius of rounded corners", hint="0"
    )
    plate: Plate | None = None
    engrave: tuple[str, ...] = setting(
        ("labels",),
        "Outlines: engrave labels (default), cells or none.",
        metavar="WHAT",
        offered=(*ENGRAVED, "none"),
        parse=parts_engraved,
        label="Engraved",
        choices=("labels", "cells", "both", "none"),
        spoken=("labels", "lines between cells", "both", "nothing"),
    )
    layout: str = "plate"
    tray: bool = False

    def verify(self) -> None:
        """Raise PuzzleError for sizes that cannot be cut, ValueError for unknown words."""
        self.sizes.verify()
        for name, value in (("kerf", self.kerf), ("radius", self.radius)):
            if not (isfinite(value) and 0 <= value <= MAX_SIZE_MM):
                raise fail(
                    "PZ506",
                    f"{value:g} mm is not a valid {name}",
                    note=f"allowed: 0 to {MAX_SIZE_MM:g} mm",
                    help=f"choose another {name}",
                )
        if self.layout not in LAYOUTS:
            raise ValueError(f"unknown layout {self.layout!r}")
        unknown = next((word for word in self.engrave if word not in ENGRAVED), None)
        if unknown is not None:
            raise ValueError(f"{unknown!r} cannot be engraved: {' and '.join(ENGRAVED)} can")
