"""Setting back and chamfering: sums and differences of solids in Minkowski's sense, with polytopes.

What is set back by d loses what a polytope K of half-breadth d can reach from its surface. K has a side in parallel to
each side of the solid, at the distance d from its middle; so every side goes back by just d, outer edges stay sharp,
and so do inner ones of which the sides are neighbours on K (those of cubes are). A solid is chamfered by setting it
back and then letting it grow by a polytope L, the corners of which are at the distance d in the directions of the
sides: sides grow back to where they were, and outer edges are cut off. (For such openings see G. Matheron, Random Sets
and Integral Geometry, 1975.) All is made of convex hulls and booleans, so that it is exact but for rounding.
"""

from __future__ import annotations

import numpy as np

from puzzlec.make.hulls import Polytope, convex, distinct, swept
from puzzlec.make.mesh import Floats, Manifold, arrays, cleaned, library, united

#: Lengths that differ by less than this, in mm, are the same: they do by errors of rounding only.
_ALIKE = 1e-9


def finished(solid: Manifold, back: float, bevel: float) -> Manifold:
    """Return a solid with every side set ``back``, and then its outer edges cut off; nothing may be left of it.

    ``bevel`` is what a right-angled edge loses on either side.
    """
    if back + bevel <= 0 or solid.is_empty():
        return solid
    m3 = library()
    directions = normals(solid)
    around = convex(directions)
    reach = convex(_polar(around, back + bevel))
    core = cleaned(m3.Manifold.batch_boolean([solid, *_swept(solid, reach)], m3.OpType.Subtract))
    if bevel <= 0 or core.is_empty():
        return core
    tip = Polytope(around.points * bevel, around.rings, around.normals)
    return united([core, *_swept(core, tip)])


def normals(solid: Manifold) -> Floats:
    """Return the unit normals of the sides of a solid and their opposites, each once."""
    points, triangles = arrays(solid)
    a, b, c = points[triangles].transpose(1, 0, 2)
    across = np.cross(b - a, c - a)
    reach = np.maximum(np.linalg.norm(b - a, axis=1), np.linalg.norm(c - a, axis=1))
    flat = np.linalg.norm(across, axis=1) > 1e-6 * reach**2  # the normals of slivers are noise
    units = distinct(across[flat])
    return distinct(np.concatenate([units, -units]))


def _swept(solid: Manifold, around: Polytope) -> list[Manifold]:
    """Return for each triangle of a surface what a polytope sweeps along it; what is alike is made once."""
    m3 = library()
    points, triangles = arrays(solid)
    corners = points[triangles]
    sides = np.roll(corners, -1, axis=1) - corners
    areas = np.linalg.norm(np.cross(sides[:, 0], sides[:, 1]), axis=1)
    longest = np.linalg.norm(sides, axis=2).max(axis=1)
    corners = corners[areas > 1e-7 * longest**2]  # what slivers sweep, their neighbours do, too
    # A triangle begins at its least corner, so that those that are alike are the same numbers.
    first = np.lexsort(np.rint(corners / _ALIKE).transpose(2, 0, 1)[::-1], axis=-1)[:, 0]
    corners = corners[np.arange(len(corners))[:, None], (first[:, None] + np.arange(3)) % 3]
    alike: dict[bytes, Manifold] = {}
    found = []
    for triangle in corners:
        shape = triangle - triangle[0]
        key = (np.rint(shape / _ALIKE) + 0.0).tobytes()
        if key not in alike:
            made = swept(shape, around).manifold()
            if made.status() != m3.Error.NoError:  # of points that are nearly in a plane: another way to make a hull
                made = m3.Manifold.hull_points((shape[:, None] + around.points[None]).reshape(-1, 3))
            alike[key] = made
        found.append(alike[key].translate(tuple(triangle[0])))
    return found


def _polar(around: Polytope, distance: float) -> Floats:
    """Return the corners of the polytope with a side at a distance in the direction of each corner of another one."""
    heights = [normal @ around.points[ring[0]] for normal, ring in zip(around.normals, around.rings, strict=True)]
    found: Floats = around.normals * (distance / np.array(heights))[:, None]
    return found
