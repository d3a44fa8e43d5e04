"""Pieces as things to hold: a closed mesh for each, with a part for each of several colours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np

from puzzlec.diagnostics.error import fail
from puzzlec.geometry import Cell, Lattice
from puzzlec.geometry.faces import exact_corners, place, scale_of
from puzzlec.make.choices import Sizes
from puzzlec.make.hulls import convex, finished, finished_boxes
from puzzlec.make.mesh import GRID_MM, Floats, Manifold, Mesh, is_nothing, joined, library, mesh_of, united
from puzzlec.make.shells import balls, bars, corners_of, extruded, middle_of, slab, solid_cells, unit
from puzzlec.show.scene import SceneBody


@dataclass(frozen=True, eq=False)
class ModelThing:
    """A piece: its mesh, the same in parts of one colour each, and a rough form whose hull shows how it can lie.

    ``is_tray``: it is a tray, a box or a lid.
    """

    name: str
    mesh: Mesh
    parts: tuple[tuple[str, Mesh], ...]
    rough: Mesh
    is_tray: bool = False

    def moved(self, matrix: Floats | None, step: Floats) -> ModelThing:
        """Return the piece rotated by a matrix (None: not at all) and then moved."""
        parts = tuple([(colour, part.moved(matrix, step)) for colour, part in self.parts])
        return ModelThing(self.name, self.mesh.moved(matrix, step), parts, self.rough.moved(matrix, step), self.is_tray)


def thing(body: SceneBody, lattice: Lattice, sizes: Sizes, colours: Mapping[str, str]) -> ModelThing:
    """Return a piece as a thing in its position; ``colours`` are the colours of names.

    Raises PuzzleError (PZ506) if the sizes leave nothing of it, or nothing of one of its parts.
    """
    manifold = _form(lattice, body.cells, sizes)
    if is_nothing(manifold):
        raise fail(
            "PZ506",
            f"nothing is left of `{body.name}`, or of a part of it",
            note=f"the cell is {sizes.cell:g} mm; {_taken(lattice, sizes)}",
            help="choose a smaller gap or bevel, or a larger cell",
        )
    whole = mesh_of(manifold)
    fill = fill_of(body, sizes)
    parts = [(colour, mesh_of(part)) for colour, part in _parts(body, lattice, sizes, colours, manifold)]
    if len(parts) < 2:  # one mesh is enough for one colour
        parts = [(parts[0][0] if parts else fill, whole)]
    rough = _rough_balls(lattice, body.cells, sizes) if lattice.of_balls else whole
    return ModelThing(body.name, whole, tuple(parts), rough)


def _taken(lattice: Lattice, sizes: Sizes) -> str:
    gap = f"the gap takes {sizes.gap / 2:g} mm from every side"
    return gap if lattice.of_balls or not sizes.bevel else f"{gap}, the bevel {sizes.bevel:g} mm from every edge"


def _form(lattice: Lattice, cells: Sequence[Cell], sizes: Sizes) -> Manifold:
    """Return the solid of cells of a lattice."""
    if lattice.dimension > 3 or (lattice.dimension == 3 and lattice.of_edges):
        what = "edges in space" if lattice.of_edges else f"cells of {lattice.dimension} dimensions"
        raise fail("PZ504", f"cannot make a model of {what}", help="`puzzlec draw` and `puzzlec view` show the puzzle")
    if lattice.of_balls:
        return balls(lattice, cells, sizes)
    if lattice.of_edges:
        return _whole(bars(lattice, cells, sizes), 0, sizes.bevel)
    boxes = _boxes(lattice, cells, sizes)
    if boxes is not None:
        return boxes
    if lattice.dimension < 3:
        return _whole(slab(lattice, cells, sizes, height_of(sizes)), 0, sizes.bevel)
    return _whole(solid_cells(lattice, cells, sizes), sizes.gap / 2, sizes.bevel)


def _whole(raw: Manifold, back: float, bevel: float) -> Manifold:
    """Return a solid set back and chamfered; empty if one of its parts would be gone."""
    made = finished(raw, back, bevel)
    return made if _parts_in(made) >= _parts_in(raw) else library().Manifold()


def _parts_in(solid: Manifold) -> int:
    """Return the number of parts of a solid; surfaces around hollows, which have negative volumes, do not count."""
    return sum(part.volume() > 0 for part in solid.decompose())


def _boxes(lattice: Lattice, cells: Sequence[Cell], sizes: Sizes) -> Manifold | None:
    """Return cells that are cubes or squares as a finished solid; None for others, and without a gap between pieces."""
    if not is_quick(lattice, sizes):
        return None
    back = np.full(3, sizes.gap / 2)
    places = [place(lattice, lattice.point(cell)) for cell in cells]
    if lattice.dimension == 3:
        return finished_boxes(np.rint(places).astype(np.int64), np.full(3, sizes.cell), back, sizes.bevel)
    size, back[2] = np.array([sizes.cell, sizes.cell, height_of(sizes)]), 0.0
    solid = finished_boxes(np.rint(places).astype(np.int64), size, back, sizes.bevel)
    return solid.translate((0, 0, size[2] / 2))  # down to the table


def is_quick(lattice: Lattice, sizes: Sizes) -> bool:
    """Whether large pieces take only a few seconds: squares and cubes, with a gap between pieces."""
    return sizes.gap >= GRID_MM and is_grid(lattice)


@cache
def is_grid(lattice: Lattice) -> bool:
    """Whether the cells of a lattice are unit squares or cubes about their points, side by side."""
    if lattice.dimension not in (2, 3) or lattice.of_edges or lattice.of_balls or len(lattice.kinds) != 1:
        return False
    cell = lattice.cell_at(lattice.kinds[0].at)
    middle, scale = place(lattice, lattice.point(cell)), scale_of(lattice)
    placed = [place(lattice, [value / scale for value in corner]) for corner in exact_corners(lattice, cell)]
    corners = {tuple([float(a - b) for a, b in zip(corner, middle, strict=True)]) for corner in placed}
    half = [(-0.5, 0.5)] * lattice.dimension + [(0.0,)] * (3 - lattice.dimension)
    return not lattice.axes and all(value == round(value) for value in middle) and corners == set(product(*half))


def fill_of(body: SceneBody, sizes: Sizes) -> str:
    """Return the colour of a piece in a model."""
    return body.fill(sizes.palette)


def height_of(sizes: Sizes) -> float:
    """Return the height of flat pieces, in mm."""
    return sizes.height or sizes.cell / 4


def _rough_balls(lattice: Lattice, cells: Sequence[Cell], sizes: Sizes) -> Mesh:
    """Return small balls of eight sides each: their hull shows how a piece of balls can lie."""
    at = np.array([middle_of(lattice, cell, sizes) for cell in cells])
    ball = convex(np.concatenate([np.eye(3), -np.eye(3)]) * 1e-2 * sizes.cell)
    return joined([mesh_of(ball.manifold().translate(tuple(centre))) for centre in at])


def _parts(
    body: SceneBody, lattice: Lattice, sizes: Sizes, colours: Mapping[str, str], manifold: Manifold
) -> list[tuple[str, Manifold]]:
    """Return the parts of a piece by colour, in the order of their first cells or sides; they fill it."""
    regions = _side_regions(body, lattice, sizes) if body.sides else _cell_regions(body, lattice, sizes)
    by_colour: dict[str, list[Manifold]] = {}
    for name, region in regions:
        by_colour.setdefault(colours.get(name, fill_of(body, sizes)), []).append(region)
    if len(by_colour) < 2:
        return [(colour, manifold) for colour in by_colour]
    m3 = library()
    components = []
    for colour, those in by_colour.items():
        part = m3.Manifold.batch_boolean([manifold, united(those)], m3.OpType.Intersect)
        # Parts that touch along an edge only, as opposite sides of a tile do, are not one closed surface.
        components += [(colour, component) for component in part.decompose() if not is_nothing(component)]
    filled = sum(part.volume() for _, part in components)
    return components if abs(filled - manifold.volume()) < 1e-3 * manifold.volume() else []


def _cell_regions(body: SceneBody, lattice: Lattice, sizes: Sizes) -> list[tuple[str, Manifold]]:
    """Return the room of each cell of a piece whose cells have colours, with its colour."""
    if not any(body.colours) or lattice.of_edges:
        return []
    return [(colour or "", _room(lattice, cell, sizes)) for cell, colour in zip(body.cells, body.colours, strict=True)]


def _side_regions(body: SceneBody, lattice: Lattice, sizes: Sizes) -> list[tuple[str, Manifold]]:
    """Return for each side of a tile the room between its middle and that side, with its colour."""
    (cell,) = body.cells
    point, middle = lattice.point(cell), middle_of(lattice, cell, sizes)
    corners, scale, regions = set(exact_corners(lattice, cell)), scale_of(lattice), []
    for step, colour in zip(lattice.kinds[lattice.class_of(point)].neighbours, body.sides, strict=True):
        other = lattice.cell(tuple([a + b for a, b in zip(point, step, strict=True)]))
        shared = sorted(corners & set(exact_corners(lattice, other))) if other is not None else []
        if len(shared) < min(lattice.dimension, 3):
            return []
        side = np.array([place(lattice, [v / scale for v in corner]) for corner in shared]) * unit(lattice, sizes)
        # 1.5 times as large, so that none of its sides lies on a side of the tile.
        regions.append((colour, _wedge(middle, middle + 1.5 * (side - middle), lattice.dimension, sizes)))
    return regions


def _wedge(tip: Floats, side: Floats, dimension: int, sizes: Sizes) -> Manifold:
    """Return the solid between a position and a side: a pyramid, or on a flat tile a triangle across it."""
    corners = np.concatenate([[tip], side])
    if dimension == 3:
        return convex(corners).manifold()
    low, high = np.array([0, 0, -1.0]), np.array([0, 0, height_of(sizes) + 1.0])
    return convex(np.concatenate([corners + low, corners + high])).manifold()


def _room(lattice: Lattice, cell: Cell, sizes: Sizes) -> Manifold:
    """Return the room of a cell: a solid, or for a flat cell the space above and below it."""
    if lattice.dimension == 3:
        return convex(corners_of(lattice, cell, sizes)).manifold()
    rings = [[(x, y) for x, y, _ in corners_of(lattice, cell, sizes)]]
    return extruded(rings, 0, height_of(sizes) + 2).translate((0, 0, -1))
