"""The look of pictures on a terminal: width, characters, and colours that differ between neighbours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import dist
from typing import NamedTuple, TypeAlias

from puzzlec.show.palette import COLOURS, INK, XTERM, fill_of, ink_on, rgb

TYPE_CHECKING = False
if TYPE_CHECKING:  # a command that draws nothing needs no geometry
    from puzzlec.geometry import Cell, Lattice
    from puzzlec.geometry.wrapping import Wrapping

#: With 16 colours, a flat board of many pieces uses this many in turn, even if fewer would do.
COLOURS_IN_TURN = 4

#: The owner of cells that never move. The owner of an empty location is -1.
WALL = -2

#: Escape codes of the bright backgrounds on terminals of 16 colours.
BRIGHT = (103, 46, 105, 101, 100)


#: A colour of a piece: a number in the palette, or `#rrggbb`.
Hue: TypeAlias = int | str

#: The codes of backgrounds on terminals of 16 colours, with the colours of xterm.
ANSI = {
    40: (0, 0, 0), 41: (205, 0, 0), 42: (0, 205, 0), 43: (205, 205, 0), 44: (0, 0, 238), 45: (205, 0, 205),
    46: (0, 205, 205), 47: (229, 229, 229), 100: (127, 127, 127), 101: (255, 0, 0), 102: (0, 255, 0),
    103: (255, 255, 0), 104: (92, 92, 255), 105: (255, 0, 255), 106: (0, 255, 255), 107: (255, 255, 255),
}  # fmt: skip

#: Red, green and blue of the colours 16 to 255 of xterm: a cube, and greys.
CUBE = (*product((0, 95, 135, 175, 215, 255), repeat=3), *[(grey,) * 3 for grey in range(8, 248, 10)])


#: Terminals of 16 colours or fewer.
_FEW_COLOURS = ("linux", "ansi", "cygwin", "pcansi", "vt220", "screen", "tmux")


class Style(NamedTuple):
    """How to draw: with or without colours, in Unicode or in ASCII, within a number of columns.

    ``depth`` is the number of colours: 16, 256, or 2**24.
    """

    colour: bool = False
    ascii: bool = False
    width: int = 80
    depth: int = 256

    @property
    def colours(self) -> int:
        """Number of backgrounds for pieces."""
        return len(BRIGHT) if self.depth < 256 else len(COLOURS)


def colours_of_terminal(environment: Mapping[str, str]) -> int:
    """Return how many colours a terminal shows: all of them, 256, or 16.

    COLORTERM may announce all colours; some values of TERM mean 16 or fewer; other terminals have 256.

    >>> colours_of_terminal({"TERM": "xterm", "COLORTERM": "truecolor"}), colours_of_terminal({"TERM": "linux"})
    (16777216, 16)
    """
    if environment.get("COLORTERM") in ("truecolor", "24bit"):
        return 2**24
    term = environment.get("TERM", "")
    if term.endswith("-direct"):
        return 2**24
    few = term.endswith(("-16color", "-8color", "-color")) or term in _FEW_COLOURS
    return 16 if few and "256" not in term else 256


class TooWideError(Exception):
    """A picture that does not fit the width, and the columns that it needs."""

    def __init__(self, columns: int) -> None:
        super().__init__(f"the picture needs {columns} columns")
        self.columns = columns


@dataclass(frozen=True)
class BoardOfSigns:
    """The content of a picture: for each cell the number of the piece on it (-1: none, :data:`WALL`), and its sign.

    On a wrap-around board, the cells are in the order of the locations of ``wrapping``. ``own`` is the hue of each
    piece in pictures; a terminal with enough colours shows the same.
    """

    lattice: Lattice
    owners: dict[Cell, int]
    signs: dict[Cell, str]
    wrapping: Wrapping | None = None
    own: Mapping[int, Hue] | None = None

    def owner(self, cell: Cell) -> int | None:
        """Return the number of the piece on a cell (-1: none), or None outside of the board.

        A cell across a seam is a location of the board and has its piece. An empty cell across a seam is outside, so
        that an empty position ends at the seam.
        """
        piece = self.owners.get(cell)
        if piece is not None or self.wrapping is None:
            return piece
        location = self.wrapping.location(self.lattice.point(cell))
        again = self._in_order[location] if location >= 0 else -1
        return again if again >= 0 else None

    @cached_property
    def _in_order(self) -> tuple[int, ...]:
        """The piece on each location."""
        return tuple(self.owners.values())

    def near(self) -> dict[int, set[int]]:
        """Return the neighbours of each piece."""
        from puzzlec.show.scene import touching

        return touching(self.owners, self.owner, self.lattice)

    def hues(self, most: int = len(COLOURS)) -> Mapping[int, Hue]:
        """Return one of ``most`` colours for each piece: its colour in pictures, if there are enough.

        A piece to which the puzzle gives a colour has the nearest one of the terminal.

        Otherwise all pieces differ if possible, or else neighbours do. The pieces of a solid then use all colours about
        equally often, since layers side by side make two pieces of one colour look like one. A flat board has few
        colours, which are the easiest to recognise.
        """
        if self.own is not None and most >= len(COLOURS):
            return self.own
        if most not in self._chosen:
            painted = {owner: hue for owner, hue in (self.own or {}).items() if isinstance(hue, str)}
            self._chosen[most] = {**self._hues(most), **painted}
        return self._chosen[most]

    @cached_property
    def _chosen(self) -> dict[int, dict[int, Hue]]:
        """Cached colours, by the number of available ones."""
        return {}

    def _hues(self, most: int) -> dict[int, int]:
        owners = sorted({owner for owner in self.owners.values() if owner >= 0})
        if len(owners) <= most:
            return {owner: hue for hue, owner in enumerate(owners)}
        from puzzlec.geometry.colouring import few_colours  # few boards need it

        near = self.near()
        pieces = {owner: near[owner] - {-1, WALL} for owner in owners}
        return few_colours(pieces, most, COLOURS_IN_TURN if self.lattice.dimension < 3 else most)


def painted(text: str, owner: int | None, hues: Mapping[int, Hue], style: Style) -> str:
    """Return text on the colour of a piece, if there is one and colours are on."""
    if not style.colour or owner is None or owner < 0:
        return text
    return f"\033[{_background(hues[owner], style.depth)}m{text}\033[0m"


def _background(hue: Hue, depth: int) -> str:
    """Return the codes of letters on a colour (ECMA-48; those of 256 and of all colours are xterm's)."""
    fill = hue if isinstance(hue, str) else fill_of(hue)
    dark = ink_on(fill) == INK
    if depth < 256:
        return f"{30 if dark else 97};{BRIGHT[hue % len(BRIGHT)] if isinstance(hue, int) else _nearest(fill, ANSI)}"
    if depth == 256:
        code = XTERM[hue] if isinstance(hue, int) else _nearest(fill, dict(enumerate(CUBE, 16)))
        return f"38;5;{16 if dark else 231};48;5;{code}"
    ink = "0;0;0" if dark else "255;255;255"
    red, green, blue = rgb(fill)
    return f"38;2;{ink};48;2;{red};{green};{blue}"


def _nearest(fill: str, codes: Mapping[int, Sequence[int]]) -> int:
    """Return the code of the nearest colour."""
    return min(codes, key=lambda code: (dist(rgb(fill), codes[code]), code))
