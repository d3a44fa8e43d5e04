"""`for`, `where`, `param`, expressions and indices: their meaning, shown by solutions."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

import puzzlec
from puzzlec.diagnostics import PuzzleError, Report, Source
from puzzlec.ir import Puzzle
from puzzlec.language.puzzle_text import read_puzzle

QUEENS = """
lattice none
param n = 8
locations names file[j] for j in 1..n
optional locations names up[s] for s in 2..2*n   down[d] for d in 1-n..n-1
for i in 1..n {
  piece rank[i] covers { file[j] up[i+j] down[i-j] } for j in 1..n
}
"""
LATIN = """
lattice none
param n = 4
locations names row[i,v] for i in 1..n, v in 1..n   col[j,v] for j in 1..n, v in 1..n
for i in 1..n, j in 1..n {
  piece cell[i,j] covers { row[i,v] col[j,v] } for v in 1..n
}
"""
LANGFORD = """
lattice none
param n = 3
locations names place[i] for i in 1..2*n
for k in 1..n {
  piece pair[k] covers {place[i] place[i+k+1]} for i in 1..2*n-k-1
}
"""
SUDOKU = """
lattice none
locations names (
  row[r,d] for r in 0..8, d in 1..9
  column[c,d] for c in 0..8, d in 1..9
  box[b,d] for b in 0..8, d in 1..9
)
for r in 0..8, c in 0..8 {
  piece cell[r,c] covers {row[r,d] column[c,d] box[r//3*3 + c//3, d]} for d in 1..9
}
for d at (c,r) in {
  53..7....
  6..195...
  .98....6.
  8...6...3
  4..8.3..1
  7...2...6
  .6....28.
  ...419..5
  ....8..79
} {
  fix cell[r,c] at names row[r,d] column[c,d] box[r//3*3 + c//3, d]
}
"""


def puzzle_of(text: str, **parameters: int) -> Puzzle:
    puzzle = puzzlec.parse(text, parameters=parameters)
    assert isinstance(puzzle, Puzzle)
    return puzzle


def names(locations: str, **parameters: int) -> Sequence[object]:
    """The locations in a list of names."""
    text = f"lattice none\nparam n = 3\nlocations names other {locations}\npiece A covers {{other}}\n"
    return [location.at for location in puzzle_of(text, **parameters).locations][1:]


def value(expression: str) -> int:
    """The value of an expression, from the name that contains it."""
    puzzle = puzzle_of(f"lattice none\nparam n = {expression}\nlocations names a[n]\npiece A covers {{a[n]}}")
    return int(str(puzzle.locations[0].at)[2:-1])


def codes(text: str, **parameters: int) -> list[str]:
    report = Report()
    try:
        read_puzzle(Source("t.puzzle", text), report, parameters)
    except PuzzleError as error:
        return [diagnostic.code for diagnostic in error.diagnostics]
    return [diagnostic.code for diagnostic in report.diagnostics]


@pytest.mark.parametrize(
    ("text", "parameters", "raw"),
    [
        (QUEENS, {}, 92),
        (QUEENS, {"n": 6}, 4),
        (QUEENS, {"n": 12}, 14200),
        (LATIN, {}, 576),
        (LATIN, {"n": 5}, 161280),
        (LANGFORD, {}, 2),
        (LANGFORD, {"n": 4}, 2),
        (LANGFORD, {"n": 5}, 0),
        (LANGFORD, {"n": 7}, 52),  # OEIS A014552 counts one of two mirror images: 1, 1, 0, 0, 26
        (SUDOKU, {}, 1),
    ],
)
def test_puzzles_from_books_have_their_published_counts(text: str, parameters: dict[str, int], raw: int) -> None:
    assert puzzlec.count(puzzle_of(text, **parameters), symmetry="none") == raw


def test_the_solution_of_the_sudoku_is_the_printed_one() -> None:
    (solution,) = puzzlec.solve(puzzle_of(SUDOKU))
    digit = {solution.fitting.piece_name(placement.number): placement for placement in solution.placements}
    rows = [
        "".join(solution.fitting.location_name(digit[f"cell[{r},{c}]"].locations[0])[-2] for c in range(9))
        for r in range(9)
    ]
    assert rows[0] == "534678912"
    assert rows[8] == "345286179"


def test_dominoes_drawn_by_values_are_those_written_out() -> None:
    board = "colours 0 1 2\nlocations { 0011/2212 }\n"
    looped = puzzle_of(board + "for a in 0..2, b in a..2 where a != b or a == 2 { piece d[a,b] { {a}{b} } }")
    written = puzzle_of(
        board + 'piece "d[0,1]" { 01 }\npiece "d[0,2]" { 02 }\npiece "d[1,2]" { 12 }\npiece "d[2,2]" { 22 }'
    )
    assert looped == written


def test_a_value_in_a_drawing_is_one_character_in_every_place() -> None:
    puzzle = puzzle_of(
        "colours 0 1\nlattice cubic\nlocations box 2x2x2\nfor a in 0..1 { piece P[a] { {a}x  {1-a}./.x  xx } }"
    )
    drawn = puzzle_of(
        'colours 0 1\nlattice cubic\nlocations box 2x2x2\npiece "P[0]" { 0x 1./.x xx }\npiece "P[1]" { 1x 0./.x xx }'
    )
    assert puzzle.pieces == drawn.pieces


def test_the_last_variable_of_a_loop_changes_fastest() -> None:
    assert names("a[i,j] for i in 1..2, j in 1..2") == ["a[1,1]", "a[1,2]", "a[2,1]", "a[2,2]"]
    assert names("a[i] for i in (7, 1, 3)  b") == ["a[7]", "a[1]", "a[3]", "b"]
    assert names("a[i,j] for i in 1..3, j in i..3 where i + j != 4") == ["a[1,1]", "a[1,2]", "a[2,3]", "a[3,3]"]


def test_a_clause_repeats_the_thing_before_it_only() -> None:
    assert names("z a[i] for i in 1..n b[i] for i in n..4", n=3) == ["z", "a[1]", "a[2]", "a[3]", "b[3]", "b[4]"]
    assert names("a[i] for i in 1..n", n=0) == []


def test_cells_and_sets_take_clauses() -> None:
    text = "locations cells (i, 2*i) for i in 0..2 (9,9)\npiece M x4 { x }\nfix M at cells (9,9)"
    assert [location.at for location in puzzle_of(text).locations] == [(0, 0), (1, 2), (2, 4), (9, 9)]
    text = "lattice none\nlocations names a[i] for i in 1..4\npiece C covers {a[1]} {a[4]}\n"
    text += "piece B covers {a[i] for i in k..k+2} for k in 1..2"
    assert puzzle_of(text).pieces[1].covers == (("a[1]", "a[2]", "a[3]"), ("a[2]", "a[3]", "a[4]"))
    assert puzzlec.count(puzzle_of(text)) == 2


def test_boxes_copies_and_limits_take_values_in_braces() -> None:
    text = "param n = 3\nlocations box {n}x{2*n}\noptional locations box 1x{n} at (n+1, 0)\n"
    text += "empty 0..n-1\npiece D x{n}..{n*n} { xx }"
    puzzle = puzzle_of(text)
    assert (len(puzzle.locations), puzzle.rules.empty) == (21, (0, 2))
    assert (puzzle.pieces[0].low, puzzle.pieces[0].high) == (3, 9)
    assert len(puzzle_of(text, n=2).locations) == 10


def test_a_drawing_with_digits_gives_them_with_their_places() -> None:
    text = "lattice none\nlocations names a[i] for i in 0..9\n"
    text += "for d at (x,y) in { 1.2/.3. } { piece P[x,y] covers {a[d]} {a[d+4]} }"
    assert [(piece.name, piece.covers[0]) for piece in puzzle_of(text).pieces if piece.covers] == [
        ("P[0,0]", ("a[1]",)), ("P[2,0]", ("a[2]",)), ("P[1,1]", ("a[3]",)),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("1 + 2*3 - 4", 3),
        ("-7 // 2", -4),
        ("-7 % 3", 2),
        ("(2 + 3) * -2", -10),
        ("min(4, 2, 8) + max(1, abs(-5))", 7),
        ("min(4)", 4),
        ("007", 7),
        ("10 - 2 - 3", 5),
    ],
)
def test_expressions_have_their_usual_values(expression: str, expected: int) -> None:
    assert value(expression) == expected


@st.composite
def expressions(draw: st.DrawFn, depth: int = 3) -> str:
    """A random expression whose value Python also computes."""
    kind = draw(st.integers(0, 4)) if depth else 0
    if kind == 0:
        return str(draw(st.integers(0, 20)))
    left, right = draw(expressions(depth - 1)), draw(expressions(depth - 1))
    if kind == 1:
        return f"-{left}"
    if kind == 2:
        return f"({left} {draw(st.sampled_from(['+', '-', '*', '//', '%']))} {right})"
    if kind == 3:
        return f"{left}{draw(st.sampled_from(['+', ' - ', '*']))}{right}"
    return f"{draw(st.sampled_from(['min', 'max']))}({left}, {right})"


@given(expressions())
def test_random_expressions_have_the_values_that_python_gives_them(expression: str) -> None:
    try:
        expected = eval(expression)
    except ZeroDivisionError:
        with pytest.raises(PuzzleError, match="divides by zero"):
            value(expression)
    else:
        assert value(expression) == expected


@pytest.mark.parametrize(
    "condition", ["i < 3", "not i < 3", "1 < i < 4", "i == 2 or i == 4 and i > 9", "(i == 1 or i == 2) and i != 1"]
)
def test_conditions_mean_what_they_mean_in_python(condition: str) -> None:
    expected = [f"a[{i}]" for i in range(1, 6) if eval(condition, {"i": i})]
    assert names(f"a[i] for i in 1..5 where {condition}") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("param n = m", ["PZ326"]),
        ("param n = 1\nparam n = 2", ["PZ330"]),
        ("param n = 4 // 0", ["PZ327"]),
        ("param n = 5 % (2 - 2)", ["PZ327"]),
        ("param n = 3 < 4", ["PZ328"]),
        ("param n = (1, 2)", ["PZ328"]),
        ("param n = 99999 * 99999", ["PZ321"]),
        ("for i in 1..3 where i { piece Z[i] { x } }", ["PZ328"]),
        ("for i in 1..3, i in 1..2 { piece Z[i] { x } }", ["PZ330"]),
        ("for i in 1..3 { piece Z { x } }", ["PZ301"]),
        ("for i in 1..3 { piece Z[i//2] { x } }", ["PZ301"]),
        ('for i in 1..3 { piece Z[i] { x } }\npiece "Z[2]" { x }', ["PZ301"]),
        ("for i in 1..9999999999 { piece Z[i] { x } }", ["PZ321"]),
        ("for i in 1..999999999 { piece Z[i] { x } }", ["PZ329"]),
        ("for i in 1..1000, j in 1..1000 { piece Z[i,j] { x } }", ["PZ329"]),
        ("place A inside cells (i,0) for i in 1..2000000", ["PZ329"]),
        ("for d at (x,y) in { 1a } { piece Z[d] { x } }", ["PZ315"]),
        ("for d at (x) in { 1/2 } { piece Z[d] { x } }", ["PZ313"]),
        ("for i in 3..1 { piece Z[i] { x } }", ["PZ332"]),
        ("piece Z x{0-1} { x }", ["PZ319"]),
        ("place A inside box {2-3}x1", ["PZ319"]),
        ("piece Z { {5}x }", ["PZ333"]),
        ("piece Z x{n} { x }", ["PZ326"]),
        ("piece Z x{2+} { x }", ["PZ101"]),
    ],
)  # fmt: skip
def test_meaningless_statements_are_refused_once_with_the_reason(text: str, expected: list[str]) -> None:
    assert codes("locations box 4x4\npiece A x* { x }\n" + text + "\n") == expected


def test_a_parameter_given_separately_replaces_the_one_in_the_text() -> None:
    text = "lattice none\nparam n = 2\nparam m = n*n\nlocations names a[i] for i in 1..m\npiece A covers {a[1]}"
    assert [len(puzzle_of(text, **given).locations) for given in ({}, {"n": 3}, {"m": 5}, {"n": 3, "m": 1})] == [
        4,
        9,
        5,
        1,
    ]
    assert codes(text, k=3) == ["PZ331"]


def test_an_error_in_a_loop_is_reported_once_with_its_iteration() -> None:
    text = "lattice none\nlocations names a[i] for i in 1..3\nfor i in 1..5 { piece P[i] covers {a[i]} }"
    with pytest.raises(PuzzleError) as caught:
        puzzlec.parse(text)
    (told,) = caught.value.diagnostics
    assert (told.code, told.notes[-1]) == ("PZ311", "in the iteration with i = 4")


def test_one_run_reports_every_error_of_form_and_of_meaning() -> None:
    text = """\
puzzle "Bad"
param n = 8
peices pentominos
locations box 4x4x
for i in 1..n+m {
  piece A[i] { xx }
}
for i in 1..2 {
  piece B[i { xx }
  piece C[i] = pentominoes.Q
}
piece D { xrx }
fix D at cells (0,0
"""
    with pytest.raises(PuzzleError) as caught:
        puzzlec.parse(text)
    told = [
        (diagnostic.code, diagnostic.span and diagnostic.span.source.position(diagnostic.span.start)[0])
        for diagnostic in caught.value.diagnostics
    ]
    assert told == [("PZ102", 3), ("PZ101", 4), ("PZ326", 5), ("PZ101", 9), ("PZ305", 10), ("PZ303", 12), ("PZ103", 13)]


def test_names_that_an_unreadable_statement_may_define_are_not_missed() -> None:
    assert codes("locations box 4x\npiece A { xx }\nfix A at cells (0,0) (1,0)") == ["PZ101"]
    assert codes("locations box 4x4\npiece { xx }\nfix A at cells (0,0) (1,0)") == ["PZ101"]
    assert codes("colours\nlocations { rr }\npiece A { rr }") == ["PZ101"]
    assert codes("locations box 2x2\nparam n == 3\npiece A x{n} { xx }") == ["PZ101"]


@pytest.mark.parametrize(
    ("loop", "helps"),
    [("n..1", ("write `1..n` instead of `n..1`",)), ("3..1", ("write `1..3` instead of `3..1`",)), ("1..2*n-4", ())],
)
def test_a_range_up_to_a_parameter_is_not_reversed(loop: str, helps: tuple[str, ...]) -> None:
    report = Report()
    text = f"param n = 2\nlocations box 2x1\npiece A {{ xx }}\nfor i in {loop} {{ piece Z[i] {{ x }} }}\n"
    read_puzzle(Source("a.puzzle", text), report, {})
    assert [diagnostic.helps for diagnostic in report.diagnostics if diagnostic.code == "PZ332"] == [helps]
