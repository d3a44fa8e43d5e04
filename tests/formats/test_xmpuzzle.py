"""XMPuzzle texts, read: grids, colours, holes, copies, names, and the assemblies that BurrTools stored."""

from __future__ import annotations

import gzip
from collections import Counter
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import puzzlec
from puzzlec.diagnostics import PuzzleError, Report, Source
from puzzlec.diagnostics.files import source_of
from puzzlec.formats.burrtools.grids import (
    GRIDS,
    Voxel,
    as_turned,
    cell_at,
    eighths,
    forms_by_turns,
    matrices,
    origin,
    voxel_of,
    whole,
)
from puzzlec.formats.burrtools.stored import stored_assemblies
from puzzlec.formats.burrtools.xmpuzzle import read_xmpuzzle
from puzzlec.formats.reading import read
from puzzlec.geometry import find_lattice
from puzzlec.geometry.lattice import determinant, multiply
from puzzlec.ir import Piece, Puzzle
from puzzlec.ir.puzzle import PuzzleColours
from puzzlec.language.given import Given

VOXELS = st.tuples(*[st.integers(-20, 20)] * 3)


def text_of(shapes: list[str], problem: str, grid: int = 0, colours: int = 0) -> str:
    """Return a text: shapes as `3x2x1 ######` with further attributes, the content of a problem."""
    voxels = []
    for shape in shapes:
        size, signs, *others = shape.split(" ", 2)
        x, y, z = size.split("x")
        voxels.append(f'<voxel x="{x}" y="{y}" z="{z}" type="0" {" ".join(others)}>{signs}</voxel>')
    return (
        f'<puzzle version="2"><gridType type="{grid}"/><colors>{"<color/>" * colours}</colors>'
        f"<shapes>{''.join(voxels)}</shapes><problems>{problem}</problems></puzzle>"
    )


def puzzle_of(text: str, problem: str | None = None) -> Puzzle:
    return read_xmpuzzle(Source("a.xmpuzzle", text), Report(), Given(problem=problem))


@given(st.integers(0, 4), VOXELS)
def test_voxels_and_cells_correspond_one_to_one(grid: int, voxel: Voxel) -> None:
    cell = cell_at(grid, voxel)
    assert cell is None or voxel_of(grid, cell) == voxel


@pytest.mark.parametrize(("grid", "side", "cells"), [(0, 1, 1), (1, 2, 8), (2, 2, 4), (3, 5, 24), (4, 6, 40)])
def test_a_grid_has_its_number_of_cells_in_a_block(grid: int, side: int, cells: int) -> None:
    block = product(range(side, 2 * side), repeat=3)
    assert sum(cell_at(grid, (x, y, z)) is not None for x, y, z in block) == cells


@given(VOXELS)
def test_a_voxel_of_grid_4_belongs_to_the_solid_of_which_it_is_an_eighth(voxel: Voxel) -> None:
    if cell_at(4, voxel) is not None:
        assert voxel in eighths(whole(voxel))
        assert find_lattice("tetoct").cell(whole(voxel)) is not None


@given(st.integers(0, 4), st.lists(VOXELS, min_size=1, max_size=5))
def test_moving_voxels_to_the_origin_keeps_their_kinds(grid: int, voxels: list[Voxel]) -> None:
    valid = [voxel for voxel in voxels if cell_at(grid, voxel) is not None]
    if not valid:
        return
    shift = origin(grid, valid)
    moved = [(x - shift[0], y - shift[1], z - shift[2]) for x, y, z in valid]
    lattice = find_lattice(GRIDS[grid].lattice)
    points = [lattice.point(cell_at(grid, voxel) or ()) for voxel in valid]
    images = [lattice.point(cell_at(grid, voxel) or ()) for voxel in moved]
    assert {tuple(b - a for a, b in zip(*pair, strict=True)) for pair in zip(points, images, strict=True)} == {
        tuple(b - a for a, b in zip(points[0], images[0], strict=True))
    }
    assert all(map(lattice.repeats_by, [tuple(b - a for a, b in zip(points[0], images[0], strict=True))]))
    assert min(min(voxel) for voxel in moved) >= 0
    assert origin(grid, moved) == (0, 0, 0)


@pytest.mark.parametrize("grid", range(5))
def test_the_rotations_of_a_grid_are_all_different(grid: int) -> None:
    turns = matrices(grid)
    assert turns[0] == (tuple(tuple(turns[0][1] * (i == j) for j in range(3)) for i in range(3)), turns[0][1])
    assert len({matrix for matrix, _ in turns}) == len(turns)
    assert all(determinant(matrix) == divisor**3 for matrix, divisor in turns)
    if grid == 1:
        assert {matrix for matrix, _ in turns} == set(find_lattice("prism").rotations)
        return
    for matrix, divisor in turns:
        across = tuple(zip(*matrix, strict=True))
        assert multiply(matrix, across) == tuple(tuple(divisor**2 * (i == j) for j in range(3)) for i in range(3))
    if grid != 2:
        assert {matrix for matrix, _ in turns} == set(find_lattice("cubic").rotations)


@given(st.integers(0, 119))
def test_a_rotation_of_balls_keeps_a_plane_of_touching_ones(number: int) -> None:
    # six balls around one: all 120 rotations map some ring of this kind, and so its plane, to balls
    rings = [
        [(0, 0, 0), *product_ring]
        for product_ring in (
            [(1, -1, 0), (-1, 1, 0), (1, 0, -1), (-1, 0, 1), (0, 1, -1), (0, -1, 1)],
            [(1, 1, 0), (-1, -1, 0), (1, 0, -1), (-1, 0, 1), (0, 1, 1), (0, -1, -1)],
            [(1, 1, 0), (-1, -1, 0), (1, 0, 1), (-1, 0, -1), (0, 1, -1), (0, -1, 1)],
            [(1, -1, 0), (-1, 1, 0), (1, 0, 1), (-1, 0, -1), (0, 1, 1), (0, -1, -1)],
        )
    ]
    matrix, divisor = matrices(2)[number]

    def is_whole(ring: list[Voxel]) -> bool:
        images = [[sum(a * b for a, b in zip(row, point, strict=True)) for row in matrix] for point in ring]
        return all(value % divisor == 0 for image in images for value in image)

    assert sum(map(is_whole, rings)) in (1, 4)


def test_balls_that_touch_move_as_rigid_bodies() -> None:
    lattice = find_lattice("fcc")
    trapezium = [(0, 0, 0), (1, -1, 0), (2, -2, 0), (1, 0, -1), (2, -1, -1)]
    # Six ways in each of the four kinds of layers; the trapezium is its own mirror image.
    assert len(forms_by_turns(trapezium, [None] * 5)) == 24
    cells = tuple(lattice.cell(point) or () for point in trapezium)
    piece = Piece("T", cells, (None,) * 5, lattice.rotations)
    assert as_turned(piece, lattice, (), frozenset()) is piece


def test_balls_far_apart_get_the_placements_that_burrtools_knows() -> None:
    # The distance from (0,0,0) to (5,5,0) is that to (7,1,0), which none of the 120 rotations reaches.
    problem = '<problem><shapes><shape id="0"/></shapes><result id="1"/></problem>'
    far = "6x6x1 #" + "_" * 34 + "#"
    board = "8x6x1 " + "".join("+" if (x + y) % 2 == 0 else "_" for y in range(6) for x in range(8))
    puzzle = puzzle_of(text_of([far, board], problem, grid=2))
    lattice = find_lattice("fcc")
    covers = puzzle.pieces[0].covers or ()
    lines = {tuple(sorted(lattice.point(at) for at in cover if isinstance(at, tuple))) for cover in covers}
    assert lines == {((0, 0, 0), (5, 5, 0)), ((2, 0, 0), (7, 5, 0)), ((1, 5, 0), (6, 0, 0))}
    # The distance to (3,3,0) is that to (4,1,1), which a sixth of a turn reaches.
    assert {step for form in forms_by_turns([(0, 0, 0), (3, 3, 0)], [None] * 2) for step, _ in form} >= {(4, 1, 1)}


def test_unconnected_balls_in_several_colours_are_refused_if_the_colours_would_be_lost() -> None:
    problem = '<problem><shapes><shape id="0"/></shapes><result id="1"/><bitmap/></problem>'
    gap = "_" * 34
    with pytest.raises(PuzzleError, match=r"PZ354.*`S1` has separate balls in several colours"):
        puzzle_of(text_of([f"6x6x1 #1{gap}#2", f"6x6x1 #{gap}#"], problem, grid=2, colours=2))
    for piece, board in (("#{}#", "#{}#"), ("#1{}#1", "#{}#"), ("#1{}#2", "#1{}#2")):
        shapes = [f"6x6x1 {text.format(gap)}" for text in (piece, board)]
        pairs = "".join(f'<pair piece="{number}" result="{number}"/>' for number in (0, 1))
        allowed = problem.replace("<bitmap/>", f"<bitmap>{pairs}</bitmap>")
        read = puzzle_of(text_of(shapes, allowed, grid=2, colours=2))
        assert len(read.pieces[0].covers or ()) == 1
    # puzzlec recognises these pieces by their shape, and does not write pieces that it cannot read again.
    plain = puzzle_of(text_of([f"6x6x1 #{gap}#", f"6x6x1 #{gap}#"], problem.replace("<bitmap/>", ""), grid=2))
    cells = tuple(location.at for location in plain.locations if isinstance(location.at, tuple))
    coloured = Piece("P", cells, ("a", "b"), find_lattice("fcc").rotations)
    with pytest.raises(PuzzleError, match="PZ354"):
        puzzlec.convert(replace(plain, pieces=(coloured,), colours=PuzzleColours(("a", "b"))), "xmpuzzle")


def test_variable_voxels_are_optional_locations() -> None:
    problem = '<problem><shapes><shape id="0" min="0" max="9"/></shapes><result id="1"/></problem>'
    puzzle = puzzle_of(text_of(["2x1x1 ##", "4x1x1 #++#"], problem))
    assert [location.optional for location in puzzle.locations] == [False, True, True, False]
    assert [(piece.low, piece.high) for piece in puzzle.pieces] == [(0, 9)]
    assert puzzle.rules.empty is None
    # two dominoes, each at an end
    assert puzzlec.count(puzzle, symmetry="none") == 1


@pytest.mark.parametrize(("holes", "count"), [(None, 5), (4, 5), (3, 4), (2, 4), (1, 1), (0, 1)])
def test_holes_are_bounded_if_copies_are_free(holes: int | None, count: int) -> None:
    # Dominoes in a row of four: none, one at three places, or two. The ends may also be empty.
    bound = "" if holes is None else f'maxHoles="{holes}"'
    problem = f'<problem {bound}><shapes><shape id="0" min="0" max="9"/></shapes><result id="1"/></problem>'
    puzzle = puzzle_of(text_of(["2x1x1 ##", "4x1x1 ++++"], problem))
    assert puzzlec.count(puzzle, symmetry="none") == count


def test_holes_are_not_bounded_if_the_pieces_determine_their_number() -> None:
    # BurrTools does not look at maxHoles then.
    problem = '<problem maxHoles="1"><shapes><shape id="0" count="1"/></shapes><result id="1"/></problem>'
    report = Report()
    puzzle = read_xmpuzzle(Source("a", text_of(["2x1x1 ##", "4x1x1 ++++"], problem)), report, Given())
    assert puzzlec.count(puzzle, symmetry="none") == 3
    assert [diagnostic.message for diagnostic in report.diagnostics] == ["ignoring `maxHoles`"]
    assert [diagnostic.notes for diagnostic in report.diagnostics] == [
        ("the pieces leave 2 voxels empty whatever `maxHoles` is, and BurrTools ignores it",)
    ]


def allows(cell: int, at: int, pairs: list[tuple[int, int]]) -> bool:
    """Whether a voxel of a colour may lie on a voxel of the result, by the pairs of the format."""
    return cell == 0 or at == 0 or (cell - 1, at - 1) in pairs


@given(
    st.lists(st.integers(0, 3), min_size=1, max_size=3),
    st.lists(st.integers(0, 3), min_size=3, max_size=6),
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), max_size=6),
)
def test_colours_agree_by_the_listed_pairs(cells: list[int], ats: list[int], pairs: list[tuple[int, int]]) -> None:
    # A stick on a row: at some place, reversed or not.
    def signs(colours: list[int], sign: str) -> str:
        return "".join(f"{sign}{colour or ''}" for colour in colours)

    listed = "".join(f'<pair piece="{a}" result="{b}"/>' for a, b in pairs)
    problem = f'<problem><shapes><shape id="0"/></shapes><result id="1"/><bitmap>{listed}</bitmap></problem>'
    shapes = [f"{len(cells)}x1x1 {signs(cells, '#')}", f"{len(ats)}x1x1 {signs(ats, '+')}"]
    fitting = puzzlec.compile(puzzle_of(text_of(shapes, problem, colours=3)), stage="fitting")
    expected = {
        tuple(range(start, start + len(cells)))
        for start in range(len(ats) - len(cells) + 1)
        for stick in (cells, cells[::-1])
        if all(allows(cell, at, pairs) for cell, at in zip(stick, ats[start:], strict=False))
    }
    assert set(fitting.pieces[0].placements) == expected


def test_names_are_kept_and_distinguished() -> None:
    problem = (
        '<problem name="first"><shapes><shape id="0"/><shape id="1"/><shape id="2"/><shape id="3" count="0"/></shapes>'
        '<result id="4"/></problem><problem name="second"><shapes><shape id="1"/></shapes><result id="4"/></problem>'
    )
    text = text_of(["1x1x1 # name='A'", "1x1x1 #", "1x1x1 # name='A'", "1x1x1 #", "3x1x1 +++"], problem)
    assert [piece.name for piece in puzzle_of(text).pieces] == ["A", "S2", "A-S3"]
    assert puzzle_of(text).title == "first"
    assert puzzle_of(text, "2") == puzzle_of(text, "second") == puzzle_of(text, "SECOND ")
    assert [piece.name for piece in puzzle_of(text, "2").pieces] == ["S2"]


def test_of_several_problems_the_first_is_read_and_the_others_are_named() -> None:
    problem = '<problem name="{}"><shapes><shape id="0"/></shapes><result id="0"/></problem>'
    report = Report()
    read_xmpuzzle(Source("a", text_of(["1x1x1 #"], problem.format("x") + problem.format("y"))), report, Given())
    (warning,) = report.diagnostics
    assert warning.code == "PZ298"
    assert "2 `y`" in warning.notes[0]


def test_problems_without_names_are_distinguished_by_result_and_pieces() -> None:
    def problem(result: int, *pieces: str) -> str:
        shapes = "".join(f"<shape {piece}/>" for piece in pieces)
        return f'<problem><shapes>{shapes}</shapes><result id="{result}"/></problem>'

    row, ring = ("id='0' count='2'", "id='1'"), ("id='0' count='2'", "id='2' min='0' max='3'")
    text = text_of(
        ["1x1x1 #", "2x1x1 ##", "2x1x1 ## name='I'", "4x1x1 #### name='row'"],
        problem(3, *row) + problem(3, *ring) + problem(2, *row) + problem(3, "id='0' count='2'", "id='2'"),
    )
    report = Report()
    read_xmpuzzle(Source("a", text), report, Given())
    (warning,) = report.diagnostics
    assert warning.notes == (
        "they are 1 (row of 3 pieces: S2), 2 (row of 2 to 5 pieces), 3 (I of 3 pieces), 4 (row of 3 pieces: I)",
    )


def test_parts_without_meaning_for_the_puzzle_get_one_warning() -> None:
    problem = (
        '<problem state="2" extra="1"><shapes><shape id="0" group="1"/><shape id="0"><group group="1" count="1"/>'
        '</shape><shape id="1"/></shapes><result id="0"/><assembler version="2">1 2</assembler><solutions>'
        "<solution><assembly>0 0 0 0</assembly><separation/></solution><solution><assembly/></solution></solutions>"
        "</problem><news/><news/>"
    )
    comment = "<comment>\nName: Cube\nIt comes &lt;apart&gt;.\n\nSoon.\n</comment></puzzle>"
    text = text_of(["1x1x1 # weight='2'", "1x1x1 # weight='3'"], problem).replace("</puzzle>", comment)
    report = Report()
    puzzle = read_xmpuzzle(Source("my file", text), report, Given())
    assert puzzle.movement.together == ((("S1", 1), ("S1-S1", 1)),)
    (warning,) = report.diagnostics
    assert warning.code == "PZ261"
    assert warning.message == (
        "ignoring the unknown attribute `extra`, the unknown element `news` (2 times), "
        "2 stored assemblies, stored moves, "
        "the state of an unfinished search, a comment of 4 lines, the weights of 2 shapes"
    )
    assert warning.notes == ("the comment begins: Name: Cube It comes <apart>. Soon.",)
    assert warning.helps == (
        "`puzzlec check --to text 'my file'` draws the assemblies",
        "`puzzlec disassemble 'my file' --stored` carries out the moves",
    )


def test_many_unknown_elements_are_reported_by_their_number() -> None:
    problem = '<problem><shapes><shape id="0"/></shapes><result id="0"/></problem>'
    text = text_of(["1x1x1 #"], problem + "".join(f"<n{number}/>" for number in range(1000)))
    report = Report()
    read_xmpuzzle(Source("a", text), report, Given())
    assert [diagnostic.message.rpartition(", ")[2] for diagnostic in report.diagnostics] == ["988 other things"]


def test_the_suggestion_about_assemblies_names_their_problem() -> None:
    problem = '<problem{}><shapes><shape id="0"/></shapes><result id="0"/>{}</problem>'
    stored = "<solutions><solution><assembly>0 0 0 0</assembly></solution></solutions>"
    text = text_of(["1x1x1 #"], problem.format("", "") + problem.format(" name='b'", stored))
    report = Report()
    read_xmpuzzle(Source("a", text), report, Given(problem="B"))
    assert [diagnostic.helps for diagnostic in report.diagnostics] == [
        ("`puzzlec check --to text a --problem 2` draws the assemblies",)
    ]


def test_compressed_and_latin_files_are_read_and_recognised_by_their_content() -> None:
    problem = '<problem name="B\u00fcffel"><shapes><shape id="0"/></shapes><result id="0"/></problem>'
    text = text_of(["1x1x1 # name='\u00e9'"], problem)
    for content in (
        text.encode(),
        text.encode("latin-1"),
        gzip.compress(text.encode()),
        b"\xef\xbb\xbf" + text.encode(),
    ):
        puzzle = read(source_of(content, "anything"), None, Report())
        assert isinstance(puzzle, Puzzle)
        assert (puzzle.title, puzzle.pieces[0].name) == ("B\u00fcffel", "\u00e9")


def test_whole_octahedra_are_one_cell_and_cut_ones_are_eighths() -> None:
    problem = '<problem><shapes><shape id="0"/></shapes><result id="0"/></problem>'
    block = [
        "#" if (x in (2, 3) and y in (2, 3) and z in (2, 3)) else "_"
        for z in range(6)
        for y in range(6)
        for x in range(6)
    ]
    puzzle = puzzle_of(text_of([f"6x6x6 {''.join(block)}"], problem, grid=4))
    assert (puzzle.lattice and puzzle.lattice.name, len(puzzle.locations)) == ("tetoct", 1)
    block[block.index("#")] = "_"
    puzzle = puzzle_of(text_of([f"6x6x6 {''.join(block)}"], problem, grid=4))
    assert (puzzle.lattice and puzzle.lattice.name, len(puzzle.locations)) == ("octants", 7)


#: Assemblies, all or some, that BurrTools (of November 2025) stored in files that puzzlec wrote from its catalogue.
STORED = {
    "polycubes/diabolical-cube": [
        "0 2 2 0 2 0 1 5 0 0 2 0 2 1 0 4 0 0 1 0 0 0 0 0",
        "2 2 0 4 1 2 2 3 1 0 1 1 0 0 1 17 2 1 0 11 0 0 0 0",
    ],
    "prisms/prisgon-markus": ["0 2 0 0 4 1 0 3 2 0 0 0 4 0 2 6 1 0 1 9 5 3 1 8 2 4 2 8 4 4 2 8"],
    "balls/ball-room-pyramid": ["2 2 0 6 0 2 0 0 2 2 2 9 1 2 1 16", "1 3 0 0 4 2 0 7 2 0 0 28 2 2 0 0"],
    "rhombic/diagonal-cube": [
        "5 0 0 0 0 5 0 17 9 9 5 5 4 9 0 10 9 4 0 21 9 0 4 15",
        "5 0 0 0 9 4 0 21 9 0 4 15 4 9 0 10 0 5 0 17 9 9 5 5",
    ],
    "octants/four-piece-tetrahedron": ["-3 0 3 0 -3 11 8 2 11 8 3 5 0 8 8 13"],
    "tetoct/any-wings-rhombohedron": [
        "3 8 5 2 6 3 8 3 5 3 8 8 8 6 3 11 x x x x 0 5 0 1 3 5 3 1 8 3 11 8 11 6 11 8 x x x x x x x x x x x x",
    ],
}


@pytest.mark.parametrize("name", STORED)
def test_stored_assemblies_are_solutions(name: str) -> None:
    puzzle = puzzlec.load(name)
    assert isinstance(puzzle, Puzzle)
    text = puzzlec.convert(puzzle, "xmpuzzle")
    stored = "".join(f"<solution><assembly>{assembly}</assembly></solution>" for assembly in STORED[name])
    text = text.replace("</problem>", f"<solutions>{stored}</solutions></problem>")
    again = puzzle_of(text)
    placements = {
        piece.name: {
            frozenset(again.locations[location].at for location in placement) for placement in fitted.placements
        }
        for piece, fitted in zip(again.pieces, puzzlec.compile(again, stage="fitting").pieces, strict=True)
    }
    assemblies = stored_assemblies(Source("a", text))
    assert [assembly.number for assembly in assemblies] == list(range(1, len(STORED[name]) + 1))
    for assembly in assemblies:
        covered = Counter(cell for placed in assembly.placed for cell in placed.cells)
        assert set(covered.values()) == {1}
        assert {location.at for location in again.locations if not location.optional} <= covered.keys()
        assert all(frozenset(placed.cells) in placements[placed.piece] for placed in assembly.placed)
        used = Counter(placed.piece for placed in assembly.placed)
        assert all(piece.low <= used[piece.name] <= piece.high for piece in again.pieces)


def test_an_assembly_names_each_copy_and_leaves_out_those_that_are_not_used() -> None:
    problem = (
        '<problem><shapes><shape id="0" min="0" max="2"/><shape id="1"/></shapes><result id="2"/><solutions>'
        "<solution><assembly>x 1 0 0 0 2 0 0 8</assembly></solution></solutions></problem>"
    )
    text = text_of(["1x1x1 # name='dot'", "2x1x1 ## name='I' hx='1'", "3x1x1 ###"], problem)
    (assembly,) = stored_assemblies(Source("a", text))
    # A half turn about y, number 8 of bricks, moves the domino from the left of its hot spot to the right.
    assert [(piece.piece, set(piece.cells)) for piece in assembly.placed] == [
        ("dot", {(1, 0, 0)}),
        ("I", {(2, 0, 0), (3, 0, 0)}),
    ]


def test_assemblies_are_read_from_the_chosen_problem() -> None:
    problem = (
        '<problem name="{}"><shapes><shape id="0"/></shapes><result id="0"/><solutions>'
        "<solution><assembly>{} 0 0 0</assembly></solution></solutions></problem>"
    )
    text = text_of(["1x1x1 #"], problem.format("a", 0) + problem.format("b", 5))
    assert [assembly.placed[0].cells for assembly in stored_assemblies(Source("t", text), "b")] == [((5, 0, 0),)]
    assert stored_assemblies(Source("t", text), "1") == stored_assemblies(Source("t", text))
