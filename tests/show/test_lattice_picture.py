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


def root(lattice: Lattice) -> ElementTree.Element:
    return ElementTree.fromstring(lattice_picture(lattice))


def labels(lattice: Lattice) -> list[str]:
    """Return the titles of groups, which are the labels of cells, and of kinds."""
    titles = [str(title.text) for title in root(lattice).iterfind(f".//{SVG}g/{SVG}title")]
    solid = lattice.dimension > 2 and len(lattice.kinds) > 1
    return [title for title in titles if not solid or ":" in title]


def paths(lattice: Lattice, look: str) -> int:
    return sum(look in str(path.attrib) for path in root(lattice).iterfind(f".//{SVG}path"))


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
        cells = [tuple(map(int, label.split(","))) for label in shown if "w=" not in label]
        if lattice.of_balls:  # these are painted from the farthest to the nearest, without groups
            return
        assert all(len(cell) == lattice.coordinates for cell in cells)
        assert {lattice.class_of(lattice.point(cell)) for cell in cells} == set(range(len(lattice.kinds)))
    else:
        assert shown == [f"{number}: {kind.name}" for number, kind in enumerate(lattice.kinds)]


def test_no_picture_is_wider_or_higher_than_a_page(lattice: Lattice) -> None:
    _, _, width, height = map(float, root(lattice).attrib["viewBox"].split())
    assert width < 1200
    assert height < 1000


def test_cells_and_edges_of_a_flat_lattice_are_single_shapes() -> None:
    cells = [paths(find_lattice(name), "'fill': '#f") for name in ("square", "hex", "drafter")]
    assert cells == [12, 12, 48]
    assert paths(find_lattice("twigs"), "'stroke': '#8794a1'") == 15
    assert paths(find_lattice("twigs"), "'stroke': '#e0a021'") == 3


def test_a_cube_of_four_dimensions_is_in_the_next_section() -> None:
    shown = labels(find_lattice("hypercubic"))
    assert shown.index("w=0") < shown.index("1,0,0,0") < shown.index("w=1") < shown.index("0,0,0,1")


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
