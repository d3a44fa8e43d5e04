"""Commas, comparisons, variables, open ranges and names: each may be typed in several ways, and `fmt` writes one."""

from __future__ import annotations

import pytest

import puzzlec
from puzzlec.compiler import fmt
from puzzlec.diagnostics import PuzzleError
from puzzlec.ir import ANY, Puzzle

NAMED = "lattice none\nlocations names a b c d\n"
SQUARE = "colours r g b\nlocations { rgbx/xxxx }\n"


def puzzle_of(text: str, **parameters: int) -> Puzzle:
    puzzle = puzzlec.parse(text, parameters=parameters)
    assert isinstance(puzzle, Puzzle)
    return puzzle


def meaning(text: str) -> str:
    return puzzlec.convert(puzzle_of(text), "json")


#: The text before a list, the list without and with commas, and the text after it.
LISTS = (
    ("colours ", "r g b", "r,g, b", "\nlocations box 2x1\npiece A { rg }\npiece B x0..1 { b }"),
    ("regions ", "A B", "A, B", "\nlocations { AB }\npiece P { xx }"),
    ("locations box 3x3\npieces pentominoes only ", "F I P", "F, I P", ""),
    ("locations box 3x3\npieces pentominoes x2 except ", "F I P", "F,I, P", ""),
    ("locations box 4x4\nwrap ", "x y", "x, y", "\npiece A x* { xx }"),
    ("locations cells ", "(0,0) (1,0) (2,-1)", "(0,0), (1,0) (2,-1)", "\npiece A x* { x }"),
    (
        "locations cells ",
        "(0,0) (i,1) for i in 1..2   (5,5)",
        "(0,0), (i,1) for i in 1..2, (5,5)",
        "\npiece A x* { x }",
    ),
    ("locations box 3x1\npiece A cells ", "(0,0) (1,0)", "(0,0), (1,0)", "\npiece B { x }"),
    (
        "lattice none\nlocations names ",
        "a b[1] 0..2 c[i,j] for i in 1..2, j in (1, 2)   d",
        "a, b[1], 0..2 c[i,j] for i in 1..2 j in (1, 2), d",
        "\npiece A x* covers {a}",
    ),
    ("lattice none\nlocations names ", "(a b)", "(a, b)", "\npiece A x* covers {a}"),
    (f"{NAMED}piece A x0..1 covers ", "{a b} {c d}", "{a, b}, {c d}", ""),
    (f"{NAMED}piece A x0..1 covers ({{a b}}\n  ", "{c d}", "{c, d}", ")"),
    ("locations box 3x1\npiece A x0..1 covers ", "{(0,0) (1,0)}", "{(0,0), (1,0)}", ""),
    (f"{SQUARE}allow r on ", "g b", "g, b", "\npiece A x* { r }"),
    (f"{SQUARE}match ", "r g", "r, g", "\npiece A x* sides r g b b"),
    (f"{SQUARE}frame ", "r g", "r,g", "\npiece A x* sides r g b b"),
    (f"{SQUARE}piece A x* sides ", "r g b b", "r, g, b, b", ""),
    ("colours r g\nlocations box 1x1\npiece A sides r g r r\nfix A sides ", "r g r r", "r, g, r r", " at cells (0,0)"),
    ("locations box 2x1\npiece A { x }\npiece B { x }\ntogether ", "A B", "A, B", ""),
    ("locations box 2x1\npiece A { x }\npiece B { x }\nimmovable ", "A B", "A, B", ""),
)


@pytest.mark.parametrize(("before", "spaces", "commas", "after"), LISTS, ids=[row[2] for row in LISTS])
def test_commas_in_a_list_are_allowed_and_never_needed(before: str, spaces: str, commas: str, after: str) -> None:
    one, other = f"{before}{spaces}{after}\n", f"{before}{commas}{after}\n"
    assert meaning(one) == meaning(other)
    assert fmt(other) == fmt(one)
    assert spaces in fmt(other)


@pytest.mark.parametrize(("before", "spaces", "commas", "after"), LISTS, ids=[row[2] for row in LISTS])
def test_a_list_does_not_end_with_a_comma(before: str, spaces: str, commas: str, after: str) -> None:
    for end in (",", ", ,"):
        with pytest.raises(PuzzleError) as caught:
            puzzlec.parse(f"{before}{commas}{end}{after}\n")
        assert caught.value.diagnostics[0].code == "PZ101", spaces


def test_loops_need_no_comma_and_fmt_writes_one() -> None:
    text = "locations box 4x4\nfor x in 0..1 y in 0..1,k at (i,j) in { 1. } {{ piece A[x,y,k,i,j] {{ x }} }}\n"
    text = text.replace("{{", "{").replace("}}", "}")
    assert len(puzzle_of(text).pieces) == 4
    assert "for x in 0..1, y in 0..1, k at (i,j) in { 1. } {" in fmt(text)


@pytest.mark.parametrize(
    "text", ["locations cells (1 1)", "locations box 2x2\npiece A[1 2] { x }", "param n = min(1 2)"]
)
def test_expressions_need_their_commas_because_a_sign_may_be_a_difference(text: str) -> None:
    with pytest.raises(PuzzleError):
        puzzlec.parse(text + "\n")
    (error,) = _errors("locations cells (1 -1)\npiece A { x }\n")
    assert error == "PZ312"


def _errors(text: str) -> list[str]:
    with pytest.raises(PuzzleError) as caught:
        puzzlec.parse(text)
    return [diagnostic.code for diagnostic in caught.value.diagnostics]


@pytest.mark.parametrize(
    "line",
    [
        "for i in 0..2 where i {} 1 and not i {} 0 {{ piece A[i] x0..1 {{ r }} }}",
        "rule box 1x1 sum {} 1",
        "locations cells (i,9) for i in 0..3 where i % 2 {} 1",
    ],
)
def test_one_sign_and_two_compare_in_the_same_way(line: str) -> None:
    text = "colours 1 r\nlocations box 4x4\npiece M x* { 1 }\n" + line + "\n"
    one, two = text.replace("{}", "="), text.replace("{}", "==")
    one, two = (each.replace("{{", "{").replace("}}", "}") for each in (one, two))
    assert meaning(one) == meaning(two)
    assert fmt(two) == fmt(one)
    assert "==" not in fmt(two)


def test_a_cost_after_a_loop_keeps_its_sign() -> None:
    puzzle = puzzle_of("locations box 4x1\npiece A x* { x }\ncost A per cells (i,0) for i in 0..1 = 5\n")
    assert [(cost.value, len(cost.region)) for cost in puzzle.costs] == [(5, 2)]
    puzzle = puzzle_of("locations box 4x1\npiece A x* { x }\ncost A per (cells (i,0) for i in 0..3 where i = 2) = 5\n")
    assert [(cost.value, len(cost.region)) for cost in puzzle.costs] == [(5, 1)]


def test_a_variable_needs_braces_only_beside_other_characters_of_a_word() -> None:
    text = (
        "param n = 3\nlattice {}\nlocations {}\noptional locations {}\nempty 1..n\n"
        "piece A x{{n}} {{ x }}\npiece B x0..n {{ x }}\n{}\ncost A = n\n"
    )
    flat = puzzle_of(text.format("square", "box {n}x2", "box {n}x1 at (n,n)", "pieces polyominoes n x0..n"))
    assert flat.rules.empty == (1, 3)
    assert [(piece.name, piece.low, piece.high) for piece in flat.pieces] == [
        ("A", 3, 3), ("B", 0, 3), ("I", 0, 3), ("V", 0, 3),
    ]  # fmt: skip
    assert flat.costs[0].value == 3
    assert len(puzzle_of(text.format("line", "box n", "box n at (n)", "rule box n all different")).locations) == 6
    named = puzzle_of("param n = 3\nlattice none\nlocations names 1..n a[n]\npiece A x0..n covers {1}\n", n=2)
    assert [location.at for location in named.locations] == ["1", "2", "a[2]"]


@pytest.mark.parametrize(
    ("typed", "written", "bounds"),
    [
        ("x2..", "x2..", (2, ANY)),
        ("x..5", "x0..5", (0, 5)),
        ("x..n", "x0..n", (0, 3)),
        ("x0..", "x*", (0, ANY)),
        ("x0..{n}", "x0..n", (0, 3)),
        ("x{n-1}..{n}", "x{n-1}..n", (2, 3)),
    ],
)
def test_an_open_range_of_copies_ends_with_two_dots(typed: str, written: str, bounds: tuple[int, int]) -> None:
    text = f"param n = 3\nlocations box 2x2\npiece A {typed} {{ x }}\n"
    (piece,) = puzzle_of(text).pieces
    assert (piece.low, piece.high) == bounds
    assert f"piece A {written} {{ x }}" in fmt(text)
    assert f"A {written}".replace("{n-1}..n", "2..3").replace("n", "3") in puzzlec.convert(puzzle_of(text), "puzzle")


@pytest.mark.parametrize(
    ("line", "bounds", "written"),
    [
        ("sum = 2..", (2, ANY), "sum >= 2"),
        ("sum = ..5", (0, 5), "sum <= 5"),
        ("sum == 2..n+1", (2, 4), "sum = 2..n+1"),
        ("sum >= 2", (2, ANY), "sum >= 2"),
        ("sum = 3", (3, 3), "sum = 3"),
    ],
)
def test_a_sum_may_be_a_range(line: str, bounds: tuple[int, int], written: str) -> None:
    text = f"param n = 3\ncolours 1 2\nlocations box 4x1\npiece A x* {{ 1 }}\npiece B x* {{ 2 }}\nrule box 3x1 {line}\n"
    puzzle = puzzle_of(text)
    assert [(rule.low, rule.high) for rule in puzzle.rules.regions] == [bounds]
    assert f"rule box 3x1 {written}\n" in fmt(text)
    again = puzzle_of(puzzlec.convert(puzzle, "puzzle"))
    assert [(rule.low, rule.high) for rule in again.rules.regions] == [bounds]
    assert puzzlec.count(again, symmetry="none") == puzzlec.count(puzzle, symmetry="none")


@pytest.mark.parametrize(
    ("line", "help"),
    [("rule box 3x1 sum > 2..4", "write `= 2..4`"), ("rule box 3x1 sum = 5..2", "write `2..5`")],
)
def test_a_wrong_range_of_sums_is_refused(line: str, help: str) -> None:
    with pytest.raises(PuzzleError) as caught:
        puzzlec.parse(f"colours 1\nlocations box 4x1\npiece A x* {{ 1 }}\n{line}\n")
    assert [diagnostic.helps for diagnostic in caught.value.diagnostics] == [(help,)]


@pytest.mark.parametrize(("bounds", "expected"), [("2..", (2, 6)), ("..2", (0, 2)), ("1..2", (1, 2)), ("2", (2, 2))])
def test_the_number_of_empty_locations_may_be_an_open_range(bounds: str, expected: tuple[int, int]) -> None:
    puzzle = puzzle_of(f"optional locations box 3x2\nempty {bounds}\npiece A x* {{ x }}\n")
    assert puzzle.rules.empty == expected
    numbers = {2: 15, 1: 6, 0: 1, 3: 20, 4: 15, 5: 6, 6: 1}  # 6 over k
    assert puzzlec.count(puzzle, symmetry="none") == sum(numbers[k] for k in range(expected[0], expected[1] + 1))


def test_names_of_locations_may_be_numbers_in_a_range() -> None:
    puzzle = puzzle_of(
        'lattice none\nlocations names 0..4 x "a b" 7\npiece A x* covers {0} {4} {x "a b"}\nplace A off names 1..3 7\n'
    )
    assert [location.at for location in puzzle.locations] == ["0", "1", "2", "3", "4", "x", "a b", "7"]
    assert puzzle.rules.pieces[0].region == ("1", "2", "3", "7")
    assert meaning(puzzlec.convert(puzzle, "puzzle")) == meaning(
        puzzlec.convert(puzzle_of(puzzlec.convert(puzzle, "puzzle")), "puzzle")
    )


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("lattice none\nlocations names a a\npiece A covers {a}\n", "PZ310"),
        ("lattice none\nlocations names 3..1\npiece A covers {1}\n", "PZ319"),
        ("lattice none\nlocations names 0..9999999\npiece A covers {1}\n", "PZ321"),
        ("lattice square\nlocations names a b\npiece A { x }\n", "PZ320"),
    ],
)
def test_a_wrong_list_of_names_is_refused(text: str, code: str) -> None:
    assert _errors(text) == [code]
