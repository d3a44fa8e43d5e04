"""Pictures of lattices as SVG, made from the outlines of their cells, so new lattices have one.

A flat lattice is a patch with the coordinates of every cell written on it. Cells whose translations are zero are
tinted. A solid lattice with several kinds of cell has a frame for each kind: its cell is solid, the edges of the others
are around it. With one kind only, some cells are drawn apart. The fourth dimension runs obliquely.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from math import dist, hypot

from puzzlec.geometry import Cell, Lattice
from puzzlec.geometry.faces import exactly, middle, scale_of
from puzzlec.geometry.lattice import Point
from puzzlec.geometry.solids import Facet, Solid, hull, solid

Place = tuple[float, ...]

#: The direction of the eye from the picture: to the right, above (y runs downwards), and in front.
_EYE = (0.8, -2.3, -3.6)
#: The direction of a step in the fourth dimension.
_FOURTH = (0.62, -0.38, 0.25)

_LABEL, _MARGIN, _FRAME = 12, 14, 150
_LINE, _FAINT, _TINT, _PLAIN, _EDGE = "#4a5560", "#c3cad1", "#fde3a7", "#f3f5f7", "#8794a1"
#: Paint of sides from dark to light, and the direction of the light: left, above and in front.
_SHADES, _LIGHT = ("#dfa63c", "#ebbb5c", "#f3cc7d", "#f9dda3", "#fdeecb"), (-0.45, -0.75, 0.5)


def lattice_picture(lattice: Lattice) -> str:
    """Return a picture of a lattice as the text of an SVG file."""
    sheet = _Sheet(f"Cells of the lattice {lattice.name}")
    if lattice.dimension < 3:
        _flat(lattice, sheet)
    elif len(lattice.kinds) > 1:
        _kinds(lattice, sheet)
    else:
        _apart(lattice, sheet)
    return sheet.text()


class _Sheet:
    """The shapes drawn so far, and their extent."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.shapes: list[str] = []
        self.reached: list[Place] = []

    def polygon(self, corners: Sequence[Place], fill: str) -> None:
        """Paint a polygon."""
        points = " ".join(f"{_number(x)},{_number(y)}" for x, y in corners)
        self.shapes.append(f'<polygon points="{points}" fill="{fill}"/>')
        self.reached += corners

    def line(self, ends: Sequence[Place], colour: str, width: float) -> None:
        """Draw a line from one end to the other."""
        (a, b), (c, d) = ends
        at = f'x1="{_number(a)}" y1="{_number(b)}" x2="{_number(c)}" y2="{_number(d)}"'
        self.shapes.append(f'<line {at} stroke="{colour}" stroke-width="{_number(width)}"/>')
        self.reached += ends

    def dot(self, at: Place) -> None:
        """Draw a point of a grid."""
        self.shapes.append(
            f'<circle cx="{_number(at[0])}" cy="{_number(at[1])}" r="3.5" fill="{_LINE}" stroke="none"/>'
        )

    def label(self, at: Place, text: str, rim: int = 0) -> None:
        """Write a text around a position, with a white outline over lines."""
        x, y = at[0], at[1] + _LABEL * 0.35
        white = f'stroke="#fff" stroke-width="{rim}" paint-order="stroke"' if rim else 'stroke="none"'
        ink = f'fill="#1d242b" {white}'
        self.shapes.append(f'<text x="{_number(x)}" y="{_number(y)}" {ink}>{text}</text>')
        half = 0.3 * _LABEL * len(text)
        self.reached += [(x - half, y - _LABEL), (x + half, y + _LABEL * 0.4)]

    def text(self) -> str:
        """Return the file."""
        columns = list(zip(*self.reached, strict=True))
        left, top = (min(column) - _MARGIN for column in columns)
        width, height = (max(column) - min(column) + 2 * _MARGIN for column in columns)
        box = " ".join(map(_number, (left, top, width, height)))
        at = f'x="{_number(left)}" y="{_number(top)}"'
        size = f'width="{_number(width)}" height="{_number(height)}"'
        style = f'font-family="sans-serif" font-size="{_LABEL}" text-anchor="middle" stroke-linejoin="round"'
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" {size} role="img">',
                f"<title>{self.title}</title>",
                f'<rect {at} {size} fill="#fff"/>',
                f'<g {style} stroke="{_LINE}" stroke-linecap="round">',
                *self.shapes,
                "</g>",
                "</svg>\n",
            ]
        )


def _number(value: float) -> str:
    """Return a coordinate with one decimal, without a minus before zero."""
    return f"{round(value, 1) + 0.0:.1f}".removesuffix(".0")


def _patch(lattice: Lattice) -> Iterator[Cell]:
    """Yield the cells in a picture of a flat lattice."""
    kinds = len(lattice.kinds)
    sizes = ((8,), (4, 3) if kinds == 1 else (3, 2) if kinds < 6 else (2, 2))[lattice.dimension - 1]
    for counts in product(*map(range, sizes)):
        for kind in range(kinds):
            yield (*counts, kind) if kinds > 1 else counts


def _corners(lattice: Lattice, cell: Cell) -> list[Place]:
    """Return the corners of a cell in a picture; an interval of a line is drawn as a strip."""
    point = lattice.point(cell)
    outline = lattice.kinds[lattice.class_of(point)].outline
    places = [lattice.on_paper([a + b for a, b in zip(point, corner, strict=True)]) for corner in outline]
    if lattice.dimension > 1:
        return places
    (left,), (right,) = places
    return [(left, -0.3), (right, -0.3), (right, 0.3), (left, 0.3)]


def _flat(lattice: Lattice, sheet: _Sheet) -> None:
    """Draw a patch so large that no label touches another."""
    cells = {cell: _corners(lattice, cell) for cell in _patch(lattice)}
    middles = [middle(corners) for corners in cells.values()]
    scale = (62 if lattice.of_edges else 46) / min(dist(a, b) for a, b in combinations(middles, 2))
    labels = []
    for cell, corners in cells.items():
        large = [(x * scale, y * scale) for x, y in corners]
        first = not any(cell[: lattice.dimension])
        if lattice.of_edges:
            sheet.line(large, "#e0a021" if first else _EDGE, 4 if first else 2)
            for end in large:
                sheet.dot(end)
        else:
            sheet.polygon(large, _TINT if first else _PLAIN)
        labels.append((middle(large), ",".join(map(str, cell))))
    for at, text in labels:
        sheet.label(at, text, 5 * lattice.of_edges)


def _seen(place: Place) -> Place:
    """Return the position at which the eye sees a point of space or of four dimensions: right, down, and nearness."""
    x, y, z = (a + b * (place[3] if len(place) > 3 else 0) for a, b in zip(place, _FOURTH, strict=False))
    a, b, c = _EYE
    flat, far = hypot(a, c), hypot(a, b, c)
    return (
        (-c * x + a * z) / flat,
        (-b * (a * x + c * z) / flat + flat * y) / far,
        (a * x + b * y + c * z) / far,
    )


def _wires(outline: Solid) -> Iterator[tuple[int, int]]:
    """Yield the edges of a solid as pairs of corners: each is the intersection of some of its sides."""
    for (i, a), (j, b) in combinations(enumerate(outline.corners), 2):
        common = [set(side.corners) for side in outline.facets if a in side.corners and b in side.corners]
        if common and set.intersection(*common) == {a, b}:
            yield i, j


def _exact(corners: Iterable[Sequence[float]], scale: int) -> list[Point]:
    """Return corners multiplied by a number that makes them integers."""
    return [tuple([int(exactly(value) * scale) for value in corner]) for corner in corners]


class _Drawn:
    """A solid as seen: its corners, in numbers of the lattice and on paper."""

    def __init__(self, corners: list[Point], seen: list[Place]) -> None:
        self.solid, self.seen = solid(corners), seen

    @classmethod
    def cell(cls, lattice: Lattice, kind: int, cell: Cell, gap: float = 0) -> _Drawn:
        """Return a cell, moved away from the origin by a multiple of its position."""
        away = [gap * value for value in lattice.on_paper(lattice.point(cell))]
        places = [[a + b for a, b in zip(place, away, strict=True)] for place in _corners(lattice, cell)]
        return cls(_exact(lattice.kinds[kind].outline, scale_of(lattice)), [_seen(tuple(place)) for place in places])

    @classmethod
    def around(cls, lattice: Lattice) -> _Drawn:
        """Return the hull of one cell of each kind."""
        scale = scale_of(lattice)
        outlines = [(kind.at, _exact(kind.outline, scale)) for kind in lattice.kinds]
        corners = {
            tuple([scale * a + c for a, c in zip(at, corner, strict=True)])
            for at, those in outlines
            for corner in those
        }
        outside = sorted(
            {corner for side in hull(corners) for corner in side.corners if _is_corner(corner, hull(corners))}
        )
        return cls(outside, [_seen(lattice.on_paper([value / scale for value in corner])) for corner in outside])

    def wires(self, sheet: _Sheet, at: Place, scale: float, colour: str) -> None:
        """Draw the edges."""
        for i, j in _wires(self.solid):
            ends = [(at[0] + scale * self.seen[k][0], at[1] + scale * self.seen[k][1]) for k in (i, j)]
            sheet.line(ends, colour, 1)

    def faces(self, sheet: _Sheet, at: Place, scale: float) -> None:
        """Paint the visible sides by their angle to the light."""
        number = {corner: index for index, corner in enumerate(self.solid.corners)}
        centre = middle(self.seen)
        for side in self.solid.facets:
            corners = _around([self.seen[number[corner]] for corner in side.corners])
            normal = _normal(corners, centre)
            if normal[2] > 1e-9:
                light = sum(a * b for a, b in zip(normal, _LIGHT, strict=True))
                shade = _SHADES[min(max(int(2.2 + 3 * light), 0), 4)]
                sheet.polygon([(at[0] + scale * x, at[1] + scale * y) for x, y, _ in corners], shade)


def _is_corner(point: Point, sides: Sequence[Facet]) -> bool:
    """Whether a point on a hull is a corner of it, the only point that some sides have in common."""
    common = [set(side.corners) for side in sides if point in side.corners]
    return set.intersection(*common) == {point}


def _around(corners: list[Place]) -> list[Place]:
    """Return the corners of a flat convex side in the order around it."""
    x, y, z = zip(*corners, strict=True)
    flat = min(
        (((0, 1), _spread(x, y)), ((0, 2), _spread(x, z)), ((1, 2), _spread(y, z))), key=lambda pair: -round(pair[1], 9)
    )[0]
    whole = [tuple([round(place[axis] * 10**6) for axis in flat]) for place in corners]
    where = dict(zip(whole, corners, strict=True))
    sides = {frozenset(side.corners) for side in hull(whole)}
    order = [min(whole)]
    while len(order) < len(whole):
        order.append(min(p for p in whole if p not in order and frozenset((order[-1], p)) in sides))
    return [where[p] for p in order]


def _spread(one: Sequence[float], two: Sequence[float]) -> float:
    """Return the area of the largest triangle of points."""
    return max(
        abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
        for a, b, c in combinations(list(zip(one, two, strict=True)), 3)
    )


def _normal(corners: Sequence[Place], inner: Place) -> Place:
    """Return the unit normal of a side, away from an inner point."""
    (a, b, c), (d, e, f) = (
        tuple([p - q for p, q in zip(corner, corners[0], strict=True)]) for corner in (corners[1], corners[2])
    )
    x, y, z = b * f - c * e, c * d - a * f, a * e - b * d
    inwards = sum(p * (q - r) for p, q, r in zip((x, y, z), inner, corners[0], strict=True))
    length = hypot(x, y, z) * (-1 if inwards > 0 else 1)
    return x / length, y / length, z / length


def _kinds(lattice: Lattice, sheet: _Sheet) -> None:
    """Draw a frame for each kind of cell: its cell painted, the edges of the other kinds around it."""
    drawn = [_Drawn.cell(lattice, kind, (*(0,) * lattice.dimension, kind)) for kind in range(len(lattice.kinds))]
    around = _Drawn.around(lattice)
    columns = list(zip(*around.seen, strict=True))[:2]
    sizes = [max(column) - min(column) for column in columns]
    scale = _FRAME / max(sizes)
    across = min(len(drawn), 6 if len(drawn) > 4 else 4)
    names = max(len(kind.name) for kind in lattice.kinds)
    wide = max(_FRAME + 2 * _MARGIN, 0.55 * _LABEL * (names + 4))
    for number, kind in enumerate(lattice.kinds):
        at = (number % across * wide, number // across * (scale * sizes[1] + 4 * _MARGIN))
        x, y = (place - scale * (max(column) + min(column)) / 2 for place, column in zip(at, columns, strict=True))
        around.wires(sheet, (x, y), scale, _FAINT)
        drawn[number].faces(sheet, (x, y), scale)
        sheet.label((at[0], at[1] + scale * sizes[1] / 2 + 1.5 * _MARGIN), f"{number}: {kind.name}")


def _apart(lattice: Lattice, sheet: _Sheet) -> None:
    """Draw the cell at the origin and the next one along each coordinate, with gaps between them; in 4D one cell."""
    steps = range(lattice.dimension if lattice.dimension == 3 else 0)
    cells = [(0,) * lattice.dimension, *(tuple(int(i == j) for j in range(lattice.dimension)) for i in steps)]
    scale = 85 if steps else 120
    placed = [(cell, _Drawn.cell(lattice, 0, cell, gap=1.6)) for cell in cells]
    for cell, drawn in sorted(placed, key=lambda pair: middle(pair[1].seen)[2]):
        if steps:
            drawn.faces(sheet, (0, 0), scale)
        else:
            drawn.wires(sheet, (0, 0), scale, _LINE)
        x, y, _ = middle(drawn.seen)
        sheet.label((scale * x, scale * y), ",".join(map(str, cell)), 0 if steps else 5)
