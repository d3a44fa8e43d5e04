"""The edges of the square grid: their drawings and their crossings."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import puzzlec
from puzzlec.formats.writing import write
from puzzlec.geometry import Cell, find_lattice, find_library
from puzzlec.geometry.drawing import DrawingError, layout_sticks, marks
from puzzlec.geometry.regions import grid
from puzzlec.ir import Puzzle
from puzzlec.ir.puzzle import PuzzleColours
from tests import brute
from tests.strategies import puzzles

STICKS = find_lattice("sticks")


def drawn(text: str) -> list[Cell]:
    return [mark.cell for mark in marks(text, STICKS)]


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("+-+\n|\n+", [(0, 0, 0), (0, 0, 1)]),
        (" - \n| |", [(0, 0, 0), (0, 0, 1), (1, 0, 1)]),
        ("\n    .-\n    |.\n", [(0, 0, 0), (0, 0, 1)]),
        ("|/+-+", [(0, 0, 1), (0, 1, 0)]),
        ("+-+ # a remark\n  |", [(0, 0, 0), (1, 0, 1)]),
        ("-.-", [(0, 0, 0), (1, 0, 0)]),
    ],
)
def test_a_drawing_shows_edges_between_points_that_need_not_be_drawn(text: str, cells: list[Cell]) -> None:
    assert drawn(text) == cells


@pytest.mark.parametrize(
    ("text", "code", "at"),
    [
        ("+-x", "PZ315", 2),
        ("+-+\n-", "PZ315", 4),
        ("--", "PZ315", 1),
        ("+\t-", "PZ315", 1),
        ("+ +", "PZ314", 0),
        ("", "PZ314", 0),
    ],
)
def test_a_character_out_of_line_is_refused_at_its_place(text: str, code: str, at: int) -> None:
    with pytest.raises(DrawingError) as caught:
        marks(text, STICKS)
    assert (caught.value.code, caught.value.start) == (code, at)


@given(st.sets(st.sampled_from(list(grid(3, 3))), min_size=1))
def test_a_layout_read_again_is_the_same_edges_moved(edges: set[Cell]) -> None:
    again = drawn("\n".join(layout_sticks({edge: "-|"[edge[2]] for edge in edges})))
    low = min(edge[0] for edge in edges), min(edge[1] for edge in edges)
    assert set(again) == {(x - low[0], y - low[1], kind) for x, y, kind in edges}


def test_a_grid_has_all_edges_of_its_squares() -> None:
    assert len(grid(5, 5)) == 60
    assert len(grid(3, 2)) == 3 * 3 + 4 * 2


def test_the_group_of_sticks_has_four_rotations_and_as_many_reflections() -> None:
    assert (len(STICKS.rotations), len(STICKS.isometries)) == (4, 8)


def test_polysticks_have_the_published_numbers() -> None:
    # Free polysticks: 1, 2, 5, 16 (https://oeis.org/A019988); all different under rotations and reflections.
    for name, number in (("monosticks", 1), ("disticks", 2), ("tristicks", 5), ("tetrasticks", 16)):
        forms = set()
        for shape in find_library(name).shapes.values():
            points = [STICKS.point(cell) for cell in shape.cells]
            images = []
            for turn in STICKS.isometries:
                moved = [tuple(sum(a * b for a, b in zip(row, point, strict=True)) for row in turn) for point in points]
                # Points of the grid have two even coordinates: a shift by them keeps the kinds of edges.
                low = [min(axis) // 2 * 2 for axis in zip(*moved, strict=True)]
                images.append(tuple(sorted(tuple(a - b for a, b in zip(point, low, strict=True)) for point in moved)))
            forms.add(min(images))
        assert len(forms) == number


CROSS = """
lattice sticks
locations {
  ..|
  +-+-+
  ..|
}
piece I x2 {
  +-+-+
}
"""


def test_two_pieces_cross_only_if_that_is_allowed() -> None:
    assert puzzlec.count(puzzlec.parse(CROSS)) == 0
    assert puzzlec.count(puzzlec.parse(CROSS + "crossing\n")) == 1


def test_a_piece_may_cross_itself_and_others_may_turn_at_a_point() -> None:
    plus = CROSS.split("piece")[0]
    cross = "piece X {\n  ..|\n  +-+-+\n  ..|\n}\n"
    assert puzzlec.count(puzzlec.parse(plus + cross)) == 1
    assert puzzlec.count(puzzlec.parse(plus + "piece V x2 {\n  +-+\n  |\n}\n"), symmetry="none") == 2


def test_a_puzzle_of_sticks_is_written_and_read_again() -> None:
    for name in ("polysticks/tetrasticks-4x4", "polysticks/tetrasticks-4x4-crossing"):
        puzzle = puzzlec.load(name)
        assert isinstance(puzzle, Puzzle)
        assert puzzlec.compile(puzzlec.parse(write(puzzle, "puzzle")), stage="fitting") == puzzlec.compile(
            puzzle, stage="fitting"
        )


@given(puzzles(("sticks",)), st.booleans())
@pytest.mark.long
def test_counts_of_sticks_agree_with_brute_force(puzzle: Puzzle, crossing: bool) -> None:
    puzzle = replace(puzzle, rules=replace(puzzle.rules, crossing=crossing))
    found = brute.solutions(puzzle)
    assert puzzlec.count(puzzle, symmetry="none") == len(found)
    assert puzzlec.Solutions(puzzle, symmetry="none", settings=puzzlec.SearchSettings(False)).count() == len(found)
    assert puzzlec.count(puzzle) == brute.orbits(puzzle)


@given(puzzles(("sticks",)))
@pytest.mark.long
def test_random_puzzles_of_sticks_are_written_and_read_again(puzzle: Puzzle) -> None:
    locations = tuple(replace(location, colour=None) for location in puzzle.locations)
    puzzle = replace(puzzle, locations=locations, colours=PuzzleColours())
    pieces = tuple(replace(piece, colours=(None,) * len(piece.cells)) for piece in puzzle.pieces)
    puzzle = replace(puzzle, pieces=pieces)
    assert puzzlec.compile(puzzlec.parse(write(puzzle, "puzzle")), stage="fitting") == puzzlec.compile(
        puzzle, stage="fitting"
    )


def test_a_picture_shows_the_piece_on_each_edge() -> None:
    text = "lattice sticks\nlocations grid 1x1\npiece U {\n  + +\n  | |\n  +-+\n}\npiece I { +-+ }\n"
    picture = str(next(iter(puzzlec.solve(puzzlec.parse(text), symmetry="none"))))
    assert sorted(picture.replace(" ", "").replace("\n", "")) == sorted("++++UUUI")
    assert picture.split("\n")[0] in ("+ U +", "+ I +")


def test_dpf_refuses_crossings_that_it_cannot_store() -> None:
    with pytest.raises(puzzlec.PuzzleError, match="cross"):
        puzzlec.convert("polysticks/tetrasticks-4x4", "dpf")
    assert puzzlec.convert("polysticks/tetrasticks-4x4-crossing", "dpf").startswith("40\n10\n")
