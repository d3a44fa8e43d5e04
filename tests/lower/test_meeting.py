"""Rules about how pieces meet: published counts, counts of one rule by another, and rules that a board cannot have."""

from __future__ import annotations

import json

import pytest

import puzzlec
from puzzlec import PuzzleError, Report
from puzzlec.compiler import compile
from puzzlec.formats.writing import write
from puzzlec.ir import Meeting, MeetingKind
from puzzlec.ir.rules import PuzzleRules
from puzzlec.lower.meeting import against

MATS = "locations box {}x{}\npiece mat x* {{ xx }}\npiece half x* {{ x }}\nno crossroads\n"
DOMINOES = "locations box {}x{}\npiece D x* {{ xx }}\n"
PENTOMINOES = "locations box 10x6\npieces pentominoes\n"

#: Tatami tilings of a rectangle with dominoes and monomers (OEIS), by the height; widths from 0.
TATAMI = {
    4: ("A192090", (1, 5, 29, 44, 66, 126, 238, 490, 922, 1714)),
    5: ("A192091", (1, 8, 68, 90, 126, 178, 325, 584, 1165)),
    7: ("A192093", (1, 21, 357, 406, 490, 584, 827)),
    8: ("A192094", (1, 34, 821, 852, 922, 1165, 1404, 1914, 2562, 4618, 7450)),
}
#: A068926: tatami tilings of a rectangle with dominoes up to symmetry, by diagonals of the table of both sides.
TATAMI_OF_DOMINOES = (0, 1, 1, 0, 1, 0, 1, 2, 2, 1, 0, 3, 0, 3, 0, 1, 4, 2, 2, 4, 1)
#: A334396: tilings of 3 x n with squares 1x1 and dominoes without faults, for n from 1.
FAULTLESS = (0, 0, 2, 2, 10, 16, 52, 104, 286, 634, 1622, 3768, 9336)


def raw(text: str) -> int:
    return int(puzzlec.count(puzzlec.parse(text), symmetry="none"))


@pytest.mark.parametrize(
    ("height", "width", "number"),
    [(height, width, number) for height, (_, row) in TATAMI.items() for width, number in enumerate(row) if width],
)
def test_tatami_tilings_with_single_mats_are_those_of_oeis(height: int, width: int, number: int) -> None:
    assert raw(MATS.format(width, height)) == number


def test_tatami_tilings_with_dominoes_up_to_symmetry_are_those_of_oeis() -> None:
    found = []
    for diagonal in range(1, 7):
        for width in range(1, diagonal + 1):
            height = diagonal + 1 - width
            text = DOMINOES.format(width, height) + "no crossroads\n" * (min(width, height) > 1)
            found.append(int(puzzlec.count(puzzlec.parse(text))) if width * height % 2 == 0 else 0)
    assert tuple(found) == TATAMI_OF_DOMINOES


@pytest.mark.parametrize(("width", "number"), list(enumerate(FAULTLESS, 1)))
def test_faultless_tilings_of_three_rows_are_those_of_oeis(width: int, number: int) -> None:
    text = f"locations box {width}x3\npiece S x* {{ x }}\npiece D x* {{ xx }}\nno faults\n"
    if width > 1:
        assert raw(text) == number
        return
    # No tiling of a single column has no fault: puzzlec proves it, and refuses the rule.
    with pytest.raises(PuzzleError) as error:
        compile(puzzlec.parse(text))
    assert (number, error.value.diagnostics[0].code) == (0, "PZ373")


def test_a_chessboard_of_six_by_six_has_no_tiling_without_faults() -> None:
    assert [raw(DOMINOES.format(*sizes) + "no faults") for sizes in ((6, 5), (6, 6))] == [6, 0]


@pytest.mark.parametrize(
    ("board", "high", "number"),
    [
        # At a corner of the board one piece lies, on its sides two, and inside it two only if no corner is there.
        ("locations box 4x4\npiece D x0..8 { xx }\npiece I x0..4 { xxxx }\n", 2, 2),
        ("locations box 4x2\npiece D x4 { xx }\n", 2, 1),
        ("locations box 4x2\npiece D x4 { xx }\n", 1, 0),
        ("lattice hex\nlocations hexagon 2\npiece D x3 { x x }\npiece S { x }\n", 2, 0),
        ("lattice cubic\nlocations box 2x2x2\npiece D x4 { xx }\n", 2, 0),
        ("lattice cubic\nlocations box 2x2x2\npiece O x2 { xx / xx }\n", 2, 3),
    ],
)
def test_a_number_of_pieces_is_allowed_at_each_point(board: str, high: int, number: int) -> None:
    assert raw(f"{board}at most {high} at a point") == number


def test_three_pieces_at_a_point_are_no_crossroads() -> None:
    texts = [DOMINOES.format(6, 5) + words for words in ("no crossroads", "at most 3 at a point")]
    rules = [puzzlec.parse(text).rules.meetings for text in texts]
    assert rules[0] == rules[1]
    triangles = "lattice triangle\nlocations hexagon 2\npieces tetriamonds x*\n"
    assert raw(triangles) == 218
    assert [raw(f"{triangles}at most {high} at a point") for high in (3, 4, 5)] == [68, 191, 215]


def test_json_refuses_two_pieces_with_one_image() -> None:
    text = "locations box 4x2\npiece J fixed { x./xx }\npiece L fixed { .x/xx }\npiece S x2 { x }\nsymmetric mirror x"
    stored = write(compile(puzzlec.parse(text)).fitting, "json")
    before = json.loads(stored)
    assert before["region_rules"][0]["pieces"] == ["J", "L", "L", "J"]
    for pieces in (["J", "L"], ["J", "L", "L"], ["J", "L", "L", "L"], ["J", "L", "L", "J", "J", "S"]):
        before["region_rules"][0]["pieces"] = pieces
        with pytest.raises(PuzzleError, match="must have the image of each piece after it"):
            puzzlec.parse(json.dumps(before), format="json")


@pytest.mark.long
def test_two_pentominoes_touch_or_are_apart() -> None:
    apart, touching = (int(puzzlec.count(puzzlec.parse(PENTOMINOES + f"{word} I L"))) for word in ("apart", "touching"))
    assert apart + touching == 2339


def test_faults_across_both_axes_are_the_faults_of_a_square_board() -> None:
    board = DOMINOES.format(6, 5)
    lines = "no faults across x\nno faults across y\n"
    assert raw(board + lines) == raw(board + "no faults") < raw(board + "no faults across x")


def test_a_rule_with_a_direction_breaks_the_symmetries_that_change_it() -> None:
    board = DOMINOES.format(4, 4)
    distinct = {words: int(puzzlec.count(puzzlec.parse(board + words))) for words in ("", "no faults across x")}
    assert distinct[""] == 9
    assert distinct["no faults across x"] == int(puzzlec.count(puzzlec.parse(board + "no faults across y")))


def test_a_piece_goes_to_its_mirror_image_only_if_that_is_a_piece() -> None:
    board = "locations { xxxxxx / x....x }\npiece L one-sided { xxx / x.. }\n"
    assert raw(board + "piece J one-sided { xxx / ..x }\nsymmetric mirror x\n") == 1
    assert raw(board.replace("piece L one-sided", "piece L x2") + "symmetric mirror x\n") == 1
    assert raw("locations box 4x2\npiece L x2 { xxx / x.. }\nsymmetric mirror x\n") == 0
    assert raw("locations box 4x2\npiece L x2 { xxx / x.. }\nsymmetric half-turn\n") == 2


def test_of_several_pieces_of_one_shape_each_has_its_own_mirror_image() -> None:
    pieces = "".join(
        f"piece {name} fixed {{ {rows} }}\n"
        for name, rows in zip("JKLM", ("x./xx", "x./xx", ".x/xx", ".x/xx"), strict=True)
    )
    text = f"locations box 4x4\n{pieces}piece S x4 {{ x }}\n"
    twin = dict(zip("JKLMS", "LMJKS", strict=True))
    symmetric = 0
    for solution in puzzlec.solve(puzzlec.parse(text), symmetry="none"):
        laid = {(placement.piece.name, frozenset(placement.cells)) for placement in solution.placements}
        symmetric += laid == {(twin[name], frozenset((3 - x, y) for x, y in cells)) for name, cells in laid}
    assert raw(text + "symmetric mirror x") == symmetric == 8
    assert len(list(puzzlec.solve(puzzlec.parse(text + "symmetric mirror x"), symmetry="none"))) == 8
    # A third piece without a mirror image goes to itself, which is impossible.
    assert raw(text + "piece N x0..1 fixed { x./xx }\nsymmetric mirror x") == 8


def test_a_single_cell_goes_to_a_cell_of_another_kind() -> None:
    board = "lattice tetrakis\nlocations cells (0,0,0) (0,0,2)\n"
    pieces = "piece A fixed cells (0,0,0)\npiece B fixed cells (0,0,2)\n"
    assert raw(board + pieces) == 1
    assert raw(board + pieces + "symmetric half-turn") == 1


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("lattice hex\nlocations box 4x2\npiece D x4 { x x }\nno crossroads", "more than 3 pieces"),
        ("lattice hex\nlocations box 4x3\npiece D x6 { x x }\nno faults", "no straight line"),
        ("locations box 4x2\npiece D x4 { xx }\nsymmetric third-turn", "motions of lattice"),
        ("locations box 4x2\npiece D x4 { xx }\nno faults across z", "axes of lattice"),
        ("locations box 4x2\nwrap x\npiece D x4 { xx }\nno faults", "wraps around"),
        ("lattice sticks\nlocations grid 2x2\npiece D x6 { +-+-+ }\nno faults", "without sides"),
        ("locations box 6x1\npiece D x3 { xx }\nno faults", "one piece must cover the board"),
        ("locations { xxx / x.. }\npiece D x2 { xx }\nsymmetric half-turn", "not equal to its image"),
        ("locations box 4x2\npiece D x4 { xx }\nat most 4 at a point", "more than 4 pieces"),
    ],
)
def test_a_board_that_does_not_support_a_rule_gets_the_reason(text: str, note: str) -> None:
    with pytest.raises(PuzzleError) as error:
        compile(puzzlec.parse(text))
    (diagnostic,) = error.value.diagnostics
    assert diagnostic.code == "PZ373"
    assert note in " ".join(diagnostic.notes)


@pytest.mark.parametrize(
    ("board", "words", "instead"),
    [
        ("locations box 4x2\npieces tetrominoes only I, L", "touching L L", "touching L border"),
        ("locations box 4x2\npieces tetrominoes only I, L", "apart L L", "apart L"),
        ('locations box 4x2\npieces tetrominoes only I, L\npiece "a b" { x }', 'apart L "a b" "a b"', 'apart L "a b"'),
        ("locations box 4x2\npiece D x4 { xx }", "no faults across z", "no faults"),
        ("locations box 4x2\npiece D x4 { xx }", "symmetric third-turn", "symmetric half-turn"),
        ("locations box 4x2\npiece D x4 { xx }", "symmetric mirror vertical", "symmetric mirror y"),
        ("lattice hex\nlocations hexagon 2\npieces trihexes x0..6", "symmetric quarter-turn", "symmetric half-turn"),
        ("lattice cubic\nlocations box 2x2x1\npiece D x2 { xx }", "symmetric half-turn", "symmetric half-turn z"),
    ],
)
def test_a_rule_that_is_refused_gets_a_suggestion_that_works(board: str, words: str, instead: str) -> None:
    with pytest.raises(PuzzleError) as error:
        compile(puzzlec.parse(f"{board}\n{words}"))
    (diagnostic,) = error.value.diagnostics
    assert diagnostic.code == "PZ373"
    assert diagnostic.helps == (f"write `{instead}`",)
    puzzle = puzzlec.parse(f"{board}\n{instead}")
    assert [against(puzzle, meeting) for meeting in puzzle.rules.meetings] == [""] * len(puzzle.rules.meetings)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("no crossroads inside box 1x1", "`no crossroads` has no effect: no point inside this region"),
        ("at most 2 at a point inside corner", "`at most 2 at a point` has no effect: no point inside this region"),
        ("cost crossroads inside box 1x1 = 3", "`cost crossroads` has no effect: no point inside this region"),
        ("apart L", "`apart L` has no effect: `L` has only one copy"),
        ("no crossroads on box 1x1", ""),
        ("apart D", ""),
        ("apart D L", ""),
    ],
)
def test_a_rule_that_no_solution_can_break_gets_a_warning(words: str, why: str) -> None:
    report = Report()
    compile(puzzlec.parse(f"locations box 4x3\npiece D x4 {{ xx }}\npiece L {{ xxx/x.. }}\n{words}"), report=report)
    assert [diagnostic.code for diagnostic in report.diagnostics] == ["PZ386"] * bool(why)
    assert all(diagnostic.message.startswith(why) for diagnostic in report.diagnostics)


@pytest.mark.parametrize(
    "text",
    [
        "locations box 4x2\npiece D x4 { xx }\napart colours",
        "locations box 4x2\npieces tetrominoes only I, L\napart copies",
        "locations box 4x2\npieces tetrominoes only I, L\ntouching L L",
        "locations box 4x2\npieces tetrominoes only I, L\napart L L",
        "locations box 4x2\npiece D x4 { xx }\npiece E { xx }\ntouching D E",
        "locations box 4x2\npieces tetrominoes only I, L\ntouching all L",
        "colours r b\nlocations box 4x2\npiece A x2 { rb }\napart colours",
    ],
)
def test_a_rule_that_no_piece_can_break_or_follow_is_refused(text: str) -> None:
    with pytest.raises(PuzzleError) as error:
        puzzlec.parse(text)
    assert [diagnostic.code for diagnostic in error.value.diagnostics] == ["PZ373"]


@pytest.mark.parametrize(
    "words",
    [
        "no crossroads on cells (0,0) (3,2)",
        "at most 2 at a point",
        "no faults across y",
        "apart F L P with corners",
        "touching I V",
        "symmetric mirror diagonal",
    ],
)
def test_a_rule_survives_text_and_json(words: str) -> None:
    puzzle = puzzlec.parse(f"locations box 8x8\npieces pentominoes\npiece O {{ xx / xx }}\n{words}\n")
    assert puzzlec.parse(write(puzzle, "puzzle")) == puzzle
    assert puzzlec.parse(write(puzzle, "json"), format="json") == puzzle
    assert puzzle.rules.meetings[0].words == words.partition(" on ")[0]


def test_a_piece_with_one_copy_is_apart_in_text_and_json() -> None:
    puzzle = puzzlec.parse("locations box 3x1\npiece A { x }\npiece B { xx }\napart A")
    for format in ("puzzle", "json"):
        assert puzzlec.parse(write(puzzle, format), format=format) == puzzle


def test_a_list_of_placements_keeps_the_rules_in_json() -> None:
    text = "locations box 4x4\npieces tetrominoes only I, L, O\npiece T { xxx / .x. }\n"
    for words in ("no crossroads", "no faults", "apart I L", "touching I L", "symmetric mirror x"):
        fitting = compile(puzzlec.parse(text + words)).fitting
        again = puzzlec.parse(write(fitting, "json"), format="json")
        assert again == fitting
        assert int(puzzlec.count(again)) == raw(text + words)


def test_a_copy_with_a_name_can_touch_another_piece() -> None:
    board = "locations box 4x2\npiece E { xx }\n"
    with pytest.raises(PuzzleError) as refused:
        puzzlec.parse(f"{board}piece D x3 {{ xx }}\ntouching D E")
    [diagnostic] = refused.value.diagnostics
    assert diagnostic.helps == ("take one copy less, and write `piece one = D` and `touching one E`",)
    named = puzzlec.parse(f"{board}piece D x2 {{ xx }}\npiece one = D\ntouching one E")
    # In the 5 tilings, 4, 4, 5, 4 and 3 pairs touch. Each is E and the copy in two ways.
    assert puzzlec.count(named, symmetry="none") == 2 * (4 + 4 + 5 + 4 + 3)


@pytest.mark.parametrize("words", ["no crossroads", "no faults", "apart F L", "touching I V", "touching all border"])
def test_a_listed_solution_passes_the_checker(words: str) -> None:
    found = list(puzzlec.solve(puzzlec.parse(PENTOMINOES + words), limit=1))
    assert len(found) == 1


def test_a_symmetric_solution_passes_the_checker() -> None:
    found = list(puzzlec.solve(puzzlec.parse(DOMINOES.format(6, 4) + "symmetric half-turn"), symmetry="none"))
    assert len(found) == 23


@pytest.mark.parametrize(
    ("once", "again"), [("touching A B", "touching B A"), ("apart A C", "apart C A"), ("apart B C", "apart C B")]
)
def test_a_rule_that_is_written_again_in_another_order_changes_nothing(once: str, again: str) -> None:
    board = "locations box 2x3\npiece A fixed { x/x }\npiece B fixed { x/x }\npiece C x2 { x }\n"
    puzzle = puzzlec.parse(f"{board}{once}\n{again}")
    assert raw(f"{board}{once}\n{again}") == raw(board + once) == len(list(puzzlec.solve(puzzle, symmetry="none")))
    assert puzzlec.count(puzzle) == puzzlec.count(puzzlec.parse(board + once))


def test_parts_of_a_board_may_have_single_sides_without_faults() -> None:
    assert raw("locations { xx../...x }\npiece D { xx }\npiece S { x }\nno faults") == 1


def test_a_format_without_rules_refuses_them() -> None:
    puzzle = puzzlec.parse("locations box 4x2\npiece D x4 { xx }\nno crossroads")
    with pytest.raises(PuzzleError, match="rules about how pieces meet"):
        write(puzzle, "xmpuzzle")


def test_a_rule_is_checked_when_it_is_made() -> None:
    with pytest.raises(ValueError, match="two pieces"):
        puzzlec.parse("locations box 1x1\npiece A { x }").__class__(
            "", None, (), (), rules=PuzzleRules(meetings=(Meeting(MeetingKind.TOUCHING, ("A",)),))
        )
