"""From a puzzle or a solution to sheets with all parts to cut, and what is engraved on them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, radians, sin
from typing import Any, NamedTuple

from puzzlec.diagnostics import counted
from puzzlec.diagnostics.error import fail
from puzzlec.geometry import Cell, Lattice
from puzzlec.geometry.faces import Place
from puzzlec.make.bodies import assembled, puzzle_of, single
from puzzlec.make.choices import Cutting, play, side_length
from puzzlec.make.laser.cuts import (
    CutLine,
    SheetPart,
    cut_once,
    grown,
    lines_within,
    path_around,
    polygons,
    remaining,
    rings,
    strokes,
)
from puzzlec.make.laser.flat import GRID_MM, Areas, FlatForm, LetterSpot, form_of, library, no_flat_piece
from puzzlec.make.packing import fits, packed
from puzzlec.show.scene import Scene, SceneBody
from puzzlec.show.svg import lettering
from puzzlec.solving.subject import Subject

#: The width of the frame of a tray, in mm and in sides of a cell: the larger one counts. Its corners are rounded.
FRAME_MM, FRAME_CELLS, FRAME_RADIUS_MM = 8.0, 0.5, 3.0


@dataclass(frozen=True)
class CuttingPlan:
    """All parts to cut: sheets with parts, the number of pieces, and perhaps a tray.

    ``remarks`` are notes for the user, such as the thickness of the material.
    """

    title: str
    sheets: tuple[CutSheet, ...]
    remarks: tuple[str, ...] = ()
    pieces: int = 0
    tray: bool = False


def planned(subject: Subject, choices: Cutting) -> CuttingPlan:
    """Return the sheets for all copies of the pieces of a puzzle, or for its first solution as it lies.

    Raises PuzzleError if pieces are not flat (PZ504) or sizes do not fit (PZ506).
    """
    choices.verify()
    library()
    maker = _PlanMaker(subject, choices)
    parts = [*(maker.solution() if choices.layout == "solution" else maker.pieces())]
    pieces = len(subject.solutions[0].placements) if choices.layout == "solution" else len(parts)
    if choices.tray:
        parts += maker.tray()
    size = (choices.plate.width, choices.plate.depth) if choices.plate is not None else None
    return CuttingPlan(subject.title, tuple(laid_out(parts, size)), tuple(maker.remarks), pieces, choices.tray)


class _PlanMaker:
    def __init__(self, subject: Subject, choices: Cutting) -> None:
        puzzle = puzzle_of(subject)
        if puzzle.geometry.lattice.dimension > 3:
            raise no_flat_piece(f"pieces on the lattice `{puzzle.geometry.lattice.name}` are not flat")
        self.subject, self.puzzle, self.choices = subject, puzzle, choices
        self.lattice: Lattice = puzzle.geometry.lattice
        self.mm = choices.sizes.cell / side_length(self.lattice)
        self.remarks: list[str] = []

    def pieces(self) -> Iterator[SheetPart]:
        """Yield every piece with all its copies; each is made once."""
        for body, copies in single(self.subject):
            yield from [self._piece(body)] * copies

    def _piece(self, body: SceneBody) -> SheetPart:
        form = self._form(body.cells, f"piece `{body.name}`")
        name = f"piece `{body.name}`"
        whole = form.shape(body.cells)
        material = remaining(whole, self.choices.sizes.gap, self.choices.radius, name)
        self._note(form)
        engraved = tuple(self._engraved(form, body, whole, material))
        return SheetPart(body.name, rings(path_around(material, self.choices.kerf, name)), engraved)

    def _engraved(self, form: FlatForm, body: SceneBody, whole: Any, material: Any) -> Iterator[CutLine]:
        if "cells" in self.choices.engrave:
            yield from cell_lines(form, body.cells, material.intersection(whole))
        if "labels" in self.choices.engrave:
            if body.sides:
                yield from edge_signs(form, body.cells[0], body.sides)
            else:
                yield from label(form, body.cells, body.name, body.label)

    def solution(self) -> Iterator[SheetPart]:
        """Yield the solution as one part; a line between two pieces is cut once, unless the gap is wider than the beam.

        The play of the pieces is the width of the beam.
        """
        scene = assembled(self.subject)
        form = self._form([cell for body in scene.bodies for cell in body.cells], "the solution")
        self._note(form)
        shapes = [self._lying(form, body) for body in scene.bodies]
        self._apart(shapes, scene)
        gap, kerf, radius = self.choices.sizes.gap, self.choices.kerf, self.choices.radius
        names = [f"piece `{body.name}`" for body in scene.bodies]
        if gap > kerf or radius:
            left = [remaining(shape, gap, radius, name) for shape, name in zip(shapes, names, strict=True)]
            paths = [path_around(shape, kerf, name) for shape, name in zip(left, names, strict=True)]
            cut = tuple(line for path in paths for line in rings(path))
        else:
            for shape, name in zip(shapes, names, strict=True):
                remaining(shape, kerf, 0, name)
            left, cut = shapes, cut_once(shapes, kerf)
        engraved = [
            line
            for body, shape, material in zip(scene.bodies, shapes, left, strict=True)
            for line in self._engraved(form, body, shape, material)
        ]
        yield SheetPart(self.subject.title or "solution", cut, tuple(engraved))

    def _lying(self, form: FlatForm, body: SceneBody) -> Any:
        """Return the shape of a piece as it lies; across a seam of the board it has several parts."""
        shape, piece = form.shape(body.cells), self.puzzle.pieces[body.piece]
        if self.puzzle.wraps and len(polygons(shape)) > len(polygons(form.shape(piece.cells))):
            raise fail(
                "PZ504",
                f"piece `{body.name}` lies across a seam of the wrap-around board: it would be cut in two",
                help="remove `--layout solution`: then every piece is whole",
            )
        return shape

    def _apart(self, shapes: Sequence[Any], scene: Scene) -> None:
        """Raise PuzzleError if two pieces overlap, as crossing bars do."""
        shapely = library()
        tree = shapely.STRtree(shapes)
        for number, shape in enumerate(shapes):
            for other in sorted(int(neighbour) for neighbour in tree.query(shape) if neighbour > number):
                if shape.intersection(shapes[other]).area > 1e-2:
                    first, second = scene.bodies[number].name, scene.bodies[other].name
                    raise fail(
                        "PZ504",
                        f"pieces `{first}` and `{second}` cross: they cannot be cut out of one sheet as they lie",
                        help="remove `--layout solution`: then each is cut alone",
                    )

    def tray(self) -> list[SheetPart]:
        """Return a frame around the board, and a plate of the same size that goes under it."""
        shapely = library()
        cells = self.puzzle.geometry.cells
        form = self._form(cells, "the board")
        if self.puzzle.movement.walls:
            self.remarks.append("the frame does not have the walls of the puzzle")
        hole = grown(form.room(cells), play(self.choices.sizes.gap))
        rim = self.choices.sizes.wall or max(FRAME_MM, FRAME_CELLS * self.choices.sizes.cell)
        corner = min(FRAME_RADIUS_MM, rim)
        left, top, right, bottom = hole.bounds
        within = rim - corner
        plate = shapely.box(left - within, top - within, right + within, bottom + within).buffer(corner, quad_segs=8)
        frame = plate.difference(hole)
        kerf = self.choices.kerf
        return [
            SheetPart("frame of the tray", rings(path_around(frame, kerf, "the frame of the tray"))),
            SheetPart("base of the tray", rings(path_around(plate, kerf, "the base of the tray"))),
        ]

    def _form(self, cells: Sequence[Cell], what: str) -> FlatForm:
        return form_of(self.lattice, cells, self.mm, self.choices.sizes.width, what)

    def _note(self, form: FlatForm) -> None:
        """Add the thickness of the material for a solid's pieces to the remarks."""
        if form.thickness is not None:
            remark = f"to be cut out of material of {round(form.thickness, 3):g} mm"
            if remark not in self.remarks:
                self.remarks.append(remark)


def described(plan: CuttingPlan) -> str:
    """Return a summary in one line: the number of pieces, cuts and sheets, the size of these, and the remarks."""
    cuts = sum(len(part.cut) for sheet in plan.sheets for part in sheet.parts)
    widths, heights = zip(*[sheet[:2] for sheet in plan.sheets], strict=True)
    most = "at most " * (len(set(widths)) > 1 or len(set(heights)) > 1)
    size = " x ".join([f"{max(lengths):.1f}".removesuffix(".0") for lengths in (widths, heights)])
    sheets = f"{counted(len(plan.sheets), 'sheet')} of {most}{size} mm"
    tray = " and a tray" * plan.tray
    return ", ".join([f"{counted(plan.pieces, 'piece')}{tray}", counted(cuts, "cut"), sheets, *plan.remarks])


#: The free border of a sheet and the gap between parts, in mm.
MARGIN_MM = 5.0
PART_GAP_MM = 2.0

#: The default sheet, in mm: the size of a small machine. It is cut down to its parts.
SHEET_SIZE_MM = (300.0, 200.0)


class CutSheet(NamedTuple):
    """A sheet with its parts: x to the right and y downwards from its upper left corner, in mm."""

    width: float
    height: float
    parts: tuple[SheetPart, ...]


def laid_out(parts: Sequence[SheetPart], size: tuple[float, float] | None) -> list[CutSheet]:
    """Return sheets of a size with parts on them that do not overlap, placed by :func:`packed`.

    Without a size they are at most :data:`SHEET_SIZE_MM`, and as small as possible; a larger part has a sheet alone.
    Raises PuzzleError (PZ506) for a part that fits on no sheet.
    """
    width, height = (value - 2 * MARGIN_MM for value in size or SHEET_SIZE_MM)
    extents = [_extent(part) for part in parts]
    fitting = [fits(extent, width, height) or fits(extent[::-1], width, height) for extent in extents]
    if size is not None and not all(fitting):
        raise _too_large(parts[fitting.index(False)], size)
    small = [number for number, fine in enumerate(fitting) if fine]
    positions = packed([extents[number] for number in small], width, height, PART_GAP_MM)
    placed: list[list[SheetPart]] = [[] for _ in range(max((position.plate for position in positions), default=-1) + 1)]
    for number, (on, x, y, turned) in sorted(
        zip(small, positions, strict=True), key=lambda placed: (placed[1].y, placed[1].x)
    ):
        placed[on].append(_at(parts[number].turned() if turned else parts[number], MARGIN_MM + x, MARGIN_MM + y))
    placed += [[_at(part, MARGIN_MM, MARGIN_MM)] for part, fine in zip(parts, fitting, strict=True) if not fine]
    return [CutSheet(*_size(parts, size), tuple(parts)) for parts in placed]


def _at(part: SheetPart, x: float, y: float) -> SheetPart:
    """Return a part with its upper left corner at a position."""
    left, top, _, _ = part.box
    return part.moved(x - left, y - top)


def _extent(part: SheetPart) -> tuple[float, float]:
    left, top, right, bottom = part.box
    return right - left, bottom - top


def _size(parts: Sequence[SheetPart], size: tuple[float, float] | None) -> tuple[float, float]:
    """Return the size of a sheet: the chosen one, or the size of its parts."""
    if size is not None:
        return size
    boxes = [part.box for part in parts]
    return max(right for _, _, right, _ in boxes) + MARGIN_MM, max(bottom for _, _, _, bottom in boxes) + MARGIN_MM


def _too_large(part: SheetPart, size: tuple[float, float]) -> Exception:
    long, high = _extent(part)
    return fail(
        "PZ506",
        f"{part.name} is too large for a sheet: it needs {long:.5g} x {high:.5g} mm,"
        f" and the sheet has {size[0]:g} x {size[1]:g} mm",
        note=f"{MARGIN_MM:g} mm around a sheet remain free; a quarter turn does not help",
        help="choose a larger sheet, or smaller cells",
    )


#: Letters lower than this, in mm, are not engraved.
MIN_LETTER_HEIGHT_MM = 1.2
#: A line with more letters than this is replaced by a sign.
MAX_LETTERS_IN_LINE = 4
#: Text is written at this size and then scaled, since it has few decimals.
_TEXT_SIZE = 1000.0
_LINES_IN_CURVE = 6


def label(form: FlatForm, cells: Sequence[Cell], name: str, sign: str) -> Iterator[CutLine]:
    """Yield the strokes of a piece's name (or of its sign) on the cell closest to its middle."""
    spots = [form.spot(cell) for cell in cells]
    at = [sum(spot[axis] for spot in spots) / len(spots) for axis in (0, 1)]
    best = min(spots, key=lambda spot: (round((spot.x - at[0]) ** 2 + (spot.y - at[1]) ** 2, 3), spot.y, spot.x))
    yield from lettered(name if len(name) <= MAX_LETTERS_IN_LINE else sign, best)


def edge_signs(form: FlatForm, cell: Cell, sides: Sequence[str]) -> Iterator[CutLine]:
    """Yield the strokes of the colours on the sides of a tile."""
    if isinstance(form, Areas):
        for text, spot in zip(sides, form.sides(cell), strict=True):
            yield from lettered(text[:MAX_LETTERS_IN_LINE], spot)


def cell_lines(form: FlatForm, cells: Sequence[Cell], shape: Any) -> Iterator[CutLine]:
    """Yield the lines between the cells of a piece, within its shape."""
    shapely = library()
    rings = [shapely.LinearRing(border) for border in form.borders(cells)]
    if not rings:
        return
    whole = shapely.unary_union(rings, grid_size=GRID_MM)
    everything = getattr(whole, "geoms", [whole])
    joined = strokes(pair for line in everything for pair in _pairs(line))
    # A slightly smaller shape leaves out the lines on its outline.
    lines = [shapely.LineString([*line.places, *line.places[:1]] if line.closed else line.places) for line in joined]
    for part in lines_within(lines, shape.buffer(-10 * GRID_MM)):
        yield CutLine(tuple((x, y) for x, y, *_ in part.coords))


def lettered(text: str, spot: LetterSpot) -> Iterator[CutLine]:
    """Yield the strokes of a short text about a spot, as large as fits; none if it would be too small to read."""
    data, foreign = lettering.written(text, 0, 0, _TEXT_SIZE)
    if foreign or not data:
        return
    lines = list(_flattened(data))
    xs, ys = zip(*(place for line in lines for place in line), strict=True)
    half = [(max(axis) - min(axis)) / 2 for axis in (xs, ys)]
    # The box of the text is in the circle of the spot, and no letter is higher than its radius.
    scale = min(0.75 * spot.radius / max((half[0] ** 2 + half[1] ** 2) ** 0.5, 1e-9), 0.9 * spot.radius / _TEXT_SIZE)
    if scale * lettering.CAPITAL * _TEXT_SIZE < MIN_LETTER_HEIGHT_MM:
        return
    middle = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2
    u, v = cos(radians(spot.angle)) * scale, sin(radians(spot.angle)) * scale
    for line in lines:
        moved = [(x - middle[0], y - middle[1]) for x, y in line]
        yield CutLine(tuple((spot.x + u * x - v * y, spot.y + v * x + u * y) for x, y in moved))


def _flattened(data: str) -> Iterator[list[Place]]:
    """Yield the lines of path data, curves as short lines; a dot is a small cross stroke."""
    line: list[Place] = []
    for letter, numbers in re.findall(r"([MLQCh])([^MLQCh]*)", data):
        values = [float(word) for word in numbers.split()]
        points = list(zip(values[::2], values[1::2], strict=False))
        if letter == "M":
            if len(line) > 1:
                yield line
            line = [points[0]]
        elif letter == "h":
            x, y = line[0]
            line = [(x - _TEXT_SIZE / 40, y), (x + _TEXT_SIZE / 40, y)]
        else:
            line += _curve([line[-1], *points])
    if len(line) > 1:
        yield line


def _curve(controls: Sequence[Place]) -> list[Place]:
    """Return positions on a Bezier curve after its first one (de Casteljau); a straight line has one."""
    steps = 1 if len(controls) == 2 else _LINES_IN_CURVE
    curve = []
    for step in range(1, steps + 1):
        t, level = step / steps, list(controls)
        while len(level) > 1:
            level = [tuple([(1 - t) * p + t * q for p, q in zip(a, b, strict=True)]) for a, b in pairwise(level)]
        curve.append(level[0])
    return curve


def _pairs(line: Any) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
    places = [(x, y) for x, y, *_ in line.coords]
    yield from pairwise(places)
