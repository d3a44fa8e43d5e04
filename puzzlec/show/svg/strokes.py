"""Pieces of edges, such as polysticks: thick rounded strokes between the points of a grid.

If several pieces meet at a point, a piece that ends there stops before it, and a piece that bends there cuts the
corner. So each can be followed. A straight piece passes over or under another straight one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cache
from itertools import product
from math import hypot

from puzzlec.geometry import Cell, Lattice
from puzzlec.geometry.faces import exact_corners
from puzzlec.geometry.lattice import Point, cells_at
from puzzlec.show.palette import INK, ink_on, light
from puzzlec.show.scene import Scene, SceneBody
from puzzlec.show.svg.choices import Choices
from puzzlec.show.svg.figure import Figure
from puzzlec.show.svg.ground import Ground, Spot, natural_cell
from puzzlec.show.svg.marks import fitting_size, label_kinds

#: The thickness of pieces in lengths of an edge, their distance from a shared point, and the size of labels.
_THICK, _SHORT, _LABEL = 0.19, 0.21, 0.27
#: The same if more than four edges meet in a point.
_THIN = 0.13, 0.27, 0.22
#: Maximum length of an edge in px: in a grid with four edges at a point, or more.
_MAX_EDGE_PX, _MAX_SPARSE_EDGE_PX = 56.0, 76.0
_EMPTY, _POINT = "#c3cad1", "#6d7883"
#: Two edges count as one straight line if the cosine of their angle is at most this.
_STRAIGHT = -0.999


@cache
def is_crowded(lattice: Lattice) -> bool:
    """Whether the cells are edges, and more than four of them meet in a point."""
    if not lattice.of_edges:
        return False
    cells = cells_at(lattice, product(range(-1, 2), repeat=2))
    return max(Counter(end for cell in cells for end in exact_corners(lattice, cell)).values()) > 4


class Strokes:
    """A scene whose cells are edges of a flat grid. ``lettered`` is as for areas."""

    def __init__(self, scene: Scene, choices: Choices) -> None:
        self.scene, self.choices = scene, choices
        crowded = is_crowded(scene.lattice)
        self.thick, self.short, self.label = _THIN if crowded else (_THICK, _SHORT, _LABEL)
        largest = _MAX_SPARSE_EDGE_PX if crowded else _MAX_EDGE_PX
        size = choices.cell or natural_cell(scene.lattice, scene.cells, largest=largest, turn=choices.rotate)
        self.ground = Ground(scene.lattice, size, choices.rotate)
        self.ends = {cell: exact_corners(scene.lattice, cell) for cell in scene.cells}
        #: For each point of the grid, the edges there of each body.
        self.at: dict[Point, dict[int, list[Cell]]] = defaultdict(lambda: defaultdict(list))
        for number, body in enumerate(scene.bodies):
            for cell in body.cells:
                for end in self.ends[cell]:
                    self.at[end][number].append(cell)
        self.lettered = self._chosen()

    def figure(self) -> Figure:
        """Return the picture."""
        figure, size = Figure(), self.ground.cell
        for optional in (False, True):
            empty = [cell for cell in self.scene.empty if self.scene.board[cell].optional is optional]
            if empty:
                dash = (0.02 * size, 0.13 * size) if optional else ()
                with figure.group("may stay empty" if optional and not self.scene.bodies else "empty"):
                    figure.lines([self.ground.corners(cell) for cell in empty], _EMPTY, max(1, 0.07 * size), dash=dash)
        figure.circles(self._grid(), max(1.2, 0.06 * size), _POINT)
        for number, body in enumerate(self.scene.bodies):
            with figure.group(body.name):
                self._body(figure, number, body)
        return figure

    def _grid(self) -> list[Spot]:
        spots = {
            end: spot
            for cell in self.scene.cells
            for end, spot in zip(self.ends[cell], self.ground.corners(cell), strict=True)
        }
        return list(spots.values())

    def _body(self, figure: Figure, number: int, body: SceneBody) -> None:
        size = self.ground.cell
        fill = self.choices.fill(body)
        lines = [line for cell in body.cells if (line := self._edge(number, cell))]
        lines += self._corners(number, body)
        rim = max(0.8, 0.035 * size)
        figure.lines(lines, INK, self.thick * size + 2 * rim)
        figure.lines(lines, fill, self.thick * size)
        text = {"name": body.name, "label": body.label, "none": ""}[self.lettered]
        if text:
            at = self._label_spot(body)
            ground = light(fill) if not self.choices.plain else "#ffffff"
            figure.circle(at, self.label * size * 0.84, ground, INK, rim)
            figure.text(at, text, fitting_size(text, self.label * size * 0.7, 0.4 * size), colour=ink_on(ground))

    def _edge(self, number: int, cell: Cell) -> list[Spot]:
        """Return an edge of a piece, shortened if it keeps away from others."""
        ends = [self._from(point, cell) for point in self.ends[cell]]
        away = [self._keeps_away(number, point) for point in self.ends[cell]]
        return [self._short(*way) if is_away else way[0] for way, is_away in zip(ends, away, strict=True)]

    def _from(self, point: Point, cell: Cell) -> list[Spot]:
        """Return the ends of an edge, the one at a point first."""
        ends = self.ground.corners(cell)
        return ends if self.ends[cell][0] == point else ends[::-1]

    def _short(self, end: Spot, towards: Spot) -> Spot:
        """Return a spot just before an end of an edge."""
        long = hypot(towards[0] - end[0], towards[1] - end[1])
        part = self.short * self.ground.cell / long
        return end[0] + part * (towards[0] - end[0]), end[1] + part * (towards[1] - end[1])

    def _keeps_away(self, number: int, point: Point) -> bool:
        """Whether a piece with edges at a point shares it with others, and ends there or bends."""
        there = self.at[point]
        mine = there[number]
        return len(there) > 1 and (len(mine) == 1 or (len(mine) == 2 and not self._is_straight(point, mine)))

    def _is_straight(self, point: Point, cells: list[Cell]) -> bool:
        (ax, ay), (bx, by) = (self._direction(point, cell) for cell in cells)
        return ax * bx + ay * by < _STRAIGHT

    def _direction(self, point: Point, cell: Cell) -> Spot:
        """Return the direction of an edge at a point."""
        (x, y), (to_x, to_y) = self._from(point, cell)
        long = hypot(to_x - x, to_y - y)
        return (to_x - x) / long, (to_y - y) / long

    def _corners(self, number: int, body: SceneBody) -> list[list[Spot]]:
        """Return the lines that cut corners of a piece at points that it shares with others."""
        corners = []
        for point in dict.fromkeys(end for cell in body.cells for end in self.ends[cell]):
            mine = self.at[point][number]
            if len(mine) == 2 and self._keeps_away(number, point):
                corners.append([self._short(*self._from(point, cell)) for cell in mine])
        return corners

    def _label_spot(self, body: SceneBody) -> Spot:
        """Return the middle of the edge nearest to that of the piece."""
        middles = [self.ground.middle(cell) for cell in body.cells]
        x, y = (sum(spot[axis] for spot in middles) / len(middles) for axis in (0, 1))
        return min(middles, key=lambda spot: (round(hypot(spot[0] - x, spot[1] - y), 3), spot))

    def _chosen(self) -> str:
        """Return the kind of labels: names if they fit, else signs, if all differ."""
        room, least = self.label * self.ground.cell * 0.7, 8.0
        for kind, texts in label_kinds(self.choices, self.scene.bodies):
            tried = texts if kind == "name" else "W"
            if self.choices.labels == "names" or all(fitting_size(text, room, 99) >= least for text in tried):
                return kind
        return "none"
