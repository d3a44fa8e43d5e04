"""A picture of meshes before they are printed: each plate from above, and from the front and above.

What hides what is found exactly, for corners that are rounded to micrometres: see :mod:`puzzlec.show.svg.visibility`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt
from typing import Any

import numpy as np

from puzzlec.geometry.lattice import Point
from puzzlec.geometry.solids import dot
from puzzlec.make.mesh import Floats
from puzzlec.make.packing import PlacedThing, extent
from puzzlec.show.palette import INK, mixed
from puzzlec.show.svg import sheet
from puzzlec.show.svg.figure import Figure
from puzzlec.show.svg.visibility import Projection, Side, seen

#: The width of a picture of a plate, in px.
PICTURE_WIDTH_PX = 420.0
#: A side that faces away from the light is this much darker.
SHADOW_SHARE = 0.42
#: The lowest side is this much darker, so that the border of a tray differs from its floor.
DEPTH_SHARE = 0.14
#: The edge of a plate, in px.
PLATE_EDGE_PX = 12.0
#: More triangles than this are painted whole, the farthest first. They are small, so errors hardly show.
MAX_SORTED_TRIANGLES = 4000
#: The steps in a mm to which corners are rounded.
STEPS_IN_MM = 1000

_HALF, _THIRD = 1 / sqrt(2), 1 / sqrt(3)
#: The views: a caption, the direction to the viewer, and the axes to the right, upwards, and towards the viewer.
VIEWS: tuple[tuple[str, Point, Floats], ...] = (
    ("from above", (0, 0, 1), np.eye(3)),
    (
        "from the front",
        (1, -1, 1),
        np.array([(_HALF, _HALF, 0), (-_HALF * _THIRD, _HALF * _THIRD, 2 * _HALF * _THIRD), (_THIRD, -_THIRD, _THIRD)]),
    ),
)
#: The direction of the light, from above and a little from the left and the front.
_LIGHT = np.array([-0.25, -0.35, 0.9])


def preview(plates: Sequence[Sequence[PlacedThing]], title: str) -> str:
    """Return a picture, as SVG, of the things on each plate, with the size of each plate."""
    figures, captions = [], []
    for number, items in enumerate(plates, 1):
        wide, deep, tall = extent(items)
        head = f"plate {number}, " if len(plates) > 1 else ""
        for caption, eye, axes in VIEWS:
            figures.append(_figure(items, eye, axes))
            captions.append(f"{head}{caption}, {wide:.1f} x {deep:.1f} x {tall:.1f} mm")
    picture = sheet.stacked([("", sheet.grid(figures, captions, len(VIEWS)))], title)
    return picture.svg(title, "the pieces as they are printed", background="#ffffff")


def _figure(items: Sequence[PlacedThing], eye: Point, axes: Floats) -> Figure:
    """Return the things as seen along an axis, the first two axes to the right and upwards."""
    corners, owners, colours = _triangles(items)
    spots = corners.reshape(-1, 3) @ axes.T
    low, high = spots.min(axis=0), spots.max(axis=0)
    scale = (PICTURE_WIDTH_PX - 2 * PLATE_EDGE_PX) / max(high[0] - low[0], high[1] - low[1])

    def flat(points: Floats) -> Any:
        return (((points @ axes.T)[..., :2] - low[:2]) * (scale, -scale)).tolist()

    floor, top = corners[:, :, 2].min(), corners[:, :, 2].max() + 1e-9
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.maximum(np.linalg.norm(normals, axis=1), 1e-12)
    dark = SHADOW_SHARE * (1 - np.clip(normals @ _LIGHT / lengths / np.linalg.norm(_LIGHT), 0, 1))
    below = DEPTH_SHARE * (top - corners[:, :, 2].mean(axis=1)) / (top - floor)
    facing = np.nonzero(normals @ eye > 1e-9 * lengths)[0]
    facing = facing[np.argsort(corners[facing].mean(axis=1) @ eye, kind="stable")]
    figure = Figure()
    width, height = ((high - low)[:2] * scale).tolist()
    figure.region(
        [
            [
                (-PLATE_EDGE_PX, PLATE_EDGE_PX),
                (width + PLATE_EDGE_PX, PLATE_EDGE_PX),
                (width + PLATE_EDGE_PX, -height - PLATE_EDGE_PX),
                (-PLATE_EDGE_PX, -height - PLATE_EDGE_PX),
            ]
        ],
        "#f3f5f7",
    )

    def paint(rings: Any, number: int, deep: float) -> None:
        shade = mixed(colours[owners[number]], INK, round(float(dark[number]) + deep, 2))
        figure.region(rings, shade, shade, 0.4)

    if len(facing) > MAX_SORTED_TRIANGLES:
        for number, ring in zip(facing.tolist(), flat(corners[facing]), strict=True):
            paint([ring], number, float(below[number]))
    else:
        for numbers, areas in visible(corners, owners, facing.tolist(), eye):
            paint([flat(ring) for ring in areas], numbers[0], float(below[numbers].mean()))
    return figure


def _triangles(items: Sequence[PlacedThing]) -> tuple[Floats, list[int], list[str]]:
    """Return the corners of all triangles, the part that each belongs to, and the colours of the parts."""
    corners: list[Floats] = []
    owners: list[int] = []
    colours: list[str] = []
    for item in items:
        for colour, mesh in item.thing.parts:
            points = np.stack([-mesh.points[:, 1], mesh.points[:, 0], mesh.points[:, 2]], 1)
            points = (points if item.turned else mesh.points) + np.array(item.at)
            corners.append(points[mesh.triangles])
            owners += [len(colours)] * len(mesh.triangles)
            colours.append(colour)
    return np.concatenate(corners), owners, colours


def visible(
    corners: Floats, owners: Sequence[int], facing: Sequence[int], eye: Point
) -> Iterator[tuple[list[int], list[Floats]]]:
    """Yield for each plane of a part its triangles, and rings of points in space that appear around what is visible."""
    planes: dict[tuple[int, Point, int], list[int]] = {}
    sides = []
    grid = np.rint(corners * STEPS_IN_MM).astype(np.int64)
    normals = np.cross(grid[:, 1] - grid[:, 0], grid[:, 2] - grid[:, 0])
    normals //= np.maximum(1, np.gcd.reduce(normals, axis=1))[:, None]
    for number in facing:
        points = tuple(tuple(point) for point in grid[number].tolist())
        normal = tuple(normals[number].tolist())
        side = Side(owners[number], 0, points, normal, dot(normal, points[0]))
        planes.setdefault((side.owner, side.normal, side.reach), []).append(number)
        sides.append(side)
    areas = {area[:3]: area.rings for area in seen(sides, eye).areas}
    back = Projection(eye).back
    for plane, numbers in planes.items():
        if plane in areas:
            yield numbers, [np.array([back(x / w, y / w) for x, y, w in ring]) / STEPS_IN_MM for ring in areas[plane]]
