"""Settings of outlines for a laser. All lengths are in mm."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isfinite

from puzzlec.diagnostics.error import fail
from puzzlec.make.choices import LARGEST, LAYOUTS, Plate, Sizes

#: What can be engraved: the names of pieces, the lines between cells.
ENGRAVED = ("labels", "cells")


@dataclass(frozen=True)
class Cutting:
    """How pieces are cut.

    Of ``sizes`` the cell, the gap, the width of edges and the wall (of the frame) are used. ``kerf`` is the width of
    the beam: outlines lie half of it outside of the piece. ``radius`` rounds outer corners. ``plate`` is the sheet to
    cut (None: at most 300 x 200 mm, and larger for larger pieces). ``engrave`` has "labels", "cells", both or neither.
    ``layout`` is "plate", in rows, or "solution", as in the first solution. With ``tray`` there are a frame for the
    board and a plate under it.
    """

    sizes: Sizes = field(default=Sizes(gap=0.0))
    kerf: float = 0.0
    radius: float = 0.0
    plate: Plate | None = None
    engrave: tuple[str, ...] = ("labels",)
    layout: str = "plate"
    tray: bool = False

    def verify(self) -> None:
        """Raise PuzzleError for sizes that cannot be cut, ValueError for unknown words."""
        self.sizes.verify()
        for name, value in (("kerf", self.kerf), ("radius", self.radius)):
            if not (isfinite(value) and 0 <= value <= LARGEST):
                raise fail(
                    "PZ506",
                    f"{value:g} mm is not a valid {name}",
                    note=f"allowed: 0 to {LARGEST:g} mm",
                    help=f"choose another {name}",
                )
        if self.layout not in LAYOUTS:
            raise ValueError(f"unknown layout {self.layout!r}")
        unknown = next((each for each in self.engrave if each not in ENGRAVED), None)
        if unknown is not None:
            raise ValueError(f"{unknown!r} cannot be engraved: {' and '.join(ENGRAVED)} can")
