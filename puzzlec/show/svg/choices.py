"""What a person may choose about a picture."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypedDict

#: What a picture may show: solutions (or else board and pieces), one of these, or everything.
SHOWN = ("solution", "board", "pieces", "all")
#: A worksheet shows the board, the pieces and the solutions, on several pages.
WORKSHEET = "worksheet"
#: What stands on pieces: what there is room for, their names, short signs if these fit, or nothing.
LABELS = ("auto", "names", "signs", "none")
#: How solids are shown: from the side, as layers beside each other, or both.
VIEWS = ("isometric", "layers", "both")


@dataclass(frozen=True)
class Choices:
    """How to draw; None where the picture itself is to say what suits it.

    ``show`` is what the picture shows: "solution", "board", "pieces" or "all"; ``labels`` what stands on pieces:
    "auto", "names", "signs" or "none". ``cell`` is the size of a cell in px (on paper in mm): the side of a square as
    large as it is (of cells on average), or the length of an edge. ``columns`` is how many pictures stand beside each
    other on a sheet. ``plain`` is for print in black and white. ``background`` is a colour, or ``none``. For solids,
    ``view`` is "isometric", "layers" or "both" (None: both for a solution alone, else from the side), ``explode`` is
    how far layers or pieces are moved apart (0: not), and ``steps`` shows them put in one after the other. ``title``
    stands above (None: that of the puzzle above several pictures, none above one; an empty text: none). ``paper`` is
    what the picture is fitted to, such as "a4", or "297x210" in mm. ``turn`` turns flat boards by a quarter, clockwise.

    Raises ValueError for a word that is none of those that there are.
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
    title: str | None = None
    paper: str | None = None
    turn: bool = False

    def __post_init__(self) -> None:
        for name, value, known in (
            ("show", self.show, (*SHOWN, WORKSHEET)),
            ("labels", self.labels, LABELS),
            ("view", self.view, VIEWS),
        ):
            if value is not None and value not in known:
                raise ValueError(f"{name} is one of {', '.join(known)}, not {value!r}")

    def of_size(self, cell: float) -> Choices:
        """Return the same choices for cells of a size."""
        return replace(self, cell=cell)


class Chosen(TypedDict, total=False):
    """The fields of :class:`Choices` as keywords, for calls that take them so."""

    show: str | None
    cell: float | None
    columns: int | None
    labels: str
    legend: bool | None
    plain: bool
    background: str
    view: str | None
    explode: float
    steps: bool
    title: str | None
    paper: str | None
    turn: bool
