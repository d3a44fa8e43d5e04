"""Balls as shaded discs, from the farthest to the nearest, joined by necks if balls of one piece touch.

If two balls have the same size, the nearer ball hides the other, so painting in this order covers the hidden
parts. Edges of a lattice in space are drawn in the same way, as bars.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import product
from math import cos, hypot, pi, sin, sqrt

from puzzlec.geometry import Cell, Lattice
from puzzlec.geometry.faces import place
from puzzlec.geometry.lattice import neighbours
from puzzlec.show.palette import INK, dark, ink_on, light
from puzzlec.show.svg.figure import Figure
from puzzlec.show.svg.isometric import Isometric, Painter, check_number

#: The thickness of a neck, and the distance of tested positions of a disc, in radii.
NECK, _GRID = 0.58, 0.25
RIM = "#9aa4ae"

Spot = tuple[float, float]


class Balls(Painter):
    """A scene of balls as seen."""

    def _prepare(self) -> None:
        self.radius = self.cell / 2
        self.line = min(1.6, max(0.6, self.radius * 0.08))
        self.at = {cell: place(self.lattice, self.parts.point(self.lattice, cell)) for cell in self.scene.extent}
        self.discs = {cell: (self.screen.spot(where), self.screen.depth(where)) for cell, where in self.at.items()}

    def figure(self) -> Figure:
        """Return the picture."""
        check_number(len(self.at))
        figure = Figure()
        items: list[tuple[tuple[float, int, int], Figure]] = []
        ghosts = {cell for cell in self.at if cell not in self.scene.owner and self._is_ghost(cell)}
        covered = _Near([disc for cell, disc in self.discs.items() if cell not in ghosts], self.radius)
        balls = [(cell, -1) for cell in self.at if cell not in self.scene.owner]
        balls += [(cell, number) for number, body in enumerate(self.scene.bodies) for cell in body.cells]
        for index, (cell, owner) in enumerate(balls):
            spot, depth = self.discs[cell]
            if cell in ghosts:
                items.append(((round(depth, 6), 0, index), self._empty(spot)))
            elif not covered.covers(spot, depth):
                items.append(((round(depth, 6), 0, index), self._ball(cell, spot, owner)))
        for number, body in enumerate(self.scene.bodies):
            for one, two in touching(self.lattice, body.cells):
                if self.parts.part.get(one, 0) != self.parts.part.get(two, 0):
                    continue
                (a, b), (c, d) = self.discs[one][0], self.discs[two][0]
                near = (self.discs[one][1] + self.discs[two][1]) / 2
                if covered.covers(((a + c) / 2, (b + d) / 2), near, NECK * 1.2):
                    continue
                items.append(((round(near, 6), 1, len(items)), self._neck(one, two, number)))
        for _, item in sorted(items, key=lambda item: item[0]):
            figure.add(item)
        if self.is_lettered:
            self._labels(figure)
        return figure

    def _is_ghost(self, cell: Cell) -> bool:
        """Whether a position without a ball is a circle that hides nothing: an empty one beside pieces, or a wall."""
        return bool(self.scene.bodies) or cell not in self.scene.board

    def _ball(self, cell: Cell, spot: Spot, owner: int) -> Figure:
        figure, fill, radius = Figure(), self.fill(owner), self.radius
        faded = owner < 0 or owner in self.parts.faded
        ink = RIM if faded else INK
        soft = 0.4 if faded or self.choices.plain else 1.0
        x, y = spot
        figure.circle(spot, radius - self.line / 2, dark(fill, 0.2 * soft), ink, self.line)
        if radius > 3:
            inner = radius - self.line
            for part, shade in ((0.86, fill), (0.52, light(fill, 0.22)), (0.2, light(fill, 0.6))):
                away = (1 - part) * inner * 0.72
                figure.circle((x - away * 0.55, y - away * 0.83), part * inner, shade)
        colour = self.scene.colour(cell, self.scene.bodies[owner] if owner >= 0 else None)
        if self.marks is not None and colour is not None:
            self.marks.mark(figure, colour, spot, radius * 0.5, ink_on(fill))
        return figure

    def _empty(self, spot: Spot) -> Figure:
        figure = Figure()
        figure.circle(spot, self.radius - self.line / 2, "none", RIM, self.line * 0.7)
        return figure

    def _neck(self, one: Cell, two: Cell, owner: int) -> Figure:
        """Return the neck between two balls: a short cylinder, whose end on the farther ball is visible."""
        if self.discs[one][1] > self.discs[two][1]:
            one, two = two, one
        start, end = self.discs[one][0], self.discs[two][0]
        step = tuple([b - a for a, b in zip(self.at[one], self.at[two], strict=True)])
        long = hypot(*step) or 1.0
        dx, dy = end[0] - start[0], end[1] - start[1]
        flat = hypot(dx, dy) or 1.0
        ux, uy = dx / flat, dy / flat
        lean = abs(self.screen.depth(step)) / long  # 1 if the neck points straight to the viewer
        thick = NECK * self.radius
        # The neck begins where it meets the surface of the ball, at this fraction of the way to the other middle.
        begin = sqrt(1 - NECK * NECK) * self.radius / (long * self.screen.scale)
        ax, ay = start[0] + dx * begin, start[1] + dy * begin
        bx, by = end[0] - dx * begin, end[1] - dy * begin
        fill = dark(self.fill(owner), 0.1)
        ink = RIM if owner in self.parts.faded else INK
        arc = [
            (
                ax - ux * thick * lean * cos(turn) - uy * thick * sin(turn),
                ay - uy * thick * lean * cos(turn) + ux * thick * sin(turn),
            )
            for turn in [pi / 2 - pi * k / 8 for k in range(9)]
        ]
        last = [(bx + uy * thick, by - ux * thick), (bx - uy * thick, by + ux * thick)]
        figure = Figure()
        figure.region([[*arc, *last]], fill)
        figure.lines([[arc[0], last[1]], [arc[-1], last[0]]], ink, self.line)
        return figure

    def _labels(self, figure: Figure) -> None:
        near = _Near([(spot, depth) for spot, depth in self.discs.values()], self.radius)

        def room(number: int) -> tuple[float, Spot]:
            body = self.scene.bodies[number]
            rooms = [(near.room(*self.discs[cell]), -index) for index, cell in enumerate(body.cells)
                     if self.choices.labels == "names" or not self._is_marked(cell, number)]  # fmt: skip
            far, index = max(rooms, default=(0.0, 0))
            return far * 0.8, self.discs[body.cells[-index]][0]

        self._write(figure, room, self.radius)

    def _is_marked(self, cell: Cell, owner: int) -> bool:
        """Whether a ball has the mark of a colour in its middle."""
        return self.marks is not None and self.scene.colour(cell, self.scene.bodies[owner]) is not None


class _Near:
    """Discs of one size, by their positions."""

    def __init__(self, discs: Sequence[tuple[Spot, float]], radius: float) -> None:
        self.radius = radius
        self._bins: dict[tuple[int, int], list[tuple[float, float, float]]] = defaultdict(list)
        for (x, y), depth in discs:
            self._bins[int(x // (2 * radius)), int(y // (2 * radius))].append((x, y, depth))

    def before(self, spot: Spot, depth: float) -> Iterator[Spot]:
        """Yield the middles of nearer discs that overlap a disc."""
        column, row = int(spot[0] // (2 * self.radius)), int(spot[1] // (2 * self.radius))
        for dx, dy in product((-1, 0, 1), repeat=2):
            for x, y, near in self._bins.get((column + dx, row + dy), ()):
                if near > depth + 1e-6 and hypot(x - spot[0], y - spot[1]) < 2 * self.radius:
                    yield x, y

    def room(self, spot: Spot, depth: float) -> float:
        """Return the distance of the middle of a disc from its border, and from discs that hide it (0: hidden)."""
        away = [hypot(x - spot[0], y - spot[1]) - self.radius for x, y in self.before(spot, depth)]
        return max(0.0, min([self.radius, *away]))

    def covers(self, spot: Spot, depth: float, size: float = 1.0) -> bool:
        """Whether nearer discs certainly hide a disc: a fine grid of positions is tested."""
        before = [(x - spot[0], y - spot[1]) for x, y in self.before(spot, depth)]
        if len(before) < 2:
            return False
        radius = self.radius
        safe = (radius * (1 - _GRID * size * sqrt(0.5))) ** 2
        for x, y in _PLACES:
            px, py = x * radius * size, y * radius * size
            if not any((px - a) ** 2 + (py - b) ** 2 <= safe for a, b in before):
                return False
        return True


_STEPS = [number * _GRID for number in range(-4, 5)]
#: The border is first, since it is visible most often.
_PLACES = sorted(
    [(x, y) for x, y in product(_STEPS, repeat=2) if hypot(x, y) <= 1 + _GRID * sqrt(0.5)],
    key=lambda spot: (-hypot(*spot), spot),
)


def touching(lattice: Lattice, cells: Sequence[Cell]) -> Iterator[tuple[Cell, Cell]]:
    """Yield pairs of neighbouring cells."""
    later = set(cells)
    for cell in cells:
        later.discard(cell)
        yield from ((cell, other) for other in neighbours(cell, lattice) if other in later)


class Bars(Painter):
    """A scene of edges of a lattice in space as seen: bars from the farthest to the nearest."""

    def figure(self) -> Figure:
        """Return the picture."""
        figure, width = Figure(), max(1.5, self.cell * 0.16)
        bars = [(cell, -1) for cell in self.scene.empty]
        bars += [(cell, number) for number, body in enumerate(self.scene.bodies) for cell in body.cells]
        for _, owner, one, two in sorted(self._bar(cell, owner) for cell, owner in bars):
            if owner < 0:
                figure.lines([[one, two]], RIM, width * 0.3)
                continue
            figure.lines([[one, two]], RIM if owner in self.parts.faded else INK, width)
            figure.lines([[one, two]], self.fill(owner), width * 0.66)
        return figure

    def _bar(self, cell: Cell, owner: int) -> tuple[float, int, Spot, Spot]:
        lattice = self.scene.lattice
        at, kind = self.parts.point(lattice, cell), lattice.kinds[lattice.class_of(lattice.point(cell))]
        ends = [place(lattice, [a + b * 0.9 for a, b in zip(at, corner, strict=True)]) for corner in kind.outline]
        depth = round(sum(map(self.screen.depth, ends)), 6)
        return depth, owner, self.screen.spot(ends[0]), self.screen.spot(ends[1])


def painter_of(lattice: Lattice) -> type[Painter]:
    """Return the painter of the cells of a lattice in space."""
    return Balls if lattice.of_balls else Bars if lattice.of_edges else Isometric
