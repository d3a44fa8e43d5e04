"""Flat puzzles: boards of areas, and pieces on them as joined outlines.

Strong strokes run between pieces and faint ones between the cells of one piece. On a wrap-around board, a border that a
piece crosses is dashed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from typing import NamedTuple

from puzzlec.diagnostics import counted
from puzzlec.geometry import Cell, find_lattice
from puzzlec.geometry.faces import breadth, scale_of
from puzzlec.geometry.lattice import connected_parts, neighbours
from puzzlec.geometry.outlines import outline
from puzzlec.show.palette import EMPTY, INK, dark, ink_on
from puzzlec.show.ruling import BAND, LETTERS, TONES, border, label_place, tint
from puzzlec.show.scene import Scene, SceneBody, around_text
from puzzlec.show.svg import lettering
from puzzlec.show.svg.choices import Choices
from puzzlec.show.svg.figure import Box, Figure
from puzzlec.show.svg.grain import draw_grain, flat_frame, grain_way, is_grained
from puzzlec.show.svg.ground import CellSide, Spot, ground_of, natural_cell
from puzzlec.show.svg.marks import Marks, farthest, fitting_size, label_kinds, label_spot
from puzzlec.show.svg.strokes import Strokes

#: The smallest letters of labels, in px; labels with smaller ones are left out.
SMALLEST_LETTER = 8.5
#: Smaller cells, in px, are not divided by faint lines.
_UNDIVIDED = 5.0
#: A line of more cells continues in the next row.
_LONGEST_LINE = 40
#: The colours of lines on an empty board, of the border of optional locations, and of their background.
_FAINT, _OPTIONAL, _PALE = "#b4bcc4", "#87919b", "#fbfcfd"
#: The colour of walls.
WALL = "#fafbfb"
#: Empty positions beside pieces in black and white.
_PLAIN_EMPTY = "#d5d5d5"
#: The smallest letters of the label of a region, in px; smaller ones are left out.
_SMALLEST_LABEL = 7.0
#: The colour of the outline of a region in black and white.
_PLAIN_BAND = "#7d7d7d"


class _Lettered(NamedTuple):
    """A label of a body: the text, its position, and the size of its letters."""

    text: str
    at: Spot
    size: float


class Flat:
    """A scene of flat areas at a size, with marks and labels.

    ``lettered`` is the kind of labels on pieces: ``name``, ``label`` (a short sign) or ``none``.
    """

    def __init__(self, scene: Scene, choices: Choices, marks: Marks | None = None) -> None:
        self.scene, self.choices = scene, choices
        cell = choices.cell or natural_cell(scene.lattice, scene.extent, turn=choices.rotate)
        self.ground = ground_of(scene.lattice, cell, choices.rotate)
        self.marks = marks or Marks.of(scene, choices)
        self.strong, self.faint = min(3.0, max(0.9, cell * 0.06)), min(1.0, max(0.4, cell * 0.022))
        self._rings = [self.ground.rings(outline(scene.lattice, body.cells)) for body in scene.bodies]
        self.lettered, self._labels = self._chosen_labels()

    def figure(self) -> Figure:
        """Return the picture."""
        figure = Figure()
        if self.scene.walls:
            with figure.group("walls"):
                self._ground(figure, self.scene.walls, "none" if self.choices.plain else WALL, _OPTIONAL, dashed=False)
        self._empty(figure)
        for number, body in enumerate(self.scene.bodies):
            with figure.group(_title(body)):
                self._body(figure, number, body)
        self._rule(figure)
        return figure

    def _rule(self, figure: Figure) -> None:
        """Draw the regions with rules, and the borders of pieces and of the board again above them."""
        scene = self.scene
        if not scene.regions:
            return
        inks = [_PLAIN_BAND if self.choices.plain else TONES[region.tone] for region in scene.regions]
        for region, ink in zip(scene.regions, inks, strict=True):
            with figure.group(f"region: {region.words}"):
                rings = border(scene.lattice, region.cells, region.depth, breadth(scene.lattice))
                figure.region(self.ground.rings(rings), "none", ink, self.ground.cell * BAND)
        if scene.wrapping is None and not scene.bodies:
            self._bound(figure, [cell for cell, location in scene.board.items() if not location.optional], INK)
        elif scene.wrapping is None:
            figure.region([ring for rings in self._rings for ring in rings], "none", INK, self.strong)
        size = self.ground.cell * LETTERS
        for region, ink in zip(scene.regions, inks, strict=True):
            if region.top is not None and size >= _SMALLEST_LABEL:
                at = label_place(self.ground.corners(region.top))
                figure.text(at, region.label, size, colour="#ffffff", weight=4)
                figure.text(at, region.label, size, colour=INK if self.choices.plain else ink, weight=1.4)

    def _empty(self, figure: Figure) -> None:
        """Draw the locations without a piece; those that may stay empty are dashed."""
        beside = bool(self.scene.bodies)
        for optional in (True, False):
            cells = [cell for cell in self.scene.empty if self.scene.board[cell].optional is optional]
            fill = _PALE if optional and not beside else EMPTY
            if self.choices.plain:
                fill = _PLAIN_EMPTY if beside else "#ffffff"
            if cells:
                with figure.group("may stay empty" if optional and not beside else "empty"):
                    self._ground(figure, cells, fill, _OPTIONAL if optional else INK, dashed=optional)

    def _ground(self, figure: Figure, cells: Sequence[Cell], fill: str, stroke: str, *, dashed: bool) -> None:
        figure.region(self.ground.rings(outline(self.scene.lattice, cells)), fill)
        self._tint(figure, set(cells))
        self._shades(figure, cells, fill)
        self._divide(figure, cells, _OPTIONAL if dashed else _FAINT, self._dash(dashed=dashed))
        self._bound(figure, cells, stroke, dashed=dashed)
        self._mark(figure, cells)

    def _bound(self, figure: Figure, cells: Sequence[Cell], stroke: str, *, dashed: bool = False) -> None:
        """Draw the border of empty locations."""
        rings = self.ground.rings(outline(self.scene.lattice, cells))
        figure.region(rings, "none", stroke, self._border, dash=self._dash(dashed=dashed))

    @property
    def _border(self) -> float:
        return self.strong * (0.5 if self.scene.bodies else 0.75)

    def _dash(self, *, dashed: bool) -> tuple[float, ...]:
        return (2.4 * self._border, 2.4 * self._border) if dashed else ()

    def _tint(self, figure: Figure, cells: Set[Cell]) -> None:
        """Paint the locations of regions with rules on an empty board."""
        if self.choices.plain or self.scene.bodies:
            return
        for region in self.scene.regions:
            tinted = [cell for cell in region.cells if cell in cells]
            if tinted and not region.depth:
                figure.region(self.ground.rings(outline(self.scene.lattice, tinted)), tint(region.tone))

    def _body(self, figure: Figure, number: int, body: SceneBody) -> None:
        fill = self.choices.fill(body)
        rings = self._rings[number]
        around = self.scene.wrapping is not None
        shaded = any(self.marks.shades(self.scene.colour(cell, body)) for cell in body.cells)
        grained = is_grained(self.choices) and not body.sides
        apart = around or shaded or bool(body.sides) or grained
        figure.region(rings, fill, "none" if apart else INK, 0 if apart else self.strong)
        if grained:
            frame = flat_frame(grain_way(self.scene.lattice, body.cells, self._spot), self.ground.cell, rings[0][0])
            draw_grain(figure, rings, fill, frame, body.piece)
        self._shades(figure, body.cells, fill, body)
        if body.sides:
            self._tile(figure, body)
        else:
            self._divide(figure, body.cells, "#8c8c8c" if self.choices.plain else dark(fill, 0.22))
        if around:
            self._borders(figure, number, body, fill)
        elif apart:
            figure.region(rings, "none", INK, self.strong)
        self._mark(figure, body.cells, body)
        for label in self._labels.get(number, ()):
            if self.marks.way in ("pips", "signs") or body.sides:
                figure.text(label.at, label.text, label.size, colour=fill, weight=4)
            figure.text(label.at, label.text, label.size, colour=ink_on(fill))

    def _spot(self, cell: Cell) -> Spot:
        return self.ground.at(self.scene.lattice.point(cell))

    def _shades(self, figure: Figure, cells: Iterable[Cell], fill: str, body: SceneBody | None = None) -> None:
        if self.marks.way == "shade":
            shaded = [cell for cell in cells if self.marks.shades(self.scene.colour(cell, body))]
            rings = [self.ground.corners(cell) for cell in shaded]
            figure.region(rings, self.marks.shade(fill))

    def _mark(self, figure: Figure, cells: Iterable[Cell], body: SceneBody | None = None) -> None:
        if self.marks.way not in ("pips", "signs"):
            return
        ink = ink_on(self.choices.fill(body)) if body is not None else INK
        for cell in cells:
            corners = self.ground.corners(cell)
            at, room = farthest([corners])
            self.marks.mark(figure, self.scene.colour(cell, body), at, room * 0.86, ink)

    def _divide(self, figure: Figure, cells: Sequence[Cell], stroke: str, dash: Sequence[float] = ()) -> None:
        """Draw the common sides of two cells."""
        if self.ground.cell < _UNDIVIDED or len(cells) < 2:
            return
        counts = Counter(side.ends for cell in cells for side in self.ground.sides(cell))
        lines = self.ground.lines(CellSide(ends, None) for ends, number in counts.items() if number > 1)
        figure.lines(lines, stroke, self.faint, dash=dash)

    def _borders(self, figure: Figure, number: int, body: SceneBody, fill: str) -> None:
        """Draw the borders of a piece on a wrap-around board, dashed where it crosses a seam."""
        cells = set(body.cells)
        closed: list[CellSide] = []
        seams: list[CellSide] = []
        for cell in body.cells:
            for side in self.ground.sides(cell):
                if side.beyond not in cells:
                    crosses = side.beyond is not None and self.scene.body_on(side.beyond) == number
                    (seams if crosses else closed).append(side)
        figure.lines(self.ground.lines(closed), INK, self.strong)
        dash = (1.2 * self.strong, 2.6 * self.strong)
        ink = INK if self.choices.plain else dark(fill, 0.45)
        figure.lines(self.ground.lines(seams), ink, self.strong * 0.75, dash=dash)

    def _tile(self, figure: Figure, body: SceneBody) -> None:
        """Draw the sides of a tile in their colours, which are in the order of the neighbours of its kind of cell."""
        (cell,) = body.cells
        lattice, scale = self.scene.lattice, scale_of(self.scene.lattice)
        towards = {beyond: [self.ground.at(end, scale) for end in ends] for ends, beyond in self.ground.sides(cell)}
        beside = zip(neighbours(cell, lattice), body.sides, strict=True)
        sides = [(towards[other], colour) for other, colour in beside if other in towards]
        self.marks.dyes.tile(figure, [side for side, _ in sides], [colour for _, colour in sides], INK, self.faint)

    def _chosen_labels(self) -> tuple[str, dict[int, list[_Lettered]]]:
        """Return the kind of labels and the labels: names if they fit, else signs if these do."""
        bodies, always = self.scene.bodies, self.choices.labels == "names"
        if not always and (self.marks.way in ("pips", "signs") or any(body.sides for body in bodies)):
            return "none", {}
        for kind, texts in label_kinds(self.choices, bodies):
            if always or self._could_fit(texts):
                labels = self._placed(texts, 0 if always else SMALLEST_LETTER)
                if labels is not None:
                    return kind, labels
        return "none", {}

    def _could_fit(self, texts: Sequence[str]) -> bool:
        """Whether no text is longer than its piece is wide: a quick test."""
        for text, rings in zip(texts, self._rings, strict=True):
            if lettering.length(text, SMALLEST_LETTER) > Box.about(spot for ring in rings for spot in ring).width:
                return False
        return self.ground.cell >= SMALLEST_LETTER or all(len(body.cells) > 3 for body in self.scene.bodies)

    def _placed(self, texts: Sequence[str], least: float = 0) -> dict[int, list[_Lettered]] | None:
        """Return the labels of each piece: one on each part with room, and at least one.

        None if some piece has no room for a label of the ``least`` size.
        """
        largest = min(max(20.0, self.ground.cell * 0.4), max(11.0, self.ground.cell * 0.46))
        pointed = len(self.scene.lattice.kinds[0].outline) == 3
        labels_of: dict[int, list[_Lettered]] = {}
        for number, (text, body) in enumerate(zip(texts, self.scene.bodies, strict=True)):
            radius = largest / max(0.01, fitting_size(text, 1, 1e6)) + self.strong
            several = []
            for part, rings in self._parts(number, body):
                at, room = label_spot(rings, [self.ground.middle(cell) for cell in part], radius, central=pointed)
                several.append(_Lettered(text, at, fitting_size(text, max(room - self.strong, 1), largest)))
            most = max(label.size for label in several)
            if most < least:
                return None
            labels_of[number] = [label for label in several if label.size >= min(most, SMALLEST_LETTER)]
        if self.choices.labels == "names":
            return labels_of
        even = max(9, 1.3 * min(max(label.size for label in several) for several in labels_of.values()))
        return {
            number: [label._replace(size=min(label.size, even)) for label in several]
            for number, several in labels_of.items()
        }

    def _parts(self, number: int, body: SceneBody) -> Iterator[tuple[Sequence[Cell], Sequence[Sequence[Spot]]]]:
        """Yield the connected parts of a piece, with their outlines."""
        parts = connected_parts(body.cells, self.scene.lattice)
        if len(parts) < 2:
            yield body.cells, self._rings[number]
            return
        for part in parts:
            yield part, self.ground.rings(outline(self.scene.lattice, part))


def flat_figure(scene: Scene, choices: Choices, marks: Marks | None = None) -> Figure:
    """Return a picture of a scene on a flat lattice, of areas or of edges.

    ``marks`` make the colours of several pictures agree. Raises ValueError for solids.
    """
    if scene.lattice.dimension > 2:
        raise ValueError("these cells are not flat")
    return _painter(scene, choices, marks).figure()


def lettered(scene: Scene, choices: Choices) -> str:
    """Return the kind of labels on the pieces of a scene: ``name``, ``label`` or ``none``."""
    return _painter(scene, choices).lettered


def _painter(scene: Scene, choices: Choices, marks: Marks | None = None) -> Flat | Strokes:
    return Strokes(scene, choices) if scene.lattice.of_edges else Flat(folded(scene), choices, marks)


def folded(scene: Scene) -> Scene:
    """Return a long line as rows of squares with gaps between them; another scene unchanged."""
    places = [cell[0] for cell in scene.cells]
    lattice = scene.lattice
    if lattice.dimension > 1 or len(lattice.kinds) > 1 or scene.wrapping is not None:
        return scene  # several kinds of cell cannot be shown as squares
    if max(places) - min(places) < _LONGEST_LINE:
        return scene
    number = -(-(max(places) - min(places) + 1) // _LONGEST_LINE)
    long = -(-(max(places) - min(places) + 1) // number)

    def moved(cell: Cell) -> Cell:
        row, column = divmod(cell[0] - min(places), long)
        return column, 2 * row

    return scene.at({cell: moved(cell) for cell in scene.extent}, find_lattice("square"))


def described(scene: Scene) -> str:
    """Return a description of a picture for screen readers."""
    words = [f"{counted(len(scene.board), 'location')} of the lattice {scene.lattice.name}"] if scene.board else []
    if scene.bodies:
        words.append(counted(len(scene.bodies), "piece"))
    if scene.wrapping is not None:
        words.append(f"the board wraps around: {around_text(scene.wrapping.wraps)}")
    return "; ".join(words)


def _title(body: SceneBody) -> str:
    return f"{body.name}: sides {' '.join(body.sides)}" if body.sides else body.name
