"""Solids as seen from the front, the right and above: every visible area once, and the lines between them.

Hidden parts are not drawn (``visibility``). Areas of a piece in one plane are one shape, lighter or darker by the light
on them. Strong lines run around pieces, finer ones along edges of a piece, faint ones between its cells.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import atan2, cos, gcd, hypot, radians, sin
from typing import NamedTuple

from puzzlec.diagnostics.error import fail
from puzzlec.geometry import Cell, Lattice
from puzzlec.geometry.faces import Place, cross, place, scale_of
from puzzlec.geometry.lattice import Matrix, Point, inverse, multiply, turned
from puzzlec.geometry.outlines import SolidSide, Surface, solid_sides, surface
from puzzlec.geometry.solids import dot, minus, plus
from puzzlec.motion.rotation import Rotation, off_paper, pose_at
from puzzlec.show.palette import INK, dark, faded, ink_on, light
from puzzlec.show.scene import Scene
from puzzlec.show.svg.choices import Choices
from puzzlec.show.svg.figure import Box, Figure
from puzzlec.show.svg.grain import draw_grain, grain_way, is_grained, side_frame
from puzzlec.show.svg.marks import Marks, farthest, fitting_size
from puzzlec.show.svg.standpoint import Screen, brightness, eye, size_of, telling_eye
from puzzlec.show.svg.visibility import Projection, Side, Spot, View, seen, seen_lines

#: Parts move apart by multiples of a step between points divided by this.
FINENESS = 16
#: The length of the numbers m and n of a rotation: with larger ones it is nearer to the angle.
_SPIN, _THREE = 24, range(3)
#: The largest cell in px, the largest picture, and the smallest cell.
MAX_SOLID_CELL_PX, MAX_SOLID_WIDTH_PX, MIN_SOLID_CELL_PX = 34.0, 620.0, 3.0
#: The smallest and the largest letters; with more pieces than this there are no labels.
LEAST_LETTER, MOST_LABELS = 7.0, 400
#: The smallest cells that faint lines divide, in px.
_UNDIVIDED = 7.0
#: Maximum number of sides of a solid that face the viewer.
MOST_SIDES = 50_000
#: The owner of the sides of the empty board, and their look.
BOARD = -1
_FRAME, _HIDDEN = "#66707a", "#aeb6be"
#: The lines within walls, the colour of their outer sides, and its opacity.
_INNER, _VEIL, _TRANSLUCENT = "#ccd2d7", "#dfe4e9", 0.42


class Spin(NamedTuple):
    """A rotation of some parts, in the numbers of sides: of x, it is (matrix x + shift) / over, without rounding.

    ``normals`` is the matrix for normals, ``angle`` the angle on paper in radians about the coordinate ``axis``.
    """

    parts: frozenset[int]
    matrix: Matrix
    shift: Point
    over: int
    normals: Matrix
    axis: int
    angle: float


def spin_of(lattice: Lattice, turn: Rotation, part: float, parts: frozenset[int]) -> Spin:
    """Return the rotation of parts after a part of the path of a turn.

    If G is the matrix of the whole turn, the square of m + n G rotates by twice the argument of m + n G. With integers
    m and n, all corners stay exact.
    """
    angle, aside = pose_at(turn, part)
    whole, half = abs(radians(turn.degrees)), abs(angle) / 2
    n = round(_SPIN * sin(half) / sin(whole))
    m = round(_SPIN * (cos(half) - sin(half) / sin(whole) * cos(whole)))
    over = m * m + n * n + round(2 * m * n * cos(whole))

    def square(matrix: Matrix) -> Matrix:
        twice = multiply(matrix, matrix)
        rows = [[m * m * (i == j) + 2 * m * n * matrix[i][j] + n * n * twice[i][j] for j in _THREE] for i in _THREE]
        rows[turn.axis] = [over * (turn.axis == j) for j in _THREE]
        return tuple(map(tuple, rows))

    back, scale = inverse(turn.matrix)
    matrix, unit = square(turn.matrix), scale_of(lattice) * FINENESS
    pivot = tuple([round(float(value) * unit) for value in turn.pivot])
    moved = [round(value * unit) for value in off_paper(lattice, aside)]
    shift = [over * (p + v) - r for p, v, r in zip(pivot, moved, turned(matrix, pivot), strict=True)]
    normals = tuple(zip(*square(tuple([tuple([value // scale for value in row]) for row in back])), strict=True))
    exact = atan2(n * sin(whole), m + n * cos(whole)) * (2 if turn.degrees > 0 else -2)
    return Spin(parts, matrix, tuple(shift), over, normals, turn.axis, exact)


@dataclass(frozen=True)
class Parts:
    """How a scene is moved apart: a part for each cell, and the shift of each part, in points.

    Sides between cells of one part are inside it. ``faded`` bodies are pale: earlier steps placed them.
    """

    part: Mapping[Cell, int] = field(default_factory=dict)
    shifts: Mapping[int, Place] = field(default_factory=dict)
    faded: frozenset[int] = frozenset()
    spin: Spin | None = None

    def point(self, lattice: Lattice, cell: Cell) -> Place:
        """Return the point of a cell where its part is."""
        return tuple([a + b / FINENESS for a, b in zip(lattice.point(cell), self.shift(cell), strict=True)])

    def shift(self, cell: Cell) -> Point:
        """Return the shift of a cell, in points times :data:`FINENESS`."""
        moved = self.shifts.get(self.part.get(cell, 0), (0.0, 0.0, 0.0))
        return tuple([round(value * FINENESS) for value in moved])


def check_number(number: int) -> None:
    """Raise PuzzleError (PZ504) if there are too many sides (or balls) to draw in about a minute."""
    if number > MOST_SIDES:
        raise fail(
            "PZ504",
            f"too many sides for a drawing: {number} (limit {MOST_SIDES:,})",
            note="the limit counts balls, and sides that face the viewer",
            help="add `--view layers`, or use `puzzlec view`",
        )


def natural_solid_cell(
    scene: Scene,
    parts: Parts | None = None,
    widest: float = MAX_SOLID_WIDTH_PX,
    largest: float = MAX_SOLID_CELL_PX,
) -> float:
    """Return the size of cells in px with which a picture has at most its usual size."""
    screen = Screen(scene.lattice, 1.0)
    spots = [screen.spot(where) for cell in scene.extent for where in corners_of(scene.lattice, cell, parts)]
    if not spots:
        return largest
    box = Box.about(spots)
    fitting = size_of(scene.lattice) * widest / max(box.width, box.height, 1e-9)
    return max(MIN_SOLID_CELL_PX, min(largest, fitting))


def corners_of(lattice: Lattice, cell: Cell, parts: Parts | None = None) -> list[Place]:
    """Return the corners of a cell in space."""
    point = lattice.point(cell) if parts is None else parts.point(lattice, cell)
    outline = lattice.kinds[lattice.class_of(lattice.point(cell))].outline
    return [place(lattice, [a + b for a, b in zip(point, corner, strict=True)]) for corner in outline]


class Painter:
    """A scene in space as seen from a standpoint: its colours, and the letters on its pieces."""

    #: The colour of a position without a piece.
    empty = "#f6f8fa"

    def __init__(
        self,
        scene: Scene,
        choices: Choices,
        parts: Parts | None = None,
        marks: Marks | None = None,
        standpoint: Point | None = None,
    ) -> None:
        self.scene, self.choices, self.parts, self.marks = scene, choices, parts or Parts(), marks
        self.lattice = scene.lattice
        self.cell = choices.cell or natural_solid_cell(scene, self.parts)
        self.screen = Screen(self.lattice, self.cell / size_of(self.lattice), standpoint or self._standpoint())
        self._prepare()

    def _prepare(self) -> None:
        """Compute what all parts of the picture need."""

    def figure(self) -> Figure:
        """Return the picture."""
        raise NotImplementedError

    def _standpoint(self) -> Point:
        """Return the direction from which the scene is seen."""
        return eye(self.lattice)

    def fill(self, owner: int) -> str:
        """Return the colour of a body, or of an empty position."""
        if owner < 0:
            return self.empty
        if self.choices.plain:
            return "#ffffff"
        fill = self.choices.fill(self.scene.bodies[owner])
        return faded(fill) if owner in self.parts.faded else fill

    @property
    def is_lettered(self) -> bool:
        """Whether pieces have letters."""
        alone = len(self.scene.bodies) < 2 and self.choices.labels == "auto"
        return not alone and self.choices.labels != "none" and len(self.scene.bodies) <= MOST_LABELS

    def _write(self, figure: Figure, rooms: Callable[[int], tuple[float, tuple[float, float]]], largest: float) -> None:
        """Write a letter on each body that is not pale; ``rooms`` returns the room on a body, and its middle."""
        for owner, body in enumerate(self.scene.bodies):
            if owner not in self.parts.faded:
                room, at = rooms(owner)
                text = body.name if self.choices.labels == "names" else body.label
                size = fitting_size(text, room, min(17.0, largest))
                if size >= LEAST_LETTER:
                    figure.text(at, text, size, colour=ink_on(self.choices.fill(body)))


class Isometric(Painter):
    """A scene of solid cells as seen."""

    empty = "#fbfcfd"

    def _prepare(self) -> None:
        self._marked: set[tuple[int, int, int]] = set()  # owner, cell and side of each mark
        self.strong = min(2.4, max(0.7, self.cell * 0.055))
        self.fine, self.faint = self.strong * 0.55, self.strong * 0.32
        back = Projection(self.screen.eye).back
        self._over = self.parts.spin.over if self.parts.spin is not None else 1
        unit = 1 / (scale_of(self.lattice) * FINENESS * self._over)
        self._x, self._y = (
            self.screen.spot(place(self.lattice, [value * unit for value in back(*axis)]))
            for axis in ((1.0, 0.0), (0.0, 1.0))
        )
        self._unit_normals = {side.normal: side.unit for kind in range(len(self.lattice.kinds))
                              for side in solid_sides(self.lattice, kind)}  # fmt: skip

    def _standpoint(self) -> Point:
        cells = self.scene.cells
        if not cells or len(cells) > 2000:
            return eye(self.lattice)
        there, areas = set(cells), dict[Place, float]()
        for cell in cells:
            point = self.lattice.point(cell)
            for side in solid_sides(self.lattice, self.lattice.class_of(point)):
                beyond = side.beyond and self.lattice.cell(plus(point, side.beyond))
                if beyond is None or beyond not in there:
                    normal = tuple([round(value, 6) for value in side.unit])
                    first, *others = (place(self.lattice, corner) for corner in side.corners)
                    spokes = pairwise(minus(corner, first) for corner in others)
                    areas[normal] = areas.get(normal, 0.0) + sum(hypot(*cross(a, b)) / 2 for a, b in spokes)
        return telling_eye(self.lattice, areas)

    def spot(self, spot: Spot) -> tuple[float, float]:
        """Return a spot of the exact plane in px."""
        x, y, w = spot
        return (self._x[0] * x + self._y[0] * y) / w, (self._x[1] * x + self._y[1] * y) / w

    def _rings(self, exact: Iterable[Sequence[Spot]]) -> list[list[tuple[float, float]]]:
        """Return rings in px, without spots in the middle of straight sides."""
        return [[self.spot(spot) for spot in _corners_only(ring)] for ring in exact]

    def figure(self) -> Figure:
        """Return the picture."""
        figure, scene, board = Figure(), self.scene, self.scene.board
        sides = self.sides() if scene.bodies else self._sides_of(BOARD, tuple(board), board.__contains__)
        check_number(sum(dot(side.normal, self.screen.eye) > 0 for side in sides))
        view = seen(sides, self.screen.eye, crossing=bool(self.parts.shifts))
        boxes = [cells for cells in (tuple(board) if scene.bodies and scene.empty else (), scene.walls) if cells]
        walls = [bool(scene.bodies) and scene.owner.keys().isdisjoint(cells) for cells in boxes]
        frames = [surface(self.lattice, cells) for cells in boxes]
        for frame, is_wall in zip(frames, walls, strict=True):
            figure.lines(self._on_screen(frame), _INNER if is_wall else _HIDDEN, self.fine)
        self._areas(figure, view)
        if not scene.bodies:  # a frame whose hidden lines are dashed
            dash = (2.2 * self.strong, 2.6 * self.strong)
            figure.lines(self._on_screen(surface(self.lattice, board)), _HIDDEN, self.faint * 1.6, dash=dash)
        self._marks(figure, view)
        self._strokes(figure, view)
        for cells, frame, is_wall in zip(boxes, frames, walls, strict=True):
            if is_wall:
                self._veil(figure, cells, frame, sides)
            else:
                self._in_front(figure, frame.exact, sides)
        if self.is_lettered:
            self._labels(figure, view)
        return figure

    def _veil(self, figure: Figure, cells: Sequence[Cell], frame: Surface, sides: Sequence[Side]) -> None:
        """Draw the outer sides of walls that face the viewer: translucent, and with their edges, such as an opening.

        An outer side lies in a plane that has all of the walls behind it. A piece in front of it is not covered.
        """
        faces = self._sides_of(BOARD, tuple(cells), set(cells).__contains__)
        reach: dict[Point, int] = {}
        for side in faces:
            reach[side.normal] = max(reach.get(side.normal, side.reach), side.reach)
        far = {
            normal: max(dot(normal, corner) for side in faces for corner in side.corners)
            for normal in reach
            if dot(normal, self.screen.eye) > 0
        }
        outer = [side for side in faces if far.get(side.normal) == side.reach]
        view = seen([*sides, *outer], self.screen.eye, crossing=True)
        with figure.group("walls", opacity=_TRANSLUCENT):
            for area in view.areas:
                if area.owner == BOARD:
                    figure.region(self._rings(area.rings), _VEIL)
        edges = [
            (start, end)
            for start, end in frame.exact
            if any(
                dot(normal, self._finely(start)) == dot(normal, self._finely(end)) == most
                for normal, most in far.items()
            )
        ]
        self._in_front(figure, edges, sides)

    def _finely(self, point: Point) -> Point:
        """Return an exact position in the form of the corners of sides."""
        return tuple([value * FINENESS * self._over for value in point])

    def _in_front(self, figure: Figure, edges: Sequence[tuple[Point, Point]], sides: Sequence[Side]) -> None:
        """Draw the edges of a frame that no side hides."""
        before = seen_lines(sides, [(self._finely(a), self._finely(b)) for a, b in edges], self.screen.eye)
        figure.lines([[self.spot(start), self.spot(end)] for start, end in before], _FRAME, self.fine)

    def sides(self) -> list[Side]:
        """Return the sides of all cells that no cell of the same part covers."""
        is_there = self.scene.owner.__contains__
        bodies = enumerate(self.scene.bodies)
        return [side for number, body in bodies for side in self._sides_of(number, body.cells, is_there)]

    def _sides_of(self, owner: int, cells: Sequence[Cell], is_there: Callable[[Cell], bool]) -> list[Side]:
        lattice, part = self.lattice, self.parts.part
        outer, scale = list[Side](), scale_of(lattice)
        for index, cell in enumerate(cells):
            point = lattice.point(cell)
            shift = self.parts.shift(cell) if part else (0, 0, 0)
            at = [scale * (FINENESS * a + b) for a, b in zip(point, shift, strict=True)]
            for side in solid_sides(lattice, lattice.class_of(point)):
                if side.beyond is not None:
                    beyond = lattice.cell(plus(point, side.beyond))
                    if beyond is not None and is_there(beyond) and part.get(beyond, 0) == part.get(cell, 0):
                        continue
                exact = [[a + FINENESS * b for a, b in zip(at, corner, strict=True)] for corner in side.corners]
                corners, normal = self._spun(part.get(cell, 0), tuple(map(tuple, exact)), side)
                outer.append(Side(owner, index, corners, normal, dot(normal, corners[0])))
        return outer

    def _spun(self, part: int, corners: tuple[Point, ...], side: SolidSide) -> tuple[tuple[Point, ...], Point]:
        """Return the corners and the normal of a side of a part, rotated if the part is."""
        spin = self.parts.spin
        if spin is None:
            return corners, side.normal
        if part not in spin.parts:
            return tuple([tuple([spin.over * value for value in corner]) for corner in corners]), side.normal
        # In its simplest numbers, so that sides of two bodies in one plane have the same normal.
        normal, length = turned(spin.normals, side.normal), gcd(*side.normal)
        normal = tuple([value * length // gcd(*normal) for value in normal])
        if normal not in self._unit_normals:
            self._unit_normals[normal] = _turned_in_space(side.unit, spin)
        return tuple([plus(turned(spin.matrix, corner), spin.shift) for corner in corners]), normal

    def _shaded(self, owner: int, normal: Point) -> str:
        fill, bright = self.fill(owner), brightness(self._unit_normals[normal])
        soft = 0.4 if owner in self.parts.faded or owner == BOARD or self.choices.plain else 1.0
        return light(fill, soft * (bright - 0.72) * 1.2) if bright > 0.72 else dark(fill, soft * (0.72 - bright) * 0.62)

    def _areas(self, figure: Figure, view: View) -> None:
        groups: dict[int, dict[Point, list[tuple[Spot, ...]]]] = defaultdict(lambda: defaultdict(list))
        for area in view.areas:
            groups[area.owner][area.normal] += area.rings
        for owner, normals in sorted(groups.items()):
            name = self.scene.bodies[owner].name if owner != BOARD else "empty"
            with figure.group(name):
                for normal, exact in sorted(normals.items()):
                    rings = self._rings(exact)
                    figure.region(rings, self._shaded(owner, normal))
                    if is_grained(self.choices) and owner != BOARD and owner not in self.parts.faded:
                        self._grain(figure, owner, normal, rings)

    def _grain(self, figure: Figure, owner: int, normal: Point, rings: list[list[tuple[float, float]]]) -> None:
        """Draw the grain of a piece on one of its sides, with lines that move with the piece."""
        lattice, body = self.lattice, self.scene.bodies[owner]
        first, spin = body.cells[0], self.parts.spin
        way = grain_way(lattice, body.cells, lambda cell: place(lattice, lattice.point(cell)))
        if spin is not None and self.parts.part.get(first, 0) in spin.parts:
            way = _turned_in_space(way, spin)
        shift = [value / FINENESS for value in self.parts.shift(first)]
        origin = self.screen.spot(place(lattice, [a + b for a, b in zip(lattice.point(first), shift, strict=True)]))
        frame = side_frame(way, self._unit_normals[normal], self.screen.spot, size_of(lattice), origin)
        draw_grain(figure, rings, self._shaded(owner, normal), frame, body.piece)

    def _strokes(self, figure: Figure, view: View) -> None:
        divided = self.cell >= _UNDIVIDED
        looks: dict[tuple[str, float], list[list[tuple[float, float]]]] = defaultdict(list)
        for stroke in view.strokes:
            if stroke.rank == 0 and not divided:
                continue
            looks[self._look(stroke.rank, stroke.owners)].append([self.spot(stroke.start), self.spot(stroke.end)])
        for (colour, width), lines in sorted(looks.items(), key=lambda look: (look[0][1], look[0][0])):
            figure.lines(lines, colour, width)

    def _look(self, rank: int, owners: tuple[int, ...]) -> tuple[str, float]:
        faded = all(owner in self.parts.faded for owner in owners)
        if rank == 0:
            fill = self.fill(owners[0])
            return ("#b0b0b0" if self.choices.plain else dark(fill, 0.12 if faded else 0.25)), self.faint
        ink = "#9aa2aa" if faded else _FRAME if owners == (BOARD,) else INK
        return ink, (self.strong if rank == 2 else self.fine) * (0.7 if faded else 1.0)

    def _on_screen(self, frame: Surface) -> list[list[tuple[float, float]]]:
        """Return the edges of a surface in px."""
        return [[self.screen.spot(start), self.screen.spot(end)] for start, end in frame.edges]

    def _marks(self, figure: Figure, view: View) -> None:
        """Draw the colours of cells on the largest visible area of each."""
        if self.marks is None:
            return
        for (owner, index), polygons in sorted(view.polygons.items()):
            colour = self._colour(owner, index)
            if colour is None:
                continue
            if self.marks.way == "shade":
                if self.marks.shades(colour):
                    for normal, corners in polygons:
                        shade = self.marks.shade(self._shaded(owner, normal))
                        figure.region([[self.spot(spot) for spot in corners]], shade, shade, 0.4)
                continue
            number, (at, room) = self._roomiest(polygons)
            if room > 1.5:
                self._marked.add((owner, index, number))
                ink = ink_on(self.fill(owner)) if owner >= 0 else INK
                self.marks.mark(figure, colour, at, room * 0.7, ink)

    def _roomiest(
        self, polygons: Sequence[tuple[Point, Sequence[Spot]]]
    ) -> tuple[int, tuple[tuple[float, float], float]]:
        """Return the number of the visible area with the most room, and its middle with that room."""
        rooms = [farthest([[self.spot(spot) for spot in corners]], 1.0) for _, corners in polygons]
        return max(enumerate(rooms), key=lambda room: room[1][1])

    def _colour(self, owner: int, index: int) -> str | None:
        """Return the visible colour of a cell of the board, or of a body."""
        if owner == BOARD:
            return list(self.scene.board.values())[index].colour
        body = self.scene.bodies[owner]
        return self.scene.colour(body.cells[index], body)

    def _labels(self, figure: Figure, view: View) -> None:
        best: dict[int, tuple[float, tuple[float, float]]] = {}
        for owner, normal, rings in self._bare_areas(view):
            if owner in self.parts.faded:
                continue
            at, far = farthest(rings, 1.0)
            far *= 0.8 + 0.2 * brightness(self._unit_normals[normal])
            if far > best.get(owner, (0.0,))[0]:
                best[owner] = far, at
        rooms = {owner: (far - self.strong, at) for owner, (far, at) in best.items()}
        self._write(figure, lambda owner: rooms.get(owner, (0.0, (0.0, 0.0))), self.cell * 0.5)

    def _bare_areas(self, view: View) -> Iterator[tuple[int, Point, list[list[tuple[float, float]]]]]:
        """Yield the visible areas that have room for a letter, with their owner and normal.

        If cells of a body have marks, its areas are the sides of its cells without a mark.
        """
        marked = {owner for owner, _, _ in self._marked}
        for area in view.areas:
            if area.owner not in marked:
                yield area.owner, area.normal, self._rings(area.rings)
        for (owner, index), polygons in sorted(view.polygons.items()):
            for number, (normal, corners) in enumerate(polygons if owner in marked else ()):
                if (owner, index, number) not in self._marked:
                    yield owner, normal, [[self.spot(spot) for spot in corners]]


def _turned_in_space(vector: Place, spin: Spin) -> Place:
    """Return a vector after the rotation of parts."""
    place = [vector[0], -vector[1], vector[2]]
    one, other = (n for n in _THREE if n != spin.axis)
    c, s = cos(spin.angle), sin(spin.angle)
    place[one], place[other] = c * place[one] - s * place[other], s * place[one] + c * place[other]
    return place[0], -place[1], place[2]


def _corners_only(ring: Sequence[Spot]) -> list[Spot]:
    """Return a ring without spots in the middle of straight sides."""
    kept = []
    for number, (x, y, w) in enumerate(ring):
        (a, b, c), (d, e, f) = ring[number - 1], ring[(number + 1) % len(ring)]
        if a * (y * f - w * e) - b * (x * f - w * d) + c * (x * e - y * d):
            kept.append((x, y, w))
    return kept
