"""Costs of crossroads and of faults: solutions with as few of them as possible."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from textwrap import dedent

import pytest

import puzzlec
from puzzlec.diagnostics import PuzzleError
from puzzlec.solving.checker import check, cost_of
from puzzlec.solving.costs import BestSolutions, CountByCost
from tests.commands import run
from tests.differential import by_hand, by_hand_costs

SQUARES = "piece D x* { xx }\n        piece h x* { x }"

#: Puzzles on several lattices, on a board that wraps around, and with locations that may stay empty.
PUZZLES = {
    "squares": f"""
        locations box 3x3
        {SQUARES}
        cost crossroads = 1
        cost faults = 10""",
    "one direction": f"""
        locations box 3x2
        {SQUARES}
        cost faults across y = 1
        cost D = -1""",
    "empty locations": """
        optional locations box 3x3
        piece D x* { xx }
        piece L x1 { xx/x. }
        cost crossroads = 2
        cost faults = -3""",
    "wrapped": """
        locations box 3x3
        wrap x y
        piece I x* { xxx }
        piece h x* { x }
        cost crossroads = 1""",
    "regions": f"""
        locations box 3x3
        {SQUARES}
        cost crossroads on cells (0,0) = 1
        cost crossroads off cells (0,0) = 5""",
    "triangles": f"""
        lattice triangle
        locations hexagon 1
        {SQUARES}
        cost crossroads = 1
        cost faults = 7""",
    "some triangles": """
        lattice triangle
        optional locations hexagon 1
        piece T x* { xxx }
        piece h x* { x }
        cost crossroads = 1""",
    "cubes": f"""
        lattice cubic
        locations box 2x2x1
        {SQUARES}
        cost crossroads = 1
        cost faults = 9""",
    "triangles of squares": """
        lattice tetrakis
        locations box 1x1
        piece D x* cells (0,0,0) (0,0,1)
        piece h x* cells (0,0,0)
        cost crossroads = 1""",
    "sticks": """
        lattice sticks
        locations cells (0,1,0) (1,1,0) (1,0,1) (1,1,1)
        piece s x* cells (0,0,0)
        piece L x* cells (0,0,0) (0,0,1)
        cost crossroads = 1""",
}


@pytest.mark.parametrize("name", PUZZLES)
def test_each_cost_has_as_many_solutions_as_by_brute_force(name: str) -> None:
    puzzle = puzzlec.parse(dedent(PUZZLES[name]))
    wanted = Counter(by_hand_costs.price(puzzle, laid) for laid in by_hand.solutions(puzzle))
    assert wanted
    encoding = puzzlec.compile(puzzle)
    found = CountByCost(encoding, symmetry="none").find()
    assert {row.cost: row.raw for row in found} == dict(wanted)
    for is_greatest, best in ((False, min(wanted)), (True, max(wanted))):
        [solution] = BestSolutions(encoding, number=1, max_cost=is_greatest)
        assert solution.cost == best
        check(solution)


@pytest.mark.parametrize("name", ["squares", "triangles", "cubes", "empty locations"])
def test_costs_change_no_number_of_solutions(name: str) -> None:
    text = dedent(PUZZLES[name])
    plain = "\n".join(line for line in text.splitlines() if not line.startswith("cost"))
    for which in ("none", "all"):
        assert puzzlec.count(puzzlec.parse(text), symmetry=which) == puzzlec.count(puzzlec.parse(plain), symmetry=which)


def test_a_symmetry_keeps_the_costs_of_points() -> None:
    text = "locations box 3x3\npiece D x* { xx }\npiece h x* { x }"
    one = puzzlec.parse(f"{text}\ncost crossroads inside box 2x2 = 1")
    four = "".join(f"\ncost crossroads inside box 2x2 at ({x},{y}) = 1" for x in (0, 1) for y in (0, 1))
    both = puzzlec.parse(text + four)
    assert puzzlec.count(both) == puzzlec.count(puzzlec.parse(text)) < puzzlec.count(one)


@pytest.mark.long
def test_the_cost_is_the_property_of_each_solution() -> None:
    puzzle = puzzlec.parse(
        "locations box 4x3\npiece D x* { xx }\npiece h x* { x }\ncost crossroads = 1\ncost faults = 100"
    )
    for solution in puzzlec.solve(puzzle, symmetry="none", limit=200):
        numbers = puzzlec.properties(solution)
        assert numbers.crossroads is not None
        assert numbers.faults is not None
        assert solution.cost == cost_of(solution) == numbers.crossroads + 100 * numbers.faults


def test_a_square_of_dominoes_has_at_least_one_fault() -> None:
    puzzle = puzzlec.parse("locations box 6x6\npiece D x18 { xx }\ncost faults = 1")
    assert [solution.cost for solution in BestSolutions(puzzle)] == [1]


def test_a_board_without_such_a_point_costs_nothing() -> None:
    [solution] = puzzlec.solve(puzzlec.parse("locations box 2x1\npiece h x2 { x }\ncost crossroads = 3"))
    assert solution.cost == 0


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("cost crossroads per box 2x2 = 1", "expected `inside`, `on` or `off`, found `per`"),
        ("cost faults on box 2x2 = 1", "expected `=`, found `on`"),
        ("cost fault = 1", "unknown piece `fault`"),
        ("cost faults across z = 1", "this board does not support `cost faults across z`"),
        ("wrap x\ncost faults = 1", "this board does not support `cost faults`"),
    ],
)
def test_costs_without_a_meaning_are_refused(lines: str, message: str) -> None:
    with pytest.raises(PuzzleError) as error:
        puzzlec.compile(puzzlec.parse(f"locations box 4x4\npiece h x* {{ x }}\n{lines}"))
    assert [diagnostic.message for diagnostic in error.value.diagnostics] == [message]


def test_too_many_ways_to_meet_are_refused() -> None:
    text = "lattice drafter\noptional locations box 2x2\npiece D x* cells (0,0,0)\npiece E x* cells (0,0,0) (0,0,1)"
    with pytest.raises(PuzzleError, match="too many ways"):
        puzzlec.compile(puzzlec.parse(f"{text}\ncost crossroads = 1"))


def test_a_certificate_proves_the_fewest_faults(tmp_path: Path) -> None:
    (tmp_path / "wall.puzzle").write_text("locations box 4x4\npiece D x8 { xx }\ncost faults = 1\n", encoding="utf-8")
    solved = run("solve", "wall.puzzle", "--min-cost", "--certificate", "wall.cert", cwd=tmp_path)
    assert solved.returncode == 0, solved.stderr
    checked = run("check", "wall.puzzle", "wall.cert", cwd=tmp_path, together=True)
    assert checked.returncode == 0, checked.stdout
    assert "its exact cover is that of the puzzle" in checked.stdout
    assert "this proves a lowest cost of 2" in checked.stdout
