"""Pictures of wrap-around boards: a piece across a seam has no border there."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import puzzlec
from puzzlec.explaining.explanation import explain
from puzzlec.geometry import Cell, find_lattice
from puzzlec.geometry.wrapping import Wrap, Wrapping
from puzzlec.ir import Puzzle
from puzzlec.show.scene import around_text
from puzzlec.show.terminal import boxes, mosaic, slices
from puzzlec.show.terminal.style import BoardOfSigns, Style
from puzzlec.show.terminal.text import draw_solution
from tests.strategies import puzzles


def board(name: str, rows: dict[Cell, str], *wraps: Wrap) -> BoardOfSigns:
    """A board whose pieces are letters on cells; ``.`` is an empty cell."""
    lattice = find_lattice(name)
    wrapping = Wrapping(lattice, wraps, [lattice.point(cell) for cell in rows])
    return BoardOfSigns(
        lattice, {cell: "ABCDEFGH.".index(sign) % 8 - (sign == ".") for cell, sign in rows.items()}, rows, wrapping
    )


def squares(*rows: str) -> dict[Cell, str]:
    return {(x, y): sign for y, row in enumerate(rows) for x, sign in enumerate(row) if sign != " "}


def test_a_border_is_open_if_a_piece_continues_across_the_seam() -> None:
    assert boxes.draw(board("square", squares("AABB", "CDDC"), Wrap((4, 0))), Style()) == [
        "┌───────┬───────┐",
        "│ A   A │ B   B │",
        "└───┬───┴───┬───┘",
        "  C │ D   D │ C",
        "╶───┴───────┴───╴",
    ]


def test_on_a_torus_the_upper_and_the_lower_border_are_also_open() -> None:
    drawn = boxes.draw(board("square", squares("ABB", "CCD", "AED"), Wrap((3, 0)), Wrap((0, 3))), Style(ascii=True))
    assert drawn == [
        "|   +-------+",
        "| A | B   B |",
        "+---+---+---+",
        "| C   C | D |",
        "+---+---+   |",
        "| A | E | D |",
        "|   +---+---+",
    ]


def test_a_seam_between_two_placements_is_closed() -> None:
    drawn = boxes.draw(board("square", squares("AABB"), Wrap((4, 0))), Style())
    assert drawn[1] == "│ A   A │ B   B │"


def test_on_a_board_with_a_twist_a_piece_continues_upside_down() -> None:
    drawn = boxes.draw(board("square", squares("ABC", "DEA"), Wrap((3, 0), True)), Style())
    assert drawn[1] == "  A │ B │ C │"
    assert drawn[3] == "│ D │ E │ A"


def test_an_empty_place_ends_at_the_seam() -> None:
    assert boxes.draw(board("square", squares(".AA."), Wrap((4, 0))), Style())[1] == "│ . │ A   A │ . │"


def test_hexagons_triangles_and_other_cells_are_also_open() -> None:
    assert mosaic.draw_hexagons(board("hex", squares("ABBA"), Wrap((4, 0))), Style(ascii=True)) == [
        " / \\ / \\ / \\ / \\",
        "  A | B   B | A",
        " \\ / \\ / \\ / \\ /",
    ]
    row: dict[Cell, str] = {(x, 0, kind): sign for x, pair in enumerate(("AB", "BA")) for kind, sign in enumerate(pair)}
    assert mosaic.draw(board("triangle", row, Wrap((2, 0))), Style(ascii=True)) == [
        "   ____________",
        "   \\     \\",
        "  A \\B  B \\A",
        "_____\\_____\\",
    ]
    quarters: dict[Cell, str] = {(x, 0, kind): "A" for x in range(2) for kind in range(4)}
    assert "|" not in "".join(mosaic.draw(board("tetrakis", quarters, Wrap((2, 0))), Style(ascii=True)))
    assert "|" in "".join(mosaic.draw(board("tetrakis", quarters, Wrap((0, 1))), Style(ascii=True)))


def test_layers_of_prisms_are_open_at_their_seams() -> None:
    cells: dict[Cell, str] = {(x, 0, z, kind): "AB"[z] for x in range(2) for z in range(2) for kind in range(2)}
    prisms = board("prism", cells, Wrap((2, 0, 0)))
    drawn = slices.draw_layers(prisms, Style(ascii=True), find_lattice("triangle"), mosaic.draw)
    assert not re.search(r"[/\\]", "".join(drawn))
    assert "".join(drawn).count("A") == "".join(drawn).count("B") == 4


@pytest.mark.parametrize(
    ("wraps", "text"),
    [
        ([Wrap((4, 0)), Wrap((0, 4))], "x after 4, y after 4"),
        ([Wrap((0, 0, -3))], "z after 3"),
        ([Wrap((3, 5)), Wrap((-1, 2))], "(3,5), (-1,2)"),
        ([Wrap((6, 0), True)], "x after 6 with a twist"),
        ([Wrap((0, 0, 0, 0, 2))], "(0,0,0,0,2)"),
    ],
)
def test_the_wraps_of_a_board_are_printed_as_vectors(wraps: list[Wrap], text: str) -> None:
    assert around_text(wraps) == text


def test_an_explanation_names_the_wraps_of_the_board() -> None:
    text = puzzlec.explain("tori/tetrominoes-x-tilted")
    assert "wraps around: (4,3), (-3,4)\n" in text
    assert "goes around" not in explain(puzzlec.parse("locations box 2x2\npiece A x* { x }"))


@pytest.mark.parametrize("name", ["square", "hex", "triangle", "tetrakis", "cubic", "prism", "sticks", "twigs"])
@settings(max_examples=20)
@given(st.data())
def test_every_wrap_around_board_has_a_picture_without_spaces_at_the_ends_of_lines(
    name: str, data: st.DataObject
) -> None:
    puzzle = data.draw(puzzles((name,), wrapped=True, most=8))
    assert isinstance(puzzle, Puzzle)
    solution = next(iter(puzzlec.solve(puzzle, symmetry="none")), None)
    if solution is None:
        return
    plain = draw_solution(solution, Style(ascii=True))
    assert plain.isascii()
    assert all(line == line.rstrip() for line in plain.split("\n"))
    # A coloured cell keeps its spaces, also at the end of a line.
    coloured = re.sub(r"\033\[[0-9;]*m", "", draw_solution(solution, Style(ascii=True, colour=True)))
    assert [line.rstrip() for line in coloured.split("\n")] == plain.split("\n")
