"""A puzzle as things laid out: on plates, or as in a solution, with a tray; and the side that a piece lies on.

A tray is for a flat board; the board of a solid has an open box.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import atan2, cos, hypot, pi, sin
from typing import Any

import numpy as np

from puzzlec.diagnostics import counted, listed
from puzzlec.diagnostics.error import fail
from puzzlec.geometry import Cell, Lattice
from puzzlec.geometry.bars import EdgeBars
from puzzlec.ir import Puzzle
from puzzlec.make.bodies import assembled, colours_of, puzzle_of, refuse_slow, single
from puzzlec.make.choices import MIN_PLAY_MM, Plate, Sizes, play
from puzzlec.make.laser.cuts import grown, polygons
from puzzlec.make.laser.flat import form_of
from puzzlec.make.laser.flat import library as shapely_library
from puzzlec.make.mesh import GRID_MM, Floats, Manifold, Mesh, arrays, is_nothing, library, manifold_of, mesh_of
from puzzlec.make.packing import PlacedThing, extent, is_within, rows
from puzzlec.make.shells import CORNERS_OF_EQUATOR, corners_of, extruded, middle_of, unit
from puzzlec.make.things import ModelThing, height_of, is_quick, thing
from puzzlec.make.walls import LID, boxed, can_be_boxed
from puzzlec.solving.subject import Subject


def plates(
    subject: Subject, sizes: Sizes, plate: Plate | None, remarks: list[str], with_tray: bool = False
) -> list[list[PlacedThing]]:
    """Return all pieces with their copies in rows, plate by plate (all on one, if ``plate`` is None).

    A tray is last, alone on a plate, or beside the pieces if ``plate`` is None. Notes are added to ``remarks``. Raises
    PuzzleError for pieces that cannot be made.
    """
    tray_items = trays_alone(subject, sizes, remarks) if with_tray else []
    items = [item for piece in pieces(subject, sizes, remarks, plate) for item in piece]
    return (
        [*rows(items, plate), *(rows(tray_items, plate) if tray_items else [])]
        if plate
        else rows([*items, *tray_items], plate)
    )


def trays_alone(subject: Subject, sizes: Sizes, remarks: list[str]) -> list[PlacedThing]:
    """Return the tray of the board at the origin, standing on its floor; or a box, and a lid that lies on its top."""
    sizes.verify()
    items = []
    for made in trays(puzzle_of(subject), sizes, remarks):
        standing = made if made.name != LID else made.moved(np.diag([1.0, -1.0, -1.0]), np.zeros(3))
        items.append(PlacedThing(standing.moved(None, -standing.mesh.bounds[0]), made.name, (0.0, 0.0, 0.0)))
    return items


def pieces(subject: Subject, sizes: Sizes, remarks: list[str], plate: Plate | None = None) -> list[list[PlacedThing]]:
    """Return for each piece its copies, each at the origin, and rotated to fit the plate if it can."""
    sizes.verify()
    puzzle = puzzle_of(subject)
    lattice, colours, groups, bodies = puzzle.geometry.lattice, colours_of(puzzle), [], single(subject)
    refuse_slow(lattice, sum(len(body.cells) for body, _ in bodies), is_quick(lattice, sizes))
    for body, copies in bodies:
        made = thing(body, lattice, sizes, colours)
        _remark(made, remarks)
        lying = laid(made, plate)
        names = [body.name] if copies == 1 else [f"{body.name} {number}" for number in range(1, copies + 1)]
        groups.append([PlacedThing(lying, name, (0.0, 0.0, 0.0)) for name in names])
    return groups


def in_solution(subject: Subject, sizes: Sizes, remarks: list[str], with_tray: bool = False) -> list[PlacedThing]:
    """Return the pieces of the first solution in their positions, on the table and with the least x and y at 0.

    With a tray, the pieces lie in the tray, and the tray is last.
    """
    sizes.verify()
    puzzle, scene = puzzle_of(subject), assembled(subject)
    refuse_slow(scene.lattice, sum(len(body.cells) for body in scene.bodies), is_quick(scene.lattice, sizes))
    colours = colours_of(puzzle)
    things = [thing(body, scene.lattice, sizes, colours) for body in scene.bodies]
    for printed in things:
        _remark(printed, remarks)
    copies, seen, items = Counter(thing.name for thing in things), Counter[str](), []
    things += trays(puzzle, sizes, remarks) if with_tray else []
    least = _least([thing.mesh for thing in things])
    for printed in things:
        seen[printed.name] += 1
        name = f"{printed.name} {seen[printed.name]}" if copies[printed.name] > 1 else printed.name
        items.append(PlacedThing(printed.moved(None, -least), name, (0.0, 0.0, 0.0)))
    return items


def _least(meshes: Sequence[Mesh]) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    least: np.ndarray[tuple[int, ...], np.dtype[np.float64]] = np.min([mesh.bounds[0] for mesh in meshes], axis=0)
    return least


def _remark(made: ModelThing, remarks: list[str]) -> None:
    """Add a remark if a piece falls apart, or touches itself: then edges of its surface have more than two sides."""
    parts = len(manifold_of(made.mesh.points, made.mesh.triangles).decompose())
    text = ""
    if parts > 1:
        text = f"`{made.name}` has {counted(parts, 'part')}: its cells are not all joined"
    if made.mesh.seams:
        where = counted(made.mesh.seams, "edge")
        more = f"{where} of its surface have more than two sides, which some programs reject; a gap separates them"
        text = f"{text}; {more}" if text else f"`{made.name}` touches itself: {more}"
    if text and text not in remarks:
        remarks.append(text)


def told(items: Sequence[PlacedThing]) -> str:
    """Return in words the number of things, their common size and their volume."""
    return f"{things(items)}, {measured(items)}"


def told_of_plates(plates: Sequence[Sequence[PlacedThing]], plate: Plate) -> str:
    """Return in words the number of things and of plates, and their volume."""
    items = [item for plate in plates for item in plate]
    on = f"{counted(len(plates), 'plate')} of {plate.width:g} x {plate.depth:g} mm"
    return f"{things(items)} on {on}, {material(items)}"


def things(items: Sequence[PlacedThing]) -> str:
    """Return in words the number of pieces, and whether there is a tray, or a box with a lid."""
    pieces = sum(not item.thing.is_tray for item in items)
    words = [counted(pieces, "piece")] if pieces else []
    words += [f"a {item.thing.name}" for item in items if item.thing.is_tray]
    return listed(words)


def measured(items: Sequence[PlacedThing]) -> str:
    """Return the size of things together and their volume."""
    wide, deep, high = (f"{value:.1f}".removesuffix(".0") for value in extent(items))
    return f"{wide} x {deep} x {high} mm, {material(items)}"


def material(items: Sequence[PlacedThing]) -> str:
    """Return the volume of things together in cubic cm."""
    volume = sum(item.thing.mesh.volume for item in items) / 1000
    number = f"{volume:.0f}" if volume >= 100 else f"{volume:.1f}" if volume >= 0.1 else "less than 0.1"
    return f"{number} cm3 of material"


#: Directions closer than this are equal, and so are areas, as parts of each other.
MAX_ROUNDING = 1e-4


def laid(thing: ModelThing, plate: Plate | None = None) -> ModelThing:
    """Return a piece as it lies on the plate, with its least x, y and z at 0.

    It lies on a side of its hull on which it is stable, with the largest part of its surface. Of several sides the
    one with the smallest rotation is taken. The rectangle around it is the smallest one, or the smallest one that fits
    the plate.
    """
    level = _levelled(_downwards(thing.rough))
    ways = (_lying(thing, _turned(angle) @ level) for angle in _angles((thing.rough.points @ level.T)[:, :2]))
    smallest = next(ways)
    if plate is None or is_within(smallest, plate):
        return smallest
    return next((way for way in ways if is_within(way, plate)), smallest)


def _lying(thing: ModelThing, matrix: Floats) -> ModelThing:
    """Return a piece after a rotation, with its least x, y and z at 0."""
    matrix = np.where(np.abs(matrix - np.rint(matrix)) < 1e-9, np.rint(matrix), matrix)
    least = (thing.mesh.points @ matrix.T).min(axis=0)
    return thing.moved(matrix, -least)


def _downwards(mesh: Mesh) -> Floats:
    """Return the direction that will point down: the normal of a side of the hull."""
    normals, extents = _areas(mesh.points, mesh.triangles)
    heights = np.einsum("ij,ij->i", normals, mesh.points[mesh.triangles[:, 0]])
    size = float(np.ptp(mesh.points, axis=0).max())
    sides: list[tuple[float, Floats]] = []
    for normal in _candidates(mesh):
        reach = float((mesh.points @ normal).max())
        on_it = (np.abs(normals - normal).max(axis=1) < 10 * MAX_ROUNDING) & (
            np.abs(heights - reach) < 10 * MAX_ROUNDING * size
        )
        sides.append((float(extents[on_it].sum()), normal))
    most = max(area for area, _ in sides)
    best = [normal for area, normal in sides if area >= most * (1 - MAX_ROUNDING)]
    return min(best, key=lambda normal: [round(float(normal[2]), 4), *(round(float(value), 4) for value in normal)])


def _candidates(mesh: Mesh) -> list[Floats]:
    """Return the normals of the sides of the hull, each once.

    Points are moved by an invisible distance, since hulls of points in one plane are not always right.
    """
    size = float(np.ptp(mesh.points, axis=0).max())
    moved = mesh.points + np.random.RandomState(7).uniform(-1e-7, 1e-7, mesh.points.shape) * size
    points, triangles = arrays(library().Manifold.hull_points(moved))
    normals, areas = _areas(points, triangles)
    order = np.argsort(-areas, kind="stable")  # normals of slivers are noise, and come last
    exact = _areas(mesh.points, mesh.triangles)[0]
    directions: list[Floats] = []
    for normal in normals[order]:
        if any(np.abs(normal - other).max() < MAX_ROUNDING for other in directions):
            continue
        near = np.flatnonzero(np.abs(exact - normal).max(axis=1) < MAX_ROUNDING)
        directions.append(exact[near[0]] if len(near) else normal)
    return directions


def _areas(points: Floats, triangles: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> tuple[Floats, Floats]:
    """Return the unit normals of triangles and their areas."""
    a, b, c = points[triangles].transpose(1, 0, 2)
    across = np.cross(b - a, c - a)
    long = np.linalg.norm(across, axis=1)
    return across / np.where(long > 0, long, 1)[:, None], long / 2


def _levelled(down: Floats) -> Floats:
    """Return the rotation that turns a direction down, about an axis that is level (O. Rodrigues, 1840)."""
    goal = np.array([0.0, 0.0, -1.0])
    axis, along = np.cross(down, goal), float(down @ goal)
    if along < -1 + 1e-9:
        return np.diag([1.0, -1.0, -1.0])
    x, y, z = axis
    skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    rotation: Floats = np.eye(3) + skew + skew @ skew / (1 + along)
    return rotation


def _turned(angle: float) -> Floats:
    """Return the rotation by an angle about the upright axis."""
    return np.array([[cos(angle), -sin(angle), 0], [sin(angle), cos(angle), 0], [0, 0, 1]])


def _angles(places: Floats) -> Iterator[float]:
    """Yield the angles at which a side of the hull of a flat figure is parallel to x or y, smallest rectangle first.

    A side of the smallest rectangle lies on a side of the hull (H. Freeman and R. Shapira, Determining the minimum-area
    encasing rectangle for an arbitrary closed curve, 1975). Of equal rectangles, the smallest angle is first.
    """
    rings = library().CrossSection.hull_points(places).to_polygons()
    steps = [end - start for ring in rings for start, end in zip(ring, np.roll(ring, -1, axis=0), strict=True)]
    size = float(np.ptp(places, axis=0).max())
    angles = {0.0} | {round(-atan2(y, x) % (pi / 2), 9) for x, y in steps if hypot(x, y) > MAX_ROUNDING * size}

    def room(angle: float) -> tuple[float, float, float]:
        outline = places @ _turned(angle)[:2, :2].T
        wide, deep = np.ptp(outline, axis=0)
        turn = angle + (pi / 2 if deep > wide * (1 + MAX_ROUNDING) else 0)
        turn = (turn + pi) % (2 * pi) - pi
        return round(float(wide * deep) / size**2, 4), round(abs(turn), 6), turn

    yield from (turn for _, _, turn in sorted(map(room, angles)))


TRAY_NAME = "tray"
#: The colour of a tray: no piece has it.
TRAY_COLOUR = "#b8bec4"
#: The default thickness of walls and the floor, in mm: five lines of a usual nozzle.
WALL_MM = 2.0
#: Walls end where the hull of the board has less than this fraction of its shadow: walls around a pyramid are low. If
#: the hull just above the table has less than the second part of its shadow, the board rests on a tip or an edge.
MIN_SHADOW_SHARE, MIN_BASE_SHARE = 0.5, 0.05
#: The number of heights that are tested.
TESTED_HEIGHTS = 64


def trays(puzzle: Puzzle, sizes: Sizes, remarks: list[str]) -> list[ModelThing]:
    """Return what holds the pieces: the tray of a board, or a box and a lid if the puzzle has walls of cubes.

    ``remarks`` get a sentence about the walls. Raises PuzzleError (PZ504) if no tray can hold the board.
    """
    if can_be_boxed(puzzle):
        wall = sizes.wall or WALL_MM
        made = boxed(puzzle, sizes, wall, TRAY_COLOUR, remarks)
        what = "box and lid" if len(made) > 1 else "box"
        remarks.append(f"the walls of the puzzle are the {what}, {wall:g} mm thick, with their openings")
        return made
    if puzzle.movement.walls:
        remarks.append("the tray does not have the walls of the puzzle: only walls of cubes are made")
    return [tray(puzzle, sizes)]


def tray(puzzle: Puzzle, sizes: Sizes) -> ModelThing:
    """Return the tray of a board, around the board: its floor is just below the pieces.

    Raises PuzzleError (PZ504) if no tray can hold the board.
    """
    lattice = puzzle.geometry.lattice
    cells = puzzle.geometry.cells
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
    wall = sizes.wall or WALL_MM
    hole = grown(room, play(sizes.gap))
    low = bottom - MIN_PLAY_MM - wall  # pieces in it, placed as in a solution, do not touch it
    made = _extruded(_around(hole, wall), wall + MIN_PLAY_MM + rim) - _extruded(hole, rim + 2 * MIN_PLAY_MM).translate(
        (0, 0, wall)
    )
    made = made.translate((0, 0, low))
    if is_nothing(made):
        raise fail("PZ506", f"walls of {wall:g} mm leave no room for a tray", help="choose another --wall")
    mesh = mesh_of(made)
    return ModelThing(TRAY_NAME, mesh, ((TRAY_COLOUR, mesh),), mesh, is_tray=True)


def _no_tray(what: str, why: str) -> Exception:
    return fail("PZ504", f"cannot make a tray for {what}", note=why, help="leave out `--tray`")


def _flat_room(lattice: Lattice, cells: Sequence[Cell], sizes: Sizes) -> Any:
    """Return the shape of a flat board, y away from us: its cells, or the channels for bars."""
    form = form_of(lattice, cells, unit(lattice, sizes), sizes.width, "the board")
    return shapely_library().transform(form.room(cells), lambda places: places * [1.0, -1.0])


def _flat_height(lattice: Lattice, sizes: Sizes) -> float:
    """Return the height of flat pieces, in mm: bars are as high as they are wide."""
    if not lattice.of_edges or sizes.height:
        return height_of(sizes)
    return 2 * EdgeBars(lattice, unit(lattice, sizes), sizes.width).half


def _solid_room(lattice: Lattice, cells: Sequence[Cell], sizes: Sizes) -> tuple[Any, float, float]:
    """Return the shadow of the board of a solid from above, its lowest height and the height of the walls."""
    shapely, m3 = shapely_library(), library()
    points = [_outermost(lattice, cell, sizes) for cell in cells]
    shadows = {tuple(map(tuple, np.round(point[:, :2], 6).tolist())) for point in points}
    flat = [shapely.MultiPoint(sorted(shadow)).convex_hull for shadow in sorted(shadows)]
    shadow = shapely.unary_union(flat, grid_size=GRID_MM).simplify(GRID_MM / 2)
    hull = m3.Manifold.hull_points(np.concatenate(points))
    low, high = (float(np.concatenate(points)[:, 2].min()), float(np.concatenate(points)[:, 2].max()))
    heights = [low + (high - low) * (number + 0.5) / TESTED_HEIGHTS for number in range(TESTED_HEIGHTS)]
    broad = [hull.slice(height).area() / shadow.convex_hull.area for height in heights]
    if broad[0] < MIN_BASE_SHARE:
        raise _no_tray("a board that rests on an edge or a tip", "a tray needs a side of the board that lies flat")
    last = max((number for number, part in enumerate(broad) if part >= MIN_SHADOW_SHARE), default=0)
    rim = (high - low) * (last + 1) / TESTED_HEIGHTS
    # Balls side by side would leave waves in the walls.
    return shadow.convex_hull if lattice.of_balls else shadow, low, rim


def _outermost(lattice: Lattice, cell: Cell, sizes: Sizes) -> Floats:
    """Return points in space whose hull is the cell, or nearly: for a ball, circles at some heights."""
    if not lattice.of_balls:
        return corners_of(lattice, cell, sizes)
    radius = sizes.cell / 2
    rings = [(radius * sin(pi * k / 8), radius * cos(pi * k / 8)) for k in range(9)]
    turns = [2 * pi * k / CORNERS_OF_EQUATOR for k in range(CORNERS_OF_EQUATOR)]
    return np.array([[r * cos(t), r * sin(t), z] for r, z in rings for t in turns]) + middle_of(lattice, cell, sizes)


def _around(hole: Any, wall: float) -> Any:
    """Return the space within the walls: the enlarged hole, or its outer border if it has parts.

    Holes of the board stay full: they are pillars in the tray.
    """
    shapely = shapely_library()
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
