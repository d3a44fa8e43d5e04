"""Wrap-around boards: perfect matchings of quotients, counted by code that sees the quotient as a graph."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import pytest

import puzzlec
from puzzlec.diagnostics import PuzzleError
from puzzlec.geometry.lattice import determinant
from puzzlec.lower.symmetries import symmetry
from puzzlec.solving import WrongSolutionError, check


def matchings(columns: int, rows: int, around: str) -> int:
    """The perfect matchings of a grid with joined sides: `+` for a wrap of x or y, `-` for a twist, `.` otherwise."""

    def at(x: int, y: int) -> int | None:
        if not 0 <= x < columns:
            if around[0] == ".":
                return None
            x %= columns
            y = rows - 1 - y if around[0] == "-" else y
        if not 0 <= y < rows:
            if around[1] == ".":
                return None
            y %= rows
            x = columns - 1 - x if around[1] == "-" else x
        return x + columns * y

    near: dict[int, set[int]] = {}
    for y in range(rows):
        for x in range(columns):
            beside = {at(x + 1, y), at(x - 1, y), at(x, y + 1), at(x, y - 1)}
            near[x + columns * y] = {cell for cell in beside if cell is not None and cell != x + columns * y}

    @lru_cache(None)
    def rest(covered: int) -> int:
        first = next((cell for cell in near if not covered >> cell & 1), None)
        if first is None:
            return 1
        return sum(rest(covered | 1 << first | 1 << cell) for cell in near[first] if not covered >> cell & 1)

    return rest(0)


@pytest.mark.parametrize(
    ("around", "statement"),
    [
        ("+.", "wrap x"),
        (".+", "wrap y"),
        ("++", "wrap x y"),
        ("-.", "wrap x twisted"),
        ("-+", "wrap x twisted y"),
        ("--", "wrap x twisted y twisted"),
    ],
)
@pytest.mark.parametrize(("columns", "rows"), [(4, 4), (6, 3), (3, 4), (2, 4), (1, 6)])
def test_dominoes_on_a_joined_board_are_the_matchings_of_its_graph(
    columns: int, rows: int, around: str, statement: str
) -> None:
    text = f"locations box {columns}x{rows}\n{statement}\npiece D x{columns * rows // 2} {{ xx }}"
    puzzle = puzzlec.parse(text)
    assert puzzlec.count(puzzle, symmetry="none") == matchings(columns, rows, around)
    assert sum(1 for _ in puzzlec.solve(puzzle, symmetry="none")) == matchings(columns, rows, around)


def test_a_one_sided_piece_returns_reflected_on_a_moebius_strip() -> None:
    text = "locations box 8x2\n{}\npiece L one-sided x4 {{ xxx/x.. }}"
    free = puzzlec.parse(text.format("wrap x twisted").replace(" one-sided", ""))
    assert puzzlec.count(puzzlec.parse(text.format("wrap x twisted")), symmetry="none") == puzzlec.count(
        free, symmetry="none"
    )
    flat = puzzlec.parse(text.format("wrap x").replace(" one-sided", ""))
    assert puzzlec.count(puzzlec.parse(text.format("wrap x")), symmetry="none") < puzzlec.count(flat, symmetry="none")


@pytest.mark.parametrize(
    ("statement", "rotations", "every"),
    [
        ("wrap x", 6 * 2, 6 * 4),  # shifts times rotations; with reflections twice this number
        ("wrap x y", 6 * 4 * 2, 6 * 4 * 4),
        # A step of 6 reflects the rows, so there are 12 shifts, and each reflection is a shift after a rotation.
        ("wrap x twisted", 12 * 2, 12 * 2),
        ("wrap x twisted y", 12 * 2 * 2, 12 * 2 * 2),  # and along y half way around
    ],
)
def test_on_a_board_with_a_twist_every_reflection_is_a_rotation(statement: str, rotations: int, every: int) -> None:
    encoding = puzzlec.compile(puzzlec.parse(f"locations box 6x4\n{statement}\npiece D x12 {{ xx }}"))
    turning = symmetry(encoding, "rotations")
    assert (len(turning), len(symmetry(encoding))) == (rotations, every)
    assert {determinant(turn) for turn in turning.turns} == {1}


def test_a_strip_twisted_along_y_is_the_one_twisted_along_x_with_its_axes_exchanged() -> None:
    pieces = "piece L x2 { xxx/x.. }\npiece V x2 { xx/x. }\npiece D x2 { xx }"
    for board in ("locations box 6x3\nwrap x twisted\n", "locations box 3x6\nwrap y twisted\n"):
        puzzle = puzzlec.parse(board + pieces)
        assert (puzzlec.count(puzzle, symmetry="none"), puzzlec.count(puzzle)) == (3384, 153)


def test_a_twist_and_a_slanted_vector_together_fold_the_board() -> None:
    # Down, along the slanted vector, up, and along it again leads two rows down: these rows are the same as the first.
    with pytest.raises(PuzzleError, match="would be one location"):
        puzzlec.parse("locations box 4x3\nwrap (4,1) (0,3) twisted\npiece D x6 { xx }")


def test_parts_move_separately_on_a_wrap_around_board() -> None:
    text = "locations box 3x2 + box 3x2 at (0,3)\nwrap x\npiece D x6 { xx }"
    puzzle = puzzlec.parse(text)
    one = puzzlec.parse("locations box 3x2\nwrap x\npiece D x3 { xx }")
    ways = puzzlec.count(one)
    assert puzzlec.count(puzzle, symmetry="parts") == ways * (ways + 1) // 2
    assert puzzlec.count(puzzle) > puzzlec.count(puzzle, symmetry="parts")


def test_a_piece_longer_than_the_wrap_does_not_overlap_itself() -> None:
    puzzle = puzzlec.parse("locations box 4x1\nwrap x\npiece I x* { xxxxx }\npiece D x* { xx }")
    fitting = puzzlec.compile(puzzle, stage="fitting")
    assert [len(piece.placements) for piece in fitting.pieces] == [0, 4]


def test_tiles_with_edges_meet_across_the_seam() -> None:
    text = "colours r g\nlocations box 3x1\n{}\nframe r g\npiece A x3 fixed sides r g r r"
    assert puzzlec.count(puzzlec.parse(text.format("")), symmetry="none") == 0
    around = "colours r g\nlocations box 3x1\nwrap x\nframe r g\npiece A x3 fixed sides r g r g"
    assert puzzlec.count(puzzlec.parse(around), symmetry="none") == 1
    other = around.replace("x3", "x2") + "\npiece B fixed sides r g r r"
    assert puzzlec.count(puzzlec.parse(other), symmetry="none") == 0
    assert puzzlec.count(puzzlec.parse(other.replace("wrap x\n", "")), symmetry="none") == 1


def test_a_wrap_around_puzzle_is_written_and_read_again() -> None:
    puzzle = puzzlec.parse("locations box 6x4\nwrap x twisted (0,4)\npiece D x12 { xx }")
    text = puzzlec.convert(puzzle, "puzzle")
    assert "wrap (6,0) twisted (0,4)" in text
    again = puzzlec.parse(text)
    assert isinstance(again, puzzlec.Puzzle)
    assert isinstance(puzzle, puzzlec.Puzzle)
    assert again.wraps == puzzle.wraps
    assert puzzlec.compile(again, stage="fitting") == puzzlec.compile(puzzle, stage="fitting")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("locations box 6x4\nwrap q\npiece D x12 { xx }", "PZ338"),
        ("locations box 6x4\nwrap (6,0,0)\npiece D x12 { xx }", "PZ312"),
        ("locations box 6x4\nwrap (3,0)\npiece D x12 { xx }", "PZ337"),
        ("locations box 6x4\nwrap (9999999999,0)\npiece D x12 { xx }", "PZ321"),
        ("lattice none\nlocations names 0..3\nwrap x\npiece D covers {0 1 2 3}", "PZ320"),
        ("locations box 6x4\nwrap x\nwrap y\npiece D x12 { xx }", "PZ307"),
        ("colours r\nlocations box 2x2\nwrap x\npiece D x4 sides r r r r", "PZ339"),
        ("colours r\nlocations box 4x4\nwrap x twisted\npiece D x16 sides r r r r", "PZ339"),
    ],
)
def test_a_meaningless_wrap_is_refused(text: str, code: str) -> None:
    with pytest.raises(PuzzleError) as caught:
        puzzlec.parse(text)
    assert [diagnostic.code for diagnostic in caught.value.diagnostics] == [code]


@pytest.mark.parametrize(
    ("size", "upright", "crossing"),
    [
        ("2x1", "(0,0,1)", 1),  # a ring of one edge goes through its point, where H goes through
        ("2x2", "(0,0,1) (0,1,1)", 6),  # as a ring of two edges does; any two of four equal rings are H
    ],
)
def test_a_ring_of_one_edge_crosses_as_a_ring_of_two_does(size: str, upright: str, crossing: int) -> None:
    rows = int(size[-1])
    flat = f"piece H x{rows} cells (0,0,0) (1,0,0)"
    text = f"lattice sticks\nlocations box {size}\nwrap x y\n{flat}\npiece V x2 cells {upright}\n"
    assert puzzlec.count(puzzlec.parse(text), symmetry="none") == 0
    allowed = puzzlec.parse(text + "crossing\n")
    assert puzzlec.count(allowed, symmetry="none") == crossing
    solution = next(iter(puzzlec.solve(allowed)))
    puzzle = puzzlec.parse(text)
    assert isinstance(puzzle, puzzlec.Puzzle)
    fitting = replace(solution.fitting, puzzle=puzzle)
    with pytest.raises(WrongSolutionError, match="two pieces cross"):
        check(replace(solution, fitting=fitting))
