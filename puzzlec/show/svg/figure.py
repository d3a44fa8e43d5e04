"""A figure: shapes on a plane with their extent, written as one SVG picture.

Coordinates are px, x to the right and y downwards. Numbers are rounded to two decimals when written. Nothing depends on
hash order or the time, and there are no ids. So the same figure gives the same bytes, and one page can have several
pictures. Strokes have round ends and corners.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from html import escape
from typing import NamedTuple

from puzzlec.show.palette import INK
from puzzlec.show.svg import lettering
from puzzlec.show.svg.lettering import number
from puzzlec.show.svg.page_sizes import PX

Spot = Sequence[float]

#: The free space on all sides of a picture, in px.
MARGIN = 8

#: Characters that XML 1.0 cannot hold, even as references.
_UNFIT = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Box(NamedTuple):
    """The extent of a figure, in px."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """Width along x."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """Height along y."""
        return self.bottom - self.top

    @classmethod
    def about(cls, spots: Iterable[Spot], around: float = 0) -> Box:
        """Return the extent of some spots with their surroundings."""
        xs, ys = zip(*[spot[:2] for spot in spots], strict=True)
        return cls(min(xs) - around, min(ys) - around, max(xs) + around, max(ys) + around)


class Figure:
    """Shapes in the order in which they are painted, and their extent."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._extent: Box | None = None
        #: The middle and the size of each text, except those of figures that were rotated or scaled.
        self.texts: list[tuple[Spot, float]] = []

    @property
    def box(self) -> Box:
        """Extent of all shapes with half the width of their strokes; of size 0 without shapes."""
        return self._extent or Box(0, 0, 0, 0)

    @property
    def is_empty(self) -> bool:
        """Whether nothing has been drawn."""
        return self._extent is None

    def region(
        self,
        rings: Iterable[Sequence[Spot]],
        fill: str = "none",
        stroke: str = "none",
        width: float = 0,
        *,
        dash: Sequence[float] = (),
    ) -> None:
        """Paint the area inside an odd number of rings (closed polygons, corners each once), and stroke the rings."""
        rings = [ring for ring in rings if len(ring)]
        if not rings:
            return
        data = "".join([_trail(ring) + "Z" for ring in rings])
        rule = ' fill-rule="evenodd"' * (len(rings) > 1 and fill != "none")
        self._parts.append(f'<path d="{data}"{rule}{_paint(fill, stroke, width, dash)}/>')
        self._reach_all((spot for ring in rings for spot in ring), width / 2 if stroke != "none" else 0)

    def lines(
        self,
        several: Iterable[Sequence[Spot]],
        stroke: str = INK,
        width: float = 1,
        *,
        dash: Sequence[float] = (),
    ) -> None:
        """Draw several lines with the same look, as one shape."""
        several = [spots for spots in several if len(spots)]
        if not several:
            return
        self._strokes(map(_trail, several), stroke, width, dash)
        self._reach_all((spot for spots in several for spot in spots), width / 2)

    def circle(self, at: Spot, radius: float, fill: str = "none", stroke: str = "none", width: float = 0) -> None:
        """Draw a circle about a spot."""
        x, y = at[0], at[1]
        paint = _paint(fill, stroke, width, (), initial="")
        self._parts.append(f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"{paint}/>')
        self._reach_all([(x, y)], radius + (width / 2 if stroke != "none" else 0))

    def circles(self, spots: Iterable[Spot], radius: float, fill: str = INK) -> None:
        """Draw discs of one size and colour, as one shape."""
        spots = list(spots)
        if not spots:
            return
        # A line of length 0 with round ends is a disc: this takes far fewer characters than circles do.
        self._strokes([_trail([spot]) for spot in spots], fill, 2 * radius)
        self._reach_all(spots, radius)

    def text(
        self,
        at: Spot,
        text: str,
        size: float = 14,
        anchor: str = "middle",
        colour: str = INK,
        weight: float = 1,
    ) -> None:
        """Write a line of text: half the height of its capitals is on the level of the spot.

        ``size`` is that of a font (capitals are 0.7 of it high), ``anchor`` is start, middle or end, ``weight`` is the
        factor of the stroke width. Letters are strokes that puzzlec draws, so they look the same everywhere. Characters
        without strokes become text in the viewer's font.
        """
        text = _UNFIT.sub("\ufffd", text)
        if not text.strip():
            return
        long = lettering.length(text, size)
        left = at[0] - {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor] * long
        base = at[1] + lettering.CAPITAL * size / 2
        data, foreign = lettering.written(text, left, base, size)
        thick = lettering.STROKE * size * weight
        if data:
            self._strokes([data], colour, thick)
        for x, run in foreign:
            self._parts.append(
                f'<text x="{number(x)}" y="{number(base)}" font-size="{number(size)}" font-family="sans-serif"'
                f' fill="{colour}">{escape(run)}</text>'
            )
        self.texts.append(((left + long / 2, at[1]), max(size, long)))
        up, down = lettering.reach(text, size)
        self._reach_all([(left, base - up), (left + long, base + down)], thick / 2)

    @contextmanager
    def group(self, title: str = "", opacity: float = 1, id: str = "", hidden: bool = False) -> Iterator[None]:
        """Put shapes drawn within the block in a group; pointers and screen readers show its title."""
        head = f' opacity="{number(opacity)}"' * (opacity != 1)
        head += f' id="{id}"' * bool(id) + ' visibility="hidden"' * hidden
        self._parts.append(f"<g{head}>")
        if title:
            self._parts.append(f"<title>{safe(title)}</title>")
        yield
        self._parts.append("</g>")

    def add(self, other: Figure, dx: float = 0, dy: float = 0, scale: float = 1, turn: float = 0) -> None:
        """Paint another figure in this one: scaled about its origin, rotated (degrees clockwise), then moved."""
        if other._extent is None:
            return
        moves = [f"translate({number(dx)} {number(dy)})"] if dx or dy else []
        moves += [f"rotate({number(turn)})"] if turn else []
        moves += [f"scale({scale:.6g})"] if scale != 1 else []
        if moves:
            self._parts += [f'<g transform="{" ".join(moves)}">', *other._parts, "</g>"]
        else:
            self._parts += other._parts
        if scale == 1 and not turn:
            self.texts += [((x + dx, y + dy), size) for (x, y), size in other.texts]
        box, angle = other.box, math.radians(turn)
        across, along = scale * math.cos(angle), scale * math.sin(angle)
        corners = [(x, y) for x in (box.left, box.right) for y in (box.top, box.bottom)]
        self._reach_all([(across * x - along * y + dx, along * x + across * y + dy) for x, y in corners], 0)

    def at_corner(self, scale: float = 1, box: Box | None = None) -> Figure:
        """Return the figure scaled, with the corner of its extent, or of a box, at (0, 0)."""
        figure, box = Figure(), box or self.box
        figure.add(self, -scale * box.left, -scale * box.top, scale)
        return figure

    def reach(self, spot: Spot, around: float = 0) -> None:
        """Extend the extent to a spot and its surroundings, without painting."""
        self._reach_all([spot], around)

    def svg(
        self,
        title: str = "",
        description: str = "",
        *,
        background: str = "none",
        page: tuple[float, float] | None = None,
        style: str = "",
    ) -> str:
        """Return the picture as a complete document: its size in px, then the shapes.

        ``background`` is a colour or ``none``. With ``page``, a width and a height in
        mm, the document has this size, its corner is at (0, 0), and there is no other margin. ``style`` is more CSS.
        """
        left, top, wide, high = map(str, self.sheet())
        size = f'width="{wide}" height="{high}"'
        if page is not None:
            left, top, wide, high = "0", "0", *(number(length * PX) for length in page)
            size = f'width="{number(page[0])}mm" height="{number(page[1])}mm"'
        size = f'viewBox="{left} {top} {wide} {high}" {size}'
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size} stroke-linecap="round" stroke-linejoin="round">'
        ]
        lines += [f"<title>{safe(title)}</title>"] if title else []
        lines += [f"<desc>{safe(description)}</desc>"] if description else []
        if page is not None:  # a browser prints it unchanged on this page
            lines.append(f"<style>@page{{size:{number(page[0])}mm {number(page[1])}mm;margin:0}}</style>")
        if style:
            lines.append(f"<style>{style}</style>")
        if background != "none":
            lines.append(f'<rect x="{left}" y="{top}" width="{wide}" height="{high}" fill="{background}"/>')
        return "\n".join([*lines, *self._parts, "</svg>", ""])

    def sheet(self) -> tuple[int, int, int, int]:
        """Return the left and the top, the width and the height of the picture with its margin, in integers of px."""
        box = self.box
        left, top = math.floor(box.left - MARGIN), math.floor(box.top - MARGIN)
        return left, top, max(1, math.ceil(box.right + MARGIN) - left), max(1, math.ceil(box.bottom + MARGIN) - top)

    def _strokes(self, trails: Iterable[str], stroke: str, width: float, dash: Sequence[float] = ()) -> None:
        """Draw path data as one shape, without a fill."""
        data = "".join(dict.fromkeys(trails))
        # Typst draws no path whose extent is a single point, so a dot alone is a line of a length that is invisible.
        if data.count("M") == 1 and data.endswith("h0"):
            data = data.removesuffix("0") + ".01"
        self._parts.append(f'<path d="{data}"{_paint("none", stroke, width, dash)}/>')

    def _reach_all(self, spots: Iterable[Spot], around: float) -> None:
        box = Box.about(spots, around)
        whole = self._extent or box
        self._extent = Box.about((whole[:2], whole[2:], box[:2], box[2:]))


def _trail(spots: Sequence[Spot]) -> str:
    """Return path data through spots; spots that are all in one place are a dot."""
    places = [f"{number(spot[0])} {number(spot[1])}" for spot in spots]
    return "M" + "L".join(places) if len(set(places)) > 1 else f"M{places[0]}h0"


def _paint(fill: str, stroke: str, width: float, dash: Sequence[float], *, initial: str = "#000000") -> str:
    """Return the attributes of the look of a shape, without those that have no effect."""
    text = "" if fill == initial else f' fill="{fill}"'
    if stroke != "none":
        text += f' stroke="{stroke}" stroke-width="{number(width)}"'
        if dash:
            text += f' stroke-dasharray="{" ".join(map(number, dash))}"'
    return text


def safe(text: str) -> str:
    """Return a text as content of XML."""
    return escape(_UNFIT.sub("\ufffd", text))
