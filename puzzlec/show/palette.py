"""The colours of pieces in pictures, pages and models.

They began as the "light" set of P. Tol (Colour schemes, SRON technical note, 2021), filled up to twelve. Then they were
moved until the two most similar ones for dichromats were as far apart as possible, above all the first eight. All are
light enough for dark letters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

#: Fills for pieces, as they are in SVG and CSS.
COLOURS = (
    "#7faad7", "#fc8650", "#f5e29e", "#37c58f", "#ffb0cd", "#95f7fe", "#c0ce1f", "#be97ff",
    "#c89872", "#aaa8a6", "#ffca57", "#a6d4ae",
)  # fmt: skip

#: The palettes of pictures and pages, with one colour for each of :data:`COLOURS`. *wood* has the tones of
#: natural species. All colours of *quiet* have the same lightness and chroma in OKLCH.
PALETTES = {
    "standard": COLOURS,
    "wood": (
        "#e9cfa0", "#b3875f", "#d9825b", "#f3e7d3", "#c79a4b", "#cb909c", "#a5aaa0", "#e8b48a",
        "#cbb08e", "#c27b70", "#dcc76b", "#b3a56a",
    ),
    "quiet": (
        "#f7aaa3", "#72d2dd", "#bfc883", "#c5b5f7", "#f0b187", "#84cbf4", "#9cd19c", "#e0ade2",
        "#dcbd7a", "#a4c0fd", "#7dd5bd", "#f1a8c4",
    ),
}  # fmt: skip

#: The standard palette in the 256 colours of xterm: the nearest ones that are all different.
XTERM = (110, 209, 229, 36, 175, 159, 184, 141, 137, 250, 221, 151)

#: The colour of empty cells, and of letters and borders.
EMPTY, INK = "#f3f5f7", "#1d242b"


#: The ink on dark colours.
LIGHT_INK = "#ffffff"


def fill_of(hue: int, paint: str = "", palette: str = "standard") -> str:
    """Return the colour of a piece: the one that the puzzle gives it, or else its hue in a palette.

    Every picture, page, game and model takes the colour of a piece from here, and so does the terminal. A hue beyond
    the palette is a colour of the palette again, lighter or darker.

    >>> fill_of(0), fill_of(0, "red"), fill_of(2, palette="wood"), fill_of(12)
    ('#7faad7', '#d9443f', '#d9825b', '#99bbdf')
    """
    if paint:
        from puzzlec.ir.paints import paint_of  # the help needs the palettes, and no puzzle

        return paint_of(paint)
    again, number = divmod(hue, len(COLOURS))
    colour = PALETTES[palette][number]
    return mixed(colour, "#ffffff" if again % 2 else INK, min(0.5, 0.2 * again)) if again else colour


def ink_on(fill: str) -> str:
    """Return the colour of letters on a colour.

    >>> ink_on("#7faad7") == INK, ink_on("#2b2f36") == LIGHT_INK
    (True, True)
    """
    red, green, blue = rgb(fill)
    return INK if 299 * red + 587 * green + 114 * blue > 105_000 else LIGHT_INK


def rgb(colour: str) -> tuple[int, int, int]:
    """Return the red, green and blue of a colour, 0 to 255.

    >>> rgb("#7faad7")
    (127, 170, 215)
    """
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mixed(colour: str, other: str, part: float) -> str:
    """Return a colour mixed with a part (0 to 1) of another one.

    >>> mixed("#000000", "#ffffff", 0.5)
    '#808080'
    """
    both = zip(rgb(colour), rgb(other), strict=True)
    return "#" + "".join(f"{int(a + (b - a) * part + 0.5):02x}" for a, b in both)


def faded(fill: str) -> str:
    """Return the colour of a piece that is only in the background."""
    return mixed(mixed(fill, "#c4c8cc", 0.35), "#ffffff", 0.62)


def dark(colour: str, part: float = 0.25) -> str:
    """Return a colour in the shade."""
    return mixed(colour, "#000000", part)


def light(colour: str, part: float = 0.35) -> str:
    """Return a colour in the light."""
    return mixed(colour, "#ffffff", part)


def pools(copies: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the hues of each piece: its own, and further ones of the palette for its copies.

    No two pieces share a hue, unless there are more pieces than hues. ``copies`` is the highest number of copies of
    each piece.

    >>> pools([1, 2, 1])
    [(0,), (1, 3), (2,)]
    """
    hues_of_piece = [(number % len(COLOURS),) for number in range(len(copies))]
    return _shared(hues_of_piece, copies, range(len(copies), len(COLOURS)))


def _shared(of_piece: Sequence[tuple[int, ...]], copies: Sequence[int], left: Iterable[int]) -> list[tuple[int, ...]]:
    """Return hues of pieces with the remaining hues: each goes to the piece with the fewest hues for its copies."""
    hues_of_pieces = list(of_piece)
    for hue in left:
        waiting = [number for number, hues in enumerate(hues_of_pieces) if len(hues) < copies[number]]
        if not waiting:
            break
        hues_of_pieces[max(waiting, key=lambda number: (copies[number] / len(hues_of_pieces[number]), -number))] += (
            hue,
        )
    return hues_of_pieces


def body_hues(
    pieces: Sequence[int],
    of_piece: Sequence[tuple[int, ...]],
    near: Callable[[], Mapping[int, Collection[int]]],
    flat: bool,
) -> list[int]:
    """Return a hue for each body; ``pieces`` are the numbers of their pieces, ``of_piece`` the :func:`pools`.

    Every picture, page and model takes its colours from here, and so does the terminal. (``bodyHues`` in
    ``page/puzzle.js`` computes the same in the browser.) Each copy has a different hue if its piece has enough hues,
    including those of absent pieces. Otherwise neighbouring copies differ if possible. If there are more pieces than
    hues, neighbouring pieces differ if possible; ``near`` returns the bodies beside each one. Flat copies use few hues
    then. Copies in a solid use all hues in turn, since layers side by side make two bodies of one hue look like one.
    """
    copies = Counter[int]()
    turns = []
    for piece in pieces:
        turns.append(copies[piece])
        copies[piece] += 1
    if len(of_piece) > len(COLOURS):
        if len(pieces) <= len(COLOURS):
            return _all_different(pieces)
        every = hues(near(), {body: _rotated(range(len(COLOURS)), piece) for body, piece in enumerate(pieces)})
        return [every[body] for body in range(len(pieces))]
    if any(copies[piece] > len(hues) for piece, hues in enumerate(of_piece)):
        used = {hue for piece in copies for hue in of_piece[piece]}
        left = [hue for hue in range(len(COLOURS)) if hue not in used]  # of absent pieces
        of_piece = _shared(of_piece, [copies[piece] for piece in range(len(of_piece))], left)
    hue_of = [of_piece[piece][turn % len(of_piece[piece])] for piece, turn in zip(pieces, turns, strict=True)]
    crowded = [body for body, piece in enumerate(pieces) if copies[piece] > len(of_piece[piece])]
    if crowded:
        beside, among = near(), set(crowded)
        alike = {
            body: [other for other in beside[body] if other in among and pieces[other] == pieces[body]]
            for body in crowded
        }
        preferred = {body: _rotated(of_piece[pieces[body]], 0 if flat else turns[body]) for body in crowded}
        for body, hue in hues(alike, preferred).items():
            hue_of[body] = hue
    return hue_of


def _rotated(hues: Sequence[int], turn: int) -> list[int]:
    turn %= len(hues)
    return [*hues[turn:], *hues[:turn]]


def _all_different(pieces: Sequence[int]) -> list[int]:
    """Return a different hue for each of a few bodies: that of its piece, if no earlier body has it."""
    body_of: dict[int, int] = {}
    for body, piece in enumerate(pieces):
        body_of.setdefault(piece % len(COLOURS), body)
    left = (hue for hue in range(len(COLOURS)) if hue not in body_of)
    hue_of = {body: hue for hue, body in body_of.items()}
    return [hue_of[body] if body in hue_of else next(left) for body in range(len(pieces))]


def hues(near: Mapping[int, Collection[int]], allowed: Mapping[int, Sequence[int]] | None = None) -> dict[int, int]:
    """Return a hue, a number in :data:`COLOURS`, for each body; bodies ``near`` each other differ if possible.

    Each body takes the first ``allowed`` hue that is free. Their order is that of D. Brelaz (New methods to color the
    vertices of a graph, 1979): the body with the fewest hues left is first.

    >>> hues({0: [1], 1: [0, 2], 2: [1]})
    {1: 0, 0: 1, 2: 1}
    """
    from puzzlec.geometry.colouring import hemmed_in  # the help needs the palettes only

    used: dict[int, set[int]] = {body: set() for body in near}
    hue_of: dict[int, int] = {}
    for body in hemmed_in(near, used):
        options = allowed[body] if allowed is not None else range(len(COLOURS))
        hue_of[body] = next((hue for hue in options if hue not in used[body]), options[body % len(options)])
        for other in near[body]:
            used[other].add(hue_of[body])
    return hue_of
