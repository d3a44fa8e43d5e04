from __future__ import annotations

import re
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import puzzlec
from puzzlec.cli.texts.lists import draw_often
from puzzlec.compiler import load
from puzzlec.geometry import find_lattice, lattice_names
from puzzlec.geometry.drawing import rule_of
from puzzlec.geometry.lattice import neighbours
from puzzlec.geometry.layers import layer_of
from puzzlec.ir import Piece, Puzzle, Solution
from puzzlec.show.palette import COLOURS, XTERM
from puzzlec.show.terminal import slices
from puzzlec.show.terminal.style import BoardOfSigns, Style
from puzzlec.show.terminal.text import draw_orientations, draw_piece, draw_puzzle, draw_solution
from tests.strategies import puzzles


def first(text: str, raw: bool = True) -> Solution:
    return next(iter(puzzlec.solve(puzzlec.parse(text), symmetry="none" if raw else "all")))


def test_borders_run_between_pieces_only() -> None:
    solution = first("locations { xxx/x.x }\npiece A fixed { xx/x. }\npiece B { x/x }")
    assert draw_solution(solution).split("\n") == [
        "┌───────┬───┐",
        "│ A   A │ B │",
        "│   ┌───┤   │",
        "│ A │   │ B │",
        "└───┘   └───┘",
    ]


def test_layers_are_side_by_side_and_wrap_at_the_width() -> None:
    solution = first("lattice cubic\nlocations box 2x1x3\npiece D x3 fixed { xx }")
    wide = draw_solution(solution, Style(ascii=True)).split("\n")
    border = "  ".join(["+-------+"] * 3)
    assert wide == [border, "| D   D |  | d   d |  | A   A |", border, "D d A: copies of D"]
    narrow = draw_solution(solution, Style(ascii=True, width=20)).split("\n")
    assert narrow[:3] == ["+-------+  +-------+", "| D   D |  | d   d |", "+-------+  +-------+"]
    assert narrow[3:] == ["", "+-------+", "| A   A |", "+-------+", "D d A: copies of D"]


def test_long_names_get_signs_and_a_legend() -> None:
    drawn = draw_solution(first('locations box 3x1\npiece "big one" fixed { xx }\npiece A { x }'))
    assert "│ b   b │ A │" in drawn or "│ A │ b   b │" in drawn
    assert drawn.endswith("b big one")


def test_a_board_of_colours_shows_them_when_pieces_have_long_names() -> None:
    drawn = draw_solution(first("colours 0 1 2\nlocations { 012 }\npiece zero-one { 01 }\npiece two { 2 }"))
    assert "│ 0   1 │ 2 │" in drawn
    assert "zero" not in drawn


def test_cells_that_stay_empty_are_blank() -> None:
    drawn = draw_solution(first("locations { x? }\npiece A { x }"))
    assert drawn.split("\n")[1] == "│ A │   │"


def test_neighbouring_pieces_differ_in_colour() -> None:
    solution = next(iter(puzzlec.solve("pentominoes/6x10")))
    drawn = draw_solution(solution, Style(colour=True))
    hue_of = dict(
        re.findall(r"48;5;(\d+)m *([A-Z])", drawn) and [(s, h) for h, s in re.findall(r"48;5;(\d+)m *([A-Z])", drawn)]
    )
    assert set(hue_of) == set("FILNPTUVWXYZ")
    assert {int(hue) for hue in hue_of.values()} <= set(XTERM)
    rows = str(solution).split("\n")
    for y, row in enumerate(rows):
        for x, sign in enumerate(row):
            for other in (row[x + 1 : x + 2], rows[y + 1][x : x + 1] if y + 1 < len(rows) else ""):
                if other and other != sign:
                    assert hue_of[other] != hue_of[sign]


def test_a_picture_without_colours_is_the_coloured_one_without_codes() -> None:
    solution = next(iter(puzzlec.solve("soma")))
    coloured = draw_solution(solution, Style(colour=True))
    assert re.sub(r"\033\[[0-9;]*m", "", coloured) == draw_solution(solution)


def test_no_colour_sticks_out_of_the_corner_of_a_hexagon() -> None:
    drawn = draw_solution(next(iter(puzzlec.solve("polyhexes/tetrahexes-4x7"))), Style(colour=True))
    assert "╱ ╲" in drawn
    assert re.search("[╱╲]\033[^m]*m \033[^m]*m[╱╲]", drawn) is None


def test_a_board_too_wide_for_borders_is_drawn_in_letters() -> None:
    solution = first("lattice line\nlocations box 60\npiece A x30 { xx }")
    assert draw_solution(solution, Style(width=80)).split("\n") == ["AAaa" * 15, "A a: copies of A"]


def test_printing_a_solution_draws_it_in_letters() -> None:
    assert str(first("locations { xxx/x.x }\npiece A fixed { xx/x. }\npiece B { x/x }")) == "AAB\nA.B"


def test_without_geometry_a_solution_is_a_list() -> None:
    text = "lattice none\nlocations names a b c\npiece P covers {a c}\npiece Q covers {b}"
    assert draw_solution(first(text)) == "P: a c\nQ: b"


def test_puzzles_and_pieces_are_drawn_in_their_typed_form() -> None:
    puzzle = puzzlec.parse("colours r\nlocations { xr?/x.. }\npiece A { rx/x. }")
    assert isinstance(puzzle, puzzlec.Puzzle)
    assert draw_puzzle(puzzle) == "xr?\nx.."
    assert draw_piece(puzzle.pieces[0], find_lattice("square")) == "rx\nx."


def test_cells_far_apart_are_listed_not_drawn() -> None:
    text = "locations cells (0,0) (900000,900000)\npiece A { x }\npiece B { x }"
    puzzle = puzzlec.parse(text)
    assert isinstance(puzzle, puzzlec.Puzzle)
    assert draw_puzzle(puzzle) == "0,0   900000,900000"
    solution = first(text)
    assert draw_solution(solution) == str(solution) == "A: 0,0\nB: 900000,900000"


def test_hexagons_have_borders_between_pieces_only() -> None:
    drawn = draw_solution(
        first("lattice hex\nlocations { x x x/ x x }\npiece A fixed { x x/ x }\npiece B fixed { . x/ x }")
    )
    assert drawn.split("\n") == [
        " ╱ ╲ ╱ ╲ ╱ ╲",
        "│ A   A │ B │",
        " ╲     ╱   ╱",
        "  │ A │ B │",
        "   ╲ ╱ ╲ ╱",
    ]


def test_hexagons_in_ascii_are_drawn_with_ascii_characters() -> None:
    drawn = draw_solution(first("lattice hex\nlocations { x x }\npiece A x2 { x }"), Style(ascii=True))
    assert drawn.split("\n") == [" / \\ / \\", "| A | A |", " \\ / \\ /"]


def test_triangles_have_borders_between_pieces_only() -> None:
    drawn = draw_solution(first("lattice triangle\nlocations { ..x/.xxx }\npiece A { x }\npiece B fixed { ..x/.xx }"))
    assert drawn.split("\n") == [
        "     ╱╲",
        "    ╱B ╲",
        "   ╱    ╲",
        "  ╱     ╱╲",
        " ╱B  B ╱A ╲",
        "╱_____╱____╲",
    ]


def test_level_borders_of_triangles_run_through_their_corners() -> None:
    text = "lattice triangle\nlocations { ..xxx/.xxxxx }\npiece A fixed { xxx }\npiece B fixed { xxxxx }"
    drawn = draw_solution(first(text), Style(ascii=True)).split("\n")
    assert drawn[0].strip() == "______"
    assert drawn[3] == "   /__________\\"
    assert drawn[6] == "/________________\\"


def test_a_board_too_wide_for_borders_is_drawn_in_signs_on_every_lattice() -> None:
    hexagons = first("lattice hex\nlocations { x x x x }\npiece A x2 { x x }")
    assert draw_solution(hexagons, Style(width=12)) == "A A a a\nA a: copies of A"
    triangles = first("lattice triangle\nlocations { xxxx }\npiece A x2 { xx }")
    assert draw_solution(triangles, Style(width=9)) == "AAaa\nA a: copies of A"
    listed = draw_solution(
        first("lattice tetrakis\nlocations box 3x1\npiece A x6 cells (0,0,0) (0,0,1)"), Style(width=20)
    )
    assert len(listed.split("\n")) == 7
    assert listed.startswith("the picture needs 25 columns, there are 20\nA: ")


def test_edges_of_a_triangular_grid_are_between_its_points() -> None:
    text = (
        "lattice trigs\nlocations cells (0,0,0) (0,0,1) (1,0,2)\npiece A cells (0,0,0) (0,0,1)\npiece B cells (0,0,0)\n"
    )
    assert draw_solution(first(text, raw=False)).split("\n") == ["+━━━A━━ +", " ╲     ╱", "  A   B", "   ╲ ╱", "    +"]
    puzzle = puzzlec.parse(text)
    assert isinstance(puzzle, Puzzle)
    assert draw_puzzle(puzzle) == "+---+\n \\ /\n  +"


def test_edges_of_a_honeycomb_make_hexagons() -> None:
    puzzle = puzzlec.parse(
        "lattice twigs\nlocations cells (0,0,0) (0,0,1) (0,0,2) (-1,0,1) (0,-1,2) (-1,1,0)\n"
        "piece A cells (0,0,0) (0,0,1)\n"
    )
    assert isinstance(puzzle, Puzzle)
    assert draw_puzzle(puzzle) == " / \\\n|   |\n \\ /"
    assert draw_orientations(puzzle.pieces[0], find_lattice("twigs")).split("\n")[0].startswith("\\")


def test_quarters_of_squares_are_drawn_with_their_sides() -> None:
    text = (
        "lattice tetrakis\nlocations box 1x1\npiece A fixed cells (0,0,0) (0,0,1)\npiece B fixed cells (0,0,2) (0,0,3)"
    )
    assert draw_solution(first(text)).split("\n") == ["________", "│╲ A    │", "│B ╲  A │", "│   B╲  │", "│______╲│"]


def test_empty_edges_and_cells_without_neighbours_are_dots() -> None:
    text = "lattice sticks\noptional locations { +-+-+ }\npiece A x1 fixed { +-+ }"
    assert draw_solution(first(text)) in ("+ ━━A━━ +   .   +", "+   .   + ━━A━━ +")


@pytest.mark.parametrize("name", lattice_names())
@settings(max_examples=20)
@given(st.data())
def test_every_piece_and_board_of_every_lattice_has_a_picture(name: str, data: st.DataObject) -> None:
    puzzle = data.draw(puzzles((name,), most=8))
    lattice = find_lattice(name)
    box = "x".join("1" * lattice.dimension)
    for piece in puzzle.pieces:
        drawn = draw_piece(piece, lattice)
        assert drawn
        if (
            rule_of(lattice) is not None
            and name not in ("hex", "triangle")
            and (name != "sticks" or not any(piece.colours))
        ):
            text = f"lattice {name}\ncolours r b\nlocations box {box}\npiece A {{\n{drawn}\n}}"
            again = puzzlec.parse(text)
            assert isinstance(again, Puzzle)
            assert sorted(map(str, again.pieces[0].colours)) == sorted(map(str, piece.colours))
        assert draw_orientations(piece, lattice)
    assert draw_puzzle(puzzle)


@pytest.mark.parametrize("name", lattice_names())
@settings(max_examples=20)
@given(st.data())
def test_every_solution_has_a_picture_with_a_sign_for_each_cell(name: str, data: st.DataObject) -> None:
    puzzle = data.draw(puzzles((name,), most=8))
    pieces = tuple(replace(piece, name="ABCD"[number]) for number, piece in enumerate(puzzle.pieces))
    renamed = replace(puzzle, pieces=pieces, rules=replace(puzzle.rules, pieces=()))
    solution = next(iter(puzzlec.solve(renamed, symmetry="none")), None)
    if solution is None:
        return
    plain = draw_solution(solution, Style(ascii=True))
    assert plain.isascii()
    assert re.sub(r"\033\[[0-9;]*m", "", draw_solution(solution, Style(ascii=True, colour=True))) == plain
    lattice = find_lattice(name)
    if plain.startswith("the picture needs"):
        plain = draw_solution(solution, Style(ascii=True, width=10**6))
    # If cells have no room for colours, lines after the picture list them.
    plain = re.sub(r"\n[A-D]: .* colours .*", "", plain)
    if lattice.of_edges or lattice.dimension > 2:  # copies have different signs
        covered = sum(len(placement.locations) for placement in solution.placements)
        drawn = re.sub(r"\n.*: copies of .*", "", plain)
        assert sum(map(str.isalnum, drawn)) >= covered
        return
    for piece in {placement.number for placement in solution.placements}:
        cells = sum(len(placement.locations) for placement in solution.placements if placement.number == piece)
        shown = plain.count("ABCD"[piece])
        is_cut = slices.is_of_polyhedra(lattice) and layer_of(lattice) is None
        assert shown >= cells if is_cut else shown == cells


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("lattice hex\nlocations { x x/ x x }\npiece A { x x/ x x }", ["  10 100", "     . 100"]),
        ("lattice triangle\nlocations { xx/.x }\npiece A { xx }", ["  10 100", "       ."]),
        ("lattice square\nlocations { xx/.x }\npiece A { xx }", ["  10 100", "       ."]),
        ("lattice trigs\nlocations box 2x1\npiece A cells (0,0,0)", []),
    ],
)
def test_frequencies_of_a_piece_are_drawn_by_the_rule_of_the_lattice(text: str, rows: list[str]) -> None:
    fitting = puzzlec.compile(puzzlec.parse(text), stage="fitting")
    numbers = [1, 10, 0, 10][: fitting.locations]
    if "hex" not in text:
        numbers = [1, 10, 0, 0, 0, 0][: fitting.locations]
    drawn = draw_often(fitting, "A", numbers, 10).split("\n")
    assert drawn[0] == "A"
    if rows:
        assert [line[1:] for line in drawn[1:]] == rows
    else:
        assert drawn[1:] == ["  0,0,0 10   0,0,1 100"]


def test_cells_without_a_common_grid_are_also_drawn() -> None:
    golden = (5**0.5 - 1) / 2
    lattice = replace(find_lattice("hex"), drawing="cells", axes=((1 / 3, 0), (golden / 3, 0.3)))
    piece = Piece("A", ((0, 0), (1, 0), (0, 1)), (None,) * 3, lattice.isometries)
    drawn = draw_piece(piece, lattice)
    assert drawn.count("x") == 3
    assert max(map(len, drawn.split("\n"))) < 80


def test_a_board_of_quarters_that_is_too_wide_is_listed() -> None:
    puzzle = puzzlec.parse("lattice tetrakis\nlocations box 40x1\npiece A x80 cells (0,0,0) (0,0,1)")
    assert isinstance(puzzle, Puzzle)
    assert draw_puzzle(puzzle).startswith("the picture needs 321 columns, there are 80\n0,0,0   0,0,1")
    assert draw_puzzle(puzzle, Style(width=320)).startswith("the picture needs 321")
    assert "│" in draw_puzzle(puzzle, Style(width=321))


def test_a_solution_listed_for_lack_of_room_has_no_legend() -> None:
    text = 'lattice sticks\nlocations cells (0,0,0) (1,0,0) (2,0,0)\npiece "long one" x1 cells (0,0,0) (1,0,0) (2,0,0)'
    assert draw_solution(first(text), Style(width=12)).split("\n") == [
        "the picture needs 13 columns, there are 12",
        "long one: 0,0,0",
        "    1,0,0 2,0,0",
    ]
    assert draw_solution(first(text), Style(width=13)).split("\n") == ["+ l━━━l━━━l +", "l long one"]
    tiles = "lattice square\ncolours a\nlocations box 2x1\npiece A x2 fixed sides a a a a"
    assert draw_solution(first(tiles), Style(width=16)).startswith("the picture needs 17 columns, there are 16\nA: ")


def test_boards_of_hexagons_and_triangles_are_shown_with_their_outlines() -> None:
    puzzle = puzzlec.parse("lattice hex\ncolours r\nlocations {\n  x r\n   ?\n}\npiece A x* { x }")
    assert isinstance(puzzle, Puzzle)
    assert draw_puzzle(puzzle).split("\n") == [" ╱ ╲ ╱ ╲", "│ x   r │", " ╲     ╱", "  │ ? │", "   ╲ ╱"]
    assert draw_puzzle(puzzle, Style(width=8)).split("\n") == ["x r", " ?"]
    triangles = puzzlec.parse("lattice triangle\nlocations { ..x/.xxx }\npiece A x* { x }")
    assert isinstance(triangles, Puzzle)
    assert draw_puzzle(triangles, Style(ascii=True)).split("\n")[-1] == "/__________\\"


def test_a_board_too_wide_for_letters_is_cut_into_strips() -> None:
    solution = first("lattice square\nlocations box 7x2\npiece A x7 fixed { x/x }")
    assert draw_solution(solution, Style(width=4)).split("\n") == [
        "the picture needs 7 columns, there are 4: it is cut into 2 strips",
        "",
        "AaAa",
        "AaAa",
        "",
        "AaA",
        "AaA",
        "A a: copies of A",
    ]
    puzzle = solution.fitting.puzzle
    assert puzzle is not None
    assert draw_puzzle(puzzle, Style(width=4)).split("\n")[2:] == ["xxxx", "xxxx", "", "xxx", "xxx"]


def test_layers_in_letters_are_side_by_side_within_the_width() -> None:
    cubes = first("lattice cubic\nlocations box 2x1x3\npiece A x3 fixed { xx }")
    assert draw_solution(cubes, Style(width=4)).split("\n") == ["AA", "", "aa", "", "BB", "A a B: copies of A"]
    four = first("lattice hypercubic\nlocations box 2x1x1x2\npiece A x2 fixed cells (0,0,0,0) (1,0,0,0)")
    assert draw_solution(four, Style(width=4)).split("\n")[:3] == ["AA", "", "aa"]


def test_letters_of_neighbouring_pieces_have_their_colours() -> None:
    solution = first("lattice line\nlocations box 6\npiece A x3 { xx }")
    drawn = draw_solution(solution, Style(colour=True, width=8)).split("\n")
    assert len(set(re.findall(r"48;5;(\d+)m", drawn[0]))) == 3
    assert re.sub(r"\033\[[0-9;]*m", "", drawn[0]) == "AAaaAA"


def test_an_empty_place_in_letters_is_a_dot() -> None:
    solution = first("locations { xx?xx }\nempty 1\npiece A x2 { xx }\n")
    assert draw_solution(solution, Style(width=5)).split("\n")[0] == "AA.AA"


def test_a_string_of_cells_has_a_border_all_around() -> None:
    solution = first("lattice line\nlocations box 3\npiece A fixed { xx }\npiece B { x }")
    drawn = draw_solution(solution).split("\n")
    assert drawn in (
        ["┌───────┬───┐", "│ A   A │ B │", "└───────┴───┘"],
        ["┌───┬───────┐", "│ B │ A   A │", "└───┴───────┘"],
    )


def test_continued_sticks_are_joined_and_two_that_cross_are_crossed() -> None:
    text = "lattice sticks\ncrossing\nlocations cells (1,0,1) (1,1,1) (0,1,0) (1,1,0)\n"
    pieces = "piece A fixed cells (0,0,0) (1,0,0)\npiece B fixed cells (0,0,1) (0,1,1)"
    assert draw_solution(first(text + pieces), Style(ascii=True)).split("\n") == [
        "        +",
        "        |",
        "        B",
        "        |",
        "+ --A---+---A-- +",
        "        |",
        "        B",
        "        |",
        "        +",
    ]
    corner = "lattice sticks\nlocations cells (0,0,0) (0,0,1)\npiece A cells (0,0,0) (0,0,1)"
    assert draw_solution(first(corner)).split("\n") == ["┏━━━A━━ +", "┃", "A", "┃", "+"]
    assert draw_solution(first(corner), Style(width=8)).split("\n") == ["┏━A +", "A", "+"]


@pytest.mark.parametrize("name", lattice_names())
def test_pieces_are_near_each_other_if_their_cells_are_neighbours(name: str) -> None:
    lattice = find_lattice(name)
    places = product(range(2), repeat=lattice.dimension)
    kinds = range(len(lattice.kinds))
    cells = [(*at, *[kind] * (len(kinds) > 1)) for at in places for kind in kinds]
    board = BoardOfSigns(lattice, {cell: k for k, cell in enumerate(cells)}, dict.fromkeys(cells, "x"))
    near = board.near()
    for number, cell in enumerate(cells):
        assert near[number] == {board.owners[other] for other in neighbours(cell, lattice) if other in board.owners}


def test_walls_are_signs_around_the_pieces() -> None:
    text = "lattice cubic\nlocations box 1x1x1\npiece A { x }\n"
    puzzle = puzzlec.parse(text + "wall box 3x1x2 at (-1,0,-1) - box 1x1x1")
    (solution,) = puzzlec.solve(puzzle)
    assert draw_solution(solution).splitlines() == [
        "┌───────────┐  ┌───┬───┬───┐",
        "│ #   #   # │  │ # │ A │ # │",
        "└───────────┘  └───┴───┴───┘",
        "# wall",
    ]
    assert draw_solution(solution, Style(width=4)).splitlines()[:3] == ["###", "", "#A#"]
    assert draw_puzzle(puzzle) == "### #x#"
    (alone,) = puzzlec.solve(puzzlec.parse(text))
    assert "#" not in draw_solution(alone)


@pytest.mark.parametrize("name", ["hex", "triangle", "prism", "fcc", "tetoct", "rhombic"])
def test_walls_are_signs_on_other_lattices(name: str) -> None:
    lattice = find_lattice(name)
    cell = (0,) * lattice.coordinates
    beside = next(iter(neighbours(cell, lattice)))
    at = [f"({','.join(map(str, point))})" for point in (cell, beside)]
    puzzle = puzzlec.parse(f"lattice {name}\nlocations cells {at[0]}\npiece A cells {at[0]}\nwall cells {at[1]}")
    (solution,) = puzzlec.solve(puzzle)
    *picture, legend = draw_solution(solution).splitlines()
    assert legend == "# wall"
    assert "#" in "".join(picture)
    assert "A" in "".join(picture)
    assert {"#", "x"} <= set(draw_puzzle(puzzle))


def without_codes(text: str) -> str:
    return re.sub(r"\033\[[\d;]*m", "", text)


@pytest.mark.parametrize(
    "name", ["soma", "polyhexes/tetrahexes-4x7", "polysticks/tetrasticks-5x5-without-J", "tetoct/dumbbells-tetrahedron"]
)
def test_a_piece_has_the_colour_of_pictures(name: str) -> None:
    puzzle = load(name)
    assert isinstance(puzzle, Puzzle)
    assert puzzle.lattice is not None
    plain, style = Style(width=100), Style(colour=True, width=100, depth=2**24)
    for number, piece in enumerate(puzzle.pieces):
        drawn = draw_piece(piece, puzzle.lattice, style, number % len(COLOURS))
        colour = ";".join(str(int(COLOURS[number % len(COLOURS)][k : k + 2], 16)) for k in (1, 3, 5))
        assert set(re.findall(r"48;2;(\d+;\d+;\d+)", drawn)) == {colour}
        assert without_codes(drawn) == draw_piece(piece, puzzle.lattice, plain)
        every = draw_orientations(piece, puzzle.lattice, style, number % len(COLOURS))
        assert without_codes(every) == draw_orientations(piece, puzzle.lattice, plain)


def test_pieces_with_slanted_sides_have_outlines_if_there_is_room() -> None:
    lattice = find_lattice("triangle")
    piece = Piece("A", ((0, 0, 0), (0, 0, 1), (1, 0, 0)), ("r", None, None))
    drawn = draw_piece(piece, lattice, Style(ascii=True, width=12))
    assert drawn.split("\n") == ["   ______", "  /      \\", " /r  x  x \\", "/__________\\"]
    assert draw_piece(piece, lattice, Style(width=8)) == "rxx"
    honeycomb = draw_piece(Piece("A", ((0, 0),), (None,)), find_lattice("hex"))
    assert honeycomb == " ╱ ╲\n│ x │\n ╲ ╱"
