"""What a person may choose about a picture."""

from __future__ import annotations

from dataclasses import dataclass, replace

#: What a picture may show: solutions (or else board and pieces), one of these, or everything.
SHOWN = ("solution", "board", "pieces", "all")
#: What stands on pieces: what there is room for, their names, short signs if these fit, or nothing.
LABELS = ("auto", "names", "signs", "none")
#: How solids are shown: from the side, as layers beside each other, or both.
VIEWS = ("isometric", "layers", "both")


@dataclass(frozen=True)
class Choices:
    """How to draw; None where the picture itself is to say what suits it.

    ``cell`` is the size of a cell in px: the side of a square as large as it is (of cells on average), or the length of
    an edge. ``columns`` is how many pictures stand beside each other on a sheet. ``plain`` is for print in black and
    white. ``background`` is a colour, or ``none``. For solids, ``view`` is of :data:`VIEWS` (None: both for a solution
    alone, else from the side), ``explode`` is how far layers or pieces are moved apart (0: not), and ``steps`` shows
    them put in one after the other.
    """

    show: str | None = None
    cell: float | None = None
    columns: int | None = None
    labels: str = "auto"
    legend: bool | None = None
    plain: bool = False
    background: str = "#ffffff"
    view: str | None = None
    explode: float = 0
    steps: bool = False

    def of_size(self, cell: float) -> Choices:
        """Return the same choices for cells of a size."""
        return replace(self, cell=cell)
