"""3MF: a zip of XML that slicers read with names and colours, in mm (3D Manufacturing Format, Core Specification 1.3).

A piece of several colours is an object of several parts, each a closed mesh, so that a printer can take another
filament for each. A piece that is there more than once is one object in several places.
"""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from io import BytesIO
from xml.sax.saxutils import escape, quoteattr

from puzzlec.make.mesh import Mesh
from puzzlec.make.plate import Item

#: The least date that a zip can have: it is the same whenever a model is made.
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


def three_mf(items: Sequence[Item], title: str) -> bytes:
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
        turn = "0 1 0 -1 0 0 0 0 1" if item.turned else "1 0 0 0 1 0 0 0 1"  # rows; points stand before them
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
    """Return a text for XML, without the characters that it cannot have."""
    return escape("".join(sign if sign.isprintable() else " " for sign in text))


def _quoted(text: str) -> str:
    return quoteattr("".join(sign if sign.isprintable() else " " for sign in text))
