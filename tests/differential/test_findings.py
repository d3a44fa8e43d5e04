"""Bugs that the random puzzles found, each as a small puzzle."""

from __future__ import annotations

from dataclasses import replace

import pytest

import puzzlec
from puzzlec.compiler import compile
from puzzlec.geometry import Freedom, find_lattice
from puzzlec.geometry.wrapping import Wrap
from puzzlec.ir import Location, Puzzle
from puzzlec.ir.puzzle import PuzzleColours
from puzzlec.lower.symmetries import SymmetryKind
from puzzlec.solving.solutions import Solutions
from tests import brute
from tests.differential.comparing import compare
from tests.differential.problem import Problem
from tests.differential.trips import read_again, written

#: A reflection exchanges two places for a piece. A copy is fixed in one place, so this place is never empty.
HELD = """
optional locations {{ xx.xx }}
{bound}
piece D x{copies} {{ xx }}
fix D at cells (0,0) (1,0)
"""


@pytest.mark.parametrize("bound", ["", "empty 0..2"])
@pytest.mark.parametrize(("copies", "raw"), [("2", 1), ("1..2", 2)])
@pytest.mark.parametrize("symmetry", ["rotations", "all", "parts"])
def test_the_place_of_a_fixed_copy_is_not_exchanged_with_one_that_may_stay_empty(
    bound: str, copies: str, raw: int, symmetry: SymmetryKind
) -> None:
    puzzle = puzzlec.parse(HELD.format(bound=bound, copies=copies))
    assert len(Problem(0, "", puzzle).expected) == raw
    assert Solutions(puzzle, symmetry="none").count() == raw
    assert Solutions(puzzle, symmetry=symmetry).count() == raw
    assert len(list(Solutions(puzzle, symmetry=symmetry))) == raw


def test_sticks_that_alternate_around_a_point_cross_even_if_some_ways_have_no_location() -> None:
    # The ways from the point, in their order around it: left, up left, up, down. The first and the third belong to one
    # piece, the others to another.
    text = "lattice trigs\n{}\nlocations cells (0,1,0) (0,0,1) (1,0,2) (1,1,2)\n"
    text += "piece A fixed cells (2,0,2) (1,1,0)\npiece B fixed cells (0,0,1) (1,1,2)\n"
    for statement, number in (("", 0), ("crossing", 1)):
        puzzle = puzzlec.parse(text.format(statement))
        assert puzzlec.count(puzzle, symmetry="none") == len(Problem(0, "", puzzle).expected) == number


@pytest.mark.parametrize(("lattice", "cell"), [("prism", "(1,0,1,0)"), ("twigs", "(1,0,2)"), ("tetoct", "(0,0,0,2)")])
def test_a_coloured_piece_that_cannot_be_drawn_is_written_without_its_freedom(lattice: str, cell: str) -> None:
    text = f"lattice {lattice}\ncolours r\nlocations cells {cell}\npiece P fixed cells {cell}\n"
    puzzle = puzzlec.parse(text)
    painted = replace(puzzle, pieces=(replace(puzzle.pieces[0], colours=("r",)),))
    content = written(painted, "puzzle")
    assert b"piece P covers {" + cell.encode() in content
    again = read_again(content, "puzzle")
    assert isinstance(again, Puzzle)
    assert puzzlec.count(again) == 1
    assert written(again, "puzzle") == content


def test_a_piece_that_cannot_be_drawn_keeps_a_colour_that_costs_something_or_is_refused() -> None:
    text = "lattice twigs\ncolours r\nlocations cells (1,0,2)\npiece P fixed cells (1,0,2)\ncost colour r = 2\n"
    puzzle = puzzlec.parse(text)
    painted = replace(puzzle, pieces=(replace(puzzle.pieces[0], colours=("r",)),))
    assert [row.cost for row in puzzlec.count_by_cost(painted)] == [2]
    with pytest.raises(puzzlec.PuzzleError, match=r"PZ501.* with its colours"):
        written(painted, "puzzle")


def test_a_colour_that_is_only_declared_is_left_out_of_the_compact_format() -> None:
    content = written(puzzlec.parse("colours r\nlocations { xx }\npiece P { x }\npiece Q { x }"), "compact")
    assert content.startswith(b"2 0\n")
    again = read_again(content, "compact")
    assert isinstance(again, Puzzle)
    assert puzzlec.count(again, symmetry="none") == 2


def test_balls_that_are_apart_keep_their_shape_as_a_puzzle_of_burrtools() -> None:
    board = "locations cells (2,1) (1,1) (3,0) (1,0) (4,1) (2,0) (0,1) (3,1) (4,0) (0,0)\n"
    pieces = "piece p0 { x x/ x }\npiece p1 { x/ x x }\npiece p3 { x }\n"
    pieces += "piece p2 {\n   . x\n  . . x\n  .\n  x\n}\n"
    puzzle = puzzlec.parse("lattice hex\n" + board + pieces)
    content = written(puzzle, "xmpuzzle")
    assert content.count(b"<voxel ") == 5
    again = read_again(content, "xmpuzzle")
    assert isinstance(again, Puzzle)
    assert puzzlec.count(again, symmetry="none") == puzzlec.count(puzzle, symmetry="none") > 0


def test_a_shift_that_reflects_one_of_two_points_of_a_cell_is_not_a_symmetry() -> None:
    # A shift by two maps cells to cells. But only two of the four places of B are equivalent. The shift maps the
    # centres of the half turn that wraps the board to points between them.
    text = "wrap (4,0) twisted (0,1) twisted\nlocations box 4x1\npiece A fixed { xx.x }\npiece B fixed { x }\n"
    puzzle = puzzlec.parse(text)
    assert puzzlec.count(puzzle) == len(Problem(0, "", puzzle).orbits("all")) == brute.orbits(puzzle) == 2


def test_an_exchange_that_the_far_side_of_a_twisted_board_forbids_is_not_a_symmetry() -> None:
    text = "wrap (6,0) twisted (0,2) twisted\nlocations { xx.xx/xx..x }\n"
    text += "piece A fixed { xx/xx }\npiece B fixed { x./xx }\n"
    puzzle = puzzlec.parse(text)
    assert puzzlec.count(puzzle) == len(Problem(0, "", puzzle).orbits("all")) == brute.orbits(puzzle) == 2


def test_a_shift_is_a_symmetry_of_a_board_whose_wraps_together_reflect_the_plane() -> None:
    # Cells on the mirror are joined to themselves in both ways, so their signs mean nothing.
    text = "wrap (3,1) (0,2) twisted\nlocations { .xx/xx. }\n"
    text += "piece A fixed { x/x }\npiece B fixed { x }\npiece C fixed { x }\n"
    puzzle = puzzlec.parse(text)
    assert puzzlec.count(puzzle) == len(Problem(0, "", puzzle).orbits("all")) == 2


def test_a_half_turn_is_a_symmetry_if_only_outer_steps_connect_a_corner_of_the_window() -> None:
    text = "lattice triangle\nwrap (2,1) (1,2)\noptional locations { ?.? }\n"
    text += "optional locations { .?/..? }\npiece A { x/xx }\n"
    puzzle = puzzlec.parse(text)
    assert puzzlec.count(puzzle) == len(Problem(0, "", puzzle).orbits("all")) == 1


def test_a_piece_without_colours_lies_beside_the_regions_of_rules() -> None:
    text = "colours r\nlocations box 4x1\npiece P { xx }\npiece Q x2 { r }\nplace P off cells (0,0) (3,0)\n"
    puzzle = puzzlec.parse(text + "rule cells (0,0) (3,0) all equal\n")
    assert puzzlec.count(puzzle, symmetry="none") == len(Problem(0, "", puzzle).expected) == 1


@pytest.mark.parametrize("cells", ["r", "rr", "rx"])
def test_a_fitting_keeps_the_colours_that_only_costs_need(cells: str) -> None:
    text = f"colours r\nlocations box 4x1\npiece P {{ {cells} }}\npiece Q x0..3 {{ x }}\ncost colour r = 2\n"
    puzzle = puzzlec.parse(text)
    again = read_again(written(compile(puzzle, stage="fitting"), "json"), "json")
    assert puzzlec.count_by_cost(again) == puzzlec.count_by_cost(puzzle, symmetry="none")
    assert {row.cost for row in puzzlec.count_by_cost(again)} == {2 * cells.count("r")}


def test_mirror_images_of_the_same_costs_change_places_in_any_order() -> None:
    text = "locations box 4x4\n" + "".join(
        f"piece {name} one-sided {{ {shape} }}\ncost {name} = {cost}\n"
        for name, shape, cost in [
            ("A", "xx/x./x.", 1),
            ("B", "xx/x./x.", 2),
            ("C", "xx/.x/.x", 2),
            ("D", "xx/.x/.x", 1),
        ]
    )
    puzzle = puzzlec.parse(text)
    assert puzzlec.count(puzzle) == len(Problem(0, "", puzzle).orbits("all")) == 3


def test_a_solution_that_places_nothing_costs_nothing() -> None:
    puzzle = puzzlec.parse("optional locations box 1x1\npiece P x0..1 { xx }\ncost P = 3\n")
    assert [solution.cost for solution in puzzlec.solve(puzzle)] == [0]
    assert [solution.cost for solution in puzzlec.best(puzzle, number=2)] == [0]


@pytest.mark.parametrize("costs", [(0,), (3, -3)])
def test_costs_of_an_empty_location_that_cancel_out_keep_all_symmetries(costs: tuple[int, ...]) -> None:
    text = "optional locations box 4x1\npiece M x2 { x }\n"
    puzzle = puzzlec.parse(text + "".join(f"cost empty per cells (0,0) = {cost}\n" for cost in costs))
    assert puzzlec.count(puzzle) == len(Problem(0, "", puzzle).orbits("all")) == 4


@pytest.mark.parametrize("format", ["dlx", "miniexact"])
def test_an_option_that_a_writer_adds_has_a_cost_if_the_others_have_one(format: str) -> None:
    text = "lattice none\nlocations names a b\noptional locations names c\nempty 0..0\n"
    text += "piece P x1..2 covers ({a} {b c})\ncost P = 1\n"
    content = written(compile(puzzlec.parse(text)), format)
    assert b"empty no-empty" in content
    assert written(read_again(content, format), format) == content


def test_tiles_are_refused_on_locations_that_meet_twice_without_a_reader() -> None:
    lattice = find_lattice("hex")
    board = (Location((0, 0), None), Location((-1, 1), None))
    home = replace(puzzlec.parse("lattice hex\nlocations cells (0,0)\npiece P { x }").pieces[0], low=2, high=2)
    tile = replace(home, turns=lattice.turns(Freedom.FIXED), sides=tuple("bbbaba"))
    puzzle = Puzzle("tiles", lattice, board, (tile,), PuzzleColours(("a", "b")), wraps=(Wrap((3, 1)), Wrap((1, 3))))
    with pytest.raises(ValueError, match="share more than one side"):
        puzzlec.count(puzzle)


def test_a_movement_that_does_not_keep_a_long_wrap_is_none() -> None:
    """A rotation keeps these six locations, but not the wrap, which joins points six steps away."""
    text = """
    lattice cubic
    wrap (6,1,0)
    locations {
      x....  .....  ....x
      x....  ..x..  ....x
      .....  ..x..  .....
    }
    piece P fixed { x/x }
    piece Q x2 fixed { x/x }
    """
    puzzle = puzzlec.parse("\n".join(line.strip() for line in text.strip().splitlines()))
    assert Solutions(puzzle).count() == len(Problem(0, "", puzzle).orbits("all")) == 3


@pytest.mark.parametrize("seed", range(8))
def test_a_set_without_the_piece_of_a_rule_has_the_symmetries_of_the_board(seed: int) -> None:
    pieces = "".join(f"piece {name} x* {{ {sign} }}\n" for name, sign in zip("ABC", "123", strict=True))
    what = puzzlec.parse(f"colours 1 2 3\nlocations box 2x1\n{pieces}rule box 2x1 at most 1 A\n")
    outcome = compare(Problem(seed, "grid", what), only="sets")
    assert not outcome.fault, outcome.told


def test_points_far_beyond_a_board_that_wraps_around_are_none_of_its_points() -> None:
    # Brute force saw a point there without some of its cells, and so another one off the region.
    text = """
    lattice drafter
    wrap (0,3)
    locations cells (3,1,1) (3,1,2) (3,1,3) (4,0,5) (4,0,6)
    piece p3 cells (0,1,0) (1,0,7)
    piece p5 x1..3 cells (0,0,5)
    at most 1 at a point off cells (3,1,3) (4,0,5)
    """
    puzzle = puzzlec.parse("\n".join(line.strip() for line in text.strip().splitlines()))
    assert Solutions(puzzle, symmetry="none").count() == len(Problem(0, "", puzzle).expected) == 1
