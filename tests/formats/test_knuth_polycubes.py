"""The input of Knuth's polyomino-dlx and polycube-dlx: its meaning, published counts, and broken texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import puzzlec
from puzzlec.diagnostics import PuzzleError, Report, Source
from puzzlec.engine import count
from puzzlec.formats.reading import guess_format, read
from puzzlec.formats.writing import write
from puzzlec.geometry import Cell, Freedom, find_lattice
from puzzlec.ir import Location, Piece, Puzzle
from puzzlec.lower import place
from tests.broken import refused

PENTOMINOES = """\
F 01 02 10 11 21
I 0[0-4]
L 0[0-3] 10
N 00 01 02 12 13
P 0[0-2] 1[01]
T 0[0-2] 11 21
U 00 02 10 11 12
V 0[0-2] 10 20
W 00 01 11 12 22
X 01 1[0-2] 21
Y 0[0-3] 11
Z 00 [01]1 2[12]
"""
SOMA = """\
| Piet Hein's cube
[0-2][0-2][0-2]
V 000 001 010
L 00[0-2] 010
T 00[0-2] 011
Z 000 001 011 012
A 000 100 101 111
B 000 001 011 100
P 000 001 010 100
"""


def polycube(text: str, report: Report | None = None) -> Puzzle:
    found = read(Source("text.polycube", text), "polycube", report if report is not None else Report())
    assert isinstance(found, Puzzle)
    return found


def covers(puzzle: Puzzle) -> int:
    encoding = puzzlec.compile(puzzle)
    return count(encoding.cover)


def options(text: str) -> int:
    encoding = puzzlec.compile(polycube(text))
    return len(encoding.cover)


@pytest.mark.parametrize(
    ("text", "number", "solutions"),
    [
        # TAOCP 7.2.2.1, "Polyominoes": 2 x 4 solutions; Scott's board without the middle, 65 x 8.
        ("[0-2][0-9a-j]\n" + PENTOMINOES, 1236, 8),
        ("[0-7][0-27] [012567][0-7] [0-7][0-2567]\n" + PENTOMINOES, 1568, 520),
        # TAOCP 7.2.2.1, "Polycubes": 240 x 48.
        (SOMA, 688, 11520),
    ],
)
def test_a_published_puzzle_has_its_published_solutions(text: str, number: int, solutions: int) -> None:
    assert options(text) == number
    assert covers(polycube(text)) == solutions
    assert guess_format(Source("<stdin>", text)) == "polycube"
    assert guess_format(Source("<stdin>", write(puzzlec.compile(polycube(text)), "dlx"))) == "dlx"


def test_the_examples_of_the_introductions_name_the_stated_cells() -> None:
    # https://www-cs-faculty.stanford.edu/~knuth/programs.html, POLYOMINO-DLX and POLYCUBE-DLX
    def box(text: str) -> set[object]:
        return {location.at for location in polycube(f"{text}\nA 00\n").locations}

    assert box("[02]b") == {(0, 11), (2, 11)}
    assert box("[0-2][b-b]") == {(0, 11), (1, 11), (2, 11)}
    assert len(box("[1-3][1-4]")) == 12
    assert box("[123]2 2[123]") == {(2, 2), (1, 2), (3, 2), (2, 1), (2, 3)}
    solid = polycube("[01]a[9b]\nA 000\n").locations
    assert {location.at for location in solid} == {(x, 10, z) for x in (0, 1) for z in (9, 11)}
    assert len(polycube("[123]22 2[123]2 22[123]\nA 000\n").locations) == 7


def test_ranges_may_share_one_bracket_and_digits_end_at_61() -> None:
    # The introduction says that [7-z32-4A5-5] is [2-57-A].
    assert polycube("[7-z32-4A5-5]0\nA 00\n").locations == polycube("[2-57-A]0\nA 00\n").locations
    assert polycube("0Z\nA 00\n").locations[0].at == (0, 61)


def test_flat_pieces_are_reflected_and_solid_ones_are_not() -> None:
    assert options("[0-3][0-3]\nL 00 01 02 10\n") == 8 * 6
    # A twisted tetracube fills a 2 x 2 x 2 box in 12 ways, and its mirror image in 12 others.
    assert options("[01][01][01]\nA 000 001 011 100\n") == 12


@pytest.mark.parametrize(
    ("text", "solutions"),
    [
        ("[0-1][0-3]\n4|D 00 01\n", 5),
        ("[0-1][0-3]\n4*D 00 01\n", 5),
        ("[0-1][0-3]\n0:4|D 00 01\n0:8|M 00\n", 71),  # all matchings of the 2 x 4 grid: OEIS A030186
        ("[01][01][01]\n4*D 000 001\n", 9),  # OEIS A006253
    ],
)
def test_copies_are_read(text: str, solutions: int) -> None:
    assert covers(polycube(text)) == solutions


def test_lines_of_one_piece_give_it_several_shapes() -> None:
    text = "[0-2][0-2]\nA 00 01\nB 00 01 02\nA 00 01 10\nC [0-1][0-1]\n"
    report = Report()
    puzzle = polycube(text, report)
    assert [piece.name for piece in puzzle.pieces] == ["A", "B", "C"]
    assert len(puzzle.pieces[0].covers or ()) == 12 + 16
    assert not report.diagnostics
    polycube("[0-2][0-2]\nA 00 01\nA 10 20\n", report)
    assert [str(diagnostic).split(":")[-2].strip() for diagnostic in report.diagnostics] == ["warning[PZ208]"]


def test_cells_with_a_suffix_are_optional_and_lie_in_a_separate_layer() -> None:
    # The example of the introduction: the dominoes that cover 34 and 44 also cover 34! and 44!.
    one = polycube("[34]4 [34]4!\nD 00 01 00! 01!\n")
    assert {location.at: location.optional for location in one.locations} == {
        (3, 4, 0): False, (4, 4, 0): False, (3, 4, 1): True, (4, 4, 1): True,
    }  # fmt: skip
    assert options("[34]4 [34]4!\nD 00 01 00! 01!\n") == 1
    assert options("[34]4 [34]4!\nD 00 01 00!\n") == 2
    # Each of the six dominoes of the 11 tilings of 3 x 4 marks one of its ends.
    assert covers(polycube("[0-2][0-3] [0-2][0-3]v\n6|D 00 01 00v\n")) == 11 * 2**6
    assert covers(polycube("[0-2][0-3] [0-2][0-3]v\n6|D 00 01 00v\n6|D 00 01 01v\n")) == 11 * 2**6


def test_a_piece_of_several_shapes_keeps_its_cells_in_their_layers() -> None:
    text = "[01][01] [01][01]v\nD 00 01 00v\nD 00 01\nE 00 01\n"
    assert covers(polycube(text)) == 4 * 3


def hexagon(n: int) -> str:
    """Return the triangles of a hexagon of side n, in a parallelogram of side 2 n."""
    digits = [(x, y) for x in range(2 * n) for y in range(2 * n)]
    up = [f"{x}{y}" for x, y in digits if n <= x + y < 3 * n]
    down = [f"{x}{y}'" for x, y in digits if n <= x + y + 1 < 3 * n]
    return " ".join(up + down)


@pytest.mark.parametrize(("n", "tilings"), [(1, 2), (2, 20), (3, 980)])
def test_tilings_of_hexagons_by_lozenges_have_the_counts_of_macmahon(n: int, tilings: int) -> None:
    text = f"{hexagon(n)}\n{3 * n * n}|D 00 00'\n"  # OEIS A008793
    assert covers(polycube(text)) == tilings
    assert guess_format(Source("<stdin>", text)) == "polycube"
    assert polycube(text).locations[0].at == (0, 1 - 2 * n, 0)


def test_triangles_of_pieces_with_several_shapes_lie_on_triangles() -> None:
    # Lozenges, and two separate triangles: the placements of a lozenge, and pairs of triangles that touch at a corner.
    text = "[01][01] [01][01]'\nD 00 00'\nD 00 01\nD 00 00'\n"
    puzzle = polycube(text)
    alone = [polycube(f"[01][01] [01][01]'\nD {cells}\n") for cells in ("00 00'", "00 01")]
    assert len(puzzle.pieces[0].covers or ()) == sum(len(place(one).pieces[0].placements) for one in alone)


@pytest.mark.parametrize(
    "text", ["[0-5][0-9]\n" + PENTOMINOES, SOMA, "[0-1][0-3]\n2|D 00 01\n0:4|M 00\n", "[01][01][01]\n4*D 000 001\n"]
)
def test_a_written_text_keeps_its_meaning_and_is_stable(text: str) -> None:
    puzzle = polycube(text)
    first = write(puzzle, "polycube")
    again = polycube(first)
    assert [location.at for location in again.locations] == [location.at for location in puzzle.locations]
    assert [(p.name, p.low, p.high, p.turns) for p in again.pieces] == [
        (p.name, p.low, p.high, p.turns) for p in puzzle.pieces
    ]
    assert write(again, "polycube") == first


@given(
    st.sampled_from(("square", "cubic")).flatmap(
        lambda name: st.tuples(
            st.just(name),
            st.sets(st.tuples(*[st.integers(-5, 40)] * (2 if name == "square" else 3)), min_size=1, max_size=12),
        )
    )
)
def test_any_box_is_written_in_words_that_name_exactly_its_cells(case: tuple[str, set[Cell]]) -> None:
    name, cells = case
    lattice = find_lattice(name)
    least = [min(axis) for axis in zip(*cells, strict=True)]
    turns = lattice.turns(Freedom.FREE if name == "square" else Freedom.ONE_SIDED)
    piece = Piece("A b", ((0,) * lattice.dimension,), (None,), turns)
    text = write(Puzzle("t", lattice, tuple(map(Location, sorted(cells))), (piece,)), "polycube")
    again = polycube(text)
    moved = {tuple(value - low for value, low in zip(cell, least, strict=True)) for cell in cells}
    assert {location.at for location in again.locations} == moved
    assert again.pieces[0].name == "A_b"
    assert write(again, "polycube") == text


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("lattice hex\nlocations box 2x2\npiece A { x }", "does not support the lattice `hex`"),
        ("locations box 2x2\nwrap x\npiece A { xx }", "wrap-around boards"),
        ("locations box 2x2\npiece A fixed { xx/x. }", "the orientations of piece `A`"),
        ("lattice cubic\nlocations box 2x2x2\npiece A x0..2 { xx }", "does not support 0..2 copies of `A`"),
        ("locations box 63x1\npiece A { xx }", "does not support coordinates above 61"),
        (
            "locations box 2x2\npiece A { xx }\npiece B { xx }\nfix A at { xx/.. }",
            "does not support rules such as `fix`",
        ),
        ("optional locations box 2x2\npiece A { xx }", "does not support optional locations"),
    ],
)
def test_features_that_the_programs_lack_are_refused(statement: str, words: str) -> None:
    with pytest.raises(PuzzleError, match="PZ501") as caught:
        write(puzzlec.parse(statement), "polycube")
    assert words in str(caught.value)


BROKEN: dict[str, tuple[str | bytes, list[str]]] = {
    "only remarks": ("| nothing\n", ["PZ308"]),
    "no pieces": ("[0-2][0-2]\n| none\n", ["PZ309"]),
    "a digit that is none": ("0* 01\nA 00\n", ["PZ288"]),
    "one coordinate": ("00 0\nA 00\n", ["PZ288"]),
    "a bracket that is never closed": ("[0-2 00\nA 00\n", ["PZ288"]),
    "a second bracket that is never closed": ("[0-2][0-2\nA 00\n", ["PZ288"]),
    "a third bracket that is never closed": ("[0-2][0-2][0-2\nV 000 001 010\n", ["PZ288"]),
    "a bracket of a suffix that is never closed": ("00 01 00![0\nA 00\n", ["PZ288"]),
    "a third bracket in the plane": ("00 01 00[0-2]\nA 00\n", ["PZ288"]),
    "a range without a beginning": ("[-5]0\nA 00\n", ["PZ288"]),
    "a range without an end": ("[1-]0\nA 00\n", ["PZ288"]),
    "a range backwards": ("[3-2]0\nA 00\n", ["PZ288"]),
    "a range of three": ("[1-2-3]0\nA 00\n", ["PZ288"]),
    "a double range": ("[3--5]0\nA 00\n", ["PZ288"]),
    "a strange sign in brackets": ("[0,1]0\nA 00\n", ["PZ288"]),
    "a box of empty brackets": ("[]0\nA 00\n", ["PZ288"]),
    "coordinates with commas": ("0,0 0,1\nA 0,0\n", ["PZ288", "PZ288", "PZ288"]),
    "a flat cell in a solid piece": ("000 001\nA 00 01\n", ["PZ288", "PZ288"]),
    "four coordinates in space": ("000 001\nA 0000\n", ["PZ288"]),
    "triangles in a box of squares": ("00 01\nA 00'\n", ["PZ288"]),
    "triangles with a suffix": ("00 00'\nA 00!\n", ["PZ288"]),
    "eleven suffixes": ("00 " + " ".join(f"00s{k}" for k in range(11)) + "\nA 00\n", ["PZ288"]),
    "a piece without cells": ("00 01\nA\n", ["PZ289"]),
    "a piece of empty brackets": ("00 01\nA []0\n", ["PZ289"]),
    "a colon in a name": ("00 01\nA:b 00\n", ["PZ289"]),
    "a bar at the end of a name": ("00 01\nA| 00\n", ["PZ289"]),
    "copies that are no number": ("00 01\nx|A 00\n", ["PZ289"]),
    "copies before a blank": ("00 01\n2| A 00\n", ["PZ288", "PZ289"]),
    "no copies": ("00 01\n0|A 00\n", ["PZ289"]),
    "no copies in space": ("000 001\n0*A 000\n", ["PZ289"]),
    "copies backwards": ("00 01\n3:2|A 00\n", ["PZ289"]),
    "copies that differ": ("00 01\n2|A 00\nA 00\n", ["PZ289"]),
    "a star in a name": ("00 01\n12*A 00\n", ["PZ289"]),
    "several faults": ("0+ 00\nA\nB: 00\n", ["PZ288", "PZ289", "PZ289"]),
    "pieces of too many cells": ("00 01\n" + "A [0-Z][0-Z]\n" * 300, ["PZ288"]),
    "null": (b"00\0 01\nA 00\n", ["PZ002"]),
    "empty": ("\n", ["PZ003"]),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_text_is_refused_with_a_position(name: str) -> None:
    text, codes = BROKEN[name]
    assert sorted(refused(text, "polycube")) == codes
