"""Solutions as pieces in states, written and read again."""

from __future__ import annotations

import pytest

import puzzlec
from puzzlec.compiler import compile
from puzzlec.diagnostics import Source
from puzzlec.formats.compact import TABLE
from puzzlec.formats.solutions.claims import read_claims
from puzzlec.formats.solutions.states import STATES, no_states, states_text
from puzzlec.ir import Puzzle

PUZZLES = {
    "pentominoes": "locations box 3x20\npieces pentominoes\n",
    "hole": "locations { xxx/x.x/xxx }\npiece I x4 { xx }\n",
    "one-sided": "locations box 4x2\npiece L x2 one-sided { xxx/x.. }\n",
    "colours": "colours a b\nlocations { xx/xx }\npiece D x2 { ab }\n",
    "reversed": "locations cells (x,-y) for y in 0..2, x in 0..3 where x < 4\npiece I x4 { xxx }\n",
    "apart": "locations box 2x2\nlocations box 2x2 at (-9,5)\npiece A x4 { xx }\n",
}


def read(text: str) -> Puzzle:
    puzzle = puzzlec.parse(text)
    assert isinstance(puzzle, Puzzle)
    return puzzle


@pytest.mark.parametrize("name", PUZZLES)
def test_each_solution_is_read_as_it_was_written(name: str) -> None:
    puzzle = read(PUZZLES[name])
    solutions = list(puzzlec.solve(puzzle, symmetry="none"))
    assert solutions
    lines = [states_text(solution) for solution in solutions]
    assert len(set(lines)) == len(lines)
    fitting = compile(puzzle, stage="fitting")
    for solution, claim in zip(
        solutions, read_claims(Source("a.txt", "\n".join(lines)), fitting, "states"), strict=True
    ):
        assert claim.laid is not None
        placed = {(laid.pieces[0], laid.index) for laid in claim.laid}
        assert placed == {(placement.number, placement.index) for placement in solution.placements}


def test_a_state_is_a_row_of_the_table_of_rotations() -> None:
    entries = [int(entry) for entry in TABLE.split()]
    for state, matrix in enumerate(STATES):
        for axis, row in enumerate(matrix):
            entry = entries[3 * state + axis]
            assert row[abs(entry) - 1] == (1 if entry > 0 else -1)
    text = "locations { xxx/..x }\npiece F x0..1 { x }\npiece L { xxx/..x }\n"
    assert {states_text(solution) for solution in puzzlec.solve(read(text))} == {"20"}
    turned = "locations { xx/x./x. }\npiece L { xxx/..x }\n"  # (x,y) to (y,-x) gives the drawing moved to the origin
    (solution,) = puzzlec.solve(read(turned), symmetry="none")
    assert states_text(solution) == "11"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("10 19", "expected a piece from 1 to 2 and a state from 0 to 7, found `19`"),
        ("1", "expected a piece from 1 to 2"),
        ("10 30", "expected a piece from 1 to 2"),
        ("x0", "expected a piece from 1 to 2"),
        ("11 11", "does not fit at"),
    ],
)
def test_a_wrong_id_is_reported_at_its_place(line: str, message: str) -> None:
    fitting = compile(read("locations box 4x2\npiece A { xxx/x.. }\npiece B { xxxx }\n"), stage="fitting")
    (claim,) = read_claims(Source("a.txt", line), fitting, "states")
    assert message in claim.faults[0].message
    assert claim.faults[0].span is not None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("lattice cubic\nlocations box 2x1x1\npiece A { xx }\n", "lattice `square`"),
        ("lattice none\nlocations names a b\npiece A covers {a b}\n", "lattice `square`"),
        ("locations { xx? }\npiece A { xx }\n", "optional locations"),
        ("wrap x\nlocations box 4x1\npiece A x2 { xx }\n", "wraps around"),
        ("colours r\nlocations box 1x1\npiece A sides r r r r\n", "coloured sides"),
        ("locations box 2x1\npiece A covers {(0,0) (1,0)}\n", "without a shape"),
    ],
)
def test_a_puzzle_without_states_gets_a_reason(text: str, reason: str) -> None:
    assert reason in no_states(compile(read(text), stage="fitting"))
