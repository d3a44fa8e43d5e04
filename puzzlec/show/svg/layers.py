"""The layers of a solid side by side, from the table upwards, as in printed solutions.

Layers that lie straight on each other are flat figures: pieces as joined outlines. A small triangle upwards or
downwards marks cells whose piece continues in the layer above or below. Balls are discs, over the outlines of the balls
that carry them. Layers of other lattices are slices, seen from the side.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import gcd, hypot

from puzzlec.geometry import Cell, Lattice
from puzzlec.geometry.faces import place
from puzzlec.geometry.lattice import neighbours
from puzzlec.geometry.layers import layer_of
from puzzlec.show.palette import INK, ink_on
from puzzlec.show.scene import Scene, SceneBody
from puzzlec.show.svg.balls import RIM, painter_of, touching
from puzzlec.show.svg.choices import Choices
from puzzlec.show.svg.figure import Box, Figure
from puzzlec.show.svg.flat import flat_figure
from puzzlec.show.svg.ground import Ground, natural_cell
from puzzlec.show.svg.isometric import LEAST_LETTER, corners_of
from puzzlec.show.svg.marks import Marks, farthest, fitting_size
from puzzlec.show.svg.standpoint import size_of

#: The largest width of layers and of their cells, in px.
_MAX_LAYER_PX, _MAX_CELL_PX = 260.0, 26.0


def layer_figures(
    scene: Scene, choices: Choices, marks: Marks | None = None, scale: float = 1.0
) -> list[tuple[str, Figure]]:
    """Return the layers of a scene of solids, the lowest first, with captions such as `z=0`.

    ``scale`` makes cells smaller than usual if no size is chosen.
    """
    if scene.lattice.of_balls:
        return list(_ball_layers(scene, choices, scale))
    flat = layer_of(scene.lattice)
    if flat is not None:
        return list(_flat_layers(scene, flat, choices, marks, scale))
    return list(_slices(scene, choices, marks, scale))


def levels(scene: Scene) -> dict[Cell, int]:
    """Return the number of the layer of each cell, from the table upwards.

    A layer is as thick as the vertical period of the lattice; for balls, each height is a layer.
    """
    lattice = scene.lattice
    if lattice.of_balls:
        return _ranked({cell: round(place(lattice, lattice.point(cell))[2], 6) for cell in scene.cells})
    if layer_of(lattice) is not None:
        least = min((cell[2] for cell in scene.extent), default=0)
        return {cell: cell[2] - least for cell in scene.extent}
    thick = _thickness(scene)
    middles = {cell: place(lattice, lattice.point(cell))[2] for cell in scene.cells}
    low = min((corner[2] for cell in scene.cells for corner in corners_of(lattice, cell)), default=0.0)
    return _ranked({cell: (middle - low + 1e-9) // thick for cell, middle in middles.items()})


def _ranked(heights: Mapping[Cell, float]) -> dict[Cell, int]:
    """Return the number of each height among all heights."""
    order = {height: number for number, height in enumerate(sorted(set(heights.values())))}
    return {cell: order[height] for cell, height in heights.items()}


def _thickness(scene: Scene) -> float:
    """Return the least height of translations (of lattices whose translations have integer heights)."""
    heights = [abs(place(scene.lattice, vector)[2]) for vector in scene.lattice.translations]
    scaled = [round(height * 1e6) for height in heights if height > 1e-6]
    return gcd(*scaled) / 1e6 if scaled else size_of(scene.lattice)


def layer_scenes(scene: Scene) -> list[Scene]:
    """Return the layers of a scene as scenes, the lowest first; bodies keep their order."""
    level = levels(scene)
    numbers = range(max(level.values(), default=-1) + 1)
    return [scene.at({cell: cell for cell, there in level.items() if there == number}) for number in numbers]


def _flat_layers(
    scene: Scene, flat: Lattice, choices: Choices, marks: Marks | None, scale: float
) -> Iterator[tuple[str, Figure]]:
    owner = scene.owner
    down = {cell: (*cell[:2], *cell[3:]) for cell in scene.extent}
    size = choices.cell or scale * natural_cell(flat, down.values(), _MAX_LAYER_PX, _MAX_CELL_PX)
    ground = Ground(flat, size)
    box = Box.about(map(ground.middle, down.values()))
    if choices.labels == "auto":
        choices = replace(choices, labels="signs")  # the same in all layers
    least = min(cell[2] for cell in scene.extent)
    for number, layer in enumerate(layer_scenes(scene)):
        figure = flat_figure(layer.at(down, flat), choices.of_size(size), marks)
        figure.reach(box[:2], ground.cell / 2)
        figure.reach(box[2:], ground.cell / 2)
        if size >= 9 and len(scene.bodies) > 1:
            figure.region(
                [
                    _triangle(ground, down[cell], way)
                    for body in layer.bodies
                    for cell in body.cells
                    for way in (1, -1)
                    if owner.get((*cell[:2], cell[2] + way, *cell[3:])) == owner[cell]
                ],
                INK,
            )
        yield f"z={least + number}", figure


def _triangle(ground: Ground, cell: Cell, way: int) -> list[tuple[float, float]]:
    """Return a small triangle in the upper (or lower) right of a cell: the piece continues above (or below)."""
    room = ground.cell * 0.5 if len(corners := ground.corners(cell)) == 4 else farthest([corners], 0.5)[1]
    x, y = ground.middle(cell)
    return _arrowhead((x + room * 0.6, y - way * room * 0.52), min(3.4, room * 0.26), way)


def _arrowhead(at: tuple[float, float], size: float, way: int) -> list[tuple[float, float]]:
    """Return a small triangle that points up or down."""
    x, y = at
    return [(x - size, y + way * size * 0.8), (x + size, y + way * size * 0.8), (x, y - way * size * 0.9)]


def _ball_layers(scene: Scene, choices: Choices, scale: float) -> Iterator[tuple[str, Figure]]:
    places = {cell: place(scene.lattice, scene.lattice.point(cell))[:2] for cell in scene.cells}
    ball, wide = size_of(scene.lattice), max(map(hypot, *zip(*places.values(), strict=True)))
    size = choices.cell or min(_MAX_CELL_PX * scale, max(3.0, scale * _MAX_LAYER_PX * ball / max(wide, 1e-9)))
    spots = {cell: (x * size / ball, -y * size / ball) for cell, (x, y) in places.items()}
    box = Box.about(spots.values())
    below: list[Cell] = []
    for number, layer in enumerate(layer_scenes(scene)):
        figure = Figure()
        figure.reach(box[:2], size / 2)
        figure.reach(box[2:], size / 2)
        for cell in below:
            figure.circle(spots[cell], size / 2 - 1, "none", "#d5dade", 0.8)
        for cell in layer.empty:
            figure.circle(spots[cell], size / 2 - 0.5, "#f3f5f7", RIM, 0.8)
        for body in layer.bodies:
            with figure.group(body.name):
                _ball_part(figure, scene, body, spots, size, choices)
        yield f"layer {number + 1}", figure
        below = list(layer.cells)


def _ball_part(
    figure: Figure,
    scene: Scene,
    body: SceneBody,
    spots: Mapping[Cell, tuple[float, float]],
    size: float,
    choices: Choices,
) -> None:
    """Draw the balls of a piece in one layer: discs with bars between them, outlined together."""
    fill = choices.fill(body)
    line, radius = min(1.6, max(0.6, size * 0.05)), size / 2
    bars = [[spots[one], spots[two]] for one, two in touching(scene.lattice, body.cells)]
    figure.lines(bars, INK, radius * 0.8 + line)
    for cell in body.cells:
        figure.circle(spots[cell], radius - line / 2, fill, INK, line)
    figure.lines(bars, fill, radius * 0.8 - line)
    whole = scene.bodies[scene.owner[body.cells[0]]]
    if choices.labels != "none" and body.cells and len(scene.bodies) > 1:
        text = body.name if choices.labels == "names" else body.label
        letter = fitting_size(text, radius * 0.5, 15)
        if letter >= LEAST_LETTER:
            figure.text(spots[body.cells[0]], text, letter, colour=ink_on(fill))
    heights = {cell: place(scene.lattice, scene.lattice.point(cell))[2] for cell in whole.cells}
    for cell in body.cells:
        for other in sorted(heights.keys() & neighbours(cell, scene.lattice)):
            rise = heights[other] - heights[cell]
            if abs(rise) > 1e-6:
                _pointer(figure, spots[cell], spots[other], radius, 1 if rise > 0 else -1)


def _pointer(figure: Figure, at: tuple[float, float], to: tuple[float, float], radius: float, way: int) -> None:
    """Draw a small triangle (up or down) on a ball, on the side where the next ball of its piece is."""
    dx, dy = to[0] - at[0], to[1] - at[1]
    far = hypot(dx, dy)
    at = (at[0] + dx / far * radius * 0.72, at[1] + dy / far * radius * 0.72) if far > 1e-6 else at
    figure.region([_arrowhead(at, min(2.6, radius * 0.18), way)], INK)


def _slices(scene: Scene, choices: Choices, marks: Marks | None, scale: float) -> Iterator[tuple[str, Figure]]:
    layers, painter = layer_scenes(scene), painter_of(scene.lattice)
    sized = choices if choices.cell else choices.of_size(scale * _MAX_CELL_PX)
    standpoint = painter(scene, sized).screen.eye
    for number, layer in enumerate(layers, 1):
        yield f"slice {number} of {len(layers)}", painter(layer, sized, None, marks, standpoint).figure()
