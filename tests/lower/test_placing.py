from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

import puzzlec
from puzzlec.diagnostics import PuzzleError, Report
from puzzlec.geometry import find_lattice, find_library
from puzzlec.ir import Piece, Placement, Puzzle, Solution
from puzzlec.lower import encode, orientations, place
from puzzlec.lower.board import number_of_orientations
from puzzlec.solving import check
from tests import brute
from tests.strategies import puzzles

#: Orientations of the pentominoes F I L N P T U V W X Y Z: 63 together.
PENTOMINO_ASPECTS = dict(zip("FILNPTUVWXYZ", (8, 2, 8, 8, 8, 4, 4, 4, 4, 1, 8, 4), strict=True))


@given(puzzles())
def test_the_placements_agree_with_trying_every_rotation_and_vector(puzzle: Puzzle) -> None:
    fitting = place(puzzle)
    fitting.verify()
    encode(fitting).cover.verify()
    for number, piece in enumerate(fitting.pieces):
        found = [brute.lying(fitting, puzzle, number, index) for index in range(len(piece.placements))]
        assert len(set(found)) == len(found)
        assert set(found) == brute.placements(puzzle, number)


@pytest.mark.parametrize("freedom", ["", "free ", "one-sided ", "fixed "])
@pytest.mark.parametrize(
    "cells",
    [
        "(0,0,0) (3,0,0)",  # the same distance as for (4,1,1), which no rotation of the lattice reaches
        "(0,0,0) (1,0,0) (0,0,1) (2,0,0)",
        "(0,0,0) (1,0,0) (0,0,1) (2,0,1)",
        "(0,0,0) (1,0,0) (0,1,0) (0,0,1)",
        "(0,0,0) (2,0,0) (0,2,0) (1,0,1)",
        "(0,0,0) (1,0,0) (2,1,0) (2,1,1) (3,1,1)",
    ],
)
def test_pieces_of_balls_are_placed_by_every_motion_that_keeps_their_distances(freedom: str, cells: str) -> None:
    text = f"lattice fcc\noptional locations box 4x3x2 + cells (4,0,0) (0,3,1) (1,1,2)\npiece A {freedom}cells {cells}"
    puzzle = _puzzle(text)
    locations = [location.at for location in puzzle.locations]
    fitting = place(puzzle)
    found = {frozenset(locations[number] for number in placement) for placement in fitting.pieces[0].placements}
    assert found == brute.placements(puzzle, 0)
    for index, placement in enumerate(fitting.pieces[0].placements):
        check(Solution(fitting, (Placement(0, index, placement, fitting),)))


@pytest.mark.parametrize("freedom", ["free", "one-sided"])
@pytest.mark.parametrize("cells", ["(0,0,0) (1,0,0) (2,0,0) (0,0,1)", "(0,0,0) (1,0,0) (2,1,0) (2,1,1)"])
def test_pieces_of_balls_wrap_around_as_rigid_bodies(freedom: str, cells: str) -> None:
    puzzle = _puzzle(f"lattice fcc\noptional locations box 4x3x2\nwrap x y\npiece A {freedom} cells {cells}")
    locations = [location.at for location in puzzle.locations]
    fitting = place(puzzle)
    found = {frozenset(locations[number] for number in placement) for placement in fitting.pieces[0].placements}
    assert found == brute.placements(puzzle, 0)
    for index, placement in enumerate(fitting.pieces[0].placements):
        check(Solution(fitting, (Placement(0, index, placement, fitting),)))


def test_a_piece_of_balls_rotates_by_a_sixth_in_its_layer() -> None:
    balls = find_lattice("fcc")
    bent = Piece("V", ((1, 1, 0), (2, 1, 0), (0, 0, 1)), (None,) * 3)
    turns = [balls.isometries, balls.rotations, balls.rotations[:1]]
    assert [len(orientations(replace(bent, turns=some), balls)) for some in turns] == [24, 24, 1]
    # Listed rotations are exactly these, as for cubes in the same places.
    assert len(orientations(replace(bent, turns=(*balls.rotations, balls.isometries[-1])), balls)) == 13
    assert len(orientations(replace(bent, turns=balls.rotations), replace(balls, of_balls=False))) == 12
    marked = replace(bent, colours=("r", "g", "b"), turns=balls.rotations)
    assert len(orientations(marked, balls)) == 48


def test_the_twelve_pentominoes_have_63_orientations() -> None:
    library = find_library("pentominoes")
    counts = {
        name: len(orientations(Piece(name, shape.cells, (None,) * 5, library.lattice.isometries), library.lattice))
        for name, shape in library.shapes.items()
    }
    assert counts == PENTOMINO_ASPECTS
    assert sum(counts.values()) == 63


@pytest.mark.parametrize(
    ("board", "options"),
    [("3x20", 1236), ("4x15", 1696), ("5x12", 1936), ("6x10", 2056), ("8x8 - box 2x2 at (3,3)", 1568)],
)
def test_pentominoes_have_the_known_numbers_of_placements(board: str, options: int) -> None:
    fitting = puzzlec.compile(puzzlec.parse(f'puzzle "P"\nlocations box {board}\npieces pentominoes'), stage="fitting")
    assert sum(len(piece.placements) for piece in fitting.pieces) == options


def test_a_piece_does_not_reach_around_the_side_of_the_board() -> None:
    fitting = place(_puzzle("locations box 3x5\npiece I { xxxxx }"))
    assert list(fitting.pieces[0].placements) == [(0, 3, 6, 9, 12), (1, 4, 7, 10, 13), (2, 5, 8, 11, 14)]


def test_placements_with_the_same_locations_are_two_if_they_show_other_colours() -> None:
    (piece,) = place(_puzzle("colours r b\nlocations { xx }\npiece D { rb }")).pieces
    assert list(piece.placements) == [(0, 1), (0, 1)]
    assert piece.colours == (("r", "b"), ("b", "r"))
    assert piece.is_ambiguous


@pytest.mark.parametrize(
    ("board", "piece", "number", "shown"),
    [
        ("{ xx }", "{ rr }", 1, False),  # one colour everywhere
        ("{ rb }", "{ rb }", 1, False),  # the colours of the locations
        ("{ rr }", "{ rx }", 2, True),  # a plain cell on a location with a colour shows none
        ("{ rx }", "{ rb }", 1, True),
        ("{ xx }", "fixed { rb }", 1, True),
        ("{ xxx }\nwrap x", "{ rb }", 6, True),
        ("{ xx }\nwrap x", "{ rb }", 2, True),
        ("{ xxx }\nplace D inside { xx. }", "{ rb }", 2, True),
        ("{ xxx }\nfix D at { .xx }", "{ rb }", 2, True),
        ("{ xxx }\nforbid D at { .xx }", "{ rb }", 2, True),
        ("{ bb }\nallow r on b", "{ rb }", 2, True),
    ],
)
def test_a_placement_lists_its_colours_if_the_locations_do_not_decide_them(
    board: str, piece: str, number: int, shown: bool
) -> None:
    rule = "".join(f"{line}\n" for line in board.split("\n")[1:])
    text = f"colours r b\nlocations {board.splitlines()[0]}\npiece D {piece}\n{rule}"
    found = place(_puzzle(text)).pieces[0]
    assert len(found.placements) == number
    assert bool(found.colours) == shown


def test_a_large_board_has_the_same_coloured_placements_in_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    board = "colours r b\nallow r on b\nlocations { xxxb/xrxx/xxxx }\n"
    puzzle = _puzzle(board + "piece D { rxb/r.. }\npiece E { rr }\npiece F { rb }")
    slow = place(puzzle)
    monkeypatch.setattr("puzzlec.lower.board.MAX_PLACEMENTS_IN_PYTHON", 0)
    monkeypatch.setattr("puzzlec.lower.board.MAX_PLACEMENTS_IF_LOADED", 0)
    assert place(puzzle) == slow


def test_coloured_cells_lie_on_their_colour_on_plain_ones_and_on_allowed_ones() -> None:
    text = "colours r b g\n{}locations {{ rxbg }}\npiece R {{ r }}"
    assert list(place(_puzzle(text.format(""))).pieces[0].placements) == [(0,), (1,)]
    assert list(place(_puzzle(text.format("allow r on g\n"))).pieces[0].placements) == [(0,), (1,), (3,)]
    part = place(_puzzle("colours r b\nlocations { rxbr }\npiece R fixed { rx }"))
    assert list(part.pieces[0].placements) == [(0, 1), (1, 2)], "a plain cell lies on each colour"


def test_rules_leave_exactly_the_allowed_placements() -> None:
    board = "locations box 4x1\npiece D { xx }\n"
    assert list(place(_puzzle(board + "place D inside box 3x1")).pieces[0].placements) == [(0, 1), (1, 2)]
    assert list(place(_puzzle(board + "place D off { .x.. }")).pieces[0].placements) == [(2, 3)]
    assert list(place(_puzzle(board + "fix D at cells (1,0) (2,0)")).pieces[0].placements) == [(1, 2)]
    assert list(place(_puzzle(board + "forbid D at box 2x1 at (1,0)")).pieces[0].placements) == [(0, 1), (2, 3)]


def test_a_fixed_placement_that_is_none_is_an_error_and_a_forbidden_one_a_warning() -> None:
    with pytest.raises(PuzzleError) as caught:
        place(_puzzle("locations box 4x1\npiece D { xx }\nfix D at cells (0,0) (2,0)"))
    assert [diagnostic.code for diagnostic in caught.value.diagnostics] == ["PZ316"]
    report = Report()
    place(_puzzle("locations box 4x1\npiece D { xx }\nforbid D at cells (0,0) (2,0)"), report)
    assert [diagnostic.code for diagnostic in report.diagnostics] == ["PZ317"]


def _puzzle(text: str) -> Puzzle:
    puzzle = puzzlec.parse(text)
    assert isinstance(puzzle, Puzzle)
    return puzzle


def test_there_is_no_solution_if_locations_must_stay_empty_but_none_may() -> None:
    puzzle = puzzlec.parse("locations box 2x2\nempty 1..3\npiece D x2 { xx }")
    assert puzzlec.count(puzzle) == 0
    assert list(puzzlec.solve(puzzle)) == []


def test_the_order_in_which_the_cells_of_a_piece_are_listed_does_not_matter() -> None:
    board = "lattice fcc\nlocations box 3x3x2\npiece A cells "
    one, two = (
        puzzlec.compile(puzzlec.parse(board + cells), stage="fitting")
        for cells in ("(0,0,0) (1,0,0) (0,0,1) (1,-1,1)", "(1,-1,1) (0,0,1) (1,0,0) (0,0,0)")
    )
    assert one == two


def test_a_nameless_piece_that_fits_nowhere_is_named_by_its_number() -> None:
    puzzle = puzzlec.parse("locations box 2x2\npiece A { xxx }")
    assert isinstance(puzzle, Puzzle)
    report = Report()
    puzzlec.compiler.check(replace(puzzle, pieces=(replace(puzzle.pieces[0], name=""),)), report=report)
    assert ("PZ404", "piece `0` fits nowhere") in [
        (diagnostic.code, diagnostic.message) for diagnostic in report.diagnostics
    ]


def test_orientations_of_pieces_count_different_shapes_and_of_tiles_different_sides() -> None:
    text = "colours a b\nlocations box 3x3\npiece F { .xx/xx./.x. }\npiece I one-sided { xxx }\npiece T sides a b a b"
    puzzle = _puzzle(text)
    assert puzzle.lattice is not None
    assert [number_of_orientations(piece, puzzle.lattice) for piece in puzzle.pieces] == [8, 2, 2]
