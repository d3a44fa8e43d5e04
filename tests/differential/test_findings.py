"""What the random puzzles have found, each as a small puzzle that stays."""

from __future__ import annotations

import pytest

import puzzlec
from puzzlec.lower import Encoding
from puzzlec.pipeline import compile
from puzzlec.solutions import Solutions
from tests.differential.problem import Problem
from tests.differential.trips import read_again, written

#: Two places for a piece, which a mirroring exchanges; in one of them a copy is fixed, so that place is never empty.
HELD = """
optional locations {{ xx.xx }}
{bound}
piece D x{copies} {{ xx }}
fix D in cells (0,0) (1,0)
"""


@pytest.mark.parametrize("bound", ["", "empty 0..2"])
@pytest.mark.parametrize(("copies", "raw"), [("2", 1), ("1..2", 2)])
@pytest.mark.parametrize("symmetry", ["rotations", "all", "parts"])
def test_a_place_where_a_copy_is_fixed_is_not_exchanged_with_one_that_may_stay_empty(
    bound: str, copies: str, raw: int, symmetry: str
) -> None:
    puzzle = puzzlec.parse(HELD.format(bound=bound, copies=copies))
    assert len(Problem(0, "", puzzle).expected) == raw
    assert Solutions(puzzle, raw=True).count() == raw
    assert Solutions(puzzle, symmetry=symmetry).count() == raw
    assert len(list(Solutions(puzzle, symmetry=symmetry))) == raw


def test_a_cover_without_options_is_the_same_archive_when_it_is_written_again() -> None:
    encoding = compile(puzzlec.parse("locations box 1x1\npiece D { xx }"), "cover")
    assert isinstance(encoding, Encoding)
    content = written(encoding, "npz")
    assert written(read_again(content, "npz"), "npz") == content


def test_sticks_that_alternate_around_a_point_cross_whichever_of_the_six_ways_is_no_location() -> None:
    # The ways from the point, in their order around it: to the left, up to the left, up, down; the first and the third
    # are one piece's, the others another's.
    text = "lattice trigs\n{}\nlocations cells (0,1,0) (0,0,1) (1,0,2) (1,1,2)\n"
    text += "piece A fixed cells (2,0,2) (1,1,0)\npiece B fixed cells (0,0,1) (1,1,2)\n"
    for statement, number in (("", 0), ("crossing allowed", 1)):
        puzzle = puzzlec.parse(text.format(statement))
        assert puzzlec.count(puzzle, raw=True) == len(Problem(0, "", puzzle).expected) == number
