"""A picture of meshes before they are printed: each plate from above, and from the front and above.

Triangles that face the viewer are painted one after the other, the farthest first.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import numpy as np

from puzzlec.make.mesh import Floats
from puzzlec.make.occlusion import painting_order
from puzzlec.make.packing import Item, extent
from puzzlec.show.palette import INK, mixed
from puzzlec.show.svg import sheet
from puzzlec.show.svg.figure import Figure

#: The width of a picture of a plate, in px.
WIDE = 420.0
#: A side that faces away from the light is this much darker.
SHADE = 0.42
#: The lowest side is this much darker, so that the border of a tray differs from its floor.
DEPTH = 0.14
#: The edge of a plate, in px.
RIM = 12.0

_HALF, _THIRD = 1 / sqrt(2), 1 / sqrt(3)
#: The views: a caption, and the axes to the right, upwards, and towards the viewer.
VIEWS: tuple[tuple[str, Floats], ...] = (
    ("from above", np.eye(3)),
    (
        "from the front",
        np.array([(_HALF, _HALF, 0), (-_HALF * _THIRD, _HALF * _THIRD, 2 * _HALF * _THIRD), (_THIRD, -_THIRD, _THIRD)]),
    ),
)
#: The direction of the light, from above and a little from the left and the front.
_LIGHT = np.array([-0.25, -0.35, 0.9])


def preview(plates: Sequence[Sequence[Item]], title: str) -> str:
    """Return a picture, as SVG, of the things on each plate, with the size of each plate."""
    figures, captions = [], []
    for number, items in enumerate(plates, 1):
        wide, deep, tall = extent(items)
        head = f"plate {number}, " if len(plates) > 1 else ""
        for caption, axes in VIEWS:
            figures.append(_figure(items, axes))
            captions.append(f"{head}{caption}, {wide:.1f} x {deep:.1f} x {tall:.1f} mm")
    shown = sheet.stacked([("", sheet.grid(figures, captions, len(VIEWS)))], title)
    return shown.svg(title, "the pieces as they are printed", background="#ffffff")


def _figure(items: Sequence[Item], axes: Floats) -> Figure:
    """Return the things as seen along an axis, the first two axes to the right and upwards."""
    painted = []
    for item in items:
        for colour, mesh in item.thing.parts:
            points = np.stack([-mesh.points[:, 1], mesh.points[:, 0], mesh.points[:, 2]], 1)
            points = (points if item.turned else mesh.points) + np.array(item.at)
            painted.append((colour, points[mesh.triangles]))
    spots = np.concatenate([corners.reshape(-1, 3) for _, corners in painted]) @ axes.T
    low, high = spots.min(axis=0), spots.max(axis=0)
    scale = (WIDE - 2 * RIM) / max(high[0] - low[0], high[1] - low[1])
    heights = np.concatenate([corners[:, :, 2].reshape(-1) for _, corners in painted])
    floor = heights.min(), heights.max() + 1e-9
    facing: list[Floats] = []
    shades: list[str] = []
    for colour, corners in painted:
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        lengths = np.maximum(np.linalg.norm(normals, axis=1), 1e-12)
        lit = np.clip(normals @ _LIGHT / lengths / np.linalg.norm(_LIGHT), 0, 1)
        turned = corners @ axes.T
        for index in np.nonzero(normals @ axes[2] > 1e-9 * lengths)[0].tolist():
            below = (floor[1] - corners[index, :, 2].mean()) / (floor[1] - floor[0])
            shades.append(mixed(colour, INK, round(SHADE * (1 - float(lit[index])) + DEPTH * float(below), 2)))
            facing.append(turned[index])
    figure = Figure()
    size = (high - low)[:2] * scale
    corners = [(-RIM, RIM), (size[0] + RIM, RIM), (size[0] + RIM, -size[1] - RIM), (-RIM, -size[1] - RIM)]
    figure.region([[(float(x), float(y)) for x, y in corners]], "#f3f5f7")
    triangles = np.array(facing)
    flat = (triangles[:, :, :2] - low[:2]) * scale
    for index in painting_order(triangles):
        figure.region([[(x, -y) for x, y in flat[index].tolist()]], shades[index], shades[index], 0.4)
    return figure
