"""Rules on regions as pictures and pages show them: one outline for a region, sentences for rows and columns."""

from __future__ import annotations

import json
import re
from typing import Any
from xml.etree import ElementTree

import pytest

import puzzlec
from puzzlec.geometry import find_lattice
from puzzlec.geometry.faces import area
from puzzlec.geometry.outlines import outline
from puzzlec.ir import Puzzle
from puzzlec.show.page.data import page_data
from puzzlec.show.ruling import APART, BAND, TONES, as_data, border, ruling, within
from puzzlec.solving.subject import Subject

SVG = "{http://www.w3.org/2000/svg}"

#: A calcudoku: cages with sums, and digits that differ in each row and column.
CALCUDOKU = """puzzle "Calcudoku"
colours 1 2 3 4
regions A B C D E
locations {
  AABB
  ACCB
  DDEE
  DDEE
}
piece P x4 { 1 }
piece Q x4 { 2 }
piece R x4 { 3 }
piece S x4 { 4 }
rule A sum = 5
rule B sum = 10
rule C sum = 5
rule D sum = 11
rule E sum < 12
for k in 0..3 {
  rule box 4x1 at (0,k) all different
  rule box 1x4 at (k,0) all different
}
"""

#: A ring of dominoes: its sides share corners.
RING = """puzzle "Ring"
locations box 4x4 - box 2x2 at (1,1)
pieces double-six x0..1 only 0-3, 1-2, 2-2, 3-3, 1-3, 0-1, 2-4, 2-5
rule box 4x1 sum = 9
rule box 4x1 at (0,3) sum = 9
rule box 1x4 sum = 9
rule box 1x4 at (3,0) sum = 9
"""

#: Cubes, with a rule on a layer and one that crosses layers.
CUBES = """puzzle "Sums in a cube"
lattice cubic
colours 1 2 3
locations box 2x2x2
piece a x2 { 12 }
piece b { 13 }
piece c { 23 }
rule box 2x2x1 sum >= 5
rule box 1x2x2 at (1,0,0) sum = 8
"""


def board(rules: str, wide: int = 4) -> Puzzle:
    """Return a square board of single digits with rules."""
    pieces = "\n".join(f"piece p{digit} x* {{ {digit} }}" for digit in range(1, 5))
    return puzzlec.parse(f"colours 1 2 3 4\nlocations box {wide}x{wide}\n{pieces}\n{rules}\n")


def strokes(svg: str) -> list[str]:
    """Return the path data of each band of a region in a picture."""
    found = []
    for group in ElementTree.fromstring(svg).iter(f"{SVG}g"):
        title = group.find(f"{SVG}title")
        if title is not None and (title.text or "").startswith("region: "):
            found += [str(path.get("d")) for path in group.findall(f"{SVG}path")]
    return found


def test_rows_and_columns_of_a_latin_square_are_one_sentence_and_no_outline() -> None:
    rules = "for k in 0..3 {\n rule box 4x1 at (0,k) all different\n rule box 1x4 at (k,0) all different\n}"
    found = ruling(board(rules))
    assert not found.regions
    assert found.sentences() == ["Each row and each column: all different"]
    (note,) = found.notes
    assert note.rules == tuple(range(8))


def test_each_rule_is_shown_once() -> None:
    for text in (CALCUDOKU, RING):
        found = ruling(puzzlec.parse(text))
        numbers = [
            number for rules in (*(r.rules for r in found.regions), *(n.rules for n in found.notes)) for number in rules
        ]
        assert sorted(numbers) == list(range(len(puzzlec.parse(text).rules.regions)))


@pytest.mark.parametrize(
    ("rules", "sentences"),
    [
        ("rule box 4x1 at (0,1) all equal", ["Row 2: all equal"]),
        (
            "rule box 1x4 all different\nrule box 1x4 at (2,0) all different\nrule box 4x1 all equal",
            ["Columns 1, 3: all different", "Row 1: all equal"],
        ),
        ("rule box 4x4 all different", ["The board: all different"]),
        ("for k in 0..3 {\n rule box 4x1 at (0,k) sum = 9\n}", ["Each row: sum = 9"]),
        ("rule box 4x1 sum = 9\nrule box 3x1 all different", []),
    ],
)
def test_lines_are_named(rules: str, sentences: list[str]) -> None:
    assert ruling(board(rules)).sentences() == sentences


def test_cages_side_by_side_have_one_outline_each_in_different_tones() -> None:
    regions = ruling(puzzlec.parse(CALCUDOKU)).regions
    assert [region.label for region in regions] == ["5", "10", "5", "11", "<12"]
    assert {region.depth for region in regions} == {0}
    cells = {cell: region.tone for region in regions for cell in region.cells}
    owner = {cell: number for number, region in enumerate(regions) for cell in region.cells}
    for x, y in cells:
        for beside in ((x + 1, y), (x, y + 1)):
            if beside in cells and owner[beside] != owner[x, y]:
                assert cells[beside] != cells[x, y]
    bands = strokes(puzzlec.draw(puzzlec.parse(CALCUDOKU), show="board"))
    assert [band.count("M") for band in bands] == [1] * 5
    assert [band.count("L") + 1 for band in bands] == [6, 6, 4, 4, 4]


def test_regions_that_share_cells_have_outlines_within_each_other_and_labels_apart() -> None:
    regions = ruling(puzzlec.parse(RING)).regions
    for one in regions:
        for two in regions:
            if one is not two and set(one.cells) & set(two.cells):
                assert one.depth != two.depth
                assert one.tone != two.tone
    assert len({region.top for region in regions}) == len(regions)


def test_a_region_that_overlaps_too_many_others_is_a_sentence() -> None:
    rules = "\n".join(f"rule box {wide}x{high} sum < 30" for wide in (2, 3) for high in (2, 3))
    found = ruling(board(rules))
    assert [region.depth for region in found.regions] == [0, 1, 2]
    assert found.sentences() == ["9 locations: sum < 30"]


@pytest.mark.parametrize("name", ["square", "triangle", "hex", "tetrakis"])
def test_an_outline_has_the_same_distance_from_all_sides(name: str) -> None:
    lattice = find_lattice(name)
    at = lattice.cell(lattice.kinds[0].at)
    assert at is not None
    (ring,), (inner,) = outline(lattice, [at]), border(lattice, [at], 1, 1.0)
    far = BAND / 2 + APART
    for (a, b), (c, d), (x, y) in zip(ring, [*ring[1:], ring[0]], inner, strict=True):
        assert abs((c - a) * (y - b) - (d - b) * (x - a)) / ((c - a) ** 2 + (d - b) ** 2) ** 0.5 == pytest.approx(far)
    assert area(inner) < area(ring)


def test_the_outline_around_a_hole_lies_within_the_region() -> None:
    ring = [(x, y) for x in range(3) for y in range(3) if (x, y) != (1, 1)]
    outer, inner = sorted(within(outline(find_lattice("square"), ring), 0.25), key=area, reverse=True)
    assert area(outer) == pytest.approx(2.5**2)
    assert area(inner) == pytest.approx(1.5**2)


def test_the_picture_says_what_it_does_not_draw() -> None:
    with_rules = puzzlec.draw(puzzlec.parse(CALCUDOKU), show="board")
    without = puzzlec.draw(puzzlec.parse(re.sub(r"for k[^}]*}", "", CALCUDOKU)), show="board")
    height = [float(str(ElementTree.fromstring(svg).get("height"))) for svg in (with_rules, without)]
    assert height[0] > height[1]
    assert strokes(with_rules) == strokes(without)


def test_layers_of_a_solid_show_regions_and_the_picture_describes_them() -> None:
    found = ruling(puzzlec.parse(CUBES))
    assert found.sentences() == [
        "Locations (0,0,0) (1,0,0) (0,1,0) (1,1,0): sum >= 5",
        "Locations (1,0,0) (1,1,0) (1,0,1) (1,1,1): sum = 8",
    ]
    assert len(strokes(puzzlec.draw(puzzlec.parse(CUBES), view="layers"))) == 3
    data: Any = json.loads(json.dumps(as_data(puzzlec.parse(CUBES))))
    assert [[part["height"] for part in region["parts"]] for region in data["regions"]] == [[0], [0, 1]]
    assert all(note["drawn"] for note in data["notes"])


def test_a_page_has_the_outlines_and_notes_of_the_picture() -> None:
    puzzle = puzzlec.parse(CALCUDOKU)
    data: Any = page_data(Subject(puzzlec.compile(puzzle, stage="fitting")))["rules"]
    assert data == as_data(puzzle)
    assert [region["colour"] for region in data["regions"]] == [TONES[region.tone] for region in ruling(puzzle).regions]
    assert "rules" not in page_data(Subject(puzzlec.compile("soma", stage="fitting")))


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        ("no crossroads", "No four pieces meet at a point"),
        ("at most 2 at a point", "Most pieces that meet at a point: 2"),
        ("no crossroads off cells (0,0) (1,1)", "Points off locations (0,0) (1,1): no four pieces meet at a point"),
        ("no crossroads on box 4x3", "Points on 12 locations: no four pieces meet at a point"),
        ("no faults", "No fault lines"),
        ("no faults across x", "No fault lines across x"),
        ("apart I L", "Pieces that must not touch: I, L"),
        ("apart I L with corners", "Pieces that must not touch, even at corners: I, L"),
        ("touching I L", "Pieces that must touch: I, L"),
        ("symmetric half-turn", "The solution is symmetric: half-turn"),
    ],
)
def test_a_rule_about_how_pieces_meet_is_a_sentence(rule: str, sentence: str) -> None:
    puzzle = puzzlec.parse(f"locations box 4x4\npieces tetrominoes only I, L\n{rule}")
    assert ruling(puzzle).sentences() == [sentence]
    assert as_data(puzzle)["notes"]
