from __future__ import annotations

import re

import puzzlec
from puzzlec.ir import Solution
from puzzlec.render import Style, draw_piece, draw_puzzle, draw_solution
from puzzlec.render.text import PALETTE


def first(text: str, raw: bool = True) -> Solution:
    return next(iter(puzzlec.solve(puzzlec.parse(text), raw=raw)))


def test_borders_run_between_pieces_only() -> None:
    solution = first("locations { xxx/x.x }\npiece A fixed { xx/x. }\npiece B { x/x }")
    assert draw_solution(solution).split("\n") == [
        "┌───────┬───┐",
        "│ A   A │ B │",
        "│   ┌───┤   │",
        "│ A │   │ B │",
        "└───┘   └───┘",
    ]


def test_layers_stand_side_by_side_and_wrap_at_the_width() -> None:
    solution = first("lattice cubic\nlocations box 2x1x3\npiece D x3 fixed { xx }")
    wide = draw_solution(solution, Style(ascii=True)).split("\n")
    assert wide == ["  ".join(["+-------+"] * 3), "  ".join(["| D   D |"] * 3), "  ".join(["+-------+"] * 3)]
    narrow = draw_solution(solution, Style(ascii=True, width=20)).split("\n")
    assert narrow[:3] == ["+-------+  +-------+", "| D   D |  | D   D |", "+-------+  +-------+"]
    assert narrow[3:] == ["", "+-------+", "| D   D |", "+-------+"]


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
    assert {int(hue) for hue in hue_of.values()} <= set(PALETTE)
    rows = str(solution).split("\n")
    for y, row in enumerate(rows):
        for x, sign in enumerate(row):
            for other in (row[x + 1 : x + 2], rows[y + 1][x : x + 1] if y + 1 < len(rows) else ""):
                if other and other != sign:
                    assert hue_of[other] != hue_of[sign]


def test_a_picture_without_colours_is_the_one_with_colours_less_the_codes() -> None:
    solution = next(iter(puzzlec.solve("soma")))
    coloured = draw_solution(solution, Style(colour=True))
    assert re.sub(r"\033\[[0-9;]*m", "", coloured) == draw_solution(solution)


def test_a_board_too_wide_for_borders_is_drawn_in_letters() -> None:
    solution = first("lattice line\nlocations box 60\npiece A x30 { xx }")
    assert draw_solution(solution, Style(width=80)) == "A" * 60


def test_printing_a_solution_draws_it_in_letters() -> None:
    assert str(first("locations { xxx/x.x }\npiece A fixed { xx/x. }\npiece B { x/x }")) == "AAB\nA.B"


def test_without_geometry_a_solution_is_a_list() -> None:
    text = "lattice none\nlocations a b c\npiece P covers {a c}\npiece Q covers {b}"
    assert draw_solution(first(text)) == "P: a c\nQ: b"


def test_puzzles_and_pieces_are_drawn_as_they_are_typed() -> None:
    puzzle = puzzlec.parse("colours r\nlocations { xr?/x.. }\npiece A { rx/x. }")
    assert isinstance(puzzle, puzzlec.Puzzle)
    assert draw_puzzle(puzzle) == "xr?\nx.."
    assert draw_piece(puzzle.pieces[0]) == "rx\nx."


def test_cells_far_apart_are_listed_not_drawn() -> None:
    text = "locations cells (0,0) (900000,900000)\npiece A { x }\npiece B { x }"
    puzzle = puzzlec.parse(text)
    assert isinstance(puzzle, puzzlec.Puzzle)
    assert draw_puzzle(puzzle) == "0,0   900000,900000"
    solution = first(text)
    assert draw_solution(solution) == str(solution) == "A: 0,0\nB: 900000,900000"
