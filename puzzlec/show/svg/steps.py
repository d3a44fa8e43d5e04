"""The assembly of a solution, one picture for each step: what is there already is pale, the new piece has an arrow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import hypot

from puzzlec.diagnostics.error import fail
from puzzlec.geometry import Cell, Lattice, Point
from puzzlec.geometry.faces import place
from puzzlec.ir import Solution
from puzzlec.motion.blocking import in_space
from puzzlec.motion.straight import Assembly, assembly
from puzzlec.show.palette import INK
from puzzlec.show.scene import Scene, sections, solution_scene
from puzzlec.show.svg.balls import Balls, Bars
from puzzlec.show.svg.choices import Choices
from puzzlec.show.svg.figure import Figure
from puzzlec.show.svg.flat import flat_figure
from puzzlec.show.svg.ground import natural_cell
from puzzlec.show.svg.isometric import Isometric, Parts, corners_of, natural_scale
from puzzlec.show.svg.layers import colour_marks
from puzzlec.show.svg.marks import Marks
from puzzlec.show.svg.standpoint import Screen, size_of

#: What is known of the steps: nothing of a box, and nothing of what is moved by other ways.
NO_WALLS = "The steps are for the pieces alone, as if the box had no walls."
#: Pictures of steps are at most this wide or high, in px, and cells in them so large.
WIDEST, LARGEST = 230.0, 22.0
#: More steps than this are not drawn.
MOST = 400


def step_figures(solution: Solution, choices: Choices, marks: Marks | None = None) -> list[tuple[str, Figure]]:
    """Return a picture for each step of the assembly of a solution, with captions such as `2. V`.

    Pieces that interlock are the first picture. Raises ValueError for a puzzle without geometry, PuzzleError (PZ504)
    for more than :data:`MOST` pieces.
    """
    scene = solution_scene(solution)
    if scene is None:
        raise ValueError("without a lattice nothing is put together")
    if len(scene.bodies) > MOST:
        raise fail(
            "PZ504",
            f"an assembly of {len(scene.bodies)} pieces has too many steps to draw",
            solution.fitting.puzzle.span if solution.fitting.puzzle is not None else None,
            note=f"a sheet shows at most {MOST}",
            help="leave `--steps` out, or write a page with `puzzlec view` to go through them",
        )
    order = assembly(solution)
    if scene.lattice.dimension < 3:
        return [
            (caption, _flat_step(scene, (*there, *new), choices, marks))
            for caption, there, new, _ in _steps(scene, order)
        ]
    marks = marks or colour_marks(scene, choices)
    found = []
    for caption, there, new, way in _steps(scene, order):
        fresh = {cell for number in new for cell in scene.bodies[number].cells}
        shown = replace(scene, bodies=tuple([scene.bodies[number] for number in (*there, *new)]))
        found.append((caption, _beside([
            _solid_step(solid, inside, way if len(new) == 1 else (), choices, marks)
            for solid, inside in _solids(shown, fresh)
        ])))  # fmt: skip
    return found


def _steps(scene: Scene, order: Assembly) -> Iterator[tuple[str, tuple[int, ...], tuple[int, ...], Point]]:
    """Give for each picture its caption, the bodies that are there, the new ones, and the way in."""
    there = order.together
    if there:
        yield f"{len(there)} pieces that interlock", (), there, ()
    for number, (placement, way) in enumerate(order.steps, 1):
        yield f"{number}. {scene.bodies[placement].name}", there, (placement,), way
        there = (*there, placement)


def _solids(scene: Scene, fresh: set[Cell]) -> Iterator[tuple[Scene, set[Cell]]]:
    """Give the solids that a scene consists of, each with its new cells: the sections of one of four dimensions."""
    if scene.lattice.dimension < 4:
        yield scene, fresh
        return
    for w, (_, section) in zip(sorted({cell[3] for cell in scene.cells}), sections(scene), strict=True):
        yield section, {cell[:3] for cell in fresh if cell[3] == w}


def _beside(figures: Sequence[Figure]) -> Figure:
    """Return figures beside each other, as one."""
    whole, left = Figure(), 0.0
    for figure in figures:
        whole.add(figure, left - figure.box.left, 0)
        left += figure.box.width + 14
    return whole if len(figures) > 1 else figures[0]


def _flat_step(scene: Scene, shown: Sequence[int], choices: Choices, marks: Marks | None) -> Figure:
    """Return a flat board with some of its pieces."""
    size = choices.cell or natural_cell(scene.lattice, scene.cells, WIDEST, LARGEST)
    part = replace(scene, bodies=tuple([scene.bodies[number] for number in sorted(shown)]))
    return flat_figure(part, choices.of_size(size), marks)


def _solid_step(scene: Scene, fresh: set[Cell], way: Point, choices: Choices, marks: Marks | None) -> Figure:
    """Return a solid with new cells in full colour; the others are there already."""
    lattice, board = scene.lattice, scene.board
    size = choices.cell
    if size is None:
        size = natural_scale(scene, choices, None, WIDEST, LARGEST) * size_of(lattice)
    chosen = choices.of_size(size)
    faded = frozenset(number for number, body in enumerate(scene.bodies) if not fresh.intersection(body.cells))
    part = replace(scene, board={})
    parts = Parts(faded=faded)
    drawn: Balls | Bars | Isometric
    if lattice.of_balls:
        drawn = Balls(part, chosen, parts, marks)
    elif lattice.of_edges:
        drawn = Bars(part, chosen, parts)
    else:
        standpoint = Isometric(replace(scene, bodies=()), chosen).screen.eye
        drawn = Isometric(part, chosen, parts, marks, standpoint)
    figure = drawn.figure() if part.bodies else Figure()
    for cell in board:
        if lattice.of_balls:
            figure.reach(drawn.screen.spot(place(lattice, lattice.point(cell))), size / 2)
        else:
            for corner in corners_of(lattice, cell):
                figure.reach(drawn.screen.spot(corner), 1.3)
    if any(way[:3]) and fresh:
        _arrow(figure, drawn.screen, lattice, sorted(fresh), way[:3], size)
    return figure


def _arrow(figure: Figure, screen: Screen, lattice: Lattice, cells: Sequence[Cell], way: Point, size: float) -> None:
    """Draw an arrow that leads along a way in to cells, and ends before them."""
    dx, dy = screen.spot(in_space(lattice, way))
    far = hypot(dx, dy)
    lean = min(1.0, far / screen.scale)
    if far < 1e-6:
        return
    ux, uy = dx / far, dy / far
    spots = [screen.spot(place(lattice, lattice.point(cell))) for cell in cells]
    x, y = (sum(values) / len(spots) for values in zip(*spots, strict=True))
    # Where the first cell on the way begins, as seen from the middle of the piece.
    begin = min((a - x) * ux + (b - y) * uy for a, b in spots) - 0.75 * size
    long = size * (0.6 + 1.1 * lean)
    tip = x + ux * begin, y + uy * begin
    tail = tip[0] - ux * long, tip[1] - uy * long
    head = size * 0.34
    neck = tip[0] - ux * head, tip[1] - uy * head
    width = max(2.0, size * 0.11)
    figure.line(tail, neck, "#ffffff", width + 2.4)
    figure.line(tail, neck, INK, width)
    wing = head * 0.62
    figure.region(
        [[tip, (neck[0] - uy * wing, neck[1] + ux * wing), (neck[0] + uy * wing, neck[1] - ux * wing)]],
        INK,
        "#ffffff",
        1.0,
    )
