"""The locations of a puzzle, on which pieces are placed."""

from __future__ import annotations

from itertools import combinations
from operator import add

import pytest

import puzzlec
from puzzlec.geometry import find_lattice, lattice_names
from puzzlec.ir import Puzzle
from puzzlec.lower import place
from puzzlec.lower.covering import Ways, ways_of


def _puzzle(text: str) -> Puzzle:
    puzzle = puzzlec.parse(text)
    assert isinstance(puzzle, Puzzle)
    return puzzle


def forbidden(crossings: list[Ways]) -> set[frozenset[tuple[int, int]]]:
    """Return the pairs of ways that crossings forbid; two pieces never use two ways with a common location."""
    return {
        frozenset((one, two)) for ways in crossings for one, two in combinations(ways, 2) if set(one).isdisjoint(two)
    }


def test_cells_further_apart_than_the_board_is_wide_are_not_found_in_the_next_row() -> None:
    # Packed into integers, six steps along x are one along y here.
    fitting = place(_puzzle("optional locations box 3x3\npiece A fixed cells (0,0) (6,0)\npiece B cells (0,0) (0,-3)"))
    assert [list(piece.placements) for piece in fitting.pieces] == [[], []]


def test_a_cell_of_another_kind_than_those_of_the_board_has_no_place() -> None:
    text = "lattice triangle\noptional locations cells {}\npiece A x0..1 fixed cells {}"
    for one, other in [("(0,0,0)", "(0,0,1)"), ("(0,0,1)", "(0,0,0)")]:
        assert list(place(_puzzle(text.format(one, one))).pieces[0].placements) == [(0,)]
        assert list(place(_puzzle(text.format(one, other))).pieces[0].placements) == []


def test_a_tile_lies_on_cells_of_its_kind_after_rotation() -> None:
    board = "lattice triangle\ncolours a b c\nlocations cells (0,0,0) (0,0,1)\npiece T x* "
    assert list(place(_puzzle(board + "fixed sides a b c")).pieces[0].placements) == [(0,)]
    turned = place(_puzzle(board + "one-sided sides a b c")).pieces[0]
    assert sorted(turned.placements) == [(0,), (0,), (0,), (1,), (1,), (1,)]
    assert len(set(zip(turned.placements, turned.sides, strict=True))) == 6


@pytest.mark.parametrize("name", lattice_names())
def test_the_locations_of_a_placement_ascend_however_the_lattice_numbers_its_cells(name: str) -> None:
    lattice = find_lattice(name)
    first = lattice.kinds[0]
    beside = [lattice.cell(tuple(map(add, first.at, step))) for step in first.neighbours[:2]]
    cells = " ".join(str(cell).replace(" ", "").replace(",)", ")") for cell in (lattice.cell(first.at), *beside))
    box = "x".join(["3"] * lattice.dimension)
    fitting = place(_puzzle(f"lattice {name}\noptional locations box {box}\npiece A cells {cells}"))
    fitting.verify()
    assert len(set(fitting.pieces[0].placements)) == len(fitting.pieces[0].placements) > 0


@pytest.mark.parametrize("lattice", ["sticks", "trigs"])
@pytest.mark.parametrize(
    "board",
    ["box 2x1", "box 2x2", "box 3x2 - box 1x1 at (1,0)", "box 2x2\nwrap x", "box 2x1\nwrap x y", "box 1x3\nwrap x"],
)
def test_crossings_forbid_the_pairs_of_the_lattice_and_none_is_part_of_another(lattice: str, board: str) -> None:
    puzzle = _puzzle(f"lattice {lattice}\noptional locations {board}\npiece I x* cells (0,0,0)")
    assert puzzle.lattice is not None
    expected = []
    for here in {(x + dx, y + dy) for x, y in puzzle.points for dx in (-1, 0, 1) for dy in (-1, 0, 1)}:
        for ways in puzzle.lattice.crossings:
            if all(puzzle.lattice.ends_at((here[0] + x, here[1] + y), (-x, -y)) for way in ways for x, y in way):
                ends = [tuple(puzzle.geometry.location_at((here[0] + x, here[1] + y)) for x, y in way) for way in ways]
                # An edge that wraps around to its other end passes straight through its point alone.
                expected.append(ways_of([(one, two) for one, two in ends if min(one, two) >= 0]))
    found = [ways_of(pairs) for pairs in place(puzzle).crossings]
    assert forbidden(found) == forbidden(expected)
    assert not any(one <= two for one in found for two in found if one is not two)
    assert all(forbidden([ways]) for ways in found)
