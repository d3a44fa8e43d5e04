"""Settings of pictures."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypedDict

from puzzlec.show.palette import PALETTES
from puzzlec.shown import brief

#: The content of a picture: solutions, the board, the pieces, or everything.
SHOWN = ("solution", "board", "pieces", "all")
#: A worksheet shows the board, the pieces and the solutions, on several pages.
WORKSHEET = "worksheet"
#: Labels on pieces: by the room that they have, names, short signs if these fit, or none.
LABELS = ("auto", "names", "signs", "none")
#: Views of solids: from the side, as layers beside each other, or both.
VIEWS = ("isometric", "layers", "both")


@dataclass(frozen=True)
class Choices:
    """How to draw; None means that the picture chooses.

    ``show`` is "solution", "board", "pieces", "all", or "worksheet" (PDF only). ``labels`` on pieces are "auto",
    "names", "signs" or "none". ``cell`` is the size of a cell in px (on paper in mm): the side of a square with the
    mean area of cells, or the length of an edge. ``columns`` is the number of pictures side by side. ``legend`` adds or
    removes the list of names. ``plain`` is black and white. ``background`` is a colour, or ``none``.
    ``palette`` has the colours of pieces: "standard", "wood" or "quiet".

    For solids, ``view`` is "isometric", "layers" or "both" (None: both for a single solution, else isometric).
    ``explode`` moves layers or pieces apart (0: not). ``steps`` shows how the pieces are put together; ``animate``
    makes a moving picture of it (SVG; WebP and GIF always are). ``title`` is the
    text above (None: that of the puzzle above several pictures, none above a single one; an empty text: none).
    ``paper`` is the page, such as "a4", or "297x210" in mm. ``turn`` rotates flat boards by 90° clockwise.

    Raises:
        ValueError: If a word is unknown.

    """

    def __repr__(self) -> str:
        return brief(self)

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
    animate: bool = False
    title: str | None = None
    paper: str | None = None
    turn: bool = False
    palette: str = "standard"

    def __post_init__(self) -> None:
        for name, value, known in (
            ("show", self.show, (*SHOWN, WORKSHEET)),
            ("labels", self.labels, LABELS),
            ("view", self.view, VIEWS),
            ("palette", self.palette, tuple(PALETTES)),
        ):
            if value is not None and value not in known:
                raise ValueError(f"{name} must be one of {', '.join(known)}, not {value!r}")

    def fill(self, hue: int) -> str:
        """Return the colour of a piece by its number in the palette."""
        return "#ffffff" if self.plain else PALETTES[self.palette][hue]

    def of_size(self, cell: float) -> Choices:
        """Return the same choices for cells of a size."""
        return replace(self, cell=cell)


class Chosen(TypedDict, total=False):
    """The fields of :class:`Choices` as keywords of calls, ``comes_apart`` for solutions, ``scale`` for PNG."""

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
    animate: bool
    title: str | None
    paper: str | None
    turn: bool
    palette: str
    comes_apart: bool | None
    scale: float | None
