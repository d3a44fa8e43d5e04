"""The language statement by statement: the meaning of each, shown by its solutions."""

from __future__ import annotations

import pytest

import puzzlec
from puzzlec.diagnostics import Report, Source
from puzzlec.geometry import Freedom, find_lattice
from puzzlec.ir import ANY, Puzzle
from puzzlec.language.puzzle_text import readable_tree


def puzzle_of(text: str) -> Puzzle:
    puzzle = puzzlec.parse(text)
    assert isinstance(puzzle, Puzzle)
    return puzzle


def cells(text: str) -> list[object]:
    return [location.at for location in puzzle_of(text + "\npiece M x* { x }").locations]


def test_the_title_is_the_first_statement_and_the_name_of_the_text_without_one() -> None:
    assert puzzle_of('puzzle "Two"\nlocations box 2x1\npiece D { xx }').title == "Two"
    assert puzzle_of("locations box 2x1\npiece D { xx }").title == "<text>"


def test_a_box_has_columns_then_rows_then_layers() -> None:
    assert cells("locations box 3x1") == [(0, 0), (1, 0), (2, 0)]
    assert cells("lattice cubic\nlocations box 1x1x2") == [(0, 0, 0), (0, 0, 1)]
    assert cells("lattice line\nlocations box 2") == [(0,), (1,)]


@pytest.mark.parametrize(
    ("region", "number"),
    [
        ("box 8x8 - box 2x2 at (3,3)", 60),
        ("box 3x3 + box 3x3 at (2,2)", 17),
        ("box 3x3 & box 3x3 at (2,2)", 1),
        ("box 3x3 - box 1x3 at (1,0) - box 3x1 at (0,1)", 4),
        ("box 3x3 - (box 1x3 at (1,0) - box 3x1 at (0,1))", 7),
        ("{ xx/x. } at (-1,-1) + cells (5,5) (6,5)", 5),
        ("(box 2x2 - cells (0,0)) at (10,10)", 3),
        ("box 3x3 - { .../.x./... }", 8),
    ],
)
def test_regions_join_from_left_to_right(region: str, number: int) -> None:
    assert len(cells("locations " + region)) == number


def test_a_statement_continues_over_lines_inside_brackets() -> None:
    assert len(cells("locations (box 3x3\n  - box 1x1\n  at (1,1))")) == 8
    text = "lattice none\nlocations names 0..3\npiece A covers (\n  {0 1}\n  {2\n3}\n)\npiece B covers {0 1} {2 3}"
    assert puzzle_of(text).pieces[0].covers == (("0", "1"), ("2", "3"))


def test_question_marks_and_optional_statements_may_stay_empty() -> None:
    puzzle = puzzle_of("locations { x? }\noptional locations cells (5,0)\npiece M { x }")
    assert [location.optional for location in puzzle.locations] == [False, True, True]
    assert puzzlec.count(puzzle) == 1


def test_empty_limits_how_many_optional_locations_stay_empty() -> None:
    text = "locations {{ x }}\noptional locations box 3x1 at (1,0)\n{}piece M x0..4 fixed {{ x }}"
    counts = [
        puzzlec.count(puzzle_of(text.format(limit)), symmetry="none") for limit in ("", "empty 1\n", "empty 0..2\n")
    ]
    assert counts == [8, 3, 7]


def test_freedoms_and_their_defaults_are_those_of_the_literature() -> None:
    square, cubic = find_lattice("square"), find_lattice("cubic")
    board = "locations box 9x9\npiece F {} {{ .xx/xx./.x. }}"
    for word, freedom in (("", Freedom.FREE), ("one-sided", Freedom.ONE_SIDED), ("fixed", Freedom.FIXED)):
        assert puzzle_of(board.format(word)).pieces[0].turns == square.turns(freedom)
    solid = "lattice cubic\nlocations box 3x3x3\npiece A {} {{ xx ../.x .x }}"
    assert puzzle_of(solid.format("")).pieces[0].turns == cubic.turns(Freedom.ONE_SIDED)
    assert puzzle_of(solid.format("free")).pieces[0].turns == cubic.turns(Freedom.FREE)


@pytest.mark.parametrize(
    ("copies", "bounds"),
    [("", (1, 1)), ("x3", (3, 3)), ("x0..4", (0, 4)), ("x*", (0, ANY)), ("x2..", (2, ANY))],
)
def test_copies_are_a_number_a_range_or_any(copies: str, bounds: tuple[int, int]) -> None:
    piece = puzzle_of(f"locations box 2x2\npiece M {copies} {{ x }}").pieces[0]
    assert (piece.low, piece.high) == bounds


def test_equal_copies_are_never_counted_as_different() -> None:
    assert puzzlec.count(puzzle_of("locations box 2x2\npiece D x2 fixed { xx }"), symmetry="none") == 1
    assert puzzlec.count(puzzle_of("locations box 2x2\npiece A { xx }\npiece B { xx }"), symmetry="none") == 4


def test_pieces_come_from_whole_libraries_parts_and_one_by_one() -> None:
    assert len(puzzle_of("locations box 6x10\npieces pentominoes").pieces) == 12
    names = [p.name for p in puzzle_of("lattice cubic\nlocations box 4x4x2\npieces tetracubes except I, O").pieces]
    assert names == ["L", "T", "Z", "A", "B", "P"]
    puzzle = puzzle_of("locations box 6x10\npiece Weg x2 = pentominoes.W\npieces trominoes x0..1")
    assert [(p.name, len(p.cells), p.low, p.high) for p in puzzle.pieces] == [
        ("Weg", 5, 2, 2),
        ("I", 3, 0, 1),
        ("V", 3, 0, 1),
    ]


def test_flat_libraries_can_be_used_in_space() -> None:
    flat = puzzlec.compile(puzzle_of("lattice cubic\nlocations box 2x3x10\npieces pentominoes"), stage="fitting")
    solid = puzzlec.compile(puzzle_of("lattice cubic\nlocations box 2x3x10\npieces solid-pentominoes"), stage="fitting")
    assert [set(p.placements) for p in flat.pieces] == [set(p.placements) for p in solid.pieces]


def test_stick_cutting_has_three_solutions() -> None:
    text = """puzzle "Stick cutting"
lattice none
locations names 0..4
piece four covers {3} {0 2}
piece five covers {4} {0 3} {1 2}
piece six covers {0 4} {1 3} {0 1 2}
"""
    assert puzzlec.count(puzzle_of(text)) == 3


def test_placements_can_be_listed_by_coordinates() -> None:
    text = "locations box 2x2\npiece A covers {(0,0) (1,0)} {(0,0) (0,1)}\npiece D { xx }"
    assert puzzlec.count(puzzle_of(text), symmetry="none") == 2


def test_names_may_be_quoted_numbers_and_words_of_the_language() -> None:
    text = 'lattice none\nlocations names "my place" box 7\npiece piece covers {box 7}\npiece "a b" covers {"my place"}'
    puzzle = puzzle_of(text)
    assert [location.at for location in puzzle.locations] == ["my place", "box", "7"]
    assert [piece.name for piece in puzzle.pieces] == ["piece", "a b"]


def test_declarations_may_follow_their_uses() -> None:
    puzzle = puzzle_of("locations { rb }\npiece R { r }\npiece B { b }\ncolours r b")
    assert puzzlec.count(puzzle) == 1


def test_comments_tabs_windows_line_ends_and_a_byte_order_mark_do_no_harm() -> None:
    from puzzlec.diagnostics.files import source_of
    from puzzlec.language.puzzle_text import read_puzzle

    text = '\ufeffpuzzle "T" # title\r\n\tlocations {\t# a board\r\n\txx # row\r\n\txx\r\n}\r\npiece D x2 { xx }#end'
    assert puzzlec.count(read_puzzle(source_of(text.encode(), "t.puzzle")), symmetry="none") == 2


def test_words_need_a_space_between_them() -> None:
    for text in ("locationsbox 3x1\npiece D { xx }", "piecesdominoes"):
        with pytest.raises(puzzlec.PuzzleError, match="missing space"):
            puzzlec.parse(text)


def test_an_empty_row_in_the_drawing_of_a_solid_is_refused_because_it_makes_no_layer() -> None:
    for text in (
        "lattice cubic\nlocations {\n xx\n\n xx\n}\npiece D x2 { xx }",
        "lattice cubic\nlocations { xx//xx }\npiece D { xx }",
    ):
        with pytest.raises(puzzlec.PuzzleError, match="unexpected empty row in a solid"):
            puzzlec.parse(text)
    assert len(puzzle_of("lattice cubic\nlocations {\n xx # one\n # two\n xx\n}\npiece D { xx }").locations) == 4
    assert len(puzzle_of("locations {\n xx\n\n xx\n}\npiece D { xx }").locations) == 4


def test_fixing_a_piece_with_copies_fixes_one_of_them() -> None:
    board = "locations box 4x2\npiece D x4 { xx }\n"
    assert puzzlec.count(puzzle_of(board), symmetry="none") == 5
    assert puzzlec.count(puzzle_of(board + "fix D at cells (0,0) (1,0)"), symmetry="none") == 2
    both = puzzle_of(board + "fix D at cells (0,0) (1,0)\nfix D at cells (2,0) (2,1)")
    assert list(map(str, puzzlec.solve(both))) == ["DDDD\nDDDD"]
    loose = "optional locations box 3x1\npiece M x0..3 { x }\nfix M at cells (1,0)"
    assert puzzlec.count(puzzle_of(loose), symmetry="none") == 4
    assert puzzlec.count(puzzle_of(puzzlec.convert(puzzle_of(loose), "puzzle")), symmetry="none") == 4


def test_named_locations_may_be_listed_over_lines_in_brackets() -> None:
    assert len(puzzle_of("lattice none\nlocations names (a b\n  c)\npiece P covers {a b c}").locations) == 3


def test_more_empty_locations_than_allowed_are_a_separate_error() -> None:
    report = Report()
    puzzlec.check(puzzle_of("locations box 2x2\nempty 2\npiece M x2 { x }"), report=report)
    assert [diagnostic.code for diagnostic in report.diagnostics] == ["PZ401"]
    assert "but none may" in report.diagnostics[0].message


def test_a_text_with_an_unreadable_line_keeps_its_error_after_an_editor_has_read_the_rest() -> None:
    text = "strange\nlocations box 1x1\npiece A { x }\n"
    assert readable_tree(Source("", text)) is not None
    for _ in range(2):
        with pytest.raises(puzzlec.PuzzleError, match="unknown statement `strange`"):
            puzzlec.parse(text)


@pytest.mark.parametrize("comment", ["", "   # which one?", '   # "a" comment', "#"])
@pytest.mark.parametrize("end", ["\nlocations box 3x3", "\n", ""])
def test_a_missing_part_is_missing_before_a_comment(comment: str, end: str) -> None:
    with pytest.raises(puzzlec.PuzzleError) as caught:
        puzzlec.parse(f"lattice{comment}{end}")
    (diagnostic,) = caught.value.diagnostics
    ends = "the line ends" if end else "the text ends"
    assert diagnostic.message == f"expected the name of a lattice after `lattice`, but {ends}"
    assert diagnostic.span is not None
    assert diagnostic.span.start == len("lattice")
