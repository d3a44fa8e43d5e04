"""Pictures of an assembly, step by step: single pieces that are put in, or the moves of a plan."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from math import atan2, cos, dist, hypot, radians, sin
from operator import itemgetter
from typing import NamedTuple

from puzzlec.diagnostics.error import fail
from puzzlec.geometry import Cell, Lattice, Point
from puzzlec.geometry.faces import place
from puzzlec.ir import Puzzle, Solution
from puzzlec.ir.location import Location
from puzzlec.motion.bodies import numbered
from puzzlec.motion.rotation import Rotation, pivot_on_paper
from puzzlec.motion.shown import PictureMove, PicturePlan, Planner
from puzzlec.motion.straight import AssemblyOrder, in_space
from puzzlec.show.palette import INK
from puzzlec.show.scene import Scene, SceneBody, sections, solution_scene
from puzzlec.show.svg.balls import painter_of
from puzzlec.show.svg.choices import Choices
from puzzlec.show.svg.figure import Figure
from puzzlec.show.svg.flat import flat_figure
from puzzlec.show.svg.ground import ground_of, natural_cell
from puzzlec.show.svg.isometric import Parts, corners_of, natural_solid_cell
from puzzlec.show.svg.marks import Marks
from puzzlec.show.svg.sheet import beside
from puzzlec.show.svg.standpoint import Screen

#: The limits of the steps: they ignore the box and all but straight moves.
NO_WALLS = "The steps are for the pieces alone, as if the box had no walls."
#: The largest size of pictures of steps and of their cells, in px.
MAX_STEP_PX, MAX_STEP_CELL_PX = 230.0, 22.0
#: Maximum number of steps of a picture, and the maximum number of names in a caption.
MAX_STEPS, MOST_NAMES = 400, 4
#: The least radius and the largest length of the arrow of a turn, in cells.
LEAST_RADIUS, LONGEST_ARC = 0.9, 2.0


def step_figures(
    solution: Solution, choices: Choices, marks: Marks | None = None, plan: PicturePlan | None = None
) -> list[tuple[str, Figure]]:
    """Return a picture for each step of the assembly of a solution, with captions such as `2. V`.

    If the plan has moves, each move has a picture, in the order of assembly. It shows the pieces that are together
    after the move, and those that moved in full colour. Otherwise each added piece has a picture, and pieces that
    interlock are the first picture. If the solution does not come apart, the last picture shows all pieces, with the
    smallest set that holds together in full colour. It is the only one if that set is all pieces.

    Raises ValueError for a puzzle without geometry, and PuzzleError (PZ504) for more than :data:`MAX_STEPS` pieces or
    moves.
    """
    scene, puzzle = solution_scene(solution, choices.fewest_colours), solution.fitting.puzzle
    if scene is None or puzzle is None:
        raise ValueError("a puzzle without geometry has no steps")
    _check_number(len(scene.bodies), "pieces", puzzle)
    plan = plan or Planner(puzzle).plan(solution)
    _check_number(len(plan.moves), "moves", puzzle)
    walls = {cell: Location(cell) for cell in puzzle.movement.walls}
    names = numbered([body.name for body in scene.bodies])
    # If all pieces hold one another, the first picture would be the last one again.
    same = len(plan.hold) == len(scene.bodies) and not plan.straight.steps
    moments = list(_moves(scene, plan.moves, walls, names))
    if not moments:
        moments = [*([] if same else _additions(scene, plan.straight)), *_held(scene, plan, walls, names)]
    sizes = (natural_size(moment.scene) for moment in moments)
    sized = choices.of_size(choices.cell or min(sizes, default=MAX_STEP_CELL_PX))
    marks = marks or Marks.of(scene, choices)
    draw = _flat_figure if scene.lattice.dimension < 3 else _solid_figure
    return [(moment.caption, draw(moment, sized, marks)) for moment in moments]


class _Moment(NamedTuple):
    """Pieces on a stage, of which those on the ``fresh`` cells came in along a way (None: all of them are there).

    With ``room``, these cells are the whole board, and that of the scene is the walls.
    """

    caption: str
    scene: Scene
    fresh: set[Cell]
    way: Point | Rotation | None = ()
    room: Sequence[Cell] = ()


def _moves(
    scene: Scene, moves: Sequence[PictureMove], walls: Mapping[Cell, Location], names: Sequence[str]
) -> Iterator[_Moment]:
    """Yield the moves of a plan, the last move of taking apart first."""
    for number, move in enumerate(reversed(moves), 1):
        stage = stage_of(scene, move)
        turns = (" turns" if len(move.pieces) == 1 else " turn") * (move.turn is not None)
        fresh = {cell for body in move.pieces for cell in stage[body].cells}
        moving = replace(scene, bodies=tuple(stage.values()), board=walls if move.wall else {})
        way = move.turn or tuple([-value for value in move.way])
        caption = f"{number}. {_several([names[body] for body in move.pieces])}{turns}"
        yield _Moment(caption, moving, fresh, way, scene.cells)


def _additions(scene: Scene, order: AssemblyOrder) -> Iterator[_Moment]:
    """Yield the pieces that interlock, and each piece that is added."""
    there, flat = order.together, scene.lattice.dimension < 3

    def moment(caption: str, fresh: Sequence[int], way: Point) -> _Moment:
        bodies = tuple([scene.bodies[number] for number in (sorted(there) if flat else there)])
        cells = {cell for number in fresh for cell in scene.bodies[number].cells}
        return _Moment(caption, replace(scene, bodies=bodies), cells, None if flat else way)

    if there:
        yield moment(f"{len(there)} pieces that interlock", there, ())
    for number, (placement, way) in enumerate(order.steps, 1):
        there = (*there, placement)
        yield moment(f"{number}. {scene.bodies[placement].name}", (placement,), way)


def _held(scene: Scene, plan: PicturePlan, walls: Mapping[Cell, Location], names: Sequence[str]) -> Iterator[_Moment]:
    """Yield the pieces that hold together among pale ones, if the plan names some."""
    if plan.hold:
        walled = " and the walls" * plan.walled
        fresh = {cell for body in plan.hold for cell in scene.bodies[body].cells}
        caption = f"held by {_several([names[body] for body in plan.hold])}{walled}"
        if len(plan.hold) == len(scene.bodies) > MOST_NAMES and not plan.straight.steps:
            caption = f"{len(plan.hold)} pieces{walled} hold together"
        still = (0,) * len(scene.lattice.translations[0])
        yield _Moment(caption, replace(scene, board=walls), fresh, still, scene.cells)


def _check_number(number: int, what: str, puzzle: Puzzle) -> None:
    if number > MAX_STEPS:
        raise fail(
            "PZ504",
            f"an assembly of {number} {what} has too many steps to draw",
            puzzle.span,
            note=f"a sheet shows at most {MAX_STEPS}",
            help="remove `--steps`, or use `puzzlec view`",
        )


def stage_of(scene: Scene, move: PictureMove) -> dict[int, SceneBody]:
    """Return the bodies on the stage before a move of taking apart, where they are then."""
    return {
        body: scene.bodies[body]._replace(cells=move.cells(scene.lattice, body, scene.bodies[body].cells))
        for body in move.there
    }


def natural_size(scene: Scene, widest: float = MAX_STEP_PX, largest: float = MAX_STEP_CELL_PX) -> float:
    """Return the size of cells with which a picture has at most these sizes; default: those of a step."""
    if scene.lattice.dimension < 3:
        return natural_cell(scene.lattice, scene.cells, widest, largest)
    return min(natural_solid_cell(solid, None, widest, largest) for _, solid in sections(scene))


def _several(names: Sequence[str]) -> str:
    """Return a few names, or the number of many."""
    return ", ".join(names) if len(names) <= MOST_NAMES else f"{len(names)} pieces"


def _flat_figure(moment: _Moment, choices: Choices, marks: Marks) -> Figure:
    """Return flat pieces after a move: those that moved in full colour, with an arrow, the others pale."""
    scene, fresh, way = moment[1:4]
    if way is None:
        return flat_figure(scene, choices, marks)
    figure, lattice, size = Figure(), scene.lattice, choices.cell or MAX_STEP_CELL_PX
    moved = [body for body in scene.bodies if fresh.intersection(body.cells)]
    others = [body for body in scene.bodies if not fresh.intersection(body.cells)]
    with figure.group("", 0.45):
        figure.add(flat_figure(replace(scene, bodies=tuple(others)), choices, marks))
    figure.add(flat_figure(replace(scene, bodies=tuple(moved), board={}), choices, marks))
    ground = ground_of(lattice, size, choices.rotate)
    if isinstance(way, Rotation):
        _turn_arrow(figure, lattice, way, fresh, ground.spot, size)
    else:
        _arrow(figure, [ground.middle(cell) for cell in sorted(fresh)], ground.at(way), size)
    return figure


def _solid_figure(moment: _Moment, choices: Choices, marks: Marks) -> Figure:
    """Return solid pieces after a move; in four dimensions there are sections side by side."""
    if moment.scene.lattice.dimension < 4:
        return _solid_step(moment, choices, marks)
    figures = []
    for w, (_, solid) in zip(sorted({cell[3] for cell in moment.scene.cells}), sections(moment.scene), strict=True):
        fresh, room = ([cell[:3] for cell in cells if cell[3] == w] for cells in (moment.fresh, moment.room))
        part = moment._replace(scene=solid, fresh=set(fresh), room=room)
        figures.append(_solid_step(part, choices, marks))
    return beside(figures, 14)


def _solid_step(moment: _Moment, choices: Choices, marks: Marks) -> Figure:
    """Return a solid with new cells in full colour and the others pale; walls are drawn as a frame.

    The pictures of all steps have room for the whole board.
    """
    _, scene, fresh, way, room = moment
    lattice, frame = scene.lattice, scene.board if room else {}
    size = choices.cell or MAX_STEP_CELL_PX
    if choices.labels == "auto":
        choices = replace(choices, labels="signs")  # the first piece has its letter even though it is alone
    faded = frozenset(number for number, body in enumerate(scene.bodies) if not fresh.intersection(body.cells))
    part, painter = replace(scene, board=frame), painter_of(lattice)
    board = {cell: Location(cell) for cell in room} or scene.board
    standpoint = painter(replace(scene, bodies=(), board=board), choices).screen.eye
    drawn = painter(part, choices, Parts(faded=faded), marks, standpoint)
    figure = drawn.figure() if part.bodies else Figure()
    for cell in scene.board:
        if lattice.of_balls:
            figure.reach(drawn.screen.spot(place(lattice, lattice.point(cell))), size / 2)
        else:
            for corner in corners_of(lattice, cell):
                figure.reach(drawn.screen.spot(corner), 1.3)
    if isinstance(way, Rotation):
        _turn_arrow(figure, lattice, way, fresh, lambda at: drawn.screen.spot((at[0], -at[1], at[2])), size)
    elif way and any(way[:3]) and fresh:
        spots = [drawn.screen.spot(place(lattice, lattice.point(cell))) for cell in sorted(fresh)]
        _arrow(figure, spots, Screen(lattice, 1.0, standpoint).spot(in_space(lattice, way[:3])), size)
    return figure


def _turn_arrow(
    figure: Figure,
    lattice: Lattice,
    turn: Rotation,
    fresh: set[Cell],
    spot: Callable[[tuple[float, ...]], tuple[float, float]],
    size: float,
) -> None:
    """Draw the axis of a turn, and an arrow about it that ends at a cell. ``spot`` takes places on paper.

    Both leave out the letters of the figure.
    """
    pivot, flat = list(pivot_on_paper(lattice, turn)), lattice.dimension < 3
    one, other = [n for n in range(len(pivot)) if n != turn.axis or flat][:2]
    points = [lattice.on_paper(lattice.point(cell)) for cell in sorted(fresh)]
    if flat:
        at = spot(tuple(pivot))
        inside = [0.8 * high for middle, high in figure.texts if dist(middle, at) < 0.1 * size + high / 2]
        if inside:  # a ring around the letter
            figure.circle(at, max(inside), "none", INK, max(1.0, size * 0.06))
        else:
            figure.circle(at, 0.1 * size, INK, "#ffffff", 1.0)
    else:
        along = [point[turn.axis] for point in points]
        low, high = min(along) - 1.1, max(along) + 1.1
        steps = [[*pivot[: turn.axis], low + n * (high - low) / 60, *pivot[turn.axis + 1 :]] for n in range(61)]
        seen = [spot(tuple(step)) for step in steps]
        bare = [all(dist(middle, at) > 0.7 * high for middle, high in figure.texts) for at in seen]
        for is_bare, part in groupby(zip(bare, seen, strict=True), key=itemgetter(0)):
            if is_bare:
                line = [at for _, at in part]
                figure.lines([line], INK, max(1.0, size * 0.06), dash=(size * 0.18, size * 0.12))
        # The arrow is at the end of the axis that the viewer sees: on the right, in front, or above.
        pivot[turn.axis] = max(along) + 0.6

    def arc(x: float, y: float) -> list[tuple[float, float]]:
        radius, last = max(LEAST_RADIUS, hypot(x, y)), atan2(y, x)
        whole, spots = radians(turn.degrees) * min(1.0, LONGEST_ARC / (radius * radians(abs(turn.degrees)))), []
        for step in range(25):
            at, angle = list(pivot), last + whole * (1 - step / 24)
            at[one], at[other] = pivot[one] + radius * cos(angle), pivot[other] + radius * sin(angle)
            spots.append(spot(tuple(at)))
        return spots

    def merit(way: tuple[float, float]) -> tuple[float, float, float]:
        """Return how far an arrow is from letters, how long it is as it is seen, and how near it is to the axis."""
        spots = arc(*way)
        apart = min([dist(at, middle) - high / 2 for at in spots for middle, high in figure.texts], default=size)
        length = sum(map(dist, spots, spots[1:]))
        return min(round(apart, 3), 0.2 * size), min(round(length, 3), 1.4 * size), -hypot(*way)

    ends = [(point[one] - pivot[one], point[other] - pivot[other]) for point in points]
    spots = arc(*max([end for end in ends if hypot(*end) > 0.1] or ends, key=merit))
    _pointed(figure, [*spots[:-5], spots[-1]], size, 0.21)


def _pointed(figure: Figure, spots: Sequence[tuple[float, float]], size: float, wing: float) -> None:
    """Draw a line with a white rim, whose last part is the head of an arrow; ``wing`` is half its width in cells."""
    for stroke, width in (("#ffffff", max(2.0, size * 0.11) + 2.4), (INK, max(2.0, size * 0.11))):
        figure.lines([spots[:-1]], stroke, width)
    (a, b), tip = spots[-2:]
    far = hypot(tip[0] - a, tip[1] - b) or 1.0
    ux, uy = wing * size * (tip[0] - a) / far, wing * size * (tip[1] - b) / far
    figure.region([[tip, (a - uy, b + ux), (a + uy, b - ux)]], INK, "#ffffff", 1.0)


def _arrow(figure: Figure, spots: Sequence[tuple[float, float]], way: tuple[float, float], size: float) -> None:
    """Draw an arrow along a way in that ends before the cells at some spots."""
    far = hypot(*way)
    lean = min(1.0, far)
    if far < 1e-6:
        return
    ux, uy = way[0] / far, way[1] / far
    x, y = (sum(values) / len(spots) for values in zip(*spots, strict=True))
    # The start of the first cell on the way, relative to the middle of the piece.
    begin = min((a - x) * ux + (b - y) * uy for a, b in spots) - 0.75 * size
    long = size * (0.6 + 1.1 * lean)
    tip = x + ux * begin, y + uy * begin
    tail = tip[0] - ux * long, tip[1] - uy * long
    neck = tip[0] - ux * size * 0.34, tip[1] - uy * size * 0.34
    _pointed(figure, [tail, neck, tip], size, 0.34 * 0.62)
