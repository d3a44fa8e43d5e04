"""Pictures of an assembly, step by step: single pieces that are put in, or the moves of a plan."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from math import atan2, cos, dist, hypot, radians, sin
from operator import itemgetter

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
from puzzlec.show.svg.isometric import Parts, corners_of, natural_scale
from puzzlec.show.svg.marks import Marks
from puzzlec.show.svg.sheet import beside
from puzzlec.show.svg.standpoint import Screen, size_of

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
    flat = scene.lattice.dimension < 3
    marks = marks or (None if flat else Marks.of(scene, choices))
    if plan.moves:
        return _move_figures(scene, plan.moves, puzzle, choices, marks)
    # If all pieces hold one another, the first picture would be the last one again.
    same = len(plan.hold) == len(scene.bodies) and not plan.straight.steps
    steps = () if same else _steps(scene, plan.straight)
    if flat:
        laid = [(caption, _flat_step(scene, (*there, *new), choices, marks)) for caption, there, new, _ in steps]
        return laid + _held(scene, plan, puzzle, choices, marks)
    captioned = []
    for caption, there, new, way in steps:
        fresh = {cell for number in new for cell in scene.bodies[number].cells}
        stage = replace(scene, bodies=tuple([scene.bodies[number] for number in (*there, *new)]))
        captioned.append((caption, _moment(stage, fresh, way if len(new) == 1 else (), choices, marks)))
    return captioned + _held(scene, plan, puzzle, choices, marks)


def _held(
    scene: Scene, plan: PicturePlan, puzzle: Puzzle, choices: Choices, marks: Marks | None
) -> list[tuple[str, Figure]]:
    """Return a picture of the pieces that hold together among pale ones, if the plan names some."""
    if not plan.hold:
        return []
    names = numbered([body.name for body in scene.bodies])
    fresh = {cell for body in plan.hold for cell in scene.bodies[body].cells}
    held_scene = replace(scene, board={cell: Location(cell) for cell in puzzle.movement.walls})
    still = (0,) * len(scene.lattice.translations[0])
    size = choices.of_size(choices.cell or natural_size(held_scene, choices))
    figure = _moment(held_scene, fresh, still, size, marks, scene.cells)
    walled = " and the walls" if plan.walled else ""
    if len(plan.hold) == len(scene.bodies) > MOST_NAMES and not plan.straight.steps:
        return [(f"{len(plan.hold)} pieces{walled} hold together", figure)]
    return [(f"held by {_several([names[body] for body in plan.hold])}{walled}", figure)]


def _check_number(number: int, what: str, puzzle: Puzzle) -> None:
    if number > MAX_STEPS:
        raise fail(
            "PZ504",
            f"an assembly of {number} {what} has too many steps to draw",
            puzzle.span,
            note=f"a sheet shows at most {MAX_STEPS}",
            help="remove `--steps`, or use `puzzlec view`",
        )


def _move_figures(
    scene: Scene, moves: Sequence[PictureMove], puzzle: Puzzle, choices: Choices, marks: Marks | None
) -> list[tuple[str, Figure]]:
    """Return a picture for each move of a plan, the last move of taking apart first."""
    captioned = []
    names = numbered([body.name for body in scene.bodies])
    walls = {cell: Location(cell) for cell in puzzle.movement.walls}
    stages = [stage_of(scene, move) for move in moves]
    scenes = [
        replace(scene, bodies=tuple(stage.values()), board=walls if move.wall else {})
        for move, stage in zip(moves, stages, strict=True)
    ]
    if choices.cell is None:
        choices = choices.of_size(min(natural_size(moving, choices) for moving in scenes))
    for number, (move, stage, moving) in enumerate(reversed([*zip(moves, stages, scenes, strict=True)]), 1):
        caption = f"{number}. {_several([names[body] for body in move.pieces])}"
        if move.turn is not None:
            caption += " turns" if len(move.pieces) == 1 else " turn"
        fresh = {cell for body in move.pieces for cell in stage[body].cells}
        way = tuple([-value for value in move.way])
        captioned.append((caption, _moment(moving, fresh, move.turn or way, choices, marks, scene.cells)))
    return captioned


def stage_of(scene: Scene, move: PictureMove) -> dict[int, SceneBody]:
    """Return the bodies on the stage before a move of taking apart, where they are then."""
    return {
        body: scene.bodies[body]._replace(cells=move.cells(scene.lattice, body, scene.bodies[body].cells))
        for body in move.there
    }


def natural_size(
    scene: Scene, choices: Choices, widest: float = MAX_STEP_PX, largest: float = MAX_STEP_CELL_PX
) -> float:
    """Return the size of cells with which a picture has at most these sizes; default: those of a step."""
    if scene.lattice.dimension < 3:
        return natural_cell(scene.lattice, scene.cells, widest, largest)
    return min(
        natural_scale(solid, choices, None, widest, largest) * size_of(solid.lattice) for _, solid in sections(scene)
    )


def _several(names: Sequence[str]) -> str:
    """Return a few names, or the number of many."""
    return ", ".join(names) if len(names) <= MOST_NAMES else f"{len(names)} pieces"


def _steps(scene: Scene, order: AssemblyOrder) -> Iterator[tuple[str, tuple[int, ...], tuple[int, ...], Point]]:
    """Yield for each picture its caption, the bodies in it, the new ones, and the way in."""
    there = order.together
    if there:
        yield f"{len(there)} pieces that interlock", (), there, ()
    for number, (placement, way) in enumerate(order.steps, 1):
        yield f"{number}. {scene.bodies[placement].name}", there, (placement,), way
        there = (*there, placement)


def _solids(scene: Scene, fresh: set[Cell]) -> Iterator[tuple[Scene, set[Cell]]]:
    """Yield the solids of a scene, each with its new cells: the sections in four dimensions."""
    if scene.lattice.dimension < 4:
        yield scene, fresh
        return
    for w, (_, section) in zip(sorted({cell[3] for cell in scene.cells}), sections(scene), strict=True):
        yield section, {cell[:3] for cell in fresh if cell[3] == w}


def _moment(
    scene: Scene,
    fresh: set[Cell],
    way: Point | Rotation,
    choices: Choices,
    marks: Marks | None,
    room: Sequence[Cell] = (),
) -> Figure:
    """Return pieces with an arrow along the way in of the new cells, in four dimensions as sections side by side."""
    if scene.lattice.dimension < 3:
        return _flat_move(scene, fresh, way, choices, marks)
    figures = [_solid_step(solid, inside, way, choices, marks, room) for solid, inside in _solids(scene, fresh)]
    return beside(figures, 14)


def _flat_step(scene: Scene, numbers: Sequence[int], choices: Choices, marks: Marks | None) -> Figure:
    """Return a flat board with some of its pieces."""
    size = choices.cell or natural_size(scene, choices)
    part = replace(scene, bodies=tuple([scene.bodies[number] for number in sorted(numbers)]))
    return flat_figure(part, choices.of_size(size), marks)


def _flat_move(scene: Scene, fresh: set[Cell], way: Point | Rotation, choices: Choices, marks: Marks | None) -> Figure:
    """Return flat pieces after a move: those that moved in full colour, with an arrow, the others pale."""
    figure, lattice = Figure(), scene.lattice
    moved = [body for body in scene.bodies if fresh.intersection(body.cells)]
    others = [body for body in scene.bodies if not fresh.intersection(body.cells)]
    with figure.group("", 0.45):
        figure.add(flat_figure(replace(scene, bodies=tuple(others)), choices, marks))
    figure.add(flat_figure(replace(scene, bodies=tuple(moved), board={}), choices, marks))
    ground = ground_of(lattice, choices.cell or MAX_STEP_CELL_PX, choices.rotate)
    if isinstance(way, Rotation):
        _turn_arrow(figure, lattice, way, fresh, ground.spot, choices.cell or MAX_STEP_CELL_PX)
        return figure
    spots = [ground.middle(cell) for cell in sorted(fresh)]
    start, end = (ground.at(shift) for shift in ((0,) * len(way), way))
    _arrow(figure, spots, (end[0] - start[0], end[1] - start[1]), choices.cell or MAX_STEP_CELL_PX)
    return figure


def _solid_step(
    scene: Scene,
    fresh: set[Cell],
    way: Point | Rotation,
    choices: Choices,
    marks: Marks | None,
    room: Sequence[Cell] = (),
) -> Figure:
    """Return a solid with new cells in full colour and the others pale.

    The pictures of all steps have room for the whole board. With ``room``, these cells are the whole board, and that of
    the scene is the walls: they are drawn as a frame.
    """
    lattice, frame = scene.lattice, scene.board if room else {}
    size = choices.cell or natural_size(scene, choices)
    sized = choices.of_size(size)
    if sized.labels == "auto":
        sized = replace(sized, labels="signs")  # the first piece has its letter even though it is alone
    faded = frozenset(number for number, body in enumerate(scene.bodies) if not fresh.intersection(body.cells))
    part, painter = replace(scene, board=frame), painter_of(lattice)
    board = {cell: Location(cell) for cell in room} if lattice.dimension == len(next(iter(room), ())) else scene.board
    standpoint = painter(replace(scene, bodies=(), board=board), sized).screen.eye
    drawn = painter(part, sized, Parts(faded=faded), marks, standpoint)
    figure = drawn.figure() if part.bodies else Figure()
    for cell in scene.board:
        if lattice.of_balls:
            figure.reach(drawn.screen.spot(place(lattice, lattice.point(cell))), size / 2)
        else:
            for corner in corners_of(lattice, cell):
                figure.reach(drawn.screen.spot(corner), 1.3)
    if isinstance(way, Rotation):
        _turn_arrow(figure, lattice, way, fresh, lambda at: drawn.screen.spot((at[0], -at[1], at[2])), size)
    elif any(way[:3]) and fresh:
        spots = [drawn.screen.spot(place(lattice, lattice.point(cell))) for cell in sorted(fresh)]
        _arrow(figure, spots, _seen(drawn.screen, lattice, way), size)
    return figure


def _seen(screen: Screen, lattice: Lattice, way: Point) -> tuple[float, float]:
    """Return a vector of length 1 in space, along a way, as it is seen."""
    x, y = screen.spot(in_space(lattice, way[:3]))
    return x / screen.scale, y / screen.scale


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
