"""Files of meshes: other libraries open them, and they are the same bytes each time."""

from __future__ import annotations

import json
import re
import struct
import xml.etree.ElementTree as ElementTree
import zipfile
from functools import cache
from io import BytesIO
from typing import Any

import pytest

from puzzlec.make.choices import Plate, Sizes
from puzzlec.make.outputs import model
from puzzlec.show.palette import PALETTES

trimesh: Any = pytest.importorskip("trimesh")
pytest.importorskip("manifold3d")

SIZES = Sizes(gap=0.2, bevel=1.0)


@cache
def soma(format: str, layout: str = "plate") -> bytes:
    return model("soma", format=format, sizes=SIZES, layout=layout)


@pytest.mark.parametrize("layout", ["plate", "solution"])
def test_another_program_reads_stl_as_closed_with_the_same_volume(layout: str) -> None:
    data = soma("stl", layout)
    mesh = trimesh.load(BytesIO(data), file_type="stl")
    assert mesh.is_watertight
    assert mesh.is_winding_consistent
    parts = mesh.split()
    assert len(parts) == 7
    assert all(part.is_volume for part in parts)
    assert 0.95 * 27 * 8000 < mesh.volume < 27 * 8000
    assert len(data) == 84 + 50 * len(mesh.faces)
    if layout == "solution":
        assert mesh.extents.tolist() == pytest.approx([59.8] * 3, abs=1e-3)


def test_the_normals_of_stl_are_those_of_its_triangles() -> None:
    data = soma("stl")
    for number in range(0, 300, 17):
        values = struct.unpack_from("<12f", data, 84 + 50 * number)
        n, a, b, c = (values[k : k + 3] for k in range(0, 12, 3))
        u, v = ([q - p for p, q in zip(a, end, strict=True)] for end in (b, c))
        across = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
        assert sum(p * q for p, q in zip(n, across, strict=True)) > 0
        assert sum(p * p for p in n) == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("name", ["soma", "macmahon-squares", "balls/pairs-tetrahedron"])
def test_a_strict_reader_of_3mf_reports_nothing(name: str) -> None:
    lib3mf: Any = pytest.importorskip("lib3mf")
    found = lib3mf.get_wrapper().CreateModel()
    reader = found.QueryReader("3mf")
    reader.SetStrictModeActive(True)
    reader.ReadFromBuffer(bytearray(soma("3mf") if name == "soma" else model(name, format="3mf", sizes=Sizes(bevel=0))))
    assert reader.GetWarningCount() == 0
    meshes = found.GetMeshObjects()
    while meshes.MoveNext():
        mesh = meshes.GetCurrentMeshObject()
        assert mesh.IsManifoldAndOriented()
        assert mesh.GetName()
    assert found.GetUnit() == lib3mf.ModelUnit.MilliMeter


def test_3mf_has_the_names_and_colours_of_pieces() -> None:
    with zipfile.ZipFile(BytesIO(soma("3mf"))) as packed:
        text = packed.read("3D/3dmodel.model").decode()
    assert [f'name="{name}"' in text for name in "VLTZABP"] == [True] * 7
    assert text.count("<base ") == 7
    assert 'unit="millimeter"' in text


def test_copies_are_one_object_in_several_places() -> None:
    with zipfile.ZipFile(BytesIO(model("balls/pairs-tetrahedron", format="3mf"))) as packed:
        text = packed.read("3D/3dmodel.model").decode()
    assert text.count("<object ") == 1
    assert text.count("<item ") == 10


def chunks(data: bytes) -> tuple[dict[str, Any], bytes]:
    """Return the document and the binary part of a GLB, after checking its structure."""
    magic, version, length = struct.unpack_from("<4sII", data)
    assert (magic, version, length) == (b"glTF", 2, len(data))
    size, kind = struct.unpack_from("<I4s", data, 12)
    assert (kind, size % 4) == (b"JSON", 0)
    document = json.loads(data[20 : 20 + size])
    binary_size, binary_kind = struct.unpack_from("<I4s", data, 20 + size)
    assert (binary_kind, binary_size % 4) == (b"BIN\0", 0)
    assert 28 + size + binary_size == len(data)
    return document, data[28 + size :]


def test_glb_follows_its_specification() -> None:
    document, binary = chunks(soma("glb", "solution"))
    assert document["buffers"] == [{"byteLength": len(binary)}]
    for view in document["bufferViews"]:
        assert view["byteOffset"] % 4 == 0
        assert view["byteOffset"] + view["byteLength"] <= len(binary)
    for accessor in document["accessors"]:
        view = document["bufferViews"][accessor["bufferView"]]
        assert view["byteLength"] == 12 * accessor["count"]
        values = list(struct.iter_unpack("<3f", binary[view["byteOffset"] :][: view["byteLength"]]))
        if "min" in accessor:
            assert [min(column) for column in zip(*values, strict=True)] == pytest.approx(accessor["min"])
            assert [max(column) for column in zip(*values, strict=True)] == pytest.approx(accessor["max"])
        else:
            assert all(sum(part * part for part in normal) == pytest.approx(1, abs=1e-5) for normal in values)
    assert {node["name"] for node in document["nodes"]} == set("VLTZABP")
    assert len(document["materials"]) == 7


def test_glb_is_in_metres_with_y_up_and_not_reflected() -> None:
    from puzzlec import parse

    tower = parse("lattice cubic\nlocations box 2x1x3\npiece L { x. x. xx }\npiece I { x x }\n")
    upright = model(tower, format="glb", sizes=Sizes(gap=0, bevel=0), layout="solution")
    scene = trimesh.load(BytesIO(upright), file_type="glb")
    assert scene.extents.tolist() == pytest.approx([0.04, 0.06, 0.02])
    assert sum(body.volume for body in scene.dump()) == pytest.approx(6 * 0.02**3)
    solid = trimesh.load(
        BytesIO(model(tower, format="stl", sizes=Sizes(gap=0, bevel=0), layout="solution")), file_type="stl"
    )
    assert solid.extents.tolist() == pytest.approx([40, 20, 60])


@pytest.mark.parametrize("format", ["stl", "3mf", "glb"])
def test_the_same_model_has_the_same_bytes(format: str) -> None:
    assert model("pairs-octahedron", format=format, sizes=SIZES) == model(
        "pairs-octahedron", format=format, sizes=SIZES
    )


def test_names_and_titles_may_have_any_signs() -> None:
    from puzzlec import parse

    puzzle = parse('puzzle "a<b> & \'c\'"\nlocations box 2x1\npiece "ä<" { xx }\n')
    with zipfile.ZipFile(BytesIO(model(puzzle, format="3mf"))) as packed:
        assert "ä&lt;" in packed.read("3D/3dmodel.model").decode()
    assert model(puzzle, format="stl")[:80].isascii()
    assert chunks(model(puzzle, format="glb"))[0]["nodes"][0]["name"] == "ä<"


@cache
def upright(format: str) -> bytes:
    """Return two pieces on a plate, one of them rotated."""
    from puzzlec import parse

    text = "lattice cubic\nlocations box 3x4x1\npiece L { xxx/x.. }\npiece J { xxx/..x }\npiece I x2 { xx }\n"
    return model(parse(text), format=format, sizes=Sizes(gap=0, bevel=0), plate=Plate(45, 175))


def test_rotated_pieces_lie_in_the_same_way_in_every_format() -> None:
    closed = trimesh.load(BytesIO(upright("stl")), file_type="stl")
    assert closed.is_volume
    assert (closed.extents[:2] <= [45, 175]).all()
    wanted = set(map(tuple, closed.vertices.round(3).tolist()))
    scene = trimesh.load(BytesIO(upright("glb")), file_type="glb").to_geometry()
    assert {(round(1000 * x, 3), round(-1000 * z, 3), round(1000 * y, 3)) for x, y, z in scene.vertices} == wanted
    document, _ = chunks(upright("glb"))
    assert any("rotation" in node for node in document["nodes"])
    with zipfile.ZipFile(BytesIO(upright("3mf"))) as packed:
        root = ElementTree.fromstring(packed.read("3D/3dmodel.model"))
    space = "{http://schemas.microsoft.com/3dmanufacturing/core/2015/02}"
    points = {
        element.get("id"): [
            [float(corner.get(axis, "")) for axis in "xyz"] for corner in element.iter(f"{space}vertex")
        ]
        for element in root.iter(f"{space}object")
    }
    found = set()
    for item in root.iter(f"{space}item"):
        m = [float(value) for value in item.get("transform", "").split()]
        for x, y, z in points[item.get("objectid")]:
            found.add(tuple([round(x * m[k] + y * m[3 + k] + z * m[6 + k] + m[9 + k], 3) for k in range(3)]))
    assert found == wanted


def test_the_surfaces_of_glb_are_closed_if_equal_places_are_merged() -> None:
    scene = trimesh.load(BytesIO(soma("glb", "solution")), file_type="glb")
    for mesh in scene.geometry.values():
        mesh.merge_vertices(merge_norm=True)
        assert mesh.is_volume


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(ValueError, match=r"unknown format .* for meshes"):
        model("soma", format="obj")


def test_a_palette_gives_the_colours_of_a_model() -> None:
    with zipfile.ZipFile(BytesIO(model("soma", format="3mf", sizes=Sizes(palette="wood")))) as archive:
        text = archive.read("3D/3dmodel.model").decode()
    assert set(re.findall('displaycolor="(#.{6})', text)) == {colour.upper() for colour in PALETTES["wood"][:7]}
    with pytest.raises(ValueError, match="unknown palette"):
        model("soma", format="3mf", sizes=Sizes(palette="neon"))
