"""Pictures of solids in layers: balls in hollows, prisms on tiles, cubes of four dimensions."""

from __future__ import annotations

from dataclasses import replace

import pytest

import puzzlec
from puzzlec.geometry import Cell, Lattice, find_lattice
from puzzlec.geometry.layers import layer_of
from puzzlec.ir import Piece, Puzzle
from puzzlec.show.terminal import boxes
from puzzlec.show.terminal.style import BoardOfSigns, Style, TooWideError
from puzzlec.show.terminal.text import draw_piece, draw_puzzle, draw_solution


def pyramid(side: int) -> BoardOfSigns:
    cells = [(x, y, z) for z in range(side) for y in range(side - z) for x in range(side - z)]
    return BoardOfSigns(
        find_lattice("fcc"), {cell: cell[2] for cell in cells}, {cell: "ABC"[cell[2]] for cell in cells}
    )


def test_layers_of_balls_have_separate_boxes_at_their_depths() -> None:
    assert boxes.draw(pyramid(3), Style()) == [
        "z=0            z=1        z=2",
        "┌───────────┐",
        "│ A   A   A │  ┌───────┐",
        "│           │  │ B   B │  ┌───┐",
        "│ A   A   A │  │       │  │ C │",
        "│           │  │ B   B │  └───┘",
        "│ A   A   A │  └───────┘",
        "└───────────┘",
    ]


def test_layers_of_balls_continue_below_at_the_end_of_the_width() -> None:
    drawn = boxes.draw(pyramid(3), Style(ascii=True, width=26))
    assert drawn[0] == "z=0            z=1"
    assert drawn[-4:] == ["z=2", "+---+", "| C |", "+---+"]


def test_layers_without_room_for_labels_have_none() -> None:
    tower: dict[Cell, int] = {(0, 0, z): 0 for z in range(-10, 0)}
    board = BoardOfSigns(find_lattice("fcc"), tower, dict.fromkeys(tower, "A"))
    assert boxes.draw(board, Style(width=3))[0] == "┌─┐"
    assert boxes.draw(board, Style(width=5))[0] == "z=-10"


def test_cubes_of_four_dimensions_are_rows_of_layers() -> None:
    cells: dict[Cell, int] = {(x, 0, z, w): 2 * w + z for x in range(2) for z in range(2) for w in range(2)}
    board = BoardOfSigns(find_lattice("hypercubic"), cells, {cell: "ABCD"[owner] for cell, owner in cells.items()})
    assert boxes.draw(board, Style(ascii=True)) == [
        "w=0",
        "+-------+  +-------+",
        "| A   A |  | B   B |",
        "+-------+  +-------+",
        "",
        "w=1",
        "+-------+  +-------+",
        "| C   C |  | D   D |",
        "+-------+  +-------+",
    ]
    with pytest.raises(TooWideError, match="needs 5 columns"):
        boxes.draw(board, Style(width=4))


def test_prisms_on_triangles_are_drawn_as_triangles_layer_by_layer() -> None:
    puzzle = puzzlec.parse("lattice prism\nlocations box 1x1x2\npiece A x2 cells (0,0,0,0) (0,0,0,1)")
    assert isinstance(puzzle, Puzzle)
    assert draw_puzzle(puzzle, Style(ascii=True)).split("\n") == [
        "   ______      ______",
        "  /     /     /     /",
        " /x  x /     /x  x /",
        "/_____/     /_____/",
    ]
    solution = next(iter(puzzlec.solve(puzzle, symmetry="none")))
    drawn = draw_puzzle(puzzle, Style(ascii=True)).replace("/x  x /     /x  x /", "/A  A /     /a  a /")
    assert draw_solution(solution, Style(ascii=True)) == drawn + "\nA a: copies of A"
    narrow = draw_solution(solution, Style(ascii=True, width=12)).split("\n")
    assert narrow[:4] == ["   ______", "  /     /", " /A  A /", "/_____/"]
    assert narrow[5:] == ["   ______", "  /     /", " /a  a /", "/_____/", "A a: copies of A"]
    assert draw_solution(solution, Style(width=5)).startswith("the picture needs 9 columns, there are 5\nA: ")


def test_the_colours_of_prisms_differ_between_layers() -> None:
    cells: dict[Cell, int] = {(0, 0, z, kind): z for z in range(3) for kind in range(2)}
    board = BoardOfSigns(find_lattice("prism"), cells, dict.fromkeys(cells, "A"))
    hues = board.hues()
    assert hues[0] != hues[1] != hues[2]


def test_custom_prisms_are_drawn_by_their_bases() -> None:
    square = find_lattice("square")
    outline = square.kinds[0].outline
    upright = tuple((*corner, level) for level in (-0.5, 0.5) for corner in outline)
    neighbours = tuple((*step, 0) for step in square.kinds[0].neighbours)
    kind = square.kinds[0]._replace(at=(0, 0, 0), outline=upright, neighbours=neighbours)
    bricks = replace(
        find_lattice("cubic"),
        name="bricks",
        kinds=(kind,),
        drawing="cells",
        translations=((2, 0, 0), (0, 1, 0), (0, 0, 1)),
    )
    flat = layer_of(bricks)
    assert flat is not None
    assert (flat.dimension, flat.translations, flat.drawing) == (2, ((2, 0), (0, 1)), "cells")
    assert draw_piece(Piece("A", ((0, 0, 0), (0, 1, 1)), (None, None), bricks.rotations), bricks).count("x") == 2


@pytest.mark.parametrize("name", ["fcc", "tetoct", "rhombic", "triangle", "hypercubic"])
def test_lattices_without_straight_layers_have_none(name: str) -> None:
    assert layer_of(find_lattice(name)) is None


def test_the_layers_of_cubes_are_squares() -> None:
    layer = layer_of(find_lattice("cubic"))
    assert isinstance(layer, Lattice)
    assert layer.name == "square"


def test_a_piece_of_four_dimensions_is_drawn() -> None:
    lattice = find_lattice("hypercubic")
    cells: tuple[Cell, ...] = ((0, 0, 0, 0), (0, 0, 0, 1))
    drawn = draw_piece(Piece("A", cells, (None, None), lattice.rotations), lattice)
    assert drawn.split("\n") == ["w=0", "┌───┐", "│ x │", "└───┘", "", "w=1", "┌───┐", "│ x │", "└───┘"]


def test_copies_in_a_solid_have_different_signs_and_single_cells_one() -> None:
    solution = next(iter(puzzlec.solve(puzzlec.parse(
        "lattice cubic\nlocations box 2x2x2\npiece D x2 fixed { xx }\npiece u x4 { x }\n"
    ))))  # fmt: skip
    drawn = draw_solution(solution, Style(ascii=True)).split("\n")
    signs = "".join(line for line in drawn if line.startswith("|"))
    assert {sign: signs.count(sign) for sign in "DdAuU"} == {"D": 2, "d": 2, "A": 0, "u": 4, "U": 0}
    assert drawn[-1] == "D d: copies of D"
