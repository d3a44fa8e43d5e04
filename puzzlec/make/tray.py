"""Trays: for a flat board, or an open box for the board of a solid, as a thing to print."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin
from typing import Any

import numpy as np

from puzzlec.diagnostics.error import fail
from puzzlec.geometry import Cell, Lattice
from puzzlec.geometry.bars import Bars
from puzzlec.ir import Puzzle
from puzzlec.make.choices import PLAY, Sizes, play
from puzzlec.make.laser.cuts import grown, polygons
from puzzlec.make.laser.flat import form_of, library
from puzzlec.make.mesh import GRID, Floats, Manifold, is_nothing, mesh_of
from puzzlec.make.mesh import library as solids
from puzzlec.make.shells import ROUND, corners_of, extruded, middle_of, unit
from puzzlec.make.things import Thing, height_of

NAME = "tray"
#: The colour of a tray: no piece has it.
COLOUR = "#b8bec4"
#: The default thickness of walls and the floor, in mm: five lines of a usual nozzle.
WALL = 2.0
#: Walls end where the hull of the board has less than this fraction of its shadow: walls around a pyramid are low. If
#: the hull just above the table has less than the second part of its shadow, the board rests on a tip or an edge.
BROAD, TIP = 0.5, 0.05
#: The number of heights that are tested.
STEPS = 64


def tray(puzzle: Puzzle, sizes: Sizes) -> Thing:
    """Return the tray of a board, around the board: its floor is just below the pieces.

    Raises PuzzleError (PZ504) if no tray can hold the board.
    """
    lattice = puzzle.lattice
    assert lattice is not None
    cells: list[Cell] = [location.at for location in puzzle.locations if not isinstance(location.at, str)]
    if not cells:
        raise _no_tray("a board without places in space", "its locations have names only")
    if puzzle.wraps:
        raise _no_tray("a wrap-around board", "it has no border")
    if lattice.dimension > 3 or (lattice.dimension == 3 and lattice.of_edges):
        raise _no_tray(f"a board on the lattice `{lattice.name}`", "it has no form in space")
    if lattice.dimension < 3:
        room, bottom, rim = _flat_room(lattice, cells, sizes), 0.0, _flat_height(lattice, sizes) / 2
    else:
        room, bottom, rim = _solid_room(lattice, cells, sizes)
    wall = sizes.wall or WALL
    hole = grown(room, play(sizes.gap))
    low = bottom - PLAY - wall  # pieces in it, placed as in a solution, do not touch it
    made = _extruded(_around(hole, wall), wall + PLAY + rim) - _extruded(hole, rim + 2 * PLAY).translate((0, 0, wall))
    made = made.translate((0, 0, low))
    if is_nothing(made):
        raise fail("PZ506", f"walls of {wall:g} mm leave no room for a tray", help="choose another --wall")
    mesh = mesh_of(made)
    return Thing(NAME, mesh, ((COLOUR, mesh),), mesh)


def _no_tray(what: str, why: str) -> Exception:
    return fail("PZ504", f"cannot make a tray for {what}", note=why, help="leave out `--tray`")


def _flat_room(lattice: Lattice, cells: Sequence[Cell], sizes: Sizes) -> Any:
    """Return the shape of a flat board, y away from us: its cells, or the channels for bars."""
    form = form_of(lattice, cells, unit(lattice, sizes), sizes.width, "the board")
    return library().transform(form.room(cells), lambda places: places * [1.0, -1.0])


def _flat_height(lattice: Lattice, sizes: Sizes) -> float:
    """Return the height of flat pieces, in mm: bars are as high as they are wide."""
    if not lattice.of_edges or sizes.height:
        return height_of(sizes)
    return 2 * Bars(lattice, unit(lattice, sizes), sizes.width).half


def _solid_room(lattice: Lattice, cells: Sequence[Cell], sizes: Sizes) -> tuple[Any, float, float]:
    """Return the shadow of the board of a solid from above, its lowest height and the height of the walls."""
    shapely, m3 = library(), solids()
    points = [_outermost(lattice, cell, sizes) for cell in cells]
    shadows = {tuple(map(tuple, np.round(point[:, :2], 6).tolist())) for point in points}
    flat = [shapely.MultiPoint(sorted(shadow)).convex_hull for shadow in sorted(shadows)]
    shadow = shapely.unary_union(flat, grid_size=GRID).simplify(GRID / 2)
    hull = m3.Manifold.hull_points(np.concatenate(points))
    low, high = (float(np.concatenate(points)[:, 2].min()), float(np.concatenate(points)[:, 2].max()))
    heights = [low + (high - low) * (number + 0.5) / STEPS for number in range(STEPS)]
    broad = [hull.slice(height).area() / shadow.convex_hull.area for height in heights]
    if broad[0] < TIP:
        raise _no_tray("a board that rests on an edge or a tip", "a tray needs a side of the board that lies flat")
    last = max((number for number, part in enumerate(broad) if part >= BROAD), default=0)
    rim = (high - low) * (last + 1) / STEPS
    # Balls side by side would leave waves in the walls.
    return shadow.convex_hull if lattice.of_balls else shadow, low, rim


def _outermost(lattice: Lattice, cell: Cell, sizes: Sizes) -> Floats:
    """Return points in space whose hull is the cell, or nearly: for a ball, circles at some heights."""
    if not lattice.of_balls:
        return corners_of(lattice, cell, sizes)
    radius = sizes.cell / 2
    rings = [(radius * sin(pi * k / 8), radius * cos(pi * k / 8)) for k in range(9)]
    turns = [2 * pi * k / ROUND for k in range(ROUND)]
    return np.array([[r * cos(t), r * sin(t), z] for r, z in rings for t in turns]) + middle_of(lattice, cell, sizes)


def _around(hole: Any, wall: float) -> Any:
    """Return the space within the walls: the enlarged hole, or its outer border if it has parts.

    Holes of the board stay full: they are pillars in the tray.
    """
    shapely = library()
    filled = shapely.unary_union([shapely.Polygon(polygon.exterior) for polygon in polygons(hole)])
    outer = filled.buffer(wall, quad_segs=8)
    if len(polygons(outer)) > 1:
        outer = shapely.box(*filled.bounds).buffer(wall, quad_segs=8)
    return shapely.union_all([shapely.Polygon(polygon.exterior) for polygon in polygons(outer)])


def _extruded(shape: Any, height: float) -> Manifold:
    """Return a flat shape as a slab, from the height 0 up."""
    rings = [
        [(x, y) for x, y, *_ in ring.coords[:-1]]
        for part in polygons(shape)
        for ring in (part.exterior, *part.interiors)
    ]
    return extruded(rings, 0, height)
