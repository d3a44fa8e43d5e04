"""Pictures of solids: from the side, as layers, and step by step.

Solids of four dimensions are drawn as their sections, which are solids. If a scene from the side is exploded, its
pieces move away from the middle. Exploded layers are above each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import hypot

from puzzlec.diagnostics.error import fail
from puzzlec.geometry import Cell, Lattice, Matrix, Point
from puzzlec.geometry.faces import Place, place
from puzzlec.geometry.lattice import turned
from puzzlec.ir import Solution
from puzzlec.motion.blocking import in_space
from puzzlec.motion.straight import Assembly, assembly
from puzzlec.show.palette import INK
from puzzlec.show.scene import Body, Scene, sections, solution_scene
from puzzlec.show.svg.balls import Balls, Bars
from puzzlec.show.svg.choices import Choices
from puzzlec.show.svg.figure import Figure
from puzzlec.show.svg.flat import flat_figure
from puzzlec.show.svg.ground import area, natural_cell
from puzzlec.show.svg.isometric import Isometric, Parts, corners_of, natural_scale
from puzzlec.show.svg.layers import colour_marks, layer_figures, levels
from puzzlec.show.svg.marks import Marks
from puzzlec.show.svg.standpoint import Screen, as_points, eye, size_of
from puzzlec.show.svg.visibility import seen

__all__ = ["piece_figure", "solid_figures", "step_figures", "telling_view"]

#: Pieces of more cells are not rotated: trying all rotations takes too long.
MOST_TURNED = 24
#: The size of a cell of a piece in a legend, in px.
PIECE_CELL = 16.0
#: The most layers beside a solid by default.
MOST_LAYERS = 12


def telling_view(scene: Scene) -> str:
    """Return the view that shows the places of all pieces of a single solution: with layers, if they are few.

    From the side alone the inside is hidden.
    """
    if len(scene.bodies) < 2 or scene.lattice.of_edges:
        return "isometric"
    numbers = [len(set(levels(solid).values())) for _, solid in sections(scene)]
    return "both" if max(numbers) > 1 and sum(numbers) <= MOST_LAYERS else "isometric"


def solid_figures(scene: Scene, choices: Choices, marks: Marks | None = None) -> list[tuple[str, Figure]]:
    """Return the figures of a scene of solids with their captions, by ``choices.view`` (None: isometric).

    With ``layers`` and ``explode``, the layers are seen from the side, one above the other. Raises ValueError for flat
    lattices, and for cells without sections.
    """
    if scene.lattice.dimension < 3:
        raise ValueError("these cells are flat")
    view, marks = choices.view or "isometric", marks or colour_marks(scene, choices)
    found = []
    for caption, solid in sections(scene):
        if view in ("isometric", "both"):
            apart = _pieces_apart(solid, choices.explode) if choices.explode > 0 else None
            found.append((caption, drawn(solid, choices, apart, marks)))
        if view == "layers" and choices.explode > 0:
            found.append((caption, drawn(solid, choices, _layers_apart(solid, choices.explode), marks)))
        elif view in ("layers", "both"):
            found += [
                (f"{each}, {caption}" if caption else each, figure)
                for each, figure in layer_figures(solid, choices, marks)
            ]
    return found


def drawn(scene: Scene, choices: Choices, parts: Parts | None = None, marks: Marks | None = None) -> Figure:
    """Return a scene of three dimensions as seen from the side."""
    if scene.lattice.of_balls:
        return Balls(scene, choices, parts, marks).figure()
    if scene.lattice.of_edges:
        return Bars(scene, choices, parts).figure()
    return Isometric(scene, choices, parts, marks).figure()


def _pieces_apart(scene: Scene, far: float) -> Parts:
    """Return each piece moved away from the middle of all, by a multiple of its distance."""
    part = {cell: number for number, body in enumerate(scene.bodies) for cell in body.cells}
    middles = {number: _middle(scene.lattice, body.cells) for number, body in enumerate(scene.bodies)}
    if not middles:
        return Parts()
    whole = tuple([sum(values) / len(middles) for values in zip(*middles.values(), strict=True)])
    shifts = {
        number: tuple([far * (a - b) for a, b in zip(middle, whole, strict=True)]) for number, middle in middles.items()
    }
    return Parts({**dict.fromkeys(scene.empty, -1), **part}, shifts)


def _layers_apart(scene: Scene, far: float) -> Parts:
    """Return each layer moved upwards from the one below it, by a multiple of the height of a cell."""
    level, up = levels(scene), _upwards(scene.lattice)
    # A layer has to rise well above the one below, so that both are visible.
    return Parts(level, {number: tuple([4 * far * number * value for value in up]) for number in set(level.values())})


def _upwards(lattice: Lattice) -> Place:
    """Return the vector between points that leads up by the size of a cell."""
    return as_points(lattice, (0.0, 0.0, size_of(lattice)))


def _middle(lattice: Lattice, cells: tuple[Cell, ...]) -> Place:
    points = [lattice.point(cell) for cell in cells]
    return tuple([sum(values) / len(points) for values in zip(*points, strict=True)])


def piece_figure(scene: Scene, choices: Choices, marks: Marks | None = None) -> Figure:
    """Return a piece alone, rotated so that most of its cells are visible (in four dimensions: its sections)."""
    chosen, marks = (
        replace(choices, labels="none", cell=choices.cell or PIECE_CELL),
        marks or colour_marks(scene, choices),
    )
    if scene.lattice.dimension > 3:
        whole, left = Figure(), 0.0
        for _, solid in sections(scene):
            figure = drawn(solid, chosen, None, marks)
            whole.add(figure, left - figure.box.left, -figure.box.bottom)
            left += figure.box.width + 8
        return whole
    return drawn(well_turned(scene), chosen, None, marks)


def well_turned(scene: Scene) -> Scene:
    """Return a piece rotated so that most of its cells are visible, and then so that it lies lowest."""
    (body,) = scene.bodies
    lattice = scene.lattice
    if len(body.cells) > MOST_TURNED or lattice.of_edges:
        return scene
    best: tuple[tuple[float, float, float, int], Body] | None = None
    known = set()
    for number, turn in enumerate(lattice.rotations):
        cells = _turned_cells(lattice, body.cells, turn)
        if cells is None:
            continue
        shape = _shape(lattice, cells)
        if shape in known:
            continue
        known.add(shape)
        there = replace(body, cells=cells)
        heights = [place(lattice, lattice.point(cell))[2] for cell in cells]
        many, large = _telling(replace(scene, bodies=(there,)))
        key = many, -round(max(heights) - min(heights), 6), large, -number
        if best is None or key > best[0]:
            best = key, there
    return scene if best is None else replace(scene, bodies=(best[1],))


def _turned_cells(lattice: Lattice, cells: tuple[Cell, ...], turn: Matrix) -> tuple[Cell, ...] | None:
    found = [lattice.cell(turned(turn, lattice.point(cell))) for cell in cells]
    return None if None in found else tuple([cell for cell in found if cell is not None])


def _shape(lattice: Lattice, cells: tuple[Cell, ...]) -> frozenset[tuple[int, ...]]:
    points = [lattice.point(cell) for cell in cells]
    least = min(points)
    return frozenset(tuple([a - b for a, b in zip(point, least, strict=True)]) for point in points)


def _telling(scene: Scene) -> tuple[float, float]:
    """Return the number of visible cells (for balls, their distance in the picture), and their visible area."""
    lattice = scene.lattice
    if lattice.of_balls:
        screen = Screen(lattice, 1.0)
        spots = [screen.spot(place(lattice, lattice.point(cell))) for cell in scene.bodies[0].cells]
        near = [(a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 for k, a in enumerate(spots) for b in spots[:k]]
        return round(min(near, default=0.0), 6), round(sum(near), 6)
    picture = Isometric(scene, Choices(cell=10.0), None, None, eye(lattice))
    polygons = seen(picture.sides(), picture.screen.eye).polygons
    seen_parts = [[picture.spot(spot) for spot in corners] for those in polygons.values() for _, corners in those]
    return float(len(polygons)), round(sum(map(area, seen_parts)), 3)


#: The limits of the steps: they ignore the box and all but straight moves.
NO_WALLS = "The steps are for the pieces alone, as if the box had no walls."
#: The largest size of pictures of steps and of their cells, in px.
WIDEST, LARGEST = 230.0, 22.0
#: The most steps of a picture.
MOST = 400


def step_figures(solution: Solution, choices: Choices, marks: Marks | None = None) -> list[tuple[str, Figure]]:
    """Return a picture for each step of the assembly of a solution, with captions such as `2. V`.

    Pieces that interlock are the first picture. Raises ValueError for a puzzle without geometry, PuzzleError (PZ504)
    for more than :data:`MOST` pieces.
    """
    scene = solution_scene(solution)
    if scene is None:
        raise ValueError("a puzzle without geometry has no steps")
    if len(scene.bodies) > MOST:
        raise fail(
            "PZ504",
            f"an assembly of {len(scene.bodies)} pieces has too many steps to draw",
            solution.fitting.puzzle.span if solution.fitting.puzzle is not None else None,
            note=f"a sheet shows at most {MOST}",
            help="remove `--steps`, or use `puzzlec view`",
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
    """Return a solid with new cells in full colour and the others pale."""
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
    """Draw an arrow along a way in that ends before the cells."""
    dx, dy = screen.spot(in_space(lattice, way))
    far = hypot(dx, dy)
    lean = min(1.0, far / screen.scale)
    if far < 1e-6:
        return
    ux, uy = dx / far, dy / far
    spots = [screen.spot(place(lattice, lattice.point(cell))) for cell in cells]
    x, y = (sum(values) / len(spots) for values in zip(*spots, strict=True))
    # The start of the first cell on the way, relative to the middle of the piece.
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
