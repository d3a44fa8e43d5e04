"""Lists of square tiles: their meaning, their board, and their errors."""

from __future__ import annotations

import pytest

import puzzlec
from puzzlec.diagnostics import PuzzleError, Report, Source
from puzzlec.formats.reading import guess_format, read
from puzzlec.ir import Puzzle

#: Nine tiles cut from a square of 3 by 3, each rotated in some way; 0 is the border.
TILES = """\
0 0 1 2
0 2 3 1
0 0 6 2
2 3 4 0
3 4 5 3
0 6 4 6
4 5 0 0
0 5 5 1
6 0 0 1
"""


def tiles(text: str, board: str | None = None, report: Report | None = None) -> Puzzle:
    found = read(Source("a.tiles", text), "tiles", report or Report(), board)
    assert isinstance(found, Puzzle)
    return found


def shape(puzzle: Puzzle) -> tuple[int, ...]:
    return tuple(max(axis) + 1 for axis in zip(*(location.at for location in puzzle.locations), strict=True))


def brute(listed: list[tuple[int, ...]], columns: int, rows: int) -> int:
    """Count the placements of all tiles by trying: sides that meet are equal, sides on the border are 0 (no copies)."""

    def laid(at: int, board: list[tuple[int, ...]], left: frozenset[int]) -> int:
        if at == columns * rows:
            return 1
        found = 0
        for tile in left:
            for turn in range(4):
                top, right, bottom, west = listed[tile][turn:] + listed[tile][:turn]
                suits = (
                    top == (board[at - columns][2] if at >= columns else 0)
                    and west == (board[at - 1][1] if at % columns else 0)
                    and (right == 0 or at % columns < columns - 1)
                    and (bottom == 0 or at < columns * (rows - 1))
                    and (right == 0) == (at % columns == columns - 1)
                    and (bottom == 0) == (at >= columns * (rows - 1))
                )
                if suits:
                    found += laid(at + 1, [*board, (top, right, bottom, west)], left - {tile})
        return found

    return laid(0, [], frozenset(range(len(listed))))


def test_tiles_fill_the_square_with_the_border_outside() -> None:
    puzzle = tiles(TILES)
    listed = [tuple(map(int, line.split())) for line in TILES.splitlines()]
    assert shape(puzzle) == (3, 3)
    assert puzzle.colours.frame == ("0",)
    assert puzzlec.count(puzzle, symmetry="none") == brute(listed, 3, 3) > 0


@pytest.mark.parametrize(
    "text",
    [
        "3 3\n" + TILES,
        "3\n" + TILES,
        "9\n" + TILES,
        "# nine\n\n" + TILES.replace(" ", ", "),
        TILES.replace(" ", "\t"),
        "".join(f"{number}: {line}\n" for number, line in enumerate(TILES.splitlines(), 1)),
        "".join(f"{number} {line}\n" for number, line in enumerate(TILES.splitlines())),
        "# sides: right bottom left top\n" + "".join(f"{line[2:]} {line[0]}\n" for line in TILES.splitlines()),
    ],
)
def test_the_same_tiles_are_read_in_many_forms(text: str) -> None:
    one, other = tiles(text), tiles(TILES)
    assert [piece.sides for piece in one.pieces] == [piece.sides for piece in other.pieces]
    assert {location.at for location in one.locations} == {location.at for location in other.locations}
    assert guess_format(Source("pieces.txt", text)) == "tiles"


def test_hints_are_ignored_with_a_warning() -> None:
    report = Report()
    assert len(tiles("3\n6\n1\n1 1 1 1\n" + TILES, report=report).pieces) == 9
    assert [diagnostic.code for diagnostic in report.diagnostics] == ["PZ230"]


def test_rows_come_before_columns_in_the_text_and_columns_before_rows_in_the_option() -> None:
    six = "".join(f"{line}\n" for line in TILES.splitlines()[:6])
    assert shape(tiles("2 3\n" + six)) == shape(tiles(six, "3x2")) == (3, 2)
    with pytest.raises(PuzzleError, match="PZ251"):
        tiles(six)


def test_rotated_copies_of_a_tile_are_copies() -> None:
    puzzle = tiles("1 2 3 4\n2 3 4 1\n1 2 4 3\n10 11 12 13\n")
    assert [(piece.name, piece.low, piece.high) for piece in puzzle.pieces] == [("1", 2, 2), ("3", 1, 1), ("4", 1, 1)]
    assert puzzle.colours.frame is None


def test_more_colours_than_there_are_letters_are_kept() -> None:
    text = "".join(f"{at} {at + 1} {at + 2} {at + 3}\n" for at in range(1, 121, 4)) + "0 0 1 2\n" * 6
    assert len(tiles(text).colours.names) == 121
    assert tiles(text).colours.names[:3] == ("0", "1", "2")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("0 0 1 2\n0 0 1\n", "expected 4 numbers, found 3"),
        ("0 0 1 2\n7 0 0 1 2\n", "expected 4 numbers, found 5"),
        ("0 0 1 2\n0 0 1 x\n", "found `x`"),
        ("0 0 1 2-\n", "found `2-`"),
        ("0 0 1 1000000000\n", "expected the number"),
        ("4 4\n" + TILES, "4 rows and 4 columns, found 9 tiles"),
        ("0 0\n" + TILES, "invalid first lines"),
        ("1\n2\n" + TILES, "invalid first lines"),
        ("# only\n", "missing tiles"),
        ("3\n", "missing tiles"),
        ("# sides: top top left right\n" + TILES, "expected the four sides"),
        ("2 2\n" + "0 1 0 2\n" * 4, "border on opposite sides"),
    ],
)
def test_an_invalid_list_of_tiles_is_refused(text: str, words: str) -> None:
    with pytest.raises(PuzzleError, match="PZ229") as caught:
        tiles(text)
    assert words in str(caught.value)
    assert all(diagnostic.span is not None for diagnostic in caught.value.diagnostics)


def test_the_language_has_colours_of_several_digits() -> None:
    tile = "piece {} sides {} {} {} {}\n"
    head = "colours 0 {}\nframe 0\nlocations box 2x2\n"
    long = head.format("12 22") + "".join(tile.format(name, 0, 0, "{10+2}", 22) for name in "ab")
    long += "".join(tile.format(name, 0, 0, 22, 12) for name in "cd")
    short = head.format("r b") + "".join(tile.format(name, 0, 0, "r", "b") for name in "ab")
    short += "".join(tile.format(name, 0, 0, "b", "r") for name in "cd")
    assert (
        puzzlec.count(puzzlec.parse(long), symmetry="none") == puzzlec.count(puzzlec.parse(short), symmetry="none") > 0
    )
    with pytest.raises(PuzzleError, match="PZ322"):
        puzzlec.parse(head.format("012 1000"))


SIGNED = "2, 2, 0\n0: 0, 1, 2, 0\n1: 0, 0, 2, -1\n2: -2, 0, 0, 2\n3: -2, -2, 0, 0\n"


def test_sides_with_signs_meet_their_opposites() -> None:
    report = Report()
    puzzle = read(Source("a.txt", SIGNED), "tiles", report)
    assert isinstance(puzzle, Puzzle)
    assert not report.diagnostics
    assert puzzle.colours.mate == {"1": "-1", "-1": "1", "2": "-2", "-2": "2"}
    assert [piece.name for piece in puzzle.pieces] == ["0", "1", "2", "3"]
    assert puzzlec.Solutions(puzzle, symmetry="none").count() == 4
    equal = read(Source("a.txt", SIGNED.replace("-", "")), "tiles", Report())
    assert isinstance(equal, Puzzle)
    assert not equal.colours.mates
    named = SIGNED.replace("0:", "47:").replace("1:", "12:").replace("2, 2, 0", "2 2")
    other = read(Source("a.txt", named), "tiles", Report())
    assert isinstance(other, Puzzle)
    assert [piece.name for piece in other.pieces] == ["47", "12", "2", "3"]


def test_columns_and_rows_that_do_not_hold_the_tiles_are_reported() -> None:
    with pytest.raises(PuzzleError) as caught:
        read(Source("a.txt", SIGNED.replace("2, 2, 0", "3, 2, 0")), "tiles", Report())
    found = caught.value.diagnostics[0]
    assert found.message == "the first lines state a board of 2 rows and 3 columns, found 4 tiles"
