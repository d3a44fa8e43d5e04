"""STL, the format that every slicer reads: triangles without colours and names, in mm.

Binary: 80 bytes of text, the number of triangles, and for each its normal, its three corners and two bytes of nothing,
all little-endian with floats of 32 bits (3D Systems, StereoLithography Interface Specification, 1989).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from puzzlec.make.plate import Item

_RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("unused", "<u2")])


def stl(items: Sequence[Item], title: str) -> bytes:
    """Return things as binary STL."""
    head = f"puzzlec: {title}, in mm".encode("ascii", "replace")[:80].ljust(80)
    corners = np.concatenate([item.points[item.thing.mesh.triangles] for item in items])
    found = np.zeros(len(corners), dtype=_RECORD)
    found["corners"] = corners
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    long = np.linalg.norm(across, axis=1)
    found["normal"] = np.round(across / np.where(long > 0, long, 1)[:, None], 6) + 0.0
    return head + len(found).to_bytes(4, "little") + found.tobytes()
