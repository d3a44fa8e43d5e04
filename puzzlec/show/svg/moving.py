"""Moving pictures: an assembly that comes apart, and goes together again, in an endless loop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import cos, degrees, sin
from zlib import crc32

from puzzlec.diagnostics import counted
from puzzlec.diagnostics.error import PuzzleError, fail
from puzzlec.ir import Puzzle, Solution
from puzzlec.ir.location import Location
from puzzlec.motion.rotation import pivot_on_paper, pose_at
from puzzlec.motion.shown import OPEN_REMARK, PictureMove, Planner
from puzzlec.motion.straight import AssemblyOrder
from puzzlec.show.scene import Scene, SceneBody, solution_scene
from puzzlec.show.svg.balls import painter_of
from puzzlec.show.svg.choices import Choices
from puzzlec.show.svg.figure import Box, Figure
from puzzlec.show.svg.flat import flat_figure
from puzzlec.show.svg.ground import ground_of
from puzzlec.show.svg.isometric import Parts, spin_of
from puzzlec.show.svg.layers import colour_marks
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
        return self._framed(self.figures[number]).svg(background=background, page=self._page)

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
                whole.add(self._framed(self.figures[number]))
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

    def _framed(self, figure: Figure) -> Figure:
        whole = Figure()
        whole.add(figure, -self.box.left, -self.box.top)
        return whole


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
        self.marks: Marks | None = Marks(puzzle.colours.names, plain=choices.plain)
        if choices.cell is None:
            sizes = (natural_size(self._moved(move), self.choices, MAX_MOVING_PX, MAX_MOVING_CELL_PX) for move in moves)
            self.choices = self.choices.of_size(min(sizes))

    def figure(self, move: PictureMove, part: float) -> Figure:
        """Return the picture of a part of a move: 0 before it, 1 after it. Leaving pieces are pale, then gone."""
        raise NotImplementedError

    def box(self) -> Box:
        """Return the extent of all states before and after moves, with some room around."""
        boxes = [self.figure(self.moves[0], 0.0).box]
        boxes += [self.figure(move, 0.0 if move.leave else 1.0).box for move in self.moves]
        left, right = min(box.left for box in boxes), max(box.right for box in boxes)
        top, bottom = min(box.top for box in boxes), max(box.bottom for box in boxes)
        room = LEAVING_SHARE * max(right - left, bottom - top)
        return Box(left - room, top - room, right + room, bottom + room)

    def _shift(self, move: PictureMove, number: int, part: float) -> tuple[float, ...]:
        """Return where a body is, relative to its position in the solution."""
        share = part if number in move.pieces else 0.0
        return tuple([a + share * b for a, b in zip(move.shifts[number], move.way, strict=True)])

    def _there(self, move: PictureMove, part: float) -> list[int]:
        return [number for number in move.there if part < 1 or not move.leave or number not in move.pieces]

    def _posed(self, move: PictureMove, number: int, part: float) -> tuple[SceneBody, tuple[float, ...]]:
        """Return a body, and its shift from there: a body that has turned before has its cells from then."""
        body, shift = self.scene.bodies[number], self._shift(move, number, part)
        if number not in move.rotations:
            return body, shift
        rotated = body._replace(cells=move.cells(self.lattice, number, body.cells))
        return rotated, tuple([a - b for a, b in zip(shift, move.shifts[number], strict=True)])

    def _moved(self, move: PictureMove) -> Scene:
        return replace(self.scene, bodies=tuple(stage_of(self.scene, move).values()), board=self.walls)


class _SolidStage(_Stage):
    def __init__(self, scene: Scene, puzzle: Puzzle, choices: Choices, moves: Sequence[PictureMove]) -> None:
        super().__init__(scene, puzzle, choices, moves)
        self.marks = colour_marks(scene, choices)
        self._painter = painter_of(self.lattice)
        self._eye = self._painter(replace(scene, bodies=()), self.choices).screen.eye

    def figure(self, move: PictureMove, part: float) -> Figure:
        there = self._there(move, part)
        posed = [self._posed(move, number, part) for number in there]
        bodies = tuple([body for body, _ in posed])
        scene = replace(self.scene, bodies=bodies, board=self.walls)
        shifts = {number: shift for number, (_, shift) in enumerate(posed, 1)}
        owner = {cell: number for number, body in enumerate(bodies, 1) for cell in body.cells}
        pale = {number for number, body in enumerate(there) if move.leave and part > 0.5 and body in move.pieces}
        parts = Parts({**dict.fromkeys(self.walls, 0), **owner}, {0: (0.0, 0.0, 0.0), **shifts}, frozenset(pale))
        if move.turn is not None and part:
            movers = frozenset([number for number, body in enumerate(there, 1) if body in move.pieces])
            parts = replace(parts, spin=spin_of(self.lattice, move.turn, part, movers))
        if not bodies:
            if not self.walls:
                return Figure()
            scene, parts = replace(scene, board={}, walls=tuple(self.walls)), Parts()
        return self._painter(scene, self.choices, parts, self.marks, self._eye).figure()


class _FlatStage(_Stage):
    def figure(self, move: PictureMove, part: float) -> Figure:
        figure = Figure()
        if self.walls:
            figure.add(flat_figure(replace(self.scene, bodies=(), board=self.walls), self.choices, self.marks))
        ground = ground_of(self.lattice, self.choices.cell or MAX_MOVING_CELL_PX, self.choices.rotate)
        start = ground.at((0,) * len(move.way))
        for number in self._there(move, part):
            body, shift = self._posed(move, number, part)
            end = ground.at(shift)
            alone = replace(self.scene, bodies=(body,), board={}, regions=())
            way, angle = (end[0] - start[0], end[1] - start[1]), 0.0
            if move.turn is not None and number in move.pieces:
                angle, aside = pose_at(move.turn, part)
                (px, py), by = ground.spot(pivot_on_paper(self.lattice, move.turn)), ground.spot(aside)
                x, y, c, s = way[0] - px, way[1] - py, cos(angle), sin(angle)
                way = c * x - s * y + px + by[0], s * x + c * y + py + by[1]
            pale = move.leave and part > 0.5 and number in move.pieces
            with figure.group("", 0.45 if pale else 1):
                figure.add(flat_figure(alone, self.choices, self.marks), *way, turn=degrees(angle))
        return figure
