"""Files of meshes: 3MF, STL and GLB.

3MF is a zip of XML that slicers read with names and colours, in mm (3D Manufacturing Format, Core Specification 1.3). A
piece of several colours is an object of several parts, each a closed mesh, so that a printer can use a filament for
each. Copies of a piece are one object in several positions. Binary STL has 80 bytes of text, the number of triangles,
and for each its normal, its three corners and two empty bytes. GLB is the binary form of glTF 2.0: y points up, and
lengths are in metres.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Sequence
from io import BytesIO
from math import sqrt
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from puzzlec.make.mesh import Floats, Mesh
from puzzlec.make.packing import PlacedThing
from puzzlec.show.palette import rgb

#: Earliest date of a zip: it does not depend on the clock.
_DATE = (1980, 1, 1, 0, 0, 0)

_TYPES = """<?xml version="1.0" encoding="UTF-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
 <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
 <Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/>
</Types>
"""
_RELATIONS = """<?xml version="1.0" encoding="UTF-8"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
 <Relationship Target="/3D/3dmodel.model" Id="rel0" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/>
</Relationships>
"""
_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<model unit="millimeter" xml:lang="en-US" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02">
"""


def three_mf(items: Sequence[PlacedThing], title: str) -> bytes:
    """Return things as 3MF."""
    things = list({id(item.thing): item.thing for item in items}.values())
    colours = sorted({colour for thing in things for colour, _ in thing.parts})
    lines = [_HEAD, f' <metadata name="Title">{_text(title)}</metadata>\n']
    lines.append(' <metadata name="Application">puzzlec</metadata>\n <resources>\n  <basematerials id="1">\n')
    lines += [f'   <base name="{colour}" displaycolor="{colour.upper()}FF"/>\n' for colour in colours]
    lines.append("  </basematerials>\n")
    numbers: dict[int, int] = {}
    free = 2
    for thing in things:
        parts: list[int] = []
        for colour, mesh in thing.parts:
            name = thing.name if len(thing.parts) == 1 else f"{thing.name} {len(parts) + 1}"
            lines += _object(free, name, colours.index(colour), mesh)
            parts.append(free)
            free += 1
        if len(parts) > 1:
            lines.append(f'  <object id="{free}" type="model" name={_quoted(thing.name)}>\n   <components>\n')
            lines += [f'    <component objectid="{part}"/>\n' for part in parts]
            lines.append("   </components>\n  </object>\n")
            free += 1
        numbers[id(thing)] = free - 1
    lines.append(" </resources>\n <build>\n")
    for item in items:
        where = " ".join(f"{value:.7g}" for value in item.at)
        turn = "0 1 0 -1 0 0 0 0 1" if item.turned else "1 0 0 0 1 0 0 0 1"  # rows; points precede them
        lines.append(f'  <item objectid="{numbers[id(item.thing)]}" transform="{turn} {where}"')
        lines.append(f" partnumber={_quoted(item.name)}/>\n")
    lines.append(" </build>\n</model>\n")
    return _zipped({"[Content_Types].xml": _TYPES, "_rels/.rels": _RELATIONS, "3D/3dmodel.model": "".join(lines)})


def _object(number: int, name: str, material: int, mesh: Mesh) -> list[str]:
    """Return an object of one mesh."""
    lines = [f'  <object id="{number}" type="model" name={_quoted(name)} pid="1" pindex="{material}">\n']
    lines.append("   <mesh>\n    <vertices>\n")
    lines += [f'     <vertex x="{x:.8g}" y="{y:.8g}" z="{z:.8g}"/>\n' for x, y, z in mesh.points.tolist()]
    lines.append("    </vertices>\n    <triangles>\n")
    lines += [f'     <triangle v1="{a}" v2="{b}" v3="{c}"/>\n' for a, b, c in mesh.triangles.tolist()]
    lines.append("    </triangles>\n   </mesh>\n  </object>\n")
    return lines


def _zipped(files: dict[str, str]) -> bytes:
    """Return a zip of texts, the same bytes for the same texts."""
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as packed:
        for name, text in files.items():
            entry = zipfile.ZipInfo(name, _DATE)
            entry.compress_type, entry.create_system, entry.external_attr = zipfile.ZIP_DEFLATED, 3, 0o644 << 16
            packed.writestr(entry, text.encode())
    return stream.getvalue()


def _text(text: str) -> str:
    """Return a text for XML, without characters that XML forbids."""
    return escape("".join(sign if sign.isprintable() else " " for sign in text))


def _quoted(text: str) -> str:
    return quoteattr("".join(sign if sign.isprintable() else " " for sign in text))


_RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("unused", "<u2")])


def stl(items: Sequence[PlacedThing], title: str) -> bytes:
    """Return things as binary STL."""
    head = f"puzzlec: {title}, in mm".encode("ascii", "replace")[:80].ljust(80)
    corners = np.concatenate([item.points[item.thing.mesh.triangles] for item in items])
    records = np.zeros(len(corners), dtype=_RECORD)
    records["corners"] = corners
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    long = np.linalg.norm(across, axis=1)
    records["normal"] = np.round(across / np.where(long > 0, long, 1)[:, None], 6) + 0.0
    return head + len(records).to_bytes(4, "little") + records.tobytes()


_FLOAT, _VERTICES = 5126, 34962
#: A quarter turn about the upright axis, as a quaternion.
_QUARTER = [0.0, round(sqrt(0.5), 7), 0.0, round(sqrt(0.5), 7)]


def glb(items: Sequence[PlacedThing], title: str) -> bytes:
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
    """Return points with y up, rounded to 0.0001 mm."""
    turned = np.stack([points[:, 0], points[:, 2], -points[:, 1]], axis=1)
    upright: Floats = np.asarray(np.round(turned, 7) + 0.0, dtype=np.float64)
    return upright


def _loose(mesh: Mesh) -> tuple[Floats, Floats]:
    """Return the corners of the triangles in metres, and the normals there."""
    corners = mesh.points[mesh.triangles]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    long = np.linalg.norm(across, axis=1)
    kept = long > 0
    units = np.repeat(across[kept] / long[kept, None], 3, axis=0)
    return _upright(corners[kept].reshape(-1, 3) / 1000), _upright(units)


def _material(colour: str) -> dict[str, Any]:
    """Return a dull material: glTF needs linear colours (IEC 61966-2-1 defines `#rrggbb`)."""

    def linear(value: int) -> float:
        part = value / 255
        return round(part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4, 6)

    factor = [*(linear(value) for value in rgb(colour)), 1.0]
    look = {"baseColorFactor": factor, "metallicFactor": 0.0, "roughnessFactor": 0.7}
    return {"name": colour, "pbrMetallicRoughness": look}


def _packed(document: bytes, binary: bytes) -> bytes:
    """Return the two chunks of a GLB after its header, each padded to a multiple of 4 bytes."""
    document += b" " * (-len(document) % 4)
    binary += b"\0" * (-len(binary) % 4)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return len(data).to_bytes(4, "little") + kind + data

    chunks = chunk(b"JSON", document) + chunk(b"BIN\0", binary)
    return b"glTF" + (2).to_bytes(4, "little") + (12 + len(chunks)).to_bytes(4, "little") + chunks
