"""Settings of pictures."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from puzzlec.show.palette import PALETTES
from puzzlec.show.settings import setting, settings
from puzzlec.show.svg.page_sizes import SIZES, paper_of
from puzzlec.shown import brief

if TYPE_CHECKING:
    from puzzlec.show.scene import SceneBody

#: The content of a picture: solutions, the board, the pieces, or everything.
SHOWN = ("solution", "board", "pieces", "all")
#: A worksheet shows the board, the pieces and the solutions, on several pages.
WORKSHEET = "worksheet"
#: Labels on pieces: by the room that they have, names, short signs if these fit, or none.
LABELS = ("auto", "names", "signs", "none")
#: Views of solids: from the side, as layers beside each other, or both.
VIEWS = ("isometric", "layers", "both")


_COLOUR = re.compile(r"none|#[0-9a-fA-F]{6}|#[0-9a-fA-F]{3}")


def known_background(text: str) -> str:
    """Return a colour, or ``none``; raise ValueError for another text."""
    if not _COLOUR.fullmatch(text):
        raise ValueError("expected a colour such as #ffffff, or none")
    return text


def known_paper(text: str) -> str:
    """Return the name of a page; raise ValueError for an unknown one."""
    paper_of(text)
    return text


@dataclass(frozen=True)
class Choices:
    """The settings of a picture; None means that the picture chooses.

    This is the table of these settings. The options of ``puzzlec draw``, the keywords of :func:`puzzlec.draw` and the
    table in the documentation are made from it. ``show="worksheet"`` makes a PDF with all parts.

    Raises:
        ValueError: If a word is unknown.

    """

    show: str | None = setting(
        None,
        "solution (default), board, pieces or all.",
        "`solution`, `board`, `pieces`, or `all`: solutions (or the board) with the pieces below",
        "WHAT",
        words=SHOWN,
        label="Show",
        spoken=("a solution, otherwise board and pieces", "a solution", "the board", "the pieces", "everything"),
    )
    title: str | None = setting(
        None,
        "Title above. [default for several pictures: the puzzle's]",
        "title above the picture; default: see below",
        "TEXT",
    )
    paper: str | None = setting(
        None,
        "Fit the page: a3, a4, a5, letter, legal, or WxD in mm.",
        "fit a page: `a3`, `a4`, `a5`, `letter`, `legal`, or `WxD` in mm, with margins of 12 mm",
        "SIZE",
        offered=SIZES,
        parse=known_paper,
    )
    plain: bool = setting(False, "Draw in black and white.", "black and white", label="Black and white, for printing")
    labels: str = setting(
        "auto",
        "Labels on pieces: auto, names, signs or none.",
        "`auto`: names where they fit, else signs or nothing; `names`: always, smaller if necessary; "
        "`signs`: one letter where it fits; `none`",
        "WHICH",
        words=LABELS,
        label="Labels",
        spoken=("as space allows", "names", "short symbols", "none"),
    )
    view: str | None = setting(
        None,
        "Solids: isometric, layers or both.",
        "solids: `isometric`, `layers` or `both`; default: `both` for a single solution of 2 to 12 layers, "
        "else `isometric`",
        "VIEW",
        words=VIEWS,
        label="Solids",
        spoken=("automatic", "isometric", "as layers", "both"),
        only="solid",
    )
    explode: float = setting(
        0,
        "Solids: move the pieces apart by N cells.",
        "solids: move each piece away from the middle by N times its distance; with `--view layers`, raise the layers",
        "N",
        least=0,
        most=10,
    )
    cell: float | None = setting(
        None,
        "Size of a cell in px, with --paper in mm.",
        "size of a cell: the side of a square of average area, or the length of an edge; with `--paper` in mm",
        "PX",
        least=1,
        most=1000,
        hidden=True,
        label="Cell",
        unit="px",
        hint="automatic",
    )
    columns: int | None = setting(
        None,
        "Number of pictures side by side.",
        "N pictures side by side; default: a sheet of a good shape",
        "N",
        least=1,
        most=1000,
        hidden=True,
        label="Pictures side by side",
        hint="automatic",
    )
    legend: bool | None = setting(
        None,
        "Add the names of pieces and colours below.",
        "list the pieces with their names; default: only if letters in the picture do not show the names",
        label="Legend",
        choices=("yes", "no"),
        spoken=("if needed", "yes", "no"),
    )
    background: str = setting(
        "#ffffff",
        "Background: #ffffff or none.",
        "a colour such as `#ffffff` (default), or `none`",
        "COLOUR",
        parse=known_background,
        hidden=True,
        label="Background",
        choices=("#ffffff", "none"),
        spoken=("white", "none"),
    )
    steps: bool = setting(
        False,
        "One picture for each step of the assembly.",
        "a picture for each step of the assembly, with an arrow in the direction in which pieces move; "
        "for flat puzzles also",
        label="Step by step: how the pieces are put together",
        only="solid",
    )
    animate: bool = setting(
        False,
        "SVG: animate how the solution comes apart, like .webp and .gif.",
        "SVG: an [animation](#animations)",
    )
    rotate: bool = setting(
        False,
        "Rotate a flat board 90° clockwise.",
        "rotate a flat board 90° clockwise, such as `pentominoes/3x20`",
    )
    palette: str = setting(
        "standard",
        "Colours of pieces: standard (default), wood or quiet.",
        "colours of the pieces: `standard` (default), `wood` or `quiet`",
        "NAME",
        words=tuple(PALETTES),
    )

    fewest_colours: bool = setting(
        False,
        "Use the fewest colours with which pieces that touch differ.",
        "each solution in the fewest colours with which pieces that touch differ",
    )

    def __post_init__(self) -> None:
        for name, row in settings(self):
            value = getattr(self, name)
            if (name, value) != ("show", WORKSHEET):
                row.check(name, value)

    def __repr__(self) -> str:
        return brief(self)

    def fill(self, body: SceneBody) -> str:
        """Return the colour of a piece: white in a plain picture."""
        return "#ffffff" if self.plain else body.fill(self.palette)

    def of_size(self, cell: float) -> Choices:
        """Return the same choices for cells of a size."""
        return replace(self, cell=cell)
