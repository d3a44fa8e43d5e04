"""The walls of a puzzle as a box and a lid: shells around the board, with the openings that the walls leave."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

import numpy as np

from puzzlec.diagnostics.error import fail
from puzzlec.geometry import Cell, Lattice
from puzzlec.geometry.lattice import Point
from puzzlec.ir import Puzzle
from puzzlec.make.choices import MIN_PLAY_MM, Sizes, play
from puzzlec.make.mesh import Floats, Manifold, is_nothing, library, mesh_of, united
from puzzlec.make.shells import middle_of
from puzzlec.make.things import ModelThing, is_grid

#: The names of the parts.
BOX, LID = "box", "lid"
#: The height of the rim that holds a lid, in thicknesses of the wall, and at most as a part of the height of the board.
RIM_WALLS, RIM_BOARD_HEIGHTS = 2.0, 1 / 3
#: The thinnest rim that a printer makes, in mm: a lid of thinner walls is a plate.
MIN_RIM_MM = 0.4


def can_be_boxed(puzzle: Puzzle) -> bool:
    """Whether the walls of a puzzle can be made as a shell: they consist of cubes."""
    lattice = puzzle.lattice
    return bool(puzzle.movement.walls) and lattice is not None and lattice.dimension == 3 and is_grid(lattice)


def boxed(puzzle: Puzzle, sizes: Sizes, wall: float, colour: str, remarks: list[str]) -> list[ModelThing]:
    """Return the walls as a box, and as a lid if a wall is above the board; both in their positions.

    The wall of a box is as thick as ``wall`` in mm, not as its cells. It is where the puzzle has a wall beside its
    board: elsewhere the box is open. The lid has a rim in the outer half of the walls, so that it lifts off.

    Raises PuzzleError (PZ506) if nothing is left of the walls.
    """
    lattice = puzzle.geometry.lattice
    cells = puzzle.geometry.cells
    shell = _shell(puzzle, lattice, cells, sizes, wall)
    if is_nothing(shell):
        raise fail("PZ506", f"walls of {wall:g} mm leave nothing of the box", help="choose another --wall")
    parts = len(shell.decompose())
    if parts > 1:
        remarks.append(f"the walls are {parts} parts that are not joined")
    solids = [(BOX, shell)]
    if _has_roof(puzzle, lattice):
        lid = _lid(shell, lattice, cells, sizes, wall)
        solids = [(BOX, shell - lid.room), (LID, shell ^ lid.space)]
    made = []
    for name, manifold in solids:
        if not is_nothing(manifold):
            mesh = mesh_of(manifold)
            made.append(ModelThing(name, mesh, ((colour, mesh),), mesh, is_tray=True))
    return made


def _shell(puzzle: Puzzle, lattice: Lattice, cells: Sequence[Cell], sizes: Sizes, wall: float) -> Manifold:
    """Return the walls around the hole of the board, without the openings."""
    points = np.array([lattice.point(cell) for cell in cells])
    low, high = points.min(axis=0), points.max(axis=0)
    solid = {lattice.point(cell) for cell in puzzle.movement.walls}
    full = solid | {tuple(point) for point in points.tolist()}
    far = play(sizes.gap)
    # Walls thicker than a cell reach further: there an opening continues straight.
    reach = 1 + int((far + wall) // sizes.cell)
    around = product(*(range(int(a) - reach, int(b) + reach + 1) for a, b in zip(low, high, strict=True)))

    def nearest(point: Point) -> Point:
        return tuple([min(max(v, int(a) - 1), int(b) + 1) for v, a, b in zip(point, low, high, strict=True)])

    openings = [point for point in around if nearest(point) not in full]
    inside = [point for point in sorted(solid) if bool(((low <= point) & (point <= high)).all())]
    board = [tuple(point) for point in points.tolist()]
    outer = united([*_grown(lattice, board, sizes, far + wall), *_grown(lattice, inside, sizes, 0.0)])
    holes = [*_grown(lattice, board, sizes, far), *_grown(lattice, openings, sizes, far)]
    return outer - united(holes)


def _grown(lattice: Lattice, points: Iterable[Point], sizes: Sizes, far: float) -> list[Manifold]:
    """Return cells, each larger by a distance on every side."""
    size = sizes.cell + 2 * far
    cube = library().Manifold.cube((size, size, size), True)
    return [cube.translate(tuple(_middle(lattice, point, sizes))) for point in points]


def _middle(lattice: Lattice, point: Point, sizes: Sizes) -> Floats:
    cell = lattice.cell_at(point)
    return middle_of(lattice, cell, sizes)


def _has_roof(puzzle: Puzzle, lattice: Lattice) -> bool:
    """Whether a wall is above a location of the highest layer."""
    walls = {lattice.point(cell) for cell in puzzle.movement.walls}
    top = max(point[2] for point in puzzle.points)
    return any((*point[:2], top + 1) in walls for point in puzzle.points if point[2] == top)


class _Lid:
    """The ``space`` of a lid, and the ``room`` that the box leaves for it, which is larger by some play."""

    def __init__(self, space: Manifold, room: Manifold) -> None:
        self.space, self.room = space, room


def _lid(shell: Manifold, lattice: Lattice, cells: Sequence[Cell], sizes: Sizes, wall: float) -> _Lid:
    points = [lattice.point(cell) for cell in cells]
    heights = [_middle(lattice, point, sizes)[2] for point in points]
    far, low, high = play(sizes.gap), min(heights) - sizes.cell / 2, max(heights) + sizes.cell / 2
    split = high + far
    left, front, bottom, right, back, top = shell.bounding_box()

    def above(height: float) -> Manifold:
        size = (right - left + 2, back - front + 2, top - height + 1)
        return library().Manifold.cube(size).translate((left - 1, front - 1, height))

    def column(beyond: float) -> Manifold:
        """Return the room above and below the board, with a part of the walls."""
        size = (sizes.cell + 2 * beyond, sizes.cell + 2 * beyond, top - bottom + 2)
        cube = library().Manifold.cube(size, True)
        bases = {tuple(_middle(lattice, point, sizes)[:2]) for point in points}
        return united([cube.translate((x, y, (bottom + top) / 2)) for x, y in sorted(bases)])

    rim = min(RIM_WALLS * wall, RIM_BOARD_HEIGHTS * (high - low))
    if (wall - MIN_PLAY_MM) / 2 < MIN_RIM_MM:
        return _Lid(above(split), above(split))
    middle = far + wall / 2
    space = above(split) + (above(split - rim) - column(middle + MIN_PLAY_MM / 2))
    room = above(split) + (above(split - rim - MIN_PLAY_MM) - column(middle - MIN_PLAY_MM / 2))
    return _Lid(space, room)
