"""Outlines for a laser: cut parts have their nominal size, lie separately, and are cut once."""

from __future__ import annotations

import re
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter
from io import StringIO
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlec import parse
from puzzlec.diagnostics import PuzzleError
from puzzlec.geometry import find_lattice, lattice_names
from puzzlec.ir import Placement, Solution
from puzzlec.lower import place
from puzzlec.make.choices import Cutting, Plate, Sizes
from puzzlec.make.laser.cuts import CutLine, SheetPart, strokes
from puzzlec.make.laser.plan import CuttingPlan, described, planned
from puzzlec.make.outputs import cut, subject
from puzzlec.solving.subject import Subject

shapely = pytest.importorskip("shapely")

SVG = "{http://www.w3.org/2000/svg}"

#: Puzzles of each flat lattice, and the area of a cell in mm² if its side is 10 mm.
FLAT = {
    "fibonacci-20": 100.0,
    "pentominoes/6x10": 100.0,
    "hexiamonds-ring": 100 * 3**0.5 / 4,
    "tetrahexes-six-holes": 150 * 3**0.5,
    "tangram-square": 25.0,
    "polydrafters/trinity": 100 * 3**0.5 / 8,
}


def part_shape(part: SheetPart) -> Any:
    """Return the area that the closed lines of a part bound, by the even-odd rule."""
    rings = sorted((shapely.Polygon(line.places) for line in part.cut), key=lambda ring: -ring.area)
    assert all(line.closed for line in part.cut)
    whole = shapely.Polygon()
    for ring in rings:
        assert ring.is_valid
        whole = whole.symmetric_difference(ring)
    return whole


def pieces_of(name: str, **chosen: Any) -> tuple[Subject, CuttingPlan]:
    found = subject(name, 0)
    return found, planned(found, Cutting(**chosen))


def code_of(error: pytest.ExceptionInfo[PuzzleError]) -> str:
    return error.value.diagnostics[0].code


@pytest.mark.parametrize("name", FLAT)
@pytest.mark.parametrize("kerf", [0.0, 0.2])
def test_the_rest_of_each_piece_has_the_area_of_its_cells(name: str, kerf: float) -> None:
    found, plan = pieces_of(name, sizes=Sizes(cell=10, gap=0), kerf=kerf)
    assert found.puzzle is not None
    cells = {piece.name: len(piece.cells) for piece in found.puzzle.pieces}
    for sheet in plan.sheets:
        for part in sheet.parts:
            path = part_shape(part)
            # The area that the beam does not touch; the beam is a disc of the width of the kerf.
            left = path.buffer(-kerf / 2, join_style="mitre", mitre_limit=10)
            assert left.area == pytest.approx(cells[part.name] * FLAT[name], rel=1e-6)


def test_a_round_beam_removes_everything_around_a_piece_and_nothing_of_it() -> None:
    found, plan = pieces_of("pentominoes/6x10", sizes=Sizes(cell=10, gap=0.4), kerf=0.3)
    assert found.puzzle is not None
    for part in plan.sheets[0].parts:
        path = part_shape(part)
        beam = path.boundary.buffer(0.15)
        left = path.difference(beam)
        nominal = path.buffer(-0.15, join_style="mitre")
        assert beam.intersection(nominal).area < 1e-6
        # A round beam leaves inner corners round: exactly that much remains.
        assert 0 <= left.area - nominal.area + 1e-9 < 5 * 0.15**2
        # Each side of a piece is set back by half of the gap.
        cells = (nominal.bounds[2] - nominal.bounds[0] + 0.4) / 10
        assert cells == pytest.approx(round(cells))


@pytest.mark.parametrize("name", [*FLAT, "tetrasticks-5x5-without-L", "macmahon-squares"])
def test_no_two_parts_overlap_and_all_are_on_their_sheet(name: str) -> None:
    _, plan = pieces_of(name, sizes=Sizes(cell=12, gap=0), kerf=0.2, plate=Plate(200, 150), engrave=("labels", "cells"))
    for sheet in plan.sheets:
        shapes = [part_shape(part) for part in sheet.parts]
        boxes = [shapely.box(*part.box) for part in sheet.parts]
        assert all(a.distance(b) > 1.9 for a, b in combinations(boxes, 2))
        board = shapely.box(5, 5, sheet.width - 5, sheet.height - 5).buffer(1e-6)
        assert all(board.contains(shape) for shape in shapes)
        for part, shape in zip(sheet.parts, shapes, strict=True):
            assert all(shape.covers(shapely.LineString(line.places)) for line in part.engraved)


def test_every_copy_is_cut_and_a_solution_determines_the_optional_ones() -> None:
    text = 'puzzle "p"\nlocations box 4x3\npiece I x4 { xx }\npiece L x0..2 { xx/x. }\npiece S x* { xx }\n'
    puzzle = parse(text)
    without = Subject(place(puzzle))
    assert Counter(part.name for part in planned(without, Cutting()).sheets[0].parts) == {"I": 4, "L": 2, "S": 1}
    solved = subject(puzzle)
    used = Counter(solved.fitting.piece_name(placement.number) for placement in solved.solutions[0].placements)
    assert Counter(part.name for part in planned(solved, Cutting()).sheets[0].parts) == used


@pytest.mark.parametrize("kerf", [0.0, 0.2])
@pytest.mark.parametrize(
    "name", ["pentominoes/6x10", "hexiamonds-ring", "tetrahexes-six-holes", "tangram-square", "polydrafters/trinity"]
)
def test_in_a_solution_each_line_is_cut_once_and_all_pieces_come_apart(name: str, kerf: float) -> None:
    found = subject(name)
    chosen = Cutting(Sizes(cell=10, gap=0), kerf=kerf, layout="solution")
    (part,) = planned(found, chosen).sheets[0].parts
    lines = [shapely.LineString([*line.places, *line.places[:1]] if line.closed else line.places) for line in part.cut]
    for a, b in combinations(lines, 2):
        assert a.intersection(b).length < 1e-3
    together = shapely.unary_union(lines, grid_size=1e-3)
    assert together.length == pytest.approx(sum(line.length for line in lines), rel=1e-4)
    regions = list(shapely.polygonize(list(shapely.node(together).geoms)).geoms)
    assert found.puzzle is not None
    names = [found.puzzle.pieces[placement.number] for placement in found.solutions[0].placements]
    if not kerf:
        areas = sorted(round(len(piece.cells) * FLAT[name], 1) for piece in names)
        left = [round(region.area, 1) for region in regions]
        for area in areas:  # holes of the board are also regions
            left.remove(area)
        assert len(left) <= 8
    if kerf:
        # Inner lines reach the outline, which lies outside of the board: so all parts come apart.
        slit = shapely.union_all([line.buffer(kerf / 2) for line in lines])
        hull = shapely.union_all([shapely.Polygon(line.places) for line in part.cut if line.closed])
        parts = [region for region in hull.difference(slit).geoms if region.area > 1]
        assert len(parts) >= len(names)


def test_inner_lines_and_holes_come_before_outlines() -> None:
    (part,) = planned(subject("tetrahexes-six-holes"), Cutting(layout="solution")).sheets[0].parts
    closed = [line.closed for line in part.cut]
    assert closed == sorted(closed)
    areas = [shapely.Polygon(line.places).area for line in part.cut if line.closed]
    assert areas[-1] == max(areas)
    _, plan = pieces_of("tetrasticks-5x5-without-L")
    ring = next(part for part in plan.sheets[0].parts if part.name == "O")
    inner, outer = (shapely.Polygon(line.places).area for line in ring.cut)
    assert inner < outer


def test_a_gap_wider_than_the_beam_cuts_pieces_in_a_solution_one_by_one() -> None:
    found = subject("pentominoes/6x10")
    chosen = Cutting(Sizes(cell=10, gap=0.5), kerf=0.2, layout="solution")
    (part,) = planned(found, chosen).sheets[0].parts
    assert len(part.cut) == 12
    shapes = [shapely.Polygon(line.places) for line in part.cut]
    assert sorted(round(shape.buffer(-0.1 + 0.25, join_style="mitre").area, 3) for shape in shapes) == [500.0] * 12
    assert min(a.distance(b) for a, b in combinations(shapes, 2)) == pytest.approx(0.3)


@given(st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=12), st.integers(0, 100))
@settings(max_examples=25)
def test_any_cells_of_squares_keep_their_area_under_any_beam(cells: set[tuple[int, int]], hundredths: int) -> None:
    kerf = hundredths / 100
    rows = "/".join("".join("x" if (x, y) in cells else "." for x in range(5)) for y in range(5))
    puzzle = parse(f'puzzle "p"\noptional locations box 5x5\npiece P {{ {rows} }}\n')
    choices = Cutting(Sizes(cell=10, gap=0), kerf=kerf, engrave=())
    (part,) = planned(Subject(place(puzzle)), choices).sheets[0].parts
    left = part_shape(part).buffer(-kerf / 2, join_style="mitre", mitre_limit=10)
    assert left.area == pytest.approx(100 * len(cells), rel=1e-6)


@pytest.mark.parametrize(
    ("name", "length"),
    [("tetrasticks-5x5-without-L", 12.0), ("tritrigs-hexagon", 12.0), ("one-sided-twigs-triangle", 12.0)],
)
@pytest.mark.parametrize("width", [None, 1.5])
def test_bars_that_meet_do_not_overlap_and_each_piece_is_whole(name: str, length: float, width: float | None) -> None:
    found = subject(name)
    sizes = Sizes(cell=length, gap=0, width=width)
    plan = planned(found, Cutting(sizes))
    for part in plan.sheets[0].parts:
        assert part_shape(part).geom_type == "Polygon"
    (together,) = planned(found, Cutting(sizes, layout="solution")).sheets[0].parts
    assert together.cut  # it was refused if any two pieces overlapped


def _through_the_middle(solution: Solution) -> list[Placement]:
    """Return the straight pieces on two edges that end in the middle of a grid of 2 x 2."""
    found = []
    for placement in solution.placements:
        names = [solution.fitting.location_name(location) for location in placement.locations]
        if len(names) == 2 and all("1" in name.split(",")[:2] for name in names):
            found.append(placement)
    return found


def test_bars_that_cross_are_refused_in_a_solution_but_not_one_by_one() -> None:
    # Two straight pieces cross in the middle; the border has single edges.
    text = 'puzzle "p"\nlattice sticks\ncrossing\nlocations grid 2x2\npiece I x2 cells (0,0,0) (1,0,0)\n'
    text += "piece S x8 cells (0,0,0)\n"
    both = subject(parse(text), None, symmetry="none")
    middle = {solution.placements for solution in both.solutions if len(_through_the_middle(solution)) == 2}
    assert middle
    found = subject(next(solution for solution in both.solutions if solution.placements in middle))
    assert planned(found, Cutting()).sheets
    with pytest.raises(PuzzleError, match="cross: they cannot be cut") as error:
        planned(found, Cutting(layout="solution"))
    assert code_of(error) == "PZ504"


def test_flat_pieces_of_a_solid_are_seen_from_above_with_their_thickness() -> None:
    found, plan = pieces_of("solid-pentominoes/3x4x5", sizes=Sizes(cell=8, gap=0))
    assert found.puzzle is not None
    assert [part_shape(part).area for part in plan.sheets[0].parts] == pytest.approx([5 * 64] * 12)
    assert plan.remarks == ("to be cut out of material of 8 mm",)
    flat = subject("pentominoes/6x10", 0)
    outlines = {part.name: part for part in planned(flat, Cutting(Sizes(cell=8, gap=0))).sheets[0].parts}
    for part in plan.sheets[0].parts:
        own, other = part_shape(part), part_shape(outlines[part.name])
        assert any(_same(own, turned) for turned in _turns(other)), part.name


def _turns(shape: Any) -> list[Any]:
    affinity = pytest.importorskip("shapely.affinity")
    mirrored = affinity.scale(shape, -1)
    return [affinity.rotate(form, 90 * k) for form in (shape, mirrored) for k in range(4)]


def _same(one: Any, other: Any) -> bool:
    moved = shapely.transform(other, lambda places: places - [other.bounds[:2]] + [one.bounds[:2]])
    return bool(one.symmetric_difference(moved).area < 1e-3)


def test_a_piece_of_prisms_lies_on_its_triangles_or_is_refused() -> None:
    text = 'puzzle "p"\nlattice prism\nlocations cells (0,0,0,0) (0,0,0,1)\npiece A cells (0,0,0,0) (0,0,0,1)\n'
    puzzle = parse(text)
    plan = planned(Subject(place(puzzle)), Cutting(Sizes(cell=10, gap=0)))
    (part,) = plan.sheets[0].parts
    assert part_shape(part).area == pytest.approx(2 * 100 * 3**0.5 / 4, rel=1e-4)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("soma", "piece `V` is not flat|piece `.*` is not flat"),
        ("dumbbells-tetrahedron", "is not flat"),
        ("hypercubes/dominoes-2x2x2x2", "`hypercubic` are not flat"),
        ("fano-planes", "without geometry"),
        ("iq-pyramid", "is not flat"),
    ],
)
def test_a_solid_that_is_not_flat_is_refused_with_a_reason(name: str, words: str) -> None:
    with pytest.raises(PuzzleError, match=words) as error:
        cut(subject(name, 0), format="svg")
    assert code_of(error) == "PZ504"


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        ({"sizes": Sizes(cell=10, gap=10)}, "a gap of 10 mm leaves too little of piece `F`"),
        ({"radius": 6.0}, "a radius of 6 mm leave too little"),
        ({"sizes": Sizes(cell=2, gap=0), "kerf": 3.0, "tray": True}, "takes|does not fit into a hole|no size"),
        ({"plate": Plate(50, 50)}, "needs .* mm, and the sheet has 50 x 50 mm"),
        ({"kerf": -1.0}, "-1 mm is not a valid kerf"),
        ({"kerf": float("nan")}, "nan mm is not a valid kerf"),
    ],
)
def test_unsuitable_sizes_are_reported(chosen: dict[str, Any], words: str) -> None:
    with pytest.raises(PuzzleError, match=words) as error:
        cut(subject("pentominoes/6x10", 0), format="svg", cutting=Cutting(**{"sizes": Sizes(cell=10, gap=0), **chosen}))
    assert code_of(error) == "PZ506"


def test_a_tray_is_a_frame_with_the_hole_of_the_board_and_a_plate() -> None:
    _, plan = pieces_of("pentominoes/6x10", sizes=Sizes(cell=10, gap=0.4), kerf=0.2, tray=True)
    parts = {part.name: part_shape(part) for sheet in plan.sheets for part in sheet.parts}
    frame, base = parts["frame of the tray"], parts["base of the tray"]
    assert shapely.Polygon(frame.interiors[0]).buffer(0.1, join_style="mitre").area == pytest.approx(60.4 * 100.4)
    assert frame.bounds[2] - frame.bounds[0] == pytest.approx(base.bounds[2] - base.bounds[0])
    assert not base.interiors


@pytest.mark.parametrize(("gap", "wider"), [(0.0, 0.2), (0.1, 0.1), (0.4, 0.4)])
def test_pieces_have_some_play_in_a_tray_for_any_gap(gap: float, wider: float) -> None:
    _, plan = pieces_of("fibonacci-20", sizes=Sizes(cell=10, gap=gap, wall=4), tray=True)
    frame = next(part_shape(part) for sheet in plan.sheets for part in sheet.parts if part.name.startswith("frame"))
    left, top, right, bottom = shapely.Polygon(frame.interiors[0]).bounds
    assert (right - left, bottom - top) == pytest.approx((200 + wider, 10 + wider))
    assert frame.bounds == pytest.approx((left - 4, top - 4, right + 4, bottom + 4))


def test_a_part_is_rotated_if_it_fits_on_the_sheet_only_then() -> None:
    found, plan = pieces_of("pentominoes/6x10", sizes=Sizes(cell=15, gap=0), tray=True, plate=Plate(200, 150))
    parts = {part.name: part for sheet in plan.sheets for part in sheet.parts}
    left, top, right, bottom = parts["frame of the tray"].box
    assert (right - left, bottom - top) == pytest.approx((166.2, 106.2))  # the board is 90 mm wide, 150 mm high
    for part in parts.values():  # and it is the same piece
        assert all(0 <= x <= 200 and 0 <= y <= 150 for line in part.cut for x, y, *_ in line.places)
    (alone,) = planned(found, Cutting(Sizes(cell=15, gap=0), plate=Plate(600, 400))).sheets
    for part in alone.parts:
        one, other = part_shape(part), part_shape(parts[part.name])
        # Only rotated, not reflected: F is not its own mirror image.
        assert any(_same(way, other) for way in _turns(one)[:4]), part.name


def test_without_a_sheet_those_of_a_small_machine_are_used_and_larger_parts_have_separate_ones() -> None:
    _, plan = pieces_of("pentominoes/6x10", sizes=Sizes(cell=20, gap=0), tray=True)
    assert len(plan.sheets) == 3
    assert all(sheet.width <= 300 and sheet.height <= 200 for sheet in plan.sheets)
    large = planned(subject("fibonacci-20", 0), Cutting(Sizes(cell=20, gap=0, wall=5), tray=True)).sheets
    assert [sheet.width > 300 for sheet in large] == [False] * (len(large) - 2) + [True] * 2


def test_a_remark_gives_the_pieces_cuts_and_sheets() -> None:
    text = 'puzzle "p"\nlocations box 4x2\npiece L { xxx/x.. }\npiece J { x/x/xx }\n'
    found = subject(parse(text.replace("x/x/xx", "xxx/..x")))
    whole = planned(found, Cutting(Sizes(cell=10, gap=0), layout="solution"))
    assert described(whole) == "2 pieces, 2 cuts, 1 sheet of 50 x 30 mm"
    apart = planned(found, Cutting(Sizes(cell=10, gap=0), plate=Plate(70, 50), tray=True, engrave=()))
    assert described(apart).startswith("2 pieces and a tray, 5 cuts, ")


def test_rounded_corners_are_only_the_outer_ones() -> None:
    _, plan = pieces_of("pentominoes/6x10", sizes=Sizes(cell=10, gap=0), radius=2.0)
    cross = next(part_shape(part) for part in plan.sheets[0].parts if part.name == "X")
    # Each of eight corners loses a square less a quarter of a disc (drawn with eight chords).
    assert cross.area == pytest.approx(500 - 8 * (4 - 3.14159265), abs=0.3)
    assert cross.area < 500 - 8 * (4 - 3.14159265) + 1e-6


def test_the_svg_is_in_mm_and_has_a_group_for_each_piece() -> None:
    found = subject("pentominoes/6x10", 0)
    text = cut(found, format="svg", cutting=Cutting(Sizes(cell=10, gap=0), plate=Plate(300, 100)))
    root = ElementTree.fromstring(text)
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("300mm", "100mm", "0 0 300 100")
    titles = [title.text for title in root.iter(f"{SVG}title")]
    assert sorted(map(str, titles[2:])) == sorted("FILNPTUVWXYZ")
    colours = Counter(path.get("stroke") for path in root.iter(f"{SVG}path"))
    assert colours == {"#ff0000": 12, "#0000ff": 12}
    (rim,) = root.iter(f"{SVG}rect")  # these lines are not cut: they have another colour and a separate group
    assert (rim.get("width"), rim.get("height"), rim.get("stroke")) == ("300", "100", None)
    assert root.find(f"{SVG}g/{SVG}g[@id='rims-of-sheets']").get("stroke") == "#999999"  # type: ignore[union-attr]
    several = ElementTree.fromstring(
        cut(found, format="svg", cutting=Cutting(Sizes(cell=10, gap=0), plate=Plate(120, 60)))
    )
    sheets = [group for group in several.iter(f"{SVG}g") if str(group.get("id", "")).startswith("sheet")]
    assert several.get("height") == f"{70 * len(sheets) - 10}mm"
    assert [rim.get("y") for rim in several.iter(f"{SVG}rect")] == [str(70 * k) for k in range(len(sheets))]


def test_names_that_xml_cannot_contain_are_replaced() -> None:
    puzzle = parse('puzzle "a <b> & c"\nlocations box 2x1\npiece D { xx }\n')
    assert "a &lt;b&gt; &amp; c" in cut(Subject(place(puzzle)), format="svg")


def test_the_dxf_has_no_errors_and_the_same_lines_in_mm() -> None:
    ezdxf = pytest.importorskip("ezdxf")
    found = subject("tetrahexes-six-holes")
    choices = Cutting(Sizes(cell=10, gap=0), kerf=0.1, layout="solution", tray=True, plate=Plate(900, 300))
    text = cut(found, format="dxf", cutting=choices)
    assert text == cut(found, format="dxf", cutting=choices)
    document = ezdxf.read(StringIO(text))
    assert document.audit().errors == []
    assert document.header["$INSUNITS"] == 4
    lines = list(document.modelspace())
    assert {line.dxf.layer for line in lines} == {"CUT", "ENGRAVE"}
    plan = planned(found, choices)
    (sheet,) = plan.sheets
    wanted = sorted((line for part in sheet.parts for line in part.cut), key=_key)
    cuts = [
        CutLine(tuple((x, sheet.height - y) for x, y in line.get_points("xy")), bool(line.closed))
        for line in lines
        if line.dxf.layer == "CUT"
    ]
    for own, other in zip(sorted(cuts, key=_key), wanted, strict=True):
        assert own.closed == other.closed
        assert [*sum(own.places, ())] == pytest.approx([*sum(other.places, ())], abs=1e-3)


def _key(line: CutLine) -> list[tuple[float, float]]:
    return [(round(x, 2), round(y, 2)) for x, y in line.places]


def test_another_reader_finds_the_same_extent_in_the_dxf() -> None:
    trimesh = pytest.importorskip("trimesh")
    pytest.importorskip("ezdxf")
    text = cut(subject("pentominoes/6x10", 0), format="dxf", cutting=Cutting(Sizes(cell=10, gap=0), engrave=()))
    path = trimesh.load_path(StringIO(text), file_type="dxf")
    (sheet,) = planned(subject("pentominoes/6x10", 0), Cutting(Sizes(cell=10, gap=0), engrave=())).sheets
    assert len(path.entities) == 12
    assert path.bounds.ravel().tolist() == pytest.approx([5, 5, sheet.width - 5, sheet.height - 5], abs=1e-3)
    assert path.units in (None, "millimeters", "mm")


def test_the_same_choices_give_the_same_bytes_and_numbers_are_short() -> None:
    choices = Cutting(kerf=0.13, engrave=("labels", "cells"))
    first = cut(subject("polydrafters/trinity", 0), format="svg", cutting=choices)
    assert first == cut(subject("polydrafters/trinity", 0), format="svg", cutting=choices)
    assert not re.search(r"\d\.\d{4}", first)


def test_a_piece_across_a_seam_is_whole_on_a_plate_and_refused_in_a_solution() -> None:
    text = 'puzzle "p"\nwrap x\nlocations box 4x1\npiece D x2 { xx }\n'
    puzzle = parse(text)
    across = next(
        solution
        for solution in subject(puzzle, None, symmetry="none").solutions
        if any({0, 3} == set(placed.locations) for placed in solution.placements)
    )
    with pytest.raises(PuzzleError, match="across a seam"):
        cut(subject(across), format="svg", cutting=Cutting(layout="solution"))
    assert len(planned(subject(across), Cutting()).sheets[0].parts) == 2


def test_strokes_are_long_and_contain_each_segment_once() -> None:
    grid = [((x, y), (x + 1, y)) for x in range(3) for y in range(4)]
    grid += [((x, y), (x, y + 1)) for x in range(4) for y in range(3)]
    lines = strokes([*grid, *grid])
    assert sum(shapely.LineString([*line.places, *line.places[:1]] if line.closed else line.places).length
               for line in lines) == len(grid)  # fmt: skip
    assert len(lines) <= 8


@pytest.mark.parametrize("name", lattice_names())
def test_every_lattice_is_cut_or_refused(name: str) -> None:
    lattice = find_lattice(name)
    zero = (0,) * lattice.coordinates
    cell = "(" + ",".join(map(str, zero)) + ")"
    puzzle = parse(f'puzzle "p"\nlattice {name}\nlocations cells {cell}\npiece A cells {cell}\n')
    try:
        text = cut(Subject(place(puzzle)), format="svg")
    except PuzzleError as error:
        assert lattice.dimension > 2
        assert error.diagnostics[0].code == "PZ504"
    else:
        assert "<path" in text


@pytest.mark.parametrize(("module", "format"), [("shapely", "svg"), ("ezdxf", "dxf")])
def test_a_missing_library_is_reported_with_its_installation(
    module: str, format: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(PuzzleError, match=f"needs the package `{module}`") as error:
        cut(subject("pentominoes/6x10", 0), format=format)
    assert code_of(error) == "PZ505"
    assert "puzzlec[print]" in error.value.diagnostics[0].helps[0]


def test_a_custom_lattice_is_cut() -> None:
    _, plan = pieces_of("nine-cubes", sizes=Sizes(cell=10, gap=0), kerf=0.1)
    assert plan.sheets[0].parts
    for part in plan.sheets[0].parts:
        assert part_shape(part).is_valid


def test_a_bend_that_the_eye_sees_is_kept_in_a_line() -> None:
    bend, straight = (10.0, 0.05), (10.0, 0.0005)
    for middle, places in ((bend, ((0, 0), bend, (20, 0))), (straight, ((0, 0), (20, 0)))):
        [line] = strokes([((0, 0), middle), (middle, (20, 0))])
        assert line.places == places


def test_a_frame_without_the_walls_of_the_puzzle_gets_a_remark() -> None:
    text = "locations box 3x1\npiece D { xx }\npiece o { x }\n"
    remarks: list[str] = []
    cut(parse(f"{text}wall box 5x2 at (-1,-1) - box 3x1\n"), cutting=Cutting(tray=True), remarks=remarks)
    cut(parse(text), cutting=Cutting(tray=True), remarks=remarks)
    assert ["walls" in remark for remark in remarks] == [True, False]
