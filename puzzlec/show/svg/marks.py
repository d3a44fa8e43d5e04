"""Marks for colours: of locations and of the cells of pieces, and of the sides of tiles. Positions of labels.

Numbers become pips, as on dominoes. Of one or two colours, one is a shade, as on a chessboard. More colours have a
shape each, or the colour of their name. A label is well inside the outline of its piece, and as large as possible.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from math import cos, hypot, pi, sin, sqrt

from puzzlec.ir import Puzzle
from puzzlec.ir.paints import PAINTS
from puzzlec.show.palette import COLOURS, INK, fill_of, mixed
from puzzlec.show.scene import Scene, SceneBody
from puzzlec.show.svg import lettering
from puzzlec.show.svg.choices import Choices
from puzzlec.show.svg.figure import Box, Figure
from puzzlec.show.svg.ground import Spot, middle

#: Names of the dark one of two colours.
_DARK = ("black", "dark", "b", "x")
#: The positions of pips, in thirds of a square about its middle.
PIPS = {
    "0": "", "1": "4", "2": "08", "3": "048", "4": "0268", "5": "02468", "6": "023568", "7": "0234568",
    "8": "01235678", "9": "012345678",
}  # fmt: skip
#: Regular polygons and stars for colours: number of corners, depth of a star, rotation.
_SHAPES = ((0, 1.0, 0.0), (4, 1.0, 0.125), (3, 1.0, 0.0), (4, 1.0, 0.0), (5, 0.45, 0.0), (4, 0.35, 0.0), (6, 1.0, 0.0))


class Marks:
    """The marks of the colours of a puzzle; ``way`` is ``none``, ``shade``, ``pips`` or ``signs``.

    ``bare``: plain cells must look different from those of any colour. ``dyes`` are those of the ``sides`` of tiles.
    """

    def __init__(
        self, colours: Iterable[str], sides: Iterable[str] = (), *, plain: bool = False, bare: bool = False
    ) -> None:
        self.colours, self.dyes = tuple(dict.fromkeys(colours)), Dyes(sides, plain=plain)
        self.plain = plain
        if not self.colours:
            self.way = "none"
        elif len(self.colours) > 1 and all(colour in PIPS for colour in self.colours):
            self.way = "pips"
        elif len(self.colours) + bare < 3:
            self.way = "shade"
        else:
            self.way = "signs"
        named = [colour for colour in self.colours if colour.lower() in _DARK]
        self._shaded = (named or self.colours)[:1]

    @classmethod
    def of(cls, scene: Scene, choices: Choices) -> Marks:
        """Return the marks of the colours of locations and cells of a scene."""
        sides = (side for body in scene.bodies for side in body.sides)
        return cls(scene.colours, sides, plain=choices.plain, bare=scene.has_plain_cells)

    @classmethod
    def of_puzzle(cls, puzzle: Puzzle, choices: Choices, *, bare: bool = False) -> Marks:
        """Return the marks of all colours of a puzzle, the same in all of its pictures."""
        sides = (side for piece in puzzle.pieces for side in piece.sides)
        return cls(puzzle.colours.names, sides, plain=choices.plain, bare=bare)

    def shades(self, colour: str | None) -> bool:
        """Whether cells of a colour are shaded."""
        return self.way == "shade" and colour in self._shaded

    def shade(self, fill: str) -> str:
        """Return the colour of a shaded cell on a ground."""
        return mixed(fill, INK, 0.3)

    def mark(self, figure: Figure, colour: str | None, at: Spot, radius: float, ink: str = INK) -> None:
        """Draw the mark of a colour within a circle, unless it is plain or a shade."""
        if colour is None or colour not in self.colours or self.way not in ("pips", "signs"):
            return
        if self.way == "pips":
            step = radius * 0.5
            spots = [(at[0] + step * (int(n) % 3 - 1), at[1] + step * (int(n) // 3 - 1)) for n in PIPS[colour]]
            figure.circles(spots, radius * 0.17, ink)
        else:
            self._sign(figure, colour, at, radius * 0.5, ink)

    def _sign(self, figure: Figure, colour: str, at: Spot, radius: float, ink: str) -> None:
        number = self.colours.index(colour)
        paint = None if self.plain else PAINTS.get(colour.lower())
        if paint is not None and len({PAINTS.get(other.lower()) for other in self.colours}) == len(self.colours):
            figure.circle(at, radius * 0.85, paint, ink, max(0.5, radius * 0.12))
        elif number < len(_SHAPES):
            figure.region([_shape(at, radius, *_SHAPES[number])], ink)
        else:
            figure.text(at, colour, min(radius * 2, radius * 2.4 / max(1, lettering.length(colour, 1))), colour=ink)


class Dyes:
    """Fills for the colours of the sides of tiles."""

    def __init__(self, colours: Iterable[str], *, plain: bool = False) -> None:
        self.colours = tuple(sorted(set(colours)))
        self.plain = plain
        by_name = all(colour.lower() in PAINTS for colour in self.colours)
        self.fills = {
            colour: "#ffffff" if plain else fill_of(number, colour * by_name)
            for number, colour in enumerate(self.colours)
        }

    @property
    def need_letters(self) -> bool:
        """Whether fills are not enough to recognise the colours."""
        return self.plain or len(self.colours) > len(COLOURS)

    def tile(
        self, figure: Figure, sides: Sequence[Sequence[Spot]], colours: Sequence[str], stroke: str, width: float
    ) -> None:
        """Draw a tile: from its middle to each side a triangle of the colour of that side, with its name if it fits."""
        centre = middle([end for side in sides for end in side])
        lettered: list[tuple[str, Spot, float]] = []
        for (start, end), colour in zip(sides, colours, strict=True):
            figure.region([[start, end, centre]], self.fills[colour], stroke, width)
            half = middle([start, end])
            at = (half[0] * 0.66 + centre[0] * 0.34, half[1] * 0.66 + centre[1] * 0.34)
            room = 0.3 * ((half[0] - centre[0]) ** 2 + (half[1] - centre[1]) ** 2) ** 0.5
            size = min(room * 1.6, 2.2 * room / max(0.5, lettering.length(colour, 1)))
            lettered.append((colour, at, size))
        if self.need_letters or min(size for _, _, size in lettered) >= 5:
            for colour, at, size in lettered:
                figure.text(at, colour, max(size, 3), weight=0.9)


def _shape(at: Spot, radius: float, corners: int, depth: float, turn: float) -> list[Spot]:
    """Return a regular polygon, or a star with a depth below 1; with no corners, an approximate circle."""
    number = (corners or 24) * (2 if depth < 1 else 1)
    spots = []
    for corner in range(number):
        far = radius * (depth if depth < 1 and corner % 2 else 1)
        angle = 2 * pi * (corner / number + turn) - pi / 2
        spots.append((at[0] + far * cos(angle), at[1] + far * sin(angle)))
    return spots


def label_kinds(choices: Choices, bodies: Sequence[SceneBody]) -> list[tuple[str, list[str]]]:
    """Return the kinds of labels on bodies, in the order of preference: ``name``, or ``label`` (a short sign)."""
    if choices.labels == "none" or not bodies:
        return []
    names, signs = [body.name for body in bodies], [body.label for body in bodies]
    kinds = [("name", names)] * (choices.labels != "signs")
    several = choices.labels != "names" and len(set(signs)) == len({body.piece for body in bodies})
    return kinds + [("label", signs)] * several


#: The number of middles of cells that are tried as positions.
_TRIED = 16
#: The share of the free space that letters fill.
_SHARE = 0.92


def label_spot(
    rings: Sequence[Sequence[Spot]], middles: Sequence[Spot], radius: float, *, central: bool = False
) -> tuple[Spot, float]:
    """Return a position for a label inside rings, and its distance from them.

    It is the middle of the piece (if ``central``), or of a cell nearby, if a circle of this radius fits
    there. Otherwise it is the position farthest from the outline.
    """
    centre = middle(middles)
    if central and (room := depth(rings, centre)) >= radius:
        return centre, room
    near = sorted(middles, key=lambda spot: (round(hypot(spot[0] - centre[0], spot[1] - centre[1]), 3), spot))
    for spot in near[:_TRIED]:
        room = depth(rings, spot)
        if room >= radius:
            return spot, room
    return farthest(rings)


def fitting_size(text: str, room: float, largest: float) -> float:
    """Return the size, at most ``largest``, of a text that fits into a circle of the radius ``room``."""
    radius = hypot(lettering.length(text, 1) + lettering.STROKE, lettering.CAPITAL + lettering.STROKE) / 2
    return min(largest, _SHARE * room / radius)


def farthest(rings: Sequence[Sequence[Spot]], precision: float = 0.5) -> tuple[Spot, float]:
    """Return the position inside rings that is farthest from them, and its distance, to within ``precision`` px.

    Squares that can have a better position than the best known one are quartered, the most promising first. This is the
    pole of inaccessibility of D. Garcia-Castellanos and U. Lombardo (2007), found by branch and bound.
    """
    box = Box.about(spot for ring in rings for spot in ring)
    half = max(min(box.width, box.height) / 2, precision)
    precision = max(precision, max(box.width, box.height) / 200)
    waiting: list[tuple[float, Spot, float, float]] = []
    best: tuple[Spot, float] = (rings[0][0], 0.0)

    def consider(spot: Spot, half: float) -> None:
        nonlocal best
        room = depth(rings, spot)
        if room > best[1]:
            best = spot, room
        heapq.heappush(waiting, (-(room + half * sqrt(2)), spot, half, room))

    x = box.left + half
    while x < box.right + half:
        y = box.top + half
        while y < box.bottom + half:
            consider((x, y), half)
            y += 2 * half
        x += 2 * half
    while waiting:
        promise, (x, y), half, _ = heapq.heappop(waiting)
        if -promise - best[1] <= precision:
            break
        for dx in (-half / 2, half / 2):
            for dy in (-half / 2, half / 2):
                consider((x + dx, y + dy), half / 2)
    return best


def depth(rings: Sequence[Sequence[Spot]], spot: Spot) -> float:
    """Return the distance of a spot from rings; negative outside of them."""
    x, y = spot
    nearest, inside = float("inf"), False
    for ring in rings:
        ax, ay = ring[-1]
        for bx, by in ring:
            if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
                inside = not inside
            dx, dy = bx - ax, by - ay
            long = dx * dx + dy * dy
            along = max(0.0, min(1.0, ((x - ax) * dx + (y - ay) * dy) / long)) if long else 0.0
            ex, ey = x - ax - along * dx, y - ay - along * dy
            nearest = min(nearest, ex * ex + ey * ey)
            ax, ay = bx, by
    return sqrt(nearest) if inside else -sqrt(nearest)
