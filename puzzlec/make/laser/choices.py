"""What may be chosen for outlines that a beam cuts. All lengths are in mm."""

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

    Of the ``sizes`` the cell, the gap, the width of edges and the wall (of the frame) count. ``kerf`` is the width of
    the beam: outlines lie half of it outside of what is to remain. ``radius`` rounds outer corners. ``plate`` is the
    sheet that is cut (None: at most 300 x 200 mm, and larger for what is larger), ``engrave`` what is engraved,
    "labels", "cells", both or nothing. The ``layout`` is "plate", in rows, or "solution", as they lie in the first one.
    With a ``tray`` there are a frame for the board and a plate under it.
    """

    sizes: Sizes = field(default=Sizes(gap=0.0))
    kerf: float = 0.0
    radius: float = 0.0
    plate: Plate | None = None
    engrave: tuple[str, ...] = ("labels",)
    layout: str = "plate"
    tray: bool = False

    def verify(self) -> None:
        """Raise PuzzleError for sizes that nothing can be made of, ValueError for words that say nothing."""
        self.sizes.verify()
        for name, value in (("kerf", self.kerf), ("radius", self.radius)):
            if not (isfinite(value) and 0 <= value <= LARGEST):
                raise fail(
                    "PZ506",
                    f"{value:g} mm is no size for the {name}",
                    note=f"sizes are from 0 to {LARGEST:g} mm",
                    help=f"choose another {name}",
                )
        if self.layout not in LAYOUTS:
            raise ValueError(f"there is no layout {self.layout!r}")
        unknown = next((each for each in self.engrave if each not in ENGRAVED), None)
        if unknown is not None:
            raise ValueError(f"{unknown!r} cannot be engraved: {' and '.join(ENGRAVED)} can")
