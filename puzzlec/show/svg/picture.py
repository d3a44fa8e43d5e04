"""The picture of a puzzle: its solutions, its board and its pieces, on one sheet with a legend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf
from typing import NamedTuple

from puzzlec.diagnostics import PuzzleError, counted
from puzzlec.diagnostics.error import fail
from puzzlec.ir import Piece, Puzzle
from puzzlec.ir.puzzle import copies_mark
from puzzlec.show.palette import INK
from puzzlec.show.ruling import ruling
from puzzlec.show.scene import Scene, SceneBody, piece_scene, puzzle_scene, sections, solution_scene
from puzzlec.show.svg import page_sizes, paper, sheet
from puzzlec.show.svg.choices import Choices
from puzzlec.show.svg.figure import Figure
from puzzlec.show.svg.flat import described, flat_figure, folded, lettered
from puzzlec.show.svg.ground import MAX_FLAT_CELL_PX, MAX_FLAT_WIDTH_PX, MIN_FLAT_CELL_PX, natural_cell
from puzzlec.show.svg.isometric import MOST_LABELS
from puzzlec.show.svg.marks import Marks
from puzzlec.show.svg.page_sizes import Paper
from puzzlec.show.svg.paper import Picture, composed, no_solution, room_for
from puzzlec.show.svg.solid import piece_figure, solid_figures, telling_view
from puzzlec.show.svg.steps import NO_WALLS, step_figures
from puzzlec.show.svg.strokes import is_crowded
from puzzlec.solving.subject import Subject

#: Maximum number of solutions on a sheet, and the maximum number of locations in all, of flat puzzles and of solids.
MOST_SOLUTIONS, MOST_CELLS, MOST_SOLID_CELLS = 5000, 500_000, 100_000
#: The usual width of a sheet in px, and the least width of each of several pictures.
_SHEET_PX, _MIN_PICTURE_PX = 1160.0, 84.0
#: Maximum number of entries of a legend without letters, unless `legend` is set.
_MOST_ENTRIES = 24
#: The largest cells of pieces in a legend, and of pieces beside a board, in px.
_LEGEND_CELL_PX, _PIECE_CELL_PX = 11.0, 26.0
#: The least width of the rules in words, in px.
_NARROWEST_NOTES = 260.0
#: The largest default size of cells on paper, in mm; smaller ones fill the page.
_LARGEST_ON_PAPER = 30.0
#: The least common size of cells of the board and the pieces, in mm; the most trials, and the free part of the page at
#: which they end.
_SMALLEST_ON_PAPER, _TRIES, _NEARLY = 2.0, 8, 1.04


def picture(subject: Subject, choices: Choices, numbers: Sequence[int] | None = None) -> Picture:
    """Return the picture of a puzzle with its solutions, which have ``numbers`` below them (None: from 1, if several).

    Raises PuzzleError (PZ504) if the puzzle cannot be drawn as chosen, ValueError if the paper is unknown.
    """
    _check_size(subject)
    if choices.paper is not None and choices.cell is not None:
        choices = choices.of_size(choices.cell * page_sizes.PX)
    scene = puzzle_scene(subject.puzzle) if subject.puzzle is not None else None
    if subject.puzzle is None or scene is None or (choices.show != "pieces" and _is_grid(subject)):
        from puzzlec.show.svg.chart import charted

        return charted(subject, choices, numbers)
    _check_space(subject.puzzle, scene)
    scene = replace(scene, walls=subject.puzzle.movement.walls)
    return PuzzleSheet(subject, subject.puzzle, scene, choices, numbers).picture()


def _is_grid(subject: Subject) -> bool:
    """Whether a chart shows all of a puzzle on a lattice."""
    if subject.puzzle is None or not subject.puzzle.rules.regions:
        return False
    from puzzlec.solving.grids import is_value_grid

    return is_value_grid(subject.fitting)


def pages(subject: Subject, choices: Choices) -> list[Picture]:
    """Return the pictures of a puzzle, one for each page: several if one page of paper has no room for all solutions.

    Raises PuzzleError (PZ504) if the puzzle cannot be drawn as chosen, ValueError if the paper is unknown.
    """
    _check_size(subject)
    number = on_page = len(subject.solutions)
    while choices.paper is not None and on_page > 1:
        try:
            return _divided(subject, choices, on_page)
        except PuzzleError:
            on_page = -(-on_page // 2)
    return _divided(subject, choices, 1) if number > 1 and choices.paper is not None else [picture(subject, choices)]


def _divided(subject: Subject, choices: Choices, most: int) -> list[Picture]:
    """Return pages with at most this many solutions each, all pages but the last with the same number."""
    number = len(subject.solutions)
    if most >= number:
        return [picture(subject, choices)]
    on_page = -(-number // -(-number // most))
    starts = range(0, number, on_page)
    return [
        picture(
            replace(subject, solutions=subject.solutions[start : start + on_page]),
            choices,
            range(start + 1, min(start + on_page, number) + 1),
        )
        for start in starts
    ]


def ignored(subject: Subject, choices: Choices) -> list[str]:
    """Return a sentence for each choice that has no effect, since it is for puzzles of another kind."""
    lattice = subject.puzzle.lattice if subject.puzzle is not None else None
    solid = lattice is not None and lattice.dimension > 2
    kind = "is solid" if solid else "is flat" if lattice is not None else "has no geometry"
    of_solids = {"view": choices.view, "explode": choices.explode}
    idle = [] if solid else [(name, "solids") for name, value in of_solids.items() if value]
    idle += [("steps", "puzzles with a lattice")] if choices.steps and lattice is None else []
    idle += [("rotate", "flat boards")] if choices.rotate and (solid or lattice is None) else []
    return [f"`{name}` has no effect: it is for {what}, and this puzzle {kind}" for name, what in idle]


def _check_space(puzzle: Puzzle, board: Scene) -> None:
    """Raise PuzzleError if the puzzle has too many dimensions for a picture, unless there are sections."""
    try:
        sections(board)
    except ValueError as error:
        note = "in four dimensions only cubes can be drawn, as solid sections"
        raise fail("PZ504", str(error), puzzle.span, note=note) from None


def _check_size(subject: Subject) -> None:
    """Raise PuzzleError for a picture of hundreds of megabytes."""
    number, locations = len(subject.solutions), subject.fitting.locations
    lattice = subject.puzzle.lattice if subject.puzzle is not None else None
    most = MOST_SOLID_CELLS if lattice is not None and lattice.dimension > 2 else MOST_CELLS
    if number > MOST_SOLUTIONS or locations * max(1, number) > most:
        several = f"{counted(number, 'solution')} of " * bool(number)
        raise fail(
            "PZ504",
            f"a picture of {several}{counted(locations, 'location')} would be too large",
            subject.puzzle.span if subject.puzzle is not None else None,
            note=f"a sheet has at most {MOST_SOLUTIONS} solutions, and at most {most} locations in all",
            help="show fewer solutions with `--limit`" if number else "draw a smaller board",
        )


class _Room(NamedTuple):
    """The room of a sheet, in px: the ``paper``, if any, and how large its pictures may be.

    A single picture may be ``wide`` and ``high``, and several side by side are as wide as ``across``. ``largest`` is
    the largest size of cells.
    """

    paper: Paper | None = None
    wide: float = MAX_FLAT_WIDTH_PX
    high: float = MAX_FLAT_WIDTH_PX
    across: float = _SHEET_PX
    largest: float = MAX_FLAT_CELL_PX

    @classmethod
    def on(cls, page: Paper, show: str) -> _Room:
        """Return the room on a page."""
        wide, high = page.room
        high *= 0.6 if show == "all" else 1  # the pieces are below
        return cls(page, wide, high, wide, _LARGEST_ON_PAPER * page_sizes.PX)


class PuzzleSheet:
    """The sheet of a puzzle that has a board."""

    def __init__(
        self,
        subject: Subject,
        puzzle: Puzzle,
        board: Scene,
        choices: Choices,
        numbers: Sequence[int] | None = None,
    ) -> None:
        self.subject, self.puzzle, self.board, self.choices = subject, puzzle, board, choices
        scenes = (solution_scene(solution, choices.fewest_colours) for solution in subject.solutions)
        self.scenes = [replace(scene, walls=puzzle.movement.walls) for scene in scenes if scene]
        self.numbers = numbers or range(1, len(self.scenes) + 1)
        self.numbered = numbers is not None or len(self.scenes) > 1
        bare = any(scene.has_plain_cells for scene in self.scenes)
        self.marks = Marks.of_puzzle(puzzle, choices, bare=bare)
        self.show = choices.show or ("solution" if self.scenes else "all")
        self.flat = board.lattice.dimension < 3
        if not self.flat:
            self.choices = replace(choices, rotate=False)  # layers of a solid are not rotated
        self.note = ""  # below steps that ignore the box
        self.remarks: list[str] = []
        self.room = _Room() if choices.paper is None else _Room.on(page_sizes.paper_of(choices.paper), self.show)

    def picture(self) -> Picture:
        """Return all parts below each other."""
        remarks = []
        paper = self.room.paper if self.choices.cell is None else None
        if paper is not None and self.show != "solution" and self.piece_scenes():
            cell = self._common_cell(paper, ("all",) if self.show == "all" else ("board", "pieces"))
            if cell is not None:
                self.choices = self.choices.of_size(cell)
                remark = f"the same scale: the size of a cell is {cell / page_sizes.PX:.1f} mm"
            else:
                remark = "different scales; choose a `cell` or a larger paper"
            remarks.append(f"{'on this paper ' * (cell is None)}the board and the pieces have {remark}")
        parts, subject, several = self._parts()
        made = composed(parts, subject, self.choices, self._description(), several=several)
        return replace(made, remarks=(*remarks, *self.remarks))

    def piece_scenes(self) -> list[Scene]:
        """Return each piece alone, if it has a shape and may be used."""
        scenes = [piece_scene(self.puzzle, number) for number, piece in enumerate(self.puzzle.pieces) if piece.high]
        return [scene for scene in scenes if scene is not None]

    def _common_cell(self, paper: Paper, sheets: Sequence[str]) -> float | None:
        """Return the largest size of cells with which each of some sheets fits the paper; None if there is none."""
        least, largest = _SMALLEST_ON_PAPER * page_sizes.PX, self.room.largest
        size = _in_tenths(min(largest, self._whole(self.board) or largest))
        for show in sheets:
            most, fits = size, 0.0
            for _ in range(_TRIES):
                other = PuzzleSheet(self.subject, self.puzzle, self.board, replace(self.choices, cell=size, show=show))
                parts, subject, several = other._parts()
                room = room_for(paper, parts, subject, other.choices, several=several)
                fits = max(fits, size) if room >= 1 else fits
                if room >= 1 and (size >= most or room < _NEARLY):
                    break
                size = min(
                    most, _in_tenths(size * 0.985 * room)
                )  # only nearly, because rows break elsewhere and captions keep their size
                if size < least:
                    break
            size = fits
            if size < least:
                return None
        return size

    def _parts(self) -> tuple[list[tuple[str, Figure]], Subject, bool]:
        """Return the parts of the sheet, their subject, and whether there are several."""
        if self.show == "solution" and not self.scenes:
            raise no_solution(self.subject)
        parts: list[tuple[str, Figure]] = []
        if self.show in ("solution", "all") and self.scenes:
            parts.append(("", self._solutions()))
        if self.show in ("board", "all") and (self.show == "board" or not self.scenes):
            parts.append(("", self.drawn(self.board, self._whole(self.board))))
        if self.show in ("pieces", "all"):
            pieces = self._pieces([figure for _, figure in parts])
            if pieces.is_empty and self.show == "pieces":
                raise fail("PZ504", "the pieces have no shapes to draw: their placements are listed", self.puzzle.span)
            parts.append(("" if self.show == "pieces" else "pieces", pieces))
        legend = self._legend()
        several = len(parts) > 1 or self.numbered or self.show == "pieces"
        if not legend.is_empty:
            parts.append(("", legend))
        if self.show != "pieces" and not self.choices.steps:
            widest = max(_NARROWEST_NOTES, *(figure.box.width for _, figure in parts))
            notes = sheet.paragraph(ruling(self.puzzle).sentences(), widest)
            parts += [] if notes.is_empty else [("", notes)]
        subject = self.subject if self.show in ("solution", "all") else replace(self.subject, remark="")
        return parts, subject, several

    def _description(self) -> str:
        if self.show in ("board", "pieces") or not self.scenes:
            return described(self.board)
        number = len(self.scenes)
        words = described(self.scenes[0])
        if self.note:
            words = f"{words}. {self.note}"
        return f"{number} solutions; {words} each" if number > 1 else words

    def _solutions(self) -> Figure:
        """Return the solutions: a single one as large as possible, several in a grid with their numbers."""
        first = self.scenes[0]
        if self.choices.steps:
            parts = [
                (
                    str(number) * self.numbered,
                    self._in_rows([figure for _, figure in steps], [text for text, _ in steps]),
                )
                for number, steps in zip(self.numbers, self._step_figures(), strict=True)
            ]
            note = Figure()
            note.text((0, sheet.CAPTION / 2), self.note, sheet.CAPTION, "start", sheet.GREY)
            return sheet.stacked([*parts, ("", note)] if self.note else parts)
        if not self.numbered:
            return self.drawn(first, self._whole(first), view=self._view(first))
        columns, cell = self._columns(first)
        figures = [self.drawn(scene, cell) for scene in self.scenes]
        return sheet.grid(figures, [str(number) for number in self.numbers], columns)

    def _step_figures(self) -> list[list[tuple[str, Figure]]]:
        """Return the pictures of the steps of each solution; a remark names missing ones."""
        from puzzlec.motion.shown import Planner

        planner = Planner(self.puzzle, sliding=True)
        plans = [planner.plan(solution) for solution in self.subject.solutions]
        self.remarks = list(dict.fromkeys(plan.remark for plan in plans if plan.remark))
        is_stuck = any(plan.straight.steps and not plan.moves for plan in plans)
        if is_stuck and not self.flat and not self.puzzle.movement.walls:
            self.note = NO_WALLS
        return [
            step_figures(solution, self.choices, self.marks, plan)
            for solution, plan in zip(self.subject.solutions, plans, strict=True)
        ]

    def _view(self, scene: Scene) -> str | None:
        """Return the view of a single solution: by default solids have their layers."""
        if self.flat or self.choices.view is not None or self.choices.explode:
            return self.choices.view
        return telling_view(scene)

    def _columns(self, scene: Scene) -> tuple[int, float | None]:
        """Return the number of solutions side by side, and the size of their cells."""
        trial = self.drawn(scene, self._cell(scene, 100, 100), "none").box
        number, room = len(self.scenes), self.room
        columns = paper.columns_for(self.choices, number, trial)
        widest = max(_MIN_PICTURE_PX, room.across / columns - sheet.GAP)
        if room.paper is None:
            return columns, self._cell(scene, widest, 30.0, 2 * widest)
        highest = max(_MIN_PICTURE_PX, room.high / -(-number // columns) - sheet.GAP - 1.5 * sheet.CAPTION)
        return columns, self._cell(scene, widest, room.largest, highest)

    def _whole(self, scene: Scene) -> float | None:
        """Return the size of the cells of a scene that is alone on the sheet."""
        return self._cell(scene, self.room.wide, self.room.largest, self.room.high)

    def _cell(self, scene: Scene, widest: float, largest: float, highest: float | None = None) -> float | None:
        """Return the size of cells: the chosen one, else the size for a picture in these limits; None for solids."""
        if self.choices.cell is not None or not self.flat:
            return self.choices.cell
        scene = folded(scene)
        if scene.lattice.of_edges or self.marks.dyes.colours:
            largest *= 1.3 if not is_crowded(scene.lattice) else 1.7
        return max(
            MIN_FLAT_CELL_PX, natural_cell(scene.lattice, scene.extent, widest, largest, highest, self.choices.rotate)
        )

    def _pieces(self, above: Sequence[Figure] = ()) -> Figure:
        """Return the pieces side by side, each with its name and number of copies.

        On paper their rows fit the pictures ``above`` them.
        """
        cell = self._cell(self.board, MAX_FLAT_WIDTH_PX, MAX_FLAT_CELL_PX if self.show == "pieces" else _PIECE_CELL_PX)
        figures, captions = [], []
        signed = self.show == "all" and bool(self.scenes) and self._lettered(self.scenes[0]) == "label"
        for scene in self.piece_scenes():
            (body,) = scene.bodies
            figures.append(self.alone(scene, cell))
            captions.append(named(self.puzzle.pieces[body.piece], body.label if signed else body.name))
        if self.choices.columns and self.show == "pieces":
            return sheet.grid(figures, captions, self.choices.columns)
        return self._in_rows(figures, captions, above)

    def alone(self, scene: Scene, cell: float | None, labels: str = "none", *, plain: bool = False) -> Figure:
        """Return the picture of a piece, without letters by default; ``plain``: in white."""
        choices = replace(self.choices, labels=labels, cell=cell, plain=plain or self.choices.plain)
        return piece_figure(scene, choices, self.marks)

    def drawn(self, scene: Scene, cell: float | None, labels: str | None = None, view: str | None = None) -> Figure:
        """Return the picture of a scene, flat or solid."""
        defaults = self.choices
        choices = replace(defaults, cell=cell, labels=labels or defaults.labels, view=view or defaults.view)
        if self.flat:
            return flat_figure(scene, choices, self.marks)
        widest = MAX_FLAT_WIDTH_PX if self.room.paper is None else inf
        return self._beside(solid_figures(scene, choices, self.marks, widest))

    def _beside(self, figures: Sequence[tuple[str, Figure]]) -> Figure:
        """Return the pictures of one solid: alone, or side by side, each close above its caption.

        On paper, layers that have no room beside the whole solid have their own rows below it.
        """
        if len(figures) == 1 and not figures[0][0]:
            return figures[0][1]
        above = [sheet.grid([figure], [caption], 1) for caption, figure in figures]
        captions = [""] * len(above)
        if self.room.paper is None:
            return sheet.rows(above, captions, sheet.even_width(above, MAX_FLAT_WIDTH_PX))
        if figures[0][0]:
            return self._in_rows(above, captions)
        page, (whole, *layers) = self.room.paper, above

        def below(rows: Figure) -> Figure:
            return sheet.grid([whole, rows], captions[:2], 1)

        apart = below(paper.in_rows(page, layers, captions[1:], below))
        one_row = sheet.rows(above, captions, inf)
        return max(one_row, apart, key=lambda figure: paper.scale_on(page, Figure(), figure))

    def _in_rows(self, figures: Sequence[Figure], captions: Sequence[str], above: Sequence[Figure] = ()) -> Figure:
        """Return pictures of different sizes in rows, as long as the sheet is wide, or fitted to the paper."""
        if self.room.paper is None:
            return sheet.rows(figures, captions, MAX_FLAT_WIDTH_PX)

        def whole(rows: Figure) -> Figure:
            return sheet.stacked([*(("", figure) for figure in above), ("pieces", rows)]) if above else rows

        return paper.in_rows(self.room.paper, figures, captions, whole)

    def _legend(self) -> Figure:
        """Return the legend: the names of pieces without letters, and of colours."""
        if self.choices.legend is False:
            return Figure()
        entries: list[tuple[Figure, str]] = []
        scenes = self.scenes if self.show in ("solution", "all") else []
        if scenes and self.show != "all" and (self.choices.legend or self._needs_legend(scenes)):
            entries += self._piece_entries(scenes)
        return sheet.key([*entries, *self.colour_entries()], self.room.wide)

    def _needs_legend(self, scenes: Sequence[Scene]) -> bool:
        scene = scenes[0]
        if self.choices.labels == "none" or self.marks.dyes.colours or self.marks.way in ("pips", "signs"):
            return False
        if self.choices.steps:  # the caption of each step has the names of its pieces, which may show other letters
            return self.choices.labels != "none" and any(body.label != body.name for body in scene.bodies)
        kind = self._lettered(scene)
        if kind == "label":
            return any(body.label != body.name for body in scene.bodies)
        fills = {body.fill() for body in scene.bodies}
        return kind == "none" and not self.choices.plain and 1 < len(scene.bodies) == len(fills) <= _MOST_ENTRIES

    def _lettered(self, scene: Scene) -> str:
        """Return the kind of labels on the pieces of the solutions: ``name``, ``label`` or ``none``."""
        if not self.flat:
            bare = scene.lattice.of_edges or self.choices.labels == "none" or len(scene.bodies) > MOST_LABELS
            return "none" if bare else "name" if self.choices.labels == "names" else "label"
        cell = self._columns(scene)[1] if self.numbered else self._whole(scene)
        return lettered(scene, replace(self.choices, cell=cell))

    def _piece_entries(self, scenes: Sequence[Scene]) -> list[tuple[Figure, str]]:
        """Return for each piece on a board a small picture in its colour, and its name.

        The picture is white if copies have different colours.
        """
        bodies: dict[int, dict[str, SceneBody]] = {}
        for scene in scenes:
            for body in scene.bodies:
                bodies.setdefault(body.piece, {})[body.fill()] = body
        kind = self._lettered(scenes[0])
        entries = []
        for number, copies in sorted(bodies.items()):
            piece, figure, shape = self.puzzle.pieces[number], Figure(), piece_scene(self.puzzle, number)
            first = min(copies.values(), key=lambda body: body.hue)
            if shape is not None:
                alone = replace(shape, bodies=(shape.bodies[0]._replace(hue=first.hue, paint=first.paint),))
                drawn = self.alone(alone, _LEGEND_CELL_PX if self.flat else None, plain=len(copies) > 1)
                smaller = 1.0 if self.flat else min(1.0, 44 / max(drawn.box.width, drawn.box.height, 1))
                figure.add(drawn, scale=smaller)
            entries.append((figure, named(piece, first.label if kind == "label" else piece.name)))
        return entries

    def colour_entries(self) -> list[tuple[Figure, str]]:
        """Return the names of the colours of sides, and the signs of the colours of cells."""
        entries: list[tuple[Figure, str]] = []
        signs = self.marks.colours if self.marks.way == "signs" else ()
        for colour, fill in (*self.marks.dyes.fills.items(), *dict.fromkeys(signs, "#ffffff").items()):
            figure = Figure()
            figure.region([[(0, 0), (18, 0), (18, 18), (0, 18)]], fill, INK, 1)
            if len(entries) >= len(self.marks.dyes.fills):
                self.marks.mark(figure, colour, (9, 9), 9)
            elif self.marks.dyes.need_letters:
                figure.text((9, 9), colour, 10)
            entries.append((figure, colour))
        return entries


def _in_tenths(size: float) -> float:
    """Return a size in px, rounded down to tenths of a mm, so that `--cell` can set the same size."""
    return int(10 * size / page_sizes.PX + 1e-6) / 10 * page_sizes.PX


def named(piece: Piece, sign: str) -> str:
    """Return the name of a piece after its sign, if the two differ, and its number of copies."""
    copies = copies_mark(piece.low, piece.high, "×")
    return f"{sign}  " * (sign != piece.name) + piece.name + copies
