"""Changes of a puzzle rewrite the smallest part of its text, and the text then means the changed puzzle."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from puzzlec.diagnostics import Source
from puzzlec.formats import catalogue
from puzzlec.geometry import Cell, find_lattice
from puzzlec.geometry.drawing import rule_of
from puzzlec.language.editing.changes import edit
from puzzlec.language.editing.painting import EditError, painted
from puzzlec.language.editing.reading import QuestionError
from puzzlec.language.fixing import applied
from puzzlec.language.puzzle_text import read_puzzle

PLAIN = """\
puzzle "Rows"  # a title
locations {
  xx.   # the first row
  xxx
}
piece I { xx }  # a bar
piece L x2 { xx/x. }
"""


def changed(text: str, name: str = "a.puzzle", **change: Any) -> str:
    return applied(text, edit(Source(name, text), change).edits)


def paint(text: str, *cells: tuple[Cell, str], **more: Any) -> str:
    return changed(text, do="paint", cells=[list(cell) for cell in cells], **more)


#: A board of values, and what its text is after given values are painted on it.
VALUES = "locations {\n  xx\n  xx\n}\nvalues 1..2\n"


@pytest.mark.parametrize(
    ("before", "cells", "after"),
    [
        ("", [((0, 0), "1"), ((1, 1), "2")], "fix 1 at cells (0,0)\nfix 2 at cells (1,1)\n"),
        ("fix 1 at cells (0,0)  # a clue\n", [((0, 0), "2")], "fix 2 at cells (0,0)  # a clue\n"),
        ("fix 1 at cells (0,0)\nrule each row sum = 3\n", [((0, 0), "."), ((1, 0), "2")],
         "rule each row sum = 3\nfix 2 at cells (1,0)\n"),
        ("fix {\n  1.\n}\n", [((0, 0), "2"), ((1, 1), "1")], "fix {\n  2.\n  .1\n}\n"),
        ("fix {\n  1.\n}\n", [((0, 0), "x")], ""),
    ],
)  # fmt: skip
def test_a_painted_value_is_given_by_a_fix_statement(before: str, cells: list[tuple[Cell, str]], after: str) -> None:
    assert paint(VALUES + before, *cells) == VALUES + after
    board(VALUES + after)


def test_a_value_beside_the_board_makes_a_plain_cell_and_a_colour_stays_a_colour() -> None:
    assert paint(VALUES, ((2, 0), "1")) == VALUES.replace("  xx\n  xx", "  xxx\n  xx.")
    coloured = "colours 1\nlocations { 1x }\npiece I { 11 }\n"
    assert paint(coloured, ((1, 0), "1")) == coloured.replace("1x", "11")
    loop = "for i in 0..1 { fix 1 at cells (i,0) }\n"
    with pytest.raises(EditError, match="a loop gives this value"):
        paint(VALUES + loop, ((0, 0), "2"))


def lines_changed(before: str, after: str) -> list[tuple[str, str]]:
    """Return the lines that differ between two texts of equally many lines."""
    return [(a, b) for a, b in zip(before.split("\n"), after.split("\n"), strict=True) if a != b]


def board(text: str, name: str = "a.puzzle") -> set[tuple[Any, ...]]:
    puzzle = read_puzzle(Source(name, text))
    return {(location.at, location.colour, location.optional) for location in puzzle.locations}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("line", "xx.x"),
        ("square", " xx/x. "),
        ("square", "\n  xx # one\n  x.  # two\n"),
        ("cubic", "xx x./x. .."),
        ("cubic", "\n  xx  x. # a\n  x.  ..  # b\n"),
        ("fcc", "xx x./x. .."),
        ("hex", "\n  x x # one\n   x\n"),
        ("hex", " x "),
        ("triangle", "\n  xxx\n  .x\n"),
        ("triangle", " xx "),
        ("sticks", "\n  +-+ # one\n  |\n  +\n"),
        ("sticks", " - "),
    ],
)
def test_painted_drawings_of_each_rule_have_exactly_the_painted_cells(name: str, text: str) -> None:
    chance, lattice = random.Random(5), find_lattice(name)
    rule = rule_of(lattice)
    assert rule is not None

    def read(drawn: str) -> dict[Cell, str]:
        assert rule is not None
        return {mark.cell: mark.sign for mark in rule.marks(drawn, lattice)}

    for _ in range(60):
        drawn = text
        for _ in range(6):
            cells, signs = read(drawn), {}
            for _ in range(chance.randint(1, 3)):
                beside = [value + chance.randint(-2, 2) for value in chance.choice(list(cells))[: lattice.dimension]]
                kind = [chance.randrange(len(lattice.kinds))] * (len(lattice.kinds) > 1)
                signs[(*beside, *kind)] = chance.choice("xx.")
            wanted = {cell: sign for cell, sign in (cells | signs).items() if sign != "."}
            if not wanted:
                continue
            found = painted(drawn, lattice, signs)
            drawn = applied(drawn, found.edits)
            moved = {tuple(a + b for a, b in zip(cell, found.shift, strict=True)) for cell in wanted}
            assert set(read(drawn)) == moved, drawn
        assert re.findall(r"# \w+", drawn) == re.findall(r"# \w+", text)


def test_a_cell_inside_a_drawing_changes_one_character() -> None:
    assert edit(PLAIN, {"do": "paint", "cells": [[[2, 0], "x"]]}).edits == [
        (PLAIN.index("xx.") + 2, PLAIN.index("xx.") + 3, "x")
    ]
    assert lines_changed(PLAIN, paint(PLAIN, ((1, 1), "."))) == [("  xxx", "  x.x")]
    assert lines_changed(PLAIN, paint(PLAIN, ((1, 1), "?"))) == [("  xxx", "  x?x")]
    assert lines_changed(PLAIN, paint(PLAIN, ((2, 0), "x"), piece="I")) == [
        ("piece I { xx }  # a bar", "piece I { xxx }  # a bar")
    ]


def test_comments_stay_at_their_rows() -> None:
    after = paint(PLAIN, ((-1, 0), "x"), ((0, 2), "x"))
    assert "  xxx.   # the first row\n  .xxx\n  .x..\n}" in after


def test_cells_keep_their_coordinates_if_another_statement_uses_them() -> None:
    text = "locations {\n  xxx\n  xxx\n}\npiece I { xxx }\npiece J { xxx }\nfix I at cells (0,0) (1,0) (2,0)\n"
    after = paint(text, ((-1, 0), "x"))
    assert "\n} at (-1,0)\n" in after
    assert board(after) == board(text) | {((-1, 0), None, False)}
    again = paint(after, ((-1, -1), "x"))
    assert "} at (-1,-1)" in again
    assert board(again) == board(after) | {((-1, -1), None, False)}
    # Without such a statement, the drawing needs no place.
    assert " at " not in paint(PLAIN, ((-1, 0), "x"))


def test_a_box_becomes_a_drawing_only_after_a_question() -> None:
    text = "lattice cubic\nlocations box 2x2x1 - box 1x1x1  # a box\npiece I { xx }\n"
    with pytest.raises(QuestionError, match="not a drawing"):
        paint(text, ((0, 0, 0), "x"))
    after = paint(text, ((0, 0, 0), "?"), sure=True)
    assert after == "lattice cubic\nlocations { ?x/xx }  # a box\npiece I { xx }\n"


def test_a_board_of_several_statements_becomes_one_drawing() -> None:
    text = "colours a\nlocations { xa }\noptional locations box 2x1 at (0,1)\npiece I { xx }\n"
    with pytest.raises(QuestionError):
        paint(text, ((0, 1), "x"))
    after = paint(text, ((0, 1), "x"), sure=True)
    assert after == "colours a\nlocations { xa/x? }\npiece I { xx }\n"


#: Boards with locations that may stay empty, written in each way.
WITH_OPTIONAL = (
    "locations { xx/xx }\noptional locations { .x/x. } at (2,0)\npiece A x* { x }\n",
    "locations cells (0,0) (1,0)\noptional locations cells (2,0) (2,1)\npiece A x* { x }\n",
    "optional locations { xx/x. }\nlocations { x } at (2,0)\npiece A x* { x }\n",
    "locations box 2x2\noptional locations cells (2,0) (2,1)\npiece A x* { x }\n",
    "locations box 2x2\noptional locations box 1x2 at (2,0)\npiece A x* { x }\n",
    "locations { xx?/xxx }\npiece A x* { x }\n",
    "optional locations cells (0,0) (1,0)\npiece A x* { x }\n",
)


@pytest.mark.parametrize("text", WITH_OPTIONAL)
def test_a_painted_cell_must_be_covered_or_may_stay_empty_as_the_brush_says(text: str) -> None:
    before = board(text)
    cells = {at for at, _, _ in before} | {(3, 0), (0, 2)}
    for cell in sorted(cells):
        for sign, optional in (("x", False), ("?", True)):
            after = paint(text, (cell, sign), sure=True)
            assert board(after) == {one for one in before if one[0] != cell} | {(cell, None, optional)}


def test_the_last_location_that_may_stay_empty_takes_its_statement_along() -> None:
    text = "locations cells (0,0)\noptional locations cells (1,0) (2,0)\npiece A x* { x }\n"
    after = paint(text, ((1, 0), "x"), ((2, 0), "x"))
    assert after == "locations cells (0,0) (1,0) (2,0)\npiece A x* { x }\n"


NAMED = """\
lattice cubic
locations box 3x2x2
piece "big L" { xx }
piece B x2 { xx }
piece C[1] { xx }
place "big L" inside box 3x1x1
fix C[1] at cells (0,1,0) (1,1,0)
together "big L" B x2 C[1]
together C[1] "big L"
immovable C[1]
immovable "big L" B
cost B inside box 3x1x1 = 3
cost "big L" = 2
"""


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("big L", ["fix C[1] at cells (0,1,0) (1,1,0)", "together B x2 C[1]", "immovable C[1]", "immovable B"]),
        ("B", ['together "big L" C[1]', 'together C[1] "big L"', "immovable C[1]", 'immovable "big L"']),
        ("C[1]", ['place "big L" inside box 3x1x1', 'together "big L" B x2', 'immovable "big L" B']),
    ],
)
def test_a_removed_piece_leaves_the_statements_that_name_it_after_a_question(name: str, lines: list[str]) -> None:
    with pytest.raises(QuestionError, match="Remove the piece there also"):
        changed(NAMED, do="remove", piece=name)
    after = changed(NAMED, do="remove", piece=name, sure=True)
    assert set(lines) <= set(after.split("\n"))
    assert {piece.name for piece in read_puzzle(Source("a.puzzle", after)).pieces} == {"big L", "B", "C[1]"} - {name}


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("rule box 2x1 exactly 1 B", ""),
        ('rule each row at least n "c d"', 'rule each row at least n "c d"'),
        ("paint B red", ""),
        ("paint A[1] red", "paint A[1] red"),
        ("apart B A[1] with corners", "apart A[1] with corners"),
        ('apart A[1] "c d" with corners', 'apart A[1] "c d" with corners'),
        ("touching D B", ""),
        ("touching B border", ""),
        ("touching all border", "touching all border"),
        ("fix { .B. }", ""),
        ("fix { .BD  # B and D\n}", "fix { ..D  # B and D\n}"),
        ("turns", "turns"),
        ("symmetric half-turn", "symmetric half-turn"),
    ],
)
def test_no_other_statement_keeps_the_name_of_a_removed_piece(line: str, left: str) -> None:
    head = 'param n = 0\nlocations box 3x1\npiece A[1] x0..1 { x }\npiece "c d" x0..1 { x }\npiece D { x }\n'
    after = changed(f"{head}piece B {{ x }}\n{line}\n", do="remove", piece="B", sure=True)
    assert after == head + f"{left}\n" * bool(left)
    assert {piece.name for piece in read_puzzle(Source("a.puzzle", after)).pieces} == {"A[1]", "c d", "D"}


@pytest.mark.parametrize(
    "change",
    [
        {"do": "remove"},
        {"do": "double"},
        {"do": "rotate"},
        {"do": "copies", "copies": "2"},
        {"do": "freedom", "freedom": "fixed"},
        {"do": "paint", "cells": [[(0, 0), "x"]]},
    ],
)
def test_a_piece_that_the_values_make_is_changed_in_the_text_only(change: dict[str, Any]) -> None:
    sudoku = "locations box 2x2\nvalues 1..2\nrule each row all different\n"
    with pytest.raises(EditError, match="`values` makes piece `1`"):
        changed(sudoku, piece="1", sure=True, **change)


def test_an_orientation_rule_is_not_changed_where_it_would_be_an_error() -> None:
    listed = "lattice none\nlocations names a b\npiece P covers {a} {b}\npiece Q covers {a}\n"
    with pytest.raises(EditError, match="listed placements"):
        changed(listed, do="freedom", piece="P", freedom="fixed")
    with pytest.raises(EditError, match="`pieces` has the orientation rule"):
        changed("locations box 5x4\npieces tetrominoes one-sided\n", do="freedom", piece="z", freedom="fixed")


@pytest.mark.parametrize(
    "line",
    [
        "rule box 1x1x1 at most i B",
        "apart B C[1] with corners",
        "immovable B",
        "cost B inside box {i}x1x1 = i",
        "together B x2 C[1]",
    ],
)
def test_a_piece_that_a_loop_names_is_not_removed(line: str) -> None:
    with pytest.raises(EditError, match="a loop names piece `B`"):
        changed(f"{NAMED}for i in 1..2 {{ {line} }}\n", do="remove", piece="B", sure=True)


@pytest.mark.parametrize("lattice", ["drafter", "prism", "tetrakis", "trigs", "octants", "rhombic"])
def test_cells_of_lattices_without_drawings_are_added_to_their_list(lattice: str) -> None:
    zero = ",".join("0" * find_lattice(lattice).coordinates)
    one, two = f"(1{zero[1:]})", f"(2{zero[1:]})"
    text = f"lattice {lattice}\nlocations cells ({zero}) {one}  # two\npiece A cells ({zero})\n"
    cell = tuple(map(int, two[1:-1].split(",")))
    after = paint(text, (cell, "x"))
    assert after == text.replace(one, f"{one} {two}")
    assert paint(after, (cell, ".")) == text
    assert paint(text, (cell, "x"), piece="A") == text.replace(f"A cells ({zero})", f"A cells ({zero}) {two}")
    with pytest.raises(EditError, match="at least one"):
        paint(text, ((0,) * len(cell), "."), piece="A")


def test_pieces_of_a_library_are_changed_in_their_own_statement() -> None:
    text = "locations box 6x10\npieces pentominoes  # all\n"
    with pytest.raises(QuestionError, match="library"):
        paint(text, ((0, 0), "."), piece="I")
    after = paint(text, ((0, 0), "."), piece="I", sure=True)
    assert after == "locations box 6x10\npieces pentominoes except I  # all\npiece I { xxxx }\n"
    assert changed(text, do="copies", piece="F", copies="2") == (
        "locations box 6x10\npieces pentominoes except F  # all\npiece F x2 = pentominoes.F\n"
    )
    assert changed(text, do="remove", piece="F") == "locations box 6x10\npieces pentominoes except F  # all\n"
    only = "locations box 5x4\npieces pentominoes only F, I, L\n"
    assert changed(only, do="remove", piece="F") == "locations box 5x4\npieces pentominoes only I, L\n"
    assert changed(only, do="remove", piece="L") == "locations box 5x4\npieces pentominoes only F, I\n"
    assert changed(only, do="add", library="pentominoes", shape="P").endswith("only F, I, L, P\n")
    spaced = "locations box 5x4\npieces pentominoes only F I L\n"
    assert changed(spaced, do="add", library="pentominoes", shape="P").endswith("only F I L P\n")
    assert changed(spaced, do="add", library="polyominoes 7", shape="7-12").endswith('= polyominoes 7 "7-12"\n')
    but = "locations box 5x4\npieces pentominoes except F, I\n"
    assert changed(but, do="add", library="pentominoes", shape="I").endswith("except F\n")
    assert changed(but, do="add", library="pentominoes", shape="F").endswith("except I\n")
    assert changed(but, do="add", library="tetrominoes", shape="T").endswith("except F, I\npiece T2 = tetrominoes.T\n")


def test_the_colour_of_a_piece_is_one_statement() -> None:
    def tint(text: str, piece: str, paint: str) -> str:
        return changed(text, do="tint", piece=piece, paint=paint)

    red = PLAIN + "paint L red\n"
    assert tint(PLAIN, "L", "red") == red
    assert tint(red, "I", "#102030") == red + 'paint I "#102030"\n'
    assert tint(red, "L", "gold") == PLAIN + "paint L gold\n"
    assert tint(red, "L", "") == tint(PLAIN, "L", "") == PLAIN
    loop = "locations box 2x4\nfor i in 0..1 {\n  piece A[i] { xx/xx }\n}\n"
    assert tint(loop, "A[1]", "red") == f'{loop}paint "A[1]" red\n'
    assert tint(f"{loop}paint A[1] red\n", "A[1]", "blue") == f"{loop}paint A[1] blue\n"
    assert read_puzzle(Source("a.puzzle", tint(loop, "A[1]", "red"))).pieces[1].paint == "red"
    with pytest.raises(EditError, match="a loop or another file paints piece `A\\[0\\]`"):
        tint(f"{loop}for i in 0..1 {{ paint A[i] red }}\n", "A[0]", "blue")
    with pytest.raises(EditError, match="the colour is a name"):
        tint(PLAIN, "L", "redd")


def test_copies_and_freedom_are_one_word() -> None:
    assert lines_changed(PLAIN, changed(PLAIN, do="copies", piece="L", copies="3")) == [
        ("piece L x2 { xx/x. }", "piece L x3 { xx/x. }")
    ]
    assert "piece L { xx/x. }" in changed(PLAIN, do="copies", piece="L", copies="1")
    assert "piece I x4 { xx }  # a bar" in changed(PLAIN, do="copies", piece="I", copies="4")
    sided = changed(PLAIN, do="freedom", piece="L", freedom="one-sided")
    assert "piece L one-sided x2 { xx/x. }" in sided
    assert changed(sided, do="freedom", piece="L", freedom="") == PLAIN
    with pytest.raises(EditError, match="copies are a number"):
        changed(PLAIN, do="copies", piece="L", copies="x{n}")


def test_pieces_are_drawn_doubled_and_removed() -> None:
    after = changed(PLAIN, do="draw")
    assert after == PLAIN + "piece A { x }\n"
    assert "piece L x2 { xx/x. }\npiece L2 x2 { xx/x. }\n" in changed(PLAIN, do="double", piece="L")
    assert changed(PLAIN, do="remove", piece="L") == PLAIN.replace("piece L x2 { xx/x. }\n", "")
    # The comment after a statement stays.
    assert "\n  # a bar\n" in changed(PLAIN, do="remove", piece="I")
    with pytest.raises(EditError, match="at least one piece"):
        changed("locations box 2x1\npiece I { xx }\n", do="remove", piece="I")


def test_a_rotated_piece_is_drawn_in_its_new_orientation() -> None:
    text = "locations box 4x4\npiece L {\n  xxx  # long\n  x..\n}\n"
    turned = changed(text, do="rotate", piece="L")
    assert "# long" in turned
    for _ in range(3):
        turned = changed(turned, do="rotate", piece="L")
    cells = [read_puzzle(Source("a.puzzle", version)).pieces[0].cells for version in (text, turned)]
    assert sorted(cells[0]) == sorted(cells[1])
    twice = changed(changed(text, do="reflect", piece="L"), do="reflect", piece="L")
    assert "xxx  # long\n  x..\n}" in twice


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("locations {", "the text has an error"),
        ("for i in 0..1 { locations { x } at (i,0) }\npiece I { xx }\n", "a loop makes"),
        ("lattice none\nlocations names 0..1\npiece I covers {0 1}\n", "has no cells to paint"),
        ("param n = 1\ncolours 1\nlocations { x{n} }\npiece I { xx }\n", "has expressions"),
        ("locations { x }\npiece I { x }\n", "at least one cell"),
    ],
)
def test_texts_that_cannot_be_painted_give_a_reason(text: str, reason: str) -> None:
    with pytest.raises(EditError, match=reason):
        paint(text, ((0, 0), "."))


def test_far_cells_are_refused() -> None:
    with pytest.raises(EditError, match="too far"):
        paint(PLAIN, ((100_000, 0), "x"))


#: Puzzles of the catalogue whose board is painted: small ones in the puzzle language, on a lattice.
NAMES = [
    entry.name for entry in catalogue.entries() if entry.name.startswith(("new/", "polyhexes/", "balls/", "soma/"))
]


@pytest.mark.parametrize("name", NAMES)
def test_the_boards_of_the_catalogue_are_painted(name: str) -> None:
    path = catalogue.find(name)
    assert path is not None
    if path.suffix != ".puzzle":
        pytest.skip("in another format")
    text = path.read_text(encoding="utf-8")
    puzzle = read_puzzle(Source(str(path), text))
    places = [location.at for location in puzzle.locations]
    if puzzle.lattice is None or len(places) < 2 or puzzle.rules.pieces or puzzle.rules.regions:
        pytest.skip("without a lattice, or with a rule that names locations")
    cell = places[len(places) // 2]
    try:
        after = paint(text, (cell, "."), sure=True, name=str(path))  # type: ignore[arg-type]
    except EditError as error:
        assert "loop" in str(error) or "colour" in str(error)
        return
    assert text.count("#") == after.count("#")
    assert {at for at, _, _ in board(after, str(path))} == {at for at in places if at != cell}
    assert (cell, None, False) in board(paint(after, (cell, "x"), sure=True, name=str(path)), str(path))  # type: ignore[arg-type]


#: Two pieces are in place: one by its cells, one by a drawing.
FIXED = """\
locations box 4x2
piece I { xx }
piece L x3 { xx }
fix I at cells (0,0) (1,0)  # a clue
fix L at { ..../xx.. }
"""


@pytest.mark.parametrize(
    ("put", "take", "lines"),
    [
        ([["L", [[2, 0], [3, 0]]]], [], ["fix L at { ..../xx.. }", "fix L at cells (2,0) (3,0)"]),
        ([], [["L", [[1, 1], [0, 1]]]], ["fix I at cells (0,0) (1,0)  # a clue"]),
        ([], [["I", [[0, 0], [1, 0]]]], ["  # a clue", "fix L at { ..../xx.. }"]),
        (
            [["I", [[2, 0], [3, 0]]], ["L", [[0, 0], [1, 0]]]],
            [["L", [[0, 1], [1, 1]]], ["I", [[0, 0], [1, 0]]]],
            ["fix I at cells (2,0) (3,0)  # a clue", "fix L at cells (0,0) (1,0)"],
        ),
        (
            [["L", [[0, 0], [1, 0]]]],
            [["I", [[0, 0], [1, 0]]]],
            ["  # a clue", "fix L at { ..../xx.. }", "fix L at cells (0,0) (1,0)"],
        ),
    ],
)
def test_a_placed_piece_is_a_fix_statement(put: Any, take: Any, lines: list[str]) -> None:
    after = changed(FIXED, do="fix", put=put, take=take)
    assert after.split("\n")[-1 - len(lines) : -1] == lines
    before, now = (read_puzzle(Source("a.puzzle", text)).rules.pieces for text in (FIXED, after))
    gone = [(name, frozenset(map(tuple, cells))) for name, cells in take]
    kept = [(rule.piece, frozenset(rule.region)) for rule in before]
    wanted = {placed for placed in kept if placed not in gone} | {
        (name, frozenset(map(tuple, cells))) for name, cells in put
    }
    assert {(rule.piece, frozenset(rule.region)) for rule in now} == wanted


def test_the_first_placed_piece_is_in_a_new_last_line() -> None:
    text = 'locations box 2x1\npiece "a b" { xx }  # the end'
    after = changed(text, do="fix", put=[["a b", [[0, 0], [1, 0]]]], take=[])
    assert after == f'{text}\nfix "a b" at cells (0,0) (1,0)\n'


def test_a_piece_that_a_loop_fixes_or_that_is_elsewhere_is_not_taken_back() -> None:
    loop = "locations box 2x2\nfor k in 0..1 {\n  piece A[k] { xx }\n  fix A[k] at cells (0,k) (1,k)\n}\n"
    (name, _) = [piece.name for piece in read_puzzle(Source("a.puzzle", loop)).pieces]
    with pytest.raises(EditError, match="a loop fixes piece"):
        changed(loop, do="fix", put=[], take=[[name, [[0, 0], [1, 0]]]])
    with pytest.raises(EditError, match="the text does not fix piece `I` there"):
        changed(FIXED, do="fix", put=[], take=[["I", [[2, 0], [3, 0]]]])
    with pytest.raises(EditError, match="no piece `Q`"):
        changed(FIXED, do="fix", put=[["Q", [[2, 0]]]], take=[])


def test_a_location_that_may_stay_empty_already_needs_no_change() -> None:
    text = "locations box 2x2\noptional locations box 1x2 at (2,0)\npiece A x* { x }\n"
    assert paint(text, ((2, 0), "?")) == text


FREE = "locations box 4x4\npiece A x0..9 { xx/x. }\npiece B x0..9 { xxx }  # bars\nexpect raw 8\n"
NUMBERS = "locations box 4x4\nvalues 1..4\nrule each row all different  # rows\nfix { 1 }\n"


@pytest.mark.parametrize(
    ("text", "change", "line"),
    [
        (FREE, {"rule": "apart", "piece": "A", "other": "B"}, "apart A B"),
        (FREE, {"rule": "apart"}, "apart copies"),
        (FREE, {"rule": "touching", "piece": "A", "other": "border"}, "touching A border"),
        (FREE, {"rule": "touching"}, "touching all border"),
        (FREE, {"rule": "inside", "piece": "A", "cells": [[1, 1], [2, 1]]}, "place A inside box 2x1 at (1,1)"),
        (FREE, {"rule": "off", "piece": "B", "where": "corner"}, "place B off corner"),
        (FREE, {"rule": "at-most", "value": "2", "where": "row", "piece": "A"}, "rule each row at most 2 A"),
        (FREE, {"rule": "exactly", "value": "6", "where": "board"}, "rule box 4x4 exactly 6"),
        (NUMBERS, {"rule": "sum", "value": "7", "cells": [[3, 3], [0, 0]]}, "rule cells (0,0) (3,3) sum = 7"),
        (NUMBERS, {"rule": "sum", "value": "5..9", "where": "diagonal"}, "rule each diagonal sum = 5..9"),
        (NUMBERS, {"rule": "all-equal", "where": "centre"}, "rule centre all equal"),
    ],
)  # fmt: skip
def test_a_rule_is_one_line_after_the_rules_and_pieces(text: str, change: dict[str, Any], line: str) -> None:
    after = changed(text, do="rule", **change)
    before = text.split("\n")
    number = next(n for n, row in enumerate(after.split("\n")) if row not in before)
    assert after.split("\n") == [*before[:number], line, *before[number:]]
    assert before[number - 1].startswith("rule" if text is NUMBERS else "piece B")
    read_puzzle(Source("a.puzzle", after))


def test_a_rule_about_values_replaces_pieces_without_values_after_a_question() -> None:
    wanted = {"do": "rule", "rule": "all-different", "where": "row-column"}
    with pytest.raises(QuestionError, match=r"Replace them by `values 1\.\.4`\?"):
        edit(FREE, wanted)
    assert changed(FREE, **wanted, sure=True) == (
        "locations box 4x4\nvalues 1..4\nrule each row, column all different\n  # bars\nexpect raw 8\n"
    )
    with pytest.raises(EditError, match="write `values"):
        edit(FREE + "fix A at { xx/x. }\n", wanted)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"rule": "biggest"}, "unknown rule"),
        ({"rule": "sum", "value": "many", "where": "row"}, "the value is a number"),
        ({"rule": "at-most", "value": "2..3", "where": "row"}, "the value is a number"),
        ({"rule": "inside", "piece": "1", "where": "row"}, "choose a piece, and cells"),
        ({"rule": "all-equal", "where": "cells"}, "choose cells of the board first"),
        ({"rule": "all-equal", "cells": [[9, 9]]}, "the board does not have all"),
        ({"rule": "all-equal", "where": "region"}, "the text has an error: missing regions"),
    ],
)
def test_a_rule_that_the_text_cannot_have_is_refused(change: dict[str, Any], reason: str) -> None:
    with pytest.raises(EditError, match=reason):
        edit(NUMBERS, {"do": "rule", **change})
