"""Moving pictures: an assembly that comes apart, and goes together again, in an endless loop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import cos, degrees, sin
from zlib import crc32

from puzzlec.diagnostics import counted
from puzzlec.diagnostics.error import PuzzleError, fail
from puzzlec.geometry import Cell
from puzzlec.ir import Puzzle, Solution
from puzzlec.ir.location import Location
from puzzlec.motion.rotation import pivot_on_paper, pose_at
from puzzlec.motion.shown import OPEN_REMARK, PictureMove, Planner
from puzzlec.motion.straight import AssemblyOrder
from puzzlec.show.scene import Scene, solution_scene
from puzzlec.show.svg.balls import painter_of
from puzzlec.show.svg.choices import Choices
from puzzlec.show.svg.figure import Box, Figure
from puzzlec.show.svg.flat import flat_figure
from puzzlec.show.svg.ground import ground_of
from puzzlec.show.svg.isometric import Parts, spin_of
from puzzlec.show.svg.marks import Marks
from puzzlec.show.svg.page_sizes import PX
from puzzlec.show.svg.paper import no_solution
from puzzlec.show.svg.steps import natural_size, stage_of
from puzzlec.solving.grids import is_value_grid
from puzzlec.solving.subject import Subject

#: The largest picture and cells, in px, and the room around for pieces that leave, as a share of the size.
MAX_MOVING_PX, MAX_MOVING_CELL_PX, LEAVING_SHARE = 300.0, 24.0, 0.12
#: The pictures of each move, and how long each, the pause after a move, the whole and the end are shown, in ms.
FRAMES, FRAME_TIME, PAUSE, WHOLE, END = 6, 60, 180, 1200, 900
#: Maximum number of moves, and the maximum number of cells times moves: for all pictures of each move, and for one
#: picture of each.
MOST_MOVES, MOST_CELLS, MOST_CELLS_ONCE = 150, 20_000, 160_000


@dataclass(frozen=True)
class Movie:
    """Pictures of one size, in the order of taking apart, each with its time in ms; they are shown to and fro."""

    figures: tuple[Figure, ...]
    times: tuple[int, ...]
    box: Box
    title: str
    description: str

    @property
    def order(self) -> list[int]:
        """The numbers of the pictures in one round: taking apart, then back."""
        last = len(self.figures) - 1
        return [*range(last + 1), *range(last - 1, 0, -1)]

    def still(self, number: int, background: str) -> str:
        """Return one picture as an SVG document."""
        return self.figures[number].at_corner(box=self.box).svg(background=background, page=self._page)

    def svg(self, background: str = "#ffffff") -> str:
        """Return all pictures as one animated SVG document. Viewers without animation show the complete solution."""
        whole, now = Figure(), 0
        round_time = sum(self.times[number] for number in self.order)
        starts: list[list[tuple[float, float]]] = [[] for _ in self.figures]
        # Several documents may be in one page, so the names of their pictures differ.
        mark = f"m{crc32(self.still(0, background).encode()):08x}-"
        for number in self.order:
            starts[number].append((100 * now / round_time, 100 * (now + self.times[number]) / round_time))
            now += self.times[number]
        rules = ["@media (prefers-reduced-motion:no-preference){"]
        for number, spans in enumerate(starts):
            name = f"{mark}{number}"
            with whole.group(id=name, hidden=number > 0):
                whole.add(self.figures[number].at_corner(box=self.box))
            keys = "".join([f"{a:.3f}%{{visibility:visible}}{b:.3f}%{{visibility:hidden}}" for a, b in spans])
            first = "0%{visibility:hidden}" * (number > 0)
            rules.append(
                f"@keyframes {name}{{{first}{keys}}}#{name}{{animation:{name} {round_time}ms step-end infinite}}"
            )
        rules.append("}")
        return whole.svg(self.title, self.description, background=background, page=self._page, style="".join(rules))

    @property
    def _page(self) -> tuple[float, float]:
        return self.box.width / PX, self.box.height / PX


def movie(subject: Subject, choices: Choices, remarks: list[str]) -> Movie:
    """Return the moving picture of the solution of a subject to show, or else of the first one that comes apart.

    Raises PuzzleError: PZ504 for a puzzle that cannot be drawn so, PZ716 if nothing can be shown to move.
    """
    if not subject.solutions:
        raise no_solution(subject)
    puzzle, scene = subject.puzzle, solution_scene(subject.solutions[subject.start], choices.fewest_colours)
    if puzzle is None or scene is None:
        raise fail("PZ504", "a moving picture needs a puzzle with a lattice")
    if is_value_grid(subject.fitting):
        raise fail("PZ504", "a moving picture needs pieces: this puzzle is a grid of values", puzzle.span)
    if scene.lattice.dimension > 3:
        raise fail("PZ504", "a moving picture has at most three dimensions", puzzle.span, help="use `puzzlec view`")
    scene, moves = _first_apart(puzzle, subject, remarks, choices.fewest_colours)
    number = len(moves) * len(scene.owner)
    if len(moves) > MOST_MOVES or number > MOST_CELLS_ONCE:
        note = f"it has at most {MOST_MOVES} moves, and at most {MOST_CELLS_ONCE} cells times moves"
        message = f"a moving picture of {len(moves)} moves of {len(scene.owner)} cells would be too large"
        raise fail("PZ504", message, puzzle.span, note=note, help="use `puzzlec view`")
    stage = (_FlatStage if scene.lattice.dimension < 3 else _SolidStage)(scene, puzzle, choices, moves)
    figures, times = [stage.figure(moves[0], 0.0)], [WHOLE]
    frames = max(1, min(FRAMES, FRAMES * MOST_CELLS // number))
    if frames < FRAMES:
        remarks.append(f"each move has {counted(frames, 'picture')} instead of {FRAMES}, because there are many cells")
    for move in moves:
        for frame in range(1, frames + 1):
            part = frame / frames
            figures.append(stage.figure(move, part * part * (3 - 2 * part)))
            times.append(FRAME_TIME * FRAMES // frames)
        times[-1] += PAUSE
    times[-1] += END
    words = f"{puzzle.title}: it comes apart in {len(moves)} moves".lstrip(": ")
    return Movie(tuple(figures), tuple(times), stage.box(), choices.title or puzzle.title, words)


def _first_apart(
    puzzle: Puzzle, subject: Subject, remarks: list[str], fewest_colours: bool = False
) -> tuple[Scene, list[PictureMove]]:
    """Return the solution to show, or else the first one that comes apart, and its moves.

    If none comes apart, raise the error of the last one.
    """
    planner, solutions = Planner(puzzle, sliding=True), subject.solutions
    order = [subject.start, *(number for number in range(len(solutions)) if number != subject.start)]
    for number in order:
        scene = solution_scene(solutions[number], fewest_colours)
        assert scene is not None
        try:
            moves = _moves(planner, solutions[number], scene)
        except PuzzleError as error:
            if number != order[-1]:
                continue
            if len(order) > 1:
                raise _held(
                    puzzle, f"none of the {len(order)} solutions comes apart", error.diagnostics[0].helps
                ) from None
            raise
        if number != subject.start:
            remarks.append(f"solution {number + 1} is shown: the ones before it do not come apart")
        elif len(solutions) > 1 and not subject.choice:
            remarks.append("a moving picture shows the first solution only")
        return scene, moves
    raise AssertionError("no solution")


def _held(puzzle: Puzzle, message: str, help: str | Sequence[str]) -> PuzzleError:
    return fail("PZ716", message, puzzle.span, help=help)


def _moves(planner: Planner, solution: Solution, scene: Scene) -> list[PictureMove]:
    """Return the moves to show: those of a plan, or single pieces that come straight out."""
    puzzle, plan = planner.puzzle, planner.plan(solution)
    if plan.moves:
        return list(plan.moves)
    if plan.remark or plan.straight.together or scene.lattice.dimension < 3 or len(scene.bodies) < 2:
        if len(scene.bodies) < 2 and not puzzle.movement.walls:
            raise _held(puzzle, "an animation needs several pieces: the solution has one", "`puzzlec draw -o x.svg`")
        if plan.remark == OPEN_REMARK:
            raise _held(puzzle, "found no plan within the limits of a picture", "`puzzlec disassemble` searches longer")
        raise _held(
            puzzle, "the solution does not come apart", "`puzzlec draw --steps` shows the pieces that interlock"
        )
    return _straight(scene, plan.straight)


def _straight(scene: Scene, order: AssemblyOrder) -> list[PictureMove]:
    """Return the moves of single pieces that leave one after the other."""
    lattice, moves = scene.lattice, []
    there = list(order.order)
    zero = (0,) * len(lattice.translations[0])
    points = [lattice.on_paper(lattice.point(cell)) for cell in scene.owner]
    wide = max(max(column) - min(column) for column in zip(*points, strict=True)) + 1
    for placement, way in order.steps[:0:-1]:
        back = tuple([-value for value in way])
        length = sum(value * value for value in lattice.on_paper(back)) ** 0.5
        far = max(1, round(wide / length))
        away = tuple([far * value for value in back])
        moves.append(PictureMove((placement,), away, True, tuple(there), dict.fromkeys(there, zero), False))
        there.remove(placement)
    return moves


class _Stage:
    """Draws a solution in the middle of a move, always at the same size and position."""

    def __init__(self, scene: Scene, puzzle: Puzzle, choices: Choices, moves: Sequence[PictureMove]) -> None:
        self.scene, self.moves, self.lattice = scene, moves, scene.lattice
        self.walls = {cell: Location(cell) for cell in puzzle.movement.walls}
        # The best position for a letter jumps from frame to frame.
        labels = "none" if choices.labels == "auto" else choices.labels
        self.choices = replace(choices, explode=0, steps=False, labels=labels)
        self.marks = Marks.of_puzzle(puzzle, choices, bare=scene.has_plain_cells)
        if choices.cell is None:
            sizes = (natural_size(self.stage(move), MAX_MOVING_PX, MAX_MOVING_CELL_PX) for move in moves)
            self.choices = self.choices.of_size(min(sizes))

    def stage(self, move: PictureMove, part: float = 0.0) -> Scene:
        """Return the bodies where they are before a move; after a part of 1, leaving pieces are gone."""
        bodies = stage_of(self.scene, move)
        there = [number for number in bodies if part < 1 or not move.leave or number not in move.pieces]
        return replace(self.scene, bodies=tuple([bodies[number] for number in there]), board=self.walls, regions=())

    def figure(self, move: PictureMove, part: float) -> Figure:
        """Return the picture of a part of a move: 0 before it, 1 after it. Leaving pieces are pale, then gone."""
        stage = self.stage(move, part)
        movers = {cell for number in move.pieces for cell in stage_of(self.scene, move)[number].cells}
        return self._drawn(stage, movers, move, part, move.leave and part > 0.5)

    def _drawn(self, stage: Scene, movers: set[Cell], move: PictureMove, part: float, pale: bool) -> Figure:
        raise NotImplementedError

    def box(self) -> Box:
        """Return the extent of all states before and after moves, with some room around."""
        boxes = [self.figure(self.moves[0], 0.0).box]
        boxes += [self.figure(move, 0.0 if move.leave else 1.0).box for move in self.moves]
        box = Box.about(corner for box in boxes for corner in (box[:2], box[2:]))
        return Box.about((box[:2], box[2:]), LEAVING_SHARE * max(box.width, box.height))


class _SolidStage(_Stage):
    def __init__(self, scene: Scene, puzzle: Puzzle, choices: Choices, moves: Sequence[PictureMove]) -> None:
        super().__init__(scene, puzzle, choices, moves)
        self._painter = painter_of(self.lattice)
        self._eye = self._painter(replace(scene, bodies=()), self.choices).screen.eye

    def _drawn(self, stage: Scene, movers: set[Cell], move: PictureMove, part: float, pale: bool) -> Figure:
        if not stage.bodies:
            if not self.walls:
                return Figure()
            stage = replace(stage, board={}, walls=tuple(self.walls))
        moving = [number for number, body in enumerate(stage.bodies) if body.cells[0] in movers]
        way = tuple([part * value for value in move.way])
        spin = spin_of(self.lattice, move.turn, part, frozenset({1})) if move.turn is not None and part else None
        parts = Parts(dict.fromkeys(movers, 1), {1: way}, frozenset(moving if pale else ()), spin)
        return self._painter(stage, self.choices, parts, self.marks, self._eye).figure()


class _FlatStage(_Stage):
    def _drawn(self, stage: Scene, movers: set[Cell], move: PictureMove, part: float, pale: bool) -> Figure:
        ground = ground_of(self.lattice, self.choices.cell or MAX_MOVING_CELL_PX, self.choices.rotate)
        (x, y), angle = ground.at([part * value for value in move.way]), 0.0
        if move.turn is not None:
            angle, aside = pose_at(move.turn, part)
            (px, py), by = ground.spot(pivot_on_paper(self.lattice, move.turn)), ground.spot(aside)
            c, s = cos(angle), sin(angle)
            x, y = px - c * px + s * py + by[0], py - s * px - c * py + by[1]
        figure = Figure()
        if self.walls:
            figure.add(flat_figure(replace(stage, bodies=()), self.choices, self.marks))
        for body in stage.bodies:
            moves = body.cells[0] in movers
            with figure.group("", 0.45 if pale and moves else 1):
                alone = flat_figure(replace(stage, bodies=(body,), board={}), self.choices, self.marks)
                figure.add(alone, *(x, y, 1, degrees(angle)) if moves else ())
        return figure
