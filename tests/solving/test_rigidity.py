"""The checker and balls: it finds motions by distances, and reflections by determinants."""

from __future__ import annotations

from dataclasses import replace

import pytest

import puzzlec
from puzzlec.geometry import Freedom, find_lattice
from puzzlec.ir import Fitting, Placement, Placements, Solution
from puzzlec.solving import WrongSolutionError, check
from puzzlec.solving.checker import is_body

#: A chain of four balls without a rotation to its mirror image, and the mirror image.
LEFT, RIGHT = "cells (0,0,0) (1,0,0) (1,0,1) (1,1,1)", "cells (0,0,0) (0,1,0) (0,1,1) (1,1,1)"

#: Three balls of a hexagonal layer, bent by 60 degrees, and their image under a sixth of a turn in the layer.
BENT, TURNED = "cells (1,1,0) (2,1,0) (0,0,1)", "cells (1,1,0) (0,1,0) (1,0,1)"


def fitting_of(text: str) -> Fitting:
    puzzle = puzzlec.parse(f'puzzle "P"\nlattice fcc\n{text}')
    return puzzlec.compile(puzzle, stage="fitting")


def check_on_board(board: str, piece: str) -> None:
    """Check a placement on a whole board, made by a lowering that confuses the pieces."""
    fitting = fitting_of(f"optional locations {board} + box 5x5x5\n{piece}")
    puzzle = fitting.puzzle
    assert puzzle is not None
    cells = [location.at for location in puzzle.locations]
    own = fitting_of(f"locations {board}\npiece A {board}").puzzle
    assert own is not None
    whole = tuple(sorted(cells.index(location.at) for location in own.locations))
    faulty = replace(fitting, pieces=(replace(fitting.pieces[0], placements=Placements([whole])),))
    check(Solution(faulty, (Placement(0, 0, whole, faulty),)))


@pytest.mark.parametrize(
    ("board", "piece"),
    [
        (BENT, "piece A " + TURNED),
        (TURNED, "piece A one-sided " + BENT),
        (BENT, "piece A free " + TURNED),
        ("cells (0,0,0) (3,0,0)", "piece A cells (0,0,0) (2,1,1)"),
        (LEFT, "piece A " + LEFT),
        (LEFT, "piece A free " + RIGHT),
        (LEFT, "piece A fixed " + LEFT),
    ],
)
def test_a_moved_body_has_the_cells_of_its_piece(board: str, piece: str) -> None:
    check_on_board(board, piece)


@pytest.mark.parametrize(
    ("board", "piece"),
    [
        (LEFT, "piece A " + RIGHT),
        (LEFT, "piece A one-sided " + RIGHT),
        (LEFT, "piece A free cells (0,0,0) (1,0,0) (2,0,0) (2,1,0)"),
        (BENT, "piece A fixed " + TURNED),
        (BENT, "piece A free cells (0,0,0) (1,0,0) (0,0,1)"),
        ("cells (0,0,0) (3,0,0)", "piece A cells (0,0,0) (1,1,2)"),
    ],
)
def test_a_placement_that_no_motion_reaches_is_found(board: str, piece: str) -> None:
    with pytest.raises(WrongSolutionError, match="piece A does not fit on "):
        check_on_board(board, piece)


def test_colours_go_with_their_balls() -> None:
    for piece, fits in (("{ rx b. }", True), ("{ bx r. }", True), ("{ rr r. }", False), ("{ bb b. }", False)):
        fitting = fitting_of(f"colours r b\noptional locations {{ rbxxxx x..... }}\npiece A {piece}")
        whole = next(row for row in fitting_of("locations { xxxxxx x..... }\npiece A { xx x. }").pieces[0].placements)
        faulty = replace(fitting, pieces=(replace(fitting.pieces[0], placements=Placements([whole]), colours=()),))
        faulty = replace(faulty, optional=frozenset(range(fitting.locations)))
        if fits:
            check(Solution(faulty, (Placement(0, 0, whole, faulty),)))
        else:
            with pytest.raises(WrongSolutionError, match="piece A does not fit on "):
                check(Solution(faulty, (Placement(0, 0, whole, faulty),)))


def test_only_free_and_one_sided_pieces_of_balls_are_rigid_bodies() -> None:
    balls, squares = find_lattice("fcc"), find_lattice("square")
    assert [is_body(balls, frozenset(balls.turns(freedom))) for freedom in Freedom] == [False, True, None]
    assert is_body(balls, frozenset(balls.rotations[:2])) is None
    assert [is_body(squares, frozenset(squares.turns(freedom))) for freedom in Freedom] == [None] * 3
