"""The pictures of lattices in the documentation: current, well formed, with every cell written on it.

``PUZZLEC_REGENERATE=1 pytest tests/show/test_lattice_picture.py`` draws them again.
"""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from puzzlec.geometry import Lattice, find_lattice, lattice_names
from puzzlec.show.lattice_picture import lattice_picture

DOCS = Path(__file__).parents[2] / "docs"
PICTURES = DOCS / "lattice-pictures"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(params=lattice_names())
def lattice(request: pytest.FixtureRequest) -> Lattice:
    return find_lattice(request.param)


def drawn(lattice: Lattice, shape: str) -> list[ElementTree.Element]:
    return ElementTree.fromstring(lattice_picture(lattice)).findall(f".//{SVG}{shape}")


def labels(lattice: Lattice) -> list[str]:
    return [str(element.text) for element in drawn(lattice, "text")]


def test_the_picture_in_the_documentation_is_current(lattice: Lattice) -> None:
    file = PICTURES / f"{lattice.name}.svg"
    if os.environ.get("PUZZLEC_REGENERATE"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(lattice_picture(lattice), encoding="utf-8", newline="\n")
    assert file.read_text(encoding="utf-8") == lattice_picture(lattice)


def test_no_picture_belongs_to_a_removed_lattice() -> None:
    assert {file.stem for file in PICTURES.glob("*.svg")} == set(lattice_names())


def test_no_label_is_written_twice_and_every_kind_has_one(lattice: Lattice) -> None:
    shown = labels(lattice)
    assert len(shown) == len(set(shown))
    if lattice.dimension < 3 or len(lattice.kinds) == 1:
        cells = [tuple(map(int, label.split(","))) for label in shown]
        assert all(len(cell) == lattice.coordinates for cell in cells)
        assert {lattice.class_of(lattice.point(cell)) for cell in cells} == set(range(len(lattice.kinds)))
    else:
        assert shown == [f"{number}: {kind.name}" for number, kind in enumerate(lattice.kinds)]


def test_everything_is_within_the_frame(lattice: Lattice) -> None:
    root = ElementTree.fromstring(lattice_picture(lattice))
    left, top, width, height = map(float, root.attrib["viewBox"].split())
    assert width < 1200
    assert height < 1000
    for corners in (element.attrib["points"] for element in drawn(lattice, "polygon")):
        for corner in corners.split():
            x, y = map(float, corner.split(","))
            assert left < x < left + width
            assert top < y < top + height


def test_polygons_of_a_flat_lattice_are_its_cells() -> None:
    assert [len(drawn(find_lattice(name), "polygon")) for name in ("square", "hex", "drafter")] == [12, 12, 48]
    assert len(drawn(find_lattice("twigs"), "line")) == 18


def test_a_cube_shows_three_sides_of_six_and_a_tesseract_32_edges() -> None:
    # Coxeter, Regular Polytopes: the tesseract has 32 edges
    assert len(drawn(find_lattice("cubic"), "polygon")) == 4 * 3
    assert len(drawn(find_lattice("hypercubic"), "line")) == 32


def test_a_side_in_front_is_painted_over_one_behind() -> None:
    # the nearer of two cubes is painted last
    shown = labels(find_lattice("cubic"))
    assert shown.index("0,0,1") < shown.index("0,0,0")


def test_labels_do_not_overlap(lattice: Lattice) -> None:
    boxes = []
    for element in drawn(lattice, "text"):
        x, y, half = float(element.attrib["x"]), float(element.attrib["y"]), 3.2 * len(str(element.text))
        boxes.append((x - half, y - 9, x + half, y + 2))
    for number, (a, b, c, d) in enumerate(boxes):
        assert not any(a < g and e < c and b < h and f < d for e, f, g, h in boxes[:number])


def test_a_custom_lattice_also_has_a_picture() -> None:
    # corners at fifths, which no shipped lattice has
    prism = find_lattice("prism")
    kinds = tuple(
        kind._replace(outline=tuple((x, y, z * 0.4) for x, y, z in kind.outline), name=f"flat {kind.name}")
        for kind in prism.kinds
    )
    assert labels(replace(prism, name="flat", kinds=kinds)) == [
        "0: flat prism pointing up",
        "1: flat prism pointing down",
    ]


def test_the_page_shows_every_lattice_and_the_orders_of_its_groups() -> None:
    page = (DOCS / "lattices.md").read_text(encoding="utf-8")
    for name in lattice_names():
        lattice = find_lattice(name)
        assert f"](lattice-pictures/{name}.svg)" in page
        (row,) = re.findall(rf"^\| \[`{name}`\]\(#{name}\) \|(.*)\|$", page, re.MULTILINE)
        _, kinds, neighbours, turns, isometries, freedom, _ = (column.strip() for column in row.split(" | "))
        assert int(kinds) == len(lattice.kinds)
        assert set(map(int, neighbours.split(","))) == {len(kind.neighbours) for kind in lattice.kinds}
        assert (int(turns), int(isometries)) == (len(lattice.rotations), len(lattice.isometries))
        assert freedom == lattice.freedom.value
