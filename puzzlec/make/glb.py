"""GLB, which pages, viewers and games open: glTF 2.0 in one binary file, with colours and names.

Lengths are metres, and y is up (Khronos Group, glTF 2.0 Specification, 3.4 and 5): a point (x, y, z) of ours, z up,
becomes (x, z, -y), a turn. Each triangle has its own corners and normal, so that sides are flat and edges sharp: glTF
has one normal for each vertex, and those of the sides that meet at an edge differ. So the surface is closed where
vertices in the same place are taken for one.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import sqrt
from typing import Any

import numpy as np

from puzzlec.make.mesh import Floats, Mesh
from puzzlec.make.plate import Item
from puzzlec.show.palette import rgb

_FLOAT, _VERTICES = 5126, 34962
#: A quarter turn about the upright axis, as a quaternion.
_QUARTER = [0.0, round(sqrt(0.5), 7), 0.0, round(sqrt(0.5), 7)]


def glb(items: Sequence[Item], title: str) -> bytes:
    """Return things as GLB."""
    things = list({id(item.thing): item.thing for item in items}.values())
    colours = sorted({colour for thing in things for colour, _ in thing.parts})
    buffer, views, accessors = bytearray(), list[dict[str, Any]](), list[dict[str, Any]]()

    def stored(values: Floats, bounds: bool) -> int:
        data = np.ascontiguousarray(values, dtype="<f4")
        views.append({"buffer": 0, "byteOffset": len(buffer), "byteLength": data.nbytes, "target": _VERTICES})
        buffer.extend(data.tobytes())
        accessor: dict[str, Any] = {
            "bufferView": len(views) - 1,
            "componentType": _FLOAT,
            "count": len(data),
            "type": "VEC3",
        }
        if bounds:
            accessor |= {"min": data.min(axis=0).tolist(), "max": data.max(axis=0).tolist()}
        accessors.append(accessor)
        return len(accessors) - 1

    meshes = []
    for thing in things:
        primitives = []
        for colour, mesh in thing.parts:
            corners, normals = _loose(mesh)
            attributes = {"POSITION": stored(corners, True), "NORMAL": stored(normals, False)}
            primitives.append({"attributes": attributes, "material": colours.index(colour)})
        meshes.append({"name": thing.name, "primitives": primitives})
    numbers = {id(thing): number for number, thing in enumerate(things)}
    nodes = [
        {
            "name": item.name,
            "mesh": numbers[id(item.thing)],
            "translation": _upright(np.array([item.at]) / 1000)[0].tolist(),
            **({"rotation": _QUARTER} if item.turned else {}),
        }
        for item in items
    ]
    document = {
        "asset": {"version": "2.0", "generator": "puzzlec"},
        "scene": 0,
        "scenes": [{"name": title or "puzzle", "nodes": list(range(len(nodes)))}],
        "nodes": nodes,
        "meshes": meshes,
        "materials": [_material(colour) for colour in colours],
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{"byteLength": len(buffer)}],
    }
    return _packed(json.dumps(document, separators=(",", ":"), ensure_ascii=True).encode(), bytes(buffer))


def _upright(points: Floats) -> Floats:
    """Return points with y up, rounded to a tenth of a thousandth of a mm."""
    turned = np.stack([points[:, 0], points[:, 2], -points[:, 1]], axis=1)
    found: Floats = np.asarray(np.round(turned, 7) + 0.0, dtype=np.float64)
    return found


def _loose(mesh: Mesh) -> tuple[Floats, Floats]:
    """Return the corners of the triangles in metres, and the normals there."""
    corners = mesh.points[mesh.triangles]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    long = np.linalg.norm(across, axis=1)
    kept = long > 0
    units = np.repeat(across[kept] / long[kept, None], 3, axis=0)
    return _upright(corners[kept].reshape(-1, 3) / 1000), _upright(units)


def _material(colour: str) -> dict[str, Any]:
    """Return a dull material: glTF wants colours linear (IEC 61966-2-1 tells how they are meant in `#rrggbb`)."""

    def linear(value: int) -> float:
        part = value / 255
        return round(part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4, 6)

    factor = [*(linear(value) for value in rgb(colour)), 1.0]
    look = {"baseColorFactor": factor, "metallicFactor": 0.0, "roughnessFactor": 0.7}
    return {"name": colour, "pbrMetallicRoughness": look}


def _packed(document: bytes, binary: bytes) -> bytes:
    """Return the two chunks of a GLB behind its head, each filled up to a multiple of 4 bytes."""
    document += b" " * (-len(document) % 4)
    binary += b"\0" * (-len(binary) % 4)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return len(data).to_bytes(4, "little") + kind + data

    chunks = chunk(b"JSON", document) + chunk(b"BIN\0", binary)
    return b"glTF" + (2).to_bytes(4, "little") + (12 + len(chunks)).to_bytes(4, "little") + chunks
