"""Pictures of solids: from the side, and as layers.

Solids of four dimensions are drawn as their sections, which are solids. If a scene from the side is exploded, its
pieces move away from the middle. Exploded layers are above each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf

from puzzlec.geometry import Cell, Lattice, Matrix
from puzzlec.geometry.faces import area, middle, place
from puzzlec.geometry.lattice import at_origin, turned
from puzzlec.geometry.solids import minus
from puzzlec.show.scene import Scene, SceneBody, sections
from puzzlec.show.svg.balls import painter_of
from puzzlec.show.svg.choices import Choices
from puzzlec.show.svg.figure import Figure
from puzzlec.show.svg.flat import flat_figure
from puzzlec.show.svg.isometric import Isometric, Parts
from puzzlec.show.svg.layers import layer_figures, levels
from puzzlec.show.svg.lettering import length
from puzzlec.show.svg.marks import Marks
from puzzlec.show.svg.sheet import CAPTION, GAP, beside
from puzzlec.show.svg.standpoint import Screen, as_points, eye, size_of
from puzzlec.show.svg.visibility import seen

__all__ = ["piece_figure", "solid_figures", "telling_view"]

#: Pieces of more cells are not rotated: trying all rotations takes too long.
MOST_TURNED = 24
#: The size of a cell of a piece in a legend, in px.
PIECE_CELL = 16.0
#: Minimum size of layers that are shrunk into one row, in % of their usual size.
LEAST_SCALE = 50
#: Maximum number of layers beside a solid by default.
MOST_LAYERS = 12


def telling_view(scene: Scene) -> str:
    """Return the view that shows the positions of all pieces of a single solution: with layers, if they are few.

    A view from the side alone would hide the inside.
    """
    if len(scene.bodies) < 2 or scene.lattice.of_edges:
        return "isometric"
    numbers = [len(set(levels(solid).values())) for _, solid in sections(scene)]
    return "both" if max(numbers) > 1 and sum(numbers) <= MOST_LAYERS else "isometric"


def solid_figures(
    scene: Scene, choices: Choices, marks: Marks | None = None, widest: float = inf
) -> list[tuple[str, Figure]]:
    """Return the figures of a scene of solids with their captions, by ``choices.view`` (None: isometric).

    Layers are smaller than usual if all figures then fit side by side. With ``layers`` and ``explode``, the
    layers are seen from the side, one above the other. Raises ValueError for flat lattices, and for cells without
    sections.
    """
    if scene.lattice.dimension < 3:
        raise ValueError("these cells are flat")
    view, marks = choices.view or "isometric", marks or Marks.of(scene, choices)
    captioned = []
    for caption, solid in sections(scene):
        if view in ("isometric", "both"):
            apart = _pieces_apart(solid, choices.explode) if choices.explode > 0 else None
            captioned.append((caption, drawn(solid, choices, apart, marks)))
        if view == "layers" and choices.explode > 0:
            bare = replace(solid, walls=())  # a wall crosses layers, so it cannot move with one of them
            captioned.append((caption, drawn(bare, choices, _layers_apart(bare, choices.explode), marks)))
        elif view in ("layers", "both"):
            layers = layer_figures(solid, choices, marks)
            if not choices.cell and (scale := _scale([figure for _, figure in captioned], layers, widest)) < 1:
                layers = layer_figures(solid, choices, marks, scale)
            captioned += [(f"{layer}, {caption}" if caption else layer, figure) for layer, figure in layers]
    return captioned


def _scale(others: Sequence[Figure], layers: Sequence[tuple[str, Figure]], widest: float) -> float:
    """Return the scale at which layers are beside other figures in one row; 1 if they would be too small."""
    room = widest - sum(figure.box.width + GAP for figure in others) - GAP * (len(layers) - 1)
    sizes = [(figure.box.width, length(caption, CAPTION)) for caption, figure in layers]
    for percent in range(100, LEAST_SCALE - 1, -5):
        if sum(max(wide * percent / 100, caption) for wide, caption in sizes) <= room:
            return percent / 100
    return 1.0


def drawn(scene: Scene, choices: Choices, parts: Parts | None = None, marks: Marks | None = None) -> Figure:
    """Return a scene of three dimensions as seen from the side."""
    return painter_of(scene.lattice)(scene, choices, parts, marks).figure()


def _pieces_apart(scene: Scene, far: float) -> Parts:
    """Return each piece moved away from the middle of all, by a multiple of its distance; walls stay."""
    part = {cell: number for number, body in enumerate(scene.bodies) for cell in body.cells}
    middles = [middle(map(scene.lattice.point, body.cells)) for body in scene.bodies]
    if not middles:
        return Parts()
    whole = middle(middles)
    shifts = {number: tuple([far * value for value in minus(at, whole)]) for number, at in enumerate(middles)}
    return Parts({**dict.fromkeys((*scene.empty, *scene.walls), -1), **part}, shifts)


def _layers_apart(scene: Scene, far: float) -> Parts:
    """Return each layer moved upwards from the one below it, by a multiple of the height of a cell."""
    level, up = levels(scene), as_points(scene.lattice, (0.0, 0.0, size_of(scene.lattice)))
    # A layer has to rise well above the one below, so that both are visible.
    return Parts(level, {number: tuple([4 * far * number * value for value in up]) for number in set(level.values())})


def piece_figure(scene: Scene, choices: Choices, marks: Marks | None = None) -> Figure:
    """Return a piece alone: a solid is rotated so that most of its cells are visible (in four dimensions: sections)."""
    if scene.lattice.dimension < 3:
        return flat_figure(scene, choices, marks)
    sized, marks = replace(choices, cell=choices.cell or PIECE_CELL), marks or Marks.of(scene, choices)
    if scene.lattice.dimension > 3:
        return beside([drawn(solid, sized, None, marks) for _, solid in sections(scene)], 8, on_line=True)
    return drawn(well_turned(scene), sized, None, marks)


def well_turned(scene: Scene) -> Scene:
    """Return a piece rotated so that most of its cells are visible, and then so that it lies lowest."""
    (body,) = scene.bodies
    lattice = scene.lattice
    if len(body.cells) > MOST_TURNED or lattice.of_edges:
        return scene
    best: tuple[tuple[float, float, float, int], SceneBody] | None = None
    seen = set()
    for number, turn in enumerate(lattice.rotations):
        cells = _turned_cells(lattice, body.cells, turn)
        if cells is None:
            continue
        shape = at_origin(map(lattice.point, cells))
        if shape in seen:
            continue
        seen.add(shape)
        there = body._replace(cells=cells)
        heights = [place(lattice, lattice.point(cell))[2] for cell in cells]
        many, large = _telling(replace(scene, bodies=(there,)))
        key = many, -round(max(heights) - min(heights), 6), large, -number
        if best is None or key > best[0]:
            best = key, there
    return scene if best is None else replace(scene, bodies=(best[1],))


def _turned_cells(lattice: Lattice, cells: tuple[Cell, ...], turn: Matrix) -> tuple[Cell, ...] | None:
    images = [lattice.cell(turned(turn, lattice.point(cell))) for cell in cells]
    return None if None in images else tuple([cell for cell in images if cell is not None])


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
